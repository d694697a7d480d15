//! Can a recording be true?
//!
//! Whoever is given a recording, by a colleague or by another program, wants to know whether it is
//! what a simulation of its scene would give before they score it. A [`Validator`] reads frames and
//! nothing else, and tells what cannot be: that the first frame is not the one that scene and seed
//! give, that somebody is faster than they can be or jumps, stands in a wall, is there twice, comes
//! back after having left, or is nowhere.
//!
//! **How fast is too fast.** Steering keeps everyone below their largest speed, so between two frames
//! nobody gets further than that, with 2 % and 2 mm for rounding. The exception are bodies that
//! touch: they are pushed apart, in every step by up to [`PUSH`]. So that much is allowed in addition
//! to those who are as near to somebody, at one of the two moments. Further than 12 m/s and half a
//! metre is a jump.
//!
//! **Walls** are those that are always there: an obstacle that comes and goes waits until nobody is
//! in its way, which a recording does not tell.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;
use serde::Serialize;
use throng_world::scene::{GroupId, LayerId};
use throng_world::{Scene, SceneErrors, Walls};

use super::{Frame, People, Recording, RecordingError};
use crate::Engine;

/// How far two states of the same beginning may be apart, m: what a table of single precision leaves.
const SAME_PLACE: f32 = 1e-3;
const SAME_RADIUS: f32 = 1e-4;
/// By how much somebody may be faster than they can be, as a share and m.
const ROUNDING: (f32, f32) = (0.02, 0.002);
/// How far contact moves somebody in a step, m.
pub const PUSH: f32 = throng_crowd::CONTACT_PUSH;
/// Nobody runs faster, m/s; who gets further than that by [`JUMP`] m was put there.
const FASTEST: f32 = 12.0;
const JUMP: f32 = 0.5;
/// How much farther than touching somebody can be to have been pushed, m.
const NEAR: f32 = 2.0 * PUSH;

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// The first frame is not that of the scene.
    Start,
    /// A frame is not later than the one before.
    Time,
    /// The same id is there twice, or ids are out of order.
    Id,
    /// A position, a heading or a radius is not finite.
    NotFinite,
    /// Somebody is faster than they can be.
    Speed,
    /// Somebody is suddenly elsewhere.
    Jump,
    /// Somebody is in a wall, or outside of a closed world.
    Wall,
    /// Somebody comes back who had left.
    Return,
    /// The file cannot be read further.
    Damage,
}

impl Problem {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Time => "time",
            Self::Id => "id",
            Self::NotFinite => "not finite",
            Self::Speed => "speed",
            Self::Jump => "jump",
            Self::Wall => "wall",
            Self::Return => "return",
            Self::Damage => "damage",
        }
    }
}

/// Something that cannot be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Of what kind.
    pub problem: Problem,
    /// Who, if it is about somebody.
    pub person: Option<u32>,
    /// Number of the frame, from 0.
    pub frame: u32,
    /// Time of the frame, s.
    pub time: f64,
    /// Where, m.
    pub place: Option<[f32; 2]>,
    /// What is wrong.
    pub detail: String,
}

/// What there is to say about a recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Validation {
    /// How many frames were read.
    pub frames: u32,
    /// How many people are in them.
    pub people: usize,
    /// What was found, in the order of frames; of each kind [`Self::LIMIT`] at most.
    pub findings: Vec<Finding>,
    /// How much was found of each kind in all.
    pub counts: BTreeMap<&'static str, u64>,
    /// What was not checked, and why.
    pub unchecked: Vec<String>,
}

impl Validation {
    /// How many findings of a kind are kept.
    pub const LIMIT: u64 = 50;

    /// Whether nothing was found.
    pub fn is_ok(&self) -> bool {
        self.counts.is_empty()
    }
}

/// Validates a recording, against `scene` or else the scene it carries, with its own seed.
///
/// # Errors
///
/// If `scene` cannot be simulated. What is wrong with the recording is in the result.
pub fn validate(
    recording: &mut Recording,
    scene: Option<Scene>,
) -> Result<Validation, SceneErrors> {
    let info = recording.info();
    let steps = info.record_every;
    let imported = info.imported_from.is_some();
    let mut unchecked = Vec::new();
    let given = scene.is_some();
    let scene = match scene {
        Some(mut scene) => {
            scene.settings.seed = info.seed;
            Some(scene)
        }
        None => match recording.scene() {
            Ok(scene) => Some(scene),
            Err(errors) => {
                let reason = "start, speeds and walls, as the recorded scene cannot be read";
                unchecked.push(format!("{reason}: {errors}"));
                None
            }
        },
    };
    let mut validator = match scene {
        Some(scene) if given || !imported => Validator::new(scene, steps)?,
        // An imported recording has a place, but its people are in no group.
        Some(scene) => Validator::of_place(&scene),
        None => Validator::default(),
    };
    validator.result.unchecked.extend(unchecked);
    if imported && !given {
        let reason = "start and largest speeds, as the recording was imported: give a scene";
        validator.result.unchecked.push(reason.into());
    }
    for index in 0..recording.frame_count() {
        match recording.frame(index) {
            Ok(frame) => validator.take(&frame),
            Err(error) => {
                validator.damaged(index, recording.time_of(index), &error);
                break;
            }
        }
    }
    Ok(validator.finish())
}

