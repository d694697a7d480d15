//! Arms and hands.

use glam::Vec3;

use super::body::{Body, Ring, Section, covered};
use super::outfit::{Detail, Sleeves};
use super::surface::{Chain, bind};
use super::{Binding, Region};
use crate::contact::Side;
use crate::landmark::Landmark;

/// A ring of the arm.
struct Station {
    /// From the shoulder (0) over the elbow (1) and the wrist (2) to the tips of the fingers (3).
    along: f32,
    /// Half breadth, depth in front and behind, as shares of the height.
    size: [f32; 3],
    /// The shares of the joints nearest to it.
    carried: &'static [(Carrier, f32)],
    /// The coarsest level that has it.
    until: Detail,
}

#[derive(Clone, Copy)]
enum Carrier {
    Collar,
    Upper,
    Fore,
    Hand,
    Fingers,
}

use Carrier::{Collar, Fingers, Fore, Hand, Upper};

const SHORT_SLEEVE: f32 = 0.52;
const CUFF: f32 = 1.9;

const ARM: [Station; 6] = [
    Station {
        along: 0.2,
        size: [0.0260, 0.0300, 0.0300],
        carried: &[(Upper, 0.82), (Collar, 0.18)],
        until: Detail::Full,
    },
    Station {
        along: SHORT_SLEEVE,
        size: [0.0260, 0.0285, 0.0275],
        carried: &[(Upper, 1.0)],
        until: Detail::Medium,
    },
    Station {
        along: 0.84,
        size: [0.0225, 0.0240, 0.0240],
        carried: &[(Upper, 0.92), (Fore, 0.08)],
        until: Detail::Full,
    },
    Station {
        along: 1.0,
        size: [0.0225, 0.0225, 0.0235],
        carried: &[(Upper, 0.5), (Fore, 0.5)],
        until: Detail::Low,
    },
    Station {
        along: 1.2,
        size: [0.0235, 0.0255, 0.0240],
        carried: &[(Upper, 0.06), (Fore, 0.94)],
        until: Detail::Full,
    },
    Station {
        along: CUFF,
        size: [0.0135, 0.0165, 0.0165],
        carried: &[(Fore, 0.8), (Hand, 0.2)],
        until: Detail::Medium,
    },
];

const HAND: [Station; 3] = [
    Station {
        along: 2.12,
        size: [0.0125, 0.0195, 0.0185],
        carried: &[(Hand, 1.0)],
        until: Detail::Full,
    },
    Station {
        along: 2.47,
        size: [0.0115, 0.0235, 0.0225],
        carried: &[(Hand, 0.6), (Fingers, 0.4)],
        until: Detail::Medium,
    },
    Station {
        along: 2.97,
        size: [0.0065, 0.0120, 0.0105],
        carried: &[(Fingers, 1.0)],
        until: Detail::Low,
    },
];

const FULL: [f32; 8] = [0.0, 45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 315.0];
const MEDIUM: [f32; 5] = [0.0, 72.0, 144.0, 216.0, 288.0];
const LOW: [f32; 3] = [30.0, 150.0, 270.0];

pub(super) fn build(body: &mut Body, opening: &Chain) {
    let angles: &[f32] = body.detail.choose(&FULL, &MEDIUM, &LOW);
    let sleeve = match body.outfit.sleeves {
        _ if body.outfit.coat => CUFF,
        Sleeves::Long => CUFF,
        Sleeves::Short => SHORT_SLEEVE,
        Sleeves::None => 0.0,
    };
    let mut above = opening.clone();
    for station in &ARM {
        // Where a sleeve ends there is a ring at every level.
        if body.detail > station.until && station.along != sleeve {
            continue;
        }
        let clothed = station.along <= sleeve;
        let ring = arm_ring(body, station, clothed, angles);
        body.surface.tube(covered(Region::Top, clothed), &ring, &above);
        above = ring;
        if station.along == sleeve && body.detail == Detail::Full {
            let bare = arm_ring(body, station, false, angles);
            body.surface.tube(Region::Top, &bare, &above);
            above = bare;
        }
    }
    hand(body, above, angles);
}

