//! R01 to R05: people in streets, and the same for tracks from anywhere.

use glam::DVec2;
use throng_base::random::{Purpose, Random};
use throng_world::scene::GroupId;
use throng_world::scene::file::{Arrivals, Goal, Group, Source, Whom, at, given, list};

use crate::experiments::ExperimentError;
use crate::statistics::{Spread, mean, quantile};
use crate::verification::bench::{Bench, Verdict};
use crate::verification::grade::{below, pass_if, worst};
use crate::verification::measures::collision_times::CollisionLaw;
use crate::verification::measures::distances::Distances;
use crate::verification::measures::groups::Pairs;
use crate::verification::measures::order::{Order, Walker};
use crate::verification::measures::smoothness::Smoothness;
use crate::verification::measures::stripes;
use crate::verification::record::{Estimate, judged, listed, record};
use crate::verification::report::{Check, Plot};
use crate::verification::scenes::{adults, group, scene};
use crate::verification::tracks::{Gatherer, INTERVAL, SampledTracks};

use super::CHECKS;
use super::together::{PairWalks, judge_pairs};

/// Scores tracks from anywhere, recorded people included, by the checks that need nothing but
/// positions: R01 to R03, R04 if `corridor` says which way people walk to and fro, and R05 if
/// somebody walks together.
pub fn score_tracks(tracks: &SampledTracks, corridor: Option<DVec2>) -> Vec<Check> {
    let check = |id: &str, verdict: Verdict| {
        CHECKS.iter().find(|test| test.id == id).map(|test| test.check(verdict))
    };
    let mut checks = vec![
        check("R01", judge_collision_times(&judged(&LawOfCollisions::of(tracks)))),
        check("R02", judge_distances(&judged(&NearDistances::of(tracks)))),
        check("R03", judge_smoothness(&judged(&WalkShapes::of(tracks)))),
    ];
    if let Some(along) = corridor.and_then(DVec2::try_normalize) {
        checks.push(check("R04", judge_order(&judged(&LaneOrder::of(&walkers(tracks, along))))));
    }
    checks.extend(Pairs::of(tracks).map(|pairs| {
        let verdict = judge_pairs(&judged(&PairWalks::of(Some(&pairs))));
        check("R05", verdict.with(format!("{} pairs", pairs.count)))
    }));
    checks.into_iter().flatten().collect()
}

