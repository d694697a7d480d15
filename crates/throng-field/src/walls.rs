//! Fields know nothing of walls: where one leads into them, and what to do about it.

use glam::DVec2;
use throng_base::geometry::nearest_on_segment_f64;

use crate::error::FieldError;
use crate::field::Field;
use crate::options::check_setting;

/// A straight piece of wall with the solid on its left, seen from `from`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Where it begins, m.
    pub from: DVec2,
    /// Where it ends, m.
    pub to: DVec2,
}

/// A place at a wall where a field leads into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntoWall {
    /// Which of the walls.
    pub wall: usize,
    /// Where on it, m.
    pub position: DVec2,
    /// How fast it leads into the solid, m/s.
    pub speed: f64,
}

impl Wall {
    /// The unit vector into the solid; zero for a wall without length.
    fn inwards(&self) -> DVec2 {
        (self.to - self.from).perp().normalize_or_zero()
    }

    fn nearest(&self, place: DVec2) -> DVec2 {
        nearest_on_segment_f64(self.from, self.to, place)
    }
}

impl Field {
    /// The places where the field leads into walls faster than `tolerated`, m/s: each wall is looked
    /// at every `spacing` metres, from 1 cm up, at most 10,000 times.
    pub fn leads_into(
        &self,
        walls: &[Wall],
        spacing: f64,
        tolerated: f64,
    ) -> Result<Vec<IntoWall>, FieldError> {
        check_setting("the spacing", spacing, 0.01, 1e6)?;
        let mut found = Vec::new();
        for (number, wall) in walls.iter().enumerate() {
            let count = (wall.from.distance(wall.to) / spacing).ceil().clamp(1.0, 1e4) as usize;
            for i in 0..count {
                let position = wall.from.lerp(wall.to, (i as f64 + 0.5) / count as f64);
                let speed = self.velocity(position).dot(wall.inwards());
                if speed > tolerated {
                    found.push(IntoWall { wall: number, position, speed });
                }
            }
        }
        Ok(found)
    }
}

/// A velocity turned along the walls near a place: what leads into a wall is taken away, all of it at
/// the wall and nothing from the distance `within` on, m. People behind a wall do not feel it.
pub fn slide(velocity: DVec2, place: DVec2, walls: &[Wall], within: f64) -> DVec2 {
    let mut slid = velocity;
    // Twice, for corners: what one wall turns aside may lead into the other.
    for wall in walls.iter().chain(walls) {
        let way = wall.nearest(place) - place;
        let (distance, inwards) = (way.length(), wall.inwards());
        let is_in_front = (wall.from - place).dot(inwards) >= 0.0;
        if !is_in_front || distance >= within {
            continue;
        }
        let t = distance / within;
        let allowed = velocity.dot(inwards).max(0.0) * t * t * (3.0 - 2.0 * t);
        slid -= inwards * (slid.dot(inwards) - allowed).max(0.0);
    }
    slid
}
