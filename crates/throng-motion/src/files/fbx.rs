//! Bodies and motions from FBX.
//!
//! FBX has no public description; [ufbx](https://github.com/ufbx/ufbx) knows all that has been found out
//! about it, in binary and text, from version 3000 on. It also evaluates animation layers, pivots and
//! rotation orders, and tells units and axes, so that what arrives here is the same tree of nodes with keys
//! that glTF has. Reading is behind the feature `fbx`, as it needs a C compiler.

use std::collections::HashMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A, Vec4};
use throng_base::asset_file;

use super::Warnings;
use super::document::{Document, ReadError, ReadOptions};
use super::rig::{
    self, Curve, Interpolation, Local, Source, SourceAnimation, SourceNode, SourceSkin,
    SourceSurface, SourceTrack,
};
use crate::mesh::Binding;

/// Memory (bytes) that may be used for what is read, and for reading it.
const MOST_MEMORY: usize = 1 << 30;
/// Versions of the format that can be read.
const VERSIONS: RangeInclusive<u32> = 3000..=7700;
/// Between two keys of a curve there are at most so many samples: a minute at 60 samples a second.
const MOST_SAMPLES_BETWEEN_KEYS: usize = 3600;

/// Reads the bodies and motions of an FBX file. Its units and axes become ours, unless the mapping
/// says others.
///
/// # Errors
///
/// If the file cannot be read, is damaged, or contains nothing that moves.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Document, ReadError> {
    let bytes = asset_file::read_at_most(path, asset_file::LARGEST_FILE)
        .map_err(|reason| ReadError::Unreadable { file: path.to_owned(), reason })?;
    read_bytes(&bytes, options).map_err(|error| error.in_file(path))
}

/// Reads an FBX file that is in memory.
///
/// # Errors
///
/// As for [`read`].
pub fn read_bytes(file: &[u8], options: &ReadOptions) -> Result<Document, ReadError> {
    let scene = ufbx::load_memory(file, load_options(options)).map_err(|e| unreadable(&e))?;
    if scene.metadata.file_format != ufbx::FileFormat::Fbx {
        return Err(refused(NOT_FBX));
    }
    let said = options.mapping.unit;
    let unit = said.map_or(1.0, |said| said / scene.settings.original_unit_meters as f32);
    let mut source = Source { base: rig::base_of(options, unit), ..Source::default() };
    source.nodes = nodes(&scene);
    source.skins = scene.skin_deformers.as_ref().iter().map(|skin| read_skin(skin)).collect();
    for node in &scene.nodes {
        if let Some(mesh) = &node.mesh {
            source.surfaces.push(surface(node, mesh)?);
        }
    }
    for stack in &scene.anim_stacks {
        source.animations.push(animation(&scene, stack, options.rate)?);
    }
    // Skins that bind nothing are no bodies.
    let used = |skin: &SourceSkin| !skin.joints.is_empty();
    if !source.skins.iter().all(used) {
        drop_empty_skins(&mut source);
    }
    rig::build(&source, options, Warnings::default()).map_err(|error| match error {
        // Of versions that are not known, the library finds what it can.
        ReadError::NoBodies if !VERSIONS.contains(&scene.metadata.version) => {
            unknown_version(scene.metadata.version)
        }
        error => error,
    })
}

fn load_options(options: &ReadOptions) -> ufbx::LoadOpts<'static> {
    let limit = || ufbx::AllocatorOpts { memory_limit: MOST_MEMORY, ..Default::default() };
    let turned = options.mapping.up.is_some();
    ufbx::LoadOpts {
        temp_allocator: limit(),
        result_allocator: limit(),
        ignore_embedded: true,
        skip_mesh_parts: true,
        clean_skin_weights: true,
        // Other texts would be read as FBX in which there is nothing.
        file_format: ufbx::FileFormat::Unknown,
        no_format_from_extension: true,
        // Scales that children do not inherit become scales that they do.
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        space_conversion: ufbx::SpaceConversion::TransformRoot,
        target_axes: if turned {
            ufbx::CoordinateAxes::default()
        } else {
            ufbx::CoordinateAxes::right_handed_y_up()
        },
        target_unit_meters: 1.0,
        ..Default::default()
    }
}

