//! One run: a scenario, a model and a seed, simulated and measured.

use std::cell::Cell;
use std::fs;

use serde::{Deserialize, Serialize};
use throng::place::{FileError, Overwrite};
use throng::recording::{Frame, Recorder, RecordingError, RecordingInfo, Status};
use throng::{Engine, Scene};

use super::key::RunKey;
use super::tracks::Follower;
use super::{Batch, BatchError, Kept, PictureTracks, Series, Store};
use crate::experiments::{ExperimentError, Runs};
use crate::scenarios::{Verdict, judge};
use crate::score::{
    Collector, Ideal, Ideals, RunMetrics, ScoreError, ScoreOptions, WalkView, quantity,
};

/// What is kept of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Which run it is.
    pub key: RunKey,
    /// What came of it.
    pub outcome: Outcome,
    /// Steps that were simulated.
    pub steps: u64,
    /// How long they took, s. Unlike all other numbers, it differs from machine to machine.
    pub elapsed: f64,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// It was measured.
    Measured(Box<Measured>),
    /// It could not be, and why. Such a run has no score.
    Failed(String),
}

/// What was measured in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What everybody did.
    pub metrics: RunMetrics,
    /// What they could have done at best, each alone, by id.
    pub ideals: Vec<(u32, Ideal)>,
    /// Which of the scenario's criteria hold.
    pub verdicts: Vec<Judgement>,
    /// Everybody's ways.
    pub tracks: PictureTracks,
    /// A few numbers over time.
    pub series: Series,
}

/// Whether a criterion holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The criterion.
    pub criterion: String,
    /// Whether it holds.
    pub passed: bool,
    /// The value of its left side; `None` if it is infinite or unknown.
    pub left: Option<f64>,
    /// The value of its right side, likewise.
    pub right: Option<f64>,
}

impl From<Verdict> for Judgement {
    fn from(Verdict { criterion, passed, left, right }: Verdict) -> Self {
        let finite = |value: f64| value.is_finite().then_some(value);
        Self { criterion, passed, left: finite(left), right: finite(right) }
    }
}

impl Measured {
    /// What people could have done at best.
    pub fn ideals(&self) -> Ideals {
        self.ideals.iter().copied().collect()
    }
}

impl RunRecord {
    /// What was measured, if the run did not fail.
    pub fn measured(&self) -> Option<&Measured> {
        match &self.outcome {
            Outcome::Measured(measured) => Some(measured),
            Outcome::Failed(_) => None,
        }
    }

    pub(super) fn is_measured(&self) -> bool {
        self.measured().is_some()
    }
}

/// How runs are measured, as part of their keys.
pub(super) fn options_text(options: &ScoreOptions) -> String {
    format!("{options:?}")
}

/// Makes a run. With `largest_recording`, records it; a recording that would be larger (bytes) is left out.
pub(super) fn run(
    batch: &Batch,
    key: &RunKey,
    store: &Store,
    largest_recording: Option<u64>,
    runs: &Runs,
) -> Result<RunRecord, BatchError> {
    let failed = |why: String| RunRecord {
        key: key.clone(),
        outcome: Outcome::Failed(why),
        steps: 0,
        elapsed: 0.0,
    };
    let subject = batch.subjects.iter().find(|subject| subject.name() == key.scenario);
    let model = batch.models.iter().find(|model| model.to_string() == key.model);
    let (Some(subject), Some(model)) = (subject, model) else {
        return Ok(failed("the batch has no such scenario or model".into()));
    };
    let scene = match subject.scene(model, key.seed) {
        Ok(scene) => scene,
        Err(errors) => return Ok(failed(errors.to_string())),
    };
    let hidden = store.unfinished_recording(key);
    let recorder = match largest_recording {
        Some(most_bytes) => {
            let info = RecordingInfo::of_scene(&scene);
            Some(BoundedRecorder {
                recorder: Recorder::create(&hidden, info, Overwrite::Yes)?,
                most_bytes,
            })
        }
        None => None,
    };
    let made = simulate(&scene, &batch.options, recorder, runs);
    if largest_recording.is_some() {
        match &made {
            Ok(_) => {
                let path = store.recording_path(key);
                fs::rename(&hidden, &path).map_err(FileError::io("complete", &path))?;
            }
            // Whoever reads it later would take it for the whole run.
            Err(_) => drop(fs::remove_file(&hidden)),
        }
    }
    match made {
        Ok((outcome, steps, elapsed)) => {
            Ok(RunRecord { key: key.clone(), outcome, steps, elapsed })
        }
        Err(Stop::Failed(why)) => Ok(failed(why)),
        Err(Stop::TooLarge) => {
            store.mark_too_large(key)?;
            match store.load(key) {
                Kept::Done(record) => Ok(record),
                Kept::Missing | Kept::Damaged(_) => run(batch, key, store, None, runs),
            }
        }
        Err(Stop::Batch(error)) => Err(error),
    }
}

