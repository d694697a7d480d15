//! Companions keep together, whatever model steers them.
//!
//! Goals and fields say where somebody would go alone. This stage makes of it what they want as one of a party: all
//! go where the party goes on the average, no faster than the slowest, each towards a place of their own beside the others;
//! whoever is ahead waits for those behind. Steering then finds a way for that velocity as for any other, without heeding
//! companions, who are kept apart by their places and by contacts.
//!
//! Facts are those of Moussaïd, Perozo, Garnier, Helbing and Theraulaz, *The walking behaviour of pedestrian social groups and its impact on
//! crowd dynamics* (2010): 0.8 m apart, abreast where there is room, in a V where it gets crowded, slower the more they are, and in rows of two or
//! three from four up; in threes the middle one walks a little behind (Zanlungo and Kanda 2013). Their model is a force
//! that depends on gaze; places and a limited velocity are used instead, since they work with models without forces. That companions
//! wait, for some time only, is not in their model.

use std::ops::Deref;

use glam::Vec2;
use throng_world::MAX_PARTY;
use throng_world::scene::LayerId;

use crate::PersonId;
use crate::columns::OptionalColumn;
use crate::companions::Bond;
use crate::grid::Grid;
use crate::intents::{GoalState, Intents};
use crate::population::Population;
use crate::status::Status;
use crate::workers::Workers;
use crate::world::World;

/// How far apart companions like to walk, m.
const SPACING: f32 = 0.8;
/// How far behind the outer two the middle one of three walks at least, m.
const DENT: f32 = 0.15;
/// So many walk abreast at most; more make rows.
const ABREAST: usize = 3;
/// From one row to the next, m.
const ROW: f32 = 1.1;
/// With less room than this share of what they would like, three walk behind each other: the outer two of a V would
/// touch.
const NO_V: f32 = 0.6;

/// Companions who are farther away than this, m, are not walked beside, only waited for.
const COMPANY: f32 = 5.0;
/// How fast what is wrong with somebody's place is put right, 1/s.
const CLOSING: f32 = 1.0;
/// How fast people step aside for it, m/s, and the share of their speed that this is at most: nobody sidles while they
/// stand.
const SIDLING: f32 = 0.4;
const SIDLING_SHARE: f32 = 0.5;
/// How much faster than they like people walk to catch up.
const HURRY: f32 = 1.25;

/// Who is behind by the first of these, m, is waited for a little, and who is behind by the second altogether.
const WAITING: [f32; 2] = [1.5, 3.5];
/// On another floor somebody counts as this far behind, m: companions amble, so that they do not stand before the
/// stairs.
const ON_OTHER_FLOOR: f32 = 3.0;
/// How long people wait for somebody who does not come, s; four times as long for somebody who comes nearer.
const PATIENCE: f32 = 20.0;
/// Who is slower than this share of their party because of somebody waits for them.
const WAITS: f32 = 0.5;
/// Somebody who was given up is waited for again once they are this near, m.
const NEAR_AGAIN: f32 = 2.0;

/// How often people see how much room there is, s, and how much of it they take in at once.
const LOOK_PERIOD: f32 = 0.25;
const LOOK_SHARE: f32 = 0.7;
/// How far to either side walls matter, and how far ahead, m: no farther than walls are known.
const SIDES: f32 = 1.8;
const AHEAD: f32 = 2.0;
/// Ways ahead are looked along so far from each other, m.
const LOOKS: f32 = 0.3;
/// Room between the outer ones and walls, both sides together, m.
const WALL_ROOM: f32 = 0.3;
/// Strangers this near, m, make it crowded: from the first of these densities, 1/m², companions close up, and at the second
/// they walk almost behind each other.
const CROWD: f32 = 2.0;
const CROWDED: [f32; 2] = [0.5, 2.0];
const CROWDED_SQUEEZE: f32 = 0.85;
/// This near to a point that is their goal, m, people go there each for themselves.
const ALMOST_THERE: f32 = 1.8;

/// The share of their speed alone at which so many walk together: 1.26 - 0.04 n m/s (Moussaïd et al. 2010, on a working
/// day).
fn size_factor(count: usize) -> f32 {
    (1.26 - 0.04 * count as f32) / 1.22
}

