//! Somebody with a body.

use glam::{Quat, Vec2, Vec3, Vec3A};
use throng_base::Heading;
use throng_base::frame::{ground_to_world, world_to_ground};
use throng_base::ground::{Ground, Relief};
use throng_motion::carpet::{self, Character, Report, Resized};
use throng_motion::gaze::{Anatomy, Bearings, Gaze, Look};
use throng_motion::mediator::{
    Command, FootReport, Performance, Performer, PerformerOptions, Scratch,
};
use throng_motion::quadruped::{Ambler, Progress};
use throng_motion::{Pose, RootMotion, lean_spine};
use throng_world::Temperament;
use throng_world::scene::GroupId;

use super::cast::Cast;
use super::look::{AnimalLook, Look as BodyLook, PersonLook};
use super::looking::{Looking, Standpoint};
use super::sights::{Passer, PassersBy, Sights};
use super::target::MotionTarget;
use super::variety::{Descriptor, Nudge, Walker};

/// Ground that is level this far around somebody needs no carpet, m.
const LEVEL: f32 = 2.0;
/// Who is this far from where they were, or on ground that much higher, was put there, m.
const JUMP: f32 = 1.0;
/// Heights beyond this are nonsense, m.
const HIGHEST: f32 = 1e7;
/// Time constant with which bodies take up the slope of the ground, s.
const SLOPE_TIME_CONSTANT: f32 = 0.4;
/// The steepest slope that is heeded, rise per metre.
const STEEPEST: f32 = 2.0;
/// How far a torso leans ahead at most, rad.
const FURTHEST_LEAN: f32 = 0.2;
/// Nobody's root is higher above the ground they stand on, m.
const TALLEST: f32 = 3.0;

/// Somebody with a body.
#[derive(Clone, Debug)]
pub struct Member {
    /// Who.
    pub id: u32,
    /// Their group.
    pub group: GroupId,
    /// How they look.
    pub role: Descriptor,
    /// The pose, of their look's skeleton, in body space. Everything is larger by the role's scale.
    pub pose: Pose,
    mover: Mover,
    /// Height of the ground where body space is, m, and the height that was told for it last.
    height: f32,
    told: f32,
    planted: bool,
    /// Whether they step faster or slower than they would, to be out of step.
    pub(super) nudge: Nudge,
    looking: Option<Box<Looking>>,
}

/// What moves a body, all of it as of a body of the look's size.
#[derive(Clone, Debug)]
enum Mover {
    Person {
        performer: Box<Performer>,
        played: Performance,
        carpet: Option<Box<Character>>,
        /// Rise per metre of the ground along the way, over a stride.
        slope: f32,
    },
    Animal {
        ambler: Box<Ambler>,
        progress: Option<Progress>,
    },
}

/// What is worked with while somebody moves, and used again for the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    scratch: Scratch,
    flat: Pose,
}

/// What goes for everybody in a step.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub cast: &'a Cast,
    pub options: &'a PerformerOptions,
    /// What bodies stand on; level at the height of their targets without.
    pub ground: Option<&'a dyn Ground>,
    pub seconds: f32,
}

impl Member {
    pub(super) fn new(cast: &Cast, role: Descriptor, target: &MotionTarget) -> Self {
        let yaw = target
            .heading
            .or_else(|| Heading::along(target.velocity))
            .unwrap_or_default()
            .body_yaw();
        let place = ground_to_world(target.position, 0.0) / role.scale;
        let height = if target.height.abs() < HIGHEST { target.height } else { 0.0 };
        let look = &cast.looks()[role.look];
        let phase = target.phase.unwrap_or(role.phase);
        let mover = match look {
            BodyLook::Person(_) => {
                let performer = Box::new(Performer::new(place, yaw).at_phase(phase));
                let played = performer.beginning();
                Mover::Person { performer, played, carpet: None, slope: 0.0 }
            }
            BodyLook::Animal(_) => {
                let place = place.with_y(height / role.scale);
                let ambler = Box::new(Ambler::new(place, yaw).at_phase(phase));
                Mover::Animal { ambler, progress: None }
            }
        };
        Self {
            id: target.id,
            group: target.group,
            role,
            pose: Pose::rest(look.skeleton()),
            mover,
            height,
            told: height,
            planted: target.planted,
            nudge: Nudge::None,
            looking: None,
        }
    }

