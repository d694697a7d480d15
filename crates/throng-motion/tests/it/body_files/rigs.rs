//! Rigs as other programs make them.

use std::f32::consts::FRAC_PI_2;

use glam::{Affine3A, Quat, Vec3};
use serde_json::json;
use throng_motion::files::mapping::MappingFile;
use throng_motion::files::{Document, ReadError, ReadOptions};
use throng_motion::{JointId, Landmark, ModelPose, Motion};

use super::builder::{Builder, small_body};

fn joint(document: &Document, name: &str) -> JointId {
    document.bodies[0].skeleton.find(name).unwrap_or_else(|| panic!("no joint {name:?}"))
}

fn at_rest(document: &Document, name: &str) -> Vec3 {
    document.bodies[0].skeleton.rest_position(joint(document, name))
}

fn placed(motion: &Motion, frame: usize, name: &str) -> Vec3 {
    let model = ModelPose::of(motion.skeleton(), &motion.pose(frame));
    model.position(motion.skeleton().find(name).unwrap())
}

#[track_caller]
fn near(a: Vec3, b: Vec3) {
    assert!((a - b).length() < 1e-4, "{a} is not {b}");
}

#[test]
fn an_armature_in_centimetres_that_points_up_along_z_is_ours_in_metres() {
    let mut builder = Builder::new();
    let turn = Quat::from_rotation_x(-FRAC_PI_2).to_array();
    let armature = json!({ "scale": [0.01, 0.01, 0.01], "rotation": turn });
    let armature = builder.node("Armature", None, armature);
    // In the armature z is up, and the bones have their own turn.
    let up = Quat::from_rotation_x(FRAC_PI_2).to_array();
    let hips = json!({ "translation": [0.0, 0.0, 95.0], "rotation": up });
    let hips = builder.node("mixamorig:Hips", Some(armature), hips);
    let spine = builder.at("mixamorig:Spine", Some(hips), [0.0, 20.0, 3.0]);
    let left = builder.at("mixamorig:LeftUpLeg", Some(hips), [9.0, -5.0, 0.0]);
    let right = builder.at("mixamorig:RightUpLeg", Some(hips), [-9.0, -5.0, 0.0]);
    builder.skin(&[hips, spine, left, right], None);
    let walk = builder.animation("walk");
    // Forward is -y in the armature.
    let ahead = [(0.0, Vec3::new(0.0, 0.0, 95.0)), (1.0, Vec3::new(0.0, -140.0, 97.0))];
    builder.moves(walk, hips, &ahead);
    let document = builder.read().unwrap();
    assert_eq!(document.bodies[0].name, "Armature");
    near(at_rest(&document, "mixamorig:Hips"), Vec3::new(0.0, 0.95, 0.0));
    near(at_rest(&document, "mixamorig:Spine"), Vec3::new(0.0, 1.15, 0.03));
    near(at_rest(&document, "mixamorig:LeftUpLeg"), Vec3::new(0.09, 0.9, 0.0));
    let motion = &document.motions[0];
    assert_eq!((motion.name(), motion.frames()), ("walk", 61));
    near(placed(motion, 60, "mixamorig:Hips"), Vec3::new(0.0, 0.97, 1.4));
    near(placed(motion, 30, "mixamorig:Spine"), Vec3::new(0.0, 1.16, 0.73));
    assert!(document.warnings.is_empty(), "{}", document.warnings);
}

