//! Who is led by which field, and how far.

use glam::Vec2;
use throng_base::Distribution;
use throng_base::random::{Purpose, Random};
use throng_field::FieldEditor;
use throng_world::scene::{FieldId, GroupId, LayerId, Led, MAX_NAMED};

use super::{FieldRefusal, LiveField, NewField};
use crate::PersonId;
use crate::columns::AnyColumn;
use crate::crowd::Crowd;
use crate::intents::Intents;
use crate::plans::{Plan, Plans};
use crate::population::Population;

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

/// All fields, and how they lead groups.
#[derive(Default)]
pub(crate) struct Fields {
    /// By id; `None` where one was taken away.
    pub all: Vec<Option<LiveField>>,
    /// How groups are led.
    pub leads: Vec<Option<Led>>,
}

impl Fields {
    /// A field, while it is there.
    pub fn get(&self, id: FieldId) -> Option<&LiveField> {
        self.all.get(id.0 as usize)?.as_ref()
    }

    /// How a group is led.
    pub fn led(&self, group: GroupId) -> Option<&Led> {
        self.leads.get(group.0 as usize)?.as_ref()
    }

    /// Whether people of a group drift if they have this plan: fields lead them, and they have no goals.
    pub fn drifts(&self, group: GroupId, plan: &Plan) -> bool {
        self.led(group).is_some() && plan.goals.is_empty()
    }

    /// What the person in a row, who is new to their group, makes of how it is led.
    pub fn begin_obedience(
        &self,
        row: usize,
        people: &Population,
        intents: &mut Intents,
        plans: &Plans,
        random: Random,
    ) {
        intents.everyone_drifts = false;
        if self.leads.is_empty() {
            return;
        }
        let share = self.led(people.groups[row]).map_or(0.0, |led| {
            let goals = &mut intents.goals[row];
            goals.set_drifting(plans.of(goals).goals.is_empty());
            draw_share(random, people.ids[row], led.share)
        });
        let wanted = people.velocities[row];
        intents.obediences.keep(people.len());
        intents.obediences[row] =
            Obedience { share, target: share, wanted, ..Obedience::default() };
    }
}

fn draw_share(random: Random, id: u32, share: Distribution) -> f32 {
    random.stream(id.into(), 0, Purpose::Share).draw(share)
}

impl Crowd {
    /// Adds a field. It leads nobody until a group is told to follow it ([`Crowd::set_led`]).
    ///
    /// # Errors
    ///
    /// If there is no field for its anchors.
    pub fn add_field(&mut self, field: NewField) -> Result<FieldId, FieldRefusal> {
        if self.fields.all.len() >= MAX_NAMED {
            return Err(FieldRefusal::TooMany(MAX_NAMED));
        }
        self.fields.all.push(Some(LiveField::new(field, self.world.setting.bounds)?));
        Ok(FieldId(self.fields.all.len() as u16 - 1))
    }

    /// Takes a field away; `false` if there is none. Whom it led is led by the others of their group.
    pub fn remove_field(&mut self, id: FieldId) -> bool {
        for led in self.fields.leads.iter_mut().flatten() {
            led.by.retain(|by| *by != id);
        }
        self.fields.all.get_mut(id.0 as usize).is_some_and(|field| field.take().is_some())
    }

    /// A field, while it is there.
    pub fn field(&self, id: FieldId) -> Option<&LiveField> {
        self.fields.get(id)
    }

    /// All fields, in ascending order of id. Those of a scene have the numbers of its list.
    pub fn fields(&self) -> impl Iterator<Item = (FieldId, &LiveField)> {
        (0..)
            .map(FieldId)
            .zip(&self.fields.all)
            .filter_map(|(id, field)| Some((id, field.as_ref()?)))
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
        let field = self.fields.all.get_mut(id.0 as usize).and_then(Option::as_mut);
        let field = field.ok_or(FieldRefusal::Unknown(id))?;
        let name = field.name.clone();
        let editor = field.editor_mut().ok_or(FieldRefusal::HasKeys { name })?;
        let done = edit(editor);
        field.take_up(time)?;
        Ok(done?)
    }

    /// How a group is led.
    pub fn led(&self, group: GroupId) -> Option<&Led> {
        self.fields.led(group)
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
        let Self { world, people, intents, plans, fields, .. } = self;
        let index = group.0 as usize;
        if fields.leads.len() <= index {
            fields.leads.resize_with(index + 1, || None);
        }
        intents.obediences.keep(people.len());
        let members = people.groups.iter().enumerate().filter(|(_, of)| **of == group);
        for (row, _) in members {
            let goals = &mut intents.goals[row];
            goals.set_drifting(led.is_some() && plans.of(goals).goals.is_empty());
            if let Some(led) = &led {
                let share = draw_share(world.random, people.ids[row], led.share);
                let wanted = people.velocities[row];
                let obedience = &mut intents.obediences[row];
                // Who was not led yet begins with what they do.
                if fields.leads[index].is_none() {
                    *obedience = Obedience { share, wanted, ..Obedience::default() };
                }
                obedience.target = share;
            }
        }
        fields.leads[index] = led;
        intents.everyone_drifts = false;
        Ok(())
    }

    /// Gives somebody another share of obedience (ρ) than their group's, gradually; `false` if there
    /// is no such person, they are not led, or the share is not between 0 and 1.
    pub fn set_share(&mut self, id: PersonId, share: f32) -> bool {
        let row = self.led_row(id).filter(|_| (0.0..=1.0).contains(&share));
        row.map(|row| self.intents.obediences[row].target = share).is_some()
    }

    /// The share of obedience (ρ) of somebody who is led.
    pub fn share(&self, id: PersonId) -> Option<f32> {
        self.led_row(id).map(|row| self.intents.obediences[row].share)
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
}
