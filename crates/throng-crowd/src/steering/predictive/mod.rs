//! Predictive collision avoidance.
//!
//! People look some seconds ahead. Whoever would then be in their personal space, all walking on as
//! they do, exerts an evasive force that points away from *where the two will be*, not from where
//! they are: the correction is small and early, and who is about to clip another's back slips
//! behind them. Of all such conflicts only the first few count.
//!
//! Source: Karamouzas, Heil, van Beek, Overmars, *A predictive collision avoidance model for
//! pedestrian simulation* (Motion in Games 2009). Different here: those in one's personal space
//! already are heeded even behind one's back; the shape of the force, which the paper only draws,
//! is the continuous one with its four intervals; pairs who meet head-on agree on a side; walls
//! beside the way do not hold back (see [`forces`]); and responsibility scales the force, so that who
//! never yields is yielded to.
//!
//! **Who comes the other way is given more room than who walks along.** With one personal space for
//! all, opposed streams part into lanes no wider than a body, which the next one who overtakes
//! breaks up; a wider one for all makes clear lanes but slows down those who walk together. So personal
//! space is wider towards people who come towards one. And these are passed, not waited for: the part of
//! the force that brakes counts only as far as their way is one's own, as with walls.

mod conflict;

use glam::Vec2;
use throng_base::random::Purpose;
use throng_simd::plain::Plain;
use throng_simd::{Floats, Mask, Simd, cos};
use throng_world::temperament::sways;

use super::explain::Witness;
use super::forces::{self, ForceModel};
use super::lanes::{Other, Own, Vec2s, along};
use super::{
    Explanation, ModelInfo, ParameterInfo, SteeringJob, SteeringModel, Surroundings, WallSight,
};
use crate::manner::MODEL_PARAMETERS;
use crate::neighbours::{LANES, Neighbourhood};
use conflict::{Conflict, Conflicts, EvasiveForce, MAX_CONFLICTS};

pub(super) const INFO: ModelInfo = ModelInfo {
    name: "predictive",
    summary: "Predictive collision avoidance (Karamouzas et al. 2009): small, early corrections by \
              forces at predicted conflicts; calm flows",
    parameters: &[
        ParameterInfo {
            name: "anticipation_time",
            description: "How far ahead conflicts are foreseen (t_α)",
            unit: "s",
            default: 8.0,
            min: 0.5,
            max: 20.0,
        },
        ParameterInfo {
            name: "personal_distance",
            description: "How much wider than the body the personal space is (ρ - r)",
            unit: "m",
            default: 0.05,
            min: 0.01,
            max: 1.0,
        },
        ParameterInfo {
            name: "conflicts",
            description: "How many of the earliest conflicts count (N)",
            unit: "",
            default: 3.0,
            min: 1.0,
            max: MAX_CONFLICTS as f32,
        },
        ParameterInfo {
            name: "near_distance",
            description: "Distance to a conflict below which the force grows without bound (d_min)",
            unit: "m",
            default: 0.6,
            min: 0.05,
            max: 10.0,
        },
        ParameterInfo {
            name: "full_distance",
            description: "Distance to a conflict up to which the force is full (d_mid)",
            unit: "m",
            default: 4.0,
            min: 0.1,
            max: 30.0,
        },
        ParameterInfo {
            name: "far_distance",
            description: "Distance to a conflict from which there is no force (d_max)",
            unit: "m",
            default: 12.0,
            min: 0.2,
            max: 50.0,
        },
        ParameterInfo {
            name: "evasive_force",
            description: "The full force (F0); more than about 1.5 makes opposed groups lock",
            unit: "m/s²",
            default: 1.0,
            min: 0.0,
            max: 10.0,
        },
        ParameterInfo {
            name: "relaxation_time",
            description: "How fast the preferred velocity is taken up (τ)",
            unit: "s",
            default: 0.3,
            min: 0.1,
            max: 5.0,
        },
        ParameterInfo {
            name: "wall_distance",
            description: "How close to one's body walls are felt (d_s)",
            unit: "m",
            default: 0.5,
            min: 0.05,
            max: 3.0,
        },
        ParameterInfo {
            name: "wall_steepness",
            description: "How steeply the force of walls grows (κ)",
            unit: "",
            default: 2.0,
            min: 0.5,
            max: 4.0,
        },
        ParameterInfo {
            name: "field_of_view",
            description: "The angle in which others are seen",
            unit: "°",
            default: 200.0,
            min: 30.0,
            max: 360.0,
        },
        ParameterInfo {
            name: "noise",
            description: "A random force that keeps symmetric encounters from locking (F_n)",
            unit: "m/s²",
            default: 0.02,
            min: 0.0,
            max: 1.0,
        },
        ParameterInfo {
            name: "max_acceleration",
            description: "The largest acceleration",
            unit: "m/s²",
            default: 5.0,
            min: 0.5,
            max: 20.0,
        },
        ParameterInfo {
            name: "iterative",
            description: "1: forces are added one by one and what they avoid already is left out, \
                          as published; 0: a sum weighted by how soon a conflict is",
            unit: "",
            default: 1.0,
            min: 0.0,
            max: 1.0,
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
            name: "oncoming_distance",
            description: "How much wider still the personal space is towards those who come the \
                          other way; with less than about 0.1 m lanes are no wider than bodies",
            unit: "m",
            default: 0.25,
            min: 0.0,
            max: 1.0,
        },
        ParameterInfo {
            name: "side_force",
            description: "What makes two who meet exactly head-on agree on a side; with 0, as \
                          published, only chance parts them",
            unit: "m/s²",
            default: 0.05,
            min: 0.0,
            max: 1.0,
        },
    ],
    // Who looks eight seconds ahead has to notice more than the nearest.
    common_defaults: &[("neighbours", 30.0), ("neighbour_range", 20.0)],
    walls: WallSight::Distance { parameter: WALL_DISTANCE, factor: 1.0 },
    personalities: &[],
    // Who looks further ahead has to notice people further away.
    sways: &[
        ("anticipation_time", sways::HORIZON),
        ("neighbour_range", sways::HORIZON),
        ("personal_distance", sways::SPACE),
        ("relaxation_time", sways::PATIENCE),
    ],
    ascending: &[[NEAR, FULL], [FULL, FAR]],
    advice: Some(sudden_onset),
    build: || Box::new(Predictive),
};

