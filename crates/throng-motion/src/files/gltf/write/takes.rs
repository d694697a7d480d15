//! Motions as animations of one body.
//!
//! What does not move by more than can be seen has one key, and none if it stays at rest.

use std::collections::BTreeMap;

use gltf::json;
use json::accessor::Type;
use json::animation::{Animation, Channel, Interpolation, Property, Sampler, Target};
use json::validation::Checked;
use json::{Accessor, Index, Node};

use super::super::export::WriteError;
use super::pack::{Elements, Pack, Section};
use crate::motion::Motion;
use crate::skeleton::Skeleton;

/// Rotations that differ by less than this (of a quaternion's components) are the same: a tenth of
/// what 16-bit rotations resolve, and far above what rounding does.
const SAME_ROTATION: f32 = 1e-6;
/// Places that differ by less than this (m) are the same.
const SAME_PLACE: f32 = 1e-6;

/// The nodes of somebody who is in the file.
pub(super) struct PersonNodes {
    /// The one that places them.
    pub place: u32,
    /// The first of their joints; the others follow in the order of the skeleton.
    pub joints: u32,
}

/// What one joint does: keys from a byte of a section on, or the same all the time.
#[derive(Clone, Copy)]
enum Track {
    Keys(usize),
    Constant([f32; 4]),
}

/// The animations of those motions that move anything.
pub(super) fn animations(
    pack: &mut Pack,
    nodes: &PersonNodes,
    skeleton: &Skeleton,
    motions: &[&Motion],
) -> Result<Vec<Animation>, WriteError> {
    let mut packed = Vec::with_capacity(motions.len());
    for motion in motions {
        packed.push(pack_motion(pack, motion)?);
    }
    let mut shared = Shared::default();
    let mut animations = Vec::new();
    for (motion, tracks) in motions.iter().zip(&packed) {
        let mut animation = Builder::default();
        for (joint, track) in tracks.iter().enumerate() {
            let is_root = joint + 1 == tracks.len();
            let node = nodes.joints + if is_root { 0 } else { joint as u32 };
            let property = if is_root { Property::Translation } else { Property::Rotation };
            let sampler = match *track {
                Track::Keys(at) => {
                    let input = shared.times(pack, motion)?;
                    let kind = if is_root { Type::Vec3 } else { Type::Vec4 };
                    let elements = Elements::floats(motion.frames(), kind);
                    (input, pack.accessor(Section::Keys, at, elements))
                }
                Track::Constant(value) => {
                    let rest = if is_root {
                        skeleton.joints()[0].translation.extend(0.0).to_array()
                    } else {
                        skeleton.joints()[joint].rotation.to_array()
                    };
                    if same(value, rest, is_root) {
                        continue;
                    }
                    shared.constant(pack, value, is_root)?
                }
            };
            animation.add(sampler, node, property);
        }
        if !animation.channels.is_empty() {
            animations.push(animation.finish(motion.name()));
        }
    }
    Ok(animations)
}

/// Accessors that several animations refer to.
#[derive(Default)]
struct Shared {
    /// By the rate and the count of frames.
    times: BTreeMap<(u32, usize), Index<Accessor>>,
    constants: BTreeMap<([u32; 4], usize), Index<Accessor>>,
    beginning: Option<Index<Accessor>>,
}

impl Shared {
    /// The times of the frames of a motion.
    fn times(&mut self, pack: &mut Pack, motion: &Motion) -> Result<Index<Accessor>, WriteError> {
        let key = (motion.rate().to_bits(), motion.frames());
        if let Some(known) = self.times.get(&key) {
            return Ok(*known);
        }
        let step = 1.0 / f64::from(motion.rate());
        let times: Vec<f32> = (0..motion.frames()).map(|i| (i as f64 * step) as f32).collect();
        let accessor = pack_times(pack, &times)?;
        self.times.insert(key, accessor);
        Ok(accessor)
    }

