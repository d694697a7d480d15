//! Sketched lines become ways: near to the sketch, free of walls, and such that people who follow
//! them arrive.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::Path as FilePath;

use glam::DVec2;
use throng_nav::{
    CorridorMap, Extras, IndicativeRoute, MapRules, NoWay, Search, SketchError, Walker,
};
use throng_world::Scene;
use throng_world::scene::LayerId;
use throng_world::walkable::{Area, difference};

use crate::support::{Dice, GROUND, brute_clearance, city, map, point, rectangle, scattered};

const WALKER: Walker = Walker { radius: 0.25, margin: 0.15 };
const LOOK_AHEAD: f64 = 3.0;

fn route(map: &CorridorMap, sketch: &[(f64, f64)]) -> Result<IndicativeRoute, SketchError> {
    let sketch: Vec<_> = sketch.iter().map(|&(x, y)| (GROUND, point(x, y))).collect();
    map.indicative_route(&mut Search::default(), &sketch, &WALKER, Extras::default())
}

/// Points along a line, 5 cm apart.
fn along(points: &[DVec2]) -> impl Iterator<Item = DVec2> + '_ {
    points.windows(2).flat_map(|leg| {
        let steps = (leg[0].distance(leg[1]) / 0.05).ceil().max(1.0) as u32;
        let (a, b) = (leg[0], leg[1]);
        (0..=steps).map(move |i| a.lerp(b, f64::from(i) / f64::from(steps)))
    })
}

fn assert_free(free: &[Area], points: &[DVec2]) {
    for at in along(points) {
        let clearance = brute_clearance(free, at);
        assert!(clearance > WALKER.radius - 0.03, "{clearance} at {at}");
    }
}

fn mean_y(points: &[DVec2]) -> f64 {
    let heights: Vec<f64> = along(points).map(|at| at.y).collect();
    heights.iter().sum::<f64>() / heights.len() as f64
}

/// Where somebody gets who always walks straight to what draws them on.
fn walk(map: &CorridorMap, route: &IndicativeRoute) -> Vec<DVec2> {
    let goal = *route.path().points.last().unwrap();
    let (mut at, mut travelled) = (route.path().points[0], 0.0);
    let mut walked = vec![at];
    while at.distance(goal) > 0.05 {
        assert!(walked.len() < 20_000, "never arrives: {at} of {goal}, {travelled}");
        let place = map.locate(GROUND, at).unwrap();
        let before = travelled;
        let aim = route.attraction(&mut travelled, &place, LOOK_AHEAD).unwrap();
        assert!(travelled >= before, "{travelled} after {before}");
        assert!(aim.distance(place.anchor.point) <= place.anchor.clearance + 1e-6, "{aim}");
        at += (aim - at).clamp_length_max(0.13);
        walked.push(at);
    }
    walked
}

#[test]
fn a_sketch_along_the_left_wall_is_walked_on_the_left() {
    let ground = [rectangle([0.0, 30.0], [0.0, 4.0])];
    let map = map(&ground, &[]);
    for (height, low, high) in [(3.95, 3.4, 3.7), (3.0, 2.9, 3.1), (0.1, 0.3, 0.6)] {
        let route = route(&map, &[(1.0, height), (29.0, height)]).unwrap();
        assert_free(&ground, &route.path().points);
        for points in [route.path().points.clone(), walk(&map, &route)] {
            let mean = mean_y(&points);
            assert!(low < mean && mean < high, "{height}: {mean}");
        }
    }
}

#[test]
fn a_sketch_through_a_wall_goes_round_it_where_most_of_it_comes_out() {
    let ground = [rectangle([0.0, 20.0], [0.0, 12.0])];
    let solid = [rectangle([5.0, 15.0], [3.0, 9.0])];
    let map = map(&ground, &solid);
    let free = difference(&ground, &solid);
    // Straight through, nearer to one side; and into it at the bottom, but mostly near the top, though
    // the way by the bottom is shorter.
    let sketches = [
        (vec![(1.0, 7.0), (19.0, 7.0)], true),
        (vec![(1.0, 5.0), (19.0, 5.0)], false),
        (vec![(1.0, 4.0), (5.5, 4.0), (6.5, 8.5), (13.5, 8.5), (14.5, 4.0), (19.0, 4.0)], true),
        (vec![(1.0, 4.0), (19.0, 4.0)], false),
    ];
    for (sketch, by_the_top) in sketches {
        let route = route(&map, &sketch).unwrap();
        assert_free(&free, &route.path().points);
        let middle: Vec<f64> =
            along(&route.path().points).filter(|p| (p.x - 10.0).abs() < 3.0).map(|p| p.y).collect();
        assert!(
            !middle.is_empty() && middle.iter().all(|&y| (y > 6.0) == by_the_top),
            "{sketch:?}"
        );
        walk(&map, &route);
    }
}

