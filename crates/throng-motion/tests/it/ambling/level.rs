//! On level ground: straight on, bends, turns on the spot, stops, starts and changes of gait.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Quat, Vec3};
use throng_base::ground::Level;

use super::stage::*;

fn towards(yaw: f32, speed: f32) -> Vec3 {
    speed * (Quat::from_rotation_y(yaw) * Vec3::Z)
}

#[test]
fn straight_on_it_keeps_up_at_every_speed() {
    for (name, gaits) in both() {
        for share in [0.05, 0.15, 0.3, 0.5, 0.75, 0.95] {
            let speed = share * gaits.fastest();
            let mut stage = Stage::new(gaits, &Level);
            stage.lead(5.0, |_| towards(0.0, speed));
            stage.check_level(&format!("{name} at {speed:.2} m/s"));
            assert!(stage.seen.deviation_from(50) < 0.1, "{name} at {speed}");
            let gait = if share < 0.35 { "walk" } else { "trot" };
            assert_eq!(*stage.seen.gaits.last().unwrap(), gait, "{name} at {speed}");
            if gait == "walk" {
                assert!(stage.seen.standing.iter().all(|count| *count >= 2), "{name} at {speed}");
            }
        }
    }
}

#[test]
fn a_circle_of_two_metres_is_kept_to() {
    for ((name, gaits), speed) in both().into_iter().flat_map(|it| [(it, 1.0), (it, 1.6)]) {
        let mut stage = Stage::new(gaits, &Level);
        stage.lead(TAU * 2.0 / speed * 1.5, |time| towards(speed * time / 2.0, speed));
        stage.check_level(&format!("{name} in a circle at {speed}"));
        let off = stage.seen.deviation_from(50);
        println!("deviation {off}");
        assert!(off < 0.35, "{name}: {off}");
    }
}

#[test]
fn corners_and_turns_back_are_made_without_sliding_or_spinning() {
    for (name, gaits) in both() {
        for angle in [FRAC_PI_2, -FRAC_PI_2, PI, 2.6] {
            let mut stage = Stage::new(gaits, &Level);
            stage.lead(3.0, |_| towards(0.0, 1.2));
            stage.lead(7.0, |_| towards(angle, 1.2));
            stage.check_level(&format!("{name} turns by {angle:.2}"));
            let turned: f32 = stage.seen.yaws.windows(2).map(turn).sum();
            assert!((turned.abs() - angle.abs()).abs() < 0.25, "{name}: {turned} for {angle}");
            let (end, most) = (stage.seen.deviation_from(225), stage.seen.deviation_from(0));
            println!("most {most}, in the end {end}");
            assert!(end < 0.35, "{name} keeps up again: {end}");
        }
    }
}

fn turn(yaws: &[f32]) -> f32 {
    (yaws[1] - yaws[0] + PI).rem_euclid(TAU) - PI
}

#[test]
fn stops_and_starts_at_random_speeds_leave_feet_where_they_stand() {
    for (name, gaits) in both() {
        for seed in 0..3 {
            let mut random = random(seed + 1);
            let mut stage = Stage::new(gaits, &Level);
            for _ in 0..8 {
                let speed = 0.7 * random() * gaits.fastest();
                stage.lead(0.5 + 2.0 * random(), |_| towards(0.0, speed));
                stage.lead(0.3 + 3.0 * random(), |_| Vec3::ZERO);
            }
            // Whoever had to stop from a trot has some steps back to make.
            stage.lead(12.0, |_| Vec3::ZERO);
            stage.check_level(&format!("{name} stops and starts, {seed}"));
            let last = stage.seen.places.len() - 1;
            println!("in the end {}", stage.seen.deviations[last]);
            assert!(stage.seen.deviations[last] < 0.15, "{name}: {}", stage.seen.deviations[last]);
            assert_eq!(stage.seen.gaits[last], "stand");
            assert_eq!(stage.seen.standing[last], 4);
        }
    }
}

#[test]
fn a_walk_becomes_a_trot_and_a_walk_again() {
    for (name, gaits) in both() {
        let fast = 0.6 * gaits.fastest();
        let mut stage = Stage::new(gaits, &Level);
        stage.lead(14.0, |time| towards(0.0, fast * (0.5 - 0.5 * (TAU * time / 7.0).cos())));
        stage.check_level(&format!("{name} changes its gait"));
        assert!(stage.seen.deviation_from(0) < 0.35, "{name}: {}", stage.seen.deviation_from(0));
        for gait in ["walk", "trot"] {
            assert!(stage.seen.frames_of(gait) > 60, "{name}: {gait}");
        }
        // Not to and fro.
        let changes = stage.seen.gaits.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(changes <= 9, "{name}: {changes}");
    }
}

#[test]
fn who_stands_stands_square_in_the_end_and_faces_where_it_should() {
    for (name, gaits) in both() {
        let mut stage = Stage::new(gaits, &Level);
        stage.lead(3.0, |_| towards(0.0, 1.0));
        for _ in 0..200 {
            stage.step(Vec3::ZERO, Some(2.0));
        }
        stage.check_level(&format!("{name} faces elsewhere"));
        let yaw = *stage.seen.yaws.last().unwrap();
        assert!((yaw - 2.0).abs() < 0.15, "{name}: {yaw}");
        assert!(stage.seen.frames_of("turn") > 10, "{name}");
        let animal = gaits.animal();
        let model = throng_motion::ModelPose::of(animal.skeleton(), &stage.pose);
        for paw in throng_motion::Paw::ALL {
            let joint = animal.paw(paw);
            let off = model.position(joint) - animal.skeleton().rest_position(joint);
            let h = animal.proportions().hip_height;
            assert!(off.with_y(0.0).length() < 0.1 * h, "{name} {paw:?}: {off}");
        }
    }
}

#[test]
fn a_place_a_little_aside_or_behind_is_stepped_to() {
    for (name, gaits) in both() {
        for to in [Vec3::new(0.3, 0.0, 0.0), Vec3::new(0.0, 0.0, -0.35), Vec3::new(-0.2, 0.0, 0.3)]
        {
            let mut stage = Stage::new(gaits, &Level);
            stage.lead(0.5, |_| Vec3::ZERO);
            stage.place += to;
            stage.lead(6.0, |_| Vec3::ZERO);
            stage.check_level(&format!("{name} steps to {to}"));
            let off = *stage.seen.deviations.last().unwrap();
            assert!(off < 0.1, "{name} to {to}: {off}");
        }
    }
}
