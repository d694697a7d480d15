//! What does not matter: who has which number, how the world is turned, and units of weights.

use glam::Vec2;
use proptest::prelude::*;
use throng_eval::score::{Ideals, RunMetrics, Technique, Weights, score};

use super::track::{Somebody, at, watch};

/// A few people on ways that cross, by numbers that make them up.
#[derive(Clone, Debug)]
struct Walk {
    start: Vec2,
    velocity: Vec2,
    sway: f32,
}

fn walk() -> impl Strategy<Value = Walk> {
    ((-3.0f32..3.0, -3.0f32..3.0), (-1.5f32..1.5, -1.5f32..1.5), 0.0f32..1.0).prop_map(
        |(start, velocity, sway)| Walk { start: start.into(), velocity: velocity.into(), sway },
    )
}

fn metrics(walks: &[Walk], mirror: Vec2, ids: impl Fn(usize) -> u32) -> RunMetrics {
    watch(20.0, 4.0, |time| {
        let person = |(number, walk): (usize, &Walk)| {
            let t = time as f32;
            let aside = walk.velocity.perp() * walk.sway * (2.0 * t).sin();
            let place = (walk.start + walk.velocity * t + aside) * mirror;
            let facing = walk.velocity * mirror;
            Somebody { heading: facing.to_angle(), ..at(ids(number), place.x, place.y) }
        };
        let mut people: Vec<Somebody> = walks.iter().enumerate().map(person).collect();
        people.sort_by_key(|person| person.id);
        people
    })
}

fn totals(metrics: &RunMetrics, weights: &Weights) -> Vec<f64> {
    let total = |technique| score(metrics, &Ideals::default(), technique, weights).total;
    Technique::ALL.into_iter().filter(|t| *t != Technique::Normalised).map(total).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn neither_numbers_nor_mirrors_matter(walks in prop::collection::vec(walk(), 1..7)) {
        let weights = Weights::default();
        let plain = totals(&metrics(&walks, Vec2::ONE, |n| n as u32), &weights);
        let count = walks.len() as u32;
        let renumbered = totals(&metrics(&walks, Vec2::ONE, |n| 7 * (count - n as u32)), &weights);
        let mirrored = totals(&metrics(&walks, Vec2::new(-1.0, 1.0), |n| n as u32), &weights);
        for ((plain, renumbered), mirrored) in plain.iter().zip(&renumbered).zip(&mirrored) {
            prop_assert!((plain - renumbered).abs() <= 1e-4 * plain.max(1.0));
            prop_assert!((plain - mirrored).abs() <= 1e-4 * plain.max(1.0));
        }
    }

    #[test]
    fn scores_are_linear_in_their_weights(
        walks in prop::collection::vec(walk(), 1..5),
        a in prop::array::uniform4(0.0f64..100.0),
        b in prop::array::uniform4(0.0f64..100.0),
        share in 0.0f64..1.0,
    ) {
        let metrics = metrics(&walks, Vec2::ONE, |n| n as u32);
        let weights = |[alpha, beta, gamma, delta]: [f64; 4]| {
            Weights { alpha, beta, gamma, delta, ..Weights::default() }
        };
        let between = std::array::from_fn(|i| a[i] * share + b[i] * (1.0 - share));
        for technique in [Technique::Composite01, Technique::Composite02] {
            let total = |w| score(&metrics, &Ideals::default(), technique, &weights(w)).total;
            let expected = total(a) * share + total(b) * (1.0 - share);
            prop_assert!((total(between) - expected).abs() <= 1e-9 * expected.max(1.0));
            // Each term on its own, and nothing else.
            let score = score(&metrics, &Ideals::default(), technique, &weights(a));
            let sum: f64 = score.terms.iter().map(|term| term.1).sum();
            prop_assert!((score.total - sum).abs() <= 1e-9 * sum.max(1.0));
        }
        let nothing = score(&metrics, &Ideals::default(), Technique::Composite02, &weights([0.0; 4]));
        prop_assert_eq!(nothing.total, 0.0);
    }
}
