//! What carpets cost in each frame: `cargo bench -p throng --bench carpet`, or with `-- world 512` one scenario
//! and one number of people only.
//!
//! People walk over rolling ground at 25 Hz, with full carpets, on as many threads as there are. What the
//! published method took in 2015 is printed beside it. `throng bench carpet` does the same, also on one thread and with
//! dogs.

use throng::benchmark::carpet::{PUBLISHED, Scenario, rolling_ground, table};
use throng::motion::carpet::measure::{Walker, measure};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let is_asked =
        |scenario: &Scenario| asked.is_empty() || asked.iter().any(|word| word == scenario.name());
    let count = asked.iter().find_map(|word| word.parse::<usize>().ok());
    let (walker, ground) = (Walker::person()?, rolling_ground()?);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for scenario in Scenario::ALL.into_iter().filter(is_asked) {
        let (name, joints) = (scenario.summary(), walker.rig.skeleton().len());
        println!("{name}, {threads} threads, {joints} joints, 25 Hz");
        let counts = count.map_or(PUBLISHED.map(|(count, _)| count).to_vec(), |count| vec![count]);
        let measured = counts
            .into_iter()
            .map(|count| measure(&walker, &ground, scenario, (count, 100)))
            .collect::<Result<Vec<_>, _>>()?;
        println!("{}", table(&measured));
    }
    Ok(())
}
