//! Somebody's body over time.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use throng_base::frame::wrap_angle;

use super::fade::Fade;
use super::feet::FootState;
use super::performance::{Command, FootReport, Performance, PerformerOptions, somewhere};
use super::planting::label;
use super::repertoire::{Part, Repertoire};
use super::selector::Selector;
use super::torso::Torso;
use crate::blend::twist_spine;
use crate::clip::ClipKind;
use crate::contact::Side;
use crate::pose::{ModelPose, Pose};
use crate::root::{RootMotion, yaw_of};

/// Longer steps are divided, so that feet are looked at often enough, in seconds.
const LONGEST_STEP: f32 = 0.045;
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
/// Speed below which a body that has to turn round does so on the spot before it walks on, in m/s. Faster, it
/// turns while it walks: on the spot it would fall behind.
const TURN_BELOW: f32 = 0.7;
/// Direction of the wanted velocity against the body from which that is so, in radians.
const TURN_ROUND: f32 = 1.2;
/// How much faster than its clip a turn on the spot is played at most: 65° per second become 130°, which people
/// reach in an about-face (median peak 132°/s).
const FASTEST_TURN: f32 = 2.0;
/// The shortest steps, as a part of those on level ground: legs cannot be moved much faster.
const SHORTEST_STEP: f32 = 0.4;
/// Whoever is this far ahead of where they should be does not go on, in metres.
const WAIT_FROM: f32 = 0.1;
/// How long somebody stands or moves at least, in seconds.
const MODE_DWELL: f32 = 0.25;
/// Fades to and from standing take longer than others.
const STANDING_FADE: f32 = 1.4;
/// Getting up takes so much longer than falling.
const RISING: f32 = 2.2;
/// How fast a spine is twisted, in radians per second.
const TWISTING: f32 = PI;

/// What is worked with while somebody performs, and used again for the next.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) model: ModelPose,
    /// What was shown, and what is shown next, where a fade begins.
    fading: [Pose; 2],
}

/// What goes for everything that is done in a part of a step.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub repertoire: &'a Repertoire,
    pub options: &'a PerformerOptions,
    pub seconds: f32,
}

/// What is played now.
struct Playing<'a> {
    part: &'a Part,
    index: usize,
    pace: f32,
    /// How far the root gets by it, in body space.
    moved: RootMotion,
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
///     let command =
///         Command { velocity, place: place + 0.04 * velocity, ..Command::default() };
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
    /// How much faster than its speed asks for it steps.
    cadence: f32,
    /// Length of its steps as a part of those that people take on level ground at the same speed.
    step_length: f32,
    pub(super) fade: Fade,
    running: bool,
    pub(super) standing: bool,
    /// How long it has been so, in seconds.
    since: f32,
    /// Whether it turns on the spot.
    turning: bool,
    /// Whether it is to walk back, and turns on the spot first.
    turning_round: bool,
    velocity: Vec3,
    pub(super) goal: Vec3,
    pub(super) place: Vec3,
    pub(super) yaw: f32,
    /// How fast the body turns, in radians per second.
    pub(super) turn: f32,
    twist: f32,
    pub(super) drop: f32,
    /// How far it has fallen: 1 is lying.
    down: f32,
    pub(super) feet: [FootState; 2],
}

impl Performer {
    /// Somebody who stands at `place` and faces along `yaw`.
    pub fn new(place: Vec3, yaw: f32) -> Self {
        let place = somewhere(place).unwrap_or_default();
        let yaw = if yaw.is_finite() { wrap_angle(yaw) } else { 0.0 };
        Self {
            torso: Torso::facing(Quat::from_rotation_y(yaw) * Vec3::Z),
            selector: Selector::default(),
            part: None,
            phase: 0.0,
            cadence: 1.0,
            step_length: 1.0,
            fade: Fade::default(),
            running: false,
            standing: true,
            since: MODE_DWELL,
            turning: false,
            turning_round: false,
            velocity: Vec3::ZERO,
            goal: place,
            place,
            yaw,
            turn: 0.0,
            twist: 0.0,
            drop: 0.0,
            down: 0.0,
            feet: [FootState::default(); 2],
        }
    }

