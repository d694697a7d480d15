//! The frames of a recording at another rate.
//!
//! Frames are read in order and each once, except that frames between those wanted are skipped.

use std::collections::BTreeSet;

use throng_world::scene::LayerId;

use crate::exchange::{ExchangeError, rate};
use crate::recording::{Frame, Recording};

/// A frame of the recording that is this close to a wanted one, in frames, is the wanted one.
const SAME: f64 = 1e-6;

/// Rates above this are a slip of the finger.
const FASTEST: f64 = 1e4;

pub(super) struct Sampler<'r> {
    recording: &'r mut Recording,
    /// Frames of the recording per frame wanted.
    ratio: f64,
    count: u32,
    fps: f64,
    /// The last frames read, which wanted ones lie between.
    earlier: Option<Frame>,
    later: Option<Frame>,
    people: Vec<u32>,
    first: Frame,
}

impl<'r> Sampler<'r> {
    /// The frames of `recording`, `fps` of them per second if given, or why there cannot be.
    pub(super) fn new(recording: &'r mut Recording, fps: Option<f64>) -> Result<Self, String> {
        let own = rate(recording.info().interval());
        let fps = fps.unwrap_or(own);
        if !(fps > 0.0 && fps <= FASTEST) {
            return Err(format!(
                "{fps} frames per second are not possible; give a number above 0 and up to \
                 {FASTEST}, e.g. --fps 10"
            ));
        }
        let ratio = own / fps;
        let nearest = ratio.round();
        let ratio = if (ratio - nearest).abs() < SAME / 1e3 { nearest } else { ratio };
        let count = match recording.frame_count() {
            0 => 0,
            frames => ((f64::from(frames - 1) / ratio + SAME).floor() + 1.0).min(1e9) as u32,
        };
        let (people, first) = (Vec::new(), Frame::default());
        Ok(Self { recording, ratio, count, fps, earlier: None, later: None, people, first })
    }

    /// Finds out who is in the recording at some time, on `layer` if that is given, for formats that
    /// have to know before the first frame.
    pub(super) fn look_for_people(&mut self, layer: Option<LayerId>) -> Result<(), ExchangeError> {
        if self.recording.frame_count() > 0 {
            self.recording.read_frame(0, &mut self.first)?;
        }
        let Some(layer) = layer else {
            self.people = self.recording.ids()?;
            return Ok(());
        };
        let mut people = BTreeSet::new();
        for frame in self.recording.frames() {
            let frame = frame?.people;
            let there = frame.ids.iter().zip(&frame.layers).filter(|(_, on)| **on == layer);
            people.extend(there.map(|(id, _)| *id));
        }
        self.people = people.into_iter().collect();
        Ok(())
    }

    /// Everyone whom [`Self::look_for_people`] has found, in order.
    pub(super) fn people(&self) -> &[u32] {
        &self.people
    }

    /// The first frame of the recording, if [`Self::look_for_people`] was called.
    pub(super) fn first_frame(&self) -> &Frame {
        &self.first
    }

    pub(super) fn recording(&self) -> &Recording {
        self.recording
    }

    pub(super) fn frame_count(&self) -> u32 {
        self.count
    }

    pub(super) fn fps(&self) -> f64 {
        self.fps
    }

    /// The number of the first frame, if frame 0 is at time 0.
    pub(super) fn first_number(&self) -> i64 {
        (self.recording.time_of(0) * self.fps).round() as i64
    }

    /// Reads the frame number `index`, at the new rate, into `frame`. To be called in order.
    pub(super) fn read(&mut self, index: u32, frame: &mut Frame) -> Result<(), ExchangeError> {
        let position = f64::from(index) * self.ratio;
        let nearest = position.round();
        let position = if (position - nearest).abs() < SAME { nearest } else { position };
        let (first, part) = (position.floor() as u32, position.fract());
        if part == 0.0 && self.ratio >= 1.0 {
            self.recording.read_frame(first, frame)?;
        } else {
            self.between(first, part as f32, frame)?;
        }
        frame.index = index;
        frame.time = self.recording.time_of(0) + f64::from(index) / self.fps;
        if part == 0.0 {
            frame.time = self.recording.time_of(first);
        }
        Ok(())
    }

    fn between(&mut self, first: u32, part: f32, frame: &mut Frame) -> Result<(), ExchangeError> {
        if self.later.as_ref().is_some_and(|later| later.index == first) {
            self.earlier = self.later.take();
        }
        let earlier = match self.earlier.take().filter(|earlier| earlier.index == first) {
            Some(earlier) => earlier,
            None => self.recording.frame(first)?,
        };
        frame.clone_from(&earlier);
        self.earlier = Some(earlier);
        if part > 0.0 && first + 1 < self.recording.frame_count() {
            let later = match self.later.take().filter(|later| later.index == first + 1) {
                Some(later) => later,
                None => self.recording.frame(first + 1)?,
            };
            frame.people.move_towards(&later.people, part);
            self.later = Some(later);
        }
        Ok(())
    }
}
