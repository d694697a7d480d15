//! The experiments with people, in small: what must hold of the calibrated model, and of the
//! predictive one beside social forces.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use throng::crowd::steering::MODELS;
use throng_eval::experiments::{
    CounterFlow, Doors, ExperimentError, Fundamental, Hallway, HallwayRow, HallwayWalks,
    OPEN_CORRIDOR, PUBLISHED_WALKS, Progress, Setup,
};
use throng_eval::statistics::{Spread, Welch};

/// The models that are calibrated to flows, with how many people make a steady flow through a door.
const CALIBRATED: [(&str, u32); 2] = [("pedestrian", 90), ("headway", 150)];

fn setup(models: &[&str], seeds: u32, step: f64) -> Setup {
    Setup { models: models.iter().map(|name| name.parse().unwrap()).collect(), seeds, step }
}

fn quietly(_: Progress) -> bool {
    true
}

#[test]
fn flow_through_a_door_is_that_of_people() {
    for (model, people) in CALIBRATED {
        let doors = Doors { setup: setup(&[model], 2, 0.1), people, widths: vec![1.2, 1.4] };
        let flows = doors.run(&quietly).unwrap();
        let [measured, between] = &flows.rows[..] else { panic!("{flows}") };
        assert!(measured.measured.unwrap().all.contains(measured.flow.mean), "{flows}");
        assert!(between.measured.is_none() && between.flow.mean > measured.flow.mean, "{flows}");
        for row in &flows.rows {
            assert_eq!(
                (row.passed, row.outside, row.flow.count),
                (people as usize, 0, 2),
                "{flows}"
            );
            let [low, high] = row.extremes.unwrap();
            assert!(low < row.flow.mean && row.flow.mean < high, "seeds differ: {flows}");
        }
        assert_eq!(doors.run(&quietly).unwrap(), flows, "the same every time");
    }
}

#[test]
fn a_hundred_get_past_ten() {
    for (model, _) in CALIBRATED {
        let counter_flow =
            CounterFlow { setup: setup(&[model], 1, 0.1), people: 100, against: vec![0, 10] };
        let flows = counter_flow.run(&quietly).unwrap();
        let [alone, against] = &flows.rows[..] else { panic!("{flows}") };
        assert_eq!((alone.jams, against.jams), (0, 0), "{flows}");
        assert!(against.time.mean > alone.time.mean && alone.time.mean > 20.0, "{flows}");
    }
}

