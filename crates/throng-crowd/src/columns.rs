//! Columns of the population that exist only once something needs them.
//!
//! Most crowds have no companions, no fields and no model with a state. A column for these costs nothing until it is
//! kept for the first time; from then on it has a value for every person, and rows are added, removed and sorted in all
//! such columns by one mechanism, [`AnyColumn`], whatever they hold.

use std::any::Any;
use std::ops::{Deref, DerefMut};

/// A column that is empty until it is kept, and then has a value for every row.
#[derive(Clone, Debug)]
pub(crate) struct OptionalColumn<T> {
    values: Vec<T>,
    is_kept: bool,
}

impl<T> Default for OptionalColumn<T> {
    fn default() -> Self {
        Self { values: Vec::new(), is_kept: false }
    }
}

impl<T> Deref for OptionalColumn<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.values
    }
}

impl<T> DerefMut for OptionalColumn<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

/// What can be an optional column's value.
pub(crate) trait Optional: Copy + Default + Send + Sync + 'static {}

impl<T: Copy + Default + Send + Sync + 'static> Optional for T {}

impl<T: Optional> OptionalColumn<T> {
    /// The value of a row; the default if the column is not kept.
    #[inline(always)]
    pub fn value(&self, row: usize) -> T {
        self.values.get(row).copied().unwrap_or_default()
    }

    /// A copy of some rows.
    pub fn copy(&self, rows: &[usize]) -> Self {
        let copied = rows.iter().filter(|_| self.is_kept).map(|&row| self.values[row]);
        Self { values: copied.collect(), is_kept: self.is_kept }
    }
}

/// An optional column of any type.
pub(crate) trait AnyColumn: Any + Send + Sync {
    /// From now on there is a value for each of `rows` rows.
    fn keep(&mut self, rows: usize);

    /// Sets all values to the default.
    fn reset(&mut self, rows: usize);

    /// Adds the default for a new row, if the column is kept.
    fn push(&mut self);

    /// Removes a row, whose place the last one takes, if the column is kept.
    fn swap_remove(&mut self, row: usize);

    /// Row `i` becomes what was row `order[i]`, if the column is kept.
    fn reorder(&mut self, order: &[u32]);

    /// A copy of some rows.
    fn copy_rows(&self, rows: &[usize]) -> Box<dyn AnyColumn>;

    /// Bytes of memory in use, capacity included.
    fn memory(&self) -> usize;
}

impl<T: Optional> AnyColumn for OptionalColumn<T> {
    fn keep(&mut self, rows: usize) {
        self.is_kept = true;
        self.values.resize(rows, T::default());
    }

    fn reset(&mut self, rows: usize) {
        self.values.clear();
        self.keep(rows);
    }

    fn push(&mut self) {
        if self.is_kept {
            self.values.push(T::default());
        }
    }

    fn swap_remove(&mut self, row: usize) {
        if self.is_kept {
            self.values.swap_remove(row);
        }
    }

    fn reorder(&mut self, order: &[u32]) {
        if self.is_kept {
            self.values = order.iter().map(|&row| self.values[row as usize]).collect();
        }
    }

    fn copy_rows(&self, rows: &[usize]) -> Box<dyn AnyColumn> {
        Box::new(self.copy(rows))
    }

    fn memory(&self) -> usize {
        self.values.capacity() * size_of::<T>()
    }
}

impl dyn AnyColumn {
    /// The values, if they are of this type.
    pub fn values<T: Optional>(&self) -> &[T] {
        let column: Option<&OptionalColumn<T>> = (self as &dyn Any).downcast_ref();
        column.map_or(&[], |column| &column.values)
    }

    /// The same to change.
    pub fn values_mut<T: Optional>(&mut self) -> &mut [T] {
        let column: Option<&mut OptionalColumn<T>> = (self as &mut dyn Any).downcast_mut();
        column.map_or(&mut [], |column| &mut column.values)
    }
}

/// An optional column per steering model, by its number; `None` for models without a state, and until a model is used.
#[derive(Default)]
pub(crate) struct StateColumns(Vec<Option<Box<dyn AnyColumn>>>);

impl StateColumns {
    /// The states of one model's people.
    pub fn get(&self, model: u8) -> Option<&dyn AnyColumn> {
        self.0.get(usize::from(model))?.as_deref()
    }

    /// The same to change.
    pub fn get_mut(&mut self, model: u8) -> Option<&mut (dyn AnyColumn + 'static)> {
        self.0.get_mut(usize::from(model))?.as_deref_mut()
    }

    /// The states of one model's people, made by `new` if there are none yet; `None` if the model has no state.
    pub fn get_or_insert(
        &mut self,
        model: u8,
        new: impl FnOnce() -> Option<Box<dyn AnyColumn>>,
    ) -> Option<&mut (dyn AnyColumn + 'static)> {
        let model = usize::from(model);
        if self.0.len() <= model {
            self.0.resize_with(model + 1, || None);
        }
        if self.0[model].is_none() {
            self.0[model] = new();
        }
        self.0[model].as_deref_mut()
    }

    /// The columns with the numbers of their models.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (u8, &mut (dyn AnyColumn + 'static))> {
        let columns = (0..).zip(&mut self.0);
        columns.filter_map(|(model, column)| Some((model, column.as_deref_mut()?)))
    }

    /// The columns.
    pub fn iter(&self) -> impl Iterator<Item = &dyn AnyColumn> {
        self.0.iter().flatten().map(AsRef::as_ref)
    }

    /// A copy of some rows.
    pub fn copy(&self, rows: &[usize]) -> Self {
        let copy = |column: &Option<Box<dyn AnyColumn>>| {
            column.as_ref().map(|column| column.copy_rows(rows))
        };
        Self(self.0.iter().map(copy).collect())
    }
}
