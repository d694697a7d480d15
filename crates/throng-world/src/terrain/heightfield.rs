//! Heights on a regular lattice, bilinear between the samples.
//!
//! A point falls into one cell of the lattice; its height blends the four corners. The surface is
//! continuous, but its slope jumps along the lattice lines. Normals come from the gradient of that
//! same patch and so jump too: we prefer a normal that is truly the surface's, which feet are set
//! on, over a smoother one that is not. On a lattice line the cell towards larger x and y decides.

use glam::{Vec2, Vec3};
use throng_base::Bounds;
use throng_base::frame::ground_to_world;

use super::{FARTHEST, heightmap, is_sane};

/// Heights on a regular lattice over a rectangle. Outside it, height and normal are those of the
/// nearest point of its border. Only [`Heightfield::new`] makes one, so all of it is finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    bounds: Bounds,
    columns: usize,
    rows: usize,
    heights: Vec<f32>,
    cells_per_metre: Vec2,
}

/// Why a table of heights is not a [`Heightfield`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum HeightfieldError {
    /// Fewer than two samples along a side.
    #[error("a heightfield needs at least 2 × 2 samples, and this one has {0} × {1}")]
    TooFewSamples(usize, usize),
    /// More samples than the limit.
    #[error(
        "a heightfield has at most {MOST_SAMPLES} samples along a side, and this one has {0} × {1}"
    )]
    TooManySamples(usize, usize),
    /// The table does not hold columns × rows heights.
    #[error("{columns} × {rows} samples were announced, and {heights} heights given")]
    WrongCount {
        /// Samples along x.
        columns: usize,
        /// Samples along y.
        rows: usize,
        /// Heights given.
        heights: usize,
    },
    /// Bounds that are not finite, too far away, or too thin for their samples.
    #[error(
        "it cannot span the rectangle from {} to {}: corners must be finite, within {FARTHEST:e} m \
         of the origin, and leave at least {CLOSEST} m between samples", bounds.min, bounds.max
    )]
    BadBounds {
        /// The bounds given.
        bounds: Bounds,
    },
    /// A height that is not finite or out of all proportion.
    #[error(
        "the height {height} in column {column}, row {row} is not a number within {FARTHEST:e} m"
    )]
    BadHeight {
        /// Sample along x.
        column: usize,
        /// Sample along y.
        row: usize,
        /// The height given.
        height: f32,
    },
}

/// Most samples along a side. A lattice this large holds a gigabyte of heights, and an `f32`
/// coordinate along it still resolves a thousandth of a cell.
pub(crate) const MOST_SAMPLES: usize = 16384;

/// Least distance between samples, m. With heights up to [`FARTHEST`] the gradient's square stays
/// far from overflow.
const CLOSEST: f32 = 1e-4;

impl Heightfield {
    /// A lattice of `columns` × `rows` heights (m) that spans `bounds`, its outermost samples on the
    /// border. `heights` goes row by row from the smallest y, each row from the smallest x.
    pub fn new(
        bounds: Bounds,
        columns: usize,
        rows: usize,
        heights: Vec<f32>,
    ) -> Result<Self, HeightfieldError> {
        check_samples(columns, rows)?;
        if heights.len() != columns * rows {
            return Err(HeightfieldError::WrongCount { columns, rows, heights: heights.len() });
        }
        let cells = Vec2::new((columns - 1) as f32, (rows - 1) as f32);
        let mut corners = bounds.min.to_array().into_iter().chain(bounds.max.to_array());
        let wide_enough = (bounds.size() / cells).cmpge(Vec2::splat(CLOSEST)).all();
        if !corners.all(is_sane) || !wide_enough {
            return Err(HeightfieldError::BadBounds { bounds });
        }
        if let Some(bad) = heights.iter().position(|height| !is_sane(*height)) {
            let (column, row) = (bad % columns, bad / columns);
            return Err(HeightfieldError::BadHeight { column, row, height: heights[bad] });
        }
        Ok(Self { bounds, columns, rows, heights, cells_per_metre: cells / bounds.size() })
    }

