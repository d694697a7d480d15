//! All that sets one person apart.

use glam::Vec3;
use throng_motion::Region;
use throng_motion::files::gltf::Palette;
use throng_world::Temperament;

use super::dye::{linear, oklab};

/// What sets one person apart from others: plain data, of which every part can be seen, or tells in what they do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Descriptor {
    /// Which look of the cast they have.
    pub look: usize,
    /// The colour of each region, in the order of [`Region::ALL`].
    pub tints: [Tint; Region::ALL.len()],
    /// How much larger than the look they are. Who is larger takes fewer steps at the same speed.
    pub scale: f32,
    /// Where in a gait's cycle they begin, from 0 to 1.
    pub phase: f32,
    /// How far the torso leans ahead by habit, rad.
    pub posture: f32,
    /// What they are like; neither the one nor the other if they have no traits.
    pub temperament: Temperament,
}

const _: () = assert!(size_of::<Descriptor>() <= 64, "a descriptor is at most 64 bytes");

impl Descriptor {
    /// The colour of a region.
    pub fn tint(&self, region: Region) -> Tint {
        self.tints[region as usize]
    }

    /// Their colours.
    pub fn palette(&self) -> Palette {
        let colours = Region::ALL.into_iter().zip(self.tints);
        colours.fold(Palette::default(), |palette, (region, tint)| {
            palette.with(region, linear(tint.oklab()))
        })
    }

    /// The same with the colours of `palette`.
    pub(super) fn dyed(mut self, palette: &Palette) -> Self {
        for (tint, region) in self.tints.iter_mut().zip(Region::ALL) {
            *tint = Tint::of(oklab(palette.colour(region)));
        }
        self
    }
}

/// A colour in OKLab, in steps that nobody sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tint {
    lightness: u8,
    green_red: i8,
    blue_yellow: i8,
}

impl Tint {
    /// What lightness and the other two are counted in.
    const LIGHTNESS: f32 = 1.0 / 255.0;
    const COLOUR: f32 = 0.0025;

    /// The nearest tint.
    pub fn of(oklab: Vec3) -> Self {
        // `as` saturates.
        Self {
            lightness: (oklab.x / Self::LIGHTNESS).round() as u8,
            green_red: (oklab.y / Self::COLOUR).round() as i8,
            blue_yellow: (oklab.z / Self::COLOUR).round() as i8,
        }
    }

    /// The colour in OKLab.
    pub fn oklab(self) -> Vec3 {
        Vec3::new(
            f32::from(self.lightness) * Self::LIGHTNESS,
            f32::from(self.green_red) * Self::COLOUR,
            f32::from(self.blue_yellow) * Self::COLOUR,
        )
    }
}
