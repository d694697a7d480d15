//! Which steering models there are, by name, and how the step runs them whatever their types.
//!
//! A [`SteeringModel`] has types of its own for parameters and states. Behind [`Models`] it is an [`AnyModel`], which finds
//! these again in the values of profiles and in columns of any type: once per chunk of people in a step.

use std::any::type_name;
use std::sync::{Arc, LazyLock};

use glam::Vec2;

use super::conduct::Conduct;
use super::explain::Explanation;
use super::model::{ModelInfo, States, SteeringJob, SteeringModel, Surroundings};
use super::parameters::{ParameterValues, Parameters};
use super::profile::{ProfileError, SteeringProfile, quoted};
use crate::columns::{AnyColumn, OptionalColumn};
use crate::neighbours::{LANES, Neighbourhood};
use crate::population::Population;
use crate::profiles::ProfileId;
use crate::status::Status;
use crate::workers::{CHUNK, Workers};

/// The steering models that come with the engine; the first is the default.
pub static MODELS: LazyLock<Models> = LazyLock::new(|| Models { models: super::built_in().into() });

/// Steering models by name. The first is that of people for whom a scene names none.
#[derive(Clone)]
pub struct Models {
    models: Arc<[Arc<dyn AnyModel>]>,
}

/// Why a steering model was not registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// There is a model of this name.
    #[error("there is a steering model \"{0}\" already")]
    NameTaken(&'static str),
    /// Its description is not sound.
    #[error("steering model \"{name}\" ({type_name}): {fault}")]
    Unsound {
        /// The name of the model.
        name: &'static str,
        /// The name of its type.
        type_name: &'static str,
        /// What is wrong.
        fault: String,
    },
    /// A person's number of a model is a byte.
    #[error("there are 256 steering models already")]
    TooMany,
}

impl Models {
    /// The models that come with the engine.
    pub fn standard() -> Self {
        MODELS.clone()
    }

    /// These and one more.
    ///
    /// # Errors
    ///
    /// If its name is taken, or if its [`ModelInfo`] speaks of parameters that it does not have or whose defaults are
    /// beyond their limits.
    pub fn with(&self, model: impl SteeringModel) -> Result<Self, ModelError> {
        let info = model.info();
        if self.find(info.name).is_some() {
            return Err(ModelError::NameTaken(info.name));
        }
        if let Some(fault) = info.fault() {
            let type_name = type_name_of(&model);
            return Err(ModelError::Unsound { name: info.name, type_name, fault });
        }
        if self.models.len() > usize::from(u8::MAX) {
            return Err(ModelError::TooMany);
        }
        let models = self.models.iter().cloned().chain([Arc::new(model) as _]);
        Ok(Self { models: models.collect() })
    }

    /// What is known of each model, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'static ModelInfo> + '_ {
        self.models.iter().map(|model| model.info())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.models.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    /// What is known of the model with this name.
    pub fn info(&self, name: &str) -> Option<&'static ModelInfo> {
        self.iter().find(|model| model.name == name)
    }

    /// The profile of a person steered by the model with this name, with its defaults.
    ///
    /// ```
    /// use throng_crowd::steering::MODELS;
    ///
    /// let profile = MODELS.profile("orca")?.with("time_horizon", 5.0)?;
    /// assert_eq!(profile.get("time_horizon"), Some(5.0));
    /// let error = profile.with("time_horzion", 5.0).unwrap_err().to_string();
    /// assert!(error.contains("\"time_horizon\", \"time_horizon_walls\""), "{error}");
    /// # Ok::<(), throng_crowd::steering::ProfileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such model; the error lists those that there are.
    pub fn profile(&self, name: &str) -> Result<SteeringProfile, ProfileError> {
        self.info(name)
            .map(SteeringProfile::of)
            .ok_or_else(|| ProfileError::UnknownModel { name: name.into(), known: self.names() })
    }

    /// The names of all, for messages.
    pub(crate) fn names(&self) -> String {
        quoted(self.iter().map(|model| model.name))
    }

    /// The number of the model with this name.
    pub(crate) fn find(&self, name: &str) -> Option<u8> {
        self.iter().position(|model| model.name == name).map(|number| number as u8)
    }

    pub(crate) fn get(&self, number: u8) -> &dyn AnyModel {
        &*self.models[usize::from(number)]
    }
}

fn type_name_of<M>(_: &M) -> &'static str {
    type_name::<M>()
}

/// What one model is to do for a chunk of people.
pub(crate) struct ChunkJob<'a> {
    pub around: Surroundings<'a>,
    pub batches: &'a [Neighbourhood],
    pub velocities: &'a mut [[Vec2; LANES]],
    pub rooms: &'a mut [[f32; LANES]],
    /// What it remembers, by row, and its place for what it is to remember, in the order of the grid from entry
    /// `first` on.
    pub states: Option<&'a dyn AnyColumn>,
    pub next: Option<&'a mut (dyn AnyColumn + 'static)>,
    pub first: u32,
}

/// Rows of people whose states are to be replaced by the next ones, and their statuses.
pub(crate) struct StateRows<'a> {
    pub states: &'a mut (dyn AnyColumn + 'static),
    pub statuses: &'a mut [Status],
    pub blocked_since: &'a mut [u32],
    pub profile_ids: &'a [ProfileId],
    /// Where they are in the order of the grid.
    pub entries: &'a [u32],
}

/// What replaces states: by chunk, what a model is to remember, in the order of the grid.
pub(crate) struct NextStates<'a> {
    pub chunks: Vec<&'a dyn AnyColumn>,
    /// Whether a profile is one of the model's.
    pub is_own: &'a (dyn Fn(ProfileId) -> bool + Sync),
    /// The step.
    pub now: u32,
    pub workers: Workers,
}

