//! Suites end to end, in small.

use throng_eval::experiments::{ExperimentError, Setup};
use throng_eval::verification::{Check, Outcome, Suite, SuiteReport, some_of};

fn setup(models: &[&str], seeds: u32) -> Setup {
    Setup { models: models.iter().map(|name| name.parse().unwrap()).collect(), seeds, step: 0.05 }
}

fn run(suite: Suite, ids: &[&str], models: &[&str]) -> SuiteReport {
    some_of(suite, ids, &setup(models, 1), &|_| true).unwrap()
}

fn check<'a>(report: &'a SuiteReport, model: usize, id: &str) -> &'a Check {
    report.rows[model].1.iter().find(|check| check.id == id).unwrap()
}

#[test]
fn single_people_do_as_they_are_told() {
    let report = run(Suite::Rimea, &["1", "2", "3", "5", "6", "10"], &["pedestrian", "orca"]);
    for (model, checks) in &report.rows {
        for check in checks {
            assert_eq!(check.outcome, Outcome::Pass, "{model}: {check:?}");
        }
    }
    let text = report.to_string();
    assert!(text.contains("RiMEA with orca, 1 seed, step 0.05 s: 6 of 6 passed"), "{text}");
    assert!(text.contains("turned by 45°"), "{text}");
}

#[test]
fn the_same_every_time_and_in_the_order_of_the_suite() {
    let ids = ["6", "1"];
    let report = run(Suite::Rimea, &ids, &["pedestrian"]);
    assert_eq!(report, run(Suite::Rimea, &ids, &["pedestrian"]));
    let order: Vec<_> = report.rows[0].1.iter().map(|check| check.id).collect();
    assert_eq!(order, ["1", "6"]);
}

#[test]
fn people_who_do_not_slow_down_fail() {
    // With `none`, nobody heeds anybody: speed does not fall with density.
    let report = run(Suite::Rimea, &["16"], &["none"]);
    assert_eq!(check(&report, 0, "16").outcome, Outcome::Fail, "{report}");
    // Nor do they queue, keep out of each other's way, or sort themselves.
    let unlike_people = ["L06", "L11", "R01", "R04"];
    let report = run(Suite::Realism, &unlike_people, &["none"]);
    for id in unlike_people {
        assert_eq!(check(&report, 0, id).outcome, Outcome::Fail, "{report}");
    }
}

#[test]
fn companions_keep_together_with_models_of_every_kind() {
    let models = ["pedestrian", "orca", "predictive"];
    let report = run(Suite::Realism, &["R05"], &models);
    for model in 0..models.len() {
        assert_eq!(check(&report, model, "R05").outcome, Outcome::Pass, "{report}");
    }
}

#[test]
fn counts_add_up_and_closed_doors_are_walked_round() {
    let report = run(Suite::Realism, &["V08", "V09"], &["pedestrian"]);
    for id in ["V08", "V09"] {
        assert_eq!(check(&report, 0, id).outcome, Outcome::Pass, "{report}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let go_on = |_| true;
    let message = |result: Result<SuiteReport, ExperimentError>| result.unwrap_err().to_string();
    let one = setup(&["orca"], 1);
    let unknown = some_of(Suite::Rimea, &["17"], &one, &go_on);
    assert!(message(unknown).contains("a test of the suite cannot be 17"));
    assert!(message(some_of(Suite::Rimea, &["1"], &setup(&[], 1), &go_on)).contains("no model"));
    assert!(message(some_of(Suite::Rimea, &["1"], &setup(&["orca"], 0), &go_on)).contains("seeds"));
    let interrupted = some_of(Suite::Rimea, &["1"], &one, &|_| false);
    assert!(matches!(interrupted, Err(ExperimentError::Interrupted)));
}

#[test]
fn data_has_what_the_table_has() {
    let report = run(Suite::Rimea, &["10"], &["orca"]);
    let check = check(&report, 0, "10");
    assert_eq!((check.value.as_str(), check.outcome), ("23 of 23", Outcome::Pass));
    assert!(check.source.contains("RiMEA") && check.expected.contains("all 23"));
}
