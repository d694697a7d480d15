//! How good a graph is.

use glam::DVec2;
use throng_world::scene::LayerId;

use super::{Gate, NavGraph, cover};
use crate::map::CorridorMap;

/// What a [`NavGraph`] amounts to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphReport {
    /// How many zones there are.
    pub zones: usize,
    /// How many gates.
    pub gates: usize,
    /// How many parts without a way between them.
    pub components: usize,
    /// Share of the places where a body of the narrowest passage fits that lie in some zone.
    pub coverage: f64,
    /// How many places that share comes from.
    pub places: u32,
    /// Width of the narrowest gate, m; infinite if there is none.
    pub narrowest: f64,
}

/// Points tried on each floor.
const TRIES: u32 = 20_000;

impl NavGraph {
    /// Looks at the graph as a whole, and at places spread evenly over `map`, of which it was made.
    pub fn report(&self, map: &CorridorMap) -> GraphReport {
        let (mut places, mut covered) = (0, 0);
        for layer in (0..self.floors.len()).map(|layer| LayerId(layer as u8)) {
            let Some([min, max]) = cover::extent(map, layer) else { continue };
            for number in 0..TRIES {
                let point = min + (max - min) * evenly(number);
                if map.clearance(layer, point) >= self.rules.passage {
                    places += 1;
                    covered += u32::from(self.zones_at(layer, point).next().is_some());
                }
            }
        }
        GraphReport {
            zones: self.zones.len(),
            gates: self.gates.len(),
            components: self
                .zones
                .iter()
                .map(|zone| zone.component as usize + 1)
                .max()
                .unwrap_or(0),
            coverage: if places > 0 { f64::from(covered) / f64::from(places) } else { 1.0 },
            places,
            narrowest: self.gates.iter().map(Gate::width).fold(f64::INFINITY, f64::min),
        }
    }
}

/// Points that fill the unit square evenly however many there are: the sequence of M. Roberts, after the
/// plastic number.
fn evenly(number: u32) -> DVec2 {
    let number = f64::from(number) + 1.0;
    DVec2::new(0.754_877_666_246_692_8 * number, 0.569_840_290_998_053_3 * number).fract()
}
