//! An animal that follows somebody, over any ground.
//!
//! What a [`Performer`](crate::mediator::Performer) is for people, an [`Ambler`] is for animals on
//! four legs. It plays no clips: clips have a speed, and their feet slide at any other. The root is
//! moved in the way of an animal; feet stand in the world and swing to where they will be
//! needed; the trunk is carried over them as it is in [`Steady`](super::Steady) and
//! [`Stand`](super::Stand), bent along the way. What comes of it, over level ground, is handed to a
//! carpet that lies where the world is ([`Character::on_world`]): what stands there stands on the
//! ground.

mod feet;
mod steering;

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use throng_base::frame::wrap_angle;
use throng_base::ground::Ground;

use self::feet::{Beat, Feet, bent};
use self::steering::{Limits, Steering};
use super::body::Quadruped;
use super::carriage::Carriage;
use super::gaits::{Gaits, Stepping};
use super::law::{Gait, Timing, speed_number};
use super::legs;
use super::stand::{PERIOD, Stand};
use crate::blend::blend;
use crate::carpet::{self, Character, Report};
use crate::contact::Paw;
use crate::gait::smoothstep;
use crate::mediator::{Command, somewhere};
use crate::pose::{ModelPose, Pose};
use crate::root::{RootMotion, yaw_of};

/// Longer steps are divided, so that feet are looked at often enough, in seconds.
const LONGEST_STEP: f32 = 0.045;
/// Whoever should be further away than this was put there, and appears there, in metres.
const JUMP: f32 = 6.0;
/// A walk becomes a trot above the first speed number, and a trot a walk below the second.
const TROTS: [f32; 2] = [0.66, 0.54];
/// A foot that is further than this from where it should stand does not, in metres.
const SHORT: f32 = 0.002;
/// How long it takes to change the gait, and to begin or end to stand, in seconds.
const CHANGE: f32 = 0.45;
const STANDING: f32 = 0.4;
/// The part of the speed it would like to have by which it steps at least.
const HASTE: f32 = 0.6;
/// How far the body comes down on level ground for a leg that does not reach, before its foot is lifted,
/// and how far it comes down at all, as parts of the hips' height.
const LOWEST: f32 = 0.13;
const DEEPEST: f32 = 0.4;
/// How fast it comes up again, in hips' heights per second.
const RISING: f32 = 0.12;
/// The part of what a leg did not reach by which the body comes down. If that is more than the next, in
/// metres, it is tried again at once, so many times.
const REACHING: f32 = 1.0;
const UNREACHED: f32 = 0.004;
const TRIES: usize = 2;

/// What an animal does, for lists and inspectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Where body space is: the abstract root on the ground, and where the body faces.
    pub placement: RootMotion,
    /// How the root moves, in m/s; level.
    pub velocity: Vec3,
    /// From where the root is to where it was wanted, in plan, in metres.
    pub deviation: f32,
    /// What it does: `stand`, `turn` (on the spot), `walk` or `trot`.
    pub gait: &'static str,
    /// Where in its cycle: the left hind foot strikes at 0.
    pub phase: f32,
    /// Which feet stand, in the order of [`Paw::ALL`](crate::Paw::ALL).
    pub feet: [bool; 4],
    /// What its carpet says of it.
    pub carpet: Report,
}

/// An animal over time: it stands, walks and trots after whoever leads it, and its feet do not skate.
///
/// Commands are those of a [`Performer`](crate::mediator::Performer). Animals do not lie down, whatever
/// they are told; they turn to where they should face, step by step, when they stand.
///
/// ```
/// use glam::Vec3;
/// use throng_base::ground::Level;
/// use throng_motion::mediator::Command;
/// use throng_motion::quadruped::{Ambler, Gaits, Quadruped};
/// use throng_motion::Pose;
///
/// let gaits = Gaits::new(&Quadruped::dog())?;
/// let mut dog = Ambler::new(Vec3::ZERO, 0.0);
/// let mut pose = Pose::default();
/// for frame in 1..=50 {
///     let velocity = 1.2 * Vec3::Z;
///     let command =
///         Command { velocity, place: 0.04 * frame as f32 * velocity, ..Command::default() };
///     let progress = dog.step(&gaits, &command, 0.04, &Level, &mut pose);
///     assert!(progress.deviation < 0.3);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ambler {
    steering: Steering,
    phase: f32,
    /// Where the ground was last, or is to be looked for.
    height: f32,
    /// Nothing before the first step.
    body: Option<Box<Body>>,
}

