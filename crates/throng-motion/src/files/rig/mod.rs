//! From a tree of nodes, as files have it, to skeletons, motions and surfaces, as we do.
//!
//! Files know nodes with any transforms, of which some are joints of skins. A [`Skeleton`] knows
//! joints that turn and a root that moves as well. The way from one to the other is the same for every
//! format: everything is taken to the world first, where only places and rotations are looked at.
//! A scale of 0.01 at the top, a turned armature or a chain of helper nodes above the hips is gone
//! then, and the movement of all of them is the movement of the root.
//!
//! Surfaces are bent into the skeleton's rest pose by the file's own rule, and bound there. So it
//! does not matter in which pose, scale or space the file had bound them.
//!
//! [`Skeleton`]: crate::skeleton::Skeleton

mod curve;
mod family;
mod frames;
mod rest;
mod surface;
mod tree;

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

pub(super) use self::curve::{Curve, Interpolation};
use self::family::Family;
use self::frames::Sampling;
use self::rest::Rest;
use self::tree::Tree;
use super::document::{Body, Document, ReadError, ReadOptions};
use super::{Up, Warnings};
use crate::mesh::Binding;
use crate::skeleton::MAX_JOINTS;

/// What a file contains, as far as bodies are concerned.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub nodes: Vec<SourceNode>,
    pub skins: Vec<SourceSkin>,
    pub surfaces: Vec<SourceSurface>,
    pub animations: Vec<SourceAnimation>,
    /// Metres per unit of the file, and how it is turned.
    pub base: Affine3A,
}

#[derive(Debug)]
pub(super) struct SourceNode {
    pub name: String,
    pub parent: Option<usize>,
    pub local: Local,
    /// Whether it is there to show something, and so is no joint unless a skin says it is.
    pub shows: bool,
}

/// A transform in parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Local {
    pub translation: Vec3,
    pub rotation: Quat,
    pub scale: Vec3,
}

impl Local {
    pub fn of_matrix(matrix: Affine3A) -> Self {
        let rotation = rotation_of(matrix.matrix3);
        let unturned = Mat3A::from_quat(rotation).transpose() * matrix.matrix3;
        let scale = Vec3::new(unturned.x_axis.x, unturned.y_axis.y, unturned.z_axis.z);
        Self { translation: matrix.translation.into(), rotation, scale }
    }

