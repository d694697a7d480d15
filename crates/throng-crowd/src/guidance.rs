//! Ways to goals: who needs one, how it is found, and where it leads next.
//!
//! Whoever sees their goal walks straight to it. All others ask for a route, and a bounded number of
//! requests is served per step, in order of id: when a thousand people ask at once, the step does
//! not stall. Someone with a route looks up now and then for the point of it that draws them on
//! (see [`throng_nav::Path::attraction`]); in between they walk straight to that point.

mod route;
#[cfg(test)]
mod tests;

use std::f64::consts::TAU;
use std::sync::{Arc, Mutex, PoisonError};

use crate::steering::gains;
use glam::{DVec2, Vec2};
use rayon::prelude::*;
use throng_base::random::{Purpose, Random};
use throng_nav::{
    Berth, CorridorMap, EdgeId, Extras, Landmarks, NoWay, Progress, Search, SketchError, Toll,
    Walker,
};
use throng_world::Temperament;
use throng_world::scene::{LayerId, Region, RegionId};

use self::route::Way;
pub(crate) use self::route::{Onlooker, Outlook, Route};
use crate::jams::{self, Jams};
use crate::line::{Lane, LineWay};
use crate::many::ManyWays;
use crate::population::Population;
use crate::traffic::Traffic;
use crate::workers::{Workers, as_shared};

/// Where people find their ways, and what they know of the traffic.
#[derive(Clone, Debug)]
pub(crate) struct Guidance {
    pub map: Arc<CorridorMap>,
    pub traffic: Traffic,
    /// Who is served next, if not all can be: the id after that of the last one.
    pub cursor: u32,
    /// How many requests must be served per step, so that those who are cut off wait no longer
    /// than [`PATIENCE`].
    quota: usize,
    /// Time between two states, s.
    step: f32,
    pub searches: Searches,
    /// Sets of ways for those who are spread over many.
    many: ManyWays,
    /// Distances on the map, which lead searches.
    landmarks: Option<Landmarks>,
    /// For how long the map has been as it is, s.
    unchanged: f32,
    /// What people know of jams.
    pub jams: Jams,
    pub asking: Asking,
}

/// Who waits for a way.
#[derive(Clone, Debug, Default)]
pub(crate) enum Asking {
    /// Anybody may: something has changed since all considered their goals.
    #[default]
    Anybody,
    /// Only those with these ids, in any order.
    Only(Vec<u32>),
}

/// Memory for searches, which is kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Searches(Mutex<Vec<Search>>);

/// How many labels a search spends on ways that are better than a good one: enough for short ways. Long
/// ones through cities would be better by less than people's whims are worth.
const THOROUGHNESS: usize = 150;

impl Searches {
    /// What `find` makes of each request. No search remembers anything of the one before.
    pub fn map<T: Send>(
        &self,
        requests: &[Request],
        workers: Workers,
        find: impl Fn(&mut Search, &Request) -> T + Sync,
    ) -> Vec<T> {
        let some = |requests: &[Request]| -> Vec<T> {
            self.with(|search| requests.iter().map(|request| find(search, request)).collect())
        };
        as_shared(|| match workers.parallel {
            true => requests.par_chunks(SERVED_TOGETHER).flat_map_iter(some).collect(),
            false => some(requests),
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Search) -> T) -> T {
        let idle = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut search = idle().pop().unwrap_or_else(|| Search::new(THOROUGHNESS));
        let result = work(&mut search);
        idle().push(search);
        result
    }
}

impl Clone for Searches {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// How somebody gets to the place they want to be at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Course {
    /// Straight there.
    #[default]
    Straight,
    /// Waits to be told, or walks along an old route until then.
    Asked,
    /// Along a route.
    Routed,
    /// Something new stands in the way: asks before all others, and walks along the old route until
    /// then.
    CutOff,
    /// Has waited long before a crowded gate: asks for a way without it, and walks along the old one until
    /// then.
    Impatient,
    /// Has not got any nearer for a while: asks for a way past what holds them up, and goes on as before until
    /// then.
    Stuck,
    /// There is no way.
    Lost,
    /// There was no way, and asks again.
    LostAndAsked,
}

impl Course {
    /// Whether somebody waits to be told a way.
    pub fn asks(self) -> bool {
        matches!(
            self,
            Self::Asked | Self::CutOff | Self::Impatient | Self::Stuck | Self::LostAndAsked
        )
    }

