//! Other people's tracks with bodies of ours.
//!
//! Tracks are imported, smoothed (see [`crate::tracks`]) and followed by bodies. What comes of it is a film, or a
//! recording of where the bodies were: replayed, everybody walks the same way without having to catch up.

use std::path::{Path, PathBuf};

use throng_crowd::Status;
use throng_world::Scene;
use throng_world::scene::DEFAULT_RADIUS;

use super::fidelity::{Fidelity, Judge};
use super::{FilmError, FilmOptions, FilmProgress, Playback, Tracked, dressed, write_glb};
use crate::exchange::{ImportOptions, import};
use crate::place::{Overwrite, PartFile};
use crate::recording::{Frame, Person, Recorder, Recording, RecordingInfo};
use crate::tracks::{Track, TrackOptions, TrackReport, Tracks};

/// How often bodies are looked at, at least, per second.
const SLOWEST_PLAY: f64 = 25.0;
/// Rates of recordings above this are a slip of the finger.
const FASTEST_RATE: f64 = 1000.0;

/// How tracks are animated.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimateOptions {
    /// How they are read.
    pub import: ImportOptions,
    /// How they are smoothed.
    pub tracks: TrackOptions,
    /// How bodies follow, and what a film shows.
    pub film: FilmOptions,
    /// Frames per second of a recording.
    pub rate: f64,
}

impl Default for AnimateOptions {
    fn default() -> Self {
        Self {
            import: ImportOptions::default(),
            tracks: TrackOptions::default(),
            film: FilmOptions::default(),
            rate: 10.0,
        }
    }
}

/// What was animated.
#[derive(Clone, Debug, PartialEq)]
pub struct Animated {
    /// The file.
    pub path: PathBuf,
    /// How many people it has.
    pub people: u64,
    /// From the first to the last moment, s.
    pub duration: f64,
    /// Frames of the file.
    pub frames: u32,
    /// How many of them per second.
    pub fps: f64,
    /// Length of the file.
    pub bytes: u64,
    /// What was found in the tracks and done about it.
    pub tracks: TrackReport,
    /// How well bodies followed.
    pub fidelity: Fidelity,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimateStage {
    /// Tracks are read and smoothed.
    Reading,
    /// Bodies follow them.
    Following,
}

/// Gives everybody in the file at `tracks` a body that follows, and writes a film (`.glb`) or a recording
/// (`.parquet`) to `out`. `progress` is called now and then; on `false` it ends and leaves nothing behind.
///
/// # Errors
///
/// If the tracks cannot be read or make no sense, an option does not, or the file cannot be written.
pub fn animate(
    tracks: &Path,
    out: &Path,
    options: &AnimateOptions,
    mut progress: impl FnMut(AnimateStage, FilmProgress) -> bool,
) -> Result<Animated, FilmError> {
    let is_film = match out.extension().and_then(|ending| ending.to_str()) {
        Some(ending) if ending.eq_ignore_ascii_case("glb") => true,
        Some(ending) if ending.eq_ignore_ascii_case("parquet") => false,
        _ => {
            return Err(FilmError::Options(format!(
                "{} is neither a film (.glb) nor a recording (.parquet); name one of them with --out",
                out.display()
            )));
        }
    };
    // What is in the way is better said before the work than after it.
    crate::place::place_for(out, options.film.overwrite)?;
    let mut warnings = Vec::new();
    let mut reading = |done, total| progress(AnimateStage::Reading, FilmProgress { done, total });
    let (mut recording, staged) = open(tracks, out, options, &mut warnings, &mut reading)?;
    let info = RecordingInfo { terrain: recording.terrain_files()?, ..recording.info().clone() };
    let scene = recording.scene().ok();
    let mut film = options.film.clone();
    if is_film && recording.frame_count() > 0 {
        film.play.wardrobe = Some(dressed(&mut recording, scene.as_ref(), &film.play)?);
    }
    let (smooth, report) = Tracks::of(&mut recording, &options.tracks)?;
    drop((recording, staged));
    warnings.extend(report.warnings.iter().cloned());
    if smooth.is_empty() {
        let reason = format!("{}: there is nobody in it", tracks.display());
        return Err(FilmError::Options(reason));
    }
    let following = |frame| progress(AnimateStage::Following, frame);
    let written = if is_film {
        let mut motions = Tracked::new(&smooth);
        let filmed = write_glb(&mut motions, scene.as_ref(), out, &film, following)?;
        Written {
            people: filmed.people,
            frames: filmed.frames,
            fps: filmed.fps,
            bytes: filmed.bytes,
            fidelity: filmed.fidelity,
        }
    } else {
        record(&smooth, scene.as_ref(), info, out, options, following)?
    };
    Ok(Animated {
        path: out.into(),
        people: written.people,
        duration: f64::from(written.frames.saturating_sub(1)) / written.fps,
        frames: written.frames,
        fps: written.fps,
        bytes: written.bytes,
        tracks: report,
        fidelity: written.fidelity,
        warnings,
    })
}

/// What is in a file.
struct Written {
    people: u64,
    frames: u32,
    fps: f64,
    bytes: u64,
    fidelity: Fidelity,
}

/// The tracks as a recording: that itself, or one that is removed with the second value.
fn open(
    tracks: &Path,
    out: &Path,
    options: &AnimateOptions,
    warnings: &mut Vec<String>,
    progress: &mut impl FnMut(u64, u64) -> bool,
) -> Result<(Recording, Option<PartFile>), FilmError> {
    let ending = tracks.extension().and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("parquet")) {
        return Ok((Recording::open(tracks)?, None));
    }
    let (staged, _) = PartFile::create(out, options.film.overwrite)?;
    let import_options = ImportOptions { overwrite: Overwrite::Yes, ..options.import.clone() };
    let imported =
        import(tracks, staged.hidden(), &import_options, |step| progress(step.done, step.total))?;
    warnings.extend(imported.warnings);
    Ok((Recording::open(staged.hidden())?, Some(staged)))
}

