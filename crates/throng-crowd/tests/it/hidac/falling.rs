//! People who fall, and those who walk round them or over them.

use glam::Vec2;
use throng_crowd::steering::{Cause, Constraints};
use throng_crowd::{Condition, Crowd, PersonId, PersonState, Setting, Status};

use super::{STEP, flow, plane, stand, steered};
use crate::support::{overlaps, rectangle, step_within_walls, with_obstacles};

const FALLEN: PersonId = PersonId(0);

/// Whether somebody is over one who lies at the origin along x: torso and head, 1.0 m by 0.5 m.
fn is_over(person: &PersonState) -> bool {
    person.id != FALLEN && person.position.x.abs() < 0.5 && person.position.y.abs() < 0.25
}

/// Somebody who lies at the origin for a long time.
fn somebody_lies(crowd: &mut Crowd) {
    let rest = stand(crowd);
    crowd.add(&steered(Vec2::ZERO, rest, &[("lying_time", 600.0)])).unwrap();
    assert!(crowd.trip(FALLEN));
}

fn pushes_of_fallen(crowd: &Crowd, id: PersonId) -> usize {
    let inspection = crowd.inspect(id).unwrap();
    let Constraints::Urges(urges) = &inspection.constraints else { panic!("{inspection:#?}") };
    let all = urges.urges.iter().chain(&urges.pushes);
    all.filter(|urge| urge.cause == Cause::Person(FALLEN)).count()
}

#[test]
fn a_few_people_walk_round_whoever_lies_in_their_way() {
    for y in [-0.3, 0.0, 0.1, 0.3] {
        let mut crowd = Crowd::new(plane());
        somebody_lies(&mut crowd);
        let way = flow(&mut crowd, Vec2::X);
        for i in 0..5 {
            crowd.add(&steered(Vec2::new(-5.0 - 4.0 * i as f32, y), way, &[])).unwrap();
        }
        let mut named = 0;
        for _ in 0..600 {
            crowd.step();
            let Constraints::Urges(urges) = crowd.inspect(PersonId(1)).unwrap().constraints else {
                panic!("urges")
            };
            named += urges.fallen.iter().filter(|f| f.cause == Cause::Fallen(FALLEN)).count();
            assert!(!crowd.people().any(|p| is_over(&p)), "nobody steps over them");
            assert!((1..6).all(|id| pushes_of_fallen(&crowd, PersonId(id)) == 0));
        }
        assert!(named > 20, "inspections name who lies there");
        let lying = crowd.person(FALLEN).unwrap();
        assert_eq!((lying.position, lying.status), (Vec2::ZERO, Status::Fallen));
        assert!(crowd.people().all(|p| p.id == FALLEN || p.position.x > 5.0), "all have passed");
    }
}

#[test]
fn a_dense_crowd_that_pushes_steps_over_whoever_lies() {
    let walls = [1.1, -1.1].map(|y| rectangle((-40.0, y - 0.1), (40.0, y + 0.1)));
    let mut crowd = Crowd::new(Setting { step: STEP, ..with_obstacles(walls) });
    somebody_lies(&mut crowd);
    let way = flow(&mut crowd, Vec2::X);
    for i in 0..60 {
        let place = Vec2::new(-1.5 - 0.6 * (i / 3) as f32, (i % 3) as f32 * 0.6 - 0.6);
        let pusher = [("personal_space", 0.02), ("waiting_time", 0.0), ("fall_chance", 0.0)];
        crowd.add(&steered(place, way, &pusher)).unwrap();
    }
    let mut steps_over = 0;
    for step in 0..750 {
        step_within_walls(&mut crowd);
        steps_over += crowd.people().filter(is_over).count();
        if step % 25 == 0 {
            assert!((1..61).all(|id| pushes_of_fallen(&crowd, PersonId(id)) == 0));
        }
    }
    assert!(steps_over > 0, "somebody is pushed over them");
    assert!(crowd.people().filter(|p| p.position.x > 3.0).count() > 50, "and the crowd gets on");
    assert_eq!(crowd.person(FALLEN).unwrap().position, Vec2::ZERO);
}

#[test]
fn whoever_has_fallen_gets_up_when_nobody_is_over_them() {
    let mut crowd = Crowd::new(plane());
    let (rest, way) = (stand(&mut crowd), flow(&mut crowd, Vec2::Y));
    let a = crowd.add(&steered(Vec2::ZERO, way, &[("lying_time", 2.0)])).unwrap();
    let b = crowd.add(&steered(Vec2::new(0.5, 0.0), rest, &[])).unwrap();
    assert!(crowd.trip(a));
    (0..100).for_each(|_| crowd.step());
    assert_eq!(crowd.conduct(a).unwrap().condition, Condition::Fallen, "somebody is too near");
    let words = crowd.inspect(a).unwrap().status_in_words(&crowd.names(&[]));
    assert!(words.starts_with("Has fallen"), "{words}");
    crowd.remove(b);
    (0..5).for_each(|_| crowd.step());
    assert!(crowd.conduct(a).unwrap().condition.walks());
    (0..100).for_each(|_| crowd.step());
    assert!(crowd.person(a).unwrap().position.y > 2.0, "and walks on");
    assert_eq!(crowd.person(a).unwrap().status, Status::Walking);
    assert!(!crowd.trip(PersonId(99)));
}

/// Somebody respectful with three pushers at the back; pushes the same way add up.
fn falls(pushers: &[Vec2], chance: f32) -> bool {
    let mut crowd = Crowd::new(plane());
    let (rest, way) = (stand(&mut crowd), flow(&mut crowd, Vec2::X));
    let changes = [("personal_space", 0.3), ("fall_chance", chance)];
    crowd.add(&steered(Vec2::ZERO, rest, &changes)).unwrap();
    for place in pushers {
        let pusher = [("personal_space", 0.0), ("others_weight", 0.0), ("acceleration", 10.0)];
        crowd.add(&steered(*place, way, &pusher)).unwrap();
    }
    (0..50).any(|_| {
        crowd.step();
        assert_eq!(overlaps(&crowd).0, 0);
        crowd.conduct(FALLEN).unwrap().condition == Condition::Fallen
    })
}

#[test]
fn pushes_that_agree_make_people_fall_and_others_do_not() {
    let at = |degrees: f32| -0.7 * Vec2::from_angle(degrees.to_radians());
    let behind = [0.0, 43.0, -43.0].map(at);
    assert!(falls(&behind, 10.0));
    assert!(!falls(&behind, 0.0));
    assert!(!falls(&behind[..2], 10.0), "two are too few");
    let around = [0.0, 120.0, -120.0].map(at);
    assert!(!falls(&around, 10.0), "from all sides one is held, not thrown");
}
