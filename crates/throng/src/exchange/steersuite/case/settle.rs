//! What is random in a test case, settled by a seed.
//!
//! In the order of the file: first obstacles that are scattered over regions, then agents whose place
//! is random, then their directions and goals. Places are drawn until one is free, 10,000 times at
//! most. Every draw is a function of the seed and of what it is for, so that the same file and seed
//! give the same scene on every machine. Agents of regions are left to the scene, which places them
//! by the same seed; so are goals at random places, which it draws when they begin.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};
use throng_base::random::{Purpose, Random, Stream};
use throng_base::{Bounds, Polygon};
use throng_world::Shape;
use throng_world::scene::{Camera, Span};

use super::notes::{Extent, Notes};
use super::parse::{
    Agent, AgentRegion, AimDraft, Draft, GoalDraft, ObstacleRegion, Solid, SolidShape, Start,
};

/// How often a place is drawn.
const TRIES: u32 = 10_000;
/// How many times anything is held against anything else before an import gives up.
const MOST_COMPARISONS: u64 = 500_000_000;
/// Ground around those who would be outside of the world, m.
const MARGIN: f64 = 1.0;
/// How long a scene lasts, s: at least, and at most.
const DURATIONS: (f64, f64) = (30.0, 600.0);
/// How fast people are where nothing says it, m/s.
const USUAL_SPEED: f64 = 1.3;
/// What draws are for.
const FOR_OBSTACLE: u64 = 101;
const FOR_AGENT: u64 = 102;
const FOR_DIRECTION: u64 = 103;
const FOR_GOAL: u64 = 104;

/// A test case without anything left to chance.
pub(super) struct Settled {
    pub name: String,
    pub description: String,
    pub criteria: String,
    pub cameras: Vec<Camera>,
    pub bounds: Extent,
    pub bounds_span: Span,
    pub duration: f64,
    pub obstacles: Vec<Solid>,
    pub agents: Vec<SettledAgent>,
    pub crowds: Vec<SettledCrowd>,
}

pub(super) struct SettledAgent {
    /// Unique, if there is one.
    pub name: Option<String>,
    pub position: DVec2,
    pub direction: DVec2,
    pub speed: f64,
    pub radius: f64,
    pub goals: Vec<SettledGoal>,
    pub span: Span,
}

pub(super) struct SettledCrowd {
    pub count: u32,
    pub bounds: Extent,
    pub radius: f64,
    pub goals: Vec<SettledGoal>,
    pub span: Span,
}

pub(super) struct SettledGoal {
    pub aim: SettledAim,
    pub speed: Option<f64>,
    pub duration: Option<f64>,
    pub span: Span,
}

pub(super) enum SettledAim {
    Seek(DVec2),
    SeekAnywhere,
    SeekBox(Extent),
    Flee(DVec2),
    /// An agent, by index.
    SeekAgent(usize),
    FleeAgent(usize),
    /// The crowd of a region, by index.
    SeekCrowd(usize),
    FleeCrowd(usize),
    Flow(DVec2),
    FollowCrowd,
    Idle,
}

impl Settled {
    pub(super) fn people(&self) -> u64 {
        let crowds: u64 = self.crowds.iter().map(|crowd| u64::from(crowd.count)).sum();
        crowds + self.agents.len() as u64
    }
}

