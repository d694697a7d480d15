//! Lists, whose entries have headers (`[[groups]]`) or stand in brackets.

use serde_json::Value as Json;
use toml_edit::{Array, ArrayOfTables};

use super::comments::{Left, apart, cut_at_line, prefix, suffix};
use super::json;
use super::node::Node;

pub(super) enum List<'a> {
    Tables(&'a mut ArrayOfTables),
    Values(&'a mut Array),
}

impl List<'_> {
    pub(super) fn entry(&mut self, index: usize) -> Option<Node<'_>> {
        match self {
            Self::Tables(tables) => tables.get_mut(index).map(Node::Table),
            Self::Values(values) => values.get_mut(index).map(Node::Value),
        }
    }

    /// Takes an entry away; returns the comments that stay. `None` if there is no such entry.
    pub(super) fn remove(&mut self, index: usize) -> Option<Left> {
        match self {
            Self::Tables(tables) => {
                let table = tables.get(index)?;
                let (comments, position) = (apart(prefix(table.decor())).into(), table.position());
                tables.remove(index);
                Some(Left { comments, position })
            }
            Self::Values(values) => {
                values.get(index)?;
                remove_value(values, index);
                Some(Left::default())
            }
        }
    }

    /// Adds an entry before the one with this index, or at the end; `false` if it has to be a
    /// table and is none.
    pub(super) fn insert(&mut self, index: usize, value: &Json) -> bool {
        match self {
            Self::Tables(tables) => {
                let Some(mut table) = json::to_table(value) else { return false };
                // Without a position it goes behind what is before it, which is another list for
                // the first entry.
                if index == 0 {
                    table.set_position(tables.get(0).and_then(toml_edit::Table::position));
                }
                tables.insert(index, table);
            }
            Self::Values(values) => insert_value(values, index, value),
        }
        true
    }
}

fn remove_value(values: &mut Array, index: usize) {
    let Some(entry) = values.get(index) else { return };
    let before = prefix(entry.decor()).to_owned();
    let behind = suffix(entry.decor()).to_owned();
    let (end_of_line, above) = cut_at_line(&before);
    let mut kept = if end_of_line.contains('#') { end_of_line.to_owned() } else { String::new() };
    kept += apart(above).trim_end_matches([' ', '\t', '\n']);
    let is_last = index + 1 == values.len();
    values.remove(index);

    let after = match values.get(index) {
        Some(next) => prefix(next.decor()).to_owned(),
        // Without a comma at the end, what follows the last entry is its own.
        None if behind.contains('\n') => behind,
        None => values.trailing().as_str().unwrap_or_default().to_owned(),
    };
    let (_, rest) = cut_at_line(&after);
    let mut after = if index == 0 && !is_last && !after.contains('\n') {
        // The first one has no space before it, or that of the list.
        before.clone()
    } else {
        format!("{kept}{rest}")
    };
    if kept.contains('#') && !after.contains('\n') {
        after = format!("{kept}\n{rest}");
    }
    match values.get_mut(index) {
        Some(next) => next.decor_mut().set_prefix(after),
        None => values.set_trailing(after),
    }
}

fn insert_value(values: &mut Array, index: usize, value: &Json) {
    let mut value = json::to_value(value);
    let indent = values.iter().map(|entry| prefix(entry.decor())).find_map(|prefix| {
        let start = prefix.rfind('\n')?;
        Some(prefix[start..].to_owned())
    });
    let Some(indent) = indent else {
        // All on one line.
        if index == 0 && !values.is_empty() {
            let first = values.get(0).map(|entry| prefix(entry.decor()).to_owned());
            value.decor_mut().set_prefix(first.unwrap_or_default());
            if let Some(next) = values.get_mut(0) {
                next.decor_mut().set_prefix(" ");
            }
        } else if index > 0 {
            value.decor_mut().set_prefix(" ");
            if let Some(last) = values.get_mut(index - 1).filter(|_| index > 0) {
                let end = suffix(last.decor()).to_owned();
                last.decor_mut().set_suffix("");
                value.decor_mut().set_suffix(end);
            }
        }
        values.insert_formatted(index, value);
        return;
    };
    // The end of the line before stays where it is.
    let is_end = index == values.len();
    let after = match values.get(index) {
        Some(next) => prefix(next.decor()).to_owned(),
        None => {
            let own = values.get(index.wrapping_sub(1)).map(|last| suffix(last.decor()).to_owned());
            own.filter(|own| own.contains('\n'))
                .unwrap_or_else(|| values.trailing().as_str().unwrap_or_default().to_owned())
        }
    };
    let (end_of_line, rest) = cut_at_line(&after);
    let (end_of_line, rest) = (end_of_line.to_owned(), rest.to_owned());
    value.decor_mut().set_prefix(format!("{end_of_line}{indent}"));
    if is_end {
        if let Some(last) = index.checked_sub(1).and_then(|last| values.get_mut(last)) {
            last.decor_mut().set_suffix("");
        }
        values.set_trailing(if rest.contains('\n') { rest } else { format!("\n{rest}") });
        values.set_trailing_comma(true);
    } else if let Some(next) = values.get_mut(index) {
        next.decor_mut().set_prefix(rest);
    }
    values.insert_formatted(index, value);
}
