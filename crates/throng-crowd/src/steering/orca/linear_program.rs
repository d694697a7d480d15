//! The velocity nearest to the preferred one that all lines permit.
//!
//! Incremental linear programming in the disc of possible speeds: lines are added one after the
//! other, and whenever one forbids the best velocity so far, the new best lies on that line
//! ([`best_on_line`]). If nothing is permitted, [`least_violation`] lowers the demands of people
//! (never of walls) by the same amount until something is.

use glam::Vec2;
use throng_base::geometry::det;

use super::MAX_LINES;
use super::effort::Effort;
use super::line::Line;

/// Lines closer in angle than this (sine) count as parallel.
pub(super) const PARALLEL: f32 = 1e-5;

/// Cosine of the angle between a line and the direction of [`Aim::Furthest`] below which all points
/// of the line count as equally far. The violation is then larger than the least by at most this
/// times the length of the line in the disc. Larger values move more velocities away from the
/// exact solution; with zero, people whose neighbours stand exactly in a row dart to the end of
/// the tied segment that rounding picks.
pub(super) const TIE: f32 = 1e-4;

/// What a linear program maximises.
#[derive(Clone, Copy)]
pub(in crate::steering) enum Aim {
    /// Nearness to this velocity.
    Nearest(Vec2),
    /// Cheapness.
    LeastEffort(Effort),
    /// Advance in `direction` (unit vector), and among equals nearness to `preferred`.
    Furthest { direction: Vec2, preferred: Vec2 },
}

impl Aim {
    pub(super) fn preferred(self) -> Vec2 {
        match self {
            Self::Nearest(preferred)
            | Self::LeastEffort(Effort { preferred, .. })
            | Self::Furthest { preferred, .. } => preferred,
        }
    }
}

/// The best velocity of at most `max_speed`; the first `wall_count` lines hold in any case.
pub(super) fn solve(lines: &[Line], wall_count: usize, aim: Aim, max_speed: f32) -> Vec2 {
    match best_in_plane(lines, max_speed, aim) {
        Ok(velocity) => velocity,
        Err((failed, velocity)) => {
            least_violation(lines, wall_count, failed, velocity, aim.preferred(), max_speed)
        }
    }
}

/// Whether all `lines` permit some velocity in common.
pub(super) fn is_feasible(lines: &[Line], aim: Aim, max_speed: f32) -> bool {
    best_in_plane(lines, max_speed, aim).is_ok()
}

/// The best velocity that all `lines` permit, or the index of the first line that leaves none,
/// with the best before it.
fn best_in_plane(lines: &[Line], max_speed: f32, aim: Aim) -> Result<Vec2, (usize, Vec2)> {
    let mut velocity = match aim {
        Aim::Furthest { direction, .. } => direction * max_speed,
        Aim::Nearest(_) | Aim::LeastEffort(_) => clip(aim.preferred(), max_speed),
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
        Aim::LeastEffort(effort) => effort.cheapest(point, direction, low, high),
        Aim::Furthest { direction: way, .. } if direction.dot(way) > TIE => high,
        Aim::Furthest { direction: way, .. } if direction.dot(way) < -TIE => low,
        Aim::Nearest(preferred) | Aim::Furthest { preferred, .. } => {
            direction.dot(preferred - point).max(low).min(high)
        }
    };
    Some(point + direction * t)
}

/// The velocity whose largest violation of people's lines is least, walls' lines kept; among equals
/// the nearest to `preferred`.
///
/// The published algorithm (`linearProgram3` of RVO2) with one difference: where the least violation
/// is reached on a segment, because two lines contradict each other exactly, it returns one end.
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
        let aim = Aim::Furthest { direction: inwards, preferred };
        // By construction the old velocity is permitted; if rounding says otherwise, keep it.
        if let Ok(better) = best_in_plane(&projected[..i], max_speed, aim) {
            velocity = better;
        }
        violation = lines[i].violation(velocity);
    }
    velocity
}

