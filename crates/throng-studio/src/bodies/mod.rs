//! People with bodies, for whoever looks closely.
//!
//! A page says how it looks at the crowd ([`Focus`]), the engine's scaler decides what everybody is worth, and bodies follow the
//! simulation or the recording without ever touching it ([`StudioBodies`]). What pages need to draw them: the looks, once
//! (`wardrobe`), who has which, once for each person (`roles`), the poses of those with bodies of their own, again and again
//! (`poses`), and with each frame everybody's level and where in their gait they are (`Standing`).

mod focus;
mod poses;
mod roles;
#[cfg(test)]
mod samples;
mod skate;
mod studio_bodies;
mod wardrobe;

pub(crate) use focus::{Foci, Focus, needs};
pub(crate) use roles::RoleLog;
#[cfg(test)]
pub(crate) use samples::samples;
pub(crate) use studio_bodies::{Following, StudioBodies};
pub(crate) use wardrobe::{Wardrobe, dressing};
