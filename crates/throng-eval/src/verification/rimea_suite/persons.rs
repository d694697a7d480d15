//! Tests of single people: 1, 2, 3, 5, 6 and 7.

use std::collections::BTreeMap;

use crate::experiments::ExperimentError;
use crate::statistics::{Spread, quantile};
use crate::verification::bench::{Bench, Verdict, listed, told, within, worst};
use crate::verification::conduct::{Conduct, median_speeds};
use crate::verification::report::Outcome;
use crate::verification::scenes::{
    AGES, CORNER, CORRIDOR, PREMOVEMENT, Placing, STAIRS_DOWN, STAIRS_UP, shipped,
};
use crate::verification::walk::Walk;

/// Time for 40 m, s, and the same turned by 45°.
pub fn corridor(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let turned = Placing { angle: 45.0, ..Placing::default() };
    let walls = [[[-2.0, 1.0], [44.0, 1.3]], [[-2.0, -1.3], [44.0, -1.0]]];
    let scene = turned.scene(60.0, &walls, [[42.5, -0.5], [43.5, 0.5]], 1.33, [[-1.0, 0.0]]);
    let [begin, end] = [0.0, 40.0].map(|x| [[x, -1.0], [x, 1.0]]);
    let straight = Placing::default();
    let [level, diagonal] =
        [(straight, shipped(CORRIDOR)?), (turned, scene)].map(|(placing, file)| {
            Ok::<_, ExperimentError>(between(
                &bench.walk(file)?,
                placing.line(begin),
                placing.line(end),
            ))
        });
    Ok(vec![level?, diagonal?])
}

pub fn judge_corridor(numbers: &[Spread]) -> Verdict {
    let [level, turned] = [numbers[0].mean, numbers[1].mean];
    let same = (turned / level - 1.0).abs() <= 0.01;
    let outcome = if same { within(level, [26.0, 34.0]) } else { Outcome::Fail };
    Verdict::new(outcome, format!("{} s, turned {} s", told(&numbers[0], 2), told(&numbers[1], 2)))
}

/// Time on the stairs, s, up or down.
pub fn stair_time(bench: &Bench, up: bool) -> Result<Vec<f64>, ExperimentError> {
    let walk = bench.walk(shipped(if up { STAIRS_UP } else { STAIRS_DOWN })?)?;
    let (foot, head) = (0.0, 8.0);
    let time = match up {
        true => between(&walk, [[foot, -1.0], [foot, 1.0]], [[head, -1.0], [head, 1.0]]),
        false => between(&walk, [[head, 1.0], [head, -1.0]], [[foot, 1.0], [foot, -1.0]]),
    };
    Ok(vec![time])
}

pub fn judge_stair(numbers: &[Spread], expected: f64) -> Verdict {
    let outcome = within(numbers[0].mean, [0.95 * expected, 1.05 * expected]);
    Verdict::new(outcome, format!("{} s", told(&numbers[0], 2)))
        .with("stairs take a fixed share of people's speed on the level")
}

/// From the first passage of a line to the first of another, s; infinity if there is none.
fn between(walk: &Walk, begin: [[f32; 2]; 2], end: [[f32; 2]; 2]) -> f64 {
    let first = |line| walk.passages(line).times().first().copied();
    match (first(begin), first(end)) {
        (Some(begin), Some(end)) => end - begin,
        _ => f64::INFINITY,
    }
}

/// The delays that people of test 5 were given, s, in the order of their ids.
const DELAYS: [f64; 10] = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0];

/// How far somebody has moved who has begun to, m: as test 5 has it, and as soon as it can be seen. The
/// 0.05 m take somebody who speeds up over half a second 0.2 s, which is no delay of the start.
const MOVED: [f32; 2] = [0.05, 0.001];

/// How much later than they were told to people of test 5 have moved, s: at least and at most, for both
/// distances.
pub fn delays(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    Ok(lateness(&bench.walk(shipped(PREMOVEMENT)?)?))
}

