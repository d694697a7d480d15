//! Rec files and test cases of SteerSuite.

use std::io::Cursor;

use proptest::prelude::*;
use throng::Engine;
use throng::exchange::steersuite::{
    RecAgent, RecBox, RecCamera, RecError, RecFile, RecWriter, scene_of_case, validate_rec,
};
use throng::exchange::{ExportFormat, ImportOptions};
use throng::recording::{Frame, Problem, Validator, validate};
use throng::world::Scene;

use super::support::{Folder, frames, one_floor, to, walkers};

fn agents(frame: u32) -> Vec<RecAgent> {
    let agent = |who: u32| RecAgent {
        enabled: who != 2 || frame < 3,
        position: [who as f32 + 0.1 * frame as f32, 0.0, -1.5],
        direction: [0.6, 0.0, 0.8],
        goal: [9.0, 0.0, who as f32],
        radius: 0.5,
    };
    (0..3).map(agent).collect()
}

const CAMERA: RecCamera =
    RecCamera { position: [1.0, 30.0, 3.0], look_at: [0.0; 3], up: [0.0, 1.0, 0.0] };
const OBSTACLES: [RecBox; 2] = [
    RecBox { min: [-9.0, 0.0, 2.0], max: [9.0, 1.5, 3.0] },
    RecBox { min: [4.0, 0.0, -9.0], max: [5.0, 2.0, -8.0] },
];

/// Three agents in five frames, with two obstacles and a camera.
fn small() -> Vec<u8> {
    let mut rec =
        RecWriter::begin(Cursor::new(Vec::new()), "small", 3, &[CAMERA], &OBSTACLES).unwrap();
    for frame in 0..5 {
        rec.frame(f64::from(frame) * 0.05, &agents(frame)).unwrap();
    }
    rec.finish().unwrap().into_inner()
}

fn open(bytes: &[u8]) -> Result<RecFile<Cursor<&[u8]>>, RecError> {
    RecFile::open(Cursor::new(bytes))
}

fn word(bytes: &[u8], index: usize) -> u32 {
    u32::from_le_bytes(bytes[4 * index..4 * index + 4].try_into().unwrap())
}

fn with_word(index: usize, value: u32) -> Vec<u8> {
    let mut bytes = small();
    bytes[4 * index..4 * index + 4].copy_from_slice(&value.to_le_bytes());
    bytes
}

/// Where the table of frames is.
fn table(bytes: &[u8]) -> usize {
    word(bytes, 15) as usize
}

#[test]
fn a_rec_file_has_the_layout_of_version_2_and_comes_back_as_it_was() {
    let bytes = small();
    let words: Vec<u32> = (0..11).map(|index| word(&bytes, index)).collect();
    assert_eq!(words, [0x0F8C_2951, 2, 68, 36, 48, 132, 60, 1, 2, 3, 5]);
    assert_eq!(f32::from_bits(word(&bytes, 11)), 0.2);
    assert_eq!(bytes.len(), 68 + 8 + 36 + 48 + 5 * 132 + 60);
    assert_eq!(table(&bytes), bytes.len() - 60, "the table is the last");
    assert_eq!(&bytes[68..76], b"small\0\0\0");
    let mut rec = open(&bytes).unwrap();
    rec.check_times().unwrap();
    assert_eq!(
        (rec.name(), rec.cameras(), rec.obstacles()),
        ("small", &[CAMERA][..], &OBSTACLES[..])
    );
    let mut read = Vec::new();
    for frame in 0..5 {
        rec.checked_frame(frame, &mut read).unwrap();
        assert_eq!(read, agents(frame));
    }
    let steps: Vec<f32> = rec.entries().iter().map(|entry| entry.to_next).collect();
    assert_eq!(steps, [0.05, 0.05, 0.05, 0.05, 0.0]);
    // Version 1 is the same without a name.
    let old = with_word(1, 1);
    let rec = open(&old).unwrap();
    assert_eq!((rec.name(), rec.obstacles().len()), ("", 2));
}

