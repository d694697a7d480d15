//! Several fields for the same people, each within its own polygon.
//!
//! A [`Mask`] says where a field holds: fully inside of a polygon, not at all outside, and in
//! between near its edges, so that nobody who walks across one is jerked.

use glam::{DVec2, FloatExt as _, Vec2};
use throng_base::geometry::nearest_on_segment_f64;

use crate::error::FieldError;
use crate::options::check_setting;
use crate::slot::FieldSlot;

/// People that are treated at a time.
const CHUNK: usize = 256;

/// A polygon with a soft border.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    corners: Vec<DVec2>,
    border: f64,
}

impl Mask {
    /// The inside of a polygon, with at least three corners in either order. From its edges inwards
    /// it takes effect over the width `border`, m.
    pub fn new(corners: &[DVec2], border: f64) -> Result<Self, FieldError> {
        if corners.len() < 3 {
            return Err(FieldError::FewCorners(corners.len()));
        }
        for corner in corners {
            check_setting("the x of a corner", corner.x, -1e9, 1e9)?;
            check_setting("the y of a corner", corner.y, -1e9, 1e9)?;
        }
        check_setting("the border", border, 0.0, 1e6)?;
        Ok(Self { corners: corners.to_vec(), border })
    }

    /// How much it lets through at a place: 0 outside, 1 deep inside.
    pub fn weight(&self, place: DVec2) -> f64 {
        let mut is_inside = false;
        let mut squared = f64::INFINITY;
        let before = self.corners.iter().cycle().skip(self.corners.len() - 1);
        for (&a, &b) in before.zip(&self.corners) {
            let edge = b - a;
            let crosses = (a.y > place.y) != (b.y > place.y);
            if crosses && place.x < a.x + edge.x * (place.y - a.y) / edge.y {
                is_inside = !is_inside;
            }
            squared = squared.min(nearest_on_segment_f64(a, b, place).distance_squared(place));
        }
        if !is_inside {
            return 0.0;
        }
        let t = if self.border > 0.0 { (squared.sqrt() / self.border).min(1.0) } else { 1.0 };
        t.smoothstep(0.0, 1.0)
    }
}

/// Anything that has a velocity at each place.
pub trait Flow: Sync {
    /// The velocity at each place; as many as the shorter of the two has.
    fn sample(&self, places: &[Vec2], velocities: &mut [Vec2]);

    /// How far it holds at each place, from 0 to 1; as many as the shorter of the two has.
    fn coverage(&self, _places: &[Vec2], weights: &mut [f32]) {
        weights.fill(1.0);
    }
}

impl Flow for FieldSlot {
    fn sample(&self, places: &[Vec2], velocities: &mut [Vec2]) {
        self.sample(places, velocities);
    }

    fn coverage(&self, places: &[Vec2], weights: &mut [f32]) {
        self.coverage(places, weights);
    }
}

/// A field that holds within a mask.
#[derive(Clone, Copy)]
pub struct Patch<'a> {
    /// The field.
    pub field: &'a dyn Flow,
    /// Where it holds; everywhere if `None`.
    pub mask: Option<&'a Mask>,
    /// How much it counts where others hold as well: above 0.
    pub priority: f32,
}

/// The mean of some fields at each place, weighted by masks, coverage and priorities, and how far any of them
/// holds there, 0 to 1: what is left to 1 is for whatever leads people where no field does. As many
/// places as the shortest of the three has.
pub fn govern(patches: &[Patch], places: &[Vec2], velocities: &mut [Vec2], coverage: &mut [f32]) {
    if let [Patch { field, mask: None, .. }] = patches {
        field.sample(places, velocities);
        field.coverage(places, coverage);
        return;
    }
    let mut own = [Vec2::ZERO; CHUNK];
    let mut covers = [0.0; CHUNK];
    let chunks = places.chunks(CHUNK).zip(velocities.chunks_mut(CHUNK));
    for ((places, velocities), coverage) in chunks.zip(coverage.chunks_mut(CHUNK)) {
        let mut totals = [0.0; CHUNK];
        velocities.fill(Vec2::ZERO);
        coverage.fill(0.0);
        for patch in patches {
            patch.field.sample(places, &mut own);
            patch.field.coverage(places, &mut covers);
            let people = places.iter().zip(own.iter().zip(&covers)).zip(velocities.iter_mut());
            for (((place, (own, covers)), velocity), (coverage, total)) in
                people.zip(coverage.iter_mut().zip(&mut totals))
            {
                let mask = patch.mask.map_or(1.0, |mask| mask.weight(place.as_dvec2()) as f32);
                let weight = mask * covers;
                let counts = weight * patch.priority.max(0.0);
                *velocity += *own * counts;
                *total += counts;
                *coverage = coverage.max(weight);
            }
        }
        for (velocity, total) in velocities.iter_mut().zip(&totals) {
            *velocity = if *total > 0.0 { *velocity / *total } else { Vec2::ZERO };
        }
    }
}
