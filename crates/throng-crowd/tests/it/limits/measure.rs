//! Accelerations and turns of everybody in a scene.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use glam::Vec2;
use throng_crowd::{Crowd, PersonId, Status};
use throng_world::Scene;

/// Nobody turns by more than a right angle within this time, s, who is faster than this, m/s, before and after.
const TURN_TIME: f64 = 0.5;
const TURN_SPEED: f32 = 0.6;

/// What was seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Velocities that changed from one step to the next, of people whom neither contacts nor walls touched.
    pub samples: usize,
    /// The same of those who were touched, or fell.
    pub disturbed: usize,
    /// Of the first, by more than 3 m/s², and by more than 6 m/s².
    pub above: [usize; 2],
    /// Of the second, likewise.
    pub disturbed_above: [usize; 2],
    /// The largest of the first, m/s².
    pub most: f32,
    /// People who turned round at speed, and who that was.
    pub turned: usize,
    /// Speed along the preferred velocities over these speeds.
    pub progress: f64,
    pub people: usize,
}

struct Track {
    velocities: VecDeque<Vec2>,
    /// Steps since they were touched.
    free: usize,
    turned: bool,
}

/// Runs a scene for so many seconds, at most until it ends.
pub fn measure(path: &Path, seconds: f64, seed: u64) -> Seen {
    let mut scene = Scene::load(path).unwrap_or_else(|errors| panic!("{errors}"));
    scene.settings.seed = seed;
    let mut crowd = Crowd::from_scene(&scene).unwrap_or_else(|errors| panic!("{errors}"));
    let seconds = seconds.min(scene.settings.duration);
    measure_crowd(&mut crowd, seconds)
}

pub fn measure_crowd(crowd: &mut Crowd, seconds: f64) -> Seen {
    let step = crowd.setting().step;
    let window = (TURN_TIME / step).round() as usize;
    let mut tracks: BTreeMap<PersonId, Track> = BTreeMap::new();
    let mut seen = Seen::default();
    let mut way = [0.0; 2];
    while crowd.time() < seconds - 1e-6 {
        crowd.step();
        let mut there: BTreeMap<PersonId, Track> = BTreeMap::new();
        for person in crowd.people() {
            let wanted = person.preferred_velocity;
            way[0] += f64::from(person.velocity.dot(wanted.normalize_or_zero()));
            way[1] += f64::from(wanted.length());
            if std::env::var_os("AXES").is_some() {
                let axes = [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y];
                way[0] += f64::from(person.velocity.dot(axes[person.group.0 as usize % 4]))
                    - f64::from(person.velocity.dot(wanted.normalize_or_zero()));
                way[1] += 1.0 - f64::from(wanted.length());
            }
            let Some(doing) = crowd.doing(person.id) else { continue };
            let mut track = tracks.remove(&person.id).unwrap_or_else(|| Track {
                velocities: VecDeque::new(),
                free: 0,
                turned: false,
            });
            let is_touched =
                doing.is_disturbed || doing.push != Vec2::ZERO || person.status == Status::Fallen;
            track.free = if is_touched { 0 } else { track.free + 1 };
            if let Some(&before) = track.velocities.back() {
                let acceleration = person.velocity.distance(before) / step as f32;
                let above = [3.0, 6.0].map(|limit| usize::from(acceleration > limit * 1.001));
                if track.free > 1 {
                    seen.samples += 1;
                    seen.most = seen.most.max(acceleration);
                    (0..2).for_each(|i| seen.above[i] += above[i]);
                } else {
                    seen.disturbed += 1;
                    (0..2).for_each(|i| seen.disturbed_above[i] += above[i]);
                }
            }
            track.velocities.push_back(person.velocity);
            if track.velocities.len() > window + 1 {
                track.velocities.pop_front();
            }
            if let (Some(&first), true) = (track.velocities.front(), track.free > window) {
                let fast = first.length().min(person.velocity.length()) > TURN_SPEED;
                if fast && first.dot(person.velocity) < 0.0 && !track.turned {
                    track.turned = true;
                    if std::env::var_os("THRONG_TURNS").is_some() {
                        println!(
                            "{:?} at {:.2} s: {:?}",
                            person.id,
                            crowd.time(),
                            track.velocities
                        );
                    }
                    seen.turned += 1;
                }
            }
            there.insert(person.id, track);
        }
        tracks = there;
    }
    seen.progress = way[0] / way[1].max(1e-9);
    seen.people = crowd.ever() as usize;
    seen
}
