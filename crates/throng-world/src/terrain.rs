//! The ground of a floor.

use glam::Vec2;

/// The ground of a floor.
#[derive(Clone, Debug, Default)]
pub enum Terrain {
    /// Height 0 everywhere.
    #[default]
    Flat,
}
impl Terrain {
    /// Height of the ground at `point`, m.
    pub fn height(&self, _point: Vec2) -> f32 {
        0.0
    }
}
