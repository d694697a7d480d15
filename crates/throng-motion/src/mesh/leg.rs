//! Legs and shoes.
//!
//! The sole is flat on the ground at rest, and its heel, ball and tip are where the body's
//! [`FootShape`](crate::FootShape) has them, so that feet that are planted by it look planted.

use glam::Vec3;

use super::body::{Body, Ring, Section, circumscribed, covered};
use super::outfit::{Bottom, Detail};
use super::surface::{Chain, bind};
use super::{Binding, Region};
use crate::landmark::Landmark;

/// A ring of the leg.
struct Station {
    /// From the hip (0) over the knee (1) to the ankle (2).
    along: f32,
    /// Half breadth, depth in front and behind of the bare leg, as shares of the height.
    bare: [f32; 3],
    /// The same in trousers.
    clothed: [f32; 3],
    /// Shares of hips, thigh, shank.
    carried: [f32; 3],
    /// The coarsest level that has it.
    until: Detail,
}

const SHORTS: f32 = 0.80;
const HEM: f32 = 2.02;

const LEG: [Station; 7] = [
    Station {
        along: 0.32,
        bare: [0.0465, 0.0500, 0.0530],
        clothed: [0.0475, 0.0510, 0.0540],
        carried: [0.06, 0.94, 0.0],
        until: Detail::Full,
    },
    Station {
        along: 0.56,
        bare: [0.0415, 0.0460, 0.0450],
        clothed: [0.0435, 0.0475, 0.0470],
        carried: [0.0, 1.0, 0.0],
        until: Detail::Medium,
    },
    Station {
        along: SHORTS,
        bare: [0.0350, 0.0385, 0.0365],
        clothed: [0.0390, 0.0420, 0.0405],
        carried: [0.0, 0.94, 0.06],
        until: Detail::Full,
    },
    Station {
        along: 1.0,
        bare: [0.0310, 0.0335, 0.0320],
        clothed: [0.0355, 0.0375, 0.0365],
        carried: [0.0, 0.5, 0.5],
        until: Detail::Low,
    },
    Station {
        along: 1.15,
        bare: [0.0295, 0.0285, 0.0350],
        clothed: [0.0345, 0.0335, 0.0385],
        carried: [0.0, 0.06, 0.94],
        until: Detail::Full,
    },
    Station {
        along: 1.32,
        bare: [0.0310, 0.0265, 0.0410],
        clothed: [0.0345, 0.0310, 0.0410],
        carried: [0.0, 0.0, 1.0],
        until: Detail::Medium,
    },
    Station {
        along: HEM,
        bare: [0.0190, 0.0195, 0.0230],
        clothed: [0.0320, 0.0365, 0.0340],
        carried: [0.0, 0.0, 1.0],
        until: Detail::Low,
    },
];

const FULL: [f32; 10] = [-54.0, -18.0, 18.0, 54.0, 90.0, 126.0, 162.0, 198.0, 234.0, 270.0];
const MEDIUM: [f32; 6] = [-30.0, 30.0, 90.0, 150.0, 210.0, 270.0];
const LOW: [f32; 4] = [-45.0, 45.0, 135.0, 225.0];

pub(super) fn build(body: &mut Body, opening: Option<&Chain>) {
    let angles: &[f32] = body.detail.choose(&FULL, &MEDIUM, &LOW);
    let cut = match body.outfit.bottom {
        Bottom::Trousers => HEM,
        Bottom::Shorts => SHORTS,
        Bottom::Skirt => 0.0,
    };
    let mut above = opening.cloned();
    for station in &LEG {
        let cut_here = station.along == cut && opening.is_some();
        if body.detail > station.until && !cut_here {
            continue;
        }
        // Under a skirt or a coat, legs begin where it hides their ends.
        if opening.is_none() && station.along < 0.5 {
            continue;
        }
        let clothed = station.along <= cut;
        let ring = leg_ring(body, station, clothed, angles);
        let region = covered(Region::Bottom, clothed);
        match &above {
            Some(above) => body.surface.tube(region, &ring, above),
            None => {
                let top = body.at(Landmark::LeftUpperLeg) - Vec3::Y * 0.4 * body.lengths.thigh;
                let binding = bind(&[(body.joint(Landmark::LeftUpperLeg), 1.0)]);
                let top = body.surface.vertex(top, binding);
                body.surface.loop_roof(covered(Region::Bottom, cut > 0.0), &ring, top);
            }
        }
        let mut ring = ring;
        if cut_here && cut == SHORTS && body.detail == Detail::Full {
            let bare = leg_ring(body, station, false, angles);
            body.surface.tube(Region::Bottom, &bare, &ring);
            ring = bare;
        }
        above = Some(ring);
    }
    if let Some(ankle) = above {
        shoe(body, &ankle, angles, cut == HEM);
    }
}

