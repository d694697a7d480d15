//! Replies: each request has exactly one.

use std::path::Path;

use axum::extract::ws::Utf8Bytes;
use schemars::JsonSchema;
use serde::Serialize;
use throng_world::scene::{SceneError, SceneErrors, TextError};

use super::{EffortLimits, Foot, Inspection, PROTOCOL, Point};

/// Message that answers a request.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Response {
    /// The request was done.
    Done {
        /// Id of the request.
        re: u64,
        /// The reply.
        ok: Reply,
    },
    /// The request was refused, and has changed nothing.
    Refused {
        /// Id of the request; 0 if it has none.
        re: u64,
        /// The reason.
        error: Refusal,
    },
}

impl Response {
    pub fn new(re: u64, answer: Result<Reply, Refusal>) -> Self {
        match answer {
            Ok(ok) => Self::Done { re, ok },
            Err(error) => Self::Refused { re, error },
        }
    }

    /// Returns the response as the text of a message.
    pub fn text(&self) -> Utf8Bytes {
        super::text(self)
    }
}

/// Reply to each request, by its name.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged, rename_all = "snake_case")]
#[schemars(!untagged)]
pub(crate) enum Reply {
    Hello(HelloReply),
    Rate(RateReply),
    Play(TimeReply),
    Pause(TimeReply),
    Step(TimeReply),
    Speed(TimeReply),
    Restart(TimeReply),
    Seek(TimeReply),
    Edit(EditReply),
    Replace(EditReply),
    Undo(HistoryReply),
    Redo(HistoryReply),
    Text(TextReply),
    Save(FileReply),
    SaveAs(FileReply),
    Files(Files),
    Open(TimeReply),
    New(TimeReply),
    Remove(PeopleReply),
    Regroup(PeopleReply),
    Direct(PeopleReply),
    StartHere(EditReply),
    Models(Vec<SteeringModel>),
    Bodies(BodiesReply),
    Efforts(EffortsReply),
    Skating(Skating),
    Patterns(PatternsReply),
    Inspect(Option<Box<Inspection>>),
    Streamlines(Streamlines),
    Ways(Ways),
    Record(RecordReply),
}

/// Version of the protocol.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct HelloReply {
    /// Version of the protocol.
    pub protocol: u32,
}

impl Default for HelloReply {
    fn default() -> Self {
        Self { protocol: PROTOCOL }
    }
}

/// Frames per second.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RateReply {
    /// Frames per second.
    pub rate: f64,
}

/// The present time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct TimeReply {
    /// Number of the step; of a recording, of the frame.
    pub step: u32,
    /// Simulated time, s.
    pub time: f64,
}

/// Result of an edit.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct EditReply {
    /// Revision of the scene with the edit.
    pub revision: u32,
    /// First step in which the crowd follows it.
    pub step: u32,
    /// Whether the scene has begun anew, because the edit was too deep for people to go on: floors, bounds, the step, the seed.
    pub restarted: bool,
}

/// Result of `undo` or `redo`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct HistoryReply {
    #[serde(flatten)]
    pub edit: EditReply,
    /// Label of the edit that was undone or repeated.
    pub label: String,
}

/// Text of the scene.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct TextReply {
    /// TOML.
    pub text: String,
}

/// File that was written.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FileReply {
    /// Its name.
    pub file: String,
}

/// Recording that was begun or completed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RecordReply {
    /// Name of its file; `null` if there was nothing to end.
    pub file: Option<String>,
}

/// Files that can be opened.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Files {
    /// Names of scene files.
    pub scenes: Vec<String>,
    /// Names of recordings.
    pub recordings: Vec<String>,
}

/// Number of people who were there; ids of people who have left are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PeopleReply {
    /// Number of people.
    pub people: usize,
}

/// Steering model, as a group's `steering` names it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SteeringModel {
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// Parameters, those that every model has first.
    pub parameters: Vec<SteeringParameter>,
}

/// Parameter of a steering model.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SteeringParameter {
    /// Name of the key in `steering`.
    pub name: &'static str,
    /// Meaning.
    pub description: &'static str,
    /// Unit; empty if it has none.
    pub unit: &'static str,
    /// Value where the scene gives none.
    pub default: f32,
    /// Smallest value.
    pub min: f32,
    /// Largest value.
    pub max: f32,
}

/// Number of people with a body of their own.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct BodiesReply {
    /// Number of people.
    pub bodies: usize,
}

/// Limits that are now in force.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct EffortsReply {
    /// `null` if there are none.
    pub efforts: Option<EffortLimits>,
}

/// Whether patterns are searched for.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PatternsReply {
    /// Whether they are.
    pub on: bool,
}

