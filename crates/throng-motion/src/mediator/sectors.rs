//! Tracks of speeds and sectors of directions, each with its clip.
//!
//! Clips are sorted by speed. Those that are about as fast as each other share a track, which
//! serves speeds from the next slower track up to its own fastest clip: a clip is slowed down to
//! the speed that is wanted, never hurried. A track has all directions of the one outside of it,
//! and its own clips take the place of those with nearly the same direction, or come between.
//!
//! A clip for a direction serves its mirror image, too, so tables cover half a circle. Played
//! backwards it leads the opposite way; slow clips fill gaps like that.

use std::f32::consts::{PI, TAU};

use thiserror::Error;
use throng_base::frame::wrap_angle;

use crate::clip::{Clip, ClipKind};

/// What counts of a clip here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Mean speed, in m/s (`v_anim`).
    pub speed: f32,
    /// From where the torso faces to where the body goes, positive to the left (`α`).
    pub angle: f32,
}

impl Steps {
    /// Those of a clip in which somebody gets on by walking or running over and over; nothing of
    /// others.
    pub fn of(clip: &Clip) -> Option<Self> {
        let gets_on = matches!(clip.kind(), ClipKind::Walk | ClipKind::Run) && clip.is_looped();
        gets_on.then(|| Self { speed: clip.speed(), angle: clip.travel_angle() })
    }
}

/// How finely clips are told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectorOptions {
    /// Clips whose speeds differ by no more share a track, in m/s (`ε_v`).
    pub same_speed: f32,
    /// Clips whose angles differ by less are for the same direction, in radians (`ε_α`).
    pub same_angle: f32,
    /// Clips up to this speed may be played backwards, in m/s (`v_back_max`).
    pub backward: f32,
    /// The furthest that a spine can be twisted, in radians (`ψ_max`).
    pub twist: f32,
}

impl Default for SectorOptions {
    fn default() -> Self {
        Self {
            same_speed: 0.1,
            same_angle: 10f32.to_radians(),
            backward: 0.9,
            twist: 45f32.to_radians(),
        }
    }
}

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SectorError {
    #[error("there is no clip in which somebody walks or runs")]
    Empty,
    #[error("clip {clip} has the speed {speed} m/s and the angle {angle}; it does not get on")]
    NoSteps { clip: usize, speed: f32, angle: f32 },
    #[error("{name} is {value}; write a positive number")]
    Option { name: &'static str, value: f32 },
}

/// A clip, and how it is to be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Its index in what the table was made of.
    pub clip: usize,
    /// Left and right exchanged.
    pub mirrored: bool,
    /// Backwards in time.
    pub reversed: bool,
    /// Where it leads when it is played like that (`α`).
    pub angle: f32,
    /// How fast it is at its own pace, in m/s.
    pub speed: f32,
}

/// Directions for which one clip is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sector {
    /// From this angle on, in radians, from 0 ahead to π backwards.
    pub from: f32,
    /// Up to this angle.
    pub to: f32,
    /// What to play, for directions to the left; those to the right mirror it.
    pub choice: Choice,
}

/// Speeds that have the same sectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Above this speed, in m/s.
    pub above: f32,
    /// Up to this one.
    pub up_to: f32,
    /// By angle, covering `[0, π]`.
    pub sectors: Vec<Sector>,
}

/// What somebody plays now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selected {
    /// Which [track](Sectors::tracks).
    pub track: usize,
    /// Which sector of it.
    pub sector: usize,
    /// What to play.
    pub choice: Choice,
    /// How fast to play it: the speed wanted over the clip's, at most 1 (`τ`).
    pub pace: f32,
    /// How far the spine has to be twisted so that the torso faces where it should, to the left if
    /// positive, as far as it can be (`ψ`).
    pub twist: f32,
    /// What the spine could not do of it: the torso is turned further to the left than wanted by
    /// minus this angle.
    pub unreached: f32,
}

/// Which clip to play for which speed and direction.
///
/// ```
/// use throng_motion::mediator::{SectorOptions, Sectors, Steps};
///
/// let steps = [(1.4, 0.0), (0.6, 90.0)];
/// let steps = steps.map(|(speed, angle): (f32, f32)| Steps { speed, angle: angle.to_radians() });
/// let sectors = Sectors::new(&steps, SectorOptions::default())?;
///
/// // To the right, slowly: the mirror image of the step to the left.
/// let selected = sectors.select(0.3, -80f32.to_radians());
/// assert!(selected.choice.clip == 1 && selected.choice.mirrored);
/// assert!((selected.pace - 0.5).abs() < 1e-6);
/// # Ok::<(), throng_motion::mediator::SectorError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sectors {
    tracks: Vec<Track>,
    twist: f32,
}

