//! What clients ask for: each request is done at once, and answered.
//!
//! A request that is refused has changed nothing. After one that was done, everybody is told of what it
//! has changed before time passes again.

use std::time::Instant;

use super::history::Way;
use super::live::{Edited, Live};
use super::patterns::Telling;
use super::{Show, Stage, look};
use crate::bodies::StudioBodies;
use crate::clock::Clock;
use crate::protocol::{
    BodiesReply, EditReply, FileReply, HistoryReply, Name, PatternsReply, PeopleReply, RecordReply,
    Refusal, Reply, Request, TextReply, TimeReply,
};

/// Steps that can be asked for at once.
const MOST_STEPS: i64 = 1000;
/// How fast a simulation can be asked to run.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.05..=16.0;

impl Stage {
    pub(super) fn perform(&mut self, request: Request) -> Result<Reply, Refusal> {
        let now = Instant::now();
        Ok(match request {
            Request::Hello { .. } | Request::Rate { .. } => {
                return Err(Refusal::new("the connection answers this request"));
            }
            Request::Play {} => {
                self.rewind_at_the_end()?;
                self.clock.run(now, self.show.time());
                Reply::Play(self.all_told(now))
            }
            Request::Pause {} => {
                self.clock.stop();
                Reply::Pause(self.all_told(now))
            }
            Request::Step { count } => {
                self.step(count)?;
                Reply::Step(self.all_told(now))
            }
            Request::Speed { factor } => {
                let is_replay = matches!(self.show, Show::Replay(_));
                if !SPEEDS.contains(&if is_replay { factor.abs() } else { factor }) {
                    return Err(Refusal::new(format!("time cannot pass {factor} times as fast"))
                        .with_help("write a factor from 0.05 to 16"));
                }
                self.clock.set_speed(now, self.show.time(), factor);
                Reply::Speed(self.all_told(now))
            }
            Request::Restart {} => {
                match &mut self.show {
                    Show::Live(live) => live.restart()?,
                    Show::Replay(replay) => replay.seek(f64::NEG_INFINITY)?,
                }
                self.begin_epoch(now);
                Reply::Restart(self.all_told(now))
            }
            Request::Seek { time } => {
                let Show::Replay(replay) = &mut self.show else {
                    return Err(Refusal::new("only recordings can go to another time")
                        .with_help("record the scene, and open the recording"));
                };
                replay.seek(time)?;
                self.clock.set(now, self.show.time());
                Reply::Seek(self.all_told(now))
            }
            Request::Edit(keys) => {
                let edited = self.show.live()?.edit(keys)?;
                Reply::Edit(self.after_edit(now, edited))
            }
            Request::Replace { label, text } => {
                let edited = self.show.live()?.replace(label, &text)?;
                Reply::Replace(self.after_edit(now, edited))
            }
            Request::Undo {} => Reply::Undo(self.shift(now, Way::Back)?),
            Request::Redo {} => Reply::Redo(self.shift(now, Way::Forth)?),
            Request::Text {} => {
                let text = match &self.show {
                    Show::Live(live) => live.document().to_string(),
                    Show::Replay(replay) => replay.scene().source.text.clone(),
                };
                Reply::Text(TextReply { text })
            }
            Request::Save {} => {
                let file = self.show.live()?.save()?;
                self.tell_scene();
                Reply::Save(FileReply { file })
            }
            Request::SaveAs { name, overwrite } => {
                let file = self.show.live()?.save_as(&name, overwrite)?;
                self.tell_scene();
                Reply::SaveAs(FileReply { file })
            }
            Request::Files {} => Reply::Files(self.show.folder().listing()),
            Request::Open { .. } | Request::New { .. } if self.is_fixed => {
                let refusal =
                    Refusal::new("here a recording of an evaluation is shown, and nothing else");
                return Err(refusal.with_help("open another one from the report"));
            }
            Request::Open { name } => {
                let folder = self.show.folder().clone();
                let path = folder.file(&name)?;
                Reply::Open(self.change_show(now, Show::open_in(&folder, &path)?)?)
            }
            Request::New { name } => {
                let live = Live::new(self.show.folder(), &name)?;
                Reply::New(self.change_show(now, Show::Live(Box::new(live)))?)
            }
            Request::Remove { people } => {
                let count = self.show.live()?.remove(&people);
                Reply::Remove(self.after_people(now, count))
            }
            Request::Regroup { people, group } => {
                let count = self.show.live()?.regroup(&people, &group)?;
                Reply::Regroup(self.after_people(now, count))
            }
            Request::Direct { people, goals, then } => {
                let count = self.show.live()?.direct(&people, &goals, &then)?;
                Reply::Direct(self.after_people(now, count))
            }
            Request::StartHere {} => {
                let edited = self.show.live()?.start_here()?;
                Reply::StartHere(self.after_edit(now, edited))
            }
            Request::Models {} => Reply::Models(look::models()),
            // The connection has noted where its client looks.
            Request::Bodies(_) => {
                self.tell_frame(now);
                Reply::Bodies(BodiesReply {
                    bodies: self.bodies.as_ref().map_or(0, StudioBodies::len),
                })
            }
            Request::Efforts(limits) => Reply::Efforts(self.set_efforts(now, limits)?),
            Request::Skating {} => {
                let Some(bodies) = &self.bodies else {
                    return Err(Refusal::new("nobody has a body")
                        .with_help("ask for bodies where you look"));
                };
                Reply::Skating(bodies.skating())
            }
            Request::Patterns { on } => {
                match &mut self.show {
                    Show::Live(live) => live.watch_patterns(on),
                    Show::Replay(replay) => replay.search_patterns(on),
                }
                self.telling = Telling::default();
                self.tell_patterns(now);
                Reply::Patterns(PatternsReply { on })
            }
            Request::Inspect { person } => {
                self.inspected = Some((person, now));
                let mut known = match &self.show {
                    Show::Live(live) => look::inspect(live.engine(), person),
                    Show::Replay(replay) => look::recorded(replay, person),
                };
                if let (Some(known), Some(bodies)) = (&mut known, &self.bodies) {
                    known.body = bodies.inspect(person);
                    known.level = bodies.level(person).map(Name);
                }
                Reply::Inspect(known.map(Box::new))
            }
            Request::Streamlines { group, field, layer, count } => match &self.show {
                Show::Live(live) => Reply::Streamlines(look::streamlines(
                    live.engine(),
                    group.as_deref(),
                    field.as_deref(),
                    layer,
                    count,
                )?),
                Show::Replay(_) => {
                    return Err(Refusal::new("recordings do not tell where fields led"));
                }
            },
            Request::Ways { layer } => match &self.show {
                Show::Live(live) => Reply::Ways(look::ways(live.engine(), layer)?),
                Show::Replay(_) => {
                    return Err(Refusal::new("recordings do not have maps of ways"));
                }
            },
            Request::Record { on } => {
                let live = self.show.live()?;
                let file = if on { Some(live.begin_take()?) } else { live.end_take()? };
                self.tell_state(now);
                Reply::Record(RecordReply { file })
            }
        })
    }

