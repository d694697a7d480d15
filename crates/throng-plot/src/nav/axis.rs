//! The medial axis of a floor, free discs around it, and where it is narrow.

use glam::{DVec2, Vec2};
use throng::world::scene::LayerId;
use throng_nav::{CorridorMap, Edge, EdgeId, Slice};

use crate::colour::ColourMap;
use crate::draw::{Circle, Ink, Item, Line, Path, Stroke};
use crate::layout::{Entry, Mark};
use crate::lines;
use crate::map::View;
use crate::scale::{self, Top};
use crate::style::TEXT;
use crate::ticks::decimal;

/// Points of the axis are about this far apart on the page.
const STEP: f64 = 2.5;
/// Wider places are not called narrow, m.
const WIDEST_GATE: f64 = 3.0;
/// A gate is this much narrower than the ends of its edge,
const NARROWER: f64 = 0.9;
/// or its edge is so many times as long as it is wide.
const LONG: f64 = 3.0;
/// Discs are this many times their radius apart.
const DISC_SPACING: f64 = 0.5;
/// On the page, no disc is nearer to the last one than this.
const NEAREST_DISCS: f64 = 9.0;
/// With more discs than this nothing else would be seen.
const MOST_DISCS: usize = 2000;

const WIDTH: f32 = 1.5;
const TIP: Stroke = Stroke::solid(Ink { rgb: [0x6b, 0x7a, 0x90], opacity: 0.55 }, 0.7);
const DISC: Stroke = Stroke::solid(Ink { rgb: [0x6b, 0x7a, 0x90], opacity: 0.28 }, 0.5);
const GATE: Stroke = Stroke::solid(TEXT, 1.4);
/// Where stairs lead on to another floor.
const PASSAGE: Ink = TEXT;

/// The axis of one floor.
pub(super) struct Axis {
    strands: Vec<Strand>,
    /// Where stairs lead on to another floor.
    passages: Vec<Vec2>,
    /// Centres and radii.
    discs: Vec<(Vec2, f32)>,
    /// The narrowest first.
    pub gates: Vec<Gate>,
    /// The upper end of the scale of clearances, m.
    pub top: Top,
}

/// An edge of the map as points that lie close together, each with its clearance.
struct Strand {
    points: Vec<(Vec2, f32)>,
    is_tip: bool,
}

/// A narrow place.
pub(super) struct Gate {
    pub ends: [Vec2; 2],
    width: f64,
}

impl Gate {
    /// Its width, to be written beside it.
    pub(super) fn label(&self) -> String {
        let decimals = if self.width < 0.995 { 2 } else { 1 };
        format!("{} m", decimal(self.width, decimals))
    }
}

impl Axis {
    /// The axis on a floor, in as much detail as can be seen at `scale` units of the page per metre.
    pub(super) fn of_floor(map: &CorridorMap, layer: LayerId, scale: f64) -> Self {
        let (mut strands, mut passages, mut gates) = (Vec::new(), Vec::new(), Vec::new());
        let mut discs = Discs { scale, found: Vec::new() };
        for (id, edge) in (0..).map(EdgeId).zip(map.edges()) {
            let ends = edge.ends.map(|end| map.vertex(end));
            if map.pieces(id).next().is_none() {
                let here = ends.iter().filter(|end| end.layer == layer);
                passages.extend(here.map(|end| end.point.as_vec2()));
                continue;
            }
            if map.layer(id) != layer {
                continue;
            }
            let points = map.points_along(id, STEP / scale);
            if !edge.is_tip {
                discs.along(&points);
                gates.extend(map.gate(id).filter(|gate| is_gate(map, edge, gate)).map(Gate::from));
            }
            strands.push(Strand {
                points: points.iter().map(|&(at, room)| (at.as_vec2(), room as f32)).collect(),
                is_tip: edge.is_tip,
            });
        }
        gates.sort_by(|a, b| a.width.total_cmp(&b.width));
        let mut clearances: Vec<f32> =
            strands.iter().flat_map(|strand| &strand.points).map(|point| point.1).collect();
        let top = scale::top(&mut clearances);
        Self { strands, passages, discs: discs.found, gates, top }
    }

