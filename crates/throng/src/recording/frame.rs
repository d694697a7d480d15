//! One moment of a simulation: everyone in it, as a structure of arrays.

use glam::Vec2;
use throng_base::frame::wrap_angle;
use throng_crowd::Status;
use throng_world::scene::{GroupId, LayerId};

/// Everyone at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Number of the frame in its recording, from 0.
    pub index: u32,
    /// Simulated time, s.
    pub time: f64,
    /// Who is there, by ascending id.
    pub people: People,
}

/// People as a structure of arrays: entry `i` of every array is about the same person.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct People {
    /// Who; strictly ascending.
    pub ids: Vec<u32>,
    /// Groups.
    pub groups: Vec<GroupId>,
    /// Floors.
    pub layers: Vec<LayerId>,
    /// Positions on the ground, m.
    pub positions: Vec<Vec2>,
    /// Heights of the ground they stand on, m.
    pub heights: Vec<f32>,
    /// Headings, radians counter-clockwise from `+x`. Plain numbers rather than
    /// [`Heading`](throng_base::Heading)s, whose wrapping would cost the last bit.
    pub headings: Vec<f32>,
    /// Velocities, m/s.
    pub velocities: Vec<Vec2>,
    /// Radii, m.
    pub radii: Vec<f32>,
    /// What they are up to.
    pub statuses: Vec<Status>,
    /// Who is in their way.
    pub blocked_by: Vec<Option<u32>>,
}

/// One entry of [`People`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "each is described at the array it belongs to")]
pub struct Person {
    pub id: u32,
    pub group: GroupId,
    pub layer: LayerId,
    pub position: Vec2,
    pub height: f32,
    pub heading: f32,
    pub velocity: Vec2,
    pub radius: f32,
    pub status: Status,
    pub blocked_by: Option<u32>,
}

impl People {
    /// How many people there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Removes everyone and keeps the memory.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.groups.clear();
        self.layers.clear();
        self.positions.clear();
        self.heights.clear();
        self.headings.clear();
        self.velocities.clear();
        self.radii.clear();
        self.statuses.clear();
        self.blocked_by.clear();
    }

    /// Appends one person.
    pub fn push(&mut self, person: Person) {
        self.ids.push(person.id);
        self.groups.push(person.group);
        self.layers.push(person.layer);
        self.positions.push(person.position);
        self.heights.push(person.height);
        self.headings.push(person.heading);
        self.velocities.push(person.velocity);
        self.radii.push(person.radius);
        self.statuses.push(person.status);
        self.blocked_by.push(person.blocked_by);
    }

    /// Makes room for as many people as there are in parts of these lengths, and returns the parts, to be written.
    pub(crate) fn parts(&mut self, lengths: &[usize]) -> Vec<PeoplePart<'_>> {
        let count = lengths.iter().sum();
        let Self { ids, groups, layers, positions, heights, .. } = self;
        let Self { headings, velocities, radii, statuses, blocked_by, .. } = self;
        ids.resize(count, 0);
        groups.resize(count, GroupId::default());
        layers.resize(count, LayerId::default());
        positions.resize(count, Vec2::ZERO);
        heights.resize(count, 0.0);
        headings.resize(count, 0.0);
        velocities.resize(count, Vec2::ZERO);
        radii.resize(count, 0.0);
        statuses.resize(count, Status::default());
        blocked_by.resize(count, None);
        let (mut ids, mut groups, mut layers) = (&mut ids[..], &mut groups[..], &mut layers[..]);
        let (mut positions, mut heights) = (&mut positions[..], &mut heights[..]);
        let (mut headings, mut velocities) = (&mut headings[..], &mut velocities[..]);
        let (mut radii, mut statuses) = (&mut radii[..], &mut statuses[..]);
        let mut blocked_by = &mut blocked_by[..];
        let part = |&length: &usize| PeoplePart {
            ids: split_off(&mut ids, length),
            groups: split_off(&mut groups, length),
            layers: split_off(&mut layers, length),
            positions: split_off(&mut positions, length),
            heights: split_off(&mut heights, length),
            headings: split_off(&mut headings, length),
            velocities: split_off(&mut velocities, length),
            radii: split_off(&mut radii, length),
            statuses: split_off(&mut statuses, length),
            blocked_by: split_off(&mut blocked_by, length),
        };
        lengths.iter().map(part).collect()
    }

    /// Appends everyone of `other`.
    pub fn extend(&mut self, other: &Self) {
        self.ids.extend_from_slice(&other.ids);
        self.groups.extend_from_slice(&other.groups);
        self.layers.extend_from_slice(&other.layers);
        self.positions.extend_from_slice(&other.positions);
        self.heights.extend_from_slice(&other.heights);
        self.headings.extend_from_slice(&other.headings);
        self.velocities.extend_from_slice(&other.velocities);
        self.radii.extend_from_slice(&other.radii);
        self.statuses.extend_from_slice(&other.statuses);
        self.blocked_by.extend_from_slice(&other.blocked_by);
    }

    /// The person at `index`, which must be below [`Self::len`].
    pub fn get(&self, index: usize) -> Person {
        Person {
            id: self.ids[index],
            group: self.groups[index],
            layer: self.layers[index],
            position: self.positions[index],
            height: self.heights[index],
            heading: self.headings[index],
            velocity: self.velocities[index],
            radius: self.radii[index],
            status: self.statuses[index],
            blocked_by: self.blocked_by[index],
        }
    }

    /// The index of the person called `id`.
    pub fn find(&self, id: u32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Whether every array has an entry for everyone.
    pub(super) fn is_rectangular(&self) -> bool {
        let lengths = [
            self.groups.len(),
            self.layers.len(),
            self.positions.len(),
            self.heights.len(),
            self.headings.len(),
            self.velocities.len(),
            self.radii.len(),
            self.statuses.len(),
            self.blocked_by.len(),
        ];
        lengths.iter().all(|&length| length == self.len())
    }

    /// The first person, by index, with a number that is infinite or not a number.
    pub(super) fn first_not_finite(&self) -> Option<usize> {
        let bad = |i: usize| {
            !(self.positions[i].is_finite()
                && self.velocities[i].is_finite()
                && self.heights[i].is_finite()
                && self.headings[i].is_finite()
                && self.radii[i].is_finite())
        };
        (0..self.len()).find(|&i| bad(i))
    }

    /// The first person, by index, whose id is not above the one before.
    pub(super) fn first_out_of_order(&self) -> Option<usize> {
        self.ids.windows(2).position(|pair| pair[0] >= pair[1]).map(|i| i + 1)
    }

    /// Moves everyone the fraction `t` of the way to where they are in `later`; who is not in
    /// `later` stays. Headings turn the short way.
    pub fn move_towards(&mut self, later: &Self, t: f32) {
        let mut j = 0;
        for i in 0..self.len() {
            while j < later.len() && later.ids[j] < self.ids[i] {
                j += 1;
            }
            if j == later.len() || later.ids[j] != self.ids[i] {
                continue;
            }
            self.positions[i] = self.positions[i].lerp(later.positions[j], t);
            self.velocities[i] = self.velocities[i].lerp(later.velocities[j], t);
            self.heights[i] += (later.heights[j] - self.heights[i]) * t;
            let turn = wrap_angle(later.headings[j] - self.headings[i]);
            self.headings[i] = wrap_angle(self.headings[i] + turn * t);
        }
    }
}

