//! Tests of crowds at doors and corners: 9, 11, 12, 12a to 12d and 15.

use throng_world::scene::file::{Goal, Obstacle, Region, SceneFile, list};

use crate::experiments::ExperimentError;
use crate::line::Trim;
use crate::statistics::Spread;
use crate::verification::bench::{Bench, Verdict, listed, told, within};
use crate::verification::report::{Outcome, Plot};
use crate::verification::scenes::{
    BOTTLENECKS, EXITS, HALL, LONG_OPENING, OPENING, SERIES, WIDE_CORNER, adults, group, scene,
    shipped,
};
use crate::verification::walk::Walk;

/// The first ten find no queue yet.
const STEADY: Trim = Trim { first: 10, last: 0 };
/// A box of 6 m² with more people than this is a queue: two per m².
const QUEUE: f64 = 12.0;

/// When the last has left the hall of test 9, s, with four doors and with two.
pub fn hall_times(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let four = shipped(HALL)?;
    let mut two = four.clone();
    let doors = [[[4.0, 20.0], [5.0, 20.3]], [[25.0, 20.0], [26.0, 20.3]]];
    two.obstacles.extend(list(doors.map(Obstacle::block)));
    let time = |file: SceneFile| -> Result<f64, ExperimentError> {
        let mut emptied = f64::INFINITY;
        bench.watch(file, |frame| {
            if frame.people.is_empty() {
                emptied = frame.time;
            }
            !frame.people.is_empty()
        })?;
        Ok(emptied)
    };
    Ok(vec![time(four)?, time(two)?])
}

pub fn judge_hall(numbers: &[Spread]) -> Verdict {
    let ratio = numbers[1].mean / numbers[0].mean;
    let value = format!("{ratio:.2} times: {} s", listed(numbers, 0));
    Verdict::new(within(ratio, [1.6, 2.4]), value)
}

/// The share that takes the near door, when the last has left, s, and by the far door.
pub fn exits(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let mut near = std::collections::BTreeMap::new();
    let (mut emptied, mut people) = (f64::INFINITY, 0);
    bench.watch(shipped(EXITS)?, |frame| {
        people = people.max(frame.people.len());
        for (id, at) in frame.people.ids.iter().zip(&frame.people.positions) {
            // Who is outside has gone through one of the doors.
            if at.y < -0.3 {
                near.entry(*id).or_insert((at.x < 24.5, frame.time));
            }
        }
        if frame.people.is_empty() {
            emptied = frame.time;
        }
        !frame.people.is_empty()
    })?;
    let last = |door: bool| {
        near.values().filter(|exit| exit.0 == door).map(|exit| exit.1).fold(0.0, f64::max)
    };
    let share = near.values().filter(|exit| exit.0).count() as f64 / people.max(1) as f64;
    Ok(vec![share, emptied, last(true), last(false)])
}

pub fn judge_exits(numbers: &[Spread]) -> Verdict {
    let share = numbers[0].mean;
    let value = format!("{} by the near door", told(&numbers[0], 2));
    Verdict::of(share > 0.5 && share < 1.0 && numbers[1].mean.is_finite(), value).with(format!(
        "the last at {} s; at the near door {} s, at the far one {} s",
        told(&numbers[1], 0),
        told(&numbers[2], 0),
        told(&numbers[3], 0)
    ))
}

/// Flows of the first and of the last bottleneck, people/s, and how many are before each on average.
pub fn bottlenecks(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let walk = bench.walk(shipped(BOTTLENECKS)?)?;
    let mut numbers: Vec<f64> = [10.0, 25.0].map(|x| flow(&walk, x)).into();
    numbers.extend([10.0, 25.0].map(|x| mean_before(&walk, x)));
    numbers.push(walk.emptied());
    Ok(numbers)
}

pub fn judge_bottlenecks(numbers: &[Spread]) -> Verdict {
    let [first, last, before_first, before_last] = [0, 1, 2, 3].map(|i| numbers[i].mean);
    let passed = first >= last - 0.05
        && before_first > before_last
        && before_last < QUEUE
        && numbers[4].mean.is_finite();
    Verdict::of(passed, format!("flows {} /s", listed(&numbers[..2], 2)))
        .with(format!("{} people before them on average", listed(&numbers[2..4], 1)))
}