fn leg_ring(body: &mut Body, station: &Station, clothed: bool, angles: &[f32]) -> Chain {
    let traits = &body.traits;
    let height = body.lengths.height;
    let thigh = (1.0 - station.along).clamp(0.0, 1.0);
    let soft = traits.girth(0.14 + 0.14 * thigh, 0.08 + 0.06 * thigh);
    let sexed = traits.sexed(1.0, 0.95 + 0.08 * thigh);
    let size = if clothed { station.clothed } else { station.bare };
    // Nobody sees how slim legs are under a skirt, and they do not show when they step out.
    let slim = body.detail.choose(0.60, 0.56, 0.56);
    let hidden = if body.skirted() { slim + 0.8 * (station.along - 0.5) } else { 1.0 };
    let section = Section::new(size, 2.1).scaled(height * soft * sexed * hidden.min(1.0));
    let joint = body.at(Landmark::LeftUpperLeg);
    let down = station.along.min(1.0) * body.lengths.thigh
        + (station.along - 1.0).max(0.0) * body.lengths.shank;
    // Strong thighs push each other apart rather than into each other.
    let apart = (section.side * circumscribed(angles.len()) + 0.002 * height - joint.x).max(0.0);
    let [hips, upper, lower] = station.carried;
    // A bare ankle belongs to both of its bones; a hem hangs from the shank.
    let foot = if !clothed && station.along == HEM { 0.5 * lower } else { 0.0 };
    let shares = [
        (body.joint(Landmark::Hips), hips),
        (body.joint(Landmark::LeftUpperLeg), upper),
        (body.joint(Landmark::LeftLowerLeg), lower - foot),
        (body.joint(Landmark::LeftFoot), foot),
    ];
    let ring = Ring {
        centre: Vec3::new(joint.x + apart, joint.y - down, 0.0),
        section,
        binding: bind(&shares),
    };
    body.ring(&ring, angles, |_, at| at)
}

/// A corner of the shoe seen from above: half breadth as a share of the height, and where it is
/// along the foot: -1 at the heel, 0 below the ankle, 1 at the ball, 2 at the tip.
type Corner = (f32, f32);

/// The shoe's corners from the tip (outside) to the heel, which the inside repeats; one row for
/// each height.
struct Shoe {
    /// At the edge of the sole on the ground.
    sole: &'static [Corner],
    /// Where the shoe is widest, above the sole.
    wall: &'static [Corner],
    /// On the instep, with heights as shares of the ankle's.
    instep: &'static [(f32, f32, f32)],
}

const FULL_SHOE: Shoe = Shoe {
    sole: &[(0.0125, 2.0), (0.0265, 1.0), (0.0200, 0.25), (0.0195, -0.45), (0.0100, -1.0)],
    wall: &[(0.0140, 2.12), (0.0285, 1.05), (0.0235, 0.25), (0.0215, -0.5), (0.0110, -1.3)],
    instep: &[
        (0.0145, 0.60, 0.80),
        (0.0245, 0.52, 0.50),
        (0.0225, 0.62, 0.05),
        (0.0205, 0.72, -0.65),
        (0.0095, 0.78, -1.2),
    ],
};

const MEDIUM_SHOE: Shoe = Shoe {
    sole: &[(0.0170, 2.0), (0.0275, 0.8), (0.0160, -1.0)],
    wall: &[],
    instep: &[(0.0190, 0.60, 0.85), (0.0240, 0.62, 0.1), (0.0165, 0.74, -1.15)],
};

const LOW_SHOE: Shoe = Shoe { sole: &[(0.0230, 2.0), (0.0220, -1.0)], wall: &[], instep: &[] };

fn shoe(body: &mut Body, ankle: &Chain, angles: &[f32], trousers: bool) {
    let shoe = body.detail.choose(&FULL_SHOE, &MEDIUM_SHOE, &LOW_SHOE);
    let height = body.lengths.foot.ankle_height;
    let mut above = ankle.clone();
    let mut first = true;
    let instep: Vec<(Corner, f32)> =
        shoe.instep.iter().map(|&(x, y, z)| ((x, z), y * height)).collect();
    let flat = |corners: &[Corner], y: f32| corners.iter().map(|&corner| (corner, y)).collect();
    let rows: [Vec<(Corner, f32)>; 3] =
        [instep, flat(shoe.wall, 0.30 * height), flat(shoe.sole, 0.0)];
    for row in rows.iter().filter(|row| !row.is_empty()) {
        let ring = shoe_ring(body, row, angles);
        // Trousers end on the shoe; without them the shoe begins at the ankle.
        let hem = first && trousers && body.detail != Detail::Low;
        let region = if hem { Region::Bottom } else { Region::Shoes };
        body.surface.tube(region, &ring, &above);
        above = ring;
        first = false;
    }
    // From the tip backwards, so that the sole bends across the ball.
    let start = angles.iter().position(|angle| *angle >= 0.0).unwrap_or(1) - 1;
    above.vertices.rotate_left(start);
    body.surface.loop_floor(Region::Shoes, &above);
}

fn shoe_ring(body: &mut Body, row: &[(Corner, f32)], angles: &[f32]) -> Chain {
    let foot = body.lengths.foot;
    let ankle = body.at(Landmark::LeftFoot);
    let wide = body.lengths.height * body.traits.girth(0.06, 0.03) * body.traits.sexed(1.0, 0.93);
    let mut chain = Chain::default();
    for &angle in angles {
        // Inside repeats outside: both are counted from the front.
        let from_front = if angle > 180.0 { 360.0 - angle } else { angle.abs() };
        let corner = (from_front / 180.0 * row.len() as f32) as usize;
        let ((breadth, along), y) = row[corner.min(row.len() - 1)];
        let z = if along < 0.0 {
            along * foot.heel
        } else {
            along.min(1.0) * foot.ball + (along - 1.0).max(0.0) * foot.toes
        };
        let outside = (0.0..=180.0).contains(&angle);
        let x = breadth * wide * if outside { 1.0 } else { -1.0 };
        // Toes lie a little outside of the ankle's line.
        let at = Vec3::new(ankle.x + x + 0.04 * z.max(0.0), y, z);
        let binding = shoe_binding(body, along);
        let vertex = body.surface.vertex(at, binding);
        chain.push(vertex, angle);
    }
    chain
}

fn shoe_binding(body: &Body, along: f32) -> Binding {
    let toes = ((along - 0.7) / 0.6).clamp(0.0, 1.0);
    bind(&[(body.joint(Landmark::LeftFoot), 1.0 - toes), (body.joint(Landmark::LeftToes), toes)])
}
