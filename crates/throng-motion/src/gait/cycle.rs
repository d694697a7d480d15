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

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::foot::Sole;
use super::law::{Gait, Timing, speed_number, step_width};
use super::sketch::{Arm, Foot, REACH, Sketch, Trunk};
use super::smooth::{blurred, dilated, hermite, smoothstep};
use super::style::Style;
use super::tables::{CurveAt, RUN, Table, WALK};
use crate::contact::Side;
use crate::human::Human;

/// Where the leg is stretched further than this, the heel begins to rise.
const HEEL_RISE_REACH: f32 = 0.994;
/// When a running foot stands, which its curves reach a little after their phase 0.
const RUN_STRIKE: f32 = 0.03;

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
struct Walker<'p> {
    plan: &'p Plan<'p>,
    table: &'static Table,
    sole: Sole,
    leg: f32,
    /// The speed number at which curves are read.
    speed_number: f32,
    timing: Timing,
    strike: f32,
    travel: Vec3,
    /// Stride over what the law gives: scales what the feet do along the way.
    reach: f32,
    /// How far the pelvis turns towards the way.
    pelvis_yaw: f32,
    /// The sine squared of the angle to the way: 0 ahead, 1 sideways.
    sideways: f32,
    right_strike: f32,
    toe_out: [f32; 2],
    footholds: [Vec3; 2],
    /// What is added to a foot's path to the outside.
    spread: f32,
}

impl Cycle {
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut walker = Walker::new(plan);
        walker.find_footholds();
        let period = walker.travel.length() / plan.speed;
        // An even number, so that both steps have the same frames.
        let count = (((period * 30.0).round() as usize) * 2).clamp(32, 240);
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
}

