//! Which descriptors a joint belongs to, and how much.
//!
//! A descriptor that faces a joint and is near it has a say in where the joint goes. After Miller et al.
//! (2015): the cosine between the carpet's normal and the direction to the joint, times a weight that is one
//! at the nearest descriptor and falls to nothing at the edge of the joint's footprint; the weights of a joint
//! sum to one.
//!
//! Two things differ from the publication. A joint on the carpet sees every descriptor edge-on, and one just above it
//! sees but one; joints are looked at from half a cell up at least, and the cosine has a floor. And the footprint has the same radius on the ground for all joints: with the published one,
//! [`Footprint::Published`], a head is averaged over metres of carpet and is drawn to the inside of every bend.

use glam::{Vec2, Vec3};

use super::CarpetError;
use super::rig::Rig;
use crate::clip::Clip;
use crate::contact::{Side, Span};
use crate::pose::{ModelPose, Pose};

/// How far descriptors have a say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Footprint {
    /// Within this distance on the ground, m, for all joints alike.
    Radius(f32),
    /// A quarter of the body's height further than the nearest descriptor, as published.
    Published,
}

/// How weights follow from distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighting {
    /// How far descriptors have a say.
    pub footprint: Footprint,
    /// The least cosine that counts.
    pub floor: f32,
    /// Height of the body, m.
    pub height: f32,
}

/// The descriptors of a lattice that exist: rows and columns, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The first row and the first column.
    pub first: [i32; 2],
    /// The last row and the last column.
    pub last: [i32; 2],
}

/// A descriptor's say in where a joint goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Say {
    /// Its row.
    pub row: i32,
    /// Its column.
    pub column: i32,
    /// Its part, of one.
    pub weight: f32,
}

/// Descriptors whose weights are found at once.
const LANES: usize = 8;

/// The distance from a joint to the nearest descriptor of a lattice (`r1`). Rows are along `z`.
#[inline]
pub fn nearest_distance(joint: Vec3, spacing: f32, extent: &Extent) -> f32 {
    let [row, column] = nearest(joint, spacing, extent);
    (joint - Vec3::new(column as f32 * spacing, 0.0, row as f32 * spacing)).length()
}

/// The row and the column of the descriptor that is nearest to a joint.
#[inline(always)]
pub(super) fn nearest(joint: Vec3, spacing: f32, extent: &Extent) -> [i32; 2] {
    let index = |along: f32, side: usize| {
        let index = (along / spacing).round() as i32;
        index.max(extent.first[side]).min(extent.last[side])
    };
    [index(joint.z, 0), index(joint.x, 1)]
}

/// Where descriptors may have a say in where a joint goes, and what their weights follow from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub top: i32,
    pub bottom: i32,
    pub left: i32,
    pub right: i32,
    /// From which distance on descriptors have no say, and how their say falls towards it.
    pub far: f32,
    pub falling: f32,
    /// The height from which a joint is seen.
    pub seen: f32,
}

impl Area {
    /// Nothing if the joint is nowhere.
    #[inline(always)]
    pub fn of(joint: Vec3, spacing: f32, extent: &Extent, weighting: &Weighting) -> Option<Self> {
        let near = nearest_distance(joint, spacing, extent);
        if !near.is_finite() {
            return None;
        }
        let far = match weighting.footprint {
            Footprint::Radius(radius) => (near * near + radius * radius).sqrt(),
            Footprint::Published => near + 0.25 * weighting.height,
        };
        let on_ground = (far * far - joint.y * joint.y).max(0.0).sqrt();
        let range = |along: f32, side: usize| {
            let first = ((along - on_ground) / spacing).ceil() as i32;
            let last = ((along + on_ground) / spacing).floor() as i32;
            (first.max(extent.first[side]), last.min(extent.last[side]))
        };
        let ((top, bottom), (left, right)) = (range(joint.z, 0), range(joint.x, 1));
        let falling = 1.0 / (far - near).max(1e-9);
        // From nearer than half a cell, the descriptor just below would be all that is seen.
        let seen = joint.y.max(0.5 * spacing);
        Some(Self { top, bottom, left, right, far, falling, seen })
    }

