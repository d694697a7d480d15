//! What a step was busy with.

use glam::Vec2;
use throng_crowd::{Crowd, Stage, StageTimes};

use crate::support::{self, crowd, run, walker};

#[test]
fn stages_have_names_and_add_up() {
    let mut crowd = Crowd::new(support::plane());
    assert_eq!(*crowd.timings(), StageTimes::default());
    walker(&mut crowd, Vec2::ZERO, Vec2::X);
    crowd.step();
    let timings = crowd.timings();
    let names: Vec<&str> = timings.iter().map(|(stage, _)| stage.as_str()).collect();
    let all = "obstacles emit ways goals fields grid steer bodies contacts advance";
    assert_eq!(names.join(" "), all);
    assert_eq!(timings.total(), timings.iter().map(|(_, time)| time).sum());
    assert_eq!(timings.of(Stage::Grid), timings.iter().nth(5).map(|(_, time)| time).unwrap());
    assert!(timings.total().as_nanos() > 0);
}

#[test]
fn contacts_are_counted_once_per_pair_and_for_one_step() {
    let mut crowd = support::people_in_the_open(
        r#"
        [[groups]]
        name = "blind"
        steering = { model = "none" }
        people = [
            { position = [0, 0], goal = { seek = [4, 0] } },
            { position = [4, 0], goal = { seek = [0, 0] } },
            { position = [9, 9], goal = { idle = 100 } },
        ]
        "#,
    );
    crowd.step();
    assert_eq!(crowd.timings().contacts, 0);
    run(&mut crowd, 2.0);
    assert_eq!(crowd.timings().contacts, 1);
    crowd.remove(throng_crowd::PersonId(1));
    crowd.step();
    assert_eq!(crowd.timings().contacts, 0);
}

#[test]
fn who_asks_for_a_way_is_counted_until_they_are_told() {
    let mut crowd = crowd(
        r#"
        [world]
        bounds = [[0, 0], [20, 10]]
        closed = true
        [[obstacles]]
        wall = { points = [[12, 0], [12, 10]], thickness = 0.2 }
        [[groups]]
        name = "a"
        people = [
            { position = [2, 2], goal = { seek = [18, 8] } },
            { position = [4, 2], goal = { seek = [6, 8] } },
            { position = [2, 6], goal = { idle = 100 } },
        ]
        "#,
    );
    let counts = |crowd: &Crowd| {
        let StageTimes { asking, told, lost, .. } = *crowd.timings();
        [asking, told, lost]
    };
    crowd.step();
    assert_eq!(counts(&crowd), [0, 0, 0], "they have just thought of it");
    crowd.step();
    assert_eq!(counts(&crowd), [2, 1, 1]);
    crowd.step();
    assert_eq!(counts(&crowd), [0, 0, 0]);
}
