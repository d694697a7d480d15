//! Somebody on a carpet.

use std::sync::Arc;

use glam::{DVec2, DVec3, Quat, Vec2, Vec3, Vec3A};

use super::bones::{Residual, constrain};
use super::dynamics::Mode;
use super::feet::{FootGoal, FootState, Footing, LegSolver, bend, lowered, lowering};
use super::ground::Ground;
use super::line::{Advice, Following, Line};
use super::relation::{Cycle, Say, nearest_distance, relate};
use super::rig::Rig;
use super::rotations::turn;
use super::target::{Sums, carry};
use super::window::{Condition, MARGIN, Still, Window};
use super::{CarpetError, CarpetOptions};
use crate::contact::Span;
use crate::gait::smoothstep;
use crate::pose::{ModelPose, Pose};
use crate::root::RootMotion;

/// How much joints of feet hold their places when bones are put right.
const PINNED: f32 = 1e3;
/// What bones that were put right only nearly may lower a body by in the end, m.
const LAST_LOWERING: f32 = 0.02;
/// A foot begins to be set down this part of a cycle before it stands, and is let go within the other.
const SETTING_DOWN: f32 = 0.14;
const LETTING_GO: f32 = 0.14;

/// What came of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// How well bones keep their lengths before joints are turned.
    pub bones: Residual,
    /// What is odd about the carpet within a step of the body.
    pub condition: Condition,
    /// How far a foot that bears is from where it should be, m.
    pub unreached: f32,
    /// How far the body is lowered so that its legs reach, m.
    pub lowered: f32,
    /// Whether some foot that bears has no ground to stand on.
    pub unsupported: bool,
}

/// Where the carpet lies.
#[derive(Clone, Debug)]
enum Course {
    /// Where the world is.
    World { placement: RootMotion },
    /// Along a line.
    Line { line: Line, cycle: Arc<Cycle>, along: f64, played: Played },
}

/// What is shown on a line.
#[derive(Clone, Copy, Debug)]
enum Played {
    /// The cycle, so far in.
    Cycle { frame: usize, part: f32, row: i32 },
    /// A pose that was handed over.
    Pose,
}

/// A body on its carpet.
#[derive(Clone, Debug)]
pub struct Character {
    rig: Arc<Rig>,
    options: CarpetOptions,
    window: Window,
    course: Course,
    /// Over the flat carpet.
    flat: Pose,
    rest: ModelPose,
    contacts: Vec<Option<f32>>,
    affinity: Vec<f32>,
    says: Vec<Say>,
    targets: Vec<Vec3A>,
    carried: Vec<Quat>,
    deviations: Vec<Vec3A>,
    before: Vec<Vec3A>,
    pushes: Vec<Vec3A>,
    pushed: bool,
    feet: Vec<FootState>,
    goals: Vec<FootGoal>,
    lowered: f32,
    solved: Vec<Vec3A>,
    turned: Vec<Quat>,
    model: ModelPose,
    pose: Pose,
    report: Report,
    ready: bool,
    appeared: bool,
    hint: f32,
}

impl Character {
    /// A body that something else moves over a flat world: see [`show`](Self::show).
    ///
    /// # Errors
    ///
    /// If the options make no carpet.
    pub fn on_world(rig: Arc<Rig>, options: CarpetOptions) -> Result<Self, CarpetError> {
        options.check()?;
        let cells = (options.reach / options.spacing).ceil() as i32;
        let window = Window::new(options.spacing, [cells; 2], [cells; 2], options.steepest.tan());
        let course = Course::World { placement: RootMotion::default() };
        Ok(Self::new(rig, options, window, course, 0.0))
    }

