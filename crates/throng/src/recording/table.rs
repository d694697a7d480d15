//! Small tables beside a recording, in the format of the recording.
//!
//! Unlike a recording, such a table is written in one go when all of it is known: until then it is
//! hidden, and if that never comes, there is none.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use super::encode::{CREATED_BY, column, optional_column};
use super::{Overwrite, RecordingError};
use crate::place::{FileError, PartFile};

/// A column of a [`TableFile`].
#[derive(Clone, Debug, PartialEq)]
pub struct TableColumn {
    /// Its name.
    pub name: &'static str,
    /// A value for each row.
    pub values: TableValues,
}

/// The values of a [`TableColumn`]. What is `None` is null in the file, and NaN in pandas.
#[derive(Clone, Debug, PartialEq)]
pub enum TableValues {
    /// Texts.
    Texts(Vec<String>),
    /// Whole numbers.
    Counts(Vec<Option<u64>>),
    /// Numbers.
    Numbers(Vec<Option<f64>>),
}

/// A Parquet file with a table that is yet to be known.
///
/// A file that is there already keeps its place until the new one is complete. Dropped without
/// [`finish`](Self::finish), it leaves nothing behind.
#[derive(Debug)]
pub struct TableFile {
    part: PartFile,
    file: File,
    path: PathBuf,
}

impl TableFile {
    /// Makes sure that there is a place for a table at `path`.
    ///
    /// # Errors
    ///
    /// If there is a file that may not be replaced, or no file can be there.
    pub fn create(path: &Path, overwrite: Overwrite) -> std::result::Result<Self, RecordingError> {
        let (part, file) = PartFile::create(path, overwrite)?;
        Ok(Self { part, file, path: path.into() })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the table, and waits until all of it is on the disk.
    ///
    /// # Errors
    ///
    /// If columns differ in length, or the operating system refuses.
    pub fn finish(
        mut self,
        name: &str,
        columns: &[TableColumn],
    ) -> std::result::Result<(), RecordingError> {
        let bytes = encode(name, columns).map_err(FileError::write(&self.path))?;
        self.file.write_all(&bytes).map_err(FileError::io("write to", &self.path))?;
        self.part.publish()?;
        Ok(())
    }
}

/// The bytes of the file. Parquet refuses columns that differ in length.
fn encode(name: &str, columns: &[TableColumn]) -> Result<Vec<u8>> {
    let fields = columns.iter().map(field).collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Type::group_type_builder(name).with_fields(fields).build()?);
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_created_by(CREATED_BY.into())
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for TableColumn { values, .. } in columns {
        match values {
            TableValues::Texts(texts) => {
                let texts = texts.iter().map(|text| ByteArray::from(text.as_str()));
                column::<ByteArrayType>(&mut group, texts)?;
            }
            TableValues::Counts(counts) => {
                let too_large =
                    counts.iter().flatten().find(|count| i64::try_from(**count).is_err());
                if let Some(count) = too_large {
                    let reason = format!("{count} is larger than a table can hold");
                    return Err(ParquetError::General(reason));
                }
                let counts = counts.iter().map(|count| count.map(|count| count as i64));
                optional_column::<Int64Type>(&mut group, counts)?;
            }
            TableValues::Numbers(numbers) => {
                optional_column::<DoubleType>(&mut group, numbers.iter().copied())?;
            }
        }
    }
    group.close()?;
    writer.into_inner()
}

fn field(column: &TableColumn) -> Result<TypePtr> {
    let (physical, logical, repetition) = match column.values {
        TableValues::Texts(_) => {
            (PhysicalType::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED)
        }
        TableValues::Counts(_) => {
            // Signed, so that other programs can subtract.
            (PhysicalType::INT64, None, Repetition::OPTIONAL)
        }
        TableValues::Numbers(_) => (PhysicalType::DOUBLE, None, Repetition::OPTIONAL),
    };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .build()
        .map(Arc::new)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use parquet::file::reader::{FileReader, SerializedFileReader};

    use super::*;

    fn columns(counts: Vec<Option<u64>>) -> Vec<TableColumn> {
        let texts = vec!["door".into(), "hall, \"north\"".into()];
        let numbers = vec![Some(0.25), None];
        vec![
            TableColumn { name: "what", values: TableValues::Texts(texts) },
            TableColumn { name: "count", values: TableValues::Counts(counts) },
            TableColumn { name: "number", values: TableValues::Numbers(numbers) },
        ]
    }

    fn rows(path: &Path) -> Vec<String> {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        assert_eq!(reader.metadata().file_metadata().created_by(), Some(CREATED_BY));
        reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect()
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let file = TableFile::create(&path, Overwrite::No).unwrap();
        assert!(!path.exists(), "there is nothing to see yet");
        file.finish("table", &columns(vec![Some(i64::MAX as u64), None])).unwrap();
        assert_eq!(
            rows(&path),
            [
                "{what: \"door\", count: 9223372036854775807, number: 0.25}",
                "{what: \"hall, \"north\"\", count: null, number: null}"
            ]
        );
        let file = TableFile::create(&path, Overwrite::Yes).unwrap();
        file.finish("table", &[]).unwrap();
        assert!(rows(&path).is_empty(), "a table without columns is one too");
    }

    #[test]
    fn a_table_is_there_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        drop(TableFile::create(&path, Overwrite::No).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        fs::write(&path, "precious").unwrap();
        let refused = TableFile::create(&path, Overwrite::No).unwrap_err();
        assert!(matches!(refused, RecordingError::File(FileError::Exists { .. })), "{refused}");
        let file = TableFile::create(&path, Overwrite::Yes).unwrap();
        let error = file.finish("table", &columns(vec![None])).unwrap_err().to_string();
        assert!(error.contains("a.parquet"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no part is left over");
    }
}
