//! Surveying raw geometry: from triangles of a building or a street to floors one can walk on.
//!
//! A model of a place is a soup of triangles: slabs, walls, stairs and furniture, all in one. The
//! survey finds out where people can stand and walk in it, in five steps:
//!
//! 1. `solid`: which triangles enclose something solid, as a wall with two faces does.
//! 2. `columns`: the ground is divided into square cells, and the column over each cell into what
//!    is filled and what is free. Where a surface is not too steep and has head-room above it, one
//!    can stand, on several heights over one another if need be.
//! 3. `surface`: places to stand are joined to those next to them that one can step to. What they
//!    are not joined to is a border, and how far it is away is their clearance.
//! 4. `layers`: the surface is cut into floors that do not overlap themselves in plan.
//! 5. `outlines`, `heights` and `joints`: floors become polygons with holes and heights, and where
//!    two of them are joined, stairs and ramps. `scene` writes all of it down as a scene.
//!
//! Recast (Mononen 2009) divides space into columns in the same way; the graph of cells with its
//! clearance is that of Pettré, Laumond and Thalmann (2005). Different from both: heights are those
//! of the surface at the middle of a cell and not of the top of a filled box, solids are told from
//! rooms by their winding, and what comes out is a plan that people can read and edit.

mod clearance;
mod columns;
mod heights;
mod joints;
mod layers;
mod outlines;
mod plan;
mod scene;
mod solid;
mod surface;

use glam::{DVec2, DVec3, Vec3};
use thiserror::Error;

pub use joints::Joint;
pub use plan::{Plan, SurveyedFloor};
pub use scene::SceneFiles;
pub use surface::{Cell, Surface};

use throng_base::Bounds;
use throng_base::frame::world_to_ground;

use crate::scene::{MAX_COORDINATE, MAX_LAYERS};
use crate::terrain::{MOST_SAMPLES, TriangleSoup};

/// What people can walk on, and how closely to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Width of a cell, m. Outlines are right to about one cell.
    pub cell: f64,
    /// The steepest ground to walk on, radians.
    pub max_slope: f64,
    /// The highest step that is taken, m.
    pub max_step: f64,
    /// Free height needed above the ground, m.
    pub headroom: f64,
    /// Connected ground smaller than this, m², is left out.
    pub min_area: f64,
    /// If there is one, only ground is kept that can be reached from here: x and y in plan, and the
    /// height.
    pub start: Option<DVec3>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            cell: 0.2,
            max_slope: 40f64.to_radians(),
            max_step: 0.3,
            headroom: 2.0,
            min_area: 1.0,
            start: None,
        }
    }
}

/// Why geometry cannot be surveyed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SurveyError {
    /// A rule out of its range.
    #[error("{name} is {value}; it must be {range}")]
    Rule {
        /// Which one.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it could be.
        range: &'static str,
    },
    /// No triangle with an area.
    #[error("there are no triangles with an area in it ({skipped} without)")]
    Empty {
        /// How many triangles had none, or no place.
        skipped: usize,
    },
    /// It is too far away or too large to be in metres.
    #[error(
        "it reaches from {min} to {max}, and coordinates lie within 100 km of the origin; if its \
         lengths are not in metres, say so, and move it close to the origin"
    )]
    TooFar {
        /// Smallest coordinates on the ground and smallest height, m.
        min: DVec3,
        /// Largest.
        max: DVec3,
    },
    /// It is too small to be in metres.
    #[error(
        "all of it is only {} m by {} m, and {} m high: its lengths are not in metres",
        size.x, size.y, size.z
    )]
    TooSmall {
        /// Width, depth and height, m.
        size: DVec3,
    },
    /// More cells than there is memory for.
    #[error(
        "{} m by {} m in cells of {cell} m are more than {MOST_COLUMNS} cells; use cells of \
         {suggested} m, or a part of it{}",
        size.x, size.y, unit_hint(*size)
    )]
    TooManyCells {
        /// Width, depth and height, m.
        size: DVec3,
        /// The width of a cell, m.
        cell: f64,
        /// One that would do, m.
        suggested: f64,
    },
    /// More triangles over one another than can be looked at.
    #[error(
        "so many triangles overlap that there are more than {MOST_PIECES} pieces of them in cells \
         of {cell} m; use larger cells, or a simpler model"
    )]
    TooManyPieces {
        /// The width of a cell, m.
        cell: f64,
    },
    /// Nowhere to walk.
    #[error(
        "there is nowhere to walk in it{}; is the right axis up?",
        if *dropped > 0 { format!(", only {dropped} places that are too small") } else { String::new() }
    )]
    NoGround {
        /// How many places are too small or too narrow.
        dropped: usize,
    },
    /// The place to start from is none.
    #[error("nobody can stand at [{}, {}] near a height of {} m, where to start from", at.x, at.y, at.z)]
    NoStart {
        /// Where it should be.
        at: DVec3,
    },
    /// More floors than a scene can have.
    #[error(
        "it has {floors} floors, and a scene has at most {MAX_LAYERS}; leave out small places with \
         a larger smallest area"
    )]
    TooManyFloors {
        /// How many.
        floors: usize,
    },
}

