//! What scene files mean, and what happens with files that are no scenes.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use glam::Vec2;
use throng_base::{Bounds, Distribution};
use throng_world::scene::{
    Aim, Arrangement, DEFAULT_MODEL, DensityMethod, Dispositions, GroupId, LayerId, MeasuredPlace,
    Period, PlanFiles, PlanTexts, RegionId, SceneErrors, Species, Target, TerrainFiles, Then,
};
use throng_world::{ConnectorKind, Scene, Shape, Trait};

fn shipped(name: &str) -> Scene {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes");
    Scene::load(folder.join(name)).unwrap_or_else(|errors| panic!("{errors}"))
}

fn parse(text: &str) -> Result<Scene, SceneErrors> {
    Scene::parse("scene.toml", text, Path::new(""))
}

/// A world from -1000 to 1000 with `rest`.
fn in_world(rest: &str) -> String {
    format!("format = 1\n[world]\nbounds = [[-1000, -1000], [1000, 1000]]\n{rest}")
}

#[test]
fn what_is_left_out_gets_its_default() {
    let scene = shipped("minimal.toml");
    assert_eq!((scene.name.as_str(), scene.description.as_str()), ("minimal", ""));
    let settings = scene.settings;
    assert_eq!((settings.step, settings.duration), (0.1, 60.0));
    assert_eq!((settings.seed, settings.record_every), (0, 1));
    assert_eq!(scene.bounds, Bounds { min: Vec2::splat(-5.0), max: Vec2::splat(5.0) });
    assert_eq!(scene.layers.len(), 1);
    assert_eq!((scene.layers[0].name.as_str(), scene.layers[0].elevation), ("ground", 0.0));
    assert!(scene.obstacles.is_empty() && scene.regions.is_empty());

    let group = &scene.groups[0];
    assert_eq!(group.steering.model, DEFAULT_MODEL);
    assert_eq!(group.body.speed, Distribution::Normal { mean: 1.34, sd: 0.26, min: 0.8, max: 1.9 });
    assert_eq!(group.body.max_speed, Distribution::Constant(1.9 * 1.3));
    assert_eq!(group.body.radius, Distribution::Constant(0.25));
    assert_eq!(group.then, Then::Stay);

    let person = &group.people[0];
    assert_eq!((person.velocity, person.heading, person.speed), (Vec2::ZERO, None, None));
    assert_eq!((person.max_speed, person.radius, person.then), (None, None, None));
    let goal = &person.goals.as_ref().unwrap()[0];
    let point = Vec2::new(4.0, 0.0);
    assert_eq!(goal.aim, Aim::Seek { point, layer: LayerId(0), within: 0.5 });
    assert_eq!((goal.speed, goal.duration), (None, f32::INFINITY));
}

#[test]
fn the_ground_is_as_written() {
    let scene = shipped("station.toml");
    assert_eq!(scene.name, "Station");
    assert_eq!((scene.settings.step, scene.settings.seed), (0.05, 7));
    assert_eq!(scene.settings.record_every, 2);
    assert_eq!(scene.layers[1].elevation, 5.0);

    let [stairs, ramp] = &scene.connectors[..] else { panic!("{:?}", scene.connectors) };
    assert_eq!((stairs.kind, ramp.kind), (ConnectorKind::Stairs, ConnectorKind::Ramp));
    assert_eq!((stairs.lower, stairs.upper), (LayerId(0), LayerId(1)));
    assert_eq!((stairs.steps, ramp.steps), (Some(30), None));
    assert_eq!((stairs.risers(&scene.layers), ramp.risers(&scene.layers)), (30, 0));
    assert_eq!(stairs.edge(stairs.lower_edge), (Vec2::new(20.0, 0.0), Vec2::new(24.0, 0.0)));
    assert_eq!(ramp.edge(ramp.upper_edge), (Vec2::new(-20.0, 10.0), Vec2::new(-24.0, 10.0)));

    let shapes: Vec<&Shape> = scene.obstacles.iter().map(|obstacle| &obstacle.shape).collect();
    assert!(matches!(
        shapes[..],
        [
            Shape::Polygon(_),
            Shape::Circle { radius: 0.4, .. },
            Shape::Box { .. },
            Shape::Polyline { thickness: 0.3, .. },
            Shape::Border(_),
            Shape::Border(_),
        ]
    ));
    let Shape::Box { angle, .. } = shapes[2] else { unreachable!() };
    assert!((angle - 30f32.to_radians()).abs() < 1e-6, "degrees become radians");
    assert_eq!((scene.obstacles[0].height, scene.obstacles[1].height), (3.0, 2.5));
    let borders = scene.obstacles[4..].iter().map(|border| border.layer).collect::<Vec<_>>();
    assert_eq!(borders, [LayerId(0), LayerId(1)], "a closed world is closed on every floor");

    let names: Vec<&str> = scene.regions.iter().map(|region| region.name.as_str()).collect();
    assert_eq!(names, ["hall", "entrance", "exit"]);
    assert_eq!(scene.regions[0].polygon.area(), 36.0 * 11.0);
    assert!((scene.regions[2].polygon.area() / (9.0 * std::f32::consts::PI) - 1.0).abs() < 0.01);
    assert_eq!(
        (scene.regions[2].layer, &scene.regions[2].tags[..]),
        (LayerId(1), &["exit".into()][..])
    );
    let costs: Vec<f32> = scene.regions.iter().map(|region| region.cost).collect();
    assert_eq!(costs, [1.0, 2.5, 1.0]);
}

