//! Tests of crowds at doors and corners: 9, 11, 12, 12a to 12d and 15.

use throng_world::scene::file::{Goal, Obstacle, Region, SceneFile, list};

use crate::experiments::ExperimentError;
use crate::line::Trim;
use crate::statistics::Spread;
use crate::verification::bench::{Bench, Verdict, each};
use crate::verification::grade::{at_most, below, pass_if, rising, within, worst};
use crate::verification::record::{Estimate, listed, record};
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

record! {
    /// When the last has left the hall of test 9.
    pub struct Hall: "hall" effort 230 by measure_hall {
        four_doors: V = ("s", 0),
        two_doors: V = ("s", 0),
    }
}

fn measure_hall(bench: &Bench) -> Result<Hall, ExperimentError> {
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
    Ok(Hall { four_doors: time(four)?, two_doors: time(two)? })
}

pub fn judge_hall(Hall { four_doors, two_doors }: &Hall<Estimate>) -> Verdict {
    let ratio = two_doors.mean() / four_doors.mean();
    let value = format!("{ratio:.2} times: {}", listed([four_doors, two_doors]));
    Verdict::new(within(ratio, [1.6, 2.4]), value)
}

record! {
    /// Which doors people of test 11 take.
    pub struct Exits: "exits" effort 190 by measure_exits {
        /// Share of those who take the near door.
        near: V = ("", 2),
        /// When the last has left, by either door.
        last: V = ("s", 0),
        last_near: V = ("s", 0),
        last_far: V = ("s", 0),
    }
}

fn measure_exits(bench: &Bench) -> Result<Exits, ExperimentError> {
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
    Ok(Exits { near: share, last: emptied, last_near: last(true), last_far: last(false) })
}

pub fn judge_exits(exits: &Exits<Estimate>) -> Verdict {
    let share = exits.near.mean();
    let value = format!("{} by the near door", exits.near);
    let [more, less] = [below(0.5, share), below(share, 1.0)];
    Verdict::new(worst([more, less, pass_if(exits.last.is_finite())]), value).with(format!(
        "the last at {}; at the near door {}, at the far one {}",
        exits.last, exits.last_near, exits.last_far
    ))
}

record! {
    /// The first and the last bottleneck of test 12.
    pub struct Bottlenecks: "bottlenecks" effort 5 by measure_bottlenecks {
        flows: [V; 2] = ("/s", 2),
        /// How many people are before each on average.
        before: [V; 2] = ("people", 1),
        emptied: V = ("s", 0),
    }
}

fn measure_bottlenecks(bench: &Bench) -> Result<Bottlenecks, ExperimentError> {
    let walk = bench.walk(shipped(BOTTLENECKS)?)?;
    let places = [10.0, 25.0];
    Ok(Bottlenecks {
        flows: places.map(|x| flow(&walk, x)),
        before: places.map(|x| mean_before(&walk, x)),
        emptied: walk.emptied(),
    })
}

pub fn judge_bottlenecks(
    Bottlenecks { flows, before, emptied }: &Bottlenecks<Estimate>,
) -> Verdict {
    let ([first, last], [before_first, before_last]) =
        (flows.map(|flow| flow.mean()), before.map(|count| count.mean()));
    let grade = worst([
        at_most(last - 0.05, first),
        below(before_last, before_first),
        below(before_last, QUEUE),
        pass_if(emptied.is_finite()),
    ]);
    Verdict::new(grade, format!("flows {}", listed(flows)))
        .with(format!("{} before them on average", listed(before)))
}

/// Distances of the goal behind the opening, m.
const GOALS: [f64; 4] = [0.2, 2.5, 5.0, 9.8];

record! {
    /// When the last is through the opening, for each goal of [`GOALS`].
    pub struct GoalTimes: "goal-placement" effort 12 by measure_goal_times {
        times: [V; GOALS.len()] = ("s", 1),
    }
}

fn measure_goal_times(bench: &Bench) -> Result<GoalTimes, ExperimentError> {
    let times = each(GOALS, |a| {
        let mut file = shipped(OPENING)?;
        for region in file.regions.iter_mut().filter(|region| *region.name == "goal") {
            **region = Region::rectangle("goal", [[10.2 + a, 0.2], [10.4 + a, 9.8]]);
        }
        Ok(through(&bench.walk(file)?))
    })?;
    Ok(GoalTimes { times })
}

impl GoalTimes<Estimate> {
    /// Times for goals beyond 2 m.
    pub fn beyond(&self) -> &[Estimate] {
        &self.times[1..]
    }

    /// How far those lie apart, as a share of their mean.
    pub fn flatness(&self) -> f64 {
        flatness(&self.beyond().iter().map(Estimate::mean).collect::<Vec<_>>())
    }
}

pub fn judge_goal(goals: &GoalTimes<Estimate>) -> Verdict {
    let [nearest, .., farthest] = &goals.times;
    let near = at_most(nearest.mean(), farthest.mean());
    Verdict::new(worst([near, at_most(goals.flatness(), 0.03)]), listed(&goals.times))
        .with(format!("{:.1} % between goals beyond 2 m", 100.0 * goals.flatness()))
        .drawn(
            Plot::new("goal behind the opening, m", "last through, s")
                .curve("", GOALS.into_iter().zip(&goals.times)),
        )
}

