//! Bodies of Throng beside those of ozz-animation-rs: the same two walks of the same 60 joints are
//! sampled, blended and carried down the skeleton, for a thousand people who are all at other phases.
//!
//! ozz reads nothing but its own archives, so the clips are written as such ([`archive`]), once with
//! a key for every frame and once thinned as its offline tools do ([`thin`]). Before anything is
//! timed, all have to have the joints in the same places. `make bench-ozz` runs it.

mod archive;
mod body;
mod contest;
mod ozz_crowd;
mod scene;
mod thin;
mod throng_crowd;
mod timing;

use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

use body::JOINTS;
use contest::Contender;
use glam::{Quat, Vec3A};
use ozz_crowd::{OzzCrowd, Settings};
use scene::Scene;
use thin::Tolerance;
use throng_crowd::{Form, ThrongCrowd};
use timing::Times;

/// How many bodies are moved in a pass.
const BODIES: usize = 1_000;

/// Everybody is measured in turn, as many times.
const ROUNDS: usize = 12;

/// Successive frames per round. The first ones make the caches warm and do not count.
const PASSES: usize = 15;
const WARM_UP: usize = 3;

/// How far joints may be apart, in metres, beyond what was thinned out: half floats and
/// quantised rotations are not exact.
const LIMIT: f32 = 2e-3;

fn main() -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new(BODIES)?;
    let mut contenders = contenders(&scene)?;
    compare(&mut scene, &mut contenders)?;
    for _ in 0..ROUNDS {
        for contender in &mut contenders {
            measure(&mut scene, contender)?;
        }
    }
    report(&contenders);
    crowds()
}

fn contenders(scene: &Scene) -> Result<Vec<Contender>, Box<dyn Error>> {
    let mut contenders = vec![
        Contender::throng("Throng, matrices", scene, Form::Matrices, LIMIT),
        Contender::throng("Throng, positions and quaternions", scene, Form::Poses, LIMIT),
    ];
    let frames = scene.clips.each_ref().map(|clip| clip.motion().frames());
    let bytes = |frames: usize| frames * (JOINTS * size_of::<Quat>() + size_of::<Vec3A>());
    println!(
        "Two clips of {} and {} frames; Throng keeps them in {} kB.",
        frames[0],
        frames[1],
        (bytes(frames[0]) + bytes(frames[1])) / 1000
    );
    for clear_marks in [false, true] {
        let marks = if clear_marks { ", marks cleared" } else { "" };
        for (keys, tolerance) in
            [("every frame", 0.0), ("thinned to 0.1 mm", 1e-4), ("thinned to 1 mm", 1e-3)]
        {
            let settings = Settings {
                tolerance: (tolerance > 0.0).then_some(Tolerance(tolerance)),
                clear_marks,
            };
            let crowd = OzzCrowd::new(scene, settings)?;
            if !clear_marks {
                let [first, second] = crowd.keys();
                let (archived, context) = crowd.memory();
                println!(
                    "ozz, {keys}: {first} and {second} rotations in {} kB, {:.1} kB per body.",
                    archived / 1000,
                    context as f64 / 1e3
                );
            }
            let limit = LIMIT + tolerance;
            contenders.push(Contender::ozz(format!("ozz, {keys}{marks}"), crowd, limit));
        }
    }
    Ok(contenders)
}

/// Plays more than a whole cycle, and fails if somebody has joints elsewhere than the first.
fn compare(scene: &mut Scene, contenders: &mut [Contender]) -> Result<(), Box<dyn Error>> {
    let mut most = vec![0.0_f32; contenders.len()];
    for _ in 0..80 {
        scene.advance();
        for contender in contenders.iter_mut() {
            contender.pass(scene)?;
        }
        for (most, contender) in most.iter_mut().zip(contenders.iter()) {
            *most = most.max(contender.distance(&contenders[0], scene));
        }
    }
    println!("\nLargest distance of a joint from where Throng's matrices have it:");
    for (most, contender) in most.iter().zip(contenders.iter()).skip(1) {
        println!("  {}: {:.2} mm", contender.name, 1e3 * most);
        if *most > contender.limit {
            return Err(format!("{} is elsewhere", contender.name).into());
        }
    }
    println!();
    Ok(())
}

/// A few frames of one contender.
fn measure(scene: &mut Scene, contender: &mut Contender) -> Result<(), Box<dyn Error>> {
    for pass in 0..PASSES {
        scene.advance();
        rest();
        let begin = Instant::now();
        contender.pass(scene)?;
        let total = begin.elapsed();
        scene.advance();
        rest();
        let stages = contender.staged(scene)?;
        if pass >= WARM_UP {
            contender.total.push(total);
            for (times, stage) in
                contender.stages.iter_mut().zip([stages.sample, stages.blend, stages.pose])
            {
                times.push(stage);
            }
        }
    }
    Ok(())
}

/// On a busy machine, a thread that has just slept is the last to be interrupted.
fn rest() {
    thread::sleep(Duration::from_millis(1));
}

fn report(contenders: &[Contender]) {
    let nanoseconds = |time: Duration| time.as_nanos() as f64 / BODIES as f64;
    let cell = |times: &Times| {
        format!("{:.0} ({:.0})", nanoseconds(times.median()), nanoseconds(times.fastest()))
    };
    println!(
        "ns per body, median (fastest) of {} passes over {BODIES}",
        ROUNDS * (PASSES - WARM_UP)
    );
    println!("| | sample two clips | blend | pose | all |");
    println!("|---|---|---|---|---|");
    for contender in contenders {
        let [sample, blend, pose] = contender.stages.each_ref().map(cell);
        println!(
            "| {} | {sample} | {blend} | {pose} | {} |",
            contender.name,
            cell(&contender.total)
        );
    }
    let published = |contender: &&Contender| !contender.name.contains("marks");
    let rivals = contenders.iter().filter(|contender| !contender.is_throng());
    let fastest = |rivals: &mut dyn Iterator<Item = &Contender>| {
        rivals.map(|rival| rival.total.fastest()).min().unwrap_or_default().as_secs_f64()
    };
    let as_published = fastest(&mut rivals.clone().filter(published));
    let at_best = fastest(&mut rivals.clone());
    for own in contenders.iter().filter(|contender| contender.is_throng()) {
        let time = own.total.fastest().as_secs_f64();
        println!(
            "{} : fastest ozz as published = {:.2}, : fastest ozz = {:.2}",
            own.name,
            time / as_published,
            time / at_best
        );
    }
    let own = contenders.iter().find(|own| own.is_throng() && own.gives_matrices());
    for (stage, name) in ["sample", "blend", "pose"].into_iter().enumerate() {
        let time = |contender: &Contender| contender.stages[stage].fastest().as_secs_f64();
        let best = rivals.clone().map(time).fold(f64::INFINITY, f64::min);
        if let Some(own) = own {
            println!("{name}: {} : fastest ozz = {:.2}", own.name, time(own) / best);
        }
    }
}

/// How long Throng alone takes for a large crowd, on one thread and on two.
fn crowds() -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new(10_000)?;
    let mut crowd = ThrongCrowd::new(&scene, Form::Matrices);
    println!("\n10,000 bodies to matrices, ms, median (fastest)");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut times = Times::default();
        for _ in 0..400 {
            scene.advance();
            rest();
            let begin = Instant::now();
            pool.install(|| crowd.parallel_pass(&scene));
            times.push(begin.elapsed());
        }
        let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
        println!(
            "threads: {threads}: {:.1} ({:.1})",
            milliseconds(times.median()),
            milliseconds(times.fastest())
        );
    }
    Ok(())
}
