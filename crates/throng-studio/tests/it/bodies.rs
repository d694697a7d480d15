//! Bodies for whoever looks closely, and for nobody else.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use serde_json::{Value as Json, json};

use crate::support::{self, Client, SCENE, Stage};

/// Looks straight down at everybody near a place.
fn look(client: &mut Client, at: [f32; 2], radius: f32) -> Result<Json, Json> {
    client.ask(json!({ "do": "bodies", "eye": [at[0], at[1], 2.0 * radius], "look": [0, 0, -1],
        "field": 53.13, "aspect": 1, "pixels": 4000 }))
}

#[test]
fn those_near_a_focus_walk_with_bodies_that_are_where_the_people_are() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.frame_from(3);
    assert!(client.bodies.is_empty(), "nobody has asked");
    look(&mut client, [-13.0, 0.0], 8.0).unwrap();
    client.next_bodies();
    assert!(client.cast.len() > 100_000, "{}", client.cast.len());
    let from = client.bodies.len();
    client.until(|client| client.bodies.len() > from + 20);
    let told = client.bodies[from..].to_vec();
    // Between two steps of 0.05 s there are two poses each.
    let mut last = f64::NEG_INFINITY;
    for bodies in &told {
        for moment in &bodies.moments {
            assert!(moment.time >= last, "{} {last}", moment.time);
            last = moment.time;
            assert!(moment.roots.iter().all(|height| (0.5..1.3).contains(height)));
        }
    }
    assert!(told.iter().any(|bodies| bodies.moments.len() > 1));
    let newest = told.last().unwrap();
    assert!(newest.ids.len() > 5 && newest.ids.len() < 32, "{:?}", newest.ids);
    // The idlers at the origin are too far away.
    client.until(|client| {
        let (frame, bodies) = (client.frame.as_ref().unwrap(), client.bodies.last().unwrap());
        bodies.moments.last().unwrap().time == frame.time
    });
    let (frame, bodies) = (client.frame.clone().unwrap(), client.bodies.last().unwrap());
    assert_eq!(bodies.epoch, frame.epoch);
    let moment = bodies.moments.last().unwrap();
    for (id, place) in bodies.ids.iter().zip(&moment.places) {
        let person = frame.person(*id).unwrap();
        assert_eq!(person.group, 0);
        let apart = (place[0] - person.at[0]).hypot(place[1] - person.at[1]);
        assert!(apart < 0.4, "{id} is {apart} m away");
    }
}

#[test]
fn bodies_stand_still_in_a_pause_make_single_steps_and_are_gone_when_nobody_looks() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    look(&mut client, [-13.0, 0.0], 10.0).unwrap();
    client.next_bodies();
    client.frame_from(30);
    let paused = client.ask(json!({ "do": "pause" })).unwrap();
    let at = |client: &Client, time: f64| {
        client.bodies.last().is_some_and(|b| b.moments.last().unwrap().time >= time - 1e-9)
    };
    let time = paused["time"].as_f64().unwrap();
    client.until(|client| at(client, time));
    let before = client.bodies.last().unwrap().clone();
    // Looking elsewhere and back changes no pose.
    look(&mut client, [-12.9, 0.0], 10.0).unwrap();
    let after = client.next_bodies();
    let common = |bodies: &support::Bodies| {
        let moment = bodies.moments.last().unwrap().clone();
        let rows = bodies.ids.iter().copied().zip(moment.rotations);
        rows.filter(|(id, _)| before.ids.contains(id) && after.ids.contains(id)).collect::<Vec<_>>()
    };
    assert!(common(&before).len() > 5);
    assert_eq!(common(&before), common(&after));
    // One step is one step, for bodies as well.
    let stepped = client.ask(json!({ "do": "step" })).unwrap();
    let time = stepped["time"].as_f64().unwrap();
    client.until(|client| at(client, time));
    let bodies = client.bodies.last().unwrap();
    assert_eq!(bodies.moments.len(), 2);
    assert_ne!(common(bodies), common(&before));
    // Nobody looks: nothing is made.
    client.ask(json!({ "do": "bodies", "eye": [0, 0, 9], "look": [0, 0, -1], "most": 0 })).unwrap();
    client.ask(json!({ "do": "play" })).unwrap();
    client.until(|client| client.state["playing"] == true && client.state["bodies"] == 0);
    let (count, frames) = (client.bodies.len(), client.frames);
    client.until(|client| client.frames > frames + 10);
    assert_eq!(client.bodies.len(), count);
}

