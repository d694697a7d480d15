//! Corridors, and paths through them.

use glam::DVec2;
use throng_base::geometry::share_along;
use throng_world::scene::LayerId;

use crate::extras::Extras;
use crate::funnel::PathTree;
use crate::locate::Place;
use crate::map::{CorridorMap, EdgeId};
use crate::piece::Turn;
use crate::search::{Arrival, Found, Query, Search, Walker};
use crate::slice::{Slice, Stretch};
use crate::widths::widest;

/// Where a path goes around a corner, it is a chain of chords that come this much nearer than an
/// arc, m. The lattice that walls lie on moves corners by 0.71 mm at most, so a path keeps its distance but for
/// 1.5 mm.
pub(crate) const SAGITTA: f64 = 0.0008;

/// Room that is set aside for the slices of each arc of a way: two if it is straight, more about corners.
const SLICES_PER_ARC: usize = 4;

/// A way from one place to another: the free ground along part of the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Corridor {
    from: Place,
    to: Place,
    edges: Vec<EdgeId>,
    slices: Vec<Slice>,
    /// The floor from each slice on.
    layers: Vec<LayerId>,
    /// How far from walls whoever asked for it likes to walk, m.
    clearance: f64,
    /// The slice from which the goal comes into sight of them.
    sight: Option<usize>,
}

/// A line to walk along.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Its points, from start to goal.
    pub points: Vec<DVec2>,
    /// The floor of each leg, that from a point to the next.
    pub layers: Vec<LayerId>,
}

/// Why there is no way.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoWay {
    /// There is no floor where the way is to begin or end, or no place on it for the body.
    #[error("there is no place for a body of radius {radius} m on floor {}", layer.0)]
    NoRoom {
        /// The floor.
        layer: LayerId,
        /// The radius of the body, m.
        radius: f64,
    },
    /// All ways are too narrow somewhere; on the best of them, here.
    #[error(
        "every way is too narrow: the widest gap on it, near ({x:.2}, {y:.2}), is {width:.2} m wide"
    )]
    TooNarrow {
        /// Where, m.
        x: f64,
        /// Where, m.
        y: f64,
        /// The width of the gap, m.
        width: f64,
    },
    /// No way leads there, however thin one may be.
    #[error("no way leads there: walls all around")]
    Apart,
    /// There are ways, but they are closed.
    #[error("all ways are closed")]
    Closed,
}

impl CorridorMap {
    /// The shortest way from one place to another that `walker` fits through, where ways are as long
    /// as [`Corridor::shortest_path`] makes them and `extras` are added.
    ///
    /// Both places are moved to the [nearest free one](Self::nearest_free) if they are in a wall.
    ///
    /// # Errors
    ///
    /// If there is none, the reason.
    pub fn corridor(
        &self,
        search: &mut Search,
        from: (LayerId, DVec2),
        to: (LayerId, DVec2),
        walker: &Walker,
        extras: Extras,
    ) -> Result<Corridor, NoWay> {
        let [from, to] = &self.places_for([from, to], walker)?;
        let query = Query { map: self, from, to, walker, extras, detour: None, lead: None };
        let found = self.way(search, &query)?;
        Ok(self.slice_up(&query, &found, SAGITTA))
    }

    /// Where a way begins and ends that is to do so at two points.
    pub(crate) fn places_for(
        &self,
        ends: [(LayerId, DVec2); 2],
        walker: &Walker,
    ) -> Result<[Place; 2], NoWay> {
        let [from, to] = ends.map(|end| self.place_for(end, walker));
        let (from, to) = (from?, to?);
        if !self.is_connected(from.anchor.edge, to.anchor.edge) {
            return Err(NoWay::Apart);
        }
        Ok([from, to])
    }

    /// The best way, or why there is none.
    pub(crate) fn way(&self, search: &mut Search, query: &Query) -> Result<Found, NoWay> {
        search.find(query, f64::INFINITY).ok_or_else(|| match widest(query) {
            Some(gap) if gap.clearance < query.walker.radius => {
                NoWay::TooNarrow { x: gap.point.x, y: gap.point.y, width: 2.0 * gap.clearance }
            }
            Some(_) => NoWay::Closed,
            None => NoWay::Apart,
        })
    }

