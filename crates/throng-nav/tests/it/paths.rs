//! Ways and paths: that they are short, keep their distance, and that there is one if there can be.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support::sight::Sight;
use glam::DVec2;
use proptest::prelude::*;
use throng_nav::{Corridor, CorridorMap, Extras, NoWay, Path, Search, Walker};
use throng_world::walkable::{Area, difference};

use crate::support::{
    Dice, GROUND, brute_clearance, city, inflated, map, point, rectangle, scattered,
};

const BODY: Walker = Walker { radius: 0.25, margin: 0.0 };

fn corridor(map: &CorridorMap, from: DVec2, to: DVec2, walker: &Walker) -> Result<Corridor, NoWay> {
    map.corridor(&mut Search::default(), (GROUND, from), (GROUND, to), walker, Extras::default())
}

/// The least clearance along a path.
fn clearance(free: &[Area], path: &Path) -> f64 {
    let legs = path.points.windows(2).flat_map(|leg| {
        let steps = (leg[0].distance(leg[1]) / 0.02).ceil().max(1.0) as u32;
        let (a, b) = (leg[0], leg[1]);
        (0..=steps).map(move |i| a.lerp(b, f64::from(i) / f64::from(steps)))
    });
    legs.map(|at| brute_clearance(free, at)).fold(f64::INFINITY, f64::min)
}

#[test]
fn around_a_corner_the_path_is_an_arc() {
    // A solid that fills a quarter of the plane; the way leads around its corner at the origin.
    let ground = [rectangle([-20.0, 20.0], [-20.0, 20.0])];
    let solid = [rectangle([-20.0, 0.0], [-20.0, 0.0])];
    let map = map(&ground, &solid);
    let free = difference(&ground, &solid);
    let mut last = 0.0;
    for c in [0.25, 0.5, 1.0, 2.0] {
        let (from, to) = (point(-5.0, c), point(c, -5.0));
        let walker = Walker { radius: 0.25, margin: c - 0.25 };
        let path = corridor(&map, from, to, &walker).unwrap().shortest_path(c);
        let length = 10.0 + std::f64::consts::FRAC_PI_2 * c;
        assert!((path.length() - length).abs() < 0.002, "{c}: {} {length}", path.length());
        assert!(clearance(&free, &path) >= c - 0.005, "{}", clearance(&free, &path));
        assert!(path.length() >= last);
        last = path.length();
    }
    let path = corridor(&map, point(-5.0, 0.3), point(0.3, -5.0), &BODY).unwrap();
    let tight = path.shortest_path(0.0).points;
    assert_eq!(tight.len(), 3);
    assert!(tight[1].length() < 1e-9, "{tight:?}");
}

#[test]
fn more_clearance_never_makes_a_path_shorter() {
    let (ground, solids) = scattered(25, 4);
    let map = map(&ground, &solids);
    let free = difference(&ground, &solids);
    let mut dice = Dice::new(9);
    for _ in 0..60 {
        let mut place = || point(dice.between(0.0, 40.0), dice.between(0.0, 40.0));
        let Ok(corridor) = corridor(&map, place(), place(), &BODY) else { continue };
        if corridor.from().clearance < 0.3 || corridor.to().clearance < 0.3 {
            continue;
        }
        let mut last = 0.0;
        for c in [0.0, 0.1, 0.25, 0.5, 1.0] {
            let path = corridor.shortest_path(c);
            assert!(path.length() >= last - 1e-3, "{c}: {} {last}", path.length());
            last = path.length();
            let room = c.min(corridor.narrowest().clearance).min(0.3);
            assert!(clearance(&free, &path) >= room - 0.005, "{} {room}", clearance(&free, &path));
        }
    }
}

