//! The velocity nearest to the preferred one that all lines permit.
//!
//! Incremental linear programming in the disc of possible speeds: lines are added one after the
//! other, and whenever one forbids the best velocity so far, the new best lies on that line
//! ([`best_on_line`]). If nothing is permitted, [`least_violation`] lowers the demands of people
//! (never of walls) by the same amount until something is.

use glam::Vec2;
use throng_world::geometry::det;

use super::MAX_LINES;
use super::line::Line;

/// Lines closer in angle than this (sine) count as parallel.
pub(super) const PARALLEL: f32 = 1e-5;

/// How much worse than the least possible a violation may be, m/s, to get nearer to the preferred
/// velocity. Small against any speed that matters, large against rounding.
pub(super) const TOLERANCE: f32 = 1e-3;

/// What a linear program maximises.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    /// Nearness to this velocity.
    Nearest(Vec2),
    /// Advance in this direction (unit vector).
    Furthest(Vec2),
}

/// The best velocity of at most `max_speed`; the first `wall_count` lines hold in any case.
pub(super) fn solve(lines: &[Line], wall_count: usize, preferred: Vec2, max_speed: f32) -> Vec2 {
    match best_in_plane(lines, max_speed, Aim::Nearest(preferred)) {
        Ok(velocity) => velocity,
        Err((failed, velocity)) => {
            least_violation(lines, wall_count, failed, velocity, preferred, max_speed)
        }
    }
}

/// The best velocity that all `lines` permit, or the index of the first line that leaves none,
/// with the best before it.
fn best_in_plane(lines: &[Line], max_speed: f32, aim: Aim) -> Result<Vec2, (usize, Vec2)> {
    let mut velocity = match aim {
        Aim::Nearest(preferred) => clip(preferred, max_speed),
        Aim::Furthest(direction) => direction * max_speed,
    };
    for (i, line) in lines.iter().enumerate() {
        if line.violation(velocity) > 0.0 {
            match best_on_line(lines, i, max_speed, aim) {
                Some(better) => velocity = better,
                None => return Err((i, velocity)),
            }
        }
    }
    Ok(velocity)
}

/// The best point of line `i` in the disc that the lines before it permit.
fn best_on_line(lines: &[Line], i: usize, max_speed: f32, aim: Aim) -> Option<Vec2> {
    let Line { point, direction } = lines[i];
    let middle = -point.dot(direction);
    let discriminant = middle * middle + max_speed * max_speed - point.length_squared();
    if discriminant < 0.0 {
        return None;
    }
    let half = discriminant.sqrt();
    let (mut low, mut high) = (middle - half, middle + half);
    for other in &lines[..i] {
        let denominator = det(direction, other.direction);
        let numerator = det(other.direction, point - other.point);
        if denominator.abs() <= PARALLEL {
            if numerator < 0.0 {
                return None;
            }
        } else if denominator >= 0.0 {
            high = high.min(numerator / denominator);
        } else {
            low = low.max(numerator / denominator);
        }
    }
    if low > high {
        return None;
    }
    let t = match aim {
        Aim::Nearest(preferred) => direction.dot(preferred - point).max(low).min(high),
        Aim::Furthest(way) if direction.dot(way) > 0.0 => high,
        Aim::Furthest(_) => low,
    };
    Some(point + direction * t)
}

/// The velocity whose largest violation of people's lines is least, walls' lines kept; among those
/// that are as good within [`TOLERANCE`], the nearest to `preferred`.
fn least_violation(
    lines: &[Line],
    wall_count: usize,
    failed: usize,
    velocity: Vec2,
    preferred: Vec2,
    max_speed: f32,
) -> Vec2 {
    let mut velocity = velocity;
    let mut violation = 0.0;
    let mut projected = [Line::FREE; MAX_LINES];
    for i in failed..lines.len() {
        if lines[i].violation(velocity) <= violation {
            continue;
        }
        for (j, line) in lines[..i].iter().enumerate() {
            projected[j] = if j < wall_count { *line } else { equal_violation(&lines[i], line) };
        }
        let inwards = Vec2::new(-lines[i].direction.y, lines[i].direction.x);
        // By construction the old velocity is permitted; if rounding says otherwise, keep it.
        if let Ok(better) = best_in_plane(&projected[..i], max_speed, Aim::Furthest(inwards)) {
            velocity = better;
        }
        violation = lines[i].violation(velocity);
    }
    let relief = violation + TOLERANCE;
    for (j, line) in lines.iter().enumerate() {
        projected[j] = if j < wall_count { *line } else { relaxed(line, relief) };
    }
    best_in_plane(&projected[..lines.len()], max_speed, Aim::Nearest(preferred)).unwrap_or(velocity)
}

/// The line on whose left `other` is violated less than `line`.
fn equal_violation(line: &Line, other: &Line) -> Line {
    let denominator = det(line.direction, other.direction);
    let point = if denominator.abs() > PARALLEL {
        let t = det(other.direction, line.point - other.point) / denominator;
        line.point + line.direction * t
    } else if line.direction.dot(other.direction) > 0.0 {
        return Line::FREE; // parallel and the same way: violated together
    } else {
        (line.point + other.point) * 0.5
    };
    let difference = other.direction - line.direction;
    Line { point, direction: difference * (1.0 / difference.length()) }
}

/// The line moved outwards.
fn relaxed(line: &Line, by: f32) -> Line {
    let outwards = Vec2::new(line.direction.y, -line.direction.x);
    Line { point: line.point + outwards * by, ..*line }
}

fn clip(velocity: Vec2, max_speed: f32) -> Vec2 {
    let speed_squared = velocity.length_squared();
    if speed_squared > max_speed * max_speed {
        velocity * (max_speed / speed_squared.sqrt())
    } else {
        velocity
    }
}