impl Cycle {
    /// The body at any phase, between samples too.
    pub(crate) fn at(&self, phase: f32) -> Sketch {
        let count = self.sketches.len();
        let at = phase.rem_euclid(1.0) * count as f32;
        let index = (at as usize).min(count - 1);
        self.sketches[index].lerp(&self.sketches[(index + 1) % count], at - index as f32)
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
        // Sideways steps are about half as long as steps ahead.
        let side_stride = 0.5 * (x / 0.18).powf(0.5).clamp(0.5, 1.5);
        timing.stride = (unhurried * (1.0 - sideways) + side_stride * sideways)
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
            strike: if plan.gait == Gait::Run { RUN_STRIKE } else { 0.0 },
            travel: Quat::from_rotation_y(plan.angle) * Vec3::new(0.0, 0.0, stride),
            reach: timing.stride / law,
            pelvis_yaw: 18f32.to_radians() * (2.0 * plan.angle).sin(),
            sideways,
            // Sideways, the foot that closes up follows quickly after the one that leads.
            right_strike: 0.5 - 0.04 * sideways * plan.angle.signum() + plan.style.asymmetry,
            toe_out,
            footholds: [Vec3::ZERO; 2],
            spread: 0.0,
        }
    }

    fn curve(
        &self,
        choose: impl Fn(&'static Table) -> &'static super::tables::Curve,
    ) -> CurveAt<'static> {
        self.table.at(choose(self.table), self.speed_number)
    }

    /// The phase of a limb at a phase of the cycle.
    fn limb(&self, side: Side, phase: f32) -> f32 {
        (phase + self.strike - side.choose(0.0, self.right_strike)).rem_euclid(1.0)
    }

    /// The phase of the cycle at a limb's phase.
    fn phase(&self, side: Side, limb: f32) -> f32 {
        limb - self.strike + side.choose(0.0, self.right_strike)
    }

    fn foot_yaw(&self, side: Side) -> f32 {
        1.2 * self.pelvis_yaw + side.sign() * self.toe_out[side as usize]
    }

    /// The root at a phase, before it is lowered.
    fn root(&self, phase: f32) -> Vec3 {
        let style = &self.plan.style;
        // The midline curves belong to the phase at which the left foot's curves begin.
        let phase = phase + self.strike;
        let unit = 0.001 * self.leg;
        let height = self.curve(|table| &table.root_height);
        let ahead = self.curve(|table| &table.root_ahead).value(phase) * unit * self.reach;
        let aside = self.curve(|table| &table.root_left).value(phase) * unit * style.sway;
        let turn = Quat::from_rotation_y(self.plan.angle);
        // Sideways, the sway to the side would work against the way.
        let sway = aside * (1.0 - 0.8 * self.sideways);
        Vec3::new(sway, 0.0, 0.0)
            + turn * Vec3::new(0.0, 0.0, ahead)
            + Vec3::Y * unit * (height.mean() + style.bounce * self.bounce() * height.swing(phase))
    }

    /// How much of the table's rise and fall: it goes with the square of the steps' length.
    fn bounce(&self) -> f32 {
        (self.reach * self.reach).clamp(0.3, 1.4)
    }

    /// A body without feet at a phase.
    fn upper(&self, phase: f32) -> Sketch {
        let style = &self.plan.style;
        let ahead = 1.0 - self.sideways;
        let degrees = |curve: CurveAt, factor: f32| {
            (curve.mean() + factor * curve.swing(phase + self.strike)).to_radians()
        };
        let turning = ahead * style.pelvis_rotation;
        let opposing = ahead * style.thorax_rotation;
        let pelvis = Trunk {
            flexion: degrees(self.curve(|table| &table.pelvis_tilt), 1.0),
            bend: degrees(self.curve(|table| &table.pelvis_list), style.pelvis_list),
            rotation: self.pelvis_yaw
                + degrees(self.curve(|table| &table.pelvis_rotation), turning),
        };
        // The chest faces ahead whatever the pelvis does.
        let back = -self.pelvis_yaw;
        let lumbar = Trunk {
            flexion: degrees(self.curve(|table| &table.lumbar_flexion), 1.0)
                + 0.5 * style.trunk_lean,
            bend: degrees(self.curve(|table| &table.lumbar_bend), style.pelvis_list),
            rotation: 0.4 * back + degrees(self.curve(|table| &table.lumbar_rotation), opposing),
        };
        let thorax = Trunk {
            flexion: degrees(self.curve(|table| &table.thoracic_flexion), 1.0)
                + 0.5 * style.trunk_lean,
            bend: degrees(self.curve(|table| &table.thoracic_bend), 1.0),
            rotation: 0.6 * back + degrees(self.curve(|table| &table.thoracic_rotation), opposing),
        };
        let head = Trunk {
            // Whoever leans still looks ahead.
            flexion: degrees(self.curve(|table| &table.head_flexion), 1.0) + style.head_pitch
                - style.trunk_lean,
            bend: degrees(self.curve(|table| &table.head_bend), 1.0),
            rotation: degrees(self.curve(|table| &table.head_rotation), opposing),
        };
        let arms = [Side::Left, Side::Right].map(|side| self.arm(side, phase));
        Sketch { root: self.root(phase), pelvis, lumbar, thorax, head, arms, ..Sketch::default() }
    }

    fn arm(&self, side: Side, phase: f32) -> Arm {
        let style = &self.plan.style;
        let limb = self.limb(side, phase);
        // Below 0.8 m/s or so real arms hardly swing with the legs.
        let slow = match self.plan.gait {
            Gait::Walk => 0.4 + 0.6 * ((self.speed_number - 0.15) / 0.12).clamp(0.0, 1.0),
            Gait::Run => 1.0,
        };
        let amount = self.plan.arms * (1.0 - 0.8 * self.sideways);
        let swing = |curve: CurveAt, factor: f32| {
            (curve.mean() + amount * factor * curve.swing_with(limb, slow)).to_radians()
        };
        let body = self.plan.human.proportions();
        let length = (body.upper_arm + body.forearm) / self.leg;
        let pendulum = (1.0 + (0.62 - length)).clamp(0.9, 1.1);
        Arm {
            flexion: swing(self.curve(|table| &table.shoulder_flexion), pendulum * style.arm_swing),
            abduction: swing(self.curve(|table| &table.shoulder_abduction), 1.0)
                + style.arm_abduction,
            rotation: swing(self.curve(|table| &table.shoulder_rotation), style.arm_swing),
            elbow: (swing(self.curve(|table| &table.elbow_flexion), style.elbow_swing)
                + style.elbow)
                .max(0.05),
        }
    }

    /// Where the tables have a foot at a limb's phase, seen from the abstract root.
    fn table_foot(&self, side: Side, limb: f32) -> Foot {
        let unit = 0.001 * self.leg;
        let outwards = self.curve(|table| &table.ankle_outwards);
        let ahead = self.curve(|table| &table.ankle_ahead);
        let height = self.curve(|table| &table.ankle_height);
        let phase = self.phase(side, limb);
        let root = self.root(phase);
        let ahead_only = 1.0 - self.sideways;
        let along = ahead.swing(limb) * unit * self.reach;
        let aside = side.sign()
            * (outwards.mean() + self.plan.style.sway * ahead_only * outwards.swing(limb))
            * unit
            + side.sign() * self.spread;
        let turn = Quat::from_rotation_y(self.plan.angle);
        // Sideways, feet are lifted just enough, without a heel that rises.
        let ankle_height = self.plan.human.proportions().foot.ankle_height;
        let stepped = ankle_height + 0.07 * self.leg * self.lift(limb);
        let ay = height.value(limb) * unit * ahead_only + stepped * self.sideways;
        let ankle = Vec3::new(root.x + aside, ay, root.z + ahead.mean() * unit * ahead_only)
            + turn * Vec3::new(0.0, 0.0, along);
        Foot { ankle, yaw: self.foot_yaw(side), pitch: self.table_pitch(limb), toes: 0.0 }
    }

    /// A bump over the swing.
    fn lift(&self, limb: f32) -> f32 {
        let swing = self.swing(limb);
        if swing <= 0.0 { 0.0 } else { (swing * PI).sin().powi(2) }
    }

    /// How far into the swing a limb is, 0 in stance.
    fn swing(&self, limb: f32) -> f32 {
        let ball_off = self.timing.ball_off;
        ((limb - ball_off) / (1.0 + self.strike - ball_off)).max(0.0)
    }

    fn table_pitch(&self, limb: f32) -> f32 {
        let pitch = self.curve(|table| &table.sole_pitch).value(limb).to_radians();
        let scale = self.plan.style.foot_pitch * (1.0 - 0.85 * self.sideways);
        if pitch < 0.0 { pitch * scale * self.plan.push_off } else { pitch * scale }
    }

    /// The pitch of a foot that stands.
    fn stance_pitch(&self, limb: f32) -> f32 {
        let pitch = self.table_pitch(limb);
        let band = if pitch > 0.0 { 2f32 } else { 1.2 }.to_radians();
        let rolled = pitch.signum() * ((pitch * pitch + band * band).sqrt() - band);
        if self.plan.gait == Gait::Run {
            return rolled;
        }
        // The average of many people is never quite flat, though each of them is for a while.
        let flat = 0.20 - 0.20 * self.speed_number;
        let rises = 0.58 - 0.36 * self.speed_number;
        let heel = rolled.max(0.0) * (1.0 - smoothstep((limb - 0.6 * flat) / (0.7 * flat)));
        let ball = rolled.min(0.0) * smoothstep((limb - rises + 0.25) / 0.25);
        if limb < 0.5 * self.timing.toe_off { heel } else { ball }
    }

    /// How far the abstract root has come at a limb's phase since the limb's phase 0.
    fn travelled(&self, limb: f32) -> Vec3 {
        self.travel * limb
    }

    /// Chooses where each foot stands: where the tables have it on average while it stands.
    fn find_footholds(&mut self) {
        let (begin, end) = (self.strike, self.timing.ball_off);
        if self.sideways > 0.0 {
            // The feet pass each other ahead; sideways they must not, so they are kept apart by
            // what they move against each other.
            let apart = 0.5 * (0.5 - 0.04 * self.sideways) * self.travel.length();
            self.spread = apart * self.sideways.powf(1.5);
        }
        const SAMPLES: usize = 48;
        for side in Side::BOTH {
            let yaw = self.foot_yaw(side);
            let mut sum = Vec3::ZERO;
            for index in 0..SAMPLES {
                let limb = begin + (end - begin) * (index as f32 + 0.5) / SAMPLES as f32;
                let foot = self.table_foot(side, limb);
                let pitch = if foot.pitch.abs() < 2f32.to_radians() { 0.0 } else { foot.pitch };
                sum += self.sole.flattened(foot.ankle, yaw, pitch) + self.travelled(limb);
            }
            self.footholds[side as usize] = sum / SAMPLES as f32;
        }
        let style = &self.plan.style;
        let body = self.plan.human.proportions();
        let wanted = step_width(self.plan.gait, self.speed_number) + style.step_width;
        let wider_hips = (body.hip_half_width / self.leg - 0.0938).max(0.0);
        let half = 0.5 * (wanted + wider_hips).max(0.02) * self.leg;
        // Along the way to the side, stance moves the foot by half of what it travels.
        let middle = 0.5 * (begin + end) * self.travel.x;
        for side in Side::BOTH {
            let hold = &mut self.footholds[side as usize];
            hold.y = body.foot.ankle_height;
            hold.x = side.sign() * (half + self.spread) + middle;
        }
    }

    /// A foot that stands, seen from the abstract root.
    fn stance_foot(&self, side: Side, limb: f32, pitch: f32) -> Foot {
        let yaw = self.foot_yaw(side);
        let flat = self.footholds[side as usize] - self.travelled(limb);
        let ankle = self.sole.rolled(flat, yaw, pitch);
        // The toes lie flat while the heel is up.
        Foot { ankle, yaw, pitch, toes: (-pitch).max(0.0) }
    }

    /// A foot that stands, with its heel raised as far as the leg needs.
    fn planted(&self, side: Side, limb: f32, sketch: &Sketch) -> Foot {
        let mut foot = self.stance_foot(side, limb, self.stance_pitch(limb));
        // Early in stance it is the root that has to come down.
        let allowed = 35f32.to_radians() * smoothstep((limb - self.strike - 0.30) / 0.20);
        if allowed <= 0.0 {
            return foot;
        }
        let mut tried = *sketch;
        let mut fits = |pitch: f32| {
            let foot = self.stance_foot(side, limb, pitch);
            tried.feet[side as usize] = foot;
            (tried.excess(self.plan.human, side, HEEL_RISE_REACH) <= 0.0).then_some(foot)
        };
        if fits(foot.pitch).is_some() {
            return foot;
        }
        let (mut low, mut high) = (foot.pitch.min(0.0) - allowed, foot.pitch.min(0.0));
        foot = self.stance_foot(side, limb, low);
        for _ in 0..24 {
            let middle = 0.5 * (low + high);
            match fits(middle) {
                Some(fitting) => {
                    foot = fitting;
                    low = middle;
                }
                None => high = middle,
            }
        }
        foot
    }

    fn place_foot(&self, side: Side, sketches: &mut [Sketch]) {
        let count = sketches.len();
        let (begin, end) = (self.strike, self.timing.ball_off);
        let ends = SwingEnds::new(self, side);
        let mut feet: Vec<Foot> = Vec::with_capacity(count);
        for (index, sketch) in sketches.iter().enumerate() {
            let mut limb = self.limb(side, index as f32 / count as f32);
            if limb < begin {
                limb += 1.0;
            }
            feet.push(if limb <= end {
                self.planted(side, limb, sketch)
            } else {
                ends.foot(self, side, limb)
            });
        }
        self.clear_ground(side, &mut feet);
        for (sketch, foot) in sketches.iter_mut().zip(feet) {
            sketch.feet[side as usize] = foot;
        }
    }

    /// Lifts a swinging foot over the ground.
    fn clear_ground(&self, side: Side, feet: &mut [Foot]) {
        let count = feet.len();
        let human = self.plan.human.proportions();
        let clearance = 0.013 * human.height / 1.75;
        let end = self.timing.ball_off;
        let limbs: Vec<f32> = (0..count)
            .map(|index| {
                let limb = self.limb(side, index as f32 / count as f32);
                if limb < self.strike { limb + 1.0 } else { limb }
            })
            .collect();
        let raised = |limb: f32| {
            smoothstep((limb - end) / 0.10) * smoothstep((1.0 + self.strike - limb) / 0.06)
        };
        let lifts: Vec<f32> = feet
            .iter()
            .zip(&limbs)
            .map(|(foot, &limb)| (clearance * raised(limb) - self.sole.lowest(foot)).max(0.0))
            .zip(&limbs)
            .map(|(lift, &limb)| if limb > end { lift } else { 0.0 })
            .collect();
        let lifts = blurred(&dilated(&lifts, 0.02), 0.02);
        let wanted = self.plan.style.swing_knee;
        for ((foot, limb), lift) in feet.iter_mut().zip(limbs).zip(lifts) {
            if limb <= end {
                continue;
            }
            let left = 1.0 + self.strike - limb;
            let gate = smoothstep((limb - end) / 0.04) * smoothstep(left / 0.03);
            // A knee that bends further by an angle lifts the ankle by about this much.
            let knee = 0.23 * self.leg * wanted * self.lift(limb);
            foot.ankle.y += (lift + knee.max(-lift - 0.02 * self.leg)) * gate;
            foot.toes = self.sole.toes_above_ground(foot);
            foot.ankle.y += (-self.sole.lowest(foot)).max(0.0);
        }
    }

    /// Brings the root down where a leg would not reach.
    fn lower_root(&self, sketches: &mut [Sketch]) {
        let human = self.plan.human;
        let missing: Vec<f32> = sketches
            .iter()
            .enumerate()
            .map(|(index, sketch)| {
                let phase = index as f32 / sketches.len() as f32;
                Side::BOTH
                    .into_iter()
                    .filter(|side| {
                        let limb = self.limb(*side, phase);
                        limb <= self.timing.ball_off || self.plan.gait == Gait::Walk
                    })
                    .map(|side| sketch.excess(human, side, REACH))
                    .fold(0.0, f32::max)
            })
            .collect();
        let lowering = blurred(&dilated(&missing, 0.03), 0.015);
        for (sketch, down) in sketches.iter_mut().zip(lowering) {
            sketch.root.y -= down;
        }
        for sketch in sketches.iter_mut() {
            for side in Side::BOTH {
                // What is still missing is a millimetre in late swing.
                let excess = sketch.excess(human, side, REACH);
                sketch.feet[side as usize].ankle.y += excess;
            }
        }
    }
}

