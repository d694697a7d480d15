//! From a model of a building or a street, as OBJ or glTF, to a scene with floors, stairs and ramps.
//!
//! The work is that of [`throng_world::survey`]; here models are read and scenes written. A scene is
//! several files: they are complete before the first gets its name, and the scene itself is the last.

use std::io::Write;
use std::path::{Path, PathBuf};

use thiserror::Error;
use throng_base::frame::ground_to_world;
use throng_base::named_enum;
use throng_world::scene::{PlanFiles, PlanTexts};
use throng_world::survey::{Plan, Rules, SceneFiles, SurveyError, survey};
use throng_world::{Scene, SceneErrors, TerrainError, TriangleSoup};

use crate::exchange::Unit;
use crate::place::{FileError, Overwrite, PartFile};

/// How a model is surveyed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurveyOptions {
    /// What people can walk on, and how closely to look.
    pub rules: Rules,
    /// What lengths of the model are measured in.
    pub unit: Unit,
    /// Which axis of the model points up.
    pub up: Up,
    /// Whether files that are there already may be replaced.
    pub overwrite: Overwrite,
}

named_enum! {
    /// The axis of a model that points up.
    #[derive(Default)]
    pub enum Up {
        /// y, as glTF has it.
        #[default]
        Y = "y",
        /// z, as drawing programs often have it.
        Z = "z",
    }
}

/// What has been surveyed and written.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// The floors and what joins them.
    pub plan: Plan,
    /// How many triangles the model has.
    pub triangles: usize,
    /// All files, the scene first.
    pub files: Vec<PathBuf>,
}

/// Why there is no scene.
#[derive(Debug, Error)]
pub enum SurveyFailure {
    /// The model cannot be read.
    #[error(transparent)]
    Model(#[from] TerrainError),
    /// There is no way to walk in it.
    #[error("{}: {reason}", model.display())]
    Survey {
        /// The model.
        model: PathBuf,
        /// What is wrong.
        reason: SurveyError,
    },
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The name of the scene cannot be one.
    #[error("{} is not the name of a scene; end it with .toml", path.display())]
    NoScene {
        /// The name.
        path: PathBuf,
    },
    /// What was found is no scene that could be run.
    #[error("what was found makes no scene: {0}")]
    Scene(SceneErrors),
}

/// Surveys the model at `model` and writes a scene to `scene`, a file that ends in `.toml`, with the
/// plans and heights of its floors beside it.
///
/// # Errors
///
/// If the model cannot be read or walked in, or files cannot be written. Then nothing is written.
pub fn survey_file(
    model: &Path,
    scene: &Path,
    options: &SurveyOptions,
) -> Result<Surveyed, SurveyFailure> {
    let stem = scene.file_stem().filter(|_| scene.extension().is_some_and(|end| end == "toml"));
    let stem = stem.ok_or_else(|| SurveyFailure::NoScene { path: scene.into() })?;
    let stem = stem.to_string_lossy();
    let mut soup = TriangleSoup::load(model)?;
    place_upright(&mut soup, options);
    let plan = survey(&soup, &options.rules)
        .map_err(|reason| SurveyFailure::Survey { model: model.into(), reason })?;
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    let origin = format!("Surveyed from {name} in cells of {} m.", options.rules.cell);
    let files = plan.to_scene(&stem, &origin, &stem).map_err(FileError::write(scene))?;

    check(scene, &files)?;

    let folder = scene.parent().unwrap_or(Path::new(""));
    let beside = files.others.iter().map(|(name, bytes)| (folder.join(name), bytes.as_slice()));
    let whole = [(scene.to_path_buf(), files.scene.as_bytes())].into_iter().chain(beside);
    let mut parts = Vec::new();
    let mut paths = Vec::new();
    for (path, bytes) in whole {
        let (part, mut file) = PartFile::create(&path, options.overwrite)?;
        file.write_all(bytes).map_err(FileError::write(&path))?;
        parts.push(part);
        paths.push(path);
    }
    // The scene is the last to appear: whoever finds it finds the others.
    for part in parts.into_iter().rev() {
        part.publish()?;
    }
    Ok(Surveyed { plan, triangles: soup.triangles.len(), files: paths })
}

/// Makes sure that a scene can be loaded, before it is written.
fn check(scene: &Path, files: &SceneFiles) -> Result<(), SurveyFailure> {
    let is_plan = |name: &str| name.ends_with(".wkt");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let plans = files.others.iter().filter(|(name, _)| is_plan(name));
    let texts: PlanTexts = plans.map(|(name, bytes)| (name.clone(), text(bytes))).collect();
    let plans = PlanFiles { texts: Some(&texts), folder: None };
    let parsed = Scene::parse_plan_with(&scene.display().to_string(), &files.scene, plans);
    parsed.map(|_| ()).map_err(SurveyFailure::Scene)
}

/// Turns and scales a model to metres with y up.
fn place_upright(soup: &mut TriangleSoup, options: &SurveyOptions) {
    let scale = 1.0 / options.unit.per_metre() as f32;
    for vertex in &mut soup.vertices {
        let upright = match options.up {
            Up::Y => *vertex,
            Up::Z => ground_to_world(vertex.truncate(), vertex.z),
        };
        *vertex = upright * scale;
    }
}
