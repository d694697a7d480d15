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

use crate::steering::gains;
use glam::Vec2;
use throng_base::random::Purpose;
use throng_simd::plain::Plain;
use throng_simd::{Floats, Mask, Simd, cos};

use super::explain::Witness;
use super::forces::{self, ForceModel};
use super::lanes::{Other, Own, Vec2s, along};
use super::{
    CommonParameters, Explanation, ModelInfo, SteeringJob, SteeringModel, Surroundings, WallSight,
};
use crate::neighbours::{LANES, Neighbourhood};
use crate::steering_parameters;
use conflict::{Conflict, Conflicts, EvasiveForce, MAX_CONFLICTS};

steering_parameters! {
    /// Parameters of predictive collision avoidance.
    pub struct PredictiveParameters {
        anticipation_time: 8.0, 0.5..=20.0, "s", "How far ahead conflicts are foreseen (t_α)";
        personal_distance: 0.05, 0.01..=1.0, "m", "How much wider than the body the personal space is (ρ - r)";
        conflicts: 3.0, 1.0..=MAX_CONFLICTS as f32, "", "How many of the earliest conflicts count (N)";
        near_distance: 0.6, 0.05..=10.0, "m",
            "Distance to a conflict below which the force grows without bound (d_min)";
        full_distance: 4.0, 0.1..=30.0, "m", "Distance to a conflict up to which the force is full (d_mid)";
        far_distance: 12.0, 0.2..=50.0, "m", "Distance to a conflict from which there is no force (d_max)";
        evasive_force: 1.0, 0.0..=10.0, "m/s²", "The full force (F0); more than about 1.5 makes opposed groups lock";
        relaxation_time: 0.3, 0.1..=5.0, "s", "How fast the preferred velocity is taken up (τ)";
        wall_distance: 0.5, 0.05..=3.0, "m", "How close to one's body walls are felt (d_s)";
        wall_steepness: 2.0, 0.5..=4.0, "", "How steeply the force of walls grows (κ)";
        field_of_view: 200.0, 30.0..=360.0, "°", "The angle in which others are seen";
        noise: 0.02, 0.0..=1.0, "m/s²", "A random force that keeps symmetric encounters from locking (F_n)";
        max_acceleration: 5.0, 0.5..=20.0, "m/s²", "The largest acceleration";
        iterative: 1.0, 0.0..=1.0, "",
            "1: forces are added one by one and what they avoid already is left out, as published; 0: a sum weighted \
             by how soon a conflict is";
        wall_hold: 0.0, 0.0..=1.0, "",
            "How much walls hold one back that are beside the way, not in it: 1 as published, but then nobody enters \
             a narrow door of their own accord";
        oncoming_distance: 0.25, 0.0..=1.0, "m",
            "How much wider still the personal space is towards those who come the other way; with less than about \
             0.1 m lanes are no wider than bodies";
        side_force: 0.05, 0.0..=1.0, "m/s²",
            "What makes two who meet exactly head-on agree on a side; with 0, as published, only chance parts them";
    }
}

const INFO: ModelInfo = ModelInfo {
    name: "predictive",
    summary: "Predictive collision avoidance (Karamouzas et al. 2009): small, early corrections by \
              forces at predicted conflicts; calm flows",
    parameters: PredictiveParameters::INFOS,
    // Who looks eight seconds ahead has to notice more than the nearest.
    common: CommonParameters {
        neighbours: 30.0,
        neighbour_range: 20.0,
        ..CommonParameters::DEFAULT
    },
    walls: WallSight::Distance { parameter: "wall_distance", factor: 1.0 },
    // Who looks further ahead has to notice people further away.
    gains: &[
        ("anticipation_time", gains::HORIZON),
        ("neighbour_range", gains::HORIZON),
        ("personal_distance", gains::SPACE),
        ("relaxation_time", gains::PATIENCE),
    ],
    ascending: &[["near_distance", "full_distance"], ["full_distance", "far_distance"]],
    ..ModelInfo::NEW
};

use PredictiveParameters as P;

