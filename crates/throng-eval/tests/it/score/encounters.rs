//! Two people who pass each other on a line of 4.15 m, as in the recordings of pairs.

use glam::DVec2;
use proptest::prelude::*;
use throng_eval::score::{Encounter, EncounterError, EncounterKind, EncounterRules, Side};
use throng_eval::tracks::Track;

const LENGTH: f64 = 4.15;
const SPEED: f64 = 1.0;
const EXACT: EncounterRules = EncounterRules { deviation: 0.1, cutoff: 0.0, horizon: 3.0 };

/// Walks the line forwards or backwards, and is `aside` of it after `onset` seconds, which takes a
/// hundredth of a second.
fn track(forwards: bool, onset: Option<f64>, aside: f64) -> Track {
    let times: Vec<f64> = (0..=415).map(|k| f64::from(k) * 0.01).collect();
    let point = |&time: &f64| {
        let x = if forwards { SPEED * time } else { LENGTH - SPEED * time };
        let is_aside = onset.is_some_and(|onset| time >= onset - 1e-9);
        DVec2::new(x, if is_aside { aside } else { 0.0 })
    };
    Track { points: times.iter().map(point).collect(), times }
}

fn marks() -> [DVec2; 2] {
    [DVec2::ZERO, DVec2::new(LENGTH, 0.0)]
}

fn met(a: &Track, b: &Track) -> Encounter {
    Encounter::between([a, b], [0.25, 0.2], marks(), &EXACT).unwrap()
}

#[test]
fn collaboration_is_the_smaller_by_the_larger_offset() {
    let of =
        |a: f64, b: f64| met(&track(true, Some(0.0), a), &track(false, Some(0.0), b)).collaboration;
    assert!((of(0.4, -0.1).unwrap() - 0.25).abs() < 1e-12);
    assert!((of(0.1, -0.4).unwrap() - 0.25).abs() < 1e-12);
    assert_eq!((of(0.3, -0.3), of(0.3, 0.0), of(0.0, 0.0)), (Some(1.0), Some(0.0), None));
}

#[test]
fn the_moment_of_passing_is_in_the_middle() {
    let encounter = met(&track(true, Some(1.0), 0.4), &track(false, Some(1.0), -0.2));
    let passing = encounter.passing.unwrap();
    assert!((passing.time - LENGTH / 2.0).abs() < 1e-9, "{passing:?}");
    assert!((passing.offsets[0] - 0.4).abs() < 1e-9 && (passing.offsets[1] + 0.2).abs() < 1e-9);
    assert_eq!((passing.side, encounter.kind), (Some(Side::Right), EncounterKind::HeadOn));
    assert!((encounter.clearance - (0.6 - 0.45)).abs() < 1e-9, "{encounter:?}");
    // Who goes the same way at the same pace never passes.
    let mut behind = track(true, None, 0.0);
    behind.points.iter_mut().for_each(|point| point.x -= 1.0);
    let never = met(&track(true, None, 0.0), &behind);
    assert_eq!((never.passing, never.collaboration, never.anticipation), (None, None, None));
    assert_eq!(never.kind, EncounterKind::Overtaking);
}

#[test]
fn anticipation_is_how_far_apart_they_are_when_they_leave_the_line() {
    let of = |a: Option<f64>, b: Option<f64>| {
        met(&track(true, a, 0.3), &track(false, b, -0.3)).anticipation.unwrap()
    };
    assert!((of(Some(0.0), Some(0.0)) - 1.0).abs() < 1e-9);
    assert_eq!(of(None, None), 0.0);
    // 2.075 m apart, after a quarter of the time; a step aside takes a hundredth of a second.
    let half = of(Some(LENGTH / 4.0), None);
    assert!((half - 0.25).abs() < 0.01, "{half}");
    // Leaving the line after one has passed is none.
    assert_eq!(of(Some(3.0), None), 0.0);
}

#[test]
fn synchronisation_compares_the_moments() {
    let of = |a: Option<f64>, b: Option<f64>| met(&track(true, a, 0.3), &track(false, b, -0.3));
    let both = of(Some(1.0), Some(1.5));
    assert!((both.synchronisation.unwrap() - 2.0 / 3.0).abs() < 0.01, "{both:?}");
    let before = (LENGTH / 2.0 - 1.5) / (LENGTH / 2.0 - 1.0);
    assert!((both.synchronisation_before_passing.unwrap() - before).abs() < 0.02, "{both:?}");
    assert_eq!(of(Some(1.0), None).synchronisation, Some(0.0));
    assert_eq!(of(Some(0.0), Some(0.0)).synchronisation, Some(1.0));
    assert!((of(Some(0.9), Some(0.9)).synchronisation.unwrap() - 1.0).abs() < 1e-9);
    assert_eq!(of(None, None).synchronisation, None);
}

