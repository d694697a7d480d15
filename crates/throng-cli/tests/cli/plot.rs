//! `throng plot`.

use crate::support::{Folder, HALL};

fn recorded() -> Folder {
    let folder = Folder::with_scene(HALL);
    folder.throng(&["run", "hall.toml"]).ok();
    folder
}

#[test]
fn every_kind_of_figure_is_drawn() {
    let folder = recorded();
    for (kind, arguments) in [
        ("trajectories", &[][..]),
        ("trajectories", &["--colour", "speed", "--from", "1", "--to", "3"]),
        ("density", &["--density"]),
        ("speed", &["--kind", "speed"]),
        ("positions", &["--kind", "positions", "--at", "2"]),
        ("flow", &["--kind", "flow", "--line", "-5,-9,-5,9"]),
        ("fundamental", &["--kind", "fundamental", "--area", "-6,-6,6,6"]),
        ("nav", &["--nav"]),
        ("nav", &["--kind", "nav", "--way", "-8,-8,8,8"]),
    ] {
        for out in ["a.png", "a.svg"] {
            let plot = ["plot", "hall.parquet", "-o", out, "--force"];
            let printed = folder.throng(&[&plot, arguments].concat()).ok();
            assert!(printed.starts_with(&format!("{out}: {kind}, ")), "{printed}");
        }
        assert!(folder.read("a.png").starts_with(b"\x89PNG"));
        assert!(folder.read("a.svg").starts_with(b"<svg "));
    }
    assert_eq!(folder.files(), ["a.png", "a.svg", "hall.parquet", "hall.toml"]);
}

#[test]
fn a_scene_is_drawn_without_running_it() {
    let folder = Folder::with_scene(HALL);
    let printed = folder.throng(&["plot", "hall.toml", "--out", "hall.png"]).ok();
    assert!(printed.starts_with("hall.png: scene, 30 people, "), "{printed}");
    assert_eq!(folder.files(), ["hall.png", "hall.toml"]);
}

#[test]
fn a_way_that_does_not_exist_is_a_failure_after_the_figure() {
    let wall = "format = 1\nworld = { bounds = [[0, 0], [10, 6]], closed = true }\n\
                [[obstacles]]\nwall = { points = [[5, 0], [5, 6]], thickness = 0.2 }\n";
    let folder = Folder::with_scene(wall);
    let plot = ["plot", "hall.toml", "-o", "a.png", "--nav", "--way", "1,1,9,5"];
    let drawn = folder.throng(&plot);
    assert_eq!(drawn.code, Some(1), "{}", drawn.err);
    assert!(drawn.err.contains("there is no way from (1, 1) to (9, 5): "), "{}", drawn.err);
    assert!(drawn.out.starts_with("a.png: nav, 1"), "{}", drawn.out);
    assert!(folder.read("a.png").starts_with(b"\x89PNG"));
    let here = ["plot", "hall.toml", "-o", "a.png", "--force", "--nav", "--way", "1,1,4,5"];
    let printed = folder.throng(&here).ok();
    assert!(printed.starts_with("a.png: nav, 1"), "{printed}");
}

#[test]
fn density_is_short_for_its_kind() {
    let folder = recorded();
    folder.throng(&["plot", "hall.parquet", "-o", "a.png", "--density"]).ok();
    folder.throng(&["plot", "hall.parquet", "-o", "b.png", "--kind", "density"]).ok();
    assert!(folder.read("a.png") == folder.read("b.png"));
}

#[test]
fn json_tells_what_was_drawn() {
    let folder = recorded();
    let arguments =
        ["plot", "hall.parquet", "-o", "a.png", "--width", "640", "--to", "2", "--json"];
    let facts = folder.throng(&arguments).json();
    assert_eq!((&facts["file"], &facts["kind"]), (&"a.png".into(), &"trajectories".into()));
    assert_eq!((&facts["frames"], &facts["width"]), (&21.into(), &640.into()));
    assert_eq!((&facts["from"], &facts["to"]), (&0.0.into(), &2.0.into()));
    assert_eq!(facts["bytes"], folder.read("a.png").len());
    assert_eq!(facts["notes"], serde_json::json!([]));
}

#[test]
fn a_figure_that_is_there_is_only_replaced_by_force() {
    let folder = recorded();
    folder.write("a.png", "precious");
    let message = folder.throng(&["plot", "hall.parquet", "-o", "a.png"]).fails(2);
    assert!(message.contains("a.png already exists") && message.contains("--force"), "{message}");
    assert_eq!(folder.read("a.png"), b"precious");
    folder.throng(&["plot", "hall.parquet", "-o", "a.png", "--force"]).ok();
    assert!(folder.read("a.png").starts_with(b"\x89PNG"));
}

#[test]
fn wrong_arguments_are_refused_and_nothing_is_written() {
    let folder = recorded();
    for (rest, reason) in [
        ("hall.parquet -o a.pdf", "let its name end in .png or .svg"),
        ("hall.parquet -o no/a.png", "its folder does not exist"),
        ("hall.parquet -o .", "format"),
        ("hall.parquet", "--out <OUT.png|OUT.svg>"),
        ("no.parquet -o a.png", "no.parquet"),
        ("no.csv -o a.png", "neither a recording nor a scene"),
        ("hall.parquet -o a.png --kind pie", "possible values: trajectories"),
        ("hall.parquet -o a.png --kind speed --density", "cannot be used with"),
        ("hall.parquet -o a.png --line 1,2,3", "\"1,2,3\" is not a line"),
        ("hall.parquet -o a.png --area x", "\"x\" is not an area"),
        ("hall.parquet -o a.png --layer attic", "there is no floor \"attic\""),
        ("hall.parquet -o a.png --from 9", "there are no frames from 9 s"),
        ("hall.parquet -o a.png --width 10", "10 is not in 200..=6000"),
        ("hall.parquet -o a.png --kind flow", "write --line X1,Y1,X2,Y2"),
        ("hall.toml -o a.png --density", "record it with `throng run` first"),
    ] {
        folder.refuses(&format!("plot {rest}"), reason);
    }
    assert_eq!(folder.files(), ["hall.parquet", "hall.toml"]);
}

#[test]
fn a_broken_scene_is_explained() {
    let folder = Folder::with_scene(crate::support::BROKEN);
    let message = folder.throng(&["plot", "hall.toml", "-o", "a.png"]).fails(2);
    assert!(message.starts_with("hall.toml:6:1: unknown key `speeed`"), "{message}");
}
