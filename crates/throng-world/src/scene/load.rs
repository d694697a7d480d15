//! From a path or a text to a checked scene.
//!
//! A file is read in three stages: as TOML, as a document of the right [`form`](mod@super::form), and as
//! a scene that makes sense ([`super::resolve`]). The first stops at the first mistake; the others
//! report all they find, the last only where enough is left to judge.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use super::file::SceneFile;
use super::files::{Files, PlanFiles, TerrainFiles};
use super::report::Report;
use super::{FORMAT_VERSION, Scene, SceneError, SceneErrors, SceneSource, form, resolve, schema};

/// Largest size of a scene file, bytes.
const LARGEST_FILE: u64 = 16 << 20;

impl Scene {
    /// Reads and checks the scene file at `path`. Paths in the file are relative to its folder.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = read(path).map_err(|message| {
            let source = Arc::new(SceneSource { name: name.clone(), text: String::new() });
            SceneError::new(&source, 0..0, message)
        })?;
        Self::parse(&name, &text, path.parent().unwrap_or(Path::new("")))
    }

    /// Checks the scene in `text`, which is called `name` in messages. Paths in it are relative to
    /// `base_dir`.
    pub fn parse(name: &str, text: &str, base_dir: &Path) -> Result<Self, SceneErrors> {
        Self::parse_with(name, text, Files::in_folder(base_dir))
    }

    /// Checks the scene in `text` as [`Self::parse`] does, but reads no files: all ground is flat.
    ///
    /// For the plan of a scene whose text is at hand and whose height maps may not be.
    pub fn parse_plan(name: &str, text: &str) -> Result<Self, SceneErrors> {
        Self::parse_plan_with(name, text, PlanFiles::default())
    }

    /// Checks the scene in `text` as [`Self::parse_plan`] does, with plans and obstacles from `files`.
    pub fn parse_plan_with(name: &str, text: &str, files: PlanFiles) -> Result<Self, SceneErrors> {
        Self::parse_with(name, text, Files::only_plans(files))
    }

    /// Checks the scene in `text` as [`Self::parse`] does, with what there is: plans and obstacles from `files`, and
    /// terrain from `terrain`, or else from the folder of `files`. Ground whose files are in neither is flat.
    ///
    /// For a scene that was recorded, with the files that the recording carries.
    pub fn parse_with_files(
        name: &str,
        text: &str,
        files: PlanFiles,
        terrain: &TerrainFiles,
    ) -> Result<Self, SceneErrors> {
        Self::parse_with(name, text, Files::at_hand(files, terrain))
    }

    fn parse_with(name: &str, text: &str, files: Files) -> Result<Self, SceneErrors> {
        let (file, mut report) = read_text(name, text)?;
        let scene = resolve::resolve(&file, files, &mut report);
        report.finish()?;
        scene.ok_or_else(|| {
            SceneError::new(report.source(), 0..0, "the scene cannot be used").into()
        })
    }
}

impl SceneFile {
    /// Reads the scene file in `text`, which is called `name` in messages. Keys, types and ranges are checked; what
    /// depends on more than one value is not.
    ///
    /// # Errors
    ///
    /// Those of [`Scene::parse`], but for what depends on more than one value.
    pub fn parse(name: &str, text: &str) -> Result<Self, SceneErrors> {
        let (file, mut report) = read_text(name, text)?;
        report.finish()?;
        Ok(file)
    }

    /// The text `head` and below it the scene as TOML, and the same file with the places of its values in this text.
    pub fn to_toml_with_places(&self, head: &str) -> (String, Self) {
        let text = format!("{head}{}", self.to_toml());
        let placed = toml::from_str(&text);
        let placed =
            placed.unwrap_or_else(|error| unreachable!("what was written can be read: {error}"));
        (text, placed)
    }

    /// The scene, checked as one that is read from a file. It is called `name` in messages, which show where in
    /// [`Self::to_toml`] something is wrong; paths in it are relative to `base_dir`.
    ///
    /// # Errors
    ///
    /// Those of [`Scene::parse`].
    pub fn to_scene(&self, name: &str, base_dir: &Path) -> Result<Scene, SceneErrors> {
        Scene::parse(name, &self.to_toml(), base_dir)
    }
}

/// The file in `text`, as far as it has the right form, and what has been found wrong with it.
fn read_text(name: &str, text: &str) -> Result<(SceneFile, Report), SceneErrors> {
    let source = Arc::new(SceneSource { name: name.into(), text: text.into() });
    if text.len() as u64 > LARGEST_FILE {
        return Err(SceneError::new(&source, 0..0, too_large()).into());
    }
    let at = |error: &toml::de::Error| {
        let span = error.span().unwrap_or(0..0);
        SceneError::new(&source, span, error.message().trim().replace('\n', ", "))
    };
    let mut document = DeTable::parse(text)
        .map_err(|error| at(&error).with_help("see toml.io for how a TOML file is written"))?;
    check_version(&document, &source)?;

    let mut report = Report::new(source.clone());
    let outcome = schema::FORM.check(&mut document, &mut report);
    if outcome.broken {
        report.finish()?;
    }
    report.ignore(outcome.cut);
    let file = SceneFile::deserialize(Deserializer::from(document)).map_err(|e| at(&e))?;
    Ok((file, report))
}

fn read(path: &Path) -> Result<String, String> {
    let cannot = |error: std::io::Error| format!("cannot read the scene file: {error}");
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(cannot)?;
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("the scene file is not UTF-8 text (line {line}); save it with the encoding UTF-8")
    })
}

fn too_large() -> String {
    let limit = LARGEST_FILE >> 20;
    format!("the scene file is larger than {limit} MiB; use crowds instead of listing people")
}

/// Another version has other keys: nothing else about the file can be judged.
fn check_version(document: &Spanned<DeTable>, source: &Arc<SceneSource>) -> Result<(), SceneError> {
    let Some(format) = document.get_ref().get("format") else { return Ok(()) };
    match format.get_ref().as_integer().map(form::as_integer) {
        None | Some(Some(FORMAT_VERSION)) => Ok(()),
        Some(_) => {
            let written = &source.text[format.span()];
            let message = format!("this is a scene of format {written}, which is not supported");
            Err(SceneError::new(source, format.span(), message)
                .with_help(format!("this version reads format = {FORMAT_VERSION}")))
        }
    }
}
