//! What the scenes of experiments are put together from.

use throng_world::scene::file::{
    Goal, Group, Obstacle, Region, SceneFile, Then, Varied, given, list,
};

/// Two opposite corners of a rectangle, m.
pub(crate) type Corners = [[f64; 2]; 2];

/// The body and the pace of people in laboratories, as scene files have them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walkers {
    /// Radius of their bodies, m.
    pub radius: f64,
    /// Mean of their preferred speeds, m/s.
    pub speed: f64,
    /// Its standard deviation, m/s.
    pub speed_sd: f64,
    /// The slowest and the fastest, m/s.
    pub speed_limits: [f64; 2],
}

/// Students, as most laboratories have them, who are told to walk normally.
pub(crate) const WALKERS: Walkers =
    Walkers { radius: 0.18, speed: 1.34, speed_sd: 0.2, speed_limits: [0.7, 2.0] };

/// A scene with solid rectangles and rectangular regions.
pub(crate) fn scene(
    duration: f64,
    bounds: Corners,
    walls: &[Corners],
    regions: &[(&str, Corners)],
    groups: impl IntoIterator<Item = Group>,
) -> SceneFile {
    let mut file = SceneFile::new(bounds);
    file.simulation.duration = given(duration);
    file.obstacles = list(walls.iter().copied().map(Obstacle::block));
    file.regions = list(regions.iter().map(|&(name, corners)| Region::rectangle(name, corners)));
    file.groups = list(groups);
    file
}

impl Walkers {
    /// A group of them without people yet, who have these goals and leave.
    pub fn group(self, name: &str, goals: impl IntoIterator<Item = Goal>) -> Group {
        let Self { radius, speed, speed_sd, speed_limits: [min, max] } = self;
        Group {
            radius: given(radius),
            max_speed: given(1.3 * max),
            then: given(Then::Leave),
            ..Group::new(name).speed(Varied::normal(speed, speed_sd, [min, max])).goals(goals)
        }
    }
}
