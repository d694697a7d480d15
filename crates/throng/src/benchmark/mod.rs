//! Measuring the engine, the same way everywhere: on a user's machine by `throng bench`, in the
//! repository by `make bench`.
//!
//! Each benchmark is a scene made by code, warmed up and then stepped while every step is timed.
//! The median is quoted, as other work on the machine disturbs single steps.

pub mod carpet;
pub mod fields;
pub mod levels;

use std::path::Path;
use std::time::{Duration, Instant};

use throng_crowd::{Crowd, Stage};
use throng_world::scene::file::{
    Goal, Group, Obstacle, Region, SceneFile, Steering, Then, Whom, given, list,
};
use throng_world::{Scene, SceneErrors};

use crate::Engine;

/// Steps before the first that is timed, in a square.
pub const WARM_UP: u32 = 30;

/// How many times are taken.
pub const TIMED: u32 = 60;

/// How fast people like to walk, m/s.
const SPEED: f64 = 1.3;

/// Time between two states, s.
const STEP: f64 = 0.1;

/// A benchmark there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Benchmark {
    /// Name on the command line.
    pub name: &'static str,
    /// What it measures.
    pub summary: &'static str,
    model: &'static str,
    people: u32,
    place: Place,
}

/// Where people walk about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In an open square, so many on 10 m².
    Square { per_10_m2: u32 },
    /// In the streets of a city.
    City(City),
    /// In an open square with as much room as the streets of a city, for comparison.
    Open(City),
}

/// A square of so many by so many houses, with streets between and around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct City {
    blocks: u32,
}

/// What a benchmark gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Name of the benchmark.
    pub name: &'static str,
    /// People in it.
    pub people: usize,
    /// Threads used.
    pub threads: usize,
    /// Median time of a step; in cities, of the mean step of a second.
    pub median: Duration,
    /// Time of the fastest of those.
    pub best: Duration,
    /// Mean progress along the preferred direction, as a share of the preferred speed.
    pub progress: f64,
    /// Bytes of memory per person.
    pub memory_per_person: usize,
    /// Where the time goes, in the order of the stages; means of the faster half of the steps.
    pub stages: Vec<StageMean>,
}

/// A stage of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageMean {
    /// Which.
    pub stage: Stage,
    /// How long it takes.
    pub time: Duration,
    /// The part of that in which only one thread has work, however many there are.
    pub serial: Duration,
}

/// All benchmarks: people with random goals, in squares and in cities.
pub const BENCHMARKS: &[Benchmark] = &[
    square("square-1k", "ORCA, 1,000 people with random goals, 0.7 per m²", "orca", 1_000, 7),
    square("square-10k", "ORCA, 10,000 people with random goals, 0.7 per m²", "orca", 10_000, 7),
    square("square-50k", "ORCA, 50,000 people with random goals, 0.7 per m²", "orca", 50_000, 7),
    square("square-100k", "ORCA, 100,000 people with random goals, 0.7 per m²", "orca", 100_000, 7),
    square(
        "square-1m",
        "ORCA, 1,000,000 people with random goals, 0.7 per m²",
        "orca",
        1_000_000,
        7,
    ),
    square("sparse-10k", "ORCA, 10,000 people with random goals, 0.1 per m²", "orca", 10_000, 1),
    square("dense-10k", "ORCA, 10,000 people with random goals, 2.2 per m²", "orca", 10_000, 22),
    square("headway-10k", "the same as square-10k, headway", "headway", 10_000, 7),
    square("headway-dense-10k", "the same as dense-10k, headway", "headway", 10_000, 22),
    square("predictive-1k", "the same as square-1k, predictive", "predictive", 1_000, 7),
    square("predictive-10k", "the same as square-10k, predictive", "predictive", 10_000, 7),
    square("predictive-50k", "the same as square-50k, predictive", "predictive", 50_000, 7),
    square("social-1k", "the same as square-1k, social forces", "social_force", 1_000, 7),
    square("social-10k", "the same as square-10k, social forces", "social_force", 10_000, 7),
    square("social-50k", "the same as square-50k, social forces", "social_force", 50_000, 7),
    square("pedestrian-10k", "the same as square-10k, pedestrian", "pedestrian", 10_000, 7),
    square("hidac-10k", "the same as square-10k, HiDAC", "hidac", 10_000, 7),
    square("ppr-10k", "the same as square-10k, plan-predict-react", "ppr", 10_000, 7),
    city("city-4x4", "ways in a city of 16 blocks, 1,000 people", 1_000, 4),
    city("city-10x10", "ways in a city of 100 blocks, 1,000 people", 1_000, 10),
    city("city-20x20", "ways in a city of 400 blocks, 1,000 people", 1_000, 20),
    city("city-10k", "ways in a city of 196 blocks, 10,000 people", 10_000, 14),
    Benchmark {
        name: "open-10k",
        summary: "the same as city-10k in an open square as large as its streets",
        model: "orca",
        people: 10_000,
        place: Place::Open(City { blocks: 14 }),
    },
];

