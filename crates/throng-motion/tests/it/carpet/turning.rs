//! Bends, corners, and what is too sharp for either.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{DVec2, Vec2, Vec3};
use throng_base::ground::Level;
use throng_motion::JointId;
use throng_motion::carpet::{Advice, CarpetOptions, Character};

use super::stage::*;

/// A walk ahead, a corner to the left with this radius, and a walk on.
fn corner(radius: f32, turn: f32) -> Vec<Vec3> {
    let mut path: Vec<Vec3> =
        (0..15).map(|point| Vec3::new(0.0, 0.0, 0.1 * point as f32)).collect();
    let centre = Vec3::new(radius, 0.0, 1.5);
    let pieces = (turn * radius / 0.05).ceil().max(6.0) as usize;
    for piece in 0..=pieces {
        let angle = turn * piece as f32 / pieces as f32;
        path.push(centre + radius * Vec3::new(-angle.cos(), 0.0, angle.sin()));
    }
    let ahead = Vec3::new(turn.sin(), 0.0, turn.cos());
    let end = path.last().copied().unwrap_or_default();
    path.extend((1..40).map(|point| end + 0.1 * point as f32 * ahead));
    path
}

/// The greatest speed of a point aside of the root over the root's own, and what joints do over what they do when
/// they go straight on.
struct Gains {
    aside: f64,
    least: f64,
    joints: f32,
    /// Fastest joint, m/s.
    fastest: f32,
}

fn gains(character: &mut Character, path: &[Vec3], frames: usize) -> (Gains, Feet) {
    assert!(character.follow(path.iter().copied()));
    let mut straight = walker(CarpetOptions::default());
    let mut gains = Gains { aside: 0.0, least: f64::INFINITY, joints: 0.0, fastest: 0.0 };
    let (mut before, mut joints): (Option<[DVec2; 3]>, Option<[Vec<Vec3>; 2]>) = (None, None);
    let feet = walk(character, &Level, frames, |frame, character| {
        walk(&mut straight, &Level, 1, |_, _| {});
        let (root, heading) = character.root();
        let left = DVec2::new(heading.cos(), -heading.sin());
        let points = [root, root + 0.35 * left, root - 0.35 * left];
        if let Some(before) = before {
            let ahead = DVec2::new(heading.sin(), heading.cos());
            let speeds = [0, 1, 2].map(|point| (points[point] - before[point]).dot(ahead));
            gains.aside = gains.aside.max(speeds[1].max(speeds[2]) / speeds[0]);
            gains.least = gains.least.min(speeds[1].min(speeds[2]) / speeds[0]);
        }
        before = Some(points);
        let places = |character: &Character| -> Vec<Vec3> {
            character.model().positions.iter().map(|at| Vec3::from(*at)).collect()
        };
        let now = [places(character), places(&straight)];
        if let Some(then) = &joints {
            for joint in 0..now[0].len() {
                let speed = |body: usize| now[body][joint].distance(then[body][joint]) / STEP;
                gains.fastest = gains.fastest.max(speed(0));
                // Feet that stand have no speed to compare with, and knees above them little: the least that
                // counts is the body's own.
                if frame > 2 {
                    let gain = 1.0 + (speed(0) - speed(1)) / speed(1).max(SPEED);
                    gains.joints = gains.joints.max(gain);
                }
            }
        }
        joints = Some(now);
    });
    (gains, feet)
}

#[test]
fn the_outer_side_of_a_corner_does_not_race() {
    let mut bounded = walker(CarpetOptions::default());
    let (with, feet) = gains(&mut bounded, &corner(0.02, 1.571), 90);
    println!(
        "bounded: aside {}, least {}, joints {}, fastest {} {feet:?}",
        with.aside, with.least, with.joints, with.fastest
    );
    assert!(with.aside < 1.55, "{}", with.aside);
    assert!(with.joints < 1.7, "{}", with.joints);
    assert!(with.least >= 0.0, "the inner side goes backwards: {}", with.least);
    assert!(feet.slid < 0.002, "{feet:?}");
    // It does arrive where the way leads.
    let (root, heading) = bounded.root();
    assert!((heading - 1.571).abs() < 0.1 && (root.y - 1.52).abs() < 0.2, "{root} {heading}");
}

