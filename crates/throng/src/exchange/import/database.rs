//! Databases of JuPedSim.
//!
//! Nothing in them is trusted: names must be those of tables (a view could go on for ever), and
//! every value may be of any type.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use throng_world::plan::from_wkt;
use throng_world::walkable::{Area, union};

use super::row::Row;
use super::{Job, Source};
use crate::exchange::ExchangeError;

/// Longer descriptions of an area are not read.
const LONGEST_WKT: i64 = 16 << 20;
/// More geometries are not read; JuPedSim writes one for each change.
const MOST_GEOMETRIES: u32 = 1000;

pub(super) fn read(job: &mut Job) -> Result<Source, ExchangeError> {
    let path = job.tracks;
    let broken = |error: rusqlite::Error| {
        ExchangeError::tracks(path, format!("the database cannot be read: {error}"))
    };
    let wrong = |reason: String| ExchangeError::tracks(path, reason);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(path, flags).map_err(broken)?;
    for table in ["trajectory_data", "metadata"] {
        if !has_table(&database, table).map_err(broken)? {
            return Err(wrong(format!(
                "it is a database without a table {table:?}, not JuPedSim's"
            )));
        }
    }
    check_version(&database).map_err(wrong)?;
    let fps = metadata(&database, "fps").and_then(|fps| fps.parse().ok());
    let fps = fps.filter(|fps: &f64| *fps > 0.0 && fps.is_finite());
    let unit = job.unit(None);
    let scale = unit.per_metre();
    let geometry = geometry(&database).map_err(wrong)?;
    let geometry = geometry.iter().map(|area| area.scaled(scale.recip())).collect();

    let total = database.query_row("SELECT count(*) FROM trajectory_data", [], |row| row.get(0));
    let total: u64 = total.map_err(broken)?;
    let has_orientation = has_column(&database, "ori_x") && has_column(&database, "ori_y");
    let orientation = if has_orientation { "ori_x, ori_y" } else { "NULL, NULL" };
    let query =
        format!("SELECT rowid, frame, id, pos_x, pos_y, {orientation} FROM trajectory_data");
    let watch = &mut *job.watch;
    job.staging.fill(|staging| {
        let mut statement = database.prepare(&query).map_err(broken)?;
        let mut rows = statement.query([]).map_err(broken)?;
        let mut done = 0;
        while let Some(values) = rows.next().map_err(broken)? {
            let line = values.get(0).map_err(broken)?;
            let at = |reason| ExchangeError::Line { path: path.into(), line, reason };
            let row = parse(values, scale).map_err(at)?;
            staging.insert(&Row { line, ..row })?;
            done += 1;
            watch.reading(done, total)?;
        }
        Ok(())
    })?;
    Ok(Source { unit, fps, geometry, ..Source::default() })
}

fn parse(values: &rusqlite::Row, scale: f64) -> Result<Row, String> {
    let number = |index: usize, what: &str| match values.get_ref(index) {
        Ok(ValueRef::Real(number)) => Ok(number),
        Ok(ValueRef::Integer(number)) => Ok(number as f64),
        Ok(other) => Err(format!("{what} is {}, not a number", other.data_type())),
        Err(error) => Err(format!("{what} cannot be read: {error}")),
    };
    let integer = |index: usize, what: &str| {
        let number = number(index, what)?;
        if number.fract() == 0.0 { Ok(number as i64) } else { Err(format!("{what} is {number}")) }
    };
    let id = integer(2, "id")?;
    let heading = match (number(5, "ori_x"), number(6, "ori_y")) {
        (Ok(x), Ok(y)) if x != 0.0 || y != 0.0 => Some(y.atan2(x)),
        _ => None,
    };
    let row = Row {
        id: u32::try_from(id).map_err(|_| format!("id is {id}, which cannot be recorded"))?,
        frame: Some(integer(1, "frame")?),
        x: number(3, "pos_x")? / scale,
        y: number(4, "pos_y")? / scale,
        heading,
        ..Row::default()
    };
    row.check()?;
    Ok(row)
}

fn check_version(database: &Connection) -> Result<(), String> {
    match metadata(database, "version").as_deref() {
        None | Some("1" | "2") => Ok(()),
        Some(other) => {
            Err(format!("its format is version {other:?}; versions 1 and 2 can be read"))
        }
    }
}

/// The walkable area: all that was walkable at some time.
fn geometry(database: &Connection) -> Result<Vec<Area>, String> {
    let refused = |error| format!("its geometry cannot be read: {error}");
    let database_refused = |error: rusqlite::Error| refused(error.to_string());
    if !has_table(database, "geometry").map_err(database_refused)? {
        return Ok(Vec::new());
    }
    let mut statement = database
        .prepare("SELECT wkt FROM geometry WHERE length(wkt) <= ?1 LIMIT ?2")
        .map_err(database_refused)?;
    let texts = statement.query_map((LONGEST_WKT, MOST_GEOMETRIES), |row| row.get(0));
    let mut areas = Vec::new();
    for text in texts.map_err(database_refused)? {
        let text: String = text.map_err(database_refused)?;
        areas.extend(from_wkt(&text).map_err(refused)?);
        areas = union(&areas);
    }
    Ok(areas)
}

fn metadata(database: &Connection, key: &str) -> Option<String> {
    let query = "SELECT CAST(value AS TEXT) FROM metadata WHERE key = ?1";
    database.query_row(query, [key], |row| row.get(0)).ok()
}

fn has_table(database: &Connection, name: &str) -> rusqlite::Result<bool> {
    let query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1";
    Ok(database.query_row(query, [name], |_| Ok(())).optional()?.is_some())
}

fn has_column(database: &Connection, name: &str) -> bool {
    let query = "SELECT 1 FROM pragma_table_info('trajectory_data') WHERE name = ?1";
    database.query_row(query, [name], |_| Ok(())).is_ok()
}