/// Settles a test case, as far as that is possible.
pub(super) fn settle(draft: Draft, seed: u64, notes: &mut Notes) -> Option<Settled> {
    let random = Random::new(seed);
    let bounds = room_for_all(&draft, notes);
    let mut room = Room::of(&draft, bounds, notes);
    let mut obstacles: Vec<Solid> = Vec::new();
    for solid in draft.obstacles {
        if room.is_outside(&solid) {
            notes.warn(&solid.span, "an obstacle is outside of the world, and left out");
        } else {
            obstacles.push(solid);
        }
    }
    let mut number = 0;
    for region in &draft.scattered {
        for _ in 0..region.count {
            let stream = random.stream(number, FOR_OBSTACLE, Purpose::Placement);
            obstacles.push(room.obstacle(region, stream, notes)?);
            number += 1;
        }
    }
    let names = names(&draft.agents, notes);
    let mut places = Vec::new();
    for (who, agent) in (0..).zip(&draft.agents) {
        let stream = random.stream(who, FOR_AGENT, Purpose::Placement);
        places.push(match agent.position {
            Some(position) => position,
            None => room.agent(agent, stream, notes)?,
        });
    }
    let cast = Cast { names, agents: draft.agents.len(), crowds: draft.crowds.len(), bounds };
    let mut agents = Vec::new();
    for (who, (agent, position)) in draft.agents.into_iter().zip(places).enumerate() {
        let stream = random.stream(who as u64, FOR_GOAL, Purpose::Goal);
        let goals = cast.goals(agent.goals, Some(who), stream, notes);
        let direction = agent.start.direction.unwrap_or_else(|| {
            direction(&mut random.stream(who as u64, FOR_DIRECTION, Purpose::Placement))
        });
        let Start { radius, speed, .. } = agent.start;
        let (name, span) = (agent.name, agent.span);
        agents.push(SettledAgent { name, position, direction, speed, radius, goals, span });
    }
    cast.keep_names(&mut agents);
    let mut crowds = Vec::new();
    for (index, region) in draft.crowds.into_iter().enumerate() {
        let who = (cast.agents + index) as u64;
        let stream = random.stream(who, FOR_GOAL, Purpose::Goal);
        crowds.push(crowd(region, &cast, stream, notes));
    }
    let duration = duration(&agents, &crowds, bounds);
    Some(Settled {
        name: draft.name,
        description: draft.description,
        criteria: draft.criteria,
        cameras: draft.cameras,
        bounds,
        bounds_span: draft.bounds_span,
        duration,
        obstacles,
        agents,
        crowds,
    })
}

fn crowd(region: AgentRegion, cast: &Cast, stream: Stream, notes: &mut Notes) -> SettledCrowd {
    let message = match region.start.direction {
        None => "agents of a region face random directions; in the scene, their first goal",
        Some(_) => "agents of a region face one direction; in the scene, their first goal",
    };
    notes.warn(&region.span, message);
    if region.start.speed > 0.0 {
        let message =
            "agents of a region begin to walk at a speed; in the scene they stand at first";
        notes.warn(&region.span, message);
    }
    SettledCrowd {
        count: region.count,
        bounds: region.bounds,
        radius: region.start.radius,
        goals: cast.goals(region.goals, None, stream, notes),
        span: region.span,
    }
}

/// The bounds of the world, grown if somebody would be outside.
fn room_for_all(draft: &Draft, notes: &mut Notes) -> Extent {
    let (mut min, mut max) = (draft.bounds.min, draft.bounds.max);
    let mut hold = |low: DVec2, high: DVec2| {
        if low.cmplt(min).any() || high.cmpgt(max).any() {
            (min, max) = (min.min(low - MARGIN), max.max(high + MARGIN));
        }
    };
    for agent in &draft.agents {
        agent.position.iter().for_each(|place| hold(*place, *place));
    }
    for crowd in &draft.crowds {
        hold(crowd.bounds.min, crowd.bounds.max);
    }
    let goals = draft.agents.iter().flat_map(|agent| &agent.goals);
    for goal in goals.chain(draft.crowds.iter().flat_map(|crowd| &crowd.goals)) {
        match &goal.aim {
            AimDraft::Seek(Some(place)) | AimDraft::Flee(Some(place)) => hold(*place, *place),
            AimDraft::SeekBox(bounds) => hold(bounds.min, bounds.max),
            _ => {}
        }
    }
    if (min, max) != (draft.bounds.min, draft.bounds.max) {
        let message = "agents, regions or goals are outside of <worldBounds>; the world is larger";
        notes.warn(&draft.bounds_span, message);
    }
    Extent { min, max, ..draft.bounds }
}

