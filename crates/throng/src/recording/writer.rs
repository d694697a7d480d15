//! Recording: frames in, a file out.
//!
//! Encoding has a thread of its own, so that the simulation need not wait for it. The recorder collects
//! whole frames into a batch, and hands a full batch over while it fills the next one; if the
//! encoder is still busy, it waits. So at most two row groups are in memory, and which frames share
//! a row group depends only on how many people they have, not on how fast either side is.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

use super::encode::{Batch, Encoder, Failure, next_target};
use super::frame::Frame;
use super::info::RecordingInfo;
use super::sink::{FileSink, Sink};
use super::{MAX_PEOPLE, RecordingError};
use crate::place::{FileError, Overwrite};

/// The time of a frame may be off by this fraction of the interval between frames.
pub(super) const TIME_TOLERANCE: f64 = 1e-3;

/// What a file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Frames, with those that nobody is in.
    pub frames: u32,
    /// Rows: people times the frames they are in.
    pub rows: u64,
    /// Length of the file.
    pub bytes: u64,
}

/// Writes a recording.
///
/// Dropping a recorder without [`finish`](Self::finish) completes the file as well, but nobody
/// learns whether that worked; a file that would have no frames is removed then.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    info: RecordingInfo,
    batch: Batch,
    target: usize,
    frames: u32,
    start: f64,
    state: State,
}

#[derive(Debug)]
enum State {
    Running(EncoderThread),
    Stopped(Failure),
}

#[derive(Debug)]
struct EncoderThread {
    /// Batches to write, and `None` to finish.
    batches: SyncSender<Option<Batch>>,
    emptied: Receiver<Batch>,
    thread: JoinHandle<Result<Summary, Failure>>,
}

impl Recorder {
    /// Begins a recording at `path`.
    ///
    /// # Errors
    ///
    /// If there is a file already and `overwrite` does not allow to replace it, if no file can be
    /// there, or if `info` is impossible.
    pub fn create(
        path: impl AsRef<Path>,
        info: RecordingInfo,
        overwrite: Overwrite,
    ) -> Result<Self, RecordingError> {
        let path = path.as_ref();
        info.check().map_err(|reason| RecordingError::BadInfo { path: path.into(), reason })?;
        Self::with_sink(path.into(), info, FileSink::create(path, overwrite)?)
    }

    pub(super) fn with_sink(
        path: PathBuf,
        info: RecordingInfo,
        sink: impl Sink,
    ) -> Result<Self, RecordingError> {
        let encoder = Encoder::new(sink, &info).map_err(|failure| stopped(&path, failure))?;
        let encoder =
            EncoderThread::start(encoder).map_err(FileError::io("start to record", &path))?;
        Ok(Self {
            path,
            info,
            batch: Batch::default(),
            target: next_target(None),
            frames: 0,
            start: 0.0,
            state: State::Running(encoder),
        })
    }

    /// Where the recording goes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a frame: the one after the last, or number 0.
    ///
    /// # Errors
    ///
    /// [`RecordingError::BadFrame`] if the frame is not what this recording needs next; it can go on
    /// with another. [`RecordingError::Stopped`] if this or an earlier frame could not be written;
    /// every later call gives the same error.
    pub fn push(&mut self, frame: &Frame) -> Result<(), RecordingError> {
        self.running()?;
        self.check_frame(frame).map_err(|reason| RecordingError::BadFrame {
            path: self.path.clone(),
            frame: frame.index,
            reason,
        })?;
        if self.frames == 0 {
            self.start = frame.time;
        }
        self.frames += 1;
        self.batch.push(frame);
        if self.batch.is_full(self.target) {
            self.target = next_target(Some(self.target));
            self.hand_over()?;
        }
        Ok(())
    }

    /// Writes all frames so far, as a row group of their own, and returns when they are safe. There
    /// is no need to call this, except for simulations that take minutes for a frame.
    ///
    /// # Errors
    ///
    /// [`RecordingError::Stopped`] if a frame could not be written.
    pub fn flush(&mut self) -> Result<(), RecordingError> {
        self.hand_over()?;
        // The encoder takes the next batch, which is empty, when it is done with this one.
        self.hand_over()
    }