#[test]
fn measurements_are_as_written() {
    let scene = shipped("station.toml");
    let [stairs, bridge, queue] = &scene.measurements[..] else {
        panic!("{:?}", scene.measurements)
    };
    let ends = [Vec2::new(20.0, -1.0), Vec2::new(24.0, -1.0)];
    assert_eq!((&stairs.place, stairs.interval), (&MeasuredPlace::Line(ends), 0.5));
    let polygon = scene.regions[2].polygon.clone();
    let density = DensityMethod::Voronoi { cut_off: 0.8 };
    assert_eq!(bridge.place, MeasuredPlace::Area { polygon, density });
    assert_eq!((bridge.layer, bridge.interval), (LayerId(1), 1.0), "the floor of the region");
    let MeasuredPlace::Area { polygon, density } = &queue.place else { panic!("{queue:?}") };
    assert_eq!((polygon.area(), *density), (16.0, DensityMethod::Classic));
    assert_eq!(queue.layer, LayerId(0));
}

#[test]
fn what_a_scene_is_to_show_is_as_written() {
    let scene = shipped("station.toml");
    let evaluation = scene.evaluation.expect("there is an evaluation");
    assert_eq!((evaluation.version, evaluation.inferred), (3, true));
    assert_eq!((evaluation.category.as_str(), evaluation.source.as_str()), ("large", "a station"));
    let [all, soon] = &evaluation.criteria[..] else { panic!("{:?}", evaluation.criteria) };
    assert_eq!(all.to_string(), "completion >= 0.9");
    assert_eq!(soon.sides(|_| Some(20.0)), [20.0, 45.0]);
    let [camera] = &evaluation.cameras[..] else { panic!("{:?}", evaluation.cameras) };
    assert_eq!(camera.position.to_array(), [0.0, -40.0, 30.0]);
    assert_eq!((camera.look_at.to_array(), camera.field_of_view), ([0.0, 0.0, 1.0], 60.0));
    assert_eq!(shipped("minimal.toml").evaluation, None);
}

#[test]
fn the_people_are_as_written() {
    let scene = shipped("station.toml");
    let [passengers, staff] = &scene.groups[..] else { panic!("{:?}", scene.groups) };
    assert_eq!(passengers.color, [0x44, 0x77, 0xAA]);
    assert_ne!(passengers.color, staff.color);
    assert_eq!(passengers.body.speed, Distribution::Uniform { min: 1.0, max: 1.6 });
    assert_eq!(passengers.steering.parameters[0].name, "time_horizon");
    assert_eq!(
        passengers.steering.parameters[0].value,
        Distribution::Uniform { min: 2.0, max: 4.0 }
    );
    assert_eq!((passengers.then, staff.then), (Then::Leave, Then::Repeat));

    let crowd = &passengers.crowds[0];
    assert_eq!((crowd.count, crowd.region), (80, RegionId(0)));
    assert_eq!(crowd.arrangement, Arrangement::Grid);
    let [scheduled, steady] = &passengers.sources[..] else { panic!("{:?}", passengers.sources) };
    let periods = [
        Period { from: 0.0, to: 30.0, rate: 0.5 },
        Period { from: 60.0, to: f64::INFINITY, rate: 1.5 },
    ];
    assert_eq!(scheduled.schedule.periods, periods);
    assert_eq!((scheduled.schedule.random, scheduled.limit), (true, 100));
    assert_eq!((steady.schedule.random, steady.limit), (false, u32::MAX));
    assert_eq!(steady.schedule.periods, [Period { from: 0.0, to: f64::INFINITY, rate: 0.1 }]);

    let guide = &staff.people[0];
    assert_eq!(guide.name.as_deref(), Some("guide"));
    assert_eq!((guide.position, guide.velocity), (Vec2::new(0.0, -8.0), Vec2::X));
    assert!((guide.heading.unwrap().direction() - Vec2::Y).length() < 1e-6);
    assert_eq!((guide.speed, guide.radius), (Some(3.0), Some(0.3)));
    assert_eq!(guide.max_speed, Some(3.5 * 1.3), "fast enough for the fastest thing asked");
    assert_eq!(guide.parameters[0].value, Distribution::Constant(5.0));
    assert_eq!((guide.then, staff.people[1].layer), (Some(Then::Stay), LayerId(1)));
}