const ANTICIPATION: usize = 0;
const PERSONAL: usize = 1;
const CONFLICTS: usize = 2;
const NEAR: usize = 3;
const FULL: usize = 4;
const FAR: usize = 5;
const FORCE: usize = 6;
const RELAXATION: usize = 7;
const WALL_DISTANCE: usize = 8;
const WALL_STEEPNESS: usize = 9;
const VIEW: usize = 10;
const NOISE: usize = 11;
const ACCELERATION: usize = 12;
const ITERATIVE: usize = 13;
const WALL_HOLD: usize = 14;
const ONCOMING: usize = 15;
const SIDE: usize = 16;

/// Nobody is repelled by a wall with more than this, m/s².
const LARGEST_WALL_FORCE: f32 = 20.0;

/// Bodies count as at least this far from a wall, m: closer, the force has no bound.
const LEAST_CLEARANCE: f32 = 0.05;

/// A partner who comes into view should hardly be felt at first: otherwise the force jumps, and
/// people jitter at the edge of their anticipation.
fn sudden_onset(parameters: &[f32; MODEL_PARAMETERS], preferred_speed: f32) -> Option<String> {
    let onset = parameters[ANTICIPATION] * preferred_speed + parameters[PERSONAL];
    let force = EvasiveForce::new(|index| Plain.splat(parameters[index]));
    let share = force.at(Plain, Plain.splat(onset)).to_array()[0] / parameters[FORCE].max(1e-6);
    (share > 0.3).then(|| {
        format!(
            "whoever comes into view is felt with {:.0} % of the evasive force at once, so people \
             will jitter: raise `anticipation_time`, or lower `far_distance` towards {onset:.0} m",
            100.0 * share
        )
    })
}

struct Predictive;

impl SteeringModel for Predictive {
    fn steer(&self, job: SteeringJob) {
        forces::steer::<Self>(job);
    }

    fn explain(&self, around: &Surroundings, batch: &Neighbourhood) -> Explanation {
        forces::explain::<Self>(around, batch)
    }
}

