//! Bodies have a say in where people get to: feet that stand cannot follow every velocity at once.

use glam::Vec2;

use throng_world::Temperament;
use throng_world::scene::GroupId;

use super::Outcome;
use crate::PersonId;
use crate::contact;
use crate::grid::Grid;
use crate::population::Population;
use crate::status::Status;
use crate::world::World;

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

/// What bodies were asked in the last step, if there are any.
#[derive(Default)]
pub(crate) struct Embodied {
    moves: Vec<Move>,
    /// How far bodies may take people from where steering wants them, m; `None` without bodies.
    pub largest_shift: Option<f32>,
}

/// What bodies are asked about.
pub(super) struct EmbodyStage<'a> {
    pub world: &'a World,
    pub people: &'a Population,
    pub statuses: &'a [Status],
    pub grid: &'a Grid,
    /// In the order of the grid.
    pub outcomes: &'a [Outcome],
}

impl Embodied {
    /// Asks the bodies where they get to. They change `targets`, which are in the order of the grid.
    pub(super) fn embody(
        &mut self,
        stage: &EmbodyStage,
        targets: &mut [Vec2],
        bodies: &mut dyn Embodiment,
    ) {
        let &EmbodyStage { world, people, statuses, grid, outcomes } = stage;
        let Self { moves, largest_shift } = self;
        let walls = world.walls();
        moves.clear();
        moves.extend(people.rows_by_id().map(|row| {
            let entry = grid.entry_of_row[row] as usize;
            Move {
                id: PersonId(people.ids[row]),
                group: people.groups[row],
                from: people.positions[row],
                height: world.height(people, row),
                to: targets[entry],
                velocity: outcomes[entry].velocity,
                lies: statuses[row] == Status::Fallen,
                facing: people.facings[row],
                temperament: people.temperament(row),
            }
        }));
        bodies.embody(moves, world.step());
        for (row, wish) in people.rows_by_id().zip(moves) {
            let target = &mut targets[grid.entry_of_row[row] as usize];
            let shift = wish.to - *target;
            let shift = shift.clamp_length_max(largest_shift.unwrap_or_default());
            if shift.is_finite() && shift != Vec2::ZERO {
                let (layer, from) = (people.layers[row], people.positions[row]);
                *target += shift;
                if !walls.is_empty() {
                    *target = contact::constrain(walls, layer, people.radii[row], from, *target);
                }
            }
            wish.to = *target;
        }
    }

    /// Who got where their body wanted moves as the body says, and everybody faces where it does.
    pub(super) fn take_over(&self, people: &mut Population, grid: &Grid, outcomes: &[Outcome]) {
        for wish in &self.moves {
            let Some(row) = people.row(wish.id) else { continue };
            if people.positions[row] == wish.to && wish.velocity.is_finite() {
                let limit = people.max_speeds[row];
                people.velocities[row] = wish.velocity.clamp_length_max(limit);
            }
            // By what their bodies fall short they do not want less.
            let entry = grid.entry_of_row[row] as usize;
            people.pushes[row] = people.velocities[row] - outcomes[entry].velocity;
            if let Some(facing) = wish.facing.try_normalize() {
                people.facings[row] = facing;
            }
        }
    }
}
