//! Neck, head and ears.
//!
//! A face is no superellipse: its points are a table. Lengths are shares of the distance between
//! the joint that carries the head and the crown, from that joint.

use glam::Vec3;

use super::body::Body;
use super::outfit::Detail;
use super::physique::mix;
use super::surface::{Chain, bind};
use super::{Binding, Region, face, hair};
use crate::landmark::Landmark;

/// Columns of the left half of the head, in degrees from the front.
pub(super) const COLUMNS: [f32; 7] = [0.0, 12.0, 33.0, 62.0, 95.0, 138.0, 180.0];

/// Rows from the neck upwards.
const UNDER_JAW: usize = 0;
const JAW: usize = 1;
const MOUTH: usize = 2;
const NOSE: usize = 3;
const EYES: usize = 4;
const BROW: usize = 5;
const FOREHEAD: usize = 6;
const TOP: usize = 7;
const CROWN: Vec3 = Vec3::new(0.0, 1.0, -0.04);

const FACE: [[[f32; 3]; 7]; 8] = [
    [
        [0.0, -0.50, 0.29],
        [0.07, -0.505, 0.28],
        [0.19, -0.49, 0.23],
        [0.29, -0.46, 0.13],
        [0.33, -0.43, -0.05],
        [0.25, -0.40, -0.29],
        [0.0, -0.39, -0.38],
    ],
    [
        [0.0, -0.49, 0.605],
        [0.095, -0.485, 0.59],
        [0.215, -0.445, 0.465],
        [0.36, -0.35, 0.22],
        [0.405, -0.24, -0.01],
        [0.30, -0.22, -0.33],
        [0.0, -0.20, -0.44],
    ],
    [
        [0.0, -0.185, 0.69],
        [0.12, -0.195, 0.655],
        [0.28, -0.20, 0.53],
        [0.42, -0.15, 0.26],
        [0.455, -0.06, -0.01],
        [0.35, -0.04, -0.39],
        [0.0, -0.02, -0.52],
    ],
    [
        [0.0, 0.0, 0.80],
        [0.095, -0.045, 0.675],
        [0.32, 0.02, 0.55],
        [0.455, 0.05, 0.29],
        [0.485, 0.10, -0.02],
        [0.385, 0.12, -0.43],
        [0.0, 0.13, -0.575],
    ],
    [
        [0.0, 0.285, 0.645],
        [0.085, 0.275, 0.575],
        [0.335, 0.28, 0.485],
        [0.465, 0.29, 0.28],
        [0.505, 0.32, -0.03],
        [0.405, 0.32, -0.455],
        [0.0, 0.33, -0.60],
    ],
    [
        [0.0, 0.41, 0.665],
        [0.12, 0.415, 0.645],
        [0.335, 0.42, 0.555],
        [0.47, 0.44, 0.29],
        [0.51, 0.47, -0.04],
        [0.405, 0.48, -0.455],
        [0.0, 0.48, -0.60],
    ],
    [
        [0.0, 0.66, 0.605],
        [0.115, 0.66, 0.585],
        [0.295, 0.67, 0.49],
        [0.425, 0.69, 0.25],
        [0.465, 0.70, -0.05],
        [0.355, 0.70, -0.40],
        [0.0, 0.70, -0.53],
    ],
    [
        [0.0, 0.885, 0.37],
        [0.065, 0.885, 0.355],
        [0.18, 0.89, 0.29],
        [0.27, 0.90, 0.14],
        [0.30, 0.905, -0.04],
        [0.21, 0.90, -0.25],
        [0.0, 0.90, -0.34],
    ],
];

const LOW_DEPTH: Vec3 = Vec3::new(1.0, 1.0, 1.12);

/// Columns and rows that a level of detail has.
fn grid(detail: Detail) -> (&'static [usize], &'static [usize]) {
    detail.choose(
        (&[0, 1, 2, 3, 4, 5, 6], &[UNDER_JAW, JAW, MOUTH, NOSE, EYES, BROW, FOREHEAD, TOP]),
        (&[0, 2, 4, 5, 6], &[UNDER_JAW, JAW, NOSE, BROW, TOP]),
        (&[0, 3, 6], &[JAW, FOREHEAD]),
    )
}

pub(super) fn columns(detail: Detail) -> &'static [usize] {
    grid(detail).0
}

pub(super) fn build(body: &mut Body, neck: &Chain) {
    let (columns, rows) = grid(body.detail);
    let mut below = neck.clone();
    for &row in rows {
        let mut chain = Chain::default();
        for &column in columns {
            let mut at = place(body, surface(body, column, row as f32));
            if row == UNDER_JAW {
                // Necks are short or long: this row lies between collar and jaw.
                let jaw = place(body, surface(body, column, JAW as f32)).y;
                at.y = mix(collar(body, neck, COLUMNS[column]), jaw, 0.7);
            }
            let binding = binding(body, row, column);
            let vertex = if column == 0 || column == COLUMNS.len() - 1 {
                body.surface.seam_vertex(at, binding)
            } else {
                body.surface.vertex(at, binding)
            };
            chain.push(vertex, COLUMNS[column]);
        }
        body.surface.strip(Region::Skin, &below, &chain);
        below = chain;
    }
    let crown = place(body, CROWN);
    let carried = bind(&[(body.joint(Landmark::Head), 1.0)]);
    let crown = body.surface.seam_vertex(crown, carried);
    body.surface.roof(Region::Skin, &below, crown);
    face::build(body);
    if body.detail == Detail::Full && !hair::covers_ears(body.outfit.hair) {
        ear(body);
    }
}

