//! How fast recordings are written and read, and how long they are.
//!
//! `cargo bench --package throng --bench recording` records a plausible random walk (turning and speeding up a little, one
//! in twenty held up by the neighbour) and reads it back, in order and out of order. The second table has processor times
//! with checksums by those without, each the shortest of many: writing by writing less the CRC-32 of all bytes, and reading
//! by reading the same file without the block of checksums, in turn.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use glam::Vec2;
use rustix::time::{ClockId, clock_gettime};
use throng::recording::{
    Frame, GroupInfo, LayerInfo, Overwrite, Person, Recorder, Recording, RecordingInfo, Status,
};
use throng_base::random::{Purpose, Random, Stream};
use throng_world::scene::GroupId;

const INTERVAL: f64 = 0.1;
const GROUPS: u32 = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    println!(
        "{:>8} {:>7} {:>12} {:>12} {:>9} {:>8} {:>12} {:>12} {:>12}",
        "people",
        "frames",
        "write row/s",
        "read row/s",
        "B/row",
        "groups",
        "random ms",
        "back ms",
        "count ms"
    );
    let mut ratios = Vec::new();
    for (people, frames) in [(100_000, 20), (2_000, 1_000), (50, 40_000)] {
        let path = folder.path().join(format!("{people}.parquet"));
        let walked = walk(people, frames);
        ratios.push((people, frames, measure(&path, &walked)?));
    }
    println!("\nProcessor time with checksums by that without:");
    println!(
        "{:>8} {:>7} {:>12} {:>12} {:>16}",
        "people", "frames", "writing", "reading", "20 random frames"
    );
    for (people, frames, [write, read, random]) in ratios {
        println!("{people:>8} {frames:>7} {write:>12.4} {read:>12.4} {random:>16.4}");
    }
    Ok(())
}

/// Prints a line of the first table and returns the ratios of the second.
fn measure(path: &Path, frames: &[Frame]) -> Result<[f64; 3], Box<dyn std::error::Error>> {
    let (began, processor) = (Instant::now(), seconds(ClockId::ProcessCPUTime));
    let mut recorder = Recorder::create(path, info(), Overwrite::No)?;
    for frame in frames {
        recorder.push(frame)?;
    }
    let summary = recorder.finish()?;
    let (written, processor) = (began.elapsed(), seconds(ClockId::ProcessCPUTime) - processor);

    let mut recording = Recording::open(path)?;
    let (mut frame, mut read) = (Frame::default(), Duration::ZERO);
    for expected in frames {
        let began = Instant::now();
        recording.read_frame(expected.index, &mut frame)?;
        read += began.elapsed();
        assert_eq!(&frame, expected);
    }

    let count = frames.len() as u32;
    let order: Vec<u32> = (1..=20).map(|i: u32| i.wrapping_mul(2_654_435_761) % count).collect();
    let back: Vec<u32> = (count - count.min(20)..count).rev().collect();
    let random = access(&mut recording, &order)?;
    let back = access(&mut recording, &back)?;
    let began = Instant::now();
    assert_eq!(recording.people()?, frames[0].people.len() as u64);
    let counted = began.elapsed();
    let rate = |time: Duration| summary.rows as f64 / time.as_secs_f64();
    println!(
        "{:>8} {:>7} {:>12.3e} {:>12.3e} {:>9.2} {:>8} {:>12.2} {:>12.2} {:>12.1}",
        frames[0].people.len(),
        count,
        rate(written),
        rate(read),
        summary.bytes as f64 / summary.rows as f64,
        recording.row_group_count(),
        random.as_secs_f64() * 1e3,
        back.as_secs_f64() * 1e3,
        counted.as_secs_f64() * 1e3,
    );
    checksum_ratios(path, processor, &order)
}

