//! Fields that lead people: arrows on the ground that can be edited while people follow them.
//!
//! A [`LiveField`] is a field of `throng-field` at work. When its anchors change, the new field
//! replaces the old one gradually; fields with keys are made anew for each step. How groups are led is
//! in `leading.rs`; what people make of it, in `step/lead.rs`; where fields of limited reach yield, in `yielding.rs`.

mod from_scene;
mod leading;
mod refinement;
mod script;
mod yielding;

use std::sync::Arc;

use glam::{DVec2, Vec2};
use throng_base::Bounds;
use throng_field::{
    Anchor, AnchorId, Attraction, Coverage, Field, FieldEditor, FieldError, FieldOptions,
    FieldSlot, Flow, Mask, Patch, Sampler, SamplerOptions, TimedAnchor, TimedField, Track, Tracks,
};
use throng_world::scene::{FieldChange, FieldEdit, FieldId, LayerId};

pub(crate) use from_scene::{add_all, advice};
pub(crate) use leading::{Fields, Obedience};
use refinement::Refinement;
use script::Script;
pub(crate) use yielding::{goal_weight, kept_inside};

/// How far off the velocities that people follow may be, m/s: nobody sees a millimetre per second.
const TOLERANCE: f64 = 1e-3;
/// A field that has not changed for so long, s, is worth the effort to sample it faster.
const SETTLES_AFTER: f64 = 2.0;
/// For how long a settled field is expected to stay as it is, in steps.
const SETTLED_FOR: usize = 100;

/// A field for a [`Crowd`](crate::Crowd).
#[derive(Clone, Debug)]
pub struct NewField {
    /// What it is called.
    pub name: String,
    /// The floor it is on.
    pub layer: LayerId,
    /// Where it holds; everywhere on its floor if `None`.
    pub mask: Option<Mask>,
    /// How much it counts where other fields of the same people hold as well; above 0.
    pub priority: f32,
    /// How long it takes a changed field to replace what it was (Tₓ), 0 to 10 s.
    pub fade: f64,
    /// Its arrows.
    pub arrows: Arrows,
}

/// What a field is made of.
#[derive(Clone, Debug)]
pub enum Arrows {
    /// Anchors that stay as they are until somebody edits them.
    Still(Vec<Anchor>),
    /// Anchors that change at a steady rate from key to key.
    Tracks(Vec<Track>),
    /// Anchors with keys, solved at once for all places and times.
    Joint {
        /// The anchors.
        anchors: Vec<Track>,
        /// How many metres count as much as a second (τ), m/s.
        tau: Option<f64>,
    },
}

/// Why a field was not made, found or edited.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FieldRefusal {
    /// It is not there any more, or never was.
    #[error("there is no field {}", .0.0)]
    Unknown(FieldId),
    /// Its anchors have keys, and what is edited by hand has none.
    #[error("the anchors of field {name:?} have keys; replace the field to change them")]
    HasKeys {
        /// What it is called.
        name: String,
    },
    /// A number of it is out of range.
    #[error("the {what} of a field is {value}; it must be above 0 and finite")]
    OutOfRange {
        /// Which.
        what: &'static str,
        /// What it is.
        value: f32,
    },
    /// A share is more than the whole, or less than nothing.
    #[error("{what} is {value}; write a share from 0 to 1")]
    NoShare {
        /// Which.
        what: &'static str,
        /// What it is.
        value: f32,
    },
    /// There are as many fields as there can be.
    #[error("a crowd has at most {0} fields")]
    TooMany(usize),
    /// Its anchors make no field.
    #[error(transparent)]
    Anchors(#[from] FieldError),
}

/// A field that people can be led by, as it is now.
#[derive(Debug)]
pub struct LiveField {
    name: String,
    layer: LayerId,
    mask: Option<Mask>,
    priority: f32,
    source: Source,
    area: [DVec2; 2],
    script: Script,
}

#[derive(Debug)]
enum Source {
    Edited {
        editor: Box<FieldEditor>,
        slot: FieldSlot,
        refinement: Refinement,
    },
    Tracked {
        tracks: Box<Tracks>,
        slot: FieldSlot,
        /// The moment of the field in the slot, s.
        time: f64,
    },
    Joint {
        field: Box<TimedField>,
        anchors: Vec<Track>,
        attraction: Attraction,
        coverage: Coverage,
        time: f64,
    },
}

