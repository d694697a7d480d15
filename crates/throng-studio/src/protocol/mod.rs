//! The protocol between the server and its clients, declared once.
//!
//! Text messages are serde types: [`requests`] from clients, [`replies`] and [`events`] from the server. Binary messages are
//! records with a fixed layout ([`binary`]). `studio/src/protocol.ts` and the tables of `docs/protocol.md` are generated
//! from these declarations and their doc comments (`generate`); a test fails when they differ.

mod binary;
mod events;
mod inspection;
mod names;
mod replies;
mod requests;
mod scene;

#[cfg(test)]
mod generate;

pub(crate) use binary::*;
pub(crate) use events::*;
pub(crate) use inspection::*;
pub(crate) use names::{Name, PerName};
pub(crate) use replies::*;
pub(crate) use requests::*;
pub(crate) use scene::*;

/// Version of the protocol.
pub const PROTOCOL: u32 = 2;

/// Returns a message as text.
fn text(message: &impl serde::Serialize) -> axum::extract::ws::Utf8Bytes {
    // No message has a map with keys that are not strings, the only value that JSON cannot have.
    serde_json::to_string(message).unwrap_or_default().into()
}
