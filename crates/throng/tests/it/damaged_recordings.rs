//! What is left of a recording when something goes wrong, and what is said about it.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use proptest::prelude::*;
use throng::recording::{
    Frame, Overwrite, Recorder, Recording, RecordingError, RecordingInfo, Recovery, recover,
};
use throng_world::scene::TerrainFiles;

use crate::common::{frame, info, read_all};

/// How long the file is after each footer, and how many frames it then has.
fn record_with_lengths(path: &Path, frames: &[Frame], flush_every: usize) -> Vec<(u64, u32)> {
    let mut recorder = Recorder::create(path, info(), Overwrite::No).unwrap();
    let length = || fs::metadata(path).unwrap().len();
    let mut lengths = vec![(length(), 0)];
    for frame in frames {
        recorder.push(frame).unwrap();
        if (frame.index as usize + 1).is_multiple_of(flush_every) {
            recorder.flush().unwrap();
            lengths.push((length(), frame.index + 1));
        }
    }
    recorder.finish().unwrap();
    lengths.push((length(), frames.len() as u32));
    lengths
}

fn shorten(path: &Path, length: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

/// A file cut off at `length` must have the frames of the last footer before, and say so.
fn check_prefix(path: &Path, length: u64, lengths: &[(u64, u32)], frames: &[Frame]) {
    let whole = lengths.iter().rfind(|(end, _)| *end <= length);
    match (Recording::open(path), whole) {
        (Ok(mut recording), Some(&(end, count))) => {
            assert_eq!(recording.frame_count(), count, "of {length} bytes");
            assert_eq!(recording.bytes_dropped(), length - end);
            assert_eq!(recording.recovered(), length > end);
            if let Some(last) = count.checked_sub(1) {
                assert!(recording.frame(last).unwrap() == frames[last as usize]);
            }
        }
        (Err(error), None) => assert!(
            matches!(error, RecordingError::NotParquet { .. } | RecordingError::Damaged { .. }),
            "{error}"
        ),
        (result, _) => panic!("{result:?} from {length} bytes"),
    }
}

#[test]
fn a_short_recording_cut_off_anywhere_has_its_complete_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let frames: Vec<_> = (0..9).map(|index| frame(index, 5)).collect();
    let lengths = record_with_lengths(&path, &frames, 3);
    for length in (0..=lengths.last().unwrap().0).rev() {
        shorten(&path, length);
        check_prefix(&path, length, &lengths, &frames);
    }
}

#[test]
fn a_long_recording_cut_off_near_its_joints_has_its_complete_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let frames: Vec<_> = (0..30).map(|index| frame(index, 7_000)).collect();
    let lengths = record_with_lengths(&path, &frames, 10);
    let near =
        |&(end, _): &(u64, u32)| [9, 8, 5, 4, 1, 0, -1, -4, -5, -8, -9].map(|d| end as i64 - d);
    let inside = lengths.windows(2).map(|pair| (pair[0].0 + pair[1].0) as i64 / 2);
    let mut cuts: Vec<_> = lengths.iter().flat_map(near).chain(inside).collect();
    cuts.sort_unstable();
    let whole = lengths.last().unwrap().0 as i64;
    for &cut in cuts.iter().rev().filter(|cut| (0..=whole).contains(*cut)) {
        shorten(&path, cut as u64);
        check_prefix(&path, cut as u64, &lengths, &frames);
    }
}

#[test]
fn recovering_cuts_off_the_torn_end_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let frames: Vec<_> = (0..6).map(|index| frame(index, 50)).collect();
    let lengths = record_with_lengths(&path, &frames, 2);
    let (end, count) = lengths[2];
    shorten(&path, end + 100);
    assert_eq!(recover(&path).unwrap(), Recovery { frames: count, bytes_dropped: 100 });
    assert_eq!(fs::metadata(&path).unwrap().len(), end);
    assert_eq!(recover(&path).unwrap(), Recovery { frames: count, bytes_dropped: 0 });
    assert!(!Recording::open(&path).unwrap().recovered());
    assert_eq!(read_all(&path).unwrap(), frames[..count as usize]);
}

const CHILD: &str = "THRONG_TEST_RECORD_TO";

