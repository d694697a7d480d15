//! Openings in the outline of a floor plan: where stairs and ramps lead out of it.
//!
//! A plan includes the stairs and ramps of its floor, since one stands on them, and often ends where
//! they do. There it is open: whoever gets to the far end of a connector has changed floor on the way,
//! and would slow down before a wall that is none.

use glam::Vec2;

use crate::Connector;
use crate::geometry::nearest_on_segment;
use crate::scene::LayerId;

/// The edges of `connectors` at which they leave `layer`, the upper ones of those that lead up.
pub(crate) fn far_edges(connectors: &[Connector], layer: LayerId) -> Vec<(Vec2, Vec2)> {
    connectors
        .iter()
        .filter_map(|connector| connector.far_edge(layer))
        .map(|(_, edge)| edge)
        .collect()
}

/// The corners of an outline, with those added where an opening begins or ends, and for each whether
/// the edge from it to the next lies on an opening.
pub(crate) fn opened(outline: &[Vec2], openings: &[(Vec2, Vec2)]) -> (Vec<Vec2>, Vec<bool>) {
    const ON: f32 = 2e-3;
    let is_on = |p: Vec2, (a, b): (Vec2, Vec2)| nearest_on_segment(a, b, p).distance(p) < ON;
    let mut corners = Vec::with_capacity(outline.len());
    for (i, &start) in outline.iter().enumerate() {
        let end = outline[(i + 1) % outline.len()];
        let ends = openings.iter().flat_map(|&(a, b)| [a, b]);
        let mut between: Vec<Vec2> = ends
            .filter(|p| is_on(*p, (start, end)) && p.distance(start) > ON && p.distance(end) > ON)
            .collect();
        between.sort_by(|p, q| p.distance_squared(start).total_cmp(&q.distance_squared(start)));
        corners.push(start);
        corners.extend(between);
    }
    corners.dedup();
    let is_open = |i: usize| {
        let (start, end) = (corners[i], corners[(i + 1) % corners.len()]);
        openings.iter().any(|opening| is_on(start, *opening) && is_on(end, *opening))
    };
    let open = (0..corners.len()).map(is_open).collect();
    (corners, open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_is_open_along_an_edge_and_nowhere_else() {
        let outline = [(0.0, 0.0), (10.0, 0.0), (10.0, 5.0), (0.0, 5.0)].map(Vec2::from);
        let opening = (Vec2::new(4.0, 5.0), Vec2::new(6.0, 5.0));
        let (corners, open) = opened(&outline, &[opening]);
        assert_eq!(corners.len(), 6);
        let opened: Vec<(Vec2, Vec2)> =
            (0..6).filter(|i| open[*i]).map(|i| (corners[i], corners[(i + 1) % 6])).collect();
        assert_eq!(opened, [(Vec2::new(6.0, 5.0), Vec2::new(4.0, 5.0))]);
        assert_eq!(super::opened(&outline, &[]), (outline.to_vec(), vec![false; 4]));
    }
}
