//! Animation: the one pipeline that gives people levels of detail, moves their bodies and turns their eyes.
//!
//! A [`Pipeline`] follows [motion targets](crate::bodies::MotionTarget) under a set of [views](View). A frame has three parts, in this order:
//! [`Pipeline::judge`] assigns levels, bodies move, and everybody looks around. What differs between those who show people is only
//! where targets come from and what becomes of the bodies:
//!
//! - the [engine](crate::Engine) runs it two-way: bodies follow steering, and people are where their bodies get to ([`Embodiment`]);
//! - the studio runs it one-way ([`Pipeline::follow`]) on a live simulation or a recording, with the time between states divided;
//! - [films](crate::film) run it one-way and without levels on recordings and tracks.
//!
//! So the same targets at the same times give the same poses, bit by bit, whoever shows them, as long as levels are the same. A
//! person appears, already moving, in the interval that ends with the first target they have.

mod stages;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use throng_crowd::{Embodiment, Move};
use throng_world::Scene;

use crate::bodies::{Ensemble, LodBodies, MotionTarget, Sights, Viewer};
use crate::scaler::{Effort, Scaler, ScalerOptions, Screens, Subject, View};

pub use stages::{PipelineStage, PipelineTimes};

/// Levels of detail, bodies and gaze of a crowd. See the [module](self).
#[derive(Default)]
pub struct Pipeline {
    bodies: Option<LodBodies>,
    scaler: Option<Scaler>,
    views: Vec<View>,
    /// What hides people from views.
    screens: Screens,
    /// Importance beyond what is seen, by person.
    importance: BTreeMap<u32, f32>,
    /// What bodies look at.
    sights: Sights,
    /// Stages that are left out, by number.
    disabled: [bool; PipelineStage::ALL.len()],
    times: PipelineTimes,
    /// Scratch memory, reused between steps.
    targets: Vec<MotionTarget>,
}

impl Pipeline {
    /// A pipeline without bodies or levels; in `scene`, if there is one.
    pub fn new(scene: Option<&Scene>) -> Self {
        let mut pipeline = Self::default();
        scene.into_iter().for_each(|scene| pipeline.adopt(scene));
        pipeline
    }

    /// Goes on in a scene that has changed.
    pub fn adopt(&mut self, scene: &Scene) {
        let viewers = self.sights.viewers().to_vec();
        self.sights = Sights::of(scene);
        self.sights.set_viewers(&viewers);
        self.screens = Screens::of(scene);
        self.bodies.iter_mut().for_each(|bodies| bodies.adopt(scene));
    }

    /// Forgets everybody: people begin anew.
    pub fn clear(&mut self) {
        self.bodies.iter_mut().for_each(LodBodies::clear);
        self.importance.clear();
    }

    /// Gives everybody a body of `ensemble` from now on, or takes bodies away.
    pub fn set_bodies(&mut self, ensemble: Option<Ensemble>) {
        self.bodies = ensemble.map(LodBodies::new);
        self.begin_levels();
    }

    /// The full bodies, if people have bodies.
    pub fn bodies(&self) -> Option<&Ensemble> {
        self.bodies.as_ref().map(LodBodies::ensemble)
    }

    /// The bodies of all levels, if people have bodies.
    pub fn lod_bodies(&self) -> Option<&LodBodies> {
        self.bodies.as_ref()
    }

    /// The bodies of all levels, to decide how people look before they appear.
    pub fn lod_bodies_mut(&mut self) -> Option<&mut LodBodies> {
        self.bodies.as_mut()
    }

    /// Assigns levels of detail from now on, or gives everybody a full body. Bodies begin anew if that changes.
    pub fn set_scaling(&mut self, options: Option<ScalerOptions>) {
        match (&mut self.scaler, options) {
            (Some(scaler), Some(options)) => return scaler.set_options(options),
            (scaler, options) => *scaler = options.map(Scaler::new),
        }
        self.begin_levels();
    }

    /// What assigns levels, if anything does.
    pub fn scaler(&self) -> Option<&Scaler> {
        self.scaler.as_ref()
    }

    /// The views through which people are seen from now on. Without any, nobody is.
    pub fn set_views(&mut self, views: &[View]) {
        self.views.clear();
        self.views.extend_from_slice(views);
    }

    /// Who may be looked at from now on, beside people and what the scene has.
    pub fn set_viewers(&mut self, viewers: &[Viewer]) {
        self.sights.set_viewers(viewers);
    }

    /// Sets the importance of a person beyond what is seen of them, from 0 to 1, for as long as they are there. From one half
    /// on they have a full body whenever they are in view.
    pub fn set_importance(&mut self, id: u32, importance: f32) {
        if importance > 0.0 {
            self.importance.insert(id, importance.min(1.0));
        } else {
            self.importance.remove(&id);
        }
    }

    /// Includes a stage in every frame, or leaves it out.
    pub fn enable(&mut self, stage: PipelineStage, enabled: bool) {
        self.disabled[stage as usize] = !enabled;
    }

    /// Whether a stage is included.
    pub fn is_enabled(&self, stage: PipelineStage) -> bool {
        !self.disabled[stage as usize]
    }