    pub(super) fn step(
        &mut self,
        moment: Moment,
        target: &MotionTarget,
        workspace: &mut Workspace,
    ) {
        let has_begun = match &self.mover {
            Mover::Person { performer, .. } => performer.has_begun(),
            Mover::Animal { progress, .. } => progress.is_some(),
        };
        if moment.seconds == 0.0 && has_begun {
            return;
        }
        self.planted = target.planted;
        let height = if target.height.abs() < HIGHEST { target.height } else { self.told };
        let target = &MotionTarget { height, ..*target };
        match &moment.cast.looks()[self.role.look] {
            BodyLook::Person(look) => self.step_person(look, moment, target, workspace),
            BodyLook::Animal(look) => self.step_animal(look, moment, target),
        }
        // Carpets are no cliffs, and whoever says where people are may know another ground: body space is where the body is.
        let off = self.pose.root.y.clamp(0.0, TALLEST) - self.pose.root.y;
        self.pose.root.y += off;
        self.height -= off * self.role.scale;
    }

    /// Plays clips over level ground, and lets a carpet take what comes of it to the ground that is there.
    fn step_person(
        &mut self,
        look: &PersonLook,
        moment: Moment,
        target: &MotionTarget,
        workspace: &mut Workspace,
    ) {
        let command = self.command(target, 0.0);
        let before = self.placement();
        let Mover::Person { performer, played, carpet, slope } = &mut self.mover else { return };
        let Moment { options, seconds, .. } = moment;
        let Workspace { scratch, flat } = workspace;
        // Who is smaller steps faster at the same speed anyway, and sways faster.
        let own = if performer.is_standing() { 1.0 / self.role.scale } else { 1.0 };
        performer.set_cadence(own * self.nudge.factor());
        performer.set_step_length(step_length(*slope));
        flat.rotations.resize(self.pose.rotations.len(), Quat::IDENTITY);
        *played = if target.planted {
            performer.step(&look.repertoire, &command, seconds, options, flat, scratch)
        } else {
            performer.step_plainly(&look.repertoire, &command, seconds, options, flat, scratch)
        };
        let scale = self.role.scale;
        let place = (played.placement.translation * scale).with_y(target.height);
        let jumped = Vec2::new(place.x - before.translation.x, place.z - before.translation.z);
        if jumped.length() > JUMP || (target.height - self.told).abs() > JUMP {
            *carpet = None;
        }
        (self.height, self.told) = (target.height, target.height);
        let uneven = moment.ground.filter(|ground| {
            ground.level(Vec2::new(place.x, place.z), LEVEL, target.height).is_none()
        });
        let found = uneven.map_or(0.0, |ground| slope_along(ground, place, played.velocity));
        *slope += (1.0 - (-seconds / SLOPE_TIME_CONSTANT).exp()) * (found - *slope);
        let bend = leaning(*slope) + self.role.posture;
        if bend.abs() > 1e-3 {
            lean_spine(flat, look.human.skeleton(), bend);
        }
        let Some(ground) = uneven else {
            *carpet = None;
            std::mem::swap(&mut self.pose, flat);
            return;
        };
        let character = carpet.get_or_insert_with(|| Box::new(look.carpet.clone()));
        let RootMotion { translation, yaw } = played.placement;
        let placement = RootMotion { translation: translation.with_y(target.height / scale), yaw };
        let contacts = played.feet.map(|foot| Some(bearing(&foot)));
        character.show(flat, placement, &contacts);
        carpet::step(std::slice::from_mut(&mut **character), &Resized { ground, scale }, seconds);
        character.pose_from(placement, &mut self.pose);
    }

    fn step_animal(&mut self, look: &AnimalLook, moment: Moment, target: &MotionTarget) {
        let command = self.command(target, target.height);
        let scale = self.role.scale;
        let Mover::Animal { ambler, progress } = &mut self.mover else { return };
        let level = Relief(|_| target.height);
        let ground = Resized { ground: moment.ground.unwrap_or(&level), scale };
        let made = ambler.step(&look.gaits, &command, moment.seconds, &ground, &mut self.pose);
        self.height = made.placement.translation.y * scale;
        *progress = Some(made);
    }

    /// What is asked of a body of the look's size.
    fn command(&self, target: &MotionTarget, height: f32) -> Command {
        let size = 1.0 / self.role.scale;
        Command {
            velocity: ground_to_world(target.velocity, 0.0) * size,
            place: ground_to_world(target.position, height) * size,
            facing: target.heading.map(Heading::body_yaw),
            lying: target.lying,
        }
    }

