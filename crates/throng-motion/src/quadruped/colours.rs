//! The colours of an animal.

use crate::files::gltf::Palette;
use crate::mesh::Region;

/// The colours of an animal, as linear red, green and blue from 0 to 1.
///
/// Surfaces have the same regions for animals as for people, so that whatever draws people draws
/// animals too; this says which is which.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coat {
    /// Back, flanks, head and legs: [`Region::Top`].
    pub coat: [f32; 3],
    /// Belly, breast and the insides of the legs: [`Region::Bottom`].
    pub belly: [f32; 3],
    /// Nose and lips: [`Region::Skin`].
    pub muzzle: [f32; 3],
    /// Mane and tail, ears of dogs: [`Region::Hair`].
    pub mane: [f32; 3],
    /// Paws or hooves: [`Region::Shoes`].
    pub paws: [f32; 3],
    /// All of the eyes: [`Region::Eyes`].
    pub eyes: [f32; 3],
}

impl Coat {
    /// A tan dog with a light belly.
    pub const DOG: Self = Self {
        coat: [0.42, 0.22, 0.09],
        belly: [0.62, 0.44, 0.27],
        muzzle: [0.03, 0.025, 0.025],
        mane: [0.20, 0.10, 0.045],
        paws: [0.50, 0.33, 0.19],
        eyes: [0.03, 0.018, 0.01],
    };

    /// A bay horse: brown, with black mane, tail and hooves.
    pub const HORSE: Self = Self {
        coat: [0.21, 0.085, 0.035],
        belly: [0.26, 0.12, 0.055],
        muzzle: [0.06, 0.04, 0.035],
        mane: [0.016, 0.012, 0.01],
        paws: [0.05, 0.042, 0.036],
        eyes: [0.01, 0.008, 0.006],
    };

    /// The colours by regions.
    pub fn palette(&self) -> Palette {
        Palette::default()
            .with(Region::Top, self.coat)
            .with(Region::Bottom, self.belly)
            .with(Region::Skin, self.muzzle)
            .with(Region::Hair, self.mane)
            .with(Region::Shoes, self.paws)
            .with(Region::Eyes, self.eyes)
    }
}
