//! A scene as the text of a scene file, as an author would write it.
//!
//! Tables of the scene have headers; points and the parts of a goal stand on one line; whole numbers have no
//! decimal point. Lists of tables have a line for each entry if they are long, and a header for each entry of a
//! group that does not fit on a line.

use std::mem::take;

use toml_edit::{DocumentMut, Item, Table, Value, ser};

use super::SceneFile;
use crate::scene::text::{LONGEST_LINE, one_per_line, whole};

impl SceneFile {
    /// The scene as TOML, without comments.
    pub fn to_toml(&self) -> String {
        let mut document = ser::to_document(self).unwrap_or_else(|error| {
            unreachable!("every value of a scene has a form in TOML: {error}")
        });
        with_headers(&mut document);
        document.to_string()
    }
}

fn with_headers(document: &mut DocumentMut) {
    for (_, item) in document.iter_mut() {
        *item = item_with_header(take(item));
        match item {
            Item::Value(value) => tidy(value),
            Item::Table(table) => table.iter_mut().for_each(|(_, item)| tidy_item(item)),
            Item::ArrayOfTables(tables) => tables.iter_mut().for_each(tidy_entry),
            Item::None => {}
        }
    }
}

/// A table, or a list of some, with a header; other values as they are.
fn item_with_header(item: Item) -> Item {
    match item {
        Item::Value(Value::InlineTable(table)) => Item::Table(table.into_table()),
        list => list.into_array_of_tables().map_or_else(|other| other, Item::ArrayOfTables),
    }
}

/// Tidies an entry of a list of the scene.
fn tidy_entry(entry: &mut Table) {
    for (_, item) in entry.iter_mut() {
        tidy_item(item);
        let is_long = |entry: &Value| entry.to_string().trim().len() > LONGEST_LINE;
        let tables = item.as_array().filter(|list| list.iter().all(Value::is_inline_table));
        if tables.is_some_and(|list| list.iter().any(is_long)) {
            *item = item_with_header(take(item));
        }
    }
}

fn tidy_item(item: &mut Item) {
    if let Item::Value(value) = item {
        tidy(value);
    }
}

fn tidy(value: &mut Value) {
    match value {
        Value::Float(number) => {
            if let Some(whole) = whole(*number.value()) {
                *value = Value::from(whole);
            }
        }
        Value::Array(list) => {
            list.iter_mut().for_each(tidy);
            if list.iter().any(Value::is_inline_table) {
                one_per_line(list);
            }
        }
        Value::InlineTable(table) => table.iter_mut().for_each(|(_, value)| tidy(value)),
        _ => {}
    }
}
