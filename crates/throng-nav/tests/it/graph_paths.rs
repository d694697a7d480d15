//! Paths through the navigation graph: the cheapest, the others, and how people spread over them.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeSet;

use glam::{DVec2, Vec2};
use throng_base::Polygon;
use throng_base::random::{Purpose, Random};
use throng_nav::CorridorMap;
use throng_nav::graph::{
    GateId, GraphRules, NavGraph, Path, PathFinder, PathRules, Routes, Traffic, ZoneId,
};
use throng_world::scene::Region;
use throng_world::walkable::Area;

use crate::support::{Dice, GROUND, city, map, point, rectangle, scattered};

const BODY: f64 = 0.25;

fn graph(map: &CorridorMap) -> NavGraph {
    NavGraph::new(map, &GraphRules::default()).unwrap()
}

fn zone_at(graph: &NavGraph, x: f64, y: f64) -> ZoneId {
    graph.best_zone(GROUND, point(x, y)).unwrap()
}

/// Eight rooms of 6 × 6 m around a yard nobody can enter, with doors of 1.2 m from each to the next.
fn ring_of_rooms() -> Vec<Area> {
    let cells = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)];
    let corner = |(i, j): (i32, i32)| (f64::from(i) * 7.0, f64::from(j) * 7.0);
    let rooms = cells.map(|cell| {
        let (x, y) = corner(cell);
        rectangle([x, x + 6.0], [y, y + 6.0])
    });
    let doors = (0..8).map(|i| {
        let ((ax, ay), (bx, by)) = (corner(cells[i]), corner(cells[(i + 1) % 8]));
        let middle = point((ax + bx) / 2.0 + 3.0, (ay + by) / 2.0 + 3.0);
        rectangle([middle.x - 0.6, middle.x + 0.6], [middle.y - 0.6, middle.y + 0.6])
    });
    rooms.into_iter().chain(doors).collect()
}

/// A path is what it says: gates lead from zone to zone, and length and width are theirs.
fn check_path(graph: &NavGraph, path: &Path, from: ZoneId, to: ZoneId) {
    assert_eq!(path.zones.len(), path.gates.len() + 1);
    assert_eq!((path.zones[0], path.zones[path.gates.len()]), (from, to));
    let mut points = vec![graph.zone(from).centre];
    for (&gate, zones) in path.gates.iter().zip(path.zones.windows(2)) {
        assert_eq!(graph.gate(gate).beyond(zones[0]), zones[1]);
        assert!(graph.is_open(gate));
        points.push(graph.gate(gate).middle());
    }
    points.push(graph.zone(to).centre);
    let lengths: Vec<f64> = points.windows(2).map(|ends| ends[0].distance(ends[1])).collect();
    let cost = |(length, &zone): (&f64, &ZoneId)| length * graph.cost_of(zone);
    assert!((path.length - lengths.iter().sum::<f64>()).abs() < 1e-9);
    assert!((path.cost - lengths.iter().zip(&path.zones).map(cost).sum::<f64>()).abs() < 1e-9);
    let narrowest =
        path.gates.iter().map(|&gate| graph.gate(gate).width()).fold(f64::MAX, f64::min);
    assert!(path.gates.is_empty() || path.width == narrowest);
}

/// The cost of the cheapest path by trying every way again and again until nothing gets better.
fn cheapest_by_force(graph: &NavGraph, from: ZoneId, to: ZoneId) -> f64 {
    let gates = graph.gates();
    let mut cost = vec![f64::INFINITY; gates.len()];
    for &gate in graph.gates_of(from) {
        let way = graph.gate(gate).middle().distance(graph.zone(from).centre);
        cost[gate.0 as usize] = way * graph.cost_of(from);
    }
    loop {
        let before = cost.clone();
        for (a, gate) in gates.iter().enumerate() {
            for zone in gate.zones {
                for b in graph.gates_of(zone).iter().map(|gate| gate.0 as usize) {
                    let way = gate.middle().distance(gates[b].middle()) * graph.cost_of(zone);
                    cost[b] = cost[b].min(cost[a] + way);
                }
            }
        }
        if before == cost {
            break;
        }
    }
    let last = |&gate: &GateId| {
        let way = graph.gate(gate).middle().distance(graph.zone(to).centre);
        cost[gate.0 as usize] + way * graph.cost_of(to)
    };
    graph.gates_of(to).iter().map(last).fold(f64::INFINITY, f64::min)
}

