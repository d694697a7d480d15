//! The search for the shortest way.
//!
//! An A* over the edges of the map that knows how long the taut path through the corridor is, not
//! just its axis: each label carries a funnel, and what is still to come is bounded by the straight
//! line from where the funnel bends. Detours of the axis, which are large in open places, therefore
//! do not lead it astray.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec2;

use crate::extras::Extras;
use crate::funnel::{Funnel, PathTree};
use crate::landmarks::Lead;
use crate::locate::Place;
use crate::map::{CorridorMap, VertexId};
use crate::slice::{Direction, Slice, Stretch};

/// How often a hasty search counts what is still to be walked.
const HASTE: f64 = 1.2;

/// Places are near if they are fewer edges of usual length away than this. In a city, it takes a thorough search
/// about its 300 steps to get there; hasty ones to places nearer than that are half of the time, for nothing.
const NEAR: f64 = 9.5;

/// Landmarks do not help to find places that are fewer edges away than this.
const BEFORE_LANDMARKS: f64 = 2.5;

/// A better way than that of a hasty search is better by this much, m.
const WORTH_IT: f64 = 1e-6;

/// Who is looking for a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// Radius of the body, m. Narrower gaps are no way.
    pub radius: f64,
    /// How far from walls the body's rim prefers to be, m. Where there is less room, it goes through
    /// the middle.
    pub margin: f64,
}

impl Walker {
    /// The distance between path and walls where there is room, m.
    pub fn clearance(&self) -> f64 {
        self.radius + self.margin
    }
}

/// Memory for searches, to be used again.
#[derive(Clone, Debug)]
pub struct Search {
    pub(crate) tree: PathTree,
    labels: Vec<Label>,
    /// Ways that were noted, also those without a label because they improve on nothing.
    noted: usize,
    queue: BinaryHeap<Entry>,
    /// What is known of each direction of an edge.
    reached: Vec<Reached>,
    number: u32,
    /// How often what is still to be walked counts.
    haste: f64,
    /// What costs more is of no interest.
    limit: f64,
    thoroughness: usize,
}

impl Default for Search {
    fn default() -> Self {
        Self::new(300)
    }
}

/// The least costs at which both sides of the end of an edge have been reached.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    /// In which search.
    number: u32,
    left: f64,
    right: f64,
}

/// A way through some edges.
#[derive(Clone, Copy, Debug)]
struct Label {
    funnel: Funnel,
    /// Costs on top of the length, in metres.
    extra: f64,
    way: Direction,
    /// The label before; of those that begin the search, their own number.
    parent: u32,
    arrival: Arrival,
}

/// What is reached at the end of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// The end of an edge.
    Vertex,
    /// A disc on the way along an edge that holds the goal.
    Sight,
    /// The goal's own place on the axis.
    Goal,
}

/// A way that was found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub ways: Vec<Direction>,
    pub arrival: Arrival,
    /// Its length and what is added to it, m.
    pub cost: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    bound: f64,
    label: u32,
}

