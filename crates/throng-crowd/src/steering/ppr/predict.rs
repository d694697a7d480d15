//! Whom one would run into in some seconds, and how one would meet.

use glam::Vec2;
use throng_base::geometry::det;
use throng_world::Walls;
use throng_world::scene::LayerId;

use super::Walker;
use crate::PersonId;
use crate::grid::GridEntry;
use crate::steering::Encounter;
use crate::steering::ppr::state::PprState;

/// Cosines of the angle between two headings: below the first two come towards each other, above the
/// second they walk the same way (published).
const ONCOMING: f32 = -0.95;
const SIMILAR: f32 = 0.94;

/// Slower than this somebody stands, m/s.
pub(super) const STANDS: f32 = 0.1;

/// Who would be at a crossing within this time of somebody else is not first for that, s: ids decide.
const TIE: f32 = 0.02;

/// From when to when bodies are nearer than `reach`, if both keep their velocities: s from now, `None` if they
/// never are. `apart` and `closing` are the other's position and velocity, subtracted from one's own.
pub(super) fn threat_interval(apart: Vec2, closing: Vec2, reach: f32) -> Option<[f32; 2]> {
    let a = closing.length_squared();
    let b = 2.0 * apart.dot(closing);
    let c = apart.length_squared() - reach * reach;
    let discriminant = b * b - 4.0 * a * c;
    if a < 1e-9 || discriminant <= 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    Some([(-b - root) / (2.0 * a), (-b + root) / (2.0 * a)])
}

/// How two walk to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Oncoming,
    Similar,
    Crossing,
}

pub(super) fn relation(own: Vec2, other: Vec2) -> Relation {
    let cosine = own.dot(other);
    if cosine < ONCOMING {
        Relation::Oncoming
    } else if cosine > SIMILAR {
        Relation::Similar
    } else {
        Relation::Crossing
    }
}

/// How far away, along both headings, the ways of two cross, m; `None` if they do not ahead of both. Somebody
/// whose body is just past the crossing is still there.
pub(super) fn crossing(
    from: Vec2,
    heading: Vec2,
    other: Vec2,
    others: Vec2,
    slack: f32,
) -> Option<[f32; 2]> {
    let sine = det(heading, others);
    if sine.abs() < 1e-4 {
        return None;
    }
    let way = other - from;
    let (own, theirs) = (det(way, others) / sine, det(way, heading) / sine);
    (own > -slack && theirs > -slack).then(|| [own.max(0.0), theirs.max(0.0)])
}

/// Whether no wall is between two points, however far apart.
pub(super) fn sees(walls: &Walls, layer: LayerId, from: Vec2, to: Vec2) -> bool {
    // The index is complete as far as its reach only.
    let pieces = (from.distance(to) / walls.reach().max(0.5)).ceil();
    walls.is_empty()
        || (0..pieces as usize).all(|piece| {
            let at = |share: f32| from.lerp(to, share / pieces);
            let (from, to) = (at(piece as f32), at(piece as f32 + 1.0));
            walls.crossing(layer, from, to).is_none()
        })
}

