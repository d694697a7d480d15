//! How long it takes to decide who looks how, and to make a cast.
//!
//! `cargo bench -p throng --bench variety` dresses crowds at once and one by one, on one thread, and prints the best of
//! several runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::Vec2;
use throng::bodies::Cast;
use throng::bodies::variety::{Descriptor, Present, Wardrobe};
use throng_base::random::{Purpose, Random};

const RUNS: u32 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("a descriptor has {} bytes", size_of::<Descriptor>());
    println!(
        "{:>8} {:>9} {:>12} {:>12} {:>14}",
        "people", "per m²", "at once ms", "each µs", "one more µs"
    );
    let library = Arc::new(Cast::usual_library(Cast::USUAL, &[])?);
    for (count, density) in [(1_000, 0.1), (1_000, 1.0), (100_000, 0.1), (100_000, 1.0)] {
        let people = crowd(count, density);
        let at_once = best(|| {
            let mut wardrobe = Wardrobe::new(library.clone(), 1);
            timed(|| wardrobe.dress(&people))
        });
        let mut wardrobe = Wardrobe::new(library.clone(), 1);
        let (last, others) = people.split_last().ok_or("nobody")?;
        wardrobe.dress(others);
        let one_more = best(|| {
            // Somebody was there before, so that there is room for one more.
            let mut wardrobe = wardrobe.clone();
            let somebody = Present { id: last.id + 1, ..*last };
            wardrobe.dress(&[others, &[somebody]].concat());
            wardrobe.dress(others);
            timed(|| wardrobe.dress(&people))
        });
        assert!(wardrobe.descriptor(last.id).is_none());
        let each = at_once.as_secs_f64() * 1e6 / f64::from(count);
        println!(
            "{count:>8} {density:>9} {:>12.2} {each:>12.2} {:>14.1}",
            at_once.as_secs_f64() * 1e3,
            one_more.as_secs_f64() * 1e6
        );
    }
    for looks in [12, 24, 48] {
        let made = best(|| timed(|| Cast::new(looks).map(drop).unwrap_or_default()));
        println!("a cast of {looks} looks is made in {:.0} ms", made.as_secs_f64() * 1e3);
    }
    Ok(())
}

fn crowd(count: u32, density: f32) -> Vec<Present> {
    let side = (count as f32 / density).sqrt();
    let somewhere = |id: u32| {
        let mut draw = Random::new(3).stream(id.into(), 0, Purpose::Placement);
        let place = draw.point_between(Vec2::ZERO, Vec2::splat(side)).extend(0.0);
        Present { id, place, ..Present::default() }
    };
    (0..count).map(somewhere).collect()
}

fn timed(work: impl FnOnce()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

fn best(run: impl FnMut() -> Duration) -> Duration {
    std::iter::repeat_with(run).take(RUNS as usize).min().unwrap_or_default()
}
