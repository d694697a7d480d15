//! The scenes of the tests, as they are shipped and can be opened in the studio, and what varied
//! ones are written with.

use crate::experiments::scenery::{block, region};

macro_rules! shipped {
    ($($name:ident = $file:literal),* $(,)?) => {
        $(pub(super) const $name: &str =
            include_str!(concat!("../../../../scenes/rimea/", $file, ".toml"));)*
        /// Every scene of the tests of RiMEA by its name in `scenes/rimea`.
        pub const RIMEA_SCENES: &[(&str, &str)] = &[$(($file, $name)),*];
    };
}

shipped! {
    CORRIDOR = "01-corridor",
    STAIRS_UP = "02-stairs-up",
    STAIRS_DOWN = "03-stairs-down",
    PREMOVEMENT = "05-premovement",
    CORNER = "06-corner",
    AGES = "07-ages",
    STOREYS = "08-storeys",
    HALL = "09-hall",
    CABINS = "10-cabins",
    EXITS = "11-exits",
    BOTTLENECKS = "12-bottlenecks",
    OPENING = "12a-goal",
    LONG_OPENING = "12b-long-opening",
    SERIES = "12c-series",
    CORRIDOR_AND_STAIRS = "13-corridor-and-stairs",
    STAIRS = "13-stairs",
    WAYS = "14-ways",
    WIDE_CORNER = "15-wide-corner",
    SINGLE_FILE = "16-single-file",
}

/// Preferred speeds of adults (Weidmann 1993), as scene files have them.
pub(super) const ADULTS: &str = "{ mean = 1.34, sd = 0.26, min = 0.8, max = 1.9 }";

/// The head of a scene that is written for a test.
pub(super) fn head(duration: f64, bounds: [[f64; 2]; 2]) -> String {
    format!(
        "format = 1\n[simulation]\n{}\nduration = {duration}\n{}\n[world]\nbounds = {bounds:?}\n",
        super::bench::STEP,
        super::bench::SEED,
    )
}

/// Several walls, each between two opposite corners.
pub(super) fn blocks(corners: &[[[f64; 2]; 2]]) -> String {
    corners.iter().map(|&corners| block(corners)).collect()
}

/// Several regions.
pub(super) fn regions(named: &[(&str, [[f64; 2]; 2])]) -> String {
    named.iter().map(|&(name, corners)| region(name, corners)).collect()
}

/// A group without people yet. Speeds and goals are values of a scene file.
pub(super) fn group(name: &str, speed: &str, goals: &str) -> String {
    format!(
        "[[groups]]\nname = \"{name}\"\nradius = {BODY}\nspeed = {speed}\n{}\ngoals = {goals}\n\
         then = \"leave\"\n",
        super::bench::STEERING,
    )
}

/// People of the group before, placed in a region: on a lattice if it will be dense.
pub(super) fn crowd(count: usize, region: &str, dense: bool) -> String {
    let arrangement = if dense { "grid" } else { "random" };
    format!(
        "[[groups.crowds]]\ncount = {count}\nregion = \"{region}\"\narrangement = \"{arrangement}\"\n"
    )
}

/// Radius of the bodies of tests, m.
pub(super) const BODY: f64 = 0.18;

/// Where the plan of a scene is put: turned, mirrored and moved. Nothing that is measured may
/// depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placing {
    /// Counter-clockwise, degrees.
    pub angle: f64,
    pub mirrored: bool,
    pub offset: [f64; 2],
}

impl Placing {
    pub fn point(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let y = if self.mirrored { -y } else { y };
        let (sin, cos) = self.angle.to_radians().sin_cos();
        [cos * x - sin * y + self.offset[0], sin * x + cos * y + self.offset[1]]
    }

    /// A line as `Walk::passages` takes it. In a mirror, left and right change.
    pub fn line(self, [a, b]: [[f64; 2]; 2]) -> [[f32; 2]; 2] {
        let ends = if self.mirrored { [b, a] } else { [a, b] };
        ends.map(|end| self.point(end).map(|v| v as f32))
    }

    /// The polygon of a rectangle between two opposite corners.
    fn corners(self, [a, b]: [[f64; 2]; 2]) -> String {
        let corners = [[a[0], a[1]], [b[0], a[1]], [b[0], b[1]], [a[0], b[1]]];
        format!("polygon = {:?}\n", corners.map(|corner| self.point(corner)))
    }

    /// A scene of solid rectangles, a region `exit` that everybody seeks, and people one by one.
    pub fn scene(
        self,
        duration: f64,
        walls: &[[[f64; 2]; 2]],
        exit: [[f64; 2]; 2],
        speed: &str,
        people: impl IntoIterator<Item = [f64; 2]>,
    ) -> String {
        let [x, y] = self.offset;
        let mut text = head(duration, [[x - 70.0, y - 70.0], [x + 70.0, y + 70.0]]);
        for &wall in walls {
            text += &format!("[[obstacles]]\n{}", self.corners(wall));
        }
        text += &format!("[[regions]]\nname = \"exit\"\n{}", self.corners(exit));
        text += &group("people", speed, "[{ seek = \"exit\" }]");
        for person in people {
            text += &format!("[[groups.people]]\nposition = {:?}\n", self.point(person));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use throng::Scene;

    use super::super::bench::{SEED, STEERING, STEP};
    use super::*;

    #[test]
    fn shipped_scenes_can_be_read_and_varied() {
        for (name, text) in RIMEA_SCENES {
            let scene = Scene::parse(name, text, Path::new(""));
            assert!(scene.is_ok(), "{name}: {:?}", scene.err());
            for marker in [STEERING, SEED, STEP] {
                assert!(text.contains(marker), "{name} has no {marker}");
            }
        }
    }

    #[test]
    fn a_mirror_turns_lines_round() {
        let placing = Placing { angle: 90.0, mirrored: true, offset: [1.0, 0.0] };
        let [x, y] = placing.point([2.0, 1.0]);
        assert!((x - 2.0).abs() < 1e-9 && (y - 2.0).abs() < 1e-9, "{x} {y}");
        let [a, b] = placing.line([[0.0, -1.0], [0.0, 1.0]]);
        assert!(a[0] > b[0], "{a:?} {b:?}");
    }
}
