//! The trunk from the groin to the neck, with openings for the limbs, and skirts and coats.
//!
//! Rows go around the body and are tilted: the lowest follows the groin, the upper ones lie on the
//! shoulders around the neck. The arms leave between the columns at the sides, the legs through
//! the two halves of the lowest row.

use glam::Vec3;

use super::body::{Body, Section, circumscribed};
use super::physique::{Traits, mix};
use super::surface::{Chain, bind};
use super::{Binding, Region};
use crate::landmark::Landmark;
use crate::skeleton::JointId;

/// The edges that limbs and head go on from.
pub(super) struct Openings {
    /// None under skirts and coats, where the legs are surfaces of their own.
    pub leg: Option<Chain>,
    pub arm: Chain,
    pub neck: Chain,
}

/// A row of the trunk: lengths are shares of the height.
struct Row {
    /// Heights in front, at the sides and behind: 0 at the hip joints, 1 at the base of the neck.
    level: [f32; 3],
    /// Half breadth, depth in front and behind of a man.
    man: [f32; 3],
    /// The same of a woman.
    woman: [f32; 3],
    /// By how much each of them grows when somebody is heavy.
    heavy: [f32; 3],
    square: f32,
    /// Shares of the arm and the collar bone at the side.
    arm: [f32; 2],
}

const GROIN: usize = 0;
const HIPS: usize = 1;
const PELVIS: usize = 2;
const WAIST: usize = 3;
const RIBS: usize = 4;
const CHEST: usize = 5;
const ARMPITS: usize = 6;
const SHOULDERS: usize = 7;
const SHOULDER_TOPS: usize = 8;
const COLLAR: usize = 9;
const NECK: usize = 10;

const ROWS: [Row; 11] = [
    Row {
        level: [-0.17, -0.05, -0.19],
        man: [0.096, 0.052, 0.066],
        woman: [0.104, 0.052, 0.070],
        heavy: [0.20, 0.22, 0.24],
        square: 2.5,
        arm: [0.0; 2],
    },
    Row {
        level: [0.03, 0.06, 0.02],
        man: [0.095, 0.053, 0.060],
        woman: [0.101, 0.054, 0.063],
        heavy: [0.21, 0.45, 0.26],
        square: 2.4,
        arm: [0.0; 2],
    },
    Row {
        level: [0.21, 0.22, 0.21],
        man: [0.087, 0.055, 0.055],
        woman: [0.089, 0.055, 0.055],
        heavy: [0.32, 0.72, 0.30],
        square: 2.4,
        arm: [0.0; 2],
    },
    Row {
        level: [0.38, 0.38, 0.38],
        man: [0.080, 0.053, 0.047],
        woman: [0.071, 0.048, 0.043],
        heavy: [0.42, 0.82, 0.34],
        square: 2.3,
        arm: [0.0; 2],
    },
    Row {
        level: [0.53, 0.53, 0.53],
        man: [0.084, 0.057, 0.053],
        woman: [0.074, 0.051, 0.047],
        heavy: [0.34, 0.55, 0.28],
        square: 2.4,
        arm: [0.0; 2],
    },
    Row {
        level: [0.665, 0.66, 0.66],
        man: [0.089, 0.062, 0.060],
        woman: [0.078, 0.055, 0.053],
        heavy: [0.25, 0.32, 0.22],
        square: 2.5,
        arm: [0.02, 0.0],
    },
    Row {
        level: [0.79, 0.765, 0.775],
        man: [0.090, 0.060, 0.064],
        woman: [0.079, 0.053, 0.056],
        heavy: [0.18, 0.22, 0.18],
        square: 2.6,
        arm: [0.28, 0.08],
    },
    Row {
        level: [0.875, 0.87, 0.88],
        man: [0.095, 0.051, 0.060],
        woman: [0.085, 0.045, 0.052],
        heavy: [0.10, 0.18, 0.14],
        square: 2.7,
        arm: [0.38, 0.30],
    },
    Row {
        level: [0.935, 0.975, 0.985],
        man: [0.094, 0.040, 0.050],
        woman: [0.085, 0.036, 0.044],
        heavy: [0.07, 0.14, 0.12],
        square: 2.4,
        arm: [0.30, 0.50],
    },
    Row {
        level: [0.965, 1.03, 1.045],
        man: [0.060, 0.034, 0.041],
        woman: [0.053, 0.031, 0.036],
        heavy: [0.08, 0.16, 0.12],
        square: 2.1,
        arm: [0.0, 0.35],
    },
    Row {
        level: [1.01, 1.065, 1.07],
        man: [0.036, 0.030, 0.034],
        woman: [0.031, 0.026, 0.029],
        heavy: [0.14, 0.16, 0.12],
        square: 2.0,
        arm: [0.0; 2],
    },
];

