//! Feet on slopes, dunes and stairs.

use glam::{Vec2, Vec3};
use throng_base::ground::{Ground, Level, Relief};
use throng_motion::carpet::{self, CarpetOptions, Character};
use throng_motion::{Pose, RootMotion};

use super::stage::*;

fn check(name: &str, ground: &dyn Ground) {
    let mut on_line = walker(CarpetOptions::default());
    let line = walk(&mut on_line, ground, 220, |_, _| {});
    let world = over_world(ground, 220);
    for (way, feet) in [("line", line), ("world", world)] {
        println!("{name} on the {way}: {feet:?}, {} m/s", feet.skating());
    }
    for (way, feet) in [("line", line), ("world", world)] {
        assert!(feet.sunk < 0.01, "{name} on the {way} sinks: {feet:?}");
        assert!(feet.floated < 0.02, "{name} on the {way} floats: {feet:?}");
        assert!(feet.slid < 0.002, "{name} on the {way} slides: {feet:?}");
        assert!(feet.scraped < 0.002, "{name} on the {way} scrapes: {feet:?}");
        assert!(feet.skating() < 0.02, "{name} on the {way} skates: {feet:?}");
        assert!(feet.slides.1 > 100, "{name}: feet do stand");
        // Where it is level, soles touch the flat carpet in some frames before and after they are said to stand.
        let (stands, does_not_bear) = feet.standing;
        assert!(does_not_bear * 8 < stands, "{name} on the {way}: {feet:?}");
    }
}

/// The clip as something else would play it over a flat world, straight ahead.
fn over_world(ground: &dyn Ground, frames: usize) -> Feet {
    let mut character = Character::on_world(RIG.clone(), CarpetOptions::default()).unwrap();
    let mut watch = Watch::default();
    let mut pose = Pose::default();
    for frame in 0..frames {
        let distance = SPEED * STEP * frame as f32;
        let phase = distance / WALK.travel().translation.z;
        WALK.sample(phase, &mut pose);
        let translation = WALK.root_at(phase).translation;
        let contacts = [throng_motion::Side::Left, throng_motion::Side::Right].map(|side| {
            // Whoever plays a clip knows when feet land, and says so a little ahead.
            let touches = |ahead: f32| WALK.contacts().touches(side, phase + ahead);
            if touches(0.0) {
                Some(1.0)
            } else {
                let soon = (0..14).find(|ahead| touches(0.01 * *ahead as f32));
                let late = (0..7).find(|since| touches(-0.01 * *since as f32));
                let soon = soon.map_or(0.0, |ahead| 1.0 - ahead as f32 / 14.0);
                let late = late.map_or(0.0, |since| 1.0 - since as f32 / 7.0);
                Some(f32::max(soon, late).min(0.99))
            }
        });
        character.show(&pose, RootMotion { translation, yaw: 0.0 }, &contacts);
        carpet::step(std::slice::from_mut(&mut character), ground, STEP);
        watch.look(&character, ground);
    }
    watch.feet
}

#[test]
fn feet_stand_on_flat_ground() {
    check("flat", &Level);
}

#[test]
fn feet_stand_on_slopes_of_25_degrees() {
    let slope = 25f32.to_radians().tan();
    check("uphill", &Relief(|place: Vec2| slope * place.y));
    check("downhill", &Relief(|place: Vec2| -slope * place.y));
    check("across", &Relief(|place: Vec2| slope * place.x));
    check("askew", &Relief(|place: Vec2| 0.7 * slope * (place.x + place.y)));
}

#[test]
fn feet_stand_on_dunes() {
    check(
        "dunes",
        &Relief(|place: Vec2| 0.25 * (1.3 * place.y).sin() + 0.1 * (2.1 * place.x).sin()),
    );
}

#[test]
fn feet_stand_on_stairs() {
    check("stairs", &Relief(stairs(0.17, 0.29)));
    check("steep stairs", &Relief(stairs(0.2, 0.3)));
    check("a kerb", &Relief(|place: Vec2| if place.y > 2.05 { 0.2 } else { 0.0 }));
}

#[test]
fn feet_stand_while_the_way_changes_four_times_a_second() {
    let rolling = Relief(|place: Vec2| 0.2 * (0.9 * place.x).sin() + 0.2 * (0.8 * place.y).cos());
    let mut character = walker(CarpetOptions::default());
    let feet = walk(&mut character, &rolling, 400, |frame, character| {
        if frame % 6 == 0 {
            let (root, heading) = character.root();
            let turn = 0.8 * (frame as f64 * 1.7).sin();
            let path = (0..20).map(|point| {
                let ahead = 0.2 * f64::from(point);
                let to = heading + turn * ahead.min(1.0);
                Vec3::new(
                    (root.x + ahead * to.sin()) as f32,
                    0.0,
                    (root.y + ahead * to.cos()) as f32,
                )
            });
            assert!(character.follow(path));
        }
    });
    println!("{feet:?}, {} m/s", feet.skating());
    assert!(feet.skating() < 0.04 && feet.slid < 0.002, "{feet:?}");
    assert!(feet.sunk < 0.01 && feet.floated < 0.02 && feet.scraped < 0.002, "{feet:?}");
}

#[test]
fn a_swinging_foot_does_not_go_through_a_step() {
    for ground in [Relief(stairs(0.17, 0.29)), Relief(stairs(0.2, 0.3))] {
        let mut character = walker(CarpetOptions::default());
        let mut deepest: f32 = 0.0;
        let mut fastest: f32 = 0.0;
        let mut before: Option<Vec<Vec3>> = None;
        walk(&mut character, &ground, 220, |_, character| {
            let seen = soles(character, &ground);
            let low = seen.above.iter().flatten().copied().fold(f32::INFINITY, f32::min);
            deepest = deepest.max(-low);
            let ankles: Vec<Vec3> =
                RIG.feet().iter().map(|foot| character.model().position(foot.end)).collect();
            if let Some(before) = &before {
                for (now, then) in ankles.iter().zip(before) {
                    let speed = (*now - *then).y.abs() / STEP;
                    fastest = fastest.max(speed);
                }
            }
            before = Some(ankles);
        });
        println!("deepest {deepest}, fastest {fastest}");
        assert!(deepest < 0.05, "{deepest}");
        assert!(fastest < 5.0, "ankles go up and down at {fastest} m/s");
    }
}
