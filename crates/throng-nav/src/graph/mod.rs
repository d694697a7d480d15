//! The navigation graph: discs without walls in them, and gates where two of them overlap.
//!
//! A [`CorridorMap`] says exactly how much room there is everywhere. For choosing among many ways,
//! for spreading people over them and for attaching what a place means, something coarser is handier:
//! a few *zones*, free discs of which each stands for a place, and *gates*, the chords in which
//! neighbouring discs cut each other. A disc is convex, so a body of radius `r` may walk straight
//! between any two points of a zone shrunk by `r` without looking at walls, and from zone to zone
//! through points that both shrunk zones share. That is the promise everything here keeps.
//!
//! After J. Pettré, J.-P. Laumond and D. Thalmann, "A navigation graph for real-time crowd animation
//! on multilayered and uneven terrain", 2005, who sample the ground on a grid. Here zones lie on the
//! exact medial axis, so no cell size decides whether a door is open.

mod cover;
mod discs;
mod finder;
mod gates;
mod paths;
mod report;
mod routes;
mod semantics;
mod spread;

use glam::DVec2;
use throng_world::scene::{LayerId, Region, Scene};

use crate::map::CorridorMap;
use discs::DiscGrid;
use semantics::Semantics;

pub use finder::{PathFinder, Traffic};
pub use paths::{Path, PathRules, PathSet};
pub use report::GraphReport;
pub use routes::Routes;
pub use spread::Waypoint;

/// A zone of a [`NavGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ZoneId(pub u32);

/// A gate of a [`NavGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GateId(pub u32);

/// A disc with no wall in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// Its centre.
    pub centre: DVec2,
    /// Its radius, m: at most the distance from the centre to the nearest wall.
    pub radius: f64,
    /// On which floor.
    pub layer: LayerId,
    /// Zones with the same number can be reached from each other while all gates are open.
    pub component: u32,
}

impl Zone {
    /// How far inside `point` is, m; negative outside.
    pub fn depth(&self, point: DVec2) -> f64 {
        self.radius - self.centre.distance(point)
    }

    /// Its size, m².
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.radius * self.radius
    }
}

/// Where one gets from one zone into another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// The zones that overlap here. Those of two floors are joined half-way up stairs.
    pub zones: [ZoneId; 2],
    /// Its ends.
    pub ends: [DVec2; 2],
    /// Radius of the largest body that stays within both zones when it passes, m.
    pub room: f64,
}

impl Gate {
    /// Its width, m.
    pub fn width(&self) -> f64 {
        self.ends[0].distance(self.ends[1])
    }

    /// Its middle.
    pub fn middle(&self) -> DVec2 {
        (self.ends[0] + self.ends[1]) * 0.5
    }

    /// The zone that `zone` leads to.
    pub fn beyond(&self, zone: ZoneId) -> ZoneId {
        if self.zones[0] == zone { self.zones[1] } else { self.zones[0] }
    }
}

/// How a graph is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphRules {
    /// Radius of the bodies that gates are for, m.
    pub body: f64,
    /// Half the width of the narrowest passage that counts as a way, m. It exceeds `body` by at least
    /// 2 cm: the less it does, the closer together zones must be for the body to get through.
    pub passage: f64,
    /// Largest radius of a zone, m. In worlds with kilometres of open ground it is exceeded.
    pub largest_zone: f64,
    /// How far apart zones may be along the middle of a way, as a share of their radius: from 0.3 to
    /// 1. Less means more zones that overlap more.
    pub spacing: f64,
}

impl Default for GraphRules {
    fn default() -> Self {
        Self { body: 0.25, passage: 0.3, largest_zone: 8.0, spacing: 0.6 }
    }
}

/// Why there is no graph.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// Rules that contradict each other.
    #[error("a graph wants {0}")]
    Rules(&'static str),
    /// More ways than fit into memory.
    #[error("the ways are too long for their width: raise `passage`, or make graphs of parts")]
    TooLarge,
}

