//! Bones keep their lengths on any ground.

use glam::Vec2;
use throng_base::ground::Relief;
use throng_motion::JointId;
use throng_motion::carpet::{self, CarpetOptions, Character};

use super::quadruped;
use super::stage::*;

/// A smooth random ground: waves of at least a metre, half a metre high at most.
fn waves(seed: u64) -> impl Fn(Vec2) -> f32 {
    let number = move |index: u64| {
        let mut state =
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ index.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state ^= state >> 31;
        state = state.wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^= state >> 29;
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let waves: Vec<(Vec2, f32, f32)> = (0..4)
        .map(|wave| {
            let direction = Vec2::from_angle(6.3 * number(4 * wave));
            let length = 1.0 + 4.0 * number(4 * wave + 1);
            let height = 0.5 * 0.25 * number(4 * wave + 2) * (length / 5.0).min(1.0);
            (direction * 6.3 / length, height, 6.3 * number(4 * wave + 3))
        })
        .collect();
    move |place: Vec2| {
        waves.iter().map(|(along, height, shift)| height * (along.dot(place) + shift).sin()).sum()
    }
}

fn look(character: &mut Character, seed: u64, speed: f32) -> (f32, f32, u32) {
    let ground = Relief(waves(seed));
    let (mut residual, mut stretched, mut iterations) = (0.0f32, 0.0f32, 0);
    for _ in 0..6 {
        character.advance(speed * 0.16);
        carpet::step(std::slice::from_mut(character), &ground, 0.16);
        let report = character.report();
        residual = residual.max(report.bones.error);
        iterations = iterations.max(report.bones.iterations);
        let skeleton = character.rig().skeleton();
        for joint in 1..skeleton.len() {
            let id = JointId::new(joint);
            let Some(parent) = skeleton.joints()[joint].parent else { continue };
            let model = character.model();
            let length = model.position(id).distance(model.position(parent));
            let expected = skeleton.bone_length(id);
            if expected > 0.01 {
                stretched = stretched.max((length / expected - 1.0).abs());
            }
        }
    }
    (residual, stretched, iterations)
}

#[test]
fn bones_keep_their_lengths_on_a_thousand_grounds() {
    let (mut worst, mut most) = ((0.0f32, 0.0f32), 0);
    let mut over = 0;
    for seed in 0..500 {
        for four in [false, true] {
            let (mut character, speed) = if four {
                (quadruped::walker(quadruped::options()), quadruped::SPEED)
            } else {
                (walker(CarpetOptions::default()), SPEED)
            };
            let (residual, stretched, iterations) = look(&mut character, seed, speed);
            worst = (worst.0.max(residual), worst.1.max(stretched));
            most = most.max(iterations);
            over += usize::from(residual > 1e-3);
        }
    }
    println!("residual {}, stretched {}, iterations {most}, over {over}", worst.0, worst.1);
    assert!(worst.0 <= 1e-3, "residual {} m, {over} above", worst.0);
    assert!(worst.1 < 1e-3, "stretched {}", worst.1);
}
