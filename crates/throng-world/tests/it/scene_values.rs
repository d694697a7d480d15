//! Scenes as values: what code builds or reads is written as text that means the same.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use throng_world::Scene;
use throng_world::scene::SceneSource;
use throng_world::scene::file::*;

/// Every scene file that ships.
fn shipped() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")];
    let mut scenes = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(ending) if ending == "toml" => scenes.push(path),
                _ => {}
            }
        }
    }
    scenes
}

/// All that a scene says, without its text and the places in it.
fn meaning(mut scene: Scene) -> String {
    scene.source = Arc::new(SceneSource { name: String::new(), text: String::new() });
    let shown = format!("{scene:?}");
    let mut parts = shown.split("span: ");
    let first = parts.next().unwrap_or_default().to_owned();
    let behind =
        |part: &str| part.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit()).to_owned();
    parts.fold(first, |text, part| text + &behind(part))
}

#[test]
fn shipped_scenes_mean_the_same_when_they_are_written_anew() {
    let scenes = shipped();
    assert!(scenes.len() > 100, "{} scenes", scenes.len());
    for path in scenes {
        let (name, folder) = (path.display().to_string(), path.parent().unwrap());
        let text = std::fs::read_to_string(&path).unwrap();
        let file = SceneFile::parse(&name, &text).unwrap();
        let written = file.to_toml();
        assert_eq!(SceneFile::parse(&name, &written).unwrap(), file, "{written}");
        let (read, anew) = (Scene::load(&path).unwrap(), file.to_scene(&name, folder).unwrap());
        assert!(meaning(read) == meaning(anew), "{name} means something else:\n{written}");
    }
}

#[test]
fn scenes_are_written_as_a_person_would() {
    let mut file = SceneFile::new([[-20.0, -5.0], [20.0, 5.5]]);
    file.name = given("Two \"doors\"");
    file.simulation.duration = given(60.0);
    file.obstacles = list([
        Obstacle::block([[0.0, 0.0], [1.0, 2.0]]),
        Obstacle::wall([[0.0, 3.0], [4.0, 3.0]], 0.2),
    ]);
    file.regions = list([Region::rectangle("west", [[-18.0, -4.0], [-10.0, 4.0]])]);
    let goals =
        [Goal::idle(2.5), Goal { speed: given(0.8), ..Goal::seek("west") }, Goal::flow([1.0, 0.0])];
    let mut walkers =
        Group::new("walkers").speed(Varied::uniform(1.0, 1.5)).goals(goals).crowd(40, "west");
    walkers.steering = given(Steering::model("orca").with("time_gap", 0.5));
    let guide = Person {
        name: given("guide"),
        goals: given(list([Goal::seek([9.0, -0.25]), Goal::seek([9.0, 0.0])])),
        ..Person::new([1.0, 4.0])
    };
    file.groups = list([
        walkers,
        Group { people: list([guide]), ..Group::new("staff") }.people_at([[3.0, 4.0]]),
    ]);
    let expected = r#"format = 1
name = 'Two "doors"'

[simulation]
duration = 60

[world]
bounds = [[-20, -5], [20, 5.5]]

[[obstacles]]
polygon = [[0, 0], [1, 0], [1, 2], [0, 2]]

[[obstacles]]
wall = { points = [[0, 3], [4, 3]], thickness = 0.2 }

[[regions]]
name = "west"
rectangle = [[-18, -4], [-10, 4]]

[[groups]]
name = "walkers"
speed = { min = 1, max = 1.5 }
steering = { model = "orca", time_gap = 0.5 }
goals = [{ idle = 2.5 }, { seek = "west", speed = 0.8 }, { flow = [1, 0] }]
crowds = [{ count = 40, region = "west" }]

[[groups]]
name = "staff"

[[groups.people]]
name = "guide"
position = [1, 4]
goals = [{ seek = [9, -0.25] }, { seek = [9, 0] }]

[[groups.people]]
position = [3, 4]
"#;
    assert_eq!(file.to_toml(), expected);
    file.to_scene("doors", Path::new("")).unwrap();
}

