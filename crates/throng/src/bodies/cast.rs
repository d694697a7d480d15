//! Who can appear: a few dozen looks, and how each person is one of them.

use std::sync::Arc;

use rayon::prelude::*;
use throng_motion::files::Body;
use throng_motion::files::gltf::Palette;
use throng_motion::gait::{Library, Style};
use throng_motion::mediator::{Repertoire, SectorOptions};
use throng_motion::{Bottom, Detail, HairStyle, Human, Mesh, Outfit, Physique, Region, Sleeves};
use throng_world::random::{Purpose, Random, Stream};

use super::BodyError;

/// A body that several people share: its size, clothes, and everything it can do.
#[derive(Clone, Debug)]
pub struct Look {
    /// How it is built.
    pub physique: Physique,
    /// What it wears.
    pub outfit: Outfit,
    /// Its skeleton.
    pub human: Human,
    /// How it moves.
    pub repertoire: Repertoire,
}

impl Look {
    /// A look with the gait that goes with its physique.
    ///
    /// # Errors
    ///
    /// If nobody can be built like that.
    pub fn new(physique: Physique, outfit: Outfit) -> Result<Self, BodyError> {
        let style = physique.style()?;
        Self::styled(physique, outfit, style)
    }

    /// A look with a gait of its own.
    ///
    /// # Errors
    ///
    /// If nobody can be built or move like that.
    pub fn styled(physique: Physique, outfit: Outfit, style: Style) -> Result<Self, BodyError> {
        let human = physique.human()?;
        let library = Library::new(&human, style)?;
        let repertoire = Repertoire::new(library.clips(), SectorOptions::default())?;
        Ok(Self { physique, outfit, human, repertoire })
    }

    /// Its surface.
    ///
    /// # Errors
    ///
    /// None that a look that was made could have.
    pub fn mesh(&self, detail: Detail) -> Result<Mesh, BodyError> {
        Ok(Mesh::body(&self.human, &self.physique, &self.outfit, detail)?)
    }

    /// Itself as a body to be written to files.
    ///
    /// # Errors
    ///
    /// As for [`Self::mesh`].
    pub fn body(&self, name: impl Into<String>, detail: Detail) -> Result<Body, BodyError> {
        Ok(Body {
            name: name.into(),
            skeleton: self.human.skeleton().clone(),
            meshes: vec![Arc::new(self.mesh(detail)?)],
        })
    }
}

/// What sets one person apart from others of the same look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Role {
    /// Which look of the cast they have.
    pub look: usize,
    /// How much larger than the look they are.
    pub scale: f32,
    /// Their colours.
    pub palette: Palette,
    /// Where in a gait's cycle they begin.
    pub phase: f32,
}

/// The looks that people can have.
///
/// ```
/// use throng::bodies::Cast;
///
/// let cast = Cast::new(2)?;
/// let (ann, bob) = (cast.role(7, 1), cast.role(7, 2));
/// assert_ne!(ann.palette, bob.palette);
/// # Ok::<(), throng::bodies::BodyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cast {
    looks: Vec<Look>,
}

/// By how much people of one look differ in size.
const SPREAD: f32 = 0.035;

impl Cast {
    /// How many looks there usually are.
    pub const USUAL: usize = 12;

    /// A cast of so many looks, women and men from 20 to 75.
    ///
    /// # Errors
    ///
    /// If there is to be no look at all.
    pub fn new(looks: usize) -> Result<Self, BodyError> {
        let looks: Result<Vec<Look>, BodyError> =
            (0..looks).into_par_iter().map(Self::usual_look).collect();
        Self::of(looks?)
    }

    /// A cast of these looks.
    ///
    /// # Errors
    ///
    /// If there are none.
    pub fn of(looks: Vec<Look>) -> Result<Self, BodyError> {
        if looks.is_empty() { Err(BodyError::NoLooks) } else { Ok(Self { looks }) }
    }

    /// The looks.
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// How `person` looks in a scene with this `seed`, always the same.
    pub fn role(&self, seed: u64, person: u32) -> Role {
        let mut draw = Random::new(seed).stream(u64::from(person), 0, Purpose::Body);
        let look = (draw.bits() % self.looks.len() as u64) as usize;
        Role {
            look,
            scale: draw.between(1.0 - SPREAD, 1.0 + SPREAD),
            palette: palette(&mut draw, self.looks[look].physique.age),
            phase: draw.unit(),
        }
    }

