//! The engine: a scene in motion.

mod pipeline;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use throng_base::frame::ground_to_world;
use throng_crowd::steering::{MODELS, Models, ParameterInfo};
use throng_crowd::{Crowd, Obstruction, PersonId, PersonState, Stage, Status};
use throng_world::scene::{ModelSchema, ParameterSchema};
use throng_world::{Scene, SceneErrors};

use crate::bodies::{Cast, Company, Ensemble, Passer, Sights, Viewer, Wish};
use crate::recording::{Frame, Person, Recorder, RecordingError};
use crate::scaler::{FALLEN, Scaler, ScalerOptions, Screens, Spent, Subject, View};
pub use pipeline::{PipelineStage, PipelineTimes};

/// A scene in motion.
///
/// ```no_run
/// let mut engine = throng::Engine::load("scenes/plaza.toml")?;
/// while !engine.is_finished() {
///     engine.step();
/// }
/// for person in engine.crowd().people() {
///     println!("{:?} is at {}", person.id, person.position);
/// }
/// # Ok::<(), throng::SceneErrors>(())
/// ```
pub struct Engine {
    scene: Scene,
    crowd: Crowd,
    bodies: Bodies,
    scaler: Option<Scaler>,
    views: Vec<View>,
    /// What hides people from them.
    screens: Screens,
    /// Who is more important than what is seen of them.
    importance: BTreeMap<PersonId, f32>,
    /// What bodies look at.
    sights: Sights,
    enabled: pipeline::Enabled,
    times: PipelineTimes,
    frame: Frame,
}

/// Who has a body.
enum Bodies {
    Nobody,
    Everybody(Box<Ensemble>),
    /// As much of one as they are worth.
    Scaled(Box<Company>),
}

impl Bodies {
    fn ensemble(&self) -> Option<&Ensemble> {
        match self {
            Self::Nobody => None,
            Self::Everybody(ensemble) => Some(ensemble),
            Self::Scaled(company) => Some(company.ensemble()),
        }
    }

    /// Goes on in a scene that has changed, or begins anew in it.
    fn adopt(&mut self, scene: &Scene, begins_anew: bool) {
        match self {
            Self::Nobody => {}
            Self::Everybody(ensemble) => {
                ensemble.adopt(scene);
                if begins_anew {
                    ensemble.clear();
                }
            }
            Self::Scaled(company) => {
                company.adopt(scene);
                if begins_anew {
                    company.clear();
                }
            }
        }
    }
}

/// How an engine has come to follow an edited scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adoption {
    /// Everybody goes on from where they are.
    Continued,
    /// The change was too deep, and it began anew.
    Restarted,
}

/// How a run went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunSummary {
    /// Steps made.
    pub steps: u64,
    /// Simulated time, s.
    pub simulated: f64,
    /// Time it took.
    pub elapsed: Duration,
    /// People who took part.
    pub people: u32,
    /// People who were there at the end.
    pub remaining: usize,
    /// Steps times people.
    pub person_steps: u64,
}

/// How far a run has come, for progress displays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Steps made.
    pub steps: u64,
    /// Steps in all.
    pub total: u64,
    /// People there now.
    pub people: usize,
    /// Steps times people so far.
    pub person_steps: u64,
}

