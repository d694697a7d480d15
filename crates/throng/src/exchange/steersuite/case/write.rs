//! A settled test case as a scene file.

use glam::DVec2;
use throng_world::scene::Span;
use throng_world::scene::file::{
    At, Goal, Group, Obstacle, Person, Point, Rectangle, Region, SceneFile, Then, Whom, at, given,
    list,
};

use super::notes::Extent;
use super::parse::{Solid, SolidShape};
use super::settle::{Settled, SettledAgent, SettledAim, SettledCrowd, SettledGoal};
use crate::exchange::{cameras, tidied};

/// The rate at which SteerSuite's own modules run, as a step, s.
const STEP: f64 = 0.05;
/// The longest anybody idles, s: longer than any simulation of a test case.
const LONGEST_IDLE: f64 = 1e5;
/// The region that goals at random places are drawn from.
const ANYWHERE: &str = "anywhere";

/// A scene file, and which of its stretches come from where in the test case. Later ones are about smaller parts.
pub(super) struct Written {
    pub text: String,
    pub marks: Vec<(Span, Span)>,
}

pub(super) fn write(settled: &Settled, file: &str, seed: u64) -> Written {
    let comment = |words: &str| format!("# {}\n", words.replace(char::is_control, " "));
    let mut head = comment(&format!("Made of SteerSuite's test case {file}."));
    if !settled.criteria.is_empty() {
        head += &comment(&format!("Passing criteria: {}", settled.criteria));
    }
    let regions = regions(settled);
    let mut scene = SceneFile::new(corners(&settled.bounds));
    let text = |text: &String| given(text.as_str()).filter(|_| !text.is_empty());
    (scene.name, scene.description) = (text(&settled.name), text(&settled.description));
    scene.simulation.step = given(STEP);
    scene.simulation.duration = given(settled.duration);
    scene.simulation.seed = given(seed as i64);
    scene.evaluation = cameras::table(&settled.cameras);
    scene.obstacles = list(settled.obstacles.iter().map(obstacle));
    scene.regions = list(regions.iter().map(|(region, _)| region.clone()));
    if !settled.agents.is_empty() {
        let people = list(settled.agents.iter().map(|agent| person(agent, settled)));
        scene.groups = list([Group { then: given(Then::Leave), people, ..Group::new("agents") }]);
    }
    let crowds = settled.crowds.iter().enumerate();
    scene.groups.extend(list(crowds.map(|(index, crowd)| group(index, crowd, settled))));
    let (text, placed) = scene.to_toml_with_places(&head);
    let marks = marks(&text, &placed, settled, regions.into_iter().map(|(_, span)| span));
    Written { text, marks }
}

/// Where the parts of the scene in `text` come from. `placed` has their places.
fn marks(
    text: &str,
    placed: &SceneFile,
    settled: &Settled,
    regions: impl Iterator<Item = Span>,
) -> Vec<(Span, Span)> {
    let mut marks = vec![(placed.world.bounds.span(), settled.bounds_span.clone())];
    let solids = settled.obstacles.iter().map(|solid| solid.span.clone());
    marks.extend(placed.obstacles.iter().map(At::span).zip(solids));
    marks.extend(placed.regions.iter().map(At::span).zip(regions));
    let mut groups = placed.groups.iter();
    let mut goals: Vec<(&At<Goal>, &SettledGoal)> = Vec::new();
    let people = groups.by_ref().take(usize::from(!settled.agents.is_empty()));
    for (person, agent) in people.flat_map(|group| &group.people).zip(&settled.agents) {
        marks.push((person.span(), agent.span.clone()));
        goals.extend(person.goals.iter().flat_map(|goals| goals.iter()).zip(&agent.goals));
    }
    for (group, crowd) in groups.zip(&settled.crowds) {
        marks.push((group.span(), crowd.span.clone()));
        goals.extend(group.goals.iter().flat_map(|goals| goals.iter()).zip(&crowd.goals));
    }
    marks.extend(goals.into_iter().map(|(goal, origin)| (goal.span(), origin.span.clone())));
    // A table with a header goes on to the next one.
    let mut headers: Vec<usize> = text.match_indices("\n[").map(|(at, _)| at).collect();
    headers.push(text.len());
    for (place, _) in &mut marks {
        if text[place.start..].starts_with("[[") && text[..place.start].ends_with('\n') {
            let next = headers.partition_point(|header| *header <= place.start);
            place.end = headers.get(next).copied().unwrap_or(place.end);
        }
    }
    marks
}

