//! The folder that a show is in: which files can be opened, and what new ones may be called.

use std::path::{Component, Path, PathBuf};

use crate::protocol::{Files, Refusal};

/// Files of a kind that are told at most.
const MOST_FILES: usize = 1000;
/// Longer names are none. Those of recordings that evaluations make have up to 125 bytes.
const LONGEST_NAME: usize = 150;

/// A folder with scenes and recordings.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The folder that a file is in.
    pub fn of_file(path: &Path) -> Self {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        Self(parent.unwrap_or(Path::new(".")).into())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The scenes and recordings in it.
    pub fn listing(&self) -> Files {
        Files { scenes: self.names("toml"), recordings: self.names("parquet") }
    }

    fn names(&self, ending: &str) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names
            .filter(|name| !name.starts_with('.') && has_ending(name, ending))
            .filter(|name| self.0.join(name).is_file())
            .collect();
        names.sort_unstable();
        names.truncate(MOST_FILES);
        names
    }

    /// The path of a file that is in the folder and in no other.
    pub fn file(&self, name: &str) -> Result<PathBuf, Refusal> {
        let is_plain = Path::new(name).file_name().is_some_and(|file| file == name)
            && !name.starts_with('.')
            && name.len() <= LONGEST_NAME
            && !name.contains(['/', '\\', ':', '\0'])
            && !name.chars().any(char::is_control);
        match is_plain {
            true => Ok(self.0.join(name)),
            false => Err(Refusal::new(format!("{name:?} is no name of a file in this folder"))
                .with_help("write a name without a folder, such as \"market.toml\"")),
        }
    }

    /// Refuses the name of a file of a scene, which may be in a folder below, if it leads elsewhere.
    pub fn check_inside(&self, name: &str) -> Result<(), Refusal> {
        let is_step = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        let mut is_inside = Path::new(name).components().all(is_step);
        // A link may lead anywhere. What cannot be resolved cannot be read either.
        if let (Ok(folder), Ok(file)) = (self.0.canonicalize(), self.0.join(name).canonicalize()) {
            is_inside &= file.starts_with(folder);
        }
        match is_inside {
            true => Ok(()),
            false => Err(Refusal::new(format!("{name:?} is not in the folder of the scene"))
                .with_help("copy the file into that folder, and name it from there")),
        }
    }

    /// The path of a scene file, which gets the ending of one if it has none.
    pub fn scene(&self, name: &str) -> Result<(String, PathBuf), Refusal> {
        let name = name.trim();
        let name = if has_ending(name, "toml") { name.into() } else { format!("{name}.toml") };
        let path = self.file(&name)?;
        Ok((name, path))
    }

    /// The first name for a recording of `scene` that is not taken.
    pub fn new_recording(&self, scene: &str) -> (String, PathBuf) {
        let stem =
            Path::new(scene).file_stem().map_or("scene".into(), |stem| stem.to_string_lossy());
        let names = (1..).map(|number: u32| format!("{stem}-{number}.parquet"));
        let mut files = names.map(|name| {
            let path = self.0.join(&name);
            (name, path)
        });
        files.find(|(_, path)| !path.exists()).unwrap_or_default()
    }
}

pub(crate) fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_lead_out_of_the_folder() {
        let folder = Folder::of_file(Path::new("scenes/plaza.toml"));
        assert_eq!(folder.file("a.toml").unwrap(), Path::new("scenes/a.toml"));
        for name in [
            "",
            ".",
            "..",
            "../a.toml",
            "/etc/passwd",
            "a/b.toml",
            "a\\b.toml",
            ".hidden",
            "c:a",
            "a\0",
        ] {
            assert!(folder.file(name).is_err(), "{name:?}");
        }
        assert!(folder.file(&"a".repeat(200)).is_err());
    }

    #[test]
    fn scenes_get_their_ending_and_recordings_a_free_number() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::of_file(&temporary.path().join("plaza.toml"));
        assert_eq!(folder.scene(" market ").unwrap().0, "market.toml");
        assert_eq!(folder.scene("market.toml").unwrap().0, "market.toml");
        std::fs::write(temporary.path().join("plaza-1.parquet"), "").unwrap();
        assert_eq!(folder.new_recording("plaza.toml").0, "plaza-2.parquet");
        let recordings = vec!["plaza-1.parquet".into()];
        assert_eq!(folder.listing(), Files { scenes: Vec::new(), recordings });
    }
}
