//! Collects what is wrong with a scene while it is being read.

use std::collections::HashSet;
use std::sync::Arc;

use super::{SceneError, SceneErrors, SceneSource, Span};

/// The errors found so far in one file.
#[derive(Debug)]
pub(super) struct Report {
    source: Arc<SceneSource>,
    errors: Vec<SceneError>,
    ignored: HashSet<Span>,
}

impl Report {
    /// No errors yet.
    pub fn new(source: Arc<SceneSource>) -> Self {
        Self { source, errors: Vec::new(), ignored: HashSet::new() }
    }

    /// The file the errors are about.
    pub fn source(&self) -> &Arc<SceneSource> {
        &self.source
    }

    /// Adds an error.
    pub fn error(&mut self, span: Span, message: impl Into<String>) -> Entry<'_> {
        if self.ignored.contains(&span) {
            return Entry(None);
        }
        self.errors.push(SceneError::new(&self.source, span, message));
        Entry(self.errors.last_mut())
    }

    /// From now on, errors about exactly one of `spans` are consequences of earlier ones.
    pub fn ignore(&mut self, spans: HashSet<Span>) {
        self.ignored = spans;
    }

    /// Whether so many errors have been found that hardly anyone will read this one. Searching
    /// for what was meant is not worth the time then.
    pub fn is_long(&self) -> bool {
        self.errors.len() > 5 * SceneErrors::LIMIT
    }

    /// All errors, if there are any.
    pub fn finish(&mut self) -> Result<(), SceneErrors> {
        SceneErrors::new(std::mem::take(&mut self.errors)).map_or(Ok(()), Err)
    }
}

/// An error that has just been reported.
pub(super) struct Entry<'r>(Option<&'r mut SceneError>);

impl Entry<'_> {
    /// Adds what to write instead.
    pub fn help(self, help: impl Into<String>) {
        if let Some(error) = self.0 {
            error.help = Some(help.into());
        }
    }
}