const NOT_FBX: &str = "it does not begin as an FBX file does, neither a binary one nor a text; give a file the ending of \
    what it is, or export it as FBX";

fn refused(reason: impl Into<String>) -> ReadError {
    ReadError::Format { format: "FBX", reason: reason.into() }
}

fn unknown_version(version: impl Display) -> ReadError {
    let (first, last) = VERSIONS.into_inner();
    refused(format!(
        "it has version {version}, and {first} to {last} can be read; export it as FBX 7.4 (2014)"
    ))
}

/// What is wrong with a file, and what can be done about it.
fn unreadable(error: &ufbx::Error) -> ReadError {
    use ufbx::ErrorType as Type;
    let damaged = |detail: &str| {
        let advice = "copy it again, or export it again";
        refused(format!("it is damaged{detail}, or its end is missing; {advice}"))
    };
    let (description, info): (&str, &str) = (&error.description, error.info());
    match error.type_ {
        Type::EmptyFile => refused("it is empty; export it again"),
        Type::UnrecognizedFileFormat => refused(NOT_FBX),
        // The end of a file that has no version is missing.
        Type::UnsupportedVersion if info != "0" => unknown_version(info),
        Type::OutOfMemory | Type::MemoryLimit | Type::AllocationLimit => refused(format!(
            "it takes more than {} MB of memory; export the skeleton and its motions without the rest",
            MOST_MEMORY >> 20
        )),
        // Of most kinds of damage, the library says no more than that loading failed.
        Type::Unknown if description == "Failed to load" => damaged(""),
        Type::TruncatedFile | Type::UnsupportedVersion => damaged(""),
        _ if info.is_empty() => damaged(&format!(" ({description})")),
        _ => damaged(&format!(" ({description}: {info})")),
    }
}

fn nodes(scene: &ufbx::Scene) -> Vec<SourceNode> {
    let node = |node: &ufbx::Node| SourceNode {
        name: node.element.name.to_string(),
        parent: node.parent.as_ref().map(|parent| parent.element.typed_id as usize),
        local: Local {
            translation: vector(&node.local_transform.translation),
            rotation: unit(rotation(&node.local_transform.rotation)),
            scale: vector(&node.local_transform.scale),
        },
        shows: node.mesh.is_some() || node.camera.is_some() || node.light.is_some(),
    };
    scene.nodes.into_iter().map(node).collect()
}

fn read_skin(skin: &ufbx::SkinDeformer) -> SourceSkin {
    let mut joints = Vec::new();
    let mut inverse_bind = Vec::new();
    for cluster in &skin.clusters {
        if let Some(bone) = &cluster.bone_node {
            joints.push(bone.element.typed_id as usize);
            inverse_bind.push(matrix(&cluster.geometry_to_bone));
        }
    }
    SourceSkin { joints, inverse_bind: Some(inverse_bind) }
}

/// Leaves out skins without joints; surfaces that have one are then without a skin.
fn drop_empty_skins(source: &mut Source) {
    let mut place = Vec::new();
    let mut kept = 0;
    for skin in &source.skins {
        let used = !skin.joints.is_empty();
        place.push(used.then_some(kept));
        kept += usize::from(used);
    }
    source.skins.retain(|skin| !skin.joints.is_empty());
    for surface in &mut source.surfaces {
        surface.skin = surface.skin.and_then(|skin| place[skin]);
    }
}

