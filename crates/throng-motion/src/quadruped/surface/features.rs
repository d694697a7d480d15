//! Ears, eyes, tail and mane.

use glam::Vec3;

use super::{Making, Section, bind, carried, mix};
use crate::contact::Side;
use crate::mesh::{Binding, Detail, Region};

const COLUMNS: [f32; 4] = [0.0, 60.0, 120.0, 180.0];
const ALWAYS: [bool; 2] = [false, false];
/// Left out at low detail.
const MEDIUM: [bool; 2] = [false, true];

pub(super) fn build(making: &mut Making) {
    tail(making);
    ear(making);
    if making.detail != Detail::Low {
        eye(making);
    }
    if making.animal.breed().figure.is_equine {
        mane(making);
    }
}

/// From the tip to the root, which lies inside of the rump.
fn tail(making: &mut Making) {
    let (animal, w) = (making.animal, making.w());
    let (bones, figure) = (animal.proportions(), &animal.breed().figure);
    let joints = animal.tail();
    let root = making.at(joints[0]);
    let (sin, cos) = bones.tail_drop.sin_cos();
    let back = -bones.tail * Vec3::new(0.0, sin, cos);
    let thick = figure.tail_half_width * w;
    // Hair is longer than bones.
    let length: f32 = if figure.is_equine { 1.45 } else { 1.0 };
    let girths: [f32; 5] =
        if figure.is_equine { [0.8, 1.35, 1.25, 0.9, 0.8] } else { [0.45, 0.72, 0.9, 0.95, 1.0] };
    let mut sections = Vec::new();
    for (index, girth) in girths.into_iter().enumerate() {
        let along = 1.0 - (index as f32 + 0.6) / 5.0;
        let joint = (4.0 * along * length.min(1.3)).min(3.0);
        let (before, part) = (joint as usize, joint.fract());
        let next = joints[(before + 1).min(3)];
        sections.push(Section {
            centre: root + along * length * back,
            rise: bones.tail_drop,
            up: girth * thick,
            down: girth * thick,
            side: 0.85 * girth * thick,
            square: 2.0,
            binding: bind(&[(joints[before], 1.0 - part), (next, part)]),
            fine: if index % 2 == 0 { ALWAYS } else { MEDIUM },
        });
    }
    let inside = root + Vec3::new(0.0, -0.01, 0.05) * w;
    let ends = [(root + length * back, carried(joints[3])), (inside, carried(animal.pelvis()))];
    let region = if figure.is_equine { Region::Hair } else { Region::Top };
    making.loft(&sections, ends, &COLUMNS, |_, _| region);
}

/// A crest along the neck, from the withers to between the ears.
fn mane(making: &mut Making) {
    let (animal, w) = (making.animal, making.w());
    let (bones, figure) = (animal.proportions(), &animal.breed().figure);
    let [neck1, neck2] = animal.neck();
    let (base, poll) = (making.at(neck1), making.at(animal.head()));
    let (sin, cos) = bones.neck_rise.sin_cos();
    let up = Vec3::new(0.0, cos, -sin);
    let [thick, thin] = figure.neck_half_depth.map(|depth| depth * w);
    let of = |along: f32, binding: Binding, fine| {
        let depth = mix(thick, thin, f32::min(along / 0.75, 1.0));
        Section {
            centre: base + along * (poll - base) + (0.93 - 0.25 * along * along) * depth * up,
            rise: bones.neck_rise,
            up: 0.034 * w,
            down: 0.03 * w,
            side: 0.017 * w,
            square: 1.6,
            binding,
            fine,
        }
    };
    let [.., withers] = animal.spine();
    let sections = [
        of(0.12, bind(&[(withers, 0.3), (neck1, 0.7)]), ALWAYS),
        of(0.45, bind(&[(neck1, 0.5), (neck2, 0.5)]), ALWAYS),
        of(0.75, bind(&[(neck2, 0.9), (animal.head(), 0.1)]), ALWAYS),
        of(0.90, bind(&[(neck2, 0.5), (animal.head(), 0.5)]), MEDIUM),
    ];
    let start = base + 0.9 * thick * up - 0.08 * w * Vec3::Z;
    // The forelock.
    let end = making.in_head(0.0, 0.22, 0.17);
    let ends = [(start, carried(withers)), (end, carried(animal.head()))];
    making.loft(&sections, ends, &COLUMNS, |_, _| Region::Hair);
}

