//! The scorecard: 28 checks of how much a simulated crowd is like people.
//!
//! V01 to V12 verify that the simulation does what it was told, L01 to L11 hold it beside what was
//! measured in laboratories, and R01 to R05 beside statistics of people in streets. Where a check names
//! a standard, the limit is the standard's; all others are proposals.

pub(super) mod laboratory;
pub(super) mod street;
pub(super) mod sums;
pub(super) mod together;

pub use street::score_tracks;

use super::bench::{Of, OfBoth, Test, Verdict, worst};
use super::record::Estimate;
use super::rimea_suite::{self as rimea, StairsDown, StairsUp};

/// All checks.
pub(super) const CHECKS: &[Test] = &[
    Test {
        id: "V01",
        title: "corridor time",
        source: "RiMEA 1",
        expected: "26 to 34 s for 40 m, turned by 45° the same to 1 %",
        judge: &Of::<rimea::Corridor>(rimea::judge_corridor),
    },
    Test {
        id: "V02",
        title: "stair time",
        source: "RiMEA 2, 3",
        expected: "16 s up and 12.3 s down, ± 5 %",
        judge: &OfBoth::<StairsUp, StairsDown>(judge_stairs),
    },
    Test {
        id: "V03",
        title: "start delay",
        source: "RiMEA 5; NIST TN 1822, 1.1",
        expected: "each to 0.1 s; four distributions with p > 0.05 (Kolmogorov and Smirnov)",
        judge: &OfBoth::<rimea::Premovement, sums::DrawnDelays>(sums::judge_delays),
    },
    Test {
        id: "V04",
        title: "walls",
        source: "RiMEA 6",
        expected: "nobody in a wall, bodies at most 0.01 m, in all scenes of RiMEA",
        judge: &Of::<sums::AllConduct>(sums::judge_walls),
    },
    Test {
        id: "V05",
        title: "bodies",
        source: "proposal",
        expected: "deeper than 0.05 m in each other: < 0.1 % up to 3 people/m², < 1 % above",
        judge: &Of::<sums::AllConduct>(sums::judge_bodies),
    },
    Test {
        id: "V06",
        title: "demographics",
        source: "RiMEA 7; ISO 20414, 5",
        expected: "speeds by age ± 0.03 m/s; of 100 people mean 1.2 and sd 0.2 m/s ± 0.05",
        judge: &OfBoth::<rimea::Ages, sums::Hundred>(sums::judge_demographics),
    },
    Test {
        id: "V07",
        title: "doors doubled",
        source: "RiMEA 9",
        expected: "1.6 to 2.4 times as long with two of four doors; 108 to 200 s with four",
        judge: &Of::<rimea::Hall>(sums::judge_doors),
    },
    Test {
        id: "V08",
        title: "routes",
        source: "RiMEA 10; ISO 20414, 9",
        expected: "all 23 by the assigned exit; another way when an exit closes",
        judge: &OfBoth::<rimea::Cabins, sums::ClosedExit>(sums::judge_routes),
    },
    Test {
        id: "V09",
        title: "conservation",
        source: "closed form; Little 1961",
        expected: "counts and stays exact, nobody jumps",
        judge: &Of::<sums::Conservation>(sums::judge_conservation),
    },
    Test {
        id: "V10",
        title: "invariance",
        source: "closed form",
        expected: "turned, mirrored, moved, renumbered, at half the step: within 1 %; same seed: same bits",
        judge: &Of::<sums::Invariance>(sums::judge_invariance),
    },
    Test {
        id: "V11",
        title: "free-speed ceiling",
        source: "ISO 20414, 13",
        expected: "no mean of a second above the free speed by more than 5 %",
        judge: &Of::<sums::Ceiling>(sums::judge_ceiling),
    },
    Test {
        id: "V12",
        title: "goal placement",
        source: "RiMEA 12a",
        expected: "times differ by less than 3 % for goals beyond 2 m",
        judge: &Of::<rimea::GoalTimes>(sums::judge_goals),
    },
    Test {
        id: "L01",
        title: "one-way diagram",
        source: "RiMEA 4; Hermes, Jülich, corridor 3 m with open ends",
        expected: "each speed within 5 to 95 %; capacity 1.2 to 1.9 /(m s) at 1.4 to 2.2 /m²",
        judge: &Of::<laboratory::OneWay>(laboratory::judge_one_way),
    },
    Test {
        id: "L02",
        title: "counter-flow diagram",
        source: "Hermes, Jülich, corridor 3.6 m",
        expected: "each speed within 5 to 95 %; capacity 1.1 to 1.5 /(m s), and below that of L01",
        judge: &OfBoth::<laboratory::OneWay, laboratory::OpposedFlow>(
            laboratory::judge_counter_flow,
        ),
    },
    Test {
        id: "L03",
        title: "single file",
        source: "RiMEA 16",
        expected: "three of four classes of density within 10 to 90 %",
        judge: &Of::<rimea::SingleFile>(rimea::judge_single_file),
    },
    Test {
        id: "L04",
        title: "bottleneck flow",
        source: "Kretz 2006, Seyfried 2009, Liddle 2011",
        expected: "flows as measured ± 10 %; slope 1.7 to 2.1 /(m s); R² > 0.98",
        judge: &Of::<laboratory::DoorFlows>(laboratory::judge_bottlenecks),
    },
    Test {
        id: "L05",
        title: "short and long",
        source: "RiMEA 12b; Liddle 2011",
        expected: "0.2 m long lets 1.0 to 1.35 times as many through as 5 m",
        judge: &Of::<rimea::Lengths>(laboratory::judge_lengths),
    },
    Test {
        id: "L06",
        title: "code mode",
        source: "IMO MSC.1/Circ. 1533, 4",
        expected: "1.1 to 1.33 /s through 1 m, with a time gap 0.3 s longer",
        judge: &Of::<laboratory::CodeMode>(laboratory::judge_code_mode),
    },
    Test {
        id: "L07",
        title: "stairs",
        source: "RiMEA 13; Corbetta et al.",
        expected: "faster down than up at each density; half of all points within",
        judge: &Of::<rimea::StairDiagram>(rimea::judge_stair_diagram),
    },
    Test {
        id: "L08",
        title: "corner",
        source: "RiMEA 15",
        expected: "not faster than 50 m straight on, not slower than 81 m",
        judge: &Of::<rimea::WideCorner>(rimea::judge_wide_corner),
    },
    Test {
        id: "L09",
        title: "merge",
        source: "Hermes, Jülich, T-junction 2.4 m",
        expected: "1.4 to 1.9 /(m s) after it; 40 to 60 % from each branch",
        judge: &Of::<laboratory::Merge>(laboratory::judge_merge),
    },
    Test {
        id: "L10",
        title: "counter-flow rooms",
        source: "IMO MSC.1/Circ. 1533, 8",
        expected: "longer against 10, 50, 100; no jam; 1.5 to 3 times as long against 100",
        judge: &Of::<laboratory::Rooms>(laboratory::judge_rooms),
    },
    Test {
        id: "L11",
        title: "queue at a gate",
        source: "Adrian, Seyfried and Sieben 2020",
        expected: "1.0 to 1.3 /s through 0.5 m; 5 to 8.5 /m² before it; headways vary by 0.3 to 0.75",
        judge: &Of::<laboratory::Gate>(laboratory::judge_gate),
    },
    Test {
        id: "R01",
        title: "times to collision",
        source: "Karamouzas, Skinner and Guy 2014; ETH, UCY",
        expected: "g(0.6 s) <= 0.12, g(1.1 s) 0.12 to 0.4, g(5 to 8 s) 0.85 to 1.15",
        judge: &Of::<street::Street>(|street| street::judge_collision_times(&street.law)),
    },
    Test {
        id: "R02",
        title: "distances",
        source: "ETH, UCY",
        expected: "1 % of nearest neighbours within 0.35 to 0.75 m; 0.2 to 2 % of pairs ever within 0.5 m",
        judge: &Of::<street::Street>(|street| street::judge_distances(&street.distances)),
    },
    Test {
        id: "R03",
        title: "smoothness",
        source: "ETH, UCY",
        expected: "turning, accelerations, straightness half to twice those of people; 99 % of accelerations < 0.7 m/s²",
        judge: &Of::<street::Street>(|street| street::judge_smoothness(&street.shapes)),
    },
    Test {
        id: "R04",
        title: "lanes",
        source: "Jülich BI_CORR_400; Mullick et al. 2022",
        expected: "reduced order 0.5 to 0.9, sd > 0.03; 0.85 to 0.98 follow their own; stripes to 10°",
        judge: &OfBoth::<street::LaneOrder, street::Crossing>(street::judge_lanes),
    },
    Test {
        id: "R05",
        title: "groups",
        source: "Moussaïd et al. 2010; NIST TN 1822, 2.9",
        expected: "pairs 0.65 to 0.95 m apart, 60 to 90° abreast, 0.8 to 0.96 times as fast; five of a group arrive within 10 s",
        judge: &OfBoth::<together::PairWalks, together::SlowMember>(together::judge),
    },
];

fn judge_stairs(up: &StairsUp<Estimate>, down: &StairsDown<Estimate>) -> Verdict {
    let (up, down) = (rimea::judge_stairs_up(up), rimea::judge_stairs_down(down));
    Verdict::new(worst([up.outcome, down.outcome]), format!("up {}, down {}", up.value, down.value))
        .with(up.detail)
}