fn surface(node: &ufbx::Node, mesh: &ufbx::Mesh) -> Result<SourceSurface, ReadError> {
    let skin = mesh.skin_deformers.as_ref().first();
    let part = || format!("mesh {:?}", &*node.element.name);
    // Without a skin nothing else takes care of how the mesh lies in its node.
    let placed = if skin.is_some() { Affine3A::IDENTITY } else { matrix(&node.geometry_to_node) };
    let mut surface = SourceSurface {
        name: node.element.name.to_string(),
        node: node.element.typed_id as usize,
        skin: skin.map(|skin| skin.element.typed_id as usize),
        positions: Vec::new(),
        normals: Vec::new(),
        bindings: Vec::new(),
        parts: Vec::new(),
    };
    let bindings = skin.map(|skin| bindings(skin));
    // Corners that share a position and a normal are one vertex.
    let mut known: HashMap<(u32, u32), u32> = HashMap::new();
    let mut corners = vec![0; 3 * mesh.max_face_triangles];
    let normals = &mesh.vertex_normal;
    for (index, face) in mesh.faces.iter().enumerate() {
        if face.num_indices < 3 {
            continue;
        }
        let count = mesh.triangulate_face(&mut corners, *face) as usize;
        let material = mesh.face_material.get(index).copied().unwrap_or(0) as usize;
        let triangles = part_of(&mut surface, mesh, material);
        for triangle in corners[..3 * count].as_chunks::<3>().0 {
            let vertex = |corner: u32| -> Option<u32> {
                let corner = corner as usize;
                let at = *mesh.vertex_indices.get(corner)?;
                let normal = if normals.exists { *normals.indices.get(corner)? } else { u32::MAX };
                if let Some(vertex) = known.get(&(at, normal)) {
                    return Some(*vertex);
                }
                let position = placed.transform_point3(vector(mesh.vertices.get(at as usize)?));
                let vertex = surface.positions.len() as u32;
                surface.positions.push(position);
                if normals.exists {
                    let normal = vector(normals.values.get(normal as usize)?);
                    surface.normals.push(placed.transform_vector3(normal).normalize_or(Vec3::Y));
                }
                if let Some(bindings) = &bindings {
                    let none = Binding { joints: [0; 4], weights: [0.0; 4] };
                    surface.bindings.push(bindings.get(at as usize).copied().unwrap_or(none));
                }
                known.insert((at, normal), vertex);
                Some(vertex)
            };
            let [a, b, c] = triangle.map(vertex);
            if let (Some(a), Some(b), Some(c)) = (a, b, c) {
                surface.parts[triangles].1.push([a, b, c]);
            }
        }
    }
    if let Some(vertex) = surface.positions.iter().position(|at| !at.is_finite()) {
        return Err(ReadError::part(part(), format!("vertex {vertex} is not finite")));
    }
    Ok(surface)
}

/// The part of a surface that a material covers.
fn part_of(surface: &mut SourceSurface, mesh: &ufbx::Mesh, material: usize) -> usize {
    let name = mesh.materials.as_ref().get(material).map(|m| m.element.name.to_string());
    let name = name.unwrap_or_default();
    match surface.parts.iter().position(|(known, _)| *known == name) {
        Some(known) => known,
        None => {
            surface.parts.push((name, Vec::new()));
            surface.parts.len() - 1
        }
    }
}

/// For each vertex of a mesh the four joints that carry most of it.
fn bindings(skin: &ufbx::SkinDeformer) -> Vec<Binding> {
    // Clusters without a bone are no joints; those after them move up.
    let mut next = 0_u16;
    let joints: Vec<Option<u16>> = skin
        .clusters
        .into_iter()
        .map(|cluster| {
            let joint = cluster.bone_node.is_some().then_some(next);
            next += u16::from(joint.is_some() && next < u16::MAX);
            joint
        })
        .collect();
    let binding = |vertex: &ufbx::SkinVertex| {
        let mut binding = Binding { joints: [0; 4], weights: [0.0; 4] };
        let range = vertex.weight_begin as usize..;
        let weights = skin.weights.get(range).unwrap_or_default();
        // They are sorted, the largest first.
        let shares = weights.iter().take(vertex.num_weights as usize).filter_map(|share| {
            let joint = joints.get(share.cluster_index as usize).copied().flatten()?;
            let weight = share.weight as f32;
            (weight.is_finite() && weight > 0.0).then_some((joint, weight))
        });
        for (slot, (joint, weight)) in shares.take(4).enumerate() {
            (binding.joints[slot], binding.weights[slot]) = (joint, weight);
        }
        binding
    };
    skin.vertices.iter().map(binding).collect()
}

