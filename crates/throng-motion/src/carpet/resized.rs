//! Ground as a body of another size finds it.

use glam::Vec2;

use throng_base::ground::{Ground, Surface};

/// Places that are asked for at once.
const BATCH: usize = 64;

/// Ground that is walked on by a body `scale` times as large as its skeleton: all lengths are those of the skeleton,
/// so that people of many sizes share one rig and its clips.
#[derive(Clone, Copy, Debug)]
pub struct Resized<'g, G: ?Sized> {
    /// The ground as it is.
    pub ground: &'g G,
    /// How much larger the body is; more than 0.
    pub scale: f32,
}

impl<G: Ground + ?Sized> Ground for Resized<'_, G> {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        let surface = self.ground.at(place * self.scale, hint * self.scale)?;
        Some(Surface { height: surface.height / self.scale, ..surface })
    }

    fn has_storeys(&self) -> bool {
        self.ground.has_storeys()
    }

    fn sample(&self, places: &[Vec2], hints: &[f32], heights: &mut [f32]) {
        let (mut at, mut near) = ([Vec2::ZERO; BATCH], [0.0; BATCH]);
        let batches = places.chunks(BATCH).zip(hints.chunks(BATCH)).zip(heights.chunks_mut(BATCH));
        for ((places, hints), heights) in batches {
            let count = places.len().min(hints.len()).min(heights.len());
            for index in 0..count {
                at[index] = places[index] * self.scale;
                near[index] = hints[index] * self.scale;
            }
            self.ground.sample(&at[..count], &near[..count], &mut heights[..count]);
            heights.iter_mut().for_each(|height| *height /= self.scale);
        }
    }

    fn level(&self, around: Vec2, radius: f32, hint: f32) -> Option<f32> {
        let scale = self.scale;
        self.ground.level(around * scale, radius * scale, hint * scale).map(|height| height / scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::ground::Relief;

    #[test]
    fn one_by_one_and_many_at_once_are_the_same() {
        let ground = Relief(|place: Vec2| 0.1 * place.x * place.x + 0.3 * place.y);
        let small = Resized { ground: &ground, scale: 0.5 };
        let places: Vec<Vec2> = (0..150).map(|i| Vec2::new(0.1 * i as f32, 0.7)).collect();
        let mut heights = vec![0.0; places.len()];
        small.sample(&places, &vec![0.0; places.len()], &mut heights);
        for (place, height) in places.iter().zip(&heights) {
            assert_eq!(small.at(*place, 0.0).unwrap().height, *height);
            let expected = (0.1 * 0.25 * place.x * place.x + 0.3 * 0.5 * place.y) / 0.5;
            assert!((height - expected).abs() < 1e-5);
        }
    }
}
