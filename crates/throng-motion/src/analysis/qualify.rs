//! Making a clip of a motion, or saying why it cannot be one.

use glam::{Vec3, Vec3A};
use throng_base::frame::wrap_angle;

use crate::clip::{Clip, ClipKind, ClipParts};
use crate::contact::{Contacts, Side, Span};
use crate::motion::Motion;
use crate::pose::Pose;
use crate::root::{RootMotion, RootTrack, yaw_of};

use super::abstraction::Abstraction;
use super::body::Body;
use super::cycle::{Cut, Cycle, Seam, cut, cycles, steadiest};
use super::floor::levelled;
use super::footfalls::{Footfalls, Stance};
use super::looping::{Loop, TIMES};
use super::track::Track;
use super::{Options, Refusal};

/// A clip made of a motion, and how it came about.
#[derive(Clone, Debug)]
pub struct Qualified {
    /// The clip.
    pub clip: Clip,
    /// When the cycle begins in the motion that the clip was cut from, in seconds; in one that loops, in
    /// whichever pass.
    pub start: f32,
    /// When the left foot strikes in that cycle, in seconds: phase 0 of the clip.
    pub left_strike: f32,
    /// How many cycles it was chosen from; none if nobody steps in it.
    pub cycles: usize,
    /// How much the cycle's end differed from its beginning.
    pub seam: Seam,
    /// Whether it walks in place in the motion, so that its travel was found from the feet.
    pub in_place: bool,
    /// How much the floor of the motion was tilted before it was levelled, in metres up for each metre
    /// ahead; 0 if it was left as it is.
    pub floor_tilt: f32,
    /// How the sway was taken out of its path.
    pub technique: Abstraction,
}

/// Makes a clip of the steadiest cycle of `motion`, or of all of it if nobody steps in it.
///
/// The clip begins at a strike of the left foot, goes about the abstract root with the ground at
/// height 0, and knows its contacts.
///
/// # Errors
///
/// If no part of the motion can be a clip: the reason why.
pub fn qualify(motion: &Motion, options: &Options) -> Result<Qualified, Refusal> {
    let body = Body::of(motion)?;
    let tilted = if options.ground.is_none() { levelled(motion, &body, options)? } else { None };
    match tilted {
        Some((level, floor_tilt)) => {
            let qualified = qualify_level(&level, Body::of(&level)?, options)?;
            Ok(Qualified { floor_tilt, ..qualified })
        }
        None => qualify_level(motion, body, options),
    }
}

/// The same for a motion whose floor is level.
fn qualify_level(motion: &Motion, body: Body, options: &Options) -> Result<Qualified, Refusal> {
    let least = options.shortest_cycle * body.build.time_unit();
    // A loop may leave out the frame that repeats its first.
    let seconds = motion.frames() as f32 / motion.rate();
    if motion.frames() < 2 || seconds < least {
        let leg = body.build.leg_length;
        return Err(Refusal::TooShort { seconds: motion.duration(), least, leg });
    }
    let footfalls = body.footfalls(options);
    if footfalls.left.is_empty() && footfalls.right.is_empty() {
        return Err(Refusal::NoContacts { ground: footfalls.ground });
    }
    let in_place = footfalls.belt != Vec3::ZERO;
    let flights = body.flights(footfalls.ground);
    // Nobody runs that slowly.
    let nowhere = 3.0 * options.still_speed * body.build.speed_unit();
    if flights > 0 && !in_place && body.drift().length() < nowhere {
        return Err(Refusal::Hops { flights });
    }
    let steps = Side::BOTH.map(|side| footfalls.of(side).iter().any(|s| s.struck || s.lifted));
    if steps == [false, false] {
        return stand(motion, &body, &footfalls);
    }
    let travelling = if in_place { Some(travelling(motion, footfalls.belt)?) } else { None };
    let motion = travelling.as_ref().unwrap_or(motion);
    let whole = if in_place { Body::of(motion)? } else { body };
    if let Some(found) = Loop::of(motion, &whole, options.largest_seam) {
        let repeated = found.repeated(motion)?;
        let pass = found.frames as f32 / motion.rate();
        let within = pass..=(TIMES - 1) as f32 * pass + 0.5 / motion.rate();
        let body = Body::of(&repeated)?;
        let qualified = gait(&repeated, &body, options, |cycle| {
            within.contains(&cycle.start) && within.contains(&cycle.end)
        });
        match qualified {
            Ok(qualified) => {
                let [start, left_strike] =
                    [qualified.start, qualified.left_strike].map(|time| time.rem_euclid(pass));
                let angle = qualified.seam.angle.max(found.gap);
                let seam = Seam { angle, ..qualified.seam };
                return Ok(Qualified { start, left_strike, seam, in_place, ..qualified });
            }
            // What is wrong with the loop is said, and not that one pass alone has no cycle.
            Err(refusal) => {
                let alone = gait(motion, &whole, options, |_| true);
                return alone.map(|made| Qualified { in_place, ..made }).map_err(|_| refusal);
            }
        }
    }
    let qualified = gait(motion, &whole, options, |_| true)?;
    Ok(Qualified { in_place, ..qualified })
}

