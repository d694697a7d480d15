//! Posed bodies: a few poses that are made once, and who is in which of them.
//!
//! A body that is not seen well need not be a full one. A [`PosedBody`] is in one of the [`Poses`] of its look: a
//! frame of a walk of about its speed. The phase of its gait goes on as that of a full body, so that a person stays
//! in step when they get a full body or lose it.

use glam::{Quat, Vec3, Vec3A};
use throng_base::Heading;
use throng_base::frame::{ground_to_world, world_to_ground, wrap_angle};
use throng_motion::gaze::Interest;
use throng_motion::mediator::Performance;
use throng_motion::quadruped;
use throng_motion::{Clip, ClipKind, JointId, Landmark, ModelPose, Pose, RootMotion, Skeleton};
use throng_world::scene::GroupId;

use super::look::Look;
use super::member::Member;
use super::sights::Passer;
use super::target::MotionTarget;
use super::variety::{Descriptor, Nudge, Walker};

/// How many poses of a cycle are kept (`K`).
pub const FRAMES: usize = 32;
/// Walks of about the same speed are kept once, m/s.
const APART: f32 = 0.25;
/// Who is slower stands, m/s.
const SLOW: f32 = 0.15;
/// By which share beyond the middle between two walks somebody has to be to change to the other.
const RELUCTANCE: f32 = 0.1;
/// How soon another speed is believed, s.
const SETTLING: f32 = 0.4;
/// The pace of a last step.
const LAST_STEP: f32 = 0.7;
/// How far heads are turned in the variants of a pose, rad.
const HEAD_TURN: f32 = 40.0 * std::f32::consts::PI / 180.0;
/// Turn rate of posed bodies, rad/s.
const TURNING: f32 = 4.0;
/// How long posed bodies look at something, s, and how far to the side they see it, rad.
const GLANCE: f64 = 2.5;
const FIELD: f32 = 1.7;

/// Where a posed body looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum HeadTurn {
    /// Ahead.
    #[default]
    Ahead,
    /// To the left by 40°.
    Left,
    /// To the right by as much.
    Right,
}

impl HeadTurn {
    /// Every variant.
    pub const ALL: [Self; 3] = [Self::Ahead, Self::Left, Self::Right];

    /// The variant that is nearest to looking this far to the left, rad.
    pub fn nearest(angle: f32) -> Self {
        match angle {
            left if left > 0.5 * HEAD_TURN => Self::Left,
            right if right < -0.5 * HEAD_TURN => Self::Right,
            _ => Self::Ahead,
        }
    }

    /// How far to the left, rad.
    pub fn angle(self) -> f32 {
        match self {
            Self::Ahead => 0.0,
            Self::Left => HEAD_TURN,
            Self::Right => -HEAD_TURN,
        }
    }
}

/// A way of standing, walking or running, as a few poses.
#[derive(Clone, Debug)]
pub struct Take {
    /// Name of the clip.
    pub name: String,
    /// How fast one gets on by it, m/s.
    pub speed: f32,
    /// How long a cycle takes at that speed, s.
    pub period: f32,
    /// Number of the clip in the repertoire of the look.
    part: usize,
    frames: Vec<Pose>,
    /// The frames of both halves of the cycle that are most like standing.
    together: [usize; 2],
}

impl Take {
    fn of(part: usize, clip: &Clip) -> Self {
        let frames = (0..FRAMES).map(|frame| {
            let mut pose = Pose::rest(clip.skeleton());
            clip.sample(frame as f32 / FRAMES as f32, &mut pose);
            pose
        });
        Self {
            name: clip.name().to_owned(),
            speed: clip.speed(),
            period: clip.period(),
            part,
            frames: frames.collect(),
            together: [0; 2],
        }
    }

    /// The poses of a cycle, with the head ahead.
    pub fn frames(&self) -> &[Pose] {
        &self.frames
    }

    /// Finds out where it is most like a pose.
    fn compare(&mut self, skeleton: &Skeleton, standing: &Pose) {
        let standing = ModelPose::of(skeleton, standing);
        let unlike = |frame: &usize| {
            let pose = ModelPose::of(skeleton, &self.frames[*frame]);
            let apart = pose.positions.iter().zip(&standing.positions);
            apart.map(|(a, b)| a.distance_squared(*b)).fold(0.0, f32::max)
        };
        let best = |from: usize, to: usize| {
            (from..to).min_by(|a, b| unlike(a).total_cmp(&unlike(b))).unwrap_or(from)
        };
        self.together = [best(0, FRAMES / 2), best(FRAMES / 2, FRAMES)];
    }
}

