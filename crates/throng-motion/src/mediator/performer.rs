//! Somebody's body over time.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use throng_world::frame::wrap_angle;

use super::fade::Fade;
use super::feet::{FootState, Frame, Label, Stance, anchored_root};
use super::legs::{FootPlace, SolePoint};
use super::repertoire::{Part, Repertoire};
use super::selector::{Reluctance, Selector};
use super::torso::Torso;
use crate::blend::twist_spine;
use crate::clip::ClipKind;
use crate::contact::Side;
use crate::gait::smoothstep;
use crate::pose::{ModelPose, Pose};
use crate::root::{RootMotion, yaw_of};

/// Longer steps are divided, so that feet are looked at often enough, in seconds.
const LONGEST_STEP: f32 = 0.045;
/// The part of a contact over which a foot takes up the weight, and over which it gives it away.
const LOADING: f32 = 0.18;
/// How fast the weight can go from one foot to the other, per second.
const LOADING_RATE: f32 = 16.0;
/// How soon the root is where it should be, as far as legs allow, in seconds.
const LEANING: f32 = 0.08;
/// How soon the body is turned to where it should be, in seconds.
const TURNING: f32 = 0.06;
/// How fast a foot turns along that carries the body, in radians per second.
const PIVOTING: f32 = PI / 3.0;
/// How fast a body in the air turns at most, in radians per second.
const TURN_IN_AIR: f32 = PI / 3.0;
/// Who stands and faces elsewhere by more than this turns on the spot, in radians.
const TURN_FROM: f32 = 0.5;
/// Until they face there to within this.
const TURN_UNTIL: f32 = 0.08;
/// Who stands with a foot this far from where it should be steps, in metres.
const STEP_FROM: f32 = 0.14;
/// Or with one that is turned by this much, in radians.
const STEP_TWIST: f32 = 0.45;
/// Whoever is this far ahead of where they should be does not go on, in metres.
const WAIT_FROM: f32 = 0.1;
/// How long somebody stands or moves at least, in seconds.
const MODE_DWELL: f32 = 0.25;
/// Fades to and from standing take longer than others.
const STANDING_FADE: f32 = 1.4;
/// The lowest that hips are lowered for legs that are too short, in metres.
const LARGEST_DROP: f32 = 0.06;
/// How fast lowered hips come up again, in m/s.
const RISE: f32 = 0.12;
/// How fast a spine is twisted, in radians per second.
const TWISTING: f32 = PI;

/// Whoever is told to be faster, in m/s, or further away, in metres, is told nonsense.
const FASTEST: f32 = 1000.0;
const FURTHEST: f32 = 1e7;

/// How a performer plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerformerOptions {
    /// How reluctantly the torso follows the way (`ω_o`); see [`Torso`].
    pub inertia: f32,
    /// How reluctantly clips are changed.
    pub reluctance: Reluctance,
    /// How long it takes to get from one clip to the next, in seconds (`T_b`).
    pub fade: f32,
    /// Who is slower stands, in m/s (`v_idle`).
    pub idle: f32,
    /// The furthest that a spine is twisted, in radians (`ψ_max`).
    pub twist: f32,
    /// How fast a body turns at most, in radians per second.
    pub turn_rate: f32,
    /// How far the root may be from where the standing foot alone would put it, in metres; the legs make up
    /// for it. With 0 the foot alone decides, as published.
    pub lean: f32,
    /// How fast a deviation from the simulator's place is made good, per second. With 0 the body does not
    /// mind where it should be.
    pub pursuit: f32,
    /// How soon a change of velocity is taken up, in seconds.
    pub response: f32,
    /// The deviation that is tolerated, in metres (`e_max`). Beyond it feet slip.
    pub tolerance: f32,
    /// Who is further away than this was put there, and appears there, in metres.
    pub jump: f32,
}

