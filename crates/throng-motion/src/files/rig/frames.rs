//! Animations of nodes as motions of skeletons, sampled at a fixed rate.

use glam::{Affine3A, Quat, Vec3, Vec3A};

use super::family::Rig;
use super::{Curve, Source, SourceAnimation, SourceTrack, TOO_FAR, is_sane, rotation_of};
use crate::files::document::ReadError;
use crate::files::{Place, Warnings};
use crate::motion::Motion;

/// Rotations of all motions of a file together: an hour of a hundred joints sixty times a second,
/// and 350 MB.
const MOST_ROTATIONS: usize = 22_000_000;
/// Joints may move this much in their parents (m) before it is worth a warning.
const STRETCH: f32 = 1e-3;
/// Scales may change by this much of themselves before it is worth a warning.
const GROWTH: f32 = 1e-3;

/// How motions are sampled.
pub(super) struct Sampling {
    rate: f32,
}

/// What the bodies of a file do that bodies cannot do here, by joint.
struct Oddities {
    /// How far each joint was away from where its bone ends.
    stretch: Vec<f32>,
    /// By how much each node of the line grew.
    growth: Vec<f32>,
}

impl Sampling {
    pub fn new(rate: f32) -> Result<Self, ReadError> {
        if !(0.1..=10_000.0).contains(&rate) {
            return Err(ReadError::Rate { rate });
        }
        Ok(Self { rate })
    }

    /// Every animation as a motion of every body that it moves.
    pub fn motions(
        &self,
        source: &Source,
        rigs: &[Rig],
        warnings: &mut Warnings,
    ) -> Result<Vec<Motion>, ReadError> {
        let lines: Vec<Line> = rigs.iter().map(|rig| Line::of(source, rig)).collect();
        let mut oddities: Vec<Oddities> = rigs
            .iter()
            .zip(&lines)
            .map(|(rig, line)| Oddities {
                stretch: vec![0.0; rig.skeleton.len()],
                growth: vec![0.0; line.nodes.len()],
            })
            .collect();
        let mut left = MOST_ROTATIONS;
        let mut motions = Vec::new();
        let mut tracks: Vec<Option<usize>> = vec![None; source.nodes.len()];
        for animation in &source.animations {
            for (index, track) in animation.tracks.iter().enumerate() {
                tracks[track.node] = Some(index);
            }
            for ((rig, line), odd) in rigs.iter().zip(&lines).zip(&mut oddities) {
                let take = Take { source, animation, tracks: &tracks, rig, line };
                let Some((start, frames)) = take.span(self.rate) else { continue };
                let rotations = frames.checked_mul(rig.skeleton.len());
                let rotations = rotations.filter(|rotations| *rotations <= left);
                let too_long = ReadError::TooLong { rate: self.rate, most: MOST_ROTATIONS };
                left -= rotations.ok_or(too_long)?;
                motions.push(take.sample(self.rate, start, frames, odd)?);
            }
            for track in &animation.tracks {
                tracks[track.node] = None;
            }
        }
        for ((rig, line), odd) in rigs.iter().zip(&lines).zip(&oddities) {
            odd.report(source, rig, line, warnings);
        }
        Ok(motions)
    }
}

impl Oddities {
    fn report(&self, source: &Source, rig: &Rig, line: &Line, warnings: &mut Warnings) {
        for (joint, stretch) in rig.skeleton.joints().iter().zip(&self.stretch) {
            if *stretch > STRETCH {
                warnings.add(
                    Place::joint(&joint.name),
                    format!("it moves {:.1} mm away from the end of its bone", 1000.0 * stretch),
                    "it stays there, as bones do not stretch",
                );
            }
        }
        for (node, growth) in line.nodes.iter().zip(&self.growth) {
            if *growth > GROWTH {
                warnings.add(
                    Place::joint(&source.nodes[*node].name),
                    format!("its scale changes by {:.1} % in a motion", 100.0 * growth),
                    "it keeps the scale it has at rest",
                );
            }
        }
    }
}

/// The nodes on which a body's pose depends, parents first: those above its root, and its joints.
struct Line {
    nodes: Vec<usize>,
    /// The place in the line of each node's parent; none for the first.
    parents: Vec<Option<usize>>,
    /// Where in the line the root is; the other joints follow it.
    root: usize,
}

