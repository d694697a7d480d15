//! Crowds that are too large to be held in memory: people are written one by one, as soon as it is
//! known all that they do.
//!
//! Numbers go to hidden files beside the one to be written, since the text of a glTF file comes first and
//! is known last. Everything that moves has keys at times of its own, so that what moves little needs few.
//! People who come and go are scaled to nothing while they are not there, which is how the
//! specification wants visibility to be animated.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::{Quat, Vec3};
use gltf::json;
use json::accessor::{ComponentType, Type};
use json::animation::{Interpolation, Property};
use json::{Accessor, Index, Node};

use super::super::export::{Person, WriteError, WriteOptions};
use super::pack::{Elements, Pack, Section};
use super::surface::plain_mesh;
use super::takes::{Builder, pack_times};
use super::{Draft, check_meshes, check_scale, create};
use crate::files::Body;

/// Values at times that grow; between them it is interpolated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyed<T> {
    /// When, in seconds from the beginning of the animation.
    pub times: Vec<f32>,
    /// What, at each of the times.
    pub values: Vec<T>,
}

impl<T> Keyed<T> {
    /// Appends a key.
    pub fn push(&mut self, time: f32, value: T) {
        self.times.push(time);
        self.values.push(value);
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }
}

/// All that somebody does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    /// Where the origin of body space is in the world.
    pub places: Keyed<Vec3>,
    /// How body space is turned there.
    pub turns: Keyed<Quat>,
    /// Where the root joint is in body space.
    pub roots: Keyed<Vec3>,
    /// How each joint is turned, in the order of the body's skeleton.
    pub rotations: Vec<Keyed<Quat>>,
    /// From when until when they are there, in order; until infinity if they stay. Without any they are there all
    /// the time.
    pub shown: Vec<(f32, f32)>,
}

/// Something that stands around: a surface of one colour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenery {
    /// How it is called.
    pub name: String,
    /// Corners, in the world.
    pub positions: Vec<Vec3>,
    /// The surface's normal at each corner.
    pub normals: Vec<Vec3>,
    /// Corners of triangles, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
    /// Linear red, green and blue from 0 to 1.
    pub colour: [f32; 3],
}

/// Writes a binary glTF file of many people in one animation.
pub struct CrowdWriter<'a> {
    draft: Draft<'a>,
    animation: Builder,
    path: PathBuf,
    people: usize,
    keys: u64,
}

impl<'a> CrowdWriter<'a> {
    /// Begins a file for people who have one of `bodies`. Until it is finished, numbers are kept in hidden
    /// files beside `path`.
    ///
    /// # Errors
    ///
    /// If a body's mesh does not fit it, or these files cannot be made.
    pub fn new(
        bodies: &'a [Body],
        options: &'a WriteOptions,
        path: &Path,
    ) -> Result<Self, WriteError> {
        check_meshes(bodies)?;
        let draft = Draft::new(bodies, options, Pack::spooled(path)?);
        let (animation, path) = (Builder::default(), path.to_owned());
        Ok(Self { draft, animation, path, people: 0, keys: 0 })
    }

    /// Adds something that stands around.
    ///
    /// # Errors
    ///
    /// If a triangle has a corner that there is not, or the file would become too large.
    pub fn add_scenery(&mut self, scenery: &Scenery) -> Result<(), WriteError> {
        if scenery.triangles.is_empty() {
            return Ok(());
        }
        let corners = scenery.positions.len();
        let fits = |corner: &u32| (*corner as usize) < corners;
        let whole = scenery.normals.len() == corners
            && scenery.positions.iter().all(|place| place.is_finite());
        if !(whole && scenery.triangles.iter().flatten().all(fits)) {
            return Err(WriteError::Scenery { name: scenery.name.clone() });
        }
        let draft = &mut self.draft;
        let mesh = plain_mesh(&mut draft.pack, scenery, &mut draft.materials)?;
        let mesh = Index::push(&mut draft.root.meshes, mesh);
        let name = Some(scenery.name.clone());
        let node = Node { name, mesh: Some(mesh), ..Node::default() };
        draft.scene.push(Index::push(&mut draft.root.nodes, node));
        Ok(())
    }

    /// Adds somebody and all that they do.
    ///
    /// # Errors
    ///
    /// If there is no such body, keys are not finite, times do not grow or the file would become too large.
    pub fn add_person(&mut self, person: &Person, keys: &Keys) -> Result<(), WriteError> {
        let count = self.draft.bodies.len();
        let Some(body) = self.draft.bodies.get(person.body) else {
            let (name, body) = (person.name.clone(), person.body);
            return Err(WriteError::NoSuchBody { person: self.people, name, body, count });
        };
        check_scale(self.people, person)?;
        if keys.rotations.len() != body.skeleton.len() {
            return Err(WriteError::OtherJoints {
                take: TAKE.into(),
                person: person.name.clone(),
                motion: "keys".into(),
                body: body.name.clone(),
            });
        }
        check_times(person, keys)?;
        let place = keys.places.values.first().copied().unwrap_or_default();
        let turn = keys.turns.values.first().copied().unwrap_or_default();
        let nodes = self.draft.add_person(person, (place, turn))?;
        let mut times = Times::default();
        self.vectors(&mut times, &keys.places, nodes.place, Property::Translation)?;
        self.rotations(&mut times, &keys.turns, nodes.place)?;
        self.vectors(&mut times, &keys.roots, nodes.joints, Property::Translation)?;
        for (joint, rotations) in keys.rotations.iter().enumerate() {
            self.rotations(&mut times, rotations, nodes.joints + joint as u32)?;
        }
        let shown = visibility(&keys.shown, person.scale);
        if !shown.is_empty() {
            let input = times.pack(&mut self.draft.pack, &shown.times)?;
            let numbers: Vec<f32> = shown.values.iter().flat_map(|scale| [*scale; 3]).collect();
            let output = self.draft.pack.floats(Section::Keys, Type::Vec3, &numbers)?;
            let sampler = (input, output);
            self.animation.add_with(sampler, nodes.place, Property::Scale, Interpolation::Step);
        }
        self.people += 1;
        Ok(())
    }

