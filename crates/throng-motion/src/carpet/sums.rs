//! Weighted sums of maps: the inner loop of carpets.
//!
//! A joint belongs to some forty descriptors, each with two maps of eight numbers: sixteen numbers, and so one vector
//! operation for each descriptor whatever the joint needs of them. Weights that are found for a pose are
//! found sixteen at a time: those of two rows of eight columns, or of one row of sixteen for wide footprints.
//! They need not sum to one, as every use of a sum divides by its total.
//!
//! Results do not depend on the vector unit: lanes never meet but in a fixed order.

use glam::{Vec3, Vec3A, Vec4};
use throng_simd::{Floats as _, Kernel, LANES, Mask as _, Simd, Vectors, run_anywhere};

use super::descriptor::Map;
use super::relation::{Area, Changing, Extent, Weighting, nearest};

/// The leaning and the upright map of a descriptor, one after the other; or sums of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub(super) struct Maps(pub [f32; LANES]);

impl Maps {
    pub fn new(leaning: &Map, upright: &Map) -> Self {
        let mut numbers = [0.0; LANES];
        for (four, numbers) in leaning.0.iter().chain(&upright.0).zip(numbers.chunks_exact_mut(4)) {
            numbers.copy_from_slice(&four.to_array());
        }
        Self(numbers)
    }

    pub fn leaning(&self) -> Map {
        Map([Vec4::from_slice(&self.0), Vec4::from_slice(&self.0[4..])])
    }

    pub fn upright(&self) -> Map {
        Map([Vec4::from_slice(&self.0[8..]), Vec4::from_slice(&self.0[12..])])
    }
}

/// The maps of a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice<'a> {
    pub maps: &'a [Maps],
    /// Where rows and columns are.
    pub slots: [&'a [u32]; 2],
    /// The first of them, counted from the origin.
    pub first: [i32; 2],
}

impl<'a> Lattice<'a> {
    /// Where a row or column is, or the nearest that there is.
    #[inline(always)]
    fn slot(&self, side: usize, index: i32) -> usize {
        let last = self.slots[side].len() as i32 - 1;
        let index = index.wrapping_sub(self.first[side]).clamp(0, last.max(0));
        self.slots[side].get(index as usize).map_or(0, |slot| *slot as usize)
    }

    /// Where `count` columns from `first` on are; they have to be there.
    #[inline(always)]
    fn columns(&self, first: i32, count: i32) -> &'a [u32] {
        let start = (first - self.first[1]).max(0) as usize;
        self.slots[1].get(start..start + count.max(0) as usize).unwrap_or(&[])
    }

    #[inline(always)]
    fn maps(&self, slot: usize) -> &'a [f32; LANES] {
        &self.maps[slot].0
    }
}

impl Lattice<'_> {
    /// The maps of a descriptor in a table whose rows are counted from `row`.
    #[inline(always)]
    fn tabled<S: Simd>(&self, simd: S, row: i32, say: &Changing) -> S::F {
        let slot = self.slot(0, row + i32::from(say.row)) + self.slot(1, i32::from(say.column));
        simd.load(self.maps(slot))
    }
}

/// A sum of maps, and that of the weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    pub maps: Maps,
    pub total: f32,
}

/// The sums for joints whose relations are found for this very pose.
pub(super) struct Live<'a> {
    pub lattice: Lattice<'a>,
    pub joints: &'a [Vec3A],
    pub spacing: f32,
    pub extent: Extent,
    pub weighting: Weighting,
    pub sums: &'a mut [Sum],
}

impl Live<'_> {
    pub fn find(self, vectors: Option<Vectors>) {
        run_anywhere(vectors, self);
    }
}

/// Where the lanes of a vector of weights are.
struct Tile {
    rows: i32,
    columns: i32,
    row_of: [f32; LANES],
    column_of: [f32; LANES],
}

impl Tile {
    const NARROW: Self = Self::of(2);
    const WIDE: Self = Self::of(1);

    const fn of(rows: usize) -> Self {
        let columns = LANES / rows;
        let (mut row_of, mut column_of) = ([0.0; LANES], [0.0; LANES]);
        let mut lane = 0;
        while lane < LANES {
            row_of[lane] = (lane / columns) as f32;
            column_of[lane] = (lane % columns) as f32;
            lane += 1;
        }
        Self { rows: rows as i32, columns: columns as i32, row_of, column_of }
    }
}

impl Kernel for Live<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { lattice, joints, spacing, extent, weighting, sums } = self;
        for (joint, sum) in joints.iter().zip(sums) {
            let joint = Vec3::from(*joint);
            let found = Area::of(joint, spacing, &extent, &weighting).map(|area| {
                let tile = if area.columns() <= 8 {
                    const { &Tile::NARROW }
                } else {
                    const { &Tile::WIDE }
                };
                live(simd, &lattice, joint, spacing, (&area, weighting.floor), tile)
            });
            let alone = |[row, column]: [i32; 2]| {
                let slot = lattice.slot(0, row) + lattice.slot(1, column);
                Sum { maps: lattice.maps[slot], total: 1.0 }
            };
            *sum = match found {
                Some(sum) if sum.total > 1e-12 => sum,
                Some(_) => alone(nearest(joint, spacing, &extent)),
                None => alone(extent.first),
            };
        }
    }
}