impl Default for PerformerOptions {
    fn default() -> Self {
        Self {
            inertia: Torso::INERTIA,
            reluctance: Reluctance::default(),
            fade: 0.25,
            idle: 0.05,
            twist: 45f32.to_radians(),
            turn_rate: 240f32.to_radians(),
            lean: 0.06,
            pursuit: 2.5,
            response: 0.08,
            tolerance: 0.5,
            jump: 1.0,
        }
    }
}

/// What a simulator wants of somebody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command {
    /// How they should move, in the world, in m/s; what is not level is ignored.
    pub velocity: Vec3,
    /// Where their root should be, in the world. Its height is that of the ground.
    pub place: Vec3,
    /// Where they should face when they stand, as a yaw; they keep facing where they do without.
    pub facing: Option<f32>,
}

/// What somebody plays, for lists and inspectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Performance {
    /// Where body space is: what a simulator should take over (`p'`), and the body's yaw.
    pub placement: RootMotion,
    /// The mean velocity of what is played, in the world (`v'`): without the sway of a gait.
    pub velocity: Vec3,
    /// Where the torso faces, as a yaw (`θ'`): what the spine can do of what was wanted.
    pub facing: f32,
    /// How far the spine is twisted to the left (`ψ`).
    pub twist: f32,
    /// Which of the [parts](Repertoire::parts) is played.
    pub part: usize,
    /// Where in its cycle.
    pub phase: f32,
    /// How fast, compared with the clip.
    pub pace: f32,
    /// From where the root is to where the simulator wants it, in metres (`e`).
    pub deviation: f32,
    /// How far feet were dragged along because the deviation was too large, in metres.
    pub dragged: f32,
    /// The feet, left and right.
    pub feet: [FootReport; 2],
}

/// A foot in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootReport {
    /// The point that stands and where in the world, if the foot is on the ground.
    pub contact: Option<(SolePoint, Vec3)>,
    /// How far that point has moved since the frame before, in metres.
    pub slip: f32,
    /// How far the foot has turned where it stands, in radians.
    pub pivot: f32,
}

/// What is worked with while somebody performs, and used again for the next.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    model: ModelPose,
    other: Pose,
}

/// Somebody's body: what it plays, where its feet stand, where it is.
///
/// Each step takes what the simulator wants and gives a pose in which feet that stand do not move: the root
/// follows from them. What comes of it is where the person really is, and the simulator should take that
/// over.
///
/// ```
/// use glam::Vec3;
/// use throng_motion::gait::{Library, Style};
/// use throng_motion::mediator::{Command, Performer, PerformerOptions, Repertoire, Scratch};
/// use throng_motion::{Human, Pose, Proportions};
///
/// let human = Human::new(Proportions::default())?;
/// let library = Library::new(&human, Style::default())?;
/// let repertoire = Repertoire::new(library.clips(), Default::default())?;
///
/// let mut performer = Performer::new(Vec3::ZERO, 0.0);
/// let (mut pose, mut scratch) = (Pose::rest(human.skeleton()), Scratch::default());
/// let options = PerformerOptions::default();
/// let mut place = Vec3::ZERO;
/// for _ in 0..50 {
///     let velocity = 1.3 * Vec3::Z;
///     let command = Command { velocity, place: place + 0.04 * velocity, facing: None };
///     let played = performer.step(&repertoire, &command, 0.04, &options, &mut pose, &mut scratch);
///     assert!(played.feet.iter().all(|foot| foot.slip < 0.001));
///     place = played.placement.translation;
/// }
/// assert!(place.z > 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Performer {
    torso: Torso,
    selector: Selector,
    /// The part that is played, and where.
    part: Option<usize>,
    phase: f32,
    fade: Fade,
    running: bool,
    standing: bool,
    /// How long it has been so, in seconds.
    since: f32,
    /// Whether it turns on the spot.
    turning: bool,
    velocity: Vec3,
    goal: Vec3,
    place: Vec3,
    yaw: f32,
    /// How fast the body turns, in radians per second.
    turn: f32,
    twist: f32,
    drop: f32,
    feet: [FootState; 2],
}

