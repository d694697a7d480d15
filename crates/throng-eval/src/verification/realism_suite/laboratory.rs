//! L01 to L11: crowds beside what was measured in laboratories.

use glam::Vec2;
use throng::crowd::steering::MODELS;
use throng_base::Bounds;
use throng_world::scene::GroupId;
use throng_world::scene::file::{Goal, Varied};

use crate::experiments::{Case, CounterFlow, Doors, ExperimentError, Setup, Steering};
use crate::fundamental::{Bin, Point, binned};
use crate::line::Trim;
use crate::statistics::{LinearFit, Spread, mean};
use crate::verification::bench::{Bench, Verdict, each};
use crate::verification::grade::{Grade, below, pass_if, rising, within, worst};
use crate::verification::record::{Estimate, listed, record};
use crate::verification::report::Plot;
use crate::verification::rimea_suite::Lengths;
use crate::verification::scenes::{adults, group, placed, scene};

/// Speeds of the people of the laboratory in Jülich, m/s, faster than elsewhere.
fn fast() -> Varied {
    Varied::normal(1.5, 0.2, [0.7, 2.0])
}

fn case<'a, C>(bench: &Bench<'a>, condition: C) -> Case<'a, C> {
    Case { steering: bench.steering, condition, seed: bench.seed, step: bench.step }
}

fn setup(bench: &Bench) -> Setup {
    Setup { models: vec![bench.steering.clone()], seeds: 1, step: bench.step }
}

/// Classes of density begin here, people/m², and the last one ends 0.5 /m² later; with the speeds of nine tenths
/// of the people of the laboratory, m/s, one way in a corridor 3 m wide (Hermes project, Jülich).
const ONE_WAY: [(f64, [f64; 2]); 11] = [
    (0.25, [1.25, 1.74]),
    (0.5, [1.28, 1.63]),
    (0.75, [1.20, 1.57]),
    (1.0, [1.12, 1.37]),
    (1.25, [1.06, 1.31]),
    (1.5, [0.95, 1.27]),
    (1.75, [0.79, 1.11]),
    (2.0, [0.35, 0.86]),
    (2.5, [0.22, 0.53]),
    (3.0, [0.16, 0.34]),
    (3.5, [0.12, 0.19]),
];

/// The same of counter-flow in a corridor 3.6 m wide.
const COUNTER_FLOW: [(f64, [f64; 2]); 10] = [
    (0.25, [1.37, 1.68]),
    (0.5, [1.21, 1.67]),
    (0.75, [1.13, 1.32]),
    (1.0, [0.94, 1.29]),
    (1.25, [0.77, 1.06]),
    (1.5, [0.76, 0.94]),
    (1.75, [0.60, 0.88]),
    (2.0, [0.47, 0.68]),
    (2.5, [0.40, 0.54]),
    (3.0, [0.36, 0.44]),
];

/// How wide a class is that begins at some density, people/m².
fn class_width(from: f64) -> f64 {
    if from < 2.0 { 0.25 } else { 0.5 }
}

record! {
    /// Means of a class of density.
    pub struct ClassPoint {
        speed: V = ("m/s", 2),
        flow: V = ("people/(m s)", 2),
    }
}

record! {
    /// People who walk one way, in each class of [`ONE_WAY`].
    pub struct OneWay: "one-way" effort 400 by measure_one_way {
        classes: [ClassPoint<V>; ONE_WAY.len()],
    }
}

fn measure_one_way(bench: &Bench) -> Result<OneWay, ExperimentError> {
    let mut points = Vec::new();
    for density in [0.35, 0.62, 0.87, 1.12, 1.37, 1.62, 1.87, 2.25, 2.75, 3.25, 3.75] {
        // Within 40 s neither end of the crowd is felt in the middle.
        let people = Stream { from: -85.0, to: 72.0, density, way: 1.0 };
        points.extend(middle(bench, 3.0, [10.0, 40.0], &[people])?);
    }
    Ok(OneWay { classes: by_class(&points, &ONE_WAY) })
}

record! {
    /// Two crowds that walk into each other, in each class of [`COUNTER_FLOW`].
    pub struct OpposedFlow: "counter-flow" effort 70 by measure_opposed_flow {
        classes: [ClassPoint<V>; COUNTER_FLOW.len()],
    }
}

