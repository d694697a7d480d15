//! Bodies that follow a source of motion, frame by frame.

use std::collections::BTreeSet;
use std::sync::Arc;

use throng_world::Scene;

use super::{FilmError, Motions};
use crate::animation::Pipeline;
use crate::bodies::variety::Wardrobe;
use crate::bodies::{Cast, Ensemble, Member, MotionTarget, PerformerOptions};

/// Rates above this are a slip of the finger.
const FASTEST: f64 = 1000.0;
/// More frames than days of film: a damaged time would ask for more.
const MOST_FRAMES: f64 = 1e8;

/// What is played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayOptions {
    /// Frames per second.
    pub fps: f64,
    /// From when, s; from the beginning without.
    pub from: Option<f64>,
    /// Until when, s; to the end without.
    pub until: Option<f64>,
    /// Who is seen.
    pub people: Selection,
    /// How many looks people can have.
    pub looks: usize,
    /// What decides who looks how.
    pub seed: u64,
    /// How people look who are known already, of a cast with as many looks; see [`dressed`](super::dressed). Others are
    /// dressed when they appear.
    pub wardrobe: Option<Wardrobe>,
    /// How bodies follow.
    pub performer: PerformerOptions,
}

impl Default for PlayOptions {
    fn default() -> Self {
        Self {
            fps: 30.0,
            from: None,
            until: None,
            people: Selection::Everyone,
            looks: Cast::USUAL,
            seed: 0,
            wardrobe: None,
            performer: PerformerOptions::default(),
        }
    }
}

/// Who is seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Everyone.
    #[default]
    Everyone,
    /// The first so many who appear.
    First(usize),
    /// Those with these ids.
    These(BTreeSet<u32>),
}

/// Bodies that follow, frame by frame.
pub struct Playback<'m> {
    motions: &'m mut dyn Motions,
    pipeline: Pipeline,
    targets: Vec<MotionTarget>,
    people: Selection,
    /// Those who have been chosen by appearing among the first.
    admitted: BTreeSet<u32>,
    begin: f64,
    fps: f64,
    frames: u32,
    next: u32,
}

impl<'m> Playback<'m> {
    /// Prepares to play `motions`. Bodies stand on the ground of `scene` and are what its groups are; without one
    /// they are people on level ground.
    ///
    /// # Errors
    ///
    /// If there is nothing to play with these options.
    pub fn new(
        motions: &'m mut dyn Motions,
        scene: Option<&Scene>,
        options: &PlayOptions,
    ) -> Result<Self, FilmError> {
        let cast = Arc::new(Cast::for_scene(options.looks, scene)?);
        Self::with_cast(motions, scene, options, cast)
    }

    /// The same with people of a cast that there is already.
    ///
    /// # Errors
    ///
    /// As for [`Self::new`].
    pub fn with_cast(
        motions: &'m mut dyn Motions,
        scene: Option<&Scene>,
        options: &PlayOptions,
        cast: Arc<Cast>,
    ) -> Result<Self, FilmError> {
        let fps = options.fps;
        if !(fps > 0.0 && fps <= FASTEST) {
            return Err(FilmError::Options(format!(
                "{fps} frames per second are not possible; give a number above 0 and up to {FASTEST}, e.g. \
                 --fps 30"
            )));
        }
        let (begin, end) = window(motions.span(), options)?;
        let frames = ((end - begin) * fps + 1e-6).floor() as u32 + 1;
        let mut ensemble = Ensemble::new(cast, options.seed).with_options(options.performer);
        if let Some(wardrobe) = &options.wardrobe {
            ensemble = ensemble.dressed_by(wardrobe.clone());
        }
        if let Some(scene) = scene {
            ensemble.adopt(scene);
        }
        let mut pipeline = Pipeline::new(scene);
        pipeline.set_bodies(Some(ensemble));
        let (people, admitted) = (options.people.clone(), BTreeSet::new());
        Ok(Self {
            motions,
            pipeline,
            targets: Vec::new(),
            people,
            admitted,
            begin,
            fps,
            frames,
            next: 0,
        })
    }

    /// How many frames there are.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// How many frames have been played.
    pub fn played(&self) -> u32 {
        self.next
    }

    /// Time between two frames, s.
    pub fn interval(&self) -> f64 {
        self.fps.recip()
    }

    /// The time of the last frame that was played, s from the beginning of the film.
    pub fn film_time(&self) -> f64 {
        f64::from(self.next.saturating_sub(1)) / self.fps
    }

    /// The same in the time of the source.
    pub fn time(&self) -> f64 {
        self.begin + self.film_time()
    }

    /// When the film begins in the time of the source, s.
    pub fn begin(&self) -> f64 {
        self.begin
    }

    /// Everybody's bodies.
    pub fn ensemble(&self) -> &Ensemble {
        self.pipeline.bodies().expect("a playback has bodies")
    }

    /// Everybody, in ascending order of id.
    pub fn members(&self) -> &[Member] {
        self.ensemble().members()
    }

    /// What they were to do, in the same order.
    pub fn targets(&self) -> &[MotionTarget] {
        &self.targets
    }

    /// The looks they have.
    pub fn cast(&self) -> &Arc<Cast> {
        self.ensemble().cast()
    }

    /// Plays the next frame; whether there was one.
    ///
    /// # Errors
    ///
    /// If the source fails.
    pub fn advance(&mut self) -> Result<bool, FilmError> {
        if self.next >= self.frames {
            return Ok(false);
        }
        let time = self.begin + f64::from(self.next) / self.fps;
        self.motions.targets(time, &mut self.targets)?;
        // Who is not shown is there all the same: nobody's looks depend on who is.
        if let Some(bodies) = self.pipeline.lod_bodies_mut() {
            bodies.dress(&self.targets);
        }
        match &self.people {
            Selection::Everyone => {}
            Selection::These(ids) => self.targets.retain(|target| ids.contains(&target.id)),
            Selection::First(count) => {
                for target in &self.targets {
                    if self.admitted.len() >= *count {
                        break;
                    }
                    self.admitted.insert(target.id);
                }
                let admitted = &self.admitted;
                self.targets.retain(|target| admitted.contains(&target.id));
            }
        }
        self.pipeline.follow(&self.targets, self.fps.recip() as f32);
        self.next += 1;
        Ok(true)
    }
}

/// What `options` show of what there is to see, from when until when.
pub(super) fn window(
    (first, last): (f64, f64),
    options: &PlayOptions,
) -> Result<(f64, f64), FilmError> {
    let begin = options.from.map_or(first, |from| from.max(first));
    let end = options.until.map_or(last, |until| until.min(last));
    let length = end - begin;
    match length >= 0.0 && length * options.fps < MOST_FRAMES {
        true => Ok((begin, end)),
        false => {
            let (from, until) = (options.from.unwrap_or(begin), options.until.unwrap_or(end));
            Err(FilmError::Options(format!(
                "there is nothing from {from} s until {until} s; people are there from {first} s until {last} s"
            )))
        }
    }
}

impl std::fmt::Debug for Playback<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Playback")
            .field("frames", &self.frames)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}
