//! Trunk, neck and head: one tube from the rump to the nose.

use glam::Vec3;

use super::{Making, Section, between, bind, carried, mix};
use crate::mesh::Region;

const ALWAYS: [bool; 2] = [false, false];
/// Left out at low detail.
const MEDIUM: [bool; 2] = [false, true];
/// Left out at medium detail, too.
const FULL: [bool; 2] = [true, true];

/// A section of the trunk: where it is, in trunk lengths from the hips and shoulder heights from
/// there, how high back and belly are, how broad it is as a part of its end's breadth, and how much of
/// the tuck of the belly it has.
struct Rib {
    along: [f32; 2],
    top: f32,
    /// As a part of the depth at the waist (0) or at the chest (1).
    depth: f32,
    chest: f32,
    breadth: f32,
    fine: [bool; 2],
}

const RIBS: [Rib; 8] = [
    Rib { along: [0.0, -0.155], top: 0.895, depth: 0.55, chest: 0.0, breadth: 0.52, fine: MEDIUM },
    Rib { along: [0.0, -0.08], top: 0.94, depth: 1.05, chest: 0.0, breadth: 0.88, fine: ALWAYS },
    Rib { along: [0.02, 0.02], top: 0.965, depth: 1.18, chest: 0.0, breadth: 1.0, fine: FULL },
    Rib { along: [0.26, 0.0], top: 0.965, depth: 1.0, chest: 0.10, breadth: 0.92, fine: ALWAYS },
    Rib { along: [0.48, 0.0], top: 0.955, depth: 0.96, chest: 0.55, breadth: 0.93, fine: FULL },
    Rib { along: [0.68, 0.0], top: 0.955, depth: 0.96, chest: 0.90, breadth: 1.0, fine: MEDIUM },
    Rib { along: [0.86, 0.0], top: 0.99, depth: 0.99, chest: 1.0, breadth: 0.98, fine: ALWAYS },
    Rib { along: [1.0, -0.01], top: 0.985, depth: 0.97, chest: 1.0, breadth: 0.90, fine: FULL },
];

/// A section of the head: where it is along the face, how far it reaches up, down and aside, all in
/// lengths of the head, of a dog and of a horse.
struct Face {
    along: [f32; 2],
    up: [f32; 2],
    down: [f32; 2],
    side: [f32; 2],
    fine: [bool; 2],
}

const FACES: [Face; 7] = [
    Face {
        along: [0.10, 0.14],
        up: [0.205, 0.165],
        down: [0.21, 0.17],
        side: [0.200, 0.160],
        fine: MEDIUM,
    },
    Face {
        along: [0.28, 0.30],
        up: [0.215, 0.165],
        down: [0.19, 0.27],
        side: [0.215, 0.180],
        fine: ALWAYS,
    },
    Face {
        along: [0.42, 0.42],
        up: [0.165, 0.15],
        down: [0.175, 0.22],
        side: [0.175, 0.165],
        fine: FULL,
    },
    Face {
        along: [0.52, 0.57],
        up: [0.105, 0.12],
        down: [0.165, 0.15],
        side: [0.140, 0.125],
        fine: ALWAYS,
    },
    Face {
        along: [0.74, 0.76],
        up: [0.085, 0.095],
        down: [0.145, 0.115],
        side: [0.120, 0.100],
        fine: FULL,
    },
    Face {
        along: [0.93, 0.90],
        up: [0.085, 0.09],
        down: [0.115, 0.12],
        side: [0.100, 0.105],
        fine: ALWAYS,
    },
    Face {
        along: [0.99, 0.985],
        up: [0.075, 0.06],
        down: [0.035, 0.085],
        side: [0.060, 0.075],
        fine: FULL,
    },
];

pub(super) fn build(making: &mut Making) {
    let animal = making.animal;
    let mut sections: Vec<Section> = RIBS.iter().map(|rib| trunk_section(making, rib)).collect();
    sections.extend(neck_sections(making));
    sections.extend(FACES.iter().map(|face| head_section(making, face)));
    let nose = sections.len() - 1;
    let first = sections[0];
    let rump = first.centre + Vec3::new(0.0, 0.03, -0.018) * making.w();
    let tip = making.in_head(0.0, 1.01, -0.005);
    let ends = [(rump, carried(animal.pelvis())), (tip, carried(animal.head()))];
    let columns: &[f32] = making.detail.choose(
        &[0.0, 25.0, 50.0, 76.0, 102.0, 128.0, 154.0, 180.0],
        &[0.0, 48.0, 92.0, 136.0, 180.0],
        &[0.0, 60.0, 120.0, 180.0],
    );
    making.loft(&sections, ends, columns, |number, angle| match number {
        _ if number >= nose => Region::Skin,
        // From the belly over breast and throat to the chin.
        _ if angle < 50.0 => Region::Bottom,
        _ => Region::Top,
    });
}

