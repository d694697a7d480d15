//! What a file with tracks is, by how it begins.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::ImportFormat;
use crate::exchange::ExchangeError;
use crate::exchange::steersuite::MAGIC;
use crate::place::FileError;

/// As much of a file as is looked at.
const LENGTH: u64 = 1 << 16;

/// The beginning of a file.
pub(super) struct Prefix {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Prefix {
    pub(super) fn read(path: &Path) -> Result<Self, ExchangeError> {
        let file = File::open(path).map_err(FileError::io("open", path))?;
        let mut bytes = Vec::new();
        file.take(LENGTH).read_to_end(&mut bytes).map_err(FileError::io("read", path))?;
        Ok(Self { path: path.into(), bytes })
    }

    /// What the file is.
    pub(super) fn format(&self) -> Result<ImportFormat, ExchangeError> {
        let unknown = |reason: &str| Err(ExchangeError::tracks(&self.path, reason));
        if self.bytes.starts_with(b"SQLite format 3\0") {
            return Ok(ImportFormat::JupedsimSqlite);
        }
        if self.bytes.starts_with(b"PAR1") {
            return unknown("it is a Parquet file: a recording needs no import");
        }
        if self.bytes.starts_with(&MAGIC.to_le_bytes()) {
            return Ok(ImportFormat::SteersuiteRec);
        }
        if self.bytes.is_empty() {
            return unknown("the file is empty");
        }
        let extension = self.path.extension().unwrap_or_default().to_ascii_lowercase();
        // What is wrong with one that does not begin like one, its reader tells.
        if extension == "rec" {
            return Ok(ImportFormat::SteersuiteRec);
        }
        if self.bytes.contains(&0) {
            return unknown("it is a binary file of a kind that cannot be read");
        }
        if extension == "csv" || extension == "tsv" {
            return Ok(ImportFormat::Csv);
        }
        let Some(first) = self.first_row() else {
            return match self.bytes.contains(&b'#') {
                true => Ok(ImportFormat::JupedsimTxt),
                false => unknown("there is nothing but empty lines in the file"),
            };
        };
        let columns = first.split_whitespace().count();
        let numeric = first.split_whitespace().all(|word| word.parse::<f64>().is_ok());
        let has_comments = self.bytes.trim_ascii_start().starts_with(b"#");
        match (numeric, columns) {
            (true, _) if has_comments => Ok(ImportFormat::JupedsimTxt),
            (true, 8) => Ok(ImportFormat::Obsmat),
            (true, 4..) => Ok(ImportFormat::JupedsimTxt),
            (false, _) if first.contains([',', ';', '\t']) => Ok(ImportFormat::Csv),
            _ => unknown("what it is cannot be told from how it begins; say it with --from"),
        }
    }

    /// What stands between the columns of a table with a header.
    pub(super) fn delimiter(&self) -> u8 {
        let header = self.first_row().unwrap_or_default();
        let count = |delimiter: &char| header.matches(*delimiter).count();
        // The last of those with the most, so the comma wins a tie.
        [';', '\t', ','].into_iter().max_by_key(count).map_or(b',', |delimiter| delimiter as u8)
    }

    /// The first line that is not empty and no comment.
    fn first_row(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.bytes);
        let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        lines.find(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str, content: &[u8]) -> Result<ImportFormat, String> {
        let prefix = Prefix { path: name.into(), bytes: content.into() };
        prefix.format().map_err(|error| error.to_string())
    }

    #[test]
    fn content_tells_what_a_file_is_and_its_name_where_that_is_not_enough() {
        for (name, content, expected) in [
            ("a", &b"SQLite format 3\0..."[..], ImportFormat::JupedsimSqlite),
            ("a", b"\x51\x29\x8c\x0f\x02\0\0\0", ImportFormat::SteersuiteRec),
            ("a.rec", b"\0\x01", ImportFormat::SteersuiteRec),
            ("a.txt", b"# framerate: 25\n1 0 2.5 3.5 0\n", ImportFormat::JupedsimTxt),
            ("a.txt", b"1 0 2.5 3.5\n", ImportFormat::JupedsimTxt),
            ("a.txt", b"# only comments\n", ImportFormat::JupedsimTxt),
            ("a.txt", b"  7.8e+02 1 8.4 0 3.5 1.6 0 0.1\n", ImportFormat::Obsmat),
            ("a.txt", b"# 8 columns\n1 0 2.5 3.5 0 1 1 1\n", ImportFormat::JupedsimTxt),
            ("a.txt", b"id;frame;x;y\n", ImportFormat::Csv),
            ("a.CSV", b"id frame x y\n", ImportFormat::Csv),
        ] {
            assert_eq!(format(name, content), Ok(expected), "{name}");
        }
        for (content, reason) in [
            (&b""[..], "the file is empty"),
            (b"\n \n", "nothing but empty lines"),
            (b"PAR1....", "needs no import"),
            (b"\0\x01", "binary file"),
            (b"once upon a time", "--from"),
            (b"1 2 3", "--from"),
        ] {
            let error = format("a.txt", content).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn the_delimiter_is_what_the_header_has_most_of() {
        for (header, delimiter) in [("a,b", b','), ("a;b", b';'), ("a\tb", b'\t'), ("a", b',')] {
            let prefix = Prefix { path: "a".into(), bytes: header.into() };
            assert_eq!(prefix.delimiter(), delimiter, "{header:?}");
        }
    }
}
