//! Paths without sway.

use std::f64::consts::TAU;

use glam::{DMat2, DVec2};
use proptest::prelude::*;
use throng_motion::analysis::{Abstraction, AbstractionError, abstract_path};

const RATE: f64 = 120.0;
const SPEED: f64 = 1.25;
const GAUSSIAN: Abstraction = Abstraction::GAUSSIAN;

/// A path along a circle of `radius` (a line if that is infinite) with a sway of `amplitude` to the
/// sides, `wavelength` metres long.
fn path(radius: f64, amplitude: f64, wavelength: f64, length: f64) -> Vec<DVec2> {
    let count = (length / SPEED * RATE) as usize;
    let point = |index: usize| {
        let arc = index as f64 * SPEED / RATE;
        let aside = amplitude * (TAU * arc / wavelength).sin();
        if radius.is_infinite() {
            DVec2::new(arc, aside)
        } else {
            (radius + aside) * DVec2::from_angle(arc / radius)
        }
    };
    (0..count).map(point).collect()
}

fn strides(wavelength: f64) -> [(f64, f64); 1] {
    [(1.0, wavelength / SPEED)]
}

fn smooth(path: &[DVec2], technique: Abstraction, wavelength: f64) -> Vec<DVec2> {
    abstract_path(path, RATE, &strides(wavelength), technique).unwrap().points
}

/// The points that no end is near to.
fn inner(points: &[DVec2]) -> &[DVec2] {
    &points[points.len() / 4..points.len() * 3 / 4]
}

fn largest(points: &[DVec2], error: impl Fn(&DVec2) -> f64) -> f64 {
    points.iter().map(error).fold(0.0, f64::max)
}

#[test]
fn circles_stay_circles_of_their_radius() {
    for radius in [1.0, 1.5, 2.0, 3.0] {
        let circle = path(radius, 0.0, 1.4, 2.0 * TAU * radius);
        for angle in [0.0, 37f64.to_radians()] {
            let turned: Vec<DVec2> =
                circle.iter().map(|point| DMat2::from_angle(angle) * *point).collect();
            for technique in [GAUSSIAN, Abstraction::StrideAverage] {
                let smooth = smooth(&turned, technique, 1.4);
                let error = largest(inner(&smooth), |point| (point.length() - radius).abs());
                assert!(error < 0.005 * radius, "{technique:?} of {radius} m: {error}");
            }
        }
    }
}

#[test]
fn lines_stay_lines_up_to_their_ends() {
    let way = DVec2::from_angle(0.6);
    let line: Vec<DVec2> =
        (0..400).map(|index| DVec2::new(3.0, -8.0) + index as f64 / 100.0 * way).collect();
    for technique in [GAUSSIAN, Abstraction::StrideAverage, Abstraction::Pelvis] {
        let smooth = smooth(&line, technique, 1.4);
        for (here, there) in smooth.iter().zip(&line) {
            assert!(here.distance(*there) < 1e-6, "{technique:?}: {here} {there}");
        }
    }
    // A path shorter than the kernel is reflected again and again.
    let short = smooth(&line[..40], GAUSSIAN, 1.4);
    assert!(short.iter().zip(&line).all(|(here, there)| here.distance(*there) < 1e-6));
}

#[test]
fn sway_is_taken_out_of_a_line() {
    let swaying = path(f64::INFINITY, 0.04, 1.4, 14.0);
    let residual =
        |technique| largest(inner(&smooth(&swaying, technique, 1.4)), |point| point.y.abs());
    assert!(residual(GAUSSIAN) <= 0.005 * 0.04, "{}", residual(GAUSSIAN));
    assert!(residual(Abstraction::StrideAverage) <= 1e-6);
    assert!((residual(Abstraction::Pelvis) - 0.04).abs() < 1e-4);
}

#[test]
fn sway_is_taken_out_of_a_circle() {
    let radius = 3.0;
    let swaying = path(radius, 0.04, 1.4, 1.5 * TAU * radius);
    let error = |technique| {
        largest(inner(&smooth(&swaying, technique, 1.4)), |point| (point.length() - radius).abs())
    };
    assert!(error(GAUSSIAN) < 0.01, "{}", error(GAUSSIAN));
    assert!(error(Abstraction::StrideAverage) < 0.01);
    // The same kernel alone, without putting the bend back, makes the circle smaller by 9 cm.
    let middle = swaying.len() / 2;
    let weighted = swaying.iter().enumerate().map(|(index, point)| {
        let arc = (index as f64 - middle as f64) * SPEED / RATE;
        let weight = (-0.5 * (arc / 0.75).powi(2)).exp();
        (weight, *point * weight)
    });
    let (weight, sum) = weighted.fold((0.0, DVec2::ZERO), |(w, p), (a, b)| (w + a, p + b));
    let shrunk = radius - (sum / weight).length();
    assert!((shrunk - 0.09).abs() < 0.01 && shrunk > 8.0 * error(GAUSSIAN), "{shrunk}");
}

