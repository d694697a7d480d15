//! People for the tests: a body of boxes and motions that use all of its joints.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3, Vec3A};
use throng_motion::files::Body;
use throng_motion::{
    Binding, Human, JointId, Mesh, Motion, Part, Pose, Proportions, Region, Skeleton,
};

pub fn human() -> Human {
    Human::new(Proportions::of_height(1.75)).unwrap()
}

/// Throng's body with a box around every bone.
pub fn boxy(name: &str) -> Body {
    let human = human();
    let mesh = boxes(human.skeleton());
    Body::new(name, human.skeleton().clone(), Arc::new(mesh))
}

/// A box around every bone, half of its vertices bound to both of the bone's ends.
pub fn boxes(skeleton: &Skeleton) -> Mesh {
    let mut mesh = Mesh {
        positions: vec![],
        normals: vec![],
        bindings: vec![],
        parts: Region::ALL.map(|region| Part { region, triangles: vec![] }).to_vec(),
        inverse_bind: (0..skeleton.len()).map(|joint| inverse_rest(skeleton, joint)).collect(),
    };
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let Some(parent) = joint.parent else { continue };
        let from = skeleton.rest_position(parent);
        let to = skeleton.rest_position(JointId::new(index));
        let middle = from.midpoint(to);
        let half = ((to - from).abs() * 0.5).max(Vec3::splat(0.02));
        let (own, parent) = (index as u16, parent.index() as u16);
        for (axis, sign) in (0..6).map(|face| (face / 2, if face % 2 == 0 { 1.0 } else { -1.0 })) {
            let mut normal = Vec3::ZERO;
            normal[axis] = sign;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let first = mesh.positions.len() as u32;
            for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let mut corner = normal;
                (corner[u], corner[v]) = (a, b);
                mesh.positions.push(middle + half * corner);
                mesh.normals.push(normal);
                let share = if corner.y > 0.0 { 0.3 } else { 0.0 };
                let weights = [1.0 - share, share, 0.0, 0.0];
                mesh.bindings.push(Binding { joints: [parent, own, 0, 0], weights });
            }
            let corner = |corner: u32| first + corner;
            let turned = |a, b, c| if sign > 0.0 { [a, b, c] } else { [a, c, b] };
            let triangles = &mut mesh.parts[index % Region::ALL.len()].triangles;
            triangles.push(turned(corner(0), corner(1), corner(2)));
            triangles.push(turned(corner(0), corner(2), corner(3)));
        }
    }
    mesh
}

fn inverse_rest(skeleton: &Skeleton, joint: usize) -> Affine3A {
    let joint = JointId::new(joint);
    Affine3A::from_rotation_translation(
        skeleton.rest_rotation(joint),
        skeleton.rest_position(joint),
    )
    .inverse()
}

/// A motion in which every joint but the toes turns about an axis of its own, over one second, and
/// the root moves; it is cyclic if it does not travel.
pub fn dance(
    skeleton: &Arc<Skeleton>,
    name: &str,
    rate: f32,
    frames: usize,
    travel: f32,
) -> Motion {
    let still = skeleton.find("LeftToes").zip(skeleton.find("RightToes"));
    let poses: Vec<Pose> = (0..frames)
        .map(|frame| {
            let time = frame as f32 / rate;
            let phase = std::f32::consts::TAU * time;
            let mut pose = Pose::rest(skeleton);
            pose.root += Vec3A::new(0.05 * phase.sin(), 0.03 * (2.0 * phase).cos(), travel * time);
            for (joint, rotation) in pose.rotations.iter_mut().enumerate() {
                if still.is_some_and(|(a, b)| joint == a.index() || joint == b.index()) {
                    continue;
                }
                let axis = Vec3::new(1.0, 0.3 * (joint % 5) as f32, -0.2 * (joint % 3) as f32);
                let angle = 0.4 * (phase + joint as f32).sin();
                *rotation *= Quat::from_axis_angle(axis.normalize(), angle);
            }
            pose
        })
        .collect();
    Motion::from_poses(name, skeleton.clone(), rate, &poses).unwrap()
}
