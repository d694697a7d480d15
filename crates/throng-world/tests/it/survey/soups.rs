//! Whatever the triangles: no panics, floors that do not overlap themselves, and valid outlines.

use glam::Vec3;
use proptest::prelude::*;
use throng_world::TriangleSoup;
use throng_world::survey::{Plan, Rules, Surface};
use throng_world::walkable::{Area, union};

/// Coordinates that often agree, lie on the lattice, or are none at all.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => (0..40i32).prop_map(|i| i as f32 * 0.25),
        3 => 0f32..10.0,
        1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(-0.0), Just(1e-30)],
    ]
}

/// Slabs and walls of random size, and triangles anywhere.
fn any_soup() -> impl Strategy<Value = TriangleSoup> {
    let vertex = || (coordinate(), coordinate(), coordinate()).prop_map(Vec3::from);
    let quad = (vertex(), 0.2f32..8.0, 0.2f32..8.0, 0..3usize, -0.4f32..0.4);
    let quads = prop::collection::vec(quad, 0..12);
    let strays = prop::collection::vec([vertex(), vertex(), vertex()], 0..12);
    (quads, strays, prop::collection::vec(any::<u32>(), 0..3)).prop_map(|(quads, strays, wild)| {
        let mut soup = TriangleSoup::default();
        for (corner, width, depth, axis, tilt) in quads {
            let (u, v) = match axis {
                0 => (Vec3::new(width, tilt * width, 0.0), Vec3::new(0.0, 0.0, -depth)),
                1 => (Vec3::new(width, 0.0, 0.0), Vec3::new(0.0, depth, 0.0)),
                _ => (Vec3::new(0.0, 0.0, width), Vec3::new(0.0, depth, tilt)),
            };
            let first = soup.vertices.len() as u32;
            soup.vertices.extend([corner, corner + u, corner + u + v, corner + v]);
            soup.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|i| i + first)));
        }
        for corners in strays {
            let first = soup.vertices.len() as u32;
            soup.vertices.extend(corners);
            soup.triangles.push([first, first + 1, first + 2]);
        }
        soup.triangles.extend(wild.into_iter().map(|index| [0, index, 1]));
        soup
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 2))]

    #[test]
    fn any_soup_gives_sound_floors_or_an_error(soup in any_soup()) {
        let rules = Rules { cell: 0.25, ..Rules::default() };
        let Ok(surface) = Surface::new(&soup, &rules) else { return Ok(()) };
        for (number, cell) in surface.cells().iter().enumerate() {
            prop_assert!(cell.height.is_finite() && surface.clearance(number).is_finite());
            for (way, next) in cell.neighbours() {
                let back = surface.cells()[next].neighbour((way + 4) % 8);
                prop_assert_eq!(back, Some(number), "steps lead both ways");
                prop_assert_eq!(surface.component(next), surface.component(number));
            }
        }
        let Ok(plan) = Plan::new(&surface) else { return Ok(()) };
        let cell = surface.lattice().cell;
        let mut cells = 0.0;
        for (number, floor) in plan.floors.iter().enumerate() {
            cells += floor.area;
            let size = |areas: &[Area]| -> f64 {
                areas.iter().map(Area::size).sum()
            };
            // All of its cells are in its outline, each once: the floor does not overlap itself.
            let (outlined, area) = (size(&floor.footprint), floor.area);
            prop_assert!(outlined >= area - 1e-6, "{outlined} of {area} m²: {:?}", floor.footprint);
            let again = union(&floor.footprint);
            prop_assert!((size(&again) - size(&floor.footprint)).abs() < 1e-6);
            prop_assert!(floor.elevation.is_finite());
            prop_assert!(plan.height(number, plan.bounds().min).is_finite());
        }
        // What is missing lies below ledges, or is a sliver.
        let all = surface.cells().len() as f64 * cell * cell;
        prop_assert!(cells <= all + 1e-6 && cells >= all * 0.4, "{cells} of {all}");
        for joint in &plan.joints {
            prop_assert!(joint.lower != joint.upper && joint.length() > 0.5);
            prop_assert!(joint.corners.iter().all(|corner| corner.is_finite()));
        }
        // The same again is the same.
        let again = Plan::new(&Surface::new(&soup, &rules).unwrap()).unwrap();
        prop_assert_eq!(format!("{plan:?}"), format!("{again:?}"));
    }
}
