//! A walker whose every number is known: feet stand still or swing over, legs follow.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{FloatExt as _, Mat3, Quat, Vec3};
use throng_motion::{Human, Landmark, Motion, Pose, Proportions, Side, Skeleton};

/// Somebody who walks or runs with flat feet.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    pub height: f32,
    /// Metres per second.
    pub speed: f32,
    /// Seconds.
    pub period: f32,
    /// Part of the cycle that a foot stands.
    pub duty: f32,
    /// From where the body faces to where it goes, to the left.
    pub angle: f32,
    /// How fast the body turns to the left, in radians per second.
    pub turn: f32,
    /// Amplitude of the sway to the sides, in metres.
    pub sway: f32,
    /// When the right foot strikes after the left one.
    pub right_strike: f32,
    /// Whether the ground runs back under a body that stays.
    pub in_place: bool,
    /// Where and in which direction it begins.
    pub start: (Vec3, f32),
    pub rate: f32,
    pub seconds: f32,
    /// Phase of the left foot at the beginning.
    pub phase: f32,
}

impl Default for Walker {
    fn default() -> Self {
        Self {
            height: 1.75,
            speed: 1.3,
            period: 1.12,
            duty: 0.61,
            angle: 0.0,
            turn: 0.0,
            sway: 0.02,
            right_strike: 0.5,
            in_place: false,
            start: (Vec3::ZERO, 0.0),
            rate: 120.0,
            seconds: 5.0,
            phase: 0.3,
        }
    }
}

impl Walker {
    pub fn human(&self) -> Human {
        Human::new(Proportions::of_height(self.height)).unwrap()
    }

    pub fn motion(&self) -> Motion {
        let human = self.human();
        let frames = (self.seconds * self.rate).round() as usize;
        let poses: Vec<Pose> =
            (0..frames).map(|frame| self.pose(&human, frame as f32 / self.rate)).collect();
        Motion::from_poses("walker", human.skeleton().clone(), self.rate, &poses).unwrap()
    }

    /// When the foot of `side` strikes, from the beginning on.
    pub fn strikes(&self, side: Side) -> Vec<f32> {
        let first = (side.choose(0.0, self.right_strike) - self.phase).rem_euclid(1.0);
        let all = (0..100).map(|cycle| (first + cycle as f32) * self.period);
        all.filter(|time| (0.11..self.seconds - 0.05).contains(time)).collect()
    }

    /// The abstract root at a time, and where the body faces.
    pub fn root(&self, time: f32) -> (Vec3, f32) {
        let (start, facing) = self.start;
        let heading = facing + self.angle;
        let ahead = |yaw: f32| Vec3::new(yaw.sin(), 0.0, yaw.cos());
        let turned = self.turn * time;
        let way = if self.turn.abs() < 1e-6 {
            self.speed * time * ahead(heading)
        } else {
            let chord = 2.0 * self.speed / self.turn * (0.5 * turned).sin();
            chord * ahead(heading + 0.5 * turned)
        };
        (start + way, facing + turned)
    }

    fn pose(&self, human: &Human, time: f32) -> Pose {
        let body = human.proportions();
        let phase = time / self.period + self.phase;
        let (root, facing) = self.root(time);
        let turned = Quat::from_rotation_y(facing);
        let lift = 0.012 * body.height;
        let sway = self.sway * (TAU * phase).sin();
        // As high as the legs reach at the ends of a stance.
        let reach = self.speed * self.period * 0.5 * self.duty + self.sway;
        let leg = 0.985 * (body.thigh + body.shank);
        let highest = body.foot.ankle_height + (leg * leg - reach * reach).max(0.1 * leg).sqrt();
        let height = highest - lift * (1.0 + (2.0 * TAU * phase).cos());
        let hips = root + turned * Vec3::new(sway, height, 0.0);
        let belt = if self.in_place { self.root(time).0 - self.start.0 } else { Vec3::ZERO };
        let mut pose = Pose::rest(human.skeleton());
        pose.root = (hips - belt).into();
        pose.rotations[0] = turned;
        for side in Side::BOTH {
            let (ankle, yaw) = self.ankle(human, side, time);
            let hip = hips + turned * Vec3::new(side.sign() * body.hip_half_width, 0.0, 0.0);
            let legs = two_bones(hip, ankle, body.thigh, body.shank, turned * Vec3::Z);
            let foot = Quat::from_rotation_y(yaw);
            let mut turn = |landmark: Landmark, rotation: Quat| {
                pose.rotations[human.joint(landmark).index()] = rotation;
            };
            turn(Landmark::upper_leg(side), turned.inverse() * legs[0]);
            turn(Landmark::lower_leg(side), legs[0].inverse() * legs[1]);
            turn(Landmark::foot(side), legs[1].inverse() * foot);
            let swing = -side.sign() * 0.3 * (TAU * phase).cos();
            turn(Landmark::upper_arm(side), Quat::from_rotation_x(swing));
        }
        pose
    }

    /// Where the ankle is, and where the foot points.
    fn ankle(&self, human: &Human, side: Side, time: f32) -> (Vec3, f32) {
        let body = human.proportions();
        let struck = side.choose(0.0, self.right_strike);
        let phase = time / self.period + self.phase - struck;
        let (cycle, part) = (phase.floor(), phase.rem_euclid(1.0));
        // A foothold lies beside where the root is in the middle of the stance.
        let foothold = |cycle: f32| {
            let middle = (cycle + 0.5 * self.duty + struck - self.phase) * self.period;
            let (root, yaw) = self.root(middle);
            let aside = Vec3::new(side.sign() * body.hip_half_width, 0.0, 0.0);
            (root + Quat::from_rotation_y(yaw) * aside, yaw)
        };
        let (here, yaw) = foothold(cycle);
        let up = Vec3::Y * body.foot.ankle_height;
        if part < self.duty {
            return (here + up, yaw);
        }
        let (there, later) = foothold(cycle + 1.0);
        let swung = (part - self.duty) / (1.0 - self.duty);
        let eased = swung.smoothstep(0.0, 1.0);
        let lift = 0.08 * body.height * (0.5 * TAU * swung).sin();
        (here.lerp(there, eased) + up + Vec3::Y * lift, yaw + eased * (later - yaw))
    }
}

/// Rotations of thigh and shank that bring the ankle to its place, with the knee ahead.
fn two_bones(hip: Vec3, ankle: Vec3, thigh: f32, shank: f32, ahead: Vec3) -> [Quat; 2] {
    let reach = (ankle - hip).length().min(0.999 * (thigh + shank));
    let down = (ankle - hip).normalize();
    let side = down.cross(ahead).normalize();
    let ahead = side.cross(down);
    let cos = (thigh * thigh + reach * reach - shank * shank) / (2.0 * thigh * reach);
    let angle = cos.clamp(-1.0, 1.0).acos();
    let knee = thigh * (angle.cos() * down + angle.sin() * ahead);
    let towards = |bone: Vec3| {
        let up = -bone.normalize();
        let left = -side;
        Quat::from_mat3(&Mat3::from_cols(left, up, left.cross(up)))
    };
    [towards(knee), towards(reach * down - knee)]
}

/// A skeleton that is like Throng's own but lacks a landmark.
pub fn without(landmark: Landmark) -> Arc<Skeleton> {
    let human = Human::new(Proportions::default()).unwrap();
    let mut landmarks = *human.skeleton().landmarks();
    landmarks.set(landmark, None);
    Arc::new(Skeleton::new(human.skeleton().joints().to_vec(), landmarks).unwrap())
}