/// People who cross a street both ways, and some across it, at about 0.1 per m².
fn street(bench: &Bench) -> Result<SampledTracks, ExperimentError> {
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

record! {
    /// What R01 to R03 judge, of one street.
    pub struct Street: "street" effort 25 by measure_street {
        law: LawOfCollisions<V>,
        distances: NearDistances<V>,
        shapes: WalkShapes<V>,
    }
}

fn measure_street(bench: &Bench) -> Result<Street, ExperimentError> {
    let tracks = street(bench)?;
    Ok(Street {
        law: LawOfCollisions::of(&tracks),
        distances: NearDistances::of(&tracks),
        shapes: WalkShapes::of(&tracks),
    })
}

record! {
    /// Times to collision, compared with those of chance.
    pub struct LawOfCollisions {
        /// At each of the times of [`LAW`].
        g: [V; LAW.len()] = ("", 2),
        pairs: [V; LAW.len()] = ("pairs", 0),
        slope: V = ("", 2),
        /// g in each class.
        classes: [V; CLASSES] = ("", 2),
    }
}

impl LawOfCollisions {
    fn of(tracks: &SampledTracks) -> Self {
        let law = CollisionLaw::of(tracks);
        let of = |get: &dyn Fn(&CollisionLaw) -> Option<f64>| {
            law.as_ref().and_then(get).unwrap_or(f64::NAN)
        };
        Self {
            g: LAW.map(|([from, to], _)| of(&|law| law.between(from, to))),
            pairs: LAW.map(|([from, to], _)| of(&|law| Some(law.pairs(from, to) as f64))),
            slope: of(&CollisionLaw::slope),
            classes: std::array::from_fn(|nth| {
                let from = 0.25 * nth as f64;
                of(&|law| law.between(from, from + 0.25))
            }),
        }
    }
}

pub fn judge_collision_times(law: &LawOfCollisions<Estimate>) -> Verdict {
    let judged = |(nth, (_, [low, high])): (usize, ([f64; 2], [f64; 2]))| {
        let (g, pairs) = (&law.g[nth], &law.pairs[nth]);
        // Short recordings have few events; what chance explains is not held against them.
        let events = (pairs.mean() * pairs.count() as f64 / SAMPLES_PER_EVENT).max(1.0);
        let error = 2.0 * g.mean() / events.sqrt();
        match g.mean() - error <= high && g.mean() + error >= low {
            true => pass_if(true),
            false => g.within([low, high]),
        }
    };
    let outcome = worst(LAW.into_iter().enumerate().map(judged));
    let middles = (0..CLASSES).map(|n| 0.25 * n as f64 + 0.125);
    Verdict::new(outcome, format!("g {}", listed(&law.g)))
        .with(format!("{}; slope {}", listed(&law.pairs), law.slope))
        .drawn(
            Plot::new("time to collision, s", "g").curve("", middles.zip(&law.classes)).expecting(
                "people",
                LAW[..2].iter().map(|([from, to], range)| (0.5 * (from + to), *range)),
            ),
        )
}

record! {
    /// How near people come to strangers.
    pub struct NearDistances {
        /// What 1 % of nearest neighbours are within.
        nearest: V = ("m", 2),
        /// Shares of pairs ever within 0.5 m and 0.4 m.
        within_half: V = ("", 4),
        within_two_fifths: V = ("", 4),
    }
}

impl NearDistances {
    fn of(tracks: &SampledTracks) -> Self {
        let distances = Distances::of(tracks);
        let pairs = |within| distances.pairs_within(within).unwrap_or(f64::NAN);
        Self {
            nearest: distances.nearest_quantile(0.01).unwrap_or(f64::NAN),
            within_half: pairs(0.5),
            within_two_fifths: pairs(0.4),
        }
    }
}

pub fn judge_distances(found: &NearDistances<Estimate>) -> Verdict {
    let NearDistances { nearest, within_half, within_two_fifths } = found;
    let outcome = worst([nearest.within([0.35, 0.75]), within_half.within([0.002, 0.02])]);
    Verdict::new(outcome, format!("{nearest}, {:.2} % of pairs", 100.0 * within_half.mean()))
        .with(format!("{:.2} % within 0.4 m", 100.0 * within_two_fifths.mean()))
}

record! {
    /// Density, speed and smoothness of walks in a street.
    pub struct StreetWalks {
        /// Median density around a person.
        density: V = ("people/m²", 2),
        /// Mean of walkers' median speeds.
        speed: V = ("m/s", 2),
        /// Median.
        turn_rate: V = ("rad/s", 3),
        /// Standard deviations of tangential and normal acceleration.
        tangential: V = ("m/s²", 2),
        normal: V = ("m/s²", 2),
        /// Median.
        straightness: V = ("", 3),
    }
}

record! {
    /// The same, and the hardest accelerations.
    pub struct WalkShapes {
        walks: StreetWalks<V>,
        /// What 99 % of tangential accelerations are below.
        hardest: V = ("m/s²", 2),
    }
}

/// Recorded streets.
const STREETS: [(&str, StreetWalks); 5] = [
    ("seq_eth", recorded([0.16, 1.53, 0.061, 0.15, 0.16, 0.99])),
    ("seq_hotel", recorded([0.16, 1.44, 0.056, 0.11, 0.14, 0.99])),
    ("zara01", recorded([0.16, 1.23, 0.057, 0.11, 0.14, 0.99])),
    ("zara02", recorded([0.24, 1.27, 0.077, 0.14, 0.17, 0.98])),
    ("students03", recorded([0.32, 0.85, 0.139, 0.19, 0.20, 0.93])),
];

const fn recorded(
    [density, speed, turn_rate, tangential, normal, straightness]: [f64; 6],
) -> StreetWalks {
    StreetWalks { density, speed, turn_rate, tangential, normal, straightness }
}

impl WalkShapes {
    fn of(tracks: &SampledTracks) -> Self {
        let (smoothness, distances) = (Smoothness::of(tracks), Distances::of(tracks));
        let [tangential, normal] = smoothness.accelerations();
        let walks = StreetWalks {
            density: quantile(&distances.local_densities, 0.5).unwrap_or(f64::NAN),
            speed: Spread::of(&smoothness.speeds).mean,
            turn_rate: smoothness.median_turn_rate().unwrap_or(f64::NAN),
            tangential,
            normal,
            straightness: smoothness.median_straightness().unwrap_or(f64::NAN),
        };
        Self { walks, hardest: smoothness.hardest().unwrap_or(f64::NAN) }
    }
}

pub fn judge_smoothness(WalkShapes { walks, hardest }: &WalkShapes<Estimate>) -> Verdict {
    // A step of 0.08 /m² is one person within 2 m.
    let unlike = |(_, street): &(&str, StreetWalks)| {
        (street.density - walks.density.mean()).abs() / 0.08
            + (street.speed - walks.speed.mean()).abs()
    };
    let [first, ..] = STREETS;
    let alike = STREETS.into_iter().min_by(|a, b| unlike(a).total_cmp(&unlike(b)));
    let (name, street) = alike.unwrap_or(first);
    let like = |value: &Estimate, recorded: f64| value.within([0.5 * recorded, 2.0 * recorded]);
    let outcome = worst([
        like(&walks.turn_rate, street.turn_rate),
        like(&walks.tangential, street.tangential),
        like(&walks.normal, street.normal),
        like(&walks.straightness, street.straightness),
        hardest.within([0.0, 0.7]),
    ]);
    let value = format!(
        "turns {}, accelerations {}, straightness {}, 99 % below {hardest}",
        walks.turn_rate,
        listed([&walks.tangential, &walks.normal]),
        walks.straightness,
    );
    let StreetWalks { turn_rate, tangential, normal, straightness, .. } = street;
    Verdict::new(outcome, value)
        .with(format!("{name} has {turn_rate}, {tangential}, {normal}, {straightness}"))
}

record! {
    /// Lanes of counter-flow.
    pub struct LaneOrder: "lanes" effort 26 by measure_lane_order {
        /// Reduced order, on average over time.
        order: V = ("", 2),
        /// Its standard deviation in time.
        deviation: V = ("", 2),
        /// Share of those who follow their own.
        followers: V = ("", 2),
    }
}

fn measure_lane_order(bench: &Bench) -> Result<LaneOrder, ExperimentError> {
    Ok(LaneOrder::of(&counter_flow(bench)?))
}

impl LaneOrder {
    fn of(moments: &[Vec<Walker>]) -> Self {
        let mut stream = Random::new(1).stream(0, 0, Purpose::Placement);
        let orders: Vec<Order> =
            moments.iter().filter_map(|walkers| Order::of(walkers, &mut stream)).collect();
        let reduced: Vec<f64> = orders.iter().map(Order::reduced).collect();
        let followers = mean(orders.iter().filter_map(|order| order.leaders));
        match Spread::of(&reduced) {
            Spread { count: 0, .. } => {
                Self { order: f64::NAN, deviation: f64::NAN, followers: f64::NAN }
            }
            Spread { mean, sd, .. } => {
                Self { order: mean, deviation: sd, followers: followers.unwrap_or_default() }
            }
        }
    }
}

/// Everybody in the middle of a corridor in which two crowds walk into each other.
fn counter_flow(bench: &Bench) -> Result<Vec<Vec<Walker>>, ExperimentError> {
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
    Ok(moments)
}

/// Everybody along and across a direction at each sample, with the way they walk.
fn walkers(tracks: &SampledTracks, along: DVec2) -> Vec<Vec<Walker>> {
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

record! {
    /// Two flows that cross at right angles.
    pub struct Crossing: "crossing" effort 36 by measure_crossing {
        /// How far their stripes are from perpendicular to the mean of both directions.
        off: V = ("°", 0),
    }
}

fn measure_crossing(bench: &Bench) -> Result<Crossing, ExperimentError> {
    let bisector = std::f64::consts::FRAC_PI_4;
    let across = stripes::across(&crossing_flows(bench)?);
    Ok(Crossing { off: across.map_or(f64::NAN, |(angle, _)| stripes::between(angle, bisector)) })
}

/// Everybody where two flows cross.
fn crossing_flows(bench: &Bench) -> Result<Vec<Vec<stripes::Labelled>>, ExperimentError> {
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
    Ok(moments)
}

fn judge_order(lanes: &LaneOrder<Estimate>) -> Verdict {
    let LaneOrder { order, deviation, followers } = lanes;
    let outcome = worst([
        order.within([0.5, 0.9]),
        below(0.03, deviation.mean()),
        followers.within([0.85, 0.98]),
    ]);
    Verdict::new(outcome, format!("order {order}, sd {deviation}, {followers} follow their own"))
}

pub fn judge_lanes(lanes: &LaneOrder<Estimate>, Crossing { off }: &Crossing<Estimate>) -> Verdict {
    let order = judge_order(lanes);
    let outcome = worst([order.grade, off.within([0.0, 10.0])]);
    Verdict::new(outcome, format!("{}, stripes {off} off", order.value))
}
