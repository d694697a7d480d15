//! How far feet slide that should stand.
//!
//! Measured from outside: forward kinematics of the pose that is shown gives three points of each sole in the world,
//! and a foot that stands in two frames has slid by as much as that one of its points on the ground moved that
//! moved least. So a foot that rolls from heel to toes, or pivots on its ball, does not slide. When a foot
//! stands, what is played says: the mediator's contacts, or the clip's where feet are not planted.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Quat, Vec3};
use serde::Serialize;
use throng_motion::{FootShape, Landmark, ModelPose, Side};
use throng_world::frame::world_to_ground;

use super::distribution::{Distribution, Spread};
use crate::bodies::{Cast, Member};

/// Points of a sole that are no higher than this are on the ground, m.
const TOUCHING: f32 = 0.02;
/// Slips are told for this time, s: a frame of what is published about skating.
const FRAME: f32 = 0.04;
/// A foot that turns faster than this while it stands pivots, rad/s.
const PIVOTING: f32 = 0.2;
/// How many of the worst are told.
const WORST: usize = 10;

/// Three points of a sole in the world: heel, ball and tip.
type Sole = [Vec3; 3];

/// Finds soles by forward kinematics.
#[derive(Clone, Debug)]
pub struct SoleTracker {
    cast: Arc<Cast>,
    model: ModelPose,
}

impl SoleTracker {
    /// For people of `cast`.
    pub fn new(cast: &Arc<Cast>) -> Self {
        Self { cast: cast.clone(), model: ModelPose::default() }
    }

    /// Heel, ball and tip of the left and the right sole of somebody, in the world.
    pub fn soles(&mut self, member: &Member) -> [[Vec3; 3]; 2] {
        let human = &self.cast.looks()[member.role.look].human;
        self.model.pose(human.skeleton(), &member.pose);
        let placement = member.placement();
        let turn = Quat::from_rotation_y(placement.yaw);
        let FootShape { ankle_height, ball_height, heel, toes, .. } = human.proportions().foot;
        Side::BOTH.map(|side| {
            let (foot, joint) = match side {
                Side::Left => (Landmark::LeftFoot, Landmark::LeftToes),
                Side::Right => (Landmark::RightFoot, Landmark::RightToes),
            };
            let (foot, joint) = (human.joint(foot), human.joint(joint));
            let of =
                |joint, from: Vec3| self.model.position(joint) + self.model.rotation(joint) * from;
            [
                of(foot, Vec3::new(0.0, -ankle_height, -heel)),
                of(joint, Vec3::new(0.0, -ball_height, 0.0)),
                of(joint, Vec3::new(0.0, -ball_height, toes)),
            ]
            .map(|point| placement.translation + turn * (member.role.scale * point))
        })
    }

    /// Whether a foot of somebody should stand.
    pub fn stands(&self, member: &Member, foot: usize) -> bool {
        let played = &member.played;
        if member.is_planted() {
            return played.feet[foot].contact.is_some();
        }
        let parts = self.cast.looks()[member.role.look].repertoire.parts();
        parts
            .get(played.part)
            .is_some_and(|part| part.clip.contacts().touches(Side::BOTH[foot], played.phase))
    }
}

/// Watches the feet of a crowd, frame by frame.
#[derive(Clone, Debug)]
pub struct Skate {
    tracker: SoleTracker,
    feet: BTreeMap<u32, [Option<Standing>; 2]>,
    slips: Distribution,
    stances: Distribution,
    worst: Vec<SlidStance>,
    poses: u64,
    dragged: u64,
    pivoted: u64,
    fps: f32,
}

/// A foot that stands, so far.
#[derive(Clone, Copy, Debug)]
struct Standing {
    sole: Sole,
    begin: f64,
    slid: f32,
    most: f32,
    turned: f32,
    frames: u32,
    /// The last frame it was seen in.
    seen: f64,
}

