//! Who is led by which field, and how far.

use glam::Vec2;
use throng_base::Distribution;
use throng_base::random::Purpose;
use throng_field::FieldEditor;
use throng_world::scene::{FieldId, GroupId, LayerId, Led, MAX_NAMED};

use super::{FieldRefusal, LiveField, NewField};
use crate::PersonId;
use crate::columns::AnyColumn;
use crate::crowd::Crowd;
use crate::population::GoalState;

/// What is known of somebody whom fields lead.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Obedience {
    /// The share that fields have in their velocity now (ρ).
    pub share: f32,
    /// The share that it is changing to.
    pub target: f32,
    /// Where they wander: each coordinate is about -1 to 1.
    pub wander: Vec2,
    /// What they wanted in the last step, m/s.
    pub wanted: Vec2,
    /// Weight of fields where they are, from 0 to 1: 0 beyond the reach of all arrows.
    pub coverage: f32,
    /// How far they ignore fields of limited reach, from 0 to 1, because these held them up.
    pub defiance: f32,
}

impl Crowd {
    /// Adds a field. It leads nobody until a group is told to follow it ([`Crowd::set_led`]).
    ///
    /// # Errors
    ///
    /// If there is no field for its anchors.
    pub fn add_field(&mut self, field: NewField) -> Result<FieldId, FieldRefusal> {
        if self.fields.len() >= MAX_NAMED {
            return Err(FieldRefusal::TooMany(MAX_NAMED));
        }
        self.fields.push(Some(LiveField::new(field, self.setting.bounds)?));
        Ok(FieldId(self.fields.len() as u16 - 1))
    }

    /// Takes a field away; `false` if there is none. Whom it led is led by the others of their group.
    pub fn remove_field(&mut self, id: FieldId) -> bool {
        for led in self.leads.iter_mut().flatten() {
            led.by.retain(|by| *by != id);
        }
        self.fields.get_mut(id.0 as usize).is_some_and(|field| field.take().is_some())
    }

    /// A field, while it is there.
    pub fn field(&self, id: FieldId) -> Option<&LiveField> {
        self.fields.get(id.0 as usize)?.as_ref()
    }

    /// All fields, in ascending order of id. Those of a scene have the numbers of its list.
    pub fn fields(&self) -> impl Iterator<Item = (FieldId, &LiveField)> {
        (0..).map(FieldId).zip(&self.fields).filter_map(|(id, field)| Some((id, field.as_ref()?)))
    }

    /// Edits the anchors of a field. People begin to follow what comes of it in the next step, and
    /// their velocities stay continuous.
    ///
    /// # Errors
    ///
    /// Those of the edit, which has then changed nothing unless it is made of several.
    pub fn edit_field<T>(
        &mut self,
        id: FieldId,
        edit: impl FnOnce(&mut FieldEditor) -> Result<T, throng_field::FieldError>,
    ) -> Result<T, FieldRefusal> {
        let time = self.time();
        let field = self.fields.get_mut(id.0 as usize).and_then(Option::as_mut);
        let field = field.ok_or(FieldRefusal::Unknown(id))?;
        let name = field.name.clone();
        let editor = field.editor_mut().ok_or(FieldRefusal::HasKeys { name })?;
        let done = edit(editor);
        field.take_up(time)?;
        Ok(done?)
    }

    /// How a group is led.
    pub fn led(&self, group: GroupId) -> Option<&Led> {
        self.leads.get(group.0 as usize)?.as_ref()
    }

