//! How fast people walk in a corridor at several densities: the fundamental diagram.
//!
//! A corridor 3 m wide is filled with 200 m of people who walk one way. The middle 16 m are looked at
//! from when all have taken up their speed until the end of the crowd comes near, so it does not
//! matter that the crowd ends.

use std::fmt;

use glam::Vec2;
use serde::Serialize;
use throng_base::Polygon;
use throng_world::scene::file::{Goal, SceneFile};
use throng_world::scene::{DensityMethod, LayerId};

use super::published::{OPEN_CORRIDOR, SpeedRange};
use super::runs::{Runs, Watch, run_all};
use super::scenery::{WALKERS, Walkers, scene};
use super::{Case, ExperimentError, Setup, Steering, in_range, model_width};
use crate::area::AreaMeter;
use crate::statistics::Spread;

/// Width of the corridor, m.
const WIDTH: f64 = 3.0;
/// From where to where there are people at the start, m along the corridor.
const CROWD: [f64; 2] = [-120.0, 80.0];
/// Half the length of what is looked at, m.
const HALF_LENGTH: f32 = 8.0;
/// When the corridor is looked at, s.
const BEGIN: f64 = 15.0;
const END: f64 = 50.0;
/// How often, s.
const INTERVAL: f64 = 0.5;
/// The people of this laboratory were faster than elsewhere, when nobody was in their way.
const FAST: Walkers = Walkers { speed: 1.5, ..WALKERS };

/// The experiment with a corridor.
#[derive(Clone, Debug, PartialEq)]
pub struct Fundamental {
    /// Models, seeds and step.
    pub setup: Setup,
    /// Densities at the start, people/m²: 0.05 to 4.
    pub densities: Vec<f64>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpeedsByDensity {
    /// A row for each model and density.
    pub rows: Vec<FundamentalRow>,
}

/// How fast people with one model are at one density.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FundamentalRow {
    /// The model.
    pub model: Steering,
    /// Density at the start, people/m².
    pub asked_density: f64,
    /// Mean density where it was measured, people/m², over the seeds.
    pub density: Spread,
    /// Mean speed along the corridor there, m/s, over the seeds.
    pub speed: Spread,
    /// What was measured with people, if it was at this density.
    pub measured: Option<SpeedRange>,
}

impl Default for Fundamental {
    fn default() -> Self {
        let densities = OPEN_CORRIDOR.iter().map(|measured| measured.density).collect();
        Self { setup: Setup::of(&["pedestrian"], 5), densities }
    }
}

impl Fundamental {
    /// Makes the experiment, as long as `watch` says so.
    pub fn run(&self, watch: Watch) -> Result<SpeedsByDensity, ExperimentError> {
        self.setup.check()?;
        for &density in &self.densities {
            in_range("a density", density, [0.05, 4.0], "0.05 to 4 people per m²")?;
        }
        let cases = self.setup.cases(&self.densities);
        let runs = run_all(&cases, watch, walk)?;
        let seeds = self.setup.seeds as usize;
        let rows = cases.chunks(seeds).zip(runs.chunks(seeds));
        Ok(SpeedsByDensity {
            rows: rows.map(|(cases, runs)| FundamentalRow::of(&cases[0], runs)).collect(),
        })
    }
}

/// Mean density, people/m², and speed, m/s, if somebody came.
pub(crate) type Run = (f64, Option<f64>);

pub(crate) fn walk(case: &Case<f64>, runs: &Runs) -> Result<Run, ExperimentError> {
    let scene = case.scene("fundamental", corridor(case))?;
    let half = (WIDTH / 2.0) as f32;
    let corners =
        [(-HALF_LENGTH, -half), (HALF_LENGTH, -half), (HALF_LENGTH, half), (-HALF_LENGTH, half)];
    let middle = Polygon::new(corners.map(Vec2::from))
        .map(|area| AreaMeter::new(&scene, LayerId(0), &area, DensityMethod::Classic))
        .ok();
    let (mut moments, mut densities) = (0u32, 0.0);
    let (mut people, mut speeds) = (0.0, 0.0);
    runs.simulate(scene, |frame| {
        let due = BEGIN + f64::from(moments) * INTERVAL;
        // A frame that is due may be a rounding error early.
        if let Some(meter) = middle.as_ref().filter(|_| frame.time > due - 1e-6) {
            let along = |i: usize| Some(f64::from(frame.people.velocities[i].x));
            let reading = meter.read(frame.into(), along);
            moments += 1;
            densities += reading.density;
            people += reading.people as f64;
            speeds += reading.people as f64 * reading.speed.unwrap_or_default();
        }
        true
    })?;
    Ok((densities / f64::from(moments.max(1)), (people > 0.0).then(|| speeds / people)))
}

fn corridor(case: &Case<f64>) -> SceneFile {
    let (half, [begin, end]) = (WIDTH / 2.0, CROWD);
    let people = (case.condition * (end - begin) * WIDTH) as u32;
    let margin = half - WALKERS.radius - 0.02;
    let walls = [
        [[begin - 15.0, half], [end + 115.0, half + 0.3]],
        [[begin - 15.0, -half - 0.3], [end + 115.0, -half]],
    ];
    let regions = [("start", [[begin, -margin], [end, margin]])];
    let groups = [FAST.group("people", [Goal::flow([1.0, 0.0])]).crowd(people, "start")];
    scene(END, [[begin - 20.0, -3.0], [end + 120.0, 3.0]], &walls, &regions, groups)
}

impl FundamentalRow {
    fn of(case: &Case<f64>, runs: &[Run]) -> Self {
        let density = case.condition;
        let measured = OPEN_CORRIDOR.iter().find(|m| (m.density - density).abs() < 1e-6);
        Self {
            model: case.steering.clone(),
            asked_density: density,
            density: Spread::of(&runs.iter().map(|run| run.0).collect::<Vec<_>>()),
            speed: Spread::of(&runs.iter().filter_map(|run| run.1).collect::<Vec<_>>()),
            measured: measured.copied(),
        }
    }
}

impl fmt::Display for SpeedsByDensity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = model_width(self.rows.iter().map(|row| &row.model));
        writeln!(
            f,
            "{:<width$} {:>9} {:>9} {:>9} {:>11}   {:<9} {:<9} within",
            "model", "start /m²", "dens. /m²", "speed m/s", "flow 1/(ms)", "measured", "5-95 %"
        )?;
        for row in &self.rows {
            let (mean, range, within) = row.measured.map_or_else(Default::default, |measured| {
                let within = if measured.range.contains(row.speed.mean) { "yes" } else { "no" };
                (format!("{:.2}", measured.mean), measured.range.to_string(), within)
            });
            writeln!(
                f,
                "{:<width$} {:>9.2} {:>9.2} {:>9.2} {:>11.2}   {:<9} {:<9} {}",
                row.model,
                row.asked_density,
                row.density.mean,
                row.speed.mean,
                row.density.mean * row.speed.mean,
                mean,
                range,
                within,
            )?;
        }
        write!(f, "Measured with people: corridor 3 m wide with open ends, Hermes project, Jülich.")
    }
}
