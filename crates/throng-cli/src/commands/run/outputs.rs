//! What a run writes: the recording, and a table of measurements beside it.

use std::path::{Path, PathBuf};

use indicatif::BinaryBytes;
use throng::Scene;
use throng::recording::{Frame, Recorder, RecordingError, RecordingInfo};
use throng_eval::line::Trim;
use throng_eval::{MeasurementFile, Measurements, table_path};

use super::summary::{Measured, Recorded, Results};
use crate::args::RunArguments;
use crate::commands::is_same_file;
use crate::commands::measure::nothing_to_measure;
use crate::failure::Failure;
use crate::report;

/// Where the frames of a run go.
pub struct Outputs {
    recorder: Option<Recorder>,
    table: Table,
}

/// What becomes of measurements.
enum Table {
    /// There are none.
    None,
    /// They are made for the summary only.
    Unwritten(Measurements),
    /// They are written down.
    File(MeasurementFile),
}

impl Outputs {
    /// Begins what `arguments` and `scene` ask for. Nothing is left behind if that fails.
    pub fn begin(arguments: &RunArguments, scene: &Scene) -> Result<Self, Failure> {
        let measurements = Measurements::new(scene);
        if arguments.no_record {
            let table = match measurements.is_empty() {
                true => Table::None,
                false => Table::Unwritten(measurements),
            };
            return Ok(Self { recorder: None, table });
        }
        let named_after_scene = || {
            let stem = arguments.scene.file_stem().unwrap_or_default();
            PathBuf::from(stem).with_added_extension("parquet")
        };
        let out = arguments.out.clone().unwrap_or_else(named_after_scene);
        if is_same_file(&out, &arguments.scene) {
            let out = out.display();
            let message = format!("{out} is the scene; give the recording another name");
            return Err(Failure::Input(message));
        }
        let overwrite = arguments.force.into();
        let info = RecordingInfo::of_scene(scene);
        if info.files.len() < scene.files.len() {
            report::warning(&format!(
                "the plans of the scene are larger than {}, so the recording is without them; to plot \
                 or export it with its walls, keep their files beside it",
                BinaryBytes(RecordingInfo::LARGEST_FILES as u64)
            ));
        }
        if let Some(first) = info.terrain.left_out().first() {
            report::warning(&format!(
                "the terrain of the scene is larger than {}, so the recording is without {first:?}; to export \
                 it with its ground, keep that file beside it",
                BinaryBytes(RecordingInfo::LARGEST_TERRAIN as u64)
            ));
        }
        let recorder = Recorder::create(&out, info, overwrite)?;
        let table = match table_for(arguments, scene, &out)? {
            None => Table::None,
            Some(path) => {
                Table::File(MeasurementFile::create(&path, scene, measurements, overwrite)?)
            }
        };
        Ok(Self { recorder: Some(recorder), table })
    }

    /// Whether nobody needs the frames.
    pub fn is_empty(&self) -> bool {
        self.recorder.is_none() && matches!(self.table, Table::None)
    }

    /// Records and measures a frame.
    pub fn keep(&mut self, frame: &Frame) -> Result<(), RecordingError> {
        if let Some(recorder) = &mut self.recorder {
            recorder.push(frame)?;
        }
        match &mut self.table {
            Table::None => Ok(()),
            Table::Unwritten(measurements) => {
                measurements.push(frame.into());
                Ok(())
            }
            Table::File(file) => file.push(frame),
        }
    }

    /// Completes the files.
    pub fn finish(self) -> Result<Results, RecordingError> {
        let measured = match self.table {
            Table::None => None,
            Table::Unwritten(mut measurements) => {
                measurements.finish();
                Some(Measured::new(None, measurements.summaries(Trim::default())))
            }
            Table::File(file) => {
                let path = file.path().display().to_string();
                Some(Measured::new(Some(path), file.finish(Trim::default())?))
            }
        };
        let recording = self.recorder.map(Recorded::finish).transpose()?;
        Ok(Results { recording, measured })
    }
}

/// Where measurements go, if there are any, beside a recording that has been begun at `out`.
fn table_for(
    arguments: &RunArguments,
    scene: &Scene,
    out: &Path,
) -> Result<Option<PathBuf>, Failure> {
    let Some(asked) = &arguments.measurements else {
        return Ok((!scene.measurements.is_empty()).then(|| table_path(out)));
    };
    if scene.measurements.is_empty() {
        return Err(nothing_to_measure(scene, "leave out --measurements"));
    }
    if is_same_file(asked, out) || is_same_file(asked, &arguments.scene) {
        let asked = asked.display();
        let message =
            format!("{asked} is the scene or its recording; give the measurements another name");
        return Err(Failure::Input(message));
    }
    Ok(Some(asked.clone()))
}
