//! Walking along paths: what draws people on can always be reached, and nobody touches a wall.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use glam::DVec2;
use throng_nav::{Boundary, CorridorMap, Extras, Path, Progress, Search, Walker};

use crate::support::{Dice, GROUND, city, map, point, rectangle, scattered};

const RADIUS: f64 = 0.25;

fn path(map: &CorridorMap, from: DVec2, to: DVec2, clearance: f64) -> Option<Path> {
    let walker = Walker { radius: RADIUS, margin: clearance - RADIUS };
    let corridor = map.corridor(
        &mut Search::default(),
        (GROUND, from),
        (GROUND, to),
        &walker,
        Extras::default(),
    );
    corridor.ok().map(|corridor| corridor.shortest_path(clearance))
}

/// A free place.
fn somewhere(map: &CorridorMap, dice: &mut Dice, size: f64, clearance: f64) -> DVec2 {
    loop {
        let at = point(dice.between(0.0, size), dice.between(0.0, size));
        if map.clearance(GROUND, at) >= clearance {
            return at;
        }
    }
}

#[test]
fn the_straight_way_to_the_attraction_point_is_free() {
    let (ground, solids) = scattered(30, 2);
    let map = map(&ground, &solids);
    let mut dice = Dice::new(1);
    let mut count = 0;
    for _ in 0..100 {
        let (from, to) =
            (somewhere(&map, &mut dice, 40.0, 0.3), somewhere(&map, &mut dice, 40.0, 0.3));
        let Some(path) = path(&map, from, to, 0.5) else { continue };
        let mut progress = Progress::default();
        // Beside the path, further and further along it.
        for (a, b) in path.points.windows(2).map(|leg| (leg[0], leg[1])) {
            for share in [0.1, 0.5, 0.9] {
                let aside = point(dice.between(-0.4, 0.4), dice.between(-0.4, 0.4));
                let Some(place) = map.locate(GROUND, a.lerp(b, share) + aside) else { continue };
                let before = progress;
                let Some(to) = path.attraction(&mut progress, &place) else { continue };
                assert!(progress.leg >= before.leg, "progress is never lost");
                let disc = place.anchor;
                let on_rim = (disc.point.distance(to) - disc.clearance).abs() < 1e-6;
                assert!(on_rim || to == *path.points.last().unwrap(), "{to} {disc:?}");
                for i in 0..=20 {
                    let at = place.point.lerp(to, f64::from(i) / 20.0);
                    assert!(map.clearance(GROUND, at) > -1e-6, "{at}");
                }
                count += 1;
            }
        }
    }
    assert!(count > 1000, "{count}");
}

/// Walks along a path by forces alone, and returns how long it takes and the path walked.
fn walk(map: &CorridorMap, path: &Path, step: f64) -> (f64, Vec<DVec2>) {
    let (goal, boundary) = (*path.points.last().unwrap(), Boundary::default());
    let (mut at, mut velocity, mut progress) = (path.points[0], DVec2::ZERO, Progress::default());
    let mut walked = vec![at];
    for i in 0..(1000.0 / step) as u32 {
        if at.distance(goal) < 0.05 {
            return (f64::from(i) * step, walked);
        }
        let place = map.locate(GROUND, at).expect("nobody leaves what is free");
        let to = path.attraction(&mut progress, &place).expect("the path is near");
        let speed = (to.distance(at) / step).min(1.4);
        let wanted = (to - at).normalize_or_zero() * speed;
        let force = (wanted - velocity) / 0.5 + boundary.push(&place, RADIUS, step);
        velocity = (velocity + force * step).clamp_length_max(1.6);
        at += velocity * step;
        assert!(map.clearance(GROUND, at) >= RADIUS - 1e-3, "{at} {}", map.clearance(GROUND, at));
        walked.push(at);
    }
    panic!("never arrives: {at} of {goal}");
}

#[test]
fn people_arrive_smoothly_and_touch_no_wall() {
    let (ground, solids) = city(5);
    let map = map(&ground, &solids);
    let mut dice = Dice::new(4);
    for _ in 0..40 {
        let (from, to) =
            (somewhere(&map, &mut dice, 136.0, 0.3), somewhere(&map, &mut dice, 136.0, 0.3));
        let path = path(&map, from, to, 0.5).unwrap();
        let (time, _) = walk(&map, &path, 0.1);
        let (fine_time, walked) = walk(&map, &path, 0.05);
        // The last steps to the very point take a few of either length.
        assert!((time - fine_time).abs() < 0.02 * fine_time + 0.4, "{time} {fine_time}");
        assert!(fine_time < path.length() / 1.4 * 1.15 + 4.0, "{fine_time} for {}", path.length());
        // No kinks: over 5 cm the direction changes by less than 5 degrees, until the goal is right
        // ahead.
        let moving =
            walked.windows(3).filter(|w| w[0].distance(w[1]) > 0.04 && w[1].distance(to) > 0.5);
        let per_5_cm =
            |w: &[DVec2]| (w[1] - w[0]).angle_to(w[2] - w[1]).abs() * 0.05 / w[0].distance(w[1]);
        let kink = moving.map(per_5_cm).fold(0.0, f64::max);
        assert!(kink < 5f64.to_radians(), "{}", kink.to_degrees());
    }
}

