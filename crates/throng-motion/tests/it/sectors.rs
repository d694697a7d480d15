//! Which clip is played for which speed and direction.

use proptest::prelude::*;
use throng_motion::gait::{Library, Style};
use throng_motion::mediator::{
    Reluctance, SectorError, SectorOptions, Sectors, Selected, Selector, Steps,
};
use throng_motion::{Human, Proportions};

/// Eight clips, A1 to A8: speeds in m/s and angles in degrees.
const EXAMPLE: [(f32, f32); 8] = [
    (1.90, 0.0),
    (1.50, 3.0),
    (1.20, 45.0),
    (1.16, 20.0),
    (0.90, 0.0),
    (0.50, 90.0),
    (0.53, 45.0),
    (0.48, 135.0),
];

fn steps(clips: &[(f32, f32)]) -> Vec<Steps> {
    clips.iter().map(|&(speed, angle)| Steps { speed, angle: angle.to_radians() }).collect()
}

fn forwards_only() -> SectorOptions {
    SectorOptions { backward: 0.0, ..SectorOptions::default() }
}

/// Speeds of a track, and its sectors as (name of the clip, from, to in degrees).
type Row = ((f32, f32), Vec<(usize, f32, f32)>);

fn rows(sectors: &Sectors, names: &[usize]) -> Vec<Row> {
    let tracks = sectors.tracks().iter();
    tracks
        .map(|track| {
            let sectors = track.sectors.iter().map(|sector| {
                let tenths = |angle: f32| (10.0 * angle.to_degrees()).round() / 10.0;
                (names[sector.choice.clip], tenths(sector.from), tenths(sector.to))
            });
            ((track.above, track.up_to), sectors.collect())
        })
        .collect()
}

fn expected() -> Vec<Row> {
    vec![
        ((1.50, 1.90), vec![(1, 0.0, 180.0)]),
        ((1.20, 1.50), vec![(2, 0.0, 180.0)]),
        ((0.90, 1.20), vec![(2, 0.0, 11.5), (4, 11.5, 32.5), (3, 32.5, 180.0)]),
        ((0.53, 0.90), vec![(5, 0.0, 10.0), (4, 10.0, 32.5), (3, 32.5, 180.0)]),
        (
            (0.0, 0.53),
            vec![
                (5, 0.0, 10.0),
                (4, 10.0, 32.5),
                (7, 32.5, 67.5),
                (6, 67.5, 112.5),
                (8, 112.5, 180.0),
            ],
        ),
    ]
}

#[test]
fn what_is_wanted_is_found_at_the_right_pace() {
    let sectors = Sectors::new(&steps(&EXAMPLE), forwards_only()).unwrap();
    let select = |speed: f32, degrees: f32| sectors.select(speed, degrees.to_radians());
    let is = |selected: Selected, track: usize, clip: usize, pace: f32, twist: f32| {
        assert_eq!((selected.track + 1, selected.choice.clip + 1), (track, clip), "{selected:?}");
        assert!((selected.pace - pace).abs() < 1e-3, "{selected:?}");
        assert!((selected.twist.to_degrees() - twist).abs() < 1e-3, "{selected:?}");
    };
    is(select(1.0, 25.0), 3, 4, 0.862, -5.0);
    is(select(0.3, 80.0), 5, 6, 0.60, 10.0);
    let far = select(0.7, 100.0);
    is(far, 4, 3, 0.583, -45.0);
    assert!((far.unreached.to_degrees() + 10.0).abs() < 1e-3);
    let mirrored = select(0.3, -80.0);
    is(mirrored, 5, 6, 0.60, -10.0);
    assert!(mirrored.choice.mirrored && !select(0.3, 80.0).choice.mirrored);
    is(select(1.18, 20.0), 3, 4, 1.0, 0.0);
    is(select(7.0, 0.0), 1, 1, 1.0, 0.0);
    is(select(f32::NAN, f32::NAN), 5, 5, 0.0, 0.0);
}

#[test]
fn slow_clips_are_played_backwards_where_there_is_no_other() {
    let sectors = Sectors::new(&steps(&EXAMPLE), SectorOptions::default()).unwrap();
    for (track, from) in [(3, 112.5), (4, 157.5)] {
        let last = sectors.tracks()[track].sectors.last().unwrap();
        assert!(last.choice.reversed && last.choice.clip == 4, "{last:?}");
        assert!((last.from.to_degrees() - from).abs() < 1e-3, "{last:?}");
    }
    let back = sectors.select(0.3, 170f32.to_radians());
    assert!(back.choice.reversed && (back.twist.to_degrees() - 10.0).abs() < 1e-3, "{back:?}");
    let fast = &sectors.tracks()[..3];
    assert!(fast.iter().flat_map(|track| &track.sectors).all(|sector| !sector.choice.reversed));
}

#[test]
fn what_makes_no_table_is_told() {
    assert_eq!(Sectors::new(&[], SectorOptions::default()), Err(SectorError::Empty));
    for speed in [0.0, -1.0, f32::NAN] {
        let steps = [Steps { speed, angle: 0.0 }];
        let error = Sectors::new(&steps, SectorOptions::default()).unwrap_err();
        assert!(matches!(error, SectorError::NoSteps { clip: 0, .. }));
    }
    let options = SectorOptions { same_angle: f32::NAN, ..SectorOptions::default() };
    let error = Sectors::new(&steps(&EXAMPLE), options).unwrap_err();
    assert!(matches!(error, SectorError::Option { name: "same_angle", .. }));
}

