//! Principal axes of symmetric matrices of two or three rows.

/// An eigenvalue and its unit eigenvector.
pub(crate) type Axis<const D: usize> = (f64, [f64; D]);

/// The mean of points.
pub(crate) fn mean<const D: usize>(points: &[[f64; D]]) -> [f64; D] {
    let count = points.len().max(1) as f64;
    std::array::from_fn(|i| points.iter().map(|p| p[i]).sum::<f64>() / count)
}

/// The mean of (p - mean)(p - mean)ᵀ.
pub(crate) fn covariance<const D: usize>(points: &[[f64; D]]) -> [[f64; D]; D] {
    let centre = mean(points);
    let mut sum = [[0.0; D]; D];
    for point in points {
        for i in 0..D {
            for j in 0..D {
                sum[i][j] += (point[i] - centre[i]) * (point[j] - centre[j]);
            }
        }
    }
    sum.map(|row| row.map(|x| x / points.len().max(1) as f64))
}

/// The axes of a symmetric matrix, the largest eigenvalue first, by Jacobi's rotations.
pub(crate) fn principal_axes<const D: usize>(mut matrix: [[f64; D]; D]) -> [Axis<D>; D] {
    let mut axes: [[f64; D]; D] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    // Convergence is quadratic: a handful of sweeps leave nothing off the diagonal.
    for _ in 0..12 {
        for p in 0..D {
            for q in p + 1..D {
                if matrix[p][q] == 0.0 {
                    continue;
                }
                let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cosine = 1.0 / (t * t + 1.0).sqrt();
                let sine = t * cosine;
                for row in &mut matrix {
                    let (a, b) = (row[p], row[q]);
                    (row[p], row[q]) = (cosine * a - sine * b, sine * a + cosine * b);
                }
                for k in 0..D {
                    let (a, b) = (matrix[p][k], matrix[q][k]);
                    (matrix[p][k], matrix[q][k]) = (cosine * a - sine * b, sine * a + cosine * b);
                    let (a, b) = (axes[p][k], axes[q][k]);
                    (axes[p][k], axes[q][k]) = (cosine * a - sine * b, sine * a + cosine * b);
                }
                (matrix[p][q], matrix[q][p]) = (0.0, 0.0);
            }
        }
    }
    let mut found: [Axis<D>; D] = std::array::from_fn(|i| (matrix[i][i].max(0.0), axes[i]));
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_rebuild_their_matrix() {
        let matrix = [[4.0, 1.0, -0.5], [1.0, 3.0, 0.25], [-0.5, 0.25, 0.6]];
        let axes = principal_axes(matrix);
        for i in 0..3 {
            for j in 0..3 {
                let rebuilt: f64 = axes.iter().map(|(value, e)| value * e[i] * e[j]).sum();
                assert!((rebuilt - matrix[i][j]).abs() < 1e-14, "{i} {j}");
            }
        }
        assert!(axes[0].0 > axes[1].0 && axes[1].0 > axes[2].0);
    }
}
