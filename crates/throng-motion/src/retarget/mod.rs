//! A motion of one body carried over to another.
//!
//! Bodies differ in their proportions, in how many joints they have, and in the pose in which they
//! rest. First the source is brought into the pose in which the target rests ([`mod@reference`]); from
//! there every joint of the target is turned in body space as its counterpart is ([`mod@follow`]), so
//! that limbs point where they did. The hips go where they went, in the measure of the legs. As
//! legs have the same bends but other shares of thigh and shank, and hips another width, feet then
//! end up a little beside the places where they should be; two-bone inverse kinematics puts them
//! there, and what remains is [reported](RetargetReport).

mod follow;
mod reference;

use std::sync::Arc;

use glam::{FloatExt as _, Quat, Vec3, Vec3A};
use thiserror::Error;

use crate::contact::Side;
use crate::landmark::Landmark;
use crate::motion::{Motion, MotionError};
use crate::pose::{ModelPose, Pose};
use crate::root::yaw_of;
use crate::skeleton::{JointId, Skeleton};
use crate::two_bone::Limb;

use follow::{Follow, follow};
use reference::{is_upright, turns_to};

/// How to carry a motion over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetargetOptions {
    /// Bends the legs so that the ankles keep to their scaled ways. Without, joints keep their angles
    /// and feet go where that leads them.
    pub keep_feet: bool,
}

impl Default for RetargetOptions {
    fn default() -> Self {
        Self { keep_feet: true }
    }
}

/// Why a motion cannot be carried over.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RetargetError {
    #[error("the {body} body has no hips; say in a mapping which joint they are")]
    NoHips { body: &'static str },
    #[error(transparent)]
    Motion(#[from] MotionError),
}

/// How far an ankle is from where it should be: from its way in the source, scaled as the legs are
/// and lifted to the height that the target's ankles have at rest. While the heel is lifted over a
/// ball that is on the ground (at height 0), the ball keeps to its way instead, which leads the ankle
/// of a foot of another shape away from its own by up to that difference. In metres, over all frames.
///
/// If feet are kept, this is what legs could not reach; it does not tell how much knees had to bend.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootError {
    /// The largest distance.
    pub max: f32,
    /// The root of the mean square distance.
    pub rms: f32,
    /// The largest difference in height.
    pub height_max: f32,
    /// The root of the mean square difference in height.
    pub height_rms: f32,
}

/// How well a motion could be carried over.
#[derive(Clone, Debug, PartialEq)]
pub struct RetargetReport {
    /// The target's size in the measure of the source: the ratio of their legs, by which all ways
    /// are scaled.
    pub scale: f32,
    /// Of the left foot; nothing if one of the bodies has no whole left leg.
    pub left: Option<FootError>,
    /// Of the right foot.
    pub right: Option<FootError>,
    /// Landmarks of the target that follow nothing and stay as they are at rest.
    pub at_rest: Vec<Landmark>,
}

/// A motion that was carried over.
#[derive(Clone, Debug)]
pub struct Retargeted {
    /// The motion of the target.
    pub motion: Motion,
    /// How well it went.
    pub report: RetargetReport,
}

/// Carries `motion` over to the body `target`.
///
/// Landmarks follow landmarks, and other joints, such as fingers, joints of the same name; the rest
/// stays as it is at rest. On its own skeleton a motion stays what it is.
///
/// ```
/// use throng_motion::{Human, Motion, Pose, Proportions, RetargetOptions, retarget};
///
/// let tall = Human::new(Proportions::of_height(1.9))?;
/// let small = Human::new(Proportions::of_height(1.5))?;
/// let mut pose = Pose::rest(tall.skeleton());
/// pose.root.z = 1.9;
/// let motion = Motion::from_poses("step", tall.skeleton().clone(), 30.0, &[pose])?;
///
/// let carried = retarget(&motion, small.skeleton(), RetargetOptions::default())?;
/// assert!((carried.motion.roots()[0].z - 1.5).abs() < 1e-3, "small people take small steps");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If one of the bodies has no hips.
pub fn retarget(
    motion: &Motion,
    target: &Arc<Skeleton>,
    options: RetargetOptions,
) -> Result<Retargeted, RetargetError> {
    let source = motion.skeleton();
    for (body, skeleton) in [("source's", source), ("target's", target)] {
        if skeleton.landmark(Landmark::Hips).is_none() {
            return Err(RetargetError::NoHips { body });
        }
    }
    let carrier = Carrier::new(source, target, options);
    let mut work = Work::default();
    let mut errors = [Errors::default(); 2];
    let poses: Vec<Pose> = (0..motion.frames())
        .map(|frame| carrier.carry(&motion.pose(frame), &mut work, &mut errors))
        .collect();
    let [left, right] = [0, 1].map(|side| errors[side].summary());
    let report = RetargetReport { scale: carrier.scale, left, right, at_rest: carrier.at_rest() };
    let motion = Motion::from_poses(motion.name(), target.clone(), motion.rate(), &poses)?;
    Ok(Retargeted { motion, report })
}

