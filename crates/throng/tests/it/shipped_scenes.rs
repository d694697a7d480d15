//! The scenes that ship, from beginning to end: people get where they want to be, and nobody ever
//! crosses a wall.
//!
//! What each scene is about is tested beside the crowd; here all of them are held to the same. Goals
//! that end after some time whether they are reached or not have no such limit here, and who would
//! repeat their goals for ever leaves when all have been reached once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use glam::Vec2;
use throng::crowd::{PersonId, PersonState, Status};
use throng::world::scene::{Aim, Goal, Group, GroupId, Then};
use throng::{Engine, Scene};

/// The share of the people who must reach all of their goals.
const REACH: f64 = 0.995;
/// Who is led and has no goals must get this far from where they began, m.
const LED: f32 = 20.0;

/// A test for each scene, and one that none is forgotten.
macro_rules! scenes {
    ($($name:ident: $file:literal, $size:expr;)*) => {
        $(
            #[test]
            fn $name() {
                check($file, &$size);
            }
        )*

        #[test]
        fn every_scene_is_here() {
            let tested = BTreeSet::from([$($file.to_owned()),*]);
            let files = folder().read_dir().expect("the scenes are there");
            let names = files.map(|file| file.expect("a file").file_name().into_string());
            let names = names.map(|name| name.expect("a plain name"));
            let scenes: BTreeSet<String> = names.filter(|name| name.ends_with(".toml")).collect();
            assert_eq!(tested, scenes);
        }
    };
}

scenes! {
    arrows: "arrows.toml", Size::Whole;
    bottleneck: "bottleneck.toml", Size::Whole;
    circle: "circle.toml", Size::Whole;
    city: "city.toml", Size::Thinned { people: 500, duration: 400.0 };
    companions: "companions.toml", Size::Whole;
    corridor: "corridor.toml", Size::Whole;
    crossing: "crossing.toml", Size::Whole;
    crossing_arrows: "crossing-arrows.toml", Size::Whole;
    evacuation: "evacuation.toml", Size::Whole;
    herd: "herd.toml", Size::Thinned { people: 120, duration: 240.0 };
    hill_town: "hill-town.toml", Size::Thinned { people: 150, duration: 240.0 };
    hills: "hills.toml", Size::Thinned { people: 120, duration: 240.0 };
    office: "office.toml", Size::Whole;
    panic: "panic.toml", Size::Whole;
    plaza: "plaza.toml", Size::Whole;
    procession: "procession.toml", Size::Whole;
    queue: "queue.toml", Size::Whole;
    rocks: "rocks.toml", Size::Whole;
    siege: "siege.toml", Size::Whole;
    square_100k: "square-100k.toml", Size::Thinned { people: 500, duration: 450.0 };
    stadium: "stadium.toml", Size::Whole;
    station: "station.toml", Size::Whole;
    square_20k: "square-20k.toml", Size::Thinned { people: 500, duration: 450.0 };
    eye_contact: "eye-contact.toml", Size::Whole;
    street: "street.toml", Size::Whole;
    museum: "museum.toml", Size::Whole;
    stream_500k: "stream-500k.toml", Size::Thinned { people: 500, duration: 60.0 };
    t_junction: "t-junction.toml", Size::Whole;
    temperaments: "temperaments.toml", Size::Whole;
    terrace: "terrace.toml", Size::Whole;
    two_floors: "two-floors.toml", Size::Whole;
}

