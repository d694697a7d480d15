//! Human gait as Fourier series: how every joint and both feet move over a cycle, by speed.
//!
//! Measured on 429 straight walking cycles of 30 people (0.47 to 2.05 m/s) and 33 running cycles
//! of 6 people (2.3 to 4.8 m/s) of the motion capture database of Carnegie Mellon University. Each
//! coefficient is linear in the speed number `x = v / sqrt(g L)`, `L` being the leg length, so that
//! one table serves all sizes. Angles are degrees.

use std::f32::consts::TAU;

/// A coefficient at the table's reference speed number, and its slope.
type Coefficient = (f32, f32);

#[derive(Debug)]
struct Harmonic {
    order: f32,
    cosine: Coefficient,
    sine: Coefficient,
}

/// A quantity over a cycle. Curves of limbs take the phase of the limb, all others that of the
/// left leg.
#[derive(Debug)]
pub(crate) struct Curve {
    mean: Coefficient,
    harmonics: &'static [Harmonic],
}

const fn harmonic(order: u8, cosine: Coefficient, sine: Coefficient) -> Harmonic {
    Harmonic { order: order as f32, cosine, sine }
}

/// A curve at one speed: its mean, and its deviation from the mean at a phase.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurveAt<'t> {
    curve: &'t Curve,
    beyond: f32,
}

impl CurveAt<'_> {
    pub(crate) fn mean(self) -> f32 {
        at(self.curve.mean, self.beyond)
    }

    /// What the harmonics add at `phase`; `first` scales the first of them.
    pub(crate) fn swing_with(self, phase: f32, first: f32) -> f32 {
        self.curve
            .harmonics
            .iter()
            .map(|harmonic| {
                let (sine, cosine) = (TAU * harmonic.order * phase).sin_cos();
                let value = at(harmonic.cosine, self.beyond) * cosine
                    + at(harmonic.sine, self.beyond) * sine;
                if harmonic.order == 1.0 { first * value } else { value }
            })
            .sum()
    }

    pub(crate) fn swing(self, phase: f32) -> f32 {
        self.swing_with(phase, 1.0)
    }

    /// The factor that brings the range of the harmonics between `least` and `most`. Coefficients
    /// are linear in speed; at its ends, people's ranges are not.
    pub(crate) fn kept(self, least: f32, most: f32) -> f32 {
        const SAMPLES: usize = 48;
        let swings = (0..SAMPLES).map(|index| self.swing(index as f32 / SAMPLES as f32));
        let (low, high) = swings.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), swing| {
            (low.min(swing), high.max(swing))
        });
        let range = (high - low).max(1e-6);
        range.clamp(least, most) / range
    }

    pub(crate) fn value(self, phase: f32) -> f32 {
        self.mean() + self.swing(phase)
    }
}

fn at(coefficient: Coefficient, beyond: f32) -> f32 {
    coefficient.0 + coefficient.1 * beyond
}

