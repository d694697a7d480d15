//! Goals become preferred velocities, and those who are done leave.
//!
//! Most people, most of the time, are on the way to a point. They are served sixteen at a time; all
//! the others, and those who have just arrived, one by one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use glam::Vec2;
use throng_simd::{Floats, Kernel, LANES, Mask, Simd, Vec2s, Vectors, run_anywhere, set_bits};

use super::sixteen::{put, sixteen};
use crate::PersonId;
use crate::goals::GoalContext;
use crate::guidance::{Course, Outlook, Route};
use crate::intents::{GoalMemory, GoalState, Intents, Pursuit};
use crate::population::Population;
use crate::status::Status;
use crate::workers::{CHUNK, Workers};

/// Goals become preferred velocities. Returns the ids of those who ask for a way now, in any order, and whether
/// somebody wants to leave.
pub(super) fn pursue_goals(
    context: &GoalContext,
    intents: &mut Intents,
    workers: Workers,
    simd: Option<Vectors>,
) -> (Vec<u32>, bool) {
    let (leave, ask) = (AtomicBool::new(false), Mutex::default());
    let Intents { goals, memories, outlooks, routes, preferred_velocities, statuses, .. } = intents;
    let columns = (
        (&mut goals[..], &mut memories[..], &mut outlooks[..]),
        (&mut routes[..], &mut preferred_velocities[..], &mut statuses[..]),
    );
    workers.for_each_chunk(context.people.len(), columns, |first, (wants, does)| {
        let ((goals, memories, outlooks), (routes, preferred, statuses)) = (wants, does);
        let (leave, ask) = (&leave, &ask);
        let chunk = Pursue {
            context,
            first,
            goals,
            memories,
            outlooks,
            routes,
            preferred,
            statuses,
            leave,
            ask,
        };
        run_anywhere(simd, chunk);
    });
    (ask.into_inner().unwrap_or_else(PoisonError::into_inner), leave.into_inner())
}

/// Takes out those who are done and want to leave.
pub(super) fn take_out_leavers(people: &mut Population, intents: &mut Intents) {
    let leaves = |&row: &usize| intents.goals[row].is_leaving();
    let leavers: Vec<u32> = people.rows_by_id().filter(leaves).map(|row| people.ids[row]).collect();
    leavers.into_iter().for_each(|id| _ = people.remove(PersonId(id), intents));
}

/// The goals of some rows, no more than a chunk.
pub(super) struct Pursue<'a> {
    pub context: &'a GoalContext<'a>,
    /// The first of them.
    pub first: usize,
    pub goals: &'a mut [GoalState],
    pub memories: &'a mut [GoalMemory],
    pub outlooks: &'a mut [Outlook],
    pub routes: &'a mut [Option<Box<Route>>],
    pub preferred: &'a mut [Vec2],
    pub statuses: &'a mut [Status],
    /// Set when somebody is done and wants to leave.
    pub leave: &'a AtomicBool,
    /// Ids of those who ask for a way: few, so that nobody waits for the lock.
    pub ask: &'a Mutex<Vec<u32>>,
}

impl Kernel for Pursue<'_> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (mut others, mut count) = ([0; CHUNK], 0);
        for at in (0..self.goals.len()).step_by(LANES) {
            let served = self.walk_to_points(simd, at) | self.drift(at);
            let lanes = (self.goals.len() - at).min(LANES);
            for lane in set_bits(!served & (((1u32 << lanes) - 1) as u16)) {
                others[count] = at + lane;
                count += 1;
            }
        }
        // Routes are scattered over the memory: all are asked for before the first is needed.
        for &at in &others[..count] {
            std::hint::black_box(self.routes[at].as_ref().and_then(|route| route.fetch()));
        }
        for &at in &others[..count] {
            self.consider(at);
        }
    }
}

