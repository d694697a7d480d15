//! What tests are made with: scenes of a model and a seed, and verdicts on numbers.

use throng::Scene;
use throng::recording::Frame;
use throng_world::scene::file::SceneFile;

use super::report::{Check, Outcome, Plot};
use super::walk::Walk;
use crate::experiments::runs::Runs;
use crate::experiments::{ExperimentError, Steering, varied};
use crate::statistics::Spread;

/// Something that is measured for each model and seed. Several tests may judge the same numbers.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    /// What tells it from all others, of other suites as well.
    pub name: &'static str,
    /// How many numbers there are.
    pub count: usize,
    /// About how much work it is, compared with others.
    pub effort: u64,
    /// The numbers of one seed. NaN is "there is none", infinity "never".
    pub of: fn(&Bench) -> Result<Vec<f64>, ExperimentError>,
}

/// A test: what is measured for each seed, and how the means over the seeds are judged.
#[derive(Clone, Copy)]
pub(super) struct Test {
    pub id: &'static str,
    pub title: &'static str,
    pub source: &'static str,
    pub expected: &'static str,
    /// What is measured; its numbers follow one another.
    pub measures: &'static [Measure],
    pub judge: fn(&[Spread]) -> Verdict,
}

/// What a test says of its numbers.
pub(super) struct Verdict {
    pub outcome: Outcome,
    pub value: String,
    pub detail: String,
    pub plot: Option<Plot>,
}

impl Test {
    /// What its numbers come to.
    pub fn judged(&self, numbers: &[Spread]) -> Check {
        self.check((self.judge)(numbers))
    }

    /// A verdict on it, as a check.
    pub fn check(&self, Verdict { outcome, value, detail, plot }: Verdict) -> Check {
        Check {
            id: self.id,
            title: self.title,
            source: self.source,
            outcome,
            value,
            expected: self.expected,
            detail,
            plot,
        }
    }
}

impl Verdict {
    pub fn new(outcome: Outcome, value: String) -> Self {
        Self { outcome, value, detail: String::new(), plot: None }
    }

    /// Passed if so.
    pub fn of(passed: bool, value: String) -> Self {
        Self::new(if passed { Outcome::Pass } else { Outcome::Fail }, value)
    }

    pub fn with(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    pub fn drawn(mut self, plot: Plot) -> Self {
        self.plot = Some(plot);
        self
    }
}

/// The worst of some outcomes.
pub(super) fn worst(outcomes: impl IntoIterator<Item = Outcome>) -> Outcome {
    let badness = |outcome: &Outcome| match outcome {
        Outcome::Pass | Outcome::Documented => 0,
        Outcome::Warn => 1,
        Outcome::Fail | Outcome::Broken | Outcome::Missing => 2,
    };
    outcomes.into_iter().max_by_key(badness).unwrap_or(Outcome::Fail)
}

/// Whether a value lies within a range, or, for a warning, within one and a half times the range
/// around its middle. A limit that is infinite has no other half.
pub(super) fn within(value: f64, [low, high]: [f64; 2]) -> Outcome {
    let more = match (low.is_finite(), high.is_finite()) {
        (true, true) => 0.25 * (high - low),
        (true, false) => 0.5 * low.abs(),
        (false, true) => 0.5 * high.abs(),
        (false, false) => 0.0,
    };
    let inside = |more: f64| value >= low - more && value <= high + more;
    match value.is_nan() {
        true => Outcome::Fail,
        false if inside(0.0) => Outcome::Pass,
        false if inside(more) => Outcome::Warn,
        false => Outcome::Fail,
    }
}

/// `"1.23 ± 0.04"`, or without the spread if there is one number.
pub(super) fn told(number: &Spread, decimals: usize) -> String {
    match (number.count, number.mean.is_finite()) {
        (0, _) => "none".into(),
        (_, false) => "never".into(),
        (1, true) => format!("{:.decimals$}", number.mean),
        _ => format!("{:.decimals$} ± {:.decimals$}", number.mean, number.sd),
    }
}

/// Several numbers, told one after the other.
pub(super) fn listed(numbers: &[Spread], decimals: usize) -> String {
    numbers.iter().map(|number| told(number, decimals)).collect::<Vec<_>>().join(", ")
}

/// One model and seed, and where its scenes are simulated.
pub(super) struct Bench<'a> {
    pub steering: &'a Steering,
    pub seed: u32,
    pub step: f64,
    pub runs: &'a Runs<'a>,
}

impl Bench<'_> {
    /// The scene of a file with this bench's model, seed and step.
    pub fn scene(&self, file: SceneFile) -> Result<Scene, ExperimentError> {
        varied("verification", file, self.steering, self.seed, self.step)
    }

    /// Simulates a scene until everybody has left or its time is up, and keeps where all were.
    pub fn walk(&self, file: SceneFile) -> Result<Walk, ExperimentError> {
        let scene = self.scene(file)?;
        let mut walk = Walk::new(&scene, self.step);
        self.runs.simulate(scene, |frame| {
            walk.push(frame);
            !frame.people.is_empty()
        })?;
        Ok(walk)
    }

    /// Simulates a scene as long as `look` wants to see more, and keeps nothing.
    pub fn watch(
        &self,
        file: SceneFile,
        look: impl FnMut(&Frame) -> bool,
    ) -> Result<(), ExperimentError> {
        self.runs.simulate(self.scene(file)?, look)
    }
}