/// Slip of feet while they stood, in the last 10 s, of people with bodies of their own.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Skating {
    /// Number of stances.
    pub stances: usize,
    /// Median of their slips, m; `null` without stances.
    pub p50: Option<f32>,
    /// 95th percentile, m.
    pub p95: Option<f32>,
    /// Maximum, m.
    pub max: Option<f32>,
    /// The stances with the largest slips.
    pub worst: Vec<SlippedStance>,
}

/// A stance and its slip.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SlippedStance {
    /// Id of the person.
    pub person: u32,
    pub foot: Foot,
    /// Distance slipped, m.
    pub slip: f32,
    /// End of the stance, s.
    pub time: f64,
}

/// Streamlines of fields.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Streamlines {
    /// Lines, none beyond the reach of all anchors.
    pub lines: Vec<Vec<Point>>,
    /// Places where a field is zero, within the reach of its anchors.
    pub critical: Vec<CriticalPoint>,
}

/// Place where a field is zero.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CriticalPoint {
    pub at: Point,
    pub kind: CriticalKind,
    /// Whether people do not get away from it.
    pub trap: bool,
}

/// Kind of a critical point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CriticalKind {
    Sink,
    Source,
    Saddle,
    Centre,
}

impl From<throng_field::CriticalKind> for CriticalKind {
    fn from(kind: throng_field::CriticalKind) -> Self {
        match kind {
            throng_field::CriticalKind::Sink => Self::Sink,
            throng_field::CriticalKind::Source => Self::Source,
            throng_field::CriticalKind::Saddle => Self::Saddle,
            throng_field::CriticalKind::Centre => Self::Centre,
        }
    }
}

/// Corridor map of a floor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Ways {
    /// Edges; none where there are no obstacles.
    pub edges: Vec<WayEdge>,
}

/// Edge of the corridor map.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct WayEdge {
    /// Points along the edge.
    pub points: Vec<Point>,
    /// Distance to the nearest obstacle at each point, m.
    pub clearance: Vec<f32>,
}

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Refusal {
    /// What is wrong.
    pub message: String,
    /// What to do instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Mistakes in a scene file that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<SceneMistake>>,
    /// Number of mistakes beyond those.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<usize>,
    /// The mistakes with their source, for the terminal.
    #[serde(skip)]
    pub source: Option<Box<SceneErrors>>,
}

/// A mistake in a scene file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct SceneMistake {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl From<&SceneError> for SceneMistake {
    fn from(error: &SceneError) -> Self {
        let (line, column) = error.line_column();
        let file = Path::new(&error.source.name).file_name();
        Self {
            file: file.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            line,
            column,
            message: error.message.clone(),
            help: error.help.clone(),
        }
    }
}

impl Refusal {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, errors: None, more: None, source: None }
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl From<SceneErrors> for Refusal {
    fn from(errors: SceneErrors) -> Self {
        let others = errors.errors().len() + errors.more() - 1;
        let first = errors.errors().first();
        let message = first.map_or_else(String::new, |first| first.message.clone());
        let message = if others > 0 { format!("{message}, and {others} more") } else { message };
        Self {
            message,
            help: first.and_then(|first| first.help.clone()),
            errors: Some(errors.errors().iter().map(SceneMistake::from).collect()),
            more: Some(errors.more()),
            source: Some(Box::new(errors)),
        }
    }
}

impl From<TextError> for Refusal {
    fn from(error: TextError) -> Self {
        match error {
            TextError::Scene(errors) => errors.into(),
            error => Self::new(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_scene_is_refused_with_every_mistake_and_its_place() {
        let text = "format = 1\n[world]\nbounds = [[0, 0], [1, 1]]\n[[groups]]\nname = \"a\"\nspeed = -1\nsped = 2\n";
        let refusal =
            Refusal::from(throng::Scene::parse("x/a.toml", text, Path::new("")).unwrap_err());
        let errors = refusal.errors.as_ref().unwrap();
        let places: Vec<_> = errors.iter().map(|e| (e.file.as_str(), e.line)).collect();
        assert_eq!(places, [("a.toml", 6), ("a.toml", 7)], "{refusal:?}");
        assert!(errors[0].message.contains("speed"), "{refusal:?}");
        assert_eq!(refusal.more, Some(0));
    }

    #[test]
    fn responses_have_the_form_of_the_protocol() {
        let done = Response::new(7, Ok(Reply::Save(FileReply { file: "a.toml".into() })));
        assert_eq!(done.text().as_str(), r#"{"re":7,"ok":{"file":"a.toml"}}"#);
        assert_eq!(
            Response::new(7, Ok(Reply::Inspect(None))).text().as_str(),
            r#"{"re":7,"ok":null}"#
        );
        let refused = Response::new(8, Err(Refusal::new("no").with_help("try yes")));
        assert_eq!(
            refused.text().as_str(),
            r#"{"re":8,"error":{"message":"no","help":"try yes"}}"#
        );
    }
}
