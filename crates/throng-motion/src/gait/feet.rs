//! What the feet do over a cycle: where they stand, how they roll, and how they swing.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::cycle::Walker;
use super::law::{Gait, step_width};
use super::sketch::{Foot, Sketch};
use super::smooth::{blurred, dilated, hermite, smoothstep};
use crate::contact::Side;

/// Where the leg is stretched further than this, the heel begins to rise.
const HEEL_RISE_REACH: f32 = 0.994;

impl Walker<'_> {
    /// Where the tables have a foot at a limb's phase, seen from the abstract root.
    pub(super) fn table_foot(&self, side: Side, limb: f32) -> Foot {
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
    pub(super) fn lift(&self, limb: f32) -> f32 {
        let swing = self.swing(limb);
        if swing <= 0.0 { 0.0 } else { (swing * PI).sin().powi(2) }
    }

    /// How far into the swing a limb is, 0 in stance.
    pub(super) fn swing(&self, limb: f32) -> f32 {
        let toe_off = self.timing.toe_off;
        ((limb - toe_off) / (1.0 + self.strike - toe_off)).max(0.0)
    }

    pub(super) fn table_pitch(&self, limb: f32) -> f32 {
        let pitch = self.curve(|table| &table.sole_pitch).value(limb).to_radians();
        let scale = self.slow * self.plan.style.foot_pitch * (1.0 - 0.85 * self.sideways);
        if pitch >= 0.0 {
            return pitch * scale;
        }
        self.limited(pitch * scale * self.plan.push_off)
    }

    /// Ankles do not point further down than people's do.
    pub(super) fn limited(&self, pitch: f32) -> f32 {
        let (soft, hard) = match self.plan.gait {
            Gait::Walk => (62f32.to_radians(), 80f32.to_radians()),
            Gait::Run => (95f32.to_radians(), 115f32.to_radians()),
        };
        let beyond = (-pitch - soft) / (hard - soft);
        if beyond <= 0.0 { pitch } else { -soft - (hard - soft) * beyond.tanh() }
    }

    /// The pitch of a foot that stands.
    pub(super) fn stance_pitch(&self, limb: f32) -> f32 {
        // The sole comes down as soon as the heel has landed; averaged curves linger.
        let ahead = self.slap * (1.0 - smoothstep((limb - self.strike) / 0.2));
        let pitch = self.table_pitch(limb + ahead);
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
    pub(super) fn travelled(&self, limb: f32) -> Vec3 {
        self.travel * limb
    }

    /// Chooses where each foot stands: where the tables have it on average while it stands.
    pub(super) fn find_footholds(&mut self) {
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
        // Runners land a little nearer to the body than their stance is on average.
        let nearer = match self.plan.gait {
            Gait::Walk => 0.0,
            Gait::Run => 0.007 * self.leg,
        };
        for side in Side::BOTH {
            let hold = &mut self.footholds[side as usize];
            hold.z -= nearer;
            hold.y = body.foot.ankle_height;
            hold.x = side.sign() * (half + self.spread) + middle;
        }
    }

    /// A foot that stands, seen from the abstract root.
    pub(super) fn stance_foot(&self, side: Side, limb: f32, pitch: f32) -> Foot {
        let yaw = self.foot_yaw(side);
        let flat = self.footholds[side as usize] - self.travelled(limb);
        if limb > self.timing.ball_off && pitch < 0.0 {
            return self.sole.on_tiptoe(flat, yaw, pitch, self.toe_roll(side, limb, pitch));
        }
        let ankle = self.sole.rolled(flat, yaw, pitch);
        // The toes lie flat while the heel is up.
        Foot { ankle, yaw, pitch, toes: (-pitch).max(0.0) }
    }

    /// The pitch of toes that roll over their tip, from when the ball leaves to when they leave.
    fn toe_roll(&self, side: Side, limb: f32, pitch: f32) -> f32 {
        let (from, to) = (self.timing.ball_off, self.timing.toe_off);
        let part = ((limb - from) / (to - from)).clamp(0.0, 1.0);
        let eased = match self.plan.gait {
            Gait::Walk => part.powi(3),
            Gait::Run => part.powi(2),
        };
        // Toes do not bend down against the foot.
        (-self.toe_rolls[side as usize] * eased).max(pitch)
    }

    /// Learns how far the toes roll: so far that the ankle is as high as in the table when they
    /// leave.
    fn learn_toe_roll(&mut self) {
        let limb = self.timing.toe_off;
        for side in Side::BOTH {
            let wanted = self.table_foot(side, limb).ankle.y;
            let (mut low, mut high) = (0.0, 55f32.to_radians());
            for _ in 0..16 {
                let middle = 0.5 * (low + high);
                self.toe_rolls[side as usize] = middle;
                let reached = self.planted(side, limb).ankle.y;
                *(if reached < wanted { &mut low } else { &mut high }) = middle;
            }
        }
    }

    /// A foot that stands, with its heel raised as far as the leg needs.
    pub(super) fn planted(&self, side: Side, limb: f32) -> Foot {
        let pitch = self.stance_pitch(limb);
        let raised = self.heel_rise(side, limb);
        let pitch = if raised > 0.0 { pitch.min(0.0) - raised } else { pitch };
        self.stance_foot(side, limb, pitch)
    }

    /// Learns how far heels have to rise beyond the table for legs to reach: a push-off for every
    /// build.
    pub(super) fn learn_push_off(&mut self) {
        self.learn_toe_roll();
        const SAMPLES: usize = 96;
        for side in Side::BOTH {
            let needed: Vec<f32> = (0..SAMPLES)
                .map(|index| {
                    let part = index as f32 / (SAMPLES - 1) as f32;
                    self.needed_rise(side, self.strike + part * self.stance_length())
                })
                .collect();
            // Around its ends stance goes on as it was, for smoothing.
            let (before, after) = (vec![0.0; SAMPLES], vec![needed[SAMPLES - 1]; SAMPLES]);
            let smooth = blurred(&dilated(&[before, needed, after].concat(), 0.006), 0.006);
            self.heel_rises[side as usize] = smooth[SAMPLES..2 * SAMPLES].to_vec();
        }
        self.learn_toe_roll();
    }

    fn stance_length(&self) -> f32 {
        self.timing.toe_off - self.strike
    }

    fn heel_rise(&self, side: Side, limb: f32) -> f32 {
        let rises = &self.heel_rises[side as usize];
        let Some(last) = rises.len().checked_sub(1) else { return 0.0 };
        let part = ((limb - self.strike) / self.stance_length()).clamp(0.0, 1.0);
        let at = part * last as f32;
        let index = (at as usize).min(last.saturating_sub(1));
        rises[index] + (rises[index + 1] - rises[index]) * (at - index as f32)
    }

    /// How much further than in the table a heel has to be raised.
    fn needed_rise(&self, side: Side, limb: f32) -> f32 {
        // Early in stance it is the root that has to come down.
        let allowed = 35f32.to_radians() * smoothstep((limb - self.strike - 0.30) / 0.20);
        let flat = self.stance_pitch(limb).min(0.0);
        let mut sketch = self.upper(self.phase(side, limb));
        let mut fits = |rise: f32| {
            sketch.feet[side as usize] = self.stance_foot(side, limb, flat - rise);
            sketch.excess(self.plan.human, side, HEEL_RISE_REACH) <= 0.0
        };
        if allowed <= 0.0 || fits(0.0) {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, allowed);
        for _ in 0..20 {
            let middle = 0.5 * (low + high);
            *(if fits(middle) { &mut high } else { &mut low }) = middle;
        }
        high
    }

    pub(super) fn place_foot(&self, side: Side, sketches: &mut [Sketch]) {
        let count = sketches.len();
        let end = self.timing.toe_off;
        let ends = SwingEnds::new(self, side);
        let mut feet: Vec<Foot> = Vec::with_capacity(count);
        for index in 0..count {
            let limb = self.limb(side, index as f32 / count as f32);
            feet.push(if limb <= end {
                self.planted(side, limb)
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
    pub(super) fn clear_ground(&self, side: Side, feet: &mut [Foot]) {
        let count = feet.len();
        let human = self.plan.human.proportions();
        let clearance = 0.013 * human.height / 1.75;
        let end = self.timing.toe_off;
        let limbs: Vec<f32> =
            (0..count).map(|index| self.limb(side, index as f32 / count as f32)).collect();
        let raised = |limb: f32| {
            smoothstep((limb - end) / 0.28) * smoothstep((1.0 + self.strike - limb) / 0.14)
        };
        let lifts: Vec<f32> = feet
            .iter()
            .zip(&limbs)
            .map(|(foot, &limb)| (clearance * raised(limb) - self.sole.lowest(foot)).max(0.0))
            .zip(&limbs)
            .map(|(lift, &limb)| if limb > end { lift } else { 0.0 })
            .collect();
        let lifts = blurred(&dilated(&lifts, 0.03), 0.03);
        // Slow walkers bend their knees a little more than the average of their curves.
        let slow = match self.plan.gait {
            Gait::Walk => {
                3.5f32.to_radians() * (1.0 - smoothstep((self.speed_number - 0.25) / 0.25))
            }
            Gait::Run => 0.0,
        };
        let wanted = self.plan.style.swing_knee + slow;
        for ((foot, limb), lift) in feet.iter_mut().zip(limbs).zip(lifts) {
            if limb <= end {
                continue;
            }
            let left = 1.0 + self.strike - limb;
            let gate = smoothstep((limb - end) / 0.10) * smoothstep(left / 0.06);
            // A knee that bends further by an angle lifts the ankle by about this much.
            let knee = 0.23 * self.leg * wanted * self.lift(limb);
            foot.ankle.y += (lift + knee.max(-lift - 0.02 * self.leg)) * gate;
            foot.toes = self.sole.toes_above_ground(foot);
            foot.ankle.y += (-self.sole.lowest(foot)).max(0.0);
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
        let (begin, end) = (walker.strike, walker.timing.toe_off);
        let length = 1.0 + begin - end;
        let step = 0.004;
        let difference = |limb: f32| {
            let stands = walker.planted(side, limb);
            let table = walker.table_foot(side, limb);
            (stands.ankle - table.ankle, stands.pitch - table.pitch)
        };
        // A foot that lands may come back towards the body; one that leaves must not lag behind.
        let ends = [(end, end - step, 1.0, 0.1), (begin, begin + step, -1.0, 0.04)];
        let ends = ends.map(|(at, beside, sign, most)| {
            let (here, there) = (difference(at), difference(beside));
            let per_swing = sign / step * length;
            let ankle = (here.0 - there.0) * per_swing;
            let pitch = (here.1 - there.1) * per_swing;
            ((here.0, ankle.clamp_length_max(most * walker.leg)), (here.1, pitch.clamp(-0.8, 0.8)))
        });
        Self {
            ankle: ends.map(|end| end.0),
            pitch: ends.map(|end| end.1),
            toes: walker.planted(side, end).toes,
        }
    }

    fn foot(&self, walker: &Walker, side: Side, limb: f32) -> Foot {
        const SHARE: f32 = 0.4;
        let swing = walker.swing(limb);
        let mut foot = walker.table_foot(side, limb);
        let [lift, land] = self.ankle;
        foot.ankle += lift.0 * hermite(swing / SHARE) + lift.1 * SHARE * slope(swing / SHARE);
        let left = 1.0 - swing;
        // A runner's leg is nearly straight before it lands and has no room for being led down early.
        let descent = match walker.plan.gait {
            Gait::Walk => SHARE,
            Gait::Run => 0.12,
        };
        let led = hermite(left / SHARE);
        foot.ankle += land.0 * Vec3::new(led, hermite(left / descent), led)
            - land.1 * SHARE * slope(left / SHARE);
        let [lift, land] = self.pitch;
        foot.pitch += lift.0 * hermite(swing / SHARE) + lift.1 * SHARE * slope(swing / SHARE);
        foot.pitch += land.0 * hermite(left) - land.1 * slope(left);
        foot.pitch = walker.limited(foot.pitch);
        // The toes straighten after they left the ground, and rise a little before they land.
        let since = limb - walker.timing.toe_off;
        foot.toes = self.toes * (1.0 - smoothstep(since / 0.12));
        foot
    }
}

/// The cubic that starts at 0 with slope 1 and ends at 0 with slope 0.
fn slope(at: f32) -> f32 {
    if at >= 1.0 { 0.0 } else { at * (1.0 - at).powi(2) }
}
