//! A recording as a rec file of SteerSuite, version 2.
//!
//! Every frame of such a file has an entry for everyone who is ever there, in the order of their ids.
//! Who is not there yet or has left is disabled. The goal of a person is where the last goal of
//! their plan leads, if the scene knows that; else it is where they are. Obstacles are boxes along
//! the axes: of other shapes the boxes around them are written, and a warning says so.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use glam::{Vec2, Vec3};
use throng_base::{Bounds, Polygon};
use throng_world::scene::{Aim, Camera, Goal, LayerId};
use throng_world::{Obstacle, Scene, Shape};

use super::Writer;
use super::sampler::Sampler;
use crate::exchange::ExchangeError;
use crate::exchange::steersuite::{RecAgent, RecBox, RecCamera, RecWriter, size_of_file};
use crate::recording::{Frame, Person};

/// How thick the walls are that stand for the rim of a closed world, m.
const RIM: f32 = 1.0;
/// Somebody listed in the scene is who begins at most so far from there, m.
const SAME_PLACE: f32 = 1e-3;

/// What is known before the first frame.
pub(super) struct Plan {
    name: String,
    people: Vec<u32>,
    obstacles: Vec<RecBox>,
    cameras: Vec<RecCamera>,
    destinations: Destinations,
    warnings: Vec<String>,
}

/// What is to be written, or why it cannot be.
pub(super) fn plan(sampler: &Sampler, layer: Option<LayerId>) -> Result<Plan, String> {
    let recording = sampler.recording();
    let people = sampler.people().to_vec();
    let mut warnings = Vec::new();
    if people.iter().zip(0..).any(|(&id, index)| id != index) {
        warnings.push(
            "people have no ids in a rec file: they are numbered from 0, in the order of their ids"
                .to_owned(),
        );
    }
    let scene = recording.scene();
    if let Err(errors) = &scene {
        warnings.push(format!(
            "obstacles and goals are left out, as the recorded scene cannot be read: {errors}"
        ));
    }
    let scene = scene.ok();
    let (mut obstacles, mut cameras) = (Vec::new(), Vec::new());
    let mut destinations = Destinations::default();
    if let Some(scene) = &scene {
        obstacles = boxes(scene, layer, &mut warnings);
        cameras = views(scene);
        destinations = Destinations::of(scene, sampler.first_frame());
    }
    let name = recording.info().scene_name.clone();
    let counts = (cameras.len() as u64, obstacles.len() as u64, people.len() as u64);
    let frames = u64::from(sampler.frame_count());
    let size = size_of_file(&name, counts.0, counts.1, counts.2, frames);
    if size > u64::from(u32::MAX) {
        return Err(format!(
            "{} people in {frames} frames make {:.1} GB, and a rec file has at most 4; write fewer \
             frames with --fps, or one floor with --layer",
            counts.2,
            size as f64 / 1e9
        ));
    }
    Ok(Plan { name, people, obstacles, cameras, destinations, warnings })
}

pub(super) struct Rec {
    writer: RecWriter<BufWriter<File>>,
    path: PathBuf,
    people: Vec<u32>,
    /// What was last written of everyone.
    agents: Vec<RecAgent>,
    destinations: Destinations,
    warnings: Vec<String>,
}

impl Rec {
    pub(super) fn begin(file: File, path: &Path, plan: Plan) -> Result<Self, ExchangeError> {
        let Plan { name, people, obstacles, cameras, destinations, warnings } = plan;
        let count = people.len() as u32;
        let writer = RecWriter::begin(BufWriter::new(file), &name, count, &cameras, &obstacles)
            .map_err(ExchangeError::write(path))?;
        let nobody = RecAgent { direction: [1.0, 0.0, 0.0], ..RecAgent::default() };
        let agents = vec![nobody; people.len()];
        Ok(Self { writer, path: path.into(), people, agents, destinations, warnings })
    }
}

impl Writer for Rec {
    fn write(&mut self, _: i64, frame: &Frame, shown: &[usize]) -> Result<(), ExchangeError> {
        // Who has left stays where they were last seen, disabled.
        self.agents.iter_mut().for_each(|agent| agent.enabled = false);
        for &index in shown {
            let person = frame.people.get(index);
            if let Ok(place) = self.people.binary_search(&person.id) {
                self.agents[place] = agent(&person, &self.destinations);
            }
        }
        let written = self.writer.frame(frame.time, &self.agents);
        written.map_err(ExchangeError::write(&self.path))
    }

    fn finish(self: Box<Self>) -> Result<Vec<String>, ExchangeError> {
        self.writer.finish().map_err(ExchangeError::write(&self.path))?;
        Ok(self.warnings)
    }
}

fn agent(person: &Person, destinations: &Destinations) -> RecAgent {
    let (sin, cos) = f64::from(person.heading).sin_cos();
    let upright = |at: Vec2| [at.x, person.height, at.y];
    RecAgent {
        enabled: true,
        position: upright(person.position),
        direction: [cos as f32, 0.0, sin as f32],
        goal: upright(destinations.of_person(person).unwrap_or(person.position)),
        radius: person.radius,
    }
}

/// Where people finally want to be.
#[derive(Default)]
struct Destinations {
    groups: Vec<Option<Destination>>,
    /// Of those who have goals of their own.
    people: BTreeMap<u32, Option<Destination>>,
}

#[derive(Clone)]
enum Destination {
    Point(Vec2),
    Region(Polygon),
}

