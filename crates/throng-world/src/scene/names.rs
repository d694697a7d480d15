//! Names, and what was probably meant by one that does not exist.

use std::collections::HashMap;

use super::report::Report;
use super::value::At;
pub(super) use throng_base::words::{list, nearest};

/// The names of the things of one kind, and their indices.
#[derive(Debug)]
pub(super) struct Names<'f> {
    kind: &'static str,
    index: HashMap<&'f str, usize>,
    /// In the order of the file, so that suggestions do not depend on the map's.
    order: Vec<&'f str>,
}

impl<'f> Names<'f> {
    /// Numbers `names` from 0 and reports those that occur twice. `None` takes a number, too.
    pub fn collect(
        kind: &'static str,
        names: impl IntoIterator<Item = Option<&'f At<String>>>,
        report: &mut Report,
    ) -> Self {
        let mut collected = Self { kind, index: HashMap::new(), order: Vec::new() };
        for (i, name) in names.into_iter().enumerate() {
            let Some(name) = name else { continue };
            let text = name.as_str();
            if collected.index.contains_key(text) {
                let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
                let message = format!("there is already {article} {kind} {text:?}");
                report.error(name.span(), message).help("give each a name of its own");
            } else {
                collected.index.insert(text, i);
                collected.order.push(text);
            }
        }
        collected
    }

    /// These names and one more, with the next number.
    pub fn with(mut self, name: &'f str) -> Self {
        self.index.insert(name, self.order.len());
        self.order.push(name);
        self
    }

    /// The number of `name`; if there is none, an error is reported.
    pub fn find(&self, name: &At<String>, report: &mut Report) -> Option<usize> {
        let found = self.index.get(name.as_str()).copied();
        if found.is_none() {
            let candidates = if report.is_long() { &[] } else { &self.order[..] };
            let help = match nearest(name, candidates.iter().copied()) {
                Some(meant) => format!("did you mean {meant:?}?"),
                None if self.order.is_empty() => format!("no {} has a name", self.kind),
                None => format!("known names are {}", self.known()),
            };
            let message = format!("there is no {} {:?}", self.kind, name.as_str());
            report.error(name.span(), message).help(help);
        }
        found
    }

    fn known(&self) -> String {
        const SHOWN: usize = 12;
        let names = self.order.iter().take(SHOWN).map(|name| format!("{name:?}"));
        match self.order.len().saturating_sub(SHOWN) {
            0 => list(names, "and"),
            more => format!("{} and {more} more", names.collect::<Vec<_>>().join(", ")),
        }
    }
}
