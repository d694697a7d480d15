//! What a steering model is: its description, its code, and what it remembers of people.

use glam::Vec2;
use throng_base::random::Random;
use throng_simd::Vectors;
use throng_world::scene::LayerId;
use throng_world::temperament::TraitGain;
use throng_world::{Temperament, Walls};

use super::conduct::Conduct;
use super::explain::Explanation;
use super::gains::COMMON_GAINS;
use super::parameters::{COMMON_PARAMETERS, CommonParameters, ParameterInfo, Parameters};
use super::profile::SteeringProfile;
use super::single::SteeredPerson;
use crate::grid::{Grid, GridEntry};
use crate::intents::Intents;
use crate::neighbours::{LANES, Neighbourhood};
use crate::population::Population;
use crate::status::Status;

/// A steering model: chooses velocities by preferred velocities, neighbours and walls.
///
/// It is a type with its parameters and, if it remembers something, a state of each person, and is used once it is
/// registered with [`Models`](super::Models). All methods but the first two have defaults.
///
/// The result must not depend on the order of people in memory: where two are equal, their ids decide
/// ([`tie_direction`](super::tie_direction)). Velocities are finite and not faster than the person's largest speed.
pub trait SteeringModel: Send + Sync + 'static {
    /// Its parameters, declared by [`steering_parameters!`](crate::steering_parameters); `()` for none.
    type Parameters: Parameters;

    /// What it remembers of each person from step to step; `()` for nothing. The default is the state of a person who
    /// has not been steered by this model yet.
    type State: Copy + Default + Send + Sync + 'static;

    /// What is known of it before it runs.
    fn info(&self) -> &'static ModelInfo;

    /// Chooses the next velocity of everyone in `job.batches`, and their next state.
    fn steer(&self, job: SteeringJob<Self::State>);

    /// Why the one person in `batch` is steered as they are, by the numbers that [`Self::steer`] works
    /// with. A model that says nothing works as well: what neighbours do to it is found by leaving them
    /// out.
    fn explain(
        &self,
        _around: &Surroundings,
        _batch: &Neighbourhood,
        _states: &[Self::State],
    ) -> Explanation {
        Explanation::default()
    }

    /// Whether all that it does is to take the preferred velocity, whatever is around.
    fn heeds_nobody(&self) -> bool {
        false
    }

    /// Whether it chooses a velocity whatever a person did before, so that it can be asked every few steps only.
    fn is_memoryless(&self) -> bool {
        false
    }

    /// Whether its velocities keep the gap of `time_gap` already. To those of other models it is applied afterwards.
    fn keeps_time_gap(&self) -> bool {
        false
    }

    /// The status of a person after the step, who has this state and would otherwise have this status. By default
    /// [`Status::Queueing`], [`Status::Fallen`] and [`Status::Panicking`], which only models give, become
    /// [`Status::Walking`].
    fn status(&self, _state: &Self::State, status: Status) -> Status {
        status.without_model()
    }

    /// For how long a person with these parameters bears to be held up before they look for another way, s, if the
    /// model has a say in it.
    fn patience(&self, _parameters: &Self::Parameters) -> Option<f32> {
        None
    }

    /// Whether a person has waited before a crowded gate for so long that they look for another way now.
    fn is_impatient(&self, _state: &Self::State, _parameters: &Self::Parameters) -> bool {
        false
    }

    /// How a person behaves, for inspectors; `None` if the model does not tell.
    fn conduct(&self, _state: &Self::State) -> Option<Conduct> {
        None
    }

    /// Sets the level of panic, from 0 to 1; `false` if the model knows no panic.
    fn set_panic(&self, _state: &mut Self::State, _level: f32) -> bool {
        false
    }

    /// Makes a person fall who faces along a unit vector; `false` if nobody falls in this model.
    fn trip(&self, _state: &mut Self::State, _facing: Vec2) -> bool {
        false
    }

    /// What is unwise about the parameters of a person with a preferred speed (m/s), if anything.
    fn advice(&self, _parameters: &Self::Parameters, _preferred_speed: f32) -> Option<String> {
        None
    }

    /// The profile of a person steered by this model with these parameters, and the model's common ones.
    fn profile(&self, parameters: Self::Parameters) -> SteeringProfile
    where
        Self: Sized,
    {
        SteeringProfile::with_values(self.info(), parameters.values())
    }
}

