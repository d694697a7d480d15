//! Whatever happens: finite numbers, the same bits, nobody in a wall.

use glam::Vec2;
use throng_crowd::steering::{Hidac, HidacParameters, MODELS, SteeringModel};
use throng_crowd::{CONTACT_TOLERANCE, Crowd, NewPerson, PersonId, Setting, Status};

use super::{STEP, flow, plane, stand, steered};
use crate::support::{self, bits, rectangle, step_within_walls, with_obstacles};

/// A hall with pillars, full of people of all kinds with random goals.
fn hall(count: usize, spacing: f32) -> Crowd {
    let columns = (count as f32).sqrt().ceil() as usize;
    let half = Vec2::splat(0.5 * spacing * columns as f32);
    let pillars = (0..9).map(|i| {
        let at = half * 1.2 * (Vec2::new((i % 3) as f32, (i / 3) as f32) / 2.0 - 0.5);
        rectangle((at.x, at.y), (at.x + 0.8, at.y + 0.5))
    });
    let setting = Setting { step: STEP, ..with_obstacles(pillars) };
    let (mut crowd, plan) = support::wandering(setting, half);
    for i in 0..count {
        let place = Vec2::new((i % columns) as f32 + 0.5, (i / columns) as f32 + 0.5);
        let place = place * spacing - half;
        if crowd.walls().is_free(support::GROUND, place, 0.25) {
            let kinds = MODELS.info("hidac").unwrap().personalities;
            let kind = kinds[i % kinds.len()].values;
            let fragile = [("fall_push", 0.03), ("fall_chance", 5.0), ("lying_time", 1.0)];
            let changes: Vec<(&str, f32)> = kind.iter().copied().chain(fragile).collect();
            crowd.add(&steered(place, plan, &changes)).unwrap();
        }
    }
    crowd
}

/// Nobody on their feet is in somebody else who is.
#[track_caller]
fn assert_apart(crowd: &Crowd) {
    let upright: Vec<_> = crowd.people().filter(|p| p.status != Status::Fallen).collect();
    for (i, a) in upright.iter().enumerate() {
        for b in &upright[i + 1..] {
            let contact = (a.radius + b.radius) * (1.0 - CONTACT_TOLERANCE) - 1e-4;
            assert!(a.position.distance(b.position) >= contact, "{a:?} and {b:?}");
        }
    }
}

#[test]
fn any_number_of_threads_and_any_vectors_give_the_same_bits() {
    let with = |simd: bool, threads: &[usize]| {
        let make = || {
            let mut crowd = hall(3600, 0.75);
            crowd.set_simd(simd);
            crowd
        };
        support::same_on_any_threads(threads, make, |crowd| {
            support::steps(crowd, 100);
            let conducts: Vec<_> =
                crowd.people().map(|p| format!("{:?}", crowd.conduct(p.id))).collect();
            (bits(crowd), conducts)
        })
    };
    let one = with(true, &[2, 7]);
    assert!(one.1.iter().any(|conduct| conduct.contains("Fallen")), "somebody falls");
    assert!(one.1.iter().any(|conduct| conduct.contains("Waiting")), "somebody waits");
    assert!(one == with(false, &[]), "vectors make a difference");
}

