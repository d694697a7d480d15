//! Where it was dense and where people waited: maps of each floor, in cells of a metre.
//!
//! Once a second the room of each person is measured, their Voronoi cell cut off by walls and two metres around them.
//! A map notes at the place where a person stands how dense it is for them, and how long those are there who have set out and are
//! slower than 0.2 m/s. Levels of service are those of walkways by Fruin (1971).

use std::collections::BTreeMap;

use glam::Vec2;
use serde::{Deserialize, Serialize};
use throng_base::{Bounds, Polygon};
use throng_world::Scene;
use throng_world::scene::LayerId;
use throng_world::walkable::walkable;

use crate::voronoi::Meter;

/// Width of a cell of a map, m.
pub const CELL: f32 = 1.0;

/// Nobody's room reaches farther than this, m: with less, all who are alone would seem to be crowded.
const CUT_OFF: f64 = 2.0;

/// Who has set out and is slower waits, m/s.
pub const WAITING_SPEED: f32 = 0.2;

/// Bottlenecks are this far apart at least, and collect who waits within this distance, m.
const APART: f32 = 4.0;

/// Largest densities of Fruin's levels of service of walkways, people/m²: A to E; F is beyond.
pub const LEVELS: [f64; 5] = [0.31, 0.43, 0.72, 1.08, 2.17];

/// The level of service at a density, 0 for A to 5 for F.
pub fn level_of_service(density: f64) -> usize {
    LEVELS.partition_point(|&limit| limit < density)
}

/// What was noted in a cell of a floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MapCell {
    /// Floor, column and row, from the lowest corner of the world.
    pub at: [u32; 3],
    /// How long people were in it, person-seconds.
    pub presence: f64,
    /// Sum of the densities that they had there, times seconds.
    pub density: f64,
    /// The largest density of a second: the mean of those who were there.
    pub peak: f64,
    /// How long people waited in it, person-seconds.
    pub waiting: f64,
}

impl MapCell {
    /// The mean density of those who were there, people/m².
    pub fn mean_density(&self) -> f64 {
        if self.presence > 0.0 { self.density / self.presence } else { 0.0 }
    }

    /// The middle of the cell, m.
    pub fn middle(&self, bounds: &Bounds) -> Vec2 {
        let [_, column, row] = self.at;
        bounds.min + (Vec2::new(column as f32, row as f32) + 0.5) * CELL
    }

    fn add(&mut self, other: &Self) {
        self.presence += other.presence;
        self.density += other.density;
        self.peak = self.peak.max(other.peak);
        self.waiting += other.waiting;
    }
}

/// Makes the maps of a run.
pub(super) struct Mapper {
    bounds: Bounds,
    meters: Vec<Option<Meter>>,
    cells: BTreeMap<[u32; 3], MapCell>,
}

impl Mapper {
    pub fn new(scene: &Scene) -> Self {
        let bounds = scene.bounds;
        let meter = |floor: usize| {
            let ground = walkable(scene, LayerId(floor as u8));
            let world = Polygon::new(bounds.corners()).ok()?;
            Some(Meter::new(&world, &ground, CUT_OFF))
        };
        let meters = (0..scene.layers.len()).map(meter).collect();
        Self { bounds, meters, cells: BTreeMap::new() }
    }

    /// Notes where people are for some seconds: floors, positions, and whether each of them waits.
    pub fn note(&mut self, layers: &[LayerId], positions: &[Vec2], waits: &[bool], seconds: f64) {
        for (floor, meter) in self.meters.iter().enumerate() {
            let Some(meter) = meter else { continue };
            let here: Vec<usize> =
                (0..layers.len()).filter(|&i| usize::from(layers[i].0) == floor).collect();
            let places: Vec<Vec2> = here.iter().map(|&i| positions[i]).collect();
            let mut now: BTreeMap<[u32; 3], (f64, f64)> = BTreeMap::new();
            for share in meter.shares(&places) {
                let density = share.together as f64 / share.cell;
                let at = self.cell(floor, places[share.index]);
                let (sum, count) = now.entry(at).or_default();
                (*sum, *count) = (*sum + density, *count + 1.0);
            }
            for (at, (sum, count)) in now {
                let cell = self.cells.entry(at).or_insert(MapCell { at, ..MapCell::default() });
                cell.presence += count * seconds;
                cell.density += sum * seconds;
                cell.peak = cell.peak.max(sum / count);
            }
            for &i in here.iter().filter(|&&i| waits[i]) {
                let at = self.cell(floor, positions[i]);
                let cell = self.cells.entry(at).or_insert(MapCell { at, ..MapCell::default() });
                cell.waiting += seconds;
            }
        }
    }

    fn cell(&self, floor: usize, position: Vec2) -> [u32; 3] {
        // `as` makes 0 of what is negative.
        let at = (position - self.bounds.min) / CELL;
        [floor as u32, at.x as u32, at.y as u32]
    }

