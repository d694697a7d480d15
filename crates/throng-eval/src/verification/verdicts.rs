//! Every check can pass, and every part of it can fail: records as they should be, with one value of them
//! spoilt at a time.

use super::realism_suite::{laboratory::*, street::*, sums::*, together::*};
use super::record::{Record, over_seeds, values};
use super::report::Outcome::{self, Documented, Fail, Pass, Warn};
use super::rimea_suite::{crowds::*, diagrams::*, persons::*, ring::*, stairs::*, ways::*};
use super::suite::Suite;

const NEVER: f64 = f64::INFINITY;
const NONE: f64 = f64::NAN;

/// What the measures of a test have found.
trait Found: Copy {
    fn list(&self) -> Vec<f64>;
}

impl<R: Record + Copy> Found for R {
    fn list(&self) -> Vec<f64> {
        values(self)
    }
}

impl<A: Record + Copy, B: Record + Copy> Found for (A, B) {
    fn list(&self) -> Vec<f64> {
        [values(&self.0), values(&self.1)].concat()
    }
}

fn judged(suite: Suite, id: &str, found: impl Found) -> (Outcome, String) {
    let (test, list) = (suite.tests().iter().find(|test| test.id == id).unwrap(), found.list());
    let count: usize = test.judge.measures().iter().map(|measure| measure.count).sum();
    assert_eq!(list.len(), count, "{id} takes so many values");
    let check = test.judged(over_seeds(&[list]));
    // A search for better values has nothing but the distance.
    let (is_met, distance) = (matches!(check.outcome, Pass | Documented), check.misfit.distance);
    assert_eq!(distance == 0.0, is_met, "{id} is {distance} off: {check:?}");
    (check.outcome, format!("{check:?}"))
}

/// A test with good values, and what each way to spoil one of them comes to.
macro_rules! case {
    ($cases:ident, $id:literal, $good:expr $(, [$($path:tt)+] = $value:expr => $outcome:expr)*) => {
        $cases.case($id, $good, &[$((|found| found.$($path)+ = $value, $outcome)),*])
    };
}

/// A way to spoil values, and what comes of it.
type Spoilt<F> = (fn(&mut F), Outcome);

