//! Writing glTF: `.glb`, or `.gltf` with its numbers beside it or inside.

mod crowd;
mod pack;
mod surface;
mod takes;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use glam::{Affine3A, Mat4, Quat, Vec3};
use gltf::json;
use json::accessor::Type;
use json::scene::UnitQuaternion;
use json::validation::USize64;
use json::{Index, Node, Root, Skin};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};

pub use self::crowd::{CrowdWriter, Keyed, Keys, Scenery};
use self::pack::{Pack, Section, Store};
use self::surface::{Materials, PackedMesh};
use self::takes::{PersonNodes, TakeWriter};
use super::export::{Act, Export, Person, WriteError, WriteOptions};
use crate::files::Body;
use crate::skeleton::{JointId, Skeleton};

/// Writes `export` to `path`: one binary file if it ends in `.glb`; if it ends in `.gltf`, text,
/// with the numbers in a `.bin` file of the same name beside it. Files that are there are replaced.
///
/// # Errors
///
/// If parts of the export do not fit together, with the person, take or body at fault, or if the
/// file cannot be written.
pub fn write(export: &Export, options: &WriteOptions, path: &Path) -> Result<(), WriteError> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let (is_binary, numbers) = match extension.to_str() {
        Some("glb") => (true, path.to_owned()),
        Some("gltf") => (false, path.with_extension("bin")),
        _ => return Err(WriteError::UnknownFormat(path.to_owned())),
    };
    let mut whole = Whole::new(export, options)?;
    let unwritable = |file: &Path| {
        let file = file.to_owned();
        |reason| WriteError::Unwritable { file, reason }
    };
    if is_binary {
        let text = whole.text()?;
        return create(path, |out| whole.write_binary(&text, out)).map_err(unwritable(path));
    }
    let name = numbers.file_name().unwrap_or_default().to_string_lossy();
    let uri = percent_encoding::utf8_percent_encode(&name, ESCAPED);
    whole.set_uri(uri.to_string());
    let text = whole.text()?;
    if whole.length > 0 {
        create(&numbers, |out| whole.write_numbers(out)).map_err(unwritable(&numbers))?;
    }
    create(path, |out| out.write_all(&text)).map_err(unwritable(path))
}

/// `export` as a binary glTF file.
///
/// # Errors
///
/// As for [`write()`].
pub fn to_glb(export: &Export, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
    let whole = Whole::new(export, options)?;
    let text = whole.text()?;
    let mut bytes = Vec::with_capacity(text.len() + whole.length + 64);
    whole.write_binary(&text, &mut bytes).map_err(in_memory)?;
    Ok(bytes)
}

/// `export` as a glTF text that contains its numbers.
///
/// # Errors
///
/// As for [`write()`].
pub fn to_gltf(export: &Export, options: &WriteOptions) -> Result<String, WriteError> {
    let mut whole = Whole::new(export, options)?;
    let mut numbers = Vec::with_capacity(whole.length);
    whole.write_numbers(&mut numbers).map_err(in_memory)?;
    whole.set_uri(format!("data:application/octet-stream;base64,{}", BASE64.encode(numbers)));
    String::from_utf8(whole.text()?).map_err(|error| WriteError::Json(error.to_string()))
}

/// What is escaped in the name of a file that another one refers to.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

fn in_memory(reason: io::Error) -> WriteError {
    WriteError::Unwritable { file: "memory".into(), reason }
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
    fn new(export: &Export, options: &WriteOptions) -> Result<Self, WriteError> {
        check(export)?;
        let mut draft = Draft::new(&export.bodies, options, Pack::default());
        let mut people = Vec::with_capacity(export.people.len());
        for (person, rest) in export.people.iter().zip(rests(export)) {
            people.push(draft.add_person(person, rest)?);
        }
        let animations =
            TakeWriter::new(export, &people, options.compact).animations(&mut draft.pack)?;
        draft.finish(animations)
    }

    fn set_uri(&mut self, uri: String) {
        if let Some(buffer) = self.root.buffers.first_mut() {
            buffer.uri = Some(uri);
        }
    }

    fn text(&self) -> Result<Vec<u8>, WriteError> {
        self.root.to_vec().map_err(|error| WriteError::Json(error.to_string()))
    }

    fn write_numbers(&self, out: &mut impl Write) -> io::Result<()> {
        self.pieces.iter().try_for_each(|piece| piece.copy_to(out))
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
                self.write_numbers(out)?;
            }
        }
        Ok(())
    }
}