fn costly(x: [f32; 2], y: [f32; 2], cost: f32) -> Region {
    let corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])].map(Vec2::from);
    let polygon = Polygon::new(corners).unwrap();
    Region { name: "mud".into(), polygon, layer: GROUND, tags: Vec::new(), cost }
}

#[test]
fn the_first_path_is_the_cheapest_there_is() {
    let mut finder = PathFinder::new();
    for seed in 0..6 {
        let (ground, solids) = scattered(25 + 5 * seed, u64::from(seed));
        let mut graph = graph(&map(&ground, &solids));
        graph.annotate(&[
            costly([5.0, 25.0], [10.0, 20.0], 3.0),
            costly([20.0, 30.0], [25.0, 35.0], 10.0),
            costly([2.0, 8.0], [2.0, 38.0], 1.5),
        ]);
        let mut dice = Dice::new(u64::from(seed));
        for _ in 0..30 {
            let mut zone = || ZoneId((dice.unit() * graph.zones().len() as f64) as u32);
            let (from, to) = (zone(), zone());
            let path = finder.shortest(&graph, from, to, BODY, &Traffic::default());
            let set =
                finder.alternatives(&graph, from, to, &PathRules::default(), &Traffic::default());
            let Some(path) = path else {
                assert!(set.paths.is_empty());
                assert_ne!(graph.zone(from).component, graph.zone(to).component);
                continue;
            };
            set.paths.iter().for_each(|path| check_path(&graph, path, from, to));
            assert!((set.paths[0].cost - path.cost).abs() < 1e-9);
            if from == to {
                assert_eq!((path.length, path.gates.len(), set.paths.len()), (0.0, 0, 1));
            } else {
                let force = cheapest_by_force(&graph, from, to);
                assert!((path.cost - force).abs() < 1e-9, "{} {force}", path.cost);
            }
        }
    }
}

#[test]
fn around_a_ring_of_rooms_there_are_exactly_two_ways() {
    let map = map(&ring_of_rooms(), &[]);
    let graph = graph(&map);
    let report = graph.report(&map);
    assert_eq!(report.components, 1, "{report:?}");
    let opposite =
        [((3.0, 3.0), (17.0, 17.0)), ((10.0, 3.0), (10.0, 17.0)), ((3.0, 3.0), (16.0, 9.0))];
    for ((ax, ay), (bx, by)) in opposite {
        let (from, to) = (zone_at(&graph, ax, ay), zone_at(&graph, bx, by));
        let set = PathFinder::new().alternatives(
            &graph,
            from,
            to,
            &PathRules { stretch: 2.0, ..PathRules::default() },
            &Traffic::default(),
        );
        let lengths: Vec<f64> = set.paths.iter().map(|path| path.length).collect();
        assert_eq!(set.paths.len(), 2, "{lengths:?}");
        assert!(graph.shared(&set.paths[0], &set.paths[1]) < 0.4);
    }
    // To the next room but one, the way round the other side is too long, unless one is patient.
    let (from, to) = (zone_at(&graph, 3.0, 3.0), zone_at(&graph, 17.0, 3.0));
    for (stretch, ways) in [(1.6, 1), (4.0, 2)] {
        let rules = PathRules { stretch, ..PathRules::default() };
        let set = PathFinder::new().alternatives(&graph, from, to, &rules, &Traffic::default());
        assert_eq!(set.paths.len(), ways, "{stretch}");
    }
}