impl Eq for Entry {}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap gives the largest first: that is to be the least bound, and the oldest of several.
        other.bound.total_cmp(&self.bound).then(other.label.cmp(&self.label))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Search {
    /// A search that gives up looking for better ways than a hasty one has found after this many
    /// steps. In a city, that is a few hundred metres.
    pub fn new(thoroughness: usize) -> Self {
        Self {
            tree: PathTree::default(),
            labels: Vec::new(),
            noted: 0,
            queue: BinaryHeap::new(),
            reached: Vec::new(),
            number: 0,
            haste: 1.0,
            limit: f64::INFINITY,
            thoroughness,
        }
    }
    /// Forgets what was found before.
    fn begin(&mut self, map: &CorridorMap, from: DVec2) -> Funnel {
        self.labels.clear();
        self.noted = 0;
        self.queue.clear();
        self.reached.resize(map.edges.len() * 2, Reached::default());
        self.number = self.number.wrapping_add(1);
        if self.number == 0 {
            self.reached.fill(Reached::default());
            self.number = 1;
        }
        self.tree.start(from)
    }

    /// The cheapest way, as edges, if it costs less than `limit`; `None` if there is none.
    ///
    /// To places near by, a thorough search finds it. To others, landmarks lead if there are any. Without them, a hasty search comes first, which is led too
    /// strongly by the direction of the goal and finds a way that is a few per cent too long at most times. A
    /// thorough one, with an end to its labels, then looks for a better way: where it gets to the end, the
    /// way is the best there is.
    pub(crate) fn find(&mut self, query: &Query, limit: f64) -> Option<Found> {
        if query.is_too_wide_for_all() {
            return None;
        }
        let away = query.from.point.distance(query.to.point);
        if let Some(landmarks) = query.extras.landmarks
            && away > BEFORE_LANDMARKS * query.map.edge_length
        {
            let lead = landmarks.towards(query.map, query.to);
            return self.run(&Query { lead: Some(&lead), ..*query }, 1.0, usize::MAX, limit);
        }
        if away < NEAR * query.map.edge_length {
            let found = self.run(query, 1.0, self.thoroughness, limit);
            if found.is_some() || self.noted <= self.thoroughness {
                return found;
            }
        }
        // What seems longer by whim does so by half as much on average.
        let haste = HASTE * (1.0 + 0.5 * f64::from(query.extras.whim));
        let hasty = self.run(query, haste, usize::MAX, limit)?;
        self.run(query, 1.0, self.thoroughness, hasty.cost - WORTH_IT).or(Some(hasty))
    }

    /// Searches for a way cheaper than `limit`, with at most `most` noted ways. What is still to be walked
    /// counts `haste` times.
    fn run(&mut self, query: &Query, haste: f64, most: usize, limit: f64) -> Option<Found> {
        (self.haste, self.limit) = (haste, limit);
        let map = query.map;
        let begin = Step { funnel: self.begin(map, query.from.point), extra: 0.0, parent: None };
        let given = query.detour.map_or(&[][..], |detour| &detour.begin);
        let given = if given.is_empty() {
            self.set_out(query, begin);
            None
        } else {
            Some(self.follow(query, begin, given)?)
        };
        while let Some(Entry { label, .. }) = self.queue.pop() {
            let Label { funnel, extra, way, arrival, .. } = self.labels[label as usize];
            if arrival != Arrival::Vertex {
                let lengths = self.tree.lengths_to(funnel, query.to.point);
                let cost = extra + lengths.iter().sum::<f64>();
                return Some(Found { ways: self.trace(label), arrival, cost });
            }
            if self.noted > most {
                return None;
            }
            let vertex = query.end(way);
            let is_barred = query.is_barred(vertex) && given != Some(label);
            if is_barred || !self.improves(way, funnel, extra) {
                continue;
            }
            let step = Step { funnel, extra, parent: Some(label) };
            for &edge in map.edges_at(vertex) {
                let [begin, end] = map.edge(edge).ends;
                // A loop is entered in both directions.
                let ways = [(begin, false), (end, true)].into_iter().filter(|way| way.0 == vertex);
                for (_, is_reversed) in ways.filter(|_| edge != way.edge()) {
                    self.enter(query, step, Direction::new(edge, is_reversed));
                }
            }
        }
        None
    }

    /// Leaves the start in both directions.
    fn set_out(&mut self, query: &Query, begin: Step) {
        if let Some(way) = query.between() {
            self.walk(query, begin, query.directly(way), way, Arrival::Goal);
        }
        for is_reversed in [false, true] {
            let way = Direction::new(query.from.anchor.edge, is_reversed);
            self.walk(query, begin, query.rest(way), way, Arrival::Vertex);
        }
    }

    /// Walks along some edges and puts nothing but the label at their end into the queue. `None` if they
    /// are no way.
    fn follow(&mut self, query: &Query, mut step: Step, ways: &[Direction]) -> Option<u32> {
        for &way in ways {
            let first = self.labels.len();
            match step.parent {
                None => self.walk(query, step, query.rest(way), way, Arrival::Vertex),
                Some(_) => self.enter(query, step, way),
            }
            let at_end = |label: &Label| label.arrival == Arrival::Vertex;
            let label = first + self.labels[first..].iter().position(at_end)?;
            let Label { funnel, extra, .. } = self.labels[label];
            step = Step { funnel, extra, parent: Some(label as u32) };
        }
        let label = step.parent?;
        self.queue.clear();
        self.queue.push(Entry { bound: step.extra, label });
        Some(label)
    }

    /// Whether a way to the end of an edge is shorter than all others on at least one of its sides.
    ///
    /// The side matters: the end of an edge can be metres wide, and which way is best depends on
    /// where it is crossed in the end.
    fn improves(&mut self, way: Direction, funnel: Funnel, extra: f64) -> bool {
        let would_improve = self.would_improve(way, funnel, extra);
        let [left, right] = self.tree.lengths(funnel).map(|length| length + extra);
        let reached = &mut self.reached[way.0 as usize];
        if reached.number != self.number {
            *reached = Reached { number: self.number, left, right };
        } else {
            reached.left = reached.left.min(left);
            reached.right = reached.right.min(right);
        }
        would_improve
    }

    /// The same for a way that is not taken yet. What does not improve now never will.
    fn would_improve(&self, way: Direction, funnel: Funnel, extra: f64) -> bool {
        let [left, right] = self.tree.lengths(funnel).map(|length| length + extra);
        let reached = &self.reached[way.0 as usize];
        reached.number != self.number || left < reached.left - 1e-9 || right < reached.right - 1e-9
    }

    fn enter(&mut self, query: &Query, step: Step, way: Direction) {
        if way.edge() == query.to.anchor.edge {
            self.walk(query, step, query.up_to_goal(way), way, Arrival::Goal);
        }
        if query.map.edge(way.edge()).is_tip {
            return;
        }
        match Stretch::whole(query.map, way) {
            Some(stretch) => self.walk(query, step, stretch, way, Arrival::Vertex),
            None => self.note(query, step, way, Arrival::Vertex),
        }
    }

    /// Walks along a stretch as far as it is wide enough.
    fn walk(
        &mut self,
        query: &Query,
        mut step: Step,
        stretch: Stretch,
        way: Direction,
        arrival: Arrival,
    ) {
        let layer = query.map.layer(way.edge());
        let is_on_floor = [query.from, query.to].map(|place| place.layer == layer);
        let mut pass = |step: &mut Step, slice: &Slice| {
            let is_through = self.pass(query, step, slice, is_on_floor);
            if !is_through {
                self.note(query, *step, way, Arrival::Sight);
            }
            is_through
        };
        // The end of the edge before has the other walls of a junction.
        if step.parent.is_some() && !pass(&mut step, &stretch.begin(query.map)) {
            return;
        }
        for part in stretch.arcs() {
            if stretch.room(query.map, part) < query.walker.radius {
                return;
            }
            let is_inner = part != stretch.last || arrival == Arrival::Vertex;
            if is_inner && !pass(&mut step, &stretch.end_of(query.map, part)) {
                return;
            }
        }
        self.note(query, step, way, arrival);
    }

    /// Goes through a slice, unless the goal comes before it: `false` then. Start and goal may be on other
    /// floors than the slice.
    fn pass(
        &mut self,
        query: &Query,
        step: &mut Step,
        slice: &Slice,
        [is_start_here, is_goal_here]: [bool; 2],
    ) -> bool {
        let clearance = query.walker.clearance();
        if is_goal_here && slice.is_behind(query.to, clearance) {
            return false;
        }
        let is_start = is_start_here && self.tree.is_start(step.funnel);
        if !(is_start && slice.is_ahead(query.from, clearance)) {
            step.funnel = self.tree.pass(step.funnel, slice.gap(clearance));
        }
        true
    }

    fn note(&mut self, query: &Query, step: Step, way: Direction, arrival: Arrival) {
        let length = query.map.edge(way.edge()).length;
        let extra = step.extra + query.extras.of(way, length) + query.fine(way);
        if extra == f64::INFINITY {
            return;
        }
        let is_of_use = arrival != Arrival::Vertex || self.would_improve(way, step.funnel, extra);
        if !is_of_use && self.limit == f64::INFINITY {
            self.noted += 1;
            return;
        }
        let label = self.labels.len() as u32;
        let [done, rest] = match arrival {
            Arrival::Vertex => self.tree.least_lengths_to(step.funnel, query.to.point),
            Arrival::Sight | Arrival::Goal => self.tree.lengths_to(step.funnel, query.to.point),
        };
        if extra + done + rest >= self.limit {
            return;
        }
        self.noted += 1;
        if !is_of_use {
            return;
        }
        let mut bound = extra + done + self.haste * rest;
        if let Some(lead) = query.lead.filter(|_| arrival == Arrival::Vertex) {
            let end = query.end(way);
            let here = self.tree.lengths_to(step.funnel, query.map.vertex(end).point);
            let seems = 1.0 + 0.5 * f64::from(query.extras.whim);
            bound = bound.max(extra + here.iter().sum::<f64>() + seems * lead.left_from(end));
        }
        let (funnel, parent) = (step.funnel, step.parent.unwrap_or(label));
        self.labels.push(Label { funnel, extra, way, parent, arrival });
        self.queue.push(Entry { bound, label });
    }

    /// The lengths of the taut paths from a vertex to all others, for somebody who takes up no room, m;
    /// infinite where no way leads.
    pub(crate) fn spread(&mut self, map: &CorridorMap, from: VertexId) -> Vec<f32> {
        let mut lengths = vec![f32::INFINITY; map.vertices.len()];
        let Some(vertex) = map.vertices.get(from.0 as usize) else { return lengths };
        lengths[from.0 as usize] = 0.0;
        let start = self.begin(map, vertex.point);
        self.leave(map, from, start, None);
        while let Some(Entry { bound, label }) = self.queue.pop() {
            let Label { funnel, way, .. } = self.labels[label as usize];
            let vertex = way.end(map);
            let length = &mut lengths[vertex.0 as usize];
            *length = length.min(bound as f32);
            if self.improves(way, funnel, 0.0) {
                self.leave(map, vertex, funnel, Some(way));
            }
        }
        lengths
    }

    /// Walks from a vertex to the ends of all of its edges, but not back.
    fn leave(
        &mut self,
        map: &CorridorMap,
        vertex: VertexId,
        funnel: Funnel,
        by: Option<Direction>,
    ) {
        for &edge in map.edges_at(vertex) {
            let ends = map.edge(edge).ends.into_iter().zip([false, true]);
            let is_back = by.is_some_and(|way| way.edge() == edge);
            for (_, is_reversed) in ends.filter(|way| way.0 == vertex && !is_back) {
                let way = Direction::new(edge, is_reversed);
                let mut funnel = funnel;
                if let Some(stretch) = Stretch::whole(map, way) {
                    if by.is_some() {
                        funnel = self.tree.pass(funnel, stretch.begin(map).gap(0.0));
                    }
                    for part in stretch.arcs() {
                        funnel = self.tree.pass(funnel, stretch.end_of(map, part).gap(0.0));
                    }
                }
                let end = map.vertex(way.end(map)).point;
                let bound = self.tree.lengths_to(funnel, end).iter().sum();
                let label = self.labels.len() as u32;
                let (extra, arrival) = (0.0, Arrival::Vertex);
                self.labels.push(Label { funnel, extra, way, parent: label, arrival });
                self.queue.push(Entry { bound, label });
            }
        }
    }

    /// The edges on the way to a label.
    fn trace(&self, mut label: u32) -> Vec<Direction> {
        let mut ways = Vec::new();
        loop {
            let Label { way, parent, .. } = self.labels[label as usize];
            ways.push(way);
            if parent == label {
                break;
            }
            label = parent;
        }
        ways.reverse();
        ways
    }
}