fn measure_opposed_flow(bench: &Bench) -> Result<OpposedFlow, ExperimentError> {
    let mut points = Vec::new();
    for density in [0.15, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1.1] {
        let crowd = |way: f64| {
            let [from, to] = if way > 0.0 { [-74.0, -4.0] } else { [4.0, 74.0] };
            Stream { from, to, density, way }
        };
        points.extend(middle(bench, 3.6, [12.0, 40.0], &[crowd(1.0), crowd(-1.0)])?);
    }
    Ok(OpposedFlow { classes: by_class(&points, &COUNTER_FLOW) })
}

/// Mean speeds and flows of the points in each class of density.
fn by_class<const N: usize>(points: &[Point], classes: &[(f64, [f64; 2]); N]) -> [ClassPoint; N] {
    let bins = binned(points, 0.25);
    classes.map(|(from, _)| {
        let of_class =
            |bin: &&Bin| bin.from > from - 0.01 && bin.to < from + class_width(from) + 0.01;
        let bins: Vec<&Bin> = bins.iter().filter(of_class).collect();
        let count: usize = bins.iter().map(|bin| bin.speed.count).sum();
        let mean = |value: fn(&Bin) -> f64| match count {
            // Fewer are no steady state.
            0..10 => f64::NAN,
            _ => bins.iter().map(|b| b.speed.count as f64 * value(b)).sum::<f64>() / count as f64,
        };
        ClassPoint { speed: mean(|bin| bin.speed.mean), flow: mean(|bin| bin.specific_flow) }
    })
}

/// People in a part of a corridor, so many per m², who walk one way along it.
struct Stream {
    from: f64,
    to: f64,
    density: f64,
    way: f64,
}

/// Points of the middle 6 m of a corridor, by Voronoi cells, between two moments, s.
fn middle(
    bench: &Bench,
    width: f64,
    [begin, end]: [f64; 2],
    streams: &[Stream],
) -> Result<Vec<Point>, ExperimentError> {
    let (half, room) = (width / 2.0, width / 2.0 - 0.2);
    let walls = [[[-148.0, half], [198.0, half + 0.3]], [[-148.0, -half - 0.3], [198.0, -half]]];
    let names: Vec<String> = (0..streams.len()).map(|nth| format!("stream {nth}")).collect();
    let (mut regions, mut groups) = (Vec::new(), Vec::new());
    for (&Stream { from, to, density, way }, name) in streams.iter().zip(&names) {
        regions.push((name.as_str(), [[from, -room], [to, room]]));
        let people = group(name, fast(), Goal::flow([way, 0.0]));
        groups.push(placed(people, density * width * (to - from), name, density));
    }
    let file = scene(end + 1.0, [[-150.0, -4.0], [200.0, 4.0]], &walls, &regions, groups);
    let corner = Vec2::new(3.0, half as f32);
    let area = Bounds { min: -corner, max: corner };
    let mut points = Vec::new();
    bench.look_at(file, &[area], [begin, end], |meters, centered| {
        let time = centered.frame().time;
        points
            .extend(meters.first().and_then(|area| Point::new(time, area.read_centered(centered))));
    })?;
    Ok(points)
}

/// The largest flow, people/(m s), and the class of density it is in, people/m².
fn capacity(points: &[ClassPoint<Estimate>], classes: &[(f64, [f64; 2])]) -> (f64, f64) {
    let known = points.iter().zip(classes).filter(|(point, _)| point.flow.is_known());
    let flows = known.map(|(point, (from, _))| (point.flow.mean(), *from));
    flows.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, f64::NAN))
}

/// How speeds compare with those that were measured, and what they are.
fn judge_classes(points: &[ClassPoint<Estimate>], classes: &[(f64, [f64; 2])]) -> Verdict {
    let known = || points.iter().zip(classes).filter(|(point, _)| point.speed.is_known());
    let grades = || known().map(|(point, (_, range))| point.speed.within(*range));
    let inside = grades().filter(Grade::is_pass).count();
    let told = known().map(|(point, (from, [low, high]))| {
        format!("from {from}/m² {} ({low}-{high})", point.speed.number())
    });
    // With less than half of the densities it is no diagram.
    let enough = pass_if(2 * known().count() >= classes.len());
    let centre = |from: f64| from + 0.5 * class_width(from);
    let speeds = points.iter().zip(classes).map(|(point, (from, _))| (centre(*from), &point.speed));
    let plot = Plot::new("density, people/m²", "speed, m/s").curve("", speeds).expecting(
        "5 to 95 % of people",
        classes.iter().map(|(from, range)| (centre(*from), *range)),
    );
    Verdict::new(worst(grades().chain([enough])), format!("{inside} of {} speeds", known().count()))
        .with(format!("m/s: {}", told.collect::<Vec<_>>().join(", ")))
        .drawn(plot)
}

