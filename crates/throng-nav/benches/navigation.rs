//! How long maps and ways take, beside `polyanya` on the same ground.
//!
//! `cargo bench --package throng-nav`
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on stops")]

#[path = "../tests/it/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use glam::DVec2;
use support::{Dice, GROUND, city, inflated, point, rectangle, scattered};
use throng_nav::{
    Alternatives, CorridorMap, Extras, Footprint, LiveMap, MapRules, Search, Sweep, Walker,
};
use throng_world::walkable::Area;

const WALKER: Walker = Walker { radius: 0.25, margin: 0.05 };

fn main() {
    println!("Maps of cities, on one thread");
    println!("{:>8} {:>9} {:>12} {:>12}", "corners", "edges", "footprint", "map");
    for blocks in [10, 20, 50] {
        let (ground, solids) = city(blocks);
        let (footprint, cleaning) = best(5, || Footprint::without(&ground, &solids).unwrap());
        let footprints = [footprint];
        let (map, mapping) =
            best(5, || CorridorMap::new(&footprints, &MapRules::default()).unwrap());
        let (corners, edges) = (footprints[0].corners(), map.edges().len());
        println!("{corners:>8} {edges:>9} {:>12} {:>12}", ms(cleaning), ms(mapping));
    }
    println!("\nA house of a city is moved by a metre and back");
    println!("{:>8} {:>12} {:>12} {:>12}", "corners", "footprint", "change", "walls swept");
    for blocks in [10, 20, 50] {
        change(blocks);
    }
    println!(
        "\nWays, time per query (µs): the corridor, and the shortest path through it as well; polyanya"
    );
    println!("on triangles, and on triangles merged to convex polygons");
    println!(
        "{:<20} {:>6} {:>9} {:>9} {:>7} {:>7} {:>10} {:>7} {:>7} {:>6}  longer by",
        "world",
        "pairs",
        "corridor",
        "and path",
        "95 %",
        "whims",
        "triangles",
        "merged",
        "95 %",
        "ratio"
    );
    for blocks in [10, 20, 50] {
        let (ground, solids) = city(blocks);
        compare(&format!("city, {} corners", blocks * blocks * 4), &ground[0], &solids);
    }
    for count in [40, 160] {
        let (ground, solids) = scattered(count, 5);
        compare(&format!("{count} obstacles"), &ground[0], &solids);
    }
    println!("\nUp to three ways that differ, time per query (ms)");
    println!("{:>8} {:>10} {:>10} {:>10}", "corners", "median", "95 %", "ways");
    for blocks in [10, 14, 20, 50] {
        alternatives(blocks);
    }
}

/// How long it takes to bring a map up to date.
fn change(blocks: u32) {
    let (ground, solids) = city(blocks);
    let mut other = solids.clone();
    let (min, max) = solids[solids.len() / 2].extent();
    other[solids.len() / 2] = rectangle([min.x + 1.0, max.x + 1.0], [min.y, max.y]);
    let worlds = [solids, other];
    let footprint = |solids: &[Area]| Footprint::without(&ground, solids).unwrap();
    let mut live = LiveMap::new(&[footprint(&worlds[0])], &[], &MapRules::default()).unwrap();
    let (mut cleaning, mut changing, mut swept) = (Duration::MAX, Duration::MAX, Sweep::Nothing);
    for round in 1..10 {
        let begin = Instant::now();
        let ground = footprint(&worlds[round % 2]);
        let cleaned = Instant::now();
        swept = live.change(GROUND, &ground).unwrap();
        (cleaning, changing) = (cleaning.min(cleaned - begin), changing.min(cleaned.elapsed()));
    }
    let Sweep::Local { walls } = swept else { panic!("{swept:?}") };
    let corners = footprint(&worlds[0]).corners();
    println!("{corners:>8} {:>12} {:>12} {walls:>12}", ms(cleaning), ms(changing));
}