impl Engine {
    /// Loads a scene file and sets everyone in place.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        Self::new(Scene::load(path)?)
    }

    /// Sets everyone of a scene in place. Change the scene's settings before, not after.
    pub fn new(scene: Scene) -> Result<Self, SceneErrors> {
        Self::with_models(scene, &Models::standard())
    }

    /// The same with these steering models, among them some of the caller's.
    pub fn with_models(scene: Scene, models: &Models) -> Result<Self, SceneErrors> {
        let crowd = Crowd::from_scene_with(&scene, models)?;
        let (sights, screens) = (Sights::of(&scene), Screens::of(&scene));
        Ok(Self {
            scene,
            crowd,
            bodies: Bodies::Nobody,
            scaler: None,
            views: Vec::new(),
            screens,
            importance: BTreeMap::new(),
            sights,
            enabled: pipeline::Enabled::default(),
            times: PipelineTimes::default(),
            frame: Frame::default(),
        })
    }

    /// Follows an edited scene from now on. People go on from where they are if that can be; if floors,
    /// bounds, the step or the seed have changed, the scene begins anew.
    ///
    /// # Errors
    ///
    /// Those of [`Crowd::adopt`] and [`Engine::new`]. Nothing has changed then.
    pub fn adopt(&mut self, scene: Scene) -> Result<Adoption, SceneErrors> {
        let adoption = if Crowd::can_adopt(&self.scene, &scene) {
            self.crowd.adopt(&self.scene, &scene)?;
            Adoption::Continued
        } else {
            self.crowd = Crowd::from_scene_with(&scene, self.crowd.models())?;
            Adoption::Restarted
        };
        let viewers = self.sights.viewers().to_vec();
        self.sights = Sights::of(&scene);
        self.sights.set_viewers(&viewers);
        self.screens = Screens::of(&scene);
        self.scene = scene;
        let begins_anew = adoption == Adoption::Restarted;
        if begins_anew {
            self.importance.clear();
        }
        self.bodies.adopt(&self.scene, begins_anew);
        Ok(adoption)
    }

    /// Runs on `threads` threads from now on. Results do not depend on it.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), rayon::ThreadPoolBuildError> {
        self.crowd.set_threads(threads)
    }

    /// How many threads it runs on.
    pub fn threads(&self) -> usize {
        self.crowd.threads()
    }

    /// What is simulated.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The people.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The people, to add to or take from.
    pub fn crowd_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.crowd.time()
    }

    /// How many steps the scene asks for.
    pub fn total_steps(&self) -> u64 {
        (self.scene.settings.duration / self.scene.settings.step).round().max(1.0) as u64
    }

    /// Whether the scene's duration is over.
    pub fn is_finished(&self) -> bool {
        self.crowd.steps() >= self.total_steps()
    }

    /// Gives everybody a body of `cast` from now on, or takes them away. Bodies stand on the ground of the scene, be
    /// it uneven or stairs; animals need a cast [for the scene](Cast::for_scene).
    ///
    /// People then are where their bodies are: a body that cannot follow at once, because its feet stand,
    /// corrects the simulation by some millimetres in each step. Results differ from those without, and are as
    /// reproducible.
    pub fn set_bodies(&mut self, cast: Option<Arc<Cast>>) {
        let scene = &self.scene;
        let wish = |person: PersonState| Wish {
            id: person.id.0,
            group: person.group,
            position: person.position,
            height: person.height,
            temperament: Some(self.crowd.temperament(person.id).unwrap_or_default()),
            ..Wish::default()
        };
        let wishes: Vec<Wish> = self.crowd.people().map(wish).collect();
        let of = |cast| {
            let mut bodies = Ensemble::new(cast, scene.settings.seed).in_scene(scene);
            // As whoever shows the recording dresses them, which begins with where they are now.
            bodies.dress(&wishes);
            bodies
        };
        self.bodies = match (cast, &self.scaler) {
            (None, _) => Bodies::Nobody,
            (Some(cast), None) => Bodies::Everybody(Box::new(of(cast))),
            (Some(cast), Some(_)) => Bodies::Scaled(Box::new(Company::new(of(cast)))),
        };
    }

    /// Everybody's body, if they have any; of a crowd that is [scaled](Self::set_scaling), the bodies of those who have
    /// one of their own. There is nobody in it before the first step.
    pub fn bodies(&self) -> Option<&Ensemble> {
        self.bodies.ensemble()
    }

    /// Everybody of a crowd that is [scaled](Self::set_scaling) and has bodies.
    pub fn company(&self) -> Option<&Company> {
        match &self.bodies {
            Bodies::Scaled(company) => Some(company),
            _ => None,
        }
    }

    /// Simulates and animates everybody with as much effort as they are worth from now on, seen through
    /// [views](Self::set_views), or everybody in full again. Bodies begin anew.
    ///
    /// What people do then depends on who looks at them, and is as reproducible as the views are.
    pub fn set_scaling(&mut self, options: Option<ScalerOptions>) {
        let cast = self.bodies.ensemble().map(|ensemble| ensemble.cast().clone());
        match (&mut self.scaler, options) {
            (Some(scaler), Some(options)) => return scaler.set_options(options),
            (scaler, options) => *scaler = options.map(Scaler::new),
        }
        if self.scaler.is_none() {
            let ids: Vec<PersonId> = self.crowd.people().map(|person| person.id).collect();
            for id in ids {
                self.crowd.set_effort(id, crate::scaler::Effort::Full);
            }
        }
        self.set_bodies(cast);
    }

    /// What everybody is worth, if that is asked for.
    pub fn scaler(&self) -> Option<&Scaler> {
        self.scaler.as_ref()
    }

    /// Who looks at the crowd from now on: everybody is worth what the best of these views sees of them. Without any,
    /// nobody is seen.
    pub fn set_views(&mut self, views: &[View]) {
        self.views.clear();
        self.views.extend_from_slice(views);
    }

    /// Who may be looked at from now on, beside people and what the scene has: a camera, or somebody who is tracked.
    pub fn set_viewers(&mut self, viewers: &[Viewer]) {
        self.sights.set_viewers(viewers);
    }

    /// How important somebody is beyond what is seen of them, from 0 to 1, for as long as they are there. From one half
    /// on they have a body of their own whenever they are in view.
    pub fn set_importance(&mut self, id: PersonId, importance: f32) {
        if importance > 0.0 {
            self.importance.insert(id, importance.min(1.0));
        } else {
            self.importance.remove(&id);
        }
    }

    /// Makes a stage of every step, or leaves it out: without the simulator nobody moves and no time passes, without the animator bodies
    /// stay as they are and people are simulated as if they had none, without gaze everybody looks ahead, without the scaler everybody keeps
    /// their levels.
    pub fn enable(&mut self, stage: PipelineStage, enabled: bool) {
        self.enabled.set(stage, enabled);
    }

    /// How long the stages of the last step took.
    pub fn times(&self) -> &PipelineTimes {
        &self.times
    }

    /// Advances by one step: decides what everybody is worth, simulates, moves bodies, and lets them look around.
    pub fn step(&mut self) {
        self.times = PipelineTimes::default();
        let mut last = Instant::now();
        if self.enabled.has(PipelineStage::Scaler) {
            let _span = tracing::debug_span!("scaler").entered();
            self.scale();
        }
        self.times.set(PipelineStage::Scaler, last.elapsed());
        last = Instant::now();
        if !self.enabled.has(PipelineStage::Simulator) {
            return;
        }
        let span = tracing::debug_span!("simulator", people = self.crowd.len()).entered();
        match &mut self.bodies {
            Bodies::Everybody(ensemble) if self.enabled.has(PipelineStage::Animator) => {
                self.crowd.step_with_bodies(&mut **ensemble);
            }
            Bodies::Scaled(company) if self.enabled.has(PipelineStage::Animator) => {
                self.crowd.step_with_bodies(&mut **company);
            }
            _ => self.crowd.step(),
        }
        let animation = self.crowd.timings().of(Stage::Bodies);
        let simulation = last.elapsed().saturating_sub(animation);
        self.times.set(PipelineStage::Simulator, simulation);
        self.times.set(PipelineStage::Animator, animation);
        if let Some(scaler) = &mut self.scaler {
            let (mut spent, mut count) = ([animation, Duration::ZERO], 0);
            if let Bodies::Scaled(company) = &self.bodies {
                // What it takes to ask for wishes and to take over counts, too.
                spent = [company.spent(), animation.saturating_sub(company.spent())];
                count = company.ensemble().members().len();
            }
            let [bodies, others] = spent;
            scaler.spent(&Spent { bodies, count, others, simulation });
        }
        drop(span);
        last = Instant::now();
        if self.enabled.has(PipelineStage::Gaze) && self.enabled.has(PipelineStage::Animator) {
            let _span = tracing::debug_span!("gaze").entered();
            self.look_around();
        }
        let gaze = last.elapsed();
        self.times.set(PipelineStage::Gaze, gaze);
        if let (Some(scaler), Bodies::Scaled(company)) = (&mut self.scaler, &self.bodies) {
            scaler.spent_looking(gaze, company.looking());
        }
    }

    /// Everybody with a body looks around. It changes poses, and nothing of the simulation.
    fn look_around(&mut self) {
        let seconds = self.scene.settings.step as f32;
        match &mut self.bodies {
            Bodies::Nobody => {}
            Bodies::Everybody(ensemble) => {
                let passers: Vec<Passer> = ensemble.passers();
                ensemble.look_around(&self.sights, passers.into_iter(), seconds);
            }
            Bodies::Scaled(company) => company.look_around(&self.sights, seconds),
        }
    }

    /// Gives everybody the levels they are worth.
    fn scale(&mut self) {
        let Some(scaler) = &mut self.scaler else { return };
        let seconds = self.scene.settings.step as f32;
        self.importance.retain(|id, _| self.crowd.person(*id).is_some());
        let importance = &self.importance;
        let subjects = self.crowd.appearances().map(|person| {
            let lies = if person.status == Status::Fallen { FALLEN } else { 0.0 };
            Subject {
                id: person.id.0,
                place: ground_to_world(person.position, person.height),
                importance: importance.get(&person.id).map_or(lies, |given| given.max(lies)),
            }
        });
        scaler.judge_among(subjects, &self.views, &self.screens, seconds);
        for (id, levels) in scaler.levels() {
            self.crowd.set_effort(PersonId(id), levels.effort);
        }
        if let Bodies::Scaled(company) = &mut self.bodies {
            company.set_levels(scaler.levels().map(|(id, levels)| (id, levels.body)));
            let lookers = scaler.levels().filter(|(_, levels)| levels.looks);
            company.set_lookers(Some(lookers.map(|(id, _)| id)));
        }
    }

    /// Writes the present state into `frame`, whose memory is reused. Its number is left as it is.
    pub fn snapshot(&self, frame: &mut Frame) {
        frame.time = self.time();
        frame.people.clear();
        self.crowd.people().for_each(|person| frame.people.push(recorded(&person)));
    }

    /// Runs to the end of the scene, recording every state the scene asks to keep, the first one
    /// included. `progress` is called after every step; on `false` the run ends early.
    ///
    /// # Errors
    ///
    /// Those of the recorder; the recording then holds what was written before.
    pub fn run(
        &mut self,
        recorder: Option<&mut Recorder>,
        progress: impl FnMut(Progress) -> bool,
    ) -> Result<RunSummary, RecordingError> {
        match recorder {
            Some(recorder) => self.run_kept(Some(|frame: &_| recorder.push(frame)), progress),
            None => self.run_kept(None::<fn(&Frame) -> Result<(), RecordingError>>, progress),
        }
    }

    /// Runs to the end of the scene and gives every state the scene asks to keep to `keep`, the
    /// first one included. `progress` is called after every step; on `false` the run ends early.
    ///
    /// # Errors
    ///
    /// Those of `keep`, on which the run ends at once.
    pub fn run_with<E>(
        &mut self,
        keep: impl FnMut(&Frame) -> Result<(), E>,
        progress: impl FnMut(Progress) -> bool,
    ) -> Result<RunSummary, E> {
        self.run_kept(Some(keep), progress)
    }

    fn run_kept<E>(
        &mut self,
        mut keep: Option<impl FnMut(&Frame) -> Result<(), E>>,
        mut progress: impl FnMut(Progress) -> bool,
    ) -> Result<RunSummary, E> {
        let begin = Instant::now();
        let (first_step, total) = (self.crowd.steps(), self.total_steps());
        let mut person_steps = 0;
        if let Some(keep) = &mut keep {
            self.give_frame(keep)?;
        }
        while !self.is_finished() {
            self.step();
            person_steps += self.crowd.len() as u64;
            let is_kept =
                self.crowd.steps().is_multiple_of(u64::from(self.scene.settings.record_every));
            if let Some(keep) = keep.as_mut().filter(|_| is_kept) {
                self.give_frame(keep)?;
            }
            let steps = self.crowd.steps();
            if !progress(Progress { steps, total, people: self.crowd.len(), person_steps }) {
                break;
            }
        }
        Ok(RunSummary {
            steps: self.crowd.steps() - first_step,
            simulated: self.time(),
            elapsed: begin.elapsed(),
            people: self.crowd.ever(),
            remaining: self.crowd.len(),
            person_steps,
        })
    }

    fn give_frame<E>(&mut self, keep: &mut impl FnMut(&Frame) -> Result<(), E>) -> Result<(), E> {
        let mut frame = std::mem::take(&mut self.frame);
        self.snapshot(&mut frame);
        let result = keep(&frame);
        frame.index += 1;
        self.frame = frame;
        result
    }
}

