//! Colours as eyes see them: OKLab, and ranges in it that tints are drawn from.

use glam::Vec3;
use throng_base::random::Stream;

/// Cloth is at least this far from the skin of whoever wears it, in OKLab: nearer, they look naked.
pub const FROM_SKIN: f32 = 0.08;

/// Colours around one: what cloth, hair and skin are dyed with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dye {
    /// The colour in the middle, as linear red, green and blue from 0 to 1.
    pub colour: [f32; 3],
    /// How far lightness can be off, in OKLab.
    pub lightness: f32,
    /// And chroma, as a share.
    pub chroma: f32,
    /// And hue, rad.
    pub hue: f32,
}

impl Dye {
    /// One colour and no other.
    pub const fn plain(colour: [f32; 3]) -> Self {
        Self { colour, lightness: 0.0, chroma: 0.0, hue: 0.0 }
    }

    /// Colours that far around.
    pub const fn around(colour: [f32; 3], lightness: f32, chroma: f32, hue: f32) -> Self {
        Self { colour, lightness, chroma, hue }
    }

    /// The colour in the middle, in OKLab.
    pub fn middle(&self) -> Vec3 {
        oklab(self.colour)
    }

    /// Whether it is a colour with sensible ranges.
    pub(super) fn is_sensible(&self) -> bool {
        let ranges = [self.lightness, self.chroma, self.hue];
        self.colour.iter().all(|part| (0.0..=1.0).contains(part))
            && ranges.iter().all(|range| (0.0..=1.0).contains(range))
    }

    /// One of the colours around `middle`, which is this dye's, in OKLab.
    pub(super) fn draw(&self, middle: Vec3, draw: &mut Stream) -> Vec3 {
        let mut vary = |range: f32| if range > 0.0 { draw.between(-range, range) } else { 0.0 };
        let (lighter, stronger, turn) = (vary(self.lightness), vary(self.chroma), vary(self.hue));
        let (sin, cos) = turn.sin_cos();
        let (a, b) = (middle.y * (1.0 + stronger), middle.z * (1.0 + stronger));
        let lightness = (middle.x + lighter).clamp(0.0, 1.0);
        Vec3::new(lightness, a * cos - b * sin, a * sin + b * cos)
    }
}

/// A linear colour in OKLab (Björn Ottosson, *A perceptual color space for image processing*, 2020).
pub fn oklab([red, green, blue]: [f32; 3]) -> Vec3 {
    let long = 0.412_221_47 * red + 0.536_332_55 * green + 0.051_445_995 * blue;
    let medium = 0.211_903_5 * red + 0.680_699_5 * green + 0.107_396_96 * blue;
    let short = 0.088_302_46 * red + 0.281_718_85 * green + 0.629_978_7 * blue;
    let [l, m, s] = [long, medium, short].map(f32::cbrt);
    Vec3::new(
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    )
}

/// And back; what screens cannot show is the nearest that they can in each channel.
pub fn linear(colour: Vec3) -> [f32; 3] {
    let Vec3 { x: lightness, y: a, z: b } = colour;
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(|part| part.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_back_and_are_those_of_the_author() {
        for colour in [[0.0; 3], [1.0; 3], [0.5, 0.05, 0.05], [0.04, 0.12, 0.31]] {
            for (back, was) in linear(oklab(colour)).into_iter().zip(colour) {
                assert!((back - was).abs() < 1e-4, "{colour:?}");
            }
        }
        // White and red, as published.
        assert!(oklab([1.0; 3]).distance(Vec3::X) < 1e-3);
        assert!(oklab([1.0, 0.0, 0.0]).distance(Vec3::new(0.628, 0.225, 0.126)) < 1e-3);
    }
}
