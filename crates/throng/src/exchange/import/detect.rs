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

    /// What the file is, with columns separated by `delimiter` if that is given.
    pub(super) fn format(&self, delimiter: Option<u8>) -> Result<ImportFormat, ExchangeError> {
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
        let Some(first) = self.first_row() else {
            return match self.bytes.contains(&b'#') {
                true => Ok(ImportFormat::JupedsimTxt),
                false => unknown("there is nothing but empty lines in the file"),
            };
        };
        let delimiter = delimiter.or_else(|| self.delimiter());
        let row = fields(&first, delimiter);
        let numeric = row.iter().all(|word| word.parse::<f64>().is_ok());
        let has_comments = self.bytes.trim_ascii_start().starts_with(b"#");
        match (numeric, row.len()) {
            (true, _) if has_comments => Ok(ImportFormat::JupedsimTxt),
            (true, 8) if delimiter.is_none() => Ok(ImportFormat::Obsmat),
            (true, 4..) => Ok(ImportFormat::Headerless),
            _ if extension == "csv" || extension == "tsv" => Ok(ImportFormat::Csv),
            (false, _) if first.contains([',', ';', '\t']) => Ok(ImportFormat::Csv),
            _ => unknown("what it is cannot be told from how it begins; say it with --from"),
        }
    }

    /// The delimiter of columns that the first row has most of, or `None` if they are separated by
    /// white space.
    pub(super) fn delimiter(&self) -> Option<u8> {
        let row = self.first_row().unwrap_or_default();
        let count = |delimiter: &u8| row.bytes().filter(|byte| byte == delimiter).count();
        // The last of those with the most, so the comma wins a tie.
        [b';', b'\t', b','].into_iter().max_by_key(count).filter(|delimiter| count(delimiter) > 0)
    }

    /// Whether lines end with a line feed, with or without a carriage return before it.
    pub(super) fn has_line_feeds(&self) -> bool {
        self.bytes.contains(&b'\n')
    }

    /// The first line that is not empty and no comment.
    fn first_row(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.bytes);
        let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        lines.find(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned)
    }
}

/// The fields of a row of numbers, separated by white space if there is no delimiter. One delimiter
/// at the end is ignored.
pub(super) fn fields(row: &str, delimiter: Option<u8>) -> Vec<&str> {
    let row = row.trim();
    match delimiter {
        _ if row.is_empty() => Vec::new(),
        None => row.split_whitespace().collect(),
        Some(delimiter) => {
            let delimiter = char::from(delimiter);
            row.strip_suffix(delimiter).unwrap_or(row).split(delimiter).map(str::trim).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str, content: &[u8]) -> Result<ImportFormat, String> {
        let prefix = Prefix { path: name.into(), bytes: content.into() };
        prefix.format(None).map_err(|error| error.to_string())
    }

    #[test]
    fn content_tells_what_a_file_is_and_its_name_where_that_is_not_enough() {
        for (name, content, expected) in [
            ("a", &b"SQLite format 3\0..."[..], ImportFormat::JupedsimSqlite),
            ("a", b"\x51\x29\x8c\x0f\x02\0\0\0", ImportFormat::SteersuiteRec),
            ("a.rec", b"\0\x01", ImportFormat::SteersuiteRec),
            ("a.txt", b"# framerate: 25\n1 0 2.5 3.5 0\n", ImportFormat::JupedsimTxt),
            ("a.txt", b"1 0 2.5 3.5\n", ImportFormat::Headerless),
            ("a.txt", b"780.0\t1.0\t8.46\t3.59\n", ImportFormat::Headerless),
            ("a.txt", b"780, 1, 8.46, 3.59\n", ImportFormat::Headerless),
            ("a.csv", b"780;1;8.46;3.59;\n", ImportFormat::Headerless),
            ("a.csv", b"1,2,3\n", ImportFormat::Csv),
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
        for (header, delimiter) in
            [("a,b", Some(b',')), ("a;b", Some(b';')), ("a\tb", Some(b'\t')), ("a b", None)]
        {
            let prefix = Prefix { path: "a".into(), bytes: header.into() };
            assert_eq!(prefix.delimiter(), delimiter, "{header:?}");
        }
    }
}
