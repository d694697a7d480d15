//! `throng bench`.

use throng::benchmark::BENCHMARKS;

use crate::support::{Folder, parse};

#[test]
fn the_list_names_every_benchmark() {
    let folder = Folder::new();
    let printed = folder.throng(&["bench", "--list"]).ok();
    let entries = folder.throng(&["bench", "--list", "--json"]).json();
    for (benchmark, (line, entry)) in
        BENCHMARKS.iter().zip(printed.lines().zip(entries.as_array().unwrap()))
    {
        assert!(line.starts_with(benchmark.name) && line.ends_with(benchmark.summary), "{line}");
        assert_eq!(entry["name"], benchmark.name);
    }
    // And the tables of carpets, levels and fields.
    let others: Vec<&str> = printed.lines().skip(BENCHMARKS.len()).collect();
    let [carpet, levels, fields] = others[..] else { panic!("{printed}") };
    assert!(carpet.starts_with("carpet ") && fields.starts_with("fields "), "{printed}");
    assert!(levels.starts_with("levels "), "{printed}");
}

#[test]
fn a_benchmark_is_measured_on_the_threads_asked_for() {
    let outcome = Folder::new().throng(&["bench", "square-1k", "--threads", "2", "--json"]);
    assert_eq!(outcome.code, Some(0));
    // Tests are built without optimisation, and whoever measures like that should know.
    let optimised = !cfg!(debug_assertions);
    assert_eq!(outcome.err.contains("built without optimisation"), !optimised, "{}", outcome.err);
    let document = parse(&outcome.out);
    assert_eq!(document["optimised"], optimised);
    let results = document["results"].as_array().unwrap();
    let [result] = &results[..] else { panic!("{document}") };
    assert_eq!((&result["name"], &result["people"]), (&"square-1k".into(), &1000.into()));
    assert_eq!((&result["threads"], &result["speed_up"]), (&2.into(), &1.0.into()));
    let number = |key: &str| result[key].as_f64().unwrap();
    assert!(number("best_microseconds_per_person_step") > 0.0);
    assert!(number("microseconds_per_person_step") >= number("best_microseconds_per_person_step"));
    assert!(number("progress") > 0.0 && number("progress") <= 1.3);
    assert!(number("bytes_per_person") > 50.0);
}

#[test]
fn the_table_has_a_line_for_each_number_of_threads() {
    let printed = Folder::new().throng(&["bench", "square-1k"]).out;
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("benchmark "), "{printed}");
    assert!(lines.len() >= 2 && lines[1..].iter().all(|line| line.starts_with("square-1k ")));
    let ends = |line: &str| line.chars().count();
    assert!(lines.iter().all(|line| ends(line) == ends(lines[0])), "{printed}");
}

#[test]
fn stages_are_printed_with_the_share_that_only_one_thread_can_do() {
    // Fewer than 3,000 people are stepped on one thread: all stages are there all the same.
    let folder = Folder::new();
    let printed = folder.throng(&["bench", "square-1k", "--stages"]).out;
    if printed.lines().filter(|line| line.starts_with("square-1k ")).count() < 2 {
        return; // the machine has one thread
    }
    let stages: Vec<&str> = printed.lines().skip_while(|line| !line.contains("stage")).collect();
    assert!(stages[0].contains("speed-up") && stages[0].ends_with("serial share"), "{printed}");
    let share = |name: &str| {
        let line = stages.iter().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split_whitespace().last().unwrap().trim_end_matches('%').parse::<f64>().unwrap()
    };
    assert!((0.0..50.0).contains(&share("steer")), "{printed}");
    let sum = ["goals", "grid", "steer", "contacts", "advance"].map(share).iter().sum::<f64>();
    assert!((share("all") - sum).abs() < 1.0, "{printed}");
    let refused = folder.throng(&["bench", "square-1k", "--stages", "--threads", "2"]).fails(2);
    assert!(refused.contains("--stages"), "{refused}");
}

#[test]
fn an_unknown_benchmark_is_refused_with_those_there_are() {
    let message = Folder::new().throng(&["bench", "square-2k"]).fails(2);
    assert!(message.contains("square-2k") && message.contains("square-1k"), "{message}");
}