#[test]
fn a_detour_that_was_sketched_is_walked() {
    let (ground, solids) = city(4);
    let map = map(&ground, &solids);
    let free = difference(&ground, &solids);
    // Once around a block, a few metres from where it began.
    let sketch = [(3.0, 10.0), (3.0, 29.0), (29.0, 29.0), (29.0, 3.0), (5.0, 3.0)];
    let route = route(&map, &sketch).unwrap();
    assert!((route.length() - 95.0).abs() < 1.0, "{}", route.length());
    assert_free(&free, &route.path().points);
    // Who looks ahead cuts corners a little.
    let walked = walk(&map, &route);
    for corner in &sketch[1..4] {
        let nearest = walked.iter().map(|at| at.distance(point(corner.0, corner.1)));
        assert!(nearest.fold(f64::INFINITY, f64::min) < 1.5, "{corner:?}");
    }
}

#[test]
fn there_and_back_is_left_out() {
    // A street with a dead end; the sketch looks into it.
    let ground = [rectangle([0.0, 20.0], [0.0, 4.0]), rectangle([9.0, 11.0], [4.0, 14.0])];
    let map = map(&ground, &[]);
    let route = route(&map, &[(1.0, 2.0), (10.0, 2.0), (10.0, 12.0), (10.0, 2.0), (19.0, 2.0)]);
    let route = route.unwrap();
    assert!((route.length() - 18.0).abs() < 0.1, "{}", route.length());
    assert_eq!(route.path().points.len(), 2, "{route:?}");
}

#[test]
fn whatever_is_sketched_the_way_is_free_and_leads_to_the_end() {
    let (mut found, mut walls, mut samples, mut tight) = (0, 0, 0, 0);
    for seed in 0..8 {
        let (ground, solids) = scattered(24, seed + 40);
        let map = map(&ground, &solids);
        let free = difference(&ground, &solids);
        let mut dice = Dice::new(seed);
        for _ in 0..25 {
            let mut place = || (dice.between(-2.0, 42.0), dice.between(-2.0, 42.0));
            let sketch: Vec<_> = (0..5).map(|_| place()).collect();
            walls += sketch
                .iter()
                .filter(|at| !free.iter().any(|f| f.contains(DVec2::from(**at))))
                .count();
            let route = match route(&map, &sketch) {
                Ok(route) => route,
                Err(SketchError::NoWay {
                    reason: NoWay::Apart | NoWay::TooNarrow { .. }, ..
                }) => continue,
                Err(error) => panic!("{error}"),
            };
            let points = &route.path().points;
            for at in along(points) {
                let clearance = brute_clearance(&free, at);
                // As on all ways, the first step from a tight place may be nearer to a wall.
                assert!(clearance > 0.5 * WALKER.radius, "{clearance} at {at}");
                tight += usize::from(clearance < WALKER.radius - 0.03);
                samples += 1;
            }
            for (sketched, end) in [(sketch[0], points[0]), (sketch[4], *points.last().unwrap())] {
                let nearest = map.nearest_free(GROUND, sketched.into(), WALKER.radius).unwrap();
                assert!(nearest.point.distance(end) < 1e-6, "{sketched:?} {end}");
            }
            assert_eq!(points.len(), route.path().layers.len() + 1);
            walk(&map, &route);
            found += 1;
        }
    }
    assert!(found > 120 && walls > 50, "{found} {walls}");
    assert!(tight * 1000 < samples, "{tight} of {samples}");
}

