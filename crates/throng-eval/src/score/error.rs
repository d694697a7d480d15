//! Why there is no score.

use thiserror::Error;
use throng_nav::MapError;
use throng_world::SceneErrors;

use crate::recorded::MeasureError;

/// Why a run cannot be scored.
#[derive(Debug, Error)]
pub enum ScoreError {
    /// A frame is not one.
    #[error(transparent)]
    Frame(#[from] Fault),
    /// An option has a value that it cannot have.
    #[error("{option} cannot be {given}; take {range}")]
    Option {
        /// Which.
        option: &'static str,
        /// What was asked for.
        given: f64,
        /// What it can be.
        range: &'static str,
    },
    /// The scene cannot be populated.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// There is no map of the scene.
    #[error("the shortest ways of the scene cannot be found: {0}")]
    Map(#[from] MapError),
    /// A recording cannot be read.
    #[error(transparent)]
    Recording(#[from] MeasureError),
}

/// What is wrong with a frame. Frames are numbered from 0 as they are taken.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Fault {
    /// A list is longer or shorter than that of the ids.
    #[error("frame {frame} has {count} {list} for {people} people; give one for everybody")]
    Length {
        /// The frame.
        frame: u64,
        /// The list.
        list: &'static str,
        /// Its length.
        count: usize,
        /// How many people there are.
        people: usize,
    },
    /// Ids do not ascend.
    #[error("frame {frame}: person {person} comes after person {before}; sort people by id")]
    Order {
        /// The frame.
        frame: u64,
        /// Who is out of order.
        person: u32,
        /// Who comes before.
        before: u32,
    },
    /// A number is infinite or not a number.
    #[error(
        "frame {frame}: the {quantity} of person {person} is {value}, which is no finite number"
    )]
    NotFinite {
        /// The frame.
        frame: u64,
        /// Whose number it is.
        person: u32,
        /// Which it is.
        quantity: &'static str,
        /// The number.
        value: f64,
    },
    /// A radius below zero.
    #[error(
        "frame {frame}: person {person} has a radius of {radius} m; bodies have a positive one"
    )]
    Radius {
        /// The frame.
        frame: u64,
        /// Whose.
        person: u32,
        /// The radius, m.
        radius: f32,
    },
    /// A floor that the scene does not have.
    #[error("frame {frame}: person {person} is on floor {layer}, and the scene has {count}")]
    Layer {
        /// The frame.
        frame: u64,
        /// Who is there.
        person: u32,
        /// The number of the floor.
        layer: u8,
        /// How many there are.
        count: usize,
    },
    /// No time has passed, or it runs backwards.
    #[error(
        "frame {frame}{} is at {time} s, after one at {before} s: nobody has a speed without time that passes",
        .person.map(|person| format!(" (with person {person})")).unwrap_or_default()
    )]
    Time {
        /// The frame.
        frame: u64,
        /// The first who is there, if somebody is.
        person: Option<u32>,
        /// Its time, s.
        time: f64,
        /// The time of the frame before, s.
        before: f64,
    },
    /// A time that is none.
    #[error(
        "frame {frame}{} is at {time} s; times are numbers up to a thousand million seconds",
        .person.map(|person| format!(" (with person {person})")).unwrap_or_default()
    )]
    NoTime {
        /// The frame.
        frame: u64,
        /// The first who is there, if somebody is.
        person: Option<u32>,
        /// Its time, s.
        time: f64,
    },
}