/// A survey has at most so many columns of cells; they take about half a gigabyte.
pub const MOST_COLUMNS: u64 = 16_000_000;

/// Triangles are cut along the cells into at most so many pieces.
pub const MOST_PIECES: u64 = 1_000_000_000;

/// Nobody is narrower, m: ground that is nowhere so wide is left out, as the tops of walls are.
pub const NARROWEST: f64 = 0.4;

/// A model smaller than this in all directions, m, is no place for people.
const SMALLEST_EXTENT: f64 = 1.0;

/// Higher than any building, m.
const HIGHEST: f64 = 1000.0;

/// Surveys `soup`, whose vertices are in metres in the world frame (y up).
///
/// The result depends on the triangles and the rules alone.
///
/// # Errors
///
/// If nothing can be walked on, or the geometry or the rules are out of all proportion.
pub fn survey(soup: &TriangleSoup, rules: &Rules) -> Result<Plan, SurveyError> {
    Plan::new(&Surface::new(soup, rules)?)
}

impl Rules {
    fn check(&self) -> Result<(), SurveyError> {
        let steepest = self.max_slope.to_degrees();
        for (name, value, least, most, range) in [
            ("cell", self.cell, 0.02, 2.0, "from 0.02 to 2 m"),
            ("the largest slope", steepest, 0.0, 80.0, "from 0 to 80 degrees"),
            ("the highest step", self.max_step, 0.0, 1.0, "from 0 to 1 m"),
            ("head-room", self.headroom, 0.5, 10.0, "from 0.5 to 10 m"),
            ("the smallest area", self.min_area, 0.0, 1e9, "0 m² or more"),
        ] {
            if !(least..=most).contains(&value) {
                return Err(SurveyError::Rule { name, value, range });
            }
        }
        // Otherwise one could step from a place to two others over one another.
        if self.headroom <= 2.0 * self.max_step {
            let range = "more than twice the highest step";
            return Err(SurveyError::Rule { name: "head-room", value: self.headroom, range });
        }
        Ok(())
    }
}

/// The triangles that have a place and an area, in the ground frame: x and y in plan, z up.
struct Triangles {
    corners: Vec<[DVec3; 3]>,
    /// Left out: corners that are not finite or do not exist, and slivers.
    skipped: usize,
}

impl Triangles {
    fn new(soup: &TriangleSoup) -> Self {
        let corner = |index: &u32| soup.vertices.get(*index as usize).copied().map(to_ground);
        let placed = |triangle: &[u32; 3]| {
            let [a, b, c] = [0, 1, 2].map(|i| corner(&triangle[i]));
            let corners = [a?, b?, c?];
            let normal = normal(&corners);
            (normal.is_finite() && normal.length() > 1e-12).then_some(corners)
        };
        let corners: Vec<_> = soup.triangles.iter().filter_map(placed).collect();
        Self { skipped: soup.triangles.len() - corners.len(), corners }
    }

