//! Gaps, jumps, duplicates and other faults of tracks, and what is said about them.

use glam::Vec2;
use throng::recording::{Frame, Overwrite, Person, Recorder, Recording, RecordingInfo};
use throng::tracks::{Sample, TrackError, TrackOptions, TrackReport, Tracks};
use throng_base::Heading;
use throng_world::scene::LayerId;

use super::support::*;

/// Along x at 1.3 m/s, five times a second, for 20 s.
fn walk() -> Vec<Sample> {
    (0..=100).map(|i| at(0.2 * f64::from(i), 0.26 * i as f32)).collect()
}

fn at(time: f64, x: f32) -> Sample {
    Sample { person: 3, time, position: Vec2::new(x, 0.0), ..Sample::default() }
}

#[test]
fn short_gaps_are_bridged_and_long_ones_cut() {
    let mut samples = walk();
    samples.retain(|sample| !(4.1..5.5).contains(&sample.time));
    samples.retain(|sample| !(9.1..12.9).contains(&sample.time));
    let (tracks, report) = smooth(&samples);
    let track = tracks.get(3).unwrap();
    let ends: Vec<_> = track.stretches().iter().map(|s| (s.begin(), s.end())).collect();
    assert_eq!(ends.len(), 2, "{report}");
    assert!((ends[0].1 - 9.0).abs() < 1e-9 && (ends[1].0 - 13.0).abs() < 1e-9, "{ends:?}");
    let bridge = track.at(4.8).unwrap();
    assert!(bridge.position.distance(Vec2::new(6.24, 0.0)) < 0.01, "{bridge:?}");
    assert!(bridge.velocity.distance(Vec2::new(1.3, 0.0)) < 0.02, "{bridge:?}");
    assert!(track.at(11.0).is_none());
    assert_eq!((report.bridges.count, report.cuts.count, report.jumps.count), (1, 1, 0));
    let (bridged, cut) = (report.bridges.examples[0], report.cuts.examples[0]);
    assert!((bridged.time - 4.0).abs() < 1e-9 && (bridged.size - 1.6).abs() < 1e-9, "{bridged:?}");
    assert!((cut.time - 13.0).abs() < 1e-9 && (cut.size - 4.0).abs() < 1e-9, "{cut:?}");
    assert!(report.to_string().contains("gaps bridged: 1; person 3 at 4.00 s (row 20, 1.60 s)\n"));
}

#[test]
fn a_gap_is_not_bridged_at_a_run() {
    let mut samples = walk();
    samples.retain(|sample| !(4.1..5.5).contains(&sample.time));
    // Another 4 m within the 1.6 s of the gap: 3.8 m/s, where everything else is 1.3 m/s.
    samples.iter_mut().filter(|s| s.time > 5.0).for_each(|s| s.position.x += 4.0);
    let (tracks, report) = smooth(&samples);
    assert_eq!(tracks.get(3).unwrap().stretches().len(), 2, "{report}");
    assert_eq!((report.bridges.count, report.jumps.count), (0, 1));
}

#[test]
fn jumps_cut_and_the_widest_is_named_first() {
    let mut samples = walk();
    samples.iter_mut().filter(|s| s.time > 5.01).for_each(|s| s.position.y += 5.0);
    samples.iter_mut().filter(|s| s.time > 11.01).for_each(|s| s.position.y += 40.0);
    let (tracks, report) = smooth(&samples);
    assert_eq!(tracks.get(3).unwrap().stretches().len(), 3);
    let jumps = &report.jumps;
    assert_eq!((jumps.count, jumps.examples[0].row, jumps.examples[1].row), (2, 56, 26));
    assert!((jumps.examples[0].size - 40.0).abs() < 0.1);
    let track = tracks.get(3).unwrap();
    for stretch in track.stretches() {
        for i in 0..=100 {
            let time = stretch.begin() + stretch.duration() * f64::from(i) / 100.0;
            let velocity = stretch.at(time).unwrap().velocity;
            assert!(velocity.distance(Vec2::new(1.3, 0.0)) < 0.01, "{velocity} at {time}");
        }
    }
}