pub fn judge_one_way(OneWay { classes }: &OneWay<Estimate>) -> Verdict {
    let verdict = judge_classes(classes, &ONE_WAY);
    let (capacity, at) = capacity(classes, &ONE_WAY);
    // A class that has a part of 1.4 to 2.2 people/m².
    let place = pass_if(at + class_width(at) > 1.4 && at < 2.2);
    let grade = worst([verdict.grade, within(capacity, [1.2, 1.9]), place]);
    let value = format!("{}, capacity {capacity:.2} /(m s) from {at} /m²", verdict.value);
    Verdict { grade, value, ..verdict }
}

pub fn judge_counter_flow(one_way: &OneWay<Estimate>, opposed: &OpposedFlow<Estimate>) -> Verdict {
    let verdict = judge_classes(&opposed.classes, &COUNTER_FLOW);
    let (most, _) = capacity(&one_way.classes, &ONE_WAY);
    let (capacity, _) = capacity(&opposed.classes, &COUNTER_FLOW);
    let grade = worst([verdict.grade, within(capacity, [1.1, 1.5]), below(capacity, most)]);
    let value = format!("{}, capacity {capacity:.2} of {most:.2} /(m s)", verdict.value);
    Verdict { grade, value, ..verdict }
}

/// Widths of doors, m, and flows of people who were told to walk normally, people/s.
const DOORS: [(f64, [f64; 2]); 6] = [
    (0.8, [1.29, 1.46]),
    (1.0, [1.71, 2.02]),
    (1.2, [2.03, 2.36]),
    (1.6, [2.7, 3.2]),
    (2.0, [3.5, 3.9]),
    (2.4, [4.0, 5.0]),
];

record! {
    /// Flows through each of [`DOORS`].
    pub struct DoorFlows: "doors" effort 33 by measure_door_flows {
        flows: [V; DOORS.len()] = ("people/s", 2),
    }
}

fn measure_door_flows(bench: &Bench) -> Result<DoorFlows, ExperimentError> {
    let doors = Doors { setup: setup(bench), people: 150, widths: Vec::new() };
    let flows = each(DOORS, |(width, _)| {
        Ok(doors.leave(&case(bench, width), bench.runs)?.flow.unwrap_or(0.0))
    })?;
    Ok(DoorFlows { flows })
}

pub fn judge_bottlenecks(DoorFlows { flows }: &DoorFlows<Estimate>) -> Verdict {
    let ranges = DOORS.map(|(width, [low, high])| (width, [0.9 * low, 1.1 * high]));
    let grades = flows.iter().zip(ranges).map(|(flow, (_, range))| flow.within(range));
    let widths = || DOORS.map(|(width, _)| width).into_iter();
    let points: Vec<(f64, f64)> = widths().zip(flows.map(|flow| flow.mean())).collect();
    let LinearFit { slope, r_squared } = LinearFit::of(&points);
    let grade = worst(grades.chain([within(slope, [1.7, 2.1]), below(0.98, r_squared)]));
    let value = format!("{}, slope {slope:.2} /(m s), R² {r_squared:.3}", listed(flows));
    let plot = Plot::new("width, m", "flow, people/s")
        .curve("", widths().zip(flows))
        .expecting("people ± 10 %", ranges);
    Verdict::new(grade, value)
        .with("as measured: 1.29-1.46, 1.71-2.02, 2.03-2.36, 2.7-3.2, 3.5-3.9, 4.0-5.0")
        .drawn(plot)
}

