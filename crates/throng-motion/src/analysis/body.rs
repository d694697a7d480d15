//! Where the parts of a body that analysis looks at are, in every frame of a motion.
//!
//! Rigs differ in how their joints are turned and in which joints they have, so as much as possible
//! follows from where landmarks are. What no rig has, the points of the sole, is put where an
//! average foot has them, about a foot that is found to be flat in the middle of stance.

use glam::{Quat, Vec3};
use throng_base::frame::wrap_angle;

use crate::contact::Side;
use crate::gait::speed_number;
use crate::human::FootShape;
use crate::landmark::Landmark;
use crate::motion::Motion;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::{JointId, Skeleton};

use super::Refusal;

/// Thigh and shank of an average adult, as a fraction of height.
const THIGH_AND_SHANK: f32 = 0.491;
/// Rest poses whose feet are flat to within this angle are believed.
const FLAT: f32 = 0.07;

/// A leg's joints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub hip: JointId,
    pub knee: JointId,
    pub ankle: JointId,
    pub toes: Option<JointId>,
}

/// What analysis knows of a skeleton.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    pub legs: [Leg; 2],
    /// From the hip to the floor with a straight knee (`L`), in metres.
    pub leg_length: f32,
    shape: FootShape,
    feet: [RestFoot; 2],
}

/// How a foot lies at rest, in body space.
#[derive(Clone, Copy, Debug)]
struct RestFoot {
    /// From the ankle to the ball.
    direction: Vec3,
    /// To the left of the foot.
    left: Vec3,
    /// The elevation of `direction` when the sole is flat.
    flat: f32,
}

impl Build {
    pub fn of(skeleton: &Skeleton) -> Result<Self, Refusal> {
        let find = |landmark: Landmark| {
            let missing = Refusal::MissingLandmark { landmark: landmark.name() };
            skeleton.landmark(landmark).ok_or(missing)
        };
        find(Landmark::Hips)?;
        let leg = |side: Side| -> Result<Leg, Refusal> {
            Ok(Leg {
                hip: find(Landmark::upper_leg(side))?,
                knee: find(Landmark::lower_leg(side))?,
                ankle: find(Landmark::foot(side))?,
                toes: skeleton.landmark(Landmark::toes(side)),
            })
        };
        let legs = [leg(Side::Left)?, leg(Side::Right)?];
        let at = |joint: JointId| skeleton.rest_position(joint);
        let bones = legs
            .map(|leg| at(leg.hip).distance(at(leg.knee)) + at(leg.knee).distance(at(leg.ankle)));
        let bones = 0.5 * (bones[0] + bones[1]);
        if !(bones.is_finite() && bones > 1e-3) {
            return Err(Refusal::MissingLandmark { landmark: Landmark::LeftLowerLeg.name() });
        }
        let shape = FootShape::of_height(bones / THIGH_AND_SHANK);
        let feet = legs.map(|leg| RestFoot::new(skeleton, &leg, &shape));
        Ok(Self { legs, leg_length: bones + shape.ankle_height, shape, feet })
    }

    /// The speed that a walker's speed is a fraction of: `√(g L)`.
    pub fn speed_unit(&self) -> f32 {
        1.0 / speed_number(1.0, self.leg_length)
    }

    /// The time that a body of this size takes for things: `√(L / g)`.
    pub fn time_unit(&self) -> f32 {
        self.leg_length / self.speed_unit()
    }

    /// The build of whoever moves in `motion`, with feet that lie flat as they do there: a rig may rest with
    /// its feet in the air.
    pub fn seen_in(motion: &Motion) -> Result<Self, Refusal> {
        let skeleton = motion.skeleton();
        let mut build = Self::of(skeleton)?;
        let poses: Vec<ModelPose> = (0..motion.frames())
            .map(|frame| ModelPose::of(skeleton, &motion.pose(frame)))
            .collect();
        build.calibrate(&poses, skeleton, motion.rate());
        Ok(build)
    }

    /// Learns from a motion how the feet lie when they are flat.
    pub fn calibrate(&mut self, poses: &[ModelPose], skeleton: &Skeleton, rate: f32) {
        for side in Side::BOTH {
            let index = side as usize;
            if let Some(flat) = self.flat_elevation(index, poses, skeleton, rate) {
                let foot = &mut self.feet[index];
                if (flat - foot.flat).abs() > FLAT {
                    foot.flat = flat;
                }
            }
        }
    }

