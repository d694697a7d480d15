//! From XML to what a test case says, with its place in the file.

use glam::{DVec2, DVec3};
use roxmltree::{Document, Node, ParsingOptions};
use throng_world::scene::{Camera, MAX_CAMERAS, MAX_RADIUS, MAX_SPEED, Span};

use super::notes::{Extent, Notes, elements, span, tag, text};
use crate::exchange::{cameras, shown};

/// More elements and texts are no test case.
const MOST_NODES: u32 = 5_000_000;
/// More agents would take minutes to place, and a file that would hold them is refused anyway.
const MOST_AGENTS: u32 = 100_000;
/// More obstacles would make ways slow to find.
const MOST_OBSTACLES: u32 = 20_000;
/// What SteerSuite takes for no limit, s; and what is longer.
const NO_LIMIT: f64 = 1e5;

/// What a test case says.
pub(super) struct Draft {
    pub name: String,
    pub description: String,
    pub criteria: String,
    pub bounds: Extent,
    pub bounds_span: Span,
    pub cameras: Vec<Camera>,
    pub agents: Vec<Agent>,
    pub crowds: Vec<AgentRegion>,
    pub obstacles: Vec<Solid>,
    pub scattered: Vec<ObstacleRegion>,
}

/// Somebody. What is `None` is random.
pub(super) struct Agent {
    pub name: Option<String>,
    pub position: Option<DVec2>,
    pub start: Start,
    pub goals: Vec<GoalDraft>,
    pub span: Span,
}

/// How people begin.
pub(super) struct Start {
    pub radius: f64,
    /// A unit vector; `None` is random.
    pub direction: Option<DVec2>,
    pub speed: f64,
}

pub(super) struct AgentRegion {
    pub count: u32,
    pub bounds: Extent,
    pub start: Start,
    pub goals: Vec<GoalDraft>,
    pub span: Span,
}

pub(super) struct ObstacleRegion {
    pub count: u32,
    pub bounds: Extent,
    pub size: f64,
    pub height: f64,
    pub span: Span,
}

/// An obstacle.
pub(super) struct Solid {
    pub shape: SolidShape,
    pub height: f64,
    pub span: Span,
}

pub(super) enum SolidShape {
    Box(Extent),
    Circle {
        center: DVec2,
        radius: f64,
    },
    /// With the angle counter-clockwise, degrees.
    Oriented {
        center: DVec2,
        size: DVec2,
        angle: f64,
    },
    Polygon(Vec<DVec2>),
}

pub(super) struct GoalDraft {
    pub aim: AimDraft,
    pub speed: Option<f64>,
    /// s; `None` is without limit.
    pub duration: Option<f64>,
    pub span: Span,
}

/// What is wanted. What is `None` is random.
pub(super) enum AimDraft {
    Seek(Option<DVec2>),
    SeekBox(Extent),
    Flee(Option<DVec2>),
    SeekSomebody(Option<String>),
    FleeSomebody(Option<String>),
    Flow(Option<DVec2>),
    FollowCrowd,
    Idle,
}

