//! Areas as Well-Known Text, the notation of the Simple Features standard: `POLYGON ((0 0, 4 0, 4
//! 3, 0 0))`, where the first ring is the outline and the others are holes.

use glam::DVec2;
use throng_world::walkable::Area;

/// Collections may hold collections, but not endlessly.
const DEEPEST: usize = 8;
/// More points than any floor plan has.
const MOST_POINTS: usize = 1_000_000;

/// The areas of a `POLYGON`, a `MULTIPOLYGON` or a `GEOMETRYCOLLECTION` of these, or what is wrong.
pub(super) fn from_wkt(text: &str) -> Result<Vec<Area>, String> {
    let mut parser = Parser { rest: text, areas: Vec::new(), points: 0 };
    parser.geometry(DEEPEST)?;
    match parser.token() {
        "" => Ok(parser.areas),
        more => Err(format!("there is {more:?} after the end of the geometry")),
    }
}

struct Parser<'t> {
    rest: &'t str,
    areas: Vec<Area>,
    points: usize,
}

impl<'t> Parser<'t> {
    fn geometry(&mut self, depth: usize) -> Result<(), String> {
        let kind = self.token().to_ascii_uppercase();
        let mut opening = self.token();
        if matches!(opening.to_ascii_uppercase().as_str(), "Z" | "M" | "ZM") {
            opening = self.token();
        }
        match opening {
            "(" => {}
            empty if empty.eq_ignore_ascii_case("EMPTY") => return Ok(()),
            other => return Err(format!("{other:?} follows {kind}, where ( should be")),
        }
        match kind.as_str() {
            "POLYGON" => self.polygon(),
            "MULTIPOLYGON" => self.list(|parser| {
                parser.expect("(")?;
                parser.polygon()
            }),
            "GEOMETRYCOLLECTION" if depth == 0 => Err("collections are nested too deeply".into()),
            "GEOMETRYCOLLECTION" => self.list(|parser| parser.geometry(depth - 1)),
            other => Err(format!("a {other:?} is not an area; it should be a POLYGON")),
        }
    }

    /// The rings of a polygon, behind its opening bracket.
    fn polygon(&mut self) -> Result<(), String> {
        let mut rings = Vec::new();
        self.list(|parser| {
            parser.expect("(")?;
            let mut ring = Vec::new();
            parser.list(|parser| {
                ring.push(parser.point()?);
                Ok(())
            })?;
            rings.push(ring);
            Ok(())
        })?;
        let mut rings = rings.into_iter();
        let outline = rings.next().unwrap_or_default();
        let area = Area::new(outline, rings.collect()).map_err(|error| error.to_string())?;
        self.areas.push(area);
        Ok(())
    }

    /// Items with commas between them, behind an opening bracket, up to the closing one.
    fn list(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        loop {
            item(self)?;
            match self.token() {
                "," => {}
                ")" => return Ok(()),
                "" => return Err("it ends too early".into()),
                other => return Err(format!("{other:?} is where a comma or ) should be")),
            }
        }
    }

    /// Two numbers, and up to two more that do not matter here.
    fn point(&mut self) -> Result<DVec2, String> {
        self.points += 1;
        if self.points > MOST_POINTS {
            return Err(format!("it has more than {MOST_POINTS} points"));
        }
        let point = DVec2::new(self.number()?, self.number()?);
        for _ in 0..2 {
            if !self.rest.trim_start().starts_with([',', ')']) {
                self.number()?;
            }
        }
        Ok(point)
    }

    fn number(&mut self) -> Result<f64, String> {
        let token = self.token();
        token.parse().map_err(|_| format!("{token:?} is where a number should be"))
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        match self.token() {
            found if found == wanted => Ok(()),
            found => Err(format!("{found:?} is where {wanted} should be")),
        }
    }

    /// A bracket, a comma or a word; empty at the end.
    fn token(&mut self) -> &'t str {
        let text = self.rest.trim_start();
        let is_mark = |c: char| matches!(c, '(' | ')' | ',');
        let length = match text.chars().next() {
            Some(mark) if is_mark(mark) => 1,
            _ => text.find(|c: char| is_mark(c) || c.is_whitespace()).unwrap_or(text.len()),
        };
        let (token, rest) = text.split_at(length);
        self.rest = rest;
        token
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use throng_world::plan::to_wkt;

    use super::*;

    #[test]
    fn areas_are_written_and_read_back() {
        let text = "POLYGON ((0 0, 4 0, 4 3.5, 0 0), (1 0.5, 2 1, 2 0.5, 1 0.5))";
        let area = from_wkt(text).unwrap();
        assert_eq!((area.len(), area[0].holes().len()), (1, 1));
        assert_eq!(to_wkt(&area), text);
        let several = [area[0].clone(), area[0].clone()];
        assert!(to_wkt(&several).starts_with("MULTIPOLYGON (((0 0, 4 0"));
        assert_eq!(from_wkt(&to_wkt(&several)).unwrap(), several);
        assert!(from_wkt(&to_wkt(&[])).unwrap().is_empty());
    }

    #[test]
    fn other_ways_to_write_an_area_are_understood() {
        for text in [
            "polygon((0 0,4 0,4 3))",
            "POLYGON Z ((0 0 1, 4 0 1, 4 3 1, 0 0 1))",
            "GEOMETRYCOLLECTION (POLYGON EMPTY, MULTIPOLYGON (((0 0, 4 0, 4 3, 0 0))))",
            "  POLYGON ( ( 0 0 , 4e0 0 , 4 3 ) )  ",
        ] {
            let areas = from_wkt(text).unwrap_or_else(|error| panic!("{error} in {text}"));
            assert_eq!((areas.len(), areas[0].size()), (1, 6.0), "{text}");
        }
    }

    #[test]
    fn what_is_no_area_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "follows"),
            ("POINT (1 2)", "not an area"),
            ("POLYGON ((0 0, 1 x, 2 2))", "\"x\" is where a number"),
            ("POLYGON ((0 0, 1 1))", "fewer than three"),
            ("POLYGON ((0 0, 1 0, NaN 1))", "not a finite"),
            ("POLYGON ((0 0, 1 0, 1 1)", "ends too early"),
            ("POLYGON ((0 0, 1 0, 1 1)) 7", "after the end"),
        ] {
            let error = from_wkt(text).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        let nested = "GEOMETRYCOLLECTION (".repeat(100_000);
        assert!(from_wkt(&nested).unwrap_err().contains("nested"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(MULTI|GEOMETRYCOLLECTION|POLYGON|EMPTY|[(), 0-9.eé-]){0,40}") {
            let _ = from_wkt(&text);
        }
    }
}
