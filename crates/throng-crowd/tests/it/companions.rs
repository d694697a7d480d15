//! People who walk together do so, with every model, and change nothing for those who walk alone.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use crate::support::{
    STAIRS, assert_sound, bits, crowd, run, run_until, same_on_any_threads, scene, state as of,
    steps,
};
use glam::Vec2;
use throng_crowd::steering::MODELS;
use throng_crowd::{Crowd, Effort, PersonId, Status};
use throng_world::Scene;

/// A world of 200 m by 40 m, and a group that walks along it as `model` steers.
fn street(model: &str, keys: &str, people: &str) -> String {
    format!(
        r#"
        [simulation]
        step = 0.05
        [world]
        bounds = [[-100, -20], [100, 20]]
        [[groups]]
        name = "walkers"
        speed = 1.3
        steering = {{ model = "{model}" }}
        goals = [{{ flow = [1, 0] }}]
        {keys}
        {people}
        "#
    )
}

/// Somebody listed at a place.
fn listed(position: [f64; 2], keys: &str) -> String {
    format!("[[groups.people]]\nposition = {position:?}\n{keys}\n")
}

fn pair(a: [f64; 2], b: [f64; 2]) -> String {
    listed(a, "party = \"two\"") + &listed(b, "party = \"two\"")
}

/// How far apart two are along +x and across it, m.
fn apart(crowd: &Crowd, a: u32, b: u32) -> Vec2 {
    (of(crowd, a).position - of(crowd, b).position).abs()
}

#[test]
fn two_walk_abreast_with_every_model() {
    for model in MODELS.iter() {
        let text = street(model.name, "", &pair([-90.0, 0.0], [-91.5, 0.6]));
        let mut crowd = crowd(&text);
        run(&mut crowd, 15.0);
        let (mut spacing, mut speed, mut count) = (Vec2::ZERO, 0.0, 0.0);
        for _ in 0..100 {
            crowd.step();
            spacing += apart(&crowd, 0, 1);
            speed += of(&crowd, 0).velocity.length();
            count += 1.0;
        }
        let (spacing, speed) = (spacing / count, speed / count);
        let model = model.name;
        assert!((0.65..0.95).contains(&spacing.length()), "{model}: {spacing} m apart");
        assert!(spacing.x < 0.4 * spacing.y, "{model}: {spacing} m is not abreast");
        assert!((1.1..1.29).contains(&speed), "{model}: {speed} m/s of 1.3 m/s alone");
    }
}

#[test]
fn three_walk_in_a_shallow_v_and_four_in_two_rows() {
    let people = |count: i32, party: &str| -> String {
        let place = |i: i32| [-90.0 + f64::from(i % 2) * 0.7, 0.75 * f64::from(i)];
        (0..count).map(|i| listed(place(i), party)).collect()
    };
    let mut three = crowd(&street("pedestrian", "", &people(3, "party = \"three\"")));
    run(&mut three, 25.0);
    let mut places: Vec<Vec2> = three.people().map(|person| person.position).collect();
    places.sort_by(|a, b| a.y.total_cmp(&b.y));
    let [low, middle, high] = places[..] else { panic!("three") };
    assert!((1.3..1.9).contains(&(high.y - low.y)), "{places:?}");
    assert!((low.x - high.x).abs() < 0.2, "{places:?}");
    assert!((0.03..0.5).contains(&(0.5 * (low.x + high.x) - middle.x)), "{places:?}");

    let mut four = crowd(&street("pedestrian", "", &people(4, "party = \"four\"")));
    run(&mut four, 30.0);
    let mut places: Vec<Vec2> = four.people().map(|person| person.position).collect();
    places.sort_by(|a, b| a.x.total_cmp(&b.x));
    let rows = places[2].x.min(places[3].x) - places[0].x.max(places[1].x);
    assert!((0.6..1.6).contains(&rows), "{places:?}");
    for row in [0, 2] {
        let abreast = places[row].distance(places[row + 1]);
        assert!((0.6..1.0).contains(&abreast), "{places:?}");
    }
}

