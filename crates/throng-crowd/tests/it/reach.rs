//! Arrows that lead within a reach.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::path::Path;

use glam::Vec2;
use proptest::prelude::*;
use throng_crowd::{Crowd, LiveField, PersonId};
use throng_field::Anchor;
use throng_world::Scene;
use throng_world::scene::{FieldId, GroupId};

use crate::support::{self, crowd, scene};

/// The plaza, with one arrow of the studio for a group.
fn plaza(group: &str, arrow: &str) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/plaza.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let name = format!("name = {group:?}\n");
    assert!(text.contains(&name));
    let led = format!("{name}led = {{ by = [\"arrows\"] }}\n");
    let fields = format!("[[fields]]\nname = \"arrows\"\nanchors = [{arrow}]\n\n[simulation]");
    let text = text.replace(&name, &led).replace("[simulation]", &fields);
    Scene::parse("plaza.toml", &text, Path::new("")).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Steps through five minutes, in which nobody leaves the bounds. Returns when people of a group came (s), and those
/// of them who are still there at the end.
fn five_minutes(scene: &Scene, group: &str) -> (BTreeMap<PersonId, f64>, Vec<PersonId>) {
    let mut crowd = Crowd::from_scene(scene).unwrap_or_else(|errors| panic!("{errors}"));
    let group = scene.groups.iter().position(|other| other.name == group).unwrap();
    let group = GroupId(group as u16);
    let mut came = BTreeMap::new();
    while crowd.time() < 300.0 {
        crowd.step();
        for person in crowd.people() {
            let at = person.position;
            assert!(scene.bounds.contains(at), "left at {at} after {} s", crowd.time());
            if person.group == group {
                came.entry(person.id).or_insert(crowd.time());
            }
        }
    }
    let here = crowd.people().filter(|person| person.group == group).map(|person| person.id);
    (came, here.collect())
}

#[test]
fn one_arrow_on_the_plaza_keeps_nobody_from_their_goals() {
    let (_, alone) = five_minutes(&plaza("commuters east", FAR_AWAY), "commuters east");
    // Across the way, against it, at a goal, and towards the bounds and away from them beside the gate.
    for arrow in [
        "{ at = [-10, 5], velocity = [1.2, 0.9], reach = 10 }",
        "{ at = [-14, 3], velocity = [-1.5, 0], reach = 10 }",
        "{ at = [0, 7], velocity = [0, 1.5], reach = 10 }",
        "{ at = [33, 0], velocity = [1.5, 0], reach = 10 }",
        "{ at = [33, 0], velocity = [-1.5, 0], reach = 10 }",
    ] {
        let (came, here) = five_minutes(&plaza("commuters east", arrow), "commuters east");
        assert!(came.len() > 200, "{arrow}: {} came", came.len());
        let longest = here.iter().map(|id| 300.0 - came[id]).fold(0.0, f64::max);
        // Without an arrow it takes the slowest a minute.
        assert!(longest < 120.0, "{arrow}: somebody is there for {longest} s");
        let held_up = here.len() - alone.len().min(here.len());
        assert!(held_up < 60, "{arrow}: {held_up} more people are on their way than without");
    }
}

#[test]
fn one_arrow_leads_no_stroller_out_of_the_plaza() {
    for arrow in [
        "{ at = [25, 10], velocity = [1.5, 0], reach = 10 }",
        "{ at = [0, 22], velocity = [0, 1.5], reach = 10 }",
    ] {
        let (came, here) = five_minutes(&plaza("strollers", arrow), "strollers");
        assert_eq!((came.len(), here.len()), (120, 120), "{arrow}");
    }
}

/// Beyond the reach of an arrow nobody is led.
const FAR_AWAY: &str = "{ at = [-39, -29], velocity = [0, 1], reach = 0.5 }";

/// One who walks from west to east, and an arrow.
fn walker(led: &str, arrow: &str) -> Crowd {
    crowd(&format!(
        r#"
        world = {{ bounds = [[-40, -20], [40, 20]] }}
        fields = [{{ name = "arrows", anchors = [{arrow}] }}]
        [[groups]]
        name = "walkers"
        speed = 1.2
        goals = [{{ seek = [30, 0], within = 0.5 }}]
        {led}
        people = [{{ position = [-30, 0] }}]
        "#
    ))
}

