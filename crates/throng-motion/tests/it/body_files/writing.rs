//! What is written looks like as a file.

use std::sync::Arc;

use glam::{Quat, Vec3};
use gltf::json;
use throng_motion::files::gltf::{
    CrowdWriter, Keyed, Keys, Palette, Person, WriteError, WriteOptions, library, read_bytes,
};
use throng_motion::files::{Body, ReadOptions};
use throng_motion::{Joint, Region, Skeleton};

use super::people::{boxy, dance, human};

fn person(name: &str) -> Person {
    Person::new(name, 0)
}

fn walkers(count: usize) -> Vec<Person> {
    (0..count).map(|index| person(&format!("walker {index}"))).collect()
}

/// Keys of a body that turns in all of its joints and walks ahead, 10 times a second for 3 s.
fn keys(body: &Body, aside: f32) -> Keys {
    let times: Vec<f32> = (0..31).map(|key| key as f32 / 10.0).collect();
    let turn = |time: &f32| Quat::from_rotation_y(0.2 * time);
    let turns = Keyed { values: times.iter().map(turn).collect(), times: times.clone() };
    let place = |time: &f32| Vec3::new(aside, 0.0, *time);
    let places = Keyed { values: times.iter().map(place).collect(), times };
    let rotations = vec![turns.clone(); body.skeleton.len()];
    Keys { places, turns, rotations, ..Keys::default() }
}

/// The file of people who have the same body, each aside of the one before.
fn crowd(people: &[Person], options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crowd.glb");
    let bodies = [boxy("boxy")];
    let mut writer = CrowdWriter::new(&bodies, options, &path)?;
    for (index, person) in people.iter().enumerate() {
        writer.add_person(person, &keys(&bodies[0], index as f32))?;
    }
    writer.finish()?;
    Ok(std::fs::read(&path).unwrap())
}

fn root(glb: &[u8]) -> json::Root {
    gltf::Gltf::from_slice(glb).unwrap().document.into_json()
}

fn crowd_root(people: &[Person], options: &WriteOptions) -> json::Root {
    root(&crowd(people, options).unwrap())
}

#[test]
fn people_share_meshes_and_matrices() {
    let [few, many] = [2, 42].map(|count| crowd_root(&walkers(count), &WriteOptions::default()));
    assert_eq!((few.meshes.len(), many.meshes.len()), (1, 1));
    assert_eq!((few.skins.len(), many.skins.len()), (2, 42));
    assert_eq!(few.buffer_views.len(), many.buffer_views.len());
    let matrices: Vec<usize> =
        many.skins.iter().map(|skin| skin.inverse_bind_matrices.unwrap().value()).collect();
    assert!(matrices.iter().all(|accessor| *accessor == matrices[0]));
    assert_eq!(many.animations.len(), 1);
    assert_eq!(many.animations[0].channels.len(), 42 * (human().skeleton().len() + 2));
}

#[test]
fn at_rest_people_are_where_they_begin() {
    let root = crowd_root(&walkers(3), &WriteOptions::default());
    for index in 0..3 {
        let name = format!("walker {index}");
        let node = root.nodes.iter().find(|node| node.name.as_ref() == Some(&name)).unwrap();
        let at = node.translation.unwrap_or_default();
        assert_eq!(at, [index as f32, 0.0, 0.0]);
    }
}

