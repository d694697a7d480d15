//! Which way the stripes run into which two crossing flows sort themselves.
//!
//! Stripes of both flows follow each other like the crests and troughs of a wave (Mullick et al. 2022).
//! With +1 for people of one flow and −1 for those of the other, the wave that fits best is the one
//! whose Fourier coefficient is largest; powers are summed over moments, since stripes move.

use std::f64::consts::{PI, TAU};

use glam::DVec2;

/// Wavelengths that are tried, m.
const WAVELENGTHS: [f64; 2] = [1.2, 6.0];
const TRIED: usize = 24;
/// Directions that are tried.
const DIRECTIONS: usize = 90;

/// People of one moment: where they are, and whether they are of the first flow.
pub type Labelled = (DVec2, bool);

/// The direction across the stripes, radians from 0 to π, and their wavelength, m. `None` if there is
/// nobody.
pub fn across(moments: &[Vec<Labelled>]) -> Option<(f64, f64)> {
    let mut best: Option<(f64, f64, f64)> = None;
    for direction in 0..DIRECTIONS {
        let angle = PI * direction as f64 / DIRECTIONS as f64;
        for tried in 0..TRIED {
            let share = tried as f64 / (TRIED - 1) as f64;
            let wavelength = WAVELENGTHS[0] * (WAVELENGTHS[1] / WAVELENGTHS[0]).powf(share);
            let wave = DVec2::from_angle(angle) * (TAU / wavelength);
            let power: f64 = moments.iter().map(|people| power(people, wave)).sum();
            if best.is_none_or(|(most, ..)| power > most) {
                best = Some((power, angle, wavelength));
            }
        }
    }
    best.filter(|(power, ..)| *power > 0.0).map(|(_, angle, wavelength)| (angle, wavelength))
}

fn power(people: &[Labelled], wave: DVec2) -> f64 {
    let first = people.iter().filter(|(_, first)| *first).count() as f64;
    let mean = (2.0 * first - people.len() as f64) / people.len().max(1) as f64;
    let (mut cosines, mut sines) = (0.0, 0.0);
    for (at, first) in people {
        // Without their mean, that one flow has more people looks like no wave.
        let label = if *first { 1.0 } else { -1.0 } - mean;
        let (sin, cos) = wave.dot(*at).sin_cos();
        cosines += label * cos;
        sines += label * sin;
    }
    cosines * cosines + sines * sines
}

/// The angle between two directions without sense, degrees, 0 to 90.
pub fn between(a: f64, b: f64) -> f64 {
    let off = (a - b).rem_euclid(PI);
    off.min(PI - off).to_degrees()
}