#[test]
fn speed_falls_with_density() {
    for (model, _) in CALIBRATED {
        let fundamental = Fundamental {
            setup: setup(&[model], 1, 0.1),
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
}

#[test]
fn nobody_is_left_behind_a_door_whatever_the_model() {
    let mut models: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
    // With limits of acceleration, 130 of 150 people of `opensteer` jam before the narrow door.
    models.iter_mut().filter(|model| **model == "opensteer").for_each(|model| {
        *model = "opensteer:acceleration_limit=0";
    });
    let doors = Doors { setup: setup(&models, 1, 0.1), people: 150, widths: vec![0.8, 1.0] };
    let flows = doors.run(&quietly).unwrap();
    assert_eq!(flows.rows.len(), 2 * MODELS.len());
    for row in &flows.rows {
        assert_eq!((row.passed, row.outside), (150, 0), "{flows}");
    }
    // As published, the posts of a narrow door hold people back harder than they want through.
    let held = ["social_force:wall_hold=1"];
    let held = Doors { setup: setup(&held, 1, 0.1), people: 150, widths: vec![0.8] };
    assert!(held.run(&quietly).unwrap().rows[0].passed < 150);
}

/// Walks of people whose models are as published: without limits of acceleration.
fn hallway(models: &[&str], seeds: u32, step: f64) -> HallwayWalks {
    let published = |model: &&str| match model.contains("acceleration=") {
        true => (*model).to_owned(),
        false => format!("{model}:acceleration_limit=0"),
    };
    let published: Vec<String> = models.iter().map(published).collect();
    let models: Vec<&str> = published.iter().map(String::as_str).collect();
    Hallway { setup: setup(&models, seeds, step), people: 100 }.run(&quietly).unwrap()
}

#[test]
fn who_looks_ahead_walks_better_than_social_forces_in_every_respect() {
    let walks = hallway(&["predictive", "social_force"], 5, 0.05);
    let [predictive, forces] = &walks.rows[..] else { panic!("{walks}") };
    assert_eq!((predictive.stuck, predictive.walks.time.count), (0, 500), "{walks}");
    assert!(predictive.smallest_gap > -1e-3, "{walks}");
    let own = predictive.walks;
    assert!(own.time.mean <= 26.0 && own.smoothness.median <= 0.06, "{walks}");
    assert!(own.acceleration.mean <= 9.4 && own.turned.mean <= 77.0, "{walks}");
    let smaller = |metric: fn(&HallwayRow) -> f64| metric(predictive) < metric(forces);
    assert!(smaller(|row| row.walks.time.mean) && smaller(|row| row.walks.length.mean), "{walks}");
    assert!(smaller(|row| -row.walks.speed.mean), "{walks}");
    assert!(smaller(|row| row.walks.smoothness.mean), "{walks}");
    assert!(smaller(|row| row.walks.acceleration.mean), "{walks}");
    assert!(smaller(|row| row.walks.turned.mean), "{walks}");
    let beside_forces = &walks.comparisons[0];
    let (tests, by_seed) = (beside_forces.tests, beside_forces.by_seed);
    for test in [tests.time, tests.length, tests.smoothness, tests.acceleration, tests.turned] {
        assert!(test.unwrap().p < 0.01, "{walks}");
    }
    for test in
        [by_seed.time, by_seed.length, by_seed.smoothness, by_seed.acceleration, by_seed.turned]
    {
        assert!(test.unwrap().p < 0.01, "{walks}");
    }
}

/// A sample of so many values with this mean and standard deviation, which is all that Welch's test
/// asks of it.
fn sample(Spread { count, mean, sd, .. }: Spread) -> Vec<f64> {
    let away = sd * ((count as f64 - 1.0) / count as f64).sqrt();
    (0..count).map(|i| if i % 2 == 0 { mean + away } else { mean - away }).collect()
}

/// There is no RVO here to tune and to compare with, only what the paper says of its own: predictive
/// avoidance accelerates and turns less, as the authors found. How people stand at the start and how
/// paths are sampled are choices, so this is no more than what their table allows.
#[test]
fn who_looks_ahead_accelerates_and_turns_less_than_the_published_rvo() {
    let walks = hallway(&["predictive"], 5, 0.05);
    let rvo = PUBLISHED_WALKS.iter().find(|row| row.name == "RVO").unwrap();
    let own = walks.rows[0].walks;
    for (own, theirs) in
        [(own.acceleration, rvo.metrics.acceleration), (own.turned, rvo.metrics.turned)]
    {
        let theirs = Spread { count: 100, mean: theirs.mean, sd: theirs.sd, median: theirs.mean };
        let welch = Welch::test(&sample(own), &sample(theirs)).unwrap();
        assert!(own.mean < theirs.mean && welch.p < 0.01, "{welch:?}, {walks}");
    }
}

/// ORCA as published, without a limit of acceleration.
const ORCA: &str = "orca:max_acceleration=0";

/// ORCA, which stems from RVO, is another matter. As published it takes up any velocity at once, so it accelerates
/// less than a model of forces, which corrects itself in every step; and if its people heed as many
/// neighbours as those of `predictive` do, most of them hardly turn. What it cannot do however it is
/// set is to walk as smoothly: those who do turn, turn sharply. With its defaults they also turn
/// more on the whole.
#[test]
fn who_looks_ahead_walks_more_smoothly_than_orca_however_it_is_set() {
    let set = |horizon, neighbours| {
        format!("{ORCA}:time_horizon={horizon}:neighbours={neighbours}:neighbour_range=20")
    };
    let mut models = vec!["predictive".to_owned(), ORCA.to_owned()];
    models.extend([2, 3, 5].into_iter().flat_map(|horizon| [10, 30].map(|n| set(horizon, n))));
    let models: Vec<&str> = models.iter().map(String::as_str).collect();
    let walks = hallway(&models, 5, 0.05);
    let own = walks.rows[0].walks;
    for (row, beside) in walks.rows[1..].iter().zip(&walks.comparisons) {
        assert!(own.smoothness.mean < row.walks.smoothness.mean, "{walks}");
        assert!(beside.tests.smoothness.unwrap().p < 0.01, "{walks}");
    }
    assert!(own.turned.mean < walks.rows[1].walks.turned.mean, "{walks}");
}

/// Mean total acceleration of each model.
fn accelerations(walks: &HallwayWalks) -> Vec<f64> {
    walks.rows.iter().map(|row| row.walks.acceleration.mean).collect()
}

#[test]
fn adding_forces_one_by_one_needs_less_acceleration_than_weighing_them() {
    let walks = hallway(&["predictive", "predictive:iterative=0"], 20, 0.1);
    let difference = walks.comparisons[0].by_seed.acceleration.unwrap();
    assert!(difference.difference < 0.0 && difference.p < 0.05, "{walks}");
}

/// With personal space as published, two or three conflicts are enough: ten need no less acceleration.
/// The wider space towards those who come the other way, which is the default, has more conflicts at
/// a time, and each one heeded saves a little: ten need 2 % less than three and 5 % less than two.
#[test]
fn two_or_three_conflicts_do_better_than_one_and_as_well_as_ten() {
    let published = "predictive:personal_distance=0.1:oncoming_distance=0:relaxation_time=0.5";
    for (model, growth) in [(published, [1.0, 1.0]), ("predictive", [1.07, 1.03])] {
        let conflicts = [2, 3, 1, 10].map(|n| format!("{model}:conflicts={n}"));
        let walks = hallway(&conflicts.each_ref().map(String::as_str), 20, 0.05);
        let [two, three, one, ten] = accelerations(&walks)[..] else { panic!("{walks}") };
        assert!(two < one && three < one, "{walks}");
        let beside_one = walks.comparisons[1].by_seed.acceleration.unwrap();
        assert!(beside_one.difference < 0.0 && beside_one.p < 0.01, "{walks}");
        assert!(two <= growth[0] * ten && three <= growth[1] * ten, "{walks}");
    }
}

#[test]
fn shorter_steps_change_little_and_never_for_the_worse() {
    // Who stops for whom is luck, which evens out over twenty crowds.
    let steps = [0.1, 0.05, 0.02].map(|step| hallway(&["predictive"], 20, step).rows.remove(0));
    for two in steps.windows(2) {
        let [coarse, fine] = [two[0].walks, two[1].walks];
        assert!((fine.time.mean / coarse.time.mean - 1.0).abs() < 0.04, "{coarse:?} {fine:?}");
        assert!((fine.length.mean / coarse.length.mean - 1.0).abs() < 0.04, "{coarse:?} {fine:?}");
        assert!(fine.acceleration.mean <= coarse.acceleration.mean, "{coarse:?} {fine:?}");
    }
    let [coarse, _, fine] = steps;
    assert!(fine.walks.acceleration.mean < 0.95 * coarse.walks.acceleration.mean, "{fine:?}");
}

#[test]
fn progress_ends_when_all_is_done() {
    let seen = std::sync::Mutex::new(std::collections::BTreeSet::new());
    let hallway = Hallway { setup: setup(&["orca"], 3, 0.2), people: 4 };
    let watch = |progress: Progress| {
        assert_eq!(progress.total, 3);
        seen.lock().unwrap().insert(progress.done);
        true
    };
    hallway.run(&watch).unwrap();
    assert_eq!(seen.into_inner().unwrap().last(), Some(&3));
}

#[test]
fn who_wants_no_more_gets_no_results() {
    let looks = std::sync::atomic::AtomicUsize::new(0);
    let watch = |_| looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 100;
    let result = Doors::default().run(&watch);
    assert!(matches!(result, Err(ExperimentError::Interrupted)), "{result:?}");
    assert!(looks.into_inner() < 200, "all simulations end at once");
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
