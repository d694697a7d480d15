//! The navigation graph: zones are free, gates can be passed, and everything hangs together.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use glam::{DVec2, Vec2};
use proptest::prelude::*;
use throng_base::Polygon;
use throng_nav::graph::{GateId, GraphError, GraphRules, NavGraph, PathFinder, ZoneId};
use throng_nav::{CorridorMap, MapRules};
use throng_world::Scene;
use throng_world::scene::{LayerId, Region};
use throng_world::walkable::{Area, difference};

use crate::support::{
    Dice, GROUND, brute_clearance, city, fine_soup, map, point, rectangle, scattered, soup,
};

fn graph(map: &CorridorMap) -> NavGraph {
    NavGraph::new(map, &GraphRules::default()).unwrap()
}

fn components(graph: &NavGraph) -> usize {
    graph.zones().iter().map(|zone| zone.component as usize + 1).max().unwrap_or(0)
}

/// What must hold for any graph.
fn check_sound(graph: &NavGraph, map: &CorridorMap) {
    for zone in graph.zones() {
        let clearance = map.clearance(zone.layer, zone.centre);
        assert!(zone.radius <= clearance, "{zone:?} has clearance {clearance}");
        assert!(zone.radius >= graph.rules().body);
    }
    for (number, gate) in (0..).zip(graph.gates()) {
        let zones = gate.zones.map(|zone| graph.zone(zone));
        let inside = |at: DVec2, by: f64| zones.iter().all(|zone| zone.depth(at) >= by - 1e-9);
        assert!(gate.ends.iter().all(|&end| inside(end, 0.0)), "{gate:?}");
        assert!(gate.width() >= 2.0 * graph.rules().body - 1e-9, "{gate:?}: {}", gate.width());
        for body in [graph.rules().body, gate.room] {
            let passage = graph.passage(GateId(number), body).unwrap();
            assert!(passage.iter().all(|&at| inside(at, body)), "{gate:?} {body}");
        }
        assert_eq!(zones[0].component, zones[1].component);
    }
    for (id, zone) in (0..).map(ZoneId).zip(graph.zones()) {
        let nested = graph.zones_at(zone.layer, zone.centre).any(|other| {
            let larger = graph.zone(other);
            other != id && larger.depth(zone.centre) >= zone.radius
        });
        assert!(!nested, "{zone:?} is inside of another");
    }
}

/// Walks from gate to gate at random and checks that bodies never touch a wall on the way.
fn check_walks(graph: &NavGraph, map: &CorridorMap, walks: u32, seed: u64) {
    let mut dice = Dice::new(seed);
    let pick =
        |count: usize, dice: &mut Dice| ((dice.unit() * count as f64) as usize).min(count - 1);
    let mut walked = 0;
    for _ in 0..walks {
        let body = dice.between(0.15, 0.4);
        let mut zone = ZoneId(pick(graph.zones().len(), &mut dice) as u32);
        let mut at = graph.zone(zone).centre;
        for _ in 0..4 {
            let gates: Vec<(GateId, [DVec2; 2])> = (graph.gates_of(zone).iter())
                .filter_map(|&gate| Some((gate, graph.passage(gate, body)?)))
                .filter(|_| graph.zone(zone).depth(at) >= body)
                .collect();
            if gates.is_empty() {
                break;
            }
            let (gate, [left, right]) = gates[pick(gates.len(), &mut dice)];
            let to = left.lerp(right, dice.unit());
            for step in 0..=6 {
                let on_way = at.lerp(to, f64::from(step) / 6.0);
                let clearance = map.clearance(graph.zone(zone).layer, on_way);
                assert!(clearance >= body - 1e-6, "{on_way}: {clearance} for {body}");
            }
            walked += 1;
            (at, zone) = (to, graph.gate(gate).beyond(zone));
        }
    }
    assert!(walked > walks, "{walked} of {walks}");
}

