//! Maps of density and of speed, averaged over time.
//!
//! Every person in every frame is counted in a cell of a fine grid, and the counts are spread with
//! a Gaussian kernel that does not pass through walls (see [`grid`]). The density is the result per
//! frame and square metre; the speed is the mean of everyone's speeds with the same weights.

mod grid;

use glam::Vec2;

use self::grid::{Field, Grid};
use crate::colour::ColourMap;
use crate::draw::{Image, Item};
use crate::excerpt::{Census, Excerpt, on_layer};
use crate::figure::Figure;
use crate::layout::{ColourBar, Key};
use crate::map::{MapFigure, View};
use crate::options::{Kind, Options};
use crate::ticks::{compact, counted};
use crate::{PlotError, Progress, measures, scale};

/// Pixels of the map per unit of the page.
const SHARPNESS: f32 = 2.0;
/// Densities below this part of the scale fade into the paper.
const FADE: f32 = 0.04;

/// Draws the density of people or their speed.
pub(crate) fn plot(
    excerpt: &mut Excerpt,
    kind: Kind,
    options: &Options,
    progress: Progress,
) -> Result<Figure, PlotError> {
    let grid = Grid::new(&excerpt.ground);
    let mut presence = grid.field();
    let mut speeds = grid.field();
    let mut census = Census::default();
    let layer = excerpt.layer;
    excerpt.each_frame(progress, |frame| {
        let people = &frame.people;
        census.note(on_layer(frame, layer).map(|i| people.ids[i]));
        for i in on_layer(frame, layer) {
            if let Some(cell) = grid.cell_at(people.positions[i]) {
                presence.add(cell, 1.0);
                if kind == Kind::Speed {
                    speeds.add(cell, f64::from(people.velocities[i].length()));
                }
            }
        }
    })?;
    grid.spread(&mut presence);
    let values = match kind {
        Kind::Speed => {
            grid.spread(&mut speeds);
            mean_speeds(&grid, &presence, &speeds)
        }
        _ => densities(&grid, &presence, excerpt.frame_count()),
    };

    let people = census.people();
    let top = scale::top(&mut values.iter().filter_map(Value::seen).collect::<Vec<_>>());
    let (map, label, what) = match kind {
        Kind::Speed => (ColourMap::SPEED, "Mean speed (m/s)", "Mean speed"),
        _ => (ColourMap::DENSITY, "Mean density (people/m²)", "Mean density"),
    };
    let key = Key::Bar(ColourBar {
        map,
        label: label.into(),
        ends: [0.0, top.value],
        open_ended: top.is_exceeded,
    });
    let what = format!("{what} · {}", counted(people, "person", "people"));
    let caption = caption(&grid, excerpt.frame_count());
    let around = excerpt.surroundings(options, &what, &excerpt.time_range(), key, caption);
    let mut figure = MapFigure::new(&excerpt.ground, around);
    figure.draw_connectors(&excerpt.ground);
    let image = image(&grid, &values, &figure.view, excerpt.ground.bounds, map, top.value as f32);
    figure.draw("field", vec![Item::Image(image)]);
    figure.draw_obstacles(&excerpt.ground);
    figure.draw("measures", measures::draw(options, &figure.view));
    Ok(Figure { page: figure.finish(), subject: excerpt.subject(kind, people) })
}

fn caption(grid: &Grid, frames: u32) -> String {
    format!(
        "Averaged over {}. Gaussian kernel, σ = {} m, held back by walls; cells of {} m.",
        counted(frames.into(), "frame", "frames"),
        compact(grid.bandwidth(), 2),
        compact(grid.cell_size(), 2),
    )
}

/// What is known of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Value {
    value: f32,
    /// From 0, nothing is known, to 1.
    certainty: f32,
    /// Whether the cell is too much within a wall to be looked at.
    hidden: bool,
}

impl Value {
    /// The value, if there is one and it can be seen.
    fn seen(&self) -> Option<f32> {
        (!self.hidden && self.certainty > 0.5).then_some(self.value)
    }
}

fn densities(grid: &Grid, presence: &Field, frames: u32) -> Vec<Value> {
    let value = |cell: usize| {
        let value = (presence.density(grid, cell) / f64::from(frames)) as f32;
        Value {
            value,
            certainty: if value > 0.0 { 1.0 } else { 0.0 },
            hidden: grid.is_hidden(cell),
        }
    };
    (0..grid.len()).map(value).collect()
}

/// Means where about one person was within reach of the kernel in at least one frame.
fn mean_speeds(grid: &Grid, presence: &Field, speeds: &Field) -> Vec<Value> {
    let kernel_area = std::f64::consts::TAU * grid.bandwidth().powi(2);
    let value = |cell: usize| {
        let observations = presence.density(grid, cell) * kernel_area;
        let mean = speeds.density(grid, cell) / presence.density(grid, cell).max(1e-30);
        Value {
            value: mean as f32,
            certainty: (observations * 1.25 - 0.25).clamp(0.0, 1.0) as f32,
            hidden: grid.is_hidden(cell),
        }
    };
    (0..grid.len()).map(value).collect()
}

/// The field in colours, as sharp as the page can show it.
fn image(
    grid: &Grid,
    values: &[Value],
    view: &View,
    bounds: throng::base::Bounds,
    map: ColourMap,
    top: f32,
) -> Image {
    let place = view.rectangle(bounds);
    let size = (place.size() * SHARPNESS).ceil().max(Vec2::ONE);
    let (width, height) = (size.x as u32, size.y as u32);
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    let fades = map == ColourMap::DENSITY;
    for row in 0..height {
        for column in 0..width {
            let pixel = Vec2::new(column as f32 + 0.5, row as f32 + 0.5) / size;
            let at = Vec2::new(pixel.x, 1.0 - pixel.y);
            let (value, certainty) = interpolated(grid, values, at);
            let level = value / top;
            let opacity = if fades { (level / FADE).min(certainty) } else { certainty };
            let [r, g, b] = map.at(level);
            rgba.extend([r, g, b, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8]);
        }
    }
    Image { place, width, height, rgba }
}

/// Value and certainty at a place of the grid, from (0, 0) to (1, 1), between the cells around it.
/// Cells within walls have no say.
fn interpolated(grid: &Grid, values: &[Value], at: Vec2) -> (f32, f32) {
    let (mut value, mut certainty, mut weights) = (0.0, 0.0, 0.0);
    for (cell, weight) in grid.around(at) {
        let of = values[cell];
        if !of.hidden {
            value += weight * of.certainty * of.value;
            certainty += weight * of.certainty;
            weights += weight;
        }
    }
    match certainty > 0.0 {
        true => (value / certainty, certainty / weights),
        false => (0.0, 0.0),
    }
}
