//! R01 to R05: people in streets, and the same for tracks from anywhere.

use glam::DVec2;
use throng_base::random::{Purpose, Random};
use throng_world::scene::GroupId;
use throng_world::scene::file::{Arrivals, Goal, Group, Source, Whom, at, given, list};

use crate::experiments::ExperimentError;
use crate::statistics::{Spread, quantile};
use crate::verification::bench::{Bench, Verdict, listed, told, within, worst};
use crate::verification::measures::collision_times::CollisionLaw;
use crate::verification::measures::distances::Distances;
use crate::verification::measures::groups::Pairs;
use crate::verification::measures::order::{Order, Walker};
use crate::verification::measures::smoothness::Smoothness;
use crate::verification::measures::stripes;
use crate::verification::report::{Check, Outcome, Plot};
use crate::verification::scenes::{adults, group, scene};
use crate::verification::tracks::{Gatherer, INTERVAL, Tracks};

use super::CHECKS;
use super::together::{judge_pairs, pair_numbers};

/// Scores tracks from anywhere, recorded people included, by the checks that need nothing but
/// positions: R01 to R03, R04 if `corridor` says which way people walk to and fro, and R05 if
/// somebody walks together.
pub fn score_tracks(tracks: &Tracks, corridor: Option<DVec2>) -> Vec<Check> {
    let once = |numbers: Vec<f64>| crate::verification::over_seeds(&[numbers]);
    let check = |id: &str, verdict: Verdict| {
        CHECKS.iter().find(|test| test.id == id).map(|test| test.check(verdict))
    };
    let mut checks = vec![
        check("R01", judge_collision_times(&once(law_numbers(tracks)))),
        check("R02", judge_distances(&once(distance_numbers(tracks)))),
        check("R03", judge_smoothness(&once(smoothness_numbers(tracks)))),
    ];
    if let Some(along) = corridor.and_then(DVec2::try_normalize) {
        checks.push(check("R04", judge_order(&once(order_numbers(&walkers(tracks, along))))));
    }
    checks.extend(Pairs::of(tracks).map(|pairs| {
        let verdict = judge_pairs(&once(pair_numbers(&pairs)));
        check("R05", verdict.with(format!("{} pairs", pairs.count)))
    }));
    checks.into_iter().flatten().collect()
}

/// People who cross a street both ways, and some across it, at about 0.1 per m².
fn street(bench: &Bench) -> Result<Tracks, ExperimentError> {
    let source = |name: &str, from: &str, to: &str, rate: f64| {
        let random = Whom { random: given(to), ..Whom::default() };
        let goal = Goal { within: given(1.0), ..Goal::seek(random) };
        let (region, rate, arrivals) = (at(from), given(rate), given(Arrivals::Random));
        let source = Source { region, rate, arrivals, ..Source::default() };
        Group { sources: list([source]), ..group(name, adults(), goal) }
    };
    let regions = [
        ("west", [[-17.0, -6.0], [-14.0, 6.0]]),
        ("east", [[14.0, -6.0], [17.0, 6.0]]),
        ("south", [[-8.0, -9.5], [8.0, -8.0]]),
        ("north", [[-8.0, 8.0], [8.0, 9.5]]),
    ];
    let groups = [
        source("eastwards", "west", "east", 0.7),
        source("westwards", "east", "west", 0.7),
        source("northwards", "south", "north", 0.2),
        source("southwards", "north", "south", 0.2),
    ];
    let file = scene(400.0, [[-18.0, -10.0], [18.0, 10.0]], &[], &regions, groups);
    let mut gathered = Gatherer::new(bench.step).ok();
    bench.watch(file, |frame| {
        // Until the street has filled, and where people appear and vanish, nothing is looked at.
        if let Some(gatherer) = gathered.as_mut().filter(|_| frame.time > 30.0) {
            let inside = |i: &usize| {
                let at = frame.people.positions[*i];
                at.x.abs() < 13.0 && at.y.abs() < 7.5
            };
            let there: Vec<usize> = (0..frame.people.len()).filter(inside).collect();
            let ids: Vec<u32> = there.iter().map(|&i| frame.people.ids[i]).collect();
            let positions: Vec<_> = there.iter().map(|&i| frame.people.positions[i]).collect();
            let layers: Vec<_> = there.iter().map(|&i| frame.people.layers[i]).collect();
            gatherer.push(crate::FrameView {
                time: frame.time,
                ids: &ids,
                positions: &positions,
                layers: &layers,
            });
        }
        true
    })?;
    Ok(gathered.map(Gatherer::finish).unwrap_or_default())
}

