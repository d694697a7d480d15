//! Takes as animations. Motions are packed once; whoever plays one refers to a stretch of it.
//!
//! The frames of a motion that is looped are packed one cycle after the other, as often as the
//! longest act needs. Whoever begins at another phase reads the same numbers from another frame on,
//! with key times of their own.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use gltf::json;
use json::accessor::{ComponentType, Type};
use json::animation::{Animation, Channel, Interpolation, Property, Sampler, Target};
use json::validation::Checked;
use json::{Accessor, Index, Node};

use super::super::export::{Act, Export, Play, WriteError};
use super::pack::{Elements, Pack, Section};
use crate::motion::Motion;

/// Rotations that differ by less than this (of a quaternion's components) are the same: a tenth of
/// what 16-bit rotations resolve, and far above what rounding does.
const SAME_ROTATION: f32 = 1e-6;
/// Places that differ by less than this (m) are the same.
const SAME_PLACE: f32 = 1e-6;
/// A motion begins at a frame if it begins so near to it, in frames.
const AT_FRAME: f64 = 1e-4;

/// The nodes of somebody who is in the file.
pub(super) struct PersonNodes {
    /// The one that places them.
    pub place: u32,
    /// The first of their joints; the others follow in the order of the skeleton.
    pub joints: u32,
    /// Where they are at rest.
    pub rest: (Vec3, Quat),
}

/// Which frames of a motion are shown, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    first: usize,
    count: usize,
    /// How long ago the first frame was due when the take begins, in frames.
    late: f64,
    /// Between frames, in seconds.
    step: f64,
}

impl Stretch {
    fn of(play: &Play, motion: &Motion) -> Option<Self> {
        let frames = motion.frames();
        let step = 1.0 / (f64::from(motion.rate()) * f64::from(play.speed));
        let begin = f64::from(play.from) * f64::from(motion.rate());
        if !(step.is_finite() && step > 0.0 && begin.is_finite()) {
            return None;
        }
        let begin = match play.looped {
            Some(_) => begin.rem_euclid(frames as f64),
            None => begin.clamp(0.0, (frames - 1) as f64),
        };
        let mut first = begin.floor();
        let mut late = begin - first;
        if !(AT_FRAME..=1.0 - AT_FRAME).contains(&late) {
            first = begin.round();
            late = 0.0;
        }
        let first = first as usize;
        let count = match play.looped {
            None => frames - first.min(frames - 1),
            Some(seconds) => {
                let steps = f64::from(seconds) / step + late;
                // As many as a 32-bit file could never hold; `NaN` and negative times are refused.
                if !(0.0..1e9).contains(&steps) {
                    return None;
                }
                (steps + AT_FRAME) as usize + 1
            }
        };
        Some(Self { first, count, late, step })
    }

    /// Whether key times are far enough apart to differ at the end, where numbers are coarsest.
    fn times_grow(&self) -> bool {
        let end = (self.count as f64 * self.step) as f32;
        f64::from(end.next_up() - end) < self.step
    }

    /// When each frame is shown. A first frame that was due before the take began is shown at its
    /// beginning.
    fn times(&self) -> Vec<f32> {
        let time = |frame: usize| ((frame as f64 - self.late) * self.step).max(0.0) as f32;
        (0..self.count).map(time).collect()
    }
}

/// A motion whose frames have been packed.
struct PackedMotion {
    roots: Track,
    rotations: Vec<Track>,
}

/// What one joint does: keys from a byte of a section on, or the same all the time.
#[derive(Clone, Copy)]
enum Track {
    Keys(usize),
    Constant([f32; 4]),
}

/// Turns takes into animations.
pub(super) struct TakeWriter<'a> {
    export: &'a Export,
    people: &'a [PersonNodes],
    compact: bool,
    motions: Vec<Option<PackedMotion>>,
    /// By the first key, the step and the count.
    times: BTreeMap<(u64, u64, usize), Index<Accessor>>,
    /// By motion, joint (the root's place is one more), first frame and count.
    stretches: BTreeMap<(usize, usize, usize, usize), Index<Accessor>>,
    constants: BTreeMap<([u32; 4], usize), Index<Accessor>>,
    beginning: Option<Index<Accessor>>,
}

