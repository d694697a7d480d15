//! A body that is told where to go, and what is measured of it.

use std::sync::LazyLock;

use glam::{Quat, Vec3};
use throng_motion::gait::{Library, Style};
use throng_motion::mediator::{
    Command, Performance, Performer, PerformerOptions, Repertoire, Scratch,
};
use throng_motion::{FootShape, Human, Landmark, ModelPose, Pose, Proportions, Side};

pub const STEP: f32 = 0.04;

pub static HUMAN: LazyLock<Human> =
    LazyLock::new(|| Human::new(Proportions::default()).expect("an average body"));

pub static REPERTOIRE: LazyLock<Repertoire> = LazyLock::new(|| {
    let library = Library::new(&HUMAN, Style::default()).expect("an average style");
    Repertoire::new(library.clips(), Default::default()).expect("people can walk")
});

/// Heel, ball and tip of both feet in the world, found from the pose alone.
pub fn soles(pose: &Pose, played: &Performance) -> [[Vec3; 3]; 2] {
    let model = ModelPose::of(HUMAN.skeleton(), pose);
    let shape: FootShape = HUMAN.proportions().foot;
    let turn = Quat::from_rotation_y(played.placement.yaw);
    Side::BOTH.map(|side| {
        let foot = HUMAN.joint(Landmark::foot(side));
        let toes = HUMAN.joint(Landmark::toes(side));
        let heel = model.position(foot)
            + model.rotation(foot) * Vec3::new(0.0, -shape.ankle_height, -shape.heel);
        let ball = model.position(toes) - shape.ball_height * Vec3::Y;
        let tip = model.position(toes)
            + model.rotation(toes) * Vec3::new(0.0, -shape.ball_height, shape.toes);
        [heel, ball, tip].map(|point| played.placement.translation + turn * point)
    })
}

/// What was seen of a body.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Movement of feet that stand from frame to frame, m.
    pub slips: Vec<f32>,
    /// From the root to where it was wanted, m.
    pub deviations: Vec<f32>,
    /// Turns of feet that stand, from frame to frame, radians.
    pub pivots: Vec<f32>,
    pub places: Vec<Vec3>,
    pub played: Vec<Performance>,
    pub lowest: f32,
}

impl Seen {
    pub fn largest_slip(&self) -> f32 {
        self.slips.iter().copied().fold(0.0, f32::max)
    }

    pub fn mean_deviation(&self) -> f32 {
        self.deviations.iter().sum::<f32>() / self.deviations.len().max(1) as f32
    }
}

/// A body that follows a simulator which takes over where the body is.
pub struct Stage {
    pub performer: Performer,
    pub options: PerformerOptions,
    pub place: Vec3,
    /// Whether the simulator takes over the body's place.
    pub feedback: bool,
    pub lying: bool,
    pub pose: Pose,
    pub scratch: Scratch,
    pub before: Option<([[Vec3; 3]; 2], Performance)>,
    pub seen: Seen,
}

impl Stage {
    pub fn new(options: PerformerOptions) -> Self {
        Self {
            performer: Performer::new(Vec3::ZERO, 0.0),
            options,
            place: Vec3::ZERO,
            feedback: true,
            lying: false,
            pose: Pose::rest(HUMAN.skeleton()),
            scratch: Scratch::default(),
            before: None,
            seen: Seen::default(),
        }
    }

    /// One frame in which the simulator wants `velocity`.
    pub fn step(&mut self, velocity: Vec3, facing: Option<f32>) -> Performance {
        self.place += STEP * velocity;
        let command = Command { velocity, place: self.place, facing, lying: self.lying };
        let played = self.performer.step(
            &REPERTOIRE,
            &command,
            STEP,
            &self.options,
            &mut self.pose,
            &mut self.scratch,
        );
        let soles = soles(&self.pose, &played);
        if let Some((soles_before, before)) = &self.before {
            for side in 0..2 {
                let (Some((point, _)), Some(_)) =
                    (played.feet[side].contact, before.feet[side].contact)
                else {
                    continue;
                };
                let (now, then) = (soles[side][point as usize], soles_before[side][point as usize]);
                if now.y < 0.004 && then.y < 0.004 {
                    let moved = now - then;
                    self.seen.slips.push(Vec3::new(moved.x, 0.0, moved.z).length());
                }
                self.seen.pivots.push(played.feet[side].pivot.abs());
            }
        }
        let lowest = soles.iter().flatten().map(|point| point.y).fold(f32::INFINITY, f32::min);
        self.seen.lowest = self.seen.lowest.min(lowest);
        self.seen.deviations.push(played.deviation);
        self.seen.places.push(played.placement.translation);
        self.seen.played.push(played);
        self.before = Some((soles, played));
        if self.feedback {
            self.place = played.placement.translation;
        }
        played
    }
}
