//! What rules make of somebody: the words in which the model `ppr` remembers and explains itself.

use glam::Vec2;

use super::Cause;
use crate::PersonId;

/// What somebody who steers by rules is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Walks to where they want to be next (N).
    #[default]
    Normal,
    /// Avoids somebody before it is urgent (P).
    Proactive,
    /// Keeps on until those whom they have avoided are past (W).
    Waiting,
    /// Turns to where they want to be next (T).
    Turning,
}

impl Mode {
    /// The letter it has in the publication.
    pub fn letter(self) -> char {
        match self {
            Self::Normal => 'N',
            Self::Proactive => 'P',
            Self::Waiting => 'W',
            Self::Turning => 'T',
        }
    }
}

/// How two would meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encounter {
    /// Head on.
    #[default]
    Oncoming,
    /// On ways that cross, where one is first.
    CrossingSoon,
    /// On ways that cross, where the other is first.
    CrossingLate,
}

/// Somebody whom one would run into, or would have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threat {
    /// Who.
    pub person: PersonId,
    /// How they meet.
    pub encounter: Encounter,
    /// In how many seconds bodies would be too close, as it was foreseen last.
    pub begins: f32,
    /// In how many seconds they would be past each other.
    pub ends: f32,
    /// Whether it is avoided already: as both walk now, nothing would happen.
    pub avoided: bool,
}

impl Default for Threat {
    fn default() -> Self {
        let (begins, ends) = (0.0, 0.0);
        let (person, encounter) = (PersonId(u32::MAX), Encounter::default());
        Self { person, encounter, begins, ends, avoided: false }
    }
}

/// A straight line along which somebody feels what is ahead or beside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feeler {
    /// Where it begins, m.
    pub from: Vec2,
    /// Where it ends if it meets nothing, m.
    pub to: Vec2,
    /// What it meets, and after which share of its length.
    pub hit: Option<(f32, Cause)>,
}

/// What somebody does by a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Action {
    /// Stands, since there is nowhere to go.
    #[default]
    Rest,
    /// Walks to where they want to be next.
    Aim,
    /// Turns sharply to where they want to be next.
    Turn,
    /// Turns aside early, to pass somebody who comes.
    AvoidOncoming,
    /// Walks faster, to cross before somebody.
    CrossBefore,
    /// Walks slower, to cross behind somebody.
    CrossBehind,
    /// Keeps on until those who were avoided are past.
    KeepOn,
    /// Turns aside of somebody right ahead.
    TurnAside,
    /// Slows down for somebody right ahead who is first.
    GiveWay,
    /// Follows somebody at their speed.
    Follow,
    /// Stops for those who come.
    Stop,
    /// Turns along a wall.
    AlongWall,
    /// Walks straight on between two posts.
    ThroughDoor,
    /// Turns out of or round a corner.
    Corner,
    /// Was stuck, and presses on.
    PressOn,
    /// Was stuck, and lets up for a moment.
    LetUp,
}

impl Action {
    /// What they do, to be read after "who".
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Rest => "stands",
            Self::Aim => "walks to the next point of the way",
            Self::Turn => "turns to the next point of the way",
            Self::AvoidOncoming => "turns aside early for somebody who comes",
            Self::CrossBefore => "hurries to cross before somebody",
            Self::CrossBehind => "slows down to cross behind somebody",
            Self::KeepOn => "keeps on until those who were avoided are past",
            Self::TurnAside => "turns aside of somebody right ahead",
            Self::GiveWay => "gives way to somebody right ahead",
            Self::Follow => "walks as slowly as those right ahead",
            Self::Stop => "stops for those who come",
            Self::AlongWall => "turns along a wall",
            Self::ThroughDoor => "goes straight on between two posts",
            Self::Corner => "turns at a corner",
            Self::PressOn => "was stuck and presses on",
            Self::LetUp => "was stuck and lets up for a moment",
        }
    }
}

/// What rules make somebody do, and by what.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// What they are about.
    pub mode: Mode,
    /// Whom they avoid or have avoided, soonest first.
    pub threats: Vec<Threat>,
    /// What they feel: ahead from the left side of the body, from the middle and from the right, then
    /// to the left and to the right. None if they stand.
    pub feelers: Vec<Feeler>,
    /// What the rule that counts says.
    pub action: Action,
    /// Where they face then, a unit vector.
    pub heading: Vec2,
    /// How fast they walk that way, m/s.
    pub speed: f32,
    /// How fast they step to their left, m/s; to the right if negative.
    pub scoot: f32,
}

impl Rules {
    /// The velocity that they take, m/s.
    pub fn velocity(&self) -> Vec2 {
        self.heading * self.speed + self.heading.perp() * self.scoot
    }

    /// What they do in words, such as `hurries to cross before somebody (P: person 3)`.
    pub fn in_words(&self) -> String {
        let (letter, action) = (self.mode.letter(), self.action.in_words());
        let person = |threat: &&Threat| threat.avoided == (self.mode == Mode::Waiting);
        let about = matches!(self.mode, Mode::Proactive | Mode::Waiting);
        let first = self.threats.iter().find(person).filter(|_| about);
        match first.map(|threat| threat.person.0) {
            Some(id) => format!("{action} ({letter}: person {id})"),
            None => format!("{action} ({letter})"),
        }
    }

    /// Who and what they feel, each once.
    pub fn felt(&self) -> Vec<Cause> {
        let mut felt = Vec::new();
        for (_, cause) in self.feelers.iter().filter_map(|feeler| feeler.hit) {
            if !felt.contains(&cause) {
                felt.push(cause);
            }
        }
        felt
    }
}