#[test]
fn armature_root_and_hips_that_all_move_keep_their_whole_movement() {
    let mut builder = Builder::new();
    let armature = builder.node("Armature", None, json!({ "scale": [0.5, 0.5, 0.5] }));
    let root = builder.at("root", Some(armature), [0.0, 0.0, 0.0]);
    let joints = small_body(&mut builder, Some(root));
    let helper = builder.at("ik_hand_root", Some(root), [0.0, 0.0, 0.0]);
    let all: Vec<usize> =
        [root].into_iter().chain(joints.iter().copied()).chain([helper]).collect();
    builder.skin(&all, None);
    let walk = builder.animation("walk");
    builder.moves(walk, armature, &[(0.0, Vec3::ZERO), (1.0, Vec3::X)]);
    builder.turns(walk, root, &[(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(1.0))]);
    builder.moves(walk, root, &[(0.0, Vec3::ZERO), (1.0, Vec3::Z)]);
    let hips = [(0.0, Vec3::new(0.0, 0.9, 0.0)), (1.0, Vec3::new(0.2, 1.0, 0.0))];
    builder.moves(walk, joints[0], &hips);
    let document = builder.read().unwrap();
    let skeleton = &document.bodies[0].skeleton;
    assert_eq!(skeleton.joints()[0].name, "Hips", "the chain above is folded into them");
    assert_eq!(skeleton.landmark(Landmark::Hips), Some(JointId::ROOT));
    assert_eq!(skeleton.len(), joints.len());
    let motion = &document.motions[0];
    let turn = Quat::from_rotation_y(1.0);
    let expected = Vec3::X + 0.5 * (Vec3::Z + turn * Vec3::new(0.2, 1.0, 0.0));
    near(placed(motion, 60, "Hips"), expected);
    near(placed(motion, 60, "LeftFoot"), expected + 0.5 * (turn * Vec3::new(0.1, -0.85, 0.0)));
    assert!(motion.pose(60).rotations[0].angle_between(turn) < 1e-3);
    let said = document.warnings.to_string();
    assert_eq!(document.warnings.len(), 1, "{said}");
    assert!(said.contains("1 joints are not below it, such as \"ik_hand_root\""), "{said}");
}

#[test]
fn joints_may_be_listed_in_any_order_and_by_several_skins() {
    let mut builder = Builder::new();
    let joints = small_body(&mut builder, None);
    let reversed: Vec<usize> = joints.iter().rev().copied().collect();
    builder.skin(&reversed, None);
    builder.skin(&[joints[2], joints[0]], None);
    // Another body altogether.
    let other = small_body(&mut builder, None);
    builder.skin(&other, None);
    let document = builder.read().unwrap();
    assert_eq!(document.bodies.len(), 2);
    for body in &document.bodies {
        assert_eq!(body.skeleton.len(), 9);
        assert_eq!(body.skeleton.joints()[0].name, "Hips");
        assert!(body.skeleton.landmark(Landmark::RightFoot).is_some());
    }
    near(at_rest(&document, "LeftFoot"), Vec3::new(0.1, 0.05, 0.0));
}

#[test]
fn steps_splines_and_keys_at_different_times_are_sampled_alike() {
    let mut builder = Builder::new();
    let joints = small_body(&mut builder, None);
    builder.skin(&joints, None);
    let mixed = builder.animation("mixed");
    builder.turns(mixed, joints[1], &[(0.5, Quat::IDENTITY), (1.5, Quat::from_rotation_x(1.0))]);
    let step = [Quat::IDENTITY, Quat::from_rotation_y(0.5)].map(|turn| turn.to_array()).concat();
    builder.channel(mixed, joints[2], "rotation", "STEP", &[0.7, 1.25], &step);
    // A parabola: from 0.9 up and down again.
    let spline =
        [[0.0; 3], [0.0, 0.9, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.9, 0.0], [0.0; 3]]
            .concat();
    builder.channel(mixed, joints[0], "translation", "CUBICSPLINE", &[0.5, 1.5], &spline);
    let options = ReadOptions { rate: 20.0, ..ReadOptions::default() };
    let document = builder.read_with(&options).unwrap();
    let motion = &document.motions[0];
    // From the first key of all to the last.
    assert_eq!((motion.frames(), motion.rate()), (21, 20.0));
    for frame in 0..=20 {
        let time = 0.5 + frame as f32 / 20.0;
        let pose = motion.pose(frame);
        let spine = Quat::from_rotation_x(time - 0.5);
        assert!(pose.rotations[1].angle_between(spine) < 1e-3, "frame {frame}");
        let head = Quat::from_rotation_y(if time >= 1.25 { 0.5 } else { 0.0 });
        assert!(pose.rotations[2].angle_between(head) < 1e-3, "frame {frame}");
        let height = 0.9 + (time - 0.5) * (1.5 - time);
        near(pose.root.into(), Vec3::new(0.0, height, 0.0));
    }
}

