//! People follow lines that somebody has sketched, whatever stands in the way, and can be sent along
//! one while they walk.

use glam::Vec2;
use proptest::prelude::*;
use throng_crowd::{Crowd, CrowdError, PersonId, Plan, Status};
use throng_world::Obstacle;
use throng_world::scene::{Aim, Goal, GroupId, LayerId, RegionId, Target, Then};

use crate::support::{
    self, GROUND, crowd, people_in_the_open, rectangle, run_until, state, step_within_walls,
};

fn line_of(points: &[(f32, f32)]) -> Vec<(LayerId, Vec2)> {
    points.iter().map(|&point| (GROUND, point.into())).collect()
}

fn follow(points: &[(f32, f32)]) -> Goal {
    Goal::new(Aim::Follow { line: line_of(points), width: 0.0, within: 0.5 })
}

/// Steps for `seconds` or until everyone has arrived, and tells everybody's track, in the order of
/// ids. Nobody ever crosses a wall.
fn tracks(crowd: &mut Crowd, seconds: f64) -> Vec<Vec<Vec2>> {
    let mut tracks = vec![Vec::new(); crowd.len()];
    let until = crowd.time() + seconds;
    while crowd.time() < until {
        for person in crowd.people() {
            tracks[person.id.0 as usize].push(person.position);
        }
        if crowd.people().all(|person| person.status == Status::Arrived) {
            return tracks;
        }
        step_within_walls(crowd);
    }
    let late: Vec<_> = crowd.people().filter(|p| p.status != Status::Arrived).collect();
    panic!("not there after {seconds} s: {late:?}");
}

fn nearest(track: &[Vec2], point: (f32, f32)) -> f32 {
    track.iter().map(|at| at.distance(point.into())).fold(f32::INFINITY, f32::min)
}

/// How far the furthest point of a track is from a polyline.
fn furthest(track: &[Vec2], points: &[(f32, f32)]) -> f32 {
    let distance = |at: &Vec2| {
        let legs = points.windows(2).map(|leg| {
            throng_base::geometry::nearest_on_segment(leg[0].into(), leg[1].into(), *at)
                .distance(*at)
        });
        legs.fold(f32::INFINITY, f32::min)
    };
    track.iter().map(distance).fold(0.0, f32::max)
}

/// A world from one corner to another with `more` in it, and somebody who follows a line from a place on.
fn follower(bounds: &str, more: &str, line: &str, start: &str) -> Crowd {
    crowd(&format!(
        r#"
        world.bounds = {bounds}
        {more}
        [[groups]]
        name = "one"
        goals = [{{ follow = {line} }}]
        people = [{{ position = {start} }}]
        "#
    ))
}

/// Somebody follows a zigzag from corner to corner, with `obstacles` beside it.
fn assert_zigzag_is_walked(obstacles: &str) {
    let corners = [(0.0, 0.0), (20.0, 0.0), (20.0, 15.0), (-10.0, 15.0), (-10.0, -10.0)];
    let line = "[[0, 0], [20, 0], [20, 15], [-10, 15], [-10, -10]]";
    let mut crowd = follower("[[-20, -20], [40, 40]]", obstacles, line, "[0, 0]");
    let tracks = tracks(&mut crowd, 120.0);
    for corner in corners {
        assert!(nearest(&tracks[0], corner) < 1.2, "{corner:?}");
    }
    assert!(furthest(&tracks[0], &corners) < 1.2);
    assert!(state(&crowd, 0).position.distance(Vec2::new(-10.0, -10.0)) < 0.55);
}

#[test]
fn in_the_open_a_line_is_walked_from_corner_to_corner() {
    assert_zigzag_is_walked("");
}

#[test]
fn between_walls_a_line_is_walked_though_there_are_shorter_ways() {
    assert_zigzag_is_walked("obstacles = [{ box = { center = [10, 5], size = [4, 4] } }]");
}

