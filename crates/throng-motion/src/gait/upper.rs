//! What a body does above its feet over a cycle: root, pelvis, spine, head and arms.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};

use super::cycle::Walker;
use super::law::Gait;
use super::sketch::{Arm, REACH, Sketch, Trunk};
use super::smooth::{blurred, dilated, smoothstep};
use super::tables::CurveAt;
use crate::clip::around;
use crate::contact::Side;

/// Legs that carry are stretched no further than this part of their length: knees that were straight
/// when the heel lands would have to snap.
const STANCE_REACH: f32 = 0.9978;

impl Walker<'_> {
    /// The root at a phase, lowered by what is known so far.
    pub(super) fn root(&self, phase: f32) -> Vec3 {
        let style = &self.plan.style;
        // The midline curves belong to the phase at which the left foot's curves begin.
        let phase = phase + self.strike;
        let unit = 0.001 * self.leg;
        let height = self.curve(|table| &table.root_height);
        let surge = self.curve(|table| &table.root_ahead);
        let surge_kept = match self.plan.gait {
            Gait::Walk => surge.kept(33.0, 56.0),
            Gait::Run => surge.kept(42.0, 79.0),
        };
        let ahead =
            surge.value(phase) * surge_kept * unit * self.reach + self.impact(phase - self.strike);
        let aside = self.curve(|table| &table.root_left).value(phase) * unit * style.sway;
        let turn = Quat::from_rotation_y(self.plan.angle);
        // Sideways, the sway to the side would work against the way.
        let sway = aside * (1.0 - 0.8 * self.sideways);
        Vec3::new(sway, 0.0, 0.0)
            + turn * Vec3::new(0.0, 0.0, ahead)
            + Vec3::Y
                * unit
                * (height.mean() - self.crouch()
                    + style.bounce * self.bounce() * height.swing(phase))
            - Vec3::Y * self.lowered(phase - self.strike)
    }

    /// By how much slow walkers are lower than the table has them, in thousandths of the leg: their
    /// legs would not reach.
    fn crouch(&self) -> f32 {
        match self.plan.gait {
            Gait::Walk => 80.0 * (0.30 - self.speed_number).clamp(0.0, 0.15),
            Gait::Run => 0.0,
        }
    }

    fn lowered(&self, phase: f32) -> f32 {
        if self.lowering.is_empty() {
            return 0.0;
        }
        let (index, next, part) = around(phase, self.lowering.len());
        let here = self.lowering[index];
        here + (self.lowering[next] - here) * part
    }

    /// How much of the table's rise and fall: it goes with the square of the steps' length, and
    /// people who walk very fast keep their heads calm.
    pub(super) fn bounce(&self) -> f32 {
        let calm = match self.plan.gait {
            Gait::Walk => {
                let (slow, fast) = (0.28 - self.speed_number, self.speed_number - 0.46);
                1.0 + 2.8 * slow.clamp(0.0, 0.1) - 2.8 * fast.max(0.0)
            }
            Gait::Run => 1.0,
        };
        calm * (self.reach * self.reach).clamp(0.3, 1.4)
    }

    /// What a heel that lands does to the root: it shakes a little along the way. The average of
    /// many strides has lost that.
    pub(super) fn impact(&self, phase: f32) -> f32 {
        let since = (2.0 * phase).rem_euclid(1.0);
        let size = match self.plan.gait {
            Gait::Walk => 0.0032 + 0.0028 * smoothstep((self.speed_number - 0.2) / 0.2),
            Gait::Run => 0.0030,
        };
        let shake = size * (TAU * 2.6 * since).sin() * (-4.0 * since).exp();
        // It begins and ends gently.
        shake * smoothstep(since / 0.12) * self.leg * (1.0 - self.sideways)
    }

    /// A body without feet at a phase.
    pub(super) fn upper(&self, phase: f32) -> Sketch {
        let style = &self.plan.style;
        let ahead = 1.0 - self.sideways;
        let degrees = |curve: CurveAt, factor: f32| {
            (curve.mean() + factor * curve.swing(phase + self.strike)).to_radians()
        };
        let tilt = self.curve(|table| &table.pelvis_tilt);
        let rotation = self.curve(|table| &table.pelvis_rotation);
        let (tilting, kept) = match self.plan.gait {
            Gait::Walk => (tilt.kept(2.0, 4.5), rotation.kept(6.0, 16.5)),
            Gait::Run => (tilt.kept(4.3, 7.0), rotation.kept(8.6, 14.6)),
        };
        let turning = ahead * style.pelvis_rotation * kept;
        let opposing = ahead * style.thorax_rotation;
        let pelvis = Trunk {
            flexion: degrees(tilt, tilting),
            bend: degrees(self.curve(|table| &table.pelvis_list), style.pelvis_list),
            rotation: self.pelvis_yaw + degrees(rotation, turning),
        };
        // The chest faces ahead whatever the pelvis does.
        let back = -self.pelvis_yaw;
        let lumbar = Trunk {
            flexion: degrees(self.curve(|table| &table.lumbar_flexion), 1.0)
                + 0.5 * style.trunk_lean,
            bend: degrees(self.curve(|table| &table.lumbar_bend), style.pelvis_list),
            rotation: 0.4 * back + degrees(self.curve(|table| &table.lumbar_rotation), opposing),
        };
        let thorax = Trunk {
            flexion: degrees(self.curve(|table| &table.thoracic_flexion), 1.0)
                + 0.5 * style.trunk_lean,
            bend: degrees(self.curve(|table| &table.thoracic_bend), 1.0),
            rotation: 0.6 * back + degrees(self.curve(|table| &table.thoracic_rotation), opposing),
        };
        let head = Trunk {
            // Whoever leans still looks ahead.
            flexion: degrees(self.curve(|table| &table.head_flexion), 1.0) + style.head_pitch
                - style.trunk_lean,
            bend: degrees(self.curve(|table| &table.head_bend), 1.0),
            rotation: degrees(self.curve(|table| &table.head_rotation), opposing),
        };
        let arms = [Side::Left, Side::Right].map(|side| self.arm(side, phase));
        Sketch { root: self.root(phase), pelvis, lumbar, thorax, head, arms, ..Sketch::default() }
    }

    pub(super) fn arm(&self, side: Side, phase: f32) -> Arm {
        let style = &self.plan.style;
        let limb = self.limb(side, phase);
        // Below 0.8 m/s or so real arms hardly swing with the legs.
        let slow = match self.plan.gait {
            Gait::Walk => 0.4 + 0.6 * ((self.speed_number - 0.15) / 0.12).clamp(0.0, 1.0),
            Gait::Run => 1.0,
        };
        // Very fast walkers swing them no further.
        let fast = match self.plan.gait {
            Gait::Walk => 1.0 - 0.6 * (self.speed_number - 0.57).clamp(0.0, 0.3),
            Gait::Run => 1.0,
        };
        let amount = self.plan.arms * fast * (1.0 - 0.8 * self.sideways);
        let swing = |curve: CurveAt, factor: f32| {
            (curve.mean() + amount * factor * curve.swing_with(limb, slow)).to_radians()
        };
        let bends = self.curve(|table| &table.elbow_flexion);
        let bending = match self.plan.gait {
            Gait::Walk => style.elbow_swing * bends.kept(15.0, 50.0),
            Gait::Run => style.elbow_swing,
        };
        let body = self.plan.human.proportions();
        let length = (body.upper_arm + body.forearm) / self.leg;
        let pendulum = (1.0 + (0.62 - length)).clamp(0.9, 1.1);
        Arm {
            flexion: swing(self.curve(|table| &table.shoulder_flexion), pendulum * style.arm_swing),
            abduction: swing(self.curve(|table| &table.shoulder_abduction), 1.0)
                + style.arm_abduction,
            rotation: swing(self.curve(|table| &table.shoulder_rotation), style.arm_swing),
            elbow: (swing(bends, bending) + style.elbow).max(0.05),
        }
    }

    /// Learns how far the root has to come down before any heel rises: a leg that is over its foot
    /// must reach it flat.
    pub(super) fn settle(&mut self, count: usize) {
        let sketches: Vec<Sketch> = (0..count)
            .map(|index| {
                let phase = index as f32 / count as f32;
                let mut sketch = self.upper(phase);
                for side in Side::BOTH {
                    let limb = self.limb(side, phase);
                    let foot = self.stance_foot(side, limb, self.stance_pitch(limb));
                    sketch.feet[side as usize] = foot;
                }
                sketch
            })
            .collect();
        // Later in stance, and whenever people run, heels rise.
        let flat = match self.plan.gait {
            Gait::Walk => 0.42,
            Gait::Run => 0.0,
        };
        self.lowering = self.missing(&sketches, self.strike + flat);
    }

    /// How far the root has to come down at each sample so that legs reach the feet that stand,
    /// up to a limb's phase, smoothly.
    pub(super) fn missing(&self, sketches: &[Sketch], until: f32) -> Vec<f32> {
        let human = self.plan.human;
        let missing: Vec<f32> = sketches
            .iter()
            .enumerate()
            .map(|(index, sketch)| {
                let phase = index as f32 / sketches.len() as f32;
                let standing =
                    Side::BOTH.into_iter().filter(|side| self.limb(*side, phase) <= until);
                standing.map(|side| sketch.excess(human, side, STANCE_REACH)).fold(0.0, f32::max)
            })
            .collect();
        blurred(&dilated(&missing, 0.06), 0.035)
    }

    /// Brings the root down where a leg would not reach, and a swinging foot in.
    pub(super) fn lower_root(&self, sketches: &mut [Sketch]) {
        let lowering = self.missing(sketches, self.timing.toe_off);
        for (sketch, down) in sketches.iter_mut().zip(lowering) {
            sketch.root.y -= down;
            for side in Side::BOTH {
                let excess = sketch.excess(self.plan.human, side, REACH);
                sketch.feet[side as usize].ankle.y += excess;
            }
        }
    }
}
