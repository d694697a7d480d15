//! Where people want to go: arrows from goal to goal for groups, and a ring for each place.

use glam::Vec2;
use throng::Scene;
use throng::world::scene::{Aim, Goal, Group, LayerId, RegionId, Then};

use crate::draw::{Circle, Ink, Item, Path, Stroke};
use crate::ground::arrow_lines;
use crate::map::View;

/// With more legs than this, arrows are a thicket.
const MOST_LEGS: usize = 60;
/// How long the arrow of a direction is, on the page.
const DIRECTION: f32 = 45.0;

/// An arrow on the page.
pub(super) struct Leg {
    ink: Ink,
    pub(super) ends: [Vec2; 2],
}

/// Arrows along the goals of all groups; none if there would be too many.
pub(super) fn legs(scene: &Scene, layer: LayerId, view: &View) -> Vec<Leg> {
    let legs = scene.groups.iter().flat_map(|group| legs_of(scene, group, layer, view));
    let legs: Vec<Leg> = legs.take(MOST_LEGS + 1).collect();
    if legs.len() > MOST_LEGS { Vec::new() } else { legs }
}

/// The arrows `legs`, and rings at goals that are points.
pub(super) fn draw(scene: &Scene, layer: LayerId, view: &View, legs: &[Leg]) -> Vec<Item> {
    let mut items = Vec::new();
    for Leg { ink, ends: [from, to] } in legs {
        let mut lines = arrow_lines(*from, *to, 6.0);
        let tip = lines.split_off(1);
        let stroke = Stroke::solid(ink.with_opacity(0.9), 1.1);
        let shaft = Stroke { dash: Some([4.0, 3.0]), ..stroke };
        items.push(Path { lines, fill: None, stroke: Some(shaft) }.into());
        items.push(Path { lines: tip, fill: None, stroke: Some(stroke) }.into());
    }
    for (ink, point) in points(scene, layer) {
        let center = view.point(point);
        let (fill, stroke) = (Some(Ink::solid([0xff; 3])), Some(Stroke::solid(ink, 1.0)));
        items.push(Circle { center, radius: 2.2, fill, stroke }.into());
    }
    items
}

/// Points on a floor that someone wants to go to, with the colours of their groups.
pub(super) fn points(scene: &Scene, layer: LayerId) -> Vec<(Ink, Vec2)> {
    let mut points = Vec::new();
    for group in &scene.groups {
        let own = group.people.iter().filter_map(|person| person.goals.as_ref()).flatten();
        for goal in group.goals.iter().chain(own) {
            let end = match &goal.aim {
                Aim::Seek { point, layer, .. } => Some((*layer, *point)),
                Aim::Follow { line, .. } => line.last().copied(),
                _ => None,
            };
            points.extend(
                end.filter(|end| end.0 == layer).map(|end| (Ink::solid(group.color), end.1)),
            );
        }
    }
    points
}

/// The middle of a region, and its floor.
fn middle(scene: &Scene, id: RegionId) -> (LayerId, Vec2) {
    let region = &scene.regions[usize::from(id.0)];
    let bounds = region.polygon.bounds();
    (region.layer, (bounds.min + bounds.max) * 0.5)
}

/// The middles of the regions that a group comes from.
pub(crate) fn starts(scene: &Scene, group: &Group) -> Vec<(LayerId, Vec2)> {
    let mut starts = Vec::new();
    let regions = group.crowds.iter().map(|crowd| crowd.region);
    for id in regions.chain(group.sources.iter().map(|source| source.region)) {
        let start = middle(scene, id);
        if !starts.contains(&start) {
            starts.push(start);
        }
    }
    starts
}

/// Where a goal is: one place, or those along a line. None if nobody can tell.
pub(crate) fn places(scene: &Scene, goal: &Goal) -> Vec<(LayerId, Vec2)> {
    match &goal.aim {
        Aim::Seek { point, layer, .. } => vec![(*layer, *point)],
        Aim::SeekRegion { region } | Aim::SeekRandom { region, .. } => vec![middle(scene, *region)],
        Aim::Follow { line, .. } => line.clone(),
        _ => Vec::new(),
    }
}

/// From where a group comes from to its first goal, and from each goal to the next.
fn legs_of(scene: &Scene, group: &Group, layer: LayerId, view: &View) -> Vec<Leg> {
    let starts = starts(scene, group);
    let stops: Vec<(LayerId, Vec2)> =
        group.goals.iter().flat_map(|goal| places(scene, goal)).collect();
    let mut legs: Vec<[(LayerId, Vec2); 2]> = Vec::new();
    if let Some(&first) = stops.first() {
        legs.extend(starts.iter().map(|&start| [start, first]));
    }
    legs.extend(stops.windows(2).map(|ends| [ends[0], ends[1]]));
    if let (Then::Repeat, [first, .., last]) = (group.then, &stops[..]) {
        legs.push([*last, *first]);
    }
    let is_here = |leg: &[(LayerId, Vec2); 2]| leg.iter().all(|end| end.0 == layer);
    let on_page = |leg: [(LayerId, Vec2); 2]| leg.map(|end| view.point(end.1));
    let mut ends: Vec<[Vec2; 2]> = legs.into_iter().filter(is_here).map(on_page).collect();
    if let Some(Aim::Flow { direction }) = group.goals.first().map(|goal| &goal.aim) {
        // The next goal begins wherever the direction has led to, which nobody can draw.
        ends.clear();
        for &(_, start) in starts.iter().filter(|start| start.0 == layer) {
            let from = view.point(start);
            ends.push([from, from + Vec2::new(direction.x, -direction.y) * DIRECTION]);
        }
    }
    let ink = Ink::solid(group.color);
    ends.retain(|[from, to]| from.distance(*to) > 12.0);
    // Arrows stop short of the ring at their end.
    let leg = |[from, to]: [Vec2; 2]| Leg {
        ink,
        ends: [from, to + (from - to).normalize_or_zero() * 4.0],
    };
    ends.into_iter().map(leg).collect()
}