/// A cyclic clip of the steadiest of those cycles that are wanted.
fn gait(
    motion: &Motion,
    body: &Body,
    options: &Options,
    is_wanted: impl Fn(&Cycle) -> bool,
) -> Result<Qualified, Refusal> {
    let footfalls = body.footfalls(options);
    let all = cycles(&footfalls, body.build.time_unit(), options)?;
    let wanted: Vec<Cycle> = all.into_iter().filter(is_wanted).collect();
    let track = Track::of(body, &footfalls, options)?;
    let cycle = steadiest(motion, &track, &wanted).ok_or(Refusal::NoCycle {
        left: footfalls.strikes(Side::Left).count(),
        right: footfalls.strikes(Side::Right).count(),
    })?;
    check_steady(&track, &cycle, body, options)?;

    let rate = options.rate.filter(|rate| rate.is_finite() && *rate > 0.0);
    let frames = (cycle.period() * rate.unwrap_or(motion.rate())).round().max(4.0) as usize;
    let Cut { poses, root, seam, worst_joint } = cut(motion, &track, &cycle, frames);
    if seam.angle > options.largest_seam {
        return Err(Refusal::NotCyclic {
            joint: motion.skeleton().joints()[worst_joint].name.clone(),
            degrees: seam.angle.to_degrees(),
            limit: options.largest_seam.to_degrees(),
        });
    }
    let root = RootTrack::new(root);
    let contacts = contacts(&footfalls, &cycle);
    let clip = Clip::new(ClipParts {
        kind: kind(&contacts, root.total(), cycle.period(), body, options),
        motion: grounded(motion, &poses, frames as f32 / cycle.period(), footfalls.ground)?,
        root,
        contacts,
        looped: true,
    })?;
    check_alignment(&clip, options)?;
    Ok(Qualified {
        clip,
        start: cycle.start,
        left_strike: cycle.left_strike,
        cycles: wanted.len(),
        seam,
        in_place: false,
        floor_tilt: 0.0,
        technique: track.technique,
    })
}

/// A clip of somebody who does not step.
fn stand(motion: &Motion, body: &Body, footfalls: &Footfalls) -> Result<Qualified, Refusal> {
    let drift = body.drift() * motion.duration();
    let limit = 0.35 * body.build.leg_length;
    if drift.length() > limit {
        return Err(Refusal::SlidesStanding { metres: drift.length() });
    }
    let count = body.frames.len() as f32;
    let middle = body.frames.iter().map(|frame| frame.middle).sum::<Vec3>() / count;
    let facing = body.frames.iter().map(|frame| frame.facing).sum::<f32>() / count;
    let root = RootMotion { translation: Vec3::new(middle.x, 0.0, middle.z), yaw: facing };
    let looped = Loop::of(motion, body, 0.0);
    let frames = looped.map_or(motion.frames(), |found| found.frames);
    let poses: Vec<Pose> = (0..frames)
        .map(|frame| {
            let mut pose = motion.pose(frame);
            pose.place(root.inverse().placement());
            pose
        })
        .collect();
    let whole = vec![Span { start: 0.0, length: 1.0 }];
    let of = |stances: &[Stance]| if stances.is_empty() { Vec::new() } else { whole.clone() };
    let clip = Clip::new(ClipParts {
        kind: ClipKind::Stand,
        motion: grounded(motion, &poses, motion.rate(), footfalls.ground)?,
        root: RootTrack::still(frames + usize::from(looped.is_some())),
        contacts: Contacts::two([of(&footfalls.left), of(&footfalls.right)]),
        looped: looped.is_some(),
    })?;
    Ok(Qualified {
        clip,
        start: 0.0,
        left_strike: 0.0,
        cycles: 0,
        seam: Seam::default(),
        in_place: false,
        floor_tilt: 0.0,
        technique: Abstraction::Pelvis,
    })
}

/// The motion as it would be if the ground did not move under it.
fn travelling(motion: &Motion, belt: Vec3) -> Result<Motion, Refusal> {
    let roots = motion.roots().iter().enumerate();
    let roots =
        roots.map(|(frame, root)| *root - Vec3A::from(belt) * (frame as f32 / motion.rate()));
    let rotations = (0..motion.frames()).flat_map(|frame| motion.rotations(frame).iter().copied());
    let (name, skeleton) = (motion.name(), motion.skeleton().clone());
    Ok(Motion::new(name, skeleton, motion.rate(), roots.collect(), rotations.collect())?)
}

