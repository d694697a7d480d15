//! The world that people are in: floors, obstacles and regions, what stands there now, and the time.

use glam::Vec2;
use throng_base::Bounds;
use throng_base::random::Random;
use throng_nav::MapRules;
use throng_world::scene::{LayerId, Region, RegionId};
use throng_world::{Connector, Layer, Obstacle, Walls};

use crate::ground::Ground;
use crate::population::Population;

/// What a crowd lives in and by.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Time between two states, s.
    pub step: f64,
    /// What all randomness derives from.
    pub seed: u64,
    /// Floors.
    pub layers: Vec<Layer>,
    /// Ways between floors.
    pub connectors: Vec<Connector>,
    /// The world ends here: there are no ways outside.
    pub bounds: Bounds,
    /// What stands around, some of it for some time only.
    pub obstacles: Vec<Obstacle>,
    /// How far from walls anybody heeds them, m.
    pub wall_reach: f32,
    /// Places that goals speak of.
    pub regions: Vec<Region>,
    /// How ways are found. Without, people walk straight to their goals.
    pub navigation: Option<MapRules>,
    /// Whether people slow down on slopes and stairs.
    pub slopes: bool,
    /// Whether bodies that would overlap are pushed apart.
    pub contacts: bool,
}

/// The setting, what stands in it now, and the time.
pub(crate) struct World {
    pub setting: Setting,
    pub ground: Ground,
    pub random: Random,
    /// Number of steps made.
    pub steps: u64,
    /// Floors joined by connectors, as a class number per floor.
    connected: Vec<u8>,
}

/// People on a connector are seen from the other floor when they are less than this above or below
/// it, m.
const HEAD_ROOM: f32 = 2.0;

/// So near to where they change from one floor to the other, m, they always are: in the middle of high stairs both floors
/// are further away than that.
const SEAM: f32 = 2.0;

impl World {
    /// The world at the beginning. What is wrong with it is added to `warnings`.
    pub fn new(setting: Setting, warnings: &mut Vec<String>) -> Self {
        Self {
            ground: Ground::new(&setting, warnings),
            random: Random::new(setting.seed),
            steps: 0,
            connected: connected_floors(setting.layers.len(), &setting.connectors),
            setting,
        }
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.setting.step
    }

    /// Time between two states, s.
    #[inline(always)]
    pub fn step(&self) -> f32 {
        self.setting.step as f32
    }

    /// The time since a step, s.
    pub fn time_since(&self, step: u32) -> f32 {
        (self.steps as u32).wrapping_sub(step) as f32 * self.step()
    }

    pub fn walls(&self) -> &Walls {
        &self.ground.walls
    }

    pub fn region(&self, id: RegionId) -> &Region {
        &self.setting.regions[id.0 as usize]
    }

    /// The nearest point of a region.
    pub fn entry(&self, region: RegionId, from: Vec2) -> Vec2 {
        self.region(region).polygon.nearest_point(from)
    }

    /// Whether connectors lead from one floor to another.
    pub fn are_joined(&self, a: LayerId, b: LayerId) -> bool {
        self.connected[a.0 as usize] == self.connected[b.0 as usize]
    }

    /// Height of the ground where the person in a row is, m.
    pub fn height(&self, people: &Population, row: usize) -> f32 {
        let Setting { layers, connectors, .. } = &self.setting;
        let (position, layer) = (people.positions[row], people.layers[row]);
        match people.connectors[row] {
            0 => layers[layer.0 as usize].height(position),
            on => connectors[on as usize - 1].height(layers, position),
        }
    }

    /// The connector that somebody at a place of a floor stands on, and the floor they belong to: the one they are
    /// nearer to. Connectors are told as in [`Population::connectors`].
    pub fn floor_at(&self, layer: LayerId, position: Vec2) -> (u16, LayerId) {
        let connectors = &self.setting.connectors;
        let on = connectors.iter().position(|connector| {
            (layer == connector.lower || layer == connector.upper)
                && connector.polygon.contains(position)
        });
        on.map_or((0, layer), |on| (on as u16 + 1, connectors[on].layer_at(position)))
    }

    /// The other floor on which the person in a row, who is on a connector, is to be seen as well.
    pub fn echo(&self, people: &Population, row: usize) -> Option<LayerId> {
        let Setting { layers, connectors, .. } = &self.setting;
        let connector = &connectors[people.connectors[row] as usize - 1];
        let (layer, position) = (people.layers[row], people.positions[row]);
        let other = if layer == connector.lower { connector.upper } else { connector.lower };
        let gap = connector.height(layers, position) - layers[other.0 as usize].height(position);
        let from_seam = (connector.progress(position) - 0.5).abs();
        let is_at_seam = from_seam < SEAM * connector.gradient(position).length();
        (gap.abs() < HEAD_ROOM || is_at_seam).then_some(other)
    }
}

/// Numbers floors so that those joined by connectors have the same number.
fn connected_floors(count: usize, connectors: &[Connector]) -> Vec<u8> {
    let mut class: Vec<u8> = (0..count).map(|floor| floor as u8).collect();
    for connector in connectors {
        let (a, b) = (class[connector.lower.0 as usize], class[connector.upper.0 as usize]);
        for floor in class.iter_mut().filter(|floor| **floor == b) {
            *floor = a;
        }
    }
    class
}
