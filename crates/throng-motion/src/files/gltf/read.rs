//! Reading glTF: the parts of a document that make bodies and motions.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use glam::{Affine3A, Mat4, Quat, Vec3, Vec4};
use gltf::json;
use json::accessor::Type;
use json::animation::{Interpolation as JsonInterpolation, Property};
use json::mesh::{Mode, Primitive, Semantic};
use json::validation::Checked;
use json::{Accessor, Index, Root};
use throng_base::asset_file;

use super::accessor::Accessors;
use crate::files::document::{Document, ReadError, ReadOptions};
use crate::files::rig::{
    self, Curve, Interpolation, Local, Source, SourceAnimation, SourceNode, SourceSkin,
    SourceSurface, SourceTrack,
};
use crate::files::{Place, Warnings};
use crate::mesh::Binding;

/// Reads the bodies and motions of a `.glb` or `.gltf` file. Buffers in files of their own are
/// looked for in its folder, and nowhere else.
///
/// # Errors
///
/// If the file cannot be read, is damaged, or contains nothing that moves.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Document, ReadError> {
    let bytes = asset_file::read_at_most(path, asset_file::LARGEST_FILE)
        .map_err(|reason| ReadError::Unreadable { file: path.to_owned(), reason })?;
    read_bytes(&bytes, Some(path.parent().unwrap_or(Path::new(""))), options)
        .map_err(|error| error.in_file(path))
}

/// Reads a glTF file that is in memory. Buffers in files of their own are looked for in `folder`,
/// and refused if there is none.
///
/// # Errors
///
/// As for [`read`].
pub fn read_bytes(
    file: &[u8],
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Document, ReadError> {
    let unreadable = |reason: String| ReadError::Format { format: "glTF", reason };
    asset_file::check_header(file).map_err(unreadable)?;
    let gltf = gltf::Gltf::from_slice_without_validation(file)
        .map_err(|error| unreadable(error.to_string()))?;
    let root = gltf.document.into_json();
    check_extensions(&root)?;
    let uris = root.buffers.iter().map(|buffer| buffer.uri.as_deref());
    let buffers = asset_file::load_buffers(uris, gltf.blob, folder)
        .map_err(|reason| ReadError::part("buffers", reason))?;
    let mut warnings = Warnings::default();
    let reader = Reader { root: &root, accessors: Accessors::new(&root, &buffers) };
    let source = reader.source(options, &mut warnings)?;
    rig::build(&source, options, warnings)
}

/// Extensions that a file cannot be understood without, unless they are about looks or quantised
/// numbers, which are read anyway.
fn check_extensions(root: &Root) -> Result<(), ReadError> {
    let is_known = |name: &str| {
        asset_file::is_about_looks(name)
            || name == "KHR_mesh_quantization"
            || name.starts_with("VRM")
    };
    match root.extensions_required.iter().find(|name| !is_known(name)) {
        Some(name) => Err(ReadError::part(
            "extensionsRequired",
            format!("{name} is needed and not known; export the file without it"),
        )),
        None => Ok(()),
    }
}

struct Reader<'a> {
    root: &'a Root,
    accessors: Accessors<'a>,
}

