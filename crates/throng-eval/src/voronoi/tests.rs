use std::f64::consts::PI;
use std::path::Path;

use proptest::prelude::*;
use throng_world::Scene;
use throng_world::scene::LayerId;
use throng_world::walkable::walkable;

use super::*;

/// The ground of a world from -20 to 20 with these obstacles.
fn ground(obstacles: &str) -> Vec<Area> {
    let text = format!("format = 1\nworld.bounds = [[-20, -20], [20, 20]]\n{obstacles}");
    let scene = Scene::parse("test", &text, Path::new("."));
    walkable(&scene.unwrap_or_else(|errors| panic!("{errors}")), LayerId(0))
}

fn polygon(corners: &[(f32, f32)]) -> Polygon {
    Polygon::new(corners.iter().map(|&corner| corner.into()).collect::<Vec<Vec2>>()).unwrap()
}

fn rectangle(low: (f32, f32), high: (f32, f32)) -> Polygon {
    polygon(&[low, (high.0, low.1), high, (low.0, high.1)])
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs().max(1e-12)
}

#[test]
fn people_on_a_lattice_have_the_density_of_the_lattice() {
    let spacing = 0.75;
    for angle in [0.0f32, 0.3, 1.1] {
        let turn = Vec2::from_angle(angle);
        let people: Vec<Vec2> = (0..900)
            .map(|i| Vec2::new((i % 30 - 15) as f32, (i / 30 - 15) as f32) * spacing)
            .map(|p| turn.rotate(p))
            .collect();
        let corners = [(-3.1, -2.0), (2.7, -2.4), (3.3, 2.2), (-1.0, 2.9)];
        let corners = corners.map(|corner| turn.rotate(corner.into()));
        let area = Polygon::new(corners).unwrap();
        let reading = Meter::new(&area, &ground(""), 1.0).read(&people, |_| Some(1.3));
        assert!(near(reading.density, 1.0 / 0.5625, 1e-6), "{angle}: {reading:?}");
        assert!(near(reading.speed.unwrap(), 1.3, 1e-9) && near(reading.covered, 1.0, 1e-6));
    }
}

#[test]
fn someone_alone_has_the_circle() {
    let meter = Meter::new(&rectangle((-0.3, -0.3), (0.3, 0.3)), &ground(""), 0.8);
    let reading = meter.read(&[Vec2::new(0.05, -0.02)], |_| None);
    assert!(near(reading.density, 1.0 / (PI * 0.64), 1e-7), "{reading:?}");
    assert_eq!(reading.speed, None);
    let shares = meter.shares(&[Vec2::new(0.05, -0.02)]);
    assert!(near(shares[0].cell, PI * 0.64, 1e-12) && near(shares[0].inside, 0.36, 1e-6));
    assert_eq!(meter.read(&[Vec2::new(5.0, 0.0)], |_| None), Reading::default());
    assert_eq!(meter.read(&[], |_| None), Reading::default());
}

#[test]
fn two_people_share_what_is_between_them() {
    // Each has the circle without the segment beyond half-way, d = 0.5 m from the centre.
    let people = [Vec2::new(-0.5, 0.0), Vec2::new(0.5, 0.0)];
    let meter = Meter::new(&rectangle((-3.0, -3.0), (3.0, 3.0)), &ground(""), 1.0);
    let shares = meter.shares(&people);
    let segment = (0.5f64).acos() - 0.5 * (1.0f64 - 0.25).sqrt();
    assert!(shares.iter().all(|share| near(share.cell, PI - segment, 1e-3)), "{shares:?}");
    let reading = meter.read(&people, |index| Some([1.0, 2.0][index]));
    assert!(near(reading.density, 2.0 / 36.0, 1e-6), "both are in it with all they have");
    assert!(near(reading.speed.unwrap(), 1.5, 1e-6));
    // Whoever has three quarters of the area has three quarters of the mean.
    let right = Meter::new(&rectangle((-0.2, -0.1), (0.6, 0.1)), &ground(""), 1.0);
    let speed = right.read(&people, |index| Some([1.0, 2.0][index])).speed.unwrap();
    assert!(near(speed, 1.75, 1e-6), "{speed}");
}