/// The poses that posed bodies of a look can be in.
#[derive(Clone, Debug)]
pub struct Poses {
    /// Ascending in speed: the first stands.
    takes: Vec<Take>,
    /// Between which speeds each is kept, m/s.
    borders: Vec<[f32; 2]>,
    skeleton: std::sync::Arc<Skeleton>,
}

impl Poses {
    /// Those of a look.
    pub fn of(look: &Look) -> Self {
        let clips: Vec<Clip> = match look {
            Look::Person(look) => {
                look.repertoire.parts().iter().map(|part| part.clip.clone()).collect()
            }
            // An animal whose gaits could be made has clips.
            Look::Animal(look) => quadruped::library(&look.animal).unwrap_or_default(),
        };
        let ahead = clips.iter().enumerate().filter(|(_, clip)| goes_ahead(clip));
        let mut takes: Vec<Take> = ahead.map(|(part, clip)| Take::of(part, clip)).collect();
        takes.sort_by(|a, b| a.speed.total_cmp(&b.speed).then_with(|| a.name.cmp(&b.name)));
        takes.dedup_by(|next, kept| next.speed - kept.speed < APART && kept.speed > 0.0);
        let stands = |take: &Take| take.speed < SLOW;
        let first_walk = takes.iter().position(|take| !stands(take)).unwrap_or(takes.len());
        if first_walk > 1 {
            takes.drain(1..first_walk);
        }
        let skeleton = look.skeleton().clone();
        if let Some(standing) = takes.first().map(|take| take.frames[0].clone()) {
            takes.iter_mut().for_each(|take| take.compare(&skeleton, &standing));
        }
        let borders = borders(&takes);
        Self { takes, borders, skeleton }
    }

    /// The ways of moving there are, ascending in speed.
    pub fn takes(&self) -> &[Take] {
        &self.takes
    }

    /// A pose: of which take, which frame of it, and with the head turned. At rest if there is no such pose.
    pub fn pose(&self, take: usize, frame: usize, head: HeadTurn) -> Pose {
        let frame = self.takes.get(take).and_then(|take| take.frames.get(frame));
        let mut pose = frame.cloned().unwrap_or_else(|| Pose::rest(&self.skeleton));
        turn_head(&mut pose, &self.skeleton, head.angle());
        pose
    }

    fn stands(&self, take: usize) -> bool {
        self.takes.get(take).is_none_or(|take| take.speed < SLOW)
    }

    /// The take for somebody of this speed, who is in `now`.
    fn take_for(&self, speed: f32, now: usize) -> usize {
        // Most stay with what they do.
        if self.borders.get(now).is_some_and(|[low, high]| (*low..=*high).contains(&speed)) {
            return now;
        }
        // Borders overlap by what people are reluctant.
        let nearest = self.borders.iter().position(|[_, high]| speed <= *high / (1.0 + RELUCTANCE));
        nearest.unwrap_or(self.takes.len().saturating_sub(1))
    }
}

/// Between which speeds each of some takes is kept. Ratios count: a pace of half or of twice is as wrong.
fn borders(takes: &[Take]) -> Vec<[f32; 2]> {
    let between = |slow: &Take, fast: &Take| match slow.speed < SLOW {
        true => SLOW.min(0.5 * fast.speed),
        false => (slow.speed * fast.speed).sqrt(),
    };
    let border = |index: usize| {
        let low = index.checked_sub(1).map(|slower| between(&takes[slower], &takes[index]));
        let high = takes.get(index + 1).map(|faster| between(&takes[index], faster));
        let reluctance = 1.0 + RELUCTANCE;
        [low.unwrap_or(0.0) / reluctance, high.map_or(f32::INFINITY, |high| high * reluctance)]
    };
    (0..takes.len()).map(border).collect()
}

/// Whether a clip stands or leads straight ahead, again and again.
fn goes_ahead(clip: &Clip) -> bool {
    let kind = matches!(clip.kind(), ClipKind::Stand | ClipKind::Walk | ClipKind::Run);
    let ahead = clip.kind() == ClipKind::Stand || clip.travel_angle().abs() < 0.1;
    kind && clip.is_looped() && ahead && clip.travel().yaw.abs() < 0.05
}