    /// Whether somebody asks whose way is cut off.
    pub fn is_urgent(self) -> bool {
        self == Self::CutOff
    }
}

/// By how much ways seem longer than they are, at most.
const WHIM: f32 = 0.1;

/// How far from walls people like to walk, m: from the first to the sum of both, by person.
const MARGIN: [f32; 2] = [0.05, 0.25];

/// How much further they like to walk from walls on the left, and on the right, where there is room, m: from
/// the first to the sum of both, by person. Who has a corner on the left meets those who have it on the right:
/// the ones walk about it closely, and the others give them room, as people do who keep to the right. In a busy
/// city they get on with 92 to 93 % of their speed, with 91 % if both are the same, and without any berth
/// they jam a junction.
const BERTHS: [[f64; 2]; 2] = [[1.0, 1.0], [0.0, 0.8]];

/// For how long a map has not changed when it is measured for searches, s: what is moved about all the time
/// would cost more than the searches do.
const SETTLED: f32 = 2.0;

/// How far from walls those walk at least who were dealt one of many ways, m.
const LEAST_MARGIN: f64 = 0.02;

/// How long people whose way is cut off wait for another one, at most, s.
const PATIENCE: f32 = 0.5;

/// A gate that people wait before is no further ahead, m.
const GATE_AHEAD: f64 = 8.0;

/// A gate is narrower than twice this, m.
const NARROW: f64 = 1.5;

/// How much longer a way seems to those who would rather not take it, m.
const AVOIDED: f32 = 150.0;

/// A way that is longer than the straight line by no more than this factor is no other one.
const STRAIGHT: f64 = 1.05;

/// Distance between the rings on which people outside of the map look for a place on it, m, their number, and the number
/// of directions.
const RING: f64 = 0.25;
const RINGS: u32 = 60;
const DIRECTIONS: u32 = 32;

/// So many requests are handed to a thread at a time.
const SERVED_TOGETHER: usize = 2;

/// Requests served per step are at least so many, and at least this share of the crowd.
const LEAST_SERVED: usize = 64;
const SHARE_SERVED: usize = 256;

/// Somebody who asks for a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub row: usize,
    pub id: u32,
    /// The id by which chance decides: the same for companions.
    pub whim: u32,
    pub from: Vec2,
    /// Where the way is looked for from: there, or where the first of their companions is, if that one is near. So companions
    /// take the same.
    pub start: Vec2,
    pub layer: LayerId,
    pub to: Vec2,
    pub floor: LayerId,
    /// A place that will do as well if it is in sight.
    pub nearer: Vec2,
    pub radius: f32,
    pub speed: f32,
    /// How far they have got on the line that they follow, if they do.
    pub along: f64,
    /// The region that they are on the way to, of several that would do.
    pub chosen: Option<RegionId>,
    /// An edge of the map that they would rather not walk along.
    pub avoids: Option<EdgeId>,
    /// What it costs to get past the jams that they know of.
    pub tolls: Tolls,
    /// What they are like.
    pub temperament: Option<Temperament>,
}

/// What it costs somebody to get past some jams.
pub(crate) type Tolls = [Option<Toll>; jams::MOST];

impl Request {
    pub fn avoiding(self, avoids: Option<EdgeId>) -> Self {
        Self { avoids, ..self }
    }

    pub fn paying(self, tolls: Tolls) -> Self {
        Self { tolls, ..self }
    }
}

/// What they are told, and which of the tolls in their request they pay on the way.
#[derive(Debug)]
pub(crate) struct Told {
    pub answer: Answer,
    pub pays: Vec<bool>,
}

impl From<Answer> for Told {
    /// For those who know of no tolls.
    fn from(answer: Answer) -> Self {
        Self { answer, pays: Vec::new() }
    }
}

/// The way that they are told.
#[derive(Debug)]
pub(crate) enum Answer {
    Straight,
    Route(Box<Route>, Outlook),
    NoWay(NoWay),
}

impl Guidance {
    pub fn new(map: Arc<CorridorMap>, regions: &[Region], step: f32) -> Self {
        let traffic = Traffic::new(&map, regions);
        let (searches, many) = (Searches::default(), ManyWays::default());
        // From the first step on.
        let (landmarks, unchanged) = (None, SETTLED);
        let (jams, asking) = (Jams::default(), Asking::default());
        let (cursor, quota) = (0, 0);
        Self {
            traffic,
            map,
            cursor,
            quota,
            step,
            searches,
            many,
            landmarks,
            unchanged,
            jams,
            asking,
        }
    }

    /// From now on ways are those of `map`.
    pub fn change(&mut self, map: Arc<CorridorMap>, regions: &[Region]) {
        self.traffic = Traffic::new(&map, regions);
        self.map = map;
        self.many = ManyWays::default();
        (self.landmarks, self.unchanged) = (None, 0.0);
        self.asking = Asking::Anybody;
    }

