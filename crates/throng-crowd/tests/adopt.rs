//! Scenes that are edited while they run.

#![allow(clippy::unwrap_used, reason = "shared by several tests")]

mod support;

use glam::Vec2;
use proptest::prelude::*;
use throng_crowd::{Crowd, PersonId, PersonState};
use throng_world::Scene;
use throng_world::scene::{Aim, GroupId};

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

fn people(crowd: &Crowd) -> Vec<PersonState> {
    crowd.people().collect()
}

fn count(crowd: &Crowd, group: u16) -> usize {
    crowd.people().filter(|person| person.group == GroupId(group)).count()
}

fn led_people(crowd: &Crowd) -> Vec<PersonState> {
    crowd.people().filter(|person| person.group == GroupId(1)).collect()
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
    let ends: Vec<_> = [1, 4]
        .map(|threads| {
            let (mut crowd, old) = running(YARD, 3.0);
            crowd.set_threads(threads).unwrap();
            let new = scene(&edited("count = 30", "count = 60").replace("[1, 0.2]", "[0, 1]"));
            crowd.adopt(&old, &new).unwrap();
            support::run(&mut crowd, 5.0);
            people(&crowd)
        })
        .into();
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn arrows_turn_people_without_a_jerk() {
    let (mut crowd, old) = running(YARD, 2.0);
    let before: Vec<Vec2> = led_people(&crowd).iter().map(|p| p.velocity).collect();
    let text =
        edited("velocity = [1, 0] }", "velocity = [0, 1.2] }").replace("[1, 0.2]", "[0, 1.2]");
    crowd.adopt(&old, &scene(&text)).unwrap();
    crowd.step();
    for (before, after) in before.iter().zip(led_people(&crowd)) {
        let jump = before.distance(after.velocity);
        assert!(jump < 8.0 * 0.1 + 1e-3, "{jump}");
    }
    support::run(&mut crowd, 2.0);
    for person in led_people(&crowd) {
        assert!(person.velocity.y > 0.7, "{person:?}");
    }
}

#[test]
fn a_new_field_leads_and_a_removed_one_does_not() {
    let (mut crowd, old) = running(YARD, 2.0);
    let without = edited("led = { by = [\"stream\"], share = 0.8 }", "");
    let new = scene(&without);
    crowd.adopt(&old, &new).unwrap();
    support::run(&mut crowd, 2.0);
    assert!(led_people(&crowd).iter().all(|person| person.velocity.length() < 0.05));
    crowd.adopt(&new, &old).unwrap();
    support::run(&mut crowd, 2.0);
    assert!(led_people(&crowd).iter().all(|person| person.velocity.x > 0.5));
}

#[test]
fn walls_come_where_people_stand_and_they_step_aside() {
    let (mut crowd, old) = running(YARD, 3.0);
    let wall = "[[obstacles]]\nwall = { points = [[-12, -12], [-12, 12]], thickness = 0.3 }\n[[regions]]\nname = \"east\"";
    let new = scene(&edited("[[regions]]\n    name = \"east\"", wall));
    let before = crowd.len();
    crowd.adopt(&old, &new).unwrap();
    assert_eq!(crowd.len(), before);
    let is_clear = |person: &PersonState| {
        let beside = (person.position.x + 12.0).abs() - 0.15;
        person.position.y.abs() > 12.0 || beside >= person.radius - 0.002
    };
    assert!(crowd.people().all(|person| is_clear(&person)));
    for _ in 0..100 {
        crowd.step();
        assert!(crowd.people().all(|person| is_clear(&person)));
    }
    // And it is gone again.
    crowd.adopt(&new, &old).unwrap();
    assert_eq!(crowd.obstacles().count(), 1);
    support::run(&mut crowd, 20.0);
    assert!(crowd.people().any(|person| person.position.x.abs() < 12.0));
}

#[test]
fn who_has_no_room_beside_an_obstacle_keeps_it_away() {
    let (mut crowd, old) = running(YARD, 3.0);
    let block =
        "[[obstacles]]\nbox = { center = [0, 0], size = [39, 29] }\n[[regions]]\nname = \"east\"";
    // The scene itself would be refused, for regions are in the block; so the crowd is asked directly.
    let mut new = old.clone();
    let shapes = scene(&format!(
        "format = 1\nworld.bounds = [[-20, -15], [20, 15]]\n{}",
        block.split("[[regions]]").next().unwrap()
    ));
    new.obstacles.extend(shapes.obstacles);
    let before = people(&crowd);
    let error = crowd.adopt(&old, &new).unwrap_err();
    assert!(error.to_string().contains("no room"), "{error}");
    assert_eq!(people(&crowd), before);
    assert_eq!(crowd.obstacles().count(), 1);
}

#[test]
fn changed_goals_are_begun_anew_and_others_are_not() {
    let (mut crowd, old) = running(YARD, 3.0);
    let new = scene(&edited(
        "goals = [{ seek = \"east\" }, { seek = \"west\" }]",
        "goals = [{ seek = [0, -13] }]",
    ));
    crowd.adopt(&old, &new).unwrap();
    support::run(&mut crowd, 25.0);
    let near = crowd.people().filter(|person| {
        person.group == GroupId(0) && person.position.distance(Vec2::new(0.0, -13.0)) < 4.0
    });
    assert!(near.count() > 25);
    assert!(count(&crowd, 2) > 5, "others go on");
}

#[test]
fn a_region_that_moves_takes_its_goals_along() {
    let (mut crowd, old) = running(YARD, 12.0);
    let new =
        scene(&edited("rectangle = [[14, -10], [18, 10]]", "rectangle = [[-4, -14], [4, -12]]"));
    crowd.adopt(&old, &new).unwrap();
    support::run(&mut crowd, 2.0);
    let walkers = crowd.people().filter(|person| person.group == GroupId(2));
    let down = walkers.filter(|person| person.preferred_velocity.y < 0.0).count();
    assert!(down > count(&crowd, 2) / 2, "{down}");
}

#[test]
fn crowds_grow_and_shrink_and_listed_people_come_and_go() {
    let (mut crowd, old) = running(YARD, 3.0);
    let more = scene(
        &edited("count = 30", "count = 45")
            .replace("{ position = [2, 4] }]", "{ position = [2, 4] }, { position = [4, 4] }]"),
    );
    let ada = crowd.listed(GroupId(1))[1];
    crowd.adopt(&old, &more).unwrap();
    assert_eq!((count(&crowd, 0), count(&crowd, 1)), (45, 4));
    let fewer = scene(&edited("count = 30", "count = 10").replace("{ position = [0, 0] }, ", ""));
    crowd.adopt(&more, &fewer).unwrap();
    assert_eq!((count(&crowd, 0), count(&crowd, 1)), (10, 2));
    assert_eq!(crowd.listed(GroupId(1)).len(), 2);
    assert_eq!(crowd.listed(GroupId(1))[0], ada);
    assert!(crowd.person(ada).is_some());
    crowd.adopt(&fewer, &old).unwrap();
    assert_eq!((count(&crowd, 0), count(&crowd, 1)), (30, 3));
    support::run(&mut crowd, 3.0);
}

#[test]
fn more_people_than_there_is_room_for_are_refused() {
    let (mut crowd, old) = running(YARD, 3.0);
    let before = people(&crowd);
    let new = scene(&edited("count = 30", "count = 900"));
    let error = crowd.adopt(&old, &new).unwrap_err();
    assert!(error.to_string().contains("find room"), "{error}");
    assert_eq!(people(&crowd), before);
}

#[test]
fn groups_are_renamed_reordered_and_removed() {
    let (mut crowd, old) = running(YARD, 3.0);
    let renamed = scene(&edited("name = \"walkers\"", "name = \"strollers\""));
    let before = people(&crowd);
    crowd.adopt(&old, &renamed).unwrap();
    assert_eq!(people(&crowd), before);
    let start = YARD.find("[[groups]]").unwrap();
    let end = start + YARD[start + 5..].find("[[groups]]").unwrap() + 5;
    let without = scene(&format!("{}{}", &YARD[..start], &YARD[end..]));
    crowd.adopt(&renamed, &without).unwrap();
    assert_eq!(count(&crowd, 0), 3, "the led are the first group now");
    support::run(&mut crowd, 2.0);
    assert!(crowd.people().filter(|p| p.group == GroupId(0)).all(|p| p.velocity.x > 0.4));
    assert!(count(&crowd, 1) > 0, "the source goes on");
}

#[test]
fn a_source_that_is_put_up_later_does_not_make_up_for_lost_time() {
    let (mut crowd, old) = running(YARD, 20.0);
    let new = scene(&edited("rate = 2 }", "rate = 3 }"));
    let before = crowd.ever();
    crowd.adopt(&old, &new).unwrap();
    support::run(&mut crowd, 2.0);
    let came = crowd.ever() - before;
    assert!((4..=8).contains(&came), "{came}");
}

#[test]
fn who_steers_in_another_way_does_so_at_once() {
    let (mut crowd, old) = running(YARD, 3.0);
    let new = scene(&edited(
        "name = \"walkers\"",
        "name = \"walkers\"\n    steering = { model = \"social_force\" }\n    speed = 0.6\n    radius = 0.2",
    ));
    crowd.adopt(&old, &new).unwrap();
    let character = crowd.character(PersonId(5)).unwrap();
    assert_eq!(throng_crowd::steering::MODELS[character.model as usize].name, "social_force");
    assert_eq!((character.preferred_speed, character.radius), (0.6, 0.2));
    support::run(&mut crowd, 3.0);
    assert!(crowd.people().filter(|p| p.group == GroupId(0)).all(|p| p.velocity.length() < 0.9));
}

#[test]
fn goals_that_were_given_by_hand_outlast_edits_elsewhere() {
    let (mut crowd, old) = running(YARD, 3.0);
    let mut character = crowd.character(PersonId(4)).unwrap();
    let Aim::SeekRegion { .. } = character.plan.goals[0].aim else { panic!("to the east") };
    character.plan.goals.swap(0, 1);
    assert!(crowd.set_character(PersonId(4), &character).unwrap());
    // Regions change places in the list.
    let west = "[[regions]]\n    name = \"west\"\n    rectangle = [[-18, -10], [-8, 10]]\n";
    let new =
        scene(&edited(west, "").replacen("[[regions]]", &format!("{west}    [[regions]]"), 1));
    crowd.adopt(&old, &new).unwrap();
    let after = crowd.character(PersonId(4)).unwrap();
    assert_eq!(after.plan.goals.len(), 2);
    let Aim::SeekRegion { region } = after.plan.goals[0].aim else { panic!("to the west") };
    assert_eq!(new.regions[region.0 as usize].name, "west");
    assert_ne!(crowd.character(PersonId(5)).unwrap().plan, after.plan);
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
    ] {
        assert!(!Crowd::can_adopt(&old, &scene(&edited(from, to))), "{to}");
    }
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
            let people = people(&crowd);
            for (i, one) in people.iter().enumerate() {
                for other in &people[i + 1..] {
                    let apart = one.position.distance(other.position);
                    prop_assert!(apart > 0.9 * (one.radius + other.radius), "{one:?} {other:?}");
                }
            }
        }
    }
}
