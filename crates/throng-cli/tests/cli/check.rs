//! `throng check`.

use crate::support::{BROKEN, Folder, HALL, parse, shipped_scenes};

/// More people than the room takes, which only placing them tells.
fn crowded() -> String {
    HALL.replace("count = 30", "count = 900")
}

#[test]
fn every_scene_that_ships_is_in_order() {
    let files = std::fs::read_dir(shipped_scenes()).unwrap().map(|entry| entry.unwrap().path());
    let scenes: Vec<_> = files.filter(|path| path.extension() == Some("toml".as_ref())).collect();
    assert!(scenes.len() >= 7);
    let mut arguments = vec!["check"];
    arguments.extend(scenes.iter().map(|path| path.to_str().unwrap()));
    let printed = Folder::new().throng(&arguments).ok();
    assert_eq!(printed.lines().filter(|line| line.starts_with("ok: ")).count(), scenes.len());
}

#[test]
fn a_good_scene_is_summed_up() {
    let folder = Folder::with_scene(HALL);
    let expected = "ok: hall.toml: 30 people at the start and about 8 later in 2 groups, 4 s\n";
    assert_eq!(folder.throng(&["check", "hall.toml"]).ok(), expected);
    let document = folder.throng(&["check", "hall.toml", "--json"]).json();
    assert_eq!(document["ok"], true);
    let scene = &document["scenes"][0];
    assert_eq!((&scene["file"], &scene["ok"]), (&"hall.toml".into(), &true.into()));
    assert_eq!((&scene["people"], &scene["groups"]), (&30.into(), &2.into()));
    assert_eq!((&scene["name"], &scene["duration"]), (&"Hall".into(), &4.0.into()));
}

#[test]
fn in_a_pipe_every_mistake_is_a_line_with_its_place() {
    let folder = Folder::with_scene(BROKEN);
    let message = folder.throng(&["check", "hall.toml"]).fails(2);
    let lines: Vec<&str> = message.lines().collect();
    let [key, region] = lines[..] else { panic!("{message}") };
    assert_eq!(key, "hall.toml:6:1: unknown key `speeed`; did you mean `speed`?");
    assert!(region.starts_with("hall.toml:8:19: there is no region \"exit\""), "{region}");
}

#[test]
fn what_only_building_the_crowd_tells_is_checked_too() {
    let folder = Folder::new();
    let steering = "name = \"visitors\"\nsteering = { model = \"orka\" }";
    folder.write("model.toml", HALL.replace("name = \"visitors\"", steering));
    folder.refuses("check model.toml", "there is no steering model \"orka\"");
    folder.write("room.toml", crowded());
    folder.refuses("check room.toml", "of 900 people of group \"visitors\" find room");
}

#[test]
fn one_bad_scene_fails_the_check_but_not_that_of_the_others() {
    let folder = Folder::with_scene(BROKEN);
    folder.write("good.toml", HALL);
    let files = ["check", "good.toml", "hall.toml", "no.toml", "good.toml"];
    let outcome = folder.throng(&files);
    assert_eq!(outcome.code, Some(2));
    assert_eq!(outcome.out.matches("ok: good.toml").count(), 2);
    assert!(outcome.err.contains("no.toml: cannot read the scene file"), "{}", outcome.err);

    let outcome = folder.throng(&[&files[..], &["--json"]].concat());
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(2), ""));
    let document = parse(&outcome.out);
    assert_eq!(document["ok"], false);
    let ok: Vec<bool> =
        document["scenes"].as_array().unwrap().iter().map(|s| s["ok"] == true).collect();
    assert_eq!(ok, [true, false, false, true]);
    let error = &document["scenes"][1]["errors"][0];
    assert_eq!((&error["line"], &error["column"]), (&6.into(), &1.into()));
    assert_eq!(error["message"], "unknown key `speeed`");
    assert_eq!(error["help"], "did you mean `speed`?");
}

#[test]
fn without_a_scene_there_is_nothing_to_check() {
    Folder::new().throng(&["check"]).fails(2);
}

#[test]
fn a_plan_is_checked_with_the_scene() {
    let folder = Folder::new();
    let scene = "format = 1\n[world]\nbounds = [[0, 0], [9, 9]]\nplan = \"hall.wkt\"\n";
    folder.write("hall.toml", scene);
    folder.write("hall.wkt", "POLYGON ((1 1, 8 1, 8 8, 1 8),\n (2 2, 4 4, 4 2, 2 4))");
    let outcome = folder.throng(&["check", "hall.toml"]).fails(2);
    assert!(outcome.starts_with("hall.toml:4:8: cannot use \"hall.wkt\" as a plan"), "{outcome}");
    assert!(outcome.contains("line 2, column 2: the ring crosses itself"), "{outcome}");
    folder.write("hall.wkt", "POLYGON ((1 1, 8 1, 8 8, 1 8))");
    folder.throng(&["check", "hall.toml"]).ok();
}
