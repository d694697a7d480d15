//! Rows of numbers without a header, which comments may explain.
//!
//! These are the text format of the pedestrian dynamics data archive, and the older one of JuPedSim
//! with more columns: `id frame x y [z …]`; `obsmat.txt` of the ETH walking pedestrians (Pellegrini
//! and others, 2009): `frame id x z y vx vz vy`, with y and z exchanged as usual in computer vision;
//! and tables without any explanation, such as the files `frame id x y` in which the ETH and UCY
//! datasets are passed on. Which columns are which, the user says, or a comment, or the format;
//! otherwise the order is [found](super::order) in the numbers.

use super::columns::Column;
use super::detect::{Prefix, fields};
use super::layout::Layout;
use super::lines::Lines;
use super::order::{Order, Sample, order};
use super::row::{self, Row};
use super::{ImportFormat, Job, Source, Unit};
use crate::exchange::ExchangeError;

/// As many rows are looked at to find the order of columns; they take 8 MB.
const MOST_SAMPLES: usize = 1 << 18;
const OBSMAT: [Option<Column>; 8] = [
    Some(Column::Frame),
    Some(Column::Id),
    Some(Column::X),
    Some(Column::Z),
    Some(Column::Y),
    Some(Column::Vx),
    None,
    Some(Column::Vy),
];

pub(super) fn read(
    job: &mut Job,
    prefix: &Prefix,
    format: ImportFormat,
) -> Result<Source, ExchangeError> {
    let options = job.options;
    let delimiter = options.delimiter.or_else(|| prefix.delimiter());
    let facts = TableFacts::of(job, format, delimiter)?;
    let (count, fps, unit) = (facts.columns, facts.fps, job.unit(facts.unit));
    let (layout, warnings) = facts.layout(job, format)?;
    let mut source = Source {
        unit,
        fps,
        columns: Some(layout.description(count)),
        warnings,
        ..Source::default()
    };
    let mut lines = Lines::open(job.tracks)?;
    let watch = &mut *job.watch;
    job.staging.fill(|staging| {
        while let Some(line) = lines.next()? {
            let row = fields(without_comment(line), delimiter);
            if row.is_empty() {
                continue;
            }
            if row.len() != count {
                let reason = format!("the row has {} columns, and the first {count}", row.len());
                return Err(lines.error(reason));
            }
            let field = |place: usize| row.get(place).map(|text| text.as_bytes());
            let row = layout.row(count, field, unit.per_metre(), &mut source);
            let row = row.map_err(|reason| lines.error(reason))?;
            staging.insert(&Row { line: lines.number(), ..row })?;
            let (done, total) = lines.progress();
            watch.reading(done, total)?;
        }
        Ok(())
    })?;
    Ok(source)
}

/// What comments say, and the beginning of what is in the first two columns.
#[derive(Default)]
struct TableFacts {
    fps: Option<f64>,
    unit: Option<Unit>,
    /// The order that a comment names.
    named: Option<Order>,
    /// Number of columns of the first row, and its line.
    columns: usize,
    first_line: u64,
    samples: Vec<Sample>,
    /// The first number in the first two columns that is not whole: its column and text.
    fraction: Option<(usize, String)>,
}

impl TableFacts {
    fn of(job: &Job, format: ImportFormat, delimiter: Option<u8>) -> Result<Self, ExchangeError> {
        let mut facts = Self::default();
        let mut lines = Lines::open(job.tracks)?;
        let y = if format == ImportFormat::Obsmat { 4 } else { 3 };
        while let Some(line) = lines.next()? {
            let comment = line.split_once('#').map_or("", |(_, comment)| comment);
            facts.fps = facts.fps.or_else(|| frame_rate(comment));
            facts.unit = unit_of(comment).or(facts.unit);
            facts.named = facts.named.or_else(|| named_order(comment));
            let row = fields(without_comment(line), delimiter);
            if row.is_empty() || facts.samples.len() >= MOST_SAMPLES {
                continue;
            }
            facts.sample(&row, y);
            if facts.columns == 0 {
                facts.columns = row.len();
                facts.first_line = lines.number();
            }
        }
        Ok(facts)
    }

    /// Rows with something else than numbers are left to the reader, which tells their line.
    fn sample(&mut self, row: &[&str], y: usize) {
        let number = |place: usize| row.get(place).and_then(|text| row::number("", text).ok());
        let (Some(x), Some(y)) = (number(2), number(y)) else { return };
        let numbers = [0, 1].map(|place| row::integer("", row[place]));
        for (place, whole) in numbers.iter().enumerate() {
            if whole.is_err() && number(place).is_some() {
                self.fraction.get_or_insert_with(|| (place, row[place].into()));
            }
        }
        if let [Ok(first), Ok(second)] = numbers {
            self.samples.push(([first, second], [x, y]));
        }
    }

