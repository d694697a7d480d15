//! A whole cycle of walking or running, in any direction, with feet that do not slide.
//!
//! The tables say how an average body moves; taken as they are, feet would slide and sink in by a
//! centimetre or two. So the loop is closed from the ground up: where a foot stands is chosen once
//! per step, in stance the foot rolls over its heel, sole and ball, which are fixed points of the
//! world; in swing it follows the table and is led from where it left to where it will land; the
//! heel rises early if the leg would not reach otherwise, and the root comes down by the few
//! millimetres that are missing then. Hip, knee and ankle are what results.
//!
//! Other directions use the same tables: what the feet do along the way is turned towards it, and
//! the pelvis turns half of that. The more sideways, the more the feet are kept apart (one leads,
//! the other closes up) and the flatter they stand. Backwards is forwards with time reversed, as
//! the joints of people do it too.

use glam::{Quat, Vec3};

use super::foot::Sole;
use super::law::{Gait, Timing, speed_number};
use super::sketch::Sketch;
use super::style::Style;
use super::tables::{CurveAt, RUN, Table, WALK};
use crate::clip::around;
use crate::contact::Side;
use crate::human::Human;

/// A steady gait to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan<'h> {
    pub human: &'h Human,
    pub gait: Gait,
    /// In metres per second.
    pub speed: f32,
    /// From where the chest faces to where the body goes, positive to the left, in `[-π/2, π/2]`.
    pub angle: f32,
    /// Multiplies the stride that the law gives for the speed.
    pub stride: f32,
    /// Multiplies the swing of the arms.
    pub arms: f32,
    /// Multiplies how far the heel rises.
    pub push_off: f32,
    pub style: Style,
}

impl<'h> Plan<'h> {
    /// A gait straight ahead.
    pub(crate) fn ahead(human: &'h Human, gait: Gait, speed: f32, style: Style) -> Self {
        Self { human, gait, speed, angle: 0.0, stride: 1.0, arms: 1.0, push_off: 1.0, style }
    }
}

/// A cycle as sketches at equal times, the first at a left strike.
#[derive(Clone, Debug)]
pub(crate) struct Cycle {
    pub sketches: Vec<Sketch>,
    /// Seconds.
    pub period: f32,
    /// How far the abstract root moves.
    pub travel: Vec3,
    /// The part of the cycle after which the right foot strikes.
    pub right_strike: f32,
    /// The part of the cycle that a foot stands.
    pub duty: f32,
    /// The part of the cycle after which the ball of a foot begins to move.
    pub ball_off: f32,
    /// Where each foot stands flat, seen from the abstract root at that foot's strike.
    pub footholds: [Vec3; 2],
}

/// What is known before any sample is taken.
pub(super) struct Walker<'p> {
    pub(super) plan: &'p Plan<'p>,
    pub(super) table: &'static Table,
    pub(super) sole: Sole,
    pub(super) leg: f32,
    /// The speed number at which curves are read.
    pub(super) speed_number: f32,
    pub(super) timing: Timing,
    pub(super) strike: f32,
    pub(super) travel: Vec3,
    /// Stride over what the law gives: scales what the feet do along the way.
    pub(super) reach: f32,
    /// How far the pelvis turns towards the way.
    pub(super) pelvis_yaw: f32,
    /// The sine squared of the angle to the way: 0 ahead, 1 sideways.
    pub(super) sideways: f32,
    /// Beyond the slowest people measured, strides shrink a little less than the law says.
    pub(super) slow: f32,
    /// How much earlier than in the tables the sole comes down after a strike.
    pub(super) slap: f32,
    pub(super) right_strike: f32,
    pub(super) toe_out: [f32; 2],
    pub(super) footholds: [Vec3; 2],
    /// What is added to a foot's path to the outside.
    pub(super) spread: f32,
    /// How far the root is below the table, over the cycle.
    pub(super) lowering: Vec<f32>,
    /// How much further than in the table each heel rises, over its stance.
    pub(super) heel_rises: [Vec<f32>; 2],
    /// How far the toes of each foot have rolled when they leave the ground.
    pub(super) toe_rolls: [f32; 2],
}

