//! One body's gaze from frame to frame.
//!
//! What joints should turn is found anew in every frame, for the pose of that frame; nothing is added to what was turned
//! before. The state holds only what a blend needs: how far joints were turned when the shift began, and are now.

use glam::{Vec3, Vec3A};

use super::GazeOptions;
use super::anatomy::{Anatomy, MAX_TURNING};
use super::bearings::Bearings;
use super::chain::{Aim, Carried, Resolved, Stance};
use super::interest::{Subject, Target};
use super::recruit::{Recruited, Recruitment};
use super::timing::{Durations, progress};
use super::turn::{Turn, angle_between};
use crate::pose::Pose;

/// What a gaze is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nothing: the pose stays as it is.
    #[default]
    Idle,
    /// On its way to something.
    Shift,
    /// There, and following it.
    Hold,
    /// On its way back to where the pose looks.
    Return,
    /// Being given up quickly, because the body is no longer seen well enough.
    Fade,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// What the gaze is doing.
    pub phase: Phase,
    /// How far the eye that is further off looks past the target, radians; 0 without one.
    pub error: f32,
    /// False if there is something to look at, but it is out of view or cannot be reached. Tell
    /// [`Attention`](super::Attention::dismiss), and something else gets a chance.
    pub reachable: bool,
    /// Whether a shift to a target began in this step.
    pub started: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { phase: Phase::Idle, error: 0.0, reachable: true, started: false }
    }
}