/// A pyramid whose base lies in the head.
fn ear(making: &mut Making) {
    let (animal, w) = (making.animal, making.w());
    let figure = &animal.breed().figure;
    let joint = animal.ear(Side::Left);
    let root = making.at(joint);
    let length = figure.ears * w;
    let broad = mix(0.46, 0.34, figure.long_face) * length;
    let (sin, cos) = animal.proportions().head_drop.sin_cos();
    // In the head: outwards, along the face, and up.
    let place = |out: f32, along: f32, up: f32| {
        root + out * Vec3::X + along * Vec3::new(0.0, -sin, cos) + up * Vec3::new(0.0, cos, sin)
    };
    let corners = if figure.ears_hang {
        // Broad leaves from the top of the head down the cheeks.
        [(0.05, 0.5, 0.05), (0.30, 0.45, -0.05), (0.30, -0.55, -0.05), (0.0, -0.5, 0.05)]
            .map(|(out, along, up)| place(out * length, 1.3 * along * broad, up * length))
    } else {
        [(-0.7, 0.55), (0.7, 0.75), (0.8, -0.6), (-0.5, -0.7)]
            .map(|(out, along)| place(out * broad, along * broad, -0.25 * length))
    };
    let tip = if figure.ears_hang {
        place(0.42 * length, 0.15 * length, -0.85 * length)
    } else {
        place(0.22 * length, -0.12 * length, length)
    };
    let bound = carried(joint);
    let [a, b, c, d] = corners.map(|at| making.surface.vertex(at, bound));
    let tip = making.surface.vertex(tip, bound);
    let region = if figure.is_equine { Region::Top } else { Region::Hair };
    // Seen from the tip, the corners turn the other way when it is below them.
    let [a, b, c, d] = if figure.ears_hang { [d, c, b, a] } else { [a, b, c, d] };
    for [from, to] in [[a, b], [b, c], [c, d], [d, a]] {
        making.surface.triangle(region, [from, to, tip]);
    }
    making.surface.quad(region, [d, c, b, a]);
}

/// A lens on the side of the head.
fn eye(making: &mut Making) {
    let animal = making.animal;
    let long = animal.breed().figure.long_face;
    let joint = animal.eye(Side::Left);
    let out = mix(0.134, 0.144, long);
    let along = mix(0.40, 0.37, long);
    let up = mix(0.115, 0.075, long);
    let size = mix(0.050, 0.036, long);
    let bound = carried(joint);
    // A dog looks ahead, a horse to the side.
    let ahead = mix(0.9, 0.35, long);
    let rim: Vec<u32> = (0..6)
        .map(|corner| {
            let (sin, cos) = (std::f32::consts::TAU * corner as f32 / 6.0).sin_cos();
            let at = making.in_head(
                out - ahead * cos * size,
                along + cos * size,
                up + 0.85 * sin * size,
            );
            making.surface.vertex(at, bound)
        })
        .collect();
    let bulge = 0.016;
    let pupil = making.in_head(out + bulge, along + bulge * ahead, up);
    let pupil = making.surface.vertex(pupil, bound);
    let back = making.in_head(out - 0.06, along - 0.05 * ahead, up);
    let back = making.surface.vertex(back, bound);
    for corner in 0..6 {
        let (from, to) = (rim[corner], rim[(corner + 1) % 6]);
        making.surface.triangle(Region::Eyes, [to, from, pupil]);
        making.surface.triangle(Region::Eyes, [from, to, back]);
    }
}
