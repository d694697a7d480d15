//! Beginning to walk, and coming to a stand.
//!
//! Who sets out first shifts the weight, towards the foot that will swing and then off it, begins
//! to fall forwards, and takes a first step that is shorter than the others. Who stops lands with
//! a shorter step and brings the other foot beside. Both meet the steady walk at a left strike:
//! the last pose of a start is the first pose of the walk, and the first pose of a stop as well.

use glam::Vec3;

use super::cycle::{Cycle, Plan};
use super::foot::Sole;
use super::law::Gait;
use super::sketch::{Foot, Sketch};
use super::smooth::smoothstep;
use super::stand::standing;
use super::steady::{GaitError, Steady};
use super::steps::{FootTrack, Hold, Manner, settle};
use crate::clip::{Clip, ClipKind, ClipParts};
use crate::contact::{Contacts, Side, Span};
use crate::human::Human;
use crate::motion::Motion;
use crate::pose::Pose;
use crate::root::{RootMotion, RootTrack};

const RATE: f32 = 60.0;

/// Feet that behave as in a cycle.
struct Walking<'c> {
    cycle: &'c Cycle,
}

impl Walking<'_> {
    fn foot(&self, limb: f32) -> Foot {
        let mut foot = self.cycle.at(limb).feet[0];
        foot.ankle += self.cycle.travel * limb;
        foot
    }
}

impl Manner for Walking<'_> {
    fn stance(&self, since: f32, before: f32) -> (f32, f32) {
        let (period, duty) = (self.cycle.period, self.cycle.duty);
        // Feet that have just landed, or are about to leave, roll as in the walk; between, they
        // stand as long as they are needed.
        let late = duty - before / period;
        if late > 0.3 {
            let foot = self.cycle.at(late.min(duty)).feet[0];
            let toes = if late > self.cycle.ball_off { foot.pitch + foot.toes } else { 0.0 };
            return (foot.pitch.min(0.0), toes.min(0.0));
        }
        let landed = self.cycle.at((since / period).clamp(0.0, 0.3)).feet[0].pitch.max(0.0);
        (if since < 0.3 * period { landed } else { 0.0 }, 0.0)
    }

    fn swing(&self, swing: f32) -> (Vec3, f32, f32) {
        let limb = self.cycle.duty + swing * (0.9999 - self.cycle.duty);
        let foot = self.foot(limb);
        let start = self.cycle.footholds[0];
        let flat = start.lerp(start + self.cycle.travel, smoothstep(swing));
        let mut deviation = foot.ankle - flat;
        deviation.x = 0.0;
        (deviation, foot.pitch, foot.toes)
    }
}

