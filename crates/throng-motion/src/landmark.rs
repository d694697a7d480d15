//! The joints that every human body has, whatever its rig calls them.
//!
//! Algorithms speak of landmarks, never of joint names: the gait generator, analysis, retargeting,
//! gaze and inverse kinematics work on any rig whose landmarks are known.

use crate::contact::Side;
use crate::skeleton::JointId;

macro_rules! landmarks {
    ($($name:ident $text:literal $mirrored:ident,)*) => {
        /// A joint that has the same meaning on every human body.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names say it")]
        #[repr(u8)]
        pub enum Landmark { $($name,)* }

        impl Landmark {
            /// All landmarks, parents before children.
            pub const ALL: [Self; [$(Self::$name,)*].len()] = [$(Self::$name,)*];

            /// How mapping files call it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The same joint of the other half of the body; itself in the middle.
            pub fn mirrored(self) -> Self {
                match self { $(Self::$name => Self::$mirrored,)* }
            }
        }
    };
}

landmarks! {
    Hips "hips" Hips,
    Spine1 "spine1" Spine1,
    Spine2 "spine2" Spine2,
    Spine3 "spine3" Spine3,
    Spine4 "spine4" Spine4,
    Spine5 "spine5" Spine5,
    Neck1 "neck1" Neck1,
    Neck2 "neck2" Neck2,
    Head "head" Head,
    LeftEye "left_eye" RightEye,
    RightEye "right_eye" LeftEye,
    LeftShoulder "left_shoulder" RightShoulder,
    LeftUpperArm "left_upper_arm" RightUpperArm,
    LeftForearm "left_forearm" RightForearm,
    LeftHand "left_hand" RightHand,
    RightShoulder "right_shoulder" LeftShoulder,
    RightUpperArm "right_upper_arm" LeftUpperArm,
    RightForearm "right_forearm" LeftForearm,
    RightHand "right_hand" LeftHand,
    LeftUpperLeg "left_upper_leg" RightUpperLeg,
    LeftLowerLeg "left_lower_leg" RightLowerLeg,
    LeftFoot "left_foot" RightFoot,
    LeftToes "left_toes" RightToes,
    RightUpperLeg "right_upper_leg" LeftUpperLeg,
    RightLowerLeg "right_lower_leg" LeftLowerLeg,
    RightFoot "right_foot" LeftFoot,
    RightToes "right_toes" LeftToes,
}

impl Landmark {
    /// The spine from the lowest joint to the highest.
    pub const SPINE: [Self; 5] =
        [Self::Spine1, Self::Spine2, Self::Spine3, Self::Spine4, Self::Spine5];

    /// What [`Self::name`] calls it, if anything.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|landmark| landmark.name() == name)
    }

    /// The hip joint of a side.
    pub fn upper_leg(side: Side) -> Self {
        side.choose(Self::LeftUpperLeg, Self::RightUpperLeg)
    }

    /// The knee of a side.
    pub fn lower_leg(side: Side) -> Self {
        side.choose(Self::LeftLowerLeg, Self::RightLowerLeg)
    }

    /// The ankle of a side.
    pub fn foot(side: Side) -> Self {
        side.choose(Self::LeftFoot, Self::RightFoot)
    }

    /// The ball of the foot of a side.
    pub fn toes(side: Side) -> Self {
        side.choose(Self::LeftToes, Self::RightToes)
    }

    /// The collar bone of a side.
    pub fn shoulder(side: Side) -> Self {
        side.choose(Self::LeftShoulder, Self::RightShoulder)
    }

    /// The shoulder joint of a side.
    pub fn upper_arm(side: Side) -> Self {
        side.choose(Self::LeftUpperArm, Self::RightUpperArm)
    }

    /// The elbow of a side.
    pub fn forearm(side: Side) -> Self {
        side.choose(Self::LeftForearm, Self::RightForearm)
    }

    /// The wrist of a side.
    pub fn hand(side: Side) -> Self {
        side.choose(Self::LeftHand, Self::RightHand)
    }
}

/// Which joint of a skeleton is which landmark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Landmarks([Option<JointId>; Landmark::ALL.len()]);

impl Landmarks {
    /// The joint that is `landmark`, if the skeleton has one.
    pub fn get(&self, landmark: Landmark) -> Option<JointId> {
        self.0[landmark as usize]
    }

    /// Says which joint `landmark` is, or that there is none.
    pub fn set(&mut self, landmark: Landmark, joint: Option<JointId>) {
        self.0[landmark as usize] = joint;
    }

    /// The landmark that `joint` is, if any.
    pub fn of(&self, joint: JointId) -> Option<Landmark> {
        Landmark::ALL.into_iter().find(|landmark| self.get(*landmark) == Some(joint))
    }

    /// Every landmark that is known, parents first.
    pub fn iter(&self) -> impl Iterator<Item = (Landmark, JointId)> + '_ {
        Landmark::ALL.into_iter().filter_map(|landmark| Some((landmark, self.get(landmark)?)))
    }

    /// The joints of the spine that are known, from the lowest to the highest.
    pub fn spine(&self) -> impl Iterator<Item = JointId> + '_ {
        Landmark::SPINE.into_iter().filter_map(|landmark| self.get(landmark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirroring_twice_gives_the_same_landmark_and_names_lead_back() {
        for landmark in Landmark::ALL {
            assert_eq!(landmark.mirrored().mirrored(), landmark);
            assert_eq!(Landmark::from_name(landmark.name()), Some(landmark));
        }
        assert_eq!(Landmark::from_name("tail"), None);
    }
}
