//! Declarations as TypeScript.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::schema::{Declarations, Variant, alternatives, keys, meaning, reference};
use crate::protocol::binary::{FieldLayout, codes, constants, records};
use crate::protocol::names::all_names;
use crate::protocol::{FrameColumn, PROTOCOL};

const HEADER: &str = "\
// Generated from crates/throng-studio/src/protocol by `make protocol`: edit the declarations there, not this file.

/** A value of a scene document. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };
";

pub(super) fn file(declared: &Declarations) -> String {
    let mut out = HEADER.to_owned();
    let _ = writeln!(out, "\n/** Version of the protocol. */\nexport const PROTOCOL = {PROTOCOL};");
    let lists = all_names();
    for ([name, list, meaning], names) in &lists {
        let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
        let _ = writeln!(
            out,
            "\n{}export const {list} = [{}] as const;\nexport type {name} = (typeof {list})[number];",
            comment(meaning, ""),
            names.join(", "),
        );
    }
    for (name, schema) in &declared.types {
        if !lists.iter().any(|([known, ..], _)| known == name) {
            out += &declaration(name, &meaning(schema), schema, None);
        }
    }
    let mut names = Vec::new();
    for event in &declared.events {
        let name = format!("{}Event", pascal(&event.name));
        out += &declaration(&name, &event.meaning, &event.schema, Some(("event", &event.name)));
        names.push(name);
    }
    let _ = writeln!(out, "\nexport type ServerEvent = {};", names.join(" | "));
    out += &table("Requests", "Keys of each request.", &declared.requests);
    out += &table("Replies", "Reply to each request.", &declared.replies);
    out += &binary();
    out
}

fn binary() -> String {
    let mut out = String::new();
    for (name, what, variants) in codes() {
        let name = name.to_owned();
        if name == "FrameColumn" {
            let _ = writeln!(out, "\n{}export const FRAME_COLUMNS = [", comment(FRAME_COLUMNS, ""));
            for (column, (variant, ..)) in FrameColumn::ALL.into_iter().zip(variants) {
                let flag = column.flag().map_or(0, |flag| flag as u8);
                let [bytes, wide] = [false, true].map(|wide| column.size(wide));
                let name = camel(variant);
                let _ = writeln!(
                    out,
                    "  {{ name: \"{name}\", flag: {flag}, bytes: {bytes}, wideBytes: {wide} }},"
                );
            }
            out += "] as const;\n";
            continue;
        }
        let _ = writeln!(out, "\n{}export const {} = {{", comment(what, ""), screaming(&name));
        for (variant, number, meaning) in variants {
            let _ = writeln!(out, "{}  {}: {number},", comment(meaning, "  "), camel(variant));
        }
        out += "} as const;\n";
    }
    for (name, what, fields) in records() {
        let what = format!("Offsets in bytes. {}", what.trim());
        let _ = writeln!(out, "\n{}export const {} = {{", comment(&what, ""), screaming(name));
        let mut at = 0;
        for FieldLayout { name, type_name, size, meaning } in fields {
            let meaning = format!("{type_name}: {}", meaning.trim());
            let _ = writeln!(out, "{}  {}: {at},", comment(&meaning, "  "), camel(name));
            at += size;
        }
        let _ = writeln!(out, "  size: {at},\n}} as const;");
    }
    for (name, number, meaning) in constants() {
        let _ = writeln!(out, "\n{}export const {name} = {number};", comment(meaning, ""));
    }
    out
}

const FRAME_COLUMNS: &str = "Columns of a frame after the ids, in their order: the flag without which there is none, and the bytes for a person, also with wide positions.";

/// An interface with an entry for each request.
fn table(name: &str, what: &str, variants: &[Variant]) -> String {
    let mut out = format!("\n{}export interface {name} {{\n", comment(what, ""));
    for Variant { name, meaning, schema } in variants {
        let type_name =
            match schema["properties"].as_object().is_some_and(serde_json::Map::is_empty) {
                true => "Record<string, never>".into(),
                false => type_of(schema, "  "),
            };
        let _ = writeln!(out, "{}  {name}: {type_name};", comment(meaning, "  "));
    }
    out + "}\n"
}

