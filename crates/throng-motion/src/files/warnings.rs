//! What an importer found odd, and what it did about it.

use std::fmt;

/// Where in a file something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular: it concerns the file as a whole.
    File,
    /// In a text, both counted from 1; columns count characters.
    Line {
        /// The line.
        line: usize,
        /// The character in it.
        column: usize,
    },
    /// At a byte of a binary file, counted from 0.
    Byte(u64),
    /// At something that has a name there, such as `joint "Hips"` or `animations[2]`.
    Named(String),
}

impl Place {
    /// The place of the joint called `name`.
    pub fn joint(name: &str) -> Self {
        Self::Named(format!("joint {name:?}"))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line { line, column } => write!(f, "{line}:{column}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Named(name) => f.write_str(name),
        }
    }
}

/// Something in a file that is not as it should be, and what was done about it.
///
/// Printed it is one line: `3:14: the file has two roots; only "Hips" is read`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where it is.
    pub place: Place,
    /// What was found.
    pub found: String,
    /// What was done about it.
    pub done: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place != Place::File {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}; {}", self.found, self.done)
    }
}

/// What an importer has to say, in the order in which it came upon it.
///
/// No more than [`Warnings::LIMIT`] are kept: nobody reads on, and the rest are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    kept: Vec<Warning>,
    more: usize,
}

impl Warnings {
    /// How many warnings are kept.
    pub const LIMIT: usize = 50;

    /// Adds a warning.
    pub fn add(&mut self, place: Place, found: impl Into<String>, done: impl Into<String>) {
        if self.kept.len() < Self::LIMIT {
            self.kept.push(Warning { place, found: found.into(), done: done.into() });
        } else {
            self.more += 1;
        }
    }

    /// Whether nothing was odd.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// How many there were, with those that were not kept.
    pub fn len(&self) -> usize {
        self.kept.len() + self.more
    }

    /// Those that were kept.
    pub fn iter(&self) -> impl Iterator<Item = &Warning> {
        self.kept.iter()
    }

    /// How many there were beyond those kept.
    pub fn more(&self) -> usize {
        self.more
    }
}

impl fmt::Display for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, warning) in self.kept.iter().enumerate() {
            let line_end = if index > 0 { "\n" } else { "" };
            write!(f, "{line_end}{warning}")?;
        }
        if self.more > 0 { write!(f, "\nand {} more", self.more) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_says_where_what_and_what_was_done() {
        let mut warnings = Warnings::default();
        assert!(warnings.is_empty());
        warnings.add(Place::File, "the file says no unit", "0.01 m are assumed");
        let place = Place::Line { line: 3, column: 14 };
        warnings.add(place, "there are two roots", "the first is read");
        warnings.add(Place::joint("a\"b"), "it stretches", "its bone is kept rigid");
        assert_eq!(
            warnings.to_string(),
            "the file says no unit; 0.01 m are assumed\n\
             3:14: there are two roots; the first is read\n\
             joint \"a\\\"b\": it stretches; its bone is kept rigid"
        );
    }

    #[test]
    fn a_file_full_of_oddities_fills_no_memory() {
        let mut warnings = Warnings::default();
        for index in 0..1000 {
            warnings.add(Place::Byte(index), "odd", "skipped");
        }
        assert_eq!((warnings.iter().count(), warnings.more(), warnings.len()), (50, 950, 1000));
        assert!(warnings.to_string().ends_with("byte 49: odd; skipped\nand 950 more"));
    }
}