    fn usual_look(index: usize) -> Result<Look, BodyError> {
        let mut draw = Random::new(0x00B0_D1E5).stream(index as u64, 1, Purpose::Body);
        let femininity = if index.is_multiple_of(2) { 1.0 } else { 0.0 };
        let age = draw.between(20.0, 75.0);
        let typical = Physique::typical(age, femininity);
        let physique = Physique {
            height: typical.height + draw.between(-0.07, 0.07),
            build: draw.between(-0.6, 0.7),
            femininity: if femininity > 0.5 {
                draw.between(0.8, 1.0)
            } else {
                draw.between(0.0, 0.15)
            },
            ..typical
        };
        let choose = |draw: &mut Stream, count: usize| (draw.bits() % count as u64) as usize;
        let hair = if femininity > 0.5 {
            [HairStyle::Bob, HairStyle::Long, HairStyle::Bun, HairStyle::Full][choose(&mut draw, 4)]
        } else {
            [HairStyle::Short, HairStyle::Full, HairStyle::Short, HairStyle::Bald]
                [choose(&mut draw, 4)]
        };
        let bottom = match choose(&mut draw, 6) {
            0 => Bottom::Shorts,
            1 | 2 if femininity > 0.5 => Bottom::Skirt,
            _ => Bottom::Trousers,
        };
        let outfit = Outfit {
            hair,
            sleeves: [Sleeves::Long, Sleeves::Long, Sleeves::Short][choose(&mut draw, 3)],
            bottom,
            coat: bottom == Bottom::Trousers && choose(&mut draw, 5) == 0,
        };
        Look::new(physique, outfit)
    }
}

/// Skin, from light to dark, as linear colours.
const SKIN: [[f32; 3]; 6] = [
    [0.672, 0.423, 0.309],
    [0.591, 0.351, 0.242],
    [0.484, 0.262, 0.165],
    [0.342, 0.171, 0.098],
    [0.188, 0.088, 0.049],
    [0.096, 0.045, 0.027],
];

/// Hair of the young.
const HAIR: [[f32; 3]; 6] = [
    [0.012, 0.009, 0.008],
    [0.027, 0.016, 0.011],
    [0.058, 0.031, 0.018],
    [0.128, 0.068, 0.033],
    [0.314, 0.195, 0.089],
    [0.165, 0.051, 0.020],
];

const GREY: [f32; 3] = [0.342, 0.337, 0.330];

/// Tops.
const TOPS: [[f32; 3]; 10] = [
    [0.502, 0.054, 0.046],
    [0.042, 0.124, 0.309],
    [0.651, 0.630, 0.584],
    [0.028, 0.030, 0.036],
    [0.077, 0.202, 0.128],
    [0.584, 0.342, 0.048],
    [0.209, 0.212, 0.223],
    [0.130, 0.061, 0.165],
    [0.356, 0.491, 0.571],
    [0.381, 0.150, 0.093],
];

/// Trousers and skirts.
const BOTTOMS: [[f32; 3]; 6] = [
    [0.032, 0.048, 0.093],
    [0.018, 0.019, 0.022],
    [0.147, 0.121, 0.084],
    [0.090, 0.093, 0.098],
    [0.051, 0.061, 0.045],
    [0.287, 0.242, 0.171],
];

/// Shoes.
const SHOES: [[f32; 3]; 4] =
    [[0.014, 0.013, 0.012], [0.065, 0.033, 0.016], [0.604, 0.597, 0.584], [0.039, 0.042, 0.051]];

fn palette(draw: &mut Stream, age: f32) -> Palette {
    let of = |draw: &mut Stream, colours: &[[f32; 3]]| {
        colours[(draw.bits() % colours.len() as u64) as usize]
    };
    let skin = of(draw, &SKIN);
    // The darker the skin, the fewer are fair.
    let fair = if skin[0] > 0.4 { HAIR.len() } else { 3 };
    let hair = of(draw, &HAIR[..fair]);
    let grey = ((age - 45.0) / 30.0).clamp(0.0, 1.0) * draw.unit().sqrt();
    let hair =
        std::array::from_fn(|channel| hair[channel] + grey * (GREY[channel] - hair[channel]));
    Palette::default()
        .with(Region::Skin, skin)
        .with(Region::Hair, hair)
        .with(Region::Top, of(draw, &TOPS))
        .with(Region::Bottom, of(draw, &BOTTOMS))
        .with(Region::Shoes, of(draw, &SHOES))
}
