//! A small file that puts right what was guessed about a body.
//!
//! ```toml
//! unit = 0.01            # metres per unit of the file
//! up = "z"               # the axis that points up: "y" or "z"
//!
//! [landmarks]            # which joint is which landmark
//! left_foot = "ankle_L"
//! left_toes = ""         # there is none, whatever the names say
//! ```
//!
//! Everything is optional; what is not said is found as usual.

use std::fmt;

use throng_base::words::{list, nearest};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::Up;
use crate::landmark::Landmark;
use crate::naming::LandmarkMap;
use crate::skeleton::{JointId, Skeleton};

/// What somebody has said about the bodies of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MappingFile {
    /// Metres per unit of length.
    pub unit: Option<f32>,
    /// Which axis points up.
    pub up: Option<Up>,
    landmarks: Vec<Said>,
}

/// A landmark, the joint that it is, and where that is said.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    landmark: Landmark,
    /// None if it is said that there is none.
    joint: Option<String>,
    line: usize,
    column: usize,
}

/// Something in a mapping that cannot be; printed as `line:column: message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingError {
    /// The line, from 1.
    pub line: usize,
    /// The character in it, from 1.
    pub column: usize,
    /// What is wrong and what to write instead.
    pub message: String,
}

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// Everything that is wrong with a mapping, in the order of the file; at least one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingErrors(Vec<MappingError>);

impl MappingErrors {
    /// The errors.
    pub fn errors(&self) -> &[MappingError] {
        &self.0
    }
}

impl fmt::Display for MappingErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for MappingErrors {}

impl MappingFile {
    /// Reads a mapping.
    ///
    /// # Errors
    ///
    /// If it is no TOML, or says what it cannot say; all that is wrong at once.
    pub fn parse(text: &str) -> Result<Self, MappingErrors> {
        let mut reader = Reader { text, mapping: Self::default(), errors: Vec::new() };
        match DeTable::parse(text) {
            Ok(table) => reader.read(table.get_ref()),
            Err(error) => reader.refuse(error.span().map_or(0, |span| span.start), error.message()),
        }
        let Reader { mapping, mut errors, .. } = reader;
        errors.sort_by_key(|error| (error.line, error.column));
        if errors.is_empty() { Ok(mapping) } else { Err(MappingErrors(errors)) }
    }

    /// The landmarks of `skeleton`: those said here, and the rest as they are found.
    ///
    /// # Errors
    ///
    /// If a joint is said that the skeleton does not have.
    pub fn map(&self, skeleton: &Skeleton) -> Result<LandmarkMap, MappingErrors> {
        Ok(LandmarkMap::find_with(skeleton, &self.joints(skeleton)?))
    }

    fn joints(
        &self,
        skeleton: &Skeleton,
    ) -> Result<Vec<(Landmark, Option<JointId>)>, MappingErrors> {
        let mut joints = Vec::new();
        let mut errors = Vec::new();
        for said in &self.landmarks {
            let joint = match &said.joint {
                None => None,
                Some(name) => match skeleton.find(name) {
                    Some(joint) => Some(joint),
                    None => {
                        let message = no_joint(name, skeleton);
                        errors.push(MappingError { line: said.line, column: said.column, message });
                        continue;
                    }
                },
            };
            joints.push((said.landmark, joint));
        }
        if errors.is_empty() { Ok(joints) } else { Err(MappingErrors(errors)) }
    }
}

fn no_joint(name: &str, skeleton: &Skeleton) -> String {
    const SHOWN: usize = 12;
    let names = || skeleton.joints().iter().map(|joint| joint.name.as_str());
    let help = match nearest(name, names()) {
        Some(meant) => format!("did you mean {meant:?}?"),
        None => {
            let shown = names().take(SHOWN).map(|name| format!("{name:?}"));
            let more = skeleton.len().saturating_sub(SHOWN);
            let more = (more > 0).then(|| format!("{more} more"));
            format!("there are {}", list(shown.chain(more), "and"))
        }
    };
    format!("no joint is called {name:?}; {help}")
}

struct Reader<'t> {
    text: &'t str,
    mapping: MappingFile,
    errors: Vec<MappingError>,
}

