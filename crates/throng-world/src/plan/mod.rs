//! Floor plans from files: polygons, with holes, as GeoJSON or as well-known text (WKT).
//!
//! As a [`Plan`], the polygons are where people can walk: what lies outside of them, and in their
//! holes, is solid. As [`obstacles`](parse_obstacles), they are what people cannot walk through.
//!
//! Plans come from drawing programs and other simulators, so they are cleaned up on the way: rings
//! may run either way, repeat points, or repeat their first point at the end; polygons may overlap or
//! share edges, and become one piece of ground. What has no clear meaning is an error that names the
//! place: rings that cross themselves, and coordinates that are degrees and not metres.

mod geojson;
mod wkt;

pub use wkt::{from_wkt, to_wkt};

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use glam::{DVec2, Vec2};
use throng_base::geometry::PolygonError;
use throng_base::geometry::self_intersection;
use throng_base::{Bounds, Polygon};

use crate::scene::{MAX_COORDINATE, MAX_POINTS};
use crate::walkable::{Area, difference, union, without_holes};

/// The ground that one can walk on: everything inside of an odd number of rings.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    outlines: Vec<Polygon>,
    holes: Vec<Polygon>,
}

/// Why a file is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file could not be read.
    #[error("{}: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        reason: io::Error,
    },
    /// A file whose name ends in none of the known ways.
    #[error("{}: cannot tell the format from the name; use .wkt, .geojson or .json", file.display())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// A text that is not in the format its name promises.
    #[error("{}:{line}:{column}: {reason}", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// A value that does not belong into a plan.
    #[error("{}: {place}: {reason}", file.display())]
    Value {
        /// The file.
        file: PathBuf,
        /// Where in the file: a line and column, or the keys that lead there.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Something is wrong with the whole.
    #[error("{}: {reason}", file.display())]
    Whole {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// A polygon as a file has it: an outline and holes, unchecked.
#[derive(Debug)]
struct RawPolygon {
    rings: Vec<RawRing>,
}

/// A ring of a polygon and where it begins in the file.
#[derive(Debug)]
struct RawRing {
    points: Vec<DVec2>,
    place: String,
}

/// What is wrong with a text, before its file is known.
#[derive(Debug, PartialEq)]
enum Problem {
    Syntax { line: usize, column: usize, reason: String },
    Value { place: String, reason: String },
    Whole(String),
}

/// A plan may not be larger, bytes.
const LARGEST_FILE: u64 = 64 << 20;

/// A plan that is smaller than this in both directions, m, is none: its coordinates are degrees.
const SMALLEST_EXTENT: f64 = 1.0;

impl Plan {
    /// Where one can walk, from the text of a `.wkt`, `.geojson` or `.json` file in metres. The
    /// ending of `file` tells which.
    ///
    /// # Errors
    ///
    /// If the text is not of that format, or its polygons make no ground.
    pub fn parse(file: &Path, text: &str) -> Result<Self, PlanError> {
        let areas = parse_areas(file, text)?;
        Self::new(&areas).map_err(|problem| problem.of(file))
    }

    /// The ground of `areas`, which must not overlap.
    fn new(areas: &[Area]) -> Result<Self, Problem> {
        let rings = |rings: &mut dyn Iterator<Item = &[DVec2]>| {
            rings.filter_map(|ring| simple(ring).transpose()).collect::<Result<Vec<_>, _>>()
        };
        let outlines = rings(&mut areas.iter().map(Area::outline))?;
        let holes = rings(&mut areas.iter().flat_map(Area::holes).map(Vec::as_slice))?;
        if outlines.is_empty() {
            return Err(Problem::Whole("there is no polygon with an area in it".into()));
        }
        Ok(Self { outlines, holes })
    }

    /// The outer rings of its pieces.
    pub fn outlines(&self) -> &[Polygon] {
        &self.outlines
    }

    /// The holes of its pieces.
    pub fn holes(&self) -> &[Polygon] {
        &self.holes
    }

    /// All rings, in no particular direction.
    pub fn rings(&self) -> impl Iterator<Item = &Polygon> {
        self.outlines.iter().chain(&self.holes)
    }

    /// Whether one can walk at `point` (points on the border may count either way).
    pub fn contains(&self, point: Vec2) -> bool {
        self.rings().filter(|ring| ring.contains(point)).count() % 2 == 1
    }

    /// The rectangle around it.
    pub fn bounds(&self) -> Option<Bounds> {
        Bounds::around(self.outlines.iter().flat_map(Polygon::points).copied())
    }

    /// Its pieces as areas.
    pub fn areas(&self) -> Vec<Area> {
        let rings = |polygons: &[Polygon]| polygons.iter().map(corners).collect::<Vec<_>>();
        // A union goes by how often rings wind round a point, whichever outline a hole is listed with.
        let mut holes = rings(&self.holes);
        let with_holes = |outline| Area::new(outline, std::mem::take(&mut holes)).ok();
        union(&rings(&self.outlines).into_iter().filter_map(with_holes).collect::<Vec<_>>())
    }
}

fn corners(polygon: &Polygon) -> Vec<DVec2> {
    polygon.points().iter().map(|point| point.as_dvec2()).collect()
}

/// Obstacles, from the text of a `.wkt`, `.geojson` or `.json` file in metres. Their holes are free.
///
/// # Errors
///
/// If the text is not of that format, or has no polygons with an area.
pub fn parse_obstacles(file: &Path, text: &str) -> Result<Vec<Polygon>, PlanError> {
    let areas = without_holes(parse_areas(file, text)?);
    let polygons = areas.iter().filter_map(|area| simple(area.outline()).transpose());
    polygons.collect::<Result<_, _>>().map_err(|problem: Problem| problem.of(file))
}

/// What the polygons in a text cover.
fn parse_areas(file: &Path, text: &str) -> Result<Vec<Area>, PlanError> {
    let polygons = parser(file)?(text).map_err(|problem| problem.of(file))?;
    covered(&polygons).map_err(|problem| problem.of(file))
}

/// Reads the polygons of a format.
type Parser = fn(&str) -> Result<Vec<RawPolygon>, Problem>;

/// What reads the format that the name of `file` promises.
fn parser(file: &Path) -> Result<Parser, PlanError> {
    let ending = file.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("wkt") => Ok(wkt::parse),
        Some("geojson" | "json") => Ok(geojson::parse),
        _ => Err(PlanError::UnknownFormat { file: file.into() }),
    }
}

/// The text of the plan at `path`.
///
/// # Errors
///
/// If it cannot be read, is too large, or is not a text in a known format.
pub fn read_text(path: &Path) -> Result<String, PlanError> {
    // A drawing should not be refused for not being text.
    parser(path)?;
    let unreadable = |reason| PlanError::Unreadable { file: path.into(), reason };
    let whole = |reason: String| PlanError::Whole { file: path.into(), reason };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(whole(format!("it is larger than {} MiB", LARGEST_FILE >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| whole("it is not UTF-8 text".into()))
}

/// What `polygons` cover together, in pieces that do not overlap.
fn covered(polygons: &[RawPolygon]) -> Result<Vec<Area>, Problem> {
    refuse_degrees(polygons)?;
    let mut areas = Vec::new();
    for polygon in polygons {
        let mut rings = polygon.rings.iter().filter_map(|ring| ring.cleaned().transpose());
        let Some(outline) = rings.next().transpose()? else { continue };
        let holes = rings.collect::<Result<Vec<_>, _>>()?;
        areas.extend(difference(&[outline], &holes));
    }
    let areas = union(&areas);
    match areas.is_empty() {
        true => Err(Problem::Whole("there is no polygon with an area in it".into())),
        false => Ok(areas),
    }
}

fn refuse_degrees(polygons: &[RawPolygon]) -> Result<(), Problem> {
    let points = || polygons.iter().flat_map(|p| &p.rings).flat_map(|ring| &ring.points);
    let Some(&first) = points().next() else { return Ok(()) };
    let (low, high) = points().fold((first, first), |(low, high), &p| (low.min(p), high.max(p)));
    let size = high - low;
    if size.max_element() >= SMALLEST_EXTENT {
        return Ok(());
    }
    let (x, y) = (first.x, first.y);
    Err(Problem::Whole(format!(
        "the whole plan is only {:.4} m by {:.4} m, near [{x}, {y}]: these look like degrees, and \
         coordinates must be metres; project it, e.g. to UTM, and move it to the origin",
        size.x, size.y
    )))
}

impl RawRing {
    /// The ring without repeated points, checked; `None` if it has no area.
    fn cleaned(&self) -> Result<Option<Area>, Problem> {
        let value = |reason: String| Problem::Value { place: self.place.clone(), reason };
        let beyond = |p: &&DVec2| p.abs().max_element() > MAX_COORDINATE;
        if let Some(point) = self.points.iter().find(beyond) {
            return Err(value(format!(
                "[{}, {}] is more than 100 km from the origin; move the plan close to it",
                point.x, point.y
            )));
        }
        if self.points.len() < 3 {
            return Err(value("a ring needs at least three points".into()));
        }
        if self.points.len() > MAX_POINTS {
            return Err(value(format!("a ring has at most {MAX_POINTS} points")));
        }
        match simple(&self.points) {
            Ok(ring) => Ok(ring.as_ref().map(Area::from)),
            Err(Problem::Whole(reason)) => Err(value(reason)),
            Err(problem) => Err(problem),
        }
    }
}

/// A ring as a polygon; `None` if it is a sliver or less.
fn simple(ring: &[DVec2]) -> Result<Option<Polygon>, Problem> {
    let mut points: Vec<Vec2> = ring.iter().map(|point| point.as_vec2()).collect();
    points.dedup();
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let crossing = match Polygon::new(points.clone()) {
        Ok(polygon) => return Ok(Some(polygon)),
        Err(_) if is_sliver(&points) => return Ok(None),
        Err(PolygonError::SelfIntersecting(edge, other)) => Some((edge, other)),
        // The two halves of an hourglass cancel.
        Err(PolygonError::NoArea) => self_intersection(&points),
        Err(error) => return Err(Problem::Whole(error.to_string())),
    };
    let Some((edge, other)) = crossing else { return Ok(None) };
    let shown = |edge: usize| {
        let (from, to) = (points[edge], points[(edge + 1) % points.len()]);
        format!("[{}, {}] to [{}, {}]", from.x, from.y, to.x, to.y)
    };
    Err(Problem::Whole(format!(
        "the ring crosses itself: the edges from {} and from {} meet",
        shown(edge),
        shown(other)
    )))
}

/// Whether all points lie on a line, or nearly.
fn is_sliver(points: &[Vec2]) -> bool {
    const THIN: f32 = 1e-3;
    let Some(&first) = points.first() else { return true };
    let by_distance =
        |a: &&Vec2, b: &&Vec2| a.distance_squared(first).total_cmp(&b.distance_squared(first));
    let farthest = points.iter().max_by(by_distance).copied().unwrap_or(first);
    let across = (farthest - first).normalize_or_zero().perp();
    points.iter().all(|point| (*point - first).dot(across).abs() < THIN)
}

impl Problem {
    fn of(self, file: &Path) -> PlanError {
        let file = file.to_path_buf();
        match self {
            Self::Syntax { line, column, reason } => {
                PlanError::Syntax { file, line, column, reason }
            }
            Self::Value { place, reason } => PlanError::Value { file, place, reason },
            Self::Whole(reason) => PlanError::Whole { file, reason },
        }
    }
}

#[cfg(test)]
mod tests;