fn arm_ring(body: &mut Body, station: &Station, clothed: bool, angles: &[f32]) -> Chain {
    let traits = &body.traits;
    let along = station.along;
    let upper = (1.5 - along).clamp(0.0, 1.0);
    let soft = traits.girth(0.16 + 0.16 * upper, 0.10 + 0.04 * upper);
    let sexed = traits.sexed(1.0, 0.90 - 0.02 * upper);
    let loose = match (clothed, body.outfit.coat) {
        (false, _) => 1.0,
        // Sleeves hang more freely the farther down.
        (true, false) => 1.06 + 0.14 * (0.5 * along).min(1.0),
        (true, true) => 1.12 + 0.2 * (0.5 * along).min(1.0),
    };
    let scale = body.lengths.height * soft * sexed * loose;
    // Where an arm is thicker, it leaves the trunk farther down.
    let along =
        if along < SHORT_SLEEVE { along + 0.3 * (soft * loose - 1.0).max(0.0) } else { along };
    // The shoulder's muscle lies mostly behind the joint's outer edge.
    let inwards = 0.010 * body.lengths.height * (1.0 - along / SHORT_SLEEVE).max(0.0);
    let ring = Ring {
        centre: centre(body, along) - Vec3::X * inwards,
        section: Section::new(station.size, 2.1).scaled(scale),
        binding: binding(body, station.carried),
    };
    body.ring(&ring, angles, Body::on_arm)
}

fn hand(body: &mut Body, wrist: Chain, angles: &[f32]) {
    let mut above = wrist;
    for station in &HAND {
        if body.detail > station.until {
            continue;
        }
        let scale = hand_size(body);
        let curl = (station.along - 2.3).max(0.0);
        let ring = Ring {
            centre: centre(body, station.along) - Vec3::X * 0.18 * curl * curl * body.lengths.hand,
            section: Section::new(station.size, 2.8).scaled(scale),
            binding: binding(body, station.carried),
        };
        let ring = body.ring(&ring, angles, Body::on_arm);
        if station.along == 2.47 {
            thumb(body, &ring, &above);
        } else {
            body.surface.tube(Region::Skin, &ring, &above);
        }
        above = ring;
    }
    body.surface.loop_floor(Region::Skin, &above);
}

/// Breadths of the hand: they follow its length.
fn hand_size(body: &Body) -> f32 {
    body.lengths.hand / 0.102 * body.traits.girth(0.12, 0.06) * body.traits.sexed(1.0, 0.93)
}

