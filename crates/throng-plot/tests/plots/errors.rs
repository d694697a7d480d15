//! What cannot be drawn is refused, with the way out.

use std::path::Path;

use throng::recording::Overwrite;
use throng_plot::{ColourBy, Kind, Options, PlotError, plot_file, plot_scene};

use crate::support::{GROUPS, draw, draw_scene, person, record, scene};

const BOUNDS: [[f32; 2]; 2] = [[0.0, 0.0], [10.0, 8.0]];

fn message(options: &Options) -> String {
    let frames: Vec<_> = (0..5).map(|_| vec![person(1, [1.0, 1.0])]).collect();
    let (_folder, mut recording) = record(&scene(BOUNDS, GROUPS), &frames);
    draw(&mut recording, options).unwrap_err().to_string()
}

#[test]
fn a_format_that_is_not_known_is_refused() {
    let figure = draw_scene(scene(BOUNDS, GROUPS));
    for name in ["hall.jpg", "hall", "hall.png.txt", ".png"] {
        let refused = figure.save(name.as_ref(), None, Overwrite::No).unwrap_err();
        assert!(refused.to_string().contains("let its name end in .png or .svg"), "{refused}");
        assert!(!Path::new(name).exists());
    }
}

#[test]
fn what_is_neither_recording_nor_scene_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let refused = plot_file(&path, &Options::default(), &mut |_, _| {}).unwrap_err();
        refused.to_string()
    };
    assert!(write("hall.csv", "x,y").contains("neither a recording nor a scene"));
    assert!(write("hall.parquet", "junk").contains("not a Parquet file"));
    let torn = write("torn.bin", "PAR1");
    assert!(torn.contains("torn.bin") && !torn.contains("neither"), "{torn}");
    assert!(write("hall.toml", "format = 2").contains("format 2"));
}

#[test]
fn a_recording_without_frames_is_refused() {
    let (_folder, mut recording) = record(&scene(BOUNDS, GROUPS), &[]);
    for kind in [Kind::Trajectories, Kind::Density, Kind::Positions] {
        let options = Options { kind: Some(kind), ..Options::default() };
        let refused = draw(&mut recording, &options).unwrap_err();
        assert!(matches!(refused, PlotError::NoFrames { .. }), "{refused}");
    }
}

#[test]
fn a_floor_that_is_not_there_is_refused_with_those_there_are() {
    let options = Options { layer: Some("attic".into()), ..Options::default() };
    let expected = "there is no floor \"attic\"; the floors are \"ground\"";
    assert_eq!(message(&options), expected);
    let refused = plot_scene(scene(BOUNDS, GROUPS), &options).unwrap_err();
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn times_without_frames_are_refused() {
    for (from, to) in [(Some(9.0), None), (None, Some(-1.0)), (Some(0.3), Some(0.1))] {
        let refused = message(&Options { from, to, ..Options::default() });
        assert!(refused.contains("there are no frames from"), "{refused}");
        assert!(refused.contains("lasts from 0 s to 0.4 s"), "{refused}");
    }
    let nan = message(&Options { from: Some(f64::NAN), ..Options::default() });
    assert!(nan.contains("--from must be a number of seconds"), "{nan}");
}

#[test]
fn options_that_would_have_no_effect_are_refused() {
    let kind = |kind| Options { kind: Some(kind), ..Options::default() };
    let line = Some("0,0,1,1".parse().unwrap());
    let areas = vec!["0,0,1,1".parse().unwrap()];
    for (options, expected) in [
        (Options { colour: Some(ColourBy::Group), ..kind(Kind::Density) }, "colours of its own"),
        (Options { at: Some(0.1), ..kind(Kind::Density) }, "--from and --to instead of --at"),
        (Options { from: Some(0.1), ..kind(Kind::Positions) }, "--at instead of --from"),
        (kind(Kind::Flow), "write --line X1,Y1,X2,Y2"),
        (Options { line, areas: areas.clone(), ..kind(Kind::Flow) }, "leave out --area"),
        (kind(Kind::Fundamental), "write --area X1,Y1,X2,Y2"),
        (
            Options { areas: vec!["20,20,30,30".parse().unwrap()], ..kind(Kind::Fundamental) },
            "has no ground that one can walk on",
        ),
        (Options { line, areas, ..kind(Kind::Fundamental) }, "leave out --line"),
    ] {
        let refused = message(&options);
        assert!(refused.contains(expected), "{refused}");
    }
    for options in [
        kind(Kind::Density),
        Options { at: Some(1.0), ..Options::default() },
        Options { colour: Some(ColourBy::Speed), ..Options::default() },
    ] {
        let refused = plot_scene(scene(BOUNDS, GROUPS), &options).unwrap_err().to_string();
        assert!(refused.contains("record it with `throng run` first"), "{refused}");
    }
}
