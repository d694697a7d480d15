//! Doors that close, and gates that are too crowded.

use throng_crowd::{Crowd, PersonId, Status, WayKind};
use throng_world::Obstacle;
use throng_world::scene::LayerId;

use crate::support::{crowd, rectangle, run};

/// Two rooms with a wall between them, with a door at y = 0 and, unless `only`, another at y = 9.
fn rooms(people: usize, patience: f32, only: bool) -> Crowd {
    let north = if only { "[[10, 1], [10, 12]]" } else { "[[10, 1], [10, 8]]" };
    let beyond = if only {
        ""
    } else {
        "[[obstacles]]\nwall = { points = [[10, 10], [10, 12]], thickness = 0.2 }"
    };
    let people: String = (0..people)
        .map(|i| {
            let (x, y) = (8.6 - 0.62 * (i / 8) as f32, 0.62 * (i % 8) as f32 - 2.2);
            format!("[[groups.people]]\nposition = [{x:.2}, {y:.2}]\n")
        })
        .collect();
    crowd(&format!(
        r#"
        [simulation]
        step = 0.04
        seed = 3
        [world]
        bounds = [[0, -4], [20, 12]]
        closed = true
        [[obstacles]]
        wall = {{ points = [[10, -4], [10, -0.2]], thickness = 0.2 }}
        [[obstacles]]
        wall = {{ points = {north}, thickness = 0.2 }}
        {beyond}
        [[regions]]
        name = "there"
        rectangle = [[16, -3], [19, 3]]
        [[groups]]
        name = "everyone"
        radius = 0.22
        steering = {{ model = "hidac", patience = {patience}, panic_by_others = 0 }}
        goals = [{{ seek = "there" }}]
        then = "leave"
        {people}
        "#
    ))
}

fn door() -> Obstacle {
    Obstacle::new(rectangle((9.9, -0.3), (10.1, 1.1)), LayerId(0))
}

/// How many ways lead through the first door.
fn through_the_door(crowd: &Crowd) -> usize {
    let leads = |id: PersonId| {
        let way = crowd.inspect(id).unwrap().way;
        way.points.windows(2).any(|leg| {
            let (a, b) = (leg[0].position, leg[1].position);
            let share = (10.0 - a.x) / (b.x - a.x);
            (0.0..=1.0).contains(&share) && a.lerp(b, share).y < 4.0
        })
    };
    crowd.people().filter(|p| p.position.x < 10.0 && leads(p.id)).count()
}

#[test]
fn when_a_door_closes_everybody_has_another_way_within_a_step() {
    let mut crowd = rooms(60, 600.0, false);
    (0..5).for_each(|_| crowd.step());
    assert!(through_the_door(&crowd) > 55, "{} ways", through_the_door(&crowd));
    crowd.add_obstacle(door()).unwrap();
    crowd.step();
    assert_eq!(through_the_door(&crowd), 0);
    for p in crowd.people() {
        let way = crowd.inspect(p.id).unwrap().way;
        assert!(way.kind == WayKind::Route && !way.waits, "{way:?}");
    }
    run(&mut crowd, 1.0);
    assert_eq!(crowd.count(Status::NoPath), 0);
}

#[test]
fn when_the_only_door_closes_everybody_is_said_to_have_no_way() {
    let mut crowd = rooms(60, 600.0, true);
    (0..5).for_each(|_| crowd.step());
    let closed = crowd.add_obstacle(door()).unwrap();
    crowd.step();
    assert_eq!(crowd.count(Status::NoPath), crowd.len());
    crowd.remove_obstacle(closed).unwrap();
    crowd.step();
    assert_eq!(crowd.count(Status::NoPath), 0, "it is open again");
    run(&mut crowd, 90.0);
    assert!(crowd.len() < 3, "{} are still there", crowd.len());
}

#[test]
fn the_impatient_look_for_another_door() {
    // Those who come to the second door have walked round the wall.
    let took_the_other = |patience| {
        let mut crowd = rooms(64, patience, false);
        let mut other = std::collections::BTreeSet::new();
        for _ in 0..750 {
            crowd.step();
            let there = crowd.people().filter(|p| p.position.y > 7.0);
            other.extend(there.map(|p| p.id));
        }
        other.len()
    };
    let (impatient, patient) = (took_the_other(1.0), took_the_other(600.0));
    println!("{impatient} and {patient} took the other door");
    assert!(impatient > patient + 5, "{impatient} and {patient}");
}
