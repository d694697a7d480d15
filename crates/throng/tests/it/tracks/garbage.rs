//! Whatever samples are like, there is an answer, and all of it is finite.

use glam::Vec2;
use proptest::prelude::*;
use throng::tracks::{Sample, Track, TrackOptions, Tracks};
use throng_world::scene::{GroupId, LayerId};

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => -20.0f32..20.0,
        2 => (-20i8..20).prop_map(f32::from),
        1 => any::<f32>(),
        1 => prop::sample::select(vec![0.0, -0.0, 1e7, -1e7, f32::NAN, f32::INFINITY]),
    ]
}

fn time() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (0u16..200).prop_map(|i| f64::from(i) * 0.2),
        4 => 0.0..40.0,
        2 => (0u8..9).prop_map(|i| 5.0 + f64::from(i) * 1.1e-6),
        1 => any::<f64>(),
    ]
}

prop_compose! {
    fn sample()(
        person in 0u32..4, time in time(), x in number(), y in number(), height in number(),
        layer in 0u8..3,
    ) -> Sample {
        let (layer, group) = (LayerId(layer), GroupId(0));
        let position = Vec2::new(x, y);
        Sample { person, time, position, height, layer, group, ..Sample::default() }
    }
}

/// Samples all over the place, or steps of somebody who walks about.
fn samples() -> impl Strategy<Value = Vec<Sample>> {
    let steps = prop::collection::vec((0.0f32..0.5, -3.2f32..3.2, 0.0001f64..0.9), 0..150);
    let walk = steps.prop_map(|steps| {
        let mut sample = Sample::default();
        let follow = |(length, angle, time): (f32, f32, f64)| {
            sample.time += time;
            sample.position += length * Vec2::from_angle(angle);
            sample
        };
        steps.into_iter().map(follow).collect()
    });
    prop_oneof![prop::collection::vec(sample(), 0..120), walk]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 2))]

    #[test]
    fn every_track_is_finite_ordered_and_where_samples_are(samples in samples()) {
        let (tracks, report) =
            Tracks::from_samples(samples.iter().copied(), &TrackOptions::default()).unwrap();
        prop_assert!(!report.to_string().is_empty());
        let ids: Vec<_> = tracks.iter().map(Track::person).collect();
        prop_assert!(ids.is_sorted());
        for track in &tracks {
            prop_assert!(!track.stretches().is_empty());
            let (rms, max) = track.residuals();
            prop_assert!(rms.is_finite() && max.is_finite() && rms <= max + 1e-9);
            for pair in track.stretches().windows(2) {
                prop_assert!(pair[0].end() <= pair[1].begin());
            }
            for stretch in track.stretches() {
                prop_assert!(stretch.begin() <= stretch.end());
                for i in 0..=40 {
                    let time = stretch.begin() + stretch.duration() * f64::from(i) / 40.0;
                    let Some(point) = stretch.at(time.min(stretch.end())) else {
                        return Err(TestCaseError::fail(format!("nobody at {time}")));
                    };
                    let numbers = [point.position, point.velocity, point.acceleration];
                    prop_assert!(numbers.iter().all(|v| v.is_finite()), "{point:?}");
                    prop_assert!(point.height.is_finite());
                    if point.standing {
                        prop_assert_eq!(point.velocity, Vec2::ZERO);
                    }
                }
            }
        }
        // Each sample is used or accounted for.
        let lost = report.impossible.count + report.duplicates.count + report.spikes.count;
        prop_assert!(lost <= report.samples);
        let backwards = samples.iter().rev().copied();
        let again = Tracks::from_samples(backwards, &TrackOptions::default()).unwrap();
        prop_assert_eq!(tracks, again.0);
    }
}