/// What is known of a steering model before it runs.
#[derive(Clone, Copy, Debug)]
pub struct ModelInfo {
    /// The name in scene files.
    pub name: &'static str,
    /// What it does, in a sentence, with its source.
    pub summary: &'static str,
    /// Its own parameters.
    pub parameters: &'static [ParameterInfo],
    /// Names that parameters had, and those that they have.
    pub former_names: &'static [(&'static str, &'static str)],
    /// Defaults of the parameters that every model has.
    pub common: CommonParameters,
    /// How far away walls are heeded.
    pub walls: WallSight,
    /// Names for sets of values that make somebody of a kind.
    pub personalities: &'static [Personality],
    /// What people's traits do to parameters, by name: each is multiplied by the gain, within its limits. What traits do
    /// in every model is not here: see [`COMMON_GAINS`](super::COMMON_GAINS).
    pub gains: &'static [(&'static str, TraitGain)],
    /// Pairs of parameters of which the first has to be the smaller.
    pub ascending: &'static [[&'static str; 2]],
    /// Whether flow, density and times to get out are calibrated on measurements of people. Where they count, scenes with
    /// other models say so.
    pub calibrated: bool,
}

/// A kind of person: values of a model's parameters under one name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Personality {
    /// The name in scene files.
    pub name: &'static str,
    /// What such people are like.
    pub summary: &'static str,
    /// Values by the names of parameters. All others have their defaults.
    pub values: &'static [(&'static str, f32)],
}

/// How far away a model heeds walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WallSight {
    /// As far as one comes in a time: the parameter with this name, s.
    Time(&'static str),
    /// A multiple of a parameter, m, from one's body.
    Distance {
        /// Name of the parameter.
        parameter: &'static str,
        /// How many times its value.
        factor: f32,
    },
    /// Only when they are touched.
    Touch,
}

impl ModelInfo {
    /// A model that still needs a name and a summary: without parameters of its own, which heeds walls when they are
    /// touched.
    pub const NEW: Self = Self {
        name: "",
        summary: "",
        parameters: &[],
        former_names: &[],
        common: CommonParameters::DEFAULT,
        walls: WallSight::Touch,
        personalities: &[],
        gains: &[],
        ascending: &[],
        calibrated: false,
    };

    /// All its parameters, those that every model has first, with their defaults for this one.
    pub fn all_parameters(&self) -> impl Iterator<Item = ParameterInfo> + '_ {
        CommonParameters::infos(self.common).into_iter().chain(self.parameters.iter().copied())
    }

    /// The name of a parameter that may be called by a former one.
    pub fn current_name<'a>(&self, name: &'a str) -> &'a str {
        let renamed = self.former_names.iter().find(|(former, _)| *former == name);
        renamed.map_or(name, |(_, now)| now)
    }

    /// The number of one of its own parameters.
    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == name)
    }

    /// What people's traits do to one of its parameters, be it its own or one that every model has.
    pub fn gain(&self, parameter: &str) -> Option<&'static TraitGain> {
        let all = self.gains.iter().chain(COMMON_GAINS);
        all.filter(|(name, _)| *name == parameter).map(|(_, gain)| gain).next()
    }

    /// A value of one of its parameters as somebody's traits make it; as it was for who has none.
    pub(crate) fn gained(
        &self,
        parameter: &ParameterInfo,
        value: f32,
        temperament: Option<Temperament>,
    ) -> f32 {
        match (self.gain(parameter.name), temperament) {
            (Some(gain), Some(_)) => {
                (value * gain.of(temperament)).clamp(parameter.min, parameter.max)
            }
            _ => value,
        }
    }

    /// What is wrong with it, if anything.
    pub(crate) fn fault(&self) -> Option<String> {
        let named = |name: &str| {
            let found = self.all_parameters().find(|parameter| parameter.name == name);
            found.ok_or_else(|| format!("there is no parameter `{name}`"))
        };
        let own = |name: &str| {
            let is_own = self.index(name).is_some();
            is_own.then_some(()).ok_or_else(|| format!("there is no own parameter `{name}`"))
        };
        let check = || -> Result<(), String> {
            if self.name.is_empty() {
                return Err("the name is empty".into());
            }
            if self.parameters.len() > super::MODEL_PARAMETERS {
                return Err(format!("there are more than {} parameters", super::MODEL_PARAMETERS));
            }
            for (number, ParameterInfo { name, default, min, max, .. }) in
                self.all_parameters().enumerate()
            {
                if !(min..=max).contains(&default) {
                    return Err(format!("`{name}` is {default} by default, not {min} to {max}"));
                }
                if self.all_parameters().take(number).any(|other| other.name == name) {
                    return Err(format!("there are two parameters `{name}`"));
                }
            }
            for (name, value) in self.personalities.iter().flat_map(|kind| kind.values) {
                own(name)?;
                let ParameterInfo { min, max, .. } = named(name)?;
                if !(min..=max).contains(value) {
                    return Err(format!("`{name}` of a personality is {value}"));
                }
            }
            self.gains.iter().try_for_each(|(name, _)| named(name).map(|_| ()))?;
            self.ascending.iter().flatten().try_for_each(|name| own(name))?;
            match self.walls {
                WallSight::Time(name) | WallSight::Distance { parameter: name, .. } => own(name),
                WallSight::Touch => Ok(()),
            }
        };
        check().err()
    }
}

