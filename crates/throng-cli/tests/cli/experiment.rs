//! `throng experiment`.

use crate::support::Folder;

#[test]
fn a_table_stands_beside_what_was_measured() {
    let arguments = ["experiment", "doors", "--widths", "1.2", "--seeds", "1", "--step", "0.1"];
    let printed = Folder::new().throng(&arguments).ok();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 3, "{printed}");
    assert!(lines[0].starts_with("model ") && lines[0].contains("measured J"), "{printed}");
    assert!(lines[1].starts_with("pedestrian ") && lines[1].contains("150/150"), "{printed}");
    assert!(lines[1].contains("2.03-2.36") && lines[1].trim_end().ends_with("2.03-2.75"));
    assert!(lines[2].contains("Seyfried et al. 2009"), "{printed}");
}

#[test]
fn scripts_get_one_document() {
    let folder = Folder::new();
    let models = "orca,predictive:conflicts=2";
    let arguments =
        ["experiment", "hallway", "--models", models, "--seeds", "1", "--step", "0.1", "--json"];
    let document = folder.throng(&arguments).json();
    assert_eq!(document["rows"][1]["model"], "predictive:conflicts=2");
    assert_eq!(document["rows"][0]["walks"]["time"]["count"], 100);
    assert_eq!(document["comparisons"][0]["models"][0], "orca");
    assert_eq!(document, folder.throng(&arguments).json(), "the same every time");
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let folder = Folder::new();
    for (rest, reason) in [
        ("doors --widths 0.2", "the width of a door cannot be 0.2; take 0.5 m to 6 m"),
        ("doors --widths NaN", "cannot be NaN"),
        ("doors --widths wide", "invalid value 'wide'"),
        ("doors --seeds 0", "the number of seeds cannot be 0; take 1 to 1000"),
        ("hallway --step -1", "the step cannot be -1; take 0.005 s to 0.5 s"),
        ("counter-flow --against 1000000", "cannot be 1000000; take 0 to 120"),
        ("fundamental --densities 1e9", "take 0.05 to 4 people per m²"),
        ("doors --models pedestrain", "there are orca, headway, predictive, social_force"),
        ("doors --models orca:pace=2", "orca has no parameter \"pace\"; it has"),
        ("hallway --models predictive:conflicts=11", "cannot be 11; take 1 to 10"),
        ("dors", "'doors'"),
    ] {
        folder.refuses(&format!("experiment {rest}"), reason);
    }
}
