//! Running a plan: candidates, generation by generation, and what is held out at the end.

use std::collections::{BTreeMap, BTreeSet};

use super::cma::Search;
use super::report::{CalibrationReport, Generation};
use super::target::{Job, Target, TargetResult, Trial};
use super::{FreeParameter, Plan, STEP, Split};
use crate::batch::work::{self, Work};
use crate::batch::{BatchError, BatchProgress, Done, Kept, RunKey, Store};
use crate::experiments::{ExperimentError, Steering};
use crate::verification::{Numbers, Outcome, SuiteRun};

/// A search is over when its distribution is narrower than this share of the ranges.
const NARROW: f64 = 0.0005;

/// Objective of parameters that no model can have: worse than any.
const IMPOSSIBLE: f64 = 1e3;

/// A plan that is run in a folder.
pub struct Calibration {
    /// What is calibrated to what.
    pub plan: Plan,
    /// How many runs at once; all that the machine can, if not given.
    pub threads: Option<usize>,
    /// What the engine is called in results, as for [`Batch`](crate::batch::Batch): results of another one
    /// are not used.
    pub engine: String,
}

/// How far a calibration has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationProgress {
    /// The generation that is run, from 1; 0 while the defaults are.
    pub generation: u32,
    /// How many there are at most.
    pub generations: u32,
    /// The least objective yet, if there is one.
    pub best: Option<f64>,
    /// Runs that are done, those that were done before included.
    pub done: usize,
    /// Runs in all, if the search takes all of its generations.
    pub total: usize,
    /// The part of all work that is done, 0 to 1.
    pub share: f64,
}

/// Is told how far a calibration has come, often and from several threads, and says whether it goes on.
pub type CalibrationWatch<'a> = &'a (dyn Fn(CalibrationProgress) -> bool + Sync);

/// A model with what came of all targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The model with its parameters.
    pub steering: Steering,
    /// Weighted mean of the distances of all targets, with a small part for how far values are from the middle of
    /// their ranges.
    pub objective: f64,
    /// What came of each target.
    pub results: Vec<TargetResult>,
}

impl Calibration {
    /// Runs the plan; runs whose results are in `store` are not made again.
    ///
    /// # Errors
    ///
    /// If a target cannot be run with the defaults, results cannot be kept, or `watch` says that it is enough. What was done
    /// until then is kept.
    pub fn run(
        &self,
        store: &Store,
        watch: CalibrationWatch,
    ) -> Result<(Done, CalibrationReport), BatchError> {
        let plan = &self.plan;
        let mut session = Session::new(self, store, watch);
        let default = session.evaluate_all(std::slice::from_ref(&plan.base), Split::Training)?;
        let Some(default) = default.into_iter().next() else { return Err(self.nothing()) };
        for (target, result) in plan.targets.iter().zip(&default.results) {
            if result.outcome == Outcome::Broken {
                let Target { name, .. } = target;
                let why = format!("{name} cannot be run with {}: {}", plan.base, result.detail);
                return Err(BatchError::Suite(ExperimentError::Failed(why)));
            }
        }
        let start: Vec<f64> = plan.parameters.iter().map(FreeParameter::start_share).collect();
        let mut search = Search::new(&start, plan.sigma, plan.population, plan.seed);
        let mut best = default.clone();
        let (mut generations, mut candidates) = (Vec::new(), Vec::new());
        for generation in 1..=plan.generations {
            session.generation = generation;
            session.best = Some(best.objective);
            let asked: Vec<Option<Steering>> =
                search.ask().iter().map(|shares| plan.steering(shares)).collect();
            let possible: Vec<Steering> = asked.iter().flatten().cloned().collect();
            let evaluated = session.evaluate_all(&possible, Split::Training)?;
            let objective = |steering: &Option<Steering>| {
                let same = |candidate: &&Candidate| Some(&candidate.steering) == steering.as_ref();
                evaluated.iter().find(same).map_or(IMPOSSIBLE, |candidate| candidate.objective)
            };
            let values: Vec<f64> = asked.iter().map(objective).collect();
            for candidate in &evaluated {
                if candidate.objective < best.objective {
                    best = candidate.clone();
                }
            }
            generations.push(Generation::of(generation, &values, &best, search.spread()));
            candidates.extend(evaluated.into_iter().map(|candidate| (generation, candidate)));
            search.tell(&values);
            if search.spread() < NARROW {
                break;
            }
        }
        // Where values are noisy, the least of many was lucky; the middle of the distribution is often better.
        let middle: Vec<Steering> = plan.steering(&search.mean()).into_iter().collect();
        for candidate in session.evaluate_all(&middle, Split::Training)? {
            if candidate.objective < best.objective {
                best = candidate;
            }
        }
        session.best = Some(best.objective);
        let ends = [default.steering.clone(), best.steering.clone()];
        let held_out = session.evaluate_all(&ends, Split::HeldOut)?;
        let of = |steering: &Steering| {
            held_out.iter().find(|candidate| candidate.steering == *steering).cloned()
        };
        let (Some(default_held_out), Some(best_held_out)) = (of(&ends[0]), of(&ends[1])) else {
            return Err(self.nothing());
        };
        let report = CalibrationReport::of(
            self,
            [&default, &default_held_out],
            [&best, &best_held_out],
            generations,
            candidates,
        );
        Ok((session.done, report))
    }

    fn nothing(&self) -> BatchError {
        BatchError::Nothing { what: "candidate" }
    }

    fn seeds(&self, split: Split) -> &[u64] {
        match split {
            Split::Training => &self.plan.training,
            Split::HeldOut => &self.plan.held_out,
        }
    }