/// How far a search has got before it enters an edge.
#[derive(Clone, Copy, Debug)]
struct Step {
    funnel: Funnel,
    extra: f64,
    /// The label before, if the edge is not the first.
    parent: Option<u32>,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'a> {
    pub map: &'a CorridorMap,
    pub from: &'a Place,
    pub to: &'a Place,
    pub walker: &'a Walker,
    pub extras: Extras<'a>,
    pub detour: Option<&'a Detour>,
    pub lead: Option<&'a Lead<'a>>,
}

/// What makes a search find another way than the best.
#[derive(Clone, Debug)]
pub(crate) struct Detour {
    /// The edges that it begins with.
    pub begin: Vec<Direction>,
    /// Costs on top of all others, for each direction of each edge, m. Infinite ones are closed.
    pub fines: Vec<f64>,
    /// Whether it may not lead over a vertex after those edges.
    pub is_barred: Vec<bool>,
}

impl Query<'_> {
    fn fine(&self, way: Direction) -> f64 {
        self.detour.map_or(0.0, |detour| detour.fines[way.0 as usize])
    }

    fn is_barred(&self, vertex: VertexId) -> bool {
        self.detour.is_some_and(|detour| detour.is_barred[vertex.0 as usize])
    }

    /// The vertex that a way ends at.
    pub fn end(&self, way: Direction) -> VertexId {
        way.end(self.map)
    }

    /// The way from start to goal, if both are on the same edge.
    pub fn between(&self) -> Option<Direction> {
        let (from, to) = (&self.from.anchor, &self.to.anchor);
        let is_reversed = (to.arc, to.share) < (from.arc, from.share);
        (from.edge == to.edge).then(|| Direction::new(from.edge, is_reversed))
    }

    /// From the start to the goal on the same edge.
    pub fn directly(&self, way: Direction) -> Stretch {
        let (from, to) = (&self.from.anchor, &self.to.anchor);
        Stretch {
            first: from.arc,
            from: from.share,
            last: to.arc,
            to: to.share,
            is_reversed: way.is_reversed(),
        }
    }

    /// From the start to the end of its edge.
    pub fn rest(&self, way: Direction) -> Stretch {
        let from = &self.from.anchor;
        let arcs = &self.map.edge(from.edge).arcs;
        let (last, to) = if way.is_reversed() { (arcs.start, 0.0) } else { (arcs.end - 1, 1.0) };
        Stretch { first: from.arc, from: from.share, last, to, is_reversed: way.is_reversed() }
    }

    /// From an end of the goal's edge to the goal.
    pub fn up_to_goal(&self, way: Direction) -> Stretch {
        let to = &self.to.anchor;
        let arcs = &self.map.edge(to.edge).arcs;
        let (first, from) = if way.is_reversed() { (arcs.end - 1, 1.0) } else { (arcs.start, 0.0) };
        Stretch { first, from, last: to.arc, to: to.share, is_reversed: way.is_reversed() }
    }
}
