//! When feet stand and where.
//!
//! Every foot has a clock of its own that runs from strike to strike and keeps to the beat of the
//! gait without ever jumping: beats shift when a walk becomes a trot. While a foot stands, its tip
//! stays where it is in the world, whatever the body does; when it swings, it is led to where it will
//! be right below its hip in the middle of the stance to come. Strides that get longer, bends, and
//! turns on the spot need nothing else.

use glam::{Quat, Vec3};
use throng_base::frame::wrap_angle;

use super::super::body::Quadruped;
use super::super::gaits::Stepping;
use super::super::path::{PawAt, lifted};
use super::steering::Steering;
use crate::contact::Paw;
use crate::gait::smoothstep;

/// How much faster than its beat a clock runs to catch up, and how much slower in the air.
const HURRY: f32 = 2.0;
const LINGER: f32 = 0.5;
/// A foot is lifted early if it is left behind by this much more than it is at the end of a stance, or
/// by this part of the hips' height.
const LEFT_BEHIND: (f32, f32) = (1.2, 0.24);
/// With so much more it is lifted even if its neighbour is in the air.
const HOPELESS: f32 = 1.5;
/// A foot whose leg is as near as this to where it must let go is lifted early, too.
const STRAINED: f32 = 0.4;
/// And so is one over which the body has turned by this much, radians.
const TWISTED: f32 = 0.8;
/// How long feet stand as they were left before they are put in order, and from one to the next, s.
const PATIENCE: f32 = 0.7;
const BETWEEN: f32 = 0.12;
/// How far from its place a foot may stand, as a part of the hips' height.
const UNTIDY: f32 = 0.07;
/// A foot begins to be set down this part of a cycle before it stands, and is let go within the other.
const SETTING_DOWN: f32 = 0.14;
const LETTING_GO: f32 = 0.14;

/// A foot.
#[derive(Clone, Copy, Debug)]
struct Foot {
    /// The part of its cycle that is over, from strike to strike.
    clock: f32,
    /// Where its tip is on level ground, or was when it was lifted.
    tip: Vec3,
    yaw: f32,
    /// If it swings: what its clock was and how far it was rolled over when it was lifted.
    lifted: Option<(f32, f32)>,
    /// How far it is rolled over its tip, radians.
    pitch: f32,
    /// How near its leg is to where it must let go, from 0 to 1.
    strain: f32,
}

/// What goes for all feet in a part of a step.
#[derive(Clone, Copy)]
pub(super) struct Beat<'a> {
    pub animal: &'a Quadruped,
    pub stepping: &'a Stepping,
    pub steering: &'a Steering,
    /// From 0 in motion to 1 for who has come to stand.
    pub stood: f32,
    pub seconds: f32,
}

/// All four, in the order of [`Paw::ALL`].
#[derive(Clone, Debug)]
pub(super) struct Feet {
    feet: [Foot; 4],
    /// The part of the gait's cycle that is over.
    pub phase: f32,
    /// Until the next foot is put in order, s.
    pause: f32,
}

impl Feet {
    /// Feet as they are in the midst of a gait, or of an animal that stands.
    pub fn new(beat: Beat, phase: f32) -> Self {
        let Beat { stepping, steering, .. } = beat;
        let feet = Paw::ALL.map(|paw| {
            let clock = (phase - stepping.strike(paw)).rem_euclid(1.0);
            let (duty, stands) = (stepping.duty(paw), steering.standing);
            let clock = if stands { 0.5 * duty } else { clock };
            let since = (clock - 0.5 * duty) / stepping.frequency;
            let (place, yaw) = steering.after(if stands { 0.0 } else { -since });
            let tip = place + Quat::from_rotation_y(yaw) * beat.home(paw);
            let swings = clock >= duty;
            let lifted = swings.then(|| (duty, stepping.path(beat.animal, paw).stance_pitch(1.0)));
            Foot { clock, tip, yaw, lifted, pitch: 0.0, strain: 0.0 }
        });
        Self { feet, phase, pause: PATIENCE }
    }

    /// Which feet stand.
    pub fn standing(&self) -> [bool; 4] {
        self.feet.map(|foot| foot.lifted.is_none())
    }

    /// How much each foot bears.
    pub fn bearing(&self, stepping: &Stepping) -> [Option<f32>; 4] {
        Paw::ALL.map(|paw| {
            let foot = &self.feet[paw as usize];
            let Some((since, _)) = foot.lifted else { return Some(1.0) };
            // In cycles, but not more of a short swing than there is.
            let swing = 1.0 - since;
            let scale = (swing / (1.0 - stepping.duty(paw)).max(0.05)).min(1.0);
            let landing = 1.0 - (1.0 - foot.clock) / (scale * SETTING_DOWN);
            let lifting = 1.0 - (foot.clock - since) / (scale * LETTING_GO);
            Some(smoothstep(landing.max(lifting).max(0.0)).min(0.999))
        })
    }