    /// A recording that has ended is played from the other end.
    fn rewind_at_the_end(&mut self) -> Result<(), Refusal> {
        let backwards = self.clock.speed() < 0.0;
        if let Show::Replay(replay) = &mut self.show
            && replay.next_time(self.clock.speed()).is_none()
        {
            replay.seek(if backwards { f64::INFINITY } else { f64::NEG_INFINITY })?;
        }
        Ok(())
    }

    fn step(&mut self, count: i64) -> Result<(), Refusal> {
        self.clock.stop();
        match &mut self.show {
            Show::Replay(replay) => replay.step(count),
            Show::Live(_) if (1..=MOST_STEPS).contains(&count) => {
                (0..count).try_for_each(|_| self.step_live())
            }
            Show::Live(_) => Err(Refusal::new(format!("{count} steps cannot be made at once"))
                .with_help(format!("write a count from 1 to {MOST_STEPS}"))),
        }
    }

    fn change_show(&mut self, now: Instant, show: Show) -> Result<TimeReply, Refusal> {
        if let Show::Live(live) = &mut self.show {
            live.end_take()?;
        }
        self.show = show;
        self.clock = Clock::new(now, self.show.time());
        self.seek_patterns();
        self.begin_epoch(now);
        Ok(self.all_told(now))
    }

    /// From now on ids mean other people.
    fn begin_epoch(&mut self, now: Instant) {
        self.epoch = self.epoch.wrapping_add(1);
        self.dismiss_bodies();
        self.clock.set(now, self.show.time());
        self.tell_scene();
        self.telling = Telling::default();
        self.tell_patterns(now);
    }

    fn shift(&mut self, now: Instant, way: Way) -> Result<HistoryReply, Refusal> {
        let (label, edited) = self.show.live()?.shift(way)?;
        Ok(HistoryReply { edit: self.after_edit(now, edited), label })
    }

    fn after_edit(&mut self, now: Instant, edited: Edited) -> EditReply {
        if edited.restarted {
            self.begin_epoch(now);
        } else {
            self.tell_scene();
            if let Some(bodies) = &mut self.bodies {
                bodies.adopt(self.show.scene());
            }
        }
        self.tell_frame(now);
        EditReply {
            revision: self.revision,
            step: self.show.step().saturating_add(1),
            restarted: edited.restarted,
        }
    }

    fn after_people(&mut self, now: Instant, count: usize) -> PeopleReply {
        self.tell_scene();
        self.tell_frame(now);
        PeopleReply { people: count }
    }

    /// Tells where things stand at once, for requests that change nothing but time.
    fn all_told(&mut self, now: Instant) -> TimeReply {
        self.look_at_scenery();
        self.tell_frame(now);
        self.tell_state(now);
        TimeReply { step: self.show.step(), time: self.show.time() }
    }
}
