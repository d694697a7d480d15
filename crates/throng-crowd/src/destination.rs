//! Where people go who want to be in a region, and in which of several.
//!
//! Not everybody goes to the same place of a region: each draws a few and takes the nearest. Those who see the region
//! cross its border towards that place, but hardly leave the shortest way for it ([`aim_in`]): a crowd that comes
//! from one point uses the width of a gate. Among regions, the one with the shortest way counts, where crowded ways seem longer, and so does waiting
//! for those who are there already: so the exits of a hall share the crowd.

use glam::Vec2;
use throng_base::random::{Purpose, Stream};
use throng_nav::{Corridor, Search};
use throng_world::scene::{Region, RegionId};

use crate::guidance::{Guidance, Request};
use crate::population::Population;
use crate::world::World;

/// Of so many places in a region, people choose the nearest.
const CHOICE: u32 = 3;

/// Ratio of the sideways shift of the aim in a region in sight to the distance left. People who walk at this slope
/// walk 2 % farther than straight ahead; with 0, all who come from one point enter a wide gate at one point.
const SPREAD: f32 = 0.2;

/// Distance of the aim beyond the border of a region, m, so that the border is crossed.
const BEYOND_BORDER: f32 = 0.2;

/// How many people get through a gate per metre of its width and second, as people judge it.
const FLOW: f64 = 1.3;

/// What is narrow on the last so many metres of a way is shared by all who go there, and who is there
/// waits for it, m.
pub(crate) const APPROACH: f32 = 15.0;

/// What places are chosen by.
#[derive(Clone, Copy)]
pub(crate) struct Destinations<'a> {
    pub world: &'a World,
    pub people: &'a Population,
    /// Ways, if anything is in the way.
    pub guidance: Option<&'a Guidance>,
}

impl Destinations<'_> {
    /// The draws of the person in `row`, the same for companions, for a goal, which is the `count`-th that they begin.
    pub fn draws(&self, row: usize, count: u32) -> Stream {
        let who = self.people.chance_id(row);
        self.world.random.stream(who.into(), count.into(), Purpose::Goal)
    }

    /// A random point of a region where the person in `row` has room, or any if there is hardly one.
    pub fn free_point(&self, row: usize, region: &Region, draws: &mut Stream) -> Vec2 {
        const TRIES: usize = 30;
        let mut point = region.polygon.random_point(draws);
        let Some(guidance) = self.guidance else { return point };
        for _ in 0..TRIES {
            let clearance = guidance.map.clearance(region.layer, point.as_dvec2());
            if clearance >= self.people.radii[row].into() {
                break;
            }
            point = region.polygon.random_point(draws);
        }
        point
    }

    /// The place of a region that the person in `row` goes to if they do not see it.
    pub fn place_in(&self, row: usize, region: &Region, draws: &mut Stream) -> Vec2 {
        let position = self.people.positions[row];
        let distance = |point: &Vec2| point.distance_squared(position);
        let places = (0..CHOICE).map(|_| self.free_point(row, region, draws));
        places.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(position)
    }

    /// The region whose border is nearest to the person in `row`, on their own floor if possible.
    pub fn straight_nearest(&self, row: usize, regions: &[RegionId]) -> Option<RegionId> {
        let (position, layer) = (self.people.positions[row], self.people.layers[row]);
        let key = |id: RegionId| {
            let way = self.world.entry(id, position) - position;
            (self.world.region(id).layer != layer, way.length_squared())
        };
        let keyed = regions.iter().map(|&id| (key(id), id));
        let nearest = keyed.min_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        nearest.map(|(_, id)| id)
    }

    /// Which of `regions` the way of somebody who asks is to lead to, and to which place in it;
    /// `None` if no way leads to any. `queues` says how many wait before each region.
    pub fn choose(
        &self,
        search: &mut Search,
        request: &Request,
        regions: &[RegionId],
        queues: &[u32],
        draws: &mut Stream,
    ) -> Option<(RegionId, Vec2)> {
        let guidance = self.guidance?;
        let region = |id: RegionId| self.world.region(id);
        let places: Vec<Vec2> =
            regions.iter().map(|&id| self.place_in(request.row, region(id), draws)).collect();
        let end = |(&id, place): (&RegionId, &Vec2)| (region(id).layer, place.as_dvec2());
        let ends: Vec<_> = regions.iter().zip(&places).map(end).collect();
        let from = (request.layer, request.from.as_dvec2());
        let (walker, extras) = guidance.preferences(request, self.world.random);
        let waiting = |number: usize, way: &Corridor| {
            let queue = f64::from(queues[regions[number].0 as usize]);
            // Where one waits already, half of the others are behind on the average. So nobody gives
            // up a place for one that is hardly better.
            let ahead = if Some(regions[number]) == request.chosen { 0.5 * queue } else { queue };
            let queueing = f64::from(request.speed) * ahead / (FLOW * gate(way));
            // While one walks there, the queue gets on as well.
            (queueing - way.shortest_path(walker.clearance()).length()).max(0.0)
        };
        let (chosen, _) = guidance.map.nearest(search, from, &ends, &walker, extras, waiting)?;
        Some((regions[chosen], places[chosen]))
    }
}

/// Returns the point of a region that a person at `position` who sees it heads for: its nearest point, shifted towards
/// their own `place` in it by at most [`SPREAD`] times the distance left, and a little beyond the border.
pub(crate) fn aim_in(region: &Region, position: Vec2, place: Vec2) -> Vec2 {
    let nearest = region.polygon.nearest_point(position);
    let shift = (place - nearest).clamp_length_max(SPREAD * nearest.distance(position));
    let entry = region.polygon.nearest_point(nearest + shift);
    entry + (entry - position).normalize_or_zero() * BEYOND_BORDER
}

/// The width of the narrowest place on the last metres of a way, m.
fn gate(way: &Corridor) -> f64 {
    let (slices, goal) = (way.slices(), way.to().point);
    let near =
        slices.iter().rev().take_while(|slice| slice.centre.distance(goal) < APPROACH.into());
    2.0 * near.map(|slice| slice.clearance).fold(way.to().anchor.clearance, f64::min)
}