impl Performer {
    /// Somebody who stands at `place` and faces along `yaw`.
    pub fn new(place: Vec3, yaw: f32) -> Self {
        let somewhere = place.abs().max_element() < FURTHEST;
        let place = if somewhere { place } else { Vec3::ZERO };
        let yaw = if yaw.is_finite() { wrap_angle(yaw) } else { 0.0 };
        Self {
            torso: Torso::facing(Quat::from_rotation_y(yaw) * Vec3::Z),
            selector: Selector::default(),
            part: None,
            phase: 0.0,
            fade: Fade::default(),
            running: false,
            standing: true,
            since: MODE_DWELL,
            turning: false,
            velocity: Vec3::ZERO,
            goal: place,
            place,
            yaw,
            turn: 0.0,
            twist: 0.0,
            drop: 0.0,
            feet: [FootState::default(); 2],
        }
    }

    /// The same, beginning at another phase of whatever is played first: people who set out together are not
    /// in step.
    pub fn at_phase(mut self, phase: f32) -> Self {
        self.phase = if phase.is_finite() { phase.rem_euclid(1.0) } else { 0.0 };
        self
    }

    /// What is to be seen before the first step: nothing is played yet.
    pub fn beginning(&self) -> Performance {
        Performance {
            placement: RootMotion { translation: self.place, yaw: self.yaw },
            velocity: Vec3::ZERO,
            facing: self.yaw,
            twist: 0.0,
            part: 0,
            phase: self.phase,
            pace: 0.0,
            deviation: 0.0,
            dragged: 0.0,
            feet: [FootReport::default(); 2],
        }
    }

    /// Where the root is.
    pub fn place(&self) -> Vec3 {
        self.place
    }

