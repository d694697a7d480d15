//! Commands print what the documentation says they print.
//!
//! A `console` block shows commands after `$ `, and below each its output, standard error included.
//! Output that is Markdown itself, such as a table, stands between `<!-- output of: COMMAND -->` and
//! `<!-- end -->`. Commands are those of a shell. All of a page run in order in one folder, in which
//! there are the shipped scenes. A comment on the line before says what is not run by this test:
//!
//! - `<!-- make docs: REASON -->` is slow or depends on the machine; `make docs` runs it.
//! - `<!-- not run: REASON -->` needs what is not in the repository.
//!
//! The paragraph before such a comment says when the output was printed, as "Printed on 2026-11-18". The date becomes that
//! of the day when the output is written anew.
//!
//! `UPDATE_DOCS=1` writes what the commands of this test print into the pages, `UPDATE_DOCS=all` also
//! what those of `make docs` print, and `UPDATE_DOCS=experiments.md` all of one page.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::support::{Folder, shipped_scenes};

const FENCE: &str = "```";
const OUTPUT_OF: &str = "<!-- output of: ";
const END: &str = "<!-- end -->";
const PRINTED_ON: &str = "Printed on ";

#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    Always,
    MakeDocs,
    Never,
}

/// A part of a page, in whole lines.
#[derive(Debug, PartialEq)]
enum Part {
    Text(String),
    Output { command: String, when: When, printed: String },
}

/// Takes a page apart. Its parts one after the other are the page again.
fn parts(page: &str) -> Vec<Part> {
    let mut parts = vec![Part::Text(String::new())];
    let mut when = When::Always;
    let mut lines = page.split_inclusive('\n');
    let (mut fence, mut region) = (None, false);
    while let Some(line) = lines.next() {
        let trimmed = line.trim_end();
        let mut command = None;
        if let Some(language) = trimmed.strip_prefix(FENCE) {
            fence = if fence.is_none() { Some(language) } else { None };
            push_text(&mut parts, line);
        } else if region && trimmed == END {
            region = false;
            push_text(&mut parts, line);
        } else if fence == Some("console") && line.starts_with("$ ") {
            push_text(&mut parts, line);
            let mut whole = trimmed[2..].to_owned();
            while whole.ends_with('\\') {
                let more = lines.next().expect("a command goes on after a backslash");
                push_text(&mut parts, more);
                whole = format!("{} {}", whole[..whole.len() - 1].trim_end(), more.trim());
            }
            command = Some(whole);
        } else if fence.is_none() && trimmed.starts_with(OUTPUT_OF) {
            region = true;
            push_text(&mut parts, line);
            let end = trimmed.strip_suffix(" -->").expect("a comment of one line");
            command = Some(end[OUTPUT_OF.len()..].to_owned());
        } else {
            match parts.last_mut() {
                Some(Part::Output { printed, .. }) if fence.is_some() || region => {
                    *printed += line;
                }
                _ => push_text(&mut parts, line),
            }
        }
        if let Some(command) = command {
            parts.push(Part::Output { command, when, printed: String::new() });
        } else if fence.is_none() && !region {
            when = match trimmed {
                comment if comment.starts_with("<!-- make docs:") => When::MakeDocs,
                comment if comment.starts_with("<!-- not run:") => When::Never,
                _ => When::Always,
            };
        }
    }
    parts
}

fn push_text(parts: &mut Vec<Part>, line: &str) {
    match parts.last_mut() {
        Some(Part::Text(text)) => *text += line,
        _ => parts.push(Part::Text(line.to_owned())),
    }
}

fn joined(parts: &[Part]) -> String {
    let text = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Output { printed, .. } => printed.clone(),
    };
    parts.iter().map(text).collect()
}

/// The pages of the documentation, in order.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let in_folder = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut pages: Vec<PathBuf> = in_folder(root.join("docs"))
        .chain(in_folder(root))
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    pages.sort();
    pages
}

