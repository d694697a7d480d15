//! Why people do not move: every status and every kind of obstruction.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use glam::Vec2;
use throng_crowd::{Crowd, NewPerson, Obstruction, PersonId, Plan, Setting, Status};
use throng_world::scene::{Aim, LayerId, Then};
use throng_world::{Layer, Terrain};

use crate::support::{
    GROUND, crowd, goal, people_in_the_open, person, plane, run, run_until, state,
};

/// A corridor along x, too narrow for two abreast, with these people in it.
fn narrow_corridor(people: &str) -> Crowd {
    crowd(&format!(
        r#"
        [world]
        bounds = [[-10, -2], [20, 2]]

        [[obstacles]]
        box = {{ center = [5, 0.9], size = [24, 1] }}

        [[obstacles]]
        box = {{ center = [5, -0.9], size = [24, 1] }}

        [[groups]]
        name = "queue"
        speed = 1
        people = [{people}]
        "#
    ))
}

#[test]
fn the_status_follows_the_goals() {
    let mut crowd = people_in_the_open(
        r#"
        [[groups]]
        name = "walkers"
        speed = 1
        people = [
          { position = [0, 0], goals = [{ seek = [3, 0] }, { idle = 2 }, { seek = [6, 0] }] },
          { position = [0, 9] },
        ]
        "#,
    );
    crowd.step();
    assert_eq!(state(&crowd, 1).status, Status::Arrived, "has no goals");
    assert_eq!([crowd.count(Status::Walking), crowd.count(Status::Arrived)], [1, 1]);
    for expected in [Status::Waiting, Status::Walking, Status::Arrived] {
        run_until(&mut crowd, 6.0, |crowd| state(crowd, 0).status != previous(expected));
        assert_eq!(state(&crowd, 0).status, expected);
        assert_eq!(state(&crowd, 0).obstruction, Obstruction::None);
    }
    assert_eq!(crowd.count(Status::Arrived), 2);
}

#[test]
fn somebody_who_was_pushed_while_they_hardly_moved_is_not_blocked_once_they_walk() {
    let mut crowd = crowd(
        r#"
        [world]
        bounds = [[-30, -30], [30, 30]]

        [[obstacles]]
        box = { center = [4, 1.6], size = [16, 2] }

        [[obstacles]]
        box = { center = [4, -1.6], size = [16, 2] }

        [[groups]]
        name = "walker"
        radius = 0.2
        steering.max_acceleration = 0
        people = [{ position = [0, 0], goals = [
          { seek = [25, 0], speed = 0.01, duration = 5 },
          { seek = [-20, 20], speed = 1.5 },
        ] }]

        [[groups]]
        name = "lorry"
        radius = 0.55
        speed = 1.5
        steering = { responsibility = 0, max_acceleration = 0 }
        people = [{ position = [4, 0], goal = { flow = [-1, 0] } }]
        "#,
    );
    run(&mut crowd, 5.0);
    assert!(state(&crowd, 0).position.x < -2.0, "was pushed: {:?}", state(&crowd, 0));
    run(&mut crowd, 3.0);
    let walker = state(&crowd, 0);
    assert!(walker.velocity.length() > 1.0, "{walker:?}");
    assert_eq!(walker.status, Status::Walking, "{walker:?}");
}

/// The status that comes before this one in [`the_status_follows_the_goals`].
fn previous(status: Status) -> Status {
    match status {
        Status::Walking => Status::Waiting,
        _ => Status::Walking,
    }
}

#[test]
fn people_in_a_queue_are_blocked_by_the_one_ahead_and_walk_on_when_freed() {
    let mut crowd = narrow_corridor(
        r#"
        { position = [5, 0], goal = { idle = 1000 }, steering = { responsibility = 0 } },
        { position = [2, 0], goal = { seek = [14, 0] } },
        { position = [0, 0], goal = { seek = [14, 0] } },
        "#,
    );
    run(&mut crowd, 12.0);
    let blocked_by = |id| {
        let person = state(&crowd, id);
        assert_eq!(person.status, Status::Blocked, "{person:?}");
        person.obstruction
    };
    assert_eq!(state(&crowd, 0).status, Status::Waiting);
    assert_eq!(blocked_by(1), Obstruction::Person(PersonId(0)));
    assert_eq!(blocked_by(2), Obstruction::Person(PersonId(1)));
    assert_eq!(crowd.count(Status::Blocked), 2);

    crowd.remove(PersonId(0));
    run(&mut crowd, 3.0);
    for id in [1, 2] {
        let person = state(&crowd, id);
        assert_eq!((person.status, person.obstruction), (Status::Walking, Obstruction::None));
    }
    run_until(&mut crowd, 20.0, |crowd| state(crowd, 1).status == Status::Arrived);
}

