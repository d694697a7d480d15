//! What all readers of files from elsewhere share: limits, and the outside of glTF with its headers,
//! buffers and triangles.
//!
//! The `gltf` crate takes for granted that a binary file has room for its header. Buffers are loaded
//! here and not by it, since a file that comes from elsewhere must not reach beyond its own folder, nor
//! ask for more memory than there is.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use percent_encoding::percent_decode_str;

/// No file may be larger (bytes): ample for the largest mesh, and an end to files that have none,
/// such as devices.
pub const LARGEST_FILE: u64 = 2 << 30;

/// The bytes of a file, or an error if there are more than `limit`.
///
/// # Errors
///
/// If the file cannot be read or is larger.
pub fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("the file is larger than {} MB", limit >> 20),
        ));
    }
    Ok(bytes)
}

/// Makes sure that the `gltf` crate can take the header off: it subtracts its length without
/// looking.
///
/// # Errors
///
/// If it cannot.
pub fn check_header(file: &[u8]) -> Result<(), String> {
    let header = file.first_chunk::<12>().filter(|header| header.starts_with(b"glTF"));
    match header {
        Some([.., a, b, c, d]) if u32::from_le_bytes([*a, *b, *c, *d]) < 12 => {
            Err("not readable glTF: the length in its header is wrong".into())
        }
        _ => Ok(()),
    }
}

/// The bytes of all buffers. `uris` says where each of them is: nowhere means in `blob`, the binary
/// part of the file. Buffers in files of their own are looked for in `folder`, and refused if there is
/// none.
///
/// # Errors
///
/// If one cannot be had, with its number and the reason.
pub fn load_buffers<'a>(
    uris: impl IntoIterator<Item = Option<&'a str>>,
    blob: Option<Vec<u8>>,
    folder: Option<&Path>,
) -> Result<Vec<Vec<u8>>, String> {
    load_buffers_with(uris, blob, |path, limit| match folder {
        Some(folder) => read_at_most(&folder.join(path), limit),
        None => Err(io::Error::other("it is a file, and there is no folder")),
    })
}

/// The bytes of all buffers, as [`load_buffers`] has them, with those in files of their own from `read`: it gets
/// the path of one, relative to the glTF file, and how many bytes it may have.
///
/// # Errors
///
/// If one cannot be had, with its number and the reason.
pub fn load_buffers_with<'a>(
    uris: impl IntoIterator<Item = Option<&'a str>>,
    mut blob: Option<Vec<u8>>,
    mut read: impl FnMut(&str, u64) -> io::Result<Vec<u8>>,
) -> Result<Vec<Vec<u8>>, String> {
    let mut left = LARGEST_FILE;
    let mut buffers = Vec::new();
    for (index, uri) in uris.into_iter().enumerate() {
        let bytes = match uri {
            None => blob.take().ok_or("its binary part is missing".to_owned()),
            Some(uri) => load_uri(uri, |path| read(path, left)),
        };
        let bytes = bytes.map_err(|reason| format!("buffer {index}: {reason}"))?;
        left = left.saturating_sub(bytes.len() as u64);
        buffers.push(bytes);
    }
    Ok(buffers)
}

fn load_uri(uri: &str, read: impl FnOnce(&str) -> io::Result<Vec<u8>>) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, encoded) = data.split_once(";base64,").ok_or("its data URI is not base64")?;
        return BASE64.decode(encoded).map_err(|error| format!("its base64 is damaged: {error}"));
    }
    let path = local_path(uri)
        .ok_or_else(|| format!("{uri:?} is not a file in or below the folder of the glTF file"))?;
    read(&path).map_err(|error| format!("{uri:?}: {error}"))
}

/// The path that `uri` names, if it cannot lead out of the folder it is taken from.
fn local_path(uri: &str) -> Option<Cow<'_, str>> {
    let decoded = percent_decode_str(uri).decode_utf8().ok()?;
    let path = Path::new(decoded.as_ref());
    let stays = path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    // A colon would be a scheme, or a drive where there are drives; a backslash, a folder there.
    let plain = !decoded.is_empty() && !decoded.contains([':', '\\', '\0']);
    (stays && plain).then_some(decoded)
}

/// Whether a glTF extension only changes how things look: no reason to refuse a file that requires it.
pub fn is_about_looks(extension: &str) -> bool {
    const LOOKS: [&str; 5] =
        ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_"];
    LOOKS.iter().any(|looks| extension.starts_with(looks))
}

/// The triangles that vertices in drawing order make; none unless `mode`, numbered as in glTF files, draws triangles.
pub fn triangles(mode: u32, vertices: &[u32]) -> Vec<[u32; 3]> {
    const TRIANGLES: u32 = 4;
    const TRIANGLE_STRIP: u32 = 5;
    const TRIANGLE_FAN: u32 = 6;
    match mode {
        TRIANGLES => vertices.as_chunks().0.to_vec(),
        TRIANGLE_STRIP => {
            // Every other triangle of a strip runs the other way round.
            let turn = |(i, v): (usize, &[u32])| [v[0], v[1 + i % 2], v[2 - i % 2]];
            vertices.windows(3).enumerate().map(turn).collect()
        }
        TRIANGLE_FAN => {
            vertices.windows(2).skip(1).map(|pair| [pair[0], pair[1], vertices[0]]).collect()
        }
        _ => Vec::new(),
    }
}
