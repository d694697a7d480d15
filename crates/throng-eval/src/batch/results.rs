//! What the runs of a folder come to: scores of all techniques, who fails what, and an order.
//!
//! Scores are computed here from the metrics that were kept, not when a run is made. Models are ranked by
//! their mean place among all models, over scenarios and seeds, by one technique. In each scenario, runs in
//! which everybody gets to the end come before those in which somebody does not, however cheaply the latter
//! walk; then the score decides. So no scenario counts more than another, whatever its scores are like.

use std::cmp::Ordering;

use throng_world::scene::RunQuantity;

use super::run::{Judgement, Outcome, RunRecord};
use super::{BatchError, Kept, Matrix, Measured, ScenarioInfo, Store};
use crate::score::{Score, Technique, Weights, quantity, score};
use crate::statistics::mean;

/// All runs of a folder, scored.
#[derive(Clone, Debug)]
pub struct Results {
    /// The scenarios, models and seeds.
    pub matrix: Matrix,
    /// What models are ranked by.
    pub technique: Technique,
    /// The weights of its terms.
    pub weights: Weights,
    /// The runs that are there: by scenario, then by model, then by seed.
    pub runs: Vec<Run>,
    /// How many runs of the matrix are not there.
    pub missing: usize,
    /// Result files that were damaged, and why.
    pub damaged: Vec<String>,
}

/// A run with its scores.
#[derive(Clone, Debug)]
pub struct Run {
    /// Number of its scenario in the matrix.
    pub scenario: usize,
    /// Number of its model in the matrix.
    pub model: usize,
    /// What is kept of it.
    pub record: RunRecord,
    /// Its scores by all techniques, in the order of [`Technique::ALL`]; none if it failed.
    pub scores: Vec<Score>,
    /// Its recording, seen from the folder, if there is one.
    pub recording: Option<String>,
}

/// How a model did over all scenarios.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Number of the model in the matrix.
    pub model: usize,
    /// How many runs it made.
    pub runs: usize,
    /// In how many of them everybody came to the end.
    pub complete: usize,
    /// In how many of them all criteria held.
    pub passed: usize,
    /// How many runs failed and have no score.
    pub failed: usize,
    /// The mean share of people who came to the end.
    pub completion: f64,
    /// Collisions in all runs.
    pub collisions: u64,
    /// Oscillations, deadlocks and spins in all runs.
    pub events: u64,
    /// The mean place among the models in each scenario and seed, from 1 for the best; equals share theirs.
    /// None if it has no run.
    pub place: Option<f64>,
    /// The mean score by the technique that models are ranked by; none if no run has one.
    pub total: Option<f64>,
    /// The mean of each of its terms.
    pub terms: Vec<(&'static str, f64)>,
    /// Mean scores by all techniques, in the order of [`Technique::ALL`].
    pub scores: Vec<Option<f64>>,
    /// Criteria that did not hold: the scenario's number, the criterion, and in how many runs.
    pub failures: Vec<(usize, String, usize)>,
}

/// The runs of a scenario with a model.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'r> {
    /// Number of the scenario.
    pub scenario: usize,
    /// Number of the model.
    pub model: usize,
    /// Its runs, by seed; may be none.
    pub runs: &'r [Run],
}

impl Results {
    /// Reads all runs of the matrix that `store` was last evaluated for.
    ///
    /// # Errors
    ///
    /// If nothing says what was evaluated.
    pub fn read(
        store: &Store,
        technique: Technique,
        weights: &Weights,
    ) -> Result<Self, BatchError> {
        let matrix = Matrix::read(store)?;
        let (mut runs, mut missing, mut damaged) = (Vec::new(), 0, Vec::new());
        let per_scenario = matrix.models.len() * matrix.seeds as usize;
        for (index, key) in matrix.keys().enumerate() {
            match store.load::<RunRecord>(&key) {
                Kept::Done(record) => {
                    let recording = store.has_recording(&key).then(|| store.recording_name(&key));
                    let scenario = index / per_scenario;
                    let model = index / matrix.seeds as usize % matrix.models.len();
                    runs.push(Run::new(scenario, model, record, recording, weights));
                }
                Kept::Missing => missing += 1,
                Kept::Damaged(why) => {
                    damaged.push(format!("{}: {why}", store.result_path(&key).display()));
                }
            }
        }
        Ok(Self { matrix, technique, weights: *weights, runs, missing, damaged })
    }

