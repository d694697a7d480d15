//! What a user does with the studio, through the protocol.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use serde_json::{Value as Json, json};
use throng::recording::Recording;
use throng::{Engine, Scene};
use throng_studio::{Studio, StudioOptions};

use crate::support::{self, Client, SCENE, Stage, open};

fn arrow(at: [f64; 2], velocity: [f64; 2]) -> Json {
    json!({ "at": at, "velocity": velocity })
}

/// An edit that leads the walkers by one arrow.
fn lead(velocity: [f64; 2]) -> Json {
    json!([
        { "add": { "to": ["fields"], "value": { "name": "stream", "anchors": [arrow([0., 0.], velocity)] } } },
        { "set": { "at": ["groups", { "name": "walkers" }, "led"], "value": { "by": ["stream"], "share": 1 } } },
    ])
}

#[test]
fn people_move_as_the_engine_moves_them() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.until(|client| client.scene["name"] == "Yard");
    client.until(|client| client.scene["file"] == "yard.toml");
    client.until(|client| client.scene["saved"] == true);
    client.ask(json!({ "do": "restart" })).unwrap();
    client.ask(json!({ "do": "pause" })).unwrap();
    let start = client.frame.clone().unwrap().step;
    client.ask(json!({ "do": "step", "count": 20 })).unwrap();
    let frame = client.frame_from(start + 20);
    assert_eq!(frame.step, start + 20);

    let scene = Scene::parse("yard.toml", SCENE, stage.folder.path()).unwrap();
    let mut engine = Engine::new(scene).unwrap();
    (0..frame.step).for_each(|_| engine.step());
    let people: Vec<_> = engine.crowd().people().collect();
    assert_eq!(people.len(), frame.people.len());
    for (person, seen) in people.iter().zip(&frame.people) {
        assert_eq!((person.id.0, person.group.0), (seen.id, seen.group));
        let [x, y] = seen.at;
        assert!(person.position.distance([x, y].into()) < 0.004, "{person:?} {seen:?}");
        let turn = (person.heading.radians() - seen.heading).rem_euclid(std::f32::consts::TAU);
        assert!(turn.min(std::f32::consts::TAU - turn) < 0.013, "{person:?} {seen:?}");
        assert_eq!(person.status as u8, seen.status);
    }
}

#[test]
fn an_arrow_turns_the_flow_and_undo_turns_it_back() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    let drift = |client: &mut Client| {
        let before = client.ask(json!({ "do": "step" })).unwrap();
        let before = client.frame_from(before["step"].as_u64().unwrap() as u32);
        let after = client.ask(json!({ "do": "step", "count": 40 })).unwrap();
        let after = client.frame_from(after["step"].as_u64().unwrap() as u32);
        let (a, b) = (before.mean(0), after.mean(0));
        [b[0] - a[0], b[1] - a[1]]
    };
    let [x, y] = drift(&mut client);
    assert!(x > 1.5 && y.abs() < 0.5, "they walk to the east: {x} {y}");
    let reply = client.edit("Add an arrow", lead([0.0, 1.2])).unwrap();
    assert_eq!(reply["restarted"], false);
    client.until(|client| client.scene["undo"] == "Add an arrow");
    client.until(|client| client.scene["fields"][0]["anchors"][0]["index"] == 0);
    // They turn first.
    drift(&mut client);
    let [x, y] = drift(&mut client);
    assert!(y > 1.2 && x < 1.0, "they are led to the north: {x} {y}");
    client.ask(json!({ "do": "undo" })).unwrap();
    client.until(|client| client.scene["undo"] == Json::Null);
    client.until(|client| client.scene["redo"] == "Add an arrow");
    client.until(|client| client.scene["saved"] == true);
    drift(&mut client);
    let [x, y] = drift(&mut client);
    assert!(x > 1.0 && y < 0.5, "and to the east again: {x} {y}");
    assert!(client.ask(json!({ "do": "undo" })).is_err());
    client.ask(json!({ "do": "redo" })).unwrap();
    client.until(|client| client.scene["groups"][0]["share"] == 1.0);
}