/// How far values lie apart, as a share of their mean.
fn flatness(values: &[f64]) -> f64 {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (high - low) / (values.iter().sum::<f64>() / values.len().max(1) as f64)
}

record! {
    /// An opening of test 12b.
    pub struct Opening {
        /// When the last is through.
        time: V = ("s", 0),
        flow: V = ("/s", 2),
    }
}

record! {
    /// Openings 0.2 m and 5 m long.
    pub struct Lengths: "opening-lengths" effort 9 by measure_lengths {
        short: Opening<V>,
        long: Opening<V>,
    }
}

fn measure_lengths(bench: &Bench) -> Result<Lengths, ExperimentError> {
    let opening = |text: &str| -> Result<Opening, ExperimentError> {
        let walk = bench.walk(shipped(text)?)?;
        Ok(Opening { time: through(&walk), flow: flow(&walk, 10.0) })
    };
    Ok(Lengths { short: opening(OPENING)?, long: opening(LONG_OPENING)? })
}

pub fn judge_lengths(Lengths { short, long }: &Lengths<Estimate>) -> Verdict {
    let value = format!(
        "flow {} and {}, last through at {} and {}",
        short.flow, long.flow, short.time, long.time
    );
    let grade = worst([
        at_most(short.time.mean(), long.time.mean()),
        at_most(long.flow.mean(), short.flow.mean()),
        pass_if(long.time.is_finite()),
    ]);
    Verdict::new(grade, value)
}

record! {
    /// People in 6 m² before the first and the second opening of test 12c.
    pub struct Series: "series" effort 5 by measure_series {
        most: [V; 2] = ("people", 0),
        mean: [V; 2] = ("", 1),
        emptied: V = ("s", 0),
    }
}

fn measure_series(bench: &Bench) -> Result<Series, ExperimentError> {
    let walk = bench.walk(shipped(SERIES)?)?;
    let places = [10.0, 20.2];
    let most = |x: f32| walk.counts(before(x)).into_iter().max().unwrap_or_default() as f64;
    Ok(Series {
        most: places.map(most),
        mean: places.map(|x| mean_before(&walk, x)),
        emptied: walk.emptied(),
    })
}

pub fn judge_series(Series { most, mean, emptied }: &Series<Estimate>) -> Verdict {
    let ([first, second], [_, queue]) = (most, mean);
    let fewer = [below(second.mean(), first.mean()), below(queue.mean(), QUEUE)];
    let grade = worst(fewer.into_iter().chain([pass_if(emptied.is_finite())]));
    Verdict::new(grade, format!("at most {} in 6 m²", listed(most)))
        .with(format!("{} on average", listed(mean)))
}

/// Widths of openings, m.
const WIDTHS: [f64; 3] = [0.8, 1.0, 1.2];

record! {
    /// Flows through openings 5 m long, for each width of [`WIDTHS`].
    pub struct Widths: "opening-widths" effort 15 by measure_widths {
        flows: [V; WIDTHS.len()] = ("people/s", 2),
    }
}

fn measure_widths(bench: &Bench) -> Result<Widths, ExperimentError> {
    let flows = each(WIDTHS, |width| Ok(flow(&bench.walk(passage(width))?, 10.0)))?;
    Ok(Widths { flows })
}

pub fn judge_widths(Widths { flows }: &Widths<Estimate>) -> Verdict {
    let grows = rising(flows.iter().map(Estimate::mean));
    let near = |(flow, b): (&Estimate, f64)| at_most((flow.mean() / (1.9 * b) - 1.0).abs(), 0.2);
    let near = worst(flows.iter().zip(WIDTHS).map(near));
    let outcome = match (grows.is_pass(), near.is_pass()) {
        (true, true) => Outcome::Pass,
        (true, false) => Outcome::Warn,
        (false, _) => Outcome::Fail,
    };
    Verdict::new(worst([grows, near]).told(outcome), listed(flows))
        .with("near: within a fifth; else a warning")
        .drawn(
            Plot::new("width, m", "flow, people/s")
                .curve("", WIDTHS.into_iter().zip(flows))
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

record! {
    /// When the last of test 15 has left.
    pub struct WideCorner: "wide-corner" effort 50 by measure_wide_corner {
        corner: V = ("s", 1),
        /// 50 m straight on.
        short: V = ("s", 1),
        /// 81 m straight on.
        long: V = ("s", 1),
    }
}

fn measure_wide_corner(bench: &Bench) -> Result<WideCorner, ExperimentError> {
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
    let emptied = |file: SceneFile| Ok::<_, ExperimentError>(bench.walk(file)?.emptied());
    Ok(WideCorner {
        corner: emptied(shipped(WIDE_CORNER)?)?,
        short: emptied(straight(50.0))?,
        long: emptied(straight(81.0))?,
    })
}

pub fn judge_wide_corner(WideCorner { corner, short, long }: &WideCorner<Estimate>) -> Verdict {
    let grade = worst([
        at_most(short.mean(), corner.mean()),
        at_most(corner.mean(), long.mean()),
        pass_if(long.is_finite()),
    ]);
    Verdict::new(grade, format!("{corner} round the corner, {short} and {long} straight on"))
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
