//! The JSON Schema (2020-12) of the scene format, for editors and for other programs.
//!
//! It is made from the types that scene files are read into, so it cannot lag behind. What the
//! steering models are called and which parameters they have is filled in from outside, since the
//! models live in a crate below this one.

use std::sync::LazyLock;

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::{Map, Value, json};

use super::form::Form;
use super::value::{merge, parameter};
use super::{DEFAULT_MODEL, file};

/// What the schema says about a steering model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSchema {
    /// The name that scene files use.
    pub name: String,
    /// What it is, in one sentence.
    pub summary: String,
    /// Its parameters.
    pub parameters: Vec<ParameterSchema>,
    /// Kinds of people that it knows, each with what they are like.
    pub personalities: Vec<(String, String)>,
}

/// What the schema says about a parameter of a steering model.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterSchema {
    /// The key in the `steering` table.
    pub name: String,
    /// What it does, in one sentence.
    pub description: String,
    /// Its unit, e.g. `"m"`; empty for plain numbers.
    pub unit: String,
    /// Its value where a scene does not say.
    pub default: f64,
    /// Smallest allowed value; may be infinite.
    pub min: f64,
    /// Largest allowed value; may be infinite.
    pub max: f64,
}

/// The JSON Schema of the scene format, with these steering models.
///
/// Without any model, every name and every parameter is allowed.
pub fn schema(models: &[ModelSchema]) -> Value {
    let mut schema = FILE_SCHEMA.clone();
    if !models.is_empty() {
        schema["$defs"]["Steering"] = steering(models);
        schema["$defs"]["SteeringOverrides"] = overrides(models);
        schema["$defs"]["Person"]["properties"]["steering"]["$ref"] =
            "#/$defs/SteeringOverrides".into();
    }
    schema
}

/// The form that every scene file must have, whatever the models.
pub(super) static FORM: LazyLock<Form> =
    LazyLock::new(|| Form::from_schema(&FILE_SCHEMA, &FILE_SCHEMA));

static FILE_SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let generator = SchemaSettings::draft2020_12().with_transform(ForToml).into_generator();
    generator.into_root_schema_for::<file::SceneFile>().to_value()
});

/// Removes what schemars adds for JSON and Rust: `null` for what is optional, sizes of integers,
/// and the line breaks of doc comments.
#[derive(Clone)]
struct ForToml;

impl Transform for ForToml {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove("format");
        if let Some(Value::String(description)) = schema.get_mut("description") {
            *description = description.replace('\n', " ");
        }
        if let Some(Value::Array(types)) = schema.get("type") {
            let kind = types.iter().find(|kind| *kind != "null").cloned();
            schema.insert("type".into(), kind.into());
        }
        if schema.get("default") == Some(&Value::Null) {
            schema.remove("default");
        }
        self.unwrap_nullable(schema);
        transform_subschemas(self, schema);
    }
}

impl ForToml {
    fn unwrap_nullable(&self, schema: &mut Schema) {
        let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") else { return };
        let nullable = alternatives.iter().any(|alternative| alternative["type"] == "null");
        alternatives.retain(|alternative| alternative["type"] != "null");
        if nullable && alternatives.len() == 1 {
            let only = alternatives.remove(0);
            schema.remove("anyOf");
            for (key, value) in only.as_object().into_iter().flatten() {
                schema.ensure_object().entry(key.as_str()).or_insert(value.clone());
            }
        }
    }
}

/// The table that chooses a model: one alternative per model, each with its parameters.
fn steering(models: &[ModelSchema]) -> Value {
    let alternative = |model: &ModelSchema| {
        let mut properties = json!({
            "model": { "type": "string", "const": model.name, "description": model.summary },
        });
        merge(&mut properties, &parameters(std::slice::from_ref(model)));
        merge(&mut properties, &personality(std::slice::from_ref(model)));
        let mut table = json!({
            "title": model.name,
            "description": model.summary,
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        });
        if model.name != DEFAULT_MODEL {
            merge(&mut table, &json!({ "required": ["model"] }));
        }
        table
    };
    let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    json!({
        "description": "A steering model and those of its parameters that differ from its defaults.",
        "type": "object",
        "properties": {
            "model": { "enum": names, "default": DEFAULT_MODEL, "description": "Name of the model." },
        },
        "anyOf": models.iter().map(alternative).collect::<Vec<_>>(),
    })
}

/// The table of a single person: any parameter of any model, since the model is the group's.
fn overrides(models: &[ModelSchema]) -> Value {
    let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    let mut properties = json!({
        "model": { "enum": names, "description": "The group's model, if it is written at all." },
    });
    merge(&mut properties, &parameters(models));
    merge(&mut properties, &personality(models));
    json!({
        "description": "Parameters of the group's steering model that differ for this person.",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

/// The key that names a kind of person, if any of the `models` knows some.
fn personality(models: &[ModelSchema]) -> Value {
    let kinds: Vec<&(String, String)> = models.iter().flat_map(|m| &m.personalities).collect();
    if kinds.is_empty() {
        return json!({});
    }
    let names: Vec<&str> = kinds.iter().map(|(name, _)| name.as_str()).collect();
    let told: Vec<String> =
        kinds.iter().map(|(name, summary)| format!("\"{name}\" {summary}")).collect();
    let description = format!(
        "A kind of person, that is, values of some parameters; what is written beside it counts \
         more. {}.",
        told.join("; ")
    );
    json!({ "personality": { "type": "string", "enum": names, "description": description } })
}

/// The parameters of all `models`, by name. One that several models have is as wide as its widest.
fn parameters(models: &[ModelSchema]) -> Value {
    let mut widest: Vec<ParameterSchema> = Vec::new();
    for parameter in models.iter().flat_map(|model| &model.parameters) {
        match widest.iter_mut().find(|known| known.name == parameter.name) {
            Some(known) => {
                known.min = known.min.min(parameter.min);
                known.max = known.max.max(parameter.max);
            }
            None => widest.push(parameter.clone()),
        }
    }
    let entry = |parameter: &ParameterSchema| (parameter.name.clone(), parameter_schema(parameter));
    Value::Object(widest.iter().map(entry).collect::<Map<_, _>>())
}

fn parameter_schema(described: &ParameterSchema) -> Value {
    let mut limits = json!({});
    if described.min.is_finite() {
        limits["minimum"] = described.min.into();
    }
    if described.max.is_finite() {
        limits["maximum"] = described.max.into();
    }
    let mut schema = parameter(&described.unit, &limits).to_value();
    let texts = json!({ "description": described.description, "default": described.default });
    merge(&mut schema, &texts);
    schema
}
