//! Ways to goals: who needs one, how it is found, and where it leads next.
//!
//! Whoever sees their goal walks straight to it. All others ask for a route, and a bounded number of
//! requests is served per step, in order of id: when a thousand people ask at once, the step does
//! not stall. Someone with a route looks up now and then for the point of it that draws them on
//! (see [`throng_nav::Path::attraction`]); in between they walk straight to that point.

use std::sync::{Arc, Mutex, PoisonError};

use glam::{DVec2, Vec2};
use rayon::prelude::*;
use throng_nav::{
    Berth, Boundary, CorridorMap, EdgeId, Extras, Landmarks, NoWay, Path, Place, Progress, Search,
    SketchError, Walker,
};
use throng_world::random::{Purpose, Random};
use throng_world::scene::{LayerId, Region};

use crate::line::{Lane, LineWay};
use crate::many::ManyWays;
use crate::population::Population;
use crate::traffic::Traffic;

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
        parallel: bool,
        find: impl Fn(&mut Search, &Request) -> T + Sync,
    ) -> Vec<T> {
        let some = |requests: &[Request]| -> Vec<T> {
            self.with(|search| requests.iter().map(|request| find(search, request)).collect())
        };
        if parallel {
            requests.par_chunks(SERVED_TOGETHER).flat_map_iter(some).collect()
        } else {
            some(requests)
        }
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
    /// There is no way.
    Lost,
    /// There was no way, and asks again.
    LostAndAsked,
}

impl Course {
    /// Whether somebody waits to be told a way.
    pub fn asks(self) -> bool {
        matches!(self, Self::Asked | Self::CutOff | Self::Impatient | Self::LostAndAsked)
    }

    /// Whether somebody asks whose way is cut off.
    pub fn is_urgent(self) -> bool {
        self == Self::CutOff
    }
}

/// A way to follow.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    way: Way,
    /// Whoever is no further from the path than this keeps clear of walls, m.
    margin: f32,
}

/// What a route leads along.
#[derive(Clone, Debug)]
enum Way {
    /// The shortest way that was found.
    Shortest(Path, Progress),
    /// A line that somebody wants to follow.
    Line(Box<LineWay>),
}

impl Route {
    /// The stretch of a line that it leads along, if that is what is followed.
    pub fn line(&mut self) -> Option<&mut LineWay> {
        match &mut self.way {
            Way::Line(line) => Some(line),
            Way::Shortest(..) => None,
        }
    }

    /// Whether it leads to the end of a line.
    pub fn ends_line(&self) -> bool {
        matches!(&self.way, Way::Line(line) if line.is_last)
    }

    /// Looks at what a look-up begins with: whoever calls this for several people before they look up
    /// waits for memory once.
    #[inline(always)]
    pub fn fetch(&self) -> Option<DVec2> {
        match &self.way {
            Way::Shortest(path, progress) => path.points.get(progress.leg).copied(),
            Way::Line(_) => None,
        }
    }

    fn path(&self) -> &Path {
        match &self.way {
            Way::Shortest(path, _) => path,
            Way::Line(line) => line.route.path(),
        }
    }

    fn progress(&self) -> Progress {
        match &self.way {
            Way::Shortest(_, progress) => *progress,
            Way::Line(line) => Progress { leg: line.leg() },
        }
    }

