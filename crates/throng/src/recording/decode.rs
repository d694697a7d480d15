//! Columns of a file that may be damaged, a few rows at a time.
//!
//! The Parquet library is meant for files that are what they claim to be. Given others, it panics in
//! places, and sets memory aside by counts that it has read. [`guarded`] and [`CheckedPages`] turn
//! both into errors, and every access to a file goes through them.

use std::collections::HashMap;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use parquet::basic::Type as PhysicalType;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::SerializedPageReader;

use super::checksums::CheckedFile;

/// Runs `decode`, and makes an error of a panic within it. What it has changed must not be used
/// after an error.
///
/// This is the one place where a panic is caught. It is right here because the panics that the
/// library has for damaged data (indices out of range, `expect`s on what a header promised) say
/// something about the file and nothing about the program, and a user's broken file must not take
/// a running program down.
pub(super) fn guarded<T>(decode: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let result = catch_unwind(AssertUnwindSafe(decode));
    result.unwrap_or_else(|_| Err("its data cannot be decoded".into()))
}

/// A column of one row group, read from top to bottom.
pub(super) struct Column<T: DataType> {
    name: &'static str,
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
    levels: Vec<i16>,
}

impl<T: DataType> Column<T> {
    pub(super) fn open(
        file: &CheckedFile,
        group: &RowGroupMetaData,
        name: &'static str,
    ) -> Result<Self, String> {
        let column = find(group, name)?;
        let rows = group.num_rows() as usize;
        let file = file.for_chunk(column)?;
        let pages = SerializedPageReader::new(Arc::clone(file), column, rows, None)
            .map_err(|error| fault(name, &error))?;
        let pages = Box::new(CheckedPages { pages, rows: rows as u64 });
        let reader = ColumnReaderImpl::new(column.column_descr_ptr(), pages);
        Ok(Self { name, reader, values: Vec::new(), levels: Vec::new() })
    }

    pub(super) fn skip(&mut self, rows: usize) -> Result<(), String> {
        let skipped = self.reader.skip_records(rows).map_err(|error| fault(self.name, &error))?;
        self.expect(rows, skipped)
    }

    /// The values of the next `rows` rows, none of them null.
    pub(super) fn read(&mut self, rows: usize) -> Result<&[T::T], String> {
        self.advance(rows)?;
        if self.values.len() < rows {
            return Err(format!("column `{}` has a null", self.name));
        }
        Ok(&self.values)
    }

    /// The values of the next `rows` rows.
    pub(super) fn read_optional(
        &mut self,
        rows: usize,
    ) -> Result<impl Iterator<Item = Option<&T::T>>, String> {
        self.advance(rows)?;
        let (mut values, levels) = (self.values.iter(), &self.levels);
        // A column that cannot have nulls comes without levels.
        let is_null = |row: usize| levels.get(row).is_some_and(|&level| level == 0);
        Ok((0..rows).map(move |row| if is_null(row) { None } else { values.next() }))
    }

    fn advance(&mut self, rows: usize) -> Result<(), String> {
        self.values.clear();
        self.levels.clear();
        let levels = Some(&mut self.levels);
        let result = self.reader.read_records(rows, levels, None, &mut self.values);
        let (read, ..) = result.map_err(|error| fault(self.name, &error))?;
        self.expect(rows, read)
    }

    fn expect(&self, rows: usize, found: usize) -> Result<(), String> {
        if found == rows {
            return Ok(());
        }
        Err(format!("column `{}` ends {} rows early", self.name, rows - found.min(rows)))
    }
}

fn find<'g>(group: &'g RowGroupMetaData, name: &str) -> Result<&'g ColumnChunkMetaData, String> {
    let column = group.columns().iter().find(|column| column.column_path().string() == name);
    column.ok_or_else(|| format!("it has no column `{name}`"))
}

/// A column of counts, of either of the types that they are stored as.
pub(super) struct CountColumn {
    stored: StoredCounts,
    values: Vec<Option<u32>>,
}

enum StoredCounts {
    Signed(Column<Int64Type>),
    /// The bits of a `u32`, as earlier versions wrote them.
    Unsigned(Column<Int32Type>),
}

impl CountColumn {
    pub(super) fn open(
        file: &CheckedFile,
        group: &RowGroupMetaData,
        name: &'static str,
    ) -> Result<Self, String> {
        let stored = match find(group, name)?.column_type() {
            PhysicalType::INT32 => StoredCounts::Unsigned(Column::open(file, group, name)?),
            _ => StoredCounts::Signed(Column::open(file, group, name)?),
        };
        Ok(Self { stored, values: Vec::new() })
    }

    pub(super) fn skip(&mut self, rows: usize) -> Result<(), String> {
        match &mut self.stored {
            StoredCounts::Signed(column) => column.skip(rows),
            StoredCounts::Unsigned(column) => column.skip(rows),
        }
    }