    /// Advances by `seconds` and writes the pose, in body space: see [`Performance::placement`].
    pub fn step(
        &mut self,
        repertoire: &Repertoire,
        command: &Command,
        seconds: f32,
        options: &PerformerOptions,
        pose: &mut Pose,
        scratch: &mut Scratch,
    ) -> Performance {
        let mut command = self.sensible(command);
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, 1.0) } else { 0.0 };
        if self.part.is_none() {
            self.appear(&command, seconds);
        } else if level(command.place - self.place).length() > options.jump {
            self.jump(&command);
        }
        let parts = (seconds / LONGEST_STEP).ceil().max(1.0);
        // Where the simulator has them now, whatever it was told before.
        let (from, to) = (command.place - seconds * command.velocity, command.place);
        self.goal = from;
        let mut slips = [(0.0, 0.0); 2];
        let mut performance = None;
        for index in 0..parts as u32 {
            command.place = from.lerp(to, (index + 1) as f32 / parts);
            let played =
                self.advance(repertoire, &command, seconds / parts, options, pose, scratch);
            for (sum, foot) in slips.iter_mut().zip(&played.feet) {
                *sum = (sum.0 + foot.slip, sum.1 + foot.pivot);
            }
            performance = Some(played);
        }
        let mut performance = performance.expect("there is at least one part");
        for (foot, (slip, pivot)) in performance.feet.iter_mut().zip(slips) {
            (foot.slip, foot.pivot) = (slip, pivot);
        }
        performance
    }

    /// Advances by `seconds` without looking at feet: the root is where the simulator has it, and the clip
    /// is played at the pace that its speed asks for. It is what people far away get, for a third of the cost:
    /// their feet skate. Whoever comes nearer again is taken up with [`Self::step`] where they are.
    pub fn step_plainly(
        &mut self,
        repertoire: &Repertoire,
        command: &Command,
        seconds: f32,
        options: &PerformerOptions,
        pose: &mut Pose,
        scratch: &mut Scratch,
    ) -> Performance {
        let command = self.sensible(command);
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, 1.0) } else { 0.0 };
        if self.part.is_none() {
            self.appear(&command, seconds);
        }
        (self.place, self.goal) = (command.place, command.place);
        self.feet.iter_mut().for_each(FootState::reset);
        self.drop = 0.0;
        let wanted = self.wish(&command, seconds, options);
        self.follow_with_torso(&command, wanted, seconds, options);
        let (part, pace) = self.choose(repertoire, wanted, seconds, options);
        self.change_to(repertoire, part, seconds, options, scratch);
        let played = &repertoire.parts()[part];
        let moved = self.play(played, pace, seconds);
        played.clip.sample(self.phase, pose);
        self.fade.apply(pose);
        self.turn_body(played, wanted, moved, seconds, options);
        self.twist_torso(repertoire, seconds, options, pose);
        self.performance(played, (part, pace), 0.0)
    }

    /// What can be done of a command.
    fn sensible(&self, command: &Command) -> Command {
        let velocity = level(command.velocity);
        let somewhere = command.place.abs().max_element() < FURTHEST;
        Command {
            velocity: if velocity.is_finite() {
                velocity.clamp_length_max(FASTEST)
            } else {
                Vec3::ZERO
            },
            place: if somewhere { command.place } else { self.goal },
            facing: command.facing.filter(|facing| facing.is_finite()),
        }
    }

    /// Begins, already moving if that is what is wanted.
    fn appear(&mut self, command: &Command, seconds: f32) {
        self.place = command.place - seconds * command.velocity;
        self.goal = self.place;
        self.velocity = command.velocity;
        if let Some(direction) = command.velocity.try_normalize() {
            self.torso = Torso::facing(direction);
            self.yaw = self.torso.yaw();
        } else if let Some(facing) = command.facing {
            self.torso = Torso::facing(Quat::from_rotation_y(facing) * Vec3::Z);
            self.yaw = facing;
        }
    }

    /// Somebody was put elsewhere: they go on there with what they were doing.
    fn jump(&mut self, command: &Command) {
        (self.place, self.goal) = (command.place, command.place);
        self.velocity = command.velocity;
        self.fade.end();
        self.feet.iter_mut().for_each(FootState::reset);
    }

    fn advance(
        &mut self,
        repertoire: &Repertoire,
        command: &Command,
        seconds: f32,
        options: &PerformerOptions,
        pose: &mut Pose,
        scratch: &mut Scratch,
    ) -> Performance {
        let wanted = self.wish(command, seconds, options);
        self.goal = command.place;
        self.place.y = command.place.y;
        self.follow_with_torso(command, wanted, seconds, options);
        let (part, pace) = self.choose(repertoire, wanted, seconds, options);
        self.change_to(repertoire, part, seconds, options, scratch);
        let played = &repertoire.parts()[part];
        let moved = self.play(played, pace, seconds);
        played.clip.sample(self.phase, pose);
        self.fade.apply(pose);
        self.turn_body(played, wanted, moved, seconds, options);

        let legs = &repertoire.legs;
        legs.find(repertoire.skeleton(), pose, &mut scratch.model);
        let feet = Side::BOTH.map(|side| legs.foot(side, &scratch.model));
        let labels = Side::BOTH.map(|side| label(played, side, self.phase));
        self.move_root(&feet, labels, moved, seconds, options);
        let dragged = self.keep_near(options);
        self.plant(repertoire, &feet, labels, seconds, pose, scratch);
        self.twist_torso(repertoire, seconds, options, pose);
        self.performance(played, (part, pace), dragged)
    }

    fn performance(&self, played: &Part, (part, pace): (usize, f32), dragged: f32) -> Performance {
        let mean = Quat::from_rotation_y(self.yaw + played.angle) * Vec3::Z * (pace * played.speed);
        Performance {
            placement: RootMotion { translation: self.place, yaw: self.yaw },
            velocity: if self.standing { Vec3::ZERO } else { mean },
            facing: wrap_angle(self.yaw + self.twist),
            twist: self.twist,
            part,
            phase: self.phase,
            pace,
            deviation: level(self.goal - self.place).length(),
            dragged,
            feet: self.feet.map(|foot| FootReport {
                contact: foot.contact(),
                slip: foot.slip,
                pivot: foot.pivot,
            }),
        }
    }

    /// The velocity that the body should have: that of the simulator, and what it takes to catch up.
    fn wish(&mut self, command: &Command, seconds: f32, options: &PerformerOptions) -> Vec3 {
        let share = 1.0 - (-seconds / options.response.max(1e-3)).exp();
        self.velocity += share * (command.velocity - self.velocity);
        // How far behind it was before anybody moved.
        let behind = level(self.goal - self.place);
        // Who stands shifts their weight before they take a step.
        let ignored = if self.standing { 2.0 * options.lean } else { 0.0 };
        let distance = behind.length();
        let due = (options.pursuit * (distance - ignored).max(0.0)).min(0.6);
        // Who is ahead of where they should be has been held up, and waits.
        let ahead = -behind.dot(self.velocity.normalize_or_zero());
        let held = if options.pursuit > 0.0 {
            ((ahead - 0.2 * WAIT_FROM) / (0.8 * WAIT_FROM)).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let wanted = self.velocity * (1.0 - held) + behind * (due / distance.max(1e-6));
        self.since += seconds;
        let limit = if self.standing { 2.0 * options.idle } else { options.idle };
        let stands = wanted.length() < limit;
        if stands != self.standing && self.since >= MODE_DWELL {
            (self.standing, self.since) = (stands, 0.0);
        }
        wanted
    }

    fn follow_with_torso(
        &mut self,
        command: &Command,
        wanted: Vec3,
        seconds: f32,
        options: &PerformerOptions,
    ) {
        match command.facing {
            Some(facing) if self.standing => {
                let ahead = Quat::from_rotation_y(facing) * Vec3::Z;
                self.torso.follow(1.3 * ahead, seconds, options.inertia);
            }
            _ if self.standing => {}
            _ => self.torso.follow(wanted, seconds, options.inertia),
        }
    }

    /// Which part to play, and how fast.
    fn choose(
        &mut self,
        repertoire: &Repertoire,
        wanted: Vec3,
        seconds: f32,
        options: &PerformerOptions,
    ) -> (usize, f32) {
        let speed = wanted.length();
        let froude = repertoire.froude(speed);
        self.running = froude > if self.running { 0.4 } else { 0.5 };
        let sectors = if self.running { repertoire.walks_and_runs() } else { repertoire.walks() };
        if self.standing
            && let Some(stand) = repertoire.stand()
        {
            return self.stand(repertoire, stand);
        }
        let direction = wrap_angle(yaw_of(wanted) - self.torso.yaw());
        let reluctance = &options.reluctance;
        let selected = self.selector.select(sectors, speed, direction, seconds, reluctance);
        let part = repertoire.part_of(&selected.choice);
        let flight = &repertoire.parts()[part].flight;
        let pace = if self.standing { 0.0 } else { flight.pace(speed).clamp(0.0, 1.0) };
        (part, pace)
    }

    /// Standing, or turning on the spot.
    fn stand(&mut self, repertoire: &Repertoire, stand: usize) -> (usize, f32) {
        let off = wrap_angle(self.torso.yaw() - self.yaw);
        let limit = if self.turning { TURN_UNTIL } else { TURN_FROM };
        let side = if off > 0.0 { Side::Left } else { Side::Right };
        self.turning = off.abs() > limit;
        match repertoire.turn(side).filter(|_| self.turning) {
            // Slower towards the end, so that nobody turns too far.
            Some(turn) => (turn, (2.0 * off.abs()).clamp(0.4, 1.4)),
            None => (stand, 1.0),
        }
    }

    /// Begins a fade if another part is to be played.
    fn change_to(
        &mut self,
        repertoire: &Repertoire,
        part: usize,
        seconds: f32,
        options: &PerformerOptions,
        scratch: &mut Scratch,
    ) {
        let Some(before) = self.part.filter(|before| *before != part) else {
            self.part = Some(part);
            self.fade.pass(seconds);
            return;
        };
        let (old, new) = (&repertoire.parts()[before], &repertoire.parts()[part]);
        let shown = &mut scratch.other;
        old.clip.sample(self.phase, shown);
        self.fade.apply(shown);
        let walks = |part: &Part| matches!(part.clip.kind(), ClipKind::Walk | ClipKind::Run);
        let same_phase = walks(old) && walks(new);
        if !same_phase {
            self.phase = self.begin_at(new);
        }
        let mut pose = Pose::default();
        new.clip.sample(self.phase, &mut pose);
        let duration = if same_phase { options.fade } else { STANDING_FADE * options.fade };
        self.fade.begin(shown, &pose, duration);
        self.part = Some(part);
    }

    /// Where to begin a part after one that has other phases: with the foot in the air that
    /// carries less.
    fn begin_at(&self, part: &Part) -> f32 {
        let contacts = part.clip.contacts();
        if matches!(part.clip.kind(), ClipKind::Stand) {
            return self.phase;
        }
        let free = self
            .feet
            .iter()
            .position(|foot| !foot.stands())
            .unwrap_or(usize::from(self.feet[0].strain().0 < self.feet[1].strain().0));
        let side = Side::BOTH[free];
        let swing = contacts.of(side).first().map_or(0.0, |span| {
            // A third into the swing, where the foot passes the other one.
            span.end() + 0.3 * (1.0 - span.length)
        });
        swing.rem_euclid(1.0)
    }

    /// Plays on; how far the root gets by that, in body space.
    fn play(&mut self, part: &Part, pace: f32, seconds: f32) -> RootMotion {
        let before = self.phase;
        let from = part.clip.root_at(before);
        let advance = part.flight.advance(before, pace, seconds, part.clip.period());
        let mut moved = from.inverse().then(part.clip.root_at(advance.phase));
        let passed = advance.phase - before;
        if advance.in_air > 0.0 && passed > 0.0 {
            // Who takes off more slowly does not get as far in the same time.
            let in_air = advance.in_air / passed;
            moved.translation *= 1.0 - in_air * (1.0 - pace);
        }
        self.phase = advance.phase.rem_euclid(1.0);
        moved
    }

    /// Turns the body to where its clip leads where it is wanted.
    fn turn_body(
        &mut self,
        part: &Part,
        wanted: Vec3,
        moved: RootMotion,
        seconds: f32,
        options: &PerformerOptions,
    ) {
        let before = self.yaw;
        if self.standing {
            self.yaw += moved.yaw;
        } else {
            let off = wrap_angle(yaw_of(wanted) - part.angle - self.yaw);
            let in_air = part.flight.is_at(self.phase);
            let rate = if in_air { TURN_IN_AIR.min(options.turn_rate) } else { options.turn_rate };
            let share = 1.0 - (-seconds / TURNING).exp();
            let mut turn = (off * share).clamp(-rate * seconds, rate * seconds);
            // A foot that carries the body can be turned over only so far; then it turns along, slowly.
            let along = PIVOTING * seconds;
            for foot in self.feet.iter().filter(|foot| foot.stands() && foot.load > 0.3) {
                let (right, left) = foot.room_to_turn();
                turn = turn.clamp((right - along).min(0.0), (left + along).max(0.0));
            }
            self.yaw += turn;
        }
        let turned = self.yaw - before;
        if seconds > 0.0 {
            let share = 1.0 - (-seconds / 0.15).exp();
            self.turn += share * (turned / seconds - self.turn);
        }
        self.yaw = wrap_angle(self.yaw);
    }

    /// The root goes where the feet that stand put it, and leans to where it should be.
    fn move_root(
        &mut self,
        feet: &[FootPlace; 2],
        labels: [Label; 2],
        moved: RootMotion,
        seconds: f32,
        options: &PerformerOptions,
    ) {
        let turn = Quat::from_rotation_y(self.yaw);
        let expected = self.place + turn * moved.translation;
        let settled = self.fade.left() < 0.3;
        let frame = Frame::new(expected, self.yaw);
        let mut stances = [Stance::default(); 2];
        for side in 0..2 {
            let (foot, label) = (&mut self.feet[side], labels[side]);
            foot.follow(label, &feet[side], frame, settled);
            let load = if foot.stands() { loading(label) } else { 0.0 };
            let most = LOADING_RATE * seconds;
            foot.load = load.clamp(foot.load - most, foot.load + most);
            if foot.stands() {
                stances[side] = foot.stance(&feet[side]);
            }
        }
        let anchored = level(anchored_root(&stances, turn).unwrap_or(expected));
        let lean = if self.standing { STEP_FROM + options.lean } else { options.lean };
        let wish = anchored + (level(self.goal) - anchored).clamp_length_max(lean);
        let share = 1.0 - (-seconds / LEANING).exp();
        let leaning = level(expected) + share * (wish - level(expected));
        let place = anchored + (leaning - anchored).clamp_length_max(lean);
        self.place = Vec3::new(place.x, self.place.y, place.z);
    }

    /// Feet are dragged along if the body would be too far from where it should be.
    fn keep_near(&mut self, options: &PerformerOptions) -> f32 {
        let behind = level(self.goal - self.place);
        let excess = behind.length() - options.tolerance;
        if excess <= 0.0 || excess.is_nan() {
            return 0.0;
        }
        let by = behind.normalize_or_zero() * excess;
        self.place += by;
        self.feet.iter_mut().filter(|foot| foot.stands()).for_each(|foot| foot.slide(by));
        excess
    }

    /// Bends the legs so that feet are where they stand.
    fn plant(
        &mut self,
        repertoire: &Repertoire,
        feet: &[FootPlace; 2],
        labels: [Label; 2],
        seconds: f32,
        pose: &mut Pose,
        scratch: &mut Scratch,
    ) {
        let legs = &repertoire.legs;
        self.step_aside();
        // A foot lands turned by half of what the body will turn while it stands.
        let aim = if self.standing { 0.0 } else { (0.3 * self.turn).clamp(-0.35, 0.35) };
        let hips = Side::BOTH.map(|side| legs.hip(side, &scratch.model));
        let mut targets = self.aim_feet(feet, labels, (seconds, aim));
        if let Some(excess) = self.too_far(hips, &targets, legs.reach) {
            self.place += excess;
            targets = self.aim_feet(feet, labels, (0.0, aim));
        }
        let needed = (0..2)
            .map(|side| shortfall(hips[side], targets[side].0, legs.reach[side]))
            .fold(0.0, f32::max);
        self.drop = needed.min(LARGEST_DROP).max(self.drop - RISE * seconds);
        if self.drop > 0.0 {
            let down = glam::Vec3A::new(0.0, -self.drop, 0.0);
            pose.root += down;
            scratch.model.positions.iter_mut().for_each(|position| *position += down);
        }
        let frame = Frame::new(self.place, self.yaw);
        for side in Side::BOTH {
            let index = side as usize;
            let mut ankle = feet[index].ankle;
            let raised = targets[index].0.y != ankle.y;
            if raised || self.feet[index].is_off() || self.drop > 0.0 {
                let skeleton = repertoire.skeleton();
                ankle = legs.place(side, skeleton, &scratch.model, targets[index], pose);
            }
            self.feet[index].arrive(ankle, &feet[index], frame);
        }
    }

    /// Where the ankles have to be in body space, and how far feet are turned.
    fn aim_feet(
        &mut self,
        feet: &[FootPlace; 2],
        labels: [Label; 2],
        (seconds, aim): (f32, f32),
    ) -> [(Vec3, f32); 2] {
        let frame = Frame::new(self.place, self.yaw);
        [0, 1].map(|side| self.feet[side].target(labels[side], &feet[side], frame, (seconds, aim)))
    }

    /// If a foot stands where its leg cannot reach, it leaves the ground, provided that the other one
    /// carries the body; else the body stays behind, by what is returned.
    fn too_far(
        &mut self,
        hips: [Vec3; 2],
        targets: &[(Vec3, f32); 2],
        reach: [f32; 2],
    ) -> Option<Vec3> {
        let excess = [0, 1].map(|side| {
            let hip = hips[side] - LARGEST_DROP * Vec3::Y;
            let down = targets[side].0 - hip;
            let most = (reach[side] * reach[side] - down.y * down.y).max(0.0).sqrt();
            let over_ground = level(down);
            over_ground * (1.0 - most / over_ground.length().max(1e-6)).max(0.0)
        });
        let stands = [0, 1].map(|side| self.feet[side].stands());
        for side in [0, 1] {
            let other = 1 - side;
            let is_free = stands[other]
                && excess[other] == Vec3::ZERO
                && self.feet[other].load >= self.feet[side].load;
            if stands[side] && excess[side] != Vec3::ZERO && is_free {
                self.feet[side].step();
                return None;
            }
        }
        let most = [0, 1]
            .into_iter()
            .filter(|&side| stands[side])
            .map(|side| excess[side])
            .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
        (most != Vec3::ZERO).then(|| Quat::from_rotation_y(self.yaw) * most)
    }

    /// Who stands with a foot where nobody would keep it takes a step, one at a time.
    fn step_aside(&mut self) {
        if !self.standing || self.feet.iter().any(|foot| !foot.stands()) {
            return;
        }
        let worst = |foot: &FootState| {
            let (offset, twist) = foot.strain();
            (offset / STEP_FROM).max(twist / STEP_TWIST)
        };
        let [left, right] = [worst(&self.feet[0]), worst(&self.feet[1])];
        if left.max(right) > 1.0 {
            self.feet[usize::from(right > left)].step();
        }
    }

    fn twist_torso(
        &mut self,
        repertoire: &Repertoire,
        seconds: f32,
        options: &PerformerOptions,
        pose: &mut Pose,
    ) {
        let wanted = wrap_angle(self.torso.yaw() - self.yaw);
        let reached = wanted.clamp(-options.twist, options.twist);
        let most = TWISTING * seconds;
        self.twist += (reached - self.twist).clamp(-most, most);
        if self.twist.abs() > 1e-4 {
            twist_spine(pose, repertoire.skeleton(), self.twist);
        }
    }
}

