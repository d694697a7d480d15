//! Figures of scenes, recordings and motion clips, as one would put them into a paper.
//!
//! [`plot_file`] draws a scene or a recording, and [`Figure::save`] writes it as PNG or SVG:
//!
//! ```no_run
//! use throng::recording::Overwrite;
//! use throng_plot::{Kind, Options, plot_file};
//!
//! let options = Options { kind: Some(Kind::Density), ..Options::default() };
//! let figure = plot_file("corridor.parquet".as_ref(), &options, &mut |_, _| {})?;
//! figure.save("density.png".as_ref(), None, Overwrite::No)?;
//! # Ok::<(), throng_plot::PlotError>(())
//! ```
//!
//! Every figure is first laid out as a [`Page`](draw::Page) of paths and texts, which then becomes
//! pixels or SVG. Recordings are read frame by frame, and what is kept of them is bounded, so a
//! recording of any length can be drawn.

mod chart;
mod clips;
mod colour;
mod diagrams;
pub mod draw;
mod error;
mod excerpt;
mod field;
mod figure;
mod flow;
mod fundamental;
mod ground;
mod heat;
mod labels;
mod layout;
mod lines;
mod map;
mod measures;
mod nav;
mod options;
mod positions;
mod scale;
mod scene;
mod style;
mod ticks;
mod trajectories;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use throng::Scene;
use throng::recording::Recording;

pub use clips::{ClipFigure, MOST_CLIPS, draw_clips};
pub use error::PlotError;
pub use figure::{Figure, Format, Subject, Written, check_free};
pub use flow::{FlowCurve, draw_flow};
pub use fundamental::{FundamentalSeries, draw_fundamental};
pub use options::{Area, ColourBy, FieldChoice, Kind, MeasuringLine, Options, Way};

use excerpt::Excerpt;

/// Is told how many frames have been read, and how many there are.
pub type Progress<'p> = &'p mut dyn FnMut(u32, u32);

/// Draws a recording or a scene, whichever is in the file.
///
/// # Errors
///
/// If the file is neither, or what `options` ask for is not in it.
pub fn plot_file(path: &Path, options: &Options, progress: Progress) -> Result<Figure, PlotError> {
    if is_parquet(path) {
        plot_recording(&mut Recording::open(path)?, options, progress)
    } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        plot_scene(Scene::load(path)?, options)
    } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet")) {
        // What is wrong with it is best told by its reader.
        plot_recording(&mut Recording::open(path)?, options, progress)
    } else {
        Err(PlotError::NoInput { path: path.into() })
    }
}

/// Draws a recording.
///
/// # Errors
///
/// If it cannot be read, or what `options` ask for is not in it.
pub fn plot_recording(
    recording: &mut Recording,
    options: &Options,
    progress: Progress,
) -> Result<Figure, PlotError> {
    let kind = options.kind.unwrap_or_default();
    check(kind, options)?;
    let mut excerpt = Excerpt::new(recording, options, progress)?;
    match kind {
        Kind::Trajectories => trajectories::plot(&mut excerpt, options, progress),
        Kind::Density | Kind::Speed => heat::plot(&mut excerpt, kind, options, progress),
        Kind::Positions => positions::plot(&mut excerpt, options, progress),
        Kind::Fundamental => diagrams::fundamental(&mut excerpt, options, progress),
        Kind::Flow => diagrams::flow(&mut excerpt, options, progress),
        Kind::Nav => nav::plot_recorded(&mut excerpt, options),
        Kind::Field => field::plot_recorded(&mut excerpt, options),
    }
}

