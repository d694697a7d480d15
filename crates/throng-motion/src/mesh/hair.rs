//! Hair: a shell over the scalp that closes inside the head.

use glam::Vec3;

use super::body::Body;
use super::head::{self, COLUMNS};
use super::outfit::{Detail, HairStyle};
use super::physique::mix;
use super::surface::{Chain, bind};
use super::{Binding, Region};
use crate::landmark::Landmark;

/// A cut. Lengths are shares of the head's size.
struct Cut {
    /// Where the hair ends in each column of the head, as a row of the head's table.
    edge: [f32; 7],
    /// How far it stands off at the crown, and at its edge.
    thick: [f32; 2],
    /// How much it stands off in front, on top of that.
    quiff: f32,
    /// How far down hair hangs that does not end on the scalp, in front of the ears and behind.
    hangs: Option<[f32; 2]>,
}

const SHORT: Cut = Cut {
    edge: [6.35, 6.3, 6.0, 5.2, 4.3, 2.6, 2.0],
    thick: [0.06, 0.05],
    quiff: 0.01,
    hangs: None,
};

const FULL: Cut = Cut {
    edge: [6.3, 6.25, 5.95, 5.0, 4.1, 2.2, 1.6],
    thick: [0.13, 0.07],
    quiff: 0.07,
    hangs: None,
};

const BUN: Cut = Cut {
    edge: [6.45, 6.4, 6.1, 5.4, 4.4, 2.8, 2.2],
    thick: [0.06, 0.05],
    quiff: 0.0,
    hangs: None,
};

const BOB: Cut = Cut {
    edge: [6.3, 6.2, 5.6, 4.0, 4.0, 4.0, 4.0],
    thick: [0.10, 0.08],
    quiff: 0.02,
    hangs: Some([-0.36, -0.44]),
};

const LONG: Cut = Cut {
    edge: [6.45, 6.35, 5.6, 4.0, 4.0, 4.0, 4.0],
    thick: [0.09, 0.08],
    quiff: 0.01,
    hangs: Some([-0.62, -1.25]),
};

pub(super) fn build(body: &mut Body) {
    let cut = match body.outfit.hair {
        HairStyle::Bald => return,
        HairStyle::Short => &SHORT,
        HairStyle::Full => &FULL,
        HairStyle::Bun => &BUN,
        HairStyle::Bob => &BOB,
        HairStyle::Long => &LONG,
    };
    shell(body, cut);
    if body.outfit.hair == HairStyle::Bun {
        knot(body);
    }
}

/// Whether ears are hidden.
pub(super) fn covers_ears(style: HairStyle) -> bool {
    matches!(style, HairStyle::Bob | HairStyle::Long)
}

fn shell(body: &mut Body, cut: &Cut) {
    let columns = head::columns(body.detail);
    let rows = body.detail.choose(4, 3, 2);
    let crown = Vec3::new(0.0, 1.0 + cut.thick[0], -0.04);
    let crown = vertex(body, crown, 0.0, true);
    let mut above: Option<Chain> = None;
    for row in 1..=rows {
        let mut chain = Chain::default();
        for &column in columns {
            let at = point(body, cut, column, row, rows);
            let seam = column == 0 || column == COLUMNS.len() - 1;
            let vertex = vertex(body, at, COLUMNS[column], seam);
            chain.push(vertex, COLUMNS[column]);
        }
        match &above {
            None => body.surface.roof(Region::Hair, &chain, crown),
            Some(above) => body.surface.strip(Region::Hair, &chain, above),
        }
        above = Some(chain);
    }
    let low = if cut.hangs.is_some() { -0.1 } else { 0.35 };
    let inside = vertex(body, Vec3::new(0.0, low, -0.05), 0.0, true);
    if let Some(edge) = above {
        body.surface.floor(Region::Hair, &edge, inside);
    }
}

/// The rows of the head that a shell with so many rows follows; its last is the edge. On the
/// scalp's own rows, flat triangles lie over flat triangles and the skin does not show through.
fn scalp_rows(rows: usize) -> &'static [f32] {
    match rows {
        4 => &[7.0, 6.0, 5.0],
        3 => &[7.0, 5.0],
        _ => &[6.0],
    }
}

