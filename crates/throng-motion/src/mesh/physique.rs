//! Who somebody is, as far as the body shows it: tall or small, young or old, slim or heavy.

use std::ops::RangeInclusive;

use thiserror::Error;

use super::trunk::hip_half_breadth;
use crate::gait::{Manner, Style};
use crate::human::{FootShape, Human, Proportions};

/// What sets one body apart from another, independently of its clothes.
///
/// ```
/// use throng_motion::{Detail, Mesh, Outfit, Physique};
///
/// let physique = Physique { build: 0.4, ..Physique::typical(9.0, 1.0) };
/// let child = physique.human()?;
/// let mesh = Mesh::body(&child, &physique, &Outfit::default(), Detail::Full)?;
/// assert!(mesh.triangle_count() <= 1_710);
/// # Ok::<(), throng_motion::PhysiqueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Physique {
    /// From the sole to the crown, in metres.
    pub height: f32,
    /// In years: children have larger heads and shorter legs, old people softer bodies.
    pub age: f32,
    /// From -1 (slim) over 0 (average) to 1 (heavy).
    pub build: f32,
    /// From 0 (a man's body) to 1 (a woman's). Small children's bodies hardly differ.
    pub femininity: f32,
}

/// Why there can be no such body.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{what} is {value}; bodies have between {least} and {most}")]
#[allow(missing_docs, reason = "the message says it")]
pub struct PhysiqueError {
    pub what: &'static str,
    pub value: f32,
    pub least: f32,
    pub most: f32,
}

impl Default for Physique {
    fn default() -> Self {
        Self { height: 1.75, age: 30.0, build: 0.0, femininity: 0.0 }
    }
}

impl Physique {
    /// Heights that bodies can have, in metres.
    pub const HEIGHTS: RangeInclusive<f32> = 0.8..=2.1;
    /// Ages that bodies can have, in years.
    pub const AGES: RangeInclusive<f32> = 2.0..=100.0;
    /// Builds that bodies can have.
    pub const BUILDS: RangeInclusive<f32> = -1.0..=1.0;
    /// What femininity can be.
    pub const FEMININITIES: RangeInclusive<f32> = 0.0..=1.0;

    /// Somebody of that age with the usual height and build.
    pub fn typical(age: f32, femininity: f32) -> Self {
        Self { height: typical_height(age, femininity), age, build: 0.0, femininity }
    }

    /// The lengths of such a body's segments.
    ///
    /// # Errors
    ///
    /// If a parameter is not finite or outside of its range.
    pub fn proportions(&self) -> Result<Proportions, PhysiqueError> {
        self.check()?;
        let traits = self.traits();
        let height = self.height;
        let adult = Proportions::of_height(height);
        let grown = |adult: f32, infant: f32| mix(adult, infant * height, traits.child);
        let sexed = |man: f32, woman: f32| mix(man, woman, traits.woman) * height;
        let broad = 1.0 + 0.03 * self.build;
        Ok(Proportions {
            height,
            thigh: grown(adult.thigh, 0.211),
            shank: grown(adult.shank, 0.210),
            foot: FootShape::of_height(height),
            hip_half_width: grown(sexed(0.050, 0.053), 0.047) * (1.0 + 0.04 * self.build),
            trunk: grown(adult.trunk, 0.337),
            neck: grown(adult.neck, 0.066),
            shoulder_half_width: grown(sexed(0.105, 0.095), 0.093) * broad,
            upper_arm: grown(adult.upper_arm, 0.165),
            forearm: grown(adult.forearm, 0.148),
            hand: grown(adult.hand, 0.104),
        })
    }

    /// A body of this physique.
    ///
    /// # Errors
    ///
    /// If a parameter is not finite or outside of its range.
    pub fn human(&self) -> Result<Human, PhysiqueError> {
        let proportions = self.proportions()?;
        // Everything in range gives lengths that people have; the tests try all corners.
        Human::new(proportions).map_err(|error| PhysiqueError {
            what: error.what,
            value: error.value,
            least: error.least,
            most: error.most,
        })
    }

    /// How far the upper arms have to be turned away from the body so that hanging hands clear the
    /// hips, in radians: next to nothing for the slim, a fifth of a radian for the heavy.
    ///
    /// # Errors
    ///
    /// If a parameter is not finite or outside of its range.
    pub fn arm_clearance(&self) -> Result<f32, PhysiqueError> {
        let lengths = self.proportions()?;
        // Half of a hand, its thumb and some cloth.
        let hand = 0.16 * lengths.hand + 0.008 * lengths.height;
        let hips = hip_half_breadth(&self.traits()) * lengths.height;
        let needed = hips + hand - lengths.shoulder_half_width;
        let wrist = lengths.upper_arm + lengths.forearm;
        Ok((needed / wrist).clamp(0.0, 0.5).asin())
    }

