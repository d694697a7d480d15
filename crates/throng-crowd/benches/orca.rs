//! wip
use glam::Vec2;
use std::time::Instant;
use throng_crowd::*;
use throng_world::random::{Purpose, Random};
use throng_world::scene::*;
use throng_world::*;

fn square(n: usize) -> Crowd {
    let side = (n as f32 / 0.7).sqrt();
    let half = Vec2::splat(side * 0.5);
    let bounds = Bounds { min: -half, max: half };
    let region = Region {
        name: "square".into(),
        polygon: Polygon::new(bounds.corners()).unwrap(),
        layer: LayerId(0),
        tags: vec![],
    };
    let mut crowd = Crowd::new(Setting {
        step: 0.1,
        seed: 1,
        layers: vec![Layer { name: "g".into(), elevation: 0.0, terrain: Terrain::Flat }],
        connectors: vec![],
        walls: Walls::none(),
        regions: vec![region],
    });
    let plan = crowd.add_plan(Plan {
        goals: vec![Goal {
            aim: Aim::SeekRandom { region: RegionId(0), within: 0.5 },
            speed: None,
            duration: f32::INFINITY,
            span: 0..0,
        }],
        then: Then::Repeat,
    });
    let per = (n as f32).sqrt().ceil() as usize;
    let sp = side / per as f32;
    let mut s = Random::new(2).stream(0, 0, Purpose::Placement);
    for i in 0..n {
        let c = Vec2::new((i % per) as f32 + 0.5, (i / per) as f32 + 0.5) * sp - half;
        let j = Vec2::new(s.between(-0.2, 0.2), s.between(-0.2, 0.2)) * sp;
        crowd.add(&NewPerson {
            group: GroupId(0),
            model: 0,
            position: c + j,
            layer: LayerId(0),
            velocity: Vec2::ZERO,
            heading: Heading::default(),
            radius: 0.3,
            preferred_speed: 1.3,
            max_speed: 1.6,
            plan,
            traits: SteeringTraits {
                neighbour_range: 10.0,
                max_neighbours: 10,
                responsibility: 0.5,
            },
            parameters: [3.0, 1.0, 0.0, 0.0],
        });
    }
    crowd
}

fn main() {
    for threads in [1, 2] {
        for n in [1000, 10_000, 50_000, 100_000] {
            let mut crowd = square(n);
            crowd.set_threads(threads).unwrap();
            for _ in 0..20 {
                crowd.step();
            }
            let mut times = vec![];
            let mut progress = 0.0;
            let mut count = 0.0f64;
            for _ in 0..60 {
                let t = Instant::now();
                crowd.step();
                times.push(t.elapsed().as_secs_f64());
                for p in crowd.people() {
                    let d = p.preferred_velocity;
                    if d.length() > 0.1 {
                        progress += (p.velocity.dot(d.normalize()) / 1.3) as f64;
                        count += 1.0;
                    }
                }
            }
            times.sort_by(f64::total_cmp);
            println!(
                "{threads} threads {n}: median {:.3} best {:.3} us/person, progress {:.3}, {} bytes/person",
                times[30] / n as f64 * 1e6,
                times[0] / n as f64 * 1e6,
                progress / count,
                crowd.memory_per_person()
            );
        }
    }
}
