//! `throng rec`, and `throng import` and `export` of SteerSuite's files.

use crate::support::{Folder, HALL, parse};

/// Two who walk towards each other past a block.
const CASE: &str = "\
<SteerBenchTestCase>
  <header>
    <version>1.0</version><name>pass</name>
    <worldBounds><xmin>-9</xmin><xmax>9</xmax><ymin>0</ymin><ymax>0</ymax><zmin>-9</zmin><zmax>9</zmax></worldBounds>
  </header>
  <obstacle><xmin>-1</xmin><xmax>1</xmax><ymin>0</ymin><ymax>1</ymax><zmin>2</zmin><zmax>3</zmax></obstacle>
  <agent>
    <initialConditions>
      <radius>0.5</radius><speed>0</speed>
      <position><x>-3</x><y>0</y><z>0</z></position>
      <direction><x>1</x><y>0</y><z>0</z></direction>
    </initialConditions>
    <goalSequence>
      <seekStaticTarget>
        <targetLocation><x>3</x><y>0</y><z>0</z></targetLocation>
        <desiredSpeed>1.3</desiredSpeed><timeDuration>100</timeDuration>
      </seekStaticTarget>
    </goalSequence>
  </agent>
  <agentRegion>
    <numAgents>1</numAgents>
    <regionBounds><xmin>4</xmin><xmax>6</xmax><ymin>0</ymin><ymax>0</ymax><zmin>-1</zmin><zmax>1</zmax></regionBounds>
    <initialConditions><radius>0.5</radius><speed>0</speed><direction><random>true</random></direction></initialConditions>
    <goalSequence><idle><timeDuration>2</timeDuration></idle></goalSequence>
  </agentRegion>
</SteerBenchTestCase>
";

#[test]
fn a_test_case_becomes_a_scene_that_runs_and_its_runs_are_valid() {
    let folder = Folder::new();
    folder.write("pass.xml", CASE);
    let outcome = folder.throng(&["import", "pass.xml", "-o", "pass.toml", "--seed", "4"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(outcome.out, "pass.xml: 2 people and 1 obstacle\n  pass.toml\n");
    assert!(outcome.err.starts_with("warning: pass.xml:20:3: agents of a region face"));
    folder.throng(&["check", "pass.toml"]).ok();
    folder.throng(&["run", "pass.toml", "--duration", "6"]).ok();
    let printed = folder.throng(&["rec", "validate", "pass.parquet"]).ok();
    assert_eq!(printed, "ok: pass.parquet: 121 frames, 2 people\n");
    folder.throng(&["export", "pass.parquet", "--to", "steersuite", "-o", "pass.rec"]).ok();
    let rec = ["rec", "validate", "pass.rec", "--scene", "pass.toml", "--json"];
    let found = folder.throng(&rec).json();
    assert_eq!((&found["ok"], &found["people"]), (&true.into(), &2.into()));
    let summary = folder.throng(&["import", "pass.rec", "-o", "back.parquet", "--json"]).json();
    assert_eq!((&summary["format"], &summary["obstacles"]), (&"steersuite".into(), &1.into()));
}

#[test]
fn findings_end_with_1_and_bad_input_with_2() {
    let folder = Folder::with_scene(HALL);
    folder.throng(&["run", "hall.toml"]).ok();
    folder.throng(&["rec", "validate", "hall.parquet"]).ok();
    // Another scene is another start.
    folder.write("other.toml", HALL.replace("[-8, -8]", "[-7, -8]"));
    let other = ["rec", "validate", "hall.parquet", "--scene", "other.toml"];
    let outcome = folder.throng(&other);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(1), ""), "{}", outcome.out);
    assert!(outcome.out.contains("hall.parquet: frame 0 at 0 s: start: person 0 at ["));
    let outcome = folder.throng(&[&other[..], &["--json"]].concat());
    assert_eq!(outcome.code, Some(1));
    let found = parse(&outcome.out);
    assert_eq!(found["findings"][0]["problem"], "start");
    assert!(found["counts"]["start"].as_u64().unwrap() >= 10, "{found}");

    folder.write("bad.rec", [0; 100]);
    folder.refuses("rec validate bad.rec", "bad.rec: it is no rec file of SteerSuite");
    folder.refuses("rec validate none.rec", "cannot open none.rec");
}

#[test]
fn mistakes_in_a_test_case_are_told_with_their_place() {
    let folder = Folder::new();
    folder.write(
        "bad.xml",
        CASE.replace("<radius>0.5</radius><speed>0</speed>\n", "<speed>0</speed>\n"),
    );
    let import = ["import", "bad.xml", "-o", "bad.toml"];
    let message = folder.throng(&import).fails(2);
    assert_eq!(message, "bad.xml:8:5: <initialConditions> has no <radius>; add a <radius> to it\n");
    folder.refuses("import bad.xml -o bad.parquet", "end bad.parquet with .toml");
    let message = folder.throng(&[&import[..], &["--fps", "5"]].concat()).fails(2);
    assert!(message.contains("--fps is for tracks"), "{message}");
    assert_eq!(folder.files(), ["bad.xml"]);
}
