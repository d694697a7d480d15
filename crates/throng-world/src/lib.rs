//! What is there: the world a Throng simulation takes place in.
//!
//! This crate holds the scene model and its file format, floors with their terrain, obstacles,
//! regions and the walkable area. It knows nothing of people's behaviour.

mod floor_ground;
mod layer;
mod obstacle;
mod openings;
mod party;
pub mod plan;
pub mod scene;
mod strips;
pub mod survey;
pub mod temperament;
mod terrain;
pub mod walkable;
mod wall_record;
mod walls;

pub use floor_ground::FloorGround;
pub use layer::{Climb, Connector, ConnectorKind, Layer};
pub use obstacle::{Interval, Obstacle, Shape};
pub use party::{MAX_PARTY, PartySizes};
pub use plan::{Plan, PlanError};
pub use scene::{Scene, SceneError, SceneErrors};
pub use temperament::{OwnTraits, Temperament, Temperaments, Trait};
pub use terrain::{
    GroundMesh, Heightfield, HeightfieldError, MeshError, Terrain, TerrainError, TriangleSoup,
};
pub use wall_record::WallRecord;
pub use walls::{Cell, Wall, WallId, WallIndex, Walls};
