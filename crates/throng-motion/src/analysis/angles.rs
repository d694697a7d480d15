//! Joint angles over a clip, as biomechanics counts them.
//!
//! Flexions are positive: the thigh forwards, the heel to the buttocks, the toes to the shin, the
//! arm forwards, the hand to the shoulder. They follow from where joints are, not from how a rig
//! turns them, so that they mean the same on every rig. Only how pelvis and thorax lean is relative
//! to the rig's rest pose.

use glam::{Quat, Vec3};

use crate::clip::Clip;
use crate::contact::Side;
use crate::gait::JointAngle;
use crate::landmark::Landmark;
use crate::pose::ModelPose;
use crate::skeleton::{JointId, Skeleton};

use super::Refusal;
use super::body::{Build, Foot, deviation};
use super::frames::ClipFrames;

/// How a part of the trunk leans in one frame, in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lean {
    /// Forwards.
    pub tilt: f32,
    /// Its left side up.
    pub list: f32,
    /// To the left.
    pub rotation: f32,
}

/// The angles of a clip, a value for each of its frames, in radians.
#[derive(Clone, Debug, PartialEq)]
pub struct JointAngles {
    limbs: [Limbs; 2],
    /// Of the pelvis.
    pub pelvis: Vec<Lean>,
    /// Of the thorax; empty if the skeleton has no spine.
    pub thorax: Vec<Lean>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Limbs {
    hip: Vec<f32>,
    knee: Vec<f32>,
    ankle: Vec<f32>,
    sole: Vec<f32>,
    shoulder: Vec<f32>,
    elbow: Vec<f32>,
}

impl JointAngles {
    /// The angles of a clip.
    ///
    /// # Errors
    ///
    /// If its skeleton lacks a landmark of the legs.
    pub fn of(clip: &Clip) -> Result<Self, Refusal> {
        Ok(Self::of_frames(&ClipFrames::of(clip)?))
    }

    /// An angle of a side in each frame; nothing if the skeleton lacks its landmarks. Those of the
    /// pelvis are the same for both sides.
    pub fn curve(&self, angle: JointAngle, side: Side) -> Vec<f32> {
        let limbs = &self.limbs[side as usize];
        match angle {
            JointAngle::Hip => limbs.hip.clone(),
            JointAngle::Knee => limbs.knee.clone(),
            JointAngle::Ankle => limbs.ankle.clone(),
            JointAngle::Sole => limbs.sole.clone(),
            JointAngle::Shoulder => limbs.shoulder.clone(),
            JointAngle::Elbow => limbs.elbow.clone(),
            JointAngle::PelvisRotation => self.pelvis.iter().map(|lean| lean.rotation).collect(),
            JointAngle::PelvisList => self.pelvis.iter().map(|lean| lean.list).collect(),
        }
    }

    pub(crate) fn of_frames(frames: &ClipFrames) -> Self {
        let (skeleton, build) = (frames.skeleton, &frames.build);
        let chest = skeleton.landmarks().spine().last();
        let mut angles = Self { limbs: Default::default(), pelvis: vec![], thorax: vec![] };
        for (pose, feet) in frames.poses.iter().zip(&frames.feet) {
            let pelvis = pelvis(build, skeleton, pose);
            let thorax = chest.map(|chest| lean(deviation(skeleton, pose, chest)));
            for side in Side::BOTH {
                let limbs = &mut angles.limbs[side as usize];
                let foot = &feet[side as usize];
                limbs.leg(build, side, pose, pelvis, foot);
                if let Some(thorax) = thorax {
                    limbs.arm(skeleton, side, pose, thorax);
                }
            }
            angles.pelvis.push(pelvis);
            angles.thorax.extend(thorax);
        }
        angles
    }
}

impl Limbs {
    fn leg(&mut self, build: &Build, side: Side, pose: &ModelPose, pelvis: Lean, foot: &Foot) {
        let leg = &build.legs[side as usize];
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| pose.position(joint));
        let turned = rotation(pelvis);
        let (thigh, shank) = (knee - hip, ankle - knee);
        self.hip.push(flexion(turned, thigh));
        // A knee that bends backwards is stretched too far: that is a negative angle.
        let bent = thigh.cross(shank).dot(turned * Vec3::X);
        self.knee.push(thigh.angle_between_or_zero(shank).copysign(bent));
        let up = (-shank).normalize_or_zero();
        self.ankle.push(foot.sole.dot(up).clamp(-1.0, 1.0).asin());
        self.sole.push(foot.pitch);
    }

    fn arm(&mut self, skeleton: &Skeleton, side: Side, pose: &ModelPose, thorax: Lean) {
        let landmarks = [Landmark::upper_arm(side), Landmark::forearm(side), Landmark::hand(side)];
        let joint = |landmark| skeleton.landmark(landmark);
        let [Some(shoulder), Some(elbow), hand] = landmarks.map(joint) else { return };
        let upper = pose.position(elbow) - pose.position(shoulder);
        self.shoulder.push(flexion(rotation(thorax), upper));
        if let Some(hand) = hand {
            let fore = pose.position(hand) - pose.position(elbow);
            self.elbow.push(upper.angle_between_or_zero(fore));
        }
    }
}

trait AngleBetween {
    fn angle_between_or_zero(self, other: Self) -> f32;
}

impl AngleBetween for Vec3 {
    /// Nothing is said of bones without length.
    fn angle_between_or_zero(self, other: Self) -> f32 {
        self.cross(other).length().atan2(self.dot(other))
    }
}