impl Pursue<'_> {
    /// Of sixteen people, those who have no goals wait for fields to lead them. Tells who they are.
    #[inline(always)]
    fn drift(&mut self, at: usize) -> u16 {
        let mut drifting = 0;
        for (lane, goal) in self.goals[at..].iter().take(LANES).enumerate() {
            drifting |= u16::from(goal.is_drifting()) << lane;
        }
        for lane in set_bits(drifting) {
            self.preferred[at + lane] = Vec2::ZERO;
            self.note(at + lane, Status::Walking);
        }
        drifting
    }

    /// Lets time pass for sixteen people, and those who are on the way to a point walk on. Tells
    /// who they are; the others mean nothing yet.
    #[inline(always)]
    fn walk_to_points<S: Simd>(&mut self, simd: S, at: usize) -> u16 {
        let (people, step) = (self.context.people, self.context.world.step());
        let row = self.first + at;
        let layers = sixteen(&people.layers, row);
        let mut to_point = 0;
        let mut targets = [Vec2::ZERO; LANES];
        let (mut within_squared, mut speeds) = ([0.0; LANES], [0.0; LANES]);
        for (lane, goal) in self.goals[at..].iter_mut().take(LANES).enumerate() {
            goal.remaining -= step;
            let is_so = goal.is_to_point()
                & (goal.course == Course::Straight)
                & (goal.detour == 0)
                & (goal.remaining >= 0.0)
                & (layers[lane] == goal.floor);
            to_point |= u16::from(is_so) << lane;
            targets[lane] = goal.target;
            within_squared[lane] = goal.within_squared;
            speeds[lane] = goal.speed;
        }
        let position = Vec2s::load(simd, &sixteen(&people.positions, row));
        let mut way = Vec2s::load(simd, &targets).minus(position);
        let is_there = way.dot(way).le(simd.load(&within_squared)).bits();
        to_point &= !is_there;
        if self.context.guidance.is_some() {
            // Some are to make sure that they still see where they are going.
            for lane in set_bits(to_point) {
                to_point &= !(u16::from(self.context.looks_out(row + lane)) << lane);
            }
            let routed;
            (way, routed) = self.along_routes(simd, at, way, is_there);
            to_point |= routed;
        }
        let distance_squared = way.dot(way);
        // So are those who do not get on, and those who look for a way round others.
        for lane in set_bits(to_point) {
            let is_blocked = self.statuses[at + lane].is_held_up();
            let looks = (is_blocked
                && self.context.looks_for_room(row + lane, &self.goals[at + lane]))
                || self.context.looks_around(row + lane)
                || (is_blocked && self.context.is_stuck(row + lane))
                || self.context.is_impatient(row + lane);
            to_point &= !(u16::from(looks) << lane);
        }
        // Not further than the point in one step.
        let distance = distance_squared.sqrt().max(simd.splat(1e-6));
        let pace = (simd.load(&speeds) / distance).min(simd.splat(1.0 / step));
        let velocity = way.times(pace);
        let bias = simd.load(&sixteen(&people.side_biases, row));
        let preferred = velocity.plus(Vec2s { x: -velocity.y, y: velocity.x }.times(bias));
        put(self.preferred, at, preferred.to_lanes(simd));
        for lane in set_bits(to_point) {
            self.note(at + lane, Status::Walking);
        }
        to_point
    }

    /// Time passes for the routes of sixteen people. Those who follow one and need not look up go to
    /// what draws them on instead of `to_target`: tells the ways of all, and who they are. Where
    /// `is_there`, the target is near, on whichever floor.
    #[inline(always)]
    fn along_routes<S: Simd>(
        &mut self,
        simd: S,
        at: usize,
        to_target: Vec2s<S>,
        is_there: u16,
    ) -> (Vec2s<S>, u16) {
        let (people, step) = (self.context.people, self.context.world.step());
        let row = self.first + at;
        let layers = sixteen(&people.layers, row);
        let mut routed = 0;
        let [mut aims, mut lines] = [[Vec2::ZERO; LANES]; 2];
        let outlooks = self.outlooks.get_mut(at..).unwrap_or_default();
        let lanes = self.goals[at..].iter().zip(outlooks).take(LANES);
        for (lane, (goal, outlook)) in lanes.enumerate() {
            outlook.rest -= step;
            let is_near = (is_there >> lane & 1 == 1) & (layers[lane] == goal.floor);
            let is_so = goal.is_to_point()
                & (goal.course == Course::Routed)
                & (outlook.rest > 0.0)
                & (goal.detour == 0)
                & (goal.remaining >= 0.0)
                & !is_near;
            routed |= u16::from(is_so) << lane;
            aims[lane] = outlook.aim;
            lines[lane] = outlook.line;
        }
        let position = Vec2s::load(simd, &sixteen(&people.positions, row));
        let way = Vec2s::load(simd, &aims).minus(position);
        // See `Outlook::is_beside`.
        let beside = Vec2s::load(simd, &lines).det(way).abs().gt(simd.splat(1.0)).bits();
        let routed = routed & !beside;
        (Vec2s::select(simd.mask(routed), way, to_target), routed)
    }

    /// What somebody else does.
    fn consider(&mut self, at: usize) {
        let row = self.first + at;
        let (mut no_outlook, mut no_memory) = (Outlook::default(), GoalMemory::default());
        let outlook = self.outlooks.get_mut(at).unwrap_or(&mut no_outlook);
        let memory = self.memories.get_mut(at).unwrap_or(&mut no_memory);
        let mut pursuit = Pursuit { state: &mut self.goals[at], memory };
        let intent = self.context.consider(row, &mut pursuit, outlook, &mut self.routes[at]);
        let bias = self.context.people.side_biases[row];
        self.preferred[at] = intent.velocity + intent.velocity.perp() * bias;
        self.note(at, intent.status);
        if self.goals[at].is_leaving() {
            self.leave.store(true, Ordering::Relaxed);
        }
        if self.goals[at].course.asks() {
            let mut asking = self.ask.lock().unwrap_or_else(PoisonError::into_inner);
            asking.push(self.context.people.ids[row]);
        }
    }

    /// Blocked is found out by moving; until then it stands. Whoever has fallen lies, whatever they want.
    #[inline(always)]
    fn note(&mut self, at: usize, status: Status) {
        let noted = &mut self.statuses[at];
        let stands = noted.is_of_walking() && status == Status::Walking;
        if !stands && *noted != Status::Fallen {
            *noted = status;
        }
    }
}
