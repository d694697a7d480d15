//! Making something have a value, with as few changes as possible.

use serde_json::{Map, Value as Json};
use toml_edit::{Item, TableLike, Value};

use super::align::{align, are_equal};
use super::comments::{Left, apart, prefix, suffix};
use super::json;
use super::lists::List;
use super::node::{Node, TableNode};

/// Changes, and the comments that what they take away leaves behind.
#[derive(Default)]
pub(super) struct Merge {
    pub left: Vec<Left>,
}

impl Merge {
    /// Gives something a value; `false` if it cannot have one of this kind.
    pub(super) fn set(&mut self, node: &mut Node, value: &Json) -> bool {
        let old = node.json();
        if are_equal(&old, value) {
            return true;
        }
        if let Json::Object(entries) = value
            && let Some(mut table) = node.table()
        {
            return self.set_table(&mut table, entries);
        }
        if let (Json::Array(old), Json::Array(new)) = (&old, value)
            && let Some(mut list) = node.list()
        {
            return self.set_list(&mut list, old, new);
        }
        match node {
            Node::Root(_) | Node::Table(_) => return false,
            Node::Value(old) => replace(old, value),
            Node::Item(Item::Value(old)) => replace(old, value),
            Node::Item(item) => **item = Item::Value(json::to_value(value)),
        }
        true
    }

    fn set_table(&mut self, table: &mut TableNode, entries: &Map<String, Json>) -> bool {
        let keys = table.entries.iter().map(|(key, _)| key.to_owned());
        let gone: Vec<String> = keys.filter(|key| !entries.contains_key(key)).collect();
        for key in gone {
            self.remove_key(table, &key);
        }
        entries.iter().all(|(key, value)| self.set_key(table, key, value))
    }

    fn set_list(&mut self, list: &mut List, old: &[Json], new: &[Json]) -> bool {
        let origins = align(old, new);
        for index in (0..old.len()).rev() {
            if !origins.contains(&Some(index)) {
                self.left.extend(list.remove(index));
            }
        }
        new.iter().zip(&origins).enumerate().all(|(index, (value, origin))| match origin {
            Some(_) => list.entry(index).is_some_and(|mut entry| self.set(&mut entry, value)),
            None => list.insert(index, value),
        })
    }

    /// Gives a key of a table a value, whether it is there or not. New lists of tables at the top
    /// of a scene have headers.
    pub(super) fn set_key(&mut self, table: &mut TableNode, key: &str, value: &Json) -> bool {
        if let Some(item) = table.entries.get_mut(key).filter(|item| !item.is_none()) {
            return self.set(&mut Node::Item(item), value);
        }
        if let (true, Json::Array(entries)) = (table.is_root, value)
            && let Some(tables) = json::to_tables(entries).filter(|tables| !tables.is_empty())
        {
            table.entries.insert(key, Item::ArrayOfTables(tables));
            return true;
        }
        let mut new = json::to_value(value);
        let mut key_prefix = None;
        if let (true, Some(last)) = (table.in_braces, last_value(table.entries)) {
            // Keys are set apart as the others are, and what closes the braces follows the last. What was not read
            // but made here is set apart as the writer does it.
            let is_read = |key: &toml_edit::Key| key.leaf_decor().prefix().is_some();
            let before = table.entries.key(&last).filter(|key| is_read(key));
            key_prefix = before.map(|key| prefix(key.leaf_decor()).to_owned());
            if let Some(Item::Value(last)) = table.entries.get_mut(&last)
                && last.decor().suffix().is_some()
            {
                new.decor_mut().set_prefix(" ");
                new.decor_mut().set_suffix(suffix(last.decor()).to_owned());
                last.decor_mut().set_suffix("");
            }
        }
        table.entries.insert(key, Item::Value(new));
        if let (Some(key_prefix), Some(mut key)) = (key_prefix, table.entries.key_mut(key)) {
            key.leaf_decor_mut().set_prefix(key_prefix);
        }
        true
    }

    /// Takes a key away; `false` if it is not there.
    pub(super) fn remove_key(&mut self, table: &mut TableNode, key: &str) -> bool {
        let keys = || table.entries.iter().map(|(key, _)| key);
        let next = keys().skip_while(|other| *other != key).nth(1).map(str::to_owned);
        let key_prefix = table.entries.key(key).map(|key| prefix(key.leaf_decor()).to_owned());
        let is_last = last_value(table.entries).as_deref() == Some(key);
        let Some(removed) = table.entries.remove(key).filter(|item| !item.is_none()) else {
            return false;
        };
        let (before, position) = match &removed {
            Item::Table(table) => (prefix(table.decor()).to_owned(), table.position()),
            Item::ArrayOfTables(tables) => {
                let first = tables.iter().next();
                let before = first.map(|table| prefix(table.decor()).to_owned());
                (before.unwrap_or_default(), first.and_then(toml_edit::Table::position))
            }
            _ => (key_prefix.unwrap_or_default(), table.position),
        };
        let comments = apart(&before).to_owned();
        if let (Item::Value(removed), true, true) = (&removed, table.in_braces, is_last) {
            end_with(table.entries, removed);
        }
        let next = next.filter(|next| table.entries.get(next).is_some_and(Item::is_value));
        match next.and_then(|next| table.entries.key_mut(&next)) {
            Some(mut next) if removed.is_value() && !comments.is_empty() => {
                let joined = format!("{comments}{}", prefix(next.leaf_decor()));
                next.leaf_decor_mut().set_prefix(joined);
            }
            _ => self.left.push(Left { comments, position }),
        }
        true
    }
}

/// Another value, with the same comments.
fn replace(old: &mut Value, new: &Json) {
    let decor = old.decor().clone();
    *old = json::to_value(new);
    *old.decor_mut() = decor;
}

/// Closes the braces behind the last value as they were closed behind the one that was removed.
fn end_with(table: &mut dyn TableLike, removed: &Value) {
    if let Some(last) = last_value(table)
        && let Some(Item::Value(last)) = table.get_mut(&last)
    {
        last.decor_mut().set_suffix(suffix(removed.decor()).to_owned());
    }
}

fn last_value(table: &dyn TableLike) -> Option<String> {
    table.iter().filter(|(_, item)| item.is_value()).last().map(|(key, _)| key.to_owned())
}
