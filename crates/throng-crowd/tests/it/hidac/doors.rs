//! Crowds before doors: no shaking, queues.

use glam::Vec2;
use throng_base::Bounds;
use throng_crowd::{Condition, Crowd, PersonId, PersonState, Plan, Setting, Status};
use throng_world::Shape;
use throng_world::scene::{Aim, RegionId, Then};

use super::{STEP, published, steered};
use crate::support::{assert_sound, goal, rectangle, region, step_within_walls, with_obstacles};

/// A room west of a wall with a door this wide, whose middle is the origin.
fn room(width: f32) -> Setting {
    let walls: Vec<Shape> = vec![
        rectangle((-0.1, width / 2.0), (0.1, 8.0)),
        rectangle((-0.1, -8.0), (0.1, -width / 2.0)),
        rectangle((-20.0, 8.0), (0.1, 8.2)),
        rectangle((-20.0, -8.2), (0.1, -8.0)),
        rectangle((-20.2, -8.2), (-20.0, 8.2)),
    ];
    let half = width / 2.0 - 0.25;
    let door = Bounds { min: Vec2::new(0.0, -half), max: Vec2::new(2.0, half) };
    let out = Bounds { min: Vec2::new(5.0, -8.0), max: Vec2::new(9.0, 8.0) };
    Setting { step: STEP, regions: vec![region(door), region(out)], ..with_obstacles(walls) }
}

/// Leaves by the door.
fn out(crowd: &mut Crowd) -> u32 {
    let goals = [0, 1].map(|id| goal(Aim::SeekRegion { region: RegionId(id) })).to_vec();
    crowd.add_plan(Plan { goals, then: Then::Leave }).unwrap()
}

/// What happens to 200 people who press out of a door of 1 m in a minute: how far the average one, as the root
/// of the mean square, was moved against where they wanted to go, m, and how many got out.
fn press(changes: &[(&str, f32)]) -> (f32, usize) {
    let mut crowd = Crowd::new(room(1.0));
    let plan = out(&mut crowd);
    for i in 0..200 {
        let place = Vec2::new(-1.0 - (i / 16) as f32 * 0.65, (i % 16) as f32 * 0.65 - 4.9);
        crowd.add(&published(place, plan, changes)).unwrap();
    }
    let mut back = vec![0.0f32; 200];
    while crowd.time() < 60.0 {
        step_within_walls(&mut crowd);
        for p in crowd.people() {
            let wanted = p.preferred_velocity.normalize_or_zero();
            back[p.id.0 as usize] += (-p.velocity.dot(wanted)).max(0.0) * STEP as f32;
        }
    }
    assert_sound(&crowd);
    let squares: f32 = back.iter().map(|back| back * back).sum();
    ((squares / 200.0).sqrt(), 200 - crowd.len())
}

#[test]
fn whoever_is_pushed_back_stops_instead_of_shaking() {
    let (back, out) = press(&[]);
    let (shaking, out_shaking) = press(&[("stopping_time", 0.0)]);
    println!("back {back} m, {out} out; without the rule {shaking} m, {out_shaking} out");
    assert!(back <= 0.25 * shaking, "{back} m of {shaking} m");
    assert!(out as f32 >= 0.8 * out_shaking as f32, "{out} of {out_shaking} got out");
    assert!(out > 30, "{out} got out");
}

/// How many are side by side before the door, on average over the queue and over the time when there is one, and
/// the share of them who wait. Two arrive together every `period` seconds.
fn abreast(changes: &[(&str, f32)], period: f64) -> (f64, f64) {
    let mut crowd = Crowd::new(room(0.9));
    let plan = out(&mut crowd);
    let mut added = 0;
    let (mut people, mut slices, mut waiting) = (0, 0, 0);
    while crowd.time() < 60.0 {
        if added < 80 && crowd.time() >= f64::from(added / 2) * period {
            for y in [-0.4, 0.4] {
                let place = Vec2::new(-15.0, y);
                crowd.add(&steered(place, plan, changes)).unwrap();
                added += 1;
            }
        }
        crowd.step();
        let before = |p: &PersonState| p.position.x < 0.0 && p.position.length() < 6.0;
        let queue: Vec<PersonState> = crowd.people().filter(before).collect();
        if queue.len() >= 8 {
            // As long as somebody and the room that they want.
            let mut counts = [0; 10];
            queue.iter().for_each(|p| counts[(p.position.length() / 0.6) as usize] += 1);
            people += queue.len();
            waiting += queue.iter().filter(|p| p.status == Status::Queueing).count();
            slices += counts.iter().filter(|count| **count > 0).count();
        }
    }
    (people as f64 / slices as f64, waiting as f64 / people as f64)
}

#[test]
fn queues_form_among_the_calm_and_not_in_panic() {
    // As published, and with people who cannot stop at once: they come to stand beside each other here and there.
    for (limit, most) in [(0.0, 1.5), (3.0, 2.2)] {
        let usual = [("others_weight", 0.0), ("acceleration_limit", limit)];
        let (calm, waiting) = abreast(&usual, 1.0);
        let (panic, hasty) = abreast(&[usual[0], usual[1], ("panic", 1.0)], 0.6);
        println!("{calm:.2} abreast, {waiting:.2} wait; {panic:.2} in panic, {hasty:.2} wait");
        assert!(calm < most, "{calm:.2} abreast");
        assert!(waiting > 0.2, "{waiting:.2} of them wait");
        assert!(panic > 1.5 && hasty == 0.0, "{panic:.2} abreast in panic, {hasty:.2} wait");
    }
}

#[test]
fn pushes_from_behind_stop_nobody() {
    let mut crowd = Crowd::new(super::plane());
    let way = super::flow(&mut crowd, Vec2::X);
    // The one behind wants no room and is in the other's.
    crowd.add(&steered(Vec2::ZERO, way, &[("personal_space", 0.3)])).unwrap();
    let pusher = [("personal_space", 0.0), ("haste", 1.4), ("others_weight", 0.0)];
    crowd.add(&steered(Vec2::new(-0.6, 0.0), way, &pusher)).unwrap();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..150 {
        crowd.step();
        seen.extend([0, 1].map(|id| (id, crowd.conduct(PersonId(id)).unwrap().condition)));
    }
    assert!(seen.contains(&(0, Condition::Pushed)) && seen.contains(&(1, Condition::Pushing)));
    assert!(!seen.iter().any(|(_, condition)| condition.holds_back()), "{seen:?}");
}