#[test]
fn a_restart_begins_with_other_bodies_and_inspection_tells_of_them() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    look(&mut client, [-13.0, 0.0], 10.0).unwrap();
    let first = client.next_bodies();
    client.frame_from(40);
    let person = first.ids[0];
    let told = client.ask(json!({ "do": "inspect", "person": person })).unwrap();
    assert!(told["body"]["clip"].is_string(), "{told}");
    assert!(told["body"]["deviation"].as_f64().unwrap() < 0.4, "{told}");
    let begun = first.moments[0].time;
    let time = |client: &Client| client.bodies.last().unwrap().moments.last().unwrap().time;
    client.until(|client| time(client) > begun + 3.0);
    let skating = client.ask(json!({ "do": "skating" })).unwrap();
    assert!(skating["stances"].as_u64().unwrap() > 5, "{skating}");
    assert!(skating["p50"].as_f64().unwrap() < 0.01, "{skating}");
    let worst = skating["worst"].as_array().unwrap();
    assert!(worst.windows(2).all(|two| two[0]["slip"].as_f64() >= two[1]["slip"].as_f64()));
    client.ask(json!({ "do": "restart" })).unwrap();
    client.until(|client| client.bodies.last().unwrap().epoch != first.epoch);
}

#[test]
fn a_group_that_becomes_one_of_horses_is_told_as_such_and_stands_on_four_feet() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    look(&mut client, [-13.0, 0.0], 10.0).unwrap();
    client.next_bodies();
    assert_eq!(client.scene["groups"][0]["species"], "person");
    let species = |client: &Client| {
        let (bodies, looks) = (client.bodies.last().unwrap(), client.looks());
        bodies.looks.iter().map(|look| looks[usize::from(*look)].0).collect::<Vec<_>>()
    };
    assert!(species(&client).iter().all(|species| *species == 0));
    let at = json!(["groups", { "name": "walkers" }, "species"]);
    client.edit("Horses", json!([{ "set": { "at": at, "value": "horse" } }])).unwrap();
    client.until(|client| client.scene["groups"][0]["species"] == "horse");
    client.until(|client| species(client).iter().all(|species| *species == 2));
    let person = client.next_bodies().ids[0];
    let body = client.ask(json!({ "do": "inspect", "person": person })).unwrap()["body"].clone();
    assert_eq!(body["species"], "horse");
    let feet = ["left hind", "left fore", "right hind", "right fore"];
    let stance = body["stance"].as_array().unwrap();
    assert!(stance.iter().all(|foot| feet.contains(&foot.as_str().unwrap())), "{body}");
    assert!(body["ground"]["lowered"].is_number(), "{body}");
    client.ask(json!({ "do": "undo" })).unwrap();
    client.until(|client| client.scene["groups"][0]["species"] == "person");
    client.until(|client| species(client).iter().all(|species| *species == 0));
}

#[test]
fn recordings_have_bodies_too() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "record", "on": true })).unwrap();
    client.ask(json!({ "do": "step", "count": 60 })).unwrap();
    client.ask(json!({ "do": "record", "on": false })).unwrap();
    client.ask(json!({ "do": "open", "name": "yard-1.parquet" })).unwrap();
    look(&mut client, [-13.0, 0.0], 10.0).unwrap();
    client.next_bodies();
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "seek", "time": 1.0 })).unwrap();
    let bodies = client.next_bodies();
    assert!(bodies.ids.len() > 5);
    let told = client.ask(json!({ "do": "inspect", "person": bodies.ids[0] })).unwrap();
    assert!(told["body"]["clip"].is_string() && told["group"] == "walkers", "{told}");
    // Nobody walks backwards.
    client.ask(json!({ "do": "speed", "factor": -1 })).unwrap();
    client.ask(json!({ "do": "play" })).unwrap();
    client.until(|client| client.bodies.last().unwrap().ids.is_empty());
}

/// Two who stand and face east, and nothing that interests them but what is added.
const WATCHED: &str = "\
format = 1

[world]
bounds = [[-20, -15], [20, 15]]

[[interests]]
name = \"far away\"
position = [19, 14]
height = 2.4
facing = -90
field = 100

[[groups]]
name = \"idlers\"
interest = 0
people = [
    { position = [0, 0], heading = 0 }, { position = [0, 2], heading = 0 },
    { position = [0, 4], heading = 0 }, { position = [0, 6], heading = 0 },
]
";

/// The kinds of what people look at within some seconds, and the names of places.
fn looks(client: &mut Client) -> Vec<String> {
    let mut seen = Vec::new();
    for _ in 0..10 {
        client.ask(json!({ "do": "step", "count": 5 })).unwrap();
        for person in 0..4 {
            let told = client.ask(json!({ "do": "inspect", "person": person })).unwrap();
            let look = &told["body"]["looks_at"];
            let Some(kind) = look["kind"].as_str() else { continue };
            assert!(["shift", "hold"].contains(&look["phase"].as_str().unwrap()), "{look}");
            seen.push(look["name"].as_str().unwrap_or(kind).to_string());
        }
    }
    seen
}