const fn square(
    name: &'static str,
    summary: &'static str,
    model: &'static str,
    people: u32,
    per_10_m2: u32,
) -> Benchmark {
    Benchmark { name, summary, model, people, place: Place::Square { per_10_m2 } }
}

const fn city(name: &'static str, summary: &'static str, people: u32, blocks: u32) -> Benchmark {
    Benchmark { name, summary, model: "orca", people, place: Place::City(City { blocks }) }
}

impl City {
    /// The width of a house, m.
    const HOUSE: f64 = 20.0;
    /// The width of a street, m.
    const STREET: f64 = 6.0;

    fn side(self) -> f64 {
        f64::from(self.blocks) * (Self::HOUSE + Self::STREET) + Self::STREET
    }

    /// The area of the streets, m².
    fn streets(self) -> f64 {
        self.side().powi(2) - (f64::from(self.blocks) * Self::HOUSE).powi(2)
    }

    /// The houses as obstacles of a scene, with the middle of the city at the origin.
    fn houses(self) -> Vec<Obstacle> {
        let first = Self::STREET + (Self::HOUSE - self.side()) / 2.0;
        let at = |i: u32| first + f64::from(i) * (Self::HOUSE + Self::STREET);
        let house = |i: u32| {
            Obstacle::rectangle([at(i % self.blocks), at(i / self.blocks)], [Self::HOUSE; 2])
        };
        (0..self.blocks * self.blocks).map(house).collect()
    }
}

impl Place {
    /// The length of its sides, m.
    fn side(self, people: u32) -> f64 {
        match self {
            Self::Square { per_10_m2 } => (f64::from(people) * 10.0 / f64::from(per_10_m2)).sqrt(),
            Self::City(city) => city.side(),
            Self::Open(city) => city.streets().sqrt(),
        }
    }

    /// How many steps come before the first that is timed.
    ///
    /// In a city, ways are found when people have arrived and set out again. From one side to the
    /// other is longer than most trips: after that time, about as many arrive per step as ever.
    fn warm_up(self) -> u32 {
        match self {
            Self::Square { .. } => WARM_UP,
            Self::City(city) | Self::Open(city) => (city.side() / SPEED / STEP).ceil() as u32,
        }
    }

    /// How many steps are timed together.
    ///
    /// In a city, not all steps are alike: in few of them ways are found, and once per second
    /// the traffic is counted. The median is to show that, so it is one of seconds.
    fn steps_per_time(self) -> u32 {
        match self {
            Self::Square { .. } => 1,
            Self::City(_) | Self::Open(_) => (1.0 / STEP) as u32,
        }
    }
}

/// The numbers of threads to measure with: one, and as many as there are.
pub fn thread_counts() -> Vec<usize> {
    let mut counts = vec![1, rayon::current_num_threads()];
    counts.dedup();
    counts
}

impl Measurement {
    /// Microseconds per person and step.
    pub fn microseconds_per_person(&self) -> f64 {
        per_person(self.median, self.people)
    }

    /// Microseconds per person in the fastest step.
    pub fn best_microseconds_per_person(&self) -> f64 {
        per_person(self.best, self.people)
    }
}

