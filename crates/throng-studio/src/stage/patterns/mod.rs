//! Patterns that walks should not have, for whoever watches: where people sway to and fro, get stuck, or
//! spin, as `throng_eval` finds them.
//!
//! A recording is [searched](Search) once, by a thread of its own that playback never waits for. A crowd
//! that is simulated is [watched](Watch) while it walks. Clients are told of both in the same way, a few
//! times per second and only while there is news. Of very many patterns they are told a part, and how
//! many there are.

mod search;
mod watch;

use std::time::{Duration, Instant};

use glam::Vec2;
use serde_json::{Value as Json, json};
use throng_eval::score::{Event, Pattern};

pub(crate) use self::search::Search;
pub(crate) use self::watch::Watch;
use super::{Show, Stage};

/// How often clients are told of patterns at most.
const INTERVAL: Duration = Duration::from_millis(500);
/// So many patterns are told at once.
const MOST_TOLD: usize = 1000;

/// How it stands with looking for patterns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Progress {
    /// Nobody looks for them.
    Off,
    /// The crowd is watched while it walks.
    Watching,
    /// There are too many people to watch them without being asked.
    Crowded,
    /// So much of the recording was searched, from 0 to 1.
    Searching(f64),
    /// All of it was.
    Done,
    /// It cannot be done, and why.
    Failed(String),
}

/// What was found, and whether that is all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    pub progress: Progress,
    pub events: Vec<Event>,
}

impl Report {
    /// The `patterns` event.
    fn event(&self) -> Json {
        let is_live = matches!(self.progress, Progress::Watching | Progress::Crowded);
        let (word, more) = match &self.progress {
            Progress::Off => ("off", Json::Null),
            Progress::Watching => ("watching", Json::Null),
            Progress::Crowded => ("crowded", json!({ "most": watch::MOST_PEOPLE })),
            Progress::Searching(part) => ("searching", json!({ "part": tidy(*part) })),
            Progress::Done => ("done", Json::Null),
            Progress::Failed(why) => ("failed", json!({ "why": why })),
        };
        let count = |pattern| self.events.iter().filter(|event| event.pattern == pattern).count();
        let mut event = json!({
            "event": "patterns",
            "progress": word,
            "counts": Pattern::ALL.map(|pattern| (pattern.as_str().to_owned(), json!(count(pattern))))
                .into_iter().collect::<serde_json::Map<_, _>>(),
            "list": told(&self.events, is_live).iter().map(described).collect::<Vec<_>>(),
        });
        if let (Json::Object(event), Json::Object(more)) = (&mut event, more) {
            event.extend(more);
        }
        event
    }
}

/// The events that clients are told of, in the order in which they begin: all of them, or else the newest of
/// a crowd that walks, and the longest of a recording.
fn told(events: &[Event], is_live: bool) -> Vec<Event> {
    let mut told = events.to_vec();
    if is_live {
        told.sort_by(|a, b| b.from.total_cmp(&a.from));
    } else {
        told.sort_by(|a, b| (b.to - b.from).total_cmp(&(a.to - a.from)));
    }
    told.truncate(MOST_TOLD);
    told.sort_by(Event::order);
    told
}

fn described(event: &Event) -> Json {
    let Event { pattern, person, from, to, place: Vec2 { x, y }, layer } = *event;
    json!({
        "pattern": pattern.as_str(),
        "person": person,
        "from": tidy(from),
        "to": tidy(to),
        "place": [tidy(x.into()), tidy(y.into())],
        "layer": layer.0,
    })
}

/// A number to a thousandth: more cannot be seen, and is long to write.
fn tidy(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}

/// What the stage remembers of what clients were told.
#[derive(Debug, Default)]
pub(super) struct Telling {
    last: Option<Instant>,
    told: Option<Report>,
}

impl Stage {
    /// Begins to look for patterns in what is shown, if that does not go by itself.
    pub(super) fn seek_patterns(&mut self) {
        if let Show::Replay(replay) = &mut self.show {
            replay.search_patterns(true);
        }
        self.telling = Telling::default();
    }

    /// Tells of patterns if there is news, and somebody to tell.
    pub(super) fn tell_patterns(&mut self, now: Instant) {
        let is_due = self.telling.last.is_none_or(|last| now >= last + INTERVAL);
        if !is_due || (self.telling.told.is_some() && !self.has_clients()) {
            return;
        }
        self.telling.last = Some(now);
        let report = match &self.show {
            Show::Live(live) => live.patterns(),
            Show::Replay(replay) => replay.patterns(),
        };
        if self.telling.told.as_ref() != Some(&report) {
            self.outlets.patterns.send_replace(report.event().to_string().into());
            self.telling.told = Some(report);
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_world::scene::LayerId;

    use super::*;

    fn event(person: u32, from: f64, to: f64) -> Event {
        let (pattern, place, layer) = (Pattern::Deadlock, Vec2::new(0.1, 2.0), LayerId(0));
        Event { pattern, person, from, to, place, layer }
    }

    #[test]
    fn of_too_many_the_longest_or_the_newest_are_told_in_their_order() {
        let events: Vec<Event> =
            (0..1500).map(|i| event(i, f64::from(i), f64::from(i) + f64::from(i % 500))).collect();
        let longest = told(&events, false);
        assert_eq!(longest.len(), MOST_TOLD);
        assert!(longest.windows(2).all(|pair| pair[0].from <= pair[1].from));
        assert!(longest.iter().all(|event| event.to - event.from >= 166.0));
        let newest = told(&events, true);
        assert_eq!((newest[0].person, newest.len()), (500, MOST_TOLD));
    }

    #[test]
    fn the_event_is_as_the_book_says() {
        let report = Report {
            progress: Progress::Searching(1.0 / 3.0),
            events: vec![event(4, 12.300_000_001, 15.0)],
        };
        let expected = json!({
            "event": "patterns",
            "progress": "searching",
            "part": 0.333,
            "counts": { "oscillation": 0, "deadlock": 1, "spin": 0 },
            "list": [{ "pattern": "deadlock", "person": 4, "from": 12.3, "to": 15.0, "place": [0.1, 2.0], "layer": 0 }],
        });
        assert_eq!(report.event(), expected);
    }
}