/// Makes sure that all indices lead somewhere and everything fits, so that nothing after it can
/// fail but for want of room.
fn check(export: &Export) -> Result<(), WriteError> {
    for body in &export.bodies {
        for mesh in &body.meshes {
            mesh.check(&body.skeleton)
                .map_err(|reason| WriteError::Mesh { body: body.name.clone(), reason })?;
        }
    }
    let count = export.bodies.len();
    for (index, person) in export.people.iter().enumerate() {
        if person.body >= count {
            let (name, body) = (person.name.clone(), person.body);
            return Err(WriteError::NoSuchBody { person: index, name, body, count });
        }
        check_scale(index, person)?;
    }
    // Which bodies can make which motions: asked once for each pair, not for each person.
    let mut fits = BTreeMap::new();
    for take in &export.takes {
        let mut seen = vec![false; export.people.len()];
        for act in &take.acts {
            let (take, count) = (take.name.clone(), export.people.len());
            let Some(person) = export.people.get(act.person) else {
                return Err(WriteError::NoSuchPerson { take, person: act.person, count });
            };
            if std::mem::replace(&mut seen[act.person], true) {
                return Err(WriteError::TwoActs { take, person: person.name.clone() });
            }
            check_places(&take, &person.name, act)?;
            let Some(play) = &act.play else { continue };
            let Some(motion) = export.motions.get(play.motion) else {
                let (person, motion) = (person.name.clone(), play.motion);
                let count = export.motions.len();
                return Err(WriteError::NoSuchMotion { take, person, motion, count });
            };
            let body = &export.bodies[person.body];
            let fits = fits
                .entry((person.body, play.motion))
                .or_insert_with(|| same_joints(&body.skeleton, motion.skeleton()));
            if !*fits {
                let (person, body) = (person.name.clone(), body.name.clone());
                let motion = motion.name().to_owned();
                return Err(WriteError::OtherJoints { take, person, motion, body });
            }
        }
    }
    Ok(())
}

fn check_scale(index: usize, person: &Person) -> Result<(), WriteError> {
    let (name, scale) = (person.name.clone(), person.scale);
    match scale.is_finite() && scale > 0.0 {
        true => Ok(()),
        false => Err(WriteError::Scale { person: index, name, scale }),
    }
}

fn check_places(take: &str, person: &str, act: &Act) -> Result<(), WriteError> {
    let mut before = None;
    for (key, place) in act.places.iter().enumerate() {
        let (take, person) = (|| take.to_owned(), || person.to_owned());
        let turn = place.rotation.length();
        if !(place.translation.is_finite() && turn.is_finite() && turn > 1e-6) {
            return Err(WriteError::Place { take: take(), person: person(), key });
        }
        let time = place.time;
        let grows = before.map_or(time >= 0.0, |before| time > before);
        if !(grows && time.is_finite()) {
            return Err(WriteError::PlaceTime { take: take(), person: person(), key, time });
        }
        before = Some(time);
    }
    Ok(())
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

/// Where everybody is when nothing is played: where their first act begins.
fn rests(export: &Export) -> Vec<(Vec3, Quat)> {
    let mut rests = vec![None; export.people.len()];
    for act in export.takes.iter().flat_map(|take| &take.acts) {
        if let Some(key) = act.places.first() {
            rests[act.person].get_or_insert((key.translation, key.rotation.normalize()));
        }
    }
    rests.into_iter().map(|rest| rest.unwrap_or((Vec3::ZERO, Quat::IDENTITY))).collect()
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
    PersonNodes { place, joints, rest }
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