/// Distances of the goal behind the opening, m.
const GOALS: [f64; 4] = [0.2, 2.5, 5.0, 9.8];

/// When the last is through the opening, s, for goals at several distances behind it.
pub fn goal_times(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let time = |a: f64| {
        let mut file = shipped(OPENING)?;
        for region in file.regions.iter_mut().filter(|region| *region.name == "goal") {
            **region = Region::rectangle("goal", [[10.2 + a, 0.2], [10.4 + a, 9.8]]);
        }
        Ok(through(&bench.walk(file)?))
    };
    GOALS.into_iter().map(time).collect()
}

pub fn judge_goal(numbers: &[Spread]) -> Verdict {
    let times: Vec<f64> = numbers.iter().map(|number| number.mean).collect();
    let passed = times[0] <= times[3] && flatness(&times[1..]) <= 0.03;
    Verdict::of(passed, format!("{} s", listed(numbers, 1)))
        .with(format!("{:.1} % between goals beyond 2 m", 100.0 * flatness(&times[1..])))
        .drawn(Plot::new("goal behind the opening, m", "last through, s").curve("", goals(numbers)))
}

/// Times by where the goal is.
fn goals(numbers: &[Spread]) -> impl Iterator<Item = (f64, &Spread)> {
    GOALS.into_iter().zip(numbers)
}

/// How far values lie apart, as a share of their mean.
pub fn flatness(values: &[f64]) -> f64 {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (high - low) / (values.iter().sum::<f64>() / values.len().max(1) as f64)
}

/// For openings 0.2 m and 5 m long, until all have left, s, and the flow, people/s.
pub fn lengths(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let mut numbers = Vec::new();
    for text in [OPENING, LONG_OPENING] {
        let walk = bench.walk(shipped(text)?)?;
        numbers.extend([through(&walk), flow(&walk, 10.0)]);
    }
    Ok(numbers)
}

pub fn judge_lengths(numbers: &[Spread]) -> Verdict {
    let [short, short_flow, long, long_flow] = [0, 1, 2, 3].map(|i| numbers[i].mean);
    let value = format!(
        "flow {} /s and {} /s, last through at {} s and {} s",
        told(&numbers[1], 2),
        told(&numbers[3], 2),
        told(&numbers[0], 0),
        told(&numbers[2], 0)
    );
    Verdict::of(long >= short && long_flow <= short_flow && long.is_finite(), value)
}

/// How many are before the first and the second opening, at most and on average.
pub fn series(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let walk = bench.walk(shipped(SERIES)?)?;
    let peak = |x: f32| walk.counts(before(x)).into_iter().max().unwrap_or_default() as f64;
    let mut numbers = vec![peak(10.0), peak(20.2)];
    numbers.extend([10.0, 20.2].map(|x| mean_before(&walk, x)));
    numbers.push(walk.emptied());
    Ok(numbers)
}

pub fn judge_series(numbers: &[Spread]) -> Verdict {
    let passed =
        numbers[0].mean > numbers[1].mean && numbers[3].mean < QUEUE && numbers[4].mean.is_finite();
    Verdict::of(passed, format!("at most {} people in 6 m²", listed(&numbers[..2], 0)))
        .with(format!("{} on average", listed(&numbers[2..4], 1)))
}

/// Widths of openings, m.
const WIDTHS: [f64; 3] = [0.8, 1.0, 1.2];

/// Flows through openings 5 m long, people/s.
pub fn widths(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    WIDTHS.into_iter().map(|width| Ok(flow(&bench.walk(passage(width))?, 10.0))).collect()
}

pub fn judge_widths(numbers: &[Spread]) -> Verdict {
    let flows: Vec<f64> = numbers.iter().map(|number| number.mean).collect();
    let grows = flows.windows(2).all(|pair| pair[1] > pair[0]);
    let near = flows.iter().zip(WIDTHS).all(|(flow, b)| (flow / (1.9 * b) - 1.0).abs() <= 0.2);
    let outcome = match (grows, near) {
        (true, true) => Outcome::Pass,
        (true, false) => Outcome::Warn,
        (false, _) => Outcome::Fail,
    };
    Verdict::new(outcome, format!("{} people/s", listed(numbers, 2)))
        .with("near: within a fifth; else a warning")
        .drawn(
            Plot::new("width, m", "flow, people/s")
                .curve("", WIDTHS.into_iter().zip(numbers))
                .expecting("1.9 /s per metre ± 20 %", WIDTHS.map(|b| (b, [1.52 * b, 2.28 * b]))),
        )
}

