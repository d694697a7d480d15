//! The stage: a thread that owns what is shown, lets time pass, and does what clients ask for.
//!
//! Nobody else touches the simulation. Clients send [`Command`]s and get replies; what is for all of
//! them goes through [`Outlets`], where the newest replaces what nobody has taken yet. So the stage never
//! waits for anybody.

mod bodies;
mod efforts;
mod folder;
mod history;
mod live;
mod look;
mod patterns;
mod people;
mod perform;
mod replay;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use throng::PipelineStage;
use throng_crowd::Appearance;
use tokio::sync::{mpsc, watch};

use self::folder::Folder;
pub(crate) use self::folder::has_ending;
use self::live::Live;
use self::patterns::Telling;
use self::replay::Replay;
use crate::bodies::{Foci, RoleLog, StudioBodies};
use crate::clock::Clock;
use crate::frame::{Lattice, Moment};
use crate::ground::Grounds;
use crate::protocol::{
    EffortLimits, Event, NoticeEvent, NoticeLevel, Numbered, Refusal, Response, StageTime,
    StateEvent,
};

/// Frames are not made more often than this.
const FRAME_INTERVAL: Duration = Duration::from_millis(15);
/// How often clients are told how it is going.
const STATE_INTERVAL: Duration = Duration::from_millis(250);
/// Commands that are carried out before time passes again.
const MOST_COMMANDS: usize = 64;

/// A client's request, and where the reply goes.
pub(crate) struct Command {
    pub numbered: Numbered,
    pub replies: mpsc::Sender<Utf8Bytes>,
}

/// What all clients are told. Of each kind only the newest counts.
pub(crate) struct Outlets {
    pub scene: watch::Sender<Utf8Bytes>,
    pub state: watch::Sender<Utf8Bytes>,
    pub notice: watch::Sender<Utf8Bytes>,
    /// Patterns that were found.
    pub patterns: watch::Sender<Utf8Bytes>,
    pub frame: watch::Sender<Bytes>,
    /// How people can look; empty until somebody wants bodies.
    pub cast: watch::Sender<Bytes>,
    /// Who looks how.
    pub roles: watch::Sender<RoleLog>,
    pub bodies: watch::Sender<Bytes>,
    /// How clients look who want bodies.
    pub foci: Mutex<Foci>,
    pub clients: AtomicUsize,
    pub is_over: AtomicBool,
}

impl Default for Outlets {
    fn default() -> Self {
        Self {
            scene: watch::Sender::default(),
            state: watch::Sender::default(),
            notice: watch::Sender::default(),
            patterns: watch::Sender::default(),
            frame: watch::Sender::default(),
            cast: watch::Sender::default(),
            roles: watch::Sender::default(),
            bodies: watch::Sender::default(),
            foci: Mutex::default(),
            clients: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        }
    }
}

/// What is shown.
pub(crate) enum Show {
    Live(Box<Live>),
    Replay(Box<Replay>),
}

impl Show {
    /// Opens a scene or a recording.
    pub fn open(path: &Path) -> Result<Self, Refusal> {
        Self::open_in(&Folder::of_file(path), path)
    }

    /// An empty scene in the folder of a file that is not there yet.
    pub fn empty(path: &Path) -> Result<Self, Refusal> {
        let name = path.file_name().map_or("untitled.toml".into(), |name| name.to_string_lossy());
        Ok(Self::Live(Box::new(Live::new(&Folder::of_file(path), &name)?)))
    }

    fn open_in(folder: &Folder, path: &Path) -> Result<Self, Refusal> {
        let name = path.to_string_lossy();
        Ok(match has_ending(&name, "parquet") {
            true => Self::Replay(Box::new(Replay::open(folder, path)?)),
            false => Self::Live(Box::new(Live::open(folder, path)?)),
        })
    }

    /// Goes to a moment of a recording.
    pub fn go_to(&mut self, time: f64) -> Result<(), Refusal> {
        match self {
            Self::Live(_) => Err(Refusal::new("a scene that runs has no moments to go to")
                .with_help("open a recording of it")),
            Self::Replay(replay) => replay.seek(time),
        }
    }

    fn folder(&self) -> &Folder {
        match self {
            Self::Live(live) => live.folder(),
            Self::Replay(replay) => replay.folder(),
        }
    }

    fn live(&mut self) -> Result<&mut Live, Refusal> {
        match self {
            Self::Live(live) => Ok(live),
            Self::Replay(_) => {
                Err(Refusal::new("a recording cannot be edited")
                    .with_help("open the scene it is of"))
            }
        }
    }

    fn lattice(&self) -> Lattice {
        match self {
            Self::Live(live) => Lattice::of_scene(live.scene()),
            Self::Replay(replay) => replay.lattice(),
        }
    }

    fn time(&self) -> f64 {
        match self {
            Self::Live(live) => live.engine().time(),
            Self::Replay(replay) => replay.time(),
        }
    }

