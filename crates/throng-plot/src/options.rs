//! What can be asked of a figure.

use std::str::FromStr;

use glam::Vec2;
use serde::Serialize;
use throng::base::{Bounds, named_enum};

use crate::PlotError;

named_enum! {
    /// What is drawn of a recording.
    #[derive(Default, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Kind {
        /// Everyone's path.
        #[default]
        Trajectories = "trajectories",
        /// Mean number of people per square metre.
        Density = "density",
        /// Mean speed of whoever was there.
        Speed = "speed",
        /// Speed and flow against density.
        Fundamental = "fundamental",
        /// How many people have passed a line, and how many do per second.
        Flow = "flow",
        /// Where everyone is at a moment.
        Positions = "positions",
        /// What people find ways by; of a scene as well.
        Nav = "nav",
        /// Where arrows on the ground lead; of a scene as well.
        Field = "field",
    }
}

impl Kind {
    /// What it shows.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Trajectories => "everyone's path",
            Self::Density => "map of the mean number of people per m²",
            Self::Speed => "map of the mean speed",
            Self::Fundamental => "speed and flow against density in an area",
            Self::Flow => "people who pass a line, and how many per second",
            Self::Positions => "everyone at a moment",
            Self::Nav => "map of the ways there are, and how wide they are",
            Self::Field => "where arrows on the ground lead people",
        }
    }
}

named_enum! {
    /// What colours tell.
    #[derive(Default)]
    pub enum ColourBy {
        /// Whom people belong to.
        #[default]
        Group = "group",
        /// How fast they are.
        Speed = "speed",
    }
}

/// What a figure is to show. The default is everyone's path on the first floor, coloured by group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// What is drawn; of a recording, trajectories unless something else is asked for.
    pub kind: Option<Kind>,
    /// What the colours of trajectories and positions tell.
    pub colour: Option<ColourBy>,
    /// Where people are counted as they pass, instead of the scene's lines. Maps show it.
    pub line: Option<MeasuringLine>,
    /// Where densities are measured, instead of the scene's areas. Maps show them.
    pub areas: Vec<Area>,
    /// A way to look for on a map of ways, instead of those of the scene's groups.
    pub way: Option<Way>,
    /// How many ways from start to goal to show, with the best one: alternatives that really differ. One if
    /// it is left out.
    pub ways: Option<usize>,
    /// The floor on which that way ends, by name; the one shown if there is none.
    pub to_layer: Option<String>,
    /// The fields to show where arrows lead; all of a floor if there is none.
    pub field: Option<FieldChoice>,
    /// Begin of the time to look at, s.
    pub from: Option<f64>,
    /// End of the time to look at, s.
    pub to: Option<f64>,
    /// The moment that positions or fields are shown at, s. If there is none, positions are those when
    /// most people are there, and fields those of the beginning.
    pub at: Option<f64>,
    /// The floor, by name; the first if there is none.
    pub layer: Option<String>,
    /// The title instead of the scene's name; none at all if it is empty.
    pub title: Option<String>,
}

/// A line to count people at. Written as `X1,Y1,X2,Y2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuringLine {
    /// One end, m.
    pub from: Vec2,
    /// The other end, m.
    pub to: Vec2,
}

/// Where somebody wants to go, and from where. Written as `X1,Y1,X2,Y2`, with the coordinates of
/// further points in between if it is a sketch to be followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    points: Vec<Vec2>,
}

impl Way {
    /// The start, what is in between, and the goal, m: two points at least.
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }
}

/// Which fields to show. Written as the name of one, or as `all`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldChoice {
    /// All fields of a floor.
    All,
    /// The one with this name.
    Named(String),
}

impl From<&str> for FieldChoice {
    fn from(text: &str) -> Self {
        if text == "all" { Self::All } else { Self::Named(text.into()) }
    }
}

/// A rectangle to measure in. Written as `X1,Y1,X2,Y2`, with any two opposite corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area(pub Bounds);

impl FromStr for MeasuringLine {
    type Err = PlotError;

    fn from_str(text: &str) -> Result<Self, PlotError> {
        let points = two_points(text).filter(|[from, to]| from != to);
        points.map(|[from, to]| Self { from, to }).ok_or_else(|| PlotError::Coordinates {
            text: text.into(),
            what: "a line",
            example: "its two ends as X1,Y1,X2,Y2 in metres, e.g. 0,-2,0,2",
        })
    }
}