/// What stands where, for what is still to be placed.
struct Room {
    bounds: Bounds,
    solids: Vec<(Bounds, Option<Polygon>)>,
    bodies: Vec<(Vec2, f32)>,
    comparisons: u64,
}

impl Room {
    fn of(draft: &Draft, bounds: Extent, notes: &mut Notes) -> Self {
        let bounds = Bounds { min: bounds.min.as_vec2(), max: bounds.max.as_vec2() };
        let mut room = Self { bounds, solids: Vec::new(), bodies: Vec::new(), comparisons: 0 };
        for solid in &draft.obstacles {
            let shape = match &solid.shape {
                SolidShape::Polygon(points) => {
                    let points: Vec<Vec2> = points.iter().map(|at| at.as_vec2()).collect();
                    match Polygon::new(points) {
                        Ok(polygon) => Shape::Polygon(polygon),
                        Err(error) => {
                            let help = "write the corners in order";
                            notes.error(solid.span.clone(), format!("a polygon: {error}"), help);
                            continue;
                        }
                    }
                }
                other => other.to_shape(),
            };
            let solids = shape.solids().into_iter();
            room.solids.extend(solids.map(|solid| (solid.bounds(), Some(solid))));
        }
        let fixed = draft.agents.iter().filter_map(|agent| {
            agent.position.map(|place| (place.as_vec2(), agent.start.radius as f32))
        });
        room.bodies.extend(fixed);
        room
    }

    fn is_outside(&self, solid: &Solid) -> bool {
        let bounds = match &solid.shape {
            SolidShape::Polygon(points) => Bounds::around(points.iter().map(|at| at.as_vec2())),
            other => other.to_shape().bounds(),
        };
        bounds.is_none_or(|bounds| !overlap(bounds, self.bounds))
    }

    /// Draws a place for an obstacle in a region, clear of everything else.
    fn obstacle(
        &mut self,
        region: &ObstacleRegion,
        mut stream: Stream,
        notes: &mut Notes,
    ) -> Option<Solid> {
        let half = 0.5 * region.size;
        let (low, high) = (region.bounds.min + half, region.bounds.max - half);
        for _ in 0..TRIES {
            let center = stream.point_between(low.as_vec2(), high.as_vec2());
            let bounds = Bounds { min: center - half as f32, max: center + half as f32 };
            self.comparisons += (self.solids.len() + self.bodies.len()) as u64;
            let clear = self.solids.iter().all(|(other, _)| !overlap(bounds, *other))
                && self.bodies.iter().all(|(body, radius)| {
                    body.clamp(bounds.min, bounds.max).distance(*body) >= *radius
                });
            if clear {
                self.solids.push((bounds, None));
                let (min, max) = (bounds.min.as_dvec2(), bounds.max.as_dvec2());
                let extent = Extent { min, max, height: region.height };
                let (height, span) = (region.height, region.span.clone());
                return Some(Solid { shape: SolidShape::Box(extent), height, span });
            }
            if self.comparisons > MOST_COMPARISONS {
                break;
            }
        }
        let message = format!("no room is left in the region for obstacles of {} m", region.size);
        notes.error(region.span.clone(), message, "make it larger, or put fewer into it");
        None
    }

    /// Draws a place for an agent in the world, clear of everything else.
    fn agent(&mut self, agent: &Agent, mut stream: Stream, notes: &mut Notes) -> Option<DVec2> {
        let radius = agent.start.radius as f32;
        let inner = self.bounds.grown(-radius);
        let fits = inner.min.cmple(inner.max).all();
        for _ in 0..if fits { TRIES } else { 0 } {
            let place = stream.point_between(inner.min, inner.max);
            self.comparisons += (self.solids.len() + self.bodies.len()) as u64;
            let clear = self.solids.iter().all(|(bounds, polygon)| {
                let near = place.clamp(bounds.min, bounds.max).distance(place) < radius;
                !near
                    || polygon.as_ref().is_some_and(|polygon| {
                        polygon.nearest_point(place).distance(place) >= radius
                    })
            }) && self
                .bodies
                .iter()
                .all(|(body, other)| body.distance(place) >= radius + other);
            if clear {
                self.bodies.push((place, radius));
                return Some(place.as_dvec2());
            }
            if self.comparisons > MOST_COMPARISONS {
                break;
            }
        }
        let message = format!("no room is left in the world for an agent of radius {radius}");
        notes.error(agent.span.clone(), message, "make the world larger, or put fewer into it");
        None
    }
}