/// The joints of a leg.
#[derive(Clone, Copy)]
struct Leg {
    hip: JointId,
    knee: JointId,
    ankle: JointId,
}

impl Leg {
    fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        Some(Self {
            hip: skeleton.landmark(Landmark::upper_leg(side))?,
            knee: skeleton.landmark(Landmark::lower_leg(side))?,
            ankle: skeleton.landmark(Landmark::foot(side))?,
        })
    }

    fn length(&self, skeleton: &Skeleton) -> f32 {
        let at = |joint| skeleton.rest_position(joint);
        at(self.hip).distance(at(self.knee)) + at(self.knee).distance(at(self.ankle))
    }
}

/// The bone of a leg that carries a joint: what the feet's correction turns.
#[derive(Clone, Copy, PartialEq)]
enum Segment {
    Thigh(Side),
    Shank(Side),
}

/// A leg in both bodies.
struct Legs {
    from: Leg,
    to: Leg,
    /// By how much the target's foot is longer than the source's when that is scaled: from the ankle
    /// to the ball, in body space in the reference pose. Zero if the balls are not known.
    longer_foot: Vec3,
    /// The source's ball, and how high it is when the foot is flat.
    ball: Option<(JointId, f32)>,
}

/// What is known before the first frame.
struct Carrier<'a> {
    source: &'a Skeleton,
    target: &'a Skeleton,
    options: RetargetOptions,
    follows: Vec<Follow>,
    /// How the source's joints are turned back from the reference pose, in body space.
    from_reference: Vec<Quat>,
    segments: Vec<Option<Segment>>,
    legs: [Option<Legs>; 2],
    scale: f32,
    /// What is added to scaled heights, so that ankles at rest are where they are at rest.
    lift: f32,
}

/// Memory that frames share.
#[derive(Default)]
struct Work {
    source: ModelPose,
    target: ModelPose,
    turned: Vec<Quat>,
}

impl<'a> Carrier<'a> {
    fn new(source: &'a Skeleton, target: &'a Skeleton, options: RetargetOptions) -> Self {
        let pairs = Side::BOTH.map(|side| Leg::of(source, side).zip(Leg::of(target, side)));
        let sum = |of: &dyn Fn(&(Leg, Leg)) -> f32| -> f32 { pairs.iter().flatten().map(of).sum() };
        let lengths = (sum(&|(leg, _)| leg.length(source)), sum(&|(_, leg)| leg.length(target)));
        let scale = if lengths.0 > 1e-6 && lengths.1 > 1e-6 { lengths.1 / lengths.0 } else { 1.0 };
        let count = pairs.iter().flatten().count().max(1) as f32;
        let ankle = |skeleton: &Skeleton, leg: &Leg| skeleton.rest_position(leg.ankle).y;
        let lift = if is_upright(source) && is_upright(target) {
            sum(&|(from, to)| ankle(target, to) - scale * ankle(source, from)) / count
        } else {
            0.0
        };
        let turns = turns_to(source, target);
        let legs = [0, 1].map(|side| {
            let (from, to) = pairs[side]?;
            let toes = Landmark::toes(Side::BOTH[side]);
            let feet = foot(source, from, toes).zip(foot(target, to, toes));
            let longer_foot = feet.map_or(Vec3::ZERO, |(source, target)| {
                target - scale * (turns[from.ankle.index()] * source)
            });
            let ball = source.landmark(toes).map(|ball| (ball, source.rest_position(ball).y));
            Some(Legs { from, to, longer_foot, ball })
        });
        let from_reference = turns
            .iter()
            .zip(source.rest_rotations())
            .map(|(turn, rest)| (*turn * *rest).inverse().normalize())
            .collect();
        Self {
            follows: follow(source, target),
            segments: segments(target),
            source,
            target,
            options,
            from_reference,
            legs,
            scale,
            lift,
        }
    }

    fn at_rest(&self) -> Vec<Landmark> {
        let landmarks = self.target.landmarks().iter();
        landmarks
            .filter(|(_, joint)| self.follows[joint.index()] == Follow::Rest)
            .map(|(landmark, _)| landmark)
            .collect()
    }

