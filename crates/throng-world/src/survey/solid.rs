//! Which triangles enclose something solid.
//!
//! A surface without a border has an inside: if its triangles face outwards, as those of a wall, a
//! slab or a cupboard do, it is filled; if they face inwards, it is a room. How often a point is
//! enclosed is then a sum over the surfaces above it, `+1` for those that face up and `-1` for those
//! that face down, and everything enclosed at least once is solid. Sheets with a border enclose
//! nothing, wherever they face; and a closed surface whose triangles face both ways is taken as
//! filled.

use std::collections::HashMap;

use glam::DVec3;

/// What a triangle belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shell {
    /// A sheet with a border.
    Open,
    /// A closed surface whose triangles agree on which side is outside.
    Closed,
    /// A closed surface whose triangles do not agree.
    Muddled,
}

/// What each of `triangles` belongs to.
pub(super) fn shells(triangles: &[[DVec3; 3]]) -> Vec<Shell> {
    let corners = weld(triangles);
    // Each edge from its smaller corner to the larger, with its direction and its triangle.
    let mut edges: Vec<([u32; 2], bool, u32)> = Vec::with_capacity(3 * corners.len());
    for (triangle, corners) in corners.iter().enumerate() {
        for i in 0..3 {
            let (from, to) = (corners[i], corners[(i + 1) % 3]);
            // Of a triangle too thin to be one, the other two edges are the same.
            if from != to {
                edges.push(([from.min(to), from.max(to)], from < to, triangle as u32));
            }
        }
    }
    edges.sort_unstable();
    let mut pieces = Pieces::new(corners.len());
    for edge in edges.chunk_by(|e, f| e.0 == f.0) {
        edge.windows(2).for_each(|pair| pieces.join(pair[0].2, pair[1].2));
    }
    let mut shells = vec![Shell::Closed; corners.len()];
    for edge in edges.chunk_by(|e, f| e.0 == f.0) {
        let shell = &mut shells[pieces.root(edge[0].2) as usize];
        let forwards = edge.iter().filter(|(_, forwards, _)| *forwards).count();
        if edge.len() % 2 == 1 {
            *shell = Shell::Open;
        } else if 2 * forwards != edge.len() && *shell == Shell::Closed {
            *shell = Shell::Muddled;
        }
    }
    (0..corners.len()).map(|triangle| shells[pieces.root(triangle as u32) as usize]).collect()
}

/// The triangles by numbers of their corners, the same for corners in the same place.
fn weld(triangles: &[[DVec3; 3]]) -> Vec<[u32; 3]> {
    // A tenth of a millimetre: files of other programs are rounded, and so are transforms of nodes.
    let key = |corner: DVec3| (corner * 1e4).round().to_array().map(|x| x as i64);
    let mut numbers = HashMap::new();
    let mut number = |corner| {
        let next = numbers.len() as u32;
        *numbers.entry(key(corner)).or_insert(next)
    };
    triangles.iter().map(|corners| corners.map(&mut number)).collect()
}

/// Sets of things that are joined.
pub(super) struct Pieces {
    parent: Vec<u32>,
}

impl Pieces {
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// One thing that stands for all that are joined with `of`: the first of them.
    pub fn root(&mut self, of: u32) -> u32 {
        let mut at = of;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    pub fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.max(other) as usize] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Vec<[DVec3; 3]> {
        let corner = |i: usize| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
        let faces =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let halves = |[a, b, c, d]: [usize; 4]| [[a, b, c], [a, c, d]].map(|t| t.map(corner));
        faces.into_iter().flat_map(halves).collect()
    }

    #[test]
    fn a_cube_is_closed_until_a_triangle_is_missing_or_turned_round() {
        let mut triangles = cube();
        assert_eq!(shells(&triangles), [Shell::Closed; 12]);
        triangles[4].reverse();
        assert_eq!(shells(&triangles), [Shell::Muddled; 12]);
        triangles.pop();
        assert_eq!(shells(&triangles), [Shell::Open; 11]);
    }

    #[test]
    fn a_sheet_beside_a_cube_is_open_and_the_cube_is_not() {
        let mut triangles = cube();
        triangles.push([DVec3::X * 5.0, DVec3::X * 6.0, DVec3::new(5.0, 1.0, 0.0)]);
        let shells = shells(&triangles);
        assert_eq!((shells[0], shells[12]), (Shell::Closed, Shell::Open));
    }
}