fn declaration(name: &str, what: &str, schema: &Json, tag: Option<(&str, &str)>) -> String {
    let is_object = schema["properties"].is_object() && alternatives(schema).is_none();
    let mut text = type_of(schema, "");
    if let Some((key, value)) = tag {
        text = text.replacen('{', &format!("{{\n  {key}: \"{value}\";"), 1);
    }
    let comment = comment(what, "");
    match is_object {
        true => format!("\n{comment}export interface {name} {text}\n"),
        false => {
            let equals = if text.starts_with('\n') { "=" } else { "= " };
            format!("\n{comment}export type {name} {equals}{text};\n")
        }
    }
}

/// Returns the TypeScript type of a schema. Lines after the first are indented.
pub(super) fn type_of(schema: &Json, indent: &str) -> String {
    if let Some(name) = reference(schema) {
        return if name == "Reply" { "Replies[keyof Replies]".into() } else { name.into() };
    }
    if schema.get("const").is_some() {
        return schema["const"].to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(Json::to_string).collect::<Vec<_>>().join(" | ");
    }
    if let Some(all) = alternatives(schema) {
        let types: Vec<String> = all.iter().map(|one| one_line(&type_of(one, ""))).collect();
        let line = |(one, schema)| {
            let inner = format!("{indent}  ");
            format!("\n{}{inner}| {one}", comment(&meaning(schema), &inner))
        };
        let union = match types.iter().any(|one| one.contains('{')) {
            true => types.iter().zip(all).map(line).collect(),
            false => types.join(" | "),
        };
        return match schema["properties"].is_object() {
            true => format!("{} & ({union}\n{indent})", object(schema, indent)),
            false => union,
        };
    }
    match &schema["type"] {
        Json::Array(types) => {
            let one = |kind: &Json| {
                let mut schema = schema.clone();
                schema["type"] = kind.clone();
                type_of(&schema, indent)
            };
            types.iter().map(one).collect::<Vec<_>>().join(" | ")
        }
        Json::String(kind) => match kind.as_str() {
            "object" => object(schema, indent),
            "array" => array(schema, indent),
            "integer" => "number".into(),
            kind => kind.into(),
        },
        _ => "Json".into(),
    }
}

/// Returns a type in one line, without comments.
pub(super) fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("/**"));
    lines.collect::<Vec<_>>().join(" ").replace("; }", " }")
}

fn array(schema: &Json, indent: &str) -> String {
    let item = type_of(&schema["items"], indent);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => {
            format!("[{}]", vec![item; most as usize].join(", "))
        }
        _ if item.contains(" | ") && !item.starts_with('{') => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

fn object(schema: &Json, indent: &str) -> String {
    if !schema["properties"].is_object() {
        return match (&schema["propertyNames"], &schema["additionalProperties"]) {
            (Json::Null, _) => "JsonObject".into(),
            (names, values) => {
                format!("Record<{}, {}>", type_of(names, indent), type_of(values, indent))
            }
        };
    }
    let inner = format!("{indent}  ");
    let mut out = "{\n".to_owned();
    for (name, schema, is_required) in keys(schema) {
        let optional = if is_required { "" } else { "?" };
        let text = comment(&meaning(schema), &inner);
        let _ = writeln!(out, "{text}{inner}{name}{optional}: {};", type_of(schema, &inner));
    }
    out + indent + "}"
}

fn comment(text: &str, indent: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!("{indent}/** {text} */\n"),
    }
}

/// `FrameHeader` as `FRAME_HEADER`.
fn screaming(name: &str) -> String {
    let mut out = String::new();
    for (i, letter) in name.char_indices() {
        if letter.is_uppercase() && i > 0 {
            out.push('_');
        }
        out.extend(letter.to_uppercase());
    }
    out
}

/// `height_quantum` and `HeightQuantum` as `heightQuantum`.
fn camel(name: &str) -> String {
    let pascal = pascal(name);
    pascal[..1].to_lowercase() + &pascal[1..]
}

/// `height_quantum` as `HeightQuantum`.
fn pascal(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}
