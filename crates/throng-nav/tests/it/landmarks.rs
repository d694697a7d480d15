//! Searches that are led by landmarks find ways that are as good as those of others.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use glam::DVec2;
use throng_nav::{CorridorMap, Extras, NoWay, Search, Walker};
use throng_world::walkable::{Area, difference};

use crate::support::{Dice, GROUND, brute_clearance, city, map, point, rectangle, scattered_over};

const WALKER: Walker = Walker { radius: 0.25, margin: 0.1 };

/// The mean lengths of ways between random places without landmarks and with them, and by how much one of the latter
/// was longer at most.
fn compare(map: &CorridorMap, free: &[Area], side: f64) -> ([f64; 2], f64) {
    let landmarks = map.landmarks();
    // Without landmarks, the best; with them, a search that gives up at once where nothing leads it.
    let mut searches = [Search::new(100_000), Search::new(10)];
    let mut dice = Dice::new(3);
    let (mut sums, mut most, mut seen) = ([0.0; 2], 0.0f64, 0.0);
    while seen < 200.0 {
        let mut place = || point(dice.between(0.0, side), dice.between(0.0, side));
        let (from, to) = (place(), place());
        if [from, to].iter().any(|&at| brute_clearance(free, at) < 0.4) {
            continue;
        }
        let mut length = |search: usize, landmarks| {
            let extras = Extras { landmarks, ..Extras::default() };
            let way =
                map.corridor(&mut searches[search], (GROUND, from), (GROUND, to), &WALKER, extras);
            way.map(|way| way.shortest_path(WALKER.clearance()).length())
        };
        let [Ok(best), Ok(led)] = [length(0, None), length(1, Some(&landmarks))] else { continue };
        (sums[0], sums[1], seen) = (sums[0] + best, sums[1] + led, seen + 1.0);
        most = most.max(led - best);
    }
    (sums.map(|sum| sum / seen), most)
}

#[test]
fn in_a_city_landmarks_lead_to_the_shortest_ways() {
    let (ground, solids) = city(8);
    let map = map(&ground, &solids);
    let ([best, led], most) = compare(&map, &difference(&ground, &solids), 214.0);
    assert!(led < 1.002 * best && most < 5.0, "{best} {led} {most}");
}

#[test]
fn among_scattered_obstacles_they_lead_to_ways_that_are_hardly_longer() {
    let (ground, solids) = scattered_over(100.0, 120, 8);
    let map = map(&ground, &solids);
    let ([best, led], most) = compare(&map, &difference(&ground, &solids), 100.0);
    assert!(led < 1.015 * best && most < 8.0, "{best} {led} {most}");
}

#[test]
fn places_that_hang_together_are_found_whichever_part_landmarks_know() {
    // Two courtyards, of which no way leads to the other; the landmarks are in the larger one.
    let ground = [rectangle([0.0, 90.0], [0.0, 90.0]), rectangle([100.0, 160.0], [0.0, 60.0])];
    let houses = |x: f64, y: f64| rectangle([x, x + 8.0], [y, y + 8.0]);
    let solids: Vec<Area> = (0..6)
        .flat_map(|i| (0..6).map(move |j| (f64::from(i), f64::from(j))))
        .flat_map(|(i, j)| {
            let small = (i < 4.0 && j < 4.0).then(|| houses(104.0 + 14.0 * i, 4.0 + 14.0 * j));
            [Some(houses(4.0 + 14.0 * i, 4.0 + 14.0 * j)), small]
        })
        .flatten()
        .collect();
    let map = map(&ground, &solids);
    let landmarks = map.landmarks();
    let extras = Extras { landmarks: Some(&landmarks), ..Extras::default() };
    let find = |from: DVec2, to: DVec2| {
        map.corridor(&mut Search::default(), (GROUND, from), (GROUND, to), &WALKER, extras)
    };
    assert!(find(point(2.0, 2.0), point(88.0, 88.0)).is_ok());
    assert!(find(point(102.0, 2.0), point(158.0, 58.0)).is_ok());
    assert_eq!(find(point(2.0, 2.0), point(158.0, 58.0)).unwrap_err(), NoWay::Apart);
}