/// One of a party, as the others see them at the beginning of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Member {
    /// Their number in the party.
    pub number: usize,
    pub row: usize,
    pub id: u32,
    pub position: Vec2,
    pub velocity: Vec2,
    pub layer: LayerId,
    pub on_connector: bool,
    pub radius: f32,
    pub status: Status,
    pub goal: GoalState,
    pub bond: Bond,
    /// What goals and fields ask for, m/s.
    pub wish: Vec2,
}

/// Members of a party who are there, in the order of their numbers. They need no memory of their own: this is done for
/// everybody in every step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Members {
    all: [Member; MAX_PARTY],
    count: usize,
}

impl FromIterator<Member> for Members {
    fn from_iter<I: IntoIterator<Item = Member>>(members: I) -> Self {
        let mut list = Self::default();
        for (place, member) in list.all.iter_mut().zip(members) {
            *place = member;
            list.count += 1;
        }
        list
    }
}

impl Deref for Members {
    type Target = [Member];

    fn deref(&self) -> &[Member] {
        &self.all[..self.count]
    }
}

/// What becomes of somebody's wish.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accompanied {
    pub velocity: Vec2,
    pub bond: Bond,
    /// Whom they wait for.
    pub waits_for: Option<PersonId>,
}

/// What everybody wants before they heed their companions, and what becomes of bonds; empty without parties.
#[derive(Default)]
pub(crate) struct Wishes {
    velocities: Vec<Vec2>,
    bonds: OptionalColumn<Bond>,
}

impl Wishes {
    /// Makes of what everybody wants what they want in the company they are in.
    pub fn accompany(&mut self, stage: &AccompanyStage, intents: &mut Intents, workers: Workers) {
        let people = stage.people;
        let Self { velocities, bonds } = self;
        let Intents { goals, preferred_velocities, statuses, .. } = intents;
        velocities.clone_from(preferred_velocities);
        bonds.clone_from(&people.bonds);
        let columns = (&mut preferred_velocities[..], &mut bonds[..]);
        workers.for_each_chunk(people.len(), columns, |first, (preferred, bonds)| {
            for ((row, velocity), bond) in (first..).zip(preferred).zip(bonds) {
                if bond.party > 0 {
                    let now = velocities[row];
                    let state =
                        |other: usize| Some((velocities[other], statuses[other], goals[other]));
                    let accompanied = stage.accompany(row, now, &stage.members(row, state));
                    (*velocity, *bond) = (accompanied.velocity, accompanied.bond);
                }
            }
        });
    }

    /// What becomes of bonds takes the place of what they were.
    pub fn replace(&mut self, bonds: &mut OptionalColumn<Bond>) {
        std::mem::swap(&mut self.bonds, bonds);
    }
}

/// What all have in common.
pub(super) struct AccompanyStage<'a> {
    pub world: &'a World,
    pub people: &'a Population,
    /// As it was at the last step.
    pub grid: &'a Grid,
}

