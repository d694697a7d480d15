//! Motions that may drive people.
//!
//! A [`Clip`] that exists can be used: its frames are relative to the abstract root, its contacts
//! are known, and if it is looped its end leads into its beginning. Clips are made by the gait
//! generator, or from any motion by analysis, which refuses what does not qualify.

use std::sync::Arc;

use glam::Vec3;
use thiserror::Error;

use crate::contact::{Contacts, Side, Span};
use crate::landmark::Landmark;
use crate::mirror::mirror;
use crate::motion::{Motion, MotionError};
use crate::pose::Pose;
use crate::root::{RootMotion, RootTrack, yaw_of};
use crate::skeleton::Skeleton;

/// What people do in a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipKind {
    /// They stay where they are.
    Stand,
    /// They walk, in whatever direction: a foot is always on the ground.
    Walk,
    /// They run: both feet leave the ground.
    Run,
    /// They turn on the spot.
    Turn,
    /// They begin to walk.
    Start,
    /// They come to a stand.
    Stop,
    /// They fall, and lie in the end.
    Fall,
}

impl ClipKind {
    /// How it is called in lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Walk => "walk",
            Self::Run => "run",
            Self::Turn => "turn",
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Fall => "fall",
        }
    }
}

/// What a clip is made of.
#[derive(Clone, Debug)]
pub struct ClipParts {
    /// What people do in it.
    pub kind: ClipKind,
    /// The frames, relative to the abstract root.
    pub motion: Motion,
    /// The way of the abstract root: a sample for each frame and, if the clip is looped, one more.
    pub root: RootTrack,
    /// When which foot is on the ground.
    pub contacts: Contacts,
    /// Whether it begins anew at its end. The frames of a looped clip do not repeat the first one.
    pub looped: bool,
}

/// Why a motion cannot be a clip.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ClipError {
    #[error("clip \"{name}\" has {frames} frames; it takes at least {least}")]
    TooShort { name: String, frames: usize, least: usize },
    #[error(
        "clip \"{name}\" has a skeleton without {landmark}; say in a mapping which joint it is"
    )]
    NoLandmark { name: String, landmark: &'static str },
    #[error("clip \"{name}\" has {samples} root samples for {frames} frames")]
    RootSamples { name: String, samples: usize, frames: usize },
    #[error("clip \"{name}\" has a root track that is not finite")]
    RootNotFinite { name: String },
    #[error(
        "clip \"{name}\" does not end where it begins: joint \"{joint}\" jumps by {degrees:.1}°"
    )]
    NotCyclic { name: String, joint: String, degrees: f32 },
    #[error("clip \"{name}\" never has a foot on the ground")]
    NoContacts { name: String },
    #[error("clip \"{name}\" has a contact outside its cycle")]
    BadContact { name: String },
    #[error(transparent)]
    Motion(#[from] MotionError),
}

/// A motion about the abstract root with known contacts.
#[derive(Clone, Debug)]
pub struct Clip {
    parts: ClipParts,
}

/// A looped clip may jump this much at its seam beyond its own fastest movement.
const SEAM: f32 = 0.035;

impl Clip {
    /// A clip of these parts.
    ///
    /// # Errors
    ///
    /// If they do not make a clip that can be played.
    pub fn new(parts: ClipParts) -> Result<Self, ClipError> {
        check(&parts)?;
        Ok(Self { parts })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.parts.motion.name()
    }

    /// What people do in it.
    pub fn kind(&self) -> ClipKind {
        self.parts.kind
    }

