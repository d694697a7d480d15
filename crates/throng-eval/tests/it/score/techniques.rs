//! Scores that compare with an ideal, and ranks.

use throng_eval::score::{
    Collector, Ideals, RunMetrics, Score, ScoreOptions, Technique, Weights, rank, score,
};

use super::track::{Somebody, at, hall, take};

/// Two people who have 9.5 m to walk at 1 m/s, each at a pace of their own; who is not done at the end
/// stays where they are.
fn run(paces: [f64; 2], seconds: f64) -> (RunMetrics, Ideals) {
    let scene = hall(
        "[[groups]]\nname = \"walkers\"\nspeed = 1\nthen = \"leave\"\n[[groups.people]]\n\
         position = [0, 0]\ngoals = [{ seek = [10, 0], within = 0.5 }]\n[[groups.people]]\n\
         position = [0, 9]\ngoals = [{ seek = [10, 9], within = 0.5 }]\n",
    );
    let mut collector = Collector::new(&scene, ScoreOptions::default()).unwrap();
    for frame in 0..=(seconds * 20.0) as u32 {
        let time = f64::from(frame) * 0.05;
        let person = |(id, y): (u32, f32)| {
            let x = paces[id as usize] * time;
            (x <= 9.5 + 1e-6).then(|| at(id, x as f32, y))
        };
        let people: Vec<Somebody> = [(0, 0.0), (1, 9.0)].into_iter().filter_map(person).collect();
        take(&mut collector, time, &people).unwrap();
    }
    let ideals = collector.ideals().clone();
    (collector.finish(), ideals)
}

fn judged((metrics, ideals): &(RunMetrics, Ideals), technique: Technique) -> Score {
    score(metrics, ideals, technique, &Weights::default())
}

fn term(score: &Score, name: &str) -> f64 {
    score.terms.iter().find(|term| term.0 == name).unwrap().1
}

#[test]
fn whoever_walks_as_if_alone_has_one() {
    let ideal = judged(&run([1.0, 1.0], 20.0), Technique::Normalised);
    assert!((ideal.total - 1.0).abs() < 1e-4 && ideal.completion == 1.0, "{ideal:?}");
    // At half the pace it takes twice the time and half the energy, which is not rewarded.
    let slow = judged(&run([1.0, 0.5], 20.0), Technique::Normalised);
    assert!((slow.agents[1].total - 0.75).abs() < 0.01, "{slow:?}");
    assert!((slow.total - 0.875).abs() < 0.01);
    assert!((term(&slow, "percentile10") - (0.75 + 0.1 * 0.25)).abs() < 0.01);
    assert_eq!(term(&slow, "unjudged"), 0.0);
}

#[test]
fn contacts_divide_the_normalised_score() {
    let (mut metrics, ideals) = run([1.0, 1.0], 20.0);
    metrics.agents[0].collisions = 3;
    let touched = judged(&(metrics, ideals), Technique::Normalised);
    assert!((touched.agents[0].total - 0.25).abs() < 1e-4, "{touched:?}");
}

#[test]
fn who_never_arrives_has_nothing_and_is_not_cheap() {
    let (stuck, done) = (run([1.0, 0.0], 12.0), run([1.0, 1.0], 12.0));
    let score = judged(&stuck, Technique::Normalised);
    assert_eq!((score.completion, score.agents[1].total), (0.5, 0.0), "{score:?}");
    for technique in [Technique::Composite01, Technique::Energy, Technique::LeastEffort] {
        let (stuck, done) = (judged(&stuck, technique), judged(&done, technique));
        assert!(stuck.agents[1].total > 0.99 * done.agents[1].total, "{technique}: {stuck:?}");
        assert_eq!(rank(&[stuck.clone(), done.clone()]), [1, 0], "{technique}");
        assert_eq!(rank(&[done, stuck]), [0, 1], "{technique}");
    }
}

#[test]
fn a_run_in_which_somebody_is_left_never_ranks_above_one_that_completes() {
    let made_up = |total: f64, completion: f64, technique| Score {
        technique,
        total,
        terms: Vec::new(),
        agents: Vec::new(),
        completion,
    };
    let ranked = |technique, runs: &[(f64, f64)]| {
        let scores: Vec<Score> =
            runs.iter().map(|&(total, completion)| made_up(total, completion, technique)).collect();
        rank(&scores)
    };
    let runs = [(10.0, 0.99), (900.0, 1.0), (300.0, 1.0), (1.0, 0.5), (f64::NAN, 1.0), (9.0, 0.99)];
    assert_eq!(ranked(Technique::Composite01, &runs), [2, 1, 5, 0, 3, 4]);
    let runs = [(0.98, 0.99), (0.2, 1.0), (0.3, 1.0), (0.9, 0.5)];
    assert_eq!(ranked(Technique::Normalised, &runs), [2, 1, 0, 3]);
}

#[test]
fn names_lead_back_to_techniques() {
    for technique in Technique::ALL {
        assert_eq!(Technique::from_name(&technique.to_string()), Some(technique));
    }
    assert_eq!(Technique::from_name("composite"), None);
}
