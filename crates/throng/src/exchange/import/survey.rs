//! What tracks look like as a whole, and whether that can be true.
//!
//! Files in centimetres that are read as metres are the commonest mistake, and people who walk a
//! hundred metres per second give it away.

use std::path::Path;

use glam::DVec2;

use super::grid::Grid;
use super::staging::Staging;
use super::{ImportOptions, Source, Unit};
use crate::exchange::ExchangeError;

/// Medians of people who get somewhere are hardly ever outside, m/s: crowds that shuffle, and runners.
pub(crate) const WALKING_SPEEDS: (f64, f64) = (0.25, 3.0);
/// Nobody runs faster, m/s. Averages above this are a matter of units or frame rates.
pub(crate) const FASTEST: f64 = 12.0;
/// An average below this is suspicious if lengths were divided, m/s.
const SLOWEST: f64 = 0.02;
/// Tracks do not lie farther apart, m.
const WIDEST: f64 = 10_000.0;
/// How far the velocities of a file may be from those of its positions, as a factor.
const CONTRADICTION: f64 = 1.4;

#[derive(Debug, Default)]
pub(super) struct Survey {
    pub people: u64,
    /// How many times somebody is missing for a while.
    pub gaps: u64,
    /// Corners of the rectangle around all positions.
    pub min: DVec2,
    pub max: DVec2,
    heights: (f64, f64),
    frames: (u64, u64),
    /// Sum of all ways, m, and of the times they took, s.
    way: f64,
    time: f64,
    /// Sum of the speeds that the file gives, m/s, and how many there are.
    given_speeds: (f64, u64),
}

pub(super) fn survey(staging: &Staging, grid: &Grid) -> Result<Survey, ExchangeError> {
    let mut survey = Survey {
        min: DVec2::INFINITY,
        max: DVec2::NEG_INFINITY,
        heights: (f64::INFINITY, f64::NEG_INFINITY),
        frames: (grid.filled, grid.frames.into()),
        ..Survey::default()
    };
    let mut previous: Option<(u32, i64, DVec2)> = None;
    let query = "SELECT id, frame, x, y, z, vx, vy FROM rows ORDER BY id, frame";
    staging.each(query, |row| {
        let (id, frame, z) = (row.get(0)?, row.get(1)?, row.get(4)?);
        let position = DVec2::new(row.get(2)?, row.get(3)?);
        survey.min = survey.min.min(position);
        survey.max = survey.max.max(position);
        survey.heights = (survey.heights.0.min(z), survey.heights.1.max(z));
        if let (Some(vx), Some(vy)) = (row.get::<_, Option<f64>>(5)?, row.get::<_, Option<_>>(6)?) {
            survey.given_speeds.0 += vx.hypot(vy);
            survey.given_speeds.1 += 1;
        }
        match previous {
            Some((before, from, place)) if before == id => {
                let steps = frame - from;
                survey.gaps += u64::from(steps > i64::from(grid.stride));
                survey.way += place.distance(position);
                survey.time += steps as f64 * grid.step;
            }
            _ => survey.people += 1,
        }
        previous = Some((id, frame, position));
        Ok(Ok(()))
    })?;
    Ok(survey)
}

/// The unit in which people walk who seem to move at `speed` in metres per second, if there is one.
pub(crate) fn fitting_unit(speed: f64) -> Option<Unit> {
    let (slowest, fastest) = WALKING_SPEEDS;
    Unit::ALL.into_iter().find(|unit| (slowest..=fastest).contains(&(speed / unit.per_metre())))
}

impl Survey {
    /// How fast people are on average, if anybody is in two frames.
    pub(super) fn mean_speed(&self) -> Option<f64> {
        (self.time > 0.0).then(|| self.way / self.time)
    }

    /// What the user should know, or why this cannot be right.
    pub(super) fn judge(
        &self,
        tracks: &Path,
        source: &Source,
        options: &ImportOptions,
    ) -> Result<Vec<String>, ExchangeError> {
        let mut warnings = Vec::new();
        if let Some(problem) = self.implausible(source.unit) {
            // Whoever has said what the unit is knows better.
            if options.unit.is_none() {
                return Err(ExchangeError::tracks(tracks, problem));
            }
            warnings.push(problem);
        }
        warnings.extend(self.contradiction());
        let (low, high) = self.heights;
        if low > 0.9 && high < 2.5 && high - low > 0.01 {
            warnings.push(format!(
                "heights from {low:.2} to {high:.2} m look like those of heads, and are taken for \
                 the ground; --flat ignores them"
            ));
        }
        let (filled, all) = self.frames;
        if filled * 2 < all {
            warnings.push(format!("nobody is in {} of {all} frames", all - filled));
        }
        Ok(warnings)
    }

    fn implausible(&self, unit: Unit) -> Option<String> {
        let speed = self.mean_speed();
        let extent = (self.max - self.min).max_element();
        if speed.is_some_and(|speed| speed < SLOWEST && speed > 0.0) && unit != Unit::Metre {
            let speed = speed.unwrap_or_default();
            return Some(format!(
                "people walk {speed:.4} m/s on average; are lengths in metres? (--unit m)"
            ));
        }
        let problem = match speed {
            Some(speed) if speed > FASTEST => format!("people move {speed:.0} m/s on average"),
            _ if extent > WIDEST => format!("people are up to {extent:.0} m apart"),
            _ => return None,
        };
        let fitting = speed.and_then(fitting_unit).unwrap_or(Unit::Centimetre);
        let smaller = fitting.symbol();
        Some(format!(
            "{problem}; if lengths are in {smaller}, say so with --unit {smaller}; if only the \
             frame rate is wrong, with --fps; if all is right, say --unit {}",
            unit.symbol()
        ))
    }

    /// Velocities and positions that do not fit tell of a wrong frame rate.
    fn contradiction(&self) -> Option<String> {
        let (sum, count) = self.given_speeds;
        let (given, derived) = (sum / count.max(1) as f64, self.mean_speed()?);
        let ratio = given / derived;
        let is_off = given > SLOWEST
            && derived > SLOWEST
            && !(CONTRADICTION.recip()..CONTRADICTION).contains(&ratio);
        is_off.then(|| {
            format!(
                "its velocities are {given:.2} m/s on average, but its positions make \
                 {derived:.2} m/s; a frame rate {ratio:.2} times as high would fit"
            )
        })
    }
}
