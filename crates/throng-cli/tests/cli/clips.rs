//! `throng clips`.

use crate::support::{Folder, parse};

/// A folder with Throng's own walk in it, as `walk.bvh`.
fn with_walk() -> Folder {
    let folder = Folder::new();
    let write = ["clips", "--clip", "walk 1.30", "--to", "bvh", "-o", "walk.bvh"];
    folder.throng(&write).ok();
    folder
}

#[test]
fn the_library_is_listed() {
    let folder = Folder::new();
    let listed = folder.throng(&["clips"]).ok();
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines[0].starts_with("clip ") && lines[0].ends_with("verdict"), "{listed}");
    let walk = lines.iter().find(|line| line.starts_with("walk 1.30 ")).unwrap();
    for part in [" walk ", " 1.30 ", " 0° ", " 1.12 s ", " 1.46 m ", " 0.0 mm  ok"] {
        assert!(walk.contains(part), "{part:?} is not in {walk:?}");
    }
    assert!(lines.len() > 20 && lines[1..].iter().all(|line| line.contains("  ok")), "{listed}");
    assert!(folder.files().is_empty());
    let of_child = folder.throng(&["clips", "--height", "1.2", "--json"]).json();
    let clips = of_child["clips"].as_array().unwrap();
    assert_eq!(clips.len(), lines.len() - 1);
    assert!(clips.iter().all(|clip| clip["refusal"].is_null() && clip["clip"]["leg"] != 0.0));
    folder.refuses("clips --height 7", "--height: height is 7; bodies have between 0.8 and 2.1");
}

#[test]
fn animals_have_clips_too() {
    let folder = Folder::new();
    let listed = folder.throng(&["clips", "--animal", "dog"]).ok();
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines[1].starts_with("stand "), "{listed}");
    assert!(lines.len() == 8 && lines[1..].iter().all(|line| line.contains("  ok")), "{listed}");
    assert!(listed.contains("\ntrot "), "{listed}");
    let foal = ["clips", "--animal", "horse", "--height", "1.0", "--check", "--json"];
    let foal = folder.throng(&foal).json();
    for clip in foal["clips"].as_array().unwrap() {
        assert!(clip["refusal"].is_null() && clip["measures"].is_null(), "{clip}");
        assert!(clip["clip"]["slip"].as_f64().unwrap() < 0.002, "{clip}");
    }
    let draw = ["clips", "--animal", "horse", "--clip", "stand", "--draw", "strip", "-o", "h.png"];
    folder.throng(&draw).ok();
    folder.throng(&["clips", "--animal", "dog", "--to", "glb", "-o", "dog.glb"]).ok();
    assert_eq!(folder.files(), ["dog.glb", "h.png"]);
    folder.refuses("clips --animal dog --height 9", "--height: shoulder_height is 9");
    folder.throng(&["clips", "--animal", "dog", "walk.bvh"]).fails(2);
}

#[test]
fn a_file_is_analysed() {
    let folder = with_walk();
    let listed = folder.throng(&["clips", "walk.bvh", "--json"]);
    assert_eq!(listed.code, Some(0), "{}", listed.err);
    let facts = parse(&listed.out);
    let walk = &facts["clips"][0];
    assert_eq!((&walk["name"], &walk["file"]), (&"walk".into(), &"walk.bvh".into()));
    let near = |key: &str, value: f64| (walk["clip"][key].as_f64().unwrap() - value).abs() < 0.02;
    assert!(near("speed", 1.3) && near("period", 1.12) && near("stride", 1.46), "{walk}");
    assert!(near("duty", 0.61) && near("angle", 0.0), "{walk}");
    assert_eq!((&walk["clip"]["kind"], &walk["refusal"]), (&"walk".into(), &().into()));
    assert!(walk["origin"]["seam_angle"].as_f64().unwrap() < 1.0);
    assert!(walk["measures"].is_null(), "only asked for by --check");
}

#[test]
fn a_gait_is_held_against_people() {
    let folder = Folder::new();
    let table = folder.throng(&["clips", "--clip", "walk 1.30", "--check"]).ok();
    assert!(table.contains("\n  knee range ") && table.contains(" 53.0 … 74.0 "), "{table}");
    assert!(table.contains("\n  lowest point ") && table.contains("at least -1.00"), "{table}");
    let json = folder.throng(&["clips", "--clip", "walk 1.30", "--check", "--json"]).json();
    let measures = json["clips"][0]["measures"].as_array().unwrap();
    assert!(measures.len() > 25);
    let knee = measures.iter().find(|row| row["name"] == "knee range").unwrap();
    assert_eq!((&knee["low"], &knee["judgement"]), (&53.0.into(), &"ok".into()));
}

