//! The situations that steering is tried on: what ships can be simulated, and stays as it is.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use throng::Engine;
use throng_eval::experiments::Steering;
use throng_eval::scenarios::{QUICK, SCENARIOS, Scenario, judge, scenario};
use throng_world::Scene;
use throng_world::scene::{Criterion, Evaluation, RunQuantity, Then};

const CATEGORIES: [&str; 6] = ["validation", "one-on-one", "obstacles", "groups", "large", "goals"];

fn evaluation(scene: &Scene) -> &Evaluation {
    scene.evaluation.as_ref().expect("an [evaluation] table")
}

fn load(scenario: &Scenario) -> Scene {
    scenario.scene(None, 0).unwrap_or_else(|errors| panic!("{}: {errors}", scenario.name))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/steering")
}

#[test]
fn every_file_is_a_scenario() {
    let files = folder().read_dir().expect("the folder is there");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let files: BTreeSet<String> = names.collect();
    let known = SCENARIOS.iter().map(|scenario| format!("{}.toml", scenario.name)).collect();
    assert_eq!(files, known);
    assert_eq!(files.len(), SCENARIOS.len(), "one is there twice");
}

#[test]
fn all_are_set_up_alike() {
    for scenario in SCENARIOS {
        let scene = load(scenario);
        let name = scenario.name;
        assert_eq!(scene.name, name);
        assert!(!scene.description.is_empty() && scenario.text.starts_with("# "), "{name}");
        assert_eq!(scene.settings.step, 0.05, "{name}");
        let evaluation = evaluation(&scene);
        assert!(CATEGORIES.contains(&evaluation.category.as_str()), "{name}");
        assert!(!evaluation.source.is_empty() && !evaluation.cameras.is_empty(), "{name}");
        let is_about = |quantities: &[RunQuantity]| {
            let mut named = evaluation.criteria.iter().flat_map(Criterion::quantities);
            named.any(|quantity| quantities.contains(&quantity))
        };
        assert!(is_about(&[RunQuantity::Completion]), "{name}: who stands still must not pass");
        assert!(is_about(&[RunQuantity::Collisions, RunQuantity::MaxPenetration]), "{name}");
        use RunQuantity::{Deviation, MeanTime, Time};
        assert!(is_about(&[Time, MeanTime, Deviation]), "{name}");
        for group in &scene.groups {
            assert_eq!(group.then, Then::Leave, "{name}");
            assert!(!group.goals.is_empty() || group.people.iter().all(|p| p.goals.is_some()));
        }
    }
    let categories = SCENARIOS.iter().map(|scenario| evaluation(&load(scenario)).category.clone());
    let mut in_order: Vec<String> = categories.collect();
    in_order.dedup();
    assert_eq!(in_order, CATEGORIES, "categories come one after the other");
}

#[test]
fn the_quick_ones_are_some_of_every_category() {
    let quick: Vec<Scene> =
        QUICK.iter().map(|name| load(scenario(name).expect("a known name"))).collect();
    let categories: BTreeSet<&str> =
        quick.iter().map(|scene| evaluation(scene).category.as_str()).collect();
    assert_eq!(categories, BTreeSet::from(CATEGORIES));
    assert!(quick.iter().all(|scene| scene.initial_people() <= 200));
    assert_eq!(scenario("nowhere"), None);
}

/// Where everybody is at the start, bit by bit.
fn start(scenario: &Scenario, seed: u64) -> Vec<[u32; 3]> {
    let scene = scenario.scene(None, seed).expect("it is a scene");
    let engine = Engine::new(scene).unwrap_or_else(|errors| panic!("{}: {errors}", scenario.name));
    assert!(engine.crowd().warnings().is_empty(), "{:?}", engine.crowd().warnings());
    let person = |person: throng::crowd::PersonState| {
        let heading = person.heading.direction();
        [person.position.x, person.position.y, heading.x].map(f32::to_bits)
    };
    engine.crowd().people().map(person).collect()
}

#[test]
fn everybody_finds_room_and_the_seed_alone_decides_where() {
    for scenario in SCENARIOS {
        let scene = load(scenario);
        let is_large = scene.initial_people() > 200;
        let is_random = scene.groups.iter().any(|group| !group.crowds.is_empty());
        let first = start(scenario, 0);
        assert_eq!(first.len() as u64, scene.initial_people());
        assert_eq!(first, start(scenario, 0), "{}", scenario.name);
        for seed in 1..if is_large { 2 } else { 5 } {
            assert_eq!(first != start(scenario, seed), is_random, "{} {seed}", scenario.name);
        }
    }
}