    /// The way for somebody who is to take one of many; where there are none, the one they would find.
    pub fn deal(&mut self, request: &Request, regions: &[Region], random: Random) -> Told {
        let (from, to) = (request.from.as_dvec2(), request.to.as_dvec2());
        let ends = [(request.layer, request.start.as_dvec2()), (request.floor, to)];
        let (walker, _) = self.preferences(request, random);
        let is_in_sight = request.layer == request.floor
            && self.map.is_clear(request.layer, from, request.nearer.as_dvec2(), walker.radius);
        let draws = &mut random.stream(request.whim.into(), 3, Purpose::Whim);
        if !is_in_sight && let Some(path) = self.many.deal(&self.map, regions, ends, &walker, draws)
        {
            let way = Way::Shortest(path, Progress::default());
            // Gates may be narrower than they like.
            let walker = Walker { margin: LEAST_MARGIN, ..walker };
            return self.set_out(request, way, &walker).into();
        }
        self.searches.with(|search| self.find(search, request, random))
    }

    /// Whether the person in `row` can walk straight to `point` on their floor.
    pub fn sees(&self, people: &Population, row: usize, point: Vec2) -> bool {
        let (from, radius) = (people.positions[row].as_dvec2(), people.radii[row]);
        self.map.is_clear(people.layers[row], from, point.as_dvec2(), radius.into())
    }

    /// How many requests are served in a step in which so many are `urgent`.
    pub fn capacity(&mut self, people: usize, urgent: usize, steps: u64) -> usize {
        // At first there is time: everyone sets out knowing the way.
        if steps <= 1 {
            return usize::MAX;
        }
        // The share of those who began to wait, and not of those who still do, who are fewer and fewer.
        let share = (urgent as f32 * self.step / PATIENCE).ceil() as usize;
        self.quota = if urgent == 0 { 0 } else { self.quota.max(share) };
        LEAST_SERVED.max(people / SHARE_SERVED).max(self.quota)
    }

