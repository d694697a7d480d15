//! A sole over the flat carpet.

use glam::{FloatExt as _, Vec2, Vec3};

use super::super::rig::Rig;
use crate::pose::ModelPose;

/// Soles have no more points than this.
pub(super) const MOST_POINTS: usize = 8;
/// Points that are this much higher than the lowest do not touch the ground, m.
const TOUCHING: f32 = 0.015;
/// Points that are nearer to one another have none between them, m.
const SHORT: f32 = 0.03;
/// Soles that are longer than this roll from heel to toes, m.
const LONG: f32 = 0.15;

/// Points, of which the first so many are there.
pub(super) type Points = ([Vec3; MOST_POINTS], usize);

/// The sole of a foot as it is over the flat carpet.
pub(super) struct Sole {
    /// What can touch the ground, from behind to ahead.
    corners: Points,
    /// How high the middles of the balls that roll are above them, m.
    radii: [f32; MOST_POINTS],
    /// How high the lowest of them is, m.
    pub lowest: f32,
    /// Where the foot points, in plan.
    pub ahead: Vec2,
    /// Where its pivot is, or will be when the foot is flat, in plan.
    pub pivot: Vec2,
}

impl Sole {
    pub fn new(rig: &Rig, foot: usize, rest: &ModelPose) -> Self {
        let limb = &rig.feet()[foot];
        let ahead = rest.rotation(limb.end) * limb.ahead;
        let ahead = Vec2::new(ahead.x, ahead.z).try_normalize().unwrap_or(Vec2::Y);
        let (mut corners, mut radii) = ([Vec3::ZERO; MOST_POINTS], [0.0; MOST_POINTS]);
        for ((corner, radius), point) in corners.iter_mut().zip(&mut radii).zip(&limb.sole) {
            *corner = rest.position(point.joint) + rest.rotation(point.joint) * point.offset;
            corner.y -= point.radius;
            *radius = point.radius;
        }
        let count = limb.sole.len().min(MOST_POINTS);
        let lowest = corners[..count].iter().fold(f32::INFINITY, |low, corner| low.min(corner.y));
        let end = rest.position(limb.end);
        let pivot = Vec2::new(end.x, end.z);
        let mut sole = Self { corners: (corners, count), radii, lowest, ahead, pivot };
        sole.pivot = sole.find_pivot(rig.flat_sole(foot)).unwrap_or(pivot);
        sole
    }

    /// Every point that touches says where the pivot is, if the foot is as it is when it is flat.
    fn find_pivot(&self, flat: &[Vec2]) -> Option<Vec2> {
        let left = Vec2::new(self.ahead.y, -self.ahead.x);
        let (mut pivot, mut total) = (Vec2::ZERO, 0.0);
        for (corner, flat) in self.corners().iter().zip(flat) {
            let from = Vec2::new(corner.x, corner.z) - left * flat.x - self.ahead * flat.y;
            let touches = self.touches(*corner);
            pivot += touches * from;
            total += touches;
        }
        (total > 0.0).then(|| pivot / total)
    }

    /// What can touch the ground, from behind to ahead.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners.0[..self.corners.1]
    }

    /// How much a point touches the flat carpet, from 0 to 1.
    pub fn touches(&self, point: Vec3) -> f32 {
        let near = (1.0 - (point.y - self.lowest) / TOUCHING).max(0.0);
        near * near
    }

    /// Whether the foot is long enough to roll from heel to toes.
    pub fn is_long(&self) -> bool {
        match self.corners() {
            [heel, .., toes] => heel.distance_squared(*toes) > LONG * LONG,
            _ => false,
        }
    }

    /// How much higher the heel is than the toes, m.
    pub fn heel_up(&self) -> f32 {
        match self.corners() {
            [heel, .., toes] => heel.y - toes.y,
            _ => 0.0,
        }
    }

    /// The corners with points between them, so that the sole can rest on the edge of a step, and the radii of the balls
    /// above them.
    pub fn points(&self) -> (Points, [f32; MOST_POINTS]) {
        let corners = self.corners();
        let between = match corners.len() {
            0 | 1 => 0,
            count => ((MOST_POINTS - count) / (count - 1)).min(2),
        };
        let (mut points, mut filled) = ([Vec3::ZERO; MOST_POINTS], 0);
        let mut radii = [0.0; MOST_POINTS];
        let mut add = |point: Vec3, radius: f32| {
            (points[filled], radii[filled]) = (point, radius);
            filled += 1;
        };
        for (index, corner) in corners.iter().enumerate() {
            add(*corner, self.radii[index]);
            let far = |next: &&Vec3| next.distance_squared(*corner) > SHORT * SHORT;
            if let Some(next) = corners.get(index + 1).filter(far) {
                for part in 1..=between {
                    let part = part as f32 / (between + 1) as f32;
                    let radius = self.radii[index].lerp(self.radii[index + 1], part);
                    add(corner.lerp(*next, part), radius);
                }
            }
        }
        ((points, filled), radii)
    }
}
