//! What every field does, whatever its anchors.

use glam::{DMat2, DVec2};
use proptest::prelude::*;
use throng_field::{
    Anchor, COINCIDENT, Field, FieldError, FieldOptions, MAX_ANCHORS, Metric, Regularisation,
};

use crate::support::{halton_points, probes, swirl};

/// Any number of anchors that do not coincide, in a place of any size.
fn any_anchors(most: usize) -> impl Strategy<Value = Vec<Anchor>> {
    let coordinate = || -1.0..1.0f64;
    let arrow = (coordinate(), coordinate(), coordinate(), coordinate());
    let size = (0.0..4.0f64).prop_map(|exponent| 10f64.powf(exponent));
    (prop::collection::vec(arrow, 0..most), size).prop_map(|(arrows, size)| {
        let mut anchors: Vec<Anchor> = Vec::new();
        for (x, y, u, v) in arrows {
            let anchor = Anchor::new(DVec2::new(x, y) * size, DVec2::new(u, v));
            let is_near = |other: &Anchor| other.position.distance(anchor.position) < COINCIDENT;
            if !anchors.iter().any(is_near) {
                anchors.push(anchor);
            }
        }
        anchors
    })
}

fn any_metric() -> impl Strategy<Value = Metric> {
    prop_oneof![Just(Metric::Isotropic), Just(Metric::PrincipalAxes), Just(Metric::Crowding)]
}

fn fixed(metric: Metric) -> FieldOptions {
    FieldOptions { regularisation: Regularisation::Fixed(metric), ..FieldOptions::bare() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4 * ProptestConfig::default().cases))]

    #[test]
    fn a_field_passes_through_its_anchors(anchors in any_anchors(200), metric in any_metric()) {
        let field = Field::with_options(&anchors, &fixed(metric)).unwrap();
        for (anchor, residual) in anchors.iter().zip(field.residuals()) {
            prop_assert!(residual < 1e-6, "off by {residual}");
            prop_assert!(field.velocity(anchor.position).distance(anchor.vector) < 1e-6);
        }
        let sum: DVec2 = field.weights().iter().sum();
        let weights = field.weights();
        // Weights grow as anchors come closer, and rounding with them.
        let tolerance = 1e-9 * weights.iter().map(|w| w.length()).fold(1.0, f64::max);
        prop_assert!(sum.length() < tolerance);
        for (axis, of) in [(0, DVec2::X), (1, DVec2::Y)] {
            let moment: DVec2 =
                weights.iter().zip(field.normalised_anchors()).map(|(w, q)| *w * q.dot(of)).sum();
            prop_assert!(moment.length() < tolerance, "moment {axis}");
        }
    }
}

