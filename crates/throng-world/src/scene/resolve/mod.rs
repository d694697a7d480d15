//! From what was typed to what it means: names become ids, defaults are filled in, and everything
//! is checked that takes more than one value to judge.
//!
//! Each part is resolved as far as it can be, so that one mistake does not hide the next. What is
//! made from a wrong part may be incomplete; that does no harm, because a scene with errors is
//! thrown away.

mod evaluation;
mod fields;
mod goals;
mod ground;
mod groups;
mod interests;
mod measurements;
mod parties;
mod places;
mod plans;
mod population;
mod reach;
mod solids;
mod varied;

pub use groups::default_color;

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use glam::Vec2;
use throng_base::Bounds;

use super::files::Files;
use super::names::{Names, list};
use super::report::Report;
use super::value::{At, Point};
use super::{LayerId, Region, RegionId, Scene, Span, file};
use crate::{Interval, Layer, Obstacle, Shape};
use solids::Solids;

/// The scene that `file` describes. Complete only if nothing was reported.
pub(super) fn resolve(
    file: &file::SceneFile,
    mut files: Files,
    report: &mut Report,
) -> Option<Scene> {
    let settings = ground::settings(&file.simulation, report);
    let bounds = ground::bounds(&file.world.bounds, report)?;
    let layers = ground::layers(file, bounds, &mut files, report);
    let layer_names = ground::layer_names(file, report);
    let heights_are_known = files.heights_are_known();
    let floors = Floors { layers: &layers, names: layer_names, heights_are_known };
    let connectors = ground::connectors(file, &floors, bounds, report);
    let mut obstacles = places::obstacles(file, &floors, bounds, &mut files, report);
    obstacles.extend(plans::plans(file, bounds, &mut files, report));
    let regions = places::regions(file, &floors, bounds, report);
    let interests = interests::interests(file, &floors, bounds, report);
    let place = World {
        bounds,
        closed: file.world.closed.as_ref().is_some_and(|closed| **closed),
        solids: Solids::new(layers.len(), &obstacles, bounds),
        region_names: Names::collect("region", file.regions.iter().map(|r| Some(&r.name)), report),
        covered: vec![OnceCell::new(); regions.len()],
        regions: &regions,
        floors,
    };
    let (fields, field_names) = fields::fields(file, &place, report);
    let times = varied::tables(file, &mut files, report);
    let groups = groups::groups(file, &place, &obstacles, &field_names, &times, report);
    reach::check(&groups, &place, &connectors, report);
    population::check_counts(&groups, &place, &settings, report);
    let measurements = measurements::measurements(file, &place, &settings, report);

    let evaluation = evaluation::evaluation(file, report);
    let (files, terrain_files) = files.into_read();
    Some(Scene {
        name: name(file, report),
        description: text(file.description.as_ref()),
        settings,
        bounds,
        connectors,
        obstacles,
        interests,
        groups,
        fields,
        measurements,
        evaluation,
        source: report.source().clone(),
        files: Arc::new(files),
        terrain_files: Arc::new(terrain_files),
        regions: regions.into_iter().flatten().collect(),
        layers,
    })
}

/// The floors and what they are called.
struct Floors<'f> {
    layers: &'f [Layer],
    names: Names<'f>,
    /// Whether terrain has been read, or some ground is flat for want of it.
    heights_are_known: bool,
}

impl Floors<'_> {
    /// The floor that is called `name`, or the first one if it is left out.
    fn find(&self, name: Option<&At<String>>, report: &mut Report) -> Option<LayerId> {
        let index = name.map_or(Some(0), |name| self.names.find(name, report))?;
        Some(LayerId(index as u8))
    }

    fn name(&self, layer: LayerId) -> &str {
        &self.layers[layer.0 as usize].name
    }
}

/// Everything but the people.
struct World<'f> {
    bounds: Bounds,
    closed: bool,
    floors: Floors<'f>,
    /// `None` where a region could not be made sense of.
    regions: &'f [Option<Region>],
    region_names: Names<'f>,
    solids: Solids,
    /// For each region, once it is known, whether obstacles cover it.
    covered: Vec<OnceCell<bool>>,
}

impl World<'_> {
    /// The region that is called `name`, where people are to stand. Reports one that obstacles
    /// cover, with what it is for, e.g. "a crowd starts in". `None` also if it has been found wrong
    /// before.
    fn find_region(
        &self,
        name: &At<String>,
        purpose: &str,
        report: &mut Report,
    ) -> Option<RegionId> {
        let index = self.region_names.find(name, report)?;
        let region = self.regions[index].as_ref()?;
        if *self.covered[index].get_or_init(|| self.solids.cover(region.layer, &region.polygon)) {
            let where_to = if self.solids.has_plan(region.layer) {
                "inside obstacles or outside the plan"
            } else {
                "inside obstacles"
            };
            let message = format!("{purpose} region {:?}, which lies {where_to}", region.name);
            report.error(name.span(), message).help("move the region or the obstacles");
        }
        Some(RegionId(index as u16))
    }

    fn region(&self, id: RegionId) -> Option<&Region> {
        self.regions.get(id.0 as usize)?.as_ref()
    }
}

