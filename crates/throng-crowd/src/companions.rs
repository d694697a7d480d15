//! Who walks with whom.
//!
//! People of a *party* walk together: friends, couples, families. A party is a list of ids that only grows when
//! a scene says so; whoever has left is passed over. What somebody remembers of their companions from step to step is
//! their [`Bond`], a column of the population that exists only once there are parties: scenes
//! without any pay nothing, and go on to the same bits. Companions choose alike where choice is chance (a random
//! place, one of many ways, a side of a line), by the draws of the party's first member. How they keep
//! together is in `step/accompany.rs`.

use std::collections::BTreeMap;

use throng_world::scene::{Aim, RegionId};
use throng_world::{MAX_PARTY, Scene};

use crate::PersonId;
use crate::check::CrowdError;
use crate::columns::AnyColumn;
use crate::crowd::Crowd;
use crate::guidance::Course;
use crate::intents::Intents;
use crate::neighbours::Neighbourhood;
use crate::population::Population;
use crate::requests::RequestContext;

/// What somebody has to do with their companions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bond {
    /// 1 + the number of their party; 0 for those who walk alone.
    pub party: u32,
    /// The id of its first member, who may be gone: whose chances are theirs.
    pub first: u32,
    /// For how long they have been waiting for somebody of it, s.
    pub waited: f32,
    /// Whom they wait for no longer, a bit for each number in the party.
    pub left: u16,
    /// How little room there is to walk abreast: 0 for enough, 1 for none.
    pub squeeze: f32,
}

/// Companions who are nearer than this, m, take the same way.
const BESIDE: f32 = 4.0;

const _: () = assert!(MAX_PARTY <= u16::BITS as usize);

/// Parties by number. Members keep their numbers; some may be gone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parties {
    members: Vec<Vec<PersonId>>,
}

impl Parties {
    /// Everybody who was ever in the party of somebody with this bond and has not changed to another.
    pub fn of(&self, bond: Bond) -> &[PersonId] {
        let number = (bond.party as usize).checked_sub(1);
        number.and_then(|number| self.members.get(number)).map_or(&[], Vec::as_slice)
    }
}

impl Crowd {
    /// Makes some people companions, who walk together from the next step on. Whoever was in another party leaves it.
    ///
    /// # Errors
    ///
    /// If one of them is not there, if there are more than [`MAX_PARTY`], or fewer than two.
    pub fn join(&mut self, people: &[PersonId]) -> Result<(), CrowdError> {
        let mut ids = people.to_vec();
        ids.sort_unstable();
        ids.dedup();
        if !(2..=MAX_PARTY).contains(&ids.len()) {
            let (value, max) = (ids.len() as f32, MAX_PARTY as f32);
            return Err(CrowdError::OutOfRange {
                what: "the number of companions",
                value,
                min: 2.0,
                max,
            });
        }
        if let Some(id) = ids.iter().find(|id| self.people.row(**id).is_none()) {
            return Err(CrowdError::NoSuchPerson(*id));
        }
        self.people.unite(ids);
        Ok(())
    }

    /// Lets somebody walk alone; `false` if they do already.
    pub fn part(&mut self, id: PersonId) -> bool {
        self.people.part(id)
    }

    /// Those whom somebody walks with and who are there, in ascending order of id; nobody if they walk alone.
    pub fn companions(&self, id: PersonId) -> Vec<PersonId> {
        self.people.companions(id)
    }
}

impl RequestContext<'_> {
    /// The row of the first of somebody's party who has the same goal; `None` if there is nobody else, or if it is themselves.
    fn first_with_goal(&self, row: usize) -> Option<usize> {
        let goals = &self.intents.goals;
        let goal = |row: usize| (goals[row].plan, goals[row].goal);
        let party = self.people.parties.of(self.people.bond(row)).iter();
        let first =
            party.filter_map(|&id| self.people.row(id)).find(|&other| goal(other) == goal(row));
        first.filter(|&first| first != row)
    }

    /// The row of the one whose way somebody takes: the first of their companions, while that one is beside them.
    pub fn first_companion(&self, row: usize) -> Option<usize> {
        let first = self.first_with_goal(row)?;
        let [own, other] = [row, first].map(|row| self.people.positions[row]);
        let layer = self.people.layers[row];
        let is_beside = layer == self.people.layers[first]
            && own.distance_squared(other) < BESIDE * BESIDE
            && self.world.walls().crossing(layer, own, other).is_none();
        is_beside.then_some(first)
    }

    /// The region that somebody's first companion is on the way to, of those that their goal names: it is where they go as
    /// well.
    pub fn companions_choice(&self, row: usize) -> Option<RegionId> {
        let first = self.first_with_goal(row)?;
        let begun = self.intents.goals[first].is_begun();
        let chosen = self.intents.memories.value(first).region.filter(|_| begun)?;
        match &self.goal(row)?.aim {
            Aim::SeekNearest { regions } => regions.contains(&chosen).then_some(chosen),
            _ => None,
        }
    }
}

