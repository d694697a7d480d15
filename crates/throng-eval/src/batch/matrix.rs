//! Which runs a folder is about: a file of its own beside the results, so that tables and reports can be
//! made again without the scenarios.

use serde::{Deserialize, Serialize};

use super::key::RunKey;
use super::store::write_whole;
use super::{BatchError, ScenarioInfo, Store};

/// The version of the file.
pub(super) const FORMAT: u32 = 1;
/// Its file, which every folder of a batch has.
pub const MATRIX: &str = "matrix.json";

/// The scenarios, models and seeds of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    /// The version of the file.
    pub(super) format: u32,
    /// The engine.
    pub engine: String,
    /// How runs are measured.
    pub options: String,
    /// How often each scenario is run with each model.
    pub seeds: u64,
    /// The models.
    pub models: Vec<String>,
    /// The scenarios.
    pub scenarios: Vec<ScenarioInfo>,
}

impl Matrix {
    /// The matrix that a folder was last evaluated for.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn read(store: &Store) -> Result<Self, BatchError> {
        let path = store.folder().join(MATRIX);
        let refused =
            |reason: String| BatchError::NoMatrix { path: path.display().to_string(), reason };
        let text = std::fs::read_to_string(&path).map_err(|error| refused(error.to_string()))?;
        let matrix: Self =
            serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
        match matrix.format {
            FORMAT => Ok(matrix),
            other => Err(refused(format!("it has format {other}, not {FORMAT}"))),
        }
    }

    /// Whether a folder was ever evaluated for one.
    pub fn is_in(store: &Store) -> bool {
        store.folder().join(MATRIX).is_file()
    }

    pub(super) fn save(&self, store: &Store) -> Result<(), BatchError> {
        let path = store.folder().join(MATRIX);
        let text =
            serde_json::to_string_pretty(self).map_err(throng::place::FileError::write(&path))?;
        Ok(write_whole(&path, &(text + "\n"))?)
    }

    /// All runs: by scenario, then by model, then by seed.
    pub fn keys(&self) -> impl Iterator<Item = RunKey> + '_ {
        let all = self
            .scenarios
            .iter()
            .flat_map(|scenario| self.models.iter().map(move |model| (scenario, model)));
        all.flat_map(move |(scenario, model)| {
            (0..self.seeds).map(move |seed| RunKey {
                scenario: scenario.name.clone(),
                hash: scenario.hash.clone(),
                model: model.clone(),
                seed,
                engine: self.engine.clone(),
                options: self.options.clone(),
            })
        })
    }

    /// About how much work a run is, compared with others: people times seconds.
    pub(super) fn effort(&self, key: &RunKey) -> u64 {
        let scenario = self.scenarios.iter().find(|scenario| scenario.name == key.scenario);
        scenario.map_or(1, |scenario| {
            let seconds = scenario.duration.clamp(1.0, 1e6) as u64;
            // Small crowds take their time as well: walls, ways and measuring.
            seconds.saturating_mul(scenario.people.saturating_add(20))
        })
    }
}
