//! Several ways between two places that really differ.
//!
//! The axis is what is left of the free ground if it is shrunk as far as possible without tearing it. So
//! two walks along it that never turn back can be moved into each other without crossing a wall only
//! if they follow the same edges: different edges are different ways round something, except for the last ones, from
//! which the goal is seen in passing. Which of them are
//! worth having is decided as by I. Abraham, D. Delling, A. Goldberg and R. Werneck ("Alternative routes in
//! road networks", 2013): a way is not much longer than the best, shares little with those that were
//! chosen before, and no part of it is a detour.
//!
//! Their candidates, two shortest paths that meet at a vertex, need lengths that add up. Those of taut paths do not:
//! how long a corridor is depends on where one comes from. Hence candidates come from the search that
//! finds the best way, in two manners. First, edges of what was found are fined, so that the next way
//! leads elsewhere (the penalty method), which gives good answers soon where there are very many ways. Then ways
//! branch off those that were found, the cheapest first, at each vertex in turn (J. Yen, "Finding the K
//! shortest loopless paths in a network", 1971; E. Lawler, 1972). That never leaves any out: where it ends by
//! itself, and not for want of effort, the answer is what one would choose from a list of all ways.

use std::cell::OnceCell;
use std::ops::Range;

use glam::DVec2;
use throng_world::scene::LayerId;

use crate::corridor::{Corridor, NoWay, Path, SAGITTA};
use crate::extras::Extras;
use crate::funnel::PathTree;
use crate::map::{CorridorMap, VertexId};
use crate::search::{Arrival, Detour, Found, Query, Search, Walker};
use crate::slice::{Direction, Slice, Stretch};

/// By how much walking where an earlier way led becomes costlier each time, as a share.
const PENALTY: f64 = 0.4;

/// How many ways in a row may be turned down before fines are given up.
const REJECTIONS: u32 = 3;

/// Which ways [`CorridorMap::alternatives`] gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alternatives {
    /// How many at most, with the best one.
    pub count: usize,
    /// How many times as long as the best they may be; and how many times as long the part between two vertices
    /// may be as that of one before it which passes both. What is longer is a detour.
    pub stretch: f64,
    /// How much a way may have in common with each of those before it: the length of the edges that both
    /// follow, along the axis, as a share of the shorter one's.
    pub sharing: f64,
    /// How many times to search at most. In small places, all ways have been found sooner.
    pub effort: usize,
}

impl Default for Alternatives {
    fn default() -> Self {
        Self { count: 3, stretch: 1.5, sharing: 0.6, effort: 60 }
    }
}

impl CorridorMap {
    /// The way that [`Self::corridor`] finds, and others beside it: round the other side of something, not
    /// twice over the same place, and different enough for `rules`.
    ///
    /// The first is the very one that [`Self::corridor`] gives. The others follow in the order of their lengths
    /// with `extras`. In large cities, where the first may be a little longer than the best, the
    /// second may be shorter.
    ///
    /// ```
    /// use glam::DVec2;
    /// use throng_nav::{Alternatives, CorridorMap, Extras, Footprint, MapRules, Search, Walker};
    /// use throng_world::{scene::LayerId, walkable::Area};
    ///
    /// let square = |low: f64, high: f64| {
    ///     let corners = [(low, low), (high, low), (high, high), (low, high)];
    ///     Area::new(corners.map(DVec2::from).to_vec(), Vec::new())
    /// };
    /// let footprint = Footprint::without(&[square(0.0, 40.0)?], &[square(10.0, 28.0)?])?;
    /// let map = CorridorMap::new(&[footprint], &MapRules::default())?;
    ///
    /// let (from, to) = (DVec2::new(2.0, 3.0), DVec2::new(38.0, 38.0));
    /// let (ground, walker) = (LayerId(0), Walker { radius: 0.25, margin: 0.1 });
    /// let ways = map.alternatives(
    ///     &mut Search::default(),
    ///     (ground, from),
    ///     (ground, to),
    ///     &walker,
    ///     Extras::default(),
    ///     &Alternatives::default(),
    /// )?;
    /// // Past either side of the house.
    /// assert_eq!(ways.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no way at all, the reason.
    pub fn alternatives(
        &self,
        search: &mut Search,
        from: (LayerId, DVec2),
        to: (LayerId, DVec2),
        walker: &Walker,
        extras: Extras,
        rules: &Alternatives,
    ) -> Result<Vec<Corridor>, NoWay> {
        let [from, to] = &self.places_for([from, to], walker)?;
        let query = Query { map: self, from, to, walker, extras, detour: None, lead: None };
        let best = self.way(search, &query)?;
        let mut selection = Selection::new(query, rules, search);
        selection.add(best, Some(0));
        selection.fine();
        selection.branch_off();
        Ok(selection.into_corridors())
    }
}

