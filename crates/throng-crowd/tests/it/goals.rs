//! What people want, and that they do it: every kind of goal, in order, and what follows the last. They change
//! velocity at once, so that times and places are those of goals alone.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use glam::Vec2;
use throng_crowd::{Crowd, PersonId, Status};

use crate::support::{
    self, assert_sound, crowd, people_in_the_open, plane, run, run_until, state, walker,
};

/// Groups whose people change velocity at once.
fn at_once(groups: &str) -> String {
    groups.replace("[[groups]]", "[[groups]]\nsteering.max_acceleration = 0")
}

/// The crowd of such groups in the open.
fn agile(groups: &str) -> Crowd {
    people_in_the_open(&at_once(groups))
}

/// One person at the origin with these goals, who walks 1 m/s.
fn one_with(goals: &str) -> Crowd {
    agile(&format!(
        "[[groups]]\nname = \"walker\"\nspeed = 1\ngoals = {goals}\npeople = [{{ position = [0, 0] }}]"
    ))
}

fn has(status: Status) -> impl Fn(&Crowd) -> bool {
    move |crowd| state(crowd, 0).status == status
}

#[test]
fn a_point_is_sought_in_a_straight_line_at_the_preferred_speed() {
    let mut crowd = one_with("[{ seek = [6, 8] }]");
    run(&mut crowd, 5.0);
    let walker = state(&crowd, 0);
    assert_eq!(walker.status, Status::Walking);
    assert!(walker.position.distance(Vec2::new(3.0, 4.0)) < 0.01, "{walker:?}");
    let took = run_until(&mut crowd, 10.0, has(Status::Arrived));
    assert!((took - 4.5).abs() < 0.25, "half a metre before the point: {took} s");
}

#[test]
fn within_says_how_near_is_near_enough() {
    for within in [0.5, 3.0] {
        let mut crowd =
            one_with(&format!("[{{ seek = [8, 0], within = {within} }}, {{ seek = [8, 20] }}]"));
        run_until(&mut crowd, 20.0, |crowd| state(crowd, 0).preferred_velocity.y > 0.5);
        let turned_at = state(&crowd, 0).position.x;
        assert!((8.0 - turned_at - within).abs() < 0.15, "{turned_at} for {within}");
    }
}

#[test]
fn whoever_has_arrived_steps_up_to_the_point_and_stands() {
    let mut crowd = one_with("[{ seek = [6, 0], within = 1.5 }]");
    run_until(&mut crowd, 10.0, has(Status::Arrived));
    assert!(state(&crowd, 0).position.x < 5.0);
    run(&mut crowd, 6.0);
    let walker = state(&crowd, 0);
    assert!(walker.position.distance(Vec2::new(6.0, 0.0)) < 0.15, "{walker:?}");
    assert_eq!((walker.velocity, walker.status), (Vec2::ZERO, Status::Arrived));
}

#[test]
fn whoever_is_pushed_off_their_place_comes_back() {
    let mut crowd = people_in_the_open(
        r#"
        [[groups]]
        steering.max_acceleration = 0
        name = "resting"
        goals = [{ seek = [0, 0], within = 0.2 }]
        people = [{ position = [0.1, 0] }]

        [[groups]]
        name = "lorry"
        speed = 1.5
        radius = 1.2
        steering = { responsibility = 0, max_acceleration = 0 }
        goals = [{ flow = [1, 0] }]
        people = [{ position = [-8, 0.3] }]
        "#,
    );
    let mut farthest: f32 = 0.0;
    for _ in 0..100 {
        crowd.step();
        assert_sound(&crowd);
        farthest = farthest.max(state(&crowd, 0).position.length());
    }
    assert!(farthest > 0.9, "made way: {farthest} m");
    run(&mut crowd, 5.0);
    assert!(state(&crowd, 0).position.length() < 0.15, "{:?}", state(&crowd, 0));
}

