//! Paths of people in a crowd: that they differ where there is room, and keep their distance where there is none.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use glam::DVec2;
use throng_nav::{Berth, CorridorMap, Extras, Path, Search, Walker};
use throng_world::walkable::{Area, difference};

use crate::support::{Dice, GROUND, brute_clearance, city, map, point, rectangle, scattered};

const WALKER: Walker = Walker { radius: 0.25, margin: 0.1 };

fn path(map: &CorridorMap, from: DVec2, to: DVec2, berth: Berth) -> Path {
    let ends = [(GROUND, from), (GROUND, to)];
    let search = &mut Search::default();
    map.individual_way(search, ends, &WALKER, berth, Extras::default()).unwrap().0
}

fn points_along(path: &Path) -> Vec<DVec2> {
    let legs = path.points.windows(2).flat_map(|leg| {
        let steps = (leg[0].distance(leg[1]) / 0.02).ceil().max(1.0) as u32;
        let (a, b) = (leg[0], leg[1]);
        (0..=steps).map(move |i| a.lerp(b, f64::from(i) / f64::from(steps)))
    });
    legs.collect()
}

fn clearance(free: &[Area], path: &Path) -> f64 {
    points_along(path).iter().map(|&at| brute_clearance(free, at)).fold(f64::INFINITY, f64::min)
}

/// Where a path crosses the line on which x has a value, going to the right.
fn crosses(path: &Path, x: f64) -> f64 {
    let leg = path.points.windows(2).find(|leg| leg[0].x <= x && leg[1].x > x).unwrap();
    leg[0].lerp(leg[1], (x - leg[0].x) / (leg[1].x - leg[0].x)).y
}

#[test]
fn who_comes_round_a_corner_meets_others_with_room_between() {
    let ground = [rectangle([-20.0, 20.0], [-20.0, 20.0])];
    let solid = [rectangle([-20.0, 0.0], [-20.0, 0.0])];
    let map = map(&ground, &solid);
    let berth = Berth { left: 1.5, right: 0.2 };
    let (a, b) = (point(-9.0, 3.0), point(3.0, -9.0));
    // The corner is on the right of the first, and on the left of the second.
    let nearest =
        |path: &Path| points_along(path).iter().map(|at| at.length()).fold(f64::INFINITY, f64::min);
    let (close, wide) = (nearest(&path(&map, a, b, berth)), nearest(&path(&map, b, a, berth)));
    assert!((0.5..0.8).contains(&close), "{close}");
    assert!((1.7..2.1).contains(&wide), "{wide}");
    let none = nearest(&path(&map, b, a, Berth::default()));
    assert!((0.34..0.45).contains(&none), "{none}");
}

#[test]
fn in_a_door_people_spread_over_what_room_there_is() {
    let ground = [rectangle([0.0, 20.0], [0.0, 20.0])];
    let wall = [rectangle([9.9, 10.1], [0.0, 9.0]), rectangle([9.9, 10.1], [11.0, 20.0])];
    let map = map(&ground, &wall);
    // From below to above and the other way round: the jamb on the right or that on the left is near.
    let places: Vec<f64> = (0..=10)
        .flat_map(|i| {
            let berth = Berth { left: 0.1 * f64::from(i), right: 0.05 * f64::from(i) };
            let there = path(&map, point(3.0, 2.0), point(17.0, 2.0), berth);
            let back = path(&map, point(3.0, 18.0), point(17.0, 18.0), berth);
            [there, back].map(|path| crosses(&path, 10.0))
        })
        .collect();
    let within = |low: f64, high: f64| places.iter().filter(|&&y| y >= low && y < high).count();
    assert_eq!(within(9.34, 10.66), places.len(), "{places:?}");
    assert!(within(9.34, 9.6) > 1 && within(10.4, 10.66) > 1, "{places:?}");
    assert_eq!(within(9.95, 10.05), 0, "nobody has to go through the middle: {places:?}");
}

#[test]
fn whatever_the_berth_a_path_keeps_its_distance_and_is_not_much_longer() {
    for (ground, solids) in [scattered(25, 4), city(4)] {
        let map = map(&ground, &solids);
        let free = difference(&ground, &solids);
        let mut dice = Dice::new(23);
        let mut seen = 0;
        for _ in 0..150 {
            let mut place = || point(dice.between(0.0, 40.0), dice.between(0.0, 40.0));
            let (from, to) = (place(), place());
            let berth = Berth { left: dice.between(0.0, 2.5), right: dice.between(0.0, 2.5) };
            if [from, to].iter().any(|&at| brute_clearance(&free, at) < 0.4) {
                continue;
            }
            let ends = [(GROUND, from), (GROUND, to)];
            let search = &mut Search::default();
            let Ok(corridor) = map.corridor(search, ends[0], ends[1], &WALKER, Extras::default())
            else {
                continue;
            };
            let shortest = corridor.shortest_path(WALKER.clearance());
            let path = path(&map, from, to, berth);
            assert_eq!(path.layers.len() + 1, path.points.len());
            assert_eq!([path.points[0], path.points[path.points.len() - 1]], [from, to]);
            let kept = clearance(&free, &shortest).min(WALKER.clearance());
            assert!(clearance(&free, &path) >= kept - 0.003, "{berth:?} {shortest:?} {path:?}");
            assert!(path.length() <= 1.25 * shortest.length() + 1.0, "{shortest:?} {path:?}");
            seen += 1;
        }
        assert!(seen > 20, "{seen}");
    }
}

#[test]
fn nobody_has_to_step_aside_where_they_set_out() {
    // Along a wall that is nearer than they would like.
    let map = map(&[rectangle([0.0, 60.0], [0.0, 6.0])], &[rectangle([28.0, 60.0], [3.0, 6.0])]);
    let berth = Berth { left: 2.0, right: 2.0 };
    let path = path(&map, point(2.0, 5.5), point(50.0, 0.5), berth);
    let first = path.points[1] - path.points[0];
    assert!(first.y.abs() < 0.6 * first.x, "{path:?}");
}
