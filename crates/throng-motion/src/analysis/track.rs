//! The way of the abstract root through a motion.

use glam::{DVec2, Quat, Vec3};

use crate::root::RootMotion;

use super::Options;
use super::abstraction::{Abstraction, AbstractionError, StrideAverage, abstract_path, smoothed};
use super::body::Body;
use super::footfalls::Footfalls;

/// Width of the kernel that smooths where somebody faces who takes no strides, in seconds.
const FACING_SIGMA: f64 = 0.5;

/// Where the abstract root is in every frame of a motion, and where the body faces.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    rate: f32,
    samples: Vec<RootMotion>,
    /// How the sway was taken out, which is another way than asked for if there are no strides.
    pub technique: Abstraction,
}

impl Track {
    pub fn of(
        body: &Body,
        footfalls: &Footfalls,
        options: &Options,
    ) -> Result<Self, AbstractionError> {
        let path: Vec<DVec2> = body
            .frames
            .iter()
            .map(|frame| DVec2::new(frame.middle.x.into(), frame.middle.z.into()))
            .collect();
        let facing: Vec<DVec2> =
            body.frames.iter().map(|frame| DVec2::new(frame.facing.into(), 0.0)).collect();
        let rate = f64::from(body.rate);
        let strides: Vec<(f64, f64)> = footfalls
            .strides()
            .into_iter()
            .map(|(middle, length)| (middle.into(), length.into()))
            .collect();
        let asked = abstract_path(&path, rate, &strides, options.technique);
        let (path, technique) = match asked {
            Err(AbstractionError::NoStrides) => {
                let technique = Abstraction::GAUSSIAN;
                (abstract_path(&path, rate, &strides, technique)?, technique)
            }
            other => (other?, options.technique),
        };
        let facing: Vec<DVec2> = match technique {
            Abstraction::StrideAverage => {
                let average = StrideAverage::new(&facing, rate, &strides)?;
                (0..facing.len()).map(|frame| average.at(frame as f64)).collect()
            }
            Abstraction::Gaussian { .. } => smoothed(&facing, FACING_SIGMA * rate),
            Abstraction::Pelvis => facing,
        };
        let samples = path
            .points
            .iter()
            .zip(&facing)
            .map(|(point, facing)| RootMotion {
                translation: Vec3::new(point.x as f32, 0.0, point.y as f32),
                yaw: facing.x as f32,
            })
            .collect();
        Ok(Self { rate: body.rate, samples, technique })
    }

    /// Where the root is at a time, and where the body faces.
    pub fn at(&self, time: f32) -> RootMotion {
        let Some(last) = self.samples.len().checked_sub(1) else { return RootMotion::default() };
        let at = (time * self.rate).clamp(0.0, last as f32);
        let sample = (at as usize).min(last.saturating_sub(1));
        self.samples[sample].lerp(self.samples[(sample + 1).min(last)], at - sample as f32)
    }

    /// How fast the root moves at a time, seen from where the body faces.
    pub fn velocity(&self, time: f32) -> Vec3 {
        let end = (self.samples.len().saturating_sub(1)) as f32 / self.rate;
        let (before, after) = ((time - 0.05).max(0.0), (time + 0.05).min(end));
        if after - before < 1e-6 {
            return Vec3::ZERO;
        }
        let way = self.at(after).translation - self.at(before).translation;
        Quat::from_rotation_y(-self.at(time).yaw) * way / (after - before)
    }
}
