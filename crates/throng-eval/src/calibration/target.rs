//! What parameters are calibrated to: tests of suites, situations with criteria, and recorded tracks.
//!
//! Each target has runs, which give numbers for a model and a seed, and makes a result of the numbers of all seeds: a value to
//! read, an outcome, and a distance from what is expected that is 0 if and only if all of it is met. Tests have theirs from their comparisons
//! ([`Misfit`]); of criteria, each is a comparison in each run; of tracks, it is the error as a share of that of walking straight on.

use std::ffi::OsStr;
use std::path::Path;

use serde::Serialize;
use throng_base::words::nearest;
use throng_world::scene::{Comparison, Criterion};

use super::Split;
use super::tracks::{NUMBERS, TrackWindows};
use crate::batch::{BatchError, Model, RunKey, Subject, criteria_of};
use crate::experiments::{Runs, Steering};
use crate::scenarios::{SCENARIOS, scenario};
use crate::score::ScoreOptions;
use crate::statistics::mean;
use crate::verification::{Grade, Numbers, Outcome, SingleTest, SuiteRun, timed};

/// One target.
pub struct Target {
    pub(super) name: String,
    pub(super) weight: f64,
    kind: Kind,
}

enum Kind {
    Test(SingleTest),
    Situation { subject: Subject, criteria: Vec<Criterion>, effort: u64 },
    Tracks(Box<TrackWindows>),
}

/// What came of a target with some parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TargetResult {
    /// How it came out.
    pub outcome: Outcome,
    /// What was measured: mean over the seeds, with the standard deviation.
    pub value: String,
    /// What else is worth knowing; empty if nothing is.
    pub detail: String,
    /// How far it is from what is expected; 0 if that is met.
    pub distance: f64,
    /// How far it is from the middle of the ranges, 0 to 1.
    pub off_centre: f64,
}

/// A run that a target needs: its key, and how much work it is in tenths of a second.
pub(super) struct Job {
    pub key: RunKey,
    pub effort: u64,
}

/// A model and what it is looked at with.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    pub steering: &'a Steering,
    pub split: Split,
    pub seed: u64,
    pub step: f64,
    pub engine: &'a str,
}

