//! Patterns are found in recordings and in crowds that walk, and views that a scene suggests are told.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use serde_json::json;
use throng::recording::Recording;
use throng_eval::score::{Event, ScoreOptions, score_recording};

use crate::support::{SCENE, STUCK, Stage};

/// Events as the server tells them.
fn told(events: &[Event]) -> Vec<serde_json::Value> {
    let tidy = |number: f64| (number * 1e3).round() / 1e3;
    let told = events.iter().map(|event| {
        let place = event.place.to_array().map(|metres| tidy(metres.into()));
        json!({
            "pattern": event.pattern.name(), "person": event.person, "from": tidy(event.from),
            "to": tidy(event.to), "place": place, "layer": event.layer.0,
        })
    });
    told.collect()
}

#[test]
fn patterns_of_a_crowd_that_walks_are_those_of_its_recording() {
    let stage = Stage::new(STUCK);
    let mut client = stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "restart" })).unwrap();
    client.ask(json!({ "do": "pause" })).unwrap();
    let file = client.ask(json!({ "do": "record", "on": true })).unwrap();
    client.ask(json!({ "do": "step", "count": 400 })).unwrap();
    client.ask(json!({ "do": "record", "on": false })).unwrap();
    client.until(|client| client.found().len() == 2);
    assert_eq!(client.patterns["progress"], "watching");
    assert!(client.state["patterns_ms"].as_f64().unwrap() > 0.0);
    // Everything the watch has seen since it began is there: the first state, too.
    let name = file["file"].as_str().unwrap();
    let mut recording = Recording::open(stage.file(name)).unwrap();
    let scene = recording.scene().unwrap();
    let scored = score_recording(&mut recording, &scene, ScoreOptions::default()).unwrap().events;
    assert_eq!(client.patterns["list"], json!(told(&scored)));
    assert_eq!(client.patterns["counts"], json!({ "oscillation": 0, "deadlock": 2, "spin": 0 }));

    // The same recording, opened.
    client.ask(json!({ "do": "open", "name": name })).unwrap();
    client.until(|client| client.patterns["progress"] == "done");
    assert_eq!(client.patterns["list"], json!(told(&scored)));
    // Whoever comes later is told as well.
    let mut other = stage.join();
    other.until(|other| other.patterns["progress"] == "done" && other.found().len() == 2);
}

#[test]
fn a_watch_can_be_switched_off_and_on_and_begins_anew_with_the_scene() {
    let stage = Stage::new(STUCK);
    let mut client = stage.join();
    client.until(|client| client.patterns["progress"] == "watching");
    client.ask(json!({ "do": "patterns", "on": false })).unwrap();
    client.until(|client| client.patterns["progress"] == "off");
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "step", "count": 400 })).unwrap();
    assert!(client.found().is_empty(), "nobody has looked: {}", client.patterns);
    client.ask(json!({ "do": "patterns", "on": true })).unwrap();
    client.ask(json!({ "do": "step", "count": 100 })).unwrap();
    client.until(|client| client.found() == [("deadlock", 0), ("deadlock", 1)]);
    let from = client.patterns["list"][0]["from"].as_f64().unwrap();
    assert!(from > 19.9, "what went before was not seen: {from}");
    // What was seen stays when it is switched off.
    client.ask(json!({ "do": "patterns", "on": false })).unwrap();
    client.until(|client| client.patterns["progress"] == "off" && client.found().len() == 2);
    client.ask(json!({ "do": "patterns", "on": true })).unwrap();
    client.ask(json!({ "do": "restart" })).unwrap();
    client.until(|client| client.found().is_empty() && client.patterns["progress"] == "watching");
    assert!(client.ask(json!({ "do": "patterns" })).is_err());
    assert!(client.ask(json!({ "do": "patterns", "on": "please" })).is_err());
}

#[test]
fn who_is_stuck_next_to_their_goal_is_not_deadlocked() {
    // Beyond the wall of their room, but within a metre.
    let beside = STUCK.replace("seek = [9, 0]", "seek = [-3.7, 0]").replace("[-5, 0]", "[-4.4, 0]");
    let stage = Stage::new(&beside);
    let mut client = stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "step", "count": 400 })).unwrap();
    client.until(|client| !client.found().is_empty());
    assert_eq!(client.found(), [("deadlock", 1)], "{}", client.patterns);
}

#[test]
fn views_that_a_scene_suggests_are_told() {
    let mut client = Stage::new(STUCK).join();
    assert_eq!(
        client.scene["cameras"],
        json!([
            { "position": [0.0, -20.0, 15.0], "look_at": [0.0, 0.0, 0.0], "field": 45.0 },
            { "position": [5.0, 0.0, 40.0], "look_at": [5.0, 0.0, 0.0], "field": 60.0 },
        ])
    );
    client = Stage::new(SCENE).join();
    assert_eq!(client.scene["cameras"], json!([]));
}
