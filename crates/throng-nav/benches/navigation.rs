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
    println!("\nWays, time per query (µs): the corridor, and the shortest path through it as well");
    println!(
        "{:<22} {:>9} {:>9} {:>8} {:>8} {:>10} {:>12}",
        "world", "corridor", "and path", "95 %", "whims", "polyanya", "longer by"
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

/// Queries between random free places, ours and polyanya's.
fn compare(name: &str, ground: &Area, solids: &[Area]) {
    let footprint = Footprint::without(std::slice::from_ref(ground), solids).unwrap();
    let map = CorridorMap::new(&[footprint], &MapRules::default()).unwrap();
    let meshes = meshes(ground, solids, WALKER.clearance());
    let mut dice = Dice::new(11);
    let (min, max) = ground.extent();
    let mut place = || loop {
        let at = point(dice.between(min.x, max.x), dice.between(min.y, max.y));
        if map.clearance(GROUND, at) > WALKER.clearance() + 0.02 {
            return at;
        }
    };
    let pairs: Vec<_> = (0..1000).map(|_| (place(), place())).collect();
    // One after the other and not in turn: each would find its memory out of the caches after the other.
    let mut search = Search::default();
    let mut query =
        |from, to, extras| map.corridor(&mut search, (GROUND, from), (GROUND, to), &WALKER, extras);
    let (mut corridors, mut ours, mut paths) = (Vec::new(), Vec::new(), Vec::new());
    for &(from, to) in &pairs {
        let begin = Instant::now();
        let corridor = query(from, to, Extras::default());
        corridors.push(begin.elapsed());
        paths.push(corridor.map(|corridor| corridor.shortest_path(WALKER.clearance())));
        ours.push(begin.elapsed());
    }
    let mut whims = Vec::new();
    for (who, &(from, to)) in (0..).zip(&pairs) {
        let begin = Instant::now();
        let _ = query(from, to, Extras { whim: 0.1, who, ..Extras::default() });
        whims.push(begin.elapsed());
    }
    let (mut theirs, mut ratios) = (Vec::new(), Vec::new());
    for (&(from, to), path) in pairs.iter().zip(&paths) {
        let begin = Instant::now();
        let other = meshes.iter().find_map(|mesh| mesh.path(from.as_vec2(), to.as_vec2()));
        theirs.push(begin.elapsed());
        if let (Ok(path), Some(other)) = (path, other) {
            ratios.push(path.length() / f64::from(other.length));
        }
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let most = ratios.iter().copied().fold(0.0, f64::max);
    println!(
        "{name:<22} {:>9.1} {:>9.1} {:>8.1} {:>8.1} {:>10.1} {:>6.2} % (at most {:.2} %)",
        quantile(&mut corridors, 0.5),
        quantile(&mut ours, 0.5),
        quantile(&mut ours, 0.95),
        quantile(&mut whims, 0.5),
        quantile(&mut theirs, 0.5),
        (mean - 1.0) * 100.0,
        (most - 1.0) * 100.0,
    );
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
    let [median, most] = [0.5, 0.95].map(|share| quantile(&mut times, share) / 1000.0);
    println!(
        "{:>8} {median:>10.2} {most:>10.2} {:>10.2}",
        blocks * blocks * 4,
        f64::from(ways as u32) / 200.0
    );
}

/// What is `clearance` away from all walls, for `polyanya`: it knows no widths.
fn meshes(ground: &Area, solids: &[Area], clearance: f64) -> Vec<polyanya::Mesh> {
    let ring = |ring: &[DVec2]| ring.iter().map(|p| p.as_vec2()).collect::<Vec<_>>();
    inflated(ground, solids, clearance)
        .iter()
        .map(|area| {
            let mut triangulation =
                polyanya::Triangulation::from_outer_edges(&ring(area.outline()));
            triangulation.add_obstacles(area.holes().iter().map(|hole| ring(hole)));
            let mut mesh = triangulation.as_navmesh();
            mesh.bake();
            mesh
        })
        .collect()
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

fn quantile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    let index = ((times.len() - 1) as f64 * share) as usize;
    times[index].as_secs_f64() * 1e6
}
