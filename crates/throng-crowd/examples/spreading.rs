//! How a crowd spreads over the ways between two places: if everyone takes what seems best to them, with
//! whims and traffic (`ways = "best"`), or if they are dealt out to ways that differ (`ways = "many"`).
//!
//! ```sh
//! cargo run --release --package throng-crowd --example spreading
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use glam::Vec2;
use throng_crowd::{Crowd, PersonId, Status};
use throng_world::Scene;

/// The side of the squares that density is counted in, m.
const CELL: f32 = 3.0;

/// A place to cross, and where ways part in it.
struct World {
    name: &'static str,
    text: String,
    /// Which way somebody takes who crosses the middle at a point.
    middle: f32,
    lane: fn(f32) -> i32,
}

fn city(people: u32) -> World {
    let mut text = format!(
        "format = 1\n[world]\nbounds = [[-40, 0], [196, 136]]\nclosed = true\n\
         [[regions]]\nname = \"from\"\nrectangle = [[-38, 40], [-4, 96]]\n\
         [[regions]]\nname = \"to\"\nrectangle = [[160, 50], [194, 86]]\n\
         [[groups]]\nname = \"people\"\nthen = \"leave\"\nsteering = {{ model = \"pedestrian\" }}\n\
         speed = {{ min = 1.1, max = 1.5 }}\n\
         crowds = [{{ count = {people}, region = \"from\" }}]\ngoals = [{{ seek = \"to\" }}]\n"
    );
    for (i, j) in (0..6).flat_map(|i| (0..5).map(move |j| (i, j))) {
        let (x, y) = (13 + 26 * i, 16 + 26 * j);
        text += &format!("[[obstacles]]\nbox = {{ center = [{x}, {y}], size = [20, 20] }}\n");
    }
    World { name: "city", text, middle: 65.0, lane: |y| ((y + 10.0) / 26.0).floor() as i32 }
}

/// Two rooms with two doors of 1.2 m; the way by the second is longer.
fn hall(people: u32, away: f32) -> World {
    let text = format!(
        "format = 1\nworld = {{ bounds = [[0, -15], [60, 45]], closed = true }}\n\
         obstacles = [\n\
         {{ wall = {{ points = [[30, -15], [30, -0.6]], thickness = 0.3 }} }},\n\
         {{ wall = {{ points = [[30, 0.6], [30, {}]], thickness = 0.3 }} }},\n\
         {{ wall = {{ points = [[30, {}], [30, 45]], thickness = 0.3 }} }},\n]\n\
         [[regions]]\nname = \"from\"\nrectangle = [[2, -10], [16, 10]]\n\
         [[regions]]\nname = \"to\"\nrectangle = [[46, -6], [58, 6]]\n\
         [[groups]]\nname = \"people\"\nthen = \"leave\"\nsteering = {{ model = \"pedestrian\" }}\n\
         crowds = [{{ count = {people}, region = \"from\" }}]\ngoals = [{{ seek = \"to\" }}]\n",
        away - 0.6,
        away + 0.6
    );
    World { name: "hall", text, middle: 30.0, lane: |y| i32::from(y > 5.0) }
}

fn run(world: &World, ways: &str) -> Result<(), Box<dyn Error>> {
    let goal = format!("seek = \"to\", ways = \"{ways}\"");
    let text = world.text.replace("seek = \"to\"", &goal);
    let scene = Scene::parse(world.name, &text, Path::new(""))?;
    let mut crowd = Crowd::from_scene(&scene)?;
    let count = crowd.len();
    let mut before: BTreeMap<PersonId, Vec2> = BTreeMap::new();
    let mut taken: BTreeMap<i32, usize> = BTreeMap::new();
    let (mut times, mut walked, mut peak) = (Vec::new(), 0.0, 0);
    while !crowd.is_empty() && crowd.time() < 900.0 {
        crowd.step();
        let mut cells: BTreeMap<[i32; 2], usize> = BTreeMap::new();
        let now: BTreeMap<PersonId, Vec2> = crowd.people().map(|p| (p.id, p.position)).collect();
        for (id, was) in &before {
            match now.get(id) {
                None => times.push(crowd.time()),
                Some(at) => {
                    walked += f64::from(was.distance(*at));
                    if was.x < world.middle && at.x >= world.middle {
                        *taken.entry((world.lane)(at.y)).or_default() += 1;
                    }
                }
            }
        }
        for at in now.values().filter(|at| (at.x - world.middle).abs() < 60.0) {
            *cells.entry((*at / CELL).to_array().map(|x| x.floor() as i32)).or_default() += 1;
        }
        if crowd.time() > 20.0 {
            peak = peak.max(cells.values().copied().max().unwrap_or(0));
        }
        before = now;
    }
    let all = taken.values().sum::<usize>().max(1) as f64;
    let shares: Vec<String> =
        taken.iter().map(|(lane, n)| format!("{lane}: {:.0} %", 100.0 * *n as f64 / all)).collect();
    let entropy: f64 = taken.values().map(|&n| n as f64 / all).map(|p| -p * p.log2()).sum();
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    println!(
        "{} of {count}, {}: {} arrived, {} without a way, mean {mean:.1} s, last {:.1} s, {:.1} m each, entropy {entropy:.2} bit, peak {:.2}/m², shares {}",
        world.name,
        ways,
        times.len(),
        crowd.count(Status::NoPath),
        times.iter().copied().fold(0.0, f64::max),
        walked / count as f64,
        peak as f64 / f64::from(CELL * CELL),
        shares.join(", "),
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    for world in
        [city(500), city(2000), hall(60, 8.0), hall(200, 8.0), hall(200, 16.0), hall(200, 30.0)]
    {
        for ways in ["best", "many"] {
            run(&world, ways)?;
        }
    }
    Ok(())
}
