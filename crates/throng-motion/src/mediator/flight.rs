//! Running slower than a clip does: gravity cannot be slowed down.

use crate::clip::Clip;
use crate::contact::Support;

/// When both feet of a clip are off the ground, and how it is played at other speeds.
///
/// A walk is slowed down as a whole. In a run only the time on the ground is stretched, by a pace `τ_s`; the
/// flight takes as long as ever, but covers the part of its way that the slower take-off leaves of it. The
/// pace follows from the mean speed that is wanted, `D_f τ_s² + (D_s - v T_f) τ_s - v T_s = 0`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flight {
    /// Phases at which the feet leave the ground or come back to it, ascending.
    borders: Vec<f32>,
    /// Whether the body is in the air before the first border.
    begins_in_air: bool,
    /// Time on the ground and in the air over a cycle, in seconds (`T_s`, `T_f`).
    pub times: [f32; 2],
    /// How far the root gets on the ground and in the air over a cycle, in metres (`D_s`, `D_f`).
    pub ways: [f32; 2],
}

impl Flight {
    /// What a clip does in the air; of a walk, nothing.
    pub fn of(clip: &Clip) -> Self {
        let contacts = clip.contacts();
        let ends = contacts.left.iter().chain(&contacts.right);
        let mut borders: Vec<f32> = ends.flat_map(|span| [span.start, span.end()]).collect();
        borders.sort_by(f32::total_cmp);
        let in_air = |from: f32, to: f32| contacts.support(0.5 * (from + to)) == Support::Flight;
        let mut pieces: Vec<(f32, f32, bool)> = Vec::new();
        let mut from = 0.0;
        for to in borders.into_iter().chain([1.0]).filter(|to| *to > 0.0) {
            if to - from > 1e-6 {
                pieces.push((from, to, in_air(from, to)));
                from = to;
            }
        }
        let mut flight =
            Self { begins_in_air: pieces.first().is_some_and(|first| first.2), ..Self::default() };
        let mut before = flight.begins_in_air;
        for (from, to, in_air) in pieces {
            if in_air != before {
                flight.borders.push(from);
                before = in_air;
            }
            let way = clip.root_at(to).translation.distance(clip.root_at(from).translation);
            flight.times[usize::from(in_air)] += (to - from) * clip.period();
            flight.ways[usize::from(in_air)] += way;
        }
        flight
    }

    /// Whether the body is in the air at `phase`, in `[0, 1)`.
    pub fn is_at(&self, phase: f32) -> bool {
        let passed = self.borders.partition_point(|border| *border <= phase);
        self.begins_in_air ^ (passed % 2 == 1)
    }

    /// The pace on the ground at which the mean speed is `speed`, in m/s (`τ_s`).
    pub fn pace(&self, speed: f32) -> f32 {
        let ([on_ground, in_air], [way, flown]) = (self.times, self.ways);
        let half = 0.5 * (way - speed * in_air);
        if flown < 1e-6 {
            return speed * on_ground / way.max(1e-6);
        }
        (-half + (half * half + flown * speed * on_ground).sqrt()) / flown
    }

    /// How far a clip of `period` gets from `phase` on in `seconds`, with `pace` on the ground: the phase,
    /// which may be beyond the end of the cycle, and how much of that was in the air.
    pub fn advance(&self, phase: f32, pace: f32, seconds: f32, period: f32) -> Advance {
        if self.times[1] == 0.0 {
            return Advance { phase: phase + pace * seconds / period, in_air: 0.0 };
        }
        let (mut at, mut left, mut in_air) = (phase, seconds / period, 0.0);
        // Each turn passes a border; a step of any sensible length passes few.
        for _ in 0..64 {
            let within = at - at.floor();
            let flies = self.is_at(within);
            let passed = self.borders.partition_point(|border| *border <= within);
            let next = self.borders.get(passed).copied().unwrap_or(1.0);
            let rate = if flies { 1.0 } else { pace };
            let room = next - within;
            let moved = (rate * left).min(room);
            in_air += if flies { moved } else { 0.0 };
            if rate * left <= room {
                at += moved;
                break;
            }
            left -= room / rate.max(1e-6);
            // Onto the border itself, whatever rounding does.
            at = at.floor() + next;
        }
        Advance { phase: at, in_air }
    }
}

/// How far a clip was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advance {
    /// The phase that was reached; 1 and more is the next cycle.
    pub phase: f32,
    /// How much of it was in the air, as a part of the cycle.
    pub in_air: f32,
}