    /// How many columns wide it is.
    #[inline(always)]
    pub fn columns(&self) -> i32 {
        self.right - self.left + 1
    }
}

/// The says of the descriptors of a lattice in where `joint` goes, in `says`; they sum to one. A joint that is
/// nowhere belongs to the first descriptor.
pub fn relate(
    joint: Vec3,
    spacing: f32,
    extent: &Extent,
    weighting: &Weighting,
    says: &mut Vec<Say>,
) {
    says.clear();
    let Some(area) = Area::of(joint, spacing, extent, weighting) else {
        let [row, column] = extent.first;
        says.push(Say { row, column, weight: 1.0 });
        return;
    };
    let Area { top, bottom, left, right, far, falling, seen } = area;
    let mut total = 0.0;
    let mut weights = [0.0f32; LANES];
    for row in top..=bottom {
        let along = joint.z - row as f32 * spacing;
        let (squared, seen_squared) =
            (along * along + joint.y * joint.y, along * along + seen * seen);
        // In runs of a fixed length, which processors do side by side.
        let mut column = left;
        while column <= right {
            for (lane, weight) in weights.iter_mut().enumerate() {
                let aside = joint.x - (column + lane as i32) as f32 * spacing;
                let distance = (aside * aside + squared).sqrt();
                let part = ((far - distance) * falling).clamp(0.0, 1.0);
                let facing = seen / (aside * aside + seen_squared).sqrt();
                *weight = facing.max(weighting.floor) * part;
            }
            for (lane, weight) in weights.iter().enumerate().take((right - column + 1) as usize) {
                if *weight > 0.0 {
                    total += weight;
                    says.push(Say { row, column: column + lane as i32, weight: *weight });
                }
            }
            column = column.saturating_add(LANES as i32);
        }
    }
    if total > 1e-12 {
        for say in says.iter_mut() {
            say.weight /= total;
        }
    } else {
        let [row, column] = nearest(joint, spacing, extent);
        says.clear();
        says.push(Say { row, column, weight: 1.0 });
    }
}

/// A say in where a joint goes between two frames of a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changing {
    /// From the first row of the cycle.
    pub row: i16,
    pub column: i16,
    /// At the first of the two frames.
    pub weight: f32,
    /// How much more at the second.
    pub change: f32,
}

/// A looped motion on a flat carpet that it fits: rows are spaced so that a cycle is a whole number of them,
/// and so each cycle relates to the rows below it as the one before did. One table serves for ever.
#[derive(Clone, Debug)]
pub struct Cycle {
    poses: Vec<Pose>,
    contacts: Vec<Vec<Span>>,
    /// How far a cycle leads along the carpet, m.
    travel: f32,
    period: f32,
    spacing: f32,
    rows: i32,
    columns: i32,
    /// By frame and joint: where its says begin.
    starts: Vec<u32>,
    says: Vec<Changing>,
    /// First and last row that are needed, from the row of the root.
    reach: [i32; 2],
    joints: usize,
}

/// A motion to make a [`Cycle`] of, along `+Z`.
#[derive(Clone, Debug)]
pub struct CycleParts {
    /// The frames, over a flat ground at height 0, each where the body has got to by then. The frame after the
    /// last is the first, `travel` further on.
    pub poses: Vec<Pose>,
    /// How far a cycle leads, m.
    pub travel: f32,
    /// How long a cycle takes, s.
    pub period: f32,
    /// When each foot of the rig is on the ground. Nothing for a foot of which that is not known.
    pub contacts: Vec<Vec<Span>>,
}

