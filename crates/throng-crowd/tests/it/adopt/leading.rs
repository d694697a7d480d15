//! Fields of an edited scene, and who is led by them.

use glam::Vec2;
use throng_crowd::{Crowd, PersonId, PersonState};
use throng_world::scene::{FieldId, GroupId};

use super::{YARD, adopted, edited, people, running, scene, support};

fn led_people(crowd: &Crowd) -> Vec<PersonState> {
    crowd.people().filter(|person| person.group == GroupId(1)).collect()
}

/// Of somebody who is led: where to, and how far.
fn leading(crowd: &Crowd, id: u32) -> (Vec2, f32) {
    let led = crowd.inspect(PersonId(id)).unwrap().led.unwrap();
    (led.velocity, led.share)
}

/// Somebody is led eastwards in a zone, and wants nothing.
const ZONE: &str = r#"
    format = 1
    world.bounds = [[-40, -10], [40, 10]]
    regions = [{ name = "zone", rectangle = [[-20, -5], [20, 5]] }]
    [[fields]]
    name = "stream"
    region = "zone"
    anchors = [{ at = [0, 0], velocity = [1, 0] }]
    [[groups]]
    name = "led"
    led = { by = ["stream"], share = 0.9, wander = 0 }
    people = [{ position = [-5, 0] }]
"#;

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
fn arrows_that_are_turned_fade_into_each_other() {
    let (crowd, _) = adopted(ZONE, 2.0, &[("velocity = [1, 0]", "velocity = [-1, 0]")]);
    assert!(leading(&crowd, 0).0.x > 0.8, "{:?}", leading(&crowd, 0));
}

#[test]
fn another_share_is_taken_up_by_those_who_are_there() {
    let (mut crowd, _) = adopted(ZONE, 2.0, &[("share = 0.9", "share = 0.2")]);
    support::run(&mut crowd, 5.0);
    assert!((leading(&crowd, 0).1 - 0.2).abs() < 0.02, "{:?}", leading(&crowd, 0));
}

#[test]
fn what_fades_goes_on_fading_whatever_number_it_has() {
    let turned = ZONE.replace("velocity = [1, 0]", "velocity = [-1, 0]");
    let first = "[[fields]]\n    name = \"other\"\n    anchors = [{ at = [0, 0], velocity = [0, 1] }]\n    [[fields]]";
    let (mut crowd, old) = running(ZONE, 2.0);
    crowd.adopt(&old, &scene(&turned)).unwrap();
    crowd.adopt(&scene(&turned), &scene(&turned.replace("[[fields]]", first))).unwrap();
    assert!(leading(&crowd, 0).0.x > 0.8, "{:?}", leading(&crowd, 0));
    // The share, too, changes gradually.
    let group = "[[groups]]\n    name = \"nobody\"\n    [[groups]]";
    let (crowd, _) = adopted(ZONE, 2.0, &[("[[groups]]", group), ("share = 0.9", "share = 0.2")]);
    assert!(leading(&crowd, 0).1 > 0.6, "{:?}", leading(&crowd, 0));
}

#[test]
fn a_field_leads_where_its_region_is_now() {
    let (mut crowd, _) = adopted(ZONE, 2.0, &[("[[-20, -5], [20, 5]]", "[[10, -5], [20, 5]]")]);
    support::run(&mut crowd, 5.0);
    assert!(people(&crowd)[0].velocity.length() < 0.1);
}

#[test]
fn fields_that_change_places_in_the_list_lead_as_before() {
    let other =
        "[[fields]]\n    name = \"other\"\n    anchors = [{ at = [0, 0], velocity = [-1, 0] }]";
    let first = format!("{other}\n    [[fields]]");
    let (mut crowd, new) = adopted(ZONE, 2.0, &[("[[fields]]", &first)]);
    assert_eq!(crowd.led(GroupId(0)).unwrap().by, [FieldId(1)]);
    assert_eq!(new.fields[1].name, "stream");
    let (mut unedited, _) = running(ZONE, 2.0);
    for _ in 0..30 {
        crowd.step();
        unedited.step();
        assert_eq!(people(&crowd), people(&unedited));
    }
}

#[test]
fn who_was_only_led_pursues_the_goals_that_are_given_to_them() {
    let goals = "goals = [{ seek = [-5, 4] }]\n    led = { by = [\"stream\"], share = 0.1,";
    let edits = [("led = { by = [\"stream\"], share = 0.9,", goals)];
    let (mut crowd, _) = adopted(ZONE, 2.0, &edits);
    support::run(&mut crowd, 10.0);
    let there = people(&crowd)[0].position;
    assert!(there.y > 2.0, "{there}");
}

#[test]
fn who_comes_where_everybody_is_led_goes_their_own_way() {
    let guide = "[[groups]]\n    name = \"guides\"\n    goals = [{ seek = [-5, 8] }]\n    \
                 people = [{ position = [0, 8] }]\n    [[groups]]";
    let (mut crowd, _) = adopted(ZONE, 2.0, &[("[[groups]]", guide)]);
    support::run(&mut crowd, 8.0);
    let guide = people(&crowd).into_iter().find(|person| person.group == GroupId(0)).unwrap();
    assert!(guide.position.distance(Vec2::new(-5.0, 8.0)) < 1.0, "{guide:?}");
}
