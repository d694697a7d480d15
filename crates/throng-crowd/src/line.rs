//! Lines that people follow: where one gets on, and what one walks along beside the others.
//!
//! A line is what somebody has sketched. It may lead through walls; where there are any, the map makes
//! a stretch of it walkable at a time ([`throng_nav::CorridorMap::indicative_route_from`]). How far
//! somebody has got is kept as a place on the line itself and never decreases, so whoever loses their way
//! is led to what lies ahead of them, and not back to where they left it.

use glam::{DVec2, Vec2};
use throng_base::random::{Purpose, Random};
use throng_nav::{IndicativeRoute, Place};
use throng_world::scene::{Aim, Goal, LayerId};

use crate::intents::{GoalMemory, GoalState};
use crate::population::Population;

/// How far ahead along a line people look, m. Further, and they cut corners; nearer, and those who were
/// pushed aside turn back to the line at a right angle.
pub(crate) const LOOK_AHEAD: f32 = 2.0;

/// A metre of the line that is left out counts as much as so many metres of the way to it: those who
/// stand beside the middle of a line do not walk back to its beginning, and those who stand where a
/// loop begins and ends walk round.
const LEFT_OUT: f32 = 0.5;

/// So much of a line is made walkable at a time, m: long lines would take long to look at, and are, when
/// something changes.
const STRETCH: f32 = 40.0;

/// When less of it is left, m, people ask for the next stretch.
const RENEWAL: f64 = 15.0;

/// A stretch is longer by up to so many metres if it would end in a wall.
const THICKEST: u32 = 200;

/// A corner of a strip is at most so many times as far from that of the line as its sides are.
const LONGEST_MITRE: f32 = 2.0;

/// A point of a floor.
type Stop = (LayerId, Vec2);

/// What one person walks along: the line itself, or a line beside it.
///
/// Places on it are numbers: 1.5 is in the middle of the second leg.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane<'a> {
    line: &'a [Stop],
    /// How far to the left of the line, m.
    aside: f32,
}

/// What the person in a row walks along, if `goal` is to follow a line. Those who share a strip are
/// spread over its width.
pub(crate) fn lane_of<'a>(
    goal: &'a Goal,
    people: &Population,
    row: usize,
    random: Random,
) -> Option<Lane<'a>> {
    let Aim::Follow { line, width, .. } = &goal.aim else { return None };
    let side = random.stream(people.chance_id(row).into(), 2, Purpose::Whim).unit() - 0.5;
    let aside = (width - 2.0 * people.radii[row]).max(0.0) * side;
    (line.len() >= 2).then_some(Lane { line, aside })
}

impl<'a> Lane<'a> {
    /// A line of two points or more.
    pub fn middle(line: &'a [Stop]) -> Self {
        Self { line, aside: 0.0 }
    }

    /// Where it ends.
    pub fn end(&self) -> Stop {
        self.corner(self.line.len() - 1)
    }

    /// A place on it.
    pub fn at(&self, along: f64) -> Stop {
        let leg = self.leg(along);
        let (from, to) = (self.corner(leg), self.corner(leg + 1));
        let share = share(along, leg);
        if share == 0.0 { from } else { (to.0, from.1.lerp(to.1, share)) }
    }

    /// What is `distance` metres further on, and where on the lane that is.
    pub fn further(&self, along: f64, mut distance: f32) -> (f64, Stop) {
        let mut at = along;
        for leg in self.leg(along)..self.line.len() - 1 {
            let ((_, a), (_, b)) = (self.corner(leg), self.corner(leg + 1));
            let length = a.distance(b);
            let left = length * (1.0 - share(at, leg));
            if left >= distance {
                at += f64::from(distance / length.max(f32::MIN_POSITIVE));
                return (at, self.at(at));
            }
            (at, distance) = ((leg + 1) as f64, distance - left);
        }
        (at, self.end())
    }

    /// Where somebody at a point of a floor gets onto it who has got as far as `along`: where it is near
    /// and little is left out.
    pub fn join(&self, along: f64, layer: LayerId, point: Vec2) -> f64 {
        self.on_a_floor(self.nearest(along, Some(layer), point, LEFT_OUT, f32::INFINITY))
    }

    /// A place, or the next one that is on a floor: between floors, only the way over the stairs is
    /// known to be one.
    fn on_a_floor(&self, along: f64) -> f64 {
        let leg = self.leg(along);
        let is_between = self.line[leg].0 != self.line[leg + 1].0 && along > leg as f64;
        if is_between { (leg + 1) as f64 } else { along }
    }

    /// Where the nearest point is of what lies ahead of `along`, regardless of floors.
    pub fn advance(&self, along: f64, point: Vec2) -> f64 {
        self.nearest(along, None, point, 0.0, LOOK_AHEAD)
    }

    /// How far it is from a place to the end, m.
    pub fn left(&self, along: f64) -> f32 {
        let leg = self.leg(along);
        let first = self.at(along).1.distance(self.corner(leg + 1).1);
        let rest = (leg + 1..self.line.len() - 1)
            .map(|leg| self.corner(leg).1.distance(self.corner(leg + 1).1));
        first + rest.sum::<f32>()
    }

    /// The stretch from a place on: points, where on the lane they are, and whether it is the last one.
    ///
    /// It does not end where nobody can stand: what begins in a wall comes out on either side.
    fn stretch(&self, along: f64, is_free: impl Fn(Stop) -> bool) -> (Vec<Stop>, Vec<f64>, bool) {
        let last = (self.line.len() - 1) as f64;
        let to = self.on_a_floor(self.further(along, STRETCH).0);
        let (mut to, mut end) = (to, self.at(to));
        for _ in 0..THICKEST {
            if to >= last || is_free(end) {
                break;
            }
            to = self.on_a_floor(self.further(to, 1.0).0);
            end = self.at(to);
        }
        let between = (self.leg(along) + 1..self.line.len()).map(|corner| corner as f64);
        let mut marks = vec![along];
        marks.extend(between.take_while(|&corner| corner < to));
        marks.push(to);
        let stops = marks.iter().map(|&mark| self.at(mark));
        (stops.collect(), marks, to >= last)
    }

