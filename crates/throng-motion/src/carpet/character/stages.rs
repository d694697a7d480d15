//! What is done to a character in each stage of a frame.
//!
//! A stage reads what the stages before it wrote about the same character, and the ground.

use glam::{DVec3, Quat, Vec2, Vec3, Vec3A};
use throng_base::ground::Ground;
use throng_simd::Vectors;

use super::super::bones::constrain;
use super::super::descriptor::heading;
use super::super::dynamics::Mode;
use super::super::feet::{Footing, LegSolver, bend, is_out_of_reach, lowered, lowering};
use super::super::relation::nearest_distance;
use super::super::rotations::turn;
use super::super::sums::{Live, Tabled};
use super::super::target::carry;
use super::super::window::{MARGIN, Still};
use super::{Character, Course, Played, Report, row_of};

/// How much joints of feet hold their places when bones are put right.
const PINNED: f32 = 1e3;
/// What bones that were put right only nearly may lower a body by in the end, m.
const LAST_LOWERING: f32 = 0.02;

impl Character {
    /// K0: where the body is over the flat carpet, and how much its joints hold their places.
    pub(in crate::carpet) fn reset(&mut self) {
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
    pub(in crate::carpet) fn lay(
        &mut self,
        ground: &(impl Ground + ?Sized),
        vectors: Option<Vectors>,
        dt: f32,
    ) {
        match &mut self.course {
            Course::World { .. } => {
                let plan = Still { spacing: self.window.spacing(), origin: self.window.origin() };
                self.window.lay(&plan, ground, self.hint, vectors);
            }
            Course::Line { line, cycle, along, .. } => {
                let row = row_of(cycle, *along).floor() as i32;
                let standing = self.feet.iter().filter(|foot| foot.contact > 0.0);
                let frozen = standing.map(|foot| foot.row).fold(row, i32::max);
                let extent = self.window.extent();
                let origin = self.window.origin()[0];
                let rows = [extent.first[0] + origin - MARGIN, extent.last[0] + origin + MARGIN];
                if line.lay(rows, frozen, dt, ground) {
                    line.moved().for_each(|row| self.window.lift(row));
                }
                self.window.lay(&**line, ground, self.hint, vectors);
            }
        }
        self.hint = self.window.height();
    }

    /// K2 and K3: where the carpet wants joints, and where pushes let them be.
    pub(in crate::carpet) fn target(&mut self, vectors: Option<Vectors>, dt: f32) {
        let lattice = self.window.lattice();
        let sums = &mut self.sums[..];
        match &self.course {
            Course::Line { cycle, played: Played::Cycle { frame, part, row }, .. } => {
                let row = row - self.window.origin()[0];
                let says = |joint| cycle.says(*frame, joint);
                Tabled { lattice, says, part: *part, row, sums }.find(vectors);
            }
            _ => {
                let live = Live {
                    lattice,
                    joints: &self.rest.positions,
                    spacing: self.window.spacing(),
                    extent: self.window.extent(),
                    weighting: self.options.weighting(self.rig.height()),
                    sums,
                };
                live.find(vectors);
            }
        }
        for (joint, sum) in self.sums.iter().enumerate() {
            let (at, turned) = carry(&self.rig, self.rest.positions[joint].into(), sum);
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
                let turn = heading(half);
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
    pub(in crate::carpet) fn set_feet(&mut self, ground: &(impl Ground + ?Sized), dt: f32) {
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
        let first = |foot: usize, solved: &[Vec3A]| solved[rig.feet()[foot].first.index()].into();
        let needed = lowering(rig, &self.rest, &self.goals, |foot| first(foot, &self.solved));
        // Whoever appears is as low as they need to be.
        self.lowered = if self.appeared { lowered(self.lowered, needed, dt) } else { needed };
        self.appeared = true;
        for place in &mut self.solved {
            place.y -= self.lowered;
        }
        for (foot, goal) in self.goals.iter_mut().enumerate() {
            let top = first(foot, &self.solved);
            if goal.contact >= 1.0 && is_out_of_reach(rig, &self.rest, foot, goal, top) {
                goal.contact = self.feet[foot].let_go();
            }
            let carried = self.carried[rig.feet()[foot].first.index()];
            let (ahead, before) = (goal.turn * Vec3::Z, carried * Vec3::Z);
            let cross = ahead.x * before.z - ahead.z * before.x;
            goal.twist = cross.atan2(ahead.x * before.x + ahead.z * before.z);
            bend(rig, foot, goal, &self.rest, carried, &mut self.solved);
        }
    }

    /// K4: gives bones their lengths.
    pub(in crate::carpet) fn constrain(&mut self) {
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
    pub(in crate::carpet) fn finish(&mut self, solver: &dyn LegSolver) {
        let rig = &*self.rig;
        turn(rig, &self.rest, &self.carried, &self.solved, &mut self.turned, &mut self.pose);
        self.model.pose(rig.skeleton(), &self.pose);
        // Bones that were put right only nearly add up along a back; hips and shoulders share what is left.
        let mut off = Vec3A::ZERO;
        for foot in rig.feet() {
            off += self.solved[foot.first.index()] - self.model.positions[foot.first.index()];
        }
        off /= rig.feet().len().max(1) as f32;
        self.pose.root += off;
        for position in &mut self.model.positions {
            *position += off;
        }
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
}