/// Not a test: what the next one starts in a process of its own.
#[test]
#[ignore = "records for ever"]
fn child_that_records() {
    let Ok(path) = std::env::var(CHILD) else { return };
    let mut recorder = Recorder::create(path, info(), Overwrite::No).unwrap();
    for index in 0.. {
        recorder.push(&frame(index, 9_000)).unwrap();
    }
}

fn start_child(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "damaged_recordings::child_that_records", "--ignored"])
        .env(CHILD, path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_recorder_leaves_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    // The first row group, 65,536 rows or seven whole frames, takes about 1.3 MB.
    for (attempt, megabytes) in [2, 4, 8].into_iter().enumerate() {
        let path = folder.path().join(format!("{attempt}.parquet"));
        let mut child = start_child(&path);
        let deadline = Instant::now() + Duration::from_secs(60);
        while fs::metadata(&path).map_or(0, |metadata| metadata.len()) < megabytes << 20 {
            assert!(Instant::now() < deadline, "the child does not record");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let recovery = recover(&path).unwrap();
        let frames = read_all(&path).unwrap();
        assert_eq!(frames.len() as u32, recovery.frames);
        assert!(recovery.frames >= 7, "{} frames in {megabytes} MB", recovery.frames);
        assert!((0..).zip(&frames).all(|(index, read)| *read == frame(index, 9_000)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2 * ProptestConfig::default().cases))]

    /// Reading may well succeed, if the bytes are those of an old footer; it must not panic.
    #[test]
    fn changed_bytes_give_frames_or_errors(
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let mut bytes = sample().to_vec();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        fs::write(&path, bytes).unwrap();
        if let Ok(mut recording) = Recording::open(&path) {
            let _ = recording.scene();
            let _ = recording.people();
            let _ = recording.interpolated(0.25);
            for index in (0..recording.frame_count().min(20)).rev() {
                let _ = recording.frame(index);
            }
            recording.frames().take(20).for_each(drop);
        }
        let _ = recover(&path);
    }
}

/// A changed bit anywhere gives an error, or the frames that were recorded: all of them, or fewer if
/// the recording says that its end is missing.
#[test]
fn a_flipped_bit_never_changes_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    fs::write(&path, sample()).unwrap();
    let (whole, original) = (read_all(&path).unwrap(), Recording::open(&path).unwrap());
    let terrain = original.terrain_files().unwrap();
    let (mut tried, mut refused, mut bytes) = (0, 0, sample().to_vec());
    // Each bit of a byte in turn, so that all parts of the file have some of each.
    for at in (0..bytes.len()).step_by(7) {
        tried += 1;
        let bit = 1 << (at % 8);
        bytes[at] ^= bit;
        fs::write(&path, &bytes).unwrap();
        bytes[at] ^= bit;
        let checked = |error: RecordingError| {
            let text = error.to_string();
            assert!(text.contains("a.parquet"), "{text}");
        };
        let mut recording = match Recording::open(&path) {
            Ok(recording) => recording,
            Err(error) => {
                checked(error);
                refused += 1;
                continue;
            }
        };
        assert!(recording.recovered() || recording.frame_count() as usize == whole.len());
        assert!(recording.info() == original.info(), "bit {bit} of byte {at}");
        if let Ok(read) = recording.terrain_files() {
            assert!(read == terrain, "bit {bit} of byte {at}");
        }
        match recording.frames().collect::<Result<Vec<_>, _>>() {
            Ok(frames) => assert!(frames == whole[..frames.len()], "bit {bit} of byte {at}"),
            Err(error) => {
                checked(error);
                refused += 1;
            }
        }
    }
    assert!(refused > tried / 10, "only {refused} of {tried} were refused");
}

#[test]
fn damage_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let damaged = |at: usize| {
        let mut bytes = sample().to_vec();
        bytes[at] ^= 4;
        fs::write(&path, bytes).unwrap();
        read_all(&path).unwrap_err().to_string()
    };
    let length = sample().len();
    let footer = damaged(length - 100);
    assert!(footer.contains("is damaged: its footer, bytes "), "{footer}");
    fs::write(&path, sample()).unwrap();
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let (start, length) = reader.metadata().row_group(2).column(5).byte_range();
    let chunk = damaged((start + length / 2) as usize);
    let expected = format!("is damaged: bytes {start} to {}, of column `x`", start + length);
    assert!(chunk.contains(&expected), "{chunk}");
}

