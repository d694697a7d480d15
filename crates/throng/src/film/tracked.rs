//! Smooth tracks as a source of motion.

use super::playback::window;
use super::{FilmError, Motions, PlayOptions, Selection};
use crate::bodies::MotionTarget;
use crate::recording::Recording;
use crate::tracks::{Sample, TrackOptions, Tracks};

/// Curves are smoothed so much beyond what is shown of them, s, that their ends are not seen.
const MARGIN: f64 = 2.0;

/// The tracks of those in `recording` whom `options` show, as far as they show them: a film follows them without the
/// sudden turns and starts of simulated people, which feet could only slide through.
///
/// # Errors
///
/// If the recording is damaged, or nothing is to be seen.
pub fn smoothed(recording: &mut Recording, options: &PlayOptions) -> Result<Tracks, FilmError> {
    let count = recording.frame_count();
    let last = count.saturating_sub(1);
    let span = (recording.time_of(0), recording.time_of(last));
    let (begin, end) = window(span, options)?;
    let interval = recording.info().interval();
    let frame_at = |time: f64| ((time - span.0) / interval).clamp(0.0, f64::from(last));
    let frames = frame_at(begin - MARGIN).floor() as u32..=frame_at(end + MARGIN).ceil() as u32;
    let info = recording.info().clone();
    let mut samples = Vec::new();
    for index in frames.filter(|_| count > 0) {
        let frame = recording.frame(index)?;
        for person in (0..frame.people.len()).map(|i| frame.people.get(i)) {
            if matches!(&options.people, Selection::These(ids) if !ids.contains(&person.id)) {
                continue;
            }
            samples.push(Sample::of(&person, frame.time, &info));
        }
    }
    Ok(Tracks::from_samples(samples, &TrackOptions::default())?.0)
}

/// The people of smooth tracks.
#[derive(Debug)]
pub struct Tracked<'t> {
    tracks: &'t Tracks,
    span: (f64, f64),
}

impl<'t> Tracked<'t> {
    /// The people of `tracks`.
    pub fn new(tracks: &'t Tracks) -> Self {
        Self { tracks, span: tracks.span().unwrap_or_default() }
    }

    /// The same, to be seen from one time until another, whether anybody is there or not.
    pub fn during(self, span: (f64, f64)) -> Self {
        Self { span, ..self }
    }
}

impl Motions for Tracked<'_> {
    fn span(&self) -> (f64, f64) {
        self.span
    }

    fn targets(&mut self, time: f64, targets: &mut Vec<MotionTarget>) -> Result<(), FilmError> {
        targets.clear();
        targets.extend(self.tracks.at(time).map(|(track, point)| MotionTarget {
            id: track.person(),
            group: track.group(),
            position: point.position,
            height: point.height,
            velocity: point.velocity,
            heading: point.facing,
            lying: point.lying,
            planted: true,
            ..MotionTarget::default()
        }));
        Ok(())
    }
}
