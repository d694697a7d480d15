//! Lines of text: how wide they are, and what their glyphs look like.
//!
//! The typeface is Noto Sans, which the crate `notosans` carries under the SIL Open Font License. Its
//! figures all have one width, so numbers line up. Pairs of letters are moved together as the font
//! asks for (its `GPOS` table); there are no ligatures and no scripts that need more shaping.

use std::sync::LazyLock;

use glam::Vec2;
use throng::base::Bounds;
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::{Ink, Stroke};

/// Height above the baseline that letters with ascenders take, in units of the size.
const ASCENT: f32 = 0.78;
/// Depth below the baseline, likewise.
const DESCENT: f32 = 0.22;

/// One line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// What it says.
    pub content: String,
    /// Where its baseline begins, is centred or ends; see [`Anchor`].
    pub at: Vec2,
    /// Which end of the text is at `at`.
    pub anchor: Anchor,
    /// Size of the font.
    pub size: f32,
    /// Whether it is bold.
    pub bold: bool,
    /// Colour.
    pub ink: Ink,
    /// Whether it runs upwards.
    pub upwards: bool,
    /// Colour of a rim that sets it off from what is behind.
    pub halo: Option<[u8; 3]>,
}

/// Which part of a text is where it was put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    #[default]
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl Text {
    /// Plain text that begins at `at`. Characters that no picture can show are left out.
    pub fn new(content: &str, at: Vec2, size: f32, ink: Ink) -> Self {
        let content = content.chars().filter(|c| !c.is_control()).collect();
        Self {
            content,
            at,
            anchor: Anchor::Start,
            size,
            bold: false,
            ink,
            upwards: false,
            halo: None,
        }
    }

    /// The same text with another part of it where it was put.
    pub fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// The rectangle it takes, with room for the longest letters.
    pub fn bounds(&self) -> Bounds {
        let width = measure(&self.content, self.size, self.bold);
        let begin = self.shift(width);
        let (above, below) = (ASCENT * self.size, DESCENT * self.size);
        let (min, max) = match self.upwards {
            false => (Vec2::new(begin, -above), Vec2::new(begin + width, below)),
            true => (Vec2::new(-above, -begin - width), Vec2::new(below, -begin)),
        };
        Bounds { min: self.at + min, max: self.at + max }
    }

    /// The line around the glyphs that makes the halo. Half of it is behind them.
    pub(super) fn rim(&self) -> Option<Stroke> {
        self.halo.map(|rgb| Stroke::solid(Ink::solid(rgb), 0.28 * self.size))
    }

    /// How far along the line the text begins, seen from `at`.
    fn shift(&self, width: f32) -> f32 {
        match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * width,
            Anchor::End => -width,
        }
    }

    /// Tells `outline` the shapes of all glyphs, in page coordinates.
    pub(super) fn outline(&self, outline: &mut dyn OutlineBuilder) {
        let Some(face) = face(self.bold) else { return };
        let scale = self.size / f32::from(face.units_per_em());
        let mut pen = self.shift(measure(&self.content, self.size, self.bold));
        for (glyph, advance) in glyphs(face, &self.content) {
            let placed = &mut Placed { at: self.at, upwards: self.upwards, pen, scale, outline };
            face.outline_glyph(glyph, placed);
            pen += advance * scale;
        }
    }
}

/// Width of `content` in one line.
pub(crate) fn measure(content: &str, size: f32, bold: bool) -> f32 {
    let Some(face) = face(bold) else { return 0.0 };
    let units: f32 = glyphs(face, content).map(|(_, advance)| advance).sum();
    units * size / f32::from(face.units_per_em())
}

fn face(bold: bool) -> Option<&'static Face<'static>> {
    static REGULAR: LazyLock<Option<Face<'static>>> =
        LazyLock::new(|| Face::parse(notosans::REGULAR_TTF, 0).ok());
    static BOLD: LazyLock<Option<Face<'static>>> =
        LazyLock::new(|| Face::parse(notosans::BOLD_TTF, 0).ok());
    if bold { BOLD.as_ref() } else { REGULAR.as_ref() }
}

/// The glyphs of `content` and how far each moves the pen, in units of the font.
fn glyphs<'a>(face: &'a Face, content: &'a str) -> impl Iterator<Item = (GlyphId, f32)> + 'a {
    let glyph = |c| face.glyph_index(c).unwrap_or_default();
    let mut characters = content.chars().peekable();
    std::iter::from_fn(move || {
        let this = glyph(characters.next()?);
        let advance = f32::from(face.glyph_hor_advance(this).unwrap_or_default());
        let kerning = characters.peek().map_or(0, |&next| kerning(face, this, glyph(next)));
        Some((this, advance + f32::from(kerning)))
    })
}

