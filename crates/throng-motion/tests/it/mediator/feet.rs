//! Feet stay where they stand, and the body gets where it should.

use glam::{Quat, Vec3};
use throng_base::random::{Purpose, Random};
use throng_motion::mediator::PerformerOptions;

use super::stage::{STEP, Seen, Stage, soles};

/// The foot alone decides where the root is, as published.
fn as_published() -> PerformerOptions {
    PerformerOptions { lean: 0.0, ..PerformerOptions::default() }
}

/// A minute in which the simulator changes its mind about speed and direction every half second.
fn random_minute(options: PerformerOptions, seed: u64) -> Seen {
    let mut stage = Stage::new(options);
    let mut draw = Random::new(seed).stream(0, 0, Purpose::Goal);
    let mut velocity = Vec3::ZERO;
    for frame in 0..1500 {
        if frame % 12 == 0 {
            let speed = if draw.unit() < 0.15 { 0.0 } else { draw.between(0.1, 1.9) };
            let turn = draw.between(-1.2, 1.2);
            let ahead = velocity.try_normalize().unwrap_or(Vec3::Z);
            velocity = Quat::from_rotation_y(turn) * ahead * speed;
        }
        stage.step(velocity, None);
    }
    stage.seen
}

#[test]
fn feet_do_not_move_while_they_stand_whatever_the_simulator_wants() {
    for options in [as_published(), PerformerOptions::default()] {
        for seed in 0..4 {
            let seen = random_minute(options, seed);
            assert!(seen.slips.len() > 1200, "feet stand most of the time");
            let slip = seen.largest_slip();
            assert!(slip < 0.001, "seed {seed}: {:.2} mm in a frame", 1e3 * slip);
            assert!(seen.lowest > -0.008, "seed {seed}: {:.1} mm in the ground", 1e3 * seen.lowest);
        }
    }
}

/// The root's way summed up from frame to frame, as first published, agrees with what anchors say.
#[test]
fn summing_up_the_way_of_the_root_gives_the_same_place() {
    for speed in [0.7, 1.1, 1.5] {
        let mut stage = Stage::new(as_published());
        let mut root: Option<(Vec3, [[Vec3; 3]; 2])> = None;
        let (mut furthest, mut way) = (0f32, 0.0);
        for frame in 0..500 {
            let yaw = 0.3 * (0.01 * frame as f32).sin();
            let played = stage.step(Quat::from_rotation_y(yaw) * Vec3::Z * speed, None);
            // From the root to the soles, in the world.
            let place = played.placement.translation;
            let soles = soles(&stage.pose, &played).map(|sole| sole.map(|point| point - place));
            let Some((summed, before)) = root.filter(|_| frame > 50) else {
                root = Some((place, soles));
                continue;
            };
            // The foot that has stood all the while; one that rolls stands on what it stood on last.
            let stood = stage.seen.played[frame - 1].feet.map(|foot| foot.contact);
            let stands = played.feet.map(|foot| foot.contact);
            let same = |foot: &usize| stood[*foot].map(|of| of.0) == stands[*foot].map(|of| of.0);
            let foot = (0..2)
                .filter(|&foot| stood[foot].is_some() && stands[foot].is_some())
                .max_by_key(same)
                .expect("a walk has always a foot on the ground");
            let point = stood[foot].expect("it stood").0;
            let moved = before[foot][point as usize] - soles[foot][point as usize];
            let summed = summed + moved.with_y(0.0);
            furthest = furthest.max(summed.distance(place));
            way += moved.with_y(0.0).length();
            root = Some((summed, soles));
        }
        assert!(way > 10.0 * speed, "{way} m");
        assert!(furthest < 0.01, "{speed} m/s: {:.1} mm apart", 1e3 * furthest);
    }
}

/// From touching the ground to leaving it, the standing point of the posed sole stays within a millimetre; rolling from
/// heel to ball starts another point.
#[test]
fn whole_stances_stay_in_place() {
    let mut stage = Stage::new(PerformerOptions::default());
    let mut begun: [Option<(Vec3, usize)>; 2] = [None, None];
    let mut stances = 0;
    for frame in 0..1000 {
        let yaw = 0.8 * (0.004 * frame as f32 * frame as f32 / 10.0).sin();
        let played = stage.step(Quat::from_rotation_y(yaw) * Vec3::Z * 1.3, None);
        let soles = soles(&stage.pose, &played);
        for ((foot, begun), sole) in played.feet.iter().zip(&mut begun).zip(&soles) {
            *begun = foot.contact.map(|(point, _)| match *begun {
                Some((first, same)) if same == point as usize => {
                    let slid = (sole[same] - first).with_y(0.0).length();
                    assert!(slid < 0.001, "frame {frame}: {:.2} mm", 1e3 * slid);
                    (first, same)
                }
                _ => {
                    stances += 1;
                    (sole[point as usize], point as usize)
                }
            });
        }
    }
    assert!(stances > 100, "{stances}");
}