#[test]
fn people_who_come_and_go_change_nobody_elses_memory() {
    // Those far away are removed, so that rows move; the others do what they do without them.
    let near = |crowd: &Crowd| {
        let ids: Vec<PersonId> = crowd.people().map(|p| p.id).filter(|id| id.0 < 40).collect();
        let told = |id: &PersonId| (crowd.person(*id).unwrap(), crowd.conduct(*id));
        format!("{:?}", ids.iter().map(told).collect::<Vec<_>>())
    };
    let run = |removed: bool| {
        let mut crowd = Crowd::new(plane());
        let ways = [flow(&mut crowd, Vec2::X), flow(&mut crowd, -Vec2::X)];
        for i in 0..40 {
            let at = Vec2::new((i % 10) as f32 * 0.7, (i / 10) as f32 * 0.6);
            crowd.add(&steered(at, ways[i % 2], &[])).unwrap();
        }
        for i in 0..30 {
            let at = Vec2::new(200.0 + i as f32, 0.0);
            crowd.add(&steered(at, ways[0], &[])).unwrap();
        }
        for step in 0..150 {
            if removed && step % 5 == 0 {
                crowd.remove(PersonId(40 + step / 5));
            }
            crowd.step();
        }
        near(&crowd)
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn nobody_passes_walls_or_bodies_or_their_own_speed() {
    let mut crowd = hall(225, 0.7);
    for _ in 0..750 {
        step_within_walls(&mut crowd);
        assert!(crowd.people().all(|p| p.velocity.length() <= 2.4 + 1e-4));
        assert!(crowd.people().all(|p| p.position.is_finite() && p.velocity.is_finite()));
        if crowd.steps().is_multiple_of(25) {
            assert_apart(&crowd);
        }
    }
}

#[test]
fn no_velocity_and_no_distance_make_no_nonsense() {
    let mut crowd = Crowd::new(plane());
    let (rest, way) = (stand(&mut crowd), flow(&mut crowd, Vec2::X));
    // All in the same place, some with nowhere to go, some at no speed.
    for i in 0..6 {
        let plan = if i % 2 == 0 { rest } else { way };
        let person = steered(Vec2::ZERO, plan, &[]);
        let preferred_speed = if i == 3 { 0.0 } else { person.preferred_speed };
        crowd.add(&NewPerson { preferred_speed, ..person }).unwrap();
    }
    assert!(crowd.trip(PersonId(5)));
    for _ in 0..200 {
        crowd.step();
        assert!(crowd.people().all(|p| p.position.is_finite() && p.velocity.is_finite()));
    }
    assert_apart(&crowd);
    let mut broken = steered(Vec2::ZERO, way, &[]);
    let space = HidacParameters { personal_space: f32::NAN, ..HidacParameters::DEFAULT };
    broken.steering = Hidac.profile(space);
    assert!(crowd.add(&broken).is_err());
    broken = NewPerson { velocity: Vec2::new(f32::NAN, 0.0), ..steered(Vec2::ZERO, way, &[]) };
    assert!(crowd.add(&broken).is_err());
}

#[test]
fn whoever_changes_to_another_model_forgets() {
    let mut crowd = Crowd::new(plane());
    let way = flow(&mut crowd, Vec2::X);
    let id = crowd.add(&steered(Vec2::ZERO, way, &[])).unwrap();
    crowd.step();
    assert!(crowd.trip(id));
    crowd.step();
    assert_eq!(crowd.person(id).unwrap().status, Status::Fallen);
    let mut character = crowd.character(id).unwrap();
    character.steering = support::orca();
    assert_eq!(crowd.set_character(id, &character), Ok(true));
    (0..30).for_each(|_| crowd.step());
    let person = crowd.person(id).unwrap();
    assert!(crowd.conduct(id).is_none() && person.status == Status::Walking, "{person:?}");
    assert!(person.position.x > 1.0, "gets up and walks");
}

#[test]
fn crowds_without_it_remember_nothing() {
    let memory = |model_is_used: bool| {
        let mut crowd = Crowd::new(plane());
        let way = flow(&mut crowd, Vec2::X);
        for i in 0..1000 {
            let at = Vec2::new((i % 40) as f32, (i / 40) as f32);
            let person = support::person(at, way);
            let other = steered(at, way, &[]);
            crowd.add(if model_is_used { &other } else { &person }).unwrap();
        }
        crowd.step();
        crowd.memory_per_person()
    };
    assert!(memory(false) + 64 < memory(true), "{} and {} bytes", memory(false), memory(true));
}