/// What there is of an animal once it has appeared.
#[derive(Clone, Debug)]
struct Body {
    feet: Feet,
    trots: bool,
    /// From 0 for a walk to 1 for a trot, and from 0 in motion to 1 for standing.
    trotting: f32,
    stood: f32,
    /// Where in the cycle of standing about.
    idling: f32,
    /// How far the body is lowered so that its legs reach, m.
    lowered: f32,
    flat: Pose,
    other: Pose,
    model: ModelPose,
    character: Character,
}

impl Ambler {
    /// An animal that stands at `place` and faces along `yaw`.
    pub fn new(place: Vec3, yaw: f32) -> Self {
        let place = somewhere(place).unwrap_or_default();
        let yaw = if yaw.is_finite() { wrap_angle(yaw) } else { 0.0 };
        Self { steering: Steering::new(place, yaw), phase: 0.0, height: place.y, body: None }
    }

    /// The same, beginning at another phase: animals that set out together are not in step.
    pub fn at_phase(mut self, phase: f32) -> Self {
        self.phase = if phase.is_finite() { phase.rem_euclid(1.0) } else { 0.0 };
        self
    }

    /// Where the root is.
    pub fn place(&self) -> Vec3 {
        self.steering.place.with_y(self.height)
    }

    /// Advances by `seconds` over `ground` and writes the pose, in body space: see
    /// [`Progress::placement`].
    ///
    /// What is not finite in a command is ignored; steps take no longer than a second.
    pub fn step(
        &mut self,
        gaits: &Gaits,
        command: &Command,
        seconds: f32,
        ground: &(impl Ground + ?Sized),
        pose: &mut Pose,
    ) -> Progress {
        let mut command = command.sensible(self.place());
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, 1.0) } else { 0.0 };
        let limits = Limits::of(gaits.animal(), gaits.fastest());
        let away = (command.place - self.steering.place).with_y(0.0).length();
        let goes_on = |body: &Body| away < JUMP && Arc::ptr_eq(body.character.rig(), gaits.rig());
        let mut body = match self.body.take().filter(|body| goes_on(body)) {
            Some(body) => body,
            None => self.appear(gaits, &limits, &command, seconds),
        };
        let parts = (seconds / LONGEST_STEP).ceil().max(1.0);
        let (from, to) = (command.place - seconds * command.velocity, command.place);
        for index in 0..parts as u32 {
            command.place = from.lerp(to, (index + 1) as f32 / parts);
            body.advance(&mut self.steering, gaits, &limits, &command, seconds / parts);
        }
        self.phase = body.feet.phase;
        body.show(&self.steering, gaits, seconds / parts, self.height);
        carpet::step(std::slice::from_mut(&mut body.character), ground, seconds);
        for _ in 0..TRIES {
            if body.character.report().unreached < UNREACHED {
                break;
            }
            body.show(&self.steering, gaits, 0.0, self.height);
            carpet::step(std::slice::from_mut(&mut body.character), ground, 0.0);
        }
        let at = Vec2::new(self.steering.place.x, self.steering.place.z);
        self.height = ground
            .at(at, self.height)
            .map(|surface| surface.height)
            .filter(|height| somewhere(at.extend(*height)).is_some())
            .unwrap_or(body.character.carpet().height());
        let placement = RootMotion { translation: self.place(), yaw: self.steering.yaw };
        body.character.pose_from(placement, pose);
        let progress = Progress {
            placement,
            velocity: self.steering.velocity(),
            deviation: (to - placement.translation).with_y(0.0).length(),
            gait: self.gait(&body, &limits),
            phase: self.phase,
            feet: body.standing(),
            carpet: *body.character.report(),
        };
        self.body = Some(body);
        progress
    }

    fn gait(&self, body: &Body, limits: &Limits) -> &'static str {
        let steering = &self.steering;
        let turns = steering.turn.abs() > 0.15 * limits.turning;
        match steering.standing {
            true => "stand",
            false if turns && steering.speed() < 0.06 * limits.unit => "turn",
            false if body.trots => Gait::Trot.name(),
            false => Gait::Walk.name(),
        }
    }

    /// Begins where it is wanted, already moving if that is what is wanted.
    fn appear(
        &mut self,
        gaits: &Gaits,
        limits: &Limits,
        command: &Command,
        seconds: f32,
    ) -> Box<Body> {
        let velocity = command.velocity.clamp_length_max(gaits.fastest());
        let moves = velocity.length() > 0.1;
        let yaw = match command.facing {
            _ if moves => yaw_of(velocity),
            Some(facing) => wrap_angle(facing),
            None => self.steering.yaw,
        };
        self.steering = Steering::new(command.place - seconds * velocity, yaw);
        self.height = command.place.y;
        self.steering.standing = !moves;
        self.steering.ahead = if moves { velocity.length() } else { 0.0 };
        let trots = speed_number(self.steering.ahead, gaits.animal().proportions().hip_height)
            > 0.5 * (TROTS[0] + TROTS[1]);
        let trotting = f32::from(u8::from(trots));
        let stood = f32::from(u8::from(!moves));
        let stepping = stepping(gaits, limits, &self.steering, trotting);
        let beat = Beat {
            animal: gaits.animal(),
            stepping: &stepping,
            steering: &self.steering,
            stood,
            seconds: 0.0,
        };
        let feet = Feet::new(beat, self.phase);
        let character = Character::on_world(gaits.rig().clone(), *gaits.carpet())
            .expect("gaits have checked their carpet");
        let idling = self.phase;
        Box::new(Body {
            feet,
            trots,
            trotting,
            stood,
            idling,
            lowered: 0.0,
            flat: gaits.rest().clone(),
            other: gaits.rest().clone(),
            model: ModelPose::default(),
            character,
        })
    }
}