    /// To which of several places the way that [`Self::corridor`] finds is the shortest: its number,
    /// and the way. `None` if no way leads to any of them.
    ///
    /// To the length of ways, `extras` are added, and what `toll` says of each, m: the number of
    /// the place is given to it, and the way.
    pub fn nearest(
        &self,
        search: &mut Search,
        from: (LayerId, DVec2),
        to: &[(LayerId, DVec2)],
        walker: &Walker,
        extras: Extras,
        toll: impl Fn(usize, &Corridor) -> f64,
    ) -> Option<(usize, Corridor)> {
        let from = self.place_for(from, walker).ok()?;
        let place = |(number, &to)| Some((number, self.place_for(to, walker).ok()?));
        let mut places: Vec<(usize, Place)> = to.iter().enumerate().filter_map(place).collect();
        // Once one is found, the search for a way to the next ends where it would be longer.
        places.sort_by(|(_, a), (_, b)| {
            let straight = |place: &Place| place.point.distance_squared(from.point);
            straight(a).total_cmp(&straight(b))
        });
        let (mut best, mut least) = (None, f64::INFINITY);
        for (number, to) in &places {
            if !self.is_connected(from.anchor.edge, to.anchor.edge) {
                continue;
            }
            let query =
                Query { map: self, from: &from, to, walker, extras, detour: None, lead: None };
            let Some(found) = search.find(&query, least) else { continue };
            let corridor = self.slice_up(&query, &found, SAGITTA);
            let cost = found.cost + toll(*number, &corridor).max(0.0);
            if cost < least {
                (best, least) = (Some((*number, corridor)), cost);
            }
        }
        best
    }

    /// Where a way begins or ends that is to do so at a point.
    fn place_for(&self, (layer, point): (LayerId, DVec2), walker: &Walker) -> Result<Place, NoWay> {
        // Someone pressed against a wall is still on the map.
        self.locate(layer, point)
            .or_else(|| self.nearest_free(layer, point, walker.radius))
            .ok_or(NoWay::NoRoom { layer, radius: walker.radius })
    }

    /// The slices of a way, so close together that paths through them come nearer to corners than they
    /// should by no more than `sagitta`, m.
    pub(crate) fn slice_up(&self, query: &Query, found: &Found, sagitta: f64) -> Corridor {
        let ways = &found.ways;
        let mut corridor = Corridor {
            from: *query.from,
            to: *query.to,
            edges: ways.iter().map(|way| way.edge()).collect(),
            slices: Vec::new(),
            layers: Vec::new(),
            clearance: query.walker.clearance(),
            sight: None,
        };
        let arcs = ways.iter().map(|way| self.edge(way.edge()).arcs.len()).sum::<usize>();
        corridor.slices.reserve(SLICES_PER_ARC * arcs);
        corridor.layers.reserve(SLICES_PER_ARC * arcs);
        let last = ways.len() - 1;
        let chord = 2.0 * (1.0 - sagitta / corridor.clearance.clamp(0.1, 3.0)).acos();
        for (number, &way) in ways.iter().enumerate() {
            let stretch = match number {
                0 if last == 0 && found.arrival == Arrival::Goal => Some(query.directly(way)),
                0 => Some(query.rest(way)),
                _ if number == last && found.arrival == Arrival::Goal => {
                    Some(query.up_to_goal(way))
                }
                _ => Stretch::whole(self, way),
            };
            let Some(stretch) = stretch else { continue };
            let layer = self.layer(way.edge());
            for (number, (arc, [from, to])) in stretch.arcs().zip(stretch.parts(self)) {
                let (piece, angle) = match [from, to] {
                    [0.0, 1.0] => (arc.piece, self.turns[number as usize]),
                    _ => (arc.piece.part(from, to), arc.piece.part(from, to).turn()),
                };
                let count = (angle / chord).ceil().clamp(1.0, 1000.0);
                let turn = if count > 1.0 { Turn::of(piece) } else { None };
                for i in 0..=count as u32 {
                    let done = f64::from(i) / count;
                    let centre = match &turn {
                        // Equal shares of a curve are not equal angles, and chords would be too long.
                        Some(turn) if done > 0.0 && done < 1.0 => turn.cut(done),
                        _ => piece.at(done),
                    };
                    corridor.slices.push(Slice::across(&piece, centre));
                    corridor.layers.push(layer);
                }
            }
        }
        // Up to where the goal comes into sight, if that is before the end.
        corridor.sight = corridor.sight_from(corridor.clearance);
        if let Some(sight) = corridor.sight.filter(|_| found.arrival == Arrival::Sight) {
            corridor.slices.truncate(sight + 1);
            corridor.layers.truncate(sight + 1);
        }
        corridor
    }
}

impl Corridor {
    /// Where it begins.
    pub fn from(&self) -> &Place {
        &self.from
    }

    /// Where it leads to.
    pub fn to(&self) -> &Place {
        &self.to
    }

    /// The edges of the map that it follows.
    pub fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    /// Its cross-sections, in order. The first and the last are those of the start and the goal.
    pub fn slices(&self) -> &[Slice] {
        &self.slices
    }

    /// The floor of each cross-section.
    pub fn layers(&self) -> &[LayerId] {
        &self.layers
    }

    /// The slice where it is narrowest.
    pub fn narrowest(&self) -> &Slice {
        let narrowest = self.slices.iter().min_by(|a, b| a.clearance.total_cmp(&b.clearance));
        narrowest.unwrap_or(&self.slices[0])
    }

