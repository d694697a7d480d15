//! What stands around a plot: title, subtitle and key above it, a caption below.
//!
//! A [`Sheet`] is written from top to bottom. Every text is measured before it is placed: lines that
//! are too long are wrapped, and what does not fit at all ends in an ellipsis.

use glam::Vec2;
use throng::base::Bounds;

use crate::colour::ColourMap;
use crate::draw::{Anchor, Circle, Image, Ink, Item, Line, Page, Path, Stroke, Text, measure};
use crate::scale::Top;
use crate::style::{
    AXIS, CAPTION_SIZE, LABEL_SIZE, MARGIN, MUTED, SUBTITLE_SIZE, TEXT, TICK_SIZE, TITLE_SIZE,
};
use crate::ticks::Ticks;

/// Texts never have less room than this, however narrow the plot is.
pub(crate) const NARROWEST: f32 = 330.0;
/// A legend with more rows would push the plot off the page.
const MOST_LEGEND_ROWS: usize = 3;
const LONGEST_LABEL: f32 = 170.0;
/// No line has more characters, however narrow they are: measuring is not free.
const MOST_CHARACTERS: usize = 500;

/// What is written around a plot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    pub title: String,
    pub subtitle: String,
    pub key: Key,
    pub caption: String,
}

/// How colours and marks are to be read.
#[derive(Clone, Debug, Default)]
pub(crate) enum Key {
    #[default]
    None,
    Legend(Vec<Entry>),
    Bar(ColourBar),
    Both(ColourBar, Vec<Entry>),
}

/// One line of a legend.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub mark: Mark,
    pub label: String,
}

impl Entry {
    pub(crate) fn new(mark: Mark, label: impl Into<String>) -> Self {
        Self { mark, label: label.into() }
    }
}

/// What a legend explains.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    Disc(Ink),
    /// A small disc.
    Dot(Ink),
    Ring(Ink),
    Cross(Ink),
    Line(Stroke),
    Area {
        fill: Ink,
        rim: Stroke,
    },
    /// A mean with its spread.
    Whisker(Ink),
}

/// Colours and the values they stand for.
#[derive(Clone, Debug)]
pub(crate) struct ColourBar {
    pub map: ColourMap,
    /// Quantity and unit.
    pub label: String,
    /// Values at its ends.
    pub ends: [f64; 2],
    /// Whether the colour at the upper end stands for larger values as well.
    pub open_ended: bool,
}

impl ColourBar {
    /// That of speeds up to `top`, m/s.
    pub fn of_speeds(top: &Top) -> Self {
        let (map, label) = (ColourMap::SPEED, "Speed (m/s)".into());
        Self { map, label, ends: [0.0, top.value], open_ended: top.is_exceeded }
    }
}

/// A page that is being written from top to bottom.
pub(crate) struct Sheet {
    pub page: Page,
    /// Where texts begin.
    pub left: f32,
    /// How much room a line of text has.
    pub width: f32,
    /// Where the next thing begins.
    pub y: f32,
}

impl Sheet {
    /// A sheet with everything that stands above the plot.
    pub(crate) fn new(left: f32, width: f32, around: &Surroundings) -> Self {
        let mut sheet = Self { page: Page::default(), left, width, y: MARGIN };
        let mut head = sheet.paragraph(&around.title, TITLE_SIZE, TEXT, 2);
        for item in &mut head {
            if let Item::Text(text) = item {
                text.bold = true;
            }
        }
        head.extend(sheet.paragraph(&around.subtitle, SUBTITLE_SIZE, MUTED, 2));
        sheet.page.group("title", None, head);
        let key = match &around.key {
            Key::None => Vec::new(),
            Key::Legend(entries) => sheet.legend(entries),
            Key::Bar(bar) => sheet.colour_bar(bar),
            Key::Both(bar, entries) => {
                let mut items = sheet.colour_bar(bar);
                items.extend(sheet.legend(entries));
                items
            }
        };
        sheet.page.group("key", None, key);
        sheet
    }

    /// Adds the caption and ends the page.
    pub(crate) fn finish(mut self, caption: &str, right: f32) -> Page {
        let caption = self.paragraph(caption, CAPTION_SIZE, MUTED, 4);
        self.page.group("caption", None, caption);
        let width = right.max(self.left + self.width + MARGIN);
        self.page.size = Vec2::new(width, self.y + MARGIN - 4.0).ceil();
        self.page
    }

