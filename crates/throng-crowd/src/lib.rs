//! How people move: the population, who is near whom, steering models, goals and contacts.
//!
//! A [`Crowd`] is a set of people in a [`Setting`] (floors, walls, regions). Each has a [`Plan`] of
//! goals and a steering model; [`Crowd::step`] advances all of them by a fixed time step. The same
//! people, seed and step give the same bits on any number of threads.

mod adopt;
mod assemble;
mod character;
mod check;
mod columns;
mod companions;
mod contact;
mod crowd;
mod destination;
mod direction;
mod effort;
mod fields;
mod goals;
mod grid;
mod ground;
mod guidance;
mod inspect;
mod intents;
mod jams;
mod line;
mod many;
mod neighbours;
mod newcomers;
mod obstruction;
mod parts;
mod placement;
mod plans;
mod population;
mod profiles;
mod recipe;
mod requests;
mod source;
mod standing;
mod status;
pub mod steering;
mod step;
mod tie;
mod timings;
mod traffic;
mod workers;
mod world;

pub use character::{Character, Stance};
pub use check::CrowdError;
pub use contact::{LARGEST_PUSH as CONTACT_PUSH, TOLERANCE as CONTACT_TOLERANCE};
pub use crowd::{Appearance, Crowd, Doing, PersonState};
pub use effort::Effort;
pub use fields::{Arrows, FieldRefusal, LiveField, NewField};
pub use ground::{ObstacleError, ObstacleId};
pub use inspect::{
    CurrentGoal, Decision, FreeDisc, Inspection, Leading, Names, Neighbour, WayAhead, WayKind,
    WayPoint,
};
pub use neighbours::MAX_NEIGHBOURS;
pub use plans::Plan;
pub use population::{NewPerson, PersonId};
pub use status::{Obstruction, Status};
pub use steering::{Condition, Conduct};
pub use step::{Embodiment, Move};
pub use timings::{Stage, StageTimes};
pub use world::Setting;