    /// Says how a group is led from now on: those who are there, and those to come. Velocities
    /// stay continuous.
    ///
    /// # Errors
    ///
    /// If a field is not there, or a share is not between 0 and 1.
    pub fn set_led(&mut self, group: GroupId, led: Option<Led>) -> Result<(), FieldRefusal> {
        if let Some(led) = &led {
            if let Some(id) = led.by.iter().find(|id| self.field(**id).is_none()) {
                return Err(FieldRefusal::Unknown(*id));
            }
            for (what, value) in [
                ("share", led.share.min()),
                ("share", led.share.max()),
                ("wander", led.wander),
                ("goals", led.goals),
            ] {
                if !(0.0..=1.0).contains(&value) {
                    return Err(FieldRefusal::NoShare { what, value });
                }
            }
        }
        let index = group.0 as usize;
        if self.leads.len() <= index {
            self.leads.resize_with(index + 1, || None);
        }
        self.people.obediences.keep(self.people.len());
        for row in 0..self.people.len() {
            if self.people.groups[row] == group {
                let drifts = led.is_some() && self.has_no_goals(row);
                self.people.goals[row].set_drifting(drifts);
                if let Some(led) = &led {
                    let share = self.draw_share(self.people.ids[row], led.share);
                    let velocity = self.people.velocities[row];
                    let obedience = &mut self.people.obediences[row];
                    // Who was not led yet begins with what they do.
                    if self.leads[index].is_none() {
                        *obedience = Obedience { share, wanted: velocity, ..Obedience::default() };
                    }
                    obedience.target = share;
                }
            }
        }
        self.leads[index] = led;
        self.everyone_drifts = false;
        Ok(())
    }

    /// Gives somebody another share of obedience (ρ) than their group's, gradually; `false` if there
    /// is no such person, they are not led, or the share is not between 0 and 1.
    pub fn set_share(&mut self, id: PersonId, share: f32) -> bool {
        let row = self.led_row(id).filter(|_| (0.0..=1.0).contains(&share));
        row.map(|row| self.people.obediences[row].target = share).is_some()
    }

    /// The share of obedience (ρ) of somebody who is led.
    pub fn share(&self, id: PersonId) -> Option<f32> {
        self.led_row(id).map(|row| self.people.obediences[row].share)
    }

    fn led_row(&self, id: PersonId) -> Option<usize> {
        self.people.row(id).filter(|&row| self.led(self.people.groups[row]).is_some())
    }

    /// Where fields lead people of a group at a place, m/s.
    pub fn field_velocity(&self, group: GroupId, layer: LayerId, place: Vec2) -> Vec2 {
        let fields = self.led(group).into_iter().flat_map(|led| &led.by);
        let fields = fields.filter_map(|&id| self.field(id));
        let patches: Vec<_> =
            fields.filter(|field| field.layer() == layer).map(LiveField::patch).collect();
        let (mut velocity, mut coverage) = ([Vec2::ZERO], [0.0]);
        throng_field::govern(&patches, &[place], &mut velocity, &mut coverage);
        velocity[0] * coverage[0]
    }

    /// What somebody who has just been added is like.
    pub(crate) fn begin_obedience(&mut self, row: usize) {
        self.everyone_drifts = false;
        if self.leads.is_empty() {
            return;
        }
        let group = self.people.groups[row].0 as usize;
        let share = match self.leads.get(group) {
            Some(Some(led)) => {
                let drifts = self.has_no_goals(row);
                self.people.goals[row].set_drifting(drifts);
                self.draw_share(self.people.ids[row], led.share)
            }
            _ => 0.0,
        };
        let wanted = self.people.velocities[row];
        self.people.obediences.keep(self.people.len());
        self.people.obediences[row] =
            Obedience { share, target: share, wanted, ..Obedience::default() };
    }

    /// Finds out whether anybody has goals.
    pub(crate) fn look_for_drifters(&mut self) {
        self.everyone_drifts = self.people.goals.iter().all(GoalState::is_drifting);
    }

    pub(crate) fn has_no_goals(&self, row: usize) -> bool {
        self.plans[self.people.goals[row].plan as usize].goals.is_empty()
    }

    fn draw_share(&self, id: u32, share: Distribution) -> f32 {
        self.random.stream(id.into(), 0, Purpose::Share).draw(share)
    }
}
