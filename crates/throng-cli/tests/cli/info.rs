//! `throng info`.

use crate::support::{Folder, HALL};

fn recorded() -> Folder {
    let folder = Folder::with_scene(HALL);
    folder.throng(&["run", "hall.toml"]).ok();
    folder
}

#[test]
fn a_recording_tells_what_is_in_it() {
    let folder = recorded();
    let printed = folder.throng(&["info", "hall.parquet"]).ok();
    for expected in [
        "hall.parquet\n",
        "hall.toml, seed 3\n",
        "4 s in steps of 0.1 s\n",
        "41, one every 0.1 s\n",
        "people   38\n",
        "30 visitors\n",
        "8 guests\n",
        "Throng 0.",
    ] {
        assert!(printed.contains(expected), "no {expected:?} in {printed}");
    }
    let facts = folder.throng(&["info", "hall.parquet", "--json"]).json();
    assert_eq!((&facts["scene"], &facts["seed"]), (&"hall.toml".into(), &3.into()));
    assert_eq!((&facts["frames"], &facts["step"]), (&41.into(), &0.1.into()));
    assert_eq!((&facts["people"], &facts["groups"][1]["people"]), (&38.into(), &8.into()));
    assert_eq!(facts["groups"][0]["name"], "visitors");
    assert_eq!(facts["bytes"], folder.read("hall.parquet").len());
    assert_eq!((&facts["recovered"], &facts["row_groups"]), (&false.into(), &1.into()));
}

#[test]
fn a_torn_end_is_reported_and_repaired_on_demand() {
    let folder = recorded();
    let whole = folder.read("hall.parquet");
    let torn = [&whole[..], b"half a row group"].concat();
    folder.write("hall.parquet", &torn);

    let printed = folder.throng(&["info", "hall.parquet"]).ok();
    assert!(printed.contains("torn     16 B more"), "{printed}");
    assert!(printed.contains("throng info --repair hall.parquet"), "{printed}");
    let facts = folder.throng(&["info", "hall.parquet", "--json"]).json();
    assert_eq!((&facts["recovered"], &facts["unfinished_bytes"]), (&true.into(), &16.into()));
    assert!(folder.read("hall.parquet") == torn, "looking at a file must not change it");

    let facts = folder.throng(&["info", "hall.parquet", "--repair", "--json"]).json();
    assert_eq!((&facts["recovered"], &facts["repaired_bytes"]), (&false.into(), &16.into()));
    assert!(folder.read("hall.parquet") == whole);
    let printed = folder.throng(&["info", "hall.parquet", "--repair"]).ok();
    assert!(!printed.contains("repaired"), "there was nothing to repair: {printed}");
}

#[test]
fn what_is_not_a_recording_is_refused() {
    let folder = Folder::with_scene(HALL);
    for (file, expected) in [
        ("hall.toml", "hall.toml is not a Parquet file"),
        ("no.parquet", "cannot open no.parquet: No such file"),
        (".", "it is not a regular file"),
    ] {
        let message = folder.throng(&["info", file]).fails(2);
        assert!(message.starts_with("error: ") && message.contains(expected), "{message}");
        folder.throng(&["info", file, "--json", "--repair"]);
    }
    assert_eq!(folder.read("hall.toml"), HALL.as_bytes());
}
