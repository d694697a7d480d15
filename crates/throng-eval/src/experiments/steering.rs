//! A steering model as it is named on a command line: `pedestrian`, or with parameters
//! `predictive:conflicts=5:iterative=0`.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use serde_json::json;
use throng::crowd::steering::{MODELS, ModelInfo, ParameterInfo};

use throng_world::scene::file::{self, SceneFile, decimal, given};
use throng_world::scene::{Address, Group, SceneText, TextError};

/// A steering model and those of its parameters that are not the defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Steering {
    model: &'static str,
    parameters: Vec<(&'static str, f32)>,
}

/// Why a text names no steering model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SteeringError {
    /// A model that there is not.
    #[error("there is no steering model \"{name}\"; there are {}", names(MODELS.iter().map(|m| m.name)))]
    UnknownModel {
        /// What was asked for.
        name: String,
    },
    /// Something after the model that is no parameter and value.
    #[error("\"{text}\" is no parameter; write NAME=NUMBER, e.g. relaxation_time=0.5")]
    NoParameter {
        /// What was written.
        text: String,
    },
    /// A parameter that the model does not have.
    #[error("{model} has no parameter \"{name}\"; it has {known}")]
    UnknownParameter {
        /// The model.
        model: &'static str,
        /// What was asked for.
        name: String,
        /// The parameters it has.
        known: String,
    },
    /// A parameter that has two values.
    #[error("{name} is given twice; give it once")]
    Twice {
        /// The parameter.
        name: &'static str,
    },
    /// A value that the parameter cannot have.
    #[error("{name} of {model} cannot be {given}; take {min} to {max}")]
    OutOfRange {
        /// The model.
        model: &'static str,
        /// The parameter.
        name: &'static str,
        /// What was asked for.
        given: String,
        /// Its smallest value.
        min: String,
        /// Its largest value.
        max: String,
    },
}

impl Steering {
    /// The name of the model.
    pub fn model(&self) -> &'static str {
        self.model
    }

    /// The value of a parameter of the model, by its name: the one that was given, or else the default.
    pub fn parameter(&self, name: &str) -> Option<f32> {
        let given = self.parameters.iter().find(|(given, _)| *given == name);
        let default = || {
            let mut all = MODELS.info(self.model)?.all_parameters();
            all.find(|known| known.name == name).map(|known| known.default)
        };
        given.map(|(_, value)| *value).or_else(default)
    }

    /// The names of parameters that were given.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        self.parameters.iter().map(|(name, _)| *name)
    }

    /// As a scene has it: `{ model = "orca", time_gap = 0.5 }`.
    pub fn toml(&self) -> String {
        let parameters: String =
            self.parameters.iter().map(|(name, value)| format!(", {name} = {value}")).collect();
        format!("{{ model = \"{}\"{parameters} }}", self.model)
    }

    /// Sets the steering of all groups and listed people in the text of a scene, so that the text in a recording names
    /// the model that was used.
    ///
    /// # Errors
    ///
    /// If the text would be no scene any more.
    pub fn write(&self, text: &mut SceneText) -> Result<(), TextError> {
        let mut steering = json!({ "model": self.model });
        for (name, value) in &self.parameters {
            steering[name] = decimal(*value).into();
        }
        let group_of = |group: &Group| (group.steering.model != self.model, group.people.len());
        let groups: Vec<(bool, usize)> = text.scene().groups.iter().map(group_of).collect();
        text.edit(|draft| {
            for (index, (is_other, people)) in groups.into_iter().enumerate() {
                let group = Address::list("groups").index(index);
                draft.set(&group.key("steering"), &steering)?;
                for person in (0..people).filter(|_| is_other) {
                    let own = group.key("people").index(person).key("steering");
                    if draft.get(&own).is_some() {
                        draft.remove(&own)?;
                    }
                }
            }
            Ok(())
        })
    }

    /// Makes every group of a scene steer by this.
    pub(crate) fn set(&self, scene: &mut SceneFile) {
        let model = file::Steering::model(self.model);
        let with =
            |model: file::Steering, (name, value): &(&str, f32)| model.with(name, decimal(*value));
        let steering = self.parameters.iter().fold(model, with);
        for group in &mut scene.groups {
            group.steering = given(steering.clone());
        }
    }
}

