//! Whether a `.rec` file can be true: its frames for a [`Validator`], as they are.
//!
//! A rec file tells neither groups nor floors. Who is who follows from the order of agents, which is
//! that of people at the start of a scene; the floor is the one nearest in height.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use glam::Vec2;
use throng_world::scene::{GroupId, LayerId};
use throng_world::{Obstacle, Scene, Shape, Walls};

use super::{RecAgent, RecBox, RecEntry, RecFile, digits};
use crate::exchange::ExchangeError;
use crate::place::FileError;
use crate::recording::{Frame, Person, Problem, Validation, Validator};

/// Obstacles whose feet are further apart than this stand on different floors, m.
const SAME_FLOOR: f32 = 1.0;

/// Validates the rec file at `path`, against `scene` with the seed it has, or else against the
/// obstacles in the file.
///
/// # Errors
///
/// If it is no rec file or damaged, or if the scene cannot be simulated. Times that do not ascend
/// and people who are nowhere are findings.
pub fn validate_rec(path: &Path, scene: Option<Scene>) -> Result<Validation, ExchangeError> {
    let wrong = |error| ExchangeError::Rec { path: path.into(), error };
    let file = File::open(path).map_err(FileError::io("open", path))?;
    let mut rec = RecFile::open(BufReader::with_capacity(1 << 16, file)).map_err(wrong)?;
    let elevations: Vec<f32> =
        scene.iter().flat_map(|scene| &scene.layers).map(|layer| layer.elevation).collect();
    let mut validator = match scene {
        Some(scene) => Validator::new(scene, 1)?,
        None => of_obstacles(rec.obstacles()),
    };
    let mut agents = Vec::new();
    for index in 0..rec.header().frames {
        rec.frame(index, &mut agents).map_err(wrong)?;
        let entry = rec.entries()[index as usize];
        let frame = frame(index, entry, &agents, &elevations);
        validator.take(&frame);
        let is_last = index + 1 == rec.header().frames;
        if !is_last && (entry.to_next <= 0.0 || entry.to_next.is_nan()) {
            let detail = format!("the time to the next frame is {} s", entry.to_next);
            validator.find(Problem::Time, &frame, None, detail);
        }
    }
    Ok(validator.finish())
}

fn of_obstacles(boxes: &[RecBox]) -> Validator {
    let feet = || boxes.iter().map(|obstacle| obstacle.min[1]);
    let (low, high) =
        (feet().fold(f32::INFINITY, f32::min), feet().fold(f32::NEG_INFINITY, f32::max));
    let mut validator = if high - low > SAME_FLOOR {
        let mut validator = Validator::default();
        validator.leave_out("walls, as obstacles stand on several floors: give a scene");
        validator
    } else {
        let solid = |obstacle: &&RecBox| obstacle.is_solid();
        let obstacles: Vec<Obstacle> = boxes.iter().filter(solid).map(obstacle).collect();
        Validator::between(Walls::new(&obstacles, &[], 1, 1.0))
    };
    validator.leave_out("start and largest speeds, as a rec file does not tell them: give a scene");
    validator
}

fn obstacle(obstacle: &RecBox) -> Obstacle {
    let ([x0, _, z0], [x1, _, z1]) = (obstacle.min, obstacle.max);
    let (min, max) = (Vec2::new(x0, z0), Vec2::new(x1, z1));
    let shape = Shape::Box { center: 0.5 * (min + max), size: max - min, angle: 0.0 };
    Obstacle::new(shape, LayerId(0))
}

fn frame(index: u32, entry: RecEntry, agents: &[RecAgent], elevations: &[f32]) -> Frame {
    let mut frame = Frame { index, time: digits(entry.time), ..Frame::default() };
    for (id, agent) in (0..).zip(agents).filter(|(_, agent)| agent.enabled) {
        let [x, height, y] = agent.position;
        let [dx, _, dy] = agent.direction;
        let off = |layer: &usize| (elevations[*layer] - height).abs();
        let layer = (0..elevations.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0);
        frame.people.push(Person {
            id,
            group: GroupId(u16::MAX),
            layer: LayerId(layer as u8),
            position: Vec2::new(x, y),
            height,
            heading: dy.atan2(dx),
            radius: agent.radius,
            ..Person::default()
        });
    }
    frame
}
