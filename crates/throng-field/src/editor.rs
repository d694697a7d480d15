//! Anchors that somebody adds, moves, turns and removes, with the field that they make.
//!
//! There is a valid field after each edit: one that would spoil it is refused, and nothing has
//! changed. An edit of vectors only uses the factorised matrix again. What one does between two
//! calls of [`FieldEditor::finish`] to the same anchor, as while it is dragged, is undone at once.

use std::sync::Arc;

use glam::DVec2;

use crate::anchor::Anchor;
use crate::error::FieldError;
use crate::field::Field;
use crate::ladder::ACCEPTABLE;
use crate::options::{FieldOptions, Regularisation};

/// Names an anchor of an editor, as long as the editor lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnchorId(pub u64);

/// Anchors under edit, and their field.
#[derive(Clone, Debug)]
pub struct FieldEditor {
    options: FieldOptions,
    entries: Vec<(AnchorId, Anchor)>,
    next_id: u64,
    field: Arc<Field>,
    done: Vec<Change>,
    undone: Vec<Change>,
    /// Whether the last change may still grow.
    is_open: bool,
}

/// What an anchor was before and after an edit; `None` where it was not there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Change {
    id: AnchorId,
    /// Its place in the list.
    index: usize,
    before: Option<Anchor>,
    after: Option<Anchor>,
}

impl FieldEditor {
    /// An editor that begins with some anchors; their ids count from 0.
    pub fn new(anchors: &[Anchor], options: &FieldOptions) -> Result<Self, FieldError> {
        let field = Arc::new(Field::with_options(anchors, options)?);
        let entries: Vec<_> = (0..).map(AnchorId).zip(anchors.iter().copied()).collect();
        Ok(Self {
            options: options.clone(),
            next_id: entries.len() as u64,
            entries,
            field,
            done: Vec::new(),
            undone: Vec::new(),
            is_open: false,
        })
    }

    /// The field as it is now.
    pub fn field(&self) -> &Arc<Field> {
        &self.field
    }

    /// The anchors, in the order of [`Field::anchors`].
    pub fn anchors(&self) -> impl Iterator<Item = (AnchorId, &Anchor)> {
        self.entries.iter().map(|(id, anchor)| (*id, anchor))
    }

    /// An anchor.
    pub fn get(&self, id: AnchorId) -> Result<&Anchor, FieldError> {
        Ok(&self.entries[self.index(id)?].1)
    }

    /// Adds an anchor.
    pub fn add(&mut self, anchor: Anchor) -> Result<AnchorId, FieldError> {
        let id = AnchorId(self.next_id);
        let index = self.entries.len();
        self.edit(Change { id, index, before: None, after: Some(anchor) })?;
        self.next_id += 1;
        Ok(id)
    }

    /// Removes an anchor.
    pub fn remove(&mut self, id: AnchorId) -> Result<(), FieldError> {
        let index = self.index(id)?;
        self.edit(Change { id, index, before: Some(self.entries[index].1), after: None })
    }

    /// Moves an anchor to a place.
    pub fn move_to(&mut self, id: AnchorId, position: DVec2) -> Result<(), FieldError> {
        self.change(id, |anchor| anchor.position = position)
    }

    /// Turns an anchor counter-clockwise by an angle, rad.
    pub fn turn(&mut self, id: AnchorId, angle: f64) -> Result<(), FieldError> {
        self.change(id, |anchor| anchor.vector = DVec2::from_angle(angle).rotate(anchor.vector))
    }

    /// Makes an anchor faster or slower by a factor.
    pub fn scale(&mut self, id: AnchorId, factor: f64) -> Result<(), FieldError> {
        self.change(id, |anchor| anchor.vector *= factor)
    }

    /// Gives an anchor another vector.
    pub fn set_vector(&mut self, id: AnchorId, vector: DVec2) -> Result<(), FieldError> {
        self.change(id, |anchor| anchor.vector = vector)
    }

    /// Limits an anchor to a distance, m, or lets it hold everywhere.
    pub fn set_reach(&mut self, id: AnchorId, reach: Option<f64>) -> Result<(), FieldError> {
        self.change(id, |anchor| anchor.reach = reach)
    }

    /// Ends a gesture: what follows is undone separately.
    pub fn finish(&mut self) {
        self.is_open = false;
    }

    /// Takes the last change back. `false` if there is none.
    pub fn undo(&mut self) -> Result<bool, FieldError> {
        let Some(change) = self.done.last().copied() else { return Ok(false) };
        self.apply(change.reversed())?;
        self.done.pop();
        self.undone.push(change);
        self.finish();
        Ok(true)
    }

    /// Does again what was undone last. `false` if there is nothing.
    pub fn redo(&mut self) -> Result<bool, FieldError> {
        let Some(change) = self.undone.last().copied() else { return Ok(false) };
        self.apply(change)?;
        self.undone.pop();
        self.done.push(change);
        self.finish();
        Ok(true)
    }

    fn index(&self, id: AnchorId) -> Result<usize, FieldError> {
        let index = self.entries.iter().position(|(other, _)| *other == id);
        index.ok_or(FieldError::UnknownAnchor(id.0))
    }

    fn change(&mut self, id: AnchorId, edit: impl FnOnce(&mut Anchor)) -> Result<(), FieldError> {
        let index = self.index(id)?;
        let before = self.entries[index].1;
        let mut after = before;
        edit(&mut after);
        self.edit(Change { id, index, before: Some(before), after: Some(after) })
    }

    fn edit(&mut self, change: Change) -> Result<(), FieldError> {
        self.apply(change)?;
        self.undone.clear();
        let is_adjustment = change.before.is_some() && change.after.is_some();
        match self.done.last_mut() {
            Some(last) if self.is_open && is_adjustment && last.id == change.id => {
                last.after = change.after;
            }
            _ => self.done.push(change),
        }
        self.is_open = true;
        Ok(())
    }

    /// Makes a change and solves the field, or does neither.
    fn apply(&mut self, change: Change) -> Result<(), FieldError> {
        let mut entries = self.entries.clone();
        match (change.before, change.after) {
            (_, None) => drop(entries.remove(change.index)),
            (None, Some(anchor)) => entries.insert(change.index, (change.id, anchor)),
            (Some(_), Some(anchor)) => entries[change.index].1 = anchor,
        }
        let anchors: Vec<Anchor> = entries.iter().map(|(_, anchor)| *anchor).collect();
        let field = if change.is_of_vector() { self.turned(&anchors)? } else { None };
        self.field = match field {
            Some(field) => Arc::new(field),
            None => Arc::new(Field::with_options(&anchors, &self.options)?),
        };
        self.entries = entries;
        Ok(())
    }

    /// The field with other vectors, unless what was done about contradictions has to be thought
    /// over.
    fn turned(&self, anchors: &[Anchor]) -> Result<Option<Field>, FieldError> {
        let vectors: Vec<DVec2> = anchors.iter().map(|anchor| anchor.vector).collect();
        let field = self.field.with_vectors(&vectors)?;
        let is_fixed = self.options.regularisation != Regularisation::Ladder;
        let is_fine = field.statistics().smoothed.is_empty() && field.overshoot() <= ACCEPTABLE;
        Ok((is_fixed || is_fine).then_some(field))
    }
}

impl Change {
    fn reversed(self) -> Self {
        Self { before: self.after, after: self.before, ..self }
    }

    /// Whether nothing but a vector changes.
    fn is_of_vector(&self) -> bool {
        let (Some(before), Some(after)) = (self.before, self.after) else { return false };
        Anchor { vector: after.vector, ..before } == after
    }
}