/// How often each query is timed; its lowest time counts.
const ROUNDS: usize = 5;

/// Queries between random free places, ours and polyanya's: those that have an answer, and those that have none.
fn compare(name: &str, ground: &Area, solids: &[Area]) {
    let footprint = Footprint::without(std::slice::from_ref(ground), solids).unwrap();
    let map = CorridorMap::new(&[footprint], &MapRules::default()).unwrap();
    let [triangles, merged] =
        [false, true].map(|merge| mesh(ground, solids, WALKER.clearance(), merge));
    let mut dice = Dice::new(11);
    let (min, max) = ground.extent();
    let mut place = || loop {
        let at = point(dice.between(min.x, max.x), dice.between(min.y, max.y));
        if map.clearance(GROUND, at) > WALKER.clearance() + 0.02 {
            return at;
        }
    };
    let pairs: Vec<_> = (0..1000).map(|_| (place(), place())).collect();
    let mut search = Search::default();
    let is_way = |&(from, to): &(DVec2, DVec2)| {
        let (search, extras) = (&mut Search::default(), Extras::default());
        map.corridor(search, (GROUND, from), (GROUND, to), &WALKER, extras).is_ok()
    };
    let (ways, none): (Vec<_>, Vec<_>) = pairs.into_iter().partition(is_way);
    for (pairs, what) in [(ways, "pairs"), (none, "none")] {
        if pairs.len() < 50 {
            continue;
        }
        let mut query = |(from, to), extras| {
            map.corridor(&mut search, (GROUND, from), (GROUND, to), &WALKER, extras)
        };
        let corridors = timed(&pairs, |_, ends| drop(query(ends, Extras::default())));
        let mut paths = vec![None; pairs.len()];
        let ours = timed(&pairs, |number, ends| {
            let corridor = query(ends, Extras::default());
            paths[number] = corridor.ok().map(|way| way.shortest_path(WALKER.clearance()));
        });
        let whims = timed(&pairs, |who, ends| {
            drop(query(ends, Extras { whim: 0.1, who: who as u64, ..Extras::default() }));
        });
        let path = |mesh: &polyanya::Mesh, (from, to): (DVec2, DVec2)| {
            mesh.path(from.as_vec2(), to.as_vec2())
        };
        let on_triangles = timed(&pairs, |_, ends| drop(path(&triangles, ends)));
        let mut others: Vec<_> = pairs.iter().map(|_| None).collect();
        let theirs = timed(&pairs, |number, ends| others[number] = path(&merged, ends));
        let ratio = |(path, other): (&Option<throng_nav::Path>, &Option<polyanya::Path>)| {
            Some(path.as_ref()?.length() / f64::from(other.as_ref()?.length))
        };
        let ratios: Vec<f64> = paths.iter().zip(&others).filter_map(ratio).collect();
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        let most = ratios.iter().copied().fold(0.0, f64::max);
        let (name, count) =
            if what == "none" { ("  no way", pairs.len()) } else { (name, pairs.len()) };
        println!(
            "{name:<20} {count:>6} {:>9.1} {:>9.1} {:>7.1} {:>7.1} {:>10.1} {:>7.1} {:>7.1} {:>6.2}  {:.2} % (at most {:.2} %)",
            quantile(&corridors, 0.5),
            quantile(&ours, 0.5),
            quantile(&ours, 0.95),
            quantile(&whims, 0.5),
            quantile(&on_triangles, 0.5),
            quantile(&theirs, 0.5),
            quantile(&theirs, 0.95),
            quantile(&ours, 0.5) / quantile(&theirs, 0.5),
            (mean - 1.0) * 100.0,
            (most - 1.0) * 100.0,
        );
    }
}