/// Looks at frames, one after the other.
#[derive(Debug, Default)]
pub struct Validator {
    start: Option<People>,
    walls: Option<Walls>,
    /// The largest speed of each group, m/s, and of everyone who is there from the beginning.
    speeds: Vec<f32>,
    own_speeds: BTreeMap<u32, f32>,
    /// Steps of the simulation from frame to frame.
    steps: u32,
    before: Option<Frame>,
    seen: BTreeSet<u32>,
    in_walls: BTreeSet<u32>,
    result: Validation,
}

impl Validator {
    /// For a simulation of `scene` with the scene's seed, of which every `steps`-th state is recorded.
    ///
    /// # Errors
    ///
    /// If the scene cannot be simulated.
    pub fn new(scene: Scene, steps: u32) -> Result<Self, SceneErrors> {
        let mut validator = Self::of_place(&scene);
        validator.steps = steps.max(1);
        validator.speeds = scene.groups.iter().map(|group| group.body.max_speed.max()).collect();
        let mut start = Frame::default();
        let engine = Engine::new(scene)?;
        engine.snapshot(&mut start);
        for (index, group) in engine.scene().groups.iter().enumerate() {
            // The first of a group are those listed, in the order of the list.
            let of_group = |&i: &usize| start.people.groups[i] == GroupId(index as u16);
            let members = (0..start.people.len()).filter(of_group);
            let listed = group.people.iter().map(|person| person.max_speed);
            for (member, own) in members.zip(listed.chain(std::iter::repeat(None))) {
                let speed = own.unwrap_or(validator.speeds[index]);
                validator.own_speeds.insert(start.people.ids[member], speed);
            }
        }
        validator.start = Some(start.people);
        Ok(validator)
    }

    /// For whatever took place where `scene` is: only its walls are known.
    pub fn of_place(scene: &Scene) -> Self {
        let permanent = scene.obstacles.iter().filter(|obstacle| obstacle.is_permanent());
        let walls = Walls::new(permanent, &scene.connectors, scene.layers.len(), 1.0);
        let mut validator = Self::between(walls);
        if scene.obstacles.iter().any(|obstacle| !obstacle.is_permanent()) {
            let reason = "obstacles that come and go, as they wait until nobody is in their way";
            validator.result.unchecked.push(reason.into());
        }
        validator
    }

    /// For whatever took place between some walls.
    pub(crate) fn between(walls: Walls) -> Self {
        Self { walls: Some(walls), steps: 1, ..Self::default() }
    }

    /// Looks at the next frame.
    pub fn take(&mut self, frame: &Frame) {
        let is_sound = self.look_at_numbers(frame);
        if frame.index == 0 {
            self.look_at_start(frame);
        }
        if let Some(before) = self.before.take() {
            if frame.time > before.time {
                if is_sound {
                    self.look_at_moves(&before, frame);
                }
            } else {
                let detail = format!("at {} s, after a frame at {} s", frame.time, before.time);
                self.find(Problem::Time, frame, None, detail);
            }
            for (index, &id) in frame.people.ids.iter().enumerate() {
                if self.seen.contains(&id) && before.people.find(id).is_none() {
                    let detail = "had left before, and is there again".to_owned();
                    self.find(Problem::Return, frame, Some(index), detail);
                }
            }
        }
        self.look_at_walls(frame);
        self.seen.extend(&frame.people.ids);
        self.result.frames += 1;
        // Who is nowhere has not moved, wherever they are next.
        if is_sound {
            self.before = Some(frame.clone());
        }
    }

    /// The file is damaged from frame `index` on.
    pub fn damaged(&mut self, index: u32, time: f64, error: &RecordingError) {
        let frame = Frame { index, time, ..Frame::default() };
        self.find(Problem::Damage, &frame, None, error.to_string());
    }

    /// What was found.
    pub fn finish(mut self) -> Validation {
        self.result.people = self.seen.len();
        self.result
    }

    /// Adds a reason why something is not checked.
    pub fn leave_out(&mut self, what: impl Into<String>) {
        self.result.unchecked.push(what.into());
    }

    /// Takes down something about a frame, and the person at `index` in it.
    pub(crate) fn find(
        &mut self,
        problem: Problem,
        frame: &Frame,
        index: Option<usize>,
        detail: String,
    ) {
        let count = self.result.counts.entry(problem.name()).or_default();
        *count += 1;
        if *count > Validation::LIMIT {
            return;
        }
        let people = &frame.people;
        self.result.findings.push(Finding {
            problem,
            person: index.map(|index| people.ids[index]),
            frame: frame.index,
            time: frame.time,
            place: index.map(|index| people.positions[index].to_array()),
            detail,
        });
    }

