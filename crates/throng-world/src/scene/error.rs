//! Errors that point into the scene file.
//!
//! A [`SceneError`] knows the text it is about and the stretch of it that is wrong. Printed, it is
//! one line that names the place, the problem and the way out; as a [`miette::Diagnostic`] it can
//! also show the line of the file. One load reports every independent problem, as [`SceneErrors`].

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};

/// A stretch of the scene file, in bytes. Empty for scenes made by code.
pub type Span = Range<usize>;

/// The text a scene was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneSource {
    /// The file's name as the user gave it; empty for scenes made by code.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl SceneSource {
    /// Line and column, both from 1, of the character at byte `offset`.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.text[..self.text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }
}

impl SourceCode for SceneSource {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.text.read_span(span, lines_before, lines_after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            contents.data(),
            *contents.span(),
            contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}

/// One thing that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The text that is wrong.
    pub source: Arc<SceneSource>,
    /// The stretch of it that is wrong.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl SceneError {
    /// An error about `span` of `source`. A span that does not lie in the text is cut to it.
    pub fn new(source: &Arc<SceneSource>, span: Span, message: impl Into<String>) -> Self {
        let end = source.text.floor_char_boundary(span.end);
        let start = source.text.floor_char_boundary(span.start).min(end);
        Self { source: source.clone(), span: start..end, message: message.into(), help: None }
    }

    /// Adds what to write instead.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Line and column of the error, both from 1.
    pub fn line_column(&self) -> (usize, usize) {
        self.source.line_column(self.span.start)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.source.name.is_empty() {
            write!(f, "{}:", self.source.name)?;
            if !self.source.text.is_empty() {
                let (line, column) = self.line_column();
                write!(f, "{line}:{column}:")?;
            }
            f.write_str(" ")?;
        }
        f.write_str(&self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl std::error::Error for SceneError {}

impl Diagnostic for SceneError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        (!self.source.text.is_empty()).then_some(&*self.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = LabeledSpan::at(self.span.clone(), "here");
        (!self.source.text.is_empty()).then(|| Box::new(std::iter::once(label)) as _)
    }
}

/// Everything that is wrong with a scene, in the order of the file.
///
/// At least one error, and no more than [`SceneErrors::LIMIT`]: nobody reads on, and the rest are
/// counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneErrors {
    errors: Vec<SceneError>,
    more: usize,
}

impl SceneErrors {
    /// How many errors are kept.
    pub const LIMIT: usize = 20;

    /// Puts `errors` in the order of the file; `None` if there are none.
    pub fn new(mut errors: Vec<SceneError>) -> Option<Self> {
        errors.sort_by_key(|error| (error.span.start, error.span.end));
        let more = errors.len().saturating_sub(Self::LIMIT);
        errors.truncate(Self::LIMIT);
        (!errors.is_empty()).then_some(Self { errors, more })
    }

    /// The errors that were kept; at least one.
    pub fn errors(&self) -> &[SceneError] {
        &self.errors
    }

    /// How many errors there were beyond those kept.
    pub fn more(&self) -> usize {
        self.more
    }
}

impl From<SceneError> for SceneErrors {
    fn from(error: SceneError) -> Self {
        Self { errors: vec![error], more: 0 }
    }
}

impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.errors.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{error}")?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneErrors {}

impl Diagnostic for SceneErrors {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.errors.iter().map(|error| error as &dyn Diagnostic)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> Arc<SceneSource> {
        let text = "name = \"Überführung\"\nspeed = -1.2\n".into();
        Arc::new(SceneSource { name: "scene.toml".into(), text })
    }

    #[test]
    fn a_printed_error_names_the_place_the_problem_and_the_way_out() {
        let error = SceneError::new(&source(), 31..35, "speed is -1.2 m/s").with_help("write 1.3");
        assert_eq!(error.to_string(), "scene.toml:2:9: speed is -1.2 m/s; write 1.3");
        assert_eq!(error.line_column(), (2, 9));
    }

    #[test]
    fn columns_count_characters_and_spans_stay_within_the_text() {
        let (inside_umlaut, beyond) = (9, 999);
        let error = SceneError::new(&source(), inside_umlaut..beyond, "odd");
        assert_eq!(error.span, 8..source().text.len());
        assert_eq!(error.line_column(), (1, 9));
        assert_eq!(source().line_column(11), (1, 11));
    }

    #[test]
    fn errors_come_in_the_order_of_the_file_and_are_cut_with_a_count() {
        let errors = (0..25).rev().map(|i| SceneError::new(&source(), i..i, format!("no. {i}")));
        let errors = SceneErrors::new(errors.collect()).unwrap();
        let printed = errors.to_string();
        assert!(printed.starts_with("scene.toml:1:1: no. 0\nscene.toml:1:2: no. 1\n"));
        assert!(printed.ends_with("\nand 5 more"));
        assert_eq!((errors.errors().len(), errors.more()), (20, 5));
        assert_eq!(SceneErrors::new(Vec::new()), None);
    }

    #[test]
    fn a_diagnostic_shows_the_line_of_the_named_file() {
        let error = SceneError::new(&source(), 31..35, "speed is negative");
        let label = error.labels().unwrap().next().unwrap();
        let contents = error.source_code().unwrap().read_span(label.inner(), 1, 1).unwrap();
        assert_eq!(contents.name(), Some("scene.toml"));
        assert_eq!(contents.data(), source().text.as_bytes());
    }
}
