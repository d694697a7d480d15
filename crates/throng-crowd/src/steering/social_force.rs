//! The social force model.
//!
//! People are drawn to their preferred velocity and repelled by each other and by walls, as if each
//! had a potential around them. That of a person is an ellipse, stretched along the way they are
//! going to take next, so that others keep out of it; what is behind one's back weighs less.
//!
//! Source: Helbing, Molnár, *Social force model for pedestrian dynamics* (Physical Review E 51,
//! 1995), the form with the elliptical potential. It is here as a classical baseline: it knows no
//! future beyond the next stride, so people come close before they react. Different here: forces
//! are limited, for the potential has none at the other's centre; walls beside the way do not hold
//! back (see [`forces`]); contacts keep bodies apart.

use throng_simd::{Floats, Mask, Simd, cos, exp};
use throng_world::temperament::{Sway, sways};

use super::explain::Witness;
use super::forces::{self, ForceModel};
use super::foresight::Foresight;
use super::lanes::{Other, Own, Vec2s, along, untie};
use super::{
    Explanation, ModelInfo, ParameterInfo, SteeringJob, SteeringModel, Surroundings, WallSight,
};
use crate::manner::MODEL_PARAMETERS;
use crate::neighbours::Neighbourhood;

pub(super) const INFO: ModelInfo = ModelInfo {
    name: "social_force",
    summary: "Social forces (Helbing & Molnár 1995): repulsion by the positions and next strides of \
              others; the classical baseline",
    parameters: &PARAMETERS,
    common_defaults: &[],
    walls: WALLS,
    personalities: &[],
    sways: SWAYS,
    ascending: &[],
    advice: None,
    build: || Box::new(SocialForce),
};

/// The same forces with values that, together with the gap that people keep, give the flows that
/// were measured with people: through doors of 0.8 m to 2 m, in corridors at up to 4 people per m²,
/// and against each other without a jam.
pub(super) const PEDESTRIAN: ModelInfo = ModelInfo {
    name: "pedestrian",
    summary: "Social forces with a kept gap, calibrated to the measured flows of people through \
              doors and corridors; take this where numbers count",
    parameters: &{
        let mut parameters = PARAMETERS;
        parameters[REPULSION].default = 3.0;
        parameters[STRIDE].default = 0.75;
        parameters[WALL_REPULSION].default = 0.4;
        parameters[VIEW].default = 260.0;
        parameters[TOP_SPEED].default = 1.0;
        parameters[STEP_BACK].default = 0.0;
        parameters[FORESIGHT].default = 3.5;
        parameters[ONCOMING_REPULSION].default = 0.2;
        parameters
    },
    // Who looks ahead has to notice more than the nearest.
    common_defaults: &[("time_gap", 0.7), ("stagger", 1.0), ("neighbours", 16.0)],
    sways: FORESIGHTED,
    ..INFO
};

const WALLS: WallSight = WallSight::Distance { parameter: WALL_RANGE, factor: WALL_RANGES };

/// What people's traits do: who looks far ahead keeps out of longer strides, who is impatient takes up speed at once.
const SWAYS: &[(&str, Sway)] =
    &[("stride_time", sways::HORIZON), ("relaxation_time", sways::PATIENCE)];

/// The same with foresight: who looks further ahead has to notice people further away.
const FORESIGHTED: &[(&str, Sway)] = &[
    ("stride_time", sways::HORIZON),
    ("foresight_time", sways::HORIZON),
    ("neighbour_range", sways::HORIZON),
    ("relaxation_time", sways::PATIENCE),
];

