//! Optimal reciprocal collision avoidance, through the public interface.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use glam::Vec2;
use throng_base::Bounds;
use throng_crowd::steering::{CommonParameters, Orca, OrcaParameters, SteeringModel};
use throng_crowd::{Crowd, NewPerson, Plan, Setting};
use throng_world::Shape;
use throng_world::scene::{Aim, RegionId, Then};

use crate::support::{
    self, bits, orca_with, overlaps, person, plane, rectangle, seek, walker, with_obstacles,
};

/// People on a circle, everyone to the opposite point; `turn` rotates the whole set-up.
fn circle(count: usize, radius: f32, turn: Vec2) -> Crowd {
    let mut crowd = Crowd::new(plane());
    for i in 0..count {
        let angle = std::f32::consts::TAU * i as f32 / count as f32;
        let start = turn.rotate(Vec2::from_angle(angle) * radius);
        walker(&mut crowd, start, -start);
    }
    crowd
}

#[test]
fn people_on_a_circle_all_reach_the_other_side() {
    let mut crowd = circle(100, 20.0, Vec2::X);
    let mut steps = 0;
    while crowd.people().any(|p| p.status != throng_crowd::Status::Arrived) {
        crowd.step();
        let (_, closest) = overlaps(&crowd);
        assert!(closest > 0.95, "step {steps}: {closest}");
        steps += 1;
        assert!(steps < 1500, "someone never arrives");
    }
}

#[test]
fn a_turned_world_gives_the_turned_motion() {
    let (mut plain, mut turned) = (circle(100, 20.0, Vec2::X), circle(100, 20.0, Vec2::Y));
    for _ in 0..50 {
        plain.step();
        turned.step();
    }
    for (a, b) in plain.people().zip(turned.people()) {
        let expected = Vec2::Y.rotate(a.position);
        assert!(expected.distance(b.position) < 1e-4, "{expected} vs {}", b.position);
    }
}

/// A crowd with walls, different bodies and every kind of pressure.
fn mixed(count: usize) -> Crowd {
    let half = Vec2::splat((count as f32 / 1.2).sqrt() * 0.5);
    let pillars = (0..9).map(|i| {
        let center = Vec2::new((i % 3) as f32 - 1.0, (i / 3) as f32 - 1.0) * half * 0.6;
        if i % 2 == 0 {
            Shape::Circle { center, radius: 0.8 }
        } else {
            Shape::Box { center, size: Vec2::new(3.0, 0.4), angle: 0.5 }
        }
    });
    let (mut crowd, plan) = support::wandering(with_obstacles(pillars), half);
    let columns = (count as f32).sqrt().ceil() as usize;
    let spacing = 2.0 * half.x / columns as f32;
    for i in 0..count {
        let cell = Vec2::new((i % columns) as f32 + 0.5, (i / columns) as f32 + 0.5);
        let position = cell * spacing - half;
        if !crowd.walls().is_free(support::GROUND, position, 0.35) {
            continue;
        }
        let vary = |n: usize| ((i * 7919 + n * 104_729) % 97) as f32 / 97.0;
        crowd
            .add(&NewPerson {
                radius: 0.2 + 0.1 * vary(0),
                preferred_speed: 0.8 + 0.8 * vary(1),
                steering: Orca
                    .profile(OrcaParameters {
                        time_horizon: 1.0 + 3.0 * vary(5),
                        time_horizon_walls: 0.5 + vary(6),
                        spare_room: vary(7),
                        ..OrcaParameters::DEFAULT
                    })
                    .with_common(CommonParameters {
                        neighbour_range: 4.0 + 6.0 * vary(2),
                        neighbours: (3.0 + 20.0 * vary(3)).floor(),
                        responsibility: vary(4),
                        time_gap: if vary(8) < 0.5 { vary(9) } else { 0.0 },
                        standing_distance: 0.2 * vary(10),
                        stagger: vary(11),
                        acceleration_limit: if vary(12) < 0.5 { 0.0 } else { 2.0 + 2.0 * vary(13) },
                    }),
                ..person(position, plan)
            })
            .unwrap();
    }
    crowd
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let make = || mixed(4000);
    support::same_on_any_threads(&[2, 16], make, |crowd| {
        support::steps(crowd, 80);
        bits(crowd)
    });
}

#[test]
fn the_vector_kernels_give_the_same_bits_as_the_scalar_code() {
    let run = |simd| {
        let mut crowd = mixed(1500);
        crowd.set_simd(simd);
        (0..120).for_each(|_| crowd.step());
        bits(&crowd)
    };
    assert_eq!(run(true), run(false));
}

