//! A page as pixels, and pixels as a PNG file.

use glam::Vec2;
use throng::base::Bounds;
use tiny_skia::{
    FillRule, FilterQuality, IntSize, LineCap, LineJoin, Mask, Paint, PathBuilder, Pixmap,
    PixmapPaint, StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

use super::{Circle, Image, Ink, Item, Page, Path, Stroke, Text};
use crate::PlotError;

/// The page as a PNG file, `width` pixels wide.
pub(crate) fn png(page: &Page, width: u32) -> Result<Vec<u8>, PlotError> {
    let pixels = draw(page, width)?;
    let rgb: Vec<u8> = pixels.data().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    encode(pixels.width(), pixels.height(), png::ColorType::Rgb, &rgb)
}

/// The height of the page when it is `width` pixels wide.
pub(crate) fn height_for(page: &Page, width: u32) -> u32 {
    (page.size.y * width as f32 / page.size.x).round().max(1.0) as u32
}

/// Pixels as a PNG file. The same pixels give the same bytes.
pub(super) fn encode(
    width: u32,
    height: u32,
    colours: png::ColorType,
    bytes: &[u8],
) -> Result<Vec<u8>, PlotError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(colours);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(bytes));
    match written {
        Ok(()) => Ok(file),
        Err(error) => Err(PlotError::TooLarge { width, height, reason: error.to_string() }),
    }
}

fn draw(page: &Page, width: u32) -> Result<Pixmap, PlotError> {
    let height = height_for(page, width);
    let too_large = || PlotError::TooLarge { width, height, reason: "no memory for it".into() };
    let mut pixels = Pixmap::new(width, height).ok_or_else(too_large)?;
    pixels.fill(tiny_skia::Color::WHITE);
    let scale = width as f32 / page.size.x;
    let mut canvas = Canvas { pixels, to_pixels: Transform::from_scale(scale, scale), clip: None };
    canvas.items(&page.items);
    Ok(canvas.pixels)
}

struct Canvas {
    pixels: Pixmap,
    to_pixels: Transform,
    clip: Option<Mask>,
}

impl Canvas {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Path(path) => self.path(path),
                Item::Circle(circle) => self.circle(circle),
                Item::Text(text) => self.text(text),
                Item::Image(image) => self.image(image),
                Item::Group(group) => {
                    let outer = self.clip.clone();
                    if let Some(clip) = group.clip {
                        self.narrow(clip);
                    }
                    self.items(&group.items);
                    self.clip = outer;
                }
            }
        }
    }

    /// Restricts drawing to `area`, within what it is restricted to already.
    fn narrow(&mut self, area: Bounds) {
        let Some(area) = built(|path| add_line(path, &area.corners(), true)) else { return };
        let (width, height) = (self.pixels.width(), self.pixels.height());
        let mask = self.clip.take().map(|mut mask| {
            mask.intersect_path(&area, FillRule::Winding, true, self.to_pixels);
            mask
        });
        self.clip = mask.or_else(|| {
            let mut mask = Mask::new(width, height)?;
            mask.fill_path(&area, FillRule::Winding, true, self.to_pixels);
            Some(mask)
        });
    }

    fn path(&mut self, path: &Path) {
        let shape = built(|builder| {
            for line in &path.lines {
                add_line(builder, &line.points, line.closed);
            }
        });
        self.paint(shape, path.fill, path.stroke);
    }

    fn circle(&mut self, circle: &Circle) {
        let Vec2 { x, y } = circle.center;
        self.paint(PathBuilder::from_circle(x, y, circle.radius), circle.fill, circle.stroke);
    }

    fn text(&mut self, text: &Text) {
        let mut glyphs = Glyphs(PathBuilder::new());
        text.outline(&mut glyphs);
        let shape = glyphs.0.finish();
        if let Some(rim) = text.rim() {
            self.paint(shape.clone(), None, Some(rim));
        }
        self.paint(shape, Some(text.ink), None);
    }

    fn image(&mut self, image: &Image) {
        let Some(size) = IntSize::from_wh(image.width, image.height) else { return };
        let mut rgba = image.rgba.clone();
        for pixel in rgba.chunks_exact_mut(4) {
            let colour = tiny_skia::ColorU8::from_rgba(pixel[0], pixel[1], pixel[2], pixel[3]);
            let p = colour.premultiply();
            pixel.copy_from_slice(&[p.red(), p.green(), p.blue(), p.alpha()]);
        }
        let Some(source) = Pixmap::from_vec(rgba, size) else { return };
        let stretch = image.place.size() / Vec2::new(image.width as f32, image.height as f32);
        let Vec2 { x, y } = image.place.min;
        let place = self.to_pixels.pre_translate(x, y).pre_scale(stretch.x, stretch.y);
        let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
        self.pixels.draw_pixmap(0, 0, source.as_ref(), &paint, place, self.clip.as_ref());
    }

    fn paint(&mut self, path: Option<tiny_skia::Path>, fill: Option<Ink>, stroke: Option<Stroke>) {
        let Some(path) = path else { return };
        let (pixels, to_pixels, clip) = (&mut self.pixels, self.to_pixels, self.clip.as_ref());
        if let Some(ink) = fill {
            pixels.fill_path(&path, &paint(ink), FillRule::Winding, to_pixels, clip);
        }
        if let Some(stroke) = stroke {
            let outline = tiny_skia::Stroke {
                width: stroke.width,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                dash: stroke.dash.and_then(|[dash, gap]| StrokeDash::new(vec![dash, gap], 0.0)),
                ..tiny_skia::Stroke::default()
            };
            pixels.stroke_path(&path, &paint(stroke.ink), &outline, to_pixels, clip);
        }
    }
}

fn paint(ink: Ink) -> Paint<'static> {
    let ([r, g, b], mut paint) = (ink.rgb, Paint::default());
    let opacity = (ink.opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
    paint.set_color_rgba8(r, g, b, opacity);
    paint
}

fn built(build: impl FnOnce(&mut PathBuilder)) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    build(&mut builder);
    builder.finish()
}

fn add_line(path: &mut PathBuilder, points: &[Vec2], closed: bool) {
    let [first, rest @ ..] = points else { return };
    if rest.is_empty() {
        return;
    }
    path.move_to(first.x, first.y);
    rest.iter().for_each(|p| path.line_to(p.x, p.y));
    if closed {
        path.close();
    }
}

/// Glyphs as one path.
struct Glyphs(PathBuilder);

impl OutlineBuilder for Glyphs {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
