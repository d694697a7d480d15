//! What came of a study, in numbers.

use std::fmt;

use serde::Serialize;
use throng::crowd::steering::MODELS;
use throng_base::Distribution;
use throng_world::Scene;
use throng_world::scene::{Group, MeasuredPlace, Wait};

use super::convergence::{Change, Convergence, averaged};
use super::maps::{Bottleneck, MapCell, bottlenecks, joined, level_of_service};
use super::run::{Evacuation, Evacuee, exits};
use super::widths::passages;
use super::{Study, StudyRun, complete};
use crate::line::{Passages, Trim};
use crate::statistics::{Spread, mean, quantile};

/// Flows are counted in intervals of this length, s.
const FLOW_INTERVAL: f64 = 5.0;

/// Largest flow through doors that guidelines reckon with, people/(m s) (IMO MSC.1/Circ. 1533).
const LARGEST_FLOW: f64 = 1.3;

/// So many bottlenecks are listed at most.
const BOTTLENECKS: usize = 8;

/// What came of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The scene's title.
    pub scene: String,
    /// Version and build of the engine.
    pub engine: String,
    /// A digest of the scene's files.
    pub digest: String,
    /// Seeds that count, from 0 on.
    pub seeds: usize,
    /// After how many runs the distribution stayed as it was; nothing if that is still to come.
    pub converged_after: Option<usize>,
    /// What was asked for.
    pub convergence: Convergence,
    /// What each run has changed.
    pub changes: Vec<Change>,
    /// Total evacuation times.
    pub total: Times,
    /// Each run.
    pub runs: Vec<RunTimes>,
    /// When the first, the second, … person is out, averaged over the runs, s.
    pub egress: Vec<f64>,
    /// By exit, those elsewhere last.
    pub exits: Vec<ExitUse>,
    /// By line that the scene measures.
    pub lines: Vec<LineFlow>,
    /// By group.
    pub groups: Vec<GroupTimes>,
    /// Where people wait, the worst first.
    pub bottlenecks: Vec<Bottleneck>,
    /// Share of all time that people have at each level of service, A to F.
    pub levels_of_service: [f64; 6],
    /// The last person of each run.
    pub last: Vec<LastPerson>,
    /// What it rests on.
    pub assumptions: Vec<(String, String)>,
    /// What is to be known before its numbers are used.
    pub warnings: Vec<String>,
    /// Width of a flow's interval, s.
    pub flow_interval: f64,
    /// Maps of all floors, means over the runs.
    pub cells: Vec<MapCell>,
}

/// Times of several runs, s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// How many there are.
    pub count: usize,
    /// Mean; nothing if there are none, as in all that follow.
    pub mean: Option<f64>,
    /// Standard deviation.
    pub sd: Option<f64>,
    /// Smallest.
    pub min: Option<f64>,
    /// Median.
    pub median: Option<f64>,
    /// 90th percentile.
    pub p90: Option<f64>,
    /// 95th percentile.
    pub p95: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
}

impl Times {
    fn of(values: &[f64]) -> Self {
        let spread = Spread::of(values);
        let is_there = |value: f64| (spread.count > 0).then_some(value);
        let at = |share: f64| quantile(values, share);
        Self {
            count: spread.count,
            mean: is_there(spread.mean),
            sd: is_there(spread.sd),
            min: at(0.0),
            median: at(0.5),
            p90: at(0.9),
            p95: at(0.95),
            max: at(1.0),
        }
    }
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunTimes {
    /// Its seed.
    pub seed: u64,
    /// How many people there were.
    pub people: usize,
    /// How many were out in the end.
    pub out: usize,
    /// When the last was, s; nothing if somebody was not.
    pub total: Option<f64>,
    /// Half of all, 90 % and 95 % of all were out, s.
    pub shares: [Option<f64>; 3],
    /// When the last person set out, s.
    pub last_set_out: Option<f64>,
    /// Why there is no result; nothing if there is one.
    pub failure: Option<String>,
}

/// An exit, or everything elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExitUse {
    /// The region's name; nothing for elsewhere.
    pub name: Option<String>,
    /// Width of the narrowest passage on the shortest way to it from where people start, m; nothing in the open.
    pub width: Option<f64>,
    /// What passes there at most by guidelines, people/s.
    pub capacity: Option<f64>,
    /// How many people leave by it: mean over the runs.
    pub people: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Their share of all.
    pub share: f64,
    /// When the first and the last leave by it, means over the runs, s.
    pub first: Option<f64>,
    /// See `first`.
    pub last: Option<f64>,
    /// People per second from the first to the last, mean over the runs.
    pub flow: Option<f64>,
    /// The largest flow of an interval, mean over the runs, people/s.
    pub peak_flow: Option<f64>,
    /// Flow in each interval, mean over the runs, people/s.
    pub flows: Vec<f64>,
}

