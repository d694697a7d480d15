//! The tables of `docs/steering.md` are those of the models. `UPDATE_DOCS=1` writes them.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;
use std::path::Path;

use throng_crowd::steering::gains;
use throng_crowd::steering::{COMMON_GAINS, COMMON_PARAMETERS, MODELS, ModelInfo, ParameterInfo};
use throng_world::temperament::TraitGain;

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
    let common = model.all_parameters().zip(COMMON_PARAMETERS);
    let others: Vec<_> = common.filter(|(own, usual)| own.default != usual.default).collect();
    for (ParameterInfo { name, default, .. }, _) in &others {
        writeln!(text, "`{name}` is {default} unless you say otherwise.").unwrap();
    }
    if !others.is_empty() {
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
    let mut row = |what: &str, sway: &TraitGain, place: &str| {
        writeln!(text, "| {what} | {} | {place} |", sway.to_string().replace('-', "−")).unwrap();
    };
    row("preferred speed", &gains::SPEED, "every model");
    row("radius", &gains::RADIUS, "every model");
    for (name, sway) in COMMON_GAINS {
        row(&format!("`{name}`"), sway, "every model");
    }
    for model in MODELS.iter() {
        for (name, sway) in model.gains {
            row(&format!("`{name}`"), sway, &format!("`{}`", model.name));
        }
    }
    row(
        "how long one bears to be blocked before one looks for another way",
        &gains::PATIENCE,
        "every model, with `navigation`",
    );
    row(
        "how much one's own taste counts in choosing a way",
        &gains::EXPLORING,
        "every model, with `navigation`",
    );
    row(
        "how much more room one leaves to corners on the left than to those on the right",
        &gains::RIGHT_HAND,
        "every model, with `navigation`",
    );
    row("`wander` of who is led by fields", &gains::EXPLORING, "every model");
    row(
        "how interesting something has to be to be looked at",
        &throng::bodies::INDIFFERENCE,
        "bodies",
    );
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
