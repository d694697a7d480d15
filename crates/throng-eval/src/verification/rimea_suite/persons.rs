//! Tests of single people: 1, 2, 3, 5, 6 and 7.

use std::collections::BTreeMap;

use throng_world::scene::file::SceneFile;

use crate::experiments::ExperimentError;
use crate::statistics::{Spread, quantile};
use crate::verification::bench::{Bench, Verdict};
use crate::verification::conduct::{Conduct, median_speeds};
use crate::verification::grade::{at_most, pass_if, rising, within, worst};
use crate::verification::record::{Estimate, listed, record};
use crate::verification::scenes::{
    AGES, CORNER, CORRIDOR, PREMOVEMENT, Placing, STAIRS_DOWN, STAIRS_UP, shipped,
};
use crate::verification::walk::Walk;

record! {
    /// Times for 40 m.
    pub struct Corridor: "corridor" effort 1 by measure_corridor {
        along_x: V = ("s", 2),
        /// Turned by 45°.
        turned: V = ("s", 2),
    }
}

fn measure_corridor(bench: &Bench) -> Result<Corridor, ExperimentError> {
    let turned = Placing { angle: 45.0, ..Placing::default() };
    let walls = [[[-2.0, 1.0], [44.0, 1.3]], [[-2.0, -1.3], [44.0, -1.0]]];
    let scene = turned.scene(60.0, &walls, [[42.5, -0.5], [43.5, 0.5]], 1.33, [[-1.0, 0.0]]);
    let [begin, end] = [0.0, 40.0].map(|x| [[x, -1.0], [x, 1.0]]);
    let time = |placing: Placing, file: SceneFile| -> Result<f64, ExperimentError> {
        Ok(between(&bench.walk(file)?, placing.line(begin), placing.line(end)))
    };
    let along_x = time(Placing::default(), shipped(CORRIDOR)?)?;
    Ok(Corridor { along_x, turned: time(turned, scene)? })
}

pub fn judge_corridor(times: &Corridor<Estimate>) -> Verdict {
    let turned = at_most((times.turned.mean() / times.along_x.mean() - 1.0).abs(), 0.01);
    let grade = worst([turned, times.along_x.within([26.0, 34.0])]);
    Verdict::new(grade, format!("{}, turned {}", times.along_x, times.turned))
}

record! {
    /// Time to climb the stairs of test 2.
    pub struct StairsUp: "stairs-up" effort 1 by measure_stairs_up {
        time: V = ("s", 2),
    }
}

fn measure_stairs_up(bench: &Bench) -> Result<StairsUp, ExperimentError> {
    let [foot, head] = [0.0, 8.0].map(|x| [[x, -1.0], [x, 1.0]]);
    Ok(StairsUp { time: between(&bench.walk(shipped(STAIRS_UP)?)?, foot, head) })
}

record! {
    /// Time to descend the stairs of test 3.
    pub struct StairsDown: "stairs-down" effort 1 by measure_stairs_down {
        time: V = ("s", 2),
    }
}

fn measure_stairs_down(bench: &Bench) -> Result<StairsDown, ExperimentError> {
    let [foot, head] = [0.0, 8.0].map(|x| [[x, 1.0], [x, -1.0]]);
    Ok(StairsDown { time: between(&bench.walk(shipped(STAIRS_DOWN)?)?, head, foot) })
}

pub fn judge_stairs_up(StairsUp { time }: &StairsUp<Estimate>) -> Verdict {
    judge_stair_time(time, 16.0)
}

pub fn judge_stairs_down(StairsDown { time }: &StairsDown<Estimate>) -> Verdict {
    judge_stair_time(time, 8.0 / 0.65)
}

