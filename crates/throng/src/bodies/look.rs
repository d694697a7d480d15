//! How somebody looks, and everything that body can do.

use std::sync::Arc;

use throng_motion::carpet::{CarpetOptions, Character, Rig};
use throng_motion::files::Body;
use throng_motion::gait::{Library, Style};
use throng_motion::mediator::{Repertoire, SectorOptions};
use throng_motion::quadruped::{Breed, Coat, Gaits, Quadruped};
use throng_motion::{Detail, Human, Mesh, Outfit, Physique, Skeleton};
use throng_world::scene::Species;

use super::BodyError;
use super::variety::Template;

/// A body that several people share, and everything it can do.
#[derive(Clone, Debug)]
pub enum Look {
    /// A person.
    Person(Box<PersonLook>),
    /// An animal on four legs.
    Animal(Box<AnimalLook>),
}

/// A person's body: its size, clothes, and how it moves.
#[derive(Clone, Debug)]
pub struct PersonLook {
    /// How it is built.
    pub physique: Physique,
    /// What it wears.
    pub outfit: Outfit,
    /// Its skeleton.
    pub human: Human,
    /// How it moves, shared by all looks of the same body.
    pub repertoire: Arc<Repertoire>,
    /// A carpet that nobody has stepped on yet.
    pub carpet: Character,
}

/// An animal's body: its breed, coat, and how it moves.
#[derive(Clone, Debug)]
pub struct AnimalLook {
    /// What it is.
    pub species: Species,
    /// Its skeleton.
    pub animal: Quadruped,
    /// Its colours.
    pub coat: Coat,
    /// How it moves.
    pub gaits: Gaits,
}

impl Look {
    /// A person with the gait that goes with their physique.
    ///
    /// # Errors
    ///
    /// If nobody can be built like that.
    pub fn person(physique: Physique, outfit: Outfit) -> Result<Self, BodyError> {
        let style = physique.style()?;
        Self::styled(physique, outfit, style)
    }

    /// A person with a gait of their own.
    ///
    /// # Errors
    ///
    /// If nobody can be built or move like that.
    pub fn styled(physique: Physique, outfit: Outfit, style: Style) -> Result<Self, BodyError> {
        let human = physique.human()?;
        let library = Library::new(&human, style)?;
        let repertoire = Arc::new(Repertoire::new(library.clips(), SectorOptions::default())?);
        let rig = Arc::new(Rig::human(human.skeleton(), None)?);
        let carpet = Character::on_world(rig, CarpetOptions::default())?;
        Ok(Self::Person(Box::new(PersonLook { physique, outfit, human, repertoire, carpet })))
    }

    /// An animal of a breed.
    ///
    /// # Errors
    ///
    /// If no animal can be built or move like that.
    pub fn animal(species: Species, breed: Breed, coat: Coat) -> Result<Self, BodyError> {
        let animal = Quadruped::new(breed)?;
        let gaits = Gaits::new(&animal)?;
        Ok(Self::Animal(Box::new(AnimalLook { species, animal, coat, gaits })))
    }

    /// The look of a template.
    ///
    /// # Errors
    ///
    /// If nobody can be built or move like that.
    pub fn of(template: &Template) -> Result<Self, BodyError> {
        match *template {
            Template::Person { physique, outfit } => Self::person(physique, outfit),
            Template::Animal { species, breed, coat } => Self::animal(species, breed, coat),
        }
    }

    /// The same body in what a template of the same body wears.
    pub(super) fn dressed(&self, template: &Template) -> Self {
        let mut look = self.clone();
        match (&mut look, template) {
            (Self::Person(look), Template::Person { outfit, .. }) => look.outfit = *outfit,
            (Self::Animal(look), Template::Animal { coat, .. }) => look.coat = *coat,
            _ => {}
        }
        look
    }

    /// What it is.
    pub fn species(&self) -> Species {
        match self {
            Self::Person(_) => Species::Person,
            Self::Animal(look) => look.species,
        }
    }

    /// Itself, if it is a person.
    pub fn as_person(&self) -> Option<&PersonLook> {
        match self {
            Self::Person(look) => Some(look),
            Self::Animal(_) => None,
        }
    }

    /// Its skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.rig().skeleton()
    }

    /// Its feet, as carpets know them.
    pub fn rig(&self) -> &Arc<Rig> {
        match self {
            Self::Person(look) => look.carpet.rig(),
            Self::Animal(look) => look.gaits.rig(),
        }
    }

    /// What its foot with this number in the rig is called.
    pub fn foot_name(&self, foot: usize) -> &'static str {
        match self {
            Self::Person(_) => ["left", "right"].get(foot).copied().unwrap_or("other"),
            Self::Animal(_) => {
                let names = ["left hind", "left fore", "right hind", "right fore"];
                names.get(foot).copied().unwrap_or("other")
            }
        }
    }

    /// How tall it is, m: an animal at its withers.
    pub fn height(&self) -> f32 {
        match self {
            Self::Person(look) => look.physique.height,
            Self::Animal(look) => look.animal.proportions().shoulder_height,
        }
    }

    /// Its surface.
    ///
    /// # Errors
    ///
    /// None that a look that was made could have.
    pub fn mesh(&self, detail: Detail) -> Result<Mesh, BodyError> {
        match self {
            Self::Person(look) => {
                Ok(Mesh::body(&look.human, &look.physique, &look.outfit, detail)?)
            }
            Self::Animal(look) => Ok(Mesh::animal(&look.animal, detail)),
        }
    }

    /// Itself as a body to be written to files.
    ///
    /// # Errors
    ///
    /// As for [`Self::mesh`].
    pub fn body(&self, name: impl Into<String>, detail: Detail) -> Result<Body, BodyError> {
        Ok(Body {
            name: name.into(),
            skeleton: self.skeleton().clone(),
            meshes: vec![Arc::new(self.mesh(detail)?)],
        })
    }
}
