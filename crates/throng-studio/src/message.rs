//! What clients ask for, and how they are answered. `docs/protocol.md` describes all of it.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use throng_world::scene::{Address, SceneError, SceneErrors, TextError};

/// The version of the protocol that is spoken here.
pub const PROTOCOL: u32 = 2;

/// Frames per second that a client is sent unless it asks for another number.
pub(crate) const DEFAULT_RATE: f64 = 30.0;
/// Frames per second that a client can ask for.
pub(crate) const RATES: std::ops::RangeInclusive<f64> = 1.0..=60.0;

/// What a client can ask for. Variants without keys have braces: serde would overlook unknown keys
/// without.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    Hello {
        protocol: u32,
        #[serde(default = "default_rate")]
        rate: f64,
    },
    Rate {
        rate: f64,
    },
    Play {},
    Pause {},
    Step {
        #[serde(default = "one")]
        count: i64,
    },
    Speed {
        factor: f64,
    },
    Restart {},
    Seek {
        time: f64,
    },
    Edit {
        label: String,
        changes: Vec<Change>,
        join: Option<String>,
    },
    Undo {},
    Redo {},
    Text {},
    Save {},
    SaveAs {
        name: String,
        #[serde(default)]
        overwrite: bool,
    },
    Files {},
    Open {
        name: String,
    },
    New {
        name: String,
    },
    Remove {
        people: Vec<u32>,
    },
    Regroup {
        people: Vec<u32>,
        group: String,
    },
    Direct {
        people: Vec<u32>,
        goals: Vec<Json>,
        #[serde(default = "stay")]
        then: String,
    },
    StartHere {},
    Bodies(BodiesWanted),
    Efforts(EffortsWanted),
    Skating {},
    Patterns {
        on: bool,
    },
    Inspect {
        person: u32,
    },
    Streamlines {
        group: Option<String>,
        field: Option<String>,
        #[serde(default)]
        layer: u8,
        #[serde(default = "line_count")]
        count: usize,
    },
    Ways {
        #[serde(default)]
        layer: u8,
    },
    Record {
        on: bool,
    },
}

/// How a client looks at the crowd, and how many bodies it can draw.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BodiesWanted {
    /// Where its camera is, `[x, y, height]`.
    pub eye: [f32; 3],
    /// Where it looks, as a direction.
    pub look: [f32; 3],
    /// From the lower edge of the picture to the upper, degrees.
    #[serde(default = "field")]
    pub field: f32,
    /// Width of the picture over its height.
    #[serde(default = "aspect")]
    pub aspect: f32,
    /// Height of the picture, pixels.
    #[serde(default = "pixels")]
    pub pixels: f32,
    /// How many bodies of their own it can draw.
    #[serde(default = "body_count")]
    pub most: usize,
    /// And how many posed ones.
    #[serde(default = "posed_count")]
    pub posed: usize,
    /// Whether people are to take notice of it.
    #[serde(default)]
    pub noticed: bool,
}

/// How much may be spent to simulate a crowd. What is not said is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EffortsWanted {
    /// How many are simulated in full at most.
    pub full: Option<usize>,
    /// And how many of the others simply; the rest only follow their way.
    pub simple: Option<usize>,
    /// How long a step may take, ms.
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

/// One change of a scene's document.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Change {
    /// Gives something another value.
    Set { at: Address, value: Json },
    /// Adds an entry to a list.
    Add { to: Address, value: Json },
    /// Takes something away.
    Remove { at: Address },
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

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub message: String,
    pub help: Option<String>,
    /// All that is wrong with a scene, for who can show it.
    pub errors: Option<SceneErrors>,
}

impl Refusal {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, errors: None }
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
        let help = first.and_then(|first| first.help.clone());
        Self { message, help, errors: Some(errors) }
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

/// The text of a reply.
pub(crate) fn reply(id: u64, answer: Result<Json, Refusal>) -> String {
    let reply = match answer {
        Ok(value) => json!({ "re": id, "ok": value }),
        Err(Refusal { message, help, errors }) => {
            let mut error = json!({ "message": message });
            if let Some(help) = help {
                error["help"] = json!(help);
            }
            if let Some(errors) = errors {
                error["errors"] = errors.errors().iter().map(located).collect();
                error["more"] = json!(errors.more());
            }
            json!({ "re": id, "error": error })
        }
    };
    reply.to_string()
}

/// An error of a scene file: the file's name, line and column from 1, what is wrong, and what to write
/// instead.
fn located(error: &SceneError) -> Json {
    let (line, column) = error.line_column();
    let file = Path::new(&error.source.name).file_name();
    json!({
        "file": file.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        "line": line,
        "column": column,
        "message": error.message,
        "help": error.help,
    })
}

/// The first words of the server.
pub(crate) fn hello() -> String {
    let server = concat!("throng ", env!("CARGO_PKG_VERSION"));
    json!({ "event": "hello", "protocol": PROTOCOL, "server": server }).to_string()
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
    fn a_broken_scene_is_refused_with_every_mistake_and_its_place() {
        let text = "format = 1\n[world]\nbounds = [[0, 0], [1, 1]]\n[[groups]]\nname = \"a\"\nspeed = -1\nsped = 2\n";
        let refusal =
            Refusal::from(throng::Scene::parse("x/a.toml", text, Path::new("")).unwrap_err());
        let reply: Json = serde_json::from_str(&reply(3, Err(refusal))).unwrap();
        let errors = reply["error"]["errors"].as_array().unwrap();
        let places: Vec<_> = errors.iter().map(|e| (&e["file"], &e["line"])).collect();
        assert_eq!(
            places,
            [(&json!("a.toml"), &json!(6)), (&json!("a.toml"), &json!(7))],
            "{reply}"
        );
        assert!(errors[0]["message"].as_str().unwrap().contains("speed"), "{reply}");
        assert_eq!(reply["error"]["more"], json!(0));
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
