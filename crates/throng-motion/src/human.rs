//! Throng's own human body: proportions, and the skeleton that follows from them.
//!
//! Segment lengths are fractions of body height as anthropometric tables give them (after Drillis
//! and Contini, as collected by Winter). At rest the body stands upright with straight legs and
//! hanging arms, palms to the thighs, and no joint is turned: every joint's axes are those of body
//! space, so that a flexion is a rotation about `x` everywhere.

use std::sync::Arc;

use glam::{Quat, Vec3};
use thiserror::Error;

use crate::contact::Side;
use crate::landmark::{Landmark, Landmarks};
use crate::skeleton::{Joint, JointId, Skeleton};

/// The lengths of a body's segments, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportions {
    /// From the sole to the crown.
    pub height: f32,
    /// From the hip joint to the knee.
    pub thigh: f32,
    /// From the knee to the ankle.
    pub shank: f32,
    /// The foot, from the ankle down.
    pub foot: FootShape,
    /// From the middle to a hip joint.
    pub hip_half_width: f32,
    /// From the line of the hip joints to the base of the neck.
    pub trunk: f32,
    /// From the base of the neck to the joint that carries the head.
    pub neck: f32,
    /// From the middle to a shoulder joint.
    pub shoulder_half_width: f32,
    /// From the shoulder to the elbow.
    pub upper_arm: f32,
    /// From the elbow to the wrist.
    pub forearm: f32,
    /// From the wrist to the tips of the fingers.
    pub hand: f32,
}

/// Where a foot touches the ground, from the ankle joint of a foot that stands flat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootShape {
    /// Height of the ankle joint above the sole.
    pub ankle_height: f32,
    /// How far the ball of the foot, where the toes bend, lies ahead of the ankle.
    pub ball: f32,
    /// Height of the joint of the toes above the sole.
    pub ball_height: f32,
    /// How far the point where the heel touches down lies behind the ankle.
    pub heel: f32,
    /// From the ball to the tip of the toes.
    pub toes: f32,
}

impl FootShape {
    /// The foot of somebody `height` tall.
    pub fn of_height(height: f32) -> Self {
        Self {
            ankle_height: 0.042 * height,
            ball: 0.074 * height,
            ball_height: 0.011 * height,
            heel: 0.022 * height,
            toes: 0.038 * height,
        }
    }
}

impl Proportions {
    /// An adult of average build who is `height` tall.
    pub fn of_height(height: f32) -> Self {
        Self {
            height,
            thigh: 0.245 * height,
            shank: 0.246 * height,
            foot: FootShape::of_height(height),
            hip_half_width: 0.05 * height,
            trunk: 0.315 * height,
            neck: 0.065 * height,
            shoulder_half_width: 0.11 * height,
            upper_arm: 0.172 * height,
            forearm: 0.157 * height,
            hand: 0.102 * height,
        }
    }

    /// Leg length: from the hip joint to the floor with a straight knee (`L`).
    pub fn leg(&self) -> f32 {
        self.thigh + self.shank + self.foot.ankle_height
    }
}

impl Default for Proportions {
    fn default() -> Self {
        Self::of_height(1.75)
    }
}

/// Why nobody can have such proportions.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{what} is {value} m; bodies have between {least} and {most} m")]
#[allow(missing_docs, reason = "the message says it")]
pub struct ProportionsError {
    pub what: &'static str,
    pub value: f32,
    pub least: f32,
    pub most: f32,
}

/// A human body with Throng's skeleton.
///
/// ```
/// use throng_motion::{Human, Landmark, Proportions};
///
/// let human = Human::new(Proportions::of_height(1.62))?;
/// let head = human.skeleton().rest_position(human.joint(Landmark::Head));
/// assert!(head.y > 1.4);
/// # Ok::<(), throng_motion::ProportionsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Human {
    proportions: Proportions,
    skeleton: Arc<Skeleton>,
}

impl Human {
    /// A body of these proportions.
    ///
    /// # Errors
    ///
    /// If a length is not finite, not positive, or not that of a body at all.
    pub fn new(proportions: Proportions) -> Result<Self, ProportionsError> {
        check(&proportions)?;
        Ok(Self { proportions, skeleton: Arc::new(skeleton(&proportions)) })
    }