impl Cycle {
    /// The cycle of `parts` for a carpet with `columns` columns to either side whose rows are `spacing` apart
    /// or nearly so.
    ///
    /// # Errors
    ///
    /// If there are no frames, they are of another skeleton, or something is not finite.
    pub fn new(
        rig: &Rig,
        parts: CycleParts,
        spacing: f32,
        columns: u16,
        weighting: &Weighting,
    ) -> Result<Self, CarpetError> {
        let joints = rig.skeleton().len();
        let finite = |pose: &Pose| {
            pose.root.is_finite() && pose.rotations.iter().all(|rotation| rotation.is_finite())
        };
        let fits = |pose: &Pose| pose.rotations.len() == joints && finite(pose);
        if parts.poses.is_empty() || !parts.poses.iter().all(fits) {
            return Err(CarpetError::Frames);
        }
        if !(parts.travel.is_finite() && (0.0..100.0).contains(&parts.travel)) {
            return Err(CarpetError::Travel { travel: parts.travel });
        }
        if !(parts.period.is_finite() && parts.period > 1e-3) {
            return Err(CarpetError::Period { period: parts.period });
        }
        if !(spacing.is_finite() && (0.02..=1.0).contains(&spacing)) {
            return Err(CarpetError::Spacing { spacing });
        }
        // Who stays where they are is on any lattice.
        let rows = (parts.travel / spacing).round().max(0.0) as i32;
        let rows = if parts.travel < 1e-3 { 0 } else { rows.max(1) };
        let spacing = if rows == 0 { spacing } else { parts.travel / rows as f32 };
        let mut contacts = parts.contacts;
        contacts.resize(rig.feet().len(), Vec::new());
        let mut cycle = Self {
            poses: parts.poses,
            contacts,
            travel: if rows == 0 { 0.0 } else { parts.travel },
            period: parts.period,
            spacing,
            rows,
            columns: i32::from(columns),
            starts: Vec::new(),
            says: Vec::new(),
            reach: [0, 0],
            joints,
        };
        cycle.tabulate(rig, weighting);
        Ok(cycle)
    }

    /// The cycle of a looped clip that leads straight on, in whatever direction: the carpet lies along it.
    ///
    /// # Errors
    ///
    /// If the clip is not looped, turns, or is of another skeleton than the rig.
    pub fn of_clip(
        rig: &Rig,
        clip: &Clip,
        spacing: f32,
        columns: u16,
        weighting: &Weighting,
    ) -> Result<Self, CarpetError> {
        let travel = clip.travel();
        if !clip.is_looped() || travel.yaw.abs() > 1e-3 {
            return Err(CarpetError::NotStraight { clip: clip.name().to_owned() });
        }
        let motion = clip.motion();
        let along = glam::Quat::from_rotation_y(-clip.travel_angle());
        let poses = (0..motion.frames())
            .map(|frame| {
                let mut pose = motion.pose(frame);
                pose.place(clip.root().samples()[frame].placement());
                pose.place((along, glam::Vec3A::ZERO));
                pose
            })
            .collect();
        let contacts = Side::BOTH.map(|side| clip.contacts().of(side).to_vec()).to_vec();
        let parts = CycleParts {
            poses,
            travel: travel.translation.length(),
            period: clip.period(),
            contacts: if rig.feet().len() == 2 { contacts } else { Vec::new() },
        };
        Self::new(rig, parts, spacing, columns, weighting)
    }

    /// How far a cycle leads, m.
    pub fn travel(&self) -> f32 {
        self.travel
    }

    /// How long a cycle takes, s.
    pub fn period(&self) -> f32 {
        self.period
    }

    /// From row to row, m.
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Rows in a cycle.
    pub fn rows(&self) -> i32 {
        self.rows
    }

    /// The first and the last row that a body in this cycle needs, counted from the row of its abstract root.
    pub fn reach(&self) -> [i32; 2] {
        self.reach
    }

    pub(super) fn columns(&self) -> i32 {
        self.columns
    }