    /// The place ahead of `along` for which the distance to `point`, and what is left out at so much per
    /// metre, is least, among legs that begin within `window` metres.
    fn nearest(
        &self,
        along: f64,
        layer: Option<LayerId>,
        point: Vec2,
        left_out: f32,
        window: f32,
    ) -> f64 {
        let (mut best, mut least) = (along, f32::INFINITY);
        let mut passed = 0.0;
        for leg in self.leg(along)..self.line.len() - 1 {
            if passed > window {
                break;
            }
            let ((floor, a), (next, b)) = (self.corner(leg), self.corner(leg + 1));
            let length = a.distance(b);
            let begin = share(along, leg) * length;
            let is_here = layer.is_none_or(|layer| layer == floor && layer == next);
            if is_here && length > 0.0 {
                let way = (b - a) / length;
                let (ahead, beside) = (way.dot(point - a), way.perp_dot(point - a).abs());
                let back = beside * left_out / (1.0 - left_out * left_out).sqrt();
                let at = (ahead - back).clamp(begin, length);
                let cost = (a + way * at).distance(point) + left_out * (passed + at - begin);
                if cost < least {
                    (best, least) = (leg as f64 + f64::from(at / length), cost);
                }
            }
            passed += length - begin;
        }
        best
    }

    /// The leg that a place is on.
    fn leg(&self, along: f64) -> usize {
        (along.max(0.0) as usize).min(self.line.len() - 2)
    }

    /// A corner of the lane: that of the line moved aside, so that lanes keep their distance on both
    /// sides of it.
    fn corner(&self, number: usize) -> Stop {
        let (layer, point) = self.line[number];
        if self.aside == 0.0 {
            return (layer, point);
        }
        // The nearest legs before and after that have a direction.
        let side =
            |leg: usize| (self.line[leg + 1].1 - self.line[leg].1).try_normalize().map(Vec2::perp);
        let before: Option<Vec2> = (0..number).rev().find_map(side);
        let after: Option<Vec2> = (number..self.line.len() - 1).find_map(side);
        let mitre = match (before, after) {
            (Some(before), Some(after)) => {
                let sum = (before + after) / (1.0 + before.dot(after)).max(1e-3);
                sum.clamp_length_max(LONGEST_MITRE)
            }
            (side, None) | (None, side) => side.unwrap_or(Vec2::ZERO),
        };
        (layer, point + mitre * self.aside)
    }
}

/// How much of a leg lies before a place.
fn share(along: f64, leg: usize) -> f32 {
    (along - leg as f64).clamp(0.0, 1.0) as f32
}

/// A stretch of a line that can be walked.
#[derive(Clone, Debug)]
pub(crate) struct LineWay {
    pub route: IndicativeRoute,
    travelled: f64,
    /// Where on the line each point of the stretch is.
    marks: Vec<f64>,
    /// Whether the line ends with it.
    pub is_last: bool,
}

impl LineWay {
    /// The next stretch of a lane for somebody who has got as far as `along`, or why there is none.
    /// `trace` makes it walkable.
    pub fn find<E>(
        lane: &Lane,
        along: f64,
        is_free: impl Fn(Stop) -> bool,
        trace: impl FnOnce(&[(LayerId, DVec2)]) -> Result<IndicativeRoute, E>,
    ) -> Result<Self, E> {
        let (stops, marks, is_last) = lane.stretch(along, is_free);
        let sketch: Vec<_> =
            stops.into_iter().map(|(layer, point)| (layer, point.as_dvec2())).collect();
        Ok(Self { route: trace(&sketch)?, travelled: 0.0, marks, is_last })
    }

    /// Tells where on the line somebody is who begins to walk along this, and where it ends.
    pub fn tell(&self, state: &mut GoalState, memory: &mut GoalMemory) {
        memory.along = self.along();
        let path = self.route.path();
        if let (true, Some(end), Some(&floor)) =
            (self.is_last, path.points.last(), path.layers.last())
        {
            (state.target, state.floor) = (end.as_vec2(), floor);
        }
    }

    /// Where on the line somebody is who walks along it.
    pub fn along(&self) -> f64 {
        let sketched = self.route.sketched(self.travelled).max(0.0);
        let leg = (sketched as usize).min(self.marks.len() - 2);
        let share = (sketched - leg as f64).clamp(0.0, 1.0);
        self.marks[leg] + (self.marks[leg + 1] - self.marks[leg]) * share
    }

    /// The leg of the path that they are on.
    pub fn leg(&self) -> usize {
        self.route.leg(self.travelled)
    }

    /// How far it is to the end of the stretch, m.
    pub fn left(&self) -> f64 {
        self.route.length() - self.travelled
    }

    /// How far it is until the next stretch is wanted, m; infinite on the last.
    pub fn until_renewal(&self) -> f64 {
        if self.is_last { f64::INFINITY } else { self.left() - RENEWAL }
    }

    /// Notes how far somebody has got who is at a point of a floor.
    pub fn advance(&mut self, layer: LayerId, point: DVec2) {
        self.route.advance(&mut self.travelled, layer, point, LOOK_AHEAD.into());
    }

    /// What draws them on; `None` if the line is not near any more.
    pub fn attraction(&mut self, place: &Place) -> Option<DVec2> {
        self.route.attraction(&mut self.travelled, place, LOOK_AHEAD.into())
    }
}