    /// A body in `cycle` that begins at `place` in the world, with its carpet towards `heading` (radians to the left
    /// of `+z`). It goes straight on until it is told a way to [`follow`](Self::follow).
    ///
    /// # Errors
    ///
    /// If the options make no carpet, the carpet is too short for the cycle, or the cycle is of another rig.
    pub fn on_line(
        rig: Arc<Rig>,
        cycle: Arc<Cycle>,
        place: Vec3,
        heading: f32,
        options: CarpetOptions,
    ) -> Result<Self, CarpetError> {
        options.check()?;
        if !(place.is_finite() && heading.is_finite()) {
            return Err(CarpetError::Begin);
        }
        let half = i32::from(options.columns) / 2;
        let mut pose = Pose::default();
        cycle.sample(0, 0.0, &mut pose);
        if pose.rotations.len() != rig.skeleton().len() || cycle.columns() != half {
            return Err(CarpetError::OtherRig);
        }
        let spacing = cycle.spacing();
        let back = (options.back / spacing).round() as i32;
        let ahead = i32::from(options.rows) - back;
        let [first, last] = cycle.reach();
        if first < -back || last > ahead {
            let metres = |rows: i32| rows as f32 * spacing;
            return Err(CarpetError::TooShort {
                back: metres(back),
                ahead: metres(ahead),
                needed_back: metres(-first),
                needed_ahead: metres(last),
            });
        }
        let window = Window::new(spacing, [back, half], [ahead, half], options.steepest.tan());
        let following = Following {
            spacing,
            sharpest: f64::from(options.sharpest()),
            steepest: options.steepest.tan(),
        };
        let begin = DVec2::new(f64::from(place.x), f64::from(place.z));
        let line = Line::new(following, begin, f64::from(heading), place.y);
        let played = Played::Cycle { frame: 0, part: 0.0, row: 0 };
        let course = Course::Line { line, cycle, along: 0.0, played };
        let mut character = Self::new(rig, options, window, course, place.y);
        character.advance(0.0);
        Ok(character)
    }

    fn new(
        rig: Arc<Rig>,
        options: CarpetOptions,
        window: Window,
        course: Course,
        hint: f32,
    ) -> Self {
        let count = rig.skeleton().len();
        let rest = Pose::rest(rig.skeleton());
        let feet = rig.feet().len();
        Self {
            options,
            window,
            course,
            rest: ModelPose::of(rig.skeleton(), &rest),
            model: ModelPose::of(rig.skeleton(), &rest),
            flat: rest.clone(),
            pose: rest,
            contacts: vec![None; feet],
            affinity: vec![0.0; count],
            says: Vec::with_capacity(1024),
            targets: vec![Vec3A::ZERO; count],
            carried: vec![Quat::IDENTITY; count],
            deviations: vec![Vec3A::ZERO; count],
            before: vec![Vec3A::ZERO; count],
            pushes: vec![Vec3A::ZERO; count],
            pushed: false,
            feet: vec![FootState::NEW; feet],
            goals: Vec::with_capacity(feet),
            lowered: 0.0,
            solved: vec![Vec3A::ZERO; count],
            turned: Vec::with_capacity(count),
            report: Report::default(),
            ready: false,
            appeared: false,
            hint: if hint.is_finite() { hint } else { 0.0 },
            rig,
        }
    }

    /// Hands over a finished pose over the flat world. `pose` is in body space, with the ground at height 0, and
    /// `placement` says where body space is; its height tells at which storey the ground is looked for when the body
    /// appears. `contacts` says how much each foot bears, from 0 to 1; feet of which that is not said are judged by how low
    /// and how slow they are.
    ///
    /// On a line, body space is that of the carpet at the abstract root.
    ///
    /// Poses and placements that are not finite, and poses of other skeletons, are not taken over: the body stays as it
    /// was.
    pub fn show(&mut self, pose: &Pose, placement: RootMotion, contacts: &[Option<f32>]) {
        let finite = pose.root.is_finite() && pose.rotations.iter().all(|turn| turn.is_finite());
        let near = placement.translation.abs().max_element() < 1e7;
        if pose.rotations.len() != self.rig.skeleton().len()
            || !finite
            || !placement.is_finite()
            || !near
        {
            return;
        }
        self.flat.root = pose.root;
        self.flat.rotations.clone_from(&pose.rotations);
        for (foot, contact) in self.contacts.iter_mut().enumerate() {
            *contact = contacts.get(foot).copied().flatten();
        }
        match &mut self.course {
            Course::World { placement: at } => {
                if !self.ready {
                    self.hint = placement.translation.y;
                }
                *at = placement;
            }
            Course::Line { played, .. } => {
                self.flat.place(placement.placement());
                *played = Played::Pose;
            }
        }
        self.ready = true;
    }

