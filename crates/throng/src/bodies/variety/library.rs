//! What people can be made of: templates of bodies with clothes, and dyes.

use glam::Vec3;
use thiserror::Error;
use throng_base::random::Stream;
use throng_motion::files::gltf::Palette;
use throng_motion::quadruped::{Breed, Coat};
use throng_motion::{HairStyle, Outfit, Physique, Region};
use throng_world::scene::Species;

use super::descriptor::{Descriptor, Tint};
use super::dye::{Dye, FROM_SKIN, oklab};
use super::{POSTURE, SPREAD};

/// A look before it has clips and a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "there are a few dozen of them, and they are plain data"
)]
pub enum Template {
    /// A person.
    Person {
        /// How they are built.
        physique: Physique,
        /// What they wear.
        outfit: Outfit,
    },
    /// An animal.
    Animal {
        /// What it is.
        species: Species,
        /// How it is built.
        breed: Breed,
        /// Its colours.
        coat: Coat,
    },
}

impl Template {
    /// What it is.
    pub fn species(&self) -> Species {
        match self {
            Self::Person { .. } => Species::Person,
            Self::Animal { species, .. } => *species,
        }
    }

    /// Whether the other has the same body, whatever it wears: then it moves the same way.
    pub fn shares_body(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Person { physique: a, .. }, Self::Person { physique: b, .. }) => a == b,
            (Self::Animal { breed: a, .. }, Self::Animal { breed: b, .. }) => a == b,
            _ => false,
        }
    }

    /// What they wear, if it is a person.
    pub fn outfit(&self) -> Option<Outfit> {
        match self {
            Self::Person { outfit, .. } => Some(*outfit),
            Self::Animal { .. } => None,
        }
    }
}

/// What people are dyed with.
#[derive(Clone, Debug, PartialEq)]
pub struct Dyes {
    /// Skin.
    pub skins: Vec<Dye>,
    /// Hair of the young; with age it turns grey.
    pub hairs: Vec<Dye>,
    /// Irises.
    pub irises: Vec<Dye>,
    /// Where viewers look first.
    pub tops: Vec<Dye>,
    /// Trousers and skirts.
    pub bottoms: Vec<Dye>,
    /// Shoes.
    pub shoes: Vec<Dye>,
}

impl Default for Dyes {
    fn default() -> Self {
        Self {
            skins: SKINS.to_vec(),
            hairs: HAIRS.to_vec(),
            irises: IRISES.to_vec(),
            tops: TOPS.to_vec(),
            bottoms: BOTTOMS.to_vec(),
            shoes: SHOES.to_vec(),
        }
    }
}

