//! The Cholesky factorisation of the leading part of a symmetric matrix, and solves with it.
//!
//! Left-looking, four columns at a time: from eight rows of four columns, the products with all
//! columns to the left are taken away while they stay in registers.

use throng_simd::{DOUBLES, Doubles, Simd};

use super::panels::Panels;

/// Columns that are treated together: what registers hold of them with AVX2.
const BLOCK: usize = 4;

/// Replaces the lower triangle of the leading `size` rows and columns by its Cholesky factor; what
/// is above the diagonal or below these rows is spoilt. `false` if the matrix is not positive
/// definite, or so nearly not that nothing would be left of the precision.
#[inline(always)]
pub fn factorise<S: Simd>(simd: S, matrix: &mut Panels, size: usize) -> bool {
    let largest = (0..size).map(|i| matrix.get(i, i)).fold(0.0, f64::max);
    let smallest_pivot = largest * size as f64 * f64::EPSILON;
    let panels = size.div_ceil(DOUBLES);
    let mut factors = vec![[0.0; BLOCK]; size];
    for first in (0..size).step_by(BLOCK) {
        let width = BLOCK.min(size - first);
        let rows = first % DOUBLES;
        for (to, from) in factors[..first].iter_mut().zip(matrix.panel(first / DOUBLES)) {
            // A block never crosses a panel, so its rows are four in one vector.
            to.copy_from_slice(&from[rows..rows + BLOCK]);
        }
        for panel in first / DOUBLES..panels {
            subtract_left(simd, matrix.panel_mut(panel), first, width, &factors[..first]);
        }
        for column in first..first + width {
            let within: [f64; BLOCK] = std::array::from_fn(|i| {
                if first + i < column { matrix.get(column, first + i) } else { 0.0 }
            });
            for panel in first / DOUBLES..panels {
                let vectors = matrix.panel_mut(panel);
                let mut sum = simd.load_doubles(&vectors[column]);
                for (left, factor) in vectors[first..column].iter().zip(within) {
                    sum = sum - simd.load_doubles(left) * simd.splat_double(factor);
                }
                sum.store(&mut vectors[column]);
            }
            let pivot = matrix.get(column, column);
            // Written so that NaN fails.
            let is_definite = pivot > smallest_pivot;
            if !is_definite {
                return false;
            }
            let root = simd.splat_double(pivot.sqrt());
            for panel in first / DOUBLES..panels {
                let vector = &mut matrix.panel_mut(panel)[column];
                (simd.load_doubles(vector) / root).store(vector);
            }
        }
    }
    true
}

#[inline(always)]
fn subtract_left<S: Simd>(
    simd: S,
    panel: &mut [[f64; DOUBLES]],
    first: usize,
    width: usize,
    factors: &[[f64; BLOCK]],
) {
    let (left, right) = panel.split_at_mut(first);
    let mut sums = [simd.splat_double(0.0); BLOCK];
    for (vector, factors) in left.iter().zip(factors) {
        let vector = simd.load_doubles(vector);
        for (sum, factor) in sums.iter_mut().zip(factors) {
            *sum = *sum + vector * simd.splat_double(*factor);
        }
    }
    for (vector, sum) in right[..width].iter_mut().zip(sums) {
        (simd.load_doubles(vector) - sum).store(vector);
    }
}

/// Solves L Lᵀ x = b in place for V right-hand sides at once, so that the factor is read once for
/// all of them; each has room for whole panels.
#[inline(always)]
pub fn solve<S: Simd, const V: usize>(
    simd: S,
    factor: &Panels,
    size: usize,
    x: &mut [[[f64; DOUBLES]; V]],
) {
    let panels = size.div_ceil(DOUBLES);
    let inside = |panel: usize| DOUBLES.min(size - panel * DOUBLES);
    // L y = b, from the top.
    for panel in 0..panels {
        let vectors = factor.panel(panel);
        let (above, own) = x.split_at_mut(panel);
        let mut sums = [[simd.splat_double(0.0); V]; 2];
        for (vectors, values) in vectors.as_chunks::<DOUBLES>().0.iter().zip(above) {
            for (k, vector) in vectors.iter().enumerate() {
                let vector = simd.load_doubles(vector);
                for (sum, values) in sums[k % 2].iter_mut().zip(values.iter()) {
                    *sum = *sum + vector * simd.splat_double(values[k]);
                }
            }
        }
        for (v, own) in own[0].iter_mut().enumerate() {
            (simd.load_doubles(own) - (sums[0][v] + sums[1][v])).store(own);
            for k in 0..inside(panel) {
                let column = &vectors[panel * DOUBLES + k];
                own[k] /= column[k];
                for row in k + 1..DOUBLES {
                    own[row] -= column[row] * own[k];
                }
            }
        }
    }
    // Lᵀ x = y, from the bottom. What rows below take away is summed per lane, and over lanes once.
    let mut below = vec![[[0.0; DOUBLES]; V]; size];
    for panel in (0..panels).rev() {
        let vectors = factor.panel(panel);
        let own = &mut x[panel];
        for (v, own) in own.iter_mut().enumerate() {
            for k in (0..inside(panel)).rev() {
                let column = panel * DOUBLES + k;
                let mut sum = simd.load_doubles(&below[column][v]).sum();
                for row in k + 1..inside(panel) {
                    sum += vectors[column][row] * own[row];
                }
                own[k] = (own[k] - sum) / vectors[column][k];
            }
            // Rows that only fill up the panel hold nothing that counts.
            own[inside(panel)..].fill(0.0);
        }
        let values = own.each_ref().map(|own| simd.load_doubles(own));
        for (below, vector) in below[..panel * DOUBLES].iter_mut().zip(vectors) {
            let vector = simd.load_doubles(vector);
            for (below, values) in below.iter_mut().zip(values) {
                (simd.load_doubles(below) + vector * values).store(below);
            }
        }
    }
}
