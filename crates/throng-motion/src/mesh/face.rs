//! Features of a face: eyeballs that turn with their joints, lids, brows and lips.
//!
//! Each feature is a closed surface of its own, laid over the skin of the head as that was built at
//! the level of detail; behind the skin it is closed by triangles to one hidden point. Lids stay with
//! the head, but the edge of the upper lid follows the eye in part, as it does when people look down.
//!
//! Lengths are shares of the head's size ([`head::size`]), those of eyes of the eyeball's radius.

use glam::Vec3;

use super::body::Body;
use super::head::{place, size};
use super::outfit::Detail;
use super::physique::mix;
use super::surface::bind;
use super::{Binding, Region};
use crate::landmark::Landmark;

/// Radius of an eyeball, as a share of the head's size: 13.5 mm for an adult, a tenth more than
/// people have, so that the iris is seen from some metres away.
const EYEBALL: f32 = 0.088;
/// How far lids are from the eye's joint, in radii of the eyeball: 1.3 mm in front of its surface.
const LIDS: f32 = 1.1;

pub(super) fn build(body: &mut Body) {
    match body.detail {
        Detail::Full => {
            lips(body);
            brow(body);
            lids(body);
            eyeball(body);
        }
        Detail::Medium => {
            mouth(body);
            lens(body);
        }
        Detail::Low => {
            mouth(body);
            spot(body);
        }
    }
}

/// A sphere about the eye's joint that carries pupil, iris and sclera as rings about its axis.
fn eyeball(body: &mut Body) {
    /// Outer edges of the rings, in degrees from the axis, with their distance from the joint and what
    /// is inside of them. The last one is behind the lids wherever the eye looks; the white is a little
    /// flatter than a sphere, or its corners would show through lids.
    const RINGS: [(f32, f32, Region); 4] = [
        (12.0, 1.0, Region::Pupil),
        (29.5, 1.0, Region::Iris),
        (58.0, 0.94, Region::Eyes),
        (88.0, 0.92, Region::Eyes),
    ];
    const AROUND: u8 = 8;
    let mut inner: Option<Vec<u32>> = None;
    for (degrees, radius, region) in RINGS {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let ring: Vec<u32> = (0..AROUND)
            .map(|step| {
                let (y, x) = (45.0 * (f32::from(step) + 0.5)).to_radians().sin_cos();
                eye_vertex(body, radius * Vec3::new(sin * x, sin * y, cos), 1.0)
            })
            .collect();
        match &inner {
            None => body.surface.fan(region, &ring),
            Some(inner) => body.surface.band(region, &ring, inner),
        }
        inner = Some(ring);
    }
    let back = eye_vertex(body, Vec3::new(0.0, 0.0, -0.6), 1.0);
    if let Some(edge) = inner {
        body.surface.hide(Region::Eyes, &edge, back);
    }
}

/// Lids: a band of skin from the opening to the face, and lashes where the upper one is cut off.
fn lids(body: &mut Body) {
    /// The opening, and where its lid meets the face; and how much of the eye's turn the edge takes.
    const EDGE: [([f32; 2], [f32; 2], f32); 8] = [
        ([1.0, 0.04], [1.7, 0.02], 0.0),
        ([0.60, 0.36], [1.05, 1.05], 0.4),
        ([0.0, 0.42], [0.0, 1.3], 0.55),
        ([-0.55, 0.31], [-0.8, 1.0], 0.4),
        ([-0.96, -0.12], [-1.25, -0.2], 0.0),
        ([-0.5, -0.40], [-0.8, -1.0], 0.1),
        ([0.03, -0.47], [0.0, -1.25], 0.15),
        ([0.58, -0.37], [0.95, -1.05], 0.1),
    ];
    let (droop, joint, unit) = (1.0 - 0.2 * body.traits.old, eye(body), eye_size(body));
    let (mut opening, mut rim) = (Vec::new(), Vec::new());
    for ([x, y], [rim_x, rim_y], follows) in EDGE {
        let y = if y > 0.2 { droop * y } else { y };
        let depth = (LIDS * LIDS - x * x - y * y).max(0.0).sqrt();
        opening.push(eye_vertex(body, Vec3::new(x, y, depth), follows));
        let at = joint + unit * Vec3::new(rim_x, rim_y, 0.0);
        rim.push(on_face(body, at, -0.022));
    }
    body.surface.band(Region::Skin, &rim, &opening);
    let front = eye_vertex(body, Vec3::new(0.0, 0.0, 0.2), 0.0);
    for corner in 0..EDGE.len() {
        let next = (corner + 1) % EDGE.len();
        let region = if corner < 4 { Region::Brows } else { Region::Skin };
        body.surface.triangle(region, [opening[corner], opening[next], front]);
    }
    let back = eye_vertex(body, Vec3::new(0.0, 0.0, -1.6), 0.0);
    body.surface.hide(Region::Skin, &rim, back);
}

fn brow(body: &mut Body) {
    let thick = body.traits.sexed(1.0, 0.7);
    let low = [[0.085, 0.408], [0.17, 0.419], [0.26, 0.425], [0.338, 0.410]];
    let heights = [0.028, 0.030, 0.018];
    let mut outline: Vec<[f32; 2]> = low.to_vec();
    for ([x, y], height) in low.into_iter().zip(heights).rev() {
        outline.push([x, y + thick * height]);
    }
    let at: Vec<u32> = outline
        .into_iter()
        .map(|[x, y]| {
            let at = place(body, Vec3::new(x, y, 0.0));
            on_face(body, at, 0.014)
        })
        .collect();
    let brows = Region::Brows;
    body.surface.quad(brows, [at[0], at[1], at[5], at[6]]);
    body.surface.quad(brows, [at[1], at[2], at[4], at[5]]);
    body.surface.triangle(brows, [at[2], at[3], at[4]]);
    let inside = place(body, Vec3::new(0.22, 0.42, 0.40));
    let inside = body.surface.vertex(inside, carried(body));
    body.surface.hide(brows, &at, inside);
}

