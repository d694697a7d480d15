//! What is looked at, for how long, and when it is looked at again.

use glam::Vec3;
use throng_base::random::Random;
use throng_motion::gaze::{Attention, Interest, Onlooker, Subject, Target, Traits};

const STEP: f32 = 0.04;

fn me() -> Onlooker {
    Onlooker {
        subject: Some(Subject::person(0)),
        eyes: Vec3::new(0.0, 1.6, 0.0),
        forward: Vec3::Z,
        velocity: 1.3 * Vec3::Z,
    }
}

/// A shop window that faces whoever comes.
fn window(number: u64, x: f32, z: f32) -> Interest {
    Interest { facing: -Vec3::Z, ..Interest::new(Subject::place(number), Vec3::new(x, 1.5, z)) }
}

fn average() -> Attention {
    Attention::new(Traits::default(), Random::new(1), 0)
}

fn chosen(attention: &mut Attention, interests: &[Interest]) -> Option<Subject> {
    let interests = interests.iter().copied();
    attention.choose(&me(), interests, |_| true, STEP).map(|Target { subject, .. }| subject)
}

#[test]
fn near_oncoming_and_different_things_attract_more() {
    let alone = |interest: Interest, other: Interest| {
        chosen(&mut average(), &[interest, other]) == Some(interest.subject)
    };
    let person = |number, z: f32, speed: f32| Interest {
        velocity: speed * Vec3::Z,
        ..Interest::new(Subject::person(number), Vec3::new(0.5, 1.6, z))
    };
    assert!(alone(window(1, 0.0, 2.0), window(2, 0.0, 6.0)), "near");
    assert!(alone(person(1, 4.0, -1.3), person(2, 4.0, 1.3)), "oncoming, moving differently");
    let dull = Interest { level: 0.5, ..window(2, 0.0, 2.0) };
    assert!(alone(window(1, 0.0, 2.0), dull), "level");
    // Of two who are headed one's own way, the one at the side has just entered.
    let traits =
        Traits { near: 0.0, moving: 0.0, oncoming: 0.0, threshold: 0.05, ..Traits::default() };
    let mut attention = Attention::new(traits, Random::new(1), 0);
    let aside = Interest { position: Vec3::new(3.0, 1.6, 0.5), ..person(2, 4.0, 1.3) };
    assert_eq!(chosen(&mut attention, &[person(1, 4.0, 1.3), aside]), Some(aside.subject));
}

#[test]
fn what_is_far_behind_dull_or_seen_from_behind_is_not_noticed() {
    let none = |interest: Interest| chosen(&mut average(), &[interest]).is_none();
    assert!(!none(window(1, 0.0, 3.0)));
    assert!(none(window(1, 0.0, 10.5)), "far");
    assert!(none(window(1, 0.5, -3.0)), "behind");
    assert!(none(Interest { level: 0.2, ..window(1, 0.0, 3.0) }), "dull");
    assert!(none(Interest { reach: 2.0, ..window(1, 0.0, 3.0) }), "small");
    let view = 60f32.to_radians();
    assert!(!none(Interest { view, ..window(1, 0.0, 3.0) }));
    assert!(none(Interest { view, facing: Vec3::Z, ..window(1, 0.0, 3.0) }), "its back");
    let myself = Interest { subject: Subject::person(0), ..window(1, 0.0, 3.0) };
    assert!(none(myself));
}

#[test]
fn walls_are_asked_about_only_when_it_matters() {
    let windows: Vec<Interest> =
        (0..100).map(|number| window(number, 0.0, 9.0 - 0.05 * number as f32)).collect();
    let mut asked = 0;
    let mut attention = average();
    let hidden = |interest: &Interest| interest.subject.number != 99;
    let target = attention.choose(
        &me(),
        windows.iter().rev().copied(),
        |interest| {
            asked += 1;
            hidden(interest)
        },
        STEP,
    );
    assert_eq!(target.unwrap().subject, Subject::place(98), "the nearest that is not hidden");
    assert_eq!(asked, 2);
    // In whatever order things come, the choice is the same.
    let target = average().choose(&me(), windows, |interest| hidden(interest), STEP);
    assert_eq!(target.unwrap().subject, Subject::place(98));
}

