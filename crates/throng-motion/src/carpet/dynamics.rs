//! Joints that are pushed, and come back.
//!
//! The published method pulls joints towards where the carpet wants them by a spring, with Verlet steps. The spring
//! is so soft that a walking body trails behind itself; here joints begin each frame where they are wanted, and the
//! spring acts on how far something has pushed them from there. Nobody who is not pushed lags.
//!
//! Its strength and damping are the published ones for frames of a sixtieth of a second, whatever the frame rate.

use glam::Vec3A;

/// How joints get to where the carpet wants them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// They are there at once, and nothing pushes them.
    Direct,
    /// They are there at once unless something pushes them.
    #[default]
    Dynamic,
    /// They are drawn there by the spring, as published, and lag.
    Literal,
}

/// The spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// How joints get to where they should be.
    pub mode: Mode,
    /// How strongly they are drawn (`k`).
    pub elasticity: f32,
    /// How much of their velocity joints keep, from those that hold their places least to those that do most.
    pub retention: [f32; 2],
    /// Steps per frame (`N_s`).
    pub substeps: u32,
}

impl Default for Spring {
    fn default() -> Self {
        Self { mode: Mode::Dynamic, elasticity: 1.0, retention: [0.8, 0.2], substeps: 4 }
    }
}

/// Frames per second of the published numbers.
const PUBLISHED_RATE: f32 = 60.0;

impl Spring {
    /// Moves a joint's deviation from where it is wanted by a frame of `dt` seconds under `push` (m/s²);
    /// `before` is where it was a substep earlier.
    pub fn deviate(
        &self,
        affinity: f32,
        push: Vec3A,
        dt: f32,
        deviation: &mut Vec3A,
        before: &mut Vec3A,
    ) {
        let steps = self.substeps.clamp(1, 64);
        let time = dt / steps as f32;
        let frames = time * PUBLISHED_RATE;
        let kept = self.kept(affinity).powf(frames);
        // A spring that is too stiff for its step would throw the joint away.
        let pull = (0.5 * self.elasticity.max(0.0) * frames * frames).min(0.5 * (1.0 + kept));
        for _ in 0..steps {
            let next =
                *deviation + kept * (*deviation - *before) - pull * *deviation + time * time * push;
            (*before, *deviation) = (*deviation, next);
        }
    }

    /// Moves a joint towards `wanted` as printed, both seen from where the flat carpet has it.
    pub fn draw(
        &self,
        affinity: f32,
        push: Vec3A,
        wanted: Vec3A,
        place: &mut Vec3A,
        before: &mut Vec3A,
    ) {
        let steps = self.substeps.clamp(1, 64);
        let scale = 0.5 / (steps * steps) as f32;
        let kept = self.kept(affinity);
        for _ in 0..steps {
            let force = self.elasticity * (wanted - *place) + push;
            let next = *place + kept * (*place - *before) + scale * force;
            (*before, *place) = (*place, next);
        }
    }

    /// The velocity that a joint keeps (`d`).
    fn kept(&self, affinity: f32) -> f32 {
        let [loose, strict] = self.retention;
        (loose + affinity.clamp(0.0, 1.0) * (strict - loose)).clamp(0.0, 0.95)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_is_felt_and_fades_within_a_second_whatever_the_steps() {
        for substeps in 1..=16 {
            for rate in [25.0f32, 30.0, 60.0, 120.0] {
                for affinity in [0.0, 0.05, 0.5, 1.0] {
                    let spring = Spring { substeps, ..Spring::default() };
                    let (mut at, mut before) = (Vec3A::ZERO, Vec3A::ZERO);
                    let mut largest: f32 = 0.0;
                    let frames = rate as usize;
                    for frame in 0..=frames {
                        let push = if frame == 0 { Vec3A::X * 50.0 } else { Vec3A::ZERO };
                        spring.deviate(affinity, push, 1.0 / rate, &mut at, &mut before);
                        largest = largest.max(at.length());
                    }
                    assert!(largest > 1e-3 && largest < 1.0, "{substeps} {rate}: {largest}");
                    let left = at.length() / largest;
                    assert!(left < 0.01, "{substeps} steps, {rate} Hz, {affinity}: {left}");
                }
            }
        }
    }

    #[test]
    fn the_published_spring_leaves_what_it_was_found_to_leave() {
        // What is left after one frame: 0.50, 0.86 and 0.76, 0.94 and 0.85.
        for (substeps, kept, expected) in
            [(1, 0.2, 0.50), (4, 0.2, 0.86), (4, 0.8, 0.76), (10, 0.2, 0.94), (10, 0.8, 0.85)]
        {
            let spring = Spring { substeps, retention: [kept, kept], ..Spring::default() };
            let (mut at, mut before) = (Vec3A::X, Vec3A::X);
            spring.draw(0.5, Vec3A::ZERO, Vec3A::ZERO, &mut at, &mut before);
            assert!((at.x - expected).abs() < 0.01, "{substeps} {kept}: {}", at.x);
        }
    }
}
