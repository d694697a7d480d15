//! Tests of where people go: 8, 10 and 14.

use crate::experiments::ExperimentError;
use crate::verification::bench::{Bench, Verdict, each};
use crate::verification::grade::Grade;
use crate::verification::record::{Estimate, listed, record};
use crate::verification::report::Plot;
use crate::verification::scenes::{CABINS, STOREYS, WAYS, shipped};
use crate::verification::walk::Walk;
use throng_world::scene::file::given;
use throng_world::scene::{GroupId, LayerId};

/// Preferred speeds of test 8, m/s.
const SPEEDS: [f64; 3] = [0.8, 1.2, 1.6];

record! {
    /// Times to leave three storeys, for each of [`SPEEDS`].
    pub struct Storeys: "storeys" effort 3 by measure_storeys {
        times: [V; SPEEDS.len()] = ("s", 1),
    }
}

fn measure_storeys(bench: &Bench) -> Result<Storeys, ExperimentError> {
    let times = each(SPEEDS, |speed| {
        let mut file = shipped(STOREYS)?;
        file.groups.iter_mut().for_each(|group| group.speed = given(speed));
        Ok(bench.walk(file)?.emptied())
    })?;
    Ok(Storeys { times })
}

pub fn judge_storeys(Storeys { times }: &Storeys<Estimate>) -> Verdict {
    let falls = times.windows(2).all(|pair| pair[1].mean() < pair[0].mean());
    let what = if falls { "the faster people are, the sooner" } else { "not sooner with speed" };
    let plot = Plot::new("speed, m/s", "last has left, s").curve("", SPEEDS.into_iter().zip(times));
    Verdict::new(Grade::DOCUMENTED, listed(times)).with(what).drawn(plot)
}

record! {
    /// How people of test 10 leave.
    pub struct Cabins: "cabins" effort 1 by measure_cabins {
        /// People who leave by the exit they were told to take.
        right: V = ("", 0),
        /// People in all.
        all: V = ("", 0),
        /// When the last has left.
        emptied: V = ("s", 1),
    }
}

fn measure_cabins(bench: &Bench) -> Result<Cabins, ExperimentError> {
    Ok(Cabins::of(&bench.walk(shipped(CABINS)?)?))
}

impl Cabins {
    fn of(walk: &Walk) -> Self {
        let by_assigned = |(id, at): &(u32, glam::Vec2)| match walk.groups.get(id) {
            Some(GroupId(0)) => at.x < -1.0,
            _ => at.x > 19.0,
        };
        let right = walk.last_seen().into_iter().filter(by_assigned).count();
        Self { right: right as f64, all: walk.people() as f64, emptied: walk.emptied() }
    }
}

pub fn judge_assigned(Cabins { right, all, emptied }: &Cabins<Estimate>) -> Verdict {
    let passed = right.mean() == all.mean() && emptied.is_finite();
    Verdict::of(passed, format!("{} of {}", right.mean(), all.mean()))
        .with(format!("the last at {emptied}"))
}

record! {
    /// The choice of test 14.
    pub struct Ways: "ways" effort 3 by measure_ways {
        /// Share of those who take the short way, through the basement.
        short: V = ("", 2),
        /// When the last has left.
        emptied: V = ("s", 0),
    }
}

fn measure_ways(bench: &Bench) -> Result<Ways, ExperimentError> {
    let walk = bench.walk(shipped(WAYS)?)?;
    let mut below = std::collections::BTreeSet::new();
    for moment in &walk.moments {
        let there = moment.ids.iter().zip(&moment.layers);
        below.extend(there.filter(|(_, layer)| **layer == LayerId(1)).map(|(id, _)| *id));
    }
    let short = below.len() as f64 / walk.people().max(1) as f64;
    Ok(Ways { short, emptied: walk.emptied() })
}

pub fn judge_choice(Ways { short, emptied }: &Ways<Estimate>) -> Verdict {
    let way = match short.mean() {
        share if share > 0.95 => "short",
        share if share < 0.05 => "long",
        _ => "mixed",
    };
    Verdict::new(Grade::DOCUMENTED, format!("{way}: {short} by the short way"))
        .with(format!("the last at {emptied}; `cost` and `ways` of a scene change it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verification::record::judged;
    use crate::verification::report::Outcome;
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
            judge_assigned(&judged(&Cabins::of(&walk))).grade.outcome
        };
        assert_eq!(leaves(99), Outcome::Pass);
        assert_eq!(leaves(4), Outcome::Fail);
        assert_eq!(leaves(20), Outcome::Fail);
    }
}