#[test]
fn things_are_held_become_boring_and_are_looked_at_again_much_later() {
    let mut attention = average();
    let windows = [window(1, 0.0, 3.0)];
    let mut looked = Vec::new();
    for _ in 0..500 {
        looked.push(chosen(&mut attention, &windows).is_some());
    }
    let run = |from: usize, what: bool| {
        looked[from..].iter().take_while(|looked| **looked == what).count() as f32 * STEP
    };
    let (held, first) = (run(0, true), looked.iter().position(|looked| !looked).unwrap());
    assert!((held - 3.5).abs() < 2.0 * STEP, "{held}");
    assert!((run(first, false) - 6.0).abs() < 2.0 * STEP);
    let again = looked[first..].iter().filter(|looked| **looked).count();
    assert!(again > 0);
}

#[test]
fn what_is_a_little_better_does_not_distract_and_what_is_much_better_does_after_a_while() {
    let mut attention = average();
    let (usual, bit, much) = (window(1, 0.0, 6.0), window(2, 0.0, 5.5), window(3, 0.0, 1.0));
    assert_eq!(chosen(&mut attention, &[usual]), Some(usual.subject));
    for _ in 0..50 {
        assert_eq!(chosen(&mut attention, &[usual, bit]), Some(usual.subject));
    }
    let mut attention = average();
    chosen(&mut attention, &[usual]);
    let mut until = 0;
    while chosen(&mut attention, &[usual, much]) == Some(usual.subject) {
        until += 1;
    }
    assert!((until as f32 * STEP - 0.8).abs() < 2.0 * STEP, "{until}");
    assert_eq!(attention.held(), Some(much.subject));
    assert!(!attention.ignores(usual.subject), "left, not tired of");
}

#[test]
fn a_director_is_obeyed_at_once_and_for_ever() {
    let mut attention = average();
    let window = window(1, 0.0, 1.0);
    chosen(&mut attention, &[window]);
    let script = Interest {
        level: 0.01,
        ..Interest::new(Subject::scripted(1), Vec3::new(-20.0, 3.0, 30.0))
    };
    for _ in 0..500 {
        assert_eq!(chosen(&mut attention, &[window, script]), Some(script.subject));
    }
    assert_eq!(chosen(&mut attention, &[window]), Some(window.subject));
}

#[test]
fn what_cannot_be_reached_is_dismissed() {
    let mut attention = average();
    let (best, other) = (window(1, 0.0, 2.0), window(2, 0.0, 5.0));
    assert_eq!(chosen(&mut attention, &[best, other]), Some(best.subject));
    attention.dismiss(best.subject);
    assert_eq!(chosen(&mut attention, &[best, other]), Some(other.subject));
    // However much is dismissed: the oldest is forgotten first.
    for number in 10..30 {
        attention.dismiss(Subject::place(number));
        chosen(&mut attention, &[]);
    }
    assert!(attention.ignores(Subject::place(29)) && !attention.ignores(Subject::place(10)));
}

#[test]
fn everybody_is_different_and_always_the_same() {
    let random = Random::new(5);
    let traits = |who| Attention::of(random, who).traits;
    assert_eq!(traits(3), traits(3));
    assert_ne!(traits(3), traits(4));
    for who in 0..1000 {
        let traits = traits(who);
        for weight in [traits.near, traits.moving, traits.oncoming, traits.entering] {
            assert!((0.2..1.0).contains(&weight));
        }
        assert!((0.3..0.7).contains(&traits.threshold));
        assert!((2.0..5.0).contains(&traits.hold) && (4.0..8.0).contains(&traits.refractory));
    }
}