/// Why nobody can be made of a library.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum LibraryError {
    #[error("a cast needs at least one look")]
    NoTemplates,
    #[error("templates {0} and {1} are the same; leave out one of them")]
    Twins(usize, usize),
    #[error("there is no dye for {0}")]
    NoDyes(&'static str),
    #[error(
        "dye {index} for {region} is none: colours are from 0 to 1, and so are the ranges around them"
    )]
    Dye { region: &'static str, index: usize },
    #[error(
        "nobody with skin {skin} finds {region} to wear that {FROM_SKIN} in OKLab sets apart from it"
    )]
    NothingToWear { skin: usize, region: &'static str },
    #[error("nobody with skin {skin} finds {region} that goes with it")]
    NothingThatGoes { skin: usize, region: &'static str },
}

/// What people are made of. It is small and quickly made, and says what a [`Cast`](crate::bodies::Cast) of the same
/// templates has clips and surfaces for.
#[derive(Clone, Debug, PartialEq)]
pub struct Library {
    templates: Vec<Template>,
    /// For each template the first one with the same body.
    bodies: Vec<usize>,
    dyes: Dyes,
    /// For each skin what goes with it.
    matches: Vec<Matches>,
    /// The looks of each species, in the order of [`Species::ALL`].
    of_species: Vec<Vec<usize>>,
    /// The white of everybody's eyes, and their pupils.
    eyes: [Tint; 2],
    grey: Vec3,
}

/// What goes with a skin: dyes with their middles in OKLab.
#[derive(Clone, Debug, PartialEq)]
struct Matches {
    skin: (Dye, Vec3),
    hairs: Vec<(Dye, Vec3)>,
    irises: Vec<(Dye, Vec3)>,
    tops: Vec<(Dye, Vec3)>,
    bottoms: Vec<(Dye, Vec3)>,
    shoes: Vec<(Dye, Vec3)>,
}

impl Library {
    /// These templates with the usual dyes.
    ///
    /// # Errors
    ///
    /// If there are none, or two are the same.
    pub fn of(templates: Vec<Template>) -> Result<Self, LibraryError> {
        Self::new(templates, Dyes::default())
    }

    /// These templates and dyes.
    ///
    /// # Errors
    ///
    /// If somebody could not be made of them.
    pub fn new(templates: Vec<Template>, dyes: Dyes) -> Result<Self, LibraryError> {
        if templates.is_empty() {
            return Err(LibraryError::NoTemplates);
        }
        let mut bodies = Vec::with_capacity(templates.len());
        for (index, template) in templates.iter().enumerate() {
            if let Some(twin) = templates[..index].iter().position(|other| other == template) {
                return Err(LibraryError::Twins(twin, index));
            }
            let first = templates.iter().position(|other| other.shares_body(template));
            bodies.push(first.unwrap_or(index));
        }
        check(&dyes)?;
        let matches: Result<Vec<_>, _> =
            (0..dyes.skins.len()).map(|skin| Matches::of(&dyes, skin)).collect();
        let looks = |species: &Species| {
            let is = |look: &usize| templates[*look].species() == *species;
            (0..templates.len()).filter(is).collect()
        };
        Ok(Self {
            of_species: Species::ALL.iter().map(looks).collect(),
            templates,
            bodies,
            matches: matches?,
            dyes,
            eyes: [Region::Eyes, Region::Pupil]
                .map(|region| Tint::of(oklab(Palette::default().colour(region)))),
            grey: oklab(GREY),
        })
    }

    /// The templates.
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    /// The dyes.
    pub fn dyes(&self) -> &Dyes {
        &self.dyes
    }

    /// The first template with the same body as that with number `look`.
    pub fn body(&self, look: usize) -> usize {
        self.bodies.get(look).copied().unwrap_or(look)
    }

    /// What somebody with this look is.
    pub fn species(&self, look: usize) -> Option<Species> {
        self.templates.get(look).map(Template::species)
    }

    /// Whether there is anybody of a species.
    pub fn has(&self, species: Species) -> bool {
        !self.looks_of(species).is_empty()
    }

    fn looks_of(&self, species: Species) -> &[usize] {
        let index = Species::ALL.iter().position(|other| *other == species);
        index.and_then(|index| self.of_species.get(index)).map_or(&[], Vec::as_slice)
    }

    /// How many people can be told apart by their look and their dyes alone, without regard to the ranges around dyes,
    /// to sizes and to postures. Animals are one for each template.
    pub fn count(&self) -> u64 {
        let of = |template: &Template| match template {
            Template::Animal { .. } => 1,
            Template::Person { physique, outfit } => {
                self.matches.iter().map(|matches| matches.count(physique, outfit)).sum()
            }
        };
        self.templates.iter().map(of).sum()
    }

    /// Somebody of a species; if there is none of it, anybody. All but the phase.
    pub(super) fn draw(&self, species: Species, draw: &mut Stream) -> Descriptor {
        let looks = self.looks_of(species);
        let look = match looks.len() as u64 {
            0 => (draw.bits() % self.templates.len() as u64) as usize,
            count => looks[(draw.bits() % count) as usize],
        };
        let scale = draw.between(1.0 - SPREAD, 1.0 + SPREAD);
        let drawn = Descriptor { look, scale, ..Descriptor::default() };
        match &self.templates[look] {
            Template::Person { physique, outfit } => {
                let posture = draw.between(-POSTURE, POSTURE);
                let matches = &self.matches[(draw.bits() % self.matches.len() as u64) as usize];
                let mut tints = matches.draw(physique, outfit, self.grey, draw);
                [tints[Region::Eyes as usize], tints[Region::Pupil as usize]] = self.eyes;
                Descriptor { posture, tints, ..drawn }
            }
            Template::Animal { coat, .. } => {
                let mut coat = *coat;
                let shade = draw.between(0.75, 1.25);
                for colour in [&mut coat.coat, &mut coat.belly] {
                    *colour = colour.map(|part| (part * shade).min(1.0));
                }
                drawn.dyed(&coat.palette())
            }
        }
    }
}

fn check(dyes: &Dyes) -> Result<(), LibraryError> {
    for (region, dyes) in [
        ("skin", &dyes.skins),
        ("hair", &dyes.hairs),
        ("irises", &dyes.irises),
        ("tops", &dyes.tops),
        ("bottoms", &dyes.bottoms),
        ("shoes", &dyes.shoes),
    ] {
        if dyes.is_empty() {
            return Err(LibraryError::NoDyes(region));
        }
        if let Some(index) = dyes.iter().position(|dye| !dye.is_sensible()) {
            return Err(LibraryError::Dye { region, index });
        }
    }
    Ok(())
}

/// Hair that is lighter than this is fair, in OKLab, and only people with skin lighter than that have it.
const FAIR: (f32, f32) = (0.38, 0.64);
/// The same of irises: grey, blue and green ones are light.
const LIGHT_IRIS: f32 = 0.42;
/// What lips are in OKLab where skin is at the origin: darker and redder.
const LIPS: Vec3 = Vec3::new(-0.07, 0.035, 0.004);
/// Brows are darker than hair by this part in OKLab, and by this much than skin.
const BROWS: (f32, f32) = (0.85, 0.14);
/// Brows of the bald, as parts of their skin in OKLab.
const BALD_BROWS: Vec3 = Vec3::new(0.55, 0.5, 0.5);
/// How grey hair can be, in parts of which all are grey.
const GREYS: u64 = 3;
const GREY: [f32; 3] = [0.342, 0.337, 0.330];

impl Matches {
    fn of(dyes: &Dyes, index: usize) -> Result<Self, LibraryError> {
        let middles =
            |dyes: &[Dye]| dyes.iter().map(|dye| (*dye, dye.middle())).collect::<Vec<_>>();
        let dye = dyes.skins[index];
        let skin = (dye, dye.middle());
        // Skin has its own range, and tints are rounded.
        let apart = |(_, cloth): &(Dye, Vec3)| cloth.distance(skin.1) >= FROM_SKIN + 0.02;
        let worn = |dyes: &[Dye], region| {
            let worn: Vec<_> = middles(dyes).into_iter().filter(apart).collect();
            let none = worn.is_empty();
            if none { Err(LibraryError::NothingToWear { skin: index, region }) } else { Ok(worn) }
        };
        let going = |dyes: &[Dye], fair: f32, region| {
            let goes = |(_, dye): &(Dye, Vec3)| dye.x < fair || skin.1.x > FAIR.1;
            let going: Vec<_> = middles(dyes).into_iter().filter(goes).collect();
            let none = going.is_empty();
            if none {
                Err(LibraryError::NothingThatGoes { skin: index, region })
            } else {
                Ok(going)
            }
        };
        Ok(Self {
            skin,
            hairs: going(&dyes.hairs, FAIR.0, "hair")?,
            irises: going(&dyes.irises, LIGHT_IRIS, "irises")?,
            tops: worn(&dyes.tops, "tops")?,
            bottoms: worn(&dyes.bottoms, "bottoms")?,
            shoes: middles(&dyes.shoes),
        })
    }

    fn count(&self, physique: &Physique, outfit: &Outfit) -> u64 {
        let hairs = match outfit.hair {
            HairStyle::Bald => 1,
            // Where all of it is grey, nobody sees what it was.
            _ if greys(physique.age) > GREYS => self.hairs.len() as u64 * GREYS + 1,
            _ => self.hairs.len() as u64 * greys(physique.age),
        };
        [&self.tops, &self.bottoms, &self.shoes]
            .iter()
            .fold(hairs, |product, dyes| product.saturating_mul(dyes.len() as u64))
    }

    fn draw(
        &self,
        physique: &Physique,
        outfit: &Outfit,
        grey: Vec3,
        draw: &mut Stream,
    ) -> [Tint; Region::ALL.len()] {
        let mut tints = [Tint::default(); Region::ALL.len()];
        let skin = Tint::of(self.skin.0.draw(self.skin.1, draw));
        tints[Region::Skin as usize] = skin;
        let hair = self.draw_hair(physique.age, grey, draw);
        // Nobody sees what hair the bald do not have, so it sets nobody apart.
        tints[Region::Hair as usize] =
            if outfit.hair == HairStyle::Bald { skin } else { Tint::of(hair) };
        tints[Region::Top as usize] = draw_cloth(&self.tops, skin, draw);
        tints[Region::Bottom as usize] = draw_cloth(&self.bottoms, skin, draw);
        let (shoes, middle) = &self.shoes[(draw.bits() % self.shoes.len() as u64) as usize];
        tints[Region::Shoes as usize] = Tint::of(shoes.draw(*middle, draw));
        let (iris, middle) = &self.irises[(draw.bits() % self.irises.len() as u64) as usize];
        tints[Region::Iris as usize] = Tint::of(iris.draw(*middle, draw));
        let brows = match outfit.hair {
            HairStyle::Bald => skin.oklab() * BALD_BROWS,
            _ => Vec3 { x: (BROWS.0 * hair.x).min(skin.oklab().x - BROWS.1).max(0.0), ..hair },
        };
        tints[Region::Brows as usize] = Tint::of(brows);
        tints[Region::Lips as usize] =
            Tint::of((skin.oklab() + LIPS).max(Vec3::new(0.0, -1.0, -1.0)));
        tints
    }

    fn draw_hair(&self, age: f32, all_grey: Vec3, draw: &mut Stream) -> Vec3 {
        let (dye, middle) = &self.hairs[(draw.bits() % self.hairs.len() as u64) as usize];
        let young = dye.draw(*middle, draw);
        // Of all who can be grey, more are.
        let grey = (greys(age) as f32 * draw.unit().sqrt()).floor() / GREYS as f32;
        if grey > 0.0 { young.lerp(all_grey, grey) } else { young }
    }
}

/// How many degrees of grey there are at an age, none of it included.
fn greys(age: f32) -> u64 {
    1 + (GREYS as f32 * ((age - 45.0) / 30.0).clamp(0.0, 1.0)).round() as u64
}

/// Cloth that can be told from skin.
fn draw_cloth(dyes: &[(Dye, Vec3)], skin: Tint, draw: &mut Stream) -> Tint {
    let (dye, middle) = &dyes[(draw.bits() % dyes.len() as u64) as usize];
    for _ in 0..4 {
        let tint = Tint::of(dye.draw(*middle, draw));
        if tint.oklab().distance(skin.oklab()) >= FROM_SKIN {
            return tint;
        }
    }
    Tint::of(*middle)
}

/// Skin, from light to dark.
const SKINS: [Dye; 8] = [
    skin([0.700, 0.462, 0.352]),
    skin([0.672, 0.423, 0.309]),
    skin([0.591, 0.351, 0.242]),
    skin([0.484, 0.262, 0.165]),
    skin([0.342, 0.171, 0.098]),
    skin([0.250, 0.121, 0.068]),
    skin([0.188, 0.088, 0.049]),
    skin([0.096, 0.045, 0.027]),
];

/// Hair of the young.
const HAIRS: [Dye; 7] = [
    Dye::plain([0.012, 0.009, 0.008]),
    Dye::around([0.027, 0.016, 0.011], 0.015, 0.1, 0.05),
    Dye::around([0.058, 0.031, 0.018], 0.02, 0.15, 0.05),
    Dye::around([0.128, 0.068, 0.033], 0.03, 0.15, 0.05),
    Dye::around([0.314, 0.195, 0.089], 0.04, 0.2, 0.08),
    Dye::around([0.456, 0.330, 0.180], 0.04, 0.2, 0.08),
    Dye::around([0.165, 0.051, 0.020], 0.03, 0.15, 0.08),
];

/// Irises: dark brown is the most frequent by far, then brown, hazel, green, grey and blue.
const IRISES: [Dye; 8] = [
    Dye::around([0.030, 0.015, 0.009], 0.02, 0.1, 0.03),
    Dye::around([0.045, 0.023, 0.012], 0.02, 0.1, 0.03),
    Dye::around([0.075, 0.037, 0.017], 0.02, 0.1, 0.04),
    Dye::around([0.120, 0.062, 0.026], 0.02, 0.15, 0.05),
    Dye::around([0.150, 0.105, 0.040], 0.02, 0.15, 0.08),
    Dye::around([0.120, 0.150, 0.075], 0.02, 0.15, 0.08),
    Dye::around([0.160, 0.200, 0.225], 0.03, 0.2, 0.1),
    Dye::around([0.090, 0.175, 0.290], 0.03, 0.2, 0.08),
];

/// Tops: what cloth in shops is like, from white and grey to loud.
const TOPS: [Dye; 18] = [
    cloth([0.502, 0.054, 0.046]),
    cloth([0.042, 0.124, 0.309]),
    Dye::around([0.720, 0.700, 0.660], 0.04, 0.3, 0.3),
    Dye::around([0.028, 0.030, 0.036], 0.03, 0.3, 0.3),
    cloth([0.077, 0.202, 0.128]),
    cloth([0.584, 0.342, 0.048]),
    Dye::around([0.209, 0.212, 0.223], 0.09, 0.3, 0.3),
    cloth([0.130, 0.061, 0.165]),
    cloth([0.356, 0.491, 0.571]),
    cloth([0.381, 0.150, 0.093]),
    cloth([0.020, 0.030, 0.080]),
    cloth([0.045, 0.230, 0.260]),
    cloth([0.640, 0.240, 0.280]),
    cloth([0.190, 0.020, 0.040]),
    cloth([0.230, 0.250, 0.090]),
    cloth([0.480, 0.560, 0.330]),
    cloth([0.420, 0.330, 0.560]),
    cloth([0.600, 0.160, 0.030]),
];

/// Trousers and skirts: few look there.
const BOTTOMS: [Dye; 6] = [
    plainer([0.032, 0.048, 0.093]),
    plainer([0.018, 0.019, 0.022]),
    plainer([0.147, 0.121, 0.084]),
    plainer([0.090, 0.093, 0.098]),
    plainer([0.051, 0.061, 0.045]),
    plainer([0.287, 0.242, 0.171]),
];

/// Shoes: fewer still.
const SHOES: [Dye; 4] = [
    Dye::plain([0.014, 0.013, 0.012]),
    Dye::plain([0.065, 0.033, 0.016]),
    Dye::plain([0.604, 0.597, 0.584]),
    Dye::plain([0.039, 0.042, 0.051]),
];

const fn skin(colour: [f32; 3]) -> Dye {
    Dye::around(colour, 0.012, 0.06, 0.03)
}

const fn cloth(colour: [f32; 3]) -> Dye {
    Dye::around(colour, 0.06, 0.25, 0.2)
}

const fn plainer(colour: [f32; 3]) -> Dye {
    Dye::around(colour, 0.02, 0.1, 0.05)
}