#[test]
fn every_kind_of_damage_has_an_error_of_its_own() {
    let bytes = small();
    let refused = |bytes: &[u8]| open(bytes).unwrap_err();
    assert!(matches!(refused(&bytes[..40]), RecError::TruncatedHeader { length: 40 }));
    assert!(matches!(refused(&with_word(0, 7)), RecError::WrongMagic { found: 7 }));
    let swapped = refused(&with_word(0, 0x0F8C_2951u32.swap_bytes())).to_string();
    assert!(swapped.contains("big-endian"), "{swapped}");
    assert!(matches!(refused(&with_word(1, 99)), RecError::Version { found: 99 }));
    assert!(matches!(refused(&with_word(15, 0)), RecError::Unfinished));
    assert!(matches!(refused(&with_word(5, 128)), RecError::Size { expected: 132, .. }));
    for (index, what) in [(7, "cameras"), (8, "obstacles"), (9, "agents"), (10, "frames")] {
        let error = refused(&with_word(index, u32::MAX));
        assert!(matches!(error, RecError::TooMany { what: found, .. } if found == what), "{error}");
    }
    let error = refused(&with_word(14, 1 << 30));
    assert!(matches!(error, RecError::Outside { what: "list of obstacles", .. }), "{error}");
    let error = refused(&bytes[..bytes.len() - 1]);
    assert!(matches!(error, RecError::Truncated { what: "table of frames", .. }), "{error}");
    let mut far = bytes.clone();
    let entry = table(&bytes) + 2 * 12 + 8;
    far[entry..entry + 4].copy_from_slice(&(bytes.len() as u32 - 100).to_le_bytes());
    assert!(matches!(refused(&far), RecError::TruncatedFrame { frame: 2, .. }));
}

