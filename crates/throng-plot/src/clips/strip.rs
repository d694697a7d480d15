//! Stick figures over a cycle.
//!
//! They stand as far apart as the widest pair of neighbours needs, not where the body would be:
//! poses are to be read, and none hides another.

use glam::{Vec2, Vec3};
use throng_motion::analysis::{ClipFacts, ClipFrames};
use throng_motion::{Clip, Landmark, ModelPose, Side, Skeleton};

use super::{describe, ink, refused, side_entries};
use crate::PlotError;
use crate::draw::{Anchor, Circle, Ink, Item, Line, Page, Path, Stroke, Text, measure};
use crate::layout::{Key, Mark, Sheet, Surroundings, shorten};
use crate::style::{AXIS, LABEL_SIZE, MARGIN, MUTED, TEXT, TICK_SIZE};
use crate::ticks::compact;

const WIDTH: f32 = 860.0;
/// Figures of one clip.
const PHASES: usize = 10;
/// Room between two figures, in metres.
const GAP: f32 = 0.12;
/// The largest scale, in units of the page per metre.
const LARGEST: f32 = 70.0;
const TRUNK: Ink = Ink::solid([0x3a, 0x3f, 0x47]);
/// Head, as fractions of leg length: its radius, and how far its middle is above its joint.
const HEAD: [f32; 2] = [0.105, 0.11];

/// Where one looks from.
#[derive(Clone, Copy)]
enum View {
    /// From the body's right: it faces to the right of the page.
    Side,
    /// From ahead: the body's left is to the right.
    Front,
}

impl View {
    fn flat(self, point: Vec3) -> Vec2 {
        match self {
            Self::Side => Vec2::new(point.z, point.y),
            Self::Front => Vec2::new(point.x, point.y),
        }
    }

    /// The limbs that are further away, and then the others.
    fn sides(self) -> [Side; 2] {
        [Side::Left, Side::Right]
    }
}

pub(super) fn draw(clips: &[Clip]) -> Result<Page, PlotError> {
    let strips = clips.iter().map(Strip::new).collect::<Result<Vec<_>, _>>()?;
    let widest = strips.iter().map(Strip::width).fold(1e-3, f32::max);
    let scale = (WIDTH / widest).min(LARGEST);
    let (title, subtitle) = match (clips, &strips[..]) {
        ([clip], [strip]) => (clip.name().to_owned(), strip.text.clone()),
        _ => ("Motion clips".into(), format!("{} clips", clips.len())),
    };
    let around = Surroundings {
        title,
        subtitle,
        key: Key::Legend(side_entries(|ink| Mark::Line(Stroke::solid(ink, 2.2)))),
        caption:
            "From the right, and from ahead, where the body's left is on the right. Bars below \
                  the feet: on the ground."
                .into(),
    };
    let mut sheet = Sheet::new(MARGIN, WIDTH, &around);
    let mut layers = Layers::default();
    for strip in &strips {
        sheet.y += 10.0;
        if clips.len() > 1 {
            strip.head(&mut sheet, &mut layers);
        }
        for row in &strip.rows {
            row.draw(&mut sheet, &mut layers, scale, strip.step);
        }
    }
    sheet.page.group("ground", None, layers.ground);
    sheet.page.group("bodies", None, layers.bodies);
    sheet.page.group("labels", None, layers.labels);
    Ok(sheet.finish(&around.caption, MARGIN + WIDTH + MARGIN))
}

#[derive(Default)]
struct Layers {
    ground: Vec<Item>,
    bodies: Vec<Item>,
    labels: Vec<Item>,
}

/// A clip seen from both sides.
struct Strip {
    name: String,
    text: String,
    rows: [Row; 2],
    /// From one figure's root to the next, in metres: both views of a phase are in one column.
    step: f32,
}

impl Strip {
    fn new(clip: &Clip) -> Result<Self, PlotError> {
        let frames = ClipFrames::of(clip).map_err(refused)?;
        let facts = ClipFacts::of(clip).map_err(refused)?;
        let rows = [View::Side, View::Front].map(|view| Row::new(clip, &frames, view));
        let step = rows[0].step().max(rows[1].step());
        Ok(Self { name: clip.name().into(), text: describe(&facts, clip.is_looped()), rows, step })
    }

