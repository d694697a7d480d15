//! What there is to look at.

use std::f32::consts::PI;

use glam::Vec3;

use super::turn::angle_between;

/// What kind of thing attracts attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Something that stays where it is: a shop window, a sign.
    Place,
    /// Somebody of the crowd.
    Person,
    /// Whoever watches: the camera, or a tracked person.
    Viewer,
    /// What the viewer looks at. Only who sees the viewer looks there, and only if they care to.
    ViewerGaze,
    /// What a director wants to be looked at: it wins over everything, and nobody tires of it.
    Scripted,
}

/// What something that attracts attention is called: a kind, and a number among its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Subject {
    pub kind: Kind,
    pub number: u64,
}

impl Subject {
    /// A thing that stays where it is.
    pub fn place(number: u64) -> Self {
        Self { kind: Kind::Place, number }
    }

    /// Somebody of the crowd.
    pub fn person(number: u64) -> Self {
        Self { kind: Kind::Person, number }
    }

    /// A viewer.
    pub fn viewer(number: u64) -> Self {
        Self { kind: Kind::Viewer, number }
    }

    /// What a viewer looks at. A number for each thing lets people decide anew for each whether to follow.
    pub fn viewer_gaze(number: u64) -> Self {
        Self { kind: Kind::ViewerGaze, number }
    }

    /// What a director wants to be looked at.
    pub fn scripted(number: u64) -> Self {
        Self { kind: Kind::Scripted, number }
    }
}

/// What a body looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// What it is: another one is another shift of gaze.
    pub subject: Subject,
    /// Where it is in the world.
    pub position: Vec3,
}

/// Something that attracts attention, in the world.
///
/// ```
/// use glam::Vec3;
/// use throng_motion::gaze::{Interest, Subject};
///
/// // A shop window seen from in front of it, up to 8 m away.
/// let window = Interest {
///     level: 0.8,
///     reach: 8.0,
///     facing: Vec3::X,
///     view: 60f32.to_radians(),
///     ..Interest::new(Subject::place(3), Vec3::new(2.0, 1.5, 4.0))
/// };
/// assert!(window.can_be_seen_from(Vec3::new(6.0, 1.6, 5.0)));
/// assert!(!window.can_be_seen_from(Vec3::new(0.0, 1.6, 4.0)), "from behind");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interest {
    /// What it is.
    pub subject: Subject,
    /// Where it is, m.
    pub position: Vec3,
    /// How it moves, m/s.
    pub velocity: Vec3,
    /// How interesting it is, from 0 to 1.
    pub level: f32,
    /// From how far away it is noticed, m; whoever looks may have a shorter sight.
    pub reach: f32,
    /// Where it faces; zero if nowhere in particular.
    pub facing: Vec3,
    /// How far to the side of where it faces it is still seen, radians.
    pub view: f32,
}

impl Interest {
    /// Something that does not move, interests everybody, and is seen from everywhere.
    pub fn new(subject: Subject, position: Vec3) -> Self {
        Self {
            subject,
            position,
            velocity: Vec3::ZERO,
            level: 1.0,
            reach: f32::INFINITY,
            facing: Vec3::ZERO,
            view: PI,
        }
    }

    /// Whether it is seen from a place if nothing is in the way.
    pub fn can_be_seen_from(&self, place: Vec3) -> bool {
        let way = place - self.position;
        let near = way.length() <= self.reach;
        let in_front = self.facing == Vec3::ZERO
            || self.view >= PI
            || angle_between(self.facing.into(), way.into()) <= self.view;
        near && in_front
    }

    /// Where it is headed: where it moves, or faces if it stands.
    pub(super) fn heading(&self) -> Option<Vec3> {
        /// Slower things are headed nowhere, m/s.
        const STANDS: f32 = 0.1;
        let moves = self.velocity.length_squared() > STANDS * STANDS;
        let heading = if moves { self.velocity } else { self.facing };
        (heading.length_squared() > 1e-12).then_some(heading)
    }

    pub(super) fn target(&self) -> Target {
        Target { subject: self.subject, position: self.position }
    }
}