/// All curves of a gait.
#[derive(Debug)]
pub(crate) struct Table {
    /// The speed number at which coefficients have no slope to them.
    reference: f32,
    /// The speed numbers that the data cover.
    range: (f32, f32),
    /// Height of the root above the ground, in thousandths of the leg.
    pub(crate) root_height: Curve,
    /// How far the root is ahead of the abstract root, likewise.
    pub(crate) root_ahead: Curve,
    /// Pelvis, forward tilt.
    pub(crate) pelvis_tilt: Curve,
    /// Lumbar spine, forward.
    pub(crate) lumbar_flexion: Curve,
    /// Thoracic spine, forward.
    pub(crate) thoracic_flexion: Curve,
    /// Head against the chest, forward.
    pub(crate) head_flexion: Curve,
    /// How far the root is to the left of the abstract root, in thousandths of the leg.
    pub(crate) root_left: Curve,
    /// Pelvis, left side up.
    pub(crate) pelvis_list: Curve,
    /// Pelvis, to the left.
    pub(crate) pelvis_rotation: Curve,
    /// Lumbar spine, left side up.
    pub(crate) lumbar_bend: Curve,
    /// Lumbar spine, to the left.
    pub(crate) lumbar_rotation: Curve,
    /// Thoracic spine, left side up.
    pub(crate) thoracic_bend: Curve,
    /// Thoracic spine, to the left.
    pub(crate) thoracic_rotation: Curve,
    /// Head, left side up.
    pub(crate) head_bend: Curve,
    /// Head, to the left.
    pub(crate) head_rotation: Curve,
    /// Hip flexion.
    pub(crate) hip_flexion: Curve,
    /// Knee flexion.
    pub(crate) knee_flexion: Curve,
    /// Ankle dorsiflexion.
    pub(crate) ankle_dorsiflexion: Curve,
    /// Pitch of the sole in the world, toes up.
    pub(crate) sole_pitch: Curve,
    /// Shoulder flexion.
    pub(crate) shoulder_flexion: Curve,
    /// Shoulder abduction.
    pub(crate) shoulder_abduction: Curve,
    /// Shoulder internal rotation.
    pub(crate) shoulder_rotation: Curve,
    /// Elbow flexion.
    pub(crate) elbow_flexion: Curve,
    /// Ankle joint from the root outwards, in thousandths of the leg.
    pub(crate) ankle_outwards: Curve,
    /// Ankle joint above the ground, likewise.
    pub(crate) ankle_height: Curve,
    /// Ankle joint ahead of the root, likewise.
    pub(crate) ankle_ahead: Curve,
}

impl Table {
    /// A curve at a speed number, which is kept to what the data cover.
    pub(crate) fn at<'t>(&self, curve: &'t Curve, speed_number: f32) -> CurveAt<'t> {
        CurveAt { curve, beyond: speed_number.clamp(self.range.0, self.range.1) - self.reference }
    }
}

