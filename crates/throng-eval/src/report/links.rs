//! Links that open a recording in the studio, at the moment that matters.
//!
//! `throng studio FOLDER` serves the report of a folder beside the recordings in it. A page that it
//! serves has links that are relative to itself; it marks such a page ([`served`]), and the page's
//! script sees to it. A page that was opened as a file, or is served by somebody else, has links to where
//! the studio listens by default, and says which command brings it there.

use std::fmt::Write;

use super::escaped;
use crate::batch::Run;

/// The page, in the folder of a batch.
pub const PAGE: &str = "report.html";
/// Where the studio listens on this machine unless it is told otherwise.
pub const STUDIO_PORT: u16 = 8730;

/// The beginning of the page, and what it is when the studio serves it.
pub(super) const ROOT: &str = "<html lang=\"en\">";
const SERVED_ROOT: &str = "<html lang=\"en\" data-served=\"studio\">";

/// The report as the studio serves it: its links lead to the studio that it came from.
pub fn served(page: &str) -> String {
    page.replacen(ROOT, SERVED_ROOT, 1)
}

/// A moment of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moment {
    /// When, s; from the beginning if it is not said.
    pub at: Option<f64>,
    /// Who is looked at.
    pub person: Option<u32>,
}

impl Moment {
    /// What is worth a look in a run: the first pattern in it, or the beginning.
    pub fn of_run(run: &Run) -> Self {
        let events = run.measured().map_or(&[][..], |measured| &measured.metrics.events);
        events.first().map_or_else(Self::default, |event| Self {
            at: Some(event.from),
            person: Some(event.person),
        })
    }
}

/// A link to a moment of a run, if it was recorded.
pub(super) fn link(run: &Run, moment: Moment, words: &str) -> Option<String> {
    let address = escaped(&address(run.recording.as_deref()?, moment));
    Some(format!(
        "<a class=\"open\" href=\"http://127.0.0.1:{STUDIO_PORT}/{address}\" data-studio=\"{address}\">{}</a>",
        escaped(words)
    ))
}

/// The address of a moment of a recording, seen from the page.
fn address(recording: &str, moment: Moment) -> String {
    let name = recording.rsplit('/').next().unwrap_or(recording);
    let run = name.strip_suffix(".parquet").unwrap_or(name);
    let mut address = String::from("studio?recording=");
    for byte in run.bytes() {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'_' | b'.' => {
                address.push(char::from(byte));
            }
            // Writing to a string does not fail.
            _ => _ = write!(address, "%{byte:02X}"),
        }
    }
    let at = moment.at.map(|time| format!("at={time:.2}"));
    let person = moment.person.map(|id| format!("person={id}&show=patterns"));
    let parts: Vec<String> = at.into_iter().chain(person).collect();
    if !parts.is_empty() {
        let _ = write!(address, "#{}", parts.join("&"));
    }
    address
}

/// What has to run for the links of a page that was opened as a file; nothing if there are none.
pub(super) fn note<'r>(mut runs: impl Iterator<Item = &'r Run>) -> String {
    if !runs.any(|run| run.recording.is_some()) {
        return String::new();
    }
    String::from(
        "<p class=\"muted\" id=\"start\">Links with ▶ open recordings in the studio while this runs in the folder of this page: \
         <code>throng studio .</code> <button data-copy=\"throng studio .\">copy</button></p>\n",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_the_run_the_moment_and_the_person() {
        let moment = Moment { at: Some(12.3), person: Some(4) };
        assert_eq!(
            address("recordings/squeeze.orca.0.0123.parquet", moment),
            "studio?recording=squeeze.orca.0.0123#at=12.30&person=4&show=patterns"
        );
        assert_eq!(address("recordings/a.parquet", Moment::default()), "studio?recording=a");
        // Whatever a name is made of, it stays one value of the query.
        assert_eq!(
            address("recordings/a=b&c#d \"é.parquet", Moment::default()),
            "studio?recording=a%3Db%26c%23d%20%22%C3%A9"
        );
    }

    #[test]
    fn only_the_beginning_of_a_page_is_marked() {
        let page = format!("<!doctype html>\n{ROOT}\n<p>{ROOT}");
        assert_eq!(served(&page), format!("<!doctype html>\n{SERVED_ROOT}\n<p>{ROOT}"));
        assert_eq!(served("<p>"), "<p>");
    }
}
