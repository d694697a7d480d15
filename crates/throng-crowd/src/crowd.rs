//! The crowd: who is there, and the way to add, remove, move and look at them.

use std::sync::Mutex;

use glam::Vec2;
use throng_base::random::{Purpose, Random};
use throng_base::{Bounds, Heading};
use throng_nav::{MapRules, NoWay};
use throng_simd::Vectors;
use throng_world::scene::{GroupId, LayerId, Led, Region};
use throng_world::{Connector, Layer, Obstacle, Temperament};

use crate::PersonId;
use crate::check::CrowdError;
use crate::columns::OptionalColumn;
use crate::companions::{Bond, Parties};
use crate::contact::Contacts;
use crate::fields::LiveField;
use crate::goals::Plan;
use crate::grid::Grid;
use crate::ground::Ground;
use crate::guidance::Guidance;
use crate::jams::Jams;
use crate::population::{NewPerson, Population};
use crate::source::ActiveSource;
use crate::status::{Obstruction, Status};
use crate::steering::Models;
use crate::step::{Chunk, Embodiment, Move, Outcome, Scratch};
use crate::timings::StageTimes;

/// What a crowd lives in and by.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Time between two states, s.
    pub step: f64,
    /// What all randomness derives from.
    pub seed: u64,
    /// Floors.
    pub layers: Vec<Layer>,
    /// Ways between floors.
    pub connectors: Vec<Connector>,
    /// The world ends here: there are no ways outside.
    pub bounds: Bounds,
    /// What stands around, some of it for some time only.
    pub obstacles: Vec<Obstacle>,
    /// How far from walls anybody heeds them, m.
    pub wall_reach: f32,
    /// Places that goals speak of.
    pub regions: Vec<Region>,
    /// How ways are found. Without, people walk straight to their goals.
    pub navigation: Option<MapRules>,
    /// Whether people slow down on slopes and stairs.
    pub slopes: bool,
    /// Whether bodies that would overlap are pushed apart.
    pub contacts: bool,
}

/// People who move.
pub struct Crowd {
    pub(crate) setting: Setting,
    pub(crate) random: Random,
    pub(crate) plans: Vec<Plan>,
    /// The plans among them that were made for people under way.
    pub(crate) lent: Vec<u32>,
    pub(crate) listed: Vec<Vec<PersonId>>,
    pub(crate) connected: Vec<u8>,
    pub(crate) models: Models,
    pub(crate) people: Population,
    pub(crate) ground: Ground,
    pub(crate) guidance: Option<Guidance>,
    /// Who walks with whom.
    pub(crate) parties: Parties,
    /// What everybody wants before they heed their companions, and what becomes of bonds; empty without parties.
    pub(crate) wishes: Vec<Vec2>,
    pub(crate) bonds: OptionalColumn<Bond>,
    /// By id; `None` where one was taken away.
    pub(crate) fields: Vec<Option<LiveField>>,
    /// How groups are led.
    pub(crate) leads: Vec<Option<Led>>,
    /// Whether it is known that nobody has goals: all are led by fields.
    pub(crate) everyone_drifts: bool,
    /// Ids of those who wait for a way since they last considered their goals, in any order.
    pub(crate) asking: Vec<u32>,
    /// Whether others may do so as well.
    pub(crate) somebody_asks: bool,
    /// What people know of jams.
    pub(crate) jams: Jams,
    pub(crate) grid: Grid,
    pub(crate) contacts: Contacts,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) chunks: Vec<Chunk>,
    /// What bodies were asked in the last step, if there are any.
    pub(crate) moves: Vec<Move>,
    /// How far bodies may take people from where steering wants them, m.
    pub(crate) largest_shift: f32,
    pub(crate) scratches: Vec<Mutex<Scratch>>,
    pub(crate) simd: Option<Vectors>,
    threads: Threads,
    pub(crate) steps: u64,
    /// Mean distance of the k-th neighbour at the last step, m.
    pub(crate) spacing: f32,
    /// Who would overlap somebody, by chunk.
    pub(crate) in_contact: Vec<Vec<u32>>,
    pub(crate) sources: Vec<ActiveSource>,
    /// Ids from here on are not in the grid yet.
    pub(crate) first_unsorted: u32,
    /// The largest there ever was, m.
    pub(crate) largest_radius: f32,
    /// The largest there ever was, m/s.
    pub(crate) largest_speed: f32,
    pub(crate) warnings: Vec<String>,
    pub(crate) timings: StageTimes,
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