    /// A foot's elevation where it is low and does not roll.
    fn flat_elevation(
        &self,
        index: usize,
        poses: &[ModelPose],
        skeleton: &Skeleton,
        rate: f32,
    ) -> Option<f32> {
        let toes = self.legs[index].toes?;
        let elevation = |pose: &ModelPose| self.elevation(index, pose, skeleton).0;
        let mut heights: Vec<f32> = poses.iter().map(|pose| pose.position(toes).y).collect();
        let elevations: Vec<f32> = poses.iter().map(elevation).collect();
        let low = quantile(&mut heights.clone(), 0.4)? + 1e-4 * self.leg_length;
        let last = poses.len().saturating_sub(1);
        let mut quiet: Vec<(f32, f32)> = (0..poses.len())
            .filter(|&frame| heights[frame] <= low)
            .map(|frame| {
                let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
                ((elevations[after] - elevations[before]).abs() * rate, elevations[frame])
            })
            .collect();
        quiet.sort_by(|a, b| a.0.total_cmp(&b.0));
        quiet.truncate(quiet.len().div_ceil(3));
        heights.clear();
        heights.extend(quiet.iter().map(|(_, elevation)| elevation));
        quantile(&mut heights, 0.5)
    }

    /// How far a foot points up, and the directions ahead of it and to its left over the ground.
    fn elevation(&self, index: usize, pose: &ModelPose, skeleton: &Skeleton) -> (f32, Vec3, Vec3) {
        let (leg, rest) = (&self.legs[index], &self.feet[index]);
        let turned = deviation(skeleton, pose, leg.ankle);
        let flat_left = |left: Vec3| (left * Vec3::new(1.0, 0.0, 1.0)).try_normalize();
        let left = flat_left(turned * rest.left).unwrap_or(rest.left);
        let ahead = left.cross(Vec3::Y);
        let direction = match leg.toes {
            Some(toes) => pose.position(toes) - pose.position(leg.ankle),
            None => turned * rest.direction,
        };
        (direction.y.atan2(direction.dot(ahead)), ahead, left)
    }

    /// Where the sole of a foot is.
    pub fn foot(&self, side: Side, pose: &ModelPose, skeleton: &Skeleton) -> Foot {
        let index = side as usize;
        let (elevation, ahead, _) = self.elevation(index, pose, skeleton);
        let (leg, rest, shape) = (&self.legs[index], &self.feet[index], &self.shape);
        let pitch = wrap_angle(elevation - rest.flat);
        let (sin, cos) = pitch.sin_cos();
        let sole = cos * ahead + sin * Vec3::Y;
        let normal = cos * Vec3::Y - sin * ahead;
        let ankle = pose.position(leg.ankle);
        let length = rest.direction.length();
        let ball_joint = match leg.toes {
            Some(toes) => pose.position(toes),
            None => ankle + length * (rest.flat.cos() * sole + rest.flat.sin() * normal),
        };
        let ankle_height = shape.ball_height - length * rest.flat.sin();
        // The toes lie along the sole and bend up where the rig bends them. The ball is round: a
        // heel that rises turns the foot about the joint, below which it goes on standing.
        let bend = leg.toes.map_or(0.0, |toes| {
            let foot = deviation(skeleton, pose, leg.ankle);
            let ahead = foot.inverse() * deviation(skeleton, pose, toes) * Vec3::Z;
            ahead.y.atan2(ahead.z)
        });
        let toes = bend.cos() * sole + bend.sin() * normal;
        let toes_up = bend.cos() * normal - bend.sin() * sole;
        let ball = ball_joint - shape.ball_height * Vec3::Y;
        Foot {
            heel: ankle - ankle_height * normal - shape.heel * sole,
            ball,
            tip: ball_joint - shape.ball_height * toes_up + shape.toes * toes,
            pitch,
            sole,
        }
    }
}

impl RestFoot {
    fn new(skeleton: &Skeleton, leg: &Leg, shape: &FootShape) -> Self {
        let usual = Vec3::new(0.0, shape.ball_height - shape.ankle_height, shape.ball);
        let direction = leg
            .toes
            .map(|toes| skeleton.rest_position(toes) - skeleton.rest_position(leg.ankle))
            .filter(|direction| direction.is_finite() && direction.length() > 1e-4)
            .unwrap_or(usual);
        let over_ground = Vec3::new(direction.x, 0.0, direction.z);
        // A foot that points straight down at rest says nothing about where it points.
        let ahead = over_ground.try_normalize().unwrap_or(Vec3::Z);
        let left = Vec3::Y.cross(ahead);
        Self { direction, left, flat: direction.y.atan2(over_ground.length()) }
    }
}