#[test]
fn times_and_positions_that_cannot_be_are_told_with_agent_and_frame() {
    let bytes = small();
    let with = |place: usize, value: f32| {
        let mut bytes = bytes.clone();
        bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let entry = |frame: usize| table(&bytes) + 12 * frame;
    let step = with(entry(1) + 4, 0.0);
    let error = open(&step).unwrap().check_times().unwrap_err();
    assert!(matches!(error, RecError::Step { frame: 1, step: 0.0 }), "{error}");
    let order = with(entry(3), 0.1);
    let error = open(&order).unwrap().check_times().unwrap_err();
    assert!(matches!(error, RecError::Order { frame: 3, .. }), "{error}");
    let first = word(&bytes, 16) as usize;
    let lost = with(first + 4 * 132 + 44 + 4, f32::NAN);
    let error = open(&lost).unwrap().checked_frame(4, &mut Vec::new()).unwrap_err();
    assert!(matches!(error, RecError::NotFinite { agent: 1, frame: 4, .. }), "{error}");

    let folder = Folder::new();
    for (bytes, reason) in [
        (&step, "a.rec: the time from frame 1 to the next is 0 s"),
        (&order, "a.rec: frame 3 is at 0.1 s, but the frame before it is at 0.1 s"),
        (&lost, "a.rec: agent 1 in frame 4: the position is not finite"),
    ] {
        let error = folder.import_text("a.rec", bytes, &ImportOptions::default()).unwrap_err();
        assert!(error.contains(reason), "{error}");
        assert_eq!(folder.files(), ["a.rec"], "nothing is written");
    }
}

#[test]
fn truncated_anywhere_a_rec_file_is_refused() {
    let bytes = small();
    for length in 0..bytes.len() {
        assert!(open(&bytes[..length]).is_err(), "cut at {length}");
    }
}

#[test]
fn a_recording_comes_back_from_a_rec_file() {
    let folder = Folder::new();
    let recorded = walkers(20, 1);
    let mut recording = folder.record(&one_floor(), &recorded);
    let exported =
        folder.export(&mut recording, "a.rec", &to(ExportFormat::SteersuiteRec)).unwrap();
    assert!(exported.warnings[0].contains("numbered from 0"), "{:?}", exported.warnings);
    let imported = folder.import("a.rec", &ImportOptions::default()).unwrap();
    assert_eq!((imported.rows, imported.obstacles), (recording.row_count(), 3));
    assert_eq!(imported.fps, 10.0);
    let back = frames(&mut folder.imported());
    assert_eq!(back.len(), recorded.len());
    for (back, recorded) in back.iter().zip(&recorded) {
        let ids: Vec<u32> = recorded.people.ids.iter().map(|id| (id - 1) / 3).collect();
        assert_eq!(back.people.ids, ids);
        assert_eq!(back.people.positions, recorded.people.positions);
        assert_eq!(back.people.heights, recorded.people.heights);
        assert_eq!(back.people.radii, recorded.people.radii);
        assert!((back.time - recorded.time).abs() < 1e-9);
        let headings = back.people.headings.iter().zip(&recorded.people.headings);
        headings.for_each(|(a, b)| assert!((a - b).abs() < 1e-6, "{a} and {b}"));
    }
    let scene = folder.imported().scene().unwrap();
    assert_eq!(scene.obstacles[0].shape.bounds().unwrap().max, glam::Vec2::ONE);
}

#[test]
fn shapes_that_are_no_boxes_are_written_as_boxes_with_a_warning() {
    let folder = Folder::new();
    let scene = one_floor()
        + "[[obstacles]]\ncircle = { center = [-5, -5], radius = 1 }\n\
           [[obstacles]]\nbox = { center = [5, -5], size = [2, 2], angle = 45 }\n\
           [[obstacles]]\nbox = { center = [7, 8], size = [1, 1] }\nduring = [{ from = 3 }]\n";
    let mut recording =
        folder.record(&scene.replace("10, 10]]", "10, 10]]\nclosed = true"), &walkers(3, 1));
    let exported =
        folder.export(&mut recording, "a.rec", &to(ExportFormat::SteersuiteRec)).unwrap();
    let warnings = exported.warnings.join("\n");
    assert!(warnings.contains("2 obstacles that are no boxes"), "{warnings}");
    assert!(warnings.contains("1 obstacle that comes and goes is left out"), "{warnings}");
    let bytes = std::fs::read(folder.path("a.rec")).unwrap();
    let rec = open(&bytes).unwrap();
    assert_eq!(rec.obstacles().len(), 5 + 4, "with four walls around the world");
    let round = RecBox { min: [-6.0, 0.0, -6.0], max: [-4.0, 2.5, -4.0] };
    assert!(rec.obstacles().contains(&round), "{:?}", rec.obstacles());
}

#[test]
fn suggested_views_go_out_and_come_back_at_heights_above_the_ground() {
    let folder = Folder::new();
    let scene = one_floor()
        + "[evaluation]\ncameras = [\n\
           { position = [0, -20, 15], look_at = [1, 2, 0.5] },\n\
           { position = [3, 0, 40], look_at = [3, 0, 0], field_of_view = 60 },\n]\n";
    let mut recording = folder.record(&scene, &walkers(3, 1));
    folder.export(&mut recording, "a.rec", &to(ExportFormat::SteersuiteRec)).unwrap();
    let bytes = std::fs::read(folder.path("a.rec")).unwrap();
    let up = [0.0, 1.0, 0.0];
    // y is up in a rec file.
    let first = RecCamera { position: [0.0, 15.0, -20.0], look_at: [1.0, 0.5, 2.0], up };
    let second = RecCamera { position: [3.0, 40.0, 0.0], look_at: [3.0, 0.0, 0.0], up };
    assert_eq!(open(&bytes).unwrap().cameras(), [first, second]);
    folder.import("a.rec", &ImportOptions::default()).unwrap();
    let cameras = folder.imported().scene().unwrap().evaluation.unwrap().cameras;
    assert_eq!(cameras.len(), 2);
    assert_eq!(cameras[0].position.to_array(), [0.0, -20.0, 15.0]);
    assert_eq!(cameras[0].look_at.to_array(), [1.0, 2.0, 0.5]);
    // Without any, there is one of the whole world.
    let mut recording = Folder::new().record(&one_floor(), &walkers(3, 1));
    folder.export(&mut recording, "b.rec", &to(ExportFormat::SteersuiteRec)).unwrap();
    let bytes = std::fs::read(folder.path("b.rec")).unwrap();
    assert_eq!(open(&bytes).unwrap().cameras().len(), 1);
}

#[test]
fn views_of_a_test_case_are_those_of_the_scene() {
    let view = |up: &str, field: &str| {
        format!(
            "<suggestedCameraView><position><x>1</x><y>30</y><z>-5.5</z></position>{}{up}{field}\
             </suggestedCameraView>",
            xyz("lookat", 0.0, 2.0)
        )
    };
    let upright = "<up><x>0</x><y>1</y><z>0</z></up>";
    let text = case(
        &[
            view(upright, "<fovy>60</fovy>"),
            view("<up><x>1</x><y>1</y><z>0</z></up>", ""),
            view(upright, "<fovy>500</fovy>"),
            format!(
                "<suggestedCameraView>{}{}{upright}</suggestedCameraView>",
                xyz("position", 1.0, 1.0),
                xyz("lookat", 1.0, 1.0)
            ),
            one("A", &at(-10.0, 3.0), &seek(10.0, 2.0)),
        ]
        .concat(),
    );
    let made = scene_of_case("ours.xml", &text, 7).unwrap();
    let scene = Scene::parse_plan("ours.toml", &made.scene).unwrap();
    let cameras = scene.evaluation.unwrap().cameras;
    assert_eq!((cameras.len(), made.cameras), (3, 3));
    assert_eq!(cameras[0].position.to_array(), [1.0, -5.5, 30.0]);
    assert_eq!(cameras[0].look_at.to_array(), [0.0, 2.0, 0.0]);
    let fields: Vec<f32> = cameras.iter().map(|camera| camera.field_of_view).collect();
    assert_eq!(fields, [60.0, 45.0, 170.0]);
    let warnings: Vec<&str> = made.warnings.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings.iter().any(|one| one.contains("tilted")), "{warnings:?}");
    assert!(warnings.iter().any(|one| one.contains("170 degrees")), "{warnings:?}");
    assert!(warnings.iter().any(|one| one.contains("looks at where it is from")), "{warnings:?}");
}