#[test]
fn what_cannot_be_a_clip_is_told_and_checked() {
    let folder = Folder::new();
    folder.throng(&["clips", "--clip", "start 1.30", "--to", "bvh", "-o", "start.bvh"]).ok();
    let listed = folder.throng(&["clips", "start.bvh"]);
    assert_eq!(listed.code, Some(0), "a list is no judgement");
    assert!(listed.out.contains("\nstart  refused: it has no whole cycle"), "{}", listed.out);
    let checked = folder.throng(&["clips", "start.bvh", "--check"]);
    assert_eq!(checked.code, Some(1));
    assert!(checked.err.contains("1 of 1 motion cannot be a clip"), "{}", checked.err);
    let draw = ["clips", "start.bvh", "--draw", "strip", "-o", "a.png"];
    let message = folder.throng(&draw).fails(1);
    assert!(message.contains("no motion can be a clip:\nstart: it has no whole"), "{message}");
    assert_eq!(folder.files(), ["start.bvh"]);
}

#[test]
fn every_figure_is_drawn() {
    let folder = with_walk();
    for figure in ["strip", "angles", "contacts"] {
        for out in ["a.png", "a.svg"] {
            let draw = ["clips", "--clip", "walk 1.30", "--draw", figure, "-o", out, "--force"];
            let printed = folder.throng(&draw).ok();
            assert!(printed.contains(&format!("\n{out}: {figure}, ")), "{printed}");
        }
        assert!(folder.read("a.png").starts_with(b"\x89PNG"));
        assert!(folder.read("a.svg").starts_with(b"<svg "));
    }
    let all = ["clips", "--draw", "contacts", "-o", "all.png", "--width", "800", "--json"];
    let drawn = folder.throng(&all).json();
    assert_eq!(drawn["written"]["file"], "all.png");
    assert_eq!(drawn["written"]["bytes"], folder.read("all.png").len());
    folder.refuses("clips --draw angles -o b.png", "choose one");
    folder.throng(&["clips", "walk.bvh", "--draw", "strip", "-o", "walk.svg"]);
    assert_eq!(folder.files(), ["a.png", "a.svg", "all.png", "walk.bvh", "walk.svg"]);
}

#[test]
fn motions_are_written_in_other_formats_and_come_back() {
    let folder = with_walk();
    folder.throng(&["clips", "walk.bvh", "--to", "glb", "-o", "walk.glb"]);
    folder.throng(&["clips", "walk.bvh", "--to", "glb", "--cycle", "-o", "cycle.glb"]);
    folder.throng(&["clips", "--to", "glb", "-o", "library.glb"]).ok();
    assert!(folder.read("walk.glb").starts_with(b"glTF"));
    for (file, count) in [("walk.glb", 1), ("cycle.glb", 1), ("library.glb", 20)] {
        let back = folder.throng(&["clips", file, "--json"]);
        assert_eq!(back.code, Some(0), "{}", back.err);
        let back = parse(&back.out);
        let clips = back["clips"].as_array().unwrap();
        assert!(clips.len() >= count, "{file}: {back}");
        let walk = clips.iter().find(|clip| clip["name"].as_str().unwrap().contains("walk"));
        assert!(walk.unwrap()["clip"]["speed"].as_f64().unwrap() > 0.3, "{file}");
    }
    let message = folder.throng(&["clips", "--to", "bvh", "-o", "all.bvh"]).fails(2);
    assert!(message.contains("a BVH file holds one motion") && message.contains("--clip"));
    assert_eq!(folder.files(), ["cycle.glb", "library.glb", "walk.bvh", "walk.glb"]);
}

#[test]
fn a_mapping_says_which_joints_are_landmarks() {
    let folder = with_walk();
    let odd = String::from_utf8(folder.read("walk.bvh")).unwrap();
    folder.write("odd.bvh", odd.replace("LeftLowerLeg", "Xyz"));
    let refused = folder.throng(&["clips", "odd.bvh"]);
    let named = "[landmarks]\nleft_lower_leg = \"Xyz\"\n";
    folder.write("odd.toml", named);
    let mapped = folder.throng(&["clips", "odd.bvh", "--landmarks", "odd.toml"]);
    assert!(mapped.out.contains("  ok"), "{} {}", mapped.out, refused.out);
    folder.write("odd.toml", "[landmarks]\nleft_knee = \"Xyz\"\n");
    folder.refuses(
        "clips odd.bvh --landmarks odd.toml",
        "odd.toml:2:1: there is no landmark \"left_knee\"",
    );
    folder.refuses("clips odd.bvh --landmarks no.toml", "no.toml");
    folder.throng(&["clips", "--landmarks", "odd.toml"]).fails(2);
}

