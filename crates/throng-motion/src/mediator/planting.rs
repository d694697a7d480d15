//! How a performer's root follows its feet, and how its legs keep feet where they stand.

use glam::{Quat, Vec3};

use super::feet::{FootState, Frame, Label, Stance, anchored_root};
use super::legs::FootPlace;
use super::performance::PerformerOptions;
use super::performer::{Moment, Performer, Scratch};
use super::repertoire::Part;
use crate::contact::Side;
use crate::gait::smoothstep;
use crate::pose::Pose;
use crate::root::RootMotion;

/// The part of a contact over which a foot takes up the weight, and over which it gives it away.
const LOADING: f32 = 0.18;
/// How fast the weight can go from one foot to the other, per second.
const LOADING_RATE: f32 = 16.0;
/// How soon the root is where it should be, as far as legs allow, in seconds.
const LEANING: f32 = 0.08;
/// Who stands with a foot this far from where it should be steps, in metres.
const STEP_FROM: f32 = 0.14;
/// Or with one that is turned by this much, in radians.
const STEP_TWIST: f32 = 0.45;
/// Lag of the root behind the simulator's position beyond the tolerance, in metres, at which a planted foot that holds the
/// body back steps even if it carries the body alone.
const HOP_LAG: f32 = 0.2;
/// The lowest that hips are lowered for legs that are too short, in metres.
const LARGEST_DROP: f32 = 0.06;
/// How fast lowered hips come up again, in m/s.
const RISE: f32 = 0.12;

impl Performer {
    /// The root goes where the feet that stand put it, and leans to where it should be.
    pub(super) fn move_root(
        &mut self,
        moment: Moment,
        feet: &[FootPlace; 2],
        labels: [Label; 2],
        moved: RootMotion,
    ) {
        let Moment { options, seconds, .. } = moment;
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
        let (expected, goal) = (expected.with_y(0.0), self.goal.with_y(0.0));
        let anchored = anchored_root(&stances, turn).map_or(expected, |root| root.with_y(0.0));
        let lean = if self.standing { STEP_FROM + options.lean } else { options.lean };
        let wish = anchored + (goal - anchored).clamp_length_max(lean);
        let share = 1.0 - (-seconds / LEANING).exp();
        let leaning = expected + share * (wish - expected);
        let place = anchored + (leaning - anchored).clamp_length_max(lean);
        self.place = place.with_y(self.place.y);
    }

    /// Pulls the root to within the tolerance of the simulator's position and returns by how much, in metres. Planted
    /// feet stay: legs stretch, and [`Self::relieve`] holds the body back or lets a foot step where they cannot.
    pub(super) fn keep_near(&mut self, options: &PerformerOptions) -> f32 {
        let behind = (self.goal - self.place).with_y(0.0);
        let excess = behind.length() - options.tolerance;
        if excess <= 0.0 || excess.is_nan() {
            return 0.0;
        }
        self.place += behind.normalize_or_zero() * excess;
        excess
    }

    /// Bends the legs so that feet are where they stand.
    pub(super) fn plant(
        &mut self,
        moment: Moment,
        feet: &[FootPlace; 2],
        labels: [Label; 2],
        pose: &mut Pose,
        scratch: &mut Scratch,
    ) {
        let Moment { repertoire, seconds, .. } = moment;
        let legs = &repertoire.legs;
        self.step_aside();
        // A foot lands turned by half of what the body will turn while it stands.
        let aim = if self.standing { 0.0 } else { (0.3 * self.turn).clamp(-0.35, 0.35) };
        let hips = Side::BOTH.map(|side| legs.hip(side, &scratch.model));
        let mut targets = self.aim_feet(feet, labels, (seconds, aim));
        // The body may have to stay behind for one foot, and then leave the other.
        for is_last in [false, true] {
            if !self.relieve(moment.options, hips, &targets, legs.reach, is_last) {
                break;
            }
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

    /// Resolves planted feet that their legs cannot reach, one per call, and returns whether there was one. Such a foot
    /// steps if the other one is planted within reach and carries at least as much of the body (on the last call,
    /// anything), or if holding the body back would leave it more than [`HOP_LAG`] beyond the tolerance. Otherwise the
    /// root is held back until the leg reaches.
    fn relieve(
        &mut self,
        options: &PerformerOptions,
        hips: [Vec3; 2],
        targets: &[(Vec3, f32); 2],
        reach: [f32; 2],
        is_last: bool,
    ) -> bool {
        let excess = [0, 1].map(|side| {
            let hip = hips[side] - LARGEST_DROP * Vec3::Y;
            let down = targets[side].0 - hip;
            let most = (reach[side] * reach[side] - down.y * down.y).max(0.0).sqrt();
            let over_ground = down.with_y(0.0);
            over_ground * (1.0 - most / over_ground.length().max(1e-6)).max(0.0)
        });
        let turn = Quat::from_rotation_y(self.yaw);
        let furthest = options.tolerance + HOP_LAG;
        let lag = |excess: Vec3| (self.goal - self.place - turn * excess).with_y(0.0).length();
        let hops = excess.map(|excess| lag(excess) > furthest);
        let is_reached = |excess: Vec3| excess.length_squared() < 1e-10;
        let stands = [0, 1].map(|side| self.feet[side].stands());
        for side in [0, 1] {
            let other = 1 - side;
            let is_free = stands[other]
                && is_reached(excess[other])
                && (is_last || self.feet[other].load >= self.feet[side].load);
            if stands[side] && !is_reached(excess[side]) && (is_free || hops[side]) {
                self.feet[side].step();
                return true;
            }
        }
        let longest = [0, 1]
            .into_iter()
            .filter(|&side| stands[side] && !is_reached(excess[side]))
            .map(|side| excess[side])
            .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        if let Some(excess) = longest {
            self.place += turn * excess;
        }
        longest.is_some()
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
pub(super) fn label(part: &Part, side: Side, phase: f32) -> Label {
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