impl Sectors {
    /// A table of `steps`, in whatever order they are.
    ///
    /// # Errors
    ///
    /// If there are none, or one of them gets nowhere.
    pub fn new(steps: &[Steps], options: SectorOptions) -> Result<Self, SectorError> {
        check(steps, &options)?;
        let mut order: Vec<usize> = (0..steps.len()).collect();
        // Of equals the first counts, so that the answer does not depend on the sort.
        order.sort_by(|&a, &b| steps[b].speed.total_cmp(&steps[a].speed).then(a.cmp(&b)));
        let mut tracks: Vec<Track> = Vec::new();
        let mut choices: Vec<Choice> = Vec::new();
        let mut rest = &order[..];
        while let Some(&fastest) = rest.first() {
            let up_to = steps[fastest].speed;
            let shared =
                rest.partition_point(|&clip| up_to - steps[clip].speed <= options.same_speed);
            let (own, slower) = rest.split_at(shared);
            add_own(&mut choices, own, steps, options.same_angle);
            let above = slower.first().map_or(0.0, |&clip| steps[clip].speed);
            let all = with_backward(&choices, &options);
            tracks.push(Track { above, up_to, sectors: divided(&all) });
            rest = slower;
        }
        Ok(Self { tracks, twist: options.twist })
    }

    /// The same table for clips with other numbers: number `i` becomes `numbers[i]`.
    pub(super) fn renumbered(mut self, numbers: &[usize]) -> Self {
        for sector in self.tracks.iter_mut().flat_map(|track| &mut track.sectors) {
            sector.choice.clip = numbers[sector.choice.clip];
        }
        self
    }

    /// The tracks, the fastest first.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The furthest that spines are twisted, in radians (`ψ_max`).
    pub fn furthest_twist(&self) -> f32 {
        self.twist
    }

    /// What to play for somebody who moves at `speed` (m/s) in the direction `angle` seen from where
    /// the torso faces, positive to the left (`φ`).
    ///
    /// Who is faster than any clip plays the fastest one at its own pace; speeds and angles that are
    /// no numbers count as 0.
    pub fn select(&self, speed: f32, angle: f32) -> Selected {
        let (speed, angle) = finite(speed, angle);
        let slower = self.tracks.partition_point(|track| track.above >= speed);
        let track = slower.min(self.tracks.len() - 1);
        let sectors = &self.tracks[track].sectors;
        let beyond = sectors.partition_point(|sector| sector.to < angle.abs());
        let sector = beyond.min(sectors.len() - 1);
        let mut choice = sectors[sector].choice;
        if angle < 0.0 {
            choice = Choice { mirrored: !choice.mirrored, angle: -choice.angle, ..choice };
        }
        self.selected(track, sector, choice, (speed, angle))
    }

    /// What was selected before, for a speed and direction of now; nothing if it is of another table
    /// or cannot be played that fast.
    pub(super) fn stay(&self, before: &Selected, speed: f32, angle: f32) -> Option<Selected> {
        let sector = self.tracks.get(before.track)?.sectors.get(before.sector)?;
        let is_same = sector.choice.clip == before.choice.clip;
        let (speed, angle) = finite(speed, angle);
        let fast_enough = before.track == 0 || speed <= 1.05 * before.choice.speed;
        (is_same && fast_enough)
            .then(|| self.selected(before.track, before.sector, before.choice, (speed, angle)))
    }

    /// Whether a speed and direction are still near to what `selected` is for: beyond its borders
    /// by at most an angle and a share of the speed.
    pub(super) fn is_near(
        &self,
        selected: &Selected,
        speed: f32,
        angle: f32,
        (slack, share): (f32, f32),
    ) -> bool {
        let (speed, angle) = finite(speed, angle);
        let track = &self.tracks[selected.track];
        let sector = &track.sectors[selected.sector];
        // Seen from the side that the clip leads to.
        let side = if selected.choice.angle < 0.0 { -angle } else { angle };
        let angles = sector.from - slack..=sector.to + slack;
        // What is ahead or straight behind is on both sides.
        let inside = [side, side + TAU, side - TAU].iter().any(|angle| angles.contains(angle));
        let fastest = selected.track == 0;
        let up_to = if fastest { f32::INFINITY } else { track.up_to * (1.0 + share) };
        inside && speed >= track.above * (1.0 - share) && speed <= up_to
    }

