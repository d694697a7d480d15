//! What an export looks like as a file.

use std::sync::Arc;

use glam::{Quat, Vec3};
use gltf::json;
use throng_motion::files::gltf::{
    Act, CrowdWriter, Export, Keyed, Keys, Palette, Person, PlaceKey, Play, Take, WriteError,
    WriteOptions, to_glb, to_gltf, write,
};
use throng_motion::{Motion, Region};

use super::people::{boxy, dance, human};

fn person(name: &str) -> Person {
    Person::new(name, 0)
}

fn keys(count: usize, along: f32) -> Vec<PlaceKey> {
    (0..count)
        .map(|key| PlaceKey {
            time: key as f32,
            translation: Vec3::new(along, 0.0, key as f32),
            rotation: Quat::from_rotation_y(0.2 * key as f32),
        })
        .collect()
}

fn crowd(people: usize) -> Export {
    let body = boxy("boxy");
    let motion = Arc::new(dance(&body.skeleton, "dance", 30.0, 30, 0.0));
    let people = (0..people).map(|index| {
        let play = Play::looped(0, 0.1 * index as f32, 3.0);
        (person(&format!("walker {index}")), Some(play), keys(4, index as f32))
    });
    Export::crowd(vec![body], vec![motion], people)
}

fn root(export: &Export, options: &WriteOptions) -> json::Root {
    let glb = to_glb(export, options).unwrap();
    gltf::Gltf::from_slice(&glb).unwrap().document.into_json()
}

#[test]
fn people_share_meshes_matrices_and_clips() {
    let options = WriteOptions::default();
    let (few, many) = (crowd(2), crowd(42));
    let (a, b) = (root(&few, &options), root(&many, &options));
    assert_eq!((a.meshes.len(), b.meshes.len()), (1, 1));
    assert_eq!((a.skins.len(), b.skins.len()), (2, 42));
    assert_eq!(a.buffer_views.len(), b.buffer_views.len());
    let matrices: Vec<usize> =
        b.skins.iter().map(|skin| skin.inverse_bind_matrices.unwrap().value()).collect();
    assert!(matrices.iter().all(|accessor| *accessor == matrices[0]));
    // Each of them adds key times, four places and four turns to the numbers, and no frames.
    let size = |root: &json::Root| root.buffers[0].byte_length.0;
    let each = (size(&b) - size(&a)) as f32 / 40.0;
    assert!(each < 600.0, "{each} bytes for each person");
    // Ten phases are a cycle of ten tenths of a second: those who are in step share accessors.
    assert_eq!(b.animations.len(), 1);
    assert_eq!(b.animations[0].channels.len(), 42 * (human().skeleton().len() - 2 + 1 + 2));
}

#[test]
fn key_times_begin_at_zero_and_grow() {
    let export = crowd(7);
    let glb = to_glb(&export, &WriteOptions::default()).unwrap();
    let (document, blob) = {
        let gltf = gltf::Gltf::from_slice(&glb).unwrap();
        (gltf.document, gltf.blob.unwrap())
    };
    let mut channels = 0;
    for channel in document.animations().flat_map(|animation| {
        animation.channels().map(|channel| channel.sampler().input().index()).collect::<Vec<_>>()
    }) {
        let input = document.accessors().nth(channel).unwrap();
        let times: Vec<f32> = gltf::accessor::Iter::new(input, |_| Some(&blob)).unwrap().collect();
        assert_eq!(times[0], 0.0);
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
        assert!((2.95..=3.0001).contains(times.last().unwrap()));
        channels += 1;
    }
    assert!(channels > 100);
}

#[test]
fn at_rest_people_are_where_their_first_act_begins() {
    let root = root(&crowd(3), &WriteOptions::default());
    for index in 0..3 {
        let name = format!("walker {index}");
        let node = root.nodes.iter().find(|node| node.name.as_ref() == Some(&name)).unwrap();
        let at = node.translation.unwrap_or_default();
        assert_eq!(at, [index as f32, 0.0, 0.0]);
    }
}

#[test]
fn a_library_has_one_animation_for_each_motion() {
    let body = boxy("boxy");
    let motions: Vec<Arc<Motion>> = ["walk", "run", "wave"]
        .map(|name| Arc::new(dance(&body.skeleton, name, 30.0, 20, 1.0)))
        .to_vec();
    let root = root(&Export::library(body, motions), &WriteOptions::default());
    let names: Vec<&str> =
        root.animations.iter().map(|animation| animation.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["walk", "run", "wave"]);
    assert_eq!(root.asset.generator.as_deref(), Some("Throng"));
    // Toes do not move in any of them, and nobody is told that they do not.
    let channels = root.animations[0].channels.len();
    assert_eq!(channels, human().skeleton().len() - 2 + 1);
}

#[test]
fn colours_are_those_of_the_person_and_materials_are_shared() {
    let body = boxy("boxy");
    let red = Palette::default().with(Region::Top, [0.6, 0.1, 0.1]);
    let people = [None, Some(red), Some(red), Some(Palette::default())]
        .map(|palette| (Person { palette, ..person("somebody") }, None, Vec::new()));
    let root = root(&Export::crowd(vec![body], vec![], people), &WriteOptions::default());
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
    let (export, compact) = (crowd(1), WriteOptions { compact: true, ..WriteOptions::default() });
    let size = |options: &WriteOptions| {
        root(&export, options)
            .buffer_views
            .iter()
            .filter(|view| view.name.as_deref() == Some("keys"))
            .map(|view| view.byte_length.0)
            .sum::<u64>() as f32
    };
    let ratio = size(&compact) / size(&WriteOptions::default());
    assert!((0.5..0.6).contains(&ratio), "{ratio}");
}

