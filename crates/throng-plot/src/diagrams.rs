//! Diagrams of what is measured in a recording: at lines and in areas that the options name, or
//! else at those of the recorded scene.

use glam::Vec2;
use throng::base::{Bounds, Polygon};
use throng::recording::Frame;
use throng::world::Scene;
use throng::world::scene::{DEFAULT_CUT_OFF, DensityMethod, MeasuredPlace};
use throng_eval::area::AreaMeter;
use throng_eval::fundamental::Point;
use throng_eval::line::{Direction, Line, Tally, Trim};
use throng_eval::speed::{Centered, HALF_WINDOW, Window};

use crate::excerpt::{Census, Excerpt, on_layer};
use crate::figure::Figure;
use crate::flow::{FlowCurve, draw_flow};
use crate::fundamental::{FundamentalSeries, draw_fundamental};
use crate::layout::Key;
use crate::options::{Kind, Options};
use crate::ticks::compact;
use crate::{PlotError, Progress};

/// Time between two points of a fundamental diagram, s, where no scene says otherwise. Points closer
/// together would hardly differ.
const INTERVAL: f64 = 0.5;

/// Draws how many people pass each line.
pub(crate) fn flow(
    excerpt: &mut Excerpt,
    options: &Options,
    progress: Progress,
) -> Result<Figure, PlotError> {
    let lines = lines(excerpt, options)?;
    let layer = excerpt.layer;
    let mut tallies: Vec<Tally> =
        lines.iter().map(|(_, ends)| Tally::new(Line::new(*ends), layer)).collect();
    let people = read(excerpt, progress, |frame| {
        for tally in &mut tallies {
            tally.push(frame.into());
        }
    })?;
    let curves: Vec<FlowCurve> = lines
        .iter()
        .zip(&tallies)
        .flat_map(|((name, ends), tally)| {
            [Direction::Forward, Direction::Backward].map(|direction| {
                let way = way(*ends, direction);
                let name = if name.is_empty() { way.into() } else { format!("{name}, {way}") };
                FlowCurve { name, passages: tally.passages(direction) }
            })
        })
        .filter(|curve| !curve.passages.times().is_empty())
        .collect();
    let mut method = match &lines[..] {
        [(_, [from, to])] => {
            format!("At the line from {} to {} m. ", shown(*from), shown(*to))
        }
        _ => String::new(),
    };
    method += "Who steps back over a line does not count.";
    let flows = curves.iter().filter_map(|curve| {
        let flow = curve.passages.flow(Trim::default())?;
        Some(format!("{} people/s ({})", compact(flow, 2), curve.name))
    });
    let flows: Vec<String> = flows.collect();
    if !flows.is_empty() {
        method += &format!(" Mean flow from the first to the last: {}.", flows.join(", "));
    }
    let around =
        excerpt.surroundings(options, "Flow", &excerpt.time_range(), Key::None, String::new());
    let page = draw_flow(&around.title, &around.subtitle, &method, &curves, excerpt.times());
    Ok(Figure { page, subject: excerpt.subject(Kind::Flow, people) })
}

/// Draws speed and flow against the density in each area.
pub(crate) fn fundamental(
    excerpt: &mut Excerpt,
    options: &Options,
    progress: Progress,
) -> Result<Figure, PlotError> {
    let mut areas = areas(excerpt, options)?;
    let interval = excerpt.interval();
    let mut window = Window::for_interval(interval);
    let people = read(excerpt, progress, |frame| {
        window.push(frame.into(), |centered| look(&mut areas, centered, interval));
    })?;
    window.drain(|centered| look(&mut areas, centered, interval));

    let mut method = match &areas[..] {
        [area] => {
            let Bounds { min, max } = area.bounds;
            format!("{} in the area from {} to {} m, ", area.method, shown(min), shown(max))
        }
        [first, ..] => format!("{}, ", first.method),
        [] => String::new(),
    };
    let (every, half) = (areas.first().map_or(INTERVAL, |area| area.interval), HALF_WINDOW);
    method += &format!("every {} s; speed over ±{half} s.", compact(every.max(interval), 2));
    let series: Vec<FundamentalSeries> = areas
        .into_iter()
        .map(|area| FundamentalSeries { name: area.name, points: area.points })
        .collect();
    let when = excerpt.time_range();
    let around =
        excerpt.surroundings(options, "Fundamental diagram", &when, Key::None, String::new());
    let page = draw_fundamental(&around.title, &around.subtitle, &method, &series);
    Ok(Figure { page, subject: excerpt.subject(Kind::Fundamental, people) })
}

/// An area, and what has been measured in it.
struct Area {
    name: String,
    method: &'static str,
    bounds: Bounds,
    meter: AreaMeter,
    interval: f64,
    /// When to measure next, s.
    due: f64,
    points: Vec<Point>,
}

