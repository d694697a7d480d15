//! Test 16: people one behind the other on an oval.
//!
//! Everybody is as far along the middle of the oval as the nearest point of it is. The density
//! around somebody is one by the mean of the gaps before and behind them, from centre to centre;
//! speed is that of half a second, as the crow flies:
//! in the bends people walk nearer to the inner wall than the middle is.

use std::f64::consts::{PI, TAU};

use glam::DVec2;
use throng_world::scene::file::{Person, SceneFile, given, list};

use crate::experiments::ExperimentError;
use crate::statistics::Spread;
use crate::verification::bench::{Bench, Verdict};
use crate::verification::grade::{Grade, pass_if, share_of, within, worst};
use crate::verification::record::{Estimate, record};
use crate::verification::report::Plot;
use crate::verification::scenes::{SINGLE_FILE, shipped};
use crate::verification::walk::Walk;

/// The straights' half length and the radius of the bends, m.
const HALF: f64 = 2.0;
const RADIUS: f64 = 3.0;
/// Once round, m.
const LAP: f64 = 4.0 * HALF + TAU * RADIUS;
/// People per metre.
const DENSITIES: [f64; 3] = [0.5, 0.8, 1.5];
/// It is looked at after three laps, or after this time, s, and for so long.
const LONGEST: f64 = 330.0;
const LOOKED: f64 = 40.0;
/// A class of density with fewer points says nothing.
const FEWEST: usize = 50;

/// Density, people/m, and the speeds that 10, 50 and 90 % were slower than, m/s.
const MEASURED: [(f64, [f64; 3]); 13] = [
    (0.1, [0.96, 1.19, 1.48]),
    (0.3, [0.84, 1.16, 1.47]),
    (0.5, [0.71, 1.09, 1.39]),
    (0.7, [0.60, 0.97, 1.31]),
    (0.9, [0.45, 0.75, 1.10]),
    (1.1, [0.32, 0.52, 0.84]),
    (1.3, [0.19, 0.39, 0.61]),
    (1.5, [0.11, 0.27, 0.49]),
    (1.7, [0.07, 0.20, 0.38]),
    (1.9, [0.05, 0.16, 0.31]),
    (2.1, [0.03, 0.13, 0.27]),
    (2.5, [0.02, 0.10, 0.22]),
    (3.0, [0.016, 0.08, 0.19]),
];

record! {
    /// Mean speed in each class of density of [`MEASURED`].
    pub struct SingleFile: "single-file" effort 60 by measure_single_file {
        speeds: [V; MEASURED.len()] = ("m/s", 2),
    }
}

fn measure_single_file(bench: &Bench) -> Result<SingleFile, ExperimentError> {
    let mut classes = [const { Vec::new() }; MEASURED.len()];
    for density in DENSITIES {
        for (rho, speed) in points(&bench.walk(scene(density)?)?) {
            let class = (MEASURED.iter().enumerate())
                .min_by(|(_, a), (_, b)| (a.0 - rho).abs().total_cmp(&(b.0 - rho).abs()));
            if let Some((class, _)) = class {
                classes[class].push(speed);
            }
        }
    }
    let mean = |speeds: Vec<f64>| match speeds.len() {
        few if few < FEWEST => f64::NAN,
        _ => Spread::of(&speeds).mean,
    };
    Ok(SingleFile { speeds: classes.map(mean) })
}

pub fn judge_single_file(SingleFile { speeds }: &SingleFile<Estimate>) -> Verdict {
    let known: Vec<(&Estimate, (f64, [f64; 3]))> =
        speeds.iter().zip(MEASURED).filter(|(speed, _)| speed.is_known()).collect();
    let grades = || known.iter().map(|(speed, (_, [low, _, high]))| speed.within([*low, *high]));
    let within_band = grades().filter(Grade::is_pass).count();
    let share = within_band as f64 / known.len().max(1) as f64;
    // What the share says, at the distance of the speeds that it is the share of.
    let most = share_of(grades(), 0.75).told(within(share, [0.75, f64::INFINITY]).outcome);
    let told = known
        .iter()
        .map(|(speed, (rho, [low, _, high]))| format!("{rho}/m {} ({low}-{high})", speed.number()));
    // Without classes from both the loose and the dense file it is no diagram.
    let enough = pass_if(known.len() >= 3);
    Verdict::new(worst([most, enough]), format!("{within_band} of {} classes", known.len()))
        .with(format!("m/s: {}", told.collect::<Vec<_>>().join(", ")))
        .drawn(
            Plot::new("density, people/m", "speed, m/s")
                .curve("", MEASURED.map(|(rho, _)| rho).into_iter().zip(speeds))
                .expecting(
                    "10 to 90 % of people",
                    MEASURED.map(|(rho, [low, _, high])| (rho, [low, high])),
                ),
        )
}

