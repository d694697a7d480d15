//! Keys of one property of a node, and what lies between them.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

/// How values between keys are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::files) enum Interpolation {
    Linear,
    Step,
    /// Hermite splines; each key is its incoming tangent, its value and its outgoing tangent.
    Cubic,
}

/// Keys by time. Vectors have a fourth component that means nothing.
#[derive(Clone, Debug)]
pub(in crate::files) struct Curve {
    times: Arc<[f32]>,
    values: Arc<[Vec4]>,
    interpolation: Interpolation,
}

/// A sample this near to a key (s) is the key: times of keys are rounded, and so are ours.
const AT_KEY: f32 = 1e-5;

impl Curve {
    /// A curve, if its numbers can be one; otherwise what is wrong with them.
    pub fn new(
        times: Arc<[f32]>,
        values: Arc<[Vec4]>,
        interpolation: Interpolation,
    ) -> Result<Self, String> {
        let each = if interpolation == Interpolation::Cubic { 3 } else { 1 };
        if times.is_empty() {
            return Err("there are no keys".into());
        }
        if values.len() != each * times.len() {
            let (times, values) = (times.len(), values.len());
            return Err(format!("{times} key times have {values} values"));
        }
        if let Some(key) = times.iter().position(|time| !time.is_finite()) {
            return Err(format!("the time of key {key} is not finite"));
        }
        if let Some(key) = times.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(format!("key {} is before key {key}", key + 1));
        }
        if let Some(value) = values.iter().position(|value| !value.is_finite()) {
            return Err(format!("the value of key {} is not finite", value / each));
        }
        Ok(Self { times, values, interpolation })
    }

    /// When the first and the last key are.
    pub fn span(&self) -> (f32, f32) {
        (self.times[0], self.times[self.times.len() - 1])
    }

    /// The values of all keys.
    pub fn key_values(&self) -> impl Iterator<Item = Vec4> + '_ {
        (0..self.times.len()).map(|key| self.value(key))
    }

    /// The vector at `time`; the ends are kept to.
    pub fn vector(&self, time: f32) -> Vec3 {
        let at = match self.between(time) {
            At::Key(key) => self.value(key),
            At::Between(key, part) => match self.interpolation {
                Interpolation::Step => self.value(key),
                Interpolation::Linear => self.value(key).lerp(self.value(key + 1), part),
                Interpolation::Cubic => self.spline(key, part),
            },
        };
        at.truncate()
    }

    /// The rotation at `time`; the ends are kept to. A quaternion of no length turns nothing.
    pub fn rotation(&self, time: f32) -> Quat {
        let unit = |value: Vec4| Quat::from_vec4(value.normalize_or(Vec4::W));
        match self.between(time) {
            At::Key(key) => unit(self.value(key)),
            At::Between(key, part) => match self.interpolation {
                Interpolation::Step => unit(self.value(key)),
                Interpolation::Linear => {
                    unit(self.value(key)).slerp(unit(self.value(key + 1)), part)
                }
                Interpolation::Cubic => unit(self.spline(key, part)),
            },
        }
    }

    fn value(&self, key: usize) -> Vec4 {
        match self.interpolation {
            Interpolation::Cubic => self.values[3 * key + 1],
            _ => self.values[key],
        }
    }

    fn between(&self, time: f32) -> At {
        let after = self.times.partition_point(|key| *key <= time + AT_KEY);
        let Some(key) = after.checked_sub(1) else { return At::Key(0) };
        let start = self.times[key];
        match self.times.get(after) {
            Some(end) if time - start > AT_KEY => At::Between(key, (time - start) / (end - start)),
            _ => At::Key(key),
        }
    }

    fn spline(&self, key: usize, part: f32) -> Vec4 {
        let length = self.times[key + 1] - self.times[key];
        let (from, to) = (self.values[3 * key + 1], self.values[3 * key + 4]);
        let (leaving, arriving) =
            (self.values[3 * key + 2] * length, self.values[3 * key + 3] * length);
        let (t, t2, t3) = (part, part * part, part * part * part);
        (2.0 * t3 - 3.0 * t2 + 1.0) * from
            + (t3 - 2.0 * t2 + t) * leaving
            + (3.0 * t2 - 2.0 * t3) * to
            + (t3 - t2) * arriving
    }
}

enum At {
    Key(usize),
    Between(usize, f32),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(times: &[f32], values: &[f32], interpolation: Interpolation) -> Curve {
        let values = values.iter().map(|value| Vec4::splat(*value)).collect();
        Curve::new(times.into(), values, interpolation).unwrap()
    }

    #[test]
    fn lines_steps_and_ends() {
        let line = curve(&[1.0, 2.0, 4.0], &[0.0, 1.0, 5.0], Interpolation::Linear);
        let at = |time| line.vector(time).x;
        assert_eq!(
            [at(0.0), at(1.0), at(1.25), at(2.0), at(3.0), at(9.0)],
            [0.0, 0.0, 0.25, 1.0, 3.0, 5.0]
        );
        let step = curve(&[1.0, 2.0, 4.0], &[0.0, 1.0, 5.0], Interpolation::Step);
        assert_eq!([step.vector(1.99).x, step.vector(2.0).x, step.vector(3.9).x], [0.0, 1.0, 1.0]);
    }

    #[test]
    fn a_spline_through_a_cubic_is_that_cubic() {
        // x = t³ from 0 to 2, with one key at 1: slopes 0, 3 and 12.
        let values = [0.0, 0.0, 0.0, 3.0, 1.0, 3.0, 12.0, 8.0, 12.0];
        let cubic = curve(&[0.0, 1.0, 2.0], &values, Interpolation::Cubic);
        for step in 0..=20 {
            let time = 0.1 * step as f32;
            assert!((cubic.vector(time).x - time.powi(3)).abs() < 1e-5, "{time}");
        }
    }

    #[test]
    fn samples_next_to_a_key_are_the_key() {
        let line = curve(&[0.0, 1.0 / 3.0, 1.0], &[0.0, 1.0, 7.0], Interpolation::Linear);
        assert_eq!(line.vector(20.0 / 60.0 + 1e-6).x, 1.0);
        assert_eq!(line.vector(20.0 / 60.0 - 1e-6).x, 1.0);
    }

    #[test]
    fn two_keys_at_one_time_are_a_jump() {
        let jump = curve(&[0.0, 1.0, 1.0, 2.0], &[0.0, 0.0, 5.0, 5.0], Interpolation::Linear);
        assert_eq!([jump.vector(0.9).x, jump.vector(1.0).x, jump.vector(1.5).x], [0.0, 5.0, 5.0]);
    }

    #[test]
    fn numbers_that_are_no_curve_are_refused() {
        let refused = |times: &[f32], values: &[f32]| {
            let values = values.iter().map(|value| Vec4::splat(*value)).collect();
            Curve::new(times.into(), values, Interpolation::Linear).unwrap_err()
        };
        assert_eq!(refused(&[], &[]), "there are no keys");
        assert_eq!(refused(&[0.0, 1.0], &[0.0]), "2 key times have 1 values");
        assert_eq!(refused(&[0.0, f32::NAN], &[0.0, 1.0]), "the time of key 1 is not finite");
        assert_eq!(refused(&[0.0, 2.0, 1.0], &[0.0; 3]), "key 2 is before key 1");
        assert_eq!(refused(&[0.0, 2.0], &[0.0, f32::INFINITY]), "the value of key 1 is not finite");
    }
}