#[test]
fn animals_are_as_large_and_as_fast_as_animals_unless_told_otherwise() {
    let text = "format = 1
[world]
bounds = [[-10, -10], [10, 10]]
[[groups]]
name = \"people\"
[[groups]]
name = \"dogs\"
species = \"dog\"
[[groups]]
name = \"ponies\"
species = \"horse\"
radius = 0.6
speed = 1.5
";
    let scene = Scene::parse_plan("pets.toml", text).unwrap();
    let [people, dogs, ponies] = &scene.groups[..] else { panic!("{:?}", scene.groups) };
    let species = [people, dogs, ponies].map(|group| group.species);
    assert_eq!(species, [Species::Person, Species::Dog, Species::Horse]);
    assert_eq!(dogs.body.radius.typical(), Species::Dog.radius());
    assert_eq!(dogs.body.speed, Species::Dog.speed());
    assert_ne!(dogs.body.speed, people.body.speed);
    assert_eq!((ponies.body.radius.typical(), ponies.body.speed.typical()), (0.6, 1.5));
}

#[test]
fn traits_are_as_written() {
    let scene = shipped("station.toml");
    let [passengers, staff] = &scene.groups[..] else { panic!("{:?}", scene.groups) };
    let traits = passengers.traits.unwrap().traits;
    let none = Distribution::Constant(0.0);
    assert_eq!(traits[..4], [none, none, Distribution::Constant(0.5), none]);
    let anxious = Distribution::Normal { mean: 0.0, sd: 0.4, min: -1.0, max: 0.8 };
    assert_eq!(traits[Trait::Neuroticism as usize], anxious);
    assert_eq!(staff.traits, None);
    let own = staff.people[0].traits.unwrap().traits;
    assert_eq!(own, [Some(-0.25), Some(0.9), None, None, None]);
    assert_eq!(staff.people[1].traits, None);
    // The smallest and the largest body that traits make of those between 0.2 and 0.3 m.
    let [least, most] = passengers.radii();
    assert!((least - 0.2 * (1.0 - 0.075 - 0.1)).abs() < 1e-6, "{least}");
    assert!((most - 0.3 * (1.0 - 0.075 + 0.08)).abs() < 1e-6, "{most}");
    assert_eq!(staff.radii(), [0.25; 2], "what they are like does not make them larger");
    let known = Dispositions::of(&scene).unwrap();
    let guide = known.temperament(0, GroupId(1)).unwrap();
    let values: Vec<f32> = guide.named().map(|(_, value)| value).collect();
    assert_eq!(values, [-0.25, 0.9, 0.0, 0.0, 0.0]);
    assert_eq!(known.temperament(1, GroupId(1)), None);
    assert_eq!(known.temperament(7, GroupId(0)).unwrap().get(Trait::Extraversion), 0.5);
    assert_ne!(known.temperament(7, GroupId(0)), known.temperament(8, GroupId(0)));
    assert!(Dispositions::of(&shipped("minimal.toml")).is_none());
}

#[test]
fn people_who_are_small_by_their_traits_may_stand_closer() {
    let near = |traits: &str| {
        let text = format!(
            "format = 1\nworld.bounds = [[-9, -9], [9, 9]]\n[[groups]]\nname = \"g\"\n{traits}\n\
             people = [{{ position = [0, 0] }}, {{ position = [0.44, 0] }}]"
        );
        Scene::parse("scene.toml", &text, Path::new("")).map_err(|errors| errors.to_string())
    };
    assert!(near("traits = { extraversion = 1 }").is_ok());
    assert!(near("").unwrap_err().contains("stands on person 1"));
}