/// What a clock says, s.
fn seconds(clock: ClockId) -> f64 {
    let now = clock_gettime(clock);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Processor time of this thread, s, which other work on the machine does not lengthen much.
fn thread_time() -> f64 {
    seconds(ClockId::ThreadCPUTime)
}

/// Processor times with checksums by those without: to write, which took `written` s, to read in order, and to open and read
/// frames in the order `random`. Of several times, the shortest counts.
fn checksum_ratios(
    path: &Path,
    written: f64,
    random: &[u32],
) -> Result<[f64; 3], Box<dyn std::error::Error>> {
    const TURNS: usize = 15;
    let mut bytes = fs::read(path)?;
    let hashing = (0..TURNS).map(|_| {
        let began = thread_time();
        black_box(crc32fast::hash(black_box(&bytes)));
        thread_time() - began
    });
    let hashed = hashing.fold(f64::INFINITY, f64::min);
    // Readers take a file without these letters for one without checksums.
    let letters = b"ThrongCk";
    let places: Vec<usize> =
        (0..bytes.len()).filter(|&at| bytes[at..].starts_with(letters)).collect();
    assert!(!places.is_empty());
    places.iter().for_each(|&at| bytes[at..][..letters.len()].fill(0));
    let unchecked = path.with_extension("unchecked.parquet");
    fs::write(&unchecked, &bytes)?;
    let mut shortest = [[f64::INFINITY; 2]; 2];
    for _ in 0..TURNS {
        for (file, [whole, some]) in [path, &unchecked].into_iter().zip(&mut shortest) {
            let began = thread_time();
            let mut recording = Recording::open(file)?;
            for frame in recording.frames() {
                black_box(frame?);
            }
            *whole = whole.min(thread_time() - began);
            let began = thread_time();
            access(&mut Recording::open(file)?, random)?;
            *some = some.min(thread_time() - began);
        }
    }
    let [with, without] = shortest;
    Ok([written / (written - hashed), with[0] / without[0], with[1] / without[1]])
}

/// Mean time to read one of the frames `indices`.
fn access(
    recording: &mut Recording,
    indices: &[u32],
) -> Result<Duration, Box<dyn std::error::Error>> {
    let began = Instant::now();
    let mut frame = Frame::default();
    for &index in indices {
        recording.read_frame(index, &mut frame)?;
    }
    Ok(began.elapsed() / indices.len() as u32)
}

fn info() -> RecordingInfo {
    let group = |i| GroupInfo { name: format!("group {i}"), color: [31, 119, 180] };
    RecordingInfo {
        scene_name: "walk.toml".into(),
        scene: "format = 1\n".repeat(300),
        seed: 1,
        step: INTERVAL,
        record_every: 1,
        groups: (0..GROUPS).map(group).collect(),
        layers: vec![LayerInfo { name: "ground".into(), elevation: 0.0 }],
        ..RecordingInfo::default()
    }
}

fn walk(people: u32, frames: u32) -> Vec<Frame> {
    let random = Random::new(1);
    let side = (people as f32).sqrt();
    let start = |id: u32| {
        let mut draw = random.stream(id.into(), 0, Purpose::Placement);
        Person {
            id,
            group: GroupId((id * GROUPS / people) as u16),
            position: draw.point_between(Vec2::ZERO, Vec2::splat(side)),
            heading: draw.between(-3.0, 3.0),
            radius: draw.between(0.22, 0.25),
            ..Person::default()
        }
    };
    let mut state: Vec<Person> = (0..people).map(start).collect();
    let mut frame_at = |index: u32| {
        let mut frame = Frame { index, time: f64::from(index) * INTERVAL, ..Frame::default() };
        for person in &mut state {
            walk_on(person, random.stream(person.id.into(), index.into(), Purpose::Goal));
            frame.people.push(*person);
        }
        frame
    };
    (0..frames).map(&mut frame_at).collect()
}

fn walk_on(person: &mut Person, mut draw: Stream) {
    person.heading += draw.between(-0.1, 0.1);
    person.velocity = Vec2::from_angle(person.heading) * draw.between(1.2, 1.4);
    person.position += person.velocity * INTERVAL as f32;
    let blocked = draw.unit() < 0.05;
    person.status = if blocked { Status::Blocked } else { Status::Walking };
    person.blocked_by = blocked.then_some(person.id + 1);
}