/// The tests of a suite that have been looked at.
struct Cases(Suite, Vec<&'static str>);

impl Cases {
    /// Good values pass, and what each way to spoil them comes to.
    fn case<F: Found>(&mut self, id: &'static str, good: F, spoilt: &[Spoilt<F>]) {
        self.1.push(id);
        let (outcome, told) = judged(self.0, id, good);
        assert!(matches!(outcome, Pass | Documented), "{id} does not pass: {told}");
        assert!(outcome == Documented || !spoilt.is_empty(), "{id} cannot fail");
        for (nth, (spoil, expected)) in spoilt.iter().enumerate() {
            let mut found = good;
            spoil(&mut found);
            let (outcome, told) = judged(self.0, id, found);
            assert_eq!(outcome, *expected, "{id}, spoilt in way {nth}: {told}");
        }
    }

    fn are_all(self) {
        assert_eq!(self.1, self.0.ids().collect::<Vec<_>>(), "each has a case");
    }
}

fn diagram() -> CorridorDiagram {
    let speeds = [1.3, 1.1, 0.7, 0.4, 0.2, 0.1, 0.05];
    let densities = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let point = |nth: usize| {
        let (speed, density) = (speeds[nth], densities[nth]);
        CorridorPoint { middle: speed, wall: speed, upstream: speed, density }
    };
    CorridorDiagram { points: std::array::from_fn(point) }
}

fn premovement() -> Premovement {
    let late = |least, most| Lateness { least, most };
    Premovement { away: late(0.2, 0.3), begun: late(0.0, 0.1) }
}

fn ages() -> Ages {
    let age = |v| AgeSpeeds { slowest: v, mean: v, fastest: v, deviation: 0.01 };
    Ages { ages: [1.62, 1.54, 1.48, 1.41, 1.27, 1.07].map(age) }
}

fn congestion() -> Congestion {
    let [before_corridor, before_stairs, between] = [3.0, 2.0, 1.6];
    Congestion { flows: [3.3, 2.9], before_corridor, before_stairs, between, emptied: 100.0 }
}

fn stairs() -> StairDiagram {
    StairDiagram { up: [0.6; 9], down: [0.7; 9], inside: 0.6 }
}

/// Medians of people in single file.
fn single_file() -> SingleFile {
    let speeds = [1.19, 1.16, 1.09, 0.97, 0.75, 0.52, 0.39, 0.27, 0.20, 0.16, 0.13, 0.10, 0.08];
    SingleFile { speeds }
}

fn opening_lengths() -> Lengths {
    let [short, long] = [(95.0, 1.6), (108.0, 1.4)].map(|(time, flow)| Opening { time, flow });
    Lengths { short, long }
}

/// Speeds and flows of people in classes of density.
fn corridor<const N: usize>(speeds: [f64; N]) -> [ClassPoint; N] {
    let from = [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5];
    std::array::from_fn(|nth| {
        let middle = from[nth] + if from[nth] < 2.0 { 0.125 } else { 0.25 };
        ClassPoint { speed: speeds[nth], flow: speeds[nth] * middle }
    })
}

fn one_way() -> OneWay {
    let speeds = [1.49, 1.43, 1.38, 1.22, 1.19, 1.08, 0.95, 0.53, 0.39, 0.22, 0.16];
    OneWay { classes: corridor(speeds) }
}

fn opposed() -> OpposedFlow {
    let speeds = [1.50, 1.39, 1.22, 1.14, 0.91, 0.85, 0.72, 0.58, 0.46, 0.40];
    OpposedFlow { classes: corridor(speeds) }
}

fn street() -> Street {
    let law = LawOfCollisions {
        g: [0.05, 0.2, 1.0],
        pairs: [100.0, 100.0, 4000.0],
        slope: -2.0,
        classes: [0.5; 16],
    };
    let distances = NearDistances { nearest: 0.5, within_half: 0.01, within_two_fifths: 0.004 };
    let walks = StreetWalks {
        density: 0.16,
        speed: 1.25,
        turn_rate: 0.06,
        tangential: 0.12,
        normal: 0.15,
        straightness: 0.99,
    };
    Street { law, distances, shapes: WalkShapes { walks, hardest: 0.5 } }
}

#[test]
fn every_test_of_rimea_can_fail() {
    let mut cases = Cases(Suite::Rimea, Vec::new());
    case!(cases, "1", Corridor { along_x: 30.1, turned: 30.1 },
        [along_x] = 35.5 => Fail, [turned] = 30.6 => Fail, [turned] = NEVER => Fail);
    case!(cases, "2", StairsUp { time: 16.0 },
        [time] = 15.0 => Warn, [time] = 14.0 => Fail, [time] = NEVER => Fail);
    case!(cases, "3", StairsDown { time: 12.3 }, [time] = 14.0 => Fail);
    // Faster at 3 than at 2 people/m²; nobody; backwards; another speed at the wall.
    case!(cases, "4", diagram(),
        [points[3].middle] = 0.8 => Fail, [points[3].middle] = NONE => Fail,
        [points[6].middle] = -0.2 => Fail, [points[0].wall] = 1.6 => Warn);
    case!(cases, "5", premovement(),
        [away.most] = 1.0 => Fail, [away.least] = -20.0 => Fail, [away.most] = NEVER => Fail);
    case!(cases, "6", Corner { outside: 0.0, overlap: 0.0, left: 0.0 },
        [outside] = 1.0 => Fail, [overlap] = 0.02 => Fail, [left] = 1.0 => Fail);
    case!(cases, "7", ages(),
        [ages[0].slowest] = 1.5 => Fail, [ages[0].fastest] = 1.7 => Fail,
        [ages[1].mean] = 1.7 => Fail);
    case!(cases, "8", Storeys { times: [70.0, 46.0, 37.0] });
    case!(cases, "9", Hall { four_doors: 180.0, two_doors: 340.0 },
        [two_doors] = 200.0 => Fail, [two_doors] = 500.0 => Fail, [two_doors] = NEVER => Fail);
    case!(cases, "10", Cabins { right: 23.0, all: 23.0, emptied: 17.0 },
        [right] = 22.0 => Fail, [emptied] = NEVER => Fail);
    case!(cases, "11", Exits { near: 0.6, last: 300.0, last_near: 300.0, last_far: 290.0 },
        [near] = 0.4 => Fail, [near] = 1.0 => Fail, [last] = NEVER => Fail);
    case!(cases, "12", Bottlenecks { flows: [1.5, 1.4], before: [19.0, 7.0], emptied: 110.0 },
        [flows[0]] = 1.3 => Fail, [before[0]] = 6.0 => Fail, [before[1]] = 13.0 => Fail,
        [before[1]] = NONE => Fail, [emptied] = NEVER => Fail);
    case!(cases, "12a", GoalTimes { times: [85.0, 96.0, 95.5, 95.0] },
        [times[0]] = 95.1 => Fail, [times[1]] = 99.0 => Fail, [times[3]] = NEVER => Fail,
        [times] = [NEVER; 4] => Fail);
    case!(cases, "12b", opening_lengths(),
        [long.time] = 90.0 => Fail, [long.flow] = 1.7 => Fail, [long.time] = NEVER => Fail);
    case!(cases, "12c", Series { most: [25.0, 14.0], mean: [19.0, 10.0], emptied: 120.0 },
        [most[1]] = 25.0 => Fail, [mean[1]] = 13.0 => Fail, [mean[1]] = NONE => Fail,
        [emptied] = NEVER => Fail);
    case!(cases, "12d", Widths { flows: [1.5, 1.9, 2.3] },
        [flows[1]] = 1.5 => Fail, [flows[0]] = 1.0 => Warn, [flows[2]] = 3.0 => Warn);
    case!(cases, "13v3", congestion(),
        [flows[1]] = 3.28 => Fail, [before_corridor] = 1.5 => Fail, [before_stairs] = 1.5 => Fail,
        [emptied] = NEVER => Fail);
    case!(cases, "13", stairs(),
        [up[0]] = 0.75 => Fail, [inside] = 0.4 => Fail, [inside] = NONE => Fail);
    case!(cases, "14", Ways { short: 0.9, emptied: 80.0 });
    case!(cases, "15", WideCorner { corner: 100.0, short: 70.0, long: 106.0 },
        [corner] = 60.0 => Fail, [corner] = 110.0 => Fail, [corner] = NEVER => Fail);
    // One of 13 classes does not matter.
    case!(cases, "16", single_file(), [speeds[0]] = 0.2 => Pass, [speeds] = [1.3; 13] => Fail);
    cases.are_all();
    let nobody_out = Hall { four_doors: NEVER, two_doors: NEVER };
    assert_eq!(judged(Suite::Rimea, "9", nobody_out).0, Fail);
    let nobody = StairDiagram { up: [NONE; 9], down: [NONE; 9], inside: NONE };
    assert_eq!(judged(Suite::Rimea, "13", nobody).0, Fail, "nobody on the stairs");
    let mut few = single_file();
    few.speeds[2..].fill(NONE);
    assert_eq!(judged(Suite::Rimea, "16", few).0, Fail, "two classes are no diagram");
}

#[test]
fn every_check_of_realism_can_fail() {
    let mut cases = Cases(Suite::Realism, Vec::new());
    case!(cases, "V01", Corridor { along_x: 30.1, turned: 30.1 },
        [along_x] = 40.0 => Fail, [turned] = 31.0 => Fail);
    case!(cases, "V02", (StairsUp { time: 16.0 }, StairsDown { time: 12.3 }),
        [0.time] = 14.0 => Fail, [1.time] = 14.0 => Fail);
    let drawn = DrawnDelays { off: [0.05; 4] };
    case!(cases, "V03", (premovement(), drawn),
        [0.begun.most] = 0.15 => Warn, [0.begun.most] = 0.3 => Fail, [0.begun.least] = -5.0 => Fail,
        [1.off[2]] = 0.12 => Fail, [1.off[3]] = 0.12 => Fail, [1.off[0]] = 1.0 => Fail);
    case!(cases, "V04", AllConduct::default(),
        [outside] = 1.0 => Fail, [wall_overlap] = 0.02 => Fail, [beyond] = 3.0 => Pass);
    case!(cases, "V05", AllConduct::default(),
        [sparse_overlaps] = 0.002 => Fail, [dense_overlaps] = 0.02 => Fail);
    case!(cases, "V06", (ages(), Hundred { mean: 1.2, deviation: 0.2 }),
        [0.ages[0].slowest] = 1.4 => Fail, [1.mean] = 1.3 => Fail, [1.deviation] = 0.3 => Fail);
    case!(cases, "V07", Hall { four_doors: 150.0, two_doors: 300.0 },
        [two_doors] = 200.0 => Fail, [two_doors] = 400.0 => Fail, [two_doors] = NEVER => Fail,
        [four_doors] = 100.0 => Fail);
    let cabins = Cabins { right: 23.0, all: 23.0, emptied: 17.0 };
    case!(cases, "V08", (cabins, ClosedExit { emptied: 12.0, rerouted: 4.0 }),
        [0.right] = 22.0 => Fail, [0.emptied] = NEVER => Fail, [1.emptied] = NEVER => Fail,
        [1.rerouted] = 3.0 => Fail);
    case!(cases, "V09", Conservation::default(),
        [wrong_counts] = 1.0 => Fail, [missing_frames] = 1.0 => Fail, [jumps] = 1.0 => Fail);
    case!(cases, "V10", Invariance { times: [17.0, 17.1, 17.0, 17.0, 17.0, 16.9], same_bits: 1.0 },
        [times[1]] = 17.3 => Fail, [times[5]] = NEVER => Fail, [times] = [NEVER; 6] => Fail,
        [same_bits] = 0.0 => Fail);
    const FREE: f64 = 1.34;
    let speeds = SecondSpeeds { most: FREE, largest: 1.05 * FREE };
    case!(cases, "V11", Ceiling { sparse: speeds, dense: speeds },
        [sparse.largest] = 1.051 * FREE => Warn, [dense.largest] = 1.6 * FREE => Fail,
        [dense.largest] = NONE => Fail);
    case!(cases, "V12", GoalTimes { times: [80.0, 95.0, 95.5, 96.0] },
        [times[1]] = 92.6 => Warn, [times[3]] = 105.0 => Fail, [times[2]] = NEVER => Fail);
    // Too fast; too much at its best; the most where it is already dense; no diagram.
    case!(cases, "L01", one_way(),
        [classes[6].speed] = 1.6 => Fail, [classes[5].flow] = 2.3 => Fail,
        [classes[8].flow] = 1.85 => Fail, [classes[7].flow] = 1.95 => Warn,
        [classes] = [ClassPoint { speed: NONE, flow: NONE }; 11] => Fail);
    // Too slow; too much, and nearly so.
    case!(cases, "L02", (one_way(), opposed()),
        [1.classes[3].speed] = 0.5 => Fail, [1.classes[5].flow] = 1.7 => Fail,
        [1.classes[5].flow] = 1.55 => Warn);
    let as_much = |class: ClassPoint| ClassPoint { flow: 1.2, ..class };
    let one_way = OneWay { classes: one_way().classes.map(as_much) };
    assert_eq!(judged(Suite::Realism, "L02", (one_way, opposed())).0, Fail, "more than one way");
    case!(cases, "L03", single_file(), [speeds[0]] = 0.2 => Pass, [speeds] = [1.3; 13] => Fail);
    case!(cases, "L04", DoorFlows { flows: [1.38, 1.86, 2.2, 2.95, 3.7, 4.5] },
        [flows[0]] = 0.8 => Fail, [flows[1]] = 3.0 => Fail, [flows[5]] = 6.5 => Fail,
        [flows[5]] = 0.0 => Fail);
    case!(cases, "L05", opening_lengths(),
        [short.flow] = 2.5 => Fail, [short.flow] = 1.0 => Fail, [long.flow] = 0.0 => Fail);
    case!(cases, "L06", CodeMode { flow: 1.2 },
        [flow] = 1.35 => Warn, [flow] = 1.8 => Fail, [flow] = 0.9 => Fail);
    case!(cases, "L07", stairs(), [down[0]] = 0.5 => Fail, [inside] = 0.4 => Fail);
    case!(cases, "L08", WideCorner { corner: 100.0, short: 70.0, long: 106.0 },
        [corner] = 110.0 => Fail, [corner] = NEVER => Fail);
    case!(cases, "L09", Merge { flow: 1.65, from_left: 0.5 },
        [flow] = 0.9 => Fail, [from_left] = 0.2 => Fail, [from_left] = NONE => Fail);
    case!(cases, "L10", Rooms { times: [50.0, 60.0, 80.0, 120.0] },
        [times[1]] = 45.0 => Fail, [times[3]] = NEVER => Fail, [times[3]] = 155.0 => Warn,
        [times[3]] = 300.0 => Fail);
    case!(cases, "L11", Gate { flow: 1.15, density: 7.0, variation: 0.5 },
        [flow] = 0.8 => Fail, [density] = 2.8 => Fail, [variation] = 0.1 => Fail,
        [variation] = 1.5 => Fail);
    case!(cases, "R01", street(),
        [law.g[0]] = 0.9 => Fail, [law.g[1]] = 0.8 => Fail, [law.g[1]] = 0.0 => Fail,
        [law.g[2]] = 2.0 => Fail, [law.g[0]] = NONE => Fail);
    case!(cases, "R02", street(),
        [distances.nearest] = 0.1 => Fail, [distances.nearest] = 2.0 => Fail,
        [distances.within_half] = 0.1 => Fail);
    case!(cases, "R03", street(),
        [shapes.walks.turn_rate] = 0.3 => Fail, [shapes.walks.tangential] = 0.01 => Fail,
        [shapes.walks.normal] = 0.6 => Fail, [shapes.walks.straightness] = 0.1 => Fail,
        [shapes.hardest] = 1.5 => Fail, [shapes.hardest] = NONE => Fail,
        [shapes.walks.turn_rate] = NONE => Fail);
    // No lanes; lanes that never change; nobody follows; stripes askew; no stripes.
    let lanes = LaneOrder { order: 0.75, deviation: 0.1, followers: 0.93 };
    case!(cases, "R04", (lanes, Crossing { off: 5.0 }),
        [0.order] = 0.1 => Fail, [0.deviation] = 0.01 => Fail, [0.order] = 1.0 => Warn,
        [0.followers] = 0.6 => Fail, [1.off] = 40.0 => Fail, [1.off] = NONE => Fail);
    let none = PairWalks { spacing: NONE, angle: NONE, speed_ratio: NONE };
    let member = SlowMember { apart: 5.0 };
    case!(cases, "R05", (PairWalks { spacing: 0.8, angle: 75.0, speed_ratio: 0.9 }, member),
        [0.spacing] = 5.0 => Fail, [0.angle] = 20.0 => Fail, [0.speed_ratio] = 1.3 => Fail,
        [1.apart] = 22.0 => Fail, [1.apart] = NEVER => Fail);
    assert_eq!(judged(Suite::Realism, "R05", (none, member)).0, Fail, "no pairs");
    cases.are_all();
}