const PARAMETERS: [ParameterInfo; 16] = [
    ParameterInfo {
        name: "repulsion",
        description: "Strength of the repulsion between people (V0)",
        unit: "m²/s²",
        default: 2.1,
        min: 0.0,
        max: 50.0,
    },
    ParameterInfo {
        name: "repulsion_range",
        description: "Distance over which it falls to 1/e (σ)",
        unit: "m",
        default: 0.3,
        min: 0.05,
        max: 3.0,
    },
    ParameterInfo {
        name: "stride_time",
        description: "Others keep out of the way that one takes in this time (Δt)",
        unit: "s",
        default: 2.0,
        min: 0.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "wall_repulsion",
        description: "Strength of the repulsion by walls (U0)",
        unit: "m²/s²",
        default: 10.0,
        min: 0.0,
        max: 100.0,
    },
    ParameterInfo {
        name: "wall_repulsion_range",
        description: "Distance over which it falls to 1/e (R)",
        unit: "m",
        default: 0.2,
        min: 0.05,
        max: 2.0,
    },
    ParameterInfo {
        name: "relaxation_time",
        description: "How fast the preferred velocity is taken up (τ)",
        unit: "s",
        default: 0.5,
        min: 0.1,
        max: 5.0,
    },
    ParameterInfo {
        name: "field_of_view",
        description: "The angle in which others have their full weight (2φ)",
        unit: "°",
        default: 200.0,
        min: 30.0,
        max: 360.0,
    },
    ParameterInfo {
        name: "unseen_weight",
        description: "The weight of those outside it (c)",
        unit: "",
        default: 0.5,
        min: 0.0,
        max: 1.0,
    },
    ParameterInfo {
        name: "max_acceleration",
        description: "The largest acceleration",
        unit: "m/s²",
        default: 20.0,
        min: 0.5,
        max: 50.0,
    },
    ParameterInfo {
        name: "wall_hold",
        description: "How much walls hold one back that are beside the way, not in it: 1 as \
                      published, but then nobody enters a narrow door of their own accord",
        unit: "",
        default: 0.0,
        min: 0.0,
        max: 1.0,
    },
    ParameterInfo {
        name: "top_speed",
        description: "How many times their preferred speed people can be driven to",
        unit: "",
        default: 1.3,
        min: 1.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "step_back",
        description: "How much others can push one back into somebody right behind, unless there \
                      are people who want the other way: 1 as published, 0 makes one stand",
        unit: "",
        default: 1.0,
        min: 0.0,
        max: 1.0,
    },
    ParameterInfo {
        name: "foresight",
        description: "How much of what is missing to pass each other people do once they foresee it \
                      (k); 0, as published, makes them react to where others are",
        unit: "",
        default: 0.0,
        min: 0.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "foresight_time",
        description: "Collisions this far ahead count 1/e (τ0)",
        unit: "s",
        default: 3.0,
        min: 0.1,
        max: 10.0,
    },
    ParameterInfo {
        name: "oncoming_distance",
        description: "The room between bodies with which people foresee to pass those who come \
                      towards them; with little of it opposed streams do not part into lanes",
        unit: "m",
        default: 0.55,
        min: 0.0,
        max: 2.0,
    },
    ParameterInfo {
        name: "oncoming_repulsion",
        description: "How much those who come towards one repel by where they are: 1 as published, \
                      less with foresight, which has given them their room already",
        unit: "",
        default: 1.0,
        min: 0.0,
        max: 1.0,
    },
];

const REPULSION: usize = 0;
const RANGE: usize = 1;
const STRIDE: usize = 2;
const WALL_REPULSION: usize = 3;
const WALL_RANGE: usize = 4;
const RELAXATION: usize = 5;
const VIEW: usize = 6;
const UNSEEN: usize = 7;
const ACCELERATION: usize = 8;
const WALL_HOLD: usize = 9;
const TOP_SPEED: usize = 10;
const STEP_BACK: usize = 11;
const FORESIGHT: usize = 12;
const FORESIGHT_TIME: usize = 13;
const ONCOMING_DISTANCE: usize = 14;
const ONCOMING_REPULSION: usize = 15;

/// Walls this many ranges away are not felt any more: 50 m/s² at contact would be 2 mm/s².
const WALL_RANGES: f32 = 10.0;

/// Ellipses count as at least this wide, m: the force at the focus has no bound.
const LEAST_WIDTH: f32 = 0.01;

struct SocialForce;

impl SteeringModel for SocialForce {
    fn steer(&self, job: SteeringJob) {
        forces::steer::<Self>(job);
    }

    fn explain(&self, around: &Surroundings, batch: &Neighbourhood) -> Explanation {
        forces::explain::<Self>(around, batch)
    }
}

impl ForceModel for SocialForce {
    const RELAXATION: usize = RELAXATION;
    const ACCELERATION: usize = ACCELERATION;
    const WALL_HOLD: usize = WALL_HOLD;

    fn wall_range(parameters: &[f32; MODEL_PARAMETERS], _: f32) -> f32 {
        parameters[WALL_RANGE] * WALL_RANGES
    }

