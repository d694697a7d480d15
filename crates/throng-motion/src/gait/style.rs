//! What makes one person's gait differ from another's.
//!
//! The neutral style is the average of the people measured. Deviations are drawn once per person
//! and kept; their spreads are those between people.

use throng_base::Distribution;
use throng_base::random::{Purpose, Random, Stream};

/// How somebody's gait deviates from the average. Angles are radians, lengths metres unless
/// said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Multiplies the length of strides at a given speed.
    pub stride: f32,
    /// Is added to the part of the cycle that a foot stands.
    pub duty: f32,
    /// Multiplies the swing of the arms.
    pub arm_swing: f32,
    /// Is added to the bend of the elbows.
    pub elbow: f32,
    /// Multiplies how much the elbows move.
    pub elbow_swing: f32,
    /// Is added to the angle between arms and trunk.
    pub arm_abduction: f32,
    /// Multiplies how much the pelvis turns left and right.
    pub pelvis_rotation: f32,
    /// Multiplies how much the chest turns against it.
    pub thorax_rotation: f32,
    /// Multiplies how much the pelvis drops on the swinging side.
    pub pelvis_list: f32,
    /// Multiplies the sway to the sides.
    pub sway: f32,
    /// Is added to the distance between the feet, in leg lengths.
    pub step_width: f32,
    /// Multiplies the rise and fall of the body.
    pub bounce: f32,
    /// Is added to the forward lean of the trunk.
    pub trunk_lean: f32,
    /// Is added to the pitch of the head, down if positive.
    pub head_pitch: f32,
    /// Multiplies the pitch of the feet.
    pub foot_pitch: f32,
    /// Is added to the bend of the swinging knee.
    pub swing_knee: f32,
    /// Is added to how far the left and the right foot turn outwards.
    pub toe_out: [f32; 2],
    /// How much later than half a cycle the right foot strikes, as a part of the cycle.
    pub asymmetry: f32,
    /// By how much the speed number is higher than that which strides are taken from: hurry makes
    /// shorter and more steps.
    pub haste: f32,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            stride: 1.0,
            duty: 0.0,
            arm_swing: 1.0,
            elbow: 0.0,
            elbow_swing: 1.0,
            arm_abduction: 0.0,
            pelvis_rotation: 1.0,
            thorax_rotation: 1.0,
            pelvis_list: 1.0,
            sway: 1.0,
            step_width: 0.0,
            bounce: 1.0,
            trunk_lean: 0.0,
            head_pitch: 0.0,
            foot_pitch: 1.0,
            swing_knee: 0.0,
            toe_out: [0.0; 2],
            asymmetry: 0.0,
            haste: 0.0,
        }
    }
}

/// Ways of walking that people recognise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Manner {
    Neutral,
    Older,
    Child,
    Relaxed,
    Heavy,
    Hurried,
    Sad,
    Happy,
}

impl Manner {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Neutral,
        Self::Older,
        Self::Child,
        Self::Relaxed,
        Self::Heavy,
        Self::Hurried,
        Self::Sad,
        Self::Happy,
    ];

    /// How it is called in lists and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Older => "older",
            Self::Child => "child",
            Self::Relaxed => "relaxed",
            Self::Heavy => "heavy",
            Self::Hurried => "hurried",
            Self::Sad => "sad",
            Self::Happy => "happy",
        }
    }

    /// How much of the usual speed people of this manner prefer.
    pub fn speed(self) -> f32 {
        match self {
            Self::Older => 0.85,
            Self::Sad => 0.75,
            Self::Heavy => 0.92,
            Self::Hurried => 1.15,
            _ => 1.0,
        }
    }
}

