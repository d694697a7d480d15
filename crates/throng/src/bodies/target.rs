//! Motion targets: where each body should be at a moment, and how it should move there.
//!
//! They come from a crowd, a recording or tracks. States of a crowd are often further apart than bodies need them to walk
//! by; [`MotionTarget::between`] is the one way in which the time between two states is filled, whoever shows it.

use glam::Vec2;
use throng_base::Heading;
use throng_crowd::{Crowd, Move, Status};
use throng_world::Temperament;
use throng_world::scene::GroupId;

use crate::recording::People;

/// Where a body should be and how it should move, at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionTarget {
    /// Id of the person.
    pub id: u32,
    /// Group of the person, which decides the species.
    pub group: GroupId,
    /// Position on the ground, m.
    pub position: Vec2,
    /// Height of the ground there, m.
    pub height: f32,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Heading of a person who stands.
    pub heading: Option<Heading>,
    /// Whether the person lies on the ground, or falls down now.
    pub lying: bool,
    /// Whether feet are planted. Without, a body is cheaper and its feet slide.
    pub planted: bool,
    /// Phase of the gait, from 0 to 1, in which a new body begins; that of its role if `None`.
    pub phase: Option<f32>,
    /// Traits of the person; those of the scene if `None`.
    pub temperament: Option<Temperament>,
}

/// Speed above which a person was put elsewhere, m/s.
const MAX_SPEED: f32 = 12.0;
/// Distance up to which a move between two states is never a jump, m.
const SHORTEST_JUMP: f32 = 1.0;

impl MotionTarget {
    /// The targets of everybody in a crowd as it is now, in ascending order of id.
    pub fn of_crowd(crowd: &Crowd) -> impl Iterator<Item = Self> + '_ {
        crowd.people().map(|person| Self {
            id: person.id.0,
            group: person.group,
            position: person.position,
            height: person.height,
            velocity: person.velocity,
            // Rounded as that of a recording, so that both give the same poses.
            heading: Some(Heading::from_radians(person.heading.radians())),
            lying: person.status == Status::Fallen,
            planted: true,
            phase: None,
            temperament: Some(crowd.temperament(person.id).unwrap_or_default()),
        })
    }

    /// The targets of everybody in a recorded frame, in ascending order of id.
    pub fn of_recorded(people: &People) -> impl Iterator<Item = Self> + '_ {
        (0..people.len()).map(|row| Self {
            id: people.ids[row],
            group: people.groups[row],
            position: people.positions[row],
            height: people.heights[row],
            velocity: people.velocities[row],
            heading: Some(Heading::from_radians(people.headings[row])),
            lying: people.statuses[row] == Status::Fallen,
            planted: true,
            phase: None,
            temperament: None,
        })
    }

    /// The target of a person whom steering moves so within some seconds.
    pub(crate) fn of_move(person: &Move, seconds: f32) -> Self {
        Self {
            id: person.id.0,
            group: person.group,
            position: person.to,
            height: person.height,
            velocity: (person.to - person.from) / seconds,
            heading: Heading::along(person.facing),
            lying: person.lies,
            planted: true,
            phase: None,
            temperament: Some(person.temperament.unwrap_or_default()),
        }
    }

    /// Writes to `targets` those at a `part`, from 0 to 1, of the `seconds` from one state to the next; all of them are in
    /// strictly ascending order of id. Positions are on the cubic that has the velocities of both states at its ends, so that
    /// bodies are not jerked at each state. A person is there from the first state that has them to the last.
    pub fn between(
        earlier: &[Self],
        later: &[Self],
        part: f32,
        seconds: f32,
        targets: &mut Vec<Self>,
    ) {
        targets.clear();
        if part <= 0.0 || part >= 1.0 {
            targets.extend_from_slice(if part <= 0.0 { earlier } else { later });
            return;
        }
        let mut later = later.iter().peekable();
        targets.extend(earlier.iter().filter_map(|from| {
            while later.next_if(|to| to.id < from.id).is_some() {}
            Some(from.towards(later.next_if(|to| to.id == from.id)?, part, seconds))
        }));
    }

    /// A `part` of the way to `later`, which is `interval` seconds away.
    fn towards(&self, later: &Self, part: f32, interval: f32) -> Self {
        let way = later.position - self.position;
        let distance = way.length();
        if distance > SHORTEST_JUMP.max(MAX_SPEED * interval) {
            return Self { velocity: Vec2::ZERO, ..*self };
        }
        // Slopes of more than three times the mean make a cubic overshoot its ends.
        let slope = |velocity: Vec2| (velocity * interval).clamp_length_max(3.0 * distance);
        let (from, to) = (slope(self.velocity), slope(later.velocity));
        let (t, t2, t3) = (part, part * part, part * part * part);
        let position = self.position
            + (3.0 * t2 - 2.0 * t3) * way
            + (t3 - 2.0 * t2 + t) * from
            + (t3 - t2) * to;
        let slope =
            6.0 * (t - t2) * way + (3.0 * t2 - 4.0 * t + 1.0) * from + (3.0 * t2 - 2.0 * t) * to;
        let heading = match (self.heading, later.heading) {
            (Some(from), Some(to)) => Some(from.turned_by(part * from.turn_to(to))),
            (_, heading) => heading,
        };
        Self {
            position,
            velocity: slope / interval,
            height: self.height + part * (later.height - self.height),
            heading,
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(id: u32, x: f32, speed: f32) -> MotionTarget {
        let (position, velocity) = (Vec2::new(x, 0.0), Vec2::new(speed, 0.0));
        MotionTarget { id, position, velocity, ..MotionTarget::default() }
    }

    #[test]
    fn curves_begin_and_end_with_the_places_and_velocities_of_states() {
        let (a, b) = (target(1, 0.0, 1.0), target(1, 0.6, 1.4));
        for (part, like) in [(0.0, a), (1.0, b)] {
            let there = a.towards(&b, part, 0.5);
            assert!(there.position.distance(like.position) < 1e-6);
            assert!(there.velocity.distance(like.velocity) < 1e-5);
        }
        // What velocity says is what position does.
        let (before, after) = (a.towards(&b, 0.499, 0.5), a.towards(&b, 0.501, 0.5));
        let speed = (after.position - before.position).x / 0.001;
        assert!((speed - a.towards(&b, 0.5, 0.5).velocity.x).abs() < 1e-2);
    }

    #[test]
    fn targets_never_overshoot_and_wait_before_a_jump() {
        let stopped = target(1, 1.0, 3.0).towards(&target(1, 1.0, -2.0), 0.4, 0.5);
        assert_eq!(stopped.position.x, 1.0);
        let jumps = target(1, 0.0, 1.0).towards(&target(1, 50.0, 1.0), 0.9, 0.5);
        assert_eq!((jumps.position.x, jumps.velocity.x), (0.0, 0.0));
    }

    #[test]
    fn people_are_there_from_their_first_state_to_their_last() {
        let earlier = [target(1, 0.0, 0.0), target(2, 0.0, 0.0)];
        let later = [target(2, 0.0, 0.0), target(3, 0.0, 0.0)];
        let mut targets = Vec::new();
        for (part, there) in [(0.0, &[1, 2][..]), (0.3, &[2]), (0.9, &[2]), (1.0, &[2, 3])] {
            MotionTarget::between(&earlier, &later, part, 0.5, &mut targets);
            assert!(targets.iter().map(|target| &target.id).eq(there), "{part}");
        }
    }
}
