//! The tests of RiMEA 1 to 16, with the dimensions of public implementations of the guideline, and
//! those of version 3 that version 4 replaced (12 and the first 13).
//!
//! People have bodies with a radius of 0.18 m and speeds as each test says. Stairs have no speeds of
//! their own in a scene: people climb them with 0.455 of their speed and descend with 0.515, so
//! somebody who is to climb at 0.5 m/s is given 0.5 / 0.455 m/s on the level.

pub(super) mod crowds;
pub(super) mod diagrams;
pub(super) mod persons;
pub(super) mod ring;
pub(super) mod stairs;
pub(super) mod ways;

pub(super) use crowds::{GoalTimes, Hall, Lengths, WideCorner, judge_hall, judge_wide_corner};
#[cfg(test)]
pub(super) use persons::Lateness;
pub(super) use persons::{
    Ages, BEGUN, Corridor, Premovement, StairsDown, StairsUp, judge_ages, judge_corridor,
    judge_lateness, judge_stairs_down, judge_stairs_up, starts,
};
pub(super) use ring::{SingleFile, judge_single_file};
pub(super) use stairs::{StairDiagram, judge_diagram as judge_stair_diagram};
pub(super) use ways::Cabins;

use super::bench::{Of, Test};

const GUIDELINE: &str = "RiMEA 4.1.1 (2025)";
const BEFORE: &str = "RiMEA 3.0 (2016)";

/// All tests, by number.
pub(super) const TESTS: &[Test] = &[
    Test {
        id: "1",
        title: "speed in a corridor",
        source: GUIDELINE,
        expected: "26 to 34 s for 40 m, turned by 45° the same to 1 %",
        judge: &Of::<Corridor>(judge_corridor),
    },
    Test {
        id: "2",
        title: "up stairs",
        source: GUIDELINE,
        expected: "16 s ± 5 % for 8 m at 0.5 m/s",
        judge: &Of::<StairsUp>(judge_stairs_up),
    },
    Test {
        id: "3",
        title: "down stairs",
        source: GUIDELINE,
        expected: "12.3 s ± 5 % for 8 m at 0.65 m/s",
        judge: &Of::<StairsDown>(judge_stairs_down),
    },
    Test {
        id: "4",
        title: "fundamental diagram",
        source: "RiMEA 4.1.1 (2025); Weidmann 1993",
        expected: "speed falls from 0.5 to 6 people/m², not below 0, and is the same at the wall and upstream",
        judge: &Of::<diagrams::CorridorDiagram>(diagrams::judge_diagram),
    },
    Test {
        id: "5",
        title: "time before movement",
        source: GUIDELINE,
        expected: "0.05 m from the start at most 0.5 s after each delay",
        judge: &Of::<Premovement>(|late| judge_lateness(&late.away, 0.5)),
    },
    Test {
        id: "6",
        title: "round a corner",
        source: GUIDELINE,
        expected: "nobody in a wall, all leave, bodies at most 0.01 m in walls",
        judge: &Of::<persons::Corner>(persons::judge_corner),
    },
    Test {
        id: "7",
        title: "speeds by age",
        source: "RiMEA 4.1.1 (2025); Weidmann 1993",
        expected: "everyone within the range of their age ± 0.03 m/s, and slower with age",
        judge: &Of::<Ages>(judge_ages),
    },
    Test {
        id: "8",
        title: "parameter study",
        source: GUIDELINE,
        expected: "times to leave three storeys, for 0.8, 1.2 and 1.6 m/s",
        judge: &Of::<ways::Storeys>(ways::judge_storeys),
    },
    Test {
        id: "9",
        title: "large public room",
        source: "RiMEA 4.1.1 (2025); IMO MSC.1/Circ. 1533, test 9",
        expected: "with two of four doors 1.6 to 2.4 times as long",
        judge: &Of::<Hall>(judge_hall),
    },
    Test {
        id: "10",
        title: "assigned exits",
        source: "RiMEA 4.1.1 (2025); IMO MSC.1/Circ. 1533, test 10",
        expected: "all 23 leave by the exit they were told to take",
        judge: &Of::<Cabins>(ways::judge_assigned),
    },
    Test {
        id: "11",
        title: "choice of exit",
        source: GUIDELINE,
        expected: "most take the near door, and some the far one",
        judge: &Of::<crowds::Exits>(crowds::judge_exits),
    },
    Test {
        id: "12",
        title: "bottlenecks",
        source: BEFORE,
        expected: "a queue at the first only; flow of the first at least that of the last less 0.05 /s",
        judge: &Of::<crowds::Bottlenecks>(crowds::judge_bottlenecks),
    },
    Test {
        id: "12a",
        title: "goal behind an opening",
        source: GUIDELINE,
        expected: "goal 0.2 m behind not slower than 9.8 m behind; the same to 3 % beyond 2 m",
        judge: &Of::<GoalTimes>(crowds::judge_goal),
    },
    Test {
        id: "12b",
        title: "length of an opening",
        source: GUIDELINE,
        expected: "5 m long not faster than 0.2 m",
        judge: &Of::<Lengths>(crowds::judge_lengths),
    },
    Test {
        id: "12c",
        title: "openings in series",
        source: GUIDELINE,
        expected: "more people before the first than before the second, and no queue there",
        judge: &Of::<crowds::Series>(crowds::judge_series),
    },
    Test {
        id: "12d",
        title: "width of an opening",
        source: GUIDELINE,
        expected: "flow grows from 0.8 to 1.0 to 1.2 m, near 1.9 people/s per metre",
        judge: &Of::<crowds::Widths>(crowds::judge_widths),
    },
    Test {
        id: "13v3",
        title: "corridor and stairs",
        source: "RiMEA 3.0 (2016); IMO MSC.1/Circ. 1533, test 11",
        expected: "denser before the corridor and the stairs than between; flows differ by 0.05 /s",
        judge: &Of::<stairs::Congestion>(stairs::judge_congestion),
    },
    Test {
        id: "13",
        title: "diagram of stairs",
        source: "RiMEA 4.1.1 (2025); Corbetta et al.",
        expected: "faster down than up at each density; half of all points within what was measured",
        judge: &Of::<StairDiagram>(judge_stair_diagram),
    },
    Test {
        id: "14",
        title: "choice of way",
        source: GUIDELINE,
        expected: "the share of the short way over stairs and of the long level one",
        judge: &Of::<ways::Ways>(ways::judge_choice),
    },
    Test {
        id: "15",
        title: "crowd round a corner",
        source: GUIDELINE,
        expected: "not faster than 50 m straight on, not slower than 81 m",
        judge: &Of::<WideCorner>(judge_wide_corner),
    },
    Test {
        id: "16",
        title: "single file",
        source: "RiMEA 4.1.1 (2025)",
        expected: "three of four classes of density within 10 to 90 % of what was measured",
        judge: &Of::<SingleFile>(judge_single_file),
    },
];