/// Draws a scene: what is there, who starts where, and where they want to go; or its ways, or fields.
///
/// # Errors
///
/// If its people find no room, or `options` ask for what only a recording has.
pub fn plot_scene(scene: Scene, options: &Options) -> Result<Figure, PlotError> {
    let refuse = |what: String| {
        let remedy = "needs a recording, and this is a scene; record it with `throng run` first";
        Err(PlotError::options(what, remedy))
    };
    if options.kind == Some(Kind::Nav) {
        check(Kind::Nav, options)?;
        let mut notes = Vec::new();
        let layer = scene::floor(&scene, options, &mut notes)?;
        return nav::plot(&scene, layer, notes, options);
    }
    if options.kind == Some(Kind::Field) {
        check(Kind::Field, options)?;
        return field::plot(&scene, Vec::new(), options);
    }
    check_way(options.kind, options)?;
    check_field(options.kind, options)?;
    if let Some(kind) = options.kind {
        return refuse(format!("a plot of {}", kind.name()));
    }
    if options.colour == Some(ColourBy::Speed) {
        return refuse("colour by speed".into());
    }
    if options.from.is_some() || options.to.is_some() || options.at.is_some() {
        return refuse("a time".into());
    }
    scene::plot(scene, options)
}

/// Refuses options that would have no effect.
fn check(kind: Kind, options: &Options) -> Result<(), PlotError> {
    check_way(Some(kind), options)?;
    check_field(Some(kind), options)?;
    let is_timed = options.from.is_some() || options.to.is_some() || options.at.is_some();
    if kind == Kind::Nav && is_timed {
        let remedy = "is the same at all times; leave out --from, --to and --at";
        return Err(PlotError::options("a map of ways", remedy));
    }
    let is_map_of_people = matches!(kind, Kind::Trajectories | Kind::Positions);
    if options.colour.is_some() && !is_map_of_people {
        let what = format!("a plot of {}", kind.name());
        return Err(PlotError::options(what, "has colours of its own; leave out the choice"));
    }
    let is_momentary = matches!(kind, Kind::Positions | Kind::Field);
    if is_momentary && (options.from.is_some() || options.to.is_some()) {
        let what = format!("a plot of {}", kind.name());
        let remedy = "is of one moment; say which with --at instead of --from and --to";
        return Err(PlotError::options(what, remedy));
    }
    if !is_momentary && options.at.is_some() {
        let what = format!("a plot of {}", kind.name());
        let remedy = "is about a period; give --from and --to instead of --at";
        return Err(PlotError::options(what, remedy));
    }
    for (name, time) in [("--from", options.from), ("--to", options.to), ("--at", options.at)] {
        if time.is_some_and(|time| !time.is_finite()) {
            return Err(PlotError::options(name, "must be a number of seconds"));
        }
    }
    match kind {
        Kind::Flow if !options.areas.is_empty() => {
            Err(PlotError::options("a plot of flow", "is about a line; leave out --area"))
        }
        Kind::Fundamental if options.line.is_some() => {
            Err(PlotError::options("a fundamental diagram", "is about areas; leave out --line"))
        }
        _ => Ok(()),
    }
}

/// Refuses a way on figures that show none.
fn check_way(kind: Option<Kind>, options: &Options) -> Result<(), PlotError> {
    if options.to_layer.is_some() && options.way.is_none() {
        return Err(PlotError::options("--to-layer", "is where a way ends; give it with --way"));
    }
    if options.way.is_some() && kind != Some(Kind::Nav) {
        return Err(PlotError::options("--way", "is shown on a map of ways; add --nav"));
    }
    match (options.ways, &options.way) {
        (Some(_), None) => {
            Err(PlotError::options("--ways", "are from one point to another; give them with --way"))
        }
        (Some(_), Some(way)) if way.points().len() > 2 => {
            Err(PlotError::options("--ways", "are from one point to another; leave out the others"))
        }
        _ => Ok(()),
    }
}

/// Refuses the choice of a field on figures that show none.
fn check_field(kind: Option<Kind>, options: &Options) -> Result<(), PlotError> {
    if options.field.is_some() && kind != Some(Kind::Field) {
        return Err(PlotError::options("--field", "is a figure of its own; leave out other kinds"));
    }
    Ok(())
}

/// Whether a file begins as all Parquet files do.
fn is_parquet(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && &magic == b"PAR1"
}
