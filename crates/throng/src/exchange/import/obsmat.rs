//! `obsmat.txt` of the ETH walking pedestrians dataset (Pellegrini and others, 2009): `frame id x z
//! y vx vz vy`, with y and z swapped as usual in computer vision, in metres. The frame rate is not
//! in the file.

use super::lines::Lines;
use super::row::{self, Row};
use super::{Job, Source};
use crate::exchange::ExchangeError;

pub(super) fn read(job: &mut Job) -> Result<Source, ExchangeError> {
    let mut lines = Lines::open(job.tracks)?;
    let unit = job.unit(None);
    let (options, watch) = (job.options, &mut *job.watch);
    job.staging.fill(|staging| {
        while let Some(line) = lines.next()? {
            if line.trim().is_empty() {
                continue;
            }
            let row = parse(line, unit.per_metre(), options.flat);
            let row = row.map_err(|reason| lines.error(reason))?;
            staging.insert(&Row { line: lines.number(), ..row })?;
            let (done, total) = lines.progress();
            watch.reading(done, total)?;
        }
        Ok(())
    })?;
    Ok(Source { unit, ..Source::default() })
}

fn parse(line: &str, scale: f64, flat: bool) -> Result<Row, String> {
    let words: Vec<&str> = line.split_whitespace().take(9).collect();
    let [frame, id, x, z, y, vx, _, vy] = words[..] else {
        let count = if words.len() > 8 { "more than 8".into() } else { words.len().to_string() };
        return Err(format!("there are {count} columns; a row is: frame id x z y vx vz vy"));
    };
    let length = |what, text| row::number(what, text).map(|number| number / scale);
    let row = Row {
        id: row::id("id", id)?,
        frame: Some(row::integer("frame", frame)?),
        x: length("x", x)?,
        y: length("y", y)?,
        z: if flat { 0.0 } else { length("z", z)? },
        velocity: Some([length("vx", vx)?, length("vy", vy)?]),
        ..Row::default()
    };
    row.check()?;
    Ok(row)
}