/// What comes of a scene's criteria in a run without a record: the values of
/// their two sides, NaN if they are infinite or unknown, or why there are none.
pub(crate) fn criteria_of(
    scene: &Scene,
    options: &ScoreOptions,
    runs: &Runs,
) -> Result<Vec<f64>, ExperimentError> {
    let failed = |what: String| ExperimentError::Failed(what);
    match simulate(scene, options, None, runs) {
        Ok((Outcome::Measured(measured), ..)) => {
            let known = |side: Option<f64>| side.unwrap_or(f64::NAN);
            let sides = |of: &Judgement| [known(of.left), known(of.right)];
            Ok(measured.verdicts.iter().flat_map(sides).collect())
        }
        Ok((Outcome::Failed(why), ..)) | Err(Stop::Failed(why)) => Err(failed(why)),
        Err(Stop::Batch(BatchError::Interrupted { .. })) => Err(ExperimentError::Interrupted),
        Err(Stop::Batch(BatchError::Threads(why))) => Err(ExperimentError::Threads(why)),
        Err(Stop::Batch(error)) => Err(failed(error.to_string())),
        Err(Stop::TooLarge) => Err(failed("it was not to be recorded".into())),
    }
}

/// Why a simulation ends without a result.
enum Stop {
    /// This run is no good; others may be.
    Failed(String),
    /// Its recording is larger than allowed.
    TooLarge,
    /// The batch ends.
    Batch(BatchError),
}

impl From<ScoreError> for Stop {
    fn from(error: ScoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<RecordingError> for Stop {
    fn from(error: RecordingError) -> Self {
        Self::Batch(error.into())
    }
}

/// A recorder of a file that may have so many bytes.
struct BoundedRecorder {
    recorder: Recorder,
    most_bytes: u64,
}

impl BoundedRecorder {
    /// Frames between two looks at how large the file is.
    const CHECK_EVERY: u32 = 64;

    fn push(&mut self, frame: &Frame) -> Result<(), Stop> {
        self.recorder.push(frame)?;
        let is_checked = frame.index.is_multiple_of(Self::CHECK_EVERY);
        // A file that cannot be looked at now is checked when it is complete.
        let length = || fs::metadata(self.recorder.path()).map_or(0, |file| file.len());
        if is_checked && length() > self.most_bytes {
            return Err(Stop::TooLarge);
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Stop> {
        match self.recorder.finish()?.bytes > self.most_bytes {
            true => Err(Stop::TooLarge),
            false => Ok(()),
        }
    }
}

fn simulate(
    scene: &Scene,
    options: &ScoreOptions,
    mut recorder: Option<BoundedRecorder>,
    runs: &Runs,
) -> Result<(Outcome, u64, f64), Stop> {
    let mut engine =
        Engine::new(scene.clone()).map_err(|errors| Stop::Failed(errors.to_string()))?;
    let no_thread = |error: String| Stop::Batch(BatchError::Threads(error));
    engine.set_threads(1).map_err(|error| no_thread(error.to_string()))?;
    let ideals = Ideals::of_crowd(scene, engine.crowd())?;
    let mut collector = Collector::with_ideals(scene, ideals.clone(), *options)?;
    let mut follower = Follower::new(scene.bounds);
    let more_come = scene.groups.iter().any(|group| !group.sources.is_empty());
    let (is_over, interrupted) = (Cell::new(false), Cell::new(false));
    let keep = |frame: &Frame| {
        let view = WalkView::from(frame);
        collector.take(view)?;
        follower.take(&view, &collector);
        if let Some(recorder) = &mut recorder {
            recorder.push(frame)?;
        }
        is_over.set(!more_come && frame.people.statuses.iter().all(|s| *s == Status::Arrived));
        Ok::<(), Stop>(())
    };
    let go_on = |_| {
        interrupted.set(!runs.go_on());
        !is_over.get() && !interrupted.get()
    };
    let summary = engine.run_with(keep, go_on)?;
    if interrupted.get() {
        return Err(Stop::Batch(BatchError::Interrupted { done: 0, total: 0 }));
    }
    if let Some(recorder) = recorder {
        recorder.finish()?;
    }
    let metrics = collector.finish();
    let verdicts = scene
        .evaluation
        .as_ref()
        .map(|evaluation| judge(evaluation, |of| quantity(&metrics, &ideals, of)));
    let (tracks, series) = follower.finish();
    let verdicts = verdicts.unwrap_or_default().into_iter().map(Judgement::from).collect();
    let ideals = ideals.iter().map(|(id, ideal)| (id, *ideal)).collect();
    let measured = Measured { metrics, ideals, verdicts, tracks, series };
    Ok((Outcome::Measured(Box::new(measured)), summary.steps, summary.elapsed.as_secs_f64()))
}
