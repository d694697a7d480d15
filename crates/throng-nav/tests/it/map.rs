//! The corridor map: what it is made of, and that it covers all that is free.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use glam::DVec2;
use proptest::prelude::*;
use throng_nav::{CorridorMap, EdgeId, Footprint, MapRules, Site};
use throng_world::walkable::Area;

use crate::support::{
    Dice, GROUND, brute_clearance, city, fine_soup, map, point, rectangle, scattered, soup,
};

/// Points along all edges of a map, with the clearance it gives for them.
fn samples(map: &CorridorMap) -> Vec<(DVec2, f64)> {
    let edges = (0..map.edges().len() as u32).map(EdgeId);
    edges
        .flat_map(|edge| map.pieces(edge).copied().collect::<Vec<_>>())
        .flat_map(|piece| {
            (0..=8).map(move |i| {
                let at = piece.at(f64::from(i) / 8.0);
                (at, piece.clearance(at))
            })
        })
        .collect()
}

#[test]
fn between_parallel_walls_the_axis_is_the_middle() {
    let map = map(&[rectangle([0.0, 100.0], [0.0, 4.0])], &[]);
    let middle = samples(&map).into_iter().filter(|(at, _)| (3.0..97.0).contains(&at.x));
    let mut count = 0;
    for (at, clearance) in middle {
        assert!((at.y - 2.0).abs() < 1e-3 && (clearance - 2.0).abs() < 1e-3, "{at} {clearance}");
        count += 1;
    }
    assert!(count > 5);
    let edge = (0..map.edges().len() as u32)
        .map(EdgeId)
        .find(|&edge| map.edge(edge).length > 90.0)
        .unwrap();
    let piece = map.pieces(edge).next().unwrap();
    for site in [piece.left, piece.right] {
        let Site::Wall(a, b) = site else { panic!("{piece:?}") };
        assert!((b - a).dot(piece.to - piece.from).abs() > 1.0 && (a.y - b.y).abs() < 1e-9);
    }
}

#[test]
fn between_two_posts_it_is_their_bisector() {
    let ground = Footprint::new(&[rectangle([-50.0, 50.0], [-50.0, 50.0])]).unwrap();
    let posts = [point(-3.0, 0.0), point(3.0, 0.0)];
    let map =
        CorridorMap::new(&[ground.with_posts(&posts).unwrap()], &MapRules::default()).unwrap();
    for y in [-9.0, -2.0, 0.0, 5.0] {
        let place = map.locate(GROUND, point(-0.5, y)).unwrap();
        let anchor = place.anchor.point;
        assert!(anchor.x.abs() < 1e-9, "{anchor}");
        assert!((place.anchor.clearance - anchor.y.hypot(3.0)).abs() < 1e-9);
    }
}

#[test]
fn between_a_post_and_a_wall_it_is_a_parabola() {
    let ground = Footprint::new(&[rectangle([-50.0, 50.0], [0.0, 80.0])]).unwrap();
    let post = [point(0.0, 4.0)];
    let map = CorridorMap::new(&[ground.with_posts(&post).unwrap()], &MapRules::default()).unwrap();
    for x in [-7.0, -1.0, 0.0, 3.0, 12.0] {
        let anchor = map.locate(GROUND, point(x, 0.3)).unwrap().anchor.point;
        assert!((anchor.x - x).abs() < 1e-9, "straight away from the wall: {anchor}");
        assert!((anchor.y - (x * x + 16.0) / 8.0).abs() < 0.01, "{anchor}");
    }
}