fn recorded(person: &PersonState) -> Person {
    Person {
        id: person.id.0,
        group: person.group,
        layer: person.layer,
        position: person.position,
        height: person.height,
        heading: person.heading.radians(),
        velocity: person.velocity,
        radius: person.radius,
        status: person.status,
        blocked_by: match person.obstruction {
            Obstruction::Person(id) => Some(id.0),
            _ => None,
        },
    }
}

/// JSON Schema of the scene format, with all steering models and their parameters.
pub fn scene_schema() -> serde_json::Value {
    scene_schema_with(&MODELS)
}

/// The same with these steering models.
pub fn scene_schema_with(models: &Models) -> serde_json::Value {
    let parameter = |info: ParameterInfo| ParameterSchema {
        name: info.name.into(),
        description: info.description.into(),
        unit: info.unit.into(),
        default: info.default.into(),
        min: info.min.into(),
        max: info.max.into(),
    };
    let models: Vec<ModelSchema> = models
        .iter()
        .map(|model| ModelSchema {
            name: model.name.into(),
            summary: model.summary.into(),
            parameters: model.all_parameters().map(parameter).collect(),
            personalities: model
                .personalities
                .iter()
                .map(|kind| (kind.name.into(), kind.summary.into()))
                .collect(),
        })
        .collect();
    throng_world::scene::schema(&models)
}
