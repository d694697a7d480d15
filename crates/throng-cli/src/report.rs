//! How results and errors look.
//!
//! Results go to standard output, everything else to standard error. Colours, snippets of scene files
//! and progress bars are for terminals; in a pipe, an error is one line. `console` knows whether
//! there is a terminal and whether `NO_COLOR` is set.

use std::fmt;
use std::io::{self, Write};

use console::{Term, style};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use serde::Serialize;
use throng::exchange::Stage;
use throng::{SceneError, SceneErrors};

use crate::failure::Failure;

/// Prints a line, or several.
pub fn print(text: impl fmt::Display) -> Result<(), Failure> {
    print_bytes(format!("{text}\n").as_bytes())
}

/// Prints a JSON document.
pub fn print_json(document: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(document)
        .map_err(|error| Failure::Work(format!("cannot print as JSON: {error}")))?;
    print(text)
}

/// Prints `bytes` as they are. Unlike `print!`, this reports a full disk and does not panic.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// `ok`, in green on a terminal.
pub fn ok() -> impl fmt::Display {
    style("ok").green().bold()
}

/// Tells what went wrong.
pub fn error(message: &str) {
    tell(format_args!("{} {message}", style("error:").for_stderr().red().bold()));
}

/// Tells what the user should know about the results.
pub fn warning(message: &str) {
    tell(format_args!("{} {message}", style("warning:").for_stderr().yellow().bold()));
}

/// Tells something by the way.
pub fn note(message: &str) {
    tell(format_args!("{message}"));
}

/// Tells what is wrong with a scene: with snippets on a terminal, and in a pipe a line for each error.
pub fn scene_errors(errors: &SceneErrors) {
    let terminal = Term::stderr();
    if !terminal.is_term() {
        return tell(format_args!("{errors}"));
    }
    let theme = match console::colors_enabled_stderr() {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme::unicode_nocolor(),
    };
    let width = usize::from(terminal.size().1);
    for error in errors.errors() {
        tell(format_args!("{}", snippet(error, theme.clone(), width)));
    }
    if errors.more() > 0 {
        tell(format_args!("and {} more", errors.more()));
    }
}

/// A progress bar on standard error, if that is a terminal. `template` is indicatif's.
pub fn progress_bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()).with_style(style)
}

/// A progress bar for the frames of an export or the rows of an import.
pub fn exchange_bar() -> impl FnMut(throng::exchange::Progress) {
    let bar = progress_bar(0, "{wide_bar} {msg}, {eta} left");
    let mut shown = None;
    move |progress| {
        if shown != Some(progress.stage) {
            shown = Some(progress.stage);
            bar.reset();
            bar.set_message(match progress.stage {
                Stage::Reading => "reading tracks",
                Stage::Writing => "writing frames",
            });
        }
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    }
}

/// A time, s, in as many digits as it needs.
pub fn seconds(time: f64) -> String {
    let digits = if time < 10.0 { 3 } else { 1 };
    let number = format!("{time:.digits$}");
    format!("{} s", number.trim_end_matches('0').trim_end_matches('.'))
}

/// "1 person", "1,200 people".
pub fn people(count: u64) -> String {
    counted(count, "person", "people")
}

/// A number and what it counts.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", HumanCount(count), if count == 1 { one } else { many })
}

/// Standard error may be closed, and then there is nobody to tell.
fn tell(text: fmt::Arguments) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

fn snippet(error: &SceneError, theme: GraphicalTheme, width: usize) -> String {
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width.max(40));
    match handler.render_report(&mut text, &Snippet(error)) {
        Ok(()) => text,
        // Cannot happen, as a string can always be written to; and if it does, the error counts.
        Err(_) => error.to_string(),
    }
}

/// An error without what the snippet shows anyway: place and help.
#[derive(Debug)]
struct Snippet<'e>(&'e SceneError);

impl fmt::Display for Snippet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.source.text.is_empty() {
            write!(f, "{}: ", self.0.source.name)?;
        }
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Snippet<'_> {}

impl Diagnostic for Snippet<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.0.labels()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use throng::Scene;

    use super::*;

    #[test]
    fn a_snippet_shows_the_line_and_says_everything_once() {
        let text = "format = 1\n[world]\nbounds = [[9, 9], [1, 1]]\n";
        let errors = Scene::parse("hall.toml", text, Path::new(".")).unwrap_err();
        let shown = snippet(&errors.errors()[0], GraphicalTheme::unicode_nocolor(), 80);
        insta::assert_snapshot!(shown);
    }

    #[test]
    fn a_snippet_of_a_missing_file_names_it() {
        let errors = Scene::load("no-such-scene.toml").unwrap_err();
        let shown = snippet(&errors.errors()[0], GraphicalTheme::unicode_nocolor(), 80);
        assert!(shown.contains("no-such-scene.toml: cannot read"), "{shown}");
    }

    #[test]
    fn times_have_the_digits_they_need() {
        let shown: Vec<String> = [0.1 * 3.0, 90.0, 120.00000001, 0.0042].map(seconds).into();
        assert_eq!(shown, ["0.3 s", "90 s", "120 s", "0.004 s"]);
        assert_eq!(people(1) + ", " + &people(1200), "1 person, 1,200 people");
    }
}
