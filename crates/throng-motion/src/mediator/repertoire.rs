//! The clips of one body, made ready to be played.

use std::sync::Arc;

use thiserror::Error;

use super::flight::Flight;
use super::legs::Legs;
use super::sectors::{Choice, SectorError, SectorOptions, Sectors, Steps};
use crate::clip::{Clip, ClipKind};
use crate::contact::Side;
use crate::gait::speed_number;
use crate::skeleton::Skeleton;

/// A clip as it is played: mirrored and reversed ones are clips of their own.
#[derive(Clone, Debug)]
pub struct Part {
    /// The clip.
    pub clip: Clip,
    /// When it is in the air.
    pub flight: Flight,
    /// How fast it is at its own pace, in m/s (`v_anim`).
    pub speed: f32,
    /// Where it leads, from where the torso faces, positive to the left (`α`).
    pub angle: f32,
}

impl Part {
    fn new(clip: Clip) -> Self {
        let flight = Flight::of(&clip);
        Self { flight, speed: clip.speed(), angle: clip.travel_angle(), clip }
    }
}

/// Why clips make no repertoire.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RepertoireError {
    #[error(transparent)]
    Sectors(#[from] SectorError),
    #[error(
        "clip \"{name}\" is of another skeleton than \"{first}\"; carry it over to the same body first"
    )]
    OtherSkeleton { name: String, first: String },
    #[error("the skeleton of clip \"{name}\" lacks a hip, a knee or an ankle")]
    NoLegs { name: String },
}

/// Everything that somebody with one body can do, made ready for a
/// [`Performer`](super::Performer). It can be shared by everyone with the same body.
#[derive(Clone, Debug)]
pub struct Repertoire {
    skeleton: Arc<Skeleton>,
    parts: Vec<Part>,
    /// For each walk and run, the part that plays it as it is, mirrored, reversed, and both.
    played_by: Vec<[Option<usize>; 4]>,
    walks: Sectors,
    /// Walks and runs.
    all: Sectors,
    stand: Option<usize>,
    fall: Option<usize>,
    /// To the left, to the right.
    turns: Option<[usize; 2]>,
    pub(super) legs: Legs,
    warnings: Vec<String>,
}

impl Repertoire {
    /// The repertoire of `clips`, which are all of one skeleton. Clips that are played once (starts and
    /// stops) are not used, except for falling.
    ///
    /// # Errors
    ///
    /// If nobody can walk with them.
    pub fn new(clips: &[Clip], options: SectorOptions) -> Result<Self, RepertoireError> {
        let usable: Vec<(&Clip, Steps)> =
            clips.iter().filter_map(|clip| Some((clip, Steps::of(clip)?))).collect();
        let first = clips.first().ok_or(SectorError::Empty)?;
        let skeleton = first.skeleton().clone();
        if let Some(other) = clips.iter().find(|clip| !is_same(clip.skeleton(), &skeleton)) {
            let (name, first) = (other.name().to_owned(), first.name().to_owned());
            return Err(RepertoireError::OtherSkeleton { name, first });
        }
        let steps: Vec<Steps> = usable.iter().map(|usable| usable.1).collect();
        let all = Sectors::new(&steps, options)?;
        let walks = walks_of(&usable, options)?.unwrap_or_else(|| all.clone());
        let gaits: Vec<&Clip> = usable.iter().map(|usable| usable.0).collect();
        let legs = Legs::of(&skeleton, &gaits)
            .ok_or_else(|| RepertoireError::NoLegs { name: first.name().to_owned() })?;
        let mut repertoire = Self {
            skeleton,
            parts: Vec::new(),
            played_by: vec![[None; 4]; gaits.len()],
            walks,
            all,
            stand: None,
            fall: None,
            turns: None,
            legs,
            warnings: Vec::new(),
        };
        repertoire.prepare(&gaits);
        repertoire.stand = clips
            .iter()
            .find(|clip| clip.kind() == ClipKind::Stand && clip.is_looped())
            .map(|clip| repertoire.add(clip.clone()));
        repertoire.fall = clips
            .iter()
            .find(|clip| clip.kind() == ClipKind::Fall)
            .map(|clip| repertoire.add(clip.clone()));
        repertoire.add_turns(clips);
        repertoire.warn();
        Ok(repertoire)
    }

    /// The body that plays them.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// All that can be played, with mirrored and reversed clips.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The tracks and sectors from which walks are chosen.
    pub fn walks(&self) -> &Sectors {
        &self.walks
    }

    /// The tracks and sectors from which walks and runs are chosen.
    pub fn walks_and_runs(&self) -> &Sectors {
        &self.all
    }

    /// What people with these clips will do badly, in words.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The part of standing, if there is one.
    pub(super) fn stand(&self) -> Option<usize> {
        self.stand
    }