/// A way that was found.
#[derive(Clone, Debug)]
struct Candidate {
    ways: Vec<Direction>,
    arrival: Arrival,
    corridor: Corridor,
    path: Path,
    /// Length of its shortest path, and what is added to it, m.
    cost: f64,
    /// What it has of each edge, m, in the order of keys that are the same for ways that share it.
    parts: Vec<(u32, f64)>,
    /// Length along the axis, m.
    length: f64,
    /// The vertices between its edges.
    vertices: Vec<VertexId>,
    /// Whether it leads over no vertex twice.
    is_loopless: bool,
    /// Whether its path crosses itself, once that was asked: it may do so where it passes its own start.
    crosses_itself: OnceCell<bool>,
    /// If it is the best of all ways that begin in some manner.
    best_of: Option<Family>,
    /// Whether others that begin in that manner have yet to be looked for.
    is_open: bool,
}

/// Ways that begin with the same edges.
#[derive(Clone, Copy, Debug)]
struct Family {
    /// With how many.
    begin: usize,
    /// None of them costs less, m. The search looks at less of the walls than the path does in the end.
    least: f64,
}

/// Ways that were found, to choose from.
struct Selection<'a> {
    query: Query<'a>,
    rules: &'a Alternatives,
    search: &'a mut Search,
    detour: Detour,
    searches: usize,
    found: Vec<Candidate>,
}

impl<'a> Selection<'a> {
    fn new(query: Query<'a>, rules: &'a Alternatives, search: &'a mut Search) -> Self {
        let map = query.map;
        let detour = Detour {
            begin: Vec::new(),
            fines: vec![0.0; 2 * map.edges.len()],
            is_barred: vec![false; map.vertices.len()],
        };
        Self { query, rules, search, detour, searches: 0, found: Vec::new() }
    }

    fn into_corridors(self) -> Vec<Corridor> {
        let chosen = self.chosen();
        chosen.into_iter().map(|number| self.found[number].corridor.clone()).collect()
    }

    /// What costs more is not wanted.
    fn limit(&self) -> f64 {
        self.rules.stretch * self.found[0].cost
    }

    fn is_exhausted(&self) -> bool {
        self.searches >= self.rules.effort
    }

    fn find(&mut self, limit: f64) -> Option<Found> {
        self.searches += 1;
        self.search.find(&Query { detour: Some(&self.detour), ..self.query }, limit)
    }

    /// Finds ways by making it costlier to go where others lead.
    fn fine(&mut self) {
        let mut rejected = 0;
        let mut ways = self.found[0].ways.clone();
        let ends = [self.query.from, self.query.to].map(|place| place.anchor.edge);
        loop {
            let chosen = self.chosen().len();
            if chosen >= self.rules.count || rejected >= REJECTIONS || self.is_exhausted() {
                break;
            }
            // Everybody begins and ends on the same edges.
            for edge in ways.iter().map(|way| way.edge()).filter(|edge| !ends.contains(edge)) {
                let length = self.query.map.edge(edge).length;
                for is_reversed in [false, true] {
                    let fine = &mut self.detour.fines[Direction::new(edge, is_reversed).0 as usize];
                    *fine = (1.0 + PENALTY) * (*fine + length) - length;
                }
            }
            let Some(next) = self.find(f64::INFINITY) else { break };
            ways.clone_from(&next.ways);
            self.add(next, None);
            rejected = if self.chosen().len() > chosen { 0 } else { rejected + 1 };
        }
        self.detour.fines.fill(0.0);
    }