impl Reader<'_> {
    fn source(&self, options: &ReadOptions, warnings: &mut Warnings) -> Result<Source, ReadError> {
        let nodes = self.nodes()?;
        let skins = self.skins()?;
        Ok(Source {
            surfaces: self.surfaces(&skins, warnings)?,
            animations: self.animations()?,
            nodes,
            skins,
            base: rig::base_of(options, options.mapping.unit.unwrap_or(1.0)),
        })
    }

    fn nodes(&self) -> Result<Vec<SourceNode>, ReadError> {
        let mut parents = vec![None; self.root.nodes.len()];
        for (index, node) in self.root.nodes.iter().enumerate() {
            for child in node.children.iter().flatten() {
                let slot = parents
                    .get_mut(child.value())
                    .ok_or_else(|| missing(format!("nodes[{index}]"), "node", child.value()))?;
                if let Some(other) = slot.replace(index) {
                    let reason = format!("it has two parents, nodes[{other}] and nodes[{index}]");
                    return Err(ReadError::part(format!("nodes[{}]", child.value()), reason));
                }
            }
        }
        let node = |(node, parent): (&json::Node, Option<usize>)| SourceNode {
            name: node.name.clone().unwrap_or_default(),
            parent,
            local: local(node),
            shows: node.mesh.is_some() || node.camera.is_some(),
        };
        Ok(self.root.nodes.iter().zip(parents).map(node).collect())
    }

    fn skins(&self) -> Result<Vec<SourceSkin>, ReadError> {
        let skin = |(index, skin): (usize, &json::Skin)| {
            let part = || format!("skins[{index}]");
            let joints: Vec<usize> = skin.joints.iter().map(Index::value).collect();
            if joints.is_empty() {
                return Err(ReadError::part(part(), "it has no joints"));
            }
            if joints.len() > usize::from(u16::MAX) {
                return Err(ReadError::part(part(), "it has more joints than any body"));
            }
            if let Some(joint) = joints.iter().find(|joint| **joint >= self.root.nodes.len()) {
                return Err(missing(part(), "node", *joint));
            }
            let inverse_bind = match skin.inverse_bind_matrices {
                None => None,
                Some(accessor) => Some(self.matrices(accessor, joints.len())?),
            };
            Ok(SourceSkin { joints, inverse_bind })
        };
        self.root.skins.iter().enumerate().map(skin).collect()
    }

    fn matrices(
        &self,
        accessor: Index<Accessor>,
        joints: usize,
    ) -> Result<Vec<Affine3A>, ReadError> {
        let numbers = self.accessors.floats(accessor, Type::Mat4)?;
        let matrix = |numbers: &[f32; 16]| Affine3A::from_mat4(Mat4::from_cols_array(numbers));
        let matrices: Vec<Affine3A> = numbers.as_chunks().0.iter().map(matrix).collect();
        let part = || format!("accessors[{}]", accessor.value());
        if matrices.len() < joints {
            let reason = format!("it has {} matrices for {joints} joints", matrices.len());
            return Err(ReadError::part(part(), reason));
        }
        match matrices.iter().position(|matrix| !matrix.is_finite()) {
            Some(bad) => Err(ReadError::part(part(), format!("matrix {bad} is not finite"))),
            None => Ok(matrices),
        }
    }

    fn surfaces(
        &self,
        skins: &[SourceSkin],
        warnings: &mut Warnings,
    ) -> Result<Vec<SourceSurface>, ReadError> {
        let mut surfaces = Vec::new();
        for (index, node) in self.root.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            let skin = node.skin.map(|skin| skin.value());
            if let Some(skin) = skin.filter(|skin| *skin >= skins.len()) {
                return Err(missing(format!("nodes[{index}]"), "skin", skin));
            }
            let joints = skin.map(|skin| skins[skin].joints.len());
            match self.surface(mesh.value(), joints) {
                Ok(surface) => surfaces.push(SourceSurface { node: index, skin, ..surface }),
                Err(error) if skin.is_some() => return Err(error),
                // Scenery may be broken: it is no part of a body, or at most a hat.
                Err(error) => warnings.add(
                    Place::Named(format!("meshes[{}]", mesh.value())),
                    error.to_string(),
                    "the mesh is left out",
                ),
            }
        }
        Ok(surfaces)
    }

    /// A mesh, bound to the joints of a skin if there is one.
    fn surface(&self, index: usize, joints: Option<usize>) -> Result<SourceSurface, ReadError> {
        let mesh = self.root.meshes.get(index);
        let mesh = mesh.ok_or_else(|| missing("nodes", "mesh", index))?;
        let mut surface = SourceSurface {
            name: mesh.name.clone().unwrap_or_else(|| format!("meshes[{index}]")),
            node: 0,
            skin: None,
            positions: Vec::new(),
            normals: Vec::new(),
            bindings: Vec::new(),
            parts: Vec::new(),
        };
        // Where the vertices of each set of attributes begin: parts of a mesh often share theirs.
        let mut known: HashMap<Vec<(String, usize)>, (usize, usize)> = HashMap::new();
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let mode = primitive.mode;
            let Checked::Valid(mode) = mode else { continue };
            if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
                continue;
            }
            let part = || format!("meshes[{index}].primitives[{number}]");
            let attributes = |(semantic, accessor): (&Checked<Semantic>, &Index<Accessor>)| {
                (semantic.to_string(), accessor.value())
            };
            let key: Vec<(String, usize)> = primitive.attributes.iter().map(attributes).collect();
            let (first, count) = match known.get(&key) {
                Some(known) => *known,
                None => {
                    let first = surface.positions.len();
                    self.vertices(primitive, joints, &mut surface, &part)?;
                    let range = (first, surface.positions.len() - first);
                    known.insert(key, range);
                    range
                }
            };
            let corners = self.corners(primitive, count, &part)?;
            let triangles = asset_file::triangles(mode.as_gl_enum(), &corners)
                .into_iter()
                .map(|triangle| triangle.map(|corner| first as u32 + corner))
                .collect();
            let material = primitive.material.and_then(|m| self.root.materials.get(m.value()));
            let material = material.and_then(|material| material.name.clone());
            surface.parts.push((material.unwrap_or_default(), triangles));
        }
        if surface.normals.len() < surface.positions.len() {
            surface.normals.clear();
        }
        Ok(surface)
    }

    fn vertices(
        &self,
        primitive: &Primitive,
        joints: Option<usize>,
        surface: &mut SourceSurface,
        part: &dyn Fn() -> String,
    ) -> Result<(), ReadError> {
        let get = |semantic| primitive.attributes.get(&Checked::Valid(semantic)).copied();
        let positions = get(Semantic::Positions)
            .ok_or_else(|| ReadError::part(part(), "it has no positions"))?;
        let positions = vectors(&self.accessors.floats(positions, Type::Vec3)?);
        if let Some(vertex) = positions.iter().position(|at| !at.is_finite()) {
            return Err(ReadError::part(part(), format!("vertex {vertex} is not finite")));
        }
        let count = positions.len();
        if surface.positions.len() + count > u32::MAX as usize {
            return Err(ReadError::part(part(), "there are more vertices than can be counted"));
        }
        // Once a part has no normals, those of all of them are made from the triangles.
        if let Some(normals) = get(Semantic::Normals) {
            let normals = vectors(&self.accessors.floats(normals, Type::Vec3)?);
            if normals.len() == count
                && surface.normals.len() == surface.positions.len()
                && normals.iter().all(|normal| normal.is_finite())
            {
                surface.normals.extend(normals);
            }
        }
        if let Some(joints) = joints {
            let bindings = self.bindings(primitive, count, joints, part)?;
            surface.bindings.extend(bindings);
        }
        surface.positions.extend(positions);
        Ok(())
    }

    /// The four joints of each vertex that carry most of it.
    fn bindings(
        &self,
        primitive: &Primitive,
        count: usize,
        joints: usize,
        part: &dyn Fn() -> String,
    ) -> Result<Vec<Binding>, ReadError> {
        const MOST_SETS: u32 = 4;
        let get = |semantic| primitive.attributes.get(&Checked::Valid(semantic)).copied();
        let mut shares: Vec<Vec<(u16, f32)>> = vec![Vec::new(); count];
        for set in 0..MOST_SETS {
            let sets = get(Semantic::Joints(set)).zip(get(Semantic::Weights(set)));
            let Some((of, weights)) = sets else { break };
            let of = self.accessors.integers(of, Type::Vec4)?;
            let weights = self.accessors.floats(weights, Type::Vec4)?;
            if of.len() != 4 * count || weights.len() != 4 * count {
                return Err(ReadError::part(
                    part(),
                    "its vertices do not all have joints and weights",
                ));
            }
            for (index, (joint, weight)) in of.into_iter().zip(weights).enumerate() {
                if !weight.is_finite() {
                    let reason = format!("a weight of vertex {} is not finite", index / 4);
                    return Err(ReadError::part(part(), reason));
                }
                if weight <= 0.0 {
                    continue;
                }
                if joint as usize >= joints {
                    let reason = format!(
                        "vertex {} is bound to joint {joint}, but there are only {joints}",
                        index / 4
                    );
                    return Err(ReadError::part(part(), reason));
                }
                shares[index / 4].push((joint as u16, weight));
            }
        }
        let binding = |mut shares: Vec<(u16, f32)>| {
            shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let mut binding = Binding { joints: [0; 4], weights: [0.0; 4] };
            for (slot, (joint, weight)) in shares.into_iter().take(4).enumerate() {
                (binding.joints[slot], binding.weights[slot]) = (joint, weight);
            }
            binding
        };
        Ok(shares.into_iter().map(binding).collect())
    }

    /// Vertices in drawing order; without indices that is the order they are stored in.
    fn corners(
        &self,
        primitive: &Primitive,
        vertices: usize,
        part: &dyn Fn() -> String,
    ) -> Result<Vec<u32>, ReadError> {
        let Some(indices) = primitive.indices else { return Ok((0..vertices as u32).collect()) };
        let corners = self.accessors.integers(indices, Type::Scalar)?;
        match corners.iter().find(|corner| **corner as usize >= vertices) {
            Some(corner) => {
                let reason = format!("it uses vertex {corner}, but there are only {vertices}");
                Err(ReadError::part(part(), reason))
            }
            None => Ok(corners),
        }
    }

    fn animations(&self) -> Result<Vec<SourceAnimation>, ReadError> {
        let mut keys = Keys { reader: self, times: HashMap::new(), values: HashMap::new() };
        let animations = self.root.animations.iter().enumerate();
        animations.map(|(index, animation)| keys.animation(index, animation)).collect()
    }
}

