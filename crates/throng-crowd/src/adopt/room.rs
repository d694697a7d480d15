//! Room for those who stand where something is put up, and for those who are put where somebody stands.

use glam::Vec2;
use throng_world::Walls;
use throng_world::scene::LayerId;

use crate::placement::Occupancy;

/// People are moved no farther than this, m.
const FARTHEST: f32 = 6.0;
/// Distance between places that are tried, m.
const SPACING: f32 = 0.1;
/// How far from walls and others they are put, beyond contact, m.
const MARGIN: f32 = 0.01;

/// The free place for a body that is nearest to where it is, to a tenth of a metre; `None` if there is
/// none within a few metres.
pub(super) fn nearest_place(
    layer: LayerId,
    at: Vec2,
    radius: f32,
    walls: &Walls,
    occupancy: &Occupancy,
    is_walkable: impl Fn(Vec2) -> bool,
) -> Option<Vec2> {
    let radius = radius + MARGIN;
    let is_free = |place: &Vec2| {
        occupancy.is_free(layer, *place, radius)
            && walls.is_free(layer, *place, radius)
            && is_walkable(*place)
    };
    let rings = (FARTHEST / SPACING) as usize;
    (0..=rings).find_map(|ring| {
        let distance = ring as f32 * SPACING;
        let count = (std::f32::consts::TAU * distance / SPACING).ceil().max(1.0) as usize;
        let place = |i: usize| {
            at + Vec2::from_angle(std::f32::consts::TAU * i as f32 / count as f32) * distance
        };
        (0..count).map(place).find(is_free)
    })
}
