//! Who is measured, and whether they do the same.

use std::error::Error;

use glam::{Affine3A, Vec3A};
use throng_motion::JointId;

use crate::body::JOINTS;
use crate::ozz_crowd::OzzCrowd;
use crate::scene::Scene;
use crate::throng_crowd::{Form, ThrongCrowd};
use crate::timing::{Stages, Times};

/// One library with one kind of data or result.
pub struct Contender {
    /// What the table calls it.
    pub name: String,
    /// How far its joints may be from those of Throng, in metres.
    pub limit: f32,
    crowd: Crowd,
    /// Whole passes.
    pub total: Times,
    /// Their stages, from passes of their own.
    pub stages: [Times; 3],
}

enum Crowd {
    Ozz(Box<OzzCrowd>),
    Throng(ThrongCrowd, Form),
}

impl Contender {
    /// ozz with some kind of data.
    pub fn ozz(name: String, crowd: OzzCrowd, limit: f32) -> Self {
        Self::new(name, Crowd::Ozz(Box::new(crowd)), limit)
    }

    /// Throng with some kind of result.
    pub fn throng(name: &str, scene: &Scene, form: Form, limit: f32) -> Self {
        Self::new(name.into(), Crowd::Throng(ThrongCrowd::new(scene, form), form), limit)
    }

    fn new(name: String, crowd: Crowd, limit: f32) -> Self {
        Self { name, limit, crowd, total: Times::default(), stages: Default::default() }
    }

    /// Whether it is Throng.
    pub fn is_throng(&self) -> bool {
        matches!(self.crowd, Crowd::Throng(..))
    }

    /// Whether its result is matrices.
    pub fn gives_matrices(&self) -> bool {
        !matches!(self.crowd, Crowd::Throng(_, Form::Poses))
    }

    /// Moves all bodies.
    pub fn pass(&mut self, scene: &Scene) -> Result<(), Box<dyn Error>> {
        match &mut self.crowd {
            Crowd::Ozz(crowd) => crowd.pass(scene),
            Crowd::Throng(crowd, _) => {
                crowd.pass(scene);
                Ok(())
            }
        }
    }

    /// Moves all bodies, stage by stage.
    pub fn staged(&mut self, scene: &Scene) -> Result<Stages, Box<dyn Error>> {
        match &mut self.crowd {
            Crowd::Ozz(crowd) => crowd.staged(scene),
            Crowd::Throng(crowd, _) => Ok(crowd.staged(scene)),
        }
    }

    /// How far the joints of all bodies are from where `other` has them, at most, in metres. So that
    /// turns of the last joints of a chain count, points 5 cm off each joint are compared too.
    pub fn distance(&self, other: &Self, scene: &Scene) -> f32 {
        let mut most = 0.0_f32;
        for body in scene.bodies() {
            for joint in 0..JOINTS {
                let (here, there) = (self.transform(body, joint), other.transform(body, joint));
                for point in [Vec3A::ZERO, Vec3A::splat(0.029)] {
                    let distance =
                        here.transform_point3a(point).distance(there.transform_point3a(point));
                    // What is no number is as far as can be.
                    most = if distance <= most { most } else { distance.min(f32::INFINITY) };
                }
            }
        }
        most
    }

    fn transform(&self, body: usize, joint: usize) -> Affine3A {
        let index = body * JOINTS + joint;
        match &self.crowd {
            Crowd::Ozz(crowd) => {
                let column = |axis: glam_of_ozz::Vec4| Vec3A::new(axis.x, axis.y, axis.z);
                let matrix = &crowd.matrices[index];
                Affine3A {
                    matrix3: glam::Mat3A::from_cols(
                        column(matrix.x_axis),
                        column(matrix.y_axis),
                        column(matrix.z_axis),
                    ),
                    translation: column(matrix.w_axis),
                }
            }
            Crowd::Throng(crowd, Form::Matrices) => crowd.matrices[index],
            Crowd::Throng(crowd, Form::Poses) => crowd.models[body].transform(JointId::new(joint)),
        }
    }
}
