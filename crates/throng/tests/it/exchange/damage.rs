//! Whatever is in a file, importing it does not panic, and what is imported is a valid recording.

use proptest::prelude::*;
use throng::exchange::{ExportFormat, ImportFormat, ImportOptions, Unit};
use throng::world::Scene;

use super::support::{Folder, frames, one_floor, to, walkers};

/// Imports `content`; if that works, the recording must be sound.
fn check(folder: &Folder, content: &[u8], options: &ImportOptions) {
    folder.write("tracks", content);
    let Ok(imported) = folder.import("tracks", options) else { return };
    let mut recording = folder.imported();
    let rows: usize = frames(&mut recording).iter().map(|frame| frame.people.len()).sum();
    assert_eq!((rows as u64, recording.frame_count()), (imported.rows, imported.frames));
    let scene = Scene::parse_plan("tracks", &recording.info().scene);
    scene.unwrap_or_else(|errors| panic!("{errors}"));
    for format in ExportFormat::ALL {
        let options = throng::exchange::ExportOptions {
            overwrite: throng::recording::Overwrite::Yes,
            floors: throng::exchange::Floors::Named(recording.info().layers[0].name.clone()),
            ..to(format)
        };
        folder.export(&mut recording, "again", &options).unwrap();
    }
}

fn any_options() -> impl Strategy<Value = ImportOptions> {
    let format = prop::option::of(prop::sample::select(&ImportFormat::ALL[..]));
    let unit = prop::option::of(prop::sample::select(&Unit::ALL[..]));
    let fps = prop::option::of(prop_oneof![Just(10.0), 0.1..100.0f64]);
    (format, unit, fps, any::<bool>()).prop_map(|(format, unit, fps, flat)| ImportOptions {
        format,
        unit,
        fps,
        flat,
        ..ImportOptions::default()
    })
}

/// A good file of each format.
fn good(format: ExportFormat) -> Vec<u8> {
    let folder = Folder::new();
    let mut recording = folder.record(&one_floor(), &walkers(4, 1));
    folder.export(&mut recording, "a", &to(format)).unwrap();
    std::fs::read(folder.path("a")).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    #[test]
    fn any_bytes_are_refused_or_read(
        content in prop::collection::vec(any::<u8>(), 0..300),
        options in any_options(),
    ) {
        check(&Folder::new(), &content, &options);
    }

    #[test]
    fn any_table_of_numbers_is_refused_or_read(
        header in prop::sample::select(&[
            "", "# framerate: 10\n", "id,frame,x,y\n", "id,time,x,y,z,group\n", "time;id;y;x\n",
        ][..]),
        separator in prop::sample::select(&[" ", ",", ";"][..]),
        rows in prop::collection::vec(
            prop::collection::vec(
                prop_oneof![
                    (-9..9i32).prop_map(|i| i.to_string()),
                    (-1e6..1e6f64).prop_map(|x| x.to_string()),
                    (-1e2..1e2f32).prop_map(|x| format!("{x:.1}")),
                    any::<f64>().prop_map(|x| format!("{x:e}")),
                    any::<i64>().prop_map(|x| x.to_string()),
                ],
                0..9,
            ),
            0..20,
        ),
        options in any_options(),
    ) {
        let lines: Vec<String> = rows.iter().map(|row| row.join(separator)).collect();
        check(&Folder::new(), format!("{header}{}", lines.join("\n")).as_bytes(), &options);
    }

    #[test]
    fn a_damaged_file_is_refused_or_read(
        format in prop::sample::select(&ExportFormat::ALL[..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        length in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let mut content = good(format);
        for (place, byte) in changes {
            let place = place.index(content.len());
            content[place] = byte;
        }
        if cut {
            content.truncate(length.index(content.len()));
        }
        check(&Folder::new(), &content, &ImportOptions::default());
    }
}
