//! The tests of RiMEA 1 to 16, with the dimensions of public implementations of the guideline, and
//! those of version 3 that version 4 replaced (12 and the first 13).
//!
//! People have bodies with a radius of 0.18 m and speeds as each test says. Stairs have no speeds of
//! their own in a scene: people climb them with 0.455 of their speed and descend with 0.515, so
//! somebody who is to climb at 0.5 m/s is given 0.5 / 0.455 m/s on the level.

mod crowds;
mod diagrams;
mod persons;
mod ring;
mod stairs;
mod ways;

pub(super) use crowds::{flatness, judge_hall, judge_wide_corner};
pub(super) use persons::{judge_ages, judge_corridor, judge_delays, judge_stair, starts};
pub(super) use ring::judge_single_file;
pub(super) use stairs::judge_diagram as judge_stair_diagram;
pub(super) use ways::judge_assigned;

use super::bench::{Measure, Test};

/// What is measured. Efforts are about what a crowd of `pedestrian` takes, in tenths of a second.
pub(super) mod measured {
    use super::*;

    pub const CORRIDOR: Measure =
        Measure { name: "corridor", count: 2, effort: 1, of: persons::corridor };
    pub const STAIRS_UP: Measure = Measure {
        name: "stairs-up",
        count: 1,
        effort: 1,
        of: |bench| persons::stair_time(bench, true),
    };
    pub const STAIRS_DOWN: Measure = Measure {
        name: "stairs-down",
        count: 1,
        effort: 1,
        of: |bench| persons::stair_time(bench, false),
    };
    pub const DIAGRAM: Measure =
        Measure { name: "fundamental-diagram", count: 28, effort: 700, of: diagrams::corridor };
    pub const PREMOVEMENT: Measure =
        Measure { name: "premovement", count: 4, effort: 1, of: persons::delays };
    pub const CORNER: Measure =
        Measure { name: "corner", count: 3, effort: 1, of: persons::round_corner };
    pub const AGES: Measure =
        Measure { name: "ages", count: 24, effort: 1, of: persons::free_speeds };
    pub const STOREYS: Measure =
        Measure { name: "storeys", count: 3, effort: 3, of: ways::storeys };
    pub const HALL: Measure =
        Measure { name: "hall", count: 2, effort: 230, of: crowds::hall_times };
    pub const CABINS: Measure = Measure { name: "cabins", count: 3, effort: 1, of: ways::assigned };
    pub const EXITS: Measure = Measure { name: "exits", count: 4, effort: 190, of: crowds::exits };
    pub const BOTTLENECKS: Measure =
        Measure { name: "bottlenecks", count: 5, effort: 5, of: crowds::bottlenecks };
    pub const GOALS: Measure =
        Measure { name: "goal-placement", count: 4, effort: 12, of: crowds::goal_times };
    pub const LENGTHS: Measure =
        Measure { name: "opening-lengths", count: 4, effort: 9, of: crowds::lengths };
    pub const SERIES: Measure = Measure { name: "series", count: 5, effort: 5, of: crowds::series };
    pub const WIDTHS: Measure =
        Measure { name: "opening-widths", count: 3, effort: 15, of: crowds::widths };
    pub const CONGESTION: Measure =
        Measure { name: "corridor-and-stairs", count: 6, effort: 3, of: stairs::congestion };
    pub const STAIRS: Measure =
        Measure { name: "stairs", count: 19, effort: 4, of: stairs::diagram };
    pub const WAYS: Measure = Measure { name: "ways", count: 2, effort: 3, of: ways::choice };
    pub const WIDE_CORNER: Measure =
        Measure { name: "wide-corner", count: 3, effort: 50, of: crowds::wide_corner };
    pub const SINGLE_FILE: Measure =
        Measure { name: "single-file", count: 13, effort: 60, of: ring::single_file };
}

const GUIDELINE: &str = "RiMEA 4.1.1 (2025)";
const BEFORE: &str = "RiMEA 3.0 (2016)";

