//! Panic: how it begins, spreads and fades, and what it does.

use glam::Vec2;
use throng_crowd::{Crowd, CrowdError, PersonId, Status};

use super::{flow, plane, stand, steered};
use crate::support::{crowd, run, run_until};

fn panicking(crowd: &Crowd) -> usize {
    crowd.people().filter(|p| crowd.conduct(p.id).is_some_and(|conduct| conduct.panics)).count()
}

#[test]
fn panic_spreads_from_a_few_to_those_around_them_and_no_further() {
    let mut crowd = Crowd::new(plane());
    let rest = stand(&mut crowd);
    // Two squares of people, 20 m apart.
    for i in 0..50 {
        let (group, place) = (i / 25, i % 25);
        let at = Vec2::new((place % 5) as f32 + 20.0 * group as f32, (place / 5) as f32);
        crowd.add(&steered(at, rest, &[])).unwrap();
    }
    crowd.step();
    assert_eq!(panicking(&crowd), 0);
    for id in 0..5 {
        assert_eq!(crowd.set_panic(PersonId(id), 1.0), Ok(true));
    }
    crowd.step();
    assert_eq!(panicking(&crowd), 5);
    run(&mut crowd, 40.0);
    assert_eq!(panicking(&crowd), 25, "everybody in earshot, and nobody else");
    for id in 0..25 {
        assert_eq!(crowd.set_panic(PersonId(id), 0.0), Ok(true));
    }
    run(&mut crowd, 1.0);
    assert_eq!(panicking(&crowd), 0, "they were calmed down");
}

#[test]
fn panic_fades_in_whoever_is_alone() {
    let mut crowd = Crowd::new(plane());
    let way = flow(&mut crowd, Vec2::X);
    let id = crowd.add(&steered(Vec2::ZERO, way, &[("panic", 1.0)])).unwrap();
    crowd.step();
    assert_eq!(crowd.person(id).unwrap().status, Status::Panicking);
    let words = crowd.inspect(id).unwrap().status_in_words(&crowd.names(&[]));
    assert!(words.starts_with("Panics"), "{words}");
    // At 0.05 per second from 1 to half of the threshold of 0.5.
    let calm = run_until(&mut crowd, 30.0, |crowd| panicking(crowd) == 0);
    assert!((calm - 15.0).abs() < 0.5, "{calm} s");
    assert_eq!(crowd.person(id).unwrap().status, Status::Walking);
}

#[test]
fn what_cannot_panic_does_not() {
    let mut crowd = Crowd::new(plane());
    let rest = stand(&mut crowd);
    let id = crowd.add(&crate::support::person(Vec2::ZERO, rest)).unwrap();
    assert_eq!(crowd.set_panic(id, 1.0), Ok(false), "ORCA knows no panic");
    assert_eq!(crowd.set_panic(PersonId(7), 1.0), Ok(false));
    assert!(crowd.conduct(id).is_none() && !crowd.trip(id));
    for level in [-0.1, 1.1, f32::NAN] {
        assert!(matches!(crowd.set_panic(id, level), Err(CrowdError::OutOfRange { .. })));
    }
}

/// Four rooms alike, each with a door of 1 m: when the last of the people who began there are out, s, if the
/// people of the last room panic.
fn rooms() -> Vec<f64> {
    let mut text = String::from(
        "[simulation]\nstep = 0.04\nseed = 4\nnavigation = false\n\
         [world]\nbounds = [[-2, -10], [50, 20]]\n",
    );
    for i in 0..4 {
        let x = 12 * i;
        let [door, end, other] = [x + 4, x + 5, x + 10];
        let kind = if i == 3 { "panicking" } else { "calm" };
        text += &format!(
            "[[obstacles]]\nwall = {{ points = [[{end}, 0], [{other}, 0], [{other}, 10], [{x}, 10], \
             [{x}, 0], [{door}, 0]], thickness = 0.2 }}\n\
             [[regions]]\nname = \"room {i}\"\nrectangle = [[{x}.5, 2], [{other}, 9.5]]\n\
             [[regions]]\nname = \"door {i}\"\nrectangle = [[{door}.25, -2], [{door}.75, 0]]\n\
             [[regions]]\nname = \"out {i}\"\nrectangle = [[{x}, -8], [{other}, -5]]\n\
             [[groups]]\nname = \"group {i}\"\nradius = 0.25\nspeed = 1.3\nmax_speed = 2.2\n\
             steering = {{ model = \"hidac\", personality = \"{kind}\" }}\n\
             crowds = [{{ count = 40, region = \"room {i}\" }}]\n\
             goals = [{{ seek = \"door {i}\" }}, {{ seek = \"out {i}\" }}]\nthen = \"leave\"\n",
        );
    }
    let mut crowd = crowd(&text);
    let mut empty = vec![0.0; 4];
    while crowd.time() < 180.0 && !crowd.is_empty() {
        crowd.step();
        for p in crowd.people() {
            empty[p.group.0 as usize] = crowd.time();
        }
    }
    empty
}

#[test]
fn a_room_in_panic_is_empty_sooner_than_three_calm_ones() {
    let times = rooms();
    println!("{times:?} s");
    assert!(times.iter().all(|time| *time < 180.0), "all get out: {times:?}");
    assert!(times[..3].iter().all(|calm| *calm > 1.1 * times[3]), "{times:?}");
}
