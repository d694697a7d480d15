//! Where everybody was at every moment of a run.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};
use throng::Scene;
use throng::recording::Frame;
use throng_world::Shape;
use throng_world::scene::{GroupId, LayerId};
use throng_world::walkable::{Area, walkable};

use crate::frame::{FrameView, Moment};
use crate::line::{Direction, Line, Passages, Tally};

/// A run as its measures see it: positions over time, the groups of people, and the ground.
#[derive(Clone, Debug)]
pub struct Walk {
    pub(super) interval: f64,
    pub(super) moments: Vec<Moment>,
    pub(super) groups: BTreeMap<u32, GroupId>,
    /// Ground of each floor.
    pub(super) ground: Vec<Vec<Area>>,
    bounds: (DVec2, DVec2),
    /// Whether the border of the world is a wall.
    is_closed: bool,
}

impl Walk {
    /// Nobody has been seen yet, on the ground of `scene`, with a frame every `interval` seconds.
    pub fn new(scene: &Scene, interval: f64) -> Self {
        let floors = 0..scene.layers.len();
        Self {
            interval,
            moments: Vec::new(),
            groups: BTreeMap::new(),
            ground: floors.map(|floor| walkable(scene, LayerId(floor as u8))).collect(),
            bounds: (scene.bounds.min.as_dvec2(), scene.bounds.max.as_dvec2()),
            is_closed: scene.obstacles.iter().any(|o| matches!(o.shape, Shape::Border(_))),
        }
    }

    /// The corners of a world whose border is no wall.
    pub(super) fn border(&self) -> Option<(DVec2, DVec2)> {
        (!self.is_closed).then_some(self.bounds)
    }

    /// Adds the next frame.
    pub fn push(&mut self, frame: &Frame) {
        let mut moment = Moment::default();
        moment.set(frame.into());
        self.moments.push(moment);
        for (id, group) in frame.people.ids.iter().zip(&frame.people.groups) {
            self.groups.entry(*id).or_insert(*group);
        }
    }

    /// When the last person had left, s; infinity if somebody is still there.
    pub fn emptied(&self) -> f64 {
        match self.moments.last() {
            Some(last) if last.ids.is_empty() => last.time,
            _ => f64::INFINITY,
        }
    }

    /// How many people there were.
    pub fn people(&self) -> usize {
        self.groups.len()
    }

    /// Who passes a line from its left to its right, on whichever floor.
    pub fn passages(&self, ends: [[f32; 2]; 2]) -> Passages {
        self.tally(ends).passages(Direction::Forward)
    }

    /// All passages of a line, on whichever floor.
    pub(super) fn tally(&self, ends: [[f32; 2]; 2]) -> Tally {
        let mut tally = Tally::new(Line::new(ends.map(Vec2::from)), LayerId(0));
        let mut floors = Vec::new();
        for moment in &self.moments {
            floors.resize(moment.ids.len(), LayerId(0));
            tally.push(FrameView { layers: &floors, ..moment.view() });
        }
        tally
    }

    /// Where somebody is seen for the last time.
    pub(super) fn last_seen(&self) -> BTreeMap<u32, Vec2> {
        let seen = |moment: &Moment| -> Vec<(u32, Vec2)> {
            moment.ids.iter().copied().zip(moment.positions.iter().copied()).collect()
        };
        self.moments.iter().flat_map(seen).collect()
    }

    /// How many people are in a rectangle at each moment.
    pub(super) fn counts(&self, [low, high]: [[f32; 2]; 2]) -> Vec<usize> {
        let (low, high) = (Vec2::from(low), Vec2::from(high));
        let inside = |p: &&Vec2| p.cmpge(low).all() && p.cmple(high).all();
        let count = |moment: &Moment| moment.positions.iter().filter(inside).count();
        self.moments.iter().map(count).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use throng_world::scene::LayerId;

    use super::*;

    /// A walk on the ground of a scene in which people are where `place` says at each frame, a twentieth of a
    /// second apart: for each id its group and position, or nothing.
    pub fn made_up(
        scene: &str,
        people: u32,
        frames: u32,
        place: impl Fn(u32, u32) -> Option<(u16, [f32; 2])>,
    ) -> Walk {
        let scene = Scene::parse("made up", scene, Path::new("")).unwrap();
        let mut walk = Walk::new(&scene, 0.05);
        for number in 0..frames {
            let mut frame = Frame { time: 0.05 * f64::from(number), ..Frame::default() };
            for id in 0..people {
                let Some((group, at)) = place(id, number) else { continue };
                frame.people.ids.push(id);
                frame.people.groups.push(GroupId(group));
                frame.people.positions.push(at.into());
                frame.people.layers.push(LayerId(0));
            }
            walk.push(&frame);
        }
        walk
    }
}