#[test]
fn whole_numbers_and_sparse_numbers_are_read() {
    let mut builder = Builder::new();
    let joints = small_body(&mut builder, None);
    builder.skin(&joints, None);
    let coarse = builder.animation("coarse");
    let input = builder.floats("SCALAR", &[0.0, 1.0]);
    // Normalised shorts: no turn, then a quarter turn about x.
    let half = (std::f32::consts::FRAC_1_SQRT_2 * 32767.0).round() as i16;
    let bytes: Vec<u8> =
        [0, 0, 0, 32767, half, 0, 0, half].iter().flat_map(|n: &i16| n.to_le_bytes()).collect();
    let view = builder.view(&bytes);
    let shorts = json!({
        "bufferView": view, "componentType": 5122, "normalized": true, "type": "VEC4", "count": 2,
    });
    let output = builder.push("accessors", shorts);
    builder.sampled(coarse, joints[1], "rotation", "LINEAR", input, output);
    // Places that are all 0, except that the second is not.
    let indices = builder.view(&[1]);
    let values: Vec<u8> = [0.5_f32, 0.9, 0.25].iter().flat_map(|n| n.to_le_bytes()).collect();
    let values = builder.view(&values);
    let sparse = json!({
        "componentType": 5126, "type": "VEC3", "count": 2,
        "sparse": {
            "count": 1,
            "indices": { "bufferView": indices, "componentType": 5121 },
            "values": { "bufferView": values },
        },
    });
    let output = builder.push("accessors", sparse);
    builder.sampled(coarse, joints[0], "translation", "LINEAR", input, output);
    let document = builder.read().unwrap();
    let motion = &document.motions[0];
    assert!(motion.pose(60).rotations[1].angle_between(Quat::from_rotation_x(FRAC_PI_2)) < 1e-3);
    near(motion.roots()[0].into(), Vec3::ZERO);
    near(motion.roots()[60].into(), Vec3::new(0.5, 0.9, 0.25));
}

#[test]
fn nodes_may_be_matrices() {
    let mut builder = Builder::new();
    let matrix = Affine3A::from_scale_rotation_translation(
        Vec3::splat(0.1),
        Quat::from_rotation_y(FRAC_PI_2),
        Vec3::new(1.0, 0.0, 0.0),
    );
    let columns = glam::Mat4::from(matrix).to_cols_array();
    let top = builder.node("top", None, json!({ "matrix": columns }));
    let hips = builder.at("a", Some(top), [0.0, 9.0, 1.0]);
    let left = builder.at("b", Some(hips), [2.0, 0.0, 0.0]);
    let right = builder.at("c", Some(hips), [-2.0, 0.0, 0.0]);
    builder.skin(&[hips, left, right], None);
    let document = builder.read().unwrap();
    near(at_rest(&document, "a"), Vec3::new(1.1, 0.9, 0.0));
    near(at_rest(&document, "b"), Vec3::new(1.1, 0.9, -0.2));
}

#[test]
fn bones_that_stretch_and_joints_that_grow_are_kept_rigid_and_told() {
    let mut builder = Builder::new();
    let joints = small_body(&mut builder, None);
    builder.skin(&joints, None);
    let odd = builder.animation("odd");
    let (spine, head) = (joints[1], joints[2]);
    builder.moves(odd, spine, &[(0.0, Vec3::new(0.0, 0.3, 0.0)), (1.0, Vec3::new(0.0, 0.35, 0.0))]);
    builder.moves(
        odd,
        head,
        &[(0.0, Vec3::new(0.0, 0.4, 0.0)), (1.0, Vec3::new(0.0, 0.4005, 0.0))],
    );
    let scales = [1.0, 1.0, 1.0, 1.0, 1.2, 1.0];
    builder.channel(odd, joints[3], "scale", "LINEAR", &[0.0, 1.0], &scales);
    builder.channel(odd, joints[6], "scale", "LINEAR", &[0.0, 1.0], &[1.0; 6]);
    let document = builder.read().unwrap();
    let motion = &document.motions[0];
    near(placed(motion, 60, "Head"), Vec3::new(0.0, 1.6, 0.0));
    near(placed(motion, 60, "LeftFoot"), Vec3::new(0.1, 0.05, 0.0));
    let lines: Vec<String> = document.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "joint \"Spine\": it moves 50.0 mm away from the end of its bone; it stays there, as \
             bones do not stretch",
            "joint \"LeftUpLeg\": its scale changes by 11.5 % in a motion; it keeps the scale it has \
             at rest",
        ]
    );
}