/// Where somebody is in each step.
fn path(mut crowd: Crowd, steps: usize) -> Vec<Vec2> {
    let mut position = || {
        crowd.step();
        crowd.people().next().expect("somebody is there").position
    };
    (0..steps).map(|_| position()).collect()
}

#[test]
fn an_arrow_leads_within_its_reach_and_nobody_beyond_it() {
    let led = "led = { by = [\"arrows\"] }";
    let alone = path(walker("", "{ at = [0, 0], velocity = [0, 1], reach = 8 }"), 700);
    let beside = path(walker(led, "{ at = [0, 9], velocity = [0, 1], reach = 8 }"), 700);
    let through = path(walker(led, "{ at = [0, 0], velocity = [0, 1], reach = 8 }"), 700);
    let off =
        |one: &[Vec2]| one.iter().zip(&alone).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(off(&beside) < 0.05, "led by {} m from beyond the reach", off(&beside));
    assert!(off(&through) > 2.0, "led aside by {} m", off(&through));
    for (at, other) in through.iter().zip(&alone) {
        assert!(at.x > -8.0 || at.distance(*other) < 0.05, "at {at}, and {other} without arrows");
    }
    let goal = Vec2::new(30.0, 0.0);
    assert!(through[699].distance(goal) < 1.0, "arrived at {}", through[699]);
}

#[test]
fn whoever_stands_against_an_arrow_gets_past_it_in_the_end() {
    let against = "{ at = [0, 0], velocity = [-1.3, 0], reach = 8 }";
    let led = |share: f32| format!("led = {{ by = [\"arrows\"], share = {share} }}");
    let autonomous = path(walker(&led(0.7), against), 1500);
    assert!(autonomous[400].x < 0.0, "held up at first: {}", autonomous[400]);
    assert!(autonomous[1499].x > 29.0, "{}", autonomous[1499]);
    let obedient = path(walker(&led(1.0), against), 1500);
    assert!(obedient[1499].x < 0.0, "the obedient do not pass: {}", obedient[1499]);
}

/// People without goals beside the eastern border, who obey an arrow that points out of the world.
fn outwards(world: &str, arrow: &str) -> Crowd {
    crowd(&format!(
        r#"
        world = {{ bounds = [[-20, -20], [20, 20]]{world} }}
        regions = [{{ name = "start", rectangle = [[8, -6], [16, 6]] }}]
        fields = [{{ name = "out", anchors = [{{ at = [14, 0], velocity = {arrow} }}] }}]
        [[groups]]
        name = "people"
        led = {{ by = ["out"], share = {{ min = 0.6, max = 1 }} }}
        crowds = [{{ count = 12, region = "start" }}]
        "#
    ))
}

/// The largest x that anybody has within a minute and a half.
fn farthest(mut crowd: Crowd) -> f32 {
    let mut farthest = f32::MIN;
    for _ in 0..900 {
        crowd.step();
        farthest = crowd.people().map(|person| person.position.x).fold(farthest, f32::max);
    }
    farthest
}

#[test]
fn a_limited_arrow_leads_nobody_out_of_the_world() {
    for velocity in ["[1.3, 0]", "[0.9, 0.9]", "[0.05, 1.3]"] {
        let farthest = farthest(outwards("", &format!("{velocity}, reach = 15")));
        assert!((15.5..20.0).contains(&farthest), "{velocity}: {farthest} m");
    }
    assert!(farthest(outwards("", "[1.3, 0]")) > 60.0, "one that holds everywhere does");
}

#[test]
fn nobody_is_led_out_of_a_closed_world() {
    for arrow in ["[1.3, 0]", "[6, 0]", "[1.3, 0], reach = 15"] {
        let farthest = farthest(outwards(", closed = true", arrow));
        assert!(farthest <= 20.0, "{arrow}: {farthest} m");
    }
}

#[test]
fn reaches_are_changed_while_people_walk_and_nobody_jerks() {
    let mut crowd =
        walker("led = { by = [\"arrows\"] }", "{ at = [-20, 0], velocity = [0, 1.3], reach = 2 }");
    let mut before: Option<Vec2> = None;
    for step in 0..300 {
        if step % 20 == 0 {
            let reach = [Some(2.0), Some(12.0), None][step / 20 % 3];
            crowd
                .edit_field(FieldId(0), |editor| {
                    let id = editor.anchors().next().map(|(id, _)| id);
                    id.map_or(Ok(()), |id| editor.set_reach(id, reach))
                })
                .unwrap();
        }
        crowd.step();
        let wanted = crowd.people().next().unwrap().preferred_velocity;
        let jump = before.map_or(0.0, |before| before.distance(wanted));
        assert!(jump < 0.82, "{jump} m/s in step {step}");
        before = Some(wanted);
    }
    let anchor = Anchor::new((0.0, 0.0), (1.0, 0.0)).with_reach(f64::NAN);
    assert!(crowd.edit_field(FieldId(0), |editor| editor.add(anchor)).is_err());
}

