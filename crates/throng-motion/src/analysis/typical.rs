//! How people's joints go over a cycle.
//!
//! Curves are Fourier series in a limb's own phase, which is 0 at its strike, whose coefficients
//! change with speed: fitted to 429 cycles of walking by 30 people and 33 of running by 6, from the
//! motion capture database of Carnegie Mellon University. The band about a curve is how much people
//! differ from each other.

use std::f32::consts::TAU;

use crate::clip::ClipKind;

/// An angle of a limb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AngleKind {
    /// Flexion of the hip: the thigh forwards.
    Hip,
    /// Flexion of the knee.
    Knee,
    /// Dorsiflexion of the ankle: the toes up.
    Ankle,
    /// Pitch of the sole over the ground: the toes up.
    Sole,
    /// Flexion of the shoulder: the arm forwards.
    Shoulder,
    /// Flexion of the elbow.
    Elbow,
}

impl AngleKind {
    /// All of them, from the ground up the leg, then down the arm.
    pub const ALL: [Self; 6] =
        [Self::Hip, Self::Knee, Self::Ankle, Self::Sole, Self::Shoulder, Self::Elbow];

    /// What a chart calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hip => "hip",
            Self::Knee => "knee",
            Self::Ankle => "ankle",
            Self::Sole => "sole pitch",
            Self::Shoulder => "shoulder",
            Self::Elbow => "elbow",
        }
    }
}

/// Where people's angle is at each phase of a limb's cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypicalCurve {
    /// The mean, then cosine and sine of each harmonic, in degrees.
    coefficients: [f32; 11],
    /// The standard deviation between people, in radians.
    pub spread: f32,
}

impl TypicalCurve {
    /// The curve of people who walk or run forwards at a speed, which is given as a fraction of
    /// `√(g L)`. There are none for other clips.
    pub fn of(angle: AngleKind, kind: ClipKind, speed_number: f32) -> Option<Self> {
        let (rows, middle, known) = match kind {
            ClipKind::Walk => (&WALK, 0.42, 0.15..=0.72),
            ClipKind::Run => (&RUN, 1.15, 0.70..=1.60),
            _ => return None,
        };
        let (row, spread) = &rows[angle as usize];
        let off = speed_number.clamp(*known.start(), *known.end()) - middle;
        Some(Self {
            coefficients: row.map(|(value, slope)| value + slope * off),
            spread: spread.to_radians(),
        })
    }

    /// The angle at a phase of the limb, in radians.
    pub fn at(&self, phase: f32) -> f32 {
        let [mean, harmonics @ ..] = &self.coefficients;
        let pairs = harmonics.chunks_exact(2).zip(1u8..);
        let waves = pairs.map(|(pair, harmonic)| {
            let (sin, cos) = (TAU * f32::from(harmonic) * phase).sin_cos();
            pair[0] * cos + pair[1] * sin
        });
        (mean + waves.sum::<f32>()).to_radians()
    }
}

/// A value and how it changes with the speed number, for the mean and ten coefficients; and the
/// spread, in degrees.
type Series = ([(f32, f32); 11], f32);

#[rustfmt::skip]
const WALK: [Series; 6] = [
    ([(5.36, 9.1), (22.8, 27.0), (-2.62, 4.6), (-3.59, -13.0), (-2.9, 5.2), (-0.61, 2.4), (2.43, 3.3), (-0.6, -0.8), (0.59, -0.4), (-0.75, 0.2), (0.35, 2.6)], 3.3),
    ([(22.9, 23.0), (2.97, -0.1), (-20.6, 17.0), (-17.9, -19.0), (2.5, 30.0), (-1.71, 5.4), (6.31, 2.9), (-2.02, -4.0), (2.14, 1.0), (-1.43, 0.6), (1.03, 5.4)], 5.7),
    ([(7.51, -1.6), (-0.67, 5.0), (4.1, 11.0), (2.03, -22.0), (-6.5, -13.0), (-3.3, -4.6), (-0.27, 12.0), (1.29, 9.2), (2.11, -6.6), (0.55, -6.3), (-1.18, -3.2)], 4.4),
    ([(-11.0, -17.0), (19.2, 32.0), (22.1, -0.9), (15.4, -17.0), (-12.0, -34.0), (-2.2, -7.6), (-4.15, 13.0), (2.59, 12.0), (0.65, -7.8), (1.23, -6.7), (-1.86, -6.0)], 4.3),
    ([(-4.99, -5.7), (-10.8, -33.0), (-0.24, -13.0), (0.82, -1.7), (-1.13, 2.7), (-0.52, -2.1), (0.22, 0.3), (0.36, 0.2), (0.0, -1.5), (-0.11, -0.2), (-0.05, 1.0)], 3.1),
    ([(30.3, 13.0), (-9.97, -41.0), (-2.93, -23.0), (2.67, 4.7), (-0.44, 11.0), (0.1, 3.9), (-0.52, -0.9), (-0.11, -1.4), (-0.02, -0.2), (0.11, -0.6), (0.02, -1.1)], 4.0),
];