    /// How much room it takes, in metres, with its middle figures in the middle.
    fn width(&self) -> f32 {
        let ends = self.rows.iter().flat_map(|row| {
            let [first, last] = [&row.figures[0], &row.figures[row.figures.len() - 1]];
            [-first.reach[0], last.reach[1]]
        });
        self.step * (PHASES - 1) as f32 + 2.0 * ends.fold(0.0, f32::max)
    }

    fn head(&self, sheet: &mut Sheet, layers: &mut Layers) {
        let baseline = Vec2::new(sheet.left, sheet.y + LABEL_SIZE);
        let name = shorten(&self.name, LABEL_SIZE, true, 0.4 * sheet.width);
        let text = Text { bold: true, ..Text::new(&name, baseline, LABEL_SIZE, TEXT) };
        let after = baseline + Vec2::new(measure(&name, LABEL_SIZE, true) + 10.0, 0.0);
        layers.labels.push(text.into());
        layers.labels.push(Text::new(&self.text, after, LABEL_SIZE, MUTED).into());
        sheet.y += LABEL_SIZE + 4.0;
    }
}

/// Figures beside each other, in one view.
struct Row {
    figures: Vec<Stick>,
    /// Whether phases are written below.
    has_phases: bool,
}

impl Row {
    fn new(clip: &Clip, frames: &ClipFrames, view: View) -> Self {
        let count = clip.motion().frames();
        let figure = |index: usize| {
            let phase = if clip.is_looped() {
                index as f32 / PHASES as f32
            } else {
                index as f32 / (PHASES - 1) as f32
            };
            let last = count - usize::from(!clip.is_looped());
            let frame = ((phase * last as f32).round() as usize).min(count - 1);
            Stick::new(clip, frames, frame, phase, view)
        };
        let has_phases = matches!(view, View::Front);
        Self { figures: (0..PHASES).map(figure).collect(), has_phases }
    }

    /// How far apart the roots of two figures must be, in metres.
    fn step(&self) -> f32 {
        let apart = |pair: &[Stick]| pair[0].reach[1] - pair[1].reach[0];
        self.figures.windows(2).map(apart).fold(0.0, f32::max) + GAP
    }

    fn draw(&self, sheet: &mut Sheet, layers: &mut Layers, scale: f32, step: f32) {
        let highest = self.figures.iter().map(|figure| figure.top).fold(0.0, f32::max);
        let ground = sheet.y + 6.0 + scale * highest;
        let ends = [0.0, sheet.width].map(|x| Vec2::new(sheet.left + x, ground));
        layers.ground.push(Path::stroked(Line::open(ends), AXIS).into());
        let middle = 0.5 * (self.figures.len() - 1) as f32;
        for (index, figure) in self.figures.iter().enumerate() {
            let root = sheet.left + 0.5 * sheet.width + scale * step * (index as f32 - middle);
            let place = |point: Vec2| Vec2::new(root + scale * point.x, ground - scale * point.y);
            figure.draw(layers, &place, scale);
            if self.has_phases {
                let at = Vec2::new(root, ground + 8.0 + TICK_SIZE);
                let label = format!("{} %", compact(f64::from(100.0 * figure.phase), 0));
                let text = Text::new(&label, at, TICK_SIZE, MUTED).anchored(Anchor::Middle);
                layers.labels.push(text.into());
            }
        }
        sheet.y = ground + if self.has_phases { 12.0 + TICK_SIZE * 1.4 } else { 12.0 };
    }
}

/// A figure of lines, in metres from its root.
struct Stick {
    phase: f32,
    /// From back to front.
    lines: Vec<(Vec<Vec2>, Ink)>,
    head: Option<(Vec2, f32)>,
    /// Where feet are on the ground.
    stands: Vec<([f32; 2], Ink)>,
    /// How far it reaches to the left and to the right.
    reach: [f32; 2],
    top: f32,
}