    /// A scenario.
    pub fn scenario(&self, run: &Run) -> &ScenarioInfo {
        &self.matrix.scenarios[run.scenario]
    }

    /// The runs of each scenario with each model: by scenario, then by model.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let models = self.matrix.models.len();
        (0..self.matrix.scenarios.len() * models)
            .map(move |index| self.cell(index / models, index % models))
    }

    /// The runs of a scenario with a model.
    pub fn cell(&self, scenario: usize, model: usize) -> Cell<'_> {
        let place = |run: &Run| (run.scenario, run.model);
        let from = self.runs.partition_point(|run| place(run) < (scenario, model));
        let to = self.runs.partition_point(|run| place(run) <= (scenario, model));
        Cell { scenario, model, runs: &self.runs[from..to] }
    }

    /// The models, the best first.
    pub fn ranking(&self) -> Vec<Standing> {
        let mut standings: Vec<Standing> =
            (0..self.matrix.models.len()).map(|model| self.standing(model)).collect();
        standings.sort_by(|a, b| {
            let place = |of: &Standing| of.place.unwrap_or(f64::INFINITY);
            (place(a).total_cmp(&place(b)))
                .then_with(|| order(self.technique, a.total, b.total))
                .then(a.model.cmp(&b.model))
        });
        standings
    }

    /// The place of a run among those of all models in its scenario with its seed.
    fn place(&self, run: &Run) -> f64 {
        let from = self.runs.partition_point(|other| other.scenario < run.scenario);
        let to = self.runs.partition_point(|other| other.scenario <= run.scenario);
        let same = |other: &&Run| other.record.key.seed == run.record.key.seed;
        let places = self.runs[from..to].iter().filter(same).map(|other| {
            match compare(self.technique, other, run) {
                Ordering::Less => 1.0,
                Ordering::Equal => 0.5,
                Ordering::Greater => 0.0,
            }
        });
        // The run itself is among its equals.
        places.sum::<f64>() + 0.5
    }

    /// The `most` worst runs, the worst first: those that failed, then those in which not everybody came
    /// to the end, then by their score.
    pub fn worst(&self, most: usize) -> Vec<&Run> {
        let mut runs: Vec<&Run> = self.runs.iter().collect();
        // The normalised score is the one that compares across scenarios.
        runs.sort_by(|a, b| better(Technique::Normalised, b, a));
        runs.truncate(most);
        runs
    }

    /// The models' runs of a scenario, the best first; of each the mean over seeds counts.
    pub fn best_of(&self, scenario: usize) -> Option<usize> {
        let judged = (0..self.matrix.models.len()).filter_map(|model| {
            let cell = self.cell(scenario, model);
            let is_complete = cell.completion()? >= 1.0;
            Some((model, !is_complete, Some(cell.mean(self.technique)?)))
        });
        let best = judged.min_by(|a, b| {
            a.1.cmp(&b.1).then_with(|| order(self.technique, a.2, b.2)).then(a.0.cmp(&b.0))
        });
        best.map(|(model, ..)| model)
    }

    fn standing(&self, model: usize) -> Standing {
        let runs: Vec<&Run> = self.runs.iter().filter(|run| run.model == model).collect();
        let scored: Vec<&Run> = runs.iter().copied().filter(|run| !run.is_failed()).collect();
        let total = |technique| mean(scored.iter().filter_map(|run| run.total(technique)));
        let completion = mean(scored.iter().map(|run| run.completion()));
        let all_terms: Vec<_> = scored.iter().map(|run| run.terms(self.technique)).collect();
        let names = all_terms.iter().max_by_key(|terms| terms.len());
        let names = names.into_iter().flatten().map(|(name, _)| *name);
        let term = |name: &str| {
            let values = all_terms.iter().flatten().filter(|(other, _)| *other == name);
            mean(values.map(|(_, value)| *value).filter(|value| value.is_finite()))
        };
        Standing {
            model,
            runs: runs.len(),
            complete: runs.iter().filter(|run| run.completion() >= 1.0).count(),
            passed: runs.iter().filter(|run| run.is_passed()).count(),
            failed: runs.len() - scored.len(),
            completion: completion.unwrap_or(0.0),
            collisions: scored.iter().map(|run| run.collisions()).sum(),
            events: scored.iter().map(|run| run.events()).sum(),
            place: mean(runs.iter().map(|run| self.place(run))),
            total: total(self.technique),
            terms: names.map(|name| (name, term(name).unwrap_or(0.0))).collect(),
            scores: Technique::ALL.map(total).to_vec(),
            failures: failures(&runs),
        }
    }
}

