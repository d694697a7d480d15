//! The engine: a scene in motion.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use throng_base::frame::ground_to_world;
use throng_crowd::steering::{MODELS, Models, ParameterInfo};
use throng_crowd::{Appearance, Crowd, Obstruction, PersonId, PersonState, Status};
use throng_world::scene::{ModelSchema, ParameterSchema};
use throng_world::{Scene, SceneErrors};

use crate::animation::{Pipeline, PipelineStage, PipelineTimes};
use crate::bodies::{Cast, Ensemble, LodBodies, MotionTarget, Viewer};
use crate::recording::{Frame, Person, Recorder, RecordingError};
use crate::scaler::{Effort, FALLEN, Scaler, ScalerOptions, Subject, View};

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
    /// Levels of detail, bodies and gaze.
    pipeline: Pipeline,
    /// Whether people are where their bodies get to.
    has_feedback: bool,
    frame: Frame,
    /// Scratch memory, reused between steps.
    targets: Vec<MotionTarget>,
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
        Ok(Self {
            crowd,
            pipeline: Pipeline::new(Some(&scene)),
            scene,
            has_feedback: true,
            frame: Frame::default(),
            targets: Vec::new(),
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
        self.scene = scene;
        self.pipeline.adopt(&self.scene);
        if adoption == Adoption::Restarted {
            self.pipeline.clear();
        }
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
        let targets: Vec<MotionTarget> = MotionTarget::of_crowd(&self.crowd).collect();
        self.pipeline.set_bodies(cast.map(|cast| {
            let mut bodies = Ensemble::new(cast, self.scene.settings.seed).in_scene(&self.scene);
            // As whoever shows the recording dresses them, which begins with where they are now.
            bodies.dress(&targets);
            bodies
        }));
    }

    /// Whether people are where their bodies get to, as they are unless it is said otherwise. Without this feedback, bodies follow
    /// people where these are after each step: feet slide where a body cannot follow, and results are those without bodies.
    pub fn set_feedback(&mut self, feedback: bool) {
        self.has_feedback = feedback;
    }

    /// The full bodies, if people have any: everybody's, unless the crowd is [scaled](Self::set_scaling). There is nobody in it
    /// before the first step.
    pub fn bodies(&self) -> Option<&Ensemble> {
        self.pipeline.bodies()
    }

    /// The bodies of all levels of detail, if people have any.
    pub fn lod_bodies(&self) -> Option<&LodBodies> {
        self.pipeline.lod_bodies()
    }

    /// Assigns everybody levels of detail from now on, seen through [views](Self::set_views), or simulates and animates everybody
    /// in full again. Bodies begin anew.
    ///
    /// What people do then depends on who looks at them, and is as reproducible as the views are.
    pub fn set_scaling(&mut self, options: Option<ScalerOptions>) {
        self.pipeline.set_scaling(options);
        if options.is_none() {
            let ids: Vec<PersonId> = self.crowd.appearances().map(|person| person.id).collect();
            for id in ids {
                self.crowd.set_effort(id, Effort::Full);
            }
        }
    }

    /// What assigns levels of detail, if anything does.
    pub fn scaler(&self) -> Option<&Scaler> {
        self.pipeline.scaler()
    }

    /// The views through which people are seen from now on: everybody has the best level that any of them asks for. Without any,
    /// nobody is seen.
    pub fn set_views(&mut self, views: &[View]) {
        self.pipeline.set_views(views);
    }

    /// Who may be looked at from now on, beside people and what the scene has: a camera, or somebody who is tracked.
    pub fn set_viewers(&mut self, viewers: &[Viewer]) {
        self.pipeline.set_viewers(viewers);
    }

    /// Sets the importance of a person beyond what is seen of them. See [`Pipeline::set_importance`].
    pub fn set_importance(&mut self, id: PersonId, importance: f32) {
        self.pipeline.set_importance(id.0, importance);
    }

    /// Includes a stage in every step, or leaves it out: without the simulator nobody moves and no time passes, without the animator bodies
    /// stay as they are and people are simulated as if they had none, without gaze everybody looks ahead, without the scaler everybody keeps
    /// their levels.
    pub fn enable(&mut self, stage: PipelineStage, enabled: bool) {
        self.pipeline.enable(stage, enabled);
    }

    /// How long the stages of the last step took.
    pub fn times(&self) -> &PipelineTimes {
        self.pipeline.times()
    }

    /// Advances by one step: assigns levels, simulates, moves bodies, and lets them look around.
    pub fn step(&mut self) {
        let Self { pipeline, crowd, targets, .. } = self;
        let seconds = self.scene.settings.step as f32;
        pipeline.judge(crowd.appearances().map(subject), seconds);
        for (id, effort) in pipeline.efforts() {
            crowd.set_effort(PersonId(id), effort);
        }
        if !pipeline.is_enabled(PipelineStage::Simulator) {
            return;
        }
        let begin = Instant::now();
        let span = tracing::debug_span!("simulator", people = crowd.len()).entered();
        let is_two_way = self.has_feedback && pipeline.animates();
        match is_two_way {
            true => crowd.step_with_bodies(pipeline),
            false => crowd.step(),
        }
        drop(span);
        let animation = pipeline.times().of(PipelineStage::Animator);
        pipeline.simulated(begin.elapsed().saturating_sub(animation));
        if is_two_way {
            pipeline.look_around(seconds);
        } else if pipeline.animates() {
            targets.clear();
            targets.extend(MotionTarget::of_crowd(crowd));
            pipeline.follow(targets, seconds);
        }
    }

    /// Writes the present state into `frame`, whose memory is reused. Its number is left as it is.
    pub fn snapshot(&self, frame: &mut Frame) {
        frame.time = self.time();
        let parts = frame.people.parts(&self.crowd.part_lengths());
        self.crowd.visit_parts(parts, |mut part, people| {
            people.enumerate().for_each(|(i, person)| part.set(i, recorded(&person)));
        });
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

/// A person as the scaler sees them.
fn subject(person: Appearance) -> Subject {
    Subject {
        id: person.id.0,
        place: ground_to_world(person.position, person.height),
        importance: if person.status == Status::Fallen { FALLEN } else { 0.0 },
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