#[test]
fn a_scenario_steers_by_any_model_and_its_text_says_so() {
    let steering: Steering = "predictive:conflicts=5:relaxation_time=0.3".parse().unwrap();
    for scenario in SCENARIOS {
        let scene = scenario.scene(Some(&steering), 7).unwrap();
        assert_eq!(scene.settings.seed, 7);
        let models: BTreeSet<&str> =
            scene.groups.iter().map(|group| group.steering.model.as_str()).collect();
        assert_eq!(models, BTreeSet::from(["predictive"]), "{}", scenario.name);
        let again = Scene::parse("again.toml", &scene.source.text, Path::new("")).unwrap();
        for (one, other) in scene.groups.iter().zip(&again.groups) {
            assert_eq!(one.steering, other.steering);
            let values: Vec<f32> = one.steering.parameters.iter().map(|p| p.value.max()).collect();
            assert_eq!(values, [5.0, 0.3]);
        }
        assert_eq!(scene.evaluation, again.evaluation);
    }
    let small = scenario("oncoming-1").unwrap();
    let engine = Engine::new(small.scene(Some(&steering), 0).unwrap()).unwrap();
    assert_eq!(engine.crowd().people().count(), 2);
}

const OWN: &str = "\
format = 1
world.bounds = [[-9, -9], [9, 9]]

