//! Feet on the ground.
//!
//! The carpet is an average of the ground, and a foot stands on the ground itself. A foot is carried in one piece: turned
//! to the carpet's heading, tilted to the ground below its sole, and set down so that what touched the flat carpet
//! touches the ground. All of it is found from one point of the sole, the pivot, where it is or will be when the foot is
//! flat: as long as that stays where it is on the flat carpet, the foot stands still, whichever part of it bears the
//! weight.
//!
//! A foot in the air follows an envelope of the ground instead, which rises before an edge is reached and never
//! faster than a foot can.
//!
//! [`LegSolver`] is what bends the legs to get feet there; the analytic one of two bones is built in.

use glam::{DVec2, DVec3, Quat, Vec2, Vec3, Vec3A};

use super::descriptor::{heading, lean};
use super::ground::{Ground, Surface};
use super::rig::Rig;
use super::window::{Window, sound};
use crate::gait::smoothstep;
use crate::pose::{ModelPose, Pose};
use crate::two_bone::Limb;

/// Points of a sole that are this much higher than the lowest do not touch the ground, m.
const TOUCHING: f32 = 0.015;
/// How steeply a foot in the air rises towards an edge.
const RISING: f32 = 0.6;
/// From how far away it heeds edges, m.
const FORESIGHT: f32 = 0.45;
/// How soon a foot has tilted to the ground, s.
const TILTING: f32 = 0.05;
/// Ground this far above or below the carpet is none to step on, m.
const TALLEST_STEP: f32 = 0.45;
/// Steps by which room for a foot is looked for, m; ground is even enough to within the other, m.
const SHIFT: f32 = 0.035;
const EVEN: f32 = 0.03;
/// How much earlier than a foot is down it is where there is room.
const EARLIER: f32 = 1.6;
/// How far toes keep away from a riser, m.
const CLEAR_OF_STEPS: f32 = 0.04;
/// How fast a foot in the air is lifted over what it would catch on, and comes down after, m/s.
const LIFTING: f32 = 4.0;
/// Soles have no more points than this.
const MOST_POINTS: usize = 8;
/// Points of a sole that are nearer to one another have none between them, m.
const SHORT: f32 = 0.03;
/// Soles that are longer than this roll from heel to toes, m.
const LONG: f32 = 0.15;
/// A point of a sole that is lower than this above the ground bears, m.
const BEARING: f32 = 0.02;
/// How far a foot is held back at most, m, and how soon it is let go in the air, s.
const FURTHEST_HOLD: f32 = 0.12;
const LETTING_GO: f32 = 0.08;
/// A heel that is this much higher than the toes is up, m.
const HEEL_UP: f32 = 0.03;
/// Toes that dip into the ground by no more than this do so over the flat carpet, too, m.
const DIPPING: f32 = 0.004;
/// Ground that differs by less below a sole is level, m.
const EVENNESS: f32 = 0.002;
/// What is held back by less needs not be looked at again, m.
const NOTICED: f32 = 3e-4;
/// How much of the way to where there is room a foot goes in a frame.
const TAKING_AIM: f32 = 0.6;
/// How much of a limb's length can be used.
const STRETCH: f32 = 0.9998;
/// How much of it is used without need.
const COMFORT: f32 = 0.985;
/// The share of a limb by which the body can be lowered for it.
const DEEPEST: f32 = 0.45;
/// The share of a foot's turn that the knee takes part in.
const KNEE_SHARE: f32 = 0.5;
/// How fast a body is lowered, and how fast it comes up again, m/s.
const SINK: f32 = 5.0;
const RISE: f32 = 0.5;

/// Where a foot should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootGoal {
    /// The joint that carries the foot, in window coordinates.
    pub joint: Vec3,
    /// How that joint should be turned.
    pub rotation: Quat,
    /// What carries the foot over the flat carpet to where it should be: first this turn, about `pivot`.
    pub turn: Quat,
    /// The pivot of the sole over the flat carpet.
    pub rest_pivot: Vec3,
    /// The pivot of the sole.
    pub pivot: Vec3,
    /// How far the foot is turned to the left of where the limb begins, beyond what it is over the flat carpet.
    pub twist: f32,
    /// How much it bears, from 0 in the air to 1.
    pub contact: f32,
    /// Which way the ground faces.
    pub normal: Vec3,
    /// Whether there is ground to stand on.
    pub supported: bool,
}