/// A steering model of any type.
pub(crate) trait AnyModel: Send + Sync {
    fn info(&self) -> &'static ModelInfo;
    fn steer(&self, job: ChunkJob);
    fn explain(
        &self,
        around: &Surroundings,
        batch: &Neighbourhood,
        states: Option<&dyn AnyColumn>,
    ) -> Explanation;
    fn heeds_nobody(&self) -> bool;
    fn is_memoryless(&self) -> bool;
    fn keeps_time_gap(&self) -> bool;
    /// A column for its states, if it has any.
    fn new_column(&self) -> Option<Box<dyn AnyColumn>>;
    /// Everybody's next state takes the place of the last one, and shows.
    fn replace_states(&self, rows: StateRows, next: &NextStates);
    fn patience(&self, values: &ParameterValues) -> Option<f32>;
    fn is_impatient(&self, states: &dyn AnyColumn, row: usize, values: &ParameterValues) -> bool;
    fn conduct(&self, states: &dyn AnyColumn, row: usize) -> Option<Conduct>;
    fn set_panic(&self, states: &mut (dyn AnyColumn + 'static), row: usize, level: f32) -> bool;
    fn trip(&self, states: &mut (dyn AnyColumn + 'static), row: usize, facing: Vec2) -> bool;
    fn advice(&self, values: &ParameterValues, preferred_speed: f32) -> Option<String>;
}

impl<M: SteeringModel> AnyModel for M {
    fn info(&self) -> &'static ModelInfo {
        SteeringModel::info(self)
    }

    fn steer(&self, job: ChunkJob) {
        let ChunkJob { around, batches, velocities, rooms, states, next, first } = job;
        let before = states.map_or(&[][..], |states| states.values::<M::State>());
        let next = next.map_or(&mut [][..], |next| next.values_mut::<M::State>());
        let states = States::new(before, next, first);
        SteeringModel::steer(self, SteeringJob { around, batches, velocities, rooms, states });
    }

    fn explain(
        &self,
        around: &Surroundings,
        batch: &Neighbourhood,
        states: Option<&dyn AnyColumn>,
    ) -> Explanation {
        let states = states.map_or(&[][..], |states| states.values::<M::State>());
        SteeringModel::explain(self, around, batch, states)
    }

    fn heeds_nobody(&self) -> bool {
        SteeringModel::heeds_nobody(self)
    }

    fn is_memoryless(&self) -> bool {
        SteeringModel::is_memoryless(self)
    }

    fn keeps_time_gap(&self) -> bool {
        SteeringModel::keeps_time_gap(self)
    }

    fn new_column(&self) -> Option<Box<dyn AnyColumn>> {
        (size_of::<M::State>() > 0).then(|| Box::<OptionalColumn<M::State>>::default() as _)
    }

    fn replace_states(&self, rows: StateRows, next: &NextStates) {
        let StateRows { states, statuses, blocked_since, profile_ids, entries } = rows;
        let chunks: Vec<&[M::State]> = next.chunks.iter().map(|chunk| chunk.values()).collect();
        let (count, states) = (statuses.len(), states.values_mut::<M::State>());
        let columns = ((states, statuses, blocked_since), profile_ids, entries);
        next.workers.for_each_chunk(count, columns, |_, (written, profiles, entries)| {
            let (states, statuses, blocked_since) = written;
            let rows = states.iter_mut().zip(statuses).zip(blocked_since);
            for (((state, status), since), (profile, &entry)) in
                rows.zip(profiles.iter().zip(entries))
            {
                *state = chunks[entry as usize / CHUNK][entry as usize % CHUNK];
                if (next.is_own)(*profile) {
                    let shown = self.status(state, *status);
                    if shown.is_held_up() && !status.is_held_up() {
                        *since = next.now;
                    }
                    *status = shown;
                }
            }
        });
    }

    fn patience(&self, values: &ParameterValues) -> Option<f32> {
        SteeringModel::patience(self, &Parameters::from_values(values))
    }

    fn is_impatient(&self, states: &dyn AnyColumn, row: usize, values: &ParameterValues) -> bool {
        let state = states.values::<M::State>().get(row);
        let parameters = Parameters::from_values(values);
        state.is_some_and(|state| SteeringModel::is_impatient(self, state, &parameters))
    }

    fn conduct(&self, states: &dyn AnyColumn, row: usize) -> Option<Conduct> {
        SteeringModel::conduct(self, states.values::<M::State>().get(row)?)
    }

    fn set_panic(&self, states: &mut (dyn AnyColumn + 'static), row: usize, level: f32) -> bool {
        let state = states.values_mut::<M::State>().get_mut(row);
        state.is_some_and(|state| SteeringModel::set_panic(self, state, level))
    }

    fn trip(&self, states: &mut (dyn AnyColumn + 'static), row: usize, facing: Vec2) -> bool {
        let state = states.values_mut::<M::State>().get_mut(row);
        state.is_some_and(|state| SteeringModel::trip(self, state, facing))
    }

    fn advice(&self, values: &ParameterValues, preferred_speed: f32) -> Option<String> {
        SteeringModel::advice(self, &Parameters::from_values(values), preferred_speed)
    }
}

impl Population {
    /// The states of one model's people, who have them from now on; `None` if it has none.
    pub(crate) fn keep_states(
        &mut self,
        models: &Models,
        model: u8,
    ) -> Option<&mut (dyn AnyColumn + 'static)> {
        let people = self.len();
        let states = self.states.get_or_insert(model, || models.get(model).new_column())?;
        states.keep(people);
        Some(states)
    }
}
