//! What carpets cost in each frame: `cargo bench -p throng-motion --bench carpet`.
//!
//! Bodies walk over rolling ground at 25 Hz, with full carpets, on as many threads as there are. What the
//! published method took in 2015 is printed beside it.

use std::sync::Arc;

use throng_motion::carpet::measure::{PUBLISHED, Scenario, measure, rolling_ground, table};
use throng_motion::carpet::{CarpetOptions, Cycle, Rig};
use throng_motion::gait::Steady;
use throng_motion::{Human, Proportions};
use throng_world::{Bounds, Heightfield, Terrain};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let human = Human::new(Proportions::default())?;
    let clip = Steady::ahead(1.3).clip(&human)?;
    let rig = Arc::new(Rig::human(human.skeleton(), Some(&clip))?);
    let options = CarpetOptions::default();
    let weighting = options.weighting(rig.height());
    let cycle = Cycle::of_clip(&rig, &clip, options.spacing, options.columns / 2, &weighting)?;
    let cycle = Arc::new(cycle);
    // A lattice of 0.25 m, as terrain usually comes.
    let bounds = Bounds { min: (-60.0, -60.0).into(), max: (100.0, 60.0).into() };
    let (columns, rows) = (641, 481);
    let heights = (0..columns * rows)
        .map(|index| {
            let place = (0.25 * (index % columns) as f32, 0.25 * (index / columns) as f32);
            rolling_ground(place.into())
        })
        .collect();
    let ground = Terrain::from(Heightfield::new(bounds, columns, rows, heights)?);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for (scenario, name) in [
        (Scenario::Line, "on lines that change four times a second"),
        (Scenario::Steady, "on lines that stay"),
        (Scenario::World, "on the world, related anew in every frame"),
    ] {
        println!("{name}, {threads} threads, {} joints, 25 Hz", human.skeleton().len());
        let measured = PUBLISHED
            .iter()
            .map(|(count, _)| measure(&rig, &cycle, &ground, scenario, (*count, 100)))
            .collect::<Result<Vec<_>, _>>()?;
        println!("{}", table(&measured));
    }
    Ok(())
}
