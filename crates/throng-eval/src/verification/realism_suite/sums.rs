//! V03 to V12: whether the simulation does what it was told.

use std::collections::BTreeMap;

use glam::Vec2;
use throng::Engine;
use throng::recording::Frame;
use throng_base::random::{Purpose, Random};
use throng_world::scene::file::{Goal, Interval, Obstacle, SceneFile, Varied, Whom, given, list};

use crate::experiments::ExperimentError;
use crate::line::Direction;
use crate::statistics::Spread;
use crate::verification::bench::{Bench, Verdict, listed, told, within, worst};
use crate::verification::conduct::{Conduct, median_speeds, second_speeds};
use crate::verification::report::Outcome;
use crate::verification::rimea_suite as rimea;
use crate::verification::scenes::{
    Corners, OPENING, PREMOVEMENT, Placing, RIMEA_SCENES, group, placed, scene, shipped,
};
use crate::verification::walk::Walk;

/// Families of delays: their cumulative distributions, s.
const FAMILIES: [fn(f64) -> f64; 4] = [
    |t| ((t - 10.0) / 90.0).clamp(0.0, 1.0),
    |t| 1.0 - (1.0 + t / 15.0) * (-t / 15.0).exp(),
    |t| 0.5 * (1.0 + error_function((t.max(1e-9).ln() - 3.4) / (0.5 * std::f64::consts::SQRT_2))),
    |t| 1.0 - (-(t / 40.0).powf(1.5)).exp(),
];

/// For each family of delays, how probable starts like these are.
pub fn families(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let mut numbers = Vec::new();
    for family in FAMILIES {
        let mut file = shipped(PREMOVEMENT)?;
        let people = file.groups.iter_mut().flat_map(|group| &mut group.people);
        for (nth, person) in people.enumerate() {
            let delay = inverse(family, (nth as f64 + 0.5) / 10.0);
            let goals = person.goals.iter_mut().flat_map(|goals| goals.iter_mut());
            for goal in goals.filter(|goal| goal.idle.is_some()) {
                goal.idle = given((1e3 * delay).round() / 1e3);
            }
        }
        numbers.push(kolmogorov_smirnov(&rimea::starts(&bench.walk(file)?, BEGUN), family));
    }
    Ok(numbers)
}

/// How far somebody has moved who has begun to, m.
const BEGUN: f32 = 0.001;

pub fn judge_delays(numbers: &[Spread]) -> Verdict {
    // The first two are of those who are 0.05 m away: nobody speeds up so fast.
    let (late, probable) = (rimea::judge_delays(&numbers[2..4], 0.1), &numbers[4..]);
    let drawn = match probable.iter().all(|p| p.mean > 0.05) {
        true => Outcome::Pass,
        false => Outcome::Fail,
    };
    let verdict = Verdict::new(worst([late.outcome, drawn]), late.value)
        .with(format!("p {} for uniform, gamma, log-normal and Weibull", listed(probable, 2)));
    match numbers[2].mean < -1.0 {
        true => Verdict {
            detail: format!("people who stand are pushed by those around them; {}", verdict.detail),
            ..verdict
        },
        false => verdict,
    }
}

/// Where a distribution has reached a share.
fn inverse(distribution: fn(f64) -> f64, share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1000.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if distribution(middle) < share { low = middle } else { high = middle }
    }
    low
}