    /// The rectangle it spans.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Samples along x.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Samples along y.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All heights (m), row by row from the smallest y.
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// Itself as a heightmap: a PNG file of 16 bits of grey, and the heights (m) of its black and its white, which a
    /// scene gives as `low` and `high`.
    ///
    /// # Errors
    ///
    /// If it is larger than an image can be.
    pub fn to_heightmap(&self) -> Result<(Vec<u8>, [f32; 2]), String> {
        let around = |[low, high]: [f32; 2], height: &f32| [low.min(*height), high.max(*height)];
        let [low, high] = self.heights.iter().fold([f32::INFINITY, f32::NEG_INFINITY], around);
        // Whole centimetres are easier to read, and contain the rest.
        let low = (low * 100.0).floor() / 100.0;
        let high = ((high * 100.0).ceil() / 100.0).max(low + 0.01);
        let image = heightmap::encode(self.columns, &self.heights, low, high);
        let image = image.map_err(|error| format!("cannot make an image of heights: {error}"))?;
        Ok((image, [low, high]))
    }

    /// Height at `point`, m.
    #[inline]
    pub fn height(&self, point: Vec2) -> f32 {
        self.patch(point).height()
    }

    /// Unit normal at `point`, in the world frame.
    pub fn normal(&self, point: Vec2) -> Vec3 {
        self.height_and_normal(point).1
    }

    /// Both at once.
    #[inline]
    pub fn height_and_normal(&self, point: Vec2) -> (f32, Vec3) {
        let patch = self.patch(point);
        let gradient = patch.gradient() * self.cells_per_metre;
        (patch.height(), ground_to_world(-gradient, 1.0).normalize())
    }

    #[inline]
    fn patch(&self, point: Vec2) -> Patch {
        let along = (point - self.bounds.min) * self.cells_per_metre;
        let (column, x) = cell_and_fraction(along.x, self.columns);
        let (row, y) = cell_and_fraction(along.y, self.rows);
        let first = row * self.columns + column;
        let (low, high) = (&self.heights[first..first + 2], &self.heights[first + self.columns..]);
        Patch { corners: [low[0], low[1], high[0], high[1]], at: Vec2::new(x, y) }
    }
}

/// Whether a lattice of this size can be a heightfield; to be asked before memory is.
pub(super) fn check_samples(columns: usize, rows: usize) -> Result<(), HeightfieldError> {
    if columns.min(rows) < 2 {
        return Err(HeightfieldError::TooFewSamples(columns, rows));
    }
    if columns.max(rows) > MOST_SAMPLES {
        return Err(HeightfieldError::TooManySamples(columns, rows));
    }
    Ok(())
}

/// One cell of the lattice: corners at (0, 0), (1, 0), (0, 1), (1, 1), and a place between them.
struct Patch {
    corners: [f32; 4],
    at: Vec2,
}

impl Patch {
    #[inline]
    fn height(&self) -> f32 {
        let [a, b, c, d] = self.corners;
        let low = a + (b - a) * self.at.x;
        let high = c + (d - c) * self.at.x;
        low + (high - low) * self.at.y
    }

    /// Height gained per cell, along x and y.
    #[inline]
    fn gradient(&self) -> Vec2 {
        let [a, b, c, d] = self.corners;
        let (bottom, top) = (b - a, d - c);
        let (left, right) = (c - a, d - b);
        Vec2::new(bottom + (top - bottom) * self.at.y, left + (right - left) * self.at.x)
    }
}

