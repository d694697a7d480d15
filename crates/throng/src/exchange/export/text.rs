//! The text format of the pedestrian dynamics data archive in Jülich: comments that tell the frame
//! rate and the unit, then a line for each person and frame.
//!
//! PedPy finds the frame rate as the first number in a comment with the word "framerate", and the
//! unit in the last comment that has one. So these two come first and last, and whatever the scene
//! is called cannot be mistaken for either.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Writer;
use crate::exchange::ExchangeError;
use crate::recording::{Frame, RecordingInfo};

pub(super) struct Archive {
    file: BufWriter<File>,
    path: PathBuf,
}

impl Archive {
    pub(super) fn begin(
        file: File,
        path: &Path,
        info: &RecordingInfo,
        fps: f64,
    ) -> Result<Self, ExchangeError> {
        let mut file = BufWriter::new(file);
        let name: String = info.scene_name.replace(char::is_control, " ");
        // As the archive does it, unless that would cut digits off.
        let fps = if (fps * 100.0).fract() == 0.0 { format!("{fps:.2}") } else { fps.to_string() };
        let header = format!(
            "# framerate: {fps} fps\n\
             # description: {name}, written by Throng {}\n\
             # id frame x/m y/m z/m\n",
            env!("CARGO_PKG_VERSION")
        );
        file.write_all(header.as_bytes()).map_err(ExchangeError::write(path))?;
        Ok(Self { file, path: path.into() })
    }
}

impl Writer for Archive {
    fn write(&mut self, number: i64, frame: &Frame, shown: &[usize]) -> Result<(), ExchangeError> {
        let people = &frame.people;
        let mut lines = shown.iter().map(|&i| {
            // Adding zero makes -0 a 0.
            let (id, at, z) = (people.ids[i], people.positions[i] + 0.0, people.heights[i] + 0.0);
            writeln!(self.file, "{id} {number} {} {} {z}", at.x, at.y)
        });
        lines.try_for_each(|written| written).map_err(ExchangeError::write(&self.path))
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<String>, ExchangeError> {
        self.file.flush().map_err(ExchangeError::write(&self.path))?;
        Ok(Vec::new())
    }
}
