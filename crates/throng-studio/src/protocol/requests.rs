//! Requests: what clients ask for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use throng_world::scene::Address;

use super::Refusal;

/// Frames per second by default.
pub(crate) const DEFAULT_RATE: f64 = 30.0;
/// Frames per second that a client can ask for.
pub(crate) const RATES: std::ops::RangeInclusive<f64> = 1.0..=60.0;

/// Request of a client. Variants without keys have braces: without them serde would accept unknown keys.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    /// Begins the conversation: the first request of a client.
    Hello {
        /// Version of the protocol.
        protocol: u32,
        /// Frames per second, 1 to 60.
        #[serde(default = "default_rate")]
        rate: f64,
    },
    /// Sets how many frames the client is sent.
    Rate {
        /// Frames per second, 1 to 60.
        rate: f64,
    },
    /// Lets time pass.
    Play {},
    /// Stops time.
    Pause {},
    /// Makes steps and pauses.
    Step {
        /// Number of steps, 1 to 1000; of a recording, of frames, negative to go back.
        #[serde(default = "one")]
        count: i64,
    },
    /// Sets how fast time passes.
    Speed {
        /// Simulated seconds per second, 0.05 to 16; of a recording also negative.
        factor: f64,
    },
    /// Begins the scene anew, as it is now edited.
    Restart {},
    /// Goes to a time of a recording.
    Seek {
        /// Time, s.
        time: f64,
    },
    /// Edits the document.
    Edit(EditKeys),
    /// Replaces the whole scene by another text, as an edit that can be undone. If it is no scene, nothing changes.
    Replace {
        /// Name of the edit in the list of what can be undone.
        label: String,
        /// TOML. Files that it names are in the folder of the scene or below.
        text: String,
    },
    /// Undoes the last edit.
    Undo {},
    /// Repeats the edit that was undone last.
    Redo {},
    /// Returns the scene as TOML.
    Text {},
    /// Writes the scene to its file.
    Save {},
    /// Writes the scene to another file of the same folder, which is then its file.
    SaveAs {
        /// Name of the file.
        name: String,
        /// Whether an existing file is replaced.
        #[serde(default)]
        overwrite: bool,
    },
    /// Lists the files that can be opened.
    Files {},
    /// Opens a scene or a recording.
    Open {
        /// Name of a file that `files` lists.
        name: String,
    },
    /// Begins an empty scene.
    New {
        /// Name of the file to save it under.
        name: String,
    },
    /// Removes people.
    Remove {
        /// Ids.
        people: Vec<u32>,
    },
    /// Moves people to another group: its colour, steering and goals.
    Regroup {
        /// Ids.
        people: Vec<u32>,
        /// Name of the group.
        group: String,
    },
    /// Gives people goals of their own.
    Direct {
        /// Ids.
        people: Vec<u32>,
        /// Goals, [as in scenes](scene-format.md).
        goals: Vec<Json>,
        /// What they do after the last goal, as in scenes.
        #[serde(default = "stay")]
        then: String,
    },
    /// Makes the present the start of the scene: the document lists all people where they are.
    StartHere {},
    /// Lists the steering models and their parameters.
    Models {},
    /// Sets the client's view of the crowd and how many bodies it can draw; see below.
    Bodies(BodiesKeys),
    /// Limits the effort of the simulation, for all clients; without any key there is no limit.
    Efforts(EffortLimits),
    /// Returns how far feet have slipped while they stood.
    Skating {},
    /// Switches the search for [patterns](#patterns) on, for a crowd of any size, or off.
    Patterns {
        /// Whether patterns are searched for.
        on: bool,
    },
    /// Returns all that is known of a person.
    Inspect {
        /// Id.
        person: u32,
    },
    /// Returns streamlines of the fields of a group, or of one field.
    Streamlines {
        /// Name of the group.
        group: Option<String>,
        /// Name of the field.
        field: Option<String>,
        /// Index of the floor.
        #[serde(default)]
        layer: u8,
        /// Number of lines, at most 2000.
        #[serde(default = "line_count")]
        count: usize,
    },
    /// Returns the corridor map of a floor.
    Ways {
        /// Index of the floor.
        #[serde(default)]
        layer: u8,
    },
    /// Begins a recording beside the scene file, or ends it.
    Record {
        /// Whether to record.
        on: bool,
    },
}

/// Keys of the request `edit`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditKeys {
    /// Name of the edit in the list of what can be undone.
    pub label: String,
    /// Changes, made together or not at all.
    pub changes: Vec<Change>,
    /// Consecutive edits with the same text are undone together.
    pub join: Option<String>,
}

/// Keys of the request `bodies`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BodiesKeys {
    /// Position of the camera, x, y and height, m: within 1,000 km of the origin.
    pub eye: [f32; 3],
    /// Direction of the camera, x, y and up: not zero.
    pub look: [f32; 3],
    /// Vertical field of view, 1 to 170 degrees.
    #[serde(default = "field")]
    pub field: f32,
    /// Width of the picture over its height, 0.05 to 20.
    #[serde(default = "aspect")]
    pub aspect: f32,
    /// Height of the picture, 1 to 100,000 pixels.
    #[serde(default = "pixels")]
    pub pixels: f32,
    /// Number of bodies of their own that it can draw, at most 400; 0 for no bodies at all.
    #[serde(default = "body_count")]
    pub most: usize,
    /// Number of posed bodies that it can draw, at most 4000.
    #[serde(default = "posed_count")]
    pub posed: usize,
    /// Whether people take notice of the camera.
    #[serde(default)]
    pub noticed: bool,
}

