//! Pictures of a report: ways over the ground, and small curves.
//!
//! They are drawn in whole centimetres with strokes that do not scale, and coloured by the page's style
//! sheet, so that they are small, sharp at any size, and follow a dark page.

use std::fmt::Write;

use glam::Vec2;

use crate::batch::{Ground, PictureTracks, Way, centimetres};
use crate::score::Event;

/// How many colours the style sheet has.
const COLOURS: usize = 10;
/// With more ways than this, lines are thin and ends are not marked.
const MANY: usize = 60;
/// The most marks of events in a picture.
const MOST_EVENTS: usize = 40;
/// Pictures are at most so many times as wide as high.
const WIDEST: f32 = 3.0;

/// The part of the ground that a picture shows, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    min: Vec2,
    max: Vec2,
}

impl Frame {
    /// What shows all `tracks`, with some room around them but nothing beyond the world's bounds.
    pub fn around<'t>(ground: &Ground, tracks: impl Iterator<Item = &'t PictureTracks>) -> Self {
        let world = ground.bounds.map(Vec2::from);
        let (mut min, mut max) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for &point in tracks.flat_map(|tracks| &tracks.ways).flat_map(|way| &way.points) {
            let point = metres(point);
            (min, max) = (min.min(point), max.max(point));
        }
        if !(min.cmple(max)).all() {
            (min, max) = (world[0], world[1]);
        }
        let margin = Vec2::splat(1.0 + 0.04 * (max - min).max_element());
        (min, max) = ((min - margin).max(world[0]), (max + margin).min(world[1]));
        let size = (max - min).max(Vec2::splat(1.0));
        let fitting = size.max(Vec2::new(size.y / WIDEST, size.x / WIDEST));
        let middle = (min + max) * 0.5;
        Self { min: middle - fitting * 0.5, max: middle + fitting * 0.5 }
    }

    /// Length of its longer side, m.
    fn extent(&self) -> f32 {
        (self.max - self.min).max_element()
    }

    /// As an attribute of `<svg>`.
    pub fn view_box(&self) -> String {
        let size = centimetres(self.max - self.min);
        let [x, _] = centimetres(self.min);
        let [_, y] = centimetres(self.max);
        format!("{x} {} {} {}", -y, size[0].max(1), size[1].max(1))
    }
}

/// The floor that most of the ways are on.
pub(super) fn main_floor(tracks: &PictureTracks) -> u8 {
    let mut counts = [0usize; 256];
    tracks.ways.iter().for_each(|way| counts[usize::from(way.layer)] += way.points.len());
    // Of equals the lowest.
    (0..=255).rev().max_by_key(|&layer| counts[usize::from(layer)]).unwrap_or_default()
}

/// What is solid on a floor.
pub(super) fn walls(ground: &Ground, floor: u8, frame: &Frame) -> String {
    let mut path = String::new();
    for (_, outline) in ground.solids.iter().filter(|(layer, _)| *layer == floor) {
        let touches = |point: &[f32; 2]| Vec2::from(*point);
        let (min, max) = outline
            .iter()
            .map(touches)
            .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(min, max), point| {
                (min.min(point), max.max(point))
            });
        if min.cmpgt(frame.max).any() || max.cmplt(frame.min).any() {
            continue;
        }
        let points = outline.iter().map(|&point| centimetres(Vec2::from(point)));
        path += &line(points);
        path.push('Z');
    }
    let mut text = String::new();
    if !path.is_empty() {
        text += &format!("<path class=\"wall\" d=\"{path}\"/>");
    }
    if ground.closed {
        let [[x, y], [right, top]] = ground.bounds.map(|corner| centimetres(Vec2::from(corner)));
        let (width, height) = (right - x, top - y);
        text += &format!(
            "<rect class=\"border\" x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{height}\"/>",
            -top
        );
    }
    text
}

/// Everybody's ways on a floor, with where they begin and end and where patterns were seen.
pub(super) fn ways(tracks: &PictureTracks, floor: u8, events: &[Event], frame: &Frame) -> String {
    let here: Vec<&Way> = tracks.ways.iter().filter(|way| way.layer == floor).collect();
    let many = here.len() > MANY;
    let radius = (frame.extent() * 100.0 / 90.0).round().max(1.0);
    let mut text = format!("<g{}>", if many { " class=\"many\"" } else { "" });
    for way in &here {
        let colour = way.person as usize % COLOURS;
        let path = line(way.points.iter().copied());
        let _ = write!(text, "<path class=\"way c{colour}\" d=\"{path}\"/>");
    }
    for way in here.iter().filter(|_| !many) {
        let colour = way.person as usize % COLOURS;
        if let (Some(&[x, y]), Some(&[to_x, to_y])) = (way.points.first(), way.points.last()) {
            let _ = write!(
                text,
                "<circle class=\"s{colour}\" cx=\"{x}\" cy=\"{}\" r=\"{radius}\"><title>person {}</title></circle>\
                 <circle class=\"end c{colour}\" cx=\"{to_x}\" cy=\"{}\" r=\"{radius}\"/>",
                -y, way.person, -to_y
            );
        }
    }
    for event in events.iter().filter(|event| event.layer.0 == floor).take(MOST_EVENTS) {
        let [x, y] = centimetres(event.place);
        let (y, arm) = (-y, (radius * 1.6) as i32);
        let what = event.pattern.name();
        let _ = write!(
            text,
            "<path class=\"event\" d=\"M{} {}l{} {}m0 {}l{} {}\"><title>{what} of person {} at {:.1} s</title></path>",
            x - arm,
            y - arm,
            2 * arm,
            2 * arm,
            -2 * arm,
            -2 * arm,
            2 * arm,
            event.person,
            event.from
        );
    }
    text += "</g>";
    text + &scale_bar(frame)
}