impl Destinations {
    fn of(scene: &Scene, first: &Frame) -> Self {
        let destination = |goals: &[Goal]| match &goals.last()?.aim {
            Aim::Seek { point, .. } => Some(Destination::Point(*point)),
            Aim::Follow { line, .. } => line.last().map(|(_, point)| Destination::Point(*point)),
            Aim::SeekRegion { region } => {
                let region = scene.regions.get(region.0 as usize)?;
                Some(Destination::Region(region.polygon.clone()))
            }
            _ => None,
        };
        let mut all = Self::default();
        for (index, group) in scene.groups.iter().enumerate() {
            all.groups.push(destination(&group.goals));
            // The first of a group are those listed, in the order of the list.
            let members =
                (0..first.people.len()).filter(|&i| first.people.groups[i].0 as usize == index);
            for (member, listed) in members.zip(&group.people) {
                let goals = listed.goals.as_ref();
                let near = first.people.positions[member].distance(listed.position) < SAME_PLACE;
                if let Some(goals) = goals.filter(|_| near) {
                    all.people.insert(first.people.ids[member], destination(goals));
                }
            }
        }
        all
    }

    fn of_person(&self, person: &Person) -> Option<Vec2> {
        let own = self.people.get(&person.id);
        let destination = own.or_else(|| self.groups.get(person.group.0 as usize))?.as_ref()?;
        Some(match destination {
            Destination::Point(point) => *point,
            Destination::Region(region) => region.nearest_point(person.position),
        })
    }
}

/// The views that the scene suggests; if it has none, one of the whole world.
fn views(scene: &Scene) -> Vec<RecCamera> {
    let suggested = scene.evaluation.as_ref().map_or(&[][..], |evaluation| &evaluation.cameras);
    if suggested.is_empty() {
        return vec![overview(scene.bounds)];
    }
    // Heights of views are above the ground of the first floor, those of rec files above zero.
    let upright = |place: Vec3| {
        let ground = scene.layers.first().map_or(0.0, |layer| layer.height(place.truncate()));
        [place.x, ground + place.z, place.y]
    };
    let view = |camera: &Camera| RecCamera {
        position: upright(camera.position),
        look_at: upright(camera.look_at),
        up: [0.0, 1.0, 0.0],
    };
    suggested.iter().map(view).collect()
}

/// A view of the whole world from above and a little to the side.
fn overview(bounds: Bounds) -> RecCamera {
    let (center, extent) = ((bounds.min + bounds.max) * 0.5, bounds.size().max_element());
    RecCamera {
        position: [center.x, 1.2 * extent, center.y - 0.6 * extent],
        look_at: [center.x, 0.0, center.y],
        up: [0.0, 1.0, 0.0],
    }
}

/// The obstacles of a floor, or of all, as boxes.
fn boxes(scene: &Scene, layer: Option<LayerId>, warnings: &mut Vec<String>) -> Vec<RecBox> {
    let (mut boxes, mut rounded, mut plans, mut passing) = (Vec::new(), 0u32, 0u32, 0u32);
    let here = |obstacle: &&Obstacle| layer.is_none_or(|layer| obstacle.layer == layer);
    for obstacle in scene.obstacles.iter().filter(here) {
        let floor = scene.layers.get(obstacle.layer.0 as usize);
        let foot = floor.map_or(0.0, |floor| floor.elevation);
        let mut add = |bounds: Bounds| {
            let Bounds { min, max } = bounds;
            boxes.push(RecBox {
                min: [min.x, foot, min.y],
                max: [max.x, foot + obstacle.height, max.y],
            });
        };
        if !obstacle.is_permanent() {
            passing += 1;
            continue;
        }
        match &obstacle.shape {
            Shape::Border(bounds) => rim(*bounds).into_iter().for_each(add),
            Shape::Plan(_) => plans += 1,
            Shape::Circle { center, radius } => {
                add(Bounds { min: *center - *radius, max: *center + *radius });
                rounded += 1;
            }
            shape => {
                let solids = shape.solids();
                rounded += u32::from(!solids.iter().all(is_box));
                solids.iter().for_each(|solid| add(solid.bounds()));
            }
        }
    }
    for (count, one, many) in [
        (
            rounded,
            "obstacle that is no box along the axes is written as the box around it",
            "obstacles that are no boxes along the axes are written as the boxes around them",
        ),
        (
            plans,
            "floor plan is left out: what is outside of a plan is not made of boxes",
            "floor plans are left out: what is outside of a plan is not made of boxes",
        ),
        (
            passing,
            "obstacle that comes and goes is left out: those of a rec file are always there",
            "obstacles that come and go are left out: those of a rec file are always there",
        ),
    ] {
        if count > 0 {
            warnings.push(format!("{count} {}", if count == 1 { one } else { many }));
        }
    }
    boxes
}

/// Four walls around the world.
fn rim(bounds: Bounds) -> [Bounds; 4] {
    let (inner, outer) = (bounds, bounds.grown(RIM));
    [
        Bounds { min: outer.min, max: Vec2::new(inner.min.x, outer.max.y) },
        Bounds { min: Vec2::new(inner.max.x, outer.min.y), max: outer.max },
        Bounds {
            min: Vec2::new(inner.min.x, outer.min.y),
            max: Vec2::new(inner.max.x, inner.min.y),
        },
        Bounds {
            min: Vec2::new(inner.min.x, inner.max.y),
            max: Vec2::new(inner.max.x, outer.max.y),
        },
    ]
}

/// Whether a polygon is the box around it, up to the rounding of turned corners.
fn is_box(polygon: &Polygon) -> bool {
    let bounds = polygon.bounds();
    let size = bounds.size();
    (size.x * size.y - polygon.area()).abs() <= 1e-5 * size.x * size.y
}
