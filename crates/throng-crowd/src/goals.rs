//! What people want: from lists of goals to preferred velocities.

mod arrival;
mod detour;
mod following;
mod way_points;

use crate::steering::gains;
pub(crate) use detour::turn_of;
use glam::Vec2;
use throng_world::scene::{Aim, Goal, GroupId, LayerId, RegionId, Target, Then};

use crate::PersonId;
use crate::destination::{Destinations, aim_in};
use crate::grid::Grid;
use crate::guidance::{Course, Guidance, Onlooker, Outlook, Route};
use crate::intents::{GoalPhase, GoalState, Pursuit};
use crate::line::lane_of;
use crate::plans::Plans;
use crate::population::Population;
use crate::profiles::StoredProfile;
use crate::status::Status;
use crate::steering::Models;
use crate::step::BLOCKED_PACE;
use crate::world::World;

/// How far those are whom [`Aim::FollowCrowd`] takes its direction from, m.
const CROWD_RADIUS: f32 = 3.0;

/// How often people who walk straight to a place make sure that they still see it, s.
const SIGHT_PERIOD: f32 = 2.0;

/// How often people who are blocked, or who found no way, ask for another one, s.
const DETOUR_PERIOD: f32 = 5.0;

/// Who has been blocked for less than this, s, does not ask: in a busy street one waits for a moment
/// now and then, and gets on.
const SHORT_STOP: f32 = 3.0;

/// Who walks with others bears it so many times as long: another way may lead them away from each other.
const IN_COMPANY: f32 = 4.0;

/// Who follows somebody asks for a new way when that person is this far from where they were, m, and
/// further if the way is long.
const ASTRAY: f32 = 1.0;

/// How often people who pursue or flee a group look for its nearest member, s.
const QUARRY_PERIOD: f32 = 0.5;

/// What goals are judged by: the state of the world at the beginning of a step. Nothing of it is what goals change.
#[derive(Clone, Copy)]
pub(crate) struct GoalContext<'a> {
    pub world: &'a World,
    pub people: &'a Population,
    pub models: &'a Models,
    pub plans: &'a Plans,
    /// As it was at the last step.
    pub grid: &'a Grid,
    /// Ways, if anything is in the way.
    pub guidance: Option<&'a Guidance>,
}

/// What someone is up to in this step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Intent {
    pub velocity: Vec2,
    pub status: Status,
}

/// Verdict on one goal.
enum Verdict {
    Achieved,
    /// Head this way; the distance left limits the speed.
    Walk(Vec2),
    /// Head in this direction for as long as it takes.
    WalkOn(Vec2),
    /// Along the route, which leads there.
    Follow,
    /// First back to the goal with this index, from the next step on.
    Regain(u16),
    Stand(Status),
}

