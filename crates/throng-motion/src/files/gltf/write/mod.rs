//! Writing binary glTF.

mod crowd;
mod pack;
mod surface;
mod takes;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use glam::{Affine3A, Mat4, Quat, Vec3};
use gltf::json;
use json::accessor::Type;
use json::scene::UnitQuaternion;
use json::validation::USize64;
use json::{Index, Node, Root, Skin};

pub use self::crowd::{CrowdWriter, Keyed, Keys, Scenery};
use self::pack::{Pack, Section, Store};
use self::surface::{Materials, PackedMesh};
use self::takes::PersonNodes;
use super::export::{Person, WriteError, WriteOptions};
use crate::files::Body;
use crate::motion::Motion;
use crate::skeleton::{JointId, Skeleton};

/// Returns a binary glTF file of `body` with an animation for each of `motions`, which are of its skeleton.
///
/// # Errors
///
/// If the mesh of the body does not fit it, a motion has other joints, or the file would become too large.
pub fn library(
    body: &Body,
    motions: &[&Motion],
    options: &WriteOptions,
) -> Result<Vec<u8>, WriteError> {
    let bodies = std::slice::from_ref(body);
    check_meshes(bodies)?;
    if let Some(other) = motions.iter().find(|it| !same_joints(&body.skeleton, it.skeleton())) {
        let (person, body) = (body.name.clone(), body.name.clone());
        let motion = other.name().to_owned();
        return Err(WriteError::OtherJoints { take: motion.clone(), person, motion, body });
    }
    let mut draft = Draft::new(bodies, options, Pack::default());
    let person = Person::new(body.name.clone(), 0);
    let nodes = draft.add_person(&person, (Vec3::ZERO, Quat::IDENTITY))?;
    let animations = takes::animations(&mut draft.pack, &nodes, &body.skeleton, motions)?;
    let whole = draft.finish(animations)?;
    let text = whole.text()?;
    let mut bytes = Vec::with_capacity(text.len() + whole.length + 64);
    let in_memory = |reason| WriteError::Unwritable { file: "memory".into(), reason };
    whole.write_binary(&text, &mut bytes).map_err(in_memory)?;
    Ok(bytes)
}

fn create(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write(&mut out)?;
    out.flush()
}

/// Both halves of the file.
struct Whole {
    root: Root,
    pieces: Vec<Store>,
    length: usize,
}

impl Whole {
    fn text(&self) -> Result<Vec<u8>, WriteError> {
        self.root.to_vec().map_err(|error| WriteError::Json(error.to_string()))
    }

    fn write_binary(&self, text: &[u8], out: &mut impl Write) -> io::Result<()> {
        let padding = text.len().next_multiple_of(4) - text.len();
        let chunks = [(text.len() + padding, b"JSON"), (self.length, b"BIN\0")];
        let used = if self.length > 0 { &chunks[..] } else { &chunks[..1] };
        let total: usize = 12 + used.iter().map(|(length, _)| length + 8).sum::<usize>();
        let number = |number: usize| {
            u32::try_from(number).map(u32::to_le_bytes).map_err(|_| io::ErrorKind::FileTooLarge)
        };
        out.write_all(b"glTF")?;
        out.write_all(&number(2)?)?;
        out.write_all(&number(total)?)?;
        for (length, kind) in used {
            out.write_all(&number(*length)?)?;
            out.write_all(*kind)?;
            if *kind == b"JSON" {
                out.write_all(text)?;
                out.write_all(&b"   "[..padding])?;
            } else {
                self.pieces.iter().try_for_each(|piece| piece.copy_to(out))?;
            }
        }
        Ok(())
    }
}

fn check_meshes(bodies: &[Body]) -> Result<(), WriteError> {
    bodies.iter().try_for_each(|body| {
        let mut checks = body.meshes.iter().map(|mesh| mesh.check(&body.skeleton));
        let failed = |reason| WriteError::Mesh { body: body.name.clone(), reason };
        checks.try_for_each(|check| check.map_err(failed))
    })
}

fn check_scale(index: usize, person: &Person) -> Result<(), WriteError> {
    let (name, scale) = (person.name.clone(), person.scale);
    match scale.is_finite() && scale > 0.0 {
        true => Ok(()),
        false => Err(WriteError::Scale { person: index, name, scale }),
    }
}

