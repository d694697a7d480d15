//! The crowd: who is there, and the way to add, remove, move and look at them.

use std::sync::Mutex;

use glam::Vec2;
use throng_base::Heading;
use throng_nav::NoWay;
use throng_simd::Vectors;
use throng_world::Temperament;
use throng_world::scene::{GroupId, LayerId};

use crate::PersonId;
use crate::check::CrowdError;
use crate::fields::Fields;
use crate::guidance::Guidance;
use crate::intents::Intents;
use crate::newcomers::Newcomers;
use crate::plans::{Plan, Plans};
use crate::population::{NewPerson, Population};
use crate::requests::RequestContext;
use crate::source::ActiveSource;
use crate::status::{Obstruction, Status};
use crate::steering::Models;
use crate::step::{Embodiment, LastStep, Scratch};
use crate::workers::{Workers, with_others_awake};
use crate::world::{Setting, World};

/// People who move.
pub struct Crowd {
    /// Where they are.
    pub(crate) world: World,
    /// What can steer them.
    pub(crate) models: Models,
    /// What they are like, and where.
    pub(crate) people: Population,
    /// What they are up to.
    pub(crate) intents: Intents,
    /// What they are to do.
    pub(crate) plans: Plans,
    /// What leads them elsewhere.
    pub(crate) fields: Fields,
    /// Where they find their ways, if anything is in the way.
    pub(crate) guidance: Option<Guidance>,
    /// Where more of them come from.
    pub(crate) sources: Vec<ActiveSource>,
    pub(crate) warnings: Vec<String>,
    pub(crate) last: LastStep,
    pub(crate) execution: Execution,
}

/// A person as others see them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PersonState {
    /// Who.
    pub id: PersonId,
    /// Group.
    pub group: GroupId,
    /// Floor.
    pub layer: LayerId,
    /// Abstract root position on the ground, m.
    pub position: Vec2,
    /// Height of the ground there, m.
    pub height: f32,
    /// Facing.
    pub heading: Heading,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// The velocity the goals ask for, m/s.
    pub preferred_velocity: Vec2,
    /// Radius, m.
    pub radius: f32,
    /// What they are doing.
    pub status: Status,
    /// What is in the way, if they are blocked.
    pub obstruction: Obstruction,
}

/// What a person does of their own accord, and what is done to them; see [`Crowd::doing`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doing {
    /// The velocity with which they set out in the last step, before walls, bodies and contacts had their say, m/s.
    pub chosen: Vec2,
    /// The part of their velocity that pushes have given them, m/s; it fades. The rest is their own.
    pub push: Vec2,
    /// Whether walls, bodies or contacts have made another velocity of the one with which they set out.
    pub is_disturbed: bool,
}

/// What is seen of a person from afar: all that a moving picture needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Appearance {
    /// Who.
    pub id: PersonId,
    /// Group.
    pub group: GroupId,
    /// Floor.
    pub layer: LayerId,
    /// Abstract root position on the ground, m.
    pub position: Vec2,
    /// Height of the ground there, m.
    pub height: f32,
    /// Where they face, a unit vector.
    pub facing: Vec2,
    /// What they are doing.
    pub status: Status,
    /// What they are like, if they have traits.
    pub temperament: Option<Temperament>,
}

/// What steps are made by.
pub(crate) struct Execution {
    pub simd: Option<Vectors>,
    threads: Threads,
    scratches: Vec<Mutex<Scratch>>,
}

/// Who does the work.
enum Threads {
    /// The caller's thread or pool.
    Ambient,
    /// A pool of its own.
    Own(rayon::ThreadPool),
}

impl Execution {
    fn threads(&self) -> usize {
        match &self.threads {
            Threads::Ambient => rayon::current_num_threads(),
            Threads::Own(pool) => pool.current_num_threads(),
        }
    }

    /// Runs something on the pool's threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.threads {
            Threads::Own(pool) => pool.install(work),
            Threads::Ambient => work(),
        }
    }

    /// The vector unit, and memory for each thread and for a caller who does all alone.
    pub fn for_step(&mut self, workers: Workers) -> (Option<Vectors>, &[Mutex<Scratch>]) {
        let threads = if workers.parallel { self.threads() } else { 0 };
        if self.scratches.len() <= threads {
            self.scratches.resize_with(threads + 1, Mutex::default);
        }
        (self.simd, &self.scratches)
    }
}