impl<'a> TakeWriter<'a> {
    pub fn new(export: &'a Export, people: &'a [PersonNodes], compact: bool) -> Self {
        Self {
            export,
            people,
            compact,
            motions: export.motions.iter().map(|_| None).collect(),
            times: BTreeMap::new(),
            stretches: BTreeMap::new(),
            constants: BTreeMap::new(),
            beginning: None,
        }
    }

    /// The animations of all takes that move anything.
    pub fn animations(mut self, pack: &mut Pack) -> Result<Vec<Animation>, WriteError> {
        let stretches = self.stretches_of_acts()?;
        self.pack_motions(pack, &stretches)?;
        let mut animations = Vec::new();
        for (take, stretches) in self.export.takes.iter().zip(&stretches) {
            let mut animation = Builder::default();
            for (act, stretch) in take.acts.iter().zip(stretches) {
                if let (Some(play), Some(stretch)) = (act.play, stretch) {
                    self.play(pack, &mut animation, act.person, play.motion, stretch)?;
                }
                self.places(pack, &mut animation, act)?;
            }
            if !animation.channels.is_empty() {
                animations.push(animation.finish(&take.name));
            }
        }
        Ok(animations)
    }

    fn stretches_of_acts(&self) -> Result<Vec<Vec<Option<Stretch>>>, WriteError> {
        let stretch = |take: &str, act: &Act| {
            let Some(play) = &act.play else { return Ok(None) };
            let motion = &self.export.motions[play.motion];
            let stretch = Stretch::of(play, motion).filter(Stretch::times_grow);
            stretch.map(Some).ok_or_else(|| WriteError::Play {
                take: take.to_owned(),
                person: self.export.people[act.person].name.clone(),
                motion: motion.name().to_owned(),
                from: play.from,
                speed: play.speed,
                seconds: play.looped.unwrap_or_else(|| motion.duration()),
            })
        };
        let of_take = |take: &super::super::export::Take| {
            take.acts.iter().map(|act| stretch(&take.name, act)).collect()
        };
        self.export.takes.iter().map(of_take).collect()
    }

    /// Packs each motion that is played, as far as the longest act needs it.
    fn pack_motions(
        &mut self,
        pack: &mut Pack,
        stretches: &[Vec<Option<Stretch>>],
    ) -> Result<(), WriteError> {
        let mut needed = vec![0; self.motions.len()];
        for (take, stretches) in self.export.takes.iter().zip(stretches) {
            for (act, stretch) in take.acts.iter().zip(stretches) {
                if let (Some(play), Some(stretch)) = (&act.play, stretch) {
                    let end = stretch.first + stretch.count;
                    needed[play.motion] = needed[play.motion].max(end);
                }
            }
        }
        for ((slot, motion), frames) in
            self.motions.iter_mut().zip(&self.export.motions).zip(needed)
        {
            if frames > 0 {
                *slot = Some(pack_motion(pack, motion, frames, self.compact)?);
            }
        }
        Ok(())
    }

    fn play(
        &mut self,
        pack: &mut Pack,
        animation: &mut Builder,
        person: usize,
        motion: usize,
        stretch: &Stretch,
    ) -> Result<(), WriteError> {
        let nodes = &self.people[person];
        let skeleton = &self.export.bodies[self.export.people[person].body].skeleton;
        let Some(packed) = &self.motions[motion] else { return Ok(()) };
        let joints = packed.rotations.len();
        let tracks: Vec<(usize, Track)> =
            packed.rotations.iter().copied().chain([packed.roots]).enumerate().collect();
        for (joint, track) in tracks {
            let is_root = joint == joints;
            let node = nodes.joints + if is_root { 0 } else { joint as u32 };
            let property = if is_root { Property::Translation } else { Property::Rotation };
            let sampler = match track {
                Track::Keys(at) => {
                    let input = self.times(pack, stretch)?;
                    let key = (motion, joint, stretch.first, stretch.count);
                    let compact = self.compact && !is_root;
                    let output = *self
                        .stretches
                        .entry(key)
                        .or_insert_with(|| stretch_accessor(pack, at, stretch, is_root, compact));
                    (input, output)
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
                    self.constant(pack, value, is_root)?
                }
            };
            animation.add(sampler, node, property);
        }
        Ok(())
    }

