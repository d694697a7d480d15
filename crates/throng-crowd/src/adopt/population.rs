//! The people of an edited scene: who stays, who changes, who comes and who goes.

use std::collections::HashMap;

use glam::Vec2;
use throng_world::Scene;
use throng_world::scene::{Arrangement, Cohort, GroupId, RegionId, SceneError};

use super::ground::GroundChange;
use super::kinship::Kinship;
use super::room::nearest_place;
use crate::PersonId;
use crate::assemble::{self, Assembly};
use crate::crowd::Crowd;
use crate::effort::Effort;
use crate::plans::Plan;
use crate::population::NewPerson;
use crate::profiles::StoredProfile;
use crate::recipe::Recipe;
use crate::steering::SteeringProfile;

/// Stands in a list for somebody who is not there yet.
const NOBODY: PersonId = PersonId(u32::MAX);

/// Somebody who is about to be added.
pub(super) struct Arrival {
    person: NewPerson,
    /// Number in the list of their group, if they are listed.
    listed: Option<usize>,
    /// With how many of those who follow they walk together, themselves among them; 0 for those who follow.
    party: u32,
}

/// Where somebody who is listed is in the lists of the scenes.
struct Entry {
    /// Group and number in the new scene.
    group: usize,
    index: usize,
    /// The same in the old one.
    old_group: GroupId,
    old_index: usize,
}

type Listed = HashMap<PersonId, Entry>;

impl Crowd {
    /// Finds places for those who are listed anew, and for as many as crowds have grown by.
    pub(super) fn plan_arrivals(
        &self,
        old: &Scene,
        new: &Scene,
        kin: &Kinship,
        recipes: &[Recipe],
        ground: &mut GroundChange,
        errors: &mut Vec<SceneError>,
    ) -> Vec<Arrival> {
        let walls = ground.walls.as_ref().unwrap_or(self.world.walls());
        let occupancy = &mut ground.occupancy;
        let mut arrivals = Vec::new();
        let mut id = self.ever();
        for (g, group) in new.groups.iter().enumerate() {
            let mut is_known = vec![false; group.people.len()];
            if let Some(was) = kin.old_group(g) {
                let known = (0..old.groups[was].people.len()).filter_map(|i| kin.listed(was, i));
                known.for_each(|index| is_known[index] = true);
            }
            for (index, listed) in group.people.iter().enumerate() {
                if is_known[index] {
                    continue;
                }
                let recipe = recipes[g].with(listed, &self.models, &new.source, errors);
                let mut person = recipe.listed(self.world.random, id, listed);
                let is_walkable = |place: Vec2| new.bounds.contains(place);
                let (layer, at, radius) = (listed.layer, listed.position, person.radius);
                match nearest_place(layer, at, radius, walls, occupancy, is_walkable) {
                    Some(place) => person.position = place,
                    None => {
                        let message = "there is no room for this person now";
                        errors.push(SceneError::new(&new.source, listed.span.clone(), message));
                        continue;
                    }
                }
                occupancy.add(layer, person.position, radius);
                arrivals.push(Arrival { person, listed: Some(index), party: 1 });
                id += 1;
            }
        }
        for (g, recipe) in recipes.iter().enumerate() {
            for (cohort, growth) in growth(old, new, kin, g) {
                let Ok(count) = u32::try_from(growth) else { continue };
                let growth = Cohort { count, ..cohort };
                match assemble::placed(&growth, recipe, id, new, walls, occupancy) {
                    Ok((people, parties)) => {
                        let firsts = parties.iter().flat_map(|&size| {
                            (0..size).map(move |i| if i == 0 { size } else { 0 })
                        });
                        let arrival = |(person, party)| Arrival { person, listed: None, party };
                        arrivals.extend(people.zip(firsts).map(arrival));
                        id += count;
                    }
                    Err(error) => errors.push(error),
                }
            }
        }
        arrivals
    }