#[test]
fn in_a_narrow_corridor_two_walk_behind_each_other_and_abreast_again_after_it() {
    for model in ["orca", "headway", "pedestrian", "social_force", "predictive"] {
        let walls = "[[obstacles]]\nbox = { center = [7.5, 10.25], size = [15, 19.5] }\n\
                     [[obstacles]]\nbox = { center = [7.5, -10.25], size = [15, 19.5] }\n";
        let text = street(model, "", &pair([-10.0, 0.4], [-10.0, -0.4]));
        let text = text.replace("goals = [{ flow = [1, 0] }]", "goals = [{ seek = [60, 0] }]");
        let mut crowd = crowd(&format!("{text}\n{walls}"));
        let (mut within, mut behind, mut before) = (0, 0, Vec2::ZERO);
        while of(&crowd, 0).position.x < 35.0 || of(&crowd, 1).position.x < 35.0 {
            crowd.step();
            let [a, b] = [0, 1].map(|id| of(&crowd, id).position);
            let gap = (a - b).abs();
            if a.x.max(b.x) < -4.0 {
                before = gap;
            }
            if a.x.min(b.x) > 2.0 && a.x.max(b.x) < 14.0 {
                within += 1;
                behind += i32::from(gap.x > gap.y);
                assert!(gap.length() < 2.5, "{model}: {gap} m apart in the corridor");
            }
            assert!(crowd.time() < 90.0, "{model}: {a} {b}");
        }
        assert!(before.y > before.x, "{model}: {before} before");
        assert!(within > 20 && behind > within * 3 / 4, "{model}: {behind} of {within}");
        let after = apart(&crowd, 0, 1);
        assert!(after.y > after.x && after.length() < 1.1, "{model}: {after} after");
    }
}

/// The farthest that two are apart as they pass a pillar, and how far apart they are after it, m.
fn past_a_pillar(model: &str, navigation: bool) -> [f32; 2] {
    let pillar = "[[obstacles]]\ncircle = { center = [0, 0], radius = 1.2 }\n";
    let text = street(model, "", &pair([-15.0, 0.4], [-15.0, -0.4]));
    let text = text.replace("goals = [{ flow = [1, 0] }]", "goals = [{ seek = [60, 0] }]");
    let text = text.replace("[simulation]", &format!("[simulation]\nnavigation = {navigation}"));
    let mut crowd = crowd(&format!("{text}\n{pillar}"));
    let mut widest = 0.0f32;
    while of(&crowd, 0).position.x.min(of(&crowd, 1).position.x) < 20.0 {
        crowd.step();
        widest = widest.max(apart(&crowd, 0, 1).length());
        assert!(crowd.time() < 90.0, "{model} does not pass");
    }
    [widest, apart(&crowd, 0, 1).length()]
}

#[test]
fn a_pillar_splits_two_who_come_together_again() {
    for model in ["orca", "headway", "pedestrian", "social_force", "predictive"] {
        // Without ways it stands between them.
        let [widest, after] = past_a_pillar(model, false);
        assert!(widest > 1.1, "{model}: nothing has split them, {widest} m");
        assert!(after < 1.1, "{model}: {after} m apart after the pillar");
    }
}

#[test]
fn companions_take_the_same_way_round_a_pillar() {
    for model in ["orca", "headway", "pedestrian", "social_force", "predictive"] {
        let [widest, after] = past_a_pillar(model, true);
        assert!(widest < 1.3 && after < 1.1, "{model}: {widest} m, {after} m after the pillar");
    }
}

#[test]
fn companions_climb_stairs_and_are_together_above() {
    let mut crowd = crowd(&format!(
        r#"
        [simulation]
        step = 0.05
        [world]
        bounds = [[-14, -8], [34, 8]]
        {STAIRS}
        [[groups]]
        name = "walkers"
        speed = 1.3
        goals = [{{ seek = [30, 0], layer = "upper" }}]
        people = [
          {{ position = [-6, 0.4], party = "three" }},
          {{ position = [-6, -0.4], party = "three" }},
          {{ position = [-10, 0], speed = 0.8, party = "three" }},
        ]
        "#
    ));
    run_until(&mut crowd, 90.0, |crowd| of(crowd, 0).position.x >= 20.0);
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        assert_eq!(of(&crowd, a).layer, of(&crowd, b).layer);
        assert!(apart(&crowd, a, b).length() < 2.2, "{}", apart(&crowd, a, b));
    }
}

#[test]
fn companions_keep_together_at_every_level_of_detail() {
    for effort in Effort::ALL {
        let mut crowd = crowd(&street("pedestrian", "", &pair([-90.0, 0.0], [-92.0, 0.6])));
        for id in [0, 1] {
            assert!(crowd.set_effort(PersonId(id), effort));
        }
        run(&mut crowd, 20.0);
        let apart = apart(&crowd, 0, 1);
        assert!((0.6..1.0).contains(&apart.y) && apart.x < 0.4, "{effort:?}: {apart}");
    }
}

