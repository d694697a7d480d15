//! Paths through a graph: the shortest, and others that are worth taking.
//!
//! One searches from gate to gate. The way from one to another through a zone costs the distance of
//! their middles, times what walking in that zone costs: more where a region says so, and more where it
//! is crowded.
//!
//! Other paths are found by making it costlier to go where earlier ones led (see, e.g., the survey of
//! alternative routes by D. Luxen and D. Schieferdecker, 2012), and by closing the narrowest gate of
//! each. A path is kept if it is not much longer than the shortest and leads elsewhere for a good part
//! of its length. It leads elsewhere where it is outside of all zones of the other: two tracks within
//! one corridor are the same path, however many zones the corridor has.
//!
//! The first search finds the cost from every gate to the destination. It is a perfect guess of what
//! is left for the others, which therefore look at little more than the path they find.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec2;

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

/// How many people are where, and how much that matters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic<'a> {
    /// People in each zone, by its number. Those of zones beyond the end of the list are none.
    pub people: &'a [u32],
    /// By how much a density of one person per m² makes walking costlier, as a share.
    pub weight: f64,
}

impl Traffic<'_> {
    fn factor(&self, number: usize, zone: &Zone) -> f64 {
        let people = f64::from(self.people.get(number).copied().unwrap_or(0));
        1.0 + (self.weight * people / zone.area()).max(0.0)
    }
}

/// Finds paths. It keeps memory between searches, so use one for many.
#[derive(Clone, Debug, Default)]
pub struct PathFinder {
    /// What a metre costs in each zone.
    price: Vec<f64>,
    /// The same, with penalties.
    fined: Vec<f64>,
    /// From each gate to the destination, without penalties.
    to_go: Vec<f64>,
    labels: Vec<Label>,
    queue: BinaryHeap<Entry>,
    search: u32,
    /// The last comparison of paths in which each zone was marked, and that comparison's number.
    marked: Vec<u32>,
    comparison: u32,
}

/// What is known of a gate in the present search.
#[derive(Clone, Copy, Debug, Default)]
struct Label {
    search: u32,
    cost: f64,
    /// The gate before, and the zone one came through.
    previous: u32,
    through: u32,
}

const NONE: u32 = u32::MAX;

/// A gate to look at; the destination is `NONE`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    estimate: f64,
    cost: f64,
    gate: u32,
}

impl Eq for Entry {}

impl Ord for Entry {
    // The heap has the greatest on top, and we want the cheapest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.estimate.total_cmp(&self.estimate).then(other.gate.cmp(&self.gate))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Where a search may not lead.
#[derive(Clone, Copy, Debug)]
struct Limits {
    body: f64,
    closed: Option<GateId>,
}

impl Limits {
    fn admits(&self, graph: &NavGraph, gate: u32) -> bool {
        graph.is_open[gate as usize]
            && graph.gates[gate as usize].room >= self.body
            && self.closed != Some(GateId(gate))
    }
}

impl PathFinder {
    /// A finder with no memory set aside.
    pub fn new() -> Self {
        Self::default()
    }

    /// The cheapest path; `None` if there is no way for a body of this radius.
    pub fn shortest(
        &mut self,
        graph: &NavGraph,
        from: ZoneId,
        to: ZoneId,
        body: f64,
        traffic: &Traffic,
    ) -> Option<Path> {
        self.begin(graph, traffic);
        let centre = graph.zone(to).centre;
        // No metre is cheaper than a metre.
        self.to_go.clear();
        self.to_go.extend(graph.gates.iter().map(|gate| gate.middle().distance(centre)));
        self.find(graph, [from, to], Limits { body, closed: None })
            .map(|(gates, _)| self.path(graph, from, to, gates))
    }

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

    /// The zone nearest to `point` in `from`, by the cost of walking there, of those that `is_wanted`;
    /// and that cost up to the gate of the zone.
    pub fn nearest(
        &mut self,
        graph: &NavGraph,
        from: ZoneId,
        point: DVec2,
        body: f64,
        is_wanted: impl Fn(ZoneId) -> bool,
    ) -> Option<(ZoneId, f64)> {
        if is_wanted(from) {
            return Some((from, 0.0));
        }
        self.begin(graph, &Traffic::default());
        self.to_go.clear();
        self.to_go.resize(graph.gates.len(), 0.0);
        let limits = Limits { body, closed: None };
        self.start(graph, from, point, limits);
        while let Some(entry) = self.queue.pop() {
            let label = self.labels[entry.gate as usize];
            if entry.cost > label.cost {
                continue;
            }
            let zone = graph.gates[entry.gate as usize].beyond(ZoneId(label.through));
            if is_wanted(zone) {
                return Some((zone, entry.cost));
            }
            self.expand(graph, entry, limits);
        }
        None
    }

