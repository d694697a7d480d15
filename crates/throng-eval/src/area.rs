//! How dense and how fast a crowd is in an area.

use throng_base::Polygon;
use throng_world::scene::{DensityMethod, LayerId};
use throng_world::walkable::Area;
use throng_world::{Scene, walkable};

use crate::frame::FrameView;
use crate::speed::Centered;
use crate::voronoi;

/// An area on a floor, and how its density is measured.
#[derive(Clone, Debug)]
pub struct AreaMeter {
    polygon: Polygon,
    layer: LayerId,
    method: Method,
}

#[derive(Clone, Debug)]
enum Method {
    /// The size of the area, m².
    Classic(f64),
    Voronoi(Box<voronoi::Meter>),
}

/// What is measured in an area at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AreaReading {
    /// How many people are in it.
    pub people: usize,
    /// People per square metre.
    pub density: f64,
    /// Mean speed, m/s: of those inside, or with Voronoi cells weighted with their part in the
    /// area. `None` if nobody is there who has a speed.
    pub speed: Option<f64>,
}

impl AreaMeter {
    /// Measures in `polygon` on a floor of `scene`. What obstacles stand on does not count as area.
    pub fn new(scene: &Scene, layer: LayerId, polygon: &Polygon, density: DensityMethod) -> Self {
        let ground = walkable::walkable(scene, layer);
        let method = match density {
            DensityMethod::Classic => {
                let free = walkable::intersection(&[Area::from(polygon)], &ground);
                Method::Classic(free.iter().map(Area::size).sum())
            }
            DensityMethod::Voronoi { cut_off } => {
                let meter = voronoi::Meter::new(polygon, &ground, cut_off.into());
                Method::Voronoi(Box::new(meter))
            }
        };
        Self { polygon: polygon.clone(), layer, method }
    }

    /// The part of the area that one can walk on, m².
    pub fn size(&self) -> f64 {
        match &self.method {
            Method::Classic(size) => *size,
            Method::Voronoi(meter) => meter.size(),
        }
    }

    /// Measures at a moment, with speeds as `speed` gives them for people by index, for example
    /// [`Centered::speed`] or [`Centered::speed_along`].
    pub fn read(&self, frame: FrameView, speed: impl Fn(usize) -> Option<f64>) -> AreaReading {
        let floor: Vec<usize> =
            (0..frame.ids.len()).filter(|&i| frame.layers[i] == self.layer).collect();
        let inside: Vec<usize> = (floor.iter().copied())
            .filter(|&i| self.polygon.contains(frame.positions[i]))
            .collect();
        match &self.method {
            Method::Classic(size) => {
                let speeds: Vec<f64> = inside.iter().filter_map(|&i| speed(i)).collect();
                let mean = speeds.iter().sum::<f64>() / speeds.len().max(1) as f64;
                AreaReading {
                    people: inside.len(),
                    density: if *size > 0.0 { inside.len() as f64 / size } else { 0.0 },
                    speed: (!speeds.is_empty()).then_some(mean),
                }
            }
            Method::Voronoi(meter) => {
                let positions: Vec<_> = floor.iter().map(|&i| frame.positions[i]).collect();
                let reading = meter.read(&positions, |nth| speed(floor[nth]));
                AreaReading { people: inside.len(), density: reading.density, speed: reading.speed }
            }
        }
    }

    /// Measures at the middle of a window of frames, with speeds in any direction.
    pub fn read_centered(&self, centered: Centered) -> AreaReading {
        self.read(centered.frame(), |index| centered.speed(index))
    }
}
