//! Well-known text: `POLYGON ((0 0, 4 0, 4 3), (1 1, 2 1, 2 2))`, `MULTIPOLYGON` and
//! `GEOMETRYCOLLECTION`, one or several in a file.
//!
//! Written by hand, for messages with a line and a column. Heights and measures (`POLYGON Z`,
//! `POLYGON ZM`) are passed over; a leading `SRID=…;` is allowed unless it says degrees.

use std::fmt::Write;

use glam::DVec2;

use super::{MAX_POINTS, Problem, RawPolygon, RawRing};
use crate::walkable::Area;

/// Collections may be in collections, but not for ever.
const DEEPEST: usize = 32;

/// A file has at most this many points: rings are limited each, and this limits them together.
const MOST_POINTS: usize = 10 * MAX_POINTS;

/// One area as a `POLYGON`, several as a `MULTIPOLYGON`.
pub fn to_wkt(areas: &[Area]) -> String {
    match areas {
        [area] => format!("POLYGON {}", polygon_text(area)),
        [] => "POLYGON EMPTY".into(),
        several => {
            let polygons: Vec<String> = several.iter().map(polygon_text).collect();
            format!("MULTIPOLYGON ({})", polygons.join(", "))
        }
    }
}

fn polygon_text(area: &Area) -> String {
    let mut text = String::from("(");
    for (index, ring) in area.rings().enumerate() {
        text += if index == 0 { "(" } else { ", (" };
        // A ring ends where it begins.
        for (index, point) in ring.iter().chain(ring.first()).enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            // Writing to a string does not fail.
            let _ = write!(text, "{comma}{} {}", point.x, point.y);
        }
        text.push(')');
    }
    text.push(')');
    text
}

/// Returns the areas of `text`, each with the first ring of a polygon as its outline and the others as holes. They may
/// overlap.
///
/// # Errors
///
/// If there is no geometry, with line and column if there is something else, or if a ring bounds no area.
pub fn from_wkt(text: &str) -> Result<Vec<Area>, String> {
    if text.trim().is_empty() {
        return Err("there is no geometry".into());
    }
    let area = |polygon: RawPolygon| {
        let mut rings = polygon.rings.into_iter().map(|ring| ring.points);
        let outline = rings.next().unwrap_or_default();
        Area::new(outline, rings.collect()).map_err(|error| error.to_string())
    };
    let polygons = parse(text).map_err(|problem| match problem {
        Problem::Syntax { line, column, reason } => format!("{line}:{column}: {reason}"),
        Problem::Value { place, reason } => format!("{place}: {reason}"),
        Problem::Whole(reason) => reason,
    })?;
    polygons.into_iter().map(area).collect()
}

/// The polygons in `text`.
pub(super) fn parse(text: &str) -> Result<Vec<RawPolygon>, Problem> {
    let mut parser = Parser { text, at: 0, polygons: Vec::new(), points: 0 };
    parser.srid()?;
    while !parser.rest().is_empty() {
        parser.geometry(0)?;
    }
    Ok(parser.polygons)
}

struct Parser<'t> {
    text: &'t str,
    /// Byte at which what is not read yet begins.
    at: usize,
    polygons: Vec<RawPolygon>,
    points: usize,
}