#[test]
fn goals_are_those_of_the_scene_and_people_who_are_not_there_are_disabled() {
    const SCENE: &str = r#"
format = 1
[simulation]
duration = 3
[world]
bounds = [[-10, -10], [10, 10]]
[[groups]]
name = "walkers"
goals = [{ seek = [0, 5] }]
then = "leave"
people = [
    { position = [0, 4], speed = 1.3 },
    { position = [3, 0], goals = [{ idle = 1 }, { seek = [7, 1] }] },
    { position = [-5, 0], goals = [{ idle = 9 }] },
]
"#;
    let folder = Folder::new();
    let scene = Scene::parse_plan("s.toml", SCENE).unwrap();
    let mut recorded = Vec::new();
    let mut engine = Engine::new(scene).unwrap();
    let keep = |frame: &Frame| {
        recorded.push(frame.clone());
        Ok::<_, ()>(())
    };
    engine.run_with(keep, |_| true).unwrap();
    let mut recording = folder.record(SCENE, &recorded);
    folder.export(&mut recording, "a.rec", &to(ExportFormat::SteersuiteRec)).unwrap();
    let bytes = std::fs::read(folder.path("a.rec")).unwrap();
    let (mut rec, mut read) = (open(&bytes).unwrap(), Vec::new());
    rec.checked_frame(0, &mut read).unwrap();
    let goals: Vec<[f32; 3]> = read.iter().map(|agent| agent.goal).collect();
    assert_eq!(goals, [[0.0, 0.0, 5.0], [7.0, 0.0, 1.0], [-5.0, 0.0, 0.0]]);
    rec.checked_frame(rec.header().frames - 1, &mut read).unwrap();
    let enabled: Vec<bool> = read.iter().map(|agent| agent.enabled).collect();
    assert_eq!(enabled, [false, true, true], "the first has arrived and left");

    // And both are runs of the scene.
    assert_eq!(validate(&mut recording, None).unwrap().findings, []);
    let scene = Scene::parse_plan("s.toml", SCENE).unwrap();
    let found = validate_rec(&folder.path("a.rec"), Some(scene)).unwrap();
    assert_eq!(found.findings, []);
    assert_eq!((found.people, found.frames), (3, 31));
    let moved = SCENE.replace("[3, 0]", "[3.01, 0]");
    let scene = Scene::parse_plan("s.toml", &moved).unwrap();
    let found = validate_rec(&folder.path("a.rec"), Some(scene)).unwrap();
    assert_eq!(found.findings.len(), 1);
    assert_eq!((found.findings[0].problem, found.findings[0].person), (Problem::Start, Some(1)));
}

