//! A scene around tracks: a recording tells where it took place, and so an imported one gets a
//! world that holds everyone, with what the file says about walls.

use std::fmt::Write;
use std::path::Path;

use throng_world::scene::{FORMAT_VERSION, PlanTexts, TerrainFiles, default_color, quoted};
use throng_world::walkable::{Area, solids_around};
use throng_world::{Bounds, Polygon, Scene};

use super::grid::Grid;
use super::staging::Staging;
use super::survey::Survey;
use super::{ImportFormat, Source};
use crate::exchange::{ExchangeError, rate};
use crate::recording::{GroupInfo, LayerInfo, RecordingInfo};

/// Ground around people where nothing else tells how far it reaches, m.
const MARGIN: f64 = 1.0;

/// The name of the group of people who have none, and of their floor.
const GROUP: &str = "people";
const LAYER: &str = "ground";

pub(super) struct Plan {
    pub info: RecordingInfo,
    pub obstacles: usize,
    pub warning: Option<String>,
}

pub(super) fn describe(
    tracks: &Path,
    format: ImportFormat,
    source: &Source,
    survey: &Survey,
    grid: &Grid,
    staging: &Staging,
) -> Result<Plan, ExchangeError> {
    let file = tracks.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let layers = layers(source, staging)?;
    let bounds = bounds(&source.geometry, survey);
    let obstacles = match source.geometry.is_empty() {
        true => Vec::new(),
        false => solids_around(&source.geometry, bounds),
    };
    let summary = format!("Tracks from {file} ({}), {} fps", format.name(), rate(grid.interval()));
    let text = |obstacles: &[Polygon]| {
        let name = tracks.file_stem().unwrap_or_default().to_string_lossy();
        let closed = !source.geometry.is_empty();
        scene_text(&name, &summary, bounds, closed, &layers, obstacles)
    };
    let mut plan = Plan { info: RecordingInfo::default(), obstacles: 0, warning: None };
    let mut scene = text(&obstacles);
    match Scene::parse_plan(&file, &scene) {
        Ok(_) => plan.obstacles = obstacles.len(),
        // Tracks are worth having without the walls.
        Err(errors) => {
            scene = text(&[]);
            let first = errors.errors().first().map(ToString::to_string).unwrap_or_default();
            plan.warning = Some(format!("its geometry is left out: {first}"));
        }
    }
    let group = |(index, name)| GroupInfo { name, color: default_color(index) };
    plan.info = RecordingInfo {
        imported_from: Some(format!("{file} ({})", format.name())),
        scene_name: file,
        scene,
        seed: 0,
        step: grid.step,
        record_every: grid.stride,
        groups: source.groups.list(GROUP).into_iter().enumerate().map(group).collect(),
        layers,
        files: PlanTexts::new(),
        terrain: TerrainFiles::default(),
    };
    Ok(plan)
}

/// The floors. What is not written anywhere is how high they are: as high as most of the rows.
fn layers(source: &Source, staging: &Staging) -> Result<Vec<LayerInfo>, ExchangeError> {
    let names = source.layers.list(LAYER);
    let query = "SELECT round(z, 2) FROM rows WHERE layer = ?1 \
                 GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1";
    let layer = |(number, name): (usize, String)| {
        let elevation = staging.first(query, [number], |row| row.get::<_, f64>(0))?;
        Ok(LayerInfo { name, elevation: elevation.unwrap_or(0.0) as f32 })
    };
    names.into_iter().enumerate().map(layer).collect()
}

/// The extent of the walkable area, or some ground around everyone, whichever holds both.
fn bounds(geometry: &[Area], survey: &Survey) -> Bounds {
    let (mut min, mut max) = (survey.min, survey.max);
    if geometry.is_empty() {
        (min, max) = ((min - MARGIN).floor(), (max + MARGIN).ceil());
    }
    for (low, high) in geometry.iter().map(Area::extent) {
        (min, max) = (min.min(low), max.max(high));
    }
    Bounds { min: min.as_vec2(), max: max.as_vec2() }
}

fn scene_text(
    name: &str,
    description: &str,
    bounds: Bounds,
    closed: bool,
    layers: &[LayerInfo],
    obstacles: &[Polygon],
) -> String {
    let Bounds { min, max } = bounds;
    let mut text = format!(
        "# The place of imported tracks: there is nobody in it who could be simulated.\n\
         format = {FORMAT_VERSION}\n\
         name = {}\n\
         description = {}\n\n\
         [world]\n\
         bounds = [[{}, {}], [{}, {}]]\n\
         closed = {closed}\n",
        quoted(name),
        quoted(description),
        min.x,
        min.y,
        max.x,
        max.y
    );
    // Writing to a string does not fail.
    for layer in layers {
        let (name, elevation) = (quoted(&layer.name), layer.elevation);
        let _ = write!(text, "\n[[layers]]\nname = {name}\nelevation = {elevation}\n");
    }
    for polygon in obstacles {
        let points = polygon.points().iter().map(|p| format!("[{}, {}]", p.x, p.y));
        let points = points.collect::<Vec<_>>().join(", ");
        let _ = write!(text, "\n[[obstacles]]\npolygon = [{points}]\n");
    }
    text
}