    /// What the marks mean.
    pub(super) fn legend(&self) -> Vec<Entry> {
        let through = Stroke::solid(Ink::solid(ColourMap::CLEARANCE.at(0.5)), WIDTH);
        let mut entries = Vec::new();
        if self.strands.iter().any(|strand| !strand.is_tip) {
            entries.push(Entry::new(Mark::Line(through), "middle of a way"));
        }
        if self.strands.iter().any(|strand| strand.is_tip) {
            entries.push(Entry::new(Mark::Line(TIP), "into a corner"));
        }
        if !self.passages.is_empty() {
            entries.push(Entry::new(Mark::Disc(PASSAGE), "to another floor"));
        }
        if !self.discs.is_empty() {
            entries.push(Entry::new(Mark::Ring(DISC.ink.with_opacity(0.7)), "free disc"));
        }
        if !self.gates.is_empty() {
            entries.push(Entry::new(Mark::Line(GATE), "narrow place"));
        }
        entries
    }

    pub(super) fn draw(&self, view: &View) -> Vec<Item> {
        let mut items = Vec::new();
        // Ways that lead on lie over those that do not.
        for strand in self.strands.iter().filter(|strand| strand.is_tip) {
            let points: Vec<Vec2> = strand.points.iter().map(|point| view.point(point.0)).collect();
            items.push(Path::stroked(Line::open(lines::simplified(&points)), TIP).into());
        }
        for strand in self.strands.iter().filter(|strand| !strand.is_tip) {
            let level = |&(at, room): &(Vec2, f32)| (view.point(at), room / self.top.value as f32);
            let points: Vec<(Vec2, f32)> = strand.points.iter().map(level).collect();
            items.extend(lines::coloured(&points, ColourMap::CLEARANCE, 1.0, WIDTH));
        }
        items
    }

    pub(super) fn draw_passages(&self, view: &View) -> Vec<Item> {
        let dot = |&passage: &Vec2| {
            let center = view.point(passage);
            Circle { center, radius: 3.0, fill: Some(PASSAGE), stroke: None }.into()
        };
        self.passages.iter().map(dot).collect()
    }

    /// Legs of the ways that lead on, on the page, for labels to keep off.
    pub(super) fn lines(&self, view: &View) -> Vec<[Vec2; 2]> {
        let through = self.strands.iter().filter(|strand| !strand.is_tip);
        let on_page = |strand: &Strand| {
            let points: Vec<Vec2> = strand.points.iter().map(|point| view.point(point.0)).collect();
            lines::simplified(&points)
        };
        let legs =
            |line: Vec<Vec2>| line.windows(2).map(|leg| [leg[0], leg[1]]).collect::<Vec<_>>();
        through.map(on_page).flat_map(legs).collect()
    }

    pub(super) fn draw_discs(&self, view: &View) -> Vec<Item> {
        let disc = |&(center, radius): &(Vec2, f32)| {
            let (center, radius) = (view.point(center), view.length(radius));
            Circle { center, radius, fill: None, stroke: Some(DISC) }.into()
        };
        self.discs.iter().map(disc).collect()
    }

    pub(super) fn draw_gates(&self, view: &View) -> Vec<Item> {
        let across = |gate: &Gate| {
            let ends = gate.ends.map(|end| view.point(end));
            Path::stroked(Line::open(ends), GATE).into()
        };
        self.gates.iter().map(across).collect()
    }
}

impl From<Slice> for Gate {
    fn from(slice: Slice) -> Self {
        let ends = [slice.left, slice.right].map(DVec2::as_vec2);
        Self { ends, width: 2.0 * slice.clearance }
    }
}

/// Whether an edge is so narrow at `gate` that one should know.
fn is_gate(map: &CorridorMap, edge: &Edge, gate: &Slice) -> bool {
    let width = 2.0 * gate.clearance;
    let is_narrower = |end| gate.clearance < NARROWER * map.vertex(end).clearance;
    let is_remarkable = edge.ends.into_iter().all(is_narrower) || edge.length > LONG * width;
    width < WIDEST_GATE && is_remarkable
}

/// Discs that are not too close together.
struct Discs {
    scale: f64,
    found: Vec<(Vec2, f32)>,
}

impl Discs {
    /// Adds discs along a way, beginning at its first point.
    fn along(&mut self, points: &[(DVec2, f64)]) {
        let mut last: Option<f64> = None;
        let (mut at, mut walked) = (DVec2::ZERO, 0.0);
        for &(point, radius) in points {
            walked += at.distance(point);
            at = point;
            // The mean of both radii makes them the same from either end.
            let is_due = last.is_none_or(|before| {
                let spacing = DISC_SPACING * 0.5 * (before + radius);
                walked >= spacing.max(NEAREST_DISCS / self.scale)
            });
            if is_due && self.found.len() < MOST_DISCS {
                self.found.push((point.as_vec2(), radius as f32));
                (last, walked) = (Some(radius), 0.0);
            }
        }
    }
}
