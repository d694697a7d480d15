//! What is no walk gets no score.

use std::f32::consts::PI;

use throng_eval::score::{
    Collector, Fault, Ideals, ScoreError, ScoreOptions, Technique, Weights, score,
};

use super::track::{Somebody, at, collector, hall, take};

fn refused(frames: &[(f64, Vec<Somebody>)]) -> Fault {
    let mut collector = collector(&hall(""));
    let results: Vec<_> =
        frames.iter().map(|(time, people)| take(&mut collector, *time, people)).collect();
    let (last, before) = results.split_last().unwrap();
    assert!(before.iter().all(Result::is_ok), "{results:?}");
    let Err(ScoreError::Frame(fault)) = last else { panic!("taken: {last:?}") };
    // The run is over: no further frame is taken, and there is nothing to score.
    let again = take(&mut collector, 99.0, &[at(1, 0.0, 0.0)]);
    assert!(
        matches!(again, Err(ScoreError::Frame(same)) if format!("{same:?}") == format!("{fault:?}"))
    );
    let metrics = collector.finish();
    assert!(metrics.agents.is_empty() && metrics.events.is_empty());
    let composite =
        score(&metrics, &Ideals::default(), Technique::Composite01, &Weights::default());
    assert!(composite.total.is_nan() && composite.completion == 0.0);
    fault.clone()
}

#[test]
fn time_has_to_pass() {
    let people = || vec![at(4, 0.0, 0.0)];
    let fault = refused(&[(0.0, people()), (0.1, people()), (0.1, people())]);
    assert_eq!(fault, Fault::Time { frame: 2, person: Some(4), time: 0.1, before: 0.1 });
    let message = fault.to_string();
    assert!(message.contains("frame 2") && message.contains("person 4"), "{message}");
    refused(&[(1.0, people()), (0.9, people())]);
    let fault = refused(&[(0.0, people()), (f64::NAN, people())]);
    assert!(fault.to_string().contains("frame 1 (with person 4) is at NaN s"), "{fault}");
}

#[test]
fn everybody_has_to_be_somewhere() {
    let good = || vec![at(1, 0.0, 0.0), at(9, 3.0, 0.0)];
    let fault = refused(&[(0.0, good()), (0.1, vec![at(1, 0.0, 0.0), at(9, f32::NAN, 0.0)])]);
    let message = fault.to_string();
    assert!(message.contains("frame 1") && message.contains("person 9"), "{message}");
    refused(&[(0.0, vec![at(1, 0.0, f32::INFINITY)])]);
    refused(&[(0.0, vec![Somebody { heading: f32::NAN, ..at(1, 0.0, 0.0) }])]);
    refused(&[(0.0, vec![Somebody { radius: -PI, ..at(1, 0.0, 0.0) }])]);
    let fault = refused(&[(0.0, vec![Somebody { layer: 3, ..at(1, 0.0, 0.0) }])]);
    assert!(matches!(fault, Fault::Layer { frame: 0, person: 1, layer: 3, count: 1 }));
}

#[test]
fn ids_have_to_ascend() {
    let fault = refused(&[(0.0, vec![at(2, 0.0, 0.0), at(1, 3.0, 0.0)])]);
    assert_eq!(fault, Fault::Order { frame: 0, person: 1, before: 2 });
    refused(&[(0.0, vec![at(2, 0.0, 0.0), at(2, 3.0, 0.0)])]);
}

#[test]
fn options_have_to_make_sense() {
    let with = |options| Collector::with_ideals(&hall(""), Ideals::default(), options);
    let usual = ScoreOptions::default();
    for wrong in [
        ScoreOptions { window: 0.0, ..usual },
        ScoreOptions { window: f64::NAN, ..usual },
        ScoreOptions { rate: 0.0, ..usual },
        ScoreOptions { contact_threshold: -0.1, ..usual },
        ScoreOptions { long_contact: f64::INFINITY, ..usual },
    ] {
        assert!(matches!(with(wrong), Err(ScoreError::Option { .. })), "{wrong:?}");
    }
    let error = with(ScoreOptions { window: 9.0, ..usual }).unwrap_err().to_string();
    assert_eq!(error, "window cannot be 9; take 1 to 5 s");
    assert!(with(ScoreOptions { contact_threshold: 0.05, ..usual }).is_ok());
}