    fn selected(
        &self,
        track: usize,
        sector: usize,
        choice: Choice,
        (speed, angle): (f32, f32),
    ) -> Selected {
        let wanted = wrap_angle(choice.angle - angle);
        let twist = wanted.clamp(-self.twist, self.twist);
        let pace = (speed / choice.speed).min(1.0);
        Selected { track, sector, choice, pace, twist, unreached: wanted - twist }
    }
}

/// A speed and an angle that can be reckoned with.
fn finite(speed: f32, angle: f32) -> (f32, f32) {
    let speed = if speed.is_finite() { speed.max(0.0) } else { 0.0 };
    (speed, if angle.is_finite() { wrap_angle(angle) } else { 0.0 })
}

fn check(steps: &[Steps], options: &SectorOptions) -> Result<(), SectorError> {
    for (name, value) in [
        ("same_speed", options.same_speed),
        ("same_angle", options.same_angle),
        ("twist", options.twist),
    ] {
        if !(value.is_finite() && value > 0.0) {
            return Err(SectorError::Option { name, value });
        }
    }
    if steps.is_empty() {
        return Err(SectorError::Empty);
    }
    for (clip, &Steps { speed, angle }) in steps.iter().enumerate() {
        if !(speed.is_finite() && speed > 1e-3 && angle.is_finite()) {
            return Err(SectorError::NoSteps { clip, speed, angle });
        }
    }
    Ok(())
}

/// A clip as it is, mirrored if it leads to the right.
fn plain(clip: usize, steps: Steps) -> Choice {
    let angle = wrap_angle(steps.angle);
    let mirrored = angle < 0.0;
    Choice { clip, mirrored, reversed: false, angle: angle.abs(), speed: steps.speed }
}

/// A track's own clips take the place of inherited ones of nearly the same direction.
fn add_own(choices: &mut Vec<Choice>, own: &[usize], steps: &[Steps], same_angle: f32) {
    let inherited = choices.clone();
    let mut replaced = vec![false; inherited.len()];
    let mut added: Vec<Choice> = Vec::new();
    for &clip in own {
        let choice = plain(clip, steps[clip]);
        let apart = |other: &Choice| (other.angle - choice.angle).abs();
        if added.iter().any(|other| apart(other) < same_angle) {
            // A faster one of this track goes there already.
            continue;
        }
        let near = (0..inherited.len())
            .filter(|&index| !replaced[index] && apart(&inherited[index]) < same_angle)
            .min_by(|&a, &b| apart(&inherited[a]).total_cmp(&apart(&inherited[b])));
        if let Some(index) = near {
            replaced[index] = true;
        }
        added.push(choice);
    }
    let kept = inherited.iter().zip(replaced).filter(|(_, replaced)| !replaced);
    *choices = kept.map(|(choice, _)| *choice).chain(added).collect();
    choices.sort_by(|a, b| a.angle.total_cmp(&b.angle));
}

/// The choices with slow clips played backwards where there are none in that direction.
fn with_backward(choices: &[Choice], options: &SectorOptions) -> Vec<Choice> {
    let mut all = choices.to_vec();
    for choice in choices.iter().filter(|choice| choice.speed <= options.backward) {
        // Backwards it leads the opposite way, which is on the other side of the body.
        let angle = PI - choice.angle;
        if all.iter().all(|other| (other.angle - angle).abs() >= options.same_angle) {
            all.push(Choice { mirrored: !choice.mirrored, reversed: true, angle, ..*choice });
        }
    }
    all.sort_by(|a, b| a.angle.total_cmp(&b.angle));
    all
}

/// Half a circle, divided half-way between neighbouring clips.
fn divided(choices: &[Choice]) -> Vec<Sector> {
    let between = |a: &Choice, b: &Choice| 0.5 * (a.angle + b.angle);
    (0..choices.len())
        .map(|index| Sector {
            from: if index == 0 { 0.0 } else { between(&choices[index - 1], &choices[index]) },
            to: choices.get(index + 1).map_or(PI, |next| between(&choices[index], next)),
            choice: choices[index],
        })
        .collect()
}
