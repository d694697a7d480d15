//! Declarations as the tables of `docs/protocol.md`.
//!
//! A table stands between `<!-- protocol: KIND NAMES -->` and `<!-- end -->`. Kinds are `requests` with their names, `event`,
//! `type`, `names`, `codes`, `columns` and `record` with the name of one. Every declaration must be in the page.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::schema::{Declarations, Variant, alternatives, keys, meaning, reference};
use super::typescript::{one_line, type_of};
use crate::protocol::FrameColumn;
use crate::protocol::binary::{codes, records};
use crate::protocol::names::all_names;

const BEGIN: &str = "<!-- protocol: ";
const END: &str = "<!-- end -->";

/// Returns the page with the tables of today.
///
/// # Panics
///
/// If it has no place for some declaration, or names one that there is not.
pub(super) fn page(page: &str, declared: &Declarations) -> String {
    let (mut out, mut shown) = (String::new(), Vec::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(out, "{line}");
        let Some(names) = line.strip_prefix(BEGIN) else { continue };
        let mut words = names.trim_end_matches(" -->").split(' ');
        let kind = words.next().unwrap_or_default();
        let names: Vec<&str> = words.collect();
        out += "\n";
        out += &section(kind, &names, declared);
        let _ = writeln!(out, "\n{END}");
        shown.extend(names.iter().map(|name| format!("{kind} {name}")));
        assert!(lines.by_ref().any(|line| line == END), "no {END} after {line}");
    }
    let missing: Vec<String> =
        all(declared).into_iter().filter(|one| !shown.contains(one)).collect();
    assert!(missing.is_empty(), "docs/protocol.md has no table for: {}", missing.join(", "));
    out
}

/// Every declaration that the page must have a table for.
fn all(declared: &Declarations) -> Vec<String> {
    let requests = declared.requests.iter().map(|one| format!("requests {}", one.name));
    let events = declared.events.iter().map(|one| format!("event {}", one.name));
    let types = declared.types.iter().filter(|(_, schema)| !is_inlined(schema));
    let types = types.map(|(name, _)| format!("type {name}"));
    // Names that are in types are written out there.
    let names =
        all_names().into_iter().filter(|([name, ..], _)| !declared.types.contains_key(*name));
    let names = names.map(|([name, ..], _)| format!("names {name}"));
    let codes = codes().into_iter().map(|(name, ..)| format!("codes {name}"));
    let codes = codes.filter(|name| name != "codes FrameColumn");
    let records = records().into_iter().map(|(name, ..)| format!("record {name}"));
    requests.chain(events).chain(types).chain(names).chain(codes).chain(records).collect()
}

fn section(kind: &str, names: &[&str], declared: &Declarations) -> String {
    let name = names.first().copied().unwrap_or_default();
    let find = |variants: &[Variant]| variants.iter().position(|one| one.name == name);
    match kind {
        "requests" => requests(names, declared),
        "event" => {
            let event = &declared.events
                [find(&declared.events).unwrap_or_else(|| panic!("no event {name}"))];
            described(&event.meaning, &event.schema, declared)
        }
        "type" => {
            let schema = declared.types.get(name).unwrap_or_else(|| panic!("no type {name}"));
            described(&meaning(schema), schema, declared)
        }
        "names" => {
            let all = all_names();
            let found = all.iter().find(|([known, ..], _)| *known == name);
            let ([_, _, meaning], names) = found.unwrap_or_else(|| panic!("no names {name}"));
            let names: Vec<String> =
                names.iter().enumerate().map(|(i, name)| format!("{i} `{name}`")).collect();
            format!("{meaning} {}.\n", names.join(", "))
        }
        "codes" => {
            let all = codes();
            let found = all.iter().find(|(known, ..)| *known == name);
            let (_, what, variants) = found.unwrap_or_else(|| panic!("no codes {name}"));
            let mut out = format!("{}\n\n| number | meaning |\n|---|---|\n", what.trim());
            for (_, number, meaning) in variants {
                let _ = writeln!(out, "| {number} | {} |", meaning.trim());
            }
            out
        }
        "columns" => columns(),
        "record" => record(name),
        _ => panic!("docs/protocol.md has a table of kind {kind}"),
    }
}

fn columns() -> String {
    let mut out = "| column | bytes | flag | meaning |\n|---|---|---|---|\n".to_owned();
    let all = codes();
    let variants = all.iter().find(|(name, ..)| *name == "FrameColumn").map(|(.., all)| all);
    for (column, (name, _, meaning)) in FrameColumn::ALL.iter().zip(variants.into_iter().flatten())
    {
        let [narrow, wide] = [false, true].map(|wide| column.size(wide));
        let bytes =
            if wide == narrow { format!("{wide}") } else { format!("{narrow}, or {wide} if wide") };
        let flag = column.flag().map_or(String::new(), |flag| (flag as u8).to_string());
        let name = name.to_lowercase();
        let _ = writeln!(out, "| {name} | {bytes} | {flag} | {} |", meaning.trim());
    }
    out
}

