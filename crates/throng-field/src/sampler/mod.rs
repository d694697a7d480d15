//! The velocities of a field at many places, as fast as a stated error allows.
//!
//! There are three ways: the sum in single precision, the sum in double precision, and a grid of
//! nodes that remembers it. Which is good enough depends on the anchors, so each is compared with
//! double precision at some hundred places when a sampler is made, and the fastest of those whose
//! error is tolerable is taken. Sampling itself is a pure function of slices: hand out the parts of
//! a crowd to as many threads as you like, and each person's velocity is the same.

mod border;
mod nodes;
mod single;

use std::array::from_fn;
use std::sync::Arc;

use glam::{DVec2, Vec2};
use throng_simd::{Floats, Kernel, LANES, Mask, Simd, Vec2s, Vectors, run_anywhere, set_bits};

use crate::attraction::Attraction;
use crate::error::FieldError;
use crate::field::Field;
use crate::options::check_setting;
use border::Border;
use nodes::Nodes;
pub(crate) use single::{Longest, Sum};

/// Below so many anchors the sum is faster than a grid of nodes.
const FEW_ANCHORS: usize = 20;
/// Nodes along the longer side of a grid, coarsest first.
const GRIDS: [usize; 4] = [128, 256, 512, 1024];
/// Where errors are measured: so many places all over the area, and so many next to anchors.
const PROBES: usize = 192;
/// The largest error among probes is not the largest of all; this times as much has to be tolerable.
const PRUDENCE: f64 = 2.0;
/// Coordinates beyond this are left to double precision, m.
const FAR: f32 = 1e9;

/// What a [`Sampler`] is chosen by.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplerOptions {
    /// The largest tolerable error of a velocity, m/s.
    pub tolerance: f64,
    /// Where most places will be, as two opposite corners; the anchors and a margin if `None`.
    /// Elsewhere the sum is used.
    pub area: Option<[DVec2; 2]>,
    /// How many velocities will be asked for before the field changes: people times steps. Filling
    /// a grid of nodes only pays if they are many.
    pub expected: usize,
}

impl Default for SamplerOptions {
    fn default() -> Self {
        Self { tolerance: 1e-4, area: None, expected: 0 }
    }
}

/// How a [`Sampler`] finds velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The sum in single precision.
    Single,
    /// The sum in double precision.
    Double,
    /// Interpolation between the nodes of a grid.
    Nodes {
        /// How many nodes it has along x.
        columns: usize,
        /// How many along y.
        rows: usize,
    },
}

/// The velocities of a field at many places.
#[derive(Clone, Debug)]
pub struct Sampler {
    field: Arc<Field>,
    simd: Option<Vectors>,
    middle: Vec2,
    cap: f32,
    border: Option<Border>,
    /// The sum in single precision, if that is exact enough.
    sum: Option<Sum>,
    nodes: Option<Nodes>,
    error: f64,
    attraction: Attraction,
}

impl Sampler {
    /// The fastest sampler whose error is tolerable.
    pub fn new(field: Arc<Field>, options: &SamplerOptions) -> Result<Self, FieldError> {
        check_setting("the tolerance", options.tolerance, 1e-12, 1e3)?;
        let area = checked(options.area.unwrap_or_else(|| around_anchors(&field)))?;
        let tolerable = options.tolerance / PRUDENCE;
        let mut sampler = Self::with_method(field, Method::Single, area)?;
        if sampler.error > tolerable {
            (sampler.sum, sampler.error) = (None, 0.0);
        }
        if sampler.field.anchors().len() < FEW_ANCHORS {
            return Ok(sampler);
        }
        for longer in GRIDS {
            // A node costs as much as a person whose velocity is summed up.
            if longer * longer > options.expected / 2 {
                break;
            }
            let with_nodes = sampler.clone().with_nodes(area, longer);
            if with_nodes.error <= tolerable {
                return Ok(with_nodes);
            }
            // Twice as many nodes are 16 times as exact at best.
            if with_nodes.error > tolerable * 16f64.powi((GRIDS[3] / longer).ilog2() as i32) {
                break;
            }
        }
        Ok(sampler)
    }