    pub fn matrix(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

#[derive(Debug)]
pub(super) struct SourceSkin {
    /// Nodes.
    pub joints: Vec<usize>,
    /// From the surface's space to each joint's; the identity for all if there are none.
    pub inverse_bind: Option<Vec<Affine3A>>,
}

/// Triangles that a node shows.
#[derive(Debug)]
pub(super) struct SourceSurface {
    pub name: String,
    pub node: usize,
    pub skin: Option<usize>,
    pub positions: Vec<Vec3>,
    /// As many as positions, or none.
    pub normals: Vec<Vec3>,
    /// Joints by their number in the skin; empty if there is no skin.
    pub bindings: Vec<Binding>,
    /// Triangles by the name of their material.
    pub parts: Vec<(String, Vec<[u32; 3]>)>,
}

#[derive(Debug)]
pub(super) struct SourceAnimation {
    pub name: String,
    pub tracks: Vec<SourceTrack>,
}

#[derive(Debug)]
pub(super) struct SourceTrack {
    pub node: usize,
    pub translation: Option<Curve>,
    pub rotation: Option<Curve>,
    pub scale: Option<Curve>,
}

impl SourceTrack {
    pub fn of(node: usize) -> Self {
        Self { node, translation: None, rotation: None, scale: None }
    }

    fn curves(&self) -> impl Iterator<Item = &Curve> {
        [&self.translation, &self.rotation, &self.scale].into_iter().flatten()
    }
}

/// Nothing may be farther away (m): beyond, numbers resolve no better than a metre, and squares of
/// anything below cannot overflow.
const FARTHEST: f32 = 1e7;
const TOO_FAR: &str = "it is more than 10,000 km away";

fn is_sane(at: Vec3A) -> bool {
    at.abs().max_element() <= FARTHEST
}

/// How a file is turned and sized if its format does not say: from the mapping.
pub(super) fn base_of(options: &ReadOptions, unit: f32) -> Affine3A {
    let turn = match options.mapping.up {
        Some(Up::Z) => Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
        Some(Up::Y) | None => Quat::IDENTITY,
    };
    Affine3A::from_scale_rotation_translation(Vec3::splat(unit), turn, Vec3::ZERO)
}

/// Makes bodies and motions of what a file contains, of which `warnings` were found already.
pub(super) fn build(
    source: &Source,
    options: &ReadOptions,
    warnings: Warnings,
) -> Result<Document, ReadError> {
    let sampling = Sampling::new(options.rate)?;
    let tree = Tree::new(source)?;
    let families = family::families(source, &tree);
    if families.is_empty() {
        return Err(ReadError::NoBodies);
    }
    for family in &families {
        let count = family.members.len();
        if count > MAX_JOINTS {
            return Err(ReadError::TooManyJoints { body: family.name.clone(), count });
        }
    }
    let rests: Vec<Rest> = families.iter().map(|family| Rest::of(source, &tree, family)).collect();
    let mut document = Document { warnings, ..Document::default() };
    let rigs = make_rigs(source, &families, &rests, options, &mut document.warnings)?;
    for rig in &rigs {
        let meshes = surface::meshes(source, rig, &mut document.warnings)?;
        let (name, skeleton) = (rig.name.clone(), rig.skeleton.clone());
        document.bodies.push(Body { name, skeleton, meshes });
    }
    document.motions = sampling.motions(source, &rigs, &mut document.warnings)?;
    Ok(document)
}

fn make_rigs<'a>(
    source: &Source,
    families: &'a [Family],
    rests: &'a [Rest],
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Vec<family::Rig<'a>>, ReadError> {
    let mut root_found = options.root.is_none();
    let mut unmapped = None;
    let mut mapped = 0;
    let mut rigs = Vec::new();
    for (family, rest) in families.iter().zip(rests) {
        let made = family::Rig::make(source, family, rest, options, warnings)?;
        root_found |= made.has_said_root;
        match made.mapping_errors {
            Some(errors) => unmapped = unmapped.or(Some(errors)),
            None => mapped += 1,
        }
        rigs.push(made.rig);
    }
    if let Some(name) = options.root.clone().filter(|_| !root_found) {
        return Err(ReadError::NoRoot { name });
    }
    // A mapping is for one of the bodies; that it does not fit the others says nothing.
    match unmapped {
        Some(errors) if mapped == 0 => Err(ReadError::Mapping(errors)),
        _ => Ok(rigs),
    }
}

/// The rotation in a matrix that may also scale, mirror and shear: what is left of its axes when
/// they are made perpendicular, the third first turned round if they are left-handed.
fn rotation_of(matrix: Mat3A) -> Quat {
    let size = matrix.x_axis.length().max(matrix.y_axis.length()).max(matrix.z_axis.length());
    if !(size.is_finite() && size > 0.0) {
        return Quat::IDENTITY;
    }
    let matrix = matrix * (1.0 / size);
    let y = matrix.y_axis.try_normalize();
    let (Some(y), z) = (y, matrix.z_axis) else { return Quat::IDENTITY };
    let Some(z) = (z - y * y.dot(z)).try_normalize() else { return Quat::IDENTITY };
    // A mirrored frame is mirrored back along `x`, the axis from one side of the body to the other.
    let x = y.cross(z);
    Quat::from_mat3a(&Mat3A::from_cols(x, y, z)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_is_found_behind_scale_and_mirrors() {
        let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.4, -1.1, 2.0);
        for scale in
            [Vec3::ONE, Vec3::splat(1e-3), Vec3::new(2.0, 3.0, 0.5), Vec3::new(-1.0, 1.0, 1.0)]
        {
            let matrix = Affine3A::from_scale_rotation_translation(scale, turn, Vec3::X);
            let found = rotation_of(matrix.matrix3);
            assert!(found.angle_between(turn) < 2e-3, "{scale}");
            let parts = Local::of_matrix(matrix);
            assert!((parts.scale - scale).length() < 1e-4, "{} is {scale}", parts.scale);
            assert!(parts.matrix().abs_diff_eq(matrix, 1e-4));
        }
        assert_eq!(rotation_of(Mat3A::ZERO), Quat::IDENTITY);
        assert!(rotation_of(Mat3A::from_diagonal(Vec3::new(1.0, 1.0, 0.0))).is_finite());
    }
}
