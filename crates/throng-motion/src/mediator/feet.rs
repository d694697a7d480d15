//! A foot over time: it lands, stands, leaves the ground and swings.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use throng_base::frame::wrap_angle;

use super::legs::{FootPlace, SolePoint};
use crate::gait::smoothstep;

/// A foot lands when it is lower than this, in metres; later it lands wherever it is.
const LOW: f32 = 0.03;
/// The part of a contact after which a foot lands even if it is not low.
const LATE: f32 = 0.3;
/// The part of a contact after which a foot does not land any more: one that has just left, when another clip has it on
/// the ground a little longer, goes on.
const TOO_LATE: f32 = 0.8;
/// A foot is off the ground for as long as this at least, s: else it would seem to slide there.
const SHORTEST_SWING: f32 = 0.11;
/// Another point of the sole takes over when it is lower by this, in metres.
const LOWER: f32 = 0.002;
/// A point of the sole stood in the frame before if it was lower than this, in metres.
const STOOD: f32 = 0.005;
/// The furthest that a standing foot is turned against its leg, in radians. Then it turns along.
const LARGEST_TWIST: f32 = 0.75;
/// How long the height dies away at which a foot was held to land, in seconds.
const SETTLING: f32 = 0.04;
/// The part of a swing within which a foot gets back to where its clip has it.
const RECOVERY: f32 = 0.85;
/// A step to a better place takes this long, in seconds.
const STEP: f32 = 0.36;
/// How high feet are lifted in such a step, in metres.
const STEP_HEIGHT: f32 = 0.05;

/// What a foot is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Doing {
    /// It stands.
    Standing,
    /// It is off the ground as its clip has it.
    Swinging,
    /// It steps to where it stands better; for so many seconds already.
    Stepping(f32),
}

/// Where body space is in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub place: Vec3,
    pub yaw: f32,
    pub turn: Quat,
}

impl Frame {
    pub fn new(place: Vec3, yaw: f32) -> Self {
        Self { place, yaw, turn: Quat::from_rotation_y(yaw) }
    }

    pub fn to_world(self, local: Vec3) -> Vec3 {
        self.place + self.turn * local
    }

    pub fn to_body(self, world: Vec3) -> Vec3 {
        self.turn.inverse() * (world - self.place)
    }
}

/// A foot that carries the body, or nothing with a load of 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance {
    /// Where the point that stands is in the world.
    pub anchor: Vec3,
    /// Where it is in body space.
    pub at: Vec3,
    /// How much of the body it carries.
    pub load: f32,
}

/// Where the root is so that feet are where they stand: `F - R x` for each, weighted by how much they carry;
/// nothing if the body is in the air. `turn` is how body space is turned in the world.
///
/// Anchors are fixed from landing to take-off, so that nothing drifts as it would if the way of the root were
/// summed up from frame to frame.
#[inline]
pub fn anchored_root(stances: &[Stance; 2], turn: Quat) -> Option<Vec3> {
    let [left, right] = stances;
    let loads = left.load + right.load;
    let at = left.load * left.at + right.load * right.at;
    let anchor = left.load * left.anchor + right.load * right.anchor;
    (loads > 0.0).then(|| (anchor - turn * at) / loads)
}

/// A foot, and how it deviates from what its clip does.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootState {
    doing: Doing,
    point: SolePoint,
    /// What it stood on in the frame before.
    stood_on: SolePoint,
    /// Where that point stands in the world.
    anchor: Vec3,
    /// How high above the ground it still is held.
    height: f32,
    /// Where the foot points in the world while it stands.
    heading: f32,
    /// By how much the ankle is off its place in the clip, in the world.
    offset: Vec3,
    /// By how much the foot is turned to the left of how the clip has it.
    twist: f32,
    /// The offset and the twist with which it left the ground.
    left_with: (Vec3, f32),
    /// Where the points of the sole were in the frame before, in the world.
    before: [Vec3; 3],
    /// How far it is through its way over the ground, from 0 to 1; 0 while it stands.
    pub swing: f32,
    /// For how long it has been off the ground, s.
    off: f32,
    /// How much of the body it carries, from 0 to 1.
    pub load: f32,
    /// How far the point that stands has moved since the frame before, in metres.
    pub slip: f32,
    /// How far the foot has turned where it stands, since the frame before, in radians.
    pub pivot: f32,
}

