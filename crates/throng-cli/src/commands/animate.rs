//! `throng animate`.

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Instant;

use indicatif::DecimalBytes;
use serde::Serialize;
use throng::film::{
    AnimateOptions, AnimateStage, Animated, FilmOptions, PlayOptions, Spread, animate,
};
use throng::tracks::{TrackOptions, TrackReport};

use super::film::{Slip, bar};
use crate::args::AnimateArguments;
use crate::failure::Failure;
use crate::interruption::watch_for_interruption;
use crate::report;

/// Gives tracks bodies.
pub fn run(arguments: &AnimateArguments) -> Result<(), Failure> {
    let interrupted = watch_for_interruption()?;
    let (tracks, out) = (&arguments.tracks, &arguments.out);
    if super::is_same_file(out, tracks) {
        let message = format!("{} is the file with the tracks; write to another", out.display());
        return Err(Failure::Input(message));
    }
    let begin = Instant::now();
    let mut bar = bar();
    let animated = animate(tracks, out, &options(arguments)?, |stage, progress| {
        if stage == AnimateStage::Following {
            bar(progress);
        }
        !interrupted.load(Ordering::Relaxed)
    })?;
    drop(bar);
    animated.warnings.iter().for_each(|warning| report::warning(warning));
    let summary = Summary::new(arguments, animated, begin.elapsed().as_secs_f64());
    arguments.format.print(&summary)
}

fn options(arguments: &AnimateArguments) -> Result<AnimateOptions, Failure> {
    let mut play: PlayOptions = arguments.film.play(arguments.fps, arguments.seed);
    if let Some(tolerance) = arguments.tolerance {
        if !(tolerance.is_finite() && tolerance >= 0.0) {
            let message = format!("--tolerance is {tolerance} m; give 0 or more, e.g. 0.5");
            return Err(Failure::Input(message));
        }
        play.performer.tolerance = tolerance;
    }
    let overwrite = arguments.force.into();
    let usual = AnimateOptions::default();
    Ok(AnimateOptions {
        import: arguments.reading.options(arguments.track_format, arguments.track_fps, overwrite),
        tracks: TrackOptions { noise: arguments.noise, ..TrackOptions::default() },
        film: FilmOptions { play, scenery: !arguments.film.bare, overwrite },
        rate: arguments.rate.unwrap_or(usual.rate),
    })
}

/// What was animated.
#[derive(Serialize)]
struct Summary {
    tracks: String,
    file: String,
    bytes: u64,
    people: u64,
    duration: f64,
    frames: u32,
    fps: f64,
    found: TrackReport,
    poses: u64,
    deviation: Spread,
    within_10_cm: f64,
    slip: Slip,
    seconds: f64,
    times_real_time: f64,
    warnings: Vec<String>,
}

impl Summary {
    fn new(arguments: &AnimateArguments, animated: Animated, seconds: f64) -> Self {
        let fidelity = &animated.fidelity;
        Self {
            tracks: arguments.tracks.display().to_string(),
            file: animated.path.display().to_string(),
            bytes: animated.bytes,
            people: animated.people,
            duration: animated.duration,
            frames: animated.frames,
            fps: animated.fps,
            poses: fidelity.poses,
            deviation: fidelity.deviation,
            within_10_cm: fidelity.within_10_cm,
            slip: (&fidelity.skate).into(),
            found: animated.tracks,
            seconds,
            times_real_time: animated.duration / seconds.max(1e-9),
            warnings: animated.warnings,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let people = report::people(self.people);
        writeln!(f, "{}: {people}, {}", self.tracks, report::seconds(self.duration))?;
        // Warnings have been told already.
        let found = TrackReport { warnings: Vec::new(), ..self.found.clone() };
        writeln!(f, "  {}", found.to_string().trim_end().replace('\n', "\n  "))?;
        let Spread { mean, p95, max, .. } = self.deviation;
        let [mean, p95, max] = [mean, p95, max].map(|metres| 100.0 * metres);
        let within = 100.0 * self.within_10_cm;
        writeln!(
            f,
            "  bodies   {mean:.1} cm from their tracks on average, 95 % {p95:.1}, at most {max:.1}; {within:.1} % \
             within 10 cm"
        )?;
        writeln!(f, "  feet     slide {}", self.slip)?;
        let times = self.times_real_time;
        writeln!(f, "  took     {}, {times:.0} times real time", report::seconds(self.seconds))?;
        let frames = report::counted(self.frames.into(), "frame", "frames");
        write!(f, "  {}: {frames} at {} fps, {}", self.file, self.fps, DecimalBytes(self.bytes))
    }
}
