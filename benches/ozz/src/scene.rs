//! Who is there, and how far they have got: what both libraries are given.

use std::error::Error;
use std::ops::Range;

use throng_motion::gait::Steady;
use throng_motion::{Clip, Human, Proportions};

use crate::body::Body;

/// Bodies are timed stage by stage in blocks of this size.
pub const BLOCK: usize = 20;

/// Frames per second of what is played.
const RATE: f32 = 60.0;

/// Bodies that walk, each at its own phase and with its own share of two clips.
pub struct Scene {
    /// What all bodies look like.
    pub body: Body,
    /// Two walks of it.
    pub clips: [Clip; 2],
    /// How far each body is in each clip, from 0 to 1.
    pub phases: Vec<[f32; 2]>,
    /// How much each body has of the second clip.
    pub weights: Vec<f32>,
}

impl Scene {
    /// So many bodies; in whole blocks.
    pub fn new(count: usize) -> Result<Self, Box<dyn Error>> {
        assert!(count.is_multiple_of(BLOCK));
        let body = Body::new(Human::new(Proportions::default())?)?;
        let clip = |gait: Steady| body.dress(&gait.clip(body.human())?);
        let clips = [clip(Steady::ahead(1.3))?, clip(Steady::ahead(1.6).towards(0.4))?];
        // The golden ratio and its like spread evenly and never repeat.
        let spread = |body: usize, step: f64| (body as f64 * step).fract() as f32;
        let phases = (0..count).map(|body| [0.618_034, 0.754_878].map(|step| spread(body, step)));
        let weights = (0..count).map(|body| 0.05 + 0.9 * spread(body, 0.569_840));
        Ok(Self { phases: phases.collect(), weights: weights.collect(), body, clips })
    }

    /// The numbers of all bodies.
    pub fn bodies(&self) -> Range<usize> {
        0..self.phases.len()
    }

    /// Plays on by one frame.
    pub fn advance(&mut self) {
        let steps = self.clips.each_ref().map(|clip| 1.0 / (RATE * clip.period()));
        for phases in &mut self.phases {
            for (phase, step) in phases.iter_mut().zip(steps) {
                *phase = (*phase + step).fract();
            }
        }
    }
}