    fn times(&mut self, pack: &mut Pack, stretch: &Stretch) -> Result<Index<Accessor>, WriteError> {
        let key = (stretch.late.to_bits(), stretch.step.to_bits(), stretch.count);
        if let Some(known) = self.times.get(&key) {
            return Ok(*known);
        }
        if !pack.has_room(4 * stretch.count as u64) {
            return Err(WriteError::TooLarge);
        }
        let accessor = pack_times(pack, &stretch.times())?;
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
            None => pack_times(pack, &[0.0])?,
        };
        self.beginning = Some(beginning);
        let (kind, size) = if is_place { (Type::Vec3, 3) } else { (Type::Vec4, 4) };
        let key = (value.map(f32::to_bits), size);
        if let Some(known) = self.constants.get(&key) {
            return Ok((beginning, *known));
        }
        let accessor = pack.floats(Section::Keys, kind, &value[..size])?;
        self.constants.insert(key, accessor);
        Ok((beginning, accessor))
    }

    fn places(
        &mut self,
        pack: &mut Pack,
        animation: &mut Builder,
        act: &Act,
    ) -> Result<(), WriteError> {
        let Some(first) = act.places.first() else { return Ok(()) };
        let nodes = &self.people[act.person];
        let mut keys = act.places.clone();
        if first.time > 0.0 {
            keys.insert(0, super::super::export::PlaceKey { time: 0.0, ..*first });
        }
        let mut rotation = Quat::IDENTITY;
        let places: Vec<[f32; 4]> =
            keys.iter().map(|key| key.translation.extend(0.0).to_array()).collect();
        let turns: Vec<[f32; 4]> = keys
            .iter()
            .map(|key| {
                let unit = key.rotation.normalize();
                rotation = if unit.dot(rotation) < 0.0 { -unit } else { unit };
                rotation.to_array()
            })
            .collect();
        let (rest_place, rest_turn) = nodes.rest;
        let mut times = None;
        for (values, rest, is_place) in [
            (places, rest_place.extend(0.0).to_array(), true),
            (turns, rest_turn.to_array(), false),
        ] {
            let sampler = if values.iter().all(|value| same(*value, values[0], is_place)) {
                if same(values[0], rest, is_place) {
                    continue;
                }
                self.constant(pack, values[0], is_place)?
            } else {
                let input = match times {
                    Some(known) => known,
                    None => {
                        let keys: Vec<f32> = keys.iter().map(|key| key.time).collect();
                        pack_times(pack, &keys)?
                    }
                };
                times = Some(input);
                let (kind, size) = if is_place { (Type::Vec3, 3) } else { (Type::Vec4, 4) };
                let numbers: Vec<f32> =
                    values.iter().flat_map(|value| value[..size].iter().copied()).collect();
                (input, pack.floats(Section::Keys, kind, &numbers)?)
            };
            let property = if is_place { Property::Translation } else { Property::Rotation };
            animation.add(sampler, nodes.place, property);
        }
        Ok(())
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

/// Packs `frames` frames of a motion, which begins anew where they are more than it has.
fn pack_motion(
    pack: &mut Pack,
    motion: &Motion,
    frames: usize,
    compact: bool,
) -> Result<PackedMotion, WriteError> {
    let size = frames as u64 * motion.skeleton().len() as u64 * if compact { 8 } else { 16 };
    if !pack.has_room(size) {
        return Err(WriteError::TooLarge);
    }
    let own = motion.frames();
    let first = motion.roots()[0];
    let roots = if motion.roots().iter().all(|root| (*root - first).length() < SAME_PLACE) {
        Track::Constant(first.extend(0.0).to_array())
    } else {
        let numbers = (0..frames).flat_map(|frame| motion.roots()[frame % own].to_array());
        Track::Keys(pack.append(Section::Keys, numbers.map(f32::to_le_bytes))?)
    };
    let mut rotations = Vec::with_capacity(motion.skeleton().len());
    for joint in 0..motion.skeleton().len() {
        let at = |frame: usize| motion.rotations(frame)[joint];
        let first = at(0).to_array();
        if (1..own).all(|frame| same(at(frame).to_array(), first, false)) {
            rotations.push(Track::Constant(first));
            continue;
        }
        let mut before = at(0);
        let keys = (0..frames).map(|frame| {
            // The short way round, also from the end of a cycle to the beginning of the next.
            let rotation = at(frame % own);
            before = if rotation.dot(before) < 0.0 { -rotation } else { rotation };
            before.to_array()
        });
        rotations.push(Track::Keys(if compact {
            let numbers = keys.flatten().map(compact_bytes);
            pack.append(Section::CompactKeys, numbers)?
        } else {
            pack.append(Section::Keys, keys.flatten().map(f32::to_le_bytes))?
        }));
    }
    Ok(PackedMotion { roots, rotations })
}

/// A component of a rotation in 16 bits.
pub(super) fn compact_bytes(number: f32) -> [u8; 2] {
    ((number * 32767.0).round() as i16).to_le_bytes()
}

fn stretch_accessor(
    pack: &mut Pack,
    at: usize,
    stretch: &Stretch,
    is_root: bool,
    compact: bool,
) -> Index<Accessor> {
    let (section, kind, component) = match (is_root, compact) {
        (true, _) => (Section::Keys, Type::Vec3, ComponentType::F32),
        (false, false) => (Section::Keys, Type::Vec4, ComponentType::F32),
        (false, true) => (Section::CompactKeys, Type::Vec4, ComponentType::I16),
    };
    let at = at + stretch.first * kind.multiplicity() * component.size();
    let elements = Elements { count: stretch.count, kind, component, normalised: compact };
    pack.accessor(section, at, elements)
}

/// Whether two places, or two rotations, are the same for everybody who looks.
fn same(a: [f32; 4], b: [f32; 4], is_place: bool) -> bool {
    let within = if is_place { SAME_PLACE } else { SAME_ROTATION };
    let differs = |sign: f32| a.iter().zip(b).any(|(a, b)| (a - sign * b).abs() > within);
    !differs(1.0) || (!is_place && !differs(-1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::{Human, Proportions};
    use crate::pose::Pose;

    fn motion(frames: usize) -> Motion {
        let human = Human::new(Proportions::default()).unwrap();
        let poses = vec![Pose::rest(human.skeleton()); frames];
        Motion::from_poses("still", human.skeleton().clone(), 10.0, &poses).unwrap()
    }

    #[test]
    fn a_stretch_begins_where_it_is_told_and_lasts_as_long() {
        let motion = motion(10);
        let once = Stretch::of(&Play::once(0), &motion).unwrap();
        assert_eq!((once.first, once.count, once.late), (0, 10, 0.0));

        let looped = Stretch::of(&Play::looped(0, 1.25, 3.0), &motion).unwrap();
        // 1.25 s into a cycle of 1 s is two and a half frames into the next.
        assert_eq!((looped.first, looped.late), (2, 0.5));
        let times = looped.times();
        assert_eq!(&times[..3], &[0.0, 0.05, 0.15]);
        assert!((times[times.len() - 1] - 2.95).abs() < 1e-6);
    }

    #[test]
    fn speeds_and_times_that_cannot_be_are_refused() {
        let motion = motion(10);
        for play in [
            Play { speed: 0.0, ..Play::once(0) },
            Play { speed: -1.0, ..Play::once(0) },
            Play { from: f32::NAN, ..Play::once(0) },
            Play::looped(0, 0.0, f32::INFINITY),
            Play::looped(0, 0.0, -1.0),
            Play::looped(0, 0.0, 1e30),
        ] {
            assert_eq!(Stretch::of(&play, &motion), None, "{play:?}");
        }
    }
}