impl Walker<'_> {
    /// Looks around, and lists those who are threats.
    pub(super) fn predict(&self, state: &mut PprState) {
        state.look_again();
        let [t_min, t_max] = [self.parameters.t_min, self.parameters.t_max];
        for (index, distance_squared) in self.person.batch.of(self.person.lane) {
            let other = self.person.around.entry(index);
            if !self.is_in_view(other, distance_squared) {
                continue;
            }
            let Some(interval) = self.interval(other) else { continue };
            if interval[0] <= t_min || interval[1] >= t_max {
                continue;
            }
            if let Some(encounter) = self.classify(other, interval)
                && self.sees(other)
            {
                state.list(PersonId(other.id()), encounter, interval);
            }
        }
    }

    /// When they would be too near to somebody.
    pub(super) fn interval(&self, other: &GridEntry) -> Option<[f32; 2]> {
        let padding = self.parameters.padding;
        let reach = self.person.radius + other.radius() + padding;
        let apart = self.person.position - other.position();
        threat_interval(apart, self.person.velocity - other.velocity(), reach)
    }

    fn is_in_view(&self, other: &GridEntry, distance_squared: f32) -> bool {
        let range = self.parameters.visual_range;
        let is_ahead = (other.position() - self.person.position).dot(self.heading) >= 0.0;
        is_ahead && distance_squared <= range * range
    }

    fn sees(&self, other: &GridEntry) -> bool {
        let layer = self.person.around.people.layers[self.person.row];
        sees(self.person.around.walls, layer, self.person.position, other.position())
    }

    /// How they would meet somebody; `None` if that need not bother them.
    fn classify(&self, other: &GridEntry, [begins, _]: [f32; 2]) -> Option<Encounter> {
        let speed = self.person.velocity.length();
        // They will have arrived by then.
        if begins * speed > self.target.goal_distance {
            return None;
        }
        match relation(self.walking(), self.heading_of(other)) {
            Relation::Similar => None,
            Relation::Oncoming => {
                let ahead = (other.position() - self.person.position).dot(self.target.direction);
                (ahead > 0.0 && ahead < self.target.distance).then_some(Encounter::Oncoming)
            }
            Relation::Crossing => {
                let [own, _] = self.crossing(other)?;
                if own > self.target.distance + self.person.radius {
                    return None;
                }
                let soon = self.is_first(other);
                Some(if soon { Encounter::CrossingSoon } else { Encounter::CrossingLate })
            }
        }
    }

    /// How far from where their ways cross both are.
    fn crossing(&self, other: &GridEntry) -> Option<[f32; 2]> {
        let slack = self.person.radius + other.radius();
        let others = self.heading_of(other);
        crossing(self.person.position, self.walking(), other.position(), others, slack)
    }

    /// Whether they are at the crossing of their ways before somebody else.
    pub(super) fn is_first(&self, other: &GridEntry) -> bool {
        let Some([own, theirs]) = self.crossing(other) else { return true };
        let own = own / self.person.velocity.length().max(STANDS);
        let theirs = theirs / other.velocity().length().max(STANDS);
        if (own - theirs).abs() < TIE { self.person.id < other.id() } else { own < theirs }
    }

    /// Where they walk, or face if they stand.
    fn walking(&self) -> Vec2 {
        if self.person.velocity.length() > STANDS {
            self.person.velocity.normalize_or(self.heading)
        } else {
            self.heading
        }
    }

    /// Where somebody else walks, or faces if they stand.
    pub(super) fn heading_of(&self, other: &GridEntry) -> Vec2 {
        let facing = self.person.around.people.facings[other.row()];
        let velocity = other.velocity();
        if velocity.length() > STANDS { velocity.normalize_or(facing) } else { facing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head_on(distance: f32) -> [f32; 2] {
        let closing = Vec2::new(2.6, 0.0);
        threat_interval(Vec2::new(-distance, 0.0), closing, 1.2).expect("they meet")
    }

    #[test]
    fn two_who_walk_head_on_meet_when_they_must() {
        let [begins, ends] = head_on(10.0);
        assert!((begins - 8.8 / 2.6).abs() < 1e-5 && (begins - 3.385).abs() < 1e-3, "{begins}");
        assert!((ends - 11.2 / 2.6).abs() < 1e-5 && (ends - 4.308).abs() < 1e-3, "{ends}");
        let is_listed = |distance| {
            let [begins, ends] = head_on(distance);
            begins > 0.8 && ends < 4.0
        };
        assert!(!is_listed(9.201) && is_listed(9.199), "from 9.2 m on");
        assert!(is_listed(3.281) && !is_listed(3.279), "down to 3.28 m");
    }

    #[test]
    fn equal_velocities_and_wide_passes_are_no_threat() {
        let apart = Vec2::new(-5.0, 0.3);
        assert_eq!(threat_interval(apart, Vec2::ZERO, 1.2), None);
        assert_eq!(threat_interval(Vec2::new(-5.0, 1.3), Vec2::new(2.6, 0.0), 1.2), None);
        assert!(threat_interval(Vec2::new(-5.0, 1.1), Vec2::new(2.6, 0.0), 1.2).is_some());
    }

    #[test]
    fn ways_cross_where_they_must() {
        let found = crossing(Vec2::ZERO, Vec2::X, Vec2::new(3.0, 4.0), -Vec2::Y, 0.0);
        assert_eq!(found, Some([3.0, 4.0]));
        assert_eq!(crossing(Vec2::ZERO, Vec2::X, Vec2::new(3.0, 4.0), Vec2::Y, 0.0), None);
        assert_eq!(crossing(Vec2::ZERO, Vec2::X, Vec2::new(3.0, 4.0), Vec2::X, 0.0), None);
    }
}