/// Walking.
pub(crate) static WALK: Table = Table {
    reference: 0.42,
    range: (0.15, 0.72),
    root_height: Curve {
        mean: (965.2, -83.0),
        harmonics: &[
            harmonic(2, (-15.9, -18.0), (-8.91, -29.0)),
            harmonic(4, (1.29, -5.0), (-4.75, 0.8)),
        ],
    },
    root_ahead: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(2, (-10.3, 41.0), (12.4, 12.0)),
            harmonic(4, (-2.2, -3.6), (-0.17, 8.7)),
        ],
    },
    pelvis_tilt: Curve {
        mean: (1.0, 2.0),
        harmonics: &[
            harmonic(2, (0.93, 0.9), (0.08, -4.3)),
            harmonic(4, (0.11, 0.6), (-0.09, -0.2)),
        ],
    },
    lumbar_flexion: Curve {
        mean: (0.9, 1.8),
        harmonics: &[
            harmonic(2, (-0.52, -1.1), (-0.72, 3.0)),
            harmonic(4, (-0.03, -0.6), (-0.01, -0.4)),
        ],
    },
    thoracic_flexion: Curve {
        mean: (0.6, 1.2),
        harmonics: &[
            harmonic(2, (0.3, -0.9), (-0.11, 0.2)),
            harmonic(4, (0.14, 0.1), (0.03, -0.6)),
        ],
    },
    head_flexion: Curve {
        mean: (-0.5, -5.0),
        harmonics: &[
            harmonic(2, (-0.76, -1.0), (-0.04, 0.7)),
            harmonic(4, (-0.2, 0.5), (0.18, 1.3)),
        ],
    },
    root_left: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (-9.86, 68.0), (26.9, -41.0)),
            harmonic(3, (-1.7, 4.0), (0.84, 4.4)),
        ],
    },
    pelvis_list: Curve {
        mean: (0.0, 0.0),
        harmonics: &[harmonic(1, (1.5, 1.4), (3.57, 3.4)), harmonic(3, (-0.52, -0.5), (0.45, 0.4))],
    },
    pelvis_rotation: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (-3.56, -11.0), (-2.72, 1.8)),
            harmonic(3, (-0.2, -1.0), (0.21, 1.6)),
        ],
    },
    lumbar_bend: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (-1.16, -2.0), (-3.56, -1.6)),
            harmonic(3, (0.51, 1.6), (-0.69, -0.6)),
        ],
    },
    lumbar_rotation: Curve {
        mean: (0.0, 0.0),
        harmonics: &[harmonic(1, (2.42, 4.4), (0.41, 0.0)), harmonic(3, (-0.04, 1.0), (0.02, 0.1))],
    },
    thoracic_bend: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (-1.89, 0.3), (-1.33, -2.8)),
            harmonic(3, (0.25, -1.1), (0.17, 0.3)),
        ],
    },
    thoracic_rotation: Curve {
        mean: (0.0, 0.0),
        harmonics: &[harmonic(1, (4.66, 8.0), (1.01, 0.3)), harmonic(3, (-0.06, 2.1), (0.03, 0.1))],
    },
    head_bend: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (0.32, -0.2), (0.55, 1.2)),
            harmonic(3, (-0.3, -0.2), (0.28, 0.4)),
        ],
    },
    head_rotation: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (-1.58, -1.5), (0.14, -6.4)),
            harmonic(3, (0.39, -1.5), (-0.3, -1.3)),
        ],
    },
    hip_flexion: Curve {
        mean: (5.36, 9.1),
        harmonics: &[
            harmonic(1, (22.8, 27.0), (-2.62, 4.6)),
            harmonic(2, (-3.59, -13.0), (-2.9, 5.2)),
            harmonic(3, (-0.61, 2.4), (2.43, 3.3)),
            harmonic(4, (-0.6, -0.8), (0.59, -0.4)),
            harmonic(5, (-0.75, 0.2), (0.35, 2.6)),
        ],
    },
    knee_flexion: Curve {
        mean: (22.9, 23.0),
        harmonics: &[
            harmonic(1, (2.97, -0.1), (-20.6, 17.0)),
            harmonic(2, (-17.9, -19.0), (2.5, 30.0)),
            harmonic(3, (-1.71, 5.4), (6.31, 2.9)),
            harmonic(4, (-2.02, -4.0), (2.14, 1.0)),
            harmonic(5, (-1.43, 0.6), (1.03, 5.4)),
        ],
    },
    ankle_dorsiflexion: Curve {
        mean: (7.51, -1.6),
        harmonics: &[
            harmonic(1, (-0.67, 5.0), (4.1, 11.0)),
            harmonic(2, (2.03, -22.0), (-6.5, -13.0)),
            harmonic(3, (-3.3, -4.6), (-0.27, 12.0)),
            harmonic(4, (1.29, 9.2), (2.11, -6.6)),
            harmonic(5, (0.55, -6.3), (-1.18, -3.2)),
        ],
    },
    sole_pitch: Curve {
        mean: (-11.0, -17.0),
        harmonics: &[
            harmonic(1, (19.2, 32.0), (22.1, -0.9)),
            harmonic(2, (15.4, -17.0), (-12.0, -34.0)),
            harmonic(3, (-2.2, -7.6), (-4.15, 13.0)),
            harmonic(4, (2.59, 12.0), (0.65, -7.8)),
            harmonic(5, (1.23, -6.7), (-1.86, -6.0)),
        ],
    },
    shoulder_flexion: Curve {
        mean: (-4.99, -5.7),
        harmonics: &[
            harmonic(1, (-10.8, -33.0), (-0.24, -13.0)),
            harmonic(2, (0.82, -1.7), (-1.13, 2.7)),
            harmonic(3, (-0.52, -2.1), (0.22, 0.3)),
            harmonic(4, (0.36, 0.2), (0.0, -1.5)),
            harmonic(5, (-0.11, -0.2), (-0.05, 1.0)),
        ],
    },
    shoulder_abduction: Curve {
        mean: (4.39, 7.2),
        harmonics: &[
            harmonic(1, (-2.24, -6.5), (0.47, -3.4)),
            harmonic(2, (0.77, 5.5), (-0.54, 1.0)),
            harmonic(3, (-0.33, -1.0), (0.07, -0.1)),
            harmonic(4, (-0.02, -0.8), (0.06, 0.2)),
            harmonic(5, (-0.01, 0.2), (0.02, 0.2)),
        ],
    },
    shoulder_rotation: Curve {
        mean: (-11.6, -11.0),
        harmonics: &[
            harmonic(1, (-14.6, -42.0), (-4.1, -25.0)),
            harmonic(2, (0.25, -9.8), (-3.83, -9.5)),
            harmonic(3, (0.56, 4.3), (-0.59, 1.1)),
            harmonic(4, (0.42, -0.5), (-0.06, 0.0)),
            harmonic(5, (-0.05, -1.1), (0.02, 0.1)),
        ],
    },
    elbow_flexion: Curve {
        mean: (30.3, 13.0),
        harmonics: &[
            harmonic(1, (-9.97, -41.0), (-2.93, -23.0)),
            harmonic(2, (2.67, 4.7), (-0.44, 11.0)),
            harmonic(3, (0.1, 3.9), (-0.52, -0.9)),
            harmonic(4, (-0.11, -1.4), (-0.02, -0.2)),
            harmonic(5, (0.11, -0.6), (0.02, -1.1)),
        ],
    },
    ankle_outwards: Curve {
        mean: (55.7, -31.0),
        harmonics: &[
            harmonic(1, (13.8, -51.0), (-33.0, 3.1)),
            harmonic(2, (-0.33, -3.0), (1.88, -6.4)),
            harmonic(3, (4.27, -2.8), (-3.6, -10.0)),
            harmonic(4, (-0.84, 0.3), (-1.28, 2.0)),
            harmonic(5, (-0.28, -0.3), (-0.34, -2.6)),
        ],
    },
    ankle_height: Curve {
        mean: (120.4, 36.0),
        harmonics: &[
            harmonic(1, (-25.9, -82.0), (-71.5, -14.0)),
            harmonic(2, (-33.2, 28.0), (19.2, 61.0)),
            harmonic(3, (11.0, 25.0), (12.2, -28.0)),
            harmonic(4, (5.67, -16.0), (-4.0, -10.0)),
            harmonic(5, (0.54, -2.3), (-2.36, 4.8)),
        ],
    },
    ankle_ahead: Curve {
        mean: (-100.7, -48.0),
        harmonics: &[
            harmonic(1, (333.8, 409.0), (106.4, -92.0)),
            harmonic(2, (59.1, -68.0), (-55.3, -58.0)),
            harmonic(3, (12.6, 21.0), (-8.05, 8.7)),
            harmonic(4, (6.9, -0.9), (-10.3, -24.0)),
            harmonic(5, (-1.25, -4.2), (-3.96, 2.1)),
        ],
    },
};