#[test]
fn a_scripted_edit_changes_the_reach() {
    let scene = scene(
        r#"
        world = { bounds = [[-20, -20], [20, 20]] }
        [[fields]]
        name = "arrows"
        anchors = [{ name = "a", at = [0, 0], velocity = [1, 0], reach = 8 }]
        edits = [{ time = 5, change = "a", reach = 3 }]
        "#,
    );
    let weight = |time: f64| {
        let field = LiveField::of_scene(&scene, FieldId(0), time).unwrap();
        field.coverage().weight(Vec2::new(0.0, 4.0))
    };
    assert_eq!((weight(4.0), weight(6.0)), (1.0, 0.0));
}

#[test]
fn limited_fields_give_the_same_bits_on_any_number_of_threads() {
    let text = r#"
        simulation = { seed = 5 }
        world = { bounds = [[-60, -60], [60, 60]] }
        regions = [{ name = "all", rectangle = [[-55, -55], [55, 55]] }]
        fields = [{ name = "arrows", anchors = [
            { at = [-20, 0], velocity = [1.3, 0], reach = 25 }, { at = [10, 10], velocity = [-1, 1], reach = 15 },
        ] }]
        [[groups]]
        name = "people"
        goals = [{ seek = { random = "all" } }]
        then = "repeat"
        led = { by = ["arrows"] }
        crowds = [{ count = 3400, region = "all", arrangement = "grid" }]
    "#;
    let make = || crowd(text);
    support::same_on_any_threads(&[3], make, |crowd| {
        support::steps(crowd, 40);
        support::bits(crowd)
    });
}

#[test]
fn arrows_that_are_too_fast_or_partly_limited_are_advised_against() {
    let warnings = |arrow: &str| walker("led = { by = [\"arrows\"] }", arrow).warnings().to_vec();
    assert_eq!(warnings("{ at = [0, 0], velocity = [1.5, 0], reach = 5 }"), [] as [String; 0]);
    assert_eq!(
        warnings("{ at = [0, 0], velocity = [0, 6.9] }"),
        [
            "field \"arrows\": an arrow asks for 6.9 m/s, but 1.6 m/s is the most that group \"walkers\" can do; \
          make it slower, or raise the group's max_speed"
        ]
    );
    let [mixed] = &warnings(
        "{ at = [0, 0], velocity = [1, 0], reach = 5 }, { at = [9, 0], velocity = [1, 0] }",
    )[..] else {
        panic!()
    };
    assert!(mixed.contains("anchor 2 has no reach"), "{mixed}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 8))]

    #[test]
    fn nobody_is_led_faster_than_they_can_go(
        velocity in (-14.0..14.0f32, -14.0..14.0f32),
        share in 0.0..1.0f32,
        reach in prop::option::of(1.0..40.0f32),
    ) {
        let reach = reach.map_or(String::new(), |reach| format!(", reach = {reach}"));
        let arrow = format!("{{ at = [-28, 1], velocity = [{}, {}]{reach} }}", velocity.0, velocity.1);
        let mut fast = walker(&format!("led = {{ by = [\"arrows\"], share = {share} }}"), &arrow);
        // An arrow of the largest speed leads as one that asks for more.
        let limit = 1.3 * 1.2;
        let limited = Vec2::from(velocity).clamp_length_max(limit);
        let arrow = format!("{{ at = [-28, 1], velocity = [{}, {}]{reach} }}", limited.x, limited.y);
        let mut slow = walker(&format!("led = {{ by = [\"arrows\"], share = {share} }}"), &arrow);
        for _ in 0..50 {
            fast.step();
            slow.step();
            let (fast, slow) = (fast.people().next().unwrap(), slow.people().next().unwrap());
            prop_assert!(fast.preferred_velocity.length() < 1.01 * limit, "{}", fast.preferred_velocity);
            prop_assert!(fast.position.distance(slow.position) < 0.02, "{} and {}", fast.position, slow.position);
        }
    }
}