/// Where a point is that the obstacle with this index occupies, for messages.
fn inside(obstacles: &[Obstacle], index: usize) -> String {
    match obstacles.get(index) {
        Some(Obstacle { shape: Shape::Plan(_), name, .. }) => format!("outside the plan {name:?}"),
        _ => format!("inside {}", named_obstacle(obstacles, index)),
    }
}

/// How the obstacle with this index is called in messages.
fn named_obstacle(obstacles: &[Obstacle], index: usize) -> String {
    match obstacles.get(index) {
        Some(Obstacle { shape: Shape::Plan(_), name, .. }) => format!("the walls of plan {name:?}"),
        Some(Obstacle { name, .. }) if !name.is_empty() => format!("obstacle {name:?}"),
        // Those of one file are one entry of the scene.
        _ => {
            let upto = &obstacles[..obstacles.len().min(index + 1)];
            format!("obstacle {}", upto.chunk_by(|one, other| one.span == other.span).count())
        }
    }
}

fn name(file: &file::SceneFile, report: &Report) -> String {
    let stem = || Path::new(&report.source().name).file_stem().map(|s| s.to_string_lossy());
    match &file.name {
        Some(name) => (**name).clone(),
        None => stem().unwrap_or_default().into_owned(),
    }
}

fn text(text: Option<&At<String>>) -> String {
    text.map(|text| (**text).clone()).unwrap_or_default()
}

/// Reports a period of time that ends before it begins, or begins before the last one ends.
fn check_order(
    subject: &str,
    Interval { from, to }: Interval,
    before: Option<&Interval>,
    span: Span,
    report: &mut Report,
) {
    if to <= from {
        let message = format!("{subject} has a period from {from} s to {to} s");
        report.error(span.clone(), message).help("end it after its begin");
    }
    if let Some(before) = before.filter(|before| before.to > from) {
        let message = format!(
            "{subject} has a period from {from} s, before the one above it ends at {} s",
            before.to
        );
        report.error(span, message).help("list the periods in order, none overlapping");
    }
}

/// How a thing is called in messages: `group "visitors"`, or `obstacle 3` if it has no name.
fn called(noun: &str, name: Option<&At<String>>, index: usize) -> String {
    match name.map(|name| name.as_str()) {
        None | Some("") => format!("{noun} {}", index + 1),
        Some(name) => format!("{noun} {name:?}"),
    }
}

/// Reports unless exactly one of the `keys` is there.
fn exactly_one(subject: &str, keys: &[(&str, bool)], span: Span, report: &mut Report) -> bool {
    let quoted = |keys: &[&(&str, bool)], word: &str| {
        list(keys.iter().map(|(key, _)| format!("`{key}`")), word)
    };
    let present: Vec<_> = keys.iter().filter(|(_, present)| *present).collect();
    let all: Vec<_> = keys.iter().collect();
    match present.len() {
        0 => {
            let message = format!("{subject} has none of {}", quoted(&all, "and"));
            report.error(span, message).help("write one of them");
        }
        1 => {}
        _ => {
            let message = format!("{subject} has {}", quoted(&present, "and"));
            report.error(span, message).help("keep only one of them");
        }
    }
    present.len() == 1
}

/// Whether `point` lies in the world; if not, reports what `subject` does there.
fn check_inside(
    point: Vec2,
    bounds: Bounds,
    span: Span,
    subject: impl FnOnce() -> String,
    report: &mut Report,
) -> bool {
    // Corners that are computed, as those of circles are, may be off by a rounding error.
    const SLACK: f32 = 1e-3;
    let inside = bounds.grown(SLACK).contains(point);
    if !inside {
        let message = format!("{} outside the world at {}", subject(), shown(point));
        let help = format!(
            "the world's bounds are [{}, {}]; move it inside or enlarge them",
            shown(bounds.min),
            shown(bounds.max)
        );
        report.error(span, message).help(help);
    }
    inside
}

/// A point as it is written in scene files.
fn shown(point: Vec2) -> String {
    format!("[{}, {}]", point.x, point.y)
}

fn vec2(point: &At<Point>) -> Vec2 {
    (**point).into()
}

fn optional<T: Copy>(value: Option<&At<T>>) -> Option<T> {
    value.map(|value| **value)
}