    /// Where body space is in the world.
    pub fn placement(&self) -> RootMotion {
        let RootMotion { translation, yaw } = match &self.mover {
            Mover::Person { played, .. } => played.placement,
            Mover::Animal { ambler, progress } => progress.map_or_else(
                || RootMotion { translation: ambler.place(), yaw: 0.0 },
                |progress| progress.placement,
            ),
        };
        RootMotion { translation: (translation * self.role.scale).with_y(self.height), yaw }
    }

    /// Where they are on the ground: what a simulator should take over.
    pub fn position(&self) -> Vec2 {
        world_to_ground(self.placement().translation).0
    }

    /// The mean velocity of what they play, m/s.
    pub fn velocity(&self) -> Vec2 {
        let velocity = match &self.mover {
            Mover::Person { played, .. } => played.velocity,
            Mover::Animal { progress, .. } => {
                progress.map_or(Vec3::ZERO, |progress| progress.velocity)
            }
        };
        world_to_ground(velocity * self.role.scale).0
    }

    /// Where their torso faces.
    pub fn heading(&self) -> Heading {
        let facing = match &self.mover {
            Mover::Person { played, .. } => played.facing,
            Mover::Animal { .. } => self.placement().yaw,
        };
        let facing = Quat::from_rotation_y(facing) * Vec3::Z;
        Heading::along(world_to_ground(facing).0).unwrap_or_default()
    }

    /// Is like that from now on; `false` if they were so before.
    pub(super) fn take_after(&mut self, temperament: Temperament) -> bool {
        if self.role.temperament == temperament {
            return false;
        }
        self.role.temperament = temperament;
        if let Some(looking) = &mut self.looking {
            looking.take_after(temperament);
        }
        true
    }

    /// Looks around for some seconds, or ahead if there is nothing around: the pose is turned to what they look at.
    pub(super) fn look_around(
        &mut self,
        (anatomy, seed): (&Anatomy, u64),
        around: Option<(&Sights, &PassersBy)>,
        seconds: f32,
    ) {
        // Who looks ahead anyway has nothing to do.
        if around.is_none() && self.looking.as_ref().is_none_or(|looking| looking.is_at_rest()) {
            return;
        }
        let standpoint = Standpoint {
            bearings: Bearings { placement: self.placement(), scale: self.role.scale },
            velocity: ground_to_world(self.velocity(), 0.0),
        };
        let (person, temperament) = (self.id, self.role.temperament);
        let looking =
            self.looking.get_or_insert_with(|| Box::new(Looking::new(seed, person, temperament)));
        let pose = &mut self.pose;
        match around {
            Some(around) => looking.step(person, anatomy, &standpoint, around, pose, seconds),
            None => looking.look_ahead(anatomy, &standpoint.bearings, pose, seconds),
        }
    }

    /// Where they look, and with what: for faces and lids. Nothing if they never looked around.
    pub fn gaze(&self) -> Option<&Gaze> {
        self.looking.as_ref().map(|looking| looking.gaze())
    }

    /// How well they look at what they look at.
    pub fn look(&self) -> Option<&Look> {
        self.looking.as_ref().map(|looking| looking.look())
    }

    /// How far they are from where they should be, m.
    pub fn deviation(&self) -> f32 {
        let deviation = match &self.mover {
            Mover::Person { played, .. } => played.deviation,
            Mover::Animal { progress, .. } => progress.map_or(0.0, |progress| progress.deviation),
        };
        deviation * self.role.scale
    }

    /// What a person plays, as of a body of the look's size.
    pub fn played(&self) -> Option<&Performance> {
        match &self.mover {
            Mover::Person { played, .. } => Some(played),
            Mover::Animal { .. } => None,
        }
    }

    /// The person as others see them.
    pub(super) fn passer(&self) -> Passer {
        Passer {
            id: self.id,
            group: self.group,
            place: self.placement().translation,
            velocity: ground_to_world(self.velocity(), 0.0),
        }
    }

    /// The steps of a person as others see them. Animals are in step with nobody.
    pub(super) fn walker(&self, cast: &Cast) -> Walker {
        let place = self.placement().translation;
        let (Some(played), BodyLook::Person(look)) = (self.played(), &cast.looks()[self.role.look])
        else {
            return Walker { place: Vec3::NAN, ..Walker::default() };
        };
        let period =
            look.repertoire.parts().get(played.part).map_or(1.0, |part| part.clip.period());
        Walker {
            place,
            clip: Walker::clip(cast.library().body(self.role.look), played.part),
            phase: played.phase,
            rate: played.pace / (self.nudge.factor() * period.max(1e-3)),
            nudge: self.nudge,
        }
    }

