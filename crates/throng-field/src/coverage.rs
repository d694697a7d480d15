//! Where the anchors of a field hold: each within its reach.
//!
//! The weight of an anchor is 1 within its core, half of its reach, falls to 0 at the reach as a cubic (smoothstep)
//! and stays 0 beyond. Weights w of several anchors are joined as 1 - Π(1 - w): the union is 1 where any is 1, 0 where
//! all are 0, has a continuous gradient, and does not depend on the order of anchors but for rounding. An anchor
//! without a reach holds everywhere, and so does its field.

use glam::{FloatExt as _, Vec2};

use crate::anchor::Anchor;

/// Share of an anchor's reach within which its weight is 1. At 1 the weight would jump at the reach.
const CORE: f32 = 0.5;

/// Weight of a field by place, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Position and reach (m) of each anchor; `None` if the field holds everywhere.
    discs: Option<Vec<(Vec2, f32)>>,
}

impl Coverage {
    /// The coverage of some anchors: everywhere, unless each of them has a reach.
    pub fn new(anchors: &[Anchor]) -> Self {
        let disc = |anchor: &Anchor| Some((anchor.position.as_vec2(), anchor.reach? as f32));
        let discs: Option<Vec<_>> = anchors.iter().map(disc).collect();
        Self { discs: discs.filter(|discs| !discs.is_empty()) }
    }

    /// Returns `false` if the weight is 1 everywhere.
    pub fn is_limited(&self) -> bool {
        self.discs.is_some()
    }

    /// The weight at a place, from 0 beyond all reaches to 1.
    pub fn weight(&self, place: Vec2) -> f32 {
        let Some(discs) = &self.discs else { return 1.0 };
        let mut uncovered = 1.0;
        for &(position, reach) in discs {
            let distance = place.distance(position) / reach;
            // False at a place that is no number: nothing holds there.
            if distance < 1.0 {
                let t = ((1.0 - distance) / (1.0 - CORE)).min(1.0);
                uncovered *= 1.0 - t.smoothstep(0.0, 1.0);
            }
        }
        1.0 - uncovered
    }

    /// The weight at each place; as many as the shorter of the two has.
    pub fn sample(&self, places: &[Vec2], weights: &mut [f32]) {
        for (place, weight) in places.iter().zip(weights) {
            *weight = self.weight(*place);
        }
    }
}
