//! Scenes that are edited while they run.

#![allow(clippy::unwrap_used, reason = "shared by several tests")]

mod goals;
mod ground;
mod leading;
mod people;
mod sources;

use proptest::prelude::*;
use throng_crowd::{Crowd, PersonState};
use throng_world::Scene;
use throng_world::scene::GroupId;

use crate::support;

const YARD: &str = r#"
    format = 1
    [simulation]
    seed = 5
    [world]
    bounds = [[-20, -15], [20, 15]]
    [[obstacles]]
    box = { center = [0, 10], size = [3, 1] }
    [[regions]]
    name = "east"
    rectangle = [[14, -10], [18, 10]]
    [[regions]]
    name = "west"
    rectangle = [[-18, -10], [-8, 10]]
    [[fields]]
    name = "stream"
    anchors = [{ at = [0, 0], velocity = [1, 0] }, { at = [5, 5], velocity = [1, 0.2] }]
    [[groups]]
    name = "walkers"
    goals = [{ seek = "east" }, { seek = "west" }]
    then = "repeat"
    crowds = [{ count = 30, region = "west" }]
    [[groups]]
    name = "led"
    led = { by = ["stream"], share = 0.8 }
    people = [{ position = [0, 0] }, { name = "Ada", position = [0, 2] }, { position = [2, 4] }]
    [[groups]]
    name = "arrivals"
    goals = [{ seek = "east" }]
    then = "leave"
    sources = [{ region = "west", rate = 2 }]
"#;

/// Two floors 3 m apart, and stairs from x = 0, at the foot, to x = 6.
const HOUSE: &str = r#"
    format = 1
    world.bounds = [[-14, -8], [14, 8]]
    layers = [{ name = "lower" }, { name = "upper", elevation = 3 }]
    obstacles = [{ box = { center = [-10, 0], size = [2, 2] }, layer = "lower" }]
    [[connectors]]
    name = "stairs"
    kind = "stairs"
    polygon = [[0, -1], [6, -1], [6, 1], [0, 1]]
    lower = { layer = "lower", edge = [[0, -1], [0, 1]] }
    upper = { layer = "upper", edge = [[6, -1], [6, 1]] }
    [[groups]]
    name = "tenants"
    people = [{ position = [-5, 5] }, { position = [-5, 5], layer = "upper" }]
"#;