    /// Its skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.parts.motion.skeleton()
    }

    /// Its frames, relative to the abstract root.
    pub fn motion(&self) -> &Motion {
        &self.parts.motion
    }

    /// The way of its abstract root.
    pub fn root(&self) -> &RootTrack {
        &self.parts.root
    }

    /// When which foot is on the ground.
    pub fn contacts(&self) -> &Contacts {
        &self.parts.contacts
    }

    /// Whether its end leads into its beginning.
    pub fn is_looped(&self) -> bool {
        self.parts.looped
    }

    /// How long it takes at its own speed, in seconds: a cycle if it is looped.
    pub fn period(&self) -> f32 {
        self.steps() / self.motion().rate()
    }

    /// How far the abstract root gets in one pass.
    pub fn travel(&self) -> RootMotion {
        self.parts.root.total()
    }

    /// Mean velocity of the abstract root in body space at the beginning, in metres per second.
    pub fn velocity(&self) -> Vec3 {
        // Along the arc, not along its chord.
        let total = self.travel();
        let half = 0.5 * total.yaw;
        let stretch = if half.abs() < 1e-4 { 1.0 } else { half / half.sin() };
        let chord = total.translation * stretch / self.period();
        glam::Quat::from_rotation_y(-half) * chord
    }

    /// Mean speed, in metres per second.
    pub fn speed(&self) -> f32 {
        self.velocity().length()
    }

    /// The angle from where the body faces to where it goes, positive to the left (`α`).
    pub fn travel_angle(&self) -> f32 {
        if self.speed() < 1e-4 { 0.0 } else { yaw_of(self.velocity()) }
    }

    /// The pose at `phase`: whole numbers are beginnings, and looped clips go on beyond them.
    /// It is relative to the abstract root.
    pub fn sample(&self, phase: f32, pose: &mut Pose) {
        if self.parts.looped {
            let (frame, next, part) = around(phase, self.motion().frames());
            self.motion().sample_between(frame, next, part, pose);
        } else {
            self.motion().sample(phase.clamp(0.0, 1.0) * self.motion().duration(), pose);
        }
    }

    /// Where the abstract root is at `phase`, seen from where it was at phase 0.
    pub fn root_at(&self, phase: f32) -> RootMotion {
        if !self.parts.looped {
            return self.parts.root.at(phase.clamp(0.0, 1.0) * self.steps());
        }
        let cycles = phase.floor();
        let within = self.parts.root.at((phase - cycles) * self.steps());
        let cycle = if cycles < 0.0 { self.travel().inverse() } else { self.travel() };
        cycle.times(cycles.abs() as u32).then(within)
    }

    /// The clip with left and right exchanged. It begins at a left strike again.
    pub fn mirrored(&self) -> Self {
        let frames = self.motion().frames();
        let strike = self.parts.contacts.right.iter().find(|span| span.length < 1.0);
        let shift = match strike {
            Some(span) if self.parts.looped => {
                (span.start * frames as f32).round() as usize % frames
            }
            _ => 0,
        };
        let poses: Vec<Pose> = (0..frames)
            .map(|frame| mirror(self.skeleton(), &self.motion().pose((frame + shift) % frames)))
            .collect();
        let name = format!("{} mirrored", self.name());
        let motion =
            Motion::from_poses(name, self.skeleton().clone(), self.motion().rate(), &poses);
        let samples = (0..self.parts.root.samples().len())
            .map(|sample| self.root_at_sample(sample + shift).mirrored())
            .collect();
        Self {
            parts: ClipParts {
                kind: self.parts.kind,
                motion: motion.expect("mirrored frames are frames"),
                root: RootTrack::new(samples),
                contacts: self.parts.contacts.mirrored(-(shift as f32) / frames as f32),
                looped: self.parts.looped,
            },
        }
    }

    /// The clip with time running backwards, which leads the opposite way. It begins at a left strike
    /// again: where the left foot left the ground before.
    pub fn reversed(&self) -> Self {
        let frames = self.motion().frames();
        let lift = self.parts.contacts.left.iter().find(|span| span.length < 1.0);
        // The first frame in which the foot stands, seen from behind.
        let last = match lift {
            Some(span) if self.parts.looped => {
                let end = (span.start + span.length) * frames as f32;
                (end.ceil() as usize + frames - 1) % frames
            }
            _ => frames - 1,
        };
        let poses: Vec<Pose> =
            (0..frames).map(|frame| self.motion().pose((last + frames - frame) % frames)).collect();
        let name = format!("{} reversed", self.name());
        let motion =
            Motion::from_poses(name, self.skeleton().clone(), self.motion().rate(), &poses);
        let samples = self.parts.root.samples().len();
        let shift = if self.parts.looped { last } else { 0 };
        let root =
            (0..samples).map(|sample| self.root_at_sample(shift + samples - 1 - sample)).collect();
        // What ended at a phase now begins there.
        let begin = last as f32 / frames as f32;
        let turned = |spans: &[Span]| {
            let mut turned: Vec<Span> = spans
                .iter()
                .map(|span| {
                    let start = (begin - span.start - span.length).rem_euclid(1.0);
                    // A float just below a whole number is the beginning.
                    Span { start: if start >= 1.0 { 0.0 } else { start }, ..*span }
                })
                .collect();
            turned.sort_by(|a, b| a.start.total_cmp(&b.start));
            turned
        };
        let contacts = &self.parts.contacts;
        Self {
            parts: ClipParts {
                kind: self.parts.kind,
                motion: motion.expect("reversed frames are frames"),
                root: RootTrack::new(root),
                contacts: Contacts {
                    left: turned(&contacts.left),
                    right: turned(&contacts.right),
                    fore: [turned(&contacts.fore[0]), turned(&contacts.fore[1])],
                },
                looped: self.parts.looped,
            },
        }
    }

    /// The steps from the first sample of the root to the last.
    fn steps(&self) -> f32 {
        (self.parts.root.samples().len() - 1).max(1) as f32
    }

    fn root_at_sample(&self, sample: usize) -> RootMotion {
        let frames = self.motion().frames();
        if !self.parts.looped || sample < frames {
            return self.parts.root.samples()[sample];
        }
        let cycles = self.travel().times((sample / frames) as u32);
        cycles.then(self.parts.root.samples()[sample % frames])
    }
}

