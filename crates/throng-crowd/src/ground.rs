//! The ground while it changes: obstacles that come, move and go, and what follows for people.
//!
//! Walls and the map of ways are brought up to date when an obstacle changes. Whoever is on a way that
//! it cuts off is told another one before all others ask, within half a second; whoever found no
//! way, or might find a shorter one now, asks again in turn. Obstacles never appear where somebody
//! stands.

use std::sync::Arc;

use glam::Vec2;
use throng_base::Polygon;
use throng_base::geometry::{nearest_on_segment, segments_meet};
use throng_nav::{CorridorMap, Footprint, LiveMap, MapError};
use throng_world::scene::{LayerId, MAX_COORDINATE};
use throng_world::walkable::free_of;
use throng_world::{Obstacle, Shape, Walls};

use crate::PersonId;
use crate::crowd::Crowd;
use crate::guidance::{Course, Guidance};
use crate::world::{Setting, World};

/// An obstacle of a [`Crowd`]. Those of a scene have the numbers of the list there, from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub u32);

/// Why an obstacle was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObstacleError {
    /// It is not there any more, or never was.
    #[error("there is no obstacle {}", .0.0)]
    Unknown(ObstacleId),
    /// There is no such floor.
    #[error("there is no layer {layer}; there are {count}")]
    NoSuchLayer {
        /// Its number.
        layer: u8,
        /// How many there are.
        count: usize,
    },
    /// The shape encloses nothing, or has coordinates that are not numbers or too large.
    #[error("the shape encloses no ground within {MAX_COORDINATE} m of the origin")]
    NoShape,
    /// Somebody stands there.
    #[error("person {} stands where the obstacle would be", .0.0)]
    Occupied(PersonId),
}

/// Obstacles, and the walls and ways they make.
pub(crate) struct Ground {
    pub walls: Walls,
    live: Option<LiveMap>,
    /// One for each obstacle of the setting, ascending by id.
    listed: Vec<Listed>,
    next: u32,
}

#[derive(Clone, Copy, Debug)]
struct Listed {
    id: ObstacleId,
    is_there: bool,
}

impl Ground {
    /// The ground at the beginning. What is wrong with it is added to `warnings`.
    pub fn new(setting: &Setting, warnings: &mut Vec<String>) -> Self {
        let listed = (0..)
            .zip(&setting.obstacles)
            .map(|(id, obstacle)| Listed { id: ObstacleId(id), is_there: obstacle.is_there(0.0) });
        let listed: Vec<Listed> = listed.collect();
        let walls = walls(setting, &listed);
        let mut ground = Self { walls, live: None, next: listed.len() as u32, listed };
        let is_obstacle = |obstacle: &Obstacle| !matches!(obstacle.shape, Shape::Border(_));
        if !setting.connectors.is_empty() || setting.obstacles.iter().any(is_obstacle) {
            ground.survey(setting, warnings);
        }
        ground
    }

    /// Where one can go; `None` if all is open, or if nobody wants to know.
    pub fn map(&self) -> Option<Arc<CorridorMap>> {
        self.live.as_ref().map(|live| live.map().clone())
    }

    fn footprint(&self, setting: &Setting, layer: LayerId) -> Result<Footprint, MapError> {
        let free = free_of(standing(setting, &self.listed), setting.bounds, layer);
        Ok(Footprint::with_connectors(&free, &setting.connectors, layer)?)
    }

    /// Makes the map of all floors, if ways are wanted.
    fn survey(&mut self, setting: &Setting, warnings: &mut Vec<String>) {
        let Some(rules) = &setting.navigation else { return };
        let floors = (0..setting.layers.len()).map(|layer| LayerId(layer as u8));
        let floors: Result<Vec<_>, _> =
            floors.map(|layer| self.footprint(setting, layer)).collect();
        match floors.and_then(|floors| LiveMap::new(&floors, &setting.connectors, rules)) {
            Ok(live) => {
                warnings.extend(live.map().blocked_connectors().iter().map(|name| {
                    format!("\"{name}\" is no way: something stands on it, or it is too narrow")
                }));
                self.live = Some(live);
            }
            Err(error) => warnings.push(format!("people walk straight to their goals: {error}")),
        }
    }

    /// Brings walls and ways up to date after obstacles on some floors have changed.
    fn update(&mut self, setting: &Setting, floors: &[LayerId], warnings: &mut Vec<String>) {
        self.walls = walls(setting, &self.listed);
        let Some(mut live) = self.live.take() else {
            return self.survey(setting, warnings);
        };
        for &layer in floors {
            let footprint = self.footprint(setting, layer);
            if let Err(error) = footprint.and_then(|ground| live.change(layer, &ground)) {
                warnings.push(format!("ways are those of before an obstacle changed: {error}"));
            }
        }
        self.live = Some(live);
    }
}

/// The obstacles that are there.
fn standing<'a>(
    setting: &'a Setting,
    listed: &'a [Listed],
) -> impl Iterator<Item = &'a Obstacle> + Clone {
    let listed = setting.obstacles.iter().zip(listed);
    listed.filter(|(_, listed)| listed.is_there).map(|(obstacle, _)| obstacle)
}

