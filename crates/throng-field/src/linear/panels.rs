//! Square matrices in panels of eight rows.
//!
//! Numbers of one column and eight adjacent rows are one vector, and the vectors of a panel follow
//! each other column by column: sums along rows read memory in order, eight rows at a time.

use throng_simd::{DOUBLES, Doubles, Simd};

/// A square matrix; rows beyond its size, which fill up the last panel, are zero at first.
#[derive(Clone, Debug)]
pub struct Panels {
    size: usize,
    vectors: Vec<[f64; DOUBLES]>,
}

impl Panels {
    pub fn zero(size: usize) -> Self {
        Self { size, vectors: vec![[0.0; DOUBLES]; size * size.div_ceil(DOUBLES)] }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    #[inline(always)]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.vectors[row / DOUBLES * self.size + column][row % DOUBLES]
    }

    /// The vectors of eight rows, one per column.
    #[inline(always)]
    pub fn panel(&self, index: usize) -> &[[f64; DOUBLES]] {
        &self.vectors[index * self.size..][..self.size]
    }

    #[inline(always)]
    pub fn panel_mut(&mut self, index: usize) -> &mut [[f64; DOUBLES]] {
        &mut self.vectors[index * self.size..][..self.size]
    }

    pub fn add_to_diagonal(&mut self, values: &[f64]) {
        for (i, value) in values.iter().enumerate() {
            self.vectors[i / DOUBLES * self.size + i][i % DOUBLES] += value;
        }
    }

    /// The product with a vector. Both are padded to whole panels.
    #[inline(always)]
    pub fn times<S: Simd>(&self, simd: S, vector: &[f64], product: &mut [[f64; DOUBLES]]) {
        for (panel, product) in product.iter_mut().enumerate() {
            let mut sums = [simd.splat_double(0.0); 2];
            let pairs = self.panel(panel).chunks(2).zip(vector.chunks(2));
            for (columns, factors) in pairs {
                for ((sum, column), factor) in sums.iter_mut().zip(columns).zip(factors) {
                    *sum = *sum + simd.load_doubles(column) * simd.splat_double(*factor);
                }
            }
            (sums[0] + sums[1]).store(product);
        }
    }
}
