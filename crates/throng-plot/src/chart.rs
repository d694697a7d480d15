//! A panel with two axes of numbers.

use glam::Vec2;
use throng::base::Bounds;

use crate::draw::{Anchor, Item, Line, Path, Text, measure};
use crate::style::{AXIS, GRID, LABEL_SIZE, MUTED, TEXT, TICK_SIZE};
use crate::ticks::{Ticks, most_y_ticks};

const TICK: f32 = 3.0;
/// Room that the axis below a panel takes, with and without its label.
const BELOW: [f32; 2] = [36.0, 20.0];

/// An axis from its lowest to its highest value.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// Quantity and unit; nothing is written at an axis that has none.
    pub label: &'static str,
    pub range: [f64; 2],
}

/// A panel with axes to the left and below.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub panel: Bounds,
    /// Room at the left of the panel, at least [`Chart::left`]. The label of the axis begins there.
    pub left: f32,
    pub x: Axis,
    pub y: Axis,
}

impl Chart {
    /// How much room the axis at the left of a panel takes.
    pub(crate) fn left(y: &Axis, height: f32) -> f32 {
        let labels = Self::y_ticks(y, height);
        let widest = labels.labels().map(|(_, label)| measure(&label, TICK_SIZE, false));
        LABEL_SIZE + 7.0 + widest.fold(0.0, f32::max) + TICK + 4.0
    }

    /// How much room the axis below takes.
    pub(crate) fn below(x: &Axis) -> f32 {
        BELOW[usize::from(x.label.is_empty())]
    }

    /// Where a pair of values is on the page.
    pub(crate) fn point(&self, x: f64, y: f64) -> Vec2 {
        let along = |value: f64, axis: &Axis| {
            ((value - axis.range[0]) / (axis.range[1] - axis.range[0])) as f32
        };
        let size = self.panel.size();
        let (x, y) = (along(x, &self.x) * size.x, along(y, &self.y) * size.y);
        Vec2::new(self.panel.min.x + x, self.panel.max.y - y)
    }

    /// Lines across the panel that help to read values off.
    pub(crate) fn grid(&self) -> Vec<Item> {
        let ticks = Self::y_ticks(&self.y, self.panel.size().y);
        let line = |&y: &f64| {
            let ends = self.x.range.map(|x| self.point(x, y));
            Path::stroked(Line::open(ends), GRID).into()
        };
        ticks.values.iter().map(line).collect()
    }

    /// The axes with ticks and labels.
    pub(crate) fn axes(&self) -> Vec<Item> {
        let panel = self.panel;
        let corner = Vec2::new(panel.min.x, panel.max.y);
        let mut items =
            vec![Path::stroked(Line::open([panel.min, corner, panel.max]), AXIS).into()];
        let (width, [low, high]) = (panel.size().x, self.x.range);
        for (value, label) in Ticks::along(low, high, (width / 50.0) as usize, width).labels() {
            let foot = self.point(value, self.y.range[0]);
            let tip = foot + Vec2::new(0.0, TICK);
            items.push(Path::stroked(Line::open([foot, tip]), AXIS).into());
            let at = Vec2::new(foot.x, panel.max.y + 6.0 + TICK_SIZE * 0.8);
            items.push(Text::new(&label, at, TICK_SIZE, MUTED).anchored(Anchor::Middle).into());
        }
        for (value, label) in Self::y_ticks(&self.y, panel.size().y).labels() {
            let foot = self.point(self.x.range[0], value);
            let tip = foot - Vec2::new(TICK, 0.0);
            items.push(Path::stroked(Line::open([foot, tip]), AXIS).into());
            let at = Vec2::new(tip.x - 4.0, foot.y + TICK_SIZE * 0.35);
            items.push(Text::new(&label, at, TICK_SIZE, MUTED).anchored(Anchor::End).into());
        }
        let middle = (panel.min + panel.max) * 0.5;
        let at = Vec2::new(middle.x, panel.max.y + 6.0 + TICK_SIZE + 6.0 + LABEL_SIZE * 0.8);
        if !self.x.label.is_empty() {
            let text = Text::new(self.x.label, at, LABEL_SIZE, TEXT).anchored(Anchor::Middle);
            items.push(text.into());
        }
        let at = Vec2::new(panel.min.x - self.left + LABEL_SIZE * 0.8, middle.y);
        let text = Text::new(self.y.label, at, LABEL_SIZE, TEXT).anchored(Anchor::Middle);
        items.push(Text { upwards: true, ..text }.into());
        items
    }

    fn y_ticks(y: &Axis, height: f32) -> Ticks {
        Ticks::new(y.range[0], y.range[1], most_y_ticks(height))
    }
}
