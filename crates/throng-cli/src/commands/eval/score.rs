//! `throng eval score`.

use std::fmt::{self, Write as _};

use serde_json::{Value as Json, json};
use throng::Scene;
use throng::recording::Recording;
use throng_eval::batch::rescore;
use throng_eval::recorded_scene;
use throng_eval::scenarios::{Verdict, judge};
use throng_eval::score::{
    AgentMetrics, Ideals, RunMetrics, Score, ScoreOptions, Technique, quantity, score,
};

use crate::args::ScoreArguments;
use crate::failure::Failure;
use crate::report;

/// Scores a recording.
pub fn run(arguments: &ScoreArguments) -> Result<(), Failure> {
    let mut recording = Recording::open(&arguments.recording)?;
    let scene = match &arguments.scene {
        Some(path) => Scene::load(path)?,
        None => recorded_scene(&recording)?,
    };
    if arguments.every_frame {
        return every_frame(arguments, &mut recording, &scene);
    }
    let mut then = None;
    let looked = |time: f64, collector: &throng_eval::score::Collector| {
        if then.is_none() && arguments.at.is_some_and(|at| time >= at - 1e-9) {
            then = Some(collector.clone());
        }
    };
    let (metrics, ideals) = rescore(&mut recording, &scene, ScoreOptions::default(), looked)?;
    let metrics = match (arguments.at, then) {
        (Some(_), Some(collector)) => collector.finish(),
        (Some(at), None) => {
            let end = report::seconds(metrics.duration);
            let message = format!("the recording ends before {at} s: it has {end}");
            return Err(Failure::Input(message));
        }
        (None, _) => metrics,
    };
    let scored = Scored::new(arguments, &scene, &metrics, &ideals)?;
    match (arguments.score_only, arguments.format.json) {
        (true, false) => report::print(scored.number()),
        (true, true) => report::print_json(&json!(scored.number())),
        (false, true) => report::print_json(&scored.json()),
        (false, false) => report::print(scored.to_string().trim_end()),
    }
}

/// A comma-separated line for each moment.
fn every_frame(
    arguments: &ScoreArguments,
    recording: &mut Recording,
    scene: &Scene,
) -> Result<(), Failure> {
    let technique = arguments.scoring.technique();
    let weights = arguments.scoring.weights();
    let mut lines = Vec::new();
    let (metrics, _) = rescore(recording, scene, ScoreOptions::default(), |time, collector| {
        let metrics = collector.clone().finish();
        let score = score(&metrics, collector.ideals(), technique, &weights);
        let total = match arguments.agent {
            Some(id) => of_person(&score, id),
            None => Some(score.total),
        };
        let people = arguments.agent.is_none();
        let agents = metrics.agents.iter().filter(|of| people || Some(of.id) == arguments.agent);
        let collisions: u64 = agents.map(|agent| u64::from(agent.collisions)).sum();
        lines.push((
            time,
            total.filter(|total| total.is_finite()),
            metrics.completion(),
            collisions,
        ));
    })?;
    check_agent(arguments, &metrics)?;
    if arguments.format.json {
        let line = |(time, score, completion, collisions): &(f64, Option<f64>, f64, u64)| json!({ "time": time, "score": score, "completion": completion, "collisions": collisions });
        return report::print_json(&lines.iter().map(line).collect::<Vec<_>>());
    }
    let mut text = format!("time,{technique},completion,collisions");
    for (time, total, completion, collisions) in lines {
        let total = total.map(|total| format!("{total:.6}")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{time:.6},{total},{completion:.6},{collisions}");
    }
    report::print(text)
}

fn check_agent(arguments: &ScoreArguments, metrics: &RunMetrics) -> Result<(), Failure> {
    let Some(id) = arguments.agent else { return Ok(()) };
    match metrics.agents.iter().any(|agent| agent.id == id) {
        true => Ok(()),
        false => Err(Failure::Input(match (metrics.agents.first(), metrics.agents.last()) {
            (Some(first), Some(last)) => {
                format!("there is no person {id}; there are {} to {}", first.id, last.id)
            }
            _ => "there is nobody in the recording".into(),
        })),
    }
}

fn of_person(score: &Score, id: u32) -> Option<f64> {
    score.agents.iter().find(|agent| agent.id == id).map(|agent| agent.total)
}

/// What is told of a recording.
struct Scored<'a> {
    arguments: &'a ScoreArguments,
    metrics: &'a RunMetrics,
    scores: Vec<Score>,
    verdicts: Vec<Verdict>,
}

impl<'a> Scored<'a> {
    fn new(
        arguments: &'a ScoreArguments,
        scene: &Scene,
        metrics: &'a RunMetrics,
        ideals: &Ideals,
    ) -> Result<Self, Failure> {
        check_agent(arguments, metrics)?;
        let weights = arguments.scoring.weights();
        let scores = Technique::ALL.map(|by| score(metrics, ideals, by, &weights)).to_vec();
        let judged = |evaluation| judge(evaluation, |of| quantity(metrics, ideals, of));
        let verdicts = scene.evaluation.as_ref().map(judged).unwrap_or_default();
        Ok(Self { arguments, metrics, scores, verdicts })
    }

