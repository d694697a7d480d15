//! How smoothly two groups walk through each other.
//!
//! A hundred walkers, half of them each way, in a hallway 10 m wide. The groups stand 34.5 m apart
//! and change places; each walker is looked at from the start until they are 34.5 m farther (Karamouzas
//! et al. 2009). The paper's walkers have a point to go to; here they want along the hallway, and
//! nothing pulls them back to where they would have gone without others.

use std::collections::BTreeMap;
use std::fmt;

use glam::DVec2;
use serde::Serialize;
use throng::recording::Frame;
use throng_world::scene::GroupId;
use throng_world::scene::file::{Goal, SceneFile};

use super::published::{Mean, PUBLISHED_WALKS};
use super::runs::{Runs, Watch, run_all};
use super::scenery::{Walkers, scene};
use super::{Case, ExperimentError, Setup, Steering, in_range, model_width};
use crate::hallway::{WALK_METRICS, Walk, WalkMetric, WalkMetrics, Walks};
use crate::lanes::lane_order;
use crate::statistics::{Paired, Spread, Welch, mean};
use crate::tracks::{Track, Tracks};

/// Width of the hallway, m.
const WIDTH: f64 = 10.0;
/// How far everyone walks, m.
const TRIP: f64 = 34.5;
/// Density of a group at the start, people/m².
const START_DENSITY: f64 = 0.25;
/// Whoever has not walked the trip after this time, s, is stuck.
const DURATION: f64 = 120.0;
/// Lanes are looked for this far from the middle, m, among at least so many of each group.
const LANES: (f32, usize) = (10.0, 10);
/// How far beside them walkers belong to someone's lane, m.
const LANE_HALF_WIDTH: f64 = 0.75;
const WALKERS: Walkers =
    Walkers { radius: 0.25, speed: 1.4, speed_sd: 0.15, speed_limits: [0.95, 1.85] };

/// The experiment in a hallway.
#[derive(Clone, Debug, PartialEq)]
pub struct Hallway {
    /// Models, seeds and step. The first model is compared with each of the others.
    pub setup: Setup,
    /// How many walkers there are, half of them each way: 2 to 200.
    pub people: u32,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HallwayWalks {
    /// A row for each model.
    pub rows: Vec<HallwayRow>,
    /// The first model beside each of the others.
    pub comparisons: Vec<HallwayComparison>,
}

/// How people with one model walk, over all walkers of all seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HallwayRow {
    /// The model.
    pub model: Steering,
    /// The six metrics.
    pub walks: Walks,
    /// The order of lanes while the groups walk through each other, over the seeds.
    pub lane_order: Spread,
    /// How many walkers did not make the trip.
    pub stuck: usize,
    /// The smallest gap between two bodies, m; negative if they overlapped.
    pub smallest_gap: f64,
}

/// Whether two models differ, metric by metric; `None` where nothing varies. As data, both are lists.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HallwayComparison {
    /// The two models.
    pub models: [Steering; 2],
    /// Over all walkers.
    #[serde(serialize_with = "WalkMetrics::serialize_list")]
    pub tests: WalkMetrics<Option<Welch>>,
    /// Over the means of all walkers, seed by seed: the same people at the same places.
    #[serde(serialize_with = "WalkMetrics::serialize_list")]
    pub by_seed: WalkMetrics<Option<Paired>>,
}

impl Default for Hallway {
    fn default() -> Self {
        Self { setup: Setup::of(&["predictive", "social_force", "orca"], 5), people: 100 }
    }
}

impl Hallway {
    /// Makes the experiment, as long as `watch` says so.
    pub fn run(&self, watch: Watch) -> Result<HallwayWalks, ExperimentError> {
        self.setup.check()?;
        in_range("the number of people", self.people.into(), [2.0, 200.0], "2 to 200")?;
        let cases = self.setup.cases(&[()]);
        let runs = run_all(&cases, watch, |case, runs| self.walk(case, runs))?;
        let by_model: Vec<&[Run]> = runs.chunks(self.setup.seeds as usize).collect();
        let models = &self.setup.models;
        let rows = models.iter().zip(&by_model).map(|(model, runs)| HallwayRow::of(model, runs));
        let others = models.iter().zip(&by_model).skip(1);
        let comparisons = others.map(|(other, runs)| HallwayComparison {
            models: [models[0].clone(), other.clone()],
            tests: WALK_METRICS
                .map(|metric| Welch::test(&values(by_model[0], metric), &values(runs, metric))),
            by_seed: WALK_METRICS.map(|metric| {
                Paired::test(
                    by_model[0].iter().zip(*runs).map(|(a, b)| (a.mean(metric), b.mean(metric))),
                )
            }),
        });
        Ok(HallwayWalks { comparisons: comparisons.collect(), rows: rows.collect() })
    }