/// A stance during which a foot slid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlidStance {
    /// Who.
    pub person: u32,
    /// `left` or `right`.
    pub foot: &'static str,
    /// When it began to stand, s.
    pub begin: f64,
    /// When it ended, s.
    pub end: f64,
    /// Where on the ground, m.
    pub place: [f32; 2],
    /// How far it slid in all, mm.
    pub slid_mm: f32,
    /// And at most within a frame of 1/25 s, mm.
    pub frame_mm: f32,
    /// How far it turned in all, degrees.
    pub turned_degrees: f32,
}

/// How far feet slid.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SkateReport {
    /// Within a frame of 1/25 s, mm.
    pub frame_mm: Spread,
    /// From touching the ground to leaving it, all of the way, mm.
    pub stance_mm: Spread,
    /// The share of poses in which feet were dragged along because the body was too far from where it should be.
    pub dragged: f64,
    /// The share of standing feet that pivot faster than 0.2 rad/s.
    pub pivoting: f64,
    /// The stances that slid furthest, worst first.
    pub worst: Vec<SlidStance>,
}

impl Skate {
    /// For people of `cast`.
    pub fn new(cast: &Arc<Cast>) -> Self {
        Self {
            tracker: SoleTracker::new(cast),
            feet: BTreeMap::new(),
            slips: Distribution::default(),
            stances: Distribution::default(),
            worst: Vec::new(),
            poses: 0,
            dragged: 0,
            pivoted: 0,
            fps: 0.0,
        }
    }

    /// Looks at everybody in a frame at `time`, `seconds` after the one before.
    pub fn watch(&mut self, members: &[Member], time: f64, seconds: f32) {
        self.fps = seconds.max(1e-6).recip();
        for member in members {
            self.poses += 1;
            self.dragged += u64::from(member.played.dragged > 1e-4);
            let soles = self.tracker.soles(member);
            for (foot, sole) in soles.into_iter().enumerate() {
                let stands = self.tracker.stands(member, foot);
                let ground = member.placement().translation.y;
                self.step(member.id, foot, stands.then_some(sole), (time, seconds, ground));
            }
        }
        // Who is gone has lifted their feet.
        let gone: Vec<(u32, [Option<Standing>; 2])> = self
            .feet
            .iter()
            .filter(|(_, feet)| feet.iter().flatten().any(|foot| foot.seen < time))
            .map(|(id, feet)| (*id, *feet))
            .collect();
        for (id, feet) in gone {
            for (foot, standing) in feet.into_iter().enumerate() {
                if let Some(standing) = standing.filter(|standing| standing.seen < time) {
                    self.lift(id, foot, &standing);
                    if let Some(feet) = self.feet.get_mut(&id) {
                        feet[foot] = None;
                    }
                }
            }
        }
        self.feet.retain(|_, feet| feet.iter().any(Option::is_some));
    }

    /// What was found.
    pub fn finish(mut self) -> SkateReport {
        let left = std::mem::take(&mut self.feet);
        for (id, feet) in left {
            for (foot, standing) in feet.into_iter().enumerate() {
                if let Some(standing) = standing {
                    self.lift(id, foot, &standing);
                }
            }
        }
        let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
        SkateReport {
            frame_mm: self.slips.spread(1e3),
            stance_mm: self.stances.spread(1e3),
            dragged: share(self.dragged, self.poses),
            pivoting: share(self.pivoted, self.slips.count()),
            worst: self.worst,
        }
    }

