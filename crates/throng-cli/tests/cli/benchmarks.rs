//! Tables of measurements say when, on which machine and by which command they were printed, and the command exists.
//!
//! The text between the table before, or the heading, and a table has "Printed on 2026-11-19, on the EPYC, by `COMMAND`". The
//! machines are those of the list `- **NAME**: …` of `docs/benchmarks.md`. `throng bench` is asked which benchmarks there are;
//! benchmarks and tests of cargo are looked for in their package, and targets in the Makefile.

use std::path::{Path, PathBuf};

use crate::support::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// A table, or a block of commands and what they print, and the text before it.
#[derive(Debug, Default)]
struct Measurement<'a> {
    text: Vec<&'a str>,
    lines: Vec<&'a str>,
}

impl Measurement<'_> {
    fn is_table(&self) -> bool {
        self.lines[0].starts_with('|')
    }

    /// Whether any cell begins with a number.
    fn has_numbers(&self) -> bool {
        let mut cells = self.lines.iter().flat_map(|line| line.split('|'));
        cells.any(|cell| cell.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    }
}

/// The tables and `console` blocks of a page.
fn measurements(page: &str) -> Vec<Measurement<'_>> {
    let (mut found, mut current, mut fence) = (Vec::new(), Measurement::default(), None);
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        if is_fence && fence.is_none() {
            fence = Some(line == "```console");
        }
        if fence == Some(true) || (fence.is_none() && line.starts_with('|')) {
            current.lines.push(line);
        } else {
            if !current.lines.is_empty() {
                found.push(std::mem::take(&mut current));
            }
            match line.starts_with('#') && fence.is_none() {
                true => current.text.clear(),
                false => current.text.push(line),
            }
        }
        if is_fence && current.lines.last().is_none_or(|last| *last != "```console") {
            fence = (line != "```").then_some(false);
        }
    }
    if !current.lines.is_empty() {
        found.push(current);
    }
    found
}

/// The machines of `docs/benchmarks.md`.
fn machines(page: &str) -> Vec<&str> {
    let names = page.lines().filter_map(|line| line.strip_prefix("- **")?.split_once("**: "));
    names.map(|(name, _)| name).collect()
}

/// What a text says of how something was measured: the date, the machine, and the command if there is one.
fn provenance(text: &str) -> Option<(&str, &str, Option<&str>)> {
    let (_, said) = text.rsplit_once("Printed on ")?;
    let (date, said) = said.split_once(", on the ")?;
    let machine = &said[..said.find(|c: char| !c.is_alphanumeric())?];
    let command = said.split_once("by `").and_then(|(_, rest)| Some(rest.split_once('`')?.0));
    let is_digit = |(place, byte): (usize, u8)| matches!(place, 4 | 7) || byte.is_ascii_digit();
    let is_date = date.len() == 10 && date.bytes().enumerate().all(is_digit);
    is_date.then_some((date, machine, command))
}

/// Whether a module of a test program exists, such as `bodies::slides::` of `it`.
fn has_module(tests: &Path, filter: &str) -> bool {
    let modules: Vec<&str> = filter.split("::").filter(|part| !part.is_empty()).collect();
    let path = modules.iter().fold(tests.to_owned(), |path, module| path.join(module));
    path.with_extension("rs").is_file() || path.join("mod.rs").is_file()
}

/// Why a command cannot be run; `benchmarks` are those of `throng bench`.
fn fault(command: &str, benchmarks: &[String]) -> Option<String> {
    let words: Vec<&str> =
        command.split_whitespace().skip_while(|word| word.contains('=')).collect();
    let after = |option| words.iter().skip_while(|word| **word != option).nth(1).copied();
    let package = || root().join("crates").join(after("--package").unwrap_or("without --package"));
    let exists = match &words[..] {
        ["throng", "bench", rest @ ..] => {
            let names = rest.iter().take_while(|word| !word.starts_with('-'));
            names.into_iter().all(|name| benchmarks.iter().any(|known| known == name))
        }
        ["throng", command, ..] => Folder::new().throng(&[command, "--help"]).code == Some(0),
        ["cargo", "bench", ..] => after("--bench").is_some_and(|name| {
            let place = package().join("benches").join(name);
            place.is_dir() || place.with_extension("rs").is_file()
        }),
        ["cargo", "test", ..] => after("--test").is_some_and(|program| {
            let mut filters = words.iter().filter(|word| word.ends_with("::"));
            let tests = package().join("tests").join(program);
            tests.join("main.rs").is_file() && filters.all(|filter| has_module(&tests, filter))
        }),
        ["make", target] => {
            let makefile = std::fs::read_to_string(root().join("Makefile")).unwrap();
            makefile.lines().any(|line| line.split_once(':').is_some_and(|(it, _)| it == *target))
        }
        _ => false,
    };
    (!exists).then(|| format!("there is no `{command}`"))
}

