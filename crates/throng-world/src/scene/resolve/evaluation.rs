//! What a scene is to show.

use glam::DVec3;

use super::super::report::Report;
use super::super::value::At;
use super::super::{Camera, Criterion, DEFAULT_FIELD_OF_VIEW, Evaluation, Span, file};
use super::{optional, text};

/// A camera that is nearer to what it looks at looks nowhere, m.
const NEAREST: f32 = 1e-3;

pub fn evaluation(file: &file::SceneFile, report: &mut Report) -> Option<Evaluation> {
    let file = file.evaluation.as_ref()?;
    Some(Evaluation {
        version: optional(file.version.as_ref()).unwrap_or(1) as u32,
        category: text(file.category.as_ref()),
        inferred: optional(file.inferred.as_ref()).unwrap_or(false),
        source: text(file.source.as_ref()),
        criteria: file.criteria.iter().filter_map(|text| criterion(text, report)).collect(),
        cameras: file.cameras.iter().filter_map(|file| camera(file, report)).collect(),
        span: file.span(),
    })
}

fn criterion(written: &At<String>, report: &mut Report) -> Option<Criterion> {
    match written.parse::<Criterion>() {
        Ok(criterion) => Some(criterion),
        Err(error) => {
            let span = within(written, error.at, &report.source().text);
            report.error(span, error.message).help(error.help);
            None
        }
    }
}

/// Where a part of a text stands in the file; if it is written with escapes, where all of it does.
fn within(written: &At<String>, part: Span, source: &str) -> Span {
    let span = written.span();
    let quotes = source.get(span.clone()).unwrap_or_default();
    match quotes.find(written.as_str()) {
        // Something to point at, if only the closing quotes.
        Some(inside) if !written.is_empty() => {
            let start = span.start + inside + part.start;
            start..start + part.len().max(1)
        }
        _ => span,
    }
}

fn camera(file: &At<file::Camera>, report: &mut Report) -> Option<Camera> {
    let [position, look_at] =
        [&file.position, &file.look_at].map(|place| DVec3::from(**place).as_vec3());
    if position.distance(look_at) < NEAREST {
        let [x, y, z] = position.to_array();
        let message = format!("a camera is at [{x}, {y}, {z}], which it looks at");
        report.error(file.look_at.span(), message).help("write two different places");
        return None;
    }
    let field_of_view = optional(file.field_of_view.as_ref()).unwrap_or(DEFAULT_FIELD_OF_VIEW);
    Some(Camera { position, look_at, field_of_view: field_of_view as f32 })
}