/// The joints that turn with the head, from below.
pub fn turning_joints(skeleton: &Skeleton) -> Vec<JointId> {
    let joints = [Landmark::Neck1, Landmark::Neck2, Landmark::Head];
    joints.into_iter().filter_map(|joint| skeleton.landmark(joint)).collect()
}

/// Turns the neck and the head to the left, in equal parts.
fn turn_head(pose: &mut Pose, skeleton: &Skeleton, angle: f32) {
    if angle == 0.0 {
        return;
    }
    let joints = turning_joints(skeleton);
    let turn = Quat::from_rotation_y(angle / joints.len().max(1) as f32);
    for joint in joints {
        // About what is up in the joint's parent at rest.
        let parent =
            skeleton.rest_rotation(joint) * skeleton.joints()[joint.index()].rotation.inverse();
        let rotation = &mut pose.rotations[joint.index()];
        *rotation = parent.inverse() * turn * parent * *rotation;
    }
}

/// The body of a person in one of a few poses. People with full bodies have one as well, which keeps step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedBody {
    /// Who.
    pub id: u32,
    /// Their group.
    pub group: GroupId,
    /// How they look.
    pub role: Descriptor,
    /// What they do: a take of their look's [`Poses`].
    pub take: usize,
    /// How far through it they are, from 0 to 1.
    pub phase: f32,
    /// Where they look.
    pub head: HeadTurn,
    /// Where body space is in the world.
    pub placement: RootMotion,
    /// How fast they have been on the whole, m/s.
    speed: f32,
    /// How fast they step, in cycles per second, if nobody nudges them, and how they are nudged.
    pub(super) rate: f32,
    pub(super) nudge: Nudge,
}

impl PosedBody {
    pub(super) fn new(poses: &Poses, role: Descriptor, target: &MotionTarget) -> Self {
        let heading =
            target.heading.or_else(|| Heading::along(target.velocity)).unwrap_or_default();
        let translation = ground_to_world(target.position, sound(target.height));
        Self {
            id: target.id,
            group: target.group,
            role,
            take: poses.take_for(target.velocity.length(), 0),
            phase: role.phase,
            head: HeadTurn::Ahead,
            placement: RootMotion { translation, yaw: heading.body_yaw() },
            speed: sound(target.velocity.length()),
            rate: 0.0,
            nudge: Nudge::None,
        }
    }

    /// The person as others see them.
    pub(super) fn passer(&self) -> Passer {
        let RootMotion { translation, yaw } = self.placement;
        let velocity = self.speed * (Quat::from_rotation_y(yaw) * Vec3::Z);
        Passer { id: self.id, group: self.group, place: translation, velocity }
    }

    /// Their steps as others see them; `body` is the number of their body in the library.
    pub(super) fn walker(&self, poses: &Poses, body: usize) -> Walker {
        let part = poses.takes.get(self.take).map_or(0, |take| take.part);
        let Self { phase, rate, nudge, placement, .. } = *self;
        let clip = Walker::clip(body, part);
        Walker { place: placement.translation, clip, phase, rate, nudge }
    }

    /// Turns the head to what is at the side, for a while, at a `time`: everybody when it suits them.
    pub(super) fn glance(&mut self, places: &[Interest], time: f64) {
        let moment = time / GLANCE + f64::from(self.role.phase);
        // Once in so long everybody decides anew; two thirds of the time they look ahead.
        let turn = (moment + f64::from(self.id % 64) / 64.0).rem_euclid(3.0);
        if turn >= 1.0 || places.is_empty() {
            self.head = HeadTurn::Ahead;
            return;
        }
        let here = self.placement.translation;
        let worth = |interest: &&Interest| {
            let near = 1.0 - interest.position.distance(here) / interest.reach.max(1e-3);
            let seen = interest.can_be_seen_from(here);
            (near > 0.0 && seen).then_some(interest.level * near)
        };
        let worths = places.iter().filter_map(|interest| Some((worth(&interest)?, interest)));
        let best = worths.max_by(|a, b| a.0.total_cmp(&b.0));
        self.head = best.map_or(HeadTurn::Ahead, |(_, interest)| {
            let away = interest.position - here;
            let angle = wrap_angle(away.x.atan2(away.z) - self.placement.yaw);
            // What is behind is not seen.
            if angle.abs() < FIELD { HeadTurn::nearest(angle) } else { HeadTurn::Ahead }
        });
    }

