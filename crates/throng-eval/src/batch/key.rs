//! What tells one run from all others, so that a result is never taken for another's.
//!
//! The key of a run has everything that its numbers depend on: the scenario and the text of its file,
//! the model with its parameters, the seed, how it is measured, and the build of the engine. Two runs
//! with the same key give the same numbers, bit for bit, and so nothing is run twice.

use serde::{Deserialize, Serialize};

use throng_base::hash::fnv1a;

/// Everything that the result of a run depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunKey {
    /// The scenario's name.
    pub scenario: String,
    /// A digest of the scenario's file, and of the files it names.
    pub hash: String,
    /// The steering model with its parameters; `scene` for those that the scene itself has.
    pub model: String,
    /// What all randomness derives from.
    pub seed: u64,
    /// The engine: its version and, if known, its build.
    pub engine: String,
    /// How the run was measured.
    pub options: String,
}

impl RunKey {
    /// Sixteen digits that stand for the whole key.
    pub fn digest(&self) -> String {
        let Self { scenario, hash, model, seed, engine, options } = self;
        // None of them contains a line break, so that no two keys give the same text.
        digest(&[format!("{scenario}\n{hash}\n{model}\n{seed}\n{engine}\n{options}").as_bytes()])
    }

    /// A name for files about this run, without ending: readable, and unique by its digest.
    pub fn file_stem(&self) -> String {
        let Self { scenario, model, seed, .. } = self;
        let readable: String = format!("{scenario}.{model}.{seed}")
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "-_.=".contains(c) { c } else { '-' })
            .take(100)
            .collect();
        format!("{}.{}", readable.trim_start_matches('.'), self.digest())
    }
}

/// A digest of several pieces of data that is the same everywhere: 64-bit FNV-1a in hexadecimal, with
/// the length of each piece before it so that data cannot move from one to the next.
pub fn digest(pieces: &[&[u8]]) -> String {
    let bytes = pieces.iter().flat_map(|piece| {
        (piece.len() as u64).to_le_bytes().into_iter().chain(piece.iter().copied())
    });
    format!("{:016x}", fnv1a(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> RunKey {
        RunKey {
            scenario: "oncoming-1".into(),
            hash: digest(&[b"format = 1"]),
            model: "orca:time_gap=0.5".into(),
            seed: 3,
            engine: "0.1.0".into(),
            options: String::new(),
        }
    }

    #[test]
    fn whatever_changes_a_result_changes_its_name() {
        let others = [
            RunKey { scenario: "oncoming-2".into(), ..key() },
            RunKey { hash: digest(&[b"format = 2"]), ..key() },
            RunKey { model: "orca".into(), ..key() },
            RunKey { seed: 4, ..key() },
            RunKey { engine: "0.1.1".into(), ..key() },
            RunKey { options: "window=5".into(), ..key() },
        ];
        let mut stems: Vec<String> = others.iter().map(RunKey::file_stem).collect();
        stems.push(key().file_stem());
        stems.sort();
        stems.dedup();
        assert_eq!(stems.len(), others.len() + 1);
        assert!(key().file_stem().starts_with("oncoming-1.orca-time_gap=0.5.3."));
    }

    #[test]
    fn names_of_files_stay_in_their_folder() {
        let key = RunKey { scenario: "../../etc/pass wd\u{e9}".into(), ..key() };
        let stem = key.file_stem();
        assert!(!stem.contains('/') && !stem.starts_with('.') && stem.is_ascii(), "{stem}");
    }

    #[test]
    fn pieces_do_not_run_into_each_other() {
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
        assert_eq!(digest(&[]), "cbf29ce484222325");
    }
}
