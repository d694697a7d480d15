//! Bodies on carpets over uneven ground, beside what Miller, Holden, Al-Ashqar, Dubach, Mitchell and Komura published
//! ("Carpet unrolling for character control on uneven terrain", 2015; i7-4790K, GeForce Titan).

use glam::Vec2;
use throng_base::{Bounds, named_enum};
use throng_motion::carpet::measure::{self, Walker};
use throng_world::{Heightfield, HeightfieldError, Terrain};

pub use throng_motion::carpet::measure::{Measurement, PUBLISHED, Scenario, scaling};
pub use throng_motion::carpet::{Stage, measure::table};

use super::BenchmarkError;

/// Frames that are timed.
const FRAMES: u32 = 50;

named_enum! {
    /// Who walks.
    pub enum Body {
        /// Somebody on two legs.
        Person = "person",
        /// A dog.
        Dog = "dog",
    }
}

impl Body {
    /// How many are measured at once: the published numbers, or those that scaling is told by.
    pub fn counts(self) -> Vec<usize> {
        match self {
            Self::Person => PUBLISHED.map(|(count, _)| count).to_vec(),
            Self::Dog => vec![64, 512],
        }
    }
}

/// What carpets are measured with.
#[derive(Clone, Debug)]
pub struct Carpets {
    person: Walker,
    dog: Walker,
    ground: Terrain,
}

impl Carpets {
    /// Bodies, their gaits and the ground.
    pub fn new() -> Result<Self, BenchmarkError> {
        Ok(Self { person: Walker::person()?, dog: Walker::dog()?, ground: rolling_ground()? })
    }

    /// Who walks as what.
    pub fn walker(&self, body: Body) -> &Walker {
        match body {
            Body::Person => &self.person,
            Body::Dog => &self.dog,
        }
    }

    /// Measures `count` bodies on so many threads.
    pub fn measure(
        &self,
        body: Body,
        scenario: Scenario,
        count: usize,
        threads: usize,
    ) -> Result<Measurement, BenchmarkError> {
        self.frames(body, scenario, (count, FRAMES), threads)
    }

    fn frames(
        &self,
        body: Body,
        scenario: Scenario,
        (count, frames): (usize, u32),
        threads: usize,
    ) -> Result<Measurement, BenchmarkError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let walker = self.walker(body);
        let measured =
            pool.install(|| measure::measure(walker, &self.ground, scenario, (count, frames)));
        measured.map_err(|error| BenchmarkError::Carpet(error.into()))
    }
}

/// Terrain of hills with dunes on them, as a height field with a spacing of 0.25 m.
///
/// # Errors
///
/// Never; the type of the lattice says otherwise.
pub fn rolling_ground() -> Result<Terrain, HeightfieldError> {
    let bounds = Bounds { min: (-60.0, -60.0).into(), max: (100.0, 60.0).into() };
    let (columns, rows) = (641, 481);
    let height = |index| {
        let place = (0.25 * (index % columns) as f32, 0.25 * (index / columns) as f32);
        rolling_height(place.into())
    };
    let heights = (0..columns * rows).map(height).collect();
    Ok(Terrain::from(Heightfield::new(bounds, columns, rows, heights)?))
}

/// Height at `place`, m.
fn rolling_height(place: Vec2) -> f32 {
    let hills = 0.4 * (0.35 * place.x).sin() * (0.3 * place.y).cos();
    hills + 0.1 * (1.7 * place.x + 0.8 * place.y).sin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_dogs_walk_in_every_scenario() {
        let carpets = Carpets::new().unwrap();
        for body in Body::ALL {
            for scenario in Scenario::ALL {
                let measured = carpets.frames(body, scenario, (6, 3), 2).unwrap();
                assert_eq!((measured.characters, measured.frames), (6, 3));
                assert!(measured.best <= measured.median && !measured.best.is_zero());
                let stages = Stage::ALL.map(|stage| measured.stages.of(stage));
                assert!(stages.iter().all(|time| !time.is_zero()), "{stages:?}");
            }
        }
    }
}
