//! How the joints of people move on average, to compare gaits with.

use super::law::Gait;
use super::tables::{RUN, WALK};

/// A joint angle of gait analysis. Angles of limbs are those of one side, over the phase of that
/// side's leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointAngle {
    /// Flexion of the hip, forward positive.
    Hip,
    /// Flexion of the knee.
    Knee,
    /// Dorsiflexion of the ankle, toes up positive.
    Ankle,
    /// Pitch of the sole against the ground, toes up positive.
    Sole,
    /// Flexion of the shoulder, forward positive.
    Shoulder,
    /// Flexion of the elbow.
    Elbow,
    /// Rotation of the pelvis against the way, to the left.
    PelvisRotation,
    /// Drop of the pelvis, left side up.
    PelvisList,
}

impl JointAngle {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Hip,
        Self::Knee,
        Self::Ankle,
        Self::Sole,
        Self::Shoulder,
        Self::Elbow,
        Self::PelvisRotation,
        Self::PelvisList,
    ];

    /// What charts call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hip => "hip flexion",
            Self::Knee => "knee flexion",
            Self::Ankle => "ankle dorsiflexion",
            Self::Sole => "sole pitch",
            Self::Shoulder => "shoulder flexion",
            Self::Elbow => "elbow flexion",
            Self::PelvisRotation => "pelvis rotation",
            Self::PelvisList => "pelvis list",
        }
    }

    /// What people have on average at a [speed number](super::speed_number) and a phase of the
    /// limb (0 is its strike), in radians.
    pub fn typical(self, gait: Gait, speed_number: f32, phase: f32) -> f32 {
        let table = match gait {
            Gait::Walk => &WALK,
            Gait::Run => &RUN,
        };
        let curve = match self {
            Self::Hip => &table.hip_flexion,
            Self::Knee => &table.knee_flexion,
            Self::Ankle => &table.ankle_dorsiflexion,
            Self::Sole => &table.sole_pitch,
            Self::Shoulder => &table.shoulder_flexion,
            Self::Elbow => &table.elbow_flexion,
            Self::PelvisRotation => &table.pelvis_rotation,
            Self::PelvisList => &table.pelvis_list,
        };
        table.at(curve, speed_number).value(phase + gait.strike()).to_radians()
    }

    /// The standard deviation between people, about, in radians.
    pub fn spread(self, gait: Gait) -> f32 {
        let (walk, run) = match self {
            Self::Hip => (3.3, 3.6),
            Self::Knee => (5.7, 6.3),
            Self::Ankle => (4.4, 4.9),
            Self::Sole => (4.3, 5.0),
            Self::Shoulder => (3.1, 4.9),
            Self::Elbow => (4.0, 4.5),
            Self::PelvisRotation => (1.5, 3.0),
            Self::PelvisList => (1.5, 1.5),
        };
        let degrees: f32 = match gait {
            Gait::Walk => walk,
            Gait::Run => run,
        };
        degrees.to_radians()
    }
}