fn name_of(page: &Path) -> &str {
    page.file_name().unwrap().to_str().unwrap()
}

/// What a command prints in a folder.
fn printed(folder: &Folder, command: &str) -> String {
    let outcome = folder.shell(command);
    // The shell's own failures: a command that is not there, or a signal.
    assert!(outcome.code.is_some_and(|code| code < 126), "`{command}`: {outcome:?}");
    outcome.out.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

/// The place of the date, as `YYYY-MM-DD`, in the last paragraph of a text that says when something was printed.
fn date_of_printing(text: &str) -> Option<std::ops::Range<usize>> {
    let paragraph = text.rfind("\n\n<!-- ").map_or(text, |end| &text[..end]);
    let start = paragraph.rfind("\n\n").map_or(0, |at| at + 2);
    let at = start + paragraph[start..].rfind(PRINTED_ON)? + PRINTED_ON.len();
    let date = text.get(at..at + "YYYY-MM-DD".len())?;
    let is_date = date.bytes().enumerate().all(|(place, byte)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    is_date.then(|| at..at + date.len())
}

#[test]
fn commands_print_what_the_documentation_says() {
    let update = std::env::var("UPDATE_DOCS").ok();
    let mut differences = String::new();
    let mut count = 0;
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        let name = name_of(&path);
        let is_run = |when| match (when, update.as_deref()) {
            (When::Always, _) => true,
            (When::MakeDocs, Some(wanted)) => wanted == "all" || wanted == name,
            (When::MakeDocs, None) | (When::Never, _) => false,
        };
        let mut parts = parts(&page);
        let folder = Folder::new();
        std::os::unix::fs::symlink(shipped_scenes(), folder.path("scenes")).unwrap();
        for at in 0..parts.len() {
            let (before, rest) = parts.split_at_mut(at);
            let Part::Output { command, when, printed: said } = &mut rest[0] else { continue };
            if !is_run(*when) {
                continue;
            }
            let begin = Instant::now();
            let found = printed(&folder, command);
            println!("{name}: `{command}` took {:.1} s", begin.elapsed().as_secs_f64());
            count += 1;
            if found != *said {
                writeln!(differences, "{name}: `{command}` prints\n{found}and not\n{said}")
                    .unwrap();
                *said = found;
            }
            if let (When::MakeDocs, Some(Part::Text(text))) = (&when, before.last_mut())
                && let Some(date) = date_of_printing(text)
            {
                text.replace_range(date, folder.shell("date -u +%F").out.trim());
            }
        }
        let written = joined(&parts);
        if update.is_some() && written != page {
            std::fs::write(&path, written).unwrap();
        }
    }
    assert!(count >= 5, "{count} commands are checked");
    assert!(
        update.is_some() || differences.is_empty(),
        "{differences}To write what is printed now: UPDATE_DOCS=1 cargo test --package throng-cli --test cli docs::"
    );
}

#[test]
fn output_that_is_not_checked_says_when_it_was_printed() {
    let mut count = 0;
    for path in pages() {
        let parts = parts(&std::fs::read_to_string(&path).unwrap());
        for pair in parts.windows(2) {
            let [Part::Text(text), Part::Output { command, when, .. }] = pair else { continue };
            // Of a block with several commands, the first has the paragraph before it.
            if *when != When::Always && text.contains("<!-- ") {
                count += 1;
                let page = name_of(&path);
                assert!(date_of_printing(text).is_some(), "{page}: when was `{command}` run?");
            }
        }
    }
    assert!(count >= 5, "{count} are not checked");
    let text = "Old.\n\nPrinted on 2026-11-18, on a slow day.\n\n<!-- make docs: slow -->\n```console\n$ throng\n";
    assert_eq!(&text[date_of_printing(text).unwrap()], "2026-11-18");
    for other in [text.replace("2026-11", "2026/11"), text.replace("\n\n<!--", "\n\nMore.\n\n<!--")]
    {
        assert_eq!(date_of_printing(&other), None, "{other}");
    }
}

/// How many people a shipped scene has in all, and for how many seconds it runs.
fn people_and_duration(folder: &Folder, scene: &str) -> (u64, f64) {
    let scene = shipped_scenes().join(scene);
    let scene = scene.to_str().unwrap();
    let checked = folder.throng(&["check", scene, "--json"]).json();
    let checked = &checked["scenes"][0];
    let duration = checked["duration"].as_f64().unwrap();
    if checked["expected_arrivals"] == 0 {
        return (checked["people"].as_u64().unwrap(), duration);
    }
    // How many come depends on the room that others leave them.
    let ran = folder.throng(&["run", scene, "--out", "run.parquet", "--force", "--json"]).json();
    (ran["people"]["total"].as_u64().unwrap(), duration)
}

/// With commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let separated = |(place, digit): (usize, char)| {
        let is_first = place > 0 && (digits.len() - place).is_multiple_of(3);
        [is_first.then_some(','), Some(digit)].into_iter().flatten()
    };
    digits.chars().enumerate().flat_map(separated).collect()
}