#[test]
fn people_look_at_interests_that_are_added_and_not_at_those_that_are_gone() {
    let stage = Stage::new(WATCHED);
    let mut client = stage.join();
    assert_eq!(
        client.scene["interests"],
        json!([{ "name": "far away", "layer": 0, "position": [19.0, 14.0], "height": 2.4,
            "level": 0.7, "reach": 10.0, "facing": -90.0, "field": 100.0 }])
    );
    client.ask(json!({ "do": "pause" })).unwrap();
    look(&mut client, [0.0, 3.0], 10.0).unwrap();
    client.next_bodies();
    assert!(looks(&mut client).is_empty());
    let clock = json!({ "name": "clock", "position": [3, 3], "level": 1 });
    client.edit("Clock", json!([{ "add": { "to": ["interests"], "value": clock } }])).unwrap();
    client.until(|client| client.scene["interests"][1]["name"] == "clock");
    assert_eq!(client.scene["interests"][1]["facing"], Json::Null);
    let seen = looks(&mut client);
    assert!(!seen.is_empty() && seen.iter().all(|name| name == "clock"), "{seen:?}");
    client.ask(json!({ "do": "undo" })).unwrap();
    client.until(|client| client.scene["interests"].as_array().unwrap().len() == 1);
    assert!(!looks(&mut client).contains(&"clock".to_string()));
}

#[test]
fn who_wants_to_be_noticed_is_looked_at_until_they_leave() {
    let stage = Stage::new(WATCHED);
    let mut client = stage.join();
    client.ask(json!({ "do": "pause" })).unwrap();
    look(&mut client, [0.0, 3.0], 10.0).unwrap();
    client.next_bodies();
    let mut stranger = stage.join();
    let mut watch = |noticed: bool| {
        stranger
            .ask(json!({ "do": "bodies", "eye": [3, 3, 1.6], "look": [-1, 0, 0],
                "noticed": noticed }))
            .unwrap();
    };
    let is_viewer = |seen: &Vec<String>| seen.iter().any(|kind| kind.starts_with("viewer"));
    watch(false);
    let seen = looks(&mut client);
    assert!(!is_viewer(&seen), "{seen:?}");
    watch(true);
    let seen = looks(&mut client);
    assert!(is_viewer(&seen), "{seen:?}");
    // They look no more.
    watch(false);
    looks(&mut client);
    let seen = looks(&mut client);
    assert!(!is_viewer(&seen), "{seen:?}");
    watch(true);
    drop(stranger);
    client.until(|client| client.state["clients"] == 1);
    looks(&mut client);
    let seen = looks(&mut client);
    assert!(!is_viewer(&seen), "{seen:?}");
}

#[test]
fn what_cannot_be_looked_at_is_refused() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    let usual = || json!({ "do": "bodies", "eye": [0, 0, 2], "look": [1, 0, 0] });
    for (key, odd, why) in [
        ("most", json!(401), "at most 400"),
        ("posed", json!(4001), "at most 4000"),
        ("eye", json!([1e39, 0, 0]), "within 1000000 m"),
        ("eye", json!([0, -2e6, 0]), "within 1000000 m"),
        ("look", json!([0, 0, 0]), "not zero"),
        ("field", json!(0), "1 to 170"),
        ("field", json!(180), "1 to 170"),
        ("aspect", json!(-1), "0.05 to 20"),
        ("pixels", json!(1e9), "1 to 100000"),
    ] {
        let mut request = usual();
        request[key] = odd;
        let error = client.ask(request).unwrap_err();
        assert!(error["help"].as_str().unwrap().contains(why), "{error}");
    }
    for (key, odd) in [
        ("eye", json!([0, 0])),
        ("eye", json!("here")),
        ("eye", Json::Null),
        ("look", json!([1, 0, null])),
        ("most", json!(-1)),
        ("posed", json!(0.5)),
        ("field", json!("wide")),
        ("noticed", json!(1)),
        ("radius", json!(5)),
    ] {
        let mut request = usual();
        request[key] = odd.clone();
        assert!(client.ask(request).is_err(), "{key}: {odd}");
    }
    let error = client.ask(json!({ "do": "skating" })).unwrap_err();
    assert_eq!(error["message"], "nobody has a body");
    assert!(client.bodies.is_empty() && client.cast.is_empty());
}

/// How many of a frame have each level.
fn census(frame: &support::Frame) -> [usize; 4] {
    let mut census = [0; 4];
    for person in &frame.people {
        census[usize::from(person.standing.expect("levels are told").level)] += 1;
    }
    census
}