#[test]
fn spikes_are_left_out() {
    let mut samples = walk();
    samples[30].position.y = 9.0;
    samples[31].position.y = -9.0;
    samples[60].position.y = 3.0;
    let (tracks, report) = smooth(&samples);
    assert_eq!(tracks.get(3).unwrap().stretches().len(), 1, "{report}");
    assert_eq!((report.spikes.count, report.jumps.count), (3, 0), "{report}");
    let point = tracks.get(3).unwrap().at(6.1).unwrap();
    assert!(point.position.distance(Vec2::new(7.93, 0.0)) < 0.01, "{point:?}");
}

#[test]
fn impossible_and_double_samples_are_named() {
    let mut samples = walk();
    samples.push(at(f64::NAN, 1.0));
    samples.push(at(f64::INFINITY, 1.0));
    samples.push(at(3.0, f32::NAN));
    samples.push(at(3.0, 1e30));
    samples.push(Sample { height: f32::NAN, ..at(3.0, 1.0) });
    samples.push(at(1.7e12, 1.0));
    samples.push(at(4.0, 8.0));
    samples.push(at(4.0, 5.2));
    let (tracks, report) = smooth(&samples);
    assert_eq!(report.impossible.count, 6, "{report}");
    let rows: Vec<_> = report.impossible.examples.iter().map(|incident| incident.row).collect();
    assert_eq!(rows, [101, 102, 103, 104, 105]);
    assert_eq!(report.duplicates.count, 2);
    let double = report.duplicates.examples[0];
    assert_eq!((double.person, double.time, double.row), (3, 4.0, 107));
    assert!((double.size - 2.8).abs() < 1e-3, "{double:?}");
    assert_eq!(report.unsorted, 1, "from 20 s back to 4 s");
    assert_eq!(tracks, smooth(&walk()).0);
}

#[test]
fn the_order_of_samples_changes_no_bit() {
    let mut samples = seen(stop_and_go, Camera { rate: 5.0, noise: 0.05, sway: 0.02 }, 20);
    samples[200].position.x += 30.0;
    samples.push(Sample { position: Vec2::ONE, ..samples[77] });
    samples.push(Sample { layer: LayerId(1), ..samples[78] });
    let (tracks, _) = smooth(&samples);
    let backwards: Vec<_> = samples.iter().rev().copied().collect();
    assert_eq!(tracks, smooth(&backwards).0);
    let count = samples.len();
    let shuffled: Vec<_> = (0..count).map(|i| samples[i * 7919 % count]).collect();
    assert_eq!(tracks, smooth(&shuffled).0);
}

#[test]
fn somebody_seen_once_stands_for_a_moment() {
    let mut samples = walk();
    samples.push(Sample { person: 9, position: Vec2::new(5.0, 5.0), ..at(4.0, 0.0) });
    samples.push(Sample { person: 9, position: Vec2::new(9.0, 5.0), ..at(14.0, 0.0) });
    let (tracks, _) = smooth(&samples);
    let track = tracks.get(9).unwrap();
    assert_eq!(track.stretches().len(), 2);
    let stretch = &track.stretches()[0];
    assert!((stretch.begin() - 3.9).abs() < 1e-9 && (stretch.end() - 4.1).abs() < 1e-9);
    let point = track.at(4.05).unwrap();
    assert_eq!((point.position, point.velocity), (Vec2::new(5.0, 5.0), Vec2::ZERO));
    assert!(point.standing && point.facing.is_none());
    assert_eq!(tracks.at(4.05).map(|(track, _)| track.person()).collect::<Vec<_>>(), [3, 9]);
    assert_eq!(tracks.at(8.0).count(), 1);
}

#[test]
fn nobody_is_no_error_but_said() {
    let (tracks, report) = smooth(&[]);
    assert!(tracks.is_empty() && tracks.span().is_none() && report.noise.is_none());
    assert_eq!(report.warnings, ["there are no samples"]);
    assert!(report.to_string().starts_with("0 people"));
}

#[test]
fn options_that_make_no_sense_are_refused_by_name() {
    for fastest in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = TrackOptions { fastest, ..TrackOptions::default() };
        let error = Tracks::from_samples(walk(), &options).unwrap_err();
        assert!(matches!(error, TrackError::Option { name: "fastest", .. }), "{error}");
    }
}

