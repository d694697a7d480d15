//! Files that are damaged, wrong or malicious: a clear error, and never a panic.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use serde_json::{Value, json};
use throng_motion::files::ReadOptions;
use throng_motion::files::gltf::{WriteOptions, library, read_bytes};

use super::builder::{Builder, small_body};
use super::people::{boxy, dance};

/// A body with a surface and a motion.
fn good() -> Builder {
    let mut builder = Builder::new();
    let joints = small_body(&mut builder, None);
    let skin = builder.skin(&joints, Some(&vec![glam::Affine3A::IDENTITY; joints.len()]));
    let mesh = builder.triangle([Vec3::ZERO, Vec3::X, Vec3::Y], Some([0, 1, 2]));
    builder.node("surface", None, json!({ "mesh": mesh, "skin": skin }));
    let walk = builder.animation("walk");
    builder.turns(walk, joints[1], &[(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_x(0.5))]);
    builder.moves(walk, joints[0], &[(0.0, Vec3::Y), (1.0, Vec3::Y + Vec3::Z)]);
    builder
}

/// Moves the hips by two keys, of which `count` are given sparsely, the first of them at `place`.
fn sparse(builder: &mut Builder, count: usize, place: u8) {
    let indices = builder.view(&[place, 1, 1]);
    let values = builder.view(&[0; 36]);
    let sparse = json!({
        "componentType": 5126, "type": "VEC3", "count": 2,
        "sparse": {
            "count": count,
            "indices": { "bufferView": indices, "componentType": 5121 },
            "values": { "bufferView": values },
        },
    });
    let output = builder.push("accessors", sparse);
    builder.json["animations"][0]["samplers"][1]["output"] = json!(output);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    good().read().unwrap();
    type Change = fn(&mut Builder);
    let cases: [(Change, &str); 24] = [
        (|b| b.json["nodes"][2]["children"] = json!([0]), "nodes[0]"),
        (|b| b.json["nodes"][3]["children"] = json!([5]), "nodes[5]: it has two parents"),
        (|b| b.json["nodes"][8]["children"] = json!([99]), "nodes[8]: there is no node 99"),
        (
            |b| b.json["nodes"][4]["translation"] = json!([1e39, 0.0, 0.0]),
            "nodes[4] \"LeftLeg\": its transform is not finite",
        ),
        (|b| b.json["nodes"][4]["scale"] = json!([1e38, 1e38, 1e38]), "nodes["),
        (|b| b.json["skins"][0]["joints"] = json!([]), "skins[0]: it has no joints"),
        (|b| b.json["skins"][0]["joints"][3] = json!(70), "skins[0]: there is no node 70"),
        (|b| b.json["accessors"][0]["count"] = json!(3), "it has 3 matrices for 9 joints"),
        (|b| b.json["accessors"][0]["count"] = json!(4_000_000_000_u64), "accessors[0]: "),
        (|b| b.json["accessors"][0]["count"] = json!(u64::MAX), "accessors[0]: it has no elements"),
        (
            |b| b.json["accessors"][0]["type"] = json!("VEC3"),
            "accessors[0]: it should be of type MAT4",
        ),
        (|b| b.json["accessors"][1]["bufferView"] = json!(77), "bufferViews[77] does not exist"),
        (|b| b.json["accessors"][1]["byteOffset"] = json!(8), "it reaches beyond bufferViews[1]"),
        (
            |b| b.json["bufferViews"][1]["byteOffset"] = json!(9999999),
            "bufferViews[1] reaches beyond",
        ),
        (|b| b.json["bufferViews"][1]["byteStride"] = json!(4), "overlap"),
        (
            |b| b.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(1),
            "accessors[1]: it should be of type VEC4",
        ),
        (
            |b| {
                let at = b.json["bufferViews"][2]["byteOffset"].as_u64().unwrap() as usize;
                b.bytes[at] = 200;
            },
            "vertex 0 is bound to joint 200, but there are only 9",
        ),
        (
            |b| b.json["animations"][0]["channels"][0]["target"]["node"] = json!(60),
            "animations[0].channels[0]: there is no node 60",
        ),
        (
            |b| b.json["animations"][0]["channels"][1]["sampler"] = json!(6),
            "animations[0].channels[1]: there is no sampler 6",
        ),
        (
            |b| {
                let output = b.floats("VEC3", &[0.0, f32::NAN, 0.0, 0.0, 1.0, 0.0]);
                b.json["animations"][0]["samplers"][1]["output"] = json!(output);
            },
            "animations[0].channels[1]: the value of key 0 is not finite",
        ),
        (
            |b| {
                let input = b.floats("SCALAR", &[1.0, 0.0]);
                b.json["animations"][0]["samplers"][1]["input"] = json!(input);
            },
            "key 1 is before key 0",
        ),
        (|b| sparse(b, 3, 0), "accessors[8]: it replaces more elements than it has"),
        (|b| sparse(b, 1, 7), "accessors[8]: it replaces an element that it does not have"),
        (
            |b| b.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]),
            "KHR_draco_mesh_compression is needed and not known",
        ),
    ];
    for (change, expected) in cases {
        let mut builder = good();
        change(&mut builder);
        let message = builder.error();
        assert!(message.contains(expected), "{message:?} should contain {expected:?}");
    }
}

