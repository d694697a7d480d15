//! How everybody looks, as bytes: the roles of `docs/protocol.md`.
//!
//! A role takes three dozen bytes and never changes, so pages are told of each person once. [`RoleLog`] has all that was told, in
//! order; each connection knows how far it has come in it. When ids begin to mean other people, or somebody has become something
//! else, it begins anew.

use axum::body::Bytes;
use throng::bodies::variety::Descriptor;
use throng_motion::Region;

use crate::frame::push_ids;
use crate::protocol::{BinaryKind, RoleRecord, RolesHeader, SMALLEST_SCALE, Wire};

/// After so many messages it is shorter to begin anew with those who are there.
const LONGEST_LOG: usize = 256;

/// All that pages have to know of how people look.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoleLog {
    /// Changes when everything begins anew.
    pub number: u64,
    pub messages: Vec<Bytes>,
}

impl RoleLog {
    /// Begins anew: nobody is known.
    pub fn forget(&mut self) {
        self.number += 1;
        self.messages.clear();
    }

    /// Whether it has become so long that it should begin anew.
    pub fn is_long(&self) -> bool {
        self.messages.len() >= LONGEST_LOG
    }

    /// Adds people, in ascending order of id.
    pub fn push(&mut self, epoch: u16, people: &[(u32, Descriptor)]) {
        let mut bytes = Vec::with_capacity(RolesHeader::SIZE + 36 * people.len());
        let header = RolesHeader {
            kind: BinaryKind::Roles as u8,
            anew: u8::from(self.messages.is_empty()),
            epoch,
            count: people.len() as u32,
        };
        header.push(&mut bytes);
        push_ids(&mut bytes, people.iter().map(|(id, _)| *id));
        people.iter().for_each(|(_, role)| role_record(role).push(&mut bytes));
        self.messages.push(bytes.into());
    }

    /// What somebody has to be told who has come so far, and how far they are then.
    pub fn since(&self, (number, count): (u64, usize)) -> (&[Bytes], (u64, usize)) {
        let known = if number == self.number { count.min(self.messages.len()) } else { 0 };
        (&self.messages[known..], (self.number, self.messages.len()))
    }
}

pub(super) fn role_record(role: &Descriptor) -> RoleRecord {
    let palette = role.palette();
    RoleRecord {
        look: role.look as u8,
        scale: ((role.scale - SMALLEST_SCALE) * f32::from(u16::MAX)).round() as u16,
        colours: Region::ALL.map(|region| palette.colour(region).map(srgb)),
    }
}

/// A linear share of light as screens take it.
fn srgb(linear: f32) -> u8 {
    let share = match linear {
        linear if linear <= 0.003_130_8 => 12.92 * linear,
        linear => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
    };
    (share * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_of_screens() {
        assert_eq!([0.0, 0.002, 0.214_041_14, 1.0].map(srgb), [0, 7, 128, 255]);
    }

    #[test]
    fn everybody_is_told_once_and_all_of_them_again_when_it_begins_anew() {
        let mut log = RoleLog::default();
        let role = Descriptor { scale: 1.0, ..Descriptor::default() };
        log.push(7, &[(3, role), (200, role)]);
        let (told, known) = log.since((0, 0));
        assert_eq!(told.len(), 1);
        assert_eq!(told[0][..11], [6, 1, 7, 0, 2, 0, 0, 0, 3, 197, 1]);
        assert_eq!(told[0].len(), 11 + 2 * 33);
        assert!(log.since(known).0.is_empty());
        log.push(7, &[(201, role)]);
        let (told, known) = log.since(known);
        assert_eq!((told.len(), told[0][1]), (1, 0));
        log.forget();
        assert!(log.since(known).0.is_empty());
        log.push(8, &[(0, role)]);
        let (told, _) = log.since(known);
        assert_eq!((told.len(), told[0][1]), (1, 1), "whoever is told forgets the others");
    }
}