#[test]
fn zones_are_free_gates_can_be_passed_and_places_are_covered() {
    let plaza =
        (vec![rectangle([0.0, 120.0], [0.0, 70.0])], vec![rectangle([50.0, 60.0], [30.0, 41.0])]);
    let corridor = (vec![rectangle([0.0, 90.0], [0.0, 2.4])], Vec::new());
    let worlds = [city(3), plaza, corridor, scattered(40, 1), scattered(80, 2), scattered(15, 3)];
    for (number, (ground, solids)) in (1..).zip(worlds) {
        let map = map(&ground, &solids);
        let graph = graph(&map);
        check_sound(&graph, &map);
        let free = difference(&ground, &solids);
        for zone in graph.zones() {
            let really = brute_clearance(&free, zone.centre);
            // Walls are moved to a lattice of a millimetre.
            assert!(zone.radius <= really + 2e-3, "{zone:?} {really}");
        }
        check_walks(&graph, &map, 2_000, number);
        let report = graph.report(&map);
        assert!(report.coverage > 0.99 && report.places > 1000, "{number}: {report:?}");
        assert!(report.narrowest >= 0.5);
        assert!(graph.zones().iter().all(|zone| zone.radius <= 8.0));
    }
}

#[test]
fn closer_spacing_makes_more_zones_and_wider_gates() {
    let map = map(&[rectangle([0.0, 100.0], [0.0, 2.0])], &[]);
    let of =
        |spacing| NavGraph::new(&map, &GraphRules { spacing, ..GraphRules::default() }).unwrap();
    let [close, wide] = [of(0.3), of(1.0)];
    assert!(close.zones().len() as f64 > 1.5 * wide.zones().len() as f64);
    assert!(close.report(&map).narrowest >= wide.report(&map).narrowest);
}

#[test]
fn a_street_is_a_chain_of_gates_however_close_its_zones() {
    let map = map(&[rectangle([0.0, 80.0], [0.0, 6.0])], &[]);
    let graph = NavGraph::new(&map, &GraphRules { spacing: 0.3, ..GraphRules::default() }).unwrap();
    let inner = |zone: &ZoneId| (6.0..74.0).contains(&graph.zone(*zone).centre.x);
    let inner: Vec<ZoneId> = (0..graph.zones().len() as u32).map(ZoneId).filter(inner).collect();
    assert!(inner.len() > 50);
    assert!(inner.iter().all(|&zone| graph.gates_of(zone).len() == 2));
}

#[test]
fn zones_that_nobody_needs_are_taken_away() {
    let ground = [rectangle([0.0, 120.0], [0.0, 70.0])];
    let map = map(&ground, &[rectangle([50.0, 60.0], [30.0, 41.0])]);
    // Before, there are 269.
    let report = graph(&map).report(&map);
    assert!(report.zones < 240 && report.coverage > 0.99, "{report:?}");
}

#[test]
fn two_rooms_are_joined_by_a_door_that_lets_a_body_through() {
    for (door, expected) in [(0.0, 2), (0.4, 2), (0.59, 2), (0.6, 1), (0.62, 1), (1.2, 1)] {
        let wall = if door == 0.0 {
            vec![rectangle([5.9, 6.0], [0.0, 5.0])]
        } else {
            vec![rectangle([5.9, 6.0], [0.0, 2.0]), rectangle([5.9, 6.0], [2.0 + door, 5.0])]
        };
        let map = map(&[rectangle([0.0, 12.0], [0.0, 5.0])], &wall);
        let graph = graph(&map);
        check_sound(&graph, &map);
        assert_eq!(components(&graph), expected, "door of {door} m");
    }
}

#[test]
fn a_long_narrow_passage_is_a_way() {
    let areas = [
        rectangle([0.0, 5.0], [0.0, 5.0]),
        rectangle([4.9, 25.1], [2.0, 2.6]),
        rectangle([25.0, 30.0], [0.0, 5.0]),
    ];
    let map = map(&areas, &[]);
    let graph = graph(&map);
    assert_eq!(components(&graph), 1);
    check_walks(&graph, &map, 500, 1);
}