#[test]
fn what_is_in_a_wall_is_walked_round_and_the_line_goes_on_behind_it() {
    let mut crowd = crowd(
        r#"
        world.bounds = [[-20, -20], [60, 20]]
        obstacles = [
            { box = { center = [10, 1], size = [4, 8] } },
            { wall = { points = [[30, -20], [30, 3]], thickness = 0.3 } },
        ]
        [[groups]]
        name = "some"
        goals = [{ follow = [[0, 0], [45, 0]], width = 3 }]
        people = [{ position = [0, -1] }, { position = [0, 1] }, { position = [-2, 0] }]
        "#,
    );
    for track in tracks(&mut crowd, 120.0) {
        let on_the_line = |x: f32| {
            let at = track.iter().min_by(|a, b| (a.x - x).abs().total_cmp(&(b.x - x).abs()));
            at.unwrap().y.abs() < 1.6
        };
        assert!(on_the_line(20.0) && on_the_line(40.0), "{track:?}");
        // The block reaches from -3 to 5, so most of what is in it comes out below.
        assert!(track.iter().filter(|at| (at.x - 10.0).abs() < 2.0).all(|at| at.y < -3.0));
    }
}

#[test]
fn a_loop_is_walked_round_and_not_done_where_it_begins() {
    for obstacles in ["", "obstacles = [{ box = { center = [5, 5], size = [4, 4] } }]"] {
        let line = "[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]";
        let mut crowd = follower("[[-20, -20], [40, 40]]", obstacles, line, "[0, 0.2]");
        let tracks = tracks(&mut crowd, 60.0);
        for corner in [(10.0, 0.0), (10.0, 10.0), (0.0, 10.0)] {
            assert!(nearest(&tracks[0], corner) < 1.2, "{corner:?}: {obstacles}");
        }
    }
}

#[test]
fn who_stands_beside_the_middle_of_a_line_does_not_go_back_to_its_beginning() {
    for obstacles in ["", "obstacles = [{ box = { center = [25, 15], size = [4, 4] } }]"] {
        let bounds = "[[-20, -20], [80, 40]]";
        let mut crowd = follower(bounds, obstacles, "[[0, 0], [60, 0]]", "[30, 4]");
        let tracks = tracks(&mut crowd, 60.0);
        assert!(tracks[0].iter().all(|at| at.x > 27.0), "{obstacles}");
    }
}

#[test]
fn a_strip_is_filled_and_its_people_stay_beside_each_other() {
    let mut crowd = crowd(
        r#"
        world.bounds = [[-20, -20], [80, 60]]
        obstacles = [{ box = { center = [25, 15], size = [4, 4] } }]
        [[regions]]
        name = "begin"
        rectangle = [[-5, -4], [5, 4]]
        [[groups]]
        name = "march"
        goals = [{ follow = [[0, 0], [40, 0], [40, 40]], width = 6 }]
        crowds = [{ count = 40, region = "begin" }]
        then = "leave"
        "#,
    );
    let mut crossings = Vec::new();
    let mut before: Vec<(PersonId, Vec2)> = Vec::new();
    while !crowd.is_empty() {
        assert!(crowd.time() < 150.0, "{} are left", crowd.len());
        step_within_walls(&mut crowd);
        for (id, was) in &before {
            let now = crowd.person(*id).map(|person| person.position);
            crossings.extend(now.filter(|now| was.x < 30.0 && now.x >= 30.0).map(|now| now.y));
        }
        before = crowd.people().map(|person| (person.id, person.position)).collect();
    }
    assert_eq!(crossings.len(), 40);
    crossings.sort_by(f32::total_cmp);
    assert!(crossings[3] < -1.2 && crossings[36] > 1.2, "{crossings:?}");
    assert!(crossings[0] > -4.0 && crossings[39] < 4.0, "{crossings:?}");
}

