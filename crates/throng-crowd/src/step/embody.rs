//! Bodies have a say in where people get to: feet that stand cannot follow every velocity at once.

use glam::Vec2;

use super::contact;
use throng_world::Temperament;
use throng_world::scene::GroupId;

use crate::PersonId;
use crate::crowd::Crowd;
use crate::status::Status;

/// How far from where steering wants somebody their body can take them within a step of `seconds`, m: who
/// has to turn round at `speed` moves on meanwhile. Bodies that are further off have to catch up.
pub(crate) fn largest_shift(speed: f32, seconds: f32) -> f32 {
    0.03 + 1.5 * speed * seconds
}

/// What steering wants of somebody within a step, and what their body makes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Who.
    pub id: PersonId,
    /// Their group.
    pub group: GroupId,
    /// Where they are, m.
    pub from: Vec2,
    /// Height of the ground there, m.
    pub height: f32,
    /// Where they are to be after the step, m. A body that gets elsewhere says so here.
    pub to: Vec2,
    /// Their velocity, m/s. A body says here at which velocity it moves on the whole.
    pub velocity: Vec2,
    /// Whether they have fallen and lie.
    pub lies: bool,
    /// Where they face, a unit vector. A body says here where its torso does.
    pub facing: Vec2,
    /// What they are like, if they have traits.
    pub temperament: Option<Temperament>,
}

/// Bodies that follow a crowd, and that the crowd follows in turn.
pub trait Embodiment {
    /// Moves the bodies for `seconds`, and says in `moves` what came of it. They are of everybody, in ascending
    /// order of id. Where contacts and walls then put people may be somewhere else.
    fn embody(&mut self, moves: &mut [Move], seconds: f32);
}

impl Crowd {
    /// Asks the bodies where they get to.
    pub(super) fn embody(&mut self, bodies: &mut dyn Embodiment) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        moves.extend(self.people.rows_by_id().map(|row| {
            let entry = self.grid.entry_of_row[row] as usize;
            Move {
                id: PersonId(self.people.ids[row]),
                group: self.people.groups[row],
                from: self.people.positions[row],
                height: self.height(row),
                to: self.contacts.targets[entry],
                velocity: self.outcomes[entry].velocity,
                lies: self.people.statuses[row] == Status::Fallen,
                facing: self.people.facings[row],
                temperament: self.people.temperament(row),
            }
        }));
        bodies.embody(&mut moves, self.setting.step as f32);
        for (row, wish) in self.people.rows_by_id().zip(&mut moves) {
            let entry = self.grid.entry_of_row[row] as usize;
            let wanted = self.contacts.targets[entry];
            let shift = (wish.to - wanted).clamp_length_max(self.largest_shift);
            if !shift.is_finite() || shift == Vec2::ZERO {
                wish.to = wanted;
                continue;
            }
            let (layer, from) = (self.people.layers[row], self.people.positions[row]);
            let walls = &self.ground.walls;
            wish.to = if walls.is_empty() {
                wanted + shift
            } else {
                contact::constrain(walls, layer, self.people.radii[row], from, wanted + shift)
            };
            self.contacts.targets[entry] = wish.to;
        }
        self.moves = moves;
    }

    /// Who got where their body wanted moves as the body says, and everybody faces where it does.
    pub(super) fn take_over_from_bodies(&mut self) {
        let moves = std::mem::take(&mut self.moves);
        let people = &mut self.people;
        for wish in &moves {
            let Some(row) = people.row(wish.id) else { continue };
            if people.positions[row] == wish.to && wish.velocity.is_finite() {
                let limit = people.max_speeds[row];
                people.velocities[row] = wish.velocity.clamp_length_max(limit);
            }
            // By what their bodies fall short they do not want less.
            let entry = self.grid.entry_of_row[row] as usize;
            people.pushes[row] = people.velocities[row] - self.outcomes[entry].velocity;
            if let Some(facing) = wish.facing.try_normalize() {
                people.facings[row] = facing;
            }
        }
        self.moves = moves;
    }
}
