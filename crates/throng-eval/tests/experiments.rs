//! The experiments with people, in small: what must hold of the calibrated model, and of the
//! predictive one beside social forces.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use throng_eval::experiments::{
    CounterFlow, Doors, Fundamental, Hallway, HallwayRow, OPEN_CORRIDOR, Progress, Setup,
};

fn setup(models: &[&str], seeds: u32, step: f64) -> Setup {
    Setup { models: models.iter().map(|name| name.parse().unwrap()).collect(), seeds, step }
}

fn quietly(_: Progress) {}

#[test]
fn flow_through_a_door_is_that_of_people() {
    let doors = Doors { setup: setup(&["pedestrian"], 2, 0.1), people: 90, widths: vec![1.2, 1.4] };
    let flows = doors.run(&quietly).unwrap();
    let [measured, between] = &flows.rows[..] else { panic!("{flows}") };
    assert!(measured.measured.unwrap().all.contains(measured.flow.mean), "{flows}");
    assert!(between.measured.is_none() && between.flow.mean > measured.flow.mean, "{flows}");
    for row in &flows.rows {
        assert_eq!((row.passed, row.outside, row.flow.count), (90, 0, 2), "{flows}");
        let [low, high] = row.extremes.unwrap();
        assert!(low < row.flow.mean && row.flow.mean < high, "seeds differ: {flows}");
    }
    assert_eq!(doors.run(&quietly).unwrap(), flows, "the same every time");
}

#[test]
fn a_hundred_get_past_ten() {
    let counter_flow =
        CounterFlow { setup: setup(&["pedestrian"], 1, 0.1), people: 100, against: vec![0, 10] };
    let flows = counter_flow.run(&quietly).unwrap();
    let [alone, against] = &flows.rows[..] else { panic!("{flows}") };
    assert_eq!((alone.jams, against.jams), (0, 0), "{flows}");
    assert!(against.time.mean > alone.time.mean && alone.time.mean > 20.0, "{flows}");
}

#[test]
fn speed_falls_with_density() {
    let fundamental = Fundamental {
        setup: setup(&["pedestrian"], 1, 0.1),
        densities: vec![OPEN_CORRIDOR[0].density, 1.37, 2.75],
    };
    let speeds = fundamental.run(&quietly).unwrap();
    let [free, busy, dense] = &speeds.rows[..] else { panic!("{speeds}") };
    assert!(free.speed.mean > busy.speed.mean + 0.1, "{speeds}");
    assert!(busy.speed.mean > dense.speed.mean + 0.3, "{speeds}");
    for row in &speeds.rows {
        assert!((row.density.mean / row.asked_density - 1.0).abs() < 0.15, "{speeds}");
    }
    assert!(free.measured.unwrap().range.contains(free.speed.mean), "{speeds}");
}

#[test]
fn who_looks_ahead_walks_more_smoothly() {
    let hallway = Hallway { setup: setup(&["predictive", "social_force"], 1, 0.1), people: 100 };
    let walks = hallway.run(&quietly).unwrap();
    let [predictive, forces] = &walks.rows[..] else { panic!("{walks}") };
    let smaller = |metric: fn(&HallwayRow) -> f64| metric(predictive) < metric(forces);
    assert!(smaller(|row| row.walks.smoothness.median), "{walks}");
    assert!(smaller(|row| row.walks.acceleration.mean), "{walks}");
    assert!(smaller(|row| row.walks.turned.mean), "{walks}");
    assert_eq!((predictive.stuck, predictive.walks.time.count), (0, 100), "{walks}");
    assert!(predictive.smallest_gap > -1e-3, "{walks}");
    let [comparison] = &walks.comparisons[..] else { panic!("{walks}") };
    assert!(comparison.tests[4].unwrap().p < 0.01, "{walks}");
}

#[test]
fn progress_ends_when_all_is_done() {
    let seen = std::sync::Mutex::new(Vec::new());
    let hallway = Hallway { setup: setup(&["orca"], 3, 0.2), people: 4 };
    hallway.run(&|progress| seen.lock().unwrap().push((progress.done, progress.total))).unwrap();
    let mut seen = seen.into_inner().unwrap();
    seen.sort_unstable();
    assert_eq!(seen, [(0, 3), (1, 3), (2, 3), (3, 3)]);
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let refused = |doors: Doors| doors.run(&quietly).unwrap_err().to_string();
    let none = Setup { models: Vec::new(), ..Doors::default().setup };
    assert!(refused(Doors { setup: none, ..Doors::default() }).contains("no model"));
    let nan = Setup { step: f64::NAN, ..Doors::default().setup };
    assert!(refused(Doors { setup: nan, ..Doors::default() }).contains("the step cannot be NaN"));
    let huge = Doors { people: u32::MAX, ..Doors::default() };
    assert!(refused(huge).contains("take 30 to 200"));
}
