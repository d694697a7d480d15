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

use super::bench::{Of, Test, tests};

const GUIDELINE: &str = "RiMEA 4.1.1 (2025)";
const BEFORE: &str = "RiMEA 3.0 (2016)";

/// All tests, by number.
pub(super) const TESTS: &[Test] = tests! {
    "1" "speed in a corridor", GUIDELINE =>
        "26 to 34 s for 40 m, turned by 45° the same to 1 %",
        Of::<Corridor>(judge_corridor);
    "2" "up stairs", GUIDELINE =>
        "16 s ± 5 % for 8 m at 0.5 m/s",
        Of::<StairsUp>(judge_stairs_up);
    "3" "down stairs", GUIDELINE =>
        "12.3 s ± 5 % for 8 m at 0.65 m/s",
        Of::<StairsDown>(judge_stairs_down);
    "4" "fundamental diagram", "RiMEA 4.1.1 (2025); Weidmann 1993" =>
        "speed falls from 0.5 to 6 people/m², not below 0, and is the same at the wall and upstream",
        Of::<diagrams::CorridorDiagram>(diagrams::judge_diagram);
    "5" "time before movement", GUIDELINE =>
        "0.05 m from the start at most 0.5 s after each delay",
        Of::<Premovement>(|late| judge_lateness(&late.away, 0.5));
    "6" "round a corner", GUIDELINE =>
        "nobody in a wall, all leave, bodies at most 0.01 m in walls",
        Of::<persons::Corner>(persons::judge_corner);
    "7" "speeds by age", "RiMEA 4.1.1 (2025); Weidmann 1993" =>
        "everyone within the range of their age ± 0.03 m/s, and slower with age",
        Of::<Ages>(judge_ages);
    "8" "parameter study", GUIDELINE =>
        "times to leave three storeys, for 0.8, 1.2 and 1.6 m/s",
        Of::<ways::Storeys>(ways::judge_storeys);
    "9" "large public room", "RiMEA 4.1.1 (2025); IMO MSC.1/Circ. 1533, test 9" =>
        "with two of four doors 1.6 to 2.4 times as long",
        Of::<Hall>(judge_hall);
    "10" "assigned exits", "RiMEA 4.1.1 (2025); IMO MSC.1/Circ. 1533, test 10" =>
        "all 23 leave by the exit they were told to take",
        Of::<Cabins>(ways::judge_assigned);
    "11" "choice of exit", GUIDELINE =>
        "most take the near door, and some the far one",
        Of::<crowds::Exits>(crowds::judge_exits);
    "12" "bottlenecks", BEFORE =>
        "a queue at the first only; flow of the first at least that of the last less 0.05 /s",
        Of::<crowds::Bottlenecks>(crowds::judge_bottlenecks);
    "12a" "goal behind an opening", GUIDELINE =>
        "goal 0.2 m behind not slower than 9.8 m behind; the same to 3 % beyond 2 m",
        Of::<GoalTimes>(crowds::judge_goal);
    "12b" "length of an opening", GUIDELINE =>
        "5 m long not faster than 0.2 m",
        Of::<Lengths>(crowds::judge_lengths);
    "12c" "openings in series", GUIDELINE =>
        "more people before the first than before the second, and no queue there",
        Of::<crowds::Series>(crowds::judge_series);
    "12d" "width of an opening", GUIDELINE =>
        "flow grows from 0.8 to 1.0 to 1.2 m, near 1.9 people/s per metre",
        Of::<crowds::Widths>(crowds::judge_widths);
    "13v3" "corridor and stairs", "RiMEA 3.0 (2016); IMO MSC.1/Circ. 1533, test 11" =>
        "denser before the corridor and the stairs than between; flows differ by 0.05 /s",
        Of::<stairs::Congestion>(stairs::judge_congestion);
    "13" "diagram of stairs", "RiMEA 4.1.1 (2025); Corbetta et al." =>
        "faster down than up at each density; half of all points within what was measured",
        Of::<StairDiagram>(judge_stair_diagram);
    "14" "choice of way", GUIDELINE =>
        "the share of the short way over stairs and of the long level one",
        Of::<ways::Ways>(ways::judge_choice);
    "15" "crowd round a corner", GUIDELINE =>
        "not faster than 50 m straight on, not slower than 81 m",
        Of::<WideCorner>(judge_wide_corner);
    "16" "single file", "RiMEA 4.1.1 (2025)" =>
        "three of four classes of density within 10 to 90 % of what was measured",
        Of::<SingleFile>(judge_single_file);
};
