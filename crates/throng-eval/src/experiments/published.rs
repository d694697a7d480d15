//! What was measured with people, or published of models, before.

use std::fmt;

use serde::Serialize;

use crate::hallway::WalkMetrics;

/// From a smallest value to a largest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Range {
    /// The smallest value.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

impl Range {
    const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// Whether `value` lies within.
    pub fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:.2}-{:.2}", self.low, self.high))
    }
}

/// Flow through a door of some width.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DoorFlow {
    /// Clear width of the door, m.
    pub width: f64,
    /// Flow of people who were told to walk normally, people/s.
    pub normal: Range,
    /// Flow in all studies, with people in a hurry as well, people/s.
    pub all: Range,
}

/// Where the flows of [`DOORS`] are from.
pub(super) const DOOR_SOURCES: &str = "Kretz et al. 2006, Seyfried et al. 2009, Liddle et al. 2011, \
Nagai et al. 2006, Müller 1981, Daamen & Hoogendoorn 2010";

/// The flow of people through doors in laboratories (Kretz et al. 2006, Seyfried et al. 2009, Liddle
/// et al. 2011, Nagai et al. 2006, Müller 1981, Daamen & Hoogendoorn 2010).
pub const DOORS: &[DoorFlow] = &[
    door(0.8, Range::new(1.29, 1.46), Range::new(1.29, 2.35)),
    door(1.0, Range::new(1.71, 2.02), Range::new(1.71, 2.77)),
    door(1.2, Range::new(2.03, 2.36), Range::new(2.03, 2.75)),
    door(1.6, Range::new(2.7, 3.2), Range::new(2.7, 3.9)),
    door(2.0, Range::new(3.5, 3.9), Range::new(3.5, 4.2)),
];

const fn door(width: f64, normal: Range, all: Range) -> DoorFlow {
    DoorFlow { width, normal, all }
}

/// Speed in a corridor at some density.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SpeedRange {
    /// Density, people/m².
    pub density: f64,
    /// Mean speed, m/s.
    pub mean: f64,
    /// What nine of ten measurements lie within, m/s.
    pub range: Range,
}

/// Speed of people who walk one way through a corridor 3 m wide with open ends, by density (Hermes
/// project, Forschungszentrum Jülich; points as published for the validation of JuPedSim, binned).
pub const OPEN_CORRIDOR: &[SpeedRange] = &[
    speed(0.62, 1.43, Range::new(1.28, 1.63)),
    speed(0.87, 1.38, Range::new(1.20, 1.57)),
    speed(1.12, 1.22, Range::new(1.12, 1.37)),
    speed(1.37, 1.19, Range::new(1.06, 1.31)),
    speed(1.62, 1.08, Range::new(0.95, 1.27)),
    speed(1.87, 0.95, Range::new(0.79, 1.11)),
    speed(2.25, 0.53, Range::new(0.35, 0.86)),
    speed(2.75, 0.39, Range::new(0.22, 0.53)),
    speed(3.25, 0.22, Range::new(0.16, 0.34)),
    speed(3.75, 0.16, Range::new(0.12, 0.19)),
];

const fn speed(density: f64, mean: f64, range: Range) -> SpeedRange {
    SpeedRange { density, mean, range }
}

/// A mean and a standard deviation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
}

/// How a model made people walk through a hallway.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PublishedWalks {
    /// What the paper calls the model.
    pub name: &'static str,
    /// As data, a list.
    #[serde(serialize_with = "WalkMetrics::serialize_list")]
    pub metrics: WalkMetrics<Mean>,
}

/// The hallway of Karamouzas et al. 2009, *A predictive collision avoidance model for pedestrian
/// simulation*: 100 walkers.
pub const PUBLISHED_WALKS: &[PublishedWalks] = &[
    walks(
        "predictive",
        [(25.05, 2.10), (35.14, 1.79), (1.40, 0.05), (0.06, 0.08), (9.4, 6.01), (76.62, 52.29)],
    ),
    walks(
        "social forces",
        [
            (30.33, 3.71),
            (37.12, 2.34),
            (1.23, 0.09),
            (1.08, 1.08),
            (55.73, 28.37),
            (323.22, 225.79),
        ],
    ),
    walks(
        "RVO",
        [(24.51, 1.79), (34.56, 0.35), (1.41, 0.01), (0.10, 0.07), (18.75, 10.17), (106.2, 56.14)],
    ),
];

const fn walks(
    name: &'static str,
    [time, length, speed, smoothness, acceleration, turned]: [(f64, f64); 6],
) -> PublishedWalks {
    const fn of((mean, sd): (f64, f64)) -> Mean {
        Mean { mean, sd }
    }
    PublishedWalks {
        name,
        metrics: WalkMetrics {
            time: of(time),
            length: of(length),
            speed: of(speed),
            smoothness: of(smoothness),
            acceleration: of(acceleration),
            turned: of(turned),
        },
    }
}
