//! SteerSuite's test cases as scenes.
//!
//! A test case is an XML file: a header with the bounds of the world, suggested views, agents one by
//! one or many in a region, obstacles likewise, and what everyone wants, in order. The file is
//! read (`parse`), what is random in it is settled (`settle`) by a seed, and the scene is
//! written (`write`) with a note of which part of it comes from where; so whatever is wrong, even what
//! only placing the people shows, is told with line and column of the test case.
//!
//! Nothing is left out in silence: what a scene cannot say is a [`CaseWarning`] or an error.

mod notes;
mod parse;
mod settle;
mod write;

use std::fmt;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use throng_crowd::Crowd;
use throng_world::scene::{SceneSource, Span};
use throng_world::{Scene, SceneError, SceneErrors};

use self::notes::Notes;
use crate::exchange::ExchangeError;
use crate::place::{FileError, Overwrite, PartFile};

/// Longer files are no test cases, bytes.
const LARGEST_FILE: u64 = 64 << 20;

/// How a test case is made a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaseOptions {
    /// What is random in the test case derives from it. It becomes the seed of the scene, too; scene files have numbers
    /// of 63 bits, so the highest bit does not count.
    pub seed: u64,
    /// Whether a scene that is there already may be replaced.
    pub overwrite: Overwrite,
}

/// Something about a test case that its scene cannot say, or says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseWarning {
    /// The test case.
    pub file: String,
    /// Line of the test case, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What it is.
    pub message: String,
}

impl fmt::Display for CaseWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, message } = self;
        write!(f, "{file}:{line}:{column}: {message}")
    }
}

/// A test case that has been made a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// The text of the scene file. It can be loaded, and there is room for everyone.
    pub scene: String,
    /// How many agents there are.
    pub agents: u64,
    /// How many obstacles there are.
    pub obstacles: usize,
    /// How many views it suggests; the scene does, too.
    pub cameras: usize,
    /// What the scene says otherwise, or not at all.
    pub warnings: Vec<CaseWarning>,
}

/// What was imported.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedCase {
    /// The scene file.
    pub path: PathBuf,
    /// What is in it.
    pub case: Case,
}

/// Whether the file at `path` begins like XML.
pub fn is_case(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1024).read_to_end(&mut start));
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start).trim_ascii_start();
    read.is_ok() && text.starts_with(b"<")
}

/// Makes a scene at `out`, a file that ends in `.toml`, of the test case at `path`.
///
/// # Errors
///
/// If the test case cannot be read or made a scene, or that cannot be written. Nothing is then.
pub fn import_case(
    path: impl AsRef<Path>,
    out: impl AsRef<Path>,
    options: &CaseOptions,
) -> Result<ImportedCase, ExchangeError> {
    let (path, out) = (path.as_ref(), out.as_ref());
    if out.extension().is_none_or(|ending| ending != "toml") {
        let reason = format!("a test case becomes a scene; end {} with .toml", out.display());
        return Err(ExchangeError::tracks(path, reason));
    }
    let text = read(path)?;
    let case = scene_of_case(&path.display().to_string(), &text, options.seed)?;
    let (part, mut file) = PartFile::create(out, options.overwrite)?;
    file.write_all(case.scene.as_bytes()).map_err(ExchangeError::write(out))?;
    drop(file);
    part.publish()?;
    Ok(ImportedCase { path: out.into(), case })
}

/// Makes a scene of the test case in `text`, which is called `name` in messages.
///
/// # Errors
///
/// All that is wrong with it, with line and column.
pub fn scene_of_case(name: &str, text: &str, seed: u64) -> Result<Case, SceneErrors> {
    let seed = seed & i64::MAX as u64;
    let source = Arc::new(SceneSource { name: name.into(), text: text.into() });
    let mut notes = Notes::new(&source);
    let draft = parse::parse(text, &mut notes);
    let settled = draft.and_then(|draft| settle::settle(draft, seed, &mut notes));
    let (settled, warnings) = notes.finish(settled)?;
    let written = write::write(&settled, &file_name(name), seed);
    let scene = Scene::parse_plan(name, &written.text);
    // Only building the crowd tells whether everyone finds room.
    let checked = scene.and_then(|scene| Crowd::from_scene(&scene).map(|_| ()));
    checked.map_err(|errors| pointing_into(&source, &errors, &written.marks))?;
    Ok(Case {
        name: settled.name.clone(),
        agents: settled.people(),
        obstacles: settled.obstacles.len(),
        cameras: settled.cameras.len(),
        scene: written.text,
        warnings,
    })
}

/// Errors about a scene, told of what in the test case it comes from.
fn pointing_into(
    source: &Arc<SceneSource>,
    errors: &SceneErrors,
    marks: &[(Span, Span)],
) -> SceneErrors {
    let translated = errors.errors().iter().map(|error| {
        let here = |(scene, _): &&(Span, Span)| scene.contains(&error.span.start);
        // Later marks are about smaller parts.
        let place = marks.iter().rev().find(here).map_or(0..0, |(_, case)| case.clone());
        let told = SceneError::new(source, place, error.message.clone());
        SceneError { help: error.help.clone(), ..told }
    });
    SceneErrors::new(translated.collect()).unwrap_or_else(|| errors.clone())
}

fn file_name(name: &str) -> String {
    let name = Path::new(name).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn read(path: &Path) -> Result<String, ExchangeError> {
    let file = File::open(path).map_err(FileError::io("open", path))?;
    let mut bytes = Vec::new();
    let limited = &mut file.take(LARGEST_FILE + 1);
    limited.read_to_end(&mut bytes).map_err(FileError::io("read", path))?;
    if bytes.len() as u64 > LARGEST_FILE {
        let reason = format!("it has more than {} MiB; is it a test case?", LARGEST_FILE >> 20);
        return Err(ExchangeError::tracks(path, reason));
    }
    String::from_utf8(bytes).map_err(|_| ExchangeError::tracks(path, "it is not text in UTF-8"))
}