#[test]
fn a_thin_wall_does_not_keep_the_other_side_from_having_zones() {
    let map = map(&[rectangle([0.0, 40.0], [0.0, 10.0])], &[rectangle([0.0, 39.0], [4.99, 5.01])]);
    let graph = graph(&map);
    let report = graph.report(&map);
    assert!(report.coverage > 0.99 && report.components == 1, "{report:?}");
    // Nothing leads through the wall.
    for gate in graph.gates() {
        let [a, b] = gate.zones.map(|zone| graph.zone(zone).centre);
        assert!((a.y < 5.0) == (b.y < 5.0) || a.x.min(b.x) > 30.0, "{a} {b}");
    }
}

#[test]
fn floors_hang_together_by_their_stairs_and_by_nothing_else() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/two-floors.toml");
    let scene = Scene::load(path).unwrap();
    let map = CorridorMap::of_scene(&scene, &MapRules::default()).unwrap();
    let graph = NavGraph::of_scene(&scene, &map, &GraphRules::default()).unwrap();
    check_sound(&graph, &map);
    check_walks(&graph, &map, 10_000, 5);
    let report = graph.report(&map);
    assert_eq!(report.components, 1, "{report:?}");
    assert!(report.coverage > 0.98, "{report:?}");
    let layers = |gate: &throng_nav::graph::Gate| gate.zones.map(|zone| graph.zone(zone).layer);
    let joins: Vec<_> =
        graph.gates().iter().filter(|gate| layers(gate)[0] != layers(gate)[1]).collect();
    assert_eq!(joins.len(), scene.connectors.len());
    for (gate, connector) in joins.iter().zip(&scene.connectors) {
        let middle = gate.middle().as_vec2();
        assert!(connector.polygon.contains(middle), "{middle}");
        assert!((connector.progress(middle) - 0.5).abs() < 0.01);
        // The stairs are 3 m wide.
        assert!(gate.width() > 2.5 && gate.width() <= 3.0, "{}", gate.width());
    }
    // From below the gallery to a place on it, one climbs.
    let [below, above] =
        [0, 1].map(|layer| graph.best_zone(LayerId(layer), point(0.0, 0.0)).unwrap());
    let path = PathFinder::new().shortest(&graph, below, above, 0.25, &Default::default()).unwrap();
    assert!(path.length > 10.0, "{}", path.length);
}

#[test]
fn points_find_the_zones_around_them() {
    let (ground, solids) = scattered(40, 9);
    let graph = graph(&map(&ground, &solids));
    let mut dice = Dice::new(4);
    let mut found = 0;
    for _ in 0..2_000 {
        let at = point(dice.between(-3.0, 43.0), dice.between(-3.0, 43.0));
        let all: Vec<ZoneId> = (0..graph.zones().len() as u32)
            .map(ZoneId)
            .filter(|&zone| graph.zone(zone).depth(at) >= 0.0)
            .collect();
        assert_eq!(graph.zones_at(GROUND, at).collect::<Vec<_>>(), all);
        let deepest = all.iter().map(|&zone| graph.zone(zone).depth(at)).fold(-1.0, f64::max);
        let best = graph.best_zone(GROUND, at);
        assert_eq!(best.is_some(), !all.is_empty());
        assert!(best.is_none_or(|zone| graph.zone(zone).depth(at) == deepest));
        found += all.len();
    }
    assert!(found > 1_000);
    assert_eq!(graph.zones_at(LayerId(3), DVec2::ZERO).count(), 0);
    for odd in [DVec2::NAN, DVec2::INFINITY, DVec2::splat(-1e300)] {
        assert_eq!(graph.best_zone(GROUND, odd), None);
    }
}