#[test]
fn what_people_do_comes_back() {
    let body = boxy("boxy");
    for (compact, tolerance) in [(false, 1e-5), (true, 1e-4)] {
        let options = WriteOptions { compact, ..WriteOptions::default() };
        let glb = crowd(&walkers(3), &options).unwrap();
        let options = ReadOptions { rate: 10.0, ..ReadOptions::default() };
        let document = read_bytes(&glb, None, &options).unwrap();
        assert_eq!((document.bodies.len(), document.motions.len()), (3, 3));
        for (index, motion) in document.motions.iter().enumerate() {
            let expected = keys(&body, index as f32);
            assert_eq!(motion.frames(), expected.turns.values.len());
            let turns = expected.turns.values.iter().zip(&expected.places.values);
            for (frame, (&turn, &place)) in turns.enumerate() {
                // Where the body is and how it is turned there is part of the movement of its hips.
                let pose = motion.pose(frame);
                let hips = place + turn * body.skeleton.joints()[0].translation;
                assert!(Vec3::from(pose.root).distance(hips) < 1e-4, "frame {frame}");
                let joints = pose.rotations.iter().enumerate();
                for (joint, rotation) in joints {
                    let wanted = if joint == 0 { turn * turn } else { turn };
                    let off = 2.0 * (rotation.inverse() * wanted).xyz().length();
                    assert!(off < 2.0 * tolerance, "frame {frame}, joint {joint}: {off}");
                }
            }
        }
    }
}

#[test]
fn a_library_has_one_animation_for_each_motion() {
    let body = boxy("boxy");
    let motions = ["walk", "run", "wave"].map(|name| dance(&body.skeleton, name, 30.0, 20, 1.0));
    let glb = library(&body, &motions.each_ref(), &WriteOptions::default()).unwrap();
    let animations = root(&glb).animations;
    let names: Vec<&str> = animations.iter().filter_map(|it| it.name.as_deref()).collect();
    assert_eq!(names, ["walk", "run", "wave"]);
    // Toes do not move in any of them, and nobody is told that they do not.
    assert_eq!(animations[0].channels.len(), human().skeleton().len() - 2 + 1);
    let still = root(&library(&body, &[], &WriteOptions::default()).unwrap());
    assert!(still.animations.is_empty());
    assert_eq!(still.asset.generator.as_deref(), Some("Throng"));
}

#[test]
fn key_times_begin_at_zero_and_grow() {
    let body = boxy("boxy");
    let motion = dance(&body.skeleton, "dance", 30.0, 20, 1.0);
    let library = library(&body, &[&motion], &WriteOptions::default()).unwrap();
    let crowd = crowd(&walkers(3), &WriteOptions::default()).unwrap();
    for (glb, end) in [(library, 19.0 / 30.0), (crowd, 3.0)] {
        let gltf = gltf::Gltf::from_slice(&glb).unwrap();
        let blob = gltf.blob.as_deref().unwrap();
        let channels: Vec<_> = gltf.animations().flat_map(|it| it.channels()).collect();
        assert!(channels.len() > 20);
        for channel in channels {
            let input = channel.sampler().input();
            let times = gltf::accessor::Iter::<f32>::new(input, |_| Some(blob)).unwrap();
            let times: Vec<f32> = times.collect();
            assert_eq!((times[0], times[times.len() - 1]), (0.0, end));
            assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
        }
    }
}

#[test]
fn a_library_refuses_motions_of_other_bodies() {
    let joint = Joint {
        name: "lone".into(),
        parent: None,
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
    };
    let lone = Arc::new(Skeleton::new(vec![joint], Default::default()).unwrap());
    let alien = dance(&lone, "alien", 30.0, 4, 0.0);
    let error = library(&boxy("boxy"), &[&alien], &WriteOptions::default()).unwrap_err();
    assert!(error.to_string().contains("cannot play \"alien\""), "{error}");
}

#[test]
fn colours_are_those_of_the_person_and_materials_are_shared() {
    let red = Palette::default().with(Region::Top, [0.6, 0.1, 0.1]);
    let people = [None, Some(red), Some(red), Some(Palette::default())]
        .map(|palette| Person { palette, ..person("somebody") });
    let root = crowd_root(&people, &WriteOptions::default());
    assert_eq!(root.meshes.len(), 2, "two sets of colours");
    assert_eq!(root.materials.len(), Region::ALL.len() + 1, "one more colour of one region");
    let names: Vec<&str> =
        root.materials.iter().map(|material| material.name.as_deref().unwrap()).collect();
    assert!(names.contains(&"top") && names.contains(&"top 2"), "{names:?}");
    let position = |mesh: &json::Mesh| {
        use json::validation::Checked;
        mesh.primitives[0].attributes[&Checked::Valid(json::mesh::Semantic::Positions)].value()
    };
    assert_eq!(position(&root.meshes[0]), position(&root.meshes[1]));
}

