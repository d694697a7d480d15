//! Places where a field stands still.

use glam::{DVec2, Vec2};
use throng::field::{CriticalKind, CriticalPoint};

use super::{Shown, is_covered};
use crate::draw::{Circle, Ink, Item, Line, Path, Stroke};
use crate::ground::Ground;
use crate::layout::{Entry, Mark};
use crate::map::View;
use crate::style::MUTED;

/// The search begins at so many places per side.
const RESOLUTION: usize = 48;
/// More of them say nothing.
const MOST: usize = 60;
const TRAP: Ink = Ink::solid([0xc2, 0x18, 0x3c]);
const HARMLESS: Ink = MUTED;
const PAPER: Ink = Ink::solid([0xff; 3]);

const KINDS: [(CriticalKind, &str); 4] = [
    (CriticalKind::Sink, "sink: crowds pile up"),
    (CriticalKind::Centre, "centre: crowds go in circles"),
    (CriticalKind::Source, "source: crowds spread out"),
    (CriticalKind::Saddle, "saddle: streams meet and part"),
];

/// The places in the open where a field stands still. What is worth a warning is told.
pub(super) fn find(of: &Shown, ground: &Ground, notes: &mut Vec<String>) -> Vec<CriticalPoint> {
    let Some(field) = of.field.field() else {
        notes.push("where a field of joint keys stands still is not looked for".into());
        return Vec::new();
    };
    let area = [ground.bounds.min.as_dvec2(), ground.bounds.max.as_dvec2()];
    let mut points = field.critical_points(area, RESOLUTION);
    points.retain(|point| {
        let place = point.position.as_vec2();
        !is_covered(ground, place) && of.holds(place)
    });
    for point in points.iter().filter(|point| point.is_trap()) {
        let DVec2 { x, y } = point.position;
        let what = match point.kind {
            CriticalKind::Sink => "crowds would pile up",
            _ => "crowds would go in circles",
        };
        notes.push(format!(
            "{what} at ({x:.1}, {y:.1}), where field {:?} stands still",
            of.field.name()
        ));
    }
    points.truncate(MOST);
    points
}

pub(super) fn draw(point: &CriticalPoint, view: &View) -> Vec<Item> {
    let center = view.point(point.position.as_vec2());
    let circle = |radius: f32, fill: Ink, rim: Ink, width: f32| {
        let stroke = Some(Stroke::solid(rim, width));
        Item::from(Circle { center, radius, fill: Some(fill), stroke })
    };
    match point.kind {
        CriticalKind::Sink => vec![circle(5.0, TRAP, PAPER, 1.4)],
        CriticalKind::Centre => vec![circle(5.2, PAPER, TRAP, 1.9), circle(1.3, TRAP, TRAP, 0.5)],
        CriticalKind::Source => vec![circle(4.2, PAPER, HARMLESS, 1.4)],
        CriticalKind::Saddle => {
            let lines = cross(center, 3.6);
            let halo = Stroke::solid(PAPER, 4.0);
            vec![
                Path { lines: lines.clone(), fill: None, stroke: Some(halo) }.into(),
                Path { lines, fill: None, stroke: Some(Stroke::solid(HARMLESS, 1.5)) }.into(),
            ]
        }
    }
}

/// The kinds that are there.
pub(super) fn legend(points: &[CriticalPoint]) -> Vec<Entry> {
    let is_there = |kind: CriticalKind| points.iter().any(|point| point.kind == kind);
    let kinds = KINDS.into_iter().filter(|(kind, _)| is_there(*kind));
    kinds
        .map(|(kind, label)| {
            let mark = match kind {
                CriticalKind::Sink => Mark::Disc(TRAP),
                CriticalKind::Centre => Mark::Ring(TRAP),
                CriticalKind::Source => Mark::Ring(HARMLESS),
                CriticalKind::Saddle => Mark::Cross(HARMLESS),
            };
            Entry::new(mark, label)
        })
        .collect()
}

fn cross(center: Vec2, reach: f32) -> Vec<Line> {
    let arm = |way: Vec2| Line::open([center - way * reach, center + way * reach]);
    vec![arm(Vec2::ONE), arm(Vec2::new(1.0, -1.0))]
}