    /// Adds those for whom there are places.
    pub(super) fn receive(&mut self, arrivals: Vec<Arrival>, new: &Scene, recipes: &[Recipe]) {
        let (first, parties): (u32, Vec<u32>) = (
            self.ever(),
            arrivals.iter().map(|arrival| arrival.party).filter(|party| *party > 0).collect(),
        );
        for Arrival { mut person, listed, .. } in arrivals {
            let g = person.group.0 as usize;
            let own = listed
                .and_then(|index| Plan::of_listed(&new.groups[g].people[index], &new.groups[g]));
            person.plan = own.map_or(recipes[g].plan, |plan| self.plans.push(plan));
            let stated = listed.and_then(|index| new.groups[g].people[index].heading);
            person.heading = stated
                .unwrap_or_else(|| Assembly::of(self, new, &mut Vec::new()).first_heading(&person));
            let id = self.insert(&person);
            if let Some(index) = listed {
                self.people.listed[g][index] = id;
            }
        }
        self.people.unite_in_turn(first, &parties);
        self.people.unite_listed(new);
    }

    /// Gives everybody the group, the profile and the goals that they have in the new scene, and takes out
    /// those who have none.
    pub(super) fn change_people(
        &mut self,
        old: &Scene,
        new: &Scene,
        kin: &Kinship,
        recipes: &[Recipe],
    ) {
        let old_recipes = assemble::recipes(old, &self.models, &mut Vec::new());
        let (listed, mut gone) = self.change_lists(new, kin);
        let old_plans = self.plans.replace(new.groups.iter().map(Plan::of_group));
        let (mut directed, mut same_plans) = (HashMap::new(), HashMap::new());
        for row in 0..self.people.len() {
            let id = PersonId(self.people.ids[row]);
            let was = self.people.groups[row];
            let Some(group) = kin.group(was) else {
                gone.push(id);
                continue;
            };
            self.people.groups[row] = group;
            let g = group.0 as usize;
            let entry = listed.get(&id).filter(|entry| entry.group == g).map(|entry| entry.index);
            if !recipes[g].makes_the_same(&old_recipes[was.0 as usize]) {
                let made = match entry.map(|index| &new.groups[g].people[index]) {
                    // What is wrong with parameters has been reported.
                    Some(person) => recipes[g]
                        .with(person, &self.models, &new.source, &mut Vec::new())
                        .listed(self.world.random, id.0, person),
                    None => recipes[g].person(
                        self.world.random,
                        id.0,
                        Vec2::ZERO,
                        self.people.layers[row],
                    ),
                };
                self.remake(row, &made);
            }

            let before = self.intents.goals[row].plan;
            let old_plan = &old_plans[before as usize];
            let was_own = || own_plan(old, listed.get(&id), was);
            let plan = if before != u32::from(was.0) && was_own().as_ref() != Some(old_plan) {
                // They were given goals of their own while it ran.
                let kept = directed
                    .entry(before)
                    .or_insert_with(|| Some(self.plans.push_lent(kin.plan(old_plan)?)));
                kept.unwrap_or(recipes[g].plan)
            } else {
                let person = entry.map(|index| &new.groups[g].people[index]);
                let own = person.and_then(|person| Plan::of_listed(person, &new.groups[g]));
                own.map_or(recipes[g].plan, |plan| self.plans.push(plan))
            };
            let is_same = *same_plans
                .entry((before, plan))
                .or_insert_with(|| kin.is_same_plan(old_plan, self.plans.get(plan)));
            if is_same {
                self.intents.goals[row].plan = plan;
                if let Some(memory) = self.intents.memories.get_mut(row) {
                    memory.region = memory.region.and_then(|region| kin.region(region));
                }
            } else {
                self.turn_to(row, plan);
            }
        }
        gone.extend(self.surplus(old, new, kin, &listed));
        gone.into_iter().for_each(|id| _ = self.people.remove(id, &mut self.intents));
    }