#[test]
fn people_on_the_same_point_count_each() {
    let meter = Meter::new(&rectangle((-0.5, -0.5), (0.5, 0.5)), &ground(""), 1.0);
    let reading = meter.read(&[Vec2::ZERO, Vec2::ZERO, Vec2::ZERO], |i| Some([1.0, 2.0, 6.0][i]));
    assert!(near(reading.density, 3.0 / PI, 1e-6), "{reading:?}");
    assert!(near(reading.speed.unwrap(), 3.0, 1e-9) && near(reading.covered, 1.0, 1e-6));
}

#[test]
fn cells_end_at_walls_and_do_not_leak_through_them() {
    // A wall 0.2 m thick, 0.3 m east of somebody; ground beyond it.
    let wall = ground("obstacles = [{ box = { center = [0.4, 0], size = [0.2, 10] } }]");
    let area = rectangle((-2.0, -2.0), (2.0, 2.0));
    let meter = Meter::new(&area, &wall, 1.0);
    let segment = (0.3f64).acos() - 0.3 * (1.0f64 - 0.09).sqrt();
    for side in [Vec2::ZERO, Vec2::new(0.8, 0.0)] {
        let shares = meter.shares(&[side]);
        assert!(near(shares[0].cell, PI - segment, 1e-3), "{shares:?}");
    }
    assert!(near(meter.size(), 16.0 - 0.8, 1e-6), "nobody can be in the wall: {}", meter.size());
    // Round the end of a wall the ground hangs together, and the cell goes on.
    let end = ground("obstacles = [{ box = { center = [0.4, 5], size = [0.2, 10] } }]");
    let beyond = Meter::new(&area, &end, 1.0).shares(&[Vec2::ZERO])[0].cell;
    assert!(beyond > PI - segment + 0.3, "{beyond}");
}

#[test]
fn whoever_is_inside_an_obstacle_has_no_room() {
    let pillar = ground("obstacles = [{ box = { center = [0, 0], size = [6, 6] } }]");
    let meter = Meter::new(&rectangle((-5.0, -5.0), (5.0, 5.0)), &pillar, 1.0);
    assert_eq!(meter.shares(&[Vec2::new(0.1, 0.0), Vec2::new(2.9, 0.0)]), []);
    assert_eq!(meter.shares(&[Vec2::new(f32::NAN, 0.0), Vec2::new(f32::MAX, 4.0)]), []);
}

/// Who of `people` a point belongs to: the nearest within `cut_off`, if one can see the ground.
fn owner(point: DVec2, people: &[Vec2], cut_off: f64) -> Option<usize> {
    let distance = |i: &usize| people[*i].as_dvec2().distance_squared(point);
    let nearest = (0..people.len()).min_by(|i, j| distance(i).total_cmp(&distance(j)))?;
    (distance(&nearest) <= cut_off * cut_off).then_some(nearest)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 8))]

    #[test]
    fn cells_are_what_counting_points_finds(
        people in prop::collection::vec((-2f32..2.0, -2f32..2.0), 1..25),
        cut_off in 0.4f64..1.5,
        (width, slant) in (0.5f32..1.9, -0.8f32..0.8),
    ) {
        let people: Vec<Vec2> = people.into_iter().map(Vec2::from).collect();
        // Not convex, so that cells can be cut into several parts.
        let area = polygon(&[
            (-width, -1.0), (width, -1.0 + slant), (width, 1.2), (0.0, -0.2), (-width, 1.0),
        ]);
        let meter = Meter::new(&area, &ground(""), cut_off);
        let shares = meter.shares(&people);

        let side = 0.02;
        let (mut cells, mut inside) = (vec![0.0; people.len()], vec![0.0; people.len()]);
        for i in 0..360 {
            for j in 0..360 {
                let point = DVec2::new(f64::from(i), f64::from(j)) * side - 3.59;
                let Some(owner) = owner(point, &people, cut_off) else { continue };
                cells[owner] += side * side;
                inside[owner] += side * side * f64::from(area.contains(point.as_vec2()));
            }
        }
        for share in &shares {
            prop_assert!((share.cell - cells[share.index]).abs() < 0.06, "{:?}", share);
            prop_assert!((share.inside - inside[share.index]).abs() < 0.06, "{:?}", share);
        }
        for (index, &inside) in inside.iter().enumerate() {
            let found = shares.iter().any(|share| share.index == index);
            prop_assert!(found || inside < 0.06, "{} has {}", index, inside);
        }
    }
}
