//! Motions from whatever file they are in.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Entry, FileEntries};
use crate::analysis::Options;
#[cfg(feature = "fbx")]
use crate::files::fbx;
use crate::files::mapping::MappingFile;
use crate::files::{Document, ReadError, ReadOptions, bvh, gltf};

/// Endings of the files that can be read.
const ENDINGS: &str =
    if cfg!(feature = "fbx") { ".bvh, .glb, .gltf or .fbx" } else { ".bvh, .glb or .gltf" };

/// Why there are no motions.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum MotionFileError {
    #[error("cannot tell what is in {}; names of motion files end in {ENDINGS}", file.display())]
    UnknownFormat { file: PathBuf },
    #[error("cannot read {}: {reason}", file.display())]
    Unreadable { file: PathBuf, reason: std::io::Error },
    #[error("{}: {reason}", file.display())]
    Bvh { file: PathBuf, reason: bvh::ReadError },
    #[error(transparent)]
    Bodies(#[from] ReadError),
    #[error("{} has bodies, but nobody moves in it; export it with an animation", file.display())]
    NoMotions { file: PathBuf },
}

/// Reads the motions of a file and analyses them. Landmarks are found by their names, but for those
/// that `mapping` says.
///
/// # Errors
///
/// If the file cannot be read or has no motions.
pub fn read_file(
    file: &Path,
    mapping: &MappingFile,
    options: &Options,
) -> Result<FileEntries, MotionFileError> {
    let ending = file.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    let bodies = ReadOptions { mapping: mapping.clone(), ..ReadOptions::default() };
    let parts = |document: Document| (document.motions, Vec::new(), document.warnings);
    let (motions, tips, warnings) = match ending.as_deref() {
        Some("bvh") => {
            let unreadable = |reason| MotionFileError::Unreadable { file: file.to_owned(), reason };
            let bytes = std::fs::read(file).map_err(unreadable)?;
            let name = file.file_stem().and_then(OsStr::to_str).unwrap_or("motion");
            let read = bvh::ReadOptions { mapping: mapping.clone(), ..Default::default() };
            let import = bvh::read(&bytes, name, &read)
                .map_err(|reason| MotionFileError::Bvh { file: file.to_owned(), reason })?;
            (vec![import.motion], import.tips, import.warnings)
        }
        Some("glb" | "gltf") => parts(gltf::read(file, &bodies)?),
        #[cfg(feature = "fbx")]
        Some("fbx") => parts(fbx::read(file, &bodies)?),
        _ => return Err(MotionFileError::UnknownFormat { file: file.to_owned() }),
    };
    if motions.is_empty() {
        return Err(MotionFileError::NoMotions { file: file.to_owned() });
    }
    let entry = |motion| Entry {
        tips: tips.clone(),
        ..Entry::of_motion(Some(file.to_owned()), motion, options)
    };
    Ok(FileEntries { entries: motions.into_iter().map(entry).collect(), warnings })
}