#[test]
fn without_the_narrowest_gate_there_is_another_door() {
    let walls = [
        rectangle([59.9, 60.1], [0.0, 3.0]),
        rectangle([59.9, 60.1], [4.0, 20.0]),
        rectangle([59.9, 60.1], [21.0, 24.0]),
    ];
    let graph = graph(&map(&[rectangle([0.0, 80.0], [0.0, 24.0])], &walls));
    let (from, to) = (zone_at(&graph, 30.0, 5.0), zone_at(&graph, 75.0, 5.0));
    // Without fines, every search by itself finds the nearer door.
    let rules = PathRules { penalty: 0.0, ..PathRules::default() };
    let set = PathFinder::new().alternatives(&graph, from, to, &rules, &Traffic::default());
    let doors: BTreeSet<bool> = (set.paths.iter())
        .map(|path| {
            path.gates
                .iter()
                .any(|&gate| graph.gate(gate).middle().distance(point(60.0, 20.5)) < 1.0)
        })
        .collect();
    assert_eq!(doors.len(), 2, "both doors are used");
}

fn blocks(count: u32) -> (NavGraph, ZoneId, ZoneId) {
    let (ground, solids) = city(count);
    let graph = graph(&map(&ground, &solids));
    let far = f64::from(count) * 26.0 + 3.0;
    let ends = (zone_at(&graph, 3.0, 3.0), zone_at(&graph, far, far));
    (graph, ends.0, ends.1)
}

#[test]
fn through_blocks_of_houses_there_are_as_many_ways_as_asked_for() {
    for count in [3, 5] {
        let (graph, from, to) = blocks(count);
        let rules = PathRules::default();
        let set = PathFinder::new().alternatives(&graph, from, to, &rules, &Traffic::default());
        let wanted = if count == 3 { 4 } else { 8 };
        assert!(set.paths.len() >= wanted, "{} ways through {count} blocks", set.paths.len());
        for (number, path) in set.paths.iter().enumerate() {
            check_path(&graph, path, from, to);
            assert!(path.cost <= 1.6 * set.paths[0].cost);
            for other in set.paths.iter().skip(number + 1) {
                assert!(graph.shared(path, other) <= 0.7 && graph.shared(other, path) <= 0.7);
            }
        }
        assert!(set.paths.windows(2).all(|pair| pair[0].cost <= pair[1].cost));
    }
}

#[test]
fn two_tracks_in_one_corridor_are_the_same_path() {
    let map = map(&[rectangle([0.0, 80.0], [0.0, 12.0])], &[]);
    let graph = graph(&map);
    let (from, to) = (zone_at(&graph, 2.0, 6.0), zone_at(&graph, 78.0, 6.0));
    let set = PathFinder::new().alternatives(
        &graph,
        from,
        to,
        &PathRules::default(),
        &Traffic::default(),
    );
    assert_eq!(set.paths.len(), 1);
}

#[test]
fn a_thousand_people_spread_over_the_ways_by_width_and_length() {
    let (graph, from, to) = blocks(4);
    let rules = PathRules::default();
    let set = PathFinder::new().alternatives(&graph, from, to, &rules, &Traffic::default());
    let shares = set.shares();
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    for (path, share) in set.paths.iter().zip(&shares) {
        let first = &set.paths[0];
        let detour = (path.cost - first.cost) / (0.25 * first.cost);
        let ratio = path.width / first.width * (-detour).exp();
        assert!((share / shares[0] - ratio).abs() < 1e-9);
    }
    let mut taken = vec![0u32; set.paths.len()];
    let random = Random::new(7);
    for person in 0..1000 {
        let draw = random.stream(person, 0, Purpose::Goal).unit();
        let path = set.choose(f64::from(draw)).unwrap();
        taken[set.paths.iter().position(|other| other == path).unwrap()] += 1;
    }
    assert!(taken.iter().filter(|&&count| count >= 50).count() >= 3, "{taken:?}");
    for (count, share) in taken.iter().zip(&shares) {
        assert!((f64::from(*count) - 1000.0 * share).abs() < 60.0, "{taken:?} {shares:?}");
    }
    assert_eq!(set.choose(0.0), set.paths.first());
    assert_eq!(set.choose(1.0), set.paths.last());
    assert_eq!(set.choose(f64::NAN), set.paths.last());
}

/// Two corridors from left to right, the lower one shorter.
fn two_corridors() -> NavGraph {
    let walls = [rectangle([8.0, 32.0], [4.0, 14.0])];
    graph(&map(&[rectangle([0.0, 40.0], [0.0, 20.0])], &walls))
}