impl Steady {
    /// From standing to this gait, with the right foot first; it ends at a left strike. Mirror the
    /// clip to begin with the left foot.
    ///
    /// # Errors
    ///
    /// If it is no walk straight ahead, or none that this body can do.
    pub fn start(&self, human: &Human) -> Result<Clip, GaitError> {
        let cycle = self.walk_ahead(human)?;
        let period = cycle.period;
        let half = 0.5 * cycle.travel;
        let rest = standing(human, &self.style, 0.0);
        let swing = (1.0 - cycle.duty) * period;
        let prepare = 0.5;
        let landed = prepare + swing;
        let end = landed + 0.5 * period;
        // The right foot's first step is shorter; then all is as in the walk.
        let [left, right] = rest.feet.map(|foot| foot.ankle);
        let first = Vec3::new(cycle.footholds[1].x, right.y, left.z) + 0.75 * half;
        // In the walk, the right foot stands here at the end, seen from the root.
        let root_end = first - (cycle.footholds[1] - half);
        let second = cycle.footholds[0] + Vec3::new(0.0, 0.0, root_end.z);
        let yaws = cycle.sketches[0].feet.map(|foot| foot.yaw);
        let manner = Walking { cycle: &cycle };
        let leaves = end - 0.5 * period + (cycle.duty - 0.5) * period;
        let forever = end + 10.0;
        let track = |holds| FootTrack { holds, sole: sole(human), manner: &manner };
        let stood = |side: usize, lift| {
            let foot = rest.feet[side];
            Hold { land: -10.0, lift, at: foot.ankle, yaw: foot.yaw }
        };
        let tracks = [
            track(vec![
                stood(0, leaves),
                Hold { land: end, lift: forever, at: second, yaw: yaws[0] },
            ]),
            track(vec![
                stood(1, prepare),
                Hold { land: landed, lift: landed + cycle.duty * period, at: first, yaw: yaws[1] },
            ]),
        ];
        let path = Path::new(0.3, end, 0.0, self.speed, root_end.z);
        self.transition(human, ClipKind::Start, end, &path, &tracks, |time| {
            let walked = cycle.at((time - end) / period);
            let into = smoothstep((time - 0.5 * prepare) / (end - 0.7 * prepare));
            let mut sketch = rest.lerp(&walked, into);
            // The weight goes to the foot that will swing, and then off it.
            let leg = human.proportions().leg();
            let towards = bump(time, 0.0, 0.5 * prepare);
            let off = bump(time, 0.45 * prepare, landed);
            sketch.root.x += leg * (-0.018 * towards + 0.030 * off);
            sketch.lumbar.flexion += 4f32.to_radians() * bump(time, 0.2, end);
            sketch
        })
    }

    /// From this gait at a left strike to standing: a shorter step of the right foot, and the left
    /// one beside it.
    ///
    /// # Errors
    ///
    /// If it is no walk straight ahead, or none that this body can do.
    pub fn stop(&self, human: &Human) -> Result<Clip, GaitError> {
        let cycle = self.walk_ahead(human)?;
        let period = cycle.period;
        let half = 0.5 * cycle.travel;
        let rest = standing(human, &self.style, 0.0);
        let manner = Walking { cycle: &cycle };
        let landed = 0.5 * period;
        let leaves = landed + (cycle.duty - 0.5) * period + 0.06;
        let beside = leaves + 1.1 * (1.0 - cycle.duty) * period;
        let end = beside + 0.6;
        let left = cycle.footholds[0];
        let right_behind = cycle.footholds[1] - half;
        let last = left.z + 0.8 * half.z;
        let root_end = last - rest.feet[1].ankle.z;
        let at = |side: usize| rest.feet[side].ankle + Vec3::new(0.0, 0.0, root_end);
        let walking = cycle.sketches[0].feet;
        let forever = end + 10.0;
        let track = |holds| FootTrack { holds, sole: sole(human), manner: &manner };
        let right_lift = (cycle.duty - 0.5) * period;
        let tracks = [
            track(vec![
                Hold { land: 0.0, lift: leaves, at: left, yaw: walking[0].yaw },
                Hold { land: beside, lift: forever, at: at(0), yaw: rest.feet[0].yaw },
            ]),
            track(vec![
                Hold {
                    land: -0.5 * period,
                    lift: right_lift,
                    at: right_behind,
                    yaw: walking[1].yaw,
                },
                Hold { land: landed, lift: forever, at: at(1), yaw: rest.feet[1].yaw },
            ]),
        ];
        let path = Path::new(0.0, beside + 0.15, self.speed, 0.0, root_end);
        self.transition(human, ClipKind::Stop, end, &path, &tracks, |time| {
            let phase = (time / period).min(0.5 + 0.5 * (time - landed) / (beside - landed));
            let walked = cycle.at(phase.min(0.999));
            let out = smoothstep((time - 0.15 * period) / (beside - 0.1 * period));
            let mut sketch = walked.lerp(&rest, out);
            let leg = human.proportions().leg();
            // The body comes over the feet, a little too far, and back.
            sketch.root.z += 0.014 * leg * bump(time, landed, end);
            sketch.root.x -= 0.02 * leg * bump(time, landed, beside + 0.2);
            sketch.lumbar.flexion -= 2f32.to_radians() * bump(time, 0.0, beside);
            sketch
        })
    }

