//! Flow through a line: how many people have passed, and how many do per second.

use glam::Vec2;
use throng::base::Bounds;
use throng_eval::line::Passages;

use crate::chart::{Axis, Chart};
use crate::draw::{Ink, Item, Line, Page, Path, Stroke};
use crate::layout::{Entry, Key, Mark, Sheet, Surroundings};
use crate::scale::round_top;
use crate::style::{MARGIN, series_ink};
use crate::ticks::{compact, round_up};

const WIDTH: f32 = 620.0;
const HEIGHTS: [f32; 2] = [190.0, 130.0];
/// Room between the panels.
const BETWEEN: f32 = 18.0;
/// The time is cut into at least this many intervals to count people in.
const INTERVALS: f64 = 40.0;
/// A shorter interval would show single people, s.
const SHORTEST_INTERVAL: f64 = 2.0;

/// When people passed a line in one direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowCurve {
    /// What a legend calls it, for instance the direction.
    pub name: String,
    /// When they passed.
    pub passages: Passages,
}

/// Draws how many people have passed a line by when, and below it how many per second. `times` are
/// the begin and the end of the time that was looked at, s; `method` says how it was measured.
pub fn draw_flow(
    title: &str,
    subtitle: &str,
    method: &str,
    curves: &[FlowCurve],
    times: [f64; 2],
) -> Page {
    let [from, to] = if times[1] > times[0] { times } else { [times[0], times[0] + 1.0] };
    let interval = round_up((to - from) / INTERVALS).max(SHORTEST_INTERVAL).min(to - from);
    let rates: Vec<Vec<f64>> =
        curves.iter().map(|curve| rates(curve, from, to, interval)).collect();
    let most = curves.iter().map(|curve| curve.passages.times().len()).max().unwrap_or(0);
    let strongest = rates.iter().flatten().copied().fold(0.0, f64::max);
    let y = [
        Axis { label: "People", range: [0.0, round_top(most.max(1) as f64)] },
        Axis { label: "Flow (people/s)", range: [0.0, round_top(strongest)] },
    ];
    let room = y.iter().zip(HEIGHTS).map(|(axis, height)| Chart::left(axis, height));
    let left = MARGIN + room.fold(0.0, f32::max);
    let entry = |(i, curve): (usize, &FlowCurve)| {
        Entry::new(Mark::Line(Stroke::solid(series_ink(i), 2.0)), curve.name.clone())
    };
    let around = Surroundings {
        title: title.into(),
        subtitle: subtitle.into(),
        key: Key::Legend(curves.iter().enumerate().map(entry).collect()),
        caption: format!("{method} Flow in intervals of {} s.", compact(interval, 2)),
    };
    let mut sheet = Sheet::new(left, WIDTH, &around);
    sheet.y += 10.0;
    let names = [["count-grid", "count", "count-axes"], ["rate-grid", "rate", "rate-axes"]];
    let labels = ["", "Time (s)"];
    for (i, y) in y.into_iter().enumerate() {
        let corner = Vec2::new(left, sheet.y);
        let panel = Bounds { min: corner, max: corner + Vec2::new(WIDTH, HEIGHTS[i]) };
        let x = Axis { label: labels[i], range: [from, to] };
        let chart = Chart { panel, left: left - MARGIN, x, y };
        let lines = curves.iter().zip(&rates).enumerate().map(|(number, (curve, rates))| {
            let points = match i {
                0 => staircase(&chart, curve, from, to),
                _ => bars(&chart, rates, from, to, interval),
            };
            line(points, series_ink(number))
        });
        let lines = lines.collect();
        sheet.page.group(names[i][0], None, chart.grid());
        sheet.page.group(names[i][1], Some(panel.grown(2.0)), lines);
        sheet.page.group(names[i][2], None, chart.axes());
        sheet.y = panel.max.y + Chart::below(&chart.x) + BETWEEN * (1 - i) as f32;
    }
    sheet.y += 8.0;
    sheet.finish(&around.caption, left + WIDTH + MARGIN)
}

/// People per second in each interval; the last one may be shorter.
fn rates(curve: &FlowCurve, from: f64, to: f64, interval: f64) -> Vec<f64> {
    let count = ((to - from) / interval - 1e-9).ceil().max(1.0) as usize;
    let rate = |i: usize| {
        let begin = from + i as f64 * interval;
        let end = (begin + interval).min(to);
        let passed = curve.passages.by(end) - curve.passages.by(begin);
        passed as f64 / (end - begin).max(1e-9)
    };
    (0..count).map(rate).collect()
}

/// The N-t curve: it rises when someone passes.
fn staircase(chart: &Chart, curve: &FlowCurve, from: f64, to: f64) -> Vec<Vec2> {
    let mut points = vec![chart.point(from, 0.0)];
    let mut count = 0.0;
    for &time in curve.passages.times() {
        points.push(chart.point(time, count));
        count += 1.0;
        points.push(chart.point(time, count));
    }
    points.push(chart.point(to, count));
    points
}

fn bars(chart: &Chart, rates: &[f64], from: f64, to: f64, interval: f64) -> Vec<Vec2> {
    let edges = |(i, &rate): (usize, &f64)| {
        let begin = from + i as f64 * interval;
        [chart.point(begin, rate), chart.point((begin + interval).min(to), rate)]
    };
    rates.iter().enumerate().flat_map(edges).collect()
}

fn line(points: Vec<Vec2>, ink: Ink) -> Item {
    Path::stroked(Line::open(points), Stroke::solid(ink, 1.5)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_add_up_to_everyone() {
        let times: Vec<f64> = (1..=50).map(|i| f64::from(i) * 0.37).collect();
        let curve = FlowCurve { name: String::new(), passages: Passages::new(times) };
        let rates = rates(&curve, 0.0, 21.0, 2.0);
        assert_eq!(rates.len(), 11);
        let total: f64 = rates[..10].iter().sum::<f64>() * 2.0 + rates[10] * 1.0;
        assert!((total - 50.0).abs() < 1e-9, "{total}");
        assert!((rates[2] - 1.0 / 0.37).abs() < 0.5);
    }

    #[test]
    fn without_anyone_there_is_no_flow() {
        assert_eq!(rates(&FlowCurve::default(), 0.0, 10.0, 5.0), [0.0, 0.0]);
        let page = draw_flow("", "", "", &[FlowCurve::default()], [0.0, 0.0]);
        assert!(page.size.is_finite());
    }
}