/// What a level of detail leaves out.
struct Grid {
    rows: &'static [usize],
    /// Columns of the left half, in degrees from the front; the arm leaves between `arm`.
    columns: &'static [f32],
    arm: (usize, usize),
}

const FULL: Grid = Grid {
    rows: &[
        GROIN,
        HIPS,
        PELVIS,
        WAIST,
        RIBS,
        CHEST,
        ARMPITS,
        SHOULDERS,
        SHOULDER_TOPS,
        COLLAR,
        NECK,
    ],
    columns: &[0.0, 22.5, 45.0, 67.5, 90.0, 112.5, 135.0, 157.5, 180.0],
    arm: (3, 5),
};

const MEDIUM: Grid = Grid {
    rows: &[GROIN, HIPS, WAIST, CHEST, ARMPITS, SHOULDER_TOPS, NECK],
    columns: &[0.0, 36.0, 67.0, 113.0, 144.0, 180.0],
    arm: (2, 3),
};

const LOW: Grid = Grid {
    rows: &[GROIN, HIPS, ARMPITS, SHOULDER_TOPS, NECK],
    columns: &[0.0, 62.0, 118.0, 180.0],
    arm: (1, 2),
};

/// Rows of skirts and coats below the hips: height between the knees (0) and the hip joints (1),
/// breadth and depths as shares of the height, and the share of the legs that carry it.
const SKIRT: [(f32, [f32; 3], f32); 3] = [
    (0.76, [0.108, 0.066, 0.076], 0.60),
    (0.44, [0.112, 0.072, 0.078], 0.95),
    (0.12, [0.118, 0.076, 0.084], 0.98),
];

/// Where the legs' ring lies when it is the lower edge of the trunk: the outside of the leg is at
/// 90 degrees, the crotch at 270.
const CROTCH_ANGLE: f32 = 270.0;

pub(super) fn build(body: &mut Body) -> Openings {
    let grid = body.detail.choose(&FULL, &MEDIUM, &LOW);
    let skirted = body.skirted();
    let first = if skirted { 1 } else { 0 };
    let rows: Vec<(usize, Chain)> =
        grid.rows[first..].iter().map(|&row| (row, row_of(body, grid, row))).collect();
    for pair in rows.windows(2) {
        band(body, grid, &pair[0], &pair[1]);
    }
    let leg = if skirted {
        skirt(body, grid, &rows[0].1);
        None
    } else {
        Some(leg_opening(body, &rows[0].1))
    };
    let neck = rows.last().map(|(_, chain)| chain.clone()).unwrap_or_default();
    Openings { leg, arm: arm_opening(grid, &rows), neck }
}

