//! A map: a plot whose axes are the ground, in metres.
//!
//! A map has the shape of the world it shows. One that is very wide or very tall is given some room
//! around it, shaded, so that there is always place for axes and texts.

use glam::{DVec2, Vec2};
use throng::base::{Bounds, Polygon};

use crate::draw::{Anchor, Item, Line, Page, Path, Text, measure};
use crate::ground::Ground;
use crate::layout::{NARROWEST, Sheet, Surroundings};
use crate::style::{AXIS, LABEL_SIZE, MARGIN, MUTED, OUTSIDE, TEXT, TICK_SIZE};
use crate::ticks::{Ticks, compact, most_y_ticks, round_down};

/// A map fits into this, and takes all of one side of it.
const LARGEST: Vec2 = Vec2::new(660.0, 560.0);
/// No map is smaller.
const SMALLEST: Vec2 = Vec2::new(280.0, 90.0);
/// Length of a tick.
const TICK: f32 = 3.0;

/// How the ground is seen on the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// Where the map is on the page.
    pub panel: Bounds,
    /// Units of the page per metre.
    pub scale: f64,
    /// The ground at the panel's bottom left corner.
    origin: DVec2,
}

impl View {
    /// A view of all of `world`, not yet anywhere on the page.
    pub(crate) fn new(world: Bounds) -> Self {
        let size = world.size().as_dvec2().max(DVec2::splat(1e-3));
        let scale = (LARGEST.as_dvec2() / size).min_element();
        let panel = (size * scale).max(SMALLEST.as_dvec2());
        let center = (world.min.as_dvec2() + world.max.as_dvec2()) * 0.5;
        Self {
            panel: Bounds { min: Vec2::ZERO, max: panel.as_vec2() },
            scale,
            origin: center - panel / scale * 0.5,
        }
    }

    /// Where a point of the ground is on the page.
    pub(crate) fn point(&self, point: Vec2) -> Vec2 {
        let offset = ((point.as_dvec2() - self.origin) * self.scale).as_vec2();
        Vec2::new(self.panel.min.x + offset.x, self.panel.max.y - offset.y)
    }

    /// The ground at a point of the page.
    pub(crate) fn ground(&self, point: Vec2) -> Vec2 {
        let offset = Vec2::new(point.x - self.panel.min.x, self.panel.max.y - point.y);
        (self.origin + offset.as_dvec2() / self.scale).as_vec2()
    }

    /// A length in metres on the page.
    pub(crate) fn length(&self, metres: f32) -> f32 {
        (f64::from(metres) * self.scale) as f32
    }

    /// Where a rectangle of the ground is on the page.
    pub(crate) fn rectangle(&self, bounds: Bounds) -> Bounds {
        let (a, b) = (self.point(bounds.min), self.point(bounds.max));
        Bounds { min: a.min(b), max: a.max(b) }
    }

    /// The outline of a polygon on the ground.
    pub(crate) fn outline(&self, polygon: &Polygon) -> Line {
        let points: Vec<Vec2> = polygon.points().iter().map(|&point| self.point(point)).collect();
        Line::closed(points)
    }

    /// The coordinates along both axes that the map shows: `[x, y]`, each from lowest to highest.
    fn ranges(&self) -> [[f64; 2]; 2] {
        let size = self.panel.size().as_dvec2() / self.scale;
        [[self.origin.x, self.origin.x + size.x], [self.origin.y, self.origin.y + size.y]]
    }
}

/// A figure with one map.
pub(crate) struct MapFigure {
    sheet: Sheet,
    pub view: View,
    caption: String,
}

impl MapFigure {
    /// An empty map of `ground` with what stands above it.
    pub(crate) fn new(ground: &Ground, around: Surroundings) -> Self {
        let mut view = View::new(ground.bounds);
        let [_, [low, high]] = view.ranges();
        let ticks = Ticks::new(low, high, y_ticks(&view));
        let widest = ticks.labels().map(|(_, label)| measure(&label, TICK_SIZE, false));
        let left = MARGIN + LABEL_SIZE + 7.0 + widest.fold(0.0, f32::max) + TICK + 4.0;
        let mut sheet = Sheet::new(left, view.panel.size().x.max(NARROWEST), &around);
        sheet.y += 8.0;
        let corner = Vec2::new(left, sheet.y);
        view.panel = Bounds { min: corner, max: corner + view.panel.size() };
        let world = view.rectangle(ground.bounds);
        if world.grown(0.5).size().cmplt(view.panel.size()).any() {
            let shade = Path::filled(Line::closed(view.panel.corners()), OUTSIDE);
            let paper = crate::draw::Ink::solid([0xff; 3]);
            let inside = Path::filled(Line::closed(world.corners()), paper);
            sheet.page.group("outside", None, vec![shade.into(), inside.into()]);
        }
        Self { sheet, view, caption: around.caption }
    }

    /// Adds things that are drawn on the map and nowhere else.
    pub(crate) fn draw(&mut self, name: &'static str, items: Vec<Item>) {
        self.sheet.page.group(name, Some(self.view.panel), items);
    }

    /// Adds stairs and ramps, which people and fields are drawn over.
    pub(crate) fn draw_connectors(&mut self, ground: &Ground) {
        self.draw("stairs", ground.draw_connectors(&self.view));
    }

    /// Adds obstacles.
    pub(crate) fn draw_obstacles(&mut self, ground: &Ground) {
        self.draw("obstacles", ground.draw(&self.view));
    }

