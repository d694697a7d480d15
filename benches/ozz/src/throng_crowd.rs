//! Bodies that Throng moves.

use glam::Affine3A;
use rayon::prelude::*;
use throng_motion::{ModelPose, Pose, blend};

use crate::body::JOINTS;
use crate::scene::{BLOCK, Scene};
use crate::timing::{Lap, Stages};

/// Bodies that one thread does at a time, when there are several.
const CHUNK: usize = 100;

/// In which form the joints are asked for.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    /// As ozz gives them, a matrix for each.
    Matrices,
    /// A position and a quaternion for each, which Throng's own stages read.
    Poses,
}

/// A crowd of Throng's bodies.
pub struct ThrongCrowd {
    form: Form,
    /// As many as there are bodies in a block.
    blends: Vec<Blend>,
    /// The joints of all bodies, if matrices are asked for.
    pub matrices: Vec<Affine3A>,
    /// Where the joints of each body are, if poses are.
    pub models: Vec<ModelPose>,
}

/// What two clips give, the first to be blended with the second.
#[derive(Clone, Default)]
struct Blend {
    pose: Pose,
    other: Pose,
}

impl ThrongCrowd {
    /// All bodies of the scene.
    pub fn new(scene: &Scene, form: Form) -> Self {
        let count = |wanted: Form| if form == wanted { scene.bodies().len() } else { 0 };
        Self {
            form,
            blends: vec![Blend::default(); BLOCK],
            matrices: vec![Affine3A::IDENTITY; count(Form::Matrices) * JOINTS],
            models: vec![ModelPose::default(); count(Form::Poses)],
        }
    }

    /// Moves all bodies, one after the other.
    pub fn pass(&mut self, scene: &Scene) {
        for body in scene.bodies() {
            self.blends[0].sample(scene, body);
            self.blends[0].blend(scene, body);
            self.pose(scene, body, 0);
        }
    }

    /// Moves all bodies to matrices, on all threads there are.
    pub fn parallel_pass(&mut self, scene: &Scene) {
        let chunks = self.matrices.par_chunks_mut(CHUNK * JOINTS).enumerate();
        chunks.for_each_init(Blend::default, |scratch, (chunk, matrices)| {
            for (number, matrices) in matrices.chunks_mut(JOINTS).enumerate() {
                let body = chunk * CHUNK + number;
                scratch.sample(scene, body);
                scratch.blend(scene, body);
                scratch.pose.matrices(scene.body.skeleton(), matrices);
            }
        });
    }

    /// Moves all bodies, stage by stage in blocks, and takes the time of the stages.
    pub fn staged(&mut self, scene: &Scene) -> Stages {
        let mut stages = Stages::default();
        for first in scene.bodies().step_by(BLOCK) {
            let mut lap = Lap::begin();
            for slot in 0..BLOCK {
                self.blends[slot].sample(scene, first + slot);
            }
            lap.add_to(&mut stages.sample);
            for slot in 0..BLOCK {
                self.blends[slot].blend(scene, first + slot);
            }
            lap.add_to(&mut stages.blend);
            for slot in 0..BLOCK {
                self.pose(scene, first + slot, slot);
            }
            lap.add_to(&mut stages.pose);
        }
        stages
    }

    fn pose(&mut self, scene: &Scene, body: usize, slot: usize) {
        let (skeleton, pose) = (scene.body.skeleton(), &self.blends[slot].pose);
        match self.form {
            Form::Matrices => {
                pose.matrices(skeleton, &mut self.matrices[body * JOINTS..][..JOINTS]);
            }
            Form::Poses => self.models[body].pose(skeleton, pose),
        }
    }
}

impl Blend {
    fn sample(&mut self, scene: &Scene, body: usize) {
        let [first, second] = scene.phases[body];
        scene.clips[0].sample(first, &mut self.pose);
        scene.clips[1].sample(second, &mut self.other);
    }

    fn blend(&mut self, scene: &Scene, body: usize) {
        blend(&mut self.pose, &self.other, scene.weights[body]);
    }
}