/// Key times and values that have been read: many channels share theirs.
struct Keys<'a> {
    reader: &'a Reader<'a>,
    times: HashMap<usize, Arc<[f32]>>,
    values: HashMap<usize, Arc<[Vec4]>>,
}

impl Keys<'_> {
    fn animation(
        &mut self,
        index: usize,
        animation: &json::Animation,
    ) -> Result<SourceAnimation, ReadError> {
        let mut tracks: Vec<SourceTrack> = Vec::new();
        let mut track_of: HashMap<usize, usize> = HashMap::new();
        for (number, channel) in animation.channels.iter().enumerate() {
            let Checked::Valid(property) = channel.target.path else { continue };
            if property == Property::MorphTargetWeights {
                continue;
            }
            let part = || format!("animations[{index}].channels[{number}]");
            let node = channel.target.node.value();
            if node >= self.reader.root.nodes.len() {
                return Err(missing(part(), "node", node));
            }
            let sampler = animation.samplers.get(channel.sampler.value());
            let sampler =
                sampler.ok_or_else(|| missing(part(), "sampler", channel.sampler.value()))?;
            let curve = Some(self.curve(sampler, property, &part)?);
            let track = *track_of.entry(node).or_insert_with(|| {
                tracks.push(SourceTrack::of(node));
                tracks.len() - 1
            });
            match property {
                Property::Translation => tracks[track].translation = curve,
                Property::Rotation => tracks[track].rotation = curve,
                _ => tracks[track].scale = curve,
            }
        }
        let name = animation.name.clone().filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| format!("animation {}", index + 1));
        Ok(SourceAnimation { name, tracks })
    }

    fn curve(
        &mut self,
        sampler: &json::animation::Sampler,
        property: Property,
        part: &dyn Fn() -> String,
    ) -> Result<Curve, ReadError> {
        let interpolation = match sampler.interpolation {
            Checked::Valid(JsonInterpolation::Linear) => Interpolation::Linear,
            Checked::Valid(JsonInterpolation::Step) => Interpolation::Step,
            Checked::Valid(JsonInterpolation::CubicSpline) => Interpolation::Cubic,
            Checked::Invalid => {
                return Err(ReadError::part(part(), "its interpolation is not known"));
            }
        };
        let accessors = &self.reader.accessors;
        let (input, output) = (sampler.input, sampler.output);
        let times = match self.times.get(&input.value()) {
            Some(known) => known.clone(),
            None => {
                let times: Arc<[f32]> = accessors.floats(input, Type::Scalar)?.into();
                self.times.entry(input.value()).or_insert(times).clone()
            }
        };
        let values = match self.values.get(&output.value()) {
            Some(known) => known.clone(),
            None => {
                let values: Arc<[Vec4]> = if property == Property::Rotation {
                    let numbers = accessors.floats(output, Type::Vec4)?;
                    numbers.as_chunks().0.iter().map(|value| Vec4::from_array(*value)).collect()
                } else {
                    let numbers = accessors.floats(output, Type::Vec3)?;
                    vectors(&numbers).into_iter().map(|value| value.extend(0.0)).collect()
                };
                self.values.entry(output.value()).or_insert(values).clone()
            }
        };
        Curve::new(times, values, interpolation).map_err(|reason| ReadError::part(part(), reason))
    }
}

fn missing(part: impl Into<String>, what: &str, index: usize) -> ReadError {
    ReadError::part(part, format!("there is no {what} {index}"))
}

fn local(node: &json::Node) -> Local {
    if let Some(matrix) = node.matrix {
        return Local::of_matrix(Affine3A::from_mat4(Mat4::from_cols_array(&matrix)));
    }
    let rotation = node.rotation.map_or(Quat::IDENTITY, |rotation| Quat::from_array(rotation.0));
    let length = rotation.length();
    Local {
        translation: node.translation.map_or(Vec3::ZERO, Vec3::from_array),
        // What is not finite is kept and refused later, where its node is known.
        rotation: if length == 0.0 { Quat::IDENTITY } else { rotation / length },
        scale: node.scale.map_or(Vec3::ONE, Vec3::from_array),
    }
}

fn vectors(numbers: &[f32]) -> Vec<Vec3> {
    numbers.as_chunks().0.iter().map(|value| Vec3::from_array(*value)).collect()
}
