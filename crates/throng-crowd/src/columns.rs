//! Columns: one value per person, in the order of rows.
//!
//! Rows are added, removed and sorted in all columns by one mechanism, [`AnyColumn`], whatever they hold. Some columns
//! are optional: most crowds have no companions, no fields and no model with a state. A column for these costs nothing
//! until it is kept for the first time; from then on it has a value for every person.

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
}

/// A column of any type. An optional one that is not kept has no rows, unless it is to be kept.
pub(crate) trait AnyColumn: Any + Send + Sync {
    /// From now on there is a value for each of `rows` rows.
    fn keep(&mut self, rows: usize);

    /// Sets all values to the default.
    fn reset(&mut self, rows: usize);

    /// Adds the default for a new row.
    fn push(&mut self);

    /// Removes a row, whose place the last one takes.
    fn swap_remove(&mut self, row: usize);

    /// Row `i` becomes what was row `order[i]`. `order` is a permutation.
    fn reorder(&mut self, order: &[u32]);

    /// Becomes a copy of some rows of a column of the same type.
    fn copy(&mut self, from: &dyn AnyColumn, rows: &[usize]);

    /// Bytes of memory in use, capacity included.
    fn memory(&self) -> usize;
}

impl<T: Clone + Default + Send + Sync + 'static> AnyColumn for Vec<T> {
    fn keep(&mut self, rows: usize) {
        self.resize(rows, T::default());
    }

    fn reset(&mut self, rows: usize) {
        self.clear();
        self.keep(rows);
    }

    fn push(&mut self) {
        self.push(T::default());
    }

    fn swap_remove(&mut self, row: usize) {
        self.swap_remove(row);
    }

    fn reorder(&mut self, order: &[u32]) {
        *self = order.iter().map(|&row| std::mem::take(&mut self[row as usize])).collect();
    }

    fn copy(&mut self, from: &dyn AnyColumn, rows: &[usize]) {
        if let Some(from) = (from as &dyn Any).downcast_ref::<Self>() {
            *self = rows.iter().map(|&row| from[row].clone()).collect();
        }
    }

    fn memory(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

impl<T: Optional> AnyColumn for OptionalColumn<T> {
    fn keep(&mut self, rows: usize) {
        self.is_kept = true;
        self.values.keep(rows);
    }

    fn reset(&mut self, rows: usize) {
        self.is_kept = true;
        self.values.reset(rows);
    }

    fn push(&mut self) {
        if self.is_kept {
            AnyColumn::push(&mut self.values);
        }
    }

    fn swap_remove(&mut self, row: usize) {
        if self.is_kept {
            self.values.swap_remove(row);
        }
    }

    fn reorder(&mut self, order: &[u32]) {
        if self.is_kept {
            self.values.reorder(order);
        }
    }

    fn copy(&mut self, from: &dyn AnyColumn, rows: &[usize]) {
        if let Some(from) = (from as &dyn Any).downcast_ref::<Self>() {
            self.is_kept = from.is_kept;
            let rows = if from.is_kept { rows } else { &[] };
            self.values.copy(&from.values, rows);
        }
    }

    fn memory(&self) -> usize {
        self.values.memory()
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

    /// The same to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (u8, &mut (dyn AnyColumn + 'static))> {
        let columns = (0..).zip(&mut self.0);
        columns.filter_map(|(model, column)| Some((model, column.as_deref_mut()?)))
    }

    /// The columns with the numbers of their models.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &dyn AnyColumn)> {
        let columns = (0..).zip(&self.0);
        columns.filter_map(|(model, column)| Some((model, column.as_deref()?)))
    }
}