    /// How many keys were written so far.
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// If that fails.
    pub fn finish(self) -> Result<(), WriteError> {
        let Self { draft, animation, path, .. } = self;
        let animations = match animation.channels.is_empty() {
            true => Vec::new(),
            false => vec![animation.finish(TAKE)],
        };
        let whole = draft.finish(animations)?;
        let text = whole.text()?;
        create(&path, |out| whole.write_binary(&text, out))
            .map_err(|reason| WriteError::Unwritable { file: path, reason })
    }

    fn vectors(
        &mut self,
        times: &mut Times,
        keys: &Keyed<Vec3>,
        node: u32,
        property: Property,
    ) -> Result<(), WriteError> {
        if keys.is_empty() {
            return Ok(());
        }
        let pack = &mut self.draft.pack;
        let input = times.pack(pack, &keys.times)?;
        let numbers: Vec<f32> = keys.values.iter().flat_map(Vec3::to_array).collect();
        let output = pack.floats(Section::Keys, Type::Vec3, &numbers)?;
        self.animation.add((input, output), node, property);
        self.keys += keys.len() as u64;
        Ok(())
    }

    fn rotations(
        &mut self,
        times: &mut Times,
        keys: &Keyed<Quat>,
        node: u32,
    ) -> Result<(), WriteError> {
        if keys.is_empty() {
            return Ok(());
        }
        let pack = &mut self.draft.pack;
        let input = times.pack(pack, &keys.times)?;
        let mut before = Quat::IDENTITY;
        let numbers = keys.values.iter().flat_map(|rotation| {
            let unit = rotation.normalize();
            before = if unit.dot(before) < 0.0 { -unit } else { unit };
            before.to_array()
        });
        let output = if self.draft.options.compact {
            let at = pack.append(Section::CompactKeys, numbers.map(compact_bytes))?;
            let component = ComponentType::I16;
            let elements =
                Elements { count: keys.len(), kind: Type::Vec4, component, normalised: true };
            pack.accessor(Section::CompactKeys, at, elements)
        } else {
            let at = pack.append(Section::Keys, numbers.map(f32::to_le_bytes))?;
            pack.accessor(Section::Keys, at, Elements::floats(keys.len(), Type::Vec4))
        };
        self.animation.add((input, output), node, Property::Rotation);
        self.keys += keys.len() as u64;
        Ok(())
    }
}

/// How the animation is called.
const TAKE: &str = "crowd";

/// A component of a rotation in 16 bits.
fn compact_bytes(number: f32) -> [u8; 2] {
    ((number * 32767.0).round() as i16).to_le_bytes()
}

/// Times that were packed for somebody: many of their joints have the same.
#[derive(Default)]
struct Times(BTreeMap<Vec<u32>, Index<Accessor>>);

impl Times {
    fn pack(&mut self, pack: &mut Pack, times: &[f32]) -> Result<Index<Accessor>, WriteError> {
        let key: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(known) = self.0.get(&key) {
            return Ok(*known);
        }
        let accessor = pack_times(pack, times)?;
        self.0.insert(key, accessor);
        Ok(accessor)
    }
}

/// How large somebody is over time, if that changes.
fn visibility(shown: &[(f32, f32)], scale: f32) -> Keyed<f32> {
    let mut keys = Keyed::default();
    for &(from, until) in shown {
        match keys.times.last() {
            None if from > 0.0 => keys.push(0.0, 0.0),
            // Gone and back in the same moment is never gone.
            Some(&last) if from <= last => {
                keys.times.pop();
                keys.values.pop();
            }
            _ => {}
        }
        if keys.values.last().is_none_or(|last| *last == 0.0) {
            keys.push(from.max(0.0), scale);
        }
        if until.is_finite() {
            keys.push(until, 0.0);
        }
    }
    // Who is always there needs no keys.
    if keys.times == [0.0] { Keyed::default() } else { keys }
}

fn check_times(person: &Person, keys: &Keys) -> Result<(), WriteError> {
    let all = [&keys.places.times, &keys.turns.times, &keys.roots.times];
    let all = all.into_iter().chain(keys.rotations.iter().map(|keys| &keys.times));
    let mut shown: Vec<f32> = keys.shown.iter().flat_map(|&(from, until)| [from, until]).collect();
    shown.pop_if(|until| *until == f32::INFINITY);
    let grow = |times: &[f32]| {
        let mut before = None;
        times.iter().position(|&time| {
            let grows = before.is_none_or(|before| time > before) && time >= 0.0;
            before = Some(time);
            !(grows && time.is_finite())
        })
    };
    let (take, person_name) = (TAKE.to_owned(), person.name.clone());
    for times in all.chain([&shown]) {
        if let Some(key) = grow(times) {
            let time = times[key];
            return Err(WriteError::PlaceTime { take, person: person_name, key, time });
        }
    }
    let bad_turn = |turn: &Quat| !(turn.is_finite() && turn.length() > 1e-6);
    let turns = std::iter::once(&keys.turns).chain(&keys.rotations);
    let turns = turns.filter_map(|keys| keys.values.iter().position(bad_turn));
    let places = [&keys.places, &keys.roots].into_iter();
    let places = places.filter_map(|keys| keys.values.iter().position(|place| !place.is_finite()));
    match turns.chain(places).next() {
        Some(key) => Err(WriteError::Place { take, person: person_name, key }),
        None => Ok(()),
    }
}