    /// The same, beginning at another phase of whatever is played first: people who set out together are not
    /// in step.
    pub fn at_phase(mut self, phase: f32) -> Self {
        self.phase = if phase.is_finite() { phase.rem_euclid(1.0) } else { 0.0 };
        self
    }

    /// From now on clips are played this much faster than the speed asks for, by a tenth more or less at most. Feet stay where they
    /// stand: as far as the body can lean, steps get shorter by as much as there are more of them, and beyond that it gets
    /// on as much faster.
    pub fn set_cadence(&mut self, cadence: f32) {
        self.cadence = if cadence.is_finite() { cadence.clamp(0.9, 1.1) } else { 1.0 };
    }

    /// Sets the length of steps while walking as a part of that on level ground at the same speed, from 0.4 to 1. Clips of a
    /// lower speed are played faster: the cadence is higher by as much as steps are shorter.
    pub fn set_step_length(&mut self, part: f32) {
        self.step_length = if part.is_finite() { part.clamp(SHORTEST_STEP, 1.0) } else { 1.0 };
    }

    /// Whether it stands.
    pub fn is_standing(&self) -> bool {
        self.standing
    }

    /// What is to be seen before the first step: nothing is played yet.
    pub fn beginning(&self) -> Performance {
        self.performance(Vec3::ZERO, (0, 0.0), 0.0)
    }

