//! Many ways between two places, and who takes which.
//!
//! Everyone who looks for the best way finds much the same, and whims and traffic move few to another
//! street. Where a crowd is to spread, people are dealt out to a set of paths of the navigation graph
//! that really differ ([`throng_nav::Routes`]): more to those that are short and wide. Sets are kept for
//! each pair of zones, and zones are few, so a crowd that starts in one place shares some of them.

use std::collections::BTreeMap;

use glam::DVec2;
use throng_base::random::Stream;
use throng_nav::graph::{PathRules, ZoneId};
use throng_nav::{CorridorMap, GraphRules, NavGraph, Path, Routes, Walker};
use throng_world::scene::{LayerId, Region};

/// Bodies whose radii differ by less than this, m, share a graph, which is that of the largest.
const CLASS: f64 = 0.05;

/// Passages that are wider than bodies by less than this, m, are no ways to choose from.
const SPARE: f64 = 0.1;

/// A point of a floor.
type Stop = (LayerId, DVec2);

/// Graphs with their sets of paths, by the size of bodies. They are made when somebody asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct ManyWays {
    by_class: BTreeMap<u32, Option<Routes>>,
}

impl ManyWays {
    /// A way between two places for somebody who walks as `walker` likes to. What is random about it is
    /// drawn from `draws`. `None` if one of the places is off the graph, or no way leads there.
    pub fn deal(
        &mut self,
        map: &CorridorMap,
        regions: &[Region],
        [from, to]: [Stop; 2],
        walker: &Walker,
        draws: &mut Stream,
    ) -> Option<Path> {
        let class = (walker.radius / CLASS - 1e-6).ceil().max(1.0);
        let body = class * CLASS;
        let routes = self.by_class.entry(class as u32).or_insert_with(|| {
            let rules = GraphRules { body, passage: body + SPARE / 2.0, ..GraphRules::default() };
            let mut graph = NavGraph::new(map, &rules).ok()?;
            graph.annotate(regions);
            Some(Routes::new(graph, PathRules { body, ..PathRules::default() }))
        });
        let routes = routes.as_mut()?;
        let begin = widest_zone(routes.graph(), from, walker.radius)?;
        let end = widest_zone(routes.graph(), to, walker.radius)?;
        let path = routes.between(begin, end).choose(draws.unit().into())?.clone();
        let points = routes.graph().waypoints(&path, from.1, to.1, body, draws)?;
        let stops = points.into_iter().map(|waypoint| (waypoint.layer, waypoint.point));
        let stops: Vec<Stop> = [from].into_iter().chain(stops).collect();
        Some(straightened(map, &stops, walker))
    }
}

/// The line through some points without those that can be left out: from each one walks on to the last
/// that is in sight, as far from walls as `walker` likes to be.
fn straightened(map: &CorridorMap, stops: &[Stop], walker: &Walker) -> Path {
    let mut path = Path { points: vec![stops[0].1], layers: Vec::new() };
    let mut at = 0;
    while at + 1 < stops.len() {
        let (floor, from) = stops[at];
        let sees = |&(layer, point): &Stop| {
            layer == floor && map.is_clear(layer, from, point, walker.clearance())
        };
        let seen = stops[at + 2..].iter().take_while(|stop| sees(stop)).count();
        at += 1 + seen;
        path.points.push(stops[at].1);
        path.layers.push(stops[at].0);
    }
    path
}

/// The largest zone in which a body fits at a point: neighbours share it, and so their ways.
fn widest_zone(graph: &NavGraph, (layer, point): Stop, radius: f64) -> Option<ZoneId> {
    let fits = |zone: &ZoneId| graph.zone(*zone).depth(point) >= radius;
    let size = |zone: &ZoneId| graph.zone(*zone).radius;
    let zones = graph.zones_at(layer, point).filter(fits);
    // The first of equals, where `max_by` would take the last.
    zones.min_by(|a, b| size(b).total_cmp(&size(a)))
}
