//! Along a route: what draws people on, and how far they have got.
//!
//! Whoever follows a path is drawn to the furthest point of it that they can walk straight to. Discs of the map tell which that is, or
//! the path itself for those who are on a leg of it; both are cheap, and they do not always agree. Where a path doubles
//! back, the one led to a point beyond the bend and the other to the bend again, and people alone in a hall went
//! to and fro for ever. So nobody turns back for what lies before that which drew them on so far. Who cannot
//! walk straight to that any more, because others have pushed them aside, needs another path. A little earlier on the path,
//! but ahead of them, is as well: so people are led back to the berth that they want to have at a corner.

use glam::{DVec2, Vec2};
use throng_nav::{Boundary, Path, Place, Progress};
use throng_world::scene::LayerId;

use super::Guidance;
use crate::line::LineWay;

/// A way to follow.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    way: Way,
    /// Whoever is no further from the path than this keeps clear of walls, m.
    margin: f32,
}

/// What a route leads along.
#[derive(Clone, Debug)]
pub(super) enum Way {
    /// The shortest way that was found.
    Shortest(Path, Progress),
    /// A line that somebody wants to follow.
    Line(Box<LineWay>),
}

impl Route {
    pub(super) fn new(way: Way, margin: f32) -> Self {
        Self { way, margin }
    }

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
            Way::Line(line) => Progress { leg: line.leg(), aim: line.leg() as f64 },
        }
    }

    /// Where it leads, leg by leg: floor, from and to, m. What is behind already is not told.
    pub fn legs(&self) -> impl Iterator<Item = (LayerId, Vec2, Vec2)> + '_ {
        let legs = self.path().points.windows(2).zip(&self.path().layers);
        legs.skip(self.progress().leg)
            .map(|(ends, &layer)| (layer, ends[0].as_vec2(), ends[1].as_vec2()))
    }

    /// What those see who are on a leg of it, and far from its end.
    fn along_leg(&mut self, who: &Onlooker) -> Option<Outlook> {
        let (margin, at, progress) = (self.margin, who.position.as_dvec2(), self.progress());
        let leg = self.path().leg_at(&progress, who.layer, at, margin.into())?;
        let [from, aim] = [leg[0].as_vec2(), leg[1].as_vec2()];
        let outlook = Outlook::along_line(from, aim, margin, who)?;
        self.is_drawn_to((progress.leg + 1) as f64, at, leg[1]).then_some(outlook)
    }

    /// Whether somebody at `from` may be drawn to the point `to` of the path, which is at `aim`. If so, they are.
    /// Lines know by themselves how far somebody has got.
    fn is_drawn_to(&mut self, aim: f64, from: DVec2, to: DVec2) -> bool {
        let Way::Shortest(path, progress) = &mut self.way else { return true };
        let goes_on = aim >= progress.aim || !goes_back(path, progress.aim, from, (aim, to));
        if goes_on {
            progress.aim = aim;
        }
        goes_on
    }

    /// What is left to walk for somebody at `position` who is drawn to `aim`, m; `None` for those who follow a
    /// line, which they would not leave whatever holds them up.
    ///
    /// It shrinks as they walk on, but for a little where what draws them on moves back.
    pub fn left(&self, position: Vec2, aim: Vec2) -> Option<f32> {
        match &self.way {
            Way::Shortest(path, progress) => {
                Some(position.distance(aim) + path.left(progress.aim) as f32)
            }
            Way::Line(_) => None,
        }
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

/// By how much an earlier place on a path may lengthen the way to its end, m. It is enough for the berth at a corner.
/// With more, people may go round and round along a path with loops.
const WAY_BACK: f64 = 2.0;

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
        // Someone pressed into a wall, or beyond the edge of an open world, goes on as before; at the end of that, they
        // need another route.
        let Some(place) = self.map.locate(layer, position.as_dvec2()) else {
            let goes_on = aim.distance_squared(position) > radius * radius;
            return goes_on.then_some(Outlook { aim, rest: least, line: Vec2::ZERO });
        };
        let aim = match &mut route.way {
            Way::Shortest(path, progress) => self.draw_on(path, progress, &place, radius)?,
            Way::Line(line) => line.attraction(&place)?,
        };
        let aim = aim.as_vec2();
        let time = aim.distance(position) / speed.max(0.1);
        let rest = (LOOK_UP_AFTER * time).clamp(least, most);
        let aim = aim + self.aside(&place, radius, speed) * time;
        Some(Outlook { aim, rest, line: Vec2::ZERO })
    }

    /// Returns the point of a path that draws on a person at `place`: the furthest one in the disc around them, or, if
    /// they would have to go back for that, the furthest one from the previous point on, or else the previous point.
    /// `None` if they would have to turn round and the straight way to the previous point is not free any more: the
    /// person has been pushed off the path and needs another one.
    fn draw_on(
        &self,
        path: &Path,
        progress: &mut Progress,
        place: &Place,
        radius: f32,
    ) -> Option<DVec2> {
        let before = progress.aim;
        let around = path.attraction(progress, place)?;
        let earlier = progress.aim;
        if earlier >= before || !goes_back(path, before, place.point, (earlier, around)) {
            return Some(around);
        }
        // The search began on a loop of the path that the previous point cuts off. Without a second search from that
        // point, a person who has reached it would stop there.
        let mut beyond = Progress { leg: path.leg_to(before), aim: before };
        if let Some(point) = path.attraction(&mut beyond, place)
            && beyond.aim >= before
        {
            *progress = beyond;
            return Some(point);
        }
        let (layer, aim) = path.at(before)?;
        if layer == place.layer && self.map.is_clear(layer, place.point, aim, radius.into()) {
            progress.aim = before;
            return Some(aim);
        }
        (!turns_back(path, before, place.point, around)).then_some(around)
    }

    /// What those see who are beside a leg of their route: a point of it far ahead, if all is free
    /// along the line there.
    fn see_along_leg(&self, route: &mut Route, who: &Onlooker) -> Option<Outlook> {
        let &Onlooker { position, layer, radius, .. } = who;
        // Who follows a line wants to be on it soon, however far they see.
        let Way::Shortest(path, progress) = &route.way else { return None };
        let (at, leg) = (position.as_dvec2(), progress.leg);
        let [from, to] = path.leg_at(progress, layer, at, f64::INFINITY)?;
        let way = (to - from).normalize_or_zero();
        let (far, length) = (at.dot(way) - from.dot(way) + FAR, from.distance(to));
        let (aim, share) = if far < length { (from + way * far, far / length) } else { (to, 1.0) };
        let outlook = Outlook::along_line(position, aim.as_vec2(), 1.0, who)?;
        let [least, most] = FREEDOM.map(|beside| f64::from(radius + beside));
        let room = self.map.room_along(layer, [at, aim], least, most);
        let beside = room as f32 - radius;
        let is_it = room >= least && route.is_drawn_to(leg as f64 + share, at, aim);
        is_it.then(|| Outlook { line: outlook.line / beside, ..outlook })
    }

    /// What walls add to the velocity of somebody at a place, m/s.
    fn aside(&self, place: &Place, radius: f32, speed: f32) -> Vec2 {
        let push = BOUNDARY.push(place, radius.into(), self.step.into()) * RELAXATION;
        push.as_vec2().clamp_length_max(LARGEST_PUSH * speed)
    }
}

/// Returns whether a person at `from` who was drawn to a place on a path has to turn back for the point `to` of it.
fn turns_back(path: &Path, drawn_to: f64, from: DVec2, to: DVec2) -> bool {
    path.at(drawn_to).is_some_and(|(_, before)| (before - from).dot(to - from) < 0.0)
}

/// Returns whether a person at `from` who was drawn to a place on a path would turn back for an earlier place on it, or
/// walk more than [`WAY_BACK`] farther to its end by way of that place, which is `to`, `along` the path.
fn goes_back(path: &Path, drawn_to: f64, from: DVec2, (along, to): (f64, DVec2)) -> bool {
    let costs_more = || {
        path.at(drawn_to).is_some_and(|(_, before)| {
            let left = from.distance(before) + path.left(drawn_to);
            from.distance(to) + path.left(along) > left + WAY_BACK
        })
    };
    turns_back(path, drawn_to, from, to) || costs_more()
}