/// A line of a round length in the lower left corner, and what it is.
fn scale_bar(frame: &Frame) -> String {
    let longest = frame.extent() * 0.25;
    let power = 10f32.powf(longest.log10().floor());
    let length = [5.0, 2.0, 1.0].into_iter().map(|n| n * power).find(|&n| n <= longest);
    let length = length.unwrap_or(power);
    let [x, y] = centimetres(frame.min + Vec2::splat(frame.extent() * 0.025));
    let to = x + (length * 100.0) as i32;
    format!(
        "<line class=\"scalebar\" x1=\"{x}\" y1=\"{0}\" x2=\"{to}\" y2=\"{0}\"><title>{length} m</title></line>",
        -y
    )
}

/// A small curve of values over time, with the largest and the last one.
pub(super) fn sparkline(label: &str, unit: &str, times: &[f64], values: &[f64]) -> String {
    const SIZE: [f64; 2] = [200.0, 36.0];
    let top = values.iter().copied().fold(0.0, f64::max);
    let (from, to) = match (times.first(), times.last()) {
        (Some(&from), Some(&to)) if to > from => (from, to),
        _ => return String::new(),
    };
    let mut points = String::new();
    for (time, value) in times.iter().zip(values) {
        let x = (time - from) / (to - from) * SIZE[0];
        let y = SIZE[1] * (1.0 - value / if top > 0.0 { top } else { 1.0 });
        let _ = write!(points, "{x:.0},{y:.1} ");
    }
    let last = values.last().copied().unwrap_or_default();
    let show =
        |value: f64| if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") };
    format!(
        "<div class=\"spark\"><svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" role=\"img\">\
         <line x1=\"0\" y1=\"{1}\" x2=\"{0}\" y2=\"{1}\"/><polyline points=\"{}\"/></svg>\
         <span><b>{label}</b> max {} · end {} {unit}</span></div>",
        SIZE[0],
        SIZE[1],
        points.trim_end(),
        show(top),
        show(last)
    )
}

/// A path through points: the first where it is, the others from there, which is shorter.
fn line(points: impl Iterator<Item = [i32; 2]>) -> String {
    let mut text = String::new();
    let mut at: Option<[i32; 2]> = None;
    for [x, y] in points {
        // Up is down on a page.
        let y = -y;
        let _ = match at {
            None => write!(text, "M{x} {y}"),
            Some([from_x, from_y]) => write!(text, "l{} {}", x - from_x, y - from_y),
        };
        at = Some([x, y]);
    }
    text
}

fn metres([x, y]: [i32; 2]) -> Vec2 {
    Vec2::new(x as f32, y as f32) * 0.01
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground() -> Ground {
        let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        Ground { bounds: [[-50.0, -50.0], [50.0, 50.0]], closed: true, solids: vec![(0, square)] }
    }

    fn tracks(points: &[[i32; 2]]) -> PictureTracks {
        PictureTracks {
            people: 1,
            ways: vec![Way { person: 7, layer: 0, points: points.to_vec() }],
        }
    }

    #[test]
    fn a_picture_shows_where_people_went_and_not_the_whole_world() {
        let tracks = tracks(&[[-1000, 0], [1000, 0]]);
        let frame = Frame::around(&ground(), [&tracks].into_iter());
        // 20 m and 1.8 m on both sides, and no more than three times as wide as high.
        assert_eq!(frame.view_box(), "-1180 -393 2360 787");
        let nobody = Frame::around(&ground(), std::iter::empty());
        assert_eq!(nobody.view_box(), "-5000 -5000 10000 10000");
    }

    #[test]
    fn lines_are_relative_and_upside_down() {
        assert_eq!(line([[100, 50], [120, 40]].into_iter()), "M100 -50l20 10");
    }

    #[test]
    fn walls_out_of_sight_are_not_drawn() {
        let near = Frame { min: Vec2::splat(-1.0), max: Vec2::splat(2.0) };
        let far = Frame { min: Vec2::splat(10.0), max: Vec2::splat(12.0) };
        assert!(walls(&ground(), 0, &near).contains("class=\"wall\""));
        assert!(!walls(&ground(), 0, &far).contains("class=\"wall\""));
        assert!(!walls(&ground(), 1, &near).contains("class=\"wall\""));
    }
}
