//! The settings, and the ground: bounds, floors, and the stairs between them.

use glam::Vec2;
use throng_base::{Bounds, Polygon};

use super::super::files::Files;
use super::super::names::Names;
use super::super::report::Report;
use super::super::value::{At, Point};
use super::super::{
    DEFAULT_DURATION, DEFAULT_STEP, LayerId, MAX_COORDINATE, MAX_STEPS, Settings, file,
};
use super::{Floors, check_inside, exactly_one, optional, places, shown, vec2};
use crate::{Connector, ConnectorKind, Layer, Terrain};

/// Name of the only floor of a scene that lists none.
const ONLY_LAYER: &str = "ground";

pub fn settings(file: &file::Simulation, report: &mut Report) -> Settings {
    let step = optional(file.step.as_ref()).unwrap_or(DEFAULT_STEP);
    let duration = optional(file.duration.as_ref()).unwrap_or(DEFAULT_DURATION);
    if duration / step > MAX_STEPS {
        let span = file.duration.as_ref().or(file.step.as_ref()).map_or(0..0, At::span);
        let message = format!("{duration} s in steps of {step} s are more than a billion steps");
        report.error(span, message).help("shorten the duration or lengthen the step");
    }
    Settings {
        step,
        duration,
        seed: optional(file.seed.as_ref()).unwrap_or(0) as u64,
        record_every: optional(file.record_every.as_ref()).unwrap_or(1) as u32,
        navigation: file.navigation.as_ref().is_none_or(|navigation| **navigation),
        slopes: file.slopes.as_ref().is_none_or(|slopes| **slopes),
        contacts: file.contacts.as_ref().is_none_or(|contacts| **contacts),
    }
}

pub fn bounds(corners: &At<[Point; 2]>, report: &mut Report) -> Option<Bounds> {
    let [min, max] = corners.map(Vec2::from);
    let size = max - min;
    if !size.cmpgt(Vec2::ZERO).all() {
        let message = format!("the world's bounds run from {} to {}", shown(min), shown(max));
        report.error(corners.span(), message).help(
            "write the corner with the smaller coordinates first, e.g. bounds = [[-50, -50], [50, 50]]",
        );
        return None;
    }
    if size.max_element() > MAX_COORDINATE as f32 {
        let message = format!("the world is {} m wide and {} m deep", size.x, size.y);
        report.error(corners.span(), message).help("100 km is the most; write metres");
        return None;
    }
    Some(Bounds { min, max })
}

pub fn layer_names<'f>(file: &'f file::SceneFile, report: &mut Report) -> Names<'f> {
    let names = Names::collect("layer", file.layers.iter().map(|l| Some(&l.name)), report);
    if file.layers.is_empty() { names.with(ONLY_LAYER) } else { names }
}

pub fn layers(
    file: &file::SceneFile,
    bounds: Bounds,
    files: &mut Files,
    report: &mut Report,
) -> Vec<Layer> {
    let mut terrain = |file: Option<&At<file::Terrain>>| {
        file.and_then(|file| terrain(file, bounds, files, report)).unwrap_or_default()
    };
    let ground = terrain(file.world.terrain.as_ref());
    let mut layers: Vec<Layer> = file
        .layers
        .iter()
        .map(|layer| Layer {
            name: (*layer.name).clone(),
            elevation: optional(layer.elevation.as_ref()).unwrap_or(0.0) as f32,
            terrain: terrain(layer.terrain.as_ref()),
        })
        .collect();
    match (layers.first_mut(), &file.world.terrain) {
        (None, _) => {
            layers.push(Layer { name: ONLY_LAYER.into(), elevation: 0.0, terrain: ground });
        }
        (Some(first), Some(_)) => {
            if let Some(other) = &file.layers[0].terrain {
                let message = format!("layer {:?} and the world have a terrain", first.name);
                let help = "keep one: the world's terrain is that of the first layer";
                report.error(other.span(), message).help(help);
            }
            first.terrain = ground;
        }
        (Some(_), None) => {}
    }
    layers
}

fn terrain(
    file: &At<file::Terrain>,
    bounds: Bounds,
    files: &mut Files,
    report: &mut Report,
) -> Option<Terrain> {
    let keys = [("heightmap", file.heightmap.is_some()), ("mesh", file.mesh.is_some())];
    if !exactly_one("the terrain", &keys, file.span(), report) {
        return None;
    }
    let (path, made) = match (&file.heightmap, &file.mesh) {
        (Some(path), _) => {
            let low = optional(file.low.as_ref()).unwrap_or(0.0);
            let Some(high) = optional(file.high.as_ref()) else {
                let message = "the terrain has a heightmap but no `high`";
                report
                    .error(file.span(), message)
                    .help("write the height of white, e.g. high = 12");
                return None;
            };
            if high <= low {
                let message = format!("the terrain has high = {high}, not above low = {low}");
                report.error(file.span(), message).help("swap them, or invert the image");
                return None;
            }
            let [low, high] = [low as f32, high as f32];
            let made = files.terrain(path, |image, read| {
                Terrain::heightmap_with(image, read, bounds, low, high)
            });
            (path, made)
        }
        (None, path) => {
            for (key, value) in [("low", &file.low), ("high", &file.high)] {
                if let Some(value) = value {
                    let message = format!("the terrain has `{key}`, which a mesh does not take");
                    report.error(value.span(), message).help("remove it");
                }
            }
            let path = path.as_ref()?;
            (path, files.terrain(path, Terrain::mesh_with))
        }
    };
    made?
        .map_err(|error| {
            let message = format!("cannot use {:?} as terrain: {error}", path.as_str());
            report
                .error(path.span(), message)
                .help("paths are relative to the scene file's folder");
        })
        .ok()
}

