//! Searching a graph from gate to gate.
//!
//! The way from one gate to another through a zone costs the distance of their middles, times what
//! walking in that zone costs: more where a region says so, and more where it is crowded. The search is
//! A* with whatever lower bound its caller has put down for the cost that is left.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec2;

use super::paths::Path;
use super::{GateId, NavGraph, Zone, ZoneId};

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
    pub(super) price: Vec<f64>,
    /// The same, with penalties.
    pub(super) fined: Vec<f64>,
    /// From each gate to the destination, without penalties.
    to_go: Vec<f64>,
    labels: Vec<Label>,
    queue: BinaryHeap<Entry>,
    /// Number of the present search.
    search: u64,
    /// The last comparison of paths in which each zone was marked, and that comparison's number.
    pub(super) marked: Vec<u64>,
    pub(super) comparison: u64,
}

/// What is known of a gate in the present search.
#[derive(Clone, Copy, Debug, Default)]
struct Label {
    search: u64,
    cost: f64,
    /// The gate before, and the zone one came through.
    previous: u32,
    through: u32,
}

/// No gate: the beginning of a path.
const NONE: u32 = u32::MAX;

/// A gate to look at.
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
pub(super) struct Limits {
    pub body: f64,
    pub closed: Option<GateId>,
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

    pub(super) fn begin(&mut self, graph: &NavGraph, traffic: &Traffic) {
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
    pub(super) fn measure_to(&mut self, graph: &NavGraph, to: ZoneId, limits: Limits) {
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
    pub(super) fn find(
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
        self.search += 1;
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
}
