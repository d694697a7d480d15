//! Surfaces of bodies: vertices and triangles are written once, whatever their colours.

use std::collections::BTreeMap;

use glam::Vec3;
use gltf::json;
use json::accessor::{ComponentType, Type};
use json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use json::mesh::{Mode, Primitive, Semantic};
use json::validation::Checked;
use json::{Accessor, Index, Material};

use super::super::export::{Palette, WriteError};
use super::crowd::Scenery;
use super::pack::{Elements, Pack, Section};
use crate::mesh::{Binding, Mesh, Region};

/// A mesh whose numbers have been packed.
pub(super) struct PackedMesh {
    attributes: BTreeMap<Checked<Semantic>, Index<Accessor>>,
    parts: Vec<(Region, Index<Accessor>)>,
}

impl PackedMesh {
    pub fn new(pack: &mut Pack, mesh: &Mesh, joints: usize) -> Result<Self, WriteError> {
        let mut attributes = BTreeMap::new();
        let mut insert = |semantic, accessor| attributes.insert(Checked::Valid(semantic), accessor);
        insert(Semantic::Positions, positions(pack, &mesh.positions)?);
        let normals: Vec<f32> = mesh.normals.iter().flat_map(|n| unit(*n).to_array()).collect();
        insert(Semantic::Normals, pack.floats(Section::Vectors, Type::Vec3, &normals)?);

        let bindings: Vec<Binding> = mesh.bindings.iter().map(tidy).collect();
        insert(Semantic::Joints(0), joint_indices(pack, &bindings, joints)?);
        let weights: Vec<f32> = bindings.iter().flat_map(|binding| binding.weights).collect();
        insert(Semantic::Weights(0), pack.floats(Section::Weights, Type::Vec4, &weights)?);

        let mut parts = Vec::new();
        for part in mesh.parts.iter().filter(|part| !part.triangles.is_empty()) {
            let indices = indices(pack, &part.triangles, mesh.positions.len())?;
            parts.push((part.region, indices));
        }
        Ok(Self { attributes, parts })
    }

    /// Whether there is anything to be seen.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The mesh in the colours of `palette`.
    pub fn coloured(&self, name: &str, palette: &Palette, materials: &mut Materials) -> json::Mesh {
        let primitives = self.parts.iter().map(|(region, indices)| Primitive {
            attributes: self.attributes.clone(),
            indices: Some(*indices),
            material: Some(materials.of(*region, palette.colour(*region))),
            mode: Checked::Valid(Mode::Triangles),
            targets: None,
            extensions: None,
            extras: json::Extras::default(),
        });
        json::Mesh {
            primitives: primitives.collect(),
            name: Some(name.to_owned()),
            weights: None,
            extensions: None,
            extras: json::Extras::default(),
        }
    }
}

/// A surface that nobody has, in a material of its own.
pub(super) fn plain_mesh(
    pack: &mut Pack,
    scenery: &Scenery,
    materials: &mut Materials,
) -> Result<json::Mesh, WriteError> {
    let mut attributes = BTreeMap::new();
    let mut insert = |semantic, accessor| attributes.insert(Checked::Valid(semantic), accessor);
    insert(Semantic::Positions, positions(pack, &scenery.positions)?);
    let normals: Vec<f32> = scenery.normals.iter().flat_map(|n| unit(*n).to_array()).collect();
    insert(Semantic::Normals, pack.floats(Section::Vectors, Type::Vec3, &normals)?);
    let indices = indices(pack, &scenery.triangles, scenery.positions.len())?;
    let material = material(scenery.name.clone(), 0.9, scenery.colour.map(sound));
    let primitive = Primitive {
        attributes,
        indices: Some(indices),
        material: Some(Index::push(&mut materials.list, material)),
        mode: Checked::Valid(Mode::Triangles),
        targets: None,
        extensions: None,
        extras: json::Extras::default(),
    };
    Ok(json::Mesh {
        primitives: vec![primitive],
        name: Some(scenery.name.clone()),
        weights: None,
        extensions: None,
        extras: json::Extras::default(),
    })
}

/// A colour that is no number must not make the file unreadable.
fn sound(channel: f32) -> f32 {
    if channel.is_finite() { channel.clamp(0.0, 1.0) } else { 0.5 }
}

/// One material for each colour of a region.
#[derive(Default)]
pub(super) struct Materials {
    pub list: Vec<Material>,
    known: BTreeMap<(Region, [u32; 3]), Index<Material>>,
    per_region: BTreeMap<Region, usize>,
}

impl Materials {
    fn of(&mut self, region: Region, colour: [f32; 3]) -> Index<Material> {
        let colour = colour.map(sound);
        let Self { list, known, per_region } = self;
        *known.entry((region, colour.map(f32::to_bits))).or_insert_with(|| {
            let number = per_region.entry(region).or_default();
            *number += 1;
            let name = match number {
                1 => region.name().to_owned(),
                _ => format!("{} {number}", region.name()),
            };
            Index::push(list, material(name, roughness(region), colour))
        })
    }
}

