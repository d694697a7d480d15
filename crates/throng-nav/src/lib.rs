//! Where one can go: corridor maps and paths through them.

mod draft;
mod footprint;
pub mod graph;
mod index;
mod locate;
mod map;
mod medial;
mod piece;

pub use footprint::{Footprint, FootprintError};
pub use graph::{GraphError, GraphRules, NavGraph, Routes};
pub use locate::{Anchor, Place};
pub use map::{CorridorMap, Edge, EdgeId, MapError, MapRules, Vertex, VertexId};
pub use medial::SweepError;
pub use piece::{Piece, Site};
