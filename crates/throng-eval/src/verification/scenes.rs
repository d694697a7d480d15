//! The scenes of the tests, as they are shipped and can be opened in the studio, and what varied
//! ones are written with.

use throng_world::scene::file::{
    Goal, Group, Obstacle, Region, SceneFile, Then, Varied, given, list,
};

use crate::experiments::ExperimentError;
pub(super) use crate::experiments::scenery::{Corners, scene};

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

/// A scene that ships.
pub(super) fn shipped(text: &str) -> Result<SceneFile, ExperimentError> {
    Ok(SceneFile::parse("shipped", text)?)
}

/// Preferred speeds of adults (Weidmann 1993), m/s.
pub(super) fn adults() -> Varied {
    Varied::normal(1.34, 0.26, [0.8, 1.9])
}

/// A group without people yet.
pub(super) fn group(name: &str, speed: impl Into<Varied>, goal: Goal) -> Group {
    let group = Group::new(name).speed(speed).goals([goal]);
    Group { radius: given(BODY), then: given(Then::Leave), ..group }
}

/// The group with people in a region, so many per m²: on a lattice if it will be dense.
pub(super) fn placed(group: Group, count: f64, region: &str, density: f64) -> Group {
    match density > 1.5 {
        true => group.dense_crowd(count as u32, region),
        false => group.crowd(count as u32, region),
    }
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

    /// The corners of a rectangle between two opposite ones.
    fn corners(self, [a, b]: Corners) -> [[f64; 2]; 4] {
        [[a[0], a[1]], [b[0], a[1]], [b[0], b[1]], [a[0], b[1]]].map(|corner| self.point(corner))
    }

    /// A scene of solid rectangles, a region `exit` that everybody seeks, and people one by one.
    pub fn scene(
        self,
        duration: f64,
        walls: &[Corners],
        exit: Corners,
        speed: f64,
        people: impl IntoIterator<Item = [f64; 2]>,
    ) -> SceneFile {
        let [x, y] = self.offset;
        let people = people.into_iter().map(|person| self.point(person));
        let groups = [group("people", speed, Goal::seek("exit")).people_at(people)];
        let mut file =
            scene(duration, [[x - 70.0, y - 70.0], [x + 70.0, y + 70.0]], &[], &[], groups);
        file.obstacles = list(walls.iter().map(|&wall| Obstacle::polygon(self.corners(wall))));
        file.regions = list([Region::polygon("exit", self.corners(exit))]);
        file
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use throng::Scene;

    use super::*;

    #[test]
    fn shipped_scenes_can_be_read() {
        for (name, text) in RIMEA_SCENES {
            let scene = Scene::parse(name, text, Path::new(""));
            assert!(scene.is_ok(), "{name}: {:?}", scene.err());
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