    /// The part of falling, if there is one.
    pub(super) fn fall(&self) -> Option<usize> {
        self.fall
    }

    /// The part of turning on the spot to a side, if there is one.
    pub(super) fn turn(&self, side: Side) -> Option<usize> {
        self.turns.map(|turns| turns[side as usize])
    }

    /// The part that plays a choice.
    pub(super) fn part_of(&self, choice: &Choice) -> usize {
        // All choices of both tables were prepared.
        self.played_by[choice.clip][variant(choice.mirrored, choice.reversed)].unwrap_or(0)
    }

    /// The furthest that spines are twisted, in radians (`ψ_max`).
    pub(super) fn furthest_twist(&self) -> f32 {
        self.all.furthest_twist()
    }

    /// How fast somebody is, squared and in units of what gravity allows (the Froude number).
    pub(super) fn froude(&self, speed: f32) -> f32 {
        speed_number(speed, self.legs.length).powi(2)
    }

    fn add(&mut self, clip: Clip) -> usize {
        self.parts.push(Part::new(clip));
        self.parts.len() - 1
    }

    /// Makes a part for all that the tables can choose, to both sides.
    fn prepare(&mut self, gaits: &[&Clip]) {
        let tracks = self.all.tracks().iter().chain(self.walks.tracks());
        let choices: Vec<Choice> =
            tracks.flat_map(|track| &track.sectors).map(|sector| sector.choice).collect();
        for choice in choices {
            for mirrored in [choice.mirrored, !choice.mirrored] {
                let variant = variant(mirrored, choice.reversed);
                if self.played_by[choice.clip][variant].is_some() {
                    continue;
                }
                let mut clip = gaits[choice.clip].clone();
                if mirrored {
                    clip = clip.mirrored();
                }
                if choice.reversed {
                    clip = clip.reversed();
                }
                let part = self.add(clip);
                self.played_by[choice.clip][variant] = Some(part);
            }
        }
    }

    fn add_turns(&mut self, clips: &[Clip]) {
        let turn = clips.iter().find(|clip| {
            let turned = clip.travel().yaw.abs();
            clip.kind() == ClipKind::Turn && clip.is_looped() && turned > 0.1
        });
        if let Some(turn) = turn {
            let (this, other) = (self.add(turn.clone()), self.add(turn.mirrored()));
            let to_the_left = turn.travel().yaw > 0.0;
            self.turns = Some(if to_the_left { [this, other] } else { [other, this] });
        }
    }

    fn warn(&mut self) {
        if self.stand.is_none() {
            self.warnings.push(
                "there is no clip of standing: people who stop freeze in the middle of a step"
                    .into(),
            );
        }
        if self.turns.is_none() {
            self.warnings
                .push("there is no clip of turning: people step round on the spot instead".into());
        }
        if self.fall.is_none() {
            self.warnings.push("there is no clip of falling: people who fall stand instead".into());
        }
        let fastest = self.all.tracks()[0].up_to;
        if fastest < 1.6 {
            self.warnings.push(format!(
                "the fastest clip is of {fastest:.2} m/s: people who are faster will fall behind"
            ));
        }
        if let Some(slowest) = self.walks.tracks().last()
            && slowest.up_to > 0.8
        {
            self.warnings.push(format!(
                "the slowest clip is of {:.2} m/s: people who are slower than half of that move in slow \
                 motion",
                slowest.up_to
            ));
        }
    }
}

/// How a clip is played, as an index.
fn variant(mirrored: bool, reversed: bool) -> usize {
    usize::from(mirrored) + 2 * usize::from(reversed)
}

/// The table of walks alone, with the numbers that clips have in the table of all.
fn walks_of(
    usable: &[(&Clip, Steps)],
    options: SectorOptions,
) -> Result<Option<Sectors>, SectorError> {
    let is_walk = |index: &usize| usable[*index].0.kind() == ClipKind::Walk;
    let indices: Vec<usize> = (0..usable.len()).filter(is_walk).collect();
    if indices.is_empty() {
        return Ok(None);
    }
    let steps: Vec<Steps> = indices.iter().map(|&index| usable[index].1).collect();
    let walks = Sectors::new(&steps, options)?;
    Ok(Some(walks.renumbered(&indices)))
}

/// Whether poses of one skeleton are poses of the other.
fn is_same(a: &Arc<Skeleton>, b: &Arc<Skeleton>) -> bool {
    Arc::ptr_eq(a, b)
        || (a.len() == b.len()
            && a.joints().iter().zip(b.joints()).all(|(a, b)| {
                a.name == b.name
                    && a.parent == b.parent
                    && a.translation.distance(b.translation) < 1e-3
            }))
}