    /// Whether everyone is there once and somewhere.
    fn look_at_numbers(&mut self, frame: &Frame) -> bool {
        let people = &frame.people;
        let mut is_sound = true;
        for index in 0..people.len() {
            if index > 0 && people.ids[index] <= people.ids[index - 1] {
                let same = people.ids[index] == people.ids[index - 1];
                let detail = if same { "there twice" } else { "ids do not ascend" };
                self.find(Problem::Id, frame, Some(index), detail.to_owned());
                is_sound = false;
            }
            let finite = people.positions[index].is_finite()
                && people.headings[index].is_finite()
                && people.radii[index].is_finite();
            if !finite {
                let detail = "a position, heading or radius is not finite".to_owned();
                self.find(Problem::NotFinite, frame, Some(index), detail);
                is_sound = false;
            }
        }
        is_sound
    }

    fn look_at_start(&mut self, frame: &Frame) {
        let Some(start) = self.start.take() else { return };
        if frame.time.abs() > 1e-6 {
            let reason = "the start, as the recording begins later than the scene";
            self.result.unchecked.push(reason.into());
            return;
        }
        for (index, &id) in frame.people.ids.iter().enumerate() {
            let Some(expected) = start.find(id) else {
                let detail = "nobody begins there in the scene".to_owned();
                self.find(Problem::Start, frame, Some(index), detail);
                continue;
            };
            let (place, radius) = (start.positions[expected], start.radii[expected]);
            // What is not a number is found elsewhere.
            if frame.people.positions[index].distance(place) > SAME_PLACE {
                let detail = format!("begins at [{}, {}] in the scene", place.x, place.y);
                self.find(Problem::Start, frame, Some(index), detail);
            } else if (frame.people.radii[index] - radius).abs() > SAME_RADIUS {
                let own = frame.people.radii[index];
                let detail = format!("has radius {own} m, and {radius} m in the scene");
                self.find(Problem::Start, frame, Some(index), detail);
            }
        }
        for (&id, place) in start.ids.iter().zip(&start.positions) {
            if frame.people.find(id).is_none() {
                let detail = format!(
                    "person {id} is missing, who begins at [{}, {}] in the scene",
                    place.x, place.y
                );
                self.find(Problem::Start, frame, None, detail);
            }
        }
    }

    fn look_at_moves(&mut self, before: &Frame, frame: &Frame) {
        let elapsed = (frame.time - before.time) as f32;
        let people = &frame.people;
        for index in 0..people.len() {
            let Some(earlier) = before.people.find(people.ids[index]) else { continue };
            let way = people.positions[index].distance(before.people.positions[earlier]);
            if way > FASTEST * elapsed + JUMP {
                let detail = format!("gets {way:.2} m away in {elapsed} s");
                self.find(Problem::Jump, frame, Some(index), detail);
                continue;
            }
            let Some(largest) = self.largest_speed(people.ids[index], people.groups[index]) else {
                continue;
            };
            let limit = largest * elapsed * (1.0 + ROUNDING.0) + ROUNDING.1;
            let pushed = PUSH * self.steps as f32;
            let is_pushed = || is_touched(&before.people, earlier) || is_touched(people, index);
            if way > limit && (way > limit + pushed || !is_pushed()) {
                let speed = way / elapsed;
                let detail = format!("walks {speed:.2} m/s, and {largest:.2} m/s is the most");
                self.find(Problem::Speed, frame, Some(index), detail);
            }
        }
    }

    fn largest_speed(&self, id: u32, group: GroupId) -> Option<f32> {
        let own = self.own_speeds.get(&id).or_else(|| self.speeds.get(group.0 as usize));
        // Where groups are not known, the fastest counts.
        own.copied().or_else(|| self.speeds.iter().copied().reduce(f32::max))
    }

    fn look_at_walls(&mut self, frame: &Frame) {
        let Some(walls) = self.walls.take() else { return };
        let people = &frame.people;
        for index in 0..people.len() {
            let (id, place) = (people.ids[index], people.positions[index]);
            let layer: LayerId = people.layers[index];
            let inside = place.is_finite() && !walls.is_free(layer, place, 0.0);
            if !inside {
                self.in_walls.remove(&id);
            } else if self.in_walls.insert(id) {
                let detail = "is in a wall, or outside of where one can walk".to_owned();
                self.find(Problem::Wall, frame, Some(index), detail);
            }
        }
        self.walls = Some(walls);
    }
}

/// Whether somebody else is so near that contact may have moved them.
fn is_touched(people: &People, index: usize) -> bool {
    let (place, radius): (Vec2, f32) = (people.positions[index], people.radii[index]);
    (0..people.len()).any(|other| {
        let reach = radius + people.radii[other] + NEAR;
        other != index
            && people.layers[other] == people.layers[index]
            && people.positions[other].distance_squared(place) < reach * reach
    })
}
