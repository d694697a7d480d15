//! SampledTracks of frames: how they are sampled, and what cannot be.

use glam::{DVec2, Vec2};
use proptest::prelude::*;
use throng_eval::FrameView;
use throng_eval::verification::tracks::{Gatherer, INTERVAL};
use throng_eval::verification::{Outcome, SampledTracks, score_tracks};
use throng_world::scene::LayerId;

use super::{track, tracks};

/// Frames with one person at places, on floors; `None` for not there.
fn gathered(interval: f64, places: &[Option<(Vec2, u8)>]) -> SampledTracks {
    let mut gatherer = Gatherer::new(interval).unwrap();
    for (frame, place) in places.iter().enumerate() {
        let (ids, positions, layers) = match place {
            Some((at, layer)) => (vec![7], vec![*at], vec![LayerId(*layer)]),
            None => Default::default(),
        };
        gatherer.push(FrameView {
            time: 3.0 + frame as f64 * interval,
            ids: &ids,
            positions: &positions,
            layers: &layers,
        });
    }
    gatherer.finish()
}

#[test]
fn any_rate_becomes_the_same_rate() {
    let fast: Vec<_> = (0..101).map(|i| Some((Vec2::new(i as f32 * 0.06, 1.0), 0))).collect();
    let tracks = gathered(0.05, &fast);
    let [track] = tracks.all() else { panic!("{tracks:?}") };
    assert_eq!((track.first, track.points.len()), (0, 13));
    for (sample, point) in track.points.iter().enumerate() {
        let expected = DVec2::new(1.2 * sample as f64 * INTERVAL, 1.0);
        assert!(point.distance(expected) < 1e-5, "{point} {expected}");
    }
    let velocity = track.velocity(5).unwrap();
    assert!((velocity - DVec2::new(1.2, 0.0)).length() < 1e-5);
    assert_eq!((track.velocity(0), track.at(13)), (None, None));
}

#[test]
fn who_is_missing_or_changes_floor_begins_anew() {
    let at = |i: usize, layer| Some((Vec2::new(i as f32, 0.0), layer));
    let mut places: Vec<_> = (0..30).map(|i| at(i, u8::from(i >= 20))).collect();
    places[10] = None;
    let tracks = gathered(0.4, &places);
    let pieces: Vec<(usize, usize, u8)> =
        tracks.all().iter().map(|t| (t.first, t.points.len(), t.layer.0)).collect();
    assert_eq!(pieces, [(0, 10, 0), (11, 9, 0), (20, 10, 1)]);
}

#[test]
fn frames_that_come_too_seldom_are_refused() {
    for interval in [0.0, -1.0, 0.6, f64::NAN] {
        let error = Gatherer::new(interval).unwrap_err().to_string();
        assert!(error.contains("one every 0.5 s"), "{error}");
    }
}

#[test]
fn without_anybody_the_checks_fail_and_say_so() {
    let checks = score_tracks(&SampledTracks::default(), Some(DVec2::X));
    let ids: Vec<_> = checks.iter().map(|check| check.id).collect();
    assert_eq!(ids, ["R01", "R02", "R03", "R04"]);
    assert!(checks.iter().all(|check| check.outcome == Outcome::Fail), "{checks:?}");
}

#[test]
fn groups_are_judged_where_there_are_some() {
    let pair = |id: u32, y: f64| track(id, 0..60, move |t| DVec2::new(1.1 * t, y));
    let alone = track(9, 0..60, |t| DVec2::new(1.25 * t, 9.0));
    let checks = score_tracks(&tracks([pair(1, 0.0), pair(2, 0.8), alone]), None);
    let groups = checks.iter().find(|check| check.id == "R05").unwrap();
    assert_eq!(groups.outcome, Outcome::Pass, "{groups:?}");
    let smooth = checks.iter().find(|check| check.id == "R03").unwrap();
    assert_eq!(smooth.outcome, Outcome::Fail, "nobody walks as straight: {smooth:?}");
}

proptest! {
    #[test]
    fn any_frames_give_tracks_within_their_frames(
        interval in 0.01..0.5f64,
        steps in prop::collection::vec(prop::option::weighted(0.9, (-5.0..5.0f32, 0u8..2)), 0..60),
    ) {
        let places: Vec<_> = steps.iter().map(|s| s.map(|(x, layer)| (Vec2::new(x, 0.0), layer))).collect();
        let tracks = gathered(interval, &places);
        let duration = interval * places.len() as f64;
        for track in tracks.all() {
            prop_assert!((track.end() - 1) as f64 * INTERVAL <= duration + 1e-6);
            prop_assert!(track.points.iter().all(|p| p.x.abs() <= 5.0));
        }
        score_tracks(&tracks, Some(DVec2::Y));
    }
}
