//! `docs/systems.md` names tests, files and counts that exist.
//!
//! A test is named `crate::path::test` in the third column of a table whose header ends in `| test | state |`; a test of the
//! studio's page is named by its file. A path that begins with a folder of the crate's `tests` is a module of that test program,
//! any other a module of `src`. What a test asserts is not judged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/systems.md")).unwrap()
}

/// Words in back-ticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// A row of a table of checks.
struct Check<'a> {
    section: &'a str,
    tests: Vec<&'a str>,
    state: &'a str,
}

const STATES: [&str; 4] = ["met", "loosened", "not met", "missing"];

fn checks(page: &str) -> Vec<Check<'_>> {
    let mut checks = Vec::new();
    let (mut section, mut in_table) = ("", false);
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title;
        }
        in_table = line.starts_with('|') && (in_table || line.ends_with("| test | state |"));
        if !in_table || line.ends_with("| test | state |") || line.starts_with("|---") {
            continue;
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [_, _, tests, state] = cells[..] else { panic!("four cells: {line}") };
        let said = STATES.into_iter().find(|&word| {
            state.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        });
        let state = said.unwrap_or_else(|| panic!("{STATES:?}, and not {state}"));
        checks.push(Check { section, tests: quoted(tests).collect(), state });
    }
    checks
}

/// Whether `source` has a test of this name, or one of a `proptest!`.
fn has_test(source: &str, name: &str) -> bool {
    let mut is_test = false;
    source.lines().map(str::trim).any(|line| {
        if line.starts_with("#[") {
            is_test |= line == "#[test]";
            return false;
        }
        let found = line.strip_prefix("fn ").and_then(|rest| rest.strip_prefix(name));
        let found = is_test && found.is_some_and(|rest| rest.starts_with('('));
        is_test &= line.is_empty() || line.starts_with("//");
        found
    })
}

/// The reason why a test cannot be found.
fn missing(test: &str) -> Option<String> {
    if test.contains('/') {
        return (!root().join(test).is_file()).then(|| format!("{test}: no such file"));
    }
    let parts: Vec<&str> = test.split("::").collect();
    let [package, modules @ .., name] = &parts[..] else {
        return Some(format!("{test}: write `crate::path::test`"));
    };
    let package = root().join("crates").join(package);
    let (mut file, inner) = match modules {
        [program, inner @ ..] if package.join("tests").join(program).is_dir() => {
            (package.join("tests").join(program), inner)
        }
        inner => (package.join("src"), inner),
    };
    for (depth, module) in inner.iter().enumerate() {
        let is_last = depth + 1 == inner.len();
        // The module of the tests of a file may be in that file.
        if is_last && *module == "tests" && !file.join("tests.rs").is_file() {
            break;
        }
        file.push(module);
    }
    let sources = [file.with_extension("rs"), file.join("mod.rs"), file.join("main.rs")];
    let Some(source) = sources.iter().find_map(|path| std::fs::read_to_string(path).ok()) else {
        return Some(format!("{test}: no file of this module"));
    };
    (!has_test(&source, name)).then(|| format!("{test}: no such test in its module"))
}

#[test]
fn tests_that_the_page_names_exist() {
    let page = page();
    let checks = checks(&page);
    let tests: Vec<&str> = checks.iter().flat_map(|check| check.tests.iter().copied()).collect();
    assert!(tests.len() > 250, "{} tests are named", tests.len());
    let missing: Vec<String> = tests.into_iter().filter_map(missing).collect();
    assert!(missing.is_empty(), "docs/systems.md names\n{}", missing.join("\n"));
}

#[test]
fn checks_that_are_held_name_a_test_and_counts_are_those_of_the_tables() {
    let page = page();
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for Check { section, tests, state } in checks(&page) {
        assert!(state == "missing" || !tests.is_empty(), "{section}: {state} without a test");
        let index = STATES.iter().position(|word| *word == state).unwrap();
        counts.entry(section).or_default()[index] += 1;
    }
    assert_eq!(counts.len(), 16, "{:?}", counts.keys());
    for (section, [met, loosened, failed, missing]) in counts {
        let row = format!("| {met} | {loosened} | {failed} | {missing} |");
        let number = format!("| [{} ", section.split(' ').next().unwrap());
        let line = page.lines().find(|line| line.starts_with(&number)).unwrap_or_default();
        assert!(line.ends_with(&row), "{section}: the table has {row}, the summary\n{line}");
    }
}

#[test]
fn files_that_the_page_names_exist() {
    let page = page();
    let is_path = |word: &&str| word.contains('/') && !word.contains(' ');
    let paths: Vec<&str> = quoted(&page).filter(is_path).collect();
    assert!(paths.len() > 40, "{paths:?}");
    let missing: Vec<&str> = paths.into_iter().filter(|path| !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "docs/systems.md names {missing:?}");
}

#[test]
fn what_is_not_there_is_missing() {
    for test in [
        "throng-nav::it::map::gaps_let_through_who_fit",
        "throng-nav::it::maps::gaps_let_through_who_fits",
        "throng-now::it::map::gaps_let_through_who_fits",
        // A function that is no test.
        "throng-nav::it::map::check_coverage",
        "studio/tests/unit/none.test.ts",
        "gaps_let_through_who_fits",
    ] {
        assert!(missing(test).is_some(), "{test}");
    }
    for test in [
        "throng-nav::it::map::gaps_let_through_who_fits",
        "throng-nav::it::map::any_polygons_at_all_make_a_sound_map",
        "throng-nav::graph::gates::tests::a_gate_is_the_chord_of_two_circles",
        "throng-nav::alternatives::tests::all_shortest_ways_round_blocks_are_found",
        "throng::it::variety::of_a_thousand_no_two_are_the_same",
        "studio/tests/unit/atlas.test.ts",
    ] {
        assert_eq!(missing(test), None);
    }
}
