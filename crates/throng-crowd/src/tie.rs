//! Where nothing else decides between two people, their ids do.

use glam::Vec2;

/// Which way the first of two goes when both are in the same place at the same velocity: some
/// direction of the pair, opposite for the second.
pub fn tie_direction(own: u32, other: u32) -> Vec2 {
    let hash = pair_hash(own, other) >> 40;
    let direction = Vec2::from_angle(hash as f32 * (std::f32::consts::TAU / (1u64 << 24) as f32));
    if own < other { direction } else { -direction }
}

/// On which side two who meet head-on pass each other: 1 or -1, the same for both.
pub fn pair_side(own: u32, other: u32) -> f32 {
    if pair_hash(own, other) >> 63 == 0 { 1.0 } else { -1.0 }
}

fn pair_hash(own: u32, other: u32) -> u64 {
    let pair = (u64::from(own.min(other)) << 32) | u64::from(own.max(other));
    pair.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
