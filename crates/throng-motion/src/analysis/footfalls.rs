//! When feet are on the ground.
//!
//! A foot touches the ground while one of the points of its sole, heel, ball or tip of the toes, is
//! low and slow: what is half as low as allowed may not be quite as fast. How low and how slow is
//! relative to the body's size, and leaving takes a larger excess than touching, so that noise makes
//! no steps. Contacts and gaps too short for a person are taken for noise as well.
//!
//! In clips that walk in place the ground moves like a treadmill's belt; its velocity is that of
//! the feet that stand on it.

use glam::Vec3;

use crate::contact::Side;

use super::Options;
use super::body::{Body, BodyFrame, Foot, quantile};

/// A foot on the ground, from `start` to `end` in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// When it begins.
    pub start: f32,
    /// When it ends.
    pub end: f32,
    /// Whether the foot comes down at `start`: a strike, and not just the motion's beginning.
    pub struck: bool,
    /// Whether the foot is lifted at `end`, which is not just the motion's end.
    pub lifted: bool,
}

/// When which foot is on the ground in a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Footfalls {
    /// Of the left foot, by time.
    pub left: Vec<Stance>,
    /// Of the right foot, by time.
    pub right: Vec<Stance>,
    /// Height of the ground, in metres.
    pub ground: f32,
    /// Velocity of the ground if the motion walks in place, in metres per second; otherwise zero.
    pub belt: Vec3,
}

impl Footfalls {
    /// The stances of a foot.
    pub fn of(&self, side: Side) -> &[Stance] {
        side.choose(&self.left, &self.right)
    }

    /// When the foot of `side` comes down.
    pub fn strikes(&self, side: Side) -> impl Iterator<Item = f32> + '_ {
        self.of(side).iter().filter(|stance| stance.struck).map(|stance| stance.start)
    }

    /// Whether neither foot is on the ground at `time`.
    pub fn is_flight(&self, time: f32) -> bool {
        let touches = |stances: &[Stance]| {
            stances.iter().any(|stance| (stance.start..stance.end).contains(&time))
        };
        !touches(&self.left) && !touches(&self.right)
    }

    /// The middles and lengths of all strides, from a strike to the next one of the same foot.
    pub fn strides(&self) -> Vec<(f32, f32)> {
        let mut strides: Vec<(f32, f32)> = Side::BOTH
            .into_iter()
            .flat_map(|side| {
                let strikes: Vec<f32> = self.strikes(side).collect();
                let pair = |pair: &[f32]| (0.5 * (pair[0] + pair[1]), pair[1] - pair[0]);
                strikes.windows(2).map(pair).collect::<Vec<_>>()
            })
            .collect();
        strides.sort_by(|a, b| a.0.total_cmp(&b.0));
        strides
    }
}

impl Body {
    /// When which foot is on the ground, which may be moving.
    pub(crate) fn footfalls(&self, options: &Options) -> Footfalls {
        let ground = options.ground.unwrap_or_else(|| self.ground());
        let belt = self.belt(ground, options);
        let stances = |side: Side| {
            let looseness = self.looseness(side, ground, belt, options);
            self.stances(&looseness, options)
        };
        Footfalls { left: stances(Side::Left), right: stances(Side::Right), ground, belt }
    }

    /// How far a foot is from touching the ground in each frame: at most 1 if it touches.
    fn looseness(&self, side: Side, ground: f32, belt: Vec3, options: &Options) -> Vec<f32> {
        let height = options.contact_height * self.build.leg_length;
        let travel = (self.drift() - belt).length();
        let speed = (options.contact_speed * self.build.speed_unit())
            .max(options.contact_speed_share * travel);
        (0..self.frames.len())
            .map(|frame| {
                let foot = |frame: &BodyFrame| frame.feet[side as usize].points();
                let points = foot(&self.frames[frame]);
                let velocities = self.velocities(frame, foot);
                let point = |(point, velocity): (Vec3, Vec3)| {
                    let low = (point.y - ground) / height;
                    low.max(0.0).hypot((velocity - belt).length() / speed)
                };
                points.into_iter().zip(velocities).map(point).fold(f32::INFINITY, f32::min)
            })
            .collect()
    }

    /// How fast points of the body move at a frame.
    pub(super) fn velocities<const N: usize>(
        &self,
        frame: usize,
        points: impl Fn(&BodyFrame) -> [Vec3; N],
    ) -> [Vec3; N] {
        let last = self.frames.len() - 1;
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
        if before == after {
            return [Vec3::ZERO; N];
        }
        let time = (after - before) as f32 / self.rate;
        let (from, to) = (points(&self.frames[before]), points(&self.frames[after]));
        std::array::from_fn(|index| (to[index] - from[index]) / time)
    }

    fn stances(&self, looseness: &[f32], options: &Options) -> Vec<Stance> {
        let mut runs = touching_runs(looseness, options.contact_hysteresis);
        let frames = |time_units: f32| time_units * self.build.time_unit() * self.rate;
        let (gap, blip) = (frames(options.shortest_swing), frames(options.shortest_stance));
        runs.dedup_by(|next, run| {
            let is_noise = next.0 - run.1 < gap;
            if is_noise {
                run.1 = next.1;
            }
            is_noise
        });
        let last = looseness.len().saturating_sub(1) as f32;
        runs.into_iter()
            // What is cut off by an end of the motion may be longer than it looks.
            .filter(|(start, end)| *start <= 0.0 || *end >= last || end - start >= blip)
            .map(|(start, end)| Stance {
                start: start / self.rate,
                end: end / self.rate,
                // Nobody has seen what was before the first frames, which are often odd.
                struck: start >= gap,
                lifted: end <= last - gap,
            })
            .collect()
    }