#[test]
fn sway_is_no_deviation_and_jitter_is_damped() {
    let swaying = |forwards: bool, hertz: f64, size: f64| {
        let mut track = track(forwards, None, 0.0);
        for (point, time) in track.points.iter_mut().zip(&track.times) {
            point.y = size * (std::f64::consts::TAU * hertz * time).sin();
        }
        track
    };
    let of = |hertz: f64, size: f64, rules: &EncounterRules| {
        let tracks = [swaying(true, hertz, size), swaying(false, hertz, size)];
        Encounter::between([&tracks[0], &tracks[1]], [0.2; 2], marks(), rules).unwrap().onsets
    };
    assert_eq!(of(1.0, 0.04, &EncounterRules::default()), [None, None]);
    // 15 cm at 25 Hz is noise, which only the filter takes for that.
    assert!(of(25.0, 0.15, &EXACT)[0].is_some());
    assert_eq!(of(25.0, 0.15, &EncounterRules::default()), [None, None]);
}

#[test]
fn walks_without_marks_are_measured_around_where_they_are_nearest() {
    let straight = |from: DVec2, velocity: DVec2| {
        let times: Vec<f64> = (0..=300).map(|k| f64::from(k) * 0.05).collect();
        Track { points: times.iter().map(|&time| from + velocity * time).collect(), times }
    };
    let a = straight(DVec2::new(-9.0, 0.0), DVec2::X);
    let b = straight(DVec2::new(0.5, -9.0), DVec2::Y);
    let crossing = Encounter::of([&a, &b], [0.25; 2], &EXACT).unwrap();
    assert_eq!(crossing.kind, EncounterKind::Crossing);
    // Half a metre too late: nearest are they half of a diagonal of that apart.
    assert!((crossing.clearance - (0.125f64.sqrt() - 0.5)).abs() < 1e-6, "{crossing:?}");
    assert!(crossing.collaboration.is_none_or(|c| (0.0..=1.0).contains(&c)));
    assert_eq!((crossing.synchronisation, crossing.anticipation), (None, Some(0.0)));
    assert!((crossing.passing.unwrap().time - 9.25).abs() < 0.06, "{crossing:?}");
    let beside = straight(DVec2::new(-9.0, 2.0), DVec2::X);
    let error = Encounter::of([&a, &beside], [0.25; 2], &EXACT);
    assert_eq!(error, Err(EncounterError::NoMeeting));
}

#[test]
fn what_is_no_encounter_is_told() {
    let a = track(true, None, 0.0);
    let with = |b: &Track| Encounter::between([&a, b], [0.2; 2], marks(), &EXACT).unwrap_err();
    let mut broken = a.clone();
    broken.points[7].y = f64::NAN;
    assert_eq!(with(&broken), EncounterError::NoTrack);
    assert_eq!(with(&Track::default()), EncounterError::NoCommonTime);
    let mut later = a.clone();
    later.times.iter_mut().for_each(|time| *time += 100.0);
    assert_eq!(with(&later), EncounterError::NoCommonTime);
    let nowhere = Encounter::between([&a, &a], [0.2; 2], [DVec2::ONE; 2], &EXACT);
    assert_eq!(nowhere, Err(EncounterError::NoLine));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn measures_do_not_depend_on_who_is_first_or_how_the_room_lies(
        onsets in prop::array::uniform2(prop::option::of(0.0f64..2.0)),
        asides in prop::array::uniform2(-0.6f64..0.6),
        angle in 0.0f64..6.0,
        shift in (-9.0f64..9.0, -9.0f64..9.0),
    ) {
        let tracks = [track(true, onsets[0], asides[0]), track(false, onsets[1], asides[1])];
        let plain = met(&tracks[0], &tracks[1]);
        let turn = DVec2::from_angle(angle);
        let moved = |point: DVec2| turn.rotate(point) + DVec2::from(shift);
        let moved_tracks = tracks.clone().map(|track| Track {
            points: track.points.into_iter().map(moved).collect(),
            times: track.times,
        });
        let marks = marks().map(moved);
        let close = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-6,
            (a, b) => a == b,
        };
        let radii = [0.25, 0.2];
        let [a, b] = moved_tracks.each_ref();
        let others = [
            Encounter::between([a, b], radii, marks, &EXACT).unwrap(),
            Encounter::between([b, a], radii, [marks[1], marks[0]], &EXACT).unwrap(),
        ];
        for other in others {
            prop_assert!((other.clearance - plain.clearance).abs() < 1e-6);
            // An offset of nothing is a rounding error in a room that is turned.
            if asides.iter().all(|aside| aside.abs() > 1e-3) && onsets.iter().all(Option::is_some) {
                prop_assert!(close(other.collaboration, plain.collaboration));
            }
            prop_assert!(close(other.anticipation, plain.anticipation), "{:?} {:?}", plain, other);
            prop_assert!(close(other.synchronisation, plain.synchronisation));
        }
    }
}
