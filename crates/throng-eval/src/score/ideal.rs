//! The best that can be asked of somebody: their way alone, without anybody else.
//!
//! From where they start, by the shortest path around what stands there for good, through all of
//! their goals and no nearer to each than it asks for, at the speed they like. It takes no account of
//! slopes, of the time it takes to get going, or of fields. Goals that move, that are drawn at random
//! while the simulation runs, or that never end have no such path, and whoever has one of them has no ideal;
//! nor have those who appear later.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};
use throng::crowd::{Character, Crowd, PersonState};
use throng_base::Polygon;
use throng_base::geometry::nearest_on_segment_f64;
use throng_base::random::Random;
use throng_nav::{CorridorMap, Extras, MapRules, Search, Walker};
use throng_world::scene::{Aim, Goal, LayerId, RegionId, Then};
use throng_world::{Scene, Shape};

use super::error::ScoreError;

/// How long the search for a way goes on before it takes what it has.
const THOROUGHNESS: usize = 20_000;

/// A disc is reached a little within it, m, so that rounding does not keep anybody out.
const ROUNDING: f32 = 1e-3;

/// What somebody's way would be without anybody else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ideal {
    /// Length of the shortest path, m.
    pub length: f64,
    /// Time it takes at the speed they like (T*), s.
    pub time: f64,
    /// Integral of half the squared speed over that time (E*), m²/s; compare with
    /// [`AgentMetrics::energy_integral`](super::AgentMetrics::energy_integral).
    pub energy: f64,
}

/// The ideals of everybody in a scene who has one.
#[derive(Clone, Debug, Default)]
pub struct Ideals {
    courses: Arc<BTreeMap<u32, Course>>,
}

/// A way through all goals.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    pub ideal: Ideal,
    points: Vec<DVec2>,
    /// The floor of each leg.
    layers: Vec<LayerId>,
    stops: Vec<Stop>,
}

/// A goal that is a place.
#[derive(Clone, Debug)]
enum Stop {
    Disc { layer: LayerId, point: Vec2, within: f32 },
    Regions(Vec<(LayerId, Polygon)>),
}

impl Ideals {
    /// The ideals of all who are in a scene from the beginning.
    ///
    /// # Errors
    ///
    /// If the scene cannot be populated, or there is no map of it.
    pub fn of(scene: &Scene) -> Result<Self, ScoreError> {
        Self::of_crowd(scene, &Crowd::from_scene(scene)?)
    }

    /// The same for a crowd that was made of the scene already, and is still at its beginning.
    ///
    /// # Errors
    ///
    /// If there is no map of the scene.
    pub fn of_crowd(scene: &Scene, crowd: &Crowd) -> Result<Self, ScoreError> {
        let characters = crowd.people().filter_map(|state| {
            let character = crowd.character(state.id)?;
            is_known(&character).then_some((state, character))
        });
        let characters: Vec<_> = characters.collect();
        let stands = |shape: &Shape| !matches!(shape, Shape::Border(_));
        let mut obstacles = scene.obstacles.iter().filter(|obstacle| obstacle.is_permanent());
        let is_open = scene.connectors.is_empty() && !obstacles.any(|o| stands(&o.shape));
        let map = match is_open || characters.is_empty() {
            true => None,
            false => Some(CorridorMap::of_scene(scene, &MapRules::of_scene(scene))?),
        };
        let mut guide = Guide { scene, map, search: Search::new(THOROUGHNESS) };
        let courses = characters
            .iter()
            .filter_map(|(state, character)| Some((state.id.0, guide.course(state, character)?)));
        Ok(Self { courses: Arc::new(courses.collect()) })
    }

    /// The ideal of somebody, if they have one.
    pub fn get(&self, id: u32) -> Option<&Ideal> {
        self.courses.get(&id).map(|course| &course.ideal)
    }

    /// The shortest path of somebody, from where they start to where they are done.
    pub fn path(&self, id: u32) -> Option<&[DVec2]> {
        self.courses.get(&id).map(|course| course.points.as_slice())
    }

    /// Everybody who has one, by id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Ideal)> {
        self.courses.iter().map(|(&id, course)| (id, &course.ideal))
    }

    /// How many people have one.
    pub fn len(&self) -> usize {
        self.courses.len()
    }

    /// Whether nobody has one.
    pub fn is_empty(&self) -> bool {
        self.courses.is_empty()
    }

    pub(super) fn course(&self, id: u32) -> Option<&Course> {
        self.courses.get(&id)
    }
}