/// The lowest of several times for each query, ascending. Queries are asked one after the other, all of one kind
/// before the next kind: asked in turn, each kind would find its memory out of the caches.
fn timed(pairs: &[(DVec2, DVec2)], mut ask: impl FnMut(usize, (DVec2, DVec2))) -> Vec<Duration> {
    let mut times = vec![Duration::MAX; pairs.len()];
    for _ in 0..ROUNDS {
        for (number, (&ends, time)) in pairs.iter().zip(&mut times).enumerate() {
            let begin = Instant::now();
            ask(number, ends);
            *time = begin.elapsed().min(*time);
        }
    }
    times.sort_unstable();
    times
}

/// How long it takes to find several ways.
fn alternatives(blocks: u32) {
    let (ground, solids) = city(blocks);
    let footprint = Footprint::without(&ground, &solids).unwrap();
    let map = CorridorMap::new(&[footprint], &MapRules::default()).unwrap();
    let (mut dice, mut search) = (Dice::new(11), Search::default());
    let side = f64::from(blocks) * 26.0 + 6.0;
    let mut place = || loop {
        let at = point(dice.between(0.0, side), dice.between(0.0, side));
        if map.clearance(GROUND, at) > WALKER.clearance() + 0.02 {
            return (GROUND, at);
        }
    };
    let (mut times, mut ways) = (Vec::new(), 0);
    for _ in 0..200 {
        let (from, to) = (place(), place());
        let rules = Alternatives::default();
        let begin = Instant::now();
        let found = map.alternatives(&mut search, from, to, &WALKER, Extras::default(), &rules);
        times.push(begin.elapsed());
        ways += found.map_or(0, |ways| ways.len());
    }
    times.sort_unstable();
    let [median, most] = [0.5, 0.95].map(|share| quantile(&times, share) / 1000.0);
    println!(
        "{:>8} {median:>10.2} {most:>10.2} {:>10.2}",
        blocks * blocks * 4,
        f64::from(ways as u32) / 200.0
    );
}

/// What is `clearance` away from all walls, for `polyanya`, which knows no widths: one mesh of all areas, so that it has
/// one index of polygons and knows what hangs together.
fn mesh(ground: &Area, solids: &[Area], clearance: f64, merge: bool) -> polyanya::Mesh {
    let ring = |ring: &[DVec2]| ring.iter().map(|p| p.as_vec2()).collect::<Vec<_>>();
    let mut whole = polyanya::Layer::default();
    for area in inflated(ground, solids, clearance) {
        let mut triangulation = polyanya::Triangulation::from_outer_edges(&ring(area.outline()));
        triangulation.add_obstacles(area.holes().iter().map(|hole| ring(hole)));
        let mut mesh = triangulation.as_navmesh();
        while merge && mesh.merge_polygons() {}
        for layer in mesh.layers {
            let [corners, polygons] =
                [whole.vertices.len(), whole.polygons.len()].map(|n| n as u32);
            whole.vertices.extend(layer.vertices.into_iter().map(|mut vertex| {
                let inner = vertex.polygons.iter_mut().filter(|polygon| **polygon != u32::MAX);
                inner.for_each(|polygon| *polygon += polygons);
                vertex
            }));
            whole.polygons.extend(layer.polygons.into_iter().map(|mut polygon| {
                polygon.vertices.iter_mut().for_each(|corner| *corner += corners);
                polygon
            }));
        }
    }
    let mut mesh = polyanya::Mesh { layers: vec![whole], ..polyanya::Mesh::default() };
    mesh.bake();
    mesh
}

fn best<T>(times: u32, mut work: impl FnMut() -> T) -> (T, Duration) {
    let mut run = || {
        let begin = Instant::now();
        let result = work();
        (result, begin.elapsed())
    };
    (1..times).fold(run(), |best, _| {
        let next = run();
        if next.1 < best.1 { next } else { best }
    })
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// A quantile of ascending times, µs.
fn quantile(times: &[Duration], share: f64) -> f64 {
    let index = ((times.len() - 1) as f64 * share) as usize;
    times[index].as_secs_f64() * 1e6
}