#[test]
fn obstacles_beyond_the_end_of_the_world_are_left_out() {
    let folder = Folder::new();
    let far = RecBox { min: [-5e8, 0.0, 0.0], ..OBSTACLES[0] };
    let obstacles = [OBSTACLES[0], far];
    let mut rec = RecWriter::begin(Cursor::new(Vec::new()), "", 3, &[], &obstacles).unwrap();
    (0..2).for_each(|frame| rec.frame(f64::from(frame), &agents(0)).unwrap());
    folder.write("a.rec", rec.finish().unwrap().into_inner());
    let imported = folder.import("a.rec", &ImportOptions::default()).unwrap();
    assert_eq!(imported.obstacles, 1);
    assert!(
        imported.warnings.iter().any(|w| w.contains("1 has no area or is more than 100 km away")),
        "{:?}",
        imported.warnings
    );
    Scene::parse_plan("a", &folder.imported().info().scene).unwrap();
}

#[test]
fn whoever_walks_faster_than_they_can_is_found() {
    let text = "format = 1\nworld.bounds = [[-9, -9], [9, 9]]\n[[groups]]\nname = \"walkers\"\nspeed = 1.3\n\
                max_speed = 1.7\npeople = [{ position = [0, 0] }]\n";
    let findings = |way: f32| {
        let scene = Scene::parse_plan("s.toml", text).unwrap();
        let mut frame = Frame::default();
        Engine::new(scene.clone()).unwrap().snapshot(&mut frame);
        let mut validator = Validator::new(scene, 1).unwrap();
        validator.take(&frame);
        (frame.index, frame.time) = (1, 0.1);
        frame.people.positions[0].x += way;
        validator.take(&frame);
        let told = validator.finish().findings;
        told.iter().map(|found| (found.frame, found.problem)).collect::<Vec<_>>()
    };
    assert_eq!(findings(0.16), []);
    assert_eq!(findings(0.2), [(1, Problem::Speed)]);
}

#[test]
fn what_cannot_be_is_found_in_a_rec_file() {
    let folder = Folder::new();
    let mut rec = RecWriter::begin(Cursor::new(Vec::new()), "", 3, &[], &OBSTACLES[..1]).unwrap();
    for frame in 0..6 {
        let mut now = agents(0);
        now[0].position = [if frame < 3 { 0.0 } else { 40.0 }, 0.0, -6.0];
        now[1].position[2] = if frame == 4 { 2.5 } else { 1.9 };
        now[2].enabled = frame != 2;
        if frame == 5 {
            now[2].direction[0] = f32::NAN;
        }
        rec.frame(f64::from(frame), &now).unwrap();
    }
    folder.write("a.rec", rec.finish().unwrap().into_inner());
    let found = validate_rec(&folder.path("a.rec"), None).unwrap();
    let told: Vec<_> =
        found.findings.iter().map(|f| (f.frame, f.problem, f.person.unwrap())).collect();
    assert_eq!(
        told,
        [
            (3, Problem::Jump, 0),
            (3, Problem::Return, 2),
            (4, Problem::Wall, 1),
            (5, Problem::NotFinite, 2),
        ]
    );
    assert!(!found.is_ok() && found.unchecked.len() == 1, "{:?}", found.unchecked);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 2))]

    #[test]
    fn any_bytes_are_a_rec_file_or_refused(
        content in prop::collection::vec(any::<u8>(), 0..400),
        begins in any::<bool>(),
    ) {
        let mut content = content;
        if begins {
            content.splice(0..content.len().min(8), small()[..8].iter().copied());
        }
        read_all(&content);
    }

    #[test]
    fn a_changed_rec_file_is_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u32>()), 1..6),
        in_header in any::<bool>(),
    ) {
        let mut bytes = small();
        for (place, value) in changes {
            let words = if in_header { 17 } else { bytes.len() / 4 };
            let place = 4 * place.index(words);
            bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
        }
        read_all(&bytes);
    }
}