    fn walk_ahead(&self, human: &Human) -> Result<Cycle, GaitError> {
        let (gait, angle) = self.checked(human)?;
        if angle != 0.0 || gait != Gait::Walk {
            return Err(GaitError::NotAhead);
        }
        Ok(Cycle::new(&Plan::ahead(human, gait, self.speed, self.style)))
    }

    fn transition(
        &self,
        human: &Human,
        kind: ClipKind,
        duration: f32,
        path: &Path,
        tracks: &[FootTrack<Walking>; 2],
        upper: impl Fn(f32) -> Sketch,
    ) -> Result<Clip, GaitError> {
        let frames = (duration * RATE).round() as usize + 1;
        let time = |frame: usize| duration * frame as f32 / (frames - 1) as f32;
        let mut sketches: Vec<Sketch> = (0..frames)
            .map(|frame| {
                let time = time(frame);
                let mut sketch = upper(time);
                let root = Vec3::new(0.0, 0.0, path.at(time));
                for (foot, track) in sketch.feet.iter_mut().zip(tracks) {
                    *foot = track.at(time).seen_from(root, 0.0);
                }
                sketch
            })
            .collect();
        settle(human, &mut sketches, false, |frame, side| {
            tracks[side as usize].stands(time(frame))
        });
        let poses: Vec<Pose> = sketches.iter().map(|sketch| sketch.pose(human)).collect();
        let name = format!("{} {:.2}", kind.name(), self.speed);
        let rate = (frames - 1) as f32 / duration;
        let motion = Motion::from_poses(name, human.skeleton().clone(), rate, &poses)?;
        let root = (0..frames)
            .map(|frame| RootMotion {
                translation: Vec3::new(0.0, 0.0, path.at(time(frame))),
                yaw: 0.0,
            })
            .collect();
        let spans = |side: Side| {
            let holds = tracks[side as usize].holds.iter();
            let inside = holds.filter(|hold| hold.land < duration && hold.lift > 0.0);
            inside
                .map(|hold| {
                    let start = (hold.land / duration).clamp(0.0, 0.9999);
                    Span { start, length: ((hold.lift / duration).min(1.0) - start).max(1e-4) }
                })
                .collect()
        };
        Ok(Clip::new(ClipParts {
            kind,
            motion,
            root: RootTrack::new(root),
            contacts: Contacts::two(Side::BOTH.map(spans)),
            looped: false,
        })?)
    }
}

fn sole(human: &Human) -> Sole {
    Sole::new(&human.proportions().foot)
}

/// A smooth rise and fall between two times.
fn bump(time: f32, from: f32, to: f32) -> f32 {
    let at = ((time - from) / (to - from)).clamp(0.0, 1.0);
    16.0 * (at * (1.0 - at)).powi(2)
}

/// How far the abstract root has come: from one speed to another over a given distance.
struct Path {
    speeds: [f32; 2],
    /// When the change begins, and how long it takes.
    change: (f32, f32),
}

impl Path {
    /// From `from` m/s until `begin` to `to` m/s at `end`, over `distance`.
    fn new(begin: f32, end: f32, from: f32, to: f32, distance: f32) -> Self {
        let duration = end - begin;
        // A smooth change in the middle of which half the difference is reached: where the middle
        // is decides the distance.
        let covered = (distance - from * begin - to * duration) / (from - to);
        let middle = covered.clamp(0.2 * duration, 0.8 * duration);
        let width = 2.0 * middle.min(duration - middle);
        Self { speeds: [from, to], change: (begin + middle - 0.5 * width, width) }
    }

    fn at(&self, time: f32) -> f32 {
        let [from, to] = self.speeds;
        let (start, width) = self.change;
        let into = ((time - start) / width).clamp(0.0, 1.0);
        // The integral of a smoothstep.
        let eased = width * (into.powi(3) - 0.5 * into.powi(4));
        let after = (time - start - width).max(0.0);
        from * time + (to - from) * (eased + after)
    }
}