#[test]
fn a_constant_scale_is_part_of_the_bones() {
    let mut builder = Builder::new();
    let hips = builder.node("Hips", None, json!({ "scale": [2.0, 2.0, 2.0] }));
    let left = builder.at("LeftUpLeg", Some(hips), [0.1, 0.0, 0.0]);
    builder.at("x", Some(left), [0.0, 0.0, 0.0]);
    let right = builder.at("RightUpLeg", Some(hips), [-0.1, 0.0, 0.0]);
    builder.skin(&[hips, left, right], None);
    let turn = builder.animation("turn");
    builder.turns(turn, hips, &[(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(FRAC_PI_2))]);
    let document = builder.read().unwrap();
    assert!(document.warnings.is_empty(), "{}", document.warnings);
    near(at_rest(&document, "LeftUpLeg"), Vec3::new(0.2, 0.0, 0.0));
    near(placed(&document.motions[0], 60, "LeftUpLeg"), Vec3::new(0.0, 0.2, 0.0));
}

#[test]
fn names_that_are_there_twice_get_a_number() {
    let mut builder = Builder::new();
    let hips = builder.at("Hips", None, [0.0, 1.0, 0.0]);
    let a = builder.at("bone", Some(hips), [0.1, 0.0, 0.0]);
    let b = builder.at("bone", Some(hips), [-0.1, 0.0, 0.0]);
    let c = builder.at("bone 2", Some(hips), [0.0, 0.1, 0.0]);
    let d = builder.at("", Some(hips), [0.0, 0.0, 0.0]);
    builder.skin(&[hips, a, b, c, d], None);
    let document = builder.read().unwrap();
    let names: Vec<&str> =
        document.bodies[0].skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["Hips", "bone", "bone 3", "bone 2", "joint 1"]);
    assert_eq!(
        document.warnings.to_string(),
        "joint \"bone\": nodes[2] has the same name as another joint; it is called \"bone 3\""
    );
}

#[test]
fn nodes_that_move_without_a_skin_are_a_body_too() {
    let mut builder = Builder::new();
    let joints = small_body(&mut builder, None);
    let walk = builder.animation("walk");
    builder.turns(walk, joints[0], &[(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(1.0))]);
    let document = builder.read().unwrap();
    assert_eq!(document.bodies[0].skeleton.len(), 9);
    assert_eq!(document.motions.len(), 1);
}

#[test]
fn the_pose_in_which_a_surface_was_bound_is_the_rest_pose() {
    // Nodes were stored while the left leg was lifted and the body had walked on.
    let mut builder = Builder::new();
    let joints = small_body(&mut builder, None);
    let rest = builder.read_bind(&joints);
    let lifted = Quat::from_rotation_x(-1.2).to_array();
    builder.json["nodes"][joints[3]]["rotation"] = json!(lifted);
    builder.json["nodes"][joints[0]]["translation"] = json!([0.0, 0.88, 0.3]);
    let inverse: Vec<Affine3A> = rest.iter().map(Affine3A::inverse).collect();
    let skin = builder.skin(&joints, Some(&inverse));
    let positions = [Vec3::new(0.1, 0.5, 0.1), Vec3::new(0.1, 0.1, 0.0), Vec3::new(0.0, 1.2, 0.0)];
    let mesh = builder.triangle(positions, Some([3, 5, 1]));
    builder.node("surface", None, json!({ "mesh": mesh, "skin": skin }));
    let stand = builder.animation("stand");
    builder.turns(stand, joints[3], &[(0.0, Quat::from_array(lifted)), (1.0, Quat::IDENTITY)]);
    let document = builder.read().unwrap();
    near(at_rest(&document, "LeftFoot"), Vec3::new(0.1, 0.05, 0.0));
    let body = &document.bodies[0];
    for (found, expected) in body.meshes[0].positions.iter().zip(positions) {
        near(*found, expected);
    }
    // At the end of the motion the leg is down again, below where the hips are stored.
    let motion = &document.motions[0];
    near(placed(motion, 60, "LeftFoot"), Vec3::new(0.1, 0.03, 0.3));
    let first = ModelPose::of(&body.skeleton, &motion.pose(0));
    let (bent, _) = body.meshes[0].skinned(&first);
    let leg = Quat::from_array(lifted) * Vec3::new(0.0, -0.4, 0.1) + Vec3::new(0.1, 0.88, 0.3);
    near(bent[0], leg);
}