/// How high the trunk reaches at an angle.
fn collar(body: &Body, neck: &Chain, angle: f32) -> f32 {
    let y = |index: usize| body.surface.position(neck.vertices[index]).y;
    let above = neck.angles.iter().position(|at| *at >= angle).unwrap_or(neck.angles.len() - 1);
    if above == 0 {
        return y(0);
    }
    let (from, to) = (neck.angles[above - 1], neck.angles[above]);
    mix(y(above - 1), y(above), (angle - from) / (to - from))
}

/// From shares of the head's size to body space.
pub(super) fn place(body: &Body, at: Vec3) -> Vec3 {
    body.at(Landmark::Head) + at * size(body)
}

/// From the joint that carries the head to the crown.
pub(super) fn size(body: &Body) -> f32 {
    body.lengths.height - body.at(Landmark::Head).y
}

/// A point of the head: `row` counts from the neck and may lie between rows; the last is followed
/// by the crown.
pub(super) fn surface(body: &Body, column: usize, row: f32) -> Vec3 {
    let point = |row: usize| {
        FACE.get(row).map_or(CROWN, |row| {
            let mut at = Vec3::from(row[column]);
            if body.detail == Detail::Low {
                // Four columns stand for all of them.
                at *= if column == 3 { Vec3::new(1.28, 1.0, 0.2) } else { LOW_DEPTH };
            }
            at
        })
    };
    let below = (row.max(0.0) as usize).min(FACE.len());
    let part = row - below as f32;
    let at = shaped(body, below, column, point(below));
    if part <= 0.0 {
        return at;
    }
    // Round between rows: the scalp is nearer to a circle than to a chord.
    let next = shaped(body, below + 1, column, point(below + 1));
    let chord = at.lerp(next, part);
    let centre = Vec3::new(0.0, 0.35, -0.02);
    let radius = mix((at - centre).length(), (next - centre).length(), part);
    centre + (chord - centre).normalize_or_zero() * radius
}

/// What sex, age and build do to a face.
fn shaped(body: &Body, row: usize, column: usize, mut at: Vec3) -> Vec3 {
    let traits = &body.traits;
    let (woman, child) = (traits.woman, traits.child);
    let front = COLUMNS[column] < 50.0;
    match row {
        UNDER_JAW => {
            // The neck.
            let thick = traits.girth(0.22, 0.06) * traits.sexed(1.0, 0.88) * mix(1.0, 0.84, child);
            at.x *= thick;
            at.z *= mix(1.0, thick, 0.6);
        }
        JAW => {
            at.x *= traits.girth(0.14, 0.06) * (1.0 - 0.09 * woman - 0.06 * child);
            if front {
                at.z -= 0.02 * woman + 0.05 * child;
                at.y += 0.02 * woman + 0.07 * child;
            }
        }
        MOUTH => {
            at.x *= traits.girth(0.13, 0.06) * (1.0 - 0.05 * woman + 0.02 * child);
            at.z -= if front { 0.015 * woman + 0.03 * child } else { 0.0 };
        }
        NOSE => {
            at.x *= traits.girth(0.06, 0.03);
            if column == 0 {
                at.z -= 0.02 * woman + 0.09 * child;
                at.y += 0.02 * child;
            }
        }
        BROW if front => at.z -= 0.018 * woman + 0.02 * child,
        FOREHEAD if front => at.z += 0.02 * child,
        _ => {}
    }
    at
}

fn binding(body: &Body, row: usize, column: usize) -> Binding {
    let head = match (row, COLUMNS[column] > 90.0) {
        (UNDER_JAW, true) => 0.25,
        (UNDER_JAW, false) => 0.45,
        (JAW, true) => 0.75,
        (MOUTH, true) => 0.95,
        _ => 1.0,
    };
    bind(&[(body.joint(Landmark::Head), head), (body.joint(Landmark::Neck2), 1.0 - head)])
}

fn ear(body: &mut Body) {
    let carried = bind(&[(body.joint(Landmark::Head), 1.0)]);
    let [a, b, c, d, p, q] = [
        [0.465, 0.33, 0.02],
        [0.455, 0.29, -0.16],
        [0.445, 0.00, -0.09],
        [0.465, 0.02, 0.01],
        [0.575, 0.33, -0.12],
        [0.525, 0.03, -0.08],
    ]
    .map(|at| {
        let at = place(body, Vec3::from(at));
        body.surface.vertex(at, carried)
    });
    let skin = Region::Skin;
    body.surface.quad(skin, [a, d, q, p]);
    body.surface.triangle(skin, [d, c, q]);
    body.surface.quad(skin, [c, b, p, q]);
    body.surface.triangle(skin, [a, p, b]);
    body.surface.quad(skin, [a, b, c, d]);
}