/// How much `second` moves away from `first`, in units of the font.
fn kerning(face: &Face, first: GlyphId, second: GlyphId) -> i16 {
    let Some(table) = face.tables().gpos else { return 0 };
    let lookups = table.lookups.into_iter();
    let subtables = lookups.flat_map(|lookup| lookup.subtables.into_iter::<PositioningSubtable>());
    for subtable in subtables {
        let PositioningSubtable::Pair(pair) = subtable else { continue };
        let Some(index) = pair.coverage().get(first) else { continue };
        let found = match pair {
            PairAdjustment::Format1 { sets, .. } => sets.get(index).and_then(|set| set.get(second)),
            PairAdjustment::Format2 { classes, matrix, .. } => {
                matrix.get((classes.0.get(first), classes.1.get(second)))
            }
        };
        if let Some((value, _)) = found.filter(|(value, _)| value.x_advance != 0) {
            return value.x_advance;
        }
    }
    0
}

/// Turns a glyph's own coordinates, with y upwards, into those of the page.
struct Placed<'a> {
    at: Vec2,
    upwards: bool,
    pen: f32,
    scale: f32,
    outline: &'a mut dyn OutlineBuilder,
}

impl Placed<'_> {
    fn point(&self, x: f32, y: f32) -> Vec2 {
        let (along, up) = (self.pen + x * self.scale, y * self.scale);
        self.at + if self.upwards { Vec2::new(-up, -along) } else { Vec2::new(along, -up) }
    }
}

impl OutlineBuilder for Placed<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let p = self.point(x, y);
        self.outline.move_to(p.x, p.y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let p = self.point(x, y);
        self.outline.line_to(p.x, p.y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (c, p) = (self.point(x1, y1), self.point(x, y));
        self.outline.quad_to(c.x, c.y, p.x, p.y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (c, d, p) = (self.point(x1, y1), self.point(x2, y2), self.point(x, y));
        self.outline.curve_to(c.x, c.y, d.x, d.y, p.x, p.y);
    }

    fn close(&mut self) {
        self.outline.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Ink = Ink::solid([0; 3]);

    #[test]
    fn both_fonts_have_what_figures_say() {
        for bold in [false, true] {
            let face = face(bold).unwrap();
            for c in "Aßé0−–·…σ²≥(m/s)".chars() {
                assert!(face.glyph_index(c).is_some(), "no {c:?}");
            }
        }
    }

    #[test]
    fn figures_are_of_one_width_and_bold_is_wider() {
        let width = |text: &str| measure(text, 10.0, false);
        for digit in "023456789".chars() {
            assert_eq!(width(&digit.to_string()), width("1"));
        }
        assert!((width("1234") - 4.0 * width("1")).abs() < 1e-4);
        assert!(measure("density", 10.0, true) > width("density"));
        assert_eq!(measure("density", 20.0, false), 2.0 * width("density"));
    }

    #[test]
    fn letters_that_fit_into_each_other_move_together() {
        let width = |text| measure(text, 100.0, false);
        assert!(width("AT") < width("A") + width("T") - 3.0);
        assert!((width("HH") - 2.0 * width("H")).abs() < 1e-3);
    }

    #[test]
    fn bounds_follow_anchor_and_direction() {
        let text = |anchor, upwards| {
            let text = Text::new("density", Vec2::new(50.0, 40.0), 10.0, BLACK).anchored(anchor);
            Text { upwards, ..text }.bounds()
        };
        let width = measure("density", 10.0, false);
        assert_eq!(text(Anchor::Start, false).min.x, 50.0);
        assert!((text(Anchor::End, false).min.x - (50.0 - width)).abs() < 1e-4);
        let middle = text(Anchor::Middle, true);
        assert!((middle.size().y - width).abs() < 1e-4);
        assert!((middle.min.y + middle.max.y - 80.0).abs() < 1e-3);
        assert!(middle.max.x > 50.0 && middle.max.x < 54.0);
    }

    #[test]
    fn line_breaks_and_other_controls_are_left_out() {
        assert_eq!(Text::new("a\nb\u{0}\u{7f}c", Vec2::ZERO, 10.0, BLACK).content, "abc");
    }
}
