//! Events: what the server sends to every client. Of each kind only the newest counts.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::ws::Utf8Bytes;
use schemars::JsonSchema;
use serde::Serialize;
use throng::PipelineStage;
use throng::scaler::{BodyLevel, Effort};
use throng_crowd::Stage;
use throng_eval::score::Pattern;

use super::{EffortLimits, Name, PROTOCOL, PerName, Point, SceneEvent};

/// Event of the server.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Event {
    Hello(HelloEvent),
    Scene(Box<SceneEvent>),
    State(Box<StateEvent>),
    Patterns(PatternsEvent),
    Notice(NoticeEvent),
}

impl Event {
    /// Returns the event as the text of a message.
    pub fn text(&self) -> Utf8Bytes {
        super::text(self)
    }
}

/// First message of the server.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct HelloEvent {
    /// Version of the protocol.
    pub protocol: u32,
    /// Name and version of the server.
    pub server: String,
    /// Number of this run of the server. Another number than before the connection was lost means another run, which has none of the unsaved edits.
    pub run: u32,
}

impl Default for HelloEvent {
    fn default() -> Self {
        let server = concat!("throng ", env!("CARGO_PKG_VERSION"));
        Self { protocol: PROTOCOL, server: server.into(), run: run_number() }
    }
}

/// Returns a number that runs of the server differ in.
fn run_number() -> u32 {
    static NUMBER: OnceLock<u32> = OnceLock::new();
    *NUMBER.get_or_init(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (since.as_millis() as u32).wrapping_mul(0x9e37_79b1) ^ std::process::id()
    })
}

/// Time, people and performance. Sent four times per second, and when something of it changes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct StateEvent {
    /// Whether time passes.
    pub playing: bool,
    /// Simulated seconds per second, as requested; negative for a recording that is played backwards.
    pub speed: f64,
    /// Simulated seconds per second, as measured: below `speed` if the machine cannot keep up.
    pub pace: f64,
    /// Simulated time, s.
    pub time: f64,
    /// Number of the step; of a recording, of the frame.
    pub step: u32,
    /// Time of the first frame of a recording, s; `null` for a simulation.
    pub start: Option<f64>,
    /// Time of the last frame of a recording, s; `null` for a simulation.
    pub end: Option<f64>,
    /// Number of people.
    pub people: usize,
    /// Recording that is being written.
    pub recording: Option<RecordingState>,
    /// Number of clients.
    pub clients: usize,
    /// Duration of the newest step, ms; `null` for a recording.
    pub step_ms: Option<f64>,
    /// Where that time went; empty for a recording.
    pub stages: Vec<StageTime<Stage>>,
    /// Number of contacts between people in the newest step; `null` for a recording.
    pub contacts: Option<usize>,
    /// Duration of the search for patterns after that step, ms; `null` for a recording.
    pub patterns_ms: Option<f64>,
    /// Time to encode the newest frame, ms.
    pub frame_ms: f64,
    /// Number of people with a body of their own.
    pub bodies: usize,
    /// Time to animate and encode their newest poses, ms.
    pub bodies_ms: f64,
    /// Duration of the engine's stages for the newest moment. Without bodies there is only the simulator.
    pub pipeline: Vec<StageTime<PipelineStage>>,
    /// Number of people with each [level of detail](levels.md); `null` while no client draws bodies.
    pub levels: Option<LevelCounts>,
    /// Limits set by the request `efforts`; `null` if there are none.
    pub efforts: Option<EffortLimits>,
}

/// Recording that is being written.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RecordingState {
    /// Name of the file.
    pub file: String,
    /// Number of frames so far.
    pub frames: u32,
}

/// Duration of a stage.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(bound = "Name<T>: JsonSchema", inline)]
#[serde(bound = "Name<T>: Serialize")]
pub(crate) struct StageTime<T> {
    /// Name of the stage.
    pub name: Name<T>,
    /// Duration, ms.
    pub ms: f64,
}

impl<T> StageTime<T> {
    pub fn new(stage: T, ms: f64) -> Self {
        Self { name: Name(stage), ms }
    }
}

/// Number of people with each level of detail.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct LevelCounts {
    /// Of bodies.
    pub bodies: PerName<BodyLevel, usize>,
    /// Of the simulation.
    pub efforts: PerName<Effort, usize>,
}

/// People who sway, get stuck or spin ([scoring](scoring.md#patterns)). Sent at most twice per second, while there is news.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PatternsEvent {
    #[serde(flatten)]
    pub progress: PatternProgress,
    /// Number of all patterns found.
    pub counts: PerName<Pattern, usize>,
    /// Patterns by start time, at most 1,000: of more, the longest of a recording, and the newest of a simulation.
    pub list: Vec<FoundPattern>,
}

/// State of the search for patterns.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "progress", rename_all = "snake_case")]
pub(crate) enum PatternProgress {
    /// The search was switched off by a client.
    Off,
    /// The simulation is watched, in the states that the scene would record.
    Watching,
    /// The simulation has too many people to be watched unless a client asks for it.
    Crowded {
        /// Largest number of people that are watched without being asked.
        most: usize,
    },
    /// The recording is being searched.
    Searching {
        /// Part that is done, from 0 to 1.
        part: f64,
    },
    /// The whole recording was searched.
    Done,
    /// The search has failed.
    Failed {
        /// Reason.
        why: String,
    },
}

/// A pattern, and when and where it was seen.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FoundPattern {
    pub pattern: Name<Pattern>,
    /// Id of the person.
    pub person: u32,
    /// Start, s.
    pub from: f64,
    /// End, s; grows while it lasts.
    pub to: f64,
    /// Position of the person at the start, m.
    pub place: Point,
    /// Index of the floor.
    pub layer: u8,
}

/// Message for the author.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct NoticeEvent {
    pub level: NoticeLevel,
    /// The message.
    pub text: String,
}

/// Severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NoticeLevel {
    /// Something has failed.
    Error,
}
