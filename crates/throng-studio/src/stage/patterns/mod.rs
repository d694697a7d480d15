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

use throng_eval::score::Event;

pub(crate) use self::search::Search;
pub(crate) use self::watch::Watch;
use super::{Show, Stage};
use crate::protocol::{self, FoundPattern, Name, PatternProgress, PatternsEvent, PerName, Point};

/// How often clients are told of patterns at most.
const INTERVAL: Duration = Duration::from_millis(500);
/// So many patterns are told at once.
const MOST_TOLD: usize = 1000;

/// What was found, and whether that is all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    pub progress: PatternProgress,
    pub events: Vec<Event>,
}

impl Report {
    /// Returns the `patterns` event.
    fn event(&self) -> PatternsEvent {
        let is_live =
            matches!(self.progress, PatternProgress::Watching | PatternProgress::Crowded { .. });
        let mut progress = self.progress.clone();
        if let PatternProgress::Searching { part } = &mut progress {
            *part = tidy(*part);
        }
        let count = |pattern| self.events.iter().filter(|event| event.pattern == pattern).count();
        PatternsEvent {
            progress,
            counts: PerName::new(count),
            list: told(&self.events, is_live).iter().map(described).collect(),
        }
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

fn described(event: &Event) -> FoundPattern {
    let Event { pattern, person, from, to, place, layer } = *event;
    FoundPattern {
        pattern: Name(pattern),
        person,
        from: tidy(from),
        to: tidy(to),
        place: Point(place.to_array().map(|x| tidy(x.into()))),
        layer: layer.0,
    }
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
            let event = protocol::Event::Patterns(report.event());
            self.outlets.patterns.send_replace(event.text());
            self.telling.told = Some(report);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use serde_json::{Value, json};
    use throng_eval::score::Pattern;
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
            progress: PatternProgress::Searching { part: 1.0 / 3.0 },
            events: vec![event(4, 12.300_000_001, 15.0)],
        };
        let expected = json!({
            "event": "patterns",
            "progress": "searching",
            "part": 0.333,
            "counts": { "oscillation": 0, "deadlock": 1, "spin": 0 },
            "list": [{ "pattern": "deadlock", "person": 4, "from": 12.3, "to": 15.0, "place": [0.1, 2.0], "layer": 0 }],
        });
        let text = protocol::Event::Patterns(report.event()).text();
        assert_eq!(serde_json::from_str::<Value>(text.as_str()).unwrap(), expected);
    }
}
