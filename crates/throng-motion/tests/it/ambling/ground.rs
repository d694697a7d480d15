//! On slopes, dunes and stairs.

use glam::{Quat, Vec2, Vec3};
use throng_base::ground::{Ground, Level, Relief};
use throng_motion::quadruped::Gaits;

use super::stage::*;

/// Leads an animal straight on and in a bend. Joints may turn so much faster than on level ground.
fn check(what: &str, gaits: &Gaits, ground: &dyn Ground, speed: f32, seconds: f32, faster: f32) {
    for bend in [0.0, 0.35] {
        let mut stage = Stage::new(gaits, ground);
        stage.lead(seconds, |time| speed * (Quat::from_rotation_y(bend * time) * Vec3::Z));
        let off = stage.seen.deviation_from(20);
        stage.lead(1.5, |_| Vec3::ZERO);
        let seen = &stage.seen;
        // Feet whose legs do not reach the ground yet do not stand; they are few.
        let mut on_level = Stage::new(gaits, &Level);
        on_level.lead(seconds, |time| speed * (Quat::from_rotation_y(bend * time) * Vec3::Z));
        on_level.lead(1.5, |_| Vec3::ZERO);
        let feet = |seen: &Seen| seen.standing.iter().sum::<usize>() as f32;
        let stand = feet(seen) / feet(&on_level.seen);
        println!(
            "{what}, bend {bend}: {:.1} % of the feet stand that do on the level",
            1e2 * stand
        );
        assert!(stand > 0.95, "{what}: {stand}");
        println!(
            "{what}, bend {bend}: slid {:.2} mm, {:.2} cm/s, sunk {:.2} mm, floated {:.2} mm, {:?} {:?}, off {:.2}",
            1e3 * seen.slid,
            1e2 * seen.skating(),
            1e3 * seen.sunk,
            1e3 * seen.floated,
            seen.fastest_turn,
            seen.fastest_joint,
            off,
        );
        assert!(seen.slid < 0.002, "{what}: {}", seen.slid);
        assert!(seen.skating() < 0.01, "{what}: {}", seen.skating());
        assert!(seen.sunk < 0.01 && seen.floated < 0.02, "{what}: {} {}", seen.sunk, seen.floated);
        assert!(off < 0.35, "{what}: {off}");
        stage.check_joints(what, faster);
    }
}

#[test]
fn slopes_of_twenty_degrees_are_walked_up_down_and_along() {
    let slope = 20f32.to_radians().tan();
    for (name, gaits) in both() {
        for (way, along) in [("up", Vec2::Y), ("down", -Vec2::Y), ("along", Vec2::X)] {
            let ground = Relief(move |place: Vec2| slope * along.dot(place));
            check(&format!("{name} {way}"), gaits, &ground, 1.1, 5.0, 1.0);
        }
    }
}

#[test]
fn dunes_are_crossed() {
    let ground = Relief(|place: Vec2| 0.18 * (1.2 * place.y).sin() + 0.05 * (2.0 * place.x).cos());
    for (name, gaits) in both() {
        check(&format!("{name} walks over dunes"), gaits, &ground, 1.0, 7.0, 1.0);
        check(&format!("{name} trots over dunes"), gaits, &ground, 2.2, 7.0, 1.0);
    }
}

#[test]
fn stairs_are_climbed() {
    let ground = Relief(|place: Vec2| {
        let up = ((place.y - 2.0) / 0.3).ceil().clamp(0.0, 12.0);
        let down = ((place.y - 7.0) / 0.3).ceil().clamp(0.0, 12.0);
        0.17 * (up - down)
    });
    // It is a climb: legs are folded as far as they can be, and quickly.
    for (name, gaits) in both() {
        check(&format!("{name} on stairs"), gaits, &ground, 0.9, 13.0, 2.0);
    }
}
