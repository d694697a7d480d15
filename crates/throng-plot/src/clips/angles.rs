//! Joint angles over a cycle, beside those of people.

use glam::Vec2;
use throng::base::Bounds;
use throng_motion::analysis::{ClipFacts, JointAngles};
use throng_motion::gait::{Gait, JointAngle};
use throng_motion::{Clip, ClipKind, Side};

use super::{describe, ink, refused, side_entries};
use crate::PlotError;
use crate::chart::{Axis, Chart};
use crate::draw::{Ink, Item, Line, Page, Path, Stroke};
use crate::layout::{Entry, Key, Mark, Sheet, Surroundings};
use crate::style::{MARGIN, TEXT};

const PANEL: Vec2 = Vec2::new(300.0, 128.0);
/// Room between two columns.
const BETWEEN: f32 = 26.0;
const PEOPLE: Ink = Ink::solid([0x8a, 0x90, 0x99]);
const TYPICAL: Stroke = Stroke { ink: PEOPLE, width: 1.2, dash: Some([4.0, 3.0]) };
const BAND: Ink = PEOPLE.with_opacity(0.22);
const STEPS: usize = 100;

/// The angles in the order of panels, two in a row: what axes call them, and the names of their
/// groups on the page.
const PANELS: [(JointAngle, &str, [&str; 3]); 8] = [
    (JointAngle::Hip, "Hip (°)", ["hip-grid", "hip", "hip-axes"]),
    (JointAngle::Knee, "Knee (°)", ["knee-grid", "knee", "knee-axes"]),
    (JointAngle::Ankle, "Ankle (°)", ["ankle-grid", "ankle", "ankle-axes"]),
    (JointAngle::Sole, "Sole pitch (°)", ["sole-grid", "sole", "sole-axes"]),
    (JointAngle::Shoulder, "Shoulder (°)", ["shoulder-grid", "shoulder", "shoulder-axes"]),
    (JointAngle::Elbow, "Elbow (°)", ["elbow-grid", "elbow", "elbow-axes"]),
    (JointAngle::PelvisRotation, "Pelvis turn (°)", ["turn-grid", "turn", "turn-axes"]),
    (JointAngle::PelvisList, "Pelvis list (°)", ["list-grid", "list", "list-axes"]),
];

pub(super) fn draw(clip: &Clip) -> Result<Page, PlotError> {
    let facts = ClipFacts::of(clip).map_err(refused)?;
    let angles = JointAngles::of(clip).map_err(refused)?;
    let people = people(&facts);
    let panels: Vec<Panel> = PANELS
        .iter()
        .map(|(angle, label, names)| Panel::new(clip, &angles, *angle, label, *names, people))
        .filter(|panel| panel.curves.iter().any(|curve| !curve.is_empty()))
        .collect();
    let room = panels.iter().map(|panel| Chart::left(&panel.y, PANEL.y));
    let room = room.fold(0.0, f32::max);
    let mut entries = side_entries(|ink| Mark::Line(Stroke::solid(ink, 2.0)));
    if people.is_some() {
        entries.push(Entry::new(Mark::Line(TYPICAL), "people at this speed"));
        let rim = Stroke::solid(BAND, 0.5);
        entries.push(Entry::new(Mark::Area { fill: BAND, rim }, "their standard deviation"));
    }
    let around = Surroundings {
        title: clip.name().into(),
        subtitle: describe(&facts, clip.is_looped()),
        key: Key::Legend(entries),
        caption: caption(clip),
    };
    let left = MARGIN + room;
    let width = 2.0 * PANEL.x + room + BETWEEN;
    let mut sheet = Sheet::new(left, width, &around);
    sheet.y += 10.0;
    let rows = panels.len().div_ceil(2);
    for (row, pair) in panels.chunks(2).enumerate() {
        let mut below = 0.0f32;
        for (column, panel) in pair.iter().enumerate() {
            let x = left + column as f32 * (PANEL.x + room + BETWEEN);
            let corner = Vec2::new(x, sheet.y);
            let place = Bounds { min: corner, max: corner + PANEL };
            let label = if row + 1 == rows { "Phase of the limb (%)" } else { "" };
            let x = Axis { label, range: [0.0, 100.0] };
            let chart = Chart { panel: place, left: room, x, y: panel.y.clone() };
            sheet.page.group(panel.names[0], None, chart.grid());
            sheet.page.group(panel.names[1], Some(place.grown(2.0)), panel.draw(&chart));
            sheet.page.group(panel.names[2], None, chart.axes());
            below = below.max(Chart::below(&chart.x));
        }
        sheet.y += PANEL.y + below + 10.0;
    }
    Ok(sheet.finish(&around.caption, left + width + MARGIN))
}

/// Gait and speed number of people to compare with; nobody's if the body does not go forwards.
fn people(facts: &ClipFacts) -> Option<(Gait, f32)> {
    let gait = match facts.kind {
        ClipKind::Walk => Gait::Walk,
        ClipKind::Run => Gait::Run,
        _ => return None,
    };
    (facts.angle.abs() < 0.5).then_some((gait, facts.speed_number))
}

fn caption(clip: &Clip) -> String {
    let begin = if clip.is_looped() {
        "Each limb is shown from the strike of its own foot on; upright lines: the foot is lifted."
    } else {
        "The clip is played once: phases are those of the whole clip."
    };
    format!("{begin} Flexion is positive. Angles of the pelvis are over the left foot's phase.")
}