impl SolidShape {
    /// The same for geometry. A polygon has to be made one before.
    pub(super) fn to_shape(&self) -> Shape {
        match self {
            Self::Box(Extent { min, max, .. }) => Shape::Box {
                center: (0.5 * (*min + *max)).as_vec2(),
                size: (*max - *min).as_vec2(),
                angle: 0.0,
            },
            Self::Circle { center, radius } => {
                Shape::Circle { center: center.as_vec2(), radius: *radius as f32 }
            }
            Self::Oriented { center, size, angle } => Shape::Box {
                center: center.as_vec2(),
                size: size.as_vec2(),
                angle: angle.to_radians() as f32,
            },
            Self::Polygon(points) => Shape::Polyline {
                points: points.iter().map(|at| at.as_vec2()).collect(),
                thickness: 0.0,
            },
        }
    }
}

fn overlap(a: Bounds, b: Bounds) -> bool {
    a.min.cmplt(b.max).all() && b.min.cmplt(a.max).all()
}

fn direction(stream: &mut Stream) -> DVec2 {
    DVec2::from_angle(f64::from(stream.between(0.0, std::f32::consts::TAU)))
}

/// Whom goals can be about: agents by their names. A name that two have is nobody's.
fn names(agents: &[Agent], notes: &mut Notes) -> BTreeMap<String, Option<usize>> {
    let mut names = BTreeMap::new();
    for (index, agent) in agents.iter().enumerate() {
        let Some(name) = &agent.name else { continue };
        let entry = names.entry(name.clone()).or_insert(Some(index));
        if *entry != Some(index) {
            let message =
                format!("several agents are called {name:?}; in the scene, none of them is");
            notes.warn(&agent.span, message);
            *entry = None;
        }
    }
    names
}

/// Whom and what goals can be about.
struct Cast {
    names: BTreeMap<String, Option<usize>>,
    agents: usize,
    crowds: usize,
    bounds: Extent,
}

impl Cast {
    fn goals(
        &self,
        goals: Vec<GoalDraft>,
        of: Option<usize>,
        mut stream: Stream,
        notes: &mut Notes,
    ) -> Vec<SettledGoal> {
        let mut settled = Vec::new();
        for goal in goals {
            if let Some(aim) = self.aim(&goal, of, &mut stream, notes) {
                let GoalDraft { speed, duration, span, .. } = goal;
                settled.push(SettledGoal { aim, speed, duration, span });
            }
        }
        settled
    }

    fn aim(
        &self,
        goal: &GoalDraft,
        of: Option<usize>,
        stream: &mut Stream,
        notes: &mut Notes,
    ) -> Option<SettledAim> {
        Some(match &goal.aim {
            AimDraft::Seek(Some(place)) => SettledAim::Seek(*place),
            AimDraft::Seek(None) => SettledAim::SeekAnywhere,
            AimDraft::SeekBox(bounds) => SettledAim::SeekBox(*bounds),
            AimDraft::Flee(Some(place)) => SettledAim::Flee(*place),
            AimDraft::Flee(None) => {
                let (low, high) = (self.bounds.min.as_vec2(), self.bounds.max.as_vec2());
                SettledAim::Flee(stream.point_between(low, high).as_dvec2())
            }
            AimDraft::SeekSomebody(whom) => match self.somebody(whom, of, goal, stream, notes)? {
                Ok(agent) => SettledAim::SeekAgent(agent),
                Err(crowd) => SettledAim::SeekCrowd(crowd),
            },
            AimDraft::FleeSomebody(whom) => match self.somebody(whom, of, goal, stream, notes)? {
                Ok(agent) => SettledAim::FleeAgent(agent),
                Err(crowd) => SettledAim::FleeCrowd(crowd),
            },
            AimDraft::Flow(Some(way)) => SettledAim::Flow(*way),
            AimDraft::Flow(None) => SettledAim::Flow(direction(stream)),
            AimDraft::FollowCrowd => SettledAim::FollowCrowd,
            AimDraft::Idle => SettledAim::Idle,
        })
    }

