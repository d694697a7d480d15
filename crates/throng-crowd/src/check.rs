//! What may enter a crowd. Scenes are checked when they are read; this is for people and goals made
//! by code.

use glam::Vec2;
use throng_world::scene::{
    Aim, Climbing, Goal, LayerId, MAX_COORDINATE, MAX_LINE_POINTS, MAX_LINE_WIDTH, MAX_RADIUS,
    MAX_SPEED,
};

use crate::PersonId;
use crate::plans::Plan;
use crate::population::NewPerson;
use crate::steering::{Models, ParameterInfo, SteeringProfile};
use crate::world::Setting;

/// Why a person or a plan was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CrowdError {
    /// A number is out of range, or not a number.
    #[error("{what} is {value}; it must lie between {min} and {max}")]
    OutOfRange {
        /// Which.
        what: &'static str,
        /// What it is.
        value: f32,
        /// Smallest allowed value.
        min: f32,
        /// Largest allowed value.
        max: f32,
    },
    /// Something is referred to that is not there.
    #[error("there is no {what} {index}; there are {count}")]
    Unknown {
        /// What kind of thing.
        what: &'static str,
        /// Its number.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The crowd does not know a steering model.
    #[error("there is no steering model \"{name}\"; there are {known}")]
    UnknownModel {
        /// Its name.
        name: &'static str,
        /// Those that there are.
        known: String,
    },
    /// Somebody is not there any more, or never was.
    #[error("there is no person {}", .0.0)]
    NoSuchPerson(PersonId),
    /// Of two parameters, the wrong one is the larger.
    #[error("`{small}` must be smaller than `{large}`")]
    NotAscending {
        /// The one that must be smaller.
        small: &'static str,
        /// The other.
        large: &'static str,
    },
}

impl NewPerson {
    pub(crate) fn check(
        &self,
        plans: usize,
        layers: usize,
        models: &Models,
    ) -> Result<(), CrowdError> {
        exists("plan", self.plan as usize, plans)?;
        exists("layer", self.layer.0 as usize, layers)?;
        place(self.position)?;
        let (speed, radius) = (MAX_SPEED as f32, MAX_RADIUS as f32);
        within("the velocity", self.velocity.x, -speed, speed)?;
        within("the velocity", self.velocity.y, -speed, speed)?;
        within("the radius", self.radius, 0.01, radius)?;
        within("the preferred speed", self.preferred_speed, 0.0, speed)?;
        within("the largest speed", self.max_speed, 0.01, speed)?;
        let Climbing { stairs, ramps } = self.climbing;
        for climbing in stairs.into_iter().chain(ramps).flatten() {
            within("the speed on stairs or ramps", climbing, f32::MIN_POSITIVE, speed)?;
        }
        check_steering(&self.steering, models)
    }
}

fn check_steering(steering: &SteeringProfile, models: &Models) -> Result<(), CrowdError> {
    let model = steering.model();
    if models.find(model.name).is_none() {
        return Err(CrowdError::UnknownModel { name: model.name, known: models.names() });
    }
    for (&ParameterInfo { name, min, max, .. }, value) in steering.named() {
        within(name, value, min, max)?;
    }
    for &[small, large] in model.ascending {
        if steering.get(small) >= steering.get(large) {
            return Err(CrowdError::NotAscending { small, large });
        }
    }
    Ok(())
}

impl Plan {
    pub(crate) fn check(&self, setting: &Setting) -> Result<(), CrowdError> {
        let (regions, layers) = (setting.regions.len(), setting.layers.len());
        self.goals.iter().try_for_each(|goal| check_goal(goal, regions, layers))
    }
}

fn check_goal(goal: &Goal, regions: usize, layers: usize) -> Result<(), CrowdError> {
    within("the duration of a goal", goal.duration, 0.0, f32::INFINITY)?;
    if let Some(speed) = goal.speed {
        within("the speed of a goal", speed, 0.0, MAX_SPEED as f32)?;
    }
    let near = |distance: f32| within("the distance of a goal", distance, 0.0, f32::INFINITY);
    let floor = |layer: LayerId| exists("layer", layer.0 as usize, layers);
    match goal.aim {
        Aim::Seek { point, layer, within } => {
            place(point).and_then(|()| floor(layer)).and_then(|()| near(within))
        }
        Aim::Flee { point, layer, beyond } => {
            place(point).and_then(|()| floor(layer)).and_then(|()| near(beyond))
        }
        Aim::SeekRandom { region, within } => {
            exists("region", region.0 as usize, regions).and_then(|()| near(within))
        }
        Aim::SeekRegion { region } => exists("region", region.0 as usize, regions),
        Aim::SeekNearest { regions: ref choices } => {
            choices.iter().try_for_each(|choice| exists("region", choice.0 as usize, regions))
        }
        Aim::SeekTarget { within, .. } => near(within),
        Aim::Follow { ref line, width, within: distance } => {
            let (least, most) = (2.0, MAX_LINE_POINTS as f32);
            within("the number of points of a line", line.len() as f32, least, most)?;
            within("the width of a line", width, 0.0, MAX_LINE_WIDTH as f32)?;
            line.iter().try_for_each(|&(layer, point)| place(point).and_then(|()| floor(layer)))?;
            near(distance)
        }
        Aim::FleeTarget { beyond, .. } => near(beyond),
        Aim::Flow { direction } => place(direction),
        Aim::FollowCrowd | Aim::Idle => Ok(()),
    }
}

fn place(point: Vec2) -> Result<(), CrowdError> {
    let far = MAX_COORDINATE as f32;
    within("a coordinate", point.x, -far, far)
        .and_then(|()| within("a coordinate", point.y, -far, far))
}

fn within(what: &'static str, value: f32, min: f32, max: f32) -> Result<(), CrowdError> {
    if (min..=max).contains(&value) {
        Ok(())
    } else {
        Err(CrowdError::OutOfRange { what, value, min, max })
    }
}

fn exists(what: &'static str, index: usize, count: usize) -> Result<(), CrowdError> {
    if index < count { Ok(()) } else { Err(CrowdError::Unknown { what, index, count }) }
}
