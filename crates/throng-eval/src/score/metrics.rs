//! What is collected: the metrics of everybody, of the crowd as a whole, and of a run.

use serde::{Deserialize, Serialize};

use super::patterns::Event;

/// A quantity over the window that ends now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Windowed {
    /// What it adds up to.
    pub total: f64,
    /// Its mean rate over time.
    pub mean: f64,
    /// Its smallest rate.
    pub min: f64,
    /// Its largest rate.
    pub max: f64,
}

/// How one person walked. Times, distances and effort count until they have arrived; contacts count as
/// long as they are there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentMetrics {
    /// Who.
    pub id: u32,
    /// Number of their group.
    pub group: u16,
    /// Whether they have left, or have arrived.
    pub completed: bool,

    /// When they appeared, s.
    pub appeared: f64,
    /// When they arrived or were seen last before they left, s.
    pub finished: Option<f64>,
    /// In how many frames they were on their way.
    pub frames: u32,
    /// How long they were on their way (T), s.
    pub time: f64,

    /// One for every overlapping person or obstacle in every frame.
    pub collision_score: u32,
    /// Contacts, each from the first overlap until the bodies part (C).
    pub collisions: u32,
    /// Those with people among them.
    pub person_collisions: u32,
    /// Those with walls and other obstacles.
    pub wall_collisions: u32,
    /// Contacts at least as deep as [`ScoreOptions::deep_contact`](super::ScoreOptions::deep_contact).
    pub deep_collisions: u32,
    /// Contacts at least as long as [`ScoreOptions::long_contact`](super::ScoreOptions::long_contact).
    pub long_collisions: u32,
    /// Contacts that are both.
    pub deep_long_collisions: u32,
    /// How far bodies overlapped at most, m.
    pub max_penetration: f64,
    /// How long the longest contact was, from the first frame of it to the last, s.
    pub max_contact_time: f64,

    /// Degrees turned, left and right alike.
    pub turned: f64,
    /// How fast they turn now, deg/s; positive to the left.
    pub angular_velocity: f64,
    /// How fast they turned at most, deg/s.
    pub max_angular_speed: f64,
    /// How often they turned the other way.
    pub angular_sign_changes: u32,
    /// Degrees turned over the window, and deg/s.
    pub turned_window: Windowed,

    /// Length of the way, m.
    pub distance: f64,
    /// Speed now, m/s.
    pub speed: f64,
    /// Largest speed, m/s.
    pub max_speed: f64,
    /// Metres walked over the window, and m/s.
    pub distance_window: Windowed,
    /// Distance between where they are now and where they were a window ago, m.
    pub displacement_window: f64,

    /// All changes of speed, up and down alike, m/s.
    pub speed_change: f64,
    /// The fastest of them, m/s².
    pub max_speed_change: f64,
    /// Changes of speed over the window, m/s, and m/s².
    pub speed_change_window: Windowed,

    /// Sum of the absolute accelerations of all frames, m/s²: depends on the frame rate.
    pub acceleration_samples: f64,
    /// Integral of the absolute acceleration over time, m/s.
    pub acceleration_integral: f64,
    /// Largest acceleration, m/s².
    pub max_acceleration: f64,
    /// Integral of the absolute acceleration over the window, m/s, and m/s².
    pub acceleration_window: Windowed,
    /// How often acceleration and velocity both turned round from one frame to the next.
    pub flips: u32,
    /// The same over the window.
    pub flips_window: u32,
    /// The same over the window in which it was most.
    pub max_flips_window: u32,

    /// Sum of half the squared speeds of all frames, m²/s²: depends on the frame rate.
    pub energy_samples: f64,
    /// Integral of half the squared speed over time, m²/s.
    pub energy_integral: f64,
    /// Its mean over time, m²/s².
    pub mean_energy: f64,
    /// What walking costs (Guy et al. 2010): integral of 2.23 + 1.26 v² over time, J/kg.
    pub least_effort: f64,

    /// How many samples the resampled trajectory has velocities for.
    pub resampled_count: u32,
    /// Sum of half the squared speeds of the resampled trajectory (E), m²/s².
    pub resampled_energy: f64,
    /// Sum of the absolute accelerations of the resampled trajectory (A), m/s².
    pub resampled_acceleration: f64,
    /// [`Self::least_effort`] of the resampled trajectory, J/kg.
    pub resampled_least_effort: f64,

    /// The smallest gap to another body, m, below 0 where they overlapped; `None` if nobody was ever
    /// within a metre.
    pub nearest_person: Option<f64>,
    /// The smallest gap to a wall, m; `None` if none was ever within two metres.
    pub nearest_wall: Option<f64>,
    /// Largest distance from their shortest path, m; `None` if there is no such path.
    pub deviation: Option<f64>,
    /// Length of the way by that of the shortest path; `None` if there is none.
    pub length_ratio: Option<f64>,
}

/// The crowd as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnvironmentMetrics {
    /// Ground that one can walk on, all floors together, m².
    pub area: f64,
    /// Mean number of people over time by the ground there is, people/m².
    pub density: f64,
    /// The largest, people/m².
    pub max_density: f64,
    /// Mean speed of all who were on their way, m/s.
    pub mean_speed: f64,
    /// Density times mean speed, people/(m s).
    pub flow: f64,
    /// People who completed their ways per second.
    pub throughput: f64,
}

/// All that was collected of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunMetrics {
    /// Everybody who ever was there, by id.
    pub agents: Vec<AgentMetrics>,
    /// The crowd as a whole.
    pub environment: EnvironmentMetrics,
    /// Patterns that walks should not have, by when they began.
    pub events: Vec<Event>,
    /// From the first frame to the last, s.
    pub duration: f64,
}

impl RunMetrics {
    /// The share of people who completed their ways; 0 if there was nobody.
    pub fn completion(&self) -> f64 {
        let completed = self.agents.iter().filter(|agent| agent.completed).count();
        completed as f64 / self.agents.len().max(1) as f64
    }
}
