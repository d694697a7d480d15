//! Where people were, frame by frame.

use std::collections::BTreeMap;

use glam::DVec2;

use crate::frame::FrameView;

/// Where one person was, as often as there were frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// When, ascending, s.
    pub times: Vec<f64>,
    /// Where, m.
    pub points: Vec<DVec2>,
}

impl Track {
    /// The track up to the first point where `is_goal` holds, that one included.
    pub fn until(&self, is_goal: impl Fn(DVec2) -> bool) -> Self {
        let end = self.points.iter().position(|&point| is_goal(point));
        let count = end.map_or(self.points.len(), |end| end + 1);
        Self { times: self.times[..count].into(), points: self.points[..count].into() }
    }
}

/// The tracks of everyone.
#[derive(Clone, Debug, Default)]
pub struct Tracks(BTreeMap<u32, Track>);

impl Tracks {
    /// Adds everyone of the next frame.
    pub fn push(&mut self, frame: FrameView) {
        for (&id, position) in frame.ids.iter().zip(frame.positions) {
            let track = self.0.entry(id).or_default();
            track.times.push(frame.time);
            track.points.push(position.as_dvec2());
        }
    }

    /// Everyone's track, by id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Track)> {
        self.0.iter().map(|(&id, track)| (id, track))
    }
}