/// What is wrong with how a measurement says where it is from.
fn mistake(what: &Measurement, machines: &[&str], benchmarks: &[String]) -> Option<String> {
    let text = what.text.join(" ");
    let Some((_, machine, command)) = provenance(&text) else {
        return Some("write \"Printed on DATE, on the MACHINE, by `COMMAND`\" before it".into());
    };
    if !machines.contains(&machine) {
        return Some(format!("{machine} is none of {machines:?}"));
    }
    match (what.is_table(), command) {
        (true, None) => Some("which command printed it?".into()),
        (true, Some(command)) => fault(command, benchmarks),
        (false, _) => {
            let typed = what.lines.iter().filter_map(|line| line.strip_prefix("$ "));
            typed.filter_map(|command| fault(command, benchmarks)).next()
        }
    }
}

fn benchmarks() -> Vec<String> {
    let printed = Folder::new().throng(&["bench", "--list"]).ok();
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    printed.lines().filter_map(first).collect()
}

#[test]
fn every_table_of_measurements_says_where_it_is_from() {
    let pages = ["benchmarks.md", "levels.md"].map(|name| (name, page(name)));
    let (machines, benchmarks) = (machines(&pages[0].1), benchmarks());
    assert!(machines.len() >= 2, "{machines:?}");
    let mut count = 0;
    for (name, page) in &pages {
        for what in measurements(page) {
            // Tables of other pages may say what things are.
            if *name == "benchmarks.md" || what.has_numbers() {
                count += 1;
                let mistake = mistake(&what, &machines, &benchmarks);
                assert_eq!(mistake, None, "{name}: {:?}", what.lines[0]);
            }
        }
    }
    assert!(count > 20, "{count} tables");
}

#[test]
fn tables_without_date_machine_or_command_are_found() {
    let benchmarks = benchmarks();
    let found = |text: &str| {
        let page = format!("# Title\n\n{text}\n\n| a |\n|---|\n| 1 |\n");
        let all = measurements(&page);
        let [what] = &all[..] else { panic!("{all:?}") };
        assert!(what.has_numbers());
        mistake(what, &["EPYC"], &benchmarks)
    };
    let good = "Printed on 2026-11-19, on the EPYC, quiet, by `throng bench square-10k --stages`:";
    assert_eq!(found(good), None);
    for command in [
        "cargo bench --package throng --bench recording",
        "THRONG_LONG=1 cargo test --release --package throng --test it -- bodies::slides:: --nocapture",
        "make bench-ozz",
        "throng eval --seeds 3",
    ] {
        let other = good.replace("throng bench square-10k --stages", command);
        assert_eq!(found(&other), None, "{command}");
    }
    for (from, to) in [
        ("Printed", "Measured"),
        ("-19", ""),
        ("EPYC", "Xeon"),
        ("by `", "`"),
        ("square-10k", "square-11k"),
        ("throng bench square-10k", "throng sing"),
        ("throng bench square-10k", "cargo bench --package throng --bench recordings"),
        ("throng bench square-10k", "cargo bench --package throng-x --bench recording"),
        ("throng bench square-10k", "cargo test --package throng --test it bodies::slips::"),
        ("throng bench square-10k --stages", "make benches"),
        ("throng bench square-10k --stages", "./a-program"),
        (
            "Printed",
            "Printed on 2026-11-19, on the EPYC, by `make bench`:\n\n## Next\n\nNot printed",
        ),
    ] {
        let bad = good.replace(from, to);
        assert!(found(&bad).is_some(), "{bad}");
    }
    let block = "# T\n\n```sh\nthrong bench x\n| no table |\n```\n\n```console\n$ throng bench nothing\n| 1\n```\n";
    let all = measurements(block);
    assert_eq!((all.len(), all[0].lines[1]), (1, "$ throng bench nothing"));
}
