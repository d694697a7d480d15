//! How fast animals of any size walk and trot, how long their strides are, and when their feet
//! come down.
//!
//! Animals of different size move alike at the same speed number `x = v / √(g h)`, the square root
//! of the Froude number, with `h` the height of the hips (Alexander and Jayes 1983, "A dynamic
//! similarity hypothesis for the gaits of quadrupedal mammals"). Footfalls are those of Hildebrand
//! (1965, "Symmetrical gaits of horses").

use crate::contact::Paw;

/// How an animal moves its legs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gait {
    /// Four beats: left hind, left fore, right hind, right fore. Two or three feet are always on
    /// the ground.
    Walk,
    /// Two beats: a hind foot and the fore foot across. From a speed on, the animal is in the air
    /// between them.
    Trot,
}

impl Gait {
    /// What animals do at a speed number.
    pub fn at(speed_number: f32) -> Self {
        if speed_number < 0.62 { Self::Walk } else { Self::Trot }
    }

    /// The speed numbers at which it is done.
    pub fn speed_numbers(self) -> [f32; 2] {
        match self {
            Self::Walk => [0.10, 0.75],
            Self::Trot => [0.45, 1.70],
        }
    }

    /// How it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Trot => "trot",
        }
    }
}

/// Speed in units that do not depend on size (`x`).
pub(super) fn speed_number(speed: f32, hip_height: f32) -> f32 {
    speed / (9.81 * hip_height).sqrt()
}

/// When the feet of a gait are on the ground, and how long its strides are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// As a multiple of the hip height.
    pub stride: f32,
    /// The part of a cycle that a hind foot stands.
    hind_duty: f32,
    fore_duty: f32,
    /// When the fore foot strikes after the hind foot of its side.
    fore_lag: f32,
}

impl Timing {
    pub fn of(gait: Gait, x: f32, hind_lead: f32) -> Self {
        let stride = 2.4 * x.powf(0.68);
        match gait {
            Gait::Walk => {
                let duty = (0.73 - 0.15 * x).clamp(0.60, 0.72);
                let hurried = ((x - 0.2) / 0.5).clamp(0.0, 1.0);
                Self {
                    stride,
                    hind_duty: duty,
                    fore_duty: duty + 0.02,
                    fore_lag: 0.25 - 0.03 * hurried,
                }
            }
            Gait::Trot => {
                let slow = (x - 0.6).min(0.4) * -0.225;
                let fast = (x - 1.0).clamp(0.0, 0.7) * -0.13;
                let duty = (0.5 + slow + fast).clamp(0.3, 0.55);
                let fore_lag = 0.5 + hind_lead;
                Self { stride, hind_duty: duty, fore_duty: duty, fore_lag }
            }
        }
    }

    /// The part of a cycle that a foot stands.
    pub fn duty(&self, paw: Paw) -> f32 {
        if paw.is_fore() { self.fore_duty } else { self.hind_duty }
    }

    /// When a foot strikes: the left hind foot begins.
    pub fn strike(&self, paw: Paw) -> f32 {
        let side = paw.side().choose(0.0, 0.5);
        let end = if paw.is_fore() { self.fore_lag } else { 0.0 };
        (side + end).rem_euclid(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trots_have_suspension_from_a_speed_on_and_walks_never() {
        let duty = |gait, x| Timing::of(gait, x, 0.0).duty(Paw::LeftHind);
        assert!(duty(Gait::Trot, 0.45) > 0.52 && duty(Gait::Trot, 0.6) <= 0.501);
        assert!((duty(Gait::Trot, 1.0) - 0.41).abs() < 1e-3);
        assert!((0.31..0.35).contains(&duty(Gait::Trot, 1.6)));
        assert!(duty(Gait::Walk, 0.7) > 0.6 && duty(Gait::Walk, 0.2) < 0.71);
    }
}