/// A foot in one frame. Rigs have no soles, so they are those of an average foot of that size.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Where the heel touches down.
    pub heel: Vec3,
    /// Where the ball touches down.
    pub ball: Vec3,
    /// The tip of the toes.
    pub tip: Vec3,
    /// How far the sole points up; 0 is flat.
    pub pitch: f32,
    /// Along the sole.
    pub sole: Vec3,
}

impl Foot {
    /// The points that can touch the ground.
    pub fn points(&self) -> [Vec3; 3] {
        [self.heel, self.ball, self.tip]
    }
}

/// A body in one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFrame {
    /// Midway between the hip joints.
    pub middle: Vec3,
    /// The yaw of where the chest faces; not wrapped from frame to frame.
    pub facing: f32,
    pub feet: [Foot; 2],
}

/// A body in all frames of a motion.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub build: Build,
    pub rate: f32,
    pub frames: Vec<BodyFrame>,
}

impl Body {
    pub fn of(motion: &Motion) -> Result<Self, Refusal> {
        let skeleton = motion.skeleton();
        let mut build = Build::of(skeleton)?;
        let poses: Vec<ModelPose> =
            (0..motion.frames()).map(|frame| model(motion, frame)).collect();
        build.calibrate(&poses, skeleton, motion.rate());
        let mut frames: Vec<BodyFrame> = Vec::with_capacity(poses.len());
        for pose in &poses {
            let before = frames.last().map_or(0.0, |frame| frame.facing);
            let facing = facing(&build, skeleton, pose).unwrap_or(before);
            let [left, right] = &build.legs;
            frames.push(BodyFrame {
                middle: 0.5 * (pose.position(left.hip) + pose.position(right.hip)),
                facing: before + wrap_angle(facing - before),
                feet: Side::BOTH.map(|side| build.foot(side, pose, skeleton)),
            });
        }
        Ok(Self { build, rate: motion.rate(), frames })
    }

    /// The height of the ground: where the lower heel or ball is when it is as low as usual.
    pub fn ground(&self) -> f32 {
        let lowest = |frame: &BodyFrame| {
            let heights = frame.feet.iter().flat_map(|foot| [foot.heel.y, foot.ball.y]);
            heights.fold(f32::INFINITY, f32::min)
        };
        let mut lows: Vec<f32> = self.frames.iter().map(lowest).collect();
        quantile(&mut lows, 0.2).unwrap_or(0.0)
    }
}

fn model(motion: &Motion, frame: usize) -> ModelPose {
    let pose = Pose { root: motion.roots()[frame], rotations: motion.rotations(frame).to_vec() };
    ModelPose::of(motion.skeleton(), &pose)
}

/// How a joint is turned in body space, compared with rest.
pub(crate) fn deviation(skeleton: &Skeleton, pose: &ModelPose, joint: JointId) -> Quat {
    pose.rotation(joint) * skeleton.rest_rotation(joint).inverse()
}

/// Where the body faces: its chest, as the line of the shoulders has it, or else its pelvis.
fn facing(build: &Build, skeleton: &Skeleton, pose: &ModelPose) -> Option<f32> {
    let across = |left: JointId, right: JointId| {
        let across = pose.position(left) - pose.position(right);
        Vec3::new(across.x, 0.0, across.z).try_normalize()
    };
    let [left, right] = &build.legs;
    let ahead = skeleton
        .landmark(Landmark::LeftUpperArm)
        .zip(skeleton.landmark(Landmark::RightUpperArm))
        .and_then(|(left, right)| across(left, right))
        .or_else(|| across(left.hip, right.hip))?
        .cross(Vec3::Y);
    Some(ahead.x.atan2(ahead.z))
}

/// The value that a part of `values` is not above; they are put into order.
pub(crate) fn quantile(values: &mut [f32], part: f32) -> Option<f32> {
    let last = values.len().checked_sub(1)?;
    values.sort_unstable_by(f32::total_cmp);
    Some(values[((part * last as f32).round() as usize).min(last)])
}
