//! Rec files of SteerSuite.
//!
//! An agent is somebody with the number of the agent; a disabled one is not there. Radius and facing
//! are kept, obstacles and cameras become those of the scene. Goals have no place in a recording.

use std::fs::File;
use std::io::{BufReader, Read, Seek};

use glam::{DVec3, Vec2};
use throng_base::Bounds;
use throng_world::scene::{Camera, MAX_COORDINATE};

use super::row::Row;
use super::{Job, Source};
use crate::exchange::steersuite::{RecAgent, RecBox, RecFile, digits};
use crate::exchange::{ExchangeError, cameras};
use crate::place::FileError;

/// How far the time to the next frame may be from the difference of their times, as a share.
const SAME_STEP: f32 = 0.01;

pub(super) fn read(job: &mut Job) -> Result<Source, ExchangeError> {
    let path = job.tracks;
    let wrong = |error| ExchangeError::Rec { path: path.into(), error };
    let file = File::open(path).map_err(FileError::io("open", path))?;
    let mut rec = RecFile::open(BufReader::with_capacity(1 << 16, file)).map_err(wrong)?;
    rec.check_times().map_err(wrong)?;
    let unit = job.unit(None);
    let (scale, flat) = (unit.per_metre(), job.options.flat);
    let mut source = Source { unit, ..Source::default() };
    source.warnings.extend(contradiction(&rec));
    let solid = rec.obstacles().iter().filter(|obstacle| obstacle.is_solid());
    let near = |(bounds, _): &(Bounds, f32)| {
        bounds.min.abs().max(bounds.max.abs()).max_element() < MAX_COORDINATE as f32
    };
    source.boxes = solid.map(|obstacle| footprint(obstacle, scale)).filter(near).collect();
    let left_out = rec.obstacles().len() - source.boxes.len();
    if left_out > 0 {
        let why = match left_out {
            1 => "has no area or is more than 100 km away, and is left out",
            _ => "have no area or are more than 100 km away, and are left out",
        };
        source.warnings.push(format!("of its obstacles, {left_out} {why}"));
    }
    let metres =
        |[x, height, y]: [f32; 3]| (DVec3::from([x, y, height].map(f64::from)) / scale).as_vec3();
    let field_of_view = cameras::usable_field(None).0;
    let views = rec.cameras().iter().map(|camera| Camera {
        position: metres(camera.position),
        look_at: metres(camera.look_at),
        field_of_view,
    });
    source.cameras = cameras::usable(views);

    let frames = rec.header().frames;
    let (watch, mut agents) = (&mut *job.watch, Vec::new());
    job.staging.fill(|staging| {
        for frame in 0..frames {
            rec.checked_frame(frame, &mut agents).map_err(wrong)?;
            let time = digits(rec.entries()[frame as usize].time);
            for (id, agent) in (0..).zip(&agents).filter(|(_, agent)| agent.enabled) {
                let row = row(agent, scale, flat);
                let row = Row { line: frame.into(), id, time: Some(time), ..row };
                let at = |reason| ExchangeError::Line {
                    path: path.into(),
                    line: frame.into(),
                    reason: format!("agent {id}: {reason}"),
                };
                row.check().map_err(at)?;
                staging.insert(&row)?;
            }
            watch.reading(u64::from(frame) + 1, frames.into())?;
        }
        Ok(())
    })?;
    Ok(source)
}

fn row(agent: &RecAgent, scale: f64, flat: bool) -> Row {
    let [x, height, y] = agent.position.map(|x| f64::from(x) / scale);
    let [dx, _, dy] = agent.direction.map(f64::from);
    Row {
        x,
        y,
        z: if flat { 0.0 } else { height },
        heading: (dx != 0.0 || dy != 0.0).then(|| dy.atan2(dx)),
        radius: Some(f64::from(agent.radius) / scale),
        ..Row::default()
    }
}

fn footprint(obstacle: &RecBox, scale: f64) -> (Bounds, f32) {
    let metres = |x: f32| (f64::from(x) / scale) as f32;
    let corner = |[x, _, z]: [f32; 3]| Vec2::new(metres(x), metres(z));
    let height = metres(obstacle.max[1] - obstacle.min[1]);
    (Bounds { min: corner(obstacle.min), max: corner(obstacle.max) }, height)
}

/// Times and steps that do not fit.
fn contradiction<R: Read + Seek>(rec: &RecFile<R>) -> Option<String> {
    let (frame, pair) = rec.entries().windows(2).enumerate().find(|(_, pair)| {
        let step = pair[1].time - pair[0].time;
        let rounding = pair[1].time.abs() * 4.0 * f32::EPSILON;
        (step - pair[0].to_next).abs() > SAME_STEP * step + rounding
    })?;
    Some(format!(
        "frames {frame} and {} are {} s apart by their times, but {} s by the table; the times count",
        frame + 1,
        pair[1].time - pair[0].time,
        pair[0].to_next
    ))
}