/// The times at which g is judged, s, and what it may be.
const LAW: [([f64; 2], [f64; 2]); 3] =
    [([0.5, 0.75], [0.0, 0.12]), ([1.0, 1.25], [0.12, 0.4]), ([5.0, 8.0], [0.85, 1.15])];
/// Two people who are on a collision course stay so for a second or two: so many samples are one event.
const SAMPLES_PER_EVENT: f64 = 4.0;

/// Classes of times to collision that are drawn, each a quarter of a second.
const CLASSES: usize = 16;
/// How many numbers [`law_numbers`] has.
pub const LAW_NUMBERS: usize = 7 + CLASSES;

/// What R01 to R03 judge, of one street.
pub fn street_numbers(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let tracks = street(bench)?;
    Ok([law_numbers(&tracks), distance_numbers(&tracks), smoothness_numbers(&tracks)].concat())
}

/// g at 0.6 s, 1.1 s and from 5 to 8 s, how many pairs there are at each, the slope, and g in each class.
fn law_numbers(tracks: &Tracks) -> Vec<f64> {
    let law = CollisionLaw::of(tracks);
    let of =
        |get: &dyn Fn(&CollisionLaw) -> Option<f64>| law.as_ref().and_then(get).unwrap_or(f64::NAN);
    let g = LAW.map(|([from, to], _)| of(&|law| law.between(from, to)));
    let pairs = LAW.map(|([from, to], _)| of(&|law| Some(law.pairs(from, to) as f64)));
    let class = |nth: usize| {
        let from = 0.25 * nth as f64;
        of(&|law| law.between(from, from + 0.25))
    };
    let classes: Vec<f64> = (0..CLASSES).map(class).collect();
    [&g[..], &pairs, &[of(&CollisionLaw::slope)], &classes].concat()
}

pub fn judge_collision_times(numbers: &[Spread]) -> Verdict {
    let judged = |nth: usize| {
        let (g, pairs, (_, [low, high])) = (&numbers[nth], &numbers[nth + 3], LAW[nth]);
        // Short recordings have few events; what chance explains is not held against them.
        let events = (pairs.mean * pairs.count as f64 / SAMPLES_PER_EVENT).max(1.0);
        let error = 2.0 * g.mean / events.sqrt();
        match g.count {
            0 => Outcome::Fail,
            _ if g.mean - error <= high && g.mean + error >= low => Outcome::Pass,
            _ => within(g.mean, [low, high]),
        }
    };
    Verdict::new(worst((0..3).map(judged)), format!("g {}", listed(&numbers[..3], 2)))
        .with(format!("{} pairs; slope {}", listed(&numbers[3..6], 0), told(&numbers[6], 2)))
        .drawn(
            Plot::new("time to collision, s", "g")
                .curve("", (0..CLASSES).map(|n| 0.25 * n as f64 + 0.125).zip(&numbers[7..]))
                .expecting(
                    "people",
                    LAW[..2].iter().map(|([from, to], range)| (0.5 * (from + to), *range)),
                ),
        )
}

/// Distance that 1 % of nearest neighbours are within, m, and shares of pairs ever within 0.5 m and 0.4 m.
fn distance_numbers(tracks: &Tracks) -> Vec<f64> {
    let distances = Distances::of(tracks);
    let pairs = |within| distances.pairs_within(within).unwrap_or(f64::NAN);
    vec![distances.nearest_quantile(0.01).unwrap_or(f64::NAN), pairs(0.5), pairs(0.4)]
}