/// A line that the scene measures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineFlow {
    /// The measurement's name.
    pub name: String,
    /// Length, m.
    pub length: f64,
    /// People who pass forwards and backwards in each run.
    pub passages: Vec<[usize; 2]>,
    /// From the first to the last who passes forwards in each run, people/s.
    pub flows: Vec<Option<f64>>,
    /// Mean of the flows, people/s.
    pub flow: Option<f64>,
    /// The same by the length, people/(m s).
    pub specific_flow: Option<f64>,
}

/// The people of a group, means over all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupTimes {
    /// Its name.
    pub name: String,
    /// How many there are.
    pub people: f64,
    /// How long they stay before they set out, s.
    pub delay: Times,
    /// When they are out, s.
    pub out: Times,
    /// How long they wait on the way, s.
    pub waited: Option<f64>,
    /// How far they walk, m.
    pub walked: Option<f64>,
    /// How many are not out when a run ends.
    pub remaining: f64,
}

/// The last person of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LastPerson {
    /// The run.
    pub seed: u64,
    /// Who.
    pub id: u32,
    /// Group.
    pub group: String,
    /// Exit; nothing for elsewhere.
    pub exit: Option<String>,
    /// When they were out, s.
    pub out: Option<f64>,
    /// Time before they set out, on the way and not waiting, and waiting on the way, s.
    pub delay: f64,
    /// See `delay`.
    pub walking: f64,
    /// See `delay`.
    pub waited: f64,
    /// How far they walked, m.
    pub walked: f64,
    /// What took most of the time.
    pub reason: &'static str,
    /// What they did, and since when, s.
    pub history: Vec<(f64, String)>,
}

impl Report {
    pub(super) fn of(study: &Study, runs: &[StudyRun]) -> Self {
        let scene = &study.scene;
        let done: Vec<&Evacuation> =
            runs.iter().filter_map(|run| run.result.as_ref().ok()).collect();
        let curves: Vec<Vec<f64>> = complete(runs).map(Evacuation::curve).collect();
        let totals: Vec<f64> = complete(runs).filter_map(Evacuation::total).collect();
        let changes = Convergence::changes(&curves);
        let cells = joined(done.iter().map(|run| &run.cells[..]));
        let mut report = Self {
            scene: scene.name.clone(),
            engine: study.engine.clone(),
            digest: study.hash.clone(),
            seeds: runs.len(),
            converged_after: study.convergence.reached(&changes),
            convergence: study.convergence,
            changes,
            total: Times::of(&totals),
            runs: runs.iter().map(run_times).collect(),
            egress: averaged(&curves),
            exits: exit_uses(scene, &done),
            lines: line_flows(scene, &done),
            groups: group_times(scene, &done),
            bottlenecks: bottlenecks(&cells, scene, BOTTLENECKS),
            levels_of_service: levels(&cells),
            last: runs.iter().filter_map(|run| last_person(scene, run)).collect(),
            assumptions: assumptions(study),
            warnings: Vec::new(),
            flow_interval: FLOW_INTERVAL,
            cells,
        };
        report.warnings = warnings(study, &report, &done);
        report
    }
}

fn run_times(run: &StudyRun) -> RunTimes {
    let seed = run.key.seed;
    match &run.result {
        Err(failure) => RunTimes {
            seed,
            people: 0,
            out: 0,
            total: None,
            shares: [None; 3],
            last_set_out: None,
            failure: Some(failure.clone()),
        },
        Ok(run) => {
            let (curve, people) = (run.curve(), run.people.len());
            let nth = |share: f64| ((share * people as f64).ceil() as usize).max(1);
            let at = |share: f64| curve.get(nth(share) - 1).copied();
            RunTimes {
                seed,
                people,
                out: curve.len(),
                total: run.total(),
                shares: [0.5, 0.9, 0.95].map(at),
                last_set_out: run.people.iter().map(|person| person.set_out).reduce(f64::max),
                failure: None,
            }
        }
    }
}