    /// Finds ways that branch off others, those of the cheapest first, until all that are cheap enough are
    /// known.
    ///
    /// Each is the best of those that begin in some manner, so none of these is cheaper. When its turn has come,
    /// they are divided by where they part from it, and the best of each part is found.
    fn branch_off(&mut self) {
        while !self.is_exhausted() {
            let open = (0..).zip(&self.found).filter(|(_, found)| found.is_open);
            let families = open.filter_map(|(number, found)| Some((number, found.best_of?)));
            let next = families.min_by(|a, b| a.1.least.total_cmp(&b.1.least).then(a.0.cmp(&b.0)));
            let Some((next, family)) = next else { break };
            let chosen = self.chosen();
            let is_complete = chosen.len() >= self.rules.count.max(1);
            let is_final = chosen.iter().all(|&number| self.found[number].cost <= family.least);
            if is_complete && is_final {
                break;
            }
            self.branch_off_from(next, family, &chosen);
        }
    }

    fn branch_off_from(&mut self, number: usize, family: Family, chosen: &[usize]) {
        self.found[number].is_open = false;
        let first = family.begin;
        let ways = self.found[number].ways.clone();
        // Those that branch off late have too much in common with something already.
        let last = self.last_branch(number, family, chosen).min(ways.len());
        let count = last.saturating_sub(first);
        let affordable = count.min(self.rules.effort.saturating_sub(self.searches));
        for step in 0..affordable {
            // If there are too many, some all along the way.
            let edge = first + step * count / affordable;
            self.detour.begin.clear();
            self.detour.begin.extend(&ways[..edge]);
            let taken = |found: &Candidate| {
                let next = found.best_of.and_then(|_| found.ways.get(edge).copied());
                next.filter(|_| found.ways[..edge] == ways[..edge])
            };
            let taken: Vec<Direction> = self.found.iter().filter_map(taken).collect();
            let passed: Vec<VertexId> =
                ways[..edge].iter().map(|&way| self.query.end(way)).collect();
            taken.iter().for_each(|way| self.detour.fines[way.0 as usize] = f64::INFINITY);
            passed.iter().for_each(|vertex| self.detour.is_barred[vertex.0 as usize] = true);
            if let Some(found) = self.find(self.limit()) {
                self.add(found, Some(edge));
            }
            taken.iter().for_each(|way| self.detour.fines[way.0 as usize] = 0.0);
            passed.iter().for_each(|vertex| self.detour.is_barred[vertex.0 as usize] = false);
        }
        self.detour.begin.clear();
    }

    /// From which edge of a way on all that begin like it share too much with one that is chosen.
    fn last_branch(&self, number: usize, family: Family, chosen: &[usize]) -> usize {
        let way = &self.found[number];
        let before = |&&other: &&usize| other == 0 || self.found[other].cost <= family.least;
        let last = chosen.iter().filter(before).map(|&other| {
            let other = &self.found[other];
            let mut shared = 0.0;
            let goes_on = |&edge: &usize| {
                let (key, length) = self.part(way, edge);
                let of_other = other.parts.binary_search_by_key(&key, |part| part.0);
                shared += of_other.map_or(0.0, |part| length.min(other.parts[part].1));
                shared <= self.rules.sharing * other.length
            };
            // The edge with which it becomes too much may still be left for another.
            (0..way.ways.len()).take_while(goes_on).count() + 1
        });
        last.min().unwrap_or(usize::MAX)
    }

    fn add(&mut self, found: Found, begin: Option<usize>) {
        let best_of = begin.map(|begin| Family { begin, least: found.cost });
        if let Some(known) = self.found.iter_mut().find(|known| known.ways == found.ways) {
            if best_of.is_some() {
                (known.best_of, known.is_open) = (best_of, true);
            }
            return;
        }
        let Query { map, walker, extras, .. } = self.query;
        let corridor = map.slice_up(&self.query, &found, SAGITTA);
        let extra = |&way: &Direction| extras.of(way, map.edge(way.edge()).length);
        let extra: f64 = found.ways.iter().map(extra).sum();
        let ends = found.ways[..found.ways.len() - 1].iter();
        let path = corridor.shortest_path(walker.clearance());
        let mut candidate = Candidate {
            cost: path.length() + extra,
            corridor,
            path,
            parts: Vec::new(),
            length: 0.0,
            vertices: ends.map(|&way| self.query.end(way)).collect(),
            is_loopless: self.is_loopless(&found.ways),
            crosses_itself: OnceCell::new(),
            best_of,
            is_open: best_of.is_some(),
            ways: found.ways,
            arrival: found.arrival,
        };
        let parts = (0..candidate.ways.len()).map(|edge| self.part(&candidate, edge));
        candidate.parts = parts.collect();
        candidate.parts.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        candidate.length = candidate.parts.iter().map(|part| part.1).sum();
        self.found.push(candidate);
    }