/// Ideals that were kept: enough to score by, without the paths they are of.
impl FromIterator<(u32, Ideal)> for Ideals {
    fn from_iter<I: IntoIterator<Item = (u32, Ideal)>>(ideals: I) -> Self {
        let course = |(id, ideal)| (id, Course { ideal, ..Course::default() });
        Self { courses: Arc::new(ideals.into_iter().map(course).collect()) }
    }
}

/// Whether somebody's goals are places that are known beforehand, and come to an end.
fn is_known(character: &Character) -> bool {
    let goals = &character.plan.goals;
    let places = goals.iter().any(|goal| goal.aim.is_place());
    places && character.plan.then != Then::Repeat && goals.iter().all(has_place_or_end)
}

fn has_place_or_end(goal: &Goal) -> bool {
    match goal.aim {
        Aim::Seek { .. }
        | Aim::SeekRegion { .. }
        | Aim::SeekNearest { .. }
        | Aim::Follow { .. } => true,
        Aim::Idle => goal.wait.is_some() || goal.duration.is_finite(),
        Aim::SeekRandom { .. }
        | Aim::SeekTarget { .. }
        | Aim::Flee { .. }
        | Aim::FleeTarget { .. }
        | Aim::Flow { .. }
        | Aim::FollowCrowd => false,
    }
}

/// A line to walk along, and the floor of each leg.
#[derive(Clone, Debug, Default)]
struct Line {
    points: Vec<DVec2>,
    layers: Vec<LayerId>,
}

/// Finds ways in a scene.
struct Guide<'a> {
    scene: &'a Scene,
    /// Unless all is open.
    map: Option<CorridorMap>,
    search: Search,
}

impl Guide<'_> {
    /// The way of somebody through all of their goals; `None` if one of them cannot be reached.
    fn course(&mut self, state: &PersonState, character: &Character) -> Option<Course> {
        let walker = Walker { radius: character.radius.into(), margin: 0.0 };
        let mut at = (state.layer, state.position.as_dvec2());
        let mut course = Course { points: vec![at.1], ..Course::default() };
        let random = Random::new(self.scene.settings.seed);
        for (count, goal) in (1..).zip(&character.plan.goals) {
            let limit = f64::from(goal.time_of(random, state.id.0, count));
            if goal.aim == Aim::Idle {
                course.ideal.time += limit;
                continue;
            }
            let speed = goal.speed.unwrap_or(character.preferred_speed).min(character.max_speed);
            let speed = Some(f64::from(speed)).filter(|&speed| speed > 0.0)?;
            let (mut line, stop) = self.leg(at, &goal.aim, &walker)?;
            line.truncate(limit * speed);
            let length = line.length();
            course.ideal.length += length;
            course.ideal.time += length / speed;
            course.ideal.energy += 0.5 * speed * length;
            let layer = line.layers.last().copied().unwrap_or(at.0);
            at = (layer, line.points.last().copied().unwrap_or(at.1));
            course.points.extend(line.points.into_iter().skip(1));
            course.layers.extend(line.layers);
            course.stops.push(stop);
        }
        Some(course)
    }

    /// The way to one goal, up to where it is achieved.
    fn leg(&mut self, at: (LayerId, DVec2), aim: &Aim, walker: &Walker) -> Option<(Line, Stop)> {
        match aim {
            &Aim::Seek { point, layer, within } => {
                let mut line = self.way(at, &[(layer, point.as_dvec2())], walker)?;
                line.end_at_disc(layer, point.as_dvec2(), within.into());
                Some((line, Stop::Disc { layer, point, within }))
            }
            Aim::SeekRegion { region } => self.leg_to_regions(at, &[*region], walker),
            Aim::SeekNearest { regions } => self.leg_to_regions(at, regions, walker),
            Aim::Follow { line, within, .. } => {
                let (number, joint) = nearest_on_line(line, at)?;
                let mut way = self.way(at, &[joint], walker)?;
                for pair in line[number..].windows(2) {
                    way.points.push(pair[1].1.as_dvec2());
                    way.layers.push(pair[0].0);
                }
                let &(layer, point) = line.last()?;
                way.end_at_disc(layer, point.as_dvec2(), (*within).into());
                Some((way, Stop::Disc { layer, point, within: *within }))
            }
            _ => None,
        }
    }

    fn leg_to_regions(
        &mut self,
        at: (LayerId, DVec2),
        regions: &[RegionId],
        walker: &Walker,
    ) -> Option<(Line, Stop)> {
        let regions = regions.iter().map(|id| &self.scene.regions[id.0 as usize]);
        let regions: Vec<_> = regions.map(|r| (r.layer, r.polygon.clone())).collect();
        let ends: Vec<_> =
            regions.iter().flat_map(|(l, polygon)| entries(*l, polygon, at)).collect();
        let mut line = self.way(at, &ends, walker)?;
        line.end_at_regions(&regions);
        Some((line, Stop::Regions(regions)))
    }

    /// The shortest way to any of several places.
    fn way(
        &mut self,
        from: (LayerId, DVec2),
        to: &[(LayerId, DVec2)],
        walker: &Walker,
    ) -> Option<Line> {
        let Some(map) = &self.map else {
            let on_floor = to.iter().filter(|to| to.0 == from.0).map(|to| to.1);
            let distance = |point: &DVec2| point.distance_squared(from.1);
            let end = on_floor.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
            return Some(Line { points: vec![from.1, end], layers: vec![from.0] });
        };
        let extras = Extras::default();
        let (_, corridor) = map.nearest(&mut self.search, from, to, walker, extras, |_, _| 0.0)?;
        let path = corridor.shortest_path(walker.clearance());
        let mut line = Line { points: path.points, layers: path.layers };
        // Who starts against a wall is where they are, and not where the map would have them.
        if let Some(first) = line.points.first_mut() {
            *first = from.1;
        }
        Some(line)
    }
}