#[test]
fn a_square_room_has_four_branches_to_its_corners() {
    let map = map(&[rectangle([0.0, 6.0], [0.0, 6.0])], &[]);
    assert_eq!(map.edges().len(), 4);
    let centre = map.vertices().iter().find(|vertex| vertex.clearance > 2.9).unwrap();
    assert!(centre.point.distance(point(3.0, 3.0)) < 1e-9);
    assert!((centre.clearance - 3.0).abs() < 1e-9);
    // The branches are cut off where they are 0.2 m from the walls: 0.28 m from the corner.
    for edge in map.edges() {
        assert!((edge.length - (3.0 - 0.2) * 2f64.sqrt()).abs() < 1e-6, "{}", edge.length);
        assert!((edge.clearance - 0.2).abs() < 1e-6 && edge.is_tip);
    }
}

#[test]
fn a_pillar_in_a_hall_is_gone_around_on_either_side() {
    let pillar = rectangle([9.0, 11.0], [9.0, 11.0]);
    let map = map(&[rectangle([0.0, 20.0], [0.0, 20.0])], &[pillar]);
    let through: Vec<_> = map.edges().iter().filter(|edge| !edge.is_tip).collect();
    assert_eq!(through.len(), 4);
    assert!(through.iter().all(|edge| (edge.clearance - 4.5).abs() < 1e-6));
}

#[test]
fn a_ring_without_any_branch_is_on_the_map() {
    // Corners so blunt that their branches are cut off nowhere, and a ring of posts: the axis still
    // leads around.
    let ring = |radius: f64| {
        let corner =
            |i: u32| DVec2::from_angle(f64::from(i) * std::f64::consts::TAU / 90.0) * radius;
        Area::new((0..90).map(corner).collect(), Vec::new()).unwrap()
    };
    let map = map(&[ring(10.0)], &[ring(4.0)]);
    let length: f64 = map.edges().iter().filter(|edge| !edge.is_tip).map(|edge| edge.length).sum();
    assert!((length - 7.0 * std::f64::consts::TAU).abs() < 0.1, "{length}");
}

fn check_coverage(ground: &[Area], solids: &[Area], size: f64, seed: u64, count: u32) {
    let map = map(ground, solids);
    // Where solids overlap, brute force would see edges that are inside of others.
    let free = throng_world::walkable::difference(ground, solids);
    for (at, clearance) in samples(&map) {
        let brute = brute_clearance(&free, at);
        assert!((brute - clearance).abs() < 0.01, "{at}: {clearance}, really {brute}");
    }
    let mut dice = Dice::new(seed);
    let mut found = 0;
    for _ in 0..count {
        let at = point(dice.between(-1.0, size + 1.0), dice.between(-1.0, size + 1.0));
        let clearance = brute_clearance(&free, at);
        // The lattice moves walls by up to a millimetre, and swallows slivers between solids.
        let on_map = map.clearance(GROUND, at);
        let same = (on_map - clearance).abs() < 2e-3 || (clearance < 0.0 && on_map < 0.0);
        assert!(same, "{at}: {on_map}, really {clearance}");
        match map.locate(GROUND, at) {
            Some(place) => {
                let disc = place.anchor;
                let holds = disc.clearance - disc.point.distance(at);
                assert!(clearance < 0.25 || holds >= 0.25 - 0.01, "{at} {place:?}");
                assert!((holds - clearance).abs() < 0.01 || clearance < 0.25, "{at} {place:?}");
                found += 1;
            }
            None => assert!(clearance < 0.25, "{at} is free: {clearance}"),
        }
    }
    assert!(found > count / 20);
}

#[test]
fn discs_cover_every_place_a_body_fits_in() {
    for seed in 0..10 {
        let (ground, solids) = scattered(40, seed);
        check_coverage(&ground, &solids, 40.0, seed, 5_000);
    }
    let (ground, solids) = city(4);
    check_coverage(&ground, &solids, 110.0, 7, 50_000);
}