/// Limits of the effort to simulate a crowd; what is left out or `null` is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EffortLimits {
    /// Number of people who are simulated in full.
    pub full: Option<usize>,
    /// Number of the others who are simulated simply; the rest only follow their paths.
    pub simple: Option<usize>,
    /// Duration of a step, 0.1 to 1000 ms.
    pub ms: Option<f64>,
}

fn default_rate() -> f64 {
    DEFAULT_RATE
}

fn one() -> i64 {
    1
}

fn stay() -> String {
    "stay".into()
}

fn line_count() -> usize {
    250
}

fn field() -> f32 {
    50.0
}

fn aspect() -> f32 {
    16.0 / 9.0
}

fn pixels() -> f32 {
    1080.0
}

fn body_count() -> usize {
    200
}

fn posed_count() -> usize {
    2000
}

/// A change of the document.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Change {
    /// Sets a value.
    Set {
        #[schemars(with = "SceneAddress")]
        at: Address,
        value: Json,
    },
    /// Adds an entry to a list, which is made if there is none.
    Add {
        #[schemars(with = "SceneAddress")]
        to: Address,
        value: Json,
    },
    /// Removes a value.
    Remove {
        #[schemars(with = "SceneAddress")]
        at: Address,
    },
}

/// Address of a value in the document: the steps from its top.
#[derive(JsonSchema)]
#[schemars(rename = "Address")]
#[expect(dead_code, reason = "describes `throng_world::scene::Address`, which has no schema")]
struct SceneAddress(Vec<AddressStep>);

/// Step of an address in the document: a key, the index of an entry of a list, or the name of an entry.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "describes `throng_world::scene::Step`, which has no schema")]
enum AddressStep {
    Key(String),
    Index(usize),
    Named { name: String },
}

/// A request and the number that its reply is to have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbered {
    pub id: u64,
    pub request: Request,
}

impl Numbered {
    /// Reads a message. What is wrong with one comes with the number of the reply that says so, 0 if
    /// it has none.
    pub fn parse(text: &str) -> Result<Self, (u64, Refusal)> {
        let refuse = |id, error: &serde_json::Error| (id, Refusal::new(said(error)));
        let mut message: Map<String, Json> =
            serde_json::from_str(text).map_err(|error| refuse(0, &error))?;
        let id = message.remove("id");
        let Some(id) = id.as_ref().and_then(Json::as_u64) else {
            return Err((0, Refusal::new("a request has an `id`, a whole number from 0")));
        };
        let request = serde_json::from_value(Json::Object(message));
        request.map(|request| Self { id, request }).map_err(|error| refuse(id, &error))
    }
}

/// What serde says, without a place in a message that nobody sees.
fn said(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text[..end].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read() {
        let parsed = Numbered::parse(r#"{ "id": 3, "do": "step", "count": -1 }"#).unwrap();
        assert_eq!(parsed, Numbered { id: 3, request: Request::Step { count: -1 } });
        let parsed = Numbered::parse(r#"{ "do": "play", "id": 0 }"#).unwrap();
        assert_eq!(parsed.request, Request::Play {});
    }

    #[test]
    fn what_is_no_request_is_refused_with_its_number() {
        let refused = |text: &str| Numbered::parse(text).unwrap_err();
        assert_eq!(refused("[]").0, 0);
        assert_eq!(refused(r#"{ "do": "play" }"#).0, 0);
        assert_eq!(refused(r#"{ "id": -1, "do": "play" }"#).0, 0);
        let (id, refusal) = refused(r#"{ "id": 5, "do": "play", "loudly": true }"#);
        assert_eq!(id, 5);
        assert!(refusal.message.contains("loudly"), "{refusal:?}");
        let (_, refusal) = refused(r#"{ "id": 5, "do": "dance" }"#);
        assert!(refusal.message.contains("dance"), "{refusal:?}");
        assert!(!refusal.message.contains(" at line "), "{refusal:?}");
        let (_, refusal) = refused(r#"{ "id": 5, "do": "step", "count": "many" }"#);
        assert!(refusal.message.contains("many"), "{refusal:?}");
        let bodies = r#"{ "id": 5, "do": "bodies", "eye": [0, 0, 2], "look": [1, 0, 0]"#;
        assert!(Numbered::parse(&format!("{bodies} }}")).is_ok());
        let (_, refusal) = refused(&format!("{bodies}, \"noticd\": true }}"));
        assert!(refusal.message.contains("noticd"), "{refusal:?}");
        assert_eq!(refused(&format!("{bodies}, \"field\": [50] }}")).0, 5);
        assert_eq!(refused(r#"{ "id": 5, "do": "bodies", "eye": [0, 0, 2] }"#).0, 5);
        assert_eq!(
            refused(r#"{ "id": 5, "do": "bodies", "eye": [0, 0], "look": [1, 0, 0] }"#).0,
            5
        );
        assert_eq!(refused(&format!("{bodies}, \"noticed\": \"please\" }}")).0, 5);
    }
}