impl Builder {
    /// Where nodes are, if none is turned or scaled.
    fn read_bind(&self, nodes: &[usize]) -> Vec<Affine3A> {
        let parent = |node: usize| {
            self.json["nodes"].as_array().unwrap().iter().position(|other| {
                let children = other["children"].as_array();
                children.is_some_and(|children| children.contains(&json!(node)))
            })
        };
        let place = |node: &usize| {
            let mut at = Vec3::ZERO;
            let mut next = Some(*node);
            while let Some(node) = next {
                let numbers = self.json["nodes"][node]["translation"].as_array().unwrap();
                let number = |axis: usize| numbers[axis].as_f64().unwrap() as f32;
                at += Vec3::new(number(0), number(1), number(2));
                next = parent(node);
            }
            Affine3A::from_translation(at)
        };
        nodes.iter().map(place).collect()
    }
}

#[test]
fn what_a_joint_holds_goes_with_it() {
    let mut builder = Builder::new();
    let joints = small_body(&mut builder, None);
    builder.skin(&joints, None);
    let hat = builder.triangle([Vec3::ZERO, Vec3::X, Vec3::Y], None);
    let hat = json!({ "mesh": hat, "translation": [0.0, 0.2, 0.0], "scale": [0.1, 0.1, 0.1] });
    builder.node("hat", Some(joints[2]), hat);
    let away = builder.triangle([Vec3::ZERO, Vec3::X, Vec3::Y], None);
    builder.node("scenery", None, json!({ "mesh": away }));
    let document = builder.read().unwrap();
    let body = &document.bodies[0];
    assert_eq!(body.meshes.len(), 1, "the scenery is no part of the body");
    near(body.meshes[0].positions[1], Vec3::new(0.1, 1.8, 0.0));
    let head = joint(&document, "Head").index() as u16;
    assert!(body.meshes[0].bindings.iter().all(|binding| binding.joints[0] == head));
}

#[test]
fn somebody_can_say_which_joint_is_the_root_and_what_is_up() {
    let mut builder = Builder::new();
    let root = builder.at("world", None, [0.0, 0.0, 0.0]);
    let hips = builder.at("Hips", Some(root), [0.0, 0.0, 95.0]);
    let left = builder.at("LeftUpLeg", Some(hips), [9.0, 0.0, 0.0]);
    let right = builder.at("RightUpLeg", Some(hips), [-9.0, 0.0, 0.0]);
    builder.skin(&[root, hips, left, right], None);
    let mapping = MappingFile::parse("unit = 0.01\nup = \"z\"").unwrap();
    let options = ReadOptions { root: Some("world".into()), mapping, ..ReadOptions::default() };
    let document = builder.read_with(&options).unwrap();
    assert_eq!(document.bodies[0].skeleton.joints()[0].name, "world");
    near(at_rest(&document, "Hips"), Vec3::new(0.0, 0.95, 0.0));
    let options = ReadOptions { root: Some("nobody".into()), ..ReadOptions::default() };
    let error = builder.read_with(&options).unwrap_err();
    assert!(matches!(&error, ReadError::NoRoot { name } if name == "nobody"), "{error}");
}