#[test]
fn reaches_and_largest_speeds_are_told_and_lines_end_at_the_reach() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.edit("Add an arrow", lead([0.0, 1.2])).unwrap();
    client.until(|client| client.scene["fields"][0]["anchors"][0]["reach"] == Json::Null);
    let ask = json!({ "do": "streamlines", "group": "walkers", "count": 400 });
    let everywhere = client.ask(ask.clone()).unwrap()["lines"].as_array().unwrap().len();
    let reach = json!(["fields", { "name": "stream" }, "anchors", 0, "reach"]);
    let limit = |value: f64| json!([{ "set": { "at": reach, "value": value } }]);
    client.edit("Change the reach of an arrow", limit(3.0)).unwrap();
    client.until(|client| client.scene["fields"][0]["anchors"][0]["reach"] == 3.0);
    let lines = client.ask(ask).unwrap()["lines"].clone();
    let lines = lines.as_array().unwrap();
    assert!(!lines.is_empty() && lines.len() < everywhere, "{} of {everywhere}", lines.len());
    for point in lines.iter().flat_map(|line| line.as_array().unwrap()) {
        let [x, y] = [0, 1].map(|axis| point[axis].as_f64().unwrap());
        assert!(x.hypot(y) < 3.01, "({x}, {y})");
    }
    let refused = client.edit("Change the reach of an arrow", limit(-1.0)).unwrap_err();
    assert!(refused.to_string().contains("reach -1 m"), "{refused}");
    let group = client.scene["groups"][0].clone();
    assert!(group["max_speed"].as_f64().unwrap() > 1.0, "{group}");
    // An arrow that asks for more than the group can do is warned of.
    let fast = json!([{ "set": { "at": ["fields", { "name": "stream" }, "anchors", 0, "velocity"], "value": [0, 19] } }]);
    client.edit("Turn an arrow", fast).unwrap();
    client.until(|client| client.scene["warnings"].to_string().contains("asks for 19.0 m/s"));
}

#[test]
fn a_drag_is_undone_at_once() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.edit("Add an arrow", lead([1.0, 0.0])).unwrap();
    for i in 1..=5 {
        let at = ["fields", "0", "anchors"];
        let change = json!([{ "set": { "at": [at[0], 0, at[2], 0, "at"], "value": [i, 2] } }]);
        let request = json!({ "do": "edit", "label": "Move", "changes": change, "join": "drag 1" });
        client.ask(request).unwrap();
    }
    client.until(|client| client.scene["fields"][0]["anchors"][0]["at"] == json!([5.0, 2.0]));
    client.ask(json!({ "do": "undo" })).unwrap();
    client.until(|client| client.scene["fields"][0]["anchors"][0]["at"] == json!([0.0, 0.0]));
    client.until(|client| client.scene["undo"] == "Add an arrow");
}

#[test]
fn nobody_stands_in_a_wall_that_is_put_up_where_they_are() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    let wall = json!({ "wall": { "points": [[-13, -10], [-13, 10]], "thickness": 0.4 } });
    client.edit("Add a wall", json!([{ "add": { "to": ["obstacles"], "value": wall } }])).unwrap();
    client.until(|client| client.scene["obstacles"][1]["index"] == 1);
    let count = client.frame.clone().unwrap().people.len();
    for _ in 0..50 {
        let done = client.ask(json!({ "do": "step", "count": 4 })).unwrap();
        let frame = client.frame_from(done["step"].as_u64().unwrap() as u32);
        assert_eq!(frame.people.len(), count);
        let inside = |p: &&support::Person| (p.at[0] + 13.0).abs() < 0.44 && p.at[1].abs() < 10.0;
        assert_eq!(frame.people.iter().find(inside), None);
    }
}

#[test]
fn what_is_no_scene_changes_nothing_and_says_why() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    let before = client.ask(json!({ "do": "text" })).unwrap();
    let goal = json!([{ "set": { "at": ["groups", 0, "goals"], "value": [{ "seek": "esat" }] } }]);
    let error = client.edit("Goal", goal).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("esat"), "{error}");
    assert!(error["help"].as_str().unwrap().contains("east"), "{error}");
    let nowhere = json!([{ "remove": { "at": ["regions", 7] } }]);
    assert!(client.edit("Remove", nowhere).is_err());
    let coincident = json!([{ "add": { "to": ["fields"], "value":
        { "name": "f", "anchors": [arrow([0., 0.], [1., 0.]), arrow([0., 0.], [1., 1.])] } } }]);
    assert!(client.edit("Arrows", coincident).is_err());
    let model =
        json!([{ "set": { "at": ["groups", 0, "steering"], "value": { "model": "teleport" } } }]);
    assert!(client.edit("Model", model).is_err());
    assert_eq!(client.ask(json!({ "do": "text" })).unwrap(), before);
    client.until(|client| client.scene["undo"] == Json::Null);
}

