//! Indicative routes: a line that somebody has sketched, made walkable.
//!
//! A sketch says roughly where to walk, on which side of a square or around which block. It may come
//! too near to walls, lead through them, and jump from one floor to another. Samples of it are moved
//! away from walls, towards the axis of the map; what lies within a wall is replaced by a way round it,
//! on the side where most of it would come out; what cannot be walked straight is bridged by the
//! shortest way, and there-and-back on the same line is left out.
//!
//! The idea is that of the indicative route method (Karamouzas, Geraerts and Overmars 2009). There a
//! person is drawn to the furthest point of the route within the free disc around them, which in an
//! open square is its end: the sketch would not matter. Here they look ahead along the route for some
//! metres only, as later work on the method does, and the disc keeps the straight line free.

use glam::DVec2;
use throng_base::geometry::share_along;
use throng_world::scene::LayerId;

use crate::corridor::{NoWay, Path};
use crate::extras::Extras;
use crate::local::{BEYOND_STAIRS, leaves};
use crate::locate::Place;
use crate::map::{CorridorMap, EdgeId};
use crate::search::{Search, Walker};

/// Distance between samples of a sketch, m. Thinner walls are noticed by the legs between samples.
const SAMPLING: f64 = 0.25;

/// A leg of a sketch has no more samples than this.
const MOST_SAMPLES: f64 = 4000.0;

/// Where a sketch leads through a wall, so many points of it are asked on which side they come out.
const VOTES: usize = 15;

/// Points nearer to a leg than this, m, are on it.
const ON_LEG: f64 = 0.01;

/// Bodies that overlap with a wall by no more than this, m, just touch it.
const TOUCH: f64 = 0.01;

/// Coordinates further out, m, are on no map.
const FARTHEST: f64 = 1e6;

/// A point of a floor.
type Stop = (LayerId, DVec2);

/// A sketched line that can be walked.
#[derive(Clone, Debug, PartialEq)]
pub struct IndicativeRoute {
    path: Path,
    /// The length of the path up to each of its points, of which there are two at least, m.
    lengths: Vec<f64>,
    /// Where each of its points is on the sketch; see [`Self::sketched`].
    marks: Vec<f64>,
}

/// Why a sketch cannot be walked.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SketchError {
    /// It is not a line.
    #[error("a sketch of {0} points is no line: it takes at least two")]
    TooShort(usize),
    /// A coordinate that is not a number, or too far out.
    #[error("point {} of the sketch is no place on a map", .0 + 1)]
    NoPlace(usize),
    /// Between two of its points there is no way.
    #[error("from point {} of the sketch to the next: {reason}", .leg + 1)]
    NoWay {
        /// The number of the first one.
        leg: usize,
        /// Why.
        reason: NoWay,
    },
}

impl CorridorMap {
    /// A way for `walker` along a sketched line: as near to it as walls permit, and by the shortest
    /// way, to whose length `extras` are added, where it cannot be followed.
    ///
    /// Its ends are those of the sketch, or the [nearest free places](Self::nearest_free).
    ///
    /// # Errors
    ///
    /// If the sketch is no line, or if no way leads from one of its points to the next.
    pub fn indicative_route(
        &self,
        search: &mut Search,
        sketch: &[(LayerId, DVec2)],
        walker: &Walker,
        extras: Extras,
    ) -> Result<IndicativeRoute, SketchError> {
        self.trace(search, None, sketch, walker, extras)
    }

    /// A way onto a sketched line and along it, for `walker` who is somewhere else: by the shortest way
    /// to its beginning, and on as [`Self::indicative_route`] leads.
    ///
    /// # Errors
    ///
    /// As there, and if no way leads to the beginning of the sketch, which counts as its first leg.
    pub fn indicative_route_from(
        &self,
        search: &mut Search,
        from: (LayerId, DVec2),
        sketch: &[(LayerId, DVec2)],
        walker: &Walker,
        extras: Extras,
    ) -> Result<IndicativeRoute, SketchError> {
        self.trace(search, Some(from), sketch, walker, extras)
    }

    fn trace(
        &self,
        search: &mut Search,
        from: Option<Stop>,
        sketch: &[Stop],
        walker: &Walker,
        extras: Extras,
    ) -> Result<IndicativeRoute, SketchError> {
        if sketch.len() < 2 {
            return Err(SketchError::TooShort(sketch.len()));
        }
        // Written so that what is not a number is no place.
        let is_place = |&(_, at): &Stop| at.abs().max_element() <= FARTHEST;
        if let Some(odd) = sketch.iter().position(|stop| !is_place(stop)) {
            return Err(SketchError::NoPlace(odd));
        }
        let (line, walled) = (Line::default(), Vec::new());
        let mut tracer = Tracer { map: self, search, walker, extras, line, walled };
        tracer.begin(from, sketch[0]).map_err(|reason| SketchError::NoWay { leg: 0, reason })?;
        for (leg, ends) in sketch.windows(2).enumerate() {
            let goes_on = sketch.get(leg + 2).is_some_and(|next| next.0 == ends[1].0);
            let walked = tracer.follow(leg, ends[0], ends[1], goes_on);
            walked.map_err(|reason| SketchError::NoWay { leg, reason })?;
        }
        Ok(tracer.line.route())
    }
}