impl<'t> Parser<'t> {
    /// What is not read yet, from the next character that is not white.
    fn rest(&mut self) -> &'t str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn srid(&mut self) -> Result<(), Problem> {
        let rest = self.rest();
        if !rest.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("SRID=")) {
            return Ok(());
        }
        let Some(end) = rest.find(';') else {
            return Err(self.problem("SRID= without a semicolon at its end"));
        };
        if rest[5..end].trim() == "4326" {
            let reason =
                "SRID 4326 is in degrees, and coordinates must be metres; project the plan";
            return Err(self.problem(reason));
        }
        self.at += end + 1;
        Ok(())
    }

    fn geometry(&mut self, depth: usize) -> Result<(), Problem> {
        if depth > DEEPEST {
            return Err(self.problem("collections are nested too deeply"));
        }
        let begin = self.at;
        let kind = self.word().to_ascii_uppercase();
        match kind.as_str() {
            "POLYGON" | "MULTIPOLYGON" | "GEOMETRYCOLLECTION" => {}
            "POINT" | "LINESTRING" | "MULTIPOINT" | "MULTILINESTRING" => {
                self.at = begin;
                return Err(self.problem(&format!("a plan is made of polygons, and not of {kind}")));
            }
            _ => {
                self.at = begin;
                let expected = "expected POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION";
                return Err(self.problem(expected));
            }
        }
        if matches!(self.peek_word().to_ascii_uppercase().as_str(), "Z" | "M" | "ZM") {
            self.word();
        }
        if self.peek_word().eq_ignore_ascii_case("EMPTY") {
            self.word();
            return Ok(());
        }
        match kind.as_str() {
            "POLYGON" => self.polygon(),
            "MULTIPOLYGON" => self.list(Self::polygon),
            _ => self.list(|parser| parser.geometry(depth + 1)),
        }
    }

    fn polygon(&mut self) -> Result<(), Problem> {
        let mut rings = Vec::new();
        self.list(|parser| {
            rings.push(parser.ring()?);
            Ok(())
        })?;
        self.polygons.push(RawPolygon { rings });
        Ok(())
    }

    fn ring(&mut self) -> Result<RawRing, Problem> {
        self.rest();
        let (line, column) = self.line_column();
        let mut points = Vec::new();
        self.list(|parser| {
            points.push(parser.point()?);
            parser.points += 1;
            match parser.points > MOST_POINTS {
                true => Err(parser.problem(&format!("a plan has at most {MOST_POINTS} points"))),
                false => Ok(()),
            }
        })?;
        Ok(RawRing { points, place: format!("line {line}, column {column}") })
    }

    /// Two coordinates, and one or two more that do not matter.
    fn point(&mut self) -> Result<DVec2, Problem> {
        let point = DVec2::new(self.number()?, self.number()?);
        for _ in 0..2 {
            let rest = self.rest();
            if !(rest.is_empty() || rest.starts_with([',', ')'])) {
                self.number()?;
            }
        }
        Ok(point)
    }

    fn number(&mut self) -> Result<f64, Problem> {
        let rest = self.rest();
        let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')');
        let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        match word.parse() {
            Ok(number) if f64::is_finite(number) => {
                self.at += word.len();
                Ok(number)
            }
            _ if word.is_empty() => Err(self.problem("expected a number")),
            _ => {
                let shown: String = word.chars().take(20).collect();
                Err(self.problem(&format!("expected a number, and not {shown:?}")))
            }
        }
    }

    /// `( entry, entry, … )`.
    fn list(
        &mut self,
        mut entry: impl FnMut(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        if !self.take('(') {
            return Err(self.problem("expected ("));
        }
        loop {
            entry(self)?;
            if self.take(')') {
                return Ok(());
            }
            if !self.take(',') {
                return Err(self.problem("expected , or )"));
            }
        }
    }

    fn take(&mut self, character: char) -> bool {
        let is_there = self.rest().starts_with(character);
        self.at += usize::from(is_there);
        is_there
    }

    fn peek_word(&mut self) -> &'t str {
        let rest = self.rest();
        &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())]
    }

    fn word(&mut self) -> &'t str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    fn line_column(&self) -> (usize, usize) {
        let before = &self.text[..self.at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    }

    /// A problem with what comes next.
    fn problem(&mut self, reason: &str) -> Problem {
        let reason = match self.rest() {
            "" => format!("{reason}, and not the end of the file"),
            _ => reason.to_owned(),
        };
        let (line, column) = self.line_column();
        Problem::Syntax { line, column, reason }
    }
}