    fn paragraph(&mut self, text: &str, size: f32, ink: Ink, most_lines: usize) -> Vec<Item> {
        let bold = size == TITLE_SIZE;
        let lines = wrap(text, size, bold, self.width, most_lines);
        let mut items = Vec::new();
        for line in lines {
            let baseline = self.y + size;
            items.push(Text::new(&line, Vec2::new(self.left, baseline), size, ink).into());
            self.y += (size * 1.4).round();
        }
        items
    }

    fn legend(&mut self, entries: &[Entry]) -> Vec<Item> {
        const MARK: f32 = 15.0;
        const GAP: f32 = 14.0;
        const ROW: f32 = 15.0;
        self.y += 4.0;
        let (mut items, mut x, mut row) = (Vec::new(), 0.0, 0);
        for (i, entry) in entries.iter().enumerate() {
            let label = shorten(&entry.label, LABEL_SIZE, false, LONGEST_LABEL);
            let width = MARK + measure(&label, LABEL_SIZE, false);
            // The last row keeps room to say how many are missing.
            let reserve =
                if row + 1 == MOST_LEGEND_ROWS && i + 1 < entries.len() { 70.0 } else { 0.0 };
            if x > 0.0 && x + width + reserve > self.width {
                if row + 1 == MOST_LEGEND_ROWS {
                    let more = format!("and {} more", entries.len() - i);
                    items.push(self.legend_label(&more, x, row as f32 * ROW));
                    break;
                }
                (x, row) = (0.0, row + 1);
            }
            let y = self.y + row as f32 * ROW;
            items.extend(entry.mark.draw(Vec2::new(self.left + x + 5.0, y + 6.0)));
            items.push(self.legend_label(&label, x + MARK, row as f32 * ROW));
            x += width + GAP;
        }
        if !entries.is_empty() {
            self.y += (row + 1) as f32 * ROW;
        }
        items
    }

    fn legend_label(&self, label: &str, x: f32, y: f32) -> Item {
        let at = Vec2::new(self.left + x, self.y + y + 9.5);
        Text::new(label, at, LABEL_SIZE, TEXT).into()
    }

    fn colour_bar(&mut self, bar: &ColourBar) -> Vec<Item> {
        const THICKNESS: f32 = 8.0;
        const LENGTH: f32 = 180.0;
        self.y += 8.0;
        let label = shorten(&bar.label, LABEL_SIZE, false, self.width - LENGTH - 34.0);
        let begin = self.left + measure(&label, LABEL_SIZE, false) + 14.0;
        let place = Bounds {
            min: Vec2::new(begin, self.y),
            max: Vec2::new(begin + LENGTH, self.y + THICKNESS),
        };
        let baseline = Vec2::new(self.left, self.y + THICKNESS - 0.5);
        let mut items = vec![
            Text::new(&label, baseline, LABEL_SIZE, TEXT).into(),
            Item::Image(gradient(bar.map, place)),
            Path::stroked(Line::closed(place.corners()), AXIS).into(),
        ];
        let [low, high] = bar.ends;
        let ticks = Ticks::along(low, high, 5, LENGTH);
        let last = ticks.values.last().copied();
        for (value, mut label) in ticks.labels() {
            let x = begin + LENGTH * ((value - low) / (high - low)) as f32;
            let (top, tip) = (Vec2::new(x, place.max.y), Vec2::new(x, place.max.y + 3.0));
            items.push(Path::stroked(Line::open([top, tip]), AXIS).into());
            if bar.open_ended && Some(value) == last && value > high - 1e-6 * (high - low) {
                label.insert_str(0, "≥ ");
            }
            let at = Vec2::new(x, tip.y + 0.5 + TICK_SIZE);
            let text = Text::new(&label, at, TICK_SIZE, MUTED).anchored(Anchor::Middle);
            items.push(text.into());
        }
        self.y = place.max.y + 3.0 + TICK_SIZE * 1.4;
        items
    }
}

