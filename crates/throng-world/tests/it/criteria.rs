//! Criteria of scenes: what they mean, and what is said about those that mean nothing.

use proptest::prelude::*;

use throng_world::scene::{Criterion, CriterionError, RunQuantity};

fn read(text: &str) -> Result<Criterion, CriterionError> {
    text.parse()
}

/// Completion is 1, time 20 and everything else unknown.
fn of_run(quantity: RunQuantity) -> Option<f64> {
    match quantity {
        RunQuantity::Completion => Some(1.0),
        RunQuantity::Time => Some(20.0),
        _ => None,
    }
}

#[test]
fn formulas_are_worked_out_as_in_school() {
    let left = |text: &str| read(&format!("{text} < time")).unwrap().sides(of_run)[0];
    assert_eq!(left("1 + 2 * 3"), 7.0);
    assert_eq!(left("(1 + 2) * 3"), 9.0);
    assert_eq!(left("10 - 4 - 3"), 3.0);
    assert_eq!(left("16 / 4 / 2"), 2.0);
    assert_eq!(left("-time + - -2 * 1.5e1"), 10.0);
    assert_eq!(left("-(2 - .5)*time"), -30.0);
    assert!(left("deviation * 0").is_nan());
    assert_eq!(left("time / 0"), f64::INFINITY);
}

#[test]
fn comparisons_hold_or_do_not() {
    let met = |text: &str| read(text).unwrap().is_met(of_run);
    assert!(met("time < 20.5") && !met("time < 20"));
    assert!(met("time <= 20") && !met("time<=19.9"));
    assert!(met("time > 19") && !met("time > 20"));
    assert!(met("time >= 20") && !met("time >= 20.1"));
    assert!(met("completion == 1") && !met("completion == 0.99"));
    assert!(met("completion != 0") && !met("completion != 1"));
    // Nothing that is not known is met, in either direction.
    assert!(!met("deviation < 1") && !met("deviation >= 1") && !met("deviation != 1"));
}

#[test]
fn a_criterion_says_what_it_is_about() {
    let criterion = read(" time <= 1.5 * ideal_time ").unwrap();
    let quantities: Vec<RunQuantity> = criterion.quantities().collect();
    assert_eq!(quantities, [RunQuantity::Time, RunQuantity::IdealTime]);
    assert_eq!(criterion.to_string(), "time <= 1.5 * ideal_time");
}

#[test]
fn mistakes_are_told_with_their_place_and_a_way_out() {
    let told = |text: &str| {
        let error = read(text).unwrap_err();
        (text[error.at.clone()].to_owned(), error.to_string())
    };
    let check = |text: &str, place: &str, message: &str| {
        let (at, said) = told(text);
        assert_eq!(at, place, "{text}: {said}");
        assert!(said.contains(message), "{text}: {said}");
    };
    check("colisions == 0", "colisions", "did you mean `collisions`?");
    check("comfort > 0", "comfort", "the quantities are completion, collisions,");
    check("time = 3", "=", "did you mean `==`?");
    check("time", "", "expected a comparison, found its end");
    check("", "", "expected a number or a quantity, found its end");
    check("time <", "", "found its end");
    check("0 < time < 3", "<", "a criterion of its own");
    check("time < 3 and spins == 0", "a", "write an operator");
    check("time + and < 3", "and", "a criterion of its own");
    check("time < (3 + 2", "(", "write the `)`");
    check("time < 3)", ")", "remove it");
    check("time < 3.2.1", "3.2.1", "is no number");
    check("time < 1e999", "1e999", "is no number");
    check("1 < 2", "1 < 2", "about no quantity");
    check("time < 2 * ü%", "ü", "there is no quantity `ü`");
    check("time ≤ 3", "≤", "expected a comparison");
}

#[test]
fn however_long_or_deep_nothing_overflows() {
    let long = format!("time < 0{}", "+1*2".repeat(100_000));
    assert_eq!(read(&long).unwrap().sides(of_run)[1], 200_000.0);
    for deep in ["(", "-", "-(", "1*("] {
        let error = read(&format!("time < {}", deep.repeat(100_000))).unwrap_err();
        assert!(error.to_string().contains("nested more than 32 deep"), "{error}");
    }
    let allowed = format!("time < {}1{}", "(".repeat(31), ")".repeat(31));
    assert!(read(&allowed).is_ok());
}

proptest! {
    #[test]
    fn any_text_is_a_criterion_or_an_error_that_points_into_it(
        text in r"(\PC{0,12}|(time|spins|[a-z]{1,5}|[0-9.e]{1,5}|[-+*/()<>=! é]{1,3}){0,14})",
    ) {
        match read(&text) {
            Ok(criterion) => {
                prop_assert!(criterion.quantities().count() > 0);
                let again = read(criterion.text()).unwrap();
                prop_assert_eq!(again, criterion);
            }
            Err(error) => {
                prop_assert!(text.get(error.at.clone()).is_some(), "{:?}", error.at);
                prop_assert!(!error.help.is_empty() && !error.to_string().contains('\n'));
            }
        }
    }

    #[test]
    fn sums_and_products_are_those_of_the_numbers(
        [a, b, c, d] in prop::array::uniform4(0.0..1000.0f64),
    ) {
        let criterion = read(&format!("{a} - {b} * ({c} + -{d}) == time")).unwrap();
        prop_assert_eq!(criterion.sides(of_run)[0], a - b * (c + -d));
    }
}
