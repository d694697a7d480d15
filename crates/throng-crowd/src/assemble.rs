//! From a scene to a crowd: walls, plans, and the people of the first moment.

use glam::Vec2;
use throng_base::random::{Purpose, Random};
use throng_base::{Distribution, Heading};
use throng_nav::MapRules;
use throng_world::scene::{
    Aim, Arrangement, Cohort, Group, GroupId, Person, Region, RegionId, SceneError, SceneErrors,
    Target,
};
use throng_world::{Scene, Walls};

use crate::crowd::Crowd;
use crate::fields;
use crate::line::{LOOK_AHEAD, Lane};
use crate::placement::{self, Occupancy};
use crate::plans::Plan;
use crate::population::NewPerson;
use crate::recipe::Recipe;
use crate::source::ActiveSource;
use crate::steering::Models;
use crate::world::Setting;

/// How far walls are indexed at least, m: contacts and "who is in the way" look this far.
const LEAST_WALL_REACH: f32 = 2.0;

impl Crowd {
    /// The crowd of a scene at time 0. Errors point into the scene file: unknown models and
    /// parameters, and crowds that do not fit where they are wanted.
    pub fn from_scene(scene: &Scene) -> Result<Self, SceneErrors> {
        Self::from_scene_with(scene, &Models::standard())
    }

    /// The same with these steering models.
    pub fn from_scene_with(scene: &Scene, models: &Models) -> Result<Self, SceneErrors> {
        let mut errors = Vec::new();
        let recipes = recipes(scene, models, &mut errors);
        let setting = Setting {
            step: scene.settings.step,
            seed: scene.settings.seed,
            layers: scene.layers.clone(),
            connectors: scene.connectors.clone(),
            bounds: scene.bounds,
            obstacles: scene.obstacles.clone(),
            wall_reach: wall_reach(scene, &recipes, models),
            regions: scene.regions.clone(),
            navigation: scene.settings.navigation.then(|| MapRules::of_scene(scene)),
            slopes: scene.settings.slopes,
            contacts: scene.settings.contacts,
        };
        let mut crowd = Self::with_models(setting, models.clone());
        // Those of groups have the groups' numbers.
        crowd.plans.replace(scene.groups.iter().map(Plan::of_group));
        fields::add_all(&mut crowd, scene, &mut errors);
        let mut assembly = Assembly::of(&mut crowd, scene, &mut errors);
        // Listed people first: they stand where they were put, everyone else finds room.
        for (group, recipe) in scene.groups.iter().zip(&recipes) {
            group.people.iter().for_each(|person| assembly.add_listed(person, recipe));
        }
        for (group, recipe) in scene.groups.iter().zip(&recipes) {
            group.crowds.iter().for_each(|cohort| assembly.add_cohort(cohort, recipe));
        }
        crowd.people.unite_listed(scene);
        let random = Random::new(scene.settings.seed);
        let sources = scene.groups.iter().zip(&recipes).flat_map(|(group, recipe)| {
            group.sources.iter().map(move |source| (source, recipe.clone()))
        });
        crowd.sources = (0..)
            .zip(sources)
            .map(|(number, (source, recipe))| ActiveSource::new(source, recipe, number, random))
            .collect();
        crowd.warnings.extend(advice(scene, &recipes, models));
        SceneErrors::new(errors).map_or(Ok(crowd), Err)
    }
}

/// What is unwise about how groups steer and are led.
pub(crate) fn advice(scene: &Scene, recipes: &[Recipe], models: &Models) -> Vec<String> {
    let groups = scene.groups.iter().zip(recipes);
    let advice = |(group, recipe): (&Group, &Recipe)| {
        let is_empty =
            group.people.is_empty() && group.crowds.is_empty() && group.sources.is_empty();
        let advice = match is_empty {
            true => "there is nobody in it; add people, crowds or sources".into(),
            false => recipe.advice(models)?,
        };
        Some(format!("group \"{}\": {advice}", group.name))
    };
    groups.filter_map(advice).chain(fields::advice(scene)).collect()
}

