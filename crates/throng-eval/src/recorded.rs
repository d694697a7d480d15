//! Measuring what was recorded.

use thiserror::Error;
use throng::recording::{Frame, Recording, RecordingError};
use throng_world::scene::LayerId;
use throng_world::{Scene, SceneErrors};

/// Why a recording cannot be measured.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// It cannot be read, or the result cannot be written.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The scene that it was recorded from cannot be read any more.
    #[error("the scene in {recording} cannot be used: {errors}; name the scene file")]
    Scene {
        /// The recording.
        recording: String,
        /// What is wrong with the scene in it.
        errors: SceneErrors,
    },
    /// The recording has a floor that the scene has not.
    #[error(
        "{recording} has people on floor {layer:?}, which {scene} does not have; name the scene it was recorded from"
    )]
    UnknownLayer {
        /// The recording.
        recording: String,
        /// The floor.
        layer: String,
        /// The scene.
        scene: String,
    },
}

/// The scene that `recording` was made from; see [`Recording::scene`].
///
/// # Errors
///
/// If the scene cannot be used, or one of its files is not there.
pub fn recorded_scene(recording: &Recording) -> Result<Scene, MeasureError> {
    recording.scene().map_err(|errors| MeasureError::Scene {
        recording: recording.path().display().to_string(),
        errors,
    })
}

/// Reads a whole recording and gives its frames to `take`, with floors as `scene` numbers them.
///
/// # Errors
///
/// If a frame cannot be read, someone is on a floor that the scene does not have, or `take` fails.
pub fn measure(
    recording: &mut Recording,
    scene: &Scene,
    mut take: impl FnMut(&Frame) -> Result<(), RecordingError>,
) -> Result<(), MeasureError> {
    each_frame(recording, scene, |frame| take(frame).map_err(MeasureError::from))
}

/// The same with any error of `take`.
pub(crate) fn each_frame<E: From<MeasureError>>(
    recording: &mut Recording,
    scene: &Scene,
    mut take: impl FnMut(&Frame) -> Result<(), E>,
) -> Result<(), E> {
    let floors: Vec<Option<LayerId>> = (recording.info().layers.iter())
        .map(|layer| scene.layers.iter().position(|known| known.name == layer.name))
        .map(|index| index.map(|index| LayerId(index as u8)))
        .collect();
    let mut frame = Frame::default();
    for index in 0..recording.frame_count() {
        recording.read_frame(index, &mut frame).map_err(MeasureError::from)?;
        for layer in &mut frame.people.layers {
            let recorded = layer.0 as usize;
            *layer = floors[recorded].ok_or_else(|| MeasureError::UnknownLayer {
                recording: recording.path().display().to_string(),
                layer: recording.info().layers[recorded].name.clone(),
                scene: scene.source.name.clone(),
            })?;
        }
        take(&frame)?;
    }
    Ok(())
}
