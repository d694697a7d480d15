//! Following a line: walking along what somebody has sketched, to its end.

use throng_world::scene::Goal;

use super::{GoalContext, Verdict};
use crate::guidance::{Course, Route};
use crate::intents::{GoalPhase, GoalState, Pursuit};
use crate::line::{LOOK_AHEAD, Lane, lane_of};
use crate::status::Status;

/// Who is near the end of a line has come to it, and not only passed by on the way, if what is left of
/// the line is no longer than this times the distance.
const STRAIGHT: f32 = 2.0;

impl GoalContext<'_> {
    pub(super) fn follow_line(
        &self,
        row: usize,
        goal: &Goal,
        state: &mut Pursuit,
        route: Option<&mut Route>,
        within: f32,
    ) -> Verdict {
        if self.guidance.is_none() {
            return match lane_of(goal, self.people, row, self.world.random) {
                Some(lane) => self.follow_in_the_open(row, state, &lane, within),
                None => Verdict::Achieved,
            };
        }
        match state.course {
            // Something was put up where all was open.
            Course::Straight => {
                state.course = Course::Asked;
                state.phase = GoalPhase::ToPoint;
                state.within_squared = within * within;
            }
            Course::Lost | Course::LostAndAsked => return self.lost(row, state),
            Course::Asked | Course::CutOff | Course::Impatient | Course::Stuck | Course::Routed => {
            }
        }
        if let Some(line) = route.and_then(Route::line) {
            line.advance(self.people.layers[row], self.people.positions[row].as_dvec2());
            state.memory.along = line.along();
            if line.is_last && self.is_at_end(row, state, line.left() as f32, within) {
                return Verdict::Achieved;
            }
        }
        Verdict::Follow
    }

    /// Along a line where nothing is in the way.
    fn follow_in_the_open(
        &self,
        row: usize,
        state: &mut Pursuit,
        lane: &Lane,
        within: f32,
    ) -> Verdict {
        let (position, layer) = (self.people.positions[row], self.people.layers[row]);
        state.memory.along = lane.advance(state.memory.along, position);
        if self.is_at_end(row, state, lane.left(state.memory.along), within) {
            return Verdict::Achieved;
        }
        let (_, (floor, aim)) = lane.further(state.memory.along, LOOK_AHEAD);
        if !self.world.are_joined(layer, floor) {
            return Verdict::Stand(Status::NoPath);
        }
        Verdict::Walk(self.round(row, state, aim - position))
    }

    /// Whether somebody with `left` metres of the line before them is where it ends, or as near as those
    /// who are there let them.
    fn is_at_end(&self, row: usize, state: &GoalState, left: f32, within: f32) -> bool {
        let distance = self.people.positions[row].distance(state.target);
        self.people.layers[row] == state.floor
            && left <= STRAIGHT * distance.max(within)
            && (distance <= within
                || (self.looks_for_room(row, state) && self.is_full(row, state.target, distance)))
    }
}
