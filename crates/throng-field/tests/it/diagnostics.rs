//! Where a field leads: critical points and streamlines.

use glam::{DMat2, DVec2};
use throng_field::{Anchor, CriticalKind, Field, FieldOptions, StreamlineOptions};

use crate::support::{halton_points, swirl};

const AREA: [DVec2; 2] = [DVec2::splat(-10.0), DVec2::splat(10.0)];

fn affine(slope: DMat2) -> Field {
    let anchors: Vec<Anchor> = halton_points()
        .take(8)
        .map(|p| Anchor::new(p * 10.0, slope * (p * 10.0 - DVec2::new(2.0, -1.0))))
        .collect();
    Field::with_options(&anchors, &FieldOptions::bare()).expect("anchors are apart")
}

#[test]
fn critical_points_are_found_and_named() {
    let cases = [
        ([-0.1, 0.0, 0.0, -0.2], CriticalKind::Sink),
        ([0.1, 0.3, -0.3, 0.2], CriticalKind::Source),
        ([0.1, 0.0, 0.0, -0.2], CriticalKind::Saddle),
        ([0.0, 0.2, -0.2, 0.0], CriticalKind::Centre),
    ];
    for (slope, kind) in cases {
        let found = affine(DMat2::from_cols_array(&slope)).critical_points(AREA, 9);
        assert_eq!(found.len(), 1, "{kind:?}: {found:?}");
        assert!(found[0].position.distance(DVec2::new(2.0, -1.0)) < 1e-6);
        assert_eq!(found[0].kind, kind);
        assert_eq!(found[0].is_trap(), matches!(kind, CriticalKind::Sink | CriticalKind::Centre));
    }
    let steady = Field::new(&[Anchor::new((0.0, 0.0), (1.0, 0.0))]).unwrap();
    assert_eq!(steady.critical_points(AREA, 9), []);
    assert_eq!(Field::new(&[]).unwrap().critical_points(AREA, 9), []);
    assert_eq!(steady.critical_points([DVec2::NAN, DVec2::ONE], 9), []);
}

#[test]
fn all_critical_points_of_a_swirl_are_found_from_any_fine_grid() {
    let field = Field::new(&swirl(30, 10.0)).unwrap();
    let found = field.critical_points(AREA, 40);
    assert!(!found.is_empty());
    for point in &found {
        assert!(field.velocity(point.position).length() < 1e-6);
    }
    let finer = field.critical_points(AREA, 67);
    assert_eq!(found.len(), finer.len(), "{found:?} {finer:?}");
}

#[test]
fn streamlines_follow_the_field() {
    // Around a centre, lines are circles.
    let field = affine(DMat2::from_cols_array(&[0.0, 0.2, -0.2, 0.0]));
    let centre = DVec2::new(2.0, -1.0);
    let options = StreamlineOptions { length: 8.0 * std::f64::consts::PI, ..Default::default() };
    let line = field.streamline(centre + DVec2::new(4.0, 0.0), &options);
    assert_eq!(line.len(), 102);
    assert!(line.iter().all(|p| (p.distance(centre) - 4.0).abs() < 1e-6));
    let back = StreamlineOptions { length: -options.length, ..options };
    let returned = field.streamline(line[line.len() - 1], &back);
    assert!(returned[returned.len() - 1].distance(line[0]) < 1e-6);
    let sink = affine(DMat2::from_cols_array(&[-1.0, 0.0, 0.0, -1.0]));
    let end = sink.streamline(DVec2::new(8.0, 5.0), &StreamlineOptions::default());
    assert!(end[end.len() - 1].distance(centre) < 0.3 && end.len() < 100, "it ends at the sink");
    let broken = StreamlineOptions { step: 0.0, ..options };
    assert_eq!(field.streamline(centre, &broken), [centre]);
    assert_eq!(field.streamline(DVec2::splat(f64::INFINITY), &options).len(), 1);
}

#[test]
fn small_steps_along_the_velocity_stay_on_the_streamline() {
    let field = Field::new(&swirl(12, 20.0)).unwrap();
    let start = DVec2::new(-8.0, 3.0);
    let fine = StreamlineOptions { step: 0.05, length: 20.0, standstill: 1e-6 };
    let line = field.streamline(start, &fine);
    let (mut place, mut way) = (start, 0.0);
    while way < 19.0 {
        // The midpoint rule, as a person with a fixed step does it.
        let middle = place + field.velocity(place) / 120.0;
        let step = field.velocity(middle) / 60.0;
        place += step;
        way += step.length();
        let nearest = line.windows(2).map(|two| distance(place, two)).fold(f64::MAX, f64::min);
        assert!(nearest < 0.01, "{nearest} m off after {way} m");
    }
}

fn distance(place: DVec2, segment: &[DVec2]) -> f64 {
    let along = segment[1] - segment[0];
    let share = ((place - segment[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    place.distance(segment[0] + along * share)
}
