//! Floor plans and obstacles from files.

use std::path::Path;

use throng_base::Bounds;

use super::super::files::Files;
use super::super::report::Report;
use super::super::value::At;
use super::super::{LayerId, file};
use super::shown;
use crate::{Obstacle, Plan, PlanError, Shape};

/// The plans of all floors that have one, as obstacles.
pub fn plans(
    file: &file::SceneFile,
    bounds: Bounds,
    files: &mut Files,
    report: &mut Report,
) -> Vec<Obstacle> {
    let of_layers = file.layers.iter().map(|layer| layer.plan.as_ref()).enumerate();
    if let (Some(_), Some(first)) = (&file.world.plan, file.layers.first())
        && let Some(other) = &first.plan
    {
        let message = format!("layer {:?} and the world have a plan", first.name.as_str());
        let help = "keep one: the world's plan is that of the first layer";
        report.error(other.span(), message).help(help);
    }
    let paths = [(0, file.world.plan.as_ref())].into_iter().chain(of_layers);
    let named = paths.filter_map(|(layer, path)| Some((LayerId(layer as u8), path?)));
    named
        .filter_map(|(layer, path)| {
            let plan = read(path, files, "a plan", Plan::parse, report)?;
            check_extent(&plan, path, bounds, report);
            Some(Obstacle {
                name: (**path).clone(),
                span: path.span(),
                ..Obstacle::new(Shape::Plan(plan), layer)
            })
        })
        .collect()
}

/// What `parse` finds in the file called `path`.
pub fn read<T>(
    path: &At<String>,
    files: &mut Files,
    what: &str,
    parse: impl FnOnce(&Path, &str) -> Result<T, PlanError>,
    report: &mut Report,
) -> Option<T> {
    let Some(text) = files.plan(path) else {
        let message = format!("{what} is in the file {:?}, which is not at hand", path.as_str());
        report.error(path.span(), message).help("load the scene file itself");
        return None;
    };
    text.and_then(|(path, text)| parse(&path, text))
        .map_err(|error| {
            let message = format!("cannot use {:?} as {what}: {error}", path.as_str());
            let help = match error {
                PlanError::Unreadable { .. } => "paths are relative to the scene file's folder",
                PlanError::UnknownFormat { .. } => "rename the file",
                _ => "correct the file, or export it anew",
            };
            report.error(path.span(), message).help(help);
        })
        .ok()
}

fn check_extent(plan: &Plan, path: &At<String>, bounds: Bounds, report: &mut Report) {
    const SLACK: f32 = 1e-3;
    let Some(around) = plan.bounds() else { return };
    let world = bounds.grown(SLACK);
    if !(world.contains(around.min) && world.contains(around.max)) {
        let extent = format!("[{}, {}]", shown(around.min), shown(around.max));
        let message = format!("the plan {:?} reaches outside the world", path.as_str());
        let help = format!("it takes at least bounds = {extent}");
        report.error(path.span(), message).help(help);
    }
}
