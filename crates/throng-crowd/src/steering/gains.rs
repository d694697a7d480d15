//! What people's traits do to how they steer and find their way. Weights are in the order O, C, E, A, N.
//!
//! After Durupinar et al. (2011); see [`throng_world::temperament`].

use throng_world::temperament::TraitGain;
pub use throng_world::temperament::gains::*;

/// How far ahead others are heeded: careful people look further ahead, anxious ones less far.
pub const HORIZON: TraitGain = TraitGain::new([0.0, 0.2, 0.0, 0.0, -0.1]);
/// Patience, `2 (1 - I)` with the impatience `I = ½ + ½ (E - A - C) / 3`: how readily one gives way, and for how
/// long one bears to be held up.
pub const PATIENCE: TraitGain = TraitGain::new([0.0, 1.0 / 3.0, -1.0 / 3.0, 1.0 / 3.0, 0.0]);
/// How long one waits for others, and which gap is left to them.
pub const WAITING: TraitGain = TraitGain::new([0.0, 0.0, 0.0, 0.5, 0.0]);
/// How near others may come before one gives way: `E - A` of the published 0.6, from which people push, is 0.7 of
/// the usual, and at the ends are what the personalities "aggressive" and "respectful" of `hidac` have.
pub const SPACE: TraitGain = TraitGain::new([0.0, 0.0, -0.5, 0.5, 0.0]);
/// How far one keeps to the right.
pub const RIGHT_HAND: TraitGain = TraitGain::new([0.0, 1.0, 0.0, 0.0, 0.0]);
/// How much panic one bears without losing one's head.
pub const PANIC_THRESHOLD: TraitGain = TraitGain::new([0.0, 0.0, 0.0, 0.0, -0.5]);
/// How far one explores, twice the published `½ + ½ O`: what one's own taste counts in choosing a way, and how much
/// one wanders.
pub const EXPLORING: TraitGain = TraitGain::new([1.0, 0.0, 0.0, 0.0, 0.0]);

/// What people's traits do to parameters that every model has.
pub const COMMON_GAINS: &[(&str, TraitGain)] =
    &[("responsibility", PATIENCE), ("time_gap", WAITING)];

#[cfg(test)]
mod tests {
    use throng_base::Distribution;
    use throng_world::{Temperament, Temperaments};

    use super::*;

    #[test]
    fn factors_are_the_published_ones() {
        let both = Temperament::new([0.0, 0.5, 1.0, 0.0, 0.5]);
        assert!((HORIZON.of(Some(both)) - (1.0 + 0.1 - 0.05)).abs() < 1e-6);
        let rude = Temperament::new([0.0, -1.0, 1.0, -1.0, 0.0]);
        assert!(PATIENCE.of(Some(rude)).abs() < 1e-6);
        assert_eq!(SPACE.of(Some(rude)), 0.0);
        assert_eq!(HORIZON.to_string(), "1 + 0.2 C - 0.1 N");
        assert_eq!(EXPLORING.to_string(), "1 + O");
    }

    #[test]
    fn each_trait_does_something_to_people_who_vary() {
        let traits = [Distribution::Uniform { min: -1.0, max: 1.0 }; 5];
        for gain in [HORIZON, PATIENCE, WAITING, SPACE, RIGHT_HAND, PANIC_THRESHOLD, EXPLORING] {
            let [least, most] = gain.range(Some(&Temperaments { traits }));
            assert!(least < 1.0 && most > 1.0, "{gain:?}");
            assert_eq!(gain.of(Some(Temperament::default())).to_bits(), 1f32.to_bits());
        }
    }
}
