//! Terrain and floors as ground to stand on.

use glam::Vec2;
use throng_base::frame::plan_to_ground;
use throng_base::ground::{Ground, Level, Surface};

use super::{GroundMesh, Heightfield, Terrain};
use crate::Layer;

impl Ground for Heightfield {
    fn at(&self, place: Vec2, _: f32) -> Option<Surface> {
        let (height, normal) = self.height_and_normal(plan_to_ground(place));
        Some(Surface { height, normal })
    }

    fn has_storeys(&self) -> bool {
        false
    }

    fn sample(&self, places: &[Vec2], _: &[f32], heights: &mut [f32]) {
        for (place, height) in places.iter().zip(heights) {
            *height = self.height(plan_to_ground(*place));
        }
    }
}

impl Ground for GroundMesh {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        let (height, normal) = self.surface_near(plan_to_ground(place), hint)?;
        Some(Surface { height, normal })
    }
}

impl Ground for Terrain {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        match self {
            Self::Flat => Level.at(place, hint),
            Self::Heightfield(field) => field.at(place, hint),
            Self::Mesh(mesh) => mesh.at(place, hint),
        }
    }

    fn has_storeys(&self) -> bool {
        matches!(self, Self::Mesh(_))
    }

    fn sample(&self, places: &[Vec2], hints: &[f32], heights: &mut [f32]) {
        match self {
            Self::Flat => Level.sample(places, hints, heights),
            Self::Heightfield(field) => Ground::sample(&**field, places, hints, heights),
            Self::Mesh(mesh) => Ground::sample(&**mesh, places, hints, heights),
        }
    }

    fn level(&self, _: Vec2, _: f32, _: f32) -> Option<f32> {
        self.is_flat().then_some(0.0)
    }
}

impl Ground for Layer {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        let surface = self.terrain.at(place, hint - self.elevation)?;
        Some(Surface { height: surface.height + self.elevation, ..surface })
    }

    fn has_storeys(&self) -> bool {
        self.terrain.has_storeys()
    }

    fn sample(&self, places: &[Vec2], hints: &[f32], heights: &mut [f32]) {
        if let Terrain::Mesh(mesh) = &self.terrain {
            for ((place, hint), height) in places.iter().zip(hints).zip(heights) {
                let surface = mesh.at(*place, hint - self.elevation);
                *height = surface.map_or(f32::NAN, |surface| surface.height + self.elevation);
            }
            return;
        }
        Ground::sample(&self.terrain, places, hints, heights);
        heights.iter_mut().for_each(|height| *height += self.elevation);
    }

    fn level(&self, _: Vec2, _: f32, _: f32) -> Option<f32> {
        self.terrain.is_flat().then_some(self.elevation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_bridge_and_the_road_below_it_answer_to_their_heights() {
        let quad = |y: f32| {
            [(-3.0, -5.0), (-3.0, 20.0), (3.0, 20.0), (3.0, -5.0)].map(|(x, z)| Vec3::new(x, y, z))
        };
        let vertices = [quad(0.0), quad(4.0)].concat();
        let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        let terrain = Terrain::from(GroundMesh::new(vertices, triangles).unwrap());
        let layer = Layer { name: "town".into(), elevation: 1.0, terrain: terrain.clone() };
        let height = |ground: &dyn Ground, z: f32, hint: f32| {
            let place = Vec2::new(1.0, z);
            let surface = ground.at(place, hint);
            let mut sampled = [0.0];
            ground.sample(&[place], &[hint], &mut sampled);
            assert_eq!(surface.map(|found| found.normal), surface.map(|_| Vec3::Y));
            assert_eq!(
                surface.map_or(f32::NAN, |found| found.height).to_bits(),
                sampled[0].to_bits()
            );
            surface.map(|found| found.height)
        };
        assert_eq!([0.9, 3.1].map(|hint| height(&terrain, 19.0, hint)), [Some(0.0), Some(4.0)]);
        assert_eq!([1.9, 4.1].map(|hint| height(&layer, 19.0, hint)), [Some(1.0), Some(5.0)]);
        assert_eq!(height(&terrain, -19.0, 0.0), None);
        assert_eq!(height(&layer, -19.0, 0.0), None);
    }
}