/// The samples of a cycle of `count` before and after `phase`, and how far it is between them.
/// Phases that are no numbers are the beginning.
pub(crate) fn around(phase: f32, count: usize) -> (usize, usize, f32) {
    let within = phase - phase.floor();
    let at = if within.is_finite() { within * count as f32 } else { 0.0 };
    let index = (at as usize).min(count - 1);
    (index, if index + 1 == count { 0 } else { index + 1 }, at - index as f32)
}

fn check(parts: &ClipParts) -> Result<(), ClipError> {
    let name = || parts.motion.name().to_owned();
    let frames = parts.motion.frames();
    let least = if parts.looped { 4 } else { 2 };
    if frames < least {
        return Err(ClipError::TooShort { name: name(), frames, least });
    }
    let needed = Side::BOTH.into_iter().flat_map(|side| {
        [Landmark::upper_leg(side), Landmark::lower_leg(side), Landmark::foot(side)]
    });
    for landmark in needed.chain([Landmark::Hips]) {
        if parts.motion.skeleton().landmark(landmark).is_none() {
            return Err(ClipError::NoLandmark { name: name(), landmark: landmark.name() });
        }
    }
    let samples = parts.root.samples().len();
    if samples != frames + usize::from(parts.looped) {
        return Err(ClipError::RootSamples { name: name(), samples, frames });
    }
    if !parts.root.samples().iter().all(|sample| sample.is_finite()) {
        return Err(ClipError::RootNotFinite { name: name() });
    }
    let mut spans = parts.contacts.spans().peekable();
    if spans.peek().is_none() {
        return Err(ClipError::NoContacts { name: name() });
    }
    let inside =
        |span: &Span| (0.0..1.0).contains(&span.start) && span.length > 0.0 && span.length <= 1.0;
    if !spans.all(inside) {
        return Err(ClipError::BadContact { name: name() });
    }
    if parts.looped { check_seam(&parts.motion) } else { Ok(()) }
}

/// A looped clip must go on from its last frame to its first no faster than it moves elsewhere.
fn check_seam(motion: &Motion) -> Result<(), ClipError> {
    let frames = motion.frames();
    let jump = |joint: usize, frame: usize| {
        let next = (frame + 1) % frames;
        motion.rotations(frame)[joint].angle_between(motion.rotations(next)[joint])
    };
    for (index, joint) in motion.skeleton().joints().iter().enumerate() {
        let usual = (0..frames - 1).map(|frame| jump(index, frame)).fold(0.0, f32::max);
        let seam = jump(index, frames - 1);
        if seam > 1.5 * usual + SEAM {
            let (name, joint) = (motion.name().to_owned(), joint.name.clone());
            return Err(ClipError::NotCyclic { name, joint, degrees: seam.to_degrees() });
        }
    }
    Ok(())
}
