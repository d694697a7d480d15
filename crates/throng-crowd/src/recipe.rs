//! From a group in a scene to the people in it: which model, which parameters, which draws.

use std::sync::Arc;

use crate::steering::gains;
use glam::Vec2;
use throng_base::random::{Purpose, Random};
use throng_base::{Distribution, Heading};
use throng_world::scene::{
    Body, Climbing, Group, GroupId, LayerId, MAX_RADIUS, Parameter, Person, PersonalityName,
    SceneError, SceneSource, Span, Steering,
};
use throng_world::{PartySizes, Temperament, Temperaments};

use crate::population::NewPerson;
use crate::steering::{
    COMMON_PARAMETERS, CommonParameters, MODEL_PARAMETERS, ModelInfo, Models, ParameterInfo,
    SteeringProfile, WallSight, quoted,
};

/// How the people of a group are made.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub group: GroupId,
    pub body: Body,
    pub climbing: Climbing<Distribution>,
    pub plan: u32,
    /// How many walk together, unless all walk alone.
    pub together: Option<PartySizes>,
    model: &'static ModelInfo,
    common: [Distribution; COMMON_PARAMETERS.len()],
    own: [Distribution; MODEL_PARAMETERS],
    /// What they are like, if they have traits.
    traits: Option<Temperaments>,
    /// Whether parameters are said of one person, so that traits do not change them: common ones first, one bit each.
    said: u32,
}

impl Recipe {
    /// Reads a group's choice of model and parameters; what does not exist or is out of range goes
    /// to `errors`.
    pub fn new(
        group: GroupId,
        scene_group: &Group,
        plan: u32,
        models: &Models,
        source: &Arc<SceneSource>,
        errors: &mut Vec<SceneError>,
    ) -> Self {
        let model = chosen_model(&scene_group.steering, models, source, errors);
        let defaults = SteeringProfile::of(model);
        let mut recipe = Self {
            group,
            body: scene_group.body,
            climbing: scene_group.climbing,
            plan,
            together: scene_group.together.clone(),
            model,
            common: defaults.common.to_array().map(Distribution::Constant),
            own: defaults.values.map(Distribution::Constant),
            traits: scene_group.traits,
            said: 0,
        };
        recipe.take_on(scene_group.steering.personality.as_ref(), models, source, errors);
        recipe.set(&scene_group.steering.parameters, source, errors);
        // What is said of a whole group is where its people's traits begin.
        recipe.said = 0;
        recipe.check_order(&scene_group.steering, source, errors);
        recipe
    }

    /// The parties of `count` people with numbers from `first` on, in their order.
    pub fn parties(&self, random: Random, first: u32, count: u32) -> Vec<u32> {
        match &self.together {
            Some(sizes) => sizes.deal(random, first, count),
            None => vec![1; count as usize],
        }
    }

    /// Notes which parameters could be drawn in the wrong order.
    fn check_order(
        &self,
        steering: &Steering,
        source: &Arc<SceneSource>,
        errors: &mut Vec<SceneError>,
    ) {
        for &[small, large] in self.model.ascending {
            let (low, high) = (self.extent(small)[1], self.extent(large)[0]);
            if low >= high {
                let named = |parameter: &&Parameter| [small, large].contains(&&*parameter.name);
                let given = steering.parameters.iter().rfind(named);
                let span = given.map_or(&steering.span, |parameter| &parameter.span).clone();
                let message = format!("`{small}` is up to {low}, `{large}` from {high}");
                let error = SceneError::new(source, span, message);
                errors.push(error.with_help(format!("make `{small}` smaller than `{large}`")));
            }
        }
    }

    /// Whether people made by either are alike, whatever their group and goals.
    pub fn makes_the_same(&self, other: &Self) -> bool {
        self.model.name == other.model.name
            && self.body == other.body
            && self.climbing == other.climbing
            && self.common == other.common
            && self.own == other.own
            && self.traits == other.traits
            && self.said == other.said
    }

    /// This recipe with what is said of one person.
    pub fn with(
        &self,
        person: &Person,
        models: &Models,
        source: &Arc<SceneSource>,
        errors: &mut Vec<SceneError>,
    ) -> Self {
        let mut recipe = self.clone();
        recipe.take_on(person.personality.as_ref(), models, source, errors);
        recipe.set(&person.parameters, source, errors);
        recipe.traits = Temperaments::of_one(self.traits, person.traits.as_ref());
        recipe
    }

