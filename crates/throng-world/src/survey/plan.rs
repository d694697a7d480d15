//! What comes out of a survey: floors with their outlines and heights, and what joins them.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use glam::{DVec2, Vec2};
use throng_base::Bounds;

use super::heights::FloorHeights;
use super::joints::{Joint, joints};
use super::layers::{Floors, floors};
use super::outlines::outline;
use super::solid::Pieces;
use super::surface::Surface;
use super::{Lattice, SurveyError};
use crate::Terrain;
use crate::walkable::{Area, union};

/// The floors of a place, and the stairs and ramps between them.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Floors, the lowest first.
    pub floors: Vec<SurveyedFloor>,
    /// What joins them.
    pub joints: Vec<Joint>,
    /// The widths, m, of ways between floors that are too narrow for anybody, and left out.
    pub lost_joints: Vec<f64>,
    /// Pieces of ground one cannot walk between, floors that are joined taken together.
    pub components: usize,
    /// About the width, m, of the narrowest way between two wider places that cannot be avoided; `None`
    /// if there is none.
    pub narrowest_passage: Option<f64>,
    /// How many triangles were left out since they had no area, or no place.
    pub skipped_triangles: usize,
    /// Sizes, m², of pieces of ground that were left out: too small, too narrow, or not to be reached.
    pub dropped: Vec<f64>,
    lattice: Lattice,
}

/// A floor: ground that does not overlap itself in plan.
#[derive(Clone, Debug)]
pub struct SurveyedFloor {
    /// Where one can walk, the joints to other floors included.
    pub footprint: Vec<Area>,
    /// The height that half of it is below, m.
    pub elevation: f32,
    /// Its ground above the elevation: flat, or a height for the middle of each cell of the lattice.
    pub terrain: Terrain,
    /// The size of its cells, m²: less than that of the footprint, which reaches to the walls.
    pub area: f64,
}

impl Plan {
    /// The plan of a surface.
    ///
    /// # Errors
    ///
    /// If there are too many floors.
    pub fn new(surface: &Surface) -> Result<Self, SurveyError> {
        let parts = floors(surface)?;
        let (joints, lost_joints) = joints(surface, &parts);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); parts.count];
        let mut dropped = surface.dropped().to_vec();
        for (cell, floor) in parts.floor_of.iter().enumerate() {
            match members.get_mut(*floor as usize) {
                Some(members) => members.push(cell as u32),
                None => dropped.push(surface.cell_area()),
            }
        }
        let floor = |(number, cells): (usize, &Vec<u32>)| {
            SurveyedFloor::new(surface, &parts, number, cells, &joints)
        };
        let mut plan = Self {
            floors: members.iter().enumerate().map(floor).collect(),
            joints,
            lost_joints,
            components: surface.component_count(),
            narrowest_passage: narrowest_passage(surface),
            skipped_triangles: surface.skipped_triangles(),
            dropped,
            lattice: *surface.lattice(),
        };
        plan.measure_joints();
        Ok(plan)
    }

    /// Gives joints the heights of the floors where they meet them, and has them lead up.
    fn measure_joints(&mut self) {
        let mut joints = std::mem::take(&mut self.joints);
        for joint in &mut joints {
            let middle = |i: usize| ((joint.corners[i] + joint.corners[i + 1]) * 0.5).as_vec2();
            joint.heights =
                [self.height(joint.lower, middle(0)), self.height(joint.upper, middle(2))];
            if joint.heights[1] < joint.heights[0] {
                joint.turn_round();
            }
        }
        self.joints = joints;
    }

    /// The rectangle of the world: from the middle of the first cell to that of the last.
    pub fn bounds(&self) -> Bounds {
        self.lattice.centers()
    }

    /// The cells it was made of.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The height of a floor at a point, m.
    pub fn height(&self, floor: usize, point: Vec2) -> f32 {
        self.floors[floor].elevation + self.floors[floor].terrain.height(point)
    }
}

