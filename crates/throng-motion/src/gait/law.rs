//! How long steps are, how fast they follow, and when feet come and go, by speed and leg length.

use crate::human::Proportions;

/// Standard gravity, in m/s².
pub(crate) const GRAVITY: f32 = 9.81;

/// The two ways in which people get along on foot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gait {
    /// A foot is always on the ground.
    Walk,
    /// Both feet leave the ground.
    Run,
}

impl Gait {
    /// What a body of these proportions does at `speed` (m/s): people change over at a Froude
    /// number of about one half.
    pub fn at(speed: f32, proportions: &Proportions) -> Self {
        if speed_number(speed, proportions.leg()) > 0.70 { Self::Run } else { Self::Walk }
    }

    /// When the foot lands, as a phase of the measured curves: those of runners begin a little
    /// before.
    pub(crate) fn strike(self) -> f32 {
        match self {
            Self::Walk => 0.0,
            Self::Run => 0.029,
        }
    }
}

/// `x = v / sqrt(g L)`, the square root of the Froude number: bodies of different sizes move alike
/// at equal speed numbers.
pub fn speed_number(speed: f32, leg: f32) -> f32 {
    speed / (GRAVITY * leg).sqrt()
}

/// The timing of a gait at a speed number. Times are parts of a cycle after the foot's strike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timing {
    /// Length of two steps over leg length.
    pub stride: f32,
    /// When the foot leaves the ground: the duty factor.
    pub toe_off: f32,
    /// The last moment at which the ball of the foot stays where it is.
    pub ball_off: f32,
}

impl Timing {
    pub(crate) fn of(gait: Gait, speed_number: f32) -> Self {
        match gait {
            Gait::Walk => {
                let x = speed_number.clamp(0.05, 0.80);
                let toe_off = 0.722 - 0.272 * x;
                Self { stride: 2.351 * x.powf(0.48), toe_off, ball_off: toe_off - 0.105 }
            }
            Gait::Run => {
                let x = speed_number.clamp(0.60, 1.70);
                let toe_off = 0.40 - 0.075 * x;
                Self { stride: 2.54 * x.powf(0.59), toe_off, ball_off: toe_off - 0.11 }
            }
        }
    }
}

/// Distance between the ankles over leg length.
pub(crate) fn step_width(gait: Gait, speed_number: f32) -> f32 {
    match gait {
        Gait::Walk => 0.138 - 0.067 * speed_number,
        Gait::Run => (0.118 - 0.07 * speed_number).max(0.01),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_are_those_of_an_adult_with_legs_of_93_centimetres() {
        for (gait, speed, stride, duty) in [
            (Gait::Walk, 0.8, 1.16, 0.65),
            (Gait::Walk, 1.3, 1.46, 0.61),
            (Gait::Walk, 1.8, 1.71, 0.56),
            (Gait::Run, 3.0, 2.36, 0.33),
            (Gait::Run, 4.2, 2.88, 0.30),
        ] {
            let timing = Timing::of(gait, speed_number(speed, 0.93));
            assert!((timing.stride * 0.93 - stride).abs() < 0.012, "{speed}: {timing:?}");
            assert!((timing.toe_off - duty).abs() < 0.006, "{speed}: {timing:?}");
        }
    }

    #[test]
    fn people_begin_to_run_at_about_two_metres_per_second() {
        let adult = Proportions::of_height(1.75);
        assert_eq!(Gait::at(1.9, &adult), Gait::Walk);
        assert_eq!(Gait::at(2.3, &adult), Gait::Run);
        assert_eq!(Gait::at(1.9, &Proportions::of_height(1.15)), Gait::Run, "a child runs earlier");
    }
}