#[test]
fn a_region_is_entered_near_its_nearest_point() {
    let mut crowd = crowd(&at_once(
        r#"
        [world]
        bounds = [[-20, -20], [20, 20]]

        [[regions]]
        name = "platform"
        rectangle = [[6, -15], [10, 15]]

        [[groups]]
        name = "walker"
        speed = 1
        goals = [{ seek = "platform" }]
        people = [{ position = [0, 9] }, { position = [8, 0], goals = [{ seek = "platform" }] }]
        "#,
    ));
    crowd.step();
    assert_eq!(state(&crowd, 1).status, Status::Arrived, "inside from the start");
    run_until(&mut crowd, 10.0, has(Status::Arrived));
    let walker = state(&crowd, 0);
    // Straight ahead, but for a fifth of the distance.
    assert!((walker.position.y - 9.0).abs() < 0.2 * 6.0 + 0.1, "{walker:?}");
    assert!((6.0..6.25).contains(&walker.position.x), "{walker:?}");
}

/// Where people who come from one door enter a gate that is 16 m wide and 36 m away, m from its middle.
fn entries_of_a_wide_gate(navigation: bool) -> Vec<f32> {
    let mut crowd = crowd(&format!(
        r#"
        [simulation]
        navigation = {navigation}

        [world]
        bounds = [[-10, -20], [45, 20]]

        [[obstacles]]
        box = {{ center = [5, 15], size = [2, 2] }}

        [[regions]]
        name = "door"
        rectangle = [[-4, 6], [0, 8]]

        [[regions]]
        name = "gate"
        rectangle = [[36, -8], [39, 8]]

        [[groups]]
        name = "commuters"
        goals = [{{ seek = "gate" }}]
        then = "leave"
        sources = [{{ region = "door", rate = 2, limit = 60 }}]
        "#,
    ));
    let mut last = std::collections::BTreeMap::new();
    for _ in 0..1200 {
        crowd.step();
        last.extend(crowd.people().map(|person| (person.id, person.position)));
    }
    assert_eq!((last.len(), crowd.len()), (60, 0), "all have come and left");
    assert!(last.values().all(|place| place.x > 35.0), "through the gate");
    last.values().map(|place| place.y).collect()
}

#[test]
fn people_from_one_door_use_the_width_of_a_gate() {
    for navigation in [false, true] {
        let entries = entries_of_a_wide_gate(navigation);
        let metres: std::collections::BTreeSet<i32> =
            entries.iter().map(|y| y.floor() as i32).collect();
        assert!(metres.len() >= 7, "{} of 16 m with navigation {navigation}", metres.len());
    }
}

#[test]
fn a_random_place_is_drawn_anew_each_time() {
    let mut crowd = crowd(&at_once(
        r#"
        [world]
        bounds = [[-20, -20], [20, 20]]

        [[regions]]
        name = "garden"
        rectangle = [[4, 4], [12, 12]]

        [[groups]]
        name = "strollers"
        speed = 2
        goals = [{ seek = { random = "garden" }, within = 0.3 }, { idle = 0.5 }]
        then = "repeat"
        people = [{ position = [0, 0] }, { position = [0, 2] }]
        "#,
    ));
    let mut places: [Vec<Vec2>; 2] = [Vec::new(), Vec::new()];
    let mut waited = [false; 2];
    for _ in 0..600 {
        crowd.step();
        for (id, places) in (0..).zip(&mut places) {
            let waits = state(&crowd, id).status == Status::Waiting;
            if waits && !waited[id as usize] {
                places.push(state(&crowd, id).position);
            }
            waited[id as usize] = waits;
        }
    }
    for visited in &places {
        assert!(visited.len() >= 8, "{visited:?}");
        for place in visited {
            assert!(place.min_element() > 3.6 && place.max_element() < 12.4, "{place}");
        }
        let corner = visited.iter().copied().reduce(Vec2::min).unwrap();
        let opposite = visited.iter().copied().reduce(Vec2::max).unwrap();
        assert!((opposite - corner).min_element() > 3.0, "all over the garden: {visited:?}");
    }
    assert!(places[0][0].distance(places[1][0]) > 0.6, "not the same for everyone");
}

