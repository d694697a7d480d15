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

use super::bench::{Of, OfBoth, Test, Verdict, tests};
use super::grade::worst;
use super::record::Estimate;
use super::rimea_suite::{self as rimea, StairsDown, StairsUp};

/// All checks.
pub(super) const CHECKS: &[Test] = tests! {
    "V01" "corridor time", "RiMEA 1" =>
        "26 to 34 s for 40 m, turned by 45° the same to 1 %",
        Of::<rimea::Corridor>(rimea::judge_corridor);
    "V02" "stair time", "RiMEA 2, 3" =>
        "16 s up and 12.3 s down, ± 5 %",
        OfBoth::<StairsUp, StairsDown>(judge_stairs);
    "V03" "start delay", "RiMEA 5; NIST TN 1822, 1.1" =>
        "each to 0.1 s; four distributions with p > 0.05 (Kolmogorov and Smirnov)",
        OfBoth::<rimea::Premovement, sums::DrawnDelays>(sums::judge_delays);
    "V04" "walls", "RiMEA 6" =>
        "nobody in a wall, bodies at most 0.01 m, in all scenes of RiMEA",
        Of::<sums::AllConduct>(sums::judge_walls);
    "V05" "bodies", "proposal" =>
        "deeper than 0.05 m in each other: < 0.1 % up to 3 people/m², < 1 % above",
        Of::<sums::AllConduct>(sums::judge_bodies);
    "V06" "demographics", "RiMEA 7; ISO 20414, 5" =>
        "speeds by age ± 0.03 m/s; of 100 people mean 1.2 and sd 0.2 m/s ± 0.05",
        OfBoth::<rimea::Ages, sums::Hundred>(sums::judge_demographics);
    "V07" "doors doubled", "RiMEA 9" =>
        "1.6 to 2.4 times as long with two of four doors; 108 to 200 s with four",
        Of::<rimea::Hall>(sums::judge_doors);
    "V08" "routes", "RiMEA 10; ISO 20414, 9" =>
        "all 23 by the assigned exit; another way when an exit closes",
        OfBoth::<rimea::Cabins, sums::ClosedExit>(sums::judge_routes);
    "V09" "conservation", "closed form; Little 1961" =>
        "counts and stays exact, nobody jumps",
        Of::<sums::Conservation>(sums::judge_conservation);
    "V10" "invariance", "closed form" =>
        "turned, mirrored, moved, renumbered, at half the step: within 1 %; same seed: same bits",
        Of::<sums::Invariance>(sums::judge_invariance);
    "V11" "free-speed ceiling", "ISO 20414, 13" =>
        "no mean of a second above the free speed by more than 5 %",
        Of::<sums::Ceiling>(sums::judge_ceiling);
    "V12" "goal placement", "RiMEA 12a" =>
        "times differ by less than 3 % for goals beyond 2 m",
        Of::<rimea::GoalTimes>(sums::judge_goals);
    "L01" "one-way diagram", "RiMEA 4; Hermes, Jülich, corridor 3 m with open ends" =>
        "each speed within 5 to 95 %; capacity 1.2 to 1.9 /(m s) at 1.4 to 2.2 /m²",
        Of::<laboratory::OneWay>(laboratory::judge_one_way);
    "L02" "counter-flow diagram", "Hermes, Jülich, corridor 3.6 m" =>
        "each speed within 5 to 95 %; capacity 1.1 to 1.5 /(m s), and below that of L01",
        OfBoth::<laboratory::OneWay, laboratory::OpposedFlow>(laboratory::judge_counter_flow);
    "L03" "single file", "RiMEA 16" =>
        "three of four classes of density within 10 to 90 %",
        Of::<rimea::SingleFile>(rimea::judge_single_file);
    "L04" "bottleneck flow", "Kretz 2006, Seyfried 2009, Liddle 2011" =>
        "flows as measured ± 10 %; slope 1.7 to 2.1 /(m s); R² > 0.98",
        Of::<laboratory::DoorFlows>(laboratory::judge_bottlenecks);
    "L05" "short and long", "RiMEA 12b; Liddle 2011" =>
        "0.2 m long lets 1.0 to 1.35 times as many through as 5 m",
        Of::<rimea::Lengths>(laboratory::judge_lengths);
    "L06" "code mode", "IMO MSC.1/Circ. 1533, 4" =>
        "1.1 to 1.33 /s through 1 m, with a time gap 0.3 s longer",
        Of::<laboratory::CodeMode>(laboratory::judge_code_mode);
    "L07" "stairs", "RiMEA 13; Corbetta et al." =>
        "faster down than up at each density; half of all points within",
        Of::<rimea::StairDiagram>(rimea::judge_stair_diagram);
    "L08" "corner", "RiMEA 15" =>
        "not faster than 50 m straight on, not slower than 81 m",
        Of::<rimea::WideCorner>(rimea::judge_wide_corner);
    "L09" "merge", "Hermes, Jülich, T-junction 2.4 m" =>
        "1.4 to 1.9 /(m s) after it; 40 to 60 % from each branch",
        Of::<laboratory::Merge>(laboratory::judge_merge);
    "L10" "counter-flow rooms", "IMO MSC.1/Circ. 1533, 8" =>
        "longer against 10, 50, 100; no jam; 1.5 to 3 times as long against 100",
        Of::<laboratory::Rooms>(laboratory::judge_rooms);
    "L11" "queue at a gate", "Adrian, Seyfried and Sieben 2020" =>
        "1.0 to 1.3 /s through 0.5 m; 5 to 8.5 /m² before it; headways vary by 0.3 to 0.75",
        Of::<laboratory::Gate>(laboratory::judge_gate);
    "R01" "times to collision", "Karamouzas, Skinner and Guy 2014; ETH, UCY" =>
        "g(0.6 s) <= 0.12, g(1.1 s) 0.12 to 0.4, g(5 to 8 s) 0.85 to 1.15",
        Of::<street::Street>(|street| street::judge_collision_times(&street.law));
    "R02" "distances", "ETH, UCY" =>
        "1 % of nearest neighbours within 0.35 to 0.75 m; 0.2 to 2 % of pairs ever within 0.5 m",
        Of::<street::Street>(|street| street::judge_distances(&street.distances));
    "R03" "smoothness", "ETH, UCY" =>
        "turning, accelerations, straightness half to twice those of people; 99 % of accelerations < 0.7 m/s²",
        Of::<street::Street>(|street| street::judge_smoothness(&street.shapes));
    "R04" "lanes", "Jülich BI_CORR_400; Mullick et al. 2022" =>
        "reduced order 0.5 to 0.9, sd > 0.03; 0.85 to 0.98 follow their own; stripes to 10°",
        OfBoth::<street::LaneOrder, street::Crossing>(street::judge_lanes);
    "R05" "groups", "Moussaïd et al. 2010; NIST TN 1822, 2.9" =>
        "pairs 0.65 to 0.95 m apart, 60 to 90° abreast, 0.8 to 0.96 times as fast; five of a group arrive within 10 s",
        OfBoth::<together::PairWalks, together::SlowMember>(together::judge);
};

fn judge_stairs(up: &StairsUp<Estimate>, down: &StairsDown<Estimate>) -> Verdict {
    let (up, down) = (rimea::judge_stairs_up(up), rimea::judge_stairs_down(down));
    Verdict::new(worst([up.grade, down.grade]), format!("up {}, down {}", up.value, down.value))
        .with(up.detail)
}
