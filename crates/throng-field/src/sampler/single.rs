//! A field in single precision, for sixteen places at a time.
//!
//! The terms of the sum cancel: where arrows next to each other are alike, they are 30 to 60 times as
//! large together as the field, and thousands of times where they are at odds. Rounding follows
//! that, so it is measured for each field before this is used ([`super::Sampler`]).

use glam::Vec2;
use throng_simd::{Floats, Kernel, LANES, Simd, Vec2s, log2};

use super::filled;
use crate::frame::Frame;
use crate::shape::Plane;

/// The sum P(q) + Σ λᵢ r² ln r.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    map: [[f32; 2]; 2],
    constant: [f32; 2],
    linear: [[f32; 2]; 2],
    terms: Vec<Term>,
}

#[derive(Clone, Copy, Debug)]
struct Term {
    centre: [f32; 2],
    /// λ ½ ln 2, since the logarithm is that of r², to base 2.
    weight: [f32; 2],
}

/// Smallest r² whose logarithm is taken; the term is zero there anyway.
const TINY: f32 = 1e-35;

impl Sum {
    pub fn new(frame: &Frame<2>, plane: &Plane) -> Self {
        let narrow = |x: f64| x as f32;
        let half_ln_2 = 0.5 * std::f64::consts::LN_2;
        let terms = plane.terms().filter(|(_, weight)| *weight != [0.0; 2]);
        Self {
            map: frame.map.map(|row| row.map(narrow)),
            constant: plane.constant.map(narrow),
            linear: plane.linear.map(|row| row.map(narrow)),
            terms: terms
                .map(|(centre, weight)| Term {
                    centre: centre.map(narrow),
                    weight: weight.map(|w| narrow(w * half_ln_2)),
                })
                .collect(),
        }
    }

    /// The values at places relative to the middle of the field, m.
    #[inline(always)]
    pub fn at<S: Simd>(&self, simd: S, places: Vec2s<S>) -> Vec2s<S> {
        let number = |value| simd.splat(value);
        // Written out: `map` of an array is not always inlined, and does not know of vectors then.
        let [[a, b], [c, d]] = self.map;
        let x = places.x * number(a) + places.y * number(b);
        let y = places.x * number(c) + places.y * number(d);
        let [mut u, mut v] = [number(0.0); 2];
        for Term { centre, weight } in &self.terms {
            let (dx, dy) = (x - number(centre[0]), y - number(centre[1]));
            let squared = dx * dx + dy * dy;
            let influence = squared * log2(simd, squared.max(number(TINY)));
            u = u + number(weight[0]) * influence;
            v = v + number(weight[1]) * influence;
        }
        let ([[a, b], [c, d]], [e, f]) = (self.linear, self.constant);
        Vec2s {
            x: number(e) + x * number(a) + y * number(b) + u,
            y: number(f) + x * number(c) + y * number(d) + v,
        }
    }
}

/// The longest of the values of a sum at some places relative to the middle of its field.
pub(crate) struct Longest<'a> {
    pub sum: &'a Sum,
    pub places: &'a [Vec2],
    pub found: &'a mut f32,
}

impl Kernel for Longest<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut longest = simd.splat(0.0);
        for places in self.places.chunks(LANES) {
            let value = self.sum.at(simd, Vec2s::load(simd, &filled(places)));
            longest = longest.max(value.dot(value));
        }
        *self.found = longest.sqrt().to_array().into_iter().fold(0.0, f32::max);
    }
}
