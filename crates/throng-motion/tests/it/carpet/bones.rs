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

/// What came of putting bones right, at most over some frames.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    /// The error of a bone's length that is reported, and the one found from where joints were put, m.
    reported: f32,
    found: f32,
    /// From where a joint was put to where it is after joints were turned, without feet, m.
    apart: f32,
    iterations: u32,
}

impl Worst {
    fn and(self, other: Self) -> Self {
        Self {
            reported: self.reported.max(other.reported),
            found: self.found.max(other.found),
            apart: self.apart.max(other.apart),
            iterations: self.iterations.max(other.iterations),
        }
    }
}

fn look(character: &mut Character, seed: u64, speed: f32) -> Worst {
    let ground = Relief(waves(seed));
    let mut worst = Worst::default();
    for _ in 0..6 {
        character.advance(speed * 0.16);
        carpet::step(std::slice::from_mut(character), &ground, 0.16);
        let (bones, anchor) = (character.report().bones, character.carpet().anchor());
        let skeleton = character.rig().skeleton();
        let solved = character.solved();
        let mut seen = Worst { reported: bones.error, iterations: bones.iterations, ..worst };
        for joint in 1..skeleton.len() {
            let id = JointId::new(joint);
            let Some(parent) = skeleton.joints()[joint].parent else { continue };
            let length = solved[joint].distance(solved[parent.index()]);
            seen.found = seen.found.max((length - skeleton.bone_length(id)).abs());
            let is_foot = character
                .rig()
                .feet()
                .iter()
                .any(|foot| skeleton.lineage(id).any(|j| j == foot.end));
            if !is_foot {
                let at = character.model().position(id).as_dvec3() - anchor;
                seen.apart = seen.apart.max(at.as_vec3a().distance(solved[joint]));
            }
        }
        worst = worst.and(seen);
    }
    worst
}

#[test]
fn bones_keep_their_lengths_on_a_thousand_grounds() {
    let mut worst = Worst::default();
    for seed in 0..500 {
        let (mut dog, mut person) =
            (quadruped::walker(quadruped::options()), walker(CarpetOptions::default()));
        worst = worst.and(look(&mut dog, seed, quadruped::SPEED));
        worst = worst.and(look(&mut person, seed, SPEED));
    }
    println!("{worst:?}");
    let tolerance = CarpetOptions::default().tolerance;
    assert!(worst.reported <= tolerance && worst.found < 1.01 * tolerance, "{worst:?}");
    // What is put right only at the end is carried out to hands and heads.
    assert!(worst.iterations < CarpetOptions::default().iterations, "{worst:?}");
    assert!(worst.apart < 0.05, "{worst:?}");
}
