//! Somebody on a carpet: what is told of them, and what can be asked.

mod stages;

use std::sync::Arc;

use glam::{DVec2, Quat, Vec3, Vec3A};

use super::bones::Residual;
use super::feet::{FootGoal, FootState};
use super::line::{Advice, Following, Line};
use super::relation::Cycle;
use super::rig::Rig;
use super::sums::Sum;
use super::window::{Condition, Window};
use super::{CarpetError, CarpetOptions};
use crate::contact::Span;
use crate::gait::smoothstep;
use crate::pose::{ModelPose, Pose};
use crate::root::RootMotion;

/// A foot begins to be set down this part of a cycle before it stands, and is let go within the other.
const SETTING_DOWN: f32 = 0.14;
const LETTING_GO: f32 = 0.14;

/// Rows beyond those that joints relate to, which feet look ahead to.
const SPARE_ROWS: i32 = 1;

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
    Line { line: Box<Line>, cycle: Arc<Cycle>, along: f64, played: Played },
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
    sums: Vec<Sum>,
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
        // Rows that no joint relates to need not be laid.
        let (back, ahead) = (back.min(SPARE_ROWS - first), ahead.min(last + SPARE_ROWS));
        let window = Window::new(spacing, [back, half], [ahead, half], options.steepest.tan());
        let following = Following {
            spacing,
            sharpest: f64::from(options.sharpest()),
            steepest: options.steepest.tan(),
        };
        let begin = DVec2::new(f64::from(place.x), f64::from(place.z));
        let line = Line::new(following, begin, f64::from(heading), place.y);
        let played = Played::Cycle { frame: 0, part: 0.0, row: 0 };
        let course = Course::Line { line: Box::new(line), cycle, along: 0.0, played };
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
            sums: vec![Sum::default(); count],
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

    /// Pushes a joint, in m/s², in the frame to come. Nothing is pushed in [`Mode::Direct`](super::Mode::Direct).
    pub fn push(&mut self, joint: crate::JointId, acceleration: Vec3) {
        if let Some(push) = self.pushes.get_mut(joint.index())
            && acceleration.is_finite()
        {
            *push += Vec3A::from(acceleration.clamp_length_max(1e3));
            self.pushed = true;
        }
    }

    /// The body in the world.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The body as it is seen from `placement`, in body space there.
    pub fn pose_from(&self, placement: RootMotion, pose: &mut Pose) {
        pose.clone_from(&self.pose);
        pose.root -= Vec3A::from(placement.translation);
        pose.place((Quat::from_rotation_y(-placement.yaw), Vec3A::ZERO));
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