/// What a model is given for a chunk of people.
pub struct SteeringJob<'a, S> {
    /// The crowd and the world.
    pub around: Surroundings<'a>,
    /// Whom to steer.
    pub batches: &'a [Neighbourhood],
    /// Out: their new velocities, m/s; one array per batch, lanes beyond a batch's length are
    /// ignored.
    pub velocities: &'a mut [[Vec2; LANES]],
    /// Out: distances that no wall they face is nearer than, m, for all that the model has found out.
    pub rooms: &'a mut [[f32; LANES]],
    /// What the model remembers.
    pub states: States<'a, S>,
}

/// What a model remembers of people.
pub struct States<'a, S> {
    /// As it was at the beginning of the step, by row; of people whom other models steer, the default.
    pub before: &'a [S],
    /// In the order of the grid, from the entry `first` on.
    next: &'a mut [S],
    first: u32,
}

impl<'a, S: Copy + Default> States<'a, S> {
    pub(crate) fn new(before: &'a [S], next: &'a mut [S], first: u32) -> Self {
        Self { before, next, first }
    }

    /// Remembers something of the person in a lane of a batch.
    #[inline(always)]
    pub fn set(&mut self, batch: &Neighbourhood, lane: usize, state: S) {
        // There is no next step for inspections.
        if let Some(next) = self.next.get_mut((batch.who[lane] - self.first) as usize) {
            *next = state;
        }
    }
}

impl<S: Copy + Default> SteeringJob<'_, S> {
    /// Steers everybody by what `decide` says of each: a velocity (m/s), and it may change the state, which is that of
    /// the last step.
    pub fn one_by_one(self, mut decide: impl FnMut(&SteeredPerson, &mut S) -> Vec2) {
        let Self { around, batches, velocities, mut states, .. } = self;
        for (batch, velocities) in batches.iter().zip(velocities) {
            for (lane, velocity) in velocities.iter_mut().enumerate().take(batch.len) {
                let person = SteeredPerson::new(&around, batch, lane);
                let mut state = states.before.get(person.row).copied().unwrap_or_default();
                *velocity = decide(&person, &mut state);
                states.set(batch, lane, state);
            }
        }
    }
}

/// The crowd and the world as they are at the beginning of a step.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Everybody, by row.
    pub(crate) people: &'a Population,
    /// What they are up to.
    pub(crate) intents: &'a Intents,
    /// Everybody in the order of the grid, with positions and velocities.
    pub(crate) grid: &'a Grid,
    /// What stands around.
    pub walls: &'a Walls,
    /// The step, s.
    pub step: f32,
    /// How many steps there were.
    pub steps: u64,
    /// Where chance comes from.
    pub random: Random,
    /// The vector unit, if there is one.
    pub simd: Option<Vectors>,
    /// Whether bodies decide how far people get in the step. What they do not manage they do not do, and a velocity
    /// that is approached from that of a body at rest would never set it in motion.
    pub embodied: bool,
}

impl<'a> Surroundings<'a> {
    /// The grid entry of a person or neighbour.
    #[inline(always)]
    pub fn entry(&self, index: u32) -> &'a GridEntry {
        &self.grid.entries[index as usize]
    }

    /// The parameters of the person in a row, who is steered by the model with these parameters.
    #[inline(always)]
    pub fn parameters<P: Parameters>(&self, row: usize) -> P {
        P::from_values(&self.people.profile(row).values)
    }

    /// The velocity that goals, fields and companions ask for, m/s.
    pub fn preferred_velocity(&self, row: usize) -> Vec2 {
        self.intents.preferred_velocities[row]
    }

    /// The speed that the person in a row cannot exceed, m/s.
    pub fn max_speed(&self, row: usize) -> f32 {
        self.people.max_speeds[row]
    }

    /// Where the person in a row faces, a unit vector.
    pub fn facing(&self, row: usize) -> Vec2 {
        self.people.facings[row]
    }

    /// The floor of the person in a row.
    pub fn layer(&self, row: usize) -> LayerId {
        self.people.layers[row]
    }

    /// What the person in a row is doing.
    pub fn status(&self, row: usize) -> Status {
        self.intents.statuses[row]
    }
}

const _: () = assert!(COMMON_PARAMETERS.len() + super::MODEL_PARAMETERS <= u32::BITS as usize);
