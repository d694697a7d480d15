//! Where the root goes: after the one it follows, in the way of an animal.
//!
//! Animals go where they face. What they are told is a place and a velocity; they turn towards it,
//! go on as far as they face it, and turn on the spot if they do not. Only the last bit is made good
//! by stepping aside or back.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec3};
use throng_base::frame::wrap_angle;

use super::super::body::Quadruped;
use crate::gait::smoothstep;
use crate::mediator::Command;
use crate::root::yaw_of;

/// How fast a deviation from the wanted place is made good, per second.
const PURSUIT: f32 = 1.6;
/// How fast it is made good at most, in m/s, and by which part of the wanted speed more.
const CATCHING_UP: (f32, f32) = (0.45, 0.3);
/// Who is told to be slower than the first stands; who is told to be faster than the second moves, m/s.
const IDLE: [f32; 2] = [0.05, 0.09];
/// How long it stands or moves at least, in seconds.
const DWELL: f32 = 0.25;
/// How fast it gets faster and slower, in m/s²; the same for all sizes, as weight is.
const FASTER: f32 = 2.4;
const SLOWER: f32 = 4.5;
/// The sideways acceleration of a bend that is run through at most, in m/s².
const SIDEWAYS: f32 = 4.0;
/// How soon it faces where it goes, per second.
const TURNING: f32 = 4.0;
/// Who stands turns to where it should face if that is further away than the first, until it is nearer
/// than the second, in radians.
const FACING: [f32; 2] = [0.5, 0.08];
/// A turn to behind goes on to the side to which it began, radians.
const BEHIND: f32 = 2.4;

/// What an animal of a size can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The speed whose number is one (`√(g h)`), in m/s.
    pub unit: f32,
    /// From the hips to the elbows, in metres.
    pub trunk: f32,
    /// How near to its place it stands, in metres.
    near: f32,
    /// In m/s.
    pub fastest: f32,
    /// How fast it turns on the spot, in radians per second.
    pub turning: f32,
}

impl Limits {
    pub fn of(animal: &Quadruped, fastest: f32) -> Self {
        let bones = animal.proportions();
        let unit = (9.81 * bones.hip_height).sqrt();
        Self {
            unit,
            trunk: bones.trunk,
            near: 0.02 + 0.03 * bones.hip_height,
            fastest,
            turning: (0.5 * unit / bones.hip_height).min(4.0),
        }
    }
}

/// Where the root is and how it moves.
#[derive(Clone, Debug)]
pub(super) struct Steering {
    /// On level ground.
    pub place: Vec3,
    pub yaw: f32,
    /// In m/s.
    pub ahead: f32,
    /// To the left, in m/s.
    pub aside: f32,
    /// How fast it would like to go ahead, in m/s.
    pub urge: f32,
    /// To the left, in radians per second.
    pub turn: f32,
    /// How the body is bent along its way, 1/m, to the left.
    pub curvature: f32,
    pub standing: bool,
    /// How long it has been so, in seconds.
    pub since: f32,
    /// The heading that was wanted last, and how fast it turns.
    heading: Option<f32>,
    heading_turns: f32,
    facing: bool,
}

impl Steering {
    pub fn new(place: Vec3, yaw: f32) -> Self {
        Self {
            place: place.with_y(0.0),
            yaw,
            ahead: 0.0,
            aside: 0.0,
            urge: 0.0,
            turn: 0.0,
            curvature: 0.0,
            standing: true,
            since: 0.0,
            heading: None,
            heading_turns: 0.0,
            facing: false,
        }
    }

    /// How fast it is over the ground, in m/s.
    pub fn speed(&self) -> f32 {
        self.ahead.hypot(self.aside)
    }

    /// In the world.
    pub fn velocity(&self) -> Vec3 {
        Quat::from_rotation_y(self.yaw) * Vec3::new(self.aside, 0.0, self.ahead)
    }

    /// Where it is and how it is turned after some seconds of the same.
    pub fn after(&self, seconds: f32) -> (Vec3, f32) {
        let turned = (self.turn * seconds).clamp(-FRAC_PI_2, FRAC_PI_2);
        let moved = seconds * Vec3::new(self.aside, 0.0, self.ahead);
        let middle = Quat::from_rotation_y(self.yaw + 0.5 * turned);
        (self.place + middle * moved, self.yaw + turned)
    }