    /// Takes another way, through places in the world. Rows under feet that stand stay where they are. Whether that is a
    /// way at all: with a path of no length the body goes straight on. Without effect on the world.
    pub fn follow(&mut self, path: impl IntoIterator<Item = Vec3>) -> bool {
        match &mut self.course {
            Course::Line { line, .. } => {
                line.follow(path.into_iter().map(|at| DVec2::new(f64::from(at.x), f64::from(at.z))))
            }
            Course::World { .. } => false,
        }
    }

    /// Goes on by `distance` metres of carpet: the cycle goes on with it. A cycle that leads nowhere goes on by seconds
    /// instead. Without effect on the world.
    pub fn advance(&mut self, distance: f32) {
        let Course::Line { cycle, along, played, .. } = &mut self.course else { return };
        if !distance.is_finite() {
            return;
        }
        *along += f64::from(distance);
        let rows = cycle.rows();
        let length = if rows == 0 { f64::from(cycle.period()) } else { f64::from(cycle.travel()) };
        let cycles = (*along / length).floor();
        let phase = (*along / length - cycles) as f32;
        let (frame, part) = cycle.frame(phase);
        cycle.sample(frame, part, &mut self.flat);
        let row = (cycles * f64::from(rows)) as i32;
        *played = Played::Cycle { frame, part, row };
        for (foot, contact) in self.contacts.iter_mut().enumerate() {
            *contact = bearing(cycle.contacts(foot), phase);
        }
        self.ready = true;
    }

    /// Lays the carpet anew from `place` towards `heading`, as after a turn on the spot; how far the body has come in its
    /// cycle stays. Without effect on the world, or if it is nowhere.
    pub fn lay_anew(&mut self, place: Vec3, heading: f32) {
        let Course::Line { line, along, cycle, .. } = &mut self.course else { return };
        if !(place.is_finite() && heading.is_finite()) {
            return;
        }
        let begin = DVec2::new(f64::from(place.x), f64::from(place.z));
        let row = *along / f64::from(cycle.spacing());
        let back = (row - row.floor()) * f64::from(cycle.spacing());
        let (sin, cos) = f64::from(heading).sin_cos();
        line.begin_at(
            row.floor() as i32,
            begin - back * DVec2::new(sin, cos),
            f64::from(heading),
            place.y,
        );
        self.window.clear();
        self.hint = place.y;
    }

    /// Whether the carpet can be bent along the way ahead; `clearance` is how much room there is to cut corners, in metres,
    /// if that is known.
    pub fn advice(&self, clearance: Option<f32>) -> Advice {
        match &self.course {
            Course::Line { line, cycle, along, .. } => {
                let half_stride = f64::from(0.5 * cycle.travel().max(0.3));
                line.advise(
                    *along / f64::from(cycle.spacing()),
                    half_stride,
                    clearance.map(f64::from),
                )
            }
            Course::World { .. } => Advice::Bend,
        }
    }

    /// Pushes a joint, in m/s², in the frame to come. Nothing is pushed in [`Mode::Direct`].
    pub fn push(&mut self, joint: crate::JointId, acceleration: Vec3) {
        if let Some(push) = self.pushes.get_mut(joint.index())
            && acceleration.is_finite()
        {
            *push += Vec3A::from(acceleration.clamp_length_max(1e3));
            self.pushed = true;
        }
    }

    /// How joints get to where the carpet wants them, from the next frame on.
    pub fn set_mode(&mut self, mode: Mode) {
        if self.options.spring.mode != mode {
            self.options.spring.mode = mode;
            self.deviations.fill(Vec3A::ZERO);
            self.before.fill(Vec3A::ZERO);
        }
    }

    /// The body in the world.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Where the joints are in the world.
    pub fn model(&self) -> &ModelPose {
        &self.model
    }

    /// Where the body would be over the flat carpet: in the world, or along the carpet from its first row.
    pub fn flat(&self) -> &ModelPose {
        &self.rest
    }

