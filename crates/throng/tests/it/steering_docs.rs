//! The tables of `docs/steering.md` are those of the models. `UPDATE_DOCS=1` writes them.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;
use std::path::Path;

use throng_crowd::steering::{COMMON_PARAMETERS, COMMON_SWAYS, MODELS, ModelInfo, ParameterInfo};
use throng_world::temperament::{Sway, sways};

fn table(parameters: &[ParameterInfo]) -> String {
    let mut text = String::from("| parameter | meaning | default | range |\n|---|---|---|---|\n");
    for p in parameters {
        let unit = if p.unit.is_empty() { String::new() } else { format!(" {}", p.unit) };
        let ParameterInfo { name, description, default, min, max, .. } = p;
        writeln!(text, "| `{name}` | {description} | {default}{unit} | {min} to {max} |").unwrap();
    }
    text
}

fn section(model: &ModelInfo) -> String {
    let mut text = format!("{}.\n\n", model.summary);
    for (name, default) in model.common_defaults {
        writeln!(text, "`{name}` is {default} unless you say otherwise.").unwrap();
    }
    if !model.common_defaults.is_empty() {
        text.push('\n');
    }
    match model.parameters {
        [] => text + "It has no parameters of its own.\n",
        parameters => text + &table(parameters),
    }
}

/// What traits do, and in which models.
fn traits() -> String {
    let mut text = String::from("| what | factor | in |\n|---|---|---|\n");
    let mut row = |what: &str, sway: &Sway, place: &str| {
        writeln!(text, "| {what} | {} | {place} |", sway.to_string().replace('-', "−")).unwrap();
    };
    row("preferred speed", &sways::SPEED, "every model");
    row("radius", &sways::RADIUS, "every model");
    for (name, sway) in COMMON_SWAYS {
        row(&format!("`{name}`"), sway, "every model");
    }
    for model in MODELS {
        for (name, sway) in model.sways {
            row(&format!("`{name}`"), sway, &format!("`{}`", model.name));
        }
    }
    row(
        "how long one bears to be blocked before one looks for another way",
        &sways::PATIENCE,
        "every model, with `navigation`",
    );
    row(
        "how much one's own taste counts in choosing a way",
        &sways::EXPLORING,
        "every model, with `navigation`",
    );
    row(
        "how much more room one leaves to corners on the left than to those on the right",
        &sways::RIGHT_HAND,
        "every model, with `navigation`",
    );
    row("`wander` of who is led by fields", &sways::EXPLORING, "every model");
    row("how interesting something has to be to be looked at", &sways::INDIFFERENCE, "bodies");
    text
}

#[test]
fn the_documentation_lists_every_model_and_parameter() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/steering.md");
    let mut text = std::fs::read_to_string(&path).unwrap();
    let sections = MODELS.iter().map(|model| (model.name, section(model)));
    let mut expected = text.clone();
    let common = [("common", table(COMMON_PARAMETERS)), ("traits", traits())];
    for (name, section) in common.into_iter().chain(sections) {
        let begin = format!("<!-- {name} -->\n");
        let from = expected.find(&begin).map(|at| at + begin.len());
        let from = from.unwrap_or_else(|| panic!("docs/steering.md has no section {name}"));
        let to = from + expected[from..].find("<!-- end -->").unwrap();
        expected.replace_range(from..to, &format!("\n{section}\n"));
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
        text = expected.clone();
    }
    assert!(text == expected, "docs/steering.md is out of date: run this test with UPDATE_DOCS=1");
}
