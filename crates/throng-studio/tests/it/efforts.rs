//! Less effort for those whom nobody sees well, if an author wants so; and otherwise nothing changes.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use serde_json::{Value as Json, json};
use throng::{Engine, Scene};

use crate::support::{Client, Stage};

/// Two groups that walk through each other.
const CROSSING: &str = r#"
format = 1
[simulation]
step = 0.05
[world]
bounds = [[-20, -15], [20, 15]]
[[regions]]
name = "west"
rectangle = [[-18, -8], [-8, 8]]
[[regions]]
name = "east"
rectangle = [[8, -8], [18, 8]]
[[groups]]
name = "eastward"
goals = [{ seek = "east" }]
crowds = [{ count = 60, region = "west" }]
[[groups]]
name = "westward"
goals = [{ seek = "west" }]
crowds = [{ count = 60, region = "east" }]
"#;

const STEPS: u32 = 160;

/// Begins anew, with a camera low over the western end.
fn begin(client: &mut Client) {
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "restart" })).unwrap();
    // The last frame of the run before has the number of steps that the next run is to have.
    client.until(|client| client.frame.as_ref().is_some_and(|frame| frame.step == 0));
    look(client, 50);
}

fn look(client: &mut Client, most: u32) {
    let view = json!({ "do": "bodies", "eye": [-24, 0, 3], "look": [1, 0, -0.1], "most": most });
    client.ask(view).unwrap();
}

/// Where everybody is after all steps; every fourth is told.
fn walk(client: &mut Client) -> Vec<[f32; 2]> {
    let mut told = Json::Null;
    for _ in 0..STEPS / 4 {
        told = client.ask(json!({ "do": "step", "count": 4 })).unwrap();
    }
    assert_eq!(told["step"], STEPS);
    let frame = client.frame_from(STEPS);
    frame.people.iter().map(|person| person.at).collect()
}

fn farthest(a: &[[f32; 2]], b: &[[f32; 2]]) -> f32 {
    assert_eq!(a.len(), b.len());
    let apart = |(a, b): (&[f32; 2], &[f32; 2])| (a[0] - b[0]).hypot(a[1] - b[1]);
    a.iter().zip(b).map(apart).fold(0.0, f32::max)
}

#[test]
fn a_budget_that_everybody_fits_into_changes_nothing_and_one_that_is_small_does() {
    let mut engine = Engine::new(Scene::parse_plan("yard.toml", CROSSING).unwrap()).unwrap();
    (0..STEPS).for_each(|_| engine.step());
    let headless: Vec<[f32; 2]> =
        engine.crowd().people().map(|person| person.position.to_array()).collect();
    let stage = Stage::new(CROSSING);
    let mut client = stage.join();
    begin(&mut client);
    client.until(|client| client.state["levels"].is_object());
    assert_eq!(client.state["efforts"], Json::Null);
    // Frames are told to some millimetres.
    let shown = walk(&mut client);
    let apart = farthest(&shown, &headless);
    assert!(apart < 0.005, "{apart}");

    begin(&mut client);
    let roomy = client.ask(json!({ "do": "efforts", "full": 120, "ms": 1000 })).unwrap();
    assert_eq!(roomy["efforts"], json!({ "full": 120, "simple": null, "ms": 1000.0 }));
    assert_eq!(walk(&mut client), shown);
    client.until(|client| client.state["efforts"]["full"] == 120);
    assert_eq!(client.state["levels"]["efforts"], json!({ "path": 0, "simple": 0, "full": 120 }));

    begin(&mut client);
    client.ask(json!({ "do": "efforts", "full": 20, "simple": 30 })).unwrap();
    let scant = farthest(&walk(&mut client), &headless);
    assert!(scant > 0.1, "{scant}");
    client.until(|client| {
        client.state["levels"]["efforts"] == json!({ "path": 70, "simple": 30, "full": 20 })
    });
}

#[test]
fn efforts_are_spared_only_while_somebody_looks_and_somebody_wants_so() {
    let stage = Stage::new(CROSSING);
    let mut client = stage.join();
    begin(&mut client);
    client.ask(json!({ "do": "efforts", "full": 0, "simple": 0 })).unwrap();
    client.until(|client| client.state["levels"]["efforts"]["path"] == 120);
    // Who heeds nobody walks straight: they leave it to contacts to keep them apart.
    let heedless = walk(&mut client);
    begin(&mut client);
    look(&mut client, 0);
    let unseen = walk(&mut client);
    begin(&mut client);
    client.ask(json!({ "do": "efforts" })).unwrap();
    client.until(|client| client.state["efforts"].is_null());
    let full = walk(&mut client);
    assert_eq!(unseen, full);
    assert!(farthest(&heedless, &full) > 0.1);
}

#[test]
fn what_is_no_budget_is_refused() {
    let stage = Stage::new(CROSSING);
    let mut client = stage.join();
    for ms in [json!(0), json!(-3), json!(1e6)] {
        let error = client.ask(json!({ "do": "efforts", "ms": ms })).unwrap_err();
        assert!(error["help"].as_str().unwrap().contains("0.1 to 1000"), "{error}");
    }
    for odd in [json!({ "full": -1 }), json!({ "simple": 0.5 }), json!({ "most": 3 })] {
        let mut request = odd;
        request["do"] = json!("efforts");
        assert!(client.ask(request).is_err());
    }
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "record", "on": true })).unwrap();
    client.ask(json!({ "do": "step", "count": 5 })).unwrap();
    client.ask(json!({ "do": "record", "on": false })).unwrap();
    client.ask(json!({ "do": "open", "name": "yard-1.parquet" })).unwrap();
    let error = client.ask(json!({ "do": "efforts", "full": 3 })).unwrap_err();
    assert!(error["help"].as_str().unwrap().contains("open the scene"), "{error}");
}
