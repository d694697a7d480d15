//! Wavefront OBJ files, as far as a ground needs them.
//!
//! Written by hand because only two of the format's keywords matter here, `v` and `f`; the crates
//! that read it in full also load materials, split faces by normals and textures, and know no bound
//! on what they allocate. Everything else in a file is passed over. Faces of more than three corners
//! become fans around their first corner, which is right for convex ones; a corner may be counted
//! from the end (`-1` is the latest vertex) and may refer to a vertex further down.

use glam::Vec3;

use super::mesh::check_size;
use super::{TriangleSoup, is_sane};

/// What is wrong, and where.
#[derive(Debug)]
pub(super) struct ObjError {
    /// Counted from 1.
    pub line: usize,
    pub reason: String,
}

/// Reads the vertices and faces of an OBJ file.
pub(super) fn parse(file: &[u8]) -> Result<TriangleSoup, ObjError> {
    let mut parser = Parser::default();
    for (index, bytes) in file.split(|byte| *byte == b'\n').enumerate() {
        let line = index + 1;
        parser.line(bytes, line).map_err(|reason| ObjError { line, reason })?;
    }
    parser.finish()
}

#[derive(Default)]
struct Parser {
    soup: TriangleSoup,
    /// The highest vertex used so far and the line that used it, to be checked at the end.
    highest_used: (u32, usize),
    /// Corners of the face at hand; kept to spare an allocation per face.
    corners: Vec<u32>,
}

impl Parser {
    fn line(&mut self, bytes: &[u8], line: usize) -> Result<(), String> {
        let bytes = bytes.trim_ascii();
        let end = bytes.iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len());
        let (keyword, rest) = bytes.split_at(end);
        match keyword {
            b"v" => self.vertex(text(rest)?),
            b"f" => self.face(text(rest)?, line),
            _ => Ok(()),
        }
    }

    /// `x y z`; the weight or colour that may follow is not needed.
    fn vertex(&mut self, numbers: &str) -> Result<(), String> {
        let mut numbers = numbers.split_ascii_whitespace();
        let mut coordinate = || {
            let word = numbers.next().ok_or("a vertex needs three coordinates")?;
            word.parse().map_err(|_| format!("{word:?} is not a coordinate"))
        };
        let position = Vec3::new(coordinate()?, coordinate()?, coordinate()?);
        if !position.to_array().into_iter().all(is_sane) {
            return Err(format!("the vertex {position} is not finite or too far away"));
        }
        check_size(self.soup.vertices.len() + 1, 0).map_err(|error| error.to_string())?;
        self.soup.vertices.push(position);
        Ok(())
    }

    /// Corners as `v`, `v/vt`, `v//vn` or `v/vt/vn`, of which only `v` is needed.
    fn face(&mut self, corners: &str, line: usize) -> Result<(), String> {
        self.corners.clear();
        for word in corners.split_ascii_whitespace().take_while(|word| !word.starts_with('#')) {
            let corner = self.corner(word)?;
            if corner >= self.highest_used.0 {
                self.highest_used = (corner, line);
            }
            self.corners.push(corner);
        }
        let [first, others @ ..] = self.corners.as_slice() else {
            return Err("a face needs corners".into());
        };
        if others.len() < 2 {
            return Err(format!(
                "a face needs three corners, and this one has {}",
                others.len() + 1
            ));
        }
        let triangles = self.soup.triangles.len() + others.len() - 1;
        check_size(0, triangles).map_err(|error| error.to_string())?;
        self.soup.triangles.extend(others.windows(2).map(|pair| [*first, pair[0], pair[1]]));
        Ok(())
    }

    /// The vertex of a corner, counted from 0.
    fn corner(&self, word: &str) -> Result<u32, String> {
        let number = word.split('/').next().unwrap_or(word);
        let no_vertex = || format!("{number:?} is not the number of a vertex");
        let given: i64 = number.parse().map_err(|_| no_vertex())?;
        let counted = if given < 0 { self.soup.vertices.len() as i64 + given } else { given - 1 };
        u32::try_from(counted).map_err(|_| no_vertex())
    }

    fn finish(self) -> Result<TriangleSoup, ObjError> {
        let (highest, line) = self.highest_used;
        let vertices = self.soup.vertices.len();
        if !self.soup.triangles.is_empty() && highest as usize >= vertices {
            let reason = format!(
                "the face uses vertex {}, and there are only {vertices}",
                highest as u64 + 1
            );
            return Err(ObjError { line, reason });
        }
        Ok(self.soup)
    }
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    str::from_utf8(bytes).map_err(|_| "the line is not text".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(file: &str) -> (usize, String) {
        let error = parse(file.as_bytes()).unwrap_err();
        (error.line, error.reason)
    }

    #[test]
    fn all_ways_to_write_a_face_mean_the_same() {
        let vertices = "# a square\r\nmtllib a.mtl\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\n\tv 1.0 0 -1e0\nv 0 0 -1 1.0\n";
        let expected = [[0, 1, 2], [0, 2, 3]];
        for face in [
            "f 1 2 3 4",
            "f 1/7 2/7 3/7 4/7",
            "f 1//9 2//9 3//9 4//9",
            "f 1/7/9 2/7/9 3/7/9 4/7/9 # done",
            "f -4 -3 -2 -1\r",
            "usemtl x\nf 1 2 3\ns off\nf 1 3 4",
        ] {
            let soup = parse(format!("{vertices}{face}\n").as_bytes()).unwrap();
            assert_eq!(soup.triangles, expected, "{face}");
            assert_eq!(soup.vertices[2], Vec3::new(1.0, 0.0, -1.0));
        }
    }

    #[test]
    fn a_face_may_come_before_its_vertices() {
        let soup = parse(b"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 0 -1").unwrap();
        assert_eq!((soup.vertices.len(), soup.triangles), (3, vec![[0, 1, 2]]));
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        assert_eq!(error("v 0 0 0\nv 1 0"), (2, "a vertex needs three coordinates".into()));
        assert_eq!(error("v 0 x 0"), (1, "\"x\" is not a coordinate".into()));
        assert_eq!(error("\n\nv 0 nan 0").0, 3);
        assert_eq!(error("v 0 1e30 0").0, 1);
        assert_eq!(error("v 0 0 0\nf 0 1 1"), (2, "\"0\" is not the number of a vertex".into()));
        assert_eq!(error("v 0 0 0\nf -2 1 1").0, 2);
        assert_eq!(error("v 0 0 0\nf 1 99999999999999999999 1").0, 2);
        assert_eq!(error("v 0 0 0\nf 1 1").0, 2);
        assert_eq!(error("f").0, 1);
        let (line, reason) = error("v 0 0 0\nf 1 1 4294967296\nf 1 1 1");
        assert_eq!(line, 2);
        assert!(reason.contains("4294967296") && reason.contains("only 1"), "{reason}");
    }
}