impl GraphRules {
    fn check(&self) -> Result<(), GraphError> {
        let wants = |holds: bool, what| if holds { Ok(()) } else { Err(GraphError::Rules(what)) };
        wants(self.body > 0.0, "a `body` with a radius above zero")?;
        wants(self.passage >= self.body + 0.0199, "a `passage` 2 cm above `body` or more")?;
        wants(self.passage < self.largest_zone, "a `largest_zone` above `passage`")?;
        wants(self.largest_zone <= 1e6, "a `largest_zone` of at most a million metres")?;
        wants((0.3..=1.0).contains(&self.spacing), "a `spacing` from 0.3 to 1")
    }
}

/// From the middle of one gate to that of another, through a zone they have in common.
#[derive(Clone, Copy, Debug)]
struct Leg {
    to: u32,
    zone: u32,
    length: f64,
}

/// Zones and gates of all floors.
#[derive(Clone, Debug)]
pub struct NavGraph {
    rules: GraphRules,
    zones: Vec<Zone>,
    gates: Vec<Gate>,
    is_open: Vec<bool>,
    /// Gates of each zone.
    gates_of: Rows<GateId>,
    /// What can be reached from each gate through either of its zones.
    legs: Rows<Leg>,
    /// Zones by place, for each floor.
    floors: Vec<DiscGrid>,
    semantics: Semantics,
}

impl NavGraph {
    /// The graph of a map.
    pub fn new(map: &CorridorMap, rules: &GraphRules) -> Result<Self, GraphError> {
        rules.check()?;
        let mut zones: Vec<Zone> = Vec::new();
        let mut floors = Vec::new();
        for layer in (0..map.floors.len()).map(|layer| LayerId(layer as u8)) {
            let mut grid = DiscGrid::new(cover::extent(map, layer), rules.largest_zone);
            for zone in cover::zones(map, layer, rules)? {
                grid.insert(zones.len() as u32, zone.centre, zone.radius);
                zones.push(zone);
            }
            floors.push(grid);
        }
        let mut gates: Vec<Gate> = Vec::new();
        for grid in &floors {
            gates::between_zones(&zones, grid, rules.body, &mut gates);
        }
        gates::on_stairs(map, &zones, &floors, rules.body, &mut gates);
        number_components(&mut zones, &gates);
        let gates_of = gates_of(zones.len(), &gates);
        let legs = legs(&gates, &gates_of);
        let semantics = Semantics::default();
        let is_open = vec![true; gates.len()];
        Ok(Self { rules: *rules, zones, gates, is_open, gates_of, legs, floors, semantics })
    }

    /// The graph of a map, with what the regions of the scene say about its zones.
    pub fn of_scene(
        scene: &Scene,
        map: &CorridorMap,
        rules: &GraphRules,
    ) -> Result<Self, GraphError> {
        let mut graph = Self::new(map, rules)?;
        graph.annotate(&scene.regions);
        Ok(graph)
    }

    /// Attaches tags and costs of regions to the zones they touch, in place of earlier ones.
    pub fn annotate(&mut self, regions: &[Region]) {
        self.semantics = Semantics::new(regions, &self.zones, &self.floors);
    }

    /// How it was made.
    pub fn rules(&self) -> &GraphRules {
        &self.rules
    }

    /// All zones; the index is the number of their id.
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// All gates; the index is the number of their id.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// A zone.
    pub fn zone(&self, id: ZoneId) -> &Zone {
        &self.zones[id.0 as usize]
    }

    /// A gate.
    pub fn gate(&self, id: GateId) -> &Gate {
        &self.gates[id.0 as usize]
    }

    /// The gates of a zone.
    pub fn gates_of(&self, id: ZoneId) -> &[GateId] {
        self.gates_of.row(id.0 as usize)
    }

    /// Whether paths may lead through a gate.
    pub fn is_open(&self, id: GateId) -> bool {
        self.is_open[id.0 as usize]
    }