/// The line on whose left `other` is violated less than `line`: where both violations are equal,
/// det(e - d, v) = det(e, q) - det(d, p) for lines through p and q in directions d and e. Its point is
/// the nearest to rest; the crossing of the two lines lies far away if they are almost parallel.
fn equal_violation(line: &Line, other: &Line) -> Line {
    let difference = other.direction - line.direction;
    let length = difference.length();
    if length <= PARALLEL {
        return Line::FREE; // violated together
    }
    let direction = difference * (1.0 / length);
    let offset = det(other.direction, other.point) - det(line.direction, line.point);
    let inwards = Vec2::new(-direction.y, direction.x);
    Line { point: inwards * (offset / length), direction }
}

fn clip(velocity: Vec2, max_speed: f32) -> Vec2 {
    let speed_squared = velocity.length_squared();
    if speed_squared > max_speed * max_speed {
        velocity * (max_speed / speed_squared.sqrt())
    } else {
        velocity
    }
}

#[cfg(test)]
mod reference;

#[cfg(test)]
mod tests {
    use super::super::line::PairOfPeople;
    use super::*;
    use throng_base::random::{Purpose, Random, Stream};

    fn random_line(stream: &mut Stream) -> Line {
        let direction = Vec2::from_angle(stream.between(0.0, std::f32::consts::TAU));
        let point = Vec2::new(stream.between(-2.0, 2.0), stream.between(-2.0, 2.0));
        Line { point, direction }
    }

    /// The nearest permitted velocity by trying every candidate optimum: the preferred velocity,
    /// its feet on lines and on the circle, and all crossings. In `f64`.
    fn nearest_by_enumeration(lines: &[Line], preferred: Vec2, max_speed: f32) -> Option<Vec2> {
        let preferred = preferred.as_dvec2();
        let max = f64::from(max_speed);
        let mut candidates = vec![preferred, preferred.normalize_or_zero() * max];
        let lines: Vec<_> =
            lines.iter().map(|l| (l.point.as_dvec2(), l.direction.as_dvec2())).collect();
        for (i, &(p, d)) in lines.iter().enumerate() {
            candidates.push(p + d * d.dot(preferred - p));
            let (b, c) = (p.dot(d), p.length_squared() - max * max);
            if b * b >= c {
                let root = (b * b - c).sqrt();
                candidates.extend([p + d * (-b - root), p + d * (-b + root)]);
            }
            for &(q, e) in &lines[..i] {
                let denominator = d.perp_dot(e);
                if denominator.abs() > 1e-12 {
                    candidates.push(p + d * (e.perp_dot(p - q) / denominator));
                }
            }
        }
        let permitted = |v: &glam::DVec2| {
            v.length() <= max + 1e-7 && lines.iter().all(|(p, d)| d.perp_dot(*p - *v) <= 1e-7)
        };
        candidates
            .into_iter()
            .filter(permitted)
            .min_by(|a, b| a.distance(preferred).total_cmp(&b.distance(preferred)))
            .map(glam::DVec2::as_vec2)
    }

    #[test]
    fn the_program_finds_what_enumeration_finds() {
        let mut stream = Random::new(9).stream(0, 0, Purpose::Goal);
        let (mut permitted, mut verdicts, mut needles) = (0, 0, 0);
        for _ in 0..10_000 {
            let count = 1 + (stream.unit() * 8.0) as usize;
            let lines: Vec<Line> = (0..count).map(|_| random_line(&mut stream)).collect();
            let preferred = Vec2::new(stream.between(-2.0, 2.0), stream.between(-2.0, 2.0));
            let best = best_in_plane(&lines, 1.6, Aim::Nearest(preferred));
            match (best, nearest_by_enumeration(&lines, preferred, 1.6)) {
                (Ok(velocity), Some(expected)) => {
                    permitted += 1;
                    // A corner of the permitted set that is there only within rounding may be
                    // taken, if it is better.
                    let is_needle = || {
                        lines.iter().all(|line| line.violation(velocity) < 1e-5)
                            && velocity.distance(preferred) < expected.distance(preferred)
                    };
                    let is_same = velocity.distance(expected) < 1e-4;
                    assert!(is_same || is_needle(), "{velocity} vs {expected}");
                    needles += usize::from(!is_same);
                }
                (Err(_), None) => verdicts += 1,
                // Only where the permitted set is a needle may rounding decide.
                (Ok(v), None) => assert!(lines.iter().all(|l| l.violation(v) < 1e-4)),
                (Err((i, _)), Some(v)) => panic!("line {i} was said to leave nothing, not {v}"),
            }
        }
        assert!(permitted > 1000 && verdicts > 1000, "{permitted} {verdicts}");
        assert!(needles < 30, "near-parallel lines in single precision: {needles}");
    }