    pub fn finish(self) -> Vec<MapCell> {
        self.cells.into_values().collect()
    }
}

/// The maps of several runs together, each value the mean of the runs, peaks the largest.
pub fn joined<'a>(runs: impl Iterator<Item = &'a [MapCell]>) -> Vec<MapCell> {
    let mut cells: BTreeMap<[u32; 3], MapCell> = BTreeMap::new();
    let mut count = 0;
    for run in runs {
        count += 1;
        for cell in run {
            cells.entry(cell.at).or_insert(MapCell { at: cell.at, ..MapCell::default() }).add(cell);
        }
    }
    let share = 1.0 / f64::from(count.max(1));
    let mean = |cell: MapCell| MapCell {
        presence: cell.presence * share,
        density: cell.density * share,
        waiting: cell.waiting * share,
        ..cell
    };
    cells.into_values().map(mean).collect()
}

/// A place where people wait.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bottleneck {
    /// Floor.
    pub layer: String,
    /// Middle, m.
    pub position: [f32; 2],
    /// How long all people together wait there in a run, person-seconds.
    pub waiting: f64,
    /// The largest density there, people/m².
    pub peak_density: f64,
}

/// The places with most waiting, the worst first; where hardly anybody waits, none.
pub fn bottlenecks(cells: &[MapCell], scene: &Scene, most: usize) -> Vec<Bottleneck> {
    let mut left: Vec<&MapCell> = cells.iter().filter(|cell| cell.waiting > 0.0).collect();
    let all: f64 = left.iter().map(|cell| cell.waiting).sum();
    let mut found = Vec::new();
    while found.len() < most {
        let place = |cell: &MapCell| cell.middle(&scene.bounds);
        let is_near = |one: &MapCell, other: &MapCell| {
            one.at[0] == other.at[0] && place(one).distance(place(other)) <= APART
        };
        let worst =
            left.iter().max_by(|a, b| a.waiting.total_cmp(&b.waiting).then(b.at.cmp(&a.at)));
        let Some(&worst) = worst else { break };
        let (near, far): (Vec<&MapCell>, Vec<&MapCell>) =
            left.iter().partition(|cell| is_near(cell, worst));
        let waiting: f64 = near.iter().map(|cell| cell.waiting).sum();
        if waiting < 0.02 * all {
            break;
        }
        let mean = |axis: usize| {
            let sum: f64 = near.iter().map(|c| c.waiting * f64::from(place(c)[axis])).sum();
            (sum / waiting) as f32
        };
        found.push(Bottleneck {
            layer: scene.layers[worst.at[0] as usize].name.clone(),
            position: [mean(0), mean(1)],
            waiting,
            peak_density: near.iter().map(|cell| cell.peak).fold(0.0, f64::max),
        });
        left = far;
    }
    found.sort_by(|a, b| b.waiting.total_cmp(&a.waiting));
    found
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn scene() -> Scene {
        Scene::parse("s", "format = 1\nworld.bounds = [[0, 0], [20, 10]]", Path::new("")).unwrap()
    }

    #[test]
    fn levels_of_service_change_at_fruins_densities() {
        assert_eq!(
            [0.0, 0.31, 0.32, 0.5, 1.0, 2.0, 2.2].map(level_of_service),
            [0, 0, 1, 2, 3, 4, 5]
        );
    }

    #[test]
    fn a_map_has_the_density_and_the_waiting_of_those_who_were_there() {
        let scene = scene();
        let mut mapper = Mapper::new(&scene);
        // A lattice of half a metre: four people per square metre inside.
        let lattice =
            |i: usize| Vec2::new(5.25 + 0.5 * (i % 10) as f32, 2.25 + 0.5 * (i / 10) as f32);
        let positions: Vec<Vec2> = (0..100).map(lattice).collect();
        let waits: Vec<bool> = (0..100).map(|i| i % 10 < 2).collect();
        (0..3).for_each(|_| mapper.note(&[LayerId(0); 100], &positions, &waits, 1.0));
        let cells = mapper.finish();
        let inner = cells.iter().find(|cell| cell.at == [0, 7, 4]).unwrap();
        assert!((inner.mean_density() - 4.0).abs() < 1e-6 && (inner.peak - 4.0).abs() < 1e-6);
        assert!((inner.presence - 12.0).abs() < 1e-9 && inner.waiting == 0.0);
        assert_eq!(cells.iter().map(|cell| cell.waiting).sum::<f64>(), 60.0);
        let worst = bottlenecks(&cells, &scene, 3);
        assert!((worst[0].position[0] - 5.5).abs() < 0.01, "{worst:?}");
        assert!((worst.iter().map(|place| place.waiting).sum::<f64>() - 60.0).abs() < 1e-9);
    }
}