    /// The score by the technique that was asked for.
    fn score(&self) -> &Score {
        let technique = self.arguments.scoring.technique();
        let index = Technique::ALL.iter().position(|&other| other == technique);
        &self.scores[index.unwrap_or_default()]
    }

    fn number(&self) -> f64 {
        match self.arguments.agent {
            Some(id) => of_person(self.score(), id).unwrap_or(f64::NAN),
            None => self.score().total,
        }
    }

    /// Who is told about one by one.
    fn people(&self) -> impl Iterator<Item = &AgentMetrics> {
        let agents = self.metrics.agents.iter();
        agents.filter(|agent| self.arguments.agent.is_none_or(|id| id == agent.id))
    }

    fn json(&self) -> Json {
        let total = |score: &Score| match self.arguments.agent {
            Some(id) => {
                let agent = score.agents.iter().find(|agent| agent.id == id);
                json!(
                    agent
                        .map(|agent| json!({ "total": agent.total, "terms": terms(&agent.terms) }))
                )
            }
            None => json!({ "total": score.total, "terms": terms(&score.terms) }),
        };
        let scores: serde_json::Map<String, Json> =
            self.scores.iter().map(|score| (score.technique.to_string(), total(score))).collect();
        let with_people = self.arguments.details || self.arguments.agent.is_some();
        json!({
            "recording": self.arguments.recording.display().to_string(),
            "technique": self.arguments.scoring.technique().to_string(),
            "duration": self.metrics.duration,
            "completion": self.metrics.completion(),
            "scores": scores,
            "criteria": self.verdicts,
            "environment": self.metrics.environment,
            "events": self.metrics.events,
            "agents": with_people.then(|| self.people().collect::<Vec<_>>()),
        })
    }
}

fn terms(terms: &[(&str, f64)]) -> Json {
    Json::Object(terms.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect())
}

impl fmt::Display for Scored<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { arguments, metrics, .. } = self;
        let completed = metrics.agents.iter().filter(|agent| agent.completed).count();
        writeln!(
            f,
            "{}: {} of {} at the end after {}",
            arguments.recording.display(),
            completed,
            report::people(metrics.agents.len() as u64),
            report::seconds(metrics.duration)
        )?;
        for score in &self.scores {
            let (total, terms) = match arguments.agent {
                None => (score.total, &score.terms),
                Some(id) => match score.agents.iter().find(|agent| agent.id == id) {
                    Some(agent) => (agent.total, &agent.terms),
                    None => continue,
                },
            };
            let mark = if score.technique == arguments.scoring.technique() { '*' } else { ' ' };
            let terms: Vec<String> =
                terms.iter().map(|(name, value)| format!("{name} {value:.3}")).collect();
            writeln!(f, "{mark} {:12} {total:>12.3}  {}", score.technique, terms.join(", "))?;
        }
        for verdict in &self.verdicts {
            let word = if verdict.passed { "meets" } else { "fails" };
            let (left, right) = (verdict.left, verdict.right);
            writeln!(f, "  {word} {}: {left:.3}, {right:.3}", verdict.criterion)?;
        }
        if arguments.agent.is_some() {
            return self.people().try_for_each(|agent| fmt_everything(agent, f));
        }
        if arguments.details {
            writeln!(
                f,
                "{:>8} {:>10} {:>4} {:>8} {:>8} {:>10} {:>8} {:>9}",
                "person",
                arguments.scoring.technique(),
                "end",
                "time s",
                "way m",
                "collisions",
                "turned °",
                "energy"
            )?;
            for agent in self.people() {
                let own = of_person(self.score(), agent.id).map(|own| format!("{own:.3}"));
                writeln!(
                    f,
                    "{:>8} {:>10} {:>4} {:>8.2} {:>8.2} {:>10} {:>8.0} {:>9.2}",
                    agent.id,
                    own.unwrap_or_default(),
                    if agent.completed { "yes" } else { "no" },
                    agent.time,
                    agent.distance,
                    agent.collisions,
                    agent.turned,
                    agent.energy_integral
                )?;
            }
        }
        Ok(())
    }
}

/// All that is known of somebody, a line for each number.
fn fmt_everything(agent: &AgentMetrics, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Ok(Json::Object(fields)) = serde_json::to_value(agent) else { return Ok(()) };
    for (name, value) in fields {
        match value {
            Json::Object(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|(part, value)| format!("{part} {value}")).collect();
                writeln!(f, "  {name}: {}", parts.join(", "))?;
            }
            value => writeln!(f, "  {name}: {value}")?,
        }
    }
    Ok(())
}
