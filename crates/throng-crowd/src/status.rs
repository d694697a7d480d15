//! Why somebody does or does not move.

use std::fmt;
use std::str::FromStr;

use crate::PersonId;

/// What a person is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Status {
    /// On the way to a goal.
    #[default]
    Walking,
    /// All goals are achieved.
    Arrived,
    /// The current goal is to wait.
    Waiting,
    /// Wants to move but has hardly got on for about a second; see [`Obstruction`].
    Blocked,
    /// The current goal is on a floor that nothing leads to.
    NoPath,
    /// Holds back for those ahead, in steering models in which people stop and wait.
    Queueing,
    /// Has fallen down, in steering models in which people do.
    Fallen,
    /// Is on the way in panic, in steering models that know it.
    Panicking,
}

impl Status {
    /// Every status, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Walking,
        Self::Arrived,
        Self::Waiting,
        Self::Blocked,
        Self::NoPath,
        Self::Queueing,
        Self::Fallen,
        Self::Panicking,
    ];

    /// Whether somebody stands because they want to: they have arrived, or wait.
    pub fn is_standing(&self) -> bool {
        matches!(self, Self::Arrived | Self::Waiting)
    }

    /// Whether somebody wants to get on but does not.
    pub fn is_held_up(&self) -> bool {
        matches!(self, Self::Blocked | Self::Queueing | Self::Fallen)
    }

    /// Whether it is what became of somebody who is on the way, found out by moving.
    pub(crate) fn is_of_walking(&self) -> bool {
        matches!(self, Self::Blocked | Self::Queueing | Self::Fallen | Self::Panicking)
    }

    /// The status of a person whose steering model gives none: what only models give becomes walking.
    pub(crate) fn without_model(self) -> Self {
        match self {
            Self::Queueing | Self::Fallen | Self::Panicking => Self::Walking,
            status => status,
        }
    }

    /// The name used in recordings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walking => "walking",
            Self::Arrived => "arrived",
            Self::Waiting => "waiting",
            Self::Blocked => "blocked",
            Self::NoPath => "no_path",
            Self::Queueing => "queueing",
            Self::Fallen => "fallen",
            Self::Panicking => "panicking",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Status {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|status| status.as_str() == name);
        found.ok_or_else(|| format!("there is no status {name:?}"))
    }
}

/// What is in the way of somebody who is [`Status::Blocked`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Obstruction {
    /// Nothing.
    #[default]
    None,
    /// This person, who is the nearest one ahead.
    Person(PersonId),
    /// A wall or another obstacle.
    Wall,
    /// The press of people on all sides, none of them straight ahead.
    Crowd,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_names_lead_back_to_the_status() {
        for (number, status) in Status::ALL.into_iter().enumerate() {
            assert_eq!(status as usize, number);
            assert_eq!(status.as_str().parse(), Ok(status));
        }
        assert!("flying".parse::<Status>().is_err());
    }
}
