//! A database as JuPedSim writes it, version 2: a table of positions and orientations, one of
//! geometries, and which frame has which.
//!
//! The geometry is the walkable area of the floor. JuPedSim and PedPy know only areas in one piece,
//! so rooms that nobody is ever in are left out, and if there are several others, a warning says so.

use std::path::{Path, PathBuf};

use glam::DVec2;
use rusqlite::{Connection, params};
use throng_base::Bounds;
use throng_base::hash::fnv1a;
use throng_world::plan::to_wkt;
use throng_world::scene::LayerId;
use throng_world::walkable::{Area, walkable};

use super::Writer;
use crate::exchange::ExchangeError;
use crate::recording::{Frame, Recording};

/// Newer versions exist, but PedPy 1.5 does not read them.
const VERSION: u32 = 2;

const TABLES: &str = "
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
BEGIN;
CREATE TABLE trajectory_data (
   frame INTEGER NOT NULL,
   id INTEGER NOT NULL,
   pos_x REAL NOT NULL,
   pos_y REAL NOT NULL,
   ori_x REAL NOT NULL,
   ori_y REAL NOT NULL);
CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
";

/// The ground that a recording is about.
pub(super) struct Plan {
    bounds: Bounds,
    pieces: Vec<Piece>,
}

/// A connected part of the walkable area.
struct Piece {
    area: Area,
    /// Corners of the rectangle around it, where most points are outside at a glance.
    extent: (DVec2, DVec2),
    /// Whether somebody was in it.
    entered: bool,
}

impl Piece {
    fn look_for(&mut self, at: DVec2) {
        let (min, max) = self.extent;
        self.entered =
            self.entered || at.cmpge(min).all() && at.cmple(max).all() && self.area.contains(at);
    }
}

/// The plan of the floor that is exported, or why there is none.
pub(super) fn plan(recording: &Recording, layer: Option<LayerId>) -> Result<Plan, String> {
    let scene = recording.scene().map_err(|errors| {
        format!("the walkable area is unknown, as the recorded scene cannot be read: {errors}")
    })?;
    let pieces: Vec<Piece> = walkable(&scene, layer.unwrap_or_default())
        .into_iter()
        .map(|area| Piece { extent: area.extent(), area, entered: false })
        .collect();
    if pieces.is_empty() {
        return Err("its obstacles leave nothing to walk on, so there is no walkable area".into());
    }
    Ok(Plan { bounds: scene.bounds, pieces })
}

pub(super) struct Database {
    connection: Connection,
    path: PathBuf,
    plan: Plan,
    /// Rows outside of the bounds.
    outside: u64,
    frames: Option<(i64, i64)>,
}

impl Database {
    /// Begins a database in the empty file at `hidden`; errors are about `path`.
    pub(super) fn begin(
        hidden: &Path,
        path: &Path,
        fps: f64,
        plan: Plan,
    ) -> Result<Self, ExchangeError> {
        let begin = || {
            let connection = Connection::open(hidden)?;
            connection.execute_batch(TABLES)?;
            insert_metadata(&connection, "version", &VERSION.to_string())?;
            insert_metadata(&connection, "fps", &format!("{fps:?}"))?;
            Ok::<_, rusqlite::Error>(connection)
        };
        let connection = begin().map_err(ExchangeError::write(path))?;
        Ok(Self { connection, path: path.into(), plan, outside: 0, frames: None })
    }

    fn insert(&mut self, number: i64, frame: &Frame, shown: &[usize]) -> rusqlite::Result<()> {
        let people = &frame.people;
        let mut insert = self
            .connection
            .prepare("INSERT INTO trajectory_data VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
        for &i in shown {
            let (at, heading) = (people.positions[i].as_dvec2(), f64::from(people.headings[i]));
            let (sin, cos) = heading.sin_cos();
            insert.execute(params![number, people.ids[i], at.x, at.y, cos, sin])?;
        }
        Ok(())
    }

    /// The pieces people were in, or the largest one if nobody was anywhere.
    fn pieces_entered(&self) -> Vec<Area> {
        let areas = |entered: bool| {
            let pieces = self.plan.pieces.iter().filter(move |piece| piece.entered == entered);
            pieces.map(|piece| piece.area.clone())
        };
        let mut entered: Vec<Area> = areas(true).collect();
        if entered.is_empty() {
            entered.extend(areas(false).max_by(|a, b| a.size().total_cmp(&b.size())));
        }
        entered
    }

    fn insert_geometry(&self, pieces: &[Area]) -> rusqlite::Result<()> {
        let text = to_wkt(pieces);
        let hash = fingerprint(&text);
        let connection = &self.connection;
        connection.execute("INSERT INTO geometry VALUES (?1, ?2)", params![hash, text])?;
        let mut insert = connection.prepare("INSERT INTO frame_data VALUES (?1, ?2)")?;
        if let Some((first, last)) = self.frames {
            for number in first..=last {
                insert.execute(params![number, hash])?;
            }
        }
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for (low, high) in pieces.iter().map(Area::extent) {
            (min, max) = (min.min(low), max.max(high));
        }
        for (key, value) in [("xmin", min.x), ("xmax", max.x), ("ymin", min.y), ("ymax", max.y)] {
            insert_metadata(connection, key, &format!("{value:?}"))?;
        }
        connection.execute_batch("COMMIT")
    }
}

impl Writer for Database {
    fn write(&mut self, number: i64, frame: &Frame, shown: &[usize]) -> Result<(), ExchangeError> {
        let first = self.frames.map_or(number, |(first, _)| first);
        self.frames = Some((first, number));
        for &i in shown {
            let at = frame.people.positions[i];
            self.outside += u64::from(!self.plan.bounds.contains(at));
            self.plan.pieces.iter_mut().for_each(|piece| piece.look_for(at.as_dvec2()));
        }
        self.insert(number, frame, shown).map_err(ExchangeError::write(&self.path))
    }

    fn finish(self: Box<Self>) -> Result<Vec<String>, ExchangeError> {
        let pieces = self.pieces_entered();
        self.insert_geometry(&pieces).map_err(ExchangeError::write(&self.path))?;
        let mut warnings = Vec::new();
        if pieces.len() > 1 {
            warnings.push(format!(
                "people are in {} separate pieces of the walkable area; it is written as a \
                 MULTIPOLYGON, which JuPedSim and PedPy do not take as one walkable area",
                pieces.len()
            ));
        }
        if self.outside > 0 {
            warnings.push(format!(
                "{} positions lie outside of the world's bounds, and so outside of the walkable \
                 area",
                self.outside
            ));
        }
        let (path, connection) = (self.path, self.connection);
        connection.close().map_err(|(_, error)| ExchangeError::write(&path)(error))?;
        Ok(warnings)
    }
}

fn insert_metadata(connection: &Connection, key: &str, value: &str) -> rusqlite::Result<usize> {
    connection.execute("INSERT INTO metadata VALUES (?1, ?2)", params![key, value])
}

/// FNV-1a. JuPedSim takes Python's hash, which differs from run to run; all that counts is that
/// `geometry` and `frame_data` have the same.
fn fingerprint(text: &str) -> i64 {
    fnv1a(text.bytes()) as i64
}
