//! How much alike two people are.
//!
//! Sameness `S` sums what they share, weighted by where viewers look, and motion sameness `M` is 1 for those who play
//! the same clip at the same phase; a pair costs `C = V (0.8 S³ + 0.2 M)`, where `V` says how well it is seen.
//!
//! The published weights have a layer of faces and hats, which bodies here do not: what shows of a face is skin, so
//! that takes its weight; a cut of hair counts as far as its colour is the same, too; and a top is the same if cut and
//! colour are. Pairs of other templates count as well, since most heads are alike: what they do not share is missing
//! from their sum.

use glam::Vec3;
use throng_motion::{HairStyle, Region};
use throng_world::scene::Species;

use super::STEP_GAP;
use super::descriptor::Descriptor;
use super::library::{Library, Template};

/// The OKLab distance at which colours are alike by 1/e (of `k = exp(-(ΔE/0.12)²)`).
pub const SIMILAR: f32 = 0.12;
/// What face, top, hair, body, template and bottom weigh.
pub const FACE: f32 = 0.30;
#[allow(missing_docs, reason = "said above")]
pub const TOP: f32 = 0.30;
#[allow(missing_docs, reason = "said above")]
pub const HAIR: f32 = 0.15;
#[allow(missing_docs, reason = "said above")]
pub const BODY: f32 = 0.10;
#[allow(missing_docs, reason = "said above")]
pub const TEMPLATE: f32 = 0.08;
#[allow(missing_docs, reason = "said above")]
pub const BOTTOM: f32 = 0.07;

/// What is seen of somebody.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    skin: Vec3,
    hair: Vec3,
    top: Vec3,
    bottom: Vec3,
    /// Numbers that are equal where the cut is.
    hair_cut: u8,
    top_cut: u8,
    bottom_cut: u8,
    pub species: Species,
    look: usize,
    pub body: usize,
}

impl Seen {
    pub fn of(library: &Library, descriptor: &Descriptor) -> Self {
        let template = library.templates().get(descriptor.look);
        let outfit = template.and_then(Template::outfit).unwrap_or_default();
        let tint = |region| descriptor.tint(region).oklab();
        Self {
            skin: tint(Region::Skin),
            hair: if outfit.hair == HairStyle::Bald { Vec3::ZERO } else { tint(Region::Hair) },
            top: tint(Region::Top),
            bottom: tint(Region::Bottom),
            hair_cut: outfit.hair as u8,
            top_cut: 2 * (outfit.sleeves as u8) + u8::from(outfit.coat),
            bottom_cut: outfit.bottom as u8,
            species: template.map_or(Species::Person, Template::species),
            look: descriptor.look,
            body: library.body(descriptor.look),
        }
    }

    /// How much alike two look, from 0 to 1 (`S`).
    #[inline]
    pub fn sameness(&self, other: &Self) -> f32 {
        if self.species != other.species {
            return 0.0;
        }
        let shared = |is: bool| f32::from(u8::from(is));
        FACE * alike(self.skin, other.skin)
            + TOP * alike(self.top, other.top) * cut(self.top_cut == other.top_cut)
            + HAIR * alike(self.hair, other.hair) * shared(self.hair_cut == other.hair_cut)
            + BODY * shared(self.body == other.body)
            + TEMPLATE * shared(self.look == other.look)
            + BOTTOM
                * alike(self.bottom, other.bottom)
                * shared(self.bottom_cut == other.bottom_cut)
    }
}

/// Sleeves of another length leave a top half the same: most of it is the trunk.
fn cut(same: bool) -> f32 {
    if same { 1.0 } else { 0.5 }
}

/// How much alike two colours are, from 0 to 1 (`k`). A power instead of the exponential, from which it differs by less
/// than 0.02: it is asked hundreds of times for each person.
#[inline]
fn alike(a: Vec3, b: Vec3) -> f32 {
    let far = a.distance_squared(b) * (1.0 / (SIMILAR * SIMILAR * 16.0));
    let near = (1.0 - far).max(0.0);
    let squared = near * near;
    let fourth = squared * squared;
    let eighth = fourth * fourth;
    eighth * eighth
}

/// How much alike two look in a library, from 0 to 1 (`S`).
pub fn sameness(library: &Library, a: &Descriptor, b: &Descriptor) -> f32 {
    Seen::of(library, a).sameness(&Seen::of(library, b))
}

/// How much in step two are who play the same clip at these phases, from 0 to 1 (`M`).
pub fn in_step(a: f32, b: f32) -> f32 {
    (1.0 - gap(a, b) / STEP_GAP).max(0.0)
}

/// How far phases are apart the shorter way round, at most half a cycle.
pub fn gap(a: f32, b: f32) -> f32 {
    let off = (a - b).rem_euclid(1.0);
    off.min(1.0 - off)
}

/// What a pair costs that is well seen (`C` without `V`): looks matter far more than motion.
pub fn cost(sameness: f32, in_step: f32) -> f32 {
    0.8 * sameness * sameness * sameness + 0.2 * in_step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_alike_as_published() {
        for step in 0..100 {
            let far = 0.005 * step as f32;
            let published = (-(far / SIMILAR).powi(2)).exp();
            let ours = alike(Vec3::ZERO, Vec3::new(0.6 * far, 0.0, 0.8 * far));
            assert!((published - ours).abs() < 0.02, "{far}: {ours} for {published}");
        }
    }

    #[test]
    fn phases_go_round() {
        assert!((gap(0.98, 0.03) - 0.05).abs() < 1e-6);
        assert_eq!(gap(0.25, 0.75), 0.5);
        assert_eq!(in_step(0.3, 0.3), 1.0);
        assert_eq!(in_step(0.3, 0.4), 0.0);
        assert!((FACE + TOP + HAIR + BODY + TEMPLATE + BOTTOM - 1.0).abs() < 1e-6);
        assert!((cost(1.0, 1.0) - 1.0).abs() < 1e-6);
    }
}
