//! Colours for numbers.
//!
//! The maps are perceptually uniform: equal steps of a value look like equal steps of colour, in
//! greyscale print and to colour-blind readers too. They are viridis and magma, by Nathaniel Smith and
//! Stéfan van der Walt (2015, CC0), as nine colours each with straight lines in between. Both are cut
//! so that they show on white paper. Groups have the colours their scene gives them, which by default
//! are Paul Tol's "bright" ones, safe for colour-blind readers as well.

/// Colours for values from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColourMap {
    stops: [[u8; 3]; 9],
    /// The part of the map that 0 and 1 stand for. The first may be the larger.
    ends: [f32; 2],
}

const VIRIDIS: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x28, 0xae, 0x80],
    [0x5e, 0xc9, 0x62],
    [0xad, 0xdc, 0x30],
    [0xfd, 0xe7, 0x25],
];

const MAGMA: [[u8; 3]; 9] = [
    [0x00, 0x00, 0x04],
    [0x1d, 0x11, 0x47],
    [0x51, 0x12, 0x7c],
    [0x83, 0x26, 0x81],
    [0xb7, 0x37, 0x79],
    [0xe7, 0x52, 0x63],
    [0xfc, 0x89, 0x61],
    [0xfe, 0xc4, 0x88],
    [0xfc, 0xfd, 0xbf],
];

impl ColourMap {
    /// For densities: from pale, like the paper, to dark.
    pub const DENSITY: Self = Self { stops: MAGMA, ends: [1.0, 0.12] };
    /// For speeds: from dark and slow to bright and fast.
    pub const SPEED: Self = Self { stops: VIRIDIS, ends: [0.0, 0.95] };
    /// For clearances: from dark and narrow to green and wide, all of it thin lines on paper.
    pub const CLEARANCE: Self = Self { stops: VIRIDIS, ends: [0.0, 0.75] };

    /// The colour of `value`. Values outside 0 to 1 have the colour of the nearer end.
    pub fn at(&self, value: f32) -> [u8; 3] {
        let value = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        let along = (self.ends[0] + (self.ends[1] - self.ends[0]) * value) * 8.0;
        let stop = (along as usize).min(7);
        let (a, b, t) = (self.stops[stop], self.stops[stop + 1], along - stop as f32);
        std::array::from_fn(|i| {
            (f32::from(a[i]) + (f32::from(b[i]) - f32::from(a[i])) * t).round() as u8
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CIE 1976 lightness of a colour of sRGB.
    fn lightness(rgb: [u8; 3]) -> f32 {
        let linear = rgb.map(|c| {
            let c = f32::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        let y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
        if y > 0.008_856 { 116.0 * y.cbrt() - 16.0 } else { 903.3 * y }
    }

    #[test]
    fn lightness_runs_evenly_from_end_to_end() {
        for map in [ColourMap::DENSITY, ColourMap::SPEED, ColourMap::CLEARANCE] {
            let at = |i: u8| lightness(map.at(f32::from(i) / 20.0));
            let mean = (at(20) - at(0)) / 20.0;
            assert!(mean.abs() > 2.5, "the ends hardly differ");
            for i in 0..20 {
                let step = at(i + 1) - at(i);
                assert!(step / mean > 0.5 && step / mean < 1.5, "step {i} is {step}, not {mean}");
            }
        }
    }

    #[test]
    fn values_beyond_the_ends_have_their_colours() {
        let map = ColourMap::DENSITY;
        assert_eq!(map.at(-1.0), map.at(0.0));
        assert_eq!(map.at(7.0), map.at(1.0));
        assert_eq!(map.at(f32::NAN), map.at(0.0));
        assert_eq!(map.at(0.0), [0xfc, 0xfd, 0xbf]);
    }
}