    /// An edge of a way as a key, and how much of it the way has, m.
    fn part(&self, candidate: &Candidate, edge: usize) -> (u32, f64) {
        let way = candidate.ways[edge];
        let ends = [self.query.from, self.query.to].map(|place| place.anchor.edge);
        // There are two ways to leave a start, and to come to a goal, that have nothing in common.
        let is_end = ends.contains(&way.edge());
        let key = if is_end { way.0 } else { Direction::new(way.edge(), false).0 };
        let is_seen = edge + 1 == candidate.ways.len() && candidate.arrival == Arrival::Sight;
        if !is_end && !is_seen {
            return (key, self.query.map.edge(way.edge()).length);
        }
        let Some(stretch) = self.stretch(candidate, edge) else { return (key, 0.0) };
        let Query { map, to, walker, .. } = self.query;
        let sees = |slice: Slice| is_seen && slice.is_behind(to, walker.clearance());
        let mut length = 0.0;
        if !sees(stretch.begin(map)) {
            for ((arc, [from, to]), number) in stretch.parts(map).zip(stretch.arcs()) {
                length += arc.piece.part(from, to).length();
                if sees(stretch.end_of(map, number)) {
                    break;
                }
            }
        }
        (key, length)
    }

    /// The part of an edge that a way has; `None` where it has no slices to cross.
    fn stretch(&self, candidate: &Candidate, edge: usize) -> Option<Stretch> {
        let (way, last) = (candidate.ways[edge], candidate.ways.len() - 1);
        let is_at_goal = edge == last && candidate.arrival == Arrival::Goal;
        match edge {
            0 if is_at_goal => Some(self.query.directly(way)),
            0 => Some(self.query.rest(way)),
            _ if is_at_goal => Some(self.query.up_to_goal(way)),
            _ => Stretch::whole(self.query.map, way),
        }
    }

    /// Whether a way leads over no place twice.
    fn is_loopless(&self, ways: &[Direction]) -> bool {
        let [first, .., last] = ways else { return true };
        let [start, goal] = [self.query.from, self.query.to].map(|place| place.anchor.edge);
        let inner = &ways[1..ways.len() - 1];
        let mut ends: Vec<VertexId> =
            ways[..ways.len() - 1].iter().map(|&way| self.query.end(way)).collect();
        let count = ends.len();
        ends.sort_unstable();
        ends.dedup();
        let passes_none = inner.iter().all(|way| way.edge() != start && way.edge() != goal)
            && ends.len() == count;
        // From a start on the goal's edge one gets there from behind, or directly.
        passes_none
            && match self.query.between() {
                Some(directly) => *first != directly,
                None => first.edge() != goal && last.edge() != start,
            }
    }

    fn by_cost(&self, a: usize, b: usize) -> std::cmp::Ordering {
        let (first, second) = (&self.found[a], &self.found[b]);
        // What was found first is the best there is, whatever rounding says.
        (a != 0)
            .cmp(&(b != 0))
            .then(first.cost.total_cmp(&second.cost))
            .then_with(|| first.ways.cmp(&second.ways))
    }

