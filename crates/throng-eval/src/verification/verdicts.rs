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
    (check.outcome, format!("{check:?}"))
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
    cases.case(
        "1",
        Corridor { along_x: 30.1, turned: 30.1 },
        &[
            (|times| times.along_x = 35.5, Fail),
            (|times| times.turned = 30.6, Fail),
            (|times| times.turned = NEVER, Fail),
        ],
    );
    cases.case(
        "2",
        StairsUp { time: 16.0 },
        &[(|up| up.time = 15.0, Warn), (|up| up.time = 14.0, Fail), (|up| up.time = NEVER, Fail)],
    );
    cases.case("3", StairsDown { time: 12.3 }, &[(|down| down.time = 14.0, Fail)]);
    cases.case(
        "4",
        diagram(),
        &[
            // Faster at 3 than at 2 people/m²; nobody; backwards; another speed at the wall.
            (|diagram| diagram.points[3].middle = 0.8, Fail),
            (|diagram| diagram.points[3].middle = NONE, Fail),
            (|diagram| diagram.points[6].middle = -0.2, Fail),
            (|diagram| diagram.points[0].wall = 1.6, Warn),
        ],
    );
    cases.case(
        "5",
        premovement(),
        &[
            (|late| late.away.most = 1.0, Fail),
            (|late| late.away.least = -20.0, Fail),
            (|late| late.away.most = NEVER, Fail),
        ],
    );
    cases.case(
        "6",
        Corner { outside: 0.0, overlap: 0.0, left: 0.0 },
        &[
            (|corner| corner.outside = 1.0, Fail),
            (|corner| corner.overlap = 0.02, Fail),
            (|corner| corner.left = 1.0, Fail),
        ],
    );
    cases.case(
        "7",
        ages(),
        &[
            (|Ages { ages }| ages[0].slowest = 1.5, Fail),
            (|Ages { ages }| ages[0].fastest = 1.7, Fail),
            (|Ages { ages }| ages[1].mean = 1.7, Fail),
        ],
    );
    cases.case("8", Storeys { times: [70.0, 46.0, 37.0] }, &[]);
    cases.case(
        "9",
        Hall { four_doors: 180.0, two_doors: 340.0 },
        &[
            (|hall| hall.two_doors = 200.0, Fail),
            (|hall| hall.two_doors = 500.0, Fail),
            (|hall| hall.two_doors = NEVER, Fail),
            (|hall| *hall = Hall { four_doors: NEVER, two_doors: NEVER }, Fail),
        ],
    );
    cases.case(
        "10",
        Cabins { right: 23.0, all: 23.0, emptied: 17.0 },
        &[(|cabins| cabins.right = 22.0, Fail), (|cabins| cabins.emptied = NEVER, Fail)],
    );
    cases.case(
        "11",
        Exits { near: 0.6, last: 300.0, last_near: 300.0, last_far: 290.0 },
        &[
            (|exits| exits.near = 0.4, Fail),
            (|exits| exits.near = 1.0, Fail),
            (|exits| exits.last = NEVER, Fail),
        ],
    );
    cases.case(
        "12",
        Bottlenecks { flows: [1.5, 1.4], before: [19.0, 7.0], emptied: 110.0 },
        &[
            (|found| found.flows[0] = 1.3, Fail),
            (|found| found.before[0] = 6.0, Fail),
            (|found| found.before[1] = 13.0, Fail),
            (|found| found.before[1] = NONE, Fail),
            (|found| found.emptied = NEVER, Fail),
        ],
    );
    cases.case(
        "12a",
        GoalTimes { times: [85.0, 96.0, 95.5, 95.0] },
        &[
            (|goals| goals.times[0] = 95.1, Fail),
            (|goals| goals.times[1] = 99.0, Fail),
            (|goals| goals.times[3] = NEVER, Fail),
            (|goals| goals.times = [NEVER; 4], Fail),
        ],
    );
    cases.case(
        "12b",
        opening_lengths(),
        &[
            (|lengths| lengths.long.time = 90.0, Fail),
            (|lengths| lengths.long.flow = 1.7, Fail),
            (|lengths| lengths.long.time = NEVER, Fail),
        ],
    );
    cases.case(
        "12c",
        Series { most: [25.0, 14.0], mean: [19.0, 10.0], emptied: 120.0 },
        &[
            (|series| series.most[1] = 25.0, Fail),
            (|series| series.mean[1] = 13.0, Fail),
            (|series| series.mean[1] = NONE, Fail),
            (|series| series.emptied = NEVER, Fail),
        ],
    );
    cases.case(
        "12d",
        Widths { flows: [1.5, 1.9, 2.3] },
        &[
            (|widths| widths.flows[1] = 1.5, Fail),
            (|widths| widths.flows[0] = 1.0, Warn),
            (|widths| widths.flows[2] = 3.0, Warn),
        ],
    );
    cases.case(
        "13v3",
        Congestion {
            flows: [3.3, 2.9],
            before_corridor: 3.0,
            before_stairs: 2.0,
            between: 1.6,
            emptied: 100.0,
        },
        &[
            (|found| found.flows[1] = 3.28, Fail),
            (|found| found.before_corridor = 1.5, Fail),
            (|found| found.before_stairs = 1.5, Fail),
            (|found| found.emptied = NEVER, Fail),
        ],
    );
    cases.case(
        "13",
        stairs(),
        &[
            (|stairs| stairs.up[0] = 0.75, Fail),
            (|stairs| stairs.inside = 0.4, Fail),
            (|stairs| stairs.inside = NONE, Fail),
            // Nobody on the stairs.
            (
                |stairs| *stairs = StairDiagram { up: [NONE; 9], down: [NONE; 9], inside: NONE },
                Fail,
            ),
        ],
    );
    cases.case("14", Ways { short: 0.9, emptied: 80.0 }, &[]);
    let corner = WideCorner { corner: 100.0, short: 70.0, long: 106.0 };
    cases.case(
        "15",
        corner,
        &[
            (|times| times.corner = 60.0, Fail),
            (|times| times.corner = 110.0, Fail),
            (|times| times.corner = NEVER, Fail),
        ],
    );
    cases.case(
        "16",
        single_file(),
        &[
            // One of 13 classes does not matter.
            (|file| file.speeds[0] = 0.2, Pass),
            (|file| file.speeds = [1.3; 13], Fail),
            // Two classes are no diagram.
            (|file| file.speeds[2..].fill(NONE), Fail),
        ],
    );
    cases.are_all();
}