fn walls(setting: &Setting, listed: &[Listed]) -> Walls {
    let Setting { connectors, layers, wall_reach, .. } = setting;
    Walls::new(standing(setting, listed), connectors, layers.len(), *wall_reach)
}

impl Crowd {
    /// All obstacles, and whether they are there now: those with times of their own come and go.
    pub fn obstacles(&self) -> impl Iterator<Item = (ObstacleId, &Obstacle, bool)> {
        let listed = self.world.ground.listed.iter().zip(&self.world.setting.obstacles);
        listed.map(|(listed, obstacle)| (listed.id, obstacle, listed.is_there))
    }

    /// The walls that obstacles make now.
    pub fn walls(&self) -> &Walls {
        &self.world.ground.walls
    }

    /// Puts up an obstacle. People walk round it from the next step on.
    ///
    /// # Errors
    ///
    /// If it has no shape or floor, or if somebody stands where it would be.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> Result<ObstacleId, ObstacleError> {
        self.check_obstacle(&obstacle.shape, obstacle.layer)?;
        let is_there = obstacle.is_there(self.world.time());
        if is_there {
            self.check_free(&obstacle)?;
        }
        let id = ObstacleId(self.world.ground.next);
        self.world.ground.next += 1;
        self.world.ground.listed.push(Listed { id, is_there });
        self.world.setting.obstacles.push(obstacle);
        if is_there {
            self.after_change(&[self.world.setting.obstacles.len() - 1], &[]);
        }
        Ok(id)
    }

    /// Gives an obstacle another shape or place.
    ///
    /// # Errors
    ///
    /// If there is no such obstacle, if the shape is none, or if somebody stands there. The obstacle
    /// then is what it was.
    pub fn move_obstacle(&mut self, id: ObstacleId, shape: Shape) -> Result<(), ObstacleError> {
        let at = self.find_obstacle(id)?;
        let layer = self.world.setting.obstacles[at].layer;
        self.check_obstacle(&shape, layer)?;
        let is_there = self.world.ground.listed[at].is_there;
        let moved = Obstacle { shape, ..self.world.setting.obstacles[at].clone() };
        if is_there {
            self.check_free(&moved)?;
        }
        self.world.setting.obstacles[at] = moved;
        if is_there {
            self.after_change(&[at], &[layer]);
        }
        Ok(())
    }

    /// Takes an obstacle away.
    ///
    /// # Errors
    ///
    /// If there is no such obstacle.
    pub fn remove_obstacle(&mut self, id: ObstacleId) -> Result<Obstacle, ObstacleError> {
        let at = self.find_obstacle(id)?;
        let was_there = self.world.ground.listed.remove(at).is_there;
        let obstacle = self.world.setting.obstacles.remove(at);
        if was_there {
            self.after_change(&[], &[obstacle.layer]);
        }
        Ok(obstacle)
    }

    /// Makes these all the obstacles there are, with the numbers of the list. What follows is said by
    /// [`Crowd::after_change`].
    pub(crate) fn replace_obstacles(&mut self, obstacles: Vec<Obstacle>, is_there: &[bool]) {
        let listed =
            (0..).zip(is_there).map(|(id, &is_there)| Listed { id: ObstacleId(id), is_there });
        self.world.ground.listed = listed.collect();
        self.world.ground.next = obstacles.len() as u32;
        self.world.setting.obstacles = obstacles;
    }

    /// Where one can go, as far as anything is in the way; `None` if all is open, or if nobody wants to know.
    pub fn map(&self) -> Option<Arc<CorridorMap>> {
        self.world.ground.map()
    }

    /// Lets obstacles with times of their own come and go. One that would appear where somebody
    /// stands waits until they have passed.
    pub(crate) fn change_obstacles(&mut self) {
        let time = self.world.time();
        let (mut come, mut gone) = (Vec::new(), Vec::new());
        for at in 0..self.world.setting.obstacles.len() {
            let obstacle = &self.world.setting.obstacles[at];
            if obstacle.is_permanent() {
                continue;
            }
            match (self.world.ground.listed[at].is_there, obstacle.is_there(time)) {
                (false, true) if self.check_free(obstacle).is_ok() => come.push(at),
                (true, false) => gone.push(at),
                _ => {}
            }
        }
        if come.is_empty() && gone.is_empty() {
            return;
        }
        come.iter().for_each(|&at| self.world.ground.listed[at].is_there = true);
        gone.iter().for_each(|&at| self.world.ground.listed[at].is_there = false);
        let gone: Vec<LayerId> =
            gone.iter().map(|&at| self.world.setting.obstacles[at].layer).collect();
        self.after_change(&come, &gone);
    }

    fn find_obstacle(&self, id: ObstacleId) -> Result<usize, ObstacleError> {
        let listed = &self.world.ground.listed;
        listed.binary_search_by_key(&id, |listed| listed.id).map_err(|_| ObstacleError::Unknown(id))
    }

    fn check_obstacle(&self, shape: &Shape, layer: LayerId) -> Result<(), ObstacleError> {
        let count = self.world.setting.layers.len();
        if layer.0 as usize >= count {
            return Err(ObstacleError::NoSuchLayer { layer: layer.0, count });
        }
        let largest = MAX_COORDINATE as f32;
        let is_near = |point: Vec2| point.abs().max_element() <= largest;
        match shape.bounds() {
            Some(bounds) if is_near(bounds.min) && is_near(bounds.max) => Ok(()),
            _ => Err(ObstacleError::NoShape),
        }
    }

    /// Whether nobody stands where an obstacle would be.
    fn check_free(&self, obstacle: &Obstacle) -> Result<(), ObstacleError> {
        let solids = Solids::of([obstacle]);
        let people = &self.people;
        let in_the_way = people.rows_by_id().find(|&row| {
            let (position, radius) = (people.positions[row], people.radii[row]);
            solids.are_near(people.layers[row], position, position, radius)
        });
        in_the_way.map_or(Ok(()), |row| Err(ObstacleError::Occupied(PersonId(people.ids[row]))))
    }

    /// What follows when the obstacles with the numbers `come` are new, and others on the floors
    /// `gone` are not there any more.
    pub(crate) fn after_change(&mut self, come: &[usize], gone: &[LayerId]) {
        let come: Vec<&Obstacle> =
            come.iter().map(|&at| &self.world.setting.obstacles[at]).collect();
        let solids = Solids::of(come.iter().copied());
        let mut floors: Vec<LayerId> = come.iter().map(|obstacle| obstacle.layer).collect();
        floors.extend(gone);
        floors.sort_unstable();
        floors.dedup();
        let World { setting, ground, .. } = &mut self.world;
        ground.update(setting, &floors, &mut self.warnings);
        let Some(map) = self.world.ground.map() else { return };
        self.cut_off(&solids, !gone.is_empty());
        let setting = &self.world.setting;
        match &mut self.guidance {
            Some(guidance) => guidance.change(map, &setting.regions),
            // Nothing was in the way before: whoever does not see their goal now asks.
            None => self.guidance = Some(Guidance::new(map, &setting.regions, setting.step as f32)),
        }
    }

    /// Those whose way leads through `solids` ask for another one; if something is gone, so do all
    /// who might have a better one now.
    fn cut_off(&mut self, solids: &Solids, is_something_gone: bool) {
        for row in 0..self.people.len() {
            let (context, goal) = (self.requests(), &self.intents.goals[row]);
            if !goal.is_begun() || !context.goal(row).is_some_and(|goal| goal.aim.is_place()) {
                continue;
            }
            let (layer, position) = (self.people.layers[row], self.people.positions[row]);
            let radius = self.people.radii[row];
            let is_cut = match &self.intents.routes[row] {
                Some(route) => {
                    let aim = self.intents.outlooks.get(row).map_or(position, |to| to.aim);
                    solids.are_near(layer, position, aim, radius)
                        || route.legs().any(|(layer, a, b)| solids.are_near(layer, a, b, radius))
                }
                // Who sees a region walks to its nearest point.
                None => [goal.target, context.request(row).nearer]
                    .into_iter()
                    .any(|to| solids.are_near(layer, position, to, radius)),
            };
            let course = &mut self.intents.goals[row].course;
            *course = match *course {
                _ if is_cut => Course::CutOff,
                Course::Lost | Course::LostAndAsked if is_something_gone => Course::CutOff,
                Course::Routed if is_something_gone => Course::Asked,
                course => course,
            };
        }
    }
}

