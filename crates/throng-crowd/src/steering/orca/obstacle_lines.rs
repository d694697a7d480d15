//! The half-planes of velocities that walls leave to a person.
//!
//! A wall edge seen from a person spans a cone like that of a disc, but its cut-off is a segment
//! with a round end at each corner, and its legs start at different corners. Where an edge
//! continues at a corner without turning away (a non-convex corner, or one seen so flat that the
//! leg would run into the next edge), the neighbouring edge takes over. Walls do not give way: the
//! whole avoidance falls to the person.

use glam::Vec2;
use throng_base::geometry::det;
use throng_world::{Wall, WallId, Walls};

use super::Person;
use super::line::Line;

/// Writes the lines of the `visible` walls, nearest first, and returns how many there are. Tells for
/// each which wall it is of.
pub(super) fn lines(
    walls: &Walls,
    person: &Person,
    visible: &[(f32, WallId)],
    lines: &mut [Line],
    mut drawn_by: impl FnMut(WallId),
) -> usize {
    let mut count = 0;
    for &(_, id) in visible {
        if count == lines.len() {
            break;
        }
        let view = View::new(walls, person, walls.get(id));
        if view.is_covered_by(&lines[..count]) {
            continue;
        }
        if let Some(line) = view.line(person.velocity) {
            lines[count] = line;
            drawn_by(id);
            count += 1;
        }
    }
    count
}

/// A wall edge as a person sees it.
struct View<'a> {
    walls: &'a Walls,
    left: &'a Wall,
    right: &'a Wall,
    /// The edge's ends relative to the person.
    to_left: Vec2,
    to_right: Vec2,
    radius: f32,
    inverse_horizon: f32,
}

/// A corner from which a leg of the cone starts, and the leg.
struct Leg {
    direction: Vec2,
    /// The leg is a neighbouring edge, which brings its own line.
    foreign: bool,
}

impl<'a> View<'a> {
    fn new(walls: &'a Walls, person: &Person, edge: &'a Wall) -> Self {
        Self {
            walls,
            left: edge,
            right: walls.get(edge.next),
            to_left: edge.start - person.position,
            to_right: edge.end - person.position,
            radius: person.radius,
            inverse_horizon: 1.0 / person.wall_horizon,
        }
    }

    /// Whether earlier lines keep the person clear of the whole edge.
    fn is_covered_by(&self, lines: &[Line]) -> bool {
        let margin = self.radius * self.inverse_horizon - 1e-5;
        let behind = |line: &Line, corner: Vec2| {
            det(corner * self.inverse_horizon - line.point, line.direction) >= margin
        };
        lines.iter().any(|line| behind(line, self.to_left) && behind(line, self.to_right))
    }

    fn line(&self, velocity: Vec2) -> Option<Line> {
        let edge = self.to_right - self.to_left;
        let s = -self.to_left.dot(edge) / edge.length_squared();
        let line_distance_squared = (self.to_left + edge * s).length_squared();
        let near_line = line_distance_squared <= self.radius * self.radius;
        let touches = |corner: Vec2| corner.length_squared() <= self.radius * self.radius;
        if s < 0.0 && touches(self.to_left) {
            return self.left.convex.then(|| tangent(self.to_left));
        }
        if s > 1.0 && touches(self.to_right) {
            // Otherwise the next edge sees the corner too and brings the line.
            let ours = self.right.convex && det(self.to_right, self.right.direction) >= 0.0;
            return ours.then(|| tangent(self.to_right));
        }
        if (0.0..=1.0).contains(&s) && near_line {
            return Some(Line { point: Vec2::ZERO, direction: -self.left.direction });
        }
        if s < 0.0 && near_line {
            return self
                .left
                .convex
                .then(|| self.corner_line(velocity, self.left, self.to_left))?;
        }
        if s > 1.0 && near_line {
            let seen = || self.corner_line(velocity, self.right, self.to_right);
            return self.right.convex.then(seen)?;
        }
        self.edge_line(velocity)
    }

    /// The edge lies nearly in the line of sight: only its near corner matters.
    fn corner_line(&self, velocity: Vec2, corner: &Wall, to_corner: Vec2) -> Option<Line> {
        let left = self.left_leg(corner, to_corner);
        let right = self.right_leg(corner, to_corner);
        let cut_off = to_corner * self.inverse_horizon;
        let (on_left, on_right) =
            ((velocity - cut_off).dot(left.direction), (velocity - cut_off).dot(right.direction));
        if on_left < 0.0 && on_right < 0.0 {
            return Some(self.around(cut_off, velocity));
        }
        self.nearest_leg(velocity, (&left, cut_off, on_left), (&right, cut_off, on_right))
    }