pub fn judge_distances(numbers: &[Spread]) -> Verdict {
    let outcome =
        worst([within(numbers[0].mean, [0.35, 0.75]), within(numbers[1].mean, [0.002, 0.02])]);
    let value = format!("{} m, {:.2} % of pairs", told(&numbers[0], 2), 100.0 * numbers[1].mean);
    Verdict::new(outcome, value).with(format!("{:.2} % within 0.4 m", 100.0 * numbers[2].mean))
}

/// What recorded streets are like: median density around a person, people/m²; mean of walkers' median
/// speeds, m/s; median turn rate, rad/s; standard deviations of tangential and normal acceleration,
/// m/s²; median straightness.
const STREETS: [(&str, [f64; 6]); 5] = [
    ("seq_eth", [0.16, 1.53, 0.061, 0.15, 0.16, 0.99]),
    ("seq_hotel", [0.16, 1.44, 0.056, 0.11, 0.14, 0.99]),
    ("zara01", [0.16, 1.23, 0.057, 0.11, 0.14, 0.99]),
    ("zara02", [0.24, 1.27, 0.077, 0.14, 0.17, 0.98]),
    ("students03", [0.32, 0.85, 0.139, 0.19, 0.20, 0.93]),
];

/// Density, speed, turn rate, accelerations and straightness as of [`STREETS`], and what 99 % of tangential
/// accelerations are below.
fn smoothness_numbers(tracks: &Tracks) -> Vec<f64> {
    let (smoothness, distances) = (Smoothness::of(tracks), Distances::of(tracks));
    let [tangential, normal] = smoothness.accelerations();
    vec![
        quantile(&distances.local_densities, 0.5).unwrap_or(f64::NAN),
        Spread::of(&smoothness.speeds).mean,
        smoothness.median_turn_rate().unwrap_or(f64::NAN),
        tangential,
        normal,
        smoothness.median_straightness().unwrap_or(f64::NAN),
        smoothness.hardest().unwrap_or(f64::NAN),
    ]
}

pub fn judge_smoothness(numbers: &[Spread]) -> Verdict {
    let [density, speed] = [numbers[0].mean, numbers[1].mean];
    // A step of 0.08 /m² is one person within 2 m.
    let unlike = |street: &[f64; 6]| (street[0] - density).abs() / 0.08 + (street[1] - speed).abs();
    let alike = STREETS.iter().min_by(|a, b| unlike(&a.1).total_cmp(&unlike(&b.1)));
    let (name, street) = alike.copied().unwrap_or(STREETS[0]);
    let ranges = street.map(|value| [0.5 * value, 2.0 * value]);
    let outcomes = (2..6).map(|i| match numbers[i].count {
        0 => Outcome::Fail,
        _ => within(numbers[i].mean, ranges[i]),
    });
    let outcome = worst(outcomes.chain([within(numbers[6].mean, [0.0, 0.7])]));
    let value = format!(
        "turns {} rad/s, accelerations {} m/s², straightness {}, 99 % below {} m/s²",
        told(&numbers[2], 3),
        listed(&numbers[3..5], 2),
        told(&numbers[5], 3),
        told(&numbers[6], 2)
    );
    let [_, _, turn, tangential, normal, straight] = street;
    Verdict::new(outcome, value)
        .with(format!("{name} has {turn}, {tangential}, {normal}, {straight}"))
}

/// Reduced order of lanes on average and its standard deviation in time, and the share that follows its own.
pub fn lanes(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let length = 90.0;
    let walls = [[[-148.0, 2.0], [148.0, 2.3]], [[-148.0, -2.3], [148.0, -2.0]]];
    let regions = [
        ("left", [[-5.0 - length, -1.8], [-5.0, 1.8]]),
        ("right", [[5.0, -1.8], [5.0 + length, 1.8]]),
    ];
    let groups = [
        group("rightwards", adults(), Goal::flow([1.0, 0.0])).crowd(180, "left"),
        group("leftwards", adults(), Goal::flow([-1.0, 0.0])).crowd(180, "right"),
    ];
    let file = scene(76.0, [[-150.0, -4.0], [150.0, 4.0]], &walls, &regions, groups);
    let mut moments: Vec<Vec<Walker>> = Vec::new();
    let mut due = 15.0;
    bench.watch(file, |frame| {
        if frame.time > due - 1e-6 {
            due += INTERVAL;
            let people = frame.people.positions.iter().zip(&frame.people.groups);
            let middle = people.filter(|(at, _)| at.x.abs() < 8.0);
            moments.push(middle.map(|(at, g)| (at.as_dvec2(), *g == GroupId(0))).collect());
        }
        frame.time < 75.0
    })?;
    Ok(order_numbers(&moments))
}