    /// The layout that applies, and warnings about it.
    fn layout(
        mut self,
        job: &Job,
        format: ImportFormat,
    ) -> Result<(Layout, Vec<String>), ExchangeError> {
        let (options, count) = (job.options, self.columns);
        let wrong = |reason: String| ExchangeError::tracks(job.tracks, reason);
        let in_first_row = |reason: String| ExchangeError::Line {
            path: job.tracks.into(),
            line: self.first_line,
            reason,
        };
        if count == 0 {
            return Err(wrong("there are no rows in it".into()));
        }
        let found = order(&mut self.samples);
        let (layout, told) = if options.columns.are_named() {
            (Layout::of_numbers(options, count).map_err(wrong)?, true)
        } else if format == ImportFormat::Obsmat {
            if count != OBSMAT.len() {
                let reason =
                    format!("there are {count} columns; a row is: frame id x z y vx vz vy");
                return Err(in_first_row(reason));
            }
            (Layout::of_order(&OBSMAT, options).map_err(wrong)?, options.format.is_some())
        } else {
            if count < 4 {
                let reason =
                    format!("there are {count} columns; a row is: id frame x y z, or frame id x y");
                return Err(in_first_row(reason));
            }
            let is_archive = format == ImportFormat::JupedsimTxt;
            let stated =
                self.named.or((is_archive && options.format.is_some()).then_some(Order::IdFrame));
            // What has comments is likely an archive's.
            let likely = found.or(is_archive.then_some(Order::IdFrame));
            let Some(order) = stated.or(likely.filter(|_| self.fraction.is_none())) else {
                return Err(wrong(self.undecided()));
            };
            // The archive's rows have z and maybe more; of others, one more column is z.
            let has_z = count == 5 || (is_archive && order == Order::IdFrame && count > 5);
            let [first, second] = order.columns();
            let z = has_z.then_some(Column::Z);
            let columns = [first, second, Some(Column::X), Some(Column::Y), z];
            (Layout::of_order(&columns, options).map_err(wrong)?, stated.is_some())
        };
        let contradiction = found.filter(|found| {
            let [first, second] =
                found.columns().map(|column| column.and_then(|c| layout.place(c)));
            (first, second) == (Some(1), Some(0))
        });
        match contradiction {
            None => Ok((layout, Vec::new())),
            Some(order) => {
                let problem = format!(
                    "columns are read as {}, but people would move far more evenly if the first \
                     two were {}; if so, say {}",
                    layout.description(count),
                    order.name(),
                    order.option(),
                );
                if told { Ok((layout, vec![problem])) } else { Err(wrong(problem)) }
            }
        }
    }

    fn undecided(&self) -> String {
        match &self.fraction {
            Some((place, text)) => {
                let (time, id) = if *place == 0 { (1, 2) } else { (2, 1) };
                format!(
                    "column {time} has {}, and frames and ids are whole numbers; say what the \
                     columns are, for times e.g. --columns time={time},id={id},x=3,y=4",
                    row::shown(text)
                )
            }
            None => format!(
                "its columns may be {} x y or {} x y, and both make tracks; say which, with {} or \
                 {}",
                Order::FrameId.name(),
                Order::IdFrame.name(),
                Order::FrameId.option(),
                Order::IdFrame.option()
            ),
        }
    }
}

/// The order in a comment that lists the columns, like `PersID Frame X/cm Y/cm`.
fn named_order(comment: &str) -> Option<Order> {
    let comment = comment.to_lowercase();
    let mut words = comment.split(|c: char| c.is_whitespace() || ",;".contains(c));
    let mut next = || {
        let word = words.find(|word| !word.is_empty())?;
        word.split(['/', '[', '(']).next()
    };
    let names = [next()?, next()?, next()?, next()?];
    let is_id =
        |name| ["id", "persid", "pers_id", "personid", "person_id", "ped_id"].contains(name);
    let is_frame = |name| ["frame", "fr", "frame_id", "framenumber"].contains(name);
    match &names {
        [first, second, "x", "y"] if is_id(first) && is_frame(second) => Some(Order::IdFrame),
        [first, second, "x", "y"] if is_frame(first) && is_id(second) => Some(Order::FrameId),
        _ => None,
    }
}

fn without_comment(line: &str) -> &str {
    line.split_once('#').map_or(line, |(data, _)| data)
}

/// The number in a comment like `framerate: 25.00 fps`.
fn frame_rate(comment: &str) -> Option<f64> {
    let (_, after) = comment.split_once("framerate")?;
    let digits = after.trim_start_matches([':', '=', ' ', '\t']);
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
    digits[..end].parse().ok().filter(|fps: &f64| *fps > 0.0 && fps.is_finite())
}

/// The unit in a comment like `id frame x/cm y/cm z/cm` or `coordinates in m`.
fn unit_of(comment: &str) -> Option<Unit> {
    let comment = comment.to_lowercase();
    let mut words = comment.split(|c: char| c.is_whitespace() || "(),;[]".contains(c));
    let unit = |symbol: &str| Unit::ALL.into_iter().find(|unit| unit.symbol() == symbol);
    let mut previous = "";
    words.find_map(|word| {
        let of_column = word.strip_prefix("x/").and_then(unit);
        let in_words = (previous == "in").then(|| unit(word)).flatten();
        previous = word;
        of_column.or(in_words)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_tell_the_frame_rate_and_the_unit() {
        for (comment, fps) in [
            (" framerate: 25.00 fps", Some(25.0)),
            ("framerate: 16fps", Some(16.0)),
            ("framerate 7.5", Some(7.5)),
            ("framerate: unknown", None),
            ("framerate: 0", None),
            ("25 frames per second", None),
        ] {
            assert_eq!(frame_rate(comment), fps, "{comment}");
        }
        for (comment, unit) in [
            (" id frame x/m y/m z/m", Some(Unit::Metre)),
            (" PersID\tFrame\tX/cm\tY/cm\tZ/cm", Some(Unit::Centimetre)),
            ("x,y,z: coordinates (in mm)", Some(Unit::Millimetre)),
            ("two people in motion", None),
            ("id frame x y", None),
        ] {
            assert_eq!(unit_of(comment), unit, "{comment}");
        }
        for (comment, order) in [
            (" id frame x/m y/m z/m", Some(Order::IdFrame)),
            ("ID\tFR\tX\tY\tZ\tA\tB\tANGLE\tCOLOR", Some(Order::IdFrame)),
            ("frame, id, x [m], y [m]", None),
            ("frame;id;x;y", Some(Order::FrameId)),
            ("id frame", None),
            ("frame id x y", Some(Order::FrameId)),
        ] {
            assert_eq!(named_order(comment), order, "{comment}");
        }
    }
}