impl Body {
    /// Moves root and feet.
    fn advance(
        &mut self,
        steering: &mut Steering,
        gaits: &Gaits,
        limits: &Limits,
        command: &Command,
        seconds: f32,
    ) {
        let stood_still = steering.standing;
        steering.advance(limits, command, seconds);
        let x = steering.speed() / limits.unit;
        self.trots = x > TROTS[usize::from(self.trots)];
        let towards = |now: f32, up: bool, duration: f32| {
            let on = seconds / duration;
            (now + if up { on } else { -on }).clamp(0.0, 1.0)
        };
        self.trotting = towards(self.trotting, self.trots, CHANGE);
        self.stood = towards(self.stood, steering.standing, STANDING);
        self.idling = (self.idling + seconds / PERIOD).rem_euclid(1.0);
        let stepping = stepping(gaits, limits, steering, self.trotting);
        let beat = self.beat(steering, gaits.animal(), &stepping, seconds);
        if stood_still && !steering.standing {
            self.feet.set_out(beat, self.idling < 0.5);
        }
        self.feet.advance(beat);
        // What it was lowered by is given back little by little.
        self.lowered -= RISING * gaits.animal().proportions().hip_height * seconds;
    }

    fn beat<'a>(
        &self,
        steering: &'a Steering,
        animal: &'a Quadruped,
        stepping: &'a Stepping,
        seconds: f32,
    ) -> Beat<'a> {
        Beat { animal, stepping, steering, stood: smoothstep(self.stood), seconds }
    }

    /// Which feet stand. One that hangs over the edge of a step is let go before it is lifted, and one whose leg does not
    /// reach the ground yet has not landed.
    fn standing(&self) -> [bool; 4] {
        let mut standing = self.feet.standing();
        let (rig, anchor) = (self.character.rig(), self.character.carpet().anchor());
        let feet = rig.feet().iter().zip(self.character.feet());
        for (stands, (foot, goal)) in standing.iter_mut().zip(feet) {
            let at = self.character.model().position(foot.end).as_dvec3() - anchor;
            let reaches = at.as_vec3().distance_squared(goal.joint) < SHORT * SHORT;
            *stands &= goal.contact >= 1.0 && reaches;
        }
        standing
    }

    /// Hands the body over level ground to its carpet.
    fn show(&mut self, steering: &Steering, gaits: &Gaits, seconds: f32, height: f32) {
        let animal = gaits.animal();
        let limits = Limits::of(animal, gaits.fastest());
        let stepping = stepping(gaits, &limits, steering, self.trotting);
        self.carry(gaits, &stepping);
        bend(animal, steering.curvature, &mut self.flat);
        self.model.pose(animal.skeleton(), &self.flat);
        let beat = self.beat(steering, animal, &stepping, seconds);
        let most = LOWEST * animal.proportions().hip_height;
        let mut needed: f32 = 0.0;
        let paws = Paw::ALL.map(|paw| {
            let at = self.feet.at(beat, paw);
            if at.progress >= 1.0 {
                return (paw, at);
            }
            let shortfall = legs::shortfall(animal, &self.model, paw, &at, stepping.folding);
            match shortfall.filter(|shortfall| *shortfall < most) {
                Some(shortfall) => {
                    self.feet.strain(paw, shortfall / most);
                    needed = needed.max(shortfall);
                    (paw, at)
                }
                // What cannot be held on to is let go.
                None => {
                    self.feet.lift(paw, &stepping);
                    (paw, self.feet.at(beat, paw))
                }
            }
        });
        // On uneven ground legs may have to reach further than on level ground: it is seen afterwards.
        self.lowered += REACHING * self.character.report().unreached;
        let deepest = DEEPEST * animal.proportions().hip_height;
        self.lowered = self.lowered.max(needed).clamp(0.0, deepest);
        self.flat.root.y -= self.lowered;
        for position in &mut self.model.positions {
            position.y -= self.lowered;
        }
        for (paw, at) in &paws {
            legs::place(animal, &self.model, *paw, at, stepping.folding, &mut self.flat);
        }
        let placement =
            RootMotion { translation: steering.place.with_y(height), yaw: steering.yaw };
        self.character.show(&self.flat, placement, &self.feet.bearing(&stepping));
    }

    /// Trunk, neck, head and tail: those of the gaits and of standing about, mixed.
    fn carry(&mut self, gaits: &Gaits, stepping: &Stepping) {
        let animal = gaits.animal();
        let phase = self.feet.phase;
        let ride = |gait: Gait, pose: &mut Pose| {
            pose.clone_from(gaits.rest());
            let x = speed_number(stepping.speed, animal.proportions().hip_height);
            let [least, most] = gait.speed_numbers();
            let x = x.clamp(least, most);
            let timing = Timing::of(gait, x, animal.breed().manner.hind_lead);
            Carriage::new(animal, gait, timing, x).carry(phase, pose);
        };
        let (trotting, stood) = (smoothstep(self.trotting), smoothstep(self.stood));
        match trotting {
            1.0.. => ride(Gait::Trot, &mut self.flat),
            part => {
                ride(Gait::Walk, &mut self.flat);
                if part > 0.0 {
                    ride(Gait::Trot, &mut self.other);
                    blend(&mut self.flat, &self.other, part);
                }
            }
        }
        self.flat.root.y -= stepping.lowering;
        if stood > 0.0 {
            self.other.clone_from(gaits.rest());
            Stand::default().carry(animal, self.idling, &mut self.other);
            blend(&mut self.flat, &self.other, stood);
        }
    }
}

