//! The files a scene names: where they are found, and what was read of them.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use throng_base::asset_file::read_at_most;

use crate::PlanError;
use crate::plan::read_text;

/// Texts of plan and obstacle files, by their names as a scene writes them.
pub type PlanTexts = BTreeMap<String, String>;

/// Where the plan and obstacle files of a scene are found.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanFiles<'f> {
    /// Texts that are at hand. They are looked at first.
    pub texts: Option<&'f PlanTexts>,
    /// The folder of all others.
    pub folder: Option<&'f Path>,
}

/// The terrain files of a scene, by their names as it writes them; buffers of a glTF file by theirs, beside its own.
///
/// It keeps at most [`Self::LARGEST`] bytes; which files were too large, [`Self::left_out`] tells.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct TerrainFiles {
    files: BTreeMap<String, Arc<[u8]>>,
    size: usize,
    left_out: Vec<String>,
}

impl TerrainFiles {
    /// The most bytes of all files together.
    pub const LARGEST: usize = 32 << 20;

    /// Keeps a file, if there is still room for it.
    pub fn insert(&mut self, name: &str, bytes: &[u8]) {
        if self.files.contains_key(name) || self.left_out.iter().any(|other| other == name) {
            return;
        }
        if bytes.len() <= Self::LARGEST - self.size {
            self.size += bytes.len();
            self.files.insert(name.to_owned(), bytes.into());
        } else {
            self.left_out.push(name.to_owned());
        }
    }

    /// The file called `name`.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(|bytes| &**bytes)
    }

    /// All files and their names, in the order of these.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), &**bytes))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The names of files there was no room for.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }
}

impl fmt::Debug for TerrainFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(name, bytes)| (name, bytes.len()))).finish()
    }
}

/// The files of a scene that is being read.
pub(super) struct Files<'f> {
    plans: PlanFiles<'f>,
    terrain: Terrains<'f>,
    /// What has been read.
    read: PlanTexts,
    terrain_read: TerrainFiles,
    /// Whether some ground is flat for want of its file.
    flattened: bool,
}

/// Where terrain is read from.
enum Terrains<'f> {
    /// Nowhere: all ground is flat.
    Nowhere,
    /// From a folder.
    Folder(&'f Path),
    /// From what is at hand, or else from a folder; ground whose files are in neither is flat.
    AtHand(&'f TerrainFiles, Option<&'f Path>),
}

impl<'f> Files<'f> {
    /// All in one folder.
    pub fn in_folder(folder: &'f Path) -> Self {
        let plans = PlanFiles { texts: None, folder: Some(folder) };
        Self::new(plans, Terrains::Folder(folder))
    }

    /// No terrain.
    pub fn only_plans(plans: PlanFiles<'f>) -> Self {
        Self::new(plans, Terrains::Nowhere)
    }

    /// As much as there is: terrain from `terrain` or from the folder of the plans.
    pub fn at_hand(plans: PlanFiles<'f>, terrain: &'f TerrainFiles) -> Self {
        Self::new(plans, Terrains::AtHand(terrain, plans.folder))
    }

    fn new(plans: PlanFiles<'f>, terrain: Terrains<'f>) -> Self {
        let (read, terrain_read) = (PlanTexts::new(), TerrainFiles::default());
        Self { plans, terrain, read, terrain_read, flattened: false }
    }

    /// What to call the file `name` in messages, and its text; `None` if there is nowhere to look.
    pub fn plan(&mut self, name: &str) -> Option<Result<(PathBuf, &str), PlanError>> {
        let at_hand = self.plans.texts.and_then(|texts| texts.get(name));
        let path = match (at_hand, self.plans.folder) {
            (Some(_), _) => PathBuf::from(name),
            (None, Some(folder)) => folder.join(name),
            (None, None) => return None,
        };
        if !self.read.contains_key(name) {
            match at_hand.map_or_else(|| read_text(&path), |text| Ok(text.clone())) {
                Ok(text) => self.read.insert(name.to_owned(), text),
                Err(error) => return Some(Err(error)),
            };
        }
        Some(Ok((path, &self.read[name])))
    }

    /// The text of the table `name`; `None` if there is nowhere to look. It is kept as those of plans are.
    pub fn table(&mut self, name: &str) -> Option<Result<&str, String>> {
        let at_hand = self.plans.texts.and_then(|texts| texts.get(name));
        if !self.read.contains_key(name) {
            let read = match (at_hand, self.plans.folder) {
                (Some(text), _) => Ok(text.clone()),
                (None, Some(folder)) => table_text(&folder.join(name)),
                (None, None) => return None,
            };
            match read {
                Ok(text) => self.read.insert(name.to_owned(), text),
                Err(error) => return Some(Err(error)),
            };
        }
        Some(Ok(&self.read[name]))
    }

    /// What `make` makes of the terrain file `name`, given what to call it in messages and the means to read it
    /// and files beside it. `None` if the ground is flat for want of a file.
    pub fn terrain<T, E>(
        &mut self,
        name: &str,
        make: impl FnOnce(&Path, &mut crate::terrain::Read) -> Result<T, E>,
    ) -> Option<Result<T, E>> {
        let path = match self.terrain {
            Terrains::Nowhere => {
                self.flattened = true;
                return None;
            }
            Terrains::AtHand(files, _) if files.get(name).is_some() => PathBuf::from(name),
            Terrains::Folder(folder) | Terrains::AtHand(_, Some(folder)) => folder.join(name),
            Terrains::AtHand(_, None) => PathBuf::from(name),
        };
        let mut missing = false;
        let made = make(&path, &mut |beside, limit| {
            let name = beside.map_or_else(|| name.to_owned(), |beside| sibling(name, beside));
            let bytes = self.terrain_bytes(&name, limit);
            missing |= bytes.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
            let bytes = bytes?;
            self.terrain_read.insert(&name, &bytes);
            Ok(bytes)
        });
        if made.is_err() && missing && matches!(self.terrain, Terrains::AtHand(..)) {
            self.flattened = true;
            return None;
        }
        Some(made)
    }

    fn terrain_bytes(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        let (at_hand, folder) = match self.terrain {
            Terrains::Nowhere => (None, None),
            Terrains::Folder(folder) => (None, Some(folder)),
            Terrains::AtHand(files, folder) => (files.get(name), folder),
        };
        match (at_hand, folder) {
            (Some(bytes), _) if bytes.len() as u64 <= limit => Ok(bytes.to_vec()),
            (Some(_), _) => Err(io::ErrorKind::FileTooLarge.into()),
            (None, Some(folder)) => read_at_most(&folder.join(name), limit),
            (None, None) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Whether all terrain has been read, or some ground is flat for want of it.
    pub fn heights_are_known(&self) -> bool {
        !self.flattened
    }

    /// All plans and obstacles, and all terrain, that have been read.
    pub fn into_read(self) -> (PlanTexts, TerrainFiles) {
        (self.read, self.terrain_read)
    }
}

/// Largest size of a table, bytes.
const LARGEST_TABLE: u64 = 8 << 20;

fn table_text(path: &Path) -> Result<String, String> {
    let bytes = read_at_most(path, LARGEST_TABLE)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    String::from_utf8(bytes).map_err(|_| format!("{}: it is not UTF-8 text", path.display()))
}

/// The name of the file `beside` in the folder of the file `name`.
fn sibling(name: &str, beside: &str) -> String {
    let folder = name.rfind(['/', '\\']).map_or("", |end| &name[..=end]);
    format!("{folder}{beside}")
}
