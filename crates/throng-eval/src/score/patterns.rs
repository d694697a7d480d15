//! Patterns that walks should not have (after SteerBug): swaying to and fro, standing still on the
//! way, and spinning round. Each is a condition on the last few seconds; moments at which it holds are
//! merged into events with a beginning, an end and a place.

use std::cmp::Ordering;

use glam::Vec2;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use throng_base::named_enum;
use throng_world::scene::LayerId;

/// So many flips within a window are an oscillation.
pub(super) const OSCILLATION_FLIPS: u32 = 3;
/// Who has come no farther within a window is deadlocked, m, unless the goal is near.
pub(super) const DEADLOCK_DISPLACEMENT: f64 = 0.1;
/// Who is nearer to their goal than this, m, has nearly got there, and is not deadlocked.
pub const DEADLOCK_GOAL: f64 = 1.0;
/// Nobody turns faster, deg/s.
pub(super) const SPIN: f64 = 720.0;

named_enum! {
    /// What somebody should not do.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Pattern {
        /// Turns round three times or more within a window.
        Oscillation = "oscillation",
        /// Moves less than 0.1 m within a window, more than 1 m from the goal.
        Deadlock = "deadlock",
        /// Turns faster than 720 degrees per second.
        Spin = "spin",
    }
}

/// A pattern that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// What it was.
    pub pattern: Pattern,
    /// Whose.
    pub person: u32,
    /// When it began, s.
    pub from: f64,
    /// When it was last seen, s.
    pub to: f64,
    /// Where it was first seen.
    #[serde(serialize_with = "write_place", deserialize_with = "read_place")]
    pub place: Vec2,
    /// On which floor.
    #[serde(serialize_with = "write_layer", deserialize_with = "read_layer")]
    pub layer: LayerId,
}

impl Event {
    /// The order in which events begin; of those that begin at once, by person and pattern.
    pub fn order(&self, other: &Self) -> Ordering {
        let key = |event: &Self| (event.person, event.pattern);
        self.from.total_cmp(&other.from).then(key(self).cmp(&key(other)))
    }
}

/// The events of one person that may still go on, by pattern: their numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ongoing([Option<u32>; 3]);

impl Ongoing {
    /// Takes note of something that was seen: part of the last event if they touch, or a new one.
    pub fn see(&mut self, seen: Event, events: &mut Vec<Event>) {
        let ongoing = &mut self.0[seen.pattern as usize];
        let last = ongoing.and_then(|number| events.get_mut(number as usize));
        match last.filter(|last| seen.from <= last.to) {
            Some(last) => last.to = seen.to,
            None => {
                *ongoing = Some(events.len() as u32);
                events.push(seen);
            }
        }
    }
}

fn write_place<S: Serializer>(place: &Vec2, serializer: S) -> Result<S::Ok, S::Error> {
    place.to_array().serialize(serializer)
}

fn read_place<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec2, D::Error> {
    <[f32; 2]>::deserialize(deserializer).map(Vec2::from)
}

fn write_layer<S: Serializer>(layer: &LayerId, serializer: S) -> Result<S::Ok, S::Error> {
    layer.0.serialize(serializer)
}

fn read_layer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<LayerId, D::Error> {
    u8::deserialize(deserializer).map(LayerId)
}
