//! Whether everyone has room.

use glam::Vec2;

use super::super::report::Report;
use super::super::{Group, LayerId, MAX_PEOPLE, Region, Settings, Span, file};
use super::groups::called_person;
use super::solids::Conflict;
use super::{World, inside, named_obstacle, shown};
use crate::Obstacle;

/// Overlaps up to this are not worth an error, m: round obstacles are up to 1 cm too large.
const TOUCH: f32 = 0.01;

/// A listed person's place at the start.
pub struct Standing {
    pub position: Vec2,
    /// As small as the person can be.
    pub radius: f32,
    pub layer: LayerId,
    /// Where the position stands in the file.
    pub span: Span,
    /// Indices in the file.
    pub group: usize,
    pub index: usize,
}

/// Reports listed people who stand in a wall or on one another.
pub fn check_listed(
    people: &[Standing],
    file: &file::SceneFile,
    world: &World,
    obstacles: &[Obstacle],
    report: &mut Report,
) {
    let called = |person: &Standing| called_person(&file.groups[person.group], person.index);
    for person in people {
        if let Some(wall) = wall_at(person, world, obstacles) {
            let message = format!("{} stands {wall}", called(person));
            let help = format!("keep at least the person's radius of {} m away", person.radius);
            report.error(person.span.clone(), message).help(help);
        }
    }
    for (person, other) in overlaps(people) {
        let message = format!(
            "{} at {} stands on {} at {}",
            called(person),
            shown(person.position),
            called(other),
            shown(other.position)
        );
        let gap = person.radius + other.radius;
        report.error(person.span.clone(), message).help(format!("keep them {gap} m apart"));
    }
}

/// What `person` stands in or too near to.
fn wall_at(person: &Standing, world: &World, obstacles: &[Obstacle]) -> Option<String> {
    let radius = (person.radius - TOUCH).max(0.0);
    if world.closed && !world.bounds.grown(-radius).contains(person.position) {
        return Some("too near the border of the closed world".into());
    }
    world.solids.conflict(person.layer, person.position, radius).map(|conflict| match conflict {
        Conflict::Inside(index) => inside(obstacles, index),
        Conflict::Near(index) => format!("too near {}", named_obstacle(obstacles, index)),
    })
}

/// For each person who overlaps an earlier one, one of those.
///
/// A sweep along the axis on which people are spread wider.
fn overlaps(people: &[Standing]) -> Vec<(&Standing, &Standing)> {
    let wide = throng_base::Bounds::around(people.iter().map(|person| person.position))
        .is_none_or(|bounds| bounds.size().x >= bounds.size().y);
    let along = |person: &Standing| if wide { person.position.x } else { person.position.y };
    let mut order: Vec<&Standing> = people.iter().collect();
    order.sort_by(|p, q| (along(p) - p.radius).total_cmp(&(along(q) - q.radius)));
    let mut found = Vec::new();
    for (rank, person) in order.iter().enumerate() {
        let end = along(person) + person.radius;
        let overlapping = order[rank + 1..]
            .iter()
            .take_while(|other| along(other) - other.radius < end)
            .find(|other| overlap(person, other));
        if let Some(other) = overlapping {
            let earlier = person.span.start < other.span.start;
            found.push(if earlier { (*other, *person) } else { (*person, *other) });
        }
    }
    found
}

fn overlap(a: &Standing, b: &Standing) -> bool {
    let apart = (a.radius + b.radius - TOUCH).max(0.0);
    a.layer == b.layer && a.position.distance_squared(b.position) < apart * apart
}

/// Reports crowds that do not fit, and more people than anyone can simulate.
pub fn check_counts(groups: &[Group], world: &World, settings: &Settings, report: &mut Report) {
    let rooms: Vec<Option<Room>> =
        world.regions.iter().map(|region| region.as_ref().map(Room::of)).collect();
    let mut filled = vec![0.0; rooms.len()];
    let mut total: u64 = groups.iter().map(|group| group.people.len() as u64).sum();
    for group in groups {
        for crowd in &group.crowds {
            let index = crowd.region.0 as usize;
            let Some(room) = &rooms[index] else { continue };
            let fitting = room.discs(group.radii()[0]);
            let taken = &mut filled[index];
            let left = ((1.0 - *taken) * fitting).max(0.0).floor();
            *taken += f64::from(crowd.count) / fitting;
            if f64::from(crowd.count) > left {
                let message = format!(
                    "a crowd of {} people of group {:?} does not fit into region {:?}",
                    crowd.count, group.name, room.name
                );
                let help = format!("there is room for {left} at most; enlarge the region");
                report.error(crowd.span.clone(), message).help(help);
            }
            total = count(total, u64::from(crowd.count), crowd.span.clone(), report);
        }
        for source in &group.sources {
            total = count(
                total,
                source.expected_arrivals(settings.duration),
                source.span.clone(),
                report,
            );
        }
    }
}

/// Adds `more` people, and reports when that makes too many.
fn count(total: u64, more: u64, span: Span, report: &mut Report) -> u64 {
    let sum = total.saturating_add(more);
    if total <= MAX_PEOPLE && sum > MAX_PEOPLE {
        let message = format!("with this, the scene has {sum} people");
        report.error(span, message).help(format!("{MAX_PEOPLE} is the most"));
    }
    sum
}

/// How much room a region has.
struct Room<'r> {
    name: &'r str,
    area: f64,
    perimeter: f64,
}

impl<'r> Room<'r> {
    fn of(region: &'r Region) -> Self {
        let edges = region.polygon.edges();
        Self {
            name: &region.name,
            area: region.polygon.area().into(),
            perimeter: edges.map(|(a, b)| f64::from(a.distance(b))).sum(),
        }
    }

    /// How many discs could at best have their centres here without overlapping: the area within
    /// `radius` of the region, by the area of a disc.
    fn discs(&self, radius: f32) -> f64 {
        let radius = f64::from(radius);
        let disc = std::f64::consts::PI * radius * radius;
        ((self.area + self.perimeter * radius + disc) / disc).floor()
    }
}