    /// The target's pose in a frame.
    fn carry(&self, pose: &Pose, work: &mut Work, errors: &mut [Errors; 2]) -> Pose {
        let Work { source, target, turned } = work;
        source.pose(self.source, pose);
        self.turn(source, turned);
        let mut carried = self.posed(turned, source, target);
        if self.options.keep_feet {
            let turns = Side::BOTH.map(|side| self.foot_turns(side, source, target));
            for (turned, segment) in turned.iter_mut().zip(&self.segments) {
                let turn = match segment {
                    Some(Segment::Thigh(side)) => turns[*side as usize].map(|(thigh, _)| thigh),
                    Some(Segment::Shank(side)) => turns[*side as usize].map(|(_, shank)| shank),
                    None => None,
                };
                if let Some(turn) = turn {
                    *turned = (turn * *turned).normalize();
                }
            }
            carried = self.posed(turned, source, target);
        }
        for (side, errors) in Side::BOTH.into_iter().zip(errors) {
            if let Some(legs) = &self.legs[side as usize] {
                errors.add(target.position(legs.to.ankle) - self.ankle(legs, source));
            }
        }
        carried
    }

    /// How the target's joints are turned in body space.
    fn turn(&self, source: &ModelPose, turned: &mut Vec<Quat>) {
        turned.clear();
        let deviation =
            |joint: JointId| source.rotation(joint) * self.from_reference[joint.index()];
        for (index, joint) in self.target.joints().iter().enumerate() {
            let rotation = match self.follows[index].deviation(deviation) {
                Some(deviation) => deviation * self.target.rest_rotation(JointId::new(index)),
                None => {
                    let above =
                        joint.parent.map_or(Quat::IDENTITY, |parent| turned[parent.index()]);
                    above * joint.rotation
                }
            };
            turned.push(rotation.normalize());
        }
    }

    /// The pose with joints turned so in body space and the hips in their place, and where the
    /// joints are in it.
    fn posed(&self, turned: &[Quat], source: &ModelPose, target: &mut ModelPose) -> Pose {
        let rotations = self.target.joints().iter().zip(turned).map(|(joint, rotation)| {
            let above = joint.parent.map_or(Quat::IDENTITY, |parent| turned[parent.index()]);
            (above.inverse() * *rotation).normalize()
        });
        let mut pose = Pose { root: Vec3A::ZERO, rotations: rotations.collect() };
        target.pose(self.target, &pose);
        let wanted = self.placed(self.middle(self.source, source, |legs| legs.from.hip));
        let root = wanted - self.middle(self.target, target, |legs| legs.to.hip);
        pose.root = root.into();
        for position in &mut target.positions {
            *position += pose.root;
        }
        pose
    }

    /// The middle between the hip joints, which every rig has in the same place; a rig's hips can be
    /// anywhere about it.
    fn middle(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        hip: impl Fn(&Legs) -> JointId,
    ) -> Vec3 {
        match &self.legs {
            [Some(left), Some(right)] => {
                0.5 * (model.position(hip(left)) + model.position(hip(right)))
            }
            _ => model.landmark(skeleton, Landmark::Hips).unwrap_or_default(),
        }
    }

    /// Where a place of the source is for the target.
    fn placed(&self, at: Vec3) -> Vec3 {
        self.scale * at + Vec3::new(0.0, self.lift, 0.0)
    }

    /// Where an ankle should be. A foot with its heel up stands on its ball, which must not slide:
    /// the ankle goes as much further back and up as the foot is longer. In the air there is nothing
    /// to slide on, and the ankle keeps to its way.
    fn ankle(&self, legs: &Legs, source: &ModelPose) -> Vec3 {
        let ankle = legs.from.ankle;
        let deviation = source.rotation(ankle) * self.from_reference[ankle.index()];
        let ahead = deviation * Vec3::Z;
        let heel_up = (-ahead.y).smoothstep(0.0, 0.15);
        // A foot that points straight down has no direction on the ground.
        let level = ahead.x.hypot(ahead.z).smoothstep(0.05, 0.3);
        // Fading within 8 cm instead makes the knee of a runner snap by 8° in a frame at 120 Hz.
        let on_ground = legs.ball.map_or(0.0, |(ball, flat)| {
            1.0 - (self.scale * (source.position(ball).y - flat)).smoothstep(0.02, 0.25)
        });
        let flat = Quat::from_rotation_y(yaw_of(ahead)) * legs.longer_foot;
        let further = flat - deviation * legs.longer_foot;
        self.placed(source.position(ankle)) + heel_up * level * on_ground * further
    }

