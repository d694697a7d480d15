//! Where people are at any moment.

use super::FilmError;
use crate::bodies::MotionTarget;
use crate::recording::{Frame, Recording};

/// A source of motion: where people are over time.
pub trait Motions {
    /// The times of the first and the last moment, s.
    fn span(&self) -> (f64, f64);

    /// Writes the target of everybody at `time` to `targets`, in strictly ascending order of id. Called with times
    /// that grow.
    ///
    /// # Errors
    ///
    /// If it cannot be found out.
    fn targets(&mut self, time: f64, targets: &mut Vec<MotionTarget>) -> Result<(), FilmError>;
}

/// A time this near to a frame, in frames, is that of the frame.
const SAME: f64 = 1e-6;

/// The people of a recording, [between](MotionTarget::between) its frames.
#[derive(Debug)]
pub struct Recorded<'r> {
    recording: &'r mut Recording,
    earlier: Vec<MotionTarget>,
    later: Vec<MotionTarget>,
    /// Numbers of the frames these are of.
    loaded: [Option<u32>; 2],
    /// Scratch memory, reused for each frame that is read.
    frame: Frame,
}

impl<'r> Recorded<'r> {
    /// The people of `recording`.
    pub fn new(recording: &'r mut Recording) -> Self {
        let (earlier, later) = (Vec::new(), Vec::new());
        Self { recording, earlier, later, loaded: [None; 2], frame: Frame::default() }
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        self.recording
    }

    fn load(&mut self, first: u32, both: bool) -> Result<(), FilmError> {
        if self.loaded[1] == Some(first) {
            std::mem::swap(&mut self.earlier, &mut self.later);
            self.loaded = [Some(first), None];
        }
        let Self { recording, earlier, later, loaded, frame } = self;
        let wanted = [(0, first, earlier), (1, first + 1, later)];
        for (slot, index, targets) in wanted.into_iter().take(1 + usize::from(both)) {
            if loaded[slot] != Some(index) {
                recording.read_frame(index, frame)?;
                targets.clear();
                targets.extend(MotionTarget::of_recorded(&frame.people));
                loaded[slot] = Some(index);
            }
        }
        Ok(())
    }
}

impl Motions for Recorded<'_> {
    fn span(&self) -> (f64, f64) {
        let last = self.recording.frame_count().saturating_sub(1);
        (self.recording.time_of(0), self.recording.time_of(last))
    }

    fn targets(&mut self, time: f64, targets: &mut Vec<MotionTarget>) -> Result<(), FilmError> {
        targets.clear();
        let Some(last) = self.recording.frame_count().checked_sub(1) else { return Ok(()) };
        let interval = self.recording.info().interval();
        let at = ((time - self.recording.time_of(0)) / interval).clamp(0.0, f64::from(last));
        let at = if (at - at.round()).abs() < SAME { at.round() } else { at };
        let (first, part) = (at.floor() as u32, at.fract() as f32);
        self.load(first, part > 0.0)?;
        MotionTarget::between(&self.earlier, &self.later, part, interval as f32, targets);
        Ok(())
    }
}