impl FootGoal {
    /// Where a point of the foot over the flat carpet should be.
    pub fn carry(&self, rest: Vec3) -> Vec3 {
        self.pivot + self.turn * (rest - self.rest_pivot)
    }

    /// To which side a limb bends that bent to the side of `pole`: knees go some of the way with their feet.
    fn pole(&self, pole: Vec3) -> Vec3 {
        Quat::from_rotation_y(KNEE_SHARE * self.twist) * pole
    }
}

/// What is remembered of a foot.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootState {
    normal: Option<Vec3>,
    /// The pivot in lattice spacings from row and column 0, in the last frame.
    before: Option<[f64; 2]>,
    pub contact: f32,
    /// How far ahead of where it would be the foot is set down, m.
    shift: f32,
    /// How high its pivot was in the world.
    height: Option<f32>,
    /// Where the points of the sole were in plan in the last frame, and how high above the ground, if it bore.
    stood: Option<[(DVec2, f32); MOST_POINTS]>,
    /// How far the foot is held back so that what bears stays where it is, in plan, m.
    hold: Vec2,
    /// Whether it has slid off the edge of a step, and swings until it is said to.
    let_go: bool,
    /// The last row that the foot depends on.
    pub row: i32,
}

impl FootState {
    pub const NEW: Self = Self {
        normal: None,
        before: None,
        contact: 0.0,
        shift: 0.0,
        height: None,
        stood: None,
        hold: Vec2::ZERO,
        let_go: false,
        row: i32::MIN,
    };

    /// Keeps what bears where it was: `sole` is where its points would be in plan, and how high above the ground.
    /// Over the flat carpet a foot may roll over toes that hang over the edge of a step here: it is its ball that it rolls
    /// over then. How far the foot is held back, beyond what it is held already.
    fn hold_back(&mut self, sole: &mut [(DVec2, f32)]) -> Vec2 {
        let Some(before) = self.stood else { return Vec2::ZERO };
        let above = |index: usize| before[index].1.max(sole[index].1);
        let lowest = (0..sole.len()).min_by(|a, b| above(*a).total_cmp(&above(*b)));
        let Some(bearing) = lowest.filter(|index| above(*index) < BEARING) else {
            return Vec2::ZERO;
        };
        let moved = (sole[bearing].0 - before[bearing].0).as_vec2();
        let hold = (self.hold - moved).clamp_length_max(FURTHEST_HOLD);
        let back = hold - self.hold;
        self.hold = hold;
        sole.iter_mut().for_each(|(place, _)| *place += back.as_dvec2());
        back
    }
}

/// Bends a limb so that its foot gets where it should.
pub trait LegSolver: Sync {
    /// Turns joints of `pose` so that the foot numbered `foot` is at its goal. `model` is the body in that pose, in the
    /// goal's coordinates. What cannot be reached is to be come near to.
    fn reach(&self, rig: &Rig, foot: usize, goal: &FootGoal, model: &ModelPose, pose: &mut Pose);
}

/// Two bones and a hinge, in closed form.
#[derive(Clone, Copy, Debug, Default)]
pub struct Analytic;

impl LegSolver for Analytic {
    fn reach(&self, rig: &Rig, foot: usize, goal: &FootGoal, model: &ModelPose, pose: &mut Pose) {
        let limb = &rig.feet()[foot];
        let pole = model.rotation(limb.first) * rig.pole(foot);
        let bones = Limb {
            first: model.position(limb.first),
            middle: model.position(limb.middle),
            end: model.position(limb.end),
            pole,
        };
        let parents = rig.skeleton().parents();
        let above = |joint: crate::JointId| {
            let parent = usize::from(parents[joint.index()]);
            if joint.index() == 0 { Quat::IDENTITY } else { model.rotations[parent] }
        };
        let mut set = |joint: crate::JointId, parent: Quat, rotation: Quat| {
            pose.rotations[joint.index()] = (parent.inverse() * rotation).normalize();
        };
        // A foot that is there already must not lose anything by rounding.
        let mut lower = Quat::IDENTITY;
        if bones.end.distance_squared(goal.joint) > 1e-12 {
            let reach = bones.reach(goal.joint, goal.pole(pole));
            lower = reach.lower;
            set(limb.first, above(limb.first), reach.upper * model.rotation(limb.first));
            let middle = reach.lower * model.rotation(limb.middle);
            set(limb.middle, reach.upper * above(limb.middle), middle);
        }
        set(limb.end, lower * above(limb.end), goal.rotation);
    }
}

