//! Which column of a table holds which quantity, and rows read accordingly.

use csv::ByteRecord;

use super::columns::Column;
use super::row::{self, Names, Row, shown};
use super::{ImportOptions, Source};

const EXAMPLE: &str = "e.g. --columns frame=1,id=2,x=3,y=4";

/// Indices of the columns in the file, from 0, in the order of [`Column::ALL`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    places: [Option<usize>; Column::ALL.len()],
}

impl Layout {
    /// The layout of a table with a header.
    pub(super) fn of_header(header: &ByteRecord, options: &ImportOptions) -> Result<Self, String> {
        let header: Vec<String> =
            header.iter().map(|name| String::from_utf8_lossy(name).trim().to_lowercase()).collect();
        let has = header.iter().take(50).map(|name| shown(name)).collect::<Vec<_>>().join(", ");
        let mut places = [None; Column::ALL.len()];
        for column in Column::ALL {
            let name = options.columns.name(column).to_lowercase();
            let mut found = (0..header.len()).filter(|&i| !name.is_empty() && header[i] == name);
            places[column as usize] = found.next();
            if found.next().is_some() {
                return Err(format!("there are two columns {name:?}"));
            }
            if places[column as usize].is_none()
                && !name.is_empty()
                && options.columns.renamed(column).is_some()
            {
                return Err(format!("there is no column {name:?}; the columns are {has}"));
            }
        }
        let layout = Self { places }.restricted(options);
        match layout.missing() {
            None => Ok(layout),
            Some("frame") => Err(format!(
                "there is neither a column \"time\" nor \"frame\"; the columns are {has}: say \
                 which it is, e.g. --columns time=…"
            )),
            Some(name) => Err(format!(
                "there is no column \"{name}\"; the columns are {has}: say which it is, e.g. \
                 --columns {name}=…"
            )),
        }
    }

    /// The layout of a table without a header, of `count` columns, from `--columns` with numbers.
    pub(super) fn of_numbers(options: &ImportOptions, count: usize) -> Result<Self, String> {
        let mut layout = Self::default();
        for column in Column::ALL {
            let name = options.columns.renamed(column).unwrap_or_default();
            if name.is_empty() {
                continue;
            }
            let place = name.parse().ok().filter(|place| (1..=count).contains(place));
            let place = place.ok_or_else(|| {
                format!(
                    "there is no column {}; without a header, its {count} columns are numbered \
                     from 1, {EXAMPLE}",
                    shown(name)
                )
            })?;
            if let Some(other) = layout.column_at(place - 1) {
                let (other, name) = (other.name(), column.name());
                return Err(format!("column {place} cannot be both {other} and {name}"));
            }
            layout.places[column as usize] = Some(place - 1);
        }
        layout.complete(options)
    }

    /// The layout of a table whose columns are `columns` in this order; `None` is not read.
    pub(super) fn of_order(
        columns: &[Option<Column>],
        options: &ImportOptions,
    ) -> Result<Self, String> {
        let mut layout = Self::default();
        for (place, column) in columns.iter().enumerate() {
            if let Some(column) = column {
                layout.places[*column as usize] = Some(place);
            }
        }
        layout.complete(options)
    }

    /// Names of the first `count` columns in the order of the file, with `-` for those not read.
    pub(super) fn description(&self, count: usize) -> String {
        let name = |place| self.column_at(place).map_or("-", Column::name);
        (0..count).map(name).collect::<Vec<_>>().join(" ")
    }

    fn column_at(&self, place: usize) -> Option<Column> {
        Column::ALL.into_iter().find(|&column| self.place(column) == Some(place))
    }

    /// Index of a column in the file.
    pub(super) fn place(&self, column: Column) -> Option<usize> {
        self.places[column as usize]
    }

    /// Name of a column without which nothing can be imported; `frame` stands for frame or time.
    fn missing(&self) -> Option<&'static str> {
        let has_moment = self.place(Column::Frame).or(self.place(Column::Time)).is_some();
        let needed = [Column::Id, Column::X, Column::Y].into_iter();
        let missing =
            needed.filter(|&column| self.place(column).is_none()).map(Column::name).next();
        missing.or((!has_moment).then_some("frame"))
    }

    /// Without the columns that the user leaves out.
    fn restricted(mut self, options: &ImportOptions) -> Self {
        for column in Column::ALL {
            let is_flattened = options.flat && column == Column::Z;
            if is_flattened || options.columns.renamed(column) == Some("") {
                self.places[column as usize] = None;
            }
        }
        self
    }

    fn complete(self, options: &ImportOptions) -> Result<Self, String> {
        let layout = self.restricted(options);
        match layout.missing() {
            None => Ok(layout),
            Some("frame") => Err(format!("say which column is the frame or the time, {EXAMPLE}")),
            Some(name) => Err(format!("say which column is {name}, {EXAMPLE}")),
        }
    }

    /// The row of `count` fields given by `field`, with lengths divided by `scale`.
    pub(super) fn row<'r>(
        &self,
        count: usize,
        field: impl Fn(usize) -> Option<&'r [u8]>,
        scale: f64,
        source: &mut Source,
    ) -> Result<Row, String> {
        let text = |column: Column| -> Result<Option<&str>, String> {
            let Some(place) = self.place(column) else { return Ok(None) };
            let field = field(place).ok_or_else(|| {
                format!("the row has only {count} columns and no {}", column.name())
            })?;
            str::from_utf8(field)
                .map(|text| Some(text.trim()))
                .map_err(|_| format!("{} is not text (UTF-8)", column.name()))
        };
        let number =
            |column| text(column)?.map(|text| row::number(Column::name(column), text)).transpose();
        let length = |column| number(column).map(|value| value.map(|value| value / scale));
        // In these a row may have nothing.
        let given = |column| text(column).map(|text| text.filter(|text| !text.is_empty()));
        let needed = |value: Option<f64>| value.unwrap_or_default();
        let mut row = Row {
            id: row::id("id", text(Column::Id)?.unwrap_or_default())?,
            frame: text(Column::Frame)?.map(|text| row::integer("frame", text)).transpose()?,
            time: number(Column::Time)?,
            x: needed(length(Column::X)?),
            y: needed(length(Column::Y)?),
            z: needed(length(Column::Z)?),
            velocity: length(Column::Vx)?.zip(length(Column::Vy)?).map(|(vx, vy)| [vx, vy]),
            heading: number(Column::Heading)?,
            radius: length(Column::Radius)?,
            blocked_by: given(Column::BlockedBy)?
                .map(|text| row::id("blocked_by", text))
                .transpose()?,
            status: given(Column::Status)?.map(str::parse).transpose()?,
            ..Row::default()
        };
        if let Some(name) = given(Column::Group)? {
            row.group = source.groups.number(name, Names::MOST_GROUPS)?;
        } else if self.place(Column::Group).is_some() {
            return Err("group is missing".into());
        }
        if let Some(name) = given(Column::Layer)? {
            row.layer = source.layers.number(name, Names::MOST_LAYERS)? as u8;
        } else if self.place(Column::Layer).is_some() {
            return Err("layer is missing".into());
        }
        row.check()?;
        Ok(row)
    }
}
