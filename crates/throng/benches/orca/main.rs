//! ORCA in the open square, beside the `dodgy_2d` crate in the same run.
//!
//! Both simulate the same scenario: people on a jittered grid at 0.7 per m², each on the way to a
//! random goal and then to the next; 10 neighbours within 10 m, horizon 3 s, radius 0.3 m,
//! preferred speed 1.3 m/s, step 0.1 s. Ours is the whole engine step, contacts and goals included;
//! theirs is neighbour search, avoidance and integration, without drawing goals.
//!
//! `cargo bench -p throng --bench orca [-- PEOPLE…]`

#[allow(dead_code, reason = "written to be measured in more ways than are used here")]
mod dodgy_square;

use std::time::{Duration, Instant};

use dodgy_square::DodgySquare;
use throng::benchmark::BENCHMARKS;

const WARM_UP: usize = 30;
const TIMED: usize = 30;

fn main() {
    let wanted: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    println!("µs per person and step, median (fastest step)\n");
    println!(
        "| people | threads | dodgy_2d | Throng | ratio | progress dodgy_2d | progress Throng | bytes/person |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for benchmark in BENCHMARKS.iter().filter(|b| b.name.starts_with("square")) {
        let people = benchmark.people();
        if !wanted.is_empty() && !wanted.contains(&people) {
            continue;
        }
        for threads in [1, 2] {
            let theirs = measure_dodgy(people, threads);
            let ours = match benchmark.run(Some(threads)) {
                Ok(measurement) => measurement,
                Err(error) => {
                    eprintln!("{}: {error}", benchmark.name);
                    std::process::exit(1);
                }
            };
            let micros = |time: Duration| time.as_secs_f64() * 1e6 / people as f64;
            println!(
                "| {people} | {threads} | {:.3} ({:.3}) | {:.3} ({:.3}) | {:.1} | {:.3} | {:.3} | {} |",
                micros(theirs.median),
                micros(theirs.best),
                micros(ours.median),
                micros(ours.best),
                theirs.median.as_secs_f64() / ours.median.as_secs_f64(),
                theirs.progress,
                ours.progress,
                ours.memory_per_person,
            );
        }
    }
}

struct Figures {
    median: Duration,
    best: Duration,
    progress: f64,
}

fn measure_dodgy(people: usize, threads: usize) -> Figures {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.expect("a thread pool for the baseline");
    let mut square = DodgySquare::new(people, 1);
    let mut times = Vec::with_capacity(TIMED);
    let mut progress = 0.0;
    for step in 0..WARM_UP + TIMED {
        square.redraw_goals();
        let begin = Instant::now();
        if threads == 1 {
            square.step();
        } else {
            pool.install(|| square.step_parallel());
        }
        if step >= WARM_UP {
            times.push(begin.elapsed());
            progress += square.progress() / TIMED as f64;
        }
    }
    times.sort_unstable();
    Figures { median: times[TIMED / 2], best: times[0], progress }
}