    /// How near the leg of a foot that stands is to where it must let go, from 0 to 1.
    pub fn strain(&mut self, paw: Paw, strain: f32) {
        self.feet[paw as usize].strain = strain;
    }

    /// Lifts a foot before its time.
    pub fn lift(&mut self, paw: Paw, stepping: &Stepping) {
        self.feet[paw as usize].lift(stepping.duty(paw));
    }

    /// Sets out: the hind foot that is furthest behind goes first.
    pub fn set_out(&mut self, beat: Beat, first_left: bool) {
        let Beat { stepping, steering, .. } = beat;
        let ahead = |paw: Paw| (beat.own(self.feet[paw as usize].tip) - beat.home(paw)).z;
        let lead = ahead(Paw::LeftHind) - ahead(Paw::RightHind);
        // Who turns on the spot begins with the foot on the inner side.
        let lead = lead - 0.1 * steering.turn;
        let left = if lead.abs() > 0.02 { lead < 0.0 } else { first_left };
        self.phase = stepping.duty(Paw::LeftHind) + if left { 0.0 } else { 0.5 };
        for paw in Paw::ALL {
            let foot = &mut self.feet[paw as usize];
            if foot.lifted.is_none() {
                let clock = (self.phase - stepping.strike(paw)).rem_euclid(1.0);
                let duty = stepping.duty(paw);
                // Who would be in the air by now has landed early, but for the one that goes first.
                foot.clock = if clock > duty + 0.01 { 0.0 } else { clock.min(duty) };
            }
        }
    }

    /// Time passes.
    pub fn advance(&mut self, beat: Beat) {
        let step = beat.stepping.frequency * beat.seconds;
        if beat.steering.standing {
            self.put_in_order(beat);
        } else {
            self.phase = (self.phase + step).rem_euclid(1.0);
            self.pause = PATIENCE;
        }
        for paw in Paw::ALL {
            let index = paw as usize;
            let early = self.is_left_behind(beat, paw);
            let foot = &mut self.feet[index];
            let on = if beat.steering.standing {
                if foot.lifted.is_some() { step } else { 0.0 }
            } else {
                let due = (self.phase - beat.stepping.strike(paw) - foot.clock).rem_euclid(1.0);
                let due = if due > 0.5 { due - 1.0 } else { due };
                let least = if foot.lifted.is_some() { LINGER * step } else { 0.0 };
                due.clamp(least, HURRY * step)
            };
            foot.clock += on;
            foot.step(beat, paw, early);
        }
    }

    /// Whether a foot that stands has been left too far behind, and can be lifted.
    fn is_left_behind(&self, beat: Beat, paw: Paw) -> bool {
        let foot = &self.feet[paw as usize];
        if foot.lifted.is_some() || beat.steering.standing {
            return false;
        }
        let Beat { stepping, steering, animal, .. } = beat;
        let off = beat.own(foot.tip) - beat.home(paw);
        let home = beat.home(paw);
        // How the ground passes below the foot's place.
        let passing = -Vec3::new(
            steering.aside + steering.turn * home.z,
            0.0,
            steering.ahead - steering.turn * home.x,
        );
        let usual = 0.5 * stepping.duty(paw) * passing.length() / stepping.frequency;
        let most = (LEFT_BEHIND.0 * usual).max(LEFT_BEHIND.1 * animal.proportions().hip_height);
        let left = off.dot(passing.normalize_or_zero());
        let side = paw.side().other();
        let neighbour = if paw.is_fore() { Paw::fore(side) } else { Paw::hind(side) };
        let alone = self.feet[neighbour as usize].lifted.is_some();
        let bearing = self.standing().iter().filter(|stands| **stands).count();
        let twisted = wrap_angle(foot.yaw - steering.yaw).abs() > TWISTED;
        let strained = foot.strain > STRAINED || twisted;
        (left > most || strained) && bearing > 1 && (!alone || left > HOPELESS * most)
    }

    /// Who has stood for a while sets feet right that stand badly, one after the other.
    fn put_in_order(&mut self, beat: Beat) {
        if self.feet.iter().any(|foot| foot.lifted.is_some()) {
            self.pause = self.pause.max(BETWEEN);
            return;
        }
        self.pause -= beat.seconds;
        if self.pause > 0.0 {
            return;
        }
        let off = |paw: Paw| (beat.own(self.feet[paw as usize].tip) - beat.home(paw)).length();
        let worst = Paw::ALL.into_iter().max_by(|a, b| off(*a).total_cmp(&off(*b)));
        let untidy = UNTIDY * beat.animal.proportions().hip_height;
        if let Some(worst) = worst.filter(|paw| off(*paw) > untidy) {
            let foot = &mut self.feet[worst as usize];
            foot.lift(beat.stepping.duty(worst));
            self.pause = BETWEEN;
        }
    }