fn trunk_section(making: &Making, rib: &Rib) -> Section {
    let (animal, w) = (making.animal, making.w());
    let (bones, figure) = (animal.proportions(), &animal.breed().figure);
    let [share, offset] = rib.along;
    let z = (share - 0.5) * bones.trunk + offset * w;
    let depth = rib.depth * mix(figure.waist_depth, figure.chest_depth, rib.chest) * w;
    let side = rib.breadth * mix(figure.croup_half_width, figure.chest_half_width, rib.chest) * w;
    // The croup is as high as the hips ask for.
    let croup = bones.hip_height / w - 0.79;
    let top = (rib.top + croup * (1.0 - share)) * w;
    let joints = animal.spine();
    let mut carriers = vec![(animal.pelvis(), making.at(animal.pelvis()).z)];
    for (index, joint) in joints.into_iter().enumerate() {
        let here = making.at(joint).z;
        let next = joints.get(index + 1).map_or(0.5 * bones.trunk, |next| making.at(*next).z);
        carriers.push((joint, 0.5 * (here + next)));
    }
    Section {
        centre: Vec3::new(0.0, top - 0.46 * depth, z),
        rise: 0.0,
        up: 0.46 * depth,
        down: 0.54 * depth,
        side,
        square: 2.2,
        binding: between(&carriers, z),
        fine: rib.fine,
    }
}

fn neck_sections(making: &Making) -> Vec<Section> {
    let (animal, w) = (making.animal, making.w());
    let (bones, figure) = (animal.proportions(), &animal.breed().figure);
    let [neck1, neck2] = animal.neck();
    let [.., withers] = animal.spine();
    let (base, poll) = (making.at(neck1), making.at(animal.head()));
    let [thick, thin] = figure.neck_half_depth.map(|depth| depth * w);
    let carriers = [(withers, -0.25), (neck1, 0.25), (neck2, 0.72), (animal.head(), 1.08)];
    let line = poll - base;
    // The breast, turned half way from the trunk to the neck.
    let breast = Section {
        centre: base + Vec3::new(0.0, -0.04 * w, 0.04 * w),
        rise: 0.5 * bones.neck_rise,
        up: 1.3 * thick,
        down: 0.95 * thick,
        side: 0.66 * figure.chest_half_width * w,
        square: 2.0,
        binding: bind(&[(withers, 0.6), (neck1, 0.4)]),
        fine: MEDIUM,
    };
    let mut sections = vec![breast];
    for (share, fine) in [(0.34, ALWAYS), (0.53, FULL), (0.72, ALWAYS)] {
        let depth = mix(thick, thin, f32::min(share / 0.75, 1.0));
        sections.push(Section {
            centre: base + share * line + Vec3::new(0.0, -0.012, 0.0) * w,
            rise: mix(0.85, 1.0, share) * bones.neck_rise,
            up: depth,
            down: 1.05 * depth,
            side: 0.62 * depth,
            square: 2.1,
            binding: between(&carriers, share),
            fine,
        });
    }
    let rise = 0.5 * (bones.neck_rise - bones.head_drop);
    sections.push(Section {
        centre: poll + Vec3::new(0.0, -0.02, mix(-0.01, -0.025, figure.long_face)) * w,
        rise,
        up: mix(0.19, 0.12, figure.long_face) * bones.head,
        down: mix(0.25, 0.26, figure.long_face) * bones.head,
        side: mix(0.175, 0.14, figure.long_face) * bones.head,
        square: 2.1,
        binding: bind(&[(neck2, 0.4), (animal.head(), 0.6)]),
        fine: ALWAYS,
    });
    sections
}

fn head_section(making: &Making, face: &Face) -> Section {
    let (animal, figure) = (making.animal, &making.animal.breed().figure);
    let bones = animal.proportions();
    let of = |[dog, horse]: [f32; 2]| mix(dog, horse, figure.long_face);
    Section {
        centre: making.in_head(0.0, of(face.along), 0.0),
        rise: -bones.head_drop,
        up: of(face.up) * bones.head,
        down: of(face.down) * bones.head,
        side: of(face.side) * bones.head,
        square: 2.2,
        binding: carried(animal.head()),
        fine: face.fine,
    }
}