    /// The carpet.
    pub fn carpet(&self) -> &Window {
        &self.window
    }

    /// Where the abstract root is in plan, and the heading of the carpet there.
    pub fn root(&self) -> (DVec2, f64) {
        match &self.course {
            Course::World { placement } => {
                let at = placement.translation.as_dvec3();
                (DVec2::new(at.x, at.z), f64::from(placement.yaw))
            }
            Course::Line { line, cycle, along, .. } => line.at(row_of(cycle, *along)),
        }
    }

    /// Where each foot should be, in the coordinates of the carpet's [anchor](Window::anchor).
    pub fn feet(&self) -> &[FootGoal] {
        &self.goals
    }

    /// Where joints were after their bones were put right and before they were turned, from the carpet's anchor.
    pub fn solved(&self) -> &[Vec3A] {
        &self.solved
    }

    /// Where the carpet wants each joint, from its anchor.
    pub fn targets(&self) -> &[Vec3A] {
        &self.targets
    }

    /// How much each joint holds its place.
    pub fn affinities(&self) -> &[f32] {
        &self.affinity
    }

    /// What came of the last frame.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Its rig.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// K0: where the body is over the flat carpet, and how much its joints hold their places.
    pub(super) fn reset(&mut self) {
        let spacing = f64::from(self.window.spacing());
        let hint = f64::from(self.hint);
        match &self.course {
            Course::World { placement } => {
                let at = placement.translation.as_dvec3();
                let index = [(at.z / spacing).round() as i32, (at.x / spacing).round() as i32];
                let anchor = || {
                    DVec3::new(f64::from(index[1]) * spacing, hint, f64::from(index[0]) * spacing)
                };
                self.window.slide(index, anchor);
                let anchor = self.window.anchor();
                let shift = DVec3::new(at.x - anchor.x, 0.0, at.z - anchor.z).as_vec3a();
                let turned = Quat::from_rotation_y(placement.yaw);
                let mut pose = std::mem::take(&mut self.flat);
                let kept = (pose.root, pose.rotations[0]);
                pose.place((turned, shift));
                self.rest.pose(self.rig.skeleton(), &pose);
                (pose.root, pose.rotations[0]) = kept;
                self.flat = pose;
            }
            Course::Line { line, cycle, along, played } => {
                let row = row_of(cycle, *along);
                let index = [row.floor() as i32, 0];
                let anchor = || {
                    let place = line.at(row).0;
                    DVec3::new(place.x, hint, place.y)
                };
                self.window.slide(index, anchor);
                let origin = self.window.origin()[0];
                let shift = match played {
                    Played::Cycle { row, .. } => f64::from(row - origin) * spacing,
                    Played::Pose => (row - f64::from(origin)) * spacing,
                };
                let kept = self.flat.root;
                self.flat.root.z += shift as f32;
                self.rest.pose(self.rig.skeleton(), &self.flat);
                self.flat.root = kept;
            }
        }
        let extent = self.window.extent();
        let (height, floor) = (self.rig.height(), self.options.affinity_floor);
        let count = self.affinity.len();
        for (joint, affinity) in self.affinity.iter_mut().enumerate() {
            let near =
                nearest_distance(self.rest.positions[joint].into(), self.window.spacing(), &extent);
            *affinity = self.options.affinity.of(near, height, floor, count);
        }
    }

    /// K1: lays the carpet under the body.
    pub(super) fn lay(&mut self, ground: &(impl Ground + ?Sized), dt: f32) {
        match &mut self.course {
            Course::World { .. } => {
                let plan = Still { spacing: self.window.spacing(), origin: self.window.origin() };
                self.window.lay(&plan, ground, self.hint);
            }
            Course::Line { line, cycle, along, .. } => {
                let row = row_of(cycle, *along).floor() as i32;
                let standing = self.feet.iter().filter(|foot| foot.contact > 0.0);
                let frozen = standing.map(|foot| foot.row).fold(row, i32::max);
                let extent = self.window.extent();
                let origin = self.window.origin()[0];
                let rows = [extent.first[0] + origin - MARGIN, extent.last[0] + origin + MARGIN];
                if line.lay(rows, frozen, dt, ground) {
                    self.window.lift_beyond(frozen);
                }
                self.window.lay(line, ground, self.hint);
            }
        }
        self.hint = self.window.height();
    }

