//! Asking a running crowd why somebody moves as they do.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use std::path::Path;

use glam::Vec2;
use proptest::prelude::*;
use throng_crowd::steering::{Cause, CommonParameters, Constraints, MODELS, SteeringProfile};
use throng_crowd::{
    Crowd, Inspection, Names, NewPerson, PersonId, PersonState, Plan, Setting, Status, WayKind,
};
use throng_nav::NoWay;
use throng_world::scene::{Aim, FieldId, Goal, LayerId, Then};
use throng_world::{Scene, Shape};

use crate::support::{
    self, GROUND, bits, crowd, goal as goal_of, person, plane, run, run_until, seek, walker,
};

fn inspect(crowd: &Crowd, id: u32) -> Inspection {
    crowd.inspect(PersonId(id)).unwrap_or_else(|| panic!("person {id} is gone"))
}

fn words(crowd: &Crowd, id: u32) -> String {
    inspect(crowd, id).status_in_words(&crowd.names(&["first", "second"]))
}

/// Somebody who steers by a model with the parameters it has by itself.
fn steered(model: usize, position: Vec2, plan: u32) -> NewPerson {
    let model = MODELS.iter().nth(model).unwrap();
    let steering = SteeringProfile::of(model).with_common(CommonParameters::DEFAULT);
    NewPerson { steering, ..person(position, plan) }
}

fn with_common(common: CommonParameters, mut person: NewPerson) -> NewPerson {
    person.steering.common = common;
    person
}

/// Two rooms with a door between them, arrows before it, and groups of every model who change rooms.
fn rooms(door: f32, each: usize) -> Crowd {
    let groups = MODELS.iter().enumerate().map(|(i, model)| {
        let (from, to) = if i % 2 == 0 { ("west", "east") } else { ("east", "west") };
        let led = if i == 2 { "led = { by = [\"arrows\"], share = 0.5, goals = 0.5 }" } else { "" };
        format!(
            "[[groups]]\nname = \"{0}\"\nsteering = {{ model = \"{0}\" }}\n{led}\n\
             crowds = [{{ count = {each}, region = \"{from}\" }}]\ngoals = [{{ seek = \"{to}\" }}]\n\
             then = \"leave\"\n",
            model.name
        )
    });
    crowd(&format!(
        r#"
        [world]
        bounds = [[0, 0], [20, 10]]
        closed = true
        [[obstacles]]
        wall = {{ points = [[10, 0], [10, {}]], thickness = 0.2 }}
        [[obstacles]]
        wall = {{ points = [[10, {}], [10, 10]], thickness = 0.2 }}
        [[regions]]
        name = "west"
        rectangle = [[1, 1], [7, 9]]
        [[regions]]
        name = "east"
        rectangle = [[13, 1], [19, 9]]
        [[fields]]
        name = "arrows"
        anchors = [{{ at = [8, 5], velocity = [1, 0] }}]
        {}
        "#,
        8.0 - door / 2.0,
        8.0 + door / 2.0,
        groups.collect::<String>()
    ))
}

#[test]
fn looking_at_people_changes_nothing() {
    let run = |looks: bool| {
        let mut crowd = rooms(1.4, 6);
        for _ in 0..200 {
            if looks {
                for person in crowd.people().collect::<Vec<_>>() {
                    let inspection = crowd.inspect(person.id).unwrap();
                    assert_eq!(inspection.state, person);
                    assert!(!inspection.status_in_words(&Names::default()).is_empty());
                }
            }
            crowd.step();
        }
        let told: Vec<PersonState> = crowd.people().collect();
        (bits(&crowd), told)
    };
    let looked = run(true);
    assert_eq!(looked, run(false));
    assert!(!looked.1.is_empty(), "somebody is still there");
}

#[test]
fn what_is_said_happens_when_nobody_touches_anybody() {
    let mut crowd = rooms(3.0, 2);
    let (mut undisturbed, mut checked) = (0, vec![0; MODELS.len()]);
    for _ in 0..110 {
        let said: Vec<Inspection> =
            crowd.people().map(|person| crowd.inspect(person.id).unwrap()).collect();
        crowd.step();
        if crowd.timings().contacts > 0 {
            continue;
        }
        undisturbed += 1;
        for inspection in said.iter().filter(|said| !said.way.waits) {
            let Some(now) = crowd.person(inspection.state.id) else {
                assert!(inspection.leaves);
                continue;
            };
            assert_eq!(now.velocity, inspection.decision.velocity, "{inspection:#?}");
            checked[MODELS.iter().position(|model| model.name == inspection.model).unwrap()] += 1;
        }
    }
    assert!(undisturbed > 40, "{undisturbed}");
    assert!(checked.iter().all(|&count| count > 40), "{checked:?}");
}