pub fn connectors(
    file: &file::SceneFile,
    floors: &Floors,
    bounds: Bounds,
    report: &mut Report,
) -> Vec<Connector> {
    Names::collect("connector", file.connectors.iter().map(|c| Some(&c.name)), report);
    file.connectors.iter().filter_map(|file| connector(file, floors, bounds, report)).collect()
}

fn connector(
    file: &At<file::Connector>,
    floors: &Floors,
    bounds: Bounds,
    report: &mut Report,
) -> Option<Connector> {
    let subject = format!("connector {:?}", file.name.as_str());
    let lower = floors.find(Some(&file.lower.layer), report);
    let upper = floors.find(Some(&file.upper.layer), report);
    let polygon = places::polygon(&file.polygon, &subject, report)?;
    for corner in file.polygon.iter() {
        if !check_inside(vec2(corner), bounds, corner.span(), || format!("{subject} lies"), report)
        {
            return None;
        }
    }
    let lower_edge = edge(&polygon, &file.lower, &subject, report);
    let upper_edge = edge(&polygon, &file.upper, &subject, report);
    let connector = Connector {
        name: (*file.name).clone(),
        kind: *file.kind,
        polygon,
        lower: lower?,
        upper: upper?,
        lower_edge: lower_edge?,
        upper_edge: upper_edge?,
        steps: steps(file, &subject, report),
        speed_factor: speed_factor(file),
    };
    check_climb(&connector, file, floors, &subject, report);
    Some(connector)
}

/// How many steps the stairs have, if `file` says so. Ramps have none.
fn steps(file: &file::Connector, subject: &str, report: &mut Report) -> Option<u16> {
    let steps = file.steps.as_ref()?;
    if *file.kind == ConnectorKind::Ramp {
        let message = format!("{subject} is a ramp and has `steps`");
        report.error(steps.span(), message).help("remove them, or write kind = \"stairs\"");
    }
    u16::try_from(**steps).ok()
}

/// By how much people are faster or slower on it than on others, up and down.
fn speed_factor(file: &file::Connector) -> [f32; 2] {
    let Some(factors) = &file.speed_factor else { return [1.0; 2] };
    [&factors.up, &factors.down].map(|factor| optional(factor.as_ref()).unwrap_or(1.0) as f32)
}

/// The index of the polygon's edge that `landing` names by its corners, in either order.
fn edge(
    polygon: &Polygon,
    landing: &file::Landing,
    subject: &str,
    report: &mut Report,
) -> Option<usize> {
    const SAME: f32 = 1e-3;
    let [a, b] = landing.edge.map(Vec2::from);
    let same = |p: Vec2, q: Vec2| p.distance(q) < SAME;
    let found =
        polygon.edges().position(|(p, q)| same(p, a) && same(q, b) || same(p, b) && same(q, a));
    if found.is_none() {
        let message =
            format!("{subject} has no edge from {} to {} in its polygon", shown(a), shown(b));
        let help = "write two corners of the polygon that follow one another";
        report.error(landing.edge.span(), message).help(help);
    }
    found
}

fn check_climb(
    connector: &Connector,
    file: &file::Connector,
    floors: &Floors,
    subject: &str,
    report: &mut Report,
) {
    if connector.lower == connector.upper {
        let name = floors.name(connector.lower);
        let message = format!("{subject} leads from layer {name:?} to the same layer");
        report.error(file.upper.layer.span(), message).help("name two different layers");
        return;
    }
    if connector.lower_edge == connector.upper_edge {
        let message = format!("{subject} has the same edge as its foot and its head");
        report.error(file.upper.edge.span(), message).help("name two different edges");
        return;
    }
    let height = |layer: LayerId, edge| {
        let (a, b) = connector.edge(edge);
        floors.layers[layer.0 as usize].height((a + b) * 0.5)
    };
    let foot = height(connector.lower, connector.lower_edge);
    let head = height(connector.upper, connector.upper_edge);
    // Ground from files is rounded, and level ramps are no mistake.
    if head < foot - 0.01 && floors.heights_are_known {
        let message = format!("{subject} leads down, from {foot} m at its foot to {head} m");
        report.error(file.lower.span(), message).help("swap `lower` and `upper`");
    }
}