/// A line that grows.
#[derive(Default)]
struct Line {
    stops: Vec<Stop>,
    /// Where each stop is on the sketch.
    marks: Vec<f64>,
}

impl Line {
    /// Goes on to `stop`, without what that makes superfluous: points on the way there, and a way
    /// that is now walked back.
    fn push(&mut self, stop: Stop, mark: f64) {
        while let [.., a, b] = self.stops[..] {
            let on_one_floor = a.0 == b.0 && b.0 == stop.0;
            let is_straight = || distance_to_leg(b.1, a.1, stop.1) < ON_LEG;
            let is_back = || distance_to_leg(stop.1, a.1, b.1) < ON_LEG;
            if !(on_one_floor && (is_straight() || is_back())) {
                break;
            }
            self.stops.pop();
            self.marks.pop();
        }
        if self.stops.last() != Some(&stop) {
            self.stops.push(stop);
            self.marks.push(mark);
        }
    }

    fn route(mut self) -> IndicativeRoute {
        // A sketch that leads nowhere is a path of one leg.
        if let ([only], [mark]) = (&self.stops[..], &self.marks[..]) {
            let (only, mark) = (*only, *mark);
            self.stops.push(only);
            self.marks.push(mark);
        }
        // A leg belongs to the floor it ends on: where a way changes floor, it has a point on each.
        let layers = self.stops.iter().skip(1).map(|stop| stop.0).collect();
        let points = self.stops.into_iter().map(|stop| stop.1).collect();
        IndicativeRoute::new(Path { points, layers }, self.marks)
    }
}

/// Follows a sketch.
struct Tracer<'a> {
    map: &'a CorridorMap,
    search: &'a mut Search,
    walker: &'a Walker,
    extras: Extras<'a>,
    /// What was walked so far; never empty once it was begun.
    line: Line,
    /// The samples after that, which lie in walls.
    walled: Vec<DVec2>,
}

