//! Frames of descriptors and their maps, sixteen at a time.
//!
//! What [`Frame`](super::descriptor::Frame) does for one descriptor, written out for lanes.

use glam::{Vec2, Vec3};
use throng_simd::{Floats as _, Kernel, LANES, Mask as _, Simd, Vectors, run_anywhere};

use super::sums::Maps;

/// Numbers of each of sixteen descriptors.
type Numbers = [f32; LANES];

/// Sixteen descriptors that are to get their frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    along: [Numbers; 3],
    aside: [Numbers; 3],
    position: [Numbers; 3],
    half_heading: [Numbers; 2],
    rest: [Numbers; 2],
    /// Where the carpet faces, not of unit length.
    facing: [Numbers; 3],
    normal: [Numbers; 3],
    maps: [Numbers; LANES],
}

/// What a frame follows from.
pub(super) struct Given {
    /// From the descriptor a row before to the one a row after, and from one side to the other.
    pub along: Vec3,
    pub aside: Vec3,
    pub position: Vec3,
    pub half_heading: Vec2,
    /// Where it is on the flat carpet.
    pub rest: Vec2,
}

impl Frames {
    /// Takes the place of one of the sixteen.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, given: &Given) {
        let Given { along, aside, position, half_heading, rest } = given;
        for axis in 0..3 {
            self.along[axis][lane] = along[axis];
            self.aside[axis][lane] = aside[axis];
            self.position[axis][lane] = position[axis];
        }
        for axis in 0..2 {
            self.half_heading[axis][lane] = half_heading[axis];
            self.rest[axis][lane] = rest[axis];
        }
    }

    pub fn find(&mut self, vectors: Option<Vectors>) {
        run_anywhere(vectors, self);
    }

    /// Where the carpet faces at one of the sixteen, not of unit length; downwards if it is folded.
    pub fn facing(&self, lane: usize) -> Vec3 {
        Vec3::from(self.facing.map(|numbers| numbers[lane]))
    }

    pub fn normal(&self, lane: usize) -> Vec3 {
        Vec3::from(self.normal.map(|numbers| numbers[lane]))
    }

    #[inline(always)]
    pub fn maps(&self, lane: usize) -> Maps {
        Maps(std::array::from_fn(|number| self.maps[number][lane]))
    }
}

impl Kernel for &mut Frames {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let number = |value| simd.splat(value);
        let (zero, half, one, two) = (number(0.0), number(0.5), number(1.0), number(2.0));
        let [ax, ay, az] = self.along.each_ref().map(|numbers| simd.load(numbers));
        let [bx, by, bz] = self.aside.each_ref().map(|numbers| simd.load(numbers));
        let [px, py, pz] = self.position.each_ref().map(|numbers| simd.load(numbers));
        let [c, s] = self.half_heading.each_ref().map(|numbers| simd.load(numbers));
        let [rx, rz] = self.rest.each_ref().map(|numbers| simd.load(numbers));
        let facing = [ay * bz - by * az, az * bx - bz * ax, ax * by - bx * ay];
        let [fx, fy, fz] = facing;
        let length = (fx * fx + fy * fy + fz * fz).sqrt();
        let scale = fy.lt(zero).select(-one, one) / length;
        let normal = [fx * scale, fy * scale, fz * scale];
        let [nx, ny, nz] = normal;
        // First to the heading, then by the shortest way to the normal.
        let w = (half * (one + ny)).max(number(1e-6)).sqrt();
        let (lx, lz) = (nz / (two * w), -nx / (two * w));
        let (qx, qy, qz, qw) = (lx * c - lz * s, w * s, lx * s + lz * c, w * c);
        // Where the lattice point would be turned to, and what is missing to where it is.
        let (tx, ty, tz) = (two * (qy * rz), two * (qz * rx - qx * rz), two * -(qy * rx));
        let sx = px - (rx + qw * tx + (qy * tz - qz * ty));
        let sy = py - (qw * ty + (qz * tx - qx * tz));
        let sz = pz - (rz + qw * tz + (qx * ty - qy * tx));
        let leaning = [
            qx,
            qy,
            qz,
            qw,
            half * (sx * qw + sy * qz - sz * qy),
            half * (sy * qw + sz * qx - sx * qz),
            half * (sz * qw + sx * qy - sy * qx),
            half * -(sx * qx + sy * qy + sz * qz),
        ];
        let (cos, sin) = (c * c - s * s, two * c * s);
        let (ux, uz) = (px - (cos * rx + sin * rz), pz - (cos * rz - sin * rx));
        let steepness = ny.max(number(1e-3));
        let (gx, gz) = (-nx / steepness, -nz / steepness);
        let (gx, gz) = (cos * gx - sin * gz, sin * gx + cos * gz);
        let upright = [
            c,
            s,
            half * (ux * c - uz * s),
            half * (ux * s + uz * c),
            py - (gx * rx + gz * rz),
            gx,
            gz,
            zero,
        ];
        for (numbers, to) in facing.into_iter().zip(&mut self.facing) {
            numbers.store(to);
        }
        for (numbers, to) in normal.into_iter().zip(&mut self.normal) {
            numbers.store(to);
        }
        for (numbers, to) in leaning.into_iter().chain(upright).zip(&mut self.maps) {
            numbers.store(to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::descriptor::Frame;
    use super::*;

    fn given(index: usize) -> Given {
        let at = |factor: f32| (1.0 + index as f32 * factor).sin();
        Given {
            along: Vec3::new(0.05 * at(0.3), 0.1 * at(0.7), 0.2),
            // Every third is folded.
            aside: Vec3::new(
                if index.is_multiple_of(3) { -0.2 } else { 0.2 },
                0.1 * at(1.1),
                0.03 * at(1.7),
            ),
            position: 4.0 * Vec3::new(at(1.9), at(2.3), at(2.9)),
            half_heading: Vec2::from_angle(3.0 * at(3.1)),
            rest: 5.0 * Vec2::new(at(3.7), at(4.1)),
        }
    }

    #[test]
    fn sixteen_frames_are_those_of_one_at_a_time_on_every_vector_unit() {
        let on = |vectors| {
            let mut frames = Frames::default();
            (0..LANES).for_each(|lane| frames.set(lane, &given(lane)));
            frames.find(vectors);
            frames
        };
        let frames = on(None);
        for vectors in Vectors::all() {
            assert_eq!(on(Some(vectors)).maps, frames.maps, "{vectors:?}");
        }
        for lane in 0..LANES {
            let Given { along, aside, position, half_heading, rest } = given(lane);
            let facing = along.cross(aside);
            let normal = (facing * facing.y.signum()).normalize();
            let frame = Frame { position, normal, half_heading };
            let expected = Maps::new(&frame.leaning(rest), &frame.upright(rest));
            assert!((frames.normal(lane) - normal).length() < 1e-6);
            assert_eq!(frames.facing(lane).y < 0.0, lane.is_multiple_of(3));
            for (found, expected) in frames.maps(lane).0.iter().zip(expected.0) {
                assert!((found - expected).abs() < 1e-5, "{lane}: {found} {expected}");
            }
        }
    }
}
