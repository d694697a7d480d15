//! Files that travel in a recording.
//!
//! Their bytes lie between the letters that a Parquet file begins with and its first row group, where nobody looks who is
//! not told to. So they are written once, as they are, whatever number of footers follow; these say where each file is,
//! and what it adds up to.

use std::fs::File;

use serde::{Deserialize, Serialize};
use throng_base::hash::fnv1a;
use throng_world::scene::TerrainFiles;

use super::footer::bytes;

/// Where a file is in a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Attached {
    /// Its name, as the scene writes it.
    name: String,
    /// Where it begins in the recording.
    offset: u64,
    /// How many bytes it has.
    length: u64,
    /// What they add up to, as FNV-1a does it: 16 hexadecimal digits.
    fnv1a: String,
}

/// Where `files` are if the first of them begins at `offset` and the others follow.
pub(super) fn attach(files: &TerrainFiles, mut offset: u64) -> Vec<Attached> {
    let attach = |(name, bytes): (&str, &[u8])| {
        let length = bytes.len() as u64;
        let begin = offset;
        offset += length;
        Attached { name: name.into(), offset: begin, length, fnv1a: digest(bytes) }
    };
    files.iter().map(attach).collect()
}

/// Whether there can be such files, and if not, why; to be asked before memory is.
pub(super) fn check(attached: &[Attached]) -> Result<(), String> {
    let size = attached.iter().try_fold(0u64, |size, file| size.checked_add(file.length));
    let most = TerrainFiles::LARGEST as u64;
    if size.is_none_or(|size| size > most) {
        return Err(format!("its terrain files claim to be larger than {} MiB", most >> 20));
    }
    let mut names: Vec<&str> = attached.iter().map(|file| file.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two of its terrain files are called {:?}", pair[0])),
        None => Ok(()),
    }
}

/// Reads all files.
pub(super) fn read(recording: &File, attached: &[Attached]) -> Result<TerrainFiles, String> {
    check(attached)?;
    let mut files = TerrainFiles::default();
    for file in attached {
        let read = bytes(recording, file.offset, file.length).map_err(|error| {
            format!("the terrain file {:?} in it cannot be read: {error}", file.name)
        })?;
        if digest(&read) != file.fnv1a {
            return Err(format!("the terrain file {:?} in it has other bytes", file.name));
        }
        files.insert(&file.name, &read);
    }
    Ok(files)
}

fn digest(bytes: &[u8]) -> String {
    format!("{:016x}", fnv1a(bytes.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_cannot_be_are_refused_before_memory_is_asked_for() {
        let file = |name: &str, length| Attached {
            name: name.into(),
            offset: 4,
            length,
            fnv1a: String::new(),
        };
        assert!(check(&[file("a", 1), file("b", TerrainFiles::LARGEST as u64 - 1)]).is_ok());
        let reason = check(&[file("a", 1), file("b", TerrainFiles::LARGEST as u64)]).unwrap_err();
        assert!(reason.contains("larger than 32 MiB"), "{reason}");
        assert!(check(&[file("a", 1), file("b", u64::MAX)]).is_err());
        let reason = check(&[file("a", 1), file("b", 1), file("a", 2)]).unwrap_err();
        assert!(reason.contains("two of its terrain files are called \"a\""), "{reason}");
    }
}
