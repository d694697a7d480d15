//! Tracks made smooth: what is wrong with those of a recording, and everyone at 25 Hz as CSV.
//!
//! ```sh
//! throng import obsmat.txt --fps 15 -o eth.parquet
//! cargo run --release --package throng --example smooth_tracks -- eth.parquet > eth_25hz.csv
//! ```

use std::error::Error;
use std::io::{BufWriter, Write};
use std::time::Instant;

use throng::recording::Recording;
use throng::tracks::{TrackOptions, Tracks};

const RATE: f64 = 25.0;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which recording?")?;
    let mut recording = Recording::open(path)?;
    let clock = Instant::now();
    let (tracks, report) = Tracks::of(&mut recording, &TrackOptions::default())?;
    eprint!("{report}");
    eprintln!("read and smoothed in {:.1} ms", 1000.0 * clock.elapsed().as_secs_f64());

    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "id,time,x,y,vx,vy,heading")?;
    for track in &tracks {
        for stretch in track.stretches() {
            let first = (stretch.begin() * RATE).ceil() as i64;
            let last = (stretch.end() * RATE).floor() as i64;
            for frame in first..=last {
                let time = frame as f64 / RATE;
                let Some(point) = stretch.at(time) else { continue };
                let heading = point.facing.unwrap_or_default().radians();
                let (x, y) = point.position.into();
                let (vx, vy) = point.velocity.into();
                let id = track.person();
                writeln!(out, "{id},{time:.2},{x:.3},{y:.3},{vx:.3},{vy:.3},{heading:.3}")?;
            }
        }
    }
    Ok(())
}
