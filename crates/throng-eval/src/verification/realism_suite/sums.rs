//! V03 to V12: whether the simulation does what it was told.

use std::collections::BTreeMap;

use glam::Vec2;
use throng::Engine;
use throng::recording::Frame;
use throng_base::random::{Purpose, Random};
use throng_world::scene::file::{
    Goal, Interval, Obstacle, SceneFile, Varied, Whom, at, given, list,
};

use crate::experiments::ExperimentError;
use crate::line::Direction;
use crate::statistics::{Spread, normal_share};
use crate::verification::bench::{Bench, Verdict, each};
use crate::verification::conduct::{Conduct, median_speeds, second_speeds};
use crate::verification::grade::{at_most, below, pass_if, within, worst};
use crate::verification::record::{Estimate, listed, record};
use crate::verification::rimea_suite::{
    self as rimea, Ages, BEGUN, Cabins, GoalTimes, Hall, Premovement,
};
use crate::verification::scenes::{
    Corners, OPENING, Placing, RIMEA_SCENES, group, placed, scene, shipped,
};
use crate::verification::walk::Walk;

/// Share of people who have set out at a time, s.
type CumulativeShare = fn(f64) -> f64;

/// Families of times before movement, with the cumulative distribution of each.
fn families() -> [(Varied, CumulativeShare); FAMILIES] {
    let open = [0.0, f64::INFINITY];
    [
        (Varied::uniform(10.0, 100.0), |t| ((t - 10.0) / 90.0).clamp(0.0, 1.0)),
        (Varied::normal(40.0, 15.0, open), |t| {
            let below = normal_share(-40.0 / 15.0);
            ((normal_share((t - 40.0) / 15.0) - below) / (1.0 - below)).max(0.0)
        }),
        (Varied::log_normal(3.4, 0.5, open), |t| normal_share((t.max(1e-9).ln() - 3.4) / 0.5)),
        (Varied::weibull(40.0, 1.5, open), |t| 1.0 - (-(t.max(0.0) / 40.0).powf(1.5)).exp()),
    ]
}

const FAMILIES: usize = 4;

/// How many people of each family set out, along a lattice with 3 m between them.
const STARTERS: usize = 196;

/// Of Kolmogorov and Smirnov: with p = 0.05, the starts of so many people who are drawn from a distribution are farther from it.
/// Stephens (1970) for samples that are not endless.
fn critical() -> f64 {
    let root = (STARTERS as f64).sqrt();
    1.358 / (root + 0.12 + 0.11 / root)
}

record! {
    /// How far the times at which people of a scene set out are from the distribution that the scene says, for each of the
    /// [`families`]: the largest distance between the cumulative distributions.
    pub struct DrawnDelays: "drawn-delays" effort 20 by measure_drawn_delays {
        off: [V; FAMILIES] = ("", 3),
    }
}

fn measure_drawn_delays(bench: &Bench) -> Result<DrawnDelays, ExperimentError> {
    let mut off = [0.0; FAMILIES];
    for (off, (delay, share)) in off.iter_mut().zip(families()) {
        let walk = bench.walk(starters(delay))?;
        *off = distance(&rimea::starts(&walk, BEGUN), share);
    }
    Ok(DrawnDelays { off })
}

/// People who stand apart from each other, wait, and walk on for a second.
fn starters(delay: Varied) -> SceneFile {
    let side = (STARTERS as f64).sqrt().ceil() as usize;
    let place = |nth: usize| [3.0 * (nth % side) as f64, 3.0 * (nth / side) as f64];
    let walk = Goal { duration: given(1.0), ..Goal::flow([1.0, 0.0]) };
    let mut people = group("people", 1.34, Goal::idle(delay)).people_at((0..STARTERS).map(place));
    people.goals.iter_mut().for_each(|goals| goals.push(at(walk.clone())));
    let bounds = [[-10.0, -10.0], [60.0, 60.0]];
    scene(LONGEST_DELAY, bounds, &[], &[], [people])
}

/// All but one in 100,000 have set out after this time, s.
const LONGEST_DELAY: f64 = 250.0;

/// The largest distance between the share of people who have set out and a cumulative distribution.
fn distance(starts: &[f64], share: impl Fn(f64) -> f64) -> f64 {
    let mut times = starts.to_vec();
    times.sort_by(f64::total_cmp);
    let count = times.len() as f64;
    let off = |(nth, time): (usize, &f64)| {
        let share = if time.is_finite() { share(*time) } else { 1.0 };
        (share - nth as f64 / count).abs().max(((nth + 1) as f64 / count - share).abs())
    };
    let largest = times.iter().enumerate().map(off).fold(0.0, f64::max);
    // Whoever never sets out is in no distribution.
    if times.iter().all(|time| time.is_finite()) { largest } else { 1.0 }
}

