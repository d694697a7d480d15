//! Cycles: finding the steadiest one in a motion, and closing it.
//!
//! A cycle runs from a strike to the next one of the same foot. No two strides of a person are
//! equal, so a cycle ends a little off where it began; of all cycles the one with the smallest
//! difference is taken, and the difference is spread evenly over it. Once it is closed it can begin
//! anywhere, and that is at the strike of the left foot.

use glam::{Quat, Vec3A};

use crate::blend::nlerp;
use crate::contact::Side;
use crate::motion::Motion;
use crate::pose::Pose;
use crate::root::RootMotion;

use super::footfalls::Footfalls;
use super::track::Track;
use super::{Options, Refusal};

/// From one strike to the next of the same foot, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cycle {
    pub start: f32,
    pub end: f32,
    /// When the left foot strikes in it.
    pub left_strike: f32,
}

impl Cycle {
    pub fn period(&self) -> f32 {
        self.end - self.start
    }
}

/// How much the end of a cycle differed from its beginning before that was spread over it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seam {
    /// The largest difference of a joint's rotation, in radians.
    pub angle: f32,
    /// How far the root joint was off, in metres.
    pub offset: f32,
}

/// All cycles that a motion contains.
pub(crate) fn cycles(
    footfalls: &Footfalls,
    time_unit: f32,
    options: &Options,
) -> Result<Vec<Cycle>, Refusal> {
    let strikes = Side::BOTH.map(|side| footfalls.strikes(side).collect::<Vec<f32>>());
    let lengths = options.shortest_cycle * time_unit..=options.longest_cycle * time_unit;
    let mut cycles = Vec::new();
    for side in Side::BOTH {
        let (own, other) = (&strikes[side as usize], &strikes[side.other() as usize]);
        for pair in own.windows(2) {
            let (start, end) = (pair[0], pair[1]);
            let mut between = other.iter().copied().filter(|at| (start..end).contains(at));
            if let (Some(strike), None) = (between.next(), between.next())
                && lengths.contains(&(end - start))
            {
                cycles.push(Cycle { start, end, left_strike: side.choose(start, strike) });
            }
        }
    }
    if cycles.is_empty() {
        return Err(Refusal::NoCycle { left: strikes[0].len(), right: strikes[1].len() });
    }
    Ok(cycles)
}

/// The cycle whose end is most like its beginning, and which is most evenly fast.
pub(crate) fn steadiest(motion: &Motion, track: &Track, cycles: &[Cycle]) -> Option<Cycle> {
    let cost = |cycle: &Cycle| {
        let poses = [cycle.start, cycle.end].map(|time| relative_pose(motion, track, time));
        let joints = motion.skeleton().len().max(1) as f32;
        let turned = poses[0].rotations.iter().zip(&poses[1].rotations);
        let squares: f32 = turned.map(|(a, b)| a.angle_between(*b).powi(2)).sum();
        let off = (poses[0].root - poses[1].root).length();
        let speeds = [cycle.start, cycle.end].map(|time| track.velocity(time).length());
        let faster = (speeds[0] - speeds[1]).abs() / (0.5 * (speeds[0] + speeds[1])).max(0.3);
        (squares / joints).sqrt() + off + 0.3 * faster
    };
    let mut best: Option<(f32, Cycle)> = None;
    for cycle in cycles {
        let cost = cost(cycle);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, *cycle));
        }
    }
    best.map(|(_, cycle)| cycle)
}

/// The pose of a motion at a time, seen from the abstract root.
pub(crate) fn relative_pose(motion: &Motion, track: &Track, time: f32) -> Pose {
    let mut pose = Pose::default();
    motion.sample(time, &mut pose);
    pose.place(track.at(time).inverse().placement());
    pose
}

/// A cycle cut out of a motion: poses seen from the abstract root, its way, and the seam.
pub(crate) struct Cut {
    pub poses: Vec<Pose>,
    /// One sample more than there are poses.
    pub root: Vec<RootMotion>,
    pub seam: Seam,
    /// The joint with the largest difference.
    pub worst_joint: usize,
}

/// Cuts `cycle` into `frames` frames from the left strike on, and closes it.
pub(crate) fn cut(motion: &Motion, track: &Track, cycle: &Cycle, frames: usize) -> Cut {
    let begin = relative_pose(motion, track, cycle.start);
    let end = relative_pose(motion, track, cycle.end);
    let differences: Vec<Quat> =
        begin.rotations.iter().zip(&end.rotations).map(|(a, b)| short(a.inverse() * *b)).collect();
    let offset = end.root - begin.root;
    let first = (cycle.left_strike - cycle.start) / cycle.period();
    // The part of the cycle that a frame is at, and how often it has begun anew by then.
    let part = |frame: usize| {
        let part = first + frame as f32 / frames as f32;
        (part.fract(), part as usize)
    };
    let time = |part: f32| cycle.start + part * cycle.period();
    let pose = |frame: usize| {
        let (part, _) = part(frame);
        let mut pose = relative_pose(motion, track, time(part));
        // Half of the difference is added at the beginning and taken away at the end, so that both
        // meet in the middle.
        spread(&mut pose, &differences, offset, 0.5 - part);
        pose
    };
    let travel = track.at(cycle.start).inverse().then(track.at(cycle.end));
    let root = |frame: usize| {
        let (part, passes) = part(frame);
        let within = track.at(cycle.start).inverse().then(track.at(time(part)));
        (0..passes).fold(within, |way, _| travel.then(way))
    };
    let poses = (0..frames).map(pose).collect();
    let root = (0..=frames).map(root).collect();
    let angles = differences.iter().map(|difference| 2.0 * difference.w.clamp(-1.0, 1.0).acos());
    let (mut worst_joint, mut angle) = (0, 0.0);
    for (joint, off) in angles.enumerate() {
        if off > angle {
            (worst_joint, angle) = (joint, off);
        }
    }
    Cut { poses, root, seam: Seam { angle, offset: offset.length() }, worst_joint }
}

fn spread(pose: &mut Pose, differences: &[Quat], offset: Vec3A, share: f32) {
    pose.root += share * offset;
    for (rotation, difference) in pose.rotations.iter_mut().zip(differences) {
        let towards = if share >= 0.0 { *difference } else { difference.inverse() };
        *rotation = (*rotation * nlerp(Quat::IDENTITY, towards, share.abs())).normalize();
    }
}

/// Of both quaternions that mean a rotation the one that is nearer to none.
fn short(rotation: Quat) -> Quat {
    if rotation.w < 0.0 { -rotation } else { rotation }
}
