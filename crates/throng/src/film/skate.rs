//! How far feet slide that should stand.

use serde::Serialize;

use super::distribution::{Distribution, Spread};
use crate::bodies::{Ensemble, Footing, Member, Stance, Stances};

/// Slips are told for this time, s: a frame of what is published about skating.
const FRAME: f32 = 0.04;
/// A standing foot that slides further than this within [`FRAME`] is dragged, m.
const DRAGGED: f32 = 1e-3;
/// A foot that turns faster than this while it stands pivots, rad/s.
const PIVOTING: f32 = 0.2;
/// How many of the worst are told.
const WORST: usize = 10;

/// Measures how far feet slide, frame by frame, as [`Stances`] sees it.
#[derive(Clone)]
pub struct Skate {
    stances: Stances,
    found: Found,
    poses: u64,
    pulled: u64,
}

/// What was found so far.
#[derive(Clone, Debug, Default)]
struct Found {
    slips: Distribution,
    stances: Distribution,
    sunk: Distribution,
    floated: Distribution,
    worst: Vec<SlidStance>,
    dragged: u64,
    pivoted: u64,
}

/// A stance during which a foot slid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlidStance {
    /// Who.
    pub person: u32,
    /// `left` or `right`; of animals also which of the two.
    pub foot: &'static str,
    /// When it began to stand, s.
    pub begin: f64,
    /// When it ended, s.
    pub end: f64,
    /// Where on the ground, m.
    pub place: [f32; 2],
    /// How far it slid in all, mm.
    pub slid_mm: f32,
    /// And at most within a frame of 1/25 s, mm.
    pub frame_mm: f32,
    /// How far it turned in all, degrees.
    pub turned_degrees: f32,
}

/// How far feet slid.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SkateReport {
    /// Within a frame of 1/25 s, mm.
    pub frame_mm: Spread,
    /// From touching the ground to leaving it, all of the way, mm.
    pub stance_mm: Spread,
    /// How deep standing feet sank into the ground, mm.
    pub sunk_mm: Spread,
    /// How high above the ground all of a standing foot was, mm.
    pub floated_mm: Spread,
    /// Share of standing feet that slide by more than 1 mm within a frame of 1/25 s.
    pub dragged: f64,
    /// Share of poses in which the body was pulled after its track, because it lagged behind by more than the tolerance.
    pub pulled: f64,
    /// The share of standing feet that pivot faster than 0.2 rad/s.
    pub pivoting: f64,
    /// The stances that slid furthest, worst first.
    pub worst: Vec<SlidStance>,
}

impl Skate {
    /// For the members of `ensemble`.
    pub fn of(ensemble: &Ensemble) -> Self {
        Self { stances: Stances::of(ensemble), found: Found::default(), poses: 0, pulled: 0 }
    }

    /// Looks at everybody in a frame at `time`, `seconds` after the one before.
    pub fn watch(&mut self, members: &[Member], time: f64, seconds: f32) {
        self.poses += members.len() as u64;
        self.pulled += members.iter().filter(|member| member.is_pulled()).count() as u64;
        let found = &mut self.found;
        self.stances.watch(members, time, seconds, |footing| match footing {
            Footing::Stood { slid, turned, above, .. } => {
                let slid = slid * FRAME / seconds.max(1e-6);
                found.slips.add(slid);
                found.dragged += u64::from(slid > DRAGGED);
                found.sunk.add((-above).max(0.0));
                found.floated.add(above.max(0.0));
                found.pivoted += u64::from(turned > PIVOTING * seconds);
            }
            Footing::Left(stance) => found.end(&stance),
        });
    }

    /// What was found.
    pub fn finish(self) -> SkateReport {
        let Self { stances, mut found, poses, pulled } = self;
        stances.standing().for_each(|stance| found.end(&stance));
        let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
        SkateReport {
            frame_mm: found.slips.spread(1e3),
            stance_mm: found.stances.spread(1e3),
            sunk_mm: found.sunk.spread(1e3),
            floated_mm: found.floated.spread(1e3),
            dragged: share(found.dragged, found.slips.count()),
            pulled: share(pulled, poses),
            pivoting: share(found.pivoted, found.slips.count()),
            worst: found.worst,
        }
    }
}

impl Found {
    /// A foot has left the ground.
    fn end(&mut self, stance: &Stance) {
        if stance.end <= stance.begin {
            return;
        }
        self.stances.add(stance.slid);
        let slid_mm = 1e3 * stance.slid;
        let better = self.worst.last().is_some_and(|last| slid_mm <= last.slid_mm);
        if self.worst.len() == WORST && better {
            return;
        }
        let at = self.worst.partition_point(|other| other.slid_mm >= slid_mm);
        self.worst.insert(
            at,
            SlidStance {
                person: stance.person,
                foot: stance.called,
                begin: stance.begin,
                end: stance.end,
                place: stance.place().to_array(),
                slid_mm,
                frame_mm: 1e3 * FRAME * stance.fastest,
                turned_degrees: stance.turned.to_degrees(),
            },
        );
        self.worst.truncate(WORST);
    }
}
