//! Motions in the format of another program.

use std::sync::Arc;

use glam::Vec3;
use thiserror::Error;

use crate::files::gltf;
use crate::files::{Body, bvh};
use crate::mesh::Mesh;
use crate::motion::Motion;
use crate::skeleton::JointId;

/// A format that motions can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionFormat {
    /// One motion as text.
    Bvh,
    /// Any number of motions of one skeleton, as binary glTF.
    Glb,
}

impl MotionFormat {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Bvh, Self::Glb];

    /// How it is called on the command line, which is the ending of its files, too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bvh => "bvh",
            Self::Glb => "glb",
        }
    }
}

/// Why motions cannot be written.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ConvertError {
    #[error("there is nothing to write")]
    Nothing,
    #[error("a BVH file holds one motion, and there are {count}; choose one")]
    OneOnly { count: usize },
    #[error("\"{name}\" is of another body than \"{first}\"; write them to files of their own")]
    OtherBody { name: String, first: String },
    #[error(transparent)]
    Bvh(#[from] bvh::WriteError),
    #[error(transparent)]
    Gltf(#[from] gltf::WriteError),
}

/// The content of a file with `motions`, and with the `surface` that follows them if the format has
/// surfaces. `tips` are where the bones of a BVH file end; see [`bvh::WriteOptions::tips`].
///
/// # Errors
///
/// If the format cannot hold them, or the surface is that of another body.
pub fn convert(
    motions: &[&Motion],
    format: MotionFormat,
    surface: Option<Arc<Mesh>>,
    tips: &[(JointId, Vec3)],
) -> Result<Vec<u8>, ConvertError> {
    let Some(first) = motions.first() else { return Err(ConvertError::Nothing) };
    match format {
        MotionFormat::Bvh => match motions {
            [motion] => {
                let options = bvh::WriteOptions { tips: tips.to_vec(), ..Default::default() };
                Ok(bvh::write(motion, &options)?.into_bytes())
            }
            _ => Err(ConvertError::OneOnly { count: motions.len() }),
        },
        MotionFormat::Glb => {
            let skeleton = first.skeleton();
            if let Some(other) = motions.iter().find(|it| !Arc::ptr_eq(it.skeleton(), skeleton)) {
                let (name, first) = (other.name().to_owned(), first.name().to_owned());
                return Err(ConvertError::OtherBody { name, first });
            }
            let body = match surface {
                Some(mesh) => Body::new("body", skeleton.clone(), mesh),
                None => Body::bones("body", skeleton.clone()),
            };
            Ok(gltf::library(&body, motions, &gltf::WriteOptions::default())?)
        }
    }
}
