//! A body's surface, put together from its parts.
//!
//! The body is bound with the arms held away from it by [`ARM_ANGLE`]: half way between hanging and
//! raised, where shoulders are stretched least in either direction.

use glam::{Affine3A, Quat, Vec3};

use super::outfit::{Bottom, Detail, Outfit};
use super::physique::{Physique, PhysiqueError, Traits};
use super::surface::{Chain, HalfSurface};
use super::{Binding, Mesh, Region, arm, hair, head, leg, trunk};
use crate::contact::Side;
use crate::human::{Human, Proportions};
use crate::landmark::Landmark;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::JointId;

/// How far the arms are held away from the body in the bind pose, in radians.
const ARM_ANGLE: f32 = 0.75;

impl Mesh {
    /// The surface of `human`, as `physique` shapes it and in these clothes.
    ///
    /// Lengths, the height too, are those of `human`; `physique` gives girths and features. For
    /// most uses that is the body of [`Physique::human`]. The parts of the skin, the clothes and
    /// the hair are closed surfaces; hair, eyes and ears, and legs under a skirt or a coat, are
    /// surfaces of their own.
    ///
    /// # Errors
    ///
    /// If a parameter of the physique is not finite or outside of its range.
    pub fn body(
        human: &Human,
        physique: &Physique,
        outfit: &Outfit,
        detail: Detail,
    ) -> Result<Self, PhysiqueError> {
        physique.check()?;
        let bind = bind_pose(human);
        let inverse_bind: Vec<Affine3A> = (0..human.skeleton().len())
            .map(|joint| bind.transform(JointId::new(joint)).inverse())
            .collect();
        let mut body = Body {
            human,
            lengths: human.proportions(),
            traits: physique.traits(),
            outfit,
            detail,
            surface: HalfSurface::default(),
        };
        let openings = trunk::build(&mut body);
        arm::build(&mut body, &openings.arm);
        leg::build(&mut body, openings.leg.as_ref());
        head::build(&mut body, &openings.neck);
        hair::build(&mut body);
        Ok(body.surface.mirrored(human.skeleton(), inverse_bind))
    }
}

/// Where the joints are when the surface is bound to them.
fn bind_pose(human: &Human) -> ModelPose {
    let skeleton = human.skeleton();
    let mut pose = Pose::rest(skeleton);
    for side in Side::BOTH {
        let arm = human.joint(Landmark::upper_arm(side));
        pose.rotations[arm.index()] = Quat::from_rotation_z(side.sign() * ARM_ANGLE);
    }
    ModelPose::of(skeleton, &pose)
}

/// A body under construction, for the modules of its parts.
pub(super) struct Body<'a> {
    pub human: &'a Human,
    pub lengths: &'a Proportions,
    pub traits: Traits,
    pub outfit: &'a Outfit,
    pub detail: Detail,
    pub surface: HalfSurface,
}

impl Body<'_> {
    /// Where a joint is at rest.
    pub fn at(&self, landmark: Landmark) -> Vec3 {
        self.human.skeleton().rest_position(self.human.joint(landmark))
    }

    pub fn joint(&self, landmark: Landmark) -> JointId {
        self.human.joint(landmark)
    }

    /// From a place on the hanging left arm to where it is in the bind pose.
    pub fn on_arm(&self, rest: Vec3) -> Vec3 {
        let shoulder = self.at(Landmark::LeftUpperArm);
        shoulder + Quat::from_rotation_z(ARM_ANGLE) * (rest - shoulder)
    }

    /// Whether something hangs from the hips in one piece.
    pub fn skirted(&self) -> bool {
        self.outfit.coat || self.outfit.bottom == Bottom::Skirt
    }

    /// A closed loop of vertices.
    pub fn ring(
        &mut self,
        ring: &Ring,
        angles: &[f32],
        place: impl Fn(&Self, Vec3) -> Vec3,
    ) -> Chain {
        let mut chain = Chain::default();
        let rounder = circumscribed(angles.len());
        for &angle in angles {
            let at = ring.centre + ring.section.point(angle) * rounder;
            let at = place(self, at);
            let vertex = self.surface.vertex(at, ring.binding);
            chain.push(vertex, angle);
        }
        chain
    }
}

/// A cross-section of a limb.
pub(super) struct Ring {
    pub centre: Vec3,
    pub section: Section,
    pub binding: Binding,
}

/// A horizontal cross-section: two halves of superellipses, one in front and one behind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// Half of the breadth.
    pub side: f32,
    /// How far it reaches forwards.
    pub front: f32,
    /// How far it reaches backwards.
    pub back: f32,
    /// 2 for ellipses; more is squarer.
    pub square: f32,
}

impl Section {
    pub fn new([side, front, back]: [f32; 3], square: f32) -> Self {
        Self { side, front, back, square }
    }

    pub fn scaled(self, by: f32) -> Self {
        Self { side: by * self.side, front: by * self.front, back: by * self.back, ..self }
    }

    /// Its edge at `angle` degrees from the front.
    pub fn point(&self, angle: f32) -> Vec3 {
        let (sin, cos) = angle.to_radians().sin_cos();
        let power = 2.0 / self.square;
        let depth = if cos > 0.0 { self.front } else { self.back };
        Vec3::new(
            self.side * sin.signum() * sin.abs().powf(power),
            0.0,
            depth * cos.signum() * cos.abs().powf(power),
        )
    }
}

/// By how much a polygon with `corners` on a round section has to grow to be about as large as it.
pub(super) fn circumscribed(corners: usize) -> f32 {
    let n = corners as f32;
    let share = n / std::f32::consts::TAU * (std::f32::consts::TAU / n).sin();
    // A triangle of the same area would stick out by more than half of the radius.
    (1.0 / share.sqrt()).min(1.35)
}

/// The region of clothes, or skin where they do not reach.
pub(super) fn covered(region: Region, covered: bool) -> Region {
    if covered { region } else { Region::Skin }
}