impl Target {
    /// The target of this name: the number of a test, the name of a situation, a scene file (.toml) or a recording
    /// (.parquet). Files are looked for in `folder`.
    pub(super) fn find(name: &str, folder: &Path, held_out_people: f64) -> Result<Self, String> {
        let ending = Path::new(name).extension().map(OsStr::to_ascii_lowercase);
        let (name, kind) = if let Some(test) = SingleTest::find(name) {
            (test.id().to_owned(), Kind::Test(test))
        } else if let Some(shipped) = scenario(name) {
            (name.to_owned(), situation(Subject::shipped(shipped))?)
        } else if ending.as_ref().is_some_and(|ending| ending == "toml") {
            let subject = Subject::load(&folder.join(name)).map_err(|errors| errors.to_string())?;
            (name.to_owned(), situation(subject)?)
        } else if ending.as_ref().is_some_and(|ending| ending == "parquet") {
            let windows = TrackWindows::load(&folder.join(name), held_out_people)?;
            (name.to_owned(), Kind::Tracks(Box::new(windows)))
        } else {
            return Err(unknown(name));
        };
        Ok(Self { name: name.replace(['\n', '\r'], " "), weight: 1.0, kind })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is about.
    pub fn title(&self) -> String {
        match &self.kind {
            Kind::Test(test) => test.title().into(),
            Kind::Situation { .. } => "situation".into(),
            Kind::Tracks(windows) => match windows.left_out {
                0 => "tracks".into(),
                count => format!("tracks without {count} windows that cannot be simulated"),
            },
        }
    }

    /// What is expected.
    pub fn expected(&self) -> String {
        match &self.kind {
            Kind::Test(test) => test.expected().into(),
            Kind::Situation { criteria, .. } => {
                criteria.iter().map(Criterion::text).collect::<Vec<_>>().join("; ")
            }
            Kind::Tracks(_) => "a smaller error over 4.8 s than that of walking straight on".into(),
        }
    }

    /// Whether it is about recorded people, who are held out beside seeds.
    pub fn has_people(&self) -> bool {
        matches!(self.kind, Kind::Tracks(_))
    }

    /// The runs of a trial.
    pub(super) fn jobs(&self, trial: Trial) -> Vec<Job> {
        match &self.kind {
            Kind::Test(test) => {
                let job = |name| Job { key: test_key(name, trial), effort: test.effort(name) };
                test.measures().map(job).collect()
            }
            Kind::Situation { effort, .. } => {
                vec![Job { key: self.own_key(trial), effort: *effort }]
            }
            Kind::Tracks(windows) => {
                vec![Job { key: self.own_key(trial), effort: windows.effort(trial.split) }]
            }
        }
    }

    /// Makes a run that it needs.
    pub(super) fn run(
        &self,
        key: &RunKey,
        trial: Trial,
        runs: &Runs,
    ) -> Result<SuiteRun, BatchError> {
        match &self.kind {
            Kind::Test(test) => test.run(key, trial.steering, trial.step, runs),
            Kind::Situation { subject, .. } => timed(key, || {
                let model = Model::Steering(trial.steering.clone());
                let scene = subject.scene(&model, trial.seed)?;
                criteria_of(&scene, &ScoreOptions::default(), runs)
            }),
            Kind::Tracks(windows) => timed(key, || {
                let Trial { steering, split, seed, step, .. } = trial;
                windows.measure(split, steering, seed as u32, step, runs)
            }),
        }
    }

    /// What comes of its runs: for each of its jobs, the numbers of each seed.
    pub(super) fn result(&self, runs: &[Vec<Numbers>]) -> TargetResult {
        let seeds = runs.first().map_or(&[][..], Vec::as_slice);
        match &self.kind {
            Kind::Test(test) => test_result(test, runs),
            Kind::Situation { criteria, .. } => criteria_result(criteria, seeds),
            Kind::Tracks(_) => tracks_result(seeds),
        }
    }

    fn own_key(&self, trial: Trial) -> RunKey {
        let (hash, options) = match &self.kind {
            Kind::Tracks(windows) => {
                let people = trial.split.name();
                let Trial { step, .. } = trial;
                let share = windows.held_out;
                (windows.hash.clone(), format!("step {step} s; {people} people, {share} held out"))
            }
            Kind::Situation { subject, .. } => {
                (subject.hash().to_owned(), format!("criteria {:?}", ScoreOptions::default()))
            }
            Kind::Test(_) => (String::new(), String::new()),
        };
        RunKey {
            scenario: self.name.clone(),
            hash,
            model: trial.steering.to_string(),
            seed: trial.seed,
            engine: trial.engine.into(),
            options,
        }
    }
}

fn test_key(name: &str, trial: Trial) -> RunKey {
    SingleTest::key(name, trial.steering, trial.seed, trial.step, trial.engine)
}

fn situation(subject: Subject) -> Result<Kind, String> {
    let scene = subject.scene(&Model::OfScene, 0).map_err(|errors| errors.to_string())?;
    let criteria = scene.evaluation.as_ref().map(|of| of.criteria.clone()).unwrap_or_default();
    if criteria.is_empty() {
        return Err(format!(
            "{} has no criteria to be met; write some in its [evaluation] table, e.g. criteria = [\"collisions == 0\"]",
            subject.name()
        ));
    }
    let people = scene.initial_people() + scene.expected_arrivals(scene.settings.duration);
    // A person takes about 0.2 ms for a second, and finding ways some more.
    let effort = 1 + (scene.settings.duration.min(1e6) as u64).saturating_mul(people + 20) / 5000;
    Ok(Kind::Situation { subject, criteria: criteria.into_iter().collect(), effort })
}

fn unknown(name: &str) -> String {
    let known = || SingleTest::ids().chain(SCENARIOS.iter().map(|scenario| scenario.name));
    let help = match nearest(name, known()) {
        Some(similar) => format!("do you mean {similar}?"),
        None => "name a test (RiMEA 1 to 16, realism V01 to R05), a situation (\"throng eval list\"), a scene file (.toml) or a recording (.parquet)".into(),
    };
    format!("there is no target \"{name}\"; {help}")
}

fn test_result(test: &SingleTest, runs: &[Vec<Numbers>]) -> TargetResult {
    match test.check(runs) {
        Some(check) => TargetResult {
            outcome: check.outcome,
            value: check.value,
            detail: check.detail,
            distance: check.misfit.distance,
            off_centre: check.misfit.off_centre,
        },
        None => failed("there is no such test"),
    }
}

fn failed(why: &str) -> TargetResult {
    result_of(&Grade::worst_of(Outcome::Broken), "cannot be run".into(), why.into())
}

fn result_of(grade: &Grade, value: String, detail: String) -> TargetResult {
    let misfit = grade.misfit();
    TargetResult {
        outcome: grade.outcome,
        value,
        detail,
        distance: misfit.distance,
        off_centre: misfit.off_centre,
    }
}

/// The numbers of all seeds, or why there are none.
fn measured<'r>(seeds: &'r [Numbers], count: usize) -> Result<Vec<&'r [f64]>, String> {
    if seeds.is_empty() {
        return Err("no run was made".into());
    }
    let numbers = |run: &'r Numbers| match run {
        Some(Ok(numbers)) if numbers.len() == count => Ok(numbers.as_slice()),
        Some(Err(why)) => Err(why.clone()),
        Some(Ok(_)) | None => Err("a run is missing".into()),
    };
    seeds.iter().map(numbers).collect()
}