/// Places at which somebody may enter a region: the nearest, its corners and the middles of its sides.
fn entries(
    layer: LayerId,
    polygon: &Polygon,
    (floor, from): (LayerId, DVec2),
) -> Vec<(LayerId, DVec2)> {
    // Of regions with many corners, some will do.
    const MOST: usize = 16;
    let points = polygon.points();
    let nearest = (floor == layer).then(|| polygon.nearest_point(from.as_vec2()));
    let corners = (0..points.len())
        .step_by(points.len().div_ceil(MOST))
        .flat_map(|i| [points[i], points[i].midpoint(points[(i + 1) % points.len()])]);
    nearest.into_iter().chain(corners).map(|point| (layer, point.as_dvec2())).collect()
}

/// The place of a line that is nearest to somebody on their floor, or its beginning, and the number of the
/// point before it.
fn nearest_on_line(
    line: &[(LayerId, Vec2)],
    (layer, from): (LayerId, DVec2),
) -> Option<(usize, (LayerId, DVec2))> {
    let legs = line.windows(2).enumerate().filter(|(_, leg)| leg[0].0 == layer);
    let points = legs.map(|(number, leg)| {
        (number, nearest_on_segment_f64(leg[0].1.as_dvec2(), leg[1].1.as_dvec2(), from))
    });
    let nearest = points
        .min_by(|(_, a), (_, b)| a.distance_squared(from).total_cmp(&b.distance_squared(from)));
    let beginning = || line.first().map(|&(layer, point)| (0, (layer, point.as_dvec2())));
    nearest.map(|(number, point)| (number, (layer, point))).or_else(beginning)
}

impl Line {
    fn length(&self) -> f64 {
        self.points.windows(2).map(|leg| leg[0].distance(leg[1])).sum()
    }

    /// Ends it on leg `number`, at a share of it.
    fn end(&mut self, number: usize, share: f64) {
        let end = self.points[number].lerp(self.points[number + 1], share);
        self.points.truncate(number + 1);
        self.points.push(end);
        self.layers.truncate(number + 1);
    }

    /// Ends it after a length, if it is longer, m.
    fn truncate(&mut self, length: f64) {
        let mut left = length;
        for number in 0..self.layers.len() {
            let leg = self.points[number].distance(self.points[number + 1]);
            if leg > left {
                return self.end(number, left / leg);
            }
            left -= leg;
        }
    }

