//! Feet as anybody sees them: found from the poses that are shown.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use throng_base::frame::wrap_angle;
use throng_base::ground::Ground;
use throng_motion::carpet::SolePoint;
use throng_motion::{ModelPose, Side};

use super::cast::Cast;
use super::ensemble::{Ensemble, SharedGround};
use super::look::Look;
use super::member::Member;

/// Points of a sole that are no higher above the ground than this touch it, m.
const TOUCHING: f32 = 0.01;
/// What is nearer than this to the edge of a step is on it, m.
const EDGE: f32 = 0.002;
/// Points that are nearer to one another have none between them, m.
const SHORT: f32 = 0.03;
/// Soles have no more points than this.
const MOST: usize = 8;

/// Points of a sole, from behind to ahead: from heel over ball to tip of a shoe, or what a paw or hoof stands on, with
/// points between them that may rest on the edge of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sole {
    at: [Vec3; MOST],
    above: [f32; MOST],
    count: usize,
}

impl Sole {
    /// A sole of these points in the world, each with its height above the ground. A sole has at most eight.
    pub fn new(points: impl IntoIterator<Item = (Vec3, f32)>) -> Self {
        let mut sole = Self::default();
        for (at, above) in points.into_iter().take(MOST) {
            (sole.at[sole.count], sole.above[sole.count]) = (at, above);
            sole.count += 1;
        }
        sole
    }

    /// The points in the world.
    pub fn points(&self) -> &[Vec3] {
        &self.at[..self.count]
    }

    /// How high the lowest point is above the ground, m; less than 0 if it has sunk in.
    pub fn lowest(&self) -> f32 {
        self.above[..self.count].iter().copied().fold(f32::INFINITY, f32::min)
    }

    /// Where it is.
    pub(super) fn middle(&self) -> Vec3 {
        self.points().get(self.count / 2).copied().unwrap_or_default()
    }
}

/// Finds soles by forward kinematics.
#[derive(Clone)]
pub struct SoleTracker {
    cast: Arc<Cast>,
    ground: Option<SharedGround>,
    model: ModelPose,
    soles: Vec<Sole>,
}

impl SoleTracker {
    /// For the members of `ensemble`.
    pub fn of(ensemble: &Ensemble) -> Self {
        Self {
            cast: ensemble.cast().clone(),
            ground: ensemble.ground().cloned(),
            model: ModelPose::default(),
            soles: Vec::new(),
        }
    }

    /// The soles of somebody in the world, in the order of their rig's feet: of people the left and the right one.
    pub fn soles(&mut self, member: &Member) -> &[Sole] {
        let rig = self.cast.looks()[member.role.look].rig();
        self.model.pose(rig.skeleton(), &member.pose);
        let (placement, scale) = (member.placement(), member.role.scale);
        let turn = Quat::from_rotation_y(placement.yaw);
        let (model, ground) = (&self.model, self.ground.as_deref());
        self.soles.clear();
        self.soles.extend(rig.feet().iter().map(|foot| {
            let ball = |point: &SolePoint| {
                let centre =
                    model.position(point.joint) + model.rotation(point.joint) * point.offset;
                (placement.translation + turn * (scale * centre), scale * point.radius)
            };
            let balls = foot.sole.iter().enumerate().flat_map(|(index, point)| {
                let (at, radius) = ball(point);
                let next = foot.sole.get(index + 1).map(ball);
                let next = next.filter(|(to, _)| to.distance(at) > SHORT * scale);
                let between = next.into_iter().flat_map(move |(to, wide)| {
                    [1.0, 2.0].map(|third| {
                        let part = third / 3.0;
                        (at.lerp(to, part), radius + part * (wide - radius))
                    })
                });
                std::iter::once((at, radius)).chain(between)
            });
            let level = placement.translation.y;
            Sole::new(balls.map(|(centre, radius)| touching(ground, level, centre, radius)))
        }));
        &self.soles
    }

    /// Whether a foot of somebody should stand: what moves the body says so, or the clip where feet are not
    /// planted.
    pub fn stands(&self, member: &Member, foot: usize) -> bool {
        if let Some(progress) = member.progress() {
            return progress.feet.get(foot).is_some_and(|stands| *stands);
        }
        let (Some(played), Some(side)) = (member.played(), Side::BOTH.get(foot)) else {
            return false;
        };
        if member.is_planted() {
            return played.feet[foot].contact.is_some() && member.bears(foot);
        }
        let look = self.cast.looks().get(member.role.look).and_then(Look::as_person);
        let part = look.and_then(|look| look.repertoire.parts().get(played.part));
        part.is_some_and(|part| part.clip.contacts().touches(*side, played.phase))
    }
}