/// Fills the space between two rows, but for the opening of the arm.
fn band(body: &mut Body, grid: &Grid, lower: &(usize, Chain), upper: &(usize, Chain)) {
    let region = if lower.0 >= HIPS || body.outfit.coat { Region::Top } else { Region::Bottom };
    let (lower_row, lower) = lower;
    let (upper_row, upper) = upper;
    if *lower_row < ARMPITS || *upper_row > SHOULDER_TOPS {
        body.surface.strip(region, lower, upper);
        return;
    }
    let part = |chain: &Chain, columns: std::ops::RangeInclusive<usize>| Chain {
        vertices: chain.vertices[columns.clone()].to_vec(),
        angles: chain.angles[columns].to_vec(),
    };
    let (from, to) = grid.arm;
    let last = grid.columns.len() - 1;
    body.surface.strip(region, &part(lower, 0..=from), &part(upper, 0..=from));
    body.surface.strip(region, &part(lower, to..=last), &part(upper, to..=last));
}

/// The edge of the arm's opening: from the front over the shoulder and behind to the armpit.
fn arm_opening(grid: &Grid, rows: &[(usize, Chain)]) -> Chain {
    let around: Vec<&Chain> = rows
        .iter()
        .filter(|(row, _)| (ARMPITS..=SHOULDER_TOPS).contains(row))
        .map(|(_, chain)| chain)
        .collect();
    let (from, to) = grid.arm;
    let between = &around[1..around.len() - 1];
    let (below, above) = (around[0], around[around.len() - 1]);
    let mut vertices: Vec<u32> = between.iter().map(|chain| chain.vertices[from]).collect();
    vertices.extend(&above.vertices[from..=to]);
    vertices.extend(between.iter().rev().map(|chain| chain.vertices[to]));
    vertices.extend(below.vertices[from..=to].iter().rev());
    // Without a row between, the opening begins at its upper front corner.
    let step = 360.0 / vertices.len() as f32;
    let start = if between.is_empty() { 0.5 * step } else { 0.0 };
    let angles = (0..vertices.len()).map(|i| start + step * i as f32).collect();
    Chain { vertices, angles }
}

/// The edge of the left leg's opening: the lowest row and the crotch.
fn leg_opening(body: &mut Body, groin: &Chain) -> Chain {
    let (hips, leg) = (Landmark::Hips, Landmark::LeftUpperLeg);
    let crotch = Vec3::new(0.0, level(body, -0.205), -0.004 * body.lengths.height);
    let binding =
        bind(&[(body.joint(hips), 0.6), (body.joint(leg), 0.2), (body.joint(leg.mirrored()), 0.2)]);
    let crotch = body.surface.seam_vertex(crotch, binding);
    let step = 288.0 / (groin.vertices.len() - 1) as f32;
    let mut chain = Chain::default();
    for (column, &vertex) in groin.vertices.iter().enumerate() {
        chain.push(vertex, -54.0 + step * column as f32);
    }
    chain.push(crotch, CROTCH_ANGLE);
    chain
}

/// What hangs from the hips in one piece, closed from below.
fn skirt(body: &mut Body, grid: &Grid, hips: &Chain) {
    let knee = body.at(Landmark::LeftLowerLeg).y;
    let hip = body.at(Landmark::Hips).y;
    let rows = body.detail.choose(&SKIRT[..], &SKIRT[..], &SKIRT[2..]);
    let wider = body.traits.girth(0.22, 0.08) * body.traits.sexed(0.98, 1.0);
    let mut above = hips.clone();
    for (index, &(height, size, legs)) in rows.iter().enumerate() {
        let section = Section::new(size.map(|size| size * body.lengths.height * wider), 2.3);
        let section = section.scaled(circumscribed(2 * grid.columns.len() - 2));
        let y = mix(knee, hip, height);
        let below = chain(body, grid, |body, angle| {
            // What lies over a leg goes with it, or the leg would step through the cloth.
            let left = 0.5 + 0.5 * (2.6 * angle.to_radians().sin()).min(1.0);
            let shares = [
                (body.joint(Landmark::Hips), 1.0 - legs),
                (body.joint(Landmark::LeftUpperLeg), legs * left),
                (body.joint(Landmark::RightUpperLeg), legs * (1.0 - left)),
            ];
            (section.point(angle) + Vec3::Y * y, bind(&shares))
        });
        let last = index + 1 == rows.len();
        let region = match (body.outfit.coat, body.outfit.bottom) {
            (true, super::Bottom::Skirt) if last => Region::Bottom,
            (true, _) => Region::Top,
            (false, _) => Region::Bottom,
        };
        body.surface.strip(region, &below, &above);
        if last {
            let inside = Vec3::new(0.0, y + 0.03 * body.lengths.height, 0.0);
            let shares = [
                (body.joint(Landmark::Hips), 0.4),
                (body.joint(Landmark::LeftUpperLeg), 0.3),
                (body.joint(Landmark::RightUpperLeg), 0.3),
            ];
            let inside = body.surface.seam_vertex(inside, bind(&shares));
            body.surface.floor(region, &below, inside);
        }
        above = below;
    }
}