    /// Finds ways for all requests: to a place, or along what `lane` says they follow.
    pub fn answer<'a>(
        &self,
        requests: &[Request],
        lane: impl Fn(&Request) -> Option<Lane<'a>> + Sync,
        random: Random,
        workers: Workers,
    ) -> Vec<Told> {
        self.searches.map(requests, workers, |search, request| match lane(request) {
            Some(lane) => self.find_along(search, request, &lane, random).into(),
            None => self.find(search, request, random),
        })
    }

    /// Why there is no way, if there is none.
    pub fn why_not(&self, request: &Request, lane: Option<Lane>, random: Random) -> Option<NoWay> {
        let told = self.answer(&[*request], |_| lane, random, Workers::one()).pop();
        match told.map(|told| told.answer) {
            Some(Answer::NoWay(reason)) => Some(reason),
            _ => None,
        }
    }

    /// The narrowest place ahead on a route, if it is a gate that people wait before.
    pub fn gate_ahead(&self, route: &Route, layer: LayerId, from: Vec2) -> Option<EdgeId> {
        let mut from = from.as_dvec2();
        let mut left = GATE_AHEAD;
        let mut narrowest = (NARROW, None);
        for (floor, _, to) in route.legs() {
            if floor != layer || left <= 0.0 {
                break;
            }
            let way = to.as_dvec2() - from;
            let to = from + way.clamp_length_max(left);
            for anchor in self.map.discs_along(layer, from, to) {
                if anchor.clearance < narrowest.0 {
                    narrowest = (anchor.clearance, Some(anchor.edge));
                }
            }
            left -= way.length();
            from = to;
        }
        narrowest.1
    }

    fn find(&self, search: &mut Search, request: &Request, random: Random) -> Told {
        let request = &Request { start: self.way_in(request), ..*request };
        let (from, to) = (request.from.as_dvec2(), request.to.as_dvec2());
        let radius = f64::from(request.radius);
        let nearer = request.nearer.as_dvec2();
        let is_in_sight = request.layer == request.floor
            && self.map.is_clear(request.layer, from, nearer, radius);
        // Who knows of a jam compares what they see with other ways.
        if is_in_sight && request.tolls == Tolls::default() {
            return Answer::Straight.into();
        }
        let (walker, extras) = self.preferences(request, random);
        let dearer = request.avoids.map(|edge| self.dearer(edge));
        let extras = Extras { per_edge: dearer.as_deref().unwrap_or(extras.per_edge), ..extras };
        let ends = [(request.layer, request.start.as_dvec2()), (request.floor, to)];
        let berth = berth(request, random);
        match self.map.individual_way(search, ends, &walker, berth, extras) {
            Ok((path, pays)) => {
                let is_straight = is_in_sight && path.length() <= STRAIGHT * from.distance(to);
                let way = Way::Shortest(path, Progress::default());
                let answer = if is_straight {
                    Answer::Straight
                } else {
                    self.set_out(request, way, &walker)
                };
                Told { answer, pays }
            }
            Err(reason) => Answer::NoWay(reason).into(),
        }
    }

    /// Returns the start of the path search: the position, or for positions off the map (outside the bounds of an open
    /// world) the nearest free place on it, to within [`RING`].
    fn way_in(&self, request: &Request) -> Vec2 {
        let Request { layer, start, radius, .. } = *request;
        let (at, radius) = (start.as_dvec2(), f64::from(radius));
        let outside = -self.map.clearance(layer, at);
        if outside < 0.0 {
            return start;
        }
        let nearest = outside + radius;
        let places = (1..=RINGS).flat_map(|ring| {
            let distance = nearest + RING * f64::from(ring);
            (0..DIRECTIONS).map(move |direction| {
                at + distance
                    * DVec2::from_angle(TAU * f64::from(direction) / f64::from(DIRECTIONS))
            })
        });
        let mut free = places.filter(|&place| self.map.clearance(layer, place) >= radius);
        free.next().unwrap_or(at).as_vec2()
    }

    /// What edges cost whoever would rather not walk along one of them. It is no more than dear: where there is
    /// no other way, one waits on.
    fn dearer(&self, edge: EdgeId) -> Vec<f32> {
        let mut extras = self.traffic.extras().to_vec();
        if let Some(extra) = extras.get_mut(edge.0 as usize) {
            *extra += AVOIDED;
        }
        extras
    }

    /// The next stretch of the lane that somebody follows, from where they get onto it.
    fn find_along(
        &self,
        search: &mut Search,
        request: &Request,
        lane: &Lane,
        random: Random,
    ) -> Answer {
        let (walker, extras) = self.preferences(request, random);
        let along = lane.join(request.along, request.layer, request.from);
        let from = (request.layer, request.from.as_dvec2());
        let is_free = |(layer, point): (LayerId, Vec2)| {
            self.map.clearance(layer, point.as_dvec2()) >= walker.radius
        };
        let way = LineWay::find(lane, along, is_free, |sketch| {
            self.map.indicative_route_from(search, from, sketch, &walker, extras)
        });
        match way {
            Ok(way) => self.set_out(request, Way::Line(Box::new(way)), &walker),
            Err(SketchError::NoWay { reason, .. }) => Answer::NoWay(reason),
            // A line that was checked is one; this is for those that are none.
            Err(_) => Answer::NoWay(NoWay::Apart),
        }
    }

    /// A route, and what is seen from where it begins.
    fn set_out(&self, request: &Request, way: Way, walker: &Walker) -> Answer {
        let mut route = Route::new(way, walker.margin as f32);
        // Beyond the edge of the world nothing is seen of the map: first to where the route begins.
        let aim = request.start;
        let at_once = Outlook { aim, rest: 0.0, line: Vec2::ZERO };
        let Request { from, layer, radius, speed, .. } = *request;
        let walker = Onlooker { position: from, layer, radius, speed, aim };
        let outlook = self.look_up(&mut route, &walker).unwrap_or(at_once);
        Answer::Route(Box::new(route), outlook)
    }

    /// How somebody likes to walk, and what ways cost them.
    pub fn preferences<'a>(&'a self, request: &'a Request, random: Random) -> (Walker, Extras<'a>) {
        let who = random.bits(request.whim.into(), 0, Purpose::Whim);
        let [least, more] = MARGIN;
        let taste = random.stream(request.whim.into(), 1, Purpose::Whim).unit();
        let margin = f64::from(least + more * taste);
        let walker = Walker { radius: request.radius.into(), margin };
        let (per_edge, landmarks) = (self.traffic.extras(), self.landmarks.as_ref());
        let whim = WHIM * gains::EXPLORING.of(request.temperament);
        (walker, Extras { per_edge, whim, who, landmarks, tolls: &request.tolls })
    }

    /// Measures the map for searches if somebody asks, and it has not changed for a while.
    pub fn survey(&mut self, somebody_asks: bool) {
        self.unchanged += self.step;
        if somebody_asks && self.landmarks.is_none() && self.unchanged >= SETTLED {
            self.landmarks = Some(self.map.landmarks());
        }
    }
}

/// How much room somebody leaves at corners.
fn berth(request: &Request, random: Random) -> Berth {
    let taste = f64::from(random.stream(request.whim.into(), 4, Purpose::Whim).unit());
    let [left, right] = BERTHS.map(|[least, more]| least + more * taste);
    // Who does not keep to the right leaves as much room on both sides.
    let order = f64::from(gains::RIGHT_HAND.of(request.temperament)) - 1.0;
    let more = 0.5 * (left - right) * order;
    Berth { left: left + more, right: (right - more).max(0.0) }
}