    #[test]
    fn two_who_meet_head_on_pass_on_the_same_side() {
        let pair = |p: f32, v: f32, ids| PairOfPeople {
            relative_position: Vec2::new(p, 0.0),
            relative_velocity: Vec2::new(2.0 * v, 0.0),
            combined_radius: 1.0,
            inverse_horizon: 0.2,
            inverse_step: 10.0,
            share: 0.5,
            spare_room: 0.0,
            ids,
        };
        let first = pair(4.0, 1.0, (0, 1)).line(Vec2::X);
        let second = pair(-4.0, -1.0, (1, 0)).line(-Vec2::X);
        let a = solve(&[first], 0, Aim::Nearest(Vec2::X), 2.0);
        let b = solve(&[second], 0, Aim::Nearest(-Vec2::X), 2.0);
        assert!(a.distance(Vec2::new(0.9375, -0.242_06)) < 1e-4, "{a}");
        assert!(b.distance(Vec2::new(-0.9375, 0.242_06)) < 1e-4, "{b}");
        // Relative motion passes the other's centre at exactly the sum of the radii.
        let way = a - b;
        let closest = (Vec2::new(4.0, 0.0) - way * (4.0 * way.x / way.length_squared())).length();
        assert!((closest - 1.0).abs() < 1e-4, "{closest}");
    }

    #[test]
    fn contradicting_lines_are_violated_equally_and_without_darting_aside() {
        // v.x ≥ 0.5 and v.x ≤ -0.5.
        let lines = [
            Line { point: Vec2::new(0.5, 0.0), direction: -Vec2::Y },
            Line { point: Vec2::new(-0.5, 0.0), direction: Vec2::Y },
        ];
        let velocity = solve(&lines, 0, Aim::Nearest(Vec2::new(0.3, 0.2)), 1.6);
        assert!(velocity.x.abs() < 1e-6, "{velocity}");
        assert!((velocity.y - 0.2).abs() < 1e-6, "as near to the preferred velocity as can be");
    }

    /// Differences between [`solve`] and RVO2's programs in double precision, m/s, in ascending
    /// order, in `cases` situations that permit no velocity. `draw` returns lines and the number of
    /// those that are walls.
    fn differences(
        cases: usize,
        mut draw: impl FnMut(&mut Stream) -> (Vec<Line>, usize),
    ) -> Vec<f64> {
        let mut stream = Random::new(11).stream(0, 0, Purpose::Goal);
        let mut differences = Vec::new();
        while differences.len() < cases {
            let (lines, walls) = draw(&mut stream);
            let preferred = Vec2::new(stream.between(-1.5, 1.5), stream.between(-1.5, 1.5));
            if !is_feasible(&lines[..walls], Aim::Nearest(preferred), 1.6) {
                continue; // RVO2 relies on walls that contradict nothing
            }
            let (expected, is_feasible) = reference::velocity(&lines, walls, preferred, 1.6);
            if !is_feasible {
                let velocity = solve(&lines, walls, Aim::Nearest(preferred), 1.6);
                differences.push(velocity.as_dvec2().distance(expected));
            }
        }
        differences.sort_by(f64::total_cmp);
        differences
    }