impl Default for FootState {
    fn default() -> Self {
        Self {
            doing: Doing::Swinging,
            point: SolePoint::Heel,
            stood_on: SolePoint::Heel,
            anchor: Vec3::ZERO,
            height: 0.0,
            heading: 0.0,
            offset: Vec3::ZERO,
            twist: 0.0,
            left_with: (Vec3::ZERO, 0.0),
            before: [Vec3::NAN; 3],
            swing: 0.0,
            off: f32::INFINITY,
            load: 0.0,
            slip: 0.0,
            pivot: 0.0,
        }
    }
}

/// What the clip says about a foot at a phase.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    /// How far it is through its contact, if it is on the ground.
    pub contact: Option<f32>,
    /// How far it is through its swing, if it is not.
    pub swing: f32,
    /// Whether it never leaves the ground.
    pub always: bool,
}

impl FootState {
    /// Whether it stands.
    pub fn stands(&self) -> bool {
        self.doing == Doing::Standing
    }

    /// The point it stands on and where in the world, if it stands.
    pub fn contact(&self) -> Option<(SolePoint, Vec3)> {
        self.stands().then_some((self.point, self.anchor))
    }

    /// How far it is from where its clip has it, over the ground, and how far it is turned.
    pub fn strain(&self) -> (f32, f32) {
        (self.offset.with_y(0.0).length(), self.twist.abs())
    }

    /// How far the body can turn over a foot that stands, to the right and to the left, before it has to
    /// turn along.
    pub fn room_to_turn(&self) -> (f32, f32) {
        (self.twist - LARGEST_TWIST, self.twist + LARGEST_TWIST)
    }

    /// Forgets everything: the foot is where the clip has it.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Lands, stands or leaves the ground as the clip says. `foot` is where the clip has it in body space,
    /// and `frame` where that would be if no foot stood.
    pub fn follow(&mut self, label: Label, foot: &FootPlace, frame: Frame, settled: bool) {
        self.pivot = 0.0;
        match (self.doing, label.contact) {
            (Doing::Standing, None) => self.leave(Doing::Swinging),
            (Doing::Swinging, Some(part)) => {
                let sole = foot.turned(self.twist);
                let height = sole.point(sole.lowest()).y + self.offset.y;
                let lands = match label.always {
                    true => settled || height < 0.5 * LOW,
                    false => part < TOO_LATE && (height < LOW || part > LATE),
                };
                if lands && self.off >= SHORTEST_SWING {
                    self.land(foot, frame);
                }
            }
            (Doing::Stepping(since), _) if since >= STEP => match label.contact {
                Some(_) => self.land(foot, frame),
                None => self.leave(Doing::Swinging),
            },
            _ => {}
        }
        if self.stands() {
            let twist = wrap_angle(self.heading - frame.yaw - foot.heading);
            self.twist = twist.clamp(-LARGEST_TWIST, LARGEST_TWIST);
            self.pivot = self.twist - twist;
            self.heading += self.pivot;
            self.roll(foot, frame);
        }
    }

    /// Sets out for where the clip has it, because it stands badly.
    pub fn step(&mut self) {
        self.leave(Doing::Stepping(0.0));
    }

    fn leave(&mut self, to: Doing) {
        self.left_with = (self.offset, self.twist);
        (self.doing, self.off) = (to, 0.0);
    }

    fn land(&mut self, foot: &FootPlace, frame: Frame) {
        let sole = foot.turned(self.twist);
        self.point = sole.lowest();
        let at = frame.to_world(sole.point(self.point)) + self.offset;
        self.height = (at.y - frame.place.y).max(0.0);
        self.anchor = at.with_y(frame.place.y);
        self.heading = frame.yaw + foot.heading + self.twist;
        self.doing = Doing::Standing;
        self.before = [Vec3::NAN; 3];
    }

