//! Openings in the outline of a floor plan: where stairs and ramps lead out of it.
//!
//! A plan includes the stairs and ramps of its floor, since one stands on them, and often ends where
//! they do. There it is open: whoever gets to the far end of a connector has changed floor on the way,
//! and would slow down before a wall that is none.

use glam::Vec2;
use throng_base::geometry::nearest_on_segment;

use crate::Connector;
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
    use std::path::Path;

    use super::*;
    use crate::{Scene, Walls};

    #[test]
    fn on_stairs_the_end_of_the_plan_is_no_wall_but_their_sides_are() {
        let folder = tempfile::tempdir().unwrap();
        // Both plans end where the stairs do: from 10, 2 up to 15, 2.
        let plan = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        plan("low.wkt", "POLYGON ((0 0, 10 0, 10 1, 15 1, 15 3, 10 3, 10 4, 0 4, 0 0))");
        plan("high.wkt", "POLYGON ((10 1, 15 1, 15 0, 25 0, 25 4, 15 4, 15 3, 10 3, 10 1))");
        let text = r#"
            format = 1
            world.bounds = [[0, 0], [25, 4]]
            layers = [
                { name = "low", plan = "low.wkt" },
                { name = "high", plan = "high.wkt", elevation = 3 },
            ]
            [[connectors]]
            name = "stairs"
            kind = "stairs"
            polygon = [[10, 1], [15, 1], [15, 3], [10, 3]]
            lower = { layer = "low", edge = [[10, 1], [10, 3]] }
            upper = { layer = "high", edge = [[15, 1], [15, 3]] }
        "#;
        let scene: Scene = Scene::parse("test", text, Path::new(folder.path())).unwrap();
        let walls = Walls::new(&scene.obstacles, &scene.connectors, 2, 3.0);
        let mut found = Vec::new();
        for (layer, at) in [(LayerId(0), Vec2::new(14.5, 2.0)), (LayerId(1), Vec2::new(10.5, 2.0))]
        {
            walls.visible(layer, at, 0.9, &mut found);
            assert!(found.is_empty(), "a wall ahead: {:?}", walls.get(found[0].1));
            walls.visible(layer, at, 1.1, &mut found);
            assert!(!found.is_empty(), "the stairs have no sides");
            assert!(walls.crossing(layer, at, at + Vec2::new(0.0, 1.5)).is_some());
        }
    }

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