    fn step(
        &mut self,
        id: u32,
        foot: usize,
        sole: Option<Sole>,
        (time, seconds, ground): (f64, f32, f32),
    ) {
        let before = self.feet.get(&id).and_then(|feet| feet[foot]);
        let now = match (before, sole) {
            (Some(before), Some(sole)) => {
                let slip = slip(&before.sole, &sole, ground);
                let turned = turn(&before.sole, &sole);
                let in_frame = slip * FRAME / seconds.max(1e-6);
                self.slips.add(in_frame);
                self.pivoted += u64::from(turned > PIVOTING * seconds);
                Some(Standing {
                    sole,
                    slid: before.slid + slip,
                    most: before.most.max(in_frame),
                    turned: before.turned + turned,
                    frames: before.frames + 1,
                    seen: time,
                    ..before
                })
            }
            (None, Some(sole)) => Some(Standing {
                sole,
                begin: time,
                slid: 0.0,
                most: 0.0,
                turned: 0.0,
                frames: 0,
                seen: time,
            }),
            (Some(before), None) => {
                self.lift(id, foot, &before);
                None
            }
            (None, None) => return,
        };
        self.feet.entry(id).or_default()[foot] = now;
    }

    /// A foot has left the ground.
    fn lift(&mut self, person: u32, foot: usize, standing: &Standing) {
        if standing.frames == 0 {
            return;
        }
        self.stances.add(standing.slid);
        let slid_mm = 1e3 * standing.slid;
        let better = self.worst.last().is_some_and(|last| slid_mm <= last.slid_mm);
        if self.worst.len() == WORST && better {
            return;
        }
        let place = world_to_ground(standing.sole[1]).0.to_array();
        let stance = SlidStance {
            person,
            foot: ["left", "right"][foot],
            begin: standing.begin,
            end: standing.seen,
            place,
            slid_mm,
            frame_mm: 1e3 * standing.most,
            turned_degrees: standing.turned.to_degrees(),
        };
        let at = self.worst.partition_point(|other| other.slid_mm >= slid_mm);
        self.worst.insert(at, stance);
        self.worst.truncate(WORST);
    }
}

/// How far the point that moved least has moved, of those on the ground in both frames.
fn slip(before: &Sole, after: &Sole, ground: f32) -> f32 {
    let moved = |point: usize| {
        let way = after[point] - before[point];
        way.x.hypot(way.z)
    };
    let touching = |point: &usize| before[*point].y.max(after[*point].y) - ground < TOUCHING;
    let least = (0..3).filter(touching).map(moved).fold(f32::INFINITY, f32::min);
    if least.is_finite() {
        return least;
    }
    // Labels say that it stands, and no point does in both frames: the lowest has to do.
    let height = |point: &usize| before[*point].y + after[*point].y;
    let lowest = (0..3).min_by(|a, b| height(a).total_cmp(&height(b)));
    lowest.map_or(0.0, moved)
}

/// By how much a foot has turned about the vertical.
fn turn(before: &Sole, after: &Sole) -> f32 {
    let ahead = |sole: &Sole| {
        let ahead = sole[1] - sole[0];
        ahead.x.atan2(ahead.z)
    };
    throng_world::frame::wrap_angle(ahead(after) - ahead(before)).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: Sole = [Vec3::ZERO, Vec3::new(0.0, 0.0, 0.17), Vec3::new(0.0, 0.0, 0.23)];

    fn moved(sole: Sole, by: Vec3) -> Sole {
        sole.map(|point| point + by)
    }

    #[test]
    fn sliding_is_measured_and_rolling_and_pivoting_are_not() {
        assert!(
            (slip(&FLAT, &moved(FLAT, Vec3::new(0.003, 0.0, 0.004)), 0.0) - 0.005).abs() < 1e-6
        );
        // The heel comes up about the ball.
        let rolled = [Vec3::new(0.0, 0.05, 0.01), FLAT[1], FLAT[2]];
        assert_eq!(slip(&FLAT, &rolled, 0.0), 0.0);
        let pivoted = FLAT.map(|p| FLAT[1] + Quat::from_rotation_y(0.3) * (p - FLAT[1]));
        assert!(slip(&FLAT, &pivoted, 0.0) < 1e-6);
        assert!((turn(&FLAT, &pivoted) - 0.3).abs() < 1e-5);
        // On a floor further up it is the same.
        let up = Vec3::new(0.0, 3.0, 0.0);
        assert!(slip(&moved(FLAT, up), &moved(pivoted, up), 3.0) < 1e-6);
    }
}
