//! A field remembered at the nodes of a grid.
//!
//! Between nodes, cubic polynomials through the four by four around a place stand in for the sum:
//! a few nanoseconds, whatever the number of anchors. They are least exact near anchors, where the
//! second derivative has no bound; how exact is measured for each grid. Nodes hold the bare sum:
//! fading outside of the hull and the limit of speed have kinks, which no polynomial follows, and
//! are applied afterwards.

use std::array::from_fn;

use glam::{DVec2, Vec2};
use throng_simd::{Floats, Kernel, LANES, Mask, Simd, Vec2s, Vectors, run_anywhere};

use super::single::Sum;
use crate::field::Field;

/// Nodes needed around a cell on each side.
const RING: usize = 1;

/// The bare sum of a field at the nodes of a grid.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    /// The node that has number 0 in both directions, relative to the middle of the field.
    first: Vec2,
    /// Nodes per metre.
    per_metre: f32,
    columns: usize,
    rows: usize,
    /// x and y in turn, row by row.
    values: Vec<[f32; 2]>,
}

impl Nodes {
    /// A grid over an area with this many nodes along its longer side, filled by `sum` if that is
    /// exact enough, and in double precision otherwise.
    pub fn new(
        simd: Option<Vectors>,
        field: &Field,
        sum: Option<&Sum>,
        [low, high]: [DVec2; 2],
        longer: usize,
    ) -> Self {
        let size = (high - low).max(DVec2::splat(1e-3));
        let step = size.max_element() / (longer - 1 - 2 * RING) as f64;
        let count = (size / step).ceil() + 1.0 + 2.0 * RING as f64;
        let (columns, rows) = (count.x as usize, count.y as usize);
        let first = (low - step * RING as f64 - field.middle()).as_vec2();
        let mut values = vec![[0.0; 2]; columns * rows];
        let per_metre = (1.0 / step) as f32;
        let fill = Fill { field, sum, first, per_metre, columns, values: &mut values };
        run_anywhere(simd, fill);
        Self { first, per_metre, columns, rows, values }
    }

    pub fn size(&self) -> [usize; 2] {
        [self.columns, self.rows]
    }

    /// How far apart nodes are, m.
    pub fn step(&self) -> f64 {
        1.0 / f64::from(self.per_metre)
    }

    /// The values at places relative to the middle of the field, and the places for which they are
    /// good: those on the grid.
    #[inline(always)]
    pub fn at<S: Simd>(&self, simd: S, places: Vec2s<S>) -> (Vec2s<S>, S::M) {
        let number = |value| simd.splat(value);
        let per_metre = number(self.per_metre);
        let x = (places.x - number(self.first.x)) * per_metre;
        let y = (places.y - number(self.first.y)) * per_metre;
        let ring = number(RING as f32);
        let (last_x, last_y) = ((self.columns - 1 - RING) as f32, (self.rows - 1 - RING) as f32);
        let on_grid = x.ge(ring) & x.lt(number(last_x)) & y.ge(ring) & y.lt(number(last_y));
        let (x, y) = (on_grid.select(x, ring), on_grid.select(y, ring));
        let (left, bottom) = (x.to_whole(), y.to_whole());
        let tx = x - simd.load(&left.map(|i| i as f32));
        let ty = y - simd.load(&bottom.map(|i| i as f32));
        let (across, up) = (weights(simd, tx), weights(simd, ty));
        let corner: [usize; LANES] = from_fn(|lane| {
            (bottom[lane] as usize - RING) * self.columns + left[lane] as usize - RING
        });
        let mut sum = Vec2s::zero(simd);
        for (row, up) in up.into_iter().enumerate() {
            // Four nodes in a row are eight numbers.
            let nodes = |lane: usize| -> &[f32; 8] {
                let four = self.values[corner[lane] + row * self.columns..].as_chunks::<4>().0;
                eight(&four[0])
            };
            let n = simd.transpose(from_fn(nodes));
            let mut u = across[0] * n[0];
            let mut v = across[0] * n[1];
            for i in 1..4 {
                u = u + across[i] * n[2 * i];
                v = v + across[i] * n[2 * i + 1];
            }
            sum = sum.plus(Vec2s { x: u * up, y: v * up });
        }
        (sum, on_grid)
    }
}

#[inline(always)]
fn eight(nodes: &[[f32; 2]; 4]) -> &[f32; 8] {
    &nodes.as_flattened().as_chunks().0[0]
}

/// Lagrange's weights of the nodes -1, 0, 1 and 2 at places between 0 and 1.
#[inline(always)]
fn weights<S: Simd>(simd: S, t: S::F) -> [S::F; 4] {
    let number = |value| simd.splat(value);
    let (before, after, beyond) = (t + number(1.0), t - number(1.0), t - number(2.0));
    let inner = after * beyond;
    let outer = before * t;
    [
        number(-1.0 / 6.0) * t * inner,
        number(0.5) * before * inner,
        number(-0.5) * outer * beyond,
        number(1.0 / 6.0) * outer * after,
    ]
}

struct Fill<'a> {
    field: &'a Field,
    sum: Option<&'a Sum>,
    first: Vec2,
    per_metre: f32,
    columns: usize,
    values: &'a mut [[f32; 2]],
}

impl Kernel for Fill<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { field, sum, first, per_metre, columns, values } = self;
        // Where a node is, is what single precision says: places are compared with it there.
        let step = 1.0 / f64::from(per_metre);
        let place = |i: usize| {
            first.as_dvec2() + DVec2::new((i % columns) as f64, (i / columns) as f64) * step
        };
        let Some(sum) = sum else {
            for (i, value) in values.iter_mut().enumerate() {
                *value = field.raw_in(simd, field.middle() + place(i)).as_vec2().to_array();
            }
            return;
        };
        for (at, values) in values.chunks_mut(LANES).enumerate() {
            let places = from_fn(|lane| place(at * LANES + lane).as_vec2());
            let found = sum.at(simd, Vec2s::load(simd, &places)).to_lanes(simd);
            for (value, found) in values.iter_mut().zip(found) {
                *value = found.to_array();
            }
        }
    }
}