/// How probable it is that a sample as far from a distribution is drawn from it.
fn kolmogorov_smirnov(sample: &[f64], distribution: fn(f64) -> f64) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let off = |(i, value): (usize, &f64)| {
        let (expected, i) = (distribution(*value), i as f64);
        (expected - i / count).abs().max((expected - (i + 1.0) / count).abs())
    };
    let largest = sorted.iter().enumerate().map(off).fold(0.0, f64::max);
    if sorted.is_empty() || largest.is_nan() {
        return 0.0;
    }
    let x = (count.sqrt() + 0.12 + 0.11 / count.sqrt()) * largest;
    if x < 0.2 {
        return 1.0;
    }
    let term = |k: i32| f64::from(1 - 2 * ((k - 1) % 2)) * (-2.0 * f64::from(k * k) * x * x).exp();
    (2.0 * (1..50).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

/// The error function, to 2e-7 (Abramowitz and Stegun 7.1.26).
fn error_function(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let series = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let sum = series.iter().fold(0.0, |sum, c| sum * t + c) * t;
    (1.0 - sum * (-x * x).exp()).copysign(x)
}

/// How people behave in all scenes of RiMEA: positions in walls, the deepest a body is in one, shares of
/// overlaps, sparse and dense, how often somebody jumps, and is beyond the border of an open world.
pub fn conduct(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let mut conduct = Conduct::default();
    for (_, text) in RIMEA_SCENES {
        // The first minute has the densest crowds of all.
        conduct = conduct.and(Conduct::of(&shortly(bench, shipped(text)?, 60.0)?));
    }
    let share = |[some, all]: [u64; 2]| some as f64 / (all as f64).max(1.0);
    Ok(vec![
        conduct.outside as f64,
        conduct.wall_overlap.max(0.0),
        share(conduct.sparse_overlaps),
        share(conduct.dense_overlaps),
        conduct.jumps as f64,
        conduct.beyond as f64,
    ])
}

/// A walk that ends after some time.
fn shortly(bench: &Bench, file: SceneFile, duration: f64) -> Result<Walk, ExperimentError> {
    let scene = bench.scene(file)?;
    let mut walk = Walk::new(&scene, bench.step);
    bench.runs.simulate(scene, |frame| {
        walk.push(frame);
        !frame.people.is_empty() && frame.time < duration
    })?;
    Ok(walk)
}

pub fn judge_walls(numbers: &[Spread]) -> Verdict {
    let [outside, overlap] = [numbers[0].mean, numbers[1].mean];
    let value = format!("{outside} positions in walls, bodies {overlap:.3} m");
    let verdict = Verdict::of(outside == 0.0 && overlap <= 0.01, value);
    match numbers[5].mean {
        0.0 => verdict,
        beyond => verdict.with(format!("{beyond} positions beyond the border of an open world")),
    }
}

pub fn judge_bodies(numbers: &[Spread]) -> Verdict {
    let [sparse, dense] = [numbers[2].mean, numbers[3].mean].map(|share| 100.0 * share);
    Verdict::of(sparse < 0.1 && dense < 1.0, format!("{sparse:.3} % and {dense:.3} %"))
}

/// Mean and standard deviation of the speeds of a hundred people who walk apart, m/s.
pub fn hundred(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let speed = Varied::normal(1.2, 0.2, [0.6, 1.8]);
    let places = (0..100).map(|nth| [0.0, 1.5 * f64::from(nth)]);
    let groups = [group("people", speed, Goal::flow([1.0, 0.0])).people_at(places)];
    let walk = bench.walk(scene(30.0, [[-2.0, -2.0], [70.0, 152.0]], &[], &[], groups))?;
    let medians: Vec<f64> = median_speeds(&walk).into_values().collect();
    let Spread { mean, sd, .. } = Spread::of(&medians);
    Ok(vec![mean, sd])
}

pub fn judge_demographics(numbers: &[Spread]) -> Verdict {
    let (ages, hundred) = numbers.split_at(numbers.len() - 2);
    let ages = rimea::judge_ages(ages);
    let drawn = (hundred[0].mean - 1.2).abs() <= 0.05 && (hundred[1].mean - 0.2).abs() <= 0.05;
    let drawn = if drawn { Outcome::Pass } else { Outcome::Fail };
    let value = format!("{}; of 100 people {} m/s", ages.value, listed(hundred, 3));
    Verdict::new(worst([ages.outcome, drawn]), value).with(ages.detail)
}

pub fn judge_doors(numbers: &[Spread]) -> Verdict {
    let ratio = rimea::judge_hall(numbers);
    let outcome = worst([ratio.outcome, within(numbers[0].mean, [108.0, 200.0])]);
    Verdict { outcome, ..ratio }
}

/// When the last has left a room whose nearer exit closes after a second, s, and how many of four leave by
/// the other one.
pub fn closed_exit(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let door = [[-0.3, 2.5], [0.0, 3.5]];
    let walls = [
        [[-0.3, -0.3], [12.3, 0.0]],
        [[-0.3, 6.0], [12.3, 6.3]],
        [[-0.3, 0.0], [0.0, 2.5]],
        [[-0.3, 3.5], [0.0, 6.0]],
        [[12.0, 0.0], [12.3, 2.5]],
        [[12.0, 3.5], [12.3, 6.0]],
    ];
    let regions = [
        ("west", [[-3.0, 2.0], [-2.0, 4.0]]),
        ("east", [[14.0, 2.0], [15.0, 4.0]]),
        ("start", [[3.0, 2.0], [5.0, 4.0]]),
    ];
    let nearest = Whom { nearest: given(list(["west", "east"])), ..Whom::default() };
    let groups = [group("people", 1.3, Goal::seek(nearest)).crowd(4, "start")];
    let mut file = scene(60.0, [[-4.0, -2.0], [16.0, 8.0]], &walls, &regions, groups);
    let closes = Interval { from: given(1.0), to: None };
    let door = Obstacle { during: given(list([closes])), ..Obstacle::block(door) };
    file.obstacles.extend(list([door]));
    let walk = bench.walk(file)?;
    let east = walk.last_seen().values().filter(|at| at.x > 12.0).count();
    Ok(vec![walk.emptied(), east as f64])
}

pub fn judge_routes(numbers: &[Spread]) -> Verdict {
    let [right, all, left, rerouted, east] = [0, 1, 2, 3, 4].map(|i| numbers[i].mean);
    let passed = right == all && left.is_finite() && rerouted.is_finite() && east == 4.0;
    Verdict::of(passed, format!("{right} of {all}; {east} of 4 rerouted"))
        .with(format!("the last of those leaves at {} s", told(&numbers[3], 1)))
}

/// In how many frames a count is not what has come less what has gone, by how many frames the sum of all
/// counts differs from the sum of all stays, and how often somebody jumps.
pub fn conservation(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let walk = bench.walk(shipped(OPENING)?)?;
    Ok(vec![
        wrong_counts(&walk) as f64,
        missing_frames(&walk) as f64,
        Conduct::of(&walk).jumps as f64,
    ])
}

/// In how many frames the people before the opening at 10 m are not those who were there at first less
/// those who passed it.
fn wrong_counts(walk: &Walk) -> u64 {
    let line = crate::line::Line::new([[10.0, -1.0], [10.0, 11.0]].map(Vec2::from));
    let mut tally = crate::line::Tally::new(line, throng_world::scene::LayerId(0));
    let mut wrong = 0;
    for moment in &walk.moments {
        tally.push(moment.view());
        let inside = moment.positions.iter().filter(|p| p.x < 10.0).count() as u64;
        let expected = walk.people() as u64 + tally.crossings(Direction::Backward);
        wrong += u64::from(inside + tally.crossings(Direction::Forward) != expected);
    }
    wrong
}

/// Little's law in frames: the sum of all counts is the sum of everybody's stay, from when they are first seen
/// to when they are last. By how many frames it is not.
fn missing_frames(walk: &Walk) -> u64 {
    let mut stays: BTreeMap<u32, [usize; 2]> = BTreeMap::new();
    let mut counted = 0;
    for (frame, moment) in walk.moments.iter().enumerate() {
        counted += moment.ids.len() as u64;
        for &id in &moment.ids {
            stays.entry(id).or_insert([frame, frame])[1] = frame;
        }
    }
    let stayed: u64 = stays.values().map(|[first, last]| (last - first + 1) as u64).sum();
    stayed.abs_diff(counted)
}

pub fn judge_conservation(numbers: &[Spread]) -> Verdict {
    let [wrong, missing, jumps] = [0, 1, 2].map(|i| numbers[i].mean);
    let value = format!("{wrong} wrong counts, {missing} frames missing, {jumps} jumps");
    Verdict::of(wrong == 0.0 && missing == 0.0 && jumps == 0.0, value)
}

/// Walls of the corner of RiMEA 6 about the origin.
const CORNER_WALLS: [Corners; 4] = [
    [[-0.5, -0.5], [12.5, 0.0]],
    [[12.0, 0.0], [12.5, 12.5]],
    [[0.0, 2.0], [10.0, 12.5]],
    [[-0.5, 0.0], [0.0, 2.5]],
];

/// Mean times to leave, s: as it is, turned, mirrored, moved, renumbered, and with half the step; and
/// whether two runs on one and on two threads are the same to the last bit.
pub fn invariance(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let as_is = Placing::default();
    let half = Bench { step: 0.5 * bench.step, ..*bench };
    let cases = [
        (bench, as_is, false),
        (bench, Placing { angle: 30.0, ..as_is }, false),
        (bench, Placing { mirrored: true, ..as_is }, false),
        (bench, Placing { offset: [200.0, -100.0], ..as_is }, false),
        (bench, as_is, true),
        (&half, as_is, false),
    ];
    let mut numbers = Vec::new();
    for (bench, placing, renumbered) in cases {
        let mut sum = 0.0;
        for crowd in 0..CROWDS {
            let people = crowd_before_corner(bench.seed, crowd, renumbered);
            sum += mean_stay(&bench.walk(corner(placing, people))?);
        }
        numbers.push(sum / f64::from(CROWDS));
    }
    let press = bench.scene(as_is.scene(10.0, &[], PRESS_EXIT, 1.3, press(bench.seed)))?;
    let after = |threads: usize| -> Result<(usize, Vec<u32>), ExperimentError> {
        let mut engine = Engine::new(press.clone())?;
        engine.set_threads(threads).map_err(|e| ExperimentError::Threads(e.to_string()))?;
        let workers = engine.crowd().workers();
        (0..(2.0 / bench.step) as u32).for_each(|_| engine.step());
        let mut frame = Frame::default();
        engine.snapshot(&mut frame);
        let positions = frame.people.positions.iter();
        Ok((workers, positions.flat_map(|p| [p.x.to_bits(), p.y.to_bits()]).collect()))
    };
    let ((one, alone), (two, shared)) = (after(1)?, after(2)?);
    numbers.push(f64::from(u8::from((one, two) == (1, 2) && alone == shared)));
    Ok(numbers)
}

/// Where everybody in [`press`] wants to be.
const PRESS_EXIT: Corners = [[-3.0, -3.0], [3.0, 3.0]];

/// 3,249 people in a square around the exit, so many that threads share the work.
fn press(seed: u32) -> Vec<[f64; 2]> {
    let mut stream = Random::new(seed.into()).stream(0, 0, Purpose::Placement);
    let mut place = |n: u32| {
        let jitter = stream.point_between(Vec2::splat(-0.3), Vec2::splat(0.3)).as_dvec2();
        [1.1 * f64::from(n % 57) - 30.8 + jitter.x, 1.1 * f64::from(n / 57) - 30.8 + jitter.y]
    };
    (0..57 * 57).map(&mut place).collect()
}

/// Over so many crowds times are averaged: in each, a rounding error decides who goes first.
const CROWDS: u32 = 8;

/// Twenty people before the corner of RiMEA 6, somewhere else in each crowd.
fn crowd_before_corner(seed: u32, crowd: u32, renumbered: bool) -> Vec<[f64; 2]> {
    let mut stream = Random::new(seed.into()).stream(crowd.into(), 0, Purpose::Placement);
    let mut place = |n: u32| {
        let jitter = stream.point_between(Vec2::splat(-0.09), Vec2::splat(0.09)).as_dvec2();
        [0.6 + 0.56 * f64::from(n % 10) + jitter.x, 0.6 + 0.8 * f64::from(n / 10) + jitter.y]
    };
    let mut people: Vec<[f64; 2]> = (0..20).map(&mut place).collect();
    if renumbered {
        people.reverse();
    }
    people
}

fn corner(placing: Placing, people: Vec<[f64; 2]>) -> SceneFile {
    placing.scene(90.0, &CORNER_WALLS, [[10.0, 12.8], [12.0, 13.5]], 1.3, people)
}

/// How long people are there on average, s.
fn mean_stay(walk: &Walk) -> f64 {
    let stays: usize = walk.moments.iter().map(|moment| moment.ids.len()).sum();
    match walk.emptied().is_finite() {
        true => stays as f64 * walk.interval / walk.people().max(1) as f64,
        false => f64::INFINITY,
    }
}

pub fn judge_invariance(numbers: &[Spread]) -> Verdict {
    let times: Vec<f64> = numbers[..6].iter().map(|number| number.mean).collect();
    let off = |time: &f64| (time / times[0] - 1.0).abs();
    let worst_off = times.iter().map(off).fold(0.0, f64::max);
    let same_bits = numbers[6].mean == 1.0;
    let value = format!(
        "{:.2} % at most, bits {}",
        100.0 * worst_off,
        if same_bits { "same" } else { "differ" }
    );
    Verdict::of(worst_off < 0.01 && same_bits, value)
        .with(format!("mean times {} s", listed(&numbers[..6], 2)))
}

/// The largest mean of a second, m/s, of people who all want 1.34 m/s, at two densities.
pub fn ceiling(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let corridor = |density: f64| {
        let walls = [[[-44.0, 1.5], [58.0, 1.8]], [[-44.0, -1.8], [58.0, -1.5]]];
        let regions = [("start", [[-40.0, -1.3], [0.0, 1.3]])];
        let people = group("people", 1.34, Goal::flow([1.0, 0.0]));
        let groups = [placed(people, density * 120.0, "start", density)];
        scene(25.0, [[-45.0, -3.0], [60.0, 3.0]], &walls, &regions, groups)
    };
    let mut numbers = Vec::new();
    for density in [0.5, 2.5] {
        numbers.extend(second_speeds(&bench.walk(corridor(density))?, 0.999));
    }
    Ok(numbers)
}

pub fn judge_ceiling(numbers: &[Spread]) -> Verdict {
    let [sparse, dense] = [numbers[1].mean, numbers[3].mean].map(|speed| speed / 1.34);
    let value = format!("{sparse:.4} and {dense:.4} times, at 0.5 and 2.5 people/m²");
    // Positions are single floats. Sixty metres from the origin each of the twenty steps of a second is
    // rounded by 2e-6 m at most: 4e-5 m of 1.4 m.
    let limit = 1.05 * (1.0 + 3e-5);
    let outcome = match numbers.iter().all(|speed| speed.count > 0) {
        true => within(sparse.max(dense), [f64::NEG_INFINITY, limit]),
        false => Outcome::Fail,
    };
    Verdict::new(outcome, value).with(format!(
        "99.9 % are below {} and {} m/s",
        told(&numbers[0], 2),
        told(&numbers[2], 2)
    ))
}

pub fn judge_goals(numbers: &[Spread]) -> Verdict {
    let times: Vec<f64> = numbers[1..].iter().map(|number| number.mean).collect();
    let spread = rimea::flatness(&times);
    Verdict::new(within(spread, [0.0, 0.03]), format!("{:.1} %", 100.0 * spread))
        .with(format!("{} s", listed(&numbers[1..], 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verification::walk::tests::made_up;

    #[test]
    fn a_sample_of_a_distribution_is_probable_and_another_is_not() {
        for family in FAMILIES {
            let sample: Vec<f64> =
                (0..10).map(|n| inverse(family, (f64::from(n) + 0.5) / 10.0)).collect();
            assert!(kolmogorov_smirnov(&sample, family) > 0.99);
            let late: Vec<f64> = sample.iter().map(|t| t + 60.0).collect();
            assert!(kolmogorov_smirnov(&late, family) < 0.05);
        }
        assert_eq!(kolmogorov_smirnov(&[], FAMILIES[0]), 0.0);
        assert!((error_function(0.5) - 0.520_499_877_8).abs() < 2e-7);
        assert!((error_function(-1.0) + 0.842_700_792_9).abs() < 2e-7);
    }

    #[test]
    fn whoever_is_missing_for_a_frame_is_missed() {
        let crossing = |missing: u32, back: bool| {
            made_up(OPENING, 3, 200, |id, frame| {
                let x = 9.0 + 0.05 * frame as f32 * (1.0 + 0.1 * id as f32);
                let x = if back && frame == 150 { 9.5 } else { x };
                (frame != missing || id != 1).then_some((0, [x, 5.0 + 0.1 * id as f32]))
            })
        };
        let well = crossing(999, false);
        assert_eq!((wrong_counts(&well), missing_frames(&well)), (0, 0));
        // Who vanishes before the opening has not passed it.
        let gone = crossing(7, false);
        assert_eq!((wrong_counts(&gone), missing_frames(&gone)), (1, 1));
        // Whoever jumps back over the line and forth again is counted each time.
        let back = crossing(999, true);
        assert_eq!((wrong_counts(&back), missing_frames(&back)), (0, 0));
        assert_eq!(Conduct::of(&back).jumps, 6);
    }
}