    /// Takes over the values of a personality, if one is named.
    fn take_on(
        &mut self,
        named: Option<&PersonalityName>,
        models: &Models,
        source: &Arc<SceneSource>,
        errors: &mut Vec<SceneError>,
    ) {
        let Some(PersonalityName { name, span }) = named else { return };
        let Some(kind) = self.model.personalities.iter().find(|kind| kind.name == name) else {
            errors.push(unknown_personality(self.model, models, name, span.clone(), source));
            return;
        };
        for (name, value) in kind.values {
            if let Some(at) = self.model.index(name) {
                self.own[at] = Distribution::Constant(*value);
                self.said |= own_bit(at);
            }
        }
    }

    fn set(
        &mut self,
        parameters: &[Parameter],
        source: &Arc<SceneSource>,
        errors: &mut Vec<SceneError>,
    ) {
        let model = self.model;
        for parameter in parameters {
            let name = model.current_name(&parameter.name);
            let named = |info: &&ParameterInfo| info.name == name;
            let common = COMMON_PARAMETERS.iter().find(named);
            let Some(info) = common.or_else(|| model.parameters.iter().find(named)) else {
                errors.push(unknown_parameter(model, parameter, source));
                continue;
            };
            if parameter.value.min() < info.min || parameter.value.max() > info.max {
                errors.push(out_of_range(info, parameter, source));
                continue;
            }
            let common = COMMON_PARAMETERS.iter().position(|i| i.name == info.name);
            if let Some(i) = common {
                self.common[i] = parameter.value;
                self.said |= 1 << i;
            } else if let Some(i) = model.index(info.name) {
                self.own[i] = parameter.value;
                self.said |= own_bit(i);
            }
        }
    }

    /// The person with number `id`: all that is drawn depends on the id alone.
    pub fn person(&self, random: Random, id: u32, position: Vec2, layer: LayerId) -> NewPerson {
        let who = u64::from(id);
        let draw = |distribution, purpose| random.stream(who, 0, purpose).draw(distribution);
        let temperament = self.traits.map(|traits| traits.draw(random, id));
        let max_speed = draw(self.body.max_speed, Purpose::MaxSpeed);
        let speed = draw(self.body.speed, Purpose::Speed) * gains::SPEED.of(temperament);
        let radius = draw(self.body.radius, Purpose::Radius) * gains::RADIUS.of(temperament);
        let mut parameters = random.stream(who, 0, Purpose::Parameter);
        let mut common = self.common.map(|distribution| parameters.draw(distribution));
        let mut own = self.own.map(|distribution| parameters.draw(distribution));
        self.gain(&mut common, &mut own, temperament);
        let common = CommonParameters::from_array(common);
        let common = CommonParameters { neighbours: common.max_neighbours() as f32, ..common };
        NewPerson {
            group: self.group,
            position,
            layer,
            velocity: Vec2::ZERO,
            heading: Heading::default(),
            radius: radius.min(MAX_RADIUS as f32),
            preferred_speed: speed.min(max_speed),
            max_speed,
            climbing: self.climbing.draw(random, id),
            plan: self.plan,
            steering: SteeringProfile::with_values(self.model, own).with_common(common),
            temperament,
        }
    }

    /// Makes of parameters what somebody's traits do, apart from those that are said of them.
    fn gain(
        &self,
        common: &mut [f32; COMMON_PARAMETERS.len()],
        own: &mut [f32; MODEL_PARAMETERS],
        temperament: Option<Temperament>,
    ) {
        let own = own.iter_mut().zip(self.model.parameters);
        let common = common.iter_mut().zip(COMMON_PARAMETERS);
        for (number, (value, info)) in common.chain(own).enumerate() {
            if self.said & (1 << number) == 0 {
                *value = self.model.gained(info, *value, temperament);
            }
        }
    }