fn same_joints(a: &Skeleton, b: &Skeleton) -> bool {
    let joints = |skeleton: &Skeleton| skeleton.len();
    joints(a) == joints(b)
        && a.joints().iter().zip(b.joints()).all(|(a, b)| a.name == b.name && a.parent == b.parent)
}

/// A body whose surfaces have been packed, with the meshes in the colours it has been asked for.
struct PackedBody {
    meshes: Vec<PackedMesh>,
    /// The inverse bind matrices of each mesh; of the skeleton at rest if there is none.
    matrices: Vec<Index<json::Accessor>>,
    coloured: BTreeMap<Vec<u32>, Vec<Index<json::Mesh>>>,
}

impl PackedBody {
    fn new(pack: &mut Pack, body: &Body) -> Result<Self, WriteError> {
        let joints = body.skeleton.len();
        let mut packed = Self { meshes: vec![], matrices: vec![], coloured: BTreeMap::new() };
        let mut known: Vec<(&[Affine3A], Index<json::Accessor>)> = Vec::new();
        for mesh in &body.meshes {
            packed.meshes.push(PackedMesh::new(pack, mesh, joints)?);
            // The meshes of a body are usually bound in one pose.
            let same = known.iter().find(|(matrices, _)| *matrices == mesh.inverse_bind);
            let accessor = match same {
                Some((_, accessor)) => *accessor,
                None => pack_matrices(pack, &mesh.inverse_bind)?,
            };
            known.push((&mesh.inverse_bind, accessor));
            packed.matrices.push(accessor);
        }
        if packed.meshes.is_empty() {
            packed.matrices.push(pack_matrices(pack, &rest_matrices(&body.skeleton))?);
        }
        Ok(packed)
    }
}

/// A file that grows, person by person.
struct Draft<'a> {
    root: Root,
    pack: Pack,
    bodies: &'a [Body],
    options: &'a WriteOptions,
    packed: Vec<Option<PackedBody>>,
    materials: Materials,
    scene: Vec<Index<Node>>,
}

impl<'a> Draft<'a> {
    fn new(bodies: &'a [Body], options: &'a WriteOptions, pack: Pack) -> Self {
        let root = Root {
            asset: json::Asset { generator: Some("Throng".into()), ..json::Asset::default() },
            ..Root::default()
        };
        let packed = bodies.iter().map(|_| None).collect();
        let (materials, scene) = (Materials::default(), Vec::new());
        Self { root, pack, bodies, options, packed, materials, scene }
    }

    /// Adds the nodes, skins and meshes of somebody whose body there is.
    fn add_person(
        &mut self,
        person: &Person,
        rest: (Vec3, Quat),
    ) -> Result<PersonNodes, WriteError> {
        let Self { root, pack, materials, scene, .. } = self;
        let body = &self.bodies[person.body];
        let packed = match &mut self.packed[person.body] {
            Some(packed) => packed,
            slot => slot.insert(PackedBody::new(pack, body)?),
        };
        let palette = person.palette.unwrap_or(self.options.palette);
        let nodes = add_nodes(root, person, &body.skeleton, rest);
        scene.push(Index::new(nodes.place));

        let colours: Vec<u32> = crate::mesh::Region::ALL
            .into_iter()
            .flat_map(|region| palette.colour(region).map(f32::to_bits))
            .collect();
        let meshes = packed.coloured.entry(colours).or_insert_with(|| {
            let coloured = |mesh: &PackedMesh| {
                let mesh = mesh.coloured(&body.name, &palette, materials);
                Index::push(&mut root.meshes, mesh)
            };
            packed.meshes.iter().filter(|mesh| !mesh.is_empty()).map(coloured).collect()
        });
        let seen: Vec<Index<json::Accessor>> = if packed.meshes.is_empty() {
            packed.matrices.clone()
        } else {
            let matrices = packed.matrices.iter().zip(&packed.meshes);
            matrices.filter(|(_, mesh)| !mesh.is_empty()).map(|(m, _)| *m).collect()
        };
        let skins = add_skins(root, &person.name, &nodes, body.skeleton.len(), &seen);
        // Viewers ignore where a skinned mesh is placed and go by its joints; at the root of the
        // scene nobody can be misled.
        for (mesh, skin) in meshes.iter().zip(skins) {
            let node = Node {
                name: Some(format!("{} surface", person.name)),
                mesh: Some(*mesh),
                skin: Some(skin),
                ..Node::default()
            };
            scene.push(Index::push(&mut root.nodes, node));
        }
        Ok(nodes)
    }