impl Benchmark {
    /// The benchmark with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BENCHMARKS.iter().find(|benchmark| benchmark.name == name)
    }

    /// How many people are in it.
    pub fn people(&self) -> usize {
        self.people as usize
    }

    /// The scene it simulates.
    pub fn scene(&self) -> Result<Scene, SceneErrors> {
        let half = self.place.side(self.people) / 2.0;
        // At the highest density, bodies of 0.3 m would leave no room to walk at all.
        let radius = match self.place {
            Place::Square { per_10_m2 } if per_10_m2 > 20 => 0.2,
            _ => 0.3,
        };
        let ground = [[-half, -half], [half, half]];
        let anywhere = Whom { random: given("everywhere"), ..Whom::default() };
        let steering = Steering::model(self.model).with("neighbours", 10.0);
        let everyone = Group {
            max_speed: given(1.6),
            radius: given(radius),
            steering: given(steering.with("neighbour_range", 10.0)),
            then: given(Then::Repeat),
            ..Group::new("everyone").speed(SPEED).goals([Goal::seek(anywhere)])
        };
        let mut file = SceneFile::new(ground);
        file.simulation.step = given(STEP);
        file.regions = list([Region::rectangle("everywhere", ground)]);
        file.groups = list([match self.place {
            Place::Square { .. } => everyone.dense_crowd(self.people, "everywhere"),
            Place::City(_) | Place::Open(_) => everyone.crowd(self.people, "everywhere"),
        }]);
        if let Place::City(city) = self.place {
            file.world.closed = given(true);
            file.obstacles = list(city.houses());
        }
        file.to_scene(self.name, Path::new("."))
    }

    /// Measures on `threads` threads, or on as many as there are.
    pub fn run(&self, threads: Option<usize>) -> Result<Measurement, BenchmarkError> {
        let mut engine = Engine::new(self.scene()?)?;
        let threads = threads.unwrap_or_else(rayon::current_num_threads);
        engine.set_threads(threads)?;
        (0..self.place.warm_up()).for_each(|_| engine.step());
        let steps = self.place.steps_per_time();
        let mut times = Vec::with_capacity(TIMED as usize);
        let mut stages = Vec::with_capacity(TIMED as usize);
        let (mut progress, mut samples) = (0.0, 0u64);
        for _ in 0..TIMED {
            let mut sums = [StageSum::default(); Stage::ALL.len()];
            let begin = Instant::now();
            for _ in 0..steps {
                engine.step();
                StageSum::add(&mut sums, engine.crowd());
            }
            let time = begin.elapsed() / steps;
            times.push(time);
            stages.push((time, sums));
            for person in engine.crowd().people() {
                let wanted = person.preferred_velocity.length();
                if wanted > 0.0 {
                    let made = person.velocity.dot(person.preferred_velocity) / wanted;
                    progress += f64::from(made / wanted);
                    samples += 1;
                }
            }
        }
        times.sort_unstable();
        stages.sort_unstable_by_key(|&(time, _)| time);
        stages.truncate(stages.len().div_ceil(2));
        Ok(Measurement {
            name: self.name,
            people: engine.crowd().len(),
            threads,
            median: times[times.len() / 2],
            best: times[0],
            progress: progress / samples.max(1) as f64,
            memory_per_person: engine.crowd().memory_per_person(),
            stages: StageSum::means(&stages, steps),
        })
    }
}

/// The times of a stage in some steps.
#[derive(Clone, Copy, Default)]
struct StageSum {
    time: Duration,
    serial: Duration,
}

impl StageSum {
    /// Adds the last step of a crowd, stage by stage.
    fn add(sums: &mut [Self; Stage::ALL.len()], crowd: &Crowd) {
        for (sum, stage) in sums.iter_mut().zip(Stage::ALL) {
            sum.time += crowd.timings().of(stage);
            sum.serial += crowd.timings().serial(stage);
        }
    }

    /// The means per step of some sums over `steps` steps each.
    fn means(sums: &[(Duration, [Self; Stage::ALL.len()])], steps: u32) -> Vec<StageMean> {
        let count = sums.len() as u32 * steps;
        let mean = |of: &dyn Fn(&Self) -> Duration, stage: Stage| {
            sums.iter().map(|(_, sums)| of(&sums[stage as usize])).sum::<Duration>() / count.max(1)
        };
        let stage = |stage| StageMean {
            stage,
            time: mean(&|sum| sum.time, stage),
            serial: mean(&|sum| sum.serial, stage),
        };
        Stage::ALL.into_iter().map(stage).collect()
    }
}

fn per_person(time: Duration, people: usize) -> f64 {
    time.as_secs_f64() * 1e6 / people.max(1) as f64
}

/// Why a benchmark could not run.
#[derive(Debug, thiserror::Error)]
pub enum BenchmarkError {
    /// The scene was refused.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// There are no such bodies or carpets.
    #[error(transparent)]
    Carpet(#[from] throng_motion::carpet::measure::MeasureError),
    /// There is no such ground.
    #[error(transparent)]
    Ground(#[from] throng_world::HeightfieldError),
    /// There is no such cast.
    #[error(transparent)]
    Bodies(#[from] crate::bodies::BodyError),
    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
