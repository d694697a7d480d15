//! Where one can go: corridor maps and paths through them.

mod alternatives;
mod corridor;
mod draft;
mod footprint;
mod funnel;
pub mod graph;
mod index;
mod indicative;
mod individual;
mod landmarks;
mod live;
mod local;
mod locate;
mod map;
mod medial;
mod piece;
mod repair;
mod search;
mod slice;
mod straighten;
mod widest;

pub use alternatives::Alternatives;
pub use corridor::{Corridor, NoWay, Path};
pub use footprint::{Footprint, FootprintError};
pub use graph::{GraphError, GraphRules, NavGraph, Routes};
pub use indicative::{IndicativeRoute, SketchError};
pub use individual::Berth;
pub use landmarks::Landmarks;
pub use live::{LiveMap, Sweep};
pub use local::{Boundary, Progress};
pub use locate::{Anchor, Place};
pub use map::{CorridorMap, Edge, EdgeId, MapError, MapRules, Vertex, VertexId};
pub use medial::SweepError;
pub use piece::{Piece, Site};
pub use search::{Extras, Search, Walker};
pub use slice::Slice;
