//! A chart of a test: what models did, a colour each, over the band of what is expected.

use std::fmt::Write;

use super::escaped;
use crate::verification::Plot;

/// Size of a chart, and of the room for its axes, in the units of its view box.
const SIZE: [f64; 2] = [640.0, 260.0];
const LEFT: f64 = 52.0;
const BELOW: f64 = 40.0;
const MARGIN: f64 = 12.0;
/// How many colours and dashes the style sheet has.
const COLOURS: usize = 10;
const DASHES: usize = 3;

/// Plots of the same test by several models, by name, with a legend. Nothing if there is nothing to draw.
pub(super) fn chart(plots: &[(String, &Plot)]) -> String {
    let Some((_, first)) = plots.first() else { return String::new() };
    let Some(frame) = Frame::around(plots) else { return String::new() };
    let mut html = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} by {}\">",
        SIZE[0],
        SIZE[1],
        escaped(first.y),
        escaped(first.x)
    );
    html += &frame.axes(first);
    if first.band.len() > 1 {
        let upper = first.band.iter().map(|[x, _, high]| (*x, *high));
        let lower = first.band.iter().rev().map(|[x, low, _]| (*x, *low));
        let points = frame.points(upper.chain(lower));
        let _ = write!(html, "<polygon class=\"band\" points=\"{points}\"/>");
    }
    for (nth, (_, plot)) in plots.iter().enumerate() {
        let colour = nth % COLOURS;
        for (which, curve) in plot.curves.iter().enumerate() {
            let points = frame.points(curve.points.iter().map(|[x, y, _]| (*x, *y)));
            let dash = which % DASHES;
            let _ = write!(
                html,
                "<polyline class=\"measured c{colour} d{dash}\" points=\"{points}\"/>"
            );
            for &[x, y, sd] in &curve.points {
                let (px, py) = frame.place(x, y);
                if sd > 0.0 {
                    let (_, top) = frame.place(x, y + sd);
                    let (_, foot) = frame.place(x, y - sd);
                    let _ = write!(
                        html,
                        "<line class=\"spread c{colour}\" x1=\"{px:.1}\" y1=\"{top:.1}\" x2=\"{px:.1}\" y2=\"{foot:.1}\"/>"
                    );
                }
                let _ = write!(
                    html,
                    "<circle class=\"s{colour}\" cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"2.4\"/>"
                );
            }
        }
    }
    html + "</svg>\n" + &legend(plots, first)
}

fn legend(plots: &[(String, &Plot)], first: &Plot) -> String {
    let mut html = String::from("<div class=\"legend\">");
    for (nth, (name, _)) in plots.iter().enumerate() {
        let _ = write!(
            html,
            "<span><svg viewBox=\"0 0 22 8\"><line class=\"c{}\" x1=\"0\" y1=\"4\" x2=\"22\" y2=\"4\"/></svg>{}</span>",
            nth % COLOURS,
            escaped(name)
        );
    }
    for (which, curve) in first.curves.iter().enumerate().filter(|(_, c)| !c.name.is_empty()) {
        let _ = write!(
            html,
            "<span><svg viewBox=\"0 0 22 8\"><line class=\"c6 d{}\" x1=\"0\" y1=\"4\" x2=\"22\" y2=\"4\"/></svg>{}</span>",
            which % DASHES,
            escaped(curve.name)
        );
    }
    if !first.band.is_empty() {
        let _ = write!(
            html,
            "<span><svg viewBox=\"0 0 22 8\"><rect class=\"band\" width=\"22\" height=\"8\"/></svg>{}</span>",
            escaped(first.expected)
        );
    }
    html + "</div>\n"
}

/// What part of the plane a chart shows.
struct Frame {
    low: [f64; 2],
    high: [f64; 2],
}

