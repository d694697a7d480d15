//! Tests with crowds on stairs: both of number 13.

use glam::{DVec2, Vec2};
use throng_base::Polygon;
use throng_world::scene::file::given;
use throng_world::walkable::Area;

use crate::experiments::ExperimentError;
use crate::frame::in_both;
use crate::line::Trim;
use crate::statistics::Spread;
use crate::verification::bench::{Bench, Verdict, listed, told};
use crate::verification::report::Plot;
use crate::verification::scenes::{CORRIDOR_AND_STAIRS, STAIRS, shipped};
use crate::verification::walk::Walk;
use crate::voronoi::Meter;

/// Flows at the end of the room and at the foot of the stairs, people/s, and densities before both
/// and half-way between, people/m².
pub fn congestion(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let walk = bench.walk(shipped(CORRIDOR_AND_STAIRS)?)?;
    let flow = |x: f32| walk.passages([[x, 2.9], [x, 5.1]]).flow(Trim::default()).unwrap_or(0.0);
    let density = |x: f32| {
        let counts = walk.counts([[x - 2.0, 3.0], [x, 5.0]]);
        let busy: Vec<f64> = counts.iter().filter(|n| **n > 0).map(|n| *n as f64 / 4.0).collect();
        Spread::of(&busy).mean
    };
    Ok(vec![flow(5.0), flow(17.0), density(5.0), density(17.0), density(12.0), walk.emptied()])
}

pub fn judge_congestion(numbers: &[Spread]) -> Verdict {
    let [room, foot, before_room, before_stairs, between] =
        [0, 1, 2, 3, 4].map(|i| numbers[i].mean);
    let passed = (room - foot).abs() > 0.05
        && before_room > between
        && before_stairs > between
        && numbers[5].mean.is_finite();
    Verdict::of(passed, format!("flows {} /s", listed(&numbers[..2], 2))).with(format!(
        "{} /m² before the corridor, {} before the stairs, {} between",
        told(&numbers[2], 1),
        told(&numbers[3], 1),
        told(&numbers[4], 1)
    ))
}

/// Classes of density, people/m²: from 0.6 to 1.5.
const CLASSES: usize = 9;
const LOWEST: f64 = 0.6;

/// Speeds on the stairs in each class of density, going up and then going down, m/s, and the share of
/// all points within what was measured.
pub fn diagram(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let up = shipped(STAIRS)?;
    let mut down = up.clone();
    for layer in &mut down.layers {
        layer.elevation = given(if *layer.name == "room" { 3.5 } else { 0.5 });
    }
    for stairs in &mut down.connectors {
        let stairs = &mut **stairs;
        std::mem::swap(&mut stairs.lower, &mut stairs.upper);
    }
    let mut numbers = Vec::new();
    let (mut inside, mut all) = (0, 0);
    for (file, up) in [(up, true), (down, false)] {
        let points = on_stairs(&bench.walk(file)?);
        for class in 0..CLASSES {
            let from = LOWEST + 0.1 * class as f64;
            let of_class = points.iter().filter(|(rho, _)| (from..from + 0.1).contains(rho));
            let speeds: Vec<f64> = of_class.map(|(_, speed)| *speed).collect();
            numbers.push(if speeds.len() < 3 { f64::NAN } else { Spread::of(&speeds).mean });
        }
        let shared = points.iter().filter(|(rho, _)| (LOWEST..1.5).contains(rho));
        for &(rho, speed) in shared {
            let [low, high] = band(rho, up);
            inside += usize::from((low..=high).contains(&speed));
            all += 1;
        }
    }
    numbers.push(if all == 0 { f64::NAN } else { f64::from(inside as u32) / f64::from(all) });
    Ok(numbers)
}

pub fn judge_diagram(numbers: &[Spread]) -> Verdict {
    let (up, rest) = numbers.split_at(CLASSES);
    let (down, share) = rest.split_at(CLASSES);
    let shared: Vec<(&Spread, &Spread)> =
        up.iter().zip(down).filter(|(up, down)| up.count > 0 && down.count > 0).collect();
    let faster = shared.iter().filter(|(up, down)| down.mean > up.mean).count();
    let passed = !shared.is_empty() && faster == shared.len() && share[0].mean >= 0.5;
    let mean = |speeds: &[Spread]| {
        let known: Vec<f64> = speeds.iter().filter(|s| s.count > 0).map(|s| s.mean).collect();
        Spread::of(&known).mean
    };
    let value = format!(
        "faster down in {faster} of {} classes, {} of points within",
        shared.len(),
        told(&share[0], 2)
    );
    let classes = (0..CLASSES).map(|class| LOWEST + 0.1 * class as f64 + 0.05);
    let bands = classes.clone().map(|rho| (rho, [band(rho, true)[0], band(rho, false)[1]]));
    let plot = Plot::new("density, people/m²", "speed, m/s")
        .curve("up", classes.clone().zip(up))
        .curve("down", classes.zip(down))
        .expecting("Corbetta et al., up and down", bands);
    Verdict::of(passed, value)
        .with(format!("up {:.2} m/s, down {:.2} m/s on average", mean(up), mean(down)))
        .drawn(plot)
}

/// Speeds that were measured on stairs at a density (Corbetta et al., as public implementations of
/// the test have it), m/s.
fn band(rho: f64, up: bool) -> [f64; 2] {
    let ([fast, slow], [fast_sd, slow_sd]) = match up {
        true => (
            [0.18 * rho * rho - 0.55 * rho + 1.02, 0.01 * rho + 0.48],
            [0.35 - 0.14 * rho, 0.10 - 0.02 * rho],
        ),
        false => (
            [0.33 * rho * rho - 1.02 * rho + 1.39, 0.67 - 0.08 * rho],
            [0.29 - 0.11 * rho, 0.14 - 0.06 * rho],
        ),
    };
    [(fast - fast_sd).min(slow - slow_sd), (fast + fast_sd).max(slow + slow_sd)]
}

/// Density, people/m², and mean speed along the stairs, m/s, twice a second. Stairs belong to two
/// floors, so people are looked at from above.
fn on_stairs(walk: &Walk) -> Vec<(f64, f64)> {
    let rectangle = |[low, high]: [[f32; 2]; 2]| {
        let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
        Polygon::new(corners.map(Vec2::from)).ok()
    };
    let (stairs, arm) =
        (rectangle([[12.0, 4.0], [17.0, 6.0]]), rectangle([[10.0, 4.0], [24.0, 6.0]]));
    let Some((stairs, arm)) = stairs.zip(arm) else { return Vec::new() };
    let meter = Meter::new(&stairs, &[Area::from(&arm)], 1.0);
    let half = (0.25 / walk.interval).round().max(1.0) as usize;
    let every = (0.5 / walk.interval).round().max(1.0) as usize;
    let mut points = Vec::new();
    for middle in (half..walk.moments.len().saturating_sub(half)).step_by(every) {
        let now = &walk.moments[middle];
        let (before, after) = (&walk.moments[middle - half], &walk.moments[middle + half]);
        let mut speeds = vec![None; now.ids.len()];
        for (i, j) in in_both(&before.ids, &after.ids) {
            let way = after.positions[j].as_dvec2() - before.positions[i].as_dvec2();
            if let Ok(index) = now.ids.binary_search(&before.ids[i]) {
                speeds[index] = Some(way.dot(DVec2::X) / (after.time - before.time));
            }
        }
        let reading = meter.read(&now.positions, |i| speeds[i]);
        points.extend(reading.speed.map(|speed| (reading.density, speed)));
    }
    points
}