#[test]
fn goals_are_as_written() {
    let scene = shipped("station.toml");
    let [passengers, staff] = &scene.groups[..] else { panic!("{:?}", scene.groups) };
    let aims = |goals: &[throng_world::scene::Goal]| {
        goals.iter().map(|goal| goal.aim.clone()).collect::<Vec<_>>()
    };
    let of_person = |index: usize| aims(staff.people[index].goals.as_ref().unwrap());
    assert_eq!(
        aims(&passengers.goals),
        [
            Aim::SeekRandom { region: RegionId(0), within: 1.0 },
            Aim::Idle,
            Aim::SeekRegion { region: RegionId(2) },
        ]
    );
    assert_eq!((passengers.goals[1].duration, passengers.goals[2].speed), (10.0, Some(1.8)));
    assert_eq!(aims(&staff.goals), [Aim::FollowCrowd, Aim::Flow { direction: Vec2::X }]);
    let point = Vec2::new(25.0, 12.0);
    assert_eq!(of_person(0), [Aim::Seek { point, layer: LayerId(1), within: 0.2 }]);
    let guide = Target::Person { group: GroupId(1), index: 0 };
    assert_eq!(
        of_person(1),
        [
            Aim::SeekTarget { target: guide, within: 0.5 },
            Aim::Flee { point: Vec2::ZERO, layer: LayerId(1), beyond: 15.0 },
        ]
    );
    assert_eq!(
        of_person(2),
        [
            Aim::SeekTarget { target: Target::Group(GroupId(0)), within: 2.0 },
            Aim::FleeTarget { target: Target::Group(GroupId(1)), beyond: f32::INFINITY },
        ]
    );
}

#[test]
fn spans_lead_back_to_the_text() {
    let scene = shipped("station.toml");
    let text = |span: std::ops::Range<usize>| &scene.source.text[span];
    let passengers = &scene.groups[0];
    assert_eq!(text(passengers.steering.span.clone()), "\"orca\"");
    let parameter = &passengers.steering.parameters[0];
    assert_eq!(text(parameter.span.clone()), "time_horizon = { min = 2, max = 4 }");
    assert_eq!(text(passengers.goals[1].span.clone()), "{ idle = 10 }");
    assert_eq!(text(passengers.crowds[0].span.clone()), "[[groups.crowds]]");
}

#[test]
fn a_person_who_only_touches_a_wall_or_another_is_fine() {
    let touching = "closed = true
        [[obstacles]]
        circle = { center = [0, 0], radius = 1 }
        [[groups]]
        name = \"a\"
        people = [{ position = [1.25, 0] }, { position = [1.75, 0] }, { position = [-999.75, 0] }]";
    parse(&in_world(touching)).unwrap();
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let load = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = Scene::load(&path).unwrap_err().to_string();
        error.strip_prefix(&path.display().to_string()).unwrap().to_owned()
    };
    let missing = Scene::load(folder.path().join("none.toml")).unwrap_err().to_string();
    assert!(missing.contains("none.toml: cannot read the scene file"), "{missing}");
    let binary = load("binary.toml", b"format = 1\n\xFF\xFE");
    assert!(binary.contains(": the scene file is not UTF-8 text (line 2)"), "{binary}");
    let huge = load("huge.toml", &vec![b' '; (16 << 20) + 1]);
    assert!(huge.contains(": the scene file is larger than 16 MiB"), "{huge}");
    let empty = load("empty.toml", b"");
    assert!(empty.contains(": the scene has no `format`"), "{empty}");
}

/// CPU time of this thread, s. What else the machine does is not in it.
#[cfg(target_os = "linux")]
fn cpu_time() -> f64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells it");
    let nanoseconds = told.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.expect("it is a number") * 1e-9
}

/// Loads many of something, and asserts that they take less than eight times as long as a quarter of them. Where each is
/// compared with all others, it is sixteen times.
fn assert_not_quadratic(many: usize, load: impl Fn(usize)) {
    #[cfg(target_os = "linux")]
    {
        let time = |count: usize| {
            let begin = cpu_time();
            load(count);
            cpu_time() - begin
        };
        let (few, all) = (time(many / 4), time(many));
        assert!(all < 8.0 * few, "{few} s and {all} s");
    }
    #[cfg(not(target_os = "linux"))]
    load(many);
}

