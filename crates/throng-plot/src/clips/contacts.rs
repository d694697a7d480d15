//! When which foot is on the ground.

use glam::Vec2;
use throng::base::Bounds;
use throng_motion::analysis::ClipFacts;
use throng_motion::{Clip, Side, Support};

use super::{describe, ink, refused, side_entries};
use crate::PlotError;
use crate::draw::{Anchor, Ink, Item, Line, Page, Path, Stroke, Text, measure};
use crate::layout::{Entry, Key, Mark, Sheet, Surroundings, shorten};
use crate::style::{AXIS, GRID, LABEL_SIZE, MARGIN, MUTED, TEXT, TICK_SIZE};
use crate::ticks::{decimal, decimals_of};

const WIDTH: f32 = 520.0;
const BAR: f32 = 9.0;
const BETWEEN: f32 = 3.0;
/// From one clip to the next.
const ROW: f32 = 2.0 * BAR + BETWEEN + 9.0;
const BOTH: Ink = Ink::solid([0x22, 0x25, 0x2b]).with_opacity(0.22);
const FLIGHT: Ink = Ink::solid([0xe9, 0xb8, 0x4a]).with_opacity(0.45);
const LONGEST_NAME: f32 = 150.0;
const SAMPLES: usize = 1000;

pub(super) fn draw(clips: &[Clip]) -> Result<Page, PlotError> {
    let facts = clips.iter().map(ClipFacts::of).collect::<Result<Vec<_>, _>>().map_err(refused)?;
    let name = |clip: &Clip| shorten(clip.name(), LABEL_SIZE, false, LONGEST_NAME);
    let widest = clips.iter().map(|clip| measure(&name(clip), LABEL_SIZE, false));
    let left = MARGIN + widest.fold(0.0, f32::max) + 10.0;
    let notes = 150.0;
    let mut entries = side_entries(|ink| Mark::Line(Stroke::solid(ink, 5.0)));
    for (fill, label) in [(BOTH, "both feet"), (FLIGHT, "flight")] {
        entries.push(Entry::new(Mark::Area { fill, rim: Stroke::solid(fill, 0.5) }, label));
    }
    let around = Surroundings {
        title: if let [clip] = clips { clip.name().into() } else { "Contacts of clips".into() },
        subtitle: match &facts[..] {
            [facts] => describe(facts, clips[0].is_looped()),
            _ => format!("{} clips", clips.len()),
        },
        key: Key::Legend(entries),
        caption:
            "Bars: the foot is on the ground. The cycle begins at the strike of the left foot."
                .into(),
    };
    let mut sheet = Sheet::new(MARGIN, left - MARGIN + WIDTH + notes, &around);
    sheet.y += 10.0;
    let panel = Bounds {
        min: Vec2::new(left, sheet.y),
        max: Vec2::new(left + WIDTH, sheet.y + ROW * clips.len() as f32 + 4.0),
    };
    let mut shades = Vec::new();
    let mut bars = Vec::new();
    let mut labels = Vec::new();
    for (row, (clip, facts)) in clips.iter().zip(&facts).enumerate() {
        let top = panel.min.y + 6.0 + ROW * row as f32;
        shades.extend(supports(clip, panel, top));
        for side in Side::BOTH {
            let y = top + side.choose(0.0, BAR + BETWEEN);
            bars.extend(contacts(clip, side, panel, y));
        }
        let baseline = top + BAR + 0.5 * BETWEEN + LABEL_SIZE * 0.35;
        let at = Vec2::new(left - 10.0, baseline);
        let text = Text::new(&name(clip), at, LABEL_SIZE, TEXT).anchored(Anchor::End);
        labels.push(text.into());
        let at = Vec2::new(panel.max.x + 10.0, baseline);
        labels.push(Text::new(&note(facts), at, TICK_SIZE, MUTED).into());
    }
    let (grid, axis) = axis(panel);
    sheet.page.group("grid", None, grid);
    sheet.page.group("support", Some(panel), shades);
    sheet.page.group("contacts", Some(panel), bars);
    sheet.page.group("axis", None, axis);
    sheet.page.group("labels", None, labels);
    sheet.y = panel.max.y + 6.0 + TICK_SIZE * 1.4 + LABEL_SIZE * 1.4 + 8.0;
    Ok(sheet.finish(&around.caption, panel.max.x + notes + MARGIN))
}