    /// Number of the step or frame.
    fn step(&self) -> u32 {
        match self {
            Self::Live(live) => live.engine().crowd().steps() as u32,
            Self::Replay(replay) => replay.index(),
        }
    }

    /// The time of the next moment; `None` if there is none.
    fn next_time(&self, speed: f64) -> Option<f64> {
        match self {
            Self::Live(live) => Some(live.engine().time() + live.scene().settings.step),
            Self::Replay(replay) => replay.next_time(speed),
        }
    }
}

/// The thread that owns what is shown.
pub(crate) struct Stage {
    show: Show,
    lattice: Lattice,
    grounds: Grounds,
    clock: Clock,
    /// Changes when ids begin to mean other people.
    epoch: u16,
    /// Changes with the scene.
    revision: u32,
    outlets: Arc<Outlets>,
    commands: Receiver<Command>,
    people: Vec<Appearance>,
    bodies: Option<StudioBodies>,
    /// How much may be spent to simulate the crowd; whether less than all is, for somebody; and the step whose cost is known.
    efforts: Option<EffortLimits>,
    are_efforts_spared: bool,
    noted_step: u32,
    /// Who was inspected last, and when.
    inspected: Option<(u32, Instant)>,
    last_frame: Instant,
    last_state: Instant,
    /// How long it took to make the newest frame.
    frame_time: Duration,
    /// Whether the newest moment was not told yet.
    frame_is_due: bool,
    /// What an author sees of obstacles and fields that change by themselves.
    scenery: Vec<usize>,
    /// What was told of patterns.
    telling: Telling,
    /// Whether nothing else can be opened on it.
    is_fixed: bool,
}

/// How a stage begins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Beginning {
    /// Whether time stands until somebody lets it pass.
    pub stands: bool,
    /// Whether it shows one thing for good.
    pub is_fixed: bool,
}

impl Stage {
    /// Shows something from where it is on.
    pub fn new(
        show: Show,
        beginning: Beginning,
        outlets: Arc<Outlets>,
        commands: Receiver<Command>,
    ) -> Self {
        let now = Instant::now();
        let mut stage = Self {
            lattice: show.lattice(),
            grounds: Grounds::default(),
            clock: Clock::new(now, show.time()),
            show,
            epoch: 0,
            revision: 0,
            outlets,
            commands,
            people: Vec::new(),
            bodies: None,
            efforts: None,
            are_efforts_spared: false,
            noted_step: 0,
            inspected: None,
            last_frame: now,
            last_state: now,
            frame_time: Duration::ZERO,
            frame_is_due: true,
            scenery: Vec::new(),
            telling: Telling::default(),
            is_fixed: beginning.is_fixed,
        };
        if beginning.stands {
            stage.clock.stop();
        }
        stage.seek_patterns();
        stage.tell_scene();
        stage.tell_state(now);
        stage.tell_patterns(now);
        stage.tell_frame(now);
        stage
    }

