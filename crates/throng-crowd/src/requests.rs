//! Requests for ways: what somebody wants to know who asks for one.

use throng_nav::EdgeId;
use throng_world::scene::{Aim, Goal, RegionId, Ways};

use crate::destination::{APPROACH, Destinations, aim_in};
use crate::guidance::{Course, Guidance, Request, Tolls};
use crate::intents::Intents;
use crate::line::{Lane, lane_of};
use crate::plans::Plans;
use crate::population::Population;
use crate::world::World;

/// What requests are made of.
#[derive(Clone, Copy)]
pub(crate) struct RequestContext<'a> {
    pub world: &'a World,
    pub people: &'a Population,
    pub intents: &'a Intents,
    pub plans: &'a Plans,
}

impl<'a> RequestContext<'a> {
    /// What the person in a row wants, if they are not done.
    pub fn goal(&self, row: usize) -> Option<&'a Goal> {
        self.plans.goal(&self.intents.goals[row])
    }

    /// The regions of which the person in a row wants to be in any.
    pub fn choices(&self, row: usize) -> Option<&'a [RegionId]> {
        match &self.goal(row)?.aim {
            Aim::SeekNearest { regions } if !regions.is_empty() => Some(regions),
            _ => None,
        }
    }

    /// What the person in a row walks along, if they follow a line.
    pub fn lane(&self, row: usize) -> Option<Lane<'a>> {
        lane_of(self.goal(row)?, self.people, row, self.world.random)
    }

    /// What the person in a row wants to know.
    pub fn request(&self, row: usize) -> Request {
        let (people, state) = (self.people, &self.intents.goals[row]);
        let memory = self.intents.memories.value(row);
        let from = people.positions[row];
        let aim = |region| aim_in(self.world.region(region), from, state.target);
        let nearer = match self.goal(row).map(|goal| &goal.aim) {
            Some(&Aim::SeekRegion { region }) => aim(region),
            Some(Aim::SeekNearest { .. }) => memory.region.map_or(state.target, aim),
            _ => state.target,
        };
        Request {
            row,
            id: people.ids[row],
            whim: people.chance_id(row),
            from,
            start: self.first_companion(row).map_or(from, |first| people.positions[first]),
            layer: people.layers[row],
            to: state.target,
            floor: state.floor,
            nearer,
            radius: people.radii[row],
            speed: state.speed,
            along: memory.along,
            chosen: memory.region,
            avoids: None,
            tolls: Tolls::default(),
            temperament: people.temperament(row),
        }
    }

    /// The gate that the person in a row has waited before for too long.
    pub fn gate_before(&self, row: usize, guidance: &Guidance) -> Option<EdgeId> {
        let is_impatient = self.intents.goals[row].course == Course::Impatient;
        let route = self.intents.routes[row].as_ref().filter(|_| is_impatient)?;
        guidance.gate_ahead(route, self.people.layers[row], self.people.positions[row])
    }

    /// Whether the person in a row takes one of many ways: at first, and whoever is stuck there looks for
    /// the best one.
    pub fn is_dealt_a_way(&self, row: usize) -> bool {
        let wants = self
            .goal(row)
            .is_some_and(|goal| goal.ways == Ways::Many && !matches!(goal.aim, Aim::Follow { .. }));
        wants && !self.intents.memories.value(row).dealt
    }

    /// Whether somebody on the way to a region is so near that others have to wait for them.
    pub fn queues_at(&self, row: usize, region: RegionId) -> bool {
        let position = self.people.positions[row];
        self.people.layers[row] == self.world.region(region).layer
            && self.world.entry(region, position).distance(position) < APPROACH
    }

    /// How places are chosen with or without ways.
    pub fn destinations(&self, guidance: Option<&'a Guidance>) -> Destinations<'a> {
        Destinations { world: self.world, people: self.people, guidance }
    }
}
