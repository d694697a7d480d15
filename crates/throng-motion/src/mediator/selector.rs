//! Keeping to a clip until another is clearly better.

use super::sectors::{Sectors, Selected};

/// How reluctantly clips are changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reluctance {
    /// How far beyond the border of its sector a direction has to be, in radians.
    pub angle: f32,
    /// How far beyond the border of its track a speed has to be, as a share of it.
    pub speed: f32,
    /// How long a clip is played at least, in seconds.
    pub dwell: f32,
}

impl Default for Reluctance {
    fn default() -> Self {
        Self { angle: 3f32.to_radians(), speed: 0.05, dwell: 0.2 }
    }
}

/// Somebody's choice of clip over time: without it, who walks on the border between two sectors would
/// change clips all the time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Selector {
    current: Option<Selected>,
    /// Seconds since the clip was changed.
    played: f32,
}

impl Selector {
    /// What to play after another `seconds` at `speed` in the direction `angle`; see
    /// [`Sectors::select`].
    pub fn select(
        &mut self,
        sectors: &Sectors,
        speed: f32,
        angle: f32,
        seconds: f32,
        reluctance: &Reluctance,
    ) -> Selected {
        self.played += if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        let best = sectors.select(speed, angle);
        let kept = self.current.and_then(|current| sectors.stay(&current, speed, angle));
        let selected = match (self.current, kept) {
            (Some(current), Some(kept)) if current.choice != best.choice => {
                let settled = self.played >= reluctance.dwell;
                let slack = (reluctance.angle, reluctance.speed);
                if settled && !sectors.is_near(&current, speed, angle, slack) { best } else { kept }
            }
            _ => best,
        };
        if self.current.map(|current| current.choice) != Some(selected.choice) {
            self.played = 0.0;
        }
        self.current = Some(selected);
        selected
    }
}