/// Where one body looks, and how it gets there. Small, without memory of its own on the heap.
///
/// ```
/// use glam::Vec3;
/// use throng_motion::gaze::{Anatomy, Bearings, Gaze, GazeOptions, Phase, Subject, Target};
/// use throng_motion::{Human, Pose, Proportions};
///
/// let human = Human::new(Proportions::default())?;
/// let anatomy = Anatomy::of(human.skeleton())?;
/// let (mut gaze, options) = (Gaze::default(), GazeOptions::default());
/// let window = Target { subject: Subject::place(1), position: Vec3::new(3.0, 1.5, 1.0) };
/// gaze.look(Some(window));
/// for _ in 0..60 {
///     let mut pose = Pose::rest(human.skeleton()); // what the clip and the ground made
///     let look = gaze.step(&anatomy, &Bearings::default(), &mut pose, 1.0 / 60.0, &options);
///     assert!(look.reachable);
/// }
/// assert_eq!(gaze.phase(), Phase::Hold);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gaze {
    target: Option<Target>,
    doing: Doing,
    /// What was out of view or out of reach when last looked at.
    refused: Option<Subject>,
    /// Where the target was in the step before.
    seen: Vec3,
    recruited: Recruited,
    recruitment: Recruitment,
    durations: Durations,
    /// Seconds since the body's shift began, and the eyes'.
    elapsed: f32,
    eyes_elapsed: f32,
    from: [Turn; MAX_TURNING],
    shown: [Turn; MAX_TURNING],
    eyes_from: [Turn; 2],
    eyes_shown: [Turn; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Doing {
    #[default]
    Resting,
    Following(Subject),
    Returning,
    Fading,
}

/// Something that can be looked at, and how.
struct Goal {
    target: Target,
    /// In body space.
    point: Vec3A,
    /// Whether it was not looked at in the step before, or was elsewhere.
    begins: bool,
    recruited: Recruited,
    recruitment: Recruitment,
    resolved: Resolved,
}

impl Gaze {
    /// Says what to look at from now on; told in every frame if it moves. Without anything the gaze returns to where the
    /// pose looks.
    pub fn look(&mut self, target: Option<Target>) {
        self.target = target;
    }

    /// Gives up whatever is looked at within a moment: for bodies that are about to be drawn without turning heads.
    /// When [`Phase::Idle`] is reached, nothing is left of the gaze.
    pub fn fade(&mut self, options: &GazeOptions) {
        self.target = None;
        if !matches!(self.doing, Doing::Resting | Doing::Fading) {
            self.begin(Doing::Fading, Durations::alike(options.fade));
        }
    }

    /// What it is doing.
    pub fn phase(&self) -> Phase {
        match self.doing {
            Doing::Resting => Phase::Idle,
            Doing::Following(_) if self.elapsed < self.durations.longest() => Phase::Shift,
            Doing::Following(_) => Phase::Hold,
            Doing::Returning => Phase::Return,
            Doing::Fading => Phase::Fade,
        }
    }

    /// What is looked at; nothing on the way back.
    pub fn subject(&self) -> Option<Subject> {
        match self.doing {
            Doing::Following(subject) => Some(subject),
            _ => None,
        }
    }

    /// Which joints take part.
    pub fn recruited(&self) -> Recruited {
        self.recruited
    }

    /// How long the present shift takes.
    pub fn durations(&self) -> Durations {
        self.durations
    }

    /// How far the joints of [`Anatomy::turning`] are turned.
    pub fn turns(&self) -> &[Turn; MAX_TURNING] {
        &self.shown
    }

    /// How far both eyes are turned in the head, the left one first: what lids follow.
    pub fn eye_turns(&self) -> [Turn; 2] {
        self.eyes_shown
    }

    /// Turns the joints of a finished `pose` for the next `seconds`. A time that is none passes no time; targets that are
    /// nowhere, at the eyes or out of view are not looked at.
    ///
    /// # Panics
    ///
    /// If the pose is of another skeleton than the anatomy.
    pub fn step(
        &mut self,
        anatomy: &Anatomy,
        bearings: &Bearings,
        pose: &mut Pose,
        seconds: f32,
        options: &GazeOptions,
    ) -> Look {
        let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        if self.doing == Doing::Resting && self.target.is_none() {
            self.refused = None;
            return Look::default();
        }
        let stance = Stance::of(anatomy, pose);
        if !stance.is_finite() {
            return Look { phase: self.phase(), ..Look::default() };
        }
        let goal = self.goal(&stance, bearings, seconds, options);
        match &goal {
            Some(goal) => self.pursue(&stance, goal, options),
            None => self.give_up(&stance, options),
        }
        self.elapsed = (self.elapsed + seconds).min(LONG);
        self.eyes_elapsed = (self.eyes_elapsed + seconds).min(LONG);
        let error = self.show(&stance, goal.as_ref(), pose, options);
        let reachable = goal.is_some() || self.target.is_none();
        let started = goal.is_some_and(|goal| goal.begins);
        Look { phase: self.phase(), error, reachable, started }
    }

    /// What there is to look at, if it can be looked at; remembers if not.
    fn goal(
        &mut self,
        stance: &Stance,
        bearings: &Bearings,
        seconds: f32,
        options: &GazeOptions,
    ) -> Option<Goal> {
        let target = self.target?;
        let point = Vec3A::from(bearings.to_body(target.position));
        let goal = self.reach(target, point, stance, seconds, options);
        self.refused = goal.is_none().then_some(target.subject);
        goal
    }

    fn reach(
        &self,
        target: Target,
        point: Vec3A,
        stance: &Stance,
        seconds: f32,
        options: &GazeOptions,
    ) -> Option<Goal> {
        let follows = self.doing == Doing::Following(target.subject);
        let refused = self.refused == Some(target.subject);
        // What is looked at is let go a little later than it would be taken up, and taken up again a little later still.
        let slack = f32::from(i8::from(follows) - i8::from(refused)) * options.slack;
        let way = point - stance.eye;
        let distance = way.length();
        let angle = angle_between(stance.gaze.direction(), way);
        let steep = Turn::towards(way)?.pitch.abs();
        let in_view = angle <= 0.5 * options.view + slack && steep <= options.steepest + slack;
        if !in_view || stance.tilt() > options.steepest + slack {
            return None;
        }
        if !(NEAREST..FARTHEST).contains(&distance) {
            return None;
        }
        let moved = target.position.distance(self.seen);
        let begins = !follows || moved > options.jump + options.jump_speed * seconds;
        let recruited = options.recruited(angle, (!begins).then_some(self.recruited));
        let recruitment = if begins {
            Recruitment::of(recruited)
        } else {
            // The eyes are there already and stay: nothing hurries the rest.
            let mut recruitment = self.recruitment;
            recruitment.approach(recruited, seconds, options.join);
            recruitment
        };
        let resolved = stance.resolve(point, &recruitment);
        let goal = Goal { target, point, begins, recruited, recruitment, resolved };
        goal.resolved.reached.then_some(goal)
    }

    /// Goes on to look at `goal`, or begins to.
    fn pursue(&mut self, stance: &Stance, goal: &Goal, options: &GazeOptions) {
        if goal.begins {
            let way = goal.point - stance.eye;
            let angle = self.travel(stance, way, &goal.resolved.turns);
            self.begin(Doing::Following(goal.target.subject), options.durations(angle));
        }
        self.recruited = goal.recruited;
        self.recruitment = goal.recruitment;
        self.seen = goal.target.position;
    }

    /// Begins to return if something was looked at.
    fn give_up(&mut self, stance: &Stance, options: &GazeOptions) {
        if let Doing::Following(_) = self.doing {
            let ahead = stance.gaze.direction();
            let angle = self.travel(stance, ahead, &[Turn::NONE; MAX_TURNING]);
            self.begin(Doing::Returning, options.durations(angle));
        }
    }

    /// By how much a shift turns the gaze or, if that is more, the joints together: a gaze that was caught halfway may
    /// have its eyes where they should be, and its head not.
    fn travel(&self, stance: &Stance, way: Vec3A, turns: &[Turn; MAX_TURNING]) -> f32 {
        let mut gaze = stance.gaze + (self.eyes_shown[0] + self.eyes_shown[1]) * 0.5;
        let mut joints = 0.0;
        for (shown, turn) in self.shown.iter().zip(turns) {
            gaze += *shown;
            joints += (*turn - *shown).size();
        }
        angle_between(gaze.direction(), way).max(joints)
    }

    fn begin(&mut self, doing: Doing, durations: Durations) {
        self.doing = doing;
        self.durations = durations;
        (self.elapsed, self.eyes_elapsed) = (0.0, 0.0);
        (self.from, self.eyes_from) = (self.shown, self.eyes_shown);
    }

    /// Turns the joints as far as they are by now; how far the eyes are off.
    fn show(
        &mut self,
        stance: &Stance,
        goal: Option<&Goal>,
        pose: &mut Pose,
        options: &GazeOptions,
    ) -> f32 {
        if goal.is_none() && self.elapsed >= self.durations.longest() {
            let (target, refused) = (self.target, self.refused);
            *self = Self { target, refused, ..Self::default() };
            return 0.0;
        }
        let nothing = [Turn::NONE; MAX_TURNING];
        let turns = goal.map_or(&nothing, |goal| &goal.resolved.turns);
        for (slot, shown) in self.shown.iter_mut().enumerate() {
            let duration = self.durations.of(stance.segment(slot));
            let part = progress(options.ease, self.elapsed, duration);
            *shown = self.from[slot].lerp(turns[slot], part);
        }
        let carried = stance.turn(&self.shown, pose);
        self.show_eyes(stance, goal.map(|goal| goal.point), &carried, pose, options)
    }

    fn show_eyes(
        &mut self,
        stance: &Stance,
        point: Option<Vec3A>,
        carried: &Carried,
        pose: &mut Pose,
        options: &GazeOptions,
    ) -> f32 {
        let part = progress(options.ease, self.eyes_elapsed, self.durations.eyes);
        let aim = point.map_or(Aim::Ahead, Aim::Point);
        let (mut error, mut has_eyes) = (0f32, false);
        for eye in 0..2 {
            let Some(wanted) = stance.eye_turn(eye, carried, aim) else { continue };
            // Who is no longer seen well does not lead with the eyes.
            let wanted = if self.doing == Doing::Fading { Turn::NONE } else { wanted };
            let turn = stance.limited(eye, self.eyes_from[eye].lerp(wanted, part));
            stance.turn_eye(eye, turn, pose);
            self.eyes_shown[eye] = turn;
            error = error.max((wanted - turn).size());
            has_eyes = true;
        }
        match point {
            None => 0.0,
            Some(_) if has_eyes => error,
            Some(point) => stance.error_of_head(carried, point),
        }
    }
}

/// What is nearer to the eyes than this, or farther away, is nowhere, m.
const NEAREST: f32 = 0.1;
const FARTHEST: f32 = 1e6;
/// Times are not counted beyond this, s.
const LONG: f32 = 1e4;