    /// What an animal does, as of a body of the look's size.
    pub fn progress(&self) -> Option<&Progress> {
        match &self.mover {
            Mover::Animal { progress, .. } => progress.as_ref(),
            Mover::Person { .. } => None,
        }
    }

    /// How they stand on uneven ground; nothing where it is level.
    pub fn on_carpet(&self) -> Option<&Report> {
        match &self.mover {
            Mover::Person { carpet, .. } => carpet.as_ref().map(|carpet| carpet.report()),
            Mover::Animal { progress, .. } => progress.as_ref().map(|progress| &progress.carpet),
        }
    }

    /// Whether a foot that should stand does: one that hangs over the edge of a step, or is out of reach, is let go before it
    /// is lifted.
    pub fn bears(&self, foot: usize) -> bool {
        match &self.mover {
            Mover::Person { carpet: Some(carpet), .. } => {
                carpet.feet().get(foot).is_none_or(|goal| goal.contact >= 1.0)
            }
            _ => true,
        }
    }

    /// How far the foot of a person has moved since the frame before, m, before the ground was looked at; nothing if
    /// it does not stand.
    pub fn slip(&self, foot: usize) -> Option<f32> {
        let report = self.played()?.feet.get(foot)?;
        report.contact.map(|_| report.slip * self.role.scale)
    }

    /// Whether the body was pulled after the simulator because it was too far from its position.
    pub fn is_pulled(&self) -> bool {
        self.played().is_some_and(|played| played.pulled > 1e-4)
    }

    /// Whether their feet stand where they stand.
    pub fn is_planted(&self) -> bool {
        self.planted
    }

    /// The pose in the world, at their size.
    pub fn world_pose(&self) -> Pose {
        let mut pose = self.pose.clone();
        pose.root *= self.role.scale;
        let RootMotion { translation, yaw } = self.placement();
        pose.place((Quat::from_rotation_y(yaw), Vec3A::from(translation)));
        pose
    }
}

/// How much a foot bears, from 0 in the air to 1: ground is looked for before a foot lands, and left with it.
fn bearing(foot: &FootReport) -> f32 {
    /// From which part of its way a foot looks for ground, and until which it comes from there.
    const LANDING: f32 = 0.65;
    const LEAVING: f32 = 0.17;
    /// What only bears as good as all.
    const ALMOST: f32 = 0.99;
    if foot.contact.is_some() {
        return 1.0;
    }
    let landing = (foot.swing - LANDING) / (1.0 - LANDING);
    let leaving = 1.0 - foot.swing / LEAVING;
    landing.max(leaving).clamp(0.0, ALMOST)
}

/// Length over which slopes are measured, m.
const STRIDE: f32 = 0.8;

/// Speed below which slopes count less, m/s.
const SLOW: f32 = 0.5;

/// Slope (rise per metre) of the ground at `place` in the direction of `velocity`, over the length of a stride. It is
/// scaled down linearly with the speed below [`SLOW`].
fn slope_along(ground: &dyn Ground, place: Vec3, velocity: Vec3) -> f32 {
    let way = Vec2::new(velocity.x, velocity.z);
    let along = 0.5 * STRIDE * way.normalize_or_zero();
    let at = |place: Vec2, hint: f32| ground.at(place, hint).map(|surface| surface.height);
    let here = Vec2::new(place.x, place.z);
    let Some(height) = at(here, place.y) else { return 0.0 };
    let (Some(behind), Some(ahead)) = (at(here - along, height), at(here + along, height)) else {
        return 0.0;
    };
    let slope = (ahead - behind) / STRIDE * (way.length() / SLOW).min(1.0);
    if slope.is_finite() { slope.clamp(-STEEPEST, STEEPEST) } else { 0.0 }
}

/// How far a torso leans ahead on a slope, rad: half of it on the way up, less on the way down.
fn leaning(slope: f32) -> f32 {
    let angle = slope.atan();
    if angle > 0.0 { (0.5 * angle).min(FURTHEST_LEAN) } else { (0.2 * angle).max(-0.07) }
}

/// Length of steps on a slope as a part of that on level ground. The hind leg on the way up and the front leg on the way
/// down span the height of a step as well: with longer steps they do not reach, or the hips come down far.
fn step_length(slope: f32) -> f32 {
    const SHORTER: f32 = 3.0;
    (1.0 + SHORTER * slope * slope).recip()
}