/// A point of the shell, in the row counted from the crown.
fn point(body: &Body, cut: &Cut, column: usize, row: usize, rows: usize) -> Vec3 {
    let hanging = cut.hangs.filter(|_| column >= 3);
    // The forehead is a row of the coarsest head too: an edge above it would cut through the skin.
    let edge =
        if body.detail == Detail::Low { cut.edge[column].min(5.9) } else { cut.edge[column] };
    let crown = 8.0;
    let even = mix(crown, edge, row as f32 / rows as f32);
    let last = row == rows;
    let below = if last && hanging.is_some() { 1.0 } else { 0.0 };
    let row = scalp_rows(rows).get(row - 1).map_or(edge, |&on_row: &f32| on_row.max(even));
    let on_scalp = (crown - row) / (crown - edge);
    let at = head::surface(body, column, row);
    let centre = Vec3::new(0.0, 0.35, -0.04);
    let outwards = (at - centre).normalize_or_zero();
    let forwards = COLUMNS[column].to_radians().cos().max(0.0);
    let quiff = cut.quiff * forwards * (1.0 - (2.0 * on_scalp - 1.1).abs()).max(0.0);
    let coarse = body.detail.choose(0.0, 0.02, 0.1);
    let thick = mix(cut.thick[0], cut.thick[1], on_scalp * on_scalp) + quiff + coarse;
    let mut at = at + outwards * thick;
    if let Some([front, back]) = hanging {
        let end = mix(front, back, ((COLUMNS[column] - 62.0) / 60.0).clamp(0.0, 1.0));
        // A coarse head has one column at the side: hair that fell from it would hide the face.
        let end = if body.detail == Detail::Low && column == 3 { 0.05 } else { end };
        at.y = mix(at.y, end, below);
        // It follows the neck inwards at first, and lies on the back at last.
        let inwards = 1.0 - 0.10 * below;
        at.x *= inwards;
        if column == 3 && body.detail != Detail::Low {
            // In front it falls beside the cheeks.
            at += Vec3::new(0.06, 0.0, 0.05);
        }
        if back < -1.0 && COLUMNS[column] > 90.0 {
            at.z -= 0.10 * below;
        }
    }
    at
}

/// A knot at the back of the head, a surface of its own.
fn knot(body: &mut Body) {
    let centre = Vec3::new(0.0, 0.50, -0.74);
    let radius = 0.20;
    let (columns, rows): (&[f32], &[f32]) = body.detail.choose(
        (&[0.0, 60.0, 120.0, 180.0], &[-0.6, 0.6]),
        (&[0.0, 90.0, 180.0], &[0.0]),
        (&[0.0, 90.0, 180.0], &[]),
    );
    if rows.is_empty() {
        return;
    }
    let bottom = vertex(body, centre - Vec3::Y * radius, 0.0, true);
    let top = vertex(body, centre + Vec3::Y * radius, 0.0, true);
    let mut below: Option<Chain> = None;
    for &height in rows {
        let wide = radius * (1.0 - height * height).sqrt();
        let mut chain = Chain::default();
        for (index, &angle) in columns.iter().enumerate() {
            let (sin, cos) = angle.to_radians().sin_cos();
            let at = centre + Vec3::new(1.1 * wide * sin, height * radius, wide * cos);
            let seam = index == 0 || index + 1 == columns.len();
            chain.push(vertex(body, at, angle, seam), angle);
        }
        match &below {
            None => body.surface.floor(Region::Hair, &chain, bottom),
            Some(below) => body.surface.strip(Region::Hair, below, &chain),
        }
        below = Some(chain);
    }
    if let Some(chain) = below {
        body.surface.roof(Region::Hair, &chain, top);
    }
}

fn vertex(body: &mut Body, at: Vec3, angle: f32, seam: bool) -> u32 {
    let binding = binding(body, at.y, angle);
    let at = head::place(body, at);
    if seam { body.surface.seam_vertex(at, binding) } else { body.surface.vertex(at, binding) }
}

/// Long hair lies on the neck and the back; what falls beside the face turns with it.
fn binding(body: &Body, y: f32, angle: f32) -> Binding {
    let joint = |landmark| body.joint(landmark);
    if angle < 90.0 {
        return bind(&[(joint(Landmark::Head), 1.0)]);
    }
    let neck = ((-0.25 - y) / 0.4).clamp(0.0, 1.0);
    let back = ((-0.6 - y) / 0.5).clamp(0.0, 1.0);
    bind(&[
        (joint(Landmark::Head), 1.0 - neck),
        (joint(Landmark::Neck1), neck * (1.0 - back)),
        (joint(Landmark::Spine5), neck * back),
    ])
}
