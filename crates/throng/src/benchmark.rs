//! Measuring the engine, the same way everywhere: on a user's machine by `throng bench`, in the
//! repository by `make bench`.
//!
//! Each benchmark is a scene made by code, warmed up and then stepped while every step is timed.
//! The median is quoted, as other work on the machine disturbs single steps.

use std::time::{Duration, Instant};

use throng_world::{Scene, SceneErrors};

use crate::Engine;

/// Steps before the first that is timed.
pub const WARM_UP: u32 = 30;

/// Steps that are timed.
pub const TIMED: u32 = 60;

/// A benchmark there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Benchmark {
    /// Name on the command line.
    pub name: &'static str,
    /// What it measures.
    pub summary: &'static str,
    model: &'static str,
    people: u32,
    density_per_10_m2: u32,
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
    /// Median time of a step.
    pub median: Duration,
    /// Time of the fastest step.
    pub best: Duration,
    /// Mean progress along the preferred direction, as a share of the preferred speed.
    pub progress: f64,
    /// Bytes of memory per person.
    pub memory_per_person: usize,
}

/// All benchmarks: people with random goals in a square.
pub const BENCHMARKS: &[Benchmark] = &[
    square("square-1k", "ORCA, 1,000 people with random goals, 0.7 per m²", "orca", 1_000, 7),
    square("square-10k", "ORCA, 10,000 people with random goals, 0.7 per m²", "orca", 10_000, 7),
    square("square-50k", "ORCA, 50,000 people with random goals, 0.7 per m²", "orca", 50_000, 7),
    square("square-100k", "ORCA, 100,000 people with random goals, 0.7 per m²", "orca", 100_000, 7),
    square("sparse-10k", "ORCA, 10,000 people with random goals, 0.1 per m²", "orca", 10_000, 1),
    square("dense-10k", "ORCA, 10,000 people with random goals, 2.2 per m²", "orca", 10_000, 22),
    square("predictive-10k", "the same as square-10k, predictive", "predictive", 10_000, 7),
    square("social-10k", "the same as square-10k, social forces", "social_force", 10_000, 7),
    square("pedestrian-10k", "the same as square-10k, pedestrian", "pedestrian", 10_000, 7),
];

const fn square(
    name: &'static str,
    summary: &'static str,
    model: &'static str,
    people: u32,
    density_per_10_m2: u32,
) -> Benchmark {
    Benchmark { name, summary, model, people, density_per_10_m2 }
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
        let density = f64::from(self.density_per_10_m2) / 10.0;
        let half = (f64::from(self.people) / density).sqrt() / 2.0;
        // At the highest density, bodies of 0.3 m would leave no room to walk at all.
        let radius = if density > 2.0 { 0.2 } else { 0.3 };
        let text = format!(
            r#"
            format = 1
            [world]
            bounds = [[-{half}, -{half}], [{half}, {half}]]
            [[regions]]
            name = "square"
            rectangle = [[-{half}, -{half}], [{half}, {half}]]
            [[groups]]
            name = "everyone"
            speed = 1.3
            max_speed = 1.6
            radius = {radius}
            steering = {{ model = "{model}", neighbours = 10, neighbour_range = 10 }}
            goals = [{{ seek = {{ random = "square" }}, within = 0.5 }}]
            then = "repeat"
            crowds = [{{ count = {count}, region = "square", arrangement = "grid" }}]
            "#,
            count = self.people,
            model = self.model,
        );
        Scene::parse(self.name, &text, std::path::Path::new("."))
    }

    /// Measures on `threads` threads, or on as many as there are.
    pub fn run(&self, threads: Option<usize>) -> Result<Measurement, BenchmarkError> {
        let mut engine = Engine::new(self.scene()?)?;
        let threads = threads.unwrap_or_else(rayon::current_num_threads);
        engine.set_threads(threads)?;
        (0..WARM_UP).for_each(|_| engine.step());
        let mut times = Vec::with_capacity(TIMED as usize);
        let (mut progress, mut samples) = (0.0, 0u64);
        for _ in 0..TIMED {
            let begin = Instant::now();
            engine.step();
            times.push(begin.elapsed());
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
        Ok(Measurement {
            name: self.name,
            people: engine.crowd().len(),
            threads,
            median: times[times.len() / 2],
            best: times[0],
            progress: progress / samples.max(1) as f64,
            memory_per_person: engine.crowd().memory_per_person(),
        })
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
    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
