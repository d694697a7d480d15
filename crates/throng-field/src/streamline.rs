//! Lines that lead where a field leads, for drawing and for comparison.

use glam::DVec2;

use crate::field::Field;

/// Most points of a line.
const MOST_POINTS: usize = 100_000;

/// How a streamline is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StreamlineOptions {
    /// The way from point to point, m.
    pub step: f64,
    /// The length of the line, m; negative to follow it backwards.
    pub length: f64,
    /// The speed below which the field leads nowhere, m/s.
    pub standstill: f64,
}

impl Default for StreamlineOptions {
    fn default() -> Self {
        Self { step: 0.25, length: 50.0, standstill: 1e-3 }
    }
}

impl Field {
    /// The line through a place along which the field leads, by the Runge-Kutta method of fourth
    /// order in the length of the way. It begins with that place and ends early where the field
    /// stands still, or after 100,000 points.
    pub fn streamline(&self, start: DVec2, options: &StreamlineOptions) -> Vec<DVec2> {
        let mut line = vec![start];
        let steps = (options.length / options.step).abs();
        if !start.is_finite() || !steps.is_finite() {
            return line;
        }
        let step = options.step.abs() * options.length.signum();
        let direction = |place: DVec2| {
            let velocity = self.velocity(place);
            let speed = velocity.length();
            (speed > options.standstill).then(|| velocity / speed)
        };
        let next = |place: DVec2| {
            let first = direction(place)?;
            let second = direction(place + first * (0.5 * step))?;
            let third = direction(place + second * (0.5 * step))?;
            let fourth = direction(place + third * step)?;
            Some(place + (first + 2.0 * (second + third) + fourth) * (step / 6.0))
        };
        let mut last_way = DVec2::ZERO;
        for _ in 0..(steps.round() as usize).min(MOST_POINTS) {
            let here = line[line.len() - 1];
            let Some(place) = next(here) else { break };
            // It turns back where it has stepped over a place where the field stands still.
            if (place - here).dot(last_way) < 0.0 {
                break;
            }
            last_way = place - here;
            line.push(place);
        }
        line
    }
}