#[test]
fn crowds_and_costly_ground_are_avoided() {
    let mut graph = two_corridors();
    let (from, to) = (zone_at(&graph, 3.0, 5.0), zone_at(&graph, 37.0, 5.0));
    let mut finder = PathFinder::new();
    let is_below = |graph: &NavGraph, path: &Path| {
        path.zones.iter().any(|&zone| graph.zone(zone).centre.abs_diff_eq(point(20.0, 2.0), 3.0))
    };
    let free = finder.shortest(&graph, from, to, BODY, &Traffic::default()).unwrap();
    assert!(is_below(&graph, &free));
    let people: Vec<u32> = (graph.zones().iter())
        .map(
            |zone| if zone.centre.y < 4.0 && (8.0..32.0).contains(&zone.centre.x) { 30 } else { 0 },
        )
        .collect();
    let traffic = |weight| Traffic { people: &people, weight };
    let around = finder.shortest(&graph, from, to, BODY, &traffic(1.0)).unwrap();
    assert!(!is_below(&graph, &around) && around.length > free.length);
    assert_eq!(around.cost, around.length, "nobody is there");
    assert_eq!(finder.shortest(&graph, from, to, BODY, &traffic(0.0)).unwrap(), free);
    let short = Traffic { people: &people[..1], weight: 1.0 };
    assert!(finder.shortest(&graph, from, to, BODY, &short).is_some());

    graph.annotate(&[costly([15.0, 25.0], [0.0, 4.0], 4.0)]);
    let clean = finder.shortest(&graph, from, to, BODY, &Traffic::default()).unwrap();
    assert!(!is_below(&graph, &clean));
}

#[test]
fn larger_bodies_go_where_they_fit() {
    let walls = [
        rectangle([19.9, 20.1], [0.0, 4.0]),
        rectangle([19.9, 20.1], [4.8, 16.0]),
        rectangle([19.9, 20.1], [18.0, 20.0]),
    ];
    let graph = graph(&map(&[rectangle([0.0, 40.0], [0.0, 20.0])], &walls));
    let (from, to) = (zone_at(&graph, 15.0, 4.4), zone_at(&graph, 25.0, 4.4));
    let mut finder = PathFinder::new();
    let mut length =
        |body| finder.shortest(&graph, from, to, body, &Traffic::default()).map(|path| path.length);
    assert!(length(0.25).unwrap() < 15.0);
    assert!(length(0.6).unwrap() > 20.0, "by the wide door");
    assert_eq!(length(1.1), None);
}

#[test]
fn kept_paths_are_those_a_search_would_find() {
    let (graph, ..) = blocks(3);
    let mut dice = Dice::new(11);
    let count = graph.gates().len() as f64;
    let zones: Vec<ZoneId> = [(3.0, 3.0), (81.0, 81.0), (3.0, 81.0), (45.0, 29.0)]
        .map(|(x, y)| zone_at(&graph, x, y))
        .into();
    let pairs = || zones.iter().flat_map(|&a| zones.iter().map(move |&b| (a, b)));
    let mut routes = Routes::new(graph, PathRules::default());
    let (mut closed, mut survived) = (BTreeSet::new(), 0);
    for _ in 0..25 {
        for (from, to) in pairs() {
            let found = PathFinder::new().alternatives(
                routes.graph(),
                from,
                to,
                &PathRules::default(),
                &Traffic::default(),
            );
            assert_eq!(routes.between(from, to), &found);
        }
        let before = routes.kept();
        for _ in 0..3 {
            let gate = GateId((dice.unit() * count) as u32);
            let open = closed.remove(&gate);
            routes.set_open(gate, open);
            if !open {
                closed.insert(gate);
            }
        }
        assert!(routes.kept() <= before);
        survived += routes.kept();
    }
    assert!(survived > 40, "most changes concern few paths: {survived}");
}

