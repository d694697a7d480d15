//! How long a navigation graph and routes take: `cargo bench -p throng-nav --bench graph`.
//!
//! Towns of houses with streets between them, where many routes are about equally long: the worst case
//! for finding alternatives. Routes lead from corner to corner, and between places drawn at random.
//! Times are medians, with the fastest in parentheses.

use std::hint::black_box;
use std::time::Instant;

use glam::DVec2;
use throng_base::random::{Purpose, Random};
use throng_nav::graph::{PathFinder, PathRules, Traffic, ZoneId};
use throng_nav::{CorridorMap, Footprint, GraphRules, MapRules, NavGraph};
use throng_world::scene::LayerId;
use throng_world::walkable::Area;

const REPEATS: usize = 21;
const HOUSE: f64 = 20.0;
const STREET: f64 = 6.0;

fn main() {
    for blocks in [8, 14] {
        town(blocks);
    }
}

fn town(blocks: u32) {
    let side = f64::from(blocks) * (HOUSE + STREET) + STREET;
    let houses: Vec<Area> = (0..blocks * blocks)
        .map(|i| {
            let at = |i: u32| STREET + (HOUSE + STREET) * f64::from(i);
            rectangle(DVec2::new(at(i % blocks), at(i / blocks)), HOUSE)
        })
        .collect();
    let footprint = Footprint::without(&[rectangle(DVec2::ZERO, side)], &houses)
        .expect("coordinates are within range");
    let map = CorridorMap::new(&[footprint], &MapRules::default()).expect("a town has a map");
    let rules = GraphRules::default();
    let graph = NavGraph::new(&map, &rules).expect("a town has a graph");
    let build = timed(5, || black_box(NavGraph::new(&map, &rules)).is_ok());
    let (zones, gates) = (graph.zones().len(), graph.gates().len());
    println!(
        "{side:.0} m × {side:.0} m: {zones} zones and {gates} gates in {} ms",
        build.shown(1.0)
    );

    let corner = |at: f64| graph.best_zone(LayerId(0), DVec2::splat(at)).expect("a street");
    let ends = [corner(0.5 * STREET), corner(side - 0.5 * STREET)];
    let mut stream = Random::new(1).stream(0, 0, Purpose::Goal);
    let mut drawn = || ZoneId((f64::from(stream.unit()) * zones as f64) as u32);
    let pairs: Vec<[ZoneId; 2]> = (0..100).map(|_| [drawn(), drawn()]).collect();
    report(&graph, "from corner to corner", &[ends]);
    report(&graph, "between random places", &pairs);
}

fn report(graph: &NavGraph, name: &str, pairs: &[[ZoneId; 2]]) {
    let mut finder = PathFinder::new();
    let rules = PathRules::default();
    let calm = Traffic::default();
    let mut routes = 0;
    let per_pair = 1.0 / pairs.len() as f64;
    let several = timed(REPEATS, || {
        let sets = pairs.iter().map(|&[a, b]| finder.alternatives(graph, a, b, &rules, &calm));
        routes = sets.map(|set| set.paths.len()).sum();
        routes > 0
    });
    let one = timed(REPEATS, || {
        pairs.iter().all(|&[a, b]| finder.shortest(graph, a, b, rules.body, &calm).is_some())
    });
    println!(
        "  {name}: {:.1} routes in {} ms, the shortest alone in {} ms",
        routes as f64 * per_pair,
        several.shown(per_pair),
        one.shown(per_pair)
    );
}

fn rectangle(corner: DVec2, side: f64) -> Area {
    let at = |x: f64, y: f64| corner + DVec2::new(x, y) * side;
    let outline = vec![at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
    Area::new(outline, Vec::new()).expect("four corners")
}

/// Milliseconds.
struct Timing {
    median: f64,
    fastest: f64,
}

impl Timing {
    fn shown(&self, factor: f64) -> String {
        format!("{:.2} ({:.2})", self.median * factor, self.fastest * factor)
    }
}

fn timed(repeats: usize, mut work: impl FnMut() -> bool) -> Timing {
    let mut times: Vec<f64> = (0..repeats)
        .map(|_| {
            let begin = Instant::now();
            assert!(work());
            begin.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    Timing { median: times[repeats / 2], fastest: times[0] }
}