impl Tracer<'_> {
    /// At the beginning of the sketch, or on the way there.
    fn begin(&mut self, from: Option<Stop>, first: Stop) -> Result<(), NoWay> {
        if let Some((layer, point)) = from {
            let place = self.free(layer, point)?;
            self.line.push((layer, place.point), 0.0);
        }
        let place = self.free(first.0, first.1)?;
        if from.is_some() {
            return self.walk_to((first.0, place.point), 0.0);
        }
        self.line.push((first.0, place.point), 0.0);
        Ok(())
    }

    /// Along a leg of the sketch, to its end unless that is in a wall and the sketch `goes_on` from
    /// there on the same floor.
    fn follow(&mut self, leg: usize, from: Stop, to: Stop, goes_on: bool) -> Result<(), NoWay> {
        let (home, begin) = (self.edge_at_end(), leg as f64);
        let end = begin + 1.0;
        if from.0 == to.0 {
            let steps = (from.1.distance(to.1) / SAMPLING).ceil().clamp(1.0, MOST_SAMPLES);
            for i in 1..steps as u32 {
                let share = f64::from(i) / steps;
                let sample = from.1.lerp(to.1, share);
                match self.retracted(to.0, sample, home) {
                    Some(at) => self.walk_to((to.0, at), begin + share)?,
                    None => self.walled.push(sample),
                }
            }
        }
        match self.retracted(to.0, to.1, home).filter(|_| goes_on) {
            Some(at) => self.walk_to((to.0, at), end),
            None if goes_on => {
                self.walled.push(to.1);
                Ok(())
            }
            None => {
                let place = self.free(to.0, to.1)?;
                self.walk_to((to.0, place.point), end)
            }
        }
    }

    /// The place where the body fits that is nearest to a point.
    fn free(&self, layer: LayerId, point: DVec2) -> Result<Place, NoWay> {
        let radius = self.walker.radius;
        self.map.nearest_free(layer, point, radius).ok_or(NoWay::NoRoom { layer, radius })
    }

    fn edge_at_end(&self) -> Option<EdgeId> {
        let &(layer, point) = self.line.stops.last()?;
        self.map.locate(layer, point).map(|place| place.anchor.edge)
    }

    /// A sample of the sketch moved away from walls as far as the walker likes, and to the axis at
    /// most; `None` in walls, where the body does not fit, and where no way leads to from `home`.
    fn retracted(&self, layer: LayerId, sample: DVec2, home: Option<EdgeId>) -> Option<DVec2> {
        let Place { clearance, anchor, .. } = self.map.locate(layer, sample)?;
        let is_apart = home.is_some_and(|home| !self.map.is_connected(home, anchor.edge));
        if anchor.clearance < self.walker.radius || is_apart {
            return None;
        }
        // Straight away from the nearest wall, clearance grows by every metre. In corners that are too
        // narrow to be on the map, the way to the axis is another one.
        let lacking = (self.walker.clearance() - clearance).max(0.0);
        let moved = sample + (anchor.point - sample).clamp_length_max(lacking);
        let fits = lacking == 0.0 || self.map.clearance(layer, moved) >= self.walker.radius;
        fits.then_some(moved)
    }

    /// On to `to`, which is at `mark` of the sketch, past the walls that it leads through before.
    fn walk_to(&mut self, to: Stop, mark: f64) -> Result<(), NoWay> {
        let walled = std::mem::take(&mut self.walled);
        let Some(&from) = self.line.stops.last() else { return Ok(()) };
        if from.0 == to.0 && self.fits_between(to.0, from.1, to.1) {
            self.line.push(to, mark);
            return Ok(());
        }
        let way = self.way_round(from, to, &walled)?;
        let last = self.line.marks.last().copied().unwrap_or(0.0);
        let (whole, mut walked) = (way.length().max(f64::MIN_POSITIVE), 0.0);
        for (&layer, leg) in way.layers.iter().zip(way.points.windows(2)) {
            walked += leg[0].distance(leg[1]);
            let share = (walked / whole).min(1.0);
            self.line.push((layer, leg[1]), last + (mark - last) * share);
        }
        Ok(())
    }

    /// Whether the body can go straight from one point to another, without touching a wall at all.
    ///
    /// [`CorridorMap::is_clear`] lets people begin and end at a wall, and samples are so close that a
    /// leg is nothing but ends.
    fn fits_between(&self, layer: LayerId, from: DVec2, to: DVec2) -> bool {
        let whole = from.distance(to);
        let mut done = 0.0;
        while done < whole {
            let room = self.map.clearance(layer, from.lerp(to, done / whole)) - self.walker.radius;
            if room < -TOUCH {
                return false;
            }
            done += room.max(TOUCH);
        }
        self.map.clearance(layer, to) >= self.walker.radius - TOUCH
    }

    /// The shortest way, or that by a place where the sketch comes out of the wall, whichever is
    /// nearer to most of these places.
    fn way_round(&mut self, from: Stop, to: Stop, walled: &[DVec2]) -> Result<Path, NoWay> {
        let direct = self.shortest(from, to)?;
        let step = walled.len().div_ceil(VOTES).max(1);
        let votes = walled.iter().step_by(step).filter_map(|&sample| {
            self.map.nearest_free(to.0, sample, self.walker.radius).map(|place| place.point)
        });
        let votes: Vec<DVec2> = votes.collect();
        let mut best = (median_distance(&direct, &votes), direct);
        for share in 1..4 {
            let Some(&via) = votes.get(votes.len() * share / 4) else { break };
            let via = (to.0, via);
            let Ok([there, on]) = self
                .shortest(from, via)
                .and_then(|there| self.shortest(via, to).map(|on| [there, on]))
            else {
                continue;
            };
            let way = joined(there, on);
            let distance = median_distance(&way, &votes);
            if distance < best.0 - self.walker.clearance() {
                best = (distance, way);
            }
        }
        Ok(best.1)
    }

    fn shortest(&mut self, from: Stop, to: Stop) -> Result<Path, NoWay> {
        let corridor = self.map.corridor(self.search, from, to, self.walker, self.extras)?;
        Ok(corridor.shortest_path(self.walker.clearance()))
    }
}

/// One path after the other.
fn joined(mut first: Path, second: Path) -> Path {
    first.points.extend(second.points.into_iter().skip(1));
    first.layers.extend(second.layers);
    first
}

/// Half of the points are nearer to a path than this; infinite if there are none.
fn median_distance(path: &Path, points: &[DVec2]) -> f64 {
    let distance = |&point: &DVec2| {
        let legs = path.points.windows(2).map(|leg| distance_to_leg(point, leg[0], leg[1]));
        legs.fold(f64::INFINITY, f64::min)
    };
    let mut distances: Vec<f64> = points.iter().map(distance).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(f64::INFINITY)
}

