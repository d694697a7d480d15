//! People with bodies, for whoever looks closely.
//!
//! A page says where it looks ([`Focus`]), the nearest people get bodies (`focus`), and the bodies follow the
//! simulation or the recording without ever touching it ([`Troupe`]). What pages need to draw them are two
//! messages: the looks, once (`wardrobe`), and everybody's pose, again and again (`poses`).

mod focus;
mod poses;
mod skate;
mod troupe;
mod wardrobe;

pub(crate) use focus::{Foci, Focus, choose};
pub(crate) use troupe::Troupe;
pub(crate) use wardrobe::{Wardrobe, dressing};
