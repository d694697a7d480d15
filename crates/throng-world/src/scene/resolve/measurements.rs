//! Where flow, density and speed are measured.

use throng_base::Polygon;

use super::super::names::Names;
use super::super::report::Report;
use super::super::value::{Area, At, Point};
use super::super::{
    DEFAULT_CUT_OFF, DEFAULT_INTERVAL, DensityMethod, LayerId, MeasuredPlace, Measurement,
    Settings, file,
};
use super::{World, check_inside, exactly_one, optional, places, shown, vec2};

/// Shorter lines are a slip of the finger, m.
const SHORTEST_LINE: f32 = 1e-3;

/// Intervals may be this much shorter than a step, to forgive decimal fractions.
const SLACK: f64 = 1e-9;

pub fn measurements(
    file: &file::SceneFile,
    world: &World,
    settings: &Settings,
    report: &mut Report,
) -> Vec<Measurement> {
    Names::collect("measurement", file.measurements.iter().map(|m| Some(&m.name)), report);
    let resolved = |file| measurement(file, world, settings, report);
    file.measurements.iter().filter_map(resolved).collect()
}

fn measurement(
    file: &At<file::Measurement>,
    world: &World,
    settings: &Settings,
    report: &mut Report,
) -> Option<Measurement> {
    let subject = format!("measurement {:?}", file.name.as_str());
    let keys = [("line", file.line.is_some()), ("area", file.area.is_some())];
    let interval = interval(file, settings, &subject, report);
    if !exactly_one(&subject, &keys, file.span(), report) {
        return None;
    }
    let (place, layer) = match (&file.line, &file.area) {
        (Some(ends), _) => line(ends, file, world, &subject, report)?,
        (None, area) => area_of(area.as_ref()?, file, world, &subject, report)?,
    };
    Some(Measurement { name: (*file.name).clone(), place, layer, interval })
}

fn interval(
    file: &file::Measurement,
    settings: &Settings,
    subject: &str,
    report: &mut Report,
) -> f64 {
    let kept = settings.step * f64::from(settings.record_every);
    let Some(interval) = &file.interval else { return DEFAULT_INTERVAL.max(kept) };
    if **interval < kept * (1.0 - SLACK) {
        let message = format!(
            "{subject} is made every {} s, but a state is recorded only every {kept} s",
            **interval
        );
        let help = format!("write interval = {kept} or more, or a shorter step");
        report.error(interval.span(), message).help(help);
    }
    **interval
}

fn line(
    ends: &At<[At<Point>; 2]>,
    file: &file::Measurement,
    world: &World,
    subject: &str,
    report: &mut Report,
) -> Option<(MeasuredPlace, LayerId)> {
    refuse_density_keys(file, "a line", subject, report);
    let layer = world.floors.find(file.layer.as_ref(), report);
    let [start, end] = ends.each_ref().map(vec2);
    if start.distance(end) < SHORTEST_LINE {
        let message = format!("{subject} has a line from {} to the same point", shown(start));
        report.error(ends.span(), message).help("write two different ends");
        return None;
    }
    let reaches = || format!("{subject} reaches");
    for corner in ends.iter() {
        check_inside(vec2(corner), world.bounds, corner.span(), reaches, report);
    }
    Some((MeasuredPlace::Line([start, end]), layer?))
}

fn area_of(
    area: &At<Area>,
    file: &file::Measurement,
    world: &World,
    subject: &str,
    report: &mut Report,
) -> Option<(MeasuredPlace, LayerId)> {
    let density = density(file, subject, report);
    let (polygon, layer) = match &**area {
        Area::Region(name) => region(&area.with(name.clone()), file, world, subject, report)?,
        Area::Polygon(corners) => polygon(area, corners, file, world, subject, report)?,
    };
    Some((MeasuredPlace::Area { polygon, density }, layer))
}

fn region(
    name: &At<String>,
    file: &file::Measurement,
    world: &World,
    subject: &str,
    report: &mut Report,
) -> Option<(Polygon, LayerId)> {
    if let Some(layer) = &file.layer {
        let message = format!("{subject} has `layer`, but its region is on a floor already");
        report.error(layer.span(), message).help("remove it");
    }
    let id = world.find_region(name, &format!("{subject} is made in"), report)?;
    let region = world.region(id)?;
    Some((region.polygon.clone(), region.layer))
}

fn polygon(
    area: &At<Area>,
    corners: &[At<Point>],
    file: &file::Measurement,
    world: &World,
    subject: &str,
    report: &mut Report,
) -> Option<(Polygon, LayerId)> {
    let layer = world.floors.find(file.layer.as_ref(), report);
    let polygon = places::polygon(&area.with(corners.to_vec()), subject, report)?;
    let reaches = || format!("{subject} reaches");
    let inside = |corner: &At<Point>, report: &mut Report| {
        check_inside(vec2(corner), world.bounds, corner.span(), reaches, report)
    };
    let layer = layer?;
    if corners.iter().all(|corner| inside(corner, report)) && world.solids.cover(layer, &polygon) {
        let message = format!("{subject} is made in an area inside obstacles");
        report.error(area.span(), message).help("move the area or the obstacles");
    }
    Some((polygon, layer))
}

fn density(file: &file::Measurement, subject: &str, report: &mut Report) -> DensityMethod {
    match optional(file.density.as_ref()) {
        Some(file::Density::Classic) => {
            if let Some(cut_off) = &file.cut_off {
                let message = format!("{subject} has `cut_off`, which classic density has not");
                report.error(cut_off.span(), message).help("remove it");
            }
            DensityMethod::Classic
        }
        Some(file::Density::Voronoi) | None => {
            let cut_off = optional(file.cut_off.as_ref()).unwrap_or(DEFAULT_CUT_OFF);
            DensityMethod::Voronoi { cut_off: cut_off as f32 }
        }
    }
}

fn refuse_density_keys(file: &file::Measurement, what: &str, subject: &str, report: &mut Report) {
    let density = file.density.as_ref().map(|density| ("density", density.span()));
    let cut_off = file.cut_off.as_ref().map(|cut_off| ("cut_off", cut_off.span()));
    for (key, span) in density.into_iter().chain(cut_off) {
        let message = format!("{subject} has `{key}`, which {what} does not take");
        report.error(span, message).help("remove it, or measure in an area");
    }
}
