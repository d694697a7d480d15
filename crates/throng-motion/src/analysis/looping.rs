//! Motions that are loops already, as those made for games are.
//!
//! Such a file often holds a single stride, which alone has no two strikes of one foot. Played
//! several times in a row it has, and nothing ends anywhere near the stride in the middle.

use glam::{Quat, Vec3};
use throng_base::frame::wrap_angle;

use crate::blend::nlerp;
use crate::motion::{Motion, MotionError};
use crate::pose::Pose;
use crate::root::RootMotion;
use crate::skeleton::JointId;

use super::body::Body;

/// How often a loop is played.
pub(crate) const TIMES: usize = 4;

/// A motion that begins anew at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Loop {
    /// The frames that differ: not the last one if it repeats the first.
    pub frames: usize,
    /// How far the body gets in one pass.
    pub travel: RootMotion,
    /// The largest difference of a joint's rotation between the first frame and the one that repeats it, in
    /// radians.
    pub gap: f32,
}

/// A joint that is off by less is where it was, in radians.
const SAME: f32 = 0.02;
/// A joint that has moved by more has moved, in radians.
const MOVED: f32 = 0.05;
/// A joint may go on from the last frame to the first so much off the way it was going, in radians
/// and as a part of its fastest step.
const ON_ITS_WAY: [f32; 2] = [0.03, 0.5];

impl Loop {
    /// The loop that `motion` is, if it is one. Its steps repeat exactly; in loops made by hand, other
    /// joints than those of the legs may be off by as much as `largest_gap`, in radians.
    pub fn of(motion: &Motion, body: &Body, largest_gap: f32) -> Option<Self> {
        let last = motion.frames().checked_sub(1).filter(|&last| last >= 4)?;
        let joints = motion.skeleton().len();
        let off = |joint: usize, frame: usize| {
            let [a, b] = [0, frame].map(|frame| rotation(motion, body, joint, frame));
            a.angle_between(b)
        };
        let has_moved = (0..joints).any(|joint| (1..last).any(|frame| off(joint, frame) > MOVED));
        if !has_moved {
            return None;
        }
        let heights = [motion.roots()[0].y, motion.roots()[last].y];
        let is_level = (heights[0] - heights[1]).abs() < 0.02 * body.build.leg_length;
        let legs = body.build.legs.iter();
        let steps: Vec<usize> = legs
            .flat_map(|leg| [Some(leg.hip), Some(leg.knee), Some(leg.ankle), leg.toes])
            .flatten()
            .map(JointId::index)
            .chain([0])
            .collect();
        let gap = (0..joints).map(|joint| off(joint, last)).fold(0.0, f32::max);
        if is_level
            && gap < largest_gap.max(SAME)
            && steps.iter().all(|&joint| off(joint, last) < SAME)
        {
            return Some(Self { frames: last, travel: travel(body, last, false), gap });
        }
        let goes_on = is_level && (0..joints).all(|joint| goes_on(motion, body, joint, last));
        goes_on.then(|| Self { frames: last + 1, travel: travel(body, last, true), gap: 0.0 })
    }

    /// Whether it begins anew so nearly as it ends that nothing has to be made good.
    pub fn is_closed(&self) -> bool {
        self.gap < SAME
    }

    /// The loop played several times in a row, with the gap spread over each pass.
    pub fn repeated(&self, motion: &Motion) -> Result<Motion, MotionError> {
        let mut placed = RootMotion::default();
        let mut poses: Vec<Pose> = Vec::with_capacity(TIMES * self.frames);
        for _ in 0..TIMES {
            for frame in 0..self.frames {
                let mut pose = motion.pose(frame);
                if !self.is_closed() {
                    let part = frame as f32 / self.frames as f32;
                    for (joint, rotation) in pose.rotations.iter_mut().enumerate().skip(1) {
                        let [first, last] =
                            [0, self.frames].map(|frame| motion.rotations(frame)[joint]);
                        *rotation *= nlerp(Quat::IDENTITY, last.inverse() * first, part);
                    }
                }
                pose.place(placed.placement());
                poses.push(pose);
            }
            placed = placed.then(self.travel);
        }
        Motion::from_poses(motion.name(), motion.skeleton().clone(), motion.rate(), &poses)
    }
}

/// How a joint is turned, without where the body faces.
fn rotation(motion: &Motion, body: &Body, joint: usize, frame: usize) -> Quat {
    let rotation = motion.rotations(frame)[joint];
    match joint {
        0 => Quat::from_rotation_y(-body.frames[frame].facing) * rotation,
        _ => rotation,
    }
}

/// Whether a joint goes from the last frame to the first as it goes about there.
fn goes_on(motion: &Motion, body: &Body, joint: usize, last: usize) -> bool {
    let at = |frame: usize| rotation(motion, body, joint, frame);
    let step = |from: usize, to: usize| (at(from).inverse() * at(to)).to_scaled_axis();
    let expected = 0.5 * (step(last - 1, last) + step(0, 1));
    let fastest = (0..last).map(|frame| step(frame, frame + 1).length()).fold(0.0, f32::max);
    (step(last, 0) - expected).length() < ON_ITS_WAY[0] + ON_ITS_WAY[1] * fastest
}

/// From the first frame to the last, or by a step more.
fn travel(body: &Body, last: usize, one_more: bool) -> RootMotion {
    let frame = |frame: usize| {
        let frame = &body.frames[frame];
        (Vec3::new(frame.middle.x, 0.0, frame.middle.z), frame.facing)
    };
    let seen = |from: usize, to: usize| {
        let ((a, facing), (b, later)) = (frame(from), frame(to));
        RootMotion {
            translation: Quat::from_rotation_y(-facing) * (b - a),
            yaw: wrap_angle(later - facing),
        }
    };
    let whole = RootMotion { yaw: frame(last).1 - frame(0).1, ..seen(0, last) };
    let step = seen(last - 1, last).lerp(seen(0, 1), 0.5);
    let seen_from_body = if one_more { whole.then(step) } else { whole };
    // Poses are placed in the motion's own frame, about its origin.
    let (origin, facing) = frame(0);
    let start = RootMotion { translation: origin, yaw: facing };
    start.then(seen_from_body).then(start.inverse())
}
