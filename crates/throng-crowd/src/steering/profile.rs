//! How a person steers: a model and the values of its parameters, by name or by the model's own struct.

use super::model::ModelInfo;
use super::parameters::{
    COMMON_PARAMETERS, CommonParameters, MODEL_PARAMETERS, ParameterInfo, ParameterValues,
};

/// How a person steers: their model, and the values of its parameters.
///
/// It is made by name ([`Models::profile`](super::Models::profile)), or from the parameters of a model
/// ([`SteeringModel::profile`](super::SteeringModel::profile)):
///
/// ```
/// use throng_crowd::steering::{CommonParameters, MODELS, Orca, OrcaParameters, SteeringModel};
///
/// let by_name = MODELS.profile("orca")?.with("time_horizon", 5.0)?.with("time_gap", 0.5)?;
/// let by_struct = Orca
///     .profile(OrcaParameters { time_horizon: 5.0, ..OrcaParameters::DEFAULT })
///     .with_common(CommonParameters { time_gap: 0.5, ..CommonParameters::DEFAULT });
/// assert_eq!(by_name, by_struct);
/// # Ok::<(), throng_crowd::steering::ProfileError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SteeringProfile {
    model: &'static ModelInfo,
    /// Values of the parameters that every model has.
    pub common: CommonParameters,
    pub(crate) values: ParameterValues,
}

impl PartialEq for SteeringProfile {
    fn eq(&self, other: &Self) -> bool {
        self.model.name == other.model.name
            && self.common == other.common
            && self.values == other.values
    }
}

/// Why there is no such profile.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProfileError {
    /// No model has this name.
    #[error("there is no steering model \"{name}\"; there are {known}")]
    UnknownModel {
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// The model has no such parameter.
    #[error("steering model \"{model}\" has no parameter `{name}`; it has {known}")]
    UnknownParameter {
        /// The model.
        model: &'static str,
        /// The name.
        name: String,
        /// Those that it has.
        known: String,
    },
    /// A value is out of range, or not a number.
    #[error("`{name}` is {value}; it must lie between {min} and {max}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f32,
        /// Smallest allowed value.
        min: f32,
        /// Largest allowed value.
        max: f32,
    },
}

impl SteeringProfile {
    /// That of a model with its defaults.
    pub fn of(model: &'static ModelInfo) -> Self {
        let default = |index: usize| model.parameters.get(index).map_or(0.0, |info| info.default);
        Self::with_values(model, std::array::from_fn(default))
    }

    pub(crate) fn with_values(model: &'static ModelInfo, values: ParameterValues) -> Self {
        Self { model, common: model.common, values }
    }

    /// The same with another value of a parameter.
    ///
    /// # Errors
    ///
    /// If the model has no such parameter, in which case the error lists those that it has, or if the value is out of
    /// range.
    pub fn with(mut self, name: &str, value: f32) -> Result<Self, ProfileError> {
        let name = self.model.current_name(name);
        let is_named = |info: &&ParameterInfo| info.name == name;
        let all = || COMMON_PARAMETERS.iter().chain(self.model.parameters);
        let Some(info) = all().find(is_named) else {
            return Err(ProfileError::UnknownParameter {
                model: self.model.name,
                name: name.into(),
                known: quoted(all().map(|info| info.name)),
            });
        };
        let ParameterInfo { name, min, max, .. } = *info;
        if !(min..=max).contains(&value) {
            return Err(ProfileError::OutOfRange { name, value, min, max });
        }
        let mut common = self.common.to_array();
        match COMMON_PARAMETERS.iter().position(|info| info.name == name) {
            Some(index) => {
                common[index] = value;
                self.common = CommonParameters::from_array(common);
            }
            None => self.values[self.model.index(name).unwrap_or(MODEL_PARAMETERS - 1)] = value,
        }
        Ok(self)
    }

    /// The same with other values of the parameters that every model has.
    pub fn with_common(self, common: CommonParameters) -> Self {
        Self { common, ..self }
    }

    /// What is known of the model.
    pub fn model(&self) -> &'static ModelInfo {
        self.model
    }

    /// The value of a parameter; `None` if the model has none of this name.
    pub fn get(&self, name: &str) -> Option<f32> {
        self.named().find(|(info, _)| info.name == name).map(|(_, value)| value)
    }

    /// All parameters with their values, those that every model has first.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'static ParameterInfo, f32)> {
        let common = COMMON_PARAMETERS.iter().zip(self.common.to_array());
        common.chain(self.model.parameters.iter().zip(self.values))
    }
}

/// Names in quotation marks, for messages.
pub(crate) fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}
