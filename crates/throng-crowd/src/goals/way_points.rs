//! Way-points: goals that lead past walls to the next goal.
//!
//! Without navigation an author leads people through a door by a goal in it. In a press two things go wrong with that:
//! a person is pushed back behind the wall after touching the way-point ([`GoalContext::lost_way_point`]), or is
//! carried past it without touching it ([`GoalContext::has_passed`]) and would turn back against the crowd.

use glam::Vec2;
use throng_world::scene::{Aim, Then};

use super::GoalContext;
use crate::intents::GoalState;

/// Who has been pushed back no farther than this, m, from where they were told to go first makes for it
/// again. Nobody is pushed farther in a press, and who walks on by themselves is soon beyond it.
const PUSHED_BACK: f32 = 3.0;

/// Distance from a way-point, beyond its own radius, within which it can be passed, m: about the width of a body. More,
/// and a goal across the street counts as reached; less, and people squeezed past a door's edge turn back.
const PASSED_WITHIN: f32 = 0.6;

impl GoalContext<'_> {
    /// Returns whether a person has passed the way-point `way` from them without touching it: it is close by and behind,
    /// and they move away from it towards the next goal, which is in sight. A person or a random place is not a
    /// way-point.
    pub(super) fn has_passed(&self, row: usize, state: &GoalState, way: Vec2, within: f32) -> bool {
        if way.length_squared() > (within + PASSED_WITHIN).powi(2) {
            return false;
        }
        let goal = self.plans.goal(state);
        if !goal.is_some_and(|goal| matches!(goal.aim, Aim::Seek { .. } | Aim::SeekRegion { .. })) {
            return false;
        }
        let (position, velocity) = (self.people.positions[row], self.people.velocities[row]);
        let Some(next) = self.next_place(row, state) else { return false };
        let onwards = next - position;
        way.dot(onwards) < 0.0
            && way.dot(velocity) < 0.0
            && onwards.dot(velocity) > 0.0
            && self.world.walls().crossing(self.people.layers[row], position, next).is_none()
    }

    /// Returns the place of the goal after the current one, if it is a point or a region on the person's floor.
    fn next_place(&self, row: usize, state: &GoalState) -> Option<Vec2> {
        let plan = self.plans.of(state);
        let first = plan.goals.first().filter(|_| plan.then == Then::Repeat);
        match plan.goals.get(state.goal as usize + 1).or(first)?.aim {
            Aim::Seek { point, layer, .. } if layer == self.people.layers[row] => Some(point),
            Aim::SeekRegion { region }
                if self.world.region(region).layer == self.people.layers[row] =>
            {
                Some(self.world.entry(region, self.people.positions[row]))
            }
            _ => None,
        }
    }

    /// The goal before the current one, if it was a place from which somebody has been pushed back behind
    /// a wall. Without ways, goals are way-points: each leads past walls to the next. Who has touched
    /// one, a door for instance, and is then pushed back by others would press against the wall beside
    /// it for ever.
    pub(super) fn lost_way_point(&self, row: usize, state: &GoalState, point: Vec2) -> Option<u16> {
        let (position, layer) = (self.people.positions[row], self.people.layers[row]);
        if !self.is_stuck(row) || self.world.walls().crossing(layer, position, point).is_none() {
            return None;
        }
        let plan = self.plans.of(state);
        let before = match (state.goal.checked_sub(1), plan.then) {
            (Some(before), _) => before,
            (None, Then::Repeat) if plan.goals.len() > 1 && state.count > 1 => {
                plan.goals.len() as u16 - 1
            }
            (None, _) => return None,
        };
        let (place, within) = match plan.goals[before as usize].aim {
            Aim::Seek { point, layer: floor, within } if floor == layer => (point, within),
            Aim::SeekRegion { region } if self.world.region(region).layer == layer => {
                (self.world.entry(region, position), 0.0)
            }
            _ => return None,
        };
        let distance = position.distance(place);
        (distance > within && distance < within + PUSHED_BACK).then_some(before)
    }
}