    fn walk(&self, case: &Case<()>, runs: &Runs) -> Result<Run, ExperimentError> {
        let (mut tracks, mut starts) = (Tracks::default(), BTreeMap::new());
        let (mut orders, mut smallest_gap) = (Vec::new(), f64::INFINITY);
        runs.simulate(case.scene("hallway", self.scene())?, |frame| {
            tracks.push(frame.into());
            orders.extend(order(frame));
            smallest_gap = smallest_gap.min(gap(frame));
            let mut on_the_way = false;
            for (id, position) in frame.people.ids.iter().zip(&frame.people.positions) {
                let start = *starts.entry(*id).or_insert(position.as_dvec2());
                on_the_way |= !has_arrived(start, position.as_dvec2());
            }
            on_the_way
        })?;
        let trips: Vec<_> = tracks
            .iter()
            .map(|(_, track)| track.until(|point| has_arrived(track.points[0], point)))
            .collect();
        let arrived = |trip: &&Track| {
            trip.points.last().is_some_and(|&last| has_arrived(trip.points[0], last))
        };
        let walks: Vec<Walk> = trips.iter().filter(arrived).filter_map(Walk::of).collect();
        let stuck = trips.len() - walks.len();
        Ok(Run { stuck, walks, lane_order: Spread::of(&orders).mean, smallest_gap })
    }

    fn scene(&self) -> SceneFile {
        let each = self.people / 2;
        let (half, margin) = (WIDTH / 2.0, WIDTH / 2.0 - 0.4);
        let depth = f64::from(each) / START_DENSITY / WIDTH;
        let [near, far] = [(TRIP - depth) / 2.0, (TRIP + depth) / 2.0];
        let end = far + DURATION * WALKERS.speed_limits[1] * 1.3;
        let walls = [[[-end, half], [end, half + 0.3]], [[-end, -half - 0.3], [end, -half]]];
        let regions = [
            ("left", [[-far, -margin], [-near, margin]]),
            ("right", [[near, -margin], [far, margin]]),
        ];
        let group =
            |name, from, way| WALKERS.group(name, [Goal::flow([way, 0.0])]).crowd(each, from);
        let groups = [group("rightwards", "left", 1.0), group("leftwards", "right", -1.0)];
        scene(DURATION, [[-end, -6.0], [end, 6.0]], &walls, &regions, groups)
    }
}

/// Both groups walk along x, and nobody that far back.
fn has_arrived(start: DVec2, point: DVec2) -> bool {
    (point.x - start.x).abs() >= TRIP
}

/// The order of lanes in the middle, while enough of both groups are there.
fn order(frame: &Frame) -> Option<f64> {
    let (reach, least) = LANES;
    let people = &frame.people;
    let walkers: Vec<(f64, bool)> = (people.positions.iter().zip(&people.groups))
        .filter(|(position, _)| position.x.abs() < reach)
        .map(|(position, group)| (f64::from(position.y), *group == GroupId(0)))
        .collect();
    let rightwards = walkers.iter().filter(|walker| walker.1).count();
    let enough = rightwards >= least && walkers.len() - rightwards >= least;
    enough.then(|| lane_order(&walkers, LANE_HALF_WIDTH)).flatten()
}

/// The smallest gap between two bodies, m.
fn gap(frame: &Frame) -> f64 {
    let people = &frame.people;
    let bodies: Vec<_> = people.positions.iter().zip(&people.radii).collect();
    let gaps = bodies.iter().enumerate().flat_map(|(i, (place, radius))| {
        bodies[..i].iter().map(move |other| place.distance(*other.0) - *radius - other.1)
    });
    gaps.fold(f32::INFINITY, f32::min).into()
}