/// Reads all there is; the memory it takes is bounded by the length of the file.
fn read_all(bytes: &[u8]) {
    let Ok(mut rec) = open(bytes) else { return };
    let header = *rec.header();
    assert!(u64::from(header.frames) * (12 + 44 * u64::from(header.agents)) <= bytes.len() as u64);
    let _ = rec.check_times();
    let mut read = Vec::new();
    for frame in 0..header.frames {
        let _ = rec.checked_frame(frame, &mut read);
        assert_eq!(read.len(), header.agents as usize);
    }
}

/// The header of a test case that is 40 m wide, and what else is in it.
fn case(content: &str) -> String {
    format!(
        "<SteerBenchTestCase xmlns=\"http://www.magix.ucla.edu/steerbench\">\n\
         <header><version>1.0</version><name>ours</name>{}</header>\n{content}\n\
         </SteerBenchTestCase>\n",
        extent("worldBounds", -20.0, 20.0, -20.0, 20.0)
    )
}

fn extent(tag: &str, xmin: f64, xmax: f64, zmin: f64, zmax: f64) -> String {
    format!(
        "<{tag}><xmin>{xmin}</xmin><xmax>{xmax}</xmax><ymin>0</ymin><ymax>1</ymax>\
         <zmin>{zmin}</zmin><zmax>{zmax}</zmax></{tag}>"
    )
}

fn xyz(tag: &str, x: f64, z: f64) -> String {
    format!("<{tag}><x>{x}</x><y>0</y><z>{z}</z></{tag}>")
}

const RANDOM: &str = "<random>true</random>";

fn one(name: &str, position: &str, goals: &str) -> String {
    format!(
        "<agent><name>{name}</name>\n<initialConditions><radius>0.5</radius>\n\
         <position>{position}</position>\n{}<speed>0</speed></initialConditions>\n\
         <goalSequence>{goals}</goalSequence></agent>\n",
        xyz("direction", 0.0, 1.0)
    )
}

fn at(x: f64, z: f64) -> String {
    format!("<x>{x}</x><y>0</y><z>{z}</z>")
}

fn goal(kind: &str, what: &str) -> String {
    format!(
        "<{kind}>{what}<desiredSpeed>1.3</desiredSpeed><timeDuration>50</timeDuration></{kind}>"
    )
}

fn seek(x: f64, z: f64) -> String {
    goal("seekStaticTarget", &xyz("targetLocation", x, z))
}

fn region(count: u32, goals: &str) -> String {
    format!(
        "<agentRegion><numAgents>{count}</numAgents>{}<initialConditions>\
         <direction>{RANDOM}</direction><radius>0.4</radius><speed>0</speed></initialConditions>\
         <goalSequence>{goals}</goalSequence></agentRegion>",
        extent("regionBounds", 5.0, 15.0, -15.0, -5.0)
    )
}

