//! Exact shortest paths, slowly: by all lines of sight between corners.

use glam::DVec2;
use throng_world::walkable::Area;

/// Which corners of some ground see each other.
pub struct Sight {
    areas: Vec<Area>,
    corners: Vec<DVec2>,
    sees: Vec<Vec<(usize, f64)>>,
}

impl Sight {
    pub fn new(areas: Vec<Area>) -> Self {
        let mut sight = Self { areas, corners: Vec::new(), sees: Vec::new() };
        for ring in sight.areas.iter().flat_map(Area::rings) {
            for i in 0..ring.len() {
                let (before, after) =
                    (ring[(i + ring.len() - 1) % ring.len()], ring[(i + 1) % ring.len()]);
                // Paths bend at corners that stick out into what is free.
                if (ring[i] - before).perp_dot(after - ring[i]) < 0.0 {
                    sight.corners.push(ring[i]);
                }
            }
        }
        let seen_from = |&corner: &DVec2| sight.seen(corner);
        let sees = sight.corners.iter().map(seen_from).collect();
        Self { sees, ..sight }
    }

    fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        let rings = self.areas.iter().flat_map(Area::rings);
        rings.flat_map(|ring| (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()])))
    }

    fn is_clear(&self, a: DVec2, b: DVec2) -> bool {
        let crosses = |(c, d): (DVec2, DVec2)| {
            let side = |a: DVec2, b: DVec2, p: DVec2| (b - a).perp_dot(p - a);
            side(a, b, c) * side(a, b, d) < -1e-12 && side(c, d, a) * side(c, d, b) < -1e-12
        };
        !self.edges().any(crosses) && self.areas.iter().any(|area| area.contains((a + b) * 0.5))
    }

    fn seen(&self, from: DVec2) -> Vec<(usize, f64)> {
        let to = |&(_, &corner): &(usize, &DVec2)| {
            // Along an edge of a ring, the middle is on the border.
            let along = self.edges().any(|edge| edge == (from, corner) || edge == (corner, from));
            along || self.is_clear(from, corner)
        };
        let seen = self.corners.iter().enumerate().filter(to);
        seen.map(|(i, corner)| (i, from.distance(*corner))).collect()
    }

    /// The length of the shortest path from one point to another, if there is one.
    pub fn length(&self, from: DVec2, to: DVec2) -> Option<f64> {
        let mut best = if self.is_clear(from, to) { from.distance(to) } else { f64::INFINITY };
        let mut lengths = vec![f64::INFINITY; self.corners.len()];
        for (i, length) in self.seen(from) {
            lengths[i] = length;
        }
        let last: Vec<_> = self.seen(to);
        let mut open: Vec<usize> = (0..self.corners.len()).collect();
        while let Some(at) =
            (0..open.len()).min_by(|&a, &b| lengths[open[a]].total_cmp(&lengths[open[b]]))
        {
            let corner = open.swap_remove(at);
            for &(next, leg) in &self.sees[corner] {
                lengths[next] = lengths[next].min(lengths[corner] + leg);
            }
        }
        for (i, leg) in last {
            best = best.min(lengths[i] + leg);
        }
        best.is_finite().then_some(best)
    }
}
