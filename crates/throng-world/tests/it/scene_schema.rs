//! The JSON Schema and the reader say the same about scene files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use throng_world::Scene;
use throng_world::scene::{ModelSchema, ParameterSchema, schema};

const SCENES: [&str; 3] = [
    include_str!("../scenes/station.toml"),
    include_str!("../scenes/minimal.toml"),
    include_str!("../scenes/fields.toml"),
];

fn models() -> Vec<ModelSchema> {
    let parameter = |name: &str, min, max| ParameterSchema {
        name: name.into(),
        description: format!("What {name} does."),
        unit: "s".into(),
        default: 2.0,
        min,
        max,
    };
    let model = |name: &str, parameters| ModelSchema {
        name: name.into(),
        summary: format!("What {name} is."),
        parameters,
        personalities: Vec::new(),
    };
    vec![
        model("orca", vec![parameter("time_horizon", 0.1, 10.0)]),
        model("social", vec![parameter("relaxation", 0.0, f64::INFINITY)]),
    ]
}

fn as_json(toml: &str) -> Value {
    toml::from_str(toml).expect("valid TOML")
}

#[test]
fn scenes_that_can_be_read_conform_to_the_schema() {
    for (scene, schema) in SCENES.iter().flat_map(|s| [(s, schema(&[])), (s, schema(&models()))]) {
        Scene::parse("scene.toml", scene, Path::new("")).unwrap();
        conforms(&as_json(scene), &schema, &schema).unwrap();
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema = schema(&models());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    // What an author can get wrong in a single value: keys, types, ranges and choices.
    let prefixes: Vec<&str> = "unknown_ type_ missing_ choice speed_negative speed_zero speed_too \
         speed_distribution radius_ step_ wall_thickness schedule_empty format_ crowd_count \
         distribution_sd distribution_mean seed_ bounds_f box_flat field_anchor_unknown \
         field_anchor_nan field_without field_smoothing field_keys_empty field_keys_unknown \
         field_edit_two field_edit_without field_tau_zero field_priority field_fade \
         led_share led_wander led_by led_missing traits_out traits_unknown \
         traits_distribution_out traits_type traits_no_table traits_of_a_person \
         evaluation_version evaluation_unknown_key evaluation_camera_flat"
        .split(' ')
        .collect();
    let mut refused = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if prefixes.iter().any(|prefix| name.starts_with(prefix)) {
            let scene = as_json(&fs::read_to_string(&path).unwrap());
            assert!(conforms(&scene, &schema, &schema).is_err(), "{name}");
            refused += 1;
        }
    }
    assert!(refused > 40, "{refused}");
}

#[test]
fn every_key_of_the_schema_is_one_the_reader_knows() {
    let root = schema(&[]);
    for (definition, table) in root["$defs"].as_object().unwrap() {
        let Some(keys) = table["properties"].as_object() else { continue };
        if definition != "Steering" {
            assert_eq!(table["additionalProperties"], json!(false), "{definition}");
        }
        for (key, property) in keys {
            assert!(property["description"].is_string(), "{definition}.{key} has no description");
            assert!(!property.to_string().contains("\"null\""), "{definition}.{key} may be null");
        }
    }
    // The reader lists the keys of a table when it meets one that is far from all of them.
    let keys = |table: &Value| -> BTreeSet<String> {
        table["properties"].as_object().unwrap().keys().cloned().collect()
    };
    let listed = |text: &str| -> BTreeSet<String> {
        let errors = Scene::parse("", text, Path::new("")).unwrap_err();
        let unknown = errors.errors().iter().find(|e| e.message.starts_with("unknown key"));
        let help = unknown.unwrap().help.clone().unwrap();
        help.split('`').skip(1).step_by(2).map(Into::into).collect()
    };
    assert_eq!(listed("zzzzzzzz = 1"), keys(&root));
    for (path, definition) in [
        ("world", "World"),
        ("simulation", "Simulation"),
        ("groups", "Group"),
        ("groups.people", "Person"),
        ("groups.crowds", "Crowd"),
        ("groups.sources", "Source"),
        ("groups.goals", "Goal"),
        ("regions", "Region"),
        ("obstacles", "Obstacle"),
        ("obstacles.circle", "Circle"),
        ("connectors", "Connector"),
        ("layers", "Layer"),
        ("fields", "Field"),
        ("fields.anchors", "Anchor"),
        ("fields.edits", "Edit"),
        ("groups.led", "Led"),
        ("groups.traits", "Traits"),
    ] {
        let single = ["world", "simulation", "obstacles.circle", "groups.led", "groups.traits"]
            .contains(&path);
        let heading = if single { format!("[{path}]") } else { format!("[[{path}]]") };
        let parent = path.split_once('.').map_or(String::new(), |(p, _)| format!("[[{p}]]\n"));
        let text = format!("{parent}{heading}\nzzzzzzzz = 1");
        assert_eq!(listed(&text), keys(&root["$defs"][definition]), "{path}");
    }
}