#[test]
fn bombs_are_defused() {
    assert_not_quadratic(200_000, |count| {
        for bomb in ["[", "{a=", "a.", "[[", "\"\"\"", "x = [[[[", "[a.", "[[groups]]\n"] {
            for head in ["", "world = ", "[world]\nbounds = "] {
                let text = format!("format = 1\n{head}{}", bomb.repeat(count));
                assert!(parse(&text).is_err());
            }
        }
    });
}

#[test]
fn time_to_load_grows_with_the_people_and_obstacles_and_no_faster() {
    assert_not_quadratic(100_000, |count| {
        let mut text = in_world("[[groups]]\nname = \"a\"\npeople = [\n");
        for i in 0..count {
            let (x, y) = (i as i32 % 500 * 3 - 800, i as i32 / 500 * 3 - 800);
            writeln!(text, "{{ position = [{x}, {y}] }},").unwrap();
        }
        text.push_str("]\n");
        for i in 0..count / 20 {
            let (x, y) = ((i % 100 * 15) as f64 - 798.5, (i / 100 * 12) as f64 - 798.5);
            writeln!(text, "[[obstacles]]\ncircle = {{ center = [{x}, {y}], radius = 0.9 }}")
                .unwrap();
        }
        let scene = parse(&text).unwrap_or_else(|errors| panic!("{errors}"));
        let counts = (scene.groups[0].people.len(), scene.obstacles.len());
        assert_eq!(counts, (count, count / 20));
    });
}

#[test]
fn people_in_a_heap_give_a_few_errors() {
    assert_not_quadratic(50_000, |count| {
        let people = "{ position = [0, 0] },".repeat(count);
        let text = in_world(&format!("[[groups]]\nname = \"a\"\npeople = [{people}]"));
        let errors = parse(&text).unwrap_err();
        assert_eq!((errors.errors().len(), errors.more()), (20, count - 1 - 20));
    });
}

#[test]
fn limits_on_lists_are_kept() {
    let too_many = |key: &str, entry: &str, count: usize| {
        let entries = (0..count).map(|i| entry.replace('#', &i.to_string()));
        let errors = parse(&format!(
            "format = 1\n{key} = [{}]\n[world]\nbounds = [[0, 0], [9, 9]]",
            entries.collect::<Vec<_>>().join(", ")
        ));
        errors.unwrap_err().to_string()
    };
    let layers = too_many("layers", "{ name = \"#\" }", 65);
    assert!(layers.contains("65 entries in layers; write at most 64"), "{layers}");
    let group = "{ name = \"#\", people = [{ position = [1, 1] }] }";
    let groups = too_many("groups", group, 65_536);
    assert!(groups.contains("65536 entries in groups; write at most 65535"), "{groups}");
    let regions = too_many("regions", "{ name = \"#\", rectangle = [[0, 0], [1, 1]] }", 65_536);
    assert!(regions.contains("65536 entries in regions; write at most 65535"), "{regions}");
    let corners = "[0, 0], ".repeat(100_001);
    let polygon = too_many("obstacles", &format!("{{ polygon = [{corners}] }}"), 1);
    assert!(polygon.contains("100001 entries in polygon; write at most 100000"), "{polygon}");
}

#[test]
fn a_plan_needs_no_terrain_and_is_checked_all_the_same() {
    let hilly = r#"
        format = 1
        [world]
        bounds = [[-9, -9], [9, 9]]
        terrain = { mesh = "lost.obj" }
        [[layers]]
        name = "hill"
        [[layers]]
        name = "hut"
        elevation = -2
        [[connectors]]
        name = "path"
        kind = "ramp"
        polygon = [[0, 0], [2, 0], [2, 6], [0, 6]]
        lower = { layer = "hill", edge = [[0, 0], [2, 0]] }
        upper = { layer = "hut", edge = [[0, 6], [2, 6]] }
    "#;
    assert!(parse(hilly).unwrap_err().to_string().contains("lost.obj"));
    // Whether the path leads up cannot be told without the hill.
    let plan = Scene::parse_plan("scene.toml", hilly).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((plan.layers.len(), plan.connectors.len()), (2, 1));
    let errors = Scene::parse_plan("scene.toml", &hilly.replace("mesh", "cloud")).unwrap_err();
    assert!(errors.to_string().contains("cloud"), "{errors}");
}

