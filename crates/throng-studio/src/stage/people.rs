//! What an author does to people: removed, moved to another group, sent elsewhere. All of it can be
//! undone as long as the simulation goes on; a new beginning has other people.

use glam::Vec2;
use serde_json::{Map, Value as Json, json};
use throng_crowd::{Character, PersonId, PersonState, Plan, Stance};
use throng_world::scene::{Address, GroupId};

use super::history::Way;
use super::live::{Deed, Edited, Live};
use crate::protocol::{PerName, Refusal};

/// What somebody was before and after something was done to them; `None` if they were not there.
#[derive(Debug)]
pub(crate) struct Metamorphosis {
    id: u32,
    before: Option<Kept>,
    after: Option<Kept>,
}

/// All it takes to bring somebody back.
#[derive(Clone, Debug)]
struct Kept {
    character: Character,
    stance: Stance,
    directions: Option<Directions>,
}

/// Goals as an author wrote them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Directions {
    goals: Vec<Json>,
    then: String,
}

impl Live {
    /// Takes people out, and tells how many were there.
    pub fn remove(&mut self, people: &[u32]) -> usize {
        self.change(people, "Remove people", |_, _| None)
    }

    /// Moves people to another group.
    pub fn regroup(&mut self, people: &[u32], group: &str) -> Result<usize, Refusal> {
        let index = self.scene().groups.iter().position(|known| known.name == group);
        let index = index.ok_or_else(|| Refusal::new(format!("there is no group {group:?}")))?;
        let group = GroupId(index as u16);
        Ok(self.change(people, "Change group", |live, kept| {
            let id = PersonId(kept.0);
            let character = live.engine.crowd().character_in(live.scene(), group, id);
            // Who cannot be made stays who they are.
            let character = character.unwrap_or_else(|| kept.1.character.clone());
            Some(Kept { character, directions: None, ..kept.1.clone() })
        }))
    }

    /// Gives people goals of their own.
    pub fn direct(&mut self, people: &[u32], goals: &[Json], then: &str) -> Result<usize, Refusal> {
        let plan = self.understand(goals, then)?;
        let directions = Directions { goals: goals.to_vec(), then: then.into() };
        Ok(self.change(people, "Send people", |_, (_, kept)| {
            let character = Character { plan: plan.clone(), ..kept.character.clone() };
            Some(Kept { character, directions: Some(directions.clone()), ..kept.clone() })
        }))
    }

    /// What goals mean: those of a group that the document does not have.
    fn understand(&self, goals: &[Json], then: &str) -> Result<Plan, Refusal> {
        let mut probe = self.document.clone();
        let name = "those who are sent";
        probe.edit(|draft| {
            let group = json!({ "name": name, "goals": goals, "then": then });
            draft.add(&Address::list("groups"), &group)
        })?;
        let group = probe.scene().groups.iter().find(|group| group.name == name);
        let group = group.ok_or_else(|| Refusal::new("these are no goals"))?;
        Ok(Plan { goals: group.goals.clone(), then: group.then })
    }

    fn change(
        &mut self,
        people: &[u32],
        label: &str,
        become_what: impl Fn(&Self, (u32, &Kept)) -> Option<Kept>,
    ) -> usize {
        let mut changes: Vec<Metamorphosis> = people
            .iter()
            .filter_map(|&id| {
                let before = self.kept(id)?;
                let after = become_what(self, (id, &before));
                Some(Metamorphosis { id, before: Some(before), after })
            })
            .collect();
        changes.sort_unstable_by_key(|change| change.id);
        changes.dedup_by_key(|change| change.id);
        let count = changes.len();
        self.transform(&mut changes, Way::Forth);
        if count > 0 {
            self.history.note(label.into(), None, Deed::People(changes), |_, _| {});
        }
        count
    }

