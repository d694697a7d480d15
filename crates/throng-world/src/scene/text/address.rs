//! Where something is in a scene's text.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where something is in a scene's text: keys, and entries of lists by name or number.
///
/// As JSON it is a list such as `["fields", { "name": "stream" }, "anchors", 2, "velocity"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Address(Vec<Step>);

/// One step on the way to an [`Address`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Step {
    /// The value of a key.
    Key(String),
    /// The entry of a list with this number, from 0.
    Index(usize),
    /// The entry of a list that has this name.
    Named {
        /// The name.
        name: String,
    },
}

impl Address {
    /// A list of the scene, such as `groups`, or another key of its top level.
    pub fn list(key: &str) -> Self {
        Self::default().key(key)
    }

    /// A key of what is here.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.and(Step::Key(key.into()))
    }

    /// The entry with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Self {
        self.and(Step::Named { name: name.into() })
    }

    /// The entry with this number, from 0.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.and(Step::Index(index))
    }

    /// The steps from the top.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// What it is a part of, and the last step from there.
    pub(super) fn split(&self) -> Option<(Self, &Step)> {
        let (last, rest) = self.0.split_last()?;
        Some((Self(rest.to_vec()), last))
    }

    fn and(&self, step: Step) -> Self {
        Self(self.0.iter().cloned().chain([step]).collect())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if i == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Named { name } => write!(f, "[{name:?}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_lists_in_json_and_paths_in_messages() {
        let address = Address::list("fields").named("stream").key("anchors").index(2);
        assert_eq!(address.to_string(), "fields[\"stream\"].anchors[2]");
        let json = r#"["fields",{"name":"stream"},"anchors",2]"#;
        assert_eq!(serde_json::to_string(&address).unwrap(), json);
        assert_eq!(serde_json::from_str::<Address>(json).unwrap(), address);
    }
}