    /// Which frame of their take they are in.
    pub fn frame(&self) -> usize {
        ((self.phase * FRAMES as f32) as usize).min(FRAMES - 1)
    }

    /// Goes on for some seconds.
    pub(super) fn step(&mut self, poses: &Poses, target: &MotionTarget, seconds: f32) {
        let speed = target.velocity.length();
        let (speed, seconds) = (sound(speed), sound(seconds).clamp(0.0, 1.0));
        // Nobody breaks into a run for a moment.
        self.speed += (1.0 - (-seconds / SETTLING).exp()) * (speed - self.speed);
        let wanted = poses.take_for(self.speed / self.role.scale, self.take);
        let stops = wanted != self.take && poses.stands(wanted);
        if poses.stands(self.take) && !poses.stands(wanted) {
            // The first step begins with the feet together.
            self.phase =
                poses.takes[wanted].together[usize::from(self.phase >= 0.5)] as f32 / FRAMES as f32;
        }
        if !stops {
            self.take = wanted;
        }
        if let Some(take) = poses.takes.get(self.take) {
            let pace = match take.speed > SLOW {
                true => (speed / (take.speed * self.role.scale)).clamp(0.0, 2.0),
                // Who is smaller sways faster.
                false => 1.0 / self.role.scale,
            };
            // Who stops makes a last step, until the feet are together.
            let pace = if stops { pace.max(LAST_STEP) } else { pace };
            let before = self.frame();
            self.rate = pace / take.period.max(1e-3);
            let phase = self.phase + self.nudge.factor() * self.rate * seconds;
            self.phase = if phase.is_finite() { phase.rem_euclid(1.0) } else { 0.0 };
            let now = self.frame();
            let passed = |frame: usize| match before <= now {
                true => (before..=now).contains(&frame),
                false => frame >= before || frame <= now,
            };
            if stops && take.together.into_iter().any(passed) {
                self.take = wanted;
            }
        }
        let position = if target.position.is_finite() {
            target.position
        } else {
            world_to_ground(self.placement.translation).0
        };
        self.placement.translation = ground_to_world(position, sound(target.height));
        let heading = if speed > SLOW { Heading::along(target.velocity) } else { target.heading };
        if let Some(heading) = heading {
            let turn = wrap_angle(heading.body_yaw() - self.placement.yaw);
            let most = TURNING * seconds;
            self.placement.yaw = wrap_angle(self.placement.yaw + turn.clamp(-most, most));
        }
    }

    /// Is in step with a full body that plays this.
    pub(super) fn keep_step(&mut self, poses: &Poses, body: &Member, played: &Performance) {
        let speed = played.velocity.length();
        self.take = poses.take_for(speed, self.take);
        self.speed = speed * self.role.scale;
        self.phase = played.phase.rem_euclid(1.0);
        let period = poses.takes.get(self.take).map_or(1.0, |take| take.period);
        self.nudge = body.nudge;
        self.rate = played.pace / (self.nudge.factor() * period.max(1e-3));
        self.placement = body.placement();
    }

    /// Their pose in the body space that is at `placement`, of a body of the look's size.
    pub(super) fn pose_from(&self, poses: &Poses, placement: RootMotion) -> Pose {
        let mut pose = poses.pose(self.take, self.frame(), self.head);
        let turn = Quat::from_rotation_y(self.placement.yaw - placement.yaw);
        let off = self.placement.translation - placement.translation;
        let off = Quat::from_rotation_y(-placement.yaw) * off / self.role.scale;
        pose.place((turn, Vec3A::from(off)));
        pose
    }

    /// Their pose in the world, at their size.
    pub fn world_pose(&self, poses: &Poses) -> Pose {
        let mut pose = poses.pose(self.take, self.frame(), self.head);
        pose.root *= self.role.scale;
        let RootMotion { translation, yaw } = self.placement;
        pose.place((Quat::from_rotation_y(yaw), Vec3A::from(translation)));
        pose
    }
}

fn sound(value: f32) -> f32 {
    /// Numbers beyond this are nonsense.
    const LARGEST: f32 = 1e7;
    if value.abs() < LARGEST { value } else { 0.0 }
}