/// What leads a swinging foot from where it left to where it lands: the difference between stance
/// and table at both ends.
struct SwingEnds {
    /// Difference and its rate per swing at lift-off and at landing.
    ankle: [(Vec3, Vec3); 2],
    pitch: [(f32, f32); 2],
    toes: f32,
}

impl SwingEnds {
    fn new(walker: &Walker, side: Side) -> Self {
        let (begin, end) = (walker.strike, walker.timing.ball_off);
        let length = 1.0 + begin - end;
        let step = 0.004;
        let difference = |limb: f32| {
            let sketch = walker.upper(walker.phase(side, limb));
            let stands = walker.planted(side, limb, &sketch);
            let table = walker.table_foot(side, limb);
            (stands.ankle - table.ankle, stands.pitch - table.pitch)
        };
        let ends =
            [(end, end - step, 1.0), (begin, begin + step, -1.0)].map(|(at, beside, sign)| {
                let (here, there) = (difference(at), difference(beside));
                let rate = |change: f32| sign * change / step * length;
                let most = 0.10 * walker.leg;
                let ankle = (here.0 - there.0) * sign / step * length;
                (
                    (here.0, ankle.clamp_length_max(most)),
                    (here.1, rate(here.1 - there.1).clamp(-0.8, 0.8)),
                )
            });
        let sketch = walker.upper(walker.phase(side, end));
        Self {
            ankle: ends.map(|end| end.0),
            pitch: ends.map(|end| end.1),
            toes: walker.planted(side, end, &sketch).toes,
        }
    }

    fn foot(&self, walker: &Walker, side: Side, limb: f32) -> Foot {
        const SHARE: f32 = 0.4;
        let swing = walker.swing(limb);
        let mut foot = walker.table_foot(side, limb);
        let [lift, land] = self.ankle;
        foot.ankle += lift.0 * hermite(swing / SHARE) + lift.1 * SHARE * slope(swing / SHARE);
        let left = 1.0 - swing;
        foot.ankle += land.0 * hermite(left / SHARE) - land.1 * SHARE * slope(left / SHARE);
        let [lift, land] = self.pitch;
        foot.pitch += lift.0 * hermite(swing) + lift.1 * slope(swing);
        foot.pitch += land.0 * hermite(left) - land.1 * slope(left);
        // The toes straighten after they left the ground, and rise a little before they land.
        let since = limb - walker.timing.ball_off;
        foot.toes = self.toes * (1.0 - smoothstep(since / 0.16));
        foot
    }
}

/// The cubic that starts at 0 with slope 1 and ends at 0 with slope 0.
fn slope(at: f32) -> f32 {
    if at >= 1.0 { 0.0 } else { at * (1.0 - at).powi(2) }
}
