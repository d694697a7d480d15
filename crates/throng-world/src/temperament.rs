//! What people are like: five traits of personality, and by how much each of them changes what people do.
//!
//! Somebody's [`Temperament`] has openness, conscientiousness, extraversion, agreeableness and neuroticism, each from
//! -1 to 1 (the five factors, OCEAN). Groups say how their people vary ([`Temperaments`]); each person's values are a
//! function of the seed and their number alone. What follows from them is linear: a [`TraitGain`] is a factor for something
//! that a person would have anyway, 1 for somebody who is neither the one nor the other. Those of bodies are in [`gains`].
//!
//! After Durupinar et al., *How the OCEAN Personality Model Affects the Perception of Crowds* (IEEE CG&A 2011), and
//! O'Sullivan, *Variety Is the Spice of (Virtual) Life* (2009). Different here: everything is a factor of what the
//! scene says instead of a value of its own, and rules that are switched on by a trait there grow with it here,
//! so that nobody changes at once. Values are kept in hundredths, so that they are the same wherever they are kept.

use std::fmt;

use throng_base::random::{Purpose, Random};
use throng_base::{Distribution, named_enum};

named_enum! {
    /// One of the five traits.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum Trait {
        /// Curious and ready for something else, or set in one's ways.
        Openness = "openness",
        /// Orderly and far-sighted, or careless.
        Conscientiousness = "conscientiousness",
        /// Outgoing and brisk, or withdrawn.
        Extraversion = "extraversion",
        /// Considerate and patient, or selfish.
        Agreeableness = "agreeableness",
        /// Anxious, or calm.
        Neuroticism = "neuroticism",
    }
}

/// Somebody's traits, in hundredths from -1 to 1. By default all are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Temperament {
    /// In the order of [`Trait::ALL`].
    hundredths: [i8; 5],
}

impl Temperament {
    /// Somebody with these traits, in the order of [`Trait::ALL`]; what is beyond -1 and 1 is cut off.
    pub fn new(traits: [f32; 5]) -> Self {
        // `as` makes 0 of what is not a number.
        Self { hundredths: traits.map(|value| (value.clamp(-1.0, 1.0) * 100.0).round() as i8) }
    }

    /// One of the traits, from -1 to 1.
    pub fn get(self, which: Trait) -> f32 {
        f32::from(self.hundredths[which as usize]) / 100.0
    }

    /// The traits with their names.
    pub fn named(self) -> impl Iterator<Item = (&'static str, f32)> {
        Trait::ALL.into_iter().map(move |which| (which.name(), self.get(which)))
    }
}

/// How the traits of people vary, each by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperaments {
    /// In the order of [`Trait::ALL`].
    pub traits: [Distribution; 5],
}

impl Default for Temperaments {
    /// Everybody is neither the one nor the other.
    fn default() -> Self {
        Self { traits: [Distribution::Constant(0.0); 5] }
    }
}

impl Temperaments {
    /// That of person number `id`. Each trait is drawn by itself: how one varies changes no other.
    pub fn draw(&self, random: Random, id: u32) -> Temperament {
        let draw = |which: Trait| {
            let mut stream = random.stream(u64::from(id), which as u64, Purpose::Temperament);
            stream.draw(self.traits[which as usize])
        };
        Temperament::new(Trait::ALL.map(draw))
    }

    /// How the traits of somebody vary of whose group and of whom this is said; `None` if they have none.
    pub fn of_one(group: Option<Self>, own: Option<&OwnTraits>) -> Option<Self> {
        own.map_or(group, |own| Some(group.unwrap_or_default().with(own)))
    }

    /// The same for somebody of whom some traits are known.
    fn with(mut self, own: &OwnTraits) -> Self {
        for (distribution, own) in self.traits.iter_mut().zip(own.traits) {
            *distribution = own.map_or(*distribution, Distribution::Constant);
        }
        self
    }
}

/// Traits that are said of one person, in the order of [`Trait::ALL`]; the others are drawn as their group says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OwnTraits {
    /// From -1 to 1.
    pub traits: [Option<f32>; 5],
}

/// How somebody's traits change something about them: a factor of `1 + Σ weight · trait`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TraitGain {
    weights: [f32; 5],
}

impl TraitGain {
    /// The gain with these weights, in the order of [`Trait::ALL`].
    pub const fn new(weights: [f32; 5]) -> Self {
        Self { weights }
    }

    /// The factor for somebody; exactly 1 for who has no traits, or only zeros.
    pub fn of(&self, temperament: Option<Temperament>) -> f32 {
        let Some(temperament) = temperament else { return 1.0 };
        self.sum(|which| temperament.get(which))
    }

    /// The smallest and the largest factor that anybody drawn from `temperaments` can have.
    pub fn range(&self, temperaments: Option<&Temperaments>) -> [f32; 2] {
        let Some(Temperaments { traits }) = temperaments else { return [1.0; 2] };
        // As they are kept, in hundredths.
        let low = Temperament::new(traits.map(Distribution::min));
        let high = Temperament::new(traits.map(Distribution::max));
        [false, true].map(|largest| {
            self.sum(|which| {
                let grows = self.weights[which as usize] > 0.0;
                if grows == largest { high.get(which) } else { low.get(which) }
            })
        })
    }

    fn sum(&self, value: impl Fn(Trait) -> f32) -> f32 {
        let terms = Trait::ALL.into_iter().map(|which| self.weights[which as usize] * value(which));
        terms.fold(1.0, |sum, term| sum + term).max(0.0)
    }
}

