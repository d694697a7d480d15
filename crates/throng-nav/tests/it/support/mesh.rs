//! Navigation meshes and scenarios as the field exchanges them: `.mesh` files of convex polygons
//! (version 2, as read by Polyanya), and `.scen` files of queries with the lengths of their answers.
//!
//! A mesh is a text of numbers, in which white space is all the same:
//!
//! ```text
//! mesh 2                  the format and its version
//! V P                     how many vertices and polygons follow
//! x y n p1 … pn           a vertex, and the polygons around it (-1: none)
//! n v1 … vn p1 … pn       a polygon: its corners counter-clockwise, and beyond the edge from the
//!                         corner before to each of them, which polygon is there (-1: none)
//! ```
//!
//! Lines of a scenario file are `bucket map width height from-x from-y to-x to-y length`, after a
//! first line with the version.

use std::fmt::Write as _;
use std::str::{FromStr, SplitWhitespace};

use glam::DVec2;
use throng_world::walkable::Area;

/// Corners of polygons that share edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub vertices: Vec<DVec2>,
    pub polygons: Vec<Polygon>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    pub corners: Vec<usize>,
    /// What is beyond the edge that ends at each corner.
    pub beyond: Vec<Option<usize>>,
}

/// A query, and how long the best answer is.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    pub bucket: u32,
    pub map: String,
    pub size: [u32; 2],
    pub from: DVec2,
    pub to: DVec2,
    pub length: f64,
}

/// What is wrong with a file, and in which line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    #[error("line {line}: the file ends where {what} should be")]
    Ends { line: usize, what: &'static str },
    #[error("line {line}: {found:?} is not {what}")]
    NotA { line: usize, what: &'static str, found: String },
    #[error("line {line}: {what} {index} does not exist: there are {count}, numbered from 0")]
    Unknown { line: usize, what: &'static str, index: usize, count: usize },
    #[error("line {line}: a polygon has {count} corners; it needs at least 3")]
    Flat { line: usize, count: usize },
    #[error(
        "polygon {polygon} says that it shares an edge with polygon {other}, which has none like it"
    )]
    NotShared { polygon: usize, other: usize },
    #[error("line {line}: there is {found:?} after the last polygon; remove it")]
    GoesOn { line: usize, found: String },
    #[error(
        "line {line}: a scenario has {count} fields; write 9: bucket map width height x y x y length"
    )]
    Fields { line: usize, count: usize },
}

impl Mesh {
    pub fn parse(text: &str) -> Result<Self, MeshError> {
        let mut words = Words::new(text);
        words.exactly("mesh", "the word mesh")?;
        words.exactly("2", "a version that is known, which is 2")?;
        let vertices: usize = words.next("the number of vertices")?;
        let polygons: usize = words.next("the number of polygons")?;
        let mut mesh = Self::default();
        for _ in 0..vertices {
            let at = DVec2::new(words.coordinate()?, words.coordinate()?);
            mesh.vertices.push(at);
            // Which polygons are around it is also known from the polygons.
            for _ in 0..words.next::<usize>("the number of polygons at a vertex")? {
                words.index_or_none("polygon", polygons)?;
            }
        }
        for _ in 0..polygons {
            let count = words.next("the number of corners")?;
            if count < 3 {
                return Err(MeshError::Flat { line: words.line, count });
            }
            let corners = (0..count).map(|_| words.index("vertex", vertices));
            let corners = corners.collect::<Result<_, _>>()?;
            let beyond = (0..count).map(|_| words.index_or_none("polygon", polygons));
            let beyond = beyond.collect::<Result<_, _>>()?;
            mesh.polygons.push(Polygon { corners, beyond });
        }
        words.end()?;
        mesh.check_neighbours()?;
        Ok(mesh)
    }

    /// The polygons as ground. They share edges; put together, only the outline is left.
    pub fn areas(&self) -> Vec<Area> {
        let ring = |polygon: &Polygon| polygon.corners.iter().map(|&i| self.vertices[i]).collect();
        let areas = self.polygons.iter().map(|polygon| Area::new(ring(polygon), Vec::new()));
        // Polygons without an area are no ground.
        areas.filter_map(Result::ok).collect()
    }

    /// The file of a mesh.
    pub fn text(&self) -> String {
        let mut text = format!("mesh\n2\n{} {}\n", self.vertices.len(), self.polygons.len());
        for (number, at) in self.vertices.iter().enumerate() {
            let is_at = |&polygon: &usize| self.polygons[polygon].corners.contains(&number);
            let around: Vec<usize> = (0..self.polygons.len()).filter(is_at).collect();
            let _ = writeln!(text, "{} {} {}{}", at.x, at.y, around.len(), spaced(&around));
        }
        for Polygon { corners, beyond } in &self.polygons {
            let beyond: Vec<i64> = beyond.iter().map(|p| p.map_or(-1, |p| p as i64)).collect();
            let _ = writeln!(text, "{}{}{}", corners.len(), spaced(corners), spaced(&beyond));
        }
        text
    }

    /// A mesh of polygons whose neighbours are found by the edges they share.
    pub fn new(vertices: Vec<DVec2>, rings: &[Vec<usize>]) -> Self {
        let owner = |from: usize, to: usize| {
            rings.iter().position(|ring| edges(ring).any(|edge| edge == (from, to)))
        };
        let polygon = |ring: &Vec<usize>| Polygon {
            corners: ring.clone(),
            beyond: edges(ring).map(|(from, to)| owner(to, from)).collect(),
        };
        Self { vertices, polygons: rings.iter().map(polygon).collect() }
    }

