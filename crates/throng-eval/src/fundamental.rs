//! The fundamental diagram: how speed falls as density rises.
//!
//! Points come from an area, one for each moment that somebody is there. Only a steady state says
//! something about the place; while a crowd fills or leaves it, density and speed belong to different
//! people. So points are to be those of a steady state before they are put into classes of density ([`binned`]).

use serde::Serialize;

use crate::area::AreaReading;
use crate::statistics::{Spread, quantile};

/// Density and speed at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// When, s.
    pub time: f64,
    /// People per square metre.
    pub density: f64,
    /// Mean speed, m/s.
    pub speed: f64,
}

impl Point {
    /// The point that an area gives at `time`; `None` while nobody is there.
    pub fn new(time: f64, reading: AreaReading) -> Option<Self> {
        let speed = reading.speed?;
        (reading.density > 0.0).then_some(Self { time, density: reading.density, speed })
    }

    /// People per metre of width and second.
    pub fn specific_flow(&self) -> f64 {
        self.density * self.speed
    }
}

/// What the points in a class of density have in common.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// The class begins here, people/m²; it ends where the next one begins.
    pub from: f64,
    /// Where it ends, people/m².
    pub to: f64,
    /// Their speeds, m/s.
    pub speed: Spread,
    /// The speed that 5 % are below, m/s.
    pub slow: f64,
    /// The speed that 5 % are above, m/s.
    pub fast: f64,
    /// Mean of density times speed, people/(m s).
    pub specific_flow: f64,
}

/// The points in classes of density that are `width` wide, from 0 up; those with no points are left
/// out. There are none if `width` is not a positive number.
pub fn binned(points: &[Point], width: f64) -> Vec<Bin> {
    if !(width > 0.0 && width.is_finite()) {
        return Vec::new();
    }
    let class = |point: &Point| (point.density / width).floor();
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.density.total_cmp(&b.density));
    let bin = |points: &[Point]| {
        let speeds: Vec<f64> = points.iter().map(|point| point.speed).collect();
        let from = class(&points[0]) * width;
        Bin {
            from,
            to: from + width,
            speed: Spread::of(&speeds),
            slow: quantile(&speeds, 0.05).unwrap_or_default(),
            fast: quantile(&speeds, 0.95).unwrap_or_default(),
            specific_flow: points.iter().map(Point::specific_flow).sum::<f64>()
                / points.len() as f64,
        }
    };
    sorted.chunk_by(|a, b| class(a) == class(b)).map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_fall_into_classes_of_density() {
        let point = |time: f64, density, speed| Point { time, density, speed };
        let points = [point(1.0, 0.6, 1.0), point(2.0, 1.4, 0.5), point(3.0, 0.9, 2.0)];
        let bins = binned(&points, 0.5);
        assert_eq!(bins.len(), 2);
        assert_eq!((bins[0].from, bins[0].to, bins[0].speed.count), (0.5, 1.0, 2));
        assert_eq!((bins[0].speed.mean, bins[0].specific_flow), (1.5, (0.6 + 1.8) / 2.0));
        assert_eq!((bins[1].from, bins[1].speed.mean), (1.0, 0.5));
        assert!(bins[0].slow > 1.0 && bins[0].slow < 1.1 && bins[0].fast > 1.9);
        assert!(binned(&points, 0.0).is_empty() && binned(&[], 1.0).is_empty());
    }

    #[test]
    fn an_empty_area_gives_no_point() {
        assert_eq!(Point::new(1.0, AreaReading::default()), None);
        let reading = AreaReading { people: 1, density: 0.5, speed: Some(1.2) };
        assert_eq!(Point::new(1.0, reading).unwrap().specific_flow(), 0.6);
    }
}