/// Polygons of obstacles by floor.
struct Solids(Vec<(LayerId, Polygon)>);

impl Solids {
    fn of<'a>(obstacles: impl IntoIterator<Item = &'a Obstacle>) -> Self {
        let solids = |obstacle: &'a Obstacle| {
            obstacle.shape.solids().into_iter().map(|polygon| (obstacle.layer, polygon))
        };
        Self(obstacles.into_iter().flat_map(solids).collect())
    }

    /// Whether a body of this radius that goes from `a` to `b` touches any of them.
    fn are_near(&self, layer: LayerId, a: Vec2, b: Vec2, radius: f32) -> bool {
        let touches = |polygon: &Polygon| {
            let bounds = polygon.bounds().grown(radius);
            if a.max(b).cmplt(bounds.min).any() || a.min(b).cmpgt(bounds.max).any() {
                return false;
            }
            let is_near = |point: Vec2, of: Vec2| point.distance_squared(of) < radius * radius;
            polygon.contains(a)
                || polygon.contains(b)
                || is_near(polygon.nearest_border_point(a), a)
                || is_near(polygon.nearest_border_point(b), b)
                || polygon.edges().any(|(c, d)| {
                    segments_meet(a, b, c, d) || is_near(nearest_on_segment(a, b, c), c)
                })
        };
        self.0.iter().any(|(floor, polygon)| *floor == layer && touches(polygon))
    }
}
