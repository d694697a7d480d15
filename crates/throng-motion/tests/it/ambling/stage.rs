//! An animal that is led about, and what is measured of it from outside.

use std::sync::LazyLock;

use glam::{Vec2, Vec3};
use throng_base::ground::Ground;
use throng_motion::mediator::Command;
use throng_motion::quadruped::{Ambler, Gaits, Progress, Quadruped};
use throng_motion::{JointId, ModelPose, Paw, Pose};

pub const STEP: f32 = 0.04;

pub static DOG: LazyLock<Gaits> = LazyLock::new(|| Gaits::new(&Quadruped::dog()).unwrap());
pub static HORSE: LazyLock<Gaits> = LazyLock::new(|| Gaits::new(&Quadruped::horse()).unwrap());

pub fn both() -> [(&'static str, &'static Gaits); 2] {
    [("dog", &DOG), ("horse", &HORSE)]
}

/// What was seen of an animal.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// How far the tip of a foot that stands moved in a frame at most, and in all, m.
    pub slid: f32,
    slides: (f32, usize),
    /// How far a foot that stands was below and above the ground, m.
    pub sunk: f32,
    pub floated: f32,
    /// How fast a joint was turned in its parent, in radians per `√(h / g)`, and which.
    pub fastest_turn: (f32, String),
    /// How fast a joint moved about the root, in hips' heights `h` per `√(h / g)`.
    pub fastest_joint: (f32, String),
    /// How much faster the root got in a frame, m/s.
    pub jolt: f32,
    pub deviations: Vec<f32>,
    pub gaits: Vec<&'static str>,
    pub places: Vec<Vec3>,
    pub yaws: Vec<f32>,
    /// How many feet stood.
    pub standing: Vec<usize>,
}

impl Seen {
    /// Mean speed of feet that stand, m/s.
    pub fn skating(&self) -> f32 {
        self.slides.0 / self.slides.1.max(1) as f32 / STEP
    }

    /// The largest deviation from a frame on.
    pub fn deviation_from(&self, frame: usize) -> f32 {
        self.deviations[frame..].iter().copied().fold(0.0, f32::max)
    }

    pub fn frames_of(&self, gait: &str) -> usize {
        self.gaits.iter().filter(|seen| **seen == gait).count()
    }
}

pub struct Stage<'a> {
    pub gaits: &'a Gaits,
    pub ground: &'a dyn Ground,
    pub ambler: Ambler,
    /// Where the one is who leads.
    pub place: Vec3,
    pub pose: Pose,
    pub seen: Seen,
    before: Option<(Progress, ModelPose, Pose)>,
}

impl<'a> Stage<'a> {
    pub fn new(gaits: &'a Gaits, ground: &'a dyn Ground) -> Self {
        Self::at(gaits, ground, Vec3::ZERO)
    }

    pub fn at(gaits: &'a Gaits, ground: &'a dyn Ground, place: Vec3) -> Self {
        let height = ground.at(Vec2::new(place.x, place.z), 0.0).map_or(0.0, |at| at.height);
        let place = place.with_y(height);
        let ambler = Ambler::new(place, 0.0);
        let (pose, seen) = (Pose::default(), Seen::default());
        Self { gaits, ground, ambler, place, pose, seen, before: None }
    }

    /// Somebody leads it for some seconds.
    pub fn lead(&mut self, seconds: f32, mut velocity: impl FnMut(f32) -> Vec3) {
        for frame in 0..(seconds / STEP).round() as usize {
            self.step(velocity(frame as f32 * STEP), None);
        }
    }

    pub fn step(&mut self, velocity: Vec3, facing: Option<f32>) -> Progress {
        self.place += STEP * velocity;
        let at = Vec2::new(self.place.x, self.place.z);
        self.place.y = self.ground.at(at, self.place.y).map_or(0.0, |at| at.height);
        let command = Command { velocity, place: self.place, facing, lying: false };
        let progress = self.ambler.step(self.gaits, &command, STEP, self.ground, &mut self.pose);
        self.look(progress);
        progress
    }