#[test]
fn text_with_numbers_inside_or_beside_it_is_the_same_document() {
    let folder = tempfile::tempdir().unwrap();
    let (export, options) = (crowd(2), WriteOptions::default());
    let inside = to_gltf(&export, &options).unwrap();
    let path = folder.path().join("two people.gltf");
    write(&export, &options, &path).unwrap();
    let beside = std::fs::read_to_string(&path).unwrap();
    let mut a: json::Root = json::deserialize::from_str(&inside).unwrap();
    let mut b: json::Root = json::deserialize::from_str(&beside).unwrap();
    assert_eq!(b.buffers[0].uri.take().as_deref(), Some("two%20people.bin"));
    assert!(a.buffers[0].uri.take().unwrap().starts_with("data:application/octet-stream;base64,"));
    assert_eq!(a.to_string().unwrap(), b.to_string().unwrap());
    let numbers = std::fs::metadata(folder.path().join("two people.bin")).unwrap().len();
    assert_eq!(numbers, b.buffers[0].byte_length.0);

    let glb = folder.path().join("two.glb");
    write(&export, &options, &glb).unwrap();
    assert_eq!(std::fs::read(glb).unwrap(), to_glb(&export, &options).unwrap());
    let other = folder.path().join("two.fbx");
    assert!(matches!(write(&export, &options, &other), Err(WriteError::UnknownFormat(_))));
}

#[test]
fn what_does_not_fit_together_is_refused_with_its_place() {
    type Change = dyn Fn(&mut Export);
    let refused = |change: &Change| {
        let mut export = crowd(2);
        change(&mut export);
        to_glb(&export, &WriteOptions::default()).map(|_| ()).unwrap_err().to_string()
    };
    let cases: [(&Change, &str); 9] = [
        (&|e| e.people[1].body = 3, "people[1] \"walker 1\" has body 3, but there are only 1"),
        (&|e| e.takes[0].acts[0].person = 9, "an act of person 9, but there are only 2"),
        (&|e| e.takes[0].acts[1].person = 0, "two acts of \"walker 0\""),
        (&|e| e.takes[0].acts[1].play = Some(Play::once(4)), "plays motion 4"),
        (&|e| e.takes[0].acts[1].places[2].time = 0.5, "place 2 of \"walker 1\" is at 0.5 s"),
        (
            &|e| e.takes[0].acts[1].places[2].translation.x = f32::NAN,
            "place 2 of \"walker 1\" is not",
        ),
        (
            &|e| e.takes[0].acts[0].play = Some(Play::looped(0, 0.0, f32::NAN)),
            "\"walker 0\" plays \"dance\" from 0 s at 1 times its speed for NaN s",
        ),
        (&|e| e.takes[0].acts[0].play = Some(Play::looped(0, 0.0, 1e7)), "write finite numbers"),
        (
            &|e| {
                let joint = throng_motion::Joint {
                    name: "lone".into(),
                    parent: None,
                    translation: Vec3::ZERO,
                    rotation: Quat::IDENTITY,
                };
                let lone = throng_motion::Skeleton::new(vec![joint], Default::default()).unwrap();
                e.motions[0] = Arc::new(dance(&Arc::new(lone), "alien", 30.0, 4, 0.0));
            },
            "cannot play \"alien\"",
        ),
    ];
    for (change, expected) in cases {
        let message = refused(change);
        assert!(message.contains(expected), "{message:?} should contain {expected:?}");
    }
}

#[test]
fn without_people_there_is_nothing_in_the_file() {
    let root = root(&Export::default(), &WriteOptions::default());
    assert_eq!((root.nodes.len(), root.buffers.len(), root.scenes.len()), (0, 0, 0));
    let mut nothing = crowd(1);
    nothing.takes = vec![Take { name: "nothing".into(), acts: vec![] }];
    nothing.takes[0].acts.push(Act { person: 0, play: None, places: vec![] });
    assert!(self::root(&nothing, &WriteOptions::default()).animations.is_empty());
}

#[test]
fn people_have_sizes_of_their_own() {
    let people = [0.9, 1.0].map(|scale| (Person { scale, ..person("p") }, None, Vec::new()));
    let written =
        root(&Export::crowd(vec![boxy("boxy")], vec![], people), &WriteOptions::default());
    let scales: Vec<Option<[f32; 3]>> = written
        .nodes
        .iter()
        .filter(|node| node.name.as_deref() == Some("p"))
        .map(|node| node.scale)
        .collect();
    assert_eq!(scales, [Some([0.9; 3]), None]);
    for scale in [0.0, -1.0, f32::NAN] {
        let people = [(Person { scale, ..person("p") }, None, Vec::new())];
        let export = Export::crowd(vec![boxy("boxy")], vec![], people);
        let error = to_glb(&export, &WriteOptions::default()).unwrap_err();
        assert!(matches!(error, WriteError::Scale { .. }), "{error}");
    }
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
