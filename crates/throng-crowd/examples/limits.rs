//! Measures how fast people change velocity in scenes: `limits SECONDS SEED SCENE.toml…`.

#[path = "../tests/it/limits/measure.rs"]
mod measure;

use std::path::Path;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|text| text.parse::<f64>().ok()).unwrap_or(10.0);
    let (seconds, seed) = (number(), number() as u64);
    println!(
        "scene                 people   free    >3      >6   most  disturbed   >3      >6    turned progress"
    );
    for path in arguments {
        let path = Path::new(&path);
        let seen = measure::measure(path, seconds, seed);
        let share = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
        println!(
            "{:20} {:6} {:8} {:6.3}% {:6.3}% {:5.1} {:8} {:6.3}% {:6.3}% {:4} {:6.3}",
            path.file_stem().unwrap_or_default().to_string_lossy(),
            seen.people,
            seen.samples,
            share(seen.above[0], seen.samples),
            share(seen.above[1], seen.samples),
            seen.most,
            seen.disturbed,
            share(seen.disturbed_above[0], seen.disturbed),
            share(seen.disturbed_above[1], seen.disturbed),
            seen.turned,
            seen.progress,
        );
    }
}