#[test]
fn counts_are_signed_for_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    fs::write(&path, sample()).unwrap();
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    for name in ["frame", "id", "blocked_by"] {
        let column = schema.columns().iter().find(|column| column.name() == name).unwrap();
        assert_eq!(column.physical_type(), parquet::basic::Type::INT64, "{name}");
        assert_eq!(column.logical_type_ref(), None, "{name}");
    }
}

/// A small recording of three row groups.
fn sample() -> &'static [u8] {
    static SAMPLE: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    SAMPLE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let mut terrain = TerrainFiles::default();
        terrain.insert("hill.obj", b"v 0 0 0\nv 9 1 0\nv 9 2 -9\nf 1 2 3\n");
        let world = "{ bounds = [[0, 0], [9, 9]], terrain = { mesh = 'hill.obj' } }";
        let scene = format!("format = 1\nworld = {world}\n");
        let info = RecordingInfo { scene, terrain, ..info() };
        let mut recorder = Recorder::create(&path, info, Overwrite::No).unwrap();
        for index in 0..9 {
            recorder.push(&frame(index, 12)).unwrap();
            if index % 3 == 2 {
                recorder.flush().unwrap();
            }
        }
        recorder.finish().unwrap();
        assert!(!Recording::open(&path).unwrap().scene().unwrap().layers[0].terrain.is_flat());
        fs::read(path).unwrap()
    })
}

#[test]
fn files_that_are_something_else_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        Recording::open(&path).unwrap_err().to_string()
    };
    let cases: [(&[u8], &str); 4] = [
        (b"", "is not a Parquet file: it is empty"),
        (b"PA", "is not a Parquet file: it begins differently"),
        (b"frame,time,id\n0,0.0,1\n", "is not a Parquet file: it begins differently"),
        (b"PAR1PAR1\xff\xff\xff\xffPAR1", "is damaged: it has no complete footer"),
    ];
    for (content, reason) in cases {
        let error = open("a.parquet", content);
        assert!(error.contains("a.parquet") && error.contains(reason), "{error}");
    }
    let error = Recording::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("is not a Parquet file: it is not a regular file"), "{error}");
    let error = Recording::open(folder.path().join("none.parquet")).unwrap_err().to_string();
    assert!(error.contains("cannot open") && error.contains("none.parquet"), "{error}");
}

/// A table with these columns, and the metadata of a recording without `without`.
fn foreign(path: &Path, columns: &str, without: &str) -> SerializedFileWriter<File> {
    let pairs = [
        ("throng.format", "1"),
        ("throng.version", "0"),
        ("throng.scene_name", ""),
        ("throng.scene", ""),
        ("throng.seed", "0"),
        ("throng.step", "0.1"),
        ("throng.record_every", "1"),
        ("throng.groups", r##"[{"name":"a","color":"#000000"}]"##),
        ("throng.layers", r#"[{"name":"a","elevation":0.0}]"#),
        ("throng.frames", "2"),
        ("throng.start", "0"),
    ];
    let pairs = pairs.into_iter().filter(|(key, _)| *key != without);
    let pairs = pairs.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned()));
    let properties = WriterProperties::builder().set_key_value_metadata(Some(pairs.collect()));
    let schema = parse_message_type(&format!("message m {{ {columns} }}")).unwrap();
    let file = File::create(path).unwrap();
    SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build())).unwrap()
}

const COLUMNS: &str = "required int32 frame (INTEGER(32,false)); required double time; \
    required int32 id (INTEGER(32,false)); required binary group (STRING); \
    required binary layer (STRING); required float x; required float y; required float z; \
    required float heading; required float vx; required float vy; required float radius; \
    required binary status (STRING); optional int32 blocked_by (INTEGER(32,false));";