impl AccompanyStage<'_> {
    /// Everybody of the party of the person in a row. `state` says what somebody wants and does now; nothing of those who
    /// leave.
    pub fn members(
        &self,
        row: usize,
        state: impl Fn(usize) -> Option<(Vec2, Status, GoalState)>,
    ) -> Members {
        let people = self.people;
        let member = |(number, &id): (usize, &PersonId)| {
            let row = people.row(id)?;
            let (wish, status, goal) = state(row)?;
            Some(Member {
                number,
                row,
                id: id.0,
                position: people.positions[row],
                velocity: people.velocities[row],
                layer: people.layers[row],
                on_connector: people.connectors[row] != 0,
                radius: people.radii[row],
                status,
                goal,
                bond: people.bond(row),
                wish,
            })
        };
        self.people.parties.of(people.bond(row)).iter().enumerate().filter_map(member).collect()
    }

    /// What the person in a row, who wishes to walk with a velocity and is one of `members`, wants among them.
    pub fn accompany(&self, row: usize, wish: Vec2, members: &Members) -> Accompanied {
        let Some(own) = members.iter().find(|member| member.row == row) else {
            let velocity = wish;
            return Accompanied { velocity, bond: self.people.bond(row), waits_for: None };
        };
        let alone = Accompanied { velocity: own.wish, bond: own.bond, waits_for: None };
        let walks = !own.status.is_standing() && own.status != Status::Fallen;
        if !walks || members.len() < 2 || own.wish.length_squared() < 1e-6 {
            return alone;
        }
        let company = Company::around(own, members);
        let mut bond = own.bond;
        let straggler = company.straggler(own, members);
        let delay = straggler.map_or(0.0, |(_, behind)| behind);
        let waits = 1.0 - ((delay - WAITING[0]) / (WAITING[1] - WAITING[0])).clamp(0.0, 1.0);
        let waits_for = straggler.filter(|_| waits < WAITS).map(|(member, _)| member);
        bond.left = members.iter().fold(bond.left, |left, other| {
            let is_near = own.position.distance_squared(other.position) < NEAR_AGAIN * NEAR_AGAIN;
            if is_near && own.sees(other) { left & !(1 << other.number) } else { left }
        });
        bond.waited = match waits_for {
            Some(other) => {
                bond.waited + self.world.step() * if other.comes_to(own) { 0.25 } else { 1.0 }
            }
            None => (bond.waited - self.world.step()).max(0.0),
        };
        if let Some(other) = waits_for.filter(|_| bond.waited >= PATIENCE) {
            bond.left |= 1 << other.number;
            bond.waited = 0.0;
        }
        if self.is_due(own.id) {
            let squeeze = self.squeeze(own, &company);
            bond.squeeze += (squeeze - bond.squeeze) * LOOK_SHARE;
        }
        let waits_for = waits_for.map(|other| PersonId(other.id));
        Accompanied { velocity: company.velocity(own, waits), bond, waits_for }
    }

    /// Whether somebody looks around in this step: not all do so at once.
    fn is_due(&self, id: u32) -> bool {
        let period = (LOOK_PERIOD / self.world.step()).ceil().max(1.0) as u64;
        (self.world.steps + u64::from(id)).is_multiple_of(period)
    }

    /// How little room there is for somebody and their companions to walk abreast.
    fn squeeze(&self, own: &Member, company: &Company) -> f32 {
        let abreast = company.widest_row();
        let wants = (abreast.max(2) - 1) as f32 * SPACING;
        let width = self.width(own, company.heading) - 2.0 * own.radius - WALL_ROOM;
        let by_walls = 1.0 - (width / wants).clamp(0.0, 1.0);
        let near = self.grid.around(own.layer, own.position, CROWD);
        // Rows may have changed since the grid was built, ids have not.
        let party = self.people.parties.of(own.bond);
        let is_stranger = |id: u32| !party.contains(&PersonId(id));
        let strangers = near.filter(|other| is_stranger(other.id()) && !other.stands()).count();
        let density = strangers as f32 / (std::f32::consts::PI * CROWD * CROWD);
        let crowded = (density - CROWDED[0]) / (CROWDED[1] - CROWDED[0]);
        by_walls.max(crowded.clamp(0.0, 1.0) * CROWDED_SQUEEZE)
    }

    /// How wide the free ground is where somebody walks along `heading`, and ahead of them, m; no more than
    /// twice [`SIDES`].
    fn width(&self, own: &Member, heading: Vec2) -> f32 {
        let reach = SIDES.hypot(AHEAD);
        if self.world.walls().is_empty()
            || self.world.walls().room(own.layer, own.position) >= reach
        {
            return 2.0 * SIDES;
        }
        let hit = |from: Vec2, way: Vec2| self.world.walls().crossing(own.layer, from, from + way);
        let beside = |side: Vec2| hit(own.position, side * SIDES).map_or(1.0, |(share, _)| share);
        // What is right ahead is walked round, and is no gap.
        let sees_ahead = hit(own.position, heading * AHEAD).is_none();
        let free = |side: Vec2| {
            let here = SIDES * beside(side);
            let looks = (1..).map(|i| i as f32 * LOOKS).take_while(|aside| *aside < here);
            let mut looks = looks.filter(|_| sees_ahead);
            let is_blocked =
                |aside: &f32| hit(own.position + side * *aside, heading * AHEAD).is_some();
            looks.find(is_blocked).map_or(here, |aside| aside - 0.5 * LOOKS)
        };
        free(heading.perp()) + free(-heading.perp())
    }
}

impl Member {
    /// Whether two are on one floor, or one of them is on the way between two: then it can be seen who is ahead.
    fn sees(&self, other: &Self) -> bool {
        self.layer == other.layer || self.on_connector || other.on_connector
    }

