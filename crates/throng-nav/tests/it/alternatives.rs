//! Alternative ways: that each can be walked, is worth having, and leads round something else.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::path::Path as FilePath;

use glam::DVec2;
use proptest::prelude::*;
use throng_nav::{
    Alternatives, Corridor, CorridorMap, EdgeId, Extras, MapRules, NoWay, Path, Search, Walker,
};
use throng_world::Scene;
use throng_world::scene::LayerId;
use throng_world::walkable::{Area, difference};

use crate::support::{GROUND, brute_clearance, city, map, point, rectangle, scattered};

const BODY: Walker = Walker { radius: 0.25, margin: 0.1 };

fn alternatives(
    map: &CorridorMap,
    [from, to]: [DVec2; 2],
    rules: &Alternatives,
) -> Result<Vec<Corridor>, NoWay> {
    let ends = ((GROUND, from), (GROUND, to));
    map.alternatives(&mut Search::default(), ends.0, ends.1, &BODY, Extras::default(), rules)
}

fn best(map: &CorridorMap, [from, to]: [DVec2; 2]) -> Result<Corridor, NoWay> {
    let ends = ((GROUND, from), (GROUND, to));
    map.corridor(&mut Search::default(), ends.0, ends.1, &BODY, Extras::default())
}

fn path(corridor: &Corridor) -> Path {
    corridor.shortest_path(BODY.clearance())
}

/// The least clearance along a path.
fn clearance(free: &[Area], path: &Path) -> f64 {
    let legs = path.points.windows(2).flat_map(|leg| {
        let steps = (leg[0].distance(leg[1]) / 0.05).ceil().max(1.0) as u32;
        let (a, b) = (leg[0], leg[1]);
        (0..=steps).map(move |i| a.lerp(b, f64::from(i) / f64::from(steps)))
    });
    legs.map(|at| brute_clearance(free, at)).fold(f64::INFINITY, f64::min)
}

fn crosses_itself(path: &Path) -> bool {
    let legs: Vec<[DVec2; 2]> = path.points.windows(2).map(|leg| [leg[0], leg[1]]).collect();
    let crosses = |[a, b]: [DVec2; 2], [c, d]: [DVec2; 2]| {
        let side = |a: DVec2, b: DVec2, p: DVec2| (b - a).perp_dot(p - a);
        side(a, b, c) * side(a, b, d) < -1e-9 && side(c, d, a) * side(c, d, b) < -1e-9
    };
    (0..legs.len()).any(|i| (i + 2..legs.len()).any(|k| crosses(legs[i], legs[k])))
}

/// How often one goes round a point who walks along one path and back along another.
fn turns_about(at: DVec2, [there, back]: [&Path; 2]) -> i32 {
    let ring: Vec<DVec2> = there.points.iter().chain(back.points.iter().rev()).copied().collect();
    let turn = |i: usize| (ring[i] - at).angle_to(ring[(i + 1) % ring.len()] - at);
    let whole: f64 = (0..ring.len()).map(turn).filter(|turn| turn.is_finite()).sum();
    (whole / std::f64::consts::TAU).round() as i32
}