/// The stride average is the default because it is nearer to the true path wherever they differ.
#[test]
fn the_stride_average_beats_gaussian_smoothing() {
    for (radius, wavelength) in
        [(f64::INFINITY, 1.4), (f64::INFINITY, 1.9), (3.0, 1.4), (1.5, 1.2), (0.9, 1.0), (0.5, 0.8)]
    {
        let length = if radius.is_infinite() { 14.0 } else { 2.0 * TAU * radius };
        let swaying = path(radius, 0.03, wavelength, length);
        let error = |technique| {
            largest(inner(&smooth(&swaying, technique, wavelength)), |point| {
                let off = if radius.is_infinite() { point.y } else { point.length() - radius };
                off.abs()
            })
        };
        let (average, gaussian) = (error(Abstraction::StrideAverage), error(GAUSSIAN));
        assert!(average < gaussian, "{radius} m: {average} m, and {gaussian} m");
        assert!(average < 0.01, "{radius} m: {average} m");
    }
}

#[test]
fn too_tight_turns_are_counted() {
    let there: Vec<DVec2> = path(f64::INFINITY, 0.0, 1.0, 5.0);
    let tight: Vec<DVec2> = there.iter().chain(there.iter().rev()).copied().collect();
    assert!(abstract_path(&tight, RATE, &[], GAUSSIAN).unwrap().too_tight > 0);
    let wide = path(3.0, 0.0, 1.0, TAU * 3.0);
    assert_eq!(abstract_path(&wide, RATE, &[], GAUSSIAN).unwrap().too_tight, 0);
}

#[test]
fn who_stands_is_smoothed_in_time() {
    let sway = |index: usize| DVec2::new(0.01 * (index as f64 / 30.0).sin(), 0.0);
    let standing: Vec<DVec2> = (0..1200).map(sway).collect();
    let smooth = smooth(&standing, GAUSSIAN, 1.0);
    assert!(largest(inner(&smooth), |point| point.length()) < 0.0015);
    let still = vec![DVec2::ONE; 100];
    let smooth = abstract_path(&still, RATE, &[], GAUSSIAN).unwrap().points;
    assert!(smooth.iter().all(|point| point.distance(DVec2::ONE) < 1e-12));
}

#[test]
fn what_cannot_be_smoothed_is_refused() {
    let line = path(f64::INFINITY, 0.0, 1.0, 3.0);
    let refused =
        |path: &[DVec2], technique| abstract_path(path, RATE, &[], technique).unwrap_err();
    assert_eq!(refused(&[], GAUSSIAN), AbstractionError::TooShort { points: 0 });
    assert_eq!(refused(&line[..1], GAUSSIAN), AbstractionError::TooShort { points: 1 });
    assert_eq!(refused(&line, Abstraction::StrideAverage), AbstractionError::NoStrides);
    for sigma in [0.0, -1.0, f64::INFINITY] {
        let technique = Abstraction::Gaussian { sigma };
        assert_eq!(refused(&line, technique), AbstractionError::Sigma { sigma });
    }
    let mut broken = line.clone();
    broken[7].y = f64::NAN;
    assert_eq!(refused(&broken, GAUSSIAN), AbstractionError::NotFinite { point: 7 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn placing_a_path_elsewhere_places_its_abstraction(
        angle in -3.0f64..3.0, x in -50.0f64..50.0, y in -50.0f64..50.0, mirror in any::<bool>(),
        radius in prop_oneof![Just(f64::INFINITY), 1.0f64..5.0],
    ) {
        let source = path(radius, 0.03, 1.4, 6.0);
        let place = |point: &DVec2| {
            let flipped = if mirror { DVec2::new(-point.x, point.y) } else { *point };
            DMat2::from_angle(angle) * flipped + DVec2::new(x, y)
        };
        let placed: Vec<DVec2> = source.iter().map(place).collect();
        for technique in [GAUSSIAN, Abstraction::StrideAverage] {
            let one = smooth(&placed, technique, 1.4);
            let other = smooth(&source, technique, 1.4);
            for (one, other) in one.iter().zip(&other) {
                prop_assert!(one.distance(place(other)) < 1e-5, "{:?}", technique);
            }
        }
    }

    #[test]
    fn any_path_has_a_finite_abstraction(
        points in prop::collection::vec((-5.0f64..5.0, -5.0f64..5.0), 2..20),
        stride in 0.01f64..100.0, at in -5.0f64..5.0, sigma in 0.01f64..2.0,
    ) {
        let path: Vec<DVec2> = points.into_iter().map(DVec2::from).collect();
        for technique in [Abstraction::Gaussian { sigma }, Abstraction::StrideAverage] {
            if let Ok(smooth) = abstract_path(&path, 30.0, &[(at, stride)], technique) {
                prop_assert_eq!(smooth.points.len(), path.len());
                prop_assert!(smooth.points.iter().all(|point| point.is_finite()));
            }
        }
    }
}
