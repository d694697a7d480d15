//! From staged rows to a recording.
//!
//! Velocities that a file does not have are central differences: the way from someone's row before
//! to the one after, by the time between. At the ends of a track, and at gaps of more than a second
//! or two, the one neighbour that is there has to do. Headings follow the velocity; who (almost)
//! stands keeps the heading they had.

use std::collections::HashMap;
use std::path::Path;

use glam::DVec2;
use throng_crowd::Status;
use throng_world::scene::{DEFAULT_RADIUS, GroupId, LayerId};

use super::Watch;
use super::grid::Grid;
use super::staging::Staging;
use crate::exchange::ExchangeError;
use crate::place::Overwrite;
use crate::recording::{Frame, Person, Recorder, RecordingError, RecordingInfo};

/// Rows of one person that are farther apart, s, tell nothing about the velocity in between; but of
/// tracks with few frames, two intervals do.
const LONGEST_GAP: f64 = 1.0;
/// Below this, m/s, a direction is noise.
const STANDING: f32 = 0.1;

const ROWS: &str = "
SELECT frame, id, x, y, z, \"group\", layer, heading, vx, vy, radius, status, blocked_by,
       lag(frame) OVER person, lag(x) OVER person, lag(y) OVER person,
       lead(frame) OVER person, lead(x) OVER person, lead(y) OVER person
FROM rows WINDOW person AS (PARTITION BY id ORDER BY frame)
ORDER BY frame, id";

/// Records everyone in the file at `hidden`, and returns the number of rows. Errors are about `out`.
pub(super) fn write(
    staging: &Staging,
    grid: &Grid,
    info: RecordingInfo,
    hidden: &Path,
    out: &Path,
    watch: &mut Watch,
) -> Result<u64, ExchangeError> {
    let failed = |error| match error {
        RecordingError::Stopped { reason, .. } => ExchangeError::write(out)(reason),
        other => other.into(),
    };
    let interval = info.interval();
    let recorder = Recorder::create(hidden, info, Overwrite::Yes).map_err(failed)?;
    let mut output = Output { recorder, frame: Frame::default(), interval, start: grid.start };
    output.frame.time = grid.start;
    let mut headings: HashMap<u32, f32> = HashMap::new();
    staging.each(ROWS, |row| {
        let index = ((row.get::<_, i64>(0)? - grid.origin) / i64::from(grid.stride)) as u32;
        let mut person = person(row, grid)?;
        if row.get::<_, Option<f64>>(7)?.is_none() {
            let before = headings.entry(person.id).or_default();
            if person.velocity.length() > STANDING {
                *before = person.velocity.to_angle();
            }
            person.heading = *before;
        }
        while output.frame.index < index {
            if let Err(error) = output.next() {
                return Ok(Err(failed(error)));
            }
            if let Err(stop) = watch.writing(output.frame.index.into(), grid.frames.into()) {
                return Ok(Err(stop));
            }
        }
        output.frame.people.push(person);
        Ok(Ok(()))
    })?;
    output.next().map_err(failed)?;
    output.recorder.finish().map(|summary| summary.rows).map_err(failed)
}

/// The frame that is being filled, and where it goes.
struct Output {
    recorder: Recorder,
    frame: Frame,
    start: f64,
    interval: f64,
}

impl Output {
    /// Records the frame and begins the next one.
    fn next(&mut self) -> Result<(), RecordingError> {
        self.recorder.push(&self.frame)?;
        self.frame.index += 1;
        self.frame.time = self.start + f64::from(self.frame.index) * self.interval;
        self.frame.people.clear();
        Ok(())
    }
}

fn person(row: &rusqlite::Row, grid: &Grid) -> rusqlite::Result<Person> {
    let position = DVec2::new(row.get(2)?, row.get(3)?);
    let velocity = match (row.get(8)?, row.get(9)?) {
        (Some(vx), Some(vy)) => DVec2::new(vx, vy),
        _ => {
            let neighbour = |first: usize| -> rusqlite::Result<Option<(i64, DVec2)>> {
                let Some(frame) = row.get(first)? else { return Ok(None) };
                Ok(Some((frame, DVec2::new(row.get(first + 1)?, row.get(first + 2)?))))
            };
            let here = (row.get(0)?, position);
            difference(neighbour(13)?, here, neighbour(16)?, grid)
        }
    };
    let status: Option<usize> = row.get(11)?;
    let number = |value: Option<f64>, otherwise: f64| value.unwrap_or(otherwise) as f32;
    Ok(Person {
        id: row.get(1)?,
        group: GroupId(row.get(5)?),
        layer: LayerId(row.get(6)?),
        position: position.as_vec2(),
        height: row.get::<_, f64>(4)? as f32,
        heading: number(row.get(7)?, 0.0),
        velocity: velocity.as_vec2(),
        radius: number(row.get(10)?, DEFAULT_RADIUS),
        status: status.and_then(|number| Status::ALL.get(number)).copied().unwrap_or_default(),
        blocked_by: row.get(12)?,
    })
}

/// The velocity at a row between its neighbours, each a frame number and a position.
fn difference(
    before: Option<(i64, DVec2)>,
    here: (i64, DVec2),
    after: Option<(i64, DVec2)>,
    grid: &Grid,
) -> DVec2 {
    let longest = LONGEST_GAP.max(2.0 * grid.interval());
    let is_near = |other: &(i64, DVec2)| (other.0 - here.0).abs() as f64 * grid.step <= longest;
    let (from, to) =
        (before.filter(is_near).unwrap_or(here), after.filter(is_near).unwrap_or(here));
    match to.0 - from.0 {
        0 => DVec2::ZERO,
        frames => (to.1 - from.1) / (frames as f64 * grid.step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_are_central_where_they_can_be_and_do_not_bridge_long_gaps() {
        let grid = Grid { stride: 1, step: 0.5, frames: 99, ..Grid::default() };
        let at = |frame: i64, x: f64| (frame, DVec2::new(x, 0.0));
        let speed = |before, after| difference(before, at(10, 4.0), after, &grid).x;
        assert_eq!(speed(Some(at(9, 3.0)), Some(at(11, 6.0))), 3.0);
        assert_eq!(speed(Some(at(8, 3.0)), Some(at(11, 6.0))), 2.0);
        assert_eq!(speed(None, Some(at(11, 6.0))), 4.0);
        assert_eq!(speed(Some(at(9, 3.0)), Some(at(60, 90.0))), 2.0);
        assert_eq!(speed(Some(at(1, 3.0)), None), 0.0);
        assert_eq!(speed(None, None), 0.0);
    }
}