impl FromStr for Way {
    type Err = PlotError;

    fn from_str(text: &str) -> Result<Self, PlotError> {
        let points = points(text).filter(|points| points.len() >= 2);
        points.map(|points| Self { points }).ok_or_else(|| PlotError::Coordinates {
            text: text.into(),
            what: "a way",
            example: "its start and its goal as X1,Y1,X2,Y2 in metres, e.g. 0,-2,8,2",
        })
    }
}

impl FromStr for Area {
    type Err = PlotError;

    fn from_str(text: &str) -> Result<Self, PlotError> {
        let corners = two_points(text).filter(|[a, b]| a.cmpne(*b).all());
        let area = corners.map(|[a, b]| Self(Bounds { min: a.min(b), max: a.max(b) }));
        area.ok_or_else(|| PlotError::Coordinates {
            text: text.into(),
            what: "an area",
            example: "two opposite corners as X1,Y1,X2,Y2 in metres, e.g. -2,-2,2,2",
        })
    }
}

/// Four numbers.
fn two_points(text: &str) -> Option<[Vec2; 2]> {
    points(text)?.try_into().ok()
}

/// Pairs of numbers within a hundred thousand kilometres.
fn points(text: &str) -> Option<Vec<Vec2>> {
    const FARTHEST: f32 = 1e8;
    let number = |number: &str| number.trim().parse::<f32>().ok();
    let numbers = text.split(',').map(|text| number(text).filter(|n| n.abs() <= FARTHEST));
    let numbers = numbers.collect::<Option<Vec<f32>>>()?;
    let pairs = numbers.chunks_exact(2);
    pairs.remainder().is_empty().then(|| pairs.map(Vec2::from_slice).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_and_areas_are_four_numbers() {
        let line: MeasuringLine = "0, -2,0,2.5".parse().unwrap();
        assert_eq!((line.from, line.to), (Vec2::new(0.0, -2.0), Vec2::new(0.0, 2.5)));
        let Area(area) = "3,1,-1,2".parse().unwrap();
        assert_eq!((area.min, area.max), (Vec2::new(-1.0, 1.0), Vec2::new(3.0, 2.0)));
        for wrong in ["", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,NaN", "1,2,inf,4", "1,2,1,2"] {
            assert!(wrong.parse::<MeasuringLine>().is_err(), "{wrong}");
            assert!(wrong.parse::<Area>().is_err(), "{wrong}");
        }
        let message = "0,0,0,2".parse::<Area>().unwrap_err().to_string();
        assert!(message.contains("\"0,0,0,2\" is not an area; write two opposite"), "{message}");
    }

    #[test]
    fn a_way_has_two_points_or_more() {
        let way: Way = "0, -2,0,2.5,8,9".parse().unwrap();
        assert_eq!(way.points(), [(0.0, -2.0), (0.0, 2.5), (8.0, 9.0)].map(Vec2::from));
        for wrong in ["", "1,2", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,NaN"] {
            assert!(wrong.parse::<Way>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_accepted_has_an_extent(
            numbers in prop::collection::vec("[-]?[0-3]{1,2}([.][05])?|[-0-9e.naif]{1,8}", 4),
        ) {
            let text = numbers.join(",");
            let known = numbers.iter().map(|number| number.parse::<f32>().unwrap_or(f32::NAN));
            let known: Vec<f32> = known.collect();
            let differs = |i: usize| known[i] != known[i + 2];
            let sound = known.iter().all(|number| number.abs() <= 1e8);
            let [is_area, is_line] = [differs(0) && differs(1), differs(0) || differs(1)];
            prop_assert_eq!(text.parse::<Area>().is_ok(), sound && is_area);
            prop_assert_eq!(text.parse::<MeasuringLine>().is_ok(), sound && is_line);
            if let Ok(Area(area)) = text.parse::<Area>() {
                prop_assert!(area.size().min_element() > 0.0 && area.size().is_finite());
            }
            if let Ok(line) = text.parse::<MeasuringLine>() {
                prop_assert!(line.from != line.to && line.from.is_finite() && line.to.is_finite());
            }
        }
    }
}
