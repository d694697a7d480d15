//! Who is near whom, found once per frame.
//!
//! People are counted into the buckets of a table by the square they are in, so a frame costs as much
//! as there are people and those near them, however far apart everybody is, and no memory once it is
//! warm. Whom a bucket holds beside those of the square in question is told apart by the square itself.

use glam::Vec2;

use super::view::WalkView;

/// Squares with the people in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Squares {
    /// Where each bucket begins in `entries`.
    begins: Vec<u32>,
    entries: Vec<Entry>,
    squares: Vec<Square>,
}

/// Column, row and floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Square {
    column: i32,
    row: i32,
    layer: u8,
}

/// Somebody, in the order of the buckets.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    position: Vec2,
    square: Square,
    /// Their number in the frame.
    index: u32,
}

/// Of the eight squares around one, those that come after it.
const AFTER: [(i32, i32); 4] = [(1, -1), (1, 0), (1, 1), (0, 1)];

impl Squares {
    /// Gives every two on the same floor whose centres are nearer than `reach` to `meet`, with their distance,
    /// as numbers in the frame. Each pair comes once.
    pub fn pairs(&mut self, view: &WalkView, reach: f32, mut meet: impl FnMut(usize, usize, f32)) {
        self.sort(view, reach);
        let mut number = 0;
        for bucket in self.begins.windows(2) {
            while number < bucket[1] as usize {
                let one = self.entries[number];
                number += 1;
                let mut look = |others: &[Entry], square: Square| {
                    for other in others {
                        let distance_squared = one.position.distance_squared(other.position);
                        if distance_squared < reach * reach && other.square == square {
                            let distance = distance_squared.sqrt();
                            meet(one.index as usize, other.index as usize, distance);
                        }
                    }
                };
                look(&self.entries[number..bucket[1] as usize], one.square);
                for (columns, rows) in AFTER {
                    let Square { column, row, layer } = one.square;
                    let (column, row) = (column.wrapping_add(columns), row.wrapping_add(rows));
                    let square = Square { column, row, layer };
                    look(self.bucket(square), square);
                }
            }
        }
    }

    /// Sorts everybody into squares of the given side.
    fn sort(&mut self, view: &WalkView, side: f32) {
        let count = view.ids.len();
        let buckets = (2 * count).next_power_of_two().max(16);
        self.squares.clear();
        self.squares.extend(view.layers.iter().zip(view.positions).map(|(layer, point)| {
            // Far out they are all the same, which does no harm.
            let [column, row] = [point.x, point.y].map(|x| (x / side).floor() as i32);
            Square { column, row, layer: layer.0 }
        }));
        // The beginning of each bucket is one place late until all have found theirs.
        self.begins.clear();
        self.begins.resize(buckets + 2, 0);
        for &square in &self.squares {
            self.begins[bucket_of(square, buckets) + 2] += 1;
        }
        (2..buckets + 2).for_each(|i| self.begins[i] += self.begins[i - 1]);
        self.entries.clear();
        self.entries.resize(count, Entry::default());
        for (index, (&square, &position)) in self.squares.iter().zip(view.positions).enumerate() {
            let next = &mut self.begins[bucket_of(square, buckets) + 1];
            self.entries[*next as usize] = Entry { position, square, index: index as u32 };
            *next += 1;
        }
        self.begins.pop();
    }

    fn bucket(&self, square: Square) -> &[Entry] {
        let bucket = bucket_of(square, self.begins.len() - 1);
        &self.entries[self.begins[bucket] as usize..self.begins[bucket + 1] as usize]
    }
}

/// The bucket of a square, of a number that is a power of two.
fn bucket_of(square: Square, buckets: usize) -> usize {
    let mixed = u64::from(square.column as u32)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(u64::from(square.row as u32).wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
        .wrapping_add(u64::from(square.layer) << 56);
    (mixed ^ (mixed >> 32)) as usize & (buckets - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use throng::crowd::Status;
    use throng_world::scene::{GroupId, LayerId};

    use super::*;

    proptest! {
        #[test]
        fn every_pair_is_found_once(
            people in prop::collection::vec((-9.0f32..9.0, -9.0f32..9.0, 0u8..2), 0..60),
            reach in 0.2f32..4.0,
            far in prop::sample::select(vec![0.0f32, 1e5, -3e9]),
        ) {
            let ids: Vec<u32> = (0..people.len() as u32).collect();
            let positions: Vec<Vec2> = people.iter().map(|&(x, y, _)| Vec2::new(x + far, y)).collect();
            let layers: Vec<LayerId> = people.iter().map(|&(_, _, layer)| LayerId(layer)).collect();
            let (groups, zeros) = (vec![GroupId(0); ids.len()], vec![0.0; ids.len()]);
            let statuses = vec![Status::Walking; ids.len()];
            let view = WalkView {
                time: 0.0, ids: &ids, groups: &groups, positions: &positions, layers: &layers,
                headings: &zeros, radii: &zeros, statuses: &statuses,
            };
            let mut found = Vec::new();
            let mut squares = Squares::default();
            // Memory that has been used before changes nothing.
            squares.pairs(&view, reach, |_, _, _| {});
            squares.pairs(&view, reach, |i, j, _| found.push((i.min(j), i.max(j))));
            found.sort_unstable();
            let mut expected = Vec::new();
            for j in 0..ids.len() {
                for i in 0..j {
                    let near = positions[i].distance_squared(positions[j]) < reach * reach;
                    if layers[i] == layers[j] && near {
                        expected.push((i, j));
                    }
                }
            }
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