/// What is told of a foot in a frame.
pub(super) struct Footing<'a> {
    pub rig: &'a Rig,
    pub window: &'a Window,
    pub rest: &'a ModelPose,
    /// How much it bears, if that is known.
    pub contact: Option<f32>,
    pub dt: f32,
}

impl Footing<'_> {
    /// Where a foot should be.
    pub fn goal(
        &self,
        foot: usize,
        ground: &(impl Ground + ?Sized),
        state: &mut FootState,
    ) -> FootGoal {
        let limb = &self.rig.feet()[foot];
        let ahead = self.rest.rotation(limb.end) * limb.ahead;
        let ahead = Vec2::new(ahead.x, ahead.z).try_normalize().unwrap_or(Vec2::Y);
        let left = Vec2::new(ahead.y, -ahead.x);
        // Soles have few points.
        let mut bottoms = [Vec3::ZERO; MOST_POINTS];
        let count = limb.sole.len().min(bottoms.len());
        let mut lowest = f32::INFINITY;
        for (bottom, point) in bottoms.iter_mut().zip(&limb.sole) {
            *bottom =
                self.rest.position(point.joint) + self.rest.rotation(point.joint) * point.offset;
            bottom.y -= point.radius;
            lowest = lowest.min(bottom.y);
        }
        let mut touches = [0.0; MOST_POINTS];
        let (mut pivot, mut total) = (Vec2::ZERO, 0.0);
        let touch = |bottom: Vec3| {
            let near = (1.0 - (bottom.y - lowest) / TOUCHING).max(0.0);
            near * near
        };
        for index in 0..count {
            let bottom = bottoms[index];
            touches[index] = touch(bottom);
            let flat = self.rig.flat_sole(foot)[index];
            let from = Vec2::new(bottom.x, bottom.z) - left * flat.x - ahead * flat.y;
            pivot += touches[index] * from;
            total += touches[index];
        }
        let end = self.rest.position(limb.end);
        let pivot = if total > 0.0 { pivot / total } else { Vec2::new(end.x, end.z) };
        let (plan, half, carpet) = self.window.place(pivot);
        let told = self.contact(pivot, lowest, state);
        state.let_go &= told >= 1.0;
        let contact = if state.let_go {
            (state.contact - self.dt.max(0.0) / LETTING_GO).max(0.0)
        } else {
            told
        };
        let landing = contact < 1.0 && contact > state.contact;
        state.row = self.row(pivot);
        let anchor = self.window.anchor();
        let rest_pivot = Vec3::new(pivot.x, 0.0, pivot.y);
        let turn = heading(half);
        let sample = |from: Vec3| -> Option<Surface> {
            let place = self.window.world_place(Vec2::new(from.x, from.z));
            ground.at(place, carpet).filter(|surface| {
                sound(surface.height) && (surface.height - carpet).abs() < TALLEST_STEP
            })
        };
        let ahead = turn * Vec3::new(ahead.x, 0.0, ahead.y);
        if contact < 1.0 {
            state.hold *= (-self.dt.max(0.0) / LETTING_GO).exp();
        }
        if contact <= 0.0 {
            state.shift = 0.0;
        } else if landing {
            let at = Vec3::new(plan.x, 0.0, plan.y);
            let flat = self.rig.flat_sole(foot);
            let fitting = fitting_shift(flat, at, ahead, carpet, state.normal, &sample);
            state.shift += TAKING_AIM * (fitting - state.shift);
        }
        // There before it is down, so that no edge is left to be passed on the way down.
        let shift = smoothstep(EARLIER * contact) * state.shift;
        let mut at = Vec3::new(plan.x + state.hold.x, 0.0, plan.y + state.hold.y) + shift * ahead;
        let normal = self.normal(&bottoms[..count], at, rest_pivot, turn, &sample, state);
        let tilt = lean(normal) * turn;
        let (mut true_height, mut in_air) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
        let (mut supported, mut bears) = (false, 0.0);
        let mut level = [f32::INFINITY, f32::NEG_INFINITY];
        let mut places = [(DVec2::ZERO, 0.0); MOST_POINTS];
        let (sole, points) = filled_in(&bottoms[..count]);
        for (index, bottom) in sole[..points].iter().copied().enumerate() {
            let touches = touch(bottom);
            let from = tilt * (bottom - rest_pivot);
            let surface = sample(at + from);
            let place = DVec3::from(at + from) + anchor;
            supported |= surface.is_some() && touches > 0.0;
            let height = surface.map_or(carpet, |surface| surface.height);
            level = [level[0].min(height), level[1].max(height)];
            // What touched goes on touching; what did not must not sink in.
            let kept = if bottom.y < 0.0 { 1.0 } else { touches };
            let clearance = kept * bottom.y / normal.y - from.y;
            if height + clearance > true_height {
                (true_height, bears) = (height + clearance, touches);
            }
            // Above the ground, less where the pivot will be.
            places[index] = (DVec2::new(place.x, place.z), from.y - height);
            if contact < 1.0 {
                let rest = Vec2::new(bottom.x, bottom.z);
                let envelope = self.window.envelope(rest, RISING, FORESIGHT);
                let envelope = envelope.min(carpet + TALLEST_STEP);
                in_air = in_air.max(envelope + clearance);
            }
        }
        let height = match true_height.is_finite() {
            true if contact < 1.0 => {
                contact * true_height + (1.0 - contact) * in_air.max(true_height)
            }
            true => true_height,
            false => carpet,
        };
        let height = match state.height {
            Some(before) if contact < 1.0 => {
                let most = LIFTING * self.dt.max(0.0);
                height.clamp(before - most, before + most)
            }
            _ => height,
        };
        let mut height = height;
        let mut contact = contact;
        places[..points].iter_mut().for_each(|(_, above)| *above += height);
        // Whether a foot bears that is not told to can only be guessed.
        if contact < 1.0 || self.contact.is_none_or(|told| told < 1.0) {
            state.stood = None;
        } else {
            // On a level patch it does as over the flat carpet.
            let long = (bottoms[count.max(1) - 1] - bottoms[0]).length_squared() > LONG * LONG;
            let back = if long && level[1] - level[0] > EVENNESS {
                state.hold_back(&mut places[..points])
            } else {
                Vec2::ZERO
            };
            at += Vec3::new(back.x, 0.0, back.y);
            if back.abs().max_element() > NOTICED {
                // An edge may have come below it.
                for bottom in &sole[..points] {
                    let from = tilt * (*bottom - rest_pivot);
                    let surface = sample(at + from);
                    let least = surface.map_or(f32::NEG_INFINITY, |surface| surface.height);
                    height = height.max(least - from.y - DIPPING);
                }
            }
            state.stood = Some(places);
            // Its toes are over the edge and its heel is up: what it rests on is not what it could stand on.
            let heel_up = bottoms[0].y - bottoms[count.max(1) - 1].y;
            state.let_go = long && bears <= 0.0 && heel_up > HEEL_UP;
            if state.let_go {
                contact = (1.0 - self.dt.max(0.0) / LETTING_GO).clamp(0.0, 0.99);
            }
        }
        let pivot = Vec3::new(at.x, (f64::from(height) - anchor.y) as f32, at.z);
        (state.height, state.contact) = (Some(height), contact);
        let mut goal = FootGoal {
            joint: end,
            rotation: tilt * self.rest.rotation(limb.end),
            turn: tilt,
            rest_pivot,
            pivot,
            twist: 0.0,
            contact,
            normal,
            supported,
        };
        goal.joint = goal.carry(end);
        goal
    }

    /// How much a foot bears: as told, or by how low and how slow it is.
    fn contact(&self, pivot: Vec2, lowest: f32, state: &mut FootState) -> f32 {
        let origin = self.window.origin();
        let spacing = f64::from(self.window.spacing());
        let at = [
            f64::from(pivot.y) / spacing + f64::from(origin[0]),
            f64::from(pivot.x) / spacing + f64::from(origin[1]),
        ];
        let moved = state.before.map(|before| {
            let (row, column) = (at[0] - before[0], at[1] - before[1]);
            ((row * row + column * column).sqrt() * spacing) as f32
        });
        state.before = Some(at);
        let told = self.contact.filter(|contact| contact.is_finite());
        told.map_or_else(
            || {
                let speed = moved.map_or(0.0, |moved| moved / self.dt.max(1e-3));
                let part = |value: f32, from: f32, to: f32| {
                    1.0 - smoothstep(((value - from) / (to - from)).clamp(0.0, 1.0))
                };
                part(lowest, 0.01, 0.04) * part(speed, 0.25, 0.8)
            },
            |contact| contact.clamp(0.0, 1.0),
        )
    }

    /// The row beyond the pivot, counted from row 0.
    fn row(&self, pivot: Vec2) -> i32 {
        (pivot.y / self.window.spacing()).floor() as i32 + 1 + self.window.origin()[0]
    }

    /// The mean normal below a sole, without walls, as it is by now.
    fn normal(
        &self,
        bottoms: &[Vec3],
        at: Vec3,
        pivot: Vec3,
        turn: Quat,
        sample: &impl Fn(Vec3) -> Option<Surface>,
        state: &mut FootState,
    ) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for bottom in bottoms {
            if let Some(surface) = sample(at + turn * (*bottom - pivot)) {
                // Steeper than 60° is a wall, less than 45° is ground.
                let ground = ((surface.normal.y - 0.5) / 0.207).clamp(0.0, 1.0);
                if surface.normal.is_finite() {
                    sum += smoothstep(ground) * surface.normal;
                }
            }
        }
        let wanted = sum.try_normalize().filter(|normal| normal.y > 0.5).unwrap_or(Vec3::Y);
        let before = state.normal.unwrap_or(wanted);
        let part = 1.0 - (-self.dt.max(0.0) / TILTING).exp();
        let normal = before.lerp(wanted, part).try_normalize().unwrap_or(wanted);
        state.normal = Some(normal);
        normal
    }
}