impl Crowd {
    /// An empty crowd. It runs on the global thread pool.
    pub fn new(setting: Setting) -> Self {
        Self::with_models(setting, Models::standard())
    }

    /// An empty crowd whose people can be steered by these models.
    pub fn with_models(setting: Setting, models: Models) -> Self {
        let mut warnings = Vec::new();
        let world = World::new(setting, &mut warnings);
        let (map, Setting { regions, step, .. }) = (world.ground.map(), &world.setting);
        let (simd, threads) = (Vectors::detect(), Threads::Ambient);
        Self {
            guidance: map.map(|map| Guidance::new(map, regions, *step as f32)),
            models,
            people: Population::default(),
            intents: Intents::default(),
            plans: Plans::default(),
            fields: Fields::default(),
            sources: Vec::new(),
            warnings,
            last: LastStep::default(),
            execution: Execution { simd, threads, scratches: Vec::new() },
            world,
        }
    }

    /// Runs on `threads` threads of its own from now on. Results do not depend on it.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        self.execution.threads = Threads::Own(pool);
        Ok(())
    }

    /// How many threads it runs on.
    pub fn threads(&self) -> usize {
        self.execution.threads()
    }

    /// Turns the vector kernels off (or on again, if the processor has them). Results do not depend
    /// on it; tests and benchmarks do.
    pub fn set_simd(&mut self, enabled: bool) {
        self.execution.simd = if enabled { Vectors::detect() } else { None };
    }

    /// Makes everybody who is there walk exactly straight, for studies of symmetric encounters.
    ///
    /// People's own ideas of straight ahead differ by up to 0.0001 radians, since two who meet exactly
    /// head-on could otherwise not decide on which side to pass. People who come later have theirs.
    pub fn straighten(&mut self) {
        self.people.side_biases.fill(0.0);
    }

    /// Registers a list of goals and returns its number, for [`NewPerson::plan`].
    ///
    /// # Errors
    ///
    /// If a goal names a region or floor that does not exist, or holds a number that is not one.
    pub fn add_plan(&mut self, plan: Plan) -> Result<u32, CrowdError> {
        plan.check(&self.world.setting)?;
        Ok(self.plans.push(plan))
    }

    /// Adds a person. They take part from the next step on.
    ///
    /// # Errors
    ///
    /// If something about them is out of range: nothing that is not a number may enter the state.
    pub fn add(&mut self, person: &NewPerson) -> Result<PersonId, CrowdError> {
        person.check(self.plans.list.len(), self.setting().layers.len(), &self.models)?;
        Ok(self.insert(person))
    }

    /// Adds a person who is known to be sound.
    pub(crate) fn insert(&mut self, person: &NewPerson) -> PersonId {
        let Self { world, models, plans, fields, people, intents, .. } = self;
        Newcomers { world, models, plans, fields, people, intents }.insert(person)
    }

    /// Makes a person known as number `index` of those listed in their group, for goals that name
    /// them.
    pub fn list(&mut self, group: GroupId, id: PersonId) {
        self.people.list(group, id);
    }

    /// Takes a person out; `false` if there is no such person (any more).
    pub fn remove(&mut self, id: PersonId) -> bool {
        self.people.remove(id, &mut self.intents)
    }

    /// What is allowed but unwise about the scene the crowd came from.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// How many people there are.
    pub fn len(&self) -> usize {
        self.people.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.people.len() == 0
    }

    /// How many people there ever were.
    pub fn ever(&self) -> u32 {
        self.people.ever()
    }

    /// How many people have this status.
    pub fn count(&self, status: Status) -> usize {
        self.intents.statuses.iter().filter(|&&other| other == status).count()
    }

    /// Whether somebody may still appear at a source.
    pub fn expects_people(&self) -> bool {
        self.sources.iter().any(|source| !source.is_exhausted())
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.world.time()
    }

    /// Number of steps made.
    pub fn steps(&self) -> u64 {
        self.world.steps
    }

    /// The steering models that there are.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// The world around.
    pub fn setting(&self) -> &Setting {
        &self.world.setting
    }

    /// Everyone, in ascending order of id.
    pub fn people(&self) -> impl Iterator<Item = PersonState> + '_ {
        self.people.rows_by_id().map(|row| self.state(row))
    }

    /// Everyone as seen from afar, in ascending order of id. Cheaper than [`Crowd::people`].
    pub fn appearances(&self) -> impl Iterator<Item = Appearance> + '_ {
        let (people, intents) = (&self.people, &self.intents);
        people.rows_by_id().map(move |row| Appearance {
            id: PersonId(people.ids[row]),
            group: people.groups[row],
            layer: people.layers[row],
            position: people.positions[row],
            height: self.world.height(people, row),
            facing: people.facings[row],
            status: intents.statuses[row],
            temperament: people.temperament(row),
        })
    }

    /// One person, while they are there.
    pub fn person(&self, id: PersonId) -> Option<PersonState> {
        self.people.row(id).map(|row| self.state(row))
    }

    /// What a person did in the last step of their own accord, and what was done to them; `None` if they are not there or
    /// have not made a step yet.
    pub fn doing(&self, id: PersonId) -> Option<Doing> {
        let row = self.people.row(id).filter(|_| id.0 < self.last.grid.first_unsorted)?;
        let LastStep { grid, outcomes, .. } = &self.last;
        let is_theirs = |&entry: &usize| grid.entries.get(entry).is_some_and(|e| e.id() == id.0);
        // Rows move when people leave.
        let at = Some(*grid.entry_of_row.get(row)? as usize).filter(is_theirs);
        let at = at.or_else(|| grid.entries.iter().position(|e| e.id() == id.0 && !e.is_echo()))?;
        let (chosen, velocity) = (outcomes.all[at].velocity, self.people.velocities[row]);
        Some(Doing { chosen, push: self.people.pushes[row], is_disturbed: chosen != velocity })
    }

    /// What somebody is like; `None` if they have no traits or are not there.
    pub fn temperament(&self, id: PersonId) -> Option<Temperament> {
        self.people.temperament(self.people.row(id)?)
    }

    /// Why somebody whose status is [`Status::NoPath`] has no way to their goal.
    pub fn why_no_path(&self, id: PersonId) -> Option<NoWay> {
        let lost = |&row: &usize| self.intents.statuses[row] == Status::NoPath;
        let (row, context) = (self.people.row(id).filter(lost)?, self.requests());
        self.guidance.as_ref()?.why_not(&context.request(row), context.lane(row), self.world.random)
    }

    /// Bytes of memory per person, capacities included.
    pub fn memory_per_person(&self) -> usize {
        let bytes = self.people.memory() + self.intents.memory() + self.last.memory();
        bytes / self.len().max(1)
    }

    /// What requests for ways are made of.
    pub(crate) fn requests(&self) -> RequestContext<'_> {
        let Self { world, people, intents, plans, .. } = self;
        RequestContext { world, people, intents, plans }
    }

    pub(crate) fn state(&self, row: usize) -> PersonState {
        let (people, intents) = (&self.people, &self.intents);
        PersonState {
            id: PersonId(people.ids[row]),
            group: people.groups[row],
            layer: people.layers[row],
            position: people.positions[row],
            height: self.world.height(people, row),
            heading: Heading::along(people.facings[row]).unwrap_or_default(),
            velocity: people.velocities[row],
            preferred_velocity: intents.preferred_velocities[row],
            radius: people.radii[row],
            status: intents.statuses[row],
            obstruction: self.obstruction(row),
        }
    }

    /// Advances everyone by one step.
    pub fn step(&mut self) {
        self.step_as(None);
    }

    /// Advances everyone by one step together with their bodies: where these get to is where people are.
    pub fn step_with_bodies(&mut self, bodies: &mut (dyn Embodiment + Send)) {
        self.step_as(Some(bodies));
    }

    fn step_as(&mut self, bodies: Option<&mut (dyn Embodiment + Send)>) {
        let workers = Workers { parallel: self.workers() > 1 };
        let threads = std::mem::replace(&mut self.execution.threads, Threads::Ambient);
        let needs_pool = workers.parallel || bodies.is_some();
        let step = || match workers.parallel {
            true => {
                with_others_awake(|| self.step_with(workers, bodies.map(|bodies| bodies as _)));
            }
            false => self.step_with(workers, bodies.map(|bodies| bodies as _)),
        };
        match &threads {
            // Waking a thread of the pool would take longer than the step of a few people. Bodies are
            // more work than that.
            Threads::Own(pool) if needs_pool => pool.install(step),
            _ => step(),
        }
        self.execution.threads = threads;
    }
}