/// Nobody is repelled by a wall with more than this, m/s².
const LARGEST_WALL_FORCE: f32 = 20.0;

/// Bodies count as at least this far from a wall, m: closer, the force has no bound.
const LEAST_CLEARANCE: f32 = 0.05;

/// Predictive collision avoidance.
#[derive(Clone, Copy, Debug)]
pub struct Predictive;

impl SteeringModel for Predictive {
    type Parameters = PredictiveParameters;
    type State = ();

    fn info(&self) -> &'static ModelInfo {
        &INFO
    }

    fn steer(&self, job: SteeringJob<()>) {
        forces::steer::<Self>(job);
    }

    fn explain(&self, around: &Surroundings, batch: &Neighbourhood, _: &[()]) -> Explanation {
        forces::explain::<Self>(around, batch)
    }

    /// A partner who comes into view should hardly be felt at first: otherwise the force jumps, and
    /// people jitter at the edge of their anticipation.
    fn advice(&self, parameters: &P, preferred_speed: f32) -> Option<String> {
        let onset = parameters.anticipation_time * preferred_speed + parameters.personal_distance;
        let force = EvasiveForce::of(parameters).at(Plain, Plain.splat(onset)).to_array()[0];
        let share = force / parameters.evasive_force.max(1e-6);
        (share > 0.3).then(|| {
            format!(
                "whoever comes into view is felt with {:.0} % of the evasive force at once, so people \
                 will jitter: raise `anticipation_time`, or lower `far_distance` towards {onset:.0} m",
                100.0 * share
            )
        })
    }
}

impl ForceModel for Predictive {
    type Parameters = P;

    #[inline(always)]
    fn relaxation_time(parameters: &P) -> f32 {
        parameters.relaxation_time
    }

    #[inline(always)]
    fn max_acceleration(parameters: &P) -> f32 {
        parameters.max_acceleration
    }

    #[inline(always)]
    fn wall_hold(parameters: &P) -> f32 {
        parameters.wall_hold
    }

    fn wall_range(parameters: &P, radius: f32) -> f32 {
        parameters.wall_distance + radius
    }

    fn wall_force(parameters: &P, radius: f32, distance: f32) -> f32 {
        let clearance = (distance - radius).max(LEAST_CLEARANCE);
        let missing = parameters.wall_distance + radius - distance;
        (missing / clearance.powf(parameters.wall_steepness)).min(LARGEST_WALL_FORCE)
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
    let horizon = own.parameter(simd, around, |p: &P| p.anticipation_time);
    let personal = own.radius + own.parameter(simd, around, |p: &P| p.personal_distance);
    let oncoming_distance = own.parameter(simd, around, |p: &P| p.oncoming_distance);
    let half_view =
        own.parameter(simd, around, |p: &P| p.field_of_view) * simd.splat(0.5f32.to_radians());
    let view = cos(simd, half_view) * desired.length();
    let mut conflicts = Conflicts::new(simd, own.parameter(simd, around, |p: &P| p.conflicts));
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
    let force = EvasiveForce {
        near: own.parameter(simd, around, |p: &P| p.near_distance),
        full: own.parameter(simd, around, |p: &P| p.full_distance),
        far: own.parameter(simd, around, |p: &P| p.far_distance),
        force: own.parameter(simd, around, |p: &P| p.evasive_force),
    };
    let chooser = conflict::Chooser { around, batch, own, desired, horizon, force };
    let iterative = own.parameter(simd, around, |p: &P| p.iterative).ge(simd.splat(0.5));
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
        let magnitude = around.parameters::<P>(own.rows[lane]).noise;
        let bits =
            around.random.bits(u64::from(own.ids[lane]), around.steps, Purpose::SteeringNoise);
        let unit = |bits: u64| (bits as u32 >> 8) as f32 * (2.0 / (1u32 << 24) as f32) - 1.0;
        *force = Vec2::new(unit(bits), unit(bits >> 32)) * magnitude;
    }
    Vec2s::load(simd, &forces)
}