    /// Its segments' lengths.
    pub fn proportions(&self) -> &Proportions {
        &self.proportions
    }

    /// Its joints.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The joint that is `landmark`: this body has them all.
    pub fn joint(&self, landmark: Landmark) -> JointId {
        JointId::new(landmark as usize)
    }

    /// The joint of the knuckles of a hand.
    pub fn fingers(&self, side: Side) -> JointId {
        JointId::new(Landmark::ALL.len() + side.choose(0, 2))
    }

    /// The joint of a thumb.
    pub fn thumb(&self, side: Side) -> JointId {
        JointId::new(Landmark::ALL.len() + side.choose(1, 3))
    }
}

/// Where the joints of the spine are, as fractions of the way from the hips to the neck.
const SPINE: [f32; 5] = [0.12, 0.26, 0.39, 0.54, 0.72];

fn check(proportions: &Proportions) -> Result<(), ProportionsError> {
    let height = proportions.height;
    let inside = |what, value: f32, least: f32, most: f32| {
        if value.is_finite() && (least..=most).contains(&value) {
            Ok(())
        } else {
            Err(ProportionsError { what, value, least, most })
        }
    };
    inside("height", height, 0.5, 2.5)?;
    let foot = &proportions.foot;
    for (what, value, usual) in [
        ("thigh", proportions.thigh, 0.245),
        ("shank", proportions.shank, 0.246),
        ("hip_half_width", proportions.hip_half_width, 0.05),
        ("trunk", proportions.trunk, 0.315),
        ("neck", proportions.neck, 0.065),
        ("shoulder_half_width", proportions.shoulder_half_width, 0.11),
        ("upper_arm", proportions.upper_arm, 0.172),
        ("forearm", proportions.forearm, 0.157),
        ("hand", proportions.hand, 0.102),
        ("foot.ankle_height", foot.ankle_height, 0.042),
        ("foot.ball", foot.ball, 0.074),
        ("foot.ball_height", foot.ball_height, 0.011),
        ("foot.heel", foot.heel, 0.022),
        ("foot.toes", foot.toes, 0.038),
    ] {
        inside(what, value, 0.4 * usual * height, 2.0 * usual * height)?;
    }
    Ok(())
}

fn skeleton(proportions: &Proportions) -> Skeleton {
    let mut landmarks = Landmarks::default();
    let mut joints: Vec<Joint> = Vec::with_capacity(Landmark::ALL.len() + 4);
    for landmark in Landmark::ALL {
        landmarks.set(landmark, Some(JointId::new(joints.len())));
        joints.push(Joint {
            name: format!("{landmark:?}"),
            parent: parent(landmark).map(|parent| JointId::new(parent as usize)),
            translation: offset(landmark, proportions),
            rotation: Quat::IDENTITY,
        });
    }
    for side in Side::BOTH {
        let hand = proportions.hand;
        let parent = Some(JointId::new(Landmark::hand(side) as usize));
        let palm = Vec3::new(0.0, -0.47 * hand, 0.0);
        let thumb = Vec3::new(-0.05 * side.sign() * hand, -0.15 * hand, 0.16 * hand);
        for (part, translation) in [("Fingers", palm), ("Thumb", thumb)] {
            let name = format!("{side:?}{part}");
            joints.push(Joint { name, parent, translation, rotation: Quat::IDENTITY });
        }
    }
    Skeleton::new(joints, landmarks).expect("a human body is a tree")
}

fn parent(landmark: Landmark) -> Option<Landmark> {
    use Landmark::*;
    Some(match landmark {
        Hips => return None,
        Spine1 | LeftUpperLeg | RightUpperLeg => Hips,
        Spine2 => Spine1,
        Spine3 => Spine2,
        Spine4 => Spine3,
        Spine5 => Spine4,
        Neck1 | LeftShoulder | RightShoulder => Spine5,
        Neck2 => Neck1,
        Head => Neck2,
        LeftEye | RightEye => Head,
        LeftUpperArm => LeftShoulder,
        LeftForearm => LeftUpperArm,
        LeftHand => LeftForearm,
        RightUpperArm => RightShoulder,
        RightForearm => RightUpperArm,
        RightHand => RightForearm,
        LeftLowerLeg => LeftUpperLeg,
        LeftFoot => LeftLowerLeg,
        LeftToes => LeftFoot,
        RightLowerLeg => RightUpperLeg,
        RightFoot => RightLowerLeg,
        RightToes => RightFoot,
    })
}

