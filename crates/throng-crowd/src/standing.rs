//! Where somebody stands, roughly: so that whoever is far from all who stand need not look for them.

use glam::Vec2;
use throng_world::scene::LayerId;

/// How far away those who stand matter, m.
pub(crate) const REACH: f32 = 5.0;

/// Cells that are at least as large as the reach: who stands within it is in the same cell or beside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    floors: Vec<Floor>,
}

#[derive(Clone, Debug, Default)]
struct Floor {
    origin: Vec2,
    cell: f32,
    size: [usize; 2],
    /// Whether anybody stands in each cell or beside it.
    near: Vec<bool>,
}

/// Cells of a floor at most: people who stand far apart make cells larger, not more numerous.
const MOST_CELLS: f32 = 16_384.0;

impl Standing {
    /// Notes where people stand.
    pub fn rebuild(
        &mut self,
        layers: usize,
        standing: &(impl Iterator<Item = (LayerId, Vec2)> + Clone),
    ) {
        self.floors.clear();
        if standing.clone().next().is_none() {
            return;
        }
        for layer in (0..layers).map(|layer| LayerId(layer as u8)) {
            let here = standing.clone().filter(|who| who.0 == layer).map(|who| who.1);
            self.floors.push(Floor::new(here));
        }
    }

    /// Whether anybody may stand within [`REACH`] of `point`.
    pub fn is_near(&self, layer: LayerId, point: Vec2) -> bool {
        let floor = self.floors.get(layer.0 as usize).filter(|floor| !floor.near.is_empty());
        floor.is_some_and(|floor| {
            let [column, row] = floor.cell_of(point);
            floor.near[row * floor.size[0] + column]
        })
    }
}

impl Floor {
    fn new(standing: impl Iterator<Item = Vec2> + Clone) -> Self {
        let extent = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let (low, high) =
            standing.clone().fold(extent, |(low, high), at| (low.min(at), high.max(at)));
        if low.x > high.x {
            return Self::default();
        }
        // A border of empty cells: whoever is beyond it is far from all.
        let around = high - low + Vec2::splat(4.0 * REACH);
        let cell = REACH.max((around.element_product() / MOST_CELLS).sqrt());
        let size = [around.x, around.y].map(|length| (length / cell) as usize + 3);
        let mut floor = Self {
            origin: low - Vec2::splat(2.0 * cell),
            cell,
            size,
            near: vec![false; size[0] * size[1]],
        };
        for at in standing {
            let [column, row] = floor.cell_of(at);
            for row in row.saturating_sub(1)..=(row + 1).min(size[1] - 1) {
                let begin = row * size[0];
                let columns = column.saturating_sub(1)..=(column + 1).min(size[0] - 1);
                columns.for_each(|column| floor.near[begin + column] = true);
            }
        }
        floor
    }

    fn cell_of(&self, point: Vec2) -> [usize; 2] {
        let at = ((point - self.origin) / self.cell).max(Vec2::ZERO);
        [(at.x as usize).min(self.size[0] - 1), (at.y as usize).min(self.size[1] - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::random::{Purpose, Random};

    #[test]
    fn whoever_stands_within_reach_is_noticed_and_nobody_far_away() {
        let mut draws = Random::new(4).stream(0, 0, Purpose::Placement);
        for spread in [1.0, 30.0, 400.0, 1e5] {
            let mut point = || draws.point_between(Vec2::splat(-spread), Vec2::splat(spread));
            let who: Vec<(LayerId, Vec2)> = (0..40).map(|i| (LayerId(i % 2), point())).collect();
            let mut standing = Standing::default();
            standing.rebuild(3, &who.iter().copied());
            let mut noticed = 0;
            for at in (0..2000).map(|_| point() * 1.5) {
                let nearest = who.iter().filter(|who| who.0 == LayerId(1));
                let nearest = nearest.map(|who| who.1.distance(at)).fold(f32::INFINITY, f32::min);
                let is_near = standing.is_near(LayerId(1), at);
                assert!(is_near || nearest > REACH, "{at} {nearest}");
                assert!(!standing.is_near(LayerId(2), at), "an empty floor");
                noticed += usize::from(is_near && nearest > 3.0 * REACH);
            }
            assert!(spread > 400.0 || noticed == 0, "{noticed} look in vain");
        }
        let mut standing = Standing::default();
        standing.rebuild(1, &std::iter::empty());
        assert!(!standing.is_near(LayerId(0), Vec2::ZERO));
    }
}
