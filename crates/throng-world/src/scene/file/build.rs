//! Parts of a scene that is built by code. What they do not take is set by field.

use super::super::FORMAT_VERSION;
use super::super::value::{Point, Towards, Varied, at, given, list};
use super::{
    Arrangement, Circle, Crowd, Goal, Group, Obstacle, Person, Rectangle, Region, SceneFile,
    Simulation, Wall, World,
};

impl SceneFile {
    /// An empty scene on the flat ground between two opposite corners, m.
    pub fn new(bounds: [impl Into<Point>; 2]) -> Self {
        Self {
            format: at(FORMAT_VERSION),
            name: None,
            description: None,
            simulation: Simulation::default(),
            world: at(World { bounds: at(bounds.map(Into::into)), ..World::default() }),
            layers: Vec::new(),
            connectors: Vec::new(),
            obstacles: Vec::new(),
            regions: Vec::new(),
            interests: Vec::new(),
            groups: Vec::new(),
            fields: Vec::new(),
            measurements: Vec::new(),
            evaluation: None,
        }
    }
}

impl Obstacle {
    /// A solid polygon, m.
    pub fn polygon(corners: impl IntoIterator<Item: Into<Point>>) -> Self {
        Self { polygon: given(list(corners)), ..Self::default() }
    }

    /// A solid rectangle between two opposite corners, m.
    pub fn block([a, b]: [[f64; 2]; 2]) -> Self {
        Self::polygon([[a[0], a[1]], [b[0], a[1]], [b[0], b[1]], [a[0], b[1]]])
    }

    /// A pillar, m.
    pub fn circle(center: impl Into<Point>, radius: f64) -> Self {
        let circle = Circle { center: at(center), radius: at(radius) };
        Self { circle: given(circle), ..Self::default() }
    }

    /// A rectangle about a centre, with sides along the axes, m.
    pub fn rectangle(center: impl Into<Point>, size: impl Into<Point>) -> Self {
        let rectangle = Rectangle { center: at(center), size: at(size), angle: None };
        Self { r#box: given(rectangle), ..Self::default() }
    }

    /// A wall along a line, m.
    pub fn wall(points: impl IntoIterator<Item: Into<Point>>, thickness: f64) -> Self {
        let wall = Wall { points: at(list(points)), thickness: at(thickness) };
        Self { wall: given(wall), ..Self::default() }
    }
}

impl Region {
    /// A place between two opposite corners, m.
    pub fn rectangle(name: &str, corners: [impl Into<Point>; 2]) -> Self {
        Self { name: at(name), rectangle: given(corners.map(at)), ..Self::default() }
    }

    /// A place with these corners, m.
    pub fn polygon(name: &str, corners: impl IntoIterator<Item: Into<Point>>) -> Self {
        Self { name: at(name), polygon: given(list(corners)), ..Self::default() }
    }
}

impl Group {
    /// A group without people yet.
    pub fn new(name: &str) -> Self {
        Self { name: at(name), ..Self::default() }
    }

    /// The same with these preferred speeds, m/s.
    pub fn speed(self, speed: impl Into<Varied>) -> Self {
        Self { speed: given(speed), ..self }
    }

    /// The same with these goals, in order.
    pub fn goals(self, goals: impl IntoIterator<Item = Goal>) -> Self {
        Self { goals: given(list(goals)), ..self }
    }

    /// The same with `count` more people, who start in `region`.
    pub fn crowd(mut self, count: u32, region: &str) -> Self {
        self.crowds.push(at(Crowd { count: at(count), region: at(region), arrangement: None }));
        self
    }

    /// The same with `count` more people, who start on a lattice in `region`, which holds more of them.
    pub fn dense_crowd(self, count: u32, region: &str) -> Self {
        let mut group = self.crowd(count, region);
        if let Some(crowd) = group.crowds.last_mut() {
            crowd.arrangement = given(Arrangement::Grid);
        }
        group
    }

    /// The same with people at these positions, m.
    pub fn people_at(mut self, positions: impl IntoIterator<Item: Into<Point>>) -> Self {
        self.people.extend(positions.into_iter().map(|position| at(Person::new(position))));
        self
    }
}

impl Person {
    /// A person who starts here, m, and has everything else from the group.
    pub fn new(position: impl Into<Point>) -> Self {
        Self { position: at(position), ..Self::default() }
    }
}

impl Goal {
    /// Go to a point or into a region, or catch up with people.
    pub fn seek(place: impl Into<Towards>) -> Self {
        Self { seek: given(place), ..Self::default() }
    }

    /// Get away from a point or from people.
    pub fn flee(place: impl Into<Towards>) -> Self {
        Self { flee: given(place), ..Self::default() }
    }

    /// Walk in a direction, or the way the people around walk.
    pub fn flow(direction: impl Into<Towards>) -> Self {
        Self { flow: given(direction), ..Self::default() }
    }

    /// Stay where one is, for this many seconds, which may vary from person to person.
    pub fn idle(seconds: impl Into<Varied>) -> Self {
        Self { idle: given(seconds), ..Self::default() }
    }
}