impl Frame {
    /// What shows everything, and the level of nothing.
    fn around(plots: &[(String, &Plot)]) -> Option<Self> {
        let (mut low, mut high) = ([f64::INFINITY, 0.0], [f64::NEG_INFINITY, f64::NEG_INFINITY]);
        let mut see = |x: f64, y: f64| {
            for (axis, value) in [x, y].into_iter().enumerate() {
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        };
        for (_, plot) in plots {
            for [x, y, sd] in plot.curves.iter().flat_map(|curve| &curve.points) {
                see(*x, y - sd);
                see(*x, y + sd);
            }
            for [x, bottom, top] in &plot.band {
                see(*x, *bottom);
                see(*x, *top);
            }
        }
        let is_finite = |frame: &Self| {
            (0..2).all(|axis| frame.low[axis].is_finite() && frame.high[axis].is_finite())
        };
        let mut frame = Some(Self { low, high }).filter(is_finite)?;
        for axis in 0..2 {
            if frame.high[axis] - frame.low[axis] < 1e-9 {
                frame.high[axis] = frame.low[axis] + 1.0;
            }
        }
        Some(frame)
    }

    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let share =
            |axis: usize, value: f64| (value - self.low[axis]) / (self.high[axis] - self.low[axis]);
        let [width, height] = [SIZE[0] - LEFT - MARGIN, SIZE[1] - BELOW - MARGIN];
        (LEFT + width * share(0, x), MARGIN + height * (1.0 - share(1, y)))
    }

    fn points(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let mut text = String::new();
        for (x, y) in points {
            let (x, y) = self.place(x, y);
            let _ = write!(text, "{x:.1},{y:.1} ");
        }
        text.trim_end().into()
    }

    fn axes(&self, plot: &Plot) -> String {
        let (right, foot) = (SIZE[0] - MARGIN, SIZE[1] - BELOW);
        let mut html = format!("<path class=\"axis\" d=\"M{LEFT} {MARGIN}V{foot}H{right}\"/>");
        for tick in ticks(self.low[0], self.high[0]) {
            let (x, _) = self.place(tick, self.low[1]);
            let _ = write!(
                html,
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                foot + 14.0,
                shown(tick)
            );
        }
        for tick in ticks(self.low[1], self.high[1]) {
            let (_, y) = self.place(self.low[0], tick);
            let _ = write!(
                html,
                "<path class=\"axis\" d=\"M{LEFT} {y:.1}H{right}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                shown(tick)
            );
        }
        let middle = MARGIN + (foot - MARGIN) / 2.0;
        let _ = write!(
            html,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text x=\"12\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 12 {middle})\">{}</text>",
            LEFT + (right - LEFT) / 2.0,
            SIZE[1] - 8.0,
            escaped(plot.x),
            escaped(plot.y)
        );
        html
    }
}

/// Round values from one to another, four to nine of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|n| n as f64 * step).collect()
}

fn shown(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verification::Curve;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks(0.0, 1.0), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(-0.08, 1.33).first(), Some(&0.0));
        assert_eq!(ticks(3.0, 187.0), [50.0, 100.0, 150.0]);
    }

    #[test]
    fn a_chart_has_a_line_for_each_model_and_the_band() {
        let curve = Curve { name: "", points: vec![[1.0, 1.1, 0.1], [2.0, 0.5, 0.0]] };
        let mut plot = Plot::new("density, people/m²", "speed <m/s>")
            .expecting("people", [(1.0, [0.9, 1.3]), (2.0, [0.4, 0.6])]);
        plot.curves.push(curve);
        let text = chart(&[("a & b".into(), &plot), ("c".into(), &plot)]);
        assert_eq!(text.matches("<polyline").count(), 2);
        assert_eq!(text.matches("<circle").count(), 4);
        assert_eq!(text.matches("class=\"spread").count(), 2, "only where there is one");
        assert_eq!(text.matches("<polygon class=\"band\"").count(), 1);
        assert!(text.contains("a &amp; b") && text.contains("speed &lt;m/s&gt;"), "{text}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        let empty = Plot::new("x", "y");
        assert_eq!(chart(&[("a".into(), &empty)]), "");
        assert_eq!(chart(&[]), "");
    }
}