#[test]
fn a_circle_of_nodes_is_found_wherever_it_is() {
    let mut builder = good();
    let a = builder.at("a", None, [0.0; 3]);
    let b = builder.at("b", Some(a), [0.0; 3]);
    builder.json["nodes"][b]["children"] = json!([a]);
    assert!(
        builder.error().contains("nodes[10] \"a\": it is its own ancestor"),
        "{}",
        builder.error()
    );
    let mut lonely = good();
    let a = lonely.at("a", None, [0.0; 3]);
    lonely.json["nodes"][a]["children"] = json!([a]);
    assert!(lonely.error().contains("its own ancestor"));
}

#[test]
fn small_files_cannot_ask_for_much_memory() {
    // A motion of thirty years.
    let mut long = good();
    let input = long.floats("SCALAR", &[0.0, 1e9]);
    long.json["animations"][0]["samplers"][1]["input"] = json!(input);
    assert!(long.error().contains("write a lower rate"), "{}", long.error());
    // An accessor of billions of zeros, without data; and one that many use.
    let mut zeros = good();
    let none = json!({ "componentType": 5126, "type": "VEC3", "count": 3_000_000_000_u64 });
    let none = zeros.push("accessors", none);
    zeros.json["animations"][0]["samplers"][1]["output"] = json!(none);
    assert!(zeros.error().contains("more numbers than any body needs"), "{}", zeros.error());
    // Too many joints.
    let mut many = Builder::new();
    let mut joints = vec![many.at("top", None, [0.0; 3])];
    for index in 0..5000 {
        let parent = joints[index / 2];
        joints.push(many.at(&format!("j{index}"), Some(parent), [0.0, 0.1, 0.0]));
    }
    many.skin(&joints, None);
    assert!(many.error().contains("has 5001 joints"), "{}", many.error());
}

#[test]
fn thousands_of_joints_in_one_chain_are_no_problem() {
    let mut builder = Builder::new();
    let mut joints = vec![builder.at("top", None, [0.0; 3])];
    for _ in 1..4000 {
        // Bones of no length, all of one name.
        let parent = joints.last().copied();
        joints.push(builder.at("bone", parent, [0.0; 3]));
    }
    builder.skin(&joints, None);
    let document = builder.read().unwrap();
    assert_eq!(document.bodies[0].skeleton.len(), 4000);
    assert_eq!(document.warnings.len(), 3998);
}

#[test]
fn files_without_bodies_say_so() {
    assert!(Builder::new().error().contains("nothing in it moves"));
    let mut still = Builder::new();
    small_body(&mut still, None);
    assert!(still.error().contains("nothing in it moves"));
    for rate in [0.0, -1.0, f32::NAN, 1e9] {
        let options = ReadOptions { rate, ..ReadOptions::default() };
        assert!(good().read_with(&options).unwrap_err().to_string().contains("samples a second"));
    }
}

fn glb() -> Vec<u8> {
    let body = boxy("boxy");
    let motion = dance(&body.skeleton, "dance", 30.0, 5, 1.0);
    library(&body, &[&motion], &WriteOptions::default()).unwrap()
}

#[test]
fn files_cut_off_anywhere_are_errors() {
    let whole = glb();
    for length in (0..whole.len()).step_by(97).chain(0..64) {
        assert!(read_bytes(&whole[..length], None, &ReadOptions::default()).is_err(), "{length}");
    }
}

/// All places in a document, as pointers.
fn pointers(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate().take(12) {
                pointers(value, format!("{path}/{index}"), found);
            }
        }
        Value::Object(map) => {
            for (key, value) in map {
                pointers(value, format!("{path}/{key}"), found);
            }
        }
        _ => {}
    }
    // The document itself stays one, or there would be nothing left to edit.
    if !path.is_empty() {
        found.push(path);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 2, ..Default::default() })]

    #[test]
    fn changed_bytes_never_cause_a_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let mut bytes = glb();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = read_bytes(&bytes, None, &ReadOptions::default());
    }

    #[test]
    fn changed_text_never_causes_a_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, any::<u32>()), 1..4),
    ) {
        let mut builder = good();
        for (place, kind, number) in edits {
            let mut found = Vec::new();
            pointers(&builder.json, String::new(), &mut found);
            let place = &found[place.index(found.len())];
            if let Some(value) = builder.json.pointer_mut(place) {
                *value = match kind {
                    0 => json!(number),
                    1 => json!(number % 12),
                    2 => json!(number % 12),
                    3 => json!(-1),
                    4 => json!(1e30),
                    5 => json!(null),
                    6 => json!([]),
                    7 => json!({}),
                    8 => json!("STEP"),
                    9 => json!([number % 12, number % 7, number % 3]),
                    10 => json!(5120 + number % 7),
                    _ => json!(u64::MAX),
                };
            }
        }
        let _ = builder.read();
    }

    #[test]
    fn changed_numbers_never_cause_a_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let mut builder = good();
        for (place, byte) in changes {
            let place = place.index(builder.bytes.len());
            builder.bytes[place] = byte;
        }
        let _ = builder.read();
    }
}