    /// Where it leads, leg by leg: floor, from and to, m. What is behind already is not told.
    pub fn legs(&self) -> impl Iterator<Item = (LayerId, Vec2, Vec2)> + '_ {
        let legs = self.path().points.windows(2).zip(&self.path().layers);
        legs.skip(self.progress().leg)
            .map(|(ends, &layer)| (layer, ends[0].as_vec2(), ends[1].as_vec2()))
    }

    /// What those see who are on a leg of it, and far from its end.
    fn along_leg(&self, who: &Onlooker) -> Option<Outlook> {
        let (margin, at) = (self.margin, who.position.as_dvec2());
        let leg = self.path().leg_at(&self.progress(), who.layer, at, margin.into())?;
        let [from, aim] = [leg[0].as_vec2(), leg[1].as_vec2()];
        Outlook::along_line(from, aim, margin, who)
    }

    /// Looks up soon enough to ask for the next stretch of a line before this one ends.
    fn in_time(&mut self, outlook: Outlook, speed: f32) -> Outlook {
        let until_renewal = self.line().map_or(f64::INFINITY, |line| line.until_renewal());
        let rest = (until_renewal as f32 / speed.max(0.1)).max(LOOK_UP[0]);
        Outlook { rest: outlook.rest.min(rest), ..outlook }
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> usize {
        let path = self.path();
        size_of::<Self>()
            + path.points.capacity() * size_of::<DVec2>()
            + path.layers.capacity() * size_of::<LayerId>()
    }
}

/// What somebody who looks up along a route sees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Outlook {
    /// The point that draws on, m. The straight way there is free.
    pub aim: Vec2,
    /// When to look up again, s.
    pub rest: f32,
    /// Or as soon as they are beside the line to the aim, along which this vector points: by one over
    /// its length, m. Zero if they may go where they like.
    pub line: Vec2,
}

impl Outlook {
    /// Whether somebody at `position` has come off the line that they walk along.
    pub fn is_beside(&self, position: Vec2) -> bool {
        self.line.perp_dot(self.aim - position).abs() > 1.0
    }

    /// For those who walk along the line between two points and may be so far beside it, m; `None`
    /// where it ends soon.
    fn along_line(from: Vec2, aim: Vec2, beside: f32, who: &Onlooker) -> Option<Self> {
        let left = aim.distance(who.position) - NEAR_END;
        let rest = left / who.speed.max(0.1);
        let line = (aim - from).normalize_or_zero() / beside;
        (rest > LOOK_UP[1]).then_some(Self { aim, rest: rest.min(LONGEST_REST), line })
    }
}

/// How often people look up at least and at most, s.
const LOOK_UP: [f32; 2] = [0.3, 2.0];

/// The share of the way to the point they are drawn to after which people look up.
const LOOK_UP_AFTER: f32 = 0.5;

/// Those who are on a straight leg of their route walk to its end without looking at the map, until
/// it is this near, m.
const NEAR_END: f32 = 2.0;

/// They do look up so often, s.
const LONGEST_REST: f32 = 10.0;

/// Those beside a leg look this far along it, m.
const FAR: f64 = 12.0;

/// And walk on without looking up as long as they are no further from the line to the point they have
/// seen than it is free to both sides: by the first of these at least, m, and up to the second.
const FREEDOM: [f32; 2] = [0.1, 2.0];

/// How long it takes the push of walls to change somebody's velocity, s.
const RELAXATION: f64 = 0.5;

/// How walls push those who follow a route. Steering models keep people off walls already: this just
/// turns those who brush along one a little away from it.
const BOUNDARY: Boundary = Boundary { safe_distance: 0.1, steepness: 1.0 };

/// The push is at most this share of the speed.
const LARGEST_PUSH: f32 = 0.25;

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
    pub from: Vec2,
    pub layer: LayerId,
    pub to: Vec2,
    pub floor: LayerId,
    /// A place that will do as well if it is in sight.
    pub nearer: Vec2,
    pub radius: f32,
    pub speed: f32,
    /// How far they have got on the line that they follow, if they do.
    pub along: f64,
    /// An edge of the map that they would rather not walk along.
    pub avoids: Option<EdgeId>,
}

impl Request {
    pub fn avoiding(self, avoids: Option<EdgeId>) -> Self {
        Self { avoids, ..self }
    }
}

/// What they are told.
#[derive(Debug)]
pub(crate) enum Answer {
    Straight,
    Route(Box<Route>, Outlook),
    NoWay(NoWay),
}

