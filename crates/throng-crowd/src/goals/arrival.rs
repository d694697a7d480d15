//! Where many want to the same place: who is there, who makes room, and who closes up.

use glam::Vec2;
use throng_world::scene::Aim;

use super::{GoalContext, Intent};
use crate::PersonId;
use crate::intents::{GoalPhase, GoalState, Pursuit};
use crate::plans::Plan;
use crate::status::Status;
use crate::step::BLOCKED_PACE;

/// Who has arrived and is this near to the very point stands still, m.
const SETTLED: f32 = 0.1;

/// How fast people go the last half metre, m/s.
const SETTLING_SPEED: f32 = 0.4;

/// How long they try, s.
const SETTLING_TIME: f32 = 5.0;

/// Who has arrived and is then pushed this much further from the point tries again, m.
const DISPLACED: f32 = 0.5;

/// How often people who cannot get nearer to a place look whether there is room for them at all, s.
const ROOM_PERIOD: f32 = 0.5;

/// The share of a disc that people stand on when it is full: without pressing, since random packings
/// of discs end at 0.82.
const FULL: f64 = 0.5;

/// Around a place that is further away than this, m, nobody looks for room yet.
const LARGEST_GATHERING: f32 = 15.0;

/// Those who stand make room for others who come this near, m.
const PASSING: f32 = 1.2;

/// How far ahead those who close up want room, m.
const STRIDE: f32 = 0.3;

impl GoalContext<'_> {
    /// Those who have arrived at a point step up to it, and back to it when they are pushed away, so
    /// that nobody waits on somebody else's spot.
    pub(super) fn settle(&self, row: usize, plan: &Plan, state: &mut Pursuit) -> Intent {
        let (point, within) = match plan.goals.last().map(|goal| &goal.aim) {
            Some(&Aim::Seek { point, layer, within }) if layer == self.people.layers[row] => {
                (point, within)
            }
            Some(&Aim::SeekRandom { within, .. }) => (state.target, within),
            Some(&Aim::Follow { within, .. }) if state.floor == self.people.layers[row] => {
                (state.target, within)
            }
            _ => return Intent { velocity: self.make_room(row), status: Status::Arrived },
        };
        let way = point - self.people.positions[row];
        let distance = way.length();
        // Where there is no room for all, trying on for ever would keep everyone jostling. When
        // there is some again, the crowd closes up.
        let closes_up = || {
            state.remaining < 0.0
                && distance > within + DISPLACED
                && self.is_due(row, ROOM_PERIOD)
                && self.is_room_at(row, self.people.positions[row] + way / distance * STRIDE)
        };
        if !state.is_begun() || closes_up() {
            state.phase = GoalPhase::Begun;
            state.remaining = SETTLING_TIME;
        }
        let aside = self.make_room(row);
        if aside != Vec2::ZERO || distance < SETTLED || state.remaining < 0.0 {
            return Intent { velocity: aside, status: Status::Arrived };
        }
        Intent { velocity: way.clamp_length_max(SETTLING_SPEED), status: Status::Arrived }
    }

    /// Whether the person in `row`, who does not get on or walks round others, sees in this step if
    /// there is any room where they are going.
    pub fn looks_for_room(&self, row: usize, state: &GoalState) -> bool {
        let is_hindered = self.people.paces[row] < BLOCKED_PACE || state.detour != 0;
        is_hindered && self.is_due(row, ROOM_PERIOD)
    }

    /// Where somebody who stands steps to let others pass who come up to them: away from the line
    /// they walk along.
    fn make_room(&self, row: usize) -> Vec2 {
        let (position, radius) = (self.people.positions[row], self.people.radii[row]);
        // The nearest one, by distance and id: no order of people may matter.
        let mut nearest: Option<(f32, u32, Vec2)> = None;
        let near = self.grid.around(self.people.layers[row], position, PASSING);
        for other in near.filter(|other| !other.stands()) {
            // Rows may have changed since the grid was built.
            let walker = self.people.row(PersonId(other.id()));
            let Some(walker) = walker.filter(|&walker| walker != row) else { continue };
            let (facing, to_me) = (self.people.facings[walker], position - other.position());
            let (ahead, beside) = (facing.dot(to_me), facing.perp_dot(to_me));
            let berth = radius + other.radius();
            let is_nearer = nearest.is_none_or(|(near, id, _)| (ahead, other.id()) < (near, id));
            if ahead >= 0.0 && beside.abs() < berth && is_nearer {
                let side = if beside < 0.0 { -1.0 } else { 1.0 };
                let aside = facing.perp() * (side * (1.0 - beside.abs() / berth));
                nearest = Some((ahead, other.id(), aside));
            }
        }
        nearest.map_or(Vec2::ZERO, |(_, _, aside)| aside * SETTLING_SPEED)
    }

    /// Whether nobody else is where the person in `row` would be at `point`.
    fn is_room_at(&self, row: usize, point: Vec2) -> bool {
        let (layer, radius) = (self.people.layers[row], self.people.radii[row]);
        self.grid.around(layer, point, 2.0 * radius + STRIDE).all(|other| {
            let apart = radius + other.radius();
            other.id() == self.people.ids[row]
                || other.position().distance_squared(point) >= apart * apart
        })
    }

    /// Whether others who stand fill all the ground around `point` that is nearer to it than the person in
    /// `row` is: they are as near as they can be, and have arrived. So a crowd fills a place from
    /// the middle.
    pub(super) fn is_full(&self, row: usize, point: Vec2, distance: f32) -> bool {
        if distance > LARGEST_GATHERING {
            return false;
        }
        // In square millimetres, which add up to the same in any order.
        let square = |length: f32| (f64::from(length * length) * 1e6) as u64;
        let nearer = self.grid.around(self.people.layers[row], point, distance);
        let others = nearer.filter(|other| other.stands() && other.id() != self.people.ids[row]);
        let covered: u64 = others.map(|other| square(other.radius())).sum();
        covered as f64 >= FULL * square(distance) as f64
    }
}
