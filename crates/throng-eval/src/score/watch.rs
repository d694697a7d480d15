//! Patterns alone: what somebody wants to know who watches a crowd, or looks for the moments of a
//! recording that are worth a look.
//!
//! A [`PatternWatch`] sees what a [`Collector`] sees and finds the same events, to the last bit, but does
//! not ask who touches whom, which is most of a collector's work. [`find_patterns`] goes through a
//! recording with it and tells how far it is, so that whoever waits can look at what is there, or
//! have it stop.

use throng::Scene;
use throng::recording::Recording;

use crate::recorded::{MeasureError, each_frame};

use super::collector::{Collector, ScoreOptions};
use super::error::ScoreError;
use super::ideal::Ideals;
use super::patterns::Event;
use super::view::WalkView;

/// Looks for patterns, moment by moment.
#[derive(Clone, Debug)]
pub struct PatternWatch(Collector);

impl PatternWatch {
    /// Nothing was seen yet. Who is within a metre of their goal is not deadlocked; without
    /// [ideals](Ideals::default) nobody's goal is known, and everybody counts who does not get on.
    ///
    /// # Errors
    ///
    /// If an option is out of range.
    pub fn new(scene: &Scene, ideals: Ideals, options: ScoreOptions) -> Result<Self, ScoreError> {
        Collector::of_patterns(scene, ideals, options).map(Self)
    }

    /// Takes note of the next moment.
    ///
    /// # Errors
    ///
    /// Those of [`Collector::take`].
    pub fn take(&mut self, view: WalkView) -> Result<(), ScoreError> {
        self.0.take(view)
    }

    /// What was seen so far, in the order in which it was noticed. What goes on still has its last moment
    /// moved with every frame.
    pub fn events(&self) -> &[Event] {
        self.0.events()
    }

    /// Lets go of people who have left, for crowds that come and go for hours. Who comes back under the
    /// same id is somebody new.
    pub fn forget_departed(&mut self) {
        self.0.forget_departed();
    }
}

/// Looks for patterns in a recording. `go_on` is told after every frame which part of the recording was
/// looked at, from 0 to 1, and what was seen so far; on `false` the search ends, and there is no
/// result. Events are those of [`score_recording`](super::score_recording).
///
/// # Errors
///
/// Those of [`score_recording`](super::score_recording).
pub fn find_patterns(
    recording: &mut Recording,
    scene: &Scene,
    options: ScoreOptions,
    mut go_on: impl FnMut(f64, &[Event]) -> bool,
) -> Result<Option<Vec<Event>>, ScoreError> {
    if !go_on(0.0, &[]) {
        return Ok(None);
    }
    let mut watch = PatternWatch::new(scene, Ideals::of(scene)?, options)?;
    let frames = f64::from(recording.frame_count());
    let mut seen = 0.0;
    let looked = each_frame(recording, scene, |frame| {
        watch.take(frame.into()).map_err(End::Error)?;
        seen += 1.0;
        if go_on(seen / frames, watch.events()) { Ok(()) } else { Err(End::Stopped) }
    });
    match looked {
        Ok(()) => {
            let mut events = watch.events().to_vec();
            events.sort_by(Event::order);
            Ok(Some(events))
        }
        Err(End::Stopped) => Ok(None),
        Err(End::Error(error)) => Err(error),
    }
}

/// Why a search ends early.
enum End {
    Stopped,
    Error(ScoreError),
}

impl From<MeasureError> for End {
    fn from(error: MeasureError) -> Self {
        Self::Error(error.into())
    }
}