    /// When a foot is on the ground.
    pub fn contacts(&self, foot: usize) -> &[Span] {
        &self.contacts[foot]
    }

    /// The frame before `phase` (in `[0, 1)`) and how far it is to the next.
    pub(super) fn frame(&self, phase: f32) -> (usize, f32) {
        let (frame, _, part) = crate::clip::around(phase, self.poses.len());
        (frame, part.clamp(0.0, 1.0))
    }

    /// The pose between a frame and the next, from the beginning of the cycle.
    pub(super) fn sample(&self, frame: usize, part: f32, pose: &mut Pose) {
        let (before, next) = (&self.poses[frame], (frame + 1) % self.poses.len());
        let after = &self.poses[next];
        let further = if next == 0 { self.travel } else { 0.0 };
        pose.root = before.root.lerp(after.root + glam::Vec3A::new(0.0, 0.0, further), part);
        pose.rotations.clear();
        let pairs = before.rotations.iter().zip(&after.rotations);
        pose.rotations.extend(pairs.map(|(a, b)| crate::blend::nlerp(*a, *b, part)));
    }

    /// The says in where `joint` goes between `frame` and the next.
    pub(super) fn says(&self, frame: usize, joint: usize) -> &[Changing] {
        let at = frame * self.joints + joint;
        &self.says[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    fn tabulate(&mut self, rig: &Rig, weighting: &Weighting) {
        let frames = self.poses.len();
        let extent = Extent { first: [-4096, -self.columns], last: [4096, self.columns] };
        let mut says: Vec<Vec<Say>> = Vec::with_capacity(frames * self.joints);
        let mut list = Vec::new();
        let mut reach = [0, 0];
        for (frame, pose) in self.poses.iter().enumerate() {
            let model = ModelPose::of(rig.skeleton(), pose);
            let root = self.travel * frame as f32 / frames as f32;
            let root = (root / self.spacing).floor() as i32;
            for position in &model.positions {
                relate(Vec3::from(*position), self.spacing, &extent, weighting, &mut list);
                for say in &list {
                    reach[0] = reach[0].min(say.row - root);
                    reach[1] = reach[1].max(say.row - root);
                }
                says.push(list.clone());
            }
        }
        self.reach = [reach[0] - 1, reach[1] + 1];
        self.starts.push(0);
        for frame in 0..frames {
            let next = (frame + 1) % frames;
            let further = if next == 0 { self.rows } else { 0 };
            for joint in 0..self.joints {
                let before = &says[frame * self.joints + joint];
                let after = &says[next * self.joints + joint];
                self.merge(before, after, further);
                self.starts.push(self.says.len() as u32);
            }
        }
    }

    /// Both lists are in the order of rows and columns.
    fn merge(&mut self, before: &[Say], after: &[Say], further: i32) {
        let (mut a, mut b) = (before.iter().peekable(), after.iter().peekable());
        loop {
            let key = |say: &&Say, further: i32| (say.row + further, say.column);
            let (first, second) =
                (a.peek().map(|say| key(say, 0)), b.peek().map(|say| key(say, further)));
            let at = match (first, second) {
                (Some(first), Some(second)) => first.min(second),
                (Some(only), None) | (None, Some(only)) => only,
                (None, None) => return,
            };
            let weight =
                if first == Some(at) { a.next().map_or(0.0, |say| say.weight) } else { 0.0 };
            let then =
                if second == Some(at) { b.next().map_or(0.0, |say| say.weight) } else { 0.0 };
            let (row, column) = (at.0 as i16, at.1 as i16);
            self.says.push(Changing { row, column, weight, change: then - weight });
        }
    }
}

/// A place on the flat carpet as a row and a column with the parts beyond them.
pub(super) fn cell(place: Vec2, spacing: f32) -> ([i32; 2], Vec2) {
    let at = place / spacing;
    let floor = at.floor();
    let part = at - floor;
    ([floor.y as i32, floor.x as i32], part)
}