fn row_of(body: &mut Body, grid: &Grid, row: usize) -> Chain {
    let rounder = mix(1.0, circumscribed(2 * grid.columns.len() - 2), 0.8);
    chain(body, grid, |body, angle| {
        let share = level_at(&ROWS[row], angle);
        let mut at = surface(body, row, angle) * rounder;
        at.y = level(body, share);
        (at, binding(body, row, share, angle))
    })
}

/// One vertex per column; the first and the last are in the middle plane.
fn chain(body: &mut Body, grid: &Grid, vertex: impl Fn(&Body, f32) -> (Vec3, Binding)) -> Chain {
    let mut chain = Chain::default();
    let last = grid.columns.len() - 1;
    for (column, &angle) in grid.columns.iter().enumerate() {
        let (at, binding) = vertex(body, angle);
        let vertex = if column == 0 || column == last {
            body.surface.seam_vertex(at, binding)
        } else {
            body.surface.vertex(at, binding)
        };
        chain.push(vertex, angle);
    }
    chain
}

/// A height on the trunk: 0 at the hip joints, 1 at the base of the neck.
fn level(body: &Body, share: f32) -> f32 {
    body.lengths.leg() + share * body.lengths.trunk
}

/// How high a row is at an angle.
fn level_at(row: &Row, angle: f32) -> f32 {
    let cos = angle.to_radians().cos();
    let [front, side, back] = row.level;
    mix(side, if cos > 0.0 { front } else { back }, cos * cos)
}

/// Where a row's edge is at an angle, seen from above.
fn surface(body: &Body, row: usize, angle: f32) -> Vec3 {
    let traits = &body.traits;
    let height = body.lengths.height;
    let size: [f32; 3] = std::array::from_fn(|side| half_size(traits, row, side) * height);
    let mut section = Section::new(size, ROWS[row].square);
    // Shoulders follow the skeleton, whatever its proportions.
    if (ARMPITS..=SHOULDER_TOPS).contains(&row) {
        let usual = traits.sexed(0.105, 0.095);
        section.side *= mix(1.0, body.lengths.shoulder_half_width / (usual * height), 0.7);
    }
    if row == SHOULDER_TOPS {
        // Coarse arms begin farther down and would leave the shoulders sloping.
        section.side *= body.detail.choose(1.0, 1.08, 1.2);
    }
    let mut at = section.point(angle);
    at.z += height * (breast(traits, row, angle) + seat(traits, row, angle));
    at.z += 0.018 * height * belly(traits, row) * angle.to_radians().cos().max(0.0);
    if row == GROIN {
        // The fold between the legs.
        let middle = (angle.to_radians().cos().abs() - 0.85).max(0.0) / 0.15;
        at.z *= 1.0 - 0.35 * middle;
    }
    at
}

/// Half of the breadth of somebody's hips as a share of the height.
pub(super) fn hip_half_breadth(traits: &Traits) -> f32 {
    half_size(traits, HIPS, 0).max(half_size(traits, GROIN, 0))
}