/// A body is pushed about at random, by up to 1 m/s² along each axis, in a corridor with a narrow place.
/// Returns in how many steps it would have run into a wall; it is then put back beside it, at rest.
fn collisions(boundary: Boundary, steps: usize) -> usize {
    let step = 0.05;
    let map = map(&[rectangle([0.0, 30.0], [0.0, 3.0])], &[rectangle([10.0, 12.0], [1.5, 3.0])]);
    let mut dice = Dice::new(8);
    let (mut at, mut velocity, mut collisions) = (point(1.0, 1.0), DVec2::ZERO, 0);
    for _ in 0..steps {
        let place = map.locate(GROUND, at).unwrap();
        let jolt = point(dice.between(-1.0, 1.0), dice.between(-1.0, 1.0));
        let force = jolt + boundary.push(&place, RADIUS, step);
        velocity = (velocity + force * step).clamp_length_max(1.6);
        at += velocity * step;
        if map.locate(GROUND, at).is_none_or(|place| place.clearance < RADIUS) {
            collisions += 1;
            velocity = DVec2::ZERO;
            at = map.nearest_free(GROUND, at, RADIUS).unwrap().point;
            assert!(map.clearance(GROUND, at) >= RADIUS - 1e-3, "{at}");
        }
    }
    collisions
}

#[test]
fn the_boundary_prevents_most_collisions_with_walls() {
    let without = Boundary { safe_distance: 0.0, ..Boundary::default() };
    let [with, without] =
        [Boundary::default(), without].map(|boundary| collisions(boundary, 50_000));
    assert!(without > 1000 && 6 * with < without, "{with}, and {without} without it");
}

#[test]
fn the_push_of_the_boundary_leads_away_from_the_wall_by_at_most_half_the_gap() {
    let (ground, solids) = scattered(30, 2);
    let map = map(&ground, &solids);
    let (boundary, step) = (Boundary::default(), 0.1);
    let mut dice = Dice::new(3);
    let mut near = 0;
    for _ in 0..3000 {
        let place = map.locate(GROUND, somewhere(&map, &mut dice, 40.0, RADIUS + 0.005)).unwrap();
        let gap = place.clearance - RADIUS;
        let shift = boundary.push(&place, RADIUS, step) * step * step;
        assert_eq!(shift == DVec2::ZERO, gap >= boundary.safe_distance, "{gap}");
        assert!(shift.length() <= 0.5 * gap.max(0.02) + 1e-9, "{shift} with a gap of {gap}");
        if shift.length() > 1e-4 {
            near += 1;
            let after = map.clearance(GROUND, place.point + shift * 0.1);
            assert!(after > place.clearance, "{after} after {}", place.clearance);
        }
    }
    assert!(near > 100, "{near}");
}

#[test]
fn discs_along_a_path_cover_it_and_are_free() {
    let (ground, solids) = scattered(30, 2);
    let map = map(&ground, &solids);
    let mut dice = Dice::new(5);
    let mut legs = 0;
    for _ in 0..60 {
        let (from, to) =
            (somewhere(&map, &mut dice, 40.0, 0.3), somewhere(&map, &mut dice, 40.0, 0.3));
        let Some(path) = path(&map, from, to, 0.5) else { continue };
        for (a, b) in path.points.windows(2).map(|leg| (leg[0], leg[1])) {
            let discs: Vec<_> = map.discs_along(GROUND, a, b).collect();
            assert!(discs.len() as f64 <= 1.0 + a.distance(b) / 0.1, "{}", discs.len());
            for disc in &discs {
                let clearance = map.clearance(GROUND, disc.point);
                assert!(clearance >= disc.clearance - 1e-6, "{disc:?} {clearance}");
            }
            for i in 0..=50 {
                let at = a.lerp(b, f64::from(i) / 50.0);
                let holds =
                    |disc: &throng_nav::Anchor| disc.point.distance(at) <= disc.clearance + 1e-6;
                assert!(discs.iter().any(holds), "{at} of {a} to {b}");
            }
            legs += 1;
        }
    }
    assert!(legs > 100, "{legs}");
    // In a wall, and from a place to itself.
    let nowhere = point(-5.0, -5.0);
    assert_eq!(map.discs_along(GROUND, nowhere, nowhere).count(), 0);
    let at = somewhere(&map, &mut dice, 40.0, 0.3);
    assert_eq!(map.discs_along(GROUND, at, at).count(), 1);
}
