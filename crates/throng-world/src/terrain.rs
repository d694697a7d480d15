//! The ground of a floor.

use std::path::Path;

use glam::Vec2;

use crate::Bounds;

/// The ground of a floor.
#[derive(Clone, Debug, Default)]
pub enum Terrain {
    /// Height 0 everywhere.
    #[default]
    Flat,
}

/// Why a terrain cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[error("loading terrain is not supported yet")]
pub struct TerrainError;

impl Terrain {
    /// The terrain of a greyscale image stretched over `bounds`.
    pub fn heightmap(_: &Path, _: Bounds, _low: f32, _high: f32) -> Result<Self, TerrainError> {
        Err(TerrainError)
    }

    /// The terrain of a triangle mesh.
    pub fn mesh(_: &Path) -> Result<Self, TerrainError> {
        Err(TerrainError)
    }

    /// Height of the ground at `point`, m.
    pub fn height(&self, _point: Vec2) -> f32 {
        0.0
    }
}