    /// The corners of the box around all of them, if it is of a size that makes sense.
    fn extent(&self) -> Result<(DVec3, DVec3), SurveyError> {
        let points = || self.corners.iter().flatten().copied();
        let min =
            points().reduce(DVec3::min).ok_or(SurveyError::Empty { skipped: self.skipped })?;
        let max = points().fold(min, DVec3::max);
        if min.abs().max(max.abs()).max_element() > MAX_COORDINATE {
            return Err(SurveyError::TooFar { min, max });
        }
        let size = max - min;
        if size.max_element() < SMALLEST_EXTENT {
            return Err(SurveyError::TooSmall { size });
        }
        Ok((min, max))
    }
}

fn to_ground(vertex: Vec3) -> DVec3 {
    let (ground, height) = world_to_ground(vertex);
    DVec3::new(ground.x.into(), ground.y.into(), height.into())
}

/// Twice the area, along the normal.
fn normal([a, b, c]: &[DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

fn unit_hint(size: DVec3) -> &'static str {
    match size.z > HIGHEST {
        true => "; it is higher than any building: if its lengths are in millimetres, say so",
        false => "",
    }
}

/// The cells of a survey: squares of the ground, on lines that are multiples of their width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// The corner of the first cell with the smallest coordinates.
    pub origin: DVec2,
    /// Width of a cell, m.
    pub cell: f64,
    /// Cells along x.
    pub columns: usize,
    /// Cells along y.
    pub rows: usize,
}

impl Lattice {
    /// Cells around everything between `min` and `max`, with a free margin.
    fn around(min: DVec3, max: DVec3, cell: f64) -> Result<Self, SurveyError> {
        // The margin has room for joints, and all cells have neighbours.
        let margin = (1.0 / cell).ceil() + 2.0;
        let first = (min.truncate() / cell).floor() - margin;
        let count = (max.truncate() / cell).ceil() + margin - first;
        let (all, side) = (count.x * count.y, count.max_element());
        if all > MOST_COLUMNS as f64 || side > MOST_SAMPLES as f64 {
            let size = max - min;
            let share = (all / MOST_COLUMNS as f64).sqrt().max(side / MOST_SAMPLES as f64);
            // Some of the cells are in the margin.
            let enough = cell * share * 1.05;
            let suggested = (enough * 100.0).ceil() / 100.0;
            return Err(SurveyError::TooManyCells { size, cell, suggested });
        }
        let (columns, rows) = (count.x as usize, count.y as usize);
        Ok(Self { origin: first * cell, cell, columns, rows })
    }

    /// The middle of the cell at `column`, `row`.
    pub fn center(&self, column: usize, row: usize) -> DVec2 {
        self.corner(column, row) + self.cell * 0.5
    }

    /// The corner of the cell at `column`, `row` with the smallest coordinates.
    pub fn corner(&self, column: usize, row: usize) -> DVec2 {
        self.origin + DVec2::new(column as f64, row as f64) * self.cell
    }

    /// The number of the cell that holds `point`.
    pub fn index_of(&self, point: DVec2) -> Option<usize> {
        let at = ((point - self.origin) / self.cell).floor();
        let inside =
            at.cmpge(DVec2::ZERO).all() && at.x < self.columns as f64 && at.y < self.rows as f64;
        inside.then(|| at.y as usize * self.columns + at.x as usize)
    }

    /// The middle of cell number `index`.
    pub fn center_of(&self, index: usize) -> DVec2 {
        self.center(index % self.columns, index / self.columns)
    }

    /// The rectangle from the middle of the first cell to that of the last.
    pub fn centers(&self) -> Bounds {
        let last = self.center(self.columns - 1, self.rows - 1);
        Bounds { min: self.center(0, 0).as_vec2(), max: last.as_vec2() }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.columns * self.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
