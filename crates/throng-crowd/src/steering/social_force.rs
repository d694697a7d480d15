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
use throng_world::temperament::TraitGain;

use crate::steering::gains;

use super::explain::Witness;
use super::forces::{self, ForceModel};
use super::foresight::Foresight;
use super::lanes::{Other, Own, Vec2s, along, untie};
use super::{
    CommonParameters, Explanation, ModelInfo, SteeringJob, SteeringModel, Surroundings, WallSight,
};
use crate::neighbours::Neighbourhood;
use crate::steering_parameters;

const INFO: ModelInfo = ModelInfo {
    name: "social_force",
    summary: "Social forces (Helbing & Molnár 1995): repulsion by the positions and next strides of \
              others; the classical baseline",
    parameters: SocialForceParameters::INFOS,
    walls: WALLS,
    gains: GAINS,
    ..ModelInfo::NEW
};

/// The same forces with values that, together with the gap that people keep, give the flows that
/// were measured with people: through doors of 0.8 m to 2 m, in corridors at up to 4 people per m²,
/// and against each other without a jam.
const PEDESTRIAN: ModelInfo = ModelInfo {
    name: "pedestrian",
    summary: "Social forces with a kept gap, calibrated to the measured flows of people through \
              doors and corridors; take this where numbers count",
    parameters: &SocialForceParameters::infos(Pedestrian::DEFAULT),
    // Who looks ahead has to notice more than the nearest.
    common: CommonParameters {
        time_gap: 0.7,
        stagger: 1.0,
        neighbours: 16.0,
        ..CommonParameters::DEFAULT
    },
    gains: FORESIGHTED,
    calibrated: true,
    ..INFO
};

const WALLS: WallSight =
    WallSight::Distance { parameter: "wall_repulsion_range", factor: WALL_RANGES };

/// What people's traits do: who looks far ahead keeps out of longer strides, who is impatient takes up speed at once.
const GAINS: &[(&str, TraitGain)] =
    &[("stride_time", gains::HORIZON), ("relaxation_time", gains::PATIENCE)];

/// The same with foresight: who looks further ahead has to notice people further away.
const FORESIGHTED: &[(&str, TraitGain)] = &[
    ("stride_time", gains::HORIZON),
    ("foresight_time", gains::HORIZON),
    ("neighbour_range", gains::HORIZON),
    ("relaxation_time", gains::PATIENCE),
];

steering_parameters! {
    /// Parameters of social forces.
    pub struct SocialForceParameters {
        repulsion: 2.1, 0.0..=50.0, "m²/s²", "Strength of the repulsion between people (V0)";
        repulsion_range: 0.3, 0.05..=3.0, "m", "Distance over which it falls to 1/e (σ)";
        stride_time: 2.0, 0.0..=5.0, "s", "Others keep out of the way that one takes in this time (Δt)";
        wall_repulsion: 10.0, 0.0..=100.0, "m²/s²", "Strength of the repulsion by walls (U0)";
        wall_repulsion_range: 0.2, 0.05..=2.0, "m", "Distance over which it falls to 1/e (R)";
        relaxation_time: 0.5, 0.1..=5.0, "s", "How fast the preferred velocity is taken up (τ)";
        field_of_view: 200.0, 30.0..=360.0, "°", "The angle in which others have their full weight (2φ)";
        unseen_weight: 0.5, 0.0..=1.0, "", "The weight of those outside it (c)";
        max_acceleration: 20.0, 0.5..=50.0, "m/s²", "The largest acceleration";
        wall_hold: 0.0, 0.0..=1.0, "",
            "How much walls hold one back that are beside the way, not in it: 1 as published, but then nobody enters \
             a narrow door of their own accord";
        top_speed: 1.3, 1.0..=5.0, "", "How many times their preferred speed people can be driven to";
        step_back: 1.0, 0.0..=1.0, "",
            "How much others can push one back into somebody right behind, unless there are people who want the other \
             way: 1 as published, 0 makes one stand";
        foresight: 0.0, 0.0..=5.0, "",
            "How much of what is missing to pass each other people do once they foresee it (k); 0, as published, \
             makes them react to where others are";
        foresight_time: 3.0, 0.1..=10.0, "s", "Collisions this far ahead count 1/e (τ0)";
        oncoming_distance: 0.55, 0.0..=2.0, "m",
            "The room between bodies with which people foresee to pass those who come towards them; with little of it \
             opposed streams do not part into lanes";
        oncoming_repulsion: 1.0, 0.0..=1.0, "",
            "How much those who come towards one repel by where they are: 1 as published, less with foresight, which \
             has given them their room already";
    }
}