    /// A sampler that finds velocities in a given way, whatever its error. Of the size of a grid, the
    /// longer side counts, from 8 to 4096; the other follows from the area.
    pub fn with_method(
        field: Arc<Field>,
        method: Method,
        area: [DVec2; 2],
    ) -> Result<Self, FieldError> {
        let area = checked(area)?;
        let hull = field.options().hull_fade.then_some(&field.shape().hull);
        let is_single = method == Method::Single;
        let mut sampler = Self {
            simd: field.shape().simd,
            middle: field.middle().as_vec2(),
            cap: field.speed_cap() as f32,
            border: hull.and_then(|hull| Border::of(hull, field.middle())),
            sum: is_single.then(|| Sum::new(&field.shape().frame, field.plane())),
            nodes: None,
            error: 0.0,
            attraction: Attraction::new(field.anchors()),
            field,
        };
        match method {
            Method::Double => {}
            Method::Single => sampler.error = sampler.measured_error(area, area[1] - area[0]),
            Method::Nodes { columns, rows } => {
                sampler = sampler.with_nodes(area, columns.max(rows).clamp(8, 4096));
            }
        }
        Ok(sampler)
    }

    fn with_nodes(mut self, area: [DVec2; 2], longer: usize) -> Self {
        let nodes = Nodes::new(self.simd, &self.field, self.sum.as_ref(), area, longer);
        let step = DVec2::splat(nodes.step());
        self.nodes = Some(nodes);
        self.error = self.measured_error(area, step).max(self.error);
        self
    }

    /// The field it samples.
    pub fn field(&self) -> &Arc<Field> {
        &self.field
    }

    /// What its anchors do to those who heed each of them by its distance only.
    pub fn attraction(&self) -> &Attraction {
        &self.attraction
    }

    /// How it finds velocities.
    pub fn method(&self) -> Method {
        match &self.nodes {
            Some(nodes) => {
                let [columns, rows] = nodes.size();
                Method::Nodes { columns, rows }
            }
            None if self.sum.is_some() => Method::Single,
            None => Method::Double,
        }
    }

    /// The largest difference to double precision that was found when it was made, m/s. That
    /// velocities are rounded to single precision in the end is not counted.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// The velocity at each place; as many as the shorter of the two has.
    pub fn sample(&self, places: &[Vec2], velocities: &mut [Vec2]) {
        run_anywhere(self.simd, Sample { sampler: self, places, velocities });
    }

    /// The largest difference to double precision, at places all over the area and at some next to
    /// anchors, where it is largest: a few fractions of `step` away.
    fn measured_error(&self, area: [DVec2; 2], step: DVec2) -> f64 {
        let anchors = self.field.anchors();
        let spread =
            |i: usize| DVec2::new(i as f64 * 0.754_877_67, i as f64 * 0.569_840_29).fract();
        let all_over = (1..=PROBES).map(|i| area[0] + (area[1] - area[0]) * spread(i));
        let count = PROBES.min(4 * anchors.len());
        let near = (0..count)
            .map(|i| anchors[i * anchors.len() / count].position + (spread(i) - 0.5) * step * 0.5);
        let inside =
            |p: &Vec2| p.cmpge(area[0].as_vec2()).all() && p.cmple(area[1].as_vec2()).all();
        let places: Vec<Vec2> = all_over.chain(near).map(DVec2::as_vec2).filter(inside).collect();
        let mut found = vec![Vec2::ZERO; places.len()];
        self.sample(&places, &mut found);
        let error = |(place, found): (&Vec2, &Vec2)| {
            self.field.velocity(place.as_dvec2()).distance(found.as_dvec2())
        };
        places.iter().zip(&found).map(error).fold(0.0, f64::max)
    }
}