    /// By how much to turn thigh and shank, in body space, to put the ankle where it should be.
    fn foot_turns(
        &self,
        side: Side,
        source: &ModelPose,
        target: &ModelPose,
    ) -> Option<(Quat, Quat)> {
        // Below this nothing is visible, and a straight knee would bend over rounding errors.
        const NEAR_ENOUGH: f32 = 2e-5;
        let legs = self.legs[side as usize].as_ref()?;
        let (to, wanted) = (&legs.to, self.ankle(legs, source));
        let [first, middle, end] = [to.hip, to.knee, to.ankle].map(|joint| target.position(joint));
        if end.distance(wanted) < NEAR_ENOUGH {
            return None;
        }
        // The knee stays on the side on which it is; a straight one bends to the front of the thigh.
        let line = (end - first).normalize_or(Vec3::NEG_Y);
        let aside = (middle - first).reject_from_normalized(line);
        let thigh = target.rotation(to.hip) * self.target.rest_rotation(to.hip).inverse();
        let pole = aside + 0.02 * self.scale * (thigh * Vec3::Z);
        let whole = first.distance(middle) + middle.distance(end);
        let distance = eased(first.distance(wanted), first.distance(end), whole);
        let within = first + distance * (wanted - first).normalize_or(line);
        let reach = Limb { first, middle, end, pole }.reach(within, pole);
        Some((reach.upper, reach.lower))
    }
}

/// From the ankle to the ball of the foot at rest.
fn foot(skeleton: &Skeleton, leg: Leg, toes: Landmark) -> Option<Vec3> {
    let toes = skeleton.rest_position(skeleton.landmark(toes)?);
    Some(toes - skeleton.rest_position(leg.ankle))
}

/// How far to stretch a leg of length `whole` for a foot at `distance`, if it is stretched to `now`.
///
/// The last hundredth is approached ever more slowly: a knee that is nearly straight turns by many
/// degrees for a millimetre, and would snap. A leg that was stretched further to begin with may be.
fn eased(distance: f32, now: f32, whole: f32) -> f32 {
    let soft = 0.01 * whole;
    let beyond = distance - (whole - soft);
    if beyond <= 0.0 {
        return distance;
    }
    (whole - soft * (-beyond / soft).exp()).max(distance.min(now))
}

/// Which segment of a leg carries each joint; feet keep their own directions.
fn segments(skeleton: &Skeleton) -> Vec<Option<Segment>> {
    let mut segments: Vec<Option<Segment>> = Vec::with_capacity(skeleton.len());
    let legs = Side::BOTH.map(|side| (side, Leg::of(skeleton, side)));
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let id = JointId::new(index);
        let own = legs.iter().find_map(|(side, leg)| {
            let leg = leg.as_ref()?;
            [
                (leg.hip, Some(Segment::Thigh(*side))),
                (leg.knee, Some(Segment::Shank(*side))),
                (leg.ankle, None),
            ]
            .into_iter()
            .find(|(joint, _)| *joint == id)
        });
        let above = joint.parent.and_then(|parent| segments[parent.index()]);
        segments.push(own.map_or(above, |(_, segment)| segment));
    }
    segments
}

/// Sums over frames.
#[derive(Clone, Copy, Default)]
struct Errors {
    count: usize,
    max: f32,
    squares: f64,
    height_max: f32,
    height_squares: f64,
}

impl Errors {
    fn add(&mut self, error: Vec3) {
        self.count += 1;
        self.max = self.max.max(error.length());
        self.squares += f64::from(error.length_squared());
        self.height_max = self.height_max.max(error.y.abs());
        self.height_squares += f64::from(error.y * error.y);
    }

    fn summary(&self) -> Option<FootError> {
        let rms = |squares: f64| (squares / self.count as f64).sqrt() as f32;
        (self.count > 0).then(|| FootError {
            max: self.max,
            rms: rms(self.squares),
            height_max: self.height_max,
            height_rms: rms(self.height_squares),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legs_are_stretched_smoothly_and_never_bent_without_need() {
        let mut before = 0.97;
        for step in 0..200 {
            let distance = 0.97 + 0.0005 * step as f32;
            let stretched = eased(distance, 0.9, 1.0);
            assert!(stretched <= distance && stretched < 1.0);
            assert!((0.0..=0.000_51).contains(&(stretched - before)), "{distance}");
            before = stretched;
        }
        assert_eq!(eased(0.98, 0.9, 1.0), 0.98, "what is near enough is reached");
        assert_eq!(eased(0.999, 0.999, 1.0), 0.999, "a straight leg stays straight");
        assert_eq!(eased(1.2, 0.999, 1.0), 0.999_999_99, "and is stretched as far as it goes");
        assert_eq!(eased(0.995, 0.999, 1.0), 0.995, "unless the foot is nearer");
    }
}