#[test]
fn a_line_leads_up_the_stairs_that_were_sketched() {
    // By the stairs in the west or by the ramp in the east, wherever the line leads.
    for (foot, head) in [((-11.0, -6.5), (0.0, -6.5)), ((14.0, 6.5), (0.0, 6.5))] {
        let mut crowd = crowd(&format!(
            r#"
            world.bounds = [[-16, -10], [16, 10]]
            world.closed = true
            layers = [{{ name = "hall" }}, {{ name = "gallery", elevation = 3.5 }}]
            connectors = [
                {{ name = "stairs", kind = "stairs", polygon = [[-8, -8], [-2, -8], [-2, -5], [-8, -5]], lower = {{ layer = "hall", edge = [[-8, -8], [-8, -5]] }}, upper = {{ layer = "gallery", edge = [[-2, -8], [-2, -5]] }} }},
                {{ name = "ramp", kind = "ramp", polygon = [[2, 5], [12, 5], [12, 8], [2, 8]], lower = {{ layer = "hall", edge = [[12, 5], [12, 8]] }}, upper = {{ layer = "gallery", edge = [[2, 5], [2, 8]] }} }},
            ]
            [[groups]]
            name = "up"
            people = [{{ position = [0, 0] }}, {{ position = [2, 1] }}]
            [[groups.goals]]
            follow = [
                [0, 0],
                [{}, {}],
                {{ at = [{}, {}], layer = "gallery" }},
                {{ at = [0, 0], layer = "gallery" }},
            ]
            "#,
            foot.0, foot.1, head.0, head.1
        ));
        for track in tracks(&mut crowd, 60.0) {
            assert!(nearest(&track, foot) < 2.0, "{foot:?}: {} m", nearest(&track, foot));
        }
        assert!(crowd.people().all(|person| person.layer == LayerId(1)));
    }
}

#[test]
fn who_is_pushed_off_a_line_goes_on_ahead_and_not_back() {
    // A wall comes down across the line while people walk, and goes again.
    let block = "obstacles = [{ box = { center = [25, 15], size = [4, 4] } }]";
    let mut crowd = follower("[[-20, -20], [80, 40]]", block, "[[0, 0], [60, 0]]", "[0, 0]");
    run_until(&mut crowd, 20.0, |crowd| state(crowd, 0).position.x > 10.0);
    let wall = Obstacle::new(rectangle((14.0, -6.0), (15.0, 2.0)), GROUND);
    let id = crowd.add_obstacle(wall).unwrap();
    run_until(&mut crowd, 20.0, |crowd| state(crowd, 0).position.y > 1.8);
    crowd.remove_obstacle(id).unwrap();
    let mut least = state(&crowd, 0).position.x;
    while state(&crowd, 0).status != Status::Arrived {
        step_within_walls(&mut crowd);
        let now = state(&crowd, 0).position;
        assert!(now.x > least - 0.05, "back from {least} to {now}");
        least = least.max(now.x);
        assert!(crowd.time() < 90.0, "{now}");
    }
    assert!(state(&crowd, 0).position.distance(Vec2::new(60.0, 0.0)) < 0.6);
}

#[test]
fn a_line_that_is_closed_off_is_said_to_be() {
    let walls = "world.closed = true\n\
        obstacles = [{ wall = { points = [[20, -10], [20, 10]], thickness = 0.3 } }]";
    let mut crowd = follower("[[-10, -10], [40, 10]]", walls, "[[0, 0], [35, 0]]", "[0, 0]");
    run_until(&mut crowd, 20.0, |crowd| state(crowd, 0).status == Status::NoPath);
    assert!(crowd.why_no_path(PersonId(0)).is_some());
    // With a door, they go on.
    let wall = crowd.obstacles().find(|(_, obstacle, _)| obstacle.name.is_empty()).unwrap().0;
    crowd.remove_obstacle(wall).unwrap();
    run_until(&mut crowd, 60.0, |crowd| state(crowd, 0).status == Status::Arrived);
}