    /// The values of the next `rows` rows.
    pub(super) fn read_optional(&mut self, rows: usize) -> Result<&[Option<u32>], String> {
        self.values.clear();
        match &mut self.stored {
            StoredCounts::Signed(column) => {
                let name = column.name;
                for value in column.read_optional(rows)? {
                    let count = value.map(|&value| u32::try_from(value).map_err(|_| value));
                    let count = count.transpose().map_err(|value| {
                        format!("column `{name}` has {value}, which is not from 0 to {}", u32::MAX)
                    })?;
                    self.values.push(count);
                }
            }
            StoredCounts::Unsigned(column) => {
                let counts = column.read_optional(rows)?.map(|bits| bits.map(|&bits| bits as u32));
                self.values.extend(counts);
            }
        }
        Ok(&self.values)
    }

    /// The values of the next `rows` rows, none of them null.
    pub(super) fn read(&mut self, rows: usize) -> Result<impl Iterator<Item = u32>, String> {
        let name = match &self.stored {
            StoredCounts::Signed(column) => column.name,
            StoredCounts::Unsigned(column) => column.name,
        };
        let values = self.read_optional(rows)?;
        match values.contains(&None) {
            true => Err(format!("column `{name}` has a null")),
            false => Ok(values.iter().flatten().copied()),
        }
    }
}

/// A column of names, read as their numbers in a list.
pub(super) struct NameColumn {
    column: Column<ByteArrayType>,
    numbers: HashMap<Vec<u8>, u16>,
    /// The name before, which nearly always is the same one. Names of one page share memory, so
    /// equal addresses mean equal names; holding on to the name keeps its address from being reused.
    last: Option<(ByteArray, u16)>,
}

impl NameColumn {
    pub(super) fn open<'a>(
        file: &CheckedFile,
        group: &RowGroupMetaData,
        name: &'static str,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<Self, String> {
        let numbers = names.zip(0..).map(|(name, number)| (name.as_bytes().to_vec(), number));
        let column = Column::open(file, group, name)?;
        Ok(Self { column, numbers: numbers.collect(), last: None })
    }

    pub(super) fn skip(&mut self, rows: usize) -> Result<(), String> {
        self.column.skip(rows)
    }

    /// Hands the number of the name in each of the next `rows` rows to `take`.
    pub(super) fn read(&mut self, rows: usize, mut take: impl FnMut(u16)) -> Result<(), String> {
        let Self { column, numbers, last } = self;
        let label = column.name;
        for name in column.read(rows)? {
            if let Some((before, number)) = last
                && std::ptr::eq(before.data(), name.data())
            {
                take(*number);
                continue;
            }
            let unknown = || {
                let name =
                    String::from_utf8_lossy(name.data()).chars().take(80).collect::<String>();
                format!("column `{label}` has {name:?}, which is not on its list")
            };
            let number = *numbers.get(name.data()).ok_or_else(unknown)?;
            *last = Some((name.clone(), number));
            take(number);
        }
        Ok(())
    }
}

/// Pages with believable counts. The library makes room for as many values as a page's header names
/// before it looks at the page.
struct CheckedPages {
    pages: SerializedPageReader<File>,
    rows: u64,
}

impl Iterator for CheckedPages {
    type Item = ParquetResult<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> ParquetResult<Option<Page>> {
        let page = self.pages.get_next_page()?;
        page.iter().try_for_each(|page| check_count(page, self.rows))?;
        Ok(page)
    }

    fn peek_next_page(&mut self) -> ParquetResult<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> ParquetResult<()> {
        self.pages.skip_next_page()
    }
}

fn check_count(page: &Page, rows: u64) -> ParquetResult<()> {
    let most = match page {
        // The shortest value, an empty name, takes four bytes.
        Page::DictionaryPage { buf, .. } => buf.len() as u64 / 4,
        Page::DataPage { .. } | Page::DataPageV2 { .. } => rows,
    };
    if u64::from(page.num_values()) <= most {
        return Ok(());
    }
    let values = page.num_values();
    Err(ParquetError::General(format!("a page for {most} values claims to have {values}")))
}

fn fault(column: &str, error: &ParquetError) -> String {
    format!("column `{column}`: {error}")
}

#[cfg(test)]
mod tests {
    use parquet::basic::Encoding;

    use super::*;

    fn dictionary(bytes: usize, num_values: u32) -> Page {
        let buf = vec![0; bytes].into();
        Page::DictionaryPage { buf, num_values, encoding: Encoding::PLAIN, is_sorted: false }
    }

    #[test]
    fn a_page_cannot_have_more_values_than_fit() {
        assert!(check_count(&dictionary(40, 10), 5).is_ok());
        assert!(check_count(&dictionary(40, 11), 100).is_err());
        assert!(check_count(&dictionary(40, u32::MAX), 100).is_err());
    }

    #[test]
    fn panics_become_errors() {
        let indices: [usize; 1] = [3];
        assert!(guarded(|| Ok(indices[indices[0]])).is_err());
        assert_eq!(guarded(|| Ok(indices[0])), Ok(3));
    }
}
