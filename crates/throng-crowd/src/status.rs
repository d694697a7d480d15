//! Why somebody does or does not move.

use crate::PersonId;

/// What a person is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
}

impl Status {
    /// All there are.
    pub const ALL: [Self; 5] =
        [Self::Walking, Self::Arrived, Self::Waiting, Self::Blocked, Self::NoPath];

    /// The name used in recordings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walking => "walking",
            Self::Arrived => "arrived",
            Self::Waiting => "waiting",
            Self::Blocked => "blocked",
            Self::NoPath => "no path",
        }
    }

    /// The status with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
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
