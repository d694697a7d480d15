//! Ground to stand on: heights and normals at plan positions.
//!
//! Places are plan positions `(x, z)` of the y-up world. A surface may have several storeys, so every question
//! carries the height at which an answer is expected, and the storey nearest to it answers.

use glam::{Vec2, Vec3};

/// The ground at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Its height, m.
    pub height: f32,
    /// Which way it faces: a unit vector.
    pub normal: Vec3,
}

/// Ground that bodies stand on.
///
/// Answers may be anything: numbers that are not finite, and walls, are as good as holes.
pub trait Ground: Sync {
    /// The ground at the plan position `place` (`x`, `z`) that is nearest in height to `hint`; nothing where
    /// there is none.
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface>;

    /// Whether hints make a difference. Without storeys, many places can be sampled at once.
    fn has_storeys(&self) -> bool {
        true
    }

    /// The heights at many places, each with its hint; NaN where there is no ground. All slices are of one
    /// length.
    fn sample(&self, places: &[Vec2], hints: &[f32], heights: &mut [f32]) {
        for ((place, hint), height) in places.iter().zip(hints).zip(heights) {
            *height = self.at(*place, *hint).map_or(f32::NAN, |surface| surface.height);
        }
    }

    /// The height of the ground if all of it within `radius` of the plan position `around` is one level plane, of
    /// the storey nearest in height to `hint`; nothing if it is not, or if that cannot be told cheaply.
    fn level(&self, _around: Vec2, _radius: f32, _hint: f32) -> Option<f32> {
        None
    }
}

/// Level ground at height 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level;

impl Ground for Level {
    fn at(&self, _: Vec2, _: f32) -> Option<Surface> {
        Some(Surface { height: 0.0, normal: Vec3::Y })
    }

    fn has_storeys(&self) -> bool {
        false
    }

    fn sample(&self, _: &[Vec2], _: &[f32], heights: &mut [f32]) {
        heights.fill(0.0);
    }

    fn level(&self, _: Vec2, _: f32, _: f32) -> Option<f32> {
        Some(0.0)
    }
}

/// Ground whose height is a function of the plan position (`x`, `z`). Where the function is not finite there
/// is a hole.
#[derive(Clone, Copy, Debug)]
pub struct Relief<F>(pub F);

impl<F: Fn(Vec2) -> f32 + Sync> Ground for Relief<F> {
    fn at(&self, place: Vec2, _: f32) -> Option<Surface> {
        /// Normals are of a patch this wide, m.
        const PATCH: f32 = 0.01;
        let height = (self.0)(place);
        let slope = |along: Vec2| {
            let (before, after) = ((self.0)(place - along), (self.0)(place + along));
            (after - before) / (2.0 * PATCH)
        };
        let (x, z) = (slope(Vec2::new(PATCH, 0.0)), slope(Vec2::new(0.0, PATCH)));
        let normal = Vec3::new(-x, 1.0, -z).try_normalize().unwrap_or(Vec3::Y);
        height.is_finite().then_some(Surface { height, normal })
    }

    fn has_storeys(&self) -> bool {
        false
    }

    fn sample(&self, places: &[Vec2], _: &[f32], heights: &mut [f32]) {
        for (place, height) in places.iter().zip(heights) {
            *height = (self.0)(*place);
        }
    }
}