#[test]
fn gaps_let_through_who_fits() {
    for (gap, fits) in [(0.49, false), (0.51, true)] {
        let walls = [rectangle([4.9, 5.1], [-1.0, 3.0]), rectangle([4.9, 5.1], [3.0 + gap, 11.0])];
        let map = map(&[rectangle([0.0, 10.0], [0.0, 10.0])], &walls);
        let narrowest =
            map.edges().iter().filter(|e| !e.is_tip).map(|e| e.clearance).fold(9.0, f64::min);
        assert!((narrowest - gap / 2.0).abs() < 1e-3, "{narrowest}");
        assert_eq!(narrowest >= 0.25, fits);
    }
}

#[test]
fn the_gate_of_an_edge_is_half_way_along_its_narrow_part() {
    // Two rooms joined by a passage of 1.2 m, from x = 5 to 8.
    let walls = [rectangle([5.0, 8.0], [0.0, 2.0]), rectangle([5.0, 8.0], [3.2, 6.0])];
    let map = map(&[rectangle([0.0, 13.0], [0.0, 6.0])], &walls);
    let ids = (0..map.edges().len() as u32).map(EdgeId);
    let gates = ids.filter(|&id| !map.edge(id).is_tip).filter_map(|id| map.gate(id));
    let gate = gates.min_by(|a, b| a.clearance.total_cmp(&b.clearance)).unwrap();
    assert!(gate.centre.distance(point(6.5, 2.6)) < 1e-6, "{gate:?}");
    assert!((gate.left.distance(gate.right) - 1.2).abs() < 1e-6, "{gate:?}");
}

#[test]
fn inside_of_walls_the_nearest_free_place_is_told() {
    let map = map(
        &[rectangle([0.0, 10.0], [0.0, 10.0])],
        &[rectangle([4.0, 6.0], [0.0, 10.0]), rectangle([0.0, 1.0], [0.0, 0.3])],
    );
    assert_eq!(map.locate(GROUND, point(5.0, 5.0)), None);
    let place = map.nearest_free(GROUND, point(4.5, 5.0), 0.3).unwrap();
    assert!(place.point.distance(point(3.7, 5.0)) < 0.01, "{place:?}");
    assert!(place.clearance >= 0.299);
    let outside = map.nearest_free(GROUND, point(30.0, 5.0), 0.5).unwrap();
    assert!(outside.point.distance(point(9.5, 5.0)) < 0.01, "{outside:?}");
    assert_eq!(map.nearest_free(GROUND, point(5.0, 5.0), 2.5), None);
}

#[test]
fn a_world_without_any_ground_has_an_empty_map() {
    let map = map(&[], &[]);
    assert!(map.edges().is_empty() && map.locate(GROUND, DVec2::ZERO).is_none());
    assert_eq!(map.nearest_free(GROUND, DVec2::ZERO, 0.3), None);
}

fn check_soup(solids: &[Area]) -> Result<(), TestCaseError> {
    let ground = rectangle([0.0, 12.0], [0.0, 12.0]);
    let map = map(std::slice::from_ref(&ground), solids);
    let free = throng_world::walkable::difference(&[ground], solids);
    for (at, clearance) in samples(&map) {
        let brute = brute_clearance(&free, at).abs();
        prop_assert!((brute - clearance).abs() < 0.01, "{}: {}, really {}", at, clearance, brute);
    }
    let mut dice = Dice::new(3);
    for _ in 0..200 {
        let at = point(dice.between(0.0, 12.0), dice.between(0.0, 12.0));
        let clearance = brute_clearance(&free, at);
        if clearance >= 0.21 {
            let place = map.locate(GROUND, at);
            prop_assert!(place.is_some(), "{} is free: {}", at, clearance);
            let disc = place.unwrap().anchor;
            let holds = disc.clearance - disc.point.distance(at);
            prop_assert!((holds - clearance).abs() < 0.01, "{} {:?} {}", at, disc, clearance);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_polygons_on_a_lattice_make_a_sound_map(solids in soup()) {
        check_soup(&solids)?;
    }

    #[test]
    fn any_polygons_at_all_make_a_sound_map(solids in fine_soup()) {
        check_soup(&solids)?;
    }
}
