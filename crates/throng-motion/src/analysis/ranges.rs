//! What is usual among people.
//!
//! Ranges hold nine of ten clips: from the 5th to the 95th percentile of what was measured on clips
//! of walking (123, at 0.5 to 2 m/s) and running (28, at 2.3 to 4.8 m/s) from the motion capture
//! database of Carnegie Mellon University, of all speeds together. Knees in it are bent by some 8°
//! too much, as they are in most captured skeletons.

use crate::clip::ClipKind;
use crate::gait::{Gait, Timing};

use super::measures::GaitMeasures;

/// Where a measure is in nine of ten clips of people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HumanRange {
    /// One in twenty is lower.
    pub low: f32,
    /// Half of them are lower.
    pub typical: f32,
    /// One in twenty is higher.
    pub high: f32,
}

/// What a measure is held against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Standard {
    /// People; being below their range may be a virtue, as in sliding less.
    People {
        /// Where people are.
        range: HumanRange,
        /// Whether less is no fault.
        less_is_fine: bool,
    },
    /// It must not be larger.
    AtMost(f32),
    /// It must not be smaller.
    AtLeast(f32),
}

/// How a measure compares with its standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// As it is with people, or better.
    Inside,
    /// Lower than with nineteen of twenty people.
    Below,
    /// Higher than with nineteen of twenty people.
    Above,
    /// It was not measured, or there is nothing to compare with.
    Open,
}

impl Judgement {
    /// How a table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inside => "ok",
            Self::Below => "low",
            Self::Above => "high",
            Self::Open => "",
        }
    }
}

/// A measure of a gait beside what is usual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// What is measured.
    pub name: &'static str,
    /// In which unit; empty if it has none.
    pub unit: &'static str,
    /// The value, if the skeleton has what it takes.
    pub value: Option<f32>,
    /// What it is held against; nothing if the clip does not go forwards.
    pub standard: Option<Standard>,
}

impl Row {
    /// How the value compares. Bounds belong to the range, whatever rounding makes of a value that is one.
    pub fn judgement(&self) -> Judgement {
        let (Some(value), Some(standard)) = (self.value, self.standard) else {
            return Judgement::Open;
        };
        let (low, high) = match standard {
            Standard::People { range, less_is_fine: true } => (f32::NEG_INFINITY, range.high),
            Standard::People { range, .. } => (range.low, range.high),
            Standard::AtMost(high) => (f32::NEG_INFINITY, high),
            Standard::AtLeast(low) => (low, f32::INFINITY),
        };
        // Angles are found from positions in single precision: a straight knee is up to 0.03° off.
        let slack = if self.unit == "°" { 0.05 } else { 1e-3 * low.abs().min(high.abs()) };
        if value < low - slack {
            Judgement::Below
        } else if value > high + slack {
            Judgement::Above
        } else {
            Judgement::Inside
        }
    }
}

type Value = fn(&GaitMeasures) -> Option<f32>;

/// Name, unit, how to read it, and the ranges of walking and running.
struct Known(&'static str, &'static str, Value, [f32; 3], [f32; 3]);

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    Known("knee range", "°", |m| Some(m.knee_range), [53.0, 62.0, 74.0], [68.0, 90.0, 112.0]),
    Known("knee most", "°", |m| Some(m.knee_most), [64.0, 71.0, 76.0], [90.0, 110.0, 115.0]),
    Known("hip range", "°", |m| Some(m.hip_range), [41.0, 52.0, 70.0], [56.0, 68.0, 86.0]),
    Known("ankle range", "°", |m| Some(m.ankle_range), [21.0, 37.0, 54.0], [34.0, 57.0, 68.0]),
    Known("sole pitch most", "°", |m| Some(m.sole_most), [22.0, 29.0, 39.0], [4.0, 8.0, 22.0]),
    Known("sole pitch least", "°", |m| Some(m.sole_least), [-82.0, -71.0, -54.0], [-119.0, -107.0, -78.0]),
    Known("pelvis tilt range", "°", |m| Some(m.pelvis_tilt), [1.7, 2.8, 4.7], [4.0, 5.7, 7.3]),
    Known("pelvis rotation range", "°", |m| Some(m.pelvis_rotation), [5.6, 10.0, 17.0], [8.0, 12.0, 15.0]),
    Known("thorax rotation range", "°", |m| m.thorax_rotation, [4.5, 8.4, 14.6], [13.0, 21.0, 25.0]),
    Known("thorax lateral range", "°", |m| m.thorax_lateral, [2.0, 3.9, 9.0], [3.3, 5.0, 8.0]),
    Known("shoulder range", "°", |m| m.shoulder_range, [7.5, 19.0, 50.0], [32.0, 44.0, 58.0]),
    Known("elbow range", "°", |m| m.elbow_range, [10.0, 17.0, 52.0], [13.0, 30.0, 59.0]),
    Known("root vertical", "‰ L", |m| Some(m.root_vertical), [19.0, 30.0, 46.0], [57.0, 102.0, 113.0]),
    Known("root lateral", "‰ L", |m| Some(m.root_lateral), [24.0, 62.0, 105.0], [21.0, 28.0, 48.0]),
    Known("root fore-aft", "‰ L", |m| Some(m.root_fore_aft), [30.0, 39.0, 59.0], [40.0, 50.0, 82.0]),
    Known("root acceleration", "", |m| Some(m.acceleration.root), [2.9, 4.0, 5.2], [4.3, 6.2, 7.0]),
    Known("head acceleration", "", |m| m.acceleration.head, [2.3, 3.1, 4.0], [3.9, 5.8, 6.6]),
    Known("hand acceleration", "", |m| m.acceleration.hand, [3.5, 5.5, 9.4], [9.0, 9.6, 14.0]),
    Known("ankle acceleration", "", |m| Some(m.acceleration.ankle), [13.0, 17.0, 21.0], [14.0, 17.0, 19.0]),
    Known("root jerk", "", |m| Some(m.jerk.root), [83.0, 126.0, 191.0], [68.0, 104.0, 126.0]),
    Known("head jerk", "", |m| m.jerk.head, [57.0, 102.0, 149.0], [59.0, 86.0, 103.0]),
    Known("hand jerk", "", |m| m.jerk.hand, [92.0, 138.0, 196.0], [130.0, 140.0, 192.0]),
    Known("ankle jerk", "", |m| Some(m.jerk.ankle), [269.0, 372.0, 444.0], [186.0, 229.0, 277.0]),
    Known("head vertical acceleration", "m/s²", |m| m.head_vertical, [1.0, 1.7, 2.9], [7.3, 9.2, 10.0]),
];