/// The length of all edges of the shorter of two ways, and of those that both have in common, without those
/// where they begin and end: of these, each may have another part.
fn lengths(map: &CorridorMap, a: &Corridor, b: &Corridor) -> [f64; 2] {
    let of_way = |way: &Corridor| [way.edges()[0], way.edges()[way.edges().len() - 1]];
    let ends = [of_way(a), of_way(b)].concat();
    let length = |edge: &EdgeId| map.edge(*edge).length;
    let common = a.edges().iter().filter(|edge| b.edges().contains(edge) && !ends.contains(edge));
    let whole = |way: &Corridor| way.edges().iter().map(length).sum::<f64>();
    [whole(a).min(whole(b)), common.map(length).sum()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 2))]
    #[test]
    fn every_way_is_walkable_loopless_and_different(
        (obstacles, seed) in (3u32..40, 0u64..1_000_000),
        places in prop::collection::vec((0.0f64..40.0, 0.0f64..40.0, 0.0f64..40.0, 0.0f64..40.0), 3),
        (count, stretch, sharing) in (1usize..6, 1.05f64..2.0, 0.1f64..0.9),
    ) {
        let (ground, solids) = scattered(obstacles, seed);
        let (map, free) = (map(&ground, &solids), difference(&ground, &solids));
        let rules = Alternatives { count, stretch, sharing, effort: 40 };
        for (x, y, to_x, to_y) in places {
            let ends = [point(x, y), point(to_x, to_y)];
            if ends.iter().any(|&at| brute_clearance(&free, at) < BODY.clearance()) {
                continue;
            }
            let ways = alternatives(&map, ends, &rules);
            prop_assert_eq!(ways.clone().map(|ways| ways[0].clone()), best(&map, ends));
            prop_assert_eq!(&ways, &alternatives(&map, ends, &rules));
            let Ok(ways) = ways else { continue };
            prop_assert!((1..=count).contains(&ways.len()));
            let paths: Vec<Path> = ways.iter().map(path).collect();
            for (number, (way, path)) in ways.iter().zip(&paths).enumerate() {
                let room = clearance(&free, path);
                prop_assert!(room >= BODY.radius - 0.002, "{} on {:?}", room, path);
                prop_assert!(!crosses_itself(path), "{:?}", path);
                prop_assert!(path.length() <= stretch * paths[0].length() + 1e-9);
                let edges = way.edges();
                let is_ring = edges.len() > 1 && edges[0] == edges[edges.len() - 1];
                let different: BTreeSet<EdgeId> = edges.iter().copied().collect();
                prop_assert_eq!(different.len() + usize::from(is_ring), edges.len());
                for other in 0..number {
                    let is_least = other > 0 || paths[0].length() <= 1.03 * path.length();
                    prop_assert!(is_least && (other == 0 || paths[other].length() <= path.length()));
                    let [whole, common] = lengths(&map, way, &ways[other]);
                    prop_assert!(common <= sharing * whole + 1e-9, "{} of {}", common, whole);
                    let between = [path, &paths[other]];
                    let is_round = |solid: &Area| {
                        let ring = solid.outline();
                        let centre = ring.iter().sum::<DVec2>() / ring.len() as f64;
                        turns_about(centre, between) != 0
                    };
                    prop_assert!(solids.iter().any(is_round), "{:?}", between);
                }
            }
        }
    }
}

#[test]
fn where_there_is_no_way_there_is_no_other() {
    let wall = rectangle([4.9, 5.1], [-1.0, 11.0]);
    let closed = map(&[rectangle([0.0, 10.0], [0.0, 10.0])], &[wall]);
    let ends = [point(1.0, 8.0), point(9.0, 8.0)];
    let rules = Alternatives::default();
    assert_eq!(alternatives(&closed, ends, &rules), Err(NoWay::Apart));
    let walls = [rectangle([4.9, 5.1], [-1.0, 3.0]), rectangle([4.9, 5.1], [3.4, 11.0])];
    let narrow = map(&[rectangle([0.0, 10.0], [0.0, 10.0])], &walls);
    let found = alternatives(&narrow, ends, &rules).map(|_| ());
    assert!(matches!(found, Err(NoWay::TooNarrow { .. })), "{found:?}");
    assert_eq!(found, best(&narrow, ends).map(|_| ()));
}

#[test]
fn a_way_that_is_too_narrow_is_no_alternative() {
    for (gap, count) in [(0.45, 1), (0.6, 2)] {
        let walls = [
            rectangle([4.9, 5.1], [-1.0, 2.0]),
            rectangle([4.9, 5.1], [3.0, 7.0]),
            rectangle([4.9, 5.1], [7.0 + gap, 11.0]),
        ];
        let map = map(&[rectangle([0.0, 10.0], [0.0, 10.0])], &walls);
        let ends = [point(1.0, 5.0), point(9.0, 5.0)];
        assert_eq!(alternatives(&map, ends, &Alternatives::default()).unwrap().len(), count);
    }
}