    /// Adds axes, scale bar and caption.
    pub(crate) fn finish(mut self) -> Page {
        let (axes, right) = self.axes();
        self.sheet.page.group("axes", None, axes);
        let bar = self.scale_bar();
        self.sheet.page.group("scale-bar", None, bar);
        self.sheet.y = self.view.panel.max.y + 6.0 + TICK_SIZE + 7.0 + LABEL_SIZE + 8.0;
        self.sheet.finish(&self.caption, right)
    }

    /// The axes, and how far to the right their labels reach.
    fn axes(&self) -> (Vec<Item>, f32) {
        let panel = self.view.panel;
        let mut items = vec![Path::stroked(Line::closed(panel.corners()), AXIS).into()];
        let [x_range, y_range] = self.view.ranges();
        let along = |value: f64, range: [f64; 2]| ((value - range[0]) * self.view.scale) as f32;
        let mut right = panel.max.x + MARGIN;
        let (width, [low, high]) = (panel.size().x, x_range);
        for (value, label) in Ticks::along(low, high, (width / 45.0) as usize, width).labels() {
            let x = panel.min.x + along(value, x_range);
            let (foot, tip) = (Vec2::new(x, panel.max.y), Vec2::new(x, panel.max.y + TICK));
            items.push(Path::stroked(Line::open([foot, tip]), AXIS).into());
            let at = Vec2::new(x, panel.max.y + 6.0 + TICK_SIZE * 0.8);
            let text = Text::new(&label, at, TICK_SIZE, MUTED).anchored(Anchor::Middle);
            right = right.max(text.bounds().max.x + 6.0);
            items.push(text.into());
        }
        for (value, label) in Ticks::new(y_range[0], y_range[1], y_ticks(&self.view)).labels() {
            let y = panel.max.y - along(value, y_range);
            let (foot, tip) = (Vec2::new(panel.min.x, y), Vec2::new(panel.min.x - TICK, y));
            items.push(Path::stroked(Line::open([foot, tip]), AXIS).into());
            let at = Vec2::new(panel.min.x - TICK - 4.0, y + TICK_SIZE * 0.35);
            items.push(Text::new(&label, at, TICK_SIZE, MUTED).anchored(Anchor::End).into());
        }
        let middle = (panel.min + panel.max) * 0.5;
        let at = Vec2::new(middle.x, self.second_row());
        items.push(Text::new("x (m)", at, LABEL_SIZE, TEXT).anchored(Anchor::Middle).into());
        let at = Vec2::new(MARGIN + LABEL_SIZE * 0.8, middle.y);
        let text = Text::new("y (m)", at, LABEL_SIZE, TEXT).anchored(Anchor::Middle);
        items.push(Text { upwards: true, ..text }.into());
        (items, right)
    }

    /// A length that is easy to compare with, below the right corner of the map.
    fn scale_bar(&self) -> Vec<Item> {
        let panel = self.view.panel;
        let metres = round_down(f64::from(panel.size().x) * 0.2 / self.view.scale);
        let label = match metres {
            m if m >= 1000.0 => format!("{} km", compact(m / 1000.0, 0)),
            m if m >= 1.0 => format!("{} m", compact(m, 0)),
            m if m >= 0.01 => format!("{} cm", compact(m * 100.0, 0)),
            m => format!("{} mm", compact(m * 1000.0, 3)),
        };
        let y = self.second_row() - LABEL_SIZE * 0.35;
        let end = Vec2::new(panel.max.x, y);
        let begin = end - Vec2::new((metres * self.view.scale) as f32, 0.0);
        let tick = Vec2::new(0.0, 3.0);
        let stroke = crate::draw::Stroke::solid(TEXT, 1.25);
        let lines = [[begin, end], [begin - tick, begin + tick], [end - tick, end + tick]];
        let lines = lines.map(Line::open).into();
        let at = Vec2::new(begin.x - 7.0, self.second_row());
        vec![
            Path { lines, fill: None, stroke: Some(stroke) }.into(),
            Text::new(&label, at, TICK_SIZE, TEXT).anchored(Anchor::End).into(),
        ]
    }

    /// The baseline of what is written below the labels of the ticks.
    fn second_row(&self) -> f32 {
        self.view.panel.max.y + 6.0 + TICK_SIZE + 7.0 + LABEL_SIZE * 0.8
    }
}

fn y_ticks(view: &View) -> usize {
    most_y_ticks(view.panel.size().y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(min: [f32; 2], max: [f32; 2]) -> Bounds {
        Bounds { min: min.into(), max: max.into() }
    }

    #[test]
    fn the_world_fills_the_map_with_y_upwards() {
        let view = View::new(bounds([-10.0, -5.0], [10.0, 5.0]));
        assert_eq!(view.panel.size(), Vec2::new(660.0, 330.0));
        assert_eq!(view.point(Vec2::new(-10.0, -5.0)), Vec2::new(0.0, 330.0));
        assert_eq!(view.point(Vec2::new(10.0, 5.0)), Vec2::new(660.0, 0.0));
        assert_eq!(view.length(2.0), 66.0);
        assert_eq!(view.ground(view.point(Vec2::new(3.0, -4.0))), Vec2::new(3.0, -4.0));
    }

    #[test]
    fn a_long_and_narrow_world_has_room_around_it() {
        for (max, narrow) in [([1000.0, 1.0], 1), ([1.0, 1000.0], 0)] {
            let view = View::new(bounds([0.0, 0.0], max));
            let size = view.panel.size();
            assert!(size.cmpge(SMALLEST - 0.01).all() && size.cmple(LARGEST + 0.01).all());
            let middle = view.point(Vec2::from(max) * 0.5);
            assert!((middle[narrow] - size[narrow] * 0.5).abs() < 0.01);
        }
    }
}
