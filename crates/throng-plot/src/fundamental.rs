//! The fundamental diagram: speed and specific flow against density.

use glam::Vec2;
use throng::base::Bounds;
use throng_eval::fundamental::Point;
use throng_eval::statistics::Spread;

use crate::chart::{Axis, Chart};
use crate::draw::{Circle, Ink, Item, Line, Page, Path, Stroke};
use crate::layout::{Entry, Key, Mark, Sheet, Surroundings};
use crate::scale::round_top;
use crate::style::{MARGIN, MUTED, series_ink};
use crate::ticks::{compact, counted, round_up};

const PANEL: Vec2 = Vec2::new(292.0, 250.0);
/// Room between the first panel and the axis of the second.
const BETWEEN: f32 = 22.0;
/// The most points drawn: more would only make a darker cloud. Means are of all of them.
const MOST_POINTS: usize = 20_000;
const WEIDMANN: Stroke = Stroke { ink: MUTED, width: 1.1, dash: Some([5.0, 3.0]) };

/// Points that were measured at one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FundamentalSeries {
    /// What a legend calls it.
    pub name: String,
    /// The points, in any order. Those that are not finite are not drawn.
    pub points: Vec<Point>,
}

/// What a panel shows over the density.
type Quantity = fn(&Point) -> f64;

const SPEED: Quantity = |point| point.speed;
const SPECIFIC_FLOW: Quantity = Point::specific_flow;

/// Draws speed and specific flow over density, with means and standard deviations for classes of
/// density, and the curve of Weidmann (1993) for comparison. `method` says how it was measured.
pub fn draw_fundamental(
    title: &str,
    subtitle: &str,
    method: &str,
    series: &[FundamentalSeries],
) -> Page {
    let series: Vec<FundamentalSeries> = series.iter().map(finite).collect();
    let largest = |quantity: Quantity, at_least: f64| {
        let points = series.iter().flat_map(|series| &series.points);
        round_top(points.map(quantity).fold(at_least, f64::max))
    };
    let densest = largest(|point| point.density, 1.0);
    let class = round_up(densest / 12.0);
    let axes = [
        Axis { label: "Speed (m/s)", range: [0.0, largest(SPEED, 1.4)] },
        Axis { label: "Specific flow (people/(m s))", range: [0.0, largest(SPECIFIC_FLOW, 1.25)] },
    ];
    let left = MARGIN + Chart::left(&axes[0], PANEL.y);
    let second = left + PANEL.x + BETWEEN + Chart::left(&axes[1], PANEL.y);
    let around = surroundings(title, subtitle, method, &series, class);
    let mut sheet = Sheet::new(left, second + PANEL.x - left, &around);
    sheet.y += 10.0;
    let corners = [Vec2::new(left, sheet.y), Vec2::new(second, sheet.y)];
    let names = [["speed-grid", "speed", "speed-axes"], ["flow-grid", "flow", "flow-axes"]];
    let panels = axes.into_iter().zip(corners).zip([SPEED, SPECIFIC_FLOW]).zip(names);
    for (((y, corner), quantity), names) in panels {
        let panel = Bounds { min: corner, max: corner + PANEL };
        let x = Axis { label: "Density (people/m²)", range: [0.0, densest] };
        let chart = Chart { panel, left: Chart::left(&y, PANEL.y), x, y };
        let mut items = clouds(&chart, &series, quantity);
        items.push(weidmann(&chart, quantity));
        items.extend(means(&chart, &series, class, quantity));
        sheet.page.group(names[0], None, chart.grid());
        sheet.page.group(names[1], Some(panel.grown(4.0)), items);
        sheet.page.group(names[2], None, chart.axes());
        sheet.y = panel.max.y + Chart::below(&chart.x) + 8.0;
    }
    sheet.finish(&around.caption, second + PANEL.x + MARGIN)
}

/// Speed at a density by Weidmann (1993), who fitted this curve (of Kladek's form) to 25 studies.
fn weidmann_speed(density: f64) -> f64 {
    const FREE_SPEED: f64 = 1.34;
    const STEEPNESS: f64 = 1.913;
    const JAM_DENSITY: f64 = 5.4;
    (FREE_SPEED * (1.0 - (-STEEPNESS * (1.0 / density - 1.0 / JAM_DENSITY)).exp())).max(0.0)
}