impl Reader<'_> {
    fn read(&mut self, table: &DeTable) {
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "unit" => self.read_unit(value),
                "up" => self.read_up(value),
                "landmarks" => match value.get_ref() {
                    DeValue::Table(table) => self.read_landmarks(table),
                    _ => {
                        let message = "landmarks are a table: write [landmarks]";
                        self.refuse(value.span().start, message);
                    }
                },
                other => {
                    let known = ["unit", "up", "landmarks"];
                    // Somebody who leaves out the table's header meant a landmark.
                    let help = if Landmark::from_name(other).is_some() {
                        "landmarks belong below a line [landmarks]".into()
                    } else if let Some(meant) = nearest(other, known) {
                        format!("did you mean {meant}?")
                    } else {
                        "there are unit, up and [landmarks]".into()
                    };
                    self.refuse(key.span().start, format!("there is no setting {other:?}; {help}"));
                }
            }
        }
    }

    fn read_unit(&mut self, value: &Spanned<DeValue>) {
        let number = match value.get_ref() {
            DeValue::Integer(integer) => integer.to_string().parse::<f64>().ok(),
            DeValue::Float(float) => float.as_str().parse::<f64>().ok(),
            _ => None,
        };
        match number.filter(|unit| is_unit(*unit)) {
            Some(unit) => self.mapping.unit = Some(unit as f32),
            None => self.refuse(
                value.span().start,
                "unit is not a length; write the metres per unit, e.g. unit = 0.01 for centimetres",
            ),
        }
    }

    fn read_up(&mut self, value: &Spanned<DeValue>) {
        match value.get_ref().as_str().map(str::to_lowercase).as_deref() {
            Some("y") => self.mapping.up = Some(Up::Y),
            Some("z") => self.mapping.up = Some(Up::Z),
            _ => self.refuse(value.span().start, "up is an axis; write up = \"y\" or up = \"z\""),
        }
    }

    fn read_landmarks(&mut self, table: &DeTable) {
        for (key, value) in in_order(table) {
            let name = key.get_ref().as_ref();
            let Some(landmark) = Landmark::from_name(name) else {
                let names = || Landmark::ALL.into_iter().map(Landmark::name);
                let help = match nearest(name, names()) {
                    Some(meant) => format!("did you mean {meant}?"),
                    None => format!("there are {}", list(names().map(str::to_owned), "and")),
                };
                self.refuse(key.span().start, format!("there is no landmark {name:?}; {help}"));
                continue;
            };
            let at = value.span().start;
            let DeValue::String(joint) = value.get_ref() else {
                self.refuse(
                    at,
                    format!("{name} is not a name; write the joint's in quotes, or \"\" for none"),
                );
                continue;
            };
            let joint = (!joint.is_empty()).then(|| joint.to_string());
            let before = self
                .mapping
                .landmarks
                .iter()
                .find(|said| said.joint.is_some() && said.joint == joint);
            if let Some(before) = before {
                let message = format!("{name} is the same joint as {}", before.landmark.name());
                self.refuse(at, message);
                continue;
            }
            let (line, column) = line_column(self.text, at);
            self.mapping.landmarks.push(Said { landmark, joint, line, column });
        }
    }

    fn refuse(&mut self, at: usize, message: impl Into<String>) {
        let (line, column) = line_column(self.text, at);
        self.errors.push(MappingError { line, column, message: message.into() });
    }
}

/// The entries of a table in the order of the file.
fn in_order<'a, 'i>(
    table: &'a DeTable<'i>,
) -> Vec<(&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// Whether a number can be the metres of a unit of length.
pub(crate) fn is_unit(unit: f64) -> bool {
    (1e-6..=1e3).contains(&unit)
}

/// Line and column of a byte, both from 1.
fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::{Human, Proportions};

    fn errors(text: &str) -> String {
        MappingFile::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_said_is_read_and_used() {
        let text = "unit = 1\nup = \"Z\"\n[landmarks]\nleft_toes = \"\"\nneck2 = \"Head\"\n";
        let mapping = MappingFile::parse(text).unwrap();
        assert_eq!((mapping.unit, mapping.up), (Some(1.0), Some(Up::Z)));
        let human = Human::new(Proportions::default()).unwrap();
        let map = mapping.map(human.skeleton()).unwrap();
        assert_eq!(map.landmarks().get(Landmark::LeftToes), None);
        assert_eq!(map.landmarks().get(Landmark::Neck2), human.skeleton().find("Head"));
        assert_eq!(map.landmarks().get(Landmark::Head), None, "a joint is one landmark");
        assert_eq!(MappingFile::parse("").unwrap(), MappingFile::default());
    }

    #[test]
    fn everything_wrong_is_told_at_once_with_its_place_and_a_way_out() {
        let text = "unit = -1\nupp = \"z\"\nleft_foot = \"a\"\n\n[landmarks]\nleft_fot = \"b\"\n\
                    head = 3\nhips = \"c\"\n  spine1 = \"c\"\n";
        assert_eq!(
            errors(text),
            "1:8: unit is not a length; write the metres per unit, e.g. unit = 0.01 for centimetres\n\
             2:1: there is no setting \"upp\"; did you mean up?\n\
             3:1: there is no setting \"left_foot\"; landmarks belong below a line [landmarks]\n\
             6:1: there is no landmark \"left_fot\"; did you mean left_foot?\n\
             7:8: head is not a name; write the joint's in quotes, or \"\" for none\n\
             9:12: spine1 is the same joint as hips"
        );
        assert!(errors("up = \"x\"").starts_with("1:6: up is an axis"));
        assert!(errors("unit = nan").starts_with("1:8: unit"));
        assert!(errors("landmarks = 3").starts_with("1:13: landmarks are a table"));
        assert!(errors("[landmarks").starts_with("1:"));
    }

    #[test]
    fn a_joint_that_is_not_there_is_told_with_the_one_meant() {
        let human = Human::new(Proportions::default()).unwrap();
        let mapping =
            MappingFile::parse("[landmarks]\nhips = \"Hipps\"\nhead = \"tail\"\n").unwrap();
        let error = mapping.map(human.skeleton()).unwrap_err().to_string();
        assert!(
            error.starts_with("2:8: no joint is called \"Hipps\"; did you mean \"Hips\"?\n3:8: "),
            "{error}"
        );
        assert!(error.ends_with("\"LeftShoulder\" and 19 more"), "{error}");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in "(unit|up|landmarks|hips|\\[landmarks\\]|[= \"\n.#1-9zé-])*",
        ) {
            let _ = MappingFile::parse(&text);
        }
    }
}