/// Upper and lower lip. The upper one overhangs, which makes the line between them.
fn lips(body: &mut Body) {
    let full = body.traits.sexed(1.0, 1.15);
    let line = -0.205;
    // From the middle to the corner: height over the line and how far it stands off the skin.
    for (height, [rim, edge]) in [(0.040 * full, [0.008, 0.026]), (-0.050 * full, [0.010, 0.016])] {
        let overlap = if height < 0.0 { 0.006 } else { 0.0 };
        let points = [
            ([0.0, line + height], rim),
            ([0.105, line + 0.8 * height], rim),
            ([0.172, line + 0.008], 0.008),
            ([0.105, line + overlap], edge),
            ([0.0, line + overlap], edge),
        ];
        let mut at = points.map(|([x, y], off)| {
            let at = place(body, Vec3::new(x, y, 0.0));
            if x > 0.0 { on_face(body, at, off) } else { on_seam(body, at, off) }
        });
        // Counter-clockwise seen from the front.
        if height > 0.0 {
            at.reverse();
        }
        let lips = Region::Lips;
        body.surface.quad(lips, [at[0], at[1], at[3], at[4]]);
        body.surface.triangle(lips, [at[1], at[2], at[3]]);
        let inside = place(body, Vec3::new(0.0, line + 0.5 * height, 0.5));
        let inside = body.surface.seam_vertex(inside, carried(body));
        body.surface.hide_chain(lips, &at, inside);
    }
}

/// The mouth of coarse faces: one triangle to either side.
fn mouth(body: &mut Body) {
    let at = [[0.0, -0.25], [0.165, -0.205], [0.0, -0.165]].map(|[x, y]| {
        let at = place(body, Vec3::new(x, y, 0.0));
        if x > 0.0 { on_face(body, at, 0.01) } else { on_seam(body, at, 0.012) }
    });
    body.surface.triangle(Region::Lips, at);
    let inside = place(body, Vec3::new(0.0, -0.205, 0.5));
    let inside = body.surface.seam_vertex(inside, carried(body));
    body.surface.hide_chain(Region::Lips, &at, inside);
}

/// An eye of a few triangles: the iris and a corner of white to either side.
fn lens(body: &mut Body) {
    let at = [
        [1.2, 0.0, 0.7],
        [0.52, 0.52, 1.6],
        [-0.52, 0.52, 1.6],
        [-1.1, 0.0, 1.0],
        [-0.52, -0.52, 1.6],
        [0.52, -0.52, 1.6],
    ]
    .map(|at| eye_vertex(body, Vec3::from(at), 1.0));
    body.surface.quad(Region::Iris, [at[1], at[2], at[4], at[5]]);
    body.surface.triangle(Region::Eyes, [at[0], at[1], at[5]]);
    body.surface.triangle(Region::Eyes, [at[2], at[3], at[4]]);
    let back = eye_vertex(body, Vec3::new(0.0, 0.0, -0.3), 1.0);
    body.surface.hide(Region::Eyes, &at, back);
}

/// An eye that is seen from so far that it is a dark spot.
fn spot(body: &mut Body) {
    let rim = [[0.85, 0.43, 0.3], [-0.85, 0.43, 0.3], [0.0, -0.86, 0.3]]
        .map(|at| eye_vertex(body, Vec3::from(at), 1.0));
    let front = eye_vertex(body, Vec3::new(0.0, 0.0, 0.9), 1.0);
    for corner in 0..3 {
        body.surface.triangle(Region::Iris, [rim[corner], rim[(corner + 1) % 3], front]);
    }
    let [a, b, c] = rim;
    body.surface.triangle(Region::Iris, [a, c, b]);
}

/// Where the left eye's joint is.
fn eye(body: &Body) -> Vec3 {
    body.at(Landmark::LeftEye)
}

/// Radius of an eyeball in metres.
fn eye_size(body: &Body) -> f32 {
    EYEBALL * size(body) * mix(1.0, 1.12, body.traits.child)
}

/// A vertex at `at` radii of the eyeball from its joint, which takes the part `follows` of its turns.
fn eye_vertex(body: &mut Body, at: Vec3, follows: f32) -> u32 {
    let shares =
        [(body.joint(Landmark::LeftEye), follows), (body.joint(Landmark::Head), 1.0 - follows)];
    let at = eye(body) + eye_size(body) * at;
    body.surface.vertex(at, bind(&shares))
}

/// A vertex that stands `off` the skin at a place seen from the front.
fn on_face(body: &mut Body, at: Vec3, off: f32) -> u32 {
    let at = lifted(body, at, off);
    body.surface.vertex(at, carried(body))
}

/// The same in the middle plane.
fn on_seam(body: &mut Body, at: Vec3, off: f32) -> u32 {
    let at = lifted(body, at, off);
    body.surface.seam_vertex(at, carried(body))
}

fn lifted(body: &Body, at: Vec3, off: f32) -> Vec3 {
    let skin = body.surface.front(Region::Skin, at.truncate());
    Vec3 { z: skin.unwrap_or(eye(body).z) + off * size(body), ..at }
}

fn carried(body: &Body) -> Binding {
    bind(&[(body.joint(Landmark::Head), 1.0)])
}