/// Reads a test case, as far as that is possible.
pub(super) fn parse(text: &str, notes: &mut Notes) -> Option<Draft> {
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(text, options) {
        Ok(document) => document,
        Err(error) => {
            let pos = error.pos();
            let place = offset_of(text, pos.row, pos.col);
            notes.error(
                place..place + 1,
                error.to_string(),
                "it must be well-formed XML without a DTD",
            );
            return None;
        }
    };
    let root = document.root_element();
    if !matches!(tag(root), "SteerBenchTestCase" | "SteerSuiteSubSpace") {
        let message = format!("<{}> is no test case of SteerSuite", tag(root));
        notes.error(span(root), message, "the root of one is <SteerBenchTestCase>");
        return None;
    }
    let header = notes.child(root, "header")?;
    let mut draft = self::header(header, notes)?;
    for node in elements(root) {
        match tag(node) {
            "header" => {}
            "suggestedCameraView" => draft.cameras.extend(camera(node, notes)),
            "agent" => draft.agents.extend(agent(node, notes)),
            "agentRegion" => draft.crowds.extend(agent_region(node, notes)),
            "obstacle" => draft.obstacles.extend(obstacle(node, notes)),
            "circleObstacle" => draft.obstacles.extend(circle(node, notes)),
            "orientedBoxObstacle" => draft.obstacles.extend(oriented(node, notes)),
            "polygonObstacle" => draft.obstacles.extend(polygon(node, notes)),
            "obstacleRegion" => draft.scattered.extend(obstacle_region(node, notes)),
            other => {
                notes.warn(&span(node), format!("<{other}> is not known, and left out"));
            }
        }
    }
    if draft.cameras.len() > MAX_CAMERAS {
        let message = format!("of its views, the first {MAX_CAMERAS} are kept");
        notes.warn(&span(root), message);
        draft.cameras.truncate(MAX_CAMERAS);
    }
    let most = |what: &str, count: u64, most: u32, notes: &mut Notes| {
        if count > u64::from(most) {
            let message = format!("there are {count} {what}, and {most} is the most");
            notes.error(span(root), message, "leave some out");
        }
    };
    let crowds = draft.crowds.iter().map(|crowd| u64::from(crowd.count)).sum::<u64>();
    most("agents", draft.agents.len() as u64 + crowds, MOST_AGENTS, notes);
    let scattered = draft.scattered.iter().map(|region| u64::from(region.count)).sum::<u64>();
    most("obstacles", draft.obstacles.len() as u64 + scattered, MOST_OBSTACLES, notes);
    Some(draft)
}

