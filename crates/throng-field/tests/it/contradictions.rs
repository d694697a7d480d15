//! What happens where anchors are close and disagree, against figures found with other tools.

use glam::DVec2;
use throng_field::{Anchor, Field, FieldOptions, Metric, Regularisation};

use crate::support::{Place, contradiction, halton_points, probes};

/// Share of probes that lead up while all but two anchors lead down, in percent; the peak speed.
fn flow(field: &Field) -> (f64, f64) {
    let velocities: Vec<DVec2> =
        probes(field.anchors(), 41).into_iter().map(|p| field.velocity(p)).collect();
    let against = velocities.iter().filter(|v| v.y > 0.0).count();
    let peak = velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
    (100.0 * against as f64 / velocities.len() as f64, peak)
}

fn bare(metric: Metric) -> FieldOptions {
    FieldOptions { regularisation: Regularisation::Fixed(metric), ..FieldOptions::bare() }
}

const ROWS: [(Place, f64); 5] = [
    (Place::StripAcross, 0.3),
    (Place::StripAlong, 0.3),
    (Place::Square, 1.0),
    (Place::Square, 0.3),
    (Place::Square, 0.1),
];

/// For each row: isotropic, principal axes, crowding, isotropic with smoothing 1e-3 everywhere; and
/// of each, percent against the flow, peak speed, condition number.
const EXPECTED: [[(f64, f64, f64); 4]; 5] = [
    [(1.8, 4.09, 6.2e3), (0.0, 1.74, 2.1e2), (0.0, 1.74, 2.1e2), (0.0, 2.55, 3.2e3)],
    [(0.9, 3.43, 8.8e3), (1.7, 4.23, 6.9e3), (0.7, 3.58, 9.2e3), (0.0, 1.97, 3.9e3)],
    [(0.0, 2.37, 1.1e3), (0.0, 2.37, 1.0e3), (0.0, 1.88, 1.6e3), (0.0, 2.10, 8.7e2)],
    [(2.0, 4.32, 7.9e3), (2.0, 4.31, 7.3e3), (0.0, 2.97, 7.0e3), (0.0, 2.12, 2.9e3)],
    [(5.0, 9.72, 5.4e4), (4.8, 9.52, 5.0e4), (3.4, 5.63, 4.5e4), (0.0, 1.53, 4.3e3)],
];

#[test]
fn metrics_and_smoothing_do_what_they_were_measured_to_do() {
    for ((place, gap), expected) in ROWS.into_iter().zip(EXPECTED) {
        let anchors = contradiction(place, gap);
        let smooth: Vec<Anchor> =
            anchors.iter().map(|a| Anchor { smoothing: Some(1e-3), ..*a }).collect();
        let columns = [
            (&anchors, Metric::Isotropic),
            (&anchors, Metric::PrincipalAxes),
            (&anchors, Metric::Crowding),
            (&smooth, Metric::Isotropic),
        ];
        for ((anchors, metric), (against, peak, condition)) in columns.into_iter().zip(expected) {
            let field = Field::with_options(anchors, &bare(metric)).unwrap();
            let (found_against, found_peak) = flow(&field);
            let found = field.condition();
            let place = format!("{place:?} {gap} {metric:?}: {found_against} {found_peak} {found}");
            // Shares are known to a digit behind the point, conditions to two digits.
            assert!((found_against - against).abs() <= 0.051, "{place}");
            assert!((found_peak / peak - 1.0).abs() <= 0.02, "{place}");
            assert!(
                (found / condition - 1.0).abs() <= 0.02 + 0.05 * 10.0 / digits(condition),
                "{place}"
            );
        }
    }
}

/// The two leading digits of a number, as 10 to 99.
fn digits(x: f64) -> f64 {
    x / 10f64.powf(x.log10().floor() - 1.0)
}

#[test]
fn the_ladder_ends_without_flow_against_the_arrows() {
    let expected = [(1.08, false), (1.22, true), (1.16, false), (1.84, false), (0.92, true)];
    for ((place, gap), (overshoot, is_smoothed)) in ROWS.into_iter().zip(expected) {
        let options = FieldOptions { speed_cap: None, ..FieldOptions::default() };
        let field = Field::with_options(&contradiction(place, gap), &options).unwrap();
        let (against, peak) = flow(&field);
        let statistics = field.statistics();
        let found = peak / DVec2::new(-0.8, -1.4).length();
        assert!(field.overshoot() <= 2.0, "{place:?} {gap}");
        assert_eq!(against, 0.0, "{place:?} {gap}");
        assert!((found - overshoot).abs() <= 0.02 * overshoot, "{place:?} {gap}: {found}");
        assert_eq!(!statistics.smoothed.is_empty(), is_smoothed, "{place:?} {gap}");
        let residuals = field.residuals();
        for (index, residual) in residuals.iter().enumerate() {
            if statistics.smoothed.contains(&index) {
                assert!((0.4..0.9).contains(residual), "{residual} is reported");
            } else {
                assert!(*residual < 1e-6, "anchor {index} is off by {residual}");
            }
        }
    }
}

#[test]
fn no_metric_alone_cures_a_close_contradiction() {
    let anchors = contradiction(Place::Square, 0.1);
    let field = Field::with_options(&anchors, &bare(Metric::PrincipalAxes)).unwrap();
    let (against, peak) = flow(&field);
    assert!(against > 4.0 && peak > 9.0, "{against} % against the flow, up to {peak} m/s");
}

#[test]
fn anchors_of_a_lattice_need_no_metric() {
    let lattice: Vec<Anchor> = (0..49)
        .map(|i| Anchor::new(DVec2::new((i % 7) as f64, (i / 7) as f64) * 3.0, DVec2::X))
        .collect();
    let places =
        |metric| Field::with_options(&lattice, &bare(metric)).unwrap().normalised_anchors();
    let plain = places(Metric::Isotropic);
    let stretched = places(Metric::PrincipalAxes);
    assert!(plain.iter().zip(&stretched).all(|(a, b)| a.distance(*b) < 1e-6));
}

#[test]
fn the_condition_does_not_depend_on_the_unit_of_length() {
    let anchors: Vec<Anchor> =
        halton_points().take(30).map(|p| Anchor::new(p * 250.0, DVec2::X)).collect();
    let field = Field::with_options(&anchors, &FieldOptions::bare()).unwrap();
    // In metres it would be 8e13.
    assert!(field.condition() < 1e3, "{}", field.condition());
}