/// Where a landmark is in its parent's space.
fn offset(landmark: Landmark, body: &Proportions) -> Vec3 {
    use Landmark::*;
    let up = |y: f32| Vec3::new(0.0, y, 0.0);
    let spine = |from: f32, to: f32| up((to - from) * body.trunk);
    let outwards = |side: Side, x: f32, y: f32, z: f32| Vec3::new(side.sign() * x, y, z);
    let collar = 0.012 * body.height;
    let side = |left: Landmark| if landmark == left { Side::Left } else { Side::Right };
    match landmark {
        Hips => up(body.leg()),
        Spine1 => spine(0.0, SPINE[0]),
        Spine2 => spine(SPINE[0], SPINE[1]),
        Spine3 => spine(SPINE[1], SPINE[2]),
        Spine4 => spine(SPINE[2], SPINE[3]),
        Spine5 => spine(SPINE[3], SPINE[4]),
        Neck1 => spine(SPINE[4], 1.0),
        Neck2 | Head => up(0.5 * body.neck),
        LeftEye | RightEye => {
            let size = body.height - body.leg() - body.trunk - body.neck;
            outwards(side(LeftEye), 0.2 * size, 0.28 * size, 0.517 * size)
        }
        LeftShoulder | RightShoulder => {
            outwards(side(LeftShoulder), collar, (1.0 - SPINE[4]) * body.trunk - 1.5 * collar, 0.0)
        }
        LeftUpperArm | RightUpperArm => {
            outwards(side(LeftUpperArm), body.shoulder_half_width - collar, -0.5 * collar, 0.0)
        }
        LeftForearm | RightForearm => up(-body.upper_arm),
        LeftHand | RightHand => up(-body.forearm),
        LeftUpperLeg | RightUpperLeg => outwards(side(LeftUpperLeg), body.hip_half_width, 0.0, 0.0),
        LeftLowerLeg | RightLowerLeg => up(-body.thigh),
        LeftFoot | RightFoot => up(-body.shank),
        LeftToes | RightToes => {
            Vec3::new(0.0, body.foot.ball_height - body.foot.ankle_height, body.foot.ball)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_skeleton_has_every_landmark_where_people_have_it() {
        let human = Human::new(Proportions::of_height(1.8)).unwrap();
        let at = |landmark| human.skeleton().rest_position(human.joint(landmark));
        assert_eq!(human.skeleton().landmarks().iter().count(), Landmark::ALL.len());
        assert!((at(Landmark::LeftFoot).y - 0.042 * 1.8).abs() < 1e-5);
        assert!((at(Landmark::LeftToes).y - 0.011 * 1.8).abs() < 1e-5);
        assert!((at(Landmark::LeftUpperArm).x - 0.11 * 1.8).abs() < 1e-5, "left is +x");
        assert!((at(Landmark::Neck1).y - 0.848 * 1.8).abs() < 1e-4);
        assert!((1.66..1.72).contains(&at(Landmark::LeftEye).y), "{}", at(Landmark::LeftEye));
        for landmark in Landmark::ALL {
            let (here, there) = (at(landmark), at(landmark.mirrored()));
            assert!((here * Vec3::new(-1.0, 1.0, 1.0) - there).length() < 1e-6, "{landmark:?}");
            let joint = human.joint(landmark);
            assert_eq!(human.skeleton().mirrored(joint), human.joint(landmark.mirrored()));
        }
        assert_eq!(
            human.skeleton().mirrored(human.fingers(Side::Left)),
            human.fingers(Side::Right)
        );
    }

    #[test]
    fn nobody_is_made_of_nonsense() {
        for height in [0.0, -1.0, f32::NAN, 5.0] {
            assert!(Human::new(Proportions::of_height(height)).is_err());
        }
        let error = Human::new(Proportions { thigh: 0.01, ..Proportions::default() }).unwrap_err();
        assert_eq!(error.what, "thigh");
    }
}
