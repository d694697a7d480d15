//! Path sets that are kept until a gate on their way changes.

use std::collections::HashMap;

use super::{GateId, NavGraph, PathFinder, PathRules, PathSet, Traffic, ZoneId};

/// More sets than this are not kept: then all are forgotten, and found again when asked for.
const MOST_SETS: usize = 16_384;

/// A graph with the path sets that were asked for so far.
///
/// What [`Routes::between`] answers is always what a search would find now. Which sets are kept
/// changes the time it takes and nothing else.
#[derive(Clone, Debug)]
pub struct Routes {
    graph: NavGraph,
    rules: PathRules,
    finder: PathFinder,
    sets: HashMap<[ZoneId; 2], PathSet>,
}

impl Routes {
    /// No paths yet.
    pub fn new(graph: NavGraph, rules: PathRules) -> Self {
        Self { graph, rules, finder: PathFinder::new(), sets: HashMap::new() }
    }

    /// The graph.
    pub fn graph(&self) -> &NavGraph {
        &self.graph
    }

    /// How many sets are kept at present.
    pub fn kept(&self) -> usize {
        self.sets.len()
    }

    /// Paths from one zone to another, regardless of traffic.
    pub fn between(&mut self, from: ZoneId, to: ZoneId) -> &PathSet {
        if self.sets.len() >= MOST_SETS && !self.sets.contains_key(&[from, to]) {
            self.sets.clear();
        }
        let Self { graph, rules, finder, sets } = self;
        sets.entry([from, to])
            .or_insert_with(|| finder.alternatives(graph, from, to, rules, &Traffic::default()))
    }

    /// Opens or closes a gate, and forgets the sets for which that matters.
    pub fn set_open(&mut self, gate: GateId, open: bool) {
        if self.graph.is_open(gate) == open {
            return;
        }
        self.graph.set_open(gate, open);
        let graph = &self.graph;
        let middle = graph.gate(gate).middle();
        self.sets.retain(|zones, set| {
            if open {
                // A path through the gate is at least this long. Equal costs could change a tie.
                let [from, to] = zones.map(|zone| graph.zone(zone).centre.distance(middle));
                from + to > set.reach
            } else {
                set.seen.binary_search(&gate).is_err()
            }
        });
    }
}