proptest! {
    // Rare: it takes a few hundred worlds to find a pair of places that share a disc the wrong way.
    #![proptest_config(ProptestConfig::with_cases(4 * ProptestConfig::default().cases))]
    #[test]
    fn no_path_comes_nearer_to_a_wall_than_the_body_is_wide(
        (count, seed, margin) in (1u32..40, 0u64..1_000_000, 0.0f64..0.4),
        places in prop::collection::vec((0.0f64..40.0, 0.0f64..40.0, -4.0f64..4.0, -4.0f64..4.0), 20),
    ) {
        let (ground, solids) = scattered(count, seed);
        let (map, free) = (map(&ground, &solids), difference(&ground, &solids));
        let walker = Walker { margin, ..BODY };
        for (x, y, dx, dy) in places {
            // Most pairs are in the same disc, or around the same corner.
            let (from, to) = (point(x, y), point(x + dx, y + dy));
            if [from, to].iter().any(|&at| brute_clearance(&free, at) < BODY.radius) {
                continue;
            }
            let Ok(corridor) = corridor(&map, from, to, &walker) else { continue };
            let path = corridor.shortest_path(walker.clearance());
            let room = clearance(&free, &path);
            // The chords of arcs come 0.8 mm nearer, and the lattice moves corners by up to 0.71 mm.
            prop_assert!(room >= BODY.radius - 0.0016, "{} from {} to {}: {:?}", room, from, to, path);
        }
    }
}

#[test]
fn who_does_not_fit_is_told_which_gap_is_too_narrow() {
    for (gap, fits) in [(0.49, false), (0.51, true)] {
        let walls = [rectangle([4.9, 5.1], [-1.0, 3.0]), rectangle([4.9, 5.1], [3.0 + gap, 11.0])];
        let map = map(&[rectangle([0.0, 10.0], [0.0, 10.0])], &walls);
        match corridor(&map, point(1.0, 8.0), point(9.0, 8.0), &BODY) {
            Ok(_) => assert!(fits),
            Err(NoWay::TooNarrow { x, y, width }) => {
                assert!(!fits && (width - gap).abs() < 0.002, "{width}");
                assert!(point(x, y).distance(point(5.0, 3.0 + gap / 2.0)) < 0.2, "{x} {y}");
            }
            Err(other) => panic!("{other}"),
        }
    }
    let wall = rectangle([4.9, 5.1], [-1.0, 11.0]);
    let closed = map(&[rectangle([0.0, 10.0], [0.0, 10.0])], &[wall]);
    assert_eq!(corridor(&closed, point(1.0, 8.0), point(9.0, 8.0), &BODY), Err(NoWay::Apart));
    let giant = Walker { radius: 6.0, margin: 0.0 };
    let lost = closed.corridor(
        &mut Search::default(),
        (GROUND, point(5.0, 5.0)),
        (GROUND, point(9.0, 8.0)),
        &giant,
        Extras::default(),
    );
    assert!(matches!(lost, Err(NoWay::NoRoom { .. })), "{lost:?}");
}

#[test]
fn who_is_as_wide_as_the_widest_gap_gets_through_and_nobody_wider() {
    let (mut narrow, mut dice) = (0, Dice::new(3));
    for seed in 0..6 {
        let (ground, solids) = scattered(60, seed + 40);
        let map = map(&ground, &solids);
        for _ in 0..200 {
            let mut place = || point(dice.between(0.0, 40.0), dice.between(0.0, 40.0));
            let (from, to) = (place(), place());
            let giant = Walker { radius: 1.0, margin: 0.0 };
            let free = |at| map.clearance(GROUND, at) > giant.radius;
            if !(free(from) && free(to)) {
                continue;
            }
            let Err(NoWay::TooNarrow { x, y, width }) = corridor(&map, from, to, &giant) else {
                continue;
            };
            // Narrower ones are not all on the map.
            if width < 0.5 {
                continue;
            }
            narrow += 1;
            assert!((map.clearance(GROUND, point(x, y)) - width / 2.0).abs() < 1e-6, "{x} {y}");
            let walker = |off: f64| Walker { radius: width / 2.0 + off, margin: 0.0 };
            let slim = corridor(&map, from, to, &walker(-0.0002));
            assert!(slim.is_ok(), "{seed} {from} {to}: {width} {slim:?}");
            for off in [0.0002, 0.002] {
                let wide = corridor(&map, from, to, &walker(off));
                let Err(NoWay::TooNarrow { width: found, .. }) = wide else {
                    panic!("{seed} {from} {to}: {width} {wide:?}")
                };
                assert_eq!(found, width);
            }
        }
    }
    assert!(narrow > 50, "{narrow}");
}

