//! CSV with a header, and with columns of any name.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::rc::Rc;

use csv::{ByteRecord, ReaderBuilder};

use super::columns::Column;
use super::detect::Prefix;
use super::row::{self, Names, Row, shown};
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
        .delimiter(options.delimiter.unwrap_or_else(|| prefix.delimiter()))
        .comment(Some(b'#'))
        .flexible(true)
        .from_reader(Limited { file, room: room.clone() });
    let at = |line, reason| ExchangeError::Line { path: path.into(), line, reason };
    let broken = |error: csv::Error, line| at(line, error.to_string());

    let header = reader.byte_headers().map_err(|error| broken(error, 1))?.clone();
    let header_line = header.position().map_or(1, csv::Position::line);
    let layout = Layout::new(&header, options).map_err(|reason| at(header_line, reason))?;
    let mut source = Source { unit: job.unit(None), ..Source::default() };
    let watch = &mut *job.watch;
    job.staging.fill(|staging| {
        let mut record = ByteRecord::new();
        loop {
            room.set(LONGEST);
            let next = reader.position().line();
            if !reader.read_byte_record(&mut record).map_err(|error| broken(error, next))? {
                return Ok(());
            }
            let position = record.position();
            let line = position.map_or(next, csv::Position::line);
            let row = layout.row(&record, &mut source).map_err(|reason| at(line, reason))?;
            staging.insert(&Row { line, ..row })?;
            watch.reading(reader.position().byte(), total)?;
        }
    })?;
    Ok(source)
}

/// Where each column is in the file.
struct Layout {
    places: [Option<usize>; Column::ALL.len()],
    scale: f64,
}

impl Layout {
    fn new(header: &ByteRecord, options: &super::ImportOptions) -> Result<Self, String> {
        let header: Vec<String> =
            header.iter().map(|name| String::from_utf8_lossy(name).trim().to_lowercase()).collect();
        let has = header.iter().take(50).map(|name| shown(name)).collect::<Vec<_>>().join(", ");
        let mut places = [None; Column::ALL.len()];
        for column in Column::ALL {
            let name = options.columns.name(column).to_lowercase();
            let mut found = (0..header.len()).filter(|&i| !name.is_empty() && header[i] == name);
            places[column as usize] = found.next();
            if found.next().is_some() {
                return Err(format!("there are two columns {name:?}"));
            }
            if places[column as usize].is_none()
                && !name.is_empty()
                && options.columns.renamed(column).is_some()
            {
                return Err(format!("there is no column {name:?}; the columns are {has}"));
            }
        }
        if options.flat {
            places[Column::Z as usize] = None;
        }
        for column in [Column::Id, Column::X, Column::Y] {
            if places[column as usize].is_none() {
                let name = column.name();
                return Err(format!(
                    "there is no column \"{name}\"; the columns are {has}: say which it is, e.g. \
                     --columns {name}=…"
                ));
            }
        }
        if places[Column::Frame as usize].or(places[Column::Time as usize]).is_none() {
            return Err(format!(
                "there is neither a column \"time\" nor \"frame\"; the columns are {has}: say \
                 which it is, e.g. --columns time=…"
            ));
        }
        let scale = options.unit.unwrap_or_default().per_metre();
        Ok(Self { places, scale })
    }

    fn row(&self, record: &ByteRecord, source: &mut Source) -> Result<Row, String> {
        let text = |column: Column| -> Result<Option<&str>, String> {
            let Some(place) = self.places[column as usize] else { return Ok(None) };
            let field = record.get(place).ok_or_else(|| {
                format!("the row has only {} columns and no {}", record.len(), column.name())
            })?;
            str::from_utf8(field)
                .map(|text| Some(text.trim()))
                .map_err(|_| format!("{} is not text (UTF-8)", column.name()))
        };
        let number =
            |column| text(column)?.map(|text| row::number(Column::name(column), text)).transpose();
        let length = |column| number(column).map(|value| value.map(|value| value / self.scale));
        // In these a row may have nothing.
        let given = |column| text(column).map(|text| text.filter(|text| !text.is_empty()));
        let needed = |value: Option<f64>| value.unwrap_or_default();
        let mut row = Row {
            id: row::id("id", text(Column::Id)?.unwrap_or_default())?,
            frame: text(Column::Frame)?.map(|text| row::integer("frame", text)).transpose()?,
            time: number(Column::Time)?,
            x: needed(length(Column::X)?),
            y: needed(length(Column::Y)?),
            z: needed(length(Column::Z)?),
            velocity: length(Column::Vx)?.zip(length(Column::Vy)?).map(|(vx, vy)| [vx, vy]),
            heading: number(Column::Heading)?,
            radius: length(Column::Radius)?,
            blocked_by: given(Column::BlockedBy)?
                .map(|text| row::id("blocked_by", text))
                .transpose()?,
            status: given(Column::Status)?.map(str::parse).transpose()?,
            ..Row::default()
        };
        if let Some(name) = given(Column::Group)? {
            row.group = source.groups.number(name, Names::MOST_GROUPS)?;
        } else if self.places[Column::Group as usize].is_some() {
            return Err("group is missing".into());
        }
        if let Some(name) = given(Column::Layer)? {
            row.layer = source.layers.number(name, Names::MOST_LAYERS)? as u8;
        } else if self.places[Column::Layer as usize].is_some() {
            return Err("layer is missing".into());
        }
        row.check()?;
        Ok(row)
    }
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
