//! Spatial resolution: how far each joint turns so that the eyes meet a point.
//!
//! From the lowest joint up, each takes its part of what *remains* to be turned. What remains is found anew at each
//! joint, from where the eyes are by then: joints are not where the eyes are, so every turn moves them, and what a joint at
//! its limit cannot do is left to those above it. Last, each eye for itself takes all that is left, and so they converge.
//!
//! Only the joints from the root to the eyes are looked at. All turns are in body space, each carries whoever looks
//! upright into one direction to looking upright into the next, and such turns telescope: after any number of joints
//! everything above has been turned by one rotation, known from where the gaze was and is.

use glam::{Quat, Vec3A};

use super::anatomy::{Anatomy, Link, MAX_TURNING, NO_SLOT, Segment};
use super::recruit::Recruitment;
use super::turn::{Turn, angle_between};
use crate::pose::Pose;

/// What eyes are turned to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Aim {
    /// A place in body space.
    Point(Vec3A),
    /// Where they look without gaze.
    Ahead,
}

/// A pose as gaze sees it, before it turns anything.
pub(super) struct Stance<'a> {
    anatomy: &'a Anatomy,
    /// Where the turning joints are, and how what they hang from is turned.
    pivots: [Vec3A; MAX_TURNING],
    parents: [Quat; MAX_TURNING],
    /// The middle of the eyes, and where they look.
    pub eye: Vec3A,
    pub gaze: Turn,
    /// How the head's axes are turned.
    head: Quat,
    eyes: [Option<EyeStance>; 2],
}

#[derive(Clone, Copy)]
struct EyeStance {
    at: Vec3A,
    parent: Quat,
    /// Where it looks, in body space and seen from the head.
    ahead: Vec3A,
    turned: Turn,
}

/// What the turns of all joints up to some joint have done to everything above it.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    /// Where the gaze is now.
    gaze: Turn,
    turn: Quat,
    /// The last joint, where it was and where it is.
    from: Vec3A,
    at: Vec3A,
}

/// The turns that lead to a point.
pub(super) struct Resolved {
    pub turns: [Turn; MAX_TURNING],
    /// Whether the eyes get there.
    pub reached: bool,
}

impl<'a> Stance<'a> {
    pub fn of(anatomy: &'a Anatomy, pose: &Pose) -> Self {
        assert_eq!(pose.rotations.len(), anatomy.joints, "the pose is of another skeleton");
        let mut stance = Self {
            anatomy,
            pivots: [Vec3A::ZERO; MAX_TURNING],
            parents: [Quat::IDENTITY; MAX_TURNING],
            eye: Vec3A::ZERO,
            gaze: Turn::NONE,
            head: Quat::IDENTITY,
            eyes: [None; 2],
        };
        // Whatever the root's offset is, a pose says where the root is.
        let (mut at, mut turned) = (pose.root, Quat::IDENTITY);
        for (depth, link) in anatomy.lineage.iter().enumerate() {
            if depth > 0 {
                at += turned * link.offset;
            }
            if link.slot != NO_SLOT {
                let slot = usize::from(link.slot);
                (stance.pivots[slot], stance.parents[slot]) = (at, turned);
            }
            turned *= pose.rotations[usize::from(link.joint)];
        }
        stance.head = turned * anatomy.head_axes;
        stance.find_eyes(pose, at, turned);
        stance
    }

    fn find_eyes(&mut self, pose: &Pose, head: Vec3A, head_turned: Quat) {
        let (mut middle, mut ahead, mut count) = (Vec3A::ZERO, Vec3A::ZERO, 0.0);
        for (eye, stance) in self.anatomy.eyes.iter().zip(&mut self.eyes) {
            let Some(eye) = eye else { continue };
            let (mut at, mut parent, mut turned) = (head, head_turned, head_turned);
            for Link { joint, offset, .. } in &eye.lineage {
                at += turned * *offset;
                parent = turned;
                turned *= pose.rotations[usize::from(*joint)];
            }
            let looks = turned * eye.forward;
            let seen = Turn::towards(self.head.inverse() * looks).unwrap_or_default();
            *stance = Some(EyeStance { at, parent, ahead: looks, turned: seen });
            middle += at;
            ahead += looks;
            count += 1.0;
        }
        (self.eye, ahead) =
            if count > 0.0 { (middle / count, ahead) } else { (head, self.head * Vec3A::Z) };
        self.gaze = Turn::towards(ahead).unwrap_or_default();
    }

    /// Whether every number of it is one.
    pub fn is_finite(&self) -> bool {
        self.eye.is_finite() && self.head.is_finite() && self.gaze.size().is_finite()
    }

    /// How far the head is from upright, radians.
    pub fn tilt(&self) -> f32 {
        angle_between(self.head * Vec3A::Y, Vec3A::Y)
    }

