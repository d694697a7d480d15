//! Where people are measured, on a map.

use crate::draw::{Item, Line, Path, Stroke};
use crate::map::View;
use crate::options::Options;
use crate::style::MEASURE;

/// The line and the areas that `options` name.
pub(crate) fn draw(options: &Options, view: &View) -> Vec<Item> {
    let mut items = Vec::new();
    for area in &options.areas {
        let lines = vec![Line::closed(view.rectangle(area.0).corners())];
        let rim = Stroke { dash: Some([4.0, 3.0]), ..Stroke::solid(MEASURE, 1.2) };
        let fill = Some(MEASURE.with_opacity(0.06));
        items.push(Path { lines, fill, stroke: Some(rim) }.into());
    }
    if let Some(line) = options.line {
        let ends = [line.from, line.to].map(|end| view.point(end));
        items.push(Path::stroked(Line::open(ends), Stroke::solid(MEASURE, 1.8)).into());
    }
    items
}