#[test]
fn a_slow_companion_sets_the_pace_and_one_who_is_behind_is_waited_for() {
    let people =
        pair([-90.0, 0.4], [-90.0, -0.4]) + &listed([-98.0, 0.0], "party = \"two\"\nspeed = 0.6");
    let mut crowd = crowd(&street("pedestrian", "", &people));
    let mut waited = false;
    for _ in 0..1200 {
        let waits = crowd.inspect(PersonId(0)).unwrap().waits_for;
        waited |= waits == Some(PersonId(2));
        crowd.step();
    }
    assert!(waited, "nobody waited");
    let speeds: Vec<f32> = crowd.people().map(|person| person.velocity.length()).collect();
    assert!(speeds.iter().all(|speed| (0.45..0.75).contains(speed)), "{speeds:?}");
    let far = apart(&crowd, 0, 2).max(apart(&crowd, 1, 2));
    assert!(far.x < 1.5 && far.y < 2.2, "{far}");
}

#[test]
fn who_cannot_come_is_not_waited_for_for_ever() {
    let walls = "[[obstacles]]\nname = \"cage\"\nwall = { points = [[-99, -2], [-95, -2], [-95, 2], [-99, 2], [-99, -2]], thickness = 0.2 }\n";
    let text = street("orca", "", &pair([-97.0, 0.0], [-90.0, 0.0]));
    let text = text.replace("[simulation]", "[simulation]\nnavigation = false");
    let mut crowd = crowd(&format!("{text}\n{walls}"));
    run(&mut crowd, 10.0);
    let waiting = of(&crowd, 1);
    assert!(waiting.position.x < -85.0 && waiting.velocity.length() < 0.3, "{waiting:?}");
    let names = ["walkers"];
    let words = crowd.inspect(PersonId(1)).unwrap().status_in_words(&crowd.names(&names));
    assert!(words.contains("waiting for person 0"), "{words}");
    run(&mut crowd, 30.0);
    let gone = of(&crowd, 1);
    assert!(gone.velocity.x > 1.0 && gone.position.x > -80.0, "{gone:?}");
}

#[test]
fn inspection_foretells_what_companions_do_with_every_model() {
    for model in MODELS.iter() {
        let people = pair([-90.0, 0.4], [-91.0, -0.4])
            + &listed([-90.5, 1.5], "party = \"two\"\nspeed = 0.9")
            + &listed([-80.0, 0.0], "goals = [{ flow = [-1, 0] }]");
        let mut crowd = crowd(&street(model.name, "", &people));
        let mut compared = 0;
        for _ in 0..120 {
            let foretold: Vec<_> = (0..4).map(|id| crowd.inspect(PersonId(id)).unwrap()).collect();
            crowd.step();
            // What contacts do is not foretold.
            if crowd.timings().contacts > 0 {
                continue;
            }
            for inspection in &foretold {
                let id = inspection.state.id;
                let happened = crowd.person(id).unwrap();
                let decided = inspection.decision;
                assert_eq!(happened.velocity, decided.velocity, "{} {id:?}", model.name);
                assert_eq!(happened.preferred_velocity, decided.preferred_velocity);
                compared += 1;
            }
        }
        assert!(compared > 200, "{}: {compared}", model.name);
        let inspection = crowd.inspect(PersonId(0)).unwrap();
        assert_eq!(inspection.companions, [PersonId(1), PersonId(2)]);
        let heeded = |id: u32| inspection.neighbours.iter().any(|other| other.id == PersonId(id));
        assert!(!heeded(1) && !heeded(2), "companions are not avoided");
    }
}

const PLAZA: &str = r#"
    [simulation]
    step = 0.1
    seed = 5
    [world]
    bounds = [[0, 0], [150, 150]]
    [[obstacles]]
    circle = { center = [75, 75], radius = 6 }
    [[regions]]
    name = "all"
    rectangle = [[2, 2], [148, 148]]
    [[groups]]
    name = "visitors"
    goals = [{ seek = { random = "all" } }]
    then = "repeat"
    TOGETHER
    [[groups.crowds]]
    count = 3200
    region = "all"
    arrangement = "grid"
"#;

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let text = PLAZA.replace("TOGETHER", "together = [0.3, 0.4, 0.2, 0.1]");
    let make = || crowd(&text);
    same_on_any_threads(&[4], make, |crowd| {
        steps(crowd, 40);
        assert_sound(crowd);
        bits(crowd)
    });
}

#[test]
fn whoever_walks_alone_does_so_to_the_bit() {
    let after = |together: &str| {
        let text = PLAZA.replace("TOGETHER", together).replace("3200", "60");
        let mut crowd = crowd(&text);
        (0..100).for_each(|_| crowd.step());
        bits(&crowd)
    };
    assert_eq!(after(""), after("together = 1"));
    assert_ne!(after(""), after("together = 2"));
}