pub fn judge_lengths(Lengths { short, long }: &Lengths<Estimate>) -> Verdict {
    let ratio = short.flow.mean() / long.flow.mean();
    Verdict::new(within(ratio, [1.0, 1.35]), format!("{ratio:.2}")).with(format!(
        "{} and {} people/s",
        short.flow.number(),
        long.flow.number()
    ))
}

/// How much longer the time gap of careful people is, s.
const CAREFUL: f32 = 0.3;

record! {
    /// Careful people.
    pub struct CodeMode: "code-mode" effort 3 by measure_code_mode {
        /// Through a door of 1 m.
        flow: V = ("people/s", 2),
    }
}

fn measure_code_mode(bench: &Bench) -> Result<CodeMode, ExperimentError> {
    let careful = careful(bench.steering);
    let bench = Bench { steering: &careful, ..*bench };
    let walls = [
        [[-0.3, -0.3], [8.3, 0.0]],
        [[-0.3, 5.0], [8.3, 5.3]],
        [[-0.3, 0.0], [0.0, 5.0]],
        [[8.0, 0.0], [8.3, 2.0]],
        [[8.0, 3.0], [8.3, 5.0]],
    ];
    let regions = [("room", [[0.3, 0.3], [7.5, 4.7]]), ("out", [[11.0, 1.0], [12.0, 4.0]])];
    let people = group("people", Varied::uniform(0.97, 1.62), Goal::seek("out"));
    let groups = [people.dense_crowd(100, "room")];
    let file = scene(300.0, [[-1.0, -2.0], [13.0, 7.0]], &walls, &regions, groups);
    let passages = bench.walk(file)?.passages([[8.0, 1.9], [8.0, 3.1]]);
    Ok(CodeMode { flow: passages.flow(Trim { first: 10, last: 0 }).unwrap_or_default() })
}

/// The same model with a longer time gap, which is kept to everybody, however far aside.
fn careful(steering: &Steering) -> Steering {
    let gap = MODELS.info(steering.model()).map_or(0.0, |model| model.common.time_gap);
    // A model that was given a gap keeps it.
    let careful = format!("{steering}:time_gap={}:stagger=0", gap + CAREFUL);
    careful.parse().unwrap_or_else(|_| steering.clone())
}

pub fn judge_code_mode(CodeMode { flow }: &CodeMode<Estimate>) -> Verdict {
    Verdict::new(flow.within([1.1, 1.33]), flow.to_string())
}

record! {
    /// Two corridors that meet.
    pub struct Merge: "merge" effort 14 by measure_merge {
        /// By width, after they have met.
        flow: V = ("/(m s)", 2),
        /// Share of those from the left.
        from_left: V = ("", 2),
    }
}

fn measure_merge(bench: &Bench) -> Result<Merge, ExperimentError> {
    let walls = [
        [[-35.0, -0.3], [35.0, 0.0]],
        [[-35.0, 2.4], [-1.2, 2.7]],
        [[1.2, 2.4], [35.0, 2.7]],
        [[-1.5, 2.7], [-1.2, 20.0]],
        [[1.2, 2.7], [1.5, 20.0]],
    ];
    let regions = [
        ("left", [[-30.0, 0.25], [-3.0, 2.15]]),
        ("right", [[3.0, 0.25], [30.0, 2.15]]),
        ("out", [[-1.2, 21.0], [1.2, 23.0]]),
    ];
    let groups = [
        group("from the left", adults(), Goal::seek("out")).dense_crowd(150, "left"),
        group("from the right", adults(), Goal::seek("out")).dense_crowd(150, "right"),
    ];
    let file = scene(200.0, [[-36.0, -2.0], [36.0, 24.0]], &walls, &regions, groups);
    let walk = bench.walk(file)?;
    let mut passed = std::collections::BTreeMap::new();
    for moment in &walk.moments {
        for (id, _) in moment.ids.iter().zip(&moment.positions).filter(|(_, at)| at.y > 6.0) {
            passed.entry(*id).or_insert(moment.time);
        }
    }
    let mut passed: Vec<(f64, u32)> = passed.into_iter().map(|(id, time)| (time, id)).collect();
    passed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // While both branches are full.
    let Some(steady @ [(begin, _), .., (end, _)]) = passed.get(40..200) else {
        return Ok(Merge { flow: 0.0, from_left: f64::NAN });
    };
    let left = |(_, id): &&(f64, u32)| walk.groups.get(id) == Some(&GroupId(0));
    let flow = (steady.len() - 1) as f64 / (end - begin);
    let from_left = steady.iter().filter(left).count() as f64 / steady.len() as f64;
    Ok(Merge { flow: flow / 2.4, from_left })
}