#[inline(always)]
fn live<S: Simd>(
    simd: S,
    lattice: &Lattice<'_>,
    joint: Vec3,
    spacing: f32,
    (area, floor): (&Area, f32),
    tile: &Tile,
) -> Sum {
    let number = |value| simd.splat(value);
    let (row_of, column_of) = (simd.load(&tile.row_of), simd.load(&tile.column_of));
    let (nothing, one) = (number(0.0), number(1.0));
    let mut totals = nothing;
    let (mut even, mut odd) = (nothing, nothing);
    let mut weights = [0.0; LANES];
    let mut row = area.top;
    while row <= area.bottom {
        let rows = row_of + number(row as f32);
        let along = number(joint.z) - rows * number(spacing);
        let squared = along * along + number(joint.y * joint.y);
        let seen_squared = along * along + number(area.seen * area.seen);
        let mut column = area.left;
        while column <= area.right {
            let columns = column_of + number(column as f32);
            let aside = number(joint.x) - columns * number(spacing);
            let distance = (aside * aside + squared).sqrt();
            let part = (number(area.far) - distance) * number(area.falling);
            let part = part.max(nothing).min(one);
            // Most joints are seen from where they are.
            let seen_from =
                if area.seen == joint.y { distance } else { (aside * aside + seen_squared).sqrt() };
            let facing = (number(area.seen) / seen_from).max(number(floor));
            let inside =
                rows.le(number(area.bottom as f32)) & columns.le(number(area.right as f32));
            let weight = inside.select(facing * part, nothing);
            totals = totals + weight;
            weight.store(&mut weights);
            let slots = lattice.columns(column, tile.columns.min(area.right - column + 1));
            for (down, weights) in weights.chunks_exact(tile.columns as usize).enumerate() {
                let down = down as i32;
                if row + down > area.bottom {
                    break;
                }
                let row = lattice.slot(0, row + down);
                let (pairs, last) = slots.as_chunks::<2>();
                let (weights, _) = weights.as_chunks::<2>();
                // Two sums, so that one need not wait for the other.
                for (slots, weights) in pairs.iter().zip(weights) {
                    let [a, b] = slots.map(|slot| lattice.maps(row + slot as usize));
                    even = even + number(weights[0]) * simd.load(a);
                    odd = odd + number(weights[1]) * simd.load(b);
                }
                if let (Some(slot), Some([weight, _])) = (last.first(), weights.get(pairs.len())) {
                    even = even + number(*weight) * simd.load(lattice.maps(row + *slot as usize));
                }
            }
            column += tile.columns;
        }
        row += tile.rows;
    }
    let total = totals.to_array().iter().sum();
    Sum { maps: Maps((even + odd).to_array()), total }
}

/// The sums for joints whose relations are tabled, a part of the way from one frame to the next.
pub(super) struct Tabled<'a, F> {
    pub lattice: Lattice<'a>,
    /// The says in where each joint goes.
    pub says: F,
    pub part: f32,
    /// What the table's rows are counted from.
    pub row: i32,
    pub sums: &'a mut [Sum],
}

impl<'s, F: Fn(usize) -> &'s [Changing]> Tabled<'_, F> {
    pub fn find(self, vectors: Option<Vectors>) {
        run_anywhere(vectors, self);
    }
}