fn lateness(walk: &Walk) -> Vec<f64> {
    let late = |moved: f32| {
        let starts = starts(walk, moved);
        let late: Vec<f64> = starts.iter().zip(DELAYS).map(|(at, delay)| at - delay).collect();
        let extreme =
            |pick: fn(f64, f64) -> f64| late.iter().copied().reduce(pick).unwrap_or(f64::NAN);
        [extreme(f64::min), extreme(f64::max)]
    };
    MOVED.map(late).concat()
}

/// When everybody is `moved` metres from where they began, s, by ascending id; infinity for never.
pub fn starts(walk: &Walk, moved: f32) -> Vec<f64> {
    let mut began = BTreeMap::new();
    let mut starts: BTreeMap<u32, f64> = BTreeMap::new();
    for moment in &walk.moments {
        for (&id, &at) in moment.ids.iter().zip(&moment.positions) {
            if at.distance(*began.entry(id).or_insert(at)) > moved {
                starts.entry(id).or_insert(moment.time);
            }
        }
    }
    began.keys().map(|id| starts.get(id).copied().unwrap_or(f64::INFINITY)).collect()
}

pub fn judge_delays(numbers: &[Spread], tolerance: f64) -> Verdict {
    let [early, late] = [numbers[0].mean, numbers[1].mean];
    // Times of frames are sums of steps.
    let outcome = worst([early, late].map(|v| within(v, [-tolerance - 1e-6, tolerance + 1e-6])));
    Verdict::new(outcome, format!("{} s to {} s late", told(&numbers[0], 2), told(&numbers[1], 2)))
}

/// How often somebody is in a wall, the deepest a body is in one, and how many do not leave.
pub fn round_corner(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    Ok(corner_numbers(&bench.walk(shipped(CORNER)?)?))
}

fn corner_numbers(walk: &Walk) -> Vec<f64> {
    let conduct = Conduct::of(walk);
    let left = walk.moments.last().map_or(0, |last| last.ids.len());
    vec![conduct.outside as f64, conduct.wall_overlap, left as f64]
}

pub fn judge_corner(numbers: &[Spread]) -> Verdict {
    let [outside, overlap, left] = [0, 1, 2].map(|i| numbers[i].mean);
    let value = format!(
        "{outside} positions in walls, bodies {:.3} m in walls, {left} of 20 did not leave",
        overlap.max(0.0)
    );
    Verdict::of(outside == 0.0 && left == 0.0 && overlap <= 0.01, value)
}

/// Of each age, how many there are and their speeds, m/s.
const AGE_GROUPS: [(u32, usize, [f64; 2]); 6] = [
    (20, 10, [1.60, 1.64]),
    (30, 10, [1.52, 1.56]),
    (40, 10, [1.46, 1.50]),
    (50, 10, [1.39, 1.43]),
    (60, 5, [1.27, 1.27]),
    (70, 5, [1.07, 1.07]),
];

/// For each age the slowest, the mean, the fastest, and the standard deviation of people's median
/// speeds over one second, m/s.
pub fn free_speeds(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let walk = bench.walk(shipped(AGES)?)?;
    let speeds = median_speeds(&walk);
    let mut numbers = Vec::new();
    for group in 0..AGE_GROUPS.len() {
        let of_group = |id: &u32| walk.groups.get(id).is_some_and(|g| g.0 as usize == group);
        let medians: Vec<f64> =
            (speeds.iter()).filter(|(id, _)| of_group(id)).map(|(_, speed)| *speed).collect();
        let Spread { mean, sd, .. } = Spread::of(&medians);
        let end = |share| quantile(&medians, share).unwrap_or(f64::NAN);
        numbers.extend([end(0.0), mean, end(1.0), sd]);
    }
    Ok(numbers)
}