#[test]
fn closed_edges_are_no_way() {
    let (ground, solids) = city(3);
    let map = map(&ground, &solids);
    let closed = vec![f32::INFINITY; map.edges().len()];
    let mut search = Search::default();
    let ends = ((GROUND, point(3.0, 3.0)), (GROUND, point(80.0, 81.0)));
    let found = map.corridor(&mut search, ends.0, ends.1, &BODY, Extras::new(&closed));
    assert_eq!(found, Err(NoWay::Closed));
    // Closing the way that was found makes it take another.
    let first = map.corridor(&mut search, ends.0, ends.1, &BODY, Extras::default()).unwrap();
    let mut extras = vec![0.0; map.edges().len()];
    let middle = first.edges()[first.edges().len() / 2];
    extras[middle.0 as usize] = f32::INFINITY;
    let second = map.corridor(&mut search, ends.0, ends.1, &BODY, Extras::new(&extras)).unwrap();
    assert!(!second.edges().contains(&middle));
}

#[test]
fn paths_are_as_short_as_exact_ones() {
    const CLEARANCE: f64 = 0.3;
    let walker = Walker { radius: CLEARANCE, margin: 0.0 };
    let (mut worst, mut count, mut sum) = (0.0f64, 0, 0.0);
    for seed in 0..5 {
        let (ground, solids) = scattered(16, seed + 100);
        let map = map(&ground, &solids);
        let sight = Sight::new(inflated(&ground[0], &solids, CLEARANCE));
        let mut dice = Dice::new(seed + 5);
        for _ in 0..60 {
            let mut place = || point(dice.between(0.0, 40.0), dice.between(0.0, 40.0));
            let (from, to) = (place(), place());
            let free = |at| map.clearance(GROUND, at) > CLEARANCE + 0.02;
            if !(free(from) && free(to)) {
                continue;
            }
            let exact = sight.length(from, to);
            let ours = corridor(&map, from, to, &walker).map(|c| c.shortest_path(CLEARANCE));
            match (exact, ours) {
                (Some(exact), Ok(path)) => {
                    let ratio = path.length() / exact;
                    assert!(ratio > 0.999, "{from} {to}: {} {exact}", path.length());
                    (worst, sum, count) = (worst.max(ratio), sum + ratio, count + 1);
                }
                (None, Err(_)) => {}
                // A gap exactly as wide as the body may be there or not.
                (Some(_), Err(NoWay::TooNarrow { width, .. })) if width > 0.59 => {}
                (exact, ours) => panic!("{seed} {from} {to}: {exact:?} {ours:?}"),
            }
        }
    }
    println!("{count} paths, mean {:.6}, worst {worst:.6}", sum / f64::from(count));
    assert!(count > 150 && worst < 1.001, "{count} {worst}");
}

#[test]
fn what_is_clear_is_what_a_body_can_walk_straight() {
    let (ground, solids) = scattered(30, 12);
    let map = map(&ground, &solids);
    let free = difference(&ground, &solids);
    let mut dice = Dice::new(2);
    let (mut clear, mut blocked) = (0, 0);
    for _ in 0..3000 {
        let mut place = || point(dice.between(0.0, 40.0), dice.between(0.0, 40.0));
        let (from, to) = (place(), place());
        let to = from + (to - from).clamp_length_max(12.0);
        if [from, to].iter().any(|&at| brute_clearance(&free, at) < 0.3) {
            continue;
        }
        let line = Path { points: vec![from, to], layers: vec![GROUND] };
        let room = clearance(&free, &line);
        let is_clear = map.is_clear(GROUND, from, to, 0.25);
        assert!(is_clear || room < 0.26, "{from} {to} {room}");
        assert!(!is_clear || room > 0.2, "{from} {to} {room}");
        *(if is_clear { &mut clear } else { &mut blocked }) += 1;
    }
    assert!(clear > 200 && blocked > 200, "{clear} {blocked}");
}