#[test]
fn a_scene_is_saved_with_its_comments_and_not_over_another_ones_work() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.edit("Add an arrow", lead([1.0, 0.0])).unwrap();
    client.until(|client| client.scene["saved"] == false);
    client.ask(json!({ "do": "save" })).unwrap();
    client.until(|client| client.scene["saved"] == true);
    let text = std::fs::read_to_string(stage.file("yard.toml")).unwrap();
    assert!(text.starts_with("# A yard.") && text.contains("# where they go"), "{text}");
    assert!(text.contains("stream"));
    Scene::parse("yard.toml", &text, stage.folder.path()).unwrap();

    let error = client.ask(json!({ "do": "save_as", "name": "../elsewhere" })).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("elsewhere"));
    let saved = client.ask(json!({ "do": "save_as", "name": "court" })).unwrap();
    assert_eq!(saved["file"], "court.toml");
    assert!(client.ask(json!({ "do": "save_as", "name": "yard.toml" })).is_err());
    // Somebody else writes to the file.
    std::fs::write(stage.file("court.toml"), "# mine\n").unwrap();
    assert!(client.ask(json!({ "do": "save" })).is_err());
    assert_eq!(std::fs::read_to_string(stage.file("court.toml")).unwrap(), "# mine\n");
    let files = client.ask(json!({ "do": "files" })).unwrap();
    assert_eq!(files["scenes"], json!(["court.toml", "yard.toml"]));
    assert!(client.ask(json!({ "do": "open", "name": "court.toml" })).is_err());
    client.ask(json!({ "do": "open", "name": "yard.toml" })).unwrap();
    client.until(|client| client.scene["fields"][0]["name"] == "stream");
}

#[test]
fn what_is_recorded_can_be_opened_and_scrubbed() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    let begun = client.ask(json!({ "do": "record", "on": true })).unwrap();
    assert_eq!(begun["file"], "yard-1.parquet");
    let first = client.frame.clone().unwrap();
    let last = client.ask(json!({ "do": "step", "count": 30 })).unwrap();
    let last = client.frame_from(last["step"].as_u64().unwrap() as u32);
    client.until(|client| client.state["recording"]["frames"] == 31);
    client.ask(json!({ "do": "record", "on": false })).unwrap();
    assert_eq!(Recording::open(stage.file("yard-1.parquet")).unwrap().frame_count(), 31);

    client.ask(json!({ "do": "open", "name": "yard-1.parquet" })).unwrap();
    client.ask(json!({ "do": "pause" })).unwrap();
    client.until(|client| client.scene["kind"] == "replay");
    let epoch = client.scene["revision"].as_u64().unwrap();
    assert!(epoch > 1);
    client.until(|client| client.state["end"].is_f64());
    let end = client.state["end"].as_f64().unwrap();
    assert!((end - last.time).abs() < 1e-6);
    let at = |client: &mut Client, time: f64| {
        let reply = client.ask(json!({ "do": "seek", "time": time })).unwrap();
        let step = reply["step"].as_u64().unwrap() as u32;
        client.until(|client| {
            client
                .frame
                .as_ref()
                .is_some_and(|frame| frame.step == step && frame.epoch != first.epoch)
        });
        client.frame.clone().unwrap()
    };
    let same = |a: &support::Frame, b: &support::Frame| {
        a.people.iter().map(|p| (p.id, p.at)).eq(b.people.iter().map(|p| (p.id, p.at)))
    };
    assert!(same(&at(&mut client, end), &last));
    assert!(same(&at(&mut client, -5.0), &first));
    let middle = at(&mut client, first.time + 0.5);
    assert_eq!(middle.step, 10);
    client.ask(json!({ "do": "step", "count": -3 })).unwrap();
    client.until(|client| client.frame.as_ref().is_some_and(|frame| frame.step == 7));
    client.ask(json!({ "do": "speed", "factor": -4 })).unwrap();
    client.ask(json!({ "do": "play" })).unwrap();
    client.until(|client| client.frame.as_ref().is_some_and(|frame| frame.step == 0));
    client.until(|client| client.state["playing"] == false);
    let error = client.edit("Add an arrow", lead([1.0, 0.0])).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("recording"));
}

