//! Who plays what: one show for all who come, or the recordings of an evaluation, each on a stage of its own
//! that is set up when somebody first asks for it.
//!
//! Recordings are known by the names that are in the folder, and by nothing else: no name that somebody sends is
//! ever made part of a path. A stage that nobody looks at any more is taken down after a while, and of
//! those there can be a few at once only.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use throng_eval::batch::{MATRIX, RECORDINGS};
use throng_eval::report::PAGE;

use crate::protocol::Refusal;
use crate::stage::{Beginning, Command, Outlets, Show, Stage};

/// Commands that wait for a stage at most.
const MOST_COMMANDS: usize = 1024;
/// Recordings that can be looked at at once.
const MOST_STAGES: usize = 8;
/// How long a stage stands that nobody looks at.
const IDLE: Duration = Duration::from_secs(60);

/// What a client needs to take part in a show.
#[derive(Clone)]
pub(crate) struct Seat {
    pub outlets: Arc<Outlets>,
    pub commands: SyncSender<Command>,
}

/// A stage with somebody on it.
struct Booth {
    seat: Seat,
    thread: Option<JoinHandle<()>>,
    /// When somebody was last there, or asked for it.
    used: Instant,
}

impl Booth {
    fn open(show: Show, beginning: Beginning) -> io::Result<Self> {
        let outlets = Arc::new(Outlets::default());
        let (commands, orders) = sync_channel(MOST_COMMANDS);
        let seat = Seat { outlets: outlets.clone(), commands };
        let play = move || Stage::new(show, beginning, outlets, orders).run();
        let thread = thread::Builder::new().name("stage".into()).spawn(play)?;
        Ok(Self { seat, thread: Some(thread), used: Instant::now() })
    }

    fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn has_clients(&self) -> bool {
        self.seat.outlets.clients.load(Ordering::Relaxed) > 0
    }

    /// Has it end, without waiting for that.
    fn end(&self) {
        self.seat.outlets.is_over.store(true, Ordering::Relaxed);
    }

    /// Waits until it has ended: recordings are complete then.
    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// All that is played.
pub(crate) struct House {
    program: Program,
    is_over: AtomicBool,
}

enum Program {
    One(Mutex<Booth>),
    Many(Evaluation),
}

impl House {
    /// One show for all.
    pub fn of_show(show: Show, beginning: Beginning) -> io::Result<Self> {
        let booth = Booth::open(show, beginning)?;
        Ok(Self { program: Program::One(Mutex::new(booth)), is_over: AtomicBool::new(false) })
    }

    /// The recordings of an evaluation.
    pub fn of_evaluation(evaluation: Evaluation) -> Self {
        Self { program: Program::Many(evaluation), is_over: AtomicBool::new(false) }
    }

    /// The evaluation, if it is one.
    pub fn evaluation(&self) -> Option<&Evaluation> {
        match &self.program {
            Program::One(_) => None,
            Program::Many(evaluation) => Some(evaluation),
        }
    }

    /// A seat for whoever asks for a recording, or for nothing in particular. May take as long as to open
    /// a file.
    pub fn seat(&self, recording: Option<&str>) -> Result<Seat, Refusal> {
        match (&self.program, recording) {
            (Program::One(booth), _) => Ok(locked(booth).seat.clone()),
            (Program::Many(evaluation), Some(recording)) => evaluation.seat(recording),
            (Program::Many(_), None) => {
                Err(Refusal::new("a recording has to be chosen")
                    .with_help("open one from the report"))
            }
        }
    }

    /// Whether a show that should go on has ended.
    pub fn has_stopped(&self) -> bool {
        matches!(&self.program, Program::One(booth) if locked(booth).is_over())
    }

    /// Whether all is over.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Takes down stages that nobody looks at.
    pub fn tidy(&self, now: Instant) {
        if let Program::Many(evaluation) = &self.program {
            evaluation.tidy(now);
        }
    }

    /// Ends all of it.
    pub fn close(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        match &self.program {
            Program::One(booth) => {
                let mut booth = locked(booth);
                booth.end();
                booth.join();
            }
            Program::Many(evaluation) => evaluation.close(),
        }
    }
}

/// The folder of an evaluation.
pub(crate) struct Evaluation {
    folder: PathBuf,
    booths: Mutex<BTreeMap<String, Booth>>,
}

impl Evaluation {
    /// The evaluation in a folder.
    pub fn open(folder: &Path) -> Result<Self, Refusal> {
        if folder.join(PAGE).is_file() {
            return Ok(Self { folder: folder.into(), booths: Mutex::default() });
        }
        Err(match folder.join(MATRIX).is_file() {
            true => Refusal::new("the evaluation in this folder has no report")
                .with_help(format!("make it with: throng eval report {}", folder.display())),
            false => Refusal::new("this folder has no evaluation")
                .with_help("name a scene, a recording, or the folder of a throng eval --out"),
        })
    }

