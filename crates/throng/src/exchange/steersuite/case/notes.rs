//! What is to be said about a test case, and reading its elements.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec2;
use roxmltree::Node;
use throng_world::scene::{MAX_COORDINATE, SceneSource, Span};
use throng_world::{SceneError, SceneErrors};

use super::CaseWarning;
use crate::exchange::shown;

/// Errors and warnings so far.
pub(super) struct Notes {
    source: Arc<SceneSource>,
    errors: Vec<SceneError>,
    warnings: Vec<CaseWarning>,
    /// Where each message is in `warnings`, and how often it came again.
    repeated: BTreeMap<String, (usize, u32)>,
}

impl Notes {
    pub(super) fn new(source: &Arc<SceneSource>) -> Self {
        let (errors, warnings, repeated) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { source: source.clone(), errors, warnings, repeated }
    }

    /// Something that keeps the test case from being a scene.
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>, help: &str) {
        // Nobody reads thousands of them, and they are sorted in the end.
        if self.errors.len() < 10 * SceneErrors::LIMIT {
            self.errors.push(SceneError::new(&self.source, span, message).with_help(help));
        }
    }

    /// Something that the scene cannot say. What is said again of another place is counted.
    pub(super) fn warn(&mut self, span: &Span, message: impl Into<String>) {
        let message = message.into();
        if let Some((_, again)) = self.repeated.get_mut(&message) {
            *again += 1;
            return;
        }
        let (line, column) = self.source.line_column(span.start);
        self.repeated.insert(message.clone(), (self.warnings.len(), 0));
        self.warnings.push(CaseWarning { file: self.source.name.clone(), line, column, message });
    }

    /// The result and all warnings, or all errors.
    pub(super) fn finish<T>(
        mut self,
        result: Option<T>,
    ) -> Result<(T, Vec<CaseWarning>), SceneErrors> {
        if result.is_none() && self.errors.is_empty() {
            self.error(0..0, "it cannot be made a scene", "check the file");
        }
        for (index, again) in self.repeated.into_values().filter(|(_, again)| *again > 0) {
            let places = if again == 1 { "place" } else { "places" };
            self.warnings[index].message += &format!(" (and in {again} more {places})");
        }
        match (SceneErrors::new(self.errors), result) {
            (None, Some(result)) => Ok((result, self.warnings)),
            (Some(errors), _) => Err(errors),
            // There is an error if there is no result.
            (None, None) => Err(SceneError::new(&self.source, 0..0, "it cannot be read").into()),
        }
    }

    /// The only child called `name`. None or several are errors.
    pub(super) fn child<'a, 'x>(&mut self, node: Node<'a, 'x>, name: &str) -> Option<Node<'a, 'x>> {
        let found = self.optional(node, name);
        if found.is_none() {
            let message = format!("<{}> has no <{name}>", tag(node));
            self.error(span(node), message, &format!("add a <{name}> to it"));
        }
        found
    }

    /// The first child called `name`. Several are an error.
    pub(super) fn optional<'a, 'x>(
        &mut self,
        node: Node<'a, 'x>,
        name: &str,
    ) -> Option<Node<'a, 'x>> {
        let mut found = elements(node).filter(|child| tag(*child) == name);
        let (first, second) = (found.next(), found.next());
        if let Some(second) = second {
            let message = format!("<{}> has two <{name}>", tag(node));
            self.error(span(second), message, "keep one of them");
        }
        first
    }

    /// Warns of children that are not in `known`.
    pub(super) fn expect(&mut self, node: Node, known: &[&str]) {
        for child in elements(node).filter(|child| !known.contains(&tag(*child))) {
            let message = format!("<{}> in <{}> is not known, and left out", tag(child), tag(node));
            self.warn(&span(child), message);
        }
    }

    /// The number in an element.
    pub(super) fn number(&mut self, node: Node) -> Option<f64> {
        let text = text(node);
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Some(number),
            _ => {
                let message = format!("<{}> is {}, not a number", tag(node), shown(&text));
                self.error(span(node), message, "write a number, e.g. 1.5");
                None
            }
        }
    }

    /// The number of a child that must be there.
    pub(super) fn child_number(&mut self, node: Node, name: &str) -> Option<f64> {
        let child = self.child(node, name)?;
        self.number(child)
    }

    /// A number of a child that must be there and lies in a range.
    pub(super) fn number_within(
        &mut self,
        node: Node,
        name: &str,
        range: std::ops::RangeInclusive<f64>,
    ) -> Option<f64> {
        let child = self.child(node, name)?;
        let number = self.number(child)?;
        if !range.contains(&number) {
            let message = format!("<{name}> is {number}");
            let help = format!("write a number from {} to {}", range.start(), range.end());
            self.error(span(child), message, &help);
            return None;
        }
        Some(number)
    }

    /// A count of a child that must be there.
    pub(super) fn count(&mut self, node: Node, name: &str, most: u32) -> Option<u32> {
        let child = self.child(node, name)?;
        let text = text(child);
        match text.parse::<u64>() {
            Ok(count) if count <= u64::from(most) => Some(count as u32),
            Ok(count) => {
                let message = format!("<{name}> is {count}, and {most} is the most");
                self.error(span(child), message, "write fewer");
                None
            }
            Err(_) => {
                let message = format!("<{name}> is {}, not a whole number", shown(&text));
                self.error(span(child), message, "write a whole number from 0 on");
                None
            }
        }
    }

    /// `true` or `false` in an element.
    pub(super) fn flag(&mut self, node: Node) -> Option<bool> {
        match text(node).as_str() {
            "true" => Some(true),
            "false" => Some(false),
            other => {
                let message = format!("<{}> is {}", tag(node), shown(other));
                self.error(span(node), message, "write true or false");
                None
            }
        }
    }

    /// x, y and z of an element, with z as y and y as height.
    pub(super) fn point(&mut self, node: Node) -> Option<(DVec2, f64)> {
        self.expect(node, &["x", "y", "z", "random"]);
        let mut coordinate = |name: &str| {
            let child = self.child(node, name)?;
            let number = self.number(child)?;
            if number.abs() > MAX_COORDINATE {
                let message = format!("<{name}> is {number}");
                self.error(span(child), message, "write coordinates within 100 km of the origin");
                return None;
            }
            Some(number)
        };
        let (x, height, y) = (coordinate("x"), coordinate("y"), coordinate("z"));
        Some((DVec2::new(x?, y?), height?))
    }

    /// A point on the ground, or a direction, or `None` for a random one.
    pub(super) fn point_or_random(&mut self, node: Node) -> Option<Option<DVec2>> {
        let has_point = elements(node).any(|child| matches!(tag(child), "x" | "y" | "z"));
        let random = match self.optional(node, "random") {
            Some(random) => self.flag(random)?,
            None => false,
        };
        if random && has_point {
            let message = format!("<{}> is random, and yet says where", tag(node));
            self.error(span(node), message, "write x, y and z, or that it is random");
            return None;
        }
        if random {
            self.expect(node, &["random"]);
            return Some(None);
        }
        let (point, height) = self.point(node)?;
        if height != 0.0 {
            let message = format!("<y> of a <{}> is left out: the ground is flat", tag(node));
            self.warn(&span(node), message);
        }
        Some(Some(point))
    }

    /// A box along the axes.
    pub(super) fn bounds(&mut self, node: Node) -> Option<Extent> {
        const SIDES: [&str; 6] = ["xmin", "xmax", "ymin", "ymax", "zmin", "zmax"];
        self.expect(node, &SIDES);
        let far = -MAX_COORDINATE..=MAX_COORDINATE;
        let sides = SIDES.map(|side| self.number_within(node, side, far.clone()));
        let [Some(x0), Some(x1), Some(y0), Some(y1), Some(z0), Some(z1)] = sides else {
            return None;
        };
        for (low, high, axis) in [(x0, x1, 'x'), (z0, z1, 'z')] {
            if low > high {
                let message =
                    format!("<{}>: {axis}min is {low}, above {axis}max, {high}", tag(node));
                self.error(span(node), message, "write the smaller number first");
                return None;
            }
        }
        let (min, max) = (DVec2::new(x0, z0), DVec2::new(x1, z1));
        Some(Extent { min, max, height: y1 - y0 })
    }
}

/// A box along the axes: corners on the ground and its height, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub min: DVec2,
    pub max: DVec2,
    pub height: f64,
}

impl Extent {
    pub(super) fn size(&self) -> DVec2 {
        self.max - self.min
    }

    pub(super) fn has_area(&self) -> bool {
        self.size().min_element() > 0.0
    }
}

/// The elements in an element.
pub(super) fn elements<'a, 'x>(node: Node<'a, 'x>) -> impl Iterator<Item = Node<'a, 'x>> {
    node.children().filter(Node::is_element)
}

/// What an element is called, in whatever namespace.
pub(super) fn tag<'a>(node: Node<'a, '_>) -> &'a str {
    node.tag_name().name()
}

/// Where an element begins.
pub(super) fn span(node: Node) -> Span {
    let range = node.range();
    let end = range.start + 1 + tag(node).len();
    range.start..end.min(range.end)
}

/// The text of an element, without the space around it.
pub(super) fn text(node: Node) -> String {
    let parts = node.children().filter(Node::is_text).filter_map(|part| part.text());
    parts.collect::<String>().trim().to_owned()
}
