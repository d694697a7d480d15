//! Every check can pass, and every part of it can fail: numbers as they should be, with one of them
//! spoilt at a time.

use super::over_seeds;
use super::report::Outcome::{self, Documented, Fail, Pass, Warn};
use super::suite::Suite;

/// Numbers that are well, and what each spoilt one comes to.
struct Case {
    id: &'static str,
    good: Vec<f64>,
    /// Which number, what it is instead, and what comes of it.
    spoilt: Vec<(usize, f64, Outcome)>,
}

const NEVER: f64 = f64::INFINITY;
const NONE: f64 = f64::NAN;

fn case(id: &'static str, good: &[f64], spoilt: &[(usize, f64, Outcome)]) -> Case {
    Case { id, good: good.to_vec(), spoilt: spoilt.to_vec() }
}

fn judged(suite: Suite, id: &str, numbers: &[f64]) -> (Outcome, String) {
    let test = suite.tests().iter().find(|test| test.id == id).unwrap();
    let count: usize = test.measures.iter().map(|measure| measure.count).sum();
    assert_eq!(numbers.len(), count, "{id} takes so many numbers");
    let check = test.judged(&over_seeds(&[numbers.to_vec()]));
    (check.outcome, format!("{check:?}"))
}

fn check(suite: Suite, cases: Vec<Case>) {
    let ids: Vec<&str> = cases.iter().map(|case| case.id).collect();
    assert_eq!(ids, suite.ids().collect::<Vec<_>>(), "each has a case");
    for Case { id, good, spoilt } in cases {
        let (outcome, told) = judged(suite, id, &good);
        assert!(matches!(outcome, Pass | Documented), "{id} does not pass: {told}");
        assert!(outcome == Documented || !spoilt.is_empty(), "{id} cannot fail");
        for (index, value, expected) in spoilt {
            let mut numbers = good.clone();
            numbers[index] = value;
            let (outcome, told) = judged(suite, id, &numbers);
            assert_eq!(outcome, expected, "{id} with number {index} = {value}: {told}");
        }
    }
}

/// Speed in three areas and density for each of the seven densities of RiMEA 4.
fn diagram() -> Vec<f64> {
    let speeds = [1.3, 1.1, 0.7, 0.4, 0.2, 0.1, 0.05];
    let densities = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    speeds.iter().zip(densities).flat_map(|(v, rho)| [*v, *v, *v, rho]).collect()
}

/// Slowest, mean, fastest and deviation of each age.
fn ages() -> Vec<f64> {
    [1.62, 1.54, 1.48, 1.41, 1.27, 1.07].iter().flat_map(|v| [*v, *v, *v, 0.01]).collect()
}

fn stairs() -> Vec<f64> {
    [vec![0.6; 9], vec![0.7; 9], vec![0.6]].concat()
}

/// Medians of people in single file.
const SINGLE_FILE: [f64; 13] =
    [1.19, 1.16, 1.09, 0.97, 0.75, 0.52, 0.39, 0.27, 0.20, 0.16, 0.13, 0.10, 0.08];

/// Speeds and flows of people in classes of density.
fn corridor(speeds: &[f64]) -> Vec<f64> {
    let from = [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5];
    let point = |(v, from): (&f64, f64)| {
        let middle = from + if from < 2.0 { 0.125 } else { 0.25 };
        [*v, v * middle]
    };
    speeds.iter().zip(from).flat_map(point).collect()
}

const ONE_WAY: [f64; 11] = [1.49, 1.43, 1.38, 1.22, 1.19, 1.08, 0.95, 0.53, 0.39, 0.22, 0.16];
const COUNTER_FLOW: [f64; 10] = [1.50, 1.39, 1.22, 1.14, 0.91, 0.85, 0.72, 0.58, 0.46, 0.40];