/// One crowd that has walked through the hallway.
struct Run {
    walks: Vec<Walk>,
    stuck: usize,
    lane_order: f64,
    smallest_gap: f64,
}

impl Run {
    /// The mean of a metric over all walkers; 0 if there are none.
    fn mean(&self, metric: WalkMetric) -> f64 {
        mean(self.walks.iter().map(metric.of)).unwrap_or_default()
    }
}

fn values(runs: &[Run], metric: WalkMetric) -> Vec<f64> {
    runs.iter().flat_map(|run| run.walks.iter().map(metric.of)).collect()
}

impl HallwayRow {
    fn of(model: &Steering, runs: &[Run]) -> Self {
        let walks: Vec<Walk> = runs.iter().flat_map(|run| run.walks.iter().copied()).collect();
        let orders: Vec<f64> = runs.iter().map(|run| run.lane_order).collect();
        Self {
            model: model.clone(),
            walks: Walks::of(&walks),
            lane_order: Spread::of(&orders),
            stuck: runs.iter().map(|run| run.stuck).sum(),
            smallest_gap: runs.iter().map(|run| run.smallest_gap).fold(f64::INFINITY, f64::min),
        }
    }
}

impl fmt::Display for HallwayWalks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paper: Vec<String> = PUBLISHED_WALKS
            .iter()
            .map(|walks| format!("Karamouzas 2009: {}", walks.name))
            .collect();
        let compared = |HallwayComparison { models: [first, other], .. }: &HallwayComparison| {
            [format!("p, {first} and {other}"), format!("{first} - {other} (p)")]
        };
        let compared: Vec<String> = self.comparisons.iter().flat_map(compared).collect();
        let width = paper.iter().chain(&compared).map(String::len).max().unwrap_or_default();
        let width = width.max(model_width(self.rows.iter().map(|row| &row.model)));
        write!(f, "{:<width$}", "mean (sd)")?;
        WALK_METRICS.iter().try_for_each(|metric| write!(f, " {:>16}", metric.head))?;
        writeln!(f, " {:>10} {:>6} {:>6} {:>8}", "smooth med", "lanes", "stuck", "gap m")?;
        let pair = |mean: f64, sd: f64| format!("{mean:.2} ({sd:.2})");
        for row in &self.rows {
            write!(f, "{:<width$}", row.model)?;
            row.walks.iter().try_for_each(|m| write!(f, " {:>16}", pair(m.mean, m.sd)))?;
            let (median, order) = (row.walks.smoothness.median, row.lane_order.mean);
            let (stuck, gap) = (row.stuck, row.smallest_gap);
            writeln!(f, " {median:>10.3} {order:>6.2} {stuck:>6} {gap:>8.4}")?;
        }
        for (label, published) in paper.iter().zip(PUBLISHED_WALKS) {
            write!(f, "{label:<width$}")?;
            let mut metrics = published.metrics.iter();
            metrics.try_for_each(|Mean { mean, sd }| write!(f, " {:>16}", pair(*mean, *sd)))?;
            writeln!(f)?;
        }
        for (labels, comparison) in compared.chunks(2).zip(&self.comparisons) {
            write!(f, "{:<width$}", labels[0])?;
            for test in comparison.tests.iter() {
                let p = test.map_or_else(|| "-".into(), |welch| significance(welch.p));
                write!(f, " {p:>16}")?;
            }
            write!(f, "\n{:<width$}", labels[1])?;
            for test in comparison.by_seed.iter() {
                let both = |Paired { difference, p, .. }: Paired| {
                    let digits = if difference.abs() < 1.0 { 4 } else { 2 };
                    format!("{difference:+.digits$} ({})", significance(p))
                };
                write!(f, " {:>16}", test.map_or_else(|| "-".into(), both))?;
            }
            writeln!(f)?;
        }
        write!(
            f,
            "p: how probable such a difference is by chance; first by Welch's t-test over all \
             walkers, then by a t-test of the means of each seed, pair by pair."
        )?;
        match self.rows.iter().any(|row| row.model.model() == "orca") {
            true => write!(f, "\nORCA stands in for the paper's RVO, from which it stems."),
            false => Ok(()),
        }
    }
}

fn significance(p: f64) -> String {
    if p < 1e-4 { "<0.0001".into() } else { format!("{p:.4}") }
}