#[test]
fn a_test_case_becomes_a_scene_with_all_that_is_in_it() {
    use throng::world::scene::{Aim, Then};
    let goals = [
        seek(10.0, 2.0),
        goal("seekStaticTarget", &format!("<targetLocation>{RANDOM}</targetLocation>")),
        goal("fleeStaticTarget", &xyz("targetLocation", 1.0, 1.0)),
        goal("seekDynamicTarget", "<targetName>B</targetName><random>false</random>"),
        goal("fleeDynamicTarget", "<targetName>B</targetName><random>false</random>"),
        goal("flowStaticDirection", &xyz("targetDirection", 0.0, -2.0)),
        goal("flowDynamicDirection", "<type>FOLLOW_CROWD</type>"),
        goal("idle", ""),
    ];
    let text = case(
        &[
            extent("obstacle", -2.0, 2.0, 5.0, 6.2),
            one("A", &at(-10.0, 3.0), &goals.concat()),
            one("B", RANDOM, &goal("seekDynamicTarget", &format!("<targetName/>{RANDOM}"))),
            region(12, &seek(-15.0, 0.0)),
        ]
        .concat(),
    );
    let made = scene_of_case("ours.xml", &text, 7).unwrap();
    let scene = Scene::parse_plan("ours.toml", &made.scene).unwrap();
    assert_eq!((made.agents, made.obstacles, scene.settings.seed), (14, 1, 7));
    assert_eq!(scene.name, "ours");
    assert!(scene.groups.iter().all(|group| group.then == Then::Leave));
    let bounds = scene.obstacles[0].shape.bounds().unwrap();
    assert!(bounds.min.distance(glam::Vec2::new(-2.0, 5.0)) < 1e-5, "{bounds:?}");
    let a = &scene.groups[0].people[0];
    assert_eq!((a.position.to_array(), a.radius, a.speed), ([-10.0, 3.0], Some(0.5), Some(1.3)));
    assert!((a.heading.unwrap().radians() - std::f32::consts::FRAC_PI_2).abs() < 1e-5);
    let goals = a.goals.as_ref().unwrap();
    assert!(goals.iter().all(|goal| goal.duration == 50.0));
    assert!(goals[..7].iter().all(|goal| goal.speed == Some(1.3)));
    let aims: Vec<&Aim> = goals.iter().map(|goal| &goal.aim).collect();
    assert!(
        matches!(
            aims[..],
            [
                Aim::Seek { .. },
                Aim::SeekRandom { .. },
                Aim::Flee { .. },
                Aim::SeekTarget { .. },
                Aim::FleeTarget { .. },
                Aim::Flow { .. },
                Aim::FollowCrowd,
                Aim::Idle,
            ]
        ),
        "{aims:?}"
    );
    assert!(matches!(aims[5], Aim::Flow { direction } if *direction == glam::Vec2::NEG_Y));
    assert_eq!(scene.groups[1].crowds[0].count, 12);
    // Directions of a region have no place in a scene, and that is said.
    assert_eq!(made.warnings.len(), 1);
    assert!(made.warnings[0].message.contains("face random directions"), "{}", made.warnings[0]);
    // The same seed gives the same text, another one another place.
    assert_eq!(scene_of_case("ours.xml", &text, 7).unwrap(), made);
    assert_ne!(scene_of_case("ours.xml", &text, 8).unwrap().scene, made.scene);
}

#[test]
fn what_a_scene_cannot_say_is_a_warning_with_its_place() {
    let agent = one("A", &at(0.0, 30.0), &seek(9.0, 0.0)).replace("<speed>", "<color/><speed>");
    let text = case(&format!("{agent}\n<agentEmitter/>\n{}", goal("x", "")));
    let made = scene_of_case("ours.xml", &text, 0).unwrap();
    let told: Vec<String> = made.warnings.iter().map(ToString::to_string).collect();
    for expected in [
        "ours.xml:6:48: <color> in <initialConditions> is not known, and left out",
        "ours.xml:9:1: <agentEmitter> is not known, and left out",
        "outside of <worldBounds>; the world is larger",
    ] {
        assert!(told.iter().any(|warning| warning.contains(expected)), "{expected}: {told:?}");
    }
}