    /// The best of the known ways, and those that are worth having beside it.
    fn chosen(&self) -> Vec<usize> {
        let is_possible = |&number: &usize| {
            number == 0
                || (self.found[number].is_loopless && self.found[number].cost <= self.limit())
        };
        let mut order: Vec<usize> = (0..self.found.len()).filter(is_possible).collect();
        order.sort_by(|&a, &b| self.by_cost(a, b));
        let mut chosen = vec![0];
        for &next in &order[1..] {
            if chosen.len() >= self.rules.count {
                break;
            }
            let is_worth_having = |&other: &usize| {
                self.shared(next, other) <= self.rules.sharing
                    && !self.is_same(next, other)
                    && !self.is_detour(next, other)
            };
            let way = &self.found[next];
            let crosses_itself = || *way.crosses_itself.get_or_init(|| way.path.crosses_itself());
            if chosen.iter().all(is_worth_having) && !crosses_itself() {
                chosen.push(next);
            }
        }
        chosen
    }

    /// Whether two ways are one: both may see the goal in passing from other edges. Bodies that pass on
    /// either side of something are at least their width apart.
    fn is_same(&self, a: usize, b: usize) -> bool {
        let near = 0.5 * self.query.walker.radius;
        let (first, second) = (&self.found[a].path, &self.found[b].path);
        (first.length() - second.length()).abs() < near
            && first.is_along(second, near)
            && second.is_along(first, near)
    }

    /// How much two ways have in common, as a share of the shorter one.
    fn shared(&self, a: usize, b: usize) -> f64 {
        let (first, second) = (&self.found[a], &self.found[b]);
        let (mut i, mut k, mut shared) = (0, 0, 0.0);
        while let (Some(a), Some(b)) = (first.parts.get(i), second.parts.get(k)) {
            if a.0 == b.0 {
                shared += a.1.min(b.1);
            }
            (i, k) = (i + usize::from(a.0 <= b.0), k + usize::from(b.0 <= a.0));
        }
        let whole = first.length.min(second.length);
        if whole > 0.0 { shared / whole } else { 1.0 }
    }

    /// Whether a way has a part between two places that is much longer than the part of another.
    fn is_detour(&self, number: usize, other: usize) -> bool {
        let (way, other) = (&self.found[number], &self.found[other]);
        // What both pass, as the number of edges before it. Both have the same ends.
        let common = way.vertices.iter().enumerate().filter_map(|(before, vertex)| {
            let of_other = other.vertices.iter().position(|other| other == vertex)?;
            Some([before + 1, of_other + 1])
        });
        let mut last = [0, 0];
        for next in common.chain([[way.ways.len(), other.ways.len()]]) {
            let (own, theirs) = (last[0]..next[0], last[1].min(next[1])..last[1].max(next[1]));
            last = next;
            let same = |a: &Direction, b: &Direction| a.edge() == b.edge();
            let [own_edge, their_edge] = [&way.ways[own.clone()], &other.ways[theirs.clone()]];
            if matches!((own_edge, their_edge), ([a], [b]) if same(a, b)) {
                continue;
            }
            let [length, least] = [self.taut(way, own), self.taut(other, theirs)];
            if length > self.rules.stretch * least {
                return true;
            }
        }
        false
    }

    /// The length of the shortest path along some edges of a way, between the points where they begin and
    /// end, m.
    fn taut(&self, candidate: &Candidate, edges: Range<usize>) -> f64 {
        let Query { map, from, to, walker, .. } = self.query;
        let vertex = |before: usize| map.vertex(candidate.vertices[before - 1]).point;
        let count = candidate.ways.len();
        let begin = if edges.start == 0 { from.point } else { vertex(edges.start) };
        let end = if edges.end == count { to.point } else { vertex(edges.end) };
        let mut tree = PathTree::default();
        let mut funnel = tree.start(begin);
        for edge in edges.clone() {
            let Some(stretch) = self.stretch(candidate, edge) else { continue };
            if edge != edges.start {
                funnel = tree.pass(funnel, stretch.begin(map).gap(walker.clearance()));
            }
            // From where the goal is seen on, it does not matter what the edge is like.
            if edge + 1 == count && candidate.arrival == Arrival::Sight {
                continue;
            }
            for arc in stretch.arcs().filter(|&arc| arc != stretch.last || edge + 1 != edges.end) {
                funnel = tree.pass(funnel, stretch.end_of(map, arc).gap(walker.clearance()));
            }
        }
        tree.lengths_to(funnel, end).iter().sum()
    }
}

#[cfg(test)]
mod tests;
