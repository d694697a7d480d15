//! GeoJSON, as far as it has polygons: `Polygon` and `MultiPolygon`, alone or in a `Feature`, a
//! `FeatureCollection` or a `GeometryCollection`.
//!
//! The standard (RFC 7946) wants degrees. Drawing programs that export plans in metres use it all
//! the same, and only those can be used here.

use glam::DVec2;
use serde_json::Value;

use super::{Problem, RawPolygon, RawRing};

/// Collections may be in collections, but not for ever. The parser of JSON has a limit of its own.
const DEEPEST: usize = 64;

/// The polygons in `text`.
pub(super) fn parse(text: &str) -> Result<Vec<RawPolygon>, Problem> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let reason =
            message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        Problem::Syntax {
            line: error.line().max(1),
            column: error.column().max(1),
            reason: format!("it is not JSON: {reason}"),
        }
    })?;
    refuse_degrees(&value)?;
    let mut polygons = Vec::new();
    object(&value, "$", 0, &mut polygons)?;
    Ok(polygons)
}

/// Refuses the coordinate reference systems of the globe, where a file names one as it used to be
/// done.
fn refuse_degrees(value: &Value) -> Result<(), Problem> {
    let name = value["crs"]["properties"]["name"].as_str().unwrap_or_default();
    if name.ends_with("CRS84") || name.ends_with(":4326") {
        let reason = format!("{name:?} is in degrees, and coordinates must be metres");
        return Err(problem("$.crs", reason));
    }
    Ok(())
}

fn object(
    value: &Value,
    path: &str,
    depth: usize,
    polygons: &mut Vec<RawPolygon>,
) -> Result<(), Problem> {
    if depth > DEEPEST {
        return Err(problem(path, "collections are nested too deeply"));
    }
    let Some(kind) = value["type"].as_str() else {
        return Err(problem(path, "expected a GeoJSON object with a \"type\""));
    };
    let members = |key: &str| -> Result<Vec<(String, &Value)>, Problem> {
        let path = format!("{path}.{key}");
        let list = value[key].as_array().ok_or_else(|| problem(&path, "expected a list"))?;
        Ok(list.iter().enumerate().map(|(i, item)| (format!("{path}[{i}]"), item)).collect())
    };
    match kind {
        "FeatureCollection" => (members("features")?.iter())
            .try_for_each(|(path, item)| object(item, path, depth + 1, polygons)),
        "GeometryCollection" => (members("geometries")?.iter())
            .try_for_each(|(path, item)| object(item, path, depth + 1, polygons)),
        // A feature without a place is allowed.
        "Feature" if value["geometry"].is_null() => Ok(()),
        "Feature" => object(&value["geometry"], &format!("{path}.geometry"), depth + 1, polygons),
        "Polygon" => {
            polygons.push(polygon(&members("coordinates")?)?);
            Ok(())
        }
        "MultiPolygon" => {
            for (path, item) in members("coordinates")? {
                polygons.push(polygon(&entries(item, &path)?)?);
            }
            Ok(())
        }
        "Point" | "MultiPoint" | "LineString" | "MultiLineString" => {
            Err(problem(path, format!("a plan is made of polygons, and not of a {kind}")))
        }
        other => {
            let shown: String = other.chars().take(40).collect();
            Err(problem(path, format!("there is no type {shown:?} in GeoJSON")))
        }
    }
}

fn polygon(rings: &[(String, &Value)]) -> Result<RawPolygon, Problem> {
    let ring = |(path, value): &(String, &Value)| {
        let points = value.as_array().ok_or_else(|| problem(path, "expected a list"))?;
        let points = points.iter().enumerate().map(|(i, value)| {
            point(value).ok_or_else(|| problem(&format!("{path}[{i}]"), "expected a point [x, y]"))
        });
        Ok(RawRing { points: points.collect::<Result<_, _>>()?, place: path.clone() })
    };
    Ok(RawPolygon { rings: rings.iter().map(ring).collect::<Result<_, _>>()? })
}

/// `[x, y]`, and a height that does not matter.
fn point(value: &Value) -> Option<DVec2> {
    let list = value.as_array().filter(|list| (2..=4).contains(&list.len()))?;
    Some(DVec2::new(list[0].as_f64()?, list[1].as_f64()?)).filter(|point| point.is_finite())
}

fn entries<'v>(value: &'v Value, path: &str) -> Result<Vec<(String, &'v Value)>, Problem> {
    let list = value.as_array().ok_or_else(|| problem(path, "expected a list"))?;
    Ok(list.iter().enumerate().map(|(i, item)| (format!("{path}[{i}]"), item)).collect())
}

fn problem(path: &str, reason: impl Into<String>) -> Problem {
    Problem::Value { place: path.into(), reason: reason.into() }
}
