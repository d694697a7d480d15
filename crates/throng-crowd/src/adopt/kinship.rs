//! What in an edited scene was something in the scene before.
//!
//! Groups, regions and fields are recognised by their names. What has lost its name is taken for what is
//! at the same place of the list and has a new one: it was renamed. People who are listed are recognised by
//! name, or by where they start.

use std::collections::{HashMap, HashSet, VecDeque};

use throng_world::Scene;
use throng_world::scene::{Aim, FieldId, Goal, Group, GroupId, Person, Region, RegionId, Target};

use crate::plans::Plan;

/// For each thing of the old scene, what it is in the new one.
pub(super) struct Kinship {
    groups: Vec<Option<usize>>,
    regions: Vec<Option<usize>>,
    /// Regions that have stayed as they are.
    same_regions: Vec<bool>,
    /// For each field of the new scene, what it was in the old one.
    old_fields: Vec<Option<usize>>,
    /// Of each old group, its listed people.
    people: Vec<Vec<Option<usize>>>,
}

impl Kinship {
    pub fn between(old: &Scene, new: &Scene) -> Self {
        let group_name = |group: &Group| group.name.clone();
        let region_name = |region: &Region| region.name.clone();
        let groups = pairs(&names(&old.groups, group_name), &names(&new.groups, group_name));
        let regions = pairs(&names(&old.regions, region_name), &names(&new.regions, region_name));
        let is_same = |(old, kin): (&Region, &Option<usize>)| {
            kin.is_some_and(|new_index| {
                let new = &new.regions[new_index];
                old.polygon == new.polygon && old.layer == new.layer
            })
        };
        let same_regions = old.regions.iter().zip(&regions).map(is_same).collect();
        let [old_names, new_names] =
            [old, new].map(|scene| names(&scene.fields, |field| field.name.clone()));
        let old_fields = pairs(&new_names, &old_names);
        let people = old.groups.iter().zip(&groups).map(|(group, kin)| {
            let new = kin.map_or(&[][..], |index| &new.groups[index].people);
            people(&group.people, new)
        });
        Self { people: people.collect(), groups, regions, same_regions, old_fields }
    }

    /// What an old group is now.
    pub fn group(&self, old: GroupId) -> Option<GroupId> {
        (*self.groups.get(old.0 as usize)?).map(|index| GroupId(index as u16))
    }

    /// What a new group was.
    pub fn old_group(&self, new: usize) -> Option<usize> {
        self.groups.iter().position(|kin| *kin == Some(new))
    }

    /// What a new field was.
    pub fn old_field(&self, new: usize) -> Option<FieldId> {
        self.old_fields[new].map(|index| FieldId(index as u16))
    }

    /// What an old region is now.
    pub fn region(&self, old: RegionId) -> Option<RegionId> {
        (*self.regions.get(old.0 as usize)?).map(|index| RegionId(index as u16))
    }

    /// Whether a region is what it was.
    pub fn is_same_region(&self, old: RegionId) -> bool {
        self.same_regions.get(old.0 as usize) == Some(&true)
    }

    /// Number in their new group's list of somebody who is listed.
    pub fn listed(&self, old_group: usize, index: usize) -> Option<usize> {
        *self.people.get(old_group)?.get(index)?
    }

    /// An old list of goals in terms of the new scene; `None` if it speaks of what is gone.
    pub fn plan(&self, plan: &Plan) -> Option<Plan> {
        let goal = |goal: &Goal| Some(Goal { aim: self.aim(&goal.aim)?, ..goal.clone() });
        let goals: Option<Vec<Goal>> = plan.goals.iter().map(goal).collect();
        Some(Plan { goals: goals?, then: plan.then })
    }

    /// Whether a list of goals means the same as before.
    pub fn is_same_plan(&self, old: &Plan, new: &Plan) -> bool {
        let is_same = |(old, new): (&Goal, &Goal)| {
            (old.speed, old.duration, old.ways) == (new.speed, new.duration, new.ways)
                && old.wait == new.wait
                && self.aim(&old.aim).as_ref() == Some(&new.aim)
                && regions_of(&old.aim).iter().all(|&region| self.is_same_region(region))
        };
        old.then == new.then
            && old.goals.len() == new.goals.len()
            && old.goals.iter().zip(&new.goals).all(is_same)
    }

    fn aim(&self, aim: &Aim) -> Option<Aim> {
        let mut aim = aim.clone();
        match &mut aim {
            Aim::SeekRandom { region, .. } | Aim::SeekRegion { region } => {
                *region = self.region(*region)?;
            }
            Aim::SeekNearest { regions } => {
                let kin: Option<Vec<_>> =
                    regions.iter().map(|region| self.region(*region)).collect();
                *regions = kin?;
            }
            Aim::SeekTarget { target, .. } | Aim::FleeTarget { target, .. } => {
                *target = self.target(*target)?;
            }
            Aim::Seek { .. }
            | Aim::Follow { .. }
            | Aim::Flee { .. }
            | Aim::Flow { .. }
            | Aim::FollowCrowd
            | Aim::Idle => {}
        }
        Some(aim)
    }

    fn target(&self, target: Target) -> Option<Target> {
        Some(match target {
            Target::Group(group) => Target::Group(self.group(group)?),
            Target::Person { group, index } => Target::Person {
                group: self.group(group)?,
                index: self.listed(group.0 as usize, index as usize)? as u32,
            },
        })
    }
}

fn regions_of(aim: &Aim) -> Vec<RegionId> {
    match aim {
        Aim::SeekRandom { region, .. } | Aim::SeekRegion { region } => vec![*region],
        Aim::SeekNearest { regions } => regions.clone(),
        _ => Vec::new(),
    }
}

fn names<T>(things: &[T], name: impl Fn(&T) -> String) -> Vec<String> {
    things.iter().map(name).collect()
}

/// For each of `from`, what it is in `to`.
fn pairs(from: &[String], to: &[String]) -> Vec<Option<usize>> {
    let places: HashMap<&String, usize> = to.iter().zip(0..).collect();
    let known: HashSet<&String> = from.iter().collect();
    let renamed = |index: usize| to.get(index).filter(|name| !known.contains(name)).map(|_| index);
    let pair = |(index, name)| places.get(name).copied().or_else(|| renamed(index));
    from.iter().enumerate().map(pair).collect()
}

fn people(from: &[Person], to: &[Person]) -> Vec<Option<usize>> {
    let key = |person: &Person| match &person.name {
        Some(name) => (Some(name.clone()), [0; 2], 0),
        None => (None, person.position.to_array().map(f32::to_bits), person.layer.0),
    };
    let mut places: HashMap<_, VecDeque<usize>> = HashMap::new();
    for (index, person) in to.iter().enumerate() {
        places.entry(key(person)).or_default().push_back(index);
    }
    from.iter().map(|person| places.get_mut(&key(person))?.pop_front()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn things_are_recognised_by_name_or_by_where_a_renamed_one_is() {
        let kin = |from: &[&str], to: &[&str]| pairs(&strings(from), &strings(to));
        assert_eq!(kin(&["a", "b"], &["b", "a", "c"]), [Some(1), Some(0)]);
        assert_eq!(kin(&["a", "b", "c"], &["a", "x", "c"]), [Some(0), Some(1), Some(2)]);
        assert_eq!(kin(&["a", "b", "c"], &["a", "c"]), [Some(0), None, Some(1)]);
        assert_eq!(kin(&["a"], &[]), [None]);
    }
}