    /// The turns that lead the eyes to `point`.
    pub fn resolve(&self, point: Vec3A, recruitment: &Recruitment) -> Resolved {
        let parts = recruitment.parts(self.anatomy);
        let mut turns = [Turn::NONE; MAX_TURNING];
        let mut carried = Carried::nowhere(self.gaze);
        for (slot, turn) in turns[..self.anatomy.count].iter_mut().enumerate() {
            carried = carried.up_to(self.pivots[slot]);
            let part = parts[slot];
            if part == 0.0 {
                continue;
            }
            let Some(wanted) = Turn::towards(point - carried.point(self.eye)) else { continue };
            let limit = self.anatomy.limits.of(self.anatomy.slots[slot].segment);
            *turn = (carried.gaze.to(wanted) * part).within(limit);
            carried = carried.turned(self.gaze, *turn);
        }
        Resolved { turns, reached: self.reaches(point, &carried) }
    }

    /// Turns the joints of `pose`; those that do not turn stay as they are, bit by bit.
    pub fn turn(&self, turns: &[Turn; MAX_TURNING], pose: &mut Pose) -> Carried {
        let mut carried = Carried::nowhere(self.gaze);
        for (slot, turn) in turns[..self.anatomy.count].iter().enumerate() {
            carried = carried.up_to(self.pivots[slot]);
            if *turn == Turn::NONE {
                continue;
            }
            let before = carried.turn;
            carried = carried.turned(self.gaze, *turn);
            let parent = self.parents[slot];
            let own = parent.inverse() * (before.inverse() * carried.turn) * parent;
            let rotation = &mut pose.rotations[usize::from(self.anatomy.slots[slot].joint)];
            *rotation = own * *rotation;
        }
        carried
    }

    /// How far an eye has to turn from where it is in the pose, and may; nothing if there is no such eye.
    pub fn eye_turn(&self, eye: usize, carried: &Carried, aim: Aim) -> Option<Turn> {
        let stance = self.eyes[eye].as_ref()?;
        let way = match aim {
            Aim::Point(point) => point - carried.point(stance.at),
            Aim::Ahead => stance.ahead,
        };
        let seen = Turn::towards(self.head.inverse() * (carried.turn.inverse() * way))?;
        Some(stance.turned.to(seen))
    }

    /// A turn of an eye, no further than its limit in the head.
    pub fn limited(&self, eye: usize, turn: Turn) -> Turn {
        let Some(stance) = &self.eyes[eye] else { return turn };
        let limit = self.anatomy.limits.eye;
        let within = stance.turned + turn;
        if within.is_within(limit) { turn } else { within.within(limit) - stance.turned }
    }

    /// Turns an eye of `pose`.
    pub fn turn_eye(&self, eye: usize, turn: Turn, pose: &mut Pose) {
        let (Some(stance), Some(anatomy)) = (&self.eyes[eye], &self.anatomy.eyes[eye]) else {
            return;
        };
        if turn == Turn::NONE {
            return;
        }
        let in_head = Turn::carry(stance.turned, stance.turned + turn);
        let to_head = self.head.inverse() * stance.parent;
        let rotation = &mut pose.rotations[usize::from(anatomy.joint)];
        *rotation = to_head.inverse() * in_head * to_head * *rotation;
    }

    /// How far whoever has no eyes looks past `point`.
    pub fn error_of_head(&self, carried: &Carried, point: Vec3A) -> f32 {
        angle_between(point - carried.point(self.eye), carried.gaze.direction())
    }

    fn reaches(&self, point: Vec3A, carried: &Carried) -> bool {
        /// What a head that has no eyes may be off, radians.
        const CLOSE: f32 = 0.005;
        if !self.anatomy.has_eyes() {
            return self.error_of_head(carried, point) < CLOSE;
        }
        (0..self.eyes.len()).filter(|eye| self.eyes[*eye].is_some()).all(|eye| {
            let turn = self.eye_turn(eye, carried, Aim::Point(point));
            turn.is_some_and(|turn| self.limited(eye, turn) == turn)
        })
    }

    pub fn segment(&self, slot: usize) -> Segment {
        self.anatomy.slots[slot].segment
    }
}

impl Carried {
    /// Nothing has turned yet.
    fn nowhere(gaze: Turn) -> Self {
        Self { gaze, turn: Quat::IDENTITY, from: Vec3A::ZERO, at: Vec3A::ZERO }
    }

    /// Where a point of the pose above the last joint is now.
    fn point(&self, point: Vec3A) -> Vec3A {
        self.at + self.turn * (point - self.from)
    }

    /// The next joint is at `pivot` in the pose.
    fn up_to(self, pivot: Vec3A) -> Self {
        Self { at: self.point(pivot), from: pivot, ..self }
    }

    /// The last joint turns; `begin` is where the gaze was before any did.
    fn turned(self, begin: Turn, turn: Turn) -> Self {
        let gaze = self.gaze + turn;
        Self { gaze, turn: Turn::carry(begin, gaze), ..self }
    }
}