#[test]
fn no_alternative_goes_round_a_block_for_nothing() {
    // Along a street with houses on both sides: going round one of them is no other way to the end.
    let (ground, solids) = city(6);
    let map = map(&ground, &solids);
    let ends = [point(3.0, 81.0), point(159.0, 81.0)];
    let rules = Alternatives { count: 10, stretch: 1.4, sharing: 0.95, effort: 200 };
    let ways = alternatives(&map, ends, &rules).unwrap();
    assert!(ways.len() > 2, "{}", ways.len());
    for way in &ways {
        // Whoever leaves the street at some house goes at least two houses further.
        let points = path(way).points;
        assert!(points.iter().all(|at| (at.x - 81.0).abs() < 79.0));
        let aside: Vec<f64> =
            points.iter().filter(|at| (at.y - 81.0).abs() > 10.0).map(|at| at.x).collect();
        let ends = aside
            .iter()
            .copied()
            .fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)]);
        assert!(aside.is_empty() || ends[1] - ends[0] > 70.0, "{points:?}");
    }
}

#[test]
fn extras_count_for_alternatives() {
    let house = rectangle([10.0, 30.0], [10.0, 30.0]);
    let map = map(&[rectangle([0.0, 40.0], [0.0, 40.0])], &[house]);
    let ends = [point(2.0, 3.0), point(38.0, 38.0)];
    let ways = alternatives(&map, ends, &Alternatives::default()).unwrap();
    assert_eq!(ways.len(), 2);
    // From which of the last edges the goal is seen does not matter.
    let side = |way: &Corridor| way.edges()[1];
    let mut dear = vec![0.0; map.edges().len()];
    dear[side(&ways[0]).0 as usize] = 5.0;
    let with = |dear: &[f32]| {
        let ends = ends.map(|end| (GROUND, end));
        let rules = Alternatives::default();
        let mut search = Search::default();
        let extras = Extras::new(dear);
        let ways = map.alternatives(&mut search, ends[0], ends[1], &BODY, extras, &rules);
        ways.unwrap().iter().map(side).collect::<Vec<_>>()
    };
    assert_eq!(with(&dear), [side(&ways[1]), side(&ways[0])]);
    dear[side(&ways[0]).0 as usize] = f32::INFINITY;
    assert_eq!(with(&dear), [side(&ways[1])]);
}

#[test]
fn alternatives_lead_over_other_stairs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/two-floors.toml");
    let scene = Scene::load(FilePath::new(path)).unwrap();
    let map = CorridorMap::of_scene(&scene, &MapRules::default()).unwrap();
    let ends = [(GROUND, point(-12.0, 0.0)), (LayerId(1), point(1.0, 0.0))];
    let rules = Alternatives { stretch: 4.0, sharing: 0.5, ..Alternatives::default() };
    let mut search = Search::default();
    let ways = map.alternatives(&mut search, ends[0], ends[1], &BODY, Extras::default(), &rules);
    let best = map.corridor(&mut search, ends[0], ends[1], &BODY, Extras::default());
    let ways = ways.unwrap();
    assert_eq!(ways[0], best.unwrap());
    // Where floors change: half-way up the stairs in the west, and the ramp in the east.
    let changes = ways.iter().map(|way| {
        let path = way.shortest_path(BODY.clearance());
        let first = path.layers.iter().position(|&layer| layer == LayerId(1)).unwrap();
        assert!(path.layers[first..].iter().all(|&layer| layer == LayerId(1)), "{path:?}");
        path.points[first]
    });
    let changes: Vec<DVec2> = changes.collect();
    assert!(changes[0].distance(point(-5.0, -6.5)) < 2.0, "{changes:?}");
    assert!(changes.iter().any(|at| at.distance(point(7.0, 6.5)) < 2.0), "{changes:?}");
}