    /// A single key, which holds all the time.
    fn constant(
        &mut self,
        pack: &mut Pack,
        value: [f32; 4],
        is_place: bool,
    ) -> Result<(Index<Accessor>, Index<Accessor>), WriteError> {
        let beginning = match self.beginning {
            Some(known) => known,
            None => *self.beginning.insert(pack_times(pack, &[0.0])?),
        };
        let (kind, size) = if is_place { (Type::Vec3, 3) } else { (Type::Vec4, 4) };
        let key = (value.map(f32::to_bits), size);
        if let Some(known) = self.constants.get(&key) {
            return Ok((beginning, *known));
        }
        let accessor = pack.floats(Section::Keys, kind, &value[..size])?;
        self.constants.insert(key, accessor);
        Ok((beginning, accessor))
    }
}

/// An animation that grows; channels that show the same keys share a sampler.
#[derive(Default)]
pub(super) struct Builder {
    pub channels: Vec<Channel>,
    samplers: Vec<Sampler>,
    known: BTreeMap<(usize, usize), u32>,
}

impl Builder {
    pub fn add(
        &mut self,
        sampler: (Index<Accessor>, Index<Accessor>),
        node: u32,
        property: Property,
    ) {
        self.add_with(sampler, node, property, Interpolation::Linear);
    }

    pub fn add_with(
        &mut self,
        (input, output): (Index<Accessor>, Index<Accessor>),
        node: u32,
        property: Property,
        interpolation: Interpolation,
    ) {
        let samplers = &mut self.samplers;
        let sampler = *self.known.entry((input.value(), output.value())).or_insert_with(|| {
            samplers.push(Sampler {
                input,
                output,
                interpolation: Checked::Valid(interpolation),
                extensions: None,
                extras: json::Extras::default(),
            });
            samplers.len() as u32 - 1
        });
        self.channels.push(Channel {
            sampler: Index::new(sampler),
            target: Target {
                node: Index::<Node>::new(node),
                path: Checked::Valid(property),
                extensions: None,
                extras: json::Extras::default(),
            },
            extensions: None,
            extras: json::Extras::default(),
        });
    }

    pub fn finish(self, name: &str) -> Animation {
        Animation {
            channels: self.channels,
            samplers: self.samplers,
            name: Some(name.to_owned()),
            extensions: None,
            extras: json::Extras::default(),
        }
    }
}

pub(super) fn pack_times(pack: &mut Pack, times: &[f32]) -> Result<Index<Accessor>, WriteError> {
    let accessor = pack.floats(Section::Keys, Type::Scalar, times)?;
    let (first, last) = (times.first().copied(), times.last().copied());
    pack.set_bounds(accessor, &[first.unwrap_or(0.0)], &[last.unwrap_or(0.0)]);
    Ok(accessor)
}

/// Packs the frames of a motion: the rotations of each joint, and then the places of the root.
fn pack_motion(pack: &mut Pack, motion: &Motion) -> Result<Vec<Track>, WriteError> {
    let frames = motion.frames();
    let first = motion.roots()[0];
    let roots = if motion.roots().iter().all(|root| (*root - first).length() < SAME_PLACE) {
        Track::Constant(first.extend(0.0).to_array())
    } else {
        let numbers = motion.roots().iter().flat_map(glam::Vec3A::to_array);
        Track::Keys(pack.append(Section::Keys, numbers.map(f32::to_le_bytes))?)
    };
    let mut tracks = Vec::with_capacity(motion.skeleton().len() + 1);
    for joint in 0..motion.skeleton().len() {
        let at = |frame: usize| motion.rotations(frame)[joint];
        let first = at(0).to_array();
        if (1..frames).all(|frame| same(at(frame).to_array(), first, false)) {
            tracks.push(Track::Constant(first));
            continue;
        }
        let mut before = at(0);
        let keys = (0..frames).flat_map(|frame| {
            // The short way round.
            let rotation = at(frame);
            before = if rotation.dot(before) < 0.0 { -rotation } else { rotation };
            before.to_array()
        });
        tracks.push(Track::Keys(pack.append(Section::Keys, keys.map(f32::to_le_bytes))?));
    }
    tracks.push(roots);
    Ok(tracks)
}

/// Whether two places, or two rotations, are the same for everybody who looks.
fn same(a: [f32; 4], b: [f32; 4], is_place: bool) -> bool {
    let within = if is_place { SAME_PLACE } else { SAME_ROTATION };
    let differs = |sign: f32| a.iter().zip(b).any(|(a, b)| (a - sign * b).abs() > within);
    !differs(1.0) || (!is_place && !differs(-1.0))
}