/// A crowd in narrow streets: walls on both sides, corners that stick out and corners that one stands in,
/// thin walls and splinters, and places where many edges meet.
fn streets() -> Crowd {
    let half = Vec2::splat(14.0);
    let mut shapes = vec![Shape::Border(Bounds { min: -half, max: half })];
    shapes.extend((0..16).map(|i| {
        let center = Vec2::new((i % 4) as f32 - 1.5, (i / 4) as f32 - 1.5) * 7.0;
        match i {
            5 => Shape::Circle { center, radius: 2.0 },
            6 => Shape::Box { center, size: Vec2::new(5.0, 0.02), angle: 0.3 },
            9 => Shape::Box { center, size: Vec2::new(4.0, 4.0), angle: 0.7 },
            _ => Shape::Box { center, size: Vec2::new(5.0, 4.5), angle: 0.0 },
        }
    }));
    let (mut crowd, plan) = support::wandering(with_obstacles(shapes), half);
    for i in 0..40 * 40 {
        let position = (Vec2::new((i % 40) as f32, (i / 40) as f32) - 19.5) * 0.7;
        if !crowd.walls().is_free(support::GROUND, position, 0.3) {
            continue;
        }
        let vary = |n: usize| ((i * 7919 + n * 104_729) % 97) as f32 / 97.0;
        crowd
            .add(&NewPerson {
                radius: 0.15 + 0.1 * vary(0),
                preferred_speed: 0.8 + 0.8 * vary(1),
                steering: Orca.profile(OrcaParameters {
                    time_horizon: 1.0 + 3.0 * vary(2),
                    time_horizon_walls: 0.3 + 1.5 * vary(3),
                    ..OrcaParameters::DEFAULT
                }),
                ..person(position, plan)
            })
            .unwrap();
    }
    crowd
}

#[test]
fn walls_in_lanes_give_the_same_bits_as_walls_one_by_one() {
    let run = |simd| {
        let mut crowd = streets();
        crowd.set_simd(simd);
        (0..150).for_each(|_| crowd.step());
        bits(&crowd)
    };
    assert!(streets().len() > 300);
    assert_eq!(run(true), run(false));
}

#[test]
fn nobody_yields_for_those_without_responsibility_but_everybody_else_does() {
    let mut crowd = Crowd::new(Setting { contacts: false, ..plane() });
    let far = |x: f32| Plan { goals: vec![seek(Vec2::new(x, 0.0), 0.5)], then: Then::Stay };
    let (east, west) = (crowd.add_plan(far(50.0)).unwrap(), crowd.add_plan(far(-50.0)).unwrap());
    let stubborn = NewPerson {
        steering: orca_with(CommonParameters {
            responsibility: 0.0,
            ..CommonParameters::default()
        }),
        ..person(Vec2::new(-5.0, 0.0), east)
    };
    let stubborn = crowd.add(&stubborn).unwrap();
    let polite = crowd.add(&person(Vec2::new(5.0, 0.05), west)).unwrap();
    for _ in 0..80 {
        crowd.step();
        assert!(crowd.person(stubborn).unwrap().position.y.abs() < 0.01);
        assert!(overlaps(&crowd).1 > 0.99);
    }
    assert!(crowd.person(polite).unwrap().position.x < -4.0, "and gets past");
}

#[test]
fn a_person_walks_round_a_pillar_without_touching_it() {
    let mut crowd = Crowd::new(with_obstacles([Shape::Circle { center: Vec2::ZERO, radius: 1.0 }]));
    let id = walker(&mut crowd, Vec2::new(-6.0, 0.3), Vec2::new(6.0, 0.0));
    let mut least = f32::INFINITY;
    for _ in 0..200 {
        crowd.step();
        least = least.min(crowd.person(id).unwrap().position.length());
    }
    assert!(least > 1.3 - 0.01, "{least}");
    assert!(crowd.person(id).unwrap().position.x > 5.0, "arrived");
}

#[test]
fn a_corridor_is_walked_between_its_walls() {
    let walls = [rectangle((-10.0, 1.0), (10.0, 2.0)), rectangle((-10.0, -2.0), (10.0, -1.0))];
    let mut crowd = Crowd::new(with_obstacles(walls));
    for i in 0..10 {
        let x = i as f32 * 0.8 - 9.0;
        walker(&mut crowd, Vec2::new(x, 0.4), Vec2::new(x + 12.0, 3.5));
        walker(&mut crowd, Vec2::new(x, -0.4), Vec2::new(x + 12.0, -3.5));
    }
    for _ in 0..300 {
        crowd.step();
        let inside = |x: f32| x > -9.5 && x < 9.5;
        for p in crowd.people().filter(|p| inside(p.position.x)) {
            assert!(p.position.y.abs() <= 0.7 + 1e-3, "{:?}", p.position);
        }
    }
}

