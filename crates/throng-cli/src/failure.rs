//! What can go wrong with a command, and what its caller learns of it: a message on standard error
//! and an exit code.

use std::io;
use std::path::Path;

use throng::SceneErrors;
use throng::benchmark::BenchmarkError;
use throng::exchange::ExchangeError;
use throng::field::FieldError;
use throng::film::FilmError;
use throng::place::FileError;
use throng::recording::RecordingError;
use throng::survey::SurveyFailure;
use throng::world::scene::DurationError;
use throng_eval::MeasureError;
use throng_eval::batch::BatchError;
use throng_eval::calibration::PlanError;
use throng_eval::experiments::ExperimentError;
use throng_eval::score::ScoreError;
use throng_plot::PlotError;
use throng_studio::StudioError;

use crate::report;

/// Why a command ends without success.
#[derive(Debug)]
pub enum Failure {
    /// The scene cannot be simulated.
    Scene(SceneErrors),
    /// The command cannot be carried out as it was given.
    Input(String),
    /// The command was right, but something failed.
    Work(String),
    /// The input was wrong, and the user has been told.
    InputTold,
    /// The results are not what they should be, and the user has been told.
    WorkTold,
    /// The user ended it, and has been told what was kept.
    Interrupted,
    /// Nobody reads the results any more, as in `throng schema | head -1`.
    ReaderGone,
}

impl Failure {
    /// What the shell is told.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::ReaderGone => 0,
            Self::Work(_) | Self::WorkTold => 1,
            Self::Scene(_) | Self::Input(_) | Self::InputTold => 2,
            Self::Interrupted => 130,
        }
    }

    /// Tells the user, on standard error.
    pub fn show(&self) {
        match self {
            Self::Scene(errors) => report::scene_errors(errors),
            Self::Input(message) | Self::Work(message) => report::error(message),
            Self::InputTold | Self::WorkTold | Self::Interrupted | Self::ReaderGone => {}
        }
    }
}

impl Failure {
    /// Tells what was kept.
    #[expect(clippy::needless_pass_by_value, reason = "taken as variants take it")]
    fn interrupted(message: String) -> Self {
        report::error(&message);
        Self::Interrupted
    }

    fn occupied(path: &Path) -> Self {
        Self::Input(format!(
            "{} already exists; choose another name with --out, or replace it with --force",
            path.display()
        ))
    }
}

impl From<SceneErrors> for Failure {
    fn from(errors: SceneErrors) -> Self {
        Self::Scene(errors)
    }
}

impl From<StudioError> for Failure {
    fn from(error: StudioError) -> Self {
        match error {
            StudioError::Scene(errors) => Self::Scene(errors),
            StudioError::Show { help: Some(ref help), .. } => {
                Self::Input(format!("{error}; {help}"))
            }
            StudioError::Show { .. } | StudioError::Page(_) => Self::Input(error.to_string()),
            StudioError::Listen { .. } => {
                Self::Input(format!("{error}; choose another port with --port"))
            }
            StudioError::System(_) => Self::Work(error.to_string()),
        }
    }
}

impl From<DurationError> for Failure {
    fn from(error: DurationError) -> Self {
        Self::Input(format!("--duration: {error}"))
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        let message = error.to_string();
        match error {
            FileError::Exists { path } => Self::occupied(&path),
            FileError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Self::Input(message)
            }
            FileError::Io { .. } | FileError::Write { .. } => Self::Work(message),
            FileError::NoPlace { .. } => Self::Input(message),
        }
    }
}

/// Errors of libraries, with the kinds that contain an error of another type, and those that are not the user's fault. All
/// other kinds say that the input was wrong.
macro_rules! failures {
    ($($error:ident $(of $($inner:ident)+)? { $($kind:pat => $failure:ident,)* })*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                let message = error.to_string();
                match error {
                    $($($error::$inner(error) => error.into(),)+)?
                    $($kind => Self::$failure(message),)*
                    #[allow(unreachable_patterns, reason = "of some, no kind is the user's fault")]
                    _ => Self::Input(message),
                }
            }
        }
    )*};
}

failures! {
    RecordingError of File {
        RecordingError::Stopped { .. } | RecordingError::BadFrame { .. } => Work,
    }
    ExchangeError of File Recording Case { ExchangeError::Interrupted => interrupted, }
    FilmError of File Recording Exchange {
        FilmError::Gltf(_) | FilmError::Motion(_) | FilmError::Bvh(_) => Work,
        FilmError::Interrupted => interrupted,
    }
    PlotError of Recording Scene File { PlotError::TooLarge { .. } => Work, }
    SurveyFailure of File { SurveyFailure::Scene(_) => Work, }
    ExperimentError {
        // The scene is not the user's, so a place in it would tell them nothing.
        ExperimentError::Scene(_) | ExperimentError::Threads(_) => Work,
        ExperimentError::Interrupted => interrupted,
    }
    BatchError of Scene File Recording Suite {
        BatchError::Threads(_) => Work,
        BatchError::Interrupted { .. } => interrupted,
    }
    PlanError {}
    ScoreError of Recording Scene {}
    FieldError { _ => Work, }
    BenchmarkError { _ => Work, }
}

impl From<MeasureError> for Failure {
    fn from(error: MeasureError) -> Self {
        match error {
            MeasureError::Recording(error) => error.into(),
            error => Self::Input(format!("{error} with --scene")),
        }
    }
}

impl From<io::Error> for Failure {
    /// For errors of standard output: files have errors of their own.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::Work(format!("cannot write to standard output: {error}")),
        }
    }
}