#[test]
fn the_room_along_a_line_is_that_of_its_narrowest_place() {
    let (ground, solids) = scattered(30, 12);
    let map = map(&ground, &solids);
    let free = difference(&ground, &solids);
    let mut dice = Dice::new(3);
    let mut wide = 0;
    for _ in 0..2000 {
        let mut place = || point(dice.between(0.0, 40.0), dice.between(0.0, 40.0));
        let line = [place(), place()];
        if line.iter().any(|&at| brute_clearance(&free, at) < 0.0) {
            continue;
        }
        let expected = clearance(&free, &Path { points: line.to_vec(), layers: vec![GROUND] });
        let room = map.room_along(GROUND, line, 0.0, 1.5);
        assert!(
            room <= 1.5 && (room - expected.clamp(0.0, 1.5)).abs() < 0.012,
            "{line:?} {room} {expected}"
        );
        // Who only wants to know whether it is enough is told the truth about that.
        let is_enough = map.room_along(GROUND, line, 0.4, 0.4) >= 0.4;
        assert_eq!(is_enough, room >= 0.4, "{line:?} {room}");
        wide += u32::from(is_enough);
    }
    assert!(wide > 50, "{wide}");
    let far = [point(-1e300, 5.0), point(1e300, 5.0)];
    assert!(map.room_along(GROUND, far, 0.3, 0.3) < 0.3, "through everything");
}

#[test]
fn a_straightened_path_has_few_corners_and_keeps_its_distance() {
    for (ground, solids) in [scattered(25, 4), city(5)] {
        let map = map(&ground, &solids);
        let free = difference(&ground, &solids);
        let walker = Walker { radius: 0.25, margin: 0.15 };
        let mut dice = Dice::new(11);
        let (mut before, mut after, mut seen) = (0, 0, 0);
        for _ in 0..150 {
            let mut place = || point(dice.between(0.0, 40.0), dice.between(0.0, 40.0));
            let (from, to) = (place(), place());
            if [from, to].iter().any(|&at| brute_clearance(&free, at) < 0.45) {
                continue;
            }
            let Ok(way) = corridor(&map, from, to, &walker) else { continue };
            let shortest = way.shortest_path(walker.clearance());
            let mut path = shortest.clone();
            path.straighten(&map, walker.clearance());
            assert_eq!(path.layers.len() + 1, path.points.len());
            assert_eq!([path.points[0], path.points[path.points.len() - 1]], [from, to]);
            assert!(path.length() >= shortest.length() - 1e-3, "{shortest:?} {path:?}");
            assert!(path.length() <= 1.02 * shortest.length() + 0.1, "{shortest:?} {path:?}");
            let kept = clearance(&free, &shortest).min(walker.clearance());
            assert!(clearance(&free, &path) >= kept - 0.003, "{shortest:?} {path:?}");
            (before, after, seen) =
                (before + shortest.points.len(), after + path.points.len(), seen + 1);
        }
        assert!(seen > 30 && 2 * after < before, "{seen}: {before} to {after}");
    }
}

#[test]
fn a_path_is_not_straightened_into_the_wall_opposite() {
    // Around the corner at the origin, through a gap that has just the room the path needs.
    let ground = [rectangle([-20.0, 20.0], [-20.0, 20.0])];
    let walker = Walker { radius: 0.25, margin: 0.15 };
    let (from, to) = (point(-5.0, 0.4), point(0.4, -5.0));
    for (away, is_straight) in [(0.0, false), (1.0, true)] {
        let opposite = rectangle([0.364 + away, 15.0], [0.715 + away, 15.0]);
        let solids = [rectangle([-20.0, 0.0], [-20.0, 0.0]), opposite];
        let (map, free) = (map(&ground, &solids), difference(&ground, &solids));
        let mut path = corridor(&map, from, to, &walker).unwrap().shortest_path(walker.clearance());
        let points = path.points.len();
        path.straighten(&map, walker.clearance());
        assert!(clearance(&free, &path) >= 0.397, "{path:?}");
        assert_eq!(path.points.len() <= 5, is_straight, "{points}: {path:?}");
    }
}

#[test]
fn whims_spread_people_over_ways_that_are_about_as_good() {
    let (ground, solids) = city(6);
    let map = map(&ground, &solids);
    let ends = ((GROUND, point(3.0, 3.0)), (GROUND, point(159.0, 159.0)));
    let mut search = Search::default();
    let mut ways = std::collections::BTreeSet::new();
    let shortest = map.corridor(&mut search, ends.0, ends.1, &BODY, Extras::default()).unwrap();
    let least = shortest.shortest_path(0.25).length();
    for who in 0..100 {
        let extras = Extras { whim: 0.3, who, ..Extras::default() };
        let way = map.corridor(&mut search, ends.0, ends.1, &BODY, extras).unwrap();
        assert!(way.shortest_path(0.25).length() < 1.3 * least);
        ways.insert(way.edges().to_vec());
    }
    assert!(ways.len() > 20, "{}", ways.len());
}