    /// An agent, or else a crowd.
    fn somebody(
        &self,
        name: &Option<String>,
        of: Option<usize>,
        goal: &GoalDraft,
        stream: &mut Stream,
        notes: &mut Notes,
    ) -> Option<Result<usize, usize>> {
        let Some(name) = name else { return self.anybody(of, goal, stream, notes) };
        let (message, help) = match self.names.get(name) {
            Some(Some(agent)) if Some(*agent) != of => return Some(Ok(*agent)),
            Some(Some(_)) => (format!("{name:?} is the agent itself"), "name another agent"),
            Some(None) => (format!("several agents are called {name:?}"), "rename all but one"),
            None => (format!("no agent is called {name:?}"), "write the <name> of an <agent>"),
        };
        notes.error(goal.span.clone(), message, help);
        None
    }

    fn anybody(
        &self,
        of: Option<usize>,
        goal: &GoalDraft,
        stream: &mut Stream,
        notes: &mut Notes,
    ) -> Option<Result<usize, usize>> {
        let others: Vec<usize> = (0..self.agents).filter(|agent| Some(*agent) != of).collect();
        let draw = |stream: &mut Stream, count: usize| stream.bits() as usize % count;
        if !others.is_empty() {
            return Some(Ok(others[draw(stream, others.len())]));
        }
        if self.crowds > 0 {
            let message =
                "agents of regions have no names: whoever of a region is nearest is meant";
            notes.warn(&goal.span, message);
            return Some(Err(draw(stream, self.crowds)));
        }
        let help = "add another agent";
        notes.error(goal.span.clone(), "there is nobody else whom a goal could be about", help);
        None
    }

    /// Takes names away that several have, and gives names to those whom goals are about.
    fn keep_names(&self, agents: &mut [SettledAgent]) {
        for (index, agent) in agents.iter_mut().enumerate() {
            let own = agent.name.take().filter(|name| self.names.get(name) == Some(&Some(index)));
            let mut free = format!("agent {}", index + 1);
            while own.is_none() && self.names.contains_key(&free) {
                free.push('\'');
            }
            agent.name = Some(own.unwrap_or(free));
        }
    }
}

/// How long it may take everyone to do all they want, s.
fn duration(agents: &[SettledAgent], crowds: &[SettledCrowd], bounds: Extent) -> f64 {
    let across = bounds.size().length();
    let time = |from: DVec2, goals: &[SettledGoal]| {
        let (mut time, mut here) = (0.0, from);
        for goal in goals {
            let way = match &goal.aim {
                SettledAim::Seek(place) => {
                    let way = here.distance(*place);
                    here = *place;
                    way
                }
                _ => across,
            };
            let needed = 2.0 * way / goal.speed.unwrap_or(USUAL_SPEED);
            time += needed.min(goal.duration.unwrap_or(f64::INFINITY));
        }
        time
    };
    let agents = agents.iter().map(|agent| time(agent.position, &agent.goals));
    let crowds =
        crowds.iter().map(|crowd| time(0.5 * (crowd.bounds.min + crowd.bounds.max), &crowd.goals));
    let longest = agents.chain(crowds).fold(0.0, f64::max);
    (longest + 10.0).ceil().clamp(DURATIONS.0, DURATIONS.1)
}