impl Stick {
    fn new(clip: &Clip, frames: &ClipFrames, frame: usize, phase: f32, view: View) -> Self {
        let (skeleton, pose) = (clip.skeleton().as_ref(), &frames.poses()[frame]);
        let size = frames.leg_length();
        let [far, near] = view.sides();
        let mut lines = Vec::new();
        let mut stands = Vec::new();
        for side in [far, near] {
            if side == near {
                lines.push((trunk(skeleton, pose, view), TRUNK));
            }
            let foot = frames.foot(frame, side);
            let sole = [foot.heel, foot.ball, foot.tip].map(|point| view.flat(point));
            let leg = [Landmark::Hips, Landmark::upper_leg(side), Landmark::lower_leg(side)];
            let mut leg = chain(skeleton, pose, &leg, view);
            leg.extend(chain(skeleton, pose, &[Landmark::foot(side)], view));
            if let Some(ankle) = leg.last().copied() {
                lines.push((vec![ankle, sole[0], sole[1], ankle], ink(side)));
                lines.push((vec![sole[1], sole[2]], ink(side)));
            }
            lines.push((leg, ink(side)));
            lines.push((arm(skeleton, pose, side, view), ink(side)));
            let at = if clip.is_looped() { phase.rem_euclid(1.0) } else { phase.min(0.999) };
            if clip.contacts().touches(side, at) {
                let xs = sole.map(|point| point.x);
                let ends = [xs[0].min(xs[1]).min(xs[2]), xs[0].max(xs[1]).max(xs[2])];
                let least = 0.04 * size;
                stands.push(([ends[0] - least, ends[1] + least], ink(side)));
            }
        }
        let head = skeleton.landmark(Landmark::Head).map(|head| {
            let up = pose.rotation(head) * skeleton.rest_rotation(head).inverse() * Vec3::Y;
            (view.flat(pose.position(head) + HEAD[1] * size * up), HEAD[0] * size)
        });
        lines.retain(|(points, _)| points.len() > 1);
        let mut reach = [0.0f32; 2];
        let mut top = 0.0f32;
        let mut include = |point: Vec2, radius: f32| {
            reach = [reach[0].min(point.x - radius), reach[1].max(point.x + radius)];
            top = top.max(point.y + radius);
        };
        lines.iter().flat_map(|(points, _)| points).for_each(|point| include(*point, 0.0));
        if let Some((middle, radius)) = head {
            include(middle, radius);
        }
        for ([low, high], _) in &stands {
            include(Vec2::new(*low, 0.0), 0.0);
            include(Vec2::new(*high, 0.0), 0.0);
        }
        Self { phase, lines, head, stands, reach, top }
    }

    fn draw(&self, layers: &mut Layers, place: &dyn Fn(Vec2) -> Vec2, scale: f32) {
        let width = (0.032 * scale).clamp(1.0, 2.4);
        for (points, ink) in &self.lines {
            let points: Vec<Vec2> = points.iter().map(|point| place(*point)).collect();
            layers
                .bodies
                .push(Path::stroked(Line::open(points), Stroke::solid(*ink, width)).into());
        }
        if let Some((middle, radius)) = self.head {
            let stroke = Some(Stroke::solid(TRUNK, width));
            let (center, radius) = (place(middle), scale * radius);
            layers.bodies.push(Circle { center, radius, fill: None, stroke }.into());
        }
        for (row, (ends, ink)) in self.stands.iter().enumerate() {
            let below = Vec2::new(0.0, 3.0 + 2.6 * row as f32);
            let ends = ends.map(|x| place(Vec2::new(x, 0.0)) + below);
            layers.ground.push(Path::stroked(Line::open(ends), Stroke::solid(*ink, 2.0)).into());
        }
    }
}

fn trunk(skeleton: &Skeleton, pose: &ModelPose, view: View) -> Vec<Vec2> {
    let spine = [Landmark::Hips].into_iter().chain(Landmark::SPINE);
    let neck = [Landmark::Neck1, Landmark::Neck2, Landmark::Head];
    chain(skeleton, pose, &spine.chain(neck).collect::<Vec<_>>(), view)
}

fn arm(skeleton: &Skeleton, pose: &ModelPose, side: Side, view: View) -> Vec<Vec2> {
    let arm = [
        Landmark::Neck1,
        Landmark::shoulder(side),
        Landmark::upper_arm(side),
        Landmark::forearm(side),
        Landmark::hand(side),
    ];
    chain(skeleton, pose, &arm, view)
}

/// Where those of `landmarks` are that the skeleton has.
fn chain(skeleton: &Skeleton, pose: &ModelPose, landmarks: &[Landmark], view: View) -> Vec<Vec2> {
    let place = |landmark: &Landmark| pose.landmark(skeleton, *landmark);
    landmarks.iter().filter_map(place).map(|point| view.flat(point)).collect()
}