#[test]
fn what_is_wrong_with_a_built_scene_is_told_as_of_a_file() {
    let mut file = SceneFile::new([[0.0, 0.0], [10.0, 10.0]]);
    file.groups = list([Group::new("walkers").speed(-1.0).crowd(3, "nowhere")]);
    let errors = file.to_scene("built", Path::new("")).unwrap_err().to_string();
    assert!(errors.contains("group \"walkers\" has speed -1 m/s"), "{errors}");
    // A number that is none is not left out.
    file.groups = list([Group::new("walkers").speed(f64::NAN)]);
    let errors = file.to_scene("built", Path::new("")).unwrap_err().to_string();
    assert!(errors.contains("group \"walkers\" has speed nan m/s"), "{errors}");
    file.groups = list([Group::new("walkers").crowd(3, "nowhere")]);
    let errors = file.to_scene("built", Path::new("")).unwrap_err().to_string();
    assert!(errors.contains("nowhere"), "{errors}");
}

#[test]
fn single_precision_is_written_with_its_own_digits() {
    assert_eq!(decimal(0.1), 0.1);
    assert_eq!(Point::from(glam::Vec2::new(0.1, -3.0)), Point([0.1, -3.0]));
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-1e4..1e4, (-100i32..100).prop_map(f64::from), Just(-0.0), Just(1e-9)]
}

fn positive() -> impl Strategy<Value = f64> {
    prop_oneof![1e-6..20.0, (1u32..20).prop_map(f64::from)]
}

fn point() -> impl Strategy<Value = [f64; 2]> {
    [number(), number()]
}

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z \"'\\\\#\n\u{7}é=]{0,8}"
}

fn varied() -> impl Strategy<Value = Varied> {
    prop_oneof![
        positive().prop_map(Varied::from),
        (positive(), positive()).prop_map(|(min, max)| Varied::uniform(min, max)),
        (positive(), positive(), [positive(), positive()])
            .prop_map(|(mean, sd, ends)| Varied::normal(mean, sd, ends)),
    ]
}

fn goal() -> impl Strategy<Value = Goal> {
    let whom = |whom: fn(String) -> Whom| name().prop_map(move |name| Towards::from(whom(name)));
    let place = prop_oneof![
        point().prop_map(Towards::from),
        name().prop_map(|name| Towards::from(name.as_str())),
        whom(|name| Whom { person: given(name), ..Whom::default() }),
        whom(|name| Whom { random: given(name), ..Whom::default() }),
        vec(name(), 1..3)
            .prop_map(|names| Whom { nearest: given(list(names)), ..Whom::default() }.into()),
    ];
    let line_point = prop_oneof![
        point().prop_map(LinePoint::from),
        (point(), name()).prop_map(|(point, name)| LinePoint::Elsewhere(FloorPoint {
            at: at(point),
            layer: at(name)
        })),
    ];
    let goal = prop_oneof![
        place.prop_map(Goal::seek),
        point().prop_map(Goal::flow),
        Just(Goal::flow("crowd")),
        point().prop_map(Goal::flee),
        positive().prop_map(Goal::idle),
        vec(line_point, 2..4)
            .prop_map(|points| Goal { follow: given(list(points)), ..Goal::default() }),
    ];
    (goal, of(positive()), of(select(vec![Ways::Best, Ways::Many]))).prop_map(
        |(goal, speed, ways)| Goal {
            speed: speed.and_then(given),
            ways: ways.and_then(given),
            ..goal
        },
    )
}

fn person() -> impl Strategy<Value = Person> {
    (point(), of(name()), of(positive()), of(vec(goal(), 0..3)), of(-1.0..1.0)).prop_map(
        |(position, name, radius, goals, openness)| Person {
            name: name.and_then(given),
            radius: radius.and_then(|radius| given(radius.min(5.0))),
            goals: goals.and_then(|goals| given(list(goals))),
            traits: openness.and_then(|openness| {
                given(OwnTraits { openness: given(openness), ..OwnTraits::default() })
            }),
            ..Person::new(position)
        },
    )
}

