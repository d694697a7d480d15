//! What is written is read back.

use throng_motion::files::gltf::{WriteOptions, library, read, read_bytes};
use throng_motion::files::{Body, Document, ReadOptions};
use throng_motion::{JointId, Landmark, ModelPose, Motion, Region};

use super::people::{boxy, dance};
use crate::rigs::differences;

fn round_trip() -> (Document, Body, [Motion; 2]) {
    let body = boxy("boxy");
    let motions = ["walk", "turn"].map(|name| dance(&body.skeleton, name, 60.0, 91, 1.3));
    let glb = library(&body, &motions.each_ref(), &WriteOptions::default()).unwrap();
    let document = read_bytes(&glb, None, &ReadOptions::default()).unwrap();
    (document, body, motions)
}

#[test]
fn bodies_and_motions_come_back() {
    let (document, body, motions) = round_trip();
    assert!(document.warnings.is_empty(), "{}", document.warnings);
    assert_eq!(document.bodies.len(), 1);
    let back = &document.bodies[0];
    assert_eq!(back.name, body.name);
    let names = |body: &Body| -> Vec<(String, Option<JointId>)> {
        body.skeleton.joints().iter().map(|j| (j.name.clone(), j.parent)).collect()
    };
    assert_eq!(names(back), names(&body), "in the same order");
    assert_eq!(document.motions.len(), 2);
    for (motion, read) in motions.iter().zip(&document.motions) {
        assert_eq!(motion.name(), read.name());
        let (turn, way) = differences(motion, read);
        assert!(turn < 1e-5 && way < 1e-4, "{turn} rad, {way} m");
    }
    for landmark in Landmark::ALL {
        let name = |body: &Body| {
            let joint = body.skeleton.landmark(landmark).unwrap();
            body.skeleton.joints()[joint.index()].name.clone()
        };
        assert_eq!(name(back), name(&body));
    }
}

#[test]
fn surfaces_come_back_where_they_were() {
    let (document, body, _) = round_trip();
    let (a, b) = (&body.meshes[0], &document.bodies[0].meshes[0]);
    assert_eq!(document.bodies[0].meshes.len(), 1);
    assert_eq!(a.positions.len(), b.positions.len());
    assert_eq!(a.triangle_count(), b.triangle_count());
    for region in Region::ALL {
        let count = |mesh: &throng_motion::Mesh| {
            let parts = mesh.parts.iter().filter(|part| part.region == region);
            parts.map(|part| part.triangles.len()).sum::<usize>()
        };
        assert_eq!(count(a), count(b), "{region:?}");
    }
    // Bent by a pose, both are the same surface.
    let model = |body: &Body| {
        let motion = dance(&body.skeleton, "bend", 30.0, 9, 0.0);
        ModelPose::of(&body.skeleton, &motion.pose(5))
    };
    let (p, n) = a.skinned(&model(&body));
    let (q, m) = b.skinned(&model(&document.bodies[0]));
    for ((p, n), (q, m)) in p.iter().zip(&n).zip(q.iter().zip(&m)) {
        assert!((*p - *q).length() < 1e-4 && (*n - *m).length() < 1e-3, "{p} and {q}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = read(&folder.path().join("b.glb"), &ReadOptions::default()).unwrap_err();
    assert!(missing.to_string().contains("b.glb"), "{missing}");
}