    /// K2 and K3: where the carpet wants joints, and where pushes let them be.
    pub(super) fn target(&mut self, dt: f32) {
        let weighting = self.options.weighting(self.rig.height());
        let extent = self.window.extent();
        let spacing = self.window.spacing();
        let count = self.targets.len();
        let (window, says, rig) = (&self.window, &mut self.says, &*self.rig);
        let tabled = match &self.course {
            Course::Line { cycle, played: Played::Cycle { frame, part, row, .. }, .. } => {
                Some((cycle, *frame, *part, row - window.origin()[0]))
            }
            _ => None,
        };
        for joint in 0..count {
            let rest = Vec3::from(self.rest.positions[joint]);
            let (at, turned) = match tabled {
                Some((cycle, frame, part, row)) => {
                    let says = cycle.says(frame, joint);
                    carry(rig, rest, |upright| Sums::tabled(window, says, part, row, upright))
                }
                None => {
                    relate(rest, spacing, &extent, &weighting, says);
                    carry(rig, rest, |upright| Sums::live(window, says, upright))
                }
            };
            self.targets[joint] = at.into();
            self.carried[joint] = turned;
        }
        self.integrate(dt);
    }

    fn integrate(&mut self, dt: f32) {
        let spring = self.options.spring;
        self.solved.clone_from(&self.targets);
        match spring.mode {
            Mode::Direct => {}
            Mode::Dynamic => {
                // Who has not been pushed for long is where they are wanted.
                let still =
                    !self.pushed && self.deviations.iter().all(|at| at.abs().max_element() < 1e-7);
                if still {
                    self.deviations.fill(Vec3A::ZERO);
                    self.before.fill(Vec3A::ZERO);
                    return;
                }
                for joint in 0..self.solved.len() {
                    let (deviation, before) =
                        (&mut self.deviations[joint], &mut self.before[joint]);
                    spring.deviate(self.affinity[joint], self.pushes[joint], dt, deviation, before);
                    self.solved[joint] += *deviation;
                }
            }
            Mode::Literal => {
                let root = self.rest.positions[0];
                let (plan, half, height) = self.window.place(Vec2::new(root.x, root.z));
                let turn = super::descriptor::heading(half);
                let lift = (f64::from(height) - self.window.anchor().y) as f32;
                let origin = Vec3A::new(plan.x, lift, plan.y);
                let below = Vec3A::new(root.x, 0.0, root.z);
                for joint in 0..self.solved.len() {
                    let carried = origin + turn * (self.rest.positions[joint] - below);
                    let (place, before) = (&mut self.deviations[joint], &mut self.before[joint]);
                    let wanted = self.targets[joint] - carried;
                    spring.draw(self.affinity[joint], self.pushes[joint], wanted, place, before);
                    self.solved[joint] = carried + *place;
                }
            }
        }
        self.pushes.fill(Vec3A::ZERO);
        self.pushed = false;
    }

    /// Where feet should be, and how far the body has to come down for them.
    pub(super) fn set_feet(&mut self, ground: &(impl Ground + ?Sized), dt: f32) {
        self.goals.clear();
        for foot in 0..self.rig.feet().len() {
            let footing = Footing {
                rig: &self.rig,
                window: &self.window,
                rest: &self.rest,
                contact: self.contacts[foot],
                dt,
            };
            let goal = footing.goal(foot, ground, &mut self.feet[foot]);
            self.goals.push(goal);
        }
        let rig = &*self.rig;
        let needed = lowering(rig, &self.rest, &self.goals, |foot| {
            self.solved[rig.feet()[foot].first.index()].into()
        });
        // Whoever appears is as low as they need to be.
        self.lowered = if self.appeared { lowered(self.lowered, needed, dt) } else { needed };
        self.appeared = true;
        for place in &mut self.solved {
            place.y -= self.lowered;
        }
        for (foot, goal) in self.goals.iter_mut().enumerate() {
            let carried = self.carried[rig.feet()[foot].first.index()];
            let (ahead, before) = (goal.turn * Vec3::Z, carried * Vec3::Z);
            let cross = ahead.x * before.z - ahead.z * before.x;
            goal.twist = cross.atan2(ahead.x * before.x + ahead.z * before.z);
            bend(rig, foot, goal, &self.rest, carried, &mut self.solved);
        }
    }

