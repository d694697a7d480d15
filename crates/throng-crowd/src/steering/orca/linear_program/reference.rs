//! The linear programs of RVO2 (`linearProgram1` to `linearProgram3`) in double precision: an oracle
//! for tests, without tie-breaking and in the order of the published code.

use glam::{DVec2, Vec2};

use super::Line;

const EPSILON: f64 = 1e-5;

#[derive(Clone, Copy)]
struct DLine {
    point: DVec2,
    direction: DVec2,
}

impl DLine {
    fn violation(&self, velocity: DVec2) -> f64 {
        self.direction.perp_dot(self.point - velocity)
    }
}

#[derive(Clone, Copy)]
enum Objective {
    Nearest(DVec2),
    Furthest(DVec2),
}

/// The velocity RVO2 computes, and whether it satisfies all lines.
pub(super) fn velocity(
    lines: &[Line],
    wall_count: usize,
    preferred: Vec2,
    max_speed: f32,
) -> (DVec2, bool) {
    let to_double = |l: &Line| DLine {
        point: l.point.as_dvec2(),
        direction: l.direction.as_dvec2().normalize(),
    };
    let lines: Vec<DLine> = lines.iter().map(to_double).collect();
    let (preferred, radius) = (preferred.as_dvec2(), f64::from(max_speed));
    match program_2(&lines, radius, Objective::Nearest(preferred)) {
        Ok(velocity) => (velocity, true),
        Err((begin, velocity)) => (program_3(&lines, wall_count, begin, radius, velocity), false),
    }
}

fn program_1(lines: &[DLine], number: usize, radius: f64, objective: Objective) -> Option<DVec2> {
    let DLine { point, direction } = lines[number];
    let dot = point.dot(direction);
    let discriminant = dot * dot + radius * radius - point.length_squared();
    if discriminant < 0.0 {
        return None;
    }
    let (mut left, mut right) = (-dot - discriminant.sqrt(), -dot + discriminant.sqrt());
    for other in &lines[..number] {
        let denominator = direction.perp_dot(other.direction);
        let numerator = other.direction.perp_dot(point - other.point);
        if denominator.abs() <= EPSILON {
            if numerator < 0.0 {
                return None;
            }
            continue;
        }
        let t = numerator / denominator;
        if denominator >= 0.0 {
            right = right.min(t);
        } else {
            left = left.max(t);
        }
        if left > right {
            return None;
        }
    }
    let t = match objective {
        Objective::Furthest(way) if way.dot(direction) > 0.0 => right,
        Objective::Furthest(_) => left,
        Objective::Nearest(preferred) => direction.dot(preferred - point).clamp(left, right),
    };
    Some(point + direction * t)
}

fn program_2(lines: &[DLine], radius: f64, objective: Objective) -> Result<DVec2, (usize, DVec2)> {
    let mut result = match objective {
        Objective::Furthest(way) => way * radius,
        Objective::Nearest(preferred) => preferred.clamp_length_max(radius),
    };
    for (i, line) in lines.iter().enumerate() {
        if line.violation(result) > 0.0 {
            result = program_1(lines, i, radius, objective).ok_or((i, result))?;
        }
    }
    Ok(result)
}

fn program_3(
    lines: &[DLine],
    wall_count: usize,
    begin: usize,
    radius: f64,
    velocity: DVec2,
) -> DVec2 {
    let (mut result, mut distance) = (velocity, 0.0);
    for (i, line) in lines.iter().enumerate().skip(begin) {
        if line.violation(result) <= distance {
            continue;
        }
        let mut projected = lines[..wall_count].to_vec();
        for other in &lines[wall_count.min(i)..i] {
            let determinant = line.direction.perp_dot(other.direction);
            let point = if determinant.abs() > EPSILON {
                let t = other.direction.perp_dot(line.point - other.point) / determinant;
                line.point + line.direction * t
            } else if line.direction.dot(other.direction) > 0.0 {
                continue;
            } else {
                (line.point + other.point) * 0.5
            };
            let direction = (other.direction - line.direction).normalize();
            projected.push(DLine { point, direction });
        }
        let inwards = DVec2::new(-line.direction.y, line.direction.x);
        result = program_2(&projected, radius, Objective::Furthest(inwards)).unwrap_or(result);
        distance = line.violation(result);
    }
    result
}