impl FromStr for Steering {
    type Err = SteeringError;

    fn from_str(text: &str) -> Result<Self, SteeringError> {
        let mut parts = text.trim().split(':');
        let name = parts.next().unwrap_or_default();
        let info =
            MODELS.info(name).ok_or_else(|| SteeringError::UnknownModel { name: name.into() })?;
        let mut parameters: Vec<(&'static str, f32)> = Vec::new();
        for part in parts {
            let (name, value) = parameter(info, part)?;
            if parameters.iter().any(|(given, _)| *given == name) {
                return Err(SteeringError::Twice { name });
            }
            parameters.push((name, value));
        }
        Ok(Self { model: info.name, parameters })
    }
}

impl fmt::Display for Steering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: String =
            self.parameters.iter().map(|(name, value)| format!(":{name}={value}")).collect();
        f.pad(&format!("{}{parameters}", self.model))
    }
}

impl Serialize for Steering {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn parameter(info: &ModelInfo, text: &str) -> Result<(&'static str, f32), SteeringError> {
    let no_parameter = || SteeringError::NoParameter { text: text.into() };
    let (name, value) = text.split_once('=').ok_or_else(no_parameter)?;
    let current = info.current_name(name);
    let found: Option<ParameterInfo> = info.all_parameters().find(|known| known.name == current);
    let Some(known) = found else {
        return Err(SteeringError::UnknownParameter {
            model: info.name,
            name: name.into(),
            known: names(info.all_parameters().map(|known| known.name)),
        });
    };
    let number: f32 = value.parse().map_err(|_| no_parameter())?;
    if !(known.min..=known.max).contains(&number) {
        return Err(SteeringError::OutOfRange {
            model: info.name,
            name: known.name,
            given: value.into(),
            min: known.min.to_string(),
            max: known.max.to_string(),
        });
    }
    Ok((known.name, number))
}

fn names(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parameters_follow_the_model() {
        let steering: Steering = "predictive:conflicts=5:iterative=0".parse().unwrap();
        assert_eq!(steering.model(), "predictive");
        assert_eq!(steering.to_string(), "predictive:conflicts=5:iterative=0");
        let mut scene = SceneFile::new([[0.0, 0.0], [1.0, 1.0]]);
        scene.groups = file::list([file::Group::new("walkers")]);
        steering.set(&mut scene);
        let written = "steering = { model = \"predictive\", conflicts = 5, iterative = 0 }";
        assert!(scene.to_toml().contains(written));
    }

    #[test]
    fn what_is_no_model_is_told_with_those_there_are() {
        let message = |text: &str| text.parse::<Steering>().unwrap_err().to_string();
        assert!(message("pedestrain").contains("there are orca, headway, predictive"));
        assert!(message("orca:").contains("NAME=NUMBER"));
        assert!(message("orca:time_gap=soon").contains("NAME=NUMBER"));
        assert!(
            message("orca:conflicts=3").contains("orca has no parameter \"conflicts\"; it has")
        );
        assert!(message("orca:time_gap=1:time_gap=2").contains("time_gap is given twice"));
        assert!(message("predictive:conflicts=11").contains("cannot be 11; take 1 to 10"));
        assert!(message("orca:time_gap=NaN").contains("cannot be NaN; take 0 to 5"));
    }

    proptest! {
        #[test]
        fn any_text_is_a_model_or_an_error(text in "(orca|predictive|[a-z]{0,3})(:[a-z_]{0,9}=?[-0-9.einfa]{0,6}){0,3}") {
            if let Ok(steering) = text.parse::<Steering>() {
                prop_assert_eq!(steering.to_string().parse::<Steering>(), Ok(steering));
            }
        }
    }
}
