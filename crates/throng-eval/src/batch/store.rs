//! A folder of results, one file for each run that is done.
//!
//! A result is written under a hidden name and takes its own when it is complete, so that whatever
//! ends the process, a power cut included, loses only the runs that were under way. Nothing else says
//! which runs are done: the files are the index. Each is a JSON document that begins with a digest of
//! what follows, by which a file that was damaged later is noticed; such a run is made again.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use throng::place::{FileError, Overwrite, PartFile};

use super::key::{RunKey, digest};

/// What a result file begins with, before the digest.
const HEAD: &str = "{\"fnv1a\":\"";
/// What stands between the digest and the result.
const NECK: &str = "\",\"run\":";
const DIGITS: usize = 16;
/// Where results are, in the folder of a batch.
const RUNS: &str = "runs";
/// Where recordings are, in the folder of a batch.
pub const RECORDINGS: &str = "recordings";

/// What is known of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept<T> {
    /// It is done.
    Done(T),
    /// There is no result yet.
    Missing,
    /// There is a file that is not what was written, and why.
    Damaged(String),
}

/// The folder of a batch.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// Held by whoever writes to the folder. The operating system lets go of it when the process ends.
    _lock: Option<File>,
}

impl Store {
    /// Uses `folder`, which is made if it is not there, and clears away what an interrupted batch has
    /// left half-written.
    ///
    /// # Errors
    ///
    /// If another process works in it, or the operating system refuses.
    pub fn create(folder: &Path) -> Result<Self, FileError> {
        fs::create_dir_all(folder).map_err(FileError::io("create", folder))?;
        let lock = File::create(folder.join(".lock")).map_err(FileError::io("write to", folder))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let reason =
                    "another evaluation is at work there; wait for it, or choose another folder";
                return Err(FileError::NoPlace { path: folder.into(), reason });
            }
            // Where files cannot be locked, it is up to the user.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        for place in [folder.join(RUNS), folder.join(RECORDINGS)] {
            fs::create_dir_all(&place).map_err(FileError::io("create", &place))?;
            let entries = fs::read_dir(&place).map_err(FileError::io("read", &place))?;
            for entry in entries.flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                if name.starts_with('.') && name.ends_with(".part") {
                    // Somebody else may have been faster.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
        Ok(Self { folder: folder.into(), _lock: Some(lock) })
    }

    /// Reads a folder that is there.
    ///
    /// # Errors
    ///
    /// If it has no results.
    pub fn open(folder: &Path) -> Result<Self, FileError> {
        let runs = folder.join(RUNS);
        fs::read_dir(&runs).map_err(FileError::io("read", &runs))?;
        Ok(Self { folder: folder.into(), _lock: None })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the result of a run is, or goes.
    pub fn result_path(&self, key: &RunKey) -> PathBuf {
        self.folder.join(RUNS).join(key.file_stem() + ".json")
    }

    /// Where the recording of a run is, or goes.
    pub fn recording_path(&self, key: &RunKey) -> PathBuf {
        self.folder.join(self.recording_name(key))
    }

    /// The same, seen from the folder.
    pub fn recording_name(&self, key: &RunKey) -> String {
        format!("{RECORDINGS}/{}.parquet", key.file_stem())
    }

    /// Where a recording is while it is made; it is moved to its place when it is complete.
    pub(super) fn unfinished_recording(&self, key: &RunKey) -> PathBuf {
        self.folder.join(RECORDINGS).join(format!(".{}.part", key.file_stem()))
    }

    /// Whether there is a recording of a run.
    pub fn has_recording(&self, key: &RunKey) -> bool {
        self.recording_path(key).is_file()
    }

    /// The file that says that the recording of a run would be too large.
    fn too_large_path(&self, key: &RunKey) -> PathBuf {
        self.folder.join(RECORDINGS).join(format!(".{}.too-large", key.file_stem()))
    }

    /// Remembers that the recording of a run is larger than allowed.
    pub(super) fn mark_too_large(&self, key: &RunKey) -> Result<(), FileError> {
        let path = self.too_large_path(key);
        fs::write(&path, "").map_err(FileError::io("write to", &path))
    }

    /// Returns whether the recording of a run is known to be larger than allowed.
    pub(super) fn is_too_large(&self, key: &RunKey) -> bool {
        self.too_large_path(key).is_file()
    }

    /// Keeps the result of a run.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, key: &RunKey, result: &impl Serialize) -> Result<(), FileError> {
        let path = self.result_path(key);
        let body = serde_json::to_string(result).map_err(FileError::write(&path))?;
        write_whole(&path, &format!("{HEAD}{}{NECK}{body}}}\n", digest(&[body.as_bytes()])))
    }