    /// Whether somebody comes nearer to `other`.
    fn comes_to(&self, other: &Self) -> bool {
        let way = (other.position - self.position).normalize_or_zero();
        self.sees(other) && self.velocity.dot(way) > 0.1
    }

    /// Whether they have fewer goals behind them than `other`, who has the same.
    fn is_goals_behind(&self, other: &Self) -> bool {
        self.goal.plan == other.goal.plan && self.goal.count < other.goal.count
    }

    /// Whether they have more goals behind them than `other`, who has the same.
    fn is_goals_ahead(&self, other: &Self) -> bool {
        other.is_goals_behind(self)
    }

    /// How far somebody walks to the point that is their goal, m.
    fn left_to_point(&self) -> f32 {
        let goal = &self.goal;
        match goal.is_to_point() && goal.floor == self.layer {
            true => self.position.distance(goal.target) - goal.within_squared.sqrt(),
            false => f32::INFINITY,
        }
    }
}

/// Those who walk beside somebody now, and that one.
struct Company {
    /// In the order of their numbers.
    members: Members,
    /// Where all of them go on the average, a unit vector.
    heading: Vec2,
    /// How little room there is to walk abreast.
    squeeze: f32,
}

/// Where somebody is to walk, seen from the middle of all, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    along: f32,
    aside: f32,
}

impl Company {
    fn around(own: &Member, members: &Members) -> Self {
        let belongs = |other: &&Member| {
            other.row == own.row
                || (own.bond.left >> other.number & 1 == 0
                    && !other.status.is_standing()
                    && own.sees(other)
                    && own.position.distance_squared(other.position) < COMPANY * COMPANY
                    && own.wish.dot(other.wish) >= 0.0)
        };
        let members: Members = members.iter().filter(belongs).copied().collect();
        let sum: Vec2 = members.iter().map(|member| member.wish.normalize_or_zero()).sum();
        let heading = sum.try_normalize().unwrap_or_else(|| own.wish.normalize_or_zero());
        let squeeze = members.iter().map(|member| member.bond.squeeze).fold(0.0, f32::max);
        Self { members, heading, squeeze }
    }

    /// How many walk abreast at most.
    fn widest_row(&self) -> usize {
        let rows = self.members.len().div_ceil(ABREAST);
        self.members.len().div_ceil(rows)
    }

