//! Legs, from inside of the trunk to the sole.

use glam::Vec3;

use super::{Making, bind, carried, mix};
use crate::contact::Side;
use crate::mesh::surface::Chain;
use crate::mesh::{Binding, Region};
use crate::skeleton::JointId;

/// A cross-section of a leg.
struct Ring {
    /// The bone it is on, counted from the trunk, and which part of it is above.
    along: (usize, f32),
    /// How far it reaches to the front, back and each side, in shoulder heights.
    size: [f32; 3],
    /// How far its middle is ahead of the bone and outside of it, likewise.
    shift: [f32; 2],
    /// Whether it is left out at medium and at low detail.
    fine: [bool; 2],
}

const fn ring(along: (usize, f32), size: [f32; 3], shift: [f32; 2], fine: [bool; 2]) -> Ring {
    Ring { along, size, shift, fine }
}

const ALWAYS: [bool; 2] = [false, false];
const MEDIUM: [bool; 2] = [false, true];
const FULL: [bool; 2] = [true, true];

/// Bones: thigh, shank, metatarsus.
const HIND: [Ring; 9] = [
    ring((0, 0.00), [0.100, 0.090, 0.046], [0.0, 0.0], FULL),
    ring((0, 0.45), [0.100, 0.118, 0.055], [-0.015, 0.004], ALWAYS),
    ring((0, 0.98), [0.055, 0.110, 0.048], [-0.012, 0.002], ALWAYS),
    ring((1, 0.35), [0.040, 0.062, 0.036], [-0.004, 0.0], FULL),
    ring((1, 0.72), [0.026, 0.038, 0.024], [0.0, 0.0], MEDIUM),
    ring((1, 1.00), [0.024, 0.036, 0.021], [0.0, 0.0], ALWAYS),
    ring((2, 0.30), [0.021, 0.023, 0.018], [0.0, 0.0], FULL),
    ring((2, 0.75), [0.019, 0.020, 0.018], [0.0, 0.0], FULL),
    ring((2, 1.00), [0.024, 0.026, 0.023], [0.0, 0.0], ALWAYS),
];

/// Bones: shoulder blade, upper arm, forearm, metacarpus.
const FORE: [Ring; 9] = [
    ring((0, 0.35), [0.065, 0.080, 0.036], [0.0, -0.006], FULL),
    ring((0, 0.95), [0.062, 0.115, 0.050], [-0.012, 0.008], ALWAYS),
    ring((1, 0.60), [0.058, 0.085, 0.046], [0.0, 0.004], FULL),
    ring((1, 1.00), [0.048, 0.062, 0.038], [0.0, 0.0], ALWAYS),
    ring((2, 0.35), [0.034, 0.040, 0.031], [0.0, 0.0], FULL),
    ring((2, 0.75), [0.023, 0.026, 0.023], [0.0, 0.0], FULL),
    ring((2, 1.00), [0.025, 0.025, 0.025], [0.0, 0.0], ALWAYS),
    ring((3, 0.50), [0.019, 0.020, 0.020], [0.0, 0.0], FULL),
    ring((3, 1.00), [0.024, 0.025, 0.024], [0.0, 0.0], ALWAYS),
];

pub(super) fn build(making: &mut Making) {
    let (hind, fore) = (making.animal.hind(Side::Left), making.animal.fore(Side::Left));
    let w = making.w();
    let bones = making.animal.proportions();
    let inside = making.at(hind.hip) + Vec3::new(-0.4 * bones.hip_half_width, 0.085 * w, -0.01 * w);
    let top = (inside, carried(making.animal.pelvis()));
    leg(making, &[hind.hip, hind.stifle, hind.hock, hind.paw], &HIND, top);
    let blade = making.at(fore.scapula);
    let inside = blade + Vec3::new(-0.3 * bones.shoulder_half_width, 0.0, 0.01 * w);
    let top = (inside, carried(fore.scapula));
    leg(making, &[fore.scapula, fore.shoulder, fore.elbow, fore.carpus, fore.paw], &FORE, top);
}

/// `joints` lead from the trunk to the toes.
fn leg(making: &mut Making, joints: &[JointId], rings: &[Ring], top: (Vec3, Binding)) {
    let (w, figure) = (making.w(), &making.animal.breed().figure);
    let angles = angles(making);
    let left_out = making.detail.choose(None, Some(0), Some(1));
    let (last, toes) = (joints.len() - 2, joints[joints.len() - 1]);
    let mut above: Option<Chain> = None;
    for (index, ring) in rings.iter().enumerate() {
        if left_out.is_some_and(|level| ring.fine[level]) {
            continue;
        }
        let (bone, part) = ring.along;
        let (from, to) = (making.at(joints[bone]), making.at(joints[bone + 1]));
        let up = axis(making, joints, bone, part);
        let front = Vec3::new(0.0, -up.z, up.y);
        let [ahead, out] = ring.shift.map(|shift| shift * w);
        let centre = from.lerp(to, part) + ahead * front + out * Vec3::X;
        // Muscles are near the trunk, and below are bones and tendons.
        let thick = mix(figure.haunches, figure.legs, (index as f32 / 5.0).min(1.0));
        let size = ring.size.map(|size| size * w * thick);
        let binding = joint_binding(joints, bone, part);
        let chain = loop_around(making, centre, front, size, &angles, binding);
        match &above {
            Some(above) => making.surface.tube(Region::Top, &chain, above),
            None => {
                let top = making.surface.vertex(top.0, top.1);
                making.surface.loop_roof(Region::Top, &chain, top);
            }
        }
        above = Some(chain);
    }
    if let Some(above) = above {
        paw(making, joints[last], toes, &above, &angles);
    }
}