    /// Ends it where it first comes within some distance of a point.
    fn end_at_disc(&mut self, layer: LayerId, centre: DVec2, within: f64) {
        let enters = |number: usize| {
            let (a, along) = (self.points[number], self.points[number + 1] - self.points[number]);
            let (b, c) = ((a - centre).dot(along), (a - centre).length_squared() - within * within);
            if c <= 0.0 {
                return Some(0.0);
            }
            let squared = along.length_squared();
            let root = b * b - squared * c;
            let share = (-b - root.max(0.0).sqrt()) / squared;
            (root >= 0.0 && (0.0..=1.0).contains(&share)).then_some(share)
        };
        let mut legs = (0..self.layers.len()).filter(|&number| self.layers[number] == layer);
        let found = legs.find_map(|number| enters(number).map(|share| (number, share)));
        if let Some((number, share)) = found {
            self.end(number, share);
        }
    }

    /// Ends it where it first enters one of several regions.
    fn end_at_regions(&mut self, regions: &[(LayerId, Polygon)]) {
        let enters = |number: usize| {
            let [a, b] = [self.points[number], self.points[number + 1]];
            let here = regions.iter().filter(|(layer, _)| *layer == self.layers[number]);
            let shares = here.filter_map(|(_, polygon)| match polygon.contains(a.as_vec2()) {
                true => Some(0.0),
                false => {
                    let shares = polygon.edges().filter_map(|(c, d)| crossing(a, b, c, d));
                    shares.min_by(f64::total_cmp)
                }
            });
            shares.min_by(f64::total_cmp)
        };
        let found = (0..self.layers.len()).find_map(|n| enters(n).map(|share| (n, share)));
        if let Some((number, share)) = found {
            self.end(number, share);
        }
    }
}

/// The share of the way from `a` to `b` at which it crosses an edge.
fn crossing(a: DVec2, b: DVec2, c: Vec2, d: Vec2) -> Option<f64> {
    let (way, c) = (b - a, c.as_dvec2());
    let edge = d.as_dvec2() - c;
    let across = way.perp_dot(edge);
    let (along_way, along_edge) = ((c - a).perp_dot(edge) / across, (c - a).perp_dot(way) / across);
    let hit =
        across != 0.0 && (0.0..=1.0).contains(&along_way) && (0.0..=1.0).contains(&along_edge);
    hit.then_some(along_way)
}

impl Course {
    /// How far a point is from the path on its floor, m; `None` if there is none on that floor.
    pub fn distance_from(&self, layer: LayerId, point: DVec2) -> Option<f64> {
        let legs = self.points.windows(2).zip(&self.layers).filter(|(_, on)| **on == layer);
        let squares = legs
            .map(|(leg, _)| nearest_on_segment_f64(leg[0], leg[1], point).distance_squared(point));
        squares.min_by(f64::total_cmp).map(f64::sqrt)
    }

    /// The number of the goal that somebody is on the way to, who was on the way to number `stop`.
    pub fn next_stop(&self, stop: usize, layer: LayerId, position: Vec2) -> usize {
        let is_there = |stop: &&Stop| stop.distance(layer, position) <= f64::from(ROUNDING);
        stop + self.stops[stop.min(self.stops.len())..].iter().take_while(is_there).count()
    }

    /// How far it is to goal number `stop`, m; nothing if there are no more.
    pub fn goal_distance(&self, stop: usize, layer: LayerId, position: Vec2) -> f64 {
        self.stops.get(stop).map_or(0.0, |stop| match stop {
            Stop::Disc { layer: on, point, .. } if *on == layer => point.distance(position).into(),
            stop => stop.distance(layer, position),
        })
    }
}

impl Stop {
    /// How far it is to where the goal is achieved, m; infinite from another floor.
    fn distance(&self, layer: LayerId, position: Vec2) -> f64 {
        match self {
            Self::Disc { layer: on, point, within } if *on == layer => {
                (point.distance(position) - within).max(0.0).into()
            }
            Self::Disc { .. } => f64::INFINITY,
            Self::Regions(regions) => regions
                .iter()
                .filter(|(on, _)| *on == layer)
                .map(|(_, polygon)| f64::from(polygon.nearest_point(position).distance(position)))
                .fold(f64::INFINITY, f64::min),
        }
    }
}