/// Cuts the first `length` values off a slice.
fn split_off<'a, T>(values: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    let (first, rest) = std::mem::take(values).split_at_mut(length);
    *values = rest;
    first
}

/// Some entries of [`People`], to be written on a thread of their own.
pub(crate) struct PeoplePart<'a> {
    ids: &'a mut [u32],
    groups: &'a mut [GroupId],
    layers: &'a mut [LayerId],
    positions: &'a mut [Vec2],
    heights: &'a mut [f32],
    headings: &'a mut [f32],
    velocities: &'a mut [Vec2],
    radii: &'a mut [f32],
    statuses: &'a mut [Status],
    blocked_by: &'a mut [Option<u32>],
}

impl PeoplePart<'_> {
    /// Writes entry `i`.
    pub(crate) fn set(&mut self, i: usize, person: Person) {
        self.ids[i] = person.id;
        self.groups[i] = person.group;
        self.layers[i] = person.layer;
        self.positions[i] = person.position;
        self.heights[i] = person.height;
        self.headings[i] = person.heading;
        self.velocities[i] = person.velocity;
        self.radii[i] = person.radius;
        self.statuses[i] = person.status;
        self.blocked_by[i] = person.blocked_by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::PI;

    fn person(id: u32, x: f32, heading: f32) -> Person {
        Person { id, position: Vec2::new(x, 0.0), heading, ..Person::default() }
    }

    fn people(list: &[Person]) -> People {
        let mut people = People::default();
        list.iter().for_each(|&person| people.push(person));
        people
    }

    #[test]
    fn moving_matches_people_by_id_and_leaves_those_who_vanish() {
        let mut now = people(&[person(1, 0.0, 0.0), person(3, 10.0, 0.0), person(7, 5.0, 0.0)]);
        let later = people(&[person(2, 99.0, 0.0), person(3, 20.0, 1.0), person(7, 5.0, 0.0)]);
        now.move_towards(&later, 0.25);
        assert_eq!(now.ids, [1, 3, 7]);
        assert_eq!(now.positions.iter().map(|p| p.x).collect::<Vec<_>>(), [0.0, 12.5, 5.0]);
        assert_eq!(now.headings, [0.0, 0.25, 0.0]);
    }

    #[test]
    fn headings_turn_the_short_way_through_half_a_turn() {
        let mut now = people(&[person(1, 0.0, PI - 0.1)]);
        now.move_towards(&people(&[person(1, 0.0, -PI + 0.3)]), 0.5);
        assert!((now.headings[0] - (-PI + 0.1)).abs() < 1e-5, "{}", now.headings[0]);
    }
}
