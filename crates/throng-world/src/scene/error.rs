//! Errors that point into the scene file.

use std::ops::Range;

/// A stretch of the scene file, in bytes. Empty for scenes made by code.
pub type Span = Range<usize>;

/// The text a scene was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneSource {
    /// The file's name as the user gave it; empty for scenes made by code.
    pub name: String,
    /// The whole text.
    pub text: String,
}