fn roughness(region: Region) -> f32 {
    match region {
        Region::Eyes | Region::Iris | Region::Pupil => 0.2,
        Region::Lips => 0.5,
        Region::Shoes => 0.6,
        Region::Skin => 0.7,
        Region::Hair | Region::Brows | Region::Top | Region::Bottom => 0.9,
    }
}

fn material(name: String, roughness: f32, [red, green, blue]: [f32; 3]) -> Material {
    Material {
        name: Some(name),
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor([red, green, blue, 1.0]),
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(roughness),
            ..PbrMetallicRoughness::default()
        },
        ..Material::default()
    }
}

fn positions(pack: &mut Pack, positions: &[Vec3]) -> Result<Index<Accessor>, WriteError> {
    let numbers: Vec<f32> = positions.iter().flat_map(Vec3::to_array).collect();
    let accessor = pack.floats(Section::Vectors, Type::Vec3, &numbers)?;
    let least = positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let most = positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    pack.set_bounds(accessor, &least.to_array(), &most.to_array());
    Ok(accessor)
}

fn joint_indices(
    pack: &mut Pack,
    bindings: &[Binding],
    joints: usize,
) -> Result<Index<Accessor>, WriteError> {
    let joints_of = bindings.iter().flat_map(|binding| binding.joints);
    let (section, component, at) = if joints <= 256 {
        let numbers = joints_of.map(|joint| [joint as u8]);
        (Section::SmallJoints, ComponentType::U8, pack.append(Section::SmallJoints, numbers)?)
    } else {
        let numbers = joints_of.map(u16::to_le_bytes);
        (Section::Joints, ComponentType::U16, pack.append(Section::Joints, numbers)?)
    };
    let elements =
        Elements { count: bindings.len(), kind: Type::Vec4, component, normalised: false };
    Ok(pack.accessor(section, at, elements))
}

fn indices(
    pack: &mut Pack,
    triangles: &[[u32; 3]],
    vertices: usize,
) -> Result<Index<Accessor>, WriteError> {
    let corners = triangles.iter().flatten();
    // The largest number of either size is kept for other purposes by some graphics interfaces.
    let (section, component, at) = if vertices <= usize::from(u16::MAX) {
        let numbers = corners.map(|corner| (*corner as u16).to_le_bytes());
        (Section::SmallIndices, ComponentType::U16, pack.append(Section::SmallIndices, numbers)?)
    } else {
        let numbers = corners.map(|corner| corner.to_le_bytes());
        (Section::Indices, ComponentType::U32, pack.append(Section::Indices, numbers)?)
    };
    let count = 3 * triangles.len();
    let elements = Elements { count, kind: Type::Scalar, component, normalised: false };
    Ok(pack.accessor(section, at, elements))
}

fn unit(normal: Vec3) -> Vec3 {
    normal.normalize_or(Vec3::Y)
}

/// A binding as glTF wants it: no joint twice, joint 0 where the weight is 0, and weights that sum
/// to one.
fn tidy(binding: &Binding) -> Binding {
    let mut tidy = Binding { joints: [0; 4], weights: [0.0; 4] };
    let mut used = 0;
    for (joint, weight) in binding.joints.into_iter().zip(binding.weights) {
        // What is as good as nothing would round to nothing in some readers and not in others.
        if weight < 1e-6 {
            continue;
        }
        match tidy.joints[..used].iter().position(|known| *known == joint) {
            Some(slot) => tidy.weights[slot] += weight,
            None => {
                (tidy.joints[used], tidy.weights[used]) = (joint, weight);
                used += 1;
            }
        }
    }
    let sum: f32 = tidy.weights.iter().sum();
    if sum > 0.0 {
        tidy.weights = tidy.weights.map(|weight| weight / sum);
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_name_each_joint_once_and_weigh_one() {
        let binding = Binding { joints: [7, 3, 7, 9], weights: [0.2, 0.3, 0.4999, 0.0] };
        let tidied = tidy(&binding);
        assert_eq!(tidied.joints, [7, 3, 0, 0]);
        assert!((tidied.weights.iter().sum::<f32>() - 1.0).abs() < 2e-7);
        assert!((tidied.weights[1] - 0.3).abs() < 1e-4);
        // As exactly as the validator of the format's makers asks, whatever the weights.
        for seed in 1..500_u32 {
            let part = |k: u32| (seed.wrapping_mul(2_654_435_761 ^ k) >> 8) as f32 + 1.0;
            let parts = [part(1), part(77), part(500), part(90_001)];
            let sum: f32 = parts.iter().sum();
            let binding =
                Binding { joints: [1, 2, 3, 4], weights: parts.map(|part| 0.9995 * part / sum) };
            let off = tidy(&binding).weights.iter().sum::<f32>() - 1.0;
            assert!(off.abs() < 8e-7, "{off}");
        }
    }
}