/// How the people of each group are made. What is wrong with them goes to `errors`.
pub(crate) fn recipes(scene: &Scene, models: &Models, errors: &mut Vec<SceneError>) -> Vec<Recipe> {
    let groups = scene.groups.iter().enumerate();
    let recipe = |(index, group)| {
        Recipe::new(GroupId(index as u16), group, index as u32, models, &scene.source, errors)
    };
    groups.map(recipe).collect()
}

/// How the people of one group are made, if it is in order.
pub(crate) fn recipe_of(scene: &Scene, id: GroupId, models: &Models) -> Option<Recipe> {
    let group = scene.groups.get(id.0 as usize)?;
    let mut errors = Vec::new();
    let recipe = Recipe::new(id, group, u32::from(id.0), models, &scene.source, &mut errors);
    errors.is_empty().then_some(recipe)
}

impl Plan {
    /// The goals of a group.
    pub(crate) fn of_group(group: &Group) -> Self {
        Self { goals: group.goals.clone(), then: group.then }
    }

    /// The goals of somebody listed in a group, if they are their own.
    pub(crate) fn of_listed(person: &Person, group: &Group) -> Option<Self> {
        (person.goals.is_some() || person.then.is_some()).then(|| Self {
            goals: person.goals.as_ref().unwrap_or(&group.goals).clone(),
            then: person.then.unwrap_or(group.then),
        })
    }
}

/// Adds people to a crowd.
pub(crate) struct Assembly<'a> {
    scene: &'a Scene,
    random: Random,
    occupancy: Occupancy,
    crowd: &'a mut Crowd,
    errors: &'a mut Vec<SceneError>,
}

impl<'a> Assembly<'a> {
    /// Adds to a crowd in which nobody is in the way.
    pub fn of(crowd: &'a mut Crowd, scene: &'a Scene, errors: &'a mut Vec<SceneError>) -> Self {
        let random = Random::new(scene.settings.seed);
        Self { scene, random, occupancy: Occupancy::new(largest_radius(scene)), crowd, errors }
    }

    /// Adds somebody who is listed, where they are listed.
    pub fn add_listed(&mut self, person: &Person, recipe: &Recipe) {
        let group = &self.scene.groups[recipe.group.0 as usize];
        let recipe = recipe.with(person, &self.crowd.models, &self.scene.source, self.errors);
        let mut new = recipe.listed(self.random, self.crowd.ever(), person);
        if let Some(plan) = Plan::of_listed(person, group) {
            new.plan = self.crowd.plans.push(plan);
        }
        new.heading = person
            .heading
            .or_else(|| Heading::along(person.velocity))
            .unwrap_or_else(|| self.first_heading(&new));
        self.occupancy.add(new.layer, new.position, new.radius);
        let id = self.crowd.insert(&new);
        self.crowd.people.list(recipe.group, id);
    }

    /// Adds people in a region. If they do not fit, nobody is added.
    pub fn add_cohort(&mut self, cohort: &Cohort, recipe: &Recipe) {
        let (walls, occupancy) = (self.crowd.world.walls(), &mut self.occupancy);
        match placed(cohort, recipe, self.crowd.ever(), self.scene, walls, occupancy) {
            Ok((people, parties)) => {
                let first = self.crowd.ever();
                for mut person in people {
                    person.heading = self.first_heading(&person);
                    self.crowd.insert(&person);
                }
                self.crowd.people.unite_in_turn(first, &parties);
            }
            Err(error) => self.errors.push(error),
        }
    }

