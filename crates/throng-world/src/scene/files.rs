//! The files a scene names: where they are found, and what was read of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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

/// The files of a scene that is being read.
pub(super) struct Files<'f> {
    plans: PlanFiles<'f>,
    /// Where terrain is read from; without it, all ground is flat.
    pub terrain: Option<&'f Path>,
    /// What has been read.
    read: PlanTexts,
}

impl<'f> Files<'f> {
    /// All in one folder.
    pub fn in_folder(folder: &'f Path) -> Self {
        let plans = PlanFiles { texts: None, folder: Some(folder) };
        Self { plans, terrain: Some(folder), read: PlanTexts::new() }
    }

    /// No terrain.
    pub fn only_plans(plans: PlanFiles<'f>) -> Self {
        Self { plans, terrain: None, read: PlanTexts::new() }
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

    /// All plans and obstacles that have been read.
    pub fn into_texts(self) -> PlanTexts {
        self.read
    }
}
