//! A recording in the formats of other programs.

mod csv;
mod database;
mod rec;
mod sampler;
mod text;

use std::path::{Path, PathBuf};

use throng_world::scene::LayerId;

use self::sampler::Sampler;
use super::{ExchangeError, Progress, Stage};
use crate::place::{Overwrite, PartFile};
use crate::recording::{Frame, Recording, RecordingInfo};

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A table with the columns of the recording.
    Csv,
    /// A database of JuPedSim, version 2, with the walkable area.
    JupedsimSqlite,
    /// The text format of the pedestrian dynamics data archive.
    JupedsimTxt,
    /// A rec file of SteerSuite, version 2, with the obstacles.
    SteersuiteRec,
}

impl ExportFormat {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Csv, Self::JupedsimSqlite, Self::JupedsimTxt, Self::SteersuiteRec];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::JupedsimSqlite => "jupedsim-sqlite",
            Self::JupedsimTxt => "jupedsim-txt",
            Self::SteersuiteRec => "steersuite",
        }
    }

    /// Whether floors lie above each other in it, though it does not tell them apart.
    fn has_heights(self) -> bool {
        matches!(self, Self::JupedsimTxt | Self::SteersuiteRec)
    }
}

/// Which floors are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Floors {
    /// All where the format tells floors apart; elsewhere the only one, and an error if there are
    /// several.
    #[default]
    Unambiguous,
    /// All, even if the format tells them apart by height only.
    All,
    /// The one that is called so.
    Named(String),
}

/// How a recording is exported.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    /// What is written.
    pub format: ExportFormat,
    /// Which floors are written.
    pub floors: Floors,
    /// Frames per second, instead of the recording's. Frames of the recording are taken where they
    /// fall on the new ones; elsewhere people are put on the straight line between two frames.
    pub fps: Option<f64>,
    /// Whether a file that is there already may be replaced.
    pub overwrite: Overwrite,
}

impl ExportOptions {
    /// `format`, with everything else as it is by default.
    pub fn new(format: ExportFormat) -> Self {
        Self { format, floors: Floors::default(), fps: None, overwrite: Overwrite::No }
    }
}

/// What was exported.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// The file.
    pub path: PathBuf,
    /// Its format.
    pub format: ExportFormat,
    /// The only floor in it, if not all are.
    pub layer: Option<String>,
    /// Frames, with those that nobody is in.
    pub frames: u32,
    /// Frames per second.
    pub fps: f64,
    /// Rows: people times the frames they are in.
    pub rows: u64,
    /// Length of the file.
    pub bytes: u64,
    /// What the user should know about the result.
    pub warnings: Vec<String>,
}

/// Writes `recording` to `path`. `progress` is called after every frame; on `false` the export ends
/// and leaves nothing behind.
///
/// # Errors
///
/// If the recording cannot be read, has several floors where one must be chosen, or cannot be
/// written.
pub fn export(
    recording: &mut Recording,
    path: impl AsRef<Path>,
    options: &ExportOptions,
    mut progress: impl FnMut(Progress) -> bool,
) -> Result<Exported, ExchangeError> {
    let path = path.as_ref();
    let recorded = recording.path().to_path_buf();
    let refuse = |reason| ExchangeError::Export { path: recorded.clone(), reason };
    let layer = chosen_layer(recording.info(), options).map_err(refuse)?;
    let mut sampler = Sampler::new(recording, options.fps).map_err(refuse)?;
    let (frames, fps, first) = (sampler.frame_count(), sampler.fps(), sampler.first_number());

    let (part, file) = PartFile::create(path, options.overwrite)?;
    if options.format == ExportFormat::SteersuiteRec {
        sampler.look_for_people(layer)?;
    }
    let info = sampler.recording().info();
    let mut writer: Box<dyn Writer> = match options.format {
        ExportFormat::Csv => Box::new(csv::Table::begin(file, path, info)?),
        ExportFormat::JupedsimTxt => Box::new(text::Archive::begin(file, path, info, fps)?),
        ExportFormat::JupedsimSqlite => {
            let plan = database::plan(sampler.recording(), layer).map_err(refuse)?;
            Box::new(database::Database::begin(part.hidden(), path, fps, plan)?)
        }
        ExportFormat::SteersuiteRec => {
            let plan = rec::plan(&sampler, layer).map_err(refuse)?;
            Box::new(rec::Rec::begin(file, path, plan)?)
        }
    };

    let (mut frame, mut shown, mut rows) = (Frame::default(), Vec::new(), 0);
    for index in 0..frames {
        sampler.read(index, &mut frame)?;
        let on_floor = |&i: &usize| layer.is_none_or(|layer| frame.people.layers[i] == layer);
        shown.clear();
        shown.extend((0..frame.people.len()).filter(on_floor));
        rows += shown.len() as u64;
        writer.write(first + i64::from(index), &frame, &shown)?;
        let (done, total) = (u64::from(index) + 1, u64::from(frames));
        if !progress(Progress { stage: Stage::Writing, done, total }) {
            return Err(ExchangeError::Interrupted);
        }
    }
    let warnings = writer.finish()?;
    let name = |layer: LayerId| sampler.recording().info().layers[layer.0 as usize].name.clone();
    Ok(Exported {
        path: path.into(),
        format: options.format,
        layer: layer.map(name),
        frames,
        fps,
        rows,
        bytes: part.publish()?,
        warnings,
    })
}

/// A file that is being written, frame by frame.
trait Writer {
    /// Appends the people of `frame` at the indices `shown`. `number` counts frames from time 0.
    fn write(&mut self, number: i64, frame: &Frame, shown: &[usize]) -> Result<(), ExchangeError>;

    /// Completes the file, and tells what the user should know about it.
    fn finish(self: Box<Self>) -> Result<Vec<String>, ExchangeError>;
}

/// The floor to be written, if not all are, or why that is not clear.
fn chosen_layer(info: &RecordingInfo, options: &ExportOptions) -> Result<Option<LayerId>, String> {
    let names = || {
        let names: Vec<String> = info.layers.iter().map(|l| format!("{:?}", l.name)).collect();
        names.join(", ")
    };
    let format = options.format;
    match &options.floors {
        Floors::Named(name) => {
            let found = info.layers.iter().position(|layer| layer.name == *name);
            let found = found
                .ok_or_else(|| format!("there is no floor {name:?}; its floors are {}", names()))?;
            Ok(Some(LayerId(found as u8)))
        }
        _ if info.layers.len() <= 1 || format == ExportFormat::Csv => Ok(None),
        Floors::All if format.has_heights() => Ok(None),
        Floors::All => Err(format!(
            "{} knows no heights, so floors would lie in each other; choose one with --layer: {}",
            format.name(),
            names()
        )),
        Floors::Unambiguous => {
            let or_all = match format {
                ExportFormat::JupedsimTxt => {
                    ", or write all with --all-layers for programs that read z"
                }
                ExportFormat::SteersuiteRec => {
                    ", or write all with --all-layers for programs that read heights"
                }
                _ => "",
            };
            Err(format!(
                "it has several floors, and {} is read as one; choose a floor with --layer{or_all}: {}",
                format.name(),
                names()
            ))
        }
    }
}
