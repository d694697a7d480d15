//! Columns of the population, sixteen rows at a time.

use throng_simd::LANES;

/// Sixteen rows of a column. Where it ends, the last lanes mean nothing.
#[inline(always)]
pub(super) fn sixteen<T: Copy + Default>(column: &[T], first: usize) -> [T; LANES] {
    let column = &column[first..];
    if let Some(rows) = column.first_chunk() {
        return *rows;
    }
    let mut rows = [T::default(); LANES];
    rows[..column.len()].copy_from_slice(column);
    rows
}

/// Writes what [`sixteen`] has read.
#[inline(always)]
pub(super) fn put<T: Copy>(column: &mut [T], first: usize, rows: [T; LANES]) {
    let column = &mut column[first..];
    match column.first_chunk_mut() {
        Some(to) => *to = rows,
        None => column.copy_from_slice(&rows[..column.len()]),
    }
}