#[test]
fn steering_models_come_from_outside() {
    let schema = schema(&models());
    let steering = |table: &str| {
        let text =
            SCENES[1].replace("name = \"one\"", &format!("name = \"one\"\nsteering = {table}"));
        conforms(&as_json(&text), &schema, &schema)
    };
    steering("{ model = \"social\", relaxation = { min = 0.3, max = 0.5 } }").unwrap();
    steering("{ time_horizon = 3 }").unwrap();
    steering("{ model = \"socail\" }").unwrap_err();
    steering("{ model = \"social\", time_horizon = 3 }").unwrap_err();
    steering("{ model = \"orca\", time_horizon = 11 }").unwrap_err();
    let person = |table: &str| {
        let text = SCENES[1].replace("goal =", &format!("steering = {table}\ngoal ="));
        conforms(&as_json(&text), &schema, &schema)
    };
    person("{ relaxation = 2 }").unwrap();
    person("{ relxation = 2 }").unwrap_err();
}

#[test]
fn the_schema_tells_units_defaults_and_examples() {
    let schema = schema(&models());
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let step = &schema["$defs"]["Simulation"]["properties"]["step"];
    assert_eq!((&step["x-unit"], &step["default"]), (&json!("s"), &json!(0.1)));
    assert_eq!((&step["type"], &step["maximum"]), (&json!("number"), &json!(1)));
    assert_eq!(step["description"], "Time between two states of the simulation, s.");
    let speed = json!({ "mean": 1.34, "sd": 0.26, "min": 0.8, "max": 1.9 });
    assert_eq!(schema["$defs"]["Group"]["properties"]["speed"]["default"], speed);
    let orca = &schema["$defs"]["Steering"]["anyOf"][0];
    let horizon = &orca["properties"]["time_horizon"];
    assert_eq!((&horizon["default"], &orca["description"]), (&json!(2.0), &json!("What orca is.")));
}

/// Checks `value` against the part of JSON Schema that the scene schema uses. A complete validator
/// would double what the workspace has to build.
fn conforms(value: &Value, schema: &Value, root: &Value) -> Result<(), String> {
    let check = |holds: bool, what: &str| {
        if holds { Ok(()) } else { Err(format!("{value} violates {what} of {schema}")) }
    };
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(&reference[1..]).ok_or(format!("no {reference}"))?;
        conforms(value, target, root)?;
    }
    if let Some(kind) = schema["type"].as_str() {
        let matches = match kind {
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => false,
        };
        check(matches, "type")?;
    }
    for (keyword, count) in [("anyOf", 1..usize::MAX), ("oneOf", 1..2)] {
        if let Some(alternatives) = schema[keyword].as_array() {
            let fitting = alternatives.iter().filter(|a| conforms(value, a, root).is_ok()).count();
            check(count.contains(&fitting), keyword)?;
        }
    }
    if let Some(choices) = schema["enum"].as_array() {
        check(choices.contains(value), "enum")?;
    }
    if let Some(constant) = schema.get("const") {
        check(constant == value, "const")?;
    }
    let limit = |keyword: &str, default: f64| schema[keyword].as_f64().unwrap_or(default);
    let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
    if let Some(number) = value.as_f64() {
        check(number >= limit("minimum", low) && number <= limit("maximum", high), "limits")?;
        check(number > limit("exclusiveMinimum", low), "exclusiveMinimum")?;
    }
    if let Some(text) = value.as_str() {
        check(text.chars().count() as f64 >= limit("minLength", 0.0), "minLength")?;
    }
    if let Some(entries) = value.as_array() {
        let count = entries.len() as f64;
        check(count >= limit("minItems", 0.0) && count <= limit("maxItems", high), "items")?;
        if schema["items"].is_object() {
            entries.iter().try_for_each(|entry| conforms(entry, &schema["items"], root))?;
        }
    }
    if let Some(table) = value.as_object() {
        let count = table.len() as f64;
        check(count >= limit("minProperties", 0.0), "minProperties")?;
        check(count <= limit("maxProperties", high), "maxProperties")?;
        for key in schema["required"].as_array().into_iter().flatten() {
            check(table.contains_key(key.as_str().unwrap_or_default()), "required")?;
        }
        for (key, needed) in schema["dependentRequired"].as_object().into_iter().flatten() {
            let needed = needed.as_array().into_iter().flatten().filter_map(Value::as_str);
            let complete = needed.into_iter().all(|needed| table.contains_key(needed));
            check(!table.contains_key(key) || complete, "dependentRequired")?;
        }
        for (key, entry) in table {
            match (&schema["properties"][key], &schema["additionalProperties"]) {
                (Value::Null, Value::Bool(false)) => check(false, key)?,
                (Value::Null, Value::Null) => {}
                (Value::Null, others) => conforms(entry, others, root)?,
                (property, _) => conforms(entry, property, root)?,
            }
        }
    }
    Ok(())
}