    /// The smallest and the largest value of one of the model's own parameters that anybody has.
    fn extent(&self, name: &str) -> [f32; 2] {
        let Some(index) = self.model.index(name) else { return [0.0; 2] };
        let [low, high] = [self.own[index].min(), self.own[index].max()];
        let info = &self.model.parameters[index];
        match (self.model.gain(info.name), &self.traits) {
            (Some(sway), Some(traits)) if self.said & own_bit(index) == 0 => {
                let [least, most] = sway.range(Some(traits));
                [low * least, high * most].map(|value| value.clamp(info.min, info.max))
            }
            _ => [low, high],
        }
    }

    /// The person with number `id` who is listed in a scene.
    pub fn listed(&self, random: Random, id: u32, person: &Person) -> NewPerson {
        let mut new = self.person(random, id, person.position, person.layer);
        new.velocity = person.velocity;
        new.radius = person.radius.unwrap_or(new.radius);
        new.max_speed = person.max_speed.unwrap_or(new.max_speed);
        new.preferred_speed = person.speed.unwrap_or(new.preferred_speed).min(new.max_speed);
        new.climbing = person.climbing.or(new.climbing);
        new
    }

    /// What is unwise about the parameters, seen for the typical person.
    pub fn advice(&self, models: &Models) -> Option<String> {
        let values = self.own.map(Distribution::typical);
        models.get(models.find(self.model.name)?).advice(&values, self.body.speed.typical())
    }

    /// The largest distance at which one of these people heeds a wall, m.
    pub fn wall_range(&self) -> f32 {
        let ahead = match self.model.walls {
            WallSight::Time(parameter) => self.extent(parameter)[1] * self.body.max_speed.max(),
            WallSight::Distance { parameter, factor } => self.extent(parameter)[1] * factor,
            WallSight::Touch => 0.0,
        };
        let [_, widest] = gains::RADIUS.range(self.traits.as_ref());
        ahead + self.body.radius.max() * widest
    }
}

/// Of the bits of what is said, that of one of the model's own parameters.
fn own_bit(index: usize) -> u32 {
    1 << (COMMON_PARAMETERS.len() + index)
}

fn chosen_model(
    steering: &Steering,
    models: &Models,
    source: &Arc<SceneSource>,
    errors: &mut Vec<SceneError>,
) -> &'static ModelInfo {
    models.info(&steering.model).unwrap_or_else(|| {
        let message = format!("there is no steering model \"{}\"", steering.model);
        let error = SceneError::new(source, steering.span.clone(), message);
        errors.push(error.with_help(format!("write one of {}", models.names())));
        models.get(0).info()
    })
}

fn unknown_personality(
    model: &ModelInfo,
    models: &Models,
    name: &str,
    span: Span,
    source: &Arc<SceneSource>,
) -> SceneError {
    let message = format!("steering model \"{}\" knows no personality \"{name}\"", model.name);
    let knows = |model: &&'static ModelInfo| !model.personalities.is_empty();
    let help = match model.personalities {
        [] => {
            let models = quoted(models.iter().filter(knows).map(|model| model.name));
            format!("leave it out, or take a model that knows some: {models}")
        }
        kinds => format!("write one of {}", quoted(kinds.iter().map(|kind| kind.name))),
    };
    SceneError::new(source, span, message).with_help(help)
}

fn unknown_parameter(
    model: &ModelInfo,
    parameter: &Parameter,
    source: &Arc<SceneSource>,
) -> SceneError {
    let message =
        format!("steering model \"{}\" has no parameter `{}`", model.name, parameter.name);
    let names = COMMON_PARAMETERS.iter().chain(model.parameters).map(|info| info.name);
    SceneError::new(source, parameter.span.clone(), message)
        .with_help(format!("it has {}", quoted(names)))
}

fn out_of_range(
    info: &ParameterInfo,
    parameter: &Parameter,
    source: &Arc<SceneSource>,
) -> SceneError {
    let given = match (parameter.value.min(), parameter.value.max()) {
        (min, max) if min == max => min.to_string(),
        (min, max) => format!("{min} to {max}"),
    };
    let unit = if info.unit.is_empty() { String::new() } else { format!(" {}", info.unit) };
    let message = format!("`{}` is {given}{unit}", info.name);
    SceneError::new(source, parameter.span.clone(), message).with_help(format!(
        "write a value from {} to {}{unit}, e.g. {} = {}",
        info.min, info.max, info.name, info.default
    ))
}