impl fmt::Display for TraitGain {
    /// The factor as a formula of the initials of traits, e.g. `1 + 0.2 C - 0.1 N`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1")?;
        for (which, weight) in Trait::ALL.into_iter().zip(self.weights) {
            let initial = which.name()[..1].to_uppercase();
            let sign = if weight < 0.0 { '-' } else { '+' };
            match (100.0 * weight.abs()).round() / 100.0 {
                0.0 => {}
                1.0 => write!(f, " {sign} {initial}")?,
                size => write!(f, " {sign} {size} {initial}")?,
            }
        }
        Ok(())
    }
}

/// What traits change of bodies. Weights are in the order of [`Trait::ALL`]: O, C, E, A, N.
pub mod gains {
    use super::TraitGain;

    /// Preferred speed: 1.3 m/s and 0.2 m/s more or less, as a share.
    pub const SPEED: TraitGain = TraitGain::new([0.0, 0.0, 0.2 / 1.3, 0.0, 0.0]);
    /// The room that somebody takes: outgoing people keep less of it to themselves, anxious ones more.
    pub const RADIUS: TraitGain = TraitGain::new([0.0, 0.0, -0.15, 0.0, 0.1]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temperament(which: Trait, value: f32) -> Option<Temperament> {
        let mut traits = [0.0; 5];
        traits[which as usize] = value;
        Some(Temperament::new(traits))
    }

    #[test]
    fn factors_are_the_published_ones() {
        let both = Temperament::new([0.0, 0.5, 1.0, 0.0, 0.5]);
        assert!((gains::RADIUS.of(Some(both)) - (1.0 - 0.15 + 0.05)).abs() < 1e-6);
        let speed = |e: f32| 1.3 * gains::SPEED.of(temperament(Trait::Extraversion, e));
        assert!((speed(1.0) - 1.5).abs() < 1e-6 && (speed(-1.0) - 1.1).abs() < 1e-6);
        assert_eq!(gains::RADIUS.to_string(), "1 - 0.15 E + 0.1 N");
    }

    #[test]
    fn who_is_neutral_is_as_if_they_had_no_traits() {
        for sway in [gains::SPEED, gains::RADIUS] {
            assert_eq!(sway.of(Some(Temperament::default())).to_bits(), 1f32.to_bits());
            assert_eq!(sway.of(None).to_bits(), 1f32.to_bits());
            assert_eq!(sway.range(None), [1.0; 2]);
            let [least, most] = sway.range(Some(&Temperaments {
                traits: [Distribution::Uniform { min: -1.0, max: 1.0 }; 5],
            }));
            assert!(least < 1.0 && most > 1.0, "{sway:?} does something");
        }
    }

    #[test]
    fn nobody_is_outside_of_the_range_of_their_group() {
        let group = Temperaments {
            traits: [
                Distribution::Constant(0.25),
                Distribution::Uniform { min: -0.4, max: 0.9 },
                Distribution::Normal { mean: 0.3, sd: 0.4, min: -1.0, max: 1.0 },
                Distribution::Uniform { min: -1.0, max: -0.5 },
                Distribution::Normal { mean: 0.0, sd: 2.0, min: -0.2, max: 0.7 },
            ],
        };
        let [least, most] = gains::RADIUS.range(Some(&group));
        let mut seen = [f32::INFINITY, f32::NEG_INFINITY];
        for id in 0..5000 {
            let one = group.draw(Random::new(11), id);
            assert_eq!(one.get(Trait::Openness), 0.25);
            assert!((-1.0..=-0.5).contains(&one.get(Trait::Agreeableness)));
            let factor = gains::RADIUS.of(Some(one));
            assert!((least..=most).contains(&factor), "{factor}");
            seen = [seen[0].min(factor), seen[1].max(factor)];
        }
        assert!(seen[1] - seen[0] > 0.6 * (most - least), "{seen:?} of {least} to {most}");
    }

    #[test]
    fn traits_are_drawn_each_by_itself() {
        let wide = Temperaments { traits: [Distribution::Uniform { min: -1.0, max: 1.0 }; 5] };
        let mut narrow = wide;
        narrow.traits[0] = Distribution::Normal { mean: 0.0, sd: 3.0, min: -0.1, max: 0.1 };
        let random = Random::new(4);
        let n = 4000;
        let mut products = [[0.0; 5]; 5];
        for id in 0..n {
            let (one, other) = (wide.draw(random, id), narrow.draw(random, id));
            assert_eq!(one.hundredths[1..], other.hundredths[1..]);
            assert!(other.get(Trait::Openness).abs() <= 0.1);
            for (a, row) in Trait::ALL.into_iter().zip(&mut products) {
                for (b, sum) in Trait::ALL.into_iter().zip(row) {
                    *sum += one.get(a) * one.get(b);
                }
            }
        }
        for (a, row) in products.iter().enumerate() {
            for (b, sum) in row.iter().enumerate() {
                let expected = if a == b { 1.0 / 3.0 } else { 0.0 };
                assert!((sum / n as f32 - expected).abs() < 0.03, "{a} {b}: {sum}");
            }
        }
    }

    #[test]
    fn nonsense_is_cut_off() {
        let odd = Temperament::new([f32::NAN, 7.0, -9.0, f32::INFINITY, 0.004]);
        assert_eq!(odd.hundredths, [0, 100, -100, 100, 0]);
    }
}