    /// Runs until the studio is over.
    pub fn run(mut self) {
        while !self.outlets.is_over.load(Ordering::Relaxed) {
            match self.commands.recv_timeout(self.idle_time(Instant::now())) {
                Ok(command) => self.carry_out(command),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            for _ in 1..MOST_COMMANDS {
                let Ok(command) = self.commands.try_recv() else { break };
                self.carry_out(command);
            }
            self.let_time_pass();
            let now = Instant::now();
            if self.frame_is_due && now >= self.last_frame + FRAME_INTERVAL {
                self.tell_frame(now);
            }
            if now >= self.last_state + STATE_INTERVAL {
                self.tell_state(now);
                self.tell_patterns(now);
                if self.look_for_cast() {
                    self.tell_frame(now);
                }
            }
        }
        if let Show::Live(live) = &mut self.show
            && let Err(refusal) = live.end_take()
        {
            self.tell_error(refusal.message);
        }
    }

    /// How long there is nothing to do but to wait for commands.
    fn idle_time(&self, now: Instant) -> Duration {
        let next = self.show.next_time(self.clock.speed());
        let step = next.and_then(|time| self.clock.until(now, time));
        let state = (self.last_state + STATE_INTERVAL).saturating_duration_since(now);
        step.map_or(state, |step| step.min(state))
    }

    /// Advances by a moment if one is due.
    fn let_time_pass(&mut self) {
        let now = Instant::now();
        let Some(due) = self.clock.time(now) else { return };
        let is_past = |time: f64| (due - time) * self.clock.speed().signum() >= 0.0;
        let next = self.show.next_time(self.clock.speed());
        let advanced = match (&mut self.show, next) {
            (Show::Live(_), Some(time)) if is_past(time) => self.step_live(),
            // Frames that nobody could have seen are passed over.
            (Show::Replay(replay), Some(time)) if is_past(time) => replay.seek(due),
            (Show::Replay(_), None) => {
                self.clock.stop();
                return self.tell_state(now);
            }
            _ => return,
        };
        if let Err(refusal) = advanced {
            self.tell_error(refusal.message);
        }
        self.clock.arrived(Instant::now(), self.show.time());
        self.frame_is_due = true;
        self.look_at_scenery();
    }

    /// Makes a step of the simulation.
    fn step_live(&mut self) -> Result<(), Refusal> {
        self.mind_efforts();
        self.show.live()?.step()
    }

    fn carry_out(&mut self, command: Command) {
        let Command { numbered: Numbered { id, request }, replies } = command;
        let answer = self.perform(request);
        // Who does not take replies is disconnected by their connection, not waited for here.
        let _ = replies.try_send(Response::new(id, answer).text());
    }

    /// Obstacles come and go and scripted arrows turn by themselves: whoever draws them is told.
    fn look_at_scenery(&mut self) {
        let Show::Live(live) = &self.show else { return };
        let scenery = look::scenery(live.engine().crowd());
        if scenery != self.scenery {
            self.tell_scene();
        }
    }

    fn tell_scene(&mut self) {
        self.revision += 1;
        self.lattice = self.show.lattice();
        let event = match &self.show {
            Show::Live(live) => {
                self.scenery = look::scenery(live.engine().crowd());
                live.scene_event(self.revision, &mut self.grounds)
            }
            Show::Replay(replay) => replay.scene_event(self.revision, &mut self.grounds),
        };
        self.outlets.scene.send_replace(Event::Scene(Box::new(event)).text());
    }

    fn tell_state(&mut self, now: Instant) {
        self.last_state = now;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let (live, extent, people) = match &self.show {
            Show::Live(live) => (Some(live), None, live.engine().crowd().len()),
            Show::Replay(replay) => (None, Some(replay.extent()), replay.len()),
        };
        let event = StateEvent {
            playing: self.clock.is_running(),
            speed: self.clock.speed(),
            pace: self.clock.pace(),
            time: self.show.time(),
            step: self.show.step(),
            start: extent.map(|[start, _]| start),
            end: extent.map(|[_, end]| end),
            people,
            recording: live.and_then(|live| live.recording()),
            clients: self.outlets.clients.load(Ordering::Relaxed),
            step_ms: live.map(|live| ms(live.step_time)),
            stages: live.map(|live| live.stage_times()).unwrap_or_default(),
            contacts: live.map(|live| live.engine().crowd().timings().contacts),
            patterns_ms: live.map(|live| ms(live.pattern_time())),
            frame_ms: ms(self.frame_time),
            bodies: self.bodies.as_ref().map_or(0, StudioBodies::len),
            bodies_ms: self.bodies.as_ref().map_or(0.0, |bodies| ms(bodies.effort)),
            pipeline: self.pipeline(),
            levels: self.bodies.as_ref().map(StudioBodies::census),
            efforts: self.efforts,
        };
        self.outlets.state.send_replace(Event::State(Box::new(event)).text());
    }

    /// Returns the duration of the engine's stages for the newest moment, in their order. Recordings simulate nothing.
    fn pipeline(&self) -> Vec<StageTime<PipelineStage>> {
        let mut stages: Vec<(PipelineStage, f64)> = Vec::new();
        if let Show::Live(live) = &self.show {
            let simulated = live.step_time.as_secs_f64() * 1e3;
            stages.push((PipelineStage::Simulator, simulated));
        }
        stages.extend(self.bodies.iter().flat_map(StudioBodies::times));
        stages.sort_by_key(|(stage, _)| *stage as u8);
        stages.into_iter().map(|(stage, ms)| StageTime::new(stage, ms)).collect()
    }

    fn tell_error(&self, text: impl Into<String>) {
        let event = NoticeEvent { level: NoticeLevel::Error, text: text.into() };
        self.outlets.notice.send_replace(Event::Notice(event).text());
    }

    /// Tells where everybody is. Without clients, nothing is made.
    fn tell_frame(&mut self, now: Instant) {
        self.frame_is_due = !self.has_clients();
        if self.frame_is_due {
            return;
        }
        self.last_frame = now;
        let begin = Instant::now();
        self.people.clear();
        match &self.show {
            Show::Live(live) => self.people.extend(live.engine().crowd().appearances()),
            Show::Replay(replay) => self.people.extend(replay.appearances()),
        }
        let gathered = begin.elapsed();
        let standings = self.tell_bodies();
        let begin = Instant::now();
        let moment = self.moment();
        let frame = self.lattice.frame(&moment, &self.people, standings.as_deref());
        self.outlets.frame.send_replace(frame);
        self.frame_time = gathered + begin.elapsed();
    }

    fn has_clients(&self) -> bool {
        self.outlets.clients.load(Ordering::Relaxed) > 0
    }

    fn moment(&self) -> Moment {
        Moment {
            epoch: self.epoch,
            revision: self.revision,
            step: self.show.step(),
            time: self.show.time(),
        }
    }
}