impl GoalContext<'_> {
    /// Advances `state`, the goals of the person in `row`, and says what they do about them. Time has
    /// passed for it already.
    pub fn consider(
        &self,
        row: usize,
        state: &mut Pursuit,
        outlook: &mut Outlook,
        route: &mut Option<Box<Route>>,
    ) -> Intent {
        if state.is_to_point() && state.course == Course::Routed && state.remaining >= 0.0 {
            let way = state.target - self.people.positions[row];
            let is_there = self.people.layers[row] == state.floor
                && way.length_squared() <= state.within_squared;
            let looks = |route: &Route| route.ends_line() && self.looks_for_room(row, state);
            if let Some(route) = route
                && !is_there
                && !looks(route)
            {
                return self.follow(row, state, outlook, route);
            }
        }
        let plan = self.plans.of(state);
        // Each goal gets one chance per step: a plan of goals that are all achieved at once must
        // not spin.
        for _ in 0..=plan.goals.len() {
            let Some(goal) = plan.goals.get(state.goal as usize) else {
                match plan.then {
                    Then::Stay => return self.settle(row, plan, state),
                    Then::Leave => {
                        state.phase = GoalPhase::Leaving;
                        return stand(Status::Arrived);
                    }
                    Then::Repeat => state.goal = 0,
                }
                continue;
            };
            if !state.is_begun() {
                self.begin(row, goal, state);
                *route = None;
            }
            if state.remaining >= 0.0 {
                match self.judge(row, goal, state, route.as_deref_mut()) {
                    Verdict::Achieved => {}
                    Verdict::Stand(status) => return stand(status),
                    Verdict::WalkOn(way) => return walk(way.normalize_or_zero() * state.speed),
                    Verdict::Walk(way) => return self.walk_to(way, state.speed),
                    Verdict::Regain(goal) => {
                        (state.goal, state.phase) = (goal, GoalPhase::Unbegun);
                        return stand(Status::Walking);
                    }
                    Verdict::Follow => {
                        return match route {
                            Some(route) => self.follow(row, state, outlook, route),
                            // Told in the next step.
                            None => stand(Status::Walking),
                        };
                    }
                }
            }
            state.goal += 1;
            state.phase = GoalPhase::Unbegun;
            state.course = Course::Straight;
        }
        stand(Status::Waiting)
    }

    /// Towards what lies `way` ahead, not further than it in one step.
    fn walk_to(&self, way: Vec2, speed: f32) -> Intent {
        let pace = (speed / way.length().max(1e-6)).min(1.0 / self.world.step());
        walk(way * pace)
    }

    /// Along a route, looking up now and then.
    fn follow(
        &self,
        row: usize,
        state: &mut Pursuit,
        outlook: &mut Outlook,
        route: &mut Route,
    ) -> Intent {
        let position = self.people.positions[row];
        if let Some(guidance) = self.guidance
            && (outlook.rest <= 0.0 || outlook.is_beside(position))
        {
            let onlooker = Onlooker {
                position,
                layer: self.people.layers[row],
                radius: self.people.radii[row],
                speed: state.speed,
                aim: outlook.aim,
            };
            match guidance.look_up(route, &onlooker) {
                Some(seen) => {
                    *outlook = seen;
                    if let Some(left) = route.left(position, seen.aim)
                        && !self.is_after_somebody(state)
                    {
                        self.notice_headway(row, state, left);
                    }
                }
                None => state.course = Course::Asked,
            }
            if let Some(line) = route.line() {
                state.memory.along = line.along();
                if line.until_renewal() < 0.0 {
                    state.course = Course::Asked;
                }
            }
        }
        let is_blocked = self.is_stuck(row) && self.is_blocked_for(row, self.bears(row));
        if is_blocked && state.course != Course::Stuck {
            state.course = Course::Asked;
        }
        if self.is_impatient(row) {
            state.course = Course::Impatient;
        }
        let way = self.round(row, state, outlook.aim - position);
        self.walk_to(way, state.speed)
    }

    /// Whether what is wanted is to get to somebody, who may walk away.
    fn is_after_somebody(&self, state: &GoalState) -> bool {
        let goal = self.plans.goal(state);
        goal.is_some_and(|goal| matches!(goal.aim, Aim::SeekTarget { .. }))
    }

    /// Whether somebody who hardly gets on is to look for another way in this step.
    pub fn is_stuck(&self, row: usize) -> bool {
        self.people.paces[row] < BLOCKED_PACE && self.is_due(row, DETOUR_PERIOD)
    }

    /// How long somebody bears to be blocked before they look for another way, s.
    fn bears(&self, row: usize) -> f32 {
        let company = if self.people.bond(row).party > 0 { IN_COMPANY } else { 1.0 };
        SHORT_STOP * gains::PATIENCE.of(self.people.temperament(row)) * company
    }

    /// Whether somebody has waited for so long before a gate that they look for another way in this step.
    #[inline(always)]
    pub fn is_impatient(&self, row: usize) -> bool {
        let StoredProfile { model, values, .. } = self.people.profile(row);
        let states = self.people.states.get(*model);
        states.is_some_and(|states| self.models.get(*model).is_impatient(states, row, values))
    }

    /// Whether somebody who is blocked has been so for a time, s.
    fn is_blocked_for(&self, row: usize, time: f32) -> bool {
        self.world.time_since(self.people.blocked_since[row]) >= time
    }

    /// Whether something that is done once per `period` is to be done in this step: at another time
    /// for everyone, so that not all do it at once.
    fn is_due(&self, row: usize, period: f32) -> bool {
        let period = (period / self.world.step()).ceil() as u64;
        (self.world.steps + u64::from(self.people.ids[row]) * 7).is_multiple_of(period.max(1))
    }

    /// Whether the person in `row` makes sure in this step that they see where they are going.
    pub fn looks_out(&self, row: usize) -> bool {
        self.is_due(row, SIGHT_PERIOD)
    }

    /// Asks for a way if `point`, which is on the same floor, is not in sight any more.
    fn make_sure(&self, row: usize, state: &mut Pursuit, point: Vec2) {
        let Some(guidance) = self.guidance.filter(|_| self.looks_out(row)) else { return };
        if !guidance.sees(self.people, row, point) {
            state.course = Course::Asked;
        } else if !self.is_after_somebody(state) {
            self.notice_headway(row, state, point.distance(self.people.positions[row]));
        }
    }

    fn begin(&self, row: usize, goal: &Goal, state: &mut Pursuit) {
        let speed = goal.speed.unwrap_or(self.people.preferred_speeds[row]);
        state.phase = GoalPhase::Begun;
        state.count += 1;
        state.since = self.world.steps as u32;
        state.detour = 0;
        // It ends in the step nearest to its end, whatever rounding makes of many steps.
        let time = goal.time_of(self.world.random, self.people.ids[row], state.count);
        state.remaining = time - 0.5 * self.world.step();
        state.speed = speed.min(self.people.max_speeds[row]);
        state.memory.quarry = None;
        state.memory.region = None;
        state.memory.along = 0.0;
        state.memory.dealt = false;
        (state.memory.left, state.memory.gained_at) = (f32::INFINITY, self.world.steps as u32);
        let asks = goal.aim.is_place() && self.guidance.is_some();
        state.course = match state.course {
            _ if !asks => Course::Straight,
            Course::CutOff => Course::CutOff,
            _ => Course::Asked,
        };
        let within = match goal.aim {
            Aim::Seek { point, layer, within } => {
                (state.target, state.floor) = (point, layer);
                within
            }
            Aim::SeekRandom { region, within } => {
                let to = self.destinations();
                let region = self.world.region(region);
                state.target = to.free_point(row, region, &mut to.draws(row, state.count));
                state.floor = region.layer;
                within
            }
            Aim::Follow { within, .. } => {
                let Some(lane) = lane_of(goal, self.people, row, self.world.random) else { return };
                (state.floor, state.target) = lane.end();
                if !asks {
                    let (layer, position) = (self.people.layers[row], self.people.positions[row]);
                    state.memory.along = lane.join(0.0, layer, position);
                    return;
                }
                within
            }
            Aim::SeekRegion { region } => return self.head_for(row, region, state),
            Aim::SeekNearest { ref regions } => {
                // A guess, until they are told the way.
                let nearest = self.destinations().straight_nearest(row, regions);
                return nearest.map_or((), |region| self.head_for(row, region, state));
            }
            _ => return,
        };
        state.within_squared = within * within;
        state.phase = GoalPhase::ToPoint;
    }

    /// Draws the place in a region that they go to.
    fn head_for(&self, row: usize, id: RegionId, state: &mut Pursuit) {
        let (to, region) = (self.destinations(), self.world.region(id));
        state.target = to.place_in(row, region, &mut to.draws(row, state.count));
        state.floor = region.layer;
    }

    fn destinations(&self) -> Destinations<'_> {
        Destinations { world: self.world, people: self.people, guidance: self.guidance }
    }

    fn judge(
        &self,
        row: usize,
        goal: &Goal,
        state: &mut Pursuit,
        route: Option<&mut Route>,
    ) -> Verdict {
        match goal.aim {
            Aim::Idle => Verdict::Stand(Status::Waiting),
            Aim::Flow { direction } => Verdict::WalkOn(direction),
            Aim::FollowCrowd => self.follow_crowd(row),
            Aim::Seek { within, .. } | Aim::SeekRandom { within, .. } => {
                let distance = self.people.positions[row].distance(state.target);
                if self.people.layers[row] == state.floor
                    && state.course == Course::Straight
                    && self.looks_for_room(row, state)
                    && self.is_full(row, state.target, distance)
                {
                    return Verdict::Achieved;
                }
                self.seek(row, state, state.target, state.floor, within)
            }
            Aim::SeekRegion { region } => self.seek_region(row, state, region),
            Aim::SeekNearest { ref regions } => {
                if regions.iter().any(|&region| self.is_in(row, region)) {
                    return Verdict::Achieved;
                }
                // What was chosen with the way; without ways, what is nearest is plain to see.
                let nearest = || self.destinations().straight_nearest(row, regions);
                let chosen = state.memory.region.or_else(nearest);
                // Who sees the way out but is stuck before it asks whether there is a better one.
                if state.course == Course::Straight && self.guidance.is_some() && self.is_stuck(row)
                {
                    state.course = Course::Asked;
                }
                match chosen {
                    Some(region) => self.seek_region(row, state, region),
                    None => Verdict::Achieved,
                }
            }
            Aim::SeekTarget { target, within } => match self.find(row, target, state) {
                Some(quarry) => {
                    let gap = self.people.radii[row] + self.people.radii[quarry] + within;
                    let (to, floor) = (self.people.positions[quarry], self.people.layers[quarry]);
                    self.keep_up(row, state, to, floor);
                    self.seek(row, state, to, floor, gap)
                }
                None => Verdict::Achieved,
            },
            Aim::Follow { within, .. } => self.follow_line(row, goal, state, route, within),
            Aim::Flee { point, layer: floor, beyond } => self.flee(row, point, floor, beyond),
            Aim::FleeTarget { target, beyond } => match self.find(row, target, state) {
                Some(hunter) => {
                    let (from, floor) = (self.people.positions[hunter], self.people.layers[hunter]);
                    self.flee(row, from, floor, beyond)
                }
                None => Verdict::Achieved,
            },
        }
    }

    fn is_in(&self, row: usize, id: RegionId) -> bool {
        let region = self.world.region(id);
        self.people.layers[row] == region.layer
            && region.polygon.contains(self.people.positions[row])
    }

    fn seek_region(&self, row: usize, state: &mut Pursuit, id: RegionId) -> Verdict {
        if self.is_in(row, id) {
            return Verdict::Achieved;
        }
        let region = self.world.region(id);
        let aim = aim_in(region, self.people.positions[row], state.target);
        self.seek(row, state, aim, region.layer, 0.0)
    }

    fn seek(
        &self,
        row: usize,
        state: &mut Pursuit,
        point: Vec2,
        floor: LayerId,
        within: f32,
    ) -> Verdict {
        let way = point - self.people.positions[row];
        let layer = self.people.layers[row];
        if layer == floor
            && (way.length_squared() <= within * within || self.has_passed(row, state, way, within))
        {
            return Verdict::Achieved;
        }
        if self.guidance.is_none() {
            let is_joined = self.world.are_joined(layer, floor);
            return match self.lost_way_point(row, state, point) {
                _ if !is_joined => Verdict::Stand(Status::NoPath),
                Some(goal) => Verdict::Regain(goal),
                None => Verdict::Walk(self.round(row, state, way)),
            };
        }
        match state.course {
            Course::Straight if layer == floor => {
                self.make_sure(row, state, point);
                Verdict::Walk(self.round(row, state, way))
            }
            Course::Straight => {
                state.course = Course::Asked;
                Verdict::Follow
            }
            Course::Asked | Course::CutOff | Course::Impatient | Course::Stuck | Course::Routed => {
                Verdict::Follow
            }
            Course::Lost | Course::LostAndAsked => self.lost(row, state),
        }
    }

    /// Who found no way stands, and asks again now and then.
    fn lost(&self, row: usize, state: &mut Pursuit) -> Verdict {
        if self.is_due(row, DETOUR_PERIOD) {
            state.course = Course::LostAndAsked;
        }
        Verdict::Stand(Status::NoPath)
    }

    /// Asks for a new way if the one who is followed has gone elsewhere.
    fn keep_up(&self, row: usize, state: &mut Pursuit, to: Vec2, floor: LayerId) {
        let far = self.people.positions[row].distance(to);
        let astray = state.target.distance(to) > ASTRAY + 0.2 * far || state.floor != floor;
        if state.course == Course::Routed && astray {
            state.course = Course::Asked;
        }
        if state.course != Course::Routed {
            (state.target, state.floor) = (to, floor);
        }
    }

    fn flee(&self, row: usize, point: Vec2, floor: LayerId, beyond: f32) -> Verdict {
        let away = self.people.positions[row] - point;
        if self.people.layers[row] != floor || away.length() >= beyond {
            return Verdict::Achieved;
        }
        let facing = self.people.facings[row];
        Verdict::WalkOn(if away.length_squared() > 1e-8 { away } else { facing })
    }

    fn follow_crowd(&self, row: usize) -> Verdict {
        let (position, layer) = (self.people.positions[row], self.people.layers[row]);
        let near = self.grid.around(layer, position, CROWD_RADIUS);
        let others = near.filter(|other| other.id() != self.people.ids[row]);
        // In micrometres per second, which add up to the same in any order.
        let [x, y] = others.fold([0, 0], |[x, y]: [i64; 2], other| {
            let [vx, vy] = (other.velocity() * 1e6).to_array();
            [x + vx as i64, y + vy as i64]
        });
        let flow = Vec2::new(x as f32, y as f32) * 1e-6;
        // Alone, or among people who stand: on as before.
        let own = self.people.facings[row];
        Verdict::WalkOn(if flow.length_squared() > 1e-4 { flow } else { own })
    }

    /// The row of the one who is sought or fled.
    fn find(&self, row: usize, target: Target, state: &mut Pursuit) -> Option<usize> {
        match target {
            Target::Person { group, index } => {
                self.people.row(self.people.listed_person(group, index)?)
            }
            Target::Group(group) => {
                let known = state.memory.quarry.and_then(|id| self.people.row(id));
                // Spread over steps, so that not everybody looks around at once.
                let period = (QUARRY_PERIOD / self.world.step()).ceil() as u64;
                let due =
                    (self.world.steps + u64::from(self.people.ids[row])).is_multiple_of(period);
                if known.is_none() || due {
                    let nearest = self.nearest_of(row, group);
                    state.memory.quarry = nearest.map(|row| PersonId(self.people.ids[row]));
                    return nearest;
                }
                known
            }
        }
    }

    /// The nearest member of a group, those on the same floor before all others.
    fn nearest_of(&self, row: usize, group: GroupId) -> Option<usize> {
        let (position, layer) = (self.people.positions[row], self.people.layers[row]);
        let key = |other: usize| {
            let distance = self.people.positions[other].distance_squared(position);
            (self.people.layers[other] != layer, distance, self.people.ids[other])
        };
        (0..self.people.len())
            .filter(|&other| other != row && self.people.groups[other] == group)
            .map(|other| (key(other), other))
            .min_by(|((floor_a, a, id_a), _), ((floor_b, b, id_b), _)| {
                floor_a.cmp(floor_b).then(a.total_cmp(b)).then(id_a.cmp(id_b))
            })
            .map(|(_, other)| other)
    }
}

fn stand(status: Status) -> Intent {
    Intent { velocity: Vec2::ZERO, status }
}

fn walk(velocity: Vec2) -> Intent {
    Intent { velocity, status: Status::Walking }
}