    /// K4: gives bones their lengths.
    pub(super) fn constrain(&mut self) {
        for joint in 0..self.affinity.len() {
            if self.rig.foot_of(joint).is_some() {
                self.affinity[joint] *= PINNED;
            }
        }
        self.report.bones = constrain(
            self.rig.skeleton().parents(),
            self.rig.lengths(),
            &self.affinity,
            &self.rest.positions,
            (self.options.tolerance, self.options.iterations),
            &mut self.solved,
        );
        for joint in 0..self.affinity.len() {
            if self.rig.foot_of(joint).is_some() {
                self.affinity[joint] /= PINNED;
            }
        }
    }

    /// Turns joints to where they are, sets feet down exactly, and tells where the body is in the world.
    pub(super) fn finish(&mut self, solver: &dyn LegSolver) {
        let rig = &*self.rig;
        turn(rig, &self.rest, &self.carried, &self.solved, &mut self.turned, &mut self.pose);
        self.model.pose(rig.skeleton(), &self.pose);
        let first = |foot: usize| self.model.position(rig.feet()[foot].first);
        let further = lowering(rig, &self.rest, &self.goals, first).min(LAST_LOWERING);
        if further > 0.0 {
            self.pose.root.y -= further;
            for position in &mut self.model.positions {
                position.y -= further;
            }
        }
        for (foot, goal) in self.goals.iter().enumerate() {
            solver.reach(rig, foot, goal, &self.model, &mut self.pose);
        }
        for joint in 1..self.solved.len() {
            let end = rig.foot_of(joint).map(|foot| rig.feet()[foot].end.index());
            if end.is_some_and(|end| end != joint) {
                self.pose.rotations[joint] = self.flat.rotations[joint];
            }
        }
        self.model.pose(rig.skeleton(), &self.pose);
        let mut unreached: f32 = 0.0;
        let mut unsupported = false;
        for (foot, goal) in self.goals.iter().enumerate() {
            let away = self.model.position(rig.feet()[foot].end).distance(goal.joint);
            unreached = unreached.max(goal.contact * away);
            unsupported |= goal.contact > 0.5 && !goal.supported;
        }
        let root = self.rest.positions[0];
        self.report = Report {
            bones: self.report.bones,
            condition: self.window.condition_near(Vec2::new(root.x, root.z), 0.4),
            unreached,
            lowered: self.lowered + further,
            unsupported,
        };
        let anchor = self.window.anchor();
        for position in &mut self.model.positions {
            *position = (position.as_dvec3() + anchor).as_vec3a();
        }
        self.pose.root = (self.pose.root.as_dvec3() + anchor).as_vec3a();
    }

    /// Whether there is anything to show.
    pub(super) fn is_ready(&self) -> bool {
        self.ready
    }
}

/// The row at which a body is that has come so far.
fn row_of(cycle: &Cycle, along: f64) -> f64 {
    if cycle.rows() == 0 { 0.0 } else { along / f64::from(cycle.spacing()) }
}

/// How much a foot bears at `phase`, if it is known when it stands.
fn bearing(spans: &[Span], phase: f32) -> Option<f32> {
    if spans.is_empty() {
        return None;
    }
    let of_span = |span: &Span| {
        if span.progress(phase).is_some() {
            return 1.0;
        }
        let until = (span.start - phase).rem_euclid(1.0);
        let since = (phase - span.start - span.length).rem_euclid(1.0);
        let landing = 1.0 - until / SETTING_DOWN;
        let lifting = 1.0 - since / LETTING_GO;
        smoothstep(landing.max(lifting).max(0.0))
    };
    Some(spans.iter().map(of_span).fold(0.0, f32::max))
}