fn distance_to_leg(point: DVec2, a: DVec2, b: DVec2) -> f64 {
    a.lerp(b, share_along(a, b, point)).distance(point)
}

impl IndicativeRoute {
    fn new(path: Path, marks: Vec<f64>) -> Self {
        let mut lengths = vec![0.0];
        let mut length = 0.0;
        for leg in path.points.windows(2) {
            length += leg[0].distance(leg[1]);
            lengths.push(length);
        }
        Self { path, lengths, marks }
    }

    /// The line.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length, m.
    pub fn length(&self) -> f64 {
        self.lengths.last().copied().unwrap_or(0.0)
    }

    /// Where on the sketch somebody is who is `travelled` metres from the beginning of the route: 1.5 in
    /// the middle of the sketch's second leg.
    pub fn sketched(&self, travelled: f64) -> f64 {
        let leg = self.leg(travelled);
        let (begin, end) = (self.lengths[leg], self.lengths[leg + 1]);
        let share = ((travelled - begin) / (end - begin).max(1e-9)).clamp(0.0, 1.0);
        self.marks[leg] + (self.marks[leg + 1] - self.marks[leg]) * share
    }

    /// The leg of its path that is so many metres from the beginning, or the last.
    pub fn leg(&self, travelled: f64) -> usize {
        self.legs_from(travelled).start
    }

    /// Notes in `travelled` how far somebody has got who is at a point of a floor: to the nearest point
    /// of the route, of those ahead that begin within `look_ahead` metres.
    pub fn advance(&self, travelled: &mut f64, layer: LayerId, point: DVec2, look_ahead: f64) {
        *travelled = self.nearest(*travelled, layer, point, look_ahead).unwrap_or(*travelled);
    }

    /// What draws on somebody who is at `place` and looks `look_ahead` metres ahead: the furthest
    /// point of the route up to there that is in the disc which holds them, so that the straight line
    /// to it is free. `None` if the route does not come near any more, and a new one is needed.
    ///
    /// `travelled` is how far they have got on the route, m: 0 at first. It never decreases.
    pub fn attraction(&self, travelled: &mut f64, place: &Place, look_ahead: f64) -> Option<DVec2> {
        let reached = self.nearest(*travelled, place.layer, place.point, look_ahead)?;
        *travelled = reached;
        let (centre, radius) = (place.anchor.point, place.anchor.clearance);
        let mut furthest = None;
        for leg in self.legs_from(reached) {
            let (begin, end) = (self.lengths[leg], self.lengths[leg + 1]);
            if begin > reached + look_ahead {
                break;
            }
            if self.path.layers[leg] != place.layer {
                if furthest == Some(self.path.points[leg]) {
                    return Some(self.at(begin + BEYOND_STAIRS));
                }
                break;
            }
            let (from, to) = (self.at(begin.max(reached)), self.at(end.min(reached + look_ahead)));
            if let Some(share) = leaves(from, to, centre, radius) {
                furthest = Some(from.lerp(to, share));
            }
        }
        furthest
    }

    /// The point so many metres from the beginning, or the last.
    fn at(&self, length: f64) -> DVec2 {
        let leg = self.legs_from(length).start;
        let (begin, end) = (self.lengths[leg], self.lengths[leg + 1]);
        if length >= end {
            return self.path.points[leg + 1];
        }
        let share = ((length - begin) / (end - begin)).clamp(0.0, 1.0);
        self.path.points[leg].lerp(self.path.points[leg + 1], share)
    }

    /// How far on the route the point nearest to `point` is, looking from where somebody has got to.
    fn nearest(
        &self,
        travelled: f64,
        layer: LayerId,
        point: DVec2,
        look_ahead: f64,
    ) -> Option<f64> {
        let mut nearest: Option<(f64, f64)> = None;
        for leg in self.legs_from(travelled) {
            let (begin, end) = (self.lengths[leg], self.lengths[leg + 1]);
            if begin > travelled + look_ahead {
                break;
            }
            if self.path.layers[leg] != layer {
                continue;
            }
            let (a, b) = (self.path.points[leg], self.path.points[leg + 1]);
            let least = ((travelled - begin) / (end - begin).max(1e-9)).clamp(0.0, 1.0);
            let share = share_along(a, b, point).max(least);
            let distance = a.lerp(b, share).distance_squared(point);
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, begin + (end - begin) * share));
            }
        }
        nearest.map(|(_, length)| length)
    }

    /// The leg that is so many metres from the beginning, and all after it.
    fn legs_from(&self, length: f64) -> std::ops::Range<usize> {
        let legs = self.path.layers.len();
        let passed = self.lengths.partition_point(|&end| end <= length);
        passed.saturating_sub(1).min(legs - 1)..legs
    }
}