/// A hunter at the origin after a runner three metres ahead.
fn hunt(hunter_speed: f32, runner_speed: f32, hunter_goal: &str) -> Crowd {
    agile(&format!(
        r#"
        [[groups]]
        name = "children"
        people = [
          {{ position = [0, 0], speed = {hunter_speed}, goals = {hunter_goal} }},
          {{ name = "Ada", position = [3, 0], speed = {runner_speed}, goal = {{ flow = [1, 0] }} }},
        ]
        "#
    ))
}

#[test]
fn a_faster_hunter_catches_a_runner() {
    let mut crowd = hunt(2.0, 1.0, r#"[{ seek = { person = "Ada" }, within = 0.4 }]"#);
    run_until(&mut crowd, 10.0, has(Status::Arrived));
    let gap = state(&crowd, 0).position.distance(state(&crowd, 1).position) - 0.5;
    assert!((0.0..=0.55).contains(&gap), "the gap between bodies is {gap} m");
    assert!(state(&crowd, 1).position.x > 4.0, "was caught on the run");
}

#[test]
fn a_slower_hunter_goes_on_until_the_time_is_up() {
    let mut crowd = hunt(1.0, 1.3, r#"[{ seek = { person = "Ada" }, duration = 4 }]"#);
    let took = run_until(&mut crowd, 10.0, has(Status::Arrived));
    assert!((took - 4.0).abs() < 0.25, "{took} s");
    assert!((state(&crowd, 0).position.x - 4.0).abs() < 0.2);
}

#[test]
fn a_target_that_leaves_ends_the_goal() {
    for goal in [
        r#"[{ seek = { person = "Ada" } }]"#,
        r#"[{ flee = { person = "Ada" } }]"#,
        r#"[{ seek = { group = "prey" } }]"#,
        r#"[{ flee = { group = "prey" } }]"#,
    ] {
        let mut crowd = agile(&format!(
            r#"
            [[groups]]
                name = "hunter"
            speed = 0.5
            goals = {goal}
            people = [{{ position = [0, 0] }}]

            [[groups]]
                name = "prey"
            people = [{{ name = "Ada", position = [30, 0] }}]
            "#
        ));
        run(&mut crowd, 3.0);
        assert_eq!(state(&crowd, 0).status, Status::Walking, "{goal}");
        assert!(crowd.remove(PersonId(1)));
        run(&mut crowd, 1.0);
        assert_eq!(state(&crowd, 0).status, Status::Arrived, "{goal}");
    }
}

#[test]
fn of_a_group_the_nearest_is_sought_whoever_that_is() {
    let mut crowd = agile(
        r#"
        [[groups]]
        name = "guard"
        speed = 1
        goals = [{ seek = { group = "guests" }, within = 0.2 }]
        people = [{ position = [0, 0] }]

        [[groups]]
        name = "guests"
        speed = 4
        people = [
          { position = [20, 0] },
          { position = [0, -6], goals = [{ idle = 2 }, { flow = [0, -1] }] },
          { position = [-9, 0] },
        ]
        "#,
    );
    run(&mut crowd, 1.0);
    assert!(state(&crowd, 0).velocity.y < -0.9, "first the one in the south");
    run_until(&mut crowd, 30.0, has(Status::Arrived));
    let guard = state(&crowd, 0);
    assert!(guard.position.distance(Vec2::new(-9.0, 0.0)) < 0.8, "then the other: {guard:?}");
}

#[test]
fn who_flees_a_point_stops_far_enough_from_it() {
    let mut crowd = agile(
        r#"
        [[groups]]
        name = "birds"
        speed = 1
        people = [
          { position = [3, 4], goal = { flee = [0, 0], beyond = 9 } },
          { position = [0, -2], goal = { flee = [0, 0] } },
        ]
        "#,
    );
    run(&mut crowd, 20.0);
    let (bird, other) = (state(&crowd, 0), state(&crowd, 1));
    assert_eq!(bird.status, Status::Arrived);
    assert!(bird.position.distance(Vec2::new(5.4, 7.2)) < 0.15, "{bird:?}");
    assert_eq!(other.status, Status::Walking, "has no distance that is enough");
    assert!(other.position.distance(Vec2::new(0.0, -22.0)) < 0.05, "{other:?}");
}

#[test]
fn who_flees_a_person_keeps_away_as_they_come_near() {
    let mut crowd = agile(
        r#"
        [[groups]]
        name = "children"
        people = [
          { name = "Ada", position = [2, 0], speed = 2, goals = [
            { flee = { person = "Bo" }, beyond = 6 }, { idle = 0.1 },
          ], then = "repeat" },
          { name = "Bo", position = [0, 0], speed = 1, goal = { seek = { person = "Ada" } } },
        ]
        "#,
    );
    run(&mut crowd, 6.0);
    for _ in 0..150 {
        crowd.step();
        let gap = state(&crowd, 0).position.distance(state(&crowd, 1).position);
        assert!((5.5..6.4).contains(&gap), "{gap} m");
    }
    assert!(state(&crowd, 0).position.x > 15.0, "chased away");
}

#[test]
fn of_a_group_the_nearest_is_fled() {
    let mut crowd = agile(
        r#"
        [[groups]]
        name = "deer"
        speed = 1
        goals = [{ flee = { group = "wolves" }, beyond = 5 }]
        people = [{ position = [0, 0] }]

        [[groups]]
        name = "wolves"
        people = [{ position = [0, -8] }, { position = [-2, 0] }]
        "#,
    );
    run_until(&mut crowd, 10.0, has(Status::Arrived));
    let deer = state(&crowd, 0);
    assert!(deer.position.distance(Vec2::new(3.0, 0.0)) < 0.15, "{deer:?}");
}

#[test]
fn a_flow_keeps_its_direction_until_its_time_is_up() {
    let mut crowd = one_with("[{ flow = [-3, 4], duration = 5 }]");
    run(&mut crowd, 4.0);
    assert!(state(&crowd, 0).velocity.distance(Vec2::new(-0.6, 0.8)) < 1e-3);
    assert_eq!(state(&crowd, 0).status, Status::Walking);
    run(&mut crowd, 2.0);
    let walker = state(&crowd, 0);
    assert_eq!(walker.status, Status::Arrived);
    assert!(walker.position.distance(Vec2::new(-3.0, 4.0)) < 0.15, "{walker:?}");
}

#[test]
fn followers_of_the_crowd_go_where_the_others_go() {
    let mut crowd = agile(
        r#"
        [[groups]]
        name = "followers"
        speed = 1
        goals = [{ flow = "crowd" }]
        people = [{ position = [0, 0], heading = 0 }, { position = [0, -30], heading = 0 }]

        [[groups]]
        name = "procession"
        speed = 1
        goals = [{ flow = [0, 1] }]
        people = [
          { position = [-1.5, -1] }, { position = [-1.5, 1] },
          { position = [1.5, -1] }, { position = [1.5, 1] },
        ]
        "#,
    );
    run(&mut crowd, 8.0);
    let (among, alone) = (state(&crowd, 0), state(&crowd, 1));
    assert!(among.velocity.distance(Vec2::Y) < 0.1 && among.position.y > 6.0, "{among:?}");
    assert!(alone.position.distance(Vec2::new(8.0, -30.0)) < 0.05, "straight on: {alone:?}");
}

#[test]
fn idle_people_wait_for_as_long_as_they_were_told() {
    let mut crowd = one_with("[{ idle = 3 }, { seek = [5, 0] }]");
    crowd.step();
    assert_eq!(state(&crowd, 0).status, Status::Waiting);
    let waited = run_until(&mut crowd, 10.0, has(Status::Walking));
    assert!((waited - 3.0).abs() < 0.15, "{waited} s");
    let stood_at = state(&crowd, 0).position;
    assert!(stood_at.length() < 0.15, "{stood_at}");
}

#[test]
fn a_goal_can_have_its_own_speed() {
    let mut crowd = one_with(
        "[{ flow = [1, 0], duration = 3 },
          { flow = [1, 0], duration = 3, speed = 1.6 },
          { flow = [1, 0], duration = 3, speed = 0.3 },
          { flow = [1, 0] }]",
    );
    for expected in [1.0, 1.6, 0.3, 1.0] {
        run(&mut crowd, 2.0);
        let speed = state(&crowd, 0).velocity.length();
        assert!((speed - expected).abs() < 1e-3, "{speed} instead of {expected} m/s");
        run(&mut crowd, 1.1);
    }
}

#[test]
fn goals_are_pursued_one_after_the_other() {
    let mut crowd =
        one_with("[{ seek = [4, 0] }, { seek = [4, 4] }, { seek = [0, 4] }, { seek = [0, 8] }]");
    for corner in [(4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 8.0)] {
        let to = Vec2::from(corner);
        run_until(&mut crowd, 6.0, |crowd| {
            let walker = state(crowd, 0);
            let heads_there = walker.preferred_velocity.dot(to - walker.position) >= 0.0;
            assert!(heads_there || walker.position.distance(to) < 0.6, "{walker:?}");
            walker.position.distance(to) < 0.55
        });
    }
    assert!(run_until(&mut crowd, 1.0, has(Status::Arrived)) < 0.3);
}

#[test]
fn after_the_last_goal_people_stay_leave_or_begin_again() {
    let mut crowd = agile(
        r#"
        [[groups]]
        name = "actors"
        speed = 1
        goals = [{ seek = [5, 0] }, { flow = [-1, 0], duration = 4 }]
        people = [
          { position = [0, 0], then = "stay" },
          { position = [0, -6], then = "leave" },
          { position = [0, 6], then = "repeat" },
        ]
        "#,
    );
    run(&mut crowd, 13.0);
    assert_eq!((crowd.len(), crowd.ever()), (2, 3));
    assert!(crowd.person(PersonId(1)).is_none(), "left");
    assert_eq!(state(&crowd, 0).status, Status::Arrived);
    assert_eq!(state(&crowd, 0).velocity, Vec2::ZERO);
    assert_eq!(state(&crowd, 2).status, Status::Walking);
    assert!(state(&crowd, 2).velocity.x > 0.9, "on the way to the first goal again");
}

#[test]
fn what_a_person_is_given_replaces_what_the_group_has() {
    let mut crowd = agile(
        r#"
        [[groups]]
        name = "family"
        speed = 1
        radius = 0.3
        goals = [{ flow = [1, 0] }]
        people = [
          { position = [0, 0] },
          { position = [0, 5], speed = 0.5, radius = 0.15 },
          { position = [0, 10], goal = { flow = [0, 1] } },
          { position = [0, -5], max_speed = 0.7 },
          { position = [0, -10], goals = [{ idle = 100 }], velocity = [0.2, 0], heading = 90 },
        ]
        "#,
    );
    assert!(state(&crowd, 4).heading.direction().distance(Vec2::Y) < 1e-5);
    assert_eq!(state(&crowd, 4).velocity, Vec2::new(0.2, 0.0));
    run(&mut crowd, 4.0);
    let moved = |id: u32, x: f32, y: f32| {
        let position = state(&crowd, id).position;
        assert!(position.distance(Vec2::new(x, y)) < 0.05, "{id}: {position}");
    };
    moved(0, 4.0, 0.0);
    moved(1, 2.0, 5.0);
    moved(2, 0.0, 14.0);
    moved(3, 2.8, -5.0);
    moved(4, 0.0, -10.0);
    assert_eq!([state(&crowd, 0).radius, state(&crowd, 1).radius], [0.3, 0.15]);
}

#[test]
fn a_plan_that_is_done_as_soon_as_it_begins_neither_hangs_nor_moves_anyone() {
    let mut crowd = agile(
        r#"
        [[groups]]
        name = "calm"
        goals = [{ flee = [40, 40], beyond = 1 }, { flee = [40, -40], beyond = 1 }]
        then = "repeat"
        people = [{ position = [0, 0] }]
        "#,
    );
    run(&mut crowd, 1.0);
    assert_eq!(state(&crowd, 0).status, Status::Waiting);
    assert_eq!(state(&crowd, 0).position, Vec2::ZERO);
}

#[test]
fn a_crowd_fills_the_ground_around_the_place_that_all_want() {
    for count in [6u16, 60, 150] {
        let mut crowd = Crowd::new(plane());
        for i in 0..count {
            let angle = f32::from(i) * 2.399_963;
            let from = Vec2::from_angle(angle) * (6.0 + 0.5 * f32::from(i).sqrt());
            walker(&mut crowd, from, Vec2::ZERO);
        }
        let all = |crowd: &Crowd| crowd.people().all(|p| p.status == Status::Arrived);
        while !all(&crowd) {
            crowd.step();
            assert!(crowd.time() < 60.0, "{count} people, and some never arrive");
        }
        run(&mut crowd, 20.0);
        // Together, and not just somewhere near.
        let radius = 0.5 + 0.3 * (f32::from(count) / 0.4).sqrt();
        let before: Vec<Vec2> = crowd.people().map(|p| p.position).collect();
        for position in &before {
            assert!(position.length() < radius, "{count} people: {position} beyond {radius}");
        }
        run(&mut crowd, 2.0);
        for (person, before) in crowd.people().zip(before) {
            let moved = person.position.distance(before);
            assert!(moved < 0.02, "{count} people: one moves {moved} m in two seconds");
            assert_eq!(person.status, Status::Arrived);
        }
    }
}

/// A group of 5 × 5 people who stand 0.9 m apart around the origin.
fn standing_group(crowd: &mut Crowd) -> Vec<PersonId> {
    let place = |i: i32| Vec2::new((i % 5 - 2) as f32, (i / 5 - 2) as f32) * 0.9;
    (0..25).map(|i| walker(crowd, place(i), place(i))).collect()
}

#[test]
fn a_standing_group_is_gone_round() {
    let mut crowd = Crowd::new(plane());
    let group = standing_group(&mut crowd);
    let walkers: Vec<PersonId> = [-0.4f32, 0.1, 0.9]
        .map(|y| walker(&mut crowd, Vec2::new(-9.0 - y, y), Vec2::new(9.0, y)))
        .to_vec();
    run(&mut crowd, 0.2);
    let home: Vec<Vec2> = group.iter().map(|&id| crowd.person(id).unwrap().position).collect();
    let mut lengths = vec![0.0; walkers.len()];
    for _ in 0..250 {
        let before: Vec<Vec2> =
            walkers.iter().map(|&id| crowd.person(id).unwrap().position).collect();
        crowd.step();
        for ((&id, before), length) in walkers.iter().zip(before).zip(&mut lengths) {
            let now = crowd.person(id).unwrap().position;
            *length += now.distance(before);
            let is_inside = now.abs().max_element() < 1.6;
            assert!(!is_inside, "{id:?} walks through the group at {now}");
        }
    }
    for (&id, length) in walkers.iter().zip(lengths) {
        assert_eq!(crowd.person(id).unwrap().status, Status::Arrived);
        assert!(length < 21.0, "a detour of {} m", length - 18.0);
    }
    for (&id, home) in group.iter().zip(home) {
        let moved = crowd.person(id).unwrap().position.distance(home);
        assert!(moved < 0.3, "{id:?} had to move {moved} m");
    }
}

#[test]
fn who_must_pass_is_let_through_and_the_group_closes_up() {
    // A corridor as wide as the group.
    let wall = |from: f32, to: f32| support::rectangle((-12.0, from), (12.0, to));
    let walls = support::with_obstacles([wall(2.3, 2.6), wall(-2.6, -2.3)]);
    let navigation = Some(throng_nav::MapRules::default());
    let mut crowd = Crowd::new(throng_crowd::Setting { navigation, ..walls });
    let group = standing_group(&mut crowd);
    run(&mut crowd, 0.2);
    let home: Vec<Vec2> = group.iter().map(|&id| crowd.person(id).unwrap().position).collect();
    let passing = walker(&mut crowd, Vec2::new(-9.0, 0.3), Vec2::new(9.0, 0.3));
    run(&mut crowd, 45.0);
    assert_eq!(crowd.person(passing).unwrap().status, Status::Arrived);
    for (&id, home) in group.iter().zip(home) {
        let off = crowd.person(id).unwrap().position.distance(home);
        assert!(off < 1.1, "{id:?} stays {off} m off their place");
    }
}