#[test]
fn the_readme_says_how_many_people_scenes_have_and_how_long_they_run() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let folder = Folder::new();
    let mut count = 0;
    let row = |line: &str| -> Option<String> {
        let cells: Vec<&str> = line.strip_prefix("| [")?.split(" | ").collect();
        let [scene, what, _, _] = cells[..] else { return None };
        let file = scene.split("](scenes/").nth(1)?.strip_suffix(')')?;
        let (people, duration) = people_and_duration(&folder, file);
        count += 1;
        Some(format!("| [{scene} | {what} | {} | {duration} s |", grouped(people)))
    };
    let rows: Vec<Option<String>> = page.lines().map(row).collect();
    let lines = page.lines().zip(&rows).map(|(line, row)| row.as_deref().unwrap_or(line));
    let expected: String = lines.flat_map(|line| [line, "\n"]).collect();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
        return;
    }
    for (line, row) in page.lines().zip(rows) {
        assert!(row.as_ref().is_none_or(|row| row == line), "{line}\nis now\n{}", row.unwrap());
    }
    assert!(count > 20, "{count} scenes");
}

#[test]
fn prompts_stand_only_in_blocks_that_are_checked() {
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        assert_eq!(joined(&parts(&page)), page, "{}", path.display());
        for part in parts(&page) {
            let Part::Text(text) = part else { continue };
            let mut fence = None;
            for line in text.lines() {
                if let Some(language) = line.strip_prefix(FENCE) {
                    fence = if fence.is_none() { Some(language) } else { None };
                }
                let is_prompt = line.starts_with("$ ") && fence.is_some_and(|it| it != "console");
                assert!(
                    !is_prompt,
                    "{}: make the block of \"{line}\" a console block",
                    name_of(&path)
                );
            }
        }
    }
}

#[test]
fn pages_are_taken_apart_and_put_together() {
    let page = "\
Text.
```console
$ throng one \\
    --more
first
$ throng two
```
<!-- make docs: takes minutes -->
```console
$ throng three
third
```
<!-- not run: no data -->
<!-- output of: throng four -->
| table |
<!-- end -->
```sh
throng five
```
";
    let parts = parts(page);
    assert_eq!(joined(&parts), page);
    let outputs: Vec<_> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Output { command, when, printed } => {
                Some((command.as_str(), *when, printed.as_str()))
            }
            Part::Text(_) => None,
        })
        .collect();
    assert_eq!(
        outputs,
        [
            ("throng one --more", When::Always, "first\n"),
            ("throng two", When::Always, ""),
            ("throng three", When::MakeDocs, "third\n"),
            ("throng four", When::Never, "| table |\n"),
        ]
    );
}
