//! Obstacles and regions.

use glam::Vec2;
use throng_base::geometry::PolygonError;
use throng_base::{Bounds, Polygon};

use super::super::files::Files;
use super::super::report::Report;
use super::super::value::{At, Point};
use super::super::{DEFAULT_COST, DEFAULT_HEIGHT, LayerId, Region, Span, file};
use super::{
    Floors, called, check_inside, check_order, exactly_one, optional, plans, shown, text, vec2,
};
use crate::plan::parse_obstacles;
use crate::{Interval, Obstacle, Shape};

/// Corners of the polygon that stands for a circular region.
const CIRCLE_SIDES: usize = 64;

/// The polygon with these corners.
pub fn polygon(
    corners: &At<Vec<At<Point>>>,
    subject: &str,
    report: &mut Report,
) -> Option<Polygon> {
    let points: Vec<Vec2> = corners.iter().map(vec2).collect();
    Polygon::new(points)
        .map_err(|error| {
            let help = match error {
                PolygonError::SelfIntersecting(..) => "list the corners in order along the outline",
                _ => "write at least three corners that do not lie on a line",
            };
            report.error(corners.span(), format!("{subject} is no polygon: {error}")).help(help);
        })
        .ok()
}

pub fn obstacles(
    file: &file::SceneFile,
    floors: &Floors,
    bounds: Bounds,
    files: &mut Files,
    report: &mut Report,
) -> Vec<Obstacle> {
    let listed: Vec<Obstacle> = (file.obstacles.iter().enumerate())
        .flat_map(|(i, file)| listed(i, file, floors, bounds, files, report))
        .collect();
    let border = file.world.closed.as_ref().filter(|closed| ***closed).map(|closed| {
        (0..floors.layers.len()).map(move |layer| Obstacle {
            name: "border".into(),
            span: closed.span(),
            ..Obstacle::new(Shape::Border(bounds), LayerId(layer as u8))
        })
    });
    listed.into_iter().chain(border.into_iter().flatten()).collect()
}

/// The obstacles of one entry; only a file can have several.
fn listed(
    index: usize,
    file: &At<file::Obstacle>,
    floors: &Floors,
    bounds: Bounds,
    files: &mut Files,
    report: &mut Report,
) -> Vec<Obstacle> {
    let subject = called("obstacle", file.name.as_ref(), index);
    let layer = floors.find(file.layer.as_ref(), report);
    let shapes = shapes(file, &subject, files, report);
    let outside = |shape: &Shape| {
        shape.bounds().is_none_or(|around| {
            around.min.cmpgt(bounds.max).any() || around.max.cmplt(bounds.min).any()
        })
    };
    if layer.is_some() && shapes.iter().any(outside) {
        let part = if shapes.len() > 1 { "has a polygon that lies" } else { "lies" };
        let message = format!("{subject} {part} entirely outside the world");
        let help = format!("the bounds are [{}, {}]", shown(bounds.min), shown(bounds.max));
        report.error(file.span(), message).help(help);
    }
    let during = during(file, &subject, report);
    let obstacle = |shape| Obstacle {
        name: text(file.name.as_ref()),
        height: optional(file.height.as_ref()).unwrap_or(DEFAULT_HEIGHT) as f32,
        during: during.clone(),
        span: file.span(),
        ..Obstacle::new(shape, layer.unwrap_or_default())
    };
    shapes.into_iter().map(obstacle).collect()
}

/// When an obstacle is there.
fn during(file: &file::Obstacle, subject: &str, report: &mut Report) -> Vec<Interval> {
    let Some(files) = &file.during else { return Vec::new() };
    let mut intervals: Vec<Interval> = Vec::with_capacity(files.len());
    for file in files.iter() {
        let interval = Interval {
            from: optional(file.from.as_ref()).unwrap_or(0.0),
            to: optional(file.to.as_ref()).unwrap_or(f64::INFINITY),
        };
        check_order(subject, interval, intervals.last(), file.span(), report);
        intervals.push(interval);
    }
    intervals
}

