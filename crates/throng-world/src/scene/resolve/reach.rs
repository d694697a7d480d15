//! Whether people can get where they want to go, and whether their goals take any time.
//!
//! Stairs and ramps can be walked in both directions, so the floors fall into sets: within one,
//! everyone can get everywhere, and nobody gets out of it.

use std::collections::BTreeSet;

use super::super::names::list;
use super::super::report::Report;
use super::super::{Aim, Goal, Group, GroupId, LayerId, Person, Span, Target, Then};
use super::World;
use crate::Connector;

/// Reports goals on floors that people cannot get to, and goals that repeat without taking time.
pub fn check(groups: &[Group], world: &World, connectors: &[Connector], report: &mut Report) {
    let set = connected_sets(world.floors.layers.len(), connectors);
    let starts = groups.iter().map(|group| starts(group, world)).collect();
    let reach = Reach { groups, world, set, starts };
    for group in groups {
        let who = format!("group {:?}", group.name);
        reach.check_goals(&group.goals, &starts_of_followers(group, world), &who, report);
        if has_anonymous(group) || group.people.iter().any(|person| !has_own_plan(person)) {
            check_repeat(&group.goals, group.then, &group.span, &who, report);
        }
        for (index, person) in group.people.iter().enumerate() {
            reach.check_person(index, person, group, report);
        }
    }
}

struct Reach<'a> {
    groups: &'a [Group],
    world: &'a World<'a>,
    /// The number of the set that each floor is in.
    set: Vec<usize>,
    /// The floors on which each group's people appear.
    starts: Vec<BTreeSet<LayerId>>,
}

impl Reach<'_> {
    fn check_person(&self, index: usize, person: &Person, group: &Group, report: &mut Report) {
        if !has_own_plan(person) {
            return;
        }
        let who = match &person.name {
            Some(name) => format!("person {name:?}"),
            None => format!("person {} of group {:?}", index + 1, group.name),
        };
        if let Some(goals) = &person.goals {
            self.check_goals(goals, &BTreeSet::from([person.layer]), &who, report);
        }
        let goals = person.goals.as_ref().unwrap_or(&group.goals);
        check_repeat(goals, person.then.unwrap_or(group.then), &person.span, &who, report);
    }

    fn check_goals(
        &self,
        goals: &[Goal],
        starts: &BTreeSet<LayerId>,
        who: &str,
        report: &mut Report,
    ) {
        for (i, goal) in goals.iter().enumerate() {
            let mut ends = self.ends(&goal.aim);
            // Any of several places will do, but of a line everything.
            let is_line = matches!(goal.aim, Aim::Follow { .. });
            let connected = |start: LayerId| {
                let reached = ends.iter().filter(|&&end| self.same_set(start, end)).count();
                if is_line { reached == ends.len() } else { reached > 0 }
            };
            let Some(&stuck) = starts.iter().find(|&&start| !connected(start)) else { continue };
            if ends.is_empty() {
                continue;
            }
            ends.retain(|&end| !self.same_set(stuck, end));
            let layer = |layer: &LayerId| format!("{:?}", self.world.floors.name(*layer));
            let message = format!(
                "goal {} of {who} leads to layer {}, which cannot be reached from layer {}",
                i + 1,
                list(ends.iter().map(layer), "or"),
                layer(&stuck)
            );
            report.error(goal.span.clone(), message).help("add a connector between the layers");
        }
    }

    /// The floors a goal can lead to; none if it can be pursued anywhere.
    fn ends(&self, aim: &Aim) -> BTreeSet<LayerId> {
        match *aim {
            Aim::Seek { layer, .. } => BTreeSet::from([layer]),
            Aim::Follow { ref line, .. } => line.iter().map(|stop| stop.0).collect(),
            Aim::SeekRandom { region, .. } | Aim::SeekRegion { region } => {
                self.world.region(region).map(|region| region.layer).into_iter().collect()
            }
            Aim::SeekNearest { ref regions } => {
                let regions = regions.iter().filter_map(|&region| self.world.region(region));
                regions.map(|region| region.layer).collect()
            }
            Aim::SeekTarget { target, .. } => self.whereabouts(target),
            _ => BTreeSet::new(),
        }
    }

    fn whereabouts(&self, target: Target) -> BTreeSet<LayerId> {
        match target {
            Target::Group(GroupId(group)) => self.starts[group as usize].clone(),
            Target::Person { group: GroupId(group), index } => self.groups[group as usize]
                .people
                .get(index as usize)
                .map(|person| person.layer)
                .into_iter()
                .collect(),
        }
    }

    fn same_set(&self, a: LayerId, b: LayerId) -> bool {
        self.set[a.0 as usize] == self.set[b.0 as usize]
    }
}

/// Whether `person` differs from its group in what it wants.
fn has_own_plan(person: &Person) -> bool {
    person.goals.is_some() || person.then.is_some()
}

fn has_anonymous(group: &Group) -> bool {
    !group.crowds.is_empty() || !group.sources.is_empty()
}

/// The floors on which people of `group` appear.
fn starts(group: &Group, world: &World) -> BTreeSet<LayerId> {
    anonymous_starts(group, world).chain(group.people.iter().map(|person| person.layer)).collect()
}

/// The floors on which those appear who follow the group's goals.
fn starts_of_followers(group: &Group, world: &World) -> BTreeSet<LayerId> {
    let followers = group.people.iter().filter(|person| person.goals.is_none());
    anonymous_starts(group, world).chain(followers.map(|person| person.layer)).collect()
}

fn anonymous_starts(group: &Group, world: &World) -> impl Iterator<Item = LayerId> {
    let crowds = group.crowds.iter().map(|crowd| crowd.region);
    let regions = crowds.chain(group.sources.iter().map(|source| source.region));
    regions.filter_map(|region| world.region(region)).map(|region| region.layer)
}

fn check_repeat(goals: &[Goal], then: Then, span: &Span, who: &str, report: &mut Report) {
    if then == Then::Repeat && goals.iter().all(|goal| goal.duration == 0.0) {
        let message = match goals {
            [] => format!("{who} has no goals to repeat"),
            _ => format!("{who} repeats goals that take no time"),
        };
        let help = "add a goal that takes time, e.g. { idle = 5 }, or write then = \"stay\"";
        report.error(goals.first().map_or(span, |goal| &goal.span).clone(), message).help(help);
    }
}

/// Numbers the sets of floors that `connectors` join.
fn connected_sets(floors: usize, connectors: &[Connector]) -> Vec<usize> {
    let mut set: Vec<usize> = (0..floors).collect();
    for connector in connectors {
        let (one, other) = (set[connector.lower.0 as usize], set[connector.upper.0 as usize]);
        set.iter_mut().filter(|set| **set == other).for_each(|set| *set = one);
    }
    set
}