impl SurveyedFloor {
    fn new(
        surface: &Surface,
        floors: &Floors,
        number: usize,
        cells: &[u32],
        joints: &[Joint],
    ) -> Self {
        let heights = FloorHeights::new(surface, floors, number, cells, joints);
        let is_kept = |cell: u32| {
            floors.floor_of[cell as usize] == number as u32 && !heights.beside.contains(&cell)
        };
        let cells: Vec<u32> = cells.iter().copied().filter(|cell| is_kept(*cell)).collect();
        let below: BTreeSet<u32> = ledges(surface, &cells, is_kept);
        let free = cells.iter().filter(|cell| !below.contains(cell));
        let columns: Vec<u32> = free.map(|cell| surface.cells()[*cell as usize].column).collect();
        let mut footprint = outline(surface.lattice(), &columns);
        let own = joints.iter().filter(|joint| joint.lower == number || joint.upper == number);
        footprint.extend(own.filter_map(|j| Area::new(j.corners.to_vec(), Vec::new()).ok()));
        let (elevation, terrain) = heights.terrain(surface.lattice());
        Self {
            footprint: union(&footprint),
            elevation,
            terrain,
            area: columns.len() as f64 * surface.cell_area(),
        }
    }

    /// Whether one can walk at `point`.
    pub fn contains(&self, point: DVec2) -> bool {
        self.footprint.iter().any(|area| area.contains(point))
    }
}

/// Cells below a ledge: next to a higher one of the same floor that one cannot step to.
///
/// In plan there is nothing between the two. What the lower one covers becomes the wall.
fn ledges(surface: &Surface, cells: &[u32], is_own: impl Fn(u32) -> bool) -> BTreeSet<u32> {
    let mut below = BTreeSet::new();
    for &cell in cells {
        let of = &surface.cells()[cell as usize];
        for (way, beside) in [(0, 1), (2, surface.lattice().columns)] {
            let mut here = surface.in_column(of.column as usize + beside);
            let Some(other) = here.find(|other| is_own(*other as u32)) else { continue };
            if of.neighbour(way) != Some(other) {
                let is_lower = of.height <= surface.cells()[other].height;
                below.insert(if is_lower { cell } else { other as u32 });
            }
        }
    }
    below
}

/// About the width of the narrowest way between two wider places that cannot be avoided.
///
/// Cells are added from the widest place to the narrowest. Where two places meet that were apart
/// until then, there is a passage, as wide as twice the clearance.
fn narrowest_passage(surface: &Surface) -> Option<f64> {
    // Smaller places are corners of rooms, in which nobody stands: a disc of this radius, m.
    const PLACE: f32 = 0.3;
    let cells = surface.cells();
    let mut order: Vec<u32> = (0..cells.len() as u32).collect();
    let widest_first = |cell: &u32| (Reverse(surface.clearance(*cell as usize).to_bits()), *cell);
    order.sort_by_key(widest_first);
    let mut places = Pieces::new(cells.len());
    // The clearance of the widest cell of each place.
    let mut widest = vec![f32::NAN; cells.len()];
    let mut narrowest = f32::INFINITY;
    for cell in order {
        let clearance = surface.clearance(cell as usize);
        widest[cell as usize] = clearance;
        for (_, next) in cells[cell as usize].neighbours() {
            let (one, other) = (places.root(cell), places.root(next as u32));
            let (a, b) = (widest[one as usize], widest[other as usize]);
            // Not there yet, or the same already.
            if b.is_nan() || one == other {
                continue;
            }
            if a.min(b) >= clearance + PLACE {
                narrowest = narrowest.min(clearance);
            }
            places.join(one, other);
            widest[places.root(one) as usize] = a.max(b);
        }
    }
    let cell = surface.lattice().cell;
    let free = f64::from(narrowest) + cell * std::f64::consts::FRAC_1_SQRT_2;
    // In the narrowest ways, all cells are on the border, and one or two side by side.
    let width = if narrowest > 0.0 { 2.0 * free + cell } else { 2.0 * cell };
    narrowest.is_finite().then_some(width)
}
