//! What anchors do to those who heed each of them by its distance only.
//!
//! The autonomous part of Jin et al. (2008): the mean of the anchors' vectors, each weighed by the
//! inverse of its distance. It is no smooth field (it has a peak at each anchor) and passes through
//! no anchor unless it is the only one, but it never overshoots: everyone goes roughly where the
//! arrows around them point.

use glam::Vec2;
use throng_simd::{Floats, Kernel, LANES, Simd, Vec2s, Vectors, run_anywhere};

use crate::anchor::Anchor;
use crate::sampler::filled;

/// Who is nearer to an anchor than this heeds it as if they were so far away, m.
const NEAREST: f32 = 0.1;

/// The mean of vectors weighed by inverse distance.
#[derive(Clone, Debug)]
pub struct Attraction {
    /// Position and vector.
    anchors: Vec<[Vec2; 2]>,
    simd: Option<Vectors>,
}

impl Attraction {
    /// The attraction by some anchors. That of none is zero.
    pub fn new(anchors: &[Anchor]) -> Self {
        let narrow = |anchor: &Anchor| [anchor.position.as_vec2(), anchor.vector.as_vec2()];
        Self { anchors: anchors.iter().map(narrow).collect(), simd: Vectors::detect() }
    }

    /// The velocity at each place, m/s; as many as the shorter of the two has. It is zero where a
    /// place is no number.
    pub fn sample(&self, places: &[Vec2], velocities: &mut [Vec2]) {
        run_anywhere(self.simd, Sample { attraction: self, places, velocities });
    }

    #[inline(always)]
    fn sixteen<S: Simd>(&self, simd: S, places: Vec2s<S>) -> Vec2s<S> {
        let number = |value| simd.splat(value);
        let mut mean = Mean { sum: Vec2s::zero(simd), weights: number(0.0) };
        // A division takes as long as all else: four anchors share one.
        let (fours, rest) = self.anchors.as_chunks::<4>();
        for [a, b, c, d] in fours {
            let (to_a, to_b) = (distance(simd, places, a), distance(simd, places, b));
            let (to_c, to_d) = (distance(simd, places, c), distance(simd, places, d));
            let (to_ab, to_cd) = (to_a * to_b, to_c * to_d);
            let inverse = number(1.0) / (to_ab * to_cd);
            let (inverse_ab, inverse_cd) = (inverse * to_cd, inverse * to_ab);
            mean.heed(simd, a, inverse_ab * to_b);
            mean.heed(simd, b, inverse_ab * to_a);
            mean.heed(simd, c, inverse_cd * to_d);
            mean.heed(simd, d, inverse_cd * to_c);
        }
        for anchor in rest {
            mean.heed(simd, anchor, number(1.0) / distance(simd, places, anchor));
        }
        let Mean { sum, weights } = mean;
        sum.times(number(1.0) / weights.max(number(f32::MIN_POSITIVE)))
    }
}

// Functions, not closures: a closure that is called several times is not always inlined, and lacks the vector instructions
// then.

#[inline(always)]
fn distance<S: Simd>(simd: S, places: Vec2s<S>, [position, _]: &[Vec2; 2]) -> S::F {
    let (dx, dy) = (places.x - simd.splat(position.x), places.y - simd.splat(position.y));
    // `max` takes the number where the other is none.
    (dx * dx + dy * dy).sqrt().max(simd.splat(NEAREST))
}

/// A weighted sum of vectors.
struct Mean<S: Simd> {
    sum: Vec2s<S>,
    weights: S::F,
}

impl<S: Simd> Mean<S> {
    #[inline(always)]
    fn heed(&mut self, simd: S, [_, vector]: &[Vec2; 2], weight: S::F) {
        self.weights = self.weights + weight;
        self.sum.x = self.sum.x + weight * simd.splat(vector.x);
        self.sum.y = self.sum.y + weight * simd.splat(vector.y);
    }
}

struct Sample<'a> {
    attraction: &'a Attraction,
    places: &'a [Vec2],
    velocities: &'a mut [Vec2],
}

impl Kernel for Sample<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for (places, velocities) in self.places.chunks(LANES).zip(self.velocities.chunks_mut(LANES))
        {
            let lanes = Vec2s::load(simd, &filled(places));
            let found = self.attraction.sixteen(simd, lanes).to_lanes(simd);
            velocities.copy_from_slice(&found[..velocities.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_anchors_count_more_and_nobody_overshoots() {
        let anchors = [Anchor::new((0.0, 0.0), (1.0, 0.0)), Anchor::new((4.0, 0.0), (0.0, 1.0))];
        let attraction = Attraction::new(&anchors);
        let places = [Vec2::new(1.0, 0.0), Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::new(1e9, 0.0)];
        let mut found = [Vec2::ZERO; 4];
        attraction.sample(&places, &mut found);
        assert!(found[0].distance(Vec2::new(0.75, 0.25)) < 1e-6, "{found:?}");
        // At an anchor, one counts 10 and the other 1/4.
        assert!(found[1].distance(Vec2::new(10.0, 0.25) / 10.25) < 1e-6);
        assert!(found[2].distance(Vec2::splat(0.5)) < 1e-6);
        assert!(found[3].distance(Vec2::splat(0.5)) < 1e-6);
    }

    #[test]
    fn any_number_of_anchors_is_summed_up() {
        for count in 1..12 {
            let anchor = |i: i32| {
                let i = f64::from(i);
                Anchor::new((i * 3.0, (i * 1.7).sin() * 9.0), (i.cos(), i.sin()))
            };
            let anchors: Vec<Anchor> = (0..count).map(anchor).collect();
            let place = glam::DVec2::new(4.5, 2.0);
            let weight = |a: &Anchor| 1.0 / a.position.distance(place);
            let sum: glam::DVec2 = anchors.iter().map(|a| a.vector * weight(a)).sum();
            let expected = sum / anchors.iter().map(weight).sum::<f64>();
            let mut found = [Vec2::ZERO];
            Attraction::new(&anchors).sample(&[place.as_vec2()], &mut found);
            assert!(found[0].as_dvec2().distance(expected) < 1e-6, "{count}: {found:?}");
        }
    }

    #[test]
    fn without_anchors_nobody_is_attracted() {
        let mut found = [Vec2::ONE];
        Attraction::new(&[]).sample(&[Vec2::ZERO], &mut found);
        assert_eq!(found, [Vec2::ZERO]);
    }
}
