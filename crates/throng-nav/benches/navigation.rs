//! How long maps and ways take, beside `polyanya` on the same ground.
//!
//! `cargo bench --package throng-nav`
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on stops")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use glam::DVec2;
use support::{Dice, GROUND, city, inflated, point, rectangle, scattered};
use throng_nav::{CorridorMap, Extras, Footprint, LiveMap, MapRules, Search, Sweep, Walker};
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
    println!("\nWays, time per query (µs): corridor and shortest path");
    println!(
        "{:<22} {:>8} {:>8} {:>8} {:>10} {:>12}",
        "world", "median", "95 %", "most", "polyanya", "longer by"
    );
    for blocks in [10, 20, 50] {
        let (ground, solids) = city(blocks);
        compare(&format!("city, {} corners", blocks * blocks * 4), &ground[0], &solids);
    }
    for count in [40, 160] {
        let (ground, solids) = scattered(count, 5);
        compare(&format!("{count} obstacles"), &ground[0], &solids);
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
    let mut search = Search::default();
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for &(from, to) in &pairs {
        let begin = Instant::now();
        let path = map
            .corridor(&mut search, (GROUND, from), (GROUND, to), &WALKER, Extras::default())
            .map(|corridor| corridor.shortest_path(WALKER.clearance()));
        ours.push(begin.elapsed());
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
        "{name:<22} {:>8.1} {:>8.1} {:>8.1} {:>10.1} {:>6.2} % (at most {:.2} %)",
        quantile(&mut ours, 0.5),
        quantile(&mut ours, 0.95),
        quantile(&mut ours, 1.0),
        quantile(&mut theirs, 0.5),
        (mean - 1.0) * 100.0,
        (most - 1.0) * 100.0,
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