impl Run {
    fn new(
        scenario: usize,
        model: usize,
        record: RunRecord,
        recording: Option<String>,
        weights: &Weights,
    ) -> Self {
        let scored = |measured: &Measured| {
            let ideals = measured.ideals();
            Technique::ALL.map(|by| score(&measured.metrics, &ideals, by, weights)).to_vec()
        };
        let scores = record.measured().map(scored).unwrap_or_default();
        Self { scenario, model, record, scores, recording }
    }

    /// What was measured, if the run did not fail.
    pub fn measured(&self) -> Option<&Measured> {
        self.record.measured()
    }

    /// Its score by a technique; none if it failed.
    pub fn score(&self, technique: Technique) -> Option<&Score> {
        let index = Technique::ALL.iter().position(|&other| other == technique)?;
        self.scores.get(index)
    }

    /// The number that a technique gives it; none if it failed, or nobody in it can be judged.
    pub fn total(&self, technique: Technique) -> Option<f64> {
        self.score(technique).map(|score| score.total).filter(|total| total.is_finite())
    }

    /// What the score by a technique is made of. That of the normalised one is not a sum: the means over
    /// people of what theirs are made of stand beside it.
    pub fn terms(&self, technique: Technique) -> Vec<(&'static str, f64)> {
        let Some(score) = self.score(technique) else { return Vec::new() };
        let mut terms = score.terms.clone();
        if technique == Technique::Normalised {
            terms.retain(|(name, _)| *name != "mean");
            let names = score.agents.first().map_or(&[][..], |agent| &agent.terms);
            terms.extend(names.iter().enumerate().map(|(number, (name, _))| {
                let values = score.agents.iter().map(|agent| agent.terms[number].1);
                (*name, mean(values).unwrap_or(0.0))
            }));
        }
        terms
    }

    /// The score of somebody.
    pub fn of_person(&self, technique: Technique, id: u32) -> Option<f64> {
        let agents = &self.score(technique)?.agents;
        let index = agents.binary_search_by_key(&id, |agent| agent.id).ok()?;
        Some(agents[index].total)
    }

    /// Why it has no score, if it failed.
    pub fn failure(&self) -> Option<&str> {
        match &self.record.outcome {
            Outcome::Failed(why) => Some(why),
            Outcome::Measured(_) => None,
        }
    }

    /// Whether it failed.
    pub fn is_failed(&self) -> bool {
        self.failure().is_some()
    }

    /// The share of people who came to the end.
    pub fn completion(&self) -> f64 {
        self.measured().map_or(0.0, |measured| measured.metrics.completion())
    }

    /// Collisions of all people.
    pub fn collisions(&self) -> u64 {
        let agents = self.measured().map(|measured| &measured.metrics.agents);
        agents.into_iter().flatten().map(|agent| u64::from(agent.collisions)).sum()
    }

    /// How many patterns were seen.
    pub fn events(&self) -> u64 {
        self.measured().map_or(0, |measured| measured.metrics.events.len() as u64)
    }

    /// Which criteria hold.
    pub fn verdicts(&self) -> &[Judgement] {
        self.measured().map_or(&[], |measured| &measured.verdicts)
    }

    /// Whether it did not fail and all criteria hold.
    pub fn is_passed(&self) -> bool {
        !self.is_failed() && self.verdicts().iter().all(|verdict| verdict.passed)
    }

    /// A quantity of the run. `None` if it is infinite.
    pub fn quantity(&self, of: RunQuantity) -> Option<f64> {
        let measured = self.measured()?;
        quantity(&measured.metrics, &measured.ideals(), of).filter(|value| value.is_finite())
    }

    /// Simulated steps per second of wall time, as it was on the machine that made the run.
    pub fn frames_per_second(&self) -> Option<f64> {
        let elapsed = self.record.elapsed;
        (elapsed > 0.0).then(|| self.record.steps as f64 / elapsed)
    }
}

