//! What a body costs in each frame: `cargo bench -p throng-motion --bench mediator`.
//!
//! A thousand people walk, turn, stop and set out, each in their own time, at 25 Hz on one thread. What the
//! published method took on a processor of 2011 is printed beside it.

use std::hint::black_box;
use std::time::Instant;

use glam::{Quat, Vec3};
use throng_motion::gait::{Library, Style};
use throng_motion::mediator::{
    Command, Performer, PerformerOptions, Repertoire, Scratch, Stance, anchored_root,
};
use throng_motion::{Human, Pose, Proportions};

const PEOPLE: usize = 1000;
const FRAMES: usize = 250;
const STEP: f32 = 0.04;

/// What the simulator wants of somebody: bends, stops and sharp corners.
fn velocity(person: usize, frame: usize) -> Vec3 {
    let time = STEP * frame as f32 + 0.37 * person as f32;
    let speed = if time.rem_euclid(9.0) < 1.5 { 0.0 } else { 0.6 + 0.8 * (0.3 * time).sin().abs() };
    let corner = (time / 4.0).floor() * 1.3;
    Quat::from_rotation_y(corner + 0.4 * (0.7 * time).sin()) * Vec3::Z * speed
}

/// Microseconds per person and frame of the fastest of a few runs.
fn measure(repertoire: &Repertoire, planted: bool) -> f64 {
    let options = PerformerOptions::default();
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let mut people: Vec<(Performer, Vec3, Pose)> = (0..PEOPLE)
            .map(|person| {
                let performer = Performer::new(Vec3::ZERO, 0.0).at_phase(0.618 * person as f32);
                (performer, Vec3::ZERO, Pose::rest(repertoire.skeleton()))
            })
            .collect();
        let mut scratch = Scratch::default();
        let begin = Instant::now();
        for frame in 0..FRAMES {
            for (index, (performer, place, pose)) in people.iter_mut().enumerate() {
                let velocity = velocity(index, frame);
                let wanted = *place + STEP * velocity;
                let command = Command { velocity, place: wanted, ..Command::default() };
                let played = if planted {
                    performer.step(repertoire, &command, STEP, &options, pose, &mut scratch)
                } else {
                    performer.step_plainly(repertoire, &command, STEP, &options, pose, &mut scratch)
                };
                *place = black_box(played).placement.translation;
            }
        }
        let elapsed = begin.elapsed().as_secs_f64();
        best = best.min(1e6 * elapsed / (PEOPLE * FRAMES) as f64);
    }
    best
}

/// Nanoseconds for the place of a root.
fn measure_root() -> f64 {
    let stance = |x: f32| Stance {
        anchor: Vec3::new(x, 0.0, 0.2),
        at: Vec3::new(0.1, 0.0, x),
        load: 0.5 + x,
    };
    let stances: Vec<[Stance; 2]> =
        (0..1024).map(|index| [stance(0.001 * index as f32), stance(0.3)]).collect();
    let turn = Quat::from_rotation_y(0.4);
    let mut best = f64::INFINITY;
    for _ in 0..50 {
        let begin = Instant::now();
        for stances in &stances {
            black_box(anchored_root(black_box(stances), black_box(turn)));
        }
        best = best.min(1e9 * begin.elapsed().as_secs_f64() / stances.len() as f64);
    }
    best
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let human = Human::new(Proportions::default())?;
    let library = Library::new(&human, Style::default())?;
    let repertoire = Repertoire::new(library.clips(), Default::default())?;
    println!("one thread, {PEOPLE} people with {} joints, 25 Hz", human.skeleton().len());
    let (planted, plain) = (measure(&repertoire, true), measure(&repertoire, false));
    println!("a body with planted feet   {planted:.3} µs per person and frame (published: 21)");
    println!("a body without             {plain:.3} µs");
    println!("the place of the root      {:.1} ns (published: 800)", measure_root());
    Ok(())
}
