//! Smoothed walks against those that they really are.

use glam::{DVec2, Vec2};
use throng::tracks::{Sample, TrackPoint};

use super::support::*;

const WALKS: [(&str, Walk); 4] =
    [("straight", straight), ("circle", circle), ("corner", corner), ("stop and go", stop_and_go)];

fn seen_by(walk: Walk, rate: f64, noise: f64, sway: f64) -> Vec<Sample> {
    seen(walk, Camera { rate, noise, sway }, 8)
}

#[test]
fn smoothed_tracks_are_nearer_to_the_truth_than_samples() {
    // Rate, noise, what may be left of the samples' errors, and errors of velocities, m/s.
    let cases = [
        (1.0, 0.03, 1.0, 0.09),
        (1.0, 0.1, 0.85, 0.16),
        (2.5, 0.03, 0.72, 0.08),
        (2.5, 0.1, 0.56, 0.12),
        (5.0, 0.03, 0.55, 0.07),
        (5.0, 0.1, 0.45, 0.11),
        (25.0, 0.03, 0.32, 0.06),
        (25.0, 0.1, 0.25, 0.1),
    ];
    for (rate, noise, left, velocity) in cases {
        for (name, walk) in WALKS {
            let samples = seen_by(walk, rate, noise, 0.0);
            let (tracks, report) = smooth(&samples);
            let errors = errors(walk, &samples, &tracks);
            let case = format!("{name} at {rate} Hz with {noise} m: {errors:?}");
            assert!(errors.positions <= left * errors.samples, "{case}");
            assert!(errors.velocities <= velocity, "{case}");
            assert_eq!(report.stretches, 8, "{case}\n{report}");
        }
    }
}

#[test]
fn sway_is_no_part_of_the_way() {
    for (name, walk) in WALKS {
        for rate in [5.0, 25.0] {
            for sway in [0.03, 0.05] {
                let samples = seen_by(walk, rate, 0.01, sway);
                let (tracks, report) = smooth(&samples);
                let errors = errors(walk, &samples, &tracks);
                let case = format!("{name} at {rate} Hz with {sway} m: {errors:?}\n{report}");
                assert!(errors.positions <= 0.5 * errors.samples, "{case}");
                assert!(errors.velocities <= 0.055, "{case}");
            }
        }
    }
}

#[test]
fn tracks_without_noise_are_kept() {
    for (name, walk) in WALKS {
        for (rate, position, worst) in
            [(1.0, 0.017, 0.13), (2.5, 0.0015, 0.012), (5.0, 0.0005, 0.004), (25.0, 0.0005, 0.002)]
        {
            let samples = seen_by(walk, rate, 0.0, 0.0);
            let (tracks, report) = smooth(&samples);
            let errors = errors(walk, &samples, &tracks);
            let case = format!("{name} at {rate} Hz: {errors:?}\n{report}");
            assert!(errors.positions <= position && errors.worst <= worst, "{case}");
            assert!(report.residuals.max < 0.005, "{case}");
        }
    }
}

#[test]
fn noise_is_found_out() {
    for (name, walk) in WALKS {
        for rate in [2.5, 5.0, 25.0] {
            for noise in [0.03, 0.1] {
                let (_, report) = smooth(&seen_by(walk, rate, noise, 0.0));
                let found = report.noise.unwrap();
                let ratio = found.total() / noise;
                assert!((0.8..1.1).contains(&ratio), "{name}, {rate} Hz, {noise} m: {found:?}");
                assert!(found.sway < 0.3 * found.jitter, "{name}, {rate} Hz: {found:?}");
            }
        }
        let found = smooth(&seen_by(walk, 25.0, 0.005, 0.05)).1.noise.unwrap();
        assert!(found.sway > 0.015 && found.jitter < 0.007, "{name}: {found:?}");
    }
}

#[test]
fn curves_stay_within_the_tolerance_and_people_within_their_strength() {
    for (name, walk) in WALKS {
        for rate in [1.0, 2.5, 5.0, 25.0] {
            for noise in [0.0, 0.03, 0.1] {
                let samples = seen_by(walk, rate, noise, 0.0);
                let (tracks, report) = smooth(&samples);
                let errors = errors(walk, &samples, &tracks);
                let case = format!("{name} at {rate} Hz with {noise} m: {errors:?}\n{report}");
                assert!(errors.acceleration < 3.3, "{case}");
                // Single samples of many per second may be off farther: to go there and back would
                // take too much strength.
                let farthest = if rate > 5.0 { 1.25 } else { 1.02 };
                // Whoever stands may do so up to a decimetre and the noise away.
                let standing = if report.standing > 0.0 { 0.1 + 2.0 * noise } else { 0.0 };
                let tolerance = report.residuals.tolerance.max(standing);
                assert!(report.residuals.max <= tolerance * farthest, "{case}");
            }
        }
    }
}

