//! The drawing core: a page is a list of things to draw, and two back ends draw it.
//!
//! Plots put paths, circles, text and images on a [`Page`]; one back end writes them as SVG, the
//! other as pixels. Neither back end decides anything, so both pictures are the same. Page
//! coordinates are in units of a CSS pixel, from the top left corner, with y downwards.

pub(crate) mod raster;
pub(crate) mod svg;
mod text;

use glam::Vec2;
use throng::base::Bounds;

pub(crate) use text::measure;
pub use text::{Anchor, Text};

/// A picture that can be drawn at any size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Width and height.
    pub size: Vec2,
    /// What is on it, from back to front.
    pub items: Vec<Item>,
}

/// One thing on a [`Page`].
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Lines and areas.
    Path(Path),
    /// A disc or a ring.
    Circle(Circle),
    /// A line of text.
    Text(Text),
    /// A grid of pixels.
    Image(Image),
    /// Things that belong together.
    Group(Group),
}

/// A colour and how much it covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    /// sRGB.
    pub rgb: [u8; 3],
    /// From 0, invisible, to 1.
    pub opacity: f32,
}

impl Ink {
    /// A colour that hides what is behind.
    pub const fn solid(rgb: [u8; 3]) -> Self {
        Self { rgb, opacity: 1.0 }
    }

    /// The same colour with another opacity.
    pub const fn with_opacity(self, opacity: f32) -> Self {
        Self { opacity, ..self }
    }
}

/// How an outline is drawn. Ends and corners are round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Colour.
    pub ink: Ink,
    /// Width of the line.
    pub width: f32,
    /// Lengths of a dash and of the gap after it.
    pub dash: Option<[f32; 2]>,
}

impl Stroke {
    /// A line without gaps.
    pub const fn solid(ink: Ink, width: f32) -> Self {
        Self { ink, width, dash: None }
    }
}

/// Lines and areas that are drawn as one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The lines it is made of.
    pub lines: Vec<Line>,
    /// What is inside closed lines, by the non-zero rule.
    pub fill: Option<Ink>,
    /// The lines themselves.
    pub stroke: Option<Stroke>,
}

/// A sequence of straight strokes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Corners.
    pub points: Vec<Vec2>,
    /// Whether the last corner is joined with the first.
    pub closed: bool,
}

impl Line {
    /// A line with two ends.
    pub fn open(points: impl Into<Vec<Vec2>>) -> Self {
        Self { points: points.into(), closed: false }
    }

    /// An outline.
    pub fn closed(points: impl Into<Vec<Vec2>>) -> Self {
        Self { points: points.into(), closed: true }
    }
}

impl Path {
    /// An area without an outline.
    pub fn filled(line: Line, ink: Ink) -> Self {
        Self { lines: vec![line], fill: Some(ink), stroke: None }
    }

    /// A line.
    pub fn stroked(line: Line, stroke: Stroke) -> Self {
        Self { lines: vec![line], fill: None, stroke: Some(stroke) }
    }
}

/// A disc or a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Centre.
    pub center: Vec2,
    /// Radius.
    pub radius: f32,
    /// The disc.
    pub fill: Option<Ink>,
    /// The rim.
    pub stroke: Option<Stroke>,
}

/// A grid of pixels, stretched over a rectangle with smooth transitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Where it is drawn.
    pub place: Bounds,
    /// Pixels in a row.
    pub width: u32,
    /// Rows, from the top.
    pub height: u32,
    /// Red, green, blue and opacity of each pixel, row by row. Not premultiplied.
    pub rgba: Vec<u8>,
}

/// Things that belong together. In an SVG file they are a group with this name.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Unique on the page.
    pub name: &'static str,
    /// What lies outside is not drawn.
    pub clip: Option<Bounds>,
    /// What is in it, from back to front.
    pub items: Vec<Item>,
}

impl Page {
    /// Adds `items` as a group. An empty one is left out.
    pub(crate) fn group(&mut self, name: &'static str, clip: Option<Bounds>, items: Vec<Item>) {
        if !items.is_empty() {
            self.items.push(Item::Group(Group { name, clip, items }));
        }
    }

    /// All texts, for layouts to be checked.
    pub fn texts(&self) -> Vec<&Text> {
        fn collect<'a>(items: &'a [Item], texts: &mut Vec<&'a Text>) {
            for item in items {
                match item {
                    Item::Text(text) => texts.push(text),
                    Item::Group(group) => collect(&group.items, texts),
                    _ => {}
                }
            }
        }
        let mut texts = Vec::new();
        collect(&self.items, &mut texts);
        texts
    }
}

impl From<Path> for Item {
    fn from(path: Path) -> Self {
        Self::Path(path)
    }
}

impl From<Circle> for Item {
    fn from(circle: Circle) -> Self {
        Self::Circle(circle)
    }
}

impl From<Text> for Item {
    fn from(text: Text) -> Self {
        Self::Text(text)
    }
}

impl From<Image> for Item {
    fn from(image: Image) -> Self {
        Self::Image(image)
    }
}