impl LiveField {
    /// A field of a world with these bounds.
    pub(crate) fn new(new: NewField, bounds: Bounds) -> Result<Self, FieldRefusal> {
        let sound = new.priority > 0.0 && new.priority.is_finite();
        if !sound {
            return Err(FieldRefusal::OutOfRange { what: "priority", value: new.priority });
        }
        let options = FieldOptions::default();
        let area = [bounds.min.as_dvec2(), bounds.max.as_dvec2()];
        let slot = |field: Arc<Field>, fade| FieldSlot::new(sampler(field, area)?, fade);
        let source = match new.arrows {
            Arrows::Still(anchors) => {
                let editor = FieldEditor::new(&anchors, &options)?;
                let slot = slot(editor.field().clone(), new.fade)?;
                Source::Edited { editor: Box::new(editor), slot, refinement: Refinement::From(0.0) }
            }
            Arrows::Tracks(tracks) => {
                let tracks = Tracks::new(tracks, &options)?;
                // What changes all the time need not be blended.
                let slot = slot(Arc::new(tracks.at(0.0)?), 0.0)?;
                Source::Tracked { tracks: Box::new(tracks), slot, time: 0.0 }
            }
            Arrows::Joint { anchors, tau } => {
                let field = TimedField::new(&timed(&anchors), tau, options.speed_cap)?;
                let (attraction, coverage) = heeded_at(&anchors, 0.0);
                Source::Joint { field: Box::new(field), anchors, attraction, coverage, time: 0.0 }
            }
        };
        let NewField { name, layer, mask, priority, .. } = new;
        Ok(Self { name, layer, mask, priority, source, area, script: Script::default() })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The floor it is on.
    pub fn layer(&self) -> LayerId {
        self.layer
    }

    /// Where it holds; everywhere on its floor if `None`.
    pub fn mask(&self) -> Option<&Mask> {
        self.mask.as_ref()
    }

    /// Its anchors with their field, while they stay as they are; `None` if they have keys.
    pub fn editor(&self) -> Option<&FieldEditor> {
        match &self.source {
            Source::Edited { editor, .. } => Some(editor),
            _ => None,
        }
    }

    /// Its anchors as they are now, with the names of those that have one in a scene.
    pub fn anchors(&self) -> Vec<(Option<&str>, Anchor)> {
        let called = |id: AnchorId| self.script.name_of(id);
        let at = |tracks: &[Track], time: f64| {
            let anchors = tracks.iter().zip(0..).map(|(track, index)| (index, track.at(time)));
            anchors.filter_map(|(index, anchor)| Some((called(AnchorId(index)), anchor?))).collect()
        };
        match &self.source {
            Source::Edited { editor, .. } => {
                editor.anchors().map(|(id, anchor)| (called(id), *anchor)).collect()
            }
            Source::Tracked { tracks, time, .. } => at(tracks.tracks(), *time),
            Source::Joint { anchors, time, .. } => at(anchors, *time),
        }
    }

    /// The field that it is, or that it is about to become; `None` if it is solved for all times at once.
    pub fn field(&self) -> Option<&Arc<Field>> {
        match &self.source {
            Source::Edited { editor, .. } => Some(editor.field()),
            Source::Tracked { slot, .. } => Some(slot.newest().field()),
            Source::Joint { .. } => None,
        }
    }

    /// How it is sampled now: the newest of the fields that are blended.
    pub fn sampler(&self) -> Option<&Arc<Sampler>> {
        match &self.source {
            Source::Edited { slot, .. } | Source::Tracked { slot, .. } => Some(slot.newest()),
            Source::Joint { .. } => None,
        }
    }

    /// Where its anchors hold when it has replaced what it was before: everywhere, unless each has a reach.
    pub fn coverage(&self) -> &Coverage {
        match &self.source {
            Source::Edited { slot, .. } | Source::Tracked { slot, .. } => {
                slot.newest().field().coverage()
            }
            Source::Joint { coverage, .. } => coverage,
        }
    }

    /// Where it leads at a place now, m/s, whatever its mask and the reach of its anchors.
    pub fn velocity(&self, place: Vec2) -> Vec2 {
        let mut velocity = [Vec2::ZERO];
        self.sample(&[place], &mut velocity);
        velocity[0]
    }

    pub(crate) fn editor_mut(&mut self) -> Option<&mut FieldEditor> {
        match &mut self.source {
            Source::Edited { editor, .. } => Some(editor),
            _ => None,
        }
    }

    /// Begins to replace the field that people follow by that of the editor.
    pub(crate) fn take_up(&mut self, time: f64) -> Result<(), FieldError> {
        if let Source::Edited { editor, slot, refinement } = &mut self.source
            && !Arc::ptr_eq(editor.field(), slot.newest().field())
        {
            slot.replace(sampler(editor.field().clone(), self.area)?);
            *refinement = Refinement::From(time + SETTLES_AFTER);
        }
        Ok(())
    }

    /// Takes the place of what the field was before it was edited: people are led over from the one to the
    /// other.
    pub(crate) fn take_over(&mut self, was: Self, time: f64) {
        let Source::Edited { editor, slot, .. } = &mut self.source else { return };
        if let Source::Edited { slot: mut before, .. } = was.source
            && before.fade_time() == slot.fade_time()
            && let Ok(sampler) = sampler(editor.field().clone(), self.area)
        {
            before.replace(sampler);
            *slot = before;
        }
        if let Source::Edited { refinement, .. } = &mut self.source {
            *refinement = Refinement::From(time + SETTLES_AFTER);
        }
    }

    /// Brings it to a moment at once.
    fn settle(&mut self, time: f64) -> Result<(), FieldError> {
        let area = self.area;
        let slot = |field: Arc<Field>, was: &FieldSlot| {
            FieldSlot::new(sampler(field, area)?, was.fade_time())
        };
        match &mut self.source {
            Source::Edited { editor, slot: settled, .. } => {
                *settled = slot(editor.field().clone(), settled)?;
            }
            Source::Tracked { tracks, slot: settled, time: solved } => {
                *settled = slot(Arc::new(tracks.at(time)?), settled)?;
                *solved = time;
            }
            Source::Joint { anchors, attraction, coverage, time: now, .. } => {
                (*attraction, *coverage) = heeded_at(anchors, time);
                *now = time;
            }
        }
        Ok(())
    }

    /// From now on edits are made as they are written down.
    pub(crate) fn follow(&mut self, script: Script) {
        self.script = script;
    }

    /// Brings it to a moment, a step after the last, when so many people are there. Says which edits
    /// of the script were refused.
    pub(crate) fn advance(
        &mut self,
        time: f64,
        step: f64,
        people: usize,
        refused: &mut Vec<String>,
    ) {
        while let Some(edit) = self.script.next_until(time + 0.5 * step) {
            if let Err(error) = self.apply(&edit.change).and_then(|()| self.take_up(time)) {
                let Self { name, .. } = self;
                refused.push(format!("field {name:?}: the edit at {} s: {error}", edit.time));
            }
        }
        let area = self.area;
        match &mut self.source {
            Source::Edited { editor, slot, refinement } => {
                slot.advance(step);
                let expected = people.saturating_mul(SETTLED_FOR);
                refinement.advance(time, editor.field(), slot, sampling(area, expected));
            }
            Source::Tracked { tracks, slot, time: solved } => {
                // Anchors that meet on their way make no field: people follow the last one then.
                if tracks.changes_between(*solved, time)
                    && let Ok(sampler) = tracks.at(time).and_then(|f| sampler(Arc::new(f), area))
                {
                    slot.replace(sampler);
                }
                *solved = time;
            }
            Source::Joint { anchors, attraction, coverage, time: now, .. } => {
                *now = time;
                (*attraction, *coverage) = heeded_at(anchors, time);
            }
        }
    }

    /// Which edits of the script would be refused, and why.
    pub(crate) fn rehearse(&self) -> Vec<(FieldEdit, FieldError)> {
        self.editor().map(|editor| self.script.rehearse(editor)).unwrap_or_default()
    }

    fn apply(&mut self, change: &FieldChange) -> Result<(), FieldError> {
        match &mut self.source {
            Source::Edited { editor, .. } => self.script.apply(change, editor),
            _ => Ok(()),
        }
    }

    pub(crate) fn patch(&self) -> Patch<'_> {
        Patch { field: self, mask: self.mask.as_ref(), priority: self.priority }
    }
}

