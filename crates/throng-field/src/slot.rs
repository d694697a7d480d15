//! Changing from one field to another without a jerk.
//!
//! A new field enters above the old ones with a share that rises from 0 to 1, smoothly, and theirs
//! shrink in proportion. An edit in the middle of that adds another one, so velocities are continuous
//! whatever the edits. While as many fields as can be paid for are on their way, the newest waits
//! for one of them to be gone, and a newer one takes its place: the latest edit wins.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::{DVec2, FloatExt as _, Vec2};

use crate::error::FieldError;
use crate::options::check_setting;
use crate::sampler::Sampler;

/// Fields that are blended at most.
const MOST: usize = 4;
/// Fields with a smaller share are gone.
const GONE: f64 = 1e-3;
/// Places that are blended at a time.
const CHUNK: usize = 256;

/// A place for a field that is replaced now and then, as while somebody edits it.
#[derive(Clone, Debug)]
pub struct FieldSlot {
    /// Oldest first.
    layers: VecDeque<Layer>,
    waiting: Option<Arc<Sampler>>,
    fade_time: f64,
}

#[derive(Clone, Debug)]
struct Layer {
    sampler: Arc<Sampler>,
    /// For how long it has been here, s.
    age: f64,
}

impl FieldSlot {
    /// A slot with a field. Another one takes `fade_time` (Tₓ, 0 to 10 s) to replace it; the paper
    /// has no figure, and half a second is a good one.
    pub fn new(sampler: Arc<Sampler>, fade_time: f64) -> Result<Self, FieldError> {
        check_setting("the fade time", fade_time, 0.0, 10.0)?;
        let first = Layer { sampler, age: fade_time };
        Ok(Self { layers: VecDeque::from([first]), waiting: None, fade_time })
    }

    /// How long another field takes to replace it (Tₓ), s.
    pub fn fade_time(&self) -> f64 {
        self.fade_time
    }

    /// Begins to replace the field by another.
    pub fn replace(&mut self, sampler: Arc<Sampler>) {
        if self.layers.len() < MOST {
            self.layers.push_back(Layer { sampler, age: 0.0 });
        } else {
            self.waiting = Some(sampler);
        }
        self.drop_hidden();
    }

    /// Lets time pass, s.
    pub fn advance(&mut self, seconds: f64) {
        for layer in &mut self.layers {
            layer.age += seconds.max(0.0);
        }
        self.drop_hidden();
        if self.layers.len() < MOST
            && let Some(sampler) = self.waiting.take()
        {
            self.replace(sampler);
        }
    }

    /// The newest field, which will be all there is when nothing is replaced any more.
    pub fn newest(&self) -> &Arc<Sampler> {
        let last = &self.layers[self.layers.len() - 1].sampler;
        self.waiting.as_ref().unwrap_or(last)
    }

    /// Whether it is the only one already.
    pub fn is_settled(&self) -> bool {
        self.layers.len() == 1 && self.waiting.is_none()
    }

    /// The fields that count now, oldest first, with their shares (ω); these add up to 1.
    pub fn shares(&self) -> impl Iterator<Item = (&Arc<Sampler>, f64)> {
        self.layers.iter().zip(self.weights()).map(|(layer, weight)| (&layer.sampler, weight))
    }

    /// The velocity at a place, m/s.
    pub fn velocity(&self, place: DVec2) -> DVec2 {
        self.shares().map(|(sampler, share)| sampler.field().velocity(place) * share).sum()
    }

    /// The velocity at each place; as many as the shorter of the two has.
    pub fn sample(&self, places: &[Vec2], velocities: &mut [Vec2]) {
        self.blend(places, velocities, Sampler::sample);
    }

    /// What anchors do at each place to those who heed each of them by its distance only
    /// ([`Attraction`](crate::Attraction)).
    pub fn attraction(&self, places: &[Vec2], velocities: &mut [Vec2]) {
        let sample = |sampler: &Sampler, places: &[Vec2], velocities: &mut [Vec2]| {
            sampler.attraction().sample(places, velocities);
        };
        self.blend(places, velocities, sample);
    }

    /// How far it holds at each place ([`Coverage`](crate::Coverage)), from 0 to 1.
    pub fn coverage(&self, places: &[Vec2], weights: &mut [f32]) {
        if !self.is_limited() {
            // Exactly: shares add up to 1 but for rounding.
            weights.fill(1.0);
            return;
        }
        weights.fill(0.0);
        for (sampler, share) in self.shares() {
            let coverage = sampler.field().coverage();
            for (place, weight) in places.iter().zip(weights.iter_mut()) {
                *weight = (*weight + coverage.weight(*place) * share as f32).min(1.0);
            }
        }
    }

    /// Returns `false` if all fields that count now hold everywhere.
    fn is_limited(&self) -> bool {
        self.layers.iter().any(|layer| layer.sampler.field().coverage().is_limited())
    }

    fn blend(
        &self,
        places: &[Vec2],
        velocities: &mut [Vec2],
        sample: impl Fn(&Sampler, &[Vec2], &mut [Vec2]),
    ) {
        let weights = self.weights();
        let mut one = [Vec2::ZERO; CHUNK];
        for (places, velocities) in places.chunks(CHUNK).zip(velocities.chunks_mut(CHUNK)) {
            sample(&self.layers[0].sampler, places, velocities);
            if self.layers.len() == 1 {
                continue;
            }
            velocities.iter_mut().for_each(|v| *v *= weights[0] as f32);
            for (layer, weight) in self.layers.iter().zip(weights).skip(1) {
                sample(&layer.sampler, places, &mut one);
                for (velocity, one) in velocities.iter_mut().zip(&one) {
                    *velocity += *one * weight as f32;
                }
            }
        }
    }

    /// The share of each layer: what those above it leave, and of that its own part.
    fn weights(&self) -> [f64; MOST] {
        let mut weights = [0.0; MOST];
        let mut left = 1.0;
        for (index, layer) in self.layers.iter().enumerate().rev() {
            // Nothing is below the oldest.
            let part = if index == 0 { 1.0 } else { layer.part(self.fade_time) };
            weights[index] = left * part;
            left *= 1.0 - part;
        }
        weights
    }

    /// Drops the oldest layers while hardly anything is seen of them.
    fn drop_hidden(&mut self) {
        while self.layers.len() > 1 && self.weights()[0] < GONE {
            self.layers.pop_front();
        }
    }
}

impl Layer {
    fn part(&self, fade_time: f64) -> f64 {
        let t = if fade_time > 0.0 { (self.age / fade_time).min(1.0) } else { 1.0 };
        t.smoothstep(0.0, 1.0)
    }
}
