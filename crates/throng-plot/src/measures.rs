//! Where people are measured, on a map.

use glam::Vec2;
use throng::Scene;
use throng::world::scene::{LayerId, MeasuredPlace};

use crate::draw::{Item, Line, Path, Stroke};
use crate::map::View;
use crate::options::{Area, Options};
use crate::style::MEASURE;

/// The line and the areas that `options` name.
pub(crate) fn draw(options: &Options, view: &View) -> Vec<Item> {
    let area = |area: &Area| Line::closed(view.rectangle(area.0).corners());
    let mut items: Vec<Item> = options.areas.iter().map(|of| draw_area(area(of))).collect();
    items.extend(options.line.map(|line| draw_line([line.from, line.to], view)));
    items
}

/// The lines and areas that a scene measures at on a floor.
pub(crate) fn draw_of_scene(scene: &Scene, layer: LayerId, view: &View) -> Vec<Item> {
    let here = scene.measurements.iter().filter(|measurement| measurement.layer == layer);
    here.map(|measurement| match &measurement.place {
        MeasuredPlace::Line(ends) => draw_line(*ends, view),
        MeasuredPlace::Area { polygon, .. } => draw_area(view.outline(polygon)),
    })
    .collect()
}

fn draw_area(outline: Line) -> Item {
    let rim = Stroke { dash: Some([4.0, 3.0]), ..Stroke::solid(MEASURE, 1.2) };
    let fill = Some(MEASURE.with_opacity(0.06));
    Path { lines: vec![outline], fill, stroke: Some(rim) }.into()
}

fn draw_line(ends: [Vec2; 2], view: &View) -> Item {
    let ends = ends.map(|end| view.point(end));
    Path::stroked(Line::open(ends), Stroke::solid(MEASURE, 1.8)).into()
}
