//! Who is hidden from which view, found out for some people at a time.
//!
//! Whoever is in a picture is looked for again and again, in rounds that go on where they ended the time before. Those who may come
//! into sight, and those of whom nothing is known, come first. Who is found comes out at once; who is lost stays seen
//! for a while, and is lost only if a wider disc around them is out of sight than it takes to be found.

use glam::Vec3;

use super::screens::Screens;
use super::view::Lens;
use super::{ScalerOptions, Standing};

/// Of how many views it is known who is hidden from them; from others nobody is.
const MOST_VIEWS: usize = 32;
/// An eye that has moved further since the last time was put elsewhere, m.
const JUMP: f32 = 2.0;
/// Who was seen is looked for this much further around.
const WIDER: f32 = 1.5;
/// Of all lines of sight, how many are for those who may come into sight, in quarters.
const URGENT: usize = 3;

/// From which views somebody is hidden: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hidden {
    /// In which pictures they are, and in which they have been looked for.
    inside: u32,
    tested: u32,
    /// Where nothing of them was seen the last time, and where they are thought to be hidden.
    blocked: u32,
    hidden: u32,
    /// How long ago they were lost somewhere, s.
    since: f32,
    /// How tall they are in the largest picture, hidden or not, pixels.
    pub pixels: f32,
}

impl Hidden {
    /// After some seconds; views with bits in `moved` are others now.
    pub fn pass(&mut self, moved: u32, seconds: f32, dwell: f32) {
        self.since += seconds;
        self.inside = 0;
        self.tested &= !moved;
        self.blocked &= self.tested;
        self.hidden &= self.blocked;
        if self.since >= dwell {
            self.hidden = self.blocked;
        }
    }

    /// Is in the picture of a view now, or is not.
    pub fn enter(&mut self, view: usize, inside: bool) {
        let Some(bit) = bit(view) else { return };
        match inside {
            true => self.inside |= bit,
            false => [&mut self.inside, &mut self.tested, &mut self.blocked, &mut self.hidden]
                .into_iter()
                .for_each(|bits| *bits &= !bit),
        }
    }

    pub fn is_hidden(&self, view: usize) -> bool {
        bit(view).is_some_and(|bit| self.hidden & bit != 0)
    }

    /// Whether they may come into sight, or nothing is known of them.
    fn is_urgent(&self) -> bool {
        self.blocked != 0 || self.tested != self.inside
    }

    /// Takes up whether they are seen in a view.
    fn note(&mut self, view: usize, is_seen: bool) {
        let Some(bit) = bit(view) else { return };
        if is_seen {
            self.blocked &= !bit;
            self.hidden &= !bit;
        } else if self.tested & bit == 0 {
            // Nobody has seen them yet.
            self.blocked |= bit;
            self.hidden |= bit;
        } else if self.blocked & bit == 0 {
            self.blocked |= bit;
            self.since = 0.0;
        }
        self.tested |= bit;
    }
}

fn bit(view: usize) -> Option<u32> {
    (view < MOST_VIEWS).then(|| 1 << view)
}

/// Looks for people behind walls.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// Where the eyes were.
    eyes: Vec<Vec3>,
    /// Whom the last round ended with, of those who may come into sight and of the others.
    last: [Option<u32>; 2],
}

impl Watch {
    /// Which views are others than the last time.
    pub fn moved(&mut self, lenses: &[Lens]) -> u32 {
        let same_count = lenses.len() == self.eyes.len();
        let moved = (0..).zip(lenses).zip(&self.eyes).filter_map(|((number, lens), before)| {
            (lens.at.distance(*before) > JUMP).then_some(bit(number)?)
        });
        let moved = if same_count { moved.fold(0, |bits, bit| bits | bit) } else { u32::MAX };
        self.eyes.clear();
        self.eyes.extend(lenses.iter().map(|lens| lens.at));
        moved
    }

    /// Looks for some people again; how many lines of sight were followed.
    pub fn look(
        &mut self,
        options: &ScalerOptions,
        screens: &Screens,
        lenses: &[Lens],
        standings: &mut [Standing],
    ) -> usize {
        let most = options.sight_lines;
        if most == 0 || screens.is_empty() || lenses.is_empty() {
            standings.iter_mut().for_each(|standing| {
                let changed = standing.hidden.hidden != 0;
                let pixels = standing.hidden.pixels;
                standing.hidden = Hidden { pixels, ..Hidden::default() };
                if changed {
                    options.look(lenses, standing);
                }
            });
            return 0;
        }
        let urgent = (most * URGENT).div_ceil(4);
        let mut lines = self.round(0, urgent, options, screens, lenses, standings);
        lines += self.round(1, most - lines.min(most), options, screens, lenses, standings);
        lines
    }

    /// Looks for those who may come into sight (0) or for the others (1), until that has taken `most` lines of sight.
    fn round(
        &mut self,
        kind: usize,
        most: usize,
        options: &ScalerOptions,
        screens: &Screens,
        lenses: &[Lens],
        standings: &mut [Standing],
    ) -> usize {
        let large = options.posed_pixels * (1.0 - options.hysteresis);
        let (mut lines, count) = (0, standings.len());
        let begin = standings.partition_point(|standing| Some(standing.id) <= self.last[kind]);
        for index in (begin..count).chain(0..begin) {
            let standing = &mut standings[index];
            let hidden = standing.hidden;
            let is_urgent = hidden.is_urgent() && hidden.pixels >= large;
            if hidden.inside == 0 || is_urgent != (kind == 0) {
                continue;
            }
            if lines >= most {
                break;
            }
            lines += search(options, screens, lenses, standing);
            self.last[kind] = Some(standing.id);
        }
        lines
    }
}

/// Looks for somebody in all pictures that they are in; how many lines of sight that took.
fn search(
    options: &ScalerOptions,
    screens: &Screens,
    lenses: &[Lens],
    standing: &mut Standing,
) -> usize {
    let before = standing.hidden.hidden;
    let margin = if options.margin > 0.0 { options.margin } else { 0.0 };
    // Who is looked for costs something, even if it is seen at once that nothing can be in the way.
    let mut lines = 1;
    for (number, lens) in lenses.iter().enumerate().take(MOST_VIEWS) {
        if standing.hidden.inside & (1 << number) == 0 {
            continue;
        }
        let wide = if standing.hidden.is_hidden(number) { margin } else { WIDER * margin };
        let (is_seen, taken) = screens.sees(lens.at, standing.place, wide);
        standing.hidden.note(number, is_seen);
        lines += taken;
    }
    if standing.hidden.hidden != before {
        options.look(lenses, standing);
    }
    lines
}