impl Flow for LiveField {
    fn sample(&self, places: &[Vec2], velocities: &mut [Vec2]) {
        match &self.source {
            Source::Edited { slot, .. } | Source::Tracked { slot, .. } => {
                slot.sample(places, velocities);
            }
            Source::Joint { field, time, .. } => field.sample(*time, places, velocities),
        }
    }

    fn coverage(&self, places: &[Vec2], weights: &mut [f32]) {
        match &self.source {
            Source::Edited { slot, .. } | Source::Tracked { slot, .. } => {
                slot.coverage(places, weights);
            }
            Source::Joint { coverage, .. } => coverage.sample(places, weights),
        }
    }
}

/// What the anchors of a field do to those who heed each of them by its distance only.
pub(crate) struct Pull<'a>(pub &'a LiveField);

impl<'a> Pull<'a> {
    pub fn patch(&'a self) -> Patch<'a> {
        Patch { field: self, ..self.0.patch() }
    }
}

impl Flow for Pull<'_> {
    fn sample(&self, places: &[Vec2], velocities: &mut [Vec2]) {
        match &self.0.source {
            Source::Edited { slot, .. } | Source::Tracked { slot, .. } => {
                slot.attraction(places, velocities);
            }
            Source::Joint { attraction, .. } => attraction.sample(places, velocities),
        }
    }

    fn coverage(&self, places: &[Vec2], weights: &mut [f32]) {
        Flow::coverage(self.0, places, weights);
    }
}

/// The way to sample a field that is ready at once.
fn sampler(field: Arc<Field>, area: [DVec2; 2]) -> Result<Arc<Sampler>, FieldError> {
    Sampler::new(field, &sampling(area, 0)).map(Arc::new)
}

fn sampling(area: [DVec2; 2], expected: usize) -> SamplerOptions {
    SamplerOptions { area: Some(area), expected, tolerance: TOLERANCE }
}

fn timed(tracks: &[Track]) -> Vec<TimedAnchor> {
    let keys = tracks.iter().flat_map(|track| {
        // An anchor with one key is as it is at all times.
        let is_steady = track.keys.len() == 1;
        track.keys.iter().map(move |key| TimedAnchor {
            position: key.position,
            vector: key.vector,
            time: (!is_steady).then_some(key.time),
        })
    });
    keys.collect()
}

fn heeded_at(tracks: &[Track], time: f64) -> (Attraction, Coverage) {
    let anchors: Vec<Anchor> = tracks.iter().filter_map(|track| track.at(time)).collect();
    (Attraction::new(&anchors), Coverage::new(&anchors))
}