/// By how much people's own idea of straight ahead differs, radians: two who meet exactly head on
/// would otherwise never decide on which side to pass.
const LARGEST_BIAS: f32 = 1e-4;

/// Who does the work.
enum Threads {
    /// The caller's thread or pool.
    Ambient,
    /// A pool of its own.
    Own(rayon::ThreadPool),
}

impl Crowd {
    /// An empty crowd. It runs on the global thread pool.
    pub fn new(setting: Setting) -> Self {
        Self::with_models(setting, Models::standard())
    }

    /// An empty crowd whose people can be steered by these models.
    pub fn with_models(setting: Setting, models: Models) -> Self {
        let mut warnings = Vec::new();
        let ground = Ground::new(&setting, &mut warnings);
        let connected = connected_floors(setting.layers.len(), &setting.connectors);
        Self {
            random: Random::new(setting.seed),
            plans: Vec::new(),
            lent: Vec::new(),
            listed: Vec::new(),
            connected,
            models,
            people: Population::default(),
            guidance: ground
                .map()
                .map(|map| Guidance::new(map, &setting.regions, setting.step as f32)),
            ground,
            parties: Parties::default(),
            wishes: Vec::new(),
            bonds: OptionalColumn::default(),
            fields: Vec::new(),
            leads: Vec::new(),
            everyone_drifts: false,
            asking: Vec::new(),
            somebody_asks: false,
            jams: Jams::default(),
            grid: Grid::default(),
            contacts: Contacts::default(),
            outcomes: Vec::new(),
            chunks: Vec::new(),
            moves: Vec::new(),
            largest_shift: 0.0,
            scratches: Vec::new(),
            simd: Vectors::detect(),
            threads: Threads::Ambient,
            steps: 0,
            spacing: 2.0,
            in_contact: Vec::new(),
            sources: Vec::new(),
            first_unsorted: 0,
            largest_radius: 0.0,
            largest_speed: 0.0,
            warnings,
            timings: StageTimes::default(),
            setting,
        }
    }