/// Running.
pub(crate) static RUN: Table = Table {
    reference: 1.15,
    range: (0.70, 1.60),
    root_height: Curve {
        mean: (957.0, -59.0),
        harmonics: &[
            harmonic(2, (13.3, -28.0), (-39.7, 25.0)),
            harmonic(4, (0.73, 0.3), (0.54, -2.7)),
        ],
    },
    root_ahead: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(2, (18.4, -1.7), (-6.46, -12.0)),
            harmonic(4, (-0.87, 3.1), (2.99, 2.2)),
        ],
    },
    pelvis_tilt: Curve {
        mean: (6.0, 3.0),
        harmonics: &[
            harmonic(2, (-0.7, -1.2), (-1.66, 0.9)),
            harmonic(4, (0.06, -0.3), (-0.46, -0.1)),
        ],
    },
    lumbar_flexion: Curve {
        mean: (1.5, 1.2),
        harmonics: &[
            harmonic(2, (-0.78, 2.2), (2.76, 0.0)),
            harmonic(4, (-0.05, -0.3), (0.17, -0.2)),
        ],
    },
    thoracic_flexion: Curve {
        mean: (1.0, 0.8),
        harmonics: &[harmonic(2, (0.77, 0.8), (0.3, -0.1)), harmonic(4, (0.03, 0.5), (0.04, 0.0))],
    },
    head_flexion: Curve {
        mean: (-9.5, -5.0),
        harmonics: &[
            harmonic(2, (0.46, -2.9), (-2.0, -1.3)),
            harmonic(4, (-0.11, 0.0), (0.33, 0.5)),
        ],
    },
    root_left: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (-4.91, -20.0), (8.59, -4.5)),
            harmonic(3, (-4.32, -0.3), (1.36, 1.8)),
        ],
    },
    pelvis_list: Curve {
        mean: (0.0, 0.0),
        harmonics: &[harmonic(1, (-2.16, 0.1), (4.6, 1.7)), harmonic(3, (-1.51, 0.3), (0.75, 1.1))],
    },
    pelvis_rotation: Curve {
        mean: (0.0, 0.0),
        harmonics: &[harmonic(1, (3.6, 3.0), (1.8, 1.5)), harmonic(3, (-0.25, 1.4), (-0.06, 0.4))],
    },
    lumbar_bend: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (2.32, -1.4), (-5.38, -0.2)),
            harmonic(3, (0.94, -0.5), (-0.74, -0.9)),
        ],
    },
    lumbar_rotation: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (2.46, -0.3), (-2.53, -1.0)),
            harmonic(3, (0.11, -0.4), (-0.04, -0.5)),
        ],
    },
    thoracic_bend: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (-3.09, 0.6), (0.43, -0.1)),
            harmonic(3, (0.81, -0.1), (-0.24, -0.2)),
        ],
    },
    thoracic_rotation: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (4.66, -0.5), (-3.85, -1.5)),
            harmonic(3, (-0.14, -0.8), (-0.01, -0.5)),
        ],
    },
    head_bend: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (0.56, -0.7), (2.08, 1.8)),
            harmonic(3, (-0.02, 0.4), (0.16, -0.5)),
        ],
    },
    head_rotation: Curve {
        mean: (0.0, 0.0),
        harmonics: &[
            harmonic(1, (-6.0, -9.5), (0.66, -0.6)),
            harmonic(3, (0.95, 0.4), (-0.23, -0.3)),
        ],
    },
    hip_flexion: Curve {
        mean: (16.5, 9.9),
        harmonics: &[
            harmonic(1, (24.0, 13.0), (-20.7, -12.0)),
            harmonic(2, (-5.47, 2.8), (4.91, 1.7)),
            harmonic(3, (-0.84, 1.1), (1.32, 1.0)),
            harmonic(4, (0.55, 0.2), (-0.47, -1.5)),
            harmonic(5, (-0.23, 0.6), (0.53, 0.3)),
        ],
    },
    knee_flexion: Curve {
        mean: (53.3, 25.0),
        harmonics: &[
            harmonic(1, (-12.7, -6.9), (-26.7, -6.9)),
            harmonic(2, (-8.95, 12.0), (22.4, 5.4)),
            harmonic(3, (-2.52, -0.4), (1.47, 0.3)),
            harmonic(4, (0.79, 0.8), (0.91, -2.1)),
            harmonic(5, (-0.18, 1.4), (1.3, 0.4)),
        ],
    },
    ankle_dorsiflexion: Curve {
        mean: (4.62, -1.0),
        harmonics: &[
            harmonic(1, (15.7, 5.7), (1.1, 5.0)),
            harmonic(2, (-7.81, 4.4), (8.97, -0.1)),
            harmonic(3, (-4.66, -0.3), (-1.63, 1.8)),
            harmonic(4, (1.05, -1.4), (-1.5, -3.7)),
            harmonic(5, (-0.09, 2.2), (1.2, 0.1)),
        ],
    },
    sole_pitch: Curve {
        mean: (-38.2, -19.0),
        harmonics: &[
            harmonic(1, (52.4, 26.0), (7.09, -0.6)),
            harmonic(2, (-3.63, -3.4), (-6.89, -4.7)),
            harmonic(3, (-2.98, 1.3), (-1.78, 2.5)),
            harmonic(4, (0.76, -1.6), (-2.42, -3.0)),
            harmonic(5, (-0.13, 1.4), (0.43, 0.0)),
        ],
    },
    shoulder_flexion: Curve {
        mean: (-18.9, -4.9),
        harmonics: &[
            harmonic(1, (-13.8, -3.2), (17.5, 9.6)),
            harmonic(2, (-3.03, 0.1), (3.06, 0.5)),
            harmonic(3, (-0.91, -0.6), (-0.19, 0.7)),
            harmonic(4, (-0.28, -0.4), (-0.37, 0.2)),
            harmonic(5, (0.11, 0.1), (-0.23, -0.1)),
        ],
    },
    shoulder_abduction: Curve {
        mean: (6.66, 2.8),
        harmonics: &[
            harmonic(1, (-2.1, -0.7), (1.9, 2.1)),
            harmonic(2, (-0.56, 0.0), (-1.16, -2.5)),
            harmonic(3, (-0.79, 1.2), (0.92, 1.2)),
            harmonic(4, (-0.05, -0.2), (0.07, 0.2)),
            harmonic(5, (0.03, 0.0), (-0.25, -0.2)),
        ],
    },
    shoulder_rotation: Curve {
        mean: (9.32, -3.1),
        harmonics: &[
            harmonic(1, (-7.99, -5.7), (4.61, 6.4)),
            harmonic(2, (-1.0, -2.6), (0.09, -1.7)),
            harmonic(3, (-1.25, 0.6), (0.6, 0.6)),
            harmonic(4, (0.13, 0.2), (-0.23, -0.4)),
            harmonic(5, (0.0, 0.3), (-0.38, -0.2)),
        ],
    },
    elbow_flexion: Curve {
        mean: (105.7, -11.0),
        harmonics: &[
            harmonic(1, (-6.76, -10.0), (11.6, 15.0)),
            harmonic(2, (0.53, -3.5), (-6.49, -13.0)),
            harmonic(3, (-0.07, 2.6), (0.23, 0.8)),
            harmonic(4, (0.81, 0.7), (-0.02, -0.6)),
            harmonic(5, (-0.12, 0.3), (-0.01, 0.1)),
        ],
    },
    ankle_outwards: Curve {
        mean: (53.8, -34.0),
        harmonics: &[
            harmonic(1, (-25.6, 1.2), (-41.0, 4.3)),
            harmonic(2, (5.1, 6.2), (-6.38, -29.0)),
            harmonic(3, (6.25, 1.9), (-0.73, 2.0)),
            harmonic(4, (-1.06, -2.6), (-0.99, 0.3)),
            harmonic(5, (0.29, 0.5), (-0.67, -1.8)),
        ],
    },
    ankle_height: Curve {
        mean: (245.2, 109.0),
        harmonics: &[
            harmonic(1, (-168.1, -125.0), (-76.6, -14.0)),
            harmonic(2, (25.0, 38.0), (22.3, 32.0)),
            harmonic(3, (4.39, -8.3), (-5.78, -10.0)),
            harmonic(4, (1.28, 3.3), (-2.63, -3.3)),
            harmonic(5, (-1.84, -1.5), (-0.77, 1.5)),
        ],
    },
    ankle_ahead: Curve {
        mean: (-194.3, -14.0),
        harmonics: &[
            harmonic(1, (379.2, 121.0), (-152.6, -157.0)),
            harmonic(2, (21.3, 31.0), (-19.8, 20.0)),
            harmonic(3, (12.8, 0.5), (-18.5, -24.0)),
            harmonic(4, (-5.1, -1.3), (-5.83, 5.1)),
            harmonic(5, (-0.58, 0.3), (-1.78, 0.5)),
        ],
    },
};