#[test]
fn a_body_in_the_mirror_is_not_inside_out() {
    let mut builder = Builder::new();
    let armature = builder.node("Armature", None, json!({ "scale": [-1.0, 1.0, 1.0] }));
    let joints = small_body(&mut builder, Some(armature));
    let skin = builder.skin(&joints, None);
    let positions = [Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.1, 0.1, 0.0)];
    let mesh = builder.triangle(positions, Some([0, 0, 0]));
    builder.node("surface", None, json!({ "mesh": mesh, "skin": skin }));
    let turn = builder.animation("turn");
    builder.turns(turn, joints[1], &[(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(0.5))]);
    let document = builder.read().unwrap();
    near(at_rest(&document, "LeftUpLeg"), Vec3::new(-0.1, 0.9, 0.0));
    let mesh = &document.bodies[0].meshes[0];
    near(mesh.positions[1], Vec3::new(-0.2, 0.9, 0.0));
    // It faced +z, and still does.
    near(mesh.normals[0], Vec3::Z);
    let [a, b, c] = mesh.parts[0].triangles[0].map(|corner| mesh.positions[corner as usize]);
    assert!((b - a).cross(c - a).z > 0.0);
    // What turned left turns right.
    let head = placed(&document.motions[0], 60, "Head");
    near(head, Vec3::new(0.4 * 0.5_f32.sin(), 1.2 + 0.4 * 0.5_f32.cos(), 0.0));
}

#[test]
fn surfaces_may_be_interleaved_quantised_and_in_strips() {
    let mut builder = Builder::new();
    let joints = small_body(&mut builder, None);
    let skin = builder.skin(&joints, None);
    // Four corners of a square: a position of three bytes (and one unused), two sets of joints and
    // of weights, as parts of 255.
    let mut bytes = Vec::new();
    for (x, y) in [(0, 0), (127, 0), (0, 127), (127, 127_u8)] {
        bytes.extend([x, y, 0, 0]);
        bytes.extend([0, 1, 2, 3]);
        bytes.extend([4, 5, 0, 0]);
        bytes.extend([10, 20, 30, 40]);
        bytes.extend([55, 100, 0, 0]);
    }
    let view = builder.view(&bytes);
    builder.json["bufferViews"][view]["byteStride"] = json!(20);
    let mut accessor = |offset: usize, component: u32, kind: &str, normalised: bool| {
        let accessor = json!({
            "bufferView": view, "byteOffset": offset, "componentType": component, "type": kind,
            "count": 4, "normalized": normalised,
        });
        builder.push("accessors", accessor)
    };
    let attributes = json!({
        "POSITION": accessor(0, 5120, "VEC3", true),
        "JOINTS_0": accessor(4, 5121, "VEC4", false),
        "JOINTS_1": accessor(8, 5121, "VEC4", false),
        "WEIGHTS_0": accessor(12, 5121, "VEC4", true),
        "WEIGHTS_1": accessor(16, 5121, "VEC4", true),
        "_CUSTOM": accessor(0, 5120, "VEC3", true),
    });
    let hair = builder.push("materials", json!({ "name": "Hair_Mat" }));
    let mesh = json!({ "primitives": [{ "attributes": attributes, "mode": 5, "material": hair }] });
    let mesh = builder.push("meshes", mesh);
    builder.node("surface", None, json!({ "mesh": mesh, "skin": skin }));
    builder.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let document = builder.read().unwrap();
    let mesh = &document.bodies[0].meshes[0];
    assert_eq!(mesh.parts[0].region, throng_motion::Region::Hair);
    assert_eq!(mesh.parts[0].triangles, [[0, 1, 2], [1, 3, 2]]);
    // Of six joints the four with the largest weights are left, and weigh one together.
    let binding = mesh.bindings[0];
    assert_eq!(binding.joints, [5, 4, 3, 2]);
    for (weight, share) in binding.weights.iter().zip([100.0, 55.0, 40.0, 30.0]) {
        assert!((weight - share / 225.0).abs() < 1e-5);
    }
    // Without inverse bind matrices each joint carries the square from its own place.
    let places = ["LeftFoot", "LeftLeg", "LeftUpLeg", "Head"].map(|name| at_rest(&document, name));
    let centre: Vec3 = places.iter().zip(binding.weights).map(|(at, weight)| weight * *at).sum();
    near(mesh.positions[3], centre + Vec3::new(1.0, 1.0, 0.0));
}
