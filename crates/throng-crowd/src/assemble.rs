//! From a scene to a crowd: walls, plans, and the people of the first moment.

use glam::Vec2;
use throng_nav::MapRules;
use throng_world::random::{Purpose, Random};
use throng_world::scene::{
    Aim, Arrangement, Cohort, Goal, Group, GroupId, Person, Region, RegionId, SceneError,
    SceneErrors, Target, Then,
};
use throng_world::{Distribution, Heading, Scene};

use crate::crowd::{Crowd, Setting};
use crate::fields;
use crate::goals::Plan;
use crate::line::{LOOK_AHEAD, Lane};
use crate::placement::{self, Occupancy};
use crate::population::NewPerson;
use crate::recipe::Recipe;
use crate::source::ActiveSource;

/// How far walls are indexed at least, m: contacts and "who is in the way" look this far.
const LEAST_WALL_REACH: f32 = 2.0;

impl Crowd {
    /// The crowd of a scene at time 0. Errors point into the scene file: unknown models and
    /// parameters, and crowds that do not fit where they are wanted.
    pub fn from_scene(scene: &Scene) -> Result<Self, SceneErrors> {
        let mut errors = Vec::new();
        let recipes: Vec<Recipe> = scene
            .groups
            .iter()
            .enumerate()
            .map(|(index, group)| {
                Recipe::new(GroupId(index as u16), group, index as u32, &scene.source, &mut errors)
            })
            .collect();
        let mut crowd = Self::new(Setting {
            step: scene.settings.step,
            seed: scene.settings.seed,
            layers: scene.layers.clone(),
            connectors: scene.connectors.clone(),
            bounds: scene.bounds,
            obstacles: scene.obstacles.clone(),
            wall_reach: wall_reach(scene, &recipes),
            regions: scene.regions.clone(),
            navigation: scene.settings.navigation.then(|| MapRules::of_scene(scene)),
        });
        // Those of groups have the groups' numbers.
        crowd.plans = scene.groups.iter().map(|group| plan(&group.goals, group.then)).collect();
        fields::add_all(&mut crowd, scene, &mut errors);
        let mut assembly = Assembly {
            scene,
            random: Random::new(scene.settings.seed),
            occupancy: Occupancy::new(largest_radius(scene)),
            crowd: &mut crowd,
            errors: &mut errors,
        };
        // Listed people first: they stand where they were put, everyone else finds room.
        for (group, recipe) in scene.groups.iter().zip(&recipes) {
            group.people.iter().for_each(|person| assembly.add_listed(person, recipe));
        }
        for (group, recipe) in scene.groups.iter().zip(&recipes) {
            group.crowds.iter().for_each(|cohort| assembly.add_cohort(group, cohort, recipe));
        }
        let random = Random::new(scene.settings.seed);
        let sources = scene.groups.iter().zip(&recipes).flat_map(|(group, recipe)| {
            group.sources.iter().map(move |source| (source, recipe.clone()))
        });
        crowd.sources = (0..)
            .zip(sources)
            .map(|(number, (source, recipe))| ActiveSource::new(source, recipe, number, random))
            .collect();
        let advice = scene.groups.iter().zip(&recipes).filter_map(|(group, recipe)| {
            Some(format!("group \"{}\": {}", group.name, recipe.advice()?))
        });
        crowd.warnings.extend(advice);
        SceneErrors::new(errors).map_or(Ok(crowd), Err)
    }
}

fn plan(goals: &[Goal], then: Then) -> Plan {
    Plan { goals: goals.to_vec(), then }
}

struct Assembly<'a> {
    scene: &'a Scene,
    random: Random,
    occupancy: Occupancy,
    crowd: &'a mut Crowd,
    errors: &'a mut Vec<SceneError>,
}

impl Assembly<'_> {
    fn add_listed(&mut self, person: &Person, recipe: &Recipe) {
        let group = &self.scene.groups[recipe.group.0 as usize];
        let recipe = recipe.with(&person.parameters, &self.scene.source, self.errors);
        let id = self.crowd.ever();
        let mut new = recipe.person(self.random, id, person.position, person.layer);
        new.velocity = person.velocity;
        new.radius = person.radius.unwrap_or(new.radius);
        new.max_speed = person.max_speed.unwrap_or(new.max_speed);
        new.preferred_speed = person.speed.unwrap_or(new.preferred_speed).min(new.max_speed);
        if person.goals.is_some() || person.then.is_some() {
            let goals = person.goals.as_ref().unwrap_or(&group.goals);
            new.plan = self.crowd.plans.len() as u32;
            self.crowd.plans.push(plan(goals, person.then.unwrap_or(group.then)));
        }
        new.heading = person
            .heading
            .or_else(|| Heading::along(person.velocity))
            .unwrap_or_else(|| self.first_heading(&new));
        self.occupancy.add(new.layer, new.position, new.radius);
        let id = self.crowd.insert(&new);
        self.crowd.list(recipe.group, id);
    }

    fn add_cohort(&mut self, group: &Group, cohort: &Cohort, recipe: &Recipe) {
        let region = &self.scene.regions[cohort.region.0 as usize];
        let first = self.crowd.ever();
        let mut people: Vec<NewPerson> = (first..first + cohort.count)
            .map(|id| recipe.person(self.random, id, Vec2::ZERO, region.layer))
            .collect();
        let radii: Vec<f32> = people.iter().map(|person| person.radius).collect();
        let mut stream = self.random.stream(u64::from(first), 1, Purpose::Placement);
        let (walls, occupancy) = (&self.crowd.ground.walls, &mut self.occupancy);
        match placement::places(region, cohort.arrangement, &radii, walls, occupancy, &mut stream) {
            Ok(places) => {
                for (person, place) in people.iter_mut().zip(places) {
                    person.position = place;
                    person.heading = self.first_heading(person);
                    self.crowd.insert(person);
                }
            }
            Err(fitting) => {
                self.errors.push(does_not_fit(self.scene, group, cohort, region, fitting));
            }
        }
    }

    /// Towards the first goal, as far as it is known where that is.
    fn first_heading(&self, person: &NewPerson) -> Heading {
        let goals = &self.crowd.plans[person.plan as usize].goals;
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
fn wall_reach(scene: &Scene, recipes: &[Recipe]) -> f32 {
    let listed = scene.groups.iter().zip(recipes).flat_map(|(group, recipe)| {
        group.people.iter().map(|person| {
            // What is wrong with the parameters is reported when the person is added.
            let mut recipe = recipe.with(&person.parameters, &scene.source, &mut Vec::new());
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

fn largest_radius(scene: &Scene) -> f32 {
    let groups = scene.groups.iter().map(|group| group.body.radius.max());
    let people = scene.groups.iter().flat_map(|g| &g.people).filter_map(|p| p.radius);
    groups.chain(people).fold(0.1, f32::max)
}