impl ForceModel for Predictive {
    const RELAXATION: usize = RELAXATION;
    const ACCELERATION: usize = ACCELERATION;
    const WALL_HOLD: usize = WALL_HOLD;

    fn wall_range(parameters: &[f32; MODEL_PARAMETERS], radius: f32) -> f32 {
        parameters[WALL_DISTANCE] + radius
    }

    fn wall_force(parameters: &[f32; MODEL_PARAMETERS], radius: f32, distance: f32) -> f32 {
        let clearance = (distance - radius).max(LEAST_CLEARANCE);
        let missing = parameters[WALL_DISTANCE] + radius - distance;
        (missing / clearance.powf(parameters[WALL_STEEPNESS])).min(LARGEST_WALL_FORCE)
    }

    #[inline(always)]
    fn people_force<S: Simd>(
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
        other_forces: Vec2s<S>,
        witness: &mut impl Witness<S>,
    ) -> Vec2s<S> {
        let desired = own.velocity.plus(other_forces.times(simd.splat(around.step)));
        let evasion = evasion(simd, around, batch, own, desired, witness);
        let noise = noise(simd, around, own);
        witness.chance(simd, noise);
        evasion.plus(noise)
    }
}

/// The force that avoids the earliest conflicts, if people would walk with velocity `desired`.
#[inline(always)]
fn evasion<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    own: &Own<S>,
    desired: Vec2s<S>,
    witness: &mut impl Witness<S>,
) -> Vec2s<S> {
    let horizon = own.parameter(simd, around, ANTICIPATION);
    let personal = own.radius + own.parameter(simd, around, PERSONAL);
    let oncoming_distance = own.parameter(simd, around, ONCOMING);
    let half_view = own.parameter(simd, around, VIEW) * simd.splat(0.5f32.to_radians());
    let view = cos(simd, half_view) * desired.length();
    let mut conflicts = Conflicts::new(simd, own.parameter(simd, around, CONFLICTS));
    for slot in 0..batch.longest() {
        let other = Other::new(simd, around, batch, slot);
        let apart = other.position.minus(own.position);
        let share = own.share(simd, &other);
        // From 0 for who stands, crosses or walks along to 1 for who comes straight towards one.
        let oncoming = (-along(simd, desired, other.velocity)).max(simd.splat(0.0));
        let conflict = Conflict {
            apart,
            velocity: other.velocity,
            oncoming,
            reach: personal + other.radius + oncoming_distance * oncoming,
            contact: own.radius + other.radius,
            weight: share + share,
            slot: simd.splat(slot as f32),
        };
        let time = conflict.time(simd, desired);
        let seen = apart.dot(desired).ge(view * apart.length()) | time.le(simd.splat(0.0));
        let counts = other.exists & seen & time.le(horizon);
        if counts.any() {
            conflicts.insert(counts.select(time, simd.splat(f32::INFINITY)), conflict);
        }
    }
    let force = EvasiveForce::new(|index| own.parameter(simd, around, index));
    let chooser = conflict::Chooser { around, batch, own, desired, horizon, force };
    let iterative = own.parameter(simd, around, ITERATIVE).ge(simd.splat(0.5));
    let mut sum = Vec2s::zero(simd);
    if iterative.any() {
        sum = chooser.one_by_one(simd, &conflicts, witness);
    }
    if (!iterative).any() {
        sum = Vec2s::select(iterative, sum, chooser.weighted(simd, &conflicts, witness));
    }
    sum
}

/// A small random force, another one in every step.
#[inline(always)]
fn noise<S: Simd>(simd: S, around: &Surroundings, own: &Own<S>) -> Vec2s<S> {
    let mut forces = [Vec2::ZERO; LANES];
    for (lane, force) in forces.iter_mut().enumerate() {
        let magnitude = around.parameter(own.rows[lane], NOISE);
        let bits =
            around.random.bits(u64::from(own.ids[lane]), around.steps, Purpose::SteeringNoise);
        let unit = |bits: u64| (bits as u32 >> 8) as f32 * (2.0 / (1u32 << 24) as f32) - 1.0;
        *force = Vec2::new(unit(bits), unit(bits >> 32)) * magnitude;
    }
    Vec2s::load(simd, &forces)
}