fn scene(density: f64) -> Result<SceneFile, ExperimentError> {
    let people = (density * LAP).round() as usize;
    let mut file = shipped(SINGLE_FILE)?;
    file.simulation.duration = given(LONGEST + LOOKED);
    let person = |nth: usize| Person::new(place(nth as f64 * LAP / people as f64 + 0.1));
    file.groups.iter_mut().for_each(|group| group.people = list((0..people).map(person)));
    Ok(file)
}

/// The point of the oval so far along it, counter-clockwise from the middle of the lower straight.
fn place(along: f64) -> DVec2 {
    let (bend, mut s) = (PI * RADIUS, along.rem_euclid(LAP));
    if s < HALF {
        return DVec2::new(s, -RADIUS);
    }
    s -= HALF;
    if s < bend {
        return DVec2::new(HALF, 0.0) + RADIUS * DVec2::from_angle(s / RADIUS - 0.5 * PI);
    }
    s -= bend;
    if s < 2.0 * HALF {
        return DVec2::new(HALF - s, RADIUS);
    }
    s -= 2.0 * HALF;
    if s < bend {
        return DVec2::new(-HALF, 0.0) + RADIUS * DVec2::from_angle(s / RADIUS + 0.5 * PI);
    }
    DVec2::new(s - bend - HALF, -RADIUS)
}

/// How far along the oval a point is.
fn along(at: DVec2) -> f64 {
    let bend = PI * RADIUS;
    if at.x > HALF {
        let angle = (at - DVec2::new(HALF, 0.0)).to_angle();
        return HALF + (angle + 0.5 * PI) * RADIUS;
    }
    if at.x < -HALF {
        let angle = (DVec2::new(-HALF, 0.0) - at).to_angle();
        return 3.0 * HALF + bend + (angle + 0.5 * PI) * RADIUS;
    }
    match at.y > 0.0 {
        true => HALF + bend + (HALF - at.x),
        false => at.x.rem_euclid(LAP),
    }
}

/// Density and speed of everyone, twice a second, once they have walked three laps.
fn points(walk: &Walk) -> Vec<(f64, f64)> {
    let frames = (0.5 / walk.interval).round().max(1.0) as usize;
    let (mut walked, mut points) = (0.0, Vec::new());
    let mut begun: Option<f64> = None;
    for window in walk.moments.windows(frames + 1).step_by(frames) {
        let (before, after) = (&window[0], &window[frames]);
        let places = |moment: &crate::frame::Moment| -> Vec<f64> {
            moment.positions.iter().map(|p| along(p.as_dvec2())).collect()
        };
        let (from, to) = (places(before), places(after));
        let forward = |(a, b): (&f64, &f64)| (b - a + 0.5 * LAP).rem_euclid(LAP) - 0.5 * LAP;
        let steps: Vec<f64> = from.iter().zip(&to).map(forward).collect();
        walked += steps.iter().sum::<f64>() / steps.len().max(1) as f64;
        if walked < 3.0 * LAP && before.time < LONGEST {
            continue;
        }
        if before.time > *begun.get_or_insert(before.time) + LOOKED {
            break;
        }
        let mut order: Vec<usize> = (0..to.len()).collect();
        order.sort_by(|&a, &b| to[a].total_cmp(&to[b]));
        for (rank, &i) in order.iter().enumerate() {
            let next = to[order[(rank + 1) % order.len()]];
            let last = to[order[(rank + order.len() - 1) % order.len()]];
            let gap = 0.5 * ((next - to[i]).rem_euclid(LAP) + (to[i] - last).rem_euclid(LAP));
            let way = before.positions[i].as_dvec2().distance(after.positions[i].as_dvec2());
            let speed = way.copysign(steps[i]) / (after.time - before.time);
            points.push((1.0 / gap.max(1e-3), speed));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_along_the_oval_are_found_again() {
        for nth in 0..200 {
            let s = f64::from(nth) * LAP / 200.0;
            let found = along(place(s));
            let off = (found - s + 0.5 * LAP).rem_euclid(LAP) - 0.5 * LAP;
            assert!(off.abs() < 1e-9, "{s}: {found}");
        }
    }
}