#[test]
fn every_test_of_rimea_can_fail() {
    let never_out = |index| (index, NEVER, Fail);
    check(
        Suite::Rimea,
        vec![
            case("1", &[30.1, 30.1], &[(0, 35.5, Fail), (1, 30.6, Fail), (1, NEVER, Fail)]),
            case("2", &[16.0], &[(0, 15.0, Warn), (0, 14.0, Fail), (0, NEVER, Fail)]),
            case("3", &[12.3], &[(0, 14.0, Fail)]),
            case(
                "4",
                &diagram(),
                // Faster at 3 than at 2 people/m²; nobody; backwards; another speed at the wall.
                &[(12, 0.8, Fail), (12, NONE, Fail), (24, -0.2, Fail), (1, 1.6, Warn)],
            ),
            case(
                "5",
                &[0.2, 0.3, 0.0, 0.05],
                &[(1, 1.0, Fail), (0, -20.0, Fail), (1, NEVER, Fail)],
            ),
            case("6", &[0.0, 0.0, 0.0], &[(0, 1.0, Fail), (1, 0.02, Fail), (2, 1.0, Fail)]),
            case("7", &ages(), &[(0, 1.5, Fail), (2, 1.7, Fail), (5, 1.7, Fail)]),
            case("8", &[70.0, 46.0, 37.0], &[]),
            case("9", &[180.0, 340.0], &[(1, 200.0, Fail), (1, 500.0, Fail), never_out(1)]),
            case("10", &[23.0, 23.0, 17.0], &[(0, 22.0, Fail), never_out(2)]),
            case(
                "11",
                &[0.6, 300.0, 300.0, 290.0],
                &[(0, 0.4, Fail), (0, 1.0, Fail), never_out(1)],
            ),
            case(
                "12",
                &[1.5, 1.4, 19.0, 7.0, 110.0],
                &[(0, 1.3, Fail), (2, 6.0, Fail), (3, 13.0, Fail), never_out(4)],
            ),
            case(
                "12a",
                &[85.0, 96.0, 95.5, 95.0],
                &[(0, 95.1, Fail), (1, 99.0, Fail), (3, NEVER, Fail)],
            ),
            case("12b", &[95.0, 1.6, 108.0, 1.4], &[(2, 90.0, Fail), (3, 1.7, Fail), never_out(2)]),
            case(
                "12c",
                &[25.0, 14.0, 19.0, 10.0, 120.0],
                &[(1, 25.0, Fail), (3, 13.0, Fail), never_out(4)],
            ),
            case("12d", &[1.5, 1.9, 2.3], &[(1, 1.5, Fail), (0, 1.0, Warn), (2, 3.0, Warn)]),
            case(
                "13v3",
                &[3.3, 2.9, 3.0, 2.0, 1.6, 100.0],
                &[(1, 3.28, Fail), (2, 1.5, Fail), (3, 1.5, Fail), never_out(5)],
            ),
            case("13", &stairs(), &[(0, 0.75, Fail), (18, 0.4, Fail), (18, NONE, Fail)]),
            case("14", &[0.9, 80.0], &[]),
            case("15", &[100.0, 70.0, 106.0], &[(0, 60.0, Fail), (0, 110.0, Fail), never_out(0)]),
            // One of 13 classes does not matter; the next test has more.
            case("16", &SINGLE_FILE, &[(0, 0.2, Pass)]),
        ],
    );
    let too_fast = SINGLE_FILE.map(|_| 1.3);
    assert_eq!(judged(Suite::Rimea, "16", &too_fast).0, Fail);
    let mut few = [NONE; 13];
    few[..2].copy_from_slice(&SINGLE_FILE[..2]);
    assert_eq!(judged(Suite::Rimea, "16", &few).0, Fail, "two classes are no diagram");
    assert_eq!(judged(Suite::Rimea, "13", &[NONE; 19]).0, Fail, "nobody on the stairs");
    assert_eq!(judged(Suite::Rimea, "9", &[NEVER; 2]).0, Fail, "nobody out");
    assert_eq!(judged(Suite::Rimea, "12a", &[NEVER; 4]).0, Fail, "nobody through");
}

