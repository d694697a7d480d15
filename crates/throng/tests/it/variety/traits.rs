//! That bodies are like the people they are of, whoever shows them.

use std::sync::{Arc, LazyLock};

use throng::bodies::variety::Wardrobe;
use throng::bodies::{Cast, Ensemble};
use throng::film::{PlayOptions, Playback, Recorded, dress, dressed};
use throng::recording::{Overwrite, Recorder, Recording, RecordingInfo};
use throng::{Engine, Scene};
use throng_world::{Temperament, Trait};

static CAST: LazyLock<Arc<Cast>> = LazyLock::new(|| Arc::new(Cast::new(2).expect("a cast")));

/// People who are listed, placed and come, of whom some are of different kinds.
fn scene(traits: &str) -> Scene {
    let text = format!(
        r#"
        format = 1
        [simulation]
        step = 0.1
        duration = 4
        seed = 12
        [world]
        bounds = [[-15, -8], [15, 8]]
        [[regions]]
        name = "west"
        rectangle = [[-14, -7], [-8, 7]]
        [[groups]]
        name = "plain"
        goals = [{{ seek = [10, 0] }}]
        people = [{{ position = [0, 0] }}, {{ position = [1, 1], traits = {{ neuroticism = 0.3 }} }}]
        [[groups]]
        name = "varied"
        traits = {{ {traits} }}
        goals = [{{ seek = [10, 0] }}]
        people = [{{ position = [0, 3], traits = {{ openness = -1 }} }}, {{ position = [0, 5] }}]
        crowds = [{{ region = "west", count = 8 }}]
        sources = [{{ region = "west", rate = 2 }}]
        "#
    );
    Scene::parse_plan("scene.toml", &text).unwrap_or_else(|errors| panic!("{errors}"))
}

const VARIED: &str =
    "openness = { min = -1, max = 1 }, agreeableness = { mean = 0.1, sd = 0.4, min = -1, max = 1 }";

/// What people of a crowd are like, by id.
fn of_crowd(engine: &Engine) -> Vec<(u32, Temperament)> {
    let crowd = engine.crowd();
    let one = |id| crowd.temperament(id).unwrap_or_default();
    crowd.people().map(|person| (person.id.0, one(person.id))).collect()
}

fn of_bodies(bodies: &Ensemble) -> Vec<(u32, Temperament)> {
    bodies.members().iter().map(|member| (member.id, member.role.temperament)).collect()
}

fn of_wardrobe(wardrobe: &Wardrobe, ids: &[(u32, Temperament)]) -> Vec<(u32, Temperament)> {
    let one = |id: u32| wardrobe.descriptor(id).expect("they are dressed").temperament;
    ids.iter().map(|(id, _)| (*id, one(*id))).collect()
}

#[test]
fn bodies_have_the_traits_of_the_crowd() {
    let mut engine = Engine::new(scene(VARIED)).unwrap();
    engine.set_bodies(Some(CAST.clone()));
    for _ in 0..30 {
        engine.step();
    }
    let people = of_crowd(&engine);
    assert!(
        people.len() >= 16 && people[..2].iter().all(|(_, one)| one.get(Trait::Openness) == 0.0)
    );
    assert_eq!(
        (people[1].1.get(Trait::Neuroticism), people[2].1.get(Trait::Openness)),
        (0.3, -1.0)
    );
    let bodies = engine.bodies().unwrap();
    assert_eq!(of_bodies(bodies), people);
    assert_eq!(of_wardrobe(bodies.wardrobe(), &people), people);

    // An edit changes both, at once.
    engine.adopt(scene("extraversion = 0.5")).unwrap();
    engine.step();
    let others = of_crowd(&engine);
    assert!(others.iter().skip(2).all(|(_, one)| one.get(Trait::Extraversion) == 0.5));
    let bodies = engine.bodies().unwrap();
    assert_eq!(of_bodies(bodies), others);
    assert_eq!(of_wardrobe(bodies.wardrobe(), &others), others);
}

#[test]
fn those_in_a_recording_are_who_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("varied.parquet");
    let scene = scene(VARIED);
    let mut engine = Engine::new(scene.clone()).unwrap();
    let info = RecordingInfo::of_scene(&scene);
    let mut recorder = Recorder::create(&path, info, Overwrite::No).unwrap();
    engine.run(Some(&mut recorder), |_| true).unwrap();
    recorder.finish().unwrap();
    let people = of_crowd(&engine);
    let mut kinds: Vec<Temperament> = people.iter().map(|(_, one)| *one).collect();
    kinds.sort();
    kinds.dedup();
    assert!(kinds.len() > 12, "{}", kinds.len());

    let mut recording = Recording::open(&path).unwrap();
    let scene = recording.scene().unwrap();
    let mut wardrobe = Wardrobe::new(CAST.library().clone(), 12).remembering_all();
    dress(&mut recording, Some(&scene), f64::INFINITY, &mut wardrobe).unwrap();
    assert_eq!(of_wardrobe(&wardrobe, &people), people);

    let options = PlayOptions { looks: 2, seed: 12, from: Some(2.0), ..PlayOptions::default() };
    let wardrobe = Some(dressed(&mut recording, Some(&scene), &options).unwrap());
    for options in [PlayOptions { wardrobe, ..options.clone() }, options] {
        let mut motions = Recorded::new(&mut recording);
        let film = Playback::with_cast(&mut motions, Some(&scene), &options, CAST.clone());
        let mut film = film.unwrap();
        let mut seen = 0;
        while film.advance().unwrap() {
            for member in film.members() {
                let known = people.iter().find(|(id, _)| *id == member.id);
                assert_eq!(known, Some(&(member.id, member.role.temperament)));
                seen += 1;
            }
        }
        assert!(seen > 100);
    }
}

#[test]
fn open_people_look_at_more() {
    let looked = |openness: f32| {
        let text = format!(
            r#"
            format = 1
            [simulation]
            seed = 2
            [world]
            bounds = [[-15, -8], [15, 8]]
            [[interests]]
            name = "window"
            position = [0, 6]
            level = 0.6
            [[regions]]
            name = "street"
            rectangle = [[-14, -2], [-4, 4]]
            [[groups]]
            name = "g"
            interest = 0
            traits = {{ openness = {openness} }}
            goals = [{{ flow = [1, 0] }}]
            crowds = [{{ region = "street", count = 30 }}]
            "#
        );
        let mut engine = Engine::new(Scene::parse_plan("street.toml", &text).unwrap()).unwrap();
        engine.set_bodies(Some(CAST.clone()));
        let mut looked = 0;
        for _ in 0..80 {
            engine.step();
            let members = engine.bodies().unwrap().members();
            let looks = |gaze: &throng::motion::gaze::Gaze| gaze.subject().is_some();
            looked += members.iter().filter(|member| member.gaze().is_some_and(looks)).count();
        }
        looked
    };
    let (open, usual, set) = (looked(1.0), looked(0.0), looked(-1.0));
    assert!(open > usual && usual > set, "{open}, {usual}, {set}");
}

#[test]
fn a_descriptor_has_as_many_bytes_as_the_documentation_says() {
    let page = include_str!("../../../../../docs/variety.md");
    let bytes = size_of::<throng::bodies::variety::Descriptor>();
    assert!(page.contains(&format!("A descriptor has {bytes} bytes")), "{bytes}");
}
