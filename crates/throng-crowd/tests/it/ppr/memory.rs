//! What people keep in mind, and what they tell about it.

use glam::Vec2;
use throng_base::Heading;
use throng_crowd::steering::{Action, Cause, Constraints, Encounter, Mode, Rules};
use throng_crowd::{Crowd, Effort, NewPerson, PersonId, Plan, Setting};
use throng_world::Shape;
use throng_world::scene::Then;

use super::{STEP, Walk, crowd, steered, walk};
use crate::support::{bits, plane, rectangle, seek, with_obstacles};

fn rules(crowd: &Crowd, id: u32) -> Rules {
    match crowd.inspect(PersonId(id)).unwrap().constraints {
        Constraints::Rules(rules) => rules,
        other => panic!("{other:?}"),
    }
}

fn words(crowd: &Crowd, id: u32) -> String {
    crowd.inspect(PersonId(id)).unwrap().status_in_words(&crowd.names(&[]))
}

#[test]
fn a_threat_is_avoided_waited_for_and_forgotten() {
    let walks = [walk((-10.0, 0.0), (10.0, 0.0)), walk((10.0, 0.0), (-10.0, 0.0))];
    let mut crowd = crowd(&walks, &[], &[]);
    let (mut modes, mut first) = (Vec::new(), None);
    let (mut waited_since, mut foreseen) = (0.0, 0.0);
    while crowd.people().count() == 2 {
        let told = rules(&crowd, 0);
        if modes.last() != Some(&told.mode) {
            modes.push(told.mode);
            if told.mode == Mode::Waiting {
                waited_since = crowd.time();
                foreseen = f64::from(told.threats[0].ends) + 0.5;
            }
            if told.mode == Mode::Normal && modes.len() > 1 {
                let waited = crowd.time() - waited_since;
                assert!((waited - foreseen).abs() < 2.5 * STEP, "{waited} s, not {foreseen}");
            }
        }
        if first.is_none() && !told.threats.is_empty() {
            let apart: Vec<Vec2> = crowd.people().map(|p| p.position).collect();
            first = Some(apart[0].distance(apart[1]));
            let threat = told.threats[0];
            assert_eq!((threat.person, threat.avoided), (PersonId(1), false));
            assert_eq!(
                (threat.encounter, told.action),
                (Encounter::Oncoming, Action::AvoidOncoming)
            );
            assert!(words(&crowd, 0).ends_with("(P: person 1)."), "{}", words(&crowd, 0));
        }
        match told.mode {
            Mode::Waiting => {
                assert!(told.threats[0].avoided, "{told:?}");
                assert_eq!(told.action, Action::KeepOn);
            }
            Mode::Normal => assert!(told.threats.is_empty(), "{told:?}"),
            _ => {}
        }
        crowd.step();
    }
    let expected = [Mode::Normal, Mode::Proactive, Mode::Waiting, Mode::Normal];
    assert_eq!(modes, expected);
    // At 2.6 m/s towards each other it is over in less than four seconds from 9.2 m on.
    let first = first.unwrap();
    assert!((9.0..=9.2).contains(&first), "listed from {first} m on");
}

/// People who walk straight to their goals at full speed, and look for no way round anything.
fn straight_on(walks: &[Walk], walls: Vec<Shape>) -> Crowd {
    let mut crowd = Crowd::new(Setting { step: STEP, ..with_obstacles(walls) });
    for walk in walks {
        let plan = Plan { goals: vec![seek(walk.to, 0.5)], then: Then::Leave };
        let plan = crowd.add_plan(plan).unwrap();
        let velocity = (walk.to - walk.from).normalize() * walk.speed;
        crowd.add(&NewPerson { velocity, ..steered(walk, plan, &[]) }).unwrap();
    }
    crowd
}

#[test]
fn what_a_wall_hides_is_no_threat() {
    let walks = [walk((-3.5, 0.0), (30.0, 0.0)), walk((3.5, 0.0), (-30.0, 0.0))];
    let listed = |walls| rules(&straight_on(&walks, walls), 0).threats.len();
    assert_eq!(listed(Vec::new()), 1);
    assert_eq!(listed(vec![rectangle((-0.1, -3.0), (0.1, 3.0))]), 0);
    assert_eq!(listed(vec![rectangle((-0.1, 1.0), (0.1, 3.0))]), 1, "beside");
}

#[test]
fn who_faces_away_turns_over_a_side_as_fast_as_they_can() {
    let mut crowd = Crowd::new(Setting { step: STEP, ..plane() });
    let there = walk((0.0, 0.0), (-4.0, 0.0));
    let plan = Plan { goals: vec![seek(there.to, 0.5)], then: Then::Leave };
    let plan = crowd.add_plan(plan).unwrap();
    let heading = Heading::from_radians(0.0);
    crowd.add(&NewPerson { heading, ..steered(&there, plan, &[]) }).unwrap();
    crowd.straighten();
    let (mut before, mut turned) = (Vec2::X, 0.0);
    assert_eq!(rules(&crowd, 0).mode, Mode::Turning);
    while crowd.people().next().is_some() {
        let told = rules(&crowd, 0);
        let angle = before.angle_to(told.heading).abs();
        assert!(angle <= 3.8 * STEP as f32 + 1e-3, "{angle}");
        (before, turned) = (told.heading, turned + angle);
        crowd.step();
        assert!(crowd.time() < 6.0, "never arrives");
    }
    assert!((turned - std::f32::consts::PI).abs() < 0.5, "{turned} rad in all");
}

#[test]
fn feelers_tell_what_is_right_ahead() {
    let walks = [walk((0.0, 0.0), (20.0, 0.0)), walk((1.2, 0.0), (20.0, 0.5)).at(0.4)];
    let crowd = straight_on(&walks, vec![rectangle((-5.0, 0.53), (25.0, 1.0))]);
    let told = rules(&crowd, 0);
    assert_eq!(told.feelers.len(), 5);
    let met = told.feelers[1].hit.unwrap();
    assert_eq!(met.1, Cause::Person(PersonId(1)));
    assert!((met.0 - 0.7).abs() < 1e-4, "{met:?}");
    assert!(matches!(told.feelers[3].hit, Some((_, Cause::Wall(_)))), "{told:#?}");
    assert!(told.feelers[4].hit.is_none(), "{told:#?}");
    assert!(told.scoot < 0.0, "away from the wall on the left: {told:#?}");
}

#[test]
fn whoever_is_steered_simply_for_a_while_has_forgotten_all() {
    let walks = [walk((-6.0, 0.0), (10.0, 0.0)), walk((6.0, 0.0), (-10.0, 0.0))];
    let mut crowd = crowd(&walks, &[], &[]);
    while rules(&crowd, 0).mode != Mode::Waiting {
        crowd.step();
    }
    assert!(crowd.set_effort(PersonId(0), Effort::Path));
    crowd.step();
    assert!(crowd.set_effort(PersonId(0), Effort::Full));
    assert_ne!(rules(&crowd, 0).mode, Mode::Waiting);
    let before = bits(&crowd);
    crowd.step();
    assert_ne!(before, bits(&crowd));
}
