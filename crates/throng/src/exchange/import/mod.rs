//! Tracks of other programs as a recording.
//!
//! A reader for each format turns the file into [`Row`]s, which may come in any order. They are
//! [staged](staging) in a temporary database, which sorts them without holding them in memory; then
//! [frames](grid) are found, everything is [judged](survey) as a whole, and the recording is
//! [written](assemble). What is wrong with the tracks is found before anything is written.

mod assemble;
mod columns;
mod database;
mod detect;
mod grid;
mod headerless;
mod layout;
mod lines;
mod order;
mod rec;
mod row;
mod scene;
mod staging;
mod survey;
mod table;

use std::path::{Path, PathBuf};

use throng_base::Bounds;
use throng_world::scene::Camera;
use throng_world::walkable::Area;

pub use self::columns::{Column, Columns};
use self::detect::Prefix;
use self::row::Names;
pub(super) use self::row::shown;
use self::staging::Staging;
pub(crate) use self::survey::{FASTEST, WALKING_SPEEDS, fitting_unit};
use super::{ExchangeError, Progress, Stage, rate};
use crate::place::{FileError, Overwrite, PartFile, occupant};

/// What can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportFormat {
    /// A table with a header, with the columns of a recording or some of them.
    Csv,
    /// A table without a header: `frame id x y` or `id frame x y`, as the numbers tell, or what
    /// [`ImportOptions::columns`] says.
    Headerless,
    /// A database of JuPedSim, version 1 or 2.
    JupedsimSqlite,
    /// The text format of the pedestrian dynamics data archive.
    JupedsimTxt,
    /// `obsmat.txt` of the ETH walking pedestrians dataset: eight columns of numbers.
    Obsmat,
    /// A rec file of SteerSuite, version 1 or 2.
    SteersuiteRec,
}

impl ImportFormat {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Csv,
        Self::Headerless,
        Self::JupedsimSqlite,
        Self::JupedsimTxt,
        Self::Obsmat,
        Self::SteersuiteRec,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Headerless => "headerless",
            Self::JupedsimSqlite => "jupedsim-sqlite",
            Self::JupedsimTxt => "jupedsim-txt",
            Self::Obsmat => "obsmat",
            Self::SteersuiteRec => "steersuite",
        }
    }
}

/// What lengths are measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// m
    #[default]
    Metre,
    /// cm
    Centimetre,
    /// mm
    Millimetre,
}

impl Unit {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Metre, Self::Centimetre, Self::Millimetre];

    /// Its symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Centimetre => "cm",
            Self::Millimetre => "mm",
        }
    }

    /// How many of it make a metre.
    pub(crate) fn per_metre(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 100.0,
            Self::Millimetre => 1000.0,
        }
    }
}

/// How tracks are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// What the file is; by default its content and name tell.
    pub format: Option<ImportFormat>,
    /// Frames per second, instead of what the file says.
    pub fps: Option<f64>,
    /// What lengths are measured in, instead of what the file says.
    pub unit: Option<Unit>,
    /// What the columns of a table are called, or their numbers if it has no header.
    pub columns: Columns,
    /// What stands between the columns of a table; by default its first row tells.
    pub delimiter: Option<u8>,
    /// Whether heights are ignored, and everyone is put on ground at height 0.
    pub flat: bool,
    /// Whether a recording that is there already may be replaced.
    pub overwrite: Overwrite,
}

/// What was imported.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The recording.
    pub path: PathBuf,
    /// What the tracks were.
    pub format: ImportFormat,
    /// What the columns of a table without a header were taken for, in their order: `frame id x y`,
    /// with `-` for those that were not read.
    pub columns: Option<String>,
    /// What their lengths were measured in.
    pub unit: Unit,
    /// Frames, with those that nobody is in.
    pub frames: u32,
    /// Frames per second.
    pub fps: f64,
    /// Time from the first frame to the last, s.
    pub duration: f64,
    /// People.
    pub people: u64,
    /// Rows: people times the frames they are in.
    pub rows: u64,
    /// How many times somebody is missing for a while and comes back.
    pub gaps: u64,
    /// Way of all people by the time it took them, m/s; `None` if nobody is in two frames.
    pub mean_speed: Option<f64>,
    /// Obstacles in the recorded scene, from the geometry of the file.
    pub obstacles: usize,
    /// Length of the recording's file.
    pub bytes: u64,
    /// What the user should know about the result.
    pub warnings: Vec<String>,
}