#[test]
fn without_the_bound_it_races_as_the_closed_form_says() {
    let options = CarpetOptions { gain: 4.5, half_width: 0.35, ..CarpetOptions::default() };
    let mut unbounded = walker(options);
    // So slowly that the bend is seen at every moment.
    let path = corner(0.1, 1.571);
    assert!(unbounded.follow(path));
    let mut fastest: f64 = 0.0;
    let mut before: Option<[DVec2; 2]> = None;
    let mut folded = false;
    for _ in 0..3000 {
        unbounded.advance(0.001);
        throng_motion::carpet::step(std::slice::from_mut(&mut unbounded), &Level, STEP);
        folded |= unbounded.report().condition.folded;
        let (root, heading) = unbounded.root();
        let right = DVec2::new(-heading.cos(), heading.sin());
        let points = [root, root + 0.35 * right];
        if let Some(before) = before {
            fastest = fastest.max(points[1].distance(before[1]) / points[0].distance(before[0]));
        }
        before = Some(points);
    }
    println!("fastest {fastest}");
    // 1 + v / r on the circle; rows are a tenth of a metre apart, and between them the line is a chord.
    let chord = 0.1 * 0.5f64.sin() / 0.5;
    let expected = 1.0 + 0.35 / chord;
    assert!((fastest - expected).abs() < 0.1, "{fastest} {expected}");
    assert!(folded, "a carpet that lies over itself says so");
}

#[test]
fn bends_of_half_a_metre_keep_feet_and_knees_sane() {
    for turn in [FRAC_PI_2, PI] {
        let mut character = walker(CarpetOptions::default());
        let (gains, feet) = gains(&mut character, &corner(0.5, turn), 110);
        println!("{turn}: joints {}, fastest {}, {feet:?}", gains.joints, gains.fastest);
        assert!(gains.joints < 1.7 && gains.fastest < 7.0, "{}", gains.fastest);
        assert!(feet.slid < 0.002 && feet.sunk < 0.01 && feet.floated < 0.02, "{feet:?}");
        let rig = character.rig().clone();
        // Knees bend forwards and ankles are where they should be.
        let model = character.model();
        for foot in rig.feet() {
            let at = |joint: JointId| model.position(joint);
            let thigh = at(foot.middle) - at(foot.first);
            let shank = at(foot.end) - at(foot.middle);
            let bend = thigh.normalize().dot(shank.normalize());
            assert!(bend > -0.2, "{bend}");
        }
        assert!(!character.report().condition.folded);
    }
}

#[test]
fn what_is_too_sharp_to_bend_is_for_a_pivot() {
    let advice = |path: Vec<Vec3>, clearance| {
        let mut character = walker(CarpetOptions::default());
        character.advance(0.5);
        throng_motion::carpet::step(std::slice::from_mut(&mut character), &Level, STEP);
        let found = character.follow(path);
        (found, character.advice(clearance))
    };
    let ahead =
        |to: Vec3| (0..20).map(move |point| 0.1 * point as f32 * to + Vec3::new(0.0, 0.0, 0.5));
    assert_eq!(advice(ahead(Vec3::Z).collect(), None).1, Advice::Bend);
    // Back on the spot, and a right angle.
    for (to, turn) in [(Vec3::NEG_Z, PI), (Vec3::X, 1.571), (Vec3::NEG_X, -1.571)] {
        match advice(ahead(to).collect(), None).1 {
            Advice::Pivot { turn: found } => {
                assert!((found.abs() - turn.abs()).abs() < 0.2, "{found} {turn}");
                assert!(turn > 3.0 || found.signum() == turn.signum());
            }
            other => panic!("{other:?}"),
        }
    }
    // A gentle bend through a doorway that leaves no room to cut the corner.
    let gentle = Vec3::new(0.7, 0.0, 0.7);
    assert_eq!(advice(ahead(gentle).collect(), Some(1.0)).1, Advice::Bend);
    assert!(matches!(advice(ahead(gentle).collect(), Some(0.01)).1, Advice::Pivot { .. }));
    let (found, nowhere) = advice(vec![Vec3::ONE; 4], None);
    assert!(!found && nowhere == Advice::NoWay);
}

#[test]
fn a_carpet_laid_anew_leads_where_it_should() {
    let mut character = walker(CarpetOptions::default());
    walk(&mut character, &Level, 30, |_, _| {});
    let place = Vec3::new(4.0, 0.0, 2.0);
    character.lay_anew(place, 2.0);
    walk(&mut character, &Level, 25, |_, _| {});
    let (root, heading) = character.root();
    let expected = Vec2::new(4.0, 2.0) + 25.0 * STEP * SPEED * Vec2::new(2f32.sin(), 2f32.cos());
    assert!((root.as_vec2() - expected).length() < 1e-3 && (heading - 2.0).abs() < 1e-6, "{root}");
}