#[test]
fn everybody_has_the_best_level_that_any_client_needs_and_all_clients_are_told() {
    let stage = Stage::new(SCENE);
    let [mut near, mut far] = [stage.join(), stage.join()];
    assert!(near.frame_from(2).people.iter().all(|person| person.standing.is_none()));
    // All of them are a few pixels high.
    let distant = json!({ "do": "bodies", "eye": [0, -600, 30], "look": [0, 1, 0] });
    far.ask(distant.clone()).unwrap();
    far.until(|client| client.state["levels"]["bodies"]["impostor"] == 32);
    assert_eq!(far.state["levels"]["efforts"], json!({ "path": 0, "simple": 0, "full": 32 }));
    let names = |state: &Json| {
        let stages = state["pipeline"].as_array().unwrap().iter();
        stages.map(|stage| stage["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&far.state), ["scaler", "simulator", "animator", "gaze"]);
    let step = far.frame.as_ref().unwrap().step;
    assert_eq!(census(&far.frame_from(step + 1)), [0, 32, 0, 0]);
    assert_eq!(far.roles.len(), 32, "everybody's look is told");
    assert!(near.roles.is_empty(), "but not to those who draw no bodies");
    // Somebody looks more closely: both are told.
    look(&mut near, [-13.0, 0.0], 8.0).unwrap();
    far.until(|client| census(client.frame.as_ref().unwrap())[3] > 5);
    near.until(|client| client.roles.len() == 32 && !client.bodies.is_empty());
    // No more than there can be, the others are posed.
    let few = json!({ "do": "bodies", "eye": [-13, 0, 16], "look": [0, 0, -1],
        "field": 53.13, "aspect": 1, "pixels": 4000, "most": 2, "posed": 3 });
    near.ask(few).unwrap();
    far.ask(
        json!({ "do": "bodies", "eye": [0, -600, 30], "look": [0, 1, 0], "most": 1, "posed": 0 }),
    )
    .unwrap();
    far.until(|client| {
        let [unseen, impostor, posed, full] = census(client.frame.as_ref().unwrap());
        (unseen, impostor, posed, full) == (0, 26, 3, 3)
    });
    // Who is inspected is seen closely wherever they are.
    near.ask(json!({ "do": "bodies", "eye": [0, 0, 9], "look": [0, 0, -1], "most": 0 })).unwrap();
    far.ask(distant).unwrap();
    far.until(|client| client.state["bodies"] == 0);
    let person = far.frame.as_ref().unwrap().people[0].id;
    far.ask(json!({ "do": "inspect", "person": person })).unwrap();
    far.until(|client| client.state["bodies"] == 1);
    let told = far.ask(json!({ "do": "inspect", "person": person })).unwrap();
    assert_eq!(told["level"], "full");
}

#[test]
fn extras_are_in_step_where_people_are_and_face_where_they_go() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.ask(json!({ "do": "bodies", "eye": [0, -600, 30], "look": [0, 1, 0] })).unwrap();
    client.until(|client| client.frame.as_ref().is_some_and(|f| f.people[0].standing.is_some()));
    client.ask(json!({ "do": "pause" })).unwrap();
    let mut frames = Vec::new();
    for _ in 0..40 {
        let told = client.ask(json!({ "do": "step" })).unwrap();
        frames.push(client.frame_from(told["step"].as_u64().unwrap() as u32));
    }
    let walker = frames[0].people.iter().find(|person| person.group == 0).unwrap();
    let person = walker.id;
    // Who begins to walk begins with the feet together, wherever in the cycle that is.
    let course: Vec<_> = frames[12..].iter().map(|frame| *frame.person(person).unwrap()).collect();
    let phases: Vec<f32> = course.iter().map(|person| person.standing.unwrap().phase).collect();
    let gone: Vec<f32> = phases.windows(2).map(|two| (two[1] - two[0]).rem_euclid(1.0)).collect();
    // A cycle takes about a second, and a step of the simulation a twentieth of it.
    let mean = gone.iter().sum::<f32>() / gone.len() as f32;
    assert!((0.02..0.1).contains(&mean), "{mean}");
    assert!(gone.iter().all(|gone| *gone < 0.15), "{gone:?}");
    for two in course.windows(2) {
        let [dx, dy] = [0, 1].map(|axis| two[1].at[axis] - two[0].at[axis]);
        // Body space faces +z of the world, which is -y of the ground.
        let yaw = two[1].standing.unwrap().yaw;
        let ahead = (yaw.sin() * dx - yaw.cos() * dy) / dx.hypot(dy);
        assert!(ahead > 0.8, "{ahead}");
    }
}
