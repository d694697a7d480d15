//! What the columns of a table are called.

use std::str::FromStr;

/// A column of tracks, as in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are described at the columns of a recording")]
pub enum Column {
    Frame,
    Time,
    Id,
    Group,
    Layer,
    X,
    Y,
    Z,
    Heading,
    Vx,
    Vy,
    Radius,
    Status,
    BlockedBy,
}

impl Column {
    /// All of them, in the order of a recording.
    pub const ALL: [Self; 14] = [
        Self::Frame,
        Self::Time,
        Self::Id,
        Self::Group,
        Self::Layer,
        Self::X,
        Self::Y,
        Self::Z,
        Self::Heading,
        Self::Vx,
        Self::Vy,
        Self::Radius,
        Self::Status,
        Self::BlockedBy,
    ];

    /// Its name in a recording.
    pub fn name(self) -> &'static str {
        crate::recording::column_names()[self as usize]
    }
}

/// What the columns of a file are called, where that differs from a recording.
///
/// Read from text like `id=ped,frame=t`: on the left the name in a recording, on the right that in
/// the file, or the column's number from 1 if the file has no header. With nothing on the right, the
/// file's column is left alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns(Vec<(Column, String)>);

impl Columns {
    /// What `column` is called in the file; empty if it should not be read.
    pub fn name(&self, column: Column) -> &str {
        self.renamed(column).unwrap_or(column.name())
    }

    /// Whether any column has been given a name or a number.
    pub(super) fn are_named(&self) -> bool {
        Column::ALL
            .into_iter()
            .any(|column| self.renamed(column).is_some_and(|name| !name.is_empty()))
    }

    /// The other name that `column` has been given, if any.
    pub(super) fn renamed(&self, column: Column) -> Option<&str> {
        // The last counts.
        self.0.iter().rfind(|(known, _)| *known == column).map(|(_, name)| name.as_str())
    }
}

impl FromStr for Columns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut columns = Self::default();
        for pair in text.split(',') {
            let (ours, theirs) = pair.split_once('=').ok_or_else(|| {
                format!("{pair:?} is no pair of names; write e.g. id=ped,frame=t")
            })?;
            let column = Column::ALL.into_iter().find(|column| column.name() == ours.trim());
            let column = column.ok_or_else(|| {
                let known = Column::ALL.map(Column::name).join(", ");
                format!("there is no column {:?}; the columns are {known}", ours.trim())
            })?;
            columns.0.push((column, theirs.trim().into()));
        }
        Ok(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_numbered_as_in_a_recording() {
        let numbers = Column::ALL.map(|column| column as usize);
        assert_eq!(numbers, std::array::from_fn(|i| i));
        assert_eq!((Column::Id.name(), Column::BlockedBy.name()), ("id", "blocked_by"));
    }

    #[test]
    fn names_are_read_from_pairs() {
        let columns: Columns = "id=ped, frame = t,z=".parse().unwrap();
        assert_eq!((columns.name(Column::Id), columns.name(Column::Frame)), ("ped", "t"));
        assert_eq!((columns.name(Column::Z), columns.name(Column::X)), ("", "x"));
        for (text, reason) in [("id", "no pair"), ("who=ped", "there is no column \"who\"")] {
            let error = text.parse::<Columns>().unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
