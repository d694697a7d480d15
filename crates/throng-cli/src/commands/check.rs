//! `throng check`.

use std::path::Path;

use serde::Serialize;
use throng::{Engine, Scene, SceneError, SceneErrors};

use crate::args::CheckArguments;
use crate::failure::Failure;
use crate::report;

/// Checks scenes, and fails if one of them cannot be simulated.
pub fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let checked: Vec<Checked> = arguments.scenes.iter().map(|file| Checked::new(file)).collect();
    let all_ok = checked.iter().all(|scene| scene.result.is_ok());
    let shown = match arguments.format.json {
        true => report::print_json(&Document::new(&checked, all_ok)),
        false => checked.iter().try_for_each(Checked::show),
    };
    if all_ok { shown } else { Err(Failure::InputTold) }
}

/// A scene that was checked.
struct Checked<'a> {
    file: &'a Path,
    result: Result<Extent, SceneErrors>,
}

/// What one wants to know about a scene that is in order.
#[derive(Serialize)]
struct Extent {
    name: String,
    people: u64,
    expected_arrivals: u64,
    groups: usize,
    duration: f64,
    /// What is allowed but unwise.
    warnings: Vec<String>,
}

impl<'a> Checked<'a> {
    fn new(file: &'a Path) -> Self {
        // Only building the crowd tells whether models exist and everyone finds room.
        let result = Scene::load(file).and_then(Engine::new);
        Self { file, result: result.map(|engine| Extent::of(&engine)) }
    }

    fn show(&self) -> Result<(), Failure> {
        match &self.result {
            Ok(extent) => {
                extent.warnings.iter().for_each(|warning| {
                    report::warning(&format!("{}: {warning}", self.file.display()));
                });
                report::print(format_args!("{}: {}: {extent}", report::ok(), self.file.display()))
            }
            Err(errors) => {
                report::scene_errors(errors);
                Ok(())
            }
        }
    }
}

impl Extent {
    fn of(engine: &Engine) -> Self {
        let scene = engine.scene();
        let duration = scene.settings.duration;
        Self {
            name: scene.name.clone(),
            people: scene.initial_people(),
            expected_arrivals: scene.expected_arrivals(duration),
            groups: scene.groups.len(),
            duration,
            warnings: engine.crowd().warnings().to_vec(),
        }
    }
}

impl std::fmt::Display for Extent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.people, self.expected_arrivals) {
            (now, 0) => f.write_str(&report::people(now))?,
            (0, later) => write!(f, "about {} who come later", report::people(later))?,
            (now, later) => {
                write!(f, "{} at the start and about {later} later", report::people(now))?;
            }
        }
        let groups = report::counted(self.groups as u64, "group", "groups");
        write!(f, " in {groups}, {}", report::seconds(self.duration))
    }
}

/// All results, for scripts.
#[derive(Serialize)]
struct Document<'a> {
    ok: bool,
    scenes: Vec<SceneDocument<'a>>,
}

#[derive(Serialize)]
struct SceneDocument<'a> {
    file: String,
    ok: bool,
    #[serde(flatten)]
    extent: Option<&'a Extent>,
    errors: Vec<ErrorDocument<'a>>,
    /// How many errors there are beyond those listed.
    more_errors: usize,
}

#[derive(Serialize)]
struct ErrorDocument<'a> {
    line: usize,
    column: usize,
    message: &'a str,
    help: Option<&'a str>,
}

impl<'a> Document<'a> {
    fn new(checked: &'a [Checked], ok: bool) -> Self {
        Self { ok, scenes: checked.iter().map(SceneDocument::new).collect() }
    }
}

impl<'a> SceneDocument<'a> {
    fn new(checked: &'a Checked) -> Self {
        let errors = checked.result.as_ref().err();
        Self {
            file: checked.file.display().to_string(),
            ok: errors.is_none(),
            extent: checked.result.as_ref().ok(),
            errors: errors.map_or(&[][..], SceneErrors::errors).iter().map(document).collect(),
            more_errors: errors.map_or(0, SceneErrors::more),
        }
    }
}

fn document(error: &SceneError) -> ErrorDocument<'_> {
    let (line, column) = error.line_column();
    ErrorDocument { line, column, message: &error.message, help: error.help.as_deref() }
}