fn exit_uses(scene: &Scene, runs: &[&Evacuation]) -> Vec<ExitUse> {
    let ids = exits(scene);
    let widths = passages(scene, &ids);
    let names = ids.iter().map(|id| scene.regions[usize::from(id.0)].name.clone());
    let all = mean(runs.iter().map(|run| run.curve().len() as f64)).unwrap_or(0.0);
    let numbers = names.enumerate().map(|(index, name)| (Some(index as u16), Some(name)));
    let uses = numbers.chain([(None, None)]).map(|(number, name)| {
        let times: Vec<Vec<f64>> = runs
            .iter()
            .map(|run| {
                let by = |person: &&Evacuee| person.exit == number;
                let mut times: Vec<f64> =
                    run.people.iter().filter(by).filter_map(|person| person.out).collect();
                times.sort_by(f64::total_cmp);
                times
            })
            .collect();
        let counts: Vec<f64> = times.iter().map(|times| times.len() as f64).collect();
        let Spread { mean: people, sd, .. } = Spread::of(&counts);
        let binned: Vec<Vec<f64>> = times.iter().map(|times| binned(times)).collect();
        let longest = binned.iter().map(Vec::len).max().unwrap_or(0);
        let flow_at = |bin: usize| {
            let flows = binned.iter().map(|flows| flows.get(bin).copied().unwrap_or(0.0));
            mean(flows).unwrap_or(0.0)
        };
        let peaks = binned.iter().filter_map(|flows| flows.iter().copied().reduce(f64::max));
        let flow = |times: &Vec<f64>| Passages::new(times.clone()).flow(Trim::default());
        let width = number.and_then(|number| *widths.get(usize::from(number))?);
        ExitUse {
            name,
            width,
            capacity: width.map(|width| LARGEST_FLOW * width),
            people,
            sd,
            share: if all > 0.0 { people / all } else { 0.0 },
            first: mean(times.iter().filter_map(|times| times.first().copied())),
            last: mean(times.iter().filter_map(|times| times.last().copied())),
            flow: mean(times.iter().filter_map(flow)),
            peak_flow: mean(peaks),
            flows: (0..longest).map(flow_at).collect(),
        }
    });
    let is_used = |exit: &ExitUse| exit.name.is_some() || exit.people > 0.0;
    uses.filter(is_used).collect()
}

/// People per second in each interval.
fn binned(times: &[f64]) -> Vec<f64> {
    let bin = |time: f64| (time / FLOW_INTERVAL) as usize;
    let mut flows = vec![0.0; times.last().map_or(0, |last| bin(*last) + 1)];
    times.iter().for_each(|time| flows[bin(*time)] += 1.0 / FLOW_INTERVAL);
    flows
}

fn line_flows(scene: &Scene, runs: &[&Evacuation]) -> Vec<LineFlow> {
    let lines = scene.measurements.iter().filter_map(|measurement| match measurement.place {
        MeasuredPlace::Line([a, b]) => Some((measurement.name.clone(), f64::from(a.distance(b)))),
        MeasuredPlace::Area { .. } => None,
    });
    let line = |(index, (name, length)): (usize, (String, f64))| {
        let of_runs = || runs.iter().filter_map(|run| run.lines.get(index));
        let flow = |times: &[Vec<f64>; 2]| Passages::new(times[0].clone()).flow(Trim::default());
        let flows: Vec<Option<f64>> = of_runs().map(flow).collect();
        let flow = mean(flows.iter().copied().flatten());
        LineFlow {
            name,
            length,
            passages: of_runs().map(|times| [times[0].len(), times[1].len()]).collect(),
            flows,
            flow,
            specific_flow: flow.map(|flow| flow / length),
        }
    };
    lines.enumerate().map(line).collect()
}