    fn edge_line(&self, velocity: Vec2) -> Option<Line> {
        let left = if self.left.convex {
            self.left_leg(self.left, self.to_left)
        } else {
            Leg { direction: -self.left.direction, foreign: false }
        };
        let right = if self.right.convex {
            self.right_leg(self.right, self.to_right)
        } else {
            Leg { direction: self.left.direction, foreign: false }
        };
        let left_cut_off = self.to_left * self.inverse_horizon;
        let right_cut_off = self.to_right * self.inverse_horizon;
        let cut_off = right_cut_off - left_cut_off;
        let t = (velocity - left_cut_off).dot(cut_off) / cut_off.length_squared();
        let on_left = (velocity - left_cut_off).dot(left.direction);
        let on_right = (velocity - right_cut_off).dot(right.direction);
        if t < 0.0 && on_left < 0.0 {
            return Some(self.around(left_cut_off, velocity));
        }
        if t > 1.0 && on_right < 0.0 {
            return Some(self.around(right_cut_off, velocity));
        }
        let to_cut_off = if (0.0..=1.0).contains(&t) {
            velocity.distance_squared(left_cut_off + cut_off * t)
        } else {
            f32::INFINITY
        };
        let legs = distance_squared(velocity, &left, left_cut_off, on_left).min(distance_squared(
            velocity,
            &right,
            right_cut_off,
            on_right,
        ));
        if to_cut_off <= legs {
            return Some(self.beside(left_cut_off, -self.left.direction));
        }
        self.nearest_leg(
            velocity,
            (&left, left_cut_off, on_left),
            (&right, right_cut_off, on_right),
        )
    }

    fn nearest_leg(
        &self,
        velocity: Vec2,
        (left, left_from, on_left): (&Leg, Vec2, f32),
        (right, right_from, on_right): (&Leg, Vec2, f32),
    ) -> Option<Line> {
        let to_left = distance_squared(velocity, left, left_from, on_left);
        let to_right = distance_squared(velocity, right, right_from, on_right);
        if to_left <= to_right {
            (!left.foreign).then(|| self.beside(left_from, left.direction))
        } else {
            (!right.foreign).then(|| self.beside(right_from, -right.direction))
        }
    }

    fn left_leg(&self, corner: &Wall, to_corner: Vec2) -> Leg {
        let direction = tangent_leg(to_corner, self.radius);
        let neighbour = -self.walls.get(corner.previous).direction;
        if det(direction, neighbour) >= 0.0 {
            Leg { direction: neighbour, foreign: true }
        } else {
            Leg { direction, foreign: false }
        }
    }

    fn right_leg(&self, corner: &Wall, to_corner: Vec2) -> Leg {
        let direction = tangent_leg(to_corner, -self.radius);
        if det(direction, corner.direction) <= 0.0 {
            Leg { direction: corner.direction, foreign: true }
        } else {
            Leg { direction, foreign: false }
        }
    }

    /// The line that keeps clear of the disc at the end of the cut-off.
    fn around(&self, center: Vec2, velocity: Vec2) -> Line {
        let outwards = (velocity - center).normalize_or(Vec2::X);
        Line {
            point: center + outwards * (self.radius * self.inverse_horizon),
            direction: Vec2::new(outwards.y, -outwards.x),
        }
    }

    /// The line along `direction` through `from`, moved outwards by the body.
    fn beside(&self, from: Vec2, direction: Vec2) -> Line {
        let outwards = Vec2::new(-direction.y, direction.x);
        Line { point: from + outwards * (self.radius * self.inverse_horizon), direction }
    }
}

/// Squared distance of `velocity` from a leg, infinite if its foot lies before the leg begins.
fn distance_squared(velocity: Vec2, leg: &Leg, from: Vec2, along: f32) -> f32 {
    if along < 0.0 {
        f32::INFINITY
    } else {
        velocity.distance_squared(from + leg.direction * along)
    }
}

/// The line of someone who touches a corner: not nearer to it.
fn tangent(to_corner: Vec2) -> Line {
    let direction = Vec2::new(-to_corner.y, to_corner.x).normalize_or(Vec2::X);
    Line { point: Vec2::ZERO, direction }
}

/// Unit vector of the tangent from the origin to the disc around `center`: the left one for a
/// positive radius, the right one for a negative.
fn tangent_leg(center: Vec2, radius: f32) -> Vec2 {
    let squared = center.length_squared();
    let leg = (squared - radius * radius).max(0.0).sqrt();
    Vec2::new(center.x * leg - center.y * radius, center.x * radius + center.y * leg) / squared
}
