//! Everything a scene asks to be measured, frame by frame.
//!
//! Speeds need to know what comes after a moment (see [`Window`]), so rows come out a little later
//! than frames go in, and the last ones at the end. At the first frame and then once per
//! interval, each measurement gives one [`Row`].

use serde::Serialize;
use throng_world::Scene;
use throng_world::scene::{MeasuredPlace, Measurement};

use crate::area::{AreaMeter, AreaReading};
use crate::frame::FrameView;
use crate::line::{Direction, Line, Tally, Trim};
use crate::speed::{Centered, Window};
use crate::statistics::mean;

/// Measures what a scene asks for.
#[derive(Clone, Debug)]
pub struct Measurements {
    meters: Vec<Meter>,
    window: Window,
}

/// What one measurement says at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// When, s.
    pub time: f64,
    /// Index of the measurement in [`Scene::measurements`].
    pub measurement: usize,
    /// What is measured.
    pub reading: Reading,
}

/// What is measured at a line or in an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// At a line.
    Line {
        /// Crossings forwards since the beginning.
        forward: u64,
        /// Crossings backwards since the beginning.
        backward: u64,
        /// Crossings forwards less those backwards, per second since the last row. `None` in the first.
        flow: Option<f64>,
    },
    /// In an area.
    Area(AreaReading),
}

/// What a measurement comes to in the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Summary {
    /// At a line.
    Line(LineSummary),
    /// In an area.
    Area(AreaSummary),
}

/// What has been measured at a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineSummary {
    /// Name of the measurement.
    pub name: String,
    /// People who passed forwards, those who went back not counted.
    pub forward: usize,
    /// People who passed backwards.
    pub backward: usize,
    /// From the first to the last who passed forwards, people/s. `None` if that is not two.
    pub flow_forward: Option<f64>,
    /// Likewise backwards, people/s.
    pub flow_backward: Option<f64>,
    /// Both flows by the length of the line, people/(m s).
    pub specific_flow: Option<f64>,
}

/// What has been measured in an area.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AreaSummary {
    /// Name of the measurement.
    pub name: String,
    /// How often somebody was there when it was measured.
    pub samples: usize,
    /// Mean density of these samples, people/m².
    pub density: f64,
    /// Largest density, people/m².
    pub largest_density: f64,
    /// Mean speed of these samples, m/s.
    pub speed: Option<f64>,
}

/// A measurement at work.
#[derive(Clone, Debug)]
struct Meter {
    name: String,
    interval: f64,
    first: Option<f64>,
    /// Time of the last row, s, and the net crossings at that time.
    last: Option<(f64, i64)>,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Line(Tally),
    /// With what was read while somebody was there.
    Area {
        meter: Box<AreaMeter>,
        densities: Vec<f64>,
        speeds: Vec<f64>,
    },
}

impl Measurements {
    /// Nothing is measured yet. Frames will be as far apart as a recording of `scene` has them.
    pub fn new(scene: &Scene) -> Self {
        let settings = &scene.settings;
        Self::with_interval(scene, settings.step * f64::from(settings.record_every))
    }

    /// The same for frames that are `interval` seconds apart.
    pub fn with_interval(scene: &Scene, interval: f64) -> Self {
        let meters = scene.measurements.iter().map(|file| Meter::new(scene, file)).collect();
        Self { meters, window: Window::for_interval(interval) }
    }

    /// Whether there is nothing to measure.
    pub fn is_empty(&self) -> bool {
        self.meters.is_empty()
    }

    /// Takes note of the next frame, and returns the rows that are complete by now, by time and
    /// then in the order of the scene.
    pub fn push(&mut self, frame: FrameView) -> Vec<Row> {
        let mut rows = Vec::new();
        if !self.is_empty() {
            self.window.push(frame, |centered| look(&mut self.meters, centered, &mut rows));
        }
        rows
    }

    /// No more frames follow: returns the last rows.
    pub fn finish(&mut self) -> Vec<Row> {
        let mut rows = Vec::new();
        self.window.drain(|centered| look(&mut self.meters, centered, &mut rows));
        rows
    }

    /// What everything comes to so far, with flows that leave out what `trim` says.
    pub fn summaries(&self, trim: Trim) -> Vec<Summary> {
        self.meters.iter().map(|meter| meter.summary(trim)).collect()
    }
}

fn look(meters: &mut [Meter], centered: Centered, rows: &mut Vec<Row>) {
    for (measurement, meter) in meters.iter_mut().enumerate() {
        let reading = meter.look(centered);
        let time = centered.frame().time;
        rows.extend(reading.map(|reading| Row { time, measurement, reading }));
    }
}

impl Meter {
    fn new(scene: &Scene, file: &Measurement) -> Self {
        let place = match &file.place {
            MeasuredPlace::Line(ends) => Place::Line(Tally::new(Line::new(*ends), file.layer)),
            MeasuredPlace::Area { polygon, density } => Place::Area {
                meter: Box::new(AreaMeter::new(scene, file.layer, polygon, *density)),
                densities: Vec::new(),
                speeds: Vec::new(),
            },
        };
        let (name, interval) = (file.name.clone(), file.interval);
        Self { name, interval, first: None, last: None, place }
    }

    fn look(&mut self, centered: Centered) -> Option<Reading> {
        if let Place::Line(tally) = &mut self.place {
            tally.push(centered.frame());
        }
        let time = centered.frame().time;
        if !self.is_due(time) {
            return None;
        }
        let reading = match &mut self.place {
            Place::Line(tally) => {
                let forward = tally.crossings(Direction::Forward);
                let backward = tally.crossings(Direction::Backward);
                let net = forward as i64 - backward as i64;
                let flow = self.last.map(|(then, before)| (net - before) as f64 / (time - then));
                self.last = Some((time, net));
                Reading::Line { forward, backward, flow }
            }
            Place::Area { meter, densities, speeds } => {
                let reading = meter.read_centered(centered);
                densities.extend(Some(reading.density).filter(|density| *density > 0.0));
                speeds.extend(reading.speed);
                self.last = Some((time, 0));
                Reading::Area(reading)
            }
        };
        Some(reading)
    }

    /// Whether a row is due at `time`: the first, or the first in an interval that has none yet.
    fn is_due(&mut self, time: f64) -> bool {
        // Times are sums of decimal fractions: a row may be due a rounding error later.
        const SLACK: f64 = 1e-6;
        let first = *self.first.get_or_insert(time);
        let nth = |time: f64| ((time - first) / self.interval + SLACK).floor();
        self.last.is_none_or(|(last, _)| nth(time) > nth(last))
    }

    fn summary(&self, trim: Trim) -> Summary {
        let name = self.name.clone();
        match &self.place {
            Place::Line(tally) => {
                let (forward, backward) =
                    (tally.passages(Direction::Forward), tally.passages(Direction::Backward));
                let flows = [forward.flow(trim), backward.flow(trim)];
                let both = flows.iter().flatten().copied().reduce(|a, b| a + b);
                Summary::Line(LineSummary {
                    name,
                    forward: forward.times().len(),
                    backward: backward.times().len(),
                    flow_forward: flows[0],
                    flow_backward: flows[1],
                    specific_flow: both.map(|flow| flow / tally.line().length()),
                })
            }
            Place::Area { densities, speeds, .. } => Summary::Area(AreaSummary {
                name,
                samples: densities.len(),
                density: mean(densities.iter().copied()).unwrap_or(0.0),
                largest_density: densities.iter().copied().fold(0.0, f64::max),
                speed: mean(speeds.iter().copied()),
            }),
        }
    }
}