#[test]
fn mistakes_in_a_test_case_are_told_with_line_and_column() {
    let good = one("A", &at(0.0, 0.0), &seek(9.0, 0.0));
    let named = |name: &str| {
        goal("seekDynamicTarget", &format!("<targetName>{name}</targetName><random>false</random>"))
    };
    for (text, expected) in [
        (case(&one("A", &at(0.0, 0.0), "")), "x:7:1: <goalSequence> has no goal"),
        (case(&good.replace("goalSequence", "goals")), "x:3:1: <agent> has no <goalSequence>"),
        (case(&one("A", &at(0.0, 0.0), &goal("dance", ""))), "x:7:15: <dance> is no goal that is"),
        (case(&good.replace("<radius>0.5", "<radius>-0.5")), "x:4:20: <radius> is -0.5; write a"),
        (case(&good.replace("<x>9", "<x>nine")), "<x> is \"nine\", not a number"),
        (case(&one("A", &at(0.0, 0.0), &named("Zoe"))), "x:7:15: no agent is called \"Zoe\""),
        (case(&one("A", &at(0.0, 0.0), &named("A"))), "\"A\" is the agent itself"),
        (case(&region(4000, &seek(0.0, 0.0))), "x:3:1: 4000 agents of radius 0.4 do not fit"),
        (case(&region(120, &seek(0.0, 0.0))), "x:3:1: "),
        (case(&region(4_000_000, &seek(0.0, 0.0))), "<numAgents> is 4000000, and 100000 is"),
        (case(&format!("{good}{good}")), "x:8:1: "),
        (case(&(good.clone() + &extent("obstacle", -1.0, 1.0, -1.0, 1.0))), "x:3:1: "),
        (case(&(good.clone() + &extent("obstacle", 8.0, 10.0, -1.0, 1.0))), "x:7:15: "),
        (case("<obstacle/>"), "x:3:1: <obstacle> has no <xmin>"),
        (case(&good).replace("1.0</version>", "3.0</version>"), "the test case is of version"),
        (case(&good).replace("<name>ours", "<name>o</name><name>"), "<header> has two <name>"),
        ("<SteerBenchTestCase/>".into(), "x:1:1: <SteerBenchTestCase> has no <header>"),
        ("<html/>".into(), "<html> is no test case of SteerSuite"),
        (case("<agent>"), "x:4:"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>".into(), "without a DTD"),
    ] {
        let errors = scene_of_case("x", &text, 0).unwrap_err().to_string();
        assert!(errors.contains(expected), "{expected:?} is not in:\n{errors}");
    }
}

#[test]
fn deep_and_long_files_are_refused_in_no_time() {
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert!(scene_of_case("x", &deep, 0).is_err());
    let inside = case(&format!("<agent>{deep}</agent>"));
    assert!(scene_of_case("x", &inside, 0).is_err());
    let many = case(&"<agent/>".repeat(50_000));
    assert_eq!(scene_of_case("x", &many, 0).unwrap_err().errors().len(), 20);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    #[test]
    fn any_test_case_is_a_scene_or_refused(
        parts in prop::collection::vec(
            prop::sample::select(&[
                "<agent>", "</agent>", "<name>A</name>", "<initialConditions>", "<x>1</x>",
                "</initialConditions>", "<goalSequence>", "</goalSequence>", "<idle/>",
                "<radius>1e9</radius>", "<speed>-1</speed>", "<random>maybe</random>", "&amp;",
                "<obstacleRegion><numObstacles>99999999999999999999</numObstacles></obstacleRegion>",
                "<header/>", "é", "]]>", "<!-- ", "-->",
            ][..]),
            0..12,
        ),
        cut in any::<prop::sample::Index>(),
    ) {
        let text = case(&parts.concat());
        let _ = scene_of_case("x", &text, 0);
        let cut = text.floor_char_boundary(cut.index(text.trim_end().len()));
        prop_assert!(scene_of_case("x", &text[..cut], 0).is_err());
    }

    #[test]
    fn any_numbers_make_a_scene_or_errors_that_point_into_the_test_case(
        numbers in prop::collection::vec(
            prop_oneof![-25.0..25.0f64, Just(0.0), Just(1e30), Just(f64::NAN)],
            8,
        ),
        seed in any::<u64>(),
    ) {
        let n = &numbers;
        let text = case(&[
            extent("obstacle", n[0], n[1], n[2], n[3]),
            one("A", &at(n[4], n[5]), &seek(n[6], n[7])),
            one("B", RANDOM, &goal("seekDynamicTarget", RANDOM)),
        ].concat());
        match scene_of_case("x", &text, seed) {
            Ok(made) => drop(Scene::parse_plan("x", &made.scene).unwrap()),
            Err(errors) => for error in errors.errors() {
                prop_assert_eq!(&error.source.text, &text);
                prop_assert!(!error.span.is_empty(), "{}", error);
            },
        }
    }
}