/// The nearest others, by going through all of them.
fn brute_force(
    crowd: &Crowd,
    who: &PersonState,
    common: &CommonParameters,
) -> Vec<(PersonId, f32)> {
    let others = crowd.people().filter(|other| other.id != who.id && other.layer == who.layer);
    let others = others.map(|other| (other.id, other.position.distance_squared(who.position)));
    let range_squared = common.neighbour_range * common.neighbour_range;
    let mut others: Vec<_> = others.filter(|other| other.1 <= range_squared).collect();
    others.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    others.truncate(common.max_neighbours());
    others.into_iter().map(|(id, distance_squared)| (id, distance_squared.sqrt())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn anybody_can_be_looked_at_and_heeds_the_nearest(
        places in prop::collection::vec((-8f32..8.0, -8f32..8.0, 0usize..MODELS.len()), 1..70),
        neighbours in 0u8..=32,
        range in 0.5f32..20.0,
        gap in prop_oneof![Just(0.0f32), Just(0.8)],
        goals in prop::collection::vec(0usize..5, 1..4),
        steps in 0usize..12,
        walls in any::<bool>(),
        removed in any::<bool>(),
    ) {
        let pillar = Shape::Box { center: Vec2::ZERO, size: Vec2::new(3.0, 0.6), angle: 0.4 };
        let mut setting = if walls { support::with_obstacles([pillar]) } else { plane() };
        setting.navigation = walls.then(Default::default);
        let mut crowd = Crowd::new(setting);
        let aims = [
            Aim::Seek { point: Vec2::new(6.0, -3.0), layer: GROUND, within: 0.5 },
            Aim::Idle,
            Aim::Flow { direction: Vec2::Y },
            Aim::FollowCrowd,
            Aim::Flee { point: Vec2::ZERO, layer: GROUND, beyond: 5.0 },
        ];
        let goals = goals.into_iter().map(|i| goal_of(aims[i].clone())).collect();
        let plan = crowd.add_plan(Plan { goals, then: Then::Repeat }).unwrap();
        let common = CommonParameters {
            neighbour_range: range,
            neighbours: neighbours.into(),
            time_gap: gap,
            ..CommonParameters::default()
        };
        for (x, y, model) in places {
            // Some of them are coincident, which is the worst that can happen.
            let place = Vec2::new(x, y).round() * 0.7;
            crowd.add(&with_common(common, steered(model, place, plan))).unwrap();
        }
        (0..steps).for_each(|_| crowd.step());
        crowd.add(&with_common(common, steered(0, Vec2::new(0.1, 2.0), plan))).unwrap();
        if removed {
            crowd.remove(PersonId(0));
        }
        for who in crowd.people() {
            let inspection = crowd.inspect(who.id).unwrap();
            let found = inspection.neighbours.iter();
            let found: Vec<_> = found.map(|other| (other.id, other.distance)).collect();
            prop_assert_eq!(found, brute_force(&crowd, &who, &common));
            let decision = inspection.decision;
            prop_assert!(decision.velocity.is_finite() && decision.chosen_velocity.is_finite());
            for neighbour in &inspection.neighbours {
                let other = crowd.person(neighbour.id).unwrap();
                prop_assert_eq!(neighbour.position, other.position);
                prop_assert_eq!(neighbour.velocity, other.velocity);
                prop_assert!(neighbour.influence.is_finite());
            }
            prop_assert!(!inspection.status_in_words(&crowd.names(&[])).is_empty());
        }
    }
}

#[test]
fn half_planes_are_those_of_the_best_velocity() {
    let mut crowd = rooms(1.2, 10);
    let (mut feasible, mut crowded) = (0, 0);
    for _ in 0..120 {
        crowd.step();
        for person in crowd.people().collect::<Vec<_>>() {
            let inspection = crowd.inspect(person.id).unwrap();
            let Constraints::HalfPlanes(demands) = &inspection.constraints else { continue };
            let wanted = demands.wanted;
            let is_permitted = |velocity: Vec2, slack: f32| {
                demands.half_planes.iter().all(|plane| plane.violation(velocity) <= slack)
            };
            // What is infeasible by less than rounding may be so.
            let slack = if demands.is_feasible { 1e-4 } else { -1e-4 };
            let permitted = is_permitted(demands.best, slack);
            assert_eq!(demands.is_feasible, permitted, "{inspection:#?}");
            if demands.is_feasible {
                feasible += 1;
                // No other velocity that is permitted is nearer to the one that is wanted.
                let nearest = demands.best.distance(wanted);
                for i in 0..400 {
                    let (angle, share) = (i as f32 * 2.4, (i as f32 / 400.0).sqrt());
                    let other = Vec2::from_angle(angle) * share * demands.max_speed;
                    let is_better = other.distance(wanted) < nearest - 1e-3;
                    assert!(!(is_better && is_permitted(other, 0.0)), "{other}: {inspection:#?}");
                }
            } else {
                crowded += 1;
                for plane in &demands.half_planes {
                    if matches!(plane.cause, Cause::Wall(_)) {
                        assert!(plane.violation(demands.best) <= 1e-3, "{inspection:#?}");
                    }
                }
            }
        }
    }
    assert!(feasible > 100 && crowded > 10, "{feasible} {crowded}");
}

#[test]
fn each_model_names_what_pushes() {
    for (number, model) in MODELS.iter().enumerate() {
        let wall =
            Shape::Box { center: Vec2::new(0.0, 0.9), size: Vec2::new(9.0, 0.2), angle: 0.0 };
        let mut crowd = Crowd::new(support::with_obstacles([wall]));
        let east = Plan { goals: vec![seek(Vec2::new(9.0, 0.3), 0.5)], then: Then::Stay };
        let west = Plan { goals: vec![seek(Vec2::new(-9.0, 0.3), 0.5)], then: Then::Stay };
        let [east, west] = [east, west].map(|plan| crowd.add_plan(plan).unwrap());
        let walk = |velocity: Vec2, person: NewPerson| NewPerson { velocity, ..person };
        let at = |x: f32| Vec2::new(x, 0.2);
        crowd.add(&walk(Vec2::X, steered(number, at(-1.5), east))).unwrap();
        crowd.add(&walk(-Vec2::X, steered(number, at(1.5), west))).unwrap();
        let inspection = inspect(&crowd, 0);
        let causes: Vec<Cause> = match &inspection.constraints {
            Constraints::None => Vec::new(),
            Constraints::HalfPlanes(demands) => {
                demands.half_planes.iter().map(|plane| plane.cause).collect()
            }
            Constraints::Forces(forces) => forces.forces.iter().map(|force| force.cause).collect(),
            Constraints::Urges(urges) => urges.urges.iter().map(|urge| urge.cause).collect(),
            Constraints::Rules(rules) => {
                let people = rules.threats.iter().map(|threat| Cause::Person(threat.person));
                people.chain(rules.felt()).collect()
            }
        };
        let other = causes.contains(&Cause::Person(PersonId(1)));
        let wall = causes.iter().any(|cause| matches!(cause, Cause::Wall(_)));
        let goal = causes.contains(&Cause::Goal);
        match model.name {
            "orca" | "headway" => assert!(other && wall && !goal, "{causes:?}"),
            "predictive" | "social_force" | "pedestrian" => {
                assert!(other && wall && goal, "{}: {causes:?}", model.name);
            }
            "opensteer" => assert_eq!(causes, [Cause::Person(PersonId(1))]),
            "ppr" => assert_eq!(causes, [Cause::Person(PersonId(1))]),
            "none" => assert!(causes.is_empty(), "{causes:?}"),
            // Others need not explain themselves.
            _ => continue,
        }
        assert_eq!(inspection.walls.is_empty(), model.name == "none", "{inspection:#?}");
        let influence = inspection.neighbours[0].influence.length();
        assert_eq!(influence > 1e-5, model.name != "none", "{}: {influence}", model.name);
    }
}

#[test]
fn before_the_first_step_people_say_what_they_are_about_to_do() {
    let mut crowd = Crowd::new(plane());
    let id = walker(&mut crowd, Vec2::ZERO, Vec2::new(9.0, 0.0));
    let inspection = crowd.inspect(id).unwrap();
    let goal = inspection.goal.as_ref().unwrap();
    assert_eq!((goal.index, goal.count, goal.time_spent), (0, 1, 0.0));
    assert_eq!(goal.target, Some((GROUND, Vec2::new(9.0, 0.0))));
    assert_eq!(goal.time_left, f32::INFINITY);
    assert_eq!(inspection.way.kind, WayKind::Straight);
    assert_eq!(inspection.way.points.last().unwrap().position, Vec2::new(9.0, 0.0));
    assert!((inspection.decision.velocity - Vec2::new(1.3, 0.0)).length() < 1e-3);
    assert_eq!(crowd.inspect(id).unwrap().decision.status, Status::Walking);
    assert!(crowd.inspect(PersonId(7)).is_none());
    let goals = vec![Goal { duration: 5.0, ..goal_of(Aim::Idle) }];
    let plan = crowd.add_plan(Plan { goals, then: Then::Stay }).unwrap();
    let idle = crowd.add(&person(Vec2::new(0.0, 9.0), plan)).unwrap();
    assert_eq!(words(&crowd, idle.0), "Waiting for another 5 s.");
    let until_stopped =
        Plan { goals: vec![Goal { duration: 1e9, ..goal_of(Aim::Idle) }], then: Then::Stay };
    let plan = crowd.add_plan(until_stopped).unwrap();
    let stays = crowd.add(&person(Vec2::new(0.0, -9.0), plan)).unwrap();
    assert_eq!(words(&crowd, stays.0), "Waiting.");
    assert_eq!(inspect(&crowd, stays.0).goal_in_words(&crowd.names(&[])), "to stay");
    run(&mut crowd, 2.0);
    let spent = crowd.inspect(id).unwrap().goal.unwrap().time_spent;
    assert!((spent - 2.0).abs() < 1e-3, "{spent}");
    crowd.remove(id);
    assert!(crowd.inspect(id).is_none());
}

#[test]
fn ways_are_told_with_their_bends_and_the_free_ground_along_them() {
    let mut crowd = rooms(2.0, 3);
    assert_eq!(inspect(&crowd, 0).way.kind, WayKind::Unknown);
    assert!(words(&crowd, 0).starts_with("Waits to be told the way to region \"east\""));
    run(&mut crowd, 1.0);
    let mut routes = 0;
    for person in crowd.people() {
        let Inspection { way, .. } = crowd.inspect(person.id).unwrap();
        assert_eq!(way.points[0].position, person.position);
        let attraction = way.attraction.unwrap();
        assert!(crowd.walls().crossing(person.layer, person.position, attraction).is_none());
        routes += usize::from(way.kind == WayKind::Route && way.points.len() > 2);
        assert!(!way.corridor.is_empty());
        for disc in &way.corridor {
            let is_free = crowd.walls().is_free(disc.layer, disc.centre, disc.radius - 2e-2);
            assert!(is_free, "{disc:?} of {person:?}");
        }
        // Every point of the way is in a disc of the corridor.
        for leg in way.points.windows(2) {
            for share in 0..=10 {
                let at = leg[0].position.lerp(leg[1].position, share as f32 / 10.0);
                let holds =
                    |disc: &throng_crowd::FreeDisc| disc.centre.distance(at) <= disc.radius + 2e-2;
                let is_deep_in_wall = !crowd.walls().is_free(person.layer, at, 0.05);
                assert!(is_deep_in_wall || way.corridor.iter().any(holds), "{at} of {person:?}");
            }
        }
    }
    assert!(routes > 4, "{routes}");
}

#[test]
fn fields_say_where_they_lead() {
    let mut crowd = rooms(2.0, 3);
    run(&mut crowd, 1.0);
    let led = crowd.people().find(|person| person.group.0 == 2).unwrap();
    let inspection = crowd.inspect(led.id).unwrap();
    let leading = inspection.led.unwrap();
    assert_eq!(leading.fields, [FieldId(0)]);
    assert!((leading.velocity - Vec2::X).length() < 1e-3, "{leading:?}");
    assert!((leading.share - 0.5).abs() < 1e-6);
    assert!(inspect(&crowd, 0).led.is_none());
    assert!(words(&crowd, led.id.0).contains(", led by fields for 50 %"));
}

#[test]
fn words_say_why_somebody_does_not_get_on() {
    let mut narrow = rooms(0.4, 1);
    run(&mut narrow, 2.0);
    let stranded = inspect(&narrow, 0);
    assert!(matches!(stranded.way.no_way, Some(NoWay::TooNarrow { .. })), "{:?}", stranded.way);
    assert_eq!(stranded.way.kind, WayKind::NoWay);
    let text = words(&narrow, 0);
    let (body, gap) = (2.0 * stranded.state.radius, "8.0) is 0.40 m wide");
    assert!(text.starts_with("No way to region \"east\": the gap at ("), "{text}");
    assert!(text.ends_with(&format!("{gap}, the body needs {body:.2} m.")), "{text}");

    let mut corridor = crowd(
        r#"
        [world]
        bounds = [[-3, -0.45], [15, 0.45]]
        closed = true
        [[groups]]
        name = "queue"
        people = [
            { position = [5, 0], goal = { idle = 1000 }, steering = { responsibility = 0 } },
            { position = [2, 0], goal = { seek = [14, 0] } },
        ]
        "#,
    );
    run_until(&mut corridor, 20.0, |crowd| {
        crowd.person(PersonId(1)).unwrap().status == Status::Blocked
    });
    let begin = inspect(&corridor, 1).blocked_for;
    run(&mut corridor, 3.0);
    let blocked = inspect(&corridor, 1);
    assert!((blocked.blocked_for - begin - 3.0).abs() < 1e-3, "{begin} {}", blocked.blocked_for);
    let text = words(&corridor, 1);
    let expected = "Blocked for 3 s by person 0 (who waits) on the way to (14.0, 0.0).";
    assert_eq!(text, expected);
    assert!(words(&corridor, 0).starts_with("Waiting for another 9"), "{}", words(&corridor, 0));
    assert_eq!(inspect(&corridor, 0).blocked_for, 0.0);
}

#[test]
fn words_say_whom_somebody_avoids_and_follows() {
    let mut crowd = Crowd::new(plane());
    let straight = walker(&mut crowd, Vec2::ZERO, Vec2::new(20.0, 0.0));
    walker(&mut crowd, Vec2::new(4.0, 4.3), Vec2::new(4.0, -20.0));
    run(&mut crowd, 1.0);
    let text = words(&crowd, straight.0);
    assert!(text.starts_with("Walking to (20.0, 0.0) at 1."), "{text}");
    assert!(text.ends_with("m/s; keeps clear of person 1, who comes from the left."), "{text}");

    let mut crowd = Crowd::new(plane());
    let goals = vec![seek(Vec2::new(30.0, 0.0), 0.5)];
    let plan = crowd.add_plan(Plan { goals, then: Then::Stay }).unwrap();
    let common = CommonParameters { time_gap: 1.0, ..CommonParameters::default() };
    let slow = NewPerson { preferred_speed: 0.5, ..person(Vec2::new(2.0, 0.0), plan) };
    crowd.add(&slow).unwrap();
    // Without avoidance, a gap is all that keeps them from running into others.
    let none = MODELS.iter().position(|model| model.name == "none").unwrap();
    crowd.add(&with_common(common, steered(none, Vec2::ZERO, plan))).unwrap();
    run(&mut crowd, 3.0);
    let follower = inspect(&crowd, 1);
    assert_eq!(follower.decision.follows, Some(PersonId(0)));
    assert!(words(&crowd, 1).ends_with("; keeps a gap to person 0, who is ahead."));
    run(&mut crowd, 120.0);
    assert_eq!(words(&crowd, 0), "Has arrived, with nothing left to do.");
}

#[test]
fn without_ways_a_floor_that_nothing_leads_to_has_a_name() {
    let floor = |name: &str, elevation| throng_world::Layer {
        name: name.into(),
        elevation,
        terrain: throng_world::Terrain::Flat,
    };
    let layers = vec![floor("ground", 0.0), floor("island", 3.0)];
    let mut crowd = Crowd::new(Setting { layers, ..plane() });
    let aim = Aim::Seek { point: Vec2::new(5.0, 0.0), layer: LayerId(1), within: 0.5 };
    let plan = crowd.add_plan(Plan { goals: vec![goal_of(aim)], then: Then::Stay }).unwrap();
    crowd.add(&person(Vec2::ZERO, plan)).unwrap();
    crowd.step();
    let text = words(&crowd, 0);
    let expected = "No way to (5.0, 0.0) on floor \"island\": nothing leads to floor \"island\".";
    assert_eq!(text, expected);
}

#[test]
fn anybody_in_the_scenes_that_ship_can_be_looked_at() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut sentences = 0;
    for name in ["two-floors", "station", "office", "crossing-arrows", "bottleneck", "t-junction"] {
        let scene = Scene::load(folder.join(format!("{name}.toml"))).unwrap();
        let mut crowd = Crowd::from_scene(&scene).unwrap();
        for _ in 0..12 {
            run(&mut crowd, 2.0);
            for person in crowd.people().step_by(7).collect::<Vec<_>>() {
                let inspection = crowd.inspect(person.id).unwrap();
                let text = inspection.status_in_words(&crowd.names(&[]));
                assert!(text.ends_with('.') && !text.contains("NaN"), "{text}");
                sentences += 1;
            }
        }
    }
    assert!(sentences > 300, "{sentences}");
}