    /// Moves for a while towards where `command` wants it to be in the end.
    pub fn advance(&mut self, limits: &Limits, command: &Command, seconds: f32) {
        let velocity = command.velocity.clamp_length_max(limits.fastest);
        let behind = (command.place - seconds * command.velocity - self.place).with_y(0.0);
        let most = CATCHING_UP.0 + CATCHING_UP.1 * velocity.length();
        let wanted = velocity + (PURSUIT * behind).clamp_length_max(most);
        self.heed_heading(velocity, seconds);
        self.choose(limits, velocity, behind, command.facing, seconds);
        let [ahead, aside, turn] = if self.standing {
            [0.0; 3]
        } else {
            self.wish(limits, velocity, behind, wanted, command.facing)
        };
        let towards = |now: f32, wish: f32, faster: f32, slower: f32| {
            let rate = if wish.abs() > now.abs() { faster } else { slower };
            now + (wish - now).clamp(-rate * seconds, rate * seconds)
        };
        self.urge = ahead;
        self.ahead = towards(self.ahead, ahead, FASTER, SLOWER);
        self.aside = towards(self.aside, aside, 0.6 * FASTER, SLOWER);
        let agility = 5.0 * limits.turning;
        self.turn = towards(self.turn, turn, agility, 1.6 * agility);
        (self.place, _) = self.after(seconds);
        self.yaw = wrap_angle(self.yaw + self.turn * seconds);
        // The slower it is, the more it bends for the same turn, but only so far.
        let slowest = 0.25 * limits.turning * limits.trunk;
        let bend = self.turn / self.ahead.abs().max(slowest);
        let bend = bend.clamp(-0.5 / limits.trunk, 0.5 / limits.trunk);
        self.curvature += (1.0 - (-seconds / 0.15).exp()) * (bend - self.curvature);
    }

    /// How fast the way turns that is wanted, so that bends are not followed late.
    fn heed_heading(&mut self, velocity: Vec3, seconds: f32) {
        let heading = (velocity.length() > IDLE[1]).then(|| yaw_of(velocity));
        let turns = match (self.heading, heading) {
            (Some(before), Some(now)) if seconds > 1e-4 => {
                (wrap_angle(now - before) / seconds).clamp(-4.0, 4.0)
            }
            _ => 0.0,
        };
        self.heading_turns += (1.0 - (-seconds / 0.15).exp()) * (turns - self.heading_turns);
        self.heading = heading;
    }

    /// Whether it stands or moves.
    fn choose(
        &mut self,
        limits: &Limits,
        velocity: Vec3,
        behind: Vec3,
        facing: Option<f32>,
        seconds: f32,
    ) {
        self.since += seconds;
        let off = facing.map_or(0.0, |facing| wrap_angle(facing - self.yaw).abs());
        self.facing = off > FACING[usize::from(self.facing)];
        let (speed, distance) = (velocity.length(), behind.length());
        let stands = if self.standing {
            speed < IDLE[1] && distance < 2.5 * limits.near && !self.facing
        } else {
            let slow = self.speed() < 0.05 * limits.unit && self.turn.abs() < 0.3 * limits.turning;
            speed < IDLE[0] && distance < limits.near && !self.facing && slow
        };
        if stands != self.standing && self.since > DWELL {
            (self.standing, self.since) = (stands, 0.0);
        }
    }

    /// The speeds ahead and aside and the turn that it would like to have.
    fn wish(
        &self,
        limits: &Limits,
        velocity: Vec3,
        behind: Vec3,
        wanted: Vec3,
        facing: Option<f32>,
    ) -> [f32; 3] {
        let inverse = Quat::from_rotation_y(-self.yaw);
        let own = inverse * wanted;
        // Whoever has little to go to a place that stands still steps there without turning round.
        let moves = smoothstep((velocity.length() - IDLE[0]) / 0.1);
        let near = 1.2 * limits.trunk;
        let going = moves.max(smoothstep((behind.length() - near) / (0.5 * near)));
        let off = wrap_angle(yaw_of(wanted) - self.yaw);
        let off = if off.abs() > BEHIND && off * self.turn < 0.0 {
            off + 2.0 * PI * self.turn.signum()
        } else {
            off
        };
        let facing_off = facing.filter(|_| self.facing).map_or(0.0, |at| wrap_angle(at - self.yaw));
        let turn_off = going * off + (1.0 - going) * facing_off;
        let most = limits.turning.min(SIDEWAYS / self.ahead.abs().max(0.1));
        let turn = (TURNING * turn_off + going * self.heading_turns).clamp(-most, most);
        let step = 0.10 * limits.unit;
        let facing_it = off.cos().max(0.0);
        let ahead = going * own.length() * facing_it * facing_it
            + (1.0 - going) * own.z.clamp(-1.2 * step, 2.0 * step);
        let drift = 0.6 * step + 0.12 * self.ahead.abs();
        let aside = own.x.clamp(-drift, drift) * (1.0 - going * (1.0 - facing_it));
        [ahead.min(limits.fastest), aside, turn]
    }
}