/// Two rooms and a passage 5 m long and `width` wide between them.
fn passage(width: f64) -> SceneFile {
    let (low, high) = (5.0 - width / 2.0, 5.0 + width / 2.0);
    let walls = [
        [[-0.2, -0.2], [25.2, 0.0]],
        [[-0.2, 10.0], [25.2, 10.2]],
        [[-0.2, 0.0], [0.0, 10.0]],
        [[25.0, 0.0], [25.2, 10.0]],
        [[10.0, 0.0], [15.0, low]],
        [[10.0, high], [15.0, 10.0]],
    ];
    let regions = [("start", [[0.3, 0.3], [5.0, 9.7]]), ("goal", [[24.5, 0.2], [24.7, 9.8]])];
    let groups = [group("people", adults(), Goal::seek("goal")).dense_crowd(150, "start")];
    scene(300.0, [[-1.0, -1.0], [26.0, 11.0]], &walls, &regions, groups)
}

/// When the last has left, s: round the corner, 50 m straight on, and 81 m.
pub fn wide_corner(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let straight = |length: f64| {
        let walls = [
            [[-0.5, -0.5], [length, 0.0]],
            [[-0.5, 20.0], [length, 20.5]],
            [[-0.5, 0.0], [0.0, 20.0]],
        ];
        let regions = [
            ("start", [[0.3, 0.3], [6.0, 19.7]]),
            ("exit", [[length + 0.5, -0.5], [length + 4.0, 20.5]]),
        ];
        let groups = [group("people", adults(), Goal::seek("exit")).dense_crowd(500, "start")];
        scene(300.0, [[-2.0, -2.0], [length + 6.0, 22.0]], &walls, &regions, groups)
    };
    [shipped(WIDE_CORNER)?, straight(50.0), straight(81.0)]
        .into_iter()
        .map(|file| Ok(bench.walk(file)?.emptied()))
        .collect()
}

pub fn judge_wide_corner(numbers: &[Spread]) -> Verdict {
    let [corner, short, long] = [0, 1, 2].map(|i| numbers[i].mean);
    let value = format!(
        "{} s round the corner, {} s and {} s straight on",
        told(&numbers[0], 1),
        told(&numbers[1], 1),
        told(&numbers[2], 1)
    );
    Verdict::of(short <= corner && corner <= long && long.is_finite(), value)
}

/// Flow of the 1 m (or as wide as it is) opening at `x`, people/s; 0 if nobody passes.
fn flow(walk: &Walk, x: f32) -> f64 {
    walk.passages([[x, 4.0], [x, 6.0]]).flow(STEADY).unwrap_or_default()
}

/// When the last of all is through the opening at 10 m, s.
fn through(walk: &Walk) -> f64 {
    let passages = walk.passages([[10.0, 4.0], [10.0, 6.0]]);
    match passages.times().last() {
        Some(&last) if passages.times().len() == walk.people() => last,
        _ => f64::INFINITY,
    }
}

/// A box of 2 m by 3 m before an opening at `x`.
fn before(x: f32) -> [[f32; 2]; 2] {
    [[x - 2.0, 3.5], [x, 6.5]]
}

/// How many are in the box before an opening while its flow is steady: from the tenth to the last
/// but ten who pass.
fn mean_before(walk: &Walk, x: f32) -> f64 {
    let passages = walk.passages([[x, 4.0], [x, 6.0]]);
    let times = passages.times();
    let (Some(&from), Some(&to)) = (times.get(10), times.iter().rev().nth(10)) else {
        return f64::NAN;
    };
    let counts = walk.counts(before(x));
    let steady: Vec<f64> = (walk.moments.iter().zip(counts))
        .filter(|(moment, _)| (from..=to).contains(&moment.time))
        .map(|(_, count)| count as f64)
        .collect();
    Spread::of(&steady).mean
}
