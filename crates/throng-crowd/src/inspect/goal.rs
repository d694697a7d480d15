//! What somebody wants now.

use glam::Vec2;
use throng_world::scene::{Aim, LayerId, RegionId, Target};

use crate::PersonId;
use crate::crowd::Crowd;
use crate::destination::aim_in;
use crate::guidance::Course;
use crate::step::Foreseen;

/// The goal that somebody pursues.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentGoal {
    /// Its number in their plan, from zero.
    pub index: usize,
    /// How many goals the plan has.
    pub count: usize,
    /// What is wanted.
    pub aim: Aim,
    /// For how long they have pursued it, s.
    pub time_spent: f32,
    /// How long they still can, s; may be infinite.
    pub time_left: f32,
    /// Speed that they like to walk at for it, m/s.
    pub speed: f32,
    /// The place in question now, for goals that are about one: where to, or what from.
    pub target: Option<(LayerId, Vec2)>,
    /// The region in question. Of several, the one that was chosen.
    pub region: Option<RegionId>,
    /// Whoever is pursued or fled.
    pub person: Option<PersonId>,
}

impl Crowd {
    /// The goal of the person in a row, as they are going to pursue it.
    pub(super) fn current_goal(&self, row: usize, foreseen: &Foreseen) -> Option<CurrentGoal> {
        let state = &foreseen.goal;
        let goal = self.plans.goal(state).filter(|_| state.is_begun())?;
        let region = match &goal.aim {
            Aim::SeekRegion { region } | Aim::SeekRandom { region, .. } => Some(*region),
            Aim::SeekNearest { regions } => {
                let to = self.requests().destinations(self.guidance.as_ref());
                foreseen.memory.region.or_else(|| to.straight_nearest(row, regions))
            }
            _ => None,
        };
        let person = match goal.aim {
            Aim::SeekTarget { target, .. } | Aim::FleeTarget { target, .. } => match target {
                Target::Person { group, index } => self.people.listed_person(group, index),
                Target::Group(_) => foreseen.memory.quarry,
            },
            _ => None,
        };
        let target = match goal.aim {
            Aim::Seek { .. } | Aim::SeekRandom { .. } => Some((state.floor, state.target)),
            Aim::SeekRegion { .. } | Aim::SeekNearest { .. } => region.map(|region| {
                let layer = self.world.region(region).layer;
                let is_seen = self.guidance.is_none() || state.course == Course::Straight;
                let from = self.people.positions[row];
                let aim = || aim_in(self.world.region(region), from, state.target);
                (layer, if is_seen { aim() } else { state.target })
            }),
            Aim::SeekTarget { .. } | Aim::FleeTarget { .. } => person
                .and_then(|id| self.people.row(id))
                .map(|row| (self.people.layers[row], self.people.positions[row])),
            Aim::Follow { ref line, .. } => line.last().copied(),
            Aim::Flee { point, layer, .. } => Some((layer, point)),
            Aim::Flow { .. } | Aim::FollowCrowd | Aim::Idle => None,
        };
        Some(CurrentGoal {
            index: state.goal as usize,
            count: self.plans.of(state).goals.len(),
            aim: goal.aim.clone(),
            time_spent: self.world.time_since(state.since),
            time_left: state.remaining.max(0.0),
            speed: state.speed,
            target,
            region,
            person: person.filter(|&id| self.people.row(id).is_some()),
        })
    }
}