#[test]
fn every_check_of_realism_can_fail() {
    let mut cases = Cases(Suite::Realism, Vec::new());
    cases.case(
        "V01",
        Corridor { along_x: 30.1, turned: 30.1 },
        &[(|times| times.along_x = 40.0, Fail), (|times| times.turned = 31.0, Fail)],
    );
    cases.case(
        "V02",
        (StairsUp { time: 16.0 }, StairsDown { time: 12.3 }),
        &[(|(up, _)| up.time = 14.0, Fail), (|(_, down)| down.time = 14.0, Fail)],
    );
    cases.case(
        "V03",
        (premovement(), DrawnDelays { late: [Lateness { least: 0.05, most: 0.1 }; 4] }),
        &[
            (|(late, _)| late.begun.most = 0.15, Warn),
            (|(late, _)| late.begun.most = 0.3, Fail),
            (|(late, _)| late.begun.least = -5.0, Fail),
            (|(_, drawn)| drawn.late[2].most = 0.3, Fail),
            (|(_, drawn)| drawn.late[3].least = -0.3, Fail),
            (|(_, drawn)| drawn.late[0].most = NEVER, Fail),
        ],
    );
    cases.case(
        "V04",
        AllConduct::default(),
        &[
            (|conduct| conduct.outside = 1.0, Fail),
            (|conduct| conduct.wall_overlap = 0.02, Fail),
            (|conduct| conduct.beyond = 3.0, Pass),
        ],
    );
    cases.case(
        "V05",
        AllConduct::default(),
        &[
            (|conduct| conduct.sparse_overlaps = 0.002, Fail),
            (|conduct| conduct.dense_overlaps = 0.02, Fail),
        ],
    );
    cases.case(
        "V06",
        (ages(), Hundred { mean: 1.2, deviation: 0.2 }),
        &[
            (|(ages, _)| ages.ages[0].slowest = 1.4, Fail),
            (|(_, hundred)| hundred.mean = 1.3, Fail),
            (|(_, hundred)| hundred.deviation = 0.3, Fail),
        ],
    );
    cases.case(
        "V07",
        Hall { four_doors: 150.0, two_doors: 300.0 },
        &[
            (|hall| hall.two_doors = 200.0, Fail),
            (|hall| hall.two_doors = 400.0, Fail),
            (|hall| hall.two_doors = NEVER, Fail),
            (|hall| hall.four_doors = 100.0, Fail),
        ],
    );
    let cabins = Cabins { right: 23.0, all: 23.0, emptied: 17.0 };
    cases.case(
        "V08",
        (cabins, ClosedExit { emptied: 12.0, rerouted: 4.0 }),
        &[
            (|(cabins, _)| cabins.right = 22.0, Fail),
            (|(cabins, _)| cabins.emptied = NEVER, Fail),
            (|(_, closed)| closed.emptied = NEVER, Fail),
            (|(_, closed)| closed.rerouted = 3.0, Fail),
        ],
    );
    cases.case(
        "V09",
        Conservation::default(),
        &[
            (|found| found.wrong_counts = 1.0, Fail),
            (|found| found.missing_frames = 1.0, Fail),
            (|found| found.jumps = 1.0, Fail),
        ],
    );
    cases.case(
        "V10",
        Invariance { times: [17.0, 17.1, 17.0, 17.0, 17.0, 16.9], same_bits: 1.0 },
        &[
            (|found| found.times[1] = 17.3, Fail),
            (|found| found.times[5] = NEVER, Fail),
            (|found| found.times = [NEVER; 6], Fail),
            (|found| found.same_bits = 0.0, Fail),
        ],
    );
    const FREE: f64 = 1.34;
    let speeds = SecondSpeeds { most: FREE, largest: 1.05 * FREE };
    cases.case(
        "V11",
        Ceiling { sparse: speeds, dense: speeds },
        &[
            (|found| found.sparse.largest = 1.051 * FREE, Warn),
            (|found| found.dense.largest = 1.6 * FREE, Fail),
            (|found| found.dense.largest = NONE, Fail),
        ],
    );
    cases.case(
        "V12",
        GoalTimes { times: [80.0, 95.0, 95.5, 96.0] },
        &[
            (|goals| goals.times[1] = 92.6, Warn),
            (|goals| goals.times[3] = 105.0, Fail),
            (|goals| goals.times[2] = NEVER, Fail),
        ],
    );
    cases.case(
        "L01",
        one_way(),
        &[
            // Too fast; too much at its best; the most where it is already dense; no diagram.
            (|flow| flow.classes[6].speed = 1.6, Fail),
            (|flow| flow.classes[5].flow = 2.3, Fail),
            (|flow| flow.classes[8].flow = 1.85, Fail),
            (|flow| flow.classes[7].flow = 1.95, Warn),
            (|flow| flow.classes = [ClassPoint { speed: NONE, flow: NONE }; 11], Fail),
        ],
    );
    cases.case(
        "L02",
        (one_way(), opposed()),
        &[
            // Too slow; too much, and nearly so; more than one way.
            (|(_, opposed)| opposed.classes[3].speed = 0.5, Fail),
            (|(_, opposed)| opposed.classes[5].flow = 1.7, Fail),
            (|(_, opposed)| opposed.classes[5].flow = 1.55, Warn),
            (|(one_way, _)| one_way.classes.iter_mut().for_each(|class| class.flow = 1.2), Fail),
        ],
    );
    cases.case(
        "L03",
        single_file(),
        &[(|file| file.speeds[0] = 0.2, Pass), (|file| file.speeds = [1.3; 13], Fail)],
    );
    cases.case(
        "L04",
        DoorFlows { flows: [1.38, 1.86, 2.2, 2.95, 3.7, 4.5] },
        &[
            (|doors| doors.flows[0] = 0.8, Fail),
            (|doors| doors.flows[1] = 3.0, Fail),
            (|doors| doors.flows[5] = 6.5, Fail),
            (|doors| doors.flows[5] = 0.0, Fail),
        ],
    );
    cases.case(
        "L05",
        opening_lengths(),
        &[
            (|lengths| lengths.short.flow = 2.5, Fail),
            (|lengths| lengths.short.flow = 1.0, Fail),
            (|lengths| lengths.long.flow = 0.0, Fail),
        ],
    );
    cases.case(
        "L06",
        CodeMode { flow: 1.2 },
        &[
            (|found| found.flow = 1.35, Warn),
            (|found| found.flow = 1.8, Fail),
            (|found| found.flow = 0.9, Fail),
        ],
    );
    cases.case(
        "L07",
        stairs(),
        &[(|stairs| stairs.down[0] = 0.5, Fail), (|stairs| stairs.inside = 0.4, Fail)],
    );
    cases.case(
        "L08",
        WideCorner { corner: 100.0, short: 70.0, long: 106.0 },
        &[(|times| times.corner = 110.0, Fail), (|times| times.corner = NEVER, Fail)],
    );
    cases.case(
        "L09",
        Merge { flow: 1.65, from_left: 0.5 },
        &[
            (|merge| merge.flow = 0.9, Fail),
            (|merge| merge.from_left = 0.2, Fail),
            (|merge| merge.from_left = NONE, Fail),
        ],
    );
    cases.case(
        "L10",
        Rooms { times: [50.0, 60.0, 80.0, 120.0] },
        &[
            (|rooms| rooms.times[1] = 45.0, Fail),
            (|rooms| rooms.times[3] = NEVER, Fail),
            (|rooms| rooms.times[3] = 155.0, Warn),
            (|rooms| rooms.times[3] = 300.0, Fail),
        ],
    );
    cases.case(
        "L11",
        Gate { flow: 1.15, density: 7.0, variation: 0.5 },
        &[
            (|gate| gate.flow = 0.8, Fail),
            (|gate| gate.density = 2.8, Fail),
            (|gate| gate.variation = 0.1, Fail),
            (|gate| gate.variation = 1.5, Fail),
        ],
    );
    cases.case(
        "R01",
        street(),
        &[
            (|street| street.law.g[0] = 0.9, Fail),
            (|street| street.law.g[1] = 0.8, Fail),
            (|street| street.law.g[1] = 0.0, Fail),
            (|street| street.law.g[2] = 2.0, Fail),
            (|street| street.law.g[0] = NONE, Fail),
        ],
    );
    cases.case(
        "R02",
        street(),
        &[
            (|street| street.distances.nearest = 0.1, Fail),
            (|street| street.distances.nearest = 2.0, Fail),
            (|street| street.distances.within_half = 0.1, Fail),
        ],
    );
    cases.case(
        "R03",
        street(),
        &[
            (|street| street.shapes.walks.turn_rate = 0.3, Fail),
            (|street| street.shapes.walks.tangential = 0.01, Fail),
            (|street| street.shapes.walks.normal = 0.6, Fail),
            (|street| street.shapes.walks.straightness = 0.1, Fail),
            (|street| street.shapes.hardest = 1.5, Fail),
            (|street| street.shapes.hardest = NONE, Fail),
            (|street| street.shapes.walks.turn_rate = NONE, Fail),
        ],
    );
    cases.case(
        "R04",
        (LaneOrder { order: 0.75, deviation: 0.1, followers: 0.93 }, Crossing { off: 5.0 }),
        &[
            // No lanes; lanes that never change; nobody follows; stripes askew; no stripes.
            (|(lanes, _)| lanes.order = 0.1, Fail),
            (|(lanes, _)| lanes.deviation = 0.01, Fail),
            (|(lanes, _)| lanes.order = 1.0, Warn),
            (|(lanes, _)| lanes.followers = 0.6, Fail),
            (|(_, crossing)| crossing.off = 40.0, Fail),
            (|(_, crossing)| crossing.off = NONE, Fail),
        ],
    );
    let none = PairWalks { spacing: NONE, angle: NONE, speed_ratio: NONE };
    let member = SlowMember { apart: 5.0 };
    cases.case(
        "R05",
        (PairWalks { spacing: 0.8, angle: 75.0, speed_ratio: 0.9 }, member),
        &[
            (|(pairs, _)| pairs.spacing = 5.0, Fail),
            (|(pairs, _)| pairs.angle = 20.0, Fail),
            (|(pairs, _)| pairs.speed_ratio = 1.3, Fail),
            (|(_, member)| member.apart = 22.0, Fail),
            (|(_, member)| member.apart = NEVER, Fail),
        ],
    );
    assert_eq!(judged(Suite::Realism, "R05", (none, member)).0, Fail, "no pairs");
    cases.are_all();
}