/// An area with its lower corner first.
fn checked([a, b]: [DVec2; 2]) -> Result<[DVec2; 2], FieldError> {
    for corner in [a, b] {
        check_setting("the area's x", corner.x, -2e9, 2e9)?;
        check_setting("the area's y", corner.y, -2e9, 2e9)?;
    }
    Ok([a.min(b), a.max(b)])
}

/// The bounding box of a field's anchors, and a quarter more on each side.
fn around_anchors(field: &Field) -> [DVec2; 2] {
    let places = || field.anchors().iter().map(|anchor| anchor.position);
    let low = places().reduce(DVec2::min).unwrap_or_default();
    let high = places().reduce(DVec2::max).unwrap_or_default();
    let margin = (high - low) * 0.25;
    [low - margin, high + margin]
}

/// One to sixteen places, of which the last fills up the lanes.
#[inline(always)]
pub(crate) fn filled(places: &[Vec2]) -> [Vec2; LANES] {
    from_fn(|lane| places[lane.min(places.len() - 1)])
}

struct Sample<'a> {
    sampler: &'a Sampler,
    places: &'a [Vec2],
    velocities: &'a mut [Vec2],
}

impl Kernel for Sample<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let sampler = self.sampler;
        for (places, velocities) in self.places.chunks(LANES).zip(self.velocities.chunks_mut(LANES))
        {
            let found = sampler.sixteen(simd, &filled(places));
            velocities.copy_from_slice(&found[..velocities.len()]);
        }
    }
}

impl Sampler {
    #[inline(always)]
    fn sixteen<S: Simd>(&self, simd: S, lanes: &[Vec2; LANES]) -> [Vec2; LANES] {
        let [x, y] = self.middle.to_array().map(|x| simd.splat(x));
        let places = Vec2s::load(simd, lanes).minus(Vec2s { x, y });
        let far = simd.splat(FAR);
        let near = places.x.abs().lt(far) & places.y.abs().lt(far);
        let places = Vec2s::select(near, places, Vec2s::zero(simd));
        let (velocities, found) = self.faded(simd, places);
        let mut velocities = velocities.at_most(simd, simd.splat(self.cap)).to_lanes(simd);
        for lane in set_bits((!(found & near)).bits()) {
            velocities[lane] = self.field.velocity_in(simd, lanes[lane].as_dvec2()).as_vec2();
        }
        velocities
    }

    /// The field without a limit of speed at places relative to its middle, and the lanes for which
    /// there is a faster way than double precision.
    #[inline(always)]
    fn faded<S: Simd>(&self, simd: S, places: Vec2s<S>) -> (Vec2s<S>, S::M) {
        let (here, found) = self.bare(simd, places);
        let Some(border) = &self.border else { return (here, found) };
        let outside = border.outside(simd, places);
        if !outside.any() {
            return (here, found);
        }
        let (nearest, share) = border.nearest(simd, places);
        let (there, found_there) = self.bare(simd, nearest);
        let faded = here.plus(there.minus(here).times(share));
        // Far away the sum may be infinite, and infinite less infinite is no number.
        let faded = Vec2s::select(share.ge(simd.splat(1.0)), there, faded);
        (Vec2s::select(outside, faded, here), found & (found_there | !outside))
    }

    /// The same without fading.
    #[inline(always)]
    fn bare<S: Simd>(&self, simd: S, places: Vec2s<S>) -> (Vec2s<S>, S::M) {
        let (values, on_grid) = match &self.nodes {
            Some(nodes) => nodes.at(simd, places),
            None => (Vec2s::zero(simd), simd.mask(0)),
        };
        match &self.sum {
            Some(sum) if (!on_grid).any() => {
                (Vec2s::select(on_grid, values, sum.at(simd, places)), simd.mask(u16::MAX))
            }
            _ => (values, on_grid),
        }
    }
}
