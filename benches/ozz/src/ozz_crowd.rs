//! Bodies that ozz-animation-rs moves.

use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;

use glam_of_ozz::Mat4;
use ozz_animation_rs::{
    Animation, Archive, BlendingJob, BlendingLayer, LocalToModelJob, LocalToModelJobRef, OzzRcBuf,
    SamplingContext, SamplingJob, Skeleton, SoaTransform,
};

use crate::archive;
use crate::body::JOINTS;
use crate::scene::{BLOCK, Scene};
use crate::thin::Tolerance;
use crate::timing::{Lap, Stages};

/// What ozz is given, and whether its marks are looked after.
#[derive(Clone, Copy)]
pub struct Settings {
    /// Which keys may be left out.
    pub tolerance: Option<Tolerance>,
    /// Whether the marks of outdated keys are cleared after sampling.
    ///
    /// A sampling context remembers which of its keys have to be decompressed again. The C++ library
    /// clears these marks when it is done; version 0.11 of ozz-animation-rs forgets to, and
    /// decompresses everything every time. What it would be like without that oversight is of
    /// interest too.
    pub clear_marks: bool,
}

/// A crowd of ozz bodies, each with contexts of its own, as ozz recommends.
pub struct OzzCrowd {
    skeleton: Rc<Skeleton>,
    animations: [Animation; 2],
    keys: [usize; 2],
    archived: usize,
    clear_marks: bool,
    contexts: Vec<[SamplingContext; 2]>,
    /// As many as there are bodies in a block.
    blends: Vec<Blend>,
    /// The joints of all bodies in model space.
    pub matrices: Vec<Mat4>,
}

/// A job that blends, with what it reads and writes.
struct Blend {
    sampled: [OzzRcBuf<SoaTransform>; 2],
    blended: OzzRcBuf<SoaTransform>,
    job: BlendingJob,
}

impl OzzCrowd {
    /// All bodies of the scene.
    pub fn new(scene: &Scene, settings: Settings) -> Result<Self, Box<dyn Error>> {
        let bytes = archive::skeleton(scene.body.skeleton());
        let skeleton = Rc::new(Skeleton::from_archive(&mut Archive::from_slice(&bytes)?)?);
        let archives =
            scene.clips.each_ref().map(|clip| archive::animation(clip, settings.tolerance));
        let read = |bytes: &[u8]| Animation::from_archive(&mut Archive::from_slice(bytes)?);
        let animations = [read(&archives[0].bytes)?, read(&archives[1].bytes)?];
        let contexts =
            scene.bodies().map(|_| [0, 1].map(|_| SamplingContext::new(JOINTS))).collect();
        Ok(Self {
            blends: (0..BLOCK).map(|_| Blend::new(&skeleton)).collect(),
            skeleton,
            animations,
            archived: archives.iter().map(|archive| archive.bytes.len()).sum(),
            keys: archives.map(|archive| archive.rotations),
            clear_marks: settings.clear_marks,
            contexts,
            matrices: vec![Mat4::IDENTITY; scene.bodies().len() * JOINTS],
        })
    }

    /// How many rotations each animation stores.
    pub fn keys(&self) -> [usize; 2] {
        self.keys
    }

    /// The size of both animations, and of what each body needs to sample them, in bytes.
    pub fn memory(&self) -> (usize, usize) {
        (self.archived, self.contexts[0].iter().map(SamplingContext::size).sum())
    }

    /// Moves all bodies, one after the other.
    pub fn pass(&mut self, scene: &Scene) -> Result<(), Box<dyn Error>> {
        for body in scene.bodies() {
            self.sample(scene, body, 0)?;
            self.blend(scene, body, 0)?;
            self.pose(body, 0)?;
        }
        Ok(())
    }

    /// Moves all bodies, stage by stage in blocks, and takes the time of the stages.
    pub fn staged(&mut self, scene: &Scene) -> Result<Stages, Box<dyn Error>> {
        let mut stages = Stages::default();
        for first in scene.bodies().step_by(BLOCK) {
            let mut lap = Lap::begin();
            for slot in 0..BLOCK {
                self.sample(scene, first + slot, slot)?;
            }
            lap.add_to(&mut stages.sample);
            for slot in 0..BLOCK {
                self.blend(scene, first + slot, slot)?;
            }
            lap.add_to(&mut stages.blend);
            for slot in 0..BLOCK {
                self.pose(first + slot, slot)?;
            }
            lap.add_to(&mut stages.pose);
        }
        Ok(stages)
    }

    fn sample(&mut self, scene: &Scene, body: usize, slot: usize) -> Result<(), Box<dyn Error>> {
        for (number, context) in self.contexts[body].iter_mut().enumerate() {
            let mut output = self.blends[slot].sampled[number].borrow_mut();
            let mut job: SamplingJob<_, &mut [SoaTransform], _> = SamplingJob::default();
            job.set_animation(&self.animations[number]);
            job.set_context(&mut *context);
            job.set_ratio(scene.phases[body][number]);
            job.set_output(&mut output);
            job.run()?;
            if self.clear_marks {
                clear_marks(context);
            }
        }
        Ok(())
    }

    fn blend(&mut self, scene: &Scene, body: usize, slot: usize) -> Result<(), Box<dyn Error>> {
        let job = &mut self.blends[slot].job;
        let weight = scene.weights[body];
        job.layers_mut()[0].weight = 1.0 - weight;
        job.layers_mut()[1].weight = weight;
        Ok(job.run()?)
    }

    fn pose(&mut self, body: usize, slot: usize) -> Result<(), Box<dyn Error>> {
        let input = self.blends[slot].blended.borrow();
        let mut job: LocalToModelJobRef = LocalToModelJob::default();
        job.set_skeleton(&self.skeleton);
        job.set_input(&input);
        job.set_output(&mut self.matrices[body * JOINTS..][..JOINTS]);
        Ok(job.run()?)
    }
}

impl Blend {
    fn new(skeleton: &Rc<Skeleton>) -> Self {
        let buffer =
            || Rc::new(RefCell::new(vec![SoaTransform::default(); skeleton.num_soa_joints()]));
        let (sampled, blended) = ([buffer(), buffer()], buffer());
        let mut job: BlendingJob = BlendingJob::default();
        job.set_skeleton(skeleton.clone());
        job.set_output(blended.clone());
        let layers = sampled.iter().map(|buffer| BlendingLayer::new(buffer.clone()));
        job.layers_mut().extend(layers);
        Self { sampled, blended, job }
    }
}

/// See [`Settings::clear_marks`].
fn clear_marks(context: &mut SamplingContext) {
    let marks =
        [context.translation_outdated(), context.rotation_outdated(), context.scale_outdated()]
            .map(|marks| (marks.as_ptr().cast_mut(), marks.len()));
    for (first, count) in marks {
        // SAFETY: this is memory of the context's own allocation, which it reaches by raw pointers
        // and which nobody else has while it is borrowed mutably; the slices are gone. The crate
        // hands out no pointer that was meant for writing.
        unsafe { first.write_bytes(0, count) };
    }
}