    /// The first slice from which the goal is in sight of somebody who stays `clearance` away from
    /// walls.
    fn sight_from(&self, clearance: f64) -> Option<usize> {
        let (to, mut slices) = (&self.to, self.slices.iter().zip(&self.layers));
        slices.position(|(slice, &layer)| layer == to.layer && slice.is_behind(to, clearance))
    }

    /// The slices to be crossed between start and goal.
    pub(crate) fn inner(&self, clearance: f64) -> &[Slice] {
        let (from, mut slices) = (&self.from, self.slices.iter().zip(&self.layers));
        let is_ahead = |(slice, &layer): (&Slice, &LayerId)| {
            layer == from.layer && slice.is_ahead(from, clearance)
        };
        let begin = slices.position(|slice| !is_ahead(slice)).unwrap_or(self.slices.len());
        let other = (clearance != self.clearance).then(|| self.sight_from(clearance)).flatten();
        let sight = other.or(self.sight);
        let end = sight.unwrap_or(self.slices.len());
        &self.slices[begin.min(end)..end]
    }

    /// The path of the greatest clearance: along the axis.
    pub fn middle(&self) -> Path {
        let points = self.slices.iter().map(|slice| slice.centre);
        self.path(points.collect())
    }

    /// The shortest path that stays `clearance` away from walls, or in the middle where there is not
    /// so much room.
    pub fn shortest_path(&self, clearance: f64) -> Path {
        let slices = self.inner(clearance).iter();
        let mut tree = PathTree::with_capacity(2 * slices.len() + 1);
        let start = tree.start(self.from.point);
        let funnel = slices.fold(start, |funnel, slice| tree.pass(funnel, slice.gap(clearance)));
        let points = tree.path_to(funnel, self.to.point);
        self.path(points)
    }

    /// A path with its floors: where the corridor changes floor, the path gets a point.
    pub(crate) fn path(&self, points: Vec<DVec2>) -> Path {
        let mut path = Path::default();
        let mut rest = points.into_iter().peekable();
        let mut layer = self.layers[0];
        let mut changes = (1..self.slices.len())
            .filter(|&i| self.layers[i] != self.layers[i - 1])
            .map(|i| (&self.slices[i], self.layers[i]))
            .peekable();
        while let Some(point) = rest.next() {
            path.points.push(point);
            while let (Some(&(slice, next)), Some(&to)) = (changes.peek(), rest.peek()) {
                let Some(at) = crossing(slice, point, to) else { break };
                path.layers.push(layer);
                path.points.push(at);
                layer = next;
                changes.next();
            }
            if rest.peek().is_some() {
                path.layers.push(layer);
            }
        }
        path
    }
}

/// Where the leg from `a` to `b` passes a slice.
fn crossing(slice: &Slice, a: DVec2, b: DVec2) -> Option<DVec2> {
    let along = slice.left - slice.right;
    let (before, after) = (along.perp_dot(a - slice.right), along.perp_dot(b - slice.right));
    if (before > 0.0) == (after > 0.0) {
        return None;
    }
    let at = a.lerp(b, before / (before - after));
    // Beyond its ends, the line of a slice means nothing.
    (at.distance(slice.centre) <= slice.clearance + 1e-6).then_some(at)
}

impl Path {
    /// Its length, m.
    pub fn length(&self) -> f64 {
        self.points.windows(2).map(|leg| leg[0].distance(leg[1])).sum()
    }

    /// Whether two of its legs on the same floor cross each other.
    pub(crate) fn crosses_itself(&self) -> bool {
        let legs: Vec<_> = self.points.windows(2).zip(&self.layers).collect();
        let side = |a: DVec2, b: DVec2, point: DVec2| (b - a).perp_dot(point - a);
        let apart =
            |a: &[DVec2], b: DVec2, c: DVec2| side(a[0], a[1], b) * side(a[0], a[1], c) >= 0.0;
        let crosses = |(a, on): &(&[DVec2], &LayerId), (b, floor): &(&[DVec2], &LayerId)| {
            on == floor && !apart(a, b[0], b[1]) && !apart(b, a[0], a[1])
        };
        legs.iter().enumerate().any(|(number, leg)| {
            legs[(number + 2).min(legs.len())..].iter().any(|other| crosses(leg, other))
        })
    }

    /// Whether all of its bends are within a distance of another path, m, on the same floor.
    pub(crate) fn is_along(&self, other: &Self, distance: f64) -> bool {
        let floors = self.layers.iter().chain(self.layers.last());
        self.points.iter().zip(floors).all(|(&at, floor)| {
            let mut legs = other.points.windows(2).zip(&other.layers);
            legs.any(|(leg, layer)| {
                let nearest = leg[0].lerp(leg[1], share_along(leg[0], leg[1], at));
                layer == floor && nearest.distance(at) <= distance
            })
        })
    }
}
