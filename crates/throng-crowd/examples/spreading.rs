//! How a crowd spreads over the ways between two places: by the search that everyone makes for
//! themselves, with whims and traffic, or by sets of paths of the navigation graph that people are
//! dealt out to and follow as lines.
//!
//! ```sh
//! cargo run --release --package throng-crowd --example spreading
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use glam::{DVec2, Vec2};
use throng_crowd::{Crowd, PersonId, Plan, Status};
use throng_nav::graph::PathRules;
use throng_nav::{CorridorMap, GraphRules, MapRules, NavGraph, Routes};
use throng_world::Scene;
use throng_world::random::{Purpose, Random};
use throng_world::scene::{Aim, Goal, LayerId, RegionId, Then};

const GROUND: LayerId = LayerId(0);
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

/// Sends everyone along a path of the graph.
fn deal_out(crowd: &mut Crowd, scene: &Scene, stretch: f64) -> Result<usize, Box<dyn Error>> {
    let map = CorridorMap::of_scene(scene, &MapRules::of_scene(scene))?;
    let graph = NavGraph::of_scene(scene, &map, &GraphRules::default())?;
    let mut routes = Routes::new(graph, PathRules { stretch, ..PathRules::default() });
    let bounds = scene.regions[1].polygon.bounds();
    let goal = ((bounds.min + bounds.max) * 0.5).as_dvec2();
    let to = routes.graph().best_zone(GROUND, goal).ok_or("no zone")?;
    let random = Random::new(1);
    let people: Vec<(PersonId, DVec2)> =
        crowd.people().map(|p| (p.id, p.position.as_dvec2())).collect();
    let mut most = 0;
    for (id, at) in people {
        let Some(from) = routes.graph().best_zone(GROUND, at) else { continue };
        let mut draws = random.stream(id.0.into(), 0, Purpose::Whim);
        let set = routes.between(from, to).clone();
        most = most.max(set.paths.len());
        let Some(path) = set.choose(draws.unit().into()) else { continue };
        let points = routes.graph().waypoints(path, at, goal, 0.25, &mut draws).ok_or("narrow")?;
        let mut line: Vec<(LayerId, Vec2)> = vec![(GROUND, at.as_vec2())];
        line.extend(points.iter().map(|point| (GROUND, point.point.as_vec2())));
        // Into the region, wherever its border is crossed.
        line.pop();
        let mut goals = vec![Goal::new(Aim::SeekRegion { region: RegionId(1) })];
        if line.len() > 1 {
            goals.insert(0, Goal::new(Aim::Follow { line, width: 0.0, within: 3.0 }));
        }
        crowd.set_goals(&[id], Plan { goals, then: Then::Leave })?;
    }
    Ok(most)
}

fn run(world: &World, stretch: Option<f64>) -> Result<(), Box<dyn Error>> {
    let scene = Scene::parse(world.name, &world.text, Path::new(""))?;
    let mut crowd = Crowd::from_scene(&scene)?;
    let count = crowd.len();
    let paths = stretch.map(|stretch| deal_out(&mut crowd, &scene, stretch)).transpose()?;
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
        match (paths, stretch) {
            (Some(paths), Some(stretch)) => format!("up to {paths} paths, {stretch} times as long"),
            _ => "searches".into(),
        },
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
        for stretch in [None, Some(1.1), Some(1.25), Some(1.6)] {
            run(&world, stretch)?;
        }
    }
    Ok(())
}