impl Mark {
    fn draw(self, center: Vec2) -> Vec<Item> {
        let across = |y: f32| Line::open([center + Vec2::new(-5.0, y), center + Vec2::new(5.0, y)]);
        let disc = |radius| Circle { center, radius, fill: None, stroke: None };
        match self {
            Self::Disc(ink) => vec![Circle { fill: Some(ink), ..disc(3.6) }.into()],
            Self::Dot(ink) => vec![Circle { fill: Some(ink), ..disc(2.0) }.into()],
            Self::Ring(ink) => {
                vec![Circle { stroke: Some(Stroke::solid(ink, 1.0)), ..disc(2.2) }.into()]
            }
            Self::Cross(ink) => {
                let arm = |way: Vec2| Line::open([center - way, center + way]);
                let lines = vec![arm(Vec2::splat(2.6)), arm(Vec2::new(2.6, -2.6))];
                vec![Path { lines, fill: None, stroke: Some(Stroke::solid(ink, 1.2)) }.into()]
            }
            Self::Line(stroke) => vec![Path::stroked(across(0.0), stroke).into()],
            Self::Area { fill, rim } => {
                let half = Vec2::new(5.0, 4.0);
                let corners = Bounds { min: center - half, max: center + half }.corners();
                let lines = vec![Line::closed(corners)];
                vec![Path { lines, fill: Some(fill), stroke: Some(rim) }.into()]
            }
            Self::Whisker(ink) => {
                let tips = [center - Vec2::new(0.0, 5.5), center + Vec2::new(0.0, 5.5)];
                vec![
                    Path::stroked(Line::open(tips), Stroke::solid(ink, 1.0)).into(),
                    Circle { fill: Some(ink), ..disc(2.6) }.into(),
                ]
            }
        }
    }
}

/// The colours of a map from left to right.
fn gradient(map: ColourMap, place: Bounds) -> Image {
    const STEPS: u32 = 256;
    let pixel = |i: u32| {
        let [r, g, b] = map.at(i as f32 / (STEPS - 1) as f32);
        [r, g, b, 255]
    };
    let row: Vec<u8> = (0..STEPS).flat_map(pixel).collect();
    // Two rows: smoothing at the edges of a single one would fade into what is around it.
    Image { place, width: STEPS, height: 2, rgba: row.repeat(2) }
}

/// `text` in at most `most` lines that are no longer than `width`.
pub(crate) fn wrap(text: &str, size: f32, bold: bool, width: f32, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.peek() {
        let mut line = (*word).to_owned();
        words.next();
        while let Some(word) = words.peek() {
            let longer = format!("{line} {word}");
            let is_last = lines.len() + 1 == most;
            if !is_last && measure(&longer, size, bold) > width {
                break;
            }
            line = longer;
            words.next();
            // Long enough to be cut off in any case.
            if is_last && measure(&line, size, bold) > width {
                words.by_ref().for_each(drop);
            }
        }
        lines.push(shorten(&line, size, bold, width));
    }
    lines
}

/// `text`, or as much of its beginning as is no longer than `width`, and an ellipsis.
pub(crate) fn shorten(text: &str, size: f32, bold: bool, width: f32) -> String {
    if text.chars().nth(MOST_CHARACTERS).is_none() && measure(text, size, bold) <= width {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().take(MOST_CHARACTERS).collect();
    loop {
        let shown: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
        if measure(&shown, size, bold) <= width || kept.is_empty() {
            return shown;
        }
        kept.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_texts_are_wrapped_and_cut() {
        let text = "a title that goes on and on and on and on";
        let lines = wrap(text, 10.0, false, 80.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("a title") && lines[1].ends_with('…'), "{lines:?}");
        assert_eq!(wrap("short", 10.0, false, 80.0, 2), ["short"]);
        assert!(wrap("", 10.0, false, 80.0, 2).is_empty());
        assert_eq!(shorten(&"w".repeat(1_000_000), 10.0, false, 40.0), "wwww…");
    }

    proptest! {
        #[test]
        fn no_line_is_longer_than_it_may_be(text in "\\PC{0,200}", width in 20f32..400.0) {
            let lines = wrap(&text, 10.0, false, width, 3);
            prop_assert!(lines.len() <= 3);
            for line in &lines {
                prop_assert!(measure(line, 10.0, false) <= width, "{:?}", line);
            }
            let fits = measure(&text, 10.0, false) <= width;
            let words: Vec<&str> = text.split_whitespace().collect();
            if fits && !words.is_empty() {
                prop_assert_eq!(lines, [words.join(" ")]);
            }
        }
    }
}