#[test]
fn companions_begin_side_by_side_and_share_what_chance_decides() {
    let text = PLAZA.replace("TOGETHER", "together = 2").replace("3200", "41");
    let mut crowd = crowd(&text.replace("arrangement = \"grid\"", ""));
    let pairs: Vec<(u32, u32)> = (0..20).map(|pair| (2 * pair, 2 * pair + 1)).collect();
    for &(a, b) in &pairs {
        assert_eq!(crowd.companions(PersonId(a)), [PersonId(b)]);
        assert!(apart(&crowd, a, b).length() < 1.0);
    }
    assert!(crowd.companions(PersonId(40)).is_empty(), "the last one is left over");
    crowd.step();
    let target = |id: u32| crowd.inspect(PersonId(id)).unwrap().goal.unwrap().target.unwrap();
    for &(a, b) in &pairs {
        assert_eq!(target(a), target(b));
    }
    run(&mut crowd, 20.0);
    let near = pairs.iter().filter(|(a, b)| apart(&crowd, *a, *b).length() < 1.5).count();
    assert!(near >= 18, "{near} of 20 pairs are together");
}

#[test]
fn sources_emit_parties_and_as_many_people_as_without() {
    let text = |together: &str| {
        format!(
            r#"
            [simulation]
            step = 0.1
            [world]
            bounds = [[0, 0], [60, 20]]
            [[regions]]
            name = "door"
            rectangle = [[1, 5], [4, 15]]
            [[groups]]
            name = "guests"
            goals = [{{ flow = [1, 0] }}]
            {together}
            [[groups.sources]]
            region = "door"
            rate = 1.0
            limit = 31
            "#
        )
    };
    let mut crowd = crowd(&text("together = 3"));
    let mut largest = 0.0f32;
    let mut known = 0;
    for _ in 0..400 {
        crowd.step();
        for id in known..crowd.ever() {
            for companion in crowd.companions(PersonId(id)) {
                let gap = of(&crowd, id).position.distance(of(&crowd, companion.0).position);
                largest = largest.max(gap);
            }
        }
        known = crowd.ever();
    }
    assert_eq!(crowd.ever(), 31);
    assert!(!crowd.expects_people(), "the last one comes alone");
    assert!(largest < 3.3, "{largest} m apart when they appear");
    for id in 0..30 {
        assert_eq!(crowd.companions(PersonId(id)).len(), 2);
    }
    assert!(crowd.companions(PersonId(30)).is_empty());
}

#[test]
fn parties_can_be_made_and_ended_by_code_and_by_editing_the_scene() {
    let text = |party: &str| {
        street("orca", "", &(listed([-90.0, 0.0], party) + &listed([-90.0, 1.0], party)))
    };
    let (alone, together) = (scene(&text("")), scene(&text("party = \"two\"")));
    let mut crowd = Crowd::from_scene(&alone).unwrap();
    let ids = [PersonId(0), PersonId(1)];
    assert!(crowd.companions(ids[0]).is_empty());
    crowd.adopt(&alone, &together).unwrap();
    assert_eq!(crowd.companions(ids[0]), [ids[1]]);
    crowd.adopt(&together, &alone).unwrap();
    assert!(crowd.companions(ids[0]).is_empty() && crowd.companions(ids[1]).is_empty());

    crowd.join(&ids).unwrap();
    assert_eq!(crowd.companions(ids[1]), [ids[0]]);
    assert!(crowd.part(ids[0]) && !crowd.part(ids[1]), "nobody is left to walk with");
    for wrong in [&ids[..1], &[PersonId(0), PersonId(7)], &[]] {
        assert!(crowd.join(wrong).is_err(), "{wrong:?}");
    }
    crowd.join(&ids).unwrap();
    crowd.remove(ids[0]);
    (0..20).for_each(|_| crowd.step());
    assert!(crowd.companions(ids[1]).is_empty());
    assert_eq!(of(&crowd, 1).status, Status::Walking);
}

#[test]
fn what_is_wrong_about_parties_is_said_where_it_is() {
    let errors = |keys: &str, people: &str| {
        let text = format!("format = 1\n{}", street("orca", keys, people));
        Scene::parse("scene.toml", &text, "".as_ref()).unwrap_err().to_string()
    };
    let one = errors("", &listed([0.0, 0.0], "party = \"a\""));
    assert!(one.contains("the only one of party \"a\""), "{one}");
    let many: String = (0..13).map(|i| listed([f64::from(i), 0.0], "party = \"a\"")).collect();
    let many = errors("", &many);
    assert!(many.contains("party \"a\" has 13 people"), "{many}");
    for keys in [
        "together = [0, 0]",
        "together = 0",
        "together = 13",
        "together = \"all\"",
        "together = [-1]",
        "together = []",
        "together = 2.5",
    ] {
        let error = errors(keys, &listed([0.0, 0.0], ""));
        assert!(error.contains("together"), "{keys}: {error}");
    }
}