/// A simulator that moves faster than any clip pulls the root after it; feet step and do not slide.
#[test]
fn feet_of_a_pulled_body_step_instead_of_sliding() {
    let mut stage = Stage::new(PerformerOptions::default());
    stage.feedback = false;
    let (mut pulled, mut furthest) = (0, 0f32);
    for frame in 0..500 {
        // An about-face at full speed every second, which no body can do.
        let ahead = if frame / 25 % 2 == 0 { Vec3::Z } else { -Vec3::Z };
        let played = stage.step(2.5 * ahead, None);
        pulled += usize::from(played.pulled > 0.0);
        furthest = furthest.max(played.deviation);
    }
    assert!(pulled > 20, "{pulled}");
    assert!(stage.seen.largest_slip() < 0.001, "{:.2} mm", 1e3 * stage.seen.largest_slip());
    assert!(furthest < 1.0, "{furthest} m behind");
}

#[test]
fn the_body_is_as_fast_as_the_simulator_wants() {
    for speed in [0.1, 0.3, 0.55, 0.8, 1.0, 1.3, 1.5, 1.9, 2.5, 3.2] {
        for options in [as_published(), PerformerOptions::default()] {
            let mut stage = Stage::new(options);
            for _ in 0..500 {
                stage.step(speed * Vec3::Z, None);
            }
            let places = &stage.seen.places;
            let mean = (places[499].z - places[149].z) / (350.0 * STEP);
            assert!((mean / speed - 1.0).abs() < 0.015, "{speed} m/s: {mean}");
            // Those who set out at once have to catch up first.
            let late = &stage.seen.deviations[150..];
            let worst = late.iter().copied().fold(0.0, f32::max);
            assert!(worst < 0.003, "{speed} m/s: {:.1} mm off", 1e3 * worst);
        }
    }
}

/// A path with six corners of a right angle, 1.3 m/s.
fn corners(options: PerformerOptions, feedback: bool) -> Seen {
    let mut stage = Stage::new(options);
    stage.feedback = feedback;
    for frame in 0..525 {
        let yaw = std::f32::consts::FRAC_PI_2 * (frame / 75) as f32;
        stage.step(Quat::from_rotation_y(yaw) * Vec3::Z * 1.3, None);
    }
    stage.seen
}

#[test]
fn sharp_corners_cost_millimetres() {
    for options in [as_published(), PerformerOptions::default()] {
        let seen = corners(options, true);
        assert!(seen.mean_deviation() < 0.00778, "{:.2} mm", 1e3 * seen.mean_deviation());
        assert!(seen.largest_slip() < 0.001);
        let worst = (0..seen.deviations.len())
            .max_by(|&a, &b| seen.deviations[a].total_cmp(&seen.deviations[b]));
        // It takes a moment until the feet follow; it is not in the middle of a straight.
        assert!(worst.is_some_and(|frame| frame % 75 < 25), "{worst:?}");
    }
}

#[test]
fn without_feedback_a_simulator_and_a_body_that_does_not_pursue_it_part() {
    let drift = |pursuit: f32, feedback: bool| {
        let mut stage =
            Stage::new(PerformerOptions { pursuit, tolerance: 10.0, jump: 10.0, ..as_published() });
        stage.feedback = feedback;
        let mut draw = Random::new(3).stream(0, 0, Purpose::Goal);
        let mut turn = 0.0f32;
        let mut yaw = 0.0f32;
        for frame in 0..1500 {
            if frame % 25 == 0 {
                turn = draw.between(-3.0, 3.0);
            }
            yaw += STEP * turn;
            stage.step(Quat::from_rotation_y(yaw) * Vec3::Z * 1.3, None);
        }
        stage.seen.deviations.last().copied().unwrap_or_default()
    };
    assert!(drift(0.0, false) > 0.5, "{}", drift(0.0, false));
    assert!(drift(0.0, true) < 0.1, "{}", drift(0.0, true));
    assert!(drift(2.5, false) < 0.3, "{}", drift(2.5, false));
}

#[test]
fn whoever_is_held_up_stands_and_does_not_walk_on_the_spot() {
    let mut stage = Stage::new(PerformerOptions::default());
    for _ in 0..50 {
        stage.step(1.3 * Vec3::Z, None);
    }
    // Steering goes on wanting to walk, but a wall holds the person where they are.
    stage.feedback = false;
    let wall = stage.place;
    for _ in 0..100 {
        stage.place = wall - STEP * 1.3 * Vec3::Z;
        stage.step(1.3 * Vec3::Z, None);
        stage.place = wall;
    }
    let late = &stage.seen.places[120..];
    let moved = late.iter().map(|place| place.distance(late[0])).fold(0.0, f32::max);
    assert!(moved < 0.12, "{moved} m");
    assert!(stage.seen.largest_slip() < 0.001);
}