    /// Runs on `threads` threads of its own from now on. Results do not depend on it.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        self.threads = Threads::Own(pool);
        Ok(())
    }

    /// How many threads it runs on.
    pub fn threads(&self) -> usize {
        match &self.threads {
            Threads::Ambient => rayon::current_num_threads(),
            Threads::Own(pool) => pool.current_num_threads(),
        }
    }

    /// Turns the vector kernels off (or on again, if the processor has them). Results do not depend
    /// on it; tests and benchmarks do.
    pub fn set_simd(&mut self, enabled: bool) {
        self.simd = if enabled { Vectors::detect() } else { None };
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
        plan.check(self.setting.regions.len(), self.setting.layers.len())?;
        self.plans.push(plan);
        Ok(self.plans.len() as u32 - 1)
    }

    /// Adds a person. They take part from the next step on.
    ///
    /// # Errors
    ///
    /// If something about them is out of range: nothing that is not a number may enter the state.
    pub fn add(&mut self, person: &NewPerson) -> Result<PersonId, CrowdError> {
        person.check(self.plans.len(), self.setting.layers.len(), &self.models)?;
        Ok(self.insert(person))
    }

    /// Adds a person who is known to be sound.
    pub(crate) fn insert(&mut self, person: &NewPerson) -> PersonId {
        self.largest_radius = self.largest_radius.max(person.radius);
        self.largest_speed = self.largest_speed.max(person.max_speed);
        let who = u64::from(self.people.ever());
        let mut stream = self.random.stream(who, 0, Purpose::SymmetryBreaking);
        let model = self.models.find(person.steering.model().name).unwrap_or_default();
        let side_bias = stream.between(-LARGEST_BIAS, LARGEST_BIAS);
        let id = self.people.add(person, model, side_bias);
        self.find_floor(self.people.len() - 1);
        self.begin_obedience(self.people.len() - 1);
        id
    }

    /// Makes a person known as number `index` of those listed in their group, for goals that name
    /// them.
    pub fn list(&mut self, group: GroupId, id: PersonId) {
        let group = group.0 as usize;
        if self.listed.len() <= group {
            self.listed.resize_with(group + 1, Vec::new);
        }
        self.listed[group].push(id);
    }

    /// Takes a person out; `false` if there is no such person (any more).
    pub fn remove(&mut self, id: PersonId) -> bool {
        self.people.remove(id)
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
        self.people.statuses.iter().filter(|&&other| other == status).count()
    }

    /// Whether somebody may still appear at a source.
    pub fn expects_people(&self) -> bool {
        self.sources.iter().any(|source| !source.is_exhausted())
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.setting.step
    }

    /// Number of steps made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The steering models that there are.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// The world around.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Everyone, in ascending order of id.
    pub fn people(&self) -> impl Iterator<Item = PersonState> + '_ {
        self.people.rows_by_id().map(|row| self.state(row))
    }

    /// Everyone as seen from afar, in ascending order of id. Cheaper than [`Crowd::people`].
    pub fn appearances(&self) -> impl Iterator<Item = Appearance> + '_ {
        let people = &self.people;
        people.rows_by_id().map(move |row| Appearance {
            id: PersonId(people.ids[row]),
            group: people.groups[row],
            layer: people.layers[row],
            position: people.positions[row],
            height: self.height(row),
            facing: people.facings[row],
            status: people.statuses[row],
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
        let row = self.people.row(id).filter(|_| id.0 < self.first_unsorted)?;
        let is_theirs = |&entry: &usize| self.grid.entries.get(entry).is_some_and(|e| e.id() == id.0);
        // Rows move when people leave.
        let at = Some(*self.grid.entry_of_row.get(row)? as usize).filter(is_theirs);
        let at = at.or_else(|| self.grid.entries.iter().position(|e| e.id() == id.0 && !e.is_echo()))?;
        let (chosen, velocity) = (self.outcomes[at].velocity, self.people.velocities[row]);
        Some(Doing { chosen, push: self.people.pushes[row], is_disturbed: chosen != velocity })
    }

    /// What somebody is like; `None` if they have no traits or are not there.
    pub fn temperament(&self, id: PersonId) -> Option<Temperament> {
        self.people.temperament(self.people.row(id)?)
    }

    /// Why somebody whose status is [`Status::NoPath`] has no way to their goal.
    pub fn why_no_path(&self, id: PersonId) -> Option<NoWay> {
        let row = self.people.row(id).filter(|&row| self.people.statuses[row] == Status::NoPath)?;
        self.guidance.as_ref()?.why_not(&self.request(row), self.lane(row), self.random)
    }

    /// Bytes of memory per person, capacities included.
    pub fn memory_per_person(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Chunk::memory).sum();
        let in_contact: usize = self.in_contact.iter().map(|list| 4 * list.capacity()).sum();
        let bytes = self.people.memory()
            + self.grid.memory()
            + self.contacts.memory()
            + self.outcomes.capacity() * size_of::<Outcome>()
            + chunks
            + in_contact;
        bytes / self.len().max(1)
    }

    /// Height of the ground where the person in a row is, m.
    pub(crate) fn height(&self, row: usize) -> f32 {
        let people = &self.people;
        let (position, layer) = (people.positions[row], people.layers[row]);
        match people.connectors[row] {
            0 => self.setting.layers[layer.0 as usize].height(position),
            on => self.setting.connectors[on as usize - 1].height(&self.setting.layers, position),
        }
    }

    pub(crate) fn state(&self, row: usize) -> PersonState {
        let people = &self.people;
        PersonState {
            id: PersonId(people.ids[row]),
            group: people.groups[row],
            layer: people.layers[row],
            position: people.positions[row],
            height: self.height(row),
            heading: Heading::along(people.facings[row]).unwrap_or_default(),
            velocity: people.velocities[row],
            preferred_velocity: people.preferred_velocities[row],
            radius: people.radii[row],
            status: people.statuses[row],
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
        let workers = self.workers();
        let threads = std::mem::replace(&mut self.threads, Threads::Ambient);
        match &threads {
            // Waking a thread of the pool would take longer than the step of a few people. Bodies are
            // more work than that.
            Threads::Own(pool) if workers > 1 || bodies.is_some() => {
                pool.install(|| self.step_with(workers, bodies.map(|bodies| bodies as _)));
            }
            _ => self.step_with(workers, bodies.map(|bodies| bodies as _)),
        }
        self.threads = threads;
    }
}

/// Numbers floors so that those joined by connectors have the same number.
fn connected_floors(count: usize, connectors: &[Connector]) -> Vec<u8> {
    let mut class: Vec<u8> = (0..count).map(|floor| floor as u8).collect();
    for connector in connectors {
        let (a, b) = (class[connector.lower.0 as usize], class[connector.upper.0 as usize]);
        for floor in class.iter_mut().filter(|floor| **floor == b) {
            *floor = a;
        }
    }
    class
}