#[test]
fn people_who_are_not_sound_are_refused() {
    let mut crowd = Crowd::new(plane());
    let plan = crowd.add_plan(Plan::default()).unwrap();
    let sound = person(Vec2::ZERO, plan);
    let refused =
        |crowd: &mut Crowd, person: NewPerson| crowd.add(&person).unwrap_err().to_string();
    let nan = Vec2::new(f32::NAN, 0.0);
    assert!(
        refused(&mut crowd, NewPerson { position: nan, ..sound.clone() }).contains("coordinate")
    );
    assert!(refused(&mut crowd, NewPerson { radius: -0.2, ..sound.clone() }).contains("radius"));
    assert!(refused(&mut crowd, NewPerson { plan: 7, ..sound.clone() }).contains("no plan 7"));
    let steering = Orca.profile(OrcaParameters { time_horizon: 0.0, ..OrcaParameters::DEFAULT });
    let message = refused(&mut crowd, NewPerson { steering, ..sound.clone() });
    assert!(message.contains("time_horizon"), "{message}");
    let nowhere = support::goal(Aim::SeekRegion { region: RegionId(3) });
    let plan = Plan { goals: vec![nowhere], then: Then::Stay };
    assert!(crowd.add_plan(plan).unwrap_err().to_string().contains("no region 3"));
    assert!(crowd.is_empty());
    crowd.add(&sound).unwrap();
}

#[test]
fn walls_are_indexed_as_far_as_anybody_looks() {
    let scene = |people: &str| {
        let text = format!(
            "format = 1\nworld.bounds = [[-9, -9], [9, 9]]\n[[groups]]\nname = \"all\"\nspeed = 1\n\
             max_speed = 2\nradius = 0.25\npeople = [{people}]\n"
        );
        throng_world::Scene::parse("scene.toml", &text, std::path::Path::new(".")).unwrap()
    };
    let reach = |people| Crowd::from_scene(&scene(people)).unwrap().walls().reach();
    assert_eq!(reach("{ position = [0, 0] }"), 2.25, "a second at full speed");
    let far_sighted = "{ position = [0, 0], steering = { time_horizon_walls = 4 } }";
    assert_eq!(reach(far_sighted), 8.25, "listed people may differ from their group");
}

/// Someone who changes velocity by `acceleration_limit` at most; 0 sets no limit.
fn inert(from: Vec2, plan: u32, acceleration_limit: f32) -> NewPerson {
    let person = person(from, plan);
    let common = CommonParameters { acceleration_limit, ..person.steering.common };
    NewPerson { steering: person.steering.with_common(common), ..person }
}

#[test]
fn nobody_accelerates_faster_than_they_may() {
    // Forty cross a circle; without a limit somebody changes velocity by much more in a step.
    let most = |acceleration: f32| {
        let mut crowd = Crowd::new(plane());
        for i in 0..40 {
            let from = Vec2::from_angle(i as f32 * std::f32::consts::TAU / 40.0) * 12.0;
            let goals = vec![seek(-from, 0.5)];
            let plan = crowd.add_plan(Plan { goals, then: Then::Stay }).unwrap();
            crowd.add(&inert(from, plan, acceleration)).unwrap();
        }
        let mut most = 0.0f32;
        for step in 0..900 {
            let before: Vec<Vec2> = crowd.people().map(|p| p.velocity).collect();
            crowd.step();
            support::assert_sound(&crowd);
            let changes = crowd.people().zip(before).map(|(p, v)| p.velocity.distance(v) / 0.1);
            // In the press of the middle bodies push each other, which is not of their choosing.
            most = if step < 50 { changes.fold(most, f32::max) } else { most };
        }
        let arrived = crowd.count(throng_crowd::Status::Arrived);
        assert_eq!(arrived, 40, "everyone gets across with {acceleration} m/s²");
        most
    };
    assert!(most(0.0) > 5.0);
    assert!(most(2.0) < 2.0 + 1e-3);
}

#[test]
fn who_cannot_turn_at_once_still_avoids_in_time() {
    let mut crowd = Crowd::new(plane());
    for x in [8.0, -8.0] {
        let goals = vec![seek(Vec2::new(-x, 0.0), 0.5)];
        let plan = crowd.add_plan(Plan { goals, then: Then::Stay }).unwrap();
        let walker = inert(Vec2::new(x, 0.0), plan, 1.0);
        crowd.add(&NewPerson { velocity: Vec2::new(-x.signum() * 1.3, 0.0), ..walker }).unwrap();
    }
    for _ in 0..130 {
        let before: Vec<Vec2> = crowd.people().map(|p| p.velocity).collect();
        crowd.step();
        let people: Vec<_> = crowd.people().collect();
        assert!(people[0].position.distance(people[1].position) > 0.6 * 0.999);
        for (p, before) in people.iter().zip(before) {
            assert!((p.velocity - before).length() <= 0.1 + 1e-4, "no push was needed");
        }
    }
}