impl Style {
    /// The style of a manner.
    pub fn of(manner: Manner) -> Self {
        let neutral = Self::default();
        let degrees = f32::to_radians;
        match manner {
            Manner::Neutral => neutral,
            Manner::Older => Self {
                stride: 0.9,
                duty: 0.02,
                arm_swing: 0.7,
                trunk_lean: degrees(5.0),
                swing_knee: degrees(-5.0),
                step_width: 0.02,
                ..neutral
            },
            Manner::Child => Self { duty: 0.01, step_width: 0.03, ..neutral },
            Manner::Relaxed => {
                Self { pelvis_list: 1.4, pelvis_rotation: 1.4, step_width: -0.033, ..neutral }
            }
            Manner::Heavy => Self {
                arm_abduction: degrees(6.0),
                step_width: 0.044,
                thorax_rotation: 1.3,
                duty: 0.02,
                ..neutral
            },
            Manner::Hurried => {
                Self { haste: 0.08, trunk_lean: degrees(3.0), elbow: degrees(15.0), ..neutral }
            }
            Manner::Sad => Self {
                head_pitch: degrees(15.0),
                trunk_lean: degrees(6.0),
                arm_swing: 0.5,
                bounce: 0.7,
                ..neutral
            },
            Manner::Happy => {
                Self { bounce: 1.3, arm_swing: 1.4, head_pitch: degrees(-3.0), ..neutral }
            }
        }
    }

    /// The style of person number `person` of a crowd: the same for the same seed.
    pub fn individual(seed: u64, person: u64) -> Self {
        let mut draw = Normal(Random::new(seed).stream(person, 0, Purpose::Gait));
        let arm = draw.next();
        // Who swings the arms far turns the chest far.
        let thorax = 0.5 * arm + 0.866 * draw.next();
        let pelvis = 0.3 * thorax + 0.954 * draw.next();
        let toe = draw.next();
        let mut toe_out = || 6f32.to_radians() * (0.837 * toe + 0.547 * draw.next());
        let toe_out = [toe_out(), toe_out()];
        let degrees = f32::to_radians;
        Self {
            stride: (0.08 * draw.next()).exp(),
            duty: 0.018 * draw.next(),
            arm_swing: (0.43 * arm).exp().clamp(0.3, 2.2),
            elbow: degrees(6.0) * draw.next(),
            elbow_swing: (0.43 * draw.next()).exp().clamp(0.3, 2.2),
            arm_abduction: degrees(3.4) * draw.next(),
            pelvis_rotation: (0.34 * pelvis).exp(),
            thorax_rotation: (0.40 * thorax).exp(),
            pelvis_list: (0.25 * draw.next()).exp(),
            sway: (0.36 * draw.next()).exp(),
            step_width: 0.02 * draw.next(),
            bounce: (0.20 * draw.next()).exp(),
            trunk_lean: degrees(3.0) * draw.next(),
            head_pitch: degrees(5.0) * draw.next(),
            foot_pitch: (0.13 * draw.next()).exp(),
            swing_knee: degrees(4.0) * draw.next(),
            toe_out,
            asymmetry: 0.005 * draw.next(),
            haste: 0.0,
        }
    }

    /// Both deviations together.
    pub fn with(self, other: Self) -> Self {
        Self {
            stride: self.stride * other.stride,
            duty: self.duty + other.duty,
            arm_swing: self.arm_swing * other.arm_swing,
            elbow: self.elbow + other.elbow,
            elbow_swing: self.elbow_swing * other.elbow_swing,
            arm_abduction: self.arm_abduction + other.arm_abduction,
            pelvis_rotation: self.pelvis_rotation * other.pelvis_rotation,
            thorax_rotation: self.thorax_rotation * other.thorax_rotation,
            pelvis_list: self.pelvis_list * other.pelvis_list,
            sway: self.sway * other.sway,
            step_width: self.step_width + other.step_width,
            bounce: self.bounce * other.bounce,
            trunk_lean: self.trunk_lean + other.trunk_lean,
            head_pitch: self.head_pitch + other.head_pitch,
            foot_pitch: self.foot_pitch * other.foot_pitch,
            swing_knee: self.swing_knee + other.swing_knee,
            toe_out: [self.toe_out[0] + other.toe_out[0], self.toe_out[1] + other.toe_out[1]],
            asymmetry: self.asymmetry + other.asymmetry,
            haste: self.haste + other.haste,
        }
    }