#[test]
fn plans_and_obstacles_come_from_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plans");
    let text = r#"
        format = 1
        world = { bounds = [[-10, -10], [10, 10]], plan = "room.wkt" }
        layers = [{ name = "hall" }, { name = "gallery", plan = "tables.geojson" }]
        obstacles = [{ name = "table", file = "tables.geojson", height = 0.8 }]
        regions = [{ name = "all", rectangle = [[-10, -10], [10, 10]] }]
        groups = [{ name = "a", crowds = [{ count = 50, region = "all" }] }]
    "#;
    let scene = Scene::parse("test", text, &folder).unwrap_or_else(|errors| panic!("{errors}"));
    let walkable = |layer| -> f64 {
        throng_world::walkable::walkable(&scene, LayerId(layer))
            .iter()
            .map(throng_world::walkable::Area::size)
            .sum()
    };
    let (room, tables) = (16.0 * 12.0 - 4.0, 4.0 + 2.0 + 2.0);
    assert!((walkable(0) - (room - tables)).abs() < 1e-3, "{}", walkable(0));
    assert!((walkable(1) - tables).abs() < 1e-3, "{}", walkable(1));
    let named = scene.obstacles.iter().filter(|o| o.name == "table" && o.height == 0.8);
    assert_eq!((named.count(), scene.obstacles.len()), (3, 5));
    let errors = Scene::parse_plan("test", text).unwrap_err().to_string();
    assert!(
        errors.contains("a plan is in the file \"room.wkt\", which is not at hand"),
        "{errors}"
    );

    // What was read is kept, and stands in for the files.
    assert_eq!(scene.files.keys().collect::<Vec<_>>(), ["room.wkt", "tables.geojson"]);
    let plan = |texts: &PlanTexts, folder| {
        Scene::parse_plan_with("test", text, PlanFiles { texts: Some(texts), folder })
    };
    let again = plan(&scene.files, None).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((again.obstacles.len(), &again.files), (5, &scene.files));
    let mut texts = PlanTexts::clone(&scene.files);
    texts.remove("tables.geojson");
    let errors = plan(&texts, None).unwrap_err().to_string();
    assert!(errors.contains("tables.geojson") && !errors.contains("room.wkt"), "{errors}");
    assert_eq!(plan(&texts, Some(&folder)).unwrap().files, scene.files);
    // A text that is at hand comes before the file.
    texts.insert("room.wkt".into(), "POLYGON ((0 0, 9 0".into());
    let errors = plan(&texts, Some(&folder)).unwrap_err().to_string();
    assert!(errors.contains(": room.wkt:1:19: expected"), "{errors}");
}

#[test]
fn terrain_comes_from_what_is_at_hand_or_else_from_the_folder_or_is_flat() {
    let folder = tempfile::tempdir().unwrap();
    let buffer: Vec<u8> = [0f32, 0.0, 0.0, 9.0, 3.0, 0.0, 9.0, 3.0, -9.0]
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    let model = r#"{ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }], "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "buffers": [{ "byteLength": 36, "uri": "hill%20side.bin" }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
            "min": [0, 0, -9], "max": [9, 3, 0] }] }"#;
    let (model_name, buffer_name) = ("models/hill.gltf", "models/hill side.bin");
    fs::create_dir(folder.path().join("models")).unwrap();
    fs::write(folder.path().join(model_name), model).unwrap();
    fs::write(folder.path().join(buffer_name), &buffer).unwrap();
    let text = "format = 1\n\
        world = { bounds = [[0, 0], [9, 9]], terrain = { mesh = 'models/hill.gltf' } }";
    let scene = Scene::parse("test", text, folder.path());
    let scene = scene.unwrap_or_else(|errors| panic!("{errors}"));
    let names: Vec<&str> = scene.terrain_files.iter().map(|(name, _)| name).collect();
    assert_eq!(names, [buffer_name, model_name]);
    let height = |files: &TerrainFiles, folder| {
        let plans = PlanFiles { texts: None, folder };
        let scene = Scene::parse_with_files("test", text, plans, files)?;
        Ok::<_, SceneErrors>(scene.layers[0].height(Vec2::new(8.0, 1.0)))
    };
    let true_height = scene.layers[0].height(Vec2::new(8.0, 1.0));
    assert!((true_height - 8.0 / 3.0).abs() < 1e-5, "{true_height}");
    let mut only_model = TerrainFiles::default();
    only_model.insert(model_name, model.as_bytes());
    let nothing = TerrainFiles::default();
    assert_eq!(height(&scene.terrain_files, None).unwrap(), true_height);
    assert_eq!(height(&only_model, Some(folder.path())).unwrap(), true_height);
    assert_eq!(height(&nothing, Some(folder.path())).unwrap(), true_height);
    for files in [&only_model, &nothing] {
        assert_eq!(height(files, None).unwrap(), 0.0, "a file is nowhere, so the ground is flat");
    }
    fs::write(folder.path().join(buffer_name), &buffer[..20]).unwrap();
    assert_eq!(height(&scene.terrain_files, Some(folder.path())).unwrap(), true_height);
    let errors = height(&only_model, Some(folder.path())).unwrap_err().to_string();
    assert!(errors.contains("reaches beyond its buffer"), "{errors}");
}