    /// Another point of the sole may carry the body now.
    fn roll(&mut self, foot: &FootPlace, frame: Frame) {
        let heights = foot.points.map(|point| point.y);
        let lowest = foot.lowest();
        if heights[self.point as usize] <= heights[lowest as usize] + LOWER {
            return;
        }
        let before = self.before[lowest as usize];
        let stood = before.y - self.anchor.y < STOOD;
        let at = if stood {
            before
        } else {
            let turn = frame.turn * Quat::from_rotation_y(self.twist);
            self.anchor + turn * (foot.points[lowest as usize] - foot.points[self.point as usize])
        };
        self.anchor = at.with_y(self.anchor.y);
        self.point = lowest;
    }

    /// What it says about where the root is.
    pub fn stance(&self, foot: &FootPlace) -> Stance {
        let at = foot.turned(self.twist).point(self.point);
        Stance { anchor: self.anchor, at, load: self.load.max(1e-3) }
    }

    /// Where the ankle has to be in body space, and how far the foot is turned, after `seconds` more.
    pub fn target(
        &mut self,
        label: Label,
        foot: &FootPlace,
        frame: Frame,
        (seconds, aim): (f32, f32),
    ) -> (Vec3, f32) {
        self.off += seconds;
        match &mut self.doing {
            Doing::Standing => {
                self.height *= (-seconds / SETTLING).exp();
                let sole = foot.turned(self.twist);
                let at = self.anchor + self.height * Vec3::Y;
                let ankle = frame.to_body(at) - sole.points[self.point as usize];
                self.offset = frame.turn * (ankle - foot.ankle);
                self.swing = 0.0;
            }
            Doing::Swinging => {
                // Where the clip has it on the ground already, it is late to land or has left early.
                self.swing = match label.contact {
                    Some(part) => f32::from(u8::from(part < TOO_LATE)),
                    None => label.swing,
                };
                let left = 1.0 - smoothstep(label.swing / RECOVERY);
                self.offset = left * self.left_with.0;
                self.twist = left * self.left_with.1 + (1.0 - left) * aim;
            }
            Doing::Stepping(since) => {
                *since += seconds;
                let part = (*since / STEP).min(1.0);
                self.swing = part;
                let left = 1.0 - smoothstep(part);
                self.offset =
                    left * self.left_with.0 + STEP_HEIGHT * (PI * part).sin().powi(2) * Vec3::Y;
                self.twist = left * self.left_with.1;
            }
        }
        let mut ankle = foot.ankle + frame.turn.inverse() * self.offset;
        if !self.stands() {
            // Nothing sinks into the ground on its way.
            let lowest = foot.points[foot.lowest() as usize].y + ankle.y;
            ankle.y -= lowest.min(0.0);
        }
        (ankle, self.twist)
    }

    /// Whether the clip is followed as it is.
    pub fn is_off(&self) -> bool {
        self.offset.length_squared() > 1e-9 || self.twist.abs() > 1e-4
    }

    /// Notes where the foot has really got to: with its ankle at `ankle` in body space.
    pub fn arrive(&mut self, ankle: Vec3, foot: &FootPlace, frame: Frame) {
        let sole = FootPlace { ankle, ..foot.turned(self.twist) };
        let points = [SolePoint::Heel, SolePoint::Ball, SolePoint::Tip]
            .map(|point| frame.to_world(sole.point(point)));
        // A point that has just come down has moved, but it has not slipped.
        let low = |point: Vec3| point.y - self.anchor.y < STOOD;
        let stood = [self.point, self.stood_on]
            .into_iter()
            .map(|point| point as usize)
            .find(|&point| low(self.before[point]) && low(points[point]));
        self.slip = match stood.filter(|_| self.stands()) {
            Some(point) => (points[point] - self.before[point]).with_y(0.0).length(),
            None => 0.0,
        };
        self.stood_on = self.point;
        self.before = points;
    }
}