    fn finish(self, animations: Vec<json::Animation>) -> Result<Whole, WriteError> {
        let Self { mut root, pack, materials, scene, .. } = self;
        root.animations = animations;
        root.materials = materials.list;
        if !scene.is_empty() {
            root.scenes.push(json::Scene {
                name: Some("Throng".into()),
                nodes: scene,
                extensions: None,
                extras: json::Extras::default(),
            });
            root.scene = Some(Index::new(0));
        }
        let packed = pack.finish()?;
        root.accessors = packed.accessors;
        root.buffer_views = packed.views;
        if packed.length > 0 {
            root.buffers.push(json::Buffer {
                byte_length: USize64(packed.length as u64),
                name: None,
                uri: None,
                extensions: None,
                extras: json::Extras::default(),
            });
        }
        Ok(Whole { root, pieces: packed.pieces, length: packed.length })
    }
}

fn add_nodes(
    root: &mut Root,
    person: &Person,
    skeleton: &Skeleton,
    rest: (Vec3, Quat),
) -> PersonNodes {
    let place = root.nodes.len() as u32;
    let joints = place + 1;
    let child = |joint: usize| Index::new(joints + joint as u32);
    root.nodes.push(Node {
        children: Some(vec![child(0)]),
        scale: (person.scale != 1.0).then_some([person.scale; 3]),
        ..placed(&person.name, rest.0, rest.1)
    });
    let mut children: Vec<Vec<Index<Node>>> = vec![Vec::new(); skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        if let Some(parent) = joint.parent {
            children[parent.index()].push(child(index));
        }
    }
    for (joint, children) in skeleton.joints().iter().zip(children) {
        let node = placed(&joint.name, joint.translation, joint.rotation);
        root.nodes.push(Node { children: (!children.is_empty()).then_some(children), ..node });
    }
    PersonNodes { place, joints }
}

fn placed(name: &str, translation: Vec3, rotation: Quat) -> Node {
    Node {
        name: Some(name.to_owned()),
        translation: (translation != Vec3::ZERO).then(|| translation.to_array()),
        rotation: (rotation != Quat::IDENTITY).then(|| UnitQuaternion(rotation.to_array())),
        ..Node::default()
    }
}

/// One skin for each set of inverse bind matrices.
fn add_skins(
    root: &mut Root,
    name: &str,
    nodes: &PersonNodes,
    joints: usize,
    matrices: &[Index<json::Accessor>],
) -> Vec<Index<Skin>> {
    let mut known: Vec<(usize, Index<Skin>)> = Vec::new();
    for matrices in matrices {
        let same = known.iter().find(|(accessor, _)| *accessor == matrices.value());
        let skin = match same {
            Some((_, skin)) => *skin,
            None => Index::push(
                &mut root.skins,
                Skin {
                    name: Some(name.to_owned()),
                    joints: (0..joints)
                        .map(|joint| Index::new(nodes.joints + joint as u32))
                        .collect(),
                    inverse_bind_matrices: Some(*matrices),
                    skeleton: Some(Index::new(nodes.joints)),
                    extensions: None,
                    extras: json::Extras::default(),
                },
            ),
        };
        known.push((matrices.value(), skin));
    }
    known.into_iter().map(|(_, skin)| skin).collect()
}

fn pack_matrices(
    pack: &mut Pack,
    matrices: &[Affine3A],
) -> Result<Index<json::Accessor>, WriteError> {
    let numbers: Vec<f32> =
        matrices.iter().flat_map(|matrix| Mat4::from(*matrix).to_cols_array()).collect();
    pack.floats(Section::Matrices, Type::Mat4, &numbers)
}

/// From body space to each joint at rest.
pub(in crate::files) fn rest_matrices(skeleton: &Skeleton) -> Vec<Affine3A> {
    (0..skeleton.len())
        .map(|joint| {
            let joint = JointId::new(joint);
            let (rotation, at) = (skeleton.rest_rotation(joint), skeleton.rest_position(joint));
            Affine3A::from_rotation_translation(rotation, at).inverse()
        })
        .collect()
}