proptest! {
    #[test]
    fn nothing_is_ever_not_a_number(
        anchors in any_anchors(40),
        x in prop_oneof![-1e3..1e3f64, Just(f64::MAX), Just(-1e300), Just(f64::NAN), Just(f64::INFINITY)],
        y in prop_oneof![-1e3..1e3f64, Just(f64::MIN), Just(1e20), Just(f64::NAN)],
    ) {
        let field = Field::new(&anchors).unwrap();
        let velocity = field.velocity(DVec2::new(x, y));
        prop_assert!(velocity.is_finite());
        prop_assert!(velocity.length() <= field.speed_cap() * (1.0 + 1e-12));
        prop_assert!(field.overshoot().is_finite() && field.residuals().iter().all(|r| r.is_finite()));
    }

    #[test]
    fn an_affine_field_is_found_from_samples(
        anchors in any_anchors(60),
        a in (-1.0..1.0f64, -1.0..1.0f64), b in prop::array::uniform4(-1.0..1.0f64),
    ) {
        let size = anchors.iter().map(|p| p.position.length()).fold(1e-9, f64::max);
        let slope = DMat2::from_cols_array(&b) * (1.0 / size);
        let affine = |p: DVec2| DVec2::from(a) + slope * p;
        let anchors: Vec<Anchor> =
            anchors.iter().map(|p| Anchor::new(p.position, affine(p.position))).collect();
        prop_assume!(anchors.len() >= 3);
        let field = Field::with_options(&anchors, &FieldOptions::bare()).unwrap();
        // Where anchors nearly coincide, rounding needs large weights that cancel.
        prop_assume!(field.condition() < 1e6);
        prop_assert!(field.weights().iter().all(|w| w.length() < 1e-9));
        for probe in halton_points().take(20).map(|p| p * size) {
            prop_assert!(field.velocity(probe).distance(affine(probe)) < 1e-9);
            let slope_found = field.jacobian(probe);
            prop_assert!((slope_found - slope).to_cols_array().iter().all(|x| x.abs() * size < 1e-8));
        }
    }

    #[test]
    fn moving_turning_and_scaling_the_scene_moves_turns_and_scales_the_field(
        count in 4usize..40, angle in 0.0..6.3f64, scale in 0.1..10.0f64,
        shift in (-100.0..100.0f64, -100.0..100.0f64),
    ) {
        let anchors = swirl(count, 20.0);
        let turn = DMat2::from_angle(angle);
        let place = |p: DVec2| turn * p * scale + DVec2::from(shift);
        let mut moved: Vec<Anchor> = anchors
            .iter()
            .map(|a| Anchor::new(place(a.position), turn * a.vector))
            .collect();
        moved.reverse();
        let field = Field::with_options(&anchors, &FieldOptions::bare()).unwrap();
        let other = Field::with_options(&moved, &FieldOptions::bare()).unwrap();
        let size = field.overshoot();
        for probe in probes(&anchors, 7) {
            let expected = turn * field.velocity(probe);
            prop_assert!(other.velocity(place(probe)).distance(expected) < 1e-9 * (1.0 + size));
        }
    }

    #[test]
    fn the_slope_is_that_of_the_velocity(count in 3usize..30, x in -60.0..60.0f64, y in -60.0..60.0f64) {
        let field = Field::new(&swirl(count, 20.0)).unwrap();
        let (place, step) = (DVec2::new(x, y), 1e-5);
        let difference = |d: DVec2| {
            (field.velocity(place + d * step) - field.velocity(place - d * step)) / (2.0 * step)
        };
        let slope = field.jacobian(place);
        // Not where the speed has just reached its limit, or the nearest corner changes.
        let second = |d: DVec2| field.velocity(place + d * step) + field.velocity(place - d * step)
            - 2.0 * field.velocity(place);
        prop_assume!([DVec2::X, DVec2::Y].iter().all(|d| second(*d).length() < 1e-8));
        prop_assert!(slope.x_axis.distance(difference(DVec2::X)) < 1e-5);
        prop_assert!(slope.y_axis.distance(difference(DVec2::Y)) < 1e-5);
    }

    #[test]
    fn vector_instructions_change_no_bit(anchors in any_anchors(60)) {
        let with = Field::new(&anchors).unwrap();
        let options = FieldOptions { simd: false, ..FieldOptions::default() };
        let without = Field::with_options(&anchors, &options).unwrap();
        prop_assert_eq!(with.weights(), without.weights());
        for probe in halton_points().take(10).map(|p| p * 30.0) {
            prop_assert_eq!(with.velocity(probe), without.velocity(probe));
            prop_assert_eq!(with.jacobian(probe), without.jacobian(probe));
        }
    }
}

#[test]
fn few_anchors_make_simple_fields() {
    let field = |anchors: &[Anchor]| Field::new(anchors).unwrap();
    let far = DVec2::new(123.0, -456.0);
    assert_eq!(field(&[]).velocity(far), DVec2::ZERO);
    let one = Anchor::new((3.0, 4.0), (0.5, -1.0));
    assert_eq!(field(&[one]).velocity(far), one.vector);
    let two = [Anchor::new((0.0, 0.0), (1.0, 0.0)), Anchor::new((10.0, 0.0), (0.0, 1.0))];
    let middle = field(&two).velocity(DVec2::new(5.0, 0.0));
    assert!(middle.distance(DVec2::new(0.5, 0.5)) < 1e-12);
    let aside = field(&two).velocity(DVec2::new(5.0, 3.0));
    assert!(aside.distance(middle) < 1e-12, "constant across the line");
    let line: Vec<Anchor> = [0.0, 1.0, 4.0, 9.0]
        .iter()
        .map(|x| Anchor::new((*x, 2.0 * x), (x.sin(), x.cos())))
        .collect();
    let line = field(&line);
    let along = DVec2::new(1.0, 2.0).normalize();
    for share in [0.5, 2.0, 6.0] {
        let (on, off) = (along * share, along * share + along.perp() * 1.5);
        assert!(line.velocity(on).distance(line.velocity(off)) < 1e-9);
    }
    assert!(line.residuals().iter().all(|residual| *residual < 1e-9));
}

