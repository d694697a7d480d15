//! Fewer keys that say the same.
//!
//! A key can be left out if the straight line between its neighbours passes near enough. From the last key
//! that was kept, each value that passes narrows the range of slopes a line may have; as soon as the line to the
//! newest value is outside of it, the value before becomes a key (the "swinging door" of process historians,
//! Bristol 1990). Each value is looked at once, and nothing but the kept keys is remembered.

use glam::{Quat, Vec3};
use throng_motion::files::gltf::Keyed;

/// What can be keyed: a few numbers, between which it is interpolated.
pub(super) trait Value: Copy {
    /// As many numbers as the largest has.
    fn numbers(self) -> [f32; 4];
    /// The same value, in numbers as near to those of `other` as they can be.
    fn near(self, other: Self) -> Self;
    /// How far the numbers may be off for the value to be off by `tolerance`.
    fn of_numbers(tolerance: f32) -> f32;
}

impl Value for Vec3 {
    fn numbers(self) -> [f32; 4] {
        self.extend(0.0).to_array()
    }

    fn near(self, _: Self) -> Self {
        self
    }

    fn of_numbers(tolerance: f32) -> f32 {
        // Of three numbers that are off by as much, the diagonal.
        tolerance / 3f32.sqrt()
    }
}

impl Value for Quat {
    fn numbers(self) -> [f32; 4] {
        self.to_array()
    }

    fn near(self, other: Self) -> Self {
        if self.dot(other) < 0.0 { -self } else { self }
    }

    fn of_numbers(tolerance: f32) -> f32 {
        // A quaternion turns by half the angle, and the diagonal of four numbers is twice as long as each.
        0.25 * tolerance
    }
}

/// Takes values as they come and keeps those that are needed.
#[derive(Clone, Debug)]
pub(super) struct Reducer<T> {
    keys: Keyed<T>,
    tolerance: f32,
    last: Option<(f32, T)>,
    slopes: [(f32, f32); 4],
}

impl<T: Value> Reducer<T> {
    /// One whose values may be off by `tolerance`.
    pub fn new(tolerance: f32) -> Self {
        let (keys, slopes) = (Keyed { times: Vec::new(), values: Vec::new() }, ANY);
        Self { keys, tolerance: T::of_numbers(tolerance), last: None, slopes }
    }

    /// Takes the value at a time after all before.
    pub fn push(&mut self, time: f32, value: T) {
        let Some((last_time, last)) = self.last else {
            let value = self.keys.values.last().map_or(value, |before| value.near(*before));
            self.keys.push(time, value);
            self.last = Some((time, value));
            self.slopes = ANY;
            return;
        };
        let value = value.near(last);
        if !self.reaches(time, value) {
            self.keys.push(last_time, last);
            self.slopes = ANY;
        }
        self.narrow(time, value);
        self.last = Some((time, value));
    }

    /// Ends at the last value: what comes next has nothing to do with it.
    pub fn cut(&mut self) {
        if let Some((time, value)) = self.last.take()
            && self.keys.times.last() != Some(&time)
        {
            self.keys.push(time, value);
        }
    }

    /// Holds the last value until `time`, and ends there.
    pub fn hold(&mut self, time: f32) {
        if let Some((last_time, value)) = self.last
            && last_time < time
        {
            self.cut();
            self.keys.push(time, value);
        }
        self.last = None;
    }

    /// The keys that are left.
    pub fn finish(mut self) -> Keyed<T> {
        self.cut();
        // What never changes needs one.
        if let [first, second] = self.keys.values[..] {
            let (a, b) = (first.numbers(), second.numbers());
            if a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 0.5 * self.tolerance) {
                self.keys.times.truncate(1);
                self.keys.values.truncate(1);
            }
        }
        self.keys
    }

    fn since(&self, time: f32) -> Option<(f32, [f32; 4])> {
        let (begin, anchor) = (self.keys.times.last()?, self.keys.values.last()?);
        Some((time - begin, anchor.numbers()))
    }

    /// Whether a line from the last key to this value passes all values in between.
    fn reaches(&self, time: f32, value: T) -> bool {
        let Some((after, anchor)) = self.since(time) else { return true };
        let slopes = value.numbers().into_iter().zip(anchor).map(|(to, from)| (to - from) / after);
        slopes.zip(self.slopes).all(|(slope, (least, most))| (least..=most).contains(&slope))
    }

    fn narrow(&mut self, time: f32, value: T) {
        let Some((after, anchor)) = self.since(time) else { return };
        for ((to, from), slopes) in value.numbers().into_iter().zip(anchor).zip(&mut self.slopes) {
            let (least, most) =
                ((to - from - self.tolerance) / after, (to - from + self.tolerance) / after);
            *slopes = (slopes.0.max(least), slopes.1.min(most));
        }
    }
}

const ANY: [(f32, f32); 4] = [(f32::NEG_INFINITY, f32::INFINITY); 4];

#[cfg(test)]
mod tests {
    use super::*;

    fn at(keys: &Keyed<Vec3>, time: f32) -> Vec3 {
        let after = keys.times.partition_point(|key| *key <= time).clamp(1, keys.len().max(2) - 1);
        if keys.len() == 1 {
            return keys.values[0];
        }
        let (a, b) = (keys.times[after - 1], keys.times[after]);
        keys.values[after - 1].lerp(keys.values[after], ((time - a) / (b - a)).clamp(0.0, 1.0))
    }

    #[test]
    fn values_that_are_left_out_lie_within_the_tolerance() {
        let curve = |t: f32| Vec3::new((3.0 * t).sin(), 0.2 * t, (0.5 * t).cos());
        let mut reducer = Reducer::new(0.01);
        let times: Vec<f32> = (0..300).map(|frame| frame as f32 / 30.0).collect();
        times.iter().for_each(|time| reducer.push(*time, curve(*time)));
        let keys = reducer.finish();
        assert!((20..220).contains(&keys.len()), "{}", keys.len());
        for time in times {
            let off = at(&keys, time).distance(curve(time));
            assert!(off < 0.0101, "{off} at {time}");
        }
    }

    #[test]
    fn lines_need_two_keys_and_what_rests_needs_one() {
        let mut line = Reducer::new(1e-4);
        let mut rest = Reducer::new(1e-4);
        for frame in 0..100 {
            let time = frame as f32 / 25.0;
            line.push(time, Vec3::X * time);
            // Both signs mean the same rotation.
            rest.push(time, if frame % 2 == 0 { Quat::IDENTITY } else { -Quat::IDENTITY });
        }
        assert_eq!(line.finish().times, [0.0, 99.0 / 25.0]);
        assert_eq!(rest.finish().times, [0.0]);
    }

    #[test]
    fn jumps_stay_jumps() {
        let mut reducer = Reducer::new(1e-4);
        reducer.push(0.0, Vec3::ZERO);
        reducer.push(1.0, Vec3::ZERO);
        reducer.hold(1.999);
        reducer.push(2.0, Vec3::X);
        reducer.push(3.0, Vec3::X);
        let keys = reducer.finish();
        assert_eq!(at(&keys, 1.9), Vec3::ZERO);
        assert_eq!(at(&keys, 2.0), Vec3::X);
    }
}
