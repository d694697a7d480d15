//! From TOML to JSON, and from JSON to TOML as an author would write it.

use serde_json::{Map, Number, Value as Json};
use toml_edit::{Array, ArrayOfTables, Formatted, InlineTable, Item, Table, TableLike, Value};

/// Lists that are longer than this many characters have a line for each entry.
pub(in crate::scene) const LONGEST_LINE: usize = 80;
const INDENT: &str = "    ";

pub(super) fn of_item(item: &Item) -> Json {
    match item {
        Item::None => Json::Null,
        Item::Value(value) => of_value(value),
        Item::Table(table) => of_table(table),
        Item::ArrayOfTables(list) => {
            Json::Array(list.iter().map(|table| of_table(table)).collect())
        }
    }
}

pub(super) fn of_value(value: &Value) -> Json {
    match value {
        Value::String(text) => Json::String(text.value().clone()),
        Value::Integer(number) => Json::from(*number.value()),
        // What is no number has no form in JSON; a scene has none.
        Value::Float(number) => Number::from_f64(*number.value()).map_or(Json::Null, Json::Number),
        Value::Boolean(flag) => Json::Bool(*flag.value()),
        Value::Datetime(time) => Json::String(time.value().to_string()),
        Value::Array(list) => Json::Array(list.iter().map(of_value).collect()),
        Value::InlineTable(table) => of_table(table),
    }
}

pub(super) fn of_table(table: &dyn TableLike) -> Json {
    let entries = table.iter().filter(|(_, item)| !item.is_none());
    Json::Object(entries.map(|(key, item)| (key.to_owned(), of_item(item))).collect::<Map<_, _>>())
}

/// A value as it is written on one line, or on several if it is a long list.
pub(super) fn to_value(json: &Json) -> Value {
    match json {
        Json::Null => Value::from(""),
        Json::Bool(flag) => Value::from(*flag),
        Json::Number(number) => number_to_value(number),
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(entries) => Value::Array(to_array(entries)),
        Json::Object(entries) => {
            let mut table = InlineTable::new();
            for (key, value) in entries {
                table.insert(key, to_value(value));
            }
            Value::InlineTable(table)
        }
    }
}

/// The entries of a list, each with a header of its own; `None` if one is no table.
pub(super) fn to_tables(entries: &[Json]) -> Option<ArrayOfTables> {
    entries.iter().map(to_table).collect()
}

pub(super) fn to_table(json: &Json) -> Option<Table> {
    let mut table = Table::new();
    for (key, value) in json.as_object()? {
        table.insert(key, Item::Value(to_value(value)));
    }
    Some(table)
}

fn to_array(entries: &[Json]) -> Array {
    let mut list: Array = entries.iter().map(to_value).collect();
    if entries.iter().any(Json::is_object) {
        one_per_line(&mut list);
    }
    list
}

/// Gives each entry of a list a line of its own if the list is too long for one.
pub(in crate::scene) fn one_per_line(list: &mut Array) {
    if list.to_string().len() > LONGEST_LINE {
        for entry in list.iter_mut() {
            entry.decor_mut().set_prefix(format!("\n{INDENT}"));
        }
        list.set_trailing("\n");
        list.set_trailing_comma(true);
    }
}

/// A number with as few digits as tell it from all others; whole ones without a point.
fn number_to_value(number: &Number) -> Value {
    if let Some(whole) = number.as_i64() {
        return Value::from(whole);
    }
    let number = number.as_f64().unwrap_or(f64::NAN);
    whole(number).map_or_else(|| Value::Float(Formatted::new(number)), Value::from)
}

/// A number as an integer, if that is the same number and not too long.
pub(in crate::scene) fn whole(number: f64) -> Option<i64> {
    const LARGEST_WHOLE: f64 = 1e15;
    let is_whole = number.fract() == 0.0 && number.abs() < LARGEST_WHOLE;
    (is_whole && (number != 0.0 || number.is_sign_positive())).then_some(number as i64)
}
