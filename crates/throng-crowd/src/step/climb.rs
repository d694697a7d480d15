//! People slow down on slopes and stairs.
//!
//! Goals and fields say how fast somebody wants to walk on level ground. On a slope they want less, whatever model steers them: up to
//! 5° nothing, then 2 % less for each degree that they go up, and 1 % for each that they go down, continuously from there. What
//! counts is how steep the way is that they walk: along a hillside it is level. The rates are rounded from
//! measurements of pedestrians; on stairs it is Weidmann's (1993) horizontal speed, 0.61 m/s up and 0.69 m/s down of somebody who walks at
//! 1.34 m/s on the level. Who has speeds of their own on stairs or ramps wants these instead, and a connector may be steeper or easier than
//! others by a factor.

use glam::Vec2;
use throng_world::{ConnectorKind, Layer};

use crate::intents::Intents;
use crate::population::Population;
use crate::status::Status;
use crate::workers::Workers;
use crate::world::Setting;

/// Slopes that are no steeper than this do nothing, degrees.
const GENTLE: f32 = 5.0;
/// How much each degree beyond slows those who go up and those who go down.
const LOSS_PER_DEGREE: [f32; 2] = [0.02, 0.01];
/// What is left of their speed at least.
const SLOWEST: [f32; 2] = [0.3, 0.5];
/// What is left of it on stairs.
const ON_STAIRS: [f32; 2] = [0.61 / 1.34, 0.69 / 1.34];
/// The slope of the ground is that between the feet of a stride, m: not that of each pebble.
const STRIDE: f32 = 0.7;

/// What all chunks have in common.
pub(super) struct ClimbStage<'a> {
    setting: &'a Setting,
    people: &'a Population,
    everyone_drifts: bool,
}

impl<'a> ClimbStage<'a> {
    /// Nothing where all floors are level and nothing joins them.
    pub fn new(
        setting: &'a Setting,
        people: &'a Population,
        everyone_drifts: bool,
    ) -> Option<Self> {
        let Setting { layers, connectors, slopes, .. } = setting;
        let is_level = |layer: &Layer| layer.terrain.is_flat();
        let matters = *slopes && !(connectors.is_empty() && layers.iter().all(is_level));
        matters.then_some(Self { setting, people, everyone_drifts })
    }

    /// Preferred velocities become what people want on the ground they walk on.
    pub fn slow_all(&self, intents: &mut Intents, workers: Workers) {
        let columns = (&mut intents.preferred_velocities[..], &intents.statuses[..]);
        workers.for_each_chunk(self.people.len(), columns, |first, (preferred, statuses)| {
            self.slow(first, preferred, statuses);
        });
    }

    /// Slows the people of some rows, the first of which is `first`.
    pub fn slow(&self, first: usize, preferred: &mut [Vec2], statuses: &[Status]) {
        let Setting { layers, .. } = self.setting;
        for (at, (velocity, status)) in preferred.iter_mut().zip(statuses).enumerate() {
            // What those want who stand where nobody has goals is that of the step before, and slowed already.
            let is_old = self.everyone_drifts && status.is_standing();
            let row = first + at;
            let layer = &layers[self.people.layers[row].0 as usize];
            let number = self.people.connectors[row] as usize;
            if is_old || (number == 0 && layer.terrain.is_flat()) {
                continue;
            }
            let (place, way) = (self.people.positions[row], velocity.normalize_or_zero());
            *velocity *= match number.checked_sub(1) {
                Some(index) => self.on_connector(index, row, place, way),
                None => on_ground(layer, place, way),
            };
        }
    }

    /// What is left of the speed of the person in a row who walks along `way`, a unit vector, on stairs or a ramp.
    fn on_connector(&self, index: usize, row: usize, place: Vec2, way: Vec2) -> f32 {
        let connector = &self.setting.connectors[index];
        let [low, high] = connector.ends(&self.setting.layers);
        let gradient = connector.gradient(place) * (high - low);
        let along = gradient.dot(way);
        let direction = usize::from(along < 0.0);
        // Who walks along a step does not climb.
        let climb = gradient.normalize_or_zero().dot(way).abs();
        let own = self.people.climbing.value(row);
        let (own, usual) = match connector.kind {
            ConnectorKind::Stairs => {
                (own.stairs[direction], 1.0 - (1.0 - ON_STAIRS[direction]) * climb)
            }
            ConnectorKind::Ramp => (own.ramps[direction], on_slope(along)),
        };
        let level = self.people.preferred_speeds[row];
        let factor = match own {
            Some(speed) if level > 0.0 => 1.0 - (1.0 - speed / level) * climb,
            _ => usual,
        };
        factor * (1.0 - (1.0 - connector.speed_factor[direction]) * climb)
    }
}

/// What is left of the speed of somebody who walks along `way`, a unit vector, over terrain.
fn on_ground(layer: &Layer, place: Vec2, way: Vec2) -> f32 {
    let foot = way * (0.5 * STRIDE);
    on_slope((layer.height(place + foot) - layer.height(place - foot)) / STRIDE)
}

/// What is left of the speed of somebody who rises by so many metres for each metre ahead.
fn on_slope(rise: f32) -> f32 {
    let beyond = rise.abs().atan().to_degrees() - GENTLE;
    let way = usize::from(rise < 0.0);
    (1.0 - LOSS_PER_DEGREE[way] * beyond.max(0.0)).max(SLOWEST[way])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(degrees: f32) -> f32 {
        on_slope(degrees.to_radians().tan())
    }

    #[test]
    fn steeper_is_slower_and_up_is_slower_than_down() {
        assert_eq!([at(0.0), at(4.9), at(-4.9)], [1.0; 3]);
        for (degrees, left) in [(5.1, 0.998), (15.0, 0.8), (30.0, 0.5), (-15.0, 0.9), (-30.0, 0.75)]
        {
            assert!((at(degrees) - left).abs() < 1e-4, "{degrees}°: {}", at(degrees));
        }
        assert_eq!([at(50.0), at(80.0), at(-60.0), at(-89.0)], [0.3, 0.3, 0.5, 0.5]);
        assert_eq!(on_slope(f32::INFINITY), 0.3);
    }
}