#[test]
fn what_is_no_anchor_is_refused() {
    let good = Anchor::new((0.0, 0.0), (1.0, 0.0));
    let refused = |anchors: &[Anchor]| Field::new(anchors).unwrap_err();
    let nan = Anchor::new((1.0, 0.0), (f64::NAN, 0.0));
    assert!(matches!(
        refused(&[good, nan]),
        FieldError::OutOfRange { anchor: 1, what: "vector", .. }
    ));
    let endless = Anchor::new((f64::INFINITY, 0.0), (1.0, 0.0));
    assert!(matches!(refused(&[endless]), FieldError::OutOfRange { what: "position", .. }));
    let rough = Anchor { smoothing: Some(-1.0), ..good };
    assert!(matches!(refused(&[rough]), FieldError::OutOfRange { what: "smoothing", .. }));
    let same = Anchor::new((0.0005, 0.0), (0.0, 1.0));
    let error = refused(&[good, Anchor::new((5.0, 5.0), (1.0, 0.0)), same]);
    assert_eq!(
        error.to_string(),
        "anchors 0 and 2 are 0.0005 m apart; keep 0.001 m between anchors, or merge them"
    );
    let many = swirl(MAX_ANCHORS + 1, 1000.0);
    assert!(matches!(refused(&many), FieldError::TooMany { .. }));
    let options = FieldOptions { largest_stretch: f64::NAN, ..FieldOptions::default() };
    assert!(Field::with_options(&[good], &options).is_err());
}

#[test]
fn anchors_far_from_the_origin_and_from_each_other_are_fine() {
    let far: Vec<Anchor> = swirl(50, 10.0)
        .into_iter()
        .map(|a| Anchor::new(a.position + DVec2::new(4.5e6, -1.2e7), a.vector))
        .collect();
    let field = Field::new(&far).unwrap();
    assert!(field.residuals().iter().all(|residual| *residual < 1e-6));
    let mut uneven = swirl(50, 10.0);
    uneven.push(Anchor::new((9e8, 9e8), (1.0, 1.0)));
    match Field::new(&uneven) {
        Ok(field) => assert!(field.velocity(DVec2::ONE).is_finite()),
        Err(error) => assert_eq!(error, FieldError::Singular),
    }
}

#[test]
fn outside_of_the_hull_a_field_fades_to_that_of_the_hull() {
    let anchors = swirl(20, 10.0);
    let field = Field::new(&anchors).unwrap();
    let far = field.velocity(DVec2::new(1e4, 0.3));
    let farther = field.velocity(DVec2::new(1e6, 0.3));
    assert!(far.distance(farther) < 1e-9, "{far} and {farther}");
    assert!(far.length() <= field.speed_cap() + 1e-12);
    // Nothing jumps on the way out.
    let mut last = field.velocity(DVec2::ZERO);
    for i in 1..20_000 {
        let next = field.velocity(DVec2::new(f64::from(i) * 0.005, f64::from(i) * 0.001));
        assert!(next.distance(last) < 0.05, "at {i}");
        last = next;
    }
}

#[test]
fn thousands_of_anchors_are_solved() {
    let anchors = swirl(2000, 500.0);
    let field = Field::with_options(&anchors, &FieldOptions::bare()).unwrap();
    assert!(field.residuals().iter().all(|residual| *residual < 1e-6));
}