[[groups]]
name = \"calm\"
steering = { model = \"social_force\", relaxation_time = 0.7 } # as measured
people = [{ position = [0, 0], steering = { relaxation_time = 0.9 } }, { position = [2, 0] }]

[[groups]]
name = \"others\"
people = [{ position = [4, 0], steering = { time_gap = 2 } }]
";

#[test]
fn what_people_have_of_another_model_is_dropped() {
    let model: Steering = "social_force:relaxation_time=0.4".parse().unwrap();
    let mut text = throng_world::scene::SceneText::parse("own.toml", OWN, Path::new("")).unwrap();
    model.write(&mut text).unwrap();
    let [calm, others] = &text.scene().groups[..] else { panic!("two groups") };
    for group in [calm, others] {
        assert_eq!(group.steering.model, "social_force");
        let [own] = &group.steering.parameters[..] else { panic!("{:?}", group.steering) };
        assert_eq!((own.name.as_str(), own.value.max()), ("relaxation_time", 0.4));
    }
    assert_eq!(calm.people[0].parameters[0].value.max(), 0.9, "their own stays");
    assert!(others.people[0].parameters.is_empty(), "time_gap is not known here");
    Engine::new(text.scene().clone()).unwrap_or_else(|errors| panic!("{errors}"));
}

#[test]
fn criteria_are_judged_one_by_one() {
    let scene = load(scenario("oncoming-1").unwrap());
    let of_run = |time: f64| {
        move |quantity: RunQuantity| match quantity {
            RunQuantity::Completion => Some(1.0),
            RunQuantity::Collisions => Some(0.0),
            RunQuantity::Time => Some(time),
            RunQuantity::IdealTime => Some(16.0),
            _ => None,
        }
    };
    let passed = |time| -> Vec<bool> {
        judge(evaluation(&scene), of_run(time)).iter().map(|verdict| verdict.passed).collect()
    };
    assert_eq!(passed(20.0), [true, true, true]);
    assert_eq!(passed(24.5), [true, true, false]);
    assert_eq!(passed(f64::INFINITY), [true, true, false]);
    let verdicts = judge(evaluation(&scene), of_run(20.0));
    assert_eq!(verdicts[2].criterion, "time <= 1.5 * ideal_time");
    assert_eq!((verdicts[2].left, verdicts[2].right), (20.0, 24.0));
    assert!(judge(evaluation(&scene), |_| None).iter().all(|verdict| !verdict.passed));
}

/// Every scenario, its version, and the hash of its text without comments and description. Whoever
/// changes what is in a file raises its version and puts the new hash here.
const FROZEN: &[(&str, u32, u64)] = &[
    ("simple-1", 1, 0xd334_154c_66f3_5ed2),
    ("simple-2", 2, 0xd7f7_0887_fc50_54d9),
    ("simple-3", 1, 0x07c0_f4e3_c240_34ea),
    ("simple-obstacle-1", 1, 0x8bc5_6810_e0d9_c632),
    ("simple-obstacle-2", 1, 0x228e_c55e_2ac6_14be),
    ("simple-wall", 1, 0xe789_5160_28f4_e5ad),
    ("curves", 1, 0xb070_c134_9680_b8ca),
    ("oncoming-1", 1, 0xaad9_0ff9_37ce_8c95),
    ("oncoming-2", 1, 0xdce7_4d0e_eb68_a6ee),
    ("oncoming-3", 1, 0x97ea_59fb_d440_0468),
    ("oncoming-4", 1, 0x2281_a0d5_dc94_2352),
    ("oncoming-trick", 1, 0x6a0d_0877_cc27_3c91),
    ("crossing-1", 1, 0x6c1b_fd58_b3e2_de15),
    ("crossing-2", 1, 0x4391_2565_3c1d_a7a3),
    ("crossing-3", 1, 0x0de4_0b7b_1fee_9a16),
    ("crossing-4", 1, 0x03cb_1995_5f31_26db),
    ("crossing-5", 1, 0x5608_b6bf_5ba2_b042),
    ("crossing-6", 1, 0x62eb_a3ea_80eb_a244),
    ("crossing-trick", 1, 0x64a8_98b7_d5b8_e78a),
    ("similar-direction", 1, 0x90fa_a7e6_5c2a_bc90),
    ("oncoming-obstacle", 1, 0x8d00_dba4_8ec4_cacc),
    ("crossing-obstacle", 1, 0x8de9_2d55_140a_f81f),
    ("surprise-1", 1, 0x16dc_ef03_2ea4_65c0),
    ("surprise-2", 1, 0xbd61_554b_c690_c3e3),
    ("squeeze", 1, 0x7993_266b_00cb_ce0b),
    ("doorway-one-way", 1, 0xf63b_d202_c9bb_4b1c),
    ("doorway-two-way", 1, 0xa774_d0f4_2f88_3f4a),
    ("overtake", 1, 0xd6cc_ebc0_c693_a0f5),
    ("overtake-obstacle", 1, 0x0afb_91e6_c2e4_382c),
    ("3-squeeze", 1, 0x7cb1_a473_77d1_e702),
    ("double-squeeze", 1, 0xaa9d_0ba6_0553_2764),
    ("wall-squeeze", 1, 0x7b62_3546_45b6_662f),
    ("3-way-confusion-1", 1, 0xbc31_d9b6_0692_4872),
    ("3-way-confusion-2", 1, 0x43e4_8193_8784_3782),
    ("4-way-confusion", 1, 0xb4cb_a482_8ed5_eb23),
    ("4-way-confusion-obstacle", 1, 0x39e9_bf70_5d8f_49a3),
    ("frogger", 1, 0xc695_09a4_876c_2432),
    ("oncoming-groups", 1, 0x9b61_cedd_10b6_12f5),
    ("oncoming-groups-reference", 1, 0x25f8_46fb_1674_1c40),
    ("fan-in", 1, 0x1b8d_a9f9_1fd3_d55a),
    ("fan-out", 1, 0x07d1_ad9f_9c62_321a),
    ("cut-across-1", 1, 0x94db_c2a2_5844_4f1e),
    ("cut-across-2", 1, 0xed95_75c4_3552_33be),
    ("concentric-circles", 1, 0x4b04_8105_d068_ed16),
    ("circle-10", 1, 0x81b4_db2e_6d2b_f855),
    ("circle-15", 1, 0xd2c3_27ef_d78f_5b87),
    ("circle-20", 1, 0xc5d7_2aa4_3827_2fe7),
    ("circle-250", 1, 0xe63d_4509_6140_fe20),
    ("circle-500", 1, 0x5a54_ac70_d17a_d5af),
    ("hallway-one-way", 1, 0xde1b_2631_bb50_a80b),
    ("hallway-two-way", 1, 0x43ab_f771_fb0e_ddbf),
    ("hallway-four-way", 1, 0xebbf_fe08_8238_31a2),
    ("bottleneck-squeeze", 1, 0xe02e_fe81_4090_a982),
    ("bottleneck-evacuation", 1, 0xb054_ad9c_6aee_8f62),
    ("free-tickets", 1, 0xda30_a8ab_5d76_0aeb),
    ("random", 1, 0xf45d_968d_7838_bb31),
    ("forest", 1, 0xdf7b_4906_76d0_685d),
    ("urban", 1, 0x1026_11d4_b089_ba20),
    ("office", 1, 0xdde7_494d_ded1_5c2d),
    ("pursuit", 1, 0x5e96_2ca9_1f26_6c40),
    ("meeting", 2, 0x470e_4282_3b64_17c1),
    ("flee", 1, 0xe2af_1bea_6575_b5ee),
    ("flow", 1, 0x49b6_3e2b_05d4_9fed),
    ("follow-line", 1, 0x418d_787b_af9d_926a),
    ("follow-field", 1, 0x1b1d_5c7c_4006_f871),
    ("follow-crowd", 1, 0x4043_d933_f7e8_1330),
    ("idle", 1, 0x0832_946e_26e4_b0ba),
];

#[test]
fn what_is_in_a_file_changes_only_with_its_version() {
    let is_told = |line: &&str| !line.starts_with('#') && !line.starts_with("description = ");
    assert_eq!(FROZEN.len(), SCENARIOS.len());
    for (scenario, &(name, version, hash)) in SCENARIOS.iter().zip(FROZEN) {
        let text: String =
            scenario.text.lines().filter(is_told).flat_map(|line| [line, "\n"]).collect();
        let now = Scenario { name: scenario.name, text: text.leak() };
        let found = (now.name, evaluation(&load(scenario)).version, now.hash());
        assert_eq!(found, (name, version, hash), "{name} is {:#x}: raise its version", found.2);
    }
}

/// Runs a scene to its end and calls `look` with its people after every step.
fn run(scene: Scene, mut look: impl FnMut(f64, &[throng::crowd::PersonState])) {
    let mut engine = Engine::new(scene).unwrap();
    while !engine.is_finished() && engine.crowd().people().count() > 0 {
        engine.step();
        look(engine.time(), &engine.crowd().people().collect::<Vec<_>>());
    }
}

#[test]
fn who_is_faster_catches_who_flees_when_the_gap_is_made_up() {
    // 10 m between the centres, of which two radii and the half metre that counts as caught need
    // not be walked, at 1.6 m/s after 1.3 m/s.
    let expected = (10.0 - 2.0 * 0.5 - 0.5) / (1.6 - 1.3);
    let (mut caught, mut all_gone) = (None, None);
    run(load(scenario("pursuit").unwrap()), |time, people| match people.len() {
        1 => caught = caught.or(Some(time)),
        0 => all_gone = Some(time),
        _ => {}
    });
    let caught: f64 = caught.expect("the pursuer leaves when it is done");
    assert!((caught - expected).abs() < 0.03 * expected, "{caught} s instead of {expected} s");
    assert!(all_gone.is_some(), "the other leaves when its time is up");
}

/// Steering alone keeps them apart, as contacts are off in all scenarios; half of what counts as a
/// contact is left for rounding.
#[test]
fn two_who_meet_do_not_touch_with_orca_and_predictive_avoidance() {
    let of_two = SCENARIOS.iter().filter(|it| evaluation(&load(it)).category == "one-on-one");
    let models: [Steering; 2] = ["orca", "predictive"].map(|name| name.parse().unwrap());
    let mut closest = f32::INFINITY;
    for scenario in of_two {
        for (model, seed) in models.iter().flat_map(|model| (0..10).map(move |seed| (model, seed)))
        {
            run(scenario.scene(Some(model), seed).unwrap(), |time, people| {
                let [a, b] = people else { return };
                let gap = a.position.distance(b.position) - a.radius - b.radius;
                assert!(gap > -0.0005, "{} with {model}, seed {seed}, {time} s", scenario.name);
                closest = closest.min(gap);
            });
        }
    }
    assert!(closest < 0.05, "they do meet");
}

#[test]
fn who_flows_keeps_the_direction_in_an_empty_hall() {
    let mut walked = 0;
    run(load(scenario("flow").unwrap()), |time, people| {
        for person in people.iter().filter(|_| time > 1.5) {
            let off = person.heading.direction().angle_to(glam::Vec2::X).to_degrees().abs();
            assert!(off < 10.0, "{off} degrees off at {time} s: {person:?}");
            walked += 1;
        }
    });
    assert!(walked > 20 * 18 * 20, "{walked}");
}

#[test]
fn the_page_lists_every_scenario_with_its_criteria() {
    let page = include_str!("../../../../docs/scenarios.md");
    for scenario in SCENARIOS {
        let scene = load(scenario);
        let evaluation = evaluation(&scene);
        let criteria: Vec<String> = evaluation.criteria.iter().map(|c| format!("`{c}`")).collect();
        let (description, criteria) = (&scene.description, criteria.join(", "));
        let inferred = if evaluation.inferred { "yes" } else { "" };
        let row = format!("| `{}` | {description} | {inferred} | {criteria} |", scenario.name);
        assert!(page.contains(&row), "docs/scenarios.md has no line {row}");
    }
}