/// Records where bodies are that follow `tracks`.
fn record(
    tracks: &Tracks,
    scene: Option<&Scene>,
    info: RecordingInfo,
    out: &Path,
    options: &AnimateOptions,
    mut progress: impl FnMut(FilmProgress) -> bool,
) -> Result<Written, FilmError> {
    let rate = options.rate;
    if !(rate > 0.0 && rate <= FASTEST_RATE) {
        return Err(FilmError::Options(format!(
            "{rate} frames per second are not possible; give a number above 0 and up to {FASTEST_RATE}, e.g. \
             --rate 10"
        )));
    }
    // Bodies are looked at more often than they are recorded, so that they take the same steps at any rate.
    let steps = (SLOWEST_PLAY / rate).ceil().max(1.0);
    let mut play = options.film.play.clone();
    play.fps = rate * steps;
    let mut motions = Tracked::new(tracks);
    let mut playback = Playback::new(&mut motions, scene, &play)?;
    let mut judge = Judge::of(&playback);
    let (part, _) = PartFile::create(out, options.film.overwrite)?;
    let info = RecordingInfo { step: rate.recip(), record_every: 1, ..info };
    let mut recorder = Recorder::create(part.hidden(), info, Overwrite::Yes)?;
    let mut frame = Frame::default();
    let mut people = std::collections::BTreeSet::new();
    while playback.advance()? {
        judge.watch(&playback);
        let number = playback.played() - 1;
        if number.is_multiple_of(steps as u32) {
            frame.index = number / steps as u32;
            frame.time = playback.begin() + f64::from(frame.index) / rate;
            frame.people.clear();
            for member in playback.members() {
                people.insert(member.id);
                let track = tracks.get(member.id);
                let point = track.and_then(|track| track.at(playback.time()));
                let placement = member.placement().translation;
                frame.people.push(Person {
                    id: member.id,
                    group: track.map(Track::group).unwrap_or_default(),
                    layer: point.map(|point| point.layer).unwrap_or_default(),
                    position: member.position(),
                    height: placement.y,
                    heading: member.heading().radians(),
                    velocity: member.velocity(),
                    radius: DEFAULT_RADIUS as f32,
                    status: Status::default(),
                    blocked_by: None,
                });
            }
            recorder.push(&frame)?;
        }
        let (done, total) = (playback.played().into(), playback.frames().into());
        if !progress(FilmProgress { done, total }) {
            return Err(FilmError::Interrupted);
        }
    }
    let frames = recorder.finish()?.frames;
    let (people, fidelity) = (people.len() as u64, judge.finish());
    Ok(Written { people, frames, fps: rate, bytes: part.publish()?, fidelity })
}
