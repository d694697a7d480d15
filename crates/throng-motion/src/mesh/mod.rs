//! The surface of a body, bound to its skeleton.

mod arm;
mod body;
mod face;
mod hair;
mod head;
mod leg;
mod outfit;
mod physique;
pub(crate) mod surface;
mod trunk;

pub use outfit::{Bottom, Detail, HairStyle, Outfit, Sleeves};
pub use physique::{Physique, PhysiqueError};

use glam::{Affine3A, Vec3};
use thiserror::Error;

use crate::pose::ModelPose;
use crate::skeleton::Skeleton;

/// What a part of the surface is, for whoever colours it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
#[repr(u8)]
pub enum Region {
    Skin,
    Hair,
    Top,
    Bottom,
    Shoes,
    /// The white of the eyes; all of an animal's eye.
    Eyes,
    Iris,
    Pupil,
    /// Brows and lashes.
    Brows,
    Lips,
}

impl Region {
    /// All regions.
    pub const ALL: [Self; 10] = [
        Self::Skin,
        Self::Hair,
        Self::Top,
        Self::Bottom,
        Self::Shoes,
        Self::Eyes,
        Self::Iris,
        Self::Pupil,
        Self::Brows,
        Self::Lips,
    ];

    /// How materials and colour tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Skin => "skin",
            Self::Hair => "hair",
            Self::Top => "top",
            Self::Bottom => "bottom",
            Self::Shoes => "shoes",
            Self::Eyes => "eyes",
            Self::Iris => "iris",
            Self::Pupil => "pupil",
            Self::Brows => "brows",
            Self::Lips => "lips",
        }
    }
}

/// Which joints carry a vertex, and how much each: weights sum to one, unused joints weigh 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binding {
    /// Indices of joints.
    pub joints: [u16; 4],
    /// Their shares.
    pub weights: [f32; 4],
}

/// Triangles of one region.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What they are.
    pub region: Region,
    /// Vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A surface that follows a skeleton, as a structure of arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Where the vertices are in the bind pose, in body space.
    pub positions: Vec<Vec3>,
    /// Unit normals in the bind pose.
    pub normals: Vec<Vec3>,
    /// What carries each vertex.
    pub bindings: Vec<Binding>,
    /// The triangles; parts share vertices.
    pub parts: Vec<Part>,
    /// From body space to each joint's space in the bind pose.
    pub inverse_bind: Vec<Affine3A>,
}

/// What is wrong with a mesh.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum MeshError {
    #[error("a mesh with {positions} positions has {other} {what}")]
    Lengths { what: &'static str, positions: usize, other: usize },
    #[error("vertex {vertex} is not finite")]
    NotFinite { vertex: usize },
    #[error("a triangle uses vertex {vertex}, but there are only {count}")]
    NoSuchVertex { vertex: u32, count: usize },
    #[error("vertex {vertex} is bound to joint {joint}, but there are only {count}")]
    NoSuchJoint { vertex: usize, joint: u16, count: usize },
    #[error("the weights of vertex {vertex} sum to {sum}, not to 1")]
    Weights { vertex: usize, sum: f32 },
}

impl Mesh {
    /// Checks that everything fits together and the skeleton.
    ///
    /// # Errors
    ///
    /// If it does not, with the first vertex or triangle at fault.
    pub fn check(&self, skeleton: &Skeleton) -> Result<(), MeshError> {
        let positions = self.positions.len();
        let joints = skeleton.len();
        for (what, other, expected) in [
            ("normals", self.normals.len(), positions),
            ("bindings", self.bindings.len(), positions),
            ("inverse bind matrices", self.inverse_bind.len(), joints),
        ] {
            if other != expected {
                return Err(MeshError::Lengths { what, positions, other });
            }
        }
        for (vertex, (at, normal)) in self.positions.iter().zip(&self.normals).enumerate() {
            if !(at.is_finite() && normal.is_finite()) {
                return Err(MeshError::NotFinite { vertex });
            }
        }
        for (vertex, binding) in self.bindings.iter().enumerate() {
            let sum: f32 = binding.weights.iter().sum();
            if !binding.weights.iter().all(|weight| *weight >= 0.0) || (sum - 1.0).abs() > 1e-3 {
                return Err(MeshError::Weights { vertex, sum });
            }
            if let Some(joint) = binding.joints.into_iter().find(|&j| usize::from(j) >= joints) {
                return Err(MeshError::NoSuchJoint { vertex, joint, count: joints });
            }
        }
        let used = self.parts.iter().flat_map(|part| part.triangles.iter().flatten());
        match used.into_iter().find(|&&vertex| vertex as usize >= positions) {
            Some(&vertex) => Err(MeshError::NoSuchVertex { vertex, count: positions }),
            None => Ok(()),
        }
    }

    /// How many triangles it has.
    pub fn triangle_count(&self) -> usize {
        self.parts.iter().map(|part| part.triangles.len()).sum()
    }

    /// The space inside of vertices at `positions`, which [`Self::skinned`] gives for a pose, in
    /// cubic metres. What two closed surfaces share counts twice.
    pub fn volume(&self, positions: &[Vec3]) -> f32 {
        let at = |vertex: u32| positions[vertex as usize];
        let triangles = self.parts.iter().flat_map(|part| &part.triangles);
        triangles.map(|&[a, b, c]| at(a).dot(at(b).cross(at(c)))).sum::<f32>() / 6.0
    }

    /// Where the vertices are when the skeleton is in `model`, with their normals: plain linear
    /// blend skinning, which is also what renderers do with an exported body.
    pub fn skinned(&self, model: &ModelPose) -> (Vec<Vec3>, Vec<Vec3>) {
        let matrices: Vec<Affine3A> = self
            .inverse_bind
            .iter()
            .enumerate()
            .map(|(joint, inverse)| model.transform(crate::JointId::new(joint)) * *inverse)
            .collect();
        let mut positions = Vec::with_capacity(self.positions.len());
        let mut normals = Vec::with_capacity(self.positions.len());
        for ((at, normal), binding) in self.positions.iter().zip(&self.normals).zip(&self.bindings)
        {
            let (mut moved, mut turned) = (Vec3::ZERO, Vec3::ZERO);
            for (joint, weight) in binding.joints.iter().zip(binding.weights) {
                let matrix = &matrices[usize::from(*joint)];
                moved += weight * matrix.transform_point3(*at);
                turned += weight * matrix.transform_vector3(*normal);
            }
            positions.push(moved);
            normals.push(turned.normalize_or(Vec3::Y));
        }
        (positions, normals)
    }
}
