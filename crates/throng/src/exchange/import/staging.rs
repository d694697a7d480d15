//! Rows on their way into a recording, in a temporary database.
//!
//! Tracks come in any order, usually person by person, and a recording has them moment by moment.
//! Sorting them in memory would limit their number. SQLite sorts tables of any size with little
//! memory, finds what is there twice, and can look at each person's rows before and after; its
//! temporary file goes away by itself, however the process ends.

use rusqlite::{Connection, ErrorCode, OptionalExtension, Row as Values, Statement, params};

use super::row::Row;
use crate::exchange::ExchangeError;

const TABLE: &str = "
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -65536;
BEGIN;
CREATE TABLE rows (
    line INTEGER, id INTEGER, frame INTEGER, time REAL, x REAL, y REAL, z REAL,
    \"group\" INTEGER, layer INTEGER, heading REAL, vx REAL, vy REAL, radius REAL,
    status INTEGER, blocked_by INTEGER);
";

pub(super) struct Staging {
    database: Connection,
    rows: u64,
}

/// Takes rows.
pub(super) struct Inserter<'s> {
    insert: Statement<'s>,
    rows: u64,
}

/// Two rows about the same person at the same moment.
pub(super) struct Duplicate {
    pub id: u32,
    pub frame: i64,
    pub lines: (u64, u64),
}

impl Staging {
    pub(super) fn new() -> Result<Self, ExchangeError> {
        // The empty name is SQLite's for a temporary file.
        let database = Connection::open("").map_err(failed)?;
        database.execute_batch(TABLE).map_err(failed)?;
        Ok(Self { database, rows: 0 })
    }

    /// Takes the rows that `read` inserts.
    pub(super) fn fill(
        &mut self,
        read: impl FnOnce(&mut Inserter) -> Result<(), ExchangeError>,
    ) -> Result<(), ExchangeError> {
        let insert = self
            .database
            .prepare(
                "INSERT INTO rows \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
            )
            .map_err(failed)?;
        let mut inserter = Inserter { insert, rows: 0 };
        read(&mut inserter)?;
        self.rows = inserter.rows;
        Ok(())
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> u64 {
        self.rows
    }

    /// Runs a statement that gives no rows.
    pub(super) fn execute(
        &self,
        statement: &str,
        values: impl rusqlite::Params,
    ) -> Result<(), ExchangeError> {
        self.database.execute(statement, values).map(|_| ()).map_err(failed)
    }

    /// The first row that a query gives, if it gives any.
    pub(super) fn first<T>(
        &self,
        query: &str,
        values: impl rusqlite::Params,
        read: impl FnOnce(&Values) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, ExchangeError> {
        self.database.query_row(query, values, read).optional().map_err(failed)
    }

    /// Calls `see` with every row that a query gives.
    pub(super) fn each(
        &self,
        query: &str,
        mut see: impl FnMut(&Values) -> rusqlite::Result<Result<(), ExchangeError>>,
    ) -> Result<(), ExchangeError> {
        let mut statement = self.database.prepare(query).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            see(row).map_err(failed)??;
        }
        Ok(())
    }

    /// Puts the rows in the order of frames and ids, or tells who is in a frame twice.
    pub(super) fn sort(&self) -> Result<Result<(), Duplicate>, ExchangeError> {
        match self.database.execute("CREATE UNIQUE INDEX by_frame ON rows (frame, id)", []) {
            Ok(_) => Ok(Ok(())),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                let query = "SELECT id, frame, min(line), max(line) FROM rows \
                     GROUP BY frame, id HAVING count(*) > 1 ORDER BY min(line) LIMIT 1";
                let duplicate = self.first(query, [], |row| {
                    let lines = (row.get(2)?, row.get(3)?);
                    Ok(Duplicate { id: row.get(0)?, frame: row.get(1)?, lines })
                })?;
                duplicate.map(Err).ok_or_else(|| failed(error))
            }
            Err(error) => Err(failed(error)),
        }
    }
}

impl Inserter<'_> {
    pub(super) fn insert(&mut self, row: &Row) -> Result<(), ExchangeError> {
        self.rows += 1;
        let [vx, vy] = row.velocity.map_or([None; 2], |velocity| velocity.map(Some));
        self.insert
            .execute(params![
                row.line as i64,
                row.id,
                row.frame,
                row.time,
                row.x,
                row.y,
                row.z,
                row.group,
                row.layer,
                row.heading,
                vx,
                vy,
                row.radius,
                row.status.map(|status| status as u8),
                row.blocked_by
            ])
            .map(|_| ())
            .map_err(failed)
    }
}

/// The only thing that goes wrong with a temporary database is that there is no room for it.
fn failed(error: rusqlite::Error) -> ExchangeError {
    ExchangeError::write(&std::env::temp_dir())(error)
}