#[test]
fn worlds_without_ground_or_of_any_size_have_graphs() {
    let empty = graph(&map(&[], &[]));
    assert!(empty.zones().is_empty() && empty.best_zone(GROUND, DVec2::ZERO).is_none());
    assert_eq!(empty.report(&map(&[], &[])).components, 0);

    let tiny = map(&[rectangle([0.0, 0.3], [0.0, 0.3])], &[]);
    assert!(graph(&tiny).zones().is_empty(), "nobody fits");

    let steppe =
        map(&[rectangle([-2e3, 2e3], [-2e3, 2e3])], &[rectangle([0.0, 10.0], [0.0, 20.0])]);
    let report = graph(&steppe).report(&steppe);
    assert!(
        report.zones < 100_000 && report.components == 1 && report.coverage > 0.95,
        "{report:?}"
    );

    let endless = map(&[rectangle([-9e5, 9e5], [0.0, 0.62])], &[]);
    let error = NavGraph::new(&endless, &GraphRules::default()).unwrap_err();
    assert_eq!(error, GraphError::TooLarge);
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let map = map(&[rectangle([0.0, 9.0], [0.0, 9.0])], &[]);
    let plain = GraphRules::default();
    for (rules, wants) in [
        (GraphRules { body: 0.0, ..plain }, "`body`"),
        (GraphRules { body: f64::NAN, ..plain }, "`body`"),
        (GraphRules { passage: 0.26, ..plain }, "2 cm above `body`"),
        (GraphRules { largest_zone: 0.1, ..plain }, "`largest_zone`"),
        (GraphRules { largest_zone: f64::INFINITY, ..plain }, "`largest_zone`"),
        (GraphRules { spacing: 0.0, ..plain }, "`spacing`"),
        (GraphRules { spacing: f64::NAN, ..plain }, "`spacing`"),
    ] {
        let error = NavGraph::new(&map, &rules).unwrap_err();
        assert!(error.to_string().contains(wants), "{error}");
    }
}

fn region(name: &str, [x0, x1]: [f32; 2], [y0, y1]: [f32; 2], cost: f32) -> Region {
    let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(Vec2::from);
    Region {
        name: name.into(),
        polygon: Polygon::new(corners).unwrap(),
        layer: GROUND,
        tags: vec![name.into(), "place".into()],
        cost,
    }
}

#[test]
fn tags_move_with_their_region() {
    let map = map(&[rectangle([0.0, 60.0], [0.0, 6.0])], &[]);
    let mut graph = graph(&map);
    let mut last = Vec::new();
    for x in [3.0, 40.0] {
        let shop = region("shop", [x, x + 5.0], [0.0, 2.0], 3.0);
        graph.annotate(std::slice::from_ref(&shop));
        for id in (0..graph.zones().len() as u32).map(ZoneId) {
            let zone = graph.zone(id);
            let nearest = shop.polygon.nearest_point(zone.centre.as_vec2()).as_dvec2();
            let touches = nearest.distance(zone.centre) <= zone.radius;
            assert_eq!(graph.zones_with("shop").contains(&id), touches);
            assert_eq!(graph.tags_of(id) == ["place", "shop"], touches);
            assert_eq!(graph.cost_of(id), if touches { 3.0 } else { 1.0 });
        }
        assert!(!graph.zones_with("shop").is_empty());
        assert_ne!(graph.zones_with("shop"), last);
        last = graph.zones_with("shop").to_vec();
        assert_eq!(graph.tags_at(GROUND, point(f64::from(x) + 1.0, 1.0)), ["place", "shop"]);
        assert!(graph.tags_at(GROUND, point(f64::from(x) + 1.0, 4.0)).is_empty());
        assert!(graph.tags_at(LayerId(1), point(f64::from(x) + 1.0, 1.0)).is_empty());
    }
    assert!(graph.zones_with("toilet").is_empty());
}