fn shapes(
    file: &At<file::Obstacle>,
    subject: &str,
    files: &mut Files,
    report: &mut Report,
) -> Vec<Shape> {
    let keys = [
        ("polygon", file.polygon.is_some()),
        ("circle", file.circle.is_some()),
        ("box", file.r#box.is_some()),
        ("wall", file.wall.is_some()),
        ("file", file.file.is_some()),
    ];
    if !exactly_one(subject, &keys, file.span(), report) {
        return Vec::new();
    }
    match &file.file {
        Some(path) => {
            let polygons = plans::read(path, files, "obstacles", parse_obstacles, report);
            polygons.into_iter().flatten().map(Shape::Polygon).collect()
        }
        None => shape(file, subject, report).into_iter().collect(),
    }
}

fn shape(file: &file::Obstacle, subject: &str, report: &mut Report) -> Option<Shape> {
    if let Some(corners) = &file.polygon {
        return polygon(corners, subject, report).map(Shape::Polygon);
    }
    if let Some(circle) = &file.circle {
        let radius = *circle.radius as f32;
        return Some(Shape::Circle { center: vec2(&circle.center), radius });
    }
    if let Some(rectangle) = &file.r#box {
        return Some(Shape::Box {
            center: vec2(&rectangle.center),
            size: vec2(&rectangle.size),
            angle: optional(rectangle.angle.as_ref()).unwrap_or(0.0).to_radians() as f32,
        });
    }
    wall(file.wall.as_ref()?, subject, report)
}

fn wall(file: &file::Wall, subject: &str, report: &mut Report) -> Option<Shape> {
    let points: Vec<Vec2> = file.points.iter().map(vec2).collect();
    if let Some(i) = points.windows(2).position(|ends| ends[0] == ends[1]) {
        let message = format!("{subject} has the point {} twice in a row", shown(points[i]));
        report.error(file.points[i + 1].span(), message).help("remove one of them");
        return None;
    }
    Some(Shape::Polyline { points, thickness: *file.thickness as f32 })
}

pub fn regions(
    file: &file::SceneFile,
    floors: &Floors,
    bounds: Bounds,
    report: &mut Report,
) -> Vec<Option<Region>> {
    file.regions.iter().map(|file| region(file, floors, bounds, report)).collect()
}

fn region(
    file: &At<file::Region>,
    floors: &Floors,
    bounds: Bounds,
    report: &mut Report,
) -> Option<Region> {
    let subject = format!("region {:?}", file.name.as_str());
    let layer = floors.find(file.layer.as_ref(), report);
    let (polygon, span) = outline(file, &subject, report)?;
    let reaches = || format!("{subject} reaches");
    match &file.polygon {
        Some(corners) => (corners.iter())
            .all(|corner| check_inside(vec2(corner), bounds, corner.span(), reaches, report)),
        None => (polygon.points().iter())
            .all(|&corner| check_inside(corner, bounds, span.clone(), reaches, report)),
    };
    let cost = file.cost.as_ref().map_or(DEFAULT_COST, |cost| **cost) as f32;
    let name = (*file.name).clone();
    Some(Region { name, polygon, layer: layer?, tags: file.tags.clone(), cost })
}

fn outline(file: &At<file::Region>, subject: &str, report: &mut Report) -> Option<(Polygon, Span)> {
    let keys = [
        ("polygon", file.polygon.is_some()),
        ("rectangle", file.rectangle.is_some()),
        ("circle", file.circle.is_some()),
    ];
    if !exactly_one(subject, &keys, file.span(), report) {
        return None;
    }
    if let Some(corners) = &file.polygon {
        return Some((polygon(corners, subject, report)?, corners.span()));
    }
    let (outline, span, help) = match (&file.rectangle, &file.circle) {
        (Some(corners), _) => {
            let rectangle = Bounds::around(corners.each_ref().map(vec2))?.corners();
            (Polygon::new(rectangle), corners.span(), "write two opposite corners")
        }
        (None, circle) => {
            let circle = circle.as_ref()?;
            let (center, radius) = (vec2(&circle.center), *circle.radius as f32);
            (Polygon::regular(center, radius, CIRCLE_SIDES), circle.span(), "enlarge its radius")
        }
    };
    if outline.is_err() {
        report.error(span.clone(), format!("{subject} has no area")).help(help);
    }
    Some((outline.ok()?, span))
}
