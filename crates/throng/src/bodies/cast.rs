//! Who can appear: a few dozen looks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use throng_base::random::{Purpose, Random, Stream};
use throng_motion::quadruped::{Breed, Coat};
use throng_motion::{Bottom, HairStyle, Outfit, Physique, Sleeves};
use throng_world::Scene;
use throng_world::scene::Species;

use super::BodyError;
use super::look::Look;
use super::posed::Poses;
use super::variety::{Library, Template};

/// The looks that people can have.
///
/// ```
/// use throng::bodies::Cast;
///
/// let cast = Cast::new(2)?;
/// assert_eq!(cast.looks().len(), cast.library().templates().len());
/// # Ok::<(), throng::bodies::BodyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cast {
    looks: Vec<Look>,
    library: Arc<Library>,
    /// Made when they are asked for first.
    poses: OnceLock<Vec<Poses>>,
}

/// Bodies that usual looks are of: what is beyond wears other clothes.
const BODIES: usize = 12;

impl Cast {
    /// How many looks of people there usually are.
    pub const USUAL: usize = 24;

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
        Self::from_library(Self::usual_library(people, animals)?)
    }

    /// The cast of a scene: so many looks of people, and the animals that its groups are.
    ///
    /// # Errors
    ///
    /// If there is to be no look at all.
    pub fn for_scene(people: usize, scene: Option<&Scene>) -> Result<Self, BodyError> {
        Self::from_library(Self::scene_library(people, scene)?)
    }

    /// The looks of a library's templates. Those who have the same body share what it can do, so that clothes are
    /// cheap.
    ///
    /// # Errors
    ///
    /// If nobody can be built or move like that.
    pub fn from_library(library: Library) -> Result<Self, BodyError> {
        let templates = library.templates();
        let is_first = |look: &usize| library.body(*look) == *look;
        let firsts: Vec<usize> = (0..templates.len()).filter(is_first).collect();
        let made: Result<Vec<(usize, Look)>, BodyError> =
            firsts.into_par_iter().map(|look| Ok((look, Look::of(&templates[look])?))).collect();
        let made: BTreeMap<usize, Look> = made?.into_iter().collect();
        let looks = templates.iter().zip(0..).map(|(template, look)| {
            let first = &made[&library.body(look)];
            first.dressed(template)
        });
        Ok(Self { looks: looks.collect(), library: Arc::new(library), poses: OnceLock::new() })
    }

    /// The looks.
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// The poses of [posed bodies](super::PosedBody), by look. The first call makes them, which takes a while.
    pub fn poses(&self) -> &[Poses] {
        self.poses.get_or_init(|| self.looks.par_iter().map(Poses::of).collect())
    }

    /// What the looks are made from, and what people are dyed with.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// What the usual looks are made from: made at once, without clips and surfaces.
    ///
    /// # Errors
    ///
    /// If there is to be no look at all.
    pub fn usual_library(people: usize, animals: &[Species]) -> Result<Library, BodyError> {
        let mut templates: Vec<Template> = Vec::with_capacity(people);
        for index in 0..people {
            let mut template = Self::usual_look(index);
            // Who would look like somebody else cuts their hair.
            while templates.contains(&template) {
                template = recut(template, index);
            }
            templates.push(template);
        }
        templates.extend(animals.iter().flat_map(|species| usual_breeds(*species)));
        Ok(Library::of(templates)?)
    }

    /// What the cast [of a scene](Self::for_scene) is made from.
    ///
    /// # Errors
    ///
    /// If there is to be no look at all.
    pub fn scene_library(people: usize, scene: Option<&Scene>) -> Result<Library, BodyError> {
        let species = scene.iter().flat_map(|scene| &scene.groups).map(|group| group.species);
        let animals: BTreeSet<Species> =
            species.filter(|species| *species != Species::Person).collect();
        Self::usual_library(people, &animals.into_iter().collect::<Vec<_>>())
    }

    fn usual_look(index: usize) -> Template {
        let draw = |index: usize| Random::new(0x00B0_D1E5).stream(index as u64, 1, Purpose::Body);
        let mut draw_body = draw(index % BODIES);
        let femininity = if index.is_multiple_of(2) { 1.0 } else { 0.0 };
        let age = draw_body.between(20.0, 75.0);
        let typical = Physique::typical(age, femininity);
        let physique = Physique {
            height: typical.height + draw_body.between(-0.07, 0.07),
            build: draw_body.between(-0.6, 0.7),
            femininity: if femininity > 0.5 {
                draw_body.between(0.8, 1.0)
            } else {
                draw_body.between(0.0, 0.15)
            },
            ..typical
        };
        let mut draw = if index < BODIES { draw_body } else { draw(index) };
        let choose = |draw: &mut Stream, count: usize| (draw.bits() % count as u64) as usize;
        let hairs = usual_hair(femininity > 0.5);
        let hair = hairs[choose(&mut draw, hairs.len())];
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
        Template::Person { physique, outfit }
    }
}

/// How women or men cut their hair, each as often as it is here.
fn usual_hair(woman: bool) -> [HairStyle; 4] {
    match woman {
        true => [HairStyle::Bob, HairStyle::Long, HairStyle::Bun, HairStyle::Full],
        false => [HairStyle::Short, HairStyle::Full, HairStyle::Short, HairStyle::Bald],
    }
}

/// The same with the next cut of hair, or after the last with another build, which there is no end of.
fn recut(template: Template, index: usize) -> Template {
    let Template::Person { mut physique, mut outfit } = template else { return template };
    let hairs = usual_hair(physique.femininity > 0.5);
    let at = hairs.iter().position(|hair| *hair == outfit.hair).unwrap_or_default();
    match hairs[at + 1..].iter().find(|hair| **hair != outfit.hair) {
        Some(next) => outfit.hair = *next,
        None => {
            outfit.hair = hairs[0];
            physique.build = (index as f32 * 0.618_034).fract() * 1.3 - 0.6;
        }
    }
    Template::Person { physique, outfit }
}

/// The breeds of a species, with their coats.
fn usual_breeds(species: Species) -> Vec<Template> {
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
    breeds.into_iter().map(|(breed, coat)| Template::Animal { species, breed, coat }).collect()
}
