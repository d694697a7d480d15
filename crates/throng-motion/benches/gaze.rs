//! What a gaze costs in each frame: `cargo bench -p throng-motion --bench gaze`.
//!
//! A thousand people walk past things to look at, at 25 Hz on one thread: some leave it to their eyes, some turn their
//! heads, some all of their spines. Gaze is to cost at most 3 µs per body and frame.

use std::hint::black_box;
use std::time::Instant;

use glam::Vec3;
use throng_base::random::Random;
use throng_motion::gait::Steady;
use throng_motion::gaze::{
    Anatomy, Attention, Bearings, Gaze, GazeOptions, Interest, Onlooker, Subject, Target, Turn,
};
use throng_motion::{Human, Pose, Proportions};

const PEOPLE: usize = 1000;
const FRAMES: usize = 100;
const STEP: f32 = 0.04;

type Fallible<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Microseconds per person and frame of the fastest of a few runs.
fn fastest(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let begin = Instant::now();
        run();
        best = best.min(begin.elapsed().as_secs_f64());
    }
    1e6 * best / (PEOPLE * FRAMES) as f64
}

/// What it costs to look at something that moves slowly, about `aside` degrees to the left.
fn measure(anatomy: &Anatomy, poses: &[Pose], aside: Option<f32>) -> f64 {
    let options = GazeOptions::default();
    let mut gazes = vec![Gaze::default(); PEOPLE];
    let mut pose = poses[0].clone();
    fastest(|| {
        for frame in 0..FRAMES {
            for (person, gaze) in gazes.iter_mut().enumerate() {
                let pose_number = (frame + person) % poses.len();
                pose.root = poses[pose_number].root;
                pose.rotations.copy_from_slice(&poses[pose_number].rotations);
                let sway = 3.0 * (0.1 * frame as f32 + person as f32).sin();
                gaze.look(aside.map(|aside| {
                    let way = Vec3::from(Turn::degrees(aside + sway, -sway).direction());
                    let position = Vec3::new(0.0, 1.6, 0.0) + 4.0 * way;
                    Target { subject: Subject::place(1), position }
                }));
                let bearings = black_box(Bearings::default());
                black_box(gaze.step(anatomy, &bearings, &mut pose, STEP, &options));
            }
            black_box(&pose);
        }
    })
}

/// What it costs to choose among so many things within 10 m.
fn measure_choice(count: usize) -> f64 {
    let random = Random::new(1);
    let mut people: Vec<Attention> =
        (0..PEOPLE).map(|who| Attention::of(random, who as u64)).collect();
    let interests: Vec<Interest> = (0..count)
        .map(|number| {
            let angle = 2.4 * number as f32;
            let position = Vec3::new(angle.sin(), 1.6, angle.cos()) * (1.0 + 0.2 * number as f32);
            let velocity = Vec3::new(angle.cos(), 0.0, angle.sin());
            Interest { velocity, ..Interest::new(Subject::person(number as u64), position) }
        })
        .collect();
    fastest(|| {
        for _ in 0..FRAMES {
            for (who, attention) in people.iter_mut().enumerate() {
                let forward = Vec3::new((who as f32).sin(), 0.0, (who as f32).cos());
                let eyes = Vec3::new(0.0, 1.6, 0.0);
                let me = Onlooker { subject: None, eyes, forward, velocity: forward };
                let interests = interests.iter().copied();
                black_box(attention.choose(&me, interests, |_| true, STEP));
            }
        }
    })
}

fn main() -> Fallible {
    let human = Human::new(Proportions::default())?;
    let anatomy = Anatomy::of(human.skeleton())?;
    let walk = Steady::ahead(1.3).clip(&human)?;
    let poses: Vec<Pose> = (0..32)
        .map(|frame| {
            let mut pose = Pose::default();
            walk.sample(frame as f32 / 32.0, &mut pose);
            pose
        })
        .collect();
    println!("one thread, {PEOPLE} people with {} joints, 25 Hz", human.skeleton().len());
    let nothing = measure(&anatomy, &poses, None);
    println!(
        "nothing to look at         {nothing:.3} µs per person and frame, with its pose's copy"
    );
    for (what, aside) in [
        ("eyes alone (n = 1)      ", 5.0),
        ("neck, head, eyes (n = 4)", 23.0),
        ("the whole body (n = 9)  ", 60.0),
    ] {
        let cost = measure(&anatomy, &poses, Some(aside)) - nothing;
        println!("{what}   {cost:.3} µs (at most 3)");
    }
    for count in [10, 45] {
        println!("choosing among {count} things   {:.3} µs", measure_choice(count));
    }
    Ok(())
}
