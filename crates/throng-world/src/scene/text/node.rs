//! A place in the syntax tree, whichever way it is written.

use serde_json::Value as Json;
use toml_edit::{Item, Table, TableLike, Value};

use super::address::Step;
use super::json;
use super::lists::List;

/// A place in the syntax tree.
pub(super) enum Node<'a> {
    /// All of the scene.
    Root(&'a mut Table),
    Item(&'a mut Item),
    /// An entry of a list whose entries have headers.
    Table(&'a mut Table),
    /// An entry of a list in brackets.
    Value(&'a mut Value),
}

/// A table, with or without a header.
pub(super) struct TableNode<'a> {
    pub entries: &'a mut dyn TableLike,
    pub in_braces: bool,
    /// Whether it is the whole scene.
    pub is_root: bool,
    /// Where its header is among those of the document.
    pub position: Option<isize>,
}

impl<'a> Node<'a> {
    pub(super) fn json(&self) -> Json {
        match self {
            Self::Item(item) => json::of_item(item),
            Self::Root(table) | Self::Table(table) => json::of_table(*table),
            Self::Value(value) => json::of_value(value),
        }
    }

    pub(super) fn table(&mut self) -> Option<TableNode<'_>> {
        let is_root = matches!(self, Self::Root(_));
        let position = match self {
            Self::Item(Item::Table(table)) => table.position(),
            Self::Table(table) => table.position(),
            _ => None,
        };
        let (entries, in_braces): (&mut dyn TableLike, _) = match self {
            Self::Root(table) | Self::Table(table) => (*table, false),
            Self::Item(Item::Table(table)) => (table, false),
            Self::Value(value) => (value.as_inline_table_mut()?, true),
            Self::Item(item) => (item.as_inline_table_mut()?, true),
        };
        Some(TableNode { entries, in_braces, is_root, position })
    }

    pub(super) fn list(&mut self) -> Option<List<'_>> {
        match self {
            Self::Item(Item::ArrayOfTables(tables)) => Some(List::Tables(tables)),
            Self::Item(Item::Value(Value::Array(values))) => Some(List::Values(values)),
            Self::Value(Value::Array(values)) => Some(List::Values(values)),
            _ => None,
        }
    }

    /// The number of a list's entry.
    pub(super) fn index_of(&mut self, step: &Step) -> Option<usize> {
        let Json::Array(entries) = self.json() else { return None };
        match step {
            Step::Key(_) => None,
            Step::Index(index) => (*index < entries.len()).then_some(*index),
            Step::Named { name } => entries
                .iter()
                .position(|entry| entry.get("name").and_then(Json::as_str) == Some(name)),
        }
    }

    pub(super) fn child(mut self, step: &Step) -> Option<Self> {
        if let Step::Key(key) = step {
            let item = match self {
                Self::Item(item) => item.as_table_like_mut()?.get_mut(key),
                Self::Root(table) | Self::Table(table) => table.get_mut(key),
                Self::Value(value) => {
                    let table: &'a mut dyn TableLike = value.as_inline_table_mut()?;
                    table.get_mut(key)
                }
            };
            return item.filter(|item| !item.is_none()).map(Self::Item);
        }
        let index = self.index_of(step)?;
        match self {
            Self::Item(Item::ArrayOfTables(tables)) => tables.get_mut(index).map(Self::Table),
            Self::Item(Item::Value(Value::Array(values))) => values.get_mut(index).map(Self::Value),
            Self::Value(Value::Array(values)) => values.get_mut(index).map(Self::Value),
            _ => None,
        }
    }
}
