//! Where the time of a step goes.
//!
//! The clock is read once per stage and step, which takes a quarter of a microsecond altogether. Nothing
//! that people do depends on it.

use std::fmt;
use std::time::{Duration, Instant};

use crate::crowd::Crowd;
use crate::workers::take_shared_time;

/// A stage of a step. They come in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Stage {
    /// Obstacles come and go; walls and the map of ways follow.
    Obstacles,
    /// People appear at their sources.
    Emit,
    /// Those who asked are told ways.
    Ways,
    /// Goals become preferred velocities.
    Goals,
    /// Fields lead elsewhere, companions keep together, and slopes slow down.
    Fields,
    /// Everyone is sorted into the grid.
    Grid,
    /// Neighbours are found, and steering models choose velocities.
    Steer,
    /// Bodies say how far they can follow.
    Bodies,
    /// Those who would overlap are pushed apart.
    Contacts,
    /// People take their new places.
    Advance,
}

impl Stage {
    /// Every stage, in their order.
    pub const ALL: [Self; 10] = [
        Self::Obstacles,
        Self::Emit,
        Self::Ways,
        Self::Goals,
        Self::Fields,
        Self::Grid,
        Self::Steer,
        Self::Bodies,
        Self::Contacts,
        Self::Advance,
    ];

    /// Its name, for display.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Obstacles => "obstacles",
            Self::Emit => "emit",
            Self::Ways => "ways",
            Self::Goals => "goals",
            Self::Fields => "fields",
            Self::Grid => "grid",
            Self::Steer => "steer",
            Self::Bodies => "bodies",
            Self::Contacts => "contacts",
            Self::Advance => "advance",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What the last step was busy with. All is zero before the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    times: [Duration; Stage::ALL.len()],
    serial: [Duration; Stage::ALL.len()],
    /// Pairs of bodies that steering would have made overlap, and that were pushed apart.
    pub contacts: usize,
    /// People who waited to be told a way when the step began.
    pub asking: usize,
    /// How many of them were told one, or see where they are going. Who is not told waits for the
    /// next step.
    pub told: usize,
    /// How many of them there is no way for.
    pub lost: usize,
}

impl StageTimes {
    /// How long a stage took.
    pub fn of(&self, stage: Stage) -> Duration {
        self.times[stage as usize]
    }

    /// The part of [`Self::of`] in which only one thread had work, however many there are.
    pub fn serial(&self, stage: Stage) -> Duration {
        self.serial[stage as usize]
    }

    /// How long each stage took, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Stage, Duration)> + '_ {
        Stage::ALL.into_iter().zip(self.times)
    }

    /// How long the step took.
    pub fn total(&self) -> Duration {
        self.times.iter().sum()
    }
}

impl Crowd {
    /// How long each stage of the last step took, and what it had to do.
    ///
    /// ```
    /// # use throng_world::Scene;
    /// # let text = "format = 1\n[world]\nbounds = [[0, 0], [9, 9]]\n[[groups]]\nname = \"us\"\n\
    /// #     people = [{ position = [1, 1] }, { position = [4, 1] }]";
    /// # let scene = Scene::parse("scene.toml", text, "".as_ref()).unwrap();
    /// # let mut crowd = throng_crowd::Crowd::from_scene(&scene).unwrap();
    /// crowd.step();
    /// for (stage, time) in crowd.timings().iter() {
    ///     println!("{stage:>9} {time:9.1?}");
    /// }
    /// println!("{} contacts", crowd.timings().contacts);
    /// ```
    pub fn timings(&self) -> &StageTimes {
        &self.last.timings
    }
}

/// Measures one stage after the other.
pub(crate) struct Stopwatch {
    begin: Instant,
    times: [Duration; Stage::ALL.len()],
    serial: [Duration; Stage::ALL.len()],
}

impl Stopwatch {
    pub fn start() -> Self {
        take_shared_time();
        Self { begin: Instant::now(), times: Default::default(), serial: Default::default() }
    }

    /// Notes that a stage has just ended, which began when the last one did.
    pub fn lap(&mut self, stage: Stage) {
        let now = Instant::now();
        let time = now - self.begin;
        self.times[stage as usize] = time;
        self.serial[stage as usize] = time.saturating_sub(take_shared_time());
        self.begin = now;
    }

    pub fn stop(self, timings: &mut StageTimes) {
        (timings.times, timings.serial) = (self.times, self.serial);
    }
}
