//! The columns of a recording and how each is stored.
//!
//! The choices were measured on random walks of 50, 2,000 and 100,000 people, a million rows each,
//! with everyone on the move and with half of the people standing still:
//!
//! * BYTE_STREAM_SPLIT puts the first bytes of all numbers together, then the second bytes, and so
//!   on, which lets the compressor see that signs and exponents repeat: 6 to 24 % shorter than plain.
//! * zstd at level 1 is 4 to 7 % shorter than snappy when all walk, and 16 to 25 % when
//!   half of them stand, which is what crowds do. lz4 is within 4 % of snappy. Level 3 takes up to
//!   twice the time, for a gain of 7 % in one case of six and under 1 % in the others. zstd adds about
//!   half a minute of processor time to a build from scratch; the other two add nothing.
//! * Pages of 65,536 rows are 4 to 10 % shorter than pages of 20,000.
//! * A dictionary for radii, which repeat from frame to frame, saves 1 % in large row groups, loses
//!   more than that in small ones, and takes a tenth of the time; so there is none.

use std::sync::Arc;

use parquet::basic::{
    Compression, Encoding, LogicalType, Repetition, Type as PhysicalType, ZstdLevel,
};
use parquet::errors::Result;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Required; a `u32`, stored signed so that other programs can subtract.
    Count,
    /// The same, or null.
    MaybeCount,
    /// Seconds.
    Time,
    /// A measured number.
    Number,
    /// One of a few names.
    Name,
}

impl Kind {
    pub(super) fn physical(self) -> PhysicalType {
        match self {
            Self::Count | Self::MaybeCount => PhysicalType::INT64,
            Self::Time => PhysicalType::DOUBLE,
            Self::Number => PhysicalType::FLOAT,
            Self::Name => PhysicalType::BYTE_ARRAY,
        }
    }

    fn logical(self) -> Option<LogicalType> {
        match self {
            Self::Name => Some(LogicalType::String),
            Self::Count | Self::MaybeCount | Self::Time | Self::Number => None,
        }
    }

    /// Whether a column of this type can be read. Earlier versions stored counts as unsigned INT32.
    pub(super) fn accepts(self, physical: PhysicalType) -> bool {
        let is_count = matches!(self, Self::Count | Self::MaybeCount);
        physical == self.physical() || (is_count && physical == PhysicalType::INT32)
    }

    pub(super) fn repetition(self) -> Repetition {
        if self == Self::MaybeCount { Repetition::OPTIONAL } else { Repetition::REQUIRED }
    }

    /// How values are stored where there is no dictionary, or it has grown too large.
    fn encoding(self) -> Encoding {
        match self {
            Self::Count | Self::MaybeCount => Encoding::DELTA_BINARY_PACKED,
            Self::Time | Self::Number => Encoding::BYTE_STREAM_SPLIT,
            Self::Name => Encoding::PLAIN,
        }
    }

    fn has_dictionary(self) -> bool {
        matches!(self, Self::Time | Self::Name)
    }
}

/// Every column, in the order of the file.
pub(super) const COLUMNS: [(&str, Kind); 14] = [
    ("frame", Kind::Count),
    ("time", Kind::Time),
    ("id", Kind::Count),
    ("group", Kind::Name),
    ("layer", Kind::Name),
    ("x", Kind::Number),
    ("y", Kind::Number),
    ("z", Kind::Number),
    ("heading", Kind::Number),
    ("vx", Kind::Number),
    ("vy", Kind::Number),
    ("radius", Kind::Number),
    ("status", Kind::Name),
    ("blocked_by", Kind::MaybeCount),
];

/// The names of all columns, in the order of the file.
pub(crate) fn column_names() -> [&'static str; COLUMNS.len()] {
    COLUMNS.map(|(name, _)| name)
}

/// Columns whose smallest and largest value each footer gives for every row group, so that readers
/// can leave out row groups. The other columns span nearly the same range everywhere.
const WITH_STATISTICS: [&str; 3] = ["frame", "time", "id"];

const PAGE_ROWS: usize = 1 << 16;

/// The schema of a recording.
pub(super) fn schema() -> Result<TypePtr> {
    let field = |(name, kind): (&str, Kind)| {
        let column = Type::primitive_type_builder(name, kind.physical())
            .with_repetition(kind.repetition())
            .with_logical_type(kind.logical());
        column.build().map(Arc::new)
    };
    let fields = COLUMNS.into_iter().map(field).collect::<Result<Vec<_>>>()?;
    Ok(Arc::new(Type::group_type_builder("recording").with_fields(fields).build()?))
}

/// How a recording is stored.
pub(super) fn properties() -> Result<WriterProperties> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true);
    for (name, kind) in COLUMNS {
        let path = || ColumnPath::from(name);
        properties = properties
            .set_column_encoding(path(), kind.encoding())
            .set_column_dictionary_enabled(path(), kind.has_dictionary());
    }
    for name in WITH_STATISTICS {
        properties =
            properties.set_column_statistics_enabled(name.into(), EnabledStatistics::Chunk);
    }
    Ok(properties.build())
}