pub fn judge_delays(
    premovement: &Premovement<Estimate>,
    DrawnDelays { off }: &DrawnDelays<Estimate>,
) -> Verdict {
    // By who is seen to move: nobody speeds up so fast that they are 0.05 m away in time.
    let verdict = rimea::judge_lateness(&premovement.begun, 0.1);
    let drawn = off.iter().map(|off| at_most(off.mean(), critical()));
    let outcome = worst(drawn.chain([verdict.grade]));
    let values: Vec<String> = off.iter().map(Estimate::number).collect();
    let mut detail = format!(
        "distance from uniform, normal, log-normal and Weibull: {}; at most {:.3}",
        values.join(", "),
        critical()
    );
    if premovement.begun.least.mean() < -1.0 {
        detail = format!("people who stand are pushed by those around them; {detail}");
    }
    Verdict::new(outcome, verdict.value).with(detail)
}

record! {
    /// How people behave in all scenes of RiMEA.
    pub struct AllConduct: "conduct" effort 200 by measure_all_conduct {
        /// Positions in walls.
        outside: V = ("", 0),
        /// How deep a body is in a wall at most.
        wall_overlap: V = ("m", 3),
        /// Shares of people who overlap somebody, at up to 3 people/m² and above.
        sparse_overlaps: V = ("", 5),
        dense_overlaps: V = ("", 5),
        /// How often somebody jumps.
        jumps: V = ("", 0),
        /// Positions beyond the border of an open world.
        beyond: V = ("", 0),
    }
}

