//! What can be wrong with anchors.

use thiserror::Error;

/// Why there is no field for some anchors. Anchors are counted from 0, in the order they were given.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FieldError {
    /// A coordinate is not a number, infinite, or absurdly large.
    #[error(
        "the {what} of anchor {anchor} is {value}; write a number between -{limit:e} and {limit:e}"
    )]
    OutOfRange {
        /// Which anchor.
        anchor: usize,
        /// What of it.
        what: &'static str,
        /// The number that it has.
        value: f64,
        /// The largest number that is allowed.
        limit: f64,
    },
    /// Two anchors say different things about one place, or the same thing twice.
    #[error(
        "anchors {first} and {second} are {distance} m apart; keep {limit} m between anchors, or \
         merge them"
    )]
    Coincident {
        /// The first of the two.
        first: usize,
        /// The other one.
        second: usize,
        /// How far apart they are, m.
        distance: f64,
        /// How far apart they have to be, m.
        limit: f64,
    },
    /// More anchors than a dense system is made for.
    #[error("there are {count} anchors; a field has at most {limit}")]
    TooMany {
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Vectors for anchors, but not one for each.
    #[error("there are {given} vectors for {anchors} anchors; give one for each")]
    WrongCount {
        /// How many were given.
        given: usize,
        /// How many there are to be.
        anchors: usize,
    },
    /// The system cannot be solved in double precision.
    #[error(
        "the anchors are too unevenly spread for a field; move those that nearly coincide apart"
    )]
    Singular,
    /// There is no anchor of that name.
    #[error("there is no anchor {0} in this field; it may have been removed")]
    UnknownAnchor(u64),
    /// A setting is out of its range.
    #[error("{name} is {value}; write a number from {min} to {max}")]
    Setting {
        /// Which setting.
        name: &'static str,
        /// What it is.
        value: f64,
        /// The smallest value that is allowed.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// The keys of a track are not in the order of time.
    #[error("key {key} of anchor {anchor} is at {time} s, not after the one before it")]
    KeyOrder {
        /// Which anchor.
        anchor: usize,
        /// Which key of it.
        key: usize,
        /// When it is.
        time: f64,
    },
    /// A mask that has no inside.
    #[error("a mask has {0} corners; give it at least three")]
    FewCorners(usize),
    /// A track without keys says nothing.
    #[error("anchor {anchor} has no keys; give it at least one")]
    NoKeys {
        /// Which anchor.
        anchor: usize,
    },
}