/// The cell that holds a lattice coordinate, and where in it the coordinate lies, from 0 to 1.
/// Coordinates off the lattice are moved onto it; NaN goes to 0, because `max` drops it.
#[inline]
fn cell_and_fraction(along: f32, samples: usize) -> (usize, f32) {
    let along = along.max(0.0).min((samples - 1) as f32);
    let cell = (along as usize).min(samples - 2);
    (cell, along - cell as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(min: (f32, f32), max: (f32, f32)) -> Bounds {
        Bounds { min: min.into(), max: max.into() }
    }

    /// Height 1 + x/2 - y/4 over (2, 4) to (6, 12).
    fn slope() -> Heightfield {
        let heights = (0..5).flat_map(|row| (0..3).map(move |column| (column, row)));
        let heights = heights
            .map(|(c, r)| 1.0 + (2.0 + 2.0 * c as f32) * 0.5 - (4.0 + 2.0 * r as f32) * 0.25);
        Heightfield::new(bounds((2.0, 4.0), (6.0, 12.0)), 3, 5, heights.collect()).unwrap()
    }

    #[test]
    fn a_plane_is_reproduced_with_its_normal() {
        let field = slope();
        for point in [(2.0, 4.0), (6.0, 12.0), (3.0, 5.0), (5.25, 11.5), (4.0, 8.0)].map(Vec2::from)
        {
            let expected = 1.0 + point.x * 0.5 - point.y * 0.25;
            assert!((field.height(point) - expected).abs() < 1e-6, "{point}");
            let normal = Vec3::new(-0.5, 1.0, -0.25).normalize();
            assert!((field.normal(point) - normal).length() < 1e-6, "{}", field.normal(point));
        }
    }

    #[test]
    fn beyond_the_border_the_nearest_border_point_answers() {
        let field = slope();
        assert_eq!(field.height(Vec2::new(-50.0, 5.0)), field.height(Vec2::new(2.0, 5.0)));
        assert_eq!(field.height(Vec2::new(99.0, 99.0)), field.height(Vec2::new(6.0, 12.0)));
        assert_eq!(field.normal(Vec2::new(9.0, 5.0)), field.normal(Vec2::new(6.0, 5.0)));
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            let (height, normal) = field.height_and_normal(Vec2::splat(odd));
            assert!(height.is_finite() && normal.is_finite());
        }
    }

    #[test]
    fn samples_are_hit_exactly_and_a_saddle_has_its_closed_form() {
        let heights = vec![0.0, 1.0, 1.0, 0.0];
        let field = Heightfield::new(bounds((0.0, 0.0), (2.0, 2.0)), 2, 2, heights).unwrap();
        let at = |x, y| field.height(Vec2::new(x, y));
        assert_eq!([at(0.0, 0.0), at(2.0, 0.0), at(0.0, 2.0), at(2.0, 2.0)], [0.0, 1.0, 1.0, 0.0]);
        let (u, v) = (0.3, 0.9);
        assert!((at(2.0 * u, 2.0 * v) - (u + v - 2.0 * u * v)).abs() < 1e-6);
    }

    #[test]
    fn what_is_no_heightfield_is_refused_with_the_reason() {
        let square = bounds((0.0, 0.0), (1.0, 1.0));
        let of = |b, c, r, h: Vec<f32>| Heightfield::new(b, c, r, h).unwrap_err();
        assert_eq!(of(square, 1, 4, vec![0.0; 4]), HeightfieldError::TooFewSamples(1, 4));
        assert_eq!(of(square, 0, 0, vec![]), HeightfieldError::TooFewSamples(0, 0));
        let huge = usize::MAX / 2;
        assert_eq!(of(square, huge, 4, vec![]), HeightfieldError::TooManySamples(huge, 4));
        assert!(matches!(of(square, 2, 2, vec![0.0; 5]), HeightfieldError::WrongCount { .. }));
        let message = of(square, 2, 2, vec![0.0, 0.0, f32::NAN, 0.0]).to_string();
        assert!(message.contains("column 0, row 1"), "{message}");
        for bad in [
            bounds((0.0, 0.0), (0.0, 1.0)),
            bounds((1.0, 0.0), (0.0, 1.0)),
            bounds((f32::NAN, 0.0), (1.0, 1.0)),
            bounds((0.0, 0.0), (f32::INFINITY, 1.0)),
            bounds((0.0, 0.0), (1e30, 1.0)),
        ] {
            let error = of(bad, 2, 2, vec![0.0; 4]);
            assert!(matches!(error, HeightfieldError::BadBounds { .. }), "{bad:?}: {error}");
        }
    }
}