#[test]
fn people_under_way_take_up_any_kind_of_goal() {
    let aims = [
        Aim::Seek { point: Vec2::new(9.0, 9.0), layer: GROUND, within: 0.5 },
        Aim::SeekRandom { region: RegionId(0), within: 0.5 },
        Aim::SeekRegion { region: RegionId(0) },
        Aim::SeekNearest { regions: vec![RegionId(0), RegionId(1)] },
        Aim::SeekTarget { target: Target::Person { group: GroupId(0), index: 1 }, within: 0.5 },
        Aim::Follow { line: line_of(&[(5.0, 5.0), (9.0, 9.0)]), width: 1.0, within: 0.5 },
        Aim::Flee { point: Vec2::new(-4.0, -4.0), layer: GROUND, beyond: 9.0 },
        Aim::FleeTarget { target: Target::Group(GroupId(1)), beyond: 9.0 },
    ];
    for obstacles in ["", "obstacles = [{ box = { center = [3, 6], size = [1, 1] } }]"] {
        for aim in &aims {
            let mut crowd = crowd(&format!(
                r#"
                world.bounds = [[-50, -50], [50, 50]]
                {obstacles}
                regions = [
                    {{ name = "a", rectangle = [[6, 6], [10, 10]] }},
                    {{ name = "b", rectangle = [[30, 30], [40, 40]] }},
                ]
                [[groups]]
                name = "one"
                goals = [{{ flow = [-1, 0] }}]
                people = [{{ position = [0, 0] }}, {{ position = [8, 8], goal = {{ idle = 900 }} }}]
                [[groups]]
                name = "other"
                people = [{{ position = [-4, -4] }}]
                "#
            ));
            support::run(&mut crowd, 2.0);
            assert!(state(&crowd, 0).position.x < -1.0);
            crowd.set_goal(PersonId(0), Goal::new(aim.clone())).unwrap();
            assert_eq!(crowd.goals_of(PersonId(0)).unwrap().goals[0].aim, *aim);
            run_until(&mut crowd, 30.0, |crowd| state(crowd, 0).status == Status::Arrived);
        }
    }
}

#[test]
fn goals_of_a_group_are_also_those_of_who_comes_later() {
    let mut crowd = crowd(
        r#"
        world.bounds = [[-50, -50], [50, 50]]
        regions = [{ name = "a", rectangle = [[-2, -2], [2, 2]] }]
        [[groups]]
        name = "stream"
        goals = [{ flow = [1, 0] }]
        sources = [{ region = "a", rate = 1 }]
        [[groups]]
        name = "others"
        goals = [{ flow = [1, 0] }]
        people = [{ position = [0, 20] }]
        "#,
    );
    support::run(&mut crowd, 5.0);
    let there = crowd.people().filter(|person| person.group == GroupId(0)).count();
    let goal = follow(&[(0.0, 0.0), (0.0, 10.0), (-20.0, 10.0)]);
    let plan = Plan { goals: vec![goal], then: Then::Leave };
    assert_eq!(crowd.set_group_goals(GroupId(0), plan).unwrap(), there);
    support::run(&mut crowd, 30.0);
    let (mut ours, mut late) = (0, 0);
    for person in crowd.people() {
        if person.group == GroupId(0) {
            ours += 1;
            late += usize::from(person.position.x > 6.0);
        } else {
            assert!(person.position.x > 30.0);
        }
    }
    assert!(ours > 10 && late == 0, "{late} of {ours}");
}

#[test]
fn goals_that_are_none_are_refused_and_change_nothing() {
    let mut crowd = people_in_the_open(
        r#"
        [[groups]]
        name = "one"
        goals = [{ flow = [1, 0] }]
        people = [{ position = [0, 0] }]
        "#,
    );
    let one = PersonId(0);
    let nobody = crowd.set_goal(PersonId(7), follow(&[(0.0, 0.0), (1.0, 0.0)]));
    assert_eq!(nobody, Err(CrowdError::NoSuchPerson(PersonId(7))));
    let with =
        |line: Vec<(LayerId, Vec2)>, width| Goal::new(Aim::Follow { line, width, within: 0.5 });
    let far = |x: f32| vec![(GROUND, Vec2::ZERO), (GROUND, Vec2::new(x, 0.0))];
    for (goal, reason) in [
        (with(line_of(&[(0.0, 0.0)]), 0.0), "the number of points of a line is 1"),
        (with(far(f32::NAN), 0.0), "a coordinate is NaN"),
        (with(far(1e9), 0.0), "a coordinate is 1000000000"),
        (with(far(1.0), -1.0), "the width of a line is -1"),
        (with(vec![(GROUND, Vec2::ZERO), (LayerId(3), Vec2::ONE)], 0.0), "there is no layer 3"),
        (Goal::new(Aim::SeekRegion { region: RegionId(2) }), "there is no region 2"),
    ] {
        let error = crowd.set_goal(one, goal).unwrap_err().to_string();
        assert!(error.starts_with(reason), "{error}");
    }
    assert_eq!(crowd.goals_of(one).unwrap().goals[0].aim, Aim::Flow { direction: Vec2::X });
    support::run(&mut crowd, 2.0);
    assert!(state(&crowd, 0).position.x > 1.5);
}