/// How far ahead of hanging down a bone points in a part of the trunk.
fn flexion(trunk: Quat, bone: Vec3) -> f32 {
    let bone = trunk.inverse() * bone;
    bone.z.atan2(-bone.y)
}

fn rotation(lean: Lean) -> Quat {
    Quat::from_rotation_y(lean.rotation)
        * Quat::from_rotation_z(lean.list)
        * Quat::from_rotation_x(lean.tilt)
}

/// A rotation as a turn, a list and a tilt, the tilt first.
fn lean(turned: Quat) -> Lean {
    let left = turned * Vec3::X;
    of_left(left, turned)
}

/// The pelvis has its sides at the hip joints.
fn pelvis(build: &Build, skeleton: &Skeleton, pose: &ModelPose) -> Lean {
    let [left, right] = build.legs.map(|leg| pose.position(leg.hip));
    let hips = skeleton.landmark(Landmark::Hips).unwrap_or(JointId::ROOT);
    let turned = deviation(skeleton, pose, hips);
    let across = (left - right).try_normalize().unwrap_or(turned * Vec3::X);
    of_left(across, turned)
}

fn of_left(left: Vec3, turned: Quat) -> Lean {
    let list = left.y.clamp(-1.0, 1.0).asin();
    let rotation = (-left.z).atan2(left.x);
    let upright = Quat::from_rotation_z(-list) * Quat::from_rotation_y(-rotation);
    let up = upright * (turned * Vec3::Y);
    Lean { tilt: up.z.atan2(up.y), list, rotation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::{Human, Proportions};
    use crate::pose::Pose;

    /// The angles of one pose of Throng's own body, whose joints have the axes of body space.
    fn angles(bend: impl Fn(&mut Pose, &Human)) -> JointAngles {
        let human = Human::new(Proportions::default()).unwrap();
        let mut pose = Pose::rest(human.skeleton());
        bend(&mut pose, &human);
        let model = ModelPose::of(human.skeleton(), &pose);
        let build = Build::of(human.skeleton()).unwrap();
        let feet = Side::BOTH.map(|side| build.foot(side, &model, human.skeleton()));
        let (skeleton, feet) = (human.skeleton().as_ref(), vec![feet]);
        JointAngles::of_frames(&ClipFrames { skeleton, build, poses: vec![model], feet })
    }

    fn close(value: f32, degrees: f32) -> bool {
        (value.to_degrees() - degrees).abs() < 0.05
    }

    #[test]
    fn rest_is_zero() {
        let rest = angles(|_, _| {});
        for side in Side::BOTH {
            for kind in JointAngle::ALL {
                assert!(close(rest.curve(kind, side)[0], 0.0), "{kind:?} {side:?}");
            }
        }
        assert_eq!(rest.pelvis[0], Lean { tilt: 0.0, ..rest.pelvis[0] });
    }

    #[test]
    fn bends_come_back_as_they_were_made() {
        let x = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
        let made = angles(|pose, human| {
            let mut turn = |landmark, rotation: Quat| {
                pose.rotations[human.joint(landmark).index()] = rotation;
            };
            let lean = Lean { tilt: 0.1, list: 0.07, rotation: -0.15 };
            turn(Landmark::Hips, rotation(lean));
            for side in Side::BOTH {
                let roll = Quat::from_rotation_z(-side.sign() * 0.08);
                turn(Landmark::upper_leg(side), x(-28.0) * roll);
                turn(Landmark::lower_leg(side), x(41.0));
                turn(Landmark::foot(side), x(-9.0));
                turn(Landmark::upper_arm(side), x(17.0));
                turn(Landmark::forearm(side), x(-33.0));
            }
        });
        let pelvis = made.pelvis[0];
        assert!((pelvis.tilt - 0.1).abs() < 1e-4 && (pelvis.list - 0.07).abs() < 1e-4);
        assert!((pelvis.rotation + 0.15).abs() < 1e-4, "{pelvis:?}");
        for side in Side::BOTH {
            let at = |kind| made.curve(kind, side)[0];
            assert!(close(at(JointAngle::Hip), 28.0), "{}", at(JointAngle::Hip).to_degrees());
            assert!(close(at(JointAngle::Knee), 41.0));
            assert!((at(JointAngle::Ankle).to_degrees() - 9.0).abs() < 1.0, "roll mixes in");
            assert!(close(at(JointAngle::Shoulder), -17.0));
            assert!(close(at(JointAngle::Elbow), 33.0));
        }
    }

    #[test]
    fn the_sole_follows_hip_knee_and_ankle() {
        let x = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
        let made = angles(|pose, human| {
            let mut turn = |landmark, degrees| {
                pose.rotations[human.joint(landmark).index()] = x(degrees);
            };
            turn(Landmark::LeftUpperLeg, -30.0);
            turn(Landmark::LeftLowerLeg, 55.0);
            turn(Landmark::LeftFoot, 12.0);
            turn(Landmark::RightLowerLeg, 100.0);
            turn(Landmark::RightFoot, 15.0);
        });
        // Toes up is positive: hip - knee + ankle.
        assert!(close(made.curve(JointAngle::Sole, Side::Left)[0], 30.0 - 55.0 - 12.0));
        assert!(close(made.curve(JointAngle::Ankle, Side::Left)[0], -12.0));
        assert!(close(made.curve(JointAngle::Sole, Side::Right)[0], -115.0), "beyond upright");
        let back = angles(|pose, human| {
            pose.rotations[human.joint(Landmark::LeftLowerLeg).index()] = x(-5.0);
        });
        assert!(close(back.curve(JointAngle::Knee, Side::Left)[0], -5.0), "overstretched");
    }
}