pub fn judge_merge(Merge { flow, from_left }: &Merge<Estimate>) -> Verdict {
    let outcome = worst([flow.within([1.4, 1.9]), from_left.within([0.4, 0.6])]);
    Verdict::new(outcome, format!("{flow}, {from_left} from the left"))
}

/// How many come the other way.
const AGAINST: [u32; 4] = [0, 10, 50, 100];

record! {
    /// When the last of 100 is in the other room, against each of [`AGAINST`].
    pub struct Rooms: "rooms" effort 33 by measure_rooms {
        times: [V; AGAINST.len()] = ("s", 0),
    }
}

fn measure_rooms(bench: &Bench) -> Result<Rooms, ExperimentError> {
    let rooms = CounterFlow { setup: setup(bench), people: 100, against: Vec::new() };
    let times = each(AGAINST, |against| {
        Ok(rooms.time(&case(bench, against), bench.runs)?.unwrap_or(f64::INFINITY))
    })?;
    Ok(Rooms { times })
}

pub fn judge_rooms(Rooms { times }: &Rooms<Estimate>) -> Verdict {
    let rises = rising(times.iter().map(Estimate::mean));
    let all_through = pass_if(times.iter().all(Estimate::is_finite));
    let [alone, .., most] = times;
    let ratio = most.mean() / alone.mean();
    let grade = worst([rises, all_through, within(ratio, [1.5, 3.0])]);
    let plot = Plot::new("people against 100", "last through, s")
        .curve("", AGAINST.map(f64::from).into_iter().zip(times));
    Verdict::new(grade, format!("{}, {ratio:.2} times", listed(times))).drawn(plot)
}

record! {
    /// A queue at a gate of 0.5 m.
    pub struct Gate: "gate" effort 3 by measure_gate {
        flow: V = ("people/s", 2),
        /// Before it.
        density: V = ("people/m²", 1),
        /// Standard deviation of the headways by their mean.
        variation: V = ("", 2),
    }
}

fn measure_gate(bench: &Bench) -> Result<Gate, ExperimentError> {
    // Closed behind them: who waits long enough would rather walk round the corridor.
    let walls = [
        [[-13.3, -3.1], [-13.0, 3.1]],
        [[-13.0, 2.8], [0.2, 3.1]],
        [[-13.0, -3.1], [0.2, -2.8]],
        [[0.0, 0.25], [0.2, 2.8]],
        [[0.0, -2.8], [0.2, -0.25]],
    ];
    let regions = [("start", [[-6.0, -2.5], [-0.5, 2.5]]), ("out", [[4.0, -2.0], [6.0, 2.0]])];
    let groups = [group("students", adults(), Goal::seek("out")).dense_crowd(75, "start")];
    let file = scene(300.0, [[-14.0, -5.0], [8.0, 5.0]], &walls, &regions, groups);
    let walk = bench.walk(file)?;
    let passages = walk.passages([[0.1, -0.3], [0.1, 0.3]]);
    let second = (1.0 / walk.interval).round().max(1.0) as usize;
    let counts = walk.counts([[-1.3, -0.4], [-0.5, 0.4]]);
    let busy = (counts.iter().step_by(second).filter(|count| **count > 0))
        .map(|count| *count as f64 / 0.64);
    let headways: Vec<f64> = passages.times().windows(2).map(|pair| pair[1] - pair[0]).collect();
    let headway = Spread::of(&headways);
    let all = passages.times().len() == walk.people();
    Ok(Gate {
        flow: passages.flow(Trim::default()).filter(|_| all).unwrap_or_default(),
        density: mean(busy).unwrap_or_default(),
        variation: headway.sd / headway.mean,
    })
}

pub fn judge_gate(Gate { flow, density, variation }: &Gate<Estimate>) -> Verdict {
    let outcomes =
        [flow.within([1.0, 1.3]), density.within([5.0, 8.5]), variation.within([0.3, 0.75])];
    Verdict::new(worst(outcomes), format!("{flow}, {density}, headways vary by {variation}"))
}
