//! What carpets cost, beside what they did when they were published.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::{Vec2, Vec3};

use super::{
    Analytic, CarpetError, CarpetOptions, Character, Cycle, Ground, Rig, Stage, Timings, step_timed,
};

/// Numbers of characters that were published, with the milliseconds of a frame: all in all on one thread, on all
/// threads, on an integrated and on a dedicated graphics processor of 2015.
pub const PUBLISHED: [(usize, [f32; 4]); 8] = [
    (1, [7.84, 9.29, 10.17, 10.0]),
    (10, [14.33, 9.71, 10.28, 11.62]),
    (20, [18.36, 11.0, 10.24, 12.44]),
    (30, [24.04, 11.8, 10.8, 13.2]),
    (64, [42.1, 13.95, 13.97, 13.68]),
    (128, [83.12, 18.14, 20.51, 15.03]),
    (256, [166.95, 27.35, 29.31, 19.17]),
    (512, [279.17, 43.93, 42.18, 23.64]),
];

/// How bodies are led in a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// Along lines that change four times a second.
    Line,
    /// Along lines that stay as they are, most of them straight.
    Steady,
    /// Over the world, with poses that are related anew in every frame.
    World,
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// How many characters there were.
    pub characters: usize,
    /// Median time of a frame.
    pub median: Duration,
    /// That of the fastest: other work on the machine only ever makes it longer.
    pub best: Duration,
    /// Times of the stages, on all threads together.
    pub stages: Timings,
    /// Over how many frames the stages are summed.
    pub frames: u32,
}

/// Measures `count` characters with `cycle` over `frames` frames of 25 a second on `ground`.
///
/// # Errors
///
/// If there is no such carpet.
pub fn measure(
    rig: &Arc<Rig>,
    cycle: &Arc<Cycle>,
    ground: &dyn Ground,
    scenario: Scenario,
    (count, frames): (usize, u32),
) -> Result<Measurement, CarpetError> {
    const DT: f32 = 0.04;
    let options = CarpetOptions::default();
    let place = |index: usize| Vec3::new(2.0 * (index % 23) as f32, 0.0, 2.0 * (index / 23) as f32);
    let mut characters = (0..count)
        .map(|index| match scenario {
            Scenario::Line | Scenario::Steady => {
                let heading = index as f32;
                Character::on_line(rig.clone(), cycle.clone(), place(index), heading, options)
            }
            Scenario::World => Character::on_world(rig.clone(), options),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let speed = cycle.travel() / cycle.period();
    let mut times = Vec::with_capacity(frames as usize);
    let mut stages = Timings::default();
    let mut pose = crate::Pose::default();
    const WARM_UP: u32 = 20;
    for frame in 0..frames + WARM_UP {
        let time = DT * frame as f32;
        for (index, character) in characters.iter_mut().enumerate() {
            let seed = index as f32;
            match scenario {
                Scenario::Line | Scenario::Steady => {
                    // Not all in the same frame.
                    let often = if scenario == Scenario::Line { 6 } else { usize::MAX };
                    if (frame as usize + index % 6).is_multiple_of(often) {
                        let (root, heading) = character.root();
                        let wave =
                            |ahead: f32| heading as f32 + 0.6 * (1.3 * time + seed).sin() * ahead;
                        let path = (0..16).map(|point| {
                            let ahead = 0.25 * point as f32;
                            let (sin, cos) = wave(0.3 * ahead).sin_cos();
                            Vec3::new(root.x as f32 + ahead * sin, 0.0, root.y as f32 + ahead * cos)
                        });
                        character.follow(path);
                    }
                    character.advance(speed * DT);
                }
                Scenario::World => {
                    let phase = (time / cycle.period() + 0.618 * seed).rem_euclid(1.0);
                    let (at, part) = cycle.frame(phase);
                    cycle.sample(at, part, &mut pose);
                    pose.root.z -= phase * cycle.travel();
                    let ahead = speed * time;
                    let placement = crate::RootMotion {
                        translation: place(index)
                            + glam::Quat::from_rotation_y(seed) * Vec3::new(0.0, 0.0, ahead),
                        yaw: seed,
                    };
                    character.show(&pose, placement, &[]);
                }
            }
        }
        let begin = Instant::now();
        let timings = step_timed(&mut characters, ground, DT, &Analytic);
        if frame >= WARM_UP {
            times.push(begin.elapsed());
            stages.add(&timings);
        }
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let best = times.first().copied().unwrap_or_default();
    Ok(Measurement { characters: count, median, best, stages, frames: frames.max(1) })
}

/// Hills with dunes on them, for measurements.
pub fn rolling_ground(place: Vec2) -> f32 {
    let hills = 0.4 * (0.35 * place.x).sin() * (0.3 * place.y).cos();
    hills + 0.1 * (1.7 * place.x + 0.8 * place.y).sin()
}

/// Measurements as a table in the layout of the publication: the median frame, and the mean time that all threads
/// together spent in each stage, all in milliseconds.
pub fn table(measurements: &[Measurement]) -> String {
    let mut text = String::from("characters      frame");
    for stage in Stage::ALL {
        let _ = write!(text, " {:>7}", stage.name());
    }
    text.push_str("   published: 1 thread    all   integrated  dedicated\n");
    for measured in measurements {
        let milliseconds = |duration: Duration| 1e3 * duration.as_secs_f64();
        let _ =
            write!(text, "{:>10} {:>7.3} ms", measured.characters, milliseconds(measured.median));
        for stage in Stage::ALL {
            let mean = milliseconds(measured.stages.of(stage)) / f64::from(measured.frames);
            let _ = write!(text, " {mean:>7.3}");
        }
        if let Some((_, [one, all, integrated, dedicated])) =
            PUBLISHED.iter().find(|(count, _)| *count == measured.characters)
        {
            let _ = write!(text, "   {one:>19.2} {all:>6.2} {integrated:>12.2} {dedicated:>10.2}");
        }
        text.push('\n');
    }
    text
}
