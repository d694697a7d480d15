//! How many people per second come through a door.
//!
//! A crowd stands in a hall before a door and leaves by it. Flow is `J = (N - 1) / (t_N - t_1)` at the
//! line of the door, without the first ten, who find no queue yet (Seyfried et al. 2009).

use std::fmt;

use glam::Vec2;
use serde::Serialize;
use throng_world::scene::LayerId;
use throng_world::scene::file::{Goal, SceneFile};
use throng_world::walkable::walkable;

use super::published::{DOOR_SOURCES, DOORS, DoorFlow};
use super::runs::{Runs, Watch, run_all};
use super::scenery::{WALKERS, scene};
use super::{Case, ExperimentError, Setup, Steering, in_range, model_width};
use crate::line::{Direction, Line, Tally, Trim};
use crate::statistics::Spread;

/// Width of the hall, m.
const HALL: f64 = 6.3;
/// Density of the crowd at the start, people/m².
const START_DENSITY: f64 = 2.5;
/// Whoever has not come through after this time, s, does not count.
const DURATION: f64 = 400.0;
/// How many of the first are not counted into the flow.
const FIRST: usize = 10;

/// The experiment with doors.
#[derive(Clone, Debug, PartialEq)]
pub struct Doors {
    /// Models, seeds and step.
    pub setup: Setup,
    /// How many people leave the hall: 30 to 200.
    pub people: u32,
    /// Clear widths of the doors, m: 0.5 to 6.
    pub widths: Vec<f64>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DoorFlows {
    /// How many people were in the hall.
    pub people: u32,
    /// A row for each model and door.
    pub rows: Vec<DoorRow>,
}

/// The flow of people with one model through one door.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DoorRow {
    /// The model.
    pub model: Steering,
    /// Clear width of the door, m.
    pub width: f64,
    /// Flow, people/s, over the seeds in which there was one.
    pub flow: Spread,
    /// Smallest and largest flow of all seeds, people/s; `None` if there was none.
    pub extremes: Option<[f64; 2]>,
    /// Mean flow by width, people/(m s).
    pub specific_flow: f64,
    /// How many people came through, in the seed where they were fewest.
    pub passed: usize,
    /// In how many steps somebody's centre was in a wall, over all people and seeds.
    pub outside: u64,
    /// What was measured with people, if it was at this width.
    pub measured: Option<DoorFlow>,
}

impl Default for Doors {
    fn default() -> Self {
        let widths = DOORS.iter().map(|door| door.width).collect();
        Self { setup: Setup::of(&["pedestrian"], 20), people: 150, widths }
    }
}

impl Doors {
    /// Makes the experiment, as long as `watch` says so.
    pub fn run(&self, watch: Watch) -> Result<DoorFlows, ExperimentError> {
        self.setup.check()?;
        in_range("the number of people", self.people.into(), [30.0, 200.0], "30 to 200")?;
        for &width in &self.widths {
            in_range("the width of a door", width, [0.5, 6.0], "0.5 m to 6 m")?;
        }
        let cases = self.setup.cases(&self.widths);
        let runs = run_all(&cases, watch, |case, runs| self.leave(case, runs))?;
        let seeds = self.setup.seeds as usize;
        let rows = cases.chunks(seeds).zip(runs.chunks(seeds));
        Ok(DoorFlows {
            people: self.people,
            rows: rows.map(|(cases, runs)| DoorRow::of(&cases[0], runs)).collect(),
        })
    }

    pub(crate) fn leave(&self, case: &Case<f64>, runs: &Runs) -> Result<Run, ExperimentError> {
        let scene = case.scene("doors", self.scene(case))?;
        let ground = walkable(&scene, LayerId(0));
        let half = (case.condition / 2.0) as f32;
        let line = Line::new([Vec2::new(0.0, -half), Vec2::new(0.0, half)]);
        let mut tally = Tally::new(line, LayerId(0));
        let mut outside = 0;
        runs.simulate(scene, |frame| {
            tally.push(frame.into());
            let is_outside = |p: &&Vec2| !ground.iter().any(|area| area.contains(p.as_dvec2()));
            outside += frame.people.positions.iter().filter(is_outside).count() as u64;
            tally.passages(Direction::Forward).times().len() < self.people as usize
        })?;
        let passages = tally.passages(Direction::Forward);
        let flow = passages.flow(Trim { first: FIRST, last: 0 });
        Ok(Run { flow, passed: passages.times().len(), outside })
    }

