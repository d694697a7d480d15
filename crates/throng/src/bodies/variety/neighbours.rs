//! Who is near whom: places sorted by cell, row by row, so that the cells of a row that are next to each other are one
//! piece of memory. It is made once for a step, and far-off people cost nothing, unlike in a table of all cells.

use glam::Vec3;

/// Side of a cell, m.
const CELL: f32 = 3.0;

/// Places, by cell.
#[derive(Clone, Debug)]
pub(super) struct Neighbours<'p> {
    /// On the ground, and the height, m.
    places: &'p [Vec3],
    /// Cells with the numbers of places in them.
    cells: Vec<(i64, u32)>,
}

impl<'p> Neighbours<'p> {
    /// Those of all places that are anywhere.
    pub fn new(places: &'p [Vec3]) -> Self {
        let numbered = places.iter().zip(0..).filter(|(place, _)| place.is_finite());
        let mut cells: Vec<(i64, u32)> =
            numbered.map(|(place, index)| (key(cell(place.x), cell(place.y)), index)).collect();
        cells.sort_unstable();
        Self { places, cells }
    }

    /// Everybody within `reach` of `at`, with their squared distances.
    pub fn within(&self, at: Vec3, reach: f32, mut found: impl FnMut(f32, usize)) {
        let [left, right] = [at.x - reach, at.x + reach].map(cell);
        let [low, high] = [at.y - reach, at.y + reach].map(cell);
        for row in low..=high {
            let last = key(right, row);
            let first = self.cells.partition_point(|(cell, _)| *cell < key(left, row));
            for &(_, index) in self.cells[first..].iter().take_while(|(cell, _)| *cell <= last) {
                let distance = self.places[index as usize].distance_squared(at);
                if distance <= reach * reach {
                    found(distance, index as usize);
                }
            }
        }
    }
}

/// Places are not counted from further away than this, in cells; `as` makes 0 of what is no number.
fn cell(along: f32) -> i32 {
    (along / CELL).floor().clamp(-1e9, 1e9) as i32
}

/// Ascending by row, then along it.
fn key(x: i32, y: i32) -> i64 {
    (i64::from(y) << 32) | i64::from(x.wrapping_sub(i32::MIN) as u32)
}

#[cfg(test)]
mod tests {
    use throng_world::random::{Purpose, Random};

    use super::*;

    #[test]
    fn all_who_are_near_are_found_once() {
        let mut draw = Random::new(2).stream(0, 0, Purpose::Body);
        let mut places: Vec<Vec3> = (0..500)
            .map(|_| Vec3::new(draw.between(-40.0, 40.0), draw.between(-9.0, 60.0), 0.0))
            .collect();
        places.extend([Vec3::NAN, Vec3::new(f32::INFINITY, 0.0, 0.0), Vec3::new(0.0, 3e38, 0.0)]);
        let neighbours = Neighbours::new(&places);
        for (at, reach) in [(Vec3::ZERO, 3.0), (Vec3::new(-40.0, 60.0, 1.0), 15.0)] {
            let mut found = Vec::new();
            neighbours.within(at, reach, |_, index| found.push(index));
            found.sort_unstable();
            let near = |index: &usize| places[*index].distance(at) <= reach;
            assert_eq!(found, (0..500).filter(near).collect::<Vec<_>>());
        }
    }
}