fn measure_all_conduct(bench: &Bench) -> Result<AllConduct, ExperimentError> {
    let mut conduct = Conduct::default();
    for (_, text) in RIMEA_SCENES {
        // The first minute has the densest crowds of all.
        conduct = conduct.and(Conduct::of(&shortly(bench, shipped(text)?, 60.0)?));
    }
    let share = |[some, all]: [u64; 2]| some as f64 / (all as f64).max(1.0);
    Ok(AllConduct {
        outside: conduct.outside as f64,
        wall_overlap: conduct.wall_overlap.max(0.0),
        sparse_overlaps: share(conduct.sparse_overlaps),
        dense_overlaps: share(conduct.dense_overlaps),
        jumps: conduct.jumps as f64,
        beyond: conduct.beyond as f64,
    })
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

pub fn judge_walls(conduct: &AllConduct<Estimate>) -> Verdict {
    let [outside, overlap] = [conduct.outside.mean(), conduct.wall_overlap.mean()];
    let value = format!("{outside} positions in walls, bodies {overlap:.3} m");
    let grade = worst([pass_if(outside == 0.0), at_most(overlap, 0.01)]);
    let verdict = Verdict::new(grade, value);
    match conduct.beyond.mean() {
        0.0 => verdict,
        beyond => verdict.with(format!("{beyond} positions beyond the border of an open world")),
    }
}

pub fn judge_bodies(conduct: &AllConduct<Estimate>) -> Verdict {
    let [sparse, dense] =
        [conduct.sparse_overlaps, conduct.dense_overlaps].map(|share| 100.0 * share.mean());
    let grade = worst([below(sparse, 0.1), below(dense, 1.0)]);
    Verdict::new(grade, format!("{sparse:.3} % and {dense:.3} %"))
}

record! {
    /// Mean and standard deviation of the speeds of a hundred people who walk apart.
    pub struct Hundred: "hundred" effort 2 by measure_hundred {
        mean: V = ("m/s", 3),
        deviation: V = ("m/s", 3),
    }
}

fn measure_hundred(bench: &Bench) -> Result<Hundred, ExperimentError> {
    let speed = Varied::normal(1.2, 0.2, [0.6, 1.8]);
    let places = (0..100).map(|nth| [0.0, 1.5 * f64::from(nth)]);
    let groups = [group("people", speed, Goal::flow([1.0, 0.0])).people_at(places)];
    let walk = bench.walk(scene(30.0, [[-2.0, -2.0], [70.0, 152.0]], &[], &[], groups))?;
    let medians: Vec<f64> = median_speeds(&walk).into_values().collect();
    let Spread { mean, sd, .. } = Spread::of(&medians);
    Ok(Hundred { mean, deviation: sd })
}

pub fn judge_demographics(ages: &Ages<Estimate>, hundred: &Hundred<Estimate>) -> Verdict {
    let ages = rimea::judge_ages(ages);
    let Hundred { mean, deviation } = hundred;
    let drawn = [mean, deviation].into_iter().zip([1.2, 0.2]);
    let drawn = drawn.map(|(drawn, given)| at_most((drawn.mean() - given).abs(), 0.05));
    let value = format!("{}; of 100 people {}", ages.value, listed([mean, deviation]));
    Verdict::new(worst(drawn.chain([ages.grade])), value).with(ages.detail)
}

pub fn judge_doors(hall: &Hall<Estimate>) -> Verdict {
    let ratio = rimea::judge_hall(hall);
    let grade = worst([ratio.grade, hall.four_doors.within([108.0, 200.0])]);
    Verdict { grade, ..ratio }
}

record! {
    /// A room with four people whose nearer exit closes after a second.
    pub struct ClosedExit: "closed-exit" effort 1 by measure_closed_exit {
        /// When the last has left.
        emptied: V = ("s", 1),
        /// People who leave by the other exit.
        rerouted: V = ("", 0),
    }
}

fn measure_closed_exit(bench: &Bench) -> Result<ClosedExit, ExperimentError> {
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
    Ok(ClosedExit { emptied: walk.emptied(), rerouted: east as f64 })
}

pub fn judge_routes(cabins: &Cabins<Estimate>, closed: &ClosedExit<Estimate>) -> Verdict {
    let [right, all, rerouted] = [cabins.right, cabins.all, closed.rerouted].map(|v| v.mean());
    let all_left = cabins.emptied.is_finite() && closed.emptied.is_finite();
    Verdict::of(
        right == all && all_left && rerouted == 4.0,
        format!("{right} of {all}; {rerouted} of 4 rerouted"),
    )
    .with(format!("the last of those leaves at {}", closed.emptied))
}

record! {
    /// Whether people are conserved at the opening of test 12a.
    pub struct Conservation: "conservation" effort 14 by measure_conservation {
        /// Frames in which the count is not what has come less what has gone.
        wrong_counts: V = ("", 0),
        /// By how many frames the sum of all counts differs from the sum of all stays.
        missing_frames: V = ("", 0),
        /// How often somebody jumps.
        jumps: V = ("", 0),
    }
}

fn measure_conservation(bench: &Bench) -> Result<Conservation, ExperimentError> {
    let walk = bench.walk(shipped(OPENING)?)?;
    Ok(Conservation {
        wrong_counts: wrong_counts(&walk) as f64,
        missing_frames: missing_frames(&walk) as f64,
        jumps: Conduct::of(&walk).jumps as f64,
    })
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

pub fn judge_conservation(found: &Conservation<Estimate>) -> Verdict {
    let [wrong, missing, jumps] =
        [found.wrong_counts, found.missing_frames, found.jumps].map(|count| count.mean());
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

record! {
    /// A corner that is put elsewhere, and a press on one and on two threads.
    pub struct Invariance: "invariance" effort 23 by measure_invariance {
        /// Mean times to leave: as it is, turned, mirrored, moved, renumbered, and with half the step.
        times: [V; 6] = ("s", 2),
        /// 1 if runs on one and on two threads are the same to the last bit, else 0.
        same_bits: V = ("", 0),
    }
}

fn measure_invariance(bench: &Bench) -> Result<Invariance, ExperimentError> {
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
    let times = each(cases, |(bench, placing, renumbered)| {
        let mut sum = 0.0;
        for crowd in 0..CROWDS {
            let people = crowd_before_corner(bench.seed, crowd, renumbered);
            sum += mean_stay(&bench.walk(corner(placing, people))?);
        }
        Ok(sum / f64::from(CROWDS))
    })?;
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
    Ok(Invariance { times, same_bits: f64::from((one, two) == (1, 2) && alone == shared) })
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

pub fn judge_invariance(Invariance { times, same_bits }: &Invariance<Estimate>) -> Verdict {
    let [as_is, ..] = times;
    let off = times.map(|time| (time.mean() / as_is.mean() - 1.0).abs());
    let worst_off = off.into_iter().max_by(f64::total_cmp).unwrap_or(f64::NAN);
    let same_bits = same_bits.mean() == 1.0;
    let value = format!(
        "{:.2} % at most, bits {}",
        100.0 * worst_off,
        if same_bits { "same" } else { "differ" }
    );
    let grade = worst([below(worst_off, 0.01), pass_if(same_bits)]);
    Verdict::new(grade, value).with(format!("mean times {}", listed(times)))
}

record! {
    /// Means of a second of people who all want 1.34 m/s: what 99.9 % are below, and the largest.
    pub struct SecondSpeeds {
        most: V = ("m/s", 2),
        largest: V = ("m/s", 2),
    }
}

record! {
    /// Those at 0.5 and at 2.5 people/m².
    pub struct Ceiling: "ceiling" effort 6 by measure_ceiling {
        sparse: SecondSpeeds<V>,
        dense: SecondSpeeds<V>,
    }
}

fn measure_ceiling(bench: &Bench) -> Result<Ceiling, ExperimentError> {
    let [sparse, dense] = each([0.5, 2.5], |density| {
        let walls = [[[-44.0, 1.5], [58.0, 1.8]], [[-44.0, -1.8], [58.0, -1.5]]];
        let regions = [("start", [[-40.0, -1.3], [0.0, 1.3]])];
        let people = group("people", 1.34, Goal::flow([1.0, 0.0]));
        let groups = [placed(people, density * 120.0, "start", density)];
        let file = scene(25.0, [[-45.0, -3.0], [60.0, 3.0]], &walls, &regions, groups);
        let [most, largest] = second_speeds(&bench.walk(file)?, 0.999);
        Ok(SecondSpeeds { most, largest })
    })?;
    Ok(Ceiling { sparse, dense })
}

pub fn judge_ceiling(Ceiling { sparse, dense }: &Ceiling<Estimate>) -> Verdict {
    let [slow, fast] = [sparse, dense].map(|speeds| speeds.largest.mean() / 1.34);
    let value = format!("{slow:.4} and {fast:.4} times, at 0.5 and 2.5 people/m²");
    // Positions are single floats. Sixty metres from the origin each of the twenty steps of a second is
    // rounded by 2e-6 m at most: 4e-5 m of 1.4 m.
    let limit = 1.05 * (1.0 + 3e-5);
    let outcome = worst([slow, fast].map(|times| within(times, [f64::NEG_INFINITY, limit])));
    Verdict::new(outcome, value).with(format!(
        "99.9 % are below {} and {}",
        sparse.most.number(),
        dense.most
    ))
}

pub fn judge_goals(goals: &GoalTimes<Estimate>) -> Verdict {
    let spread = goals.flatness();
    Verdict::new(within(spread, [0.0, 0.03]), format!("{:.1} %", 100.0 * spread))
        .with(listed(goals.beyond()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verification::record::judged;
    use crate::verification::report::Outcome;
    use crate::verification::rimea_suite::Lateness;
    use crate::verification::walk::tests::made_up;

    #[test]
    fn people_who_set_out_otherwise_than_their_distribution_says_fail_v03() {
        let begun = Lateness { least: 0.05, most: 0.1 };
        let outcome = |times: &dyn Fn(f64) -> f64| {
            let starts = (0..STARTERS).map(|nth| times((nth as f64 + 0.5) / STARTERS as f64));
            let starts: Vec<f64> = starts.collect();
            let [(_, uniform), ..] = families();
            let drawn = DrawnDelays { off: [distance(&starts, uniform), 0.0, 0.0, 0.0] };
            judge_delays(&judged(&Premovement { away: begun, begun }), &judged(&drawn))
                .grade
                .outcome
        };
        assert_eq!(outcome(&|share| 10.0 + 90.0 * share), Outcome::Pass);
        assert_eq!(
            outcome(&|share| 10.25 + 90.0 * share),
            Outcome::Pass,
            "a quarter of a second late"
        );
        assert_eq!(outcome(&|share| 20.0 + 90.0 * share), Outcome::Fail, "all late");
        assert_eq!(outcome(&|share| 10.0 + 90.0 * share * share), Outcome::Fail, "another family");
        let never = |share: f64| if share > 0.99 { f64::INFINITY } else { 10.0 + 90.0 * share };
        assert_eq!(outcome(&never), Outcome::Fail, "somebody who never sets out");
    }

    #[test]
    fn the_families_of_v03_are_distributions() {
        for (_, share) in families() {
            assert!(share(0.0) < 1e-9 && share(LONGEST_DELAY) > 0.9999);
            assert!((0..250).all(|t| share(f64::from(t)) <= share(f64::from(t + 1))));
        }
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