/// Half breadth (0) and depths in front (1) and behind (2) of a row, as shares of the height.
fn half_size(traits: &Traits, row: usize, side: usize) -> f32 {
    let shape = &ROWS[row];
    let belly = if side == 1 { front_of(traits, row) } else { 1.0 };
    traits.sexed(shape.man[side], shape.woman[side])
        * traits.girth(shape.heavy[side] * belly, 0.11 + 0.10 * shape.heavy[side])
}

/// Men gain weight at the belly, women at hips and seat.
fn front_of(traits: &Traits, row: usize) -> f32 {
    if (PELVIS..=RIBS).contains(&row) { traits.sexed(1.1, 0.85) } else { 1.0 }
}

/// Children and old people have a belly without being heavy.
fn belly(traits: &Traits, row: usize) -> f32 {
    let here = match row {
        PELVIS => 0.8,
        WAIST => 1.0,
        RIBS => 0.5,
        _ => 0.0,
    };
    here * (0.35 * traits.child + 0.6 * traits.old)
}

fn breast(traits: &Traits, row: usize, angle: f32) -> f32 {
    let (man, woman) = match row {
        RIBS => (0.0, 0.004),
        CHEST => (0.003, 0.021),
        ARMPITS => (0.003, 0.010),
        _ => return 0.0,
    };
    let grown = 1.0 - traits.child;
    let round = (-((angle - 36.0) / 24.0).powi(2)).exp();
    grown * traits.sexed(man, woman) * traits.girth(0.45, 0.3) * round
}

fn seat(traits: &Traits, row: usize, angle: f32) -> f32 {
    let size = match row {
        GROIN => traits.sexed(0.007, 0.010),
        HIPS => traits.sexed(0.007, 0.010),
        _ => return 0.0,
    };
    -size * (-((angle - 152.0) / 26.0).powi(2)).exp()
}

/// Where along the trunk each joint carries all of it.
const CARRIED: [(Landmark, f32); 7] = [
    (Landmark::Hips, 0.03),
    (Landmark::Spine1, 0.19),
    (Landmark::Spine2, 0.325),
    (Landmark::Spine3, 0.465),
    (Landmark::Spine4, 0.63),
    (Landmark::Spine5, 0.84),
    (Landmark::Neck1, 1.14),
];

fn binding(body: &Body, row: usize, share: f32, angle: f32) -> Binding {
    let joint = |landmark| body.joint(landmark);
    if row == GROIN {
        let side = angle.to_radians().sin();
        let legs = mix(0.40, 0.55, side);
        let left = mix(0.5, 1.0, side.powf(0.6));
        return bind(&[
            (joint(Landmark::Hips), 1.0 - legs),
            (joint(Landmark::LeftUpperLeg), legs * left),
            (joint(Landmark::RightUpperLeg), legs * (1.0 - left)),
        ]);
    }
    let mut shares: Vec<(JointId, f32)> = Vec::with_capacity(4);
    let from_side = ((angle - 90.0).abs() - 25.0).max(0.0) / 45.0;
    let near_arm = (1.0 - from_side).max(0.0);
    let [arm, collar] = ROWS[row].arm.map(|share| share * near_arm * near_arm);
    let leg = if row == HIPS { 0.16 * angle.to_radians().sin() } else { 0.0 };
    let rest = 1.0 - arm - collar - leg;
    let above = CARRIED.iter().position(|(_, at)| *at > share).unwrap_or(CARRIED.len());
    if above == 0 || above == CARRIED.len() {
        shares.push((joint(CARRIED[above.min(CARRIED.len() - 1)].0), rest));
    } else {
        let ((lower, from), (upper, to)) = (CARRIED[above - 1], CARRIED[above]);
        let part = (share - from) / (to - from);
        shares.push((joint(lower), rest * (1.0 - part)));
        shares.push((joint(upper), rest * part));
    }
    shares.push((joint(Landmark::LeftUpperArm), arm));
    shares.push((joint(Landmark::LeftShoulder), collar));
    shares.push((joint(Landmark::LeftUpperLeg), leg));
    bind(&shares)
}
