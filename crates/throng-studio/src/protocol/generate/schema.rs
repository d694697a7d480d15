//! Declarations as JSON Schema.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json};

use crate::protocol::{Event, Request, Response};

/// All messages and their parts.
pub(super) struct Declarations {
    pub requests: Vec<Variant>,
    pub replies: Vec<Variant>,
    pub events: Vec<Variant>,
    /// Schemas of other types by name.
    pub types: Map<String, Json>,
}

/// Variant of an enum of messages.
pub(super) struct Variant {
    pub name: String,
    pub meaning: String,
    /// Schema without the tag.
    pub schema: Json,
}

impl Declarations {
    pub fn read() -> Self {
        let mut client = SchemaSettings::draft2020_12().for_deserialize().into_generator();
        client.subschema_for::<Request>();
        let mut types = client.take_definitions(true);
        let requests = tagged(&types.remove("Request").unwrap(), "do");
        let mut server = SchemaSettings::draft2020_12().for_serialize().into_generator();
        server.subschema_for::<Event>();
        server.subschema_for::<Response>();
        for (name, schema) in server.take_definitions(true) {
            let known = types.insert(name.clone(), schema.clone());
            assert!(known.is_none_or(|known| known == schema), "there are two types {name}");
        }
        let mut events = tagged(&types.remove("Event").unwrap(), "event");
        for event in &mut events {
            // A variant is its struct with the tag.
            if let Some(name) = reference(&event.schema)
                && let Some(schema) = types.shift_remove(name)
            {
                *event = Variant { name: event.name.clone(), meaning: meaning(&schema), schema };
            }
        }
        let replies = wrapped(&types.remove("Reply").unwrap());
        Self { requests, replies, events, types }
    }
}

/// Returns the variants of an internally tagged enum.
fn tagged(schema: &Json, tag: &str) -> Vec<Variant> {
    let variant = |schema: &Json| {
        let mut schema = schema.clone();
        let properties = schema["properties"].as_object_mut().unwrap();
        let name = properties.shift_remove(tag).unwrap()["const"].as_str().unwrap().to_owned();
        let required = schema["required"].as_array_mut().unwrap();
        required.retain(|key| key != tag);
        Variant { name, meaning: meaning(&schema), schema }
    };
    schema["oneOf"].as_array().unwrap().iter().map(variant).collect()
}

/// Returns the variants of an externally tagged enum.
fn wrapped(schema: &Json) -> Vec<Variant> {
    let variant = |schema: &Json| {
        let (name, value) = schema["properties"].as_object().unwrap().iter().next().unwrap();
        Variant { name: name.clone(), meaning: meaning(value), schema: value.clone() }
    };
    schema["oneOf"].as_array().unwrap().iter().map(variant).collect()
}

/// Returns the doc comment of a schema, in one line.
pub(super) fn meaning(schema: &Json) -> String {
    schema["description"].as_str().unwrap_or_default().replace('\n', " ")
}

/// Returns the name of the type that a schema refers to.
pub(super) fn reference(schema: &Json) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

/// Returns the variants of a union.
pub(super) fn alternatives(schema: &Json) -> Option<&Vec<Json>> {
    schema["oneOf"].as_array().or(schema["anyOf"].as_array())
}

/// Returns the keys of an object: name, schema, and whether it is there in every message.
pub(super) fn keys(schema: &Json) -> Vec<(&str, &Json, bool)> {
    let required = schema["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|key| key == name));
    let properties = schema["properties"].as_object();
    let keys = properties.into_iter().flatten();
    keys.map(|(name, schema)| (name.as_str(), schema, is_required(name))).collect()
}