impl Cycle {
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut walker = Walker::new(plan);
        walker.find_footholds();
        let period = walker.travel.length() / plan.speed;
        // An even number, so that both steps have the same frames.
        let count = (((period * 36.0).round() as usize) * 2).clamp(40, 240);
        walker.settle(count);
        walker.learn_push_off();
        let mut sketches: Vec<Sketch> =
            (0..count).map(|index| walker.upper(index as f32 / count as f32)).collect();
        for side in Side::BOTH {
            walker.place_foot(side, &mut sketches);
        }
        walker.lower_root(&mut sketches);
        Self {
            sketches,
            period,
            travel: walker.travel,
            right_strike: walker.right_strike,
            duty: walker.timing.toe_off - walker.strike,
            ball_off: walker.timing.ball_off - walker.strike,
            footholds: walker.footholds,
        }
    }

    /// The body at any phase, between samples too.
    pub(crate) fn at(&self, phase: f32) -> Sketch {
        let (index, next, part) = around(phase, self.sketches.len());
        self.sketches[index].lerp(&self.sketches[next], part)
    }
}

impl<'p> Walker<'p> {
    fn new(plan: &'p Plan<'p>) -> Self {
        let body = plan.human.proportions();
        let leg = body.leg();
        let x = speed_number(plan.speed, leg);
        let sideways = plan.angle.sin().powi(2);
        let mut timing = Timing::of(plan.gait, x);
        let law = timing.stride;
        // Who is in a hurry takes the strides of a slower walk, more of them.
        let unhurried = Timing::of(plan.gait, x - plan.style.haste).stride;
        let slow = match plan.gait {
            Gait::Walk => 1.0 + 0.3 * (0.24 - x).clamp(0.0, 0.06),
            Gait::Run => 1.0,
        };
        // Sideways steps are about half as long as steps ahead.
        let side_stride = 0.5 * (x / 0.18).powf(0.5).clamp(0.5, 1.5);
        timing.stride = (slow * unhurried * (1.0 - sideways) + side_stride * sideways)
            * plan.stride
            * plan.style.stride;
        timing.toe_off += plan.style.duty;
        timing.ball_off += plan.style.duty;
        let stride = timing.stride * leg;
        let toe_out = [0, 1].map(|side| {
            let usual = match plan.gait {
                Gait::Walk => 6f32,
                Gait::Run => 4.0,
            };
            usual.to_radians() * (1.0 - 0.5 * sideways) + plan.style.toe_out[side]
        });
        Self {
            plan,
            table: match plan.gait {
                Gait::Walk => &WALK,
                Gait::Run => &RUN,
            },
            sole: Sole::new(&body.foot),
            leg,
            speed_number: x,
            timing,
            strike: plan.gait.strike(),
            travel: Quat::from_rotation_y(plan.angle) * Vec3::new(0.0, 0.0, stride),
            reach: timing.stride / law,
            pelvis_yaw: 18f32.to_radians() * (2.0 * plan.angle).sin(),
            sideways,
            slow,
            slap: match plan.gait {
                Gait::Walk => (0.040 - 0.058 * x).clamp(0.004, 0.03),
                Gait::Run => 0.0,
            },
            // Sideways, the foot that closes up follows quickly after the one that leads.
            right_strike: 0.5 - 0.04 * sideways * plan.angle.signum() + plan.style.asymmetry,
            toe_out,
            footholds: [Vec3::ZERO; 2],
            spread: 0.0,
            lowering: Vec::new(),
            heel_rises: [Vec::new(), Vec::new()],
            toe_rolls: [0.0; 2],
        }
    }

    pub(super) fn curve(
        &self,
        choose: impl Fn(&'static Table) -> &'static super::tables::Curve,
    ) -> CurveAt<'static> {
        self.table.at(choose(self.table), self.speed_number)
    }

    /// The phase of a limb at a phase of the cycle: from its strike to just before the next one.
    pub(super) fn limb(&self, side: Side, phase: f32) -> f32 {
        (phase - side.choose(0.0, self.right_strike)).rem_euclid(1.0) + self.strike
    }

    /// The phase of the cycle at a limb's phase.
    pub(super) fn phase(&self, side: Side, limb: f32) -> f32 {
        limb - self.strike + side.choose(0.0, self.right_strike)
    }

    pub(super) fn foot_yaw(&self, side: Side) -> f32 {
        1.2 * self.pelvis_yaw + side.sign() * self.toe_out[side as usize]
    }
}