#[test]
fn people_are_removed_regrouped_and_sent_and_all_of_it_is_undone() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "step" })).unwrap();
    let count = |client: &Client| client.frame.clone().unwrap().people.len();
    let all = count(&client);
    let removed = client.ask(json!({ "do": "remove", "people": [2, 3, 3, 9999] })).unwrap();
    assert_eq!(removed["people"], 2);
    client.until(|client| client.frame.as_ref().unwrap().people.len() == all - 2);
    client.ask(json!({ "do": "undo" })).unwrap();
    client.until(|client| client.frame.as_ref().unwrap().people.len() == all);

    client.ask(json!({ "do": "regroup", "people": [5, 6], "group": "idlers" })).unwrap();
    client.until(|client| client.frame.as_ref().unwrap().person(5).unwrap().group == 1);
    assert!(client.ask(json!({ "do": "regroup", "people": [5], "group": "nobody" })).is_err());
    client.ask(json!({ "do": "direct", "people": [5], "goals": [{ "seek": [0, -10] }] })).unwrap();
    let error = client.ask(json!({ "do": "direct", "people": [5], "goals": [{ "seek": "moon" }] }));
    assert!(error.unwrap_err()["message"].as_str().unwrap().contains("moon"));
    let inspected = client.ask(json!({ "do": "inspect", "person": 5 })).unwrap();
    assert_eq!(inspected["group"], "idlers");
    assert_eq!(inspected["goal"]["target"], json!([0.0, -10.0]));
    assert!(inspected["words"].as_str().unwrap().contains("(0.0, -10.0)"), "{inspected}");
    client.ask(json!({ "do": "undo" })).unwrap();
    client.ask(json!({ "do": "undo" })).unwrap();
    client.until(|client| client.frame.as_ref().unwrap().person(5).unwrap().group == 0);
    let inspected = client.ask(json!({ "do": "inspect", "person": 5 })).unwrap();
    assert!(inspected["words"].as_str().unwrap().contains("east"), "{inspected}");
    assert_eq!(client.ask(json!({ "do": "inspect", "person": 9999 })).unwrap(), Json::Null);
}

#[test]
fn the_present_moment_can_become_the_beginning() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    let reply = client.ask(json!({ "do": "step", "count": 60 })).unwrap();
    let before = client.frame_from(reply["step"].as_u64().unwrap() as u32);
    client.ask(json!({ "do": "direct", "people": [4], "goals": [{ "seek": [0, -10] }] })).unwrap();
    client.ask(json!({ "do": "start_here" })).unwrap();
    client.until(|client| client.frame.as_ref().unwrap().step == 0);
    let after = client.frame.clone().unwrap();
    assert_eq!(after.people.len(), before.people.len());
    for person in &before.people {
        let near = |p: &&support::Person| {
            (p.at[0] - person.at[0]).hypot(p.at[1] - person.at[1]) < 0.01 && p.group == person.group
        };
        assert!(after.people.iter().any(|p| near(&p)), "{person:?}");
    }
    let text = client.ask(json!({ "do": "text" })).unwrap();
    let text = text["text"].as_str().unwrap();
    assert!(text.starts_with("# A yard.") && !text.contains("crowds"), "{text}");
    assert!(text.contains("[0, -10]"), "who was sent is on the way still: {text}");
    client.ask(json!({ "do": "undo" })).unwrap();
    client.until(|client| client.scene["document"]["groups"][0]["crowds"].is_array());
}

