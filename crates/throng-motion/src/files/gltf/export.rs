//! Parts of the glTF writers that files of one body and of many share: people, colours, errors.

use thiserror::Error;

use crate::mesh::{MeshError, Region};

/// Somebody who has a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// How the node is called that places them.
    pub name: String,
    /// Index of their body among those of the file.
    pub body: usize,
    /// How much larger than the body they are.
    pub scale: f32,
    /// Their colours; those of the [options](WriteOptions::palette) if there are none.
    pub palette: Option<Palette>,
}

impl Person {
    /// Somebody of the body's size and with the usual colours.
    pub fn new(name: impl Into<String>, body: usize) -> Self {
        Self { name: name.into(), body, scale: 1.0, palette: None }
    }
}

/// The colours of a body's regions, as linear red, green and blue from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette([[f32; 3]; Region::ALL.len()]);

impl Palette {
    /// The colour of a region.
    pub fn colour(&self, region: Region) -> [f32; 3] {
        self.0[region as usize]
    }

    /// The same palette with another colour for a region.
    #[must_use]
    pub fn with(mut self, region: Region, colour: [f32; 3]) -> Self {
        self.0[region as usize] = colour;
        self
    }
}

impl Default for Palette {
    fn default() -> Self {
        Self([[1.0; 3]; Region::ALL.len()])
            .with(Region::Skin, [0.558, 0.319, 0.215])
            .with(Region::Hair, [0.052, 0.029, 0.019])
            .with(Region::Top, [0.112, 0.223, 0.381])
            .with(Region::Bottom, [0.046, 0.054, 0.082])
            .with(Region::Shoes, [0.027, 0.021, 0.018])
            .with(Region::Eyes, [0.604, 0.584, 0.565])
            .with(Region::Iris, [0.091, 0.046, 0.022])
            .with(Region::Pupil, [0.006, 0.006, 0.006])
            .with(Region::Brows, [0.045, 0.027, 0.019])
            .with(Region::Lips, [0.402, 0.168, 0.129])
    }
}

/// How an export is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteOptions {
    /// The colours of people who have none of their own.
    pub palette: Palette,
    /// Rotations take half the space if this is set: as whole numbers of 16 bits they are off by at
    /// most 0.06 mrad, which moves a fingertip by less than a tenth of a millimetre.
    pub compact: bool,
}

/// Why an export cannot be written.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum WriteError {
    #[error("people[{person}] \"{name}\" has body {body}, but there are only {count}")]
    NoSuchBody { person: usize, name: String, body: usize, count: usize },
    #[error(
        "people[{person}] \"{name}\" is {scale} times as large as their body; write a positive number"
    )]
    Scale { person: usize, name: String, scale: f32 },
    #[error(
        "take \"{take}\": \"{person}\" cannot play \"{motion}\", whose joints are not those of body \
         \"{body}\""
    )]
    OtherJoints { take: String, person: String, motion: String, body: String },
    #[error(
        "scenery \"{name}\" has a corner that is not finite or without a normal, or a triangle of one that \
         there is not"
    )]
    Scenery { name: String },
    #[error("body \"{body}\": {reason}")]
    Mesh { body: String, reason: MeshError },
    #[error("take \"{take}\": place {key} of \"{person}\" is not finite")]
    Place { take: String, person: String, key: usize },
    #[error(
        "take \"{take}\": place {key} of \"{person}\" is at {time} s, which is not after the one \
         before it; give times from 0 on that grow"
    )]
    PlaceTime { take: String, person: String, key: usize, time: f32 },
    #[error(
        "a glTF file holds at most 4 GB; write fewer people, less time, or fewer frames a second"
    )]
    TooLarge,
    #[error("{}: {reason}", file.display())]
    Unwritable { file: std::path::PathBuf, reason: std::io::Error },
    #[error("the document cannot be written as JSON: {0}")]
    Json(String),
}