    /// The one who is farthest behind somebody of all whom they wait for, and by how much, m.
    fn straggler<'a>(&self, own: &Member, members: &'a Members) -> Option<(&'a Member, f32)> {
        let places = self.places();
        let place = |row: usize| {
            let at = self.members.iter().position(|member| member.row == row);
            at.map(|at| places[at].along)
        };
        let lead = |other: &Member| match (place(own.row), place(other.row)) {
            (Some(own), Some(other)) => (own - other).max(0.0),
            _ => 0.0,
        };
        let is_waited_for = |other: &&Member| {
            other.row != own.row
                && own.bond.left >> other.number & 1 == 0
                && other.status != Status::Arrived
                && !other.is_goals_ahead(own)
        };
        let waited_for = members.iter().filter(is_waited_for);
        let behind = waited_for.map(|other| (other, self.behind(own, other) - lead(other)));
        behind.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.id.cmp(&a.0.id)))
    }

    /// How far behind somebody another one is, m; negative if they are ahead.
    fn behind(&self, own: &Member, other: &Member) -> f32 {
        if !own.sees(other) {
            let is_there = own.goal.is_to_point() && own.goal.floor == own.layer;
            let comes = other.goal.floor == own.layer && other.layer != own.layer;
            return if is_there && comes { ON_OTHER_FLOOR } else { 0.0 };
        }
        let lead = own.position - other.position;
        let distance = lead.length();
        if other.status.is_standing() || other.is_goals_behind(own) {
            return distance;
        }
        let ahead = self.heading.dot(lead);
        // Before a corner that one has turned, others are behind because they come up to it.
        let follows = other.wish.normalize_or_zero().dot(lead);
        let is_met = self.heading.dot(lead) < -0.3 * distance;
        if is_met { ahead } else { ahead.max(follows) }
    }

    /// What somebody wants, slowed to a share of the party's speed by those for whom they wait.
    fn velocity(&self, own: &Member, waits: f32) -> Vec2 {
        let count = self.members.len();
        let Some(at) = self.members.iter().position(|member| member.row == own.row) else {
            return own.wish;
        };
        let wished = own.wish.length();
        let speeds = self.members.iter().map(|member| member.wish.length());
        let walking = speeds.filter(|speed| *speed > 1e-3);
        let (slowest, sum, walkers) = walking
            .fold((wished, 0.0, 0u8), |(slowest, sum, walkers), speed| {
                (speed.min(slowest), sum + speed, walkers + 1)
            });
        let mean = sum / f32::from(walkers.max(1));
        let speed = slowest.min(size_factor(count) * mean);

        let middle = self.members.iter().map(|member| member.position).sum::<Vec2>() / count as f32;
        let place = self.places()[at];
        let off = own.position - middle;
        let along = CLOSING * (place.along - self.heading.dot(off));
        let aside = CLOSING * (place.aside - self.heading.perp_dot(off));
        let pace = (speed + along).clamp(0.0, HURRY * wished).min(waits * speed.max(speed + along));
        let sidling = SIDLING.min(SIDLING_SHARE * pace);
        // In narrow places one's own way is the safer one.
        let own_way = own.wish / wished;
        let forward = self.heading.lerp(own_way, self.squeeze).normalize_or_zero();
        let together = forward * pace + self.heading.perp() * aside.clamp(-sidling, sidling);
        let apart = own.wish.clamp_length_max(waits * wished.min(HURRY * speed));
        apart.lerp(together, (own.left_to_point() / ALMOST_THERE).clamp(0.0, 1.0))
    }

    /// Everybody's place, in the order of members. Whoever is farther left walks farther left, and whoever is ahead
    /// walks ahead, so that places do not change while people go to them.
    fn places(&self) -> [Place; MAX_PARTY] {
        let mut places = [Place::default(); MAX_PARTY];
        let count = self.members.len().min(MAX_PARTY);
        let wide = self.widest_row().max(1);
        let rows = count.div_ceil(wide);
        let along = |at: usize| self.heading.dot(self.members[at].position);
        let mut in_rows = [(0.0, 0, 0); MAX_PARTY];
        let mut begin = 0;
        for (row, of_row) in in_rows[..rows].iter_mut().enumerate() {
            let end = begin + (count - begin).div_ceil(rows - row);
            let mean = (begin..end).map(along).sum::<f32>() / (end - begin) as f32;
            *of_row = (mean, begin, end);
            begin = end;
        }
        let in_rows = &mut in_rows[..rows];
        in_rows.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut front = 0.0;
        for &mut (_, begin, end) in in_rows {
            front = self.line_up(begin, end, front, &mut places) - ROW;
        }
        let count = count as f32;
        let mean = places.iter().map(|place| place.along).sum::<f32>() / count;
        let aside = places.iter().map(|place| place.aside).sum::<f32>() / count;
        for place in &mut places {
            *place = Place { along: place.along - mean, aside: place.aside - aside };
        }
        places
    }

    /// Gives places to the members of one row, whose first one is at `front`; tells where the last one is.
    fn line_up(
        &self,
        begin: usize,
        end: usize,
        front: f32,
        places: &mut [Place; MAX_PARTY],
    ) -> f32 {
        let count = end - begin;
        let room = 1.0 - self.squeeze;
        let depth = SPACING * (1.0 - room * room).sqrt();
        let rank = |by: &dyn Fn(usize) -> f32, at: usize| {
            let precedes =
                |other: usize| by(other).total_cmp(&by(at)).reverse().then(other.cmp(&at)).is_lt();
            (begin..end).filter(|&other| precedes(other)).count()
        };
        let leftwards = |at: usize| self.heading.perp_dot(self.members[at].position);
        let onwards = |at: usize| self.heading.dot(self.members[at].position);
        let mut last = front;
        for (at, place) in (begin..end).zip(&mut places[begin..end]) {
            let from_left = rank(&leftwards, at);
            let from_front = rank(&onwards, at);
            let along = match count {
                1 => 0.0,
                ABREAST if room > NO_V => {
                    let is_middle = from_left == 1;
                    if is_middle { -depth.max(DENT) } else { 0.0 }
                }
                _ => -depth * from_front as f32,
            };
            let aside = ((count - 1) as f32 * 0.5 - from_left as f32) * SPACING * room;
            *place = Place { along: front + along, aside };
            last = last.min(front + along);
        }
        last
    }
}