impl<'s, F: Fn(usize) -> &'s [Changing]> Kernel for Tabled<'_, F> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { lattice, says, part, row, sums } = self;
        let weight = |say: &Changing| say.weight + part * say.change;
        for (joint, sum) in sums.iter_mut().enumerate() {
            let (mut even, mut odd) = (simd.splat(0.0), simd.splat(0.0));
            let mut total = 0.0;
            let (pairs, last) = says(joint).as_chunks::<2>();
            for [a, b] in pairs {
                let weights = [weight(a), weight(b)];
                even = even + simd.splat(weights[0]) * lattice.tabled(simd, row, a);
                odd = odd + simd.splat(weights[1]) * lattice.tabled(simd, row, b);
                total += weights[0] + weights[1];
            }
            if let Some(say) = last.first() {
                even = even + simd.splat(weight(say)) * lattice.tabled(simd, row, say);
                total += weight(say);
            }
            *sum = Sum { maps: Maps((even + odd).to_array()), total };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::relation::{Footprint, Say, relate};
    use super::*;

    const SIZE: [i32; 2] = [31, 27];
    const SPACING: f32 = 0.1;

    /// Maps with nothing in common, stored from somewhere in the middle.
    struct Example {
        maps: Vec<Maps>,
        slots: [Vec<u32>; 2],
    }

    impl Example {
        fn new() -> Self {
            let count = (SIZE[0] * SIZE[1]) as usize;
            let number = |slot: usize, lane: usize| ((slot * 31 + lane * 7) as f32 * 0.37).sin();
            let maps = (0..count)
                .map(|slot| Maps(std::array::from_fn(|lane| 1.5 + number(slot, lane))))
                .collect();
            let slots = [0, 1].map(|side| {
                let across = if side == 0 { SIZE[1] } else { 1 };
                (0..SIZE[side]).map(|at| ((at + 5) % SIZE[side] * across) as u32).collect()
            });
            Self { maps, slots }
        }

        fn lattice(&self) -> Lattice<'_> {
            let slots = [&self.slots[0][..], &self.slots[1][..]];
            Lattice { maps: &self.maps, slots, first: [-15, -13] }
        }
    }

    fn extent() -> Extent {
        Extent { first: [-13, -11], last: [13, 11] }
    }

    fn all_units() -> impl Iterator<Item = Option<Vectors>> {
        Vectors::all().into_iter().map(Some).chain([None])
    }

    /// The sum as one would write it down.
    fn plain(lattice: &Lattice<'_>, says: impl Iterator<Item = Say>) -> ([f64; LANES], f64) {
        let (mut sum, mut total) = ([0.0; LANES], 0.0);
        for say in says {
            let maps = lattice.maps(lattice.slot(0, say.row) + lattice.slot(1, say.column));
            for (sum, number) in sum.iter_mut().zip(maps) {
                *sum += f64::from(say.weight) * f64::from(*number);
            }
            total += f64::from(say.weight);
        }
        (sum, total)
    }

    fn assert_near(found: &Sum, (maps, total): &([f64; LANES], f64)) {
        for (found_number, number) in found.maps.0.iter().zip(maps) {
            let away = f64::from(*found_number) / f64::from(found.total) - number / total;
            assert!(away.abs() < 2e-6, "{found:?} is not {maps:?}");
        }
    }

    #[test]
    fn sums_of_relations_found_anew_are_the_plain_ones_on_every_vector_unit() {
        let example = Example::new();
        let joints: Vec<Vec3A> = (0..400)
            .map(|index| {
                let at = |factor: f32| (index as f32 * factor).sin();
                // Some of them off the lattice, some on the carpet, one nowhere.
                Vec3A::new(1.5 * at(0.7), (1.2 * at(1.3)).max(-0.02), 1.7 * at(2.1))
            })
            .chain([Vec3A::NAN, Vec3A::new(0.0, 0.0, 0.0), Vec3A::splat(1e30)])
            .collect();
        for footprint in [Footprint::Radius(0.35), Footprint::Published, Footprint::Radius(0.1)] {
            let weighting = Weighting { footprint, floor: 0.05, height: 1.8 };
            let on = |vectors| {
                let mut sums = vec![Sum::default(); joints.len()];
                let live = Live {
                    lattice: example.lattice(),
                    joints: &joints,
                    spacing: SPACING,
                    extent: extent(),
                    weighting,
                    sums: &mut sums,
                };
                live.find(vectors);
                sums
            };
            let sums = on(None);
            for vectors in all_units() {
                assert!(on(vectors) == sums, "{vectors:?}");
            }
            let mut says = Vec::new();
            for (joint, sum) in joints.iter().zip(&sums) {
                relate((*joint).into(), SPACING, &extent(), &weighting, &mut says);
                if joint.is_finite() {
                    assert_near(sum, &plain(&example.lattice(), says.iter().copied()));
                }
            }
        }
    }

    #[test]
    fn sums_of_tabled_relations_are_the_plain_ones_on_every_vector_unit() {
        let example = Example::new();
        let says: Vec<Changing> = (0..39i16)
            .map(|index| Changing {
                row: index / 7 - 3,
                column: index % 7 - 3,
                weight: 0.01 * f32::from(index),
                change: 0.003 * f32::from(index % 5),
            })
            .collect();
        let on = |vectors| {
            let mut sums = [Sum::default(); 3];
            let of = |joint: usize| &says[..13 * (joint + 1)];
            let lattice = example.lattice();
            Tabled { lattice, says: of, part: 0.3, row: 4, sums: &mut sums }.find(vectors);
            sums
        };
        let sums = on(None);
        for vectors in all_units() {
            assert_eq!(on(vectors), sums, "{vectors:?}");
        }
        for (joint, sum) in sums.iter().enumerate() {
            let says = says[..13 * (joint + 1)].iter().map(|say| Say {
                row: 4 + i32::from(say.row),
                column: i32::from(say.column),
                weight: say.weight + 0.3 * say.change,
            });
            assert_near(sum, &plain(&example.lattice(), says));
        }
    }
}