fn animation(
    scene: &ufbx::Scene,
    stack: &ufbx::AnimStack,
    rate: f32,
) -> Result<SourceAnimation, ReadError> {
    let limit = || ufbx::AllocatorOpts { memory_limit: MOST_MEMORY, ..Default::default() };
    let options = ufbx::BakeOpts {
        temp_allocator: limit(),
        result_allocator: limit(),
        resample_rate: f64::from(rate),
        max_keyframe_segments: MOST_SAMPLES_BETWEEN_KEYS,
        ..Default::default()
    };
    let baked = ufbx::bake_anim(scene, &stack.anim, options).map_err(|error| unreadable(&error))?;
    let name = stack.element.name.to_string();
    let mut tracks = Vec::new();
    for node in &baked.nodes {
        let index = node.typed_id as usize;
        let curve = |times: Arc<[f32]>, values: Arc<[Vec4]>| {
            Curve::new(times, values, Interpolation::Linear).map(Some).map_err(|reason| {
                let node =
                    scene.nodes.as_ref().get(index).map(|node| node.element.name.to_string());
                let node = node.unwrap_or_default();
                ReadError::part(format!("animation {name:?}, node {node:?}"), reason)
            })
        };
        let vectors = |keys: &[ufbx::BakedVec3], is_constant: bool| {
            // What never changes needs no more than one key.
            let keys = if is_constant { keys.get(..1).unwrap_or_default() } else { keys };
            if keys.is_empty() {
                return Ok(None);
            }
            let times = keys.iter().map(|key| key.time as f32).collect();
            curve(times, keys.iter().map(|key| vector(&key.value).extend(0.0)).collect())
        };
        let rotations = &node.rotation_keys;
        let turns =
            if node.constant_rotation { rotations.get(..1).unwrap_or_default() } else { rotations };
        tracks.push(SourceTrack {
            node: index,
            translation: vectors(&node.translation_keys, node.constant_translation)?,
            rotation: if turns.is_empty() {
                None
            } else {
                let times = turns.iter().map(|key| key.time as f32).collect();
                curve(times, turns.iter().map(|key| rotation(&key.value).into()).collect())?
            },
            scale: vectors(&node.scale_keys, node.constant_scale)?,
        });
    }
    tracks.retain(|track| track.node < scene.nodes.len());
    let name = if name.is_empty() { "animation".to_owned() } else { name };
    Ok(SourceAnimation { name, tracks })
}

fn vector(vector: &ufbx::Vec3) -> Vec3 {
    Vec3::new(vector.x as f32, vector.y as f32, vector.z as f32)
}

fn rotation(quaternion: &ufbx::Quat) -> Quat {
    let [x, y, z, w] = [quaternion.x, quaternion.y, quaternion.z, quaternion.w];
    Quat::from_xyzw(x as f32, y as f32, z as f32, w as f32)
}

/// A quaternion of length one; what is not finite is kept and refused later.
fn unit(quaternion: Quat) -> Quat {
    let length = quaternion.length();
    if length == 0.0 { Quat::IDENTITY } else { quaternion / length }
}

fn matrix(matrix: &ufbx::Matrix) -> Affine3A {
    let column = |x: f64, y: f64, z: f64| Vec3A::new(x as f32, y as f32, z as f32);
    Affine3A {
        matrix3: Mat3A::from_cols(
            column(matrix.m00, matrix.m10, matrix.m20),
            column(matrix.m01, matrix.m11, matrix.m21),
            column(matrix.m02, matrix.m12, matrix.m22),
        ),
        translation: column(matrix.m03, matrix.m13, matrix.m23),
    }
}
