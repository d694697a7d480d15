//! Tests with crowds on stairs: both of number 13.

use glam::{DVec2, Vec2};
use throng_base::Polygon;
use throng_world::scene::file::{SceneFile, given};
use throng_world::walkable::Area;

use crate::experiments::ExperimentError;
use crate::frame::in_both;
use crate::line::Trim;
use crate::statistics::Spread;
use crate::verification::bench::{Bench, Verdict};
use crate::verification::grade::{below, pass_if, within, worst};
use crate::verification::record::{Estimate, listed, record};
use crate::verification::report::Plot;
use crate::verification::scenes::{CORRIDOR_AND_STAIRS, STAIRS, shipped};
use crate::verification::walk::Walk;
use crate::voronoi::Meter;

record! {
    /// People of test 13v3 in a room, a corridor and on stairs.
    pub struct Congestion: "corridor-and-stairs" effort 3 by measure_congestion {
        /// At the end of the room and at the foot of the stairs.
        flows: [V; 2] = ("/s", 2),
        before_corridor: V = ("/m²", 1),
        before_stairs: V = ("/m²", 1),
        /// Half-way between.
        between: V = ("/m²", 1),
        emptied: V = ("s", 0),
    }
}

fn measure_congestion(bench: &Bench) -> Result<Congestion, ExperimentError> {
    let walk = bench.walk(shipped(CORRIDOR_AND_STAIRS)?)?;
    let flow = |x: f32| walk.passages([[x, 2.9], [x, 5.1]]).flow(Trim::default()).unwrap_or(0.0);
    let density = |x: f32| {
        let counts = walk.counts([[x - 2.0, 3.0], [x, 5.0]]);
        let busy: Vec<f64> = counts.iter().filter(|n| **n > 0).map(|n| *n as f64 / 4.0).collect();
        Spread::of(&busy).mean
    };
    Ok(Congestion {
        flows: [5.0, 17.0].map(flow),
        before_corridor: density(5.0),
        before_stairs: density(17.0),
        between: density(12.0),
        emptied: walk.emptied(),
    })
}

pub fn judge_congestion(found: &Congestion<Estimate>) -> Verdict {
    let ([room, foot], between) = (found.flows.map(|flow| flow.mean()), found.between.mean());
    let grade = worst([
        below(0.05, (room - foot).abs()),
        below(between, found.before_corridor.mean()),
        below(between, found.before_stairs.mean()),
        pass_if(found.emptied.is_finite()),
    ]);
    Verdict::new(grade, format!("flows {}", listed(&found.flows))).with(format!(
        "{} before the corridor, {} before the stairs, {} between",
        found.before_corridor,
        found.before_stairs.number(),
        found.between.number()
    ))
}

/// Classes of density, people/m²: from 0.6 to 1.5.
const CLASSES: usize = 9;
const LOWEST: f64 = 0.6;

record! {
    /// Speeds on the stairs in each class of density.
    pub struct StairDiagram: "stairs" effort 4 by measure_stair_diagram {
        up: [V; CLASSES] = ("m/s", 2),
        down: [V; CLASSES] = ("m/s", 2),
        /// Share of all points within what was measured.
        inside: V = ("", 2),
    }
}

fn measure_stair_diagram(bench: &Bench) -> Result<StairDiagram, ExperimentError> {
    let up = shipped(STAIRS)?;
    let mut down = up.clone();
    for layer in &mut down.layers {
        layer.elevation = given(if *layer.name == "room" { 3.5 } else { 0.5 });
    }
    for stairs in &mut down.connectors {
        let stairs = &mut **stairs;
        std::mem::swap(&mut stairs.lower, &mut stairs.upper);
    }
    let (mut inside, mut all) = (0u32, 0u32);
    let mut speeds = |file: SceneFile, up: bool| -> Result<[f64; CLASSES], ExperimentError> {
        let points = on_stairs(&bench.walk(file)?);
        for &(rho, speed) in points.iter().filter(|(rho, _)| (LOWEST..1.5).contains(rho)) {
            let [low, high] = band(rho, up);
            inside += u32::from((low..=high).contains(&speed));
            all += 1;
        }
        Ok(std::array::from_fn(|class| {
            let from = LOWEST + 0.1 * class as f64;
            let of_class = points.iter().filter(|(rho, _)| (from..from + 0.1).contains(rho));
            let speeds: Vec<f64> = of_class.map(|(_, speed)| *speed).collect();
            if speeds.len() < 3 { f64::NAN } else { Spread::of(&speeds).mean }
        }))
    };
    let (up, down) = (speeds(up, true)?, speeds(down, false)?);
    // 0 by 0 is NaN: there is none.
    Ok(StairDiagram { up, down, inside: f64::from(inside) / f64::from(all) })
}

pub fn judge_diagram(StairDiagram { up, down, inside }: &StairDiagram<Estimate>) -> Verdict {
    let shared: Vec<(&Estimate, &Estimate)> =
        up.iter().zip(down).filter(|(up, down)| up.is_known() && down.is_known()).collect();
    let faster = shared.iter().filter(|(up, down)| down.mean() > up.mean()).count();
    let all_faster = shared.iter().map(|(up, down)| below(up.mean(), down.mean()));
    let enough = [pass_if(!shared.is_empty()), within(inside.mean(), [0.5, 1.0]).strict()];
    let grade = worst(all_faster.chain(enough));
    let mean = |speeds: &[Estimate]| {
        let known = speeds.iter().filter(|speed| speed.is_known()).map(Estimate::mean);
        Spread::of(&known.collect::<Vec<f64>>()).mean
    };
    let value =
        format!("faster down in {faster} of {} classes, {inside} of points within", shared.len());
    let classes = (0..CLASSES).map(|class| LOWEST + 0.1 * class as f64 + 0.05);
    let bands = classes.clone().map(|rho| (rho, [band(rho, true)[0], band(rho, false)[1]]));
    let plot = Plot::new("density, people/m²", "speed, m/s")
        .curve("up", classes.clone().zip(up))
        .curve("down", classes.zip(down))
        .expecting("Corbetta et al., up and down", bands);
    Verdict::new(grade, value)
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