    /// Writes what is left and completes the file.
    ///
    /// # Errors
    ///
    /// [`RecordingError::Stopped`] if a frame could not be written.
    pub fn finish(mut self) -> Result<Summary, RecordingError> {
        self.hand_over()?;
        match self.end() {
            State::Running(encoder) => {
                // A send fails only if the thread has ended, and then joining it tells why.
                let _ = encoder.batches.send(None);
                encoder.join().map_err(|failure| stopped(&self.path, failure))
            }
            State::Stopped(failure) => Err(stopped(&self.path, failure)),
        }
    }

    /// Reports a failure of the encoder as soon as it has happened.
    fn running(&mut self) -> Result<&EncoderThread, RecordingError> {
        if let State::Running(encoder) = &self.state
            && encoder.thread.is_finished()
        {
            self.stop();
        }
        match &self.state {
            State::Running(encoder) => Ok(encoder),
            State::Stopped(failure) => Err(stopped(&self.path, failure.clone())),
        }
    }

    /// Gives the encoder what has been collected, as soon as it is done with what it got before.
    fn hand_over(&mut self) -> Result<(), RecordingError> {
        let batch = std::mem::take(&mut self.batch);
        match self.running()?.write(batch) {
            Some(emptied) => self.batch = emptied,
            None => self.stop(),
        }
        self.running().map(|_| ())
    }

    /// Waits for an encoder that has failed and keeps its reason.
    fn stop(&mut self) {
        if let State::Running(encoder) = self.end()
            && let Err(failure) = encoder.join()
        {
            self.state = State::Stopped(failure);
        }
    }

    /// Takes the encoder out, for good.
    fn end(&mut self) -> State {
        let over = Failure { reason: "it is over".into(), safe_frames: 0 };
        std::mem::replace(&mut self.state, State::Stopped(over))
    }

    fn check_frame(&self, frame: &Frame) -> Result<(), String> {
        if frame.index != self.frames || frame.index == u32::MAX {
            return Err(format!("frame {} comes next", self.frames));
        }
        self.check_time(frame)?;
        let people = &frame.people;
        if !people.is_rectangular() {
            return Err("its arrays differ in length".into());
        }
        if people.len() > MAX_PEOPLE {
            return Err(format!("{} people are more than {MAX_PEOPLE}", people.len()));
        }
        if let Some(i) = people.first_out_of_order() {
            let (before, id) = (people.ids[i - 1], people.ids[i]);
            return Err(format!("ids must ascend, and {id} comes after {before}"));
        }
        if let Some(i) = people.first_not_finite() {
            return Err(format!("person {} has a number that is not finite", people.ids[i]));
        }
        if let Some(group) = people.groups.iter().find(|g| g.0 as usize >= self.info.groups.len()) {
            return Err(format!("there is no group {}", group.0));
        }
        match people.layers.iter().find(|layer| layer.0 as usize >= self.info.layers.len()) {
            Some(layer) => Err(format!("there is no layer {}", layer.0)),
            None => Ok(()),
        }
    }

    fn check_time(&self, frame: &Frame) -> Result<(), String> {
        if self.frames == 0 && frame.time.is_finite() {
            return Ok(());
        }
        let due = self.start + f64::from(frame.index) * self.info.interval();
        if (frame.time - due).abs() <= TIME_TOLERANCE * self.info.interval() {
            return Ok(());
        }
        Err(format!("it is at {} s and should be at {due} s", frame.time))
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // Nobody can be told about errors here. If the encoder runs, it gets the last frames and
        // then, as its channel closes, completes the file.
        if self.hand_over().is_ok()
            && let State::Running(encoder) = self.end()
        {
            drop(encoder.batches);
            let _ = encoder.thread.join();
        }
    }
}

impl EncoderThread {
    fn start<S: Sink>(mut encoder: Encoder<S>) -> std::io::Result<Self> {
        // Without capacity: a batch is handed over when the encoder is ready for it.
        let (batches, inbox) = mpsc::sync_channel::<Option<Batch>>(0);
        let (outbox, emptied) = mpsc::channel();
        let work = move || {
            for order in inbox {
                let Some(mut batch) = order else { return encoder.finish(true) };
                encoder.write(&batch)?;
                batch.clear();
                // The recorder may be gone, and then nobody needs the memory.
                let _ = outbox.send(batch);
            }
            encoder.finish(false)
        };
        let thread = thread::Builder::new().name("throng-recorder".into()).spawn(work)?;
        Ok(Self { batches, emptied, thread })
    }

