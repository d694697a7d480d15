//! The last stage: people take their new positions, and what follows from them.

use glam::Vec2;
use rayon::prelude::*;

use super::CHUNK;
use crate::crowd::Crowd;
use crate::population::Population;
use crate::status::Status;

/// Time over which progress is averaged, s.
const PACE_TIME: f32 = 1.0;

/// Below this share of the wanted progress somebody is blocked.
pub(crate) const BLOCKED_PACE: f32 = 0.1;

/// How fast people turn to where they go, s.
const TURN_TIME: f32 = 0.2;

/// Speed from which people face where they go, m/s; slower, they turn less.
const TURN_SPEED: f32 = 0.3;

/// The columns that this stage writes.
type Columns<'a> =
    (&'a mut Vec2, &'a mut Vec2, &'a mut f32, &'a mut Vec2, &'a mut f32, &'a mut Status);

impl Crowd {
    pub(super) fn advance(&mut self, parallel: bool) {
        let Self { people, grid, contacts, outcomes, setting, .. } = self;
        let Population {
            positions,
            velocities,
            search_hints,
            facings,
            paces,
            statuses,
            preferred_velocities,
            max_speeds,
            ..
        } = people;
        let step = setting.step as f32;
        let advance = |(row, columns): (usize, Columns)| {
            let (position, velocity, search_hint, facing, pace, status) = columns;
            let body = grid.entry_of_row[row] as usize;
            let (outcome, to) = (&outcomes[body], contacts.targets[body]);
            // What walls and contacts made of it is what happened, and what others see.
            *velocity = if to == *position + outcome.velocity * step {
                outcome.velocity
            } else {
                ((to - *position) / step).clamp_length_max(max_speeds[row])
            };
            *position = to;
            *search_hint = outcome.search_hint;
            *facing = face(*facing, *velocity, step);
            *status = update_pace(pace, *status, *velocity, preferred_velocities[row], step);
        };
        if parallel {
            (positions, velocities, search_hints, facings, paces, statuses)
                .into_par_iter()
                .enumerate()
                .with_min_len(CHUNK)
                .for_each(advance);
        } else {
            for row in 0..positions.len() {
                let columns = (
                    &mut positions[row],
                    &mut velocities[row],
                    &mut search_hints[row],
                    &mut facings[row],
                    &mut paces[row],
                    &mut statuses[row],
                );
                advance((row, columns));
            }
        }
        if !self.setting.connectors.is_empty() {
            (0..self.people.len()).for_each(|row| self.find_floor(row));
        }
    }

    /// Notes who stands on a connector; they belong to the floor they are nearer to.
    pub(crate) fn find_floor(&mut self, row: usize) {
        let (layer, position) = (self.people.layers[row], self.people.positions[row]);
        let on = self.setting.connectors.iter().position(|connector| {
            (layer == connector.lower || layer == connector.upper)
                && connector.polygon.contains(position)
        });
        self.people.connectors[row] = on.map_or(0, |index| index as u16 + 1);
        if let Some(index) = on {
            self.people.layers[row] = self.setting.connectors[index].layer_at(position);
        }
    }
}

/// Turns a unit vector towards a velocity, the faster it is the more.
fn face(facing: Vec2, velocity: Vec2, step: f32) -> Vec2 {
    let speed_squared = velocity.length_squared();
    if speed_squared < 1e-4 {
        return facing;
    }
    let speed = speed_squared.sqrt();
    let gain = (step / TURN_TIME) * (speed * (1.0 / TURN_SPEED)).min(1.0);
    // All times the speed. The sideways part decides for those who have to turn right round; the
    // others would drift.
    let aside = if facing.dot(velocity) < 0.0 { 1e-3 * speed } else { 0.0 };
    let turned = facing * speed + velocity * gain + facing.perp() * aside;
    turned * (1.0 / turned.length())
}

/// Averages progress towards the goal and tells who is blocked.
fn update_pace(
    pace: &mut f32,
    status: Status,
    velocity: Vec2,
    preferred: Vec2,
    step: f32,
) -> Status {
    let wanted_squared = preferred.length_squared();
    if wanted_squared < 1e-6 {
        *pace = 1.0;
        return status;
    }
    let progress = velocity.dot(preferred) / wanted_squared;
    *pace += (progress - *pace) * (step / PACE_TIME).min(1.0);
    match status {
        Status::Walking | Status::Blocked if *pace < BLOCKED_PACE => Status::Blocked,
        Status::Blocked => Status::Walking,
        other => other,
    }
}