#[test]
fn nobody_is_blocked_before_they_have_tried_for_a_while() {
    let mut crowd = narrow_corridor(
        r#"
        { position = [5, 0], goal = { idle = 1000 }, steering = { responsibility = 0 } },
        { position = [4.45, 0], goal = { seek = [14, 0] } },
        "#,
    );
    run(&mut crowd, 0.8);
    assert_eq!(state(&crowd, 1).status, Status::Walking);
    run(&mut crowd, 3.0);
    assert_eq!(state(&crowd, 1).status, Status::Blocked);
}

#[test]
fn who_walks_into_a_wall_is_blocked_by_it() {
    let mut crowd = crowd(
        r#"
        [world]
        bounds = [[-10, -10], [10, 10]]

        [[obstacles]]
        wall = { points = [[3, -8], [3, 8]], thickness = 0.2 }

        [[groups]]
        name = "stubborn"
        speed = 1
        people = [
            { position = [0, 0], goals = [{ flow = [1, 0] }] },
            # Who wants to the other side goes around.
            { position = [0, 4], goals = [{ seek = [6, 4] }] },
        ]
        "#,
    );
    run(&mut crowd, 30.0);
    let stubborn = state(&crowd, 0);
    assert_eq!((stubborn.status, stubborn.obstruction), (Status::Blocked, Obstruction::Wall));
    assert!((stubborn.position.x - 2.65).abs() < 0.1, "{stubborn:?}");
    assert_eq!(state(&crowd, 1).status, Status::Arrived, "on the other side");
}

#[test]
fn a_press_with_nobody_straight_ahead_is_a_crowd() {
    let mut crowd = people_in_the_open(
        r#"
        [[groups]]
        name = "pillars of society"
        steering = { responsibility = 0 }
        goals = [{ idle = 1000 }]
        people = [{ position = [0.21, 0.46] }, { position = [0.21, -0.46] }]

        [[groups]]
        name = "squeezed"
        goals = [{ flow = [1, 0] }]
        people = [{ position = [0, 0] }]
        "#,
    );
    run(&mut crowd, 5.0);
    let squeezed = state(&crowd, 2);
    assert_eq!((squeezed.status, squeezed.obstruction), (Status::Blocked, Obstruction::Crowd));
}

#[test]
fn a_goal_on_a_floor_that_nothing_leads_to_has_no_path() {
    let floor =
        |name: &str, elevation| Layer { name: name.into(), elevation, terrain: Terrain::Flat };
    let mut crowd =
        Crowd::new(Setting { layers: vec![floor("ground", 0.0), floor("island", 3.0)], ..plane() });
    let to = |layer| goal(Aim::Seek { point: Vec2::new(5.0, 0.0), layer, within: 0.5 });
    let island = crowd.add_plan(Plan { goals: vec![to(LayerId(1))], then: Then::Leave }).unwrap();
    let ground = crowd.add_plan(Plan { goals: vec![to(GROUND)], then: Then::Leave }).unwrap();
    let stranded = crowd.add(&person(Vec2::ZERO, island)).unwrap();
    let native = crowd.add(&NewPerson { layer: LayerId(1), ..person(Vec2::ZERO, island) }).unwrap();
    let other = crowd.add(&person(Vec2::new(0.0, 2.0), ground)).unwrap();
    run(&mut crowd, 6.0);
    let person = crowd.person(stranded).unwrap();
    assert_eq!((person.status, person.position), (Status::NoPath, Vec2::ZERO));
    assert_eq!(crowd.person(native), None, "was there and has left");
    assert_eq!(crowd.person(other), None);
}
