//! The pose in which a body rests.
//!
//! Files have two: that in which the nodes are stored, and that in which the surface was bound to
//! the joints. They are usually the same. Where they are not, the nodes were stored in the middle of a
//! movement, and the bind pose is the better rest: it is symmetric, and retargeting starts from it.

use std::collections::{HashMap, HashSet};

use glam::{Affine3A, Quat, Vec3, Vec3A};

use super::family::Family;
use super::tree::Tree;
use super::{Source, rotation_of};
use crate::files::{Place, Warnings};

/// Where the members of a family are at rest.
pub(super) struct Rest {
    /// In the world, with all scales.
    pub bind: Vec<Affine3A>,
    /// The rigid part of it.
    pub positions: Vec<Vec3>,
    pub rotations: Vec<Quat>,
}

/// How far transforms may differ and be the same: relative to their own size, and in metres.
const SAME: f32 = 2e-3;

impl Rest {
    pub fn of(source: &Source, tree: &Tree, family: &Family) -> Self {
        let mut bound = HashMap::new();
        for &skin in &family.skins {
            bind_pose(source, tree, skin, &mut bound);
        }
        let mut placed: HashMap<usize, Affine3A> = HashMap::new();
        let mut rest = Self { bind: vec![], positions: vec![], rotations: vec![] };
        for &node in &family.members {
            let local = source.nodes[node].local.matrix();
            let above = source.nodes[node].parent.and_then(|parent| placed.get(&parent));
            let stored = above.map_or(tree.world[node], |above| *above * local);
            let bind = bound.get(&node).copied().unwrap_or(stored);
            placed.insert(node, bind);
            rest.bind.push(bind);
            rest.positions.push(bind.translation.into());
            rest.rotations.push(rotation_of(bind.matrix3));
        }
        rest
    }

    /// Warns of joints whose scale is uneven, as bones that are scaled in one direction would have
    /// to stretch when they turn.
    pub fn report(&self, source: &Source, family: &Family, warnings: &mut Warnings) {
        for (bind, node) in self.bind.iter().zip(&family.members) {
            let matrix = bind.matrix3;
            let lengths = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3A::length);
            let most = lengths.into_iter().fold(0.0, f32::max);
            let least = lengths.into_iter().fold(f32::INFINITY, f32::min);
            if least < 0.99 * most {
                warnings.add(
                    Place::joint(&source.nodes[*node].name),
                    "it is scaled differently along its axes",
                    "its surface is as at rest, and only turns",
                );
            }
        }
    }
}

/// Finds where the joints of a skin were when its surface was bound, unless that is how the nodes
/// are stored, or is not known.
fn bind_pose(source: &Source, tree: &Tree, skin: usize, bound: &mut HashMap<usize, Affine3A>) {
    let skin_index = skin;
    let skin = &source.skins[skin];
    let Some(inverse_bind) = &skin.inverse_bind else { return };
    let pairs: Vec<(usize, Affine3A)> =
        skin.joints.iter().copied().zip(inverse_bind.iter().copied()).collect();
    let Some((_, first)) = pairs.first() else { return };
    // Where the surface itself is: the same for every joint if they are where they were bound.
    let surface = |(joint, inverse): &(usize, Affine3A)| tree.world[*joint] * *inverse;
    let at_first = surface(&pairs[0]);
    if pairs.iter().all(|pair| is_near(surface(pair), at_first)) {
        return;
    }
    // Matrices that are all the same say nothing about where joints were.
    if pairs.len() > 1 && pairs.iter().all(|(_, inverse)| inverse == first) {
        return;
    }
    if pairs.iter().any(|(_, inverse)| !is_invertible(*inverse)) {
        return;
    }
    let joints: HashSet<usize> = skin.joints.iter().copied().collect();
    let top = pairs.iter().find(|(joint, _)| {
        source.nodes[*joint].parent.is_none_or(|parent| !joints.contains(&parent))
    });
    let Some((top, top_inverse)) = top else { return };
    let shown = source.surfaces.iter().find(|surface| surface.skin == Some(skin_index));
    let candidates = [
        Some(tree.above(source, *top)),
        Some(source.base),
        shown.map(|surface| tree.world[surface.node]),
    ];
    let surface = candidates
        .into_iter()
        .flatten()
        .find(|surface| is_plausible(*surface * top_inverse.inverse(), tree.world[*top]))
        .unwrap_or(tree.world[*top] * *top_inverse);
    for (joint, inverse) in pairs {
        let bind = surface * inverse.inverse();
        if bind.is_finite() {
            bound.entry(joint).or_insert(bind);
        }
    }
}

fn is_near(a: Affine3A, b: Affine3A) -> bool {
    let size = a.matrix3.x_axis.length().max(a.matrix3.y_axis.length());
    let tolerance = SAME * size.max(1e-12);
    let axes = [
        a.matrix3.x_axis - b.matrix3.x_axis,
        a.matrix3.y_axis - b.matrix3.y_axis,
        a.matrix3.z_axis - b.matrix3.z_axis,
    ];
    axes.into_iter().all(|axis| axis.length() <= tolerance)
        && (a.translation - b.translation).length() <= SAME
}

fn is_invertible(matrix: Affine3A) -> bool {
    let inverse = matrix.inverse();
    matrix.is_finite() && matrix.matrix3.determinant().abs() > 1e-24 && inverse.is_finite()
}

/// Whether a joint can have been bound at `bind`, given where it is stored: of the same size, not
/// upside down, and not in another place altogether.
fn is_plausible(bind: Affine3A, stored: Affine3A) -> bool {
    let size = |matrix: Affine3A| matrix.matrix3.determinant().abs().cbrt();
    let turn = rotation_of(bind.matrix3).angle_between(rotation_of(stored.matrix3));
    (size(bind) - size(stored)).abs() < 0.05 * size(stored)
        && turn < 1.0
        && (bind.translation - stored.translation).length() < 1.0
}