pub fn judge_ages(numbers: &[Spread]) -> Verdict {
    let ages = numbers.chunks(4).zip(AGE_GROUPS);
    let within_range = |(speeds, (_, _, [low, high])): (&[Spread], (u32, usize, [f64; 2]))| {
        speeds[0].mean >= low - 0.03 && speeds[2].mean <= high + 0.03
    };
    let means: Vec<Spread> = numbers.chunks(4).map(|age| age[1]).collect();
    let falls = means.windows(2).all(|pair| pair[1].mean < pair[0].mean);
    let outside: Vec<String> = (ages.clone())
        .filter(|age| !within_range(*age))
        .map(|(speeds, (age, ..))| {
            format!("{age}: {:.2} to {:.2} m/s", speeds[0].mean, speeds[2].mean)
        })
        .collect();
    let verdict =
        Verdict::of(falls && outside.is_empty(), format!("means {} m/s", listed(&means, 3)));
    match outside.is_empty() {
        true => verdict,
        false => verdict.with(format!("outside their range: {}", outside.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verification::over_seeds;
    use crate::verification::suite::Suite;
    use crate::verification::walk::tests::made_up;

    fn outcome(id: &str, numbers: Vec<f64>) -> Outcome {
        let test = Suite::Rimea.tests().iter().find(|test| test.id == id).unwrap();
        test.judged(&over_seeds(&[numbers])).outcome
    }

    /// Somebody who walks along the corner of test 6, `off` metres from the middle of its first leg, and then
    /// leaves; with `through`, straight on through the outer wall.
    fn round(off: f32, through: bool) -> Walk {
        made_up(CORNER, 1, 400, |_, frame| {
            let way = 1.0 + 0.06 * frame as f32;
            match way {
                way if way < 11.0 => Some((0, [way, 1.0 + off])),
                way if through && way < 14.0 => Some((0, [way, 1.0])),
                way if !through && way < 21.0 => Some((0, [11.0, way - 10.0 + off])),
                _ => None,
            }
        })
    }

    #[test]
    fn whoever_walks_through_a_wall_fails_test_6() {
        assert_eq!(outcome("6", corner_numbers(&round(0.0, false))), Outcome::Pass);
        let through = corner_numbers(&round(0.0, true));
        // The wall is half a metre, and there is a metre beyond it; 1 mm is allowed.
        assert!(through[0] >= 7.0 && through[2] == 0.0, "{through:?}");
        assert_eq!(outcome("6", through), Outcome::Fail);
    }

    #[test]
    fn whoever_brushes_a_wall_fails_test_6_as_well() {
        // Bodies have a radius of 0.18 m, and walls are 1 m from the middle.
        assert_eq!(outcome("6", corner_numbers(&round(-0.815, false))), Outcome::Pass);
        let brushed = corner_numbers(&round(-0.85, false));
        assert!(brushed[0] == 0.0 && (brushed[1] - 0.03).abs() < 1e-3, "{brushed:?}");
        assert_eq!(outcome("6", brushed), Outcome::Fail);
    }

    #[test]
    fn whoever_stays_fails_test_6() {
        let stays = made_up(CORNER, 2, 100, |id, _| Some((0, [2.0 + id as f32, 1.0])));
        assert_eq!(outcome("6", corner_numbers(&stays)), Outcome::Fail);
    }

    #[test]
    fn whoever_sets_out_at_another_time_fails_test_5() {
        let set_out = |late: f32| {
            let walk = made_up(PREMOVEMENT, 10, 2200, |id, frame| {
                let delay = 10.0 * (id as f32 + 1.0) + if id == 3 { late } else { 0.0 };
                let walked = 1.3 * (0.05 * frame as f32 - delay).max(0.0);
                Some((0, [1.0 + walked, 0.4 + 0.45 * id as f32]))
            });
            lateness(&walk)
        };
        let well = set_out(0.0);
        assert!(well.iter().all(|late| (0.0..0.11).contains(late)), "{well:?}");
        assert_eq!(outcome("5", well), Outcome::Pass);
        assert_eq!(outcome("5", set_out(0.8)), Outcome::Fail);
        assert_eq!(outcome("5", set_out(-5.0)), Outcome::Fail);
    }
}