fn group() -> impl Strategy<Value = Group> {
    let steering =
        (name(), vec(("[a-z_]{3,9}", varied()), 0..3)).prop_map(|(model, parameters)| {
            let mut names =
                std::collections::BTreeSet::from(["model".into(), "personality".into()]);
            let new = parameters.into_iter().filter(|(name, _)| names.insert(name.clone()));
            new.fold(Steering::model(&model), |steering, (name, value)| steering.with(&name, value))
        });
    let together = prop_oneof![
        (1u32..4).prop_map(|count| Together::All(count.into())),
        vec(positive(), 1..4).prop_map(Together::Shares),
    ];
    let source = (name(), vec((positive(), positive()), 1..3)).prop_map(|(region, periods)| {
        let period = |(from, rate)| Period { from: given(from), to: None, rate: at::<f64>(rate) };
        Source {
            region: at(region),
            schedule: given(list(periods.into_iter().map(period))),
            ..Source::default()
        }
    });
    let own = (name(), of(varied()), of(steering), of(together), vec(goal(), 0..4));
    (own, vec(person(), 0..4), vec((1u32..100, name()), 0..2), vec(source, 0..2)).prop_map(
        |((name, speed, steering, together, goals), people, crowds, sources)| {
            let group = Group {
                speed: speed.and_then(given),
                steering: steering.and_then(given),
                together: together.and_then(given),
                people: list(people),
                sources: list(sources),
                ..Group::new(&name).goals(goals)
            };
            crowds.into_iter().fold(group, |group, (count, region)| group.crowd(count, &region))
        },
    )
}

fn field() -> impl Strategy<Value = Field> {
    let anchor = || {
        (point(), point(), of(name())).prop_map(|(place, velocity, name)| Anchor {
            at: given(place),
            velocity: given(velocity),
            name: name.and_then(given),
            ..Anchor::default()
        })
    };
    (name(), vec(anchor(), 1..4), of((positive(), anchor()))).prop_map(|(name, anchors, added)| {
        Field {
            name: at(name),
            anchors: at(list(anchors)),
            edits: list(added.map(|(time, added)| Edit {
                time: at(time),
                add: given(added),
                ..Edit::default()
            })),
            ..Field::default()
        }
    })
}

fn file() -> impl Strategy<Value = SceneFile> {
    let obstacle = prop_oneof![
        vec(point(), 3..6).prop_map(Obstacle::polygon),
        (point(), positive())
            .prop_map(|(center, radius)| Obstacle::circle(center, radius.max(0.001))),
        (vec(point(), 2..4), positive())
            .prop_map(|(points, thickness)| Obstacle::wall(points, thickness.max(0.001))),
    ];
    let region = prop_oneof![
        (name(), [point(), point()]).prop_map(|(name, corners)| Region::rectangle(&name, corners)),
        (name(), vec(point(), 3..5)).prop_map(|(name, corners)| Region {
            tags: vec!["exit".into()],
            ..Region::polygon(&name, corners)
        }),
    ];
    let settings = ([point(), point()], of(name()), of(0i64..i64::MAX), of(any::<bool>()));
    let places = (vec(obstacle, 0..3), vec(region, 0..3), vec(field(), 0..2));
    (settings, places, vec(group(), 0..3)).prop_map(
        |((bounds, name, seed, navigation), (obstacles, regions, fields), groups)| {
            let mut file = SceneFile::new(bounds);
            file.name = name.and_then(given);
            file.simulation.seed = seed.and_then(given);
            file.simulation.navigation = navigation.and_then(given);
            (file.obstacles, file.regions) = (list(obstacles), list(regions));
            (file.fields, file.groups) = (list(fields), list(groups));
            file
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(file in file()) {
        let written = file.to_toml();
        let read = SceneFile::parse("generated", &written);
        prop_assert!(read.is_ok(), "{}\n{written}", read.unwrap_err());
        prop_assert_eq!(read.unwrap(), file, "{}", written);
    }
}