    /// How a body like this one walks: arms that clear the hips, wider and slower steps of the
    /// heavy, shorter ones of the old, more play of the hips of women.
    ///
    /// # Errors
    ///
    /// If a parameter is not finite or outside of its range.
    pub fn style(&self) -> Result<Style, PhysiqueError> {
        let clearance = self.arm_clearance()?;
        let old = ((self.age - 60.0) / 20.0).clamp(0.0, 1.0);
        let young = (1.0 - (self.age - 6.0) / 4.0).clamp(0.0, 1.0);
        let heavy = self.build.clamp(0.0, 1.0);
        let hips = self.femininity - 0.5;
        let body = Style {
            // Arms that swing are a little off the body anyway.
            arm_abduction: (clearance - 4f32.to_radians()).max(0.0),
            pelvis_list: 1.0 + 0.3 * hips,
            pelvis_rotation: 1.0 + 0.3 * hips,
            step_width: -0.02 * hips,
            ..Style::default()
        };
        let mixed = |manner, part| Style::default().towards(Style::of(manner), part);
        let heaviness = Style { arm_abduction: 0.0, ..mixed(Manner::Heavy, heavy) };
        Ok(body.with(heaviness).with(mixed(Manner::Older, old)).with(mixed(Manner::Child, young)))
    }

    pub(super) fn check(&self) -> Result<(), PhysiqueError> {
        for (what, value, range) in [
            ("height", self.height, Self::HEIGHTS),
            ("age", self.age, Self::AGES),
            ("build", self.build, Self::BUILDS),
            ("femininity", self.femininity, Self::FEMININITIES),
        ] {
            // NaN is in no range.
            if !range.contains(&value) {
                let (least, most) = range.into_inner();
                return Err(PhysiqueError { what, value, least, most });
            }
        }
        Ok(())
    }

    /// What shapes are made of.
    pub(super) fn traits(&self) -> Traits {
        let child = ((17.0 - self.age) / 14.0).clamp(0.0, 1.0).powf(1.3);
        Traits {
            child,
            old: ((self.age - 45.0) / 40.0).clamp(0.0, 1.0),
            // Before puberty, bodies differ little.
            woman: self.femininity * (1.0 - ((16.0 - self.age) / 6.0).clamp(0.0, 0.9)),
            heavy: self.build.max(0.0),
            slim: (-self.build).max(0.0),
        }
    }
}

/// A physique as shares in `[0, 1]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    pub child: f32,
    pub old: f32,
    pub woman: f32,
    pub heavy: f32,
    pub slim: f32,
}

impl Traits {
    /// How much a girth grows when somebody heavy adds `more` of it and somebody slim has `less`.
    pub fn girth(&self, more: f32, less: f32) -> f32 {
        1.0 + more * self.heavy - less * self.slim
    }

    /// Between a man's value and a woman's.
    pub fn sexed(&self, man: f32, woman: f32) -> f32 {
        mix(man, woman, self.woman)
    }
}

pub(super) fn mix(from: f32, to: f32, share: f32) -> f32 {
    from + (to - from) * share
}

/// Medians of growth charts (CDC), with what ageing takes off from 50 years on.
fn typical_height(age: f32, femininity: f32) -> f32 {
    const MEDIANS: [(f32, f32, f32); 8] = [
        (2.0, 0.87, 0.85),
        (4.0, 1.02, 1.01),
        (6.0, 1.16, 1.15),
        (9.0, 1.34, 1.33),
        (12.0, 1.49, 1.51),
        (14.0, 1.64, 1.60),
        (17.0, 1.75, 1.63),
        (50.0, 1.75, 1.63),
    ];
    let median = |of: fn(&(f32, f32, f32)) -> f32| {
        let above = MEDIANS.iter().position(|row| row.0 > age).unwrap_or(MEDIANS.len());
        if above == 0 || above == MEDIANS.len() {
            return of(&MEDIANS[above.min(MEDIANS.len() - 1)]);
        }
        let (low, high) = (&MEDIANS[above - 1], &MEDIANS[above]);
        mix(of(low), of(high), (age - low.0) / (high.0 - low.0))
    };
    mix(median(|row| row.1), median(|row| row.2), femininity)
        - 0.001 * (age - 50.0).clamp(0.0, 50.0)
}
