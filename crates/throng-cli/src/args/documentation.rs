//! What the documentation says can be typed, can be typed.

use std::path::Path;

use clap::{CommandFactory, Parser};

use super::Arguments;

/// The pages of the documentation, with their names.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let pages = read(root.join("docs")).chain(read(root));
    let pages = pages.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    // What has changed is said in the words of its time.
    let pages = pages.filter(|path| path.file_name().unwrap() != "CHANGELOG.md");
    pages.map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect()
}

/// Splits a page into the lines of its `sh` and `console` blocks, and its text without any blocks.
fn blocks_and_text(page: &str) -> (Vec<&str>, String) {
    let (mut commands, mut text, mut fence) = (Vec::new(), String::new(), None);
    for line in page.lines() {
        match (line.strip_prefix("```"), fence) {
            (Some(language), None) => fence = Some(language),
            (Some(_), Some(_)) => fence = None,
            (None, None) => text = text + line + " ",
            (None, Some("sh")) => commands.push(line),
            (None, Some("console")) => commands.extend(line.strip_prefix("$ ")),
            (None, Some(_)) => {}
        }
    }
    (commands, text)
}

/// The words of each `throng` command in a line of a shell.
fn typed(line: &str) -> Vec<Vec<String>> {
    let (mut commands, mut words, mut word, mut quote) = (Vec::new(), Vec::new(), None, None);
    let mut end = |words: &mut Vec<String>| commands.push(std::mem::take(words));
    for character in line.chars() {
        match (character, quote) {
            (_, Some(open)) if character == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(character);
                word.get_or_insert_with(String::new);
            }
            (' ' | '|' | ';' | '&' | '>', None) => {
                words.extend(word.take());
                if character != ' ' {
                    end(&mut words);
                }
            }
            ('#', None) if word.is_none() => break,
            _ => word.get_or_insert_with(String::new).push(character),
        }
    }
    words.extend(word);
    end(&mut words);
    // Variables may be set before a command.
    let without_variables = commands.into_iter().map(|words: Vec<String>| {
        words.into_iter().skip_while(|word| word.contains('=')).collect::<Vec<String>>()
    });
    without_variables.filter(|words| words.first().is_some_and(|first| first == "throng")).collect()
}

#[test]
fn commands_of_the_documentation_can_be_typed() {
    let mut count = 0;
    for (name, page) in pages() {
        for words in blocks_and_text(&page).0.into_iter().flat_map(typed) {
            count += 1;
            if let Err(error) = Arguments::try_parse_from(&words) {
                let is_help = !error.use_stderr();
                assert!(is_help, "{name}: `{}`: {error}", words.join(" "));
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn options_in_the_text_of_the_documentation_exist() {
    let program = Arguments::command();
    let mut count = 0;
    for (name, page) in pages() {
        let (_, text) = blocks_and_text(&page);
        for span in text.split('`').skip(1).step_by(2) {
            for words in typed(span) {
                let mut command = &program;
                for (nth, word) in words.iter().enumerate().skip(1) {
                    if let Some(option) = word.strip_prefix("--") {
                        let option = option.split('=').next();
                        let mut known = command.get_arguments().map(|known| known.get_long());
                        assert!(
                            known.any(|known| known == option),
                            "{name}: `{span}`: {} has no such option",
                            command.get_name()
                        );
                        count += 1;
                    } else if let Some(further) = command.find_subcommand(word) {
                        command = further;
                    } else {
                        let is_command = nth == 1 && word.chars().all(|c| c.is_ascii_lowercase());
                        assert!(!is_command, "{name}: `{span}`: there is no such command");
                    }
                }
            }
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn examples_and_benchmarks_of_the_documentation_exist() {
    let mut count = 0;
    for (name, page) in pages() {
        for line in blocks_and_text(&page).0 {
            let words: Vec<&str> = line.split_whitespace().collect();
            let after =
                |option| words.iter().position(|word| *word == option).map(|at| words[at + 1]);
            for (option, folder) in [("--example", "examples"), ("--bench", "benches")] {
                let Some(target) = after(option) else { continue };
                let package = after("--package").unwrap_or_else(|| panic!("{name}: {line}"));
                let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
                let place = crates.join(package).join(folder).join(target);
                assert!(place.is_dir() || place.with_extension("rs").is_file(), "{name}: {line}");
                count += 1;
            }
        }
    }
    assert!(count > 4, "{count}");
}
