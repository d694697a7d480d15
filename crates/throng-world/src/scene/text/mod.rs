//! The text of a scene, for programs that edit it as a person would.
//!
//! Reading a scene and writing it anew would lose what its author cares for: comments, the order of
//! things, how numbers and lists are written. So edits are made to the text's syntax tree, where all of
//! it has a place, and touch nothing but what they are about. Values come as JSON, which is what a
//! studio in a browser has; each is compared with what is there (`merge.rs`), and only differences are
//! written. An edit after which the text were no scene any more is refused, and nothing has changed.

mod address;
mod align;
mod comments;
mod json;
mod lists;
mod merge;
mod node;

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value as Json;
use thiserror::Error;
use throng_base::place::{FileError, Overwrite, PartFile};
use toml_edit::DocumentMut;

pub use self::address::{Address, Step};
pub(super) use self::json::{LONGEST_LINE, one_per_line, whole};
use self::merge::Merge;
use self::node::Node;
use super::{Scene, SceneErrors, SceneSource};

/// Why an edit of a scene's text was refused.
#[derive(Debug, Error)]
pub enum TextError {
    /// There would be no scene, or there was none to begin with.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// What is to be edited is not there.
    #[error("there is no {0} in the scene")]
    Missing(Address),
    /// Something else is there than what can be edited so.
    #[error("{0} cannot have this value: it is something else")]
    Mismatch(Address),
    /// The file cannot be written.
    #[error(transparent)]
    Place(#[from] FileError),
}

/// The text of a scene, which can be edited and keeps its comments and its order.
///
/// ```
/// use serde_json::json;
/// use throng_world::scene::{Address, SceneText};
///
/// let text = "\
/// format = 1
/// world.bounds = [[-20, -20], [20, 20]]
///
/// ## Where the crowd gathers.
/// [[regions]]
/// name = \"square\"
/// rectangle = [[-5, -5], [5, 5]]  # paved
/// ";
/// let mut text = SceneText::parse("scene.toml", text, "".as_ref())?;
/// let square = Address::list("regions").named("square");
/// text.edit(|draft| draft.set(&square.key("rectangle"), &json!([[-5, -5], [7.5, 5]])))?;
/// assert!(text.to_string().contains("rectangle = [[-5, -5], [7.5, 5]]  # paved"));
/// // A region of which nothing is left is no region.
/// assert!(text.edit(|draft| draft.remove(&square.key("rectangle"))).is_err());
/// # Ok::<(), throng_world::scene::TextError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneText {
    base_dir: PathBuf,
    document: DocumentMut,
    has_carriage_returns: bool,
    scene: Scene,
}

/// Edits that are made together: only after all of them must there be a scene again.
#[derive(Debug)]
pub struct Draft {
    document: DocumentMut,
}

impl SceneText {
    /// Reads the scene file at `path`.
    ///
    /// # Errors
    ///
    /// Those of [`Scene::load`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, TextError> {
        let scene = Scene::load(&path)?;
        Self::of_scene(scene, path.as_ref().parent().unwrap_or(Path::new("")))
    }

    /// Reads a scene from `text`, which is called `name` in messages. Paths in it are relative to
    /// `base_dir`.
    ///
    /// # Errors
    ///
    /// Those of [`Scene::parse`].
    pub fn parse(name: &str, text: &str, base_dir: &Path) -> Result<Self, TextError> {
        Self::of_scene(Scene::parse(name, text, base_dir)?, base_dir)
    }

    fn of_scene(scene: Scene, base_dir: &Path) -> Result<Self, TextError> {
        let text = &scene.source.text;
        // The writer ends lines as Unix does.
        let has_carriage_returns = text.contains("\r\n");
        let parsed = text.replace("\r\n", "\n").parse::<DocumentMut>();
        let document = parsed.map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            SceneErrors::from(super::SceneError::new(&scene.source, span, error.message()))
        })?;
        Ok(Self { base_dir: base_dir.into(), document, has_carriage_returns, scene })
    }

    /// Returns a text, called `name` in messages, as JSON, without a look at what it means or at the files that it names.
    ///
    /// # Errors
    ///
    /// If it is not TOML.
    pub fn unread_json(name: &str, text: &str) -> Result<Json, TextError> {
        let parsed = text.replace("\r\n", "\n").parse::<DocumentMut>();
        parsed.map(|document| json::of_table(document.as_table())).map_err(|error| {
            let source = Arc::new(SceneSource { name: name.into(), text: text.into() });
            let span = error.span().unwrap_or(0..0);
            SceneErrors::from(super::SceneError::new(&source, span, error.message())).into()
        })
    }

    /// What the text means now.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The text as JSON.
    pub fn json(&self) -> Json {
        json::of_table(self.document.as_table())
    }

    /// Makes edits. They are made together or not at all.
    ///
    /// # Errors
    ///
    /// Those of `change`, or if the text would be no scene any more.
    pub fn edit<T>(
        &mut self,
        change: impl FnOnce(&mut Draft) -> Result<T, TextError>,
    ) -> Result<T, TextError> {
        let mut draft = Draft { document: self.document.clone() };
        let done = change(&mut draft)?;
        let document = draft.document;
        let mut text = document.to_string();
        if self.has_carriage_returns {
            text = text.replace('\n', "\r\n");
        }
        self.scene = Scene::parse(&self.scene.source.name, &text, &self.base_dir)?;
        self.document = document;
        Ok(done)
    }

    /// Writes the text to a file. What is there is replaced at the very end, or not at all.
    ///
    /// # Errors
    ///
    /// If no file can be there, or the operating system refuses.
    pub fn save(&self, path: &Path) -> Result<(), TextError> {
        let (part, mut file) = PartFile::create(path, Overwrite::Yes)?;
        file.write_all(self.scene.source.text.as_bytes()).map_err(|source| {
            let (action, path) = ("write", path.into());
            FileError::Io { action, path, source }
        })?;
        part.publish()?;
        Ok(())
    }
}