    /// Opens or closes a gate for paths searched from now on; a door, say. If path sets are kept in
    /// [`Routes`], use its method of this name.
    pub fn set_open(&mut self, id: GateId, open: bool) {
        self.is_open[id.0 as usize] = open;
    }

    /// The zones that hold a point, in ascending order.
    pub fn zones_at(&self, layer: LayerId, point: DVec2) -> impl Iterator<Item = ZoneId> {
        let candidates = self.floors.get(layer.0 as usize).map_or(&[][..], |grid| grid.at(point));
        let holds = move |&&zone: &&u32| self.zones[zone as usize].depth(point) >= 0.0;
        candidates.iter().filter(holds).map(|&zone| ZoneId(zone))
    }

    /// The zone that holds a point deepest inside; `None` off the graph.
    pub fn best_zone(&self, layer: LayerId, point: DVec2) -> Option<ZoneId> {
        let depth = |zone: &ZoneId| self.zone(*zone).depth(point);
        // The first of equals, where `max_by` would take the last.
        self.zones_at(layer, point).min_by(|a, b| depth(b).total_cmp(&depth(a)))
    }

    /// Where the centre of a body may be when it passes a gate so that it stays within both zones:
    /// all points between the two. `None` if the body is too large.
    pub fn passage(&self, id: GateId, body: f64) -> Option<[DVec2; 2]> {
        let gate = self.gate(id);
        gates::passage(gate.zones.map(|zone| self.zone(zone)), gate, body)
    }
}

/// Lists of different lengths, one after the other.
#[derive(Clone, Debug, Default)]
struct Rows<T> {
    begins: Vec<u32>,
    items: Vec<T>,
}

impl<T> Rows<T> {
    fn from_lists(lists: impl IntoIterator<Item = Vec<T>>) -> Self {
        let mut rows = Self { begins: vec![0], items: Vec::new() };
        for list in lists {
            rows.items.extend(list);
            rows.begins.push(rows.items.len() as u32);
        }
        rows
    }

    fn row(&self, row: usize) -> &[T] {
        &self.items[self.begins[row] as usize..self.begins[row + 1] as usize]
    }
}

fn gates_of(zones: usize, gates: &[Gate]) -> Rows<GateId> {
    let mut lists = vec![Vec::new(); zones];
    for (id, gate) in (0..).map(GateId).zip(gates) {
        for zone in gate.zones {
            lists[zone.0 as usize].push(id);
        }
    }
    Rows::from_lists(lists)
}

fn legs(gates: &[Gate], gates_of: &Rows<GateId>) -> Rows<Leg> {
    Rows::from_lists((0..).map(GateId).zip(gates).map(|(id, gate)| {
        let through = |zone: ZoneId| {
            let others = gates_of.row(zone.0 as usize).iter().filter(move |&&other| other != id);
            others.map(move |&other| Leg {
                to: other.0,
                zone: zone.0,
                length: gate.middle().distance(gates[other.0 as usize].middle()),
            })
        };
        gate.zones.into_iter().flat_map(through).collect()
    }))
}

/// Numbers zones that hang together, in order of their first zone.
fn number_components(zones: &mut [Zone], gates: &[Gate]) {
    let mut leader: Vec<u32> = (0..zones.len() as u32).collect();
    fn find(leader: &mut [u32], mut zone: u32) -> u32 {
        while leader[zone as usize] != zone {
            leader[zone as usize] = leader[leader[zone as usize] as usize];
            zone = leader[zone as usize];
        }
        zone
    }
    for gate in gates {
        let [a, b] = gate.zones.map(|zone| find(&mut leader, zone.0));
        leader[a.max(b) as usize] = a.min(b);
    }
    let mut count = 0;
    for zone in 0..zones.len() {
        let first = find(&mut leader, zone as u32) as usize;
        if first == zone {
            zones[zone].component = count;
            count += 1;
        } else {
            zones[zone].component = zones[first].component;
        }
    }
}
