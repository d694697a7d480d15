//! Less effort for those whom nobody sees well, if an author wants so.
//!
//! Everybody is simulated in full unless somebody sets a budget: so many people in full, so many simply, or so long for a step. Then
//! the scaler that decides on bodies decides on efforts, too, seen through the cameras of all pages that draw bodies. A budget that everybody
//! fits into changes nothing, to the last bit. While no page draws bodies there is nobody to decide by, and everybody is simulated in full
//! again.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use throng::scaler::Budget;

use super::{Show, Stage};
use crate::protocol::{EffortLimits, EffortsReply, Refusal};

/// How long a step can be allowed to take, ms.
const LIMITS: std::ops::RangeInclusive<f64> = 0.1..=1000.0;

impl EffortLimits {
    /// Returns the limits; `None` if nothing is limited.
    fn checked(self) -> Result<Option<Self>, Refusal> {
        if let Some(ms) = self.ms.filter(|ms| !LIMITS.contains(ms)) {
            return Err(Refusal::new(format!("a step cannot be limited to {ms} ms"))
                .with_help(format!("write for `ms` {} to {}", LIMITS.start(), LIMITS.end())));
        }
        Ok((self != Self::default()).then_some(self))
    }

    /// Returns the same budget for bodies, with these limits for the simulation.
    pub fn within(self, budget: Budget) -> Budget {
        let Self { full, simple, ms } = self;
        Budget {
            efforts: [full, simple].map(|most| most.unwrap_or(usize::MAX)),
            simulation: ms.map(|ms| Duration::from_secs_f64(ms / 1e3)),
            ..budget
        }
    }
}

impl Stage {
    /// Sets how much may be spent, for all pages.
    pub(super) fn set_efforts(
        &mut self,
        now: Instant,
        limits: EffortLimits,
    ) -> Result<EffortsReply, Refusal> {
        if matches!(self.show, Show::Replay(_)) {
            return Err(Refusal::new("nothing is simulated in a recording")
                .with_help("open the scene it is of"));
        }
        self.efforts = limits.checked()?;
        if self.efforts.is_none() {
            self.spare_no_effort();
        }
        self.tell_frame(now);
        self.tell_state(now);
        Ok(EffortsReply { efforts: self.efforts })
    }

    /// Everybody has a level: they are simulated accordingly.
    pub(super) fn give_efforts(&mut self) {
        if self.efforts.is_none() {
            return;
        }
        if let (Show::Live(live), Some(bodies)) = (&mut self.show, &self.bodies) {
            live.give_efforts(bodies.efforts());
            self.are_efforts_spared = true;
        }
    }

    /// What the newest step took is what the next ones are planned by.
    pub(super) fn note_effort(&mut self) {
        let step = self.show.step();
        if let (Show::Live(live), Some(bodies)) = (&self.show, &mut self.bodies)
            && self.noted_step != step
        {
            self.noted_step = step;
            bodies.simulated(live.step_time);
        }
    }

    /// While nobody looks, everybody is simulated in full.
    pub(super) fn mind_efforts(&mut self) {
        let foci = || self.outlets.foci.lock().unwrap_or_else(PoisonError::into_inner);
        if self.are_efforts_spared && foci().is_empty() {
            self.spare_no_effort();
        }
    }

    fn spare_no_effort(&mut self) {
        self.are_efforts_spared = false;
        if let Show::Live(live) = &mut self.show {
            live.spare_no_effort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_limited_and_nothing_else() {
        assert_eq!(EffortLimits::default().checked(), Ok(None));
        let some = EffortLimits { full: Some(7), ..EffortLimits::default() };
        let budget = some.within(Budget::default());
        assert_eq!((budget.efforts, budget.simulation), ([7, usize::MAX], None));
        assert_eq!(budget.full, Budget::default().full);
        let timed = EffortLimits { simple: Some(0), ms: Some(2.5), ..EffortLimits::default() };
        assert_eq!(timed.checked(), Ok(Some(timed)));
        let budget = timed.within(Budget::default());
        assert_eq!(budget.efforts, [usize::MAX, 0]);
        assert_eq!(budget.simulation, Some(Duration::from_micros(2500)));
        for ms in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
            let odd = EffortLimits { ms: Some(ms), ..EffortLimits::default() };
            assert!(odd.checked().is_err_and(|refusal| refusal.help.is_some()), "{ms}");
        }
    }
}