fn scene(text: &str) -> Scene {
    Scene::parse("yard.toml", text, "".as_ref()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// A crowd that has run for some seconds, and its scene.
fn running(text: &str, seconds: f64) -> (Crowd, Scene) {
    let scene = scene(text);
    let mut crowd = Crowd::from_scene(&scene).unwrap();
    support::run(&mut crowd, seconds);
    (crowd, scene)
}

/// The yard with one thing written in another way.
fn edited(from: &str, to: &str) -> String {
    assert!(YARD.contains(from), "{from}");
    YARD.replace(from, to)
}

/// A crowd that goes on after some seconds with its scene edited: each of `edits` is something that is
/// written in another way.
fn adopted(text: &str, seconds: f64, edits: &[(&str, &str)]) -> (Crowd, Scene) {
    let (mut crowd, old) = running(text, seconds);
    let new = edits.iter().fold(text.to_string(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    let new = scene(&new);
    crowd.adopt(&old, &new).unwrap_or_else(|errors| panic!("{errors}"));
    (crowd, new)
}

/// How far the two who are nearest to each other overlap, m; negative if nobody does.
fn largest_overlap(crowd: &Crowd) -> f32 {
    let people: Vec<PersonState> = crowd.people().collect();
    let mut largest = f32::NEG_INFINITY;
    for (i, one) in people.iter().enumerate() {
        for other in people[i + 1..].iter().filter(|other| other.layer == one.layer) {
            let gap = one.position.distance(other.position) - one.radius - other.radius;
            largest = largest.max(-gap);
        }
    }
    largest
}

fn people(crowd: &Crowd) -> Vec<PersonState> {
    crowd.people().collect()
}

fn count(crowd: &Crowd, group: u16) -> usize {
    crowd.people().filter(|person| person.group == GroupId(group)).count()
}

#[test]
fn a_scene_that_has_not_changed_changes_nothing() {
    // Comments and line breaks move everything in the file.
    let (mut one, old) = running(YARD, 6.0);
    let (mut other, _) = running(YARD, 6.0);
    let new = scene(&format!("# A comment.\n\n{YARD}"));
    for _ in 0..50 {
        one.adopt(&old, &new).unwrap();
        one.step();
        other.step();
        assert_eq!(people(&one), people(&other));
    }
}

#[test]
fn adopting_is_the_same_on_any_number_of_threads() {
    let yard = YARD
        .replace("[[-20, -15], [20, 15]]", "[[-100, -60], [100, 60]]")
        .replace("[[-18, -10], [-8, 10]]", "[[-98, -58], [-8, 58]]")
        .replace("count = 30", "count = 3100");
    let new = yard.replace("count = 3100", "count = 3200").replace("[1, 0.2]", "[0, 1]");
    let (old, new) = (scene(&yard), scene(&new));
    let make = || running(&yard, 2.0).0;
    support::same_on_any_threads(&[4], make, |crowd| {
        crowd.adopt(&old, &new).unwrap();
        support::run(crowd, 3.0);
        people(crowd)
    });
}

#[test]
fn deep_changes_need_a_new_beginning() {
    let old = scene(YARD);
    assert!(Crowd::can_adopt(&old, &scene(&edited("count = 30", "count = 3"))));
    for (from, to) in [
        ("seed = 5", "seed = 6"),
        ("seed = 5", "seed = 5\n    step = 0.05"),
        ("[[-20, -15], [20, 15]]", "[[-20, -15], [21, 15]]"),
        ("seed = 5", "seed = 5\n    navigation = false"),
        (
            "format = 1",
            "format = 1\n    layers = [{ name = \"ground\" }, { name = \"roof\", elevation = 4 }]",
        ),
    ] {
        assert!(!Crowd::can_adopt(&old, &scene(&edited(from, to))), "{to}");
    }
    let house = scene(HOUSE);
    assert!(Crowd::can_adopt(&house, &house));
    let mut rebuilt = house.clone();
    rebuilt.connectors.clear();
    assert!(!Crowd::can_adopt(&house, &rebuilt));
}

/// Some things that an author does.
fn edit() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        (0..60_u32).prop_map(|n| ("count = 30", format!("count = {n}"))),
        (0.1..5.0_f64).prop_map(|rate| ("rate = 2 }", format!("rate = {rate} }}"))),
        (-1.5..1.5_f64).prop_map(|v| ("velocity = [1, 0] }", format!("velocity = [0.5, {v}] }}"))),
        (-9.0..9.0_f64, -9.0..9.0_f64).prop_map(|(x, y)| (
            "box = { center = [0, 10], size = [3, 1] }",
            format!("box = {{ center = [{x}, {y}], size = [3, 1], angle = 30 }}")
        )),
        (0.0..1.0_f64).prop_map(|share| ("share = 0.8", format!("share = {share}"))),
        Just(("then = \"leave\"", "then = \"stay\"".into())),
        Just(("goals = [{ seek = \"east\" }, { seek = \"west\" }]", "goals = []".into())),
        Just(("name = \"walkers\"", "name = \"walkers\"\nsteering = { model = \"predictive\" }".into())),
        Just(("{ name = \"Ada\", position = [0, 2] }, ", String::new())),
        Just(("[[regions]]\n    name = \"east\"", "[[regions]]\nname = \"new\"\nrectangle = [[0, 0], [1, 1]]\n[[regions]]\n    name = \"east\"".into())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever an author does, in whatever order: nobody stands in a wall or on another, and what
    /// was refused has changed nothing.
    #[test]
    fn edits_of_any_kind_leave_a_sound_crowd(edits in prop::collection::vec(prop::collection::vec(edit(), 0..4), 1..6)) {
        let (mut crowd, mut current) = running(YARD, 2.0);
        for changes in edits {
            let text = changes.iter().fold(YARD.to_string(), |text, (from, to)| text.replace(from, to));
            // Two edits of the same line can contradict each other.
            let Ok(new) = Scene::parse("yard.toml", &text, "".as_ref()) else { continue };
            let before = people(&crowd);
            match crowd.adopt(&current, &new) {
                Ok(()) => current = new,
                Err(_) => prop_assert_eq!(&people(&crowd), &before),
            }
            for _ in 0..15 {
                crowd.step();
                for person in crowd.people() {
                    prop_assert!(person.position.is_finite());
                    prop_assert!((person.group.0 as usize) < current.groups.len());
                    let free = crowd.walls().is_free(person.layer, person.position, person.radius * 0.9);
                    prop_assert!(free, "{:?}", person);
                }
            }
            prop_assert!(largest_overlap(&crowd) < 0.05);
        }
    }
}