/// Somebody on a route who looks up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Onlooker {
    pub position: Vec2,
    pub layer: LayerId,
    pub radius: f32,
    pub speed: f32,
    /// What draws them on now.
    pub aim: Vec2,
}

impl Guidance {
    pub fn new(map: Arc<CorridorMap>, regions: &[Region], step: f32) -> Self {
        let traffic = Traffic::new(&map, regions);
        let (searches, many) = (Searches::default(), ManyWays::default());
        // From the first step on.
        let (landmarks, unchanged) = (None, SETTLED);
        Self { traffic, map, cursor: 0, quota: 0, step, searches, many, landmarks, unchanged }
    }

    /// From now on ways are those of `map`.
    pub fn change(&mut self, map: Arc<CorridorMap>, regions: &[Region]) {
        self.traffic = Traffic::new(&map, regions);
        self.map = map;
        self.many = ManyWays::default();
        (self.landmarks, self.unchanged) = (None, 0.0);
    }

    /// The way for somebody who is to take one of many; where there are none, the one they would find.
    pub fn deal(&mut self, request: &Request, regions: &[Region], random: Random) -> Answer {
        let (from, to) = (request.from.as_dvec2(), request.to.as_dvec2());
        let ends = [(request.layer, from), (request.floor, to)];
        let (walker, _) = self.preferences(request, random);
        let is_in_sight = request.layer == request.floor
            && self.map.is_clear(request.layer, from, request.nearer.as_dvec2(), walker.radius);
        let draws = &mut random.stream(request.id.into(), 3, Purpose::Whim);
        if !is_in_sight && let Some(path) = self.many.deal(&self.map, regions, ends, &walker, draws)
        {
            let way = Way::Shortest(path, Progress::default());
            // Gates may be narrower than they like.
            let walker = Walker { margin: LEAST_MARGIN, ..walker };
            return self.set_out(request, way, &walker);
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
        parallel: bool,
    ) -> Vec<Answer> {
        self.searches.map(requests, parallel, |search, request| match lane(request) {
            Some(lane) => self.find_along(search, request, &lane, random),
            None => self.find(search, request, random),
        })
    }

    /// Why there is no way, if there is none.
    pub fn why_not(&self, request: &Request, lane: Option<Lane>, random: Random) -> Option<NoWay> {
        let answer = self.answer(&[*request], |_| lane, random, false).pop();
        match answer {
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

    fn find(&self, search: &mut Search, request: &Request, random: Random) -> Answer {
        let (from, to) = (request.from.as_dvec2(), request.to.as_dvec2());
        let radius = f64::from(request.radius);
        let nearer = request.nearer.as_dvec2();
        if request.layer == request.floor && self.map.is_clear(request.layer, from, nearer, radius)
        {
            return Answer::Straight;
        }
        let (walker, extras) = self.preferences(request, random);
        let dearer = request.avoids.map(|edge| self.dearer(edge));
        let extras = Extras { per_edge: dearer.as_deref().unwrap_or(extras.per_edge), ..extras };
        let ends = [(request.layer, from), (request.floor, to)];
        match self.map.individual_path(search, ends, &walker, berth(request, random), extras) {
            Ok(path) => self.set_out(request, Way::Shortest(path, Progress::default()), &walker),
            Err(reason) => Answer::NoWay(reason),
        }
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
        let mut route = Route { way, margin: walker.margin as f32 };
        let at_once = Outlook { aim: request.from, rest: 0.0, line: Vec2::ZERO };
        let Request { from, layer, radius, speed, .. } = *request;
        let walker = Onlooker { position: from, layer, radius, speed, aim: from };
        let outlook = self.look_up(&mut route, &walker).unwrap_or(at_once);
        Answer::Route(Box::new(route), outlook)
    }

    /// How somebody likes to walk, and what ways cost them.
    pub fn preferences(&self, request: &Request, random: Random) -> (Walker, Extras<'_>) {
        let who = random.bits(request.id.into(), 0, Purpose::Whim);
        let [least, more] = MARGIN;
        let taste = random.stream(request.id.into(), 1, Purpose::Whim).unit();
        let margin = f64::from(least + more * taste);
        let walker = Walker { radius: request.radius.into(), margin };
        let (per_edge, landmarks) = (self.traffic.extras(), self.landmarks.as_ref());
        (walker, Extras { per_edge, whim: WHIM, who, landmarks })
    }

    /// Finds the point that draws somebody on; `None` if the route does not lead them any more.
    pub fn look_up(&self, route: &mut Route, who: &Onlooker) -> Option<Outlook> {
        let &Onlooker { position, layer, radius, speed, aim } = who;
        let [least, most] = LOOK_UP;
        if let Some(line) = route.line() {
            line.advance(layer, position.as_dvec2());
        }
        if let Some(outlook) = route.along_leg(who) {
            return Some(route.in_time(outlook, speed));
        }
        if let Some(outlook) = self.see_along_leg(route, who) {
            return Some(outlook);
        }
        // Someone pressed into a wall, or beyond the edge of an open world, goes on as before.
        let Some(place) = self.map.locate(layer, position.as_dvec2()) else {
            return Some(Outlook { aim, rest: least, line: Vec2::ZERO });
        };
        let aim = match &mut route.way {
            Way::Shortest(path, progress) => path.attraction(progress, &place)?,
            Way::Line(line) => line.attraction(&place)?,
        };
        let aim = aim.as_vec2();
        let time = aim.distance(position) / speed.max(0.1);
        let rest = (LOOK_UP_AFTER * time).clamp(least, most);
        let aim = aim + self.aside(&place, radius, speed) * time;
        Some(Outlook { aim, rest, line: Vec2::ZERO })
    }

    /// What those see who are beside a leg of their route: a point of it far ahead, if all is free
    /// along the line there.
    fn see_along_leg(&self, route: &Route, who: &Onlooker) -> Option<Outlook> {
        let &Onlooker { position, layer, radius, .. } = who;
        // Who follows a line wants to be on it soon, however far they see.
        let Way::Shortest(path, progress) = &route.way else { return None };
        let at = position.as_dvec2();
        let [from, to] = path.leg_at(progress, layer, at, f64::INFINITY)?;
        let way = (to - from).normalize_or_zero();
        let far = at.dot(way) - from.dot(way) + FAR;
        let aim = if far < from.distance(to) { from + way * far } else { to };
        let outlook = Outlook::along_line(position, aim.as_vec2(), 1.0, who)?;
        let [least, most] = FREEDOM.map(|beside| f64::from(radius + beside));
        let room = self.map.room_along(layer, [at, aim], least, most);
        let beside = room as f32 - radius;
        (room >= least).then(|| Outlook { line: outlook.line / beside, ..outlook })
    }

    /// Measures the map for searches if somebody asks, and it has not changed for a while.
    pub fn survey(&mut self, somebody_asks: bool) {
        self.unchanged += self.step;
        if somebody_asks && self.landmarks.is_none() && self.unchanged >= SETTLED {
            self.landmarks = Some(self.map.landmarks());
        }
    }

    /// What walls add to the velocity of somebody at a place, m/s.
    fn aside(&self, place: &Place, radius: f32, speed: f32) -> Vec2 {
        let push = BOUNDARY.push(place, radius.into(), self.step.into()) * RELAXATION;
        push.as_vec2().clamp_length_max(LARGEST_PUSH * speed)
    }
}

/// How much room somebody leaves at corners.
fn berth(request: &Request, random: Random) -> Berth {
    let taste = f64::from(random.stream(request.id.into(), 4, Purpose::Whim).unit());
    let [left, right] = BERTHS.map(|[least, more]| least + more * taste);
    Berth { left, right }
}
