//! Fields in space.

use glam::{DMat3, DVec3};
use throng_field::{FieldError, SpaceAnchor, SpaceField, SpaceKernel};

use crate::support::halton;

fn points(count: usize) -> impl Iterator<Item = DVec3> {
    (1..=count).map(|i| DVec3::new(halton(i, 2), halton(i, 3), halton(i, 5)) * 40.0 - 20.0)
}

const KERNELS: [SpaceKernel; 2] = [SpaceKernel::Biharmonic, SpaceKernel::Triharmonic];

#[test]
fn a_field_in_space_passes_through_its_anchors() {
    let anchors: Vec<SpaceAnchor> = points(60)
        .enumerate()
        .map(|(i, p)| SpaceAnchor::new(p, DVec3::new((i as f64).sin(), (i as f64).cos(), 0.3)))
        .collect();
    for kernel in KERNELS {
        let field = SpaceField::new(&anchors, kernel, None).unwrap();
        for anchor in &anchors {
            assert!(field.velocity(anchor.position).distance(anchor.vector) < 1e-9);
        }
        let (place, step) = (DVec3::new(1.0, 2.0, 3.0), 1e-5);
        let slope = field.jacobian(place);
        for axis in 0..3 {
            let way = DVec3::AXES[axis] * step;
            let change = (field.velocity(place + way) - field.velocity(place - way)) / (2.0 * step);
            assert!(slope.col(axis).distance(change) < 1e-7, "{kernel:?} along {axis}");
        }
    }
}

#[test]
fn an_affine_field_in_space_is_found_from_samples() {
    let slope = DMat3::from_cols_array(&[0.1, 0.02, -0.03, 0.0, -0.05, 0.04, 0.06, 0.01, 0.02]);
    let affine = |p: DVec3| DVec3::new(0.5, -0.2, 0.1) + slope * p;
    let anchors: Vec<SpaceAnchor> = points(25).map(|p| SpaceAnchor::new(p, affine(p))).collect();
    for kernel in KERNELS {
        let field = SpaceField::new(&anchors, kernel, None).unwrap();
        for place in points(200).skip(100) {
            assert!(field.velocity(place).distance(affine(place)) < 1e-9, "{kernel:?}");
        }
    }
}

#[test]
fn anchors_in_a_plane_on_a_line_or_alone_are_fine() {
    let flat = |flatten: fn(DVec3) -> DVec3| -> Vec<SpaceAnchor> {
        points(12).map(|p| SpaceAnchor::new(flatten(p), p.normalize())).collect()
    };
    let sets = [
        flat(|p| DVec3::new(p.x, p.y, 0.3 * p.x)),
        flat(|p| DVec3::new(p.x, 2.0 * p.x, -p.x)),
        flat(|p| p)[..1].to_vec(),
        Vec::new(),
    ];
    for anchors in &sets {
        for kernel in KERNELS {
            let field = SpaceField::new(anchors, kernel, Some(1.5)).unwrap();
            for anchor in anchors {
                assert!(field.velocity(anchor.position).distance(anchor.vector) < 1e-6);
            }
            assert!(field.velocity(DVec3::new(7.0, -50.0, 900.0)).length() <= 1.5 + 1e-9);
            assert_eq!(field.velocity(DVec3::NAN), DVec3::ZERO);
        }
    }
    let twice = [sets[2][0], sets[2][0]];
    let error = SpaceField::new(&twice, SpaceKernel::Triharmonic, None).unwrap_err();
    assert!(matches!(error, FieldError::Coincident { first: 0, second: 1, .. }));
}
