//! Who is near whom: a table of cells that goes round like a chessboard on a ring, so that it is as small as the crowd
//! is, however far away somebody has got lost. Who falls into the same cell from elsewhere is told by their distance.

use glam::Vec3;

/// Side of a cell, m.
const CELL: f32 = 3.0;
/// The table has at least this many cells each way: more than anybody looks at.
const FEWEST: usize = 16;

/// Places, by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    /// Where the places of each cell begin; one more than there are cells.
    starts: Vec<u32>,
    /// On the ground, and the height, m, with their numbers, which ascend within a cell.
    places: Vec<(Vec3, u32)>,
    /// Cells each way, a power of two.
    side: usize,
    /// Kept for its memory.
    next: Vec<u32>,
}

impl Neighbours {
    /// The furthest that can be looked, m.
    pub const FURTHEST: f32 = CELL * (FEWEST / 2 - 1) as f32;

    /// Those of all places that are anywhere.
    pub fn new(places: &[Vec3]) -> Self {
        let mut neighbours = Self::default();
        neighbours.gather(places);
        neighbours
    }

    /// The same in the memory that there is.
    pub fn gather(&mut self, places: &[Vec3]) {
        let mut side = FEWEST;
        while 2 * side * side < places.len() {
            side *= 2;
        }
        self.side = side;
        let anywhere = || places.iter().zip(0..).filter(|(place, _)| place.is_finite());
        let Self { starts, places: sorted, next, .. } = self;
        starts.clear();
        starts.resize(side * side + 1, 0);
        for (place, _) in anywhere() {
            starts[index(side, cell(place.x), cell(place.y)) + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut *starts {
            sum += *start;
            *start = sum;
        }
        next.clone_from(starts);
        sorted.clear();
        sorted.resize(sum as usize, (Vec3::ZERO, 0));
        for (place, number) in anywhere() {
            let at = &mut next[index(side, cell(place.x), cell(place.y))];
            sorted[*at as usize] = (*place, number);
            *at += 1;
        }
    }

    /// Everybody within `reach` of `at`, with their squared distances. Nobody looks beyond [`Self::FURTHEST`].
    pub fn within(&self, at: Vec3, reach: f32, mut found: impl FnMut(f32, usize)) {
        let reach = reach.min(Self::FURTHEST);
        let [left, right] = [at.x - reach, at.x + reach].map(cell);
        let [low, high] = [at.y - reach, at.y + reach].map(cell);
        for y in low..=high {
            for x in left..=right {
                let index = index(self.side, x, y);
                let [from, to] = [self.starts[index], self.starts[index + 1]];
                for (place, number) in &self.places[from as usize..to as usize] {
                    let distance = place.distance_squared(at);
                    if distance <= reach * reach {
                        found(distance, *number as usize);
                    }
                }
            }
        }
    }
}

/// The cell along one axis; who is beyond all sense is at its border.
fn cell(along: f32) -> i32 {
    (along / CELL).floor().clamp(-1e9, 1e9) as i32
}

fn index(side: usize, x: i32, y: i32) -> usize {
    let round = |cell: i32| cell as u32 as usize & (side - 1);
    round(y) * side + round(x)
}

#[cfg(test)]
mod tests {
    use throng_base::random::{Purpose, Random};

    use super::*;

    #[test]
    fn all_who_are_near_are_found_once() {
        let mut draw = Random::new(2).stream(0, 0, Purpose::Body);
        let mut places: Vec<Vec3> = (0..5_000)
            .map(|_| Vec3::new(draw.between(-90.0, 90.0), draw.between(-9.0, 160.0), 0.0))
            .collect();
        places.extend([Vec3::NAN, Vec3::new(f32::INFINITY, 0.0, 0.0), Vec3::new(0.0, 3e38, 0.0)]);
        let neighbours = Neighbours::new(&places);
        for (at, reach) in [
            (Vec3::ZERO, 3.0),
            (Vec3::new(-40.0, 60.0, 1.0), 15.0),
            (Vec3::new(88.0, 159.0, 0.0), Neighbours::FURTHEST),
        ] {
            let mut found = Vec::new();
            neighbours.within(at, reach, |_, index| found.push(index));
            found.sort_unstable();
            let near = |index: &usize| places[*index].distance(at) <= reach;
            assert!(found.len() > 3);
            assert_eq!(found, (0..5_000).filter(near).collect::<Vec<_>>());
        }
    }
}
