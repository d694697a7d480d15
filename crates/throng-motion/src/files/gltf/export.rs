//! What can be written to a glTF file: bodies, people who have them, and what they do.
//!
//! Everything that people have in common is named by its index and written once. Two thousand people
//! of three builds who all walk the same clip cost three meshes and one clip; what each of them adds
//! is a tree of nodes, since in glTF it is nodes that move.

use std::sync::Arc;

use glam::{Quat, Vec3};
use thiserror::Error;

use crate::files::Body;
use crate::mesh::{MeshError, Region};
use crate::motion::Motion;

/// People and what they do, to be written.
#[derive(Clone, Debug, Default)]
pub struct Export {
    /// Builds that people can have.
    pub bodies: Vec<Body>,
    /// Movements that people can make. One made for one body fits every body whose joints have the
    /// same names, as rotations have no size.
    pub motions: Vec<Arc<Motion>>,
    /// Everybody.
    pub people: Vec<Person>,
    /// What they do together: each take becomes an animation of the file. A crowd has one, as most
    /// viewers play one animation at a time; a library of clips has one for each of them.
    pub takes: Vec<Take>,
}

/// Somebody who has a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// How the node is called that places them.
    pub name: String,
    /// Which of the [bodies](Export::bodies) they have.
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

/// What people do together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Take {
    /// How the animation is called.
    pub name: String,
    /// What each of them does; everyone at most once, and who is missing stands at rest.
    pub acts: Vec<Act>,
}

/// What somebody does in a take.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    /// Which of the [people](Export::people) it is.
    pub person: usize,
    /// How they move about the place where they are.
    pub play: Option<Play>,
    /// Where they are: keys of body space in the world, by time. Without any they stay at the origin.
    pub places: Vec<PlaceKey>,
}

/// A motion that is played from the beginning of a take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// Which of the [motions](Export::motions) it is.
    pub motion: usize,
    /// How far into the motion it begins, in seconds of the motion.
    pub from: f32,
    /// How much faster than recorded it is played.
    pub speed: f32,
    /// How long it is played, in seconds of the take, beginning anew whenever it is over: the
    /// frame after the last is the first. Without it the motion is played once, to its end.
    pub looped: Option<f32>,
}

impl Play {
    /// A motion played once, as it was recorded.
    pub fn once(motion: usize) -> Self {
        Self { motion, from: 0.0, speed: 1.0, looped: None }
    }

    /// A cyclic motion played again and again for `duration` seconds, beginning `from` seconds
    /// into it.
    pub fn looped(motion: usize, from: f32, duration: f32) -> Self {
        Self { motion, from, speed: 1.0, looped: Some(duration) }
    }
}

/// Where body space is in the world at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaceKey {
    /// When, in seconds from the beginning of the take.
    pub time: f32,
    /// Where its origin is.
    pub translation: Vec3,
    /// How it is turned.
    pub rotation: Quat,
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
    #[error("take \"{take}\" has an act of person {person}, but there are only {count}")]
    NoSuchPerson { take: String, person: usize, count: usize },
    #[error("take \"{take}\": \"{person}\" plays motion {motion}, but there are only {count}")]
    NoSuchMotion { take: String, person: String, motion: usize, count: usize },
    #[error("take \"{take}\" has two acts of \"{person}\"; join them into one")]
    TwoActs { take: String, person: String },
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
    #[error(
        "take \"{take}\": \"{person}\" plays \"{motion}\" from {from} s at {speed} times its speed for \
         {seconds} s; write finite numbers, and positive ones for speed and time"
    )]
    Play { take: String, person: String, motion: String, from: f32, speed: f32, seconds: f32 },
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
    #[error("cannot tell the format of {} from its name; use .glb or .gltf", .0.display())]
    UnknownFormat(std::path::PathBuf),
    #[error("{}: {reason}", file.display())]
    Unwritable { file: std::path::PathBuf, reason: std::io::Error },
    #[error("the document cannot be written as JSON: {0}")]
    Json(String),
}

impl Export {
    /// One body that does each of `motions`: a library of clips, one animation for each.
    pub fn library(body: Body, motions: impl IntoIterator<Item = Arc<Motion>>) -> Self {
        let person = Person::new(body.name.clone(), 0);
        let motions: Vec<Arc<Motion>> = motions.into_iter().collect();
        let takes = motions
            .iter()
            .enumerate()
            .map(|(index, motion)| Take {
                name: motion.name().to_owned(),
                acts: vec![Act { person: 0, play: Some(Play::once(index)), places: Vec::new() }],
            })
            .collect();
        Self { bodies: vec![body], motions, people: vec![person], takes }
    }

    /// Everybody in one animation of the file.
    pub fn crowd(
        bodies: Vec<Body>,
        motions: Vec<Arc<Motion>>,
        people: impl IntoIterator<Item = (Person, Option<Play>, Vec<PlaceKey>)>,
    ) -> Self {
        let mut export = Self { bodies, motions, ..Self::default() };
        let mut take = Take { name: "crowd".into(), acts: Vec::new() };
        for (index, (person, play, places)) in people.into_iter().enumerate() {
            export.people.push(person);
            take.acts.push(Act { person: index, play, places });
        }
        export.takes.push(take);
        export
    }
}