impl fmt::Display for SceneText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.scene.source.text)
    }
}

impl Draft {
    /// Gives what is at an address another value, or gives a table a key that it does not have.
    /// Numbers that stay as they are, comments and the order of keys are left alone. Entries of
    /// lists are recognised by their names, or else by what they have in common.
    ///
    /// # Errors
    ///
    /// If what it would be a part of is not there.
    pub fn set(&mut self, at: &Address, value: &Json) -> Result<(), TextError> {
        let (parent, last) = at.split().ok_or_else(|| TextError::Missing(at.clone()))?;
        let mut merge = Merge::default();
        let is_set = match last {
            Step::Key(key) => {
                let mut node = self.find(&parent)?;
                node.table().is_some_and(|mut table| merge.set_key(&mut table, key, value))
            }
            _ => merge.set(&mut self.find(at)?, value),
        };
        self.keep_comments(merge);
        if is_set { Ok(()) } else { Err(TextError::Mismatch(at.clone())) }
    }

    /// Adds an entry at the end of a list, in the way its other entries are written.
    ///
    /// # Errors
    ///
    /// If there is something at the address that is no list.
    pub fn add(&mut self, list: &Address, value: &Json) -> Result<(), TextError> {
        let mut values = match self.find(list) {
            Ok(node) => match node.json() {
                Json::Array(values) => values,
                _ => return Err(TextError::Mismatch(list.clone())),
            },
            Err(_) => Vec::new(),
        };
        values.push(value.clone());
        self.set(list, &Json::Array(values))
    }

    /// Takes away an entry of a list or a key of a table, with the comments on it. Comments that a
    /// blank line sets apart from it stay.
    ///
    /// # Errors
    ///
    /// If it is not there.
    pub fn remove(&mut self, at: &Address) -> Result<(), TextError> {
        let missing = || TextError::Missing(at.clone());
        let (parent, last) = at.split().ok_or_else(missing)?;
        let mut merge = Merge::default();
        let mut node = self.find(&parent)?;
        let is_removed = match last {
            Step::Key(key) => {
                node.table().is_some_and(|mut table| merge.remove_key(&mut table, key))
            }
            entry => {
                let index = node.index_of(entry).ok_or_else(missing)?;
                merge.left.extend(node.list().and_then(|mut list| list.remove(index)));
                true
            }
        };
        self.keep_comments(merge);
        if is_removed { Ok(()) } else { Err(missing()) }
    }

    /// What is at an address.
    pub fn get(&mut self, at: &Address) -> Option<Json> {
        self.find(at).ok().map(|node| node.json())
    }

    fn find(&mut self, at: &Address) -> Result<Node<'_>, TextError> {
        let mut node = Node::Root(self.document.as_table_mut());
        for step in at.steps() {
            node = node.child(step).ok_or_else(|| TextError::Missing(at.clone()))?;
        }
        Ok(node)
    }

    fn keep_comments(&mut self, merge: Merge) {
        for left in merge.left {
            comments::put_after(&mut self.document, &left);
        }
    }
}
