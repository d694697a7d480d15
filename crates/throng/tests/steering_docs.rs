//! The tables of `docs/steering.md` are those of the models. `UPDATE_DOCS=1` writes them.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;
use std::path::Path;

use throng_crowd::steering::{COMMON_PARAMETERS, MODELS, ModelInfo, ParameterInfo};

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

#[test]
fn the_documentation_lists_every_model_and_parameter() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/steering.md");
    let mut text = std::fs::read_to_string(&path).unwrap();
    let sections = MODELS.iter().map(|model| (model.name, section(model)));
    let mut expected = text.clone();
    for (name, section) in std::iter::once(("common", table(COMMON_PARAMETERS))).chain(sections) {
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
