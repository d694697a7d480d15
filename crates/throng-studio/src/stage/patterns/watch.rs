//! A watch over a crowd that is simulated: patterns are noticed while they happen.
//!
//! The watch sees the states that the scene would record, so that a recording of the same walk has the
//! same patterns, but for one thing: the evaluation knows everybody's way beforehand, whereas here
//! goals change while people walk. Whoever gets stuck within a metre of the goal that they have at that
//! moment is not deadlocked. To watch takes time and memory for everybody, so larger crowds are watched
//! only if somebody asks for it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use throng::Engine;
use throng::recording::Frame;
use throng_crowd::PersonId;
use throng_eval::score::{DEADLOCK_GOAL, Event, Ideals, Pattern, PatternWatch, ScoreOptions};

use super::Report;
use crate::protocol::PatternProgress;

/// More people are watched only if somebody asks for it: it takes about as long as simulating them.
const MOST_PEOPLE: usize = 3000;

/// Looks for patterns in a crowd that walks.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Whether somebody has asked for it, or wants none.
    wanted: Option<bool>,
    watch: Option<PatternWatch>,
    frame: Frame,
    /// How long the last look took.
    pub effort: Duration,
    /// What was seen before the watch was interrupted.
    past: Vec<Event>,
    /// How many events of the watch were looked at, and which of them are none.
    known: usize,
    dismissed: BTreeSet<usize>,
    fault: Option<String>,
}

impl Watch {
    /// Everybody is somebody else from now on.
    pub fn begin_anew(&mut self) {
        *self = Self { wanted: self.wanted, ..Self::default() };
    }

    /// Switches it on for a crowd of any size, or off.
    pub fn switch(&mut self, on: bool) {
        self.wanted = Some(on);
        self.fault = None;
        if !on {
            self.interrupt();
        }
    }

    fn is_wanted(&self, people: usize) -> bool {
        self.wanted.unwrap_or(people <= MOST_PEOPLE)
    }

    /// Looks at a state of the crowd.
    pub fn look(&mut self, engine: &Engine) {
        if !self.is_wanted(engine.crowd().len()) {
            return self.interrupt();
        }
        if self.fault.is_some() {
            return;
        }
        let begin = Instant::now();
        if let Err(fault) = self.take(engine) {
            self.interrupt();
            self.fault = Some(fault);
        }
        self.effort = begin.elapsed();
    }

    fn take(&mut self, engine: &Engine) -> Result<(), String> {
        let watch = match &mut self.watch {
            Some(watch) => watch,
            empty => {
                let (ideals, options) = (Ideals::default(), ScoreOptions::default());
                let watch = PatternWatch::new(engine.scene(), ideals, options);
                empty.insert(watch.map_err(|error| error.to_string())?)
            }
        };
        engine.snapshot(&mut self.frame);
        watch.take((&self.frame).into()).map_err(|error| error.to_string())?;
        let events = watch.events();
        for (number, event) in events.iter().enumerate().skip(self.known) {
            if event.pattern == Pattern::Deadlock && is_nearly_there(engine, event.person) {
                self.dismissed.insert(number);
            }
        }
        self.known = events.len();
        watch.forget_departed();
        Ok(())
    }

    /// Ends it for now. What was seen is kept.
    fn interrupt(&mut self) {
        let Some(watch) = self.watch.take() else { return };
        self.effort = Duration::ZERO;
        self.past.extend(seen(&watch, &self.dismissed));
        self.dismissed.clear();
        self.known = 0;
    }

    /// What was seen so far in a crowd that is now so large.
    pub fn report(&self, people: usize) -> Report {
        let now = self.watch.iter().flat_map(|watch| seen(watch, &self.dismissed));
        let progress = match &self.fault {
            Some(why) => PatternProgress::Failed { why: why.clone() },
            None if self.is_wanted(people) => PatternProgress::Watching,
            None if self.wanted == Some(false) => PatternProgress::Off,
            None => PatternProgress::Crowded { most: MOST_PEOPLE },
        };
        Report { progress, events: self.past.iter().copied().chain(now).collect() }
    }
}

fn seen<'w>(
    watch: &'w PatternWatch,
    dismissed: &'w BTreeSet<usize>,
) -> impl Iterator<Item = Event> + 'w {
    let events = watch.events().iter().enumerate();
    events.filter(|(number, _)| !dismissed.contains(number)).map(|(_, event)| *event)
}

/// Whether somebody is next to the goal that they have.
fn is_nearly_there(engine: &Engine, person: u32) -> bool {
    let Some(inspection) = engine.crowd().inspect(PersonId(person)) else { return false };
    let target = inspection.goal.and_then(|goal| goal.target);
    target.is_some_and(|(layer, target)| {
        layer == inspection.state.layer
            && f64::from(target.distance(inspection.state.position)) <= DEADLOCK_GOAL
    })
}