/// Turns on the spot, as nobody can.
fn kink(time: f64) -> DVec2 {
    DVec2::new(1.3 * time.min(10.0), 1.3 * (time - 10.0).max(0.0))
}

#[test]
fn impossible_corners_are_rounded_as_little_as_strength_allows() {
    // Turning by 1.84 m/s with an acceleration that rises to 3 m/s² and falls again takes 1.2 s and
    // cuts 0.19 m off the corner.
    for rate in [5.0, 12.5, 25.0] {
        let samples = seen_by(kink, rate, 0.0, 0.0);
        let errors = errors(kink, &samples, &smooth(&samples).0);
        assert!(errors.acceleration < 3.3, "{rate} Hz: {errors:?}");
        assert!((0.1..0.22).contains(&errors.worst), "{rate} Hz: {errors:?}");
    }
}

#[test]
fn who_stands_really_stands_and_sets_out_smoothly() {
    for rate in [1.0, 2.5, 5.0, 25.0] {
        for noise in [0.0, 0.03, 0.05] {
            let samples = seen_by(stop_and_go, rate, noise, 0.0);
            let (tracks, report) = smooth(&samples);
            for track in &tracks {
                let case = format!("person {} at {rate} Hz with {noise} m", track.person());
                let late = shifted(track.person(), 0.0);
                let (from, to) = (9.0 - late, 14.0 - late);
                let points = (0..=100).map(|i| from + (to - from) * f64::from(i) / 100.0);
                let points: Vec<TrackPoint> = points.map(|time| track.at(time).unwrap()).collect();
                let standing: Vec<_> = points.iter().filter(|point| point.standing).collect();
                let most = if rate > 1.0 { 95 } else { 75 };
                assert!(standing.len() >= most, "{case}: {}", standing.len());
                assert!(standing.iter().all(|point| point.velocity == Vec2::ZERO), "{case}");
                let [x, y] = standing[0].position.to_array();
                let (stop, off) = (stop_and_go(12.0).y as f32, 0.002 + 1.5 * noise as f32);
                assert!((y - stop).abs() <= off && x.abs() <= off, "{case}: {x} {y}");
                // Nobody walks past the place and comes back.
                let before = (0..).map(|i| 0.02 * f64::from(i)).take_while(|&time| time < from);
                let farthest = before.map(|time| track.at(time).unwrap().position.y);
                let past = farthest.fold(f32::MIN, f32::max) - y;
                let least = if rate > 1.0 { 0.02 } else { 0.07 };
                assert!(past <= least + 0.6 * noise as f32, "{case}: {past} m past");
                // They went along y, and face that way.
                let facing = points[50].facing.unwrap().direction();
                assert!(facing.y > 0.85, "{case}: {facing}");
            }
            assert!(report.standing > 8.0 * 5.0, "{report}");
        }
    }
}

#[test]
fn jitter_of_somebody_who_never_moves_is_gone() {
    let still: Walk = |_| DVec2::new(3.0, 4.0);
    for rate in [1.0, 2.5, 25.0] {
        for noise in [0.02, 0.05] {
            let (tracks, report) = smooth(&seen_by(still, rate, noise, 0.0));
            assert!(report.standing > 0.97 * report.duration, "{rate} Hz, {noise} m:\n{report}");
            for track in &tracks {
                let place = track.at(12.0).unwrap().position;
                assert!(place.distance(Vec2::new(3.0, 4.0)) < noise as f32, "{place}");
            }
        }
    }
}

#[test]
fn slow_people_are_not_taken_for_people_who_stand() {
    let shuffle: Walk = |time| DVec2::new(0.25 * time, 0.0);
    for rate in [2.5, 25.0] {
        let (_, report) = smooth(&seen_by(shuffle, rate, 0.03, 0.0));
        assert!(report.standing < 0.02 * report.duration, "{rate} Hz:\n{report}");
    }
}

#[test]
fn places_velocities_and_facings_have_no_jumps() {
    let mut samples = seen_by(stop_and_go, 5.0, 0.03, 0.02);
    samples.extend(seen_by(circle, 5.0, 0.03, 0.02).into_iter().map(|mut sample| {
        sample.person += 100;
        sample
    }));
    let step = 1e-3;
    for track in &smooth(&samples).0 {
        let mut before = track.at(0.0).unwrap();
        for i in 1..24_000 {
            let time = step * f64::from(i);
            let now = track.at(time).unwrap();
            let case = format!("person {} at {time} s", track.person());
            let expected = before.position + 0.5 * step as f32 * (before.velocity + now.velocity);
            assert!(now.position.distance(expected) < 2e-5, "{case}: {before:?} {now:?}");
            assert!(now.velocity.distance(before.velocity) < 3.5 * step as f32, "{case}");
            let turn = before.facing.unwrap().turn_to(now.facing.unwrap());
            assert!(turn.abs() < 0.03, "{case}: {turn}");
            before = now;
        }
    }
}
