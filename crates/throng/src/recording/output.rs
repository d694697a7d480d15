//! What is written beside a recording, as safely as the recording itself.

use std::io;
use std::path::{Path, PathBuf};

use super::sink::{FileSink, Sink};
use super::{Overwrite, RecordingError};
use crate::place::FileError;

/// A text file that is written bit by bit, beside a recording for instance.
///
/// A file that is there already keeps its place until the first text is written.
#[derive(Debug)]
pub struct OutputFile {
    sink: FileSink,
    path: PathBuf,
    is_empty: bool,
}

impl OutputFile {
    /// Creates the file at `path`.
    ///
    /// # Errors
    ///
    /// If there is one that may not be replaced, or there is no place for it.
    pub fn create(path: &Path, overwrite: Overwrite) -> Result<Self, RecordingError> {
        let sink = FileSink::create(path, overwrite)?;
        Ok(Self { sink, path: path.into(), is_empty: true })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends all of `text`, in one go as far as that is possible.
    ///
    /// # Errors
    ///
    /// If the operating system refuses.
    pub fn append(&mut self, text: &str) -> Result<(), RecordingError> {
        let written = self.sink.append(text.as_bytes());
        let published =
            written.and_then(|()| if self.is_empty { self.sink.publish() } else { Ok(()) });
        self.is_empty = false;
        published.map_err(|source| self.failure(source))
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    ///
    /// If the operating system refuses.
    pub fn finish(mut self) -> Result<(), RecordingError> {
        self.sink.sync().map_err(|source| self.failure(source))
    }

    fn failure(&self, source: io::Error) -> RecordingError {
        FileError::io("write to", &self.path)(source).into()
    }
}

impl Drop for OutputFile {
    /// A file without text is not worth keeping.
    fn drop(&mut self) {
        if self.is_empty {
            self.sink.discard();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_replaced_only_on_demand_and_only_by_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        drop(OutputFile::create(&path, Overwrite::No).unwrap());
        assert!(!path.exists(), "nothing was written");
        fs::write(&path, "precious").unwrap();
        assert!(matches!(
            OutputFile::create(&path, Overwrite::No),
            Err(RecordingError::File(FileError::Exists { .. }))
        ));
        drop(OutputFile::create(&path, Overwrite::Yes).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        let mut file = OutputFile::create(&path, Overwrite::Yes).unwrap();
        file.append("one").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one", "visible at once");
        file.append(", two").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one, two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no part is left over");
    }
}