#[test]
fn a_sketch_may_lead_to_another_floor() {
    let text = r#"
        format = 1
        world = { bounds = [[-10, -10], [10, 10]], closed = true }
        layers = [{ name = "hall" }, { name = "gallery", elevation = 3 }]
        [[connectors]]
        name = "stairs"
        kind = "stairs"
        polygon = [[-3, -8], [3, -8], [3, -5], [-3, -5]]
        lower = { layer = "hall", edge = [[-3, -8], [-3, -5]] }
        upper = { layer = "gallery", edge = [[3, -8], [3, -5]] }
    "#;
    let scene = Scene::parse("stairs.toml", text, FilePath::new("")).unwrap();
    let map = CorridorMap::of_scene(&scene, &MapRules::default()).unwrap();
    let gallery = LayerId(1);
    let sketch =
        [(GROUND, point(0.0, 5.0)), (GROUND, point(-6.0, 5.0)), (gallery, point(6.0, 5.0))];
    let route = map.indicative_route(&mut Search::default(), &sketch, &WALKER, Extras::default());
    let route = route.unwrap();
    let path = route.path();
    assert_eq!((path.layers[0], *path.layers.last().unwrap()), (GROUND, gallery));
    assert_eq!(*path.points.last().unwrap(), point(6.0, 5.0));
    // On the stairs, whoever is drawn on is drawn beyond the place where floors change.
    let change = path.layers.iter().position(|&layer| layer == gallery).unwrap();
    let place = map.locate(GROUND, path.points[change] - point(0.3, 0.0)).unwrap();
    let mut travelled = route.length() / 2.0 - 5.0;
    while let Some(aim) = route.attraction(&mut travelled, &place, LOOK_AHEAD) {
        if aim.x > path.points[change].x + 0.5 {
            return;
        }
        travelled += 0.1;
    }
    panic!("nobody gets past {}", path.points[change]);
}

#[test]
fn sketches_that_cannot_be_walked_are_refused_with_the_reason() {
    let ground = [rectangle([0.0, 10.0], [0.0, 10.0])];
    let map = map(&ground, &[rectangle([4.9, 5.1], [-1.0, 11.0])]);
    assert_eq!(route(&map, &[(1.0, 1.0)]), Err(SketchError::TooShort(1)));
    assert_eq!(route(&map, &[(1.0, 1.0), (1.0, f64::NAN)]), Err(SketchError::NoPlace(1)));
    let apart = route(&map, &[(1.0, 1.0), (2.0, 1.0), (9.0, 1.0)]);
    assert_eq!(apart, Err(SketchError::NoWay { leg: 1, reason: NoWay::Apart }));
    let message = apart.unwrap_err().to_string();
    assert!(message.starts_with("from point 2 of the sketch to the next: "), "{message}");
    // A sketch that stays where it is, and one that begins in a wall, are fine.
    let still = route(&map, &[(1.0, 1.0), (1.0, 1.0)]).unwrap();
    assert_eq!((still.length(), still.path().points.len()), (0.0, 2));
    let place = map.locate(GROUND, point(1.0, 1.0)).unwrap();
    assert_eq!(still.attraction(&mut 0.0, &place, LOOK_AHEAD), Some(point(1.0, 1.0)));
    assert!(route(&map, &[(-3.0, 5.0), (2.0, 5.0)]).unwrap().path().points[0].x > 0.2);
}

#[test]
fn whoever_comes_from_elsewhere_takes_the_shortest_way_to_a_sketch() {
    let ground = [rectangle([0.0, 40.0], [0.0, 30.0])];
    let solid = [rectangle([5.0, 35.0], [10.0, 14.0])];
    let map = map(&ground, &solid);
    let sketch =
        [(GROUND, point(20.0, 20.0)), (GROUND, point(39.0, 20.0)), (GROUND, point(39.0, 1.0))];
    let (search, from) = (&mut Search::default(), (GROUND, point(10.0, 5.0)));
    let route =
        map.indicative_route_from(search, from, &sketch, &WALKER, Extras::default()).unwrap();
    assert_free(&difference(&ground, &solid), &route.path().points);
    assert_eq!(route.path().points[0], from.1);
    let corridor = map.corridor(search, from, sketch[0], &WALKER, Extras::default()).unwrap();
    let there = corridor.shortest_path(WALKER.clearance()).length();
    assert!((route.length() - there - 38.0).abs() < 0.3, "{} {there}", route.length());
    // Up to the sketch, nothing of it is behind anybody; then it is so much for so many metres.
    for (travelled, sketched) in
        [(0.0, 0.0), (there - 0.5, 0.0), (there + 9.5, 0.5), (there + 19.0, 1.0), (1e9, 2.0)]
    {
        let at = route.sketched(travelled);
        assert!((at - sketched).abs() < 0.03, "{travelled}: {at}");
    }
    let apart = map.indicative_route_from(
        search,
        (GROUND, point(10.0, 5.0)),
        &[(LayerId(3), point(0.0, 0.0)), (GROUND, point(1.0, 1.0))],
        &WALKER,
        Extras::default(),
    );
    assert!(matches!(apart, Err(SketchError::NoWay { leg: 0, .. })), "{apart:?}");
}