    /// The result of a run.
    pub fn load<T: DeserializeOwned>(&self, key: &RunKey) -> Kept<T> {
        let path = self.result_path(key);
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => return Kept::Missing,
            Err(error) => return Kept::Damaged(error.to_string()),
        };
        let Some(body) = text.as_deref().ok().and_then(body) else {
            return Kept::Damaged("it is not as it was written".into());
        };
        match serde_json::from_str(body) {
            Ok(result) => Kept::Done(result),
            Err(error) => Kept::Damaged(error.to_string()),
        }
    }
}

/// Writes a file that is there completely or not at all, in place of one that may be there.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), FileError> {
    let (part, mut file) = PartFile::create(path, Overwrite::Yes)?;
    file.write_all(text.as_bytes()).map_err(FileError::io("write to", path))?;
    part.publish().map(drop)
}

/// The result in the text of a file, if its digest is right.
fn body(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(HEAD)?;
    let (told, rest) = rest.split_at_checked(DIGITS)?;
    let body = rest.strip_prefix(NECK)?.strip_suffix("}\n")?;
    (digest(&[body.as_bytes()]) == told).then_some(body)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key() -> RunKey {
        RunKey {
            scenario: "squeeze".into(),
            hash: digest(&[]),
            model: "orca".into(),
            seed: 0,
            engine: "0.1.0".into(),
            options: String::new(),
        }
    }

    fn kept() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(folder.path()).unwrap();
        store.save(&key(), &vec![0.1, -2.5e-300, 3.0]).unwrap();
        (folder, store)
    }

    #[test]
    fn what_is_kept_is_read_back_and_other_runs_are_missing() {
        let (_folder, store) = kept();
        assert_eq!(store.load::<Vec<f64>>(&key()), Kept::Done(vec![0.1, -2.5e-300, 3.0]));
        assert_eq!(store.load::<Vec<f64>>(&RunKey { seed: 1, ..key() }), Kept::Missing);
        assert!(matches!(store.load::<Vec<String>>(&key()), Kept::Damaged(_)));
        let text = fs::read_to_string(store.result_path(&key())).unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["run"][2], 3.0, "other programs read it as JSON");
    }

    #[test]
    fn what_an_interrupted_batch_has_left_is_cleared_away() {
        let (folder, store) = kept();
        let left = folder.path().join("runs/.squeeze.orca.1.json.77-0.part");
        fs::write(&left, "{").unwrap();
        let message = Store::create(folder.path()).unwrap_err().to_string();
        assert!(message.contains("another evaluation is at work"), "{message}");
        let path = store.result_path(&key());
        drop(store);
        Store::create(folder.path()).unwrap();
        assert!(!left.exists() && path.exists());
    }

    #[test]
    fn a_folder_without_results_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let message = Store::open(folder.path()).unwrap_err().to_string();
        assert!(message.contains("cannot read") && message.contains("runs"), "{message}");
    }

    proptest! {
        #[test]
        fn damage_is_noticed_wherever_it_is(at in 0usize..60, byte in any::<u8>(), cut in any::<bool>()) {
            let (_folder, store) = kept();
            let path = store.result_path(&key());
            let mut bytes = fs::read(&path).unwrap();
            let at = at % bytes.len();
            let is_same = !cut && bytes[at] == byte;
            if cut { bytes.truncate(at) } else { bytes[at] = byte }
            fs::write(&path, bytes).unwrap();
            match store.load::<Vec<f64>>(&key()) {
                Kept::Done(_) => prop_assert!(is_same),
                Kept::Damaged(_) => prop_assert!(!is_same),
                Kept::Missing => prop_assert!(false),
            }
        }
    }
}
