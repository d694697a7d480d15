//! What a map shows of the world: the bounds, what is solid, and the stairs of one floor.

use glam::Vec2;
use throng::Scene;
use throng::base::{Bounds, Polygon};
use throng::world::scene::LayerId;
use throng::world::walkable::solids_around;
use throng::world::{Connector, ConnectorKind, Shape};

use crate::draw::{Item, Line, Path};
use crate::map::View;
use crate::style::{CLOSED_BORDER, CONNECTOR, CONNECTOR_FILL, DOOR, OBSTACLE, OBSTACLE_RIM};

/// One floor without its people.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub bounds: Bounds,
    /// Whether the border is a wall.
    pub closed: bool,
    /// What is always there.
    pub solids: Vec<Polygon>,
    /// What comes and goes: doors.
    doors: Vec<Polygon>,
    connectors: Vec<Connector>,
}

impl Ground {
    /// A floor of a scene.
    pub(crate) fn of_scene(scene: &Scene, layer: LayerId) -> Self {
        let here = || scene.obstacles.iter().filter(|obstacle| obstacle.layer == layer);
        let joins = |connector: &&Connector| connector.lower == layer || connector.upper == layer;
        Self {
            bounds: scene.bounds,
            closed: here().any(|obstacle| matches!(obstacle.shape, Shape::Border(_))),
            solids: here()
                .filter(|obstacle| obstacle.is_permanent())
                .flat_map(|obstacle| solids(&obstacle.shape, scene.bounds))
                .collect(),
            doors: here()
                .filter(|obstacle| !obstacle.is_permanent())
                .flat_map(|obstacle| obstacle.shape.solids())
                .collect(),
            connectors: scene.connectors.iter().filter(joins).cloned().collect(),
        }
    }

    /// A plane of which nothing is known but where people are.
    pub(crate) fn unknown(bounds: Bounds) -> Self {
        let (solids, doors, connectors) = (Vec::new(), Vec::new(), Vec::new());
        Self { bounds, closed: false, solids, doors, connectors }
    }

    /// The solids, doors lighter than walls, and the border if it is one.
    pub(crate) fn draw(&self, view: &View) -> Vec<Item> {
        let lines: Vec<Line> = self.solids.iter().map(|solid| view.outline(solid)).collect();
        let mut items = Vec::new();
        if !lines.is_empty() {
            // The rim goes first: where parts of a wall overlap, the next part hides it.
            let rim = Path { lines: lines.clone(), fill: None, stroke: Some(OBSTACLE_RIM) };
            items.push(rim.into());
            items.push(Path { lines, fill: Some(OBSTACLE), stroke: None }.into());
        }
        if !self.doors.is_empty() {
            let lines = self.doors.iter().map(|door| view.outline(door)).collect();
            items.push(Path { lines, fill: Some(DOOR), stroke: Some(OBSTACLE_RIM) }.into());
        }
        if self.closed {
            let border = Line::closed(view.rectangle(self.bounds).corners());
            items.push(Path::stroked(border, CLOSED_BORDER).into());
        }
        items
    }

    /// Stairs with their steps, and ramps with an arrow that points upwards.
    pub(crate) fn draw_connectors(&self, view: &View) -> Vec<Item> {
        let mut items = Vec::new();
        for connector in &self.connectors {
            let lines = vec![view.outline(&connector.polygon)];
            items.push(Path { lines, fill: Some(CONNECTOR_FILL), stroke: Some(CONNECTOR) }.into());
            let lines = match connector.kind {
                ConnectorKind::Stairs => steps(connector, view),
                ConnectorKind::Ramp => arrow(connector, view),
            };
            items.push(Path { lines, fill: None, stroke: Some(CONNECTOR) }.into());
        }
        items
    }
}

/// What is solid of an obstacle; of a plan, everything around it.
fn solids(shape: &Shape, bounds: Bounds) -> Vec<Polygon> {
    match shape {
        Shape::Plan(plan) => solids_around(&plan.areas(), bounds),
        shape => shape.solids().into_iter().collect(),
    }
}

/// Foot and head of a connector, with the ends of the head in the order of the foot's.
fn ends(connector: &Connector, view: &View) -> [[Vec2; 2]; 2] {
    let (a, b) = connector.edge(connector.lower_edge);
    let (c, d) = connector.edge(connector.upper_edge);
    // Both edges run counter-clockwise, so in opposite directions.
    [[a, b], [d, c]].map(|edge| edge.map(|corner| view.point(corner)))
}

fn steps(connector: &Connector, view: &View) -> Vec<Line> {
    const TREAD: f32 = 5.0;
    let [foot, head] = ends(connector, view);
    let length = foot[0].distance(head[0]).max(foot[1].distance(head[1]));
    let count = (length / TREAD).clamp(1.0, 200.0) as usize;
    let step = |i: usize| {
        let t = i as f32 / count as f32;
        Line::open([foot[0].lerp(head[0], t), foot[1].lerp(head[1], t)])
    };
    (1..count).map(step).collect()
}

fn arrow(connector: &Connector, view: &View) -> Vec<Line> {
    let [foot, head] = ends(connector, view).map(|[a, b]| (a + b) * 0.5);
    arrow_lines(foot.lerp(head, 0.15), foot.lerp(head, 0.85), 6.0)
}

/// A shaft from `from` to `to` and the two strokes of its tip.
pub(crate) fn arrow_lines(from: Vec2, to: Vec2, tip: f32) -> Vec<Line> {
    let back = (from - to).normalize_or_zero() * tip;
    let side = back.perp() * 0.5;
    vec![Line::open([from, to]), Line::open([to + back + side, to, to + back - side])]
}
