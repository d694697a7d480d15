//! CSV with a header, and with columns of any name.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::rc::Rc;

use csv::{ByteRecord, ReaderBuilder, Terminator};

use super::detect::Prefix;
use super::layout::Layout;
use super::row::Row;
use super::{Job, Source};
use crate::exchange::ExchangeError;
use crate::place::FileError;

/// A quote that is never closed makes one record of the rest of a file; no row is longer than this.
const LONGEST: usize = 1 << 20;

pub(super) fn read(job: &mut Job, prefix: &Prefix) -> Result<Source, ExchangeError> {
    let (path, options) = (job.tracks, job.options);
    let file = File::open(path).map_err(FileError::io("open", path))?;
    let total = file.metadata().map_or(0, |metadata| metadata.len());
    let room = Rc::new(Cell::new(LONGEST));
    let mut reader = ReaderBuilder::new()
        .delimiter(options.delimiter.or_else(|| prefix.delimiter()).unwrap_or(b','))
        // By default a line feed after a carriage return counts with the row after, and lines one less.
        .terminator(if prefix.has_line_feeds() { Terminator::Any(b'\n') } else { Terminator::CRLF })
        .comment(Some(b'#'))
        .flexible(true)
        .from_reader(Limited { file, room: room.clone() });
    let at = |line, reason| ExchangeError::Line { path: path.into(), line, reason };
    let broken = |error: csv::Error, line| at(line, error.to_string());

    let header = reader.byte_headers().map_err(|error| broken(error, 1))?.clone();
    let header_line = header.position().map_or(1, csv::Position::line);
    let layout = Layout::of_header(&header, options).map_err(|reason| at(header_line, reason))?;
    let mut source = Source { unit: job.unit(None), ..Source::default() };
    let scale = source.unit.per_metre();
    let watch = &mut *job.watch;
    job.staging.fill(|staging| {
        let mut record = ByteRecord::new();
        loop {
            room.set(LONGEST);
            let next = reader.position().line();
            if !reader.read_byte_record(&mut record).map_err(|error| broken(error, next))? {
                return Ok(());
            }
            // A line with nothing but a carriage return.
            if record.len() == 1 && record[0].trim_ascii().is_empty() {
                continue;
            }
            let position = record.position();
            let line = position.map_or(next, csv::Position::line);
            let row = layout.row(record.len(), |place| record.get(place), scale, &mut source);
            let row = row.map_err(|reason| at(line, reason))?;
            staging.insert(&Row { line, ..row })?;
            watch.reading(reader.position().byte(), total)?;
        }
    })?;
    Ok(source)
}

/// A file that ends with an error where a record takes more room than it may.
struct Limited {
    file: File,
    room: Rc<Cell<usize>>,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.room.get() == 0 {
            let message = format!("a row is longer than {LONGEST} bytes; is a quote left open?");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let read = self.file.read(buffer)?;
        self.room.set(self.room.get().saturating_sub(read));
        Ok(read)
    }
}
