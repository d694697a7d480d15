//! Surfaces, bent into the rest pose and bound to its joints.

use std::sync::Arc;

use glam::{Affine3A, Mat3A, Vec3};

use super::family::Rig;
use super::{Source, SourceSurface, TOO_FAR, is_sane};
use crate::files::document::ReadError;
use crate::files::gltf::rest_matrices;
use crate::files::{Place, Warnings};
use crate::mesh::{Binding, Mesh, Part, Region};

/// The surfaces that follow a rig: those of its skins, and what its joints carry about.
pub(super) fn meshes(
    source: &Source,
    rig: &Rig,
    warnings: &mut Warnings,
) -> Result<Vec<Arc<Mesh>>, ReadError> {
    let mut meshes = Vec::new();
    let inverse_bind = rest_matrices(&rig.skeleton);
    for surface in &source.surfaces {
        let skinning = match surface.skin {
            Some(skin) if rig.family.skins.contains(&skin) => Skinning::of_skin(source, rig, skin),
            Some(_) => continue,
            None => match Skinning::of_node(source, rig, surface.node) {
                Some(skinning) => skinning,
                None => continue,
            },
        };
        let mesh = skinning.bend(surface, inverse_bind.clone(), warnings);
        if let Some(vertex) = mesh.positions.iter().position(|at| !is_sane((*at).into())) {
            let part = format!("mesh {:?}, vertex {vertex}", surface.name);
            return Err(ReadError::part(part, TOO_FAR));
        }
        let error = |reason| ReadError::Mesh { body: surface.name.clone(), reason };
        mesh.check(&rig.skeleton).map_err(error)?;
        meshes.push(Arc::new(mesh));
    }
    Ok(meshes)
}

/// How each joint of a skin carries the surface into the rest pose, and which joint it is.
struct Skinning {
    carriers: Vec<(Affine3A, u16)>,
    is_rigid: bool,
}

impl Skinning {
    fn of_skin(source: &Source, rig: &Rig, skin: usize) -> Self {
        let skin = &source.skins[skin];
        let inverse = |index: usize| match &skin.inverse_bind {
            Some(matrices) => matrices.get(index).copied().unwrap_or(Affine3A::IDENTITY),
            None => Affine3A::IDENTITY,
        };
        let carrier = |(index, node): (usize, &usize)| match rig.member_of.get(node) {
            Some(&member) => (rig.rest.bind[member] * inverse(index), rig.joint_of[member] as u16),
            // A stray of another tree: what it carries stays at the root.
            None => (rig.rest.bind[rig.kept[0]] * inverse(index), 0),
        };
        let carriers = skin.joints.iter().enumerate().map(carrier).collect();
        Self { carriers, is_rigid: false }
    }

    /// Something that a joint holds, such as a hat. Its place at rest is that of its joint at
    /// rest, with what lies between them in the file.
    fn of_node(source: &Source, rig: &Rig, node: usize) -> Option<Self> {
        let joint = rig.joint_above(source, node)?;
        let mut held = Affine3A::IDENTITY;
        let mut at = node;
        while !rig.member_of.contains_key(&at) {
            held = source.nodes[at].local.matrix() * held;
            at = source.nodes[at].parent?;
        }
        let member = rig.member_of[&at];
        Some(Self { carriers: vec![(rig.rest.bind[member] * held, joint as u16)], is_rigid: true })
    }

    fn bend(
        &self,
        surface: &SourceSurface,
        inverse_bind: Vec<Affine3A>,
        warnings: &mut Warnings,
    ) -> Mesh {
        let count = surface.positions.len();
        let mut mesh = Mesh {
            positions: Vec::with_capacity(count),
            normals: Vec::with_capacity(count),
            bindings: Vec::with_capacity(count),
            parts: Vec::new(),
            inverse_bind,
        };
        let lone = Binding { joints: [0; 4], weights: [1.0, 0.0, 0.0, 0.0] };
        let mut unbound = 0;
        let mut mirrored = 0;
        for (vertex, at) in surface.positions.iter().enumerate() {
            let mut binding =
                if self.is_rigid { lone } else { *surface.bindings.get(vertex).unwrap_or(&lone) };
            let sum: f32 = binding.weights.iter().sum();
            if sum.is_finite() && sum > 1e-6 {
                binding.weights = binding.weights.map(|weight| weight / sum);
            } else {
                unbound += 1;
                binding = lone;
            }
            let carry = self.blended(&binding);
            mesh.positions.push(carry.transform_point3(*at));
            mirrored += usize::from(carry.matrix3.determinant() < 0.0);
            if let Some(normal) = surface.normals.get(vertex) {
                mesh.normals.push(turned(carry.matrix3, *normal));
            }
            mesh.bindings.push(self.rebound(&binding));
        }
        if unbound > 0 {
            warnings.add(
                Place::Named(format!("mesh {:?}", surface.name)),
                format!("{unbound} vertices are bound to no joint"),
                "the first joint of the skin carries them",
            );
        }
        // Mirrored triangles show their backs, unless they are turned round.
        mesh.parts = parts(surface, 2 * mirrored > count);
        if mesh.normals.len() < count {
            mesh.normals = smooth_normals(&mesh);
        }
        mesh
    }