/// The regions that goals and crowds refer to, and where each comes from.
fn regions(settled: &Settled) -> Vec<(Region, Span)> {
    let everyone = || {
        let agents = settled.agents.iter().flat_map(|agent| &agent.goals);
        agents.chain(settled.crowds.iter().flat_map(|crowd| &crowd.goals))
    };
    let region = |name: &str, bounds: &Extent, span: &Span| {
        (Region::rectangle(name, corners(bounds)), span.clone())
    };
    let mut regions = Vec::new();
    if everyone().any(|goal| matches!(goal.aim, SettledAim::SeekAnywhere)) {
        regions.push(region(ANYWHERE, &settled.bounds, &settled.bounds_span));
    }
    for goal in everyone() {
        if let SettledAim::SeekBox(bounds) = &goal.aim {
            regions.push(region(&box_name(&goal.span), bounds, &goal.span));
        }
    }
    let crowds = settled.crowds.iter().enumerate();
    regions.extend(crowds.map(|(i, crowd)| region(&crowd_name(i), &crowd.bounds, &crowd.span)));
    regions
}

fn person(agent: &SettledAgent, settled: &Settled) -> Person {
    let SettledAgent { name, position, direction, speed, radius, goals, .. } = agent;
    let velocity = given(point(*direction * *speed)).filter(|_| *speed > 0.0);
    Person {
        name: name.as_deref().and_then(given),
        velocity,
        heading: given(number(direction.to_angle().to_degrees())),
        speed: preferred_speed(goals).and_then(given),
        radius: given(*radius),
        goals: given(list(goals.iter().map(|wanted| goal(wanted, settled)))),
        ..Person::new(point(*position))
    }
}

fn group(index: usize, crowd: &SettledCrowd, settled: &Settled) -> Group {
    let name = crowd_name(index);
    let goals = crowd.goals.iter().map(|wanted| goal(wanted, settled));
    Group {
        radius: given(crowd.radius),
        speed: preferred_speed(&crowd.goals).and_then(given),
        then: given(Then::Leave),
        ..Group::new(&name).goals(goals).crowd(crowd.count, &name)
    }
}

/// The speed that people prefer: that of the first goal that has one.
fn preferred_speed(goals: &[SettledGoal]) -> Option<f64> {
    let moving = goals.iter().filter(|goal| !matches!(goal.aim, SettledAim::Idle));
    moving.filter_map(|goal| goal.speed).next()
}

fn goal(goal: &SettledGoal, settled: &Settled) -> Goal {
    let person = |agent: usize| {
        let name = settled.agents[agent].name.as_deref().unwrap_or_default();
        Whom { person: given(name), ..Whom::default() }
    };
    let group = |crowd: usize| Whom { group: given(crowd_name(crowd)), ..Whom::default() };
    let aim = match &goal.aim {
        SettledAim::Seek(place) => Goal::seek(point(*place)),
        SettledAim::SeekAnywhere => Goal::seek(Whom { random: given(ANYWHERE), ..Whom::default() }),
        SettledAim::SeekBox(_) => Goal::seek(box_name(&goal.span).as_str()),
        SettledAim::Flee(place) => Goal::flee(point(*place)),
        SettledAim::SeekAgent(agent) => Goal::seek(person(*agent)),
        SettledAim::FleeAgent(agent) => Goal::flee(person(*agent)),
        SettledAim::SeekCrowd(crowd) => Goal::seek(group(*crowd)),
        SettledAim::FleeCrowd(crowd) => Goal::flee(group(*crowd)),
        SettledAim::Flow(way) => Goal::flow(point(*way)),
        SettledAim::FollowCrowd => Goal::flow("crowd"),
        SettledAim::Idle => return Goal::idle(goal.duration.unwrap_or(LONGEST_IDLE)),
    };
    Goal { speed: goal.speed.and_then(given), duration: goal.duration.and_then(given), ..aim }
}

fn obstacle(solid: &Solid) -> Obstacle {
    let shape = match &solid.shape {
        SolidShape::Box(Extent { min, max, .. }) => {
            Obstacle::rectangle(point(0.5 * (*min + *max)), point(*max - *min))
        }
        SolidShape::Circle { center, radius } => Obstacle::circle(point(*center), *radius),
        SolidShape::Oriented { center, size, angle } => {
            let (center, size) = (point(*center), point(*size));
            let oriented = Rectangle { center: at(center), size: at(size), angle: given(*angle) };
            Obstacle { r#box: given(oriented), ..Obstacle::default() }
        }
        SolidShape::Polygon(points) => Obstacle::polygon(points.iter().map(|at| point(*at))),
    };
    let height = given(number(solid.height)).filter(|_| solid.height > 0.0);
    Obstacle { height, ..shape }
}

fn crowd_name(index: usize) -> String {
    format!("region {}", index + 1)
}

/// The name of the region of a goal, which is where it stands in the file.
fn box_name(span: &Span) -> String {
    format!("goal {}", span.start)
}

fn corners(bounds: &Extent) -> [Point; 2] {
    [bounds.min, bounds.max].map(point)
}

fn point(at: DVec2) -> Point {
    Point([number(at.x), number(at.y)])
}

/// A number without the digits that calculating with it has left.
fn number(value: f64) -> f64 {
    // Adding zero makes -0 a 0.
    tidied(value, 1e-9) + 0.0
}
