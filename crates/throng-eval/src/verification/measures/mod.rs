//! What is measured of tracks: how people keep their distance, in space and in time, how smoothly
//! they walk, and how they sort themselves.

pub mod collision_times;
pub mod distances;
pub mod filter;
pub mod groups;
pub mod order;
pub mod smoothness;
pub mod stripes;