fn group_times(scene: &Scene, runs: &[&Evacuation]) -> Vec<GroupTimes> {
    let group = |(index, group): (usize, &Group)| {
        let people = || {
            let all = runs.iter().flat_map(|run| &run.people);
            all.filter(move |person| usize::from(person.group) == index)
        };
        let per_run = |count: usize| count as f64 / runs.len().max(1) as f64;
        let delays: Vec<f64> = people().map(|person| person.set_out - person.appeared).collect();
        let out: Vec<f64> = people().filter_map(|person| person.out).collect();
        GroupTimes {
            name: group.name.clone(),
            people: per_run(delays.len()),
            delay: Times::of(&delays),
            waited: mean(people().map(|person| person.waited)),
            walked: mean(people().map(|person| person.walked)),
            remaining: per_run(delays.len() - out.len()),
            out: Times::of(&out),
        }
    };
    scene.groups.iter().enumerate().map(group).collect()
}

fn levels(cells: &[MapCell]) -> [f64; 6] {
    let mut levels = [0.0; 6];
    for cell in cells {
        levels[level_of_service(cell.mean_density())] += cell.presence;
    }
    let all: f64 = levels.iter().sum();
    if all > 0.0 { levels.map(|time| time / all) } else { levels }
}

fn last_person(scene: &Scene, run: &StudyRun) -> Option<LastPerson> {
    let result = run.result.as_ref().ok()?;
    let person = result.last_person()?;
    let end = person.out.unwrap_or(result.ended);
    let delay = person.set_out - person.appeared;
    let walking = (end - person.set_out - person.waited).max(0.0);
    let parts = [
        (delay, "set out late"),
        (person.waited, "waited on the way"),
        (walking, "walked a long way, or slowly"),
        (person.appeared, "came late"),
    ];
    let most = parts.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let reason = match person.status.as_str() {
        "no_path" => "found no way",
        _ => most.map_or("", |(_, reason)| reason),
    };
    let exit = person.exit.and_then(|exit| exits(scene).get(usize::from(exit)).copied());
    Some(LastPerson {
        seed: run.key.seed,
        id: person.id,
        group: scene.groups.get(usize::from(person.group))?.name.clone(),
        exit: exit.map(|id| scene.regions[usize::from(id.0)].name.clone()),
        out: person.out,
        delay,
        walking,
        waited: person.waited,
        walked: person.walked,
        reason,
        history: result.last.clone(),
    })
}

fn assumptions(study: &Study) -> Vec<(String, String)> {
    let scene = &study.scene;
    let settings = &scene.settings;
    let mut list = vec![
        ("Seeds".into(), "0, 1, 2, … until nothing changes".to_owned()),
        ("Step".into(), format!("{} s", settings.step)),
        ("Longest time of a run".into(), format!("{} s", settings.duration)),
        ("Engine".into(), format!("Throng {}", study.engine)),
        ("Scene".into(), format!("digest {}", study.hash)),
    ];
    for group in &scene.groups {
        let mut said = vec![
            format!("steering model {}", group.steering.model),
            format!("speed {} m/s", shown(group.body.speed)),
            format!("radius {} m", shown(group.body.radius)),
            format!("time before movement {}", delay(group)),
        ];
        let climbing = [("stairs", group.climbing.stairs), ("ramps", group.climbing.ramps)];
        for (kind, speeds) in climbing {
            for (way, speed) in ["up", "down"].into_iter().zip(speeds) {
                said.extend(speed.map(|speed| format!("{way} {kind} {} m/s", shown(speed))));
            }
        }
        list.push((format!("Group {:?}", group.name), said.join("; ")));
    }
    list
}

/// What a group says about the time before its people set out.
fn delay(group: &Group) -> String {
    match group.goals.first() {
        Some(goal) if goal.aim == throng_world::scene::Aim::Idle => match &goal.wait {
            None => format!("{} s", goal.duration),
            Some(Wait::Drawn(distribution)) => format!("{} s", shown(*distribution)),
            Some(Wait::Measured(_)) => "from a file".into(),
        },
        _ => "none".into(),
    }
}

