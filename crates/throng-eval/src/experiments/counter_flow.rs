//! Whether people who want opposite ways through a corridor get through.
//!
//! Two rooms of 10 m by 10 m are joined by a corridor 10 m long and 2 m wide. A hundred people in one
//! room want to the other, against none, some, or as many who want to theirs (the test for
//! counter-flow of the guidelines IMO MSC.1/Circ. 1533 and RiMEA). The more there are, the longer it
//! should take, and nobody should be left in a jam.

use std::fmt;

use serde::Serialize;
use throng_world::scene::GroupId;
use throng_world::scene::file::{Goal, SceneFile};

use super::runs::{Runs, Watch, run_all};
use super::scenery::{WALKERS, scene};
use super::{Case, ExperimentError, Setup, Steering, in_range, model_width};
use crate::statistics::Spread;

/// After this time, s, whoever is not through is in a jam.
const DURATION: f64 = 600.0;

/// The experiment with counter-flow.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterFlow {
    /// Models, seeds and step.
    pub setup: Setup,
    /// How many people want from left to right: 1 to 120.
    pub people: u32,
    /// How many come towards them, at most 120, case by case.
    pub against: Vec<u32>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CounterFlows {
    /// How many people wanted from left to right.
    pub people: u32,
    /// A row for each model and number of people who came towards them.
    pub rows: Vec<CounterFlowRow>,
}

/// How long people with one model took against so many.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CounterFlowRow {
    /// The model.
    pub model: Steering,
    /// How many came towards them.
    pub against: u32,
    /// Until the last had left, s, over the seeds without a jam.
    pub time: Spread,
    /// The same for each seed; `None` for a jam.
    pub times: Vec<Option<f64>>,
    /// In how many seeds there was a jam.
    pub jams: usize,
}

impl Default for CounterFlow {
    fn default() -> Self {
        let setup = Setup::of(&["pedestrian"], 5);
        Self { setup, people: 100, against: vec![0, 10, 50, 100] }
    }
}

impl CounterFlow {
    /// Makes the experiment, as long as `watch` says so.
    pub fn run(&self, watch: Watch) -> Result<CounterFlows, ExperimentError> {
        self.setup.check()?;
        in_range("the number of people", self.people.into(), [1.0, 120.0], "1 to 120")?;
        for &against in &self.against {
            in_range("the number against them", against.into(), [0.0, 120.0], "0 to 120")?;
        }
        let cases = self.setup.cases(&self.against);
        let runs = run_all(&cases, watch, |case, runs| self.time(case, runs))?;
        let seeds = self.setup.seeds as usize;
        let rows = cases.chunks(seeds).zip(runs.chunks(seeds));
        Ok(CounterFlows {
            people: self.people,
            rows: rows.map(|(cases, times)| CounterFlowRow::of(&cases[0], times)).collect(),
        })
    }

    /// When the last of those who want to the right has left.
    pub(crate) fn time(
        &self,
        case: &Case<u32>,
        runs: &Runs,
    ) -> Result<Option<f64>, ExperimentError> {
        let mut left = None;
        runs.simulate(case.scene("counter-flow", self.scene(case))?, |frame| {
            let all_left = !frame.people.groups.contains(&GroupId(0));
            left = all_left.then_some(frame.time);
            !all_left
        })?;
        Ok(left)
    }

    fn scene(&self, case: &Case<u32>) -> SceneFile {
        let walls = [
            [[-5.0, 1.0], [5.0, 5.5]],
            [[-5.0, -5.5], [5.0, -1.0]],
            [[-15.2, 5.0], [15.2, 5.2]],
            [[-15.2, -5.2], [15.2, -5.0]],
            [[-15.2, -5.0], [-15.0, 5.0]],
            [[15.0, -5.0], [15.2, 5.0]],
        ];
        let regions = [
            ("left", [[-14.7, -4.7], [-5.5, 4.7]]),
            ("right", [[5.5, -4.7], [14.7, 4.7]]),
            ("left end", [[-5.3, -0.7], [-4.8, 0.7]]),
            ("right end", [[4.8, -0.7], [5.3, 0.7]]),
            ("far left", [[-14.7, -4.7], [-9.0, 4.7]]),
            ("far right", [[9.0, -4.7], [14.7, 4.7]]),
        ];
        let group = |name, count, [from, to]: [&str; 2]| {
            let way = [format!("{from} end"), format!("{to} end"), format!("far {to}")];
            WALKERS.group(name, way.map(|place| Goal::seek(place.as_str()))).crowd(count, from)
        };
        let rightwards = group("rightwards", self.people, ["left", "right"]);
        let leftwards = group("leftwards", case.condition, ["right", "left"]);
        let groups = [Some(rightwards), Some(leftwards).filter(|_| case.condition > 0)];
        scene(
            DURATION,
            [[-16.5, -6.5], [16.5, 6.5]],
            &walls,
            &regions,
            groups.into_iter().flatten(),
        )
    }
}

impl CounterFlowRow {
    fn of(case: &Case<u32>, times: &[Option<f64>]) -> Self {
        let through: Vec<f64> = times.iter().flatten().copied().collect();
        Self {
            model: case.steering.clone(),
            against: case.condition,
            time: Spread::of(&through),
            times: times.to_vec(),
            jams: times.len() - through.len(),
        }
    }
}

impl fmt::Display for CounterFlows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = model_width(self.rows.iter().map(|row| &row.model));
        writeln!(
            f,
            "{:<width$} {:>6} {:>7} {:>8} {:>6} {:>9}   times s",
            "model", "people", "against", "time s", "sd", "jammed"
        )?;
        for row in &self.rows {
            let mean = match row.time.count {
                0 => "-".into(),
                _ => format!("{:.1}", row.time.mean),
            };
            let time = |time: &Option<f64>| {
                time.map_or_else(|| "jammed".into(), |time| format!("{time:.1}"))
            };
            writeln!(
                f,
                "{:<width$} {:>6} {:>7} {:>8} {:>6.1} {:>9}   {}",
                row.model,
                self.people,
                row.against,
                mean,
                row.time.sd,
                format!("{}/{}", row.jams, row.times.len()),
                row.times.iter().map(time).collect::<Vec<_>>().join(" "),
            )?;
        }
        write!(f, "Jammed: somebody was still on the way after {DURATION} s.")
    }
}
