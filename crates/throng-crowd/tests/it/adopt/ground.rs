//! Obstacles and regions of an edited scene.

use glam::Vec2;
use throng_crowd::{Crowd, PersonId, PersonState, Status};
use throng_world::scene::LayerId;

use super::{HOUSE, YARD, adopted, edited, largest_overlap, people, running, scene, support};

/// Somebody stands where a door is about to close.
const DOOR: &str = r#"
    format = 1
    world.bounds = [[-10, -10], [10, 10]]
    obstacles = [{ name = "door", box = { center = [0, 0], size = [2, 2] }, during = [{ from = 1 }] }]
    [[groups]]
    name = "one"
    people = [{ position = [0, 0] }]
"#;

fn is_there(crowd: &Crowd) -> Vec<bool> {
    crowd.obstacles().map(|(_, _, is_there)| is_there).collect()
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
fn what_comes_and_goes_by_itself_goes_on_doing_so() {
    // It waits for who is in its way, and so it does after any edit elsewhere.
    let (crowd, _) = adopted(DOOR, 3.0, &[("name = \"one\"", "name = \"one\"\n    speed = 1")]);
    assert_eq!((is_there(&crowd), people(&crowd)[0].position), (vec![false], Vec2::ZERO));
    // Its time has not come.
    let late = DOOR.replace("from = 1", "from = 60");
    let (crowd, _) = adopted(&late, 3.0, &[("name = \"one\"", "name = \"one\"\n    speed = 1")]);
    assert_eq!(is_there(&crowd), [false]);
    // Its time is now, by the author's will.
    let (crowd, _) = adopted(&late, 3.0, &[("from = 60", "from = 2")]);
    assert_eq!(is_there(&crowd), [true]);
    assert!(people(&crowd)[0].position.abs().max_element() > 1.0);
}

#[test]
fn a_door_that_never_closed_leaves_no_trace_when_it_is_taken_away() {
    let (crowd, _) = adopted(
        DOOR,
        3.0,
        &[(
            "{ name = \"door\", box = { center = [0, 0], size = [2, 2] }, during = [{ from = 1 }] }",
            "",
        )],
    );
    assert_eq!(crowd.obstacles().count(), 0);
    assert!(crowd.walls().is_empty());
}

#[test]
fn an_obstacle_that_is_moved_to_another_floor_stands_there() {
    let (crowd, _) = adopted(
        HOUSE,
        1.0,
        &[("layer = \"lower\" }]\n    [[conn", "layer = \"upper\" }]\n    [[conn")],
    );
    let beside = Vec2::new(-10.0, 1.1);
    assert!(crowd.walls().is_free(LayerId(0), beside, 0.25));
    assert!(!crowd.walls().is_free(LayerId(1), beside, 0.25));
}

#[test]
fn who_steps_aside_touches_neither_wall_nor_neighbour() {
    let crowded = YARD.replace("count = 30", "count = 300");
    let wall = "[[obstacles]]\n    wall = { points = [[-12, -12], [-12, 12]], thickness = 1 }\n    [[regions]]\n    name = \"east\"";
    let (before, _) = running(&crowded, 0.5);
    let (crowd, _) = adopted(&crowded, 0.5, &[("[[regions]]\n    name = \"east\"", wall)]);
    assert!(largest_overlap(&crowd) <= largest_overlap(&before).max(0.0));
    let moved: Vec<PersonState> = (people(&crowd).into_iter().zip(people(&before)))
        .filter_map(|(now, before)| (now.position != before.position).then_some(now))
        .collect();
    assert!(moved.len() > 10, "{}", moved.len());
    for person in moved {
        // With a little room to spare: nobody begins in contact.
        assert!(crowd.walls().is_free(person.layer, person.position, person.radius + 0.008));
    }
}

#[test]
fn nobody_is_moved_out_of_the_world() {
    let text =
        DOOR.replace("from = 1", "from = 60").replace("position = [0, 0]", "position = [9.5, 0]");
    let wall = ", { box = { center = [9.4, 0], size = [1, 6] }, during = [{ from = 0.5 }] }]\n    [[groups]]";
    let (crowd, new) = adopted(&text, 1.0, &[("]\n    [[groups]]", wall)]);
    let person = people(&crowd)[0].position;
    assert!(new.bounds.contains(person) && person.distance(Vec2::new(9.5, 0.0)) > 0.5, "{person}");
}

#[test]
fn who_is_pressed_against_a_wall_stays_there_when_another_comes() {
    let text = DOOR
        .replace(", during = [{ from = 1 }]", "")
        .replace("position = [0, 0]", "position = [1.3, 0]");
    let (mut crowd, old) = running(&text, 1.0);
    let mut character = crowd.character(PersonId(0)).unwrap();
    character.radius += 0.1;
    assert!(crowd.set_character(PersonId(0), &character).unwrap());
    let before = people(&crowd)[0].position;
    assert!(!crowd.walls().is_free(LayerId(0), before, character.radius));
    let wall = ", { box = { center = [-8, 0], size = [1, 6] } }]\n    [[groups]]";
    crowd.adopt(&old, &scene(&text.replace("]\n    [[groups]]", wall))).unwrap();
    assert_eq!((crowd.obstacles().count(), people(&crowd)[0].position), (2, before));
}

#[test]
fn who_climbs_stairs_and_steps_aside_is_on_the_floor_where_they_are_then() {
    let text = HOUSE.replace("{ position = [-5, 5] }", "{ position = [2.8, 0] }");
    let wall = "center = [2.1, 0], size = [2.4, 1.9] }, during = [{ from = 0.05 }],";
    let (crowd, _) = adopted(&text, 0.1, &[("center = [-10, 0], size = [2, 2] },", wall)]);
    let person = people(&crowd)[0];
    // Up the stairs, beyond their middle.
    assert!((3.3..4.0).contains(&person.position.x), "{person:?}");
    assert_eq!(person.layer, LayerId(1));
}

/// Somebody on their way along a street, and the wall beside it.
const STREET: &str = r#"
    format = 1
    world.bounds = [[-20, -10], [20, 10]]
    world.closed = true
    obstacles = [{ wall = { points = [[0, -10], [0, 4]], thickness = 0.3 } }]
    [[groups]]
    name = "one"
    speed = 1.3
    goals = [{ seek = [15, -8] }]
    people = [{ position = [-15, -8] }]
"#;

#[test]
fn ways_that_are_closed_or_opened_are_noticed() {
    let gate = "thickness = 0.3 } }, { wall = { points = [[0, 3.9], [0, 10]], thickness = 0.3 } }]";
    let (mut crowd, closed) = adopted(STREET, 3.0, &[("thickness = 0.3 } }]", gate)]);
    support::run_until(&mut crowd, 10.0, |crowd| people(crowd)[0].status == Status::NoPath);
    crowd.adopt(&closed, &scene(STREET)).unwrap();
    assert!(crowd.walls().is_free(LayerId(0), Vec2::new(0.0, 7.0), 0.25));
    support::run_until(&mut crowd, 90.0, |crowd| people(crowd)[0].status == Status::Arrived);
}

#[test]
fn regions_that_cost_more_are_walked_round_from_now_on() {
    let text = "format = 1\nworld.bounds = [[-12, -8], [12, 8]]\nworld.closed = true\n\
         obstacles = [{ box = { center = [0, 0], size = [8, 8] } }]\n\
         [[regions]]\nname = \"mud\"\nrectangle = [[-6, 3], [6, 8]]\ncost = 1\n\
         [[groups]]\nname = \"one\"\nspeed = 1.3\ngoals = [{ idle = 1 }, { seek = [9, 0.5], within = 2 }]\n\
         people = [{ position = [-8, 0.5] }]\n";
    let highest = |mut crowd: Crowd| {
        let highest = std::cell::Cell::new(0.0_f32);
        support::run_until(&mut crowd, 40.0, |crowd| {
            highest.set(highest.get().max(people(crowd)[0].position.y));
            people(crowd)[0].status == Status::Arrived
        });
        highest.get()
    };
    assert!(highest(running(text, 0.5).0) > 4.0, "the way in the north is a little shorter");
    assert!(highest(adopted(text, 0.5, &[("cost = 1", "cost = 5")]).0) < 4.0);
}

#[test]
fn walls_are_seen_as_far_as_new_models_look() {
    let before = running(YARD, 0.5).0.walls().reach();
    let steering = "name = \"walkers\"\n    radius = 0.5\n    max_speed = 12";
    let edits = [("name = \"walkers\"", steering)];
    let (crowd, new) = adopted(YARD, 0.5, &edits);
    let anew = Crowd::from_scene(&new).unwrap().walls().reach();
    assert!(anew > before, "{anew} {before}");
    assert!(crowd.walls().reach() >= anew);
    assert!(crowd.inspect(PersonId(0)).is_some());
}
