//! Paths through a graph: the shortest, and others that are worth taking.
//!
//! Other paths are found by making it costlier to go where earlier ones led (the penalty method; see
//! R. Bader, J. Dees, R. Geisberger and P. Sanders, "Alternative route graphs in road networks", 2011),
//! and by closing the narrowest gate of each. A path is kept if it is not much longer than the shortest and leads elsewhere for a good part
//! of its length. It leads elsewhere where it is outside of all zones of the other: two tracks within
//! one corridor are the same path, however many zones the corridor has.
//!
//! The first search finds the cost from every gate to the destination. It is a perfect guess of what
//! is left for the others before fines, so they look at little that is not nearly as good as what they
//! find.

use glam::DVec2;

use super::finder::{Limits, PathFinder, Traffic};
use super::{GateId, NavGraph, Zone, ZoneId};

/// A way from the centre of one zone to that of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The gates it passes, in order.
    pub gates: Vec<GateId>,
    /// The zones it leads through: one more than gates.
    pub zones: Vec<ZoneId>,
    /// Its length over the middles of its gates, m.
    pub length: f64,
    /// Its length with each metre weighted by what walking there costs.
    pub cost: f64,
    /// Width of its narrowest gate, m; of its zone, if there is none.
    pub width: f64,
}

/// Several paths between the same zones, the cheapest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathSet {
    /// The paths. None, if there is no way.
    pub paths: Vec<Path>,
    /// All gates of all paths that were looked at, in ascending order. While these stay open, closing
    /// others changes nothing.
    pub(super) seen: Vec<GateId>,
    /// The largest cost, including penalties, of a path that was looked at; infinite if a search found
    /// none. Opening a gate that is farther round than this changes nothing.
    pub(super) reach: f64,
}

/// What makes a path worth keeping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathRules {
    /// How many paths at most.
    pub count: usize,
    /// By how much walking where an earlier path led becomes costlier, as a share.
    pub penalty: f64,
    /// How many times as costly as the cheapest path others may be.
    pub stretch: f64,
    /// How much of a path's length may be in common with another.
    pub overlap: f64,
    /// How many paths in a row may be turned down before the search ends.
    pub rejections: u32,
    /// Radius of the body that must fit through, m.
    pub body: f64,
}

impl Default for PathRules {
    fn default() -> Self {
        Self { count: 8, penalty: 0.4, stretch: 1.6, overlap: 0.7, rejections: 5, body: 0.25 }
    }
}

impl PathFinder {
    /// The cheapest path and others beside it.
    pub fn alternatives(
        &mut self,
        graph: &NavGraph,
        from: ZoneId,
        to: ZoneId,
        rules: &PathRules,
        traffic: &Traffic,
    ) -> PathSet {
        self.begin(graph, traffic);
        let limits = Limits { body: rules.body, closed: None };
        self.measure_to(graph, to, limits);
        let mut set = PathSet::default();
        let mut rejected = 0;
        while set.paths.len() < rules.count && rejected < rules.rejections.max(1) {
            let Some((gates, cost)) = self.find(graph, [from, to], limits) else {
                set.reach = f64::INFINITY;
                return set;
            };
            set.note(&gates, cost);
            let path = self.path(graph, from, to, gates);
            if path.gates.is_empty() {
                set.paths.push(path);
                return set;
            }
            // Everybody begins and ends in the same zones: a fine there would only blur the search.
            for zone in &path.zones[1..path.zones.len() - 1] {
                self.fined[zone.0 as usize] *= 1.0 + rules.penalty.max(0.0);
            }
            rejected = if self.keep(graph, path, rules, &mut set.paths) { 0 } else { rejected + 1 };
        }
        self.fined.clone_from(&self.price);
        let mut number = 0;
        while number < set.paths.len() && set.paths.len() < rules.count {
            let closed = narrowest(graph, &set.paths[number]);
            number += 1;
            let Some((gates, cost)) = self.find(graph, [from, to], Limits { closed, ..limits })
            else {
                // Any gate that opens may be a way round.
                set.reach = f64::INFINITY;
                continue;
            };
            set.note(&gates, cost);
            let path = self.path(graph, from, to, gates);
            self.keep(graph, path, rules, &mut set.paths);
        }
        set.paths.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        set.seen.sort_unstable();
        set.seen.dedup();
        set
    }

