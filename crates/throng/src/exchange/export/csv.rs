//! A recording as a table of text, with the columns it has as Parquet.
//!
//! Numbers are written with as many digits as it takes to read the same number back.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use super::Writer;
use crate::exchange::ExchangeError;
use crate::recording::{Frame, RecordingInfo, column_names};

pub(super) struct Table {
    writer: csv::Writer<BufWriter<File>>,
    path: PathBuf,
    groups: Vec<String>,
    layers: Vec<String>,
    text: String,
}

impl Table {
    pub(super) fn begin(
        file: File,
        path: &Path,
        info: &RecordingInfo,
    ) -> Result<Self, ExchangeError> {
        let mut writer = csv::Writer::from_writer(BufWriter::new(file));
        writer.write_record(column_names()).map_err(ExchangeError::write(path))?;
        Ok(Self {
            writer,
            path: path.into(),
            groups: info.groups.iter().map(|group| group.name.clone()).collect(),
            layers: info.layers.iter().map(|layer| layer.name.clone()).collect(),
            text: String::new(),
        })
    }

    fn field(&mut self, value: impl std::fmt::Display) -> csv::Result<()> {
        use std::fmt::Write;
        self.text.clear();
        // Writing to a string does not fail.
        let _ = write!(self.text, "{value}");
        self.writer.write_field(&self.text)
    }

    fn person(&mut self, frame: &Frame, index: usize) -> csv::Result<()> {
        let person = frame.people.get(index);
        self.field(frame.index)?;
        self.field(frame.time)?;
        self.field(person.id)?;
        self.writer.write_field(&self.groups[person.group.0 as usize])?;
        self.writer.write_field(&self.layers[person.layer.0 as usize])?;
        let [x, y] = person.position.to_array();
        let [vx, vy] = person.velocity.to_array();
        for number in [x, y, person.height, person.heading, vx, vy, person.radius] {
            // Adding zero makes -0 a 0.
            self.field(number + 0.0)?;
        }
        self.field(person.status)?;
        match person.blocked_by {
            Some(id) => self.field(id)?,
            None => self.writer.write_field("")?,
        }
        self.writer.write_record(None::<&[u8]>)
    }
}

impl Writer for Table {
    fn write(&mut self, _: i64, frame: &Frame, shown: &[usize]) -> Result<(), ExchangeError> {
        let written = shown.iter().try_for_each(|&index| self.person(frame, index));
        written.map_err(ExchangeError::write(&self.path))
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<String>, ExchangeError> {
        self.writer.flush().map_err(ExchangeError::write(&self.path))?;
        Ok(Vec::new())
    }
}
