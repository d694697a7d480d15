//! The text format of the pedestrian dynamics data archive, and the older one of JuPedSim, which
//! has more columns: `id frame x y [z …]`, with comments about the frame rate and the unit.

use super::lines::Lines;
use super::row::{self, Row};
use super::{Job, Source, Unit};
use crate::exchange::ExchangeError;

pub(super) fn read(job: &mut Job) -> Result<Source, ExchangeError> {
    let mut lines = Lines::open(job.tracks)?;
    let (mut fps, mut unit) = (None, None);
    let (options, watch) = (job.options, &mut *job.watch);
    job.staging.fill(|staging| {
        while let Some(line) = lines.next()? {
            let (data, comment) = line.split_once('#').unwrap_or((line, ""));
            fps = fps.or_else(|| frame_rate(comment));
            unit = unit_of(comment).or(unit);
            if data.trim().is_empty() {
                continue;
            }
            let scale = options.unit.or(unit).unwrap_or_default().per_metre();
            let row = parse(data, scale, options.flat).map_err(|reason| lines.error(reason))?;
            staging.insert(&Row { line: lines.number(), ..row })?;
            let (done, total) = lines.progress();
            watch.reading(done, total)?;
        }
        Ok(())
    })?;
    Ok(Source { unit: job.unit(unit), fps, ..Source::default() })
}

fn parse(data: &str, scale: f64, flat: bool) -> Result<Row, String> {
    let mut words = data.split_whitespace();
    let mut next = |what: &str| {
        words.next().ok_or_else(|| {
            format!("there is no {what}; a row is: id frame x y z, with spaces between")
        })
    };
    let mut row = Row { id: row::id("id", next("id")?)?, ..Row::default() };
    row.frame = Some(row::integer("frame", next("frame")?)?);
    row.x = row::number("x", next("x")?)? / scale;
    row.y = row::number("y", next("y")?)? / scale;
    if let (Some(z), false) = (words.next(), flat) {
        row.z = row::number("z", z)? / scale;
    }
    row.check()?;
    Ok(row)
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
    }
}