/// `poses` as a motion whose ground is at height 0.
fn grounded(motion: &Motion, poses: &[Pose], rate: f32, ground: f32) -> Result<Motion, Refusal> {
    let lowered = |pose: &Pose| Pose { root: pose.root - Vec3A::Y * ground, ..pose.clone() };
    let poses: Vec<Pose> = poses.iter().map(lowered).collect();
    Ok(Motion::from_poses(motion.name(), motion.skeleton().clone(), rate, &poses)?)
}

/// Contacts by phase: those that begin within the cycle.
fn contacts(footfalls: &Footfalls, cycle: &Cycle) -> Contacts {
    let of = |side: Side| {
        let stances = footfalls.of(side);
        let mut spans: Vec<Span> = Vec::new();
        for (index, stance) in stances.iter().enumerate() {
            // The end of a cycle is the beginning of the next.
            let begins = stance.struck
                && stance.start >= cycle.start - 1e-4
                && stance.start < cycle.end - 1e-3 * cycle.period();
            if !begins {
                continue;
            }
            let before = index.checked_sub(1).map(|before| stances[before]);
            let usual = before.filter(|s| s.struck).map_or(0.0, |s| s.end - s.start);
            let seen = stance.end - stance.start;
            let length = if stance.lifted { seen } else { seen.max(usual) };
            let start = ((stance.start - cycle.left_strike) / cycle.period()).rem_euclid(1.0);
            let span = Span::between(start, start + length / cycle.period());
            if span.length > 0.0 && span.start < 1.0 {
                spans.push(span);
            }
        }
        spans.sort_by(|a, b| a.start.total_cmp(&b.start));
        spans
    };
    Contacts::two(Side::BOTH.map(of))
}

fn kind(
    contacts: &Contacts,
    travel: RootMotion,
    period: f32,
    body: &Body,
    options: &Options,
) -> ClipKind {
    /// A body that turns further in a cycle turns, in radians.
    const TURNS: f32 = 0.35;
    let speed = travel.translation.length() / period;
    if speed < options.still_speed * body.build.speed_unit() {
        return if travel.yaw.abs() > TURNS { ClipKind::Turn } else { ClipKind::Stand };
    }
    let duty = 0.5 * (contacts.duty(Side::Left) + contacts.duty(Side::Right));
    if duty < 0.5 { ClipKind::Run } else { ClipKind::Walk }
}

/// Speed and direction must be nearly the same all through a cycle.
fn check_steady(
    track: &Track,
    cycle: &Cycle,
    body: &Body,
    options: &Options,
) -> Result<(), Refusal> {
    const SAMPLES: usize = 24;
    let time = |sample: usize| cycle.start + cycle.period() * sample as f32 / SAMPLES as f32;
    let velocities: Vec<Vec3> = (0..=SAMPLES).map(|sample| track.velocity(time(sample))).collect();
    let count = velocities.len() as f32;
    let mean = velocities.iter().copied().sum::<Vec3>() / count;
    let speed = velocities.iter().map(|velocity| velocity.length()).sum::<f32>() / count;
    // Whoever hardly moves has no steady direction.
    if speed < 2.0 * options.still_speed * body.build.speed_unit() {
        return Ok(());
    }
    let off = |velocity: &Vec3| (velocity.length() - speed).abs() / speed;
    let varied = velocities.iter().map(off).fold(0.0, f32::max);
    if varied > options.speed_variation {
        let limit = 100.0 * options.speed_variation;
        return Err(Refusal::UnsteadySpeed { percent: 100.0 * varied, limit });
    }
    let off = |velocity: &Vec3| wrap_angle(yaw_of(*velocity) - yaw_of(mean)).abs();
    let turned = velocities.iter().map(off).fold(0.0, f32::max);
    if turned > options.angle_variation {
        let limit = options.angle_variation.to_degrees();
        return Err(Refusal::UnsteadyDirection { degrees: turned.to_degrees(), limit });
    }
    Ok(())
}

/// Whether a looped clip of walking or running has its strikes where others have them: clips are
/// blended by phase, so that their feet must come down together.
///
/// # Errors
///
/// If a strike is further off than `options` allow.
pub fn check_alignment(clip: &Clip, options: &Options) -> Result<(), Refusal> {
    if !clip.is_looped() || !matches!(clip.kind(), ClipKind::Walk | ClipKind::Run) {
        return Ok(());
    }
    let sideways = clip.travel_angle().sin().abs() > 0.5;
    let limit = options.misalignment * if sideways { 2.0 } else { 1.0 };
    for (side, expected) in [(Side::Left, 0.0), (Side::Right, 0.5)] {
        let off = |span: &Span| {
            let off = (span.start - expected).rem_euclid(1.0);
            off.min(1.0 - off)
        };
        let spans = clip.contacts().of(side).iter();
        let nearest = spans.min_by(|a, b| off(a).total_cmp(&off(b)));
        match nearest {
            Some(span) if off(span) > limit => {
                return Err(Refusal::Misaligned { side, phase: span.start, expected, limit });
            }
            _ => {}
        }
    }
    Ok(())
}