#[test]
fn compact_rotations_take_half_the_space() {
    let size = |compact: bool| {
        let options = WriteOptions { compact, ..WriteOptions::default() };
        let views = crowd_root(&walkers(1), &options).buffer_views;
        let keys = views.iter().filter(|view| view.name.as_deref() == Some("keys"));
        keys.map(|view| view.byte_length.0).sum::<u64>() as f32
    };
    let ratio = size(true) / size(false);
    assert!((0.5..0.6).contains(&ratio), "{ratio}");
}

#[test]
fn people_have_sizes_of_their_own() {
    let people = [0.9, 1.0].map(|scale| Person { scale, ..person("p") });
    let nodes = crowd_root(&people, &WriteOptions::default()).nodes;
    let people = nodes.iter().filter(|node| node.name.as_deref() == Some("p"));
    assert_eq!(people.map(|node| node.scale).collect::<Vec<_>>(), [Some([0.9; 3]), None]);
    let refused = |person: Person| crowd(&[person], &WriteOptions::default()).unwrap_err();
    for scale in [0.0, -1.0, f32::NAN] {
        let error = refused(Person { scale, ..person("p") });
        assert!(matches!(error, WriteError::Scale { .. }), "{error}");
    }
    let error = refused(Person { body: 3, ..person("p") });
    assert!(matches!(error, WriteError::NoSuchBody { body: 3, count: 1, .. }), "{error}");
}

#[test]
fn people_who_are_written_one_by_one_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crowd.glb");
    let (bodies, options) = ([boxy("boxy")], WriteOptions { compact: true, ..Default::default() });
    let mut writer = CrowdWriter::new(&bodies, &options, &path).unwrap();
    let keyed = |values: &[(f32, Quat)]| Keyed {
        times: values.iter().map(|value| value.0).collect(),
        values: values.iter().map(|value| value.1).collect(),
    };
    let still = keyed(&[(0.0, Quat::IDENTITY)]);
    let keys = |shown: Vec<(f32, f32)>| Keys {
        rotations: vec![still.clone(); bodies[0].skeleton.len()],
        shown,
        ..Keys::default()
    };
    let there = [
        ("always", vec![(0.0, f32::INFINITY)]),
        ("later", vec![(1.0, f32::INFINITY)]),
        ("twice", vec![(0.0, 1.0), (2.0, 3.0)]),
    ];
    for (name, shown) in there {
        writer.add_person(&person(name), &keys(shown)).unwrap();
    }
    let two = [(0.0, Quat::IDENTITY), (0.0, Quat::IDENTITY)];
    let mut backwards = keys(vec![]);
    backwards.rotations[0] = keyed(&two);
    let error = writer.add_person(&person("odd"), &backwards).unwrap_err();
    assert!(error.to_string().contains("\"odd\" is at 0 s"), "{error}");
    let few = Keys { rotations: vec![], ..Keys::default() };
    assert!(writer.add_person(&person("few"), &few).is_err());
    writer.finish().unwrap();

    let glb = gltf::Gltf::open(&path).unwrap();
    let animation = glb.animations().next().unwrap();
    let scales: Vec<(String, usize)> = animation
        .channels()
        .filter(|channel| channel.target().property() == gltf::animation::Property::Scale)
        .map(|channel| {
            assert_eq!(channel.sampler().interpolation(), gltf::animation::Interpolation::Step);
            (channel.target().node().name().unwrap().into(), channel.sampler().input().count())
        })
        .collect();
    assert_eq!(scales, [("later".into(), 2), ("twice".into(), 4)]);
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 1, "nothing is left over");
}