/// Reads the tracks at `tracks` and records them at `out`. `progress` is called now and then; on
/// `false` the import ends and leaves nothing behind.
///
/// # Errors
///
/// If the tracks cannot be read or make no sense, or the recording cannot be written.
pub fn import(
    tracks: impl AsRef<Path>,
    out: impl AsRef<Path>,
    options: &ImportOptions,
    mut progress: impl FnMut(Progress) -> bool,
) -> Result<Imported, ExchangeError> {
    let (tracks, out) = (tracks.as_ref(), out.as_ref());
    check_options(tracks, options)?;
    // What is in the way is better said before the work than after it.
    if options.overwrite == Overwrite::No && occupant(out)?.is_some() {
        return Err(FileError::Exists { path: out.into() }.into());
    }
    let prefix = Prefix::read(tracks)?;
    let format = options.format.map_or_else(|| prefix.format(options.delimiter), Ok)?;
    let format = match format {
        // Whoever numbers the columns of an unexplained table knows what they are.
        ImportFormat::Obsmat if options.format.is_none() && options.columns.are_named() => {
            ImportFormat::Headerless
        }
        _ => format,
    };
    check_reading(tracks, format, options)?;
    let mut watch = Watch { progress: &mut progress, calls: 0 };
    let mut job = Job { tracks, options, staging: Staging::new()?, watch: &mut watch };
    let source = match format {
        ImportFormat::Csv => table::read(&mut job, &prefix)?,
        ImportFormat::JupedsimSqlite => database::read(&mut job)?,
        ImportFormat::Headerless | ImportFormat::JupedsimTxt | ImportFormat::Obsmat => {
            headerless::read(&mut job, &prefix, format)?
        }
        ImportFormat::SteersuiteRec => rec::read(&mut job)?,
    };
    let Job { mut staging, .. } = job;

    let grid = grid::settle(&mut staging, tracks, options.fps.or(source.fps))?;
    let survey = survey::survey(&staging, &grid)?;
    let mut warnings = survey.judge(tracks, &source, options)?;
    warnings.extend_from_slice(&source.warnings);
    let plan = scene::describe(tracks, format, &source, &survey, &grid, &staging)?;
    warnings.extend(plan.warning.clone());
    if grid.moved > 0.0 {
        warnings.push(format!(
            "frames step by {}, but not everywhere; to keep the step, some are recorded up to \
             {:.3} s early or late",
            grid.stride, grid.moved
        ));
    }

    let (part, _) = PartFile::create(out, options.overwrite)?;
    let rows = assemble::write(&staging, &grid, plan.info, part.hidden(), out, &mut watch)?;
    Ok(Imported {
        path: out.into(),
        format,
        columns: source.columns,
        unit: source.unit,
        frames: grid.frames,
        fps: rate(grid.interval()),
        duration: f64::from(grid.frames - 1) * grid.interval(),
        people: survey.people,
        rows,
        gaps: survey.gaps,
        mean_speed: survey.mean_speed(),
        obstacles: plan.obstacles,
        bytes: part.publish()?,
        warnings,
    })
}

/// What the readers work with.
struct Job<'a, 'p> {
    tracks: &'a Path,
    options: &'a ImportOptions,
    staging: Staging,
    watch: &'a mut Watch<'p>,
}

impl Job<'_, '_> {
    /// What to divide lengths by, given the unit that the file claims.
    fn unit(&self, of_file: Option<Unit>) -> Unit {
        self.options.unit.or(of_file).unwrap_or_default()
    }
}

/// What a file says beyond its rows.
#[derive(Default)]
struct Source {
    unit: Unit,
    fps: Option<f64>,
    /// What the columns of a table without a header were taken for.
    columns: Option<String>,
    geometry: Vec<Area>,
    /// What stands around, where the file does not tell the walkable area: corners on the ground and
    /// heights, m.
    boxes: Vec<(Bounds, f32)>,
    /// Views of it that the file suggests, with heights above zero.
    cameras: Vec<Camera>,
    groups: Names,
    layers: Names,
    warnings: Vec<String>,
}

/// Tells the caller how far it is, but not with every row.
struct Watch<'p> {
    progress: &'p mut dyn FnMut(Progress) -> bool,
    calls: u64,
}

impl Watch<'_> {
    fn reading(&mut self, done: u64, total: u64) -> Result<(), ExchangeError> {
        self.tell(Progress { stage: Stage::Reading, done, total }, 4096)
    }

    fn writing(&mut self, done: u64, total: u64) -> Result<(), ExchangeError> {
        self.tell(Progress { stage: Stage::Writing, done, total }, 16)
    }

    fn tell(&mut self, progress: Progress, every: u64) -> Result<(), ExchangeError> {
        self.calls += 1;
        if self.calls.is_multiple_of(every) && !(self.progress)(progress) {
            return Err(ExchangeError::Interrupted);
        }
        Ok(())
    }
}

fn check_options(tracks: &Path, options: &ImportOptions) -> Result<(), ExchangeError> {
    match options.fps {
        Some(fps) if !(fps > 0.0 && fps <= 1e6) => {
            let reason = format!("{fps} frames per second are not possible; e.g. --fps 25");
            Err(ExchangeError::tracks(tracks, reason))
        }
        _ => Ok(()),
    }
}

/// Refuses options that the format has no use for.
fn check_reading(
    tracks: &Path,
    format: ImportFormat,
    options: &ImportOptions,
) -> Result<(), ExchangeError> {
    let fixed_columns = match format {
        ImportFormat::Csv | ImportFormat::Headerless | ImportFormat::JupedsimTxt => return Ok(()),
        ImportFormat::Obsmat => options.columns.are_named(),
        ImportFormat::JupedsimSqlite | ImportFormat::SteersuiteRec => {
            options.columns != Columns::default() || options.delimiter.is_some()
        }
    };
    if !fixed_columns {
        return Ok(());
    }
    let reason = format!(
        "--columns and --delimiter are for tables; the columns of {} are fixed",
        format.name()
    );
    Err(ExchangeError::tracks(tracks, reason))
}