#[test]
fn terrain_files_are_kept_up_to_a_size() {
    let mut files = TerrainFiles::default();
    files.insert("a", &[1; 10]);
    files.insert("large", &vec![0; TerrainFiles::LARGEST - 9]);
    files.insert("fits", &vec![0; TerrainFiles::LARGEST - 10]);
    files.insert("b", &[1]);
    files.insert("b", &[1]);
    assert_eq!(files.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["a", "fits"]);
    assert_eq!(files.left_out(), ["large", "b"]);
}

#[test]
fn the_nearest_of_several_regions_can_be_sought() {
    let text = r#"
        format = 1
        world.bounds = [[0, 0], [10, 10]]
        regions = [
            { name = "a", rectangle = [[0, 0], [1, 1]] },
            { name = "b", rectangle = [[3, 0], [4, 1]] },
            { name = "c", rectangle = [[6, 0], [7, 1]] },
        ]
        [[groups]]
        name = "all"
        goals = [{ seek = { nearest = ["c", "a"] }, speed = 2 }]
        people = [{ position = [5, 5] }]
    "#;
    let scene = Scene::parse("exits.toml", text, Path::new("")).unwrap();
    let [goal] = &scene.groups[0].goals[..] else { panic!("{:?}", scene.groups) };
    assert_eq!(goal.aim, Aim::SeekNearest { regions: vec![RegionId(2), RegionId(0)] });
    assert_eq!(goal.speed, Some(2.0));
}

#[test]
fn interests_say_what_is_looked_at() {
    let text = "format = 1\n[world]\nbounds = [[-9, -9], [9, 9]]\n\
        [[interests]]\nname = \"clock\"\nposition = [1, 2]\n\
        [[interests]]\nname = \"window\"\nposition = [3, 4]\nheight = 1\nlevel = 0.2\nreach = 4\nfacing = 90\nfield = 120\n\
        [[groups]]\nname = \"us\"\n[[groups]]\nname = \"musician\"\ninterest = 1\n";
    let scene = Scene::parse_plan("scene.toml", text).unwrap();
    let [clock, window] = &scene.interests[..] else { panic!("two of them") };
    assert_eq!((clock.height, clock.level, clock.reach, clock.facing), (1.5, 0.7, 10.0, None));
    let (facing, cosine) = window.facing.unwrap();
    assert!((facing.direction() - Vec2::Y).length() < 1e-6 && (cosine - 0.5).abs() < 1e-6);
    assert_eq!((window.height, window.level, window.reach), (1.0, 0.2, 4.0));
    assert_eq!(scene.groups.iter().map(|group| group.interest).collect::<Vec<_>>(), [0.3, 1.0]);

    let wrong = |key: &str| {
        let text = format!(
            "format = 1\n[world]\nbounds = [[-9, -9], [9, 9]]\n\
             [[interests]]\nname = \"clock\"\n{key}\n"
        );
        Scene::parse_plan("scene.toml", &text).unwrap_err().to_string()
    };
    for (key, message) in [
        ("position = [1, 20]", "outside"),
        ("position = [1, 2]\nfield = 90", "faces nowhere"),
        ("position = [1, 2]\nlevel = 2", "level"),
        ("position = [1, 2]\nreach = 0", "reach"),
        ("position = [1, 2]\nlayer = \"roof\"", "roof"),
        ("", "position"),
    ] {
        let found = wrong(key);
        assert!(found.contains(message), "{key}: {found}");
    }
}