impl Line {
    fn of(source: &Source, rig: &Rig) -> Self {
        let joints = rig.kept.iter().map(|member| rig.family.members[*member]);
        let mut above = Vec::new();
        let mut at = source.nodes[rig.family.members[rig.kept[0]]].parent;
        while let Some(node) = at {
            above.push(node);
            at = source.nodes[node].parent;
        }
        let root = above.len();
        let nodes: Vec<usize> = above.into_iter().rev().chain(joints).collect();
        let parents = (0..nodes.len())
            .map(|place| match place.checked_sub(root + 1) {
                // Joints know their parents; those above the root follow one another.
                Some(_) => rig.skeleton.joints()[place - root].parent.map(|p| root + p.index()),
                None => place.checked_sub(1),
            })
            .collect();
        Self { nodes, parents, root }
    }
}

/// An animation as it concerns one body.
struct Take<'a> {
    source: &'a Source,
    animation: &'a SourceAnimation,
    /// The track of each node.
    tracks: &'a [Option<usize>],
    rig: &'a Rig<'a>,
    line: &'a Line,
}

impl Take<'_> {
    fn track(&self, node: usize) -> Option<&SourceTrack> {
        self.tracks[node].map(|track| &self.animation.tracks[track])
    }

    /// When it begins, and how many frames it has; nothing if it does not move the body.
    fn span(&self, rate: f32) -> Option<(f32, usize)> {
        let tracks = self.line.nodes.iter().filter_map(|node| self.track(*node));
        let span = tracks
            .flat_map(SourceTrack::curves)
            .map(Curve::span)
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (start, end) = span?;
        let steps = (f64::from(end) - f64::from(start)) * f64::from(rate);
        // A last key that is due just after a frame, as times are rounded, is that frame.
        let whole = if (steps - steps.round()).abs() < 1e-2 { steps.round() } else { steps.ceil() };
        Some((start, (whole as usize).saturating_add(1)))
    }

    fn sample(
        &self,
        rate: f32,
        start: f32,
        frames: usize,
        odd: &mut Oddities,
    ) -> Result<Motion, ReadError> {
        let joints = self.rig.skeleton.len();
        let root = self.line.root;
        let mut roots = Vec::with_capacity(frames);
        let mut rotations: Vec<Quat> = Vec::with_capacity(frames * joints);
        let mut world = vec![Affine3A::IDENTITY; self.line.nodes.len()];
        let mut turned = vec![Quat::IDENTITY; joints];
        self.note_growth(odd);
        for frame in 0..frames {
            let time = (f64::from(start) + frame as f64 / f64::from(rate)) as f32;
            self.pose(time, &mut world);
            if !is_sane(world[root].translation) {
                let name = &self.animation.name;
                return Err(ReadError::part(format!("animation {name:?}, frame {frame}"), TOO_FAR));
            }
            roots.push(world[root].translation);
            for joint in 0..joints {
                let here = world[root + joint];
                turned[joint] = rotation_of(here.matrix3);
                let Some(parent) = self.rig.skeleton.joints()[joint].parent else {
                    rotations.push(turned[joint]);
                    continue;
                };
                let back = turned[parent.index()].inverse();
                rotations.push((back * turned[joint]).normalize());
                let offset: Vec3A =
                    back * (here.translation - world[root + parent.index()].translation);
                let bone = self.rig.skeleton.joints()[joint].translation;
                odd.stretch[joint] = odd.stretch[joint].max((Vec3::from(offset) - bone).length());
            }
        }
        let name = self.animation.name.clone();
        Ok(Motion::new(name, self.rig.skeleton.clone(), rate, roots, rotations)?)
    }

    /// Where all nodes of the line are at `time`. Scales are those at rest.
    fn pose(&self, time: f32, world: &mut [Affine3A]) {
        for (place, &node) in self.line.nodes.iter().enumerate() {
            let mut local = self.source.nodes[node].local;
            if let Some(track) = self.track(node) {
                if let Some(translation) = &track.translation {
                    local.translation = translation.vector(time);
                }
                if let Some(rotation) = &track.rotation {
                    local.rotation = rotation.rotation(time);
                }
            }
            let above = self.line.parents[place].map_or(self.source.base, |parent| world[parent]);
            world[place] = above * local.matrix();
        }
    }

    fn note_growth(&self, odd: &mut Oddities) {
        for (node, growth) in self.line.nodes.iter().zip(&mut odd.growth) {
            let rest = self.source.nodes[*node].local.scale;
            let scale = self.track(*node).and_then(|track| track.scale.as_ref());
            for value in scale.iter().flat_map(|scale| scale.key_values()) {
                let change = (value.truncate() - rest).length() / rest.length().max(1e-6);
                *growth = growth.max(change);
            }
        }
    }
}