#[test]
fn the_nearest_place_with_a_tag_is_the_nearest_on_foot() {
    // A wall with its end far to the right: what is right behind it is a long way round.
    let map = map(&[rectangle([0.0, 60.0], [0.0, 10.0])], &[rectangle([0.0, 58.0], [4.9, 5.1])]);
    let mut graph = graph(&map);
    let behind = region("exit", [2.0, 4.0], [8.0, 9.0], 1.0);
    let along = region("exit", [30.0, 32.0], [1.0, 2.0], 1.0);
    graph.annotate(&[behind, along]);
    let mut finder = PathFinder::new();
    let (zone, cost) = graph.nearest_with(GROUND, point(3.0, 2.5), "exit", &mut finder).unwrap();
    assert!(graph.zone(zone).centre.y < 5.0);
    assert!((20.0..30.0).contains(&cost), "{cost}");
    let here = graph.nearest_with(GROUND, point(31.0, 2.0), "exit", &mut finder).unwrap();
    assert_eq!(here.1, 0.0);
    assert_eq!(graph.nearest_with(GROUND, point(3.0, 2.5), "toilet", &mut finder), None);
    assert_eq!(graph.nearest_with(GROUND, point(-3.0, 2.5), "exit", &mut finder), None);
}

/// Vertices of the map that hang together by edges at least `passage` from the walls, as the number
/// of the first vertex.
fn parts(map: &CorridorMap, passage: f64) -> Vec<usize> {
    let mut part: Vec<usize> = (0..map.vertices().len()).collect();
    loop {
        let mut changed = false;
        for edge in map.edges().iter().filter(|edge| edge.clearance >= passage) {
            let [a, b] = edge.ends.map(|end| end.0 as usize);
            let least = part[a].min(part[b]);
            changed |= part[a] != part[b];
            (part[a], part[b]) = (least, least);
        }
        if !changed {
            return part;
        }
    }
}

/// Places that hang together in the world do so in the graph, and the other way round.
fn check_connected(graph: &NavGraph, map: &CorridorMap) {
    let (wide, narrow) = (parts(map, graph.rules().passage), parts(map, graph.rules().body - 2e-3));
    let zone_of = |vertex: &throng_nav::Vertex| {
        let wide = vertex.clearance >= graph.rules().passage;
        graph.best_zone(vertex.layer, vertex.point).filter(|_| wide)
    };
    let zones: Vec<Option<ZoneId>> = map.vertices().iter().map(zone_of).collect();
    for a in 0..zones.len() {
        assert!(zones[a].is_some() || map.vertices()[a].clearance < graph.rules().passage);
        for b in 0..a {
            let (Some(first), Some(second)) = (zones[a], zones[b]) else { continue };
            let joined = graph.zone(first).component == graph.zone(second).component;
            let at = [a, b].map(|vertex| map.vertices()[vertex].point);
            assert!(joined || wide[a] != wide[b], "{at:?} are joined in the world");
            assert!(!joined || narrow[a] == narrow[b], "{at:?} are not joined in the world");
        }
    }
}

#[test]
fn what_hangs_together_in_the_world_does_in_the_graph() {
    for seed in 0..8 {
        let (ground, solids) = scattered(30 + 10 * seed, u64::from(seed));
        let map = map(&ground, &solids);
        check_connected(&graph(&map), &map);
    }
}

fn check_soup(solids: &[Area]) {
    let map = map(&[rectangle([0.0, 12.0], [0.0, 12.0])], solids);
    let graph = graph(&map);
    check_sound(&graph, &map);
    check_connected(&graph, &map);
    let report = graph.report(&map);
    assert!(report.coverage >= 0.95 || report.places < 200, "{report:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 2))]

    #[test]
    fn any_polygons_on_a_lattice_make_a_sound_graph(solids in soup()) {
        check_soup(&solids);
    }

    #[test]
    fn any_polygons_at_all_make_a_sound_graph(solids in fine_soup()) {
        check_soup(&solids);
    }
}