#[test]
fn a_thousand_who_are_sent_off_at_once_are_on_their_way_within_a_second() {
    let mut crowd = crowd(
        r#"
        world.bounds = [[-60, -60], [60, 60]]
        obstacles = [{ box = { center = [50, 0], size = [2, 20] } }]
        regions = [{ name = "a", rectangle = [[-40, -40], [40, 40]] }]
        [[groups]]
        name = "crowd"
        goals = [{ idle = 500 }]
        crowds = [{ count = 1000, region = "a" }]
        "#,
    );
    support::run(&mut crowd, 1.0);
    let all: Vec<PersonId> = crowd.people().map(|person| person.id).collect();
    let plan = Plan { goals: vec![follow(&[(0.0, 0.0), (55.0, 0.0)])], then: Then::Stay };
    crowd.set_goals(&all, plan).unwrap();
    support::run(&mut crowd, 1.0);
    let waiting = crowd.people().filter(|p| p.preferred_velocity == Vec2::ZERO).count();
    assert_eq!(waiting, 0);
}

#[test]
fn followers_do_the_same_on_any_number_of_threads() {
    let text = r#"
        world.bounds = [[-60, -60], [60, 60]]
        obstacles = [{ box = { center = [10, 0], size = [4, 20] } }]
        regions = [{ name = "a", rectangle = [[-50, -50], [-5, 50]] }]
        [[groups]]
        name = "crowd"
        goals = [{ follow = [[-10, -30], [-10, 0], [40, 0], [40, 30]], width = 5 }]
        crowds = [{ count = 3200, region = "a" }]
    "#;
    let with = |simd: bool| {
        let make = || {
            let mut crowd = crowd(text);
            crowd.set_simd(simd);
            crowd
        };
        support::same_on_any_threads(if simd { &[3] } else { &[] }, make, |crowd| {
            support::run(crowd, 15.0);
            support::bits(crowd)
        })
    };
    assert!(with(true) == with(false));
}

fn coordinate() -> impl Strategy<Value = f32> {
    -19.0f32..19.0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 8, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_sketched_nobody_crosses_walls_and_everyone_arrives_or_is_told_why(
        points in prop::collection::vec((coordinate(), coordinate()), 2..7),
        blocks in prop::collection::vec((coordinate(), coordinate(), 0.3f32..8.0, 0.3f32..8.0), 0..9),
        starts in prop::collection::vec((coordinate(), coordinate()), 4),
        width in 0.0f32..6.0,
        seed in 0u64..1000,
    ) {
        let mut setting = support::with_obstacles(blocks.iter().map(|&(x, y, w, h)| {
            rectangle((x - w / 2.0, y - h / 2.0), (x + w / 2.0, y + h / 2.0))
        }));
        setting.seed = seed;
        setting.bounds = throng_base::Bounds { min: Vec2::splat(-20.0), max: Vec2::splat(20.0) };
        setting.navigation = Some(throng_nav::MapRules::default());
        let mut crowd = Crowd::new(setting);
        let aim = Aim::Follow { line: line_of(&points), width, within: 0.5 };
        // Who has arrived makes room for the others: lines may end in a corner.
        let plan = Plan { goals: vec![Goal::new(aim)], then: Then::Leave };
        let plan = crowd.add_plan(plan).unwrap();
        let mut placed: Vec<Vec2> = Vec::new();
        for start in starts.into_iter().map(Vec2::from) {
            let is_free = crowd.walls().is_free(GROUND, start, 0.3)
                && placed.iter().all(|other| other.distance(start) > 0.7);
            if is_free {
                placed.push(start);
                crowd.add(&support::person(start, plan)).unwrap();
            }
        }
        while crowd.time() < 400.0 && !crowd.people().all(|p| p.status == Status::NoPath) {
            step_within_walls(&mut crowd);
        }
        for person in crowd.people() {
            prop_assert!(crowd.why_no_path(person.id).is_some(), "{person:?}");
        }
        support::assert_sound(&crowd);
    }
}
