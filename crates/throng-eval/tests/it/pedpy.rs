//! Voronoi cells and densities are those of `PedPy` 1.5, which computed the numbers here.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use glam::{DVec2, Vec2};
use throng_base::Polygon;
use throng_eval::voronoi::Meter;
use throng_world::walkable::{Area, difference};

/// Twelve people in an L-shaped hall with a pillar; one of them in a dead corner.
const PEOPLE: [(f32, f32); 12] = [
    (0.5, 0.5),
    (1.2, 0.7),
    (3.1, 1.1),
    (3.6, 2.8),
    (4.4, 2.5),
    (2.0, 2.0),
    (5.5, 1.0),
    (6.9, 2.2),
    (0.8, 3.9),
    (3.4, 4.4),
    (2.1, 5.2),
    (3.8, 3.3),
];

fn area(corners: &[(f64, f64)]) -> Area {
    Area::new(corners.iter().map(|&corner| DVec2::from(corner)).collect(), Vec::new()).unwrap()
}

fn hall() -> Vec<Area> {
    let outline = area(&[(0.0, 0.0), (8.0, 0.0), (8.0, 3.0), (4.0, 3.0), (4.0, 7.0), (0.0, 7.0)]);
    let pillar = area(&[(1.5, 1.0), (2.5, 1.0), (2.5, 1.5), (1.5, 1.5)]);
    difference(&[outline], &[pillar])
}

fn rectangle(low: (f32, f32), high: (f32, f32)) -> Polygon {
    Polygon::new([low, (high.0, low.1), high, (low.0, high.1)].map(Vec2::from)).unwrap()
}

#[test]
fn cells_have_the_same_size() {
    let everywhere = rectangle((0.0, 0.0), (8.0, 7.0));
    let expected = [
        (
            0.8,
            [
                1.05786, 1.39923, 1.89396, 1.1579, 1.45596, 1.73116, 2.01061, 2.01061, 2.01061,
                1.70066, 1.99879, 0.6903,
            ],
        ),
        (
            1.5,
            [
                1.45731, 1.98267, 3.4363, 1.61717, 2.29341, 3.07456, 4.24643, 4.19871, 4.32103,
                2.75147, 4.77549, 0.7589,
            ],
        ),
    ];
    for (cut_off, sizes) in expected {
        let shares = Meter::new(&everywhere, &hall(), cut_off).shares(&PEOPLE.map(Vec2::from));
        assert_eq!(shares.len(), 12);
        for (share, size) in shares.iter().zip(sizes) {
            assert!((share.cell / size - 1.0).abs() < 1e-3, "{share:?} and not {size}");
        }
    }
}

#[test]
fn densities_are_the_same() {
    // `PedPy` counts the part of the first area that the pillar stands on, 0.5 of 7.6 m², as area.
    let bend = (rectangle((1.0, 1.0), (5.0, 2.9)), 7.1 / 7.6);
    let hall_north = (rectangle((0.2, 3.0), (3.9, 6.0)), 1.0);
    for (cut_off, (area, share), density) in [
        (0.8, &bend, 0.445_901_153_7),
        (1.5, &bend, 0.363_443_397_5),
        (0.8, &hall_north, 0.346_211_700_2),
        (1.5, &hall_north, 0.325_608_023_2),
    ] {
        let reading = Meter::new(area, &hall(), cut_off).read(&PEOPLE.map(Vec2::from), |_| None);
        let found = reading.density * share;
        assert!((found / density - 1.0).abs() < 1e-3, "{found} and not {density} at {cut_off} m");
    }
}