    fn trial<'a>(&'a self, steering: &'a Steering, split: Split, seed: u64) -> Trial<'a> {
        Trial { steering, split, seed, step: STEP, engine: &self.engine }
    }

    /// The runs of a model, each once, with the target that makes it and the trial.
    fn jobs<'a>(
        &'a self,
        steering: &'a Steering,
        split: Split,
    ) -> Vec<(Job, &'a Target, Trial<'a>)> {
        let mut jobs = Vec::new();
        for target in &self.plan.targets {
            for &seed in self.seeds(split) {
                let trial = self.trial(steering, split, seed);
                jobs.extend(target.jobs(trial).into_iter().map(|job| (job, target, trial)));
            }
        }
        let mut seen = BTreeSet::new();
        jobs.retain(|(job, ..)| seen.insert(job.key.clone()));
        jobs
    }

    /// What the runs of a model in `store` come to.
    fn judged(&self, steering: &Steering, split: Split, store: &Store) -> Candidate {
        let numbers = |key: &RunKey| -> Numbers {
            match store.load::<SuiteRun>(key) {
                Kept::Done(run) => Some(run.numbers()),
                Kept::Missing | Kept::Damaged(_) => None,
            }
        };
        let result = |target: &Target| {
            let seeds = self.seeds(split);
            let keys = |seed: u64| target.jobs(self.trial(steering, split, seed));
            let count = seeds.first().map_or(0, |&seed| keys(seed).len());
            let mut runs: Vec<Vec<Numbers>> = vec![Vec::new(); count];
            for &seed in seeds {
                for (of_job, job) in runs.iter_mut().zip(keys(seed)) {
                    of_job.push(numbers(&job.key));
                }
            }
            target.result(&runs)
        };
        let results: Vec<TargetResult> = self.plan.targets.iter().map(result).collect();
        let objective = self.objective(&results);
        Candidate { steering: steering.clone(), objective, results }
    }

    fn objective(&self, results: &[TargetResult]) -> f64 {
        let weights: f64 = self.plan.targets.iter().map(|target| target.weight).sum();
        let weighted = self.plan.targets.iter().zip(results).map(|(target, result)| {
            target.weight * (result.distance + self.plan.centring * result.off_centre)
        });
        weighted.sum::<f64>() / weights
    }
}

/// A calibration that is being run.
struct Session<'a> {
    calibration: &'a Calibration,
    store: &'a Store,
    watch: CalibrationWatch<'a>,
    generation: u32,
    best: Option<f64>,
    done: Done,
    /// Runs that were asked for already, so that each counts once.
    seen: BTreeSet<RunKey>,
    total: usize,
    /// What is known of models by their texts.
    known: BTreeMap<(String, &'static str), Candidate>,
}

impl<'a> Session<'a> {
    fn new(calibration: &'a Calibration, store: &'a Store, watch: CalibrationWatch<'a>) -> Self {
        let plan = &calibration.plan;
        let runs = |split| calibration.jobs(&plan.base, split).len();
        let trained = 2 + plan.generations as usize * plan.population;
        Self {
            calibration,
            store,
            watch,
            generation: 0,
            best: None,
            done: Done::default(),
            seen: BTreeSet::new(),
            total: trained * runs(Split::Training) + 2 * runs(Split::HeldOut),
            known: BTreeMap::new(),
        }
    }

    /// Makes the runs of some models that are missing, all of them together, and judges each model.
    fn evaluate_all(
        &mut self,
        models: &[Steering],
        split: Split,
    ) -> Result<Vec<Candidate>, BatchError> {
        let calibration = self.calibration;
        let mut jobs: BTreeMap<RunKey, (u64, &Target, Trial)> = BTreeMap::new();
        for steering in models {
            for (job, target, trial) in calibration.jobs(steering, split) {
                if self.seen.insert(job.key.clone()) {
                    jobs.insert(job.key, (job.effort, target, trial));
                }
            }
        }
        let keys = jobs.keys().cloned();
        let (missing, found) = work::missing::<SuiteRun>(self.store, keys, |_, _| true);
        self.done.kept += found.kept;
        self.done.damaged.extend(found.damaged);
        let done_before = self.done.kept + self.done.ran;
        let told = |progress: BatchProgress| (self.watch)(self.progress(progress.done));
        let work =
            Work { store: self.store, threads: calibration.threads, done_before, watch: &told };
        let effort = |key: RunKey| (jobs.get(&key).map_or(1, |job| job.0), key);
        let listed = missing.iter().cloned().map(effort).map(|(effort, key)| (key, effort));
        let made = work.make(listed.collect(), |key, runs| match jobs.get(key) {
            Some((_, target, trial)) => target.run(key, *trial, runs),
            None => Err(calibration.nothing()),
        });
        match made {
            Err(BatchError::Interrupted { .. }) => {
                let is_there = |key: &&RunKey| self.store.result_path(key).is_file();
                let done = done_before + missing.iter().filter(is_there).count();
                return Err(BatchError::Interrupted { done, total: self.total });
            }
            made => made?,
        }
        self.done.ran += missing.len();
        let mut candidates: Vec<Candidate> = Vec::new();
        for steering in models {
            let name = (steering.to_string(), split.name());
            let known = self.known.entry(name);
            let known = known.or_insert_with(|| calibration.judged(steering, split, self.store));
            if candidates.iter().all(|candidate| candidate.steering != *steering) {
                candidates.push(known.clone());
            }
        }
        Ok(candidates)
    }

    fn progress(&self, done: usize) -> CalibrationProgress {
        CalibrationProgress {
            generation: self.generation,
            generations: self.calibration.plan.generations,
            best: self.best,
            done,
            total: self.total,
            share: (done as f64 / self.total.max(1) as f64).min(1.0),
        }
    }
}