#[test]
fn tables_of_others_are_told_what_they_lack() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let open = |columns: &str, without| {
        foreign(&path, columns, without).close().unwrap();
        Recording::open(&path).map_err(|error| error.to_string())
    };
    assert!(open(COLUMNS, "").is_ok());
    let lack = |columns: &str, without, reason: &str| {
        let error = open(columns, without).unwrap_err();
        let expected = format!("is a Parquet file but not a Throng recording: {reason}");
        assert!(error.ends_with(&expected), "{error}");
    };
    lack("required double t;", "throng.format", "it has no column `frame`");
    let wide = COLUMNS.replace("float x", "double x");
    lack(&wide, "", "its column `x` is DOUBLE and should be FLOAT");
    let list = COLUMNS.replace("required float z", "repeated float z");
    lack(&list, "", "its column `z` has lists");
    lack(COLUMNS, "throng.seed", "it has no metadata `throng.seed`");
}

/// Rows as another tool may write them, in row groups of `group_rows`.
fn write_rows(path: &Path, frames: &[i32], ids: &[i32], xs: &[f32], group_rows: usize) {
    let mut writer = foreign(path, COLUMNS, "");
    for start in (0..frames.len()).step_by(group_rows) {
        let rows = start..frames.len().min(start + group_rows);
        let mut group = writer.next_row_group().unwrap();
        write_group(&mut group, &frames[rows.clone()], &ids[rows.clone()], &xs[rows]);
        group.close().unwrap();
    }
    writer.close().unwrap();
}

fn write_group(
    group: &mut SerializedRowGroupWriter<'_, File>,
    frames: &[i32],
    ids: &[i32],
    xs: &[f32],
) {
    let times: Vec<f64> = frames.iter().map(|&frame| f64::from(frame) * 0.1).collect();
    let name = |name: &str| vec![ByteArray::from(name); frames.len()];
    for index in 0.. {
        let Some(mut column) = group.next_column().unwrap() else { break };
        match index {
            0 => column.typed::<Int32Type>().write_batch(frames, None, None),
            1 => column.typed::<DoubleType>().write_batch(&times, None, None),
            2 => column.typed::<Int32Type>().write_batch(ids, None, None),
            3 | 4 => column.typed::<ByteArrayType>().write_batch(&name("a"), None, None),
            5 => column.typed::<FloatType>().write_batch(xs, None, None),
            12 => column.typed::<ByteArrayType>().write_batch(&name("walking"), None, None),
            13 => column.typed::<Int32Type>().write_batch(&[], Some(&vec![0; frames.len()]), None),
            _ => column.typed::<FloatType>().write_batch(&vec![0.0; frames.len()], None, None),
        }
        .unwrap();
        column.close().unwrap();
    }
}

/// Reads a small recording whose frames, ids and x were changed with `change`.
fn rewritten(change: impl FnOnce(&mut [i32], &mut [i32], &mut [f32])) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let (mut frames, mut ids, mut xs) = ([0, 0, 1, 1], [1, 2, 1, 2], [0.0; 4]);
    change(&mut frames, &mut ids, &mut xs);
    write_rows(&path, &frames, &ids, &xs, 4);
    read_all(&path).unwrap_err().to_string()
}

#[test]
fn frames_that_span_row_groups_are_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    for group_rows in 1..=6 {
        write_rows(&path, &[0, 0, 1, 1, 1, 1], &[1, 2, 1, 2, 3, 4], &[0.5; 6], group_rows);
        let frames = read_all(&path).unwrap();
        assert_eq!(frames[0].people.ids, [1, 2]);
        assert_eq!(frames[1].people.ids, [1, 2, 3, 4]);
        assert_eq!(frames[1].people.positions.len(), 4);
    }
}

#[test]
fn rows_that_contradict_the_format_are_named() {
    let cases: [(String, &str); 4] = [
        (rewritten(|_, _, xs| xs[3] = f32::NAN), "row 3: a number is not finite"),
        (rewritten(|_, ids, _| ids.swap(2, 3)), "row 3: id 1 comes after id 2"),
        (rewritten(|frames, _, _| frames.swap(1, 2)), "row 2: frame 0 comes after frame 1"),
        (rewritten(|frames, _, _| frames[3] = 7), "row group 0 claims to have the frames 0 to 7"),
    ];
    for (error, reason) in cases {
        assert!(error.ends_with(&format!("a.parquet is damaged: {reason}")), "{error}");
    }
}