/// The points of a sole with others between them, so that it can rest on the edge of a step; and how many these are.
fn filled_in(bottoms: &[Vec3]) -> ([Vec3; MOST_POINTS], usize) {
    let mut sole = [Vec3::ZERO; MOST_POINTS];
    let between = match bottoms.len() {
        0 | 1 => 0,
        count => ((MOST_POINTS - count) / (count - 1)).min(2),
    };
    let mut filled = 0;
    for (index, bottom) in bottoms.iter().enumerate() {
        sole[filled] = *bottom;
        filled += 1;
        let far = |next: &&Vec3| next.distance_squared(*bottom) > SHORT * SHORT;
        if let Some(next) = bottoms.get(index + 1).filter(far) {
            for part in 1..=between {
                sole[filled] = bottom.lerp(*next, part as f32 / (between + 1) as f32);
                filled += 1;
            }
        }
    }
    (sole, filled)
}

/// How far ahead (or back) of `at` a foot finds room for all of its sole on one step: the least that does.
fn fitting_shift(
    flat: &[Vec2],
    at: Vec3,
    ahead: Vec3,
    carpet: f32,
    normal: Option<Vec3>,
    sample: &impl Fn(Vec3) -> Option<Surface>,
) -> f32 {
    let left = Vec3::new(ahead.z, 0.0, -ahead.x);
    let normal = normal.unwrap_or(Vec3::Y);
    // How uneven the ground is below the sole, beyond its slope.
    let unevenness = |shift: f32| {
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        // Toes keep clear of the next step, or they would be caught on it when the foot leaves.
        let toes = flat.iter().copied().max_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or_default();
        let clear = toes + Vec2::new(0.0, CLEAR_OF_STEPS);
        let heel = flat.iter().copied().min_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or_default();
        let behind = heel - Vec2::new(0.0, 0.5 * CLEAR_OF_STEPS);
        for point in flat.iter().copied().chain([clear, behind]) {
            let from = (point.y + shift) * ahead + point.x * left;
            let slope = -(from.x * normal.x + from.z * normal.z) / normal.y;
            let height = sample(at + from).map_or(carpet, |surface| surface.height) - slope;
            (low, high) = (low.min(height), high.max(height));
        }
        high - low
    };
    let mut best = (unevenness(0.0), 0.0);
    let mut away = SHIFT;
    while best.0 > EVEN && away < 5.9 * SHIFT {
        for shift in [-away, away] {
            let found = unevenness(shift);
            if found < best.0 - 1e-3 && best.0 > EVEN {
                best = (found, shift);
            }
        }
        away += SHIFT;
    }
    best.1
}

