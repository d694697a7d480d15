//! What maps, graphs and ways promise to those who walk them.
//!
//! All tests are modules of one program: linking one is quicker than linking one for each file.

mod alternatives;
mod graph;
mod graph_paths;
mod indicative;
mod individual;
mod landmarks;
mod live;
mod local;
mod map;
mod meshes;
mod paths;
mod support;
mod tolls;