    /// The page of the evaluation, as it is now.
    pub fn report(&self) -> io::Result<String> {
        std::fs::read_to_string(self.folder.join(PAGE))
    }

    /// The file of a run's recording, if there is one. Links to other places are none.
    fn recording(&self, run: &str) -> Option<PathBuf> {
        let entries = std::fs::read_dir(self.folder.join(RECORDINGS)).ok()?;
        let wanted = format!("{run}.parquet");
        let is_it = |entry: &std::fs::DirEntry| {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            let name = entry.file_name();
            is_file && name.to_str().is_some_and(|name| name == wanted && !name.starts_with('.'))
        };
        entries.flatten().find(is_it).map(|entry| entry.path())
    }

    fn seat(&self, run: &str) -> Result<Seat, Refusal> {
        let mut booths = locked(&self.booths);
        booths.retain(|_, booth| !booth.is_over());
        if let Some(booth) = booths.get_mut(run) {
            booth.used = Instant::now();
            return Ok(booth.seat.clone());
        }
        let path = self.recording(run).ok_or_else(|| {
            Refusal::new(format!("there is no recording {run:?} in this evaluation"))
                .with_help("recordings are made by throng eval with --recordings all, or worst")
        })?;
        if booths.len() >= MOST_STAGES {
            make_room(&mut booths)?;
        }
        let show = Show::open(&path)?;
        let beginning = Beginning { is_fixed: true, ..Beginning::default() };
        let booth =
            Booth::open(show, beginning).map_err(|error| Refusal::new(error.to_string()))?;
        let seat = booth.seat.clone();
        booths.insert(run.into(), booth);
        Ok(seat)
    }

    fn tidy(&self, now: Instant) {
        locked(&self.booths).retain(|_, booth| {
            if booth.has_clients() {
                booth.used = now;
            }
            let is_kept = now.saturating_duration_since(booth.used) < IDLE;
            if !is_kept {
                booth.end();
            }
            is_kept && !booth.is_over()
        });
    }

    fn close(&self) {
        let mut booths = locked(&self.booths);
        booths.values().for_each(Booth::end);
        booths.values_mut().for_each(Booth::join);
    }
}

/// Takes down the stage that was left first.
fn make_room(booths: &mut BTreeMap<String, Booth>) -> Result<(), Refusal> {
    let left = booths.iter().filter(|(_, booth)| !booth.has_clients());
    let first = left.min_by_key(|(_, booth)| booth.used).map(|(run, _)| run.clone());
    let Some(booth) = first.and_then(|run| booths.remove(&run)) else {
        let message = format!("{MOST_STAGES} recordings are open already");
        return Err(Refusal::new(message).with_help("close one of their pages"));
    };
    booth.end();
    Ok(())
}

/// What a thread that died has left is as good as before: it is either there or not.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_report_is_told_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let refused = || Evaluation::open(folder.path()).err().unwrap();
        assert!(refused().message.contains("no evaluation"), "{:?}", refused());
        std::fs::write(folder.path().join(MATRIX), "{}").unwrap();
        assert!(refused().help.unwrap().contains("throng eval report"));
        std::fs::write(folder.path().join(PAGE), "<p>").unwrap();
        assert_eq!(Evaluation::open(folder.path()).ok().unwrap().report().unwrap(), "<p>");
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join(RECORDINGS);
        std::fs::create_dir(&inside).unwrap();
        std::fs::create_dir(inside.join("folder.parquet")).unwrap();
        for name in [PAGE, "outside.parquet", "recordings/run.parquet", "recordings/.run.parquet"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/hostname", inside.join("link.parquet")).unwrap();
        let evaluation = Evaluation::open(folder.path()).ok().unwrap();
        assert_eq!(evaluation.recording("run"), Some(inside.join("run.parquet")));
        for name in [
            "",
            ".",
            "..",
            ".run",
            "../outside",
            "..\\outside",
            "/etc/passwd",
            "./run",
            "run.parquet",
            "run\0",
            "folder",
            "link",
            "RUN/../run",
            "%2e%2e/outside",
            "recordings/run",
        ] {
            assert_eq!(evaluation.recording(name), None, "{name:?}");
            assert!(evaluation.seat(name).is_err(), "{name:?}");
        }
        // What is no recording is refused in words, and leaves nothing behind.
        assert!(evaluation.seat("run").is_err());
        assert!(locked(&evaluation.booths).is_empty());
    }
}