fn look(areas: &mut [Area], centered: Centered, frame_interval: f64) {
    let time = centered.frame().time;
    for area in areas {
        if time >= area.due - 0.5 * frame_interval {
            area.points.extend(Point::new(time, area.meter.read_centered(centered)));
            area.due = area.due.max(time - area.interval) + area.interval;
        }
    }
}

/// Reads all frames, and tells how many people are in them.
fn read(
    excerpt: &mut Excerpt,
    progress: Progress,
    mut look: impl FnMut(&Frame),
) -> Result<u64, PlotError> {
    let (mut census, layer) = (Census::default(), excerpt.layer);
    excerpt.each_frame(progress, |frame| {
        census.note(on_layer(frame, layer).map(|i| frame.people.ids[i]));
        look(frame);
    })?;
    Ok(census.people())
}

/// Names and ends of the lines to count at. One that the options name has no name of its own.
fn lines(excerpt: &Excerpt, options: &Options) -> Result<Vec<(String, [Vec2; 2])>, PlotError> {
    if let Some(line) = options.line {
        return Ok(vec![(String::new(), [line.from, line.to])]);
    }
    let measurements = excerpt.scene.iter().flat_map(|scene| &scene.measurements);
    let here = measurements.filter(|measurement| measurement.layer == excerpt.layer);
    let lines: Vec<_> = here
        .filter_map(|measurement| match measurement.place {
            MeasuredPlace::Line(ends) => Some((measurement.name.clone(), ends)),
            MeasuredPlace::Area { .. } => None,
        })
        .collect();
    if lines.is_empty() {
        let remedy = "needs a line, and the scene measures at none; write --line X1,Y1,X2,Y2";
        return Err(PlotError::options("a plot of flow", remedy));
    }
    Ok(lines)
}

fn areas(excerpt: &Excerpt, options: &Options) -> Result<Vec<Area>, PlotError> {
    let what = "a fundamental diagram";
    let Some(scene) = &excerpt.scene else {
        let remedy = "needs to know where one can walk, and the recording's scene cannot be read";
        return Err(PlotError::options(what, remedy));
    };
    let mut areas = Vec::new();
    for (number, area) in (1..).zip(&options.areas) {
        let too_small = PlotError::options(format!("area {number}"), "has no extent");
        let polygon = Polygon::new(area.0.corners()).map_err(|_| too_small)?;
        let density = DensityMethod::Voronoi { cut_off: DEFAULT_CUT_OFF as f32 };
        let name = format!("area {number}");
        areas.push(Area::new(excerpt, scene, name, &polygon, density, INTERVAL));
    }
    if areas.is_empty() {
        for measurement in scene.measurements.iter().filter(|m| m.layer == excerpt.layer) {
            if let MeasuredPlace::Area { polygon, density } = &measurement.place {
                let (name, interval) = (measurement.name.clone(), measurement.interval);
                areas.push(Area::new(excerpt, scene, name, polygon, *density, interval));
            }
        }
    }
    if areas.is_empty() {
        let remedy = "needs an area, and the scene measures in none; write --area X1,Y1,X2,Y2";
        return Err(PlotError::options(what, remedy));
    }
    if let Some(area) = areas.iter().find(|area| area.meter.size() <= 0.0) {
        let remedy = "has no ground that one can walk on; choose another";
        return Err(PlotError::options(area.name.clone(), remedy));
    }
    Ok(areas)
}

impl Area {
    fn new(
        excerpt: &Excerpt,
        scene: &Scene,
        name: String,
        polygon: &Polygon,
        density: DensityMethod,
        interval: f64,
    ) -> Self {
        let method = match density {
            DensityMethod::Classic => "Number of people by size",
            DensityMethod::Voronoi { .. } => "Voronoi density",
        };
        Self {
            name,
            method,
            bounds: polygon.bounds(),
            meter: AreaMeter::new(scene, excerpt.layer, polygon, density),
            interval,
            due: excerpt.times()[0],
            points: Vec::new(),
        }
    }
}

/// Where people walk to who cross a line in a direction, by the axis that is nearest to it.
fn way([from, to]: [Vec2; 2], direction: Direction) -> &'static str {
    let right = -(to - from).perp();
    let ahead = if direction == Direction::Forward { right } else { -right };
    match ahead.x.abs() >= ahead.y.abs() {
        true if ahead.x > 0.0 => "towards +x",
        true => "towards −x",
        false if ahead.y > 0.0 => "towards +y",
        false => "towards −y",
    }
}

fn shown(point: Vec2) -> String {
    format!("({}, {})", compact(point.x.into(), 2), compact(point.y.into(), 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_named_by_the_axis_people_walk_along() {
        let upright = [Vec2::new(0.0, -1.0), Vec2::new(0.2, 1.0)];
        // Seen from the lower end to the upper one, +x is to the right.
        assert_eq!(way(upright, Direction::Forward), "towards +x");
        assert_eq!(way(upright, Direction::Backward), "towards −x");
        let across = [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
        assert_eq!(way(across, Direction::Forward), "towards −y");
        assert_eq!(way(across, Direction::Backward), "towards +y");
    }
}
