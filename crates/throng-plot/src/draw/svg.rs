//! A page as an SVG file.
//!
//! Text stays text: whoever opens the figure in Inkscape wants to correct a label, or to set it in the
//! font of their paper, and a search in the finished PDF should find it. Every text is anchored where
//! it is aligned, so that it stays in place with the font that is there if Noto Sans is not. Parts of
//! the figure are groups with names.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::Vec2;
use throng::base::Bounds;

use super::{Anchor, Circle, Group, Image, Ink, Item, Page, Path, Stroke, Text, raster};
use crate::PlotError;

/// The page as an SVG document that is shown `width` pixels wide.
pub(crate) fn write(page: &Page, width: u32) -> Result<String, PlotError> {
    let mut svg = Svg { text: String::new() };
    let (w, h) = (number(page.size.x), number(page.size.y));
    let height = raster::height_for(page, width);
    svg.line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {w} {h}\" font-family=\"'Noto Sans', 'Open Sans', Helvetica, Arial, \
         sans-serif\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    ));
    svg.line(format_args!("<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>"));
    svg.items(&page.items)?;
    svg.line(format_args!("</svg>"));
    Ok(svg.text)
}

struct Svg {
    text: String,
}

impl Svg {
    fn line(&mut self, line: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn items(&mut self, items: &[Item]) -> Result<(), PlotError> {
        for item in items {
            match item {
                Item::Path(path) => self.path(path),
                Item::Circle(circle) => self.circle(circle),
                Item::Text(text) => self.label(text),
                Item::Image(image) => self.image(image)?,
                Item::Group(group) => self.group(group)?,
            }
        }
        Ok(())
    }

    fn group(&mut self, group: &Group) -> Result<(), PlotError> {
        let name = group.name;
        match group.clip {
            None => self.line(format_args!("<g id=\"{name}\">")),
            Some(clip) => {
                let area = rectangle(clip);
                self.line(format_args!("<clipPath id=\"{name}-area\"><rect {area}/></clipPath>"));
                self.line(format_args!("<g id=\"{name}\" clip-path=\"url(#{name}-area)\">"));
            }
        }
        self.items(&group.items)?;
        self.line(format_args!("</g>"));
        Ok(())
    }

    fn path(&mut self, path: &Path) {
        let mut data = String::new();
        for line in path.lines.iter().filter(|line| line.points.len() > 1) {
            for (i, point) in line.points.iter().enumerate() {
                let command = if i == 0 { 'M' } else { 'L' };
                let _ = write!(data, "{command}{} {}", number(point.x), number(point.y));
            }
            data.push_str(if line.closed { "Z" } else { "" });
        }
        if !data.is_empty() {
            let paint = paint(path.fill, path.stroke);
            self.line(format_args!("<path d=\"{data}\"{paint}/>"));
        }
    }

    fn circle(&mut self, circle: &Circle) {
        let (Vec2 { x, y }, r) = (circle.center, number(circle.radius));
        let (x, y, paint) = (number(x), number(y), paint(circle.fill, circle.stroke));
        self.line(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{paint}/>"));
    }

    fn label(&mut self, text: &Text) {
        let (x, y, size) = (number(text.at.x), number(text.at.y), number(text.size));
        let mut attributes = format!("font-size=\"{size}\"{}", ink("fill", text.ink));
        match text.anchor {
            Anchor::Start => {}
            Anchor::Middle => attributes += " text-anchor=\"middle\"",
            Anchor::End => attributes += " text-anchor=\"end\"",
        }
        if text.bold {
            attributes += " font-weight=\"bold\"";
        }
        if let Some(rim) = text.rim() {
            attributes += &format!("{} paint-order=\"stroke\"", stroked(rim));
        }
        match text.upwards {
            false => attributes += &format!(" x=\"{x}\" y=\"{y}\""),
            true => attributes += &format!(" transform=\"translate({x} {y}) rotate(-90)\""),
        }
        self.line(format_args!("<text {attributes}>{}</text>", escape(&text.content)));
    }

    fn image(&mut self, image: &Image) -> Result<(), PlotError> {
        let png = raster::encode(image.width, image.height, png::ColorType::Rgba, &image.rgba)?;
        let place = rectangle(image.place);
        self.line(format_args!(
            "<image {place} preserveAspectRatio=\"none\" href=\"data:image/png;base64,{}\"/>",
            STANDARD.encode(png)
        ));
        Ok(())
    }
}

fn rectangle(bounds: Bounds) -> String {
    let [x, y] = bounds.min.to_array().map(number);
    let [width, height] = bounds.size().to_array().map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

fn paint(fill: Option<Ink>, stroke: Option<Stroke>) -> String {
    let fill = fill.map_or_else(|| " fill=\"none\"".into(), |fill| ink("fill", fill));
    fill + &stroke.map(stroked).unwrap_or_default()
}

fn stroked(stroke: Stroke) -> String {
    let mut text = ink("stroke", stroke.ink);
    let _ = write!(text, " stroke-width=\"{}\"", number(stroke.width));
    if let Some([dash, gap]) = stroke.dash {
        let _ = write!(text, " stroke-dasharray=\"{} {}\"", number(dash), number(gap));
    }
    text
}

fn ink(attribute: &str, ink: Ink) -> String {
    let [r, g, b] = ink.rgb;
    let mut text = format!(" {attribute}=\"#{r:02x}{g:02x}{b:02x}\"");
    if ink.opacity < 1.0 {
        let _ = write!(text, " {attribute}-opacity=\"{}\"", number(ink.opacity));
    }
    text
}

/// A hundredth of a pixel is as fine as anyone can see, even much enlarged.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// `text` as XML may have it. Characters that XML knows no way to write are left out.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, -0.001, 12.0, 12.5, -7.456_7, 100.0].map(number);
        assert_eq!(shown, ["0", "0", "12", "12.5", "-7.46", "100"]);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b> & \"c\"\u{1}\u{ffff}"), "a&lt;b&gt; &amp; \"c\"");
    }
}