    fn wall_force(parameters: &[f32; MODEL_PARAMETERS], _: f32, distance: f32) -> f32 {
        let range = parameters[WALL_RANGE];
        parameters[WALL_REPULSION] / range * (-distance / range).exp()
    }

    #[inline(always)]
    fn top_speed<S: Simd>(simd: S, around: &Surroundings, own: &Own<S>) -> S::F {
        let preferred = simd.load(&own.rows.map(|row| around.people.preferred_speeds[row]));
        (own.parameter(simd, around, TOP_SPEED) * preferred).min(own.max_speed)
    }

    #[inline(always)]
    fn step_back<S: Simd>(simd: S, around: &Surroundings, own: &Own<S>) -> S::F {
        own.parameter(simd, around, STEP_BACK)
    }

    #[inline(always)]
    fn people_force<S: Simd>(
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
        _: Vec2s<S>,
        witness: &mut impl Witness<S>,
    ) -> Vec2s<S> {
        let parameter = |index| own.parameter(simd, around, index);
        let (repulsion, strength) = (Repulsion::new(simd, around, own), parameter(FORESIGHT));
        let foresees = strength.gt(simd.splat(0.0)).any();
        let foresight = Foresight {
            strength,
            time: parameter(FORESIGHT_TIME),
            oncoming_distance: parameter(ONCOMING_DISTANCE),
            relaxation: parameter(RELAXATION),
        };
        let mut sum = Vec2s::zero(simd);
        for slot in 0..batch.longest() {
            let other = Other::new(simd, around, batch, slot);
            let along = along(simd, own.velocity, other.velocity);
            let mut force = repulsion.force(simd, own, &other, along);
            if foresees {
                force = force.plus(foresight.force(simd, own, &other, along));
            }
            witness.person(simd, simd.splat(slot as f32), other.exists, force);
            sum = Vec2s::select(other.exists, sum.plus(force), sum);
        }
        sum
    }
}

/// How others repel: down the slope of their potentials.
struct Repulsion<S: Simd> {
    range: S::F,
    stride: S::F,
    /// The weight of those behind one's back, and of those who come towards one.
    unseen: S::F,
    oncoming: S::F,
    /// At the centre, m/s².
    strength: S::F,
    /// What somebody in view is ahead by at least, as a share of their distance, m/s.
    view: S::F,
}

impl<S: Simd> Repulsion<S> {
    #[inline(always)]
    fn new(simd: S, around: &Surroundings, own: &Own<S>) -> Self {
        let parameter = |index| own.parameter(simd, around, index);
        let range = parameter(RANGE);
        let half_view = parameter(VIEW) * simd.splat(0.5f32.to_radians());
        Self {
            range,
            stride: parameter(STRIDE),
            unseen: parameter(UNSEEN),
            oncoming: parameter(ONCOMING_REPULSION),
            strength: parameter(REPULSION) / range,
            view: cos(simd, half_view) * own.preferred.length(),
        }
    }

    /// How somebody else repels whose way has the cosine `along` to one's own.
    #[inline(always)]
    fn force(&self, simd: S, own: &Own<S>, other: &Other<S>, along: S::F) -> Vec2s<S> {
        let number = |value| simd.splat(value);
        // From their two foci, where they are and where they will be, to oneself.
        let from_here = own.position.minus(other.position);
        let way = other.velocity.times(self.stride);
        let from_there = from_here.minus(way);
        let (here, there) = (from_here.length(), from_there.length());
        let both = here + there;
        let width = ((both * both - way.dot(way)).max(number(0.0)).sqrt() * number(0.5))
            .max(number(LEAST_WIDTH));
        let steepness =
            self.strength * exp(simd, -(width / self.range)) * both / (number(4.0) * width);
        let unit = |v: Vec2s<S>, length: S::F| v.times(number(1.0) / length.max(number(1e-6)));
        let mut direction = unit(from_here, here).plus(unit(from_there, there));
        let tied = both.lt(number(2e-6)) & other.exists;
        if tied.any() {
            direction = untie(simd, direction, tied, &own.ids, &other.ids());
        }
        let share = own.share(simd, other);
        let seen = (-from_here.dot(own.preferred)).ge(self.view * here);
        let weight = seen.select(number(1.0), self.unseen) * (share + share);
        let eased = (number(1.0) - self.oncoming) * (-along).max(number(0.0));
        direction.times(steepness * weight * (number(1.0) - eased))
    }
}
