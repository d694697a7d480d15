//! Smooth tracks as a source of motion.

use super::{FilmError, Motions};
use crate::bodies::Wish;
use crate::tracks::Tracks;

/// The people of smooth tracks.
#[derive(Debug)]
pub struct Tracked<'t> {
    tracks: &'t Tracks,
}

impl<'t> Tracked<'t> {
    /// The people of `tracks`.
    pub fn new(tracks: &'t Tracks) -> Self {
        Self { tracks }
    }
}

impl Motions for Tracked<'_> {
    fn span(&self) -> (f64, f64) {
        self.tracks.span().unwrap_or_default()
    }

    fn wishes(&mut self, time: f64, wishes: &mut Vec<Wish>) -> Result<(), FilmError> {
        wishes.clear();
        wishes.extend(self.tracks.at(time).map(|(track, point)| Wish {
            id: track.person(),
            position: point.position,
            height: point.height,
            velocity: point.velocity,
            heading: point.facing,
            planted: true,
        }));
        Ok(())
    }
}