    /// Whether it plays something already.
    pub fn has_begun(&self) -> bool {
        self.part.is_some()
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
        let mut command = command.sensible(self.goal);
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, 1.0) } else { 0.0 };
        if self.part.is_none() {
            self.appear(&command, seconds);
        } else if (command.place - self.place).with_y(0.0).length() > options.jump {
            self.jump(&command);
        }
        let parts = (seconds / LONGEST_STEP).ceil().max(1.0);
        // Where the simulator has them now, whatever it was told before.
        let (from, to) = (command.place - seconds * command.velocity, command.place);
        self.goal = from;
        let (mut slips, mut pulled) = ([(0.0, 0.0); 2], 0.0);
        let mut performance = None;
        for index in 0..parts as u32 {
            command.place = from.lerp(to, (index + 1) as f32 / parts);
            let moment = Moment { repertoire, options, seconds: seconds / parts };
            let played = self.advance(moment, &command, pose, scratch);
            for (sum, foot) in slips.iter_mut().zip(&played.feet) {
                *sum = (sum.0 + foot.slip, sum.1 + foot.pivot);
            }
            pulled += played.pulled;
            performance = Some(played);
        }
        let mut performance = performance.expect("there is at least one part");
        performance.pulled = pulled;
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
        let command = command.sensible(self.goal);
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, 1.0) } else { 0.0 };
        if self.part.is_none() {
            self.appear(&command, seconds);
        }
        (self.place, self.goal) = (command.place, command.place);
        self.feet.iter_mut().for_each(FootState::reset);
        self.drop = 0.0;
        let moment = Moment { repertoire, options, seconds };
        let playing = self.play_on(moment, &command, pose, scratch);
        self.twist_torso(moment, pose);
        self.performance(self.mean_velocity(&playing), (playing.index, playing.pace), 0.0)
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
        moment: Moment,
        command: &Command,
        pose: &mut Pose,
        scratch: &mut Scratch,
    ) -> Performance {
        let playing = self.play_on(moment, command, pose, scratch);
        self.goal = command.place;
        self.place.y = command.place.y;
        let legs = &moment.repertoire.legs;
        legs.find(moment.repertoire.skeleton(), pose, &mut scratch.model);
        let feet = Side::BOTH.map(|side| legs.foot(side, &scratch.model));
        if self.down > 0.0 {
            self.feet.iter_mut().for_each(FootState::reset);
            self.drop = 0.0;
            let pulled = self.keep_near(moment.options);
            // On the way from another pose feet may dip into the ground.
            let lowest = feet.map(|foot| foot.point(foot.lowest()).y);
            pose.root.y -= lowest[0].min(lowest[1]).min(0.0);
            self.twist_torso(moment, pose);
            return self.performance(Vec3::ZERO, (playing.index, 0.0), pulled);
        }
        let labels = Side::BOTH.map(|side| label(playing.part, side, self.phase));
        self.move_root(moment, &feet, labels, playing.moved);
        let pulled = self.keep_near(moment.options);
        self.plant(moment, &feet, labels, pose, scratch);
        self.twist_torso(moment, pose);
        self.performance(self.mean_velocity(&playing), (playing.index, playing.pace), pulled)
    }

    /// Chooses what to play, plays it and turns the body, all but its feet and its torso.
    fn play_on<'a>(
        &mut self,
        moment: Moment<'a>,
        command: &Command,
        pose: &mut Pose,
        scratch: &mut Scratch,
    ) -> Playing<'a> {
        let wanted = self.wish(moment, command);
        self.follow_with_torso(moment, command, wanted);
        if let Some(fall) = self.fall(moment, command.lying) {
            self.change_to(moment, fall, scratch);
            let part = &moment.repertoire.parts()[fall];
            self.phase = self.down;
            part.clip.sample(self.phase, pose);
            self.fade.apply(pose);
            return Playing { part, index: fall, pace: 0.0, moved: RootMotion::default() };
        }
        let (index, pace) = self.choose(moment, wanted);
        self.change_to(moment, index, scratch);
        let part = &moment.repertoire.parts()[index];
        let moved = self.play(part, pace, moment.seconds);
        part.clip.sample(self.phase, pose);
        self.fade.apply(pose);
        self.turn_body(moment, part, wanted, moved);
        Playing { part, index, pace, moved }
    }

    fn mean_velocity(&self, playing: &Playing) -> Vec3 {
        if self.standing {
            return Vec3::ZERO;
        }
        let direction = Quat::from_rotation_y(self.yaw + playing.part.angle) * Vec3::Z;
        playing.pace * playing.part.speed * direction
    }

    fn performance(&self, velocity: Vec3, (part, pace): (usize, f32), pulled: f32) -> Performance {
        Performance {
            placement: RootMotion { translation: self.place, yaw: self.yaw },
            velocity,
            facing: wrap_angle(self.yaw + self.twist),
            twist: self.twist,
            part,
            phase: self.phase,
            pace,
            deviation: (self.goal - self.place).with_y(0.0).length(),
            pulled,
            feet: self.feet.map(|foot| FootReport {
                contact: foot.contact(),
                swing: foot.swing,
                slip: foot.slip,
                pivot: foot.pivot,
            }),
        }
    }

    /// The velocity that the body should have: that of the simulator, and what it takes to catch up.
    fn wish(&mut self, moment: Moment, command: &Command) -> Vec3 {
        let Moment { options, seconds, .. } = moment;
        let share = 1.0 - (-seconds / options.response.max(1e-3)).exp();
        self.velocity += share * (command.velocity - self.velocity);
        // How far behind it was before anybody moved.
        let behind = (self.goal - self.place).with_y(0.0);
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
        let speed = wanted.length();
        self.turning_round = speed < TURN_BELOW && self.turns_round(wanted);
        let stands = speed < limit || self.turning_round;
        if stands != self.standing && self.since >= MODE_DWELL {
            (self.standing, self.since) = (stands, 0.0);
        }
        wanted
    }

    /// Whether the torso is turning away from the body, to a velocity that leads back.
    fn turns_round(&self, wanted: Vec3) -> bool {
        let off = |yaw: f32| wrap_angle(yaw - self.yaw).abs();
        off(yaw_of(wanted)) > TURN_ROUND && off(self.torso.yaw()) > TURN_UNTIL
    }

    fn follow_with_torso(&mut self, moment: Moment, command: &Command, wanted: Vec3) {
        let (seconds, inertia) = (moment.seconds, moment.options.inertia);
        match command.facing {
            // Where the simulator faces is known before the velocity leads there.
            Some(facing)
                if self.standing || wrap_angle(facing - self.torso.yaw()).abs() > TURN_FROM =>
            {
                let ahead = Quat::from_rotation_y(facing) * Vec3::Z;
                let haste = if self.turning_round { 4.0 } else { 1.3 };
                self.torso.follow(haste * ahead, seconds, inertia);
            }
            _ if self.standing => {}
            _ => self.torso.follow(wanted, seconds, inertia),
        }
    }

    /// Which part to play, and how fast.
    fn choose(&mut self, moment: Moment, wanted: Vec3) -> (usize, f32) {
        let repertoire = moment.repertoire;
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
        let reluctance = &moment.options.reluctance;
        let step_length = if self.running { 1.0 } else { self.step_length };
        let speed = step_length * speed;
        let selected = self.selector.select(sectors, speed, direction, moment.seconds, reluctance);
        let part = repertoire.part_of(&selected.choice);
        let flight = &repertoire.parts()[part].flight;
        let pace = if self.standing { 0.0 } else { flight.pace(speed).clamp(0.0, 1.0) };
        (part, self.cadence * pace / step_length)
    }

    /// Falls or gets up, as far as that goes in a moment; the part that is played for it.
    fn fall(&mut self, moment: Moment, lying: bool) -> Option<usize> {
        let fall = moment.repertoire.fall()?;
        let part = moment.seconds / moment.repertoire.parts()[fall].clip.period().max(1e-3);
        self.down = if lying { self.down + part } else { self.down - part / RISING };
        self.down = self.down.clamp(0.0, 1.0);
        if self.down == 0.0 {
            return None;
        }
        (self.standing, self.since) = (true, 0.0);
        (self.velocity, self.turn) = (Vec3::ZERO, 0.0);
        Some(fall)
    }

    /// Standing, or turning on the spot.
    fn stand(&mut self, repertoire: &Repertoire, stand: usize) -> (usize, f32) {
        let off = wrap_angle(self.torso.yaw() - self.yaw);
        let limit = if self.turning || self.turning_round { TURN_UNTIL } else { TURN_FROM };
        let side = if off > 0.0 { Side::Left } else { Side::Right };
        self.turning = off.abs() > limit;
        match repertoire.turn(side).filter(|_| self.turning) {
            // Slower towards the end, so that nobody turns too far.
            Some(turn) => (turn, (2.0 * off.abs()).clamp(0.4, FASTEST_TURN)),
            None => (stand, self.cadence),
        }
    }

    /// Begins a fade if another part is to be played.
    fn change_to(&mut self, moment: Moment, part: usize, scratch: &mut Scratch) {
        let Some(before) = self.part.filter(|before| *before != part) else {
            self.part = Some(part);
            self.fade.pass(moment.seconds);
            return;
        };
        let parts = moment.repertoire.parts();
        let (old, new) = (&parts[before], &parts[part]);
        let [shown, next] = &mut scratch.fading;
        old.clip.sample(self.phase, shown);
        self.fade.apply(shown);
        let walks = |part: &Part| matches!(part.clip.kind(), ClipKind::Walk | ClipKind::Run);
        let same_phase = walks(old) && walks(new);
        if !same_phase {
            self.phase = self.begin_at(new);
        }
        new.clip.sample(self.phase, next);
        let duration = if same_phase { 1.0 } else { STANDING_FADE } * moment.options.fade;
        self.fade.begin(shown, next, duration);
        self.part = Some(part);
    }

    /// Where to begin a part after one that has other phases: with the foot in the air that
    /// carries less.
    fn begin_at(&self, part: &Part) -> f32 {
        let contacts = part.clip.contacts();
        match part.clip.kind() {
            ClipKind::Stand => return self.phase,
            ClipKind::Fall => return self.down,
            _ => {}
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
    fn turn_body(&mut self, moment: Moment, part: &Part, wanted: Vec3, moved: RootMotion) {
        let (seconds, fastest) = (moment.seconds, moment.options.turn_rate);
        let before = self.yaw;
        if self.standing {
            self.yaw += moved.yaw;
        } else {
            let off = wrap_angle(yaw_of(wanted) - part.angle - self.yaw);
            let in_air = part.flight.is_at(self.phase);
            let rate = if in_air { TURN_IN_AIR.min(fastest) } else { fastest };
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

    fn twist_torso(&mut self, moment: Moment, pose: &mut Pose) {
        let furthest = moment.repertoire.furthest_twist();
        let reached = wrap_angle(self.torso.yaw() - self.yaw).clamp(-furthest, furthest);
        let most = TWISTING * moment.seconds;
        self.twist += (reached - self.twist).clamp(-most, most);
        if self.twist.abs() > 1e-4 {
            twist_spine(pose, moment.repertoire.skeleton(), self.twist);
        }
    }
}
