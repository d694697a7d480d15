//! Figures of motion clips: stick figures over a cycle, joint angles beside those of people, and
//! when which foot is on the ground.

mod angles;
mod contacts;
mod strip;

use throng::base::named_enum;
use throng_motion::analysis::ClipFacts;
use throng_motion::{Clip, ClipKind, Side};

use crate::PlotError;
use crate::draw::Ink;
use crate::figure::{Figure, Subject};
use crate::layout::{Entry, Mark};
use crate::style::series_ink;
use crate::ticks::{compact, counted, decimal};

named_enum! {
    /// What a figure of clips shows.
    pub enum ClipFigure {
        /// Stick figures at phases of the clip, from the side and from ahead.
        Strip = "strip",
        /// Joint angles over the cycle, beside those of people.
        Angles = "angles",
        /// When which foot is on the ground.
        Contacts = "contacts",
    }
}

impl ClipFigure {
    /// What it shows, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Strip => "stick figures over a cycle, from the side and from ahead",
            Self::Angles => "joint angles over a cycle, beside those of people",
            Self::Contacts => "when which foot is on the ground",
        }
    }
}

/// More clips than this would make pages that nobody can look at.
pub const MOST_CLIPS: usize = 60;

/// Draws clips, one below the other.
///
/// # Errors
///
/// If there are none or too many, or a clip's skeleton lacks landmarks of the legs.
pub fn draw_clips(clips: &[Clip], figure: ClipFigure) -> Result<Figure, PlotError> {
    if clips.is_empty() {
        return Err(PlotError::options("a figure", "needs a clip, and there is none"));
    }
    if clips.len() > MOST_CLIPS {
        let what = counted(clips.len() as u64, "clip", "clips");
        return Err(PlotError::options(what, "do not fit on a page; choose some of them"));
    }
    let page = match figure {
        ClipFigure::Strip => strip::draw(clips)?,
        ClipFigure::Angles => match clips {
            [clip] => angles::draw(clip)?,
            _ => {
                let what = format!("angles of {}", counted(clips.len() as u64, "clip", "clips"));
                return Err(PlotError::options(what, "do not fit into one figure; choose one"));
            }
        },
        ClipFigure::Contacts => contacts::draw(clips)?,
    };
    let frames = clips.iter().map(|clip| clip.motion().frames() as u32).sum();
    let subject = Subject { kind: figure.name(), people: 1, frames, ..Subject::default() };
    Ok(Figure { page, subject })
}

fn ink(side: Side) -> Ink {
    series_ink(side.choose(0, 1))
}

/// Explains the colours of the sides.
fn side_entries(mark: fn(Ink) -> Mark) -> Vec<Entry> {
    [("left", Side::Left), ("right", Side::Right)]
        .map(|(name, side)| Entry::new(mark(ink(side)), name))
        .into()
}

/// "walk, 1.30 m/s, a cycle takes 1.12 s and 1.46 m, duty 0.61".
fn describe(facts: &ClipFacts, looped: bool) -> String {
    let number = |value: f32, decimals: usize| decimal(value.into(), decimals);
    let mut text = facts.kind.name().to_owned();
    if facts.speed > 0.005 {
        text += &format!(", {} m/s", number(facts.speed, 2));
        if facts.angle.abs() > 0.02 {
            text += &format!(" at {}°", number(facts.angle.to_degrees(), 0));
        }
    }
    let pass = if looped { "a cycle takes" } else { "takes" };
    text += &format!(", {pass} {} s", number(facts.period, 2));
    if facts.speed > 0.005 {
        text += &format!(" and {} m", number(facts.stride, 2));
    }
    if facts.turn.abs() > 0.02 {
        text += &format!(", turning by {}°", number(facts.turn.to_degrees(), 0));
    }
    if matches!(facts.kind, ClipKind::Walk | ClipKind::Run | ClipKind::Turn) {
        text += &format!(", duty {}", compact(facts.duty.into(), 2));
    }
    text
}

fn refused(error: throng_motion::analysis::Refusal) -> PlotError {
    PlotError::Clip(error)
}
