//! A crowd in the browser: a server that simulates a scene in real time, streams it to pages, and lets it
//! be edited while it runs.
//!
//! [`Studio::open`] prepares a scene, a recording or the recordings of an evaluation, and a place to listen
//! at; [`Studio::start`] sets it going in the background. What clients and server say to each other is in `docs/protocol.md`.
//!
//! Two threads share the work. The stage owns the simulation and lets time pass (`stage`); the server
//! owns the connections (`connection`). They exchange commands through a bounded queue and moments through
//! slots that hold the newest only, so that no client, however slow, holds up the simulation or another
//! client.

mod bodies;
mod clock;
mod connection;
mod frame;
mod gate;
mod ground;
mod house;
mod page;
mod protocol;
mod server;
mod stage;
mod view;

pub use protocol::PROTOCOL;
pub use server::{Running, Studio, StudioError, StudioOptions};