    fn check_neighbours(&self) -> Result<(), MeshError> {
        for (number, polygon) in self.polygons.iter().enumerate() {
            for ((from, to), beyond) in edges(&polygon.corners).zip(&polygon.beyond) {
                let Some(other) = *beyond else { continue };
                if !edges(&self.polygons[other].corners).any(|edge| edge == (to, from)) {
                    return Err(MeshError::NotShared { polygon: number, other });
                }
            }
        }
        Ok(())
    }
}

/// Numbers, each after a space.
fn spaced(numbers: &[impl ToString]) -> String {
    numbers.iter().flat_map(|number| [" ".into(), number.to_string()]).collect()
}

/// The edges of a ring, that to its first corner first.
fn edges(ring: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..ring.len()).map(|i| (ring[(i + ring.len() - 1) % ring.len()], ring[i]))
}

impl Scenario {
    /// All scenarios of a file.
    pub fn parse(text: &str) -> Result<Vec<Self>, MeshError> {
        let mut lines = (1..).zip(text.lines());
        let (line, first) = lines.next().unwrap_or((1, ""));
        if !matches!(first.trim(), "version 1" | "version 1.0") {
            let what = "a version that is known: write version 1";
            return Err(MeshError::NotA { line, what, found: first.into() });
        }
        let lines = lines.filter(|(_, text)| !text.trim().is_empty());
        lines.map(|(line, text)| Self::parse_line(line, text)).collect()
    }

    fn parse_line(line: usize, text: &str) -> Result<Self, MeshError> {
        // Names of maps may have spaces where fields are separated by tabs.
        let fields: Vec<&str> = match text.contains('\t') {
            true => text.split('\t').map(str::trim).collect(),
            false => text.split_whitespace().collect(),
        };
        let [bucket, map, width, height, from_x, from_y, to_x, to_y, length] = fields[..] else {
            return Err(MeshError::Fields { line, count: fields.len() });
        };
        let whole = |text: &str| parsed(line, text, "a whole number");
        let number = |text: &str| finite(line, text);
        Ok(Self {
            bucket: whole(bucket)?,
            map: map.into(),
            size: [whole(width)?, whole(height)?],
            from: DVec2::new(number(from_x)?, number(from_y)?),
            to: DVec2::new(number(to_x)?, number(to_y)?),
            length: number(length)?,
        })
    }

    /// The file of some scenarios.
    pub fn text(scenarios: &[Self]) -> String {
        let mut text = String::from("version 1\n");
        for Self { bucket, map, size: [width, height], from, to, length } in scenarios {
            let [from, to] = [from, to].map(|at| format!("{}\t{}", at.x, at.y));
            let _ = writeln!(text, "{bucket}\t{map}\t{width}\t{height}\t{from}\t{to}\t{length}");
        }
        text
    }
}

/// The words of a text, and the line they are in.
struct Words<'t> {
    lines: std::str::Lines<'t>,
    words: SplitWhitespace<'t>,
    line: usize,
}

impl<'t> Words<'t> {
    fn new(text: &'t str) -> Self {
        Self { lines: text.lines(), words: "".split_whitespace(), line: 0 }
    }

    fn word(&mut self) -> Option<&'t str> {
        loop {
            if let Some(word) = self.words.next() {
                return Some(word);
            }
            self.words = self.lines.next()?.split_whitespace();
            self.line += 1;
        }
    }

    fn required(&mut self, what: &'static str) -> Result<&'t str, MeshError> {
        self.word().ok_or(MeshError::Ends { line: self.line, what })
    }

    fn exactly(&mut self, word: &str, what: &'static str) -> Result<(), MeshError> {
        match self.required(what)? {
            found if found == word => Ok(()),
            found => Err(MeshError::NotA { line: self.line, what, found: found.into() }),
        }
    }

    fn next<T: FromStr>(&mut self, what: &'static str) -> Result<T, MeshError> {
        let word = self.required(what)?;
        parsed(self.line, word, what)
    }

    fn coordinate(&mut self) -> Result<f64, MeshError> {
        let word = self.required("a coordinate")?;
        finite(self.line, word)
    }

    fn index(&mut self, what: &'static str, count: usize) -> Result<usize, MeshError> {
        let word = self.required(what)?;
        self.checked_index(word, what, count)
    }

    fn index_or_none(
        &mut self,
        what: &'static str,
        count: usize,
    ) -> Result<Option<usize>, MeshError> {
        match self.required(what)? {
            "-1" => Ok(None),
            word => self.checked_index(word, what, count).map(Some),
        }
    }

    fn checked_index(
        &self,
        word: &str,
        what: &'static str,
        count: usize,
    ) -> Result<usize, MeshError> {
        let index = parsed(self.line, word, what)?;
        let unknown = MeshError::Unknown { line: self.line, what, index, count };
        if index < count { Ok(index) } else { Err(unknown) }
    }

    fn end(mut self) -> Result<(), MeshError> {
        match self.word() {
            Some(found) => Err(MeshError::GoesOn { line: self.line, found: found.into() }),
            None => Ok(()),
        }
    }
}

fn parsed<T: FromStr>(line: usize, found: &str, what: &'static str) -> Result<T, MeshError> {
    found.parse().map_err(|_| MeshError::NotA { line, what, found: found.into() })
}

fn finite(line: usize, found: &str) -> Result<f64, MeshError> {
    let number: f64 = parsed(line, found, "a number")?;
    let what = "a finite number";
    number.is_finite().then_some(number).ok_or(MeshError::NotA { line, what, found: found.into() })
}
