//! Edits of a field that a scene has written down.

use std::collections::{HashMap, VecDeque};

use throng_field::{Anchor, AnchorId, FieldEditor, FieldError};
use throng_world::scene::{FieldChange, FieldEdit, FieldSpec};

/// Edits to come, and what they call anchors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// In the order of time.
    edits: VecDeque<FieldEdit>,
    names: HashMap<String, AnchorId>,
}

impl Script {
    /// The edits of a field in a scene. Its anchors are numbered in the order of the scene.
    pub fn new(spec: &FieldSpec) -> Self {
        let names = (spec.anchors.iter().zip(0..))
            .filter_map(|(anchor, index)| Some((anchor.name.clone()?, AnchorId(index))));
        Self { edits: spec.edits.iter().cloned().collect(), names: names.collect() }
    }

    /// Takes the next edit, if it is to be made by a time, s.
    pub fn next_until(&mut self, time: f64) -> Option<FieldEdit> {
        self.edits.pop_front_if(|edit| edit.time <= time)
    }

    /// What an anchor is called, if it has a name.
    pub fn name_of(&self, id: AnchorId) -> Option<&str> {
        let name = self.names.iter().find(|(_, named)| **named == id);
        name.map(|(name, _)| name.as_str())
    }

    /// Makes all edits at once on a copy, and says which is refused and why.
    pub fn rehearse(&self, editor: &FieldEditor) -> Vec<(FieldEdit, FieldError)> {
        let (mut editor, mut script) = (editor.clone(), self.clone());
        let mut refused = Vec::new();
        while let Some(edit) = script.next_until(f64::INFINITY) {
            if let Err(error) = script.apply(&edit.change, &mut editor) {
                refused.push((edit, error));
            }
        }
        refused
    }

    /// Makes an edit.
    pub fn apply(
        &mut self,
        change: &FieldChange,
        editor: &mut FieldEditor,
    ) -> Result<(), FieldError> {
        let find = |name: &String| self.names.get(name).copied().unwrap_or(AnchorId(u64::MAX));
        match change {
            FieldChange::Add(spec) => {
                let Some(key) = spec.keys.first() else { return Ok(()) };
                let id = editor.add(Anchor {
                    position: key.position,
                    vector: key.velocity,
                    smoothing: spec.smoothing,
                    reach: spec.reach,
                })?;
                self.names.extend(spec.name.clone().map(|name| (name, id)));
            }
            FieldChange::Change { name, position, velocity, reach } => {
                let id = find(name);
                if let Some(position) = position {
                    editor.move_to(id, *position)?;
                }
                if let Some(velocity) = velocity {
                    editor.set_vector(id, *velocity)?;
                }
                if reach.is_some() {
                    editor.set_reach(id, *reach)?;
                }
            }
            FieldChange::Remove(name) => {
                editor.remove(find(name))?;
                self.names.remove(name);
            }
        }
        editor.finish();
        Ok(())
    }
}
