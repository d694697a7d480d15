//! What people look at.

use throng_base::{Bounds, Heading};

use super::super::names::Names;
use super::super::report::Report;
use super::super::value::At;
use super::super::{
    DEFAULT_INTEREST_FIELD, DEFAULT_INTEREST_HEIGHT, DEFAULT_INTEREST_LEVEL,
    DEFAULT_INTEREST_REACH, Interest, file,
};
use super::{Floors, check_inside, optional, vec2};

pub fn interests(
    file: &file::SceneFile,
    floors: &Floors,
    bounds: Bounds,
    report: &mut Report,
) -> Vec<Interest> {
    Names::collect("interest", file.interests.iter().map(|one| Some(&one.name)), report);
    file.interests.iter().filter_map(|one| interest(one, floors, bounds, report)).collect()
}

fn interest(
    file: &At<file::Interest>,
    floors: &Floors,
    bounds: Bounds,
    report: &mut Report,
) -> Option<Interest> {
    let subject = format!("interest {:?}", file.name.as_str());
    let layer = floors.find(file.layer.as_ref(), report);
    let position = vec2(&file.position);
    let lies = || format!("{subject} lies");
    check_inside(position, bounds, file.position.span(), lies, report);
    if let (None, Some(field)) = (&file.facing, &file.field) {
        let message = format!("{subject} has a `field` of view, but faces nowhere");
        report.error(field.span(), message).help("say where: facing = 90");
    }
    let or = |value: Option<&At<f64>>, default: f64| optional(value).unwrap_or(default) as f32;
    let half = 0.5 * or(file.field.as_ref(), DEFAULT_INTEREST_FIELD).to_radians();
    let facing = optional(file.facing.as_ref())
        .map(|degrees| (Heading::from_radians((degrees as f32).to_radians()), half.cos()));
    Some(Interest {
        name: (*file.name).clone(),
        position,
        height: or(file.height.as_ref(), DEFAULT_INTEREST_HEIGHT),
        layer: layer?,
        level: or(file.level.as_ref(), DEFAULT_INTEREST_LEVEL),
        reach: or(file.reach.as_ref(), DEFAULT_INTEREST_REACH),
        facing,
    })
}