    fn look(&mut self, progress: Progress) {
        let animal = self.gaits.animal();
        assert!(self.pose.root.is_finite() && self.pose.rotations.iter().all(|r| r.is_finite()));
        assert!(self.pose.rotations.iter().all(|turn| turn.is_normalized()));
        let mut placed = self.pose.clone();
        placed.place(progress.placement.placement());
        let model = ModelPose::of(animal.skeleton(), &placed);
        let tip = |model: &ModelPose, paw: Paw| {
            let joint = animal.paw(paw);
            model.position(joint) + model.rotation(joint) * animal.tip(paw)
        };
        for paw in Paw::ALL.into_iter().filter(|paw| progress.feet[*paw as usize]) {
            let here = tip(&model, paw);
            // Any part of the sole can stand, and rest on an edge.
            let sole = &self.gaits.rig().feet()[paw as usize].sole;
            let points: Vec<Vec3> = sole
                .iter()
                .map(|point| {
                    let centre =
                        model.position(point.joint) + model.rotation(point.joint) * point.offset;
                    centre - point.radius * Vec3::Y
                })
                .collect();
            let above = |at: Vec3| {
                let ground = self.ground.at(Vec2::new(at.x, at.z), at.y);
                at.y - ground.map_or(at.y, |ground| ground.height)
            };
            let between = |pair: &[Vec3]| {
                (0..4).map(|k| pair[0].lerp(pair[1], k as f32 / 3.0)).collect::<Vec<_>>()
            };
            let dense = points.windows(2).flat_map(between);
            let above = dense.map(above).fold(above(here), f32::min);
            self.seen.sunk = self.seen.sunk.max(-above);
            self.seen.floated = self.seen.floated.max(above);
            if let Some((before, model, _)) = &self.before
                && before.feet[paw as usize]
            {
                let moved = (here - tip(model, paw)).with_y(0.0).length();
                self.seen.slid = self.seen.slid.max(moved);
                self.seen.slides.0 += moved;
                self.seen.slides.1 += 1;
            }
        }
        if let Some((before, old, pose)) = &self.before {
            let h = animal.proportions().hip_height;
            let (from, to) = (before.placement.translation, progress.placement.translation);
            for joint in 0..self.pose.rotations.len() {
                let name = &animal.skeleton().joints()[joint].name;
                // Small animals are quick.
                let second = (9.81 / h).sqrt();
                let turn = self.pose.rotations[joint].angle_between(pose.rotations[joint]);
                let turn = turn / STEP / second;
                if turn > self.seen.fastest_turn.0 {
                    self.seen.fastest_turn = (turn, name.clone());
                }
                let id = JointId::new(joint);
                let moved = (model.position(id) - to) - (old.position(id) - from);
                let speed = moved.with_y(0.0).length() / STEP / second / h;
                if speed > self.seen.fastest_joint.0 {
                    self.seen.fastest_joint = (speed, name.clone());
                }
            }
            self.seen.jolt = self.seen.jolt.max(progress.velocity.distance(before.velocity));
        }
        self.seen.deviations.push(progress.deviation);
        self.seen.gaits.push(progress.gait);
        self.seen.places.push(progress.placement.translation);
        self.seen.yaws.push(progress.placement.yaw);
        self.seen.standing.push(progress.feet.iter().filter(|stands| **stands).count());
        self.before = Some((progress, model, self.pose.clone()));
    }

    /// Tells of it, and fails if its feet skate or its joints jump.
    pub fn check_level(&self, what: &str) {
        let seen = &self.seen;
        println!(
            "{what}: slid {:.2} mm, sunk {:.2} mm, floated {:.2} mm, turned {:?}, moved {:?}, jolt {:.3}",
            1e3 * seen.slid,
            1e3 * seen.sunk,
            1e3 * seen.floated,
            seen.fastest_turn,
            seen.fastest_joint,
            seen.jolt,
        );
        assert!(seen.slid < 0.002, "{what}: a foot slid {} m", seen.slid);
        assert!(seen.sunk < 0.005 && seen.floated < 0.01, "{what}: {} {}", seen.sunk, seen.floated);
        self.check_joints(what, 1.0);
    }

    /// Fails if a joint is turned or moved so much faster than it ever is on level ground.
    pub fn check_joints(&self, what: &str, faster: f32) {
        let (turn, joint) = &self.seen.fastest_turn;
        assert!(*turn < faster * FASTEST_TURN, "{what}: {joint} turned by {turn}");
        let (speed, joint) = &self.seen.fastest_joint;
        assert!(*speed < faster * FASTEST_JOINT, "{what}: {joint} moved by {speed}");
    }
}

/// Nothing in a body turns faster: hocks and toes of a fast trot do so nearly.
pub const FASTEST_TURN: f32 = 14.0;
/// Nothing moves faster about the root: feet that swing in a fast trot do so nearly.
pub const FASTEST_JOINT: f32 = 4.0;

/// Numbers between 0 and 1 that are the same every time.
pub fn random(seed: u32) -> impl FnMut() -> f32 {
    let mut state = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 24) as f32
    }
}
