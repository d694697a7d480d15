//! What clips there are: Throng's own, and those that can be made of the motions in files.

mod read;
mod write;

use std::path::PathBuf;

use glam::Vec3;

use crate::analysis::{
    ClipFacts, GaitMeasures, Options, Qualified, Refusal, Seam, check_alignment, qualify,
};
use crate::clip::Clip;
use crate::contact::Paw;
use crate::files::Warnings;
use crate::gait::{GaitError, Library, Style};
use crate::human::Human;
use crate::motion::{Motion, MotionError};
use crate::pose::{ModelPose, Pose};
use crate::quadruped::{self, Quadruped};
use crate::retarget::{RetargetError, RetargetOptions, RetargetReport, retarget};
use crate::skeleton::JointId;

pub use read::{MotionFileError, read_file};
pub use write::{ConvertError, MotionFormat, convert};

/// A motion, and what analysis has to say about it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The file it is from; none for Throng's own clips.
    pub file: Option<PathBuf>,
    /// All of it, over the ground.
    pub motion: Motion,
    /// Where bones without a joint at their end do end, as the file says: see
    /// [`Import::tips`](crate::files::bvh::Import::tips).
    pub tips: Vec<(JointId, Vec3)>,
    /// The clip, or why it cannot be one.
    pub clip: Result<Clip, Refusal>,
    /// How the clip was cut out of the motion; nothing for Throng's own.
    pub origin: Option<Origin>,
    /// The clip in a few numbers.
    pub facts: Option<ClipFacts>,
    /// The clip's gait beside people's, if it is one.
    pub measures: Option<GaitMeasures>,
    /// How well it was carried over from another body, if it was.
    pub carried: Option<RetargetReport>,
}

/// How a clip was cut out of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// When the cycle begins in the motion that it was cut from, in seconds.
    pub start: f32,
    /// When the left foot strikes in that cycle, in seconds: phase 0 of the clip.
    pub left_strike: f32,
    /// How many cycles there were to choose from.
    pub cycles: usize,
    /// How much its end differed from its beginning.
    pub seam: Seam,
    /// Whether it walks in place there.
    pub in_place: bool,
    /// How much the floor was tilted there before it was levelled, in metres up for each metre ahead.
    pub floor_tilt: f32,
}

/// The motions of a file, and what was odd in it.
#[derive(Clone, Debug)]
pub struct FileEntries {
    /// Its motions.
    pub entries: Vec<Entry>,
    /// What the reader had to assume.
    pub warnings: Warnings,
}

impl Entry {
    /// Its name.
    pub fn name(&self) -> &str {
        self.motion.name()
    }

    /// A motion of a file.
    pub fn of_motion(file: Option<PathBuf>, motion: Motion, options: &Options) -> Self {
        match qualify(&motion, options) {
            Ok(made) => {
                let Qualified {
                    clip, start, left_strike, cycles, seam, in_place, floor_tilt, ..
                } = made;
                let origin =
                    Some(Origin { start, left_strike, cycles, seam, in_place, floor_tilt });
                Self { file, origin, ..Self::new(motion, Ok(clip)) }
            }
            Err(refusal) => Self { file, ..Self::new(motion, Err(refusal)) },
        }
    }

    /// A clip that exists already, which may still not fit others.
    ///
    /// # Errors
    ///
    /// If its frames cannot be played over the ground.
    pub fn of_clip(clip: Clip, options: &Options) -> Result<Self, MotionError> {
        let motion = played(&clip)?;
        let clip = check_alignment(&clip, options).map(|()| clip);
        Ok(Self::new(motion, clip))
    }

    /// The same motion on the body of `human`, analysed anew.
    ///
    /// # Errors
    ///
    /// If the motion's body has no hips.
    pub fn carried_over(&self, human: &Human, options: &Options) -> Result<Self, RetargetError> {
        let carried = retarget(&self.motion, human.skeleton(), RetargetOptions::default())?;
        let entry = Self::of_motion(self.file.clone(), carried.motion, options);
        Ok(Self { carried: Some(carried.report), ..entry })
    }

    fn new(motion: Motion, clip: Result<Clip, Refusal>) -> Self {
        // A clip has the landmarks that facts and measures need.
        let facts = clip.as_ref().ok().and_then(|clip| ClipFacts::of(clip).ok());
        let measures = clip.as_ref().ok().and_then(|clip| GaitMeasures::of(clip).ok().flatten());
        let tips = Vec::new();
        Self { file: None, motion, tips, clip, origin: None, facts, measures, carried: None }
    }
}

/// Throng's own clips for a body.
///
/// # Errors
///
/// If no body can have that style.
pub fn library(human: &Human, style: Style, options: &Options) -> Result<Vec<Entry>, GaitError> {
    let library = Library::new(human, style)?;
    let entry = |clip: &Clip| Ok(Entry::of_clip(clip.clone(), options)?);
    library.clips().iter().map(entry).collect()
}

/// Throng's own clips for an animal. They are not held against what people do.
///
/// # Errors
///
/// If its legs are too short or too stiff for some of them.
pub fn animal_library(
    animal: &Quadruped,
    options: &Options,
) -> Result<Vec<Entry>, quadruped::GaitError> {
    let entry = |clip: Clip| {
        let slip = paw_slip(animal, &clip);
        let entry = Entry::of_clip(clip, options)?;
        let facts = entry.facts.map(|facts| ClipFacts { slip, ..facts });
        Ok(Entry { facts, measures: None, ..entry })
    };
    quadruped::library(animal)?.into_iter().map(entry).collect()
}

/// How far the tip of a hind foot moves while it stands, in metres per stance.
fn paw_slip(animal: &Quadruped, clip: &Clip) -> f32 {
    const SAMPLES: usize = 64;
    let mut pose = Pose::default();
    let mut tip = |paw: Paw, phase: f32| {
        clip.sample(phase, &mut pose);
        pose.place(clip.root_at(phase).placement());
        let model = ModelPose::of(clip.skeleton(), &pose);
        let joint = animal.paw(paw);
        model.position(joint) + model.rotation(joint) * animal.tip(paw)
    };
    let mut slip: f32 = 0.0;
    for paw in [Paw::LeftHind, Paw::RightHind] {
        for span in clip.contacts().of_paw(paw) {
            let at = |sample: usize| span.start + span.length * sample as f32 / SAMPLES as f32;
            let struck = tip(paw, at(0));
            let away = (1..SAMPLES).map(|sample| tip(paw, at(sample)).distance(struck));
            slip = away.fold(slip, f32::max);
        }
    }
    slip
}

/// One pass of a clip over the ground. A loop is closed by the frame that it begins with.
///
/// # Errors
///
/// If frames of the clip are no longer finite where they are placed.
pub fn played(clip: &Clip) -> Result<Motion, MotionError> {
    let frames = clip.motion().frames();
    let pose = |sample: usize| {
        let mut pose: Pose = clip.motion().pose(sample % frames);
        pose.place(clip.root().samples()[sample].placement());
        pose
    };
    let poses: Vec<Pose> = (0..clip.root().samples().len()).map(pose).collect();
    Motion::from_poses(clip.name(), clip.skeleton().clone(), clip.motion().rate(), &poses)
}
