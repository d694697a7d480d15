//! Reading a recording: how fast everyone walks, every ten seconds, and where person 0 went.
//!
//! ```sh
//! throng run scenes/plaza.toml
//! cargo run --release --package throng --example replay -- plaza.parquet
//! ```

use std::error::Error;

use throng::recording::{Recording, Status};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "plaza.parquet".into());
    let mut recording = Recording::open(path)?;
    println!("{}, seed {}", recording.info().scene_name, recording.info().seed);
    println!("{:>8} {:>7} {:>8} {:>11}", "time", "people", "blocked", "mean speed");

    // Any moment can be asked for, in any order; between two frames people are interpolated.
    for seconds in (0..=recording.duration() as u32).step_by(10) {
        let time = recording.time_of(0) + f64::from(seconds);
        let Some(frame) = recording.interpolated(time)? else { break };
        let people = &frame.people;
        let blocked = people.statuses.iter().filter(|&&s| s == Status::Blocked).count();
        let speeds: f32 = people.velocities.iter().map(|velocity| velocity.length()).sum();
        let mean = speeds / people.len().max(1) as f32;
        println!("{time:>6} s {:>7} {blocked:>8} {mean:>7.2} m/s", people.len());
    }

    // Frame by frame, in order, is the quickest way through a file.
    let (mut last, mut walked) = (None, 0.0);
    for frame in recording.frames() {
        let people = frame?.people;
        let Some(index) = people.find(0) else { continue };
        let position = people.positions[index];
        walked += last.map_or(0.0, |last| position.distance(last));
        last = Some(position);
    }
    println!("person 0 walked {walked:.1} m");
    Ok(())
}