fn record(name: &str) -> String {
    let all = records();
    let found = all.iter().find(|(known, ..)| *known == name);
    let (_, what, fields) = found.unwrap_or_else(|| panic!("no record {name}"));
    let mut out = format!("{}\n\n| byte | type | meaning |\n|---|---|---|\n", what.trim());
    let mut at = 0;
    for field in fields {
        let _ = writeln!(out, "| {at} | {} | {} |", field.type_name, field.meaning.trim());
        at += field.size;
    }
    out + &format!("\n{at} bytes.\n")
}

fn requests(names: &[&str], declared: &Declarations) -> String {
    let mut out = "| `do` | what it does | keys | reply |\n|---|---|---|---|\n".to_owned();
    for name in names {
        let at = declared.requests.iter().position(|one| one.name == *name);
        let at = at.unwrap_or_else(|| panic!("there is no request {name}"));
        let Variant { meaning, schema, .. } = &declared.requests[at];
        let keys: Vec<String> = keys(schema).into_iter().map(key).collect();
        let reply = inline(&declared.replies[at].schema, declared);
        let _ = writeln!(out, "| `{name}` | {meaning} | {} | {reply} |", keys.join("<br>"));
    }
    out
}

/// A key of a request with its default.
fn key((name, schema, is_required): (&str, &Json, bool)) -> String {
    let default = match &schema["default"] {
        Json::Null if is_required => String::new(),
        Json::Null => " (optional)".into(),
        // A default of 16/9 has more digits than anyone wants to read.
        Json::Number(default) => {
            let default = default.as_f64().unwrap_or_default();
            format!(" (default {})", (default * 1e3).round() / 1e3)
        }
        default => format!(" (default {default})"),
    };
    format!("`{name}`{default}: {}", meaning(schema))
}

/// Whether a type is written out where it is used: a list of words, or an object with one or two keys.
fn is_inlined(schema: &Json) -> bool {
    let is_word = |one: &Json| one.get("const").is_some();
    match alternatives(schema) {
        Some(all) => all.iter().all(is_word),
        None => schema["enum"].is_array() || (1..=2).contains(&keys(schema).len()),
    }
}

/// A type in a cell of a table: short ones are written out.
fn inline(schema: &Json, declared: &Declarations) -> String {
    format!("`{}`", expanded(schema, declared).replace('|', "\\|"))
}

fn expanded(schema: &Json, declared: &Declarations) -> String {
    let text = one_line(&type_of(schema, ""));
    let expand = |word: &str| {
        let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        match declared.types.get(name) {
            Some(schema) if is_inlined(schema) => {
                let (text, rest) = (expanded(schema, declared), &word[name.len()..]);
                let is_list = rest.starts_with('[') && text.starts_with('"');
                if is_list { format!("({text}){rest}") } else { text + rest }
            }
            _ => word.to_owned(),
        }
    };
    text.split_inclusive(|c: char| !c.is_alphanumeric()).map(expand).collect()
}

/// A type: its doc comment, and a table of its keys or variants.
fn described(meaning: &str, schema: &Json, declared: &Declarations) -> String {
    let mut out = format!("{meaning}\n");
    let rows = keys(schema);
    if !rows.is_empty() {
        out += "\n| key | type | meaning |\n|---|---|---|\n";
        for (name, schema, is_required) in rows {
            let name =
                if is_required { format!("`{name}`") } else { format!("`{name}` (optional)") };
            let _ = writeln!(
                out,
                "| {name} | {} | {} |",
                inline(schema, declared),
                own_meaning(schema, declared)
            );
        }
    }
    if let Some(all) = alternatives(schema) {
        out += "\n| one of | meaning |\n|---|---|\n";
        for one in all {
            let _ = writeln!(out, "| {} | {} |", inline(one, declared), self::meaning(one));
        }
    } else if schema["properties"].is_null() {
        let _ = writeln!(out, "\n{}", inline(schema, declared));
    }
    out
}

/// The doc comment of a key, or that of its type.
fn own_meaning(schema: &Json, declared: &Declarations) -> String {
    match (meaning(schema), reference(schema).and_then(|name| declared.types.get(name))) {
        (own, Some(type_schema)) if own.is_empty() => meaning(type_schema),
        (own, _) => own,
    }
}