    fn assert_exact(differences: &[f64]) {
        let quantile = |share: f64| differences[(differences.len() as f64 * share) as usize];
        let (median, most) = (quantile(0.5), quantile(0.999));
        assert!(median < 5e-7, "median {median:e} m/s");
        assert!(most < 1e-4, "99.9 % below {most:e} m/s");
    }

    #[test]
    fn the_least_violation_is_that_of_rvo2() {
        assert_exact(&differences(20_000, |stream| {
            let count = 3 + (stream.unit() * 9.0) as usize;
            let walls = (stream.unit() * 3.0) as usize;
            ((0..count).map(|_| random_line(stream)).collect(), walls)
        }));
    }

    #[test]
    fn the_least_violation_in_a_crowd_is_that_of_rvo2() {
        assert_exact(&differences(20_000, |stream| {
            let velocity = Vec2::new(stream.between(-1.0, 1.0), stream.between(-1.0, 1.0));
            let count = 4 + (stream.unit() * 7.0) as usize;
            let neighbour = |_| {
                let angle = stream.between(0.0, std::f32::consts::TAU);
                let other = Vec2::new(stream.between(-1.0, 1.0), stream.between(-1.0, 1.0));
                let pair = PairOfPeople {
                    relative_position: Vec2::from_angle(angle) * stream.between(0.38, 0.8),
                    relative_velocity: velocity - other,
                    combined_radius: 0.4,
                    inverse_horizon: 1.0 / 3.0,
                    inverse_step: 10.0,
                    share: 0.5,
                    spare_room: 1.0,
                    ids: (0, 1),
                };
                pair.line(velocity)
            };
            ((0..count).map(neighbour).collect(), 0)
        }));
    }

    #[test]
    fn a_tie_in_any_orientation_is_broken_towards_the_preferred_velocity() {
        let mut stream = Random::new(3).stream(0, 0, Purpose::Goal);
        for case in 0..2000 {
            let direction = Vec2::from_angle(stream.between(0.0, std::f32::consts::TAU));
            let inwards = Vec2::new(-direction.y, direction.x);
            // As far from parallel as rounded positions of people in a row are.
            let opposite = Vec2::from_angle(stream.between(-5e-5, 5e-5)).rotate(-direction);
            let (ahead, behind) = (stream.between(0.1, 0.5), stream.between(0.1, 0.5));
            let mut lines = vec![
                Line { point: inwards * ahead, direction },
                Line { point: inwards * -behind, direction: opposite },
            ];
            // Half of the time a third line cuts off a part of the tied segment.
            let cut = stream.between(-0.5, 0.5);
            if case % 2 == 0 {
                let point = direction * cut - inwards * ((ahead + behind) * 0.5);
                lines.push(Line { point, direction: inwards });
            }
            let preferred = Vec2::new(stream.between(-1.0, 1.0), stream.between(-1.0, 1.0));
            let along = preferred.dot(direction);
            let along = if case % 2 == 0 { along.min(cut + (ahead + behind) * 0.5) } else { along };
            let expected = direction * along + inwards * ((ahead - behind) * 0.5);
            let velocity = solve(&lines, 0, Aim::Nearest(preferred), 1.6);
            assert!(velocity.distance(expected) < 2e-4, "case {case}: {velocity} vs {expected}");
        }
    }

    #[test]
    fn walls_hold_when_people_leave_no_way() {
        // A wall forbids v.x > 0; people demand v.x ≥ 1 and, less, v.x ≤ -0.5.
        let lines = [
            Line { point: Vec2::ZERO, direction: Vec2::Y },
            Line { point: Vec2::new(1.0, 0.0), direction: -Vec2::Y },
            Line { point: Vec2::new(-0.5, 0.0), direction: Vec2::Y },
        ];
        let velocity = solve(&lines, 1, Aim::Nearest(Vec2::X), 1.6);
        assert!(velocity.x <= 1e-6, "{velocity}");
    }
}