    fn blended(&self, binding: &Binding) -> Affine3A {
        let mut matrix = Mat3A::ZERO;
        let mut translation = glam::Vec3A::ZERO;
        for (joint, weight) in binding.joints.iter().zip(binding.weights) {
            let Some((carry, _)) = self.carriers.get(usize::from(*joint)) else { continue };
            if weight > 0.0 {
                matrix += carry.matrix3 * weight;
                translation += carry.translation * weight;
            }
        }
        Affine3A { matrix3: matrix, translation }
    }

    /// The binding in terms of the skeleton's joints.
    fn rebound(&self, binding: &Binding) -> Binding {
        let joint = |joint: u16| self.carriers.get(usize::from(joint)).map_or(0, |(_, j)| *j);
        Binding { joints: binding.joints.map(joint), weights: binding.weights }
    }
}

/// A normal of a surface that `matrix` moves: the inverse transpose keeps it upright on the surface,
/// and outside, under any scale and in mirrors.
fn turned(matrix: Mat3A, normal: Vec3) -> Vec3 {
    let inverse = matrix.inverse().transpose();
    let turned = if inverse.is_finite() { inverse * normal } else { normal };
    turned.normalize_or(Vec3::Y)
}

/// Triangles by what they are; parts of the same region become one.
fn parts(surface: &SourceSurface, turn: bool) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (material, triangles) in &surface.parts {
        let region = region_of(material);
        let turned =
            triangles.iter().map(|[a, b, c]| if turn { [*a, *c, *b] } else { [*a, *b, *c] });
        match parts.iter_mut().find(|part| part.region == region) {
            Some(part) => part.triangles.extend(turned),
            None => parts.push(Part { region, triangles: turned.collect() }),
        }
    }
    parts
}

/// What a material's name says it covers; clothes if it says nothing.
fn region_of(material: &str) -> Region {
    // In this order: eyelashes are no eyes; a bodysuit is a top, not skin.
    const WORDS: [(Region, &[&str]); 10] = [
        (Region::Brows, &["lash", "brow"]),
        (Region::Hair, &["hair", "beard", "moustache", "mustache"]),
        (Region::Iris, &["iris"]),
        (Region::Pupil, &["pupil"]),
        (Region::Eyes, &["eye", "cornea", "sclera"]),
        (Region::Lips, &["lips", "mouth"]),
        (Region::Shoes, &["shoe", "boot", "sneaker", "sandal", "footwear", "slipper", "sock"]),
        (Region::Bottom, &["bottom", "pant", "trouser", "jean", "skirt", "short", "legging"]),
        (
            Region::Top,
            &[
                "top", "shirt", "jacket", "coat", "sweater", "hoodie", "dress", "blouse", "vest",
                "suit", "cloth",
            ],
        ),
        (
            Region::Skin,
            &["skin", "body", "head", "face", "hand", "arm", "flesh", "nail", "teeth", "tongue"],
        ),
    ];
    let name = material.to_lowercase();
    let found = WORDS.iter().find(|(_, words)| words.iter().any(|word| name.contains(word)));
    found.map_or(Region::Top, |(region, _)| *region)
}

/// Normals for a surface that has none: the mean of the triangles around, larger ones counting more.
fn smooth_normals(mesh: &Mesh) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; mesh.positions.len()];
    for corners in mesh.parts.iter().flat_map(|part| &part.triangles) {
        let [a, b, c] = corners.map(|corner| mesh.positions.get(corner as usize).copied());
        let (Some(a), Some(b), Some(c)) = (a, b, c) else { continue };
        let normal = (b - a).cross(c - a);
        for corner in corners {
            normals[*corner as usize] += normal;
        }
    }
    normals.into_iter().map(|normal| normal.normalize_or(Vec3::Y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_are_known_by_their_names() {
        for (name, region) in [
            ("skin", Region::Skin),
            ("Ch36_Body", Region::Skin),
            ("Eyelashes", Region::Brows),
            ("Eye.L", Region::Eyes),
            ("bottom 2", Region::Bottom),
            ("Sneakers_MAT", Region::Shoes),
            ("T-Shirt", Region::Top),
            ("Material.001", Region::Top),
        ] {
            assert_eq!(region_of(name), region, "{name}");
        }
        for region in Region::ALL {
            assert_eq!(region_of(region.name()), region);
        }
    }

    #[test]
    fn normals_point_outside_under_any_scale_and_in_mirrors() {
        // A wall that faces +x and -z, squeezed; and the same in the mirror.
        let (normal, along) = (Vec3::new(1.0, 0.0, -1.0).normalize(), Vec3::new(1.0, 0.0, 1.0));
        for scale in [Vec3::new(1.0, 2.0, 0.5), Vec3::new(-1.0, 2.0, 0.5)] {
            let matrix = Mat3A::from_diagonal(scale);
            let found = turned(matrix, normal);
            assert!(found.dot(matrix * along).abs() < 1e-5, "{scale}");
            assert!(found.dot(matrix * normal) > 0.0, "{scale}");
        }
    }
}