    /// A style a `part` of the way to `other`.
    pub fn towards(self, other: Self, part: f32) -> Self {
        let mix = |from: f32, to: f32| from + part * (to - from);
        Self {
            stride: mix(self.stride, other.stride),
            duty: mix(self.duty, other.duty),
            arm_swing: mix(self.arm_swing, other.arm_swing),
            elbow: mix(self.elbow, other.elbow),
            elbow_swing: mix(self.elbow_swing, other.elbow_swing),
            arm_abduction: mix(self.arm_abduction, other.arm_abduction),
            pelvis_rotation: mix(self.pelvis_rotation, other.pelvis_rotation),
            thorax_rotation: mix(self.thorax_rotation, other.thorax_rotation),
            pelvis_list: mix(self.pelvis_list, other.pelvis_list),
            sway: mix(self.sway, other.sway),
            step_width: mix(self.step_width, other.step_width),
            bounce: mix(self.bounce, other.bounce),
            trunk_lean: mix(self.trunk_lean, other.trunk_lean),
            head_pitch: mix(self.head_pitch, other.head_pitch),
            foot_pitch: mix(self.foot_pitch, other.foot_pitch),
            swing_knee: mix(self.swing_knee, other.swing_knee),
            asymmetry: mix(self.asymmetry, other.asymmetry),
            haste: mix(self.haste, other.haste),
            toe_out: [0, 1].map(|side| mix(self.toe_out[side], other.toe_out[side])),
        }
    }

    /// The name of the first number that is not finite or beyond what a body can do.
    pub(crate) fn fault(&self) -> Option<(&'static str, f32)> {
        let within = [
            ("stride", self.stride, 0.5, 1.6),
            ("duty", self.duty, -0.1, 0.1),
            ("arm_swing", self.arm_swing, 0.0, 4.0),
            ("elbow", self.elbow, -1.0, 1.5),
            ("elbow_swing", self.elbow_swing, 0.0, 4.0),
            ("arm_abduction", self.arm_abduction, -0.3, 1.0),
            ("pelvis_rotation", self.pelvis_rotation, 0.0, 4.0),
            ("thorax_rotation", self.thorax_rotation, 0.0, 4.0),
            ("pelvis_list", self.pelvis_list, 0.0, 3.0),
            ("sway", self.sway, 0.0, 3.0),
            ("step_width", self.step_width, -0.15, 0.3),
            ("bounce", self.bounce, 0.0, 2.5),
            ("trunk_lean", self.trunk_lean, -0.5, 0.8),
            ("head_pitch", self.head_pitch, -0.8, 0.8),
            ("foot_pitch", self.foot_pitch, 0.2, 1.6),
            ("swing_knee", self.swing_knee, -0.3, 0.6),
            ("toe_out[0]", self.toe_out[0], -0.7, 0.9),
            ("toe_out[1]", self.toe_out[1], -0.7, 0.9),
            ("asymmetry", self.asymmetry, -0.08, 0.08),
            ("haste", self.haste, -0.2, 0.3),
        ];
        within
            .into_iter()
            .find(|(_, value, least, most)| !(least..=most).contains(&value))
            .map(|(name, value, ..)| (name, value))
    }
}

/// Normal draws that keep within two standard deviations.
struct Normal(Stream);

impl Normal {
    fn next(&mut self) -> f32 {
        self.0.draw(Distribution::Normal { mean: 0.0, sd: 1.0, min: -2.0, max: 2.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_differ_but_each_stays_the_same() {
        assert_eq!(Style::individual(1, 7), Style::individual(1, 7));
        assert_ne!(Style::individual(1, 7), Style::individual(1, 8));
        for person in 0..2_000 {
            assert_eq!(Style::individual(3, person).fault(), None, "person {person}");
        }
        let strides: Vec<f32> =
            (0..2_000).map(|person| Style::individual(3, person).stride.ln()).collect();
        let spread = (strides.iter().map(|s| s * s).sum::<f32>() / strides.len() as f32).sqrt();
        assert!((0.065..0.085).contains(&spread), "{spread}");
    }
}