/// How much of a scene is simulated.
enum Size {
    /// All of it.
    Whole,
    /// Fewer people, who pursue their first goal only, for as long as it takes to get there.
    Thinned { people: u32, duration: f64 },
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

fn check(file: &str, size: &Size) {
    let mut scene = Scene::load(folder().join(file)).unwrap_or_else(|errors| panic!("{errors}"));
    if let Size::Thinned { people, duration } = *size {
        thin(&mut scene, people, duration);
    }
    scene.groups.iter_mut().for_each(insist);
    let mut run = Run::new(scene);
    while !run.engine.is_finished() {
        run.step();
    }
    run.check_reached();
}

fn thin(scene: &mut Scene, people: u32, duration: f64) {
    let crowds = || scene.groups.iter().flat_map(|group| &group.crowds);
    let divisor = crowds().map(|crowd| crowd.count).sum::<u32>() / people;
    for group in &mut scene.groups {
        group.crowds.iter_mut().for_each(|crowd| crowd.count /= divisor);
        group.goals.truncate(1);
    }
    scene.settings.duration = duration;
}

/// Lets nobody give up, and whoever would begin again leave.
fn insist(group: &mut Group) {
    let own = group.people.iter_mut().filter_map(|person| person.goals.as_mut()).flatten();
    for goal in group.goals.iter_mut().chain(own) {
        if is_place(goal) {
            goal.duration = f32::INFINITY;
        }
    }
    for then in group.people.iter_mut().filter_map(|person| person.then.as_mut()) {
        *then = once(*then);
    }
    group.then = once(group.then);
}

fn once(then: Then) -> Then {
    if then == Then::Repeat { Then::Leave } else { then }
}

/// Whether it is about a place that stays where it is.
fn is_place(goal: &Goal) -> bool {
    goal.aim.is_place() && !matches!(goal.aim, Aim::SeekTarget { .. })
}

struct Run {
    engine: Engine,
    /// Groups whose goals all end: at a place, or in time.
    ending: Vec<bool>,
    /// Everyone who had two thirds of the time at least, and their group.
    counted: BTreeMap<PersonId, GroupId>,
    /// Where people were first.
    first: BTreeMap<PersonId, Vec2>,
    /// Where people were a step ago.
    before: BTreeMap<PersonId, PersonState>,
}

impl Run {
    fn new(scene: Scene) -> Self {
        let duration = scene.settings.duration as f32;
        let ends = |goal: &Goal| is_place(goal) || goal.duration < duration / 4.0;
        let ending = |group: &Group| {
            let own = group.people.iter().filter_map(|person| person.goals.as_ref()).flatten();
            let has_goals = group.led.is_none() || !group.goals.is_empty();
            has_goals && group.goals.iter().chain(own).all(ends)
        };
        let ending = scene.groups.iter().map(ending).collect();
        let engine = Engine::new(scene).unwrap_or_else(|errors| panic!("{errors}"));
        let (counted, first, before) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { engine, ending, counted, first, before }
    }

    /// One step, in which nobody crosses a wall.
    fn step(&mut self) {
        self.engine.step();
        let crowd = self.engine.crowd();
        let now: BTreeMap<_, _> = crowd.people().map(|person| (person.id, person)).collect();
        for (id, person) in &now {
            // Who changes floor on stairs has other walls before and after.
            let before = self.before.get(id).filter(|before| before.layer == person.layer);
            let walls = crowd.walls();
            let crossing = before
                .and_then(|before| walls.crossing(person.layer, before.position, person.position));
            assert_eq!(crossing, None, "at {} s: {before:?} {person:?}", crowd.time());
        }
        if self.engine.time() <= self.engine.scene().settings.duration / 3.0 {
            self.counted.extend(now.iter().map(|(id, person)| (*id, person.group)));
        }
        for (id, person) in &now {
            self.first.entry(*id).or_insert(person.position);
        }
        self.before = now;
    }

    /// Those who count have left or arrived; without goals, they have been led somewhere.
    fn check_reached(&self) {
        let is_led = |group: &GroupId| {
            let group = &self.engine.scene().groups[usize::from(group.0)];
            group.led.is_some() && group.goals.is_empty()
        };
        let counts = |group: &GroupId| is_led(group) || self.ending[usize::from(group.0)];
        let counted = self.counted.iter().filter(|(_, group)| counts(group));
        let is_there = |person: &PersonState| match is_led(&person.group) {
            true => person.position.distance(self.first[&person.id]) > LED,
            false => person.status == Status::Arrived,
        };
        let late: Vec<&PersonState> = counted
            .clone()
            .filter_map(|(id, _)| self.before.get(id))
            .filter(|person| !is_there(person))
            .collect();
        let (count, reached) = (counted.clone().count(), counted.count() - late.len());
        assert!(count > 0, "nobody has a goal that can be reached");
        assert!(reached as f64 >= REACH * count as f64, "{reached} of {count}; not {late:#?}");
    }
}