    /// Makes people what they were, or what they have become.
    pub(super) fn transform(&mut self, changes: &mut [Metamorphosis], way: Way) {
        for change in changes {
            let id = self.present_id(change.id);
            let Metamorphosis { before, after, .. } = change;
            let becomes = if way == Way::Back { before } else { after };
            let directions = becomes.as_ref().and_then(|kept| kept.directions.clone());
            let crowd = self.engine.crowd_mut();
            let is_there = crowd.person(PersonId(id)).is_some();
            let id = match becomes {
                None => {
                    crowd.remove(PersonId(id));
                    None
                }
                // What a person was or would be was checked when it was made.
                Some(kept) if is_there => {
                    crowd.set_character(PersonId(id), &kept.character).is_ok().then_some(id)
                }
                Some(kept) => {
                    let added = crowd.add_character(&kept.character, &kept.stance);
                    if let Ok(PersonId(new)) = added {
                        self.returned.insert(id, new);
                    }
                    added.ok().map(|id| id.0)
                }
            };
            if let Some(id) = id {
                match directions {
                    Some(directions) => _ = self.directions.insert(id, directions),
                    None => _ = self.directions.remove(&id),
                }
            }
        }
    }

    /// The id that somebody has now.
    fn present_id(&self, mut id: u32) -> u32 {
        while let Some(&next) = self.returned.get(&id) {
            id = next;
        }
        id
    }

    fn kept(&self, id: u32) -> Option<Kept> {
        let crowd = self.engine.crowd();
        let state = crowd.person(PersonId(id))?;
        let PersonState { position, layer, velocity, heading, .. } = state;
        Some(Kept {
            character: crowd.character(PersonId(id))?,
            stance: Stance { position, layer, velocity, heading },
            directions: self.directions.get(&id).cloned(),
        })
    }

    /// After a new beginning, people are others.
    pub(super) fn forget_people(&mut self) {
        self.history.retain(|deed| matches!(deed, Deed::Text { .. }));
        self.returned.clear();
        self.directions.clear();
        self.undress();
        self.watch_anew();
    }

    /// Makes the present moment the beginning: everybody is listed where they are.
    pub fn start_here(&mut self) -> Result<Edited, Refusal> {
        let mut edited = self.document.clone();
        let groups: Vec<(Vec<Json>, bool)> = (0..self.scene().groups.len())
            .map(|index| (self.listing(index), !self.scene().groups[index].crowds.is_empty()))
            .collect();
        edited.edit(|draft| {
            for (index, (people, has_crowds)) in groups.iter().enumerate() {
                let group = Address::list("groups").index(index);
                if *has_crowds {
                    draft.remove(&group.key("crowds"))?;
                }
                if !people.is_empty() || draft.get(&group.key("people")).is_some() {
                    draft.set(&group.key("people"), &json!(people))?;
                }
            }
            Ok(())
        })?;
        self.begin_with(edited, "Start here")
    }

    /// The people of a group as a document lists them.
    fn listing(&self, group: usize) -> Vec<Json> {
        let id = GroupId(group as u16);
        let crowd = self.engine.crowd();
        let document = self.document.json();
        let entries = &document["groups"][group]["people"];
        let entry_of = |person: PersonId| {
            let index = crowd.listed(id).iter().position(|listed| *listed == person)?;
            entries.get(index)?.as_object().cloned()
        };
        let layers = &self.scene().layers;
        let people = crowd.people().filter(|person| person.group == id);
        let describe = |person: PersonState| {
            let mut entry: Map<String, Json> = entry_of(person.id).unwrap_or_default();
            let millimetres = |v: Vec2| v.to_array().map(|x| (f64::from(x) * 1e3).round() / 1e3);
            entry.insert("position".into(), json!(millimetres(person.position)));
            entry.insert("velocity".into(), json!(millimetres(person.velocity)));
            let degrees = f64::from(person.heading.radians()).to_degrees();
            entry.insert("heading".into(), json!(degrees.round()));
            if person.layer.0 > 0 {
                let name = &layers[person.layer.0 as usize].name;
                entry.insert("layer".into(), json!(name));
            }
            if let Some(character) = crowd.character(person.id) {
                let rounded = |x: f32| (f64::from(x) * 1e3).round() / 1e3;
                entry.insert("speed".into(), json!(rounded(character.preferred_speed)));
                entry.insert("max_speed".into(), json!(rounded(character.max_speed)));
                entry.insert("radius".into(), json!(rounded(character.radius)));
                if let Some(temperament) = character.temperament {
                    let traits = PerName::of_temperament(temperament);
                    entry.insert("traits".into(), json!(traits));
                }
            }
            if let Some(Directions { goals, then }) = self.directions.get(&person.id.0) {
                entry.remove("goal");
                entry.insert("goals".into(), json!(goals));
                entry.insert("then".into(), json!(then));
            }
            Json::Object(entry)
        };
        people.map(describe).collect()
    }
}