#[test]
fn options_are_heeded() {
    let samples = seen(circle, Camera { rate: 5.0, noise: 0.05, sway: 0.0 }, 4);
    let with = |options: TrackOptions| -> TrackReport {
        Tracks::from_samples(samples.iter().copied(), &options).unwrap().1
    };
    let usual = with(TrackOptions::default());
    // Whoever believes every sample must believe in strong people.
    let max_acceleration = 100.0;
    let noise = Some(0.001);
    let trusting = with(TrackOptions { noise, max_acceleration, ..TrackOptions::default() });
    assert!(trusting.residuals.rms < 0.2 * usual.residuals.rms, "{trusting}");
    let tolerance = Some(0.06);
    let narrow = with(TrackOptions { tolerance, max_acceleration, ..TrackOptions::default() });
    assert!(usual.residuals.max > 0.1 && narrow.residuals.max < 0.075, "{narrow}");
}

#[test]
fn wrong_units_and_rates_are_recognised_by_how_people_walk() {
    let samples = seen(corner, Camera { rate: 5.0, noise: 0.02, sway: 0.0 }, 8);
    let scaled = |lengths: f32, times: f64| {
        let scale = |sample: &Sample| Sample {
            position: sample.position * lengths,
            time: sample.time * times,
            ..*sample
        };
        smooth(&samples.iter().map(scale).collect::<Vec<_>>()).1.warnings.join("\n")
    };
    assert_eq!(scaled(1.0, 1.0), "");
    for (lengths, times, words) in [
        (100.0, 1.0, "--unit cm"),
        (1000.0, 1.0, "--unit mm"),
        (14.0, 1.0, "if positions are pixels"),
        (1.0, 25.0, "if times are numbers of frames, a frame rate 25 times as high"),
        (1.0, 0.2, "a frame rate 0.20 times as high"),
    ] {
        let warnings = scaled(lengths, times);
        assert!(warnings.contains(words), "{lengths} {times}: {warnings}");
    }
}

#[test]
fn a_recording_gives_the_tracks_of_its_rows() {
    let samples = seen(circle, Camera { rate: 5.0, noise: 0.03, sway: 0.0 }, 3);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("circle.parquet");
    let layer = |name: &str| throng::recording::LayerInfo { name: name.into(), elevation: 0.0 };
    let info = RecordingInfo {
        step: 0.2,
        record_every: 1,
        groups: vec![throng::recording::GroupInfo { name: "all".into(), color: [0; 3] }],
        layers: vec![layer("low"), layer("high")],
        ..RecordingInfo::default()
    };
    let mut recorder = Recorder::create(&path, info, Overwrite::No).unwrap();
    let mut expected = Vec::new();
    for index in 0..=120 {
        let time = f64::from(index) * 0.2;
        let mut frame = Frame { index, time, ..Frame::default() };
        for sample in samples.iter().filter(|sample| (sample.time - time).abs() < 1e-6) {
            let layer = LayerId(u8::from(index >= 60));
            let height = 0.1 * index as f32;
            let (id, position) = (sample.person, sample.position);
            let heading = 0.5;
            frame.people.push(Person { id, position, layer, height, heading, ..Person::default() });
            let facing = Some(Heading::from_radians(heading));
            expected.push(Sample { time, layer, height, facing, ..*sample });
        }
        recorder.push(&frame).unwrap();
    }
    recorder.finish().unwrap();
    let mut recording = Recording::open(&path).unwrap();
    let (tracks, report) = Tracks::of(&mut recording, &TrackOptions::default()).unwrap();
    assert_eq!((&tracks, &report), (&smooth(&expected).0, &smooth(&expected).1));
    let at = |time| tracks.get(1).unwrap().at(time).unwrap();
    assert_eq!((at(11.85).layer, at(11.95).layer), (LayerId(0), LayerId(1)));
    assert!((at(10.1).height - 5.05).abs() < 0.01);
}

#[test]
fn who_never_moves_faces_where_they_are_said_to() {
    let facing = Some(Heading::from_radians(2.0));
    let still = (0..50).map(|i| Sample { time: 0.2 * f64::from(i), facing, ..Sample::default() });
    let (tracks, _) = smooth(&still.collect::<Vec<_>>());
    assert_eq!(tracks.get(0).unwrap().at(5.0).unwrap().facing, facing);
}