/// Everybody along and across a direction at each sample, with the way they walk.
fn walkers(tracks: &Tracks, along: DVec2) -> Vec<Vec<Walker>> {
    let walker = |track: &usize, sample: usize| {
        let track = &tracks.all()[*track];
        let (at, velocity) = (track.at(sample)?, track.velocity(sample)?);
        let place = DVec2::new(at.dot(along), along.perp_dot(at));
        Some((place, velocity.dot(along) > 0.0))
    };
    let samples = tracks.samples();
    let moment = |(sample, there): (usize, &Vec<usize>)| {
        there.iter().filter_map(|track| walker(track, sample)).collect()
    };
    samples.iter().enumerate().map(moment).collect()
}

fn order_numbers(moments: &[Vec<Walker>]) -> Vec<f64> {
    let mut stream = Random::new(1).stream(0, 0, Purpose::Placement);
    let orders: Vec<Order> =
        moments.iter().filter_map(|walkers| Order::of(walkers, &mut stream)).collect();
    let reduced: Vec<f64> = orders.iter().map(Order::reduced).collect();
    let leaders: Vec<f64> = orders.iter().filter_map(|order| order.leaders).collect();
    let (reduced, leaders) = (Spread::of(&reduced), Spread::of(&leaders));
    if reduced.count == 0 {
        return vec![f64::NAN; 3];
    }
    vec![reduced.mean, reduced.sd, leaders.mean]
}

/// How far the stripes of two flows that cross at right angles are from perpendicular to the mean of both
/// directions, degrees.
pub fn crossing(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let regions = [("west", [[-46.0, -4.0], [-5.0, 4.0]]), ("south", [[-4.0, -46.0], [4.0, -5.0]])];
    let groups = [
        group("eastwards", adults(), Goal::flow([1.0, 0.0])).crowd(260, "west"),
        group("northwards", adults(), Goal::flow([0.0, 1.0])).crowd(260, "south"),
    ];
    let file = scene(36.0, [[-62.0, -62.0], [62.0, 62.0]], &[], &regions, groups);
    let mut moments = Vec::new();
    let mut due = 10.0;
    bench.watch(file, |frame| {
        if frame.time > due - 1e-6 {
            due += INTERVAL;
            let people = frame.people.positions.iter().zip(&frame.people.groups);
            let both = people.filter(|(at, _)| at.x.abs() < 4.0 && at.y.abs() < 4.0);
            moments.push(both.map(|(at, g)| (at.as_dvec2(), *g == GroupId(0))).collect::<Vec<_>>());
        }
        frame.time < 32.0
    })?;
    let bisector = std::f64::consts::FRAC_PI_4;
    let off = |(angle, _)| stripes::between(angle, bisector);
    Ok(vec![stripes::across(&moments).map_or(f64::NAN, off)])
}

fn judge_order(numbers: &[Spread]) -> Verdict {
    let outcome = worst([
        within(numbers[0].mean, [0.5, 0.9]),
        if numbers[1].mean > 0.03 { Outcome::Pass } else { Outcome::Fail },
        within(numbers[2].mean, [0.85, 0.98]),
    ]);
    let value = format!(
        "order {}, sd {}, {} follow their own",
        told(&numbers[0], 2),
        told(&numbers[1], 2),
        told(&numbers[2], 2)
    );
    Verdict::new(outcome, value)
}

pub fn judge_lanes(numbers: &[Spread]) -> Verdict {
    let order = judge_order(numbers);
    let outcome = worst([order.outcome, within(numbers[3].mean, [0.0, 10.0])]);
    Verdict::new(outcome, format!("{}, stripes {}° off", order.value, told(&numbers[3], 0)))
}