    fn scene(&self, case: &Case<f64>) -> SceneFile {
        let (half, side) = (case.condition / 2.0, HALL / 2.0);
        // The middle of the door, so that nobody aims at its posts.
        let aim = (half - 0.2).max(0.02);
        let depth = f64::from(self.people) / START_DENSITY / (HALL - 0.8);
        let walls = [
            [[-19.0, side], [0.15, side + 0.3]],
            [[-19.0, -side - 0.3], [0.15, -side]],
            [[-0.15, half], [0.15, side]],
            [[-0.15, -side], [0.15, -half]],
        ];
        let regions = [
            ("hall", [[-0.7 - depth, 0.4 - side], [-0.7, side - 0.4]]),
            ("door", [[-0.1, -aim], [0.3, aim]]),
            ("beyond", [[2.0, -aim - 1.0], [2.5, aim + 1.0]]),
            ("out", [[9.0, -4.0], [13.0, 4.0]]),
        ];
        let people = WALKERS.group("people", ["door", "beyond", "out"].map(Goal::seek));
        let groups = [people.crowd(self.people, "hall")];
        scene(DURATION, [[-21.0, -9.0], [14.0, 9.0]], &walls, &regions, groups)
    }
}

/// One crowd that has left.
pub(crate) struct Run {
    pub flow: Option<f64>,
    pub passed: usize,
    pub outside: u64,
}

impl DoorRow {
    fn of(case: &Case<f64>, runs: &[Run]) -> Self {
        let width = case.condition;
        let flows: Vec<f64> = runs.iter().filter_map(|run| run.flow).collect();
        let flow = Spread::of(&flows);
        let extremes = flows.iter().copied().fold(None, |extremes, flow| {
            let [low, high] = extremes.unwrap_or([flow; 2]);
            Some([f64::min(low, flow), f64::max(high, flow)])
        });
        Self {
            model: case.steering.clone(),
            width,
            flow,
            extremes,
            specific_flow: flow.mean / width,
            passed: runs.iter().map(|run| run.passed).min().unwrap_or_default(),
            outside: runs.iter().map(|run| run.outside).sum(),
            measured: DOORS.iter().find(|door| (door.width - width).abs() < 1e-6).copied(),
        }
    }
}

impl fmt::Display for DoorFlows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = model_width(self.rows.iter().map(|row| &row.model));
        writeln!(
            f,
            "{:<width$} {:>7} {:>6} {:>6} {:>11} {:>10} {:>9} {:>8}   {:<10} all studies",
            "model",
            "width m",
            "J 1/s",
            "sd",
            "min-max",
            "J/b 1/(ms)",
            "passed",
            "in walls",
            "measured J"
        )?;
        for row in &self.rows {
            let extremes = row.extremes.map(|[low, high]| format!("{low:.2}-{high:.2}"));
            let measured = |range: fn(&DoorFlow) -> super::Range| {
                row.measured.map_or_else(|| "-".into(), |door| range(&door).to_string())
            };
            writeln!(
                f,
                "{:<width$} {:>7.2} {:>6.2} {:>6.2} {:>11} {:>10.2} {:>9} {:>8}   {:<10} {}",
                row.model,
                row.width,
                row.flow.mean,
                row.flow.sd,
                extremes.unwrap_or_else(|| "-".into()),
                row.specific_flow,
                format!("{}/{}", row.passed, self.people),
                row.outside,
                measured(|door| door.normal),
                measured(|door| door.all),
            )?;
        }
        write!(f, "Measured with people: {DOOR_SOURCES}.")
    }
}
