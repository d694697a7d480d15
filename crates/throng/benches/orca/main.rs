//! ORCA in the open square, beside the `dodgy_2d` crate in the same run.
//!
//! Both simulate the same scenario: people on a jittered grid at 0.7 per m², each on the way to a
//! random goal and then to the next; 10 neighbours within 10 m, horizon 3 s, radius 0.3 m,
//! preferred speed 1.3 m/s, step 0.1 s. Ours is the whole engine step, contacts and goals included;
//! theirs is neighbour search, avoidance and integration, without drawing goals. The crate leaves
//! the search to its user: it gets a grid with people in cell order, once with the usual insertion
//! into a sorted list ("plain") and once with a branch-free one that takes half the time ("tuned").
//!
//! Everything is measured three times in turn and the run with the lowest median is shown, since
//! other work on the machine only ever makes a run slower.
//!
//! `cargo bench -p throng --bench orca [-- PEOPLE…]`

mod dodgy_square;

use std::error::Error;
use std::time::{Duration, Instant};

use dodgy_square::{DodgySquare, Search};
use throng::benchmark::{BENCHMARKS, Benchmark, TIMED, WARM_UP};

const ROUNDS: usize = 3;

/// More people than this are measured only if asked for.
const MOST_UNASKED: usize = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    println!("µs per person and step: median of {TIMED} steps (fastest step)\n");
    println!(
        "| people | threads | dodgy_2d, plain | dodgy_2d, tuned | Throng | plain : Throng | \
         tuned : Throng | progress dodgy_2d | progress Throng | bytes/person |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for benchmark in BENCHMARKS.iter().filter(|b| b.name.starts_with("square")) {
        let is_usual = wanted.is_empty() && benchmark.people() <= MOST_UNASKED;
        if is_usual || wanted.contains(&benchmark.people()) {
            for threads in [1, 2] {
                compare(benchmark, threads)?;
            }
        }
    }
    Ok(())
}

fn compare(benchmark: &Benchmark, threads: usize) -> Result<(), Box<dyn Error>> {
    let people = benchmark.people();
    let (mut plain, mut tuned, mut ours) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        plain.push(measure_dodgy(people, threads, Search::Plain)?);
        tuned.push(measure_dodgy(people, threads, Search::Tuned)?);
        let throng = benchmark.run(Some(threads))?;
        ours.push((Figures::of(throng.median, throng.best, throng.progress), throng));
    }
    let best = |rounds: Vec<Figures>| rounds.into_iter().min_by_key(|f| f.median);
    let (Some(plain), Some(tuned)) = (best(plain), best(tuned)) else { return Ok(()) };
    let Some((ours, throng)) = ours.into_iter().min_by_key(|(f, _)| f.median) else {
        return Ok(());
    };
    let ratio = |theirs: &Figures| theirs.median.as_secs_f64() / ours.median.as_secs_f64();
    println!(
        "| {people} | {threads} | {} | {} | {} | {:.1} | {:.1} | {:.3} | {:.3} | {} |",
        plain.micros(people),
        tuned.micros(people),
        ours.micros(people),
        ratio(&plain),
        ratio(&tuned),
        tuned.progress,
        ours.progress,
        throng.memory_per_person,
    );
    Ok(())
}

#[derive(Clone, Copy)]
struct Figures {
    median: Duration,
    best: Duration,
    progress: f64,
}

impl Figures {
    fn of(median: Duration, best: Duration, progress: f64) -> Self {
        Self { median, best, progress }
    }

    fn micros(&self, people: usize) -> String {
        let micros = |time: Duration| time.as_secs_f64() * 1e6 / people as f64;
        format!("{:.3} ({:.3})", micros(self.median), micros(self.best))
    }
}

fn measure_dodgy(
    people: usize,
    threads: usize,
    search: Search,
) -> Result<Figures, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut square = DodgySquare::new(people, 1, search);
    let mut times = Vec::with_capacity(TIMED as usize);
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
            progress += square.progress() / f64::from(TIMED);
        }
    }
    times.sort_unstable();
    Ok(Figures::of(times[times.len() / 2], times[0], progress))
}
