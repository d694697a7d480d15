//! Fields and the crowds they lead, beside what Jin, Xu, Wang, Huang and Zhang published
//! ("Interactive Control of Large Crowd Navigation in Virtual Environments Using Vector Fields", IEEE
//! Computer Graphics and Applications, 2008; Core 2 Duo of 2.66 GHz, GeForce 8600 GT).

use std::path::Path;
use std::time::{Duration, Instant};

use glam::DVec2;
use throng_field::{Anchor, Field, FieldError, FieldOptions};
use throng_world::scene::file::{self, Group, Led, Region, SceneFile, Steering, at, given, list};
use throng_world::{Scene, SceneErrors};

use super::{BenchmarkError, WARM_UP};
use crate::Engine;

/// Anchors, and how long solving takes in the paper, ms.
pub const PUBLISHED_SOLVES: [(usize, &str); 6] =
    [(50, "< 1"), (100, "2"), (150, "5"), (200, "10"), (300, "28"), (500, "96")];

/// How many times are taken.
const TIMED: usize = 21;

/// The room that each person has, m².
const ROOM: f64 = 2.0;

/// A whole step of a crowd that a field leads: governed, autonomous, avoidance and contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LedCrowd {
    /// How many people.
    pub people: usize,
    /// Arrows of the field.
    pub anchors: usize,
    /// Steps per second in the paper: of the processor up to 1,500 people, of the graphics processor above.
    pub published: f64,
}

impl LedCrowd {
    /// Whether the published figure is that of a graphics processor.
    pub fn is_large(self) -> bool {
        self.people > 1500
    }

    /// How people avoid each other: as in the paper, large crowds only keep their distance.
    pub fn model(self) -> &'static str {
        if self.is_large() { "none" } else { "opensteer" }
    }

    /// How many times the published rate is the goal here.
    pub fn goal(self) -> f64 {
        if self.is_large() { 2.0 } else { 20.0 }
    }
}

/// The two tables of the paper.
pub fn led_crowds() -> Vec<LedCrowd> {
    let small = [
        (10, [145.0, 67.0, 35.0]),
        (20, [131.0, 63.0, 33.0]),
        (30, [124.0, 56.0, 30.0]),
        (50, [105.0, 48.0, 28.0]),
        (100, [82.0, 35.0, 22.0]),
    ];
    let large = [(10, [60.0, 43.0, 20.0]), (50, [60.0, 30.0, 16.0]), (100, [60.0, 24.0, 13.0])];
    let row = |people: [usize; 3], (anchors, rates): (usize, [f64; 3])| {
        (people.into_iter().zip(rates)).map(move |(people, published)| LedCrowd {
            people,
            anchors,
            published,
        })
    };
    let small = small.into_iter().flat_map(|rates| row([500, 1000, 1500], rates));
    small
        .chain(large.into_iter().flat_map(|rates| row([100_000, 250_000, 500_000], rates)))
        .collect()
}

/// How long it takes to solve a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveTimes {
    /// The bare interpolant, as published.
    pub bare: Duration,
    /// With the choice of metric and smoothing.
    pub whole: Duration,
    /// Again, with other vectors at the same places.
    pub vectors: Duration,
}

/// Solves the field of so many anchors.
pub fn solve(count: usize) -> Result<SolveTimes, FieldError> {
    let anchors = anchors(count, 100.0);
    let turned: Vec<DVec2> = anchors.iter().map(|anchor| -anchor.vector).collect();
    let field = Field::new(&anchors)?;
    let bare = FieldOptions::bare();
    let bare = times(|| Field::with_options(&anchors, &bare).map(drop))?.median;
    let whole = times(|| Field::new(&anchors).map(drop))?.median;
    let vectors = times(|| field.with_vectors(&turned).map(drop))?.median;
    Ok(SolveTimes { bare, whole, vectors })
}

impl LedCrowd {
    /// The scene it simulates.
    pub fn scene(self) -> Result<Scene, SceneErrors> {
        let half = (self.people as f64 * ROOM).sqrt() / 2.0;
        let ground = [[-half, -half], [half, half]];
        let arrow = |anchor: Anchor| file::Anchor {
            at: given(anchor.position),
            velocity: given(anchor.vector),
            ..file::Anchor::default()
        };
        let swirl = file::Field {
            name: at("swirl"),
            anchors: at(list(anchors(self.anchors, 0.9 * half).into_iter().map(arrow))),
            ..file::Field::default()
        };
        let led = Led { by: at(list(["swirl"])), share: given(0.5), ..Led::default() };
        let everyone = Group {
            radius: given(0.3),
            max_speed: given(1.6),
            steering: given(Steering::model(self.model())),
            led: given(led),
            ..Group::new("everyone").dense_crowd(self.people as u32, "everywhere")
        };
        let mut file = SceneFile::new(ground);
        file.regions = list([Region::rectangle("everywhere", ground)]);
        file.fields = list([swirl]);
        file.groups = list([everyone]);
        file.to_scene("fields", Path::new("."))
    }

    /// How long a step takes on so many threads, or on as many as there are.
    pub fn run(self, threads: Option<usize>) -> Result<Times, BenchmarkError> {
        let mut engine = Engine::new(self.scene()?)?;
        engine.set_threads(threads.unwrap_or_else(rayon::current_num_threads))?;
        (0..WARM_UP).for_each(|_| engine.step());
        times(|| {
            engine.step();
            Ok(())
        })
    }
}

/// Arrows of a wide swirl, at the points of a Halton sequence.
fn anchors(count: usize, half: f64) -> Vec<Anchor> {
    let halton = |mut index: usize, base: usize| {
        let (mut share, mut sum) = (1.0, 0.0);
        while index > 0 {
            share /= base as f64;
            sum += share * (index % base) as f64;
            index /= base;
        }
        sum
    };
    let anchor = |index: usize| {
        let place = (DVec2::new(halton(index, 2), halton(index, 3)) * 2.0 - 1.0) * half;
        let round = place.perp() / half;
        // Some gusts, so that the field is no plain rotation.
        let gust = DVec2::from_angle(index as f64 * 2.4) * 0.2;
        Anchor::new(place, round * 0.9 + gust)
    };
    (1..=count).map(anchor).collect()
}

/// How long something took, of several times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// The median.
    pub median: Duration,
    /// The fastest: other work on the machine only ever makes it longer.
    pub best: Duration,
}

fn times<E>(mut work: impl FnMut() -> Result<(), E>) -> Result<Times, E> {
    let mut times = Vec::with_capacity(TIMED);
    for _ in 0..TIMED {
        let begin = Instant::now();
        work()?;
        times.push(begin.elapsed());
    }
    times.sort_unstable();
    Ok(Times { median: times[TIMED / 2], best: times[0] })
}