/// The lowest point of a ball, and how high the ball is above the ground. Where nothing is known of the ground, it is
/// `level`; over a hole, nothing can be said and it is where the ball is. Right at the edge of a step either side of it
/// may bear the ball. The point that touches rough ground is another one wherever the normal changes, and nothing slides.
fn touching(
    ground: Option<&(dyn Ground + Send + Sync)>,
    level: f32,
    centre: Vec3,
    radius: f32,
) -> (Vec3, f32) {
    let touch = |aside: Vec2| {
        let place = Vec2::new(centre.x, centre.z) + aside;
        let surface = ground.and_then(|ground| ground.at(place, centre.y));
        let (height, normal) = match surface {
            // Nobody stands on a riser.
            Some(surface) if surface.normal.y > 0.6 => (surface.height, surface.normal),
            Some(surface) => (surface.height, Vec3::Y),
            None if ground.is_some() => (centre.y - radius, Vec3::Y),
            None => (level, Vec3::Y),
        };
        (centre - radius * Vec3::Y, (centre.y - height) * normal.y - radius)
    };
    let below = touch(Vec2::ZERO);
    if ground.is_none() || below.1.abs() < TOUCHING {
        return below;
    }
    let around = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].map(|aside| touch(EDGE * aside));
    let hangs_beside = below.1 < 0.0;
    let either = |above: f32| above.abs() < TOUCHING || hangs_beside && above > 0.0;
    around.into_iter().find(|(_, above)| either(*above)).unwrap_or(below)
}

/// How far a foot that stands in two frames has slid over the ground, m: as far as that place of its sole moved that
/// moved least, of what is on the ground in one of them. A foot that rolls from heel to toes stands on one place when the
/// frame begins and may stand on another when it ends, and slides only if both do; one that [turns](turn) about any place
/// of its sole does not slide. If nothing is on the ground, what is lowest counts.
pub fn slip(before: &Sole, after: &Sole) -> f32 {
    let count = before.count.min(after.count);
    let above = |point: usize| before.above[point].min(after.above[point]);
    let lowest = (0..count).map(above).fold(f32::INFINITY, f32::min);
    let touches = |point: usize| above(point) <= lowest.max(0.0) + TOUCHING;
    let moved = |point: usize| (after.at[point] - before.at[point]).with_y(0.0);
    (0..count)
        .filter(|point| touches(*point))
        .map(|point| match point + 1 {
            next if next < count && touches(next) => least_between(moved(point), moved(next)),
            _ => moved(point).length(),
        })
        .fold(f32::INFINITY, f32::min)
}

/// The length of the shortest vector on the way from one to the other.
fn least_between(from: Vec3, to: Vec3) -> f32 {
    let way = to - from;
    let part = -from.dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
    (from + part.clamp(0.0, 1.0) * way).length()
}

/// By how much a foot has turned about the vertical between two frames, rad.
pub fn turn(before: &Sole, after: &Sole) -> f32 {
    let ahead = |sole: &Sole| {
        let ahead = sole.at[1] - sole.at[0];
        ahead.x.atan2(ahead.z)
    };
    if before.count < 2 || after.count < 2 {
        return 0.0;
    }
    wrap_angle(ahead(after) - ahead(before)).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: [Vec3; 3] = [Vec3::ZERO, Vec3::new(0.0, 0.0, 0.17), Vec3::new(0.0, 0.0, 0.23)];

    /// A sole over ground that rises by `slope` ahead.
    fn sole(points: [Vec3; 3], slope: f32) -> Sole {
        Sole::new(points.map(|at| (at + slope * at.z * Vec3::Y, at.y)))
    }

    #[test]
    fn sliding_is_measured_and_rolling_and_pivoting_are_not() {
        for slope in [0.0, 0.5, -0.5] {
            let flat = sole(FLAT, slope);
            let slid = sole(FLAT.map(|point| point + Vec3::new(0.003, 0.0, 0.004)), slope);
            assert!((slip(&flat, &slid) - 0.005).abs() < 1e-6);
            // The heel comes up about the ball.
            let rolled = sole([Vec3::new(0.0, 0.05, 0.01), FLAT[1], FLAT[2]], slope);
            assert_eq!(slip(&flat, &rolled), 0.0);
            for about in [FLAT[0], FLAT[1], FLAT[2], 0.4 * FLAT[1]] {
                let pivoted = FLAT.map(|p| about + Quat::from_rotation_y(0.3) * (p - about));
                let pivoted = sole(pivoted, slope);
                assert!(slip(&flat, &pivoted) < 1e-6);
                assert!((turn(&flat, &pivoted) - 0.3).abs() < 1e-5);
            }
            // About a place beside the sole: it slides.
            let about = Vec3::new(0.1, 0.0, 0.1);
            let swept = FLAT.map(|p| about + Quat::from_rotation_y(0.3) * (p - about));
            assert!((slip(&flat, &sole(swept, slope)) - 0.2 * 0.15f32.sin()).abs() < 1e-4);
        }
    }
}