#[rustfmt::skip]
const RUN: [Series; 6] = [
    ([(16.5, 9.9), (24.0, 13.0), (-20.7, -12.0), (-5.47, 2.8), (4.91, 1.7), (-0.84, 1.1), (1.32, 1.0), (0.55, 0.2), (-0.47, -1.5), (-0.23, 0.6), (0.53, 0.3)], 3.6),
    ([(53.3, 25.0), (-12.7, -6.9), (-26.7, -6.9), (-8.95, 12.0), (22.4, 5.4), (-2.52, -0.4), (1.47, 0.3), (0.79, 0.8), (0.91, -2.1), (-0.18, 1.4), (1.3, 0.4)], 6.3),
    ([(4.62, -1.0), (15.7, 5.7), (1.1, 5.0), (-7.81, 4.4), (8.97, -0.1), (-4.66, -0.3), (-1.63, 1.8), (1.05, -1.4), (-1.5, -3.7), (-0.09, 2.2), (1.2, 0.1)], 4.9),
    ([(-38.2, -19.0), (52.4, 26.0), (7.09, -0.6), (-3.63, -3.4), (-6.89, -4.7), (-2.98, 1.3), (-1.78, 2.5), (0.76, -1.6), (-2.42, -3.0), (-0.13, 1.4), (0.43, 0.0)], 5.0),
    ([(-18.9, -4.9), (-13.8, -3.2), (17.5, 9.6), (-3.03, 0.1), (3.06, 0.5), (-0.91, -0.6), (-0.19, 0.7), (-0.28, -0.4), (-0.37, 0.2), (0.11, 0.1), (-0.23, -0.1)], 4.9),
    ([(105.7, -11.0), (-6.76, -10.0), (11.6, 15.0), (0.53, -3.5), (-6.49, -13.0), (-0.07, 2.6), (0.23, 0.8), (0.81, 0.7), (-0.02, -0.6), (-0.12, 0.3), (-0.01, 0.1)], 4.5),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_those_of_walking_and_running() {
        // At 1.3 m/s with legs of 0.93 m.
        let degrees = |angle, kind, speed, phase| {
            TypicalCurve::of(angle, kind, speed).unwrap().at(phase).to_degrees()
        };
        let walk = |angle, phase| degrees(angle, ClipKind::Walk, 0.43, phase);
        for (angle, phase, expected) in [
            (AngleKind::Knee, 0.7, 59.0),
            (AngleKind::Knee, 0.0, 8.0),
            (AngleKind::Hip, 0.0, 27.0),
            (AngleKind::Hip, 0.6, -18.0),
            (AngleKind::Sole, 0.0, 23.0),
            (AngleKind::Sole, 0.7, -67.0),
            (AngleKind::Shoulder, 0.0, -16.0),
            (AngleKind::Elbow, 0.5, 43.0),
        ] {
            let found = walk(angle, phase);
            assert!((found - expected).abs() < 8.0, "{angle:?} at {phase}: {found}");
        }
        let knee = degrees(AngleKind::Knee, ClipKind::Run, 0.99, 0.7);
        assert!((knee - 97.0).abs() < 8.0, "{knee}");
        assert_eq!(TypicalCurve::of(AngleKind::Hip, ClipKind::Stand, 0.0), None);
        let least = TypicalCurve::of(AngleKind::Hip, ClipKind::Walk, 0.15);
        assert_eq!(TypicalCurve::of(AngleKind::Hip, ClipKind::Walk, -3.0), least, "no guesses");
    }
}