use SocialForceParameters as P;

/// Walls this many ranges away are not felt any more: 50 m/s² at contact would be 2 mm/s².
const WALL_RANGES: f32 = 10.0;

/// Ellipses count as at least this wide, m: the force at the focus has no bound.
const LEAST_WIDTH: f32 = 0.01;

/// Social forces, as published.
#[derive(Clone, Copy, Debug)]
pub struct SocialForce;

impl SteeringModel for SocialForce {
    type Parameters = SocialForceParameters;
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
}

/// Social forces calibrated to measured flows.
#[derive(Clone, Copy, Debug)]
pub struct Pedestrian;

impl Pedestrian {
    /// The calibrated values.
    pub const DEFAULT: SocialForceParameters = SocialForceParameters {
        repulsion: 3.0,
        stride_time: 0.75,
        wall_repulsion: 0.4,
        field_of_view: 260.0,
        top_speed: 1.0,
        step_back: 0.0,
        foresight: 3.5,
        oncoming_repulsion: 0.2,
        ..SocialForceParameters::DEFAULT
    };
}

impl SteeringModel for Pedestrian {
    type Parameters = SocialForceParameters;
    type State = ();

    fn info(&self) -> &'static ModelInfo {
        &PEDESTRIAN
    }

    fn steer(&self, job: SteeringJob<()>) {
        forces::steer::<SocialForce>(job);
    }

    fn explain(&self, around: &Surroundings, batch: &Neighbourhood, _: &[()]) -> Explanation {
        forces::explain::<SocialForce>(around, batch)
    }
}

impl ForceModel for SocialForce {
    type Parameters = SocialForceParameters;

    #[inline(always)]
    fn relaxation_time(parameters: &SocialForceParameters) -> f32 {
        parameters.relaxation_time
    }

    #[inline(always)]
    fn max_acceleration(parameters: &SocialForceParameters) -> f32 {
        parameters.max_acceleration
    }

    #[inline(always)]
    fn wall_hold(parameters: &SocialForceParameters) -> f32 {
        parameters.wall_hold
    }

    fn wall_range(parameters: &SocialForceParameters, _: f32) -> f32 {
        parameters.wall_repulsion_range * WALL_RANGES
    }

    fn wall_force(parameters: &SocialForceParameters, _: f32, distance: f32) -> f32 {
        let range = parameters.wall_repulsion_range;
        parameters.wall_repulsion / range * (-distance / range).exp()
    }

    #[inline(always)]
    fn top_speed<S: Simd>(simd: S, around: &Surroundings, own: &Own<S>) -> S::F {
        let preferred = simd.load(&own.rows.map(|row| around.people.preferred_speeds[row]));
        (own.parameter(simd, around, |p: &P| p.top_speed) * preferred).min(own.max_speed)
    }

    #[inline(always)]
    fn step_back<S: Simd>(simd: S, around: &Surroundings, own: &Own<S>) -> S::F {
        own.parameter(simd, around, |p: &P| p.step_back)
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
        let (repulsion, strength) =
            (Repulsion::new(simd, around, own), own.parameter(simd, around, |p: &P| p.foresight));
        let foresees = strength.gt(simd.splat(0.0)).any();
        let foresight = Foresight {
            strength,
            time: own.parameter(simd, around, |p: &P| p.foresight_time),
            oncoming_distance: own.parameter(simd, around, |p: &P| p.oncoming_distance),
            relaxation: own.parameter(simd, around, |p: &P| p.relaxation_time),
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
        let range = own.parameter(simd, around, |p: &P| p.repulsion_range);
        let half_view =
            own.parameter(simd, around, |p: &P| p.field_of_view) * simd.splat(0.5f32.to_radians());
        Self {
            range,
            stride: own.parameter(simd, around, |p: &P| p.stride_time),
            unseen: own.parameter(simd, around, |p: &P| p.unseen_weight),
            oncoming: own.parameter(simd, around, |p: &P| p.oncoming_repulsion),
            strength: own.parameter(simd, around, |p: &P| p.repulsion) / range,
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
        let [nearer, further] = [
            from_here.times(number(1.0) / here.max(number(1e-6))),
            from_there.times(number(1.0) / there.max(number(1e-6))),
        ];
        let mut direction = nearer.plus(further);
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