fn shown(distribution: Distribution) -> String {
    let limits = |min: f32, max: f32| match (min, max) {
        (0.0, f32::INFINITY) => String::new(),
        (min, f32::INFINITY) => format!(", at least {min}"),
        (min, max) => format!(" from {min} to {max}"),
    };
    match distribution {
        Distribution::Constant(value) => value.to_string(),
        Distribution::Uniform { min, max } => format!("uniform{}", limits(min, max)),
        Distribution::Normal { mean, sd, min, max } => {
            format!("normal (mean {mean}, standard deviation {sd}){}", limits(min, max))
        }
        Distribution::LogNormal { log_mean, log_sd, min, max } => {
            format!("log-normal (μ {log_mean}, σ {log_sd}){}", limits(min, max))
        }
        Distribution::Weibull { scale, shape, min, max } => {
            format!("Weibull (scale {scale}, shape {shape}){}", limits(min, max))
        }
    }
}

fn warnings(study: &Study, report: &Report, runs: &[&Evacuation]) -> Vec<String> {
    let (scene, seeds) = (&study.scene, report.seeds);
    let mut warnings = Vec::new();
    let uncalibrated: Vec<String> = (scene.groups.iter())
        .filter(|group| MODELS.info(&group.steering.model).is_some_and(|info| !info.calibrated))
        .map(|group| format!("{:?} ({})", group.name, group.steering.model))
        .collect();
    if !uncalibrated.is_empty() {
        warnings.push(format!(
            "The steering model of group {} is not calibrated on measurements of people; times and flows are no \
             prediction. Take the model \"pedestrian\".",
            uncalibrated.join(", ")
        ));
    }
    for run in report.runs.iter().filter(|run| run.failure.is_some()).take(3) {
        let why = run.failure.as_deref().unwrap_or_default();
        warnings.push(format!("Seed {} has no result: {why}", run.seed));
    }
    let left = runs.iter().filter(|run| run.total().is_none()).count();
    if left > 0 {
        warnings.push(format!(
            "In {left} of {} runs somebody was not out after {} s; total times are those of the other runs. Lengthen \
             the duration of the scene, or look at who is left.",
            runs.len(),
            scene.settings.duration
        ));
    }
    for (index, group) in scene.groups.iter().enumerate() {
        let lost = |person: &&Evacuee| {
            usize::from(person.group) == index && person.out.is_none() && person.status == "no_path"
        };
        let lost = runs.iter().map(|run| run.people.iter().filter(lost).count()).max().unwrap_or(0);
        if lost > 0 {
            warnings.push(format!(
                "Up to {lost} people of group {:?} find no way to where they want to go.",
                group.name
            ));
        }
    }
    for exit in report.exits.iter().filter(|exit| exit.people == 0.0 && !runs.is_empty()) {
        let name = exit.name.as_deref().unwrap_or_default();
        warnings.push(format!("Nobody left by exit {name:?} in any run."));
    }
    if let Some(elsewhere) = report.exits.iter().find(|exit| exit.name.is_none()) {
        warnings.push(format!(
            "{:.1} people per run were out elsewhere than at a region that goals lead to.",
            elsewhere.people
        ));
    }
    if report.converged_after.is_none() {
        warnings.push(format!(
            "The distribution of evacuation times has not converged after {seeds} runs; allow more with --seeds-max."
        ));
    }
    warnings
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.1}"));
        let Times { mean, sd, median, p90, p95, max, .. } = self.total;
        let runs = self.seeds;
        writeln!(f, "{}: {runs} runs", self.scene)?;
        match self.converged_after {
            Some(after) => writeln!(f, "  converged after {after} runs")?,
            None => writeln!(f, "  not converged")?,
        }
        writeln!(
            f,
            "  total time {} s on average, sd {} s; median {}, 90 % {}, 95 % {}, largest {} s",
            number(mean),
            number(sd),
            number(median),
            number(p90),
            number(p95),
            number(max)
        )?;
        for exit in &self.exits {
            let name = exit.name.as_ref().map_or("elsewhere".into(), |name| format!("{name:?}"));
            writeln!(
                f,
                "  exit {name}: {:.1} people ({:.0} %), last after {} s, flow {} people/s",
                exit.people,
                100.0 * exit.share,
                number(exit.last),
                exit.flow.map_or("-".into(), |flow| format!("{flow:.2}")),
            )?;
        }
        Ok(())
    }
}