fn surroundings(
    title: &str,
    subtitle: &str,
    method: &str,
    series: &[FundamentalSeries],
    class: f64,
) -> Surroundings {
    let points: usize = series.iter().map(|series| series.points.len()).sum();
    let mut entries: Vec<Entry> = Vec::new();
    if let [_] = series {
        entries.push(Entry::new(Mark::Dot(series_ink(0).with_opacity(0.4)), "measured"));
        entries.push(Entry::new(Mark::Whisker(series_ink(0)), "mean and standard deviation"));
    } else {
        let entry = |(i, series): (usize, &FundamentalSeries)| {
            Entry::new(Mark::Whisker(series_ink(i)), series.name.clone())
        };
        entries.extend(series.iter().enumerate().map(entry));
    }
    entries.push(Entry::new(Mark::Line(WEIDMANN), "Weidmann (1993)"));
    let caption = format!(
        "{method} {}; means and standard deviations in classes of {} people/m².",
        counted(points as u64, "point", "points"),
        compact(class, 3),
    );
    Surroundings {
        title: title.into(),
        subtitle: subtitle.into(),
        key: Key::Legend(entries),
        caption,
    }
}

fn finite(series: &FundamentalSeries) -> FundamentalSeries {
    let is_finite = |point: &&Point| {
        point.density.is_finite() && point.speed.is_finite() && point.density >= 0.0
    };
    let points = series.points.iter().filter(is_finite).copied().collect();
    FundamentalSeries { name: series.name.clone(), points }
}

fn clouds(chart: &Chart, series: &[FundamentalSeries], quantity: Quantity) -> Vec<Item> {
    let count: usize = series.iter().map(|series| series.points.len()).sum();
    let every = count.div_ceil(MOST_POINTS).max(1);
    let opacity = (60.0 / count.max(1) as f32).sqrt().clamp(0.08, 0.5);
    let mut items = Vec::new();
    for (i, series) in series.iter().enumerate() {
        let fill = Some(series_ink(i).with_opacity(opacity));
        items.extend(series.points.iter().step_by(every).map(|point| {
            let center = chart.point(point.density, quantity(point));
            Circle { center, radius: 1.6, fill, stroke: None }.into()
        }));
    }
    items
}

fn means(chart: &Chart, series: &[FundamentalSeries], class: f64, quantity: Quantity) -> Vec<Item> {
    let mut items = Vec::new();
    for (i, series) in series.iter().enumerate() {
        let mut points = series.points.clone();
        points.sort_by(|a, b| a.density.total_cmp(&b.density));
        let class_of = |point: &Point| (point.density / class).floor();
        for points in points.chunk_by(|a, b| class_of(a) == class_of(b)) {
            items.extend(mean(chart, points, quantity, series_ink(i)));
        }
    }
    items
}

/// Mean density and mean quantity of `points`, with the standard deviation of the quantity.
fn mean(chart: &Chart, points: &[Point], quantity: Quantity, ink: Ink) -> Vec<Item> {
    let spread = |of: Quantity| Spread::of(&points.iter().map(of).collect::<Vec<_>>());
    let (x, y) = (spread(|point| point.density).mean, spread(quantity));
    let tips = [chart.point(x, y.mean - y.sd), chart.point(x, y.mean + y.sd)];
    let stroke = Some(Stroke::solid(Ink::solid([0xff; 3]), 0.8));
    vec![
        Path::stroked(Line::open(tips), Stroke::solid(ink, 1.1)).into(),
        Circle { center: chart.point(x, y.mean), radius: 3.2, fill: Some(ink), stroke }.into(),
    ]
}

fn weidmann(chart: &Chart, quantity: Quantity) -> Item {
    const STEPS: usize = 120;
    let end = chart.x.range[1].min(5.4);
    let point = |i: usize| {
        let density = (end * i as f64 / STEPS as f64).max(1e-3);
        let point = Point { time: 0.0, density, speed: weidmann_speed(density) };
        chart.point(density, quantity(&point))
    };
    let points: Vec<Vec2> = (0..=STEPS).map(point).collect();
    Path::stroked(Line::open(points), WEIDMANN).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weidmanns_curve_passes_known_points() {
        assert!((weidmann_speed(1e-3) - 1.34).abs() < 1e-6);
        // The flow is largest, 1.225 people per metre and second, at 1.75 people/m².
        let flow = |density| density * weidmann_speed(density);
        assert!((flow(1.75) - 1.225).abs() < 0.005, "{}", flow(1.75));
        assert!(flow(1.75) > flow(1.6) && flow(1.75) > flow(1.9));
        assert_eq!(weidmann_speed(5.4), 0.0);
        assert_eq!(weidmann_speed(9.0), 0.0);
    }
}