    /// Hands `batch` over, and returns an empty one, or `None` if the thread has ended.
    fn write(&self, batch: Batch) -> Option<Batch> {
        self.batches.send(Some(batch)).ok()?;
        Some(self.emptied.try_recv().unwrap_or_default())
    }

    fn join(self) -> Result<Summary, Failure> {
        drop(self.batches);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn stopped(path: &Path, failure: Failure) -> RecordingError {
    let Failure { reason, safe_frames } = failure;
    RecordingError::Stopped { path: path.into(), safe_frames, reason }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::recording::{GroupInfo, LayerInfo, Person, Recording};

    /// A disk with room for so many bytes; what does not fit is written in part.
    #[derive(Clone, Default)]
    struct Disk {
        bytes: Arc<Mutex<Option<Vec<u8>>>>,
        room: usize,
    }

    impl Disk {
        fn new(room: usize) -> Self {
            Self { bytes: Arc::new(Mutex::new(Some(Vec::new()))), room }
        }

        fn content(&self) -> Option<Vec<u8>> {
            self.bytes.lock().unwrap().clone()
        }
    }

    impl Sink for Disk {
        fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            let mut content = self.bytes.lock().unwrap();
            let content = content.as_mut().unwrap();
            let fits = bytes.len().min(self.room - content.len());
            content.extend_from_slice(&bytes[..fits]);
            if fits < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }

        fn truncate(&mut self, length: u64) -> io::Result<()> {
            self.bytes.lock().unwrap().as_mut().unwrap().truncate(length as usize);
            Ok(())
        }

        fn publish(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn discard(&mut self) {
            *self.bytes.lock().unwrap() = None;
        }
    }

    fn info() -> RecordingInfo {
        RecordingInfo {
            step: 0.1,
            record_every: 1,
            groups: vec![GroupInfo { name: "a".into(), color: [0; 3] }],
            layers: vec![LayerInfo { name: "a".into(), elevation: 0.0 }],
            ..RecordingInfo::default()
        }
    }

    fn frame(index: u32) -> Frame {
        let mut frame = Frame { index, time: f64::from(index) * 0.1, ..Frame::default() };
        let person = |id: u32| Person { id, height: (id * index) as f32, ..Person::default() };
        (0..3_000).map(person).for_each(|person| frame.people.push(person));
        frame
    }

    /// Records until it fails, and returns the error and how many frames were accepted.
    fn record_until_full(disk: &Disk) -> (RecordingError, u32) {
        let recorder = Recorder::with_sink("full.parquet".into(), info(), disk.clone());
        let mut recorder = match recorder {
            Ok(recorder) => recorder,
            Err(error) => return (error, 0),
        };
        for index in 0.. {
            if let Err(error) = recorder.push(&frame(index)) {
                let again = recorder.push(&frame(index)).unwrap_err().to_string();
                assert_eq!(again, error.to_string());
                assert_eq!(recorder.finish().unwrap_err().to_string(), again);
                return (error, index);
            }
        }
        unreachable!("the disk is full some time");
    }

    #[test]
    fn a_full_disk_leaves_the_frames_that_are_said_to_be_safe() {
        let folder = tempfile::tempdir().unwrap();
        for room in [0, 100, 30_000, 400_000, 1_000_000] {
            let disk = Disk::new(room);
            let (error, accepted) = record_until_full(&disk);
            let RecordingError::Stopped { safe_frames, .. } = error else { panic!("{error}") };
            assert!(
                error.to_string().starts_with("recording to full.parquet stopped: "),
                "{error}"
            );
            let Some(content) = disk.content() else {
                assert_eq!(safe_frames, 0);
                continue;
            };
            let path = folder.path().join("full.parquet");
            std::fs::write(&path, content).unwrap();
            let mut recording = Recording::open(&path).unwrap();
            assert!(!recording.recovered() && safe_frames > 0 && safe_frames <= accepted);
            assert_eq!(recording.frame_count(), safe_frames);
            assert_eq!(recording.frame(safe_frames - 1).unwrap(), frame(safe_frames - 1));
        }
    }

    #[test]
    fn a_disk_that_is_full_at_the_end_is_reported_by_finish() {
        let disk = Disk::new(10_000);
        let mut recorder = Recorder::with_sink("full.parquet".into(), info(), disk).unwrap();
        (0..10).for_each(|index| recorder.push(&frame(index)).unwrap());
        let error = recorder.finish().unwrap_err().to_string();
        assert!(error.ends_with("; no frame was saved"), "{error}");
    }
}