    pub(super) fn path(
        &self,
        graph: &NavGraph,
        from: ZoneId,
        to: ZoneId,
        gates: Vec<GateId>,
    ) -> Path {
        let mut zones = vec![from];
        let mut at = from;
        for &gate in &gates {
            at = graph.gate(gate).beyond(at);
            zones.push(at);
        }
        debug_assert_eq!(at, to);
        let narrowest = gates.iter().map(|&gate| graph.gate(gate).width()).reduce(f64::min);
        let width = narrowest.unwrap_or(2.0 * graph.zone(from).radius);
        let mut path = Path { gates, zones, length: 0.0, cost: 0.0, width };
        for (zone, [a, b]) in legs(graph, &path).collect::<Vec<_>>() {
            path.length += a.distance(b);
            path.cost += a.distance(b) * self.price[zone.0 as usize];
        }
        path
    }

    /// Adds a path if it is short and different enough.
    fn keep(
        &mut self,
        graph: &NavGraph,
        path: Path,
        rules: &PathRules,
        kept: &mut Vec<Path>,
    ) -> bool {
        let cheapest = kept.first().map_or(f64::INFINITY, |first| first.cost);
        let is_kept = path.cost <= rules.stretch * cheapest
            && kept.iter().all(|other| {
                self.in_common(graph, &path, other) <= rules.overlap
                    && self.in_common(graph, other, &path) <= rules.overlap
            });
        if is_kept {
            kept.push(path);
        }
        is_kept
    }

    /// How much of `path` lies in zones of `other`, as a share of its length.
    fn in_common(&mut self, graph: &NavGraph, path: &Path, other: &Path) -> f64 {
        self.comparison += 1;
        for zone in &other.zones {
            self.marked[zone.0 as usize] = self.comparison;
        }
        let is_marked = |zone: ZoneId| self.marked[zone.0 as usize] == self.comparison;
        let mut shared = 0.0;
        let mut parts = Vec::new();
        for (zone, [a, b]) in legs(graph, path) {
            if is_marked(zone) {
                shared += a.distance(b);
                continue;
            }
            parts.clear();
            let neighbours = graph.gates_of(zone).iter().map(|&gate| graph.gate(gate).beyond(zone));
            let near = neighbours.filter(|&zone| is_marked(zone)).map(|zone| graph.zone(zone));
            let on_floor = near.filter(|near| near.layer == graph.zone(zone).layer);
            parts.extend(on_floor.filter_map(|zone| part_inside([a, b], zone)));
            shared += a.distance(b) * union(&mut parts);
        }
        if path.length > 0.0 { shared / path.length } else { 1.0 }
    }
}

impl NavGraph {
    /// How much of a path's length lies in zones of another, as a share: 1 for the same path.
    pub fn shared(&self, path: &Path, other: &Path) -> f64 {
        let mut finder = PathFinder::new();
        finder.marked.resize(self.zones.len(), 0);
        finder.in_common(self, path, other)
    }
}

impl PathSet {
    fn note(&mut self, gates: &[GateId], cost: f64) {
        self.seen.extend(gates);
        self.reach = self.reach.max(cost);
    }
}

/// The straight parts of a path and the zones they lie in.
fn legs<'a>(
    graph: &'a NavGraph,
    path: &'a Path,
) -> impl Iterator<Item = (ZoneId, [DVec2; 2])> + 'a {
    let centre = |zone: Option<&ZoneId>| zone.map(|&zone| graph.zone(zone).centre);
    let middle = |gate: usize| path.gates.get(gate).map(|&gate| graph.gate(gate).middle());
    path.zones.iter().enumerate().filter_map(move |(number, &zone)| {
        let from = match number {
            0 => centre(path.zones.first()),
            _ => middle(number - 1),
        };
        let to = middle(number).or_else(|| centre(path.zones.last()));
        Some((zone, [from?, to?]))
    })
}

fn narrowest(graph: &NavGraph, path: &Path) -> Option<GateId> {
    let width = |gate: &GateId| graph.gate(*gate).width();
    path.gates.iter().copied().min_by(|a, b| width(a).total_cmp(&width(b)))
}

/// Which part of a segment lies in a disc, as shares of its length.
fn part_inside([a, b]: [DVec2; 2], disc: &Zone) -> Option<[f64; 2]> {
    let (way, offset) = (b - a, a - disc.centre);
    let (square, half) = (way.length_squared(), way.dot(offset));
    let inside = half * half - square * (offset.length_squared() - disc.radius * disc.radius);
    if square == 0.0 || inside <= 0.0 {
        return None;
    }
    let [low, high] =
        [-1.0, 1.0].map(|sign| ((-half + sign * inside.sqrt()) / square).clamp(0.0, 1.0));
    (low < high).then_some([low, high])
}

/// Length of the union of intervals.
fn union(parts: &mut [[f64; 2]]) -> f64 {
    parts.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (mut length, mut end) = (0.0, 0.0);
    for &mut [low, high] in parts {
        if high > end {
            length += high - low.max(end);
            end = high;
        }
    }
    length
}