#[test]
fn a_closed_door_is_no_way() {
    let walls = [rectangle([9.9, 10.1], [0.0, 4.0]), rectangle([9.9, 10.1], [5.0, 9.0])];
    let graph = graph(&map(&[rectangle([0.0, 20.0], [0.0, 9.0])], &walls));
    let (from, to) = (zone_at(&graph, 4.0, 4.5), zone_at(&graph, 16.0, 4.5));
    let mut routes = Routes::new(graph, PathRules::default());
    let through = routes.between(from, to).paths[0].clone();
    let width = |gate: &GateId| routes.graph().gate(*gate).width();
    let door = *through.gates.iter().min_by(|a, b| width(a).total_cmp(&width(b))).unwrap();
    routes.set_open(door, false);
    assert!(routes.between(from, to).paths.iter().all(|path| !path.gates.contains(&door)));
    assert!(routes.between(from, to).paths.is_empty(), "a door is one gate");
    routes.set_open(door, true);
    assert_eq!(routes.between(from, to).paths[0], through);
}

#[test]
fn way_points_are_safe_and_fill_the_width() {
    let (ground, solids) = scattered(30, 3);
    let map = map(&ground, &solids);
    let graph = graph(&map);
    let mut dice = Dice::new(2);
    let mut finder = PathFinder::new();
    let mut walked = 0;
    for person in 0..500 {
        let mut zone = || ZoneId((dice.unit() * graph.zones().len() as f64) as u32);
        let (from, to) = (zone(), zone());
        let body = 0.2 + 0.1 * (person % 3) as f64;
        let Some(path) = finder.shortest(&graph, from, to, body, &Traffic::default()) else {
            continue;
        };
        let mut random = Random::new(1).stream(person, 0, Purpose::Goal);
        let (start, end) = (graph.zone(from).centre, graph.zone(to).centre);
        let way = graph.waypoints(&path, start, end, body, &mut random).unwrap();
        assert_eq!(way.len(), path.zones.len());
        let mut at = start;
        for (waypoint, &zone) in way.iter().zip(&path.zones) {
            assert_eq!(waypoint.zone, zone);
            for end in [at, waypoint.point] {
                assert!(graph.zone(zone).depth(end) >= body - 1e-9);
            }
            for step in 0..=5 {
                let clearance =
                    map.clearance(GROUND, at.lerp(waypoint.point, f64::from(step) / 5.0));
                assert!(clearance >= body - 1e-6, "{clearance}");
            }
            at = waypoint.point;
            walked += 1;
        }
        assert_eq!(at, end);
        assert_eq!(
            graph.waypoints(&path, start, end, 5.0, &mut random).is_none(),
            !path.gates.is_empty()
        );
    }
    assert!(walked > 2_000);
}

#[test]
fn tracks_along_a_corridor_differ_and_do_not_zigzag() {
    let graph = graph(&map(&[rectangle([0.0, 80.0], [0.0, 6.0])], &[]));
    let (from, to) = (zone_at(&graph, 4.0, 3.0), zone_at(&graph, 76.0, 3.0));
    let mut finder = PathFinder::new();
    let path = finder.shortest(&graph, from, to, BODY, &Traffic::default()).unwrap();
    let back = finder.shortest(&graph, to, from, BODY, &Traffic::default()).unwrap();
    assert!(path.gates.len() > 10);
    let mut thirds = [0; 3];
    for person in 0..200 {
        let track = |path: &Path, ends: [DVec2; 2]| -> Vec<f64> {
            let mut random = Random::new(3).stream(person, 0, Purpose::Goal);
            let way = graph.waypoints(path, ends[0], ends[1], BODY, &mut random).unwrap();
            way[..way.len() - 1].iter().map(|waypoint| waypoint.point.y).collect()
        };
        let ends = [from, to].map(|zone| graph.zone(zone).centre);
        let there = track(&path, ends);
        let steps: Vec<f64> = there.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
        assert!(steps.iter().all(|&step| step < 1.0), "{there:?}");
        assert!(there.iter().all(|y| (0.5..5.5).contains(y)));
        thirds[((there[there.len() - 1] - 0.5) / 5.0 * 3.0) as usize] += 1;
        // The same draws on the way back are the same side as one walks, and so the other wall's.
        let mirrored = track(&back, [ends[1], ends[0]]);
        assert!((there[0] - 3.0) * (mirrored[0] - 3.0) <= 0.0);
    }
    assert!(thirds.iter().all(|&people| people > 40), "{thirds:?}");
}
