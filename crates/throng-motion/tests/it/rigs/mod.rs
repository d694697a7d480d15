//! Bodies of other makes: other rest poses, other numbers of joints, joints turned at will.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::sync::Arc;

use glam::{EulerRot, Quat, Vec3, Vec3A};
use throng_motion::{Joint, JointId, Landmark, Landmarks, ModelPose, Motion, Pose, Side, Skeleton};

/// How a rig is made.
#[derive(Clone, Copy, Debug)]
pub struct Rig {
    /// From the hips to the knee, and so on: everything is a multiple of it.
    pub size: f32,
    /// The share of the leg that the thigh has.
    pub thigh: f32,
    /// How far the arms are lifted at rest: 0 hanging, 90 stretched out, in degrees.
    pub arms: f32,
    /// How far each leg is spread at rest, in degrees.
    pub legs: f32,
    /// Whether the feet are spread together with the legs, as in the CMU database.
    pub feet_follow: bool,
    /// From the ankle to the ball.
    pub foot: f32,
    /// How far the feet point outwards at rest, in degrees.
    pub toe_out: f32,
    pub spine: usize,
    pub necks: usize,
    /// Whether there is a root joint on the ground below the hips.
    pub ground: bool,
    /// Turns the axes of all joints, in some way that depends on it.
    pub twist: u32,
}

impl Default for Rig {
    fn default() -> Self {
        Self {
            size: 1.0,
            thigh: 0.5,
            arms: 90.0,
            legs: 0.0,
            feet_follow: false,
            foot: 0.13,
            toe_out: 0.0,
            spine: 3,
            necks: 1,
            ground: false,
            twist: 0,
        }
    }
}

struct Builder {
    joints: Vec<Joint>,
    /// Where joints are, and how they are turned, in body space.
    placed: Vec<(Vec3, Quat)>,
    landmarks: Landmarks,
    twist: u32,
}

impl Builder {
    fn add(&mut self, name: &str, parent: Option<JointId>, at: Vec3) -> JointId {
        let id = JointId::new(self.joints.len());
        let random = |salt: u32| {
            let hash = (id.index() as u32 + 17).wrapping_mul(2_654_435_761).wrapping_add(salt);
            hash.rotate_left(13).wrapping_mul(40_503).wrapping_add(self.twist) % 628
        };
        let angle = |salt| if self.twist == 0 { 0.0 } else { random(salt) as f32 / 100.0 };
        let turned = Quat::from_euler(EulerRot::XYZ, angle(1), angle(77), angle(991));
        let (above, frame) =
            parent.map_or((Vec3::ZERO, Quat::IDENTITY), |parent| self.placed[parent.index()]);
        self.joints.push(Joint {
            name: name.into(),
            parent,
            translation: frame.inverse() * (at - above),
            rotation: frame.inverse() * turned,
        });
        self.placed.push((at, turned));
        id
    }

    fn landmark(&mut self, landmark: Landmark, parent: Option<JointId>, at: Vec3) -> JointId {
        let joint = self.add(&format!("rig_{}", landmark.name()), parent, at);
        self.landmarks.set(landmark, Some(joint));
        joint
    }
}

impl Rig {
    pub fn skeleton(&self) -> Arc<Skeleton> {
        let mut rig = Builder {
            joints: Vec::new(),
            placed: Vec::new(),
            landmarks: Landmarks::default(),
            twist: self.twist,
        };
        let size = self.size;
        let leg = 0.86 * size;
        let down = |side: Side| {
            let angle = self.legs.to_radians();
            Vec3::new(side.sign() * angle.sin(), -angle.cos(), 0.0)
        };
        let hip_height = leg * self.legs.to_radians().cos() + 0.07 * size;
        let ground = self.ground.then(|| rig.add("ground", None, Vec3::ZERO));
        let hips = Vec3::new(0.0, hip_height + 0.05 * size, -0.02 * size);
        let hips_joint = rig.landmark(Landmark::Hips, ground, hips);
        let mut above = hips_joint;
        let places: &[usize] =
            [&[][..], &[0], &[0, 4], &[0, 2, 4], &[0, 1, 3, 4], &[0, 1, 2, 3, 4]][self.spine];
        for (index, place) in places.iter().enumerate() {
            let up = 0.4 * size * (index + 1) as f32 / self.spine as f32;
            above = rig.landmark(Landmark::SPINE[*place], Some(above), hips + up * Vec3::Y);
        }
        let chest = above;
        for (index, landmark) in
            [Landmark::Neck1, Landmark::Neck2].into_iter().take(self.necks).enumerate()
        {
            let up = (0.5 + 0.05 * index as f32) * size;
            above = rig.landmark(landmark, Some(above), hips + up * Vec3::Y);
        }
        rig.landmark(Landmark::Head, Some(above), hips + 0.6 * size * Vec3::Y);
        for side in Side::BOTH {
            let hip = Vec3::new(side.sign() * 0.1 * size, hip_height, 0.0);
            let knee = hip + self.thigh * leg * down(side);
            let ankle = hip + leg * down(side);
            let spread = if self.feet_follow { side.sign() * self.legs.to_radians() } else { 0.0 };
            let out = Quat::from_rotation_y(side.sign() * self.toe_out.to_radians());
            let foot = out * (size * Vec3::new(0.0, -0.04, self.foot));
            let toes = ankle + Quat::from_rotation_z(spread) * foot;
            let mut above = hips_joint;
            for (landmark, at) in [
                (Landmark::upper_leg(side), hip),
                (Landmark::lower_leg(side), knee),
                (Landmark::foot(side), ankle),
                (Landmark::toes(side), toes),
            ] {
                above = rig.landmark(landmark, Some(above), at);
            }
            let lifted = self.arms.to_radians();
            let along = Vec3::new(side.sign() * lifted.sin(), -lifted.cos(), 0.0);
            let shoulder = hips + size * Vec3::new(side.sign() * 0.05, 0.45, 0.0);
            let arm = hips + size * Vec3::new(side.sign() * 0.2, 0.45, 0.0);
            let mut above = chest;
            for (landmark, at) in [
                (Landmark::shoulder(side), shoulder),
                (Landmark::upper_arm(side), arm),
                (Landmark::forearm(side), arm + 0.3 * size * along),
                (Landmark::hand(side), arm + 0.55 * size * along),
            ] {
                above = rig.landmark(landmark, Some(above), at);
            }
            rig.add(&format!("{side:?}Fingers"), Some(above), arm + 0.65 * size * along);
        }
        Arc::new(Skeleton::new(rig.joints, rig.landmarks).unwrap())
    }
}

