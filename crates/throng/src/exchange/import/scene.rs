//! A scene around tracks: a recording tells where it took place, and so an imported one gets a
//! world that holds everyone, with what the file says about walls.

use std::path::Path;

use glam::Vec3;
use throng_base::{Bounds, Polygon};
use throng_world::Scene;
use throng_world::scene::file::{Layer, Obstacle, SceneFile, at, decimal, given, list};
use throng_world::scene::{Camera, PlanTexts, TerrainFiles, default_color};
use throng_world::walkable::{Area, solids_around};

use super::grid::Grid;
use super::staging::Staging;
use super::survey::Survey;
use super::{ImportFormat, Source};
use crate::exchange::{ExchangeError, cameras, rate};
use crate::recording::{GroupInfo, LayerInfo, RecordingInfo};

/// Ground around people where nothing else tells how far it reaches, m.
const MARGIN: f64 = 1.0;

/// The name of the group of people who have none, and of their floor.
const GROUP: &str = "people";
const LAYER: &str = "ground";

/// The first line of the scene.
const HEAD: &str =
    "# The place of imported tracks: there is nobody in it who could be simulated.\n";

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
    let bounds = bounds(source, survey);
    let solid = |polygon| (polygon, None);
    let obstacles: Vec<Solid> = match source.geometry.is_empty() {
        true => source.boxes.iter().filter_map(obstacle).collect(),
        false => solids_around(&source.geometry, bounds).into_iter().map(solid).collect(),
    };
    let summary = format!("Tracks from {file} ({}), {} fps", format.name(), rate(grid.interval()));
    let text = |obstacles: &[Solid]| {
        let mut file = scene_file(bounds, !source.geometry.is_empty(), &layers, obstacles);
        file.name = given(tracks.file_stem().unwrap_or_default().to_string_lossy());
        file.description = given(summary.as_str());
        file.evaluation = cameras::table(&above_ground(&source.cameras, &layers));
        HEAD.to_owned() + &file.to_toml()
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

/// Views as scenes have them, with heights above the ground, which imported tracks have level.
fn above_ground(cameras: &[Camera], layers: &[LayerInfo]) -> Vec<Camera> {
    let ground = Vec3::Z * layers.first().map_or(0.0, |layer| layer.elevation);
    let lowered = |camera: &Camera| Camera {
        position: camera.position - ground,
        look_at: camera.look_at - ground,
        ..*camera
    };
    cameras::usable(cameras.iter().map(lowered))
}

/// An obstacle, and how high it is if that is known, m.
type Solid = (Polygon, Option<f32>);

fn obstacle(&(bounds, height): &(Bounds, f32)) -> Option<Solid> {
    let polygon = Polygon::new(bounds.corners()).ok()?;
    Some((polygon, (height > 0.0).then_some(height)))
}

/// The extent of the walkable area or of obstacles, or some ground around everyone, whichever holds
/// both.
fn bounds(source: &Source, survey: &Survey) -> Bounds {
    let (mut min, mut max) = (survey.min, survey.max);
    if source.geometry.is_empty() {
        (min, max) = ((min - MARGIN).floor(), (max + MARGIN).ceil());
    }
    let boxes =
        source.boxes.iter().map(|(bounds, _)| (bounds.min.as_dvec2(), bounds.max.as_dvec2()));
    for (low, high) in source.geometry.iter().map(Area::extent).chain(boxes) {
        (min, max) = (min.min(low), max.max(high));
    }
    Bounds { min: min.as_vec2(), max: max.as_vec2() }
}

fn scene_file(
    bounds: Bounds,
    closed: bool,
    layers: &[LayerInfo],
    obstacles: &[Solid],
) -> SceneFile {
    let layer = |layer: &LayerInfo| Layer {
        name: at(layer.name.as_str()),
        elevation: given(decimal(layer.elevation)),
        ..Layer::default()
    };
    let obstacle = |(polygon, height): &Solid| Obstacle {
        height: height.and_then(|height| given(decimal(height))),
        ..Obstacle::polygon(polygon.points().iter().copied())
    };
    let mut file = SceneFile::new([bounds.min, bounds.max]);
    file.world.closed = given(closed);
    file.layers = list(layers.iter().map(layer));
    file.obstacles = list(obstacles.iter().map(obstacle));
    file
}