/// How far the body has to come down for limbs that begin at `first` to reach their goals, m.
pub(super) fn lowering(
    rig: &Rig,
    rest: &ModelPose,
    goals: &[FootGoal],
    first: impl Fn(usize) -> Vec3,
) -> f32 {
    let mut lowering: f32 = 0.0;
    for (foot, goal) in goals.iter().enumerate() {
        let length = limb_length(rig, rest, foot);
        let away = first(foot) - goal.joint;
        let aside = away.x * away.x + away.z * away.z;
        // A knee that gets nearly straight snaps; over the flat carpet it may be as straight as it is there.
        let limb = &rig.feet()[foot];
        let flat = rest.position(limb.first).distance(rest.position(limb.end));
        let reach = (COMFORT * length).max(flat.min(STRETCH * length));
        if away.length_squared() > reach * reach {
            let most = (reach * reach - aside).max(0.0).sqrt();
            let needed = (away.y - most).clamp(0.0, DEEPEST * length);
            lowering = lowering.max(goal.contact * needed);
        }
    }
    lowering
}

/// From the first joint of a limb to its foot with the limb straight. Hocks and what else lies between its middle
/// and its end stay bent as they are over the flat carpet.
fn limb_length(rig: &Rig, rest: &ModelPose, foot: usize) -> f32 {
    let limb = &rig.feet()[foot];
    let at = |joint| rest.position(joint);
    at(limb.first).distance(at(limb.middle)) + at(limb.middle).distance(at(limb.end))
}