impl<'r> Cell<'r> {
    /// Its mean score over seeds; `None` if no run has one.
    pub fn mean(&self, technique: Technique) -> Option<f64> {
        mean(self.runs.iter().filter_map(|run| run.total(technique)))
    }

    /// The mean share of people who came to the end.
    pub fn completion(&self) -> Option<f64> {
        mean(self.runs.iter().map(Run::completion))
    }

    /// How many of its runs pass.
    pub fn passed(&self) -> usize {
        self.runs.iter().filter(|run| run.is_passed()).count()
    }

    /// Whether its runs meet their criteria: ✓ all do, ✗ none does, ~ some do, nothing if there are none.
    pub fn mark(&self) -> &'static str {
        match self.passed() {
            _ if self.runs.is_empty() => "",
            passed if passed == self.runs.len() => "✓",
            0 => "✗",
            _ => "~",
        }
    }

    /// Its worst run.
    pub fn worst(&self) -> Option<&'r Run> {
        self.runs.iter().max_by(|a, b| better(Technique::Normalised, a, b))
    }
}

/// Orders runs of any scenarios, the better one first; there are no equals.
fn better(technique: Technique, a: &Run, b: &Run) -> Ordering {
    compare(technique, a, b)
        // Among equals those that collide more are worse, and then those that come later.
        .then_with(|| a.collisions().cmp(&b.collisions()))
        .then_with(|| a.record.key.cmp(&b.record.key))
}

/// Orders runs: those in which everybody gets to the end come first, then the score decides.
fn compare(technique: Technique, a: &Run, b: &Run) -> Ordering {
    let rank = |run: &Run| (run.is_failed(), run.completion() < 1.0);
    let totals = || match (a.total(technique), b.total(technique)) {
        (None, None) => Ordering::Equal,
        // Who cannot be judged is not to blame.
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (a, b) => order(technique, a, b),
    };
    rank(a).cmp(&rank(b)).then_with(totals)
}

/// Orders scores, the better one first and those that are none last.
fn order(technique: Technique, a: Option<f64>, b: Option<f64>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if technique.higher_is_better() => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}