#[test]
fn traits_are_told_edited_undone_and_kept() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "step" })).unwrap();
    let person = |client: &mut Client| client.ask(json!({ "do": "inspect", "person": 5 })).unwrap();
    let usual = person(&mut client);
    assert_eq!(usual["traits"], Json::Null);
    let group = client.scene["groups"][0]["name"].clone();
    let at = json!(["groups", { "name": group }, "traits"]);
    let traits = json!({ "extraversion": 1, "openness": { "min": 0.2, "max": 0.9 } });
    client.edit("Change", json!([{ "set": { "at": at, "value": traits } }])).unwrap();
    let outgoing = person(&mut client);
    assert_eq!(outgoing["traits"]["extraversion"], 1.0);
    assert_eq!(outgoing["traits"]["neuroticism"], 0.0);
    let open = outgoing["traits"]["openness"].as_f64().unwrap();
    assert!((0.2..=0.9).contains(&open), "{outgoing}");
    let radius = |told: &Json| told["radius"].as_f64().unwrap();
    assert!((radius(&outgoing) - 0.85 * radius(&usual)).abs() < 1e-6, "{outgoing}");
    // A value that there is not changes nothing.
    let beyond = json!([{ "set": { "at": [at[0], at[1], at[2], "openness"], "value": 1.5 } }]);
    let refused = client.edit("Change", beyond).unwrap_err();
    assert!(refused["message"].as_str().unwrap().contains("openness 1.5"), "{refused}");
    client.ask(json!({ "do": "undo" })).unwrap();
    assert_eq!(person(&mut client), usual);
    client.ask(json!({ "do": "redo" })).unwrap();
    assert_eq!(person(&mut client), outgoing);

    // Who is listed where they are stays who they are.
    client.ask(json!({ "do": "start_here" })).unwrap();
    client.until(|client| client.frame.as_ref().unwrap().step == 0);
    let all = client.frame.as_ref().unwrap().people.len() as u32;
    let now = |client: &mut Client, id: u32| {
        client.ask(json!({ "do": "inspect", "person": id })).unwrap()
    };
    let same =
        (0..all).map(|id| now(&mut client, id)).find(|told| told["traits"] == outgoing["traits"]);
    assert!((radius(&same.unwrap()) - radius(&outgoing)).abs() < 1e-3);
    let text = client.ask(json!({ "do": "text" })).unwrap();
    assert!(text["text"].as_str().unwrap().contains("extraversion = 1"), "{text}");
}

#[test]
fn two_clients_see_the_same() {
    let stage = Stage::new(SCENE);
    let (mut one, mut other) = (stage.join(), stage.join());
    one.ask(json!({ "do": "pause" })).unwrap();
    let reply = one.ask(json!({ "do": "step", "count": 3 })).unwrap();
    let step = reply["step"].as_u64().unwrap() as u32;
    assert_eq!(one.frame_from(step).people, other.frame_from(step).people);
    one.edit("Add an arrow", lead([1.0, 0.0])).unwrap();
    other.until(|client| client.scene["undo"] == "Add an arrow");
    other.ask(json!({ "do": "undo" })).unwrap();
    one.until(|client| client.scene["redo"] == "Add an arrow");
    other.until(|client| client.state["clients"] == 2);
}

#[test]
fn an_empty_scene_can_be_built_up_from_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let studio = open(&folder.path().join("new.toml"), 0);
    let mut client = Client::join(studio.address());
    client.until(|client| client.scene["file"] == Json::Null);
    client.until(|client| client.scene["groups"] == json!([]));
    client
        .edit(
            "Add a group",
            json!([{ "add": { "to": ["groups"], "value": { "name": "people" } } }]),
        )
        .unwrap();
    let painted = json!([{ "add": { "to": ["groups", 0, "people"], "value": { "position": [1, 1] } } },
        { "add": { "to": ["groups", 0, "people"], "value": { "position": [2, 1] } } }]);
    client.edit("Paint people", painted).unwrap();
    client.until(|client| client.frame.as_ref().is_some_and(|frame| frame.people.len() == 2));
    client
        .edit(
            "Goal",
            json!([{ "set": { "at": ["groups", 0, "goals"], "value": [{ "seek": [10, 1] }] } }]),
        )
        .unwrap();
    let start = client.frame.clone().unwrap();
    client.until(|client| client.frame.as_ref().unwrap().time > start.time + 2.0);
    let moved = client.frame.clone().unwrap().person(0).unwrap().at[0];
    assert!(moved > 1.5, "{moved}");
    client.ask(json!({ "do": "save" })).unwrap();
    assert!(folder.path().join("new.toml").exists());
    client.until(|client| client.scene["file"] == "new.toml");
}