/// How far the hip has to come down so that the ankle can be where it should.
fn shortfall(hip: Vec3, ankle: Vec3, reach: f32) -> f32 {
    let down = hip - ankle;
    let over_ground = down.x * down.x + down.z * down.z;
    let height = (reach * reach - over_ground).max(0.0).sqrt();
    (down.y - height).max(0.0)
}

/// The weight that a foot carries at a moment of its contact.
fn loading(label: Label) -> f32 {
    let Some(part) = label.contact else { return 0.0 };
    if label.always {
        return 1.0;
    }
    smoothstep(part / LOADING) * smoothstep((1.0 - part) / LOADING)
}

/// What a part says about a foot.
fn label(part: &Part, side: Side, phase: f32) -> Label {
    let spans = part.clip.contacts().of(side);
    let contact = spans.iter().find_map(|span| span.progress(phase));
    let swing = match (contact, spans) {
        (Some(_), _) | (None, []) => 0.0,
        // From the last contact that ended to the next that begins.
        (None, spans) => {
            let since = |phase: f32, event: f32| (phase - event).rem_euclid(1.0);
            let gone = spans.iter().map(|span| since(phase, span.end())).fold(1.0, f32::min);
            let left = spans.iter().map(|span| since(span.start, phase)).fold(1.0, f32::min);
            gone / (gone + left).max(1e-6)
        }
    };
    let always = spans.iter().any(|span| span.length >= 1.0);
    Label { contact, swing, always }
}

/// Without its height.
fn level(vector: Vec3) -> Vec3 {
    Vec3::new(vector.x, 0.0, vector.z)
}
