//! Help, version, schema and completions.

use crate::support::Folder;

const COMMANDS: &str = "run, check, schema, info, measure, plot, clips, export, import, rec, rec validate, \
    animate, survey, evacuate, calibrate, experiment, experiment doors, experiment counter-flow, \
    experiment fundamental, experiment hallway, eval, eval score, eval list, eval report, \
    eval compare, bench, completions";

#[test]
fn help_is_what_was_agreed() {
    let folder = Folder::new();
    let mut help = folder.throng(&["--help"]).ok();
    for command in COMMANDS.split(", ") {
        let arguments: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let text = folder.throng(&arguments).ok();
        help += &format!("\n$ throng {command} --help\n{text}");
    }
    assert!(!help.contains('\x1b'), "colours are for terminals");
    insta::assert_snapshot!(help);
}

#[test]
fn every_command_has_examples() {
    let folder = Folder::new();
    for command in COMMANDS.split(", ") {
        let arguments: Vec<&str> = ["help"].into_iter().chain(command.split(' ')).collect();
        let text = folder.throng(&arguments).ok();
        let examples = text.split_once("Examples:").map(|(_, examples)| examples);
        assert!(examples.is_some_and(|e| e.contains(&format!("throng {command}"))), "{text}");
    }
}

#[test]
fn without_a_command_help_is_shown_and_nothing_is_done() {
    let message = Folder::new().throng(&[]).fails(2);
    assert!(message.contains("Usage: throng <COMMAND>"), "{message}");
}

#[test]
fn an_unknown_command_is_refused_with_a_similar_one() {
    let message = Folder::new().throng(&["chekc"]).fails(2);
    assert!(message.contains("'check'"), "{message}");
}

#[test]
fn the_version_is_that_of_the_workspace() {
    let version = concat!("throng ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(Folder::new().throng(&["--version"]).ok(), version);
}

#[test]
fn the_schema_is_one_json_document_that_knows_the_models() {
    let schema = Folder::new().throng(&["schema"]).json();
    assert_eq!(schema["type"], "object");
    assert!(schema["$schema"].as_str().unwrap().contains("json-schema.org"));
    assert!(schema.to_string().contains("time_horizon"), "orca's parameters are missing");
}

#[test]
fn completions_know_commands_options_and_benchmarks() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.throng(&["completions", shell]).ok();
        // Not all of the shells can be told the values of arguments without a name.
        let names = if matches!(shell, "bash" | "zsh") { "square-10k" } else { "bench" };
        for word in ["check", "no-record", names] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    folder.throng(&["completions", "cobol"]).fails(2);
}