/// The band of the palm, with the thumb where it opens at the front.
fn thumb(body: &mut Body, knuckles: &Chain, wrist: &Chain) {
    let part = |chain: &Chain, from: usize, to: usize| {
        let count = chain.vertices.len();
        let mut part = Chain::default();
        for index in from..=to {
            let turn = 360.0 * (index / count) as f32;
            part.push(chain.vertices[index % count], chain.angles[index % count] + turn);
        }
        part
    };
    let count = knuckles.vertices.len();
    let forwards = body.detail.choose(0.33, 0.42, 0.42);
    let tip = thumb_point(body, Vec3::new(-0.15, -0.62, forwards));
    let carried = bind(&[(body.human.thumb(Side::Left), 1.0)]);
    if body.detail != Detail::Full {
        // One face of the palm becomes a point.
        body.surface.strip(Region::Skin, &part(knuckles, 0, count - 1), &part(wrist, 0, count - 1));
        let tip = body.on_arm(tip);
        let tip = body.surface.vertex(tip, carried);
        let last = count - 1;
        let corners = [
            knuckles.vertices[last],
            knuckles.vertices[0],
            wrist.vertices[0],
            wrist.vertices[last],
        ];
        for side in 0..4 {
            body.surface.triangle(Region::Skin, [corners[side], corners[(side + 1) % 4], tip]);
        }
        return;
    }
    // All but the two faces left and right of the front.
    let (from, to) = (1, count - 1);
    body.surface.strip(Region::Skin, &part(knuckles, from, to), &part(wrist, from, to));
    let mut edge: Vec<u32> = part(knuckles, to, count + 1).vertices;
    edge.extend(part(wrist, to, count + 1).vertices.iter().rev());
    // The thumb points forwards and down: seen from there the edge runs as the ring below.
    let middle = thumb_point(body, Vec3::new(-0.11, -0.40, 0.27));
    let [side, along] = [0.075, 0.07].map(|size| size * hand_size(body) * 0.102);
    let half =
        bind(&[(body.human.thumb(Side::Left), 0.85), (body.joint(Landmark::LeftHand), 0.15)]);
    let corner = |x: f32, y: f32| Vec3::new(x * side, y * along * 0.7, y * along * 0.75);
    let ring: Vec<u32> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .into_iter()
        .map(|(x, y)| {
            let at = middle + corner(x, y);
            let at = body.on_arm(at);
            body.surface.vertex(at, half)
        })
        .collect();
    // Edge: knuckles from inside over the front to outside, then the wrist's back.
    let [k0, k1, k2, w2, w1, w0] = [edge[0], edge[1], edge[2], edge[3], edge[4], edge[5]];
    let [r0, r1, r2, r3] = [ring[0], ring[1], ring[2], ring[3]];
    let skin = Region::Skin;
    body.surface.triangle(skin, [k0, k1, r0]);
    body.surface.triangle(skin, [k1, r1, r0]);
    body.surface.triangle(skin, [k1, k2, r1]);
    body.surface.quad(skin, [k2, w2, r2, r1]);
    body.surface.triangle(skin, [w2, w1, r2]);
    body.surface.triangle(skin, [w1, r3, r2]);
    body.surface.triangle(skin, [w1, w0, r3]);
    body.surface.quad(skin, [w0, k0, r0, r3]);
    let tips: Vec<u32> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .into_iter()
        .map(|(x, y)| {
            let at = tip + 0.6 * corner(x, y);
            let at = body.on_arm(at);
            body.surface.vertex(at, carried)
        })
        .collect();
    for side in 0..4 {
        let next = (side + 1) % 4;
        body.surface.quad(skin, [ring[side], ring[next], tips[next], tips[side]]);
    }
    body.surface.quad(skin, [tips[0], tips[1], tips[2], tips[3]]);
}

/// A place near the thumb: from the wrist, in lengths of the hand, as it hangs.
fn thumb_point(body: &Body, at: Vec3) -> Vec3 {
    body.at(Landmark::LeftHand) + at * body.lengths.hand
}

/// The middle of the arm: `along` as in [`Station`].
fn centre(body: &Body, along: f32) -> Vec3 {
    let lengths = body.lengths;
    let down = along.clamp(0.0, 1.0) * lengths.upper_arm
        + (along - 1.0).clamp(0.0, 1.0) * lengths.forearm
        + (along - 2.0).clamp(0.0, 1.0) * lengths.hand;
    body.at(Landmark::LeftUpperArm) - Vec3::Y * down
}

fn binding(body: &Body, carried: &[(Carrier, f32)]) -> Binding {
    let shares: Vec<_> = carried
        .iter()
        .map(|(carrier, share)| {
            let joint = match carrier {
                Collar => body.joint(Landmark::LeftShoulder),
                Upper => body.joint(Landmark::LeftUpperArm),
                Fore => body.joint(Landmark::LeftForearm),
                Hand => body.joint(Landmark::LeftHand),
                Fingers => body.human.fingers(Side::Left),
            };
            (joint, *share)
        })
        .collect();
    bind(&shares)
}