    fn begin(&mut self, graph: &NavGraph, traffic: &Traffic) {
        let price = |(number, zone): (usize, &Zone)| {
            graph.semantics.cost(number) * traffic.factor(number, zone)
        };
        self.price.clear();
        self.price.extend(graph.zones.iter().enumerate().map(price));
        self.fined.clone_from(&self.price);
        self.labels.resize(graph.gates.len(), Label::default());
        self.marked.resize(graph.zones.len(), 0);
    }

    /// Finds the costs from all gates to the centre of a zone.
    fn measure_to(&mut self, graph: &NavGraph, to: ZoneId, limits: Limits) {
        self.to_go.clear();
        self.to_go.resize(graph.gates.len(), 0.0);
        self.start(graph, to, graph.zone(to).centre, limits);
        while let Some(entry) = self.queue.pop() {
            if entry.cost <= self.labels[entry.gate as usize].cost {
                self.expand(graph, entry, limits);
            }
        }
        for (to_go, label) in self.to_go.iter_mut().zip(&self.labels) {
            *to_go = if label.search == self.search { label.cost } else { f64::INFINITY };
        }
    }

    /// The gates of the cheapest path with penalties, and its cost.
    fn find(
        &mut self,
        graph: &NavGraph,
        [from, to]: [ZoneId; 2],
        limits: Limits,
    ) -> Option<(Vec<GateId>, f64)> {
        if from == to {
            return Some((Vec::new(), 0.0));
        }
        self.start(graph, from, graph.zone(from).centre, limits);
        let centre = graph.zone(to).centre;
        let price = self.fined[to.0 as usize];
        let mut best = (f64::INFINITY, NONE);
        while let Some(entry) = self.queue.pop() {
            if entry.estimate >= best.0 {
                break;
            }
            let label = self.labels[entry.gate as usize];
            if entry.cost > label.cost {
                continue;
            }
            let gate = &graph.gates[entry.gate as usize];
            if gate.beyond(ZoneId(label.through)) == to {
                let whole = entry.cost + gate.middle().distance(centre) * price;
                if whole < best.0 {
                    best = (whole, entry.gate);
                }
            } else {
                self.expand(graph, entry, limits);
            }
        }
        let (cost, mut gate) = best;
        let mut gates = Vec::new();
        while gate != NONE {
            gates.push(GateId(gate));
            gate = self.labels[gate as usize].previous;
        }
        gates.reverse();
        (!gates.is_empty()).then_some((gates, cost))
    }

    fn start(&mut self, graph: &NavGraph, from: ZoneId, point: DVec2, limits: Limits) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.labels.fill(Label::default());
            self.search = 1;
        }
        self.queue.clear();
        let price = self.fined[from.0 as usize];
        for gate in graph.gates_of(from).iter().map(|gate| gate.0) {
            let cost = point.distance(graph.gates[gate as usize].middle()) * price;
            self.reach(
                graph,
                gate,
                Label { search: self.search, cost, previous: NONE, through: from.0 },
                limits,
            );
        }
    }

    fn expand(&mut self, graph: &NavGraph, entry: Entry, limits: Limits) {
        let through = self.labels[entry.gate as usize].through;
        for leg in graph.legs.row(entry.gate as usize) {
            // Whoever came through this zone could have gone on to its other gates without this one.
            if leg.zone != through {
                let cost = entry.cost + leg.length * self.fined[leg.zone as usize];
                let label =
                    Label { search: self.search, cost, previous: entry.gate, through: leg.zone };
                self.reach(graph, leg.to, label, limits);
            }
        }
    }

    fn reach(&mut self, graph: &NavGraph, gate: u32, label: Label, limits: Limits) {
        let known = &mut self.labels[gate as usize];
        let is_better = known.search != self.search || label.cost < known.cost;
        let estimate = label.cost + self.to_go[gate as usize];
        if is_better && estimate < f64::INFINITY && limits.admits(graph, gate) {
            *known = label;
            self.queue.push(Entry { estimate, cost: label.cost, gate });
        }
    }

    fn path(&self, graph: &NavGraph, from: ZoneId, to: ZoneId, gates: Vec<GateId>) -> Path {
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
        self.comparison = self.comparison.wrapping_add(1);
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