/// All tests, by number.
pub(super) const TESTS: &[Test] = &[
    Test {
        id: "1",
        title: "speed in a corridor",
        source: GUIDELINE,
        expected: "26 to 34 s for 40 m, turned by 45° the same to 1 %",
        measures: &[measured::CORRIDOR],
        judge: judge_corridor,
    },
    Test {
        id: "2",
        title: "up stairs",
        source: GUIDELINE,
        expected: "16 s ± 5 % for 8 m at 0.5 m/s",
        measures: &[measured::STAIRS_UP],
        judge: |numbers| judge_stair(numbers, 16.0),
    },
    Test {
        id: "3",
        title: "down stairs",
        source: GUIDELINE,
        expected: "12.3 s ± 5 % for 8 m at 0.65 m/s",
        measures: &[measured::STAIRS_DOWN],
        judge: |numbers| judge_stair(numbers, 8.0 / 0.65),
    },
    Test {
        id: "4",
        title: "fundamental diagram",
        source: "RiMEA 4.1.1 (2025); Weidmann 1993",
        expected: "speed falls from 0.5 to 6 people/m², not below 0, and is the same at the wall and upstream",
        measures: &[measured::DIAGRAM],
        judge: diagrams::judge_corridor,
    },
    Test {
        id: "5",
        title: "time before movement",
        source: GUIDELINE,
        expected: "0.05 m from the start at most 0.5 s after each delay",
        measures: &[measured::PREMOVEMENT],
        judge: |numbers| judge_delays(&numbers[..2], 0.5),
    },
    Test {
        id: "6",
        title: "round a corner",
        source: GUIDELINE,
        expected: "nobody in a wall, all leave, bodies at most 0.01 m in walls",
        measures: &[measured::CORNER],
        judge: persons::judge_corner,
    },
    Test {
        id: "7",
        title: "speeds by age",
        source: "RiMEA 4.1.1 (2025); Weidmann 1993",
        expected: "everyone within the range of their age ± 0.03 m/s, and slower with age",
        measures: &[measured::AGES],
        judge: judge_ages,
    },
    Test {
        id: "8",
        title: "parameter study",
        source: GUIDELINE,
        expected: "times to leave three storeys, for 0.8, 1.2 and 1.6 m/s",
        measures: &[measured::STOREYS],
        judge: ways::judge_storeys,
    },
    Test {
        id: "9",
        title: "large public room",
        source: "RiMEA 4.1.1 (2025); IMO MSC.1/Circ. 1533, test 9",
        expected: "with two of four doors 1.6 to 2.4 times as long",
        measures: &[measured::HALL],
        judge: judge_hall,
    },
    Test {
        id: "10",
        title: "assigned exits",
        source: "RiMEA 4.1.1 (2025); IMO MSC.1/Circ. 1533, test 10",
        expected: "all 23 leave by the exit they were told to take",
        measures: &[measured::CABINS],
        judge: judge_assigned,
    },
    Test {
        id: "11",
        title: "choice of exit",
        source: GUIDELINE,
        expected: "most take the near door, and some the far one",
        measures: &[measured::EXITS],
        judge: crowds::judge_exits,
    },
    Test {
        id: "12",
        title: "bottlenecks",
        source: BEFORE,
        expected: "a queue at the first only; flow of the first at least that of the last less 0.05 /s",
        measures: &[measured::BOTTLENECKS],
        judge: crowds::judge_bottlenecks,
    },
    Test {
        id: "12a",
        title: "goal behind an opening",
        source: GUIDELINE,
        expected: "goal 0.2 m behind not slower than 9.8 m behind; the same to 3 % beyond 2 m",
        measures: &[measured::GOALS],
        judge: crowds::judge_goal,
    },
    Test {
        id: "12b",
        title: "length of an opening",
        source: GUIDELINE,
        expected: "5 m long not faster than 0.2 m",
        measures: &[measured::LENGTHS],
        judge: crowds::judge_lengths,
    },
    Test {
        id: "12c",
        title: "openings in series",
        source: GUIDELINE,
        expected: "more people before the first than before the second, and no queue there",
        measures: &[measured::SERIES],
        judge: crowds::judge_series,
    },
    Test {
        id: "12d",
        title: "width of an opening",
        source: GUIDELINE,
        expected: "flow grows from 0.8 to 1.0 to 1.2 m, near 1.9 people/s per metre",
        measures: &[measured::WIDTHS],
        judge: crowds::judge_widths,
    },
    Test {
        id: "13v3",
        title: "corridor and stairs",
        source: "RiMEA 3.0 (2016); IMO MSC.1/Circ. 1533, test 11",
        expected: "denser before the corridor and the stairs than between; flows differ by 0.05 /s",
        measures: &[measured::CONGESTION],
        judge: stairs::judge_congestion,
    },
    Test {
        id: "13",
        title: "diagram of stairs",
        source: "RiMEA 4.1.1 (2025); Corbetta et al.",
        expected: "faster down than up at each density; half of all points within what was measured",
        measures: &[measured::STAIRS],
        judge: judge_stair_diagram,
    },
    Test {
        id: "14",
        title: "choice of way",
        source: GUIDELINE,
        expected: "the share of the short way over stairs and of the long level one",
        measures: &[measured::WAYS],
        judge: ways::judge_choice,
    },
    Test {
        id: "15",
        title: "crowd round a corner",
        source: GUIDELINE,
        expected: "not faster than 50 m straight on, not slower than 81 m",
        measures: &[measured::WIDE_CORNER],
        judge: judge_wide_corner,
    },
    Test {
        id: "16",
        title: "single file",
        source: "RiMEA 4.1.1 (2025)",
        expected: "three of four classes of density within 10 to 90 % of what was measured",
        measures: &[measured::SINGLE_FILE],
        judge: judge_single_file,
    },
];