fn angles(making: &Making) -> Vec<f32> {
    let count = making.detail.choose(8, 5, 3);
    // The first is right of the front and the second left of it, as soles want it.
    (0..count).map(|corner| 360.0 * (corner as f32 - 0.5) / count as f32).collect()
}

/// Up the leg, half way between two bones where they meet.
fn axis(making: &Making, joints: &[JointId], bone: usize, part: f32) -> Vec3 {
    let along = |bone: usize| {
        let line = making.at(joints[bone]) - making.at(joints[bone + 1]);
        Vec3::new(0.0, line.y, line.z).normalize_or(Vec3::Y)
    };
    let own = along(bone);
    let next = if part > 0.9 && bone + 2 < joints.len() { along(bone + 1) } else { own };
    // Muscles do not follow a strongly bent bone: rings never lie far from level.
    (own + next + 0.6 * Vec3::Y).normalize_or(Vec3::Y)
}

/// Which joints carry a place on a bone.
fn joint_binding(joints: &[JointId], bone: usize, part: f32) -> Binding {
    let below = ((part - 0.7) / 0.6).clamp(0.0, 0.5);
    let next = joints[bone + 1];
    let above = if bone > 0 { ((0.3 - part) / 0.6).clamp(0.0, 0.5) } else { 0.0 };
    let before = joints[bone.saturating_sub(1)];
    bind(&[(joints[bone], 1.0 - below - above), (next, below), (before, above)])
}

fn loop_around(
    making: &mut Making,
    centre: Vec3,
    front: Vec3,
    [ahead, behind, side]: [f32; 3],
    angles: &[f32],
    binding: Binding,
) -> Chain {
    let mut chain = Chain::default();
    for &angle in angles {
        let (sin, cos) = angle.to_radians().sin_cos();
        let depth = if cos > 0.0 { ahead } else { behind };
        let at = centre + depth * cos * front + side * sin * Vec3::X;
        let vertex = making.surface.vertex(at, binding);
        chain.push(vertex, angle);
    }
    chain
}

/// Toes of a dog, or pastern and hoof of a horse.
fn paw(making: &mut Making, above: JointId, toes: JointId, ankle: &Chain, angles: &[f32]) {
    let (w, figure) = (making.w(), making.animal.breed().figure);
    let joint = making.at(toes);
    // Fore and hind toes differ in size only.
    let bones = making.animal.proportions();
    let shape = if joint.z > 0.0 { bones.fore.paw } else { bones.hind.paw };
    let (thick, tip) = (figure.legs * w, shape.length);
    // Height as a part of the joint's, from and to along the toes in their lengths, half breadth.
    let rows: &[(f32, [f32; 2], f32, Region)] = if figure.is_equine {
        &[
            (0.62, [-0.18, 0.42], 0.024, Region::Top),
            (0.42, [-0.14, 0.70], 0.034, Region::Top),
            (0.0, [-0.10, 1.0], 0.045, Region::Shoes),
        ]
    } else {
        &[
            (0.72, [-0.32, 0.62], 0.034, Region::Top),
            (0.36, [-0.36, 1.0], 0.042, Region::Shoes),
            (0.0, [-0.30, 0.92], 0.040, Region::Shoes),
        ]
    };
    // Corners of a coarse polygon lie beside its front.
    let corner = (180.0 / angles.len() as f32).to_radians().cos().max(0.75);
    let mut last = ankle.clone();
    let rows = &rows[making.detail.choose(0, 1, 2)..];
    for (index, &(height, [from, to], side, region)) in rows.iter().enumerate() {
        let middle = 0.5 * (from + to) * tip;
        let reach = 0.5 * (to - from) * tip / corner;
        let centre = Vec3::new(joint.x, height * shape.height, joint.z + middle);
        let binding = if index == 0 { bind(&[(toes, 0.8), (above, 0.2)]) } else { carried(toes) };
        let size = [reach, reach, side * thick / corner];
        let chain = loop_around(making, centre, Vec3::Z, size, angles, binding);
        making.surface.tube(region, &chain, &last);
        last = chain;
    }
    making.surface.loop_floor(Region::Shoes, &last);
}