/// How far a body is lowered that was lowered by `before` and needs `needed`, after `dt` seconds.
pub(super) fn lowered(before: f32, needed: f32, dt: f32) -> f32 {
    needed.clamp(before - RISE * dt.max(0.0), before + SINK * dt.max(0.0))
}

/// Bends a limb over the carpet to its goal before bones are put right, so that it does not drag the body along.
/// `carried` is how the carpet turns where the limb begins, and `solved` are the joints that are moved.
pub(super) fn bend(
    rig: &Rig,
    foot: usize,
    goal: &FootGoal,
    rest: &ModelPose,
    carried: Quat,
    solved: &mut [Vec3A],
) {
    let limb = &rig.feet()[foot];
    let (top, knee) = (limb.first.index(), limb.middle.index());
    let offset = |joint: usize, from: usize| {
        Vec3::from(carried * (rest.positions[joint] - rest.positions[from]))
    };
    let first = Vec3::from(solved[top]);
    let middle = first + offset(knee, top);
    let end = middle + offset(limb.end.index(), knee);
    let pole = carried * rest.rotations[top] * rig.pole(foot);
    let (mut upper, mut lower) = (Quat::IDENTITY, Quat::IDENTITY);
    if end.distance_squared(goal.joint) > 1e-12 {
        let reach = Limb { first, middle, end, pole }.reach(goal.joint, goal.pole(pole));
        (upper, lower) = (reach.upper, reach.lower);
    }
    let middle = first + upper * (middle - first);
    let reached = middle + lower * offset(limb.end.index(), knee);
    let parents = rig.skeleton().parents();
    let mut joint = usize::from(parents[limb.end.index()]);
    while joint != knee {
        solved[joint] = (middle + lower * offset(joint, knee)).into();
        joint = usize::from(parents[joint]);
    }
    while joint != top {
        solved[joint] = (first + upper * offset(joint, top)).into();
        joint = usize::from(parents[joint]);
    }
    // What is out of reach is not held on to.
    let short = Vec3A::from(reached - goal.joint);
    for (joint, place) in solved.iter_mut().enumerate() {
        if rig.foot_of(joint) == Some(foot) {
            *place = Vec3A::from(goal.carry(rest.positions[joint].into())) + short;
        }
    }
}
