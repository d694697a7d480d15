//! Tests of where people go: 8, 10 and 14.

use crate::experiments::ExperimentError;
use crate::statistics::Spread;
use crate::verification::bench::{Bench, Verdict, listed, told};
use crate::verification::report::{Outcome, Plot};
use crate::verification::scenes::{CABINS, STOREYS, WAYS, shipped};
use crate::verification::walk::Walk;
use throng_world::scene::file::given;
use throng_world::scene::{GroupId, LayerId};

/// Preferred speeds of test 8, m/s.
const SPEEDS: [f64; 3] = [0.8, 1.2, 1.6];

/// Times to leave three storeys, s, at each of these speeds.
pub fn storeys(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let time = |speed: f64| {
        let mut file = shipped(STOREYS)?;
        file.groups.iter_mut().for_each(|group| group.speed = given(speed));
        Ok(bench.walk(file)?.emptied())
    };
    SPEEDS.into_iter().map(time).collect()
}

pub fn judge_storeys(numbers: &[Spread]) -> Verdict {
    let falls = numbers.windows(2).all(|pair| pair[1].mean < pair[0].mean);
    let value = format!("{} s", listed(numbers, 1));
    let what = if falls { "the faster people are, the sooner" } else { "not sooner with speed" };
    let plot =
        Plot::new("speed, m/s", "last has left, s").curve("", SPEEDS.into_iter().zip(numbers));
    Verdict::new(Outcome::Documented, value).with(what).drawn(plot)
}

/// How many leave by the exit they were told to take, and how many there are.
pub fn assigned(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    Ok(assigned_numbers(&bench.walk(shipped(CABINS)?)?))
}

fn assigned_numbers(walk: &Walk) -> Vec<f64> {
    let by_assigned = |(id, at): &(u32, glam::Vec2)| match walk.groups.get(id) {
        Some(GroupId(0)) => at.x < -1.0,
        _ => at.x > 19.0,
    };
    let right = walk.last_seen().into_iter().filter(by_assigned).count();
    vec![right as f64, walk.people() as f64, walk.emptied()]
}

pub fn judge_assigned(numbers: &[Spread]) -> Verdict {
    let passed = numbers[0].mean == numbers[1].mean && numbers[2].mean.is_finite();
    Verdict::of(passed, format!("{} of {}", numbers[0].mean, numbers[1].mean))
        .with(format!("the last at {} s", told(&numbers[2], 1)))
}

/// The share that takes the short way, through the basement, and when the last has left, s.
pub fn choice(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let walk = bench.walk(shipped(WAYS)?)?;
    let mut below = std::collections::BTreeSet::new();
    for moment in &walk.moments {
        let there = moment.ids.iter().zip(&moment.layers);
        below.extend(there.filter(|(_, layer)| **layer == LayerId(1)).map(|(id, _)| *id));
    }
    Ok(vec![below.len() as f64 / walk.people().max(1) as f64, walk.emptied()])
}

pub fn judge_choice(numbers: &[Spread]) -> Verdict {
    let way = match numbers[0].mean {
        share if share > 0.95 => "short",
        share if share < 0.05 => "long",
        _ => "mixed",
    };
    Verdict::new(Outcome::Documented, format!("{way}: {} by the short way", told(&numbers[0], 2)))
        .with(format!(
            "the last at {} s; `cost` and `ways` of a scene change it",
            told(&numbers[1], 0)
        ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verification::over_seeds;
    use crate::verification::walk::tests::made_up;

    #[test]
    fn whoever_takes_another_exit_fails_test_10() {
        let leaves = |wrong: u32| {
            // Those of the first group leave to the left, others to the right.
            let walk = made_up(CABINS, 23, 300, |id, frame| {
                let group = u16::from(id >= 15);
                let way = if (group == 0) != (id == wrong) { -1.0 } else { 1.0 };
                let x = 9.0 + way * 0.06 * frame as f32;
                (x > -2.0 && x < 20.0).then_some((group, [x, 1.0]))
            });
            judge_assigned(&over_seeds(&[assigned_numbers(&walk)])).outcome
        };
        assert_eq!(leaves(99), Outcome::Pass);
        assert_eq!(leaves(4), Outcome::Fail);
        assert_eq!(leaves(20), Outcome::Fail);
    }
}