/// Which criteria did not hold, of which scenarios, and in how many runs.
fn failures(runs: &[&Run]) -> Vec<(usize, String, usize)> {
    let mut failures: Vec<(usize, String, usize)> = Vec::new();
    for run in runs {
        for verdict in run.verdicts().iter().filter(|verdict| !verdict.passed) {
            let same = |of: &&mut (usize, String, usize)| {
                of.0 == run.scenario && of.1 == verdict.criterion
            };
            match failures.iter_mut().find(same) {
                Some(known) => known.2 += 1,
                None => failures.push((run.scenario, verdict.criterion.clone(), 1)),
            }
        }
    }
    failures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{PictureTracks, RunKey, Series};
    use crate::score::{AgentMetrics, Ideal, RunMetrics};

    /// Somebody who needed `time` s instead of ten, or never arrived.
    fn agent(id: u32, time: f64, completed: bool, collisions: u32) -> AgentMetrics {
        let energy_integral = time;
        AgentMetrics { id, time, completed, collisions, energy_integral, ..AgentMetrics::default() }
    }

    fn run(scenario: usize, model: usize, agents: Option<Vec<AgentMetrics>>) -> Run {
        let key = RunKey {
            scenario: scenario.to_string(),
            hash: String::new(),
            model: model.to_string(),
            seed: 0,
            engine: String::new(),
            options: String::new(),
        };
        let ideal = Ideal { length: 13.0, time: 10.0, energy: 10.0 };
        let outcome = match agents {
            None => Outcome::Failed("person 3 is nowhere".into()),
            Some(agents) => Outcome::Measured(Box::new(Measured {
                ideals: agents.iter().map(|agent| (agent.id, ideal)).collect(),
                verdicts: vec![Judgement {
                    criterion: "collisions == 0".into(),
                    passed: agents.iter().all(|agent| agent.collisions == 0),
                    left: None,
                    right: None,
                }],
                metrics: RunMetrics { agents, ..RunMetrics::default() },
                tracks: PictureTracks::default(),
                series: Series::default(),
            })),
        };
        let record = RunRecord { key, outcome, steps: 1, elapsed: 1.0 };
        Run::new(scenario, model, record, None, &Weights::default())
    }

    fn results(runs: Vec<Run>, scenarios: usize, models: usize) -> Results {
        let scenario = |index: usize| ScenarioInfo {
            name: index.to_string(),
            title: String::new(),
            description: String::new(),
            category: String::new(),
            version: 1,
            inferred: false,
            criteria: Vec::new(),
            hash: String::new(),
            people: 2,
            duration: 10.0,
            ground: crate::batch::Ground::default(),
        };
        let matrix = Matrix {
            format: crate::batch::matrix::FORMAT,
            engine: "0.1.0".into(),
            options: String::new(),
            seeds: 1,
            models: (0..models).map(|model| format!("model {model}")).collect(),
            scenarios: (0..scenarios).map(scenario).collect(),
        };
        let (technique, weights) = (Technique::Normalised, Weights::default());
        Results { matrix, technique, weights, runs, missing: 0, damaged: Vec::new() }
    }

    #[test]
    fn who_brings_all_to_the_end_stands_above_who_does_not() {
        // The first model is quick with those who arrive, the second slow and bumping, but complete.
        let quick = vec![agent(0, 10.0, true, 0), agent(1, 3.0, false, 0)];
        let slow = vec![agent(0, 50.0, true, 3), agent(1, 50.0, true, 3)];
        let results = results(vec![run(0, 0, Some(quick)), run(0, 1, Some(slow))], 1, 2);
        let ranking = results.ranking();
        assert_eq!([ranking[0].model, ranking[1].model], [1, 0]);
        assert!(ranking[0].total < ranking[1].total, "although its score is worse");
        assert_eq!(results.best_of(0), Some(1));
        assert_eq!(results.worst(1)[0].model, 0);
        assert_eq!(ranking[0].failures, [(0, "collisions == 0".into(), 1)]);
        let shown = results.to_string();
        assert!(shown.contains("0: collisions == 0 does not hold with model 1"), "{shown}");
    }

    #[test]
    fn one_run_that_is_not_complete_does_not_outweigh_all_others() {
        let good = || Some(vec![agent(0, 20.0, true, 0)]);
        let bad = || Some(vec![agent(0, 60.0, true, 2)]);
        let lost = || Some(vec![agent(0, 20.0, false, 0)]);
        let of = |scenario: usize, first| [run(scenario, 0, first), run(scenario, 1, bad())];
        let runs = [of(0, good()), of(1, good()), of(2, lost())].into_iter().flatten().collect();
        let ranking = results(runs, 3, 2).ranking();
        assert_eq!([ranking[0].model, ranking[1].model], [0, 1]);
        let places = [ranking[0].place.unwrap(), ranking[1].place.unwrap()];
        assert!((places[0] - 4.0 / 3.0).abs() < 1e-9 && (places[1] - 5.0 / 3.0).abs() < 1e-9);
        // Equals share a place.
        let ranking = results(vec![run(0, 0, bad()), run(0, 1, bad())], 1, 2).ranking();
        assert_eq!([ranking[0].place, ranking[1].place], [Some(1.5); 2]);
    }

    #[test]
    fn a_run_without_a_score_is_the_worst_and_counts_for_nothing_else() {
        let good = vec![agent(0, 20.0, true, 0)];
        let lost = vec![agent(0, 20.0, false, 0)];
        let runs = vec![run(0, 0, Some(good)), run(1, 0, None), run(2, 0, Some(lost))];
        let results = results(runs, 3, 1);
        let worst: Vec<usize> = results.worst(3).iter().map(|run| run.scenario).collect();
        assert_eq!(worst, [1, 2, 0]);
        let standing = &results.ranking()[0];
        assert_eq!((standing.runs, standing.failed, standing.complete), (3, 1, 1));
        // Half of 10 s in 20 s and of 10 J in 20 J, and nothing for who is lost.
        assert_eq!(standing.total, Some(0.25));
        assert!(results.to_string().contains("has no score in 1 of 3 runs"));
    }

    #[test]
    fn cells_are_found_also_where_runs_are_missing() {
        let runs = vec![run(0, 1, None), run(1, 0, None), run(1, 1, None)];
        let results = results(runs, 2, 2);
        let counts: Vec<usize> = results.cells().map(|cell| cell.runs.len()).collect();
        assert_eq!(counts, [0, 1, 1, 1]);
    }
}