#[rustfmt::skip]
const LESS_IS_FINE: &[Known] = &[
    Known("ball skate in mid-stance", "mm", |m| Some(m.ball_skate), [0.17, 0.37, 0.58], [0.5, 1.0, 1.6]),
    Known("strike asymmetry", "", |m| m.strike_asymmetry, [0.0, 0.01, 0.02], [0.0, 0.01, 0.02]),
    Known("left-right knee difference", "°", |m| Some(m.knee_difference), [2.7, 5.4, 11.0], [4.0, 4.8, 6.0]),
];

impl GaitMeasures {
    /// All measures beside what is usual, in the order of a report.
    pub fn rows(&self) -> Vec<Row> {
        let run = self.kind == ClipKind::Run;
        let people = |known: &Known, less_is_fine: bool| {
            let [low, typical, high] = if run { known.4 } else { known.3 };
            let range = HumanRange { low, typical, high };
            let standard = Standard::People { range, less_is_fine };
            self.row(known.0, known.1, (known.2)(self), standard)
        };
        let worst_skate = if run { 2.3 } else { 1.2 };
        let gait = if run { Gait::Run } else { Gait::Walk };
        let usual = Timing::of(gait, self.speed_number).toe_off;
        let duty = HumanRange { low: usual - 0.03, typical: usual, high: usual + 0.03 };
        let duty = Standard::People { range: duty, less_is_fine: false };
        let mut rows: Vec<Row> = LESS_IS_FINE.iter().map(|known| people(known, true)).collect();
        let worst = self.row(
            "ball skate, 95th percentile",
            "mm",
            Some(self.ball_skate_worst),
            Standard::AtMost(worst_skate),
        );
        rows.insert(1, worst);
        rows.push(self.row("duty", "", Some(self.duty), duty));
        rows.extend(KNOWN.iter().map(|known| people(known, false)));
        rows.push(self.row("knee least", "°", Some(self.knee_least), Standard::AtLeast(0.0)));
        let lowest = Some(self.lowest_point);
        rows.push(self.row("lowest point", "mm", lowest, Standard::AtLeast(-1.0)));
        rows
    }

    fn row(
        &self,
        name: &'static str,
        unit: &'static str,
        value: Option<f32>,
        standard: Standard,
    ) -> Row {
        Row { name, unit, value, standard: self.is_forwards.then_some(standard) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_belong_to_the_range() {
        let judged = |unit, value: f32, standard| {
            Row { name: "", unit, value: Some(value), standard: Some(standard) }.judgement()
        };
        let straight = Standard::AtLeast(0.0);
        for (value, expected) in [
            (0.0, Judgement::Inside),
            (-0.0, Judgement::Inside),
            (-0.03, Judgement::Inside),
            (-0.2, Judgement::Below),
        ] {
            assert_eq!(judged("°", value, straight), expected, "{value}");
        }
        assert_eq!(judged("mm", 1.2, Standard::AtMost(1.2)), Judgement::Inside);
        assert_eq!(judged("mm", 1.21, Standard::AtMost(1.2)), Judgement::Above);
        let range = HumanRange { low: 0.58, typical: 0.61, high: 0.64 };
        let people = Standard::People { range, less_is_fine: false };
        assert_eq!(judged("", 0.58, people), Judgement::Inside);
        assert_eq!(judged("", 0.575, people), Judgement::Below);
    }
}
