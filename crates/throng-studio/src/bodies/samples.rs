//! A small cast, roles and poses, encoded as for pages, with what a page must read of them.

use glam::{Affine3A, Quat, Vec2, Vec3};
use serde_json::{Value as Json, json};
use throng::bodies::FRAMES;
use throng::bodies::variety::Descriptor;
use throng_base::frame::ground_to_world;
use throng_motion::{
    Binding, Joint, JointId, Landmarks, Mesh, Part, Pose, Region, RootMotion, Skeleton,
};
use throng_world::scene::Species;

use super::RoleLog;
use super::poses::Poses;
use super::roles::role_record;
use super::wardrobe::{DETAILS, cast_header, push_look, push_neck, push_takes};
use crate::protocol::Wire;

/// Encoded messages with what they hold: a cast, roles and poses.
pub(crate) fn samples() -> [(&'static str, Vec<u8>, Json); 3] {
    [cast(), roles(), poses()]
}

/// The upper of two joints is bent by a right angle about z.
fn bent() -> Pose {
    let rotations = vec![Quat::IDENTITY, Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)];
    Pose { root: Vec3::new(0.125, 1.0, -0.25).into(), rotations }
}

fn cast() -> (&'static str, Vec<u8>, Json) {
    let joint = |name: &str, parent, translation| Joint {
        name: name.into(),
        parent,
        translation,
        rotation: Quat::IDENTITY,
    };
    let root = JointId::new(0);
    let joints = vec![joint("hips", None, Vec3::Y), joint("neck", Some(root), 0.5 * Vec3::Y)];
    let skeleton = Skeleton::new(joints, Landmarks::default()).unwrap();
    let mesh = Mesh {
        positions: vec![Vec3::new(0.5, 1.0, 0.0), Vec3::Y, Vec3::new(0.0, 1.5, -0.125)],
        normals: vec![Vec3::X, Vec3::NEG_Y, Vec3::Z],
        bindings: vec![Binding { joints: [1, 0, 0, 0], weights: [0.8, 0.2, 0.0, 0.0] }; 3],
        parts: vec![Part { region: Region::Shoes, triangles: vec![[0, 1, 2]] }],
        inverse_bind: [1.0, 1.5].map(|y| Affine3A::from_translation(-y * Vec3::Y)).to_vec(),
    };
    let mut bytes = Vec::new();
    cast_header(1).push(&mut bytes);
    push_look(&mut bytes, Species::Horse, &skeleton, &DETAILS.map(|_| mesh.clone()));
    push_neck(&mut bytes, &[JointId::new(1)]);
    bytes.push(0);
    let frames = vec![bent(); FRAMES];
    push_takes(&mut bytes, [(1.25, &frames[..])].into_iter());
    let expected = json!({
        "frames": FRAMES,
        "meshes": DETAILS.len(),
        "species": Species::Horse.name(),
        "names": ["hips", "neck"],
        "parents": [-1, 0],
        "translations": [0, 1, 0, 0, 0.5, 0],
        "rotations": [0, 0, 0, 1, 0, 0, 0, 1],
        "inverseBind": [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1.5, 0],
        "positions": [0.5, 1, 0, 0, 1, 0, 0, 1.5, -0.125],
        "normals": [127, 0, 0, 0, -127, 0, 0, 0, 127],
        "regions": vec![Region::Shoes as u8; 3],
        "joints": [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
        "weights": [204, 51, 0, 0, 204, 51, 0, 0, 204, 51, 0, 0],
        "index": [0, 1, 2],
        "neck": [1],
        "speed": 1.25,
        "root": bent().root.to_array(),
        "pose": bent().rotations.iter().flat_map(Quat::to_array).collect::<Vec<_>>(),
    });
    ("cast", bytes, expected)
}

fn descriptors() -> [(u32, Descriptor); 2] {
    [(3, 0.75), (140, 1.25)].map(|(id, scale)| (id, Descriptor { scale, ..Descriptor::default() }))
}

/// What a page reads of roles.
fn told() -> Json {
    let told = descriptors().map(|(id, role)| {
        let colours = role_record(&role).colours.as_flattened().to_vec();
        json!({ "id": id, "look": 0, "scale": role.scale, "palette": colours })
    });
    json!(told)
}

fn roles() -> (&'static str, Vec<u8>, Json) {
    let mut log = RoleLog::default();
    log.push(7, &descriptors());
    let expected = json!({ "epoch": 7, "anew": true, "people": told() });
    ("roles", log.messages[0].to_vec(), expected)
}

fn poses() -> (&'static str, Vec<u8>, Json) {
    let mut poses = Poses::new(7);
    let (times, pose) = ([1.0, 1.5], bent());
    let placement = RootMotion {
        translation: ground_to_world(Vec2::new(3.5, -2.0), 0.25),
        yaw: std::f32::consts::FRAC_PI_2,
    };
    for time in times {
        poses.push_poses(time, descriptors().iter().map(|(id, _)| (*id, placement, &pose)));
    }
    let bytes = poses.finish(descriptors().iter().map(|(id, role)| (*id, role)));
    let expected = json!({
        "epoch": 7,
        "times": times,
        "people": told(),
        "place": [3.5, -2.0, 0.25, placement.yaw],
        "root": pose.root.to_array(),
        "pose": pose.rotations.iter().flat_map(Quat::to_array).collect::<Vec<_>>(),
    });
    ("poses", bytes.to_vec(), expected)
}