    /// Where a foot is, from the root.
    pub fn at(&self, beat: Beat, paw: Paw) -> PawAt {
        let foot = &self.feet[paw as usize];
        let path = beat.stepping.path(beat.animal, paw);
        let (mut tip, mut height) = (foot.tip, 0.0);
        // Seen from the body, feet are never turned by much: what is between two of them is not behind.
        let mut yaw = wrap_angle(foot.yaw - beat.steering.yaw);
        let progress = match foot.swing() {
            None => (foot.clock / path.duty).clamp(0.0, 0.999),
            Some(part) => {
                let (to, turned) = beat.landing(paw, foot.clock);
                let eased = smoothstep(part);
                tip = tip.lerp(to, eased);
                yaw += eased * (wrap_angle(turned - beat.steering.yaw) - yaw);
                height = path.clearance * lifted(part);
                1.0 + part
            }
        };
        let own = beat.own(tip) + height * Vec3::Y;
        let toes = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(foot.pitch);
        let joint = own - toes * beat.animal.tip(paw);
        let plane = beat.steering.curvature * beat.stands(paw).z;
        PawAt { joint, pitch: foot.pitch, yaw, plane, progress }
    }
}

impl Foot {
    /// How much of its swing is over, if it swings.
    fn swing(&self) -> Option<f32> {
        let (since, _) = self.lifted?;
        Some(((self.clock - since) / (1.0 - since).max(1e-3)).clamp(0.0, 1.0))
    }

    /// Lifts it at this time of its clock.
    fn lift(&mut self, clock: f32) {
        self.clock = clock.min(0.95);
        self.lifted = Some((self.clock, self.pitch));
        self.strain = 0.0;
    }

    /// Lifts it, sets it down, and rolls it over its tip, as its clock says.
    fn step(&mut self, beat: Beat, paw: Paw, early: bool) {
        let path = beat.stepping.path(beat.animal, paw);
        match self.lifted {
            Some(_) if self.clock >= 1.0 => {
                self.clock -= 1.0;
                (self.tip, self.yaw) = beat.landing(paw, self.clock);
                self.lifted = None;
            }
            None if early => self.lift(path.duty),
            None if self.clock >= path.duty && !beat.steering.standing => self.lift(self.clock),
            _ => {}
        }
        self.pitch = match (self.swing(), self.lifted) {
            (Some(part), Some((_, from))) => {
                let left = 1.0 - smoothstep(part / 0.35);
                path.swing_pitch(part) + left * (from - path.roll_off)
            }
            _ => {
                let rolled = path.stance_pitch((self.clock / path.duty).min(1.0));
                (1.0 - beat.stood) * rolled
            }
        };
    }
}

impl Beat<'_> {
    /// Where a foot is when the animal stands square.
    fn stands(&self, paw: Paw) -> Vec3 {
        (self.animal.at(self.animal.paw(paw)) + self.animal.tip(paw)).with_y(0.0)
    }

    /// Where a foot is in the middle of stance, from the root: bent along the way as the trunk is.
    fn home(&self, paw: Paw) -> Vec3 {
        let straight = self.stepping.middle(paw).lerp(self.stands(paw), self.stood);
        bent(straight, self.steering.curvature)
    }

    /// A place in the world as seen from the root.
    fn own(&self, place: Vec3) -> Vec3 {
        Quat::from_rotation_y(-self.steering.yaw) * (place - self.steering.place)
    }

    /// Where a foot comes down whose clock says `clock`, and how it is turned there.
    fn landing(&self, paw: Paw, clock: f32) -> (Vec3, f32) {
        let left = if clock > 0.5 { 1.0 - clock } else { -clock };
        let until = (left + 0.5 * self.stepping.duty(paw)) / self.stepping.frequency;
        let (place, yaw) = self.steering.after(if self.steering.standing { 0.0 } else { until });
        let along = self.steering.curvature * self.stands(paw).z;
        (place + Quat::from_rotation_y(yaw) * self.home(paw), yaw + along)
    }
}

/// A place beside a straight line, as it is beside a bent one.
pub(super) fn bent(place: Vec3, curvature: f32) -> Vec3 {
    let angle = curvature * place.z;
    let along = if angle.abs() < 1e-3 {
        Vec3::new(0.5 * angle * place.z, place.y, place.z)
    } else {
        Vec3::new((1.0 - angle.cos()) / curvature, place.y, angle.sin() / curvature)
    };
    along + Quat::from_rotation_y(angle) * Vec3::new(place.x, 0.0, 0.0)
}
