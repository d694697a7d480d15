//! The files that figures become.

use throng::place::FileError;
use throng::recording::{Overwrite, RecordingInfo};
use throng_plot::{Format, Kind, Options, PlotError};

use crate::support::{GROUPS, Pixels, draw, draw_scene, person, record, record_as, scene};

const BOUNDS: [[f32; 2]; 2] = [[0.0, 0.0], [10.0, 8.0]];

fn walk() -> Vec<Vec<throng::recording::Person>> {
    (0..10).map(|i| vec![person(1, [0.5 + i as f32 * 0.2, 1.0]), person(2, [5.0, 5.0])]).collect()
}

#[test]
fn a_png_has_the_width_asked_for() {
    let figure = draw_scene(scene(BOUNDS, GROUPS));
    let aspect = figure.page.size.y / figure.page.size.x;
    for width in [200, 777, 1500] {
        let pixels = Pixels::of(&figure, width);
        assert_eq!(pixels.width, width);
        assert_eq!(pixels.height, (width as f32 * aspect).round() as u32);
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let scene = scene(BOUNDS, GROUPS);
    let (_folder, mut recording) = record(&scene, &walk());
    for kind in [Kind::Trajectories, Kind::Density, Kind::Speed, Kind::Positions] {
        let options = Options { kind: Some(kind), ..Options::default() };
        for format in [Format::Png, Format::Svg] {
            let mut bytes =
                || draw(&mut recording, &options).unwrap().encode(format, None).unwrap();
            assert!(bytes() == bytes(), "{kind:?}");
        }
    }
}

#[test]
fn an_svg_keeps_text_as_text_and_escapes_it() {
    let scene = scene(BOUNDS, &GROUPS.replace("visitors", "R&D <b>"));
    let (_folder, mut recording) = record(&scene, &walk());
    let title = Some("1 < 2 & \"3\" > ]]>\u{1}".to_owned());
    let figure = draw(&mut recording, &Options { title, ..Options::default() }).unwrap();
    let svg = String::from_utf8(figure.encode(Format::Svg, None).unwrap()).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let texts: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .collect();
    for expected in ["1 < 2 & \"3\" > ]]>", "R&D <b>", "x (m)"] {
        assert!(texts.contains(&expected), "no {expected:?} in {texts:?}");
    }
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    assert!(ids.contains(&"trajectories") && ids.contains(&"axes"));
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
}

#[test]
fn a_density_map_is_an_image_in_the_svg() {
    let (_folder, mut recording) = record(&scene(BOUNDS, GROUPS), &walk());
    let options = Options { kind: Some(Kind::Density), ..Options::default() };
    let svg = draw(&mut recording, &options).unwrap().encode(Format::Svg, None).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let images = document.descendants().filter(|node| node.has_tag_name("image"));
    // The map, and the key to its colours.
    assert_eq!(images.filter(|image| image.attribute("href").is_some()).count(), 2);
}

#[test]
fn a_file_that_is_there_is_only_replaced_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hall.svg");
    let figure = draw_scene(scene(BOUNDS, GROUPS));
    std::fs::write(&path, "precious").unwrap();
    let refused = figure.save(&path, None, Overwrite::No);
    assert!(matches!(refused, Err(PlotError::File(FileError::Exists { .. }))));
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    let written = figure.save(&path, Some(900), Overwrite::Yes).unwrap();
    assert_eq!((written.width, written.bytes), (900, path.metadata().unwrap().len()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "something is left over");
}

#[test]
fn a_recording_without_a_scene_shows_where_people_were() {
    let info =
        RecordingInfo { scene: String::new(), ..RecordingInfo::of_scene(&scene(BOUNDS, GROUPS)) };
    let (_folder, mut recording) = record_as(info, &walk());
    let figure = draw(&mut recording, &Options::default()).unwrap();
    assert_eq!((figure.subject.people, figure.subject.frames), (2, 10));
    assert!(figure.subject.notes.is_empty());
}

#[test]
fn a_scene_that_cannot_be_read_any_more_is_a_note() {
    let info = RecordingInfo {
        scene: "format = 99".into(),
        ..RecordingInfo::of_scene(&scene(BOUNDS, GROUPS))
    };
    let (_folder, mut recording) = record_as(info, &walk());
    let figure = draw(&mut recording, &Options::default()).unwrap();
    let [note] = &figure.subject.notes[..] else { panic!("{:?}", figure.subject.notes) };
    assert!(note.starts_with("obstacles are not shown"), "{note}");
}
