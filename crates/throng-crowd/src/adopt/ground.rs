//! Obstacles and regions of an edited scene.

use glam::Vec2;
use throng_world::scene::{LayerId, Region, SceneError};
use throng_world::{Obstacle, Scene, Walls};

use super::room::nearest_place;
use crate::assemble;
use crate::crowd::Crowd;
use crate::placement::Occupancy;
use crate::recipe::Recipe;

/// What happens to obstacles, and to whom they move aside.
pub(super) struct GroundChange {
    /// For each obstacle of the new scene, whether it is there.
    pub is_there: Vec<bool>,
    /// Those that were not there before.
    pub come: Vec<usize>,
    /// Floors on which one is gone.
    pub gone: Vec<LayerId>,
    /// The walls there will be.
    pub walls: Option<Walls>,
    /// Rows of people who are moved aside, and where to.
    pub moved: Vec<(usize, Vec2)>,
    pub wall_reach: f32,
    /// Where people are, after that.
    pub occupancy: Occupancy,
}

impl Crowd {
    /// Finds out what to do about obstacles, and whether everybody has room.
    pub(super) fn plan_ground(
        &self,
        new: &Scene,
        recipes: &[Recipe],
        errors: &mut Vec<SceneError>,
    ) -> GroundChange {
        let mut left: Vec<Option<(&Obstacle, bool)>> =
            self.obstacles().map(|(_, obstacle, is_there)| Some((obstacle, is_there))).collect();
        let mut is_there = Vec::with_capacity(new.obstacles.len());
        let mut come = Vec::new();
        for (index, obstacle) in new.obstacles.iter().enumerate() {
            let was =
                left.iter_mut().find(|left| left.is_some_and(|(old, _)| is_same(old, obstacle)));
            let was_there = was.and_then(Option::take).map(|(_, is_there)| is_there);
            let is_new = was_there.is_none();
            let now = was_there.unwrap_or_else(|| obstacle.is_there(self.world.time()));
            is_there.push(now);
            if is_new && now {
                come.push(index);
            }
        }
        let gone: Vec<LayerId> = left
            .into_iter()
            .flatten()
            .filter(|(_, there)| *there)
            .map(|(old, _)| old.layer)
            .collect();
        // Reach never shrinks: people who have not changed may still need it.
        let wall_reach =
            assemble::wall_reach(new, recipes, &self.models).max(self.world.setting.wall_reach);
        let changes =
            !come.is_empty() || !gone.is_empty() || wall_reach > self.world.setting.wall_reach;
        let walls = changes.then(|| {
            let there = new.obstacles.iter().zip(&is_there).filter(|(_, there)| **there);
            let there = there.map(|(obstacle, _)| obstacle);
            Walls::new(there, &new.connectors, new.layers.len(), wall_reach)
        });
        let mut occupancy =
            Occupancy::new(self.people.largest_radius.max(assemble::largest_radius(new)));
        let mut moved = Vec::new();
        let people = &self.people;
        let is_in_the_way = |row: usize| match &walls {
            Some(walls) if !come.is_empty() => {
                let (layer, position) = (people.layers[row], people.positions[row]);
                // Who was beside a wall before may be a little too near to it.
                !walls.is_free(layer, position, people.radii[row])
                    && self.world.walls().is_free(layer, position, people.radii[row])
            }
            _ => false,
        };
        let (aside, staying): (Vec<usize>, Vec<usize>) =
            people.rows_by_id().partition(|&row| is_in_the_way(row));
        for row in staying {
            occupancy.add(people.layers[row], people.positions[row], people.radii[row]);
        }
        if let Some(walls) = &walls {
            for row in aside {
                let (layer, at, radius) =
                    (people.layers[row], people.positions[row], people.radii[row]);
                let is_walkable = |place: Vec2| new.bounds.contains(place);
                match nearest_place(layer, at, radius, walls, &occupancy, is_walkable) {
                    Some(place) => {
                        occupancy.add(layer, place, radius);
                        moved.push((row, place));
                    }
                    None => {
                        let obstacle = come.first().map(|&index| &new.obstacles[index]);
                        let span = obstacle.map_or(0..0, |obstacle| obstacle.span.clone());
                        let message =
                            "there is no room for those who stand where the obstacle would be";
                        errors.push(SceneError::new(&new.source, span, message));
                        break;
                    }
                }
            }
        }
        GroundChange { is_there, come, gone, walls, moved, wall_reach, occupancy }
    }

    pub(super) fn change_ground(&mut self, new: &Scene, change: &GroundChange) {
        for &(row, place) in &change.moved {
            self.people.positions[row] = place;
            self.people.find_floor(row, &self.world);
        }
        self.world.setting.wall_reach = change.wall_reach;
        self.replace_obstacles(new.obstacles.clone(), &change.is_there);
        if change.walls.is_some() {
            self.after_change(&change.come, &change.gone);
        }
    }

    /// Regions that have another outline or cost; goals are seen to elsewhere.
    pub(super) fn change_regions(&mut self, old: &Scene, new: &Scene) {
        self.world.setting.regions.clone_from(&new.regions);
        let key = |region: &Region| (region.polygon.clone(), region.layer, region.cost);
        let is_same = old.regions.iter().map(key).eq(new.regions.iter().map(key));
        if is_same {
            return;
        }
        if let (Some(map), Some(guidance)) = (self.world.ground.map(), &mut self.guidance) {
            guidance.change(map, &self.world.setting.regions);
        }
    }
}

/// Whether two obstacles are in the way in the same profile.
fn is_same(a: &Obstacle, b: &Obstacle) -> bool {
    a.layer == b.layer && a.shape == b.shape && a.during == b.during
}