/// How it steps: as fast as the body goes, or as its ends go about the middle. Who is about to be
/// faster takes quick short steps.
fn stepping(gaits: &Gaits, limits: &Limits, steering: &Steering, trotting: f32) -> Stepping {
    let about = 0.6 * limits.trunk * steering.turn;
    let speed = steering.speed().max(HASTE * steering.urge).hypot(about);
    match smoothstep(trotting) {
        0.0 => gaits.stepping(Gait::Walk, speed),
        1.0.. => gaits.stepping(Gait::Trot, speed),
        part => gaits.stepping(Gait::Walk, speed).lerp(&gaits.stepping(Gait::Trot, speed), part),
    }
}

/// Bends a body along its way: hips and withers are over their own parts of it, and the head looks
/// where it leads.
fn bend(animal: &Quadruped, curvature: f32, pose: &mut Pose) {
    /// How much further than the trunk the neck is bent.
    const LOOKING: f32 = 1.3;
    if curvature == 0.0 {
        return;
    }
    let mut turn = |joint: crate::JointId, angle: f32| {
        let rotation = &mut pose.rotations[joint.index()];
        *rotation = (Quat::from_rotation_y(angle) * *rotation).normalize();
    };
    let along = |joint: crate::JointId| animal.at(joint).z;
    let mut before = along(animal.pelvis());
    turn(animal.pelvis(), curvature * before);
    for joint in animal.spine() {
        turn(joint, curvature * (along(joint) - before));
        before = along(joint);
    }
    for joint in animal.neck() {
        turn(joint, LOOKING * curvature * (along(animal.head()) - before) / 2.0);
    }
    for joint in animal.tail() {
        turn(joint, -0.25 * curvature * animal.proportions().tail);
    }
    pose.root = bent(pose.root.into(), curvature).into();
}