#[test]
fn a_deep_change_begins_anew_and_says_so() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    let epoch = {
        client.until(|client| client.frame.is_some());
        client.frame.as_ref().unwrap().epoch
    };
    let change = json!([{ "set": { "at": ["simulation", "seed"], "value": 9 } }]);
    assert_eq!(client.edit("Seed", change).unwrap()["restarted"], true);
    client.until(|client| client.frame.as_ref().unwrap().epoch != epoch);
}

#[test]
fn a_recording_can_be_opened_at_a_moment_and_stands_there() {
    let stage = Stage::new(SCENE);
    let client = &mut stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "record", "on": true })).unwrap();
    client.ask(json!({ "do": "step", "count": 30 })).unwrap();
    client.until(|client| client.state["recording"]["frames"] == 31);
    client.ask(json!({ "do": "record", "on": false })).unwrap();
    let start = Recording::open(stage.file("yard-1.parquet")).unwrap().time_of(0);

    let options = StudioOptions { at: Some(start + 0.5), ..StudioOptions::default() };
    let studio = Studio::open(stage.file("yard-1.parquet"), &options).unwrap().start().unwrap();
    let mut watcher = Client::join(studio.address());
    watcher.until(|watcher| watcher.frame.is_some() && watcher.state["end"].is_f64());
    assert_eq!(watcher.frame.as_ref().map(|frame| frame.step), Some(10));
    assert_eq!(watcher.state["playing"], false);
    let refused = Studio::open(stage.file("yard.toml"), &options).err().unwrap().to_string();
    assert!(refused.contains("no moments to go to"), "{refused}");
}

#[test]
fn edits_that_a_server_has_lost_are_sent_to_the_next_one() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.edit("Add an arrow", lead([1.0, 0.0])).unwrap();
    client.until(|client| client.scene["saved"] == false);
    let text = client.ask(json!({ "do": "text" })).unwrap()["text"].clone();

    // Another server with the same file knows nothing of the arrow, and says that it is another one.
    let other = Stage::new(SCENE);
    let mut client = other.join();
    client.until(|client| client.scene["fields"] == json!([]));
    let replace =
        |text: &Json| json!({ "do": "replace", "label": "Send edits again", "text": text });
    client.ask(replace(&text)).unwrap();
    client.until(|client| client.scene["fields"][0]["name"] == "stream");
    client.until(|client| client.scene["undo"] == "Send edits again");
    assert_eq!(client.ask(json!({ "do": "text" })).unwrap()["text"], text, "with its comments");
    client.ask(json!({ "do": "undo" })).unwrap();
    client.until(|client| client.scene["fields"] == json!([]) && client.scene["saved"] == true);

    // What is no scene changes nothing and says where; files elsewhere are not even looked at.
    let error = client.ask(replace(&json!("format = 1\nwrold = 3\n"))).unwrap_err();
    assert_eq!(error["errors"][1]["line"], 2, "{error}");
    assert!(client.ask(replace(&json!("format = \n"))).is_err());
    let elsewhere =
        SCENE.replace("[world]", "[[layers]]\nname = \"hall\"\nplan = \"/etc/passwd\"\n\n[world]");
    let error = client.ask(replace(&json!(elsewhere))).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("not in the folder"), "{error}");
    client.until(|client| client.scene["saved"] == true);
}

#[test]
fn models_are_listed_with_parameters_that_scenes_accept() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    let models = client.ask(json!({ "do": "models" })).unwrap();
    let models = models.as_array().unwrap();
    assert_eq!(models[0]["name"], "orca");
    assert!(models.len() >= 9, "{} models", models.len());
    for model in models {
        let mut steering = json!({ "model": model["name"] });
        let parameters = model["parameters"].as_array().unwrap();
        assert!(parameters.iter().any(|one| one["name"] == "responsibility"), "{model}");
        for parameter in parameters {
            let [min, max, value] =
                ["min", "max", "default"].map(|key| parameter[key].as_f64().unwrap());
            assert!((min..=max).contains(&value), "{parameter}");
            steering[parameter["name"].as_str().unwrap()] = parameter["default"].clone();
        }
        let set = json!([{ "set": { "at": ["groups", 0, "steering"], "value": steering } }]);
        client.edit("Steer", set).unwrap();
    }
}