    /// How fast the ground runs if the body stays where it is while its feet go back.
    fn belt(&self, ground: f32, options: &Options) -> Vec3 {
        let low = ground + 0.5 * options.contact_height * self.build.leg_length;
        let mut speeds: [Vec<f32>; 2] = Default::default();
        for frame in 0..self.frames.len() {
            let feet = |frame: &BodyFrame| {
                let [left, right] = &frame.feet;
                [left.heel, left.ball, right.heel, right.ball]
            };
            let points = feet(&self.frames[frame]);
            let velocities = self.velocities(frame, feet);
            let lowest = (0..points.len()).min_by(|&a, &b| points[a].y.total_cmp(&points[b].y));
            if let Some(lowest) = lowest.filter(|&lowest| points[lowest].y < low) {
                speeds[0].push(velocities[lowest].x);
                speeds[1].push(velocities[lowest].z);
            }
        }
        let [x, z] = speeds.map(|mut speeds| quantile(&mut speeds, 0.5).unwrap_or(0.0));
        let belt = Vec3::new(x, 0.0, z);
        let drift = self.drift();
        let is_in_place = belt.length() > options.in_place_speed * self.build.speed_unit()
            && drift.length() < 0.3 * belt.length();
        if is_in_place { belt } else { Vec3::ZERO }
    }

    /// How often both feet leave the ground at once, whoever it may be.
    pub(super) fn flights(&self, ground: f32) -> usize {
        /// A foot whose lowest point is higher is in the air, in leg lengths: 14 mm for an adult. A
        /// shorter flight is noise, in units of time.
        const AIRBORNE: f32 = 0.015;
        const SHORTEST: f32 = 0.15;
        let high = ground + AIRBORNE * self.build.leg_length;
        let in_air = |frame: &BodyFrame| {
            frame.feet.iter().flat_map(Foot::points).all(|point| point.y > high)
        };
        let shortest = (SHORTEST * self.build.time_unit() * self.rate).max(1.0);
        let runs = self.frames.chunk_by(|a, b| in_air(a) == in_air(b));
        runs.filter(|run| in_air(&run[0]) && run.len() as f32 >= shortest).count()
    }

    /// How fast the body gets on from the first frame to the last.
    pub(crate) fn drift(&self) -> Vec3 {
        let (Some(first), Some(last)) = (self.frames.first(), self.frames.last()) else {
            return Vec3::ZERO;
        };
        let way = last.middle - first.middle;
        let time = (self.frames.len() - 1).max(1) as f32 / self.rate;
        Vec3::new(way.x, 0.0, way.z) / time
    }
}

/// Where `looseness` stays at 1 or below, in frames and parts of frames. What rises above 1 but not
/// above `hysteresis` before it falls again does not interrupt. Feet roll off slowly, so a contact
/// ends half-way between the moments at which both are exceeded.
fn touching_runs(looseness: &[f32], hysteresis: f32) -> Vec<(f32, f32)> {
    let crossing = |frame: usize, limit: f32| {
        let (a, b) = (looseness[frame], looseness[frame + 1]);
        let part = if (b - a).abs() < 1e-9 { 0.5 } else { (limit - a) / (b - a) };
        frame as f32 + part.clamp(0.0, 1.0)
    };
    let mut runs: Vec<(f32, f32)> = Vec::new();
    let mut begun: Option<f32> = None;
    let mut last_touch = 0;
    for (frame, &loose) in looseness.iter().enumerate() {
        if loose <= 1.0 {
            if begun.is_none() {
                begun = Some(if frame == 0 { 0.0 } else { crossing(frame - 1, 1.0) });
            }
            last_touch = frame;
        } else if loose > hysteresis
            && let Some(start) = begun.take()
        {
            let ends = [crossing(last_touch, 1.0), crossing(frame - 1, hysteresis)];
            runs.push((start, 0.5 * (ends[0] + ends[1])));
        }
    }
    if let Some(start) = begun {
        runs.push((start, looseness.len() as f32 - 1.0));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_excesses_do_not_interrupt_a_contact() {
        let runs = touching_runs(&[3.0, 1.0, 0.5, 1.2, 0.5, 2.0, 3.0, 0.5, 0.2], 1.5);
        assert_eq!(runs.len(), 2, "{runs:?}");
        assert_eq!(runs[0].0, 1.0);
        assert!((runs[0].1 - (4.0 + 0.75 / 1.5)).abs() < 1e-6, "{runs:?}");
        assert!((runs[1].0 - (6.0 + 2.0 / 2.5)).abs() < 1e-6);
        assert_eq!(runs[1].1, 8.0);
        assert!(touching_runs(&[2.0; 4], 1.5).is_empty());
        assert_eq!(touching_runs(&[0.0; 4], 1.5), [(0.0, 3.0)]);
        assert!(touching_runs(&[], 1.5).is_empty());
    }
}