fn judge_stair_time(time: &Estimate, expected: f64) -> Verdict {
    Verdict::new(time.within([0.95 * expected, 1.05 * expected]), time.to_string())
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

record! {
    /// Time from the end of the delay to the start: of the first and of the last to be late.
    pub struct Lateness {
        least: V = ("s", 2),
        most: V = ("s", 2),
    }
}

impl Lateness {
    /// That of people who are `moved` metres from where they began, by ascending id.
    pub fn of(walk: &Walk, moved: f32, delays: &[f64]) -> Self {
        let late: Vec<f64> =
            starts(walk, moved).iter().zip(delays).map(|(at, delay)| at - delay).collect();
        let extreme =
            |pick: fn(f64, f64) -> f64| late.iter().copied().reduce(pick).unwrap_or(f64::NAN);
        Self { least: extreme(f64::min), most: extreme(f64::max) }
    }
}

record! {
    /// How late the people of test 5 start.
    pub struct Premovement: "premovement" effort 1 by measure_premovement {
        /// When they are 0.05 m from where they stood, as test 5 has it. That takes somebody who speeds up over
        /// half a second 0.2 s, which is no delay of the start.
        away: Lateness<V>,
        /// When they are seen to move: [`BEGUN`] from where they stood.
        begun: Lateness<V>,
    }
}

/// How far somebody has moved who has begun to, m.
pub const BEGUN: f32 = 0.001;

fn measure_premovement(bench: &Bench) -> Result<Premovement, ExperimentError> {
    Ok(Premovement::of(&bench.walk(shipped(PREMOVEMENT)?)?))
}

impl Premovement {
    fn of(walk: &Walk) -> Self {
        let late = |moved| Lateness::of(walk, moved, &DELAYS);
        Self { away: late(0.05), begun: late(BEGUN) }
    }
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

/// Judges starts by the most that somebody may be early or late, s.
pub fn judge_lateness(late: &Lateness<Estimate>, tolerance: f64) -> Verdict {
    // Times of frames are sums of steps.
    let range = [-tolerance - 1e-6, tolerance + 1e-6];
    let grade = worst([late.least.within(range), late.most.within(range)]);
    Verdict::new(grade, format!("{} to {} late", late.least, late.most))
}

record! {
    /// What goes wrong at the corner of test 6.
    pub struct Corner: "corner" effort 1 by measure_corner {
        /// Positions in walls.
        outside: V = ("", 0),
        /// How deep a body is in a wall at most.
        overlap: V = ("m", 3),
        /// People who do not leave.
        left: V = ("", 0),
    }
}

fn measure_corner(bench: &Bench) -> Result<Corner, ExperimentError> {
    Ok(Corner::of(&bench.walk(shipped(CORNER)?)?))
}

impl Corner {
    fn of(walk: &Walk) -> Self {
        let conduct = Conduct::of(walk);
        let left = walk.moments.last().map_or(0, |last| last.ids.len());
        Self { outside: conduct.outside as f64, overlap: conduct.wall_overlap, left: left as f64 }
    }
}

pub fn judge_corner(corner: &Corner<Estimate>) -> Verdict {
    let [outside, overlap, left] = [corner.outside, corner.overlap, corner.left].map(|v| v.mean());
    let value = format!(
        "{outside} positions in walls, bodies {:.3} m in walls, {left} of 20 did not leave",
        overlap.max(0.0)
    );
    Verdict::new(worst([pass_if(outside == 0.0 && left == 0.0), at_most(overlap, 0.01)]), value)
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

record! {
    /// Median speeds over one second of the people of one age.
    pub struct AgeSpeeds {
        slowest: V = ("m/s", 2),
        mean: V = ("m/s", 3),
        fastest: V = ("m/s", 2),
        deviation: V = ("m/s", 3),
    }
}

record! {
    /// Speeds of the ages of test 7.
    pub struct Ages: "ages" effort 1 by measure_ages {
        ages: [AgeSpeeds<V>; AGE_GROUPS.len()],
    }
}

fn measure_ages(bench: &Bench) -> Result<Ages, ExperimentError> {
    let walk = bench.walk(shipped(AGES)?)?;
    let speeds = median_speeds(&walk);
    let of_age = |group: usize| {
        let of_group = |id: &u32| walk.groups.get(id).is_some_and(|g| g.0 as usize == group);
        let medians: Vec<f64> =
            (speeds.iter()).filter(|(id, _)| of_group(id)).map(|(_, speed)| *speed).collect();
        let Spread { mean, sd, .. } = Spread::of(&medians);
        let end = |share| quantile(&medians, share).unwrap_or(f64::NAN);
        AgeSpeeds { slowest: end(0.0), mean, fastest: end(1.0), deviation: sd }
    };
    Ok(Ages { ages: std::array::from_fn(of_age) })
}

pub fn judge_ages(Ages { ages }: &Ages<Estimate>) -> Verdict {
    let falls = rising(ages.iter().rev().map(|age| age.mean.mean()));
    let graded = |speeds: &AgeSpeeds<Estimate>, [low, high]: [f64; 2]| {
        let ends = [speeds.slowest.mean(), speeds.fastest.mean()];
        worst(ends.map(|speed| within(speed, [low - 0.03, high + 0.03]).strict()))
    };
    let grades = ages.iter().zip(AGE_GROUPS).map(|(speeds, (_, _, range))| graded(speeds, range));
    let outside: Vec<String> = (ages.iter().zip(AGE_GROUPS))
        .filter(|(speeds, (_, _, range))| !graded(speeds, *range).is_pass())
        .map(|(speeds, (age, ..))| {
            format!("{age}: {:.2} to {:.2} m/s", speeds.slowest.mean(), speeds.fastest.mean())
        })
        .collect();
    let means = listed(ages.iter().map(|age| &age.mean));
    let verdict = Verdict::new(worst(grades.chain([falls])), format!("means {means}"));
    match outside.is_empty() {
        true => verdict,
        false => verdict.with(format!("outside their range: {}", outside.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verification::record::judged;
    use crate::verification::report::Outcome;
    use crate::verification::walk::tests::made_up;

    fn outcome(corner: &Corner) -> Outcome {
        judge_corner(&judged(corner)).grade.outcome
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
        assert_eq!(outcome(&Corner::of(&round(0.0, false))), Outcome::Pass);
        let through = Corner::of(&round(0.0, true));
        // The wall is half a metre, and there is a metre beyond it; 1 mm is allowed.
        assert!(through.outside >= 7.0 && through.left == 0.0, "{through:?}");
        assert_eq!(outcome(&through), Outcome::Fail);
    }

    #[test]
    fn whoever_brushes_a_wall_fails_test_6_as_well() {
        // Bodies have a radius of 0.18 m, and walls are 1 m from the middle.
        assert_eq!(outcome(&Corner::of(&round(-0.815, false))), Outcome::Pass);
        let brushed = Corner::of(&round(-0.85, false));
        assert!(brushed.outside == 0.0 && (brushed.overlap - 0.03).abs() < 1e-3, "{brushed:?}");
        assert_eq!(outcome(&brushed), Outcome::Fail);
    }

    #[test]
    fn whoever_stays_fails_test_6() {
        let stays = made_up(CORNER, 2, 100, |id, _| Some((0, [2.0 + id as f32, 1.0])));
        assert_eq!(outcome(&Corner::of(&stays)), Outcome::Fail);
    }

    #[test]
    fn whoever_sets_out_at_another_time_fails_test_5() {
        let set_out = |late: f32| {
            let walk = made_up(PREMOVEMENT, 10, 2200, |id, frame| {
                let delay = 10.0 * (id as f32 + 1.0) + if id == 3 { late } else { 0.0 };
                let walked = 1.3 * (0.05 * frame as f32 - delay).max(0.0);
                Some((0, [1.0 + walked, 0.4 + 0.45 * id as f32]))
            });
            Premovement::of(&walk)
        };
        let outcome = |late: &Premovement| judge_lateness(&judged(&late.away), 0.5).grade.outcome;
        let well = set_out(0.0);
        for late in [&well.away, &well.begun] {
            assert!(late.least >= 0.0 && late.most < 0.11, "{well:?}");
        }
        assert_eq!(outcome(&well), Outcome::Pass);
        assert_eq!(outcome(&set_out(0.8)), Outcome::Fail);
        assert_eq!(outcome(&set_out(-5.0)), Outcome::Fail);
    }
}