    /// Whether there are bodies, and they move.
    pub fn animates(&self) -> bool {
        self.bodies.is_some() && self.is_enabled(PipelineStage::Animator)
    }

    /// How long the stages of the last frame took.
    pub fn times(&self) -> &PipelineTimes {
        &self.times
    }

    /// Begins a frame, `seconds` after the one before, and assigns everybody their levels. `people` are in strictly
    /// ascending order of id.
    pub fn judge(&mut self, people: impl Iterator<Item = Subject>, seconds: f32) {
        self.times = PipelineTimes::default();
        if !self.is_enabled(PipelineStage::Scaler) {
            return;
        }
        let Self { scaler: Some(scaler), importance, .. } = self else { return };
        let _span = tracing::debug_span!("scaler").entered();
        let begin = Instant::now();
        let raised = |subject: Subject| {
            let given = importance.get(&subject.id).copied().unwrap_or_default();
            Subject { importance: subject.importance.max(given), ..subject }
        };
        scaler.judge_among(people.map(raised), &self.views, &self.screens, seconds);
        importance.retain(|id, _| scaler.level(*id).is_some());
        self.bodies.iter_mut().for_each(|bodies| bodies.set_levels(scaler.levels()));
        self.times.add(PipelineStage::Scaler, begin.elapsed());
    }

    /// The effort to simulate everybody with, in ascending order of id; nobody's without levels.
    pub fn efforts(&self) -> impl Iterator<Item = (u32, Effort)> + '_ {
        let levels = self.scaler.iter().flat_map(Scaler::levels);
        levels.map(|(id, levels)| (id, levels.effort))
    }

    /// Notes how long the simulation took: a budget in time goes by it.
    pub fn simulated(&mut self, took: Duration) {
        self.times.add(PipelineStage::Simulator, took);
        self.scaler.iter_mut().for_each(|scaler| scaler.spent_simulating(took));
    }

    /// Lets `seconds` pass, in which bodies follow their targets, and look around. `targets` are in strictly ascending order of
    /// id; whoever has none is gone, and whoever is new appears. If no time passes, the others stay as they are.
    pub fn follow(&mut self, targets: &[MotionTarget], seconds: f32) {
        if seconds == 0.0 {
            self.give_up_bodies();
        }
        self.animate(targets, seconds);
        self.look_around(seconds);
    }

    /// Moves bodies.
    fn animate(&mut self, targets: &[MotionTarget], seconds: f32) {
        if !self.animates() {
            return;
        }
        let Some(bodies) = &mut self.bodies else { return };
        let _span = tracing::debug_span!("animator").entered();
        let begin = Instant::now();
        bodies.follow(targets, seconds);
        let took = begin.elapsed();
        self.times.add(PipelineStage::Animator, took);
        if let Some(scaler) = self.scaler.as_mut().filter(|_| seconds > 0.0) {
            let full = bodies.spent();
            let others = took.saturating_sub(full);
            scaler.spent_animating(full, bodies.ensemble().members().len(), others);
        }
    }

    /// Everybody with a body looks around. It changes poses, and nothing else. While time stands, heads stay as they are.
    pub(crate) fn look_around(&mut self, seconds: f32) {
        if !self.animates() || !self.is_enabled(PipelineStage::Gaze) || seconds == 0.0 {
            return;
        }
        let Some(bodies) = &mut self.bodies else { return };
        let _span = tracing::debug_span!("gaze").entered();
        let begin = Instant::now();
        bodies.look_around(&self.sights, seconds);
        let took = begin.elapsed();
        self.times.add(PipelineStage::Gaze, took);
        self.scaler.iter_mut().for_each(|scaler| scaler.spent_looking(took, bodies.looking()));
    }

    /// While time stands, full bodies beyond the budget are given up at once.
    fn give_up_bodies(&mut self) {
        if let (Some(scaler), Some(bodies)) = (&self.scaler, &mut self.bodies)
            && bodies.ensemble().members().len() > scaler.options().budget.full
        {
            bodies.settle();
        }
    }

    /// Bodies begin anew, with levels if anything assigns them.
    fn begin_levels(&mut self) {
        let Some(bodies) = &mut self.bodies else { return };
        bodies.drop_levels();
        if self.scaler.is_some() {
            bodies.set_levels([]);
        }
    }
}

/// Two-way: people are where their full bodies get to.
impl Embodiment for Pipeline {
    fn embody(&mut self, moves: &mut [Move], seconds: f32) {
        let mut targets = std::mem::take(&mut self.targets);
        targets.clear();
        targets.extend(moves.iter().map(|person| MotionTarget::of_move(person, seconds)));
        self.animate(&targets, seconds);
        self.targets = targets;
        let members = self.bodies.iter().flat_map(|bodies| bodies.ensemble().members());
        let mut members = members.peekable();
        for person in moves {
            while members.next_if(|member| member.id < person.id.0).is_some() {}
            if let Some(member) = members.next_if(|member| member.id == person.id.0) {
                person.to = member.position();
                person.velocity = member.velocity();
                person.facing = member.heading().direction();
            }
        }
    }
}
