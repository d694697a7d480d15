//! Who can appear: a few dozen looks, and how each person is one of them.

use std::collections::BTreeSet;

use rayon::prelude::*;
use throng_motion::files::gltf::Palette;
use throng_motion::quadruped::{Breed, Coat};
use throng_motion::{Bottom, HairStyle, Outfit, Physique, Sleeves};
use throng_world::Scene;
use throng_world::random::{Purpose, Random, Stream};
use throng_world::scene::Species;

use super::BodyError;
use super::look::Look;

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
/// use throng::world::scene::Species;
///
/// let cast = Cast::new(2)?;
/// let (ann, bob) = (cast.role(7, 1, Species::Person), cast.role(7, 2, Species::Person));
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
    /// How many looks of people there usually are.
    pub const USUAL: usize = 12;

    /// A cast of so many looks, women and men from 20 to 75.
    ///
    /// # Errors
    ///
    /// If there is to be no look at all.
    pub fn new(looks: usize) -> Result<Self, BodyError> {
        Self::with_animals(looks, &[])
    }

    /// A cast of so many looks of people, and the usual looks of these animals.
    ///
    /// # Errors
    ///
    /// If there is to be no look at all.
    pub fn with_animals(people: usize, animals: &[Species]) -> Result<Self, BodyError> {
        let breeds = |species: &Species| usual_breeds(*species);
        let animals: Vec<_> = animals.iter().flat_map(breeds).collect();
        let looks: Result<Vec<Look>, BodyError> = (0..people + animals.len())
            .into_par_iter()
            .map(|index| match index.checked_sub(people) {
                None => Self::usual_look(index),
                Some(animal) => {
                    let (species, breed, coat) = animals[animal];
                    Look::animal(species, breed, coat)
                }
            })
            .collect();
        Self::of(looks?)
    }

    /// The cast of a scene: so many looks of people, and the animals that its groups are.
    ///
    /// # Errors
    ///
    /// If there is to be no look at all.
    pub fn for_scene(people: usize, scene: Option<&Scene>) -> Result<Self, BodyError> {
        let species = scene.iter().flat_map(|scene| &scene.groups).map(|group| group.species);
        let animals: BTreeSet<Species> =
            species.filter(|species| *species != Species::Person).collect();
        Self::with_animals(people, &animals.into_iter().collect::<Vec<_>>())
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

    /// How `person` looks in a scene with this `seed`, always the same. If the cast has nobody of their species,
    /// they look like somebody else.
    pub fn role(&self, seed: u64, person: u32, species: Species) -> Role {
        let mut draw = Random::new(seed).stream(u64::from(person), 0, Purpose::Body);
        let fits = |look: &Look| look.species() == species;
        let fitting = self.looks.iter().filter(|look| fits(look)).count() as u64;
        let look = if fitting > 0 {
            let chosen = (draw.bits() % fitting) as usize;
            let numbered = self.looks.iter().enumerate().filter(|(_, look)| fits(look));
            numbered.map(|(index, _)| index).nth(chosen).unwrap_or_default()
        } else {
            (draw.bits() % self.looks.len() as u64) as usize
        };
        Role {
            look,
            scale: draw.between(1.0 - SPREAD, 1.0 + SPREAD),
            palette: self.looks[look].palette(&mut draw),
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
        Look::person(physique, outfit)
    }
}

/// The breeds of a species, with their coats.
fn usual_breeds(species: Species) -> Vec<(Species, Breed, Coat)> {
    let coat = |coat: [f32; 3], belly: [f32; 3], mane: [f32; 3], of: Coat| Coat {
        coat,
        belly,
        mane,
        paws: belly,
        ..of
    };
    let breeds = match species {
        Species::Person => Vec::new(),
        Species::Dog => vec![
            (Breed::dog(0.55), Coat::DOG),
            (
                Breed::dog(0.42),
                coat([0.05, 0.045, 0.04], [0.55, 0.5, 0.45], [0.03, 0.028, 0.026], Coat::DOG),
            ),
            (
                Breed::dog(0.66),
                coat([0.48, 0.44, 0.38], [0.62, 0.58, 0.52], [0.34, 0.3, 0.25], Coat::DOG),
            ),
        ],
        Species::Horse => vec![
            (Breed::horse(1.6), Coat::HORSE),
            (
                Breed::horse(1.5),
                Coat {
                    coat: [0.34, 0.14, 0.05],
                    belly: [0.38, 0.18, 0.08],
                    mane: [0.42, 0.24, 0.1],
                    ..Coat::HORSE
                },
            ),
            (
                Breed::horse(1.65),
                Coat {
                    coat: [0.34, 0.34, 0.35],
                    belly: [0.42, 0.42, 0.42],
                    mane: [0.5, 0.5, 0.5],
                    ..Coat::HORSE
                },
            ),
        ],
    };
    breeds.into_iter().map(|(breed, coat)| (species, breed, coat)).collect()
}