struct Panel {
    y: Axis,
    names: [&'static str; 3],
    /// Phases and degrees of left and right.
    curves: [Vec<(f64, f64)>; 2],
    /// Phase, degrees and standard deviation.
    typical: Vec<(f64, f64, f64)>,
    /// When the feet are lifted, if each is once.
    lifts: Vec<(f64, Side)>,
    is_pelvis: bool,
}

impl Panel {
    fn new(
        clip: &Clip,
        angles: &JointAngles,
        angle: JointAngle,
        label: &'static str,
        names: [&'static str; 3],
        people: Option<(Gait, f32)>,
    ) -> Self {
        let is_pelvis = matches!(angle, JointAngle::PelvisRotation | JointAngle::PelvisList);
        let curve = |side: Side| {
            // The pelvis is one for both sides.
            if is_pelvis && side == Side::Right {
                return Vec::new();
            }
            let own = if is_pelvis { Side::Left } else { side };
            limb_curve(clip, &angles.curve(angle, side), strike(clip, own))
        };
        let curves = Side::BOTH.map(curve);
        let typical = people.map_or(Vec::new(), |(gait, speed)| {
            let spread = f64::from(angle.spread(gait).to_degrees());
            let at = |step: usize| {
                let phase = step as f32 / STEPS as f32;
                let degrees = angle.typical(gait, speed, phase).to_degrees();
                (f64::from(100.0 * phase), f64::from(degrees), spread)
            };
            (0..=STEPS).map(at).collect()
        });
        let values = curves.iter().flatten().map(|(_, value)| *value);
        let bands = typical.iter().flat_map(|(_, value, sd)| [value - sd, value + sd]);
        let (low, high) = values
            .chain(bands)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low < high { (low, high) } else { (-1.0, 1.0) };
        // Small angles are not blown up to look large.
        let spare = (0.5 * (15.0 - (high - low))).max(0.06 * (high - low));
        let y = Axis { label, range: [low - spare, high + spare] };
        let lift = |side: Side| match clip.contacts().of(side) {
            [span] if clip.is_looped() && !is_pelvis && span.length < 1.0 => {
                Some((f64::from(100.0 * span.length), side))
            }
            _ => None,
        };
        let lifts = Side::BOTH.into_iter().filter_map(lift).collect();
        Self { y, names, curves, typical, lifts, is_pelvis }
    }

    fn draw(&self, chart: &Chart) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        if !self.typical.is_empty() {
            let edge = |sign: f64| {
                let point = move |&(x, y, sd): &(f64, f64, f64)| chart.point(x, y + sign * sd);
                self.typical.iter().map(point)
            };
            let outline: Vec<Vec2> = edge(1.0).chain(edge(-1.0).rev()).collect();
            items.push(Path::filled(Line::closed(outline), BAND).into());
            let middle: Vec<Vec2> =
                self.typical.iter().map(|&(x, y, _)| chart.point(x, y)).collect();
            items.push(Path::stroked(Line::open(middle), TYPICAL).into());
        }
        for &(phase, side) in &self.lifts {
            let ends = self.y.range.map(|y| chart.point(phase, y));
            let stroke = Stroke::solid(ink(side).with_opacity(0.5), 0.75);
            items.push(Path::stroked(Line::open(ends), stroke).into());
        }
        for (curve, side) in self.curves.iter().zip(Side::BOTH) {
            if curve.is_empty() {
                continue;
            }
            let points: Vec<Vec2> = curve.iter().map(|&(x, y)| chart.point(x, y)).collect();
            // Equal sides lie on top of each other: the left one looks out from below.
            let stroke = match side {
                _ if self.is_pelvis => Stroke::solid(TEXT, 1.4),
                Side::Left => Stroke::solid(ink(side).with_opacity(0.55), 3.4),
                Side::Right => Stroke::solid(ink(side), 1.3),
            };
            items.push(Path::stroked(Line::open(points), stroke).into());
        }
        items
    }
}

/// When a foot strikes first, if it strikes.
fn strike(clip: &Clip, side: Side) -> f32 {
    match clip.contacts().of(side) {
        [span, ..] if clip.is_looped() && span.length < 1.0 => span.start,
        _ => 0.0,
    }
}

/// A curve over the phase of a limb that begins at `strike`, in percent and degrees.
fn limb_curve(clip: &Clip, values: &[f32], strike: f32) -> Vec<(f64, f64)> {
    let count = values.len();
    if count < 2 {
        return Vec::new();
    }
    if !clip.is_looped() {
        let at = |(frame, value): (usize, &f32)| {
            let phase = 100.0 * frame as f64 / (count - 1) as f64;
            (phase, f64::from(value.to_degrees()))
        };
        return values.iter().enumerate().map(at).collect();
    }
    let at = |step: usize| {
        let phase = step as f32 / STEPS as f32;
        let frame = (strike + phase).rem_euclid(1.0) * count as f32;
        let (before, part) = (frame as usize % count, frame.fract());
        let value = values[before] * (1.0 - part) + values[(before + 1) % count] * part;
        (f64::from(100.0 * phase), f64::from(value.to_degrees()))
    };
    (0..=STEPS).map(at).collect()
}