impl Population {
    /// Makes people companions who are there, at least two, in ascending order.
    pub fn unite(&mut self, ids: Vec<PersonId>) {
        self.bonds.keep(self.len());
        ids.iter().for_each(|&id| _ = self.part(id));
        let party = self.parties.members.len() as u32 + 1;
        let first = ids[0].0;
        for &id in &ids {
            if let Some(row) = self.row(id) {
                self.bonds[row] = Bond { party, first, ..Bond::default() };
            }
        }
        self.parties.members.push(ids);
    }

    /// Makes companions of people who have come one after the other from number `first` on, as many at a time as `sizes`
    /// says.
    pub fn unite_in_turn(&mut self, first: u32, sizes: &[u32]) {
        let mut next = first;
        for &size in sizes {
            if size > 1 {
                self.unite((next..next + size).map(PersonId).collect());
            }
            next += size;
        }
    }

    /// Makes companions of those who are listed in a scene with the same party, and lets the others who are listed walk
    /// alone. Parties that are as they were stay so.
    pub fn unite_listed(&mut self, scene: &Scene) {
        let mut parties: BTreeMap<&str, Vec<PersonId>> = BTreeMap::new();
        let mut alone = Vec::new();
        for (group, ids) in scene.groups.iter().zip(&self.listed) {
            for (person, &id) in group.people.iter().zip(ids) {
                match &person.party {
                    Some(party) => parties.entry(party).or_default().push(id),
                    None => alone.push(id),
                }
            }
        }
        for id in alone {
            self.part(id);
        }
        for mut ids in parties.into_values() {
            ids.retain(|&id| self.row(id).is_some());
            ids.sort_unstable();
            let [first, others @ ..] = ids.as_slice() else { continue };
            if !others.is_empty() && self.companions(*first) != others {
                self.unite(ids);
            }
        }
    }

    /// Lets somebody walk alone; `false` if they do already.
    pub fn part(&mut self, id: PersonId) -> bool {
        let Some(row) = self.row(id) else { return false };
        let Some(bond) = self.bonds.get_mut(row).filter(|bond| bond.party > 0) else {
            return false;
        };
        let number = std::mem::take(bond).party as usize - 1;
        let mut members = std::mem::take(&mut self.parties.members[number]);
        members.retain(|&member| member != id);
        // Numbers have changed, so what was thought of each is forgotten.
        for &id in &members {
            if let Some(row) = self.row(id) {
                let bond = &mut self.bonds[row];
                *bond = Bond { left: 0, waited: 0.0, ..*bond };
            }
        }
        if let &[last] = members.as_slice() {
            members.clear();
            if let Some(row) = self.row(last) {
                self.bonds[row] = Bond::default();
            }
        }
        self.parties.members[number] = members;
        true
    }

    /// Those whom somebody walks with and who are there, in ascending order of id; nobody if they walk alone.
    pub fn companions(&self, id: PersonId) -> Vec<PersonId> {
        let bond = self.row(id).map(|row| self.bond(row)).unwrap_or_default();
        let others = self.parties.of(bond).iter().copied();
        others.filter(|&other| other != id && self.row(other).is_some()).collect()
    }

    /// Has the companions of somebody, who have the same goals, ask for the way to where that one goes now.
    pub fn call_companions(&self, row: usize, intents: &mut Intents) {
        let own = intents.goals[row];
        let chosen = intents.memories.value(row).region;
        for &id in self.parties.of(self.bond(row)) {
            let Some(other) = self.row(id).filter(|&other| other != row) else { continue };
            let theirs = intents.memories.value(other).region;
            let is_elsewhere = theirs.is_some() && theirs != chosen;
            let state = &mut intents.goals[other];
            if (state.plan, state.goal) == (own.plan, own.goal) && is_elsewhere && state.is_begun()
            {
                state.course = Course::Asked;
            }
        }
    }

    /// What the person in a row has to do with companions.
    #[inline(always)]
    pub fn bond(&self, row: usize) -> Bond {
        self.bonds.get(row).copied().unwrap_or_default()
    }

    /// The id by which chance decides for the person in a row: their own, or that of the first of their party.
    pub fn chance_id(&self, row: usize) -> u32 {
        match self.bond(row) {
            Bond { party: 0, .. } => self.ids[row],
            bond => bond.first,
        }
    }
}

impl Neighbourhood {
    /// Takes companions out of the neighbours of everybody in the batch; `false` if there are none. Models would keep
    /// them as far apart as strangers; companions are kept apart by the places they walk at, and by contacts.
    ///
    /// `rows_of` tells the row of a neighbour's entry.
    pub(crate) fn leave_out_companions(
        &mut self,
        people: &Population,
        rows_of: impl Fn(u32) -> usize,
    ) -> bool {
        let mut found = false;
        for lane in 0..self.len {
            let party = people.bond(self.rows[lane] as usize).party;
            if party == 0 {
                continue;
            }
            let count = self.count[lane] as usize;
            let mut kept = 0;
            for slot in 0..count {
                let other = self.index[slot][lane];
                if people.bond(rows_of(other)).party != party {
                    self.index[kept][lane] = other;
                    self.distance_squared[kept][lane] = self.distance_squared[slot][lane];
                    kept += 1;
                }
            }
            for slot in kept..count {
                self.index[slot][lane] = self.who[lane];
                self.distance_squared[slot][lane] = f32::INFINITY;
            }
            self.count[lane] = kept as u32;
            found |= kept < count;
        }
        found
    }
}