#[test]
fn every_check_of_realism_can_fail() {
    let never = |index| (index, NEVER, Fail);
    let free = 1.34;
    let both_ways = [corridor(&ONE_WAY), corridor(&COUNTER_FLOW)].concat();
    // g, pairs, slope and classes; distances; smoothness.
    let law = [vec![0.05, 0.2, 1.0, 100.0, 100.0, 4000.0, -2.0], vec![0.5; 16]].concat();
    let street = [law, vec![0.5, 0.01, 0.004], vec![0.16, 1.25, 0.06, 0.12, 0.15, 0.99, 0.5]];
    let street = street.concat();
    check(
        Suite::Realism,
        vec![
            case("V01", &[30.1, 30.1], &[(0, 40.0, Fail), (1, 31.0, Fail)]),
            case("V02", &[16.0, 12.3], &[(0, 14.0, Fail), (1, 14.0, Fail)]),
            case(
                "V03",
                &[0.2, 0.3, 0.0, 0.1, 0.9, 0.9, 0.9, 0.9],
                &[(3, 0.15, Warn), (3, 0.3, Fail), (2, -5.0, Fail), (6, 0.01, Fail)],
            ),
            case("V04", &[0.0; 6], &[(0, 1.0, Fail), (1, 0.02, Fail), (5, 3.0, Pass)]),
            case("V05", &[0.0; 6], &[(2, 0.002, Fail), (3, 0.02, Fail)]),
            case(
                "V06",
                &[ages(), vec![1.2, 0.2]].concat(),
                &[(0, 1.4, Fail), (24, 1.3, Fail), (25, 0.3, Fail)],
            ),
            case(
                "V07",
                &[150.0, 300.0],
                &[(1, 200.0, Fail), (1, 400.0, Fail), never(1), (0, 100.0, Fail)],
            ),
            case(
                "V08",
                &[23.0, 23.0, 17.0, 12.0, 4.0],
                &[(0, 22.0, Fail), never(2), never(3), (4, 3.0, Fail)],
            ),
            case("V09", &[0.0; 3], &[(0, 1.0, Fail), (1, 1.0, Fail), (2, 1.0, Fail)]),
            case(
                "V10",
                &[17.0, 17.1, 17.0, 17.0, 17.0, 16.9, 1.0],
                &[(1, 17.3, Fail), (5, NEVER, Fail), (6, 0.0, Fail)],
            ),
            case(
                "V11",
                &[free, 1.05 * free, free, 1.05 * free],
                &[(1, 1.051 * free, Warn), (3, 1.6 * free, Fail), (3, NONE, Fail)],
            ),
            case("V12", &[80.0, 95.0, 95.5, 96.0], &[(1, 92.6, Warn), (3, 105.0, Fail), never(2)]),
            case(
                "L01",
                &corridor(&ONE_WAY),
                // Too fast; too much at its best; the most where it is already dense.
                &[(12, 1.6, Fail), (11, 2.3, Fail), (17, 1.85, Fail), (15, 1.95, Warn)],
            ),
            case(
                "L02",
                &both_ways,
                // Too slow, too much, and as much as one way.
                &[(28, 0.5, Fail), (33, 1.7, Fail), (33, 1.55, Warn)],
            ),
            case("L03", &SINGLE_FILE, &[(0, 0.2, Pass)]),
            case(
                "L04",
                &[1.38, 1.86, 2.2, 2.95, 3.7, 4.5],
                &[(0, 0.8, Fail), (1, 3.0, Fail), (5, 6.5, Fail), (5, 0.0, Fail)],
            ),
            case(
                "L05",
                &[95.0, 1.6, 108.0, 1.4],
                &[(1, 2.5, Fail), (1, 1.0, Fail), (3, 0.0, Fail)],
            ),
            case("L06", &[1.2], &[(0, 1.35, Warn), (0, 1.8, Fail), (0, 0.9, Fail)]),
            case("L07", &stairs(), &[(9, 0.5, Fail), (18, 0.4, Fail)]),
            case("L08", &[100.0, 70.0, 106.0], &[(0, 110.0, Fail), never(0)]),
            case("L09", &[1.65, 0.5], &[(0, 0.9, Fail), (1, 0.2, Fail), (1, NONE, Fail)]),
            case(
                "L10",
                &[50.0, 60.0, 80.0, 120.0],
                &[(1, 45.0, Fail), never(3), (3, 155.0, Warn), (3, 300.0, Fail)],
            ),
            case(
                "L11",
                &[1.15, 7.0, 0.5],
                &[(0, 0.8, Fail), (1, 2.8, Fail), (2, 0.1, Fail), (2, 1.5, Fail)],
            ),
            case(
                "R01",
                &street,
                &[(0, 0.9, Fail), (1, 0.8, Fail), (1, 0.0, Fail), (2, 2.0, Fail), (0, NONE, Fail)],
            ),
            case("R02", &street, &[(23, 0.1, Fail), (23, 2.0, Fail), (24, 0.1, Fail)]),
            case(
                "R03",
                &street,
                &[
                    (28, 0.3, Fail),
                    (29, 0.01, Fail),
                    (30, 0.6, Fail),
                    (31, 0.1, Fail),
                    (32, 1.5, Fail),
                    (28, NONE, Fail),
                ],
            ),
            case(
                "R04",
                &[0.75, 0.1, 0.93, 5.0],
                // No lanes; lanes that never change; nobody follows; stripes askew.
                &[(0, 0.1, Fail), (1, 0.01, Fail), (0, 1.0, Warn), (2, 0.6, Fail), (3, 40.0, Fail)],
            ),
            case(
                "R05",
                &[0.8, 75.0, 0.9, 5.0],
                &[(0, 5.0, Fail), (1, 20.0, Fail), (2, 1.3, Fail), (3, 22.0, Fail), never(3)],
            ),
        ],
    );
    assert_eq!(judged(Suite::Realism, "L03", &SINGLE_FILE.map(|_| 1.3)).0, Fail);
    assert_eq!(judged(Suite::Realism, "L01", &[NONE; 22]).0, Fail, "no diagram");
    let mut as_much = both_ways.clone();
    for flow in as_much[1..22].iter_mut().step_by(2) {
        *flow = 1.2;
    }
    assert_eq!(judged(Suite::Realism, "L02", &as_much).0, Fail, "more than one way");
    assert_eq!(judged(Suite::Realism, "R05", &[NONE, NONE, NONE, 5.0]).0, Fail, "no pairs");
}