    /// Brings the lists of those who are listed up to date, and tells who is not listed any more.
    fn change_lists(&mut self, new: &Scene, kin: &Kinship) -> (Listed, Vec<PersonId>) {
        let (mut listed, mut gone) = (HashMap::new(), Vec::new());
        let mut lists: Vec<Vec<PersonId>> =
            new.groups.iter().map(|group| vec![NOBODY; group.people.len()]).collect();
        for (g, ids) in self.people.listed.iter().enumerate() {
            for (index, &id) in ids.iter().enumerate() {
                match (kin.group(GroupId(g as u16)), kin.listed(g, index)) {
                    (Some(group), Some(place)) => {
                        let (group, old_group) = (group.0 as usize, GroupId(g as u16));
                        lists[group][place] = id;
                        let entry = Entry { group, index: place, old_group, old_index: index };
                        listed.insert(id, entry);
                    }
                    _ => gone.push(id),
                }
            }
        }
        self.people.listed = lists;
        (listed, gone)
    }

    /// Makes the person in a row as if they had been made by another recipe.
    pub(crate) fn remake(&mut self, row: usize, made: &NewPerson) {
        let SteeringProfile { common, values, .. } = made.steering;
        let model = self.models.find(made.steering.model().name).unwrap_or_default();
        let profile = StoredProfile { model, common, values };
        self.people.set_profile(row, &profile, Effort::Full);
        self.people.set_body(row, made);
        let state = &mut self.intents.goals[row];
        let wanted = self.plans.goal(state).and_then(|goal| goal.speed);
        state.speed = wanted.unwrap_or(made.preferred_speed).min(made.max_speed);
    }

    /// Those of groups whose crowds have shrunk who are taken out: the last who came.
    fn surplus(&self, old: &Scene, new: &Scene, kin: &Kinship, listed: &Listed) -> Vec<PersonId> {
        let mut surplus = Vec::new();
        for g in 0..new.groups.len() {
            let shrunk = growth(old, new, kin, g).into_iter().map(|(_, growth)| growth.min(0));
            let count = shrunk.sum::<i64>().unsigned_abs() as usize;
            let mut ids: Vec<PersonId> = (self.people.rows_by_id())
                .filter(|&row| self.people.groups[row].0 as usize == g)
                .map(|row| PersonId(self.people.ids[row]))
                .filter(|id| !listed.contains_key(id))
                .collect();
            surplus.extend(ids.drain(ids.len().saturating_sub(count)..));
        }
        surplus
    }
}

/// The goals that the old scene had for somebody who is listed with goals of their own.
fn own_plan(old: &Scene, entry: Option<&Entry>, group: GroupId) -> Option<Plan> {
    // Who was moved to another group has the goals of that.
    let entry = entry.filter(|entry| entry.old_group == group)?;
    let group = old.groups.get(group.0 as usize)?;
    Plan::of_listed(group.people.get(entry.old_index)?, group)
}

/// By how many people the crowds of a group have grown in each place where it has any.
fn growth(old: &Scene, new: &Scene, kin: &Kinship, group: usize) -> Vec<(Cohort, i64)> {
    type Place = (RegionId, Arrangement);
    let mut changes: Vec<(Place, Cohort, i64)> = Vec::new();
    let mut count = |place: Place, cohort: &Cohort, change: i64| match changes
        .iter_mut()
        .find(|(known, ..)| *known == place)
    {
        Some((.., sum)) => *sum += change,
        None => changes.push((place, cohort.clone(), change)),
    };
    for cohort in &new.groups[group].crowds {
        count((cohort.region, cohort.arrangement), cohort, cohort.count.into());
    }
    for cohort in kin.old_group(group).map_or(&[][..], |was| &old.groups[was].crowds) {
        // Of a region that is gone, nobody can tell any more who came from it.
        let region = kin.region(cohort.region).unwrap_or(RegionId(u16::MAX));
        count((region, cohort.arrangement), cohort, -i64::from(cohort.count));
    }
    changes.into_iter().map(|(_, cohort, change)| (cohort, change)).collect()
}