#[test]
fn wrong_input_is_refused_before_anything_is_done() {
    let folder = with_walk();
    folder.write("notes.txt", "hello");
    folder.write("broken.bvh", "HIERARCHY\nROOT");
    for (arguments, reason) in [
        (&["notes.txt"][..], "names of motion files end in .bvh"),
        (&["no.bvh"], "cannot read no.bvh"),
        (&["broken.bvh"], "broken.bvh: 2:"),
        (&["--clip", "walk 1.3"], "there is no clip \"walk 1.3\"; did you mean \"walk 1.30\"?"),
        (&["walk.bvh", "--height", "0.1"], "--height: height is 0.1"),
        (&["walk.bvh", "-o", "a.png"], "add --draw or --to"),
        (&["walk.bvh", "--draw", "strip"], "--out"),
        (&["walk.bvh", "--draw", "strip", "-o", "a.gif"], "a.gif"),
        (&["walk.bvh", "--to", "glb", "-o", "walk.bvh", "--force"], "is what is read"),
        (&["--draw", "contacts", "-o", "walk.bvh"], "cannot tell the format"),
        (&["--draw", "legs", "-o", "a.png"], "invalid value"),
    ] {
        let message = folder.throng(&[&["clips"], arguments].concat()).fails(2);
        assert!(message.contains(reason), "{arguments:?}: {message}");
    }
    assert_eq!(folder.files(), ["broken.bvh", "notes.txt", "walk.bvh"]);
}

#[test]
fn motions_are_carried_over_to_other_bodies() {
    let folder = with_walk();
    let listed = folder.throng(&["clips", "walk.bvh", "--height", "1.5"]);
    assert!(listed.out.contains("carried over × 0.86 with feet at most "), "{}", listed.out);
    let json = parse(&folder.throng(&["clips", "walk.bvh", "--height", "1.5", "--json"]).out);
    let walk = &json["clips"][0];
    let speed = walk["clip"]["speed"].as_f64().unwrap();
    assert!((speed - 1.3 * 1.5 / 1.75).abs() < 0.02, "small people take small steps: {walk}");
    assert!(walk["carried"]["foot_max"].as_f64().unwrap() < 0.005, "{walk}");
    assert!(walk["clip"]["slip"].as_f64().unwrap() < 0.005, "{walk}");
}

#[test]
fn bodies_are_written_with_their_surface_unless_only_bones_are_wanted() {
    let folder = Folder::new();
    let write = ["clips", "--clip", "walk 1.30", "--to", "glb", "-o"];
    folder.throng(&[&write[..], &["body.glb"]].concat()).ok();
    folder.throng(&[&write[..], &["bones.glb", "--bones"]].concat()).ok();
    let meshes = |file: &str| {
        let content = folder.read(file);
        String::from_utf8_lossy(&content).contains("\"meshes\":")
    };
    assert!(meshes("body.glb") && !meshes("bones.glb"));
}

#[test]
fn end_sites_are_kept_from_bvh_to_bvh() {
    let folder = with_walk();
    let end_sites = |name: &str| -> Vec<Vec<f64>> {
        let text = String::from_utf8(folder.read(name)).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let offsets = (0..lines.len()).filter(|&i| lines[i] == "End Site").map(|i| lines[i + 2]);
        let numbers = offsets.map(|line| line.split(' ').skip(1).map(|word| word.parse().unwrap()));
        numbers.map(Iterator::collect).collect()
    };
    let text = String::from_utf8(folder.read("walk.bvh")).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let sites: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].trim() == "End Site").collect();
    for (number, site) in sites.iter().enumerate() {
        lines[site + 2] = format!("OFFSET {} 2.5 -{number}.25", number + 1);
    }
    // Line ends as on Windows.
    folder.write("odd.bvh", lines.join("\r\n"));
    folder.throng(&["clips", "odd.bvh", "--to", "bvh", "-o", "again.bvh"]);
    let (before, after) = (end_sites("odd.bvh"), end_sites("again.bvh"));
    assert!(before.len() > 4 && before.len() == after.len(), "{before:?} {after:?}");
    for (before, after) in before.iter().flatten().zip(after.iter().flatten()) {
        assert!((before - after).abs() < 1e-3, "{before} became {after}");
    }
}