/// Turns a joint by `turn` about axes of body space, from how it is at rest.
pub fn bend(skeleton: &Skeleton, pose: &mut Pose, landmark: Landmark, turn: Quat) {
    let Some(joint) = skeleton.landmark(landmark) else { return };
    let parent = skeleton.joints()[joint.index()].parent;
    let frame = parent.map_or(Quat::IDENTITY, |parent| skeleton.rest_rotation(parent));
    let rest = skeleton.joints()[joint.index()].rotation;
    pose.rotations[joint.index()] = (frame.inverse() * turn * frame * rest).normalize();
}

/// Something like a walk, with bent knees, swinging arms and a twisting trunk.
pub fn walk(skeleton: &Arc<Skeleton>, frames: usize) -> Motion {
    let about = |x: f32, y: f32, z: f32| Quat::from_euler(EulerRot::ZXY, z, x, y);
    let poses: Vec<Pose> = (0..frames)
        .map(|frame| {
            let phase = frame as f32 * 0.2;
            let mut pose = Pose::rest(skeleton);
            pose.root +=
                Vec3A::new(0.02 * phase.sin(), -0.06 + 0.02 * (2.0 * phase).cos(), 0.12 * phase);
            let mut set = |landmark, turn| bend(skeleton, &mut pose, landmark, turn);
            set(Landmark::Hips, about(0.05, 0.15 * phase.sin(), 0.06 * phase.cos()));
            for landmark in Landmark::SPINE {
                set(landmark, about(0.03, -0.06 * phase.sin(), 0.02));
            }
            set(Landmark::Neck1, about(0.1, 0.0, 0.05));
            set(Landmark::Head, about(-0.1, 0.2, 0.0));
            for side in Side::BOTH {
                let swing = side.sign() * phase.sin();
                let lift = side.sign();
                set(
                    Landmark::upper_leg(side),
                    about(-0.45 * swing - 0.25, 0.1 * lift, 0.08 * lift),
                );
                set(Landmark::lower_leg(side), about(0.6 + 0.3 * (phase + lift).cos(), 0.0, 0.0));
                set(Landmark::foot(side), about(-0.3 + 0.2 * swing, 0.0, 0.02));
                set(Landmark::toes(side), about(-0.1, 0.0, 0.0));
                set(Landmark::shoulder(side), about(0.0, 0.05, 0.05 * lift));
                set(Landmark::upper_arm(side), about(0.5 * swing, 0.1, 0.15 * lift));
                set(Landmark::forearm(side), about(-0.6, 0.0, 0.0));
                set(Landmark::hand(side), about(0.1, 0.2, 0.1 * lift));
            }
            pose
        })
        .collect();
    Motion::from_poses("walk", skeleton.clone(), 30.0, &poses).unwrap()
}

/// The angle between two rotations, exact for small ones as well.
pub fn apart(a: Quat, b: Quat) -> f32 {
    let between = a.inverse() * b;
    2.0 * between.xyz().length().atan2(between.w.abs())
}

/// The largest differences of two motions of like-named joints: angles of joints in their parents,
/// and places.
pub fn differences(a: &Motion, b: &Motion) -> (f32, f32) {
    assert_eq!((a.frames(), a.skeleton().len()), (b.frames(), b.skeleton().len()));
    let same: Vec<usize> = a
        .skeleton()
        .joints()
        .iter()
        .map(|joint| b.skeleton().find(&joint.name).expect(&joint.name).index())
        .collect();
    let mut worst = (0.0f32, 0.0f32);
    for frame in 0..a.frames() {
        let [of_a, of_b] =
            [a, b].map(|motion| ModelPose::of(motion.skeleton(), &motion.pose(frame)));
        for (index, other) in same.iter().enumerate() {
            let angle = apart(a.rotations(frame)[index], b.rotations(frame)[*other]);
            worst.0 = worst.0.max(angle);
            worst.1 = worst.1.max(of_a.positions[index].distance(of_b.positions[*other]));
        }
    }
    worst
}
