//! To whom comments belong.
//!
//! The syntax tree has them in front of the next thing. But a comment at the end of a line is about
//! what is on that line; one on a line of its own is about what follows; and one that a blank line sets
//! apart from what follows is about more than that, such as the heading of a part of the file.

use toml_edit::{Decor, DocumentMut, Item, RawString, Table};

/// Comments that outlive what they stood before.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Left {
    pub comments: String,
    /// Where they were, as the position of a table in the document.
    pub position: Option<isize>,
}

pub(super) fn prefix(decor: &Decor) -> &str {
    decor.prefix().and_then(RawString::as_str).unwrap_or_default()
}

pub(super) fn suffix(decor: &Decor) -> &str {
    decor.suffix().and_then(RawString::as_str).unwrap_or_default()
}

/// The beginning of a prefix that a blank line sets apart, if it has a comment.
pub(super) fn apart(prefix: &str) -> &str {
    let lines = prefix.split_inclusive('\n');
    let (mut end, mut at) = (0, 0);
    for line in lines {
        at += line.len();
        if line.trim().is_empty() && line.ends_with('\n') {
            end = at;
        }
    }
    let kept = &prefix[..end];
    if kept.contains('#') { kept } else { "" }
}

/// What is between two entries of a list, cut where the line of the first ends. Without a line break
/// all of it is the second's.
pub(super) fn cut_at_line(between: &str) -> (&str, &str) {
    between.find('\n').map_or(("", between), |end| between.split_at(end))
}

/// Puts comments before the table that comes next in the document, or at its end.
pub(super) fn put_after(document: &mut DocumentMut, left: &Left) {
    if left.comments.is_empty() {
        return;
    }
    let after = left.position.unwrap_or(-1);
    let mut positions = Vec::new();
    visit(document.as_item_mut(), &mut |table| positions.extend(table.position()));
    let next = positions.into_iter().filter(|position| *position > after).min();
    let mut is_put = false;
    visit(document.as_item_mut(), &mut |table| {
        if !is_put && next.is_some() && table.position() == next {
            let joined = format!("{}{}", left.comments, prefix(table.decor()));
            table.decor_mut().set_prefix(joined);
            is_put = true;
        }
    });
    if !is_put {
        let trailing = document.trailing().as_str().unwrap_or_default();
        document.set_trailing(format!("{}{trailing}", left.comments));
    }
}

/// Every table with a header, but the top level.
fn visit(item: &mut Item, see: &mut impl FnMut(&mut Table)) {
    match item {
        Item::Table(table) => visit_children(table, see),
        Item::ArrayOfTables(list) => {
            for table in list.iter_mut() {
                see(table);
                visit_children(table, see);
            }
        }
        _ => {}
    }
}

fn visit_children(table: &mut Table, see: &mut impl FnMut(&mut Table)) {
    for (_, item) in table.iter_mut() {
        if let Item::Table(table) = item
            && !table.is_dotted()
            && !table.is_implicit()
        {
            see(table);
        }
        visit(item, see);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_line_sets_comments_apart() {
        assert_eq!(apart("\n# Gates\n\n# the north gate\n"), "\n# Gates\n\n");
        assert_eq!(apart("\n\n# the north gate\n"), "");
        assert_eq!(apart(""), "");
        assert_eq!(cut_at_line(" # fast\n  # slow\n  "), (" # fast", "\n  # slow\n  "));
        assert_eq!(cut_at_line(" "), ("", " "));
    }
}
