//! Which twins are to be seen.

use glam::Vec3;
use serde::Serialize;

use super::descriptor::Descriptor;
use super::library::Library;
use super::neighbours::Neighbours;
use super::sameness::{Seen, cost, in_step};
use crate::bodies::{Cast, Look, Member};

/// Somebody who is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sighting {
    /// Who.
    pub person: u32,
    /// How they look.
    pub descriptor: Descriptor,
    /// Where: on the ground, and its height, m.
    pub place: Vec3,
    /// How tall they are, m.
    pub height: f32,
    /// What they play, if they move.
    pub stride: Option<Stride>,
}

/// Where somebody is in what they play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stride {
    /// The clip, as a number in what those of the same body can do.
    pub clip: usize,
    /// How far it has come, from 0 to 1.
    pub phase: f32,
}

impl Sighting {
    /// One of an ensemble with this cast.
    pub fn of(cast: &Cast, member: &Member) -> Self {
        let place = member.position().extend(member.placement().translation.y);
        let look = cast.looks().get(member.role.look);
        let moves = member.played().filter(|played| played.velocity.length() > 0.0);
        Self {
            person: member.id,
            descriptor: member.role,
            place,
            height: look.map_or(0.0, Look::height) * member.role.scale,
            stride: moves.map(|played| Stride { clip: played.part, phase: played.phase }),
        }
    }
}

/// From where people are seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloneView {
    /// On the ground, and the height, m.
    pub eye: Vec3,
    /// How many pixels high something is that is as high as it is far away.
    pub focal: f32,
}

impl CloneView {
    /// From this height on people are seen as well as can be, px.
    const TALL: f32 = 120.0;
    /// Pairs this far apart are seen together by 1/e, rad.
    const APART: f32 = 0.349_065_85;

    /// How well a pair is seen, from 0 to 1 (`V`).
    fn of(&self, a: &Sighting, b: &Sighting) -> f32 {
        let ways = [a, b].map(|one| one.place - self.eye);
        let seen = [(a, ways[0]), (b, ways[1])].map(|(one, way)| {
            let pixels = self.focal * one.height / way.length().max(0.1);
            (pixels / Self::TALL).clamp(0.0, 1.0)
        });
        let apart = ways[0].angle_between(ways[1]);
        let together = if apart.is_finite() { (-apart / Self::APART).exp() } else { 1.0 };
        seen[0] * seen[1] * together
    }
}

/// Two people who are alike.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// Who, the lower id first.
    pub people: [u32; 2],
    /// What it costs that they are (`C`), from 0 to 1.
    pub cost: f32,
    /// How much alike they look (`S`).
    pub sameness: f32,
    /// How much they are in step (`M`).
    pub in_step: f32,
    /// How far they are apart, m.
    pub distance: f32,
    /// Halfway between them, on the ground, m.
    pub place: [f32; 2],
}

/// All pairs within `reach` metres, those who are most alike first; of equals those with the lowest ids. Without a
/// view, all of them are well seen.
pub fn clones(
    library: &Library,
    people: &[Sighting],
    reach: f32,
    view: Option<&CloneView>,
) -> Vec<Pair> {
    let places: Vec<Vec3> = people.iter().map(|one| one.place).collect();
    let seen: Vec<Seen> = people.iter().map(|one| Seen::of(library, &one.descriptor)).collect();
    let neighbours = Neighbours::new(&places);
    let mut pairs = Vec::new();
    for (index, one) in people.iter().enumerate().filter(|(_, one)| one.place.is_finite()) {
        neighbours.within(one.place, reach, |squared, other| {
            // Each pair once.
            if people[other].person <= one.person {
                return;
            }
            let together = (one, &people[other]);
            let sameness = seen[index].sameness(&seen[other]);
            let same_body = seen[index].body == seen[other].body;
            let in_step = if same_body { strides(together) } else { 0.0 };
            let visible = view.map_or(1.0, |view| view.of(one, &people[other]));
            let middle = 0.5 * (one.place + people[other].place);
            pairs.push(Pair {
                people: [one.person, people[other].person],
                cost: visible * cost(sameness, in_step),
                sameness,
                in_step,
                distance: squared.sqrt(),
                place: [middle.x, middle.y],
            });
        });
    }
    pairs.sort_unstable_by(|a, b| b.cost.total_cmp(&a.cost).then(a.people.cmp(&b.people)));
    pairs
}

fn strides((a, b): (&Sighting, &Sighting)) -> f32 {
    match (a.stride, b.stride) {
        (Some(a), Some(b)) if a.clip == b.clip => in_step(a.phase, b.phase),
        _ => 0.0,
    }
}