fn criteria_result(criteria: &[Criterion], seeds: &[Numbers]) -> TargetResult {
    let runs = match measured(seeds, 2 * criteria.len()) {
        Ok(runs) => runs,
        Err(why) => return failed(&why),
    };
    let sides = |run: &[f64], nth: usize| [run[2 * nth], run[2 * nth + 1]];
    let (mut grades, mut unmet) = (Vec::new(), Vec::new());
    for (nth, criterion) in criteria.iter().enumerate() {
        let of_runs = runs.iter().map(|run| compared(criterion.comparison(), sides(run, nth)));
        let of_runs: Vec<Grade> = of_runs.collect();
        if !of_runs.iter().all(Grade::is_pass) {
            let lefts = runs.iter().map(|run| sides(run, nth)[0]).filter(|left| left.is_finite());
            let left = mean(lefts).map_or("none".into(), |left| format!("{left:.3}"));
            unmet.push(format!("{}: {left}", criterion.text()));
        }
        grades.extend(of_runs);
    }
    let met = grades.iter().filter(|grade| grade.is_pass()).count();
    let of_runs = if runs.len() == 1 { "1 run".into() } else { format!("{} runs", runs.len()) };
    let value = format!("{met} of {} criteria in {of_runs}", grades.len());
    result_of(&Grade::all_of(grades), value, unmet.join("; "))
}

/// Whether a criterion is met, and by how much it is missed, in units of its right side, or of 1 if that is less.
fn compared(comparison: Comparison, [left, right]: [f64; 2]) -> Grade {
    let excess = match comparison {
        Comparison::Below | Comparison::AtMost => left - right,
        Comparison::Above | Comparison::AtLeast => right - left,
        Comparison::Equal => (left - right).abs(),
        Comparison::Unequal => 1.0,
    };
    Grade::missed_by(comparison.holds(left, right), excess / right.abs().max(1.0))
}

fn tracks_result(seeds: &[Numbers]) -> TargetResult {
    let runs = match measured(seeds, NUMBERS) {
        Ok(runs) => runs,
        Err(why) => return failed(&why),
    };
    let of = |nth: usize| mean(runs.iter().map(|run| run[nth])).unwrap_or(f64::NAN);
    let [error, last, alone, alone_last] = std::array::from_fn(of);
    let share = if alone > 0.0 { error / alone } else { f64::NAN };
    let outcome = if share < 1.0 { Outcome::Pass } else { Outcome::Fail };
    let value = format!("error {error:.3} m, {share:.3} of that of walking straight on");
    let detail =
        format!("after 4.8 s {last:.3} m; straight on {alone:.3} m, after 4.8 s {alone_last:.3} m");
    result_of(&Grade::new(outcome, share), value, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_criterion_is_missed_by_as_much_as_its_sides_differ() {
        let distance = |comparison, sides| compared(comparison, sides).misfit().distance;
        assert_eq!(distance(Comparison::AtMost, [30.0, 30.0]), 0.0);
        assert_eq!(distance(Comparison::AtMost, [45.0, 30.0]), 0.5);
        assert_eq!(distance(Comparison::Equal, [2.0, 0.0]), 2.0);
        assert_eq!(distance(Comparison::AtLeast, [0.5, 1.0]), 0.5);
        assert_eq!(distance(Comparison::Unequal, [1.0, 1.0]), 1.0);
        assert!(distance(Comparison::Below, [1.0, 1.0]) > 0.0, "equal is not below");
        let most = distance(Comparison::AtMost, [f64::NAN, 3.0]);
        assert!(most > 4.0 && most.is_finite(), "what is unknown is as far off as can be: {most}");
    }

    #[test]
    fn results_tell_which_criteria_are_not_met() {
        let criteria: Vec<Criterion> =
            ["collisions == 0", "time <= 2 * ideal_time"].map(|text| text.parse().unwrap()).into();
        let numbers = |collisions: f64| Some(Ok(vec![collisions, 0.0, 20.0, 24.0]));
        let well = criteria_result(&criteria, &[numbers(0.0), numbers(0.0)]);
        assert_eq!((well.outcome, well.distance), (Outcome::Pass, 0.0));
        let ill = criteria_result(&criteria, &[numbers(0.0), numbers(2.0)]);
        assert_eq!((ill.outcome, ill.distance), (Outcome::Fail, 1.0));
        assert_eq!(ill.value, "3 of 4 criteria in 2 runs");
        assert_eq!(ill.detail, "collisions == 0: 1.000");
        let torn = criteria_result(&criteria, &[numbers(0.0), Some(Err("no room".into()))]);
        assert_eq!((torn.outcome, torn.detail.as_str()), (Outcome::Broken, "no room"));
    }

    #[test]
    fn a_target_that_is_not_there_is_told_with_a_similar_one() {
        let message = |name: &str| Target::find(name, Path::new(""), 0.5).err().unwrap();
        assert!(message("squeze").contains("do you mean squeeze?"));
        assert!(message("L99").contains("there is no target"));
        assert!(message("nonsense").contains("realism V01 to R05"));
        assert!(message("missing.parquet").contains("missing.parquet"));
        assert!(message("missing.toml").contains("missing.toml"));
    }
}