    /// Towards the first goal, as far as it is known where that is.
    pub fn first_heading(&self, person: &NewPerson) -> Heading {
        let goals = &self.crowd.plans.get(person.plan).goals;
        let to = |point: Vec2| point - person.position;
        let region = |id: RegionId| &self.scene.regions[id.0 as usize];
        let way = match goals.first().map(|goal| &goal.aim) {
            Some(&Aim::Seek { point, .. }) => to(point),
            Some(&Aim::SeekRegion { region: id }) => {
                to(region(id).polygon.nearest_point(person.position))
            }
            Some(Aim::SeekNearest { regions }) => {
                let ways =
                    regions.iter().map(|&id| to(region(id).polygon.nearest_point(person.position)));
                let nearest = ways.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
                nearest.unwrap_or(Vec2::ZERO)
            }
            Some(Aim::Follow { line, .. }) => {
                let lane = Lane::middle(line);
                let along = lane.join(0.0, person.layer, person.position);
                to(lane.further(along, LOOK_AHEAD).1.1)
            }
            Some(&Aim::Flee { point, .. }) => -to(point),
            Some(&Aim::Flow { direction }) => direction,
            Some(&Aim::SeekTarget { target: Target::Person { group, index }, .. }) => {
                to(self.scene.groups[group.0 as usize].people[index as usize].position)
            }
            _ => self.crowd.field_velocity(person.group, person.layer, person.position),
        };
        Heading::along(way).unwrap_or_else(|| {
            let who = u64::from(self.crowd.ever());
            let mut stream = self.random.stream(who, 2, Purpose::Placement);
            Heading::from_radians(stream.between(0.0, std::f32::consts::TAU))
        })
    }
}

/// People who are placed in a region, with numbers from `first` on, and how many of them belong together, in their order; or why they do
/// not fit. They are made one by one: a list of them all would take as much memory as the crowd.
pub(crate) fn placed<'r>(
    cohort: &Cohort,
    recipe: &'r Recipe,
    first: u32,
    scene: &Scene,
    walls: &Walls,
    occupancy: &mut Occupancy,
) -> Result<(impl Iterator<Item = NewPerson> + use<'r>, Vec<u32>), SceneError> {
    let random = Random::new(scene.settings.seed);
    let region = &scene.regions[cohort.region.0 as usize];
    let layer = region.layer;
    let person = move |id, place| recipe.person(random, id, place, layer);
    let ids = first..first + cohort.count;
    let radii: Vec<f32> = ids.clone().map(|id| person(id, Vec2::ZERO).radius).collect();
    let parties = recipe.parties(random, first, cohort.count);
    let mut stream = random.stream(u64::from(first), 1, Purpose::Placement);
    let places = placement::places(
        region,
        cohort.arrangement,
        &radii,
        &parties,
        walls,
        occupancy,
        &mut stream,
    );
    match places {
        Ok(places) => Ok((ids.zip(places).map(move |(id, place)| person(id, place)), parties)),
        Err(fitting) => {
            let group = &scene.groups[recipe.group.0 as usize];
            Err(does_not_fit(scene, group, cohort, region, fitting))
        }
    }
}

fn does_not_fit(
    scene: &Scene,
    group: &Group,
    cohort: &Cohort,
    region: &Region,
    fitting: usize,
) -> SceneError {
    let message = format!(
        "only {fitting} of {} people of group \"{}\" find room in region \"{}\"",
        cohort.count, group.name, region.name
    );
    let help = match cohort.arrangement {
        Arrangement::Random => {
            "lower the count, enlarge the region, or try arrangement = \"grid\", which often packs \
             more closely"
        }
        Arrangement::Grid => "lower the count or enlarge the region",
    };
    SceneError::new(&scene.source, cohort.span.clone(), message).with_help(help)
}

/// The largest distance at which anybody heeds a wall, m; listed people may differ from their group.
pub(crate) fn wall_reach(scene: &Scene, recipes: &[Recipe], models: &Models) -> f32 {
    let listed = scene.groups.iter().zip(recipes).flat_map(|(group, recipe)| {
        group.people.iter().map(|person| {
            // What is wrong with the parameters is reported when the person is added.
            let mut recipe = recipe.with(person, models, &scene.source, &mut Vec::new());
            if let Some(max_speed) = person.max_speed {
                recipe.body.max_speed = Distribution::Constant(max_speed);
            }
            if let Some(radius) = person.radius {
                recipe.body.radius = Distribution::Constant(radius);
            }
            recipe.wall_range()
        })
    });
    let groups = recipes.iter().map(Recipe::wall_range);
    groups.chain(listed).fold(LEAST_WALL_REACH, f32::max)
}

pub(crate) fn largest_radius(scene: &Scene) -> f32 {
    let groups = scene.groups.iter().map(|group| group.radii()[1]);
    let people = scene.groups.iter().flat_map(|g| &g.people).filter_map(|p| p.radius);
    groups.chain(people).fold(0.1, f32::max)
}