/// "duty 0.61, both 21 %".
fn note(facts: &ClipFacts) -> String {
    let percent = |part: f32| decimal(f64::from(100.0 * part), 0);
    let duty = format!("duty {}", decimal(facts.duty.into(), decimals_of(0.01)));
    if facts.flight > 0.005 {
        format!("{duty}, flight {} %", percent(facts.flight))
    } else {
        format!("{duty}, both {} %", percent(facts.double_support))
    }
}

fn rectangle(panel: Bounds, phases: [f32; 2], top: f32, height: f32, ink: Ink) -> Item {
    let x = phases.map(|phase| panel.min.x + phase * panel.size().x);
    let place = Bounds { min: Vec2::new(x[0], top), max: Vec2::new(x[1], top + height) };
    Path::filled(Line::closed(place.corners()), ink).into()
}

fn contacts(clip: &Clip, side: Side, panel: Bounds, top: f32) -> Vec<Item> {
    let mut items = Vec::new();
    for span in clip.contacts().of(side) {
        let end = span.start + span.length;
        items.push(rectangle(panel, [span.start, end.min(1.0)], top, BAR, ink(side)));
        if end > 1.0 {
            items.push(rectangle(panel, [0.0, end - 1.0], top, BAR, ink(side)));
        }
    }
    items
}

/// Where both feet or none are on the ground.
fn supports(clip: &Clip, panel: Bounds, top: f32) -> Vec<Item> {
    let shade =
        |sample: usize| match clip.contacts().support((sample as f32 + 0.5) / SAMPLES as f32) {
            Support::Both => Some(BOTH),
            Support::Flight => Some(FLIGHT),
            Support::Left | Support::Right => None,
        };
    let samples: Vec<Option<Ink>> = (0..SAMPLES).map(shade).collect();
    let mut items = Vec::new();
    let mut begin = 0;
    for run in samples.chunk_by(|a, b| a == b) {
        let phases = [begin, begin + run.len()].map(|sample| sample as f32 / SAMPLES as f32);
        begin += run.len();
        if let Some(ink) = run[0] {
            items.push(rectangle(panel, phases, top - 2.0, 2.0 * BAR + BETWEEN + 4.0, ink));
        }
    }
    items
}

/// Lines across the panel, and what is below it.
fn axis(panel: Bounds) -> (Vec<Item>, Vec<Item>) {
    let mut grid = Vec::new();
    let mut items: Vec<Item> = Vec::new();
    for step in 0..=10u8 {
        let x = panel.min.x + f32::from(step) * 0.1 * panel.size().x;
        let ends = [Vec2::new(x, panel.min.y), Vec2::new(x, panel.max.y)];
        grid.push(Path::stroked(Line::open(ends), GRID).into());
        let at = Vec2::new(x, panel.max.y + 6.0 + TICK_SIZE * 0.8);
        let label = decimal(f64::from(step) * 10.0, 0);
        items.push(Text::new(&label, at, TICK_SIZE, MUTED).anchored(Anchor::Middle).into());
    }
    let foot = [Vec2::new(panel.min.x, panel.max.y), panel.max];
    items.push(Path::stroked(Line::open(foot), AXIS).into());
    let middle = 0.5 * (panel.min.x + panel.max.x);
    let at = Vec2::new(middle, panel.max.y + 6.0 + TICK_SIZE + 6.0 + LABEL_SIZE * 0.8);
    let label = Text::new("Phase of the cycle (%)", at, LABEL_SIZE, TEXT);
    items.push(label.anchored(Anchor::Middle).into());
    (grid, items)
}