#[test]
fn the_library_serves_every_way_people_move() {
    let human = Human::new(Proportions::of_height(1.75)).unwrap();
    let library = Library::new(&human, Style::default()).unwrap();
    let steps: Vec<Steps> = library.clips().iter().filter_map(Steps::of).collect();
    let sectors = Sectors::new(&steps, SectorOptions::default()).unwrap();
    for degrees in (-180..=180).step_by(5) {
        let selected = sectors.select(0.4, (degrees as f32).to_radians());
        assert!(selected.unreached == 0.0, "{degrees}°: {selected:?}");
        assert!(selected.twist.abs() < 24f32.to_radians(), "{degrees}°: {selected:?}");
    }
}

/// How often the clip changes for somebody whose speed and direction (degrees) are told every 0.04 s.
fn changes(told: impl Iterator<Item = (f32, f32)>, reluctance: &Reluctance) -> usize {
    let sectors = Sectors::new(&steps(&EXAMPLE), forwards_only()).expect("the example is a table");
    let mut selector = Selector::default();
    let choices: Vec<_> = told
        .map(|(speed, angle)| {
            selector.select(&sectors, speed, angle.to_radians(), 0.04, reluctance).choice
        })
        .collect();
    choices.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

#[test]
fn who_walks_on_a_border_keeps_to_a_clip() {
    let swaying = |at: usize| if at % 4 < 2 { 1.0 } else { -1.0 };
    let on_angle = || (0..200).map(|at| (1.0, 32.5 + 2.0 * swaying(at)));
    let on_speed = || (0..200).map(|at| (0.9 * (1.0 + 0.03 * swaying(at)), 20.0));
    let ahead = || (0..200).map(|at| (0.5, 2.0 * swaying(at)));
    let eager = Reluctance { angle: 0.0, speed: 0.0, dwell: 0.0 };
    assert!(changes(on_angle(), &eager) > 50, "it would change all the time");
    assert_eq!(changes(on_angle(), &Reluctance::default()), 0);
    assert_eq!(changes(on_speed(), &Reluctance::default()), 0);
    assert_eq!(changes(ahead(), &Reluctance::default()), 0, "ahead is left and right");
}

#[test]
fn who_really_changes_gets_another_clip_soon_but_not_at_once() {
    let turn = || (0..50).map(|at| (0.5, if at < 20 { 5.0 } else { 90.0 }));
    assert_eq!(changes(turn(), &Reluctance::default()), 1);
    let hasty = || (0..50).map(|at| (0.5, if at % 2 == 0 { 5.0 } else { 90.0 }));
    // Clips are played for 0.2 s at least, five of these moments.
    let eager = Reluctance { dwell: 0.0, ..Reluctance::default() };
    assert!((6..=10).contains(&changes(hasty(), &Reluctance::default())));
    assert_eq!(changes(hasty(), &eager), 49);
    let speed_up = || (0..100).map(|at| (0.02 * at as f32, 0.0));
    assert_eq!(changes(speed_up(), &Reluctance::default()), 2);
}

proptest! {
    #[test]
    fn the_example_comes_out_whatever_the_order(
        order in Just((0..EXAMPLE.len()).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        let clips: Vec<(f32, f32)> = order.iter().map(|&index| EXAMPLE[index]).collect();
        let names: Vec<usize> = order.iter().map(|index| index + 1).collect();
        let sectors = Sectors::new(&steps(&clips), forwards_only()).unwrap();
        prop_assert_eq!(rows(&sectors, &names), expected());
    }

    #[test]
    fn every_direction_has_one_clip_that_is_fast_enough(
        clips in prop::collection::vec((0.1f32..4.0, -180f32..180.0), 1..20),
        speed in 0.0f32..4.0, angle in -180f32..180.0, backward in 0.0f32..1.0,
    ) {
        let options = SectorOptions { backward, ..SectorOptions::default() };
        let sectors = Sectors::new(&steps(&clips), options).unwrap();
        let mut reaches = f32::INFINITY;
        for track in sectors.tracks() {
            prop_assert!(track.above < track.up_to && track.up_to <= reaches);
            reaches = track.above;
            let ends = track.sectors.windows(2).all(|pair| pair[0].to == pair[1].from);
            let (first, last) = (track.sectors[0], track.sectors[track.sectors.len() - 1]);
            prop_assert!(ends && first.from == 0.0 && last.to == std::f32::consts::PI);
            for sector in &track.sectors {
                let fast_enough = track.up_to - options.same_speed - 1e-4;
                prop_assert!(sector.choice.speed >= fast_enough, "{sector:?} {track:?}");
                prop_assert!((sector.from..=sector.to).contains(&sector.choice.angle));
            }
        }
        prop_assert_eq!(reaches, 0.0);
        let selected = sectors.select(speed, angle.to_radians());
        let track = &sectors.tracks()[selected.track];
        prop_assert!(speed <= track.up_to || selected.track == 0);
        prop_assert!(speed > track.above || speed == 0.0);
        let mirrored = sectors.select(speed, -angle.to_radians());
        prop_assert_eq!(mirrored.choice.clip, selected.choice.clip);
        prop_assert!((mirrored.twist + selected.twist).abs() < 1e-4);
    }
}
