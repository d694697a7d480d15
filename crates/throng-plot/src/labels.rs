//! Names on a map, none over another.

use glam::Vec2;
use throng::base::geometry::segments_meet;
use throng::base::{Bounds, Polygon};

use crate::draw::{Anchor, Item, Text, measure};
use crate::ground::Ground;
use crate::layout::shorten;
use crate::map::View;
use crate::style::{MUTED, TICK_SIZE};

/// Room between two names.
const GAP: f32 = 2.0;
/// Longer names are cut off.
const LONGEST: f32 = 140.0;
/// More names than this are unreadable anyway, and each is compared with all before.
const MOST: usize = 200;
/// Of more obstacles and people than this, the rest is not avoided.
const MOST_AVOIDED: usize = 5000;

/// Names that have found a place.
pub(crate) struct Labels<'a> {
    view: &'a View,
    panel: Bounds,
    /// Obstacles and people.
    bodies: Vec<Bounds>,
    routes: Vec<[Vec2; 2]>,
    texts: Vec<Text>,
}

impl<'a> Labels<'a> {
    /// No names yet. They will keep off obstacles, people and `routes`, which are on the page.
    pub(crate) fn new(
        view: &'a View,
        ground: &Ground,
        people: impl Iterator<Item = Vec2>,
        routes: Vec<[Vec2; 2]>,
    ) -> Self {
        let solids = ground.solids.iter().map(|solid| view.rectangle(solid.bounds()));
        let people = people.map(|person| {
            let at = view.point(person);
            Bounds { min: at, max: at }.grown(3.0)
        });
        Self {
            view,
            panel: view.panel.grown(-4.0),
            bodies: solids.chain(people).take(MOST_AVOIDED).collect(),
            routes,
            texts: Vec::new(),
        }
    }

    /// Writes `name` into `region`, in a corner if there is room, or beside it. A name that finds no
    /// free place at all is left out.
    pub(crate) fn place(&mut self, name: &str, region: &Polygon) {
        self.place_at(name, region.bounds(), |corner| region.contains(corner));
    }

    /// Writes `name` beside a line.
    pub(crate) fn place_beside(&mut self, name: &str, [a, b]: [Vec2; 2]) {
        self.place_at(name, Bounds { min: a.min(b), max: a.max(b) }, |_| false);
    }

    /// Writes `name` beside a line that something else crosses in its middle, if there is room.
    pub(crate) fn place_beside_crossed(&mut self, name: &str, ends: [Vec2; 2]) {
        if self.texts.len() == MOST {
            return;
        }
        let half = 0.5 * measure(name, TICK_SIZE, false);
        let [a, b] = ends.map(|end| self.view.point(end));
        let along = (b - a).normalize_or_zero();
        // As far from both lines as keeps a box of the text's size clear of them.
        let reach = Vec2::new(half + 4.0, 0.5 * TICK_SIZE + 4.0);
        let across = along.perp() * along.perp().abs().dot(reach);
        let along = along * along.abs().dot(reach);
        let middle = (a + b) * 0.5;
        let texts = [middle - along, middle + along, a + along, b - along]
            .into_iter()
            .flat_map(|at| [at + across, at - across])
            .map(|at| self.text(name, at.x, at.y + 0.35 * TICK_SIZE, half));
        let texts: Vec<Text> = texts.collect();
        let free = texts.iter().find(|text| self.is_free(text));
        let found = free.or_else(|| texts.iter().find(|text| self.is_off_lines(text))).cloned();
        self.texts.extend(found);
    }

    fn place_at(&mut self, name: &str, place: Bounds, is_inside: impl Fn(Vec2) -> bool) {
        if self.texts.len() == MOST {
            return;
        }
        let name = shorten(name, TICK_SIZE, false, LONGEST);
        let half = 0.5 * measure(&name, TICK_SIZE, false);
        let Bounds { min, max } = self.view.rectangle(place);
        let middle = (min + max) * 0.5;
        let (top, bottom) = (min.y + TICK_SIZE + 3.0, max.y - 5.0);
        let (left, right) = (min.x + half + 5.0, max.x - half - 5.0);
        let center = (middle.x, middle.y + 0.35 * TICK_SIZE);
        let inside = [(left, top), (middle.x, top), (middle.x, bottom), (right, bottom), center];
        let beside = [
            (middle.x, min.y - 5.0),
            (middle.x, max.y + TICK_SIZE + 2.0),
            (max.x + half + 5.0, center.1),
            (min.x - half - 5.0, center.1),
            center,
        ];
        let text = |(x, y): (f32, f32)| self.text(&name, x, y, half);
        let found = (inside.into_iter().map(text).find(|text| {
            let corners = text.bounds().corners();
            let fits = corners.iter().all(|&corner| is_inside(self.view.ground(corner)));
            fits && self.is_free(text)
        }))
        .or_else(|| beside.into_iter().map(text).find(|text| self.is_free(text)))
        // Better across an obstacle or an arrow than nowhere.
        .or_else(|| beside.into_iter().map(text).find(|text| self.is_apart(text)));
        self.texts.extend(found);
    }

    pub(crate) fn into_items(self) -> Vec<Item> {
        self.texts.into_iter().map(Item::Text).collect()
    }

    /// The name centred at x, or as near to that as the panel allows.
    fn text(&self, name: &str, x: f32, y: f32, half: f32) -> Text {
        let x = x.min(self.panel.max.x - half).max(self.panel.min.x + half);
        let text = Text::new(name, Vec2::new(x, y), TICK_SIZE, MUTED).anchored(Anchor::Middle);
        Text { halo: Some([0xff; 3]), ..text }
    }

    /// Whether a text lies over nothing that matters.
    fn is_free(&self, text: &Text) -> bool {
        let wanted = text.bounds().grown(GAP);
        self.is_off_lines(text) && self.bodies.iter().all(|&body| are_apart(body, wanted))
    }

    /// Whether a text lies over no route and no other text.
    fn is_off_lines(&self, text: &Text) -> bool {
        let wanted = text.bounds().grown(GAP);
        let [a, b, c, d] = wanted.corners();
        let crosses = |[from, to]: &[Vec2; 2]| {
            let edges = [(a, b), (b, c), (c, d), (d, a)];
            wanted.contains(*from) || edges.iter().any(|&(p, q)| segments_meet(*from, *to, p, q))
        };
        self.is_apart(text) && !self.routes.iter().any(crosses)
    }

    /// Whether a text is within the map and over no other.
    fn is_apart(&self, text: &Text) -> bool {
        let wanted = text.bounds();
        let is_inside = self.panel.contains(wanted.min) && self.panel.contains(wanted.max);
        is_inside && self.texts.iter().all(|other| are_apart(other.bounds().grown(GAP), wanted))
    }
}

fn are_apart(a: Bounds, b: Bounds) -> bool {
    a.max.cmplt(b.min).any() || a.min.cmpgt(b.max).any()
}