fn header(node: Node, notes: &mut Notes) -> Option<Draft> {
    notes.expect(node, &["version", "name", "worldBounds", "description", "passingCriteria"]);
    if let Some(version) = notes.child(node, "version") {
        let found = text(version);
        if !matches!(found.as_str(), "1.0" | "1.1" | "1.2") {
            let message = format!("the test case is of version {}", shown(&found));
            notes.error(span(version), message, "versions 1.0 to 1.2 can be read");
        }
    }
    let name = notes.child(node, "name").map(text).unwrap_or_default();
    let bounds_node = notes.child(node, "worldBounds")?;
    let bounds = notes.bounds(bounds_node)?;
    if !bounds.has_area() {
        let message = "<worldBounds> have no area".to_owned();
        notes.error(span(bounds_node), message, "let max be larger than min");
        return None;
    }
    let optional = |name: &str, notes: &mut Notes| {
        let words = notes.optional(node, name).map(text).unwrap_or_default();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    Some(Draft {
        name,
        description: optional("description", notes),
        criteria: optional("passingCriteria", notes),
        bounds,
        bounds_span: span(bounds_node),
        cameras: Vec::new(),
        agents: Vec::new(),
        crowds: Vec::new(),
        obstacles: Vec::new(),
        scattered: Vec::new(),
    })
}

/// A view. Scenes have upright ones only.
fn camera(node: Node, notes: &mut Notes) -> Option<Camera> {
    notes.expect(node, &["position", "lookat", "up", "fovy"]);
    let mut point = |name: &str| {
        let child = notes.child(node, name)?;
        let (at, height) = notes.point(child)?;
        Some(DVec3::new(at.x, at.y, height))
    };
    let (position, look_at, up) = (point("position"), point("lookat"), point("up"));
    let field = match notes.optional(node, "fovy") {
        Some(field) => Some(notes.number(field)?),
        None => None,
    };
    let (position, look_at, up) = (position?.as_vec3(), look_at?.as_vec3(), up?);
    let (field_of_view, is_exact) = cameras::usable_field(field);
    let camera = Camera { position, look_at, field_of_view };
    if cameras::usable([camera].into_iter()).is_empty() {
        notes.warn(&span(node), "a view looks at where it is from, and is left out");
        return None;
    }
    if !is_exact {
        let message = format!("<fovy> of a view becomes {field_of_view} degrees");
        notes.warn(&span(node), message);
    }
    // A view that is tilted sideways is set upright; how long the vector is means nothing.
    if up.truncate().length() > 1e-3 * up.length() || up.z <= 0.0 {
        notes.warn(&span(node), "a view is tilted; in the scene, it is upright");
    }
    Some(camera)
}

fn agent(node: Node, notes: &mut Notes) -> Option<Agent> {
    notes.expect(node, &["name", "initialConditions", "goalSequence"]);
    let name = notes.optional(node, "name").map(text).filter(|name| !name.is_empty());
    let conditions = notes.child(node, "initialConditions");
    let position = conditions.and_then(|conditions| {
        let position = notes.child(conditions, "position")?;
        notes.point_or_random(position)
    });
    let start = conditions.and_then(|conditions| start(conditions, notes));
    let goals = goals(node, notes);
    Some(Agent { name, position: position?, start: start?, goals: goals?, span: span(node) })
}

fn agent_region(node: Node, notes: &mut Notes) -> Option<AgentRegion> {
    notes.expect(node, &["numAgents", "regionBounds", "initialConditions", "goalSequence"]);
    let count = notes.count(node, "numAgents", MOST_AGENTS);
    let bounds = notes.child(node, "regionBounds").and_then(|bounds| notes.bounds(bounds));
    let conditions = notes.child(node, "initialConditions");
    let start = conditions.and_then(|conditions| start(conditions, notes));
    let goals = goals(node, notes);
    let (count, bounds, start) = (count?, bounds?, start?);
    let room = bounds.size().x * bounds.size().y;
    let taken = f64::from(count) * std::f64::consts::PI * start.radius.powi(2);
    if !bounds.has_area() || taken > room {
        let message = format!(
            "{count} agents of radius {} do not fit into a region of {room:.1} m²",
            start.radius
        );
        notes.error(span(node), message, "make the region larger, or put fewer agents in it");
        return None;
    }
    Some(AgentRegion { count, bounds, start, goals: goals?, span: span(node) })
}

fn start(node: Node, notes: &mut Notes) -> Option<Start> {
    notes.expect(node, &["position", "direction", "radius", "speed"]);
    let radius = notes.child(node, "radius").and_then(|child| {
        let radius = notes.number(child)?;
        if !(radius > 0.0 && radius <= MAX_RADIUS) {
            let message = format!("<radius> is {radius}");
            let help = format!("write a number above 0 and up to {MAX_RADIUS} (m), e.g. 0.5");
            notes.error(span(child), message, &help);
            return None;
        }
        Some(radius)
    });
    let direction = notes.child(node, "direction").and_then(|child| {
        let direction = notes.point_or_random(child)?;
        unit(direction, child, notes)
    });
    let speed = notes.number_within(node, "speed", 0.0..=MAX_SPEED);
    Some(Start { radius: radius?, direction: direction?, speed: speed? })
}

/// A direction of length 1.
fn unit(direction: Option<DVec2>, node: Node, notes: &mut Notes) -> Option<Option<DVec2>> {
    let Some(direction) = direction else { return Some(None) };
    let unit = direction.try_normalize();
    if unit.is_none() {
        let message = format!("<{}> leads nowhere on the ground", tag(node));
        notes.error(span(node), message, "write a direction in x and z");
    }
    unit.map(Some)
}

fn goals(node: Node, notes: &mut Notes) -> Option<Vec<GoalDraft>> {
    let sequence = notes.child(node, "goalSequence")?;
    let mut goals = Vec::new();
    let mut sound = true;
    for node in elements(sequence) {
        match goal(node, notes) {
            Some(goal) => goals.push(goal),
            None => sound = false,
        }
    }
    if goals.is_empty() && sound {
        let message = "<goalSequence> has no goal";
        notes.error(span(sequence), message, "add one, e.g. a <seekStaticTarget>");
        return None;
    }
    sound.then_some(goals)
}

/// What goals may say. SteerSuite writes all of it in every goal, whatever its kind.
const GOAL_PARTS: [&str; 9] = [
    "targetLocation",
    "targetDirection",
    "targetName",
    "random",
    "type",
    "flowType",
    "goalRegionBounds",
    "desiredSpeed",
    "timeDuration",
];

fn goal(node: Node, notes: &mut Notes) -> Option<GoalDraft> {
    notes.expect(node, &GOAL_PARTS);
    let aim = aim(node, notes);
    let speed = notes.optional(node, "desiredSpeed");
    let speed = match speed.map(|child| (child, notes.number(child))) {
        None => Some(None),
        Some((_, None)) => None,
        Some((child, Some(speed))) if !(0.0..=MAX_SPEED).contains(&speed) => {
            let help = format!("write a number from 0 to {MAX_SPEED} (m/s), e.g. 1.3");
            notes.error(span(child), format!("<desiredSpeed> is {speed}"), &help);
            None
        }
        Some((child, Some(0.0))) => {
            if tag(node) != "idle" {
                let message = "<desiredSpeed> is 0, and left out: people have a speed of their own";
                notes.warn(&span(child), message);
            }
            Some(None)
        }
        Some((_, speed)) => Some(speed),
    };
    let duration = notes.optional(node, "timeDuration");
    let duration = match duration.map(|child| (child, notes.number(child))) {
        None => Some(None),
        Some((_, None)) => None,
        Some((child, Some(duration))) if duration <= 0.0 => {
            let message = format!("<timeDuration> is {duration}");
            notes.error(span(child), message, "write a time above 0 (s), e.g. 1000");
            None
        }
        Some((_, duration)) => Some(duration.filter(|duration| *duration < NO_LIMIT)),
    };
    Some(GoalDraft { aim: aim?, speed: speed?, duration: duration?, span: span(node) })
}

fn aim(node: Node, notes: &mut Notes) -> Option<AimDraft> {
    match tag(node) {
        "seekStaticTarget" => location(node, notes).map(AimDraft::Seek),
        "fleeStaticTarget" => location(node, notes).map(AimDraft::Flee),
        "seekDynamicTarget" => somebody(node, notes).map(AimDraft::SeekSomebody),
        "fleeDynamicTarget" => somebody(node, notes).map(AimDraft::FleeSomebody),
        "flowStaticDirection" => {
            let child = notes.child(node, "targetDirection")?;
            let direction = notes.point_or_random(child)?;
            unit(direction, child, notes).map(AimDraft::Flow)
        }
        "flowDynamicDirection" => {
            let kind = notes.child(node, "type")?;
            match text(kind).as_str() {
                "FOLLOW_CROWD" => {}
                "BOIDS" => notes.warn(
                    &span(kind),
                    "BOIDS becomes a goal to walk the way the people around walk; they do not flock",
                ),
                "ADVECT" | "OTHER" => {
                    let message = format!("a test case does not say what {} flows by", text(kind));
                    notes.error(span(kind), message, "write FOLLOW_CROWD, or a fixed direction");
                    return None;
                }
                other => {
                    let message = format!("<type> is {}", shown(other));
                    notes.error(span(kind), message, "write FOLLOW_CROWD, BOIDS, ADVECT or OTHER");
                    return None;
                }
            }
            Some(AimDraft::FollowCrowd)
        }
        "seekAxisAlignedBoxRegion" => {
            let child = notes.child(node, "goalRegionBounds")?;
            let bounds = notes.bounds(child)?;
            if !bounds.has_area() {
                notes.error(span(child), "the region of a goal has no area", "make it larger");
                return None;
            }
            Some(AimDraft::SeekBox(bounds))
        }
        "idle" => Some(AimDraft::Idle),
        other => {
            let message = format!("<{other}> is no goal that is known");
            let help = "goals are seekStaticTarget, fleeStaticTarget, seekDynamicTarget, \
                        fleeDynamicTarget, flowStaticDirection, flowDynamicDirection, \
                        seekAxisAlignedBoxRegion and idle";
            notes.error(span(node), message, help);
            None
        }
    }
}

/// A point of a goal, or a random one.
fn location(node: Node, notes: &mut Notes) -> Option<Option<DVec2>> {
    if is_random(node, notes)? {
        return Some(None);
    }
    let child = notes.child(node, "targetLocation")?;
    notes.point_or_random(child)
}

/// Whom a goal names, or somebody at random.
fn somebody(node: Node, notes: &mut Notes) -> Option<Option<String>> {
    if is_random(node, notes)? {
        return Some(None);
    }
    let child = notes.child(node, "targetName")?;
    let name = text(child);
    if name.is_empty() {
        notes.error(span(child), "<targetName> is empty", "write the name of an agent");
        return None;
    }
    Some(Some(name))
}

fn is_random(node: Node, notes: &mut Notes) -> Option<bool> {
    notes.optional(node, "random").map_or(Some(false), |random| notes.flag(random))
}

fn obstacle(node: Node, notes: &mut Notes) -> Option<Solid> {
    let bounds = notes.bounds(node)?;
    if !bounds.has_area() {
        notes.warn(&span(node), "an <obstacle> has no area, and is left out");
        return None;
    }
    Some(Solid { shape: SolidShape::Box(bounds), height: bounds.height, span: span(node) })
}

fn circle(node: Node, notes: &mut Notes) -> Option<Solid> {
    notes.expect(node, &["position", "radius", "height"]);
    let position = notes.child(node, "position").and_then(|child| notes.point(child));
    let radius = notes.number_within(node, "radius", 0.001..=1000.0);
    let height = match notes.optional(node, "height") {
        Some(height) => notes.number(height)?,
        None => 0.0,
    };
    let shape = SolidShape::Circle { center: position?.0, radius: radius? };
    Some(Solid { shape, height, span: span(node) })
}

fn oriented(node: Node, notes: &mut Notes) -> Option<Solid> {
    notes.expect(node, &["position", "size", "thetaY"]);
    let position = notes.child(node, "position").and_then(|child| notes.point(child));
    let size_node = notes.child(node, "size");
    let size = size_node.and_then(|child| notes.point(child));
    let angle = notes.child_number(node, "thetaY");
    let (size, height) = size?;
    if size.min_element() <= 0.0 {
        notes.warn(&span(node), "an <orientedBoxObstacle> has no area, and is left out");
        return None;
    }
    // Seen from above with z upwards, an angle about y is clockwise.
    let shape = SolidShape::Oriented { center: position?.0, size, angle: -angle? };
    Some(Solid { shape, height, span: span(node) })
}

fn polygon(node: Node, notes: &mut Notes) -> Option<Solid> {
    notes.expect(node, &["vertex"]);
    let vertices = elements(node).filter(|child| tag(*child) == "vertex");
    let points = vertices.map(|vertex| notes.point(vertex).map(|(at, _)| at));
    let points: Vec<DVec2> = points.collect::<Option<_>>()?;
    if points.len() < 3 {
        notes.error(span(node), "a polygon has at least three corners", "add a <vertex>");
        return None;
    }
    Some(Solid { shape: SolidShape::Polygon(points), height: 0.0, span: span(node) })
}

fn obstacle_region(node: Node, notes: &mut Notes) -> Option<ObstacleRegion> {
    notes.expect(node, &["numObstacles", "regionBounds", "obstacleSize", "obstacleHeight"]);
    let count = notes.count(node, "numObstacles", MOST_OBSTACLES);
    let bounds = notes.child(node, "regionBounds").and_then(|bounds| notes.bounds(bounds));
    let size = notes.number_within(node, "obstacleSize", 0.001..=10_000.0);
    let height = notes.child_number(node, "obstacleHeight");
    let (count, bounds, size) = (count?, bounds?, size?);
    let room = bounds.size().x * bounds.size().y;
    if bounds.size().min_element() < size || f64::from(count) * size * size > room {
        let message =
            format!("{count} obstacles of {size} m do not fit into a region of {room:.1} m²");
        notes.error(span(node), message, "make the region larger, or put fewer into it");
        return None;
    }
    Some(ObstacleRegion { count, bounds, size, height: height?, span: span(node) })
}

/// Where a row and a column are, both from 1.
fn offset_of(text: &str, row: u32, column: u32) -> usize {
    let lines = text.split_inclusive('\n').take(row.saturating_sub(1) as usize);
    let line: usize = lines.map(str::len).sum();
    let before = text[line..].chars().take(column.saturating_sub(1) as usize);
    line + before.map(char::len_utf8).sum::<usize>()
}
